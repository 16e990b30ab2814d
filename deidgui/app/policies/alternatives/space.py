"""Which values may be joined, what is each of them for a rule, and which are wanted?"""

from __future__ import annotations

import datetime
from collections.abc import Sequence

import numpy as np

from deidgui.app.project import (
    Attribute,
    Discover,
    ElementChoice,
    PreferenceChoice,
    Project,
)
from deidgui.engine.arrays import IntArray
from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.data.population import Register
from deidgui.engine.detect.roles import Topic
from deidgui.engine.discover.domain import Domain, proposed_order
from deidgui.engine.discover.preferences import Preference, values_between
from deidgui.engine.discover.safe_harbor import OLD, Element
from deidgui.engine.discover.space import INTERVAL, Space
from deidgui.engine.population.over_leaves import PartialRegister
from deidgui.errors import ConfigError

DATES = (Topic.DATE, Topic.BIRTH_DATE, Topic.YEAR, Topic.MONTH)
"""Topics whose values are dates for the Safe Harbor rule."""

ISO = "YYYY-MM-DD"
"""Format of dates where none is known."""


def space_of(class_table: ClassTable, discover: Discover) -> Space:
    """Return the values that a discovery may join, in their order.

    Parameters
    ----------
    discover : Discover
        Its mode and levels are used.

    Returns
    -------
    Space
        By attribute the leaves of the hierarchy in its order, where they are numbers
        or the hierarchy has groups; else the most frequent first, in the population
        if it knows them. Or the groups of the level that was chosen.

    Raises
    ------
    ConfigError
        Codes ``level_out_of_range`` (attribute, found, top) and those of `Space`.

    References
    ----------
    .. [1] methods.md A.1, ordered nominal domains.
    """
    domains = []
    for place, hierarchy in enumerate(class_table.hierarchies):
        level = discover.levels.get(hierarchy.attribute, 0)
        if level or discover.mode != INTERVAL:
            domains.append(Domain.at_level(hierarchy, level))
            continue
        order = proposed_order(hierarchy, _population(class_table, place))
        domains.append(Domain.of(hierarchy, order))
    columns = class_table.leaves.T
    with_records = [
        domain.of_records(leaves)
        for domain, leaves in zip(domains, columns, strict=True)
    ]
    return Space(tuple(with_records), discover.mode)


def lowest_levels(project: Project, class_table: ClassTable) -> dict[str, int]:
    """Lowest level that each attribute may be released at, where it is not 0."""
    heights = {each.attribute: each.height for each in class_table.hierarchies}
    return {
        each.name: min(each.minimum_level, heights[each.name])
        for each in project.quasi_identifiers
        if each.minimum_level and each.name in heights
    }


def within_limits(project: Project, class_table: ClassTable) -> Discover:
    """Return the decisions on a discovery with levels that may be released.

    PRIVACY: a level that may not be released tells too much, whoever finds it.
    """
    discover, levels = project.discover, dict(project.discover.levels)
    for name, lowest in lowest_levels(project, class_table).items():
        levels[name] = max(levels.get(name, 0), lowest)
    return discover.but(levels=levels)


def _population(class_table: ClassTable, place: int) -> IntArray:
    """People, or records, with each leaf of an attribute: int64, (n_leaves,)."""
    n_leaves = class_table.hierarchies[place].n_leaves
    leaves, counts = class_table.leaves[:, place], class_table.counts
    match class_table.population:
        case Register(leaves=known, counts=population):
            leaves, counts = known[:, place], population
        case PartialRegister(population=register, known=places) if place in places:
            leaves, counts = register.leaves[:, places.index(place)], register.counts
        case _:
            pass
    found = np.zeros(n_leaves, np.int64)
    np.add.at(found, leaves, counts)
    return found


def proposed_elements(project: Project) -> dict[str, ElementChoice]:
    """Propose what each quasi-identifier is for the Safe Harbor rule.

    Returns
    -------
    dict of str to ElementChoice
        By quasi-identifier, from what detection found out about the columns.
    """
    return {each.name: _element(each) for each in project.quasi_identifiers}


def _element(attribute: Attribute) -> ElementChoice:
    topic = attribute.topic
    if topic == Topic.AGE:
        return ElementChoice(kind="age")
    if topic == Topic.ZIP:
        return ElementChoice(kind="zip")
    if topic not in DATES and attribute.kind != "date":
        return ElementChoice(kind="other")
    return ElementChoice(
        kind="date",
        date_format=attribute.format if attribute.kind == "date" else None,
        oldest_year=_oldest_year(attribute),
    )


def _oldest_year(attribute: Attribute) -> int | None:
    """Last year of birth that tells an age over 89; None where nobody is born.

    PRIVACY: a year may be one of birth, and such years are not kept by the rule: if
    they were, it would look riskier than it is.
    """
    rule = attribute.hierarchy.rule if attribute.hierarchy is not None else None
    stated = (rule or {}).get("oldest_year")
    if stated is not None:
        return int(stated)
    may_be_birth = attribute.topic in (Topic.BIRTH_DATE, Topic.YEAR)
    return datetime.date.today().year - OLD if may_be_birth else None


def doubtful_elements(project: Project) -> tuple[str, ...]:
    """Return quasi-identifiers that the rule is said not to know, though it may.

    Somebody may know better than what columns look like; but the rule looks riskier
    than it is where it keeps an age, a ZIP code, a date or the year of an old birth.
    """
    found = []
    for name, proposed in proposed_elements(project).items():
        decided = project.discover.elements.get(name)
        if decided is None or proposed.kind == "other":
            continue
        is_birth = project.attribute(name).topic == Topic.BIRTH_DATE
        keeps_births = is_birth and decided.oldest_year is None
        if decided.kind != proposed.kind or keeps_births:
            found.append(name)
    return tuple(found)


def engine_element(choice: ElementChoice) -> Element:
    """Return an element as the rule takes it."""
    return Element(choice.kind, choice.date_format or ISO, choice.oldest_year)


def preference_values(domain: Domain, preference: PreferenceChoice) -> tuple[str, ...]:
    """Return the values of a domain that a preference is about; none for all of them.

    Parameters
    ----------
    domain : Domain
        Of its attribute.

    Raises
    ------
    ConfigError
        Codes ``preference_not_numbers`` (attribute) if a range is wanted of words,
        ``preference_without_value`` (attribute) if no value is in it, or
        ``preference_unknown_value`` (attribute, n_unknown).
    """
    if preference.low is not None or preference.high is not None:
        if domain.spans is None:
            raise ConfigError("preference_not_numbers", attribute=preference.attribute)
        found = values_between(domain, preference.low, preference.high)
        if not found:
            raise ConfigError(
                "preference_without_value", attribute=preference.attribute
            )
        return found
    groups = labels_in_order(domain)
    unknown = sum(not 0 <= place < len(groups) for place in preference.places)
    if unknown:
        raise ConfigError(
            "preference_unknown_value",
            attribute=preference.attribute,
            n_unknown=unknown,
        )
    return tuple(groups[place] for place in preference.places)


def labels_in_order(domain: Domain) -> tuple[str, ...]:
    """Values of a domain in the order of its hierarchy (`PreferenceChoice.places`).

    This order does not depend on how many people have each value.
    """
    return domain.hierarchy.levels[domain.level or 0].labels


def engine_preferences(
    space: Space, preferences: Sequence[PreferenceChoice]
) -> tuple[Preference, ...]:
    """Return preferences as searches and orders take them.

    Raises
    ------
    ConfigError
        Code ``preference_unknown_attribute`` (attribute) and those of
        `preference_values`.
    """
    found = []
    for preference in preferences:
        if preference.attribute not in space.attributes:
            raise ConfigError(
                "preference_unknown_attribute", attribute=preference.attribute
            )
        domain = space.domains[space.attributes.index(preference.attribute)]
        found.append(
            Preference(
                preference.attribute,
                preference_values(domain, preference),
                preference.weight,
            )
        )
    return tuple(found)
