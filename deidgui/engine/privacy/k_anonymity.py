"""The k-anonymity model: at least k records in every equivalence class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from deidgui.engine.parameters import Help, Proposed, Range, Unit
from deidgui.engine.privacy.base import (
    LARGEST_K,
    PRIVACY_MODELS,
    SizeModel,
)
from deidgui.text import tr


@PRIVACY_MODELS.register
@dataclass(frozen=True)
class KAnonymity(SizeModel):
    """Every class has at least k records.

    Parameters
    ----------
    k : int, in [2, 100000]

    References
    ----------
    .. [1] P. Samarati (2001), *Protecting respondents' identities in microdata
       release*, IEEE TKDE 13(6), definition 2.2; methods.md B.5.
    """

    kind = "k_anonymity"
    title = "k-anonymity"
    monotone_generalization = True
    monotone_suppression = True
    sources = ("Samarati 2001", "Sweeney 2002")
    assumptions = ("quasi_identifiers_complete", "one_record_per_person")

    k: Annotated[
        int,
        Range(2, LARGEST_K),
        Proposed(5),
        Unit("alike"),
        Help("Smallest group", "How many must look alike at least."),
    ]

    def words(self) -> str:
        """Say in one plain sentence what is true of a release that meets it."""
        return tr(
            "Every released record looks like at least {k:other|others}.", k=self.k - 1
        )

    @property
    def depth(self) -> int:
        """Size that every released class has at least."""
        return self.k
