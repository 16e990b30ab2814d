"""Every risk and quality figure of one policy, before and after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import isnan

import numpy as np

from deidgui.app.classes import Classes
from deidgui.app.demands import check_readable
from deidgui.app.policies.acceptance import Accepted
from deidgui.app.policies.decisions import (
    limit_of,
    weights_of,
)
from deidgui.app.policies.figures import satisfied
from deidgui.app.policies.lattice.policies import LatticePolicies
from deidgui.app.policies.source import source_of
from deidgui.app.population.known import People
from deidgui.app.project import Project
from deidgui.engine.arrays import FloatArray, Int32Array, IntArray
from deidgui.engine.data.class_table import ClassTable, classes_at
from deidgui.engine.policy.figures import release_figures
from deidgui.engine.policy.policy import Policy
from deidgui.engine.policy.released import ReleasedClasses, released_classes
from deidgui.engine.policy.words import sentence
from deidgui.engine.privacy import PrivacyModel
from deidgui.engine.privacy.suppression import released
from deidgui.engine.quality import QUALITY_MEASURES, QualityMeasure, scaled_weights
from deidgui.engine.risk import RiskFigures, match_sizes, measure_risk
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor


@dataclass(frozen=True)
class ModelVerdict:
    """Whether a policy meets one privacy model."""

    model: PrivacyModel
    satisfied: bool


@dataclass(frozen=True)
class QualityFigure:
    """One quality measure of a policy.

    Parameters
    ----------
    measure : QualityMeasure
    value : float or None
        None where it is not defined: a level of groups that are none.
    by_attribute : mapping of str to float
        Empty for measures of the whole table; without those it is not defined for.
    """

    measure: QualityMeasure
    value: float | None
    by_attribute: Mapping[str, float]


@dataclass(frozen=True, repr=False, eq=False)
class Measured:
    """Figures of the chosen or best policy, and of the data before.

    Parameters
    ----------
    policy : Policy or None
        None if none is chosen and none was found.
    is_optimum : bool
        Whether it is the best one that the search found.
    sizes_before, sizes_after : ndarray of int64, shape (n_classes,)
        Class sizes, suppressed records excluded.
    limit_records : int
        Most records that may be suppressed.
    n_later : int
        Records that a later round than the first releases.
    accepted : Accepted or None
        Of a discovered policy: why it is acceptable, and whether it still is.
    people : People or None
        What is known about the population, and how.
    """

    policy: Policy | None
    is_optimum: bool
    before: RiskFigures
    after: RiskFigures | None
    sizes_before: IntArray
    sizes_after: IntArray
    verdicts: tuple[ModelVerdict, ...]
    quality: tuple[QualityFigure, ...]
    n_records: int
    n_suppressed: int
    limit_records: int
    n_later: int = 0
    accepted: Accepted | None = None
    people: People | None = None

    @property
    def chosen_policy(self) -> Policy:
        """The policy, where there must be one."""
        assert self.policy is not None
        return self.policy

    @property
    def meets_thresholds(self) -> bool:
        """Whether all models hold and no more is suppressed than allowed.

        A policy that was accepted by its risk meets the threshold of the risk instead.
        """
        if self.policy is None:
            return False
        if self.is_accepted_by_risk:
            return self.accepted is not None and self.accepted.is_met
        is_acceptable = self.accepted is None or self.accepted.is_met
        models_hold = all(verdict.satisfied for verdict in self.verdicts)
        return is_acceptable and models_hold and self.n_suppressed <= self.limit_records

    @property
    def is_accepted_by_risk(self) -> bool:
        """Whether the policy need not meet the privacy models."""
        return self.accepted is not None and self.accepted.acceptance.by == "risk"

    @property
    def words(self) -> str:
        """The policy in one line."""
        if self.policy is None:
            return ""
        return sentence(self.policy, self.n_suppressed, self.n_records, self.n_later)


def policy_of(
    project: Project, classes: Classes, found: LatticePolicies | None
) -> tuple[Policy | None, bool]:
    """Return the chosen policy, else the best one found, and whether it is best.

    Raises
    ------
    ConfigError
        If the chosen policy does not fit the quasi-identifiers any more.
    """
    best = found.optimum if found is not None else None
    if project.chosen is not None:
        policy = source_of(project.chosen).policy_of(project.chosen, project, classes)
        if best is None or found is None:
            return policy, False
        return policy, found.row_of(project.chosen) == best
    if best is None or found is None:
        return None, False
    return found.policy(best), True


def measure_project(
    project: Project,
    classes: Classes,
    found: LatticePolicies | None,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> Measured:
    """Measure the data as they are, and under the chosen or best policy.

    Parameters
    ----------
    found : LatticePolicies or None
        Of the same decisions, if a search has been made.

    Raises
    ------
    ConfigError
        If the chosen policy does not fit the quasi-identifiers any more (for joined
        neighbours code ``chosen_policy_does_not_fit``), or a model cannot be read.
    InputError
        Code ``population_lacks_records`` if there are more records than people
        alike.
    """
    monitor.report(0.0, "measure")
    check_readable(project)
    class_table = classes.class_table
    raw = class_table.counts
    before = _risk(
        project,
        classes,
        raw,
        _matches(project, classes, class_table.leaves, raw, None),
        _people_before(class_table),
    )
    assert before is not None, "a class table has records"
    policy, is_best = policy_of(project, classes, found)
    nothing = Measured(
        policy=None,
        is_optimum=False,
        before=before,
        after=None,
        sizes_before=raw,
        sizes_after=np.empty(0, dtype=np.int64),
        verdicts=(),
        quality=(),
        n_records=class_table.n_records,
        n_suppressed=0,
        limit_records=limit_of(project, class_table.n_records),
        people=classes.people,
    )
    if policy is None:
        return nothing
    monitor.report(0.3, "measure")
    released = released_classes(class_table, policy)
    kept = released.kept_classes(class_table)
    matches = _matches(project, classes, kept.groups, kept.counts, policy)
    monitor.report(0.6, "measure")
    accepted, chosen = None, project.chosen
    if chosen is not None:
        step = SubMonitor(monitor, 0.6, 1.0)
        accepted = source_of(chosen).judge(project, chosen, classes, monitor=step)
    return replace(
        nothing,
        policy=policy,
        is_optimum=is_best,
        after=_risk(project, classes, kept.counts, matches, released.people()),
        sizes_after=kept.counts,
        verdicts=tuple(
            ModelVerdict(model, satisfied(model, released, kept))
            for model in project.privacy.models
        ),
        quality=quality_figures(project, class_table, released),
        n_suppressed=released.n_suppressed,
        n_later=released.n_later,
        accepted=accepted,
    )


def n_at_risk(models: Sequence[PrivacyModel], class_table: ClassTable) -> int:
    """Count the records that models would suppress if nothing were generalized.

    Parameters
    ----------
    models : sequence of PrivacyModel
        None of them lacks anything of the table.

    Returns
    -------
    int, in [0, n_records]
    """
    classes = classes_at(class_table, [0] * len(class_table.hierarchies))
    return int(classes.counts[~released(models, classes)].sum())


def _people_before(class_table: ClassTable) -> FloatArray | None:
    """People in the population who look like each combination, if known."""
    if class_table.population is None or not class_table.population.has_people:
        return None
    return classes_at(class_table, [0] * len(class_table.attributes)).population.sizes


def _matches(
    project: Project,
    classes: Classes,
    labels: Int32Array,
    counts: IntArray,
    policy: Policy | None,
) -> IntArray | None:
    """Records that a record may be, if a missing value shall match anything."""
    if project.privacy.missing_matches != "anything":
        return None
    missing: list[int | None] = []
    for place, hierarchy in enumerate(classes.class_table.hierarchies):
        leaf = hierarchy.missing_leaf
        if leaf is None or policy is None:
            missing.append(leaf)
            continue
        # Rounds write a missing value in different ways; one of them is enough for
        # figures that are not too low.
        label = int(policy.maps[place].groups[leaf])
        # Grouped with other values, a missing one is no gap any more.
        is_alone = np.count_nonzero(policy.maps[place].groups == label) == 1
        missing.append(int(policy.label_codes(0)[place][label]) if is_alone else None)
    return match_sizes(labels, counts, missing)


def _risk(
    project: Project,
    classes: Classes,
    counts: IntArray,
    matches: IntArray | None,
    people: FloatArray | None,
) -> RiskFigures | None:
    """Risk of released classes, None if nothing is released."""
    if len(counts) == 0:
        return None
    return measure_risk(
        counts,
        threshold=project.privacy.threshold.at_risk,
        sampling_fraction=project.privacy.population.sampling_fraction,
        matches=matches,
        people=people,
        is_counted=classes.people is None or not classes.people.is_modelled,
    )


def quality_figures(
    project: Project, class_table: ClassTable, released: ReleasedClasses
) -> tuple[QualityFigure, ...]:
    """Every registered measure of one policy, the guiding one first.

    Parameters
    ----------
    released : ReleasedClasses
        That the policy makes of it.

    Raises
    ------
    ConfigError
        Of `scaled_weights`.
    """
    attributes = class_table.attributes
    weights = scaled_weights(attributes, weights_of(project))
    guiding = project.quality.measure
    others = [each() for each in QUALITY_MEASURES if each.kind != guiding.kind]
    seen = release_figures(class_table, released)
    figures = []
    for measure in (guiding, *others):
        values = measure.values(seen)[0]
        by_attribute: dict[str, float] = {}
        if len(values) == len(attributes) > 1:
            shares = zip(attributes, values.tolist(), strict=True)
            by_attribute = {name: value for name, value in shares if not isnan(value)}
        figures.append(
            QualityFigure(measure, _score(measure, values, weights), by_attribute)
        )
    return tuple(figures)


def _score(
    measure: QualityMeasure, values: FloatArray, weights: FloatArray
) -> float | None:
    """Join values by attribute; None if one that counts is not defined."""
    if len(values) == len(weights):
        values = np.where(weights > 0, values, 0.0)
    if np.isnan(values).any():
        return None
    return float(measure.scores(values[None, :], weights)[0, 0])
