"""Highest prosecutor risk: the probability of a match in the release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from deidgui.engine.parameters import PER_CENT, Help, Proposed, Range
from deidgui.engine.privacy.base import (
    LARGEST_K,
    PRIVACY_MODELS,
    SizeModel,
    least_size,
)
from deidgui.text import per_cent, tr


@PRIVACY_MODELS.register
@dataclass(frozen=True)
class HighestProsecutorRisk(SizeModel):
    """1 / (size of the smallest class) is at most a threshold.

    Parameters
    ----------
    threshold : float in (0, 1]
        Highest allowed probability that an adversary who knows a person to be
        in the data picks their record.

    References
    ----------
    .. [1] K. El Emam (2013), *Guide to the De-Identification of Personal Health
       Information*, chapter 16 (R_b of the prosecutor); methods.md 0 and F.1.
    """

    kind = "highest_prosecutor_risk"
    title = "Highest risk"
    monotone_generalization = True
    monotone_suppression = True
    sources = ("El Emam 2013",)
    assumptions = ("quasi_identifiers_complete", "one_record_per_person")

    threshold: Annotated[
        float,
        Range(1 / LARGEST_K, 1),
        Proposed(0.2),
        PER_CENT,
        Help(
            "Highest probability",
            "Maximum probability of re-identifying a known person.",
        ),
    ]

    def words(self) -> str:
        """Say in one plain sentence what is true of a release that meets it."""
        return tr(
            "Somebody who looks for a person they know to be in the data finds the "
            "right one with a probability of at most {threshold}.",
            threshold=per_cent(self.threshold),
        )

    @property
    def depth(self) -> int:
        """Size that every released class has at least."""
        return least_size(self.threshold)
