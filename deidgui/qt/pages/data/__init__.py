"""The page that shows what was read, and how."""

from deidgui.qt.pages.data.page import DataPage

__all__ = ["DataPage"]
