"""The page Search: what will be searched, how it goes, what was found."""

from deidgui.qt.pages.search.page import SearchPage

__all__ = ["SearchPage"]
