"""What do privacy models, a search and a link ask of the decisions of a project?"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from deidgui.app.project import Attribute, Project
from deidgui.engine.privacy import PrivacyModel, ProcessModel, SizeModel
from deidgui.errors import ConfigError, DeidError, raise_all
from deidgui.text import per_cent, tr, unit_words

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
            "attribute_not_sensitive",
            model=tr(model.title),
            kind=model.kind,
            attribute=name,
            **at,
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


# -- promises about the process --------------------------------------------------------

SAMPLE_TOLERANCE = 1e-12
"""Keeps a half at or below 1 - exp(-ln 2) whatever the rounding."""


def process_problems(model: ProcessModel, project: Project) -> list[ConfigError]:
    """Return why a model that is a promise about the process does not hold for one.

    Returns
    -------
    list of ConfigError
        Codes ``process_columns``, ``process_levels``, ``process_sample_unknown``,
        ``process_sample_too_large``, ``process_limit``, ``process_models``,
        ``process_rounds``, ``process_choice``, ``process_suppressed`` and
        ``process_order``. What is not decided yet is no problem here.

    Notes
    -----
    The proof counts records that are released alike in every column, under a rule
    that is the same for all data. Suppressed records must leave no trace: with one
    class below k the number of suppressed records tells for certain that one of its
    people was sampled. For the same reason the rows may not stand in their order.

    References
    ----------
    .. [1] N. Li, W. Qardaji, D. Su (2012), *On sampling, anonymization, and
       differential privacy*, ASIACCS, theorem 1; methods.md B.5.
    """
    checks = (_columns, _levels, _sample, _limit, _rounds, _suppressed, _order, _models)
    found = [problem for check in checks for problem in check(model, project)]
    return found or list(_choice(model, project))


def decided_level(attribute: Attribute) -> int | None:
    """Return the one level that a quasi-identifier may have; None if several."""
    lowest = attribute.minimum_level or 0
    return lowest if lowest == attribute.maximum_level else None


def _columns(model: ProcessModel, project: Project) -> Iterator[ConfigError]:
    """Every released column must be part of what makes a class."""
    kept = project.with_role("sensitive", "insensitive")
    direct = project.with_role("direct_identifier")
    changed = [each for each in direct if not each.is_removed]
    names = {each.name for each in (*kept, *changed)}
    if names:
        yield ConfigError(
            "process_columns",
            model=tr(model.title),
            n_columns=len(names),
            columns=tuple(a.name for a in project.attributes if a.name in names),
        )


def _levels(model: ProcessModel, project: Project) -> Iterator[ConfigError]:
    """Nothing may be left for a search to find out from the data."""
    quasi = project.quasi_identifiers
    names = tuple(each.name for each in quasi if decided_level(each) is None)
    if names:
        yield ConfigError(
            "process_levels", model=tr(model.title), n_columns=len(names), columns=names
        )


def _sample(model: ProcessModel, project: Project) -> Iterator[ConfigError]:
    """Each person must have had a good chance not to be among the records."""
    fraction, most = project.privacy.population.sampling_fraction, model.most_sampled
    stated = {
        "model": tr(model.title),
        "most": _percent(most),
        "draw": f"{math.floor(most * 1e6) / 1e6:.6g}",
    }
    if fraction is None:
        yield ConfigError("process_sample_unknown", **stated)
    elif fraction > most + SAMPLE_TOLERANCE:
        found = per_cent(fraction, 6)
        yield ConfigError("process_sample_too_large", found=found, **stated)


def _percent(share: float) -> str:
    """Write a share as a percentage that is not more, as finely as it is typed."""
    return per_cent(math.floor(share * 1e6) / 1e6, 6)


def _limit(model: ProcessModel, project: Project) -> Iterator[ConfigError]:
    """Whether there is a release must not tell how many records are suppressed."""
    limit = project.privacy.suppression_limit
    if limit is not None and limit < 1:
        found = per_cent(limit, 6)
        yield ConfigError("process_limit", model=tr(model.title), found=found)


def _models(model: ProcessModel, project: Project) -> Iterator[ConfigError]:
    """Beside it, records are suppressed for nothing but the size of their class."""
    others = dict.fromkeys(
        tr(each.title)
        for each in project.privacy.models
        if not isinstance(each, SizeModel) and each.problem is None
    )
    if others:
        yield ConfigError("process_models", model=tr(model.title), others=tuple(others))


def _rounds(model: ProcessModel, project: Project) -> Iterator[ConfigError]:
    """What is suppressed may not be searched again."""
    if project.search.local_recoding:
        yield ConfigError("process_rounds", model=tr(model.title))


def _suppressed(model: ProcessModel, project: Project) -> Iterator[ConfigError]:
    """How many records are suppressed must not be told."""
    if project.export.suppressed == "stars":
        yield ConfigError("process_suppressed", model=tr(model.title))


def _order(model: ProcessModel, project: Project) -> Iterator[ConfigError]:
    """Where the suppressed records stood must not be told."""
    export = project.export
    if not export.shuffle or export.shuffle_seed is not None:
        yield ConfigError("process_order", model=tr(model.title))


def _choice(model: ProcessModel, project: Project) -> Iterator[ConfigError]:
    """A policy that was chosen must be the one that was decided."""
    chosen = project.chosen
    if chosen is None:
        return
    decided = {each.name: decided_level(each) for each in project.quasi_identifiers}
    depth = max(each.depth for each in project.privacy.models)
    is_decided = chosen.kind == "lattice" and chosen.suppress_below == depth
    if not is_decided or chosen.levels != decided:
        yield ConfigError("process_choice", model=tr(model.title))


def undecided_columns(project: Project) -> list[DeidError]:
    """Return what is still open about the columns before classes can be counted.

    Codes ``role_missing``, ``no_quasi_identifier`` and ``hierarchy_missing``.
    """
    problems: list[DeidError] = [
        ConfigError("role_missing", attribute=attribute.name)
        for attribute in project.attributes
        if attribute.include and attribute.role is None
    ]
    if not project.quasi_identifiers:
        problems.append(ConfigError("no_quasi_identifier"))
    problems += [
        ConfigError("hierarchy_missing", attribute=attribute.name)
        for attribute in project.quasi_identifiers
        if attribute.hierarchy is None
    ]
    return problems


def search_problems(project: Project) -> list[DeidError]:
    """Return the decisions that a search needs and that have not been made.

    Codes ``role_missing``, ``no_quasi_identifier``, ``hierarchy_missing``,
    ``events_need_longitudinal``, ``no_privacy_model``, ``no_suppression_limit`` and
    those of the models and the measure.
    """
    problems = undecided_columns(project)
    if project.privacy.events is not None:
        # This search takes everything that the rows of a person show to be known.
        problems.append(ConfigError("events_need_longitudinal"))
    if not project.privacy.models:
        problems.append(ConfigError("no_privacy_model"))
    if project.privacy.suppression_limit is None:
        unit = unit_words(project.key is not None)
        problems.append(ConfigError("no_suppression_limit", unit=unit))
    problems += check_models(project)
    if project.quality.measure.problem is not None:
        problems.append(project.quality.measure.problem)
    return problems


def link_problems(project: Project) -> list[DeidError]:
    """Return what is open about the link before anything is released.

    Codes ``link_orphans``, ``link_key_hidden`` and ``link_stars``.
    """
    link = project.link
    if link is None:
        return []
    is_open = [e for e in project.links if e.n_left_out and e.orphans is None]
    problems: list[DeidError] = []
    if is_open:
        n_orphans = sum(each.n_orphans for each in is_open)
        n_keyless = sum(each.n_keyless for each in is_open)
        problems.append(
            ConfigError("link_orphans", n_orphans=n_orphans, n_keyless=n_keyless)
        )
    key = project.attribute(link.column)
    if not (
        key.include and key.role == "direct_identifier" and key.treatment == "pseudonym"
    ):
        # PRIVACY: without a pseudonym in both nobody can put the files together, and
        # who checks the release could not count people.
        problems.append(ConfigError("link_key_hidden", attribute=link.column))
    if project.export.suppressed == "stars":
        problems.append(ConfigError("link_stars"))
    return problems
