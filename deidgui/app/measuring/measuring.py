"""Every risk and quality figure of one policy, before and after."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from math import isnan
from typing import Any

import numpy as np

from deidgui.app.changes import fingerprint
from deidgui.app.charts.formats import rows_words, suppression_words
from deidgui.app.classes import Classes
from deidgui.app.decides import Decides
from deidgui.app.demands import check_readable
from deidgui.app.determination.determination import AllowedRisk, judged_risks
from deidgui.app.events_known import PeopleAtRisk
from deidgui.app.policies.acceptance import Accepted
from deidgui.app.policies.decisions import (
    kept_levels,
    limit_of,
    weights_of,
)
from deidgui.app.policies.figures import satisfied
from deidgui.app.policies.lattice.keeping import cost_words
from deidgui.app.policies.lattice.policies import LatticePolicies
from deidgui.app.policies.longitudinal.events import EventsRisk, events_risk
from deidgui.app.policies.policy_set import SourceResult
from deidgui.app.policies.source import BLOCKS, source_of
from deidgui.app.population.known import KnownPopulation
from deidgui.app.project import PreferenceChoice, Project
from deidgui.app.stated import (
    assumption_codes,
    assumption_words,
    comparison_codes,
    events_words,
    tie_words,
    warnings_of_decisions,
    warnings_of_policy,
)
from deidgui.engine.arrays import AnyArray, FloatArray, Int32Array, IntArray
from deidgui.engine.data.class_table import ClassTable, classes_at
from deidgui.engine.determination import OTHER_POPULATIONS, PeopleRisk
from deidgui.engine.discover.sensitivity import N_POPULATIONS
from deidgui.engine.evidence.document import (
    EventsKnown,
    Model,
    ProtectedUnit,
    RowsKnown,
    ShareAtRisk,
)
from deidgui.engine.evidence.evidence import ReleaseFigures
from deidgui.engine.longitudinal import risk as engine_risk
from deidgui.engine.policy.figures import release_figures
from deidgui.engine.policy.policy import Policy
from deidgui.engine.policy.released import (
    LostValues,
    ReleasedClasses,
    lost_values,
    released_classes,
    released_rows,
    shown_by_rows,
    suppressed_rows,
)
from deidgui.engine.policy.words import lost_words, sentence
from deidgui.engine.privacy import PopulationUniqueness, PrivacyModel
from deidgui.engine.privacy.suppression import released
from deidgui.engine.quality import QUALITY_MEASURES, QualityMeasure, scaled_weights
from deidgui.engine.risk.class_sizes import AttackerRisk, RiskFigures, measure_risk
from deidgui.engine.risk.linkability import membership
from deidgui.engine.risk.rows_known import risk_of_rows
from deidgui.engine.risk.wildcards import match_sizes
from deidgui.errors import DeidError, InfeasibleError
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor
from deidgui.text import count_words, tr


@dataclass(frozen=True)
class ModelVerdict:
    """Whether a policy meets one privacy model, or the threshold of people at risk."""

    model: PrivacyModel | PeopleAtRisk | AllowedRisk
    satisfied: bool


@dataclass(frozen=True)
class QualityFigure:
    """One quality measure of a policy.

    Parameters
    ----------
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
    unit : Unit or None
        What the rows of people tell, where rows belong to people; records are then
        people, everywhere here.
    accepted : Accepted or None
        Of a discovered policy: why it is acceptable, and whether it still is.
    population : KnownPopulation or None
        What is known about the population, and how.
    events : EventsRisk or None
        People at risk, where an adversary knows some of their events.
    people : mapping of str to PeopleRisk
        Of people of the population, as stated and if there were a fifth fewer or more
        of them; if anything is known of the population.
    lost : tuple of LostValues
        Of columns that are kept in full, but for values of suppressed records.
    rows : tuple of int or None
        Suppressed rows and all rows of the table, where these belong to people.
    is_quality_of_rows : bool
        Whether quality is measured of these rows, and not of people.
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
    unit: ProtectedUnit | None = None
    accepted: Accepted | None = None
    population: KnownPopulation | None = None
    events: EventsRisk | None = None
    people: Mapping[str, PeopleRisk] = field(default_factory=dict)
    lost: tuple[LostValues, ...] = ()
    rows: tuple[int, int] | None = None
    is_quality_of_rows: bool = False

    @property
    def lost_words(self) -> tuple[str, ...]:
        """What is not kept of columns that are kept in full otherwise, in sentences."""
        of_all = count_words(self.n_records, self.unit is not None)
        return tuple(
            tr(
                "“{column}” is kept in full, but {lost}. Suppressed with them: {n} of "
                "{unit}.",
                column=each.attribute,
                lost=lost_words(each.n_lost, is_constant=each.is_constant),
                n=each.n_records,
                unit=of_all,
            )
            for each in self.lost
        )

    @property
    def chosen_policy(self) -> Policy:
        """The policy, where there must be one."""
        assert self.policy is not None
        return self.policy

    @property
    def data_risk(self) -> tuple[float | None, float | None]:
        """Average and highest risk of the released records, if all of them is known."""
        sizes = self.sizes_after
        if self.policy is None or self.events is not None or not sizes.sum():
            return None, None
        return len(sizes) / int(sizes.sum()), 1 / int(sizes.min())

    @property
    def unmet(self) -> tuple[ModelVerdict, ...]:
        """Privacy models that do not hold, wherever the policy comes from."""
        return tuple(each for each in self.verdicts if not each.satisfied)

    @property
    def meets_thresholds(self) -> bool:
        """Whether all models hold and no more is suppressed than allowed.

        A policy that was accepted by its risk meets the threshold of that risk
        besides.
        """
        return self.policy is not None and self.is_sound and not self.unmet

    @property
    def is_sound(self) -> bool:
        """Whether nothing but privacy models can speak against the policy.

        No more is suppressed than allowed, and a comparison that it was accepted
        for holds.
        """
        if self.accepted is not None and not self.accepted.is_met:
            return False
        return not self.exceeds_limit and not self.is_unfounded

    @property
    def exceeds_limit(self) -> bool:
        """Whether more is suppressed than allowed: people or records."""
        # A discovered policy suppresses nothing.
        is_of_lattice = self.policy is not None and self.accepted is None
        return is_of_lattice and self.n_touched > self.limit_records

    @property
    def n_touched(self) -> int:
        """Records that are suppressed, or some cells of which are."""
        cells = self.policy.cells if self.policy is not None else None
        return self.n_suppressed + (cells.n_records if cells is not None else 0)

    @property
    def limit_words(self) -> str:
        """How many are suppressed, of whom, how many may be, and how many rows."""
        return suppression_words(
            self.n_touched,
            self.n_records,
            rows=self.rows,
            limit=count_words(self.limit_records, self.unit is not None),
            in_cells=self.n_touched > self.n_suppressed,
        )

    @property
    def quality_words(self) -> str:
        """Say of what quality is measured, where the search measures another unit."""
        if not self.is_quality_of_rows:
            return ""
        return tr(
            "Counted by row: a person with more rows counts more. The search counts "
            "each person once, so the page Policies shows other figures."
        )

    @property
    def rows_words(self) -> str:
        """How many rows are suppressed with their people; empty if none."""
        return rows_words(self.rows)

    @property
    def problems(self) -> tuple[DeidError, ...]:
        """Why a discovered policy must not be released, besides privacy models."""
        found = self.accepted.problems if self.accepted is not None else ()
        lacks = (InfeasibleError("acceptance_lacks_population"),)
        return (*found, *(lacks if self.is_unfounded else ()))

    @property
    def is_unfounded(self) -> bool:
        """Whether a comparison without people is all that speaks for the policy."""
        accepted = self.accepted
        if accepted is None or not accepted.lacks_population:
            return False
        return not self.verdicts or bool(self.unmet)

    @property
    def words(self) -> str:
        """The policy in one line."""
        if self.policy is None:
            return ""
        return sentence(
            self.policy,
            self.n_suppressed,
            self.n_records,
            self.n_later,
            of_people=self.unit is not None,
        )


def policy_of(
    project: Project, classes: Classes, found: SourceResult | None
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
    found: SourceResult | None,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> Measured:
    """Measure the data as they are, and under the chosen or best policy.

    Parameters
    ----------
    found : SourceResult or None
        Of the same decisions, if a search has been made: of the `main_kind`.

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
        _population_before(class_table),
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
        unit=_unit(project, class_table),
        population=classes.population,
    )
    if policy is None:
        return nothing
    nothing = replace(nothing, policy=policy, is_optimum=is_best)
    return _measure_policy(nothing, project, classes, policy, monitor)


def _measure_policy(
    before: Measured,
    project: Project,
    classes: Classes,
    policy: Policy,
    monitor: Monitor,
) -> Measured:
    """Add the figures of the release to those of the data."""
    monitor.report(0.3, "measure")
    class_table = classes.class_table
    released = released_classes(class_table, policy)
    kept = released.kept_classes(class_table)
    matches = _matches(project, classes, kept.groups, kept.counts, policy)
    monitor.report(0.5, "measure")
    step = SubMonitor(monitor, 0.5, 0.8)
    events = events_risk(project, classes, policy, released, monitor=step)
    accepted, chosen = None, project.chosen
    if chosen is not None:
        step = SubMonitor(monitor, 0.8, 1.0)
        accepted = source_of(chosen).judge(project, chosen, classes, monitor=step)
    people = released.population()
    after = _risk(project, classes, kept.counts, matches, people)
    n_everybody = class_table.n_records
    return replace(
        before,
        after=after,
        people=_people(project, after, kept.counts, matches, people, n_everybody),
        sizes_after=kept.counts,
        verdicts=(
            *_of_events(events),
            *(
                ModelVerdict(model, satisfied(model, released, kept))
                for model in project.privacy.models
            ),
            *_of_context(project, kept.counts),
        ),
        quality=quality_figures(project, *_rows_of_quality(classes, policy, released)),
        n_suppressed=released.n_suppressed,
        n_later=released.n_later,
        lost=lost_values(class_table, policy, released),
        rows=suppressed_rows(classes.table, class_table, released),
        is_quality_of_rows=class_table.units is not None
        and classes.table.kinds is None,
        unit=_with_events(_unit_of_release(project, classes, policy, released), events),
        accepted=accepted,
        events=events,
    )


def _rows_of_quality(
    classes: Classes, policy: Policy, found: ReleasedClasses
) -> tuple[ClassTable, ReleasedClasses]:
    """Whose quality is measured: risk is of people, this of the released rows.

    Rows of several tables of events have no columns in common but those of people:
    then it is that of people, too, as the search measures it.
    """
    class_table = classes.class_table
    if classes.table.kinds is not None:
        return class_table, found
    return released_rows(classes.table, class_table, policy, found)


def _of_context(project: Project, sizes: IntArray) -> Iterator[ModelVerdict]:
    """Whether the risk in the data is what the context allows."""
    n = int(sizes.sum())
    average = len(sizes) / n if n else 0.0
    highest = 1 / int(sizes.min()) if n else 0.0
    for each in judged_risks(project):
        yield ModelVerdict(each, each.holds(average, highest))


def _of_events(events: EventsRisk | None) -> tuple[ModelVerdict, ...]:
    """Whether few enough people are at risk, where that was decided."""
    if events is None:
        return ()
    return (ModelVerdict(events.condition, events.share.meets),)


def _unit(project: Project, class_table: ClassTable) -> ProtectedUnit | None:
    """Say whose rows there are; None if each row is a person."""
    if class_table.units is None:
        return None
    return ProtectedUnit(
        kind="key", people=class_table.n_records, varying=tuple(class_table.varying)
    )


def _unit_of_release(
    project: Project, classes: Classes, policy: Policy, found: ReleasedClasses
) -> ProtectedUnit | None:
    """Say whose rows are released, and what they tell of a person together."""
    unit = _unit(project, classes.class_table)
    if unit is None or project.key is None:
        return None
    shown = shown_by_rows(classes.table, classes.class_table, policy, found)
    risks = risk_of_rows(*shown, project.privacy.threshold.at_risk)
    return unit.model_copy(
        update={
            "column": project.key if project.releases_key else None,
            "suppressed_people": found.n_suppressed,
            "rows_known": tuple(RowsKnown(**asdict(each)) for each in risks),
        }
    )


def _with_events(
    unit: ProtectedUnit | None, events: EventsRisk | None
) -> ProtectedUnit | None:
    """Add who is at risk if some of their events are known."""
    if unit is None or events is None:
        return unit
    return unit.model_copy(update={"events": events_facts(events)})


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


def _population_before(class_table: ClassTable) -> FloatArray | None:
    """People in the population who look like each combination, if known."""
    if class_table.population is None or not class_table.population.has_population:
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
    population: FloatArray | None,
) -> RiskFigures | None:
    """Risk of released classes, None if nothing is released."""
    if len(counts) == 0:
        return None
    return measure_risk(
        counts,
        threshold=project.privacy.threshold.at_risk,
        sampling_fraction=project.fraction,
        matches=matches,
        population=population,
        is_counted=classes.population is None or not classes.population.is_modelled,
    )


def _people(
    project: Project,
    after: RiskFigures | None,
    counts: IntArray,
    matches: IntArray | None,
    population: FloatArray | None,
    n_everybody: int,
) -> dict[str, PeopleRisk]:
    """Risk of people as stated and if there were other numbers of them.

    Notes
    -----
    As many times as many people in each class, and never fewer than records. Nothing
    if nobody knows how many there are.
    """
    limits = [e for e in project.privacy.models if isinstance(e, PopulationUniqueness)]
    alike = counts if matches is None else matches
    least: AnyArray = counts
    known = population
    if known is None and project.fraction is not None:
        least, known = alike, alike / project.fraction
    if after is None or (known is None and not limits):
        return {}
    found: dict[str, PeopleRisk] = {}
    for kind, times in {"as_stated": 1.0, **OTHER_POPULATIONS}.items():
        risk: RiskFigures | None = None
        present: tuple[float | None, float | None] = None, None
        if known is not None:
            sizes = np.maximum(least, times * known)
            risk = after
            if kind != "as_stated":
                risk = measure_risk(counts, matches=matches, population=sizes)
        if population is not None:
            shares = membership(counts, np.maximum(counts, times * population))
            present = float(shares.min()), float(shares.max())
        found[kind] = PeopleRisk(
            None if risk is None else risk.journalist.highest,
            None if risk is None else risk.journalist.average,
            None if risk is None else risk.marketer,
            *present,
            tuple(each.share_in(counts, n_everybody, times) for each in limits),
        )
    return found


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


# -- what evidence and programs are given ----------------------------------------------


def events_facts(events: EventsRisk) -> EventsKnown:
    """Return the people at risk by known events, as evidence states them."""

    def stated(share: engine_risk.ShareAtRisk) -> ShareAtRisk:
        return ShareAtRisk(
            share=share.share,
            low=share.low,
            high=share.high,
            how=share.how,
            draws=share.n_drawn,
        )

    facts = EventsKnown(
        people=events.n_released,
        size=events.condition.size,
        decides=stated(events.share),
        by_released=stated(events.by_released),
    )
    return facts.model_copy(update={"words": events_words(facts, events.condition)})


def risk_json(figures: RiskFigures | None) -> dict[str, Any]:
    """Return risk figures as JSON values, as evidence states them."""
    if figures is None:
        none = _attacker_json(None)
        attackers = {"prosecutor": none, "journalist": none, "marketer": none}
        return {**attackers, "records": 0, "classes": 0}
    return {
        "prosecutor": _attacker_json(figures.prosecutor),
        "journalist": _attacker_json(figures.journalist),
        "marketer": {**_attacker_json(None), "average": figures.marketer},
        "records": figures.n_records,
        "classes": figures.n_classes,
        "smallest_class": figures.smallest_class,
        "uniques": figures.uniques,
    }


def _attacker_json(figures: AttackerRisk | None) -> dict[str, Any]:
    names = ("highest", "average", "at_risk", "records_at_risk")
    return {name: getattr(figures, name, None) for name in names}


def figures_for_evidence(
    project: Project,
    classes: Classes,
    measured: Measured,
    found: SourceResult | None,
) -> ReleaseFigures:
    """Return the figures as the evidence states them.

    Parameters
    ----------
    found : SourceResult or None
        None for a policy that a person chose: nothing was searched for it.
    """
    is_estimated = measured.before.population == "estimated"
    risk = {
        **risk_json(measured.after),
        "before": risk_json(measured.before),
        "threshold": project.privacy.threshold.at_risk,
        "population_known": population_known(project, measured.before),
        "sampling_fraction": project.fraction if is_estimated else None,
        "population": measured.population.to_json() if measured.population else None,
        "population_files": dict(measured.population.files)
        if measured.population
        else {},
    }
    return ReleaseFigures(
        models=[
            Model(
                **verdict.model.to_json(),
                satisfied=verdict.satisfied,
                words=verdict.model.words(),
            )
            for verdict in measured.verdicts
        ],
        risk=risk,
        quality={
            figure.measure.kind: {
                **figure.measure.params,
                "value": figure.value,
                "words": f"{tr(figure.measure.title)}: {figure.measure.words()}",
                "by_attribute": dict(figure.by_attribute),
            }
            for figure in measured.quality
        },
        search=search_facts(project, classes, measured, found),
        unit=measured.unit,
        safe_harbor=safe_harbor_facts(measured.accepted),
        acceptance=acceptance_facts(measured.accepted),
        assumptions=assumptions(project, measured),
        warnings=warnings(project, measured),
    )


def search_facts(
    project: Project,
    classes: Classes,
    measured: Measured,
    found: SourceResult | None,
) -> dict[str, Any]:
    """Say how the policy was found (see `document.Search`)."""
    if measured.accepted is not None:
        return _discovery_facts(project)
    if project.privacy.events is not None:
        return _longitudinal_facts(project, measured, found)
    if found is None:
        return _chosen_facts(project, classes, measured)
    if found.kind == BLOCKS:
        # Levels go up and down until no block fails: no policies are compared.
        return {"method": BLOCKS, "complete": False, "is_optimum": False}
    assert isinstance(found, LatticePolicies), "a policy of the lattice was searched"
    # A stopped search does not know whether a better policy exists.
    is_proven = measured.is_optimum and found.complete
    return {
        "method": found.proof.method,
        "seed": project.search.seed,
        "nodes": found.n_nodes,
        "checked": found.proof.n_examined,
        "complete": found.complete,
        "is_optimum": is_proven,
        "keep_something": bool(found.keeping),
        "removed": found.removed_at_levels(measured.chosen_policy.rounds[0].levels),
        "preference": cost_words(found) if measured.is_optimum else "",
        "proven_for": tie_words(found.models) if is_proven else "",
        "rounds": len(measured.chosen_policy.rounds),
    }


def _chosen_facts(
    project: Project, classes: Classes, measured: Measured
) -> dict[str, Any]:
    """What is known of a policy of the lattice that a person chose.

    Nothing is searched for it. What its search knew counts as long as its decisions
    stand.
    """
    chosen = project.chosen
    assert chosen is not None, "a policy that nobody chose was searched"
    keeping = kept_levels(project, classes.class_table)
    levels = chosen.levels
    facts: dict[str, Any] = {
        "method": "not_searched",
        "complete": False,
        "is_optimum": False,
        "chosen": True,
        "removed": tuple(name for name in keeping if levels[name] > keeping[name]),
        "rounds": len(measured.chosen_policy.rounds),
    }
    known = chosen.searched
    if known is None or known.decided != fingerprint(project, Decides.SEARCH):
        return facts
    return {
        **facts,
        **known.model_dump(exclude={"decided"}),
        "keep_something": bool(keeping),
        "proven_for": tie_words(project.privacy.models) if known.is_optimum else "",
    }


def _longitudinal_facts(
    project: Project, measured: Measured, found: SourceResult | None
) -> dict[str, Any]:
    """How a policy was found that leaves few enough people at risk.

    A policy that a person chose is not searched for again.
    """
    proof = found.proof if found is not None else None
    is_complete = proof is not None and proof.is_complete
    return {
        "method": "lola",
        "seed": project.search.seed,
        "nodes": proof.n_policies if proof else None,
        "checked": proof.n_examined if proof else 0,
        "complete": is_complete,
        "is_optimum": measured.is_optimum and is_complete,
    }


def _discovery_facts(project: Project) -> dict[str, Any]:
    """How the chosen alternative was discovered, as was noted when it was chosen.

    Settings of now may be others: they are not stated.
    """
    chosen = project.chosen
    assert chosen is not None, "an alternative is chosen by a person"
    # Nobody knows of a best one among policies that keep different things.
    facts = {"complete": False, "is_optimum": False, "mode": chosen.kind}
    known = chosen.found_by
    if known is None:
        return {"method": "discovery", **facts}
    settings = known.model_dump(exclude={"method", "seed", "preferences", "complete"})
    return {
        **facts,
        "method": f"discovery_{known.method}",
        "seed": known.seed,
        "checked": known.evaluated,
        **{name: value for name, value in settings.items() if value is not None},
        "came_to_its_end": known.complete,
        "demanded": tuple(map(_preference_words, known.preferences)),
    }


def _preference_words(preference: PreferenceChoice) -> str:
    """What was demanded, without a value of the data."""
    name = preference.attribute
    if preference.places:
        return tr(
            "{name}: {n:value|values} as they are", name=name, n=len(preference.places)
        )
    if preference.low is None and preference.high is None:
        return tr("{name} as it is", name=name)
    if preference.high is None:
        return tr("{name} from {low:g} as it is", name=name, low=preference.low)
    if preference.low is None:
        return tr("{name} to {high:g} as it is", name=name, high=preference.high)
    return tr(
        "{name} from {low:g} to {high:g} as it is",
        name=name,
        low=preference.low,
        high=preference.high,
    )


def acceptance_facts(accepted: Accepted | None) -> dict[str, Any] | None:
    """Why a discovered policy is acceptable (see `document.Acceptance`).

    Returns
    -------
    dict or None
        JSON values; None if the policy was not discovered.
    """
    if accepted is None:
        return None
    return {**accepted.acceptance.model_dump(), "words": accepted.words}


def safe_harbor_facts(accepted: Accepted | None) -> dict[str, Any] | None:
    """How a discovered policy stands to its baseline (see `document.SafeHarbor`).

    Returns
    -------
    dict or None
        JSON values; None if no risks were compared.
    """
    if accepted is None or accepted.risk is None:
        return None
    acceptance = accepted.acceptance
    return {
        "baseline": acceptance.baseline,
        "gamma": acceptance.gamma,
        "baseline_risk": accepted.baseline_risk,
        "policy_risk": accepted.risk,
        "difference": accepted.difference,
        "raw_risk": accepted.raw_risk,
        "margin": acceptance.margin,
        "records": accepted.n_records,
        "records_left_out": accepted.n_left_out,
        "records_possible": accepted.n_possible,
        "cautious_policy_risk": accepted.cautious[0],
        "cautious_baseline_risk": accepted.cautious[1],
        "populations_drawn": 0 if accepted.n_holding is None else N_POPULATIONS,
        "populations_holding": accepted.n_holding,
        "population": accepted.population,
        "basis": accepted.basis,
        "rule": dict(accepted.rule),
        "words": accepted.words,
        "scope": accepted.scope,
        "per_record": asdict(accepted.per_record) if accepted.per_record else None,
    }


def population_known(project: Project, figures: RiskFigures) -> str:
    """Return what the journalist's and marketer's figures are about.

    A table of the population that was decided on but not counted yet must not make
    figures of the data look like counts.
    """
    known = {"none": "none", "estimated": "sampling_fraction"}
    return known.get(figures.population, project.privacy.population.kind)


def assumptions(project: Project, measured: Measured) -> list[str]:
    """Return what the figures rest on, as sentences: all about the population too."""
    about_population = measured.population.sentences() if measured.population else ()
    codes = assumption_codes(
        measured.before.assumptions,
        [each.model for each in measured.verdicts],
        of_people=measured.unit is not None,
    )
    codes += _comparison_assumptions(measured.accepted)
    return [*map(assumption_words, codes), *about_population]


def _comparison_assumptions(accepted: Accepted | None) -> tuple[str, ...]:
    if accepted is None:
        return ()
    return comparison_codes(accepted.acceptance.by, accepted.acceptance.baseline)


def warnings(project: Project, measured: Measured) -> list[str]:
    """Return what a reader of the evidence must be warned of, as sentences."""
    taken_over = [a for a in project.attributes if a.include and a.taken_over]
    models = [verdict.model for verdict in measured.verdicts]
    policy = measured.policy
    has_conditions = policy is not None and bool(policy.later and policy.conditions)
    found = warnings_of_policy(len(taken_over), models, has_conditions)
    if measured.accepted is not None:
        found += measured.accepted.warnings
    if measured.population is not None:
        found += measured.population.warnings()
    export = project.export
    order = "input"
    if export.shuffle:
        order = "random" if export.shuffle_seed is None else "seeded"
    set_by = project.privacy.threshold.set_by
    is_seeded = any(each.key == "seeded" for each in project.preparation)
    return found + warnings_of_decisions(
        measured.unit, set_by, order, is_shift_seeded=is_seeded
    )
