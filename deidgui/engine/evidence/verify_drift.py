"""Works out again how far a release has moved from an earlier one."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from deidgui.engine.evidence.checks import Check, compare
from deidgui.engine.evidence.document import ColumnDrift, Drift, Evidence
from deidgui.engine.evidence.folder import ReleaseFolder, read_evidence
from deidgui.engine.evidence.keyed import Identity

_LARGE = 0.25
_TENTH = 0.1
_FEWEST = 5
_BEFORE, _NOW = 0, 1
_HIDDEN = 0.1


def policy_facts(evidence: Evidence) -> list[Any]:
    """All that makes a policy the same: columns, roles, treatment, levels, bits."""
    policy = evidence.policy
    columns = [
        (e.name, e.role, e.treatment, e.released_as, e.level)
        for e in evidence.attributes
    ]
    cells = None if policy.cells is None else [policy.cells.known, policy.cells.k]
    rounds = [
        (each.levels, each.suppress_below, [c.model_dump() for c in each.conditions])
        for each in policy.rounds
    ]
    conditions = [each.model_dump() for each in policy.conditions]
    preparation = [(each.kind, each.words) for each in evidence.preparation]
    rules = (policy.kind, policy.levels, policy.suppress_below, conditions, rounds)
    more = (policy.bits, policy.joined, cells, policy.suppressed, preparation)
    return [columns, rules, more, evidence.missing.matches, evidence.unit.kind]


def digest_of_facts(facts: Any) -> str:
    """SHA-256 of facts as JSON."""
    text = json.dumps(facts, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def print_of(drift: Drift, kind: str) -> str:
    """By what a measured trigger is known again: what was compared, and found."""
    facts: dict[str, Any] = {
        "extract": drift.inputs,
        "policy": drift.policy,
        "people": drift.people,
        "drift": [
            (e.attribute, e.comparable, sorted(e.cells.items()), e.rest)
            for e in drift.columns
        ],
    }
    return digest_of_facts([drift.earlier, kind, facts[kind]])


def check_drift(evidence: Evidence) -> Iterator[Check]:
    """Compare what has moved with both releases' figures, and with the decision."""
    drift = evidence.drift
    if drift is None:
        yield from _check_given_up(evidence)
        return
    inputs = tuple(each.sha256 for each in evidence.inputs)
    yield Check("drift_inputs", drift.inputs == inputs)
    found = digest_of_facts(policy_facts(evidence))
    yield Check("drift_policy", drift.policy == found)
    yield compare("drift_people", drift.people, _people(evidence))
    names = [each.attribute for each in drift.columns]
    yield Check("drift_columns", names == list(evidence.distributions))
    for each in drift.columns:
        about = {"attribute": each.attribute}
        yield Check("drift_cells", _cells_fit(evidence, each, _NOW), about)
        index = None if not each.comparable else _index(each)
        yield compare("drift_index", each.stability, index, **about)
    met = []
    if drift.inputs != drift.inputs_before:
        met.append("extract")
    if drift.policy != drift.policy_before:
        met.append("policy")
    if abs(drift.people - drift.people_before) > _TENTH * drift.people_before:
        met.append("people")
    if not all(e.comparable and (e.stability or 0) <= _LARGE for e in drift.columns):
        met.append("drift")
    yield Check("drift_met", drift.met == tuple(met))
    held = evidence.validity
    judged = {
        (trigger.kind, trigger.digest)
        for period in (held.periods if held is not None else ())
        for trigger in period.after
    }
    decided = all((kind, print_of(drift, kind)) in judged for kind in met)
    yield Check("drift_decided", decided)


def _check_given_up(evidence: Evidence) -> Iterator[Check]:
    """See that who decided after a comparison is not silent about it now.

    Triggers that were measured come from a comparison, which only somebody can end;
    a table that is given up says nothing of that comparison.
    """
    held = evidence.validity
    met = [
        trigger.kind
        for period in (held.periods if held is not None else ())
        for trigger in period.after
        if trigger.digest and trigger.kind != "table"
    ]
    if met:
        yield Check("drift_stated", met[-1] == "comparison")


def check_earlier(
    evidence: Evidence, at_hand: Mapping[str, tuple[Path, Identity]]
) -> Iterator[Check]:
    """Compare what is said of the earlier release with it, where it is given.

    Parameters
    ----------
    at_hand : mapping of str to (Path, Identity)
        The other tables that are given, by their SHA-256.

    Yields
    ------
    Check

    Raises
    ------
    InputError, ConfigError
        As `read_evidence`.
    """
    drift = evidence.drift
    if drift is None or drift.earlier not in at_hand:
        return
    before = read_evidence(ReleaseFolder(at_hand[drift.earlier][0]))
    inputs = tuple(each.sha256 for each in before.inputs)
    yield Check("drift_created", drift.created == before.created)
    yield Check("drift_inputs_before", drift.inputs_before == inputs)
    found = digest_of_facts(policy_facts(before))
    yield Check("drift_policy_before", drift.policy_before == found)
    yield compare("drift_people_before", drift.people_before, _people(before))
    levels = [{e.name: e.level for e in each.attributes} for each in (before, evidence)]
    for each in drift.columns:
        name = each.attribute
        is_there = name in before.distributions
        is_there &= levels[0].get(name) == levels[1].get(name)
        # Of labels that are too rare the records are counted, of another level none.
        fits = (each.comparable or any(each.rest)) == is_there
        if fits and is_there:
            fits = _cells_fit(before, each, _BEFORE)
        yield Check("drift_cells_before", fits, {"attribute": name})


def _people(evidence: Evidence) -> int:
    """Who is released: people, or records where each is one."""
    unit = evidence.unit
    if unit.people is not None:
        return unit.people - (unit.suppressed_people or 0)
    return evidence.records - evidence.suppressed_records


def _cells_fit(evidence: Evidence, stated: ColumnDrift, side: int) -> bool:
    """Whether the counts of one side are those of a release, rare labels joined."""
    known = evidence.distributions.get(stated.attribute)
    if known is None:
        return False
    counts = {each.label: each.released for each in known.labels}
    fits = all(counts.get(name, 0) == n[side] for name, n in stated.cells.items())
    left = sum(n for label, n in counts.items() if label not in stated.cells)
    left += 0 if known.others is None else known.others.released
    if not stated.comparable:
        # Another level, or labels that are too rare: then all records are counted.
        return not stated.cells and (not any(stated.rest) or left == stated.rest[side])
    return fits and _tells(stated) and left == stated.rest[side]


def _tells(stated: ColumnDrift) -> bool:
    """Whether no small count is told, and not too many records are joined."""
    are_large = all(min(pair) >= _FEWEST for pair in stated.cells.values())
    is_large = not stated.cells or not 0 < stated.rest[_BEFORE] < _FEWEST
    pairs = (*stated.cells.values(), stated.rest)
    return (
        are_large
        and is_large
        and all(
            stated.rest[side] <= _HIDDEN * sum(pair[side] for pair in pairs)
            for side in (_BEFORE, _NOW)
        )
    )


def _index(stated: ColumnDrift) -> float:
    pairs = [pair for pair in (*stated.cells.values(), stated.rest) if any(pair)]
    totals = [sum(pair[side] for pair in pairs) for side in (0, 1)]
    if not all(totals):
        return 0.0
    shares = [
        [max(pair[side], 0.5) / totals[side] for pair in pairs] for side in (0, 1)
    ]
    return math.fsum(
        (q - p) * (math.log(q) - math.log(p)) for p, q in zip(*shares, strict=True)
    )
