"""A column that is kept in full, of which suppression leaves a part only."""

from __future__ import annotations

import json

import pytest

from deidgui.app import ops
from deidgui.app.project import Chosen, Export, HierarchyChoice, Privacy
from deidgui.app.reading.reading import propose_project, read_input
from deidgui.app.release.releasing import release
from deidgui.app.release.verifying import verify
from deidgui.app.report.contents import report_of
from tests.answers import answered

FLAT = HierarchyChoice(rule={"kind": "flat"})
WORDS = "1 value is suppressed altogether; all released records have the same value"


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """Only 3 of 120 stays ended on the same day: all of them are suppressed."""
    folder = tmp_path_factory.mktemp("lost")
    rows = [
        ("FM"[n % 2], "TRUE" if n < 3 else "FALSE", str(n % 4 + 1) if n > 3 else "1")
        for n in range(120)
    ]
    lines = ["sex,same_day,ward", *map(",".join, rows)]
    (folder / "stays.csv").write_text("\n".join(lines) + "\n")
    loaded = read_input(folder / "stays.csv")
    project = ops.set_protection(None)(propose_project(loaded))
    for name in ("sex", "same_day", "ward"):
        project = ops.set_role(name, "quasi_identifier")(project)
        project = ops.set_hierarchy(name, FLAT.rule)(project)
    project = project.but(
        privacy=Privacy(
            models=({"kind": "k_anonymity", "k": 5},), suppression_limit=1.0
        ),
        export=Export(suppressed="left_out"),
        chosen=Chosen(levels={"sex": 0, "same_day": 0, "ward": 0}, suppress_below=5),
    )
    return release(answered(project, loaded), loaded, folder / "out", {})


def test_a_value_that_is_gone_is_told_where_its_column_is_called_kept(done):
    evidence = done.written.evidence
    facts = {each.name: (each.lost, each.is_constant) for each in evidence.attributes}
    assert facts == {"sex": (0, False), "same_day": (1, True), "ward": (0, False)}
    (words,) = done.measured.lost_words
    assert words.startswith("“same_day” is kept in full, but 1 value is suppressed")
    assert words.endswith("Suppressed with them: 3 of 120 records.")
    assert str(report_of(evidence)).count(f"kept in full, but {WORDS}") == 2
    assert verify(done.folder).ok


@pytest.mark.parametrize(("lost", "is_constant"), [(2, True), (1, False), (0, True)])
def test_whoever_states_other_values_is_found_out(done, lost, is_constant):
    path = done.folder / "evidence.json"
    kept = path.read_bytes()
    changed = json.loads(kept)
    (stated,) = (each for each in changed["attributes"] if each["name"] == "same_day")
    stated.update(lost=lost, is_constant=is_constant)
    path.write_text(json.dumps(changed), "utf-8")
    failed = {each.code for each in verify(done.folder).checks if not each.ok}
    path.write_bytes(kept)
    assert failed & {
        "policy_file",
        "attribute_fits",
        "policy_attributes",
        "attributes",
    }
