"""The page Policies: how to look for policies, what was found, and the choice."""

from deidgui.qt.pages.policies.page import PoliciesPage

__all__ = ["PoliciesPage"]
