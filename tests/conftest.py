"""Fixtures and rules for every test."""

import sys
from pathlib import Path

import deidgui  # noqa: F401 - guards None/True/False before any Qt use

sys.path.insert(0, str(Path(__file__).parent))
