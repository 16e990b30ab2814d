"""The page Hierarchies: how each quasi-identifier can be generalized."""

from deidgui.qt.pages.hierarchies.page import HierarchiesPage

__all__ = ["HierarchiesPage"]
