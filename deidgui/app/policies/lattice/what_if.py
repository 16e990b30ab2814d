"""Finds what other thresholds would give."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from deidgui.app.classes import Classes
from deidgui.app.policies.decisions import (
    allowed_levels,
    kept_levels,
    weights_of,
)
from deidgui.app.policies.lattice.policies import LatticePolicies
from deidgui.app.policies.lattice.searching import with_proof
from deidgui.app.project import Project
from deidgui.engine.privacy import HighestProsecutorRisk, KAnonymity, PrivacyModel
from deidgui.engine.privacy.suppression import Roles
from deidgui.engine.search.branch_and_bound import Optimum, find_optimum
from deidgui.engine.search.lattice import lattice_of
from deidgui.engine.search.question import make_question
from deidgui.engine.search.whole_lattice import (
    SearchResult,
    is_within_reach,
    search_lattice,
    what_if,
)
from deidgui.errors import DeidError
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

MOST_ANEW = 20_000
"""Policies that a question is worth which only a new search can answer."""

MOST_KEPT = 4
"""Policies that can be compared side by side."""


def _highest_risk_of(k: int) -> PrivacyModel:
    return HighestProsecutorRisk(threshold=1 / k)


FOR_SIZE: Mapping[str, Callable[[int], PrivacyModel]] = {
    KAnonymity.kind: KAnonymity,
    HighestProsecutorRisk.kind: _highest_risk_of,
}
"""By kind: the model that asks for groups of at least k records."""


def group_size(models: Sequence[PrivacyModel]) -> int:
    """Smallest group that some models ask for; 1 if none asks for one.

    Models that ask for no fixed size (an average risk) do not count.
    """
    return max((model.depth for model in models if model.kind in FOR_SIZE), default=1)


def with_group_size(models: Sequence[PrivacyModel], k: int) -> tuple[PrivacyModel, ...]:
    """Return models that ask for groups of k records, the others unchanged.

    Parameters
    ----------
    k : int, >= 1
        1 leaves the models as they are if none asks for a size.

    Returns
    -------
    tuple of PrivacyModel
        With k-anonymity added if no model asks for a size.
    """
    if any(model.kind in FOR_SIZE for model in models):
        return tuple(
            FOR_SIZE[model.kind](k) if model.kind in FOR_SIZE else model
            for model in models
        )
    return (*models, KAnonymity(k)) if k > 1 else tuple(models)


def sizes_to_ask(found: LatticePolicies) -> list[int]:
    """Group sizes from 2 to 100 that a profile can answer for, ascending."""
    return [int(size) for size in found.profile.ladder if 2 <= size <= 100]


def can_answer(found: LatticePolicies, models: Sequence[PrivacyModel]) -> bool:
    """Whether a search's profile can tell what other models lead to.

    It can for models that go by class size as far as it tells sizes apart, beside
    the same models of other kinds.
    """
    roles, profile = Roles.of(models), found.profile
    if not models or roles.by_release:
        return False
    if set(roles.by_class) != set(profile.conditions):
        return False
    sizes = {each.depth for each in roles.by_size}
    sizes.update(size for each in roles.by_size_order for size in each.ladder)
    return sizes <= set(profile.ladder.tolist())


def can_ask(found: LatticePolicies, k: int) -> bool:
    """Whether a search's profile can tell what a group size leads to."""
    return can_answer(found, with_group_size(found.models, k))


def _reaches(
    found: LatticePolicies, models: Sequence[PrivacyModel], limit: float
) -> bool:
    """Whether no policy that was skipped can meet some thresholds."""
    table, measure = found.profile.class_table, found.guiding
    question = make_question(table, models, limit, measure, found.weights)
    return is_within_reach(found.profile, question)


def ask(
    found: LatticePolicies,
    models: Sequence[PrivacyModel],
    limit: float,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> LatticePolicies:
    """Return what other thresholds lead to, from the profile alone.

    Parameters
    ----------
    models : sequence of PrivacyModel
        `can_answer` holds for them.
    limit : float in [0, 1]

    Returns
    -------
    LatticePolicies
        What was proven for a larger lattice, and for the thresholds of the search,
        is not said of others.

    Raises
    ------
    ConfigError
        Codes ``k_not_in_profile``, ``conditions_not_in_profile``.
    """
    models = tuple(models)
    if models == found.models and limit == found.limit:
        return found
    result = what_if(
        found.profile,
        models,
        limit,
        found.guiding,
        found.weights,
        preferred=found.keeping,
        monitor=monitor,
    )
    proof = _unproven(found, result)
    return LatticePolicies(result, models, found.guiding, found.weights, limit, proof)


def best_anew(
    found: LatticePolicies,
    models: Sequence[PrivacyModel],
    limit: float,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> Optimum:
    """Find the best candidate for thresholds that the profile cannot answer for.

    Parameters
    ----------
    found : LatticePolicies
        All policies that its decisions allow are searched, under its measure and
        weights; its candidates, if these are all that is known.
    limit : float in [0, 1]

    Raises
    ------
    ConfigError, InputError
        As `find_optimum`.
    """
    lattice = found.whole or found.lattice
    return find_optimum(
        found.profile.class_table,
        tuple(models),
        limit,
        found.guiding,
        found.weights,
        dict(zip(found.attributes, lattice.minimum, strict=True)),
        dict(zip(found.attributes, lattice.maximum, strict=True)),
        preferred=found.keeping,
        most_nodes=MOST_ANEW,
        monitor=monitor,
    )


def answer(
    found: LatticePolicies,
    models: Sequence[PrivacyModel],
    limit: float,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> LatticePolicies:
    """Return what other thresholds lead to, by a search of its own if need be.

    Parameters
    ----------
    limit : float in [0, 1]

    Returns
    -------
    LatticePolicies
        From the profile where `can_answer` holds and every policy is known; at once for
        the thresholds that are decided. Otherwise of one policy: the best
        candidate, or the nearest if none meets the thresholds.

    Raises
    ------
    ConfigError, InputError
        As `find_optimum`.
    """
    models = tuple(models)
    if models == found.models and limit == found.limit:
        return found
    is_known = found.is_whole or found.whole is None
    if can_answer(found, models) and is_known and _reaches(found, models, limit):
        return ask(found, models, limit, monitor=monitor)
    best = best_anew(found, models, limit, monitor=SubMonitor(monitor, 0.0, 0.9))
    levels = dict(zip(found.attributes, best.levels or best.nearest, strict=True))
    table, measure, weights = found.profile.class_table, found.guiding, found.weights
    result = search_lattice(
        table,
        models,
        limit,
        measure,
        weights,
        levels,
        levels,
        preferred=found.keeping,
    )
    if (found.whole or found.lattice).n_nodes < found.n_nodes:
        best = replace(best, n_nodes=found.n_nodes, gap=None, is_proven=False)
    return LatticePolicies(result, models, measure, weights, limit, best)


def _unproven(found: LatticePolicies, result: SearchResult) -> Optimum | None:
    """What is known of a larger lattice under other thresholds than it was searched.

    Nothing is missing if every policy of it was looked at.
    """
    if found.optimality is None or found.lattice.n_nodes == found.optimality.n_nodes:
        return None
    best, nearest = result.optimum, result.nearest
    assert nearest is not None
    return Optimum(
        levels=None if best is None else result.lattice.levels_of(best),
        loss=None if best is None else float(result.loss[best]),
        n_suppressed=None if best is None else int(result.suppressed[best]),
        gap=None,
        is_proven=False,
        nearest=result.lattice.levels_of(nearest),
        n_nearest=int(result.suppressed[nearest]),
        n_nodes=found.optimality.n_nodes,
        n_looked_at=found.optimality.n_looked_at,
    )


# After decisions have changed


def can_renew(
    project: Project, classes: Classes | None, found: LatticePolicies
) -> bool:
    """Whether a search's profile still answers for the decisions of now.

    It does while records, hierarchies and allowed levels are the same, and the
    profile covers all that they allow: limit, measure, weights and models that go by
    class size are applied afterwards.
    """
    if classes is None or classes.class_table is not found.profile.class_table:
        return False
    if project.search.method == "ola" or not found.profile.is_settled:
        return False
    lattice, quasi = found.lattice, project.quasi_identifiers
    try:
        limits = allowed_levels(quasi, classes.class_table)
        now = lattice_of(found.hierarchies, *limits)
    except DeidError:
        return False
    is_same = now.minimum == lattice.minimum and now.maximum == lattice.maximum
    models, limit = project.privacy.models, project.privacy.suppression_limit or 0.0
    return is_same and can_answer(found, models) and _reaches(found, models, limit)


def renewed(
    project: Project, found: LatticePolicies, *, monitor: Monitor = NULL_MONITOR
) -> LatticePolicies:
    """Return what a new search would find, from the profile of an earlier one.

    Parameters
    ----------
    project : Project
        `can_renew` holds for it.

    Raises
    ------
    ConfigError
        As `deidgui.app.policies.lattice.searching.search`.
    """
    models, measure = project.privacy.models, project.quality.measure
    weights, limit = weights_of(project), project.privacy.suppression_limit or 0.0
    result = what_if(
        found.profile,
        models,
        limit,
        measure,
        weights,
        preferred=kept_levels(project, found.profile.class_table),
        monitor=SubMonitor(monitor, 0.0, 0.5),
    )
    known = LatticePolicies(result, models, measure, weights, limit)
    return with_proof(project, known, monitor=SubMonitor(monitor, 0.5, 1.0))
