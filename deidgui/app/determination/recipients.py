"""Who receives a release, and which thresholds are usual for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from deidgui.engine.determination import NAMED, threshold_text
from deidgui.engine.privacy import (
    AverageProsecutorRisk,
    HighestProsecutorRisk,
    PrivacyModel,
)
from deidgui.text import Text, tr

RecipientKind = Literal["public", "researcher", "internal", "own"]


@dataclass(frozen=True)
class Recipient:
    """A kind of recipient with the thresholds proposed for it.

    Parameters
    ----------
    sentence : str
        Who is meant, in plain words.
    highest_risk : Fraction in (0, 1] or None
        Proposed limit of the highest prosecutor risk; None proposes nothing. A
        fraction, since "0.09" and "0.33" are names of groups of 11 and of 3.
    average_risk : Fraction in (0, 1] or None
        Proposed limit of the average prosecutor risk.
    suppression_limit : float in [0, 1]
        Proposed share of records that may be suppressed.
    source : str
        Where the thresholds come from.
    """

    kind: RecipientKind
    title: Text
    sentence: Text
    highest_risk: Fraction | None
    average_risk: Fraction | None
    suppression_limit: float
    source: Text

    def models(self) -> tuple[PrivacyModel, ...]:
        """Return the proposed privacy models."""
        found: list[PrivacyModel] = []
        if self.highest_risk is not None:
            found.append(HighestProsecutorRisk(float(self.highest_risk)))
        if self.average_risk is not None:
            found.append(AverageProsecutorRisk(float(self.average_risk)))
        return tuple(found)

    def words(self) -> str:
        """Say the proposed thresholds; empty if there are none."""
        parts = []
        if self.highest_risk is not None:
            words: Text = "highest risk {risk}"
            parts.append(tr(words, risk=threshold_text(self.highest_risk)))
        if self.average_risk is not None:
            words = "average risk {risk}"
            parts.append(tr(words, risk=threshold_text(self.average_risk)))
        return ", ".join(parts)


RECIPIENTS: tuple[Recipient, ...] = (
    Recipient(
        "public",
        "The public",
        "Anybody can download the file; nobody has signed anything.",
        highest_risk=NAMED["0.09"],
        average_risk=None,
        suppression_limit=0.05,
        source=(
            "European Medicines Agency, Policy 0070 guidance (2018), and Health "
            "Canada, Public Release of Clinical Information (2019): at most 9\u202f%, "
            "which means groups of at least 11 (1 in 11); the usual smallest cell of "
            "the US Centers for Medicare & Medicaid Services is of the same size."
        ),
    ),
    Recipient(
        "researcher",
        "Researchers under an agreement",
        "Named people who have signed not to re-identify anybody and keep the file "
        "under control.",
        highest_risk=NAMED["0.2"],
        average_risk=NAMED["0.1"],
        suppression_limit=0.05,
        source=(
            "El Emam, Guide to the De-Identification of Personal Health "
            "Information (2013): groups of at least 5 and an average of at most "
            "10\u202f% are customary where a data use agreement is in force."
        ),
    ),
    Recipient(
        "internal",
        "Colleagues inside the organisation",
        "Staff bound by the same confidentiality rules as the people who treat the "
        "patients.",
        highest_risk=NAMED["0.33"],
        average_risk=None,
        suppression_limit=0.05,
        source=(
            "El Emam, Guide to the De-Identification of Personal Health "
            "Information (2013): groups of at least 3 (33\u202f%, which is 1 in 3) "
            "are the loosest threshold in use for highly trusted recipients."
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


def meaning(model: PrivacyModel) -> str:
    """Say what a model asks for, and where its number is stricter than its name."""
    asked = getattr(model, "threshold", None)
    words = model.words()
    for name in ("0.09", "0.33"):
        if isinstance(model, HighestProsecutorRisk) and asked == float(name):
            note = tr(
                "Groups of {n} follow from {number} as a decimal: stricter than "
                "guidelines, which mean groups of {meant} by it.",
                number=name,
                n=model.depth,
                meant=NAMED[name].denominator,
            )
            words = f"{words} {note}"
    return words


def is_proposed(model: PrivacyModel) -> bool:
    """Whether a model is of a kind that recipients propose thresholds of."""
    return isinstance(model, HighestProsecutorRisk | AverageProsecutorRisk)


def is_source(justification: str) -> bool:
    """Whether a reason for the thresholds is one of this program's, or none."""
    sources = {tr(each.source) for each in RECIPIENTS if each.source}
    return not justification.strip() or justification in sources


BY_KIND: Mapping[str, Recipient] = {each.kind: each for each in RECIPIENTS}
