"""Decisions on columns, with a proposed hierarchy wherever one becomes necessary."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from deidgui.app.loaded import Loaded
from deidgui.app.project import Attribute, HierarchyChoice, Project
from deidgui.app.reading.reading import propose_hierarchy
from deidgui.errors import ConfigError
from deidgui.monitor import NULL_MONITOR, Monitor

AT_ONCE = 2_000
"""Distinct values for which proposals take a few milliseconds in all."""

Wanted = Mapping[str, Mapping[str, Any]]
"""Fields of `Attribute` to change, by column."""

Proposals = Mapping[str, HierarchyChoice | None]


def role_change(role: str, treatment: str | None = None) -> dict[str, Any]:
    """Fields that go with a role; a direct identifier is removed by default."""
    is_direct = role == "direct_identifier"
    return {
        "role": role,
        "treatment": (treatment or "remove") if is_direct else None,
        "confirmed": True,
        "taken_over": False,
    }


def columns_in_need(project: Project, wanted: Wanted) -> tuple[Attribute, ...]:
    """Return the quasi-identifiers, as they will be, that need a new hierarchy.

    Those without one, those whose rule was made for values of another type, and those
    of which other texts are missing now (see `propose_hierarchies`). A hierarchy that
    was edited by hand is kept.

    Raises
    ------
    ConfigError
        Code ``attribute_unknown``.
    """
    known = {attribute.name: attribute for attribute in project.attributes}
    found = []
    for name, changes in wanted.items():
        if name not in known:
            raise ConfigError("attribute_unknown", attribute=name)
        before = known[name]
        if changes.get("role", before.role) == "quasi_identifier":
            after = before.but(**changes)
            if _needs_proposal(before, after) or _may_follow(before, after):
                found.append(after)
    return tuple(found)


def _needs_proposal(before: Attribute, after: Attribute) -> bool:
    if after.hierarchy is None:
        return True
    is_by_hand = after.hierarchy.csv is not None
    is_other_type = (before.kind, before.format) != (after.kind, after.format)
    return is_other_type and not is_by_hand


def _may_follow(before: Attribute, after: Attribute) -> bool:
    """Whether the rule is another one now if it is the proposed one."""
    choice = after.hierarchy
    return before.missing != after.missing and choice is not None and not choice.csv


def is_quick(loaded: Loaded, attributes: Iterable[Attribute]) -> bool:
    """Whether proposals for some columns need no worker thread."""
    columns = (loaded.table.column(attribute.name) for attribute in attributes)
    return sum(column.n_values for column in columns) <= AT_ONCE


def propose_hierarchies(
    loaded: Loaded,
    attributes: Iterable[Attribute],
    snapshot: Project,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> dict[str, HierarchyChoice | None]:
    """Propose a hierarchy for each of some columns.

    Parameters
    ----------
    attributes : iterable of Attribute
        As they will be.
    snapshot : Project
        As they are. A rule that somebody has set stays when other texts are missing.

    Returns
    -------
    dict of str to HierarchyChoice or None
        Without columns that keep theirs. None only for a column without rows.
    """
    every = tuple(attributes)
    found = {}
    for place, attribute in enumerate(every):
        monitor.report(place / len(every), "proposals")
        before = snapshot.attribute(attribute.name)
        proposal = propose_hierarchy(loaded, attribute)
        if not _needs_proposal(before, attribute):
            was_proposed = before.hierarchy == propose_hierarchy(loaded, before)
            if not was_proposed or proposal == before.hierarchy:
                continue
        found[attribute.name] = proposal
    return found


def decide(
    wanted: Wanted, proposals: Proposals, snapshot: Project
) -> Callable[[Project], Project]:
    """Return the decision: change columns and take their new hierarchies over.

    Parameters
    ----------
    proposals : mapping of str to HierarchyChoice or None
        New hierarchies; the limits on their levels are given up.
    snapshot : Project
        What the proposals were made for: a column that was changed since keeps
        the later decision.
    """
    earlier = {attribute.name: attribute for attribute in snapshot.attributes}

    def changed(attribute: Attribute) -> Attribute:
        name = attribute.name
        if name not in wanted or attribute != earlier.get(name):
            return attribute
        after = attribute.but(**wanted[name])
        if name not in proposals:
            return after
        return after.but(
            hierarchy=proposals[name], minimum_level=None, maximum_level=None
        )

    return lambda project: project.but(
        attributes=tuple(changed(attribute) for attribute in project.attributes)
    )
