"""Compares what the steps of the preparation left with the released table.

Shares no code with the steps: cells are read as text, and counted in plain loops.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from deidgui.engine.evidence.checks import Check, rows_of_events
from deidgui.engine.evidence.document import CheckedStep, Evidence, Output
from deidgui.engine.evidence.folder import ReleaseFolder, read_table
from deidgui.engine.evidence.tally import STAR


def check_preparation(folder: ReleaseFolder, evidence: Evidence) -> Iterator[Check]:
    """Compare the steps with each other, and with what the table shows.

    Yields
    ------
    Check
        ``preparation_rows`` and ``preparation_people``: the rows and people of one
        step are those that the step before it left. For each step that the table can
        show: ``preparation_events``, ``preparation_periods``, ``preparation_top``,
        ``preparation_codes`` and ``preparation_one_value``.
    """
    steps = evidence.preparation
    if not steps:
        return
    link = evidence.link
    n_left_out = link.orphans + link.keyless if link is not None else 0
    rows = [rows_of_events(evidence) - n_left_out]
    for each in steps:
        rows += [each.rows_before, each.rows_after]
    # A sample is drawn from the prepared table.
    rows.append(evidence.sample.rows if evidence.sample else evidence.records)
    pairs = zip(rows[::2], rows[1::2], strict=True)
    yield Check("preparation_rows", all(before == after for before, after in pairs))
    if evidence.unit.kind == "key":
        yield Check("preparation_people", _people_follow(evidence))
    for number, each in enumerate(steps, start=1):
        yield from _check_step(folder, evidence, number, each.checked)


def _people_follow(evidence: Evidence) -> bool:
    """Whether each step begins with the people whom the one before it left."""
    steps, sample = evidence.preparation, evidence.sample
    people = [steps[0].people_before]
    for each in steps:
        people += [each.people_before, each.people_after]
    people.append(sample.people if sample else evidence.unit.people)
    pairs = zip(people[::2], people[1::2], strict=True)
    return all(before is not None and before == after for before, after in pairs)


def _check_step(
    folder: ReleaseFolder, evidence: Evidence, number: int, step: CheckedStep
) -> Iterator[Check]:
    released = {name for each in evidence.outputs for name in each.columns}
    is_there = released >= set(step.columns)
    yield Check("preparation_columns", is_there, {"step": number})
    if not is_there:
        return
    key = evidence.unit.column
    if step.most_events is not None and key is not None:
        yield from _check_events(folder, evidence, number, step)
    if step.top is not None and step.columns:
        yield from _check_top(folder, evidence, number, step)
    if step.codes and step.columns:
        yield from _check_codes(folder, evidence, number, step)
    if step.one_value and step.columns and key is not None:
        yield from _check_one_value(folder, evidence, number, step)


def _cells(
    folder: ReleaseFolder, output: Output, names: Sequence[str]
) -> Iterator[tuple[str, ...]]:
    """Cells of some columns, row by row; what was done for spreadsheets is undone."""
    for header, rows in read_table(folder, output.path):
        places = [header.index(name) for name in names]
        for row in rows:
            yield tuple(row[place].removeprefix("'") for place in places)


def _tables(
    evidence: Evidence, step: CheckedStep
) -> Iterator[tuple[Output, list[str]]]:
    """Released tables that have columns of a step, with these."""
    for output in evidence.outputs:
        names = [name for name in step.columns if name in output.columns]
        if names:
            yield output, names


def _all_cells(
    folder: ReleaseFolder, evidence: Evidence, step: CheckedStep
) -> Iterator[str]:
    """Cells of the columns of a step, in whatever table they are."""
    for output, names in _tables(evidence, step):
        for cells in _cells(folder, output, names):
            yield from cells


def _check_events(
    folder: ReleaseFolder, evidence: Evidence, number: int, step: CheckedStep
) -> Iterator[Check]:
    """Count the rows of each person, and those of each period."""
    key = evidence.unit.column or ""
    events = next((e for e in evidence.outputs if e.name == step.table), None)
    if events is None:
        yield Check("preparation_columns", ok=False, params={"step": number})
        return
    # A period that is the same for a person stands in the file of people.
    has_periods = bool(step.cuts) and set(step.columns) <= set(events.columns)
    names = [key, *(step.columns if has_periods else ())]
    of_person: Counter[str] = Counter()
    of_period: Counter[tuple[str, ...]] = Counter()
    for cells in _cells(folder, events, names):
        if cells[0] != STAR:
            of_person[cells[0]] += 1
            of_period[cells] += 1
    measured = max(of_person.values(), default=0)
    stated = step.most_events or 0
    figures = {"step": number, "stated": stated, "measured": measured}
    yield Check("preparation_events", measured <= stated, figures)
    if has_periods:
        # Periods are told by their year: a date begins with it, or holds it.
        n_above = sum(n > step.cuts.get(cells[-1], n) for cells, n in of_period.items())
        yield Check(
            "preparation_periods", n_above == 0, {"step": number, "n_above": n_above}
        )


def _check_top(
    folder: ReleaseFolder, evidence: Evidence, number: int, step: CheckedStep
) -> Iterator[Check]:
    """Look for a number above the top code."""
    n_above = 0
    top = step.top if step.top is not None else 0.0
    for cell in _all_cells(folder, evidence, step):
        text = cell.strip()
        if step.decimal_mark == ",":
            text = text.replace(",", ".")
        try:
            n_above += float(text) > top
        except ValueError:
            continue
    yield Check("preparation_top", n_above == 0, {"step": number, "n_above": n_above})


def _check_codes(
    folder: ReleaseFolder, evidence: Evidence, number: int, step: CheckedStep
) -> Iterator[Check]:
    """Look for a code of the list."""
    plain = [code.replace(".", "").strip().upper() for code in step.codes]
    whole = {code for code in plain if not code.endswith("*")}
    parts = tuple(code[:-1] for code in plain if code.endswith("*"))
    n_left = 0
    for cell in _all_cells(folder, evidence, step):
        text = cell.replace(".", "").strip().upper()
        n_left += text in whole or bool(parts and text.startswith(parts))
    yield Check("preparation_codes", n_left == 0, {"step": number, "n_left": n_left})


def _check_one_value(
    folder: ReleaseFolder, evidence: Evidence, number: int, step: CheckedStep
) -> Iterator[Check]:
    """Look for a person whose rows show several values of a column."""
    key = evidence.unit.column or ""
    differing: set[str] = set()
    for output, names in _tables(evidence, step):
        shown: dict[str, list[str]] = {}
        for person, *cells in _cells(folder, output, [key, *names]):
            if person != STAR and shown.setdefault(person, cells) != cells:
                differing.add(person)
    figures = {"step": number, "n_people": len(differing)}
    yield Check("preparation_one_value", not differing, figures)
