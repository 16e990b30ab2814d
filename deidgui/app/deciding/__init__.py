"""Decisions of the command line, checked as in the window."""
