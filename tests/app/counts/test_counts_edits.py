"""Edits of a release of counts are noticed, or stand in the list of what is not."""

from __future__ import annotations

import hashlib
import itertools
import json
import random
import shutil
from pathlib import Path
from typing import Any

import pytest

from deidgui.app.release.verifying import verify
from deidgui.app.report import counts as counts_report
from deidgui.engine.evidence.counts_document import AuditFacts, CountsEvidence
from deidgui.engine.evidence.document import REPORTS, canonical_json, digest_of
from deidgui.engine.evidence.unchecked import is_at, unchecked
from deidgui.engine.evidence.verify_counts import _inferred
from deidgui.errors import DeidError
from tests.app.counts.test_releasing import (
    RULES,
    SHARES,
    TABLE_1,
    TRUE,
    order_of,
    pasted,
    released,
)
from tests.app.edits import edits_of, write_evidence


@pytest.fixture(autouse=True)
def short_reports(monkeypatch):
    """Reports that hold nothing but the number of the evidence: real ones are slow."""
    for name in ("report_html", "report_pdf"):
        monkeypatch.setattr(
            counts_report, name, lambda e: f"<p>{digest_of(e)}".encode()
        )


def noisy(folder):
    tables = pasted(TRUE, "characteristics"), pasted(SHARES, "shares")
    return released(folder, order_of(*tables, rule=RULES["keyed"])).folder


def masked(folder):
    facts = {"exact": 1, "tight": 0, "narrowed": 0, "protected": 0, "because": "Known."}
    audit = AuditFacts(threshold=11, width=3, **facts)
    return released(folder, order_of(pasted(TABLE_1), rule=None, audit=audit)).folder


def reseal(folder: Path, fields: Any) -> Any:
    """Write evidence and reports as a forger would who knows the program."""
    try:
        stated = CountsEvidence.model_validate_json(json.dumps(fields), strict=True)
        content = f"<p>{digest_of(stated)}".encode()
        for name in REPORTS:
            (folder / name).write_bytes(content)
        for each in fields["files"]:
            if each["path"] in REPORTS:
                each["bytes"] = len(content)
                each["sha256"] = hashlib.sha256(content).hexdigest()
        stated = CountsEvidence.model_validate_json(json.dumps(fields), strict=True)
        fields = stated.model_dump(mode="json")
    except (ValueError, KeyError, TypeError, AttributeError):
        pass
    write_evidence(folder, fields)
    return fields


@pytest.mark.parametrize("make", [noisy, masked])
def test_every_field_and_list_is_noticed_or_listed(make, tmp_path):
    folder = shutil.copytree(make(tmp_path / "out"), tmp_path / "copy")
    whole = {path: path.read_bytes() for path in folder.iterdir()}
    evidence = json.loads((folder / "evidence.json").read_bytes())
    patterns = [e for some in unchecked(verify(folder).evidence).values() for e in some]
    found, unnoticed = {}, []
    for edit in edits_of(evidence):
        shape = ("*" if isinstance(step, int) else step for step in edit.place)
        found.setdefault((*shape, edit.kind), edit)
    for edit in found.values():
        if canonical_json(edit.of(evidence)) == canonical_json(evidence):
            continue
        for path, content in whole.items():
            path.write_bytes(content)
        now = reseal(folder, edit.of(evidence))
        try:
            is_noticed = not verify(folder).ok
        except DeidError:
            is_noticed = True
        if now != evidence and not is_noticed:
            unnoticed.append(edit)
    assert len(found) > 200
    assert unnoticed
    assert [
        (each.place, each.kind)
        for each in unnoticed
        if not any(is_at(each.place, pattern) for pattern in patterns)
    ] == []


@pytest.mark.parametrize("make", [noisy, masked])
def test_a_part_that_is_gone_is_named(make, tmp_path):
    folder = make(tmp_path / "out")
    evidence = json.loads((folder / "evidence.json").read_bytes())
    assert "equations" in evidence["parts"]
    for name in evidence["parts"]:
        reseal(folder, {k: each for k, each in evidence.items() if k != name})
        failed = verify(folder).failed
        told = [each.params["part"] for each in failed if each.code == "part_stated"]
        assert told == [name]


def test_what_can_be_inferred_cannot_be_denied(tmp_path):
    """100 patients without 98 are 2, whatever the evidence says."""
    folder = masked(tmp_path / "out")
    evidence = json.loads((folder / "evidence.json").read_bytes())
    evidence["audit"].update(exact=0, protected=1, because="")
    reseal(folder, evidence)
    failed = {each.code for each in verify(folder).failed}
    assert "inferable_stated" in failed


def cross_table(chance, n_rows=2, n_columns=3):
    """Counts with totals of rows and columns, small ones masked; and the sums."""
    inside = [[chance.randint(0, 4) for _ in range(n_columns)] for _ in range(n_rows)]
    grid = [[*row, sum(row)] for row in inside]
    grid.append([sum(column) for column in zip(*grid, strict=True)])
    hidden = {
        (0, r, c)
        for r in range(n_rows)
        for c in range(n_columns)
        if 0 < grid[r][c] < 3 or chance.random() < 0.3
    }
    counts = {
        (0, r, c): None if (0, r, c) in hidden else n
        for r, row in enumerate(grid)
        for c, n in enumerate(row)
    }
    by_row = [
        [(0, r, n_columns), *((0, r, c) for c in range(n_columns))]
        for r in range(n_rows)
    ]
    by_column = [
        [(0, n_rows, c), *((0, r, c) for r in range(n_rows))] for c in range(n_columns)
    ]
    return counts, sorted(hidden), [*by_row, *by_column]


@pytest.mark.parametrize("seed", range(40))
def test_nothing_is_called_inferred_that_is_not(seed):
    """Against every table of counts from 0 to 13 that has the same sums."""
    counts, hidden, sums = cross_table(random.Random(seed))
    fits = []
    for values in itertools.product(range(14), repeat=len(hidden)):
        given = {**counts, **dict(zip(hidden, values, strict=True))}
        if all(given[w] == sum(given[p] for p in parts) for w, *parts in sums):
            fits.append(values)
        if len(hidden) > 5:
            break
    if len(hidden) > 5:
        pytest.skip("too many tables to try")
    spans = [max(column) - min(column) for column in zip(*fits, strict=True)]
    stated = CountsEvidence.model_construct(
        equations=tuple(
            type("Sum", (), {"form": "sum", "cells": tuple(each)}) for each in sums
        ),
        audit=AuditFacts(
            exact=0, tight=0, narrowed=0, protected=0, threshold=3, width=3
        ),
    )
    n_exact, n_tight = _inferred(stated, counts, hidden)
    assert n_exact == sum(span == 0 for span in spans)
    assert n_tight <= sum(span < 3 for span in spans)
