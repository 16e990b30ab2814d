"""Several files as one: people, one row each, and the events that belong to them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from deidgui.app.loaded import Loaded, LoadedEvents, LoadedPeople
from deidgui.app.ops import Op, set_protection, set_role
from deidgui.app.project import Attribute, LinkChoice, Project
from deidgui.app.reading.columns import ColumnCheck, check_column
from deidgui.app.reading.reading import (
    TABLE,
    Inspection,
    input_of,
    propose_project,
    read_again,
    renew_project,
)
from deidgui.engine.data.linking import OF_PEOPLE, KeyedEvents, addition_of, link_tables
from deidgui.engine.data.table import Column, Table
from deidgui.engine.detect.totals import rows_of_totals
from deidgui.errors import ConfigError, InputError
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

EVENTS, PEOPLE = TABLE, "people"
"""Names of the first two inputs."""


@dataclass(frozen=True)
class LinkKey:
    """A column of each of two tables by which they may be linked.

    Parameters
    ----------
    column, people_column : str
        Of the events and of the people.
    n_linked, n_orphans : int
        Different keys of events that people have, and that nobody has.
    """

    column: str
    people_column: str
    n_linked: int
    n_orphans: int


def find_keys(events: Loaded, people: Loaded) -> tuple[LinkKey, ...]:
    """Propose columns by which a table of events may be linked to one of people.

    Returns
    -------
    tuple of LinkKey
        Columns that are different in each row of people and hold most keys of events;
        those with the same name first, then those that link most.
    """
    found = []
    for mine in people.table.columns:
        one = _marked(mine, people)
        n_present = one.n_rows - one.n_missing
        if one.n_rows < 2 or n_present < one.n_rows or one.counts.max() > 1:
            continue
        for other in events.table.columns:
            is_named = other.name == one.name
            key = _marked(other, events)
            texts = key.values.filter(~np.asarray(key.is_missing))
            n_linked = int(texts.is_in(one.values.implode()).sum()) if len(texts) else 0
            if is_named or 2 * n_linked > len(texts):
                n_orphans = len(texts) - n_linked
                found.append(LinkKey(key.name, one.name, n_linked, n_orphans))
    found = [each for each in found if each.n_linked]
    return tuple(
        sorted(found, key=lambda e: (e.column != e.people_column, -e.n_linked))
    )


@dataclass(frozen=True, repr=False)
class LinkOffer:
    """Two files that were read, and by which columns they may be linked.

    Parameters
    ----------
    keys : mapping of (str, str) to LinkKey
        By the columns of the first and of the second file, the likeliest first.
        Either may hold the people.
    """

    first: Loaded
    second: Loaded
    keys: Mapping[tuple[str, str], LinkKey]


def link_offer(first: Loaded, second: Loaded) -> LinkOffer:
    """Find out by which columns two files may be linked."""
    keys = {(e.column, e.people_column): e for e in find_keys(first, second)}
    for each in find_keys(second, first):
        keys.setdefault((each.people_column, each.column), each)
    return LinkOffer(first, second, keys)


def _marked(column: Column, loaded: Loaded) -> Column:
    return column.with_missing(loaded.inspection.missing[column.name])


KeyOf = tuple[Loaded, str]
"""A file and the column of it by which it is linked."""


def people_among(read: Sequence[Loaded], key: str) -> tuple[KeyOf, list[KeyOf]]:
    """Tell the table of people from several tables of their events.

    Parameters
    ----------
    read : sequence of Loaded
        Two or more.
    key : str
        A column of all, or ``PEOPLE=EVENTS`` if that of the people is called otherwise.

    Returns
    -------
    people : (Loaded, str)
        Where the fewest rows have a key of others; else the last such.
    events : list of (Loaded, str)
        The others, in their order.

    Raises
    ------
    InputError
        Code ``link_column_missing``.
    """
    if len(read) == 2:
        events, people = events_first(*keys_called(read[0], read[1], key))
        return people, [events]
    places = [place for place, mark in enumerate(key) if mark == "="]
    pairs = [(key, key), *((key[:at], key[at + 1 :]) for at in places)]
    of_people, of_events = next(
        (e for e in pairs if all({*e} & {*f.table.column_names} for f in read)),
        pairs[-1],
    )
    able = [
        (_n_again(each, of_people), -at)
        for at, each in enumerate(read)
        if of_people in each.table.column_names
    ]
    chosen = -min(able)[1] if able else len(read) - 1
    keyed = [
        (each, of_people if at == chosen else of_events) for at, each in enumerate(read)
    ]
    return keyed[chosen], keyed[:chosen] + keyed[chosen + 1 :]


def events_first(one: KeyOf, other: KeyOf) -> tuple[KeyOf, KeyOf]:
    """Tell the table of events from that of people, whose keys are all different.

    Returns
    -------
    tuple of two (Loaded, str)
        Events and people. The people are where fewer rows have a key of others; the
        first one if that does not tell.
    """
    return (one, other) if _n_again(*other) < _n_again(*one) else (other, one)


def _n_again(loaded: Loaded, key: str) -> int:
    """Rows whose key another row before them has."""
    column = _marked(loaded.table.column(key), loaded)
    counts = column.counts[~column.is_missing]
    return int(counts.sum()) - int(np.count_nonzero(counts))


def keys_called(one: Loaded, other: Loaded, key: str) -> tuple[KeyOf, KeyOf]:
    """Return the columns of two files that a person has named as their key.

    Parameters
    ----------
    key : str
        A column of both, or ``COLUMN=COLUMN``, in either order.

    Raises
    ------
    InputError
        Code ``link_column_missing`` with the columns that there are.
    """
    names = one.table.column_names, other.table.column_names
    places = [place for place, mark in enumerate(key) if mark == "="]
    pairs = [(key, key), *((key[:at], key[at + 1 :]) for at in places)]
    for left, right in pairs:
        if left in names[0] and right in names[1]:
            return (one, left), (other, right)
        if right in names[0] and left in names[1]:
            return (one, right), (other, left)
    lacks = one if any(p in names[1] for pair in pairs for p in pair) else other
    raise InputError(
        "link_column_missing",
        file=lacks.path.name,
        column=key,
        known=lacks.table.column_names,
    )


@dataclass(frozen=True, repr=False)
class FurtherEvents:
    """A file of events beside the first one.

    Parameters
    ----------
    key : str
        Column that says whose an event is.
    name : str
        Of the input of the project (`events_name`).
    """

    loaded: Loaded
    key: str
    name: str


def events_name(loaded: Loaded, taken: Collection[str]) -> str:
    """Name an input that holds further events, after its file.

    Parameters
    ----------
    taken : collection of str
        Names of other inputs.
    """
    member: str | None = loaded.inspection.member
    stem = Path(member or loaded.path.name).name.split(".")[0].lower()
    plain = re.sub(r"[^a-z0-9]+", "_", stem).strip("_")[:30]
    if not plain[:1].isalpha():
        plain = f"events_{plain}".rstrip("_")
    used = {EVENTS, PEOPLE, "population", *taken}
    names = itertools.chain([plain], (f"{plain}_{n}" for n in itertools.count(2)))
    return next(each for each in names if each not in used)


def link_files(
    events: Loaded,
    people: Loaded,
    column: str,
    people_column: str,
    further: Sequence[FurtherEvents] = (),
    *,
    missing: Mapping[str, tuple[str, ...]] | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> Loaded:
    """Link files that were read.

    Parameters
    ----------
    column, people_column : str
        Keys of the events and of the people.
    further : sequence of FurtherEvents
        Other files with events of the same people.
    missing : mapping of str to tuple of str, optional
        Texts that mean "no value", by column of the linked table, where decided.

    Raises
    ------
    InputError
        Codes ``link_file_twice``, ``link_column_missing`` and those of `link_tables`.
    """
    keyed = [(events, column), *((each.loaded, each.key) for each in further)]
    _check_keys((*keyed, (people, people_column)))
    tokens = (missing or {}).get(column) or people.inspection.missing[people_column]
    names = [EVENTS, *(each.name for each in further)]
    linked = link_tables(
        [
            KeyedEvents(_with_key(loaded.table, key, tokens), key, name)
            for (loaded, key), name in zip(keyed, names, strict=True)
        ],
        _with_key(people.table, people_column, tokens),
        people_column,
        monitor=monitor,
    )
    tables = tuple(
        # Who has named a column of it has seen what its header is.
        LoadedEvents(
            loaded, key, input_of(loaded, name).but(header_in_doubt=False), found
        )
        for (loaded, key), name, found in zip(keyed, names, linked.events, strict=True)
    )
    own = LoadedPeople(
        tables,
        people,
        linked.names,
        input_of(people, PEOPLE).but(header_in_doubt=False),
        0 if linked.table.absent is None else int(linked.table.absent.sum()),
    )
    inspection = _joined(
        events.inspection, people.inspection, column, linked.names, PEOPLE
    )
    for each in own.further:
        inspection = _joined(
            inspection, each.alone.inspection, column, each.linked.names, each.name
        )
    totals = rows_of_totals(linked.table)
    return Loaded(
        events.path,
        linked.table,
        events.sha256,
        inspection,
        own,
        totals=totals,
        shape_doubts=tuple(
            each
            for each in (*events.shape_doubts, *people.shape_doubts)
            # A file of people may have their numbers alone.
            if each.code == "stacked_tables"
        ),
    )


def _check_keys(files: Sequence[tuple[Loaded, str]]) -> None:
    """See that no file is named twice and each has its key (raises as `link_files`)."""
    seen: set[str] = set()
    for loaded, _name in files:
        if loaded.sha256 in seen:
            raise InputError("link_file_twice", file=loaded.path.name)
        seen.add(loaded.sha256)
    for loaded, name in files:
        if name not in loaded.table.column_names:
            raise InputError(
                "link_column_missing",
                file=loaded.path.name,
                column=name,
                known=loaded.table.column_names,
            )


def _with_key(table: Table, key: str, tokens: tuple[str, ...]) -> Table:
    return table.with_columns(
        each.with_missing(tokens) if each.name == key else each
        for each in table.columns
    )


def _joined(
    known: Inspection,
    other: Inspection,
    key: str,
    names: Mapping[str, str],
    table: str,
) -> Inspection:
    """Add what was found out about the columns of another file.

    Its columns come first if it is that of people, else last; the key is that of
    people.

    Parameters
    ----------
    names : mapping of str to str
        Name in the linked table of each of its columns.
    table : str
        Name of its input.
    """
    is_of_people = table == PEOPLE
    added = {own: name for own, name in names.items() if is_of_people or name != key}
    theirs = tuple(
        each.but(name=added[each.name], table=table)
        for each in other.proposals
        if each.name in added
    )
    proposals = (*known.proposals, *theirs)
    if is_of_people:
        theirs = tuple(sorted(theirs, key=lambda each: each.name != key))
        proposals = (*theirs, *(e for e in known.proposals if e.name != key))
    return replace(
        known,
        missing={
            **known.missing,
            **{name: other.missing[own] for own, name in added.items()},
        },
        types={
            **known.types,
            **{name: other.types[own] for own, name in added.items()},
        },
        findings={
            **known.findings,
            **{
                name: replace(other.findings[own], column=name)
                for own, name in added.items()
            },
        },
        proposals=proposals,
        country=known.country if known.country.country else other.country,
    )


def with_link(loaded: Loaded, column: str, people_column: str) -> Op:
    """Return the decision that links a second file to that of the project.

    Parameters
    ----------
    loaded : Loaded
        The linked files, of `link_files`; the project has that of the first events,
        or that of the people.

    Returns
    -------
    callable
        What was decided about the columns of the project's file stays.
    """
    people = loaded.people
    assert people is not None

    def op(project: Project) -> Project:
        if project.link is not None:
            project = without_link(project)
        if project.inputs[0].sha256 != loaded.sha256:
            project = _of_people(project, people)
        key = project.attribute(column)
        if not (key.role == "direct_identifier" and key.confirmed):
            # The files are released as linked ones, which no other treatment allows.
            project = set_role(column, "direct_identifier", "pseudonym")(project)
        project = set_protection(column)(project)
        link = LinkChoice(column=column, people_column=people_column)
        project = project.but(inputs=(*project.inputs, people.file), links=(link,))
        for each in people.further:
            project = _with_events(project, each)
        return renew_project(project, loaded)

    return op


def with_events(loaded: Loaded) -> Op:
    """Return the decision that adds a further file of events to a linked project.

    Parameters
    ----------
    loaded : Loaded
        The linked files, of `link_files`: the last one is that which is added.
    """
    people = loaded.people
    assert people is not None

    def op(project: Project) -> Project:
        if project.link is None:
            raise ConfigError("no_link")
        return renew_project(_with_events(project, people.tables[-1]), loaded)

    return op


def _with_events(project: Project, added: LoadedEvents) -> Project:
    assert project.link is not None
    link = LinkChoice(
        table=added.name,
        column=added.key,
        people_column=project.link.people_column,
    )
    inputs = (*project.inputs, added.file)
    return project.but(inputs=inputs, links=(*project.links, link))


def _of_people(project: Project, people: LoadedPeople) -> Project:
    """Return a project of people as one of their events; roles stay."""
    fresh = propose_project(people.events)
    names = people.names
    known = tuple(
        each.but(name=names[each.name])
        for each in project.attributes
        if each.name in names
    )
    taken = {each.name for each in known}
    others = tuple(each for each in fresh.attributes if each.name not in taken)
    return project.but(unit=None, inputs=fresh.inputs, attributes=(*known, *others))


def without_link(project: Project) -> Project:
    """Return a project of its first table of events alone.

    Decisions about the columns of people, and of other events, go with them.
    """
    kept = tuple(
        each.but(table=EVENTS)
        for each in project.attributes
        if each.table == EVENTS or each.name == project.key
    )
    return project.but(links=(), inputs=project.inputs[:1], attributes=kept)


def without_last_events(project: Project) -> Project:
    """Return a project without the table of events that was added last.

    Only the last one can go: names of columns rest on the tables before.

    Raises
    ------
    ConfigError
        Code ``no_further_events``.
    """
    if len(project.links) < 2:
        raise ConfigError("no_further_events")
    name = project.links[-1].table
    return project.but(
        links=project.links[:-1],
        inputs=tuple(each for each in project.inputs if each.name != name),
        attributes=tuple(each for each in project.attributes if each.table != name),
    )


def check_linked_column(
    loaded: Loaded, attribute: Attribute, *, monitor: Monitor = NULL_MONITOR
) -> ColumnCheck:
    """List the failing cells of a column as they stand in its own file.

    Returns
    -------
    ColumnCheck
        Of `check_column`; rows are those of the linked table.

    Raises
    ------
    ConfigError
        As `check_column`.
    """
    people = loaded.people
    own = people.own_column(attribute.name) if people is not None else None
    if people is None or own is None or attribute.table != PEOPLE:
        return check_column(loaded.table, attribute, monitor=monitor)
    table = people.alone.table.with_columns([own])
    found = check_column(table, attribute, monitor=monitor)
    key = next(own for own, name in people.names.items() if name == _key_of(loaded))
    codes = people.alone.table.column(key).codes
    linked = loaded.table.column(people.names[key]).codes
    failing = tuple(
        (line, int(np.argmax(linked == codes[row])), text)
        for line, row, text in found.failing
    )
    return replace(found, failing=failing)


def _key_of(loaded: Loaded) -> str:
    """Name of the key in the linked table: its first column."""
    return loaded.table.column_names[0]


def leave_out_orphans(is_decided: bool = True, table: str | None = None) -> Op:
    """Decide that events that belong to nobody are left out, or take that back.

    Parameters
    ----------
    table : str, optional
        Of this table of events; of all if not given.

    Raises
    ------
    ConfigError
        Code ``no_link``.
    """

    def op(project: Project) -> Project:
        if project.link is None:
            raise ConfigError("no_link")
        orphans = "left_out" if is_decided else None
        links = (
            each.but(orphans=orphans) if table in (None, each.table) else each
            for each in project.links
        )
        return project.but(links=tuple(links))

    return op


def propose_linked(
    events: Loaded, loaded: Loaded, column: str, people_column: str
) -> Project:
    """Return a project of two linked files with every proposal taken over.

    Parameters
    ----------
    events : Loaded
        The file of events alone.
    loaded : Loaded
        Both, of `link_files`.
    """
    return with_link(loaded, column, people_column)(propose_project(events))


def read_project_input(
    project: Project,
    path: Path,
    others: Mapping[str, Path] | None = None,
    *,
    inspects: bool = True,
    monitor: Monitor = NULL_MONITOR,
) -> Loaded:
    """Read the inputs of a project as it says, and link them if it says so.

    Parameters
    ----------
    others : mapping of str to Path, optional
        Files of the other inputs by name, if the project links some.
    inspects : bool
        Whether what the columns are is found out now; otherwise of a single file
        when it is first asked for.

    Raises
    ------
    InputError
        Codes ``no_input``, ``input_not_found``, and those of `read_input` and
        `link_files`.
    """
    link = project.link
    if link is None:
        tokens = _tokens(project.attributes)
        return read_again(
            project.inputs, path, tokens, inspects=inspects, monitor=monitor
        )
    key = project.attribute(link.column)
    own = [e for e in project.attributes if e.table == EVENTS]
    n_files = len(project.links) + 1
    step = SubMonitor(monitor, 0.0, 0.9 / n_files)
    events = read_again(project.inputs, path, _tokens((*own, key)), monitor=step)
    keys = {PEOPLE: (link.people_column, OF_PEOPLE)}
    keys |= {e.table: (e.column, addition_of(e.table)) for e in project.links[1:]}
    read: dict[str, Loaded] = {}
    for place, (name, (column, addition)) in enumerate(keys.items(), start=1):
        file, other = project.input_called(name), (others or {}).get(name)
        assert file is not None, "a project has the inputs of its links"
        if other is None:
            raise InputError("input_not_found", file=file.file, name=name)
        tokens = {
            known_as: each.missing
            for each in project.attributes
            if each.table == name
            for known_as in (each.name.removesuffix(addition), each.name)
        }
        tokens[column] = key.missing
        part = SubMonitor(monitor, 0.9 * place / n_files, 0.9 * (place + 1) / n_files)
        read[name] = read_again((file,), other, tokens, monitor=part)
    return link_files(
        events,
        read[PEOPLE],
        link.column,
        link.people_column,
        [FurtherEvents(read[e.table], e.column, e.table) for e in project.links[1:]],
        missing={link.column: key.missing},
        monitor=SubMonitor(monitor, 0.9, 1.0),
    )


def _tokens(attributes: tuple[Attribute, ...]) -> dict[str, tuple[str, ...]]:
    return {each.name: each.missing for each in attributes}
