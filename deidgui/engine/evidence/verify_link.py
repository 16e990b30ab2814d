"""Puts the files of a release together again, row by row, by their key."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from deidgui.engine.evidence.checks import Check, compare, events_of, linked_names
from deidgui.engine.evidence.document import Evidence
from deidgui.engine.evidence.folder import ReleaseFolder, read_table
from deidgui.engine.evidence.tally import Tally
from deidgui.monitor import Monitor

PEOPLE = "people"


@dataclass
class LinkedRows:
    """What putting the files together found.

    Parameters
    ----------
    n_people : int
        Rows of the file of people.
    n_twice : int
        Of these, rows with a key that another one before them has.
    n_orphans : int
        Rows of files of events whose key no row of people has.
    n_without_events : int
        Rows of people whose key no row of events has, in any file.
    """

    n_people: int = 0
    n_twice: int = 0
    n_orphans: int = 0
    n_without_events: int = 0
    rows: dict[str, list[str]] = field(default_factory=dict, repr=False)


def columns_of(evidence: Evidence, name: str) -> list[str]:
    """Return the headers that a released file must have: the key is in all."""
    key = evidence.unit.column
    return [
        each.released_as
        for each in evidence.attributes
        if each.released_as is not None
        and (each.table == name or (evidence.link and each.released_as == key))
    ]


def check_tables(folder: ReleaseFolder, evidence: Evidence) -> Iterator[Check]:
    """See that there are the released files that there must be, with their columns."""
    names = linked_names(evidence)
    found = [each.name for each in evidence.outputs]
    code = {1: "one_table", 2: "two_tables"}.get(len(names), "linked_tables")
    yield Check(code, found == names)
    if found != names:
        return
    is_keyed = evidence.unit.kind == "key" and evidence.unit.column is not None
    is_left_out = evidence.policy.suppressed == "left_out"
    is_linked = evidence.link is not None
    yield Check("link_has_key", not is_linked or (is_keyed and is_left_out))
    agrees = all(each.table in names for each in evidence.attributes)
    for output in evidence.outputs:
        header, _rows = next(read_table(folder, output.path))
        stated = columns_of(evidence, output.name)
        agrees &= header == stated == list(output.columns)
        agrees &= len(set(header)) == len(header)
    released = [e.released_as for e in evidence.attributes if e.released_as]
    agrees &= len(set(released)) == len(released)
    agrees &= evidence.unit.column in (None, *released)
    yield Check("columns", agrees)


def tally_linked(
    folder: ReleaseFolder, evidence: Evidence, tally: Tally, monitor: Monitor
) -> LinkedRows:
    """Count the rows of all files, each event with its person."""
    people, events = evidence.outputs[1], events_of(evidence)
    key = evidence.unit.column or ""
    found = LinkedRows()
    place = list(people.columns).index(key)
    for _header, rows in read_table(folder, people.path):
        for each in rows:
            found.n_people += 1
            found.n_twice += each[place] in found.rows
            found.rows[each[place]] = each
        monitor.report(0.0, "verify")
    of_events = [name for each in events for name in each.columns if name != key]
    having: set[str] = set()
    n_rows, n_stated = 0, sum(each.rows for each in events)
    for output in events:
        arranged = _Arranged(tally.header, people.columns, output.columns, key)
        at = list(output.columns).index(key)
        elsewhere = [name for name in of_events if name not in output.columns]
        for _header, rows in read_table(folder, output.path):
            known = [each for each in rows if each[at] in found.rows]
            found.n_orphans += len(rows) - len(known)
            having.update(each[at] for each in known)
            tally.add(
                [arranged.row(found.rows[each[at]], each) for each in known],
                elsewhere,
                output.name,
            )
            n_rows += len(rows)
            monitor.report(min(1.0, n_rows / max(n_stated, 1)), "verify")
    alone = [each for name, each in found.rows.items() if name not in having]
    found.n_without_events = len(alone)
    arranged = _Arranged(tally.header, people.columns, (), key)
    tally.add_without_events([arranged.row(each, []) for each in alone], of_events)
    return found


class _Arranged:
    """Where the cells of two files stand in the order of the attributes."""

    def __init__(
        self,
        header: Sequence[str],
        people: Sequence[str],
        events: Sequence[str],
        key: str,
    ) -> None:
        mine = {name: place for place, name in enumerate(people)}
        theirs = {
            name: len(people) + place
            for place, name in enumerate(events)
            if name != key
        }
        known, nothing = {**mine, **theirs}, len(people) + len(events)
        self._order = [known.get(name, nothing) for name in header]

    def row(self, person: list[str], event: list[str]) -> list[str]:
        """Cells of a person and of an event as one row."""
        cells = [*person, *event, ""]
        return [cells[place] for place in self._order]


def check_link(evidence: Evidence, found: LinkedRows | None) -> Iterator[Check]:
    """Compare what is said about the link of released files."""
    link = evidence.link
    if link is None or found is None:
        return
    yield compare("link_people_once", 0, found.n_twice)
    yield compare("link_orphans", 0, found.n_orphans)
    inputs = {each.name: each for each in evidence.inputs}
    unit, people = evidence.unit, inputs.get(PEOPLE)
    sample, steps = evidence.sample, evidence.preparation
    n_people = unit.people if sample is None else sample.people
    if steps:
        # Steps may have removed people; see `check_preparation`.
        n_people = steps[0].people_before
    n_released = (unit.people or 0) - (unit.suppressed_people or 0)
    yield compare("people_rows", evidence.outputs[1].rows, found.n_people)
    yield compare("people_released", n_released, found.n_people)
    yield compare("people_of_input", n_people, people.rows if people else None)
    n_gone = link.people_without_events - found.n_without_events
    figures = {
        "stated": link.people_without_events,
        "measured": found.n_without_events,
    }
    is_possible = 0 <= n_gone <= (n_people or 0) - n_released
    yield Check("people_without_events", is_possible, figures)
