"""Columns, pairs and classes of the data beside those of the release."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from deidgui.app.charts.base import BarChart, Histogram
from deidgui.app.measuring import comparing
from deidgui.app.measuring.measuring import QualityFigure
from deidgui.engine.quality import Height, Loss
from deidgui.engine.transform.apply import apply_policy
from tests.explored_case import cells, make_case


@pytest.fixture(scope="module")
def case():
    return make_case()


@pytest.fixture(scope="module")
def comparison(case):
    return comparing.compare(case.project, case.classes, case.measured.policy)


@pytest.fixture(scope="module")
def released(case):
    """Released texts by column, suppressed records left out."""
    table = apply_policy(
        case.classes.table,
        case.classes.class_table,
        case.measured.policy,
        {"diagnosis": "keep", "note": "keep"},
        spreadsheet_safe=False,
    )
    rows = np.flatnonzero(~table.suppressed)
    return {
        column.attribute: table.texts(column, rows).to_list()
        for column in table.columns
    }


def texts(coded):
    return [coded.labels[code] for code in coded.codes.tolist()]


def test_quasi_identifiers_come_first_and_identifiers_not_at_all(comparison):
    assert comparison.names == ("age", "sex", "zip", "diagnosis", "note")


def test_which_columns_are_compared_is_said_where_not_all_are(
    case, comparison, monkeypatch
):
    assert comparison.words == ""
    monkeypatch.setattr(comparing, "MOST_COLUMNS", 2)
    few = comparing.compare(case.project, case.classes, case.measured.policy)
    assert few.names == ("age", "sex")
    assert few.words.startswith("2 of 5 released columns are shown")
    assert "at most 2" in few.words
    assert few.offered == comparison.names


def test_other_columns_are_compared_where_they_are_chosen(
    case, comparison, monkeypatch
):
    monkeypatch.setattr(comparing, "MOST_COLUMNS", 2)
    decided = case.project, case.classes, case.measured.policy
    chosen = comparing.compare(*decided, ("gone", "note", "zip"))
    assert chosen.names == ("zip", "note")
    assert chosen.words == "2 of 5 released columns are shown, as chosen here."
    places = [comparison.names.index(each) for each in chosen.names]
    of_all = comparison.associations_after[np.ix_(places, places)]
    assert np.array_equal(chosen.associations_after, of_all)
    assert comparing.compare(*decided, ("gone",)).names == ("age", "sex")


def test_columns_of_which_nothing_is_released_are_not_compared(case):
    classes, found = case.classes, case.found
    top = {name: each.height for name, each in classes.hierarchies.items()}
    row = found.node_of(dict.fromkeys(top, 0) | {"zip": top["zip"]})
    few = comparing.compare(case.project, classes, found.policy(row))
    assert few.names == ("age", "sex", "diagnosis", "note")
    assert (few.n_released, few.words) == (4, "")
    nothing = comparing.compare(case.project, classes, found.policy(found.node_of(top)))
    assert nothing.names == ("diagnosis", "note")


def test_after_holds_the_released_records(case, comparison, released):
    n_kept = case.measured.n_records - case.measured.n_suppressed
    for name, coded in zip(comparison.names, comparison.after, strict=True):
        assert len(coded.codes) == n_kept
        expected = [text or comparing.NO_VALUE for text in released[name]]
        assert Counter(texts(coded)) == Counter(expected)


def test_associations_are_symmetric_shares(comparison):
    for matrix in (comparison.associations_before, comparison.associations_after):
        assert (matrix == matrix.T).all()
        assert ((matrix >= 0) & (matrix <= 1)).all()
    before, after = comparison.association_maps()
    assert not before.is_empty
    assert not after.is_empty


def test_cross_tables_count_records(case, comparison):
    before, after = comparison.cross_tables("sex", "diagnosis")
    assert before.values.sum() == case.measured.n_records
    assert after.values.sum() == case.measured.n_records - case.measured.n_suppressed
    assert before.column_labels == after.column_labels  # diagnosis is kept
    assert before.highest == after.highest


def test_distribution_of_a_quasi_identifier_spreads_its_groups(case, comparison):
    chart = comparison.distribution("age")
    assert isinstance(chart, Histogram)
    before, after = (series.values for series in chart.series)
    ages = cells(case.classes.table, "age")
    assert before.sum() == sum(bool(age) for age in ages)
    assert after.sum() <= before.sum()


def test_distribution_of_other_columns_shows_what_was_suppressed(comparison, released):
    chart = comparison.distribution("diagnosis")
    assert isinstance(chart, BarChart)
    after = dict(zip(chart.categories, chart.series[1].values, strict=True))
    assert after == Counter(released["diagnosis"])


def test_riskiest_classes_of_the_input_are_its_smallest(case):
    found = comparing.riskiest_classes(case.classes, None)
    assert found.n_classes == case.classes.class_table.n_classes
    table = case.classes.table
    columns = [cells(table, name) for name in ("age", "sex", "zip")]
    sizes = sorted(Counter(zip(*columns, strict=True)).values())
    shown = cells(found.table, "Records alike")
    assert [int(text) for text in shown] == sizes[: len(shown)]
    assert found.table.column_names[2:] == ("age", "sex", "zip")


def test_riskiest_classes_of_the_release_leave_suppressed_ones_out(case, released):
    found = comparing.riskiest_classes(case.classes, case.measured.policy)
    columns = [released[name] for name in ("age", "sex", "zip")]
    sizes = sorted(Counter(zip(*columns, strict=True)).values())
    shown = [int(text) for text in cells(found.table, "Records alike")]
    assert shown == sizes[: len(shown)]
    assert min(shown) >= case.measured.policy.suppress_below
    assert found.notes == ()


def test_what_others_are_is_said_with_the_classes(case):
    policy = case.measured.policy
    first, *rest = policy.maps
    joined = replace(first, labels=("(others)", *first.labels[1:]))
    found = comparing.riskiest_classes(
        case.classes, replace(policy, maps=(joined, *rest))
    )
    assert found.notes == (
        "“(others)”: all values that are not among the most common ones.",
    )


def test_a_column_that_is_called_like_ours_is_no_problem():
    assert comparing._free("risk", ("risk", "risk *")) == "risk * *"


@pytest.mark.parametrize("measure", [Loss(), Height()])
def test_loss_by_column_names_the_most_and_the_least(measure):
    figure = QualityFigure(measure, 0.5, {"age": 0.25, "sex": 0.0, "zip": 1.0})
    chart = comparing.loss_by_column(figure)
    assert chart.categories == ("age", "sex", "zip")
    said = chart.sentence.text()
    assert said.startswith("Most is lost of zip (1")
    assert "least of sex (0" in said
    # Of several that lose as much none is named alone.
    tied = {"age": 0.25, "sex": 0.0, "zip": 1.0, "town": 1.0, "day": 0.0}
    said = comparing.loss_by_column(QualityFigure(measure, 0.5, tied)).sentence.text()
    assert "zip and town (" in said
    assert "sex and day (" in said


def test_loss_by_column_names_all_that_lose_the_same():
    def said(**by_column):
        figure = QualityFigure(Loss(), 0.5, by_column)
        return comparing.loss_by_column(figure).sentence.text()

    # A sum of shares in another order differs in the last digit.
    least = {"race": 0.1 + 0.2, "gender": 0.3}
    three = dict.fromkeys("abc", 0.0)
    assert "least of a, b and c (0" in said(**three, age=0.5)
    assert "least of race and gender (30\u202f%)" in said(**least, age=0.5)
    assert "lost of age (50\u202f%)" in said(**least, age=0.5)
    assert said(**least) == "The same for all columns: 30\u202f%."
    many = dict.fromkeys("abcdef", 0.0)
    assert "least of a, b, c, d and 2 more (0" in said(**many, age=0.5)


def test_measures_of_the_whole_table_have_no_columns():
    figure = QualityFigure(Loss(), 0.5, {})
    assert comparing.loss_by_column(figure).is_empty
