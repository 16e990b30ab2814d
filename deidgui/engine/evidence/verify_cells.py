"""Compares what is stated of released cells with what stands in the files."""

from __future__ import annotations

from collections.abc import Iterator

from deidgui.engine.evidence.cells_seen import KINDS, CellsSeen
from deidgui.engine.evidence.checks import Check, CountedRelease, compare
from deidgui.engine.evidence.document import Attribute, Evidence, Output
from deidgui.engine.evidence.folder import ReleaseFolder, read_table


def looked_into(evidence: Evidence, output: Output) -> CellsSeen:
    """Return what looks into the cells of a released table."""
    headers = [each.released_as for each in _columns(evidence)]
    places = {name: place for place, name in enumerate(output.columns)}
    return CellsSeen({n: places[n] for n in headers if n is not None and n in places})


def read_cells(folder: ReleaseFolder, evidence: Evidence) -> Iterator[CellsSeen]:
    """Read the cells of each table of linked ones."""
    for output in evidence.outputs:
        seen = looked_into(evidence, output)
        for _header, rows in read_table(folder, output.path):
            seen.add_rows(rows)
        yield seen


def check_looked_into(
    release: CountedRelease, folder: ReleaseFolder
) -> Iterator[Check]:
    """Compare length and identifiers of all cells with what is stated."""
    evidence, seen = release.evidence, release.tally.cells
    stated = evidence.cells
    yield Check("cells_stated", stated is not None)
    if stated is None:
        return
    tables = [seen] if seen is not None else list(read_cells(folder, evidence))
    for each in tables:
        each.end()
    table_of = {name: each for each in tables for name in each.places}
    asked = _columns(evidence)
    named = [each.attribute for each in stated.columns]
    is_whole = named == [each.name for each in asked]
    # Each kind once, and none of which nobody has looked.
    is_whole &= stated.kinds == KINDS
    yield Check("cells_whole", is_whole)
    if not is_whole:
        return
    for attribute, of_column in zip(asked, stated.columns, strict=True):
        name = attribute.released_as or ""
        table = table_of[name]
        params = {"attribute": attribute.name}
        yield compare("cells_counted", of_column.cells, table.n_cells[name], **params)
        yield compare("cells_longest", of_column.longest, table.longest[name], **params)
        yield compare(
            "cells_words", of_column.most_words, table.most_words[name], **params
        )
        found = {kind: n for kind, n in table.found[name].items() if n}
        yield Check("cells_identifiers", of_column.found == found, params)


def _columns(evidence: Evidence) -> list[Attribute]:
    """All released columns but pseudonyms and masked ones."""
    return [
        each
        for each in evidence.attributes
        if each.released_as is not None and each.treatment in ("kept", "generalized")
    ]
