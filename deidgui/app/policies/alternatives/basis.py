"""What alternatives rest on: values, people, the baseline and the risk it allows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from deidgui.app.changes import domain_fingerprint
from deidgui.app.classes import Classes
from deidgui.app.policies.alternatives.checking import basis_problems
from deidgui.app.policies.alternatives.space import (
    doubtful_elements,
    engine_element,
    engine_preferences,
    proposed_elements,
    space_of,
    within_limits,
)
from deidgui.app.policies.alternatives.storing import policy_from
from deidgui.app.policies.candidate import Figures
from deidgui.app.population.known import KnownPopulation
from deidgui.app.project import Discover, Project
from deidgui.engine.arrays import BoolArray, FloatArray, Int32Array
from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.data.population import Register, SamplingFraction
from deidgui.engine.detect.roles import Reason
from deidgui.engine.discover.cells import Cells, Coverage, count_cells, count_records
from deidgui.engine.discover.domain import Domain
from deidgui.engine.discover.frontier import RiskAndLoss
from deidgui.engine.discover.preferences import demanded
from deidgui.engine.discover.risk import (
    RiskMeasure,
    cautious_population,
    loss_of_groups,
    risk_of_groups,
)
from deidgui.engine.discover.riskier import Riskier, riskier_records
from deidgui.engine.discover.rules import ROUNDING, ModelsHold, RiskAtMost, Rule
from deidgui.engine.discover.safe_harbor import safe_harbor
from deidgui.engine.discover.sensitivity import (
    COUNTED_ERROR,
    MODELLED_ERROR,
    Lookup,
    Perturbation,
    n_holding,
)
from deidgui.engine.discover.space import Space
from deidgui.engine.discover.wording import is_joined
from deidgui.engine.policy.policy import Policy, lattice_policy
from deidgui.engine.policy.released import released_classes
from deidgui.engine.policy.words import FEW_JOINED, NOTHING
from deidgui.engine.population.over_leaves import PartialRegister
from deidgui.engine.privacy import PrivacyModel
from deidgui.engine.privacy.suppression import conditions_of
from deidgui.errors import raise_all
from deidgui.monitor import NULL_MONITOR, Monitor
from deidgui.text import tr


class Sums(NamedTuple):
    """Sums of 1 / g^γ over the released records, under one policy.

    Parameters
    ----------
    counted : float
        Over the records that are compared: those that have people in the population
        and, where a missing value may be anything, those that could be some of them.
    known_alone : float
        Over the records that have people of their own.
    cautious : float
        Over all records; g is at least the number of records released alike, also
        where the population has nobody.
    """

    counted: float
    known_alone: float
    cautious: float


@dataclass(frozen=True, repr=False, eq=False)
class LeafCells:
    """Records and people by the leaves of the hierarchies.

    Parameters
    ----------
    every : Cells
        All records.
    counted : Cells
        The records that are compared, and the people (see `Sums`).
    known_alone : Cells
        The records that have people of their own; often the same.
    gamma : float > 0
    """

    every: Cells
    counted: Cells
    known_alone: Cells
    gamma: float

    @classmethod
    def of(cls, class_table: ClassTable, gamma: float, is_anything: bool) -> LeafCells:
        """Count by the leaves of a class table.

        Parameters
        ----------
        is_anything : bool
            See `count_cells`.
        """
        columns = class_table.leaves.T
        domains = tuple(
            Domain.of(hierarchy).of_records(column)
            for hierarchy, column in zip(class_table.hierarchies, columns, strict=True)
        )
        leaves = Space(domains)
        counted = own = count_cells(
            leaves, class_table, missing_is_anything=is_anything
        )
        if counted.coverage.n_records_possible:
            own = count_cells(leaves, class_table)
        return cls(count_records(leaves, class_table), counted, own, gamma)

    def record_risks(self, groups: Sequence[Int32Array]) -> FloatArray:
        """Risk of a record of each combination, stated with caution.

        Parameters
        ----------
        groups : sequence of ndarray of int32, each of shape (n_leaves,)

        Returns
        -------
        ndarray of float64, shape (n_combinations,), each in (0, 1]
            1 / g^γ; g is at least the number of records released alike.
        """
        population = cautious_population(self.every, groups, self.counted)
        return np.asarray(population**-self.gamma)

    def sums(
        self, groups: Sequence[Int32Array], released: BoolArray | None = None
    ) -> Sums:
        """Sums of the risks under one way to release values alike.

        Parameters
        ----------
        released : ndarray of bool, shape (n_combinations,), optional
            Combinations of the class table whose records are released; all if not
            given.
        """

        def sum_over(cells: Cells) -> float:
            shown = None if released is None else cells.at_cells(released)
            return risk_of_groups(cells, groups, self.gamma, released=shown)

        shown = self.every.records * (True if released is None else released)
        counted = sum_over(self.counted)
        is_same = self.known_alone is self.counted
        return Sums(
            counted,
            counted if is_same else sum_over(self.known_alone),
            float((self.record_risks(groups) * shown).sum()),
        )


@dataclass(frozen=True, repr=False, eq=False)
class BaselineRule:
    """What a rule makes of the values of this file, and the risk that it leaves.

    Parameters
    ----------
    kind : {"safe_harbor", "policy"}
    labels : tuple of tuple of str
        By attribute, what each leaf of the hierarchy is released as.
    groups : tuple of ndarray of int32, shape (n_leaves,)
        Number of the label of each leaf, by attribute.
    sums : Sums
        Of the records that it releases.
    loss : float
        Bits per record that it loses (see `Alternative.loss`), in the values that
        alternatives may join.
    n_suppressed : int
        Records that it suppresses.
    released : ndarray of bool, shape (n_combinations,), or None
        Combinations whose records it releases; None for all.
    """

    kind: str
    labels: tuple[tuple[str, ...], ...]
    groups: tuple[Int32Array, ...]
    sums: Sums
    loss: float
    n_suppressed: int = 0
    released: BoolArray | None = None

    @property
    def risk(self) -> float:
        """Sum of 1 / g^γ over the records that are compared and that it releases."""
        return self.sums.counted

    @property
    def is_kept(self) -> tuple[bool, ...]:
        """By attribute, whether the rule keeps all its values apart."""
        return tuple(len(set(labels)) == len(labels) for labels in self.labels)

    @property
    def is_identity(self) -> bool:
        """Whether the rule joins nothing at all."""
        return all(self.is_kept)


@dataclass(frozen=True, repr=False, eq=False)
class Basis:
    """What a discovery rests on: values, people, the rule and what it allows.

    Parameters
    ----------
    discover : Discover
        The decisions it was laid with; its levels are within the limits.
    space : Space
        Values that may be joined.
    measure : RiskMeasure
        Of this space, over the records that are compared.
    also : RiskMeasure or None
        Over the records that have people of their own, where others are compared too.
    cells : LeafCells
        By the leaves of the hierarchies.
    baseline : BaselineRule or None
        None for a typed threshold and for models.
    threshold : float or None
        T: sum of 1 / g^γ over the records that are compared, under the baseline or
        typed; None for models. What is allowed is `limit`.
    raw_risk, highest_risk, least_risk : float
        Risk of the data as they are, of the most specific and of the most general
        policy.
    highest_loss : float
        Bits per record that the most general policy loses.
    required_risk : float
        Least risk of a policy that meets all demanded preferences.
    population : KnownPopulation or None
        What is known about the population, and how; None without counts of people.
    domains : str
        Fingerprint of the decisions that the values rest on.
    models : tuple of PrivacyModel
        If they decide what is acceptable.
    n_raised : int
        Attributes whose values are groups of a higher level than was chosen, because
        the limits of their hierarchies do not allow less.
    n_doubtful : int
        Attributes of which the rule was told less than what they look like.
    age : str or None
        Attribute with ages, if there is one.
    """

    discover: Discover
    class_table: ClassTable
    space: Space
    measure: RiskMeasure
    also: RiskMeasure | None
    cells: LeafCells
    baseline: BaselineRule | None
    threshold: float | None
    raw_risk: float
    highest_risk: float
    least_risk: float
    highest_loss: float
    required_risk: float
    population: KnownPopulation | None
    domains: str
    models: tuple[PrivacyModel, ...] = ()
    n_raised: int = 0
    n_doubtful: int = 0
    age: str | None = None

    @property
    def attributes(self) -> tuple[str, ...]:
        """Names of the quasi-identifiers in column order."""
        return self.space.attributes

    @property
    def n_records(self) -> int:
        """Number of records."""
        return self.class_table.n_records

    @property
    def population_size(self) -> int | None:
        """People of the population; None if it is not known person by person."""
        match self.class_table.population:
            case Register() as register:
                return register.population_size
            case PartialRegister(population=register):
                return register.population_size
            case _:
                return None

    @property
    def coverage(self) -> Coverage:
        """How well the population covers the records."""
        return self.cells.counted.coverage

    @property
    def margin(self) -> float:
        """Share of the threshold that stays free; a typed one is meant as it is."""
        return self.discover.margin if self.baseline is not None else 0.0

    @property
    def limit(self) -> float | None:
        """Highest sum of 1 / g^γ that is allowed: the threshold less the margin."""
        return None if self.threshold is None else self.threshold * (1 - self.margin)

    @property
    def is_feasible(self) -> bool:
        """Whether any policy is acceptable, as far as the risk tells."""
        limit = self.limit
        return limit is None or self.required_risk <= limit * (1 + ROUNDING)

    @property
    def is_free(self) -> bool:
        """Whether every policy is acceptable."""
        limit = self.limit
        return limit is not None and self.highest_risk <= limit * (1 + ROUNDING)

    @cached_property
    def every(self) -> RiskMeasure | None:
        """Measure of all records, for losses; None if all of them are compared."""
        coverage = self.coverage
        if not (coverage.n_records_left_out or coverage.n_records_possible):
            return None
        return RiskMeasure(count_records(self.space, self.class_table))

    def risk_and_loss(self, space: Space | None = None) -> RiskAndLoss:
        """Return memory to evaluate risk and loss of policies of a space."""
        return RiskAndLoss(self.measure, self.every, space)

    @property
    def remarks(self) -> tuple[Reason, ...]:
        """What the population rests on: assumptions, what was left out or raised."""
        return () if self.population is None else self.population.remarks

    @cached_property
    def warnings(self) -> tuple[Reason, ...]:
        """What a person must know before a search."""
        return _warnings(self)

    @cached_property
    def rule(self) -> Rule:
        """What decides whether a policy is acceptable."""
        if self.limit is not None:
            also = []
            if self.also is not None and self.baseline is not None:
                own = self.baseline.sums.known_alone * (1 - self.margin)
                also.append((self.also, own))
            return RiskAtMost(self.measure, self.limit, also)
        return ModelsHold(self.space, self.class_table, self.models)

    @property
    def joined_by_rule(self) -> Mapping[str, tuple[int, int]]:
        """First and last place of the only neighbours that the rule joins.

        By attribute, such as the ages over 89; attributes of which it joins nothing,
        or several groups, are left out.
        """
        if self.baseline is None:
            return {}
        found = {}
        for domain, groups in zip(
            self.space.domains, self.baseline.groups, strict=True
        ):
            if (run := _only_run(domain, groups)) is not None:
                found[domain.attribute] = run
        return found

    def domain(self, attribute: str) -> Domain:
        """Values of an attribute that may be joined, in their order."""
        return self.space.domains[self.attributes.index(attribute)]

    @property
    def n_compared(self) -> int:
        """Records that the sums of risks are about (see `Sums`)."""
        return self.coverage.n_records_counted

    @property
    def leaf_domains(self) -> tuple[Domain, ...]:
        """Leaves of each attribute, with those that records have."""
        return self.cells.every.space.domains

    def per_record(self, risk: float) -> float:
        """Mean probability that a record is linked to the right person, in [0, 1]."""
        return risk / self.n_compared

    @cached_property
    def _rule_risk(self) -> FloatArray | None:
        """Risk of a record of each combination under the rule; 0 if suppressed."""
        if self.baseline is None:
            return None
        risks = self.cells.record_risks(self.baseline.groups)
        kept = self.baseline.released
        return risks if kept is None else np.where(kept, risks, 0.0)

    def compared(self, policy: Policy, figures: Figures) -> Figures:
        """Return figures with what is known about the risk in the population.

        Parameters
        ----------
        policy : Policy
            For the same quasi-identifiers. Of several rounds nothing is said.
        """
        if not policy.is_by_value:
            return figures
        groups = [each.groups for each in policy.maps]
        sums = self.cells.sums(groups, self._is_released(policy, figures))
        if figures.population_risk is None:
            figures = replace(figures, population_risk=sums.counted)
        figures = replace(figures, cautious_risk=sums.cautious)
        found = self.riskier(policy, figures)
        if found is None:
            return figures
        return replace(
            figures,
            n_riskier=found.n_records,
            added_risk=found.most,
            added_sum=found.total,
        )

    def riskier(self, policy: Policy, figures: Figures) -> Riskier | None:
        """Return which records are easier to find than under the rule.

        Returns
        -------
        Riskier or None
            None without a rule, and of policies of several rounds.
        """
        rule = self._rule_risk
        if rule is None or not policy.is_by_value:
            return None
        own = self.cells.record_risks([each.groups for each in policy.maps])
        is_released = self._is_released(policy, figures)
        own = own if is_released is None else np.where(is_released, own, 0.0)
        return riskier_records(self.cells.every, own, rule)

    def n_holding(
        self, policies: Sequence[Policy], monitor: Monitor = NULL_MONITOR
    ) -> tuple[int, ...] | None:
        """In how many perturbed populations does each policy stay below the rule?

        Parameters
        ----------
        policies : sequence of Policy
            That suppress no record.

        Returns
        -------
        tuple of int or None
            Of `deidgui.engine.discover.sensitivity.N_POPULATIONS`: the policy and the
            rule are measured again on the same people. None without a threshold, or
            if nobody is counted.
        """
        if self.threshold is None or not self.cells.counted.population or not policies:
            return None
        rule, every = self.baseline, [self.cells.counted]
        if rule is not None and self.cells.known_alone is not self.cells.counted:
            every.append(self.cells.known_alone)
        measured = []
        for cells in every:
            own = [Lookup.of(cells, [m.groups for m in each.maps]) for each in policies]
            limit: Lookup | float = self.threshold
            if rule is not None:
                kept = None if rule.released is None else cells.at_cells(rule.released)
                limit = Lookup.of(cells, rule.groups, kept)
            measured.append((cells, own, limit))
        found = n_holding(measured, self.perturbation, self.discover.gamma, monitor)
        return tuple(found.tolist())

    @property
    def perturbation(self) -> Perturbation:
        """How other populations are drawn around the one that is known."""
        is_modelled = self.population is None or self.population.is_modelled
        error = MODELLED_ERROR if is_modelled else COUNTED_ERROR
        return Perturbation(error, self.age)

    def _is_released(self, policy: Policy, figures: Figures) -> BoolArray | None:
        """Which combinations are released; None for all, as is known or computed."""
        if figures.n_suppressed == 0:
            return None
        released = released_classes(self.class_table, policy)
        return ~released.suppressed[released.of_combination]

    def released_as(self, attribute: str) -> Mapping[str, tuple[str, ...]]:
        """Say what the rule does: values by what they are released as.

        Returns
        -------
        dict of str to tuple of str
            Only labels that stand for something else than one value of that name;
            empty if the rule keeps the attribute or there is none.
        """
        if self.baseline is None:
            return {}
        place = self.attributes.index(attribute)
        found: dict[str, list[str]] = {}
        leaves = self.class_table.hierarchies[place].leaves
        for leaf, label in zip(leaves, self.baseline.labels[place], strict=True):
            found.setdefault(label, []).append(leaf)
        return {
            label: tuple(values) for label, values in found.items() if values != [label]
        }


def compute_basis(
    project: Project, classes: Classes, *, monitor: Monitor = NULL_MONITOR
) -> Basis:
    """Apply the rule to this file and this population.

    While no rule is decided, the risks of the data and of the policies are known.

    Parameters
    ----------
    classes : Classes
        Of the same decisions.

    Raises
    ------
    ConfigError
        As `check_discovery` but for a baseline that is missing; and the codes of the
        space, the rule, the preferences and the chosen policy.
    ResourceError
        Codes ``discovery_domain_too_large`` or ``discovery_population_too_large``.
    """
    raise_all(basis_problems(project))
    classes.check_rows_agree(tr("a comparison with a rule"))
    table = classes.class_table
    discover = within_limits(project, table)
    monitor.report(0.0, "people")
    space = space_of(table, discover)
    wanted = engine_preferences(
        space, [w for w in discover.preferences if w.is_demanded]
    )
    is_anything = project.privacy.missing_matches == "anything"
    cells = count_cells(space, table, missing_is_anything=is_anything)
    measure = RiskMeasure(cells, discover.gamma, monitor=monitor)
    leaf_cells = LeafCells.of(table, discover.gamma, is_anything)
    every = count_records(space, table)
    baseline = _baseline(project, classes, leaf_cells, every)
    also = None
    if leaf_cells.known_alone is not leaf_cells.counted:
        also = RiskMeasure(count_cells(space, table), discover.gamma)
    threshold = discover.typed if baseline is None else baseline.risk
    joined = [np.zeros(each.n_values, np.int32) for each in space.domains]
    each_leaf = [np.arange(each.n_leaves, dtype=np.int32) for each in table.hierarchies]
    bottom, top = (space.bits_of(each) for each in (space.bottom(), space.top()))
    preferred = space.bits_of(demanded(space, wanted))
    monitor.report(1.0, "people")
    basis = Basis(
        discover,
        table,
        space,
        measure,
        also,
        leaf_cells,
        baseline,
        threshold,
        raw_risk=risk_of_groups(leaf_cells.counted, each_leaf, discover.gamma),
        highest_risk=measure.risk(bottom),
        least_risk=measure.risk(top),
        # Where all values are alike already nothing can be lost.
        highest_loss=loss_of_groups(every, joined) or 1.0,
        required_risk=measure.risk(preferred),
        population=classes.population,
        domains=domain_fingerprint(project),
        models=project.privacy.models if discover.baseline == "models" else (),
        n_raised=sum(
            level != project.discover.levels.get(name, 0)
            for name, level in discover.levels.items()
        ),
        n_doubtful=(
            len(doubtful_elements(project)) if discover.baseline == "safe_harbor" else 0
        ),
        age=_age_of(project),
    )
    if basis.models:
        # Models that this search cannot use are told before it begins.
        _ = basis.rule
    # They are looked at in the window's thread.
    _ = basis.warnings
    return basis


def _age_of(project: Project) -> str | None:
    """Name of the quasi-identifier with ages, as decided or as it looks like."""
    elements = {**proposed_elements(project), **project.discover.elements}
    ages = (each.name for each in project.quasi_identifiers)
    return next((name for name in ages if elements[name].kind == "age"), None)


def _baseline(
    project: Project, classes: Classes, cells: LeafCells, every: Cells
) -> BaselineRule | None:
    discover, space = project.discover, cells.every.space
    kept: BoolArray | None = None
    n_suppressed = 0
    if discover.baseline == "safe_harbor":
        elements = {
            name: engine_element(discover.elements[name]) for name in space.attributes
        }
        rule = safe_harbor(space, elements, census=discover.census)
        labels, groups = rule.labels, rule.groups
    elif discover.policy is not None:
        policy = baseline_policy(project, classes)
        released = released_classes(classes.class_table, policy)
        kept = ~released.suppressed[released.of_combination]
        n_suppressed = released.n_suppressed
        groups = tuple(each.groups for each in policy.maps)
        labels = tuple(
            tuple(each.labels[group] for group in each.groups.tolist())
            for each in policy.maps
        )
    else:
        return None
    on_values = [
        group[_first_leaves(domain)]
        for domain, group in zip(every.space.domains, groups, strict=True)
    ]
    return BaselineRule(
        discover.baseline or "",
        labels,
        groups,
        cells.sums(groups, kept),
        loss_of_groups(every, on_values),
        n_suppressed,
        kept if n_suppressed else None,
    )


def _first_leaves(domain: Domain) -> Int32Array:
    """A leaf of each value: int32, (n_values,)."""
    _, first = np.unique(domain.of_leaf, return_index=True)
    return first.astype(np.int32)


def _only_run(domain: Domain, groups: Int32Array) -> tuple[int, int] | None:
    """First and last value of the only group of several, if they are neighbours."""
    of_value = groups[_first_leaves(domain)]
    several = np.flatnonzero(np.bincount(of_value) > 1)
    if len(several) != 1:
        return None
    places = np.flatnonzero(of_value == several[0])
    first, last = int(places[0]), int(places[-1])
    return (first, last) if last - first + 1 == len(places) else None


def baseline_policy(project: Project, classes: Classes) -> Policy:
    """Return the policy that is the baseline of a project.

    Raises
    ------
    ConfigError
        If it does not fit the quasi-identifiers any more.
    """
    chosen = project.discover.policy
    assert chosen is not None
    if chosen.bits:
        return policy_from(chosen, project, classes)
    return lattice_policy(
        classes.class_table.hierarchies,
        chosen.levels,
        chosen.suppress_below,
        "baseline",
        conditions_of(project.privacy.models),
    )


def _warnings(basis: Basis) -> tuple[Reason, ...]:
    found, limit = [], basis.limit
    least, preferred = basis.least_risk, basis.required_risk
    if limit is not None and least > limit * (1 + ROUNDING):
        params = {"threshold": limit, "least": least}
        found.append(Reason("discovery_threshold_low", dict(params)))
    elif not basis.is_feasible:
        params = {"threshold": limit or 0.0, "least": preferred}
        found.append(Reason("discovery_preferences_too_risky", dict(params)))
    if basis.n_doubtful:
        params = {"n_attributes": basis.n_doubtful}
        found.append(Reason("discovery_elements_doubtful", dict(params)))
    if basis.n_raised:
        params = {"n_attributes": basis.n_raised}
        found.append(Reason("discovery_levels_raised", dict(params)))
    if basis.baseline is not None and basis.baseline.is_identity:
        found.append(Reason("discovery_rule_changes_nothing"))
    if basis.is_free:
        params = {"threshold": limit or 0.0, "raw": basis.highest_risk}
        found.append(Reason("discovery_threshold_high", dict(params)))
    if basis.baseline is not None and basis.baseline.n_suppressed:
        n_suppressed = basis.baseline.n_suppressed
        found.append(
            Reason("discovery_baseline_suppresses", {"n_records": n_suppressed})
        )
    match basis.class_table.population:
        case None:
            found.append(Reason("discovery_population_none"))
        case SamplingFraction(fraction=fraction):
            found.append(Reason("discovery_population_scaled", {"share": fraction}))
        case _:
            pass
    return (*found, *_records_not_known(basis))


def _records_not_known(basis: Basis) -> Iterator[Reason]:
    """Which records a comparison leaves out, and both sums of the baseline."""
    seen, rule = basis.coverage, basis.baseline
    n_cells = seen.n_cells_short - seen.n_cells_without_population
    if n_cells:
        n_records = seen.n_records_short - seen.n_records_without_population
        counts = {"n_cells": n_cells, "n_records": n_records}
        yield Reason("discovery_population_short", dict(counts))
    if seen.n_records_left_out:
        counts = {"n_left_out": seen.n_records_left_out, "n_records": seen.n_records}
        yield Reason("discovery_records_left_out", dict(counts))
    if seen.n_records_possible:
        counts = {"n_possible": seen.n_records_possible, "n_records": seen.n_records}
        yield Reason("discovery_records_possible", dict(counts))
    if rule is not None and seen.n_records_without_population:
        sums = {"counted": rule.sums.counted, "cautious": rule.sums.cautious}
        yield Reason("discovery_both_sums", dict(sums))


def rule_in_words(basis: Basis) -> tuple[str, ...]:
    """Say by attribute what the rule joins, in the form of the paper's table 3.

    Returns
    -------
    tuple of str
        "∅" where it keeps all values of the file, "[90+]" for a few groups by their
        released labels, else how many values become how many. Empty without a rule.
    """
    if basis.baseline is None:
        return ()
    rule = basis.baseline
    parts = zip(basis.leaf_domains, rule.labels, rule.groups, strict=True)
    return tuple(_joined(*each) for each in parts)


def _joined(domain: Domain, labels: Sequence[str], groups: Int32Array) -> str:
    several = [labels[at] for at in np.flatnonzero(is_joined(domain, groups)).tolist()]
    names = list(dict.fromkeys(several))
    if not names:
        return NOTHING
    if len(names) <= FEW_JOINED:
        return " ".join(f"[{name}]" for name in names)
    return tr("{n:value|values} in {n_2:group|groups}", n=len(several), n_2=len(names))
