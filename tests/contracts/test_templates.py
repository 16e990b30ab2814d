"""What every registered hierarchy template keeps to."""

import inspect
import random

import numpy as np
import pytest

from deidgui.engine.data import templates as package
from deidgui.engine.data.hierarchy import SUPPRESSED
from deidgui.engine.data.hierarchy_build import build_hierarchy, fit_hierarchy
from deidgui.engine.data.table import Column
from deidgui.engine.data.templates import TEMPLATES
from deidgui.engine.parameters import parameters_of
from deidgui.errors import ConfigError, DeidError
from tests.contracts.models import invalid_values, modules_of

KINDS = list(TEMPLATES)
kinds = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.kind)

# Values that each rule can read, for the kinds whose values are no plain words. A new
# kind that reads none of `WORDS` gets its line here.
WORDS = ("apple", "berry", "cherry", "date")
NUMBERS = ("1", "2", "17", "18", "40", "64", "89", "90", "101")
READABLE = {
    "intervals": NUMBERS,
    "cut_points": NUMBERS,
    "ages": NUMBERS,
    "days_in_hospital": NUMBERS,
    "length_of_stay": NUMBERS,
    "days_since": NUMBERS,
    "quantiles": NUMBERS,
    "dates": ("1931-05-06", "1999-12-31", "2000-01-01", "2020-02-29"),
    "zip": ("37201", "37203", "38103", "00501"),
    "postcodes": ("10115", "80331", "SW1A 1AA"),
    "us_states": ("TN", "KY", "CA", "PR"),
    "icd9": ("250.00", "414.01", "V58", "486"),
    "icd10": ("E11.9", "I10", "J45.909", "C50.911"),
    "ccs": ("E11.9", "I10", "J45.909", "C50.911"),
}
UNREADABLE = {"intervals", "cut_points", "quantiles", "dates"} | {
    *("ages", "days_in_hospital", "length_of_stay", "days_since")
}
"""Rules that refuse a column of words; the others give words a group of their own."""


def some(kind):
    """An instance with nothing but what is required."""
    required = {"bounds": "10 50 | 50", "width": 10, "groups": 3}
    names = {each.name for each in parameters_of(kind) if each.required}
    return kind.from_params({name: required[name] for name in names})


def readable(kind):
    return READABLE.get(kind.kind, WORDS)


def column(texts, missing=("",)):
    return Column.from_texts("x", list(texts), missing=missing)


def labels_by_value(hierarchy):
    return {row[0]: row for row in hierarchy.grid()}


def built(given, kind):
    """The hierarchy, or the reason why there is none."""
    try:
        return build_hierarchy(given, some(kind)), None
    except DeidError as error:
        return None, error


def test_every_file_is_registered():
    declared = {module.__name__ for module in modules_of(package)}
    declared -= {f"{package.__name__}.{name}" for name in ("numbers", "day_bands")}
    assert {kind.__module__ for kind in KINDS} == declared


@kinds
def test_says_what_it_is(kind):
    assert kind.title
    assert kind.summary.endswith(".")
    assert inspect.getdoc(kind)
    for parameter in parameters_of(kind):
        assert parameter.label != parameter.name.replace("_", " ")
        assert parameter.sentence.endswith(".")


@kinds
def test_survives_json(kind):
    template = some(kind)
    assert TEMPLATES.from_json(template.to_json()) == template


@kinds
def test_refuses_what_the_declaration_forbids(kind):
    good = some(kind).to_json()
    del good["kind"]
    for parameter in parameters_of(kind):
        if parameter.type in (bool, str, tuple):
            bad = [7.5, None, {}] if not parameter.optional else [7.5, {}]
        else:
            bad = invalid_values(parameter)
        for value in bad:
            with pytest.raises(ConfigError):
                kind.from_params({**good, parameter.name: value})
    with pytest.raises(ConfigError):
        kind.from_params({**good, "no_such_parameter": 1})


@kinds
def test_is_a_hierarchy_of_as_many_levels_as_it_names(kind):
    template = some(kind)
    hierarchy = build_hierarchy(column(readable(kind)), template)
    assert hierarchy.height == len(template.level_names) - 1
    assert set(hierarchy.leaves) == set(readable(kind))
    for row in hierarchy.grid():
        assert row[-1] == SUPPRESSED
    # Whoever shares a group shares all coarser ones.
    grid = hierarchy.grid()
    for level in range(1, hierarchy.height):
        coarser = {}
        for row in grid:
            assert coarser.setdefault(row[level], row[level + 1]) == row[level + 1]


@kinds
def test_the_number_of_levels_follows_from_the_decisions_alone(kind):
    template = some(kind)
    for values in (readable(kind)[:1], readable(kind)[:2], readable(kind)):
        hierarchy = build_hierarchy(column(values), template)
        assert hierarchy.height == len(template.level_names) - 1


@kinds
def test_labels_do_not_depend_on_the_order_of_records(kind):
    texts = list(readable(kind)) * 5
    shuffled = texts.copy()
    random.Random(1).shuffle(shuffled)
    one, other = (
        build_hierarchy(column(each), some(kind)) for each in (texts, shuffled)
    )
    assert one.grid() == other.grid()


@kinds
def test_missing_values_have_a_leaf_of_their_own(kind):
    texts = [*readable(kind), "?", ""] * 2
    hierarchy = build_hierarchy(column(texts, missing=("", "?")), some(kind))
    rows = labels_by_value(hierarchy)
    tokens = {"", "?"} & set(rows)
    assert len(tokens) == 1
    (token,) = tokens
    for level in range(1, hierarchy.height):
        label = rows[token][level]
        assert [row[level] for row in rows.values()].count(label) == 1
    assert rows[token][-1] == SUPPRESSED


@kinds
def test_applies_to_values_never_seen(kind):
    values = readable(kind)
    seen, unseen = values[:-1], values
    template = some(kind)
    fit = fit_hierarchy(build_hierarchy(column(seen), template), column(unseen))
    assert fit.is_complete
    assert set(values) <= set(fit.hierarchy.leaves)
    assert fit.hierarchy.height == len(template.level_names) - 1


@kinds
@pytest.mark.parametrize(
    "texts",
    [
        *([], ["", ""], ["\x00"], ["'"], ["*"], ["*", "x"], ["=1+1", "\t"]),
        *(
            ["a" * 10_000],
            ["\u202e", "\ud7ff", "é", "e\u0301"],
            ["-0", "0", "+0", "00"],
        ),
        *(["9" * 400, "1e999", "nan", "inf"], ["0000-00-00", "9999-99-99"]),
    ],
    ids=lambda texts: ascii(texts)[:20],
)
def test_degenerate_columns_give_a_hierarchy_or_a_reason(kind, texts):
    given = column(texts)
    before = given.codes.copy()
    hierarchy, problem = built(given, kind)
    if hierarchy is None:
        assert problem.code in ("template_value", "hierarchy_empty")
        assert not any(len(value) > 1 and value in repr(problem) for value in texts)
    else:
        leaves = hierarchy.leaf_of_values(given)
        assert (np.asarray(leaves)[given.counts > 0] >= 0).all()
        assert all(row[-1] == SUPPRESSED for row in hierarchy.grid())
    assert (given.codes == before).all()


@kinds
def test_a_column_of_other_things_is_refused_or_grouped(kind):
    hierarchy, problem = built(column(WORDS), kind)
    assert (hierarchy is None) or kind.kind not in UNREADABLE
    if hierarchy is None:
        assert problem.code == "template_value"
        assert problem.params["attribute"] == "x"
        assert problem.params["n_values"] == len(WORDS)


@kinds
def test_progress_never_goes_back(kind):
    heard = []

    class Listener:
        def report(self, fraction, note=""):
            assert not any(value in note for value in readable(kind))
            heard.append(fraction)

    build_hierarchy(column(readable(kind)), some(kind), monitor=Listener())
    assert heard == sorted(heard)
    assert heard[-1] == 1.0
