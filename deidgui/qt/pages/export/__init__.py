"""The page Preview and export: the data before and after, and the release."""

from deidgui.qt.pages.export.page import ExportPage

__all__ = ["ExportPage"]
