"""Counts classes, values and labels of a release from its rows alone."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from deidgui.engine.arrays import IntArray
from deidgui.engine.evidence.cells_seen import CellsSeen
from deidgui.engine.evidence.rows_seen import Numbers, PackedNumbers, RowsSeen
from deidgui.engine.evidence.verify_events import PersonShown, ReleasedPeople
from deidgui.engine.evidence.verify_rows import RowsRisk, risks_of_rows

STAR = "*"
PSEUDONYM = re.compile(r"[A-Z2-7]{16}")
_HARMLESS = r"^[0-9A-Za-z .,_/*%:()]*$"
_A_PSEUDONYM = r"^[A-Z2-7]{16}$"
ALL_PSEUDONYMS = re.compile(r"(?:(?:[A-Z2-7]{16}|\*)(?:\n|\Z))*")
SEPARATOR = "\x1f"
_SIGN = r"[=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b]"
_PASSED = (
    r"[ \x01-\x08\x0b\x0c\x0e-\x1b\x7f-\xa0\xad\u034f\u061c\u1680\u180b-\u180f"
    r"\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufe00-\ufe0f\ufeff]*"
)
"""Blanks and signs without width that a program may leave out before a formula."""
SUSPECT = re.compile(rf"(?:\A|[\x1f;\t\r\n]){_PASSED}{_SIGN}|(?:\A|\x1f)[\t\r\n]")
"""Finds a formula in texts that are joined by the separator."""
EXECUTED = re.compile(rf"(?:\A|[;\t\r\n]){_PASSED}{_SIGN}|\A[\t\r\n]")
NUMBER = re.compile(rf"{_PASSED}(?:[+-]?[0-9]+([.,][0-9]+)*([eE][+-]?[0-9]+)?%?|[+-]+)")


_Key = tuple[int | None, ...]
"""Code of the label of each quasi-identifier."""

ABSENT, NO_EVENT, UNKNOWN = -1, -2, -3
"""Stand for a label: of an event of another table, of who has no event, and one that
no mapping knows."""


@dataclass
class RoundLabels:
    """What a mapping file says about one attribute in one round.

    Parameters
    ----------
    labels : dict of str to int
        Number of hierarchy values behind each label.
    named : dict of str to str
        Label of every value that is named.
    n_values : int
        Values of the hierarchy, those of labels never released included.
    """

    labels: dict[str, int] = field(default_factory=dict)
    named: dict[str, str] = field(default_factory=dict)
    n_values: int = 0


@dataclass(frozen=True)
class MappedLabels:
    """What a mapping file says about one attribute.

    Parameters
    ----------
    values : dict of str to int
        Number of hierarchy values behind each label.
    n_values : int
        Values of the hierarchy, those of labels never released included; -1 if
        the rounds of a policy disagree on it.
    is_ambiguous : bool
        Whether a label stands for different numbers of values in different rounds.
    rounds : mapping of str to RoundLabels
        By the number of the round; of a policy without rounds one, without a number.
    """

    values: Mapping[str, int]
    n_values: int
    is_ambiguous: bool = False
    rounds: Mapping[str, RoundLabels] = field(default_factory=dict)


@dataclass
class Tally:
    """Counts that grow while the rows of a released table pass by.

    Parameters
    ----------
    quasi_identifiers : sequence of str
        Headers, in the order in which classes are counted.
    mapped : mapping of str to MappedLabels
        By header; labels that it does not know are counted as unknown.
    masked, pseudonyms : mapping
        Headers of masked columns; headers of pseudonymised ones with the texts
        that mean "no value".
    sensitive : sequence of str
        Headers of columns whose values are counted in each class.
    people : str or None
        Header of the column that says to whom a row belongs; None counts rows.
    counts_events : bool
        Whether it is counted how often each person shows what.
    seen : RowsSeen or None
        Takes the rows one by one, where they are needed.
    cells : CellsSeen or None
        Looks into the cells; None where rows of several tables are put together.
    """

    header: Sequence[str]
    quasi_identifiers: Sequence[str]
    mapped: Mapping[str, MappedLabels]
    masked: frozenset[str] = frozenset()
    pseudonyms: Mapping[str, frozenset[str]] = field(default_factory=dict)
    sensitive: Sequence[str] = ()
    people: str | None = None
    counts_events: bool = False
    seen: RowsSeen | None = None
    cells: CellsSeen | None = None

    def __post_init__(self) -> None:
        self.classes: Counter[_Key] = Counter()
        self._values: dict[str, Counter[tuple[_Key, str]]] = {
            name: Counter() for name in self.sensitive
        }
        self._shown: dict[str, set[_Key]] = {}
        self.without_events: Counter[_Key] = Counter()
        self._often: dict[str, Counter[tuple[str, _Key]]] = {}
        self._events: dict[str, Counter[_Key]] = {}
        self._had: dict[str, dict[str, set[str]]] = {n: {} for n in self.sensitive}
        self.n_rows = self.n_starred = self.n_executed = 0
        self.n_unmasked = self.n_no_pseudonym = 0
        self._numbers: Numbers | PackedNumbers | None = None
        self._keys: list[_Key] = []
        self._sizes: IntArray = np.zeros(0, np.int64)
        self._coded: IntArray | None = None
        self._pairs: dict[str, list[pl.DataFrame]] = {n: [] for n in self.sensitive}
        self._star_row = [STAR] * len(self.header)
        self._places = [self.header.index(name) for name in self.quasi_identifiers]
        self._codes = [self._code_of(name) for name in self.quasi_identifiers]
        self._others = [
            place for place in range(len(self.header)) if place not in self._places
        ]
        self.n_executed += count_executed(itertools.chain(self.header, *self._codes))

    def _code_of(self, name: str) -> dict[str, int]:
        labels = dict.fromkeys([*self.mapped[name].values, STAR])
        return {label: code for code, label in enumerate(labels)}

    def add(
        self,
        rows: Sequence[list[str]],
        elsewhere: Sequence[str] = (),
        table: str = "table",
    ) -> None:
        """Count some more rows, each as long as the header.

        Parameters
        ----------
        elsewhere : sequence of str
            Headers of columns of other tables of events, without a cell in these rows.
        table : str
            That the rows are of.
        """
        if not rows:
            return
        absent = {self.header.index(name) for name in elsewhere}
        self.n_rows += len(rows)
        self.n_starred += rows.count(self._star_row)
        columns = list(zip(*rows, strict=True))
        coded = [
            itertools.repeat(ABSENT, len(rows))
            if place in absent
            else map(codes.get, columns[place])
            for place, codes in zip(self._places, self._codes, strict=True)
        ]
        keys = list(zip(*coded, strict=True))
        self._coded = None
        self.classes.update(keys)
        for name, counts in self._values.items():
            counts.update(zip(keys, columns[self.header.index(name)], strict=True))
        if self.people is not None:
            people = columns[self.header.index(self.people)]
            often = self._often.setdefault(table, Counter())
            often.update(zip(people, keys, strict=True))
            self._add_people(keys, columns, elsewhere)
        if self.seen is not None:
            self.seen.add(keys, columns)
        if self.cells is not None:
            self.cells.add_rows(rows)
        for place in self._others:
            if place not in absent:
                self._check_other(self.header[place], columns[place])

    def add_frame(self, frame: pl.DataFrame) -> None:
        """Count some more rows of a table that is read in frames (without people).

        `end_frames` counts what was found in all of them.
        """
        assert self.people is None
        names = frame.columns
        if self._numbers is None:
            self._numbers = self._make_numbers([names[each] for each in self._places])
        self.n_rows += frame.height
        looked = frame.select(
            pl.all_horizontal(pl.all() == STAR).alias("star"),
            *(self._look_at(place, names[place]) for place in self._others),
        )
        self.n_starred += int(looked["star"].sum())
        numbers = self._numbers.of(frame)
        self._sizes.resize(len(self._keys), refcheck=False)
        self._sizes += np.bincount(numbers, minlength=len(self._keys))
        for name, parts in self._pairs.items():
            texts = frame[names[self.header.index(name)]].alias("text")
            pairs = pl.DataFrame([pl.Series("key", numbers), texts])
            parts.append(pairs.group_by("key", "text", maintain_order=True).len())
        if self.seen is not None:
            self.seen.add_frame(frame, self._keys, numbers)
        if self.cells is not None:
            self.cells.add(frame.get_columns())
        for place in self._others:
            odd = frame[names[place]].filter(looked[names[place]])
            self._check_odd(self.header[place], dict(odd.value_counts().iter_rows()))

    def end_frames(self) -> None:
        """Count the classes, and the values in them, of all frames."""
        self._coded = None
        # Different labels may be the same key: those that no mapping knows.
        for key, size in zip(self._keys, self._sizes.tolist(), strict=True):
            self.classes[key] += size
        for name, parts in self._pairs.items():
            if parts:
                together = pl.concat(parts).group_by("key", "text", maintain_order=True)
                for number, text, count in together.sum().iter_rows():
                    self._values[name][self._keys[number], text] += count
            parts.clear()

    def _make_numbers(self, names: Sequence[str]) -> Numbers | PackedNumbers:
        """Return what gives a number to the labels of a row."""
        n_labels = [len(codes) for codes in self._codes]
        if PackedNumbers.fits(n_labels):
            codes = dict(zip(names, self._codes, strict=True))
            return PackedNumbers(codes, self._number_of_codes)
        return Numbers(names, self._number_of)

    def _number_of(self, labels: tuple[str, ...]) -> int:
        return self._number_of_codes(self._key_of(labels))

    def _number_of_codes(self, key: _Key) -> int:
        self._keys.append(key)
        return len(self._keys) - 1

    def _look_at(self, place: int, name: str) -> pl.Expr:
        """Which cells of a column must be looked at one by one."""
        # Without a sign, a tab or a line break a text is no formula.
        odd = ~pl.col(name).str.contains(_HARMLESS)
        if self.header[place] in self.masked:
            odd = odd | (pl.col(name) != STAR)
        elif self.header[place] in self.pseudonyms:
            odd = odd | ~pl.col(name).str.contains(_A_PSEUDONYM)
        return odd.alias(name)

    def _key_of(self, labels: Sequence[str]) -> _Key:
        return tuple(
            codes.get(label) for codes, label in zip(self._codes, labels, strict=True)
        )

    def _add_people(
        self,
        keys: Sequence[_Key],
        columns: Sequence[Sequence[str]],
        elsewhere: Sequence[str],
    ) -> None:
        assert self.people is not None
        people = columns[self.header.index(self.people)]
        for person, key in zip(people, keys, strict=True):
            self._shown.setdefault(person, set()).add(key)
        if self.counts_events:
            for person, key in zip(people, keys, strict=True):
                self._events.setdefault(person, Counter())[key] += 1
        for name, had in self._had.items():
            if name in elsewhere:
                continue
            cells = columns[self.header.index(name)]
            for person, text in zip(people, cells, strict=True):
                had.setdefault(person, set()).add(text)

    def add_without_events(
        self, rows: Sequence[list[str]], events: Sequence[str]
    ) -> None:
        """Count people of whom no event is released: they are people, no records.

        Parameters
        ----------
        rows : sequence of list of str
            As long as the header.
        events : sequence of str
            Headers of columns of events.
        """
        absent = {self.header.index(name) for name in events}
        assert self.people is not None
        who = self.header.index(self.people)
        for row in rows:
            key = tuple(
                NO_EVENT if place in absent else codes.get(row[place])
                for place, codes in zip(self._places, self._codes, strict=True)
            )
            self.without_events[key] += 1
            self._shown.setdefault(row[who], set()).add(key)
            for name, had in self._had.items():
                place = self.header.index(name)
                text = "" if place in absent else row[place]
                had.setdefault(row[who], set()).add(text)
        if rows:
            for place in self._others:
                if place not in absent:
                    self._check_other(self.header[place], [r[place] for r in rows])

    def labels_without_events(self, name: str) -> set[str]:
        """Labels of a quasi-identifier that people without an event have."""
        place, labels = self.quasi_identifiers.index(name), self.labels(name)
        codes = {key[place] for key in self.without_events}
        return {labels[code] for code in codes if code is not None and code >= 0}

    def people_classes(self) -> dict[frozenset[_Key], list[str]]:
        """People by all that their rows show; suppressed ones have no name left."""
        classes: dict[frozenset[_Key], list[str]] = {}
        for person, shown in self._shown.items():
            if person != STAR:
                classes.setdefault(frozenset(shown), []).append(person)
        return classes

    def rows_risks(self) -> dict[str, RowsRisk]:
        """What the rows of released people tell: see `risks_of_rows`."""
        shown = {p: each for p, each in self._shown.items() if p != STAR}
        often: dict[str, set[tuple[str, _Key, int]]] = {p: set() for p in shown}
        for table, counts in self._often.items():
            for (person, key), n in counts.items():
                if person != STAR:
                    often[person].add((table, key, n))
        return risks_of_rows(shown, {p: frozenset(e) for p, e in often.items()})

    def people_shown(self, events: Sequence[str]) -> ReleasedPeople | None:
        """Return the released people by what their rows show.

        Parameters
        ----------
        events : sequence of str
            Headers of the columns that differ between the rows of a person.

        Returns
        -------
        Shown or None
            None if another column differs, too, or nobody is released.
        """
        names = self.quasi_identifiers
        own = [place for place, name in enumerate(names) if name not in events]
        differing = [place for place, name in enumerate(names) if name in events]
        people = []
        for person, rows in self._events.items():
            if person == STAR:
                continue
            constant = {tuple(key[place] for place in own) for key in rows}
            if len(constant) > 1 or any(None in key for key in rows):
                return None
            values: list[Counter[int]] = [Counter() for _ in differing]
            for key, count in rows.items():
                for counter, place in zip(values, differing, strict=True):
                    code = key[place]
                    if code is not None and code >= 0:
                        counter[code] += count
            people.append(PersonShown(constant.pop(), tuple(values)))
        for key, n in self.without_events.items():
            if None in key:
                return None
            none = tuple(Counter[int]() for _ in differing)
            people += [PersonShown(tuple(key[place] for place in own), none)] * n
        return ReleasedPeople(people) if people else None

    def people_values(self, name: str, no_value: frozenset[str]) -> list[Counter[str]]:
        """People by value of a sensitive column in each class of people.

        Parameters
        ----------
        name : str
            One of `sensitive`; who has several values is counted with each.
        no_value : frozenset of str
            Texts that mean "no value": together one value, with an empty text.
        """
        had, found = self._had[name], []
        for people in self.people_classes().values():
            # Who has no event with the column is like somebody without a value.
            shown = (had.get(p) or {""} for p in people)
            each = ({"" if t in no_value else t for t in own} for own in shown)
            found.append(Counter(itertools.chain.from_iterable(each)))
        return found

    def _check_other(self, name: str, column: Sequence[str]) -> None:
        if name in self.masked:
            self.n_unmasked += len(column) - column.count(STAR)
        elif name in self.pseudonyms and not ALL_PSEUDONYMS.fullmatch(
            "\n".join(column)
        ):
            self.n_no_pseudonym += sum(
                not self._is_pseudonym(name, text) for text in column
            )
        executed = _executed(set(column))
        if executed:
            self.n_executed += sum(text in executed for text in column)

    def _check_odd(self, name: str, times: Mapping[str, int]) -> None:
        """Check texts that are not harmless at first sight, and how often each is."""
        if name in self.masked:
            self.n_unmasked += sum(n for text, n in times.items() if text != STAR)
        elif name in self.pseudonyms:
            self.n_no_pseudonym += sum(
                n for text, n in times.items() if not self._is_pseudonym(name, text)
            )
        self.n_executed += sum(times[text] for text in _executed(times))

    def _is_pseudonym(self, name: str, text: str) -> bool:
        """Whether a text is a pseudonym, or one that means "no value"."""
        return text in self.pseudonyms[name] or bool(PSEUDONYM.fullmatch(text))

    def labels(self, name: str) -> list[str]:
        """Labels of a quasi-identifier in the order of their codes."""
        return list(self._codes[self.quasi_identifiers.index(name)])

    @property
    def n_unknown(self) -> int:
        """Records with a label that no mapping knows."""
        both = (self.classes, self.without_events)
        return sum(n for each in both for key, n in each.items() if None in key)

    def withdraw(self, n_suppressed: int) -> None:
        """Take suppressed records out of the class of stars."""
        stars = tuple(codes[STAR] for codes in self._codes)
        self._coded = None
        self.classes[stars] -= n_suppressed
        if not self.classes[stars]:
            del self.classes[stars]
        for counts in self._values.values():
            counts[stars, STAR] -= n_suppressed
            if not counts[stars, STAR]:
                del counts[stars, STAR]

    def sizes(self) -> IntArray:
        """Class sizes, suppressed records excluded: int64, (n_classes,)."""
        return np.fromiter(self.classes.values(), np.int64, len(self.classes))

    def values(self, name: str, no_value: frozenset[str]) -> list[Counter[str]]:
        """Records by value of a sensitive column in each class, suppressed excluded.

        Parameters
        ----------
        name : str
            One of `sensitive`.
        no_value : frozenset of str
            Texts that mean "no value": together one value, with an empty text.
        """
        classes: dict[_Key, Counter[str]] = {}
        for (key, text), count in self._values[name].items():
            found = classes.setdefault(key, Counter())
            found["" if text in no_value else text] += count
        return list(classes.values())

    def coded(self) -> IntArray:
        """Code of each label of each class: int64, (n_classes, n_quasi_identifiers).

        An unknown label is `UNKNOWN`.
        """
        # PERF: several checks need them, and there may be a million classes.
        if self._coded is None:
            self._coded = codes_of(list(self.classes), len(self.quasi_identifiers))
        return self._coded

    def code_counts(self, place: int, n_codes: int) -> IntArray:
        """Records by label of a quasi-identifier, suppressed ones excluded."""
        codes, counts = self.coded()[:, place], self.sizes()
        is_known, found = codes >= 0, np.zeros(n_codes, np.int64)
        np.add.at(found, codes[is_known], counts[is_known])
        return found

    def label_counts(self, name: str) -> Counter[str]:
        """Records by label of a quasi-identifier, suppressed ones excluded."""
        place, labels = self.quasi_identifiers.index(name), self.labels(name)
        counts = self.code_counts(place, len(labels))
        return Counter(dict(zip(labels, counts.tolist(), strict=True)))


def codes_of(keys: Sequence[_Key], width: int) -> IntArray:
    """Codes of classes as one array; an unknown label is `UNKNOWN`."""
    # None becomes NaN; codes are whole numbers that a float holds exactly.
    found = np.array(keys, np.float64).reshape(len(keys), width)
    return np.nan_to_num(found, copy=False, nan=UNKNOWN).astype(np.int64)


def is_executed(text: str) -> bool:
    """Whether a spreadsheet would take a text for a formula."""
    return bool(EXECUTED.search(text)) and not NUMBER.fullmatch(text)


def _executed(texts: Collection[str]) -> set[str]:
    """Texts that a spreadsheet would take for a formula."""
    # PERF: one search over all texts of a chunk takes a fifth of one per text.
    if not SUSPECT.search(SEPARATOR.join(texts)):
        return set()
    return set(filter(is_executed, texts))


def count_executed(texts: Iterable[str]) -> int:
    """Count the texts that a spreadsheet would take for a formula."""
    return sum(map(is_executed, texts))


def share_above(sizes: IntArray, least: float) -> tuple[int, float]:
    """Records in classes smaller than `least`: their number, and their share."""
    n_records = int(sizes.sum())
    n_above = int(sizes[sizes < least].sum())
    return n_above, n_above / n_records if n_records else 0.0
