"""Works out again what risks become if one thing is otherwise than stated."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from deidgui.engine.evidence.checks import Check, same
from deidgui.engine.evidence.document import Context, Evidence, Risk, SensitivityCase
from deidgui.engine.evidence.verify_context import (
    answers_that_count,
    attempts_of,
    controls_of,
    excluded_of,
    largest_of,
    release_of,
    threshold_of,
)

_MOST = 190
"""Acquaintances."""

_FIFTHS = {"smaller_population": 4, "larger_population": 6}
"""Of the people."""

_OF_PEOPLE = ("as_stated", *_FIFTHS)
"""Cases in which the number of people matters."""

_SLACK = 1e-12


class _Line(NamedTuple):
    """What a case must say: risks in the data, and probabilities by attack."""

    column: str
    average: float
    highest: float
    attempts: Mapping[str, float | None]


def check_sensitivity(evidence: Evidence) -> Iterator[Check]:
    """Compare each case with what follows from context, risk and columns."""
    stated, context, risk = evidence.sensitivity, evidence.context, evidence.risk
    is_measured = context is not None and risk.records > 0
    is_measured &= evidence.unit.events is None
    expected: dict[str, _Line] = {}
    if is_measured and context is not None:
        average = risk.classes / risk.records
        highest = 1 / (risk.smallest_class or 1)
        expected = _expected(evidence, context, average, highest)
    kinds = [each.kind for each in stated]
    fits = kinds == list(expected)
    yield Check("sensitivity_cases", fits)
    if context is None or not fits:
        return
    for each in stated:
        line, about = expected[each.kind], {"case": each.kind}
        yield Check("sensitivity_case", _is_right(context, each, line), about)
        yield Check("sensitivity_people", _are_people_right(risk, each), about)
        yield Check("sensitivity_present", _is_presence_right(evidence, each), about)
        yield Check("sensitivity_unique", _are_unique_right(evidence, each), about)


def _expected(
    evidence: Evidence, context: Context, average: float, highest: float
) -> dict[str, _Line]:
    answers = answers_that_count(context)
    release, controls = release_of(context, answers), controls_of(answers)

    def tried(level: str | None, **changes: object) -> Mapping[str, float | None]:
        changed = context.model_copy(update=changes)
        return attempts_of(changed, release, answers, level)

    base = _Line("", average, highest, tried(controls))
    found = {"as_stated": base}
    known = evidence.criteria.one_more if evidence.criteria is not None else ()
    if known:
        by = 0 if context.measure == "average" else 1
        risks = [
            ((e.average, e.highest)[by], (e.highest, e.average)[by]) for e in known
        ]
        worst = known[risks.index(max(risks))]
        found["column"] = _Line(
            worst.attribute, worst.average, worst.highest, base.attempts
        )
    if release in ("semi_public", "non_public"):
        people, share = context.acquaintances, context.prevalence
        if base.attempts["T2"] is not None and (people or 0) < _MOST:
            found["acquaintances"] = base._replace(
                attempts=tried(controls, acquaintances=_MOST)
            )
        if base.attempts["T3"] is not None:
            twice = min(2 * base.attempts["T3"], 1.0)
            found["breach"] = base._replace(attempts=tried(controls, breach_rate=twice))
        for kind, fifths in _FIFTHS.items():
            if share is not None and people is not None:
                other = min(share * 5 / fifths, 1.0)
                changed = tried(controls, prevalence=other)
                found[kind] = base._replace(attempts=changed)
    if evidence.risk.population_known != "none" or _n_estimated(evidence):
        for kind in _FIFTHS:
            found.setdefault(kind, base)
    worse = {"high": "medium", "medium": "low"}.get(controls or "")
    lower = tried(worse)
    is_lowered = release == "non_public" and worse is not None
    if is_lowered and lower["T1"] is not None:
        found["controls"] = base._replace(attempts=lower)
    counted = {n: p for n, p in base.attempts.items() if n not in excluded_of(context)}
    if len(counted) > 1 and largest_of(counted) is not None:
        found["together"] = base
    return found


def _are_people_right(risk: Risk, stated: SensitivityCase) -> bool:
    """Whether the risk of people follows from that of the people as stated.

    Of the table of a population the files know no more than bounds where people are
    fewer: how many classes have as few people as records is not known.
    """
    is_known = risk.population_known != "none" and stated.kind in _OF_PEOPLE
    people = stated.people
    if people is None or not is_known:
        parts = () if people is None else (people.highest, people.average)
        return not is_known and not any(each is not None for each in parts)
    fifths, fraction = _FIFTHS.get(stated.kind, 5), risk.sampling_fraction
    less = more = 5 / fifths
    if fifths < 5:
        # Nowhere fewer people than records.
        more = less if fraction is None else min(less, 1 / fraction)
        less = 1.0 if fraction is None else more
    before = (risk.journalist.highest, risk.journalist.average, risk.marketer.average)
    now = (people.highest, people.average, people.matched)
    return all(
        _is_between(one, other, less, more)
        for one, other in zip(before, now, strict=True)
    )


def _is_between(
    one: float | None, other: float | None, less: float, more: float
) -> bool:
    if one is None or other is None:
        return False
    return one * less - _SLACK <= other <= one * more + _SLACK


def _is_presence_right(evidence: Evidence, stated: SensitivityCase) -> bool:
    """Whether who can be seen to be in the data follows from what is stated of it."""
    criteria, cases = evidence.criteria, evidence.sensitivity
    is_counted = criteria is not None and criteria.membership is not None
    people, first = stated.people, cases[0].people
    found = (
        (None, None) if people is None else (people.least_present, people.most_present)
    )
    if stated.kind not in _OF_PEOPLE or not is_counted or first is None:
        return found == (None, None) and (
            not is_counted or stated.kind not in _OF_PEOPLE
        )
    assert criteria is not None
    assert criteria.membership is not None
    least, most = found
    if least is None or most is None or least > most + _SLACK:
        return False
    if stated.kind == "as_stated":
        membership = criteria.membership
        average = min(1.0, membership.average)
        return same(most, min(1.0, membership.highest)) and least <= average + _SLACK
    times = 5 / _FIFTHS[stated.kind]
    bounds = (min(1.0, times), max(1.0, times))
    return _is_between(first.least_present, least, *bounds) and _is_between(
        first.most_present, most, *bounds
    )


def _n_estimated(evidence: Evidence) -> int:
    return sum(each.kind == "population_uniqueness" for each in evidence.models)


def _are_unique_right(evidence: Evidence, stated: SensitivityCase) -> bool:
    """Whether there is an estimate for each model that limits it, which it decides.

    The estimates themselves are not worked out again.
    """
    models = [e for e in evidence.models if e.kind == "population_uniqueness"]
    found = () if stated.people is None else stated.people.unique
    if stated.kind not in _OF_PEOPLE:
        return not found
    if len(found) != len(models):
        return False
    if stated.kind != "as_stated":
        return True
    limits = [(each.model_extra or {}).get("threshold") for each in models]
    return all(
        each.satisfied
        == (
            share is not None
            and isinstance(limit, float | int)
            and share <= limit + 1e-9
        )
        for each, share, limit in zip(models, found, limits, strict=True)
    )


def _is_right(context: Context, stated: SensitivityCase, line: _Line) -> bool:
    """Whether a case says what follows from its risks and probabilities."""
    is_average = context.measure == "average"
    data_risk = line.average if is_average else line.highest
    attempts = {name: p for name, p in line.attempts.items() if p is not None}
    out = excluded_of(context)
    counted = {name: p for name, p in line.attempts.items() if name not in out}
    attempt = largest_of(counted)
    if stated.kind == "together":
        attempt = 1 - math.prod(1 - (each or 0.0) for each in counted.values())
    decides = None if attempt is None else attempt * data_risk
    threshold = threshold_of(context, answers_that_count(context))
    within = None
    if decides is not None and threshold is not None:
        within = decides < threshold or same(decides, threshold)
        if is_average:
            within = within and (line.highest < 1 / 3 or same(line.highest, 1 / 3))
    return (
        stated.column == line.column
        and same(stated.average, line.average)
        and same(stated.highest, line.highest)
        and _are_same(stated.attempts, attempts)
        and _are_same(stated.overall, {n: p * data_risk for n, p in attempts.items()})
        and same(stated.decides, decides)
        and stated.within == within
    )


def _are_same(stated: Mapping[str, float], found: Mapping[str, float]) -> bool:
    return stated.keys() == found.keys() and all(
        same(stated[name], each) for name, each in found.items()
    )
