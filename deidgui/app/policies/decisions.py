"""The decisions of a project as searches and measurements take them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from deidgui.app.project import Attribute, Project
from deidgui.engine.arrays import IntArray
from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.search.question import limit_in_records


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


def kept_levels(project: Project, class_table: ClassTable) -> dict[str, int]:
    """Highest level that keeps something of each quasi-identifier that shall keep it.

    Without attributes of which every allowed level keeps something, or none does,
    and those that `deidgui.app.project.Quality.keep_something` does not hold for.
    """
    if not project.quality.keep_something:
        return {}
    found, by_name = {}, {each.name: each for each in project.quasi_identifiers}
    for place, hierarchy in enumerate(class_table.hierarchies):
        each = by_name[hierarchy.attribute]
        if not each.weight or each.maximum_level is not None:
            continue
        leaves = np.unique(class_table.leaves[:, place]).astype(np.int64)
        level = _last_that_tells(hierarchy, leaves)
        if max(each.minimum_level or 0, 0) <= level < hierarchy.height:
            found[each.name] = level
    return found


def _last_that_tells(hierarchy: Hierarchy, leaves: IntArray) -> int:
    """Highest level with more than one group of some leaves; -1 if there is none."""
    level = hierarchy.height
    while level >= 0 and len(np.unique(hierarchy.levels[level].groups[leaves])) < 2:
        level -= 1
    return level
