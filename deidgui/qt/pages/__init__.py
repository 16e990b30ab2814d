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
        Stable word: of its glyph and its help page.
    page : str
        Module in this package and name of the page's class.
    keys : str
        Shortcut that leads there.
    icon : str
        Name of its icon, if that is not its key.
    """

    key: str
    page: str
    keys: str
    icon: str = ""

    @property
    def glyph(self) -> str:
        """Name of the step's icon."""
        return self.icon or self.key

    @property
    def module(self) -> str:
        """Where the page's class is."""
        return f"{__name__}.{self.page.rpartition('.')[0]}"

    @property
    def page_class(self) -> str:
        """Name of the page's class."""
        return self.page.rpartition(".")[2]

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
        "tables": tr("Tables"),
        "structure": tr("Structure"),
        "audit": tr("Audit"),
        "repair": tr("Repair"),
        "noise": tr("Noise"),
        "network": tr("Network of sites"),
        "counts_release": tr("Preview and export"),
    }


STEPS: tuple[Step, ...] = (
    Step("start", "start.StartPage", "Ctrl+1"),
    Step("data", "data.page.DataPage", "Ctrl+2"),
    Step("attributes", "attributes.page.AttributesPage", "Ctrl+3"),
    Step("hierarchies", "hierarchies.page.HierarchiesPage", "Ctrl+4"),
    Step("risk", "risk.page.RiskPage", "Ctrl+5"),
    Step("policies", "policies.page.PoliciesPage", "Ctrl+6"),
    Step("utility", "utility.page.UtilityPage", "Ctrl+7"),
    Step("export", "export.page.ExportPage", "Ctrl+8"),
)
"""Of tables of people."""

COUNTS_STEPS: tuple[Step, ...] = (
    STEPS[0],
    Step("tables", "counts.tables.TablesPage", "Ctrl+2", "data"),
    Step("structure", "counts.structure.StructurePage", "Ctrl+3", "hierarchies"),
    Step("audit", "counts.audit.AuditPage", "Ctrl+4", "risk"),
    Step("repair", "counts.repair.RepairPage", "Ctrl+5", "wand"),
    Step("noise", "counts.noise.NoisePage", "Ctrl+6", "chart"),
    Step("network", "counts.network.NetworkPage", "Ctrl+7", "place"),
    Step("counts_release", "counts.release.CountsReleasePage", "Ctrl+8", "export"),
)
"""Of tables of counts."""

ALL_STEPS: tuple[Step, ...] = (*STEPS, *COUNTS_STEPS[1:])


def steps_of(kind: str) -> tuple[Step, ...]:
    """Return the steps of a kind of project."""
    return COUNTS_STEPS if kind == "counts" else STEPS
