"""Applying a policy to a table."""
