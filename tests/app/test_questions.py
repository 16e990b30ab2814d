"""What is asked about the table that is about to be written, by brute force."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from types import SimpleNamespace

import pytest

from deidgui.app import ops
from deidgui.app.classes import build_classes
from deidgui.app.policies.lattice.storing import lattice_rounds
from deidgui.app.project import Answer, Chosen, Export, HierarchyChoice, Privacy
from deidgui.app.reading.reading import propose_project, read_input
from deidgui.app.release.questions import answer_to, is_stale, questions_of
from deidgui.app.release.releasing import check_answers, findings_of, release
from deidgui.app.stated import accepted_risk
from deidgui.engine.data.table import Column
from deidgui.engine.detect.texts import identifiers_inside
from deidgui.errors import ConfigError, ProblemsError

FLAT = HierarchyChoice(rule={"kind": "flat"})
N = 120


def people(seed=1):
    chance = random.Random(seed)
    return [
        {
            "sex": chance.choice("FM"),
            "ward": chance.choice("abc"),
            "ssn": f"{chance.randrange(100, 665)}-{n % 90 + 10}-{n + 1000}",
            "illness": chance.choice(["flu", "gout", ""]) if n % 3 else "flu",
            "cost": f"{chance.random():.6f}",
            "kind": chance.choice("xyz"),
        }
        for n in range(N)
    ]


ROLES = {"sex": "quasi_identifier", "ward": "quasi_identifier", "illness": "sensitive"}


@pytest.fixture
def case(tmp_path):
    """Project, file and records; every role set by a person."""
    records = people()
    lines = [",".join(records[0]), *(",".join(each.values()) for each in records)]
    (tmp_path / "people.csv").write_text("\n".join(lines) + "\n")
    loaded = read_input(tmp_path / "people.csv")
    project = ops.set_protection(None)(propose_project(loaded))
    for name in records[0]:
        role = ROLES.get(name, "insensitive")
        project = ops.set_role(name, role)(project)
        if role == "quasi_identifier":
            project = ops.set_hierarchy(name, FLAT.rule)(project)
    project = project.but(
        privacy=Privacy(
            models=({"kind": "k_anonymity", "k": 2},), suppression_limit=1.0
        ),
        export=Export(suppressed="left_out"),
        chosen=Chosen(levels={"sex": 0, "ward": 0}, suppress_below=2),
    )
    return project, loaded, records


def asked(project, loaded):
    classes = build_classes(project, loaded.table, {})
    policy = lattice_rounds(project.chosen, project, classes)
    found = questions_of(
        project,
        classes,
        policy,
        findings_of(loaded),
        loaded.sha256,
        keys=loaded.inspection.keys,
    )
    return {each.name: each for each in found}


def disclosed_by_hand(records, names):
    """Records in classes that share one present illness, and these classes."""
    classes = defaultdict(list)
    for each in records:
        classes[tuple(each[name] for name in names)].append(each["illness"])
    alike = [c for c in classes.values() if len(c) > 1 and len(set(c)) == 1 and c[0]]
    return sum(map(len, alike)), len(alike)


def test_each_kind_of_question(case):
    project, loaded, _ = case
    found = asked(project, loaded)
    assert set(found) == {"ssn:identifier", "cost:unique"}
    assert "direct" in found["ssn:identifier"].words
    assert found["cost:unique"].params["n_unique"] == N
    # What is not released as it is, is not asked.
    masked = ops.set_role("ssn", "direct_identifier", "mask")(project)
    left_out = ops.set_included("cost", include=False)(masked)
    assert asked(left_out, loaded) == {}


def test_rows_taken_for_people_are_asked_about(case, tmp_path):
    """Two rows for each patient: their number is asked about, left out or not.

    PRIVACY: a class of k rows may be one of k / 2 people.
    """
    _, _, records = case
    for place, each in enumerate(records):
        each["patient_id"] = f"P{place // 2:04}"
        each["visit_id"] = f"V{place:05}"
    lines = [",".join(records[0]), *(",".join(each.values()) for each in records)]
    (tmp_path / "people.csv").write_text("\n".join(lines) + "\n")
    project, loaded, _ = case
    loaded = read_input(tmp_path / "people.csv")
    project = project.but(attributes=(*project.attributes, *_of(loaded, "patient_id")))
    found = asked(ops.set_protection(None)(project), loaded)
    assert found["patient_id:people"].params == {
        "column": "patient_id", "n_values": N // 2, "most": 2
    }  # fmt: skip
    left_out = ops.set_included("patient_id", include=False)(project)
    assert "patient_id:people" in asked(left_out, loaded)
    # Where people are protected there is nothing to ask, nor of one row for each.
    protected = ops.set_protection("patient_id")(project)
    assert "patient_id:people" not in asked(protected, loaded)
    assert not {name for name in found if name.startswith("visit_id")}


def _of(loaded, name):
    """The column as it is proposed, as what is left out."""
    (column,) = (e for e in propose_project(loaded).attributes if e.name == name)
    return (column.but(role="direct_identifier", treatment="mask", confirmed=True),)


def test_sensitive_values_in_several_spellings_are_asked_about(case, tmp_path):
    """A class of “flu” and “Flu” has two values for a privacy model, one illness."""
    _, _, records = case
    for place, each in enumerate(records):
        each["illness"] = ("flu", "Flu", "flu ", "gout")[place % 4]
    lines = [",".join(records[0]), *(",".join(each.values()) for each in records)]
    (tmp_path / "people.csv").write_text("\n".join(lines) + "\n")
    project, loaded, _ = case
    loaded = read_input(tmp_path / "people.csv")
    found = asked(project, loaded)
    assert found["illness:spelling"].params == {
        "column": "illness", "n_values": 4, "n_alike": 2
    }  # fmt: skip
    harmless = ops.set_role("illness", "insensitive")(project)
    assert "illness:spelling" not in asked(harmless, loaded)


@pytest.mark.parametrize("seed", range(5))
def test_homogeneous_classes_are_counted_as_by_hand(tmp_path, seed):
    records = people(seed)
    for each in records:
        if each["sex"] == "F" and each["ward"] != "a":
            each["illness"] = "gout" if each["ward"] == "b" else ""
    lines = [",".join(records[0]), *(",".join(each.values()) for each in records)]
    (tmp_path / "people.csv").write_text("\n".join(lines) + "\n")
    loaded = read_input(tmp_path / "people.csv")
    project = propose_project(loaded)
    for name in records[0]:
        project = ops.set_role(name, ROLES.get(name, "direct_identifier"))(project)
        if name in ("sex", "ward"):
            project = ops.set_hierarchy(name, FLAT.rule)(project)
    project = project.but(chosen=Chosen(levels={"sex": 0, "ward": 0}, suppress_below=2))
    (question,) = asked(project, loaded).values()
    n_records, n_classes = disclosed_by_hand(records, ("sex", "ward"))
    assert question.kind == "disclosed"
    assert question.params["n_records"] == n_records > 0
    assert question.params["n_classes"] == n_classes
    # A model for the column is the condition then.
    model = {"kind": "distinct_l_diversity", "attribute": "illness", "diversity": 2}
    protected = project.but(privacy=project.privacy.but(models=(model,)))
    classes = build_classes(protected, loaded.table, {})
    policy = lattice_rounds(protected.chosen, protected, classes)
    found = questions_of(protected, classes, policy, findings_of(loaded), loaded.sha256)
    assert found == ()


def test_what_only_one_persons_rows_hold_is_asked_for_however_often_it_stands(tmp_path):
    """Five rows of one person with a code of their own: nobody else has it."""
    chance = random.Random(3)
    lines = ["patient,sex,cost,kind"]
    for person in range(40):
        sex, cost = chance.choice("FM"), f"{chance.random() * 90:.6f}"
        lines += [f"P{person},{sex},{cost},x"] * 5
    (tmp_path / "stays.csv").write_text("\n".join(lines) + "\n")
    loaded = read_input(tmp_path / "stays.csv")
    project = propose_project(loaded)
    roles = {"sex": "quasi_identifier", "cost": "insensitive", "kind": "insensitive"}
    for name, role in roles.items():
        project = ops.set_role(name, role)(project)
    project = ops.set_hierarchy("sex", FLAT.rule)(project)
    project = project.but(
        privacy=Privacy(
            models=({"kind": "k_anonymity", "k": 2},), suppression_limit=1.0
        ),
        chosen=Chosen(levels={"sex": 0}, suppress_below=2),
    )
    by_rows = asked(ops.set_protection(None)(project), loaded)
    assert "cost:unique" not in by_rows
    of_people = asked(ops.set_protection("patient")(project), loaded)
    assert of_people["cost:unique"].params["n_unique"] == 40
    assert "40 of 40 people" in of_people["cost:unique"].words
    assert "kind:unique" not in of_people


def test_unanswered_questions_stop_the_release_all_at_once(case, tmp_path):
    project, loaded, _ = case
    with pytest.raises(ProblemsError) as caught:
        release(project, loaded, tmp_path / "out", {})
    codes = [(e.code, e.params["attribute"]) for e in caught.value.problems]
    assert codes == [("question_open", "ssn"), ("question_open", "cost")]
    assert not (tmp_path / "out").exists()
    for each in asked(project, loaded).values():
        given = Answer(
            column=each.column, kind=each.kind, because="Made up.", about=each.about
        )
        project = ops.answer(given)(project)
    evidence = release(project, loaded, tmp_path / "out", {}).written.evidence
    assert [(each.column, each.because) for each in evidence.questions] == [
        ("ssn", "Made up."),
        ("cost", "Made up."),
    ]


def test_an_answer_is_about_one_state_of_a_column(case):
    project, loaded, _ = case
    question = asked(project, loaded)["ssn:identifier"]
    given = Answer(
        column="ssn", kind="identifier", because="Made up.", about=question.about
    )
    project = ops.answer(given)(project)
    assert answer_to(project, question) == given
    other = ops.set_role("ssn", "sensitive")(project)
    again = asked(other, loaded)["ssn:identifier"]
    assert answer_to(other, again) is None
    assert is_stale(other, again)
    assert (
        answer_to(ops.take_back_answer("ssn", "identifier")(project), question) is None
    )


def test_roles_stop_the_release(case, tmp_path):
    project, loaded, _ = case
    unconfirmed = ops.change_attribute("kind", confirmed=False)(project)
    with pytest.raises(ConfigError) as caught:
        release(unconfirmed, loaded, tmp_path / "out", {})
    assert caught.value.code == "role_unconfirmed"
    undecided = ops.change_attribute("kind", role=None)(project)
    with pytest.raises(ConfigError) as caught:
        release(undecided, loaded, tmp_path / "out", {})
    assert caught.value.code == "role_missing"
    left_out = ops.set_included("kind", include=False)(unconfirmed)
    with pytest.raises(ProblemsError) as asked_only:
        release(left_out, loaded, tmp_path / "out", {})
    assert {e.code for e in asked_only.value.problems} == {"question_open"}


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("call 615-555-0123 before noon", "a telephone number"),
        ("seen by Dr. Novak", "a name with a title"),
        ("letter to Maria Garcia sent", "a first name beside a surname"),
        ("write to x.y@example.org", "an e-mail address"),
        ("no complaints at rest", None),
    ],
)
def test_identifiers_inside_texts(text, title):
    column = Column.from_texts("note", [text, "stable", "fine"])
    found = [each.title for each in identifiers_inside(column, "text")]
    assert (title in found) if title else (found == [])
    assert identifiers_inside(column, "integer") == ()


def test_records_alone_on_all_columns_together_are_asked_about(tmp_path):
    """No column asks by itself, and nearly every record is alone on all of them."""
    chance = random.Random(3)
    names = [f"dx{n}" for n in range(14)]
    records = [
        {
            "sex": chance.choice("FM"),
            **{each: chance.choice("abc") for each in names},
        }
        for _ in range(400)
    ]
    lines = [",".join(records[0]), *(",".join(each.values()) for each in records)]
    (tmp_path / "stays.csv").write_text("\n".join(lines) + "\n")
    loaded = read_input(tmp_path / "stays.csv")
    project = ops.set_protection(None)(propose_project(loaded))
    for name in records[0]:
        role = "quasi_identifier" if name == "sex" else "insensitive"
        project = ops.set_role(name, role)(project)
    project = ops.set_hierarchy("sex", FLAT.rule)(project).but(
        privacy=Privacy(
            models=({"kind": "k_anonymity", "k": 5},), suppression_limit=1.0
        ),
        chosen=Chosen(levels={"sex": 0}, suppress_below=5),
    )
    times = Counter(tuple(each.values()) for each in records)
    n_alone = sum(each == 1 for each in times.values())
    (question,) = asked(project, loaded).values()
    assert n_alone > 200
    assert question.name == "dx0:alone"
    assert question.params["n_alone"] == n_alone
    assert f"{n_alone} of 400 released records" in question.words
    assert "1 quasi-identifier together with 14 columns" in question.words
    # A reason is asked for all of them: all are named.
    assert question.words.endswith(f": {', '.join(names)}.")
    # Of a removed quasi-identifier nothing is released: it does not count.
    removed = ops.set_role("dx13", "quasi_identifier")(project)
    removed = ops.set_hierarchy("dx13", FLAT.rule)(removed).but(
        chosen=Chosen(levels={"sex": 0, "dx13": 1}, suppress_below=5)
    )
    (of_fewer,) = asked(removed, loaded).values()
    assert "1 quasi-identifier together with 13 columns" in of_fewer.words
    # What is released of all columns but one no longer tells most records apart.
    two = project
    for name in names[2:]:
        two = ops.set_included(name, include=False)(two)
    assert asked(two, loaded) == {}
    # An answer is kept in the project, and another set of columns asks anew.
    answer = Answer(column="dx0", kind="alone", because="Codes.", about=question.about)
    answered = ops.answer(answer)(project)
    assert answer_to(answered, question) is not None
    (again,) = asked(ops.set_included("dx4", include=False)(answered), loaded).values()
    assert is_stale(answered, again)
    with pytest.raises(ConfigError, match="question_open"):
        check_answers(project, (question,))
    stays = accepted_risk([question], None, None)
    assert stays.lines == (question.words,)


def test_what_is_listed_as_accepted_is_what_is_counted():
    kinds = ("identifier", "alone", "text", "rows", "disclosed")
    asked = [SimpleNamespace(kind=each, words=f"About {each}.") for each in kinds]
    found = accepted_risk(asked, None, None)
    assert found.words.startswith("5 questions")
    assert found.lines == tuple(each.words for each in asked)
    many = accepted_risk(asked * 3, None, None)
    assert many.words.startswith("15 questions")
    assert len(many.lines) == 9
    assert many.lines[-1] == "… and 7 more"
