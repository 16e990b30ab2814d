"""Declares detectors: cues for the name and rules for the values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from deidgui.engine.arrays import BoolArray
from deidgui.engine.detect.column_names import Cue, cues
from deidgui.engine.detect.profile import ColumnProfile
from deidgui.engine.detect.roles import Identifier, Role, Topic, Treatment
from deidgui.engine.detect.wordlists import column_cues

Test = Callable[[ColumnProfile], BoolArray]
"""Which sampled values are hits: ndarray of bool, shape (n_sampled,)."""

ANY_KIND = frozenset(("text", "integer", "decimal", "date", "category"))
WORDS = frozenset(("text", "category"))
WORDS_OR_CODES = frozenset(("text", "category", "integer"))
NUMBERS = frozenset(("integer", "decimal", "category", "text"))
LONGEST = 10_000
_SHORTEST = 3
PERSONS = 30
"""So many distinct values can be numbers of persons, whatever they look like."""


@dataclass(frozen=True)
class ValueRule:
    """What one value must look like, and how specific a hit is.

    Parameters
    ----------
    title : str
        What a hit looks like, in words: "an e-mail address".
    confidence : float in [0, 1]
        Specificity of a hit (methods G.1).
    test : callable
        Profile to hits.
    needs_cue : bool
        Whether the values count only together with a name cue.
    by_rows : bool
        Whether hits are counted in rows: for closed vocabularies, whose few
        distinct words say little but fill every row.
    least_share : float in [0, 1]
        Below this share hits count for nothing (weak check digits).
    of_column : bool
        Whether the test says all or nothing about the column as a whole.
    country : str
        Two letters of the country that writes such values, if it is one.
    """

    title: str
    confidence: float
    test: Test
    needs_cue: bool = False
    by_rows: bool = False
    least_share: float = 0.0
    of_column: bool = False
    country: str = ""


@dataclass(frozen=True)
class Detector:
    """One kind of column: how it is recognised and what follows from it.

    Parameters
    ----------
    title : str
        What the column holds, in words: "e-mail address".
    why : str
        Code of the sentence that says why this role.
    identifier : Identifier or None
        Which of the 18 it is.
    treatment : Treatment or None
        Default for a direct identifier.
    words : str
        Meaning in ``resources/words/columns.txt``, whose cues count too.
    names : tuple of str
        Name cues; a leading ``=`` means "only as the whole name".
    stems : tuple of str
        Beginnings of words in a name: "osteop" finds "SP_OSTEOPRS".
    kinds : frozenset of str
        Value types that do not contradict the cue.
    doubtful : frozenset of str
        Value types that contradict the cue unless the values are hits.
    least_distinct : int
        Fewer distinct values contradict the cue (numbers of persons).
    scan : tuple of (str, str)
        Title and pattern to look for inside free text.
    """

    topic: Topic
    title: str
    role: Role
    why: str
    identifier: Identifier | None = None
    treatment: Treatment | None = None
    words: str = ""
    names: tuple[str, ...] = ()
    stems: tuple[str, ...] = ()
    rules: tuple[ValueRule, ...] = ()
    kinds: frozenset[str] = ANY_KIND
    doubtful: frozenset[str] = frozenset()
    least_distinct: int = 0
    scan: tuple[tuple[str, str], ...] = ()

    @cached_property
    def short_cues(self) -> tuple[Cue, ...]:
        """Cues of one word, for detectors that can test values."""
        if not any(rule.needs_cue or rule.by_rows for rule in self.rules):
            return ()
        return tuple(
            cue
            for cue in cues(*self.names)
            if len(cue.tokens) == 1 and len(cue.joined) >= _SHORTEST and not cue.whole
        )

    @cached_property
    def has_own_rules(self) -> bool:
        """Whether values count without a name cue too."""
        return not all(rule.needs_cue for rule in self.rules)

    @cached_property
    def cues(self) -> tuple[Cue, ...]:
        """Compiled name cues."""
        return cues(*self.names) + column_cues().get(self.words, ())


def direct(
    topic: Topic, title: str, identifier: Identifier, **declared: object
) -> Detector:
    """Declare a detector of a direct identifier that is left out by default."""
    fields: dict[str, object] = {
        "role": Role.DIRECT_IDENTIFIER,
        "why": "because_names_person",
        "treatment": Treatment.REMOVE,
        **declared,
    }
    return Detector(topic, title, identifier=identifier, **fields)  # type: ignore[arg-type]


def no_hits(profile: ColumnProfile) -> BoolArray:
    """No value is a hit."""
    return np.zeros(profile.n_sampled, dtype=np.bool_)


def matches(
    pattern: str,
    accept: Callable[[str], bool] | None = None,
    lengths: tuple[int, int] = (1, LONGEST),
) -> Test:
    """Test values with a pattern, and with a check for those that fit it.

    Parameters
    ----------
    pattern : str
        Regular expression (Rust syntax, no look-around).
    accept : callable, optional
        Second test on one value: checksum, known prefix.
    lengths : tuple of int
        Shortest and longest possible hit: spares columns that cannot have any.
    """

    def test(profile: ColumnProfile) -> BoolArray:
        shortest, longest = profile.length_range
        if longest < lengths[0] or shortest > lengths[1]:
            return no_hits(profile)
        hits = profile.texts.contains(pattern)
        if accept is None or not hits.any():
            return hits
        places = np.flatnonzero(hits)
        hits[places] = [accept(text) for text in profile.some(places)]
        return hits

    return test


def listed(words: Callable[[], frozenset[str]]) -> Test:
    """Test whether values are in a vocabulary (lower case, plain words).

    Parameters
    ----------
    words : callable
        Gives the vocabulary; called when it is first needed.
    """

    def test(profile: ColumnProfile) -> BoolArray:
        if profile.kind not in WORDS:
            return no_hits(profile)
        known = words()
        hits = (word in known for word in profile.words)
        return np.fromiter(hits, np.bool_, profile.n_sampled)

    return test


def vocabulary(text: str) -> Test:
    """Test whether values are among words separated by ``|``."""
    known = frozenset(word.strip() for word in text.split("|"))
    return listed(lambda: known)


def whole_column(says: Callable[[ColumnProfile], bool]) -> Test:
    """Test the column as a whole: all values are hits, or none is."""

    def test(profile: ColumnProfile) -> BoolArray:
        return np.full(profile.n_sampled, says(profile), dtype=np.bool_)

    return test


def numbers_between(low: float, high: float) -> Test:
    """Test whether values are whole numbers in a closed range."""

    def test(profile: ColumnProfile) -> BoolArray:
        numbers = profile.numbers
        hits: BoolArray = (numbers >= low) & (numbers <= high) & (numbers % 1 == 0)
        return hits

    return test
