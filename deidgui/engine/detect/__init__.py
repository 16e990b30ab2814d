"""Detects which columns identify people, and why."""
