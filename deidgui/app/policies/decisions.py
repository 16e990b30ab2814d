"""The decisions of a project as searches and measurements take them."""

from __future__ import annotations

from collections.abc import Sequence

from deidgui.app.project import Attribute, Project
from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.search.question import limit_in_records
from deidgui.errors import ConfigError, DeidError


def weights_of(project: Project) -> dict[str, float]:
    """Importance by quasi-identifier."""
    return {each.name: each.weight for each in project.quasi_identifiers}


def limit_of(project: Project, n_records: int) -> int:
    """Most records that may be suppressed; none while it is undecided."""
    return limit_in_records(project.privacy.suppression_limit or 0.0, n_records)


def allowed_levels(
    quasi: Sequence[Attribute], class_table: ClassTable
) -> tuple[dict[str, int], dict[str, int]]:
    """Allowed levels; one that a shorter hierarchy no longer has is its top."""
    lowest, highest = {}, {}
    heights = {each.attribute: each.height for each in class_table.hierarchies}
    for each in quasi:
        height = heights[each.name]
        if each.minimum_level is not None:
            lowest[each.name] = min(each.minimum_level, height)
        if each.maximum_level is not None:
            highest[each.name] = min(each.maximum_level, height)
    return lowest, highest


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
