"""How is a file about a population read, and what stands in its columns?"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np
import polars as pl

from deidgui.app.files import below
from deidgui.app.loaded import LoadedPopulation
from deidgui.app.project import (
    DialectChoice,
    InputFile,
    PopulationChoice,
    Project,
)
from deidgui.engine.arrays import IntArray
from deidgui.engine.data.csv_io import read_csv
from deidgui.engine.data.dialect import Dialect, guess_dialect
from deidgui.engine.data.source import list_members, open_source
from deidgui.engine.data.table import Column, Table
from deidgui.errors import ConfigError, DeidError, InputError, raise_all
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

NAME = "population"
"""Name of the file among the inputs of a project."""

MOST_PEOPLE = 10**12
"""Larger counts are refused: surely a mistake."""


def read_population(
    path: Path,
    *,
    known: InputFile | None = None,
    member: str | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> LoadedPopulation:
    """Read a file about a population.

    Parameters
    ----------
    known : InputFile, optional
        How the file was read before; the dialect is guessed without it.
    member : str, optional
        Of a zip archive, if nothing is known.

    Raises
    ------
    InputError, ResourceError
        As `open_source` and `read_csv`.
    """
    if known is not None:
        member = known.member if path.is_file() and list_members(path) else None
    source = open_source(path, member=member, monitor=SubMonitor(monitor, 0.0, 0.15))
    if known is not None:
        dialect = Dialect(**known.dialect.model_dump())
    else:
        step = SubMonitor(monitor, 0.15, 0.25)
        dialect = guess_dialect(source, monitor=step).dialect
    step = SubMonitor(monitor, 0.25, 1.0)
    table = read_csv(source, dialect, missing=(), monitor=step).table
    file = InputFile(
        name=NAME,
        file=path.name,
        member=source.member,
        sha256=source.sha256,
        n_bytes=source.n_bytes,
        n_rows=table.n_rows,
        dialect=DialectChoice(**asdict(dialect)),
    )
    return LoadedPopulation(source.path or path, table, file)


def read_project_population(
    project: Project, path: Path, *, monitor: Monitor = NULL_MONITOR
) -> LoadedPopulation:
    """Read the population of a project as the project says.

    Raises
    ------
    InputError
        Code ``population_changed`` if the file has other bytes than before, and
        those of `read_population`.
    """
    known = project.privacy.population.file
    loaded = read_population(path, known=known, monitor=monitor)
    if known is not None and known.sha256 not in ("", loaded.file.sha256):
        raise InputError("population_changed", file=path.name)
    return loaded


def propose_population(
    project: Project, loaded: LoadedPopulation, kind: str
) -> PopulationChoice:
    """Return the choice of a file with what its column names tell.

    Quasi-identifiers are looked for under their own names, whatever the case; the
    only other column holds the counts. All of it is shown and can be changed.

    Parameters
    ----------
    kind : str
        "register" or "counts".
    """
    names = loaded.table.column_names
    by_case = {name.casefold(): name for name in reversed(names)}
    columns = {}
    for attribute in project.quasi_identifiers:
        alike = by_case.get(attribute.name.casefold())
        if attribute.name not in names and alike is not None:
            columns[attribute.name] = alike
    taken = {columns.get(each.name, each.name) for each in project.quasi_identifiers}
    others = [name for name in names if name not in taken]
    is_plain = kind == "counts" and len(others) == 1
    return PopulationChoice.model_validate(
        {
            "kind": kind,
            "file": loaded.file,
            "columns": columns,
            "count_column": others[0] if is_plain else None,
        }
    )


def find_population(project: Project, folder: Path | None) -> Path | None:
    """Path of the population's file below the project's folder, None without one.

    PRIVACY: a stranger's project cannot name a file elsewhere on the machine.
    """
    file = project.privacy.population.file
    if file is None or folder is None:
        return None
    with contextlib.suppress(InputError):
        path = below(folder, file.file)
        return path if path.is_file() else None
    return None


def relocate_population(
    project: Project, folder: Path, loaded: LoadedPopulation | None
) -> Project:
    """Return the project as it names the population's file from another folder."""
    population = project.privacy.population
    if loaded is None or not loaded.is_of(population):
        return project
    path, root = loaded.path.resolve(), folder.resolve()
    is_below = path.is_relative_to(root)
    named = path.relative_to(root).as_posix() if is_below else path.name
    assert population.file is not None
    renamed = population.but(file=population.file.but(file=named))
    return project.but(privacy=project.privacy.but(population=renamed))


# -- from columns to people ------------------------------------------------------------


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


def joined_column(
    column: Column, texts: Sequence[str], missing: str | None = None
) -> Column:
    """Column whose dictionary holds values too that only the population has.

    Rules are applied to it, so that a hierarchy has a leaf for everybody in the
    population. These values have no records: quantiles stay those of the data.

    Parameters
    ----------
    column : Column
        Of the data, missing values marked.
    texts : sequence of str
        Values that only the population has.
    missing : str, optional
        Text for "no value", if people lack one and no record does.

    Returns
    -------
    Column
        `column` itself if nothing is missing in it; one row longer if only the
        population has missing values.
    """
    old = column.values
    token = missing if column.n_missing == 0 else None
    added = [*texts] if token is None else [*texts, token]
    new = pl.Series(added, dtype=pl.String).unique()
    new = new.filter(~new.is_in(old.to_list()))
    if len(new) == 0 and token is None:
        return column
    values = pl.concat([old.alias("value"), new.alias("value")])
    order = values.arg_sort().to_numpy()
    place = np.empty(len(order), np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    codes = place[column.codes]
    values = values.gather(order)
    if token is not None:
        codes = np.append(codes, np.int32(values.to_list().index(token)))
    tokens = column.values.gather(column.missing_codes).to_list()
    if token is not None:
        tokens.append(token)
    return Column(column.name, codes, values).with_missing(tokens)


def count_people(choice: PopulationChoice, population: Table) -> IntArray:
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
    whole = texts.str.extract(r"^\+?(\d+)").cast(pl.Int64).to_numpy()
    return np.asarray(whole, dtype=np.int64)[column.codes]


def _wrong_counts(
    table: Table, column: Column, texts: pl.Series
) -> Iterator[InputError]:
    """Problems of the texts of a count column, each with its first line."""
    whole = texts.str.contains(r"^\+?\d+(\.0*)?$")
    digits = texts.str.extract(r"^\+?0*(\d+)").str.len_bytes().fill_null(0)
    empty = texts == ""
    negative = texts.str.contains(r"^[-\u2212]\s*\d")
    fractional = texts.str.contains(r"^\+?\d*\.\d+$") & ~whole
    large = whole & (digits > len(str(MOST_PEOPLE)) - 1)
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
                limit=MOST_PEOPLE,
            )
