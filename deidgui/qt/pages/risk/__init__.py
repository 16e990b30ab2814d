"""The page Risk and thresholds: who receives the release, and how safe it must be."""

from deidgui.qt.pages.risk.page import RiskPage

__all__ = ["RiskPage"]
