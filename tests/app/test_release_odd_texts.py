"""Texts that mean something else elsewhere are released, measured and verified."""

from __future__ import annotations

import csv
import hashlib
import json

import pytest

from deidgui.app.project import DialectChoice, Export, HierarchyChoice, Privacy
from deidgui.app.reading.reading import propose_project, read_input
from deidgui.app.reading.rereading import with_dialect
from deidgui.app.release import releasing
from deidgui.engine.evidence.verify import verify_release
from tests.answers import answered

FLAT = HierarchyChoice(rule={"kind": "flat"})


def release(folder, texts, **privacy):
    """Release two columns of texts as quasi-identifiers, kept as they are."""
    with (folder / "t.csv").open("w", newline="") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n")
        writer.writerows([["code", "sex"], *([text, "F"] for text in texts)])
    loaded = read_input(folder / "t.csv", dialect=DialectChoice())
    project = with_dialect(propose_project(loaded), header=True)
    project = project.but(
        attributes=[
            each.but(role="quasi_identifier", treatment=None, hierarchy=FLAT)
            for each in project.attributes
        ],
        privacy=Privacy(
            models=({"kind": "k_anonymity", "k": 2},), suppression_limit=0.4, **privacy
        ),
        export=Export(suppressed="stars", shuffle=False),
    )
    project = answered(project, loaded)
    return releasing.release(project, loaded, folder / "out", {}).folder


@pytest.mark.parametrize(
    "texts",
    [
        ["a", "a", "*", "*", "*", "b"],  # a star that is a value, and suppressed rows
        ["a\rb", "a\rb", "c\nd", "c\nd", 'e"f', 'e"f', "g,h", "g,h"],
        ["\ufeffa", "\ufeffa", "\u200bb", "\u200bb", "\u05e9", "\u05e9"],
        ["\u00e9", "\u00e9", "e\u0301", "e\u0301"],
        ["(not released)", "(not released)", "(no value)", "(no value)", "x"],
        ["=1+1", "=1+1", "-", "-", "+5", "+5"],
    ],
)
def test_odd_texts_are_released_and_verify(tmp_path, texts):
    folder = release(tmp_path, texts)
    assert verify_release(folder).ok
    with (folder / "t_released.csv").open(newline="") as file:
        rows = list(csv.reader(file))[1:]
    lone = {text for text in texts if texts.count(text) == 1}
    assert rows.count(["*", "*"]) == len(lone)
    n_kept = len({*texts} - lone | ({"*"} if lone else set()))
    assert len({row[0] for row in rows}) == n_kept


def test_wildcards_make_uniques_fewer_than_classes_of_one(tmp_path):
    texts = ["a", "a", "", "", "", "b"]
    folder = release(tmp_path, texts, missing_matches="anything")
    assert verify_release(folder).ok


def test_a_label_made_up_is_found_whatever_was_measured(tmp_path):
    folder = release(tmp_path, ["a", "a", "b", "b"])
    table = folder / "t_released.csv"
    table.write_text(table.read_text().replace("a,F", "zz,F"))
    evidence = json.loads((folder / "evidence.json").read_text())
    content = table.read_bytes()
    evidence["outputs"][0]["bytes"] = len(content)
    evidence["outputs"][0]["sha256"] = hashlib.sha256(content).hexdigest()
    (folder / "evidence.json").write_text(json.dumps(evidence))
    found = verify_release(folder)
    assert "labels_in_mapping" in [check.code for check in found.failed]
