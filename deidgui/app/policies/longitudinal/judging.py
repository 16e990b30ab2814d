"""How many people of a release are at risk, by what is known of their events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from deidgui.app.classes import Classes
from deidgui.app.events_known import PeopleAtRisk
from deidgui.app.policies.longitudinal.events import Events, events_of
from deidgui.app.project import Project
from deidgui.engine.arrays import BoolArray, Int32Array
from deidgui.engine.longitudinal.history import History
from deidgui.engine.longitudinal.matching import Matcher
from deidgui.engine.longitudinal.power import adversary_power
from deidgui.engine.longitudinal.risk import ShareAtRisk, share_at_risk
from deidgui.engine.policy.policy import Policy
from deidgui.engine.policy.released import ReleasedClasses
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor


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
    n_people : int
        Released people.
    """

    condition: PeopleAtRisk
    share: ShareAtRisk
    by_released: ShareAtRisk
    n_people: int


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
    is_kept = _released_people(classes, released)
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


def _released_people(classes: Classes, released: ReleasedClasses) -> BoolArray:
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
