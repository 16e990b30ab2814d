"""The page on which the role of every column is decided."""

from deidgui.qt.pages.attributes.page import AttributesPage

__all__ = ["AttributesPage"]
