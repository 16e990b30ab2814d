"""Reads the values of data and population in terms that both share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from deidgui.engine.arrays import IntArray
from deidgui.engine.detect.roles import Reason
from deidgui.engine.population.ages import Span, read_ages
from deidgui.engine.population.built_in import load
from deidgui.engine.population.places import (
    RESTRICTED,
    read_states,
    read_zips,
    zip_atoms,
)
from deidgui.engine.population.table import Subject
from deidgui.engine.population.words import (
    HISPANIC,
    WordReading,
    means_nothing,
    normal,
    read_origins,
    read_population_races,
    read_races,
    read_sex,
    says_not_hispanic,
)

Atoms = frozenset[Hashable]

TOP_CODES = (75, 80, 85, 89, 90, 95, 99, 100)
"""Ages at which files put all older people together."""

HEAP = 2
"""So many times the records of the age before, at least, are at a top code."""


@dataclass(frozen=True, repr=False)
class UnitReading:
    """What each text stands for, in the smallest units both sides know.

    Parameters
    ----------
    atoms : tuple of frozenset
        Years of age, ZIP codes, states, categories; empty for what is not known.
    codes : frozenset of int
        Places of texts that are codes, not words.
    doubts : tuple of Reason
        Why a person has to look.
    open_ends : frozenset of int
        Places of ages without an upper end.
    """

    atoms: tuple[Atoms, ...]
    codes: frozenset[int] = frozenset()
    doubts: tuple[Reason, ...] = ()
    open_ends: frozenset[int] = frozenset()

    @property
    def n_read(self) -> int:
        """Texts that stand for something."""
        return sum(bool(each) for each in self.atoms)


def read_both(
    subject: Subject,
    texts: Sequence[str],
    n_records: IntArray,
    population: Sequence[str],
) -> tuple[UnitReading, UnitReading]:
    """Read the values of the data and of the population in common units.

    Parameters
    ----------
    texts : sequence of str
        Distinct values of the data.
    n_records : ndarray of int64, shape (n_texts,)
    population : sequence of str
        Values of the population's attribute.

    Returns
    -------
    data : UnitReading
    population : UnitReading
    """
    match subject:
        case Subject.AGE:
            return _both_ages(texts, n_records, population)
        case Subject.ZIP5 | Subject.ZIP3:
            return _both_zips(texts, population)
        case Subject.STATE:
            return _states(texts), _states(population)
        case Subject.SEX:
            return _words(read_sex(texts)), _words(read_sex(population))
        case Subject.ORIGIN:
            return _words(read_origins(texts)), _words(read_origins(population))
        case Subject.RACE | Subject.RACE_AND_ORIGIN:
            races = WordReading(read_population_races(population))
            return _data_races(subject, texts), _words(races)
    return _plain(texts), _plain(population)


def share_read(
    subject: Subject, texts: Sequence[str], *, words_only: bool = False
) -> float:
    """Share of the texts that can be read as a subject; missing ones left out.

    Parameters
    ----------
    words_only : bool
        Whether codes do not count: a letter can be anything.
    """
    present = [text for text in texts if not means_nothing(text)]
    if not present:
        return 0.0
    match subject:
        case Subject.AGE:
            n_read = sum(span is not None for span in read_ages(present).spans)
        case Subject.ZIP5 | Subject.ZIP3:
            n_read = sum(bool(code) for code in read_zips(present))
        case _:
            records = np.zeros(len(present), dtype=np.int64)
            reading, _ = read_both(subject, present, records, ())
            n_read = reading.n_read - (len(reading.codes) if words_only else 0)
    return n_read / len(present)


def knows_hispanic(texts: Sequence[str]) -> bool:
    """Whether names of races keep Hispanic people apart."""
    meanings = read_races(texts).meanings
    return any(m and HISPANIC in m for m in meanings) or any(
        says_not_hispanic(text) for text in texts
    )


def _words(reading: WordReading) -> UnitReading:
    atoms = tuple(frozenset(each or ()) for each in reading.meanings)
    return UnitReading(atoms, reading.codes, reading.doubts)


def _data_races(subject: Subject, texts: Sequence[str]) -> UnitReading:
    reading = _words(read_races(texts))
    if subject is Subject.RACE and knows_hispanic(texts):
        # Races of the population hold Hispanic people there: larger than in the data.
        doubt = Reason("people_hispanic_apart")
        return replace(reading, doubts=(*reading.doubts, doubt))
    return reading


def _plain(texts: Sequence[str]) -> UnitReading:
    return UnitReading(tuple(frozenset([text.strip().casefold()]) for text in texts))


def _states(texts: Sequence[str]) -> UnitReading:
    reading = read_states(texts)
    atoms = tuple(frozenset([s.fips]) if s else frozenset() for s in reading.states)
    if not reading.numbers:
        return UnitReading(atoms)
    doubt = Reason("people_state_numbers", {"numbers": reading.numbers})
    codes = frozenset(p for p, text in enumerate(texts) if normal(text).isdigit())
    return UnitReading(atoms, codes, (doubt,))


def _both_zips(
    texts: Sequence[str], population: Sequence[str]
) -> tuple[UnitReading, UnitReading]:
    own, other = read_zips(texts), read_zips(population)
    known = load("zip5_2020").attribute("zip").values
    five = (code for code in (*own, *other) if len(code) == 5)
    atoms = zip_atoms(known, five)
    nothing: Atoms = frozenset()
    doubts = (Reason("people_zip_small"),) if RESTRICTED in own else ()
    return (
        UnitReading(tuple(atoms.get(code, nothing) for code in own), doubts=doubts),
        UnitReading(tuple(atoms.get(code, nothing) for code in other)),
    )


# -- ages ------------------------------------------------------------------------------


def _both_ages(
    texts: Sequence[str], n_records: IntArray, population: Sequence[str]
) -> tuple[UnitReading, UnitReading]:
    """Years of age on both sides; what is open ends with the highest age of both."""
    reading = read_ages(texts)
    spans, doubts = list(reading.spans), []
    if reading.is_touching:
        doubts.append(Reason("people_age_touching"))
    top = _open_top(spans, n_records)
    if top is not None:
        place, n_before = top
        span = spans[place]
        assert span is not None
        spans[place] = Span(span.low, None)
        params = {"n_records": int(n_records[place]), "n_before": n_before}
        doubts.append(Reason("people_age_top", dict(params)))
    others = read_ages(population).spans
    last = max(
        (max(s.low, s.high or 0) for s in (*spans, *others) if s is not None),
        default=0,
    )
    return _years(spans, last, tuple(doubts)), _years(others, last)


def _years(
    spans: Sequence[Span | None], last: int, doubts: tuple[Reason, ...] = ()
) -> UnitReading:
    return UnitReading(
        tuple(span.years(last) if span else frozenset() for span in spans),
        doubts=doubts,
        open_ends=frozenset(
            place for place, span in enumerate(spans) if span and span.high is None
        ),
    )


def _open_top(
    spans: Sequence[Span | None], n_records: IntArray
) -> tuple[int, int] | None:
    """Highest single age if it seems to stand for all above, and the records before.

    Nearly all files put the oldest together; some do not mark it.
    """
    records: Counter[int] = Counter()
    for span, n in zip(spans, n_records.tolist(), strict=True):
        if span is None or span.low != span.high:
            if span is not None and span.high is None:
                return None
            continue
        if n:
            records[span.low] += n
    if not records or max(records) not in TOP_CODES:
        return None
    top = max(records)
    before = max(records[age] for age in range(top - 3, top))
    if records[top] < HEAP * max(before, 1):
        return None
    place = next(p for p, s in enumerate(spans) if s is not None and s.low == top)
    return place, before
