"""The events of a project's people, and what an adversary knows of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from deidgui.app.classes import Classes
from deidgui.app.demands import check_models, undecided_columns
from deidgui.app.events_known import PeopleAtRisk, fraction_of, size_asked
from deidgui.app.preparation.nearly import NearlyConstant, is_nearly_constant
from deidgui.app.project import EventsKnown, Project
from deidgui.engine.arrays import BoolArray, Int32Array, IntArray
from deidgui.engine.data.class_table import leaves_of_rows
from deidgui.engine.data.people import People
from deidgui.engine.longitudinal.history import History, event_tables
from deidgui.engine.longitudinal.matching import Matcher
from deidgui.engine.longitudinal.power import adversary_power
from deidgui.engine.longitudinal.risk import Exposure, ShareAtRisk, share_at_risk
from deidgui.engine.policy.policy import Policy
from deidgui.engine.policy.released import ReleasedClasses
from deidgui.errors import ConfigError, DeidError
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor
from deidgui.text import tr


def events_problems(project: Project) -> list[DeidError]:
    """Return the decisions that are missing before events can be looked at.

    Codes ``role_missing``, ``no_quasi_identifier``, ``hierarchy_missing``,
    ``events_undecided``, ``events_need_people``, ``events_model_not_monotone`` and
    those of the models.
    """
    problems = undecided_columns(project)
    if project.key is None:
        problems.append(ConfigError("events_need_people"))
    if project.privacy.events is None:
        problems.append(ConfigError("events_undecided"))
    problems += check_models(project)
    problems += [
        ConfigError("events_model_not_monotone", model=tr(each.title))
        for each in project.privacy.models
        if each.problem is None and not each.monotone_generalization
    ]
    return problems


@dataclass(frozen=True, repr=False, eq=False)
class Events:
    """The people and events of a project, and what an adversary knows of them.

    Parameters
    ----------
    history : History
        Columns that are the same in all rows of each person, then those that vary.
    powers : ndarray of int32, shape (n_people, n_event_attributes)
        Values that are known of each person.
    """

    known: EventsKnown
    fraction: float
    seed: int
    history: History
    powers: Int32Array

    def __repr__(self) -> str:
        return f"<Events of {self.history!r}>"

    @property
    def size(self) -> int:
        """People who must match at least."""
        return size_asked(self.known, self.fraction)

    @property
    def asked(self) -> Exposure:
        """What is asked of a policy."""
        return Exposure(self.size, self.known.limit, self.seed)

    @property
    def person_attributes(self) -> tuple[str, ...]:
        """Names of the columns of people."""
        return tuple(each.attribute for each in self.history.person_hierarchies)

    @property
    def event_attributes(self) -> tuple[str, ...]:
        """Names of the columns of events."""
        return tuple(each.attribute for each in self.history.event_hierarchies)

    @property
    def attributes(self) -> tuple[str, ...]:
        """Names of all columns, those of people first."""
        return self.person_attributes + self.event_attributes

    @cached_property
    def power_counts(self) -> IntArray:
        """People by power: int64, shape (n_event_attributes, largest power + 1)."""
        largest = int(self.powers.max(initial=0))
        return np.stack(
            [np.bincount(each, minlength=largest + 1) for each in self.powers.T]
        ).astype(np.int64)

    @property
    def most_events(self) -> int:
        """Events of one kind of the person with the most of them."""
        return int(self.history.n_known_of.max(initial=0))

    @property
    def n_with_fewer(self) -> int:
        """People with fewer events of a kind than the power: it is cut to these."""
        is_cut = (self.history.n_known_of < self.known.power).any(axis=1)
        return int(np.count_nonzero(is_cut))

    def power_words(self) -> str:
        """Say that the power is cut to the number of events; empty if it is not."""
        if self.known.power > self.most_events:
            return tr(
                "Nobody has as many rows: all values are known of people with up to "
                "{n}.",
                n=self.most_events,
            )
        if not self.n_with_fewer:
            return ""
        return tr(
            "{n:person has|people have} fewer rows than that: no more than their "
            "number is known.",
            n=self.n_with_fewer,
        )


def history_of(classes: Classes) -> History:
    """Divide the quasi-identifiers into those of people and those of their events.

    Raises
    ------
    ConfigError
        Codes ``events_need_people`` and ``no_event_attribute``.
    """
    table = classes.class_table
    if table.units is None:
        raise ConfigError("events_need_people")
    persons, varying = table.units.people, table.varying
    if not varying:
        raise ConfigError("no_event_attribute")
    of_values = [each.of_values for each in table.hierarchies]
    hierarchies, leaves = leaves_of_rows(classes.table, of_values)
    of_person = [
        p for p, each in enumerate(hierarchies) if each.attribute not in varying
    ]
    of_event = [p for p, each in enumerate(hierarchies) if each.attribute in varying]
    # Who has no event is a person of whom no event is known.
    events = [(hierarchies[place], leaves[place]) for place in of_event]
    return History(
        tuple(hierarchies[place] for place in of_person),
        _stacked([leaves[place][persons.first_row] for place in of_person], persons),
        event_tables(classes.table, persons, events),
    )


def _stacked(columns: Sequence[Int32Array], persons: People) -> Int32Array:
    if not columns:
        return np.zeros((persons.n_people, 0), np.int32)
    return np.ascontiguousarray(np.stack(columns, axis=1), dtype=np.int32)


def events_of(
    project: Project, classes: Classes, *, monitor: Monitor = NULL_MONITOR
) -> Events:
    """Return the events of a project, and what is known of them.

    Parameters
    ----------
    project : Project
        With a decision on `Privacy.events`.
    classes : Classes
        Of the same decisions.

    Raises
    ------
    ConfigError
        As `history_of`.
    """
    known = project.privacy.events
    assert known is not None
    monitor.report(0.0, "events")
    history = history_of(classes)
    monitor.report(0.5, "events")
    powers = adversary_power(history, known.power, known.diversity)
    fraction = fraction_of(project)
    return Events(known, fraction, project.search.seed, history, powers)


def nearly_constant(history: History) -> tuple[NearlyConstant, ...]:
    """Return the columns of events that look like columns of people with mistakes."""
    found = []
    for place, each in enumerate(history.event_hierarchies):
        starts = history.value_counts(place).starts
        n_differing = int(np.count_nonzero(np.diff(starts) > 1))
        if is_nearly_constant(n_differing, history.n_people):
            found.append(NearlyConstant(each.attribute, n_differing, history.n_people))
    return tuple(found)


# -- what is known under a policy ------------------------------------------------------


@dataclass(frozen=True)
class EventsRisk:
    """People at risk under a policy, by what is known of their events.

    Parameters
    ----------
    share : ShareAtRisk
        Decides; the power of each person is that of the values as they are.
    by_released : ShareAtRisk
        With the power of the released values, which are less diverse: the same
        or more is known. It can be counted again from the released files.
    n_released : int
        Released people.
    """

    condition: PeopleAtRisk
    share: ShareAtRisk
    by_released: ShareAtRisk
    n_released: int


def events_risk(
    project: Project,
    classes: Classes,
    policy: Policy,
    released: ReleasedClasses,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> EventsRisk | None:
    """Measure the people at risk under a policy.

    Parameters
    ----------
    released : ReleasedClasses
        That the policy makes of the classes: suppressed people are neither at risk
        nor among those who match.

    Returns
    -------
    EventsRisk or None
        None if nobody decided what is known of events, or nobody is released.

    Raises
    ------
    ConfigError
        As `events_of`.
    """
    if project.privacy.events is None:
        return None
    events = events_of(project, classes, monitor=SubMonitor(monitor, 0.0, 0.2))
    is_kept = _is_released(classes, released)
    if not is_kept.any():
        return None
    by_name = policy.rounds[0].levels
    levels = [by_name[name] for name in events.attributes]
    history = events.history.of_people(is_kept)
    first, second = SubMonitor(monitor, 0.2, 0.6), SubMonitor(monitor, 0.6, 1.0)
    n_person = len(history.person_hierarchies)
    more = adversary_power(
        history, events.known.power, events.known.diversity, levels[n_person:]
    )
    return EventsRisk(
        PeopleAtRisk(events.known, events.fraction),
        _share(events, history, levels, events.powers[is_kept], first),
        _share(events, history, levels, more, second),
        history.n_people,
    )


def _is_released(classes: Classes, released: ReleasedClasses) -> BoolArray:
    units = classes.class_table.units
    assert units is not None, "events belong to people"
    of_person = released.of_combination[units.combination]
    return np.asarray(~released.suppressed[of_person], np.bool_)


def _share(
    events: Events,
    history: History,
    levels: Sequence[int],
    powers: Int32Array,
    monitor: Monitor,
) -> ShareAtRisk:
    matches = Matcher(history).at(levels)
    return share_at_risk(history, matches, powers, events.asked, monitor=monitor)
