"""What alternatives rest on: values, people, the baseline and the risk it allows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from deidgui.app.changes import domain_fingerprint
from deidgui.app.classes import Classes
from deidgui.app.policies.alternatives.checking import basis_problems
from deidgui.app.policies.alternatives.space import (
    doubtful_elements,
    engine_element,
    engine_preferences,
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
from deidgui.engine.discover.cells import Cells, Coverage, count_cells
from deidgui.engine.discover.domain import Domain
from deidgui.engine.discover.preferences import demanded
from deidgui.engine.discover.risk import (
    RiskMeasure,
    loss_of_groups,
    population_of_groups,
    risk_of_groups,
)
from deidgui.engine.discover.rules import ROUNDING, ModelsHold, RiskAtMost, Rule
from deidgui.engine.discover.safe_harbor import safe_harbor
from deidgui.engine.discover.space import Space
from deidgui.engine.policy.policy import Policy, lattice_policy
from deidgui.engine.policy.released import released_classes
from deidgui.engine.population.over_leaves import PartialRegister
from deidgui.engine.privacy import PrivacyModel
from deidgui.engine.privacy.suppression import conditions_of
from deidgui.errors import raise_all
from deidgui.monitor import NULL_MONITOR, Monitor
from deidgui.text import tr

SAME = 1e-9
"""Relative: risks that differ by less are the same figure."""


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
    risk : float
        Sum of 1 / g^γ over the records that it releases.
    loss : float
        Bits per record that it loses (see `Alternative.loss`), in the values that
        alternatives may join.
    n_suppressed : int
        Records that it suppresses.
    """

    kind: str
    labels: tuple[tuple[str, ...], ...]
    groups: tuple[Int32Array, ...]
    risk: float
    loss: float
    n_suppressed: int = 0

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
        Of this space.
    leaf_cells : Cells
        Records and people by the leaves of the hierarchies.
    baseline : BaselineRule or None
        None for a typed threshold and for models.
    threshold : float or None
        T: sum of 1 / g^γ over the records that is allowed; None for models.
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
    """

    discover: Discover
    class_table: ClassTable
    space: Space
    measure: RiskMeasure
    leaf_cells: Cells
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
        return self.leaf_cells.coverage

    @property
    def is_feasible(self) -> bool:
        """Whether any policy is acceptable, as far as the risk tells."""
        limit = self.threshold
        return limit is None or self.required_risk <= limit * (1 + ROUNDING)

    @property
    def is_free(self) -> bool:
        """Whether every policy is acceptable."""
        limit = self.threshold
        return limit is not None and self.highest_risk <= limit * (1 + ROUNDING)

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
        if self.threshold is not None:
            return RiskAtMost(self.measure, self.threshold)
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

    def per_record(self, risk: float) -> float:
        """Mean probability that a record is linked to the right person, in [0, 1]."""
        return risk / self.n_records

    @cached_property
    def _rule_risk(self) -> FloatArray | None:
        """Risk of a record of each combination under a rule that suppresses none."""
        if self.baseline is None or self.baseline.n_suppressed:
            return None
        population = population_of_groups(self.leaf_cells, self.baseline.groups)
        return np.asarray(population**-self.discover.gamma)

    def compared(self, policy: Policy, figures: Figures) -> Figures:
        """Return figures with what is known about the risk in the population.

        Parameters
        ----------
        policy : Policy
            For the same quasi-identifiers. Of several rounds nothing is said.
        """
        if policy.later:
            return figures
        cells, gamma = self.leaf_cells, self.discover.gamma
        groups = [each.groups for each in policy.maps]
        is_released = self._is_released(policy, figures)
        if figures.population_risk is None:
            risk = risk_of_groups(cells, groups, gamma, released=is_released)
            figures = replace(figures, population_risk=risk)
        rule = self._rule_risk
        if rule is None:
            return figures
        own = population_of_groups(cells, groups) ** -gamma
        own = own if is_released is None else np.where(is_released, own, 0.0)
        is_riskier = (own > rule) & ~np.isclose(own, rule, rtol=SAME, atol=0.0)
        added = (own - rule)[is_riskier]
        return replace(
            figures,
            n_riskier=int(cells.records[is_riskier].sum()),
            added_risk=float(added.max()) if len(added) else 0.0,
        )

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
    cells = count_cells(space, table)
    measure = RiskMeasure(cells, discover.gamma, monitor=monitor)
    leaves = Space(tuple(map(Domain.of, table.hierarchies)))
    leaf_cells = count_cells(leaves, table)
    baseline = _baseline(project, classes, leaf_cells, cells)
    threshold = discover.typed if baseline is None else baseline.risk
    joined = [np.zeros(each.n_values, np.int32) for each in space.domains]
    each_leaf = [np.arange(each.n_values, dtype=np.int32) for each in leaves.domains]
    bottom, top = (space.bits_of(each) for each in (space.bottom(), space.top()))
    preferred = space.bits_of(demanded(space, wanted))
    monitor.report(1.0, "people")
    basis = Basis(
        discover,
        table,
        space,
        measure,
        leaf_cells,
        baseline,
        threshold,
        raw_risk=risk_of_groups(leaf_cells, each_leaf, discover.gamma),
        highest_risk=measure.risk(bottom),
        least_risk=measure.risk(top),
        # Where all values are alike already nothing can be lost.
        highest_loss=loss_of_groups(cells, joined) or 1.0,
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
    )
    if basis.models:
        # Models that this search cannot use are told before it begins.
        _ = basis.rule
    # They are looked at in the window's thread.
    _ = basis.warnings
    return basis


def _baseline(
    project: Project, classes: Classes, leaf_cells: Cells, cells: Cells
) -> BaselineRule | None:
    discover, space = project.discover, leaf_cells.space
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
        for domain, group in zip(cells.space.domains, groups, strict=True)
    ]
    return BaselineRule(
        discover.baseline or "",
        labels,
        groups,
        risk_of_groups(leaf_cells, groups, discover.gamma, released=kept),
        loss_of_groups(cells, on_values),
        n_suppressed,
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
    found, limit = [], basis.threshold
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
    short = basis.coverage
    if short.n_records_short:
        counts = {"n_cells": short.n_cells_short, "n_records": short.n_records_short}
        found.append(Reason("discovery_population_short", dict(counts)))
    return tuple(found)
