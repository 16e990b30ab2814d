"""Tables of counts with noise, in the order of operations of Klann et al."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

import numpy as np

from deidgui.engine.arrays import AnyArray, FloatArray, IntArray
from deidgui.engine.counts.noise.redundancy import Equation, best_estimate
from deidgui.engine.counts.noise.rules import NoiseRule
from deidgui.engine.counts.tables.cells import MASKED, CellType, CountCell, Writing
from deidgui.engine.counts.tables.reading import cell_problems
from deidgui.engine.counts.tables.structure import Form, Relation, cell_at, shown_by
from deidgui.engine.counts.tables.table import At, CountTable
from deidgui.engine.transform.pseudonyms import PseudonymKey
from deidgui.errors import raise_all
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

_BLOCK = 64
_INNER = bytes(byte ^ 0x36 for byte in range(256))
_OUTER = bytes(byte ^ 0x5C for byte in range(256))
_CHUNK = 20_000


def canonical(terms: Iterable[str]) -> bytes:
    """Write a question so that no other question is written the same way.

    Parameters
    ----------
    terms : iterable of str
        What the count is of, in a fixed order. Blanks around and within a term and
        its Unicode form do not matter.
    """
    parts = []
    for term in terms:
        text = " ".join(unicodedata.normalize("NFC", term).split()).encode()
        parts.append(b"%d:%s" % (len(text), text))
    return b"".join(parts)


def keyed_words(
    key: PseudonymKey,
    questions: Sequence[bytes],
    *,
    monitor: Monitor = NULL_MONITOR,
) -> AnyArray:
    """Words that look random to everybody without the key.

    Parameters
    ----------
    questions : sequence of bytes
        As `canonical` writes them, with what tells the data apart.

    Returns
    -------
    ndarray of uint64, shape (len(questions),)
        The first 64 bits of HMAC-SHA256(key, question).

    References
    ----------
    .. [1] RFC 2104; methods.md D.4.
    """
    # PERF: 2.7 instead of 6 µs for each; hmac looks its hash up again each time.
    secret = key.secret.ljust(_BLOCK, b"\0")
    inner, outer = secret.translate(_INNER), secret.translate(_OUTER)
    sha256 = hashlib.sha256
    found = [np.empty(0, np.uint64)]
    for start in range(0, len(questions), _CHUNK):
        monitor.report(start / len(questions), "noise")
        digests = b"".join(
            [
                sha256(outer + sha256(inner + each).digest()).digest()
                for each in questions[start : start + _CHUNK]
            ]
        )
        found.append(np.frombuffer(digests, ">u8")[::4].astype(np.uint64))
    monitor.report(1.0, "noise")
    return np.concatenate(found)


@dataclass(frozen=True, eq=False, repr=False)
class Fuzzed:
    """Tables with noise, and what may be said about them.

    Parameters
    ----------
    tables : tuple of CountTable
        In the layout of the tables that they were made from.
    places : tuple of At
        Cells whose counts have noise, or are zeros that stayed.
    counts : ndarray of int64
        The counts that are released at these places.
    sd : float
        Standard deviation of the noise. PRIVACY: the same for all, since that of a
        true zero would tell it.
    effective : ndarray of float64
        Standard deviation that is left to who knows how the counts hang together.
    estimates : ndarray of float64
        What they would take the counts for.
    omitted : tuple of At
        Percentages and means that were omitted.
    masked : tuple of At
        Counts that are masked, as they came or by the rule.
    true_zeros : tuple of At
        PRIVACY: never written into a release.
    """

    tables: tuple[CountTable, ...]
    places: tuple[At, ...]
    counts: IntArray
    sd: float
    effective: FloatArray
    estimates: FloatArray
    omitted: tuple[At, ...]
    masked: tuple[At, ...]
    true_zeros: tuple[At, ...]


def fuzz(
    tables: Sequence[CountTable],
    relations: Sequence[Relation],
    rule: NoiseRule,
    key: PseudonymKey | None = None,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> Fuzzed:
    """Put noise on every count of some tables.

    Parameters
    ----------
    relations : sequence of Relation
        How the counts hang together. Of a ratio the percentage is computed again; the
        same count in several places gets the same noise if it is keyed.
    key : PseudonymKey, optional
        Goes with a keyed rule.

    Raises
    ------
    InputError, ProblemsError
        As `cell_problems`.

    Notes
    -----
    First the percentages and means of low counts are found, on true counts; then all
    counts get noise; then the other percentages are computed again from counts with
    noise. Percentages of which nobody knows what they are of are omitted: with the
    noisy total they would tell the true count.
    """
    raise_all(cell_problems(tables))
    places = tuple(_places(tables))
    true = np.array([cell_at(tables, at).count for at in places], np.int64)
    if rule.is_keyed:
        assert key is not None, "a keyed rule goes with a key"
        step = SubMonitor(monitor, 0.0, 0.4)
        words = _words(tables, relations, places, rule, key, step)
        drawn = rule.draw(true, words)
    else:
        drawn = rule.draw(true, monitor=SubMonitor(monitor, 0.0, 0.4))
    if rule.keeps_zeros:
        drawn = np.where(true == 0, 0, drawn)
    masked = np.array([rule.masks(count) for count in true.tolist()], np.bool_)
    noisy = {
        at: count
        for at, count, gone in zip(places, drawn.tolist(), masked, strict=True)
        if not gone
    }
    writer = _Writer(tables, relations, rule, noisy)
    written = writer.tables(SubMonitor(monitor, 0.4, 0.6))
    kept = tuple(noisy)
    values = np.array(list(noisy.values()), np.int64)
    best = best_estimate(
        values.astype(np.float64),
        np.full(len(kept), rule.standard_deviation),
        equations_between(kept, relations, is_keyed=rule.is_keyed),
        monitor=SubMonitor(monitor, 0.6, 1.0),
    )
    one = _ones(kept, relations, is_keyed=rule.is_keyed)
    return Fuzzed(
        tables=written,
        places=kept,
        counts=values,
        sd=rule.standard_deviation,
        effective=best.sd[one],
        estimates=best.values[one],
        omitted=tuple(writer.omitted),
        masked=tuple(writer.masked),
        true_zeros=tuple(
            at for at, n in zip(places, true.tolist(), strict=True) if not n
        )
        if rule.keeps_zeros
        else (),
    )


def _places(tables: Sequence[CountTable]) -> Iterator[At]:
    """Cells with a count that is shown."""
    for place, table in enumerate(tables):
        for row, column, cell in table.counts():
            if cell.count is not None:
                yield At(place, row, column)


# -- the same question -----------------------------------------------------------------


def _words(
    tables: Sequence[CountTable],
    relations: Sequence[Relation],
    places: Sequence[At],
    rule: NoiseRule,
    key: PseudonymKey,
    monitor: Monitor,
) -> AnyArray:
    """Keyed random words; the same for the same count in several places.

    PRIVACY: the true count is part of what is keyed. Were the noise the same although
    the data have changed, the difference of two releases would be the exact change.
    """
    asked = questions(tables, places)
    shared = _first_question(places, asked, relations)
    refresh = getattr(rule, "refresh", "")
    messages = [
        canonical(
            (refresh, rule.kind, repr(rule.sigma), str(cell_at(tables, at).count))
        )
        + shared[at]
        for at in places
    ]
    return keyed_words(key, messages, monitor=monitor)


def questions(tables: Sequence[CountTable], places: Iterable[At]) -> dict[At, bytes]:
    """Write what each count is of: its table, row and column, by their labels."""
    seen: dict[bytes, int] = {}
    found = {}
    for at in places:
        table = tables[at.table]
        heading = table.headings[at.row]
        above = () if heading is None else table.row_paths[heading]
        row = (*above, *table.row_paths[at.row])
        terms = (table.name, str(len(row)), *row, *table.column_paths[at.column])
        text = canonical(terms)
        # Labels that occur again are told apart by their order.
        seen[text] = seen.get(text, -1) + 1
        found[at] = text + canonical((str(seen[text]),))
    return found


def _first_question(
    places: Sequence[At], asked: Mapping[At, bytes], relations: Sequence[Relation]
) -> dict[At, bytes]:
    """For every place the first, in bytes, of the questions for the same count."""
    groups = _same(places, relations)
    first: dict[At, bytes] = {}
    for at in places:
        root = groups[at]
        first[root] = min(first.get(root, asked[at]), asked[at])
    return {at: first[groups[at]] for at in places}


def _same(places: Sequence[At], relations: Sequence[Relation]) -> dict[At, At]:
    """For every place one of those that show the same count."""
    root = {at: at for at in places}

    def find(at: At) -> At:
        while root[at] != at:
            root[at] = root[root[at]]
            at = root[at]
        return at

    for relation in relations:
        if relation.form is Form.SAME:
            shown = [at for at in relation.cells if at in root]
            for at in shown[1:]:
                root[find(at)] = find(shown[0])
    return {at: find(at) for at in places}


def equations_between(
    places: Sequence[At], relations: Sequence[Relation], *, is_keyed: bool
) -> list[Equation]:
    """Equations between counts with noise, as an attacker knows them.

    Parameters
    ----------
    is_keyed : bool
        Whether counts that are the same have the same noise: then they are one, and
        only their first place stands in equations.

    Notes
    -----
    An equation with a masked count says nothing here. Counts that are the same and
    have the same noise are tied by an equation that costs no noise, so only one of
    them is used; `best_estimate` would count them as two measurements.
    """
    number = {at: n for n, at in enumerate(places)}
    one = _ones(places, relations, is_keyed=is_keyed).tolist()
    found: list[Equation] = []
    for relation in relations:
        if not all(at in number for at in relation.cells):
            continue
        whole, *parts = (one[number[at]] for at in relation.cells)
        if relation.form in (Form.SUM, Form.ATTRITION):
            found.append([(whole, 1.0), *((part, -1.0) for part in parts)])
        elif relation.form is Form.SAME:
            found.extend([(whole, 1.0), (p, -1.0)] for p in parts if p != whole)
    return found


def _ones(
    places: Sequence[At], relations: Sequence[Relation], *, is_keyed: bool
) -> IntArray:
    """For every place the number of the one whose noise it has."""
    if not is_keyed:
        return np.arange(len(places))
    same, number = _same(places, relations), {at: n for n, at in enumerate(places)}
    return np.array([number[same[at]] for at in places], np.int64)


# -- what is written -------------------------------------------------------------------


class _Writer:
    """Writes tables with noise in the layout of the tables that they come from."""

    def __init__(
        self,
        tables: Sequence[CountTable],
        relations: Sequence[Relation],
        rule: NoiseRule,
        noisy: Mapping[At, int],
    ) -> None:
        self._tables = tables
        self._rule = rule
        self._noisy = noisy
        self._ratios = {
            each.shown: each
            for each in relations
            if each.form is Form.RATIO and each.shown is not None
        }
        self._wholes = {
            (each.whole.table, each.whole.row, shown.column): each
            for shown, each in self._ratios.items()
        }
        self.omitted: list[At] = []
        self.masked: list[At] = []

    def tables(self, monitor: Monitor) -> tuple[CountTable, ...]:
        """Every table."""
        found = []
        for place, table in enumerate(self._tables):
            monitor.report(place / len(self._tables), "tables")
            grid = tuple(
                tuple(
                    self._text(At(place, row, column), cell, table)
                    for column, cell in enumerate(cells)
                )
                for row, cells in enumerate(table.cells)
            )
            found.append(replace(table, grid=grid))
        monitor.report(1.0, "tables")
        return tuple(found)

    def _text(self, at: At, cell: CountCell, table: CountTable) -> str:
        if cell.kind is CellType.COUNT:
            return self._count(at, cell, table)
        if cell.kind in (CellType.PERCENTAGE, CellType.MEAN):
            return self._computed(at, cell, table) or self._omit(at)
        if cell.kind is CellType.LEFT_OUT:
            return ""
        return table.grid[at.row][at.column]

    def _omit(self, at: At) -> str:
        self.omitted.append(at)
        return MASKED

    def _count(self, at: At, cell: CountCell, table: CountTable) -> str:
        if at not in self._noisy:
            self.masked.append(at)
            return table.grid[at.row][at.column] if cell.count is None else MASKED
        text = count_text(self._noisy[at], table.writing)
        if cell.share is None:
            return text
        return f"{text} ({self._computed(at, cell, table) or self._omit(at)})"

    def _computed(self, at: At, cell: CountCell, table: CountTable) -> str | None:
        """Return a percentage or mean as it may be released; None if it may not be."""
        ratio = self._ratios.get(at)
        if ratio is not None:
            shown = shown_by(ratio, self._tables)
            if shown is None or any(self._is_low(each) for each in ratio.cells):
                return None
            whole, part = (self._noisy[each] for each in ratio.cells)
            if whole <= 0:
                return None
            text = shown_text(ratio.scale * part, whole, shown, table.writing)
            return text + ("%" if "%" in table.grid[at.row][at.column] else "")
        of_itself = self._wholes.get((at.table, at.row, at.column))
        if of_itself is not None and cell.share == of_itself.scale:
            is_low = self._is_low(of_itself.whole)
            return None if is_low else table.grid[at.row][at.column]
        if (
            cell.kind is not CellType.MEAN
            or cell.mean is None
            or self._rule.recomputes_only
        ):
            return None
        counts = list(self._counts_of_mean(at))
        if not counts or any(self._is_low(each) for each in counts):
            return None
        return table.grid[at.row][at.column]

    def _counts_of_mean(self, at: At) -> Iterator[At]:
        """Counts that a mean may be of: of its row, else of its column."""
        cells = self._tables[at.table].cells
        row = [
            At(at.table, at.row, n) for n, e in enumerate(cells[at.row]) if e.is_count
        ]
        if row:
            return iter(row)
        column = (At(at.table, n, at.column) for n in range(len(cells)))
        return (e for e in column if cells[e.row][e.column].is_count)

    def _is_low(self, at: At) -> bool:
        """Whether a count is below the threshold, or hidden.

        PRIVACY: where a guarantee must hold, only counts with noise decide.
        """
        if at not in self._noisy:
            return True
        if self._rule.recomputes_only:
            return self._noisy[at] < self._rule.threshold
        count = cell_at(self._tables, at).count
        return count is None or 0 < count < self._rule.threshold


def count_text(count: int, writing: Writing) -> str:
    """Write a count as its table writes numbers; negative ones with a hyphen."""
    return f"{count:,}".replace(",", writing.thousands)


def shown_text(part: int, whole: int, shown: Decimal, writing: Writing) -> str:
    """Write a quotient with as many digits as the one that it replaces."""
    value = (Decimal(part) / Decimal(whole)).quantize(shown)
    return f"{value:f}".replace(".", writing.decimal)
