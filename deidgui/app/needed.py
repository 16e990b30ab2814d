"""What decisions does a search or a release need that nobody has made yet?

PERF: whoever is refused for what is open waits for no engine.
"""

from __future__ import annotations

from deidgui.app.demands import link_problems, search_problems
from deidgui.app.determination.determination import events_problem
from deidgui.app.determination.validity import validity_problem
from deidgui.app.policies.acceptance import lacks_population
from deidgui.app.policies.source import ALTERNATIVES, LATTICE, main_kind
from deidgui.app.policies.source import source as policy_source
from deidgui.app.project import Project
from deidgui.errors import ConfigError, DeidError, raise_all

OF_BLOCKS = (
    "blocks_attributes",
    "blocks_cells_refused",
    "blocks_need_model",
    "blocks_size",
)
"""Codes of problems that only a search by blocks has."""


def problems_of_search(project: Project, kind: str | None = None) -> list[DeidError]:
    """Return what a source of policies needs and that has not been decided.

    Parameters
    ----------
    kind : str, optional
        Of the source; the `main_kind` of the project, if not given.
    """
    kind = kind or main_kind(project)
    if kind == LATTICE:
        return search_problems(project)
    problems: list[DeidError] = policy_source(kind).problems(project)
    return problems


def check_candidates(project: Project) -> None:
    """See that the sources can run that look for candidates of a project.

    With a baseline also alternatives to it are discovered, or only these while no
    privacy model is decided.

    Raises
    ------
    ConfigError
        As the sources' problems, those of each source together.
    """
    if looks_for_models(project):
        raise_all(problems_of_search(project))
    if project.discover.baseline is not None:
        raise_all(problems_of_search(project, ALTERNATIVES))


def check_attackable(project: Project) -> None:
    """See that there is a policy to attack, or one can be searched.

    Raises
    ------
    ConfigError
        As the problems of the source, all together.
    """
    if project.chosen is None:
        raise_all(problems_of_search(project))


def looks_for_models(project: Project) -> bool:
    """Whether more is looked for than alternatives to a baseline."""
    decided = project.privacy.models or project.privacy.events is not None
    return bool(decided) or project.discover.baseline is None


def check_release(project: Project) -> None:
    """See that every decision that a release needs has been made.

    Raises
    ------
    ConfigError
        Codes ``header_undecided``, ``role_unconfirmed``, ``protection_undecided``,
        ``format_undecided`` and ``context_events``, those of `link_problems`, of
        `validity_problem` and of the `main_kind` of search, and code
        ``no_suppressed_choice``, all problems together. A discovered policy suppresses
        nothing: it needs neither of the choices about suppressed records, nor privacy
        models if it was accepted by its risk. Code ``joined_suppresses`` if it is
        stored with records to suppress, and ``acceptance_lacks_population`` if nothing
        but a comparison without a population speaks for it.
    """
    problems = unconfirmed_roles(project) + undecided_formats(project)
    problems[:0] = link_problems(project)
    beyond_context = events_problem(project)
    if beyond_context is not None:
        problems.append(beyond_context)
    # PRIVACY: what was determined holds for a time, and no reason overrules its end.
    not_valid = validity_problem(project)
    if not_valid is not None:
        problems.insert(0, not_valid)
    if project.unit is None:
        # First: a key is a direct identifier, and its role is then decided too.
        problems.insert(0, ConfigError("protection_undecided"))
    if any(each.header_in_doubt for each in project.inputs):
        # Before all: without its header a file has other columns.
        problems.insert(0, ConfigError("header_undecided"))
    problems += problems_of_search(project)
    if project.export.suppressed is None and not _suppresses_nobody(project):
        problems.append(ConfigError("no_suppressed_choice"))
    chosen = project.chosen
    if chosen is not None:
        # How another policy would be looked for does not matter.
        problems = [each for each in problems if each.code not in OF_BLOCKS]
    if chosen is not None and chosen.acceptance is not None:
        not_needed = {"no_suppression_limit", "no_suppressed_choice"}
        if chosen.acceptance.by == "risk":
            not_needed.add("no_privacy_model")
        if lacks_population(project, chosen) and not project.privacy.models:
            problems.append(ConfigError("acceptance_lacks_population"))
        problems = [each for each in problems if each.code not in not_needed]
        if chosen.suppress_below > 1:
            problems.append(ConfigError("joined_suppresses"))
    raise_all(problems)


def _suppresses_nobody(project: Project) -> bool:
    """Whether the policy is one of a longitudinal search."""
    chosen = project.chosen
    is_found = chosen is None or chosen.kind == "longitudinal"
    return project.privacy.events is not None and is_found


def problems_of(project: Project) -> tuple[DeidError, ...]:
    """Return every decision that a release needs and that has not been made."""
    try:
        check_release(project)
    except ConfigError as error:
        return getattr(error, "problems", (error,))
    return ()


def unconfirmed_roles(project: Project) -> list[DeidError]:
    """Return the columns whose proposed role no person has confirmed.

    Columns that are left out do not leave the house; those without a role are told
    by the search. Codes ``role_unconfirmed``.
    """
    return [
        ConfigError("role_unconfirmed", attribute=each.name, role=each.role)
        for each in project.attributes
        if each.include and each.role is not None and not each.confirmed
    ]


def undecided_formats(project: Project) -> list[DeidError]:
    """Return the columns whose values can be read in two ways, where it matters.

    Quasi-identifiers are grouped by what is read, and sensitive values are compared
    by it. Codes ``format_undecided``.
    """
    return [
        ConfigError("format_undecided", attribute=each.name, known=each.open_formats)
        for each in project.with_role("quasi_identifier", "sensitive")
        if each.open_formats
    ]
