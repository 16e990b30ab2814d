"""Compares the statements of an evidence with each other.

What the released files do not determine must at least fit what they do determine.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from deidgui.engine.evidence.checks import Check, CountedRelease, linked_names, same
from deidgui.engine.evidence.document import (
    Attacker,
    Attacks,
    Attribute,
    ClassSizes,
    Distribution,
    Evidence,
    RiskFigures,
    RiskStep,
    SimulatedAttack,
    SizeBin,
)
from deidgui.engine.evidence.folder import POLICY, REPORTS
from deidgui.engine.evidence.tally import STAR

LIMITS = (
    *(1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 2e-3, 5e-3),
    *(0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.09),
    *(0.1, 0.125, 0.143, 0.167, 0.2, 0.25, 0.334, 0.5, 1.0),
)
"""Risks at which the cumulative risk is stated."""

MOST_LABELS = 40
"""Labels of a distribution that are listed one by one, at most."""

_TREATMENTS = {
    "quasi_identifier": {"generalized"},
    "sensitive": {"kept"},
    "insensitive": {"kept"},
    "direct_identifier": {"removed", "pseudonym", "mask"},
    None: set[str](),
}
"""What becomes of a column by its role; any may be left out."""


def check_agreement(
    evidence: Evidence, policy: Mapping[str, Any] | None = None
) -> Iterator[Check]:
    """Compare parts of an evidence that must fit each other.

    Parameters
    ----------
    policy : mapping, optional
        Content of ``policy.json``.

    Yields
    ------
    Check
    """
    for place, each in enumerate(evidence.attributes, start=1):
        fits = _attribute_fits(evidence, each, place)
        yield Check("attribute_fits", fits, {"attribute": each.name})
    if policy is not None:
        yield Check("policy_fields", _policy_fields_fit(evidence, policy))
        yield Check("policy_attributes", _policy_attributes_fit(evidence, policy))
    yield Check("files_in_order", _files_in_order(evidence))
    yield Check("inputs_fit", _inputs_fit(evidence))
    yield Check("thresholds_fit", _thresholds_fit(evidence))
    yield Check("population_fits", _population_fits(evidence))
    yield Check("before_fits", _before_fits(evidence))
    yield Check("classes_complete", _classes_complete(evidence))
    yield Check("questions_fit", _questions_fit(evidence))
    yield Check("unit_fits", _unit_fits(evidence))
    yield Check("search_fits", _search_fits(evidence))
    if evidence.attacks is not None:
        yield Check("attacks_fit", _attacks_fit(evidence, evidence.attacks))


# -- columns ---------------------------------------------------------------------------


def _attribute_fits(evidence: Evidence, each: Attribute, place: int) -> bool:
    """Whether place, name, role and treatment of a column fit each other."""
    is_released = each.released_as is not None
    treatments = {*_TREATMENTS[each.role], "left_out"}
    is_quasi = each.treatment == "generalized"
    return (
        each.position == place
        and each.treatment in treatments
        and is_released == (each.treatment not in ("removed", "left_out"))
        and _name_fits(evidence, each, place)
        and (each.confirmed or not each.taken_over)
        and (each.key is not None) == (each.treatment == "pseudonym")
        and each.missing_records <= evidence.records
        and (is_released or not (each.missing_as or each.missing_records))
        and (_levels_fit(evidence, each) if is_quasi else _has_no_levels(each))
        and _lost_fits(evidence, each)
    )


def _lost_fits(evidence: Evidence, each: Attribute) -> bool:
    """Whether values can be lost: some records are suppressed, and others are not."""
    if not each.lost:
        return not each.is_constant
    return (
        each.mapping is not None
        and each.lost < (each.leaves or 0)
        and 0 < evidence.suppressed_records < evidence.records
    )


def _name_fits(evidence: Evidence, each: Attribute, place: int) -> bool:
    """Whether a released column has its own name, any other that of its place."""
    if each.released_as is None:
        return each.name.strip("()") == f"column {place}"
    if evidence.spreadsheet_safe:
        return each.released_as.replace("'", "") == each.name.replace("'", "")
    return each.released_as == each.name


def _has_no_levels(each: Attribute) -> bool:
    facts = (each.level, each.height, each.leaves, each.mapping, each.weight)
    return not any(fact is not None for fact in facts)


def _levels_fit(evidence: Evidence, each: Attribute) -> bool:
    if each.height is None or each.leaves is None or each.mapping is None:
        return False
    if each.level is None:
        return bool(evidence.policy.rounds or evidence.policy.bits)
    is_kept, is_removed = each.words == "kept in full", each.words == "removed"
    if evidence.records == evidence.suppressed_records:
        return each.level <= each.height  # no words: nothing is released
    return (
        each.level <= each.height
        # Level 0 releases values as they are, and no other level does. Any may release
        # nothing: masked from the right, short values are * before the last level.
        and (is_kept or is_removed if each.level == 0 else not is_kept)
    )


_POLICY = (
    *("format", "version", "kind", "levels", "withhold_below", "conditions"),
    *("withheld_because", "withheld", "sentence", "attributes"),
)
_OF_ATTRIBUTE = (
    *("name", "effect", "words", "level", "height", "values", "rule", "labels"),
    "mapping",
)
_OF_JOINED = ("bits", "values_at", "joined")


def _policy_fields_fit(evidence: Evidence, policy: Mapping[str, Any]) -> bool:
    """Whether ``policy.json`` has the fields of its kind, and no others."""
    stated = evidence.policy
    kinds = {"local_recoding"} if stated.rounds else {"lattice"}
    fields = {*_POLICY}
    if stated.cells is not None:
        kinds = {"blocks"}
        fields.add("cells")
    if stated.bits:
        kinds = {"interval", "subtree"}
    if stated.rounds:
        fields.add("rounds")
    if stated.acceptance is not None:
        fields.add("acceptance")
    own = {*_OF_ATTRIBUTE, *(_OF_JOINED if stated.bits else ())}
    attributes = policy.get("attributes")
    return (
        stated.kind in kinds
        and policy.keys() == fields
        and isinstance(attributes, list)
        and all(
            isinstance(each, dict)
            and own <= each.keys() <= {*own, *(["value_names"] if stated.bits else [])}
            for each in attributes
        )
    )


def _policy_attributes_fit(evidence: Evidence, policy: Mapping[str, Any]) -> bool:
    """Whether ``policy.json`` says the same of every quasi-identifier."""
    known = policy.get("attributes")
    stated = [each for each in evidence.attributes if each.treatment == "generalized"]
    if not isinstance(known, list) or len(known) != len(stated):
        return False
    if (policy.get("format"), policy.get("version")) != ("deidgui-policy", 1):
        return False
    has_rounds = bool(evidence.policy.rounds)
    return all(
        isinstance(each, dict)
        and (each.get("name"), each.get("height"), each.get("values"))
        == (attribute.name, attribute.height, attribute.leaves)
        and each.get("mapping") == attribute.mapping
        and (has_rounds or each.get("words") == attribute.words)
        and attribute.words.startswith(str(each.get("words")))
        and each.get("level") == attribute.level
        and each.get("effect") == _effect(str(each.get("words")))
        and _labels_fit(attribute, each.get("labels"))
        for each, attribute in zip(known, stated, strict=True)
    )


def _labels_fit(attribute: Attribute, labels: object) -> bool:
    """Whether values that are lost are not among those released."""
    if not attribute.lost:
        return True
    if not isinstance(labels, list):
        return False
    is_constant = len(labels) == 1
    return (
        len(labels) + attribute.lost <= (attribute.leaves or 0)
        and attribute.is_constant == is_constant
    )


def _effect(words: str) -> str:
    return {"kept in full": "kept", "removed": "removed"}.get(words, "grouped")


def attributes_of(policy: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Attributes of ``policy.json``, whatever else stands in their place."""
    stated = policy.get("attributes")
    found = stated if isinstance(stated, list) else []
    return [each for each in found if isinstance(each, dict)]


def check_policy_labels(
    release: CountedRelease, policy: Mapping[str, Any]
) -> Iterator[Check]:
    """Compare the labels of ``policy.json`` with those of the table and mappings."""
    for each in attributes_of(policy):
        name = each.get("name")
        if not isinstance(name, str) or name not in release.headers:
            continue
        counts = release.label_counts(name)
        released = {label for label, count in counts.items() if count}
        released |= release.tally.labels_without_events(release.headers[name])
        cells = release.evidence.policy.cells
        has_cells = cells is not None and name in cells.by_attribute
        is_mapped = STAR in release.mapped[name].values
        if STAR in released and not (is_mapped or has_cells):
            yield Check("labels_in_mapping", ok=False, params={"attribute": name})
        labels = each.get("labels")
        yield Check(
            "policy_labels",
            isinstance(labels, list)
            and len(labels) == len(released)
            and set(map(str, labels)) == released,
            {"attribute": name},
        )
        stated = release.evidence.distributions.get(name)
        if stated is not None and isinstance(labels, list):
            fits = _in_order([one.label for one in stated.labels], labels)
            yield Check("labels_in_order", fits, {"attribute": name})


def _in_order(some: Sequence[str], all_: Sequence[Any]) -> bool:
    """Whether texts are among others, in the same order."""
    left = iter(all_)
    return all(any(text == other for other in left) for text in some)


# -- files, inputs, thresholds ---------------------------------------------------------


def _files_in_order(evidence: Evidence) -> bool:
    """Policy, mappings in the order of the columns, reports: each once."""
    mappings = [each.mapping for each in evidence.attributes if each.mapping]
    paths = [each.path for each in evidence.files]
    return paths == [POLICY, *mappings, *REPORTS]


def _inputs_fit(evidence: Evidence) -> bool:
    names = [each.name for each in evidence.inputs]
    linked = linked_names(evidence)
    n_columns = sum(e.columns for e in evidence.inputs[: len(linked)])
    return (
        names in (linked, [*linked, "population"])
        # The key is in all of several tables.
        and n_columns - (len(linked) - 1) == len(evidence.attributes)
        and all(each.member is None or each.file for each in evidence.inputs)
    )


def _protected(evidence: Evidence) -> tuple[int, int]:
    """Records and suppressed ones; people where rows belong to people."""
    unit = evidence.unit
    if unit.people is None or unit.suppressed_people is None:
        return evidence.records, evidence.suppressed_records
    return unit.people, unit.suppressed_people


def _thresholds_fit(evidence: Evidence) -> bool:
    return evidence.thresholds.at_risk == evidence.risk.threshold


def _population_fits(evidence: Evidence) -> bool:
    """Whether what is known of the population fits the inputs and the figures."""
    risk = evidence.risk
    is_sampled = risk.population_known == "sampling_fraction"
    is_counted = risk.population_known not in ("none", "sampling_fraction")
    has_file = any(each.name == "population" for each in evidence.inputs)
    if is_counted and risk.population is None and not has_file:
        return False
    return (
        is_sampled == (risk.sampling_fraction is not None)
        and (is_counted or risk.population is None)
        and (not risk.population_files or is_counted)
        and (not has_file or not risk.population_files)
        and (is_counted or not has_file)
        and risk.marketer.highest is None
        and risk.marketer.at_risk is None
        and risk.marketer.records_at_risk is None
        and _at_risk_fits(risk.journalist, risk.records, risk.threshold)
    )


def _questions_fit(evidence: Evidence) -> bool:
    released = {each.name for each in evidence.attributes if each.released_as}
    kinds = (
        *("direct", "quasi", "identifier", "text"),
        *("unique", "alone", "disclosed", "rows"),
    )
    # The number of people is asked about although it may be left out.
    every = {each.name for each in evidence.attributes}
    is_key = evidence.unit.kind == "key"
    about = {
        "people": set() if is_key else every,
        "spelling": every if is_key else released,
        **dict.fromkeys(kinds, released),
    }
    return all(
        each.column in about.get(each.kind, ()) and each.words
        for each in evidence.questions
    )


def _unit_fits(evidence: Evidence) -> bool:
    """Whether there are people exactly where rows belong to people."""
    unit = evidence.unit
    names = [each.name for each in evidence.attributes if each.mapping]
    counts = (unit.people, unit.suppressed_people)
    if unit.kind == "row":
        return unit == type(unit)(kind="row") and evidence.link is None
    return (
        None not in counts
        and (unit.people or 0) >= (unit.suppressed_people or 0)
        and (unit.people or 0)
        <= evidence.records
        + (evidence.link.people_without_events if evidence.link else 0)
        and unit.varying == tuple(each for each in names if each in unit.varying)
        and all((e.n_at_risk or 0) <= (unit.people or 0) for e in unit.rows_known)
        and [each.known for each in unit.rows_known]
        == ["one", "two", "all", "all_and_number"][: len(unit.rows_known)]
        and _events_fit(evidence)
    )


def _events_fit(evidence: Evidence) -> bool:
    """Whether people at risk are stated where that is a condition, and as it says.

    Who knows as much or more finds as many or more, up to chance.
    """
    unit = evidence.unit
    asked = [each for each in evidence.models if each.kind == "events_known"]
    if unit.events is None:
        return not asked or unit.people == unit.suppressed_people
    if len(asked) != 1:
        return False
    less, more = unit.events.decides, unit.events.by_released
    limit = (asked[0].model_extra or {}).get("limit")
    return (
        bool(unit.varying)
        and isinstance(limit, int | float)
        and asked[0].satisfied == (less.share <= limit)
        and (asked[0].model_extra or {}).get("size") == unit.events.size
        and all(e.low <= e.share <= e.high for e in (less, more))
        and less.low <= more.high + 1e-9
        and unit.events.people == (unit.people or 0) - (unit.suppressed_people or 0)
    )


def _search_fits(evidence: Evidence) -> bool:
    search = evidence.search
    removed = {e.name for e in evidence.attributes if e.words == "removed"}
    is_whole = search.nodes is None or (search.checked or 0) <= search.nodes
    return (
        is_whole
        and (evidence.policy.bits != {} or set(search.removed) <= removed)
        and search.rounds == max(1, len(evidence.policy.rounds))
        and (search.complete or not search.is_optimum)
    )


# -- the input -------------------------------------------------------------------------


def _before_fits(evidence: Evidence) -> bool:
    """Whether the figures of the input fit each other, and its size."""
    before, sizes = evidence.risk.before, evidence.class_sizes
    n, _suppressed = _protected(evidence)
    is_own = evidence.missing.matches == "own_category"
    return (
        before.records == n
        and before.classes == sum(each.classes for each in sizes.before)
        and before.records == sum(each.records for each in sizes.before)
        and all(map(_bin_is_possible, sizes.before))
        and before.population is None
        and _smallest_fits(before, sizes.before, is_own)
        and _attackers_fit(evidence, before, is_own)
        and _steps_fit(sizes, before.records)
    )


def _bin_is_possible(each: SizeBin) -> bool:
    least = each.classes * each.smallest
    most = math.inf if each.largest is None else each.classes * each.largest
    return least <= each.records <= (most if each.classes else 0)


def _smallest_fits(figures: RiskFigures, bins: Sequence[SizeBin], is_own: bool) -> bool:
    first = next((each for each in bins if each.classes), None)
    smallest = figures.smallest_class
    if first is None or smallest is None:
        return first is None and smallest is None and not figures.uniques
    return (
        first.smallest <= smallest <= (first.largest or math.inf)
        and figures.uniques <= sum(each.classes for each in bins)
        and (not is_own or (figures.uniques > 0) == (smallest == 1))
        and (not is_own or figures.uniques <= first.classes)
    )


def _attackers_fit(evidence: Evidence, figures: RiskFigures, is_own: bool) -> bool:
    threshold = evidence.risk.threshold
    fraction = {"none": 1.0, "sampling_fraction": evidence.risk.sampling_fraction}
    shares = [(figures.prosecutor, 1.0)]
    known = fraction.get(evidence.risk.population_known)
    if known is not None:
        shares.append((figures.journalist, known))
    own = all(_attacker_fits(figures, a, f) for a, f in shares) if is_own else True
    return (
        own
        and (known is None or not is_own or _marketer_fits(figures, known))
        and figures.marketer.highest is None
        and figures.marketer.records_at_risk is None
        and figures.marketer.at_risk is None
        and all(
            _at_risk_fits(attacker, figures.records, threshold)
            for attacker in (figures.prosecutor, figures.journalist)
        )
    )


def _attacker_fits(figures: RiskFigures, stated: Attacker, fraction: float) -> bool:
    if figures.smallest_class is None:
        return stated.highest is None and stated.average is None
    average = fraction * figures.classes / figures.records
    highest = fraction / figures.smallest_class
    return same(stated.highest, highest) and same(stated.average, average)


def _marketer_fits(figures: RiskFigures, fraction: float) -> bool:
    if not figures.records:
        return figures.marketer.average is None
    average = fraction * figures.classes / figures.records
    return same(figures.marketer.average, average)


def _at_risk_fits(stated: Attacker, n: int, threshold: float | None) -> bool:
    if stated.at_risk is None or stated.records_at_risk is None:
        return stated.at_risk is None and stated.records_at_risk is None
    return (
        threshold is not None
        and n > 0
        and same(stated.at_risk, stated.records_at_risk / n)
        # A threshold that the highest risk does not reach puts nobody at risk.
        and (stated.highest is None or stated.highest > threshold - 1e-9)
        == (stated.records_at_risk > 0 or _is_at(stated.highest, threshold))
    )


def _is_at(highest: float | None, threshold: float) -> bool:
    return highest is not None and abs(highest - threshold) <= 1e-9


def _steps_fit(sizes: ClassSizes, n: int) -> bool:
    """Whether the cumulative risk of the input fits the bands of its classes."""
    shown = [each.before for each in sizes.cumulative if each.before is not None]
    return all(a <= b for a, b in pairwise(shown)) and all(
        _step_fits(each, sizes.before, n)
        for each in sizes.cumulative
        if each.before is not None
    )


def _step_fits(step: RiskStep, bins: Sequence[SizeBin], n: int) -> bool:
    least = math.ceil(1 / step.limit - 1e-9)
    inside = [each for each in bins if each.smallest >= least]
    cut = [e for e in bins if e.smallest < least <= (e.largest or math.inf)]
    low = sum(each.records for each in inside)
    high = low + sum(each.records for each in cut)
    share = (step.before or 0.0) * n
    return low - 1e-6 <= share <= high + 1e-6 if n else step.before == 1


def _classes_complete(evidence: Evidence) -> bool:
    """Whether the bands of class sizes have no gaps and the steps are all there."""
    sizes = evidence.class_sizes
    ends = [
        [(b.smallest, b.largest) for b in side] for side in (sizes.before, sizes.after)
    ]
    bands = ends[0]
    few = bands[0][1] if bands else None
    return (
        ends[0] == ends[1]
        and bool(bands)
        and bands[0][0] == 1
        and bands[-1][1] is None
        and all(a[1] is not None and a[1] + 1 == b[0] for a, b in pairwise(bands))
        and tuple(each.limit for each in sizes.cumulative) == LIMITS
        and all(
            (step.before is not None)
            == (step.limit == 1 or step.limit * ((few or 0) + 1) < 1 + 1e-9)
            for step in sizes.cumulative
        )
    )


# -- suppressed records by label -------------------------------------------------------


def check_suppressed(release: CountedRelease) -> Iterator[Check]:
    """Compare the suppressed records of every label with their total."""
    evidence = release.evidence
    names = [each.name for each in evidence.attributes if each.mapping]
    yield Check("distributions_complete", list(evidence.distributions) == names)
    few = {each.fewer_than for each in evidence.distributions.values()}
    bands = evidence.class_sizes.before
    yield Check("few_is_one", len(few) <= 1 and _few_of(bands) in (*few, None))
    for name, stated in evidence.distributions.items():
        if name not in release.headers:
            continue
        counts = release.label_counts(name)
        n_released = sum(count > 0 for count in counts.values())
        alone = release.tally.labels_without_events(release.headers[name])
        has_more = any(not counts[label] for label in alone)
        fits = _suppressed_fit(stated, evidence.suppressed_records)
        named = len(stated.labels)
        others = stated.others.label if stated.others else "0"
        is_whole = (
            _has_others(release, name, has_more or n_released > named)
            == (stated.others is not None)
            and named == min(n_released, MOST_LABELS)
            and others == str(n_released - named)
            and all(each.released for each in stated.labels)
        )
        yield Check("suppressed_of_labels", fits and is_whole, {"attribute": name})


def _has_others(release: CountedRelease, name: str, is_long: bool) -> bool:
    """Whether there are labels that a distribution does not list."""
    mapped, stated = release.mapped[name], release.evidence.distributions[name]
    if release.evidence.policy.rounds:
        return stated.others is not None  # rounds say it each for itself
    return is_long or mapped.n_values > sum(mapped.values.values())


def _few_of(bands: Sequence[SizeBin]) -> int | None:
    largest = bands[0].largest if bands else None
    return None if largest is None else largest + 1


def _suppressed_fit(stated: Distribution, total: int) -> bool:
    """Whether the numbers add up, and none is told that is small."""
    cells = [each.suppressed for each in stated.labels]
    if stated.others is not None:
        cells.append(stated.others.suppressed)
    shown = [cell for cell in cells if cell is not None]
    hidden = total - sum(shown)
    if not total:
        return not any(cells)
    if len(shown) == len(cells):
        return hidden == 0 and min(shown, default=0) >= stated.fewer_than
    return hidden >= 0 and all(cell >= stated.fewer_than for cell in shown)


# -- simulated attacks -----------------------------------------------------------------


_FAR = 6.0
"""Standard errors by which no simulation is off: once in a billion."""


def _attacks_fit(evidence: Evidence, attacks: Attacks) -> bool:
    """Whether figures of attacks fit each other, and the classes where these decide.

    Of whom everything is known, an attacker finds the right one of each class: the
    expected share is that of the classes among all people.
    """
    for each in attacks.simulated:
        if not (_simulation_fits(each) and _expectation_fits(evidence, attacks, each)):
            return False
    return True


def _simulation_fits(each: SimulatedAttack) -> bool:
    """Whether a share is a number of runs, in its interval, near its expectation."""
    if each.runs is None or each.success is None:
        return True
    assert each.low is not None
    assert each.high is not None
    hits = each.success * each.runs
    is_whole = math.isclose(hits, round(hits), abs_tol=1e-6)
    is_inside = each.low <= each.success <= each.high
    if each.expected is None:
        return is_whole and is_inside
    error = math.sqrt(each.expected * (1 - each.expected) / each.runs)
    is_near = abs(each.success - each.expected) <= _FAR * error + 1e-9
    return is_whole and is_inside and is_near


def _expectation_fits(
    evidence: Evidence, attacks: Attacks, each: SimulatedAttack
) -> bool:
    if each.variant != "all_known" or evidence.policy.rounds:
        return True
    if evidence.unit.kind == "key" and evidence.unit.people is None:
        return True
    n = evidence.unit.people if evidence.unit.kind == "key" else evidence.records
    assert n is not None
    if attacks.people is not None:
        # Also people who are not in the release were looked for.
        if attacks.people < n:
            return False
        n = attacks.people
    share = attacks.fraction * evidence.risk.classes / max(n, 1)
    return each.expected is not None and same(each.expected, share)
