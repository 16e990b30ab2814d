"""Compares the evidence of a release with what was counted again."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from deidgui.engine.arrays import FloatArray, IntArray
from deidgui.engine.evidence.document import (
    Attacker,
    Distribution,
    EventsKnown,
    Evidence,
    Measure,
    Output,
    ShareAtRisk,
    SizeBin,
)
from deidgui.engine.evidence.tally import MappedLabels, Tally, share_above
from deidgui.engine.evidence.verify_events import (
    MeasuredShare,
    ReleasedPeople,
    agrees,
    least_matching,
)
from deidgui.engine.evidence.verify_models import ReleasedFacts, ReleasedValues, judge
from deidgui.engine.evidence.verify_quality import (
    LEVEL_MEASURES,
    MEASURES,
    ReadBack,
    joined,
)


@dataclass(frozen=True)
class Check:
    """One comparison of what is stated with what was found.

    Parameters
    ----------
    code : str
        What was compared.
    params : dict
        File, attribute, stated and measured figure; never a cell's value.
    """

    code: str
    ok: bool
    params: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class CountedRelease:
    """A release read back: its evidence, and what its rows and mappings say.

    Parameters
    ----------
    tally : Tally
        Suppressed records already taken out of the classes.
    mapped : mapping of str to MappedLabels
        By quasi-identifier.
    headers : mapping of str to str
        Header of every quasi-identifier.
    sizes : ndarray of int64, shape (n_classes,)
        Of the released classes, in ascending order: of people, where rows belong to
        people and the release says to whom.
    row_sizes : ndarray of int64, shape (n_row_classes,)
        Of the classes of rows.
    values : mapping of str to list of Counter
        By sensitive attribute that a model names and that is released as it is:
        the records by value in each released class.
    """

    evidence: Evidence
    tally: Tally
    mapped: Mapping[str, MappedLabels]
    headers: Mapping[str, str]
    sizes: IntArray
    row_sizes: IntArray
    values: Mapping[str, list[Counter[str]]] = field(default_factory=dict)
    _labels: dict[str, Counter[str]] = field(default_factory=dict, repr=False)

    def label_counts(self, name: str) -> Counter[str]:
        """Released records by label of a quasi-identifier."""
        # PERF: a pass over all classes, which several checks need.
        if name not in self._labels:
            self._labels[name] = self.tally.label_counts(self.headers[name])
        return self._labels[name]

    @property
    def n_released(self) -> int:
        """Records that are not suppressed: people, where rows belong to people."""
        return int(self.sizes.sum())

    @property
    def counts_who_is_protected(self) -> bool:
        """Whether the files tell who is protected: each row, or the people of rows."""
        unit = self.evidence.unit
        return unit.kind == "row" or unit.column is not None


def same(stated: float | None, measured: float | None) -> bool:
    """Whether two figures agree up to rounding of floating-point sums."""
    if stated is None or measured is None:
        return stated is measured
    return math.isclose(stated, measured, rel_tol=1e-9, abs_tol=1e-9)


def compare(
    code: str, stated: float | None, measured: float | None, **params: Any
) -> Check:
    """Check of one figure."""
    figures = {"stated": stated, "measured": measured}
    return Check(code, same(stated, measured), {**params, **figures})


# -- rows and classes ------------------------------------------------------------------


def check_rows(release: CountedRelease) -> Iterator[Check]:
    """Compare the numbers of rows, suppressed records and classes."""
    evidence, tally = release.evidence, release.tally
    left_out = evidence.policy.suppressed == "left_out"
    n_rows = evidence.records - (evidence.suppressed_records if left_out else 0)
    yield compare("rows", n_rows, tally.n_rows)
    n_rows = sum(each.rows for each in events_of(evidence))
    yield compare("rows_of_file", n_rows, tally.n_rows)
    link, n_input = evidence.link, rows_of_events(evidence)
    n_left_out = link.orphans + link.keyless if link is not None else 0
    of_input = evidence.sample.rows if evidence.sample else evidence.records
    steps = evidence.preparation
    n_rows = steps[-1].rows_after if steps else n_input - n_left_out
    yield compare("records_of_input", of_input, n_rows)
    n_suppressed = evidence.records - int(release.row_sizes.sum())
    yield compare("suppressed", evidence.suppressed_records, n_suppressed)
    yield compare("labels_in_mapping", 0, tally.n_unknown)
    yield compare("masked", 0, tally.n_unmasked)
    yield compare("pseudonyms", 0, tally.n_no_pseudonym)
    if evidence.spreadsheet_safe:
        yield compare("spreadsheet", 0, tally.n_executed)


def linked_names(evidence: Evidence) -> list[str]:
    """Roles of the tables that were read, and of those that there must be."""
    if evidence.link is None:
        return ["table"]
    stated = {each.name for each in evidence.inputs}
    n_events = len(stated - {"people", "population"})
    return ["table", "people", *(f"table{n}" for n in range(2, n_events + 1))]


def events_of(evidence: Evidence) -> list[Output]:
    """Released tables of events: all but that of people."""
    return [each for each in evidence.outputs if each.name != "people"]


def rows_of_events(evidence: Evidence) -> int:
    """Rows of the inputs that hold events."""
    others = ("people", "population")
    return sum(each.rows for each in evidence.inputs if each.name not in others)


def check_sample(
    release: CountedRelease, unmeasured: dict[str, str]
) -> Iterator[Check]:
    """Compare what is said about the sample with who is in the files."""
    evidence, sample = release.evidence, release.evidence.sample
    if sample is None:
        return
    unit = evidence.unit
    n_stated = evidence.records if unit.people is None else unit.people
    yield compare("sample_size", sample.sampled, n_stated)
    # By the fraction, rounded down; a whole number may be missed by its last digit.
    n_drawn = math.floor(sample.people * sample.fraction + 1e-9)
    yield compare("sample_fraction", sample.sampled, n_drawn)
    fits = sample.sampled <= sample.people and evidence.records <= sample.rows
    if unit.people is None:
        fits &= sample.people == sample.rows
    yield Check("sample_of_input", fits)
    if not release.counts_who_is_protected:
        unmeasured["sample"] = "people_not_released"
        return
    sizes = release.sizes
    yield compare("sample_average", sample.average, len(sizes) / max(sample.people, 1))


def people_sizes(tally: Tally) -> IntArray:
    """Sizes of the classes of people, in ascending order: int64, (n_classes,)."""
    return np.array(sorted(map(len, tally.people_classes().values())), np.int64)


def check_unit(release: CountedRelease, unmeasured: dict[str, str]) -> Iterator[Check]:
    """Compare what is said about the people whom rows belong to."""
    unit, evidence = release.evidence.unit, release.evidence
    if unit.kind == "row":
        return
    keys = [e for e in evidence.attributes if e.released_as == unit.column]
    is_named = unit.column is None or [e.treatment for e in keys] == ["pseudonym"]
    yield Check("people_key", is_named and unit.people is not None)
    if unit.column is None or unit.people is None or not is_named:
        # More rows than people are in a class: its rows tell no more than this.
        least, sizes = evidence.policy.suppress_below, release.row_sizes
        smallest = int(sizes.min()) if len(sizes) else None
        figures = {"smallest": smallest, "least": least}
        yield Check("suppress_rule", smallest is None or smallest >= least, figures)
        names = ("classes", "risk", *(each.kind for each in evidence.models))
        unmeasured.update(dict.fromkeys(names, "people_not_released"))
        return
    n_suppressed = unit.people - release.n_released
    yield compare("suppressed_people", unit.suppressed_people, n_suppressed)
    measured = release.tally.rows_risks()
    threshold = evidence.thresholds.at_risk
    for known in unit.rows_known:
        found = measured.get(known.known)
        if found is None or known.highest is None:
            unmeasured[f"{known.known} of the rows known"] = "many_pairs"
            continue
        about = {"known": known.known}
        yield compare("rows_known_highest", known.highest, found.highest, **about)
        yield compare("rows_known_average", known.average, found.average, **about)
        if threshold is not None:
            n = found.above(_least(threshold))
            yield compare("rows_known_at_risk", known.n_at_risk, n, **about)
    stated = {each.known for each in unit.rows_known}
    yield Check("rows_known_stated", stated >= measured.keys() - {"two"})
    if unit.events is not None:
        yield from _check_events(release, unit.events, unmeasured)


def _check_events(
    release: CountedRelease, stated: EventsKnown, unmeasured: dict[str, str]
) -> Iterator[Check]:
    """Count again who is at risk if some of their events are known."""
    unit = release.evidence.unit
    asked = next((e for e in release.evidence.models if e.kind == EVENTS_KNOWN), None)
    if asked is None:
        yield Check("events_size", ok=False)
        return
    params = asked.model_extra or {}
    try:
        size = least_matching(
            float(params["threshold"]),
            float(params["sampling_fraction"]),
            params["rule"],
            params["significance"],
        )
        power, limit = int(params["power"]), float(params["limit"])
        diversity = str(params["diversity"])
    except (KeyError, TypeError, ValueError, ZeroDivisionError, OverflowError):
        yield Check("events_size", ok=False)
        return
    yield compare("events_size", stated.size, size)
    varying = [release.headers[n] for n in unit.varying if n in release.headers]
    shown = release.tally.people_shown(varying)
    is_known = len(varying) == len(unit.varying)
    yield Check("events_columns", is_known and shown is not None)
    if shown is None:
        return
    yield compare("events_people", stated.people, len(shown.people))
    for each in (stated.decides, stated.by_released):
        if not _fits_how(each):
            yield Check("events_counted", ok=False)
    if stated.decides.how in _COUNTED:
        found = _counted(shown, stated.decides.how, size)
        yield compare("events_counted", stated.decides.share, found)
        is_met = stated.decides.share <= limit
        yield Check("events_met", asked.satisfied == is_met)
    if stated.by_released.how in _COUNTED:
        found = _counted(shown, stated.by_released.how, size)
        yield compare("events_counted", stated.by_released.share, found)
        return
    estimate = shown.by_some(size, power, diversity)
    estimated = stated.by_released
    figures = {"stated": estimated.share, "measured": estimate.share}
    same_share = agrees(
        MeasuredShare(estimated.share, estimated.low, estimated.high), estimate
    )
    yield Check("events_estimate", same_share, figures)


_COUNTED = ("exact", "not_more", "not_less")
"""Shares of people at risk that are no estimates."""

EVENTS_KNOWN = "events_known"
"""Kind of the condition on people at risk of whom some events are known."""


def _fits_how(stated: ShareAtRisk) -> bool:
    """Whether a share lies where what is said of how it was found lets it lie."""
    share, low, high = stated.share, stated.low, stated.high
    fits = {
        "exact": low == share == high,
        "every_way": low == share == high,
        "not_more": low <= share == high,
        "not_less": low == share and high == 1,
        "estimated": low <= share <= high,
    }
    return fits[stated.how] and (stated.draws > 0) == (stated.how == "estimated")


def _counted(shown: ReleasedPeople, how: str, size: int) -> float:
    return shown.by_own(size) if how == "not_less" else shown.by_all(size)


def check_classes(release: CountedRelease) -> Iterator[Check]:
    """Compare class sizes with the rule that suppresses records and what is stated."""
    evidence, sizes = release.evidence, release.sizes
    least = evidence.policy.suppress_below
    smallest = int(sizes.min()) if len(sizes) else None
    yield Check(
        "suppress_rule",
        smallest is None or smallest >= least,
        {"smallest": smallest, "least": least},
    )
    yield compare("classes", evidence.risk.classes, len(sizes))
    yield compare("records_released", evidence.risk.records, release.n_released)
    yield compare("smallest_class", evidence.risk.smallest_class, smallest)
    if evidence.missing.matches == "own_category":
        yield compare("uniques", evidence.risk.uniques, int((sizes == 1).sum()))
    yield Check(
        "class_sizes", all(_bin_agrees(b, sizes) for b in evidence.class_sizes.after)
    )
    steps = evidence.class_sizes.cumulative
    yield Check(
        "cumulative_risk",
        all(
            same(step.after, 1 - share_above(sizes, _least(step.limit))[1])
            for step in steps
        ),
    )


def _bin_agrees(stated: SizeBin, sizes: IntArray) -> bool:
    inside = sizes >= stated.smallest
    if stated.largest is not None:
        inside &= sizes <= stated.largest
    n_classes, n_records = int(inside.sum()), int(sizes[inside].sum())
    return (stated.classes, stated.records) == (n_classes, n_records)


def _least(threshold: float) -> int:
    """Smallest class size whose probability is at most `threshold`."""
    return math.ceil(1 / threshold - 1e-9)


# -- risk ------------------------------------------------------------------------------


def check_risk(release: CountedRelease, unmeasured: dict[str, str]) -> Iterator[Check]:
    """Compare the prosecutor, journalist and marketer figures."""
    evidence, risk = release.evidence, release.evidence.risk
    if not len(release.sizes):
        return
    if evidence.missing.matches != "own_category":
        figures = ("prosecutor", "journalist", "marketer", "uniques")
        unmeasured.update(dict.fromkeys(figures, "missing_matches"))
        return
    prosecutor = attacker(release.sizes, 1.0, risk.threshold)
    yield from _compare_attacker("prosecutor", risk.prosecutor, prosecutor)
    fraction = _fraction(evidence)
    if fraction is None:
        unmeasured.update(dict.fromkeys(("journalist", "marketer"), "population"))
    else:
        journalist = attacker(release.sizes, fraction, risk.threshold)
        yield from _compare_attacker("journalist", risk.journalist, journalist)
        average = Attacker(average=journalist.average)
        yield from _compare_attacker("marketer", risk.marketer, average)


def shown_classes(release: CountedRelease) -> Mapping[tuple[int | None, ...], int]:
    """Records, or people, by what they show of the quasi-identifiers."""
    if release.evidence.unit.kind == "row":
        return release.tally.classes
    classes: Counter[tuple[int | None, ...]] = Counter()
    for shown, people in release.tally.people_classes().items():
        # Quasi-identifiers are the same in all rows of a person.
        classes[next(iter(shown))] += len(people)
    return classes


def check_models(
    release: CountedRelease, unmeasured: dict[str, str]
) -> Iterator[Check]:
    """Compare whether each privacy model holds."""
    if not len(release.sizes):
        return
    is_whole = release.evidence.suppressed_records == 0
    people = None
    if release.evidence.unit.column is not None:
        # In the order of `Tally.people_values`.
        people = [len(each) for each in release.tally.people_classes().values()]
    facts = ReleasedFacts(
        release.sizes,
        {
            name: ReleasedValues(classes, is_whole, people)
            for name, classes in release.values.items()
        },
        _fraction(release.evidence),
        shown_classes(release) if release.counts_who_is_protected else None,
    )
    for model in release.evidence.models:
        params = model.model_extra or {}
        found = judge(model.kind, params, facts)
        attribute = params.get("attribute")
        about = {"attribute": attribute} if isinstance(attribute, str) else {}
        if isinstance(found, str):
            name = f"{model.kind} of {attribute}" if about else model.kind
            is_counted = model.kind == EVENTS_KNOWN and _counts_events(release)
            if not is_counted:
                unmeasured[name] = found
            continue
        figures = {"model": model.kind, "stated": model.satisfied, "measured": found}
        yield Check("model", found == model.satisfied, {**figures, **about})


def _counts_events(release: CountedRelease) -> bool:
    """Whether the share that decides was counted again (see `check_unit`)."""
    events = release.evidence.unit.events
    return events is not None and events.decides.how in _COUNTED


def check_overruled(evidence: Evidence) -> Iterator[Check]:
    """See that every condition that does not hold is overruled, and leading.

    A release that was only compared with Safe Harbor also needs the people of the
    region.
    """
    overruled = {(each.kind, _params(each.model_extra)) for each in evidence.overruled}
    unmet = [each for each in evidence.models if not each.satisfied]
    kinds = {(each.kind, _params(each.model_extra)) for each in unmet}
    if evidence.exceeds_limit:
        limit = {"limit": evidence.thresholds.suppression_limit}
        kinds.add((SUPPRESSION_LIMIT, _params(limit)))
    for kind, params in sorted(kinds):
        yield Check("overruled", (kind, params) in overruled, {"model": kind})
    leading = evidence.warnings[: len(evidence.overruled)]
    yield Check(
        "overruled_warned",
        overruled <= kinds
        and all(
            each.because in warning
            for each, warning in zip(evidence.overruled, leading, strict=False)
        )
        and len(leading) == len(evidence.overruled),
    )
    accepted = evidence.policy.acceptance
    if accepted is not None and accepted.baseline == "safe_harbor":
        knows_people = evidence.risk.population_known not in ("none", _SAMPLED)
        # Where a person overruled what is not met, nothing rests on the comparison.
        has_models = bool(evidence.models) and kinds <= overruled
        yield Check("acceptance_population", knows_people or has_models)


SUPPRESSION_LIMIT = "suppression_limit"
"""Kind under which a person overrules the limit."""

_SAMPLED = "sampling_fraction"


def _params(extra: Mapping[str, Any] | None) -> str:
    """Return parameters as a text that can be compared."""
    return json.dumps(extra or {}, sort_keys=True)


def check_acceptance(
    release: CountedRelease, unmeasured: dict[str, str]
) -> Iterator[Check]:
    """Compare the risk that a discovered policy was accepted for.

    With nothing known of the population, or a share of it, the files determine the
    risk of the policy; that of the baseline takes the original values.
    """
    known, accepted = release.evidence.safe_harbor, release.evidence.policy.acceptance
    by_risk = accepted is not None and accepted.by == "risk"
    if accepted is None or known is None or not by_risk:
        # Risks are compared for a policy that was accepted for it, and for no other.
        if by_risk or known is not None:
            yield Check("acceptance", ok=False)
        return
    risk, limit = known.policy_risk, known.baseline_risk
    if risk is None or limit is None or known.gamma is None:
        yield Check("acceptance", ok=False)
        return
    yield Check(
        "acceptance",
        risk <= limit * (1 - accepted.margin) * (1 + _ROUNDING)
        and same(known.difference, risk - limit)
        and same(accepted.threshold, limit)
        and (accepted.baseline, accepted.gamma) == (known.baseline, known.gamma)
        and accepted.margin == known.margin
        and known.records == _n_protected(release.evidence)
        and known.words == accepted.words,
    )
    unmeasured["risk of the baseline"] = "baseline"
    fraction = _fraction(release.evidence)
    if fraction is None:
        unmeasured["risk of the policy"] = "population"
        return
    sizes = release.sizes.astype(np.float64)
    measured = float((sizes * (fraction / sizes) ** known.gamma).sum())
    yield compare("policy_risk", risk, measured)


def _n_protected(evidence: Evidence) -> int:
    """Records of the input, or people where rows belong to people."""
    people = evidence.unit.people
    return evidence.records if people is None else people


def check_bits(release: CountedRelease) -> Iterator[Check]:
    """Compare the bits of joined neighbours with the mappings."""
    policy = release.evidence.policy
    for name, bits in policy.bits.items():
        if name not in release.mapped:
            yield Check("policy_bits", ok=False, params={"attribute": name})
            continue
        mapped = release.mapped[name]
        runs = Counter(len(run) + 1 for run in bits.split("1"))
        found = Counter(mapped.values.values())
        # Values that are groups of a level stand for any number of leaves.
        if policy.values_at.get(name):
            agrees = found.total() <= runs.total() and mapped.n_values > len(bits)
        else:
            agrees = found <= runs and mapped.n_values == len(bits) + 1
        yield Check("policy_bits", agrees, {"attribute": name})


_ROUNDING = 1e-9
"""Relative: what a sum over records may differ by."""


def _fraction(evidence: Evidence) -> float | None:
    """Records over population; None if the population was counted."""
    known = {"none": 1.0, "sampling_fraction": evidence.risk.sampling_fraction}
    return known.get(evidence.risk.population_known)


def attacker(sizes: IntArray, fraction: float, threshold: float | None) -> Attacker:
    """Figures of an attacker who sees each class enlarged by 1/fraction.

    Parameters
    ----------
    sizes : ndarray of int64, shape (n_classes,), not empty
    fraction : float in (0, 1]
        Sampling fraction; 1 is the prosecutor.
    threshold : float in (0, 1] or None

    References
    ----------
    .. [1] methods.md F.1; with F_j = f_j / fraction both averages of the
       journalist are fraction * J / n.
    """
    n_records = int(sizes.sum())
    at_risk: tuple[int | None, float | None] = (None, None)
    if threshold is not None:
        least = _least(threshold) if fraction == 1 else fraction / threshold - 1e-9
        at_risk = share_above(sizes, least)
    return Attacker(
        highest=fraction / int(sizes.min()),
        average=fraction * len(sizes) / n_records,
        records_at_risk=at_risk[0],
        at_risk=at_risk[1],
    )


def _compare_attacker(
    name: str, stated: Attacker, measured: Attacker
) -> Iterator[Check]:
    for figure in ("highest", "average", "at_risk", "records_at_risk"):
        claim, found = getattr(stated, figure), getattr(measured, figure)
        if claim is not None or found is not None:
            yield compare(f"{name}_{figure}", claim, found)


# -- labels and quality ----------------------------------------------------------------


def check_distributions(release: CountedRelease) -> Iterator[Check]:
    """Compare the records of every stated label."""
    for name, stated in release.evidence.distributions.items():
        if name in release.headers:
            agrees = _distribution_agrees(release, name, stated)
            yield Check("distribution", agrees, {"attribute": name})


def _distribution_agrees(
    release: CountedRelease, name: str, stated: Distribution
) -> bool:
    counts = release.label_counts(name)
    listed = {each.label: each.released for each in stated.labels}
    others = stated.others.released if stated.others else 0
    rest = counts.total() - sum(counts[label] for label in listed)
    return others == rest and all(counts[label] == n for label, n in listed.items())


def check_quality(
    release: CountedRelease, unmeasured: dict[str, str]
) -> Iterator[Check]:
    """Compare the quality measures that the files determine."""
    evidence = release.evidence
    attributes = [e for e in evidence.attributes if e.name in release.headers]
    read = ReadBack(release.tally, attributes, release.mapped, evidence.records)
    if len(events_of(evidence)) > 1:
        # Quality is that of people, by sets of values that only the input tells.
        unmeasured.update(dict.fromkeys(evidence.quality, "original_values"))
        return
    for name, stated in evidence.quality.items():
        measure = MEASURES.get(name)
        can_be_measured = measure is not None and evidence.records > 0
        params = stated.model_extra or {}
        values = measure(read, params) if measure and can_be_measured else None
        if values is None:
            has_no_level = name in LEVEL_MEASURES and read.steps is None
            unmeasured[name] = "no_level" if has_no_level else "original_values"
            continue
        yield from _compare_measure(name, stated, values, read)


def _compare_measure(
    name: str, stated: Measure, values: FloatArray, read: ReadBack
) -> Iterator[Check]:
    aggregate = (stated.model_extra or {}).get("aggregate")
    is_single = not stated.by_attribute and len(values) == 1 and aggregate is None
    total = float(values[0]) if is_single else None
    if isinstance(aggregate, str):
        total = joined(values, read.weights, aggregate)
    if total is not None:
        yield compare("quality", stated.value, total, measure=name)
    names = [each.name for each in read.attributes]
    if len(values) == len(names):
        defined = [n for n, v in zip(names, values, strict=True) if not math.isnan(v)]
        expected = defined if len(names) > 1 else []
        is_whole = list(stated.by_attribute) == expected
        yield Check("quality_attributes", is_whole, {"measure": name})
        for attribute, value in zip(names, values.tolist(), strict=True):
            if attribute in stated.by_attribute:
                claim = stated.by_attribute[attribute]
                where = {"measure": name, "attribute": attribute}
                yield compare("quality_of_attribute", claim, value, **where)


def released_sizes(tally: Tally, n_suppressed: int) -> IntArray:
    """Take the suppressed records out of a tally and return its class sizes."""
    tally.withdraw(n_suppressed)
    return np.sort(tally.sizes())
