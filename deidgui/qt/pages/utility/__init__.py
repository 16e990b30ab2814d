"""The page Risk and utility: the input and its release side by side."""

from deidgui.qt.pages.utility.page import UtilityPage

__all__ = ["UtilityPage"]
