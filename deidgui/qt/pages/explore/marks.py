"""Which policies of a search are marked: the best, chosen, kept and least general."""

from __future__ import annotations

from deidgui.app.charts.plane import Flag
from deidgui.app.policies.lattice.policies import LatticePolicies
from deidgui.app.policies.lattice.what_if import minimal_nodes, node_of
from deidgui.app.project import Project
from deidgui.qt.models.figures import Flags


def marks_of(project: Project, found: LatticePolicies) -> Flags:
    """Return the marks of a search's policies by node."""
    marks: dict[int, tuple[Flag, ...]] = {}
    # What OLA takes need not be the best.
    is_best = found.complete or not found.minimal
    marked = [(found.optimum, Flag.OPTIMUM if is_best else Flag.PICKED)]
    marked.append((node_of(found, project.chosen), Flag.CHOSEN))
    marked += [(node_of(found, each), Flag.KEPT) for each in project.kept]
    marked += [(node, Flag.MINIMAL) for node in minimal_nodes(found)]
    for node, flag in marked:
        if node is not None:
            marks[node] = (*marks.get(node, ()), flag)
    return marks
