"""Where else is something decided that matters here, and how does one come back?"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from deidgui.qt.widgets import Notice
from deidgui.text import tr

WAY_BACK = "back to policies"
"""Topic of the notice that leads back; it goes when one is back."""


class Way(NamedTuple):
    """A place on another step, and what is told to somebody who is led there."""

    place: str
    notice: Notice


def to_ages(attribute: str, come_back: Callable[[], None]) -> Way:
    """Lead to what the highest age stands for among the people.

    Parameters
    ----------
    come_back : callable
        A bound method that shows this step again.
    """
    words = tr(
        "Does the highest value of “{name}” stand for that age only?", name=attribute
    )
    fix = tr(
        "If so, choose “Change what it stands for…” and leave only that one age "
        "ticked. If it stands for all above too, change nothing."
    )
    return _way(f"risk/population/{attribute}", words, fix, come_back)


def to_order(attribute: str, come_back: Callable[[], None]) -> Way:
    """Lead to the order of the values of an attribute; parameters as of `to_ages`."""
    words = tr("Which values of “{name}” should be neighbours?", name=attribute)
    fix = tr(
        "Put values that belong together into one group: select them and choose “New "
        "group…”. With groups, the order of the hierarchy is that of the neighbours."
    )
    return _way(f"hierarchies/{attribute}", words, fix, come_back)


def _way(place: str, words: str, fix: str, come_back: Callable[[], None]) -> Way:
    back = tr("Back to Policies")
    return Way(place, Notice(words, "info", fix, back, come_back, WAY_BACK))
