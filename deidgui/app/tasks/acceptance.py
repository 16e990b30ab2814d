"""Is a discovered policy still acceptable, on this file and among these people?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from deidgui.app.changes import domain_fingerprint
from deidgui.app.charts.formats import risk_texts
from deidgui.app.project import Acceptance, Chosen, Project
from deidgui.app.tasks.classes import Classes
from deidgui.app.tasks.discover.ground import Ground, lay_ground
from deidgui.app.tasks.discover.policy import bit_policy_from
from deidgui.app.tasks.discover.space import doubtful_elements, lowest_levels
from deidgui.engine.data.population import SamplingFraction
from deidgui.engine.discover.bit_policy import BitPolicy
from deidgui.engine.discover.risk import people_of_groups
from deidgui.engine.discover.rules import ROUNDING
from deidgui.engine.discover.wording import as_policy
from deidgui.errors import ConfigError, DeidError, InfeasibleError
from deidgui.monitor import NULL_MONITOR, Monitor
from deidgui.text import Text, tr

SAME = 1e-9
"""Relative: sums over the records that differ by less are the same figure."""

NOBODY: Text = "the records alone, nothing being known about the population"
"""Whose people a risk is about without a population."""

BASELINES: Mapping[str, Text] = {
    "safe_harbor": "Safe Harbor",
    "policy": "the policy it is compared with",
    "typed": "the threshold that was set",
}
"""What a risk is compared with, in words."""


BY_ELEMENT: Mapping[str, Text] = {
    "age": "ages of 90 and over are one",
    "zip": "three digits, 000 where few people live (census of {census})",
    "date": "the year only",
}
"""What Safe Harbor does to an element, if it does anything."""


@dataclass(frozen=True)
class PerRecord:
    """How the risk is spread over the records, beside the baseline.

    Parameters
    ----------
    highest, baseline_highest : float
        1 / g^γ of the record that is easiest to link, under policy and baseline.
    n_riskier, n_safer : int
        Records with a higher, and with a lower risk than under the baseline.
    """

    highest: float
    baseline_highest: float
    n_riskier: int
    n_safer: int


@dataclass(frozen=True, repr=False)
class Accepted:
    """What the acceptance of a discovered policy is worth now.

    Parameters
    ----------
    acceptance : Acceptance
        As the policy was chosen.
    population : str
        Whose people the risk is about, in words.
    is_modelled : bool
        Whether their numbers are estimates, and no counts.
    risk : float or None
        Sum of 1 / g^γ over the records under the policy; None if it goes by models.
    baseline_risk : float or None
        The same under the baseline, as of now.
    raw_risk : float or None
        The same for the data as they are.
    per_record : PerRecord or None
        None without a baseline that releases every record.
    rule : tuple of (str, str)
        Quasi-identifiers with what the baseline does to each, in words.
    changes_nothing : bool
        Whether the baseline leaves the data as they are, so that the comparison asks
        for nothing.
    doubtful : tuple of str
        Quasi-identifiers of which Safe Harbor was told less than what they look like.
    problems : tuple of DeidError
        Why the policy must not be released, all at once.
    """

    acceptance: Acceptance
    n_records: int
    population: str = ""
    is_modelled: bool = False
    risk: float | None = None
    baseline_risk: float | None = None
    raw_risk: float | None = None
    per_record: PerRecord | None = None
    rule: tuple[tuple[str, str], ...] = ()
    changes_nothing: bool = False
    doubtful: tuple[str, ...] = ()
    problems: tuple[DeidError, ...] = ()

    @property
    def is_met(self) -> bool:
        """Whether nothing speaks against the release."""
        return not self.problems

    @property
    def difference(self) -> float | None:
        """Risk of the policy minus that of the baseline: 0 or less if acceptable."""
        if self.risk is None or self.baseline_risk is None:
            return None
        return self.risk - self.baseline_risk

    @property
    def is_of_people(self) -> bool:
        """Whether anything is known about the population, beyond the records."""
        return self.population != NOBODY

    @property
    def basis(self) -> str:
        """Whether the people are counted or modelled."""
        return "modelled" if self.is_modelled else "counted"

    @property
    def words(self) -> str:
        """What was shown, in one sentence for a person who reads the release."""
        if self.acceptance.by == "models":
            return tr(
                "This policy was accepted because every privacy model that was decided "
                "holds without a record suppressed."
            )
        baseline = tr(BASELINES[self.acceptance.baseline or "typed"])
        if self.risk is None or self.baseline_risk is None:
            return tr(
                "Whether the risk is no greater than that of {baseline} is unknown.",
                baseline=baseline,
            )
        verb = tr("is") if self.is_met else tr("is NOT shown to be")
        own, limit = risk_texts(self.risk, self.baseline_risk)
        own = f"{own} {self.unit}"
        if self.acceptance.baseline == "typed":
            compared = tr(
                "no greater than the threshold that was set: {own} under the policy, "
                "of {limit} that are allowed",
                own=own,
                limit=limit,
            )
        else:
            compared = tr(
                "no greater than that of {baseline} on this data set: {own} under the "
                "policy against {limit} under {baseline}",
                baseline=baseline,
                own=own,
                limit=limit,
            )
        return tr(
            "The risk of this release {verb} {compared}, of {n_records} records, "
            "looked up among {whose}.",
            verb=verb,
            compared=compared,
            n_records=self.n_records,
            whose=self.whose,
        )

    @property
    def whose(self) -> str:
        """Whose people the risk is about, and whether they are counted."""
        if not self.is_of_people:
            return self.population
        if self.population.startswith("the "):
            return f"{self.population} ({self.basis})"
        return tr(
            "the people of {population} ({basis})",
            population=self.population,
            basis=self.basis,
        )

    @property
    def scope(self) -> str:
        """What the comparison is about and what it is not, in sentences."""
        if self.acceptance.by == "models":
            return ""
        about = (
            tr(
                "the number of right links that somebody who knows these "
                "quasi-identifiers of every one of these people is expected to make"
            )
            if self.acceptance.gamma == 1
            else tr("a sum over all records that weighs how many people look like each")
        )
        return tr(
            "It compares {about}, on these records and these people alone. Single "
            "records may be riskier than under the baseline; other columns, other "
            "people and somebody who knows who is in the data are not in it. It is "
            "evidence for a determination by an expert, and no determination by "
            "itself.",
            about=about,
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """What whoever reads the comparison must be warned of, as sentences."""
        found = []
        if self.changes_nothing:
            baseline = tr(BASELINES[self.acceptance.baseline or "typed"])
            found.append(
                tr(
                    "On these quasi-identifiers {baseline} changes nothing: to be no "
                    "riskier than that asks for nothing.",
                    baseline=baseline,
                )
            )
        if self.doubtful:
            found.append(
                tr(
                    "For {columns} a person decided that Safe Harbor takes less away "
                    "than these columns look like (ages, ZIP codes, dates): if that is "
                    "wrong, its risk is lower than stated here.",
                    columns=", ".join(self.doubtful),
                )
            )
        if self.acceptance.by == "risk" and not self.is_of_people:
            found.append(
                tr(
                    "Nothing is known about the population: both risks that are "
                    "compared are those of an attacker who knows who is in the data."
                )
            )
        return tuple(found)

    @property
    def unit(self) -> str:
        """What a risk is counted in."""
        if self.acceptance.gamma == 1:
            return tr("expected correct links")
        return tr(
            "(sum of 1 / g^{gamma:g} over the records)", gamma=self.acceptance.gamma
        )


def has_alternative(project: Project) -> bool:
    """Whether the policy that a person chose joins neighbouring values."""
    return project.chosen is not None and bool(project.chosen.bits)


def fits(project: Project) -> bool:
    """Whether the chosen policy is of the values and people that are decided now.

    Only asked of a project that has one that joins neighbouring values.
    """
    chosen = project.chosen
    return chosen is not None and chosen.domains == domain_fingerprint(project)


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
        (risk, threshold), or those of `lay_ground`.

    Raises
    ------
    ConfigError
        Code ``chosen_policy_does_not_fit``.
    ResourceError
        As `lay_ground`.
    """
    acceptance, n_records = chosen.acceptance, classes.class_table.n_records
    assert acceptance is not None, "the project's schema asks for one"
    _, policy = bit_policy_from(chosen, project, classes)
    lowest = lowest_levels(project, classes.class_table)
    if any(chosen.levels.get(name, 0) < level for name, level in lowest.items()):
        # PRIVACY: as for policies of the lattice.
        outside = InfeasibleError("chosen_outside_limits")
        return Accepted(acceptance, n_records, problems=(outside,))
    if acceptance.by == "models":
        return Accepted(acceptance, n_records)
    words, is_modelled = population_words(classes)
    unknown = Accepted(acceptance, n_records, words, is_modelled)
    discover = project.discover
    if acceptance.baseline == "policy" and discover.policy is None:
        gone = ConfigError("acceptance_baseline_gone")
        return replace(unknown, problems=(gone,))
    as_then = discover.but(
        baseline=acceptance.baseline,
        policy=discover.policy if acceptance.baseline == "policy" else None,
        typed=acceptance.threshold if acceptance.baseline == "typed" else None,
        gamma=acceptance.gamma,
        mode=chosen.kind,
        levels=chosen.levels,
        preferences=(),
    )
    try:
        ground = lay_ground(project.but(discover=as_then), classes, monitor=monitor)
    except ConfigError as problem:
        several = tuple(getattr(problem, "problems", (problem,)))
        return replace(unknown, problems=several)
    risk, baseline = ground.measure.risk(policy.bits), ground.threshold
    assert baseline is not None, "only models have no threshold"
    rule = ground.baseline
    return replace(
        unknown,
        risk=risk,
        baseline_risk=baseline,
        raw_risk=ground.raw_risk,
        per_record=_per_record(ground, policy),
        rule=_rule_words(ground),
        changes_nothing=rule is not None and rule.is_identity,
        doubtful=(
            doubtful_elements(project) if acceptance.baseline == "safe_harbor" else ()
        ),
        problems=_problems(acceptance, risk, baseline),
    )


def _problems(
    acceptance: Acceptance, risk: float, baseline: float
) -> tuple[DeidError, ...]:
    stated = acceptance.threshold
    assert stated is not None
    found: list[DeidError] = []
    if abs(baseline - stated) > SAME * stated:
        before, now = risk_texts(stated, baseline)
        found.append(
            InfeasibleError(
                "acceptance_baseline_changed",
                baseline=tr(BASELINES[acceptance.baseline or "typed"]),
                stated=before,
                found=now,
            )
        )
    if risk > baseline * (1 + ROUNDING):
        own, limit = risk_texts(risk, baseline)
        found.append(
            InfeasibleError("acceptance_risk_higher", risk=own, threshold=limit)
        )
    return tuple(found)


def _per_record(ground: Ground, policy: BitPolicy) -> PerRecord | None:
    """Risk record by record under the policy and under its baseline."""
    baseline, cells = ground.baseline, ground.leaf_cells
    if baseline is None or baseline.n_suppressed:
        return None
    maps = as_policy(policy, "chosen").maps
    own = people_of_groups(cells, [each.groups for each in maps])
    rule = people_of_groups(cells, baseline.groups)
    gamma, is_same = ground.discover.gamma, np.isclose(own, rule, rtol=SAME, atol=0.0)
    return PerRecord(
        float((own**-gamma).max()),
        float((rule**-gamma).max()),
        int(cells.records[~is_same & (own < rule)].sum()),
        int(cells.records[~is_same & (own > rule)].sum()),
    )


def _rule_words(ground: Ground) -> tuple[tuple[str, str], ...]:
    """What the baseline does to each attribute; names no value of the file."""
    if ground.baseline is None:
        return ()
    elements = {}
    if ground.baseline.kind == "safe_harbor":
        elements = ground.discover.elements
    found = []
    for name, labels in zip(ground.attributes, ground.baseline.labels, strict=True):
        n_groups, n_values = len(set(labels)), len(labels)
        kind = elements[name].kind if name in elements else ""
        text = tr("kept in full")
        if n_groups == 1 < n_values:
            text = tr("removed")
        elif n_groups < n_values:
            text = tr(
                "{n_groups} of {n_values} values distinguished",
                n_groups=n_groups,
                n_values=n_values,
            )
            if kind in BY_ELEMENT:
                said = tr(BY_ELEMENT[kind], census=str(ground.discover.census))
                text = f"{said}: {text}"
        elif kind == "other":
            text = tr("kept in full: no identifier of the rule")
        found.append((name, text))
    return tuple(found)


def population_words(classes: Classes) -> tuple[str, bool]:
    """Whose people a risk is about, and whether their numbers are estimates."""
    known = classes.class_table.population
    if known is None:
        return tr(NOBODY), False
    if isinstance(known, SamplingFraction):
        share = f"{100 * known.fraction:.3g} %"
        return tr(
            "the records as a random sample of {share} of the population", share=share
        ), True
    if classes.people is not None:
        return classes.people.name, classes.people.is_modelled
    return tr("the population"), not known.is_counted
