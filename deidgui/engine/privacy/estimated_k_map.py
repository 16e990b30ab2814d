"""Estimated k-map: classes so large that k people in the population are likely."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from deidgui.engine.parameters import PER_CENT, Help, Options, Proposed, Range, Unit
from deidgui.engine.privacy.base import LARGEST_K, PRIVACY_MODELS, SizeModel
from deidgui.engine.risk.decision import deciding_size
from deidgui.text import per_cent, tr


@PRIVACY_MODELS.register
@dataclass(frozen=True)
class EstimatedKMap(SizeModel):
    """Every class is so large that k people in the population are likely.

    Parameters
    ----------
    k : int, in [2, 100000]
        Least number of people of the population who must look alike.
    sampling_fraction : float in [1e-9, 1]
        Share of the population that the records are.
    significance : float in [1e-9, 0.5]
        Allowed probability that a class with fewer than k people has as many
        records as the smallest one released.
    rule : {"truncated", "poisson"}
        Whether classes without a record are left out of that probability (D4)
        or not (D3).

    References
    ----------
    .. [1] K. El Emam, F. Dankar (2008), *Protecting privacy using k-anonymity*,
       JAMIA 15(5), D3 and D4; methods.md E.6.
    """

    kind = "estimated_k_map"
    title = "Estimated k-map"
    monotone_generalization = True
    monotone_suppression = True
    sources = ("El Emam and Dankar 2008",)
    assumptions = (
        "quasi_identifiers_complete",
        "one_record_per_person",
        "sampled_at_random",
    )

    k: Annotated[
        int,
        Range(2, LARGEST_K),
        Proposed(5),
        Unit("people"),
        Help(
            "Smallest group of people",
            "How many people of the population must share the values at least.",
        ),
    ]
    sampling_fraction: Annotated[
        float,
        Range(1e-9, 1),
        Proposed(0.1),
        PER_CENT,
        Help("Share of the population", "How much of the population is in the data."),
    ]
    significance: Annotated[
        float,
        Range(1e-9, 0.5),
        Proposed(0.1),
        PER_CENT,
        Help(
            "Probability of an error",
            "How likely it may be that too small a group is taken to be large enough.",
        ),
    ]
    rule: Annotated[
        str,
        Options(("truncated", "poisson")),
        Help(
            "Rule",
            "“truncated” knows that a group that is seen has somebody, and is the "
            "stricter one for small samples.",
        ),
    ] = "truncated"

    def words(self) -> str:
        """Say in one plain sentence what is true of a release that meets it."""
        return tr(
            "Every released record looks like at least {depth:other|others}; a "
            "group with fewer than {k:person|people} in the population is that "
            "large with a probability of at most {significance}.",
            depth=self.depth - 1,
            k=self.k,
            significance=per_cent(self.significance),
        )

    @property
    def depth(self) -> int:
        """Size that every released class has at least."""
        return deciding_size(
            self.k,
            self.sampling_fraction,
            self.significance,
            truncated=self.rule == "truncated",
        )
