"""Which steps there are, in their order, and where the page of each is."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication


@dataclass(frozen=True)
class Step:
    """One step of the rail.

    Parameters
    ----------
    key : str
        Stable word: of its glyph, its help page and its module in this package.
    page : str
        Name of the page's class.
    """

    key: str
    page: str

    @property
    def glyph(self) -> str:
        """Name of the step's icon."""
        return self.key

    @property
    def module(self) -> str:
        """Where the page's class is."""
        return f"{__name__}.{self.key}"

    @property
    def title(self) -> str:
        """Translated title."""
        return _titles()[self.key]


def _titles() -> dict[str, str]:
    translate = QCoreApplication.translate
    return {
        "start": translate("steps", "Start"),
        "data": translate("steps", "Data"),
        "attributes": translate("steps", "Attributes"),
        "hierarchies": translate("steps", "Hierarchies"),
        "risk": translate("steps", "Risk and thresholds"),
        "search": translate("steps", "Search"),
        "explore": translate("steps", "Explore"),
        "utility": translate("steps", "Risk and utility"),
        "export": translate("steps", "Preview and export"),
    }


STEPS: tuple[Step, ...] = (
    Step("start", "StartPage"),
    Step("data", "DataPage"),
    Step("attributes", "AttributesPage"),
    Step("hierarchies", "HierarchiesPage"),
    Step("risk", "RiskPage"),
    Step("search", "SearchPage"),
    Step("explore", "ExplorePage"),
    Step("utility", "UtilityPage"),
    Step("export", "ExportPage"),
)
