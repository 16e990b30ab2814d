"""Reads the input file and proposes a project for it."""
