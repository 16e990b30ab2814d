"""What risks become if one thing is otherwise than it is stated."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from deidgui.engine.determination.attempts import MATRICES, any_attempt
from deidgui.engine.determination.context import Assessment, Context, assess
from deidgui.engine.determination.questions import Level
from deidgui.engine.determination.scoring import attempt_level, controls_level
from deidgui.engine.determination.thresholds import CAP

Kind = Literal[
    "as_stated",
    "column",
    "acquaintances",
    "breach",
    "controls",
    "smaller_population",
    "larger_population",
    "together",
]

MANY_ACQUAINTANCES = 190
"""The largest number of the literature, where 150 is usual.

References
----------
.. [1] Information and Privacy Commissioner of Ontario (2016); determination.md 2.1.
"""

FIFTH = 0.2
"""By which share the population is taken to be smaller or larger."""

OTHER_POPULATIONS: Mapping[Kind, float] = {
    "smaller_population": 1 - FIFTH,
    "larger_population": 1 + FIFTH,
}
"""How many times as many people each of the other populations has."""

_WORSE: Mapping[Level, Level] = {"high": "medium", "medium": "low"}
_ROUNDING = 1e-12


class DataRisk(NamedTuple):
    """Risk in the data, average and highest, if a column is known besides."""

    column: str
    average: float
    highest: float


class PeopleRisk(NamedTuple):
    """Risk of people of the population, who may be in the data or not.

    Parameters
    ----------
    highest, average : float in [0, 1] or None
        Of somebody whom an adversary knows to be in the population (journalist).
    matched : float in [0, 1] or None
        Share of the records that are matched rightly with the population (marketer).
    least_present, most_present : float in [0, 1] or None
        Probability that who fits a released class is in the data; if people are known
        by their values.
    unique : tuple of (float in [0, 1] or None)
        Estimated share of people who look like nobody else, by each privacy model that
        limits it; None where the estimate does not fit.
    """

    highest: float | None
    average: float | None
    matched: float | None
    least_present: float | None = None
    most_present: float | None = None
    unique: tuple[float | None, ...] = ()


@dataclass(frozen=True)
class Case:
    """One line of the sensitivity table.

    Parameters
    ----------
    risk : DataRisk
        Its column is empty but for the kind column.
    found : Assessment
        What follows from the context of this case.
    people : PeopleRisk, optional
        As stated, and where the population is another one; if it is known at all.
    """

    kind: Kind
    risk: DataRisk
    found: Assessment
    people: PeopleRisk | None = None

    @property
    def attempts(self) -> dict[str, float]:
        """Probability by attack, of those that are known."""
        known = self.found.attempts.items()
        return {name: each for name, each in known if each is not None}

    @property
    def overall(self) -> dict[str, float]:
        """Overall risk by attack."""
        return self.found.overall(self.risk.average, self.risk.highest)

    @property
    def decides(self) -> float | None:
        """Overall risk that decides; None while the context is open."""
        if self.found.attempt is None:
            return None
        out = self.found.excluded
        if self.kind == "together":
            counted = [e for name, e in self.attempts.items() if name not in out]
            _, average, highest = self.risk
            data_risk = average if self.found.measure == "average" else highest
            return any_attempt(counted) * data_risk
        return self.found.largest_overall(self.risk.average, self.risk.highest)

    @property
    def within(self) -> bool | None:
        """Whether the threshold holds, and the cap of a strict average."""
        threshold, decides = self.found.threshold, self.decides
        if threshold is None or decides is None:
            return None
        is_capped = self.found.measure == "average"
        fits = not is_capped or self.risk.highest <= float(CAP) + _ROUNDING
        return fits and decides <= float(threshold) + _ROUNDING


def sensitivity(
    context: Context,
    risk: DataRisk,
    one_more: Sequence[DataRisk] = (),
    people: Mapping[str, PeopleRisk] | None = None,
) -> tuple[Case, ...]:
    """Return what risks become, one thing changed at a time.

    Parameters
    ----------
    risk : DataRisk
        Of the release, without a column.
    one_more : sequence of DataRisk
        By column that is known besides; that with the largest risk is told.
    people : mapping of str to PeopleRisk, optional
        By kind: as stated, and of the smaller and the larger population.

    Notes
    -----
    A case that changes nothing here is left out: an attack that does not apply,
    controls that are low already, as many acquaintances. A fifth fewer people make the
    prevalence 1.25 times as large, a fifth more 1/1.2 times; the risk in the data is
    that of somebody known to be in the file, and does not depend on their number; that
    of somebody known to be in the population does, and is in `people`.

    References
    ----------
    .. [1] determination.md 1.2, item 26, and 2.1.
    """
    found = assess(context)
    people = people or {}
    cases = [Case("as_stated", risk, found, people.get("as_stated"))]
    if one_more:
        worst = max(one_more, key=lambda each: _order(each, found))
        cases.append(Case("column", worst, found))
    for kind, changed in _changed(context, people):
        cases.append(Case(kind, risk, assess(changed), people.get(kind)))
    worse = _with_worse_controls(context, found)
    if worse is not None:
        cases.append(Case("controls", risk, worse))
    if found.attempt is not None and len(found.attempts.keys() - found.excluded) > 1:
        cases.append(Case("together", risk, found))
    return tuple(cases)


def _order(each: DataRisk, found: Assessment) -> tuple[float, float]:
    counted = (each.average, each.highest)
    return counted if found.measure == "average" else (each.highest, each.average)


def _changed(context: Context, known: Container[str]) -> Iterator[tuple[Kind, Context]]:
    """Contexts in which a number is otherwise; none where nothing rests on it."""
    is_tried = context.effective in ("semi_public", "non_public")
    share, people = context.prevalence, context.acquaintances
    is_met = is_tried and share is not None and people is not None
    if is_met and people is not None and people < MANY_ACQUAINTANCES:
        yield "acquaintances", replace(context, acquaintances=MANY_ACQUAINTANCES)
    if is_tried and context.breach_rate is not None:
        yield "breach", replace(context, breach_rate=min(1.0, 2 * context.breach_rate))
    for kind, by in OTHER_POPULATIONS.items():
        if is_met and share is not None:
            yield kind, replace(context, prevalence=min(1.0, share / by))
        elif kind in known:
            yield kind, context


def _with_worse_controls(context: Context, found: Assessment) -> Assessment | None:
    """What follows if controls are one level worse; None if they are low."""
    controls = controls_level(context.answers)
    motives = attempt_level(context.answers)
    worse = _WORSE.get(controls) if controls is not None else None
    if found.release != "non_public" or worse is None or motives is None:
        return None
    if context.matrix is None:
        return None
    deliberate = MATRICES[context.matrix].probability(worse, motives)
    attempts = {**found.attempts, "T1": deliberate}
    attempt = found.attempt
    if attempt is not None:
        # All attacks that count are known then.
        counted = [p for n, p in attempts.items() if n not in found.excluded]
        attempt = max(each for each in counted if each is not None)
    return replace(found, controls=worse, attempts=attempts, attempt=attempt)
