"""Writes, checks and previews a release."""
