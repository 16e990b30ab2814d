"""Does every released group have as many records as a published cell must?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from deidgui.engine.parameters import Help, Range, Unit
from deidgui.engine.privacy.base import LARGEST_K, PRIVACY_MODELS, SizeModel


@PRIVACY_MODELS.register
@dataclass(frozen=True)
class SmallestCell(SizeModel):
    """Every class has at least as many records as a table's cell must.

    Parameters
    ----------
    cell : int, in [2, 100000]

    References
    ----------
    .. [1] US Centers for Medicare & Medicaid Services, *CMS Cell Size
       Suppression Policy*: no cell of 10 or fewer.
    """

    kind = "smallest_cell"
    title = "Smallest cell"
    monotone_generalization = True
    monotone_suppression = True
    sources = ("CMS cell size suppression policy",)
    assumptions = ("quasi_identifiers_complete", "one_record_per_person")

    cell: Annotated[
        int,
        Range(2, LARGEST_K),
        Unit("records"),
        Help("Smallest cell", "How many records a published cell has at least."),
    ] = 11

    def words(self) -> str:
        """Say in one plain sentence what is true of a release that meets it."""
        return f"No combination is released that fewer than {self.cell:,} records have."

    @property
    def depth(self) -> int:
        """Size that every released class has at least."""
        return self.cell
