"""Which steps there are, in their order, and where the page of each is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from deidgui.text import Text, tr


@dataclass(frozen=True)
class WizardStep:
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
        return tr(_TITLES[self.key])


_TITLES: Mapping[str, Text] = {
    "start": "Start",
    "data": "Data",
    "attributes": "Attributes",
    "hierarchies": "Hierarchies",
    "risk": "Risk and thresholds",
    "policies": "Policies",
    "utility": "Risk and utility",
    "export": "Preview and export",
    "tables": "Tables",
    "structure": "Structure",
    "audit": "Audit",
    "repair": "Repair",
    "noise": "Noise",
    "network": "Network of sites",
    "counts_release": "Preview and export",
}

STEPS: tuple[WizardStep, ...] = (
    WizardStep("start", "start.StartPage", "Ctrl+1"),
    WizardStep("data", "data.page.DataPage", "Ctrl+2"),
    WizardStep("attributes", "attributes.page.AttributesPage", "Ctrl+3"),
    WizardStep("hierarchies", "hierarchies.page.HierarchiesPage", "Ctrl+4"),
    WizardStep("risk", "risk.page.RiskPage", "Ctrl+5"),
    WizardStep("policies", "policies.page.PoliciesPage", "Ctrl+6"),
    WizardStep("utility", "utility.page.UtilityPage", "Ctrl+7"),
    WizardStep("export", "export.page.ExportPage", "Ctrl+8"),
)
"""Of tables of people."""

COUNTS_STEPS: tuple[WizardStep, ...] = (
    STEPS[0],
    WizardStep("tables", "counts.tables.TablesPage", "Ctrl+2", "data"),
    WizardStep("structure", "counts.structure.StructurePage", "Ctrl+3", "hierarchies"),
    WizardStep("audit", "counts.audit.AuditPage", "Ctrl+4", "risk"),
    WizardStep("repair", "counts.repair.RepairPage", "Ctrl+5", "wand"),
    WizardStep("noise", "counts.noise.NoisePage", "Ctrl+6", "chart"),
    WizardStep("network", "counts.network.NetworkPage", "Ctrl+7", "place"),
    WizardStep(
        "counts_release", "counts.release.CountsReleasePage", "Ctrl+8", "export"
    ),
)
"""Of tables of counts."""

ALL_STEPS: tuple[WizardStep, ...] = (*STEPS, *COUNTS_STEPS[1:])


def steps_of(kind: str) -> tuple[WizardStep, ...]:
    """Return the steps of a kind of project."""
    return COUNTS_STEPS if kind == "counts" else STEPS
