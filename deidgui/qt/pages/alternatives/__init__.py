"""The page Alternatives: policies no riskier than a rule, and the choice among them."""

from deidgui.qt.pages.alternatives.page import AlternativesPage

__all__ = ["AlternativesPage"]
