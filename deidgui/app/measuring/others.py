"""Opens other releases and registers that a release is matched with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np

from deidgui.app.project import Comparison, DialectChoice, Project, names_of_files
from deidgui.app.storage.named_inputs import found_below
from deidgui.engine.arrays import IntArray
from deidgui.engine.data.csv_io import read_csv
from deidgui.engine.data.dialect import Dialect, guess_dialect
from deidgui.engine.data.source import list_members, open_source
from deidgui.engine.data.table import Table
from deidgui.engine.evidence.document import Evidence
from deidgui.engine.evidence.folder import (
    EVIDENCE,
    POLICY,
    REPORTS,
    ReleaseFolder,
    is_of_counts,
    read_evidence,
)
from deidgui.engine.evidence.keyed import Identity, identity_of
from deidgui.engine.evidence.tally import STAR
from deidgui.engine.evidence.verify import check_files
from deidgui.errors import ConfigError, InputError
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

Kind = Literal["release", "register", "hold_out"]

LONGEST_PROPOSED = 70
"""Letters of a name that is proposed after a file."""


@dataclass(frozen=True, repr=False, eq=False)
class Other:
    """Another table of people, as it was read; lives only in memory.

    Parameters
    ----------
    path : Path
        Folder of a release, or a file.
    table : Table
        All columns as they are written there.
    rows : ndarray of int64, shape (n_people,)
        A row of each of its people, suppressed records left out.
    member : str or None
        Of an archive.
    headers : mapping of str to str
        Column of `table` by the name of the attribute that it was made from; of a
        register by its own name.
    kept : frozenset of str
        Attributes that are written as they are.
    is_by_row : bool
        Whether each row is a person.
    reason : str or None
        Code of the reason why nothing can be matched with it.
    """

    path: Path
    identity: Identity
    table: Table
    rows: IntArray
    dialect: Dialect
    member: str | None
    headers: Mapping[str, str]
    kept: frozenset[str] = frozenset()
    is_by_row: bool = True
    reason: str | None = None

    def with_rows(self, rows: IntArray) -> Other:
        """Return the same table with other people of it."""
        return replace(self, rows=rows)


def open_other(
    path: Path,
    kind: Kind,
    known: Comparison | None = None,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> Other:
    """Read another release, or a register.

    Parameters
    ----------
    known : Comparison, optional
        How it was read before.

    Raises
    ------
    InputError
        Codes ``other_not_verified`` if files of a release are not those that its
        evidence vouches for, ``other_of_counts``, ``other_changed``,
        ``other_packed`` if a register is chosen as it is packed, and those of
        `read_evidence`, `open_source` and `read_csv`.
    """
    if kind == "release":
        other = _open_release(path, monitor)
    else:
        other = _open_register(path, known, monitor)
    if known is not None and known.sha256 != other.identity.sha256:
        raise InputError("other_changed", name=known.name, file=path.name)
    return other


def _open_release(path: Path, monitor: Monitor) -> Other:
    folder = ReleaseFolder(path)
    if is_of_counts(folder):
        raise InputError("other_of_counts", folder=path.name)
    evidence = read_evidence(folder)
    step = SubMonitor(monitor, 0.0, 0.3)
    checks = check_files(folder, evidence, step, {POLICY, *REPORTS})
    if not all(check.ok for check in checks):
        raise InputError("other_not_verified", folder=path.name)
    file = folder.file(evidence.outputs[0].path)
    dialect = Dialect()
    source = open_source(file, monitor=SubMonitor(monitor, 0.3, 0.4))
    step = SubMonitor(monitor, 0.4, 1.0)
    table = read_csv(source, dialect, missing=(), monitor=step).table
    headers = {
        each.name: each.released_as
        for each in evidence.attributes
        if each.released_as in table.column_names
        and each.treatment in ("kept", "generalized")
    }
    kept = {each.name for each in evidence.attributes if each.treatment == "kept"}
    return Other(
        path,
        identity_of(folder.file(EVIDENCE)),
        table,
        _people_of(evidence, table),
        dialect,
        None,
        {name: header for name, header in headers.items() if header is not None},
        frozenset(kept),
        evidence.unit.kind == "row",
        _why_not(evidence),
    )


def _why_not(evidence: Evidence) -> str | None:
    """Code of the reason why nothing can be matched with a release; None if it can."""
    if evidence.link is not None:
        return "other_tables"
    if evidence.unit.varying:
        return "other_rows_vary"
    if evidence.policy.rounds or evidence.policy.cells is not None:
        return "other_labels"
    return None


def _people_of(evidence: Evidence, table: Table) -> IntArray:
    """A row of each released person: int64, ascending."""
    is_star = np.ones(table.n_rows, dtype=np.bool_)
    for column in table.columns:
        starred = np.array([text == STAR for text in column.texts()], dtype=np.bool_)
        is_star &= starred[column.codes]
    if evidence.policy.suppressed == "left_out":
        is_star[:] = False
    # A released record may look like a suppressed one; only so many are none.
    is_star &= np.cumsum(is_star) <= evidence.suppressed_records
    rows = np.flatnonzero(~is_star)
    key = evidence.unit.column
    if key is None or key not in table.column_names:
        return rows
    first = np.unique(table.column(key).codes[rows], return_index=True)[1]
    return np.sort(rows[first])


def _open_register(path: Path, known: Comparison | None, monitor: Monitor) -> Other:
    member = known.member if known is not None and list_members(path) else None
    source = open_source(path, member=member, monitor=SubMonitor(monitor, 0.0, 0.2))
    if known is None and source.is_packed:
        # Who checks the release reads the file as it is.
        raise InputError("other_packed", file=path.name)
    if known is not None:
        dialect = Dialect(**known.dialect.model_dump())
    else:
        dialect = guess_dialect(source, monitor=SubMonitor(monitor, 0.2, 0.3)).dialect
    step = SubMonitor(monitor, 0.3, 1.0)
    table = read_csv(source, dialect, missing=(), monitor=step).table
    return Other(
        path,
        identity_of(source.path or path),
        table,
        np.arange(table.n_rows),
        dialect,
        source.member,
        {name: name for name in table.column_names},
    )


def propose_comparison(
    project: Project, other: Other, kind: Kind, said: Mapping[str, str] | None = None
) -> Comparison:
    """Return the choice of another table, its columns found by their names.

    Parameters
    ----------
    said : mapping of str to str, optional
        Column there by quasi-identifier, as a person has said.

    Raises
    ------
    ConfigError
        Code ``other_no_column`` if it has none of the quasi-identifiers,
        ``hold_out_input`` if people who were not released are those of an input.
    """
    if kind == "hold_out" and is_input(project, other.identity.sha256):
        raise ConfigError("hold_out_input", file=other.path.name)
    stem, number = other.path.stem[:LONGEST_PROPOSED] or kind, 1
    name, taken = stem, names_of_files(project)
    while name in taken:
        number += 1
        name = f"{stem} {number}"
    by_case = {each.casefold(): each for each in reversed(tuple(other.headers))}
    columns = dict(said or {})
    for each in project.quasi_identifiers:
        alike = by_case.get(each.name.casefold())
        known = columns.keys() | other.headers.keys()
        if each.name not in known and alike is not None:
            columns[each.name] = alike
    choice = Comparison(
        name=name,
        kind=kind,
        file=other.path.name,
        sha256=other.identity.sha256,
        member=other.member,
        dialect=DialectChoice(**asdict(other.dialect)),
        columns=columns,
    )
    check_columns(project, choice, other)
    return choice


def is_input(project: Project, sha256: str) -> bool:
    """Whether a file is one that the project releases."""
    return any(
        each.sha256 == sha256 for each in project.inputs if each.name != "population"
    )


def check_columns(project: Project, choice: Comparison, other: Other) -> None:
    """See that there are columns to match by (code ``other_no_column``)."""
    if not shared_columns(project, choice, other):
        known = tuple(other.headers)
        raise ConfigError("other_no_column", name=choice.name, known=known)


def shared_columns(
    project: Project, choice: Comparison, other: Other
) -> dict[str, str]:
    """Return the column of the other table by quasi-identifier."""
    found = {}
    for each in project.quasi_identifiers:
        header = other.headers.get(choice.columns.get(each.name, each.name))
        if header is not None:
            found[each.name] = header
    return found


Others = Mapping[str, Other | None]
"""Tables by the name of the comparison; None for one that was not found."""

Reader = Callable[[Monitor], Others]
"""Reads all tables of a project."""


def open_others(
    project: Project,
    folder: Path | None,
    given: Mapping[str, Path],
    *,
    known: Mapping[str, Other] | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> Others:
    """Read all tables that a project is matched with.

    Parameters
    ----------
    given : mapping of str to Path
        Where they are, as far as a person has said.
    known : mapping of str to Other, optional
        Tables that have been read already, by their SHA-256.

    Returns
    -------
    Others
        The report says of a table that was not found that nothing was compared.

    Raises
    ------
    InputError
        As `open_other`, and code ``file_not_found`` for a place that a person has said.
    """
    found: dict[str, Other | None] = {}
    n, places = len(project.comparisons), {**found_below(project, folder), **given}
    for number, each in enumerate(project.comparisons):
        path = places.get(each.name)
        step = SubMonitor(monitor, number / n, (number + 1) / n)
        found[each.name] = (known or {}).get(each.sha256)
        if found[each.name] is None and path is not None:
            if not path.exists():
                raise InputError("file_not_found", file=path.name)
            found[each.name] = open_other(path, each.kind, each, monitor=step)
    return found


class OtherTables:
    """The tables that the project of a window is matched with, and where they are."""

    def __init__(self) -> None:
        self._paths: dict[str, Path] = {}
        self._read: dict[str, Other] = {}

    def forget(self) -> None:
        """Forget the tables of the project that is left."""
        self._paths.clear()
        self._read.clear()

    def places(self, project: Project) -> dict[str, Path]:
        """Where the tables of a project are that a person has named, by their name."""
        known = {e.name: self._paths.get(e.sha256) for e in project.comparisons}
        return {n: path for n, path in known.items() if path and path.exists()}

    def remember(self, choice: Comparison, path: Path) -> None:
        """Take note of where a table is."""
        self._paths[choice.sha256] = path

    def locate(self, choice: Comparison, path: Path, monitor: Monitor) -> None:
        """Read a table from where a person says it is (errors as `open_other`)."""
        self._read[choice.sha256] = open_other(
            path, choice.kind, choice, monitor=monitor
        )
        self.remember(choice, path)

    def choose(
        self, project: Project, path: Path, kind: Kind, monitor: Monitor
    ) -> Comparison:
        """Read a table that a person has chosen (errors as `propose_comparison`)."""
        other = open_other(path, kind, monitor=monitor)
        choice = propose_comparison(project, other, kind)
        self._paths[choice.sha256] = path
        self._read[choice.sha256] = other
        return choice

    def reader(self, project: Project, folder: Path | None) -> Reader:
        """Return what reads all tables of a project, each once."""

        def read(monitor: Monitor) -> Others:
            given, read = self.places(project), self._read
            found = open_others(project, folder, given, known=read, monitor=monitor)
            self._read |= {e.identity.sha256: e for e in found.values() if e}
            return found

        return read
