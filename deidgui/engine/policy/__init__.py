"""Policies: what a release does to each value."""
