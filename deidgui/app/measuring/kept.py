"""How do alternatives and policies of the lattice stand beside each other?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from deidgui.app.classes import Classes, population_words
from deidgui.app.measuring.measuring import QualityFigure, quality_figures
from deidgui.app.policies.acceptance import BASELINES, Accepted
from deidgui.app.policies.alternatives.basis import Basis, compute_basis
from deidgui.app.policies.alternatives.judging import judge
from deidgui.app.policies.alternatives.storing import policy_from
from deidgui.app.project import Chosen, Project
from deidgui.engine.discover.risk import risk_of_groups
from deidgui.engine.policy.policy import Policy
from deidgui.engine.policy.released import released_classes
from deidgui.engine.policy.words import Phrase, joined_text, phrases
from deidgui.errors import ConfigError
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor


@dataclass(frozen=True, repr=False, eq=False)
class KeptAlternative:
    """A policy of joined neighbours with the figures that policies are compared by.

    Parameters
    ----------
    quality : QualityFigure
        By the measure that guides the search.
    """

    chosen: Chosen
    policy: Policy
    accepted: Accepted
    n_records: int
    n_classes: int
    smallest_class: int
    quality: QualityFigure

    @property
    def phrases(self) -> tuple[Phrase, ...]:
        """What it does to each quasi-identifier."""
        return phrases(self.policy)

    @property
    def joined(self) -> tuple[str, ...]:
        """Which values are joined, by attribute, in brackets."""
        return tuple(map(joined_text, self.policy.maps))

    @property
    def average_risk(self) -> float:
        """Average risk of the prosecutor, in (0, 1]."""
        return self.n_classes / self.n_records

    @property
    def highest_risk(self) -> float:
        """Highest risk of the prosecutor, in (0, 1]."""
        return 1 / self.smallest_class


@dataclass(frozen=True, repr=False, eq=False)
class Links:
    """Risk among the people of the population, as alternatives are judged by.

    Parameters
    ----------
    risks : tuple of float
        Of each policy: sum of 1 / g^γ over the records that it releases.
    limit : float or None
        The same under the baseline of the project.
    baseline : str
        What the baseline is, in words; empty without one.
    population : str
        Whose people they are, in words.
    is_modelled : bool
        Whether their numbers are estimates, and no counts.
    """

    risks: tuple[float, ...]
    gamma: float
    limit: float | None
    baseline: str
    population: str
    is_modelled: bool


def links_of(
    project: Project,
    classes: Classes,
    policies: Sequence[Policy],
    *,
    monitor: Monitor = NULL_MONITOR,
) -> Links | None:
    """Measure any policies by the risk that alternatives are judged by.

    Parameters
    ----------
    policies : sequence of Policy
        Of one round each, for the same quasi-identifiers.

    Returns
    -------
    Links or None
        None if a decision is missing that the baseline needs.
    """
    discover = project.discover
    # Preferences do not touch the risk of a policy.
    bare = project.but(discover=discover.but(preferences=()))
    try:
        basis = compute_basis(bare, classes, monitor=SubMonitor(monitor, 0.0, 0.5))
    except ConfigError:
        return None
    risks = []
    for place, policy in enumerate(policies):
        monitor.report(0.5 + 0.5 * place / len(policies), "people")
        risks.append(_risk(basis, classes, policy))
    name = BASELINES.get(discover.baseline or "", "")
    words, is_modelled = population_words(classes)
    gamma, limit = discover.gamma, basis.threshold
    return Links(tuple(risks), gamma, limit, name, words, is_modelled)


def _risk(basis: Basis, classes: Classes, policy: Policy) -> float:
    """Risk of the records that a policy releases; nobody links a suppressed one."""
    released = released_classes(classes.class_table, policy)
    kept = ~released.suppressed[released.of_combination]
    groups = [each.groups for each in policy.maps]
    gamma = basis.discover.gamma
    return risk_of_groups(basis.leaf_cells, groups, gamma, released=kept)


def kept_alternatives(
    project: Project,
    classes: Classes,
    candidates: Sequence[Chosen],
    *,
    monitor: Monitor = NULL_MONITOR,
) -> tuple[KeptAlternative, ...]:
    """Measure some policies of joined neighbours.

    Parameters
    ----------
    candidates : sequence of Chosen
        Those of other kinds are left out, and those that do not fit any more.
    """
    found = []
    joined = [each for each in candidates if each.bits]
    for place, each in enumerate(joined):
        step = SubMonitor(monitor, place / len(joined), (place + 1) / len(joined))
        try:
            policy = policy_from(each, project, classes)
            accepted = judge(project, each, classes, monitor=step)
        except ConfigError:
            # Chosen for values or people of earlier decisions.
            continue
        released = released_classes(classes.class_table, policy)
        figures = quality_figures(project, classes.class_table, released)
        found.append(
            KeptAlternative(
                each,
                policy,
                accepted,
                classes.class_table.n_records,
                len(released.counts),
                int(released.counts.min()),
                figures[0],
            )
        )
    return tuple(found)
