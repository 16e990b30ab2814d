"""Decisions on columns bring the hierarchies they need; figures are right."""

from __future__ import annotations

from pathlib import Path

import pytest

from deidgui.app import ops
from deidgui.app.hierarchies.deciding import columns_in_need, decide, role_change
from deidgui.app.project import HierarchyChoice
from deidgui.app.reading.columns import (
    check_column,
    likely_format,
    mark_table,
    summarise_columns,
)
from deidgui.app.reading.reading import propose_hierarchy
from deidgui.app.reading.shapes import shape_of
from deidgui.app.session import Kind
from deidgui.app.workspace import Workspace
from deidgui.engine.data.table import Column, LineIndex, Table
from deidgui.errors import ConfigError
from tests.qt.fakes import InlineExecutor

CSV = "id,age,born,code,note\n" + "".join(
    f"P{i:04d},{20 + i % 60},{i % 12 + 1:02d}/{i % 12 + 1:02d}/19{50 + i % 40},"
    f"{'K' if i % 3 else 'L'}{i % 9},{'x' if i else '?'}\n"
    for i in range(200)
)


def workspace_on(path: Path, text: str) -> Workspace:
    path.write_text(text)
    made = Workspace(lambda closure: closure(), executor=InlineExecutor())
    made.problem.connect(raised)
    made.open_data(path)
    return made


def raised(error, _lane):
    raise error


@pytest.fixture
def workspace(tmp_path):
    made = workspace_on(tmp_path / "patients.csv", CSV)
    yield made
    made.close()


def attribute(workspace, name):
    return workspace.session.project.attribute(name)


@pytest.mark.parametrize("name", ["id", "age", "born", "code", "note"])
def test_every_new_quasi_identifier_has_a_hierarchy(workspace, name):
    workspace.set_roles([name], "insensitive")
    workspace.set_roles([name], "quasi_identifier")
    assert attribute(workspace, name).hierarchy is not None
    assert attribute(workspace, name).confirmed
    assert workspace.session.current(Kind.CLASSES) is not None


def test_many_columns_are_one_decision(workspace):
    before = workspace.session.project
    workspace.set_roles(["id", "code", "note"], "quasi_identifier", "set role of 3")
    quasi = [each.name for each in workspace.session.project.quasi_identifiers]
    assert {"id", "code", "note"} <= set(quasi)
    assert workspace.session.undo_label == "set role of 3"
    workspace.session.undo()
    assert workspace.session.project == before


def test_many_values_are_proposed_for_by_a_job(tmp_path):
    rows = "".join(f"{i},{i % 7}\n" for i in range(5_000))
    workspace = workspace_on(tmp_path / "wide.csv", "number,day\n" + rows)
    lanes = []
    workspace.activity.connect(lambda activity: lanes.append(activity.lane))
    workspace.set_roles(["number"], "quasi_identifier")
    assert any(lane.startswith("propose") for lane in lanes)
    assert attribute(workspace, "number").hierarchy is not None
    workspace.close()


def test_a_later_decision_on_a_column_is_kept(workspace):
    snapshot = workspace.session.project
    wanted = {"code": role_change("quasi_identifier")}
    workspace.set_roles(["code"], "sensitive")
    later = workspace.session.project
    late = decide(wanted, {"code": HierarchyChoice(rule={})}, snapshot)
    assert late(later) == later


def test_another_type_gets_another_rule(workspace):
    workspace.set_roles(["age"], "quasi_identifier")
    as_number = attribute(workspace, "age").hierarchy
    change = {"kind": "category", "format": None, "topic": None}
    workspace.change_columns({"age": change}, "set type")
    assert attribute(workspace, "age").hierarchy != as_number
    assert attribute(workspace, "age").hierarchy is not None


def test_the_proposed_rule_follows_what_is_missing(workspace, tmp_path):
    """Nobody has touched it, and another one is proposed now."""
    path = tmp_path / "gender.csv"
    rows = "".join(f"{i},{'MFU'[i % 3]}\n" for i in range(90))
    path.write_text(f"id,gender\n{rows}")
    workspace.open_data(path)
    workspace.set_roles(["gender"], "quasi_identifier")
    assert attribute(workspace, "gender").hierarchy.rule["kind"] == "common_values"
    workspace.change_columns({"gender": {"missing": ("U",)}}, "missing")
    after = attribute(workspace, "gender")
    assert after.hierarchy.rule["kind"] == "flat"
    assert after.hierarchy == propose_hierarchy(workspace.session.loaded, after)
    # It is one decision with what is missing, and a rule that is set stays.
    workspace.session.undo()
    assert attribute(workspace, "gender").hierarchy.rule["kind"] == "common_values"
    rule = {"kind": "common_values", "keep": [2]}
    workspace.session.apply(ops.set_hierarchy("gender", rule, None), "rule")
    workspace.change_columns({"gender": {"missing": ("U",)}}, "missing")
    assert attribute(workspace, "gender").hierarchy.rule == rule


def test_a_hierarchy_made_by_hand_survives_another_type(workspace):
    choice = HierarchyChoice(csv="by_hand.csv")
    made = workspace.session.project.attribute("age").but(hierarchy=choice)
    assert (
        columns_in_need(
            workspace.session.project.but(attributes=(made,)),
            {"age": {"kind": "text"}},
        )
        == ()
    )


def test_a_direct_identifier_is_removed_unless_decided(workspace):
    workspace.set_roles(["note"], "direct_identifier")
    assert attribute(workspace, "note").treatment == "remove"
    workspace.set_roles(["note"], "insensitive")
    assert attribute(workspace, "note").treatment is None


def test_whose_rows_they_are_does_not_decide_what_becomes_of_the_column(workspace):
    session = workspace.session
    for name, before in (("id", "direct_identifier"), ("code", "insensitive")):
        session.amend(ops.change_attribute(name, role=before, confirmed=False))
        session.apply(ops.set_protection(name), "people")
        key = attribute(workspace, name)
        assert session.project.key == name
        assert (key.role, key.treatment) == ("direct_identifier", "remove")
        assert not key.confirmed
    # What a person has decided of it stays.
    session.apply(ops.set_role("id", "direct_identifier", "pseudonym"), "code it")
    session.apply(ops.set_protection("id"), "people")
    assert attribute(workspace, "id").treatment == "pseudonym"
    assert attribute(workspace, "id").confirmed
    # Who confirmed another role did not confirm this one.
    session.apply(ops.set_role("code", "sensitive"), "sensitive")
    session.apply(ops.set_protection("code"), "people")
    assert not attribute(workspace, "code").confirmed


def test_an_unknown_column_is_refused(workspace):
    before = workspace.session.project
    with pytest.raises(ConfigError) as caught:
        workspace.set_roles(["nobody"], "sensitive")
    assert caught.value.code == "attribute_unknown"
    assert workspace.session.project is before


def made_attribute(workspace, **changes):
    return attribute(workspace, "age").but(name="x", **changes)


def test_figures_of_a_column_are_counted(workspace):
    texts = ["1", "2", "2", "x", "", "NA", "7", "2"]
    table = Table("t.csv", (Column.from_texts("x", texts),), LineIndex(first=2))
    asked = made_attribute(workspace, kind="integer", format=None, missing=("", "NA"))
    figures = summarise_columns(table, (asked,))["x"]
    assert (figures.n_rows, figures.n_missing, figures.n_failing) == (8, 2, 1)
    assert (figures.n_values, figures.n_unique) == (4, 3)
    assert figures.top[0] == ("2", 3)
    assert sorted(figures.top[1:]) == [("1", 1), ("7", 1), ("x", 1)]
    assert figures.missing_share == 0.25


def test_shares_of_a_column_are_of_all_its_rows(workspace):
    texts = ["K", "K", "L", "?", "?", "?", "?", "?"]
    table = Table("t.csv", (Column.from_texts("x", texts),), LineIndex(first=2))
    asked = made_attribute(workspace, kind="text", missing=("", "?"))
    figures = summarise_columns(table, (asked,))["x"]
    assert figures.top[0] == ("K", 2)
    assert figures.spark.sentence.params == {"n_values": 2, "top_share": 2 / 8}


def test_failing_cells_are_named_by_line(workspace):
    texts = ["1", "x", "", "NA", "7", "x", "unknown"]
    table = Table("t.csv", (Column.from_texts("x", texts),), LineIndex(first=2))
    asked = made_attribute(workspace, kind="integer", format=None, missing=("", "NA"))
    check = check_column(table, asked)
    assert check.failing == ((3, 1, "x"), (7, 5, "x"), (8, 6, "unknown"))
    assert check.n_failing == 3
    assert check.n_by_token == {"": 1, "NA": 1}
    assert {"NA", "unknown"} <= {each.token for each in check.candidates}


@pytest.mark.parametrize(
    ("texts", "kind", "wanted"),
    [
        (["13.4.2019", "1.2.2020", ""], "date", "D.M.YYYY"),
        (["2019-04-13", "2020-02-01"], "date", "YYYY-MM-DD"),
        (["1,5", "2,25", "7,0"], "decimal", ","),
        (["1.5", "2.25"], "decimal", "."),
        (["1.5"], "integer", None),
        ([""], "date", "YYYY-MM-DD"),
    ],
)
def test_the_format_of_a_chosen_type_is_the_one_most_values_have(texts, kind, wanted):
    assert likely_format(Column.from_texts("x", texts), kind) == wanted


def test_only_columns_with_other_missing_texts_are_marked_anew(workspace):
    table = Table(
        "t.csv",
        (
            Column.from_texts("x", ["1", "NA", ""], missing=()),
            Column.from_texts("y", ["a", "b", "?"], missing=()),
        ),
    )
    x = made_attribute(workspace, missing=("", "NA", "absent"))
    y = x.but(name="y", missing=("",))
    marked = mark_table(table, (x, y))
    assert [column.n_missing for column in marked.columns] == [2, 0]
    again = mark_table(table, (x, y.but(missing=("?",))), marked)
    assert [column.n_missing for column in again.columns] == [2, 1]
    assert again.columns[0] is marked.columns[0]


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("FALSE", "AAAAA"),
        ("V3000", "A9999"),
        ("Ähm ß-Ω2", "Aaa a-A9"),
        ("山ª", "aa"),
    ],
)
def test_a_shape_tells_capital_letters_from_others(text, shape):
    column = Column.from_texts("x", [text])
    assert shape_of(column).shape == shape
