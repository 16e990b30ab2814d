"""What crosses threads does so safely."""

import gc
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor

from PySide6.QtWidgets import QWidget

from deidgui.qt.dispatch import GarbageCollector


def let_go(threads):
    """Leave a widget to the garbage, and say on which thread it is destroyed."""
    widget = QWidget()
    widget.itself = widget
    weakref.finalize(widget, lambda: threads.append(threading.current_thread()))


def allocate():
    """Allocate what makes Python look for garbage, on every level."""
    return [[each] for each in range(20 * 700 * 10)]


def test_a_worker_never_destroys_a_widget(qapp, qtbot, garbage):
    threads = []
    let_go(threads)
    with ThreadPoolExecutor(1) as worker:
        worker.submit(allocate).result()
    assert threads == []
    # More than twice over: the widget has grown older by now.
    qtbot.waitUntil(lambda: bool(threads or gc.collect()), timeout=30_000)
    assert threads == [threading.current_thread()]


def test_garbage_is_found_without_being_looked_for(qapp, qtbot, garbage):
    threads = []
    let_go(threads)
    kept = allocate()
    qtbot.waitUntil(lambda: bool(threads), timeout=30_000)
    assert threads == [threading.current_thread()]
    assert kept


def test_python_collects_again_afterwards(qapp, garbage):
    gc.enable()
    collector = GarbageCollector()
    assert not gc.isenabled()
    collector.close()
    assert gc.isenabled()
    gc.disable()
