"""Edits of a release: one at a time, of every value that its files state."""

from __future__ import annotations

import copy
import csv
import hashlib
import io
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deidgui.app import report
from deidgui.engine.evidence.document import REPORTS, Evidence, canonical_json
from deidgui.engine.evidence.unchecked import Place, leaves

FLAWED = "changed by somebody"

MOST = 120
"""Edits of one kind and release that the test command tries."""

ALL = bool(os.environ.get("DEIDGUI_ALL_EDITS"))
"""Tries every edit, for half an hour."""


@dataclass(frozen=True)
class Edit:
    """One edit of a JSON.

    Parameters
    ----------
    kind : str
        changed, emptied, deleted, doubled, swapped or added.
    """

    place: Place
    kind: str
    make: Callable[[Any], None]

    def of(self, content: Any) -> Any:
        """Return the content with the edit."""
        edited = copy.deepcopy(content)
        self.make(edited)
        return edited


def some_edits(content: Any) -> list[Edit]:
    """Edits of a JSON that change it: evenly chosen ones, all if that is asked for."""
    whole = canonical_json(content)
    found = [e for e in edits_of(content) if canonical_json(e.of(content)) != whole]
    return found if ALL else found[:: max(1, len(found) // MOST)]


def edits_of(content: Any) -> Iterator[Edit]:
    """Every single edit of a JSON: of each value, and of each list and object."""
    for place in leaves(content):
        for number, value in enumerate(_others(_at(content, place))):
            yield Edit(place, f"changed {number}", _setter(place, value))
        if place:
            yield Edit(place, "deleted", _deleter(place))
    for place, inside in _containers(content):
        if isinstance(inside, list):
            if inside:
                yield Edit(place, "doubled", _caller(place, lambda x: x.append(x[0])))
            if len(inside) > 1 and inside[0] != inside[1]:
                yield Edit(place, "swapped", _caller(place, _swap))
        else:
            add = _caller(place, lambda x: x.update(added=FLAWED))
            yield Edit((*place, "added"), "added", add)
        if place:
            yield Edit(place, "deleted", _deleter(place))
            yield Edit(place, "emptied", _caller(place, lambda x: x.clear()))


def _others(value: Any) -> list[Any]:
    """Other values of the same type, and of another one where that is allowed."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, max(0, value - 1), 0, None]
    if isinstance(value, float):
        return [value + 0.01, value / 2, 0.0, None]
    if isinstance(value, str):
        is_hash = len(value) == 64 and value.isalnum()
        return ["0" * 64] if is_hash else [f"{value} {FLAWED}", "", None]
    return [0.5, 1, FLAWED] if value is None else [None]


def _containers(content: Any, place: Place = ()) -> Iterator[tuple[Place, Any]]:
    if isinstance(content, dict | list):
        yield place, content
        items = content.items() if isinstance(content, dict) else enumerate(content)
        for key, each in items:
            yield from _containers(each, (*place, key))


def _at(content: Any, place: Place) -> Any:
    for step in place:
        content = content[step]
    return content


def _setter(place: Place, value: Any) -> Callable[[Any], None]:
    def make(content: Any) -> None:
        _at(content, place[:-1])[place[-1]] = value

    return make


def _deleter(place: Place) -> Callable[[Any], None]:
    def make(content: Any) -> None:
        del _at(content, place[:-1])[place[-1]]

    return make


def _caller(place: Place, change: Callable[[Any], Any]) -> Callable[[Any], None]:
    return lambda content: change(_at(content, place))


def _swap(items: list[Any]) -> None:
    items[0], items[1] = items[1], items[0]


def write_evidence(folder: Path, fields: Any) -> None:
    """Write evidence as a forger would who changes nothing else."""
    (folder / "evidence.json").write_bytes(canonical_json(fields))


def reseal(folder: Path, fields: Any) -> Any:
    """Write evidence as a forger would who knows the program.

    The reports are made again from it, and every size and hash is right. What is no
    evidence at all is written as it is.
    """
    try:
        for each in [*fields["outputs"], *fields["files"]]:
            if each["path"] not in REPORTS:
                _vouch(each, (folder / each["path"]).read_bytes())
        evidence = Evidence.model_validate_json(json.dumps(fields), strict=True)
        made = {
            REPORTS[0]: report.report_html(evidence),
            REPORTS[1]: report.report_pdf(evidence),
        }
        for name, content in made.items():
            (folder / name).write_bytes(content)
        for each in fields["files"]:
            if each["path"] in made:
                _vouch(each, made[each["path"]])
        evidence = Evidence.model_validate_json(json.dumps(fields), strict=True)
        fields = evidence.model_dump(mode="json")
    except (ValueError, KeyError, TypeError, OSError, IndexError, AttributeError):
        pass
    write_evidence(folder, fields)
    return fields


def _vouch(stated: dict[str, Any], content: bytes) -> None:
    stated["bytes"] = len(content)
    stated["sha256"] = hashlib.sha256(content).hexdigest()


def table_edits(content: bytes) -> Iterator[tuple[str, bytes]]:
    """Edits of a CSV: of cells, rows, columns, and of the text itself."""
    rows = list(csv.reader(io.StringIO(content.decode(), newline="")))
    header, *body = rows
    for place, name in enumerate(header):
        for row in (0, len(body) // 2):
            changed = copy.deepcopy(rows)
            changed[row + 1][place] += "7"
            yield f"cell of {name}", _csv(changed)
        other = next((r for r in body if r[place] != body[0][place]), None)
        if other is not None:
            changed = copy.deepcopy(rows)
            changed[1][place] = other[place]
            yield f"cell of {name} with a value of another row", _csv(changed)
        yield f"column {name} deleted", _csv([r[:place] + r[place + 1 :] for r in rows])
        renamed = [[*header[:place], f"{name}2", *header[place + 1 :]], *body]
        yield f"column {name} renamed", _csv(renamed)
    yield "row deleted", _csv(rows[:-1])
    yield "row doubled", _csv([*rows, rows[-1]])
    yield "column added", _csv([[*row, "x"] for row in rows])
    yield "columns swapped", _csv([[r[1], r[0], *r[2:]] for r in rows])
    yield "no header", _csv(body)
    yield "cut", content[:-20]
    yield "bytes added", content + b"\n"


def _csv(rows: list[list[str]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()
