"""Which parts of two projects differ, and which results rest on the same decisions."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, reduce
from operator import or_
from typing import Any, TypeVar, get_args

from pydantic import BaseModel

from deidgui.app.decides import Changes, Decides, Only
from deidgui.app.demands import sensitive_demands
from deidgui.app.determination.determination import allowed_risks
from deidgui.app.project import (
    AttackChoice,
    Attribute,
    Comparison,
    Counts,
    CountTableChoice,
    Discover,
    InputFile,
    LinkChoice,
    PopulationChoice,
    Privacy,
    Project,
    Threshold,
)
from deidgui.engine.evidence.entered import Part

DECLARING = (
    Project,
    InputFile,
    LinkChoice,
    Attribute,
    Privacy,
    Threshold,
    PopulationChoice,
    Discover,
    AttackChoice,
    Comparison,
    Counts,
    CountTableChoice,
)
"""Parts whose fields decide different results."""

Mark = TypeVar("Mark")


@cache
def marks_of(part: type[BaseModel], mark: type[Mark]) -> Mapping[str, tuple[Mark, ...]]:
    """Return what the fields of a part are annotated with, by name."""
    return {
        name: tuple(each for each in field.metadata if isinstance(each, mark))
        for name, field in part.model_fields.items()
    }


def changes_between(old: Project, new: Project) -> Changes:
    """Return the parts that differ between two versions of a project."""
    changes = Changes.NOTHING
    for name, shown in marks_of(Project, Changes).items():
        if getattr(old, name) != getattr(new, name):
            changes |= shown[0]
    return changes | _changes_of_columns(old.attributes, new.attributes)


def _changes_of_columns(old: Sequence[Attribute], new: Sequence[Attribute]) -> Changes:
    """Return the parts that differ between two versions of the columns."""
    parts, changes = marks_of(Attribute, Changes), Changes.NOTHING
    if len(old) != len(new):
        return reduce(or_, (shown[0] for shown in parts.values()), changes)
    names = list(parts)
    for before, after in zip(old, new, strict=True):
        if before is after:
            continue
        for name in [n for n in names if getattr(before, n) != getattr(after, n)]:
            changes |= parts[name][0]
            names = [each for each in names if parts[each][0] not in changes]
    return changes


def fingerprint(project: Project, result: Decides) -> str:
    """Fingerprint of all that decides a result, as the fields of a project declare.

    Parameters
    ----------
    result : Decides
        One of its members.

    Returns
    -------
    str
        Equal for two projects exactly if the result would be the same.
    """
    return _digest([_decided(project, result), _by_rules(project, result)])


def preparation_basis(project: Project) -> list[Any] | None:
    """Return all that decides the prepared table, besides the file.

    Returns
    -------
    list or None
        JSON values; None without steps.
    """
    if not project.preparation:
        return None
    steps = [each.to_json() for each in project.preparation]
    read = {name for each in project.preparation for name in each.columns_read}
    missing = {e.name: e.missing for e in project.attributes if e.name in read}
    key = project.key
    of_key = [e.missing for e in project.attributes if e.name == key]
    return [steps, key, of_key, missing]


def domain_fingerprint(project: Project) -> str:
    """Fingerprint of all that decides the values that a bit-string joins.

    Projects keep it beside their bit-strings: what is digested must not change.
    """
    decided = _decided(project, Decides.VALUES)
    rules = _by_rules(project, Decides.VALUES)
    attributes = rules.pop("attributes")
    population = decided["privacy"]["population"]
    digested = [decided["inputs"], attributes, {**population, **rules}]
    if decided["links"]:
        digested.append(decided["links"])
    return _digest(_without_unset(digested))


_NEWER = frozenset(("skip_ragged",))
"""Choices that earlier versions did not have: unset, they say nothing new."""


def _without_unset(found: Any) -> Any:
    """Leave out newer choices that are not made, at any depth."""
    if isinstance(found, dict):
        return {
            key: _without_unset(value)
            for key, value in found.items()
            if value or key not in _NEWER
        }
    if isinstance(found, list):
        return [_without_unset(each) for each in found]
    return found


def _decided(part: Part, result: Decides) -> dict[str, Any]:
    """Fields of a part that decide a result."""
    whole, declaring = _fields(type(part), result)
    found = part.model_dump(include=whole)
    for name in declaring:
        value = getattr(part, name)
        if isinstance(value, tuple):
            found[name] = [_decided(each, result) for each in value]
        else:
            found[name] = value and _decided(value, result)
    return found


@cache
def _fields(part: type[Part], result: Decides) -> tuple[set[str], tuple[str, ...]]:
    """Fields that decide a result: those that count whole, and declaring parts."""
    names = [
        name
        for name, marks in marks_of(part, Decides).items()
        if any(result in each for each in marks)
    ]
    declaring = [n for n in names if _declares(part.model_fields[n].annotation)]
    return set(names) - set(declaring), tuple(declaring)


def _declares(annotation: Any) -> bool:
    """Whether a part is named whose own fields decide different results."""
    return annotation in DECLARING or any(map(_declares, get_args(annotation)))


def _by_rules(project: Project, result: Decides) -> dict[str, Any]:
    """What decides a result of the fields that decide it in part, by rule."""
    found = {name: RULES[name](project, result) for name in _rules_of(result)}
    return {name: each for name, each in found.items() if each is not None}


@cache
def _rules_of(result: Decides) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_rules(result)))


def _rules(result: Decides) -> Iterator[str]:
    for part in DECLARING:
        for marks in marks_of(part, Only).values():
            yield from (each.rule for each in marks if result in each.results)


# -- fields that decide a result in part -----------------------------------------------


def _attributes(project: Project, result: Decides) -> list[Any]:
    """Quasi-identifiers; of other columns depend the release and what is asked.

    Also attacks: any column may tell in which order the rows of a person were.
    """
    is_of_all = result in Decides.QUESTIONS or result is Decides.ATTACKS
    columns = project.attributes if is_of_all else project.quasi_identifiers
    return [_decided(each, result) for each in columns]


def _sensitive(project: Project, _result: Decides) -> list[Any]:
    """Sensitive attributes that models ask about, with the hierarchy if they do."""
    return [
        project.attribute(name).model_dump(
            include={"name", "missing", *(["hierarchy"] if asks_for_hierarchy else [])}
        )
        for name, asks_for_hierarchy in sensitive_demands(project).items()
    ]


def _blocks(project: Project, _result: Decides) -> Any:
    """How a search by blocks goes on that is made if nobody chooses a policy."""
    is_searched = project.chosen is None and project.is_by_blocks
    return project.blocks.model_dump() if is_searched else None


def _key(project: Project, _result: Decides) -> str | None:
    """Whose rows are counted together: the same rows are counted while nobody says."""
    return project.key


def _code_of_key(project: Project, _result: Decides) -> bool | None:
    """Whether rows of a person stay together in the release: they tell more then."""
    return None if project.key is None else project.releases_key


def _preparation(project: Project, _result: Decides) -> list[Any] | None:
    """Steps of the preparation, and all that decides what they do."""
    return preparation_basis(project)


def _columns(project: Project, _result: Decides) -> list[Any] | None:
    """Columns of the quasi-identifiers in the population's file."""
    population = project.privacy.population
    if population.file is None:
        return None
    return [population.column_of(each.name) for each in project.quasi_identifiers]


def _matches(project: Project, _result: Decides) -> list[Any] | None:
    """Matches of the quasi-identifiers; the name of a mapping tells its content."""
    if not _has_population(project):
        return None
    matches = project.privacy.population.matches
    found = (matches.get(each.name) for each in project.quasi_identifiers)
    return [match and match.model_dump() for match in found]


def _topics(project: Project, _result: Decides) -> list[Any] | None:
    """What quasi-identifiers are about: it decides how a population is read."""
    if not _has_population(project):
        return None
    return [each.topic for each in project.quasi_identifiers]


def _has_population(project: Project) -> bool:
    population = project.privacy.population
    return population.file is not None or bool(population.tables)


def _population(project: Project, _result: Decides) -> dict[str, Any]:
    """All that is said about the population: the evidence states it."""
    return project.privacy.population.model_dump()


def _models(project: Project, _result: Decides) -> list[Any] | None:
    """Models, if they or a policy are the baseline: they suppress its records."""
    if project.discover.baseline not in ("models", "policy"):
        return None
    return [each.to_json() for each in project.privacy.models]


def _context(project: Project, _result: Decides) -> list[Any] | None:
    """Limits of the risk that the context allows: of all that is said these count."""
    return [each.to_json() for each in allowed_risks(project)] or None


def _preferences(project: Project, _result: Decides) -> list[Any]:
    """Preferences that are demanded; others only put what is found in order."""
    return [e.model_dump() for e in project.discover.preferences if e.is_demanded]


def _acceptance(project: Project, _result: Decides) -> list[Any] | None:
    """What decides whether a discovered policy is still acceptable."""
    chosen, discover = project.chosen, project.discover
    if chosen is None or chosen.acceptance is None or chosen.acceptance.by != "risk":
        return None
    policy = discover.policy.model_dump() if discover.policy else None
    elements = {name: each.model_dump() for name, each in discover.elements.items()}
    return [policy, discover.census, elements]


RULES: Mapping[str, Callable[[Project, Decides], Any]] = {
    "attributes": _attributes,
    "blocks": _blocks,
    "key": _key,
    "code_of_key": _code_of_key,
    "preparation": _preparation,
    "sensitive": _sensitive,
    "columns": _columns,
    "matches": _matches,
    "topics": _topics,
    "population": _population,
    "models": _models,
    "context": _context,
    "preferences": _preferences,
    "acceptance": _acceptance,
}
"""What counts of the fields that are annotated with `Only`, by rule."""


def _digest(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()
