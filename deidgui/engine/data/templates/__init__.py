"""Hierarchy templates: one file each; add a file and its line here."""

from deidgui.engine.data.templates.base import TEMPLATES, Grid, Template

__all__ = ["TEMPLATES", "Grid", "Template"]
