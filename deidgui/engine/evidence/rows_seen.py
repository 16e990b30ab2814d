"""The rows of a release as numbers, read one block after another."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from deidgui.engine.arrays import AnyArray, BoolArray, IntArray

_STAR = "*"
_MOST_PACKED = 2**62


class RowsSeen:
    """Classes, values and whole rows of a released table.

    PERF: of ten million rows each array of hashes is 80 MB; whoever compares one takes
    it away, and nothing of it is left.

    Parameters
    ----------
    places : sequence of int
        Columns of which it matters whether two rows agree on all of them.
    values : mapping of str to (int, frozenset of str)
        By header of a sensitive column its place, and the texts that mean "no value".
    texts : mapping of str to int
        By header of a column that is known besides, its place.
    people : int or None
        Place of the column that says to whom a row belongs.

    Attributes
    ----------
    keys : list of tuple
        Labels of each class, in the order in which classes appeared.
    classes : array of int32, one for each row
    hashes, people : array of int64, one for each row
        What all columns say, as a hash; whose it is, None without people.
    values : dict of str to array of int32
        By header, for each row: number of a value.
    texts : dict of str to array of int64
        By header, for each row: hash of a text as it stands there.
    """

    def __init__(
        self,
        places: Sequence[int],
        values: Mapping[str, tuple[int, frozenset[str]]],
        texts: Mapping[str, int],
        people: int | None,
    ) -> None:
        self._places, self._columns, self._people = places, values, people
        self._texts = texts
        self._class_of: dict[tuple[int | None, ...], int] = {}
        self._value_of: dict[str, dict[str, int]] = {name: {} for name in values}
        self._person_of: dict[str, int] = {}
        self._class_of_number = array("q")
        self._numbers: dict[str, Numbers] = {}
        self._star = hash((_STAR,) * len(places))
        self.classes, self.hashes = array("i"), array("q")
        self.values = {name: array("i") for name in values}
        self.texts = {name: array("q") for name in texts}
        self.people = None if people is None else array("q")

    @property
    def keys(self) -> list[tuple[int | None, ...]]:
        """Labels of each class."""
        return list(self._class_of)

    def add(
        self,
        keys: Sequence[tuple[int | None, ...]],
        columns: Sequence[Sequence[str]],
    ) -> None:
        """Take some more rows, given as their class labels and as columns."""
        of_class = self._class_of
        self.classes.extend(of_class.setdefault(key, len(of_class)) for key in keys)
        rows = zip(*(columns[place] for place in self._places), strict=True)
        self.hashes.extend(map(hash, rows))
        for name, (place, missing) in self._columns.items():
            of_text = self._value_of[name]
            self.values[name].extend(
                of_text.setdefault("" if text in missing else text, len(of_text))
                for text in columns[place]
            )
        for name, place in self._texts.items():
            self.texts[name].extend(map(hash, columns[place]))
        if self.people is not None and self._people is not None:
            person_of = self._person_of
            self.people.extend(
                person_of.setdefault(text, len(person_of))
                for text in columns[self._people]
            )

    def add_frame(
        self,
        frame: pl.DataFrame,
        keys: Sequence[tuple[int | None, ...]],
        numbers: IntArray,
    ) -> None:
        """Take some more rows of a table that is read in frames (without people).

        Parameters
        ----------
        keys : sequence of tuple
            Class labels of all frames so far.
        numbers : ndarray of int64, shape (n_rows,)
            Which of them each row has.
        """
        assert self.people is None
        of_class, known = self._class_of, len(self._class_of_number)
        self._class_of_number.extend(
            of_class.setdefault(key, len(of_class)) for key in keys[known:]
        )
        _extend(self.classes, np.asarray(self._class_of_number)[numbers])
        names = [frame.columns[place] for place in self._places]
        texts = [frame.columns[place] for place in self._texts.values()]
        hashes = frame.select(
            pl.struct(names).hash().alias("rows"),
            *(pl.struct(name).hash().alias(name) for name in texts),
        )
        _extend(self.hashes, hashes["rows"].to_numpy().view(np.int64))
        for name, text in zip(self._texts, texts, strict=True):
            _extend(self.texts[name], hashes[text].to_numpy().view(np.int64))
        star = pl.DataFrame({name: [_STAR] for name in names})
        self._star = int(
            star.select(pl.struct(names).hash())
            .to_series()
            .to_numpy()
            .view(np.int64)[0]
        )
        for name, (place, missing) in self._columns.items():
            if name not in self._numbers:
                value_of = partial(_value_of, self._value_of[name], missing)
                self._numbers[name] = Numbers([frame.columns[place]], value_of)
            _extend(self.values[name], self._numbers[name].of(frame))

    def released(self, n_suppressed: int) -> BoolArray:
        """Which rows are not suppressed: ndarray of bool, one for each row.

        Parameters
        ----------
        n_suppressed : int
            Rows of stars that stand for suppressed records; so many are left out.
        """
        is_star: BoolArray = np.asarray(self.hashes) == self._star
        is_star[np.flatnonzero(is_star)[n_suppressed:]] = False
        return ~is_star

    def missing(self, name: str) -> int:
        """Return the number of "no value" of a column; -1 if no row lacks one."""
        return self._value_of[name].get("", -1)

    def take_hashes(self) -> IntArray:
        """Return the hashes of whole rows, which are not kept any more."""
        taken, self.hashes = np.asarray(self.hashes), array("q")
        return taken

    def take_texts(self, name: str) -> IntArray:
        """Return the hashes of a column's texts, which are not kept any more."""
        return np.asarray(self.texts.pop(name))


def _extend(numbers: array[int], more: AnyArray) -> None:
    kind = np.dtype(numbers.typecode)
    numbers.frombytes(np.ascontiguousarray(more, dtype=kind).tobytes())


def _value_of(
    of_text: dict[str, int], missing: frozenset[str], texts: tuple[str, ...]
) -> int:
    """Return the number of a value; texts that mean "no value" are one."""
    text = "" if texts[0] in missing else texts[0]
    return of_text.setdefault(text, len(of_text))


class Numbers:
    """A number for what a row says in some columns, in frame after frame.

    Parameters
    ----------
    names : sequence of str
        Columns of each frame.
    number : callable
        Gives a number to what the columns say; called once for all rows that say the
        same, in the order in which they appear.
    kind : polars type
        Of the columns.
    """

    def __init__(
        self,
        names: Sequence[str],
        number: Callable[[tuple[Any, ...]], int],
        kind: type[pl.DataType] = pl.String,
    ) -> None:
        self._names, self._number = list(names), number
        kinds: dict[str, Any] = dict.fromkeys(names, kind)
        self._known = pl.DataFrame(schema=kinds | {"number": pl.Int64})

    def of(self, frame: pl.DataFrame) -> IntArray:
        """Return the number of each row: int64, (n_rows,)."""
        own = frame.select(self._names)
        numbers = self._looked_up(own)
        if numbers.null_count():
            new = own.filter(numbers.is_null()).unique(maintain_order=True)
            found = list(map(self._number, new.iter_rows()))
            new = new.with_columns(pl.Series("number", found, pl.Int64))
            self._known = pl.concat([self._known, new])
            numbers = self._looked_up(own)
        return numbers.to_numpy()

    def _looked_up(self, own: pl.DataFrame) -> pl.Series:
        how: dict[str, Any] = {"how": "left", "maintain_order": "left"}
        return own.join(self._known, on=self._names, **how)["number"]


class PackedNumbers:
    """A number for what a row says in columns of known labels, in frame after frame.

    PERF: of six columns and a million rows one number for all is looked up in a fifth
    of the time that six texts take.

    Parameters
    ----------
    codes : mapping of str to (mapping of str to int)
        By column the code of each label, from 0 without gaps; all other texts are
        alike, unknown.
    number : callable
        Gives a number to codes, None for an unknown label; called once for all rows
        that say the same.
    """

    def __init__(
        self,
        codes: Mapping[str, Mapping[str, int]],
        number: Callable[[tuple[int | None, ...]], int],
    ) -> None:
        self._codes, self._number = codes, number
        self._packed = Numbers(["key"], self._number_of, pl.Int64)

    @staticmethod
    def fits(n_labels: Sequence[int]) -> bool:
        """Whether columns with so many labels can be packed into one number."""
        return math.prod(each + 1 for each in n_labels) < _MOST_PACKED

    def of(self, frame: pl.DataFrame) -> IntArray:
        """Return the number of each row: int64, (n_rows,)."""
        keys = np.zeros(frame.height, np.int64)
        for name, codes in self._codes.items():
            own = frame[name].replace_strict(
                pl.Series(list(codes), dtype=pl.String),
                pl.Series(list(codes.values()), dtype=pl.Int64),
                default=len(codes),
                return_dtype=pl.Int64,
            )
            keys = keys * (len(codes) + 1) + own.to_numpy()
        return self._packed.of(pl.DataFrame({"key": keys}))

    def _number_of(self, key: tuple[int]) -> int:
        (left,) = key
        found: list[int | None] = []
        for codes in reversed(list(self._codes.values())):
            left, code = divmod(left, len(codes) + 1)
            found.append(code if code < len(codes) else None)
        return self._number(tuple(reversed(found)))
