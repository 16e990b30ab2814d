"""Builds and edits the hierarchies of quasi-identifiers."""
