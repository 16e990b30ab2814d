"""Does a rule become the hierarchy of a column, and does one fit another file?"""

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidgui.app.determination.recipients import RECIPIENTS
from deidgui.engine.data.code_lists import classification
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.data.hierarchy_build import (
    NO_VALUE,
    build_hierarchy,
    fit_hierarchy,
)
from deidgui.engine.data.table import Column, Table
from deidgui.engine.data.templates import (
    CommonValues,
    Flat,
    Icd9,
    Intervals,
    Quantiles,
    Template,
    ZipCodes,
)
from deidgui.engine.data.templates.common import OTHERS, SHARED
from deidgui.errors import InputError
from tests.shared import shared


def column(texts, missing=("",)):
    return Column.from_texts("x", texts, missing)


def test_missing_values_get_one_leaf_named_by_their_usual_text():
    ages = column(["30", "?", "?", "", "41"], missing=("", "?"))
    hierarchy = build_hierarchy(ages, Intervals())
    assert hierarchy.missing_leaf is not None
    row = hierarchy.grid()[hierarchy.missing_leaf]
    assert row == ("?", "?", "?", "?", "*")
    assert "" not in hierarchy.index
    assert hierarchy.rule == Intervals()


def test_a_missing_text_that_means_a_group_is_written_as_no_value():
    zips = column(["37212", "03601", "000", "000"], missing=("000",))
    hierarchy = build_hierarchy(zips, ZipCodes())
    assert hierarchy.grid()[hierarchy.missing_leaf] == ("000", *[NO_VALUE] * 3, "*")


def test_texts_that_mean_no_value_but_do_not_occur_get_no_leaf():
    present = Column("x", np.zeros(2, np.int32), column(["1", ""]).values[1:])
    assert build_hierarchy(present, Flat()).missing_leaf is None


def test_a_column_without_any_value_has_the_missing_leaf_only():
    hierarchy = build_hierarchy(column(["", ""]), Intervals())
    assert hierarchy.grid() == [("", "", "", "", "*")]


def test_refusals_name_the_column():
    with pytest.raises(InputError) as caught:
        build_hierarchy(column(["a", "b"]), Intervals())
    assert caught.value.code == "template_value"
    assert caught.value.params == {
        "attribute": "x",
        "template": "intervals",
        "n_values": 2,
    }
    with pytest.raises(InputError) as caught:
        build_hierarchy(column([]), Flat())
    assert caught.value.code == "hierarchy_empty"


def test_quantiles_balance_records_not_values():
    texts = ["1"] * 50 + ["2"] * 25 + [str(n) for n in range(3, 28)]
    hierarchy = build_hierarchy(column(texts), Quantiles(groups=2, factors=()))
    assert hierarchy.levels[1].labels == ("<2", "2+")


def shown(table: Table, template: Template) -> set[str]:
    first = table.columns[0].with_missing(("",))
    return set(build_hierarchy(first, template).levels[1].labels)


def test_what_one_person_has_in_many_rows_is_no_common_number():
    """In rows 37 is common; in people one has it, and no label may tell of it."""
    values = ["36"] * 20 + ["37"] * 40
    whose = [f"p{n}" for n in range(20)] + ["p0"] * 40
    table = Table("t", (column(values), Column.from_texts("who", whose, missing=("",))))
    template = Quantiles(groups=3, factors=(), whole=False)
    assert any("37" in label for label in shown(table, template))
    of_people = table.of_people("who")
    assert not any("37" in label for label in shown(of_people, template))
    more = column([*values, "1"]), Column.from_texts("who", [*whose, "p1"])
    common = CommonValues((2,))
    assert shown(Table("t", more), common) == {"37", OTHERS}
    assert shown(Table("t", more).of_people("who"), common) == {"36", OTHERS}


def test_labels_tell_no_number_of_fewer_than_the_strictest_usual_threshold_needs():
    risks = [each.highest_risk for each in RECIPIENTS if each.highest_risk]
    assert math.ceil(1 / min(risks)) <= SHARED


@given(
    st.lists(
        st.tuples(st.integers(0, 30), st.sampled_from("abcdefgh")),
        min_size=1,
        max_size=200,
    )
)
def test_people_of_every_value_as_plain_sets_count_them(pairs):
    table = Table(
        "t",
        (
            column([str(value) for value, _ in pairs]),
            Column.from_texts("who", [who for _, who in pairs]),
        ),
    ).of_people("who")
    counted = table.columns[0]
    for code, text in enumerate(counted.texts()):
        people = {who for value, who in pairs if str(value) == text}
        assert counted.holders[code] == len(people)
    assert table.of_people(None).columns[0].holders.tolist() == counted.counts.tolist()


@given(
    st.lists(st.integers(0, 99).map(str), min_size=1),
    st.lists(st.integers(0, 120).map(str) | st.just(""), min_size=1),
)
def test_a_rule_covers_values_never_seen(first, second):
    hierarchy = build_hierarchy(column(first), Intervals(top=90))
    fit = fit_hierarchy(hierarchy, column(second))
    assert fit.is_complete
    assert set(hierarchy.grid()) <= set(fit.hierarchy.grid())
    both = build_hierarchy(column(sorted({*first, *second})), Intervals(top=90))
    assert {row[1:] for row in fit.hierarchy.grid()} == {row[1:] for row in both.grid()}


def test_without_rule_gaps_are_named():
    hierarchy = Hierarchy.from_grid("x", [("a", "*"), ("b", "*")])
    fit = fit_hierarchy(hierarchy, column(["a", "c", "c", "d", ""]))
    assert not fit.is_complete
    assert fit.n_gap_records == 3
    assert fit.gap_codes.tolist() == [2, 3]
    assert fit.hierarchy.leaves == ("a", "b", "")
    assert fit.hierarchy.missing_leaf == 2


def test_the_missing_leaf_of_a_file_is_found_by_its_text():
    hierarchy = Hierarchy.from_grid("x", [("a", "k", "*"), ("?", "unknown", "*")])
    fit = fit_hierarchy(hierarchy, column(["a", "?", ""], missing=("", "?")))
    assert fit.is_complete
    assert fit.hierarchy.missing_leaf == 1
    assert fit.hierarchy.n_leaves == 2


def test_groups_edited_by_hand_win_over_the_rule():
    built = build_hierarchy(column(["1", "12"]), Intervals(width=5, factors=(2,)))
    edited = [("1", "0-4", "small", "*"), ("12", "10-14", "10-19", "*")]
    hierarchy = Hierarchy.from_grid("x", edited, rule=built.rule)
    fit = fit_hierarchy(hierarchy, column(["2", "13"]))
    assert fit.n_gap_records == 1  # "2": the rule says 0-9, the hand "small"
    assert fit.hierarchy.leaves == ("1", "12", "13")


def test_a_hierarchy_without_groups_fits_nothing():
    with pytest.raises(InputError) as caught:
        fit_hierarchy(Hierarchy.from_grid("x", [("a",)]), column(["a"]))
    assert caught.value.code == "hierarchy_flat"


def test_diagnoses_of_a_hospital_survey():
    survey = pl.read_csv(
        shared("data", "nhds2010", "nhds2010.csv.gz"),
        columns=["dx01"],
        infer_schema=False,
        empty_string_is_null=False,
    )
    distinct = survey["dx01"].unique().sort()
    unread = Icd9().unread(distinct.to_list())
    n_unread = survey["dx01"].is_in(unread).sum()
    # Every principal diagnosis of the survey has a category in the list.
    assert n_unread == 0
    codes = classification("icd9cm")
    found = [text for text in distinct if codes.normal(text) in codes.ccs_of]
    share = survey["dx01"].is_in(found).sum() / len(survey)
    assert share > 0.99
