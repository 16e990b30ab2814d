"""Which table of people does a project mean? The last ones are kept."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import reduce

import numpy as np
import polars as pl

from deidgui.app.project import PopulationChoice, Project
from deidgui.engine.arrays import Int32Array, IntArray
from deidgui.engine.data.grouping import RowGroups, group_rows
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.data.table import Column, Table
from deidgui.engine.detect.roles import Reason
from deidgui.engine.population.ages import Span, read_ages, read_population_ages
from deidgui.engine.population.built_in import card, load, load_states
from deidgui.engine.population.combining import (
    between_ages,
    spread,
    with_single_ages,
)
from deidgui.engine.population.mapping import DataValues
from deidgui.engine.population.over_leaves import LeafPopulation
from deidgui.engine.population.own import table_of_columns
from deidgui.engine.population.proposing import SUBJECT_OF_TOPIC, guess_subject
from deidgui.engine.population.reading import knows_hispanic
from deidgui.engine.population.table import PopulationTable, Subject
from deidgui.errors import ConfigError, DeidError, InputError, raise_all
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

LARGEST_POPULATION = 10**12
"""Larger counts are refused: surely a mistake."""

SINGLE_AGES = "us_2014"
"""Table that says how people of a band of age are shared among its ages."""

_TOPICS = {topic.value: subject for topic, subject in SUBJECT_OF_TOPIC.items()}


@dataclass(frozen=True, repr=False, eq=False)
class PopulationSource:
    """The people that a project means, and where they come from.

    Parameters
    ----------
    table : PopulationTable
        Of a file, its attributes are called like the columns.
    names : tuple of str
        Built-in tables it is made of, or the file.
    remarks : tuple of Reason
        What a person decided about the file.
    """

    table: PopulationTable
    names: tuple[str, ...]
    remarks: tuple[Reason, ...] = ()


def subjects_of(project: Project, data: Iterable[DataValues]) -> dict[str, Subject]:
    """What each quasi-identifier speaks of, by its topic, else by name and values."""
    found = {}
    for each in data:
        topic = project.attribute(each.attribute).topic
        known = _TOPICS.get(topic) if topic is not None else None
        found[each.attribute] = known or guess_subject(each.attribute, each.texts)
    return found


def population_table(
    project: Project,
    data: Sequence[DataValues],
    population: Table | None = None,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> PopulationSource:
    """Return the people that a project means.

    Parameters
    ----------
    project : Project
        Its population is a register, counts, or built in.
    data : sequence of DataValues
        Of the quasi-identifiers: single ages of theirs ask for single ages of the
        people.
    population : Table, optional
        The population's file.

    Raises
    ------
    DeidError
        As `built_in_table` and `own_table`.
    """
    choice = project.privacy.population
    if choice.kind == "built_in":
        subjects = subjects_of(project, data)
        return built_in_table(choice, data, subjects, monitor=monitor)
    assert population is not None
    return own_table(project, population, data, monitor=monitor)


# -- tables that come with the program -------------------------------------------------


def built_in_table(
    choice: PopulationChoice,
    data: Sequence[DataValues],
    subjects: Mapping[str, Subject],
    *,
    monitor: Monitor = NULL_MONITOR,
) -> PopulationSource:
    """Return the people of some built-in tables, joined in their order.

    Parameters
    ----------
    subjects : mapping of str to Subject
        By quasi-identifier.

    Returns
    -------
    PopulationSource
        Attributes that neither the data nor another table know are summed over.

    Raises
    ------
    InputError
        As `load_states`, `spread`, `with_single_ages` and `between_ages`;
        ``people_attribute_unknown`` if states are meant and no table has them.
    ConfigError
        Code ``people_table_twice``.
    """
    if len(set(choice.tables)) < len(choice.tables):
        raise ConfigError("people_table_twice")
    tables = []
    for place, name in enumerate(choice.tables):
        monitor.report(0.4 * place / len(choice.tables), "population")
        # From here on tables are called by their titles, as a person knows them.
        part = _part(name, choice).renamed(card(name).title)
        tables.append(_single_ages(part, choice, data, subjects))
    monitor.report(0.4, "population")
    needed = _needed(choice, data, subjects)
    kept = _reduced(tables, needed)
    step = SubMonitor(monitor, 0.4, 1.0)
    joined = reduce(lambda one, other: spread(one, other, monitor=step), kept)
    if choice.youngest is not None or choice.oldest is not None:
        joined = between_ages(joined, choice.youngest or 0, choice.oldest)
    names = {card(name).title: name for name in choice.tables}
    return PopulationSource(joined, tuple(names[each.name] for each in kept))


def _part(name: str, choice: PopulationChoice) -> PopulationTable:
    """Return a table, of the states that are meant."""
    if not choice.states:
        return load(name)
    if Subject.STATE in card(name).subjects:
        try:
            return load_states(name, choice.states)
        except InputError as problem:
            named = {**problem.params, "table": card(name).title}
            raise InputError(problem.code, **named) from None
    if any(Subject.STATE in card(each).subjects for each in choice.tables):
        return load(name)
    title = card(name).title
    raise InputError("people_attribute_unknown", attribute="state", table=title)


def _single_ages(
    table: PopulationTable,
    choice: PopulationChoice,
    data: Sequence[DataValues],
    subjects: Mapping[str, Subject],
) -> PopulationTable:
    """Share bands of age among single ages if they are coarser than what is asked."""
    ages = table.of_subject(Subject.AGE)
    profile = load(SINGLE_AGES).renamed(card(SINGLE_AGES).title)
    if ages is None or table.name == profile.name:
        return table
    bands = [b for b in read_population_ages(ages.values) if b.low != b.high]
    asked = [
        span
        for each in data
        if subjects[each.attribute] is Subject.AGE
        for place, span in enumerate(read_ages(each.texts).spans)
        if span is not None and each.n_records[place]
    ]
    limits = [Span(choice.youngest, None)] if choice.youngest else []
    if choice.oldest is not None:
        limits.append(Span(choice.oldest + 1, None))
    is_finer = any(b != a and b.contains(a) for b in bands for a in (*asked, *limits))
    crosses = any(
        b.low < limit.low and (b.high is None or limit.low <= b.high)
        for b in bands
        for limit in limits
    )
    return with_single_ages(table, profile) if is_finer or crosses else table


def _needed(
    choice: PopulationChoice,
    data: Sequence[DataValues],
    subjects: Mapping[str, Subject],
) -> tuple[set[Subject], set[str]]:
    """Subjects and names of attributes by which people must be told apart."""
    wanted = set(subjects.values()) - {Subject.OTHER}
    if wanted & {Subject.ZIP5, Subject.ZIP3}:
        wanted |= {Subject.ZIP5, Subject.ZIP3}
    races = [each for each in data if subjects[each.attribute] is Subject.RACE]
    if any(knows_hispanic(each.texts) for each in races):
        wanted.add(Subject.ORIGIN)
    if choice.youngest is not None or choice.oldest is not None:
        wanted.add(Subject.AGE)
    names = {each.attribute.casefold() for each in data}
    names |= {
        match.target.casefold()
        for match in choice.matches.values()
        if match.target is not None
    }
    return wanted, names


def _reduced(
    tables: Sequence[PopulationTable], needed: tuple[set[Subject], set[str]]
) -> list[PopulationTable]:
    """Sum over what nobody asks for, and leave tables out that add nothing."""
    subjects, names = needed
    kept: list[PopulationTable] = []
    known: set[str] = set()
    for place, table in enumerate(tables):
        shared = {
            name
            for other in (*tables[:place], *tables[place + 1 :])
            for name in other.attribute_names
        }
        asked = [
            attribute.name
            for attribute in table.attributes
            if attribute.subject in subjects or attribute.name.casefold() in names
        ]
        adds = set(asked) - known
        if kept and not adds:
            continue
        wanted = [
            name
            for name in table.attribute_names
            if name in asked or (name in shared and len(tables) > 1)
        ]
        kept.append(table.sums(wanted) if wanted else table)
        known |= set(wanted)
    return kept


# -- a person's own file ---------------------------------------------------------------


def own_table(
    project: Project,
    population: Table,
    data: Sequence[DataValues],
    *,
    monitor: Monitor = NULL_MONITOR,
) -> PopulationSource:
    """Return the people of a register or of counts.

    Raises
    ------
    InputError
        Those of `population_columns` and `count_population`, all together; then
        ``population_cell_twice`` or ``population_file_empty``.
    ConfigError
        Code ``population_count_undecided``.
    """
    choice = project.privacy.population
    problems: list[DeidError] = []
    columns: dict[str, Column] = {}
    n_of_row: IntArray | None = None
    try:
        columns = population_columns(project, population)
    except DeidError as problem:
        problems.append(problem)
    if choice.kind == "counts":
        try:
            n_of_row = count_population(choice, population)
        except DeidError as problem:
            problems.append(problem)
    raise_all(problems)
    monitor.report(0.2, "population")
    known = subjects_of(project, data)
    named = {choice.column_of(name): known[name] for name in columns}
    used = [
        Column(choice.column_of(name), column.codes, column.values)
        for name, column in columns.items()
    ]
    if not used:
        raise InputError("people_share_lost", table=population.name)
    remarks: tuple[Reason, ...] = ()
    if n_of_row is not None:
        coded, sizes = [c.codes for c in used], [c.n_values for c in used]
        step = SubMonitor(monitor, 0.2, 0.4)
        groups = group_rows(population.n_rows, coded, sizes, monitor=step)
        remarks = _rows_added(choice, population, groups)
        n_of_row = groups.sums(n_of_row, monitor=SubMonitor(monitor, 0.4, 0.45))
        distinct = []
        for column in used:
            monitor.report(0.45, "population")
            codes = column.codes[groups.first]
            distinct.append(Column(column.name, codes, column.values))
        used = distinct
        if not n_of_row.any():
            raise InputError("population_file_empty", file=population.name)
    elif population.n_rows == 0:
        raise InputError("population_file_empty", file=population.name)
    monitor.report(0.5, "population")
    step = SubMonitor(monitor, 0.5, 1.0)
    table = table_of_columns(population.name, used, n_of_row, named, monitor=step)
    monitor.report(1.0, "population")
    return PopulationSource(table, (population.name,), remarks)


def _rows_added(
    choice: PopulationChoice, table: Table, groups: RowGroups
) -> tuple[Reason, ...]:
    """Refuse counts of a combination that stand on two lines, or say they are added.

    Two lines may be two counties, whose people add up, or two years, whose people are
    the same ones: only a person can tell.
    """
    if len(groups.first) == table.n_rows:
        return ()
    if choice.adds_rows:
        n_rows = table.n_rows - len(groups.first)
        return (Reason("people_rows_added", {"n_rows": n_rows}),)
    again = np.flatnonzero(groups.first[groups.of_row] != np.arange(table.n_rows))
    earlier = int(groups.first[groups.of_row[again[0]]])
    raise InputError(
        "population_cell_twice",
        file=table.name,
        line=table.lines.line(int(again[0])),
        first_line=table.lines.line(earlier),
        n_rows=len(again),
    )


def population_columns(project: Project, population: Table) -> dict[str, Column]:
    """Columns of the population's file by the quasi-identifier they hold.

    Returns
    -------
    dict of str to Column
        Called like the quasi-identifier, its missing values marked. Attributes that
        the population lacks, as a person said, are left out.

    Raises
    ------
    InputError
        Codes ``population_attribute_missing`` and ``population_column_twice``, all
        problems together.
    """
    choice = project.privacy.population
    found: dict[str, Column] = {}
    problems: list[DeidError] = []
    taken = {choice.count_column}
    for attribute in project.quasi_identifiers:
        decided = choice.matches.get(attribute.name)
        if decided is not None and decided.target is None:
            continue
        name = choice.column_of(attribute.name)
        where = {"attribute": attribute.name, "column": name, "file": population.name}
        if name not in population.column_names:
            problems.append(InputError("population_attribute_missing", **where))
            continue
        if name in taken:
            problems.append(InputError("population_column_twice", **where))
            continue
        taken.add(name)
        column = population.column(name)
        column = Column(attribute.name, column.codes, column.values)
        found[attribute.name] = column.with_missing(attribute.missing)
    raise_all(problems)
    return found


def count_population(choice: PopulationChoice, population: Table) -> IntArray:
    """Read the column with the number of people.

    Returns
    -------
    ndarray of int64, shape (n_rows,), each in [0, 10**12]

    Raises
    ------
    InputError
        Codes ``population_count_negative``, ``population_count_fractional``,
        ``population_count_empty``, ``population_count_no_number`` and
        ``population_count_large`` with the first line, all problems together.
    ConfigError
        Code ``population_count_undecided``.
    """
    name = choice.count_column
    if name is None or name not in population.column_names:
        raise ConfigError("population_count_undecided", file=population.name)
    column = population.column(name)
    texts = column.values.str.strip_chars()
    raise_all(list(_wrong_counts(population, column, texts)))
    whole = texts.str.extract(r"^\+?([0-9]+)").cast(pl.Int64).to_numpy()
    return np.asarray(whole, dtype=np.int64)[column.codes]


def _wrong_counts(
    table: Table, column: Column, texts: pl.Series
) -> Iterator[InputError]:
    """Problems of the texts of a count column, each with its first line."""
    whole = texts.str.contains(r"^\+?[0-9]+(\.0*)?$")
    digits = texts.str.extract(r"^\+?0*([0-9]+)").str.len_bytes().fill_null(0)
    empty = texts == ""
    negative = texts.str.contains(r"^[-\u2212]\s*[0-9]")
    fractional = texts.str.contains(r"^\+?[0-9]*\.[0-9]+$") & ~whole
    large = whole & (digits > len(str(LARGEST_POPULATION)) - 1)
    kinds = {
        "empty": empty,
        "negative": negative,
        "fractional": fractional,
        "large": large,
        "no_number": ~(whole | empty | negative | fractional),
    }
    for kind, mask in kinds.items():
        wrong = mask.to_numpy() & (column.counts > 0)
        if wrong.any():
            rows = wrong[column.codes]
            yield InputError(
                f"population_count_{kind}",
                file=table.name,
                column=column.name,
                line=table.lines.line(int(np.argmax(rows))),
                n_rows=int(rows.sum()),
                limit=LARGEST_POPULATION,
            )


_Source = tuple[object, list[weakref.ref[Int32Array]], PopulationSource]
_Placed = tuple[object, tuple[object, ...], LeafPopulation]
"""What decides something, and the thing itself."""

WAIT_S = 0.05
"""How often whoever waits for another job's people looks whether to stop."""


class PopulationCache:
    """The last table of people, and the last people over leaves.

    Two jobs that want the same (classes, and how records are found) do not both
    count: the second waits for the first.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._source: _Source | None = None
        self._placed: _Placed | None = None

    def forget(self) -> None:
        """Let the people of a project go that is left."""
        self._source = self._placed = None

    def source(
        self,
        project: Project,
        columns: Sequence[Column],
        population: Table | None,
        make: Callable[[], PopulationSource],
        monitor: Monitor,
    ) -> PopulationSource:
        """Return the people that a project means, made only if something changed.

        Parameters
        ----------
        columns : sequence of Column
            The quasi-identifiers, missing values marked.
        make : callable
            Makes them.
        monitor : Monitor
            Told while another job is waited for.
        """
        key = _source_key(project, population)
        codes = [column.codes for column in columns]
        with self._alone(monitor):
            if self._source is not None:
                known, refs, source = self._source
                is_same = len(refs) == len(codes) and all(
                    ref() is each for ref, each in zip(refs, codes, strict=True)
                )
                if known == key and is_same:
                    return source
            made = make()
            self._source = key, [weakref.ref(each) for each in codes], made
            return made

    def placed(
        self,
        project: Project,
        source: PopulationSource,
        hierarchies: Sequence[Hierarchy],
        make: Callable[[], LeafPopulation],
        monitor: Monitor,
    ) -> LeafPopulation:
        """Return the people over leaves, counted only if something changed.

        Parameters
        ----------
        hierarchies : sequence of Hierarchy
            Of the quasi-identifiers.
        make : callable
            Counts them.
        """
        # A confirmed mapping is a file whose name tells its content.
        key = project.privacy.population.model_dump_json(include={"matches"})
        parts: tuple[object, ...] = (source, *hierarchies)
        with self._alone(monitor):
            if self._placed is not None:
                known, before, placed = self._placed
                is_same = len(before) == len(parts) and all(
                    one is other for one, other in zip(before, parts, strict=True)
                )
                if known == key and is_same:
                    return placed
            made = make()
            self._placed = key, parts, made
            return made

    @contextmanager
    def _alone(self, monitor: Monitor) -> Iterator[None]:
        """Wait for another job, ready to be stopped meanwhile."""
        while not self._lock.acquire(timeout=WAIT_S):
            monitor.report(0.0, "population")
        try:
            yield
        finally:
            self._lock.release()


def _source_key(project: Project, population: Table | None) -> object:
    """All that decides a table of people but the columns' values."""
    choice, quasi = project.privacy.population, project.quasi_identifiers
    targets = [
        (each.name, match and match.target)
        for each in quasi
        for match in [choice.matches.get(each.name)]
    ]
    return (
        choice.model_dump_json(exclude={"matches"}),
        targets,
        [(each.name, each.topic, each.missing) for each in quasi],
        id(population),
    )
