"""The sample that is released: drawn once for each file, and in words."""

from __future__ import annotations

import hashlib
import weakref
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from deidgui.app.project import Project, SampleChoice
from deidgui.engine.arrays import IntArray
from deidgui.engine.data.people import People
from deidgui.engine.data.table import Table
from deidgui.engine.sampling.curve import FEWEST_FOR_ANALYSIS, sample_size
from deidgui.engine.sampling.drawing import draw_people
from deidgui.errors import ConfigError
from deidgui.text import Text, per_cent, tr


@dataclass(frozen=True, repr=False, eq=False)
class Draw:
    """A simple random sample of the people of a file.

    Parameters
    ----------
    rows : ndarray of int64, ascending
        All rows of the people drawn.
    n_people, n_sampled : int
        People of the file, and of the sample.
    n_rows : int
        Rows of the file.
    n_without_events : int
        Those that stand for people without an event.
    """

    rows: IntArray
    n_people: int
    n_sampled: int
    n_rows: int
    choice: SampleChoice
    n_without_events: int = 0

    @property
    def is_small(self) -> bool:
        """Whether it is smaller than most analyses need."""
        return self.n_sampled < FEWEST_FOR_ANALYSIS


MOST_DRAWS = 4
"""Samples of one file that are kept, for whoever undoes a decision."""


class DrawCache:
    """The last samples drawn: other decisions, undone or not, draw no others.

    They are in no project and no log, and forgotten with the file.
    """

    def __init__(self) -> None:
        self._of: weakref.ref[Any] | None = None
        self._digest = b""
        self._draws: dict[object, Draw] = {}

    def get(self, project: Project, table: Table, people: People | None) -> Draw:
        """Return the sample of a file, drawn only if it is another one.

        Parameters
        ----------
        project : Project
            With a sample decided.
        table : Table
            As read, with a column at least.
        people : People or None
            Whom the rows belong to; None if each row is a person.

        Raises
        ------
        ConfigError
            As `draw_sample`.
        """
        choice = project.sample
        assert choice is not None
        of = table.columns[0].codes if people is None else people.of_row
        # Tables are made anew now and then, as by an undone step of the preparation.
        if self._of is None or self._of() is not of:
            digest = hashlib.blake2b(of.tobytes()).digest()
            self._of, self._digest = weakref.ref(of), digest
        key = (choice.fraction, choice.seed, project.key, self._digest)
        draw = self._draws.pop(key, None)
        if draw is None:
            draw = draw_sample(choice, table.n_rows, people)
        self._draws[key] = draw
        while len(self._draws) > MOST_DRAWS:
            del self._draws[next(iter(self._draws))]
        absent = table.absent
        n_alone = 0 if absent is None else int(np.count_nonzero(absent))
        return replace(draw, choice=choice, n_without_events=n_alone)


def draw_sample(choice: SampleChoice, n_rows: int, people: People | None) -> Draw:
    """Draw a simple random sample of people without replacement.

    Parameters
    ----------
    people : People or None
        Whom the rows belong to; all rows of a person are drawn. None if each row is
        a person.

    Raises
    ------
    ConfigError
        Code ``sample_empty``.
    """
    n_people = n_rows if people is None else people.n_people
    n_sampled = sample_size(n_people, choice.fraction)
    if not n_sampled:
        raise ConfigError("sample_empty", n_people=n_people)
    drawn = draw_people(n_people, n_sampled, choice.seed)
    if people is None:
        rows = np.flatnonzero(drawn)
    else:
        rows = np.flatnonzero(drawn[people.of_row])
    return Draw(rows.astype(np.int64), n_people, n_sampled, n_rows, choice)


def check_sample(draw: Draw | None) -> None:
    """See that a person has accepted a sample that is small.

    Raises
    ------
    ConfigError
        Code ``sample_too_small``.
    """
    if draw is not None and draw.is_small and not draw.choice.accepts_few:
        raise ConfigError(
            "sample_too_small", n_sampled=draw.n_sampled, floor=FEWEST_FOR_ANALYSIS
        )


def sample_words(
    choice: SampleChoice | None, sizes: tuple[int, int, bool] | None
) -> str:
    """Say what part of the people is released.

    Parameters
    ----------
    sizes : tuple of (int, int, bool) or None
        People of the sample and of the file, and whether these are people with rows.
    """
    if choice is None:
        return tr("No sample is drawn.")
    share = per_cent(choice.fraction)
    if sizes is None:
        return tr("A random sample of {share} is released.", share=share)
    n_sampled, n_people, by_person = sizes
    words: Text = (
        "A simple random sample is released: {n_sampled} of {n:record|records} "
        "({share})."
    )
    if by_person:
        words = (
            "A simple random sample is released: {n_sampled} of {n:person|people} "
            "({share}), with all their rows."
        )
    return tr(words, n_sampled=n_sampled, n=n_people, share=share)


def small_words(n_sampled: int) -> str:
    """Say that a sample is small."""
    return tr(
        "{n} is fewer than {floor}: too few for most analyses.",
        n=n_sampled,
        floor=FEWEST_FOR_ANALYSIS,
    )
