"""How large will a search be, which method can it use, and how long will it take?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from deidgui.app.project import Project
from deidgui.app.tasks.classes import Classes
from deidgui.app.tasks.searching import (
    MOST_PROFILED,
    allowed_levels,
    decided_models,
)
from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.privacy import PrivacyModel
from deidgui.engine.privacy.withholding import conditions_of
from deidgui.engine.search.lattice import Lattice, lattice_of
from deidgui.engine.search.profile import expected_classes
from deidgui.errors import ConfigError

Method = Literal["profile", "optimum", "ola"]

MOST_TAGGED = 20_000_000
"""Policies that OLA can tag."""

VISITS_PER_SECOND = 2e8
"""Classes that two cores group in a second (measured on Adult and the sample)."""

JUDGED_PER_SECOND = 4e7
"""Classes that two cores group in a second if each of them must be judged."""


@dataclass(frozen=True)
class SearchPlan:
    """What a search is going to do.

    Parameters
    ----------
    n_nodes : int
        Policies.
    n_combinations : int
        Distinct combinations that each of them groups.
    wanted, used : str
        The method that is decided and the one that will be used.
    seconds : float or None
        Estimated duration on two cores; None if the data decide.
    is_too_large : bool
        Whether there are too many policies to look at all of them.
    not_monotone : tuple of str
        Titles of the models for which OLA cannot be used.
    is_too_large_for_ola : bool
    """

    n_nodes: int
    n_combinations: int
    wanted: Method
    used: Method
    seconds: float | None
    is_too_large: bool
    not_monotone: tuple[str, ...]
    is_too_large_for_ola: bool


def plan_search(project: Project, classes: Classes) -> SearchPlan:
    """Return what a search would do, without starting it.

    Parameters
    ----------
    project : Project
    classes : Classes

    Returns
    -------
    SearchPlan

    Raises
    ------
    ConfigError
        Code ``level_limits`` if an attribute has no allowed level.
    """
    class_table = classes.class_table
    limits = allowed_levels(project.quasi_identifiers, class_table)
    lattice = lattice_of(class_table.hierarchies, *limits)
    models = _readable_models(project)
    wanted = project.search.method
    is_too_large = lattice.n_nodes > MOST_PROFILED
    used: Method = "optimum" if wanted == "profile" and is_too_large else wanted
    return SearchPlan(
        n_nodes=lattice.n_nodes,
        n_combinations=class_table.n_classes,
        wanted=wanted,
        used=used,
        seconds=None if used != "profile" else _seconds(class_table, lattice, models),
        is_too_large=is_too_large,
        not_monotone=_not_monotone(project, models),
        is_too_large_for_ola=lattice.n_nodes > MOST_TAGGED,
    )


def _readable_models(project: Project) -> tuple[PrivacyModel, ...]:
    try:
        return decided_models(project)
    except ConfigError:  # told on the page of thresholds
        return ()


def _seconds(
    class_table: ClassTable, lattice: Lattice, models: Sequence[PrivacyModel]
) -> float:
    """Estimate how long it takes to look at every policy."""
    visits = float(expected_classes(class_table, lattice).sum())
    rate = JUDGED_PER_SECOND if conditions_of(models) else VISITS_PER_SECOND
    return visits / rate


def _not_monotone(project: Project, models: Sequence[PrivacyModel]) -> tuple[str, ...]:
    """Models for which a more general policy may fail where a less general holds."""
    withholds = bool(project.privacy.suppression_limit)
    return tuple(
        model.title
        for model in models
        if not (
            model.monotone_suppression if withholds else model.monotone_generalization
        )
    )
