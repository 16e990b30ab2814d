"""Is a discovered policy still acceptable, on this file and among these people?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

import numpy as np

from deidgui.app.charts.formats import risk_texts
from deidgui.app.classes import Classes, population_words
from deidgui.app.policies.acceptance import (
    BASELINES,
    Accepted,
    PerRecord,
    lacks_population,
)
from deidgui.app.policies.alternatives.basis import Basis, Sums, compute_basis
from deidgui.app.policies.alternatives.space import doubtful_elements, lowest_levels
from deidgui.app.policies.alternatives.storing import bit_policy_from
from deidgui.app.policies.candidate import Figures
from deidgui.app.policies.decisions import weights_of
from deidgui.app.policies.figures import guiding_figures
from deidgui.app.project import Acceptance, Chosen, Project
from deidgui.engine.arrays import Int32Array
from deidgui.engine.discover.bit_policy import BitPolicy
from deidgui.engine.discover.riskier import SAME, riskier_records
from deidgui.engine.discover.rules import ROUNDING
from deidgui.engine.discover.wording import as_policy
from deidgui.engine.policy.policy import Policy
from deidgui.errors import ConfigError, DeidError, InfeasibleError
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor
from deidgui.text import Text, tr

BY_ELEMENT: Mapping[str, Text] = {
    "age": "ages of 90 and over are one",
    "zip": "three digits, 000 where few people live (census of {census})",
    "date": "the year only",
}
"""What Safe Harbor does to an element, if it does anything."""


def judge(
    project: Project,
    chosen: Chosen,
    classes: Classes,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> Accepted:
    """See what the acceptance of a chosen policy of joined neighbours is worth.

    Its risk and that of its baseline are computed again, on the population of the
    project. Whether privacy models hold is not looked at here.

    Parameters
    ----------
    chosen : Chosen
        Of kind "interval" or "subtree".
    classes : Classes
        Of the same decisions.

    Returns
    -------
    Accepted
        Its problems have the codes ``chosen_outside_limits``,
        ``acceptance_baseline_gone``,
        ``acceptance_baseline_changed`` (stated, found), ``acceptance_risk_higher``
        (risk, threshold), or those of `compute_basis`.

    Raises
    ------
    ConfigError
        Code ``chosen_policy_does_not_fit``.
    ResourceError
        As `compute_basis`.
    """
    acceptance, n_records = chosen.acceptance, classes.class_table.n_records
    assert acceptance is not None, "the project's schema asks for one"
    _, policy = bit_policy_from(chosen, project, classes)
    by_person = classes.class_table.units is not None
    lowest = lowest_levels(project, classes.class_table)
    if any(chosen.levels.get(name, 0) < level for name, level in lowest.items()):
        # PRIVACY: as for policies of the lattice.
        outside = InfeasibleError("chosen_outside_limits")
        return Accepted(acceptance, n_records, problems=(outside,), by_person=by_person)
    if acceptance.by == "models":
        return Accepted(acceptance, n_records, by_person=by_person)
    words, is_modelled = population_words(classes)
    unknown = Accepted(
        acceptance,
        n_records,
        words,
        is_modelled,
        _about(classes),
        lacks_population=lacks_population(project, chosen),
        by_person=by_person,
    )
    discover = project.discover
    if acceptance.baseline == "policy" and discover.policy is None:
        gone = ConfigError("acceptance_baseline_gone")
        return replace(unknown, problems=(gone,))
    as_then = discover.but(
        baseline=acceptance.baseline,
        policy=discover.policy if acceptance.baseline == "policy" else None,
        typed=acceptance.threshold if acceptance.baseline == "typed" else None,
        margin=acceptance.margin,
        gamma=acceptance.gamma,
        mode=chosen.kind,
        levels=chosen.levels,
        preferences=(),
    )
    try:
        basis = compute_basis(project.but(discover=as_then), classes, monitor=monitor)
    except ConfigError as problem:
        several = tuple(getattr(problem, "problems", (problem,)))
        return replace(unknown, problems=several)
    doubtful = acceptance.baseline == "safe_harbor" and doubtful_elements(project)
    return replace(_compared(unknown, basis, policy), doubtful=doubtful or ())


def _compared(unknown: Accepted, basis: Basis, bits: BitPolicy) -> Accepted:
    """Compare the risk of a policy with that of the baseline."""
    baseline, rule, seen = basis.threshold, basis.baseline, basis.coverage
    assert baseline is not None, "only models have no threshold"
    policy = as_policy(bits, "chosen")
    groups = [each.groups for each in policy.maps]
    sums, holding = basis.cells.sums(groups), basis.n_holding([policy])
    return replace(
        unknown,
        risk=sums.counted,
        baseline_risk=baseline,
        n_left_out=seen.n_records_left_out,
        n_possible=seen.n_records_possible,
        cautious=(sums.cautious, rule.sums.cautious if rule is not None else None),
        n_holding=None if holding is None else holding[0],
        raw_risk=basis.raw_risk,
        per_record=_per_record(basis, groups),
        rule=_rule_words(basis),
        changes_nothing=rule is not None and rule.is_identity,
        problems=_problems(unknown.acceptance, _sums(basis, sums)),
    )


def _about(classes: Classes) -> Literal["records", "unnamed", "named"]:
    if classes.class_table.population is None:
        return "records"
    return "unnamed" if classes.population is None else "named"


class JudgedAlternative(NamedTuple):
    """A stored alternative with the figures that policies are compared by."""

    chosen: Chosen
    policy: Policy
    accepted: Accepted
    figures: Figures


def judged_alternatives(
    project: Project,
    classes: Classes,
    stored: Sequence[Chosen],
    *,
    monitor: Monitor = NULL_MONITOR,
) -> tuple[JudgedAlternative, ...]:
    """Judge and measure stored alternatives; those that do not fit are left out.

    Parameters
    ----------
    stored : sequence of Chosen
        Of kind "interval" or "subtree".
    """
    found = []
    for place, each in enumerate(stored):
        step = SubMonitor(monitor, place / len(stored), (place + 1) / len(stored))
        try:
            _, bits = bit_policy_from(each, project, classes)
            accepted = judge(project, each, classes, monitor=step)
        except ConfigError:
            # Chosen for values or a population of earlier decisions.
            continue
        policy, guiding = as_policy(bits, "chosen"), project.quality.measure
        known = guiding_figures(
            policy, classes.class_table, guiding, weights_of(project)
        )
        figures = replace(known, population_risk=accepted.risk)
        found.append(JudgedAlternative(each, policy, accepted, figures))
    return tuple(found)


def _sums(basis: Basis, own: Sums) -> tuple[tuple[float, float], ...]:
    """Sums of the policy and of the baseline: all that are compared."""
    assert basis.threshold is not None
    compared = (own.counted, basis.threshold)
    if basis.baseline is None:
        return (compared,)
    # PRIVACY: those who could be several must not pay for those who are known.
    return compared, (own.known_alone, basis.baseline.sums.known_alone)


def _problems(
    acceptance: Acceptance, sums: Sequence[tuple[float, float]]
) -> tuple[DeidError, ...]:
    stated, baseline = acceptance.threshold, sums[0][1]
    assert stated is not None
    found: list[DeidError] = []
    if abs(baseline - stated) > SAME * stated:
        before, now = risk_texts(stated, baseline)
        found.append(
            InfeasibleError(
                "acceptance_baseline_changed",
                baseline=BASELINES[acceptance.baseline or "typed"],
                stated=before,
                found=now,
            )
        )
    for risk, limit in sums:
        allowed = limit * (1 - acceptance.margin)
        if risk > allowed * (1 + ROUNDING):
            own, text = risk_texts(risk, allowed)
            params = {"risk": own, "threshold": text}
            found.append(InfeasibleError("acceptance_risk_higher", **params))
            break
    return tuple(found)


def _per_record(basis: Basis, groups: Sequence[Int32Array]) -> PerRecord | None:
    """Risk record by record under the policy and under its baseline."""
    baseline, records = basis.baseline, basis.cells.every.records
    if baseline is None or baseline.n_suppressed:
        return None
    own = basis.cells.record_risks(groups)
    rule = basis.cells.record_risks(baseline.groups)
    is_same = np.isclose(own, rule, rtol=SAME, atol=0.0)
    found = riskier_records(basis.cells.every, own, rule)
    return PerRecord(
        float(own.max()),
        float(rule.max()),
        found.n_records,
        int(records[~is_same & (own < rule)].sum()),
        found.total,
        found.most,
    )


def _rule_words(basis: Basis) -> tuple[tuple[str, str], ...]:
    """What the baseline does to each attribute; names no value of the file."""
    if basis.baseline is None:
        return ()
    elements = {}
    if basis.baseline.kind == "safe_harbor":
        elements = basis.discover.elements
    found = []
    parts = zip(basis.leaf_domains, basis.baseline.labels, strict=True)
    for domain, every in parts:
        name, in_file = domain.attribute, np.flatnonzero(domain.is_in_file).tolist()
        labels = [every[leaf] for leaf in in_file]
        n_groups, n_values = len(set(labels)), len(labels)
        kind = elements[name].kind if name in elements else ""
        text = tr("kept in full")
        if n_groups == 1 < n_values:
            text = tr("removed")
        elif n_groups < n_values:
            text = tr(
                "{n} of {all:value|values} distinguished", n=n_groups, all=n_values
            )
            if kind in BY_ELEMENT:
                said = tr(BY_ELEMENT[kind], census=str(basis.discover.census))
                text = f"{said}: {text}"
        elif kind == "other":
            text = tr("kept in full: no identifier of the rule")
        found.append((name, text))
    return tuple(found)
