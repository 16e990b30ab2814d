"""How large will a search be, which method can it use, and how long will it take?"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from deidgui.app.classes import Classes
from deidgui.app.policies.decisions import (
    allowed_levels,
    weights_of,
)
from deidgui.app.policies.lattice.searching import MOST_PROFILED
from deidgui.app.policies.source import Plan
from deidgui.app.project import Project
from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.privacy import PrivacyModel
from deidgui.engine.privacy.suppression import conditions_of
from deidgui.engine.search.bounds import Evaluator
from deidgui.engine.search.lattice import Lattice, lattice_of
from deidgui.engine.search.profile import expected_classes
from deidgui.engine.search.question import make_question
from deidgui.monitor import NULL_MONITOR, Monitor
from deidgui.text import tr

Method = Literal["profile", "optimum", "ola"]

MOST_TAGGED = 20_000_000
"""Policies that OLA can tag."""

VISITS_PER_SECOND = 2e8
"""Classes that two cores group in a second (measured on Adult and the sample)."""

JUDGED_PER_SECOND = 4e7
"""Classes that two cores group in a second if each of them must be judged."""

USUAL_POWERS = {"optimum": (0.38, 0.69), "ola": (0.41, 0.82)}
"""In nine of ten searches between n^low and n^high of n policies were looked at.

Measured on Adult with 5 to 12 quasi-identifiers, groups of 3, 10 and 100, limits of 0,
2 and 10 %, and for the optimum three measures: 189 and 38 searches.
"""

MOST_FORESEEN = 1_000_000
"""Policies up to which that was measured."""

SEARCH_OVERHEAD = 2.0
"""Time of a search over that of looking at so many random policies (measured there)."""

MEASURING_S, MOST_MEASURED = 0.3, 24
"""What is spent on measuring how long it takes to look at a policy."""


@dataclass(frozen=True)
class SearchPlan(Plan):
    """What a search of the lattice is going to do.

    Parameters
    ----------
    n_combinations : int
        Distinct combinations that each policy groups.
    wanted : str
        The method that is decided; `method` is the one that will be used.
    usual_nodes : tuple of (int, int) or None
        Policies that are then looked at usually; not of this table but of others.
        None if there are more policies than was measured.
    most_nodes : int or None
        Policies after which the search gives up at the latest, if it ever does.
    is_too_large : bool
        Whether there are too many policies to look at all of them.
    not_monotone : tuple of str
        Titles of the models for which OLA cannot be used.
    """

    n_policies: int
    n_combinations: int
    wanted: Method
    usual_nodes: tuple[int, int] | None
    most_nodes: int | None
    is_too_large: bool
    not_monotone: tuple[str, ...]
    is_too_large_for_ola: bool


def plan_search(project: Project, classes: Classes) -> SearchPlan:
    """Return what a search would do, without starting it.

    Raises
    ------
    ConfigError
        Code ``level_limits`` if an attribute has no allowed level.
    """
    class_table = classes.class_table
    limits = allowed_levels(project.quasi_identifiers, class_table)
    lattice = lattice_of(class_table.hierarchies, *limits)
    models = project.privacy.models
    wanted = project.search.method
    is_too_large = lattice.n_nodes > MOST_PROFILED
    used: Method = "optimum" if wanted == "profile" and is_too_large else wanted
    return SearchPlan(
        method=used,
        n_policies=lattice.n_nodes,
        n_combinations=class_table.n_classes,
        wanted=wanted,
        seconds=_seconds(class_table, lattice, models) if used == "profile" else None,
        usual_nodes=_usual_nodes(used, lattice.n_nodes),
        most_nodes=_most_nodes(used, project, lattice.n_nodes),
        is_too_large=is_too_large,
        not_monotone=_not_monotone(project, models),
        is_too_large_for_ola=lattice.n_nodes > MOST_TAGGED,
    )


def _seconds(
    class_table: ClassTable, lattice: Lattice, models: Sequence[PrivacyModel]
) -> float | None:
    """Estimate how long it takes to look at every policy; None if nobody can tell.

    Where the rows of people differ, how many sets of values there are at each policy is
    not known before.
    """
    if class_table.varying:
        return None
    visits = float(expected_classes(class_table, lattice).sum())
    rate = JUDGED_PER_SECOND if conditions_of(models) else VISITS_PER_SECOND
    return visits / rate


def _usual_nodes(used: Method, n_nodes: int) -> tuple[int, int] | None:
    """Policies that a search looks at usually, if that is known."""
    if used not in USUAL_POWERS or n_nodes > MOST_FORESEEN:
        return None
    low, high = USUAL_POWERS[used]
    return _round(n_nodes**low), _round(n_nodes**high)


def _round(number: float) -> int:
    """Round to one digit: no more of it is known."""
    return int(float(f"{number:.0e}"))


def _most_nodes(used: Method, project: Project, n_nodes: int) -> int | None:
    limit = project.search.most_nodes
    return limit if used == "optimum" and limit < n_nodes else None


def measure_node(
    project: Project, classes: Classes, *, monitor: Monitor = NULL_MONITOR
) -> float:
    """Measure how long a search takes for a policy of this very table.

    Parameters
    ----------
    project : Project
        With every decision made that a search needs.

    Returns
    -------
    float
        Seconds. Of random policies, so it varies; and which ones a search will look
        at is not known.

    Raises
    ------
    ConfigError
        As `deidgui.app.policies.lattice.searching.search`.
    """
    class_table = classes.class_table
    question = make_question(
        class_table,
        project.privacy.models,
        project.privacy.suppression_limit or 0.0,
        project.quality.measure,
        weights_of(project),
    )
    evaluator = Evaluator(
        class_table,
        question.every,
        question.limit_records,
        question.measure,
        question.weights,
    )
    limits = allowed_levels(project.quasi_identifiers, class_table)
    lattice = lattice_of(class_table.hierarchies, *limits)
    # The first one prepares what all others use.
    evaluator.evaluate(evaluator.bottom.raised(lattice.maximum))
    rng, taken = np.random.default_rng(project.search.seed), list[float]()
    while len(taken) < MOST_MEASURED and sum(taken) < MEASURING_S:
        monitor.report(len(taken) / MOST_MEASURED, "measuring")
        levels = rng.integers(lattice.minimum, np.array(lattice.maximum) + 1)
        start = time.perf_counter()
        evaluator.evaluate(evaluator.bottom.raised(tuple(levels.tolist())))
        taken.append(time.perf_counter() - start)
    return SEARCH_OVERHEAD * sum(taken) / len(taken)


def _not_monotone(project: Project, models: Sequence[PrivacyModel]) -> tuple[str, ...]:
    """Models for which a more general policy may fail where a less general holds."""
    suppresses = bool(project.privacy.suppression_limit)
    return tuple(
        tr(model.title)
        for model in models
        if not (
            model.monotone_suppression if suppresses else model.monotone_generalization
        )
    )
