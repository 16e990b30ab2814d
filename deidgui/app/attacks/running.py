"""Runs every attack that a project allows on what its policy releases."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from deidgui.app.attacks.known import (
    events_known,
    history_known,
    order_column,
    order_columns,
    powers_of,
    records_known,
    times_of_events,
)
from deidgui.app.attacks.original import Original
from deidgui.app.attacks.results import Attack, AttackResults, NotDone
from deidgui.app.classes import Classes, people_in, typed_table
from deidgui.app.loaded import Loaded
from deidgui.app.preparation.marked import data_of
from deidgui.app.project import Project
from deidgui.engine.arrays import IntArray
from deidgui.engine.attack.events_known import EventsAttack, Variant
from deidgui.engine.attack.registers import (
    combinations,
    expected_share,
    share_of_release,
)
from deidgui.engine.data.people import one_row_each
from deidgui.engine.data.population import Register
from deidgui.engine.policy.policy import Policy
from deidgui.engine.policy.released import ReleasedClasses, released_classes
from deidgui.engine.population.over_leaves import PartialRegister
from deidgui.engine.preparation.preparing import known_before
from deidgui.errors import ConfigError
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

POWERS = (5, 10, 15)
"""Values of each attribute that are known at most, as in the published table."""

MOST_COMBINATIONS = 64
"""Combinations of columns of a register that are listed."""


@dataclass(frozen=True, repr=False, eq=False)
class AsRead:
    """What was read, and how it was prepared.

    Parameters
    ----------
    files : mapping of str to bytes
        Lists that steps name, by relative path.
    """

    loaded: Loaded
    files: Mapping[str, bytes]


def run_attacks(
    project: Project,
    classes: Classes,
    policy: Policy,
    as_read: AsRead | None = None,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> AttackResults:
    """Attack what a policy releases in every way that the project allows.

    Parameters
    ----------
    policy : Policy
        For these classes.
    as_read : AsRead, optional
        What the classes are of; needed if it was prepared or a sample was drawn.

    Returns
    -------
    AttackResults
        Attacks that cannot be made are named with the reason.

    References
    ----------
    .. [1] K. El Emam et al. (2012), *De-identification methods for open health data*,
       JMIR 14(1):e33, "Attack 1" to "Attack 3"; methods.md E.8 to E.10.
    """
    step = SubMonitor(monitor, 0.0, 0.05)
    original = original_of(project, classes, as_read, monitor=step)
    target = _Target.of(project, classes, policy, original)
    of_people, not_done = _on_people(target, SubMonitor(monitor, 0.05, 0.9))
    of_registers, lacking = _on_registers(target)
    monitor.report(1.0, "attacks")
    table, varying = classes.class_table, target.varying
    names = [each.attribute for each in policy.maps]
    choice = project.attacks
    order_by = None
    if any(each.variant == "ordered" for each in of_people):
        order_by = order_column(project, order_columns(project, classes))
    return AttackResults(
        attacks=(*of_people, *of_registers),
        not_done=(*not_done, *lacking),
        policy=policy,
        runs=choice.runs,
        seed=choice.seed,
        n_people=original.n_people,
        unit="records" if table.units is None else "people",
        fraction=target.fraction,
        known_once=tuple(n for at, n in enumerate(names) if at not in varying),
        known_of_events=tuple(n for at, n in enumerate(names) if at in varying),
        assumptions=original.assumptions,
        n_there=table.n_records,
        draw=classes.draw,
        order_by=order_by,
        threshold=_threshold(project),
    )


def original_of(
    project: Project,
    classes: Classes,
    as_read: AsRead | None,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> Original:
    """Return everybody as they are known before preparation and sample.

    Parameters
    ----------
    as_read : AsRead or None
        What the classes are of; None only if nothing was prepared and no sample drawn.

    References
    ----------
    .. [1] methods.md E.8: people and knowledge are drawn from D1.
    """
    kinds: dict[str, None] = {}
    if as_read is None:
        assert classes.draw is None, "a sample hides who else was read"
        source, rows = classes.source, np.arange(classes.source.n_rows)
    else:
        loaded = as_read.loaded
        data = data_of(project, loaded.as_read, as_read.files)
        source, rows = known_before(loaded.effects, data, monitor=monitor)
        kinds = dict.fromkeys(each.step.kind for each in loaded.effects)
    if classes.draw is not None:
        rows = rows[classes.draw.rows]
        kinds["sample"] = None
    assert len(rows) == classes.source.n_rows, "classes are of what was read"
    people = people_in(project, source) or one_row_each(source.n_rows)
    table = typed_table(project, source)
    return Original(source, table, people, rows, tuple(kinds))


def _threshold(project: Project) -> float | None:
    """Return what was decided: of people whose events are known in part, if it was."""
    known = project.privacy.events
    return project.privacy.threshold.at_risk if known is None else known.threshold


@dataclass(frozen=True, eq=False, repr=False)
class _Target:
    """What is attacked."""

    project: Project
    classes: Classes
    policy: Policy
    released: ReleasedClasses
    original: Original
    fraction: float

    @classmethod
    def of(
        cls, project: Project, classes: Classes, policy: Policy, original: Original
    ) -> _Target:
        released = released_classes(classes.class_table, policy)
        fraction = sampling_fraction(project, classes, original.n_people)
        return cls(project, classes, policy, released, original, fraction)

    @cached_property
    def varying(self) -> set[int]:
        """Attributes that differ between the rows of a person."""
        return self.original.varying(self.policy)


def sampling_fraction(project: Project, classes: Classes, n_people: int) -> float:
    """Chance that somebody whom an attacker looks for is in the data that was read.

    Parameters
    ----------
    n_people : int
        People of these data, also those who were removed or not drawn.

    Returns
    -------
    float in (0, 1]
        The stated fraction; the share of the population that is in the data where its
        people are known; 1 where nothing is known: the attacker knows that the person
        is there.
    """
    fraction = project.privacy.population.sampling_fraction
    if fraction is not None:
        return fraction
    if classes.population is None:
        return 1.0
    n_all = classes.population.coverage.population_size
    return min(1.0, n_people / max(n_all, 1))


# -- attack 1 --------------------------------------------------------------------------


def _on_people(target: _Target, monitor: Monitor) -> tuple[list[Attack], list[NotDone]]:
    """Look for people of whom something is known."""
    choice = target.project.attacks
    if target.policy.cells is not None:
        return [], [NotDone("attacks_of_cells")]
    if not target.varying:
        attack = records_known(
            target.original,
            target.classes,
            target.policy,
            target.released,
            target.fraction,
        )
        found = attack.simulate(choice.runs, choice.seed, monitor=monitor)
        return [
            Attack(
                kind="known_person",
                variant="all_known",
                runs=found.n_runs,
                success=found.share,
                low=found.low,
                high=found.high,
                expected=attack.expected(),
            )
        ], []
    if target.policy.later:
        return [], [NotDone("events_by_rounds")]
    return _on_events(target, monitor)


def _on_events(target: _Target, monitor: Monitor) -> tuple[list[Attack], list[NotDone]]:
    monitor.report(0.0, "attacks")
    times, not_done = _order_of(target)
    attack = events_known(
        target.original,
        target.classes,
        target.policy,
        target.released,
        target.fraction,
        times,
    )
    history = history_known(target.original, target.policy)
    monitor.report(0.1, "attacks")
    variants: list[Variant] = ["inexact", "same_event"]
    if times is not None:
        variants.append("ordered")
    steps = [(power, v) for power in powers_tried(target.project) for v in variants]
    found = []
    for number, (power, variant) in enumerate(steps):
        low, high = number / len(steps), (number + 1) / len(steps)
        step = SubMonitor(monitor, 0.1 + 0.9 * low, 0.1 + 0.9 * high)
        each = attack.again(powers_of(target.project, history, power), variant)
        found.append(_simulated(each, power, target.project, step))
    found.sort(key=lambda each: variants.index(each.variant))  # type: ignore[arg-type]
    return found, not_done


def powers_tried(project: Project) -> tuple[int, ...]:
    """Powers of an attacker that are simulated: the decided one, too."""
    known = project.privacy.events
    return tuple(sorted({*POWERS, *([known.power] if known is not None else [])}))


def _simulated(
    attack: EventsAttack, power: int, project: Project, monitor: Monitor
) -> Attack:
    choice = project.attacks
    step = SubMonitor(monitor, 0.0, 0.8)
    found = attack.simulate(choice.runs, choice.seed, monitor=step)
    return Attack(
        kind="known_person",
        variant=attack.variant,
        power=power,
        runs=found.n_runs,
        success=found.share,
        low=found.low,
        high=found.high,
        expected=attack.expected(monitor=SubMonitor(monitor, 0.8, 1.0)),
    )


def _order_of(
    target: _Target,
) -> tuple[tuple[IntArray, IntArray] | None, list[NotDone]]:
    """When each row was, before and in the release, or why nobody can tell."""
    project, classes = target.project, target.classes
    able = order_columns(project, classes)
    name = order_column(project, able)
    if name is None:
        code = "order_not_chosen" if able else "order_missing"
        return None, [NotDone(code, {"columns": ", ".join(able)})]
    try:
        known = times_of_events(project, target.original.source, name, able)
        return (known, times_of_events(project, classes.source, name, able)), []
    except ConfigError as problem:
        return None, [NotDone(problem.code, problem.params)]


# -- attacks 2 and 3 -------------------------------------------------------------------


def _on_registers(target: _Target) -> tuple[list[Attack], list[NotDone]]:
    """Match the release with the people of the population."""
    population = target.classes.class_table.population
    if population is None or not population.has_population:
        return [], [NotDone("register_not_given")]
    attributes = target.classes.class_table.attributes
    places: Sequence[int] = range(len(attributes))
    if isinstance(population, PartialRegister):
        places = population.known
        population = population.population
    found = []
    sizes = target.released.population()
    counts = target.released.kept_counts
    if sizes is not None and len(counts):
        share = share_of_release(counts, sizes.astype(np.int64))
        found.append(Attack("register", "this_release", expected=share))
    if not isinstance(population, Register) or not target.policy.is_by_value:
        return found, [NotDone("register_by_rounds")]
    leaves, n_alike = population.known
    maps = [target.policy.maps[place] for place in places]
    register = {
        each.attribute: each.groups[leaves[:, number]]
        for number, each in enumerate(maps)
    }
    names = tuple(register)
    (whole,) = combinations(register, [len(names)], n_alike)
    share = expected_share(whole.n_classes, int(n_alike.sum()))
    found.append(
        Attack("register", "sample_of_register", expected=share, columns=names)
    )
    sizes_of = _sizes_listed(len(names))
    for each in combinations(register, sizes_of, n_alike):
        found.append(
            Attack(
                "register_columns",
                "+".join(each.attributes),
                power=len(each.attributes),
                expected=each.share,
                columns=each.attributes,
            )
        )
    left_out = set(range(1, len(names))) - set(sizes_of)
    if left_out:
        return found, [NotDone("combinations_left_out", {"n": MOST_COMBINATIONS})]
    return found, []


def _sizes_listed(n_columns: int) -> list[int]:
    """How many columns are known: all numbers, as long as these are not too many."""
    listed, n = [], 0
    for size in range(n_columns - 1, 0, -1):
        more = math.comb(n_columns, size)
        if n + more > MOST_COMBINATIONS:
            continue
        n += more
        listed.append(size)
    return sorted(listed)
