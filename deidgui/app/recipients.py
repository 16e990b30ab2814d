"""Who receives a release, and which thresholds are usual for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from deidgui.engine.privacy import (
    AverageProsecutorRisk,
    HighestProsecutorRisk,
    PrivacyModel,
)
from deidgui.text import Text

RecipientKind = Literal["public", "researcher", "internal", "own"]


@dataclass(frozen=True)
class Recipient:
    """A kind of recipient with the thresholds proposed for it.

    Parameters
    ----------
    sentence : str
        Who is meant, in plain words.
    highest_risk : float in (0, 1] or None
        Proposed limit of the highest prosecutor risk; None proposes nothing.
    average_risk : float in (0, 1] or None
        Proposed limit of the average prosecutor risk.
    suppression_limit : float in [0, 1]
        Proposed share of records that may be suppressed.
    source : str
        Where the thresholds come from.
    """

    kind: RecipientKind
    title: Text
    sentence: Text
    highest_risk: float | None
    average_risk: float | None
    suppression_limit: float
    source: Text

    def models(self) -> tuple[PrivacyModel, ...]:
        """Return the proposed privacy models."""
        found: list[PrivacyModel] = []
        if self.highest_risk is not None:
            found.append(HighestProsecutorRisk(self.highest_risk))
        if self.average_risk is not None:
            found.append(AverageProsecutorRisk(self.average_risk))
        return tuple(found)


RECIPIENTS: tuple[Recipient, ...] = (
    Recipient(
        "public",
        "The public",
        "Anybody can download the file; nobody has signed anything.",
        highest_risk=0.09,
        average_risk=None,
        suppression_limit=0.05,
        source=(
            "European Medicines Agency, Policy 0070 guidance (2018), and Health "
            "Canada, Public Release of Clinical Information (2019): at most 0.09, "
            "that is groups of at least 12; the usual smallest cell of 11 of the "
            "US Centers for Medicare & Medicaid Services is of the same size."
        ),
    ),
    Recipient(
        "researcher",
        "Researchers under an agreement",
        "Named people who have signed not to re-identify anybody and keep the file "
        "under control.",
        highest_risk=0.2,
        average_risk=0.1,
        suppression_limit=0.05,
        source=(
            "El Emam, Guide to the De-Identification of Personal Health "
            "Information (2013): groups of at least 5 and an average of at most 0.1 "
            "are customary where a data use agreement is in force."
        ),
    ),
    Recipient(
        "internal",
        "Colleagues inside the organisation",
        "Staff bound by the same confidentiality rules as the people who treat the "
        "patients.",
        highest_risk=0.33,
        average_risk=None,
        suppression_limit=0.05,
        source=(
            "El Emam, Guide to the De-Identification of Personal Health "
            "Information (2013): groups of at least 3 or 4 (a risk of 0.33) are the "
            "loosest threshold in use for highly trusted recipients."
        ),
    ),
    Recipient(
        "own",
        "Somebody else",
        "You set the thresholds yourself and write down why.",
        highest_risk=None,
        average_risk=None,
        suppression_limit=0.05,
        source="",
    ),
)

BY_KIND: Mapping[str, Recipient] = {each.kind: each for each in RECIPIENTS}
