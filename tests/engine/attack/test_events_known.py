"""Attack 1: by hand, simulation against expectation, and what more knowledge does."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.engine.attack import events_known
from deidgui.engine.attack.events_known import EventsAttack
from deidgui.engine.attack.linked import LinkedCodes
from deidgui.errors import ConfigError
from tests.engine.longitudinal.small_histories import (
    history_of,
    match_sizes,
    some_people,
)


def tables(people, n_attributes=1):
    """Linked tables of (sex, events) people; times are the places of events."""
    owners = [at for at, (_, events) in enumerate(people) for _ in events]
    rows = [e if isinstance(e, tuple) else (e,) for _, each in people for e in each]
    columns = [np.array([row[at] for row in rows], int) for at in range(n_attributes)]
    times = np.array([at for _, events in people for at in range(len(events))], int)
    sexes = np.array([sex for sex, _ in people])
    return LinkedCodes(len(people), [sexes], np.array(owners, int), columns, times)


# methods.md O-E4 and O-E5: values A = 0, B = 1, C = 2.
FOUR = [(0, [0, 0, 1]), (0, [0, 0]), (0, [0, 2]), (1, [0])]
POWERS = np.array([[2], [2], [1], [1]], np.int32)


def test_by_hand():
    everything = tables(FOUR)
    assert EventsAttack(everything, everything, POWERS).expected() == pytest.approx(
        0.75
    )
    tenth = EventsAttack(everything, everything, POWERS, fraction=0.1)
    assert tenth.expected() == pytest.approx(0.075)
    truncated = tables([(0, [0, 0]), *FOUR[1:]])
    attack = EventsAttack(everything, truncated, POWERS)
    assert attack.expected() == pytest.approx(7 / 12)


@pytest.mark.parametrize(("power", "success"), [(1, 2 / 9), (2, 1 / 6), (3, 0)])
def test_more_power_is_no_more_success_once_events_were_removed(power, success):
    """methods.md E.8: patient 1 of O-E5, with constant power."""
    everything, truncated = tables(FOUR), tables([(0, [0, 0]), *FOUR[1:]])
    powers = np.full((4, 1), power, np.int32)
    attack = EventsAttack(everything, truncated, powers)
    first = sum(
        probability / len(attack.fitting(known))
        for known, probability in attack._cases(0)
        if 0 in attack.fitting(known)
    )
    assert first == pytest.approx(success)


@given(some_people, st.integers(1, 3), st.integers(0, 2**31))
@settings(deadline=None, max_examples=50)
def test_simulation_and_expectation_and_plain_enumeration_agree(people, power, seed):
    history = history_of(people)
    powers = np.full((len(people), 2), power, np.int32)
    everything = tables(people, 2)
    attack = EventsAttack(everything, everything, powers, fraction=0.7)
    total = 0.0
    for person in range(len(people)):
        found = match_sizes(history, person, (0, 0, 0), powers)
        total += sum(1 / len(each) for each in found if person in each) / len(found)
    exact = attack.expected()
    assert exact == pytest.approx(0.7 * total / len(people))
    n_runs = 400
    simulated = attack.simulate(n_runs, seed)
    # Six standard errors: missed once in five hundred million examples.
    error = math.sqrt(exact * (1 - exact) / n_runs)
    assert abs(simulated.share - exact) <= 6 * error + 1e-9
    assert simulated.low <= simulated.share <= simulated.high


@given(some_people, st.integers(1, 3), st.integers(0, 2**31))
@settings(deadline=None, max_examples=50)
def test_who_knows_more_finds_no_more_people(people, power, seed):
    """Ordered pairs and joint events only rule out; the person always fits."""
    everything = tables(people, 2)
    powers = np.full((len(people), 2), power, np.int32)
    attacks = {
        variant: EventsAttack(everything, everything, powers, variant=variant)
        for variant in ("inexact", "same_event", "ordered")
    }
    for variant in ("same_event", "ordered"):
        for person in range(len(people)):
            chance = np.random.default_rng(seed)
            known = attacks[variant].draw(person, chance)
            fitting = attacks[variant].fitting(known)
            assert person in fitting
            plain = type(known)(person, known.values)
            assert set(fitting) <= set(attacks["inexact"].fitting(plain))


def test_order_and_joint_events_by_hand():
    people = [(0, [(0, 0), (1, 1)]), (0, [(1, 1), (0, 0)]), (0, [(0, 1), (1, 0)])]
    everything = tables(people, 2)
    powers = np.full((3, 2), 2, np.int32)
    chance = np.random.default_rng(1)
    plain = EventsAttack(everything, everything, powers)
    assert plain.fitting(plain.draw(0, chance)).tolist() == [0, 1, 2]
    ordered = EventsAttack(everything, everything, powers, variant="ordered")
    assert ordered.fitting(ordered.draw(0, chance)).tolist() == [0]
    joint = EventsAttack(everything, everything, powers, variant="same_event")
    assert joint.fitting(joint.draw(0, chance)).tolist() == [0, 1]


@given(some_people, st.integers(1, 4), st.integers(0, 2**31), st.booleans())
@settings(deadline=None, max_examples=50)
def test_many_candidates_are_narrowed_to_the_same_people(people, power, seed, alone):
    """By bits of everybody, and one by one; with and without attributes of people."""
    everything = tables(people, 2)
    if alone:
        everything.people = []
    powers = np.full((len(people), 2), power, np.int32)
    for variant in ("inexact", "same_event", "ordered"):
        attack = EventsAttack(everything, everything, powers, variant=variant)
        for person in range(len(people)):
            known = attack.draw(person, np.random.default_rng(seed))
            one_by_one = attack.fitting(known)
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(events_known, "MANY", 0)
                assert attack.fitting(known).tolist() == one_by_one.tolist()


def test_what_cannot_be_known_is_refused():
    everything = tables(FOUR)
    with pytest.raises(ConfigError, match="sampling_fraction"):
        EventsAttack(everything, everything, POWERS, fraction=0)
    timeless = LinkedCodes(
        everything.n_people, everything.people, everything.owners, everything.events
    )
    attack = EventsAttack(timeless, timeless, POWERS, variant="ordered")
    with pytest.raises(ConfigError, match="events_without_times"):
        attack.draw(0, np.random.default_rng(0))


def test_too_many_cases_are_not_computed():
    people = [(0, [n % 3 for n in range(30)])] * 3
    everything = tables(people)
    attack = EventsAttack(everything, everything, np.full((3, 1), 10, np.int32))
    assert attack.expected() is None
    assert attack.simulate(50, 1).n_runs == 50
