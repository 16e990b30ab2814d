"""Which policies are marked: the best, chosen, kept and least general."""

from __future__ import annotations

from deidgui.app.charts.plane import Flag
from deidgui.app.policies.lattice.policies import LATTICE, LatticePolicies
from deidgui.app.policies.policy_set import PolicySet
from deidgui.app.project import Project
from deidgui.qt.models.figures import Flags


def flags_of(project: Project, policies: PolicySet) -> Flags:
    """Return the marks of policies by number."""
    found: dict[int, tuple[Flag, ...]] = {}
    marked = [*_of_lattice(policies)]
    marked.append((policies.number_of(project.chosen), Flag.CHOSEN))
    marked += [(policies.number_of(each), Flag.KEPT) for each in project.kept]
    for number, flag in marked:
        if number is not None and flag not in found.get(number, ()):
            found[number] = (*found.get(number, ()), flag)
    return found


def _of_lattice(policies: PolicySet) -> list[tuple[int | None, Flag]]:
    part = policies.part(LATTICE)
    if part is None:
        return []
    assert isinstance(part, LatticePolicies)
    numbers = policies.numbers_in(LATTICE)

    def number(node: int) -> int:
        return int(numbers[part.representative(node)])

    # What OLA takes need not be the best.
    is_best = part.complete or not part.minimal
    best = Flag.OPTIMUM if is_best else Flag.PICKED
    first = [] if part.optimum is None else [(number(part.optimum), best)]
    return [*first, *((number(node), Flag.MINIMAL) for node in part.minimal_nodes)]
