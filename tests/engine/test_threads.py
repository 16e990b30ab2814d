"""Blocks in threads: in order, a few ahead, and nothing goes on behind the caller."""

import threading
import time

import pytest

from deidgui.engine.threads import N_THREADS, Workers, finish, in_order
from deidgui.errors import Cancelled


def test_results_come_in_order_and_only_a_few_wait():
    begun, taken, most_ahead = [], [], []

    def work(item):
        begun.append(item)
        time.sleep(0.002 * (item % 3))
        return item * item

    def take(result):
        taken.append(result)
        most_ahead.append(len(begun) - len(taken))

    in_order(work, range(50), take, lambda: None)
    assert taken == [item * item for item in range(50)]
    assert max(most_ahead) <= 2 * N_THREADS


def test_one_item_needs_no_thread():
    used, taken = [], []
    in_order(lambda _: used.append(threading.get_ident()), [1], taken.append, list)
    assert used == [threading.get_ident()]
    assert taken == [None]


def test_whoever_cancels_waits_for_what_was_begun_and_nothing_begins_after():
    begun, ended, wait = [], [], threading.Event()

    def work(item):
        begun.append(item)
        wait.wait(1)
        ended.append(item)

    def pulse():
        wait.set()
        raise Cancelled

    with pytest.raises(Cancelled):
        in_order(work, range(50), lambda _: None, pulse)
    assert sorted(begun) == sorted(ended)
    assert len(begun) <= N_THREADS


def test_an_error_of_a_thread_is_that_of_the_caller():
    taken = []
    with pytest.raises(ZeroDivisionError):
        in_order(lambda item: 1 / (3 - item), range(50), taken.append, lambda: None)
    assert taken == [1 / 3, 1 / 2, 1]


def test_shared_items_are_each_worked_on_once():
    done = []
    with Workers() as workers:
        finish(workers.share(done.append, range(1000)), lambda: None)
        assert finish(workers.share(done.append, []), lambda: None) == []
    assert sorted(done) == list(range(1000))


def test_work_that_asks_stops_when_nobody_waits_for_it():
    stopped = []

    def work(_item):
        try:
            while True:
                workers.pulse()
                time.sleep(0.001)
        except Cancelled:
            stopped.append(True)
            raise

    def pulse():
        raise Cancelled

    with pytest.raises(Cancelled), Workers() as workers:
        finish(workers.share(work, range(2)), pulse)
    assert stopped == [True] * 2
