"""The decision on what an adversary knows of a person's events: proposal, condition."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from deidgui.app.determination.recipients import BY_KIND
from deidgui.app.project import EventsKnown, Project
from deidgui.engine.privacy import PrivacyModel, ProcessModel
from deidgui.engine.risk.decision import deciding_size
from deidgui.engine.risk.exposure import large_sample_size, safe_harbor_limit
from deidgui.text import Text, per_cent, tr

PROPOSED_POWER = 5
"""Of the Heritage Health Prize; 10 and 15 were looked at, too."""

PROPOSED_THRESHOLD = 0.05
"""Of the Heritage Health Prize: at least 20 people alike in the population."""

PROPOSED_SIGNIFICANCE = 0.1
"""Of the literature on the truncated Poisson decision."""

_HERITAGE: Text = "Heritage Health Prize (2011): at least 20 people alike"
_AGENCIES: Text = (
    "European Medicines Agency and Health Canada: at least 11 people alike"
)
_STRICTER: Text = (
    "stricter than the European Medicines Agency and Health Canada: 12 people alike, "
    "not 11"
)
_GUIDE: Text = (
    "El Emam, Guide (2013), among the values in use: at least 10 people alike"
)
_AGREEMENT: Text = "usual for researchers under an agreement: at least 5 people alike"
_TRUSTED: Text = (
    "loosest value in use, highly trusted recipients: at least 3 people alike"
)

PRECEDENTS: Mapping[float, Text] = {
    0.05: _HERITAGE,
    round(1 / 11, 6): _AGENCIES,
    0.09: _STRICTER,
    0.1: _GUIDE,
    0.2: _AGREEMENT,
    round(1 / 3, 6): _TRUSTED,
}
"""Who used a largest matching probability before."""


def precedent(threshold: float) -> str:
    """Say who used a threshold before; empty if nobody is known."""
    key = round(threshold, 6)
    return tr(PRECEDENTS[key]) if key in PRECEDENTS else ""


def proposed_events(project: Project) -> EventsKnown:
    """Return what is usual, for a person to decide on.

    The threshold is that of the records at risk, else of the recipient; the share of
    people at risk exposes no more than Safe Harbor does.
    """
    threshold = project.privacy.threshold
    found = threshold.at_risk
    if found is None and threshold.recipient is not None:
        usual = BY_KIND[threshold.recipient].highest_risk
        found = None if usual is None else float(usual)
    largest = PROPOSED_THRESHOLD if found is None else found
    return EventsKnown(
        power=PROPOSED_POWER,
        diversity="entropy",
        threshold=largest,
        limit=proposed_limit(largest),
        rule="large_sample",
    )


def proposed_limit(threshold: float) -> float:
    """Share of people at risk that exposes no more than Safe Harbor, at most 1."""
    return min(1.0, round(safe_harbor_limit(threshold), 9))


def with_threshold(known: EventsKnown, threshold: float) -> EventsKnown:
    """Return a decision with another threshold, and the limit that goes with it."""
    return known.but(threshold=threshold, limit=proposed_limit(threshold))


def is_replaced(model: PrivacyModel) -> bool:
    """Whether a threshold of people at risk takes the place of a privacy model.

    So it does of all that ask how many people look alike by everything that their rows
    show; models of sensitive values, and promises about the process, stay.
    """
    is_promise = isinstance(model, ProcessModel)
    return model.problem is None and not model.needs_sensitive and not is_promise


def fraction_of(project: Project) -> float:
    """Return the sampling fraction of a project; 1 where it says none."""
    return 1.0 if project.fraction is None else project.fraction


def size_by(rule: str, known: EventsKnown, fraction: float) -> int:
    """People of the data who must match at least, by one of the two rules.

    Parameters
    ----------
    rule : str
        As of `EventsKnown.rule`.
    fraction : float in (0, 1]
        Sampling fraction.

    Returns
    -------
    int, >= 1

    References
    ----------
    .. [1] methods.md E.3 and E.6.
    """
    if rule == "large_sample":
        return large_sample_size(1 / known.threshold, fraction)
    people = math.ceil(1 / known.threshold - 1e-9)
    return deciding_size(people, fraction, known.significance or PROPOSED_SIGNIFICANCE)


def size_asked(known: EventsKnown, fraction: float) -> int:
    """People of the data who must match at least, by the rule that was decided."""
    return size_by(known.rule, known, fraction)


@dataclass(frozen=True)
class PeopleAtRisk:
    """At most a share of the people is matched by too few, by what is known of them.

    Parameters
    ----------
    fraction : float in (0, 1]
        Sampling fraction.
    """

    known: EventsKnown
    fraction: float

    kind: ClassVar[str] = "events_known"
    title: ClassVar[Text] = "People at risk, some events known"
    assumptions: ClassVar[tuple[str, ...]] = (
        "quasi_identifiers_complete",
        "events_known_in_part",
    )
    vetted: ClassVar[bool] = False

    @property
    def size(self) -> int:
        """People who must match at least."""
        return size_asked(self.known, self.fraction)

    def words(self) -> str:
        """Say in one plain sentence what is true of a release that meets it."""
        return tr(
            "At most {share} of the people have a matching probability above "
            "{threshold}, for {who}.",
            share=per_cent(self.known.limit),
            threshold=per_cent(self.known.threshold),
            who=who_knows(self.known),
        )

    def to_json(self) -> dict[str, Any]:
        """As it is kept in a project, and stated in evidence."""
        return {
            "kind": self.kind,
            **self.known.model_dump(),
            "sampling_fraction": self.fraction,
            "size": self.size,
        }


def read_condition(stored: Mapping[str, Any]) -> PeopleAtRisk | None:
    """Return a condition from what `PeopleAtRisk.to_json` made; None if it is not."""
    fields = dict(stored)
    kind, size = fields.pop("kind", None), fields.pop("size", None)
    try:
        fraction = float(fields.pop("sampling_fraction", 0.0))
        found = PeopleAtRisk(EventsKnown.model_validate(fields), fraction)
        is_same = kind == found.kind and size == found.size
    except (TypeError, ValueError):
        # A sampling fraction that is none is a `ConfigError`, which is a ValueError.
        return None
    return found if is_same else None


def who_knows(known: EventsKnown) -> str:
    """Say who knows what of a person."""
    return tr(
        "an adversary who knows everything that is the same in all rows of a person, "
        "and at most {n:value|values} of each other column",
        n=known.power,
    )


def condition_of(project: Project) -> PeopleAtRisk | None:
    """Return the threshold on people at risk; None if none was decided."""
    known = project.privacy.events
    return None if known is None else PeopleAtRisk(known, fraction_of(project))
