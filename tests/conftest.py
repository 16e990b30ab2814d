"""Fixtures and rules for every test."""

import deidgui  # noqa: F401 - guards None/True/False before any Qt use
