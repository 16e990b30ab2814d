"""Which parts of a project differ, so that only what shows them is redrawn."""

from __future__ import annotations

import enum
import hashlib
import json
from typing import Any

from deidgui.app.demands import sensitive_demands
from deidgui.app.project import Project


class Changes(enum.Flag):
    """Parts of the program's state that can change."""

    NOTHING = 0
    DATA = enum.auto()
    ROLES = enum.auto()
    HIERARCHY = enum.auto()
    PRIVACY = enum.auto()
    QUALITY = enum.auto()
    SEARCH = enum.auto()
    CHOICE = enum.auto()
    EXPORT = enum.auto()
    NOTES = enum.auto()
    RESULT = enum.auto()
    FILE = enum.auto()
    DISCOVER = enum.auto()
    EVERYTHING = (
        DATA
        | ROLES
        | HIERARCHY
        | PRIVACY
        | QUALITY
        | SEARCH
        | CHOICE
        | EXPORT
        | NOTES
        | RESULT
        | FILE
        | DISCOVER
    )


def changes_between(old: Project, new: Project) -> Changes:
    """Return the parts that differ between two versions of a project."""
    changes = Changes.NOTHING
    if old.inputs != new.inputs or _data(old) != _data(new):
        changes |= Changes.DATA
    if _roles(old) != _roles(new):
        changes |= Changes.ROLES
    if _hierarchies(old) != _hierarchies(new):
        changes |= Changes.HIERARCHY
    plain = (
        ("privacy", Changes.PRIVACY),
        ("quality", Changes.QUALITY),
        ("search", Changes.SEARCH),
        ("discover", Changes.DISCOVER),
        ("chosen", Changes.CHOICE),
        ("kept", Changes.CHOICE),
        ("export", Changes.EXPORT),
        ("notes", Changes.NOTES),
        ("name", Changes.NOTES),
    )
    for field, flag in plain:
        if getattr(old, field) != getattr(new, field):
            changes |= flag
    return changes


def _data(project: Project) -> list[Any]:
    return [(a.name, a.kind, a.format, a.missing) for a in project.attributes]


def _roles(project: Project) -> list[Any]:
    return [
        (a.name, a.include, a.role, a.treatment, a.confirmed)
        for a in project.attributes
    ]


def _hierarchies(project: Project) -> list[Any]:
    return [
        (a.name, a.hierarchy, a.weight, a.minimum_level, a.maximum_level)
        for a in project.attributes
    ]


def class_fingerprint(project: Project) -> str:
    """Fingerprint of all that decides the classes of records.

    Returns
    -------
    str
        Equal for two projects exactly if the same file is read in the same way,
        with the same quasi-identifiers and hierarchies, models ask about the same
        sensitive attributes, and the same is known about the population.
    """
    return _digest(
        [
            [i.model_dump(exclude={"file", "name"}) for i in project.inputs],
            [
                a.model_dump(include={"name", "kind", "format", "missing", "hierarchy"})
                for a in project.quasi_identifiers
            ],
            _sensitive(project),
            _population(project),
        ]
    )


def _sensitive(project: Project) -> list[Any]:
    """Return what decides the distributions of sensitive attributes."""
    if not project.privacy.models:
        return []
    found = []
    for name, asks_for_hierarchy in sensitive_demands(project).items():
        decided = project.attribute(name).model_dump(
            include={"name", "missing", "hierarchy"}
        )
        found.append(decided if asks_for_hierarchy else {**decided, "hierarchy": None})
    return found


def _models(project: Project) -> list[Any]:
    return [each.to_json() for each in project.privacy.models]


def _population(project: Project) -> dict[str, Any]:
    """Return what decides the people in each class."""
    population, quasi = project.privacy.population, project.quasi_identifiers
    decided = population.model_dump(
        exclude={"file": {"file", "name"}, "columns": True, "matches": True}
    )
    if population.file is not None:
        decided["columns"] = [population.column_of(each.name) for each in quasi]
    if population.file is not None or population.tables:
        # A confirmed mapping is a file whose name tells its content.
        decided["matches"] = [
            match and match.model_dump()
            for match in (population.matches.get(each.name) for each in quasi)
        ]
        # What a column is about decides how its values are read.
        decided["topics"] = [each.topic for each in quasi]
    return decided


def search_fingerprint(project: Project) -> str:
    """Fingerprint of all that decides the outcome of a search."""
    return _digest(
        [
            class_fingerprint(project),
            _models(project),
            project.privacy.suppression_limit,
            project.quality.model_dump(),
            project.search.model_dump(),
            [
                (a.name, a.weight, a.minimum_level, a.maximum_level)
                for a in project.quasi_identifiers
            ],
        ]
    )


def domain_fingerprint(project: Project) -> str:
    """Fingerprint of all that decides the values that a bit-string joins."""
    return _digest(
        [
            [i.model_dump(exclude={"file", "name"}) for i in project.inputs],
            [
                a.model_dump(include={"name", "kind", "format", "missing", "hierarchy"})
                for a in project.quasi_identifiers
            ],
            _population(project),
        ]
    )


def discovery_fingerprint(project: Project) -> str:
    """Fingerprint of all that decides which alternatives are discovered.

    Preferences that are not demanded only put them in order.
    """
    discover = project.discover
    demanded = [each for each in discover.preferences if each.is_demanded]
    # What a policy suppresses is decided by the models too.
    asks_models = discover.baseline in ("models", "policy")
    return _digest(
        [
            class_fingerprint(project),
            discover.model_dump(exclude={"preferences"}),
            [each.model_dump() for each in demanded],
            _models(project) if asks_models else [],
            [each.minimum_level for each in project.quasi_identifiers],
        ]
    )


def measurement_fingerprint(project: Project) -> str:
    """Fingerprint of all that decides the figures of the chosen policy."""
    return _digest(
        [
            search_fingerprint(project),
            project.privacy.model_dump(),
            project.chosen.model_dump() if project.chosen else None,
            _acceptance(project),
        ]
    )


def _acceptance(project: Project) -> list[Any]:
    """Return what decides whether a discovered policy is still acceptable."""
    chosen, discover = project.chosen, project.discover
    if chosen is None or chosen.acceptance is None or chosen.acceptance.by != "risk":
        return []
    policy = discover.policy.model_dump() if discover.policy else None
    elements = {name: each.model_dump() for name, each in discover.elements.items()}
    return [policy, discover.census, elements]


def release_fingerprint(project: Project) -> str:
    """Fingerprint of all that decides the released files."""
    return _digest(
        [
            measurement_fingerprint(project),
            [a.model_dump() for a in project.attributes],
            # Evidence and report state both.
            (project.name, project.notes),
            project.export.model_dump(),
        ]
    )


def _digest(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()
