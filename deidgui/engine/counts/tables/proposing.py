"""Proposes how counts hang together, from labels, indentation and sums.

What the shown counts contradict is never proposed; where labels say that counts should
add up and they do not, this is named instead.
"""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from deidgui.engine.counts.tables.cells import CellType
from deidgui.engine.counts.tables.structure import (
    Bounds,
    Fit,
    Form,
    Relation,
    cell_at,
    fit_of,
)
from deidgui.engine.counts.tables.table import At, CountTable


@dataclass(frozen=True)
class ProposedRelations:
    """What was found of the structure of some tables.

    Parameters
    ----------
    relations : tuple of Relation
        None is contradicted by what is shown.
    disagreeing : tuple of Relation
        Sums that labels suggest and that do not add up.
    """

    relations: tuple[Relation, ...]
    disagreeing: tuple[Relation, ...] = ()


_TOTAL = re.compile(
    r"^(overall|total|totals|grand\stotal|sum|n|initial|all"
    r"|gesamt|insgesamt|summe|ensemble|totale|totaal"
    r"|all\s(patients|persons|people|subjects|participants|sites|ages|sexes|rows)"
    r"|(total|overall|initial|number\sof|no\.?\sof|study|source)\b.*)$"
    r"|\(n\)|^n\s*=|\btotal$",
    re.IGNORECASE,
)
_SEVERAL = re.compile(
    r"select\sall|all\sthat\sapply|multi-?select|not\sexclusive|may\s(have|be)|comorbid"
    r"|co-morbid|conditions?\b|diagnos|medication|drugs?\b|symptom|procedures?\b"
    r"|history\sof|prior\b",
    re.IGNORECASE,
)
_OF_WHICH = re.compile(
    r"^(of\swhich|of\swhom|of\sthese|thereof|including|incl\.?)\b", re.I
)
_REMAINING = re.compile(
    r"\b(remain\w*|left|retained|included|eligible|kept|after)\b", re.IGNORECASE
)
_EXCLUDED = re.compile(
    r"\b(exclu\w*|dropped|removed|lost|ineligible|failed)\b", re.IGNORECASE
)
_PREFIX = re.compile(r"^(?P<name>[^:=\d<>≥≤-]{2,}?)\s*[:=,\d<>≥≤-]")


def proposed_structure(
    tables: Sequence[CountTable], bounds: Bounds | None = None
) -> ProposedRelations:
    """Propose relations between the counts of some tables.

    Parameters
    ----------
    bounds : Bounds, optional
        What is known of the marks; a masked count may otherwise be any.
    """
    judge = _Judge(tables, bounds or Bounds())
    for number, table in enumerate(tables):
        _OneTable(number, table, judge).propose()
    _propose_same(tables, judge)
    return ProposedRelations(tuple(judge.relations), tuple(judge.disagreeing))


class _Judge:
    """Takes relations that what is shown does not contradict."""

    def __init__(self, tables: Sequence[CountTable], bounds: Bounds) -> None:
        self.tables, self.bounds = tables, bounds
        self.relations: list[Relation] = []
        self.disagreeing: list[Relation] = []
        self._known = set[str]()

    def fit(self, relation: Relation) -> Fit:
        return fit_of(relation, self.tables, self.bounds)

    def take(self, relation: Relation, names: bool = True) -> bool:
        """Take a relation; one that is contradicted is named if asked."""
        if not relation.parts or relation.identity in self._known:
            return True
        if self.fit(relation) is Fit.CONTRADICTED:
            if names:
                self.disagreeing.append(relation)
            return False
        self._known.add(relation.identity)
        self.relations.append(relation)
        return True

    def add_up(
        self, whole: At, parts: Sequence[At], several: bool, names: bool = True
    ) -> None:
        """Take a sum, or the weaker relation for what does not exclude one another."""
        if several or not self.take(Relation(Form.SUM, whole, tuple(parts)), names):
            self.take(Relation(Form.AT_MOST, whole, tuple(parts)), names=False)


@dataclass(frozen=True)
class _Group:
    """Rows that stand together, and what is above them.

    Parameters
    ----------
    is_sure : bool
        Whether the table itself puts them together: it is named if they do not add up.
    """

    heading: int | None
    name: str
    rows: tuple[int, ...]
    is_sure: bool = True


class _OneTable:
    """Proposals for one table."""

    def __init__(self, number: int, table: CountTable, judge: _Judge) -> None:
        self.number, self.table, self.judge = number, table, judge
        first = table.layout.n_header_rows
        self.body = [
            row
            for row in range(first, table.shape[0])
            if any(cell.is_count for cell in table.cells[row])
        ]
        self.columns = [
            column
            for column in range(table.shape[1])
            if any(table.cells[row][column].is_count for row in self.body)
        ]
        self.steps = list(self._step_columns())

    def propose(self) -> None:
        in_steps = {column for pair in self.steps for column in pair if column >= 0}
        for remaining, excluded in self.steps:
            self._propose_steps(remaining, excluded)
        plain = [each for each in self.columns if each not in in_steps]
        if plain:
            self._propose_rows(plain)
            self._propose_columns(plain)
            self._propose_shares(plain)

    def at(self, row: int, column: int) -> At:
        return At(self.number, row, column)

    def is_count(self, row: int, column: int) -> bool:
        return self.table.cells[row][column].is_count

    # -- attrition -----------------------------------------------------------------

    def _step_columns(self) -> Iterator[tuple[int, int]]:
        """Pairs of columns of remaining and excluded patients; -1 without these."""
        paths = self.table.column_paths
        remaining, excluded = dict[tuple[str, ...], int](), dict[tuple[str, ...], int]()
        for column in self.columns:
            last = paths[column][-1] if paths[column] else ""
            if _EXCLUDED.search(last):
                excluded[paths[column][:-1]] = column
            elif _REMAINING.search(last):
                remaining[paths[column][:-1]] = column
        for outer, column in remaining.items():
            yield column, excluded.get(outer, -1)

    def _propose_steps(self, remaining: int, excluded: int) -> None:
        for chain in self._chains(remaining):
            if excluded < 0:
                for before, row in itertools.pairwise(chain):
                    parts = (self.at(row, remaining),)
                    whole = self.at(before, remaining)
                    self.judge.take(Relation(Form.AT_MOST, whole, parts), names=False)
                continue
            # What a step excluded stands beside what remains after it, or before it.
            ways = [list(self._steps(chain, remaining, excluded, e)) for e in (1, 0)]
            wrong = [
                sum(self.judge.fit(e) is Fit.CONTRADICTED for e in w) for w in ways
            ]
            many = [-len(each) for each in ways]
            best = min((0, 1), key=lambda each: (wrong[each], many[each]))
            for relation in ways[best]:
                self.judge.take(relation)

    def _steps(
        self, chain: Sequence[int], remaining: int, excluded: int, beside: int
    ) -> Iterator[Relation]:
        for before, row in itertools.pairwise(chain):
            left_out = row if beside else before
            if self.is_count(left_out, excluded):
                parts = self.at(row, remaining), self.at(left_out, excluded)
                yield Relation(Form.ATTRITION, self.at(before, remaining), parts)

    def _chains(self, remaining: int) -> Iterator[list[int]]:
        """Rows of one event or cohort, in the order of their steps."""
        chains: dict[tuple[object, ...], list[int]] = defaultdict(list)
        paths, headings = self.table.row_paths, self.table.headings
        numbers = set(self._order_labels())
        for row in self.body:
            if self.is_count(row, remaining):
                outer = (e for i, e in enumerate(paths[row][:-1]) if i not in numbers)
                chains[(headings[row], *outer)].append(row)
        yield from chains.values()

    def _order_labels(self) -> Iterator[int]:
        """Places of labels that only number the steps."""
        for place in range(max(len(self.table.layout.labels) - 1, 0)):
            texts = [self.table.row_paths[row][place] for row in self.body]
            if all(each.isdigit() for each in texts):
                yield place

    # -- groups of rows ------------------------------------------------------------

    def _propose_rows(self, columns: Sequence[int]) -> None:
        groups, top = self._groups()
        overall = next((row for row in top if self._is_total(row)), None)
        grouped = [row for row in top if row != overall]
        of_which = [row for row in grouped if self._is_of_which(row)]
        grouped = [row for row in grouped if row not in of_which]
        named = list(self._named_groups(grouped))
        if overall is not None and named:
            groups += named
            grouped = [e for e in grouped if all(e not in each.rows for each in named)]
        elif overall is not None and len(grouped) > 1:
            groups += self._runs(overall, grouped, columns) or [
                _Group(overall, "", tuple(grouped), len(top) == len(self.body))
            ]
        elif overall is None and len(grouped) > 2:
            groups += self._unnamed_total(grouped, columns)
        for group in groups:
            self._propose_group(group, overall, columns)
        for row in of_which:
            before = [each for each in self.body if each < row and each in top]
            whole = next((e for e in reversed(before) if e not in of_which), None)
            if whole is not None:
                self._each_column(Form.AT_MOST, whole, [row], columns)

    def _propose_group(
        self, group: _Group, overall: int | None, columns: Sequence[int]
    ) -> None:
        several = bool(_SEVERAL.search(group.name))
        members = [row for row in group.rows if not self._is_of_which(row)]
        own = next((row for row in members if self._is_total(row)), None)
        parts = [row for row in members if row != own]
        has_own_counts = group.heading is not None and group.heading in self.body
        wholes = [own, group.heading if has_own_counts else overall]
        for whole in dict.fromkeys(each for each in wholes if each is not None):
            for column in columns:
                rows = [*parts, whole]
                if parts and all(self.is_count(row, column) for row in rows):
                    cells = [self.at(row, column) for row in parts]
                    self.judge.add_up(
                        self.at(whole, column), cells, several, group.is_sure
                    )
        for row in (each for each in group.rows if self._is_of_which(each)):
            before = [each for each in members if each < row]
            if before:
                self._each_column(Form.AT_MOST, before[-1], [row], columns)

    def _each_column(
        self, form: Form, whole: int, rows: Sequence[int], columns: Sequence[int]
    ) -> None:
        for column in columns:
            if self.is_count(whole, column):
                parts = tuple(
                    self.at(e, column) for e in rows if self.is_count(e, column)
                )
                relation = Relation(form, self.at(whole, column), parts)
                self.judge.take(relation, names=False)

    def _is_total(self, row: int) -> bool:
        name = self.table.row_paths[row][-1] if self.table.row_paths[row] else ""
        return bool(_TOTAL.search(name))

    def _is_of_which(self, row: int) -> bool:
        name = self.table.row_paths[row][-1] if self.table.row_paths[row] else ""
        return bool(_OF_WHICH.search(name))

    def _groups(self) -> tuple[list[_Group], list[int]]:
        """Rows below a heading, below a less indented row, or with one outer label.

        Returns
        -------
        groups : list of _Group
        top : list of int
            Rows of no group.
        """
        table = self.table
        members: dict[object, list[int]] = defaultdict(list)
        names: dict[object, tuple[int | None, str]] = {}
        top = []
        last: list[int] = []  # rows above, each further to the right
        for row in self.body:
            indent = table.indents[row]
            while last and table.indents[last[-1]] >= indent:
                last.pop()
            heading = table.headings[row]
            outer = table.row_paths[row][:-1]
            key: object
            if last and (heading is None or last[-1] > heading):
                key, name = last[-1], table.row_name(last[-1])
                names[key] = last[-1], name
            elif heading is not None:
                key = heading
                names[key] = heading, table.row_name(heading)
            elif any(outer):
                key = outer
                names[key] = None, " ".join(outer)
            else:
                key = None
                top.append(row)
            if key is not None:
                members[key].append(row)
            last.append(row)
        # An outer label that stands once is that of a row of its own.
        alone = [
            key
            for key, rows in members.items()
            if len(rows) == 1 and names[key][0] is None
        ]
        for key in alone:
            top += members.pop(key)
        groups = [_Group(*names[key], tuple(rows)) for key, rows in members.items()]
        return groups, sorted(top)

    def _named_groups(self, rows: Sequence[int]) -> Iterator[_Group]:
        """Neighbouring rows whose labels begin alike: "Age 0-17", "Age 18-64"."""
        names = [self._prefix(row) for row in rows]
        start = 0
        for at in range(1, len(rows) + 1):
            if at == len(rows) or names[at] != names[start] or not names[start]:
                if at - start > 1:
                    yield _Group(None, names[start], tuple(rows[start:at]), False)
                start = at

    def _prefix(self, row: int) -> str:
        name = self.table.row_paths[row][-1] if self.table.row_paths[row] else ""
        found = _PREFIX.match(name)
        first, _, rest = name.partition(" ")
        words = found["name"] if found else first * bool(rest)
        return words.strip().lower()

    def _runs(
        self, overall: int, rows: Sequence[int], columns: Sequence[int]
    ) -> list[_Group]:
        """Cut rows without headings into runs that each add up to the total.

        At least in one column all of them must do so exactly.
        """
        found, exact = [], set(columns)
        start = 0
        for at in range(len(rows)):
            run = rows[start : at + 1]
            fits = {each: self._fit_of_run(overall, run, each) for each in columns}
            if Fit.CONTRADICTED in fits.values() or Fit.EXACT not in fits.values():
                continue
            if len(run) < 2:
                return []
            exact &= {each for each, fit in fits.items() if fit is Fit.EXACT}
            found.append(_Group(None, "", tuple(run)))
            start = at + 1
        return found if start == len(rows) and exact and len(found) > 1 else []

    def _fit_of_run(self, whole: int, rows: Sequence[int], column: int) -> Fit:
        if not all(self.is_count(row, column) for row in (whole, *rows)):
            return Fit.CONTRADICTED
        parts = tuple(self.at(row, column) for row in rows)
        return self.judge.fit(Relation(Form.SUM, self.at(whole, column), parts))

    def _unnamed_total(
        self, rows: Sequence[int], columns: Sequence[int]
    ) -> Iterator[_Group]:
        """A last or first row that is the sum of all others, whatever it is called."""
        for whole, parts in ((rows[-1], rows[:-1]), (rows[0], rows[1:])):
            fits = [self._fit_of_run(whole, parts, column) for column in columns]
            totals = [
                cell_at(self.judge.tables, self.at(whole, e)).count for e in columns
            ]
            if Fit.CONTRADICTED in fits or Fit.EXACT not in fits or not any(totals):
                continue
            yield _Group(whole, "", tuple(parts))
            return

    # -- columns -------------------------------------------------------------------

    def _propose_columns(self, columns: Sequence[int]) -> None:
        """Rows of a cross table: the columns of one header add up to its total."""
        paths = self.table.column_paths
        groups: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for column in columns:
            groups[paths[column][:-1]].append(column)
        overall = groups.get((), [])
        for outer, members in groups.items():
            totals = [e for e in members if self._is_total_column(e)]
            if not totals and outer:
                totals = [each for each in overall if self._is_total_column(each)]
            parts = [each for each in members if each not in totals]
            if len(totals) != 1 or len(parts) < 2:
                continue
            several = bool(_SEVERAL.search(" ".join(outer)))
            self._propose_across(totals[0], parts, several)

    def _propose_across(self, total: int, parts: Sequence[int], several: bool) -> None:
        rows = [
            row
            for row in self.body
            if all(self.is_count(row, each) for each in (total, *parts))
        ]
        for row in rows:
            cells = [self.at(row, each) for each in parts]
            self.judge.add_up(self.at(row, total), cells, several)

    def _is_total_column(self, column: int) -> bool:
        path = self.table.column_paths[column]
        return bool(path) and bool(_TOTAL.search(path[-1]))

    # -- percentages ---------------------------------------------------------------

    def _propose_shares(self, columns: Sequence[int]) -> None:
        """Percentages beside counts, or in the column to the right, of a total."""
        _groups, top = self._groups()
        overall = next((row for row in top if self._is_total(row)), None)
        totals = [each for each in columns if self._is_total_column(each)]
        for column in columns:
            shown = self._column_of_shares(column)
            if shown is None:
                continue
            ways = []
            if overall is not None:
                ways.append([(row, overall, column) for row in self.body])
            if len(totals) == 1:
                ways.append([(row, row, totals[0]) for row in self.body])
            for way in ways:
                found = list(self._shares(way, column, shown))
                fits = [self.judge.fit(each) for each in found]
                if Fit.EXACT in fits and Fit.CONTRADICTED not in fits:
                    for relation in found:
                        self.judge.take(relation)
                    break

    def _shares(
        self, way: Sequence[tuple[int, int, int]], column: int, shown: int
    ) -> Iterator[Relation]:
        for row, whole_row, whole_column in way:
            whole, part = self.at(whole_row, whole_column), self.at(row, column)
            is_whole = whole == part
            if (
                is_whole
                or not self.is_count(*whole[1:])
                or not self.is_count(*part[1:])
            ):
                continue
            if self.table.cells[row][shown].share is not None:
                at = self.at(row, shown)
                yield Relation(Form.RATIO, whole, (part,), shown=at, scale=100)

    def _column_of_shares(self, column: int) -> int | None:
        """The column with the percentages of a column of counts."""
        cells = self.table.cells
        if any(cells[row][column].share is not None for row in self.body):
            return column
        right = column + 1
        if right < self.table.shape[1]:
            kinds = [cells[row][right].kind for row in self.body]
            if CellType.PERCENTAGE in kinds and CellType.COUNT not in kinds:
                return right
        return None


# -- the same count in several tables --------------------------------------------------


def _propose_same(tables: Sequence[CountTable], judge: _Judge) -> None:
    """Counts with the same labels in several tables, where nothing speaks against it.

    Two tables of different sites have the same labels too: all counts that both show
    must agree, and at least one must be shown by both.
    """
    ranges: list[dict[_Key, tuple[int, int | None]]] = []
    keyed: list[dict[_Key, At]] = []
    for number, table in enumerate(tables):
        found = dict(_keyed(number, table))
        tied = set[_Key]()
        own = {key: judge.bounds.of(cell_at(tables, at)) for key, at in found.items()}
        # Equality passes on: each count is tied to the first table that shows it.
        for other, known in enumerate(ranges):
            if not _agree(own, known):
                continue
            for key, at in found.items():
                if key in known and key not in tied:
                    tied.add(key)
                    judge.take(Relation(Form.SAME, keyed[other][key], (at,)))
        ranges.append(own)
        keyed.append(found)


def _agree(
    one: Mapping[_Key, tuple[int, int | None]],
    other: Mapping[_Key, tuple[int, int | None]],
) -> bool:
    """Whether two tables contradict each other nowhere, and show a count alike."""
    is_shown_alike = False
    for key, (low, high) in one.items():
        if key not in other:
            continue
        # PERF: most tables differ in their first count; 500 are 125,000 pairs.
        least, most = other[key]
        if (most is not None and low > most) or (high is not None and least > high):
            return False
        is_shown_alike |= low == high == least == most
    return is_shown_alike


_Key = tuple[str, ...]


def _keyed(number: int, table: CountTable) -> Iterator[tuple[_Key, At]]:
    """Counts by their labels; those whose labels stand twice are left out."""
    found: dict[_Key, list[At]] = defaultdict(list)
    columns = {column for _row, column, _cell in table.counts()}
    for row, column, _cell in table.counts():
        path = table.row_paths[row]
        is_total = bool(_TOTAL.search(path[-1])) if path else False
        is_top = table.headings[row] is None and not any(path[:-1])
        name = "overall" if is_total and is_top else table.row_name(row).casefold()
        across = "" if len(columns) == 1 else table.column_name(column).casefold()
        found[name, across].append(At(number, row, column))
    for key, places in found.items():
        if len(places) == 1:
            yield key, places[0]
