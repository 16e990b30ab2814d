"""What outsiders may know of columns: proposed, said by people, measured, verified."""

from __future__ import annotations

import csv
import json
from collections import Counter, defaultdict
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.app import ops
from deidgui.app.deciding.context import principle_result, with_principle
from deidgui.app.determination.principle_words import principle_rows, reason_rows
from deidgui.app.determination.principles import (
    PROPOSALS,
    acceptable,
    accepted,
    asked_columns,
    open_columns,
    open_fields,
)
from deidgui.app.measuring.principles import distinguish_columns, principle_facts
from deidgui.app.project import Attribute, Project
from deidgui.app.reading.reading import propose_project, read_input
from deidgui.app.release.releasing import FinishedRelease, release
from deidgui.app.release.verifying import verify
from deidgui.app.report.contents import report_of
from deidgui.engine.data.people import People
from deidgui.engine.data.table import Column, Table
from deidgui.engine.detect.roles import Topic
from deidgui.engine.evidence.document import canonical_json
from deidgui.errors import ConfigError
from tests.answers import answered
from tests.app.test_criteria import QUASI, ROLES, decided_on, rows_of, write_patients

NAME, DAY = "N. N., statistician", "2026-11-23"


def columns(*kinds):
    """A project with a column of each (topic, role)."""
    return Project(
        attributes=[
            Attribute(name=f"c{n}", topic=topic, role=role)
            for n, (topic, role) in enumerate(kinds)
        ]
    )


def test_nothing_is_assumed():
    project = columns(("birth date", "quasi_identifier"), ("test result", "sensitive"))
    assert [open_fields(each) for each in open_columns(project)] == [
        ("replicability", "availability", "knowable_by", "by"),
        ("replicability", "availability", "knowable_by", "because", "by"),
    ]
    assert principle_result(project)["asked"] == 2


def test_direct_identifiers_and_columns_left_out_are_not_asked():
    project = columns(("name", "direct_identifier"), ("age", "quasi_identifier"))
    assert [each.name for each in asked_columns(project)] == ["c1"]
    assert not asked_columns(ops.set_included("c1", False)(project))


@pytest.mark.parametrize("topic", [Topic.BIRTH_DATE, Topic.ZIP, Topic.SEX])
def test_what_registers_have_is_proposed_as_high(topic):
    found = PROPOSALS[topic.value]
    said = (found.replicability, found.availability, found.knowable_by)
    assert said == ("high", "high", "anybody")
    # Nothing speaks for leaving such a column out of the quasi-identifiers.
    assert not found.because


def test_what_nobody_knows_the_meaning_of_has_no_proposal():
    assert not PROPOSALS.keys() & {Topic.CODE, Topic.NUMBER, Topic.FREE_TEXT}
    project = columns(("number", "insensitive"), (None, "sensitive"))
    assert acceptable(project) == ()
    assert ops.accept_principles(["c0", "c1"], NAME, DAY)(project) == project


def test_thirty_columns_are_accepted_at_once_and_what_was_said_stays():
    topics = ["birth date", "zip", "sex", "diagnosis", "test result"] * 6
    project = columns(*((topic, "sensitive") for topic in topics))
    project = ops.say_principles(["c3"], NAME, DAY, availability="high")(project)
    names = [each.name for each in project.attributes]
    assert len(acceptable(project)) == 29
    done = ops.accept_principles(names, NAME, DAY)(project)
    said = [each.principles for each in done.attributes]
    assert all(each.by == NAME and each.on == DAY for each in said)
    # Nobody signs for what another one has said of a column.
    again = ops.accept_principles(names, "Somebody else", DAY)(done)
    assert again == done
    assert said[3].availability == "high"
    assert [each.is_proposal for each in said] == [n != 3 for n in range(30)]
    # Why it is none is proposed only where something speaks for it.
    left = {each.name: open_fields(each) for each in open_columns(done)}
    assert left.pop("c3") == ("replicability", "knowable_by", "because")
    assert len(left) == 23
    assert set(left.values()) == {("because",)}


def test_a_quasi_identifier_needs_no_reason():
    attribute = accepted(
        Attribute(name="a", topic="test result", role="quasi_identifier"), NAME, DAY
    )
    assert attribute.principles.because == ""
    assert open_fields(attribute) == ()


def test_nobody_signs_a_reason_that_was_not_asked():
    project = columns(("race", "quasi_identifier"), ("test result", "sensitive"))
    say = ops.say_principles(["c0", "c1"], NAME, DAY, because="in the record only")
    project = say(project)
    assert project.attribute("c0").principles is None
    assert project.attribute("c1").principles.because == "in the record only"
    with pytest.raises(ConfigError) as refused:
        with_principle("c0", "because:x", NAME, DAY)(project)
    assert refused.value.code == "principle_not_asked"
    # A reason from before this was refused does not answer for another role.
    text = project.attribute("c1").model_dump()
    kept = Attribute(**{**text, "name": "c2", "role": "quasi_identifier"})
    assert kept.principles is None


@pytest.mark.parametrize(
    ("first", "second", "is_kept"),
    [
        ("sensitive", "insensitive", True),
        ("sensitive", "quasi_identifier", False),
        ("insensitive", "direct_identifier", False),
    ],
)
def test_a_reason_goes_with_the_role_that_asked_for_it(first, second, is_kept):
    project = columns(("race", first))
    said = dict.fromkeys(("replicability", "availability"), "low")
    said |= {"knowable_by": "nobody", "because": "in the record only"}
    project = ops.say_principles(["c0"], NAME, DAY, **said)(project)
    assert not open_columns(project)
    project = ops.set_role("c0", second)(project)
    project = ops.set_role("c0", "insensitive")(project)
    left = {each.name: open_fields(each) for each in open_columns(project)}
    assert left == ({} if is_kept else {"c0": ("because",)})
    assert project.attribute("c0").principles.availability == "low"


def test_what_is_said_is_signed_and_taken_back():
    project = columns(("zip", "quasi_identifier"))
    project = ops.accept_principles(["c0"], "A", "2026-01-01")(project)
    other = with_principle("c0", "availability:medium", "B", DAY)(project)
    said = other.attribute("c0").principles
    assert (said.availability, said.by, said.on) == ("medium", "B", DAY)
    assert not said.is_proposal
    # Saying the same again does not sign it for somebody else.
    same = ops.say_principles(["c0"], "C", DAY, availability="medium")
    assert same(other) == other
    for field in ("replicability", "availability", "knowable_by", "sources"):
        other = with_principle("c0", f"{field}:", "B", DAY)(other)
    assert other.attribute("c0").principles is None
    for wrong in ("availability:always", "colour:red", "x"):
        with pytest.raises(ConfigError):
            with_principle("c0", wrong, "B", DAY)


# -- how far columns tell people apart -------------------------------------------------

CELLS = st.lists(
    st.tuples(*[st.sampled_from(["a", "b", "c", "d", ""])] * 3, st.integers(0, 5)),
    min_size=1,
    max_size=14,
)


def table_of(names, rows):
    texts = zip(*rows, strict=True)
    made = (Column.from_texts(n, list(t)) for n, t in zip(names, texts, strict=True))
    return Table("t", tuple(made))


def alone(owners_of):
    """People who are alone in a group."""
    return {next(iter(each)) for each in owners_of.values() if len(each) == 1}


@settings(max_examples=80, deadline=None)
@given(CELLS, st.booleans())
def test_columns_distinguish_columns_what_counting_by_hand_finds(rows, by_people):
    names = ("p", "q", "s")
    project = Project(
        attributes=[
            Attribute(name="p", role="quasi_identifier"),
            Attribute(name="q", role="quasi_identifier"),
            Attribute(name="s", role="sensitive", missing=("", "d")),
        ]
    )
    cells = [(r[0], r[1], "" if r[2] == "d" else r[2]) for r in rows]
    table = table_of(names, [r[:3] for r in rows])
    owner = [r[3] for r in rows] if by_people else list(range(len(rows)))
    _, of_row = np.unique(owner, return_inverse=True)
    people = People(of_row.astype(np.int32), len(set(owner))) if by_people else None
    found = distinguish_columns(project, table, people)
    n = len(set(owner))

    def share(*places):
        owners = defaultdict(set)
        for row, who in zip(cells, owner, strict=True):
            owners[tuple(row[place] for place in places)].add(who)
        return len(alone(owners)) / n

    assert list(found) == list(names)
    for at, name in enumerate(names):
        each = found[name]
        assert each.alone == pytest.approx(share(at))
        pairs = [a[at] != b[at] for a, b in combinations(cells, 2)]
        apart = sum(pairs) / len(pairs) if pairs else 0.0
        assert each.separation == pytest.approx(apart)
        others = {names[o]: share(at, o) for o in (0, 1) if o != at}
        assert each.pair_alone == pytest.approx(max(others.values()))
        assert others[each.pair_with] == pytest.approx(each.pair_alone)


def test_too_many_pairs_are_not_looked_at(monkeypatch):
    monkeypatch.setattr("deidgui.app.measuring.principles.MOST_CELLS", 1)
    project = columns(("age", "quasi_identifier"), ("zip", "quasi_identifier"))
    table = table_of(("c0", "c1"), [("1", "2"), ("3", "4")])
    found = distinguish_columns(project, table)
    assert found["c0"].alone == 1
    assert found["c0"].pair_with is None


# -- released --------------------------------------------------------------------------


def judged(project: Project) -> Project:
    """All columns as proposed, and by a person where nothing is proposed."""
    project = ops.accept_principles(acceptable(project), NAME, DAY)(project)
    for each in open_columns(project):
        said = dict.fromkeys(("replicability", "availability"), "low")
        said |= {"knowable_by": "nobody", "because": "in no source with a name"}
        project = ops.say_principles([each.name], NAME, DAY, **said)(project)
    assert not open_columns(project)
    return project


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> FinishedRelease:
    folder = tmp_path_factory.mktemp("principles")
    project, loaded = decided_patients(folder)
    return release(answered(project, loaded), loaded, folder / "out", {})


def decided_patients(folder: Path, **changes):
    """Patients with k-anonymity 3, every column judged."""
    loaded = read_input(write_patients(folder / "patients.csv", 600))
    return judged(decided_on(propose_project(loaded))), loaded


def test_the_evidence_states_what_was_said_and_measured(done):
    evidence = done.written.evidence
    by_name = {each.attribute: each for each in evidence.principles}
    assert list(by_name) == [n for n in ROLES_IN_ORDER if ROLES[n] != DIRECT]
    year = by_name["birth_year"]
    assert (year.by, year.on, year.open) == (NAME, DAY, ())
    with (done.folder.parent / "patients.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    counts = Counter(row["birth_year"] for row in rows)
    assert year.input.alone == pytest.approx(sum(n == 1 for n in counts.values()) / 600)
    released = rows_of(done.folder, "patients_released.csv")
    assert [each.attribute for each in evidence.criteria.columns] == list(QUASI)
    for each in evidence.criteria.columns:
        counts = Counter(row[each.attribute] for row in released)
        n = len(released)
        assert each.alone == pytest.approx(sum(c == 1 for c in counts.values()) / n)
        alike = sum(c * (c - 1) for c in counts.values()) / (n * (n - 1))
        assert each.separation == pytest.approx(1 - alike)
    assert any(by_name["cost"].because in row for row in reason_rows([by_name["cost"]]))
    rows = principle_rows(evidence.principles)
    assert "OPEN" not in {cell for row in rows for cell in row}
    titles = [each.title for each in report_of(evidence).sections]
    assert "What outsiders may know of each column" in titles
    assert verify(done.folder).ok


ROLES_IN_ORDER = ("mrn", "sex", "birth_year", "region", "diagnosis", "cost", "ward")
DIRECT = "direct_identifier"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("alone", 0.5),
        ("separation", 0.25),
        ("pair_alone", 0.75),
        ("pair_with", None),
        ("pair_with", "ward"),
        ("attribute", "ward"),
    ],
)
def test_verify_notices_other_figures_of_columns(done, field, value):
    path = done.folder / "evidence.json"
    before = path.read_bytes()
    evidence = json.loads(before)
    evidence["criteria"]["columns"][1][field] = value
    path.write_bytes(canonical_json(evidence))
    try:
        failed = {each.code for each in verify(done.folder).failed}
    finally:
        path.write_bytes(before)
    assert {each for each in failed if each.startswith("apart_")}


def test_said_of_nothing_states_nothing():
    project = columns(("zip", "quasi_identifier"))
    assert principle_facts(project, {}) == ()
