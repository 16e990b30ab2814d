"""Template: postal codes of any country by prefix, kept where enough people live."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, ClassVar

from deidgui.engine.data.hierarchy import SUPPRESSED, TEMPLATES, Grid, Template
from deidgui.engine.parameters import Help, Range, Unit
from deidgui.text import Text, tr

OTHER_AREAS = "other"
"""What is written for areas with too few people, and for unknown ones."""

ENOUGH_PEOPLE = 20_000
"""Areas of Safe Harbor have more people than this."""

_MOST_IN_KEPT = 0.9
_LEFT_OUT = str.maketrans("", "", " -")


def bare_code(text: str) -> str:
    """A postal code without blanks and dashes, in capitals."""
    return text.strip().translate(_LEFT_OUT).upper()


@TEMPLATES.register
@dataclass(frozen=True)
class Postcodes(Template):
    """The first characters of a code, then fewer, then nothing.

    Notes
    -----
    With a list of areas only those are told; all others are one group on every level,
    so that a smaller area cannot be told by what is left of a larger one. The list
    comes from a table of people that somebody gave (`areas_of`), never from the data.

    References
    ----------
    .. [1] 45 CFR 164.514(b)(2)(i)(B) asks for more than 20,000 people in the three
       digits of a ZIP code; for other countries the number is a person's choice.
    """

    length: Annotated[
        int,
        Range(1, 10),
        Unit("characters"),
        Help("Characters kept", "How many first characters the first level keeps."),
    ] = 2
    areas: Annotated[
        str,
        Help(
            "Areas with enough people",
            "Their first characters, with blanks between; all others become one "
            "group. Without any, every area is told.",
        ),
    ] = ""

    kind: ClassVar[str] = "postcodes"
    title: ClassVar[Text] = "Postal codes"
    summary: ClassVar[Text] = (
        "Postal codes become their first characters; areas that are not on the list "
        "of those with enough people become one group."
    )

    @property
    def level_names(self) -> tuple[str, ...]:
        """Words for every level."""
        words: Text = "{n:character|characters}"
        if self.areas.strip():
            words = "{n:character|characters}, small areas one group"
        lengths = range(self.length, 0, -1)
        return (tr("as it is"), *(tr(words, n=n) for n in lengths), tr("left out"))

    @cached_property
    def _kept(self) -> frozenset[str]:
        return frozenset(map(bare_code, self.areas.split()))

    def grid(self, values: Sequence[str]) -> Grid:
        """Labels of every value at every level (see `Template.grid`)."""
        unread = set(self.unread(values))
        self._refuse_if_none_read(values, len(values) - len(unread))
        ordered = sorted(
            values, key=lambda text: (self._is_small(text), text in unread, text)
        )
        return [(text, *self._labels(text), SUPPRESSED) for text in ordered]

    def _is_small(self, text: str) -> bool:
        prefix = bare_code(text)[: self.length]
        if len(prefix) < self.length:
            return True
        return bool(self._kept) and prefix not in self._kept

    def _labels(self, text: str) -> tuple[str, ...]:
        if self._is_small(text):
            return (OTHER_AREAS,) * self.length
        code = bare_code(text)
        return tuple(
            code[:n] + "*" * (len(code) - n) for n in range(self.length, 0, -1)
        )

    def unread(self, values: Sequence[str]) -> list[str]:
        """Return the values that are too short for a postal code."""
        return [text for text in values if len(bare_code(text)) < self.length]


def areas_of(
    people: Mapping[str, int], *, enough: int = ENOUGH_PEOPLE, length: int | None = None
) -> Postcodes:
    """Make the rule for a country from the people of each of its postal codes.

    Parameters
    ----------
    people : mapping of str to int
        By postal code, or by its first characters.
    enough : int, >= 0
        An area is told if more people than this live there.
    length : int, optional
        Characters of the first level; without one the most of which at least nine in
        ten people live in areas that are told, and one where there are none.

    Returns
    -------
    Postcodes
    """
    codes = {bare_code(text): count for text, count in people.items()}
    longest = min((len(code) for code in codes), default=1)
    lengths = range(min(longest, 10), 0, -1) if length is None else (length,)
    total = sum(codes.values())
    kept: dict[str, int] = {}
    tried = 1
    for tried in lengths:
        sums: dict[str, int] = {}
        for code, count in codes.items():
            sums[code[:tried]] = sums.get(code[:tried], 0) + count
        kept = {area: count for area, count in sums.items() if count > enough}
        if sum(kept.values()) >= _MOST_IN_KEPT * total:
            break
    # An empty list would tell every area: one that no code begins with tells none.
    return Postcodes(length=tried, areas=" ".join(sorted(kept)) or "-" * tried)
