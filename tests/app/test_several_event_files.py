"""People with claims, drugs and laboratory values, from reading to a release."""

import hashlib
import json
from collections import Counter, defaultdict
from dataclasses import replace
from datetime import date

import pytest

from deidgui.app import ops
from deidgui.app.attacks.running import run_attacks
from deidgui.app.classes import build_classes
from deidgui.app.demands import link_problems
from deidgui.app.policies.longitudinal.events import events_of
from deidgui.app.policies.longitudinal.source import lattice_of_events
from deidgui.app.policies.source import LONGITUDINAL, source
from deidgui.app.preparation.preparing import prepared, proposed_params
from deidgui.app.project import EventsKnown, Project
from deidgui.app.reading.linking import (
    FurtherEvents,
    events_name,
    leave_out_orphans,
    link_files,
    propose_linked,
    read_project_input,
    with_events,
    without_last_events,
    without_link,
)
from deidgui.app.reading.reading import read_input
from deidgui.app.release.releasing import release
from deidgui.app.release.verifying import verify
from deidgui.app.storage.project_io import dump_project, parse_project
from deidgui.engine.evidence.document import canonical_json
from deidgui.engine.policy.policy import lattice_policy
from deidgui.engine.preparation.base import Secrets
from deidgui.engine.preparation.date_shift import ShiftDates
from deidgui.engine.preparation.days_since import DaysSinceFirst
from deidgui.engine.preparation.truncation import TruncateEvents
from deidgui.engine.privacy import DistinctLDiversity, KAnonymity
from deidgui.errors import ConfigError, InputError
from tests.answers import answered
from tests.app.test_linked import rows_of
from tests.linked_case import three_kinds, write_rows

QUASI = ("sex", "decade", "code", "place", "code (drugs)", "days", "status (labs)")
DATES = ("date", "date (drugs)", "date (labs)")
KNOWN = EventsKnown(
    power=2, diversity="entropy", threshold=0.5, limit=0.2, rule="large_sample"
)


def written_files(folder, tables):
    return {n: write_rows(folder / f"{n}.csv", rows) for n, rows in tables.items()}


def linked(files):
    read = {name: read_input(path) for name, path in files.items()}
    further = [
        FurtherEvents(read["drugs"], "person", "drugs"),
        FurtherEvents(read["labs"], "patient", "labs"),
    ]
    return read, link_files(read["claims"], read["people"], "person", "person", further)


def decided(project):
    steps = [
        *(ops.set_role(name, "quasi_identifier") for name in QUASI),
        *(ops.set_role(name, "insensitive") for name in (*DATES, "status")),
        ops.change_privacy(models=(KAnonymity(k=2),), suppression_limit=0.9),
        ops.change_threshold(recipient="researcher", at_risk=0.5, set_by="test"),
        ops.change_export(suppressed="left_out", shuffle_seed=3),
    ]
    for each in steps:
        project = each(project)
    for name in QUASI:
        project = ops.set_hierarchy(name, {"kind": "flat"})(project)
    return project


@pytest.fixture
def case(tmp_path):
    tables = three_kinds()
    read, loaded = linked(written_files(tmp_path, tables))
    project = propose_linked(read["claims"], loaded, "person", "person")
    return decided(project), loaded, tables


# -- the project -----------------------------------------------------------------------


def test_every_column_knows_its_table_and_clashes_are_named_by_it(case, tmp_path):
    project, loaded, tables = case
    of = {each.name: each.table for each in project.attributes}
    assert list(of) == [
        *("person", "sex", "decade", "status"),
        *("date", "code", "place"),
        *("date (drugs)", "code (drugs)", "days"),
        *("date (labs)", "status (labs)"),
    ]
    assert Counter(of.values()) == {"people": 4, "table": 3, "drugs": 3, "labs": 2}
    assert [each.table for each in project.links] == ["table", "drugs", "labs"]
    assert [each.column for each in project.links] == ["person", "person", "patient"]
    n_without = [each.n_without_events for each in project.links]
    for name, key, n in zip(
        ("claims", "drugs", "labs"),
        ("person", "person", "patient"),
        n_without,
        strict=True,
    ):
        having = {row[key] for row in tables[name]}
        assert n == len(tables["people"]) - len(having)
    assert parse_project(dump_project(project), "p.deid.json") == project
    others = {each.name: tmp_path / each.file for each in project.inputs[1:]}
    again = read_project_input(project, tmp_path / "claims.csv", others)
    assert again.fingerprint == loaded.fingerprint
    assert again.table.column_names == loaded.table.column_names
    del others["labs"]
    with pytest.raises(InputError, match="input_not_found"):
        read_project_input(project, tmp_path / "claims.csv", others)


def test_a_third_file_is_added_to_two_and_removed_again(tmp_path):
    files = written_files(tmp_path, three_kinds())
    read = {name: read_input(path) for name, path in files.items()}
    two = link_files(read["claims"], read["people"], "person", "person")
    project = decided_two = ops.set_role("code", "sensitive")(
        propose_linked(read["claims"], two, "person", "person")
    )
    name = events_name(read["drugs"], [each.name for each in project.inputs])
    assert name == "drugs"
    assert events_name(read["drugs"], ["drugs"]) == "drugs_2"
    assert (
        events_name(replace(read["drugs"], path=tmp_path / "2.csv"), []) == "events_2"
    )
    further = [FurtherEvents(read["drugs"], "person", name)]
    three = link_files(read["claims"], read["people"], "person", "person", further)
    project = with_events(three)(project)
    assert project.attribute("code").role == "sensitive"
    assert project.attribute("code (drugs)").table == "drugs"
    assert without_last_events(project) == decided_two
    assert without_link(project) == without_link(decided_two)
    with pytest.raises(ConfigError, match="no_further_events"):
        without_last_events(decided_two)


def test_a_project_is_refused_whose_tables_do_not_fit(case):
    project, *_ = case
    broken = json.loads(dump_project(project))
    for change in (
        lambda p: p["links"][1].update(table="table"),
        lambda p: p["links"][1].update(people_column="sex"),
        lambda p: p["links"][2].update(table="nowhere"),
        lambda p: p["attributes"][-1].update(table="nowhere"),
        lambda p: p["links"].pop(0),
    ):
        stored = json.loads(json.dumps(broken))
        change(stored)
        with pytest.raises(ValueError):
            Project.model_validate(stored)


def test_orphans_of_each_table_wait_for_a_decision(tmp_path):
    tables = three_kinds(40)
    tables["drugs"].append({**tables["drugs"][0], "person": "stranger"})
    tables["labs"].append({**tables["labs"][0], "patient": ""})
    read, loaded = linked(written_files(tmp_path, tables))
    project = propose_linked(read["claims"], loaded, "person", "person")
    found = [(each.n_orphans, each.n_keyless) for each in project.links]
    assert found == [(0, 0), (1, 0), (0, 1)]
    (problem,) = [e for e in link_problems(project) if e.code == "link_orphans"]
    assert (problem.params["n_orphans"], problem.params["n_keyless"]) == (1, 1)
    project = leave_out_orphans(table="drugs")(project)
    (problem,) = [e for e in link_problems(project) if e.code == "link_orphans"]
    assert (problem.params["n_orphans"], problem.params["n_keyless"]) == (0, 1)
    project = leave_out_orphans()(project)
    assert "link_orphans" not in [each.code for each in link_problems(project)]


# -- the release -----------------------------------------------------------------------


def shown(person, rows_by_table, collect=frozenset):
    """What everything that is released shows of a person, by quasi-identifiers."""
    own = tuple(person[name] for name in ("sex", "decade"))
    sets = []
    for rows, names in zip(
        rows_by_table,
        (("code", "place"), ("code (drugs)", "days"), ("status (labs)",)),
        strict=True,
    ):
        mine = [row for row in rows if row["person"] == person["person"]]
        sets.append(collect(tuple(row[name] for name in names) for row in mine))
    return own, tuple(sets)


def with_times(rows):
    return frozenset(Counter(rows).items())


def released_tables(folder):
    names = ("people", "claims", "drugs", "labs")
    return [rows_of(folder / f"{name}_released.csv") for name in names]


def test_all_tables_are_released_belong_together_and_are_verified(case, tmp_path):
    project, loaded, tables = case
    done = release(answered(project, loaded), loaded, tmp_path / "out", {})
    people, *events = released_tables(tmp_path / "out")
    evidence = done.written.evidence
    assert [each.name for each in evidence.outputs] == [
        *("table", "people", "table2", "table3")
    ]
    keys = [each["person"] for each in people]
    assert len(set(keys)) == len(keys)
    assert not set(keys) & {each["person"] for each in tables["people"]}
    for rows in events:
        assert {each["person"] for each in rows} <= set(keys)
    n_alone = len(set(keys) - {e["person"] for rows in events for e in rows})
    assert len(keys) == evidence.unit.people - evidence.unit.suppressed_people
    assert evidence.link.people_without_events >= n_alone
    # People by all that every table shows of them: k of the model, by plain sets.
    classes = Counter(shown(person, events) for person in people)
    assert min(classes.values()) >= 2
    assert sorted(evidence.class_sizes.after, key=str)
    assert evidence.risk.classes == len(classes)
    # Who also knows how many rows show the same knows it of each file.
    numbered = Counter(shown(person, events, with_times) for person in people)
    by_number = evidence.unit.rows_known[-1]
    assert by_number.known == "all_and_number"
    assert by_number.average == pytest.approx(len(numbered) / len(people))
    assert by_number.n_at_risk == sum(n for n in numbered.values() if 1 / n > 0.5)
    checked = verify(tmp_path / "out")
    assert checked.ok
    assert {"loss", "non_uniform_entropy"} & set(checked.unmeasured)
    # Rows are mixed: the order of the file of people is that of none of the others.
    for rows in events:
        first = list(dict.fromkeys(each["person"] for each in rows))
        assert first != [key for key in keys if key in set(first)]


def test_events_of_nobody_are_told_of_all_tables_together(tmp_path):
    tables = three_kinds()
    tables["drugs"].append({**tables["drugs"][0], "person": "stranger"})
    tables["labs"].append({**tables["labs"][0], "patient": ""})
    read, loaded = linked(written_files(tmp_path, tables))
    project = decided(propose_linked(read["claims"], loaded, "person", "person"))
    project = leave_out_orphans()(project)
    done = release(answered(project, loaded), loaded, tmp_path / "out", {})
    evidence = done.written.evidence
    assert (evidence.link.orphans, evidence.link.keyless) == (1, 1)
    (told,) = [each for each in evidence.warnings if "no person in" in each]
    assert "2 events" in told
    assert verify(tmp_path / "out").ok


def rewritten(folder, name, change):
    """A released file with other rows, and evidence that vouches for them."""
    path = folder / name
    rows = change(rows_of(path))
    header = list(rows[0])
    lines = [",".join(header), *(",".join(r[n] for n in header) for r in rows)]
    text = ("\r\n".join(lines) + "\r\n").encode()
    path.write_bytes(text)
    evidence = json.loads((folder / "evidence.json").read_text("utf-8"))
    for output in evidence["outputs"]:
        if output["path"] == name:
            output["bytes"], output["rows"] = len(text), len(rows)
            output["sha256"] = hashlib.sha256(text).hexdigest()
    (folder / "evidence.json").write_bytes(canonical_json(evidence))


@pytest.mark.parametrize(
    ("name", "change", "code"),
    [
        ("drugs", lambda rows: rows[1:], "rows"),
        (
            "labs",
            lambda rows: [{**rows[0], "person": "A" * 16}, *rows[1:]],
            "link_orphans",
        ),
        (
            "labs",
            lambda rows: [{**rows[0], "status (labs)": "x"}, *rows[1:]],
            "labels_in_mapping",
        ),
        ("people", lambda rows: rows[1:], "link_orphans"),
        (
            "drugs",
            lambda rows: [*rows[1:], {**rows[0], "person": rows[1]["person"]}],
            "distribution",
        ),
    ],
)
def test_a_change_in_any_file_is_noticed(case, tmp_path, name, change, code):
    project, loaded, _ = case
    release(answered(project, loaded), loaded, tmp_path / "out", {})
    rewritten(tmp_path / "out", f"{name}_released.csv", change)
    assert code in {each.code for each in verify(tmp_path / "out").failed}


def test_sensitive_values_count_in_their_own_table_alone(case, tmp_path):
    project, loaded, tables = case
    project = ops.set_role("status (labs)", "sensitive")(project)
    project = ops.change_privacy(
        models=(KAnonymity(k=2), DistinctLDiversity("status (labs)", 2))
    )(project)
    table = build_classes(project, loaded.table, {}).class_table
    found = table.sensitive["status (labs)"]
    total = Counter()
    for person in tables["people"]:
        mine = [e for e in tables["labs"] if e["patient"] == person["person"]]
        total.update({e["status"] for e in mine} or {""})
    counts = Counter()
    for code, n in zip(found.codes.tolist(), found.counts.tolist(), strict=True):
        counts[code] += n
    assert sorted(counts.values()) == sorted(total.values())
    done = release(answered(project, loaded), loaded, tmp_path / "out", {})
    assert done.written.verification.ok


# -- known events ----------------------------------------------------------------------


def test_lola_looks_at_the_attributes_of_all_tables_and_is_verified(case, tmp_path):
    project, loaded, tables = case
    project = ops.set_events(KNOWN)(project)
    classes = build_classes(project, loaded.table, {})
    events = events_of(project, classes)
    assert events.event_attributes == QUASI[2:]
    assert events.history.kinds.tolist() == [0, 0, 1, 1, 2]
    assert events.history.n_events == sum(
        len(tables[name]) for name in ("claims", "drugs", "labs")
    )
    found = source(LONGITUDINAL).run(project, classes)
    assert found.policies
    lattice = lattice_of_events(project, classes, events)
    assert len(lattice.maximum) == len(QUASI)
    done = release(answered(project, loaded), loaded, tmp_path / "out", {})
    unit = done.written.evidence.unit
    assert unit.events is not None
    assert set(unit.varying) == set(QUASI[2:])
    # The people at risk with everything known, by plain counting of the released files.
    people, *released = released_tables(tmp_path / "out")
    values = []
    for person in people:
        own = (person["sex"], person["decade"])
        counters = [
            Counter(r[name] for r in rows if r["person"] == person["person"])
            for rows, names in zip(
                released,
                (("code", "place"), ("code (drugs)", "days"), ("status (labs)",)),
                strict=True,
            )
            for name in names
        ]
        values.append((own, counters))
    at_risk = 0
    for own, counters in values:
        matches = sum(
            own == other and all(a <= b for a, b in zip(counters, others, strict=True))
            for other, others in values
        )
        at_risk += matches < unit.events.size
    assert unit.events.by_released.share <= at_risk / len(people) + 1e-9


def test_attacks_know_events_of_all_tables(case):
    project, loaded, tables = case
    project = ops.set_events(KNOWN)(project)
    project = ops.set_attacks(runs=100)(project)
    classes = build_classes(project, loaded.table, {})
    levels = dict.fromkeys(QUASI, 0)
    policy = lattice_policy(classes.class_table.hierarchies, levels, 1)
    found = run_attacks(project, classes, policy)
    assert found.known_of_events == QUASI[2:]
    done = {(each.variant, each.power): each for each in found.attacks}
    assert {variant for variant, _ in done} == {"inexact", "same_event", "ordered"}
    # Who has all values released finds people who are alike by nobody else's events.
    everything = Counter()
    keys = ("person", "person", "patient")
    names = (("code", "place"), ("code", "days"), ("status",))
    for person in tables["people"]:
        own = [person["sex"], person["decade"]]
        for table, key, columns in zip(tables_of(tables), keys, names, strict=True):
            mine = [row for row in table if row[key] == person["person"]]
            own += [tuple(sorted(row[name] for row in mine)) for name in columns]
        everything[tuple(own)] += 1
    n_alike = sum(n for n in everything.values() if n > 1)
    assert (
        done["inexact", 15].success <= 1 - n_alike / (2 * len(tables["people"])) + 0.2
    )
    for power in (2, 5, 10, 15):
        assert done["ordered", power].success >= done["inexact", power].success


def tables_of(tables):
    return [tables[name] for name in ("claims", "drugs", "labs")]


# -- preparation -----------------------------------------------------------------------


def made(project, loaded, *steps):
    project = project.but(preparation=steps)
    return project, prepared(project, loaded, {}, Secrets())


def days_of(table, name):
    column = table.column(name)
    return [column.text(row) for row in table.rows_of_kind(table.kind_of(column))]


def test_days_are_counted_from_the_first_event_of_all_tables(case):
    project, loaded, tables = case
    step = DaysSinceFirst(attribute="date", date_format="YYYY-MM-DD", others=DATES[1:])
    params = proposed_params(DaysSinceFirst, project, loaded)
    assert (params["attribute"], params["others"]) == (DATES[0], DATES[1:])
    _, after = made(project, loaded, step)
    first: dict[str, str] = defaultdict(lambda: "9999-12-31")
    keys = {"claims": "person", "drugs": "person", "labs": "patient"}
    for name, key in keys.items():
        for row in tables[name]:
            first[row[key]] = min(first[row[key]], row["date"])
    for (name, key), column in zip(keys.items(), DATES, strict=True):
        expected = [
            (date.fromisoformat(r["date"]) - date.fromisoformat(first[r[key]])).days
            for r in tables[name]
        ]
        assert [int(each) for each in days_of(after.table, column)] == expected
    assert "others" not in DaysSinceFirst("date", "YYYY-MM-DD").to_json()


def test_dates_of_all_tables_move_together(case):
    project, loaded, tables = case
    step = ShiftDates(attributes=DATES, date_format="YYYY-MM-DD", days=30, seed=1)
    _, after = made(project, loaded, step)
    moved = defaultdict(set)
    keys = {"claims": "person", "drugs": "person", "labs": "patient"}
    for (name, key), column in zip(keys.items(), DATES, strict=True):
        for row, text in zip(tables[name], days_of(after.table, column), strict=True):
            days = date.fromisoformat(text) - date.fromisoformat(row["date"])
            moved[row[key]].add(days.days)
    assert all(len(each) == 1 for each in moved.values())
    assert len({min(each) for each in moved.values()}) > 10


def test_truncation_is_of_one_table(case, tmp_path):
    project, loaded, tables = case
    of_drugs = TruncateEvents(share=0.5, columns=("code (drugs)", "days"))
    project, after = made(project, loaded, of_drugs)
    held = Counter(row["person"] for row in tables["drugs"])
    ordered = sorted(held.values())
    cut = ordered[-(-len(ordered) // 2) - 1]
    table = after.table
    assert len(table.rows_of_kind(1)) == sum(min(n, cut) for n in held.values())
    assert len(table.rows_of_kind(0)) == len(tables["claims"])
    assert len(table.rows_of_kind(2)) == len(tables["labs"])
    (effect,) = after.effects
    n_events = sum(len(tables[name]) for name in ("claims", "drugs", "labs"))
    assert effect.rows_before == n_events
    done = release(answered(project, after), after, tmp_path / "out", {})
    (step,) = done.written.evidence.preparation
    assert (step.checked.table, step.checked.most_events) == ("table2", cut)
    assert verify(tmp_path / "out").ok
    both = TruncateEvents(share=0.5, columns=("code", "days"))
    with pytest.raises(ConfigError, match="step_of_one_table"):
        made(project, loaded, both)
