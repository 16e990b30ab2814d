"""From a file to a proposed project: read, type, detect, propose."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from deidgui.app.loaded import Loaded
from deidgui.app.project import (
    Attribute,
    DialectChoice,
    HierarchyChoice,
    InputFile,
    LinkChoice,
    Project,
    Quality,
)
from deidgui.app.reading.importance import importance_of
from deidgui.engine.data.csv_io import ReadReport, read_csv
from deidgui.engine.data.dialect import Dialect, DialectGuess, guess_dialect
from deidgui.engine.data.encoding import EncodingEvidence, example_lines
from deidgui.engine.data.hierarchy_propose import propose_template
from deidgui.engine.data.missing import missing_candidates
from deidgui.engine.data.source import Source, list_members, open_source
from deidgui.engine.data.table import Column, Table
from deidgui.engine.data.texts import Texts, together
from deidgui.engine.data.value_types import TypeGuess, guess_type
from deidgui.engine.detect.columns import detect_columns
from deidgui.engine.detect.countries import CountryFinding, find_country
from deidgui.engine.detect.first_row import n_personal
from deidgui.engine.detect.keys import KeyProposal, propose_keys
from deidgui.engine.detect.no_table import no_table
from deidgui.engine.detect.roles import Band, Finding
from deidgui.engine.detect.stacked import stacked_tables
from deidgui.engine.detect.totals import rows_of_totals
from deidgui.errors import InputError
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

TABLE = "table"
"""Name of the only file of a project, or of its first events."""


@dataclass(frozen=True, repr=False, eq=False)
class Inspection:
    """What was found out about a file; lives only in memory.

    Parameters
    ----------
    guess : DialectGuess
        Proposed dialect with evidence and alternatives.
    dialect : Dialect
        The one the file was read with.
    missing : mapping of str to tuple of str
        Texts that mean "no value", by column.
    proposals : tuple of Attribute
        One for each column, quasi-identifiers with a hierarchy.
    country : CountryFinding
        Where the file comes from: rules of the United States hold there only.
    keys : tuple of KeyProposal
        Columns that may say to whom a row belongs, the likeliest first.
    header_in_doubt : bool
        Whether a person must say if the first record holds the column names.
    header_confirmed : bool
        Whether one has said it.
    """

    guess: DialectGuess
    dialect: Dialect
    report: ReadReport
    n_bytes: int
    member: str | None
    missing: Mapping[str, tuple[str, ...]]
    types: Mapping[str, TypeGuess]
    findings: Mapping[str, Finding]
    proposals: tuple[Attribute, ...]
    country: CountryFinding = field(default_factory=lambda: CountryFinding(None))
    keys: tuple[KeyProposal, ...] = ()
    header_in_doubt: bool = False
    header_confirmed: bool = False


def read_input(
    path: Path,
    *,
    member: str | None = None,
    dialect: DialectChoice | Mapping[str, Any] | None = None,
    missing: Mapping[str, tuple[str, ...]] | None = None,
    country: str | None = None,
    inspects: bool = True,
    monitor: Monitor = NULL_MONITOR,
) -> Loaded:
    """Read a file and find out what its columns are.

    Parameters
    ----------
    member : str, optional
        Of a zip archive.
    dialect : DialectChoice or mapping, optional
        Guessed if absent; of a mapping the fields that a person has decided.
    missing : mapping of str to tuple of str, optional
        Texts that mean "no value" where that is decided already.
    country : str, optional
        Two letters, where a person knows it; found otherwise.
    inspects : bool
        Whether what the columns are is found out now, not when it is asked for.

    Returns
    -------
    Loaded
        Its `inspection` is an `Inspection`, or an `InspectedLater`.

    Raises
    ------
    InputError, ResourceError
        With file, line and column of what cannot be read.
    """
    source = open_source(path, member=member, monitor=SubMonitor(monitor, 0.0, 0.1))
    found = InspectedLater(source, dialect, missing or {}, country)
    if inspects or not isinstance(dialect, DialectChoice):
        found.find("guess", SubMonitor(monitor, 0.1, 0.2))
    found.read(SubMonitor(monitor, 0.2, 0.75))
    if inspects:
        for name, start, end in _SHARES:
            found.find(name, SubMonitor(monitor, start, end))
    # `path` may have named the member of an archive, which is no file of its own.
    inspection = found.whole if inspects else found
    totals: tuple[EncodingEvidence, ...] = ()
    doubts: tuple[EncodingEvidence, ...] = ()
    if inspects:
        totals = rows_of_totals(found.table)
        stacked = stacked_tables(found.table, found.report.n_blank_lines)
        doubts = (*no_table(found.table), *stacked)
    file = source.path or path
    return Loaded(
        file,
        found.table,
        source.sha256,
        inspection,
        totals=totals,
        shape_doubts=doubts,
    )


_SHARES = (
    ("types", 0.75, 0.85),
    ("findings", 0.85, 0.95),
    ("proposals", 0.95, 0.98),
    ("keys", 0.98, 1.0),
)
"""What is found out about a table, and its part of the progress."""


class InspectedLater:
    """An `Inspection` of which each part is found out when it is first asked for.

    PERF: a search of a project whose columns are decided asks for none of them.
    """

    table: Table
    report: ReadReport
    dialect: Dialect
    missing: Mapping[str, tuple[str, ...]]

    def __init__(
        self,
        source: Source,
        decided: DialectChoice | Mapping[str, Any] | None,
        missing: Mapping[str, tuple[str, ...]],
        country: str | None,
    ) -> None:
        self._source, self._decided = source, decided
        self._missing, self._country = missing, country
        self._monitor = NULL_MONITOR
        self.n_bytes, self.member = source.n_bytes, source.member
        self.header_confirmed = isinstance(decided, Mapping) and "header" in decided

    def find(self, name: str, monitor: Monitor) -> None:
        """Find a part out now."""
        self._monitor = monitor
        getattr(self, name)
        self._monitor = NULL_MONITOR

    def read(self, monitor: Monitor) -> None:
        """Read the table, and the texts that mean "no value"."""
        if isinstance(self._decided, DialectChoice):
            self.dialect = Dialect(**self._decided.model_dump())
        else:
            self.dialect = replace(self.guess.dialect, **(self._decided or {}))
        step = SubMonitor(monitor, 0.0, 0.9)
        reading = read_csv(self._source, self.dialect, missing=(), monitor=step)
        self.table, self.report = reading.table, reading.report
        step = SubMonitor(monitor, 0.9, 1.0)
        self.missing = _missing_tokens(self.table, self._missing, step)

    @cached_property
    def guess(self) -> DialectGuess:
        """Proposed dialect with evidence."""
        return guess_dialect(self._source, n_personal=n_personal, monitor=self._monitor)

    @cached_property
    def header_in_doubt(self) -> bool:
        """Whether a person must say if the first record holds the column names."""
        return self.guess.header_in_doubt and not self.header_confirmed

    @cached_property
    def _marked(self) -> Table:
        return self.table.with_columns(
            column.with_missing(self.missing[column.name])
            for column in self.table.columns
        )

    @cached_property
    def types(self) -> Mapping[str, TypeGuess]:
        """Kind of the values of each column."""
        return _types(self._marked, self._monitor)

    @cached_property
    def _findings(self) -> tuple[Finding, ...]:
        kinds = {name: guess.kind for name, guess in self.types.items()}
        return detect_columns(
            self._marked, kinds, country=self._country, monitor=self._monitor
        )

    @cached_property
    def findings(self) -> Mapping[str, Finding]:
        """Role proposed for each column, with reasons."""
        return {finding.column: finding for finding in self._findings}

    @cached_property
    def proposals(self) -> tuple[Attribute, ...]:
        """One for each column."""
        return _proposals(
            self._marked, self.types, self.findings, self.missing, self._monitor
        )

    @cached_property
    def country(self) -> CountryFinding:
        """Where the file comes from."""
        if self._country:
            return CountryFinding(self._country)
        return find_country(self._marked, self._findings)

    @cached_property
    def keys(self) -> tuple[KeyProposal, ...]:
        """Columns that may say to whom a row belongs."""
        return propose_keys(self._marked, self._findings, monitor=self._monitor)

    @property
    def whole(self) -> Inspection:
        """All of it."""
        parts = {each.name: getattr(self, each.name) for each in fields(Inspection)}
        return Inspection(**parts)


def _missing_tokens(
    table: Table, decided: Mapping[str, tuple[str, ...]], monitor: Monitor
) -> dict[str, tuple[str, ...]]:
    tokens: dict[str, tuple[str, ...]] = {}
    for column, known, step in _steps(table, monitor):
        if column.name in decided:
            tokens[column.name] = decided[column.name]
            continue
        found = missing_candidates(column, known=known, monitor=step)
        certain = (each.token for each in found if each.certain)
        proposed = ("", *(token for token in certain if token))
        tokens[column.name] = proposed
    return tokens


def _types(table: Table, monitor: Monitor) -> dict[str, TypeGuess]:
    return {
        column.name: guess_type(column, known=known, monitor=step)
        for column, known, step in _steps(table, monitor)
    }


def _steps(table: Table, monitor: Monitor) -> Iterator[tuple[Column, Texts, Monitor]]:
    """Columns, each with its values in a batch and its slice of the progress."""
    n = len(table.columns)
    known = together([column.values for column in table.columns])
    for place, (column, texts) in enumerate(zip(table.columns, known, strict=True)):
        yield column, texts, SubMonitor(monitor, place / n, (place + 1) / n)


def propose_project(loaded: Loaded) -> Project:
    """Return a project with every proposal taken over, nothing confirmed.

    Thresholds, suppression limit and what happens to suppressed records are left
    undecided: a person decides them. Policies that keep something of every
    quasi-identifier come first.
    """
    member: str | None = loaded.inspection.member
    name = _stem(Path(member) if member else loaded.path)
    inspection: Inspection = loaded.inspection
    return Project(
        name=name,
        inputs=(input_of(loaded, TABLE),),
        attributes=inspection.proposals,
        quality=Quality(keep_something=True),
    )


def certain_columns(
    project: Project, findings: Mapping[str, Finding]
) -> tuple[str, ...]:
    """Return the columns whose proposed role is certain and not confirmed yet."""
    return tuple(
        each.name
        for each in project.attributes
        if each.include
        and not each.confirmed
        and each.role is not None
        and each.name in findings
        and findings[each.name].band is Band.CERTAIN
        and findings[each.name].role == each.role
    )


def renew_project(project: Project, loaded: Loaded) -> Project:
    """Return the project for a file that was read again, or for another file.

    What was decided about a column stays with its name; new columns get
    proposals, columns that are gone are dropped. Of linked files also how many
    events belong to nobody; if these are others, a person decides on them again.
    """
    first = project.inputs[0] if project.inputs else None
    name = first.name if first else TABLE
    header = loaded.inspection.dialect.header
    is_known = first is not None and _is_header_known(project, header, loaded)
    file = input_of(loaded, name, is_header_known=is_known)
    if first and Path(first.file).name == Path(file.file).name:
        file = file.but(file=first.file)
    if first:
        is_said = first.header_confirmed and not file.header_in_doubt
        file = file.but(country=first.country, header_confirmed=is_said)
    others = tuple(_renewed_file(each, loaded) for each in project.inputs[1:])
    links = tuple(_renewed_link(each, loaded) for each in project.links)
    inputs = (file, *others)
    return project.but(
        inputs=inputs, links=links, attributes=_renewed_attributes(project, loaded)
    )


def _renewed_attributes(project: Project, loaded: Loaded) -> tuple[Attribute, ...]:
    """Return the attributes of a table: what was decided, else what is proposed."""
    known = {attribute.name: attribute for attribute in project.attributes}
    names = loaded.as_read.column_names
    if loaded.people is None and known.keys() >= set(names):
        # PERF: nothing needs to be proposed.
        return tuple(known[name].but(table=TABLE) for name in names)
    inspection: Inspection = loaded.inspection
    return tuple(
        known.get(proposal.name, proposal).but(table=proposal.table)
        for proposal in inspection.proposals
    )


def _renewed_file(file: InputFile, loaded: Loaded) -> InputFile:
    """Return a file beside the first one as it was read now, named as before."""
    found = loaded.people.files.get(file.name) if loaded.people else None
    if found is None:
        return file
    is_named = Path(file.file).name == Path(found.file).name
    named = file.file if is_named else found.file
    return found.but(file=named, header_confirmed=file.header_confirmed)


def _renewed_link(link: LinkChoice, loaded: Loaded) -> LinkChoice:
    """Return a link with the facts of the files that were read now."""
    tables = loaded.people.tables if loaded.people else ()
    found = next((each.linked for each in tables if each.name == link.table), None)
    if found is None:
        return link
    renewed = link.but(
        n_orphans=found.n_orphans,
        n_keyless=found.n_keyless,
        n_without_events=found.n_without_events,
    )
    is_same = renewed.n_left_out == link.n_left_out
    return renewed if is_same else renewed.but(orphans=None)


def _is_header_known(project: Project, header: bool, loaded: Loaded) -> bool:
    """Whether somebody has said already what the first record of a file is.

    Of another file the answer holds if it has the columns that were decided.
    """
    first = project.inputs[0]
    if first.header_in_doubt or first.dialect.header != header:
        return False
    decided = {each.name for each in project.attributes}
    return first.sha256 == loaded.sha256 or decided == set(loaded.table.column_names)


def input_of(loaded: Loaded, name: str, *, is_header_known: bool = False) -> InputFile:
    """Return how a file was read, as a project keeps it.

    Parameters
    ----------
    is_header_known : bool
        Whether somebody has said already what the first record is.
    """
    inspection: Inspection = loaded.inspection
    return InputFile(
        name=name,
        file=loaded.path.name,
        member=inspection.member,
        sha256=loaded.sha256,
        n_bytes=inspection.n_bytes,
        n_rows=(loaded.people.events if loaded.people else loaded).as_read.n_rows,
        dialect=DialectChoice(**asdict(inspection.dialect)),
        header_in_doubt=not is_header_known and inspection.header_in_doubt,
        header_confirmed=inspection.header_confirmed,
        n_left_out=inspection.report.n_ragged,
    )


def _proposals(
    table: Table,
    types: Mapping[str, TypeGuess],
    findings: Mapping[str, Finding],
    missing: Mapping[str, tuple[str, ...]],
    monitor: Monitor,
) -> tuple[Attribute, ...]:
    """Propose type, role and hierarchy of every column."""
    proposals = []
    for place, column in enumerate(table.columns):
        monitor.report(place / len(table.columns), "proposals")
        found, guess = findings[column.name], types[column.name]
        attribute = Attribute(
            name=column.name,
            role=found.role.value if found.role else None,
            treatment=found.treatment.value if found.treatment else None,
            kind=guess.kind,
            format=guess.format or None,
            open_formats=guess.candidates if guess.ambiguous else (),
            topic=found.topic.value if found.topic else None,
            missing=missing[column.name],
            weight=importance_of(found.topic),
        )
        if attribute.role == "quasi_identifier":
            attribute = attribute.but(hierarchy=_hierarchy_for(column, attribute))
        proposals.append(attribute)
    return tuple(proposals)


def propose_hierarchy(loaded: Loaded, attribute: Attribute) -> HierarchyChoice | None:
    """Return the rule most people would want for an attribute, None without one."""
    column = loaded.table.column(attribute.name).with_missing(attribute.missing)
    return _hierarchy_for(column, attribute)


def _hierarchy_for(column: Column, attribute: Attribute) -> HierarchyChoice | None:
    template = propose_template(
        column, attribute.kind, attribute.format, attribute.topic
    )
    return HierarchyChoice(rule=template.to_json()) if template else None


def encoding_examples(
    loaded: Loaded, *, monitor: Monitor = NULL_MONITOR
) -> dict[str, list[str]]:
    """Return lines with unusual letters as each likely encoding reads them.

    Returns
    -------
    dict of str to list of str
        By encoding, the present one first; for the screen only. Empty if the
        encoding is certain.

    Raises
    ------
    InputError, ResourceError
        If the file can no longer be read.
    """
    inspection: Inspection = loaded.inspection
    others = inspection.guess.encodings
    present = inspection.dialect.encoding
    if not others or present.startswith(("utf-16", "utf-32")):
        return {}
    source = open_source(loaded.path, member=inspection.member, monitor=monitor)
    return example_lines(source, tuple(dict.fromkeys((present, *others))))


def read_again(
    inputs: Sequence[InputFile],
    path: Path,
    missing: Mapping[str, tuple[str, ...]],
    *,
    inspects: bool = True,
    monitor: Monitor = NULL_MONITOR,
) -> Loaded:
    """Read a file as the first input of a project says.

    Parameters
    ----------
    missing : mapping of str to tuple of str
        Texts that mean "no value" by column, where decided.
    inspects : bool
        As for `read_input`.

    Raises
    ------
    InputError
        Code ``no_input`` and those of `read_input`.
    """
    if not inputs:
        raise InputError("no_input")
    file = inputs[0]
    return read_input(
        path,
        member=file.member if _is_archive(path) else None,
        dialect=file.dialect,
        missing=missing,
        country=file.country,
        inspects=inspects,
        monitor=monitor,
    )


def _is_archive(path: Path) -> bool:
    """Whether a member must be chosen; ``archive.zip/member`` has chosen one."""
    return path.is_file() and bool(list_members(path))


def _stem(path: Path) -> str:
    return path.name.split(".")[0] or path.name
