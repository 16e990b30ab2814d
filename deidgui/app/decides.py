"""What a field of a project decides: the parts of the window, and the results."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Changes(enum.Flag):
    """Parts of the program's state that can change."""

    NOTHING = 0
    DATA = enum.auto()
    ROLES = enum.auto()
    HIERARCHY = enum.auto()
    PRIVACY = enum.auto()
    QUALITY = enum.auto()
    SEARCH = enum.auto()
    CHOICE = enum.auto()
    EXPORT = enum.auto()
    NOTES = enum.auto()
    RESULT = enum.auto()
    FILE = enum.auto()
    DISCOVER = enum.auto()
    COUNTS = enum.auto()
    EVERYTHING = (
        DATA
        | ROLES
        | HIERARCHY
        | PRIVACY
        | QUALITY
        | SEARCH
        | CHOICE
        | EXPORT
        | NOTES
        | RESULT
        | FILE
        | DISCOVER
        | COUNTS
    )


class Decides(enum.Flag, boundary=enum.KEEP):
    """Results that a field decides; with each of them go those that rest on it.

    A field is annotated with the first results that depend on it. ``result in
    decides`` tells whether a result is among them. The boundary keeps bits that no
    member has alone: Python 3.11.2 drops them when it joins members.
    """

    NOTHING = 0
    RELEASE = 1
    CRITERIA = 1024 | RELEASE
    """Who is singled out by the table that is about to be written."""
    QUESTIONS = 64 | CRITERIA
    """What the program asks about that table."""
    ATTACKS = 128 | RELEASE
    """Simulated attacks: they stand in evidence and report."""
    MEASUREMENT = 2 | QUESTIONS | ATTACKS
    BLOCKS = 256
    """De-identification by blocks, whose settings no other search looks at."""
    SEARCH = 4 | BLOCKS | MEASUREMENT
    DISCOVERY = 8
    CLASSES = 16 | SEARCH | DISCOVERY
    VALUES = 32 | CLASSES
    """The values that a bit-string joins, and the people who have them."""
    COUNTS = 512 | RELEASE
    """What masked counts of tables give away."""


@dataclass(frozen=True)
class Only:
    """A field that decides results by a part of what it says.

    Parameters
    ----------
    rule : str
        Which part: one of `deidgui.app.changes.RULES`.
    """

    results: Decides
    rule: str
