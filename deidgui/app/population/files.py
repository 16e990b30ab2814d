"""How is a file about a population read, and what stands in its columns?"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from deidgui.app.loaded import LoadedPopulation
from deidgui.app.project import (
    DialectChoice,
    InputFile,
    PopulationChoice,
    Project,
)
from deidgui.app.storage.named_inputs import POPULATION
from deidgui.engine.data.csv_io import read_csv
from deidgui.engine.data.dialect import Dialect, guess_dialect
from deidgui.engine.data.source import list_members, open_source
from deidgui.errors import InputError
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor


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
        name=POPULATION,
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
