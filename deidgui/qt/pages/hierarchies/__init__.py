"""The page Hierarchies: how each quasi-identifier may become coarser."""

from deidgui.qt.pages.hierarchies.page import HierarchiesPage

__all__ = ["HierarchiesPage"]
