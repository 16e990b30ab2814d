"""The page Explore: every policy of a search, compared and chosen."""

from deidgui.qt.pages.explore.page import ExplorePage

__all__ = ["ExplorePage"]
