"""What do the privacy models of a project ask of its columns and its population?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from deidgui.app.process import process_problems
from deidgui.app.project import Attribute, Project
from deidgui.engine.privacy import PrivacyModel, ProcessModel
from deidgui.errors import ConfigError, DeidError, raise_all
from deidgui.text import tr

if TYPE_CHECKING:
    from deidgui.engine.data.class_table import ClassTable


def sensitive_demands(project: Project) -> dict[str, bool]:
    """Return the sensitive attributes that privacy models ask about.

    Returns
    -------
    dict of str to bool
        In column order: whether a model asks for the attribute's hierarchy too.
        Models that cannot be read and columns that are not sensitive are left out.
    """
    wanted: dict[str, bool] = {}
    for model in project.privacy.models:
        if model.needs_sensitive:
            name = attribute_of(model)
            wanted[name] = wanted.get(name, False) or model.needs_hierarchy
    sensitive = project.with_role("sensitive")
    return {each.name: wanted[each.name] for each in sensitive if each.name in wanted}


def with_hierarchy(project: Project) -> tuple[Attribute, ...]:
    """Return the attributes that need a hierarchy.

    The quasi-identifiers, then the sensitive attributes whose hierarchy a privacy
    model asks for.
    """
    demands = sensitive_demands(project)
    asked = (project.attribute(name) for name, asks in demands.items() if asks)
    return (*project.quasi_identifiers, *asked)


def attribute_of(model: PrivacyModel) -> str:
    """Name of the sensitive attribute that a model protects; empty if none."""
    return str(getattr(model, "attribute", ""))


def model_problem(
    model: PrivacyModel, project: Project, class_table: ClassTable | None = None
) -> DeidError | None:
    """Say why a privacy model cannot be used; the first reason of several.

    Parameters
    ----------
    class_table : ClassTable, optional
        Of the present decisions; without it only the project is looked at.

    Returns
    -------
    DeidError or None
        Codes ``sensitive_undecided``, ``attribute_not_sensitive``,
        ``sensitive_hierarchy_missing``, ``population_missing``,
        ``population_not_counted``, those of reading the model, of
        `process_problems` and of `PrivacyModel.check`. Its parameter ``parameter``,
        if there is one, names the field.
    """
    problems = _problems(model, project)
    if problems:
        return problems[0]
    if class_table is not None:
        try:
            model.check(class_table)
        except DeidError as problem:
            return problem
    return None


def _problems(model: PrivacyModel, project: Project) -> list[DeidError]:
    """What a project lacks for a model, as far as nothing need be counted."""
    if model.problem is not None:
        return [model.problem]
    problems: list[DeidError] = []
    try:
        _check_decisions(model, project)
    except ConfigError as problem:
        problems.append(problem)
    if isinstance(model, ProcessModel):
        problems += process_problems(model, project)
    return problems


def _check_decisions(model: PrivacyModel, project: Project) -> None:
    """See that a project has what a model needs, before anything is counted."""
    if model.needs_sensitive:
        _check_attribute(model, project)
    kind = project.privacy.population.kind
    if kind == "none" and (model.needs_population or model.needs_counted_population):
        raise ConfigError("population_missing", model=tr(model.title))
    if kind == "sampling_fraction" and model.needs_counted_population:
        raise ConfigError("population_not_counted", model=tr(model.title))


def _check_attribute(model: PrivacyModel, project: Project) -> None:
    name, at = attribute_of(model), {"parameter": "attribute"}
    if not name:
        raise ConfigError("sensitive_undecided", model=tr(model.title), **at)
    sensitive = {each.name: each for each in project.with_role("sensitive")}
    if name not in sensitive:
        raise ConfigError(
            "attribute_not_sensitive", model=tr(model.title), attribute=name, **at
        )
    if model.needs_hierarchy and sensitive[name].hierarchy is None:
        raise ConfigError(
            "sensitive_hierarchy_missing", model=tr(model.title), attribute=name, **at
        )


def check_models(project: Project) -> list[DeidError]:
    """Return everything that keeps the models of a project from being used."""
    return [
        problem
        for each in project.privacy.models
        for problem in _problems(each, project)
    ]


def check_readable(project: Project) -> None:
    """See that every privacy model and the quality measure can be read.

    Raises
    ------
    ConfigError
        If a kind or parameter is unknown or out of range, all problems together.
    """
    declared = (*project.privacy.models, project.quality.measure)
    raise_all([each.problem for each in declared if each.problem is not None])
