"""Which steps there are, in their order, and where the page of each is."""

from __future__ import annotations

from dataclasses import dataclass

from deidgui.text import tr


@dataclass(frozen=True)
class Step:
    """One step of the rail.

    Parameters
    ----------
    key : str
        Stable word: of its glyph, its help page and its module in this package.
    page : str
        Name of the page's class.
    keys : str
        Shortcut that leads there.
    """

    key: str
    page: str
    keys: str

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
    return {
        "start": tr("Start"),
        "data": tr("Data"),
        "attributes": tr("Attributes"),
        "hierarchies": tr("Hierarchies"),
        "risk": tr("Risk and thresholds"),
        "policies": tr("Policies"),
        "utility": tr("Risk and utility"),
        "export": tr("Preview and export"),
    }


STEPS: tuple[Step, ...] = (
    Step("start", "StartPage", "Ctrl+1"),
    Step("data", "DataPage", "Ctrl+2"),
    Step("attributes", "AttributesPage", "Ctrl+3"),
    Step("hierarchies", "HierarchiesPage", "Ctrl+4"),
    Step("risk", "RiskPage", "Ctrl+5"),
    Step("policies", "PoliciesPage", "Ctrl+6"),
    Step("utility", "UtilityPage", "Ctrl+7"),
    Step("export", "ExportPage", "Ctrl+8"),
)
