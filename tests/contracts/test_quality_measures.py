"""What every registered quality measure keeps to."""

import inspect

import numpy as np
import pytest

from deidgui.engine import quality
from deidgui.engine.data.class_table import classes_at
from deidgui.engine.parameters import parameters_of
from deidgui.engine.privacy import KAnonymity
from deidgui.engine.quality import QUALITY_MEASURES, TableFacts, figures_of
from deidgui.engine.search.profile import build_profile
from deidgui.engine.search.whole_lattice import search_lattice
from deidgui.errors import ConfigError
from tests.contracts.models import (
    degenerate_tables,
    invalid_values,
    modules_of,
    random_tables,
    some_of,
)
from tests.engine.search.cases import nodes_of, table_of

KINDS = list(QUALITY_MEASURES)
MEASURES = [measure for kind in KINDS for measure in some_of(kind)]
kinds = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.kind)
measures = pytest.mark.parametrize("measure", MEASURES, ids=repr)


@measures
def test_survives_json(measure):
    assert QUALITY_MEASURES.from_json(measure.to_json()) == measure


@kinds
def test_refuses_what_the_declaration_forbids(kind):
    for parameter in parameters_of(kind):
        for value in invalid_values(parameter):
            with pytest.raises(ConfigError):
                kind.from_params({parameter.name: value})
    with pytest.raises(ConfigError):
        kind.from_params({"no_such_parameter": 1})


@kinds
def test_needs_no_decision(kind):
    assert not any(parameter.required for parameter in parameters_of(kind))


@kinds
def test_says_what_it_is(kind):
    assert kind.title
    assert kind.sources
    assert "References" in inspect.getdoc(kind)
    sentence = kind().words()
    assert sentence.endswith(".")
    assert "\n" not in sentence
    for parameter in parameters_of(kind):
        assert parameter.label != parameter.name.replace("_", " ")
        assert parameter.sentence.endswith(".")


@measures
def test_says_how_columns_become_a_total_and_how_high_it_can_be(measure):
    """Everything lost is no 100 % of a total in which columns weigh less."""
    words = measure.total_words(np.array([1.0, 0.25]))
    assert bool(words) == hasattr(measure, "aggregate")
    if words and measure.unit == "share":
        most = {
            "sum": "125\u202f%",
            "arithmetic_mean": "62.5\u202f%",
            "geometric_mean": "58.1\u202f%",  # the root of 2 × 1.25, minus 1
            "maximum": "100\u202f%",
            "rank": "100\u202f%",
        }
        assert f"it would be {most[measure.aggregate]}." in words


def test_every_file_is_registered():
    registered = {kind.__module__ for kind in KINDS}
    assert registered == {module.__name__ for module in modules_of(quality)}


def test_kinds_are_unique_and_exported():
    assert len({kind.kind for kind in KINDS}) == len(KINDS)
    assert {kind.__name__ for kind in KINDS} <= set(quality.__all__)


@measures
def test_profile_and_classes_agree(measure):
    """The values of all nodes at once are those of each node alone."""
    weights = np.array([1.0, 0.5])
    for table, _ in random_tables(3):
        profile = build_profile(table, k_max=5, n_threads=1)
        nodes = np.arange(profile.lattice.n_nodes)
        for k in (1, 3, 5):
            figures = profile.figures(nodes, np.full(len(nodes), k))
            values = measure.values(figures)
            exact = measure.is_exact(figures)
            bounds = measure.scores(measure.bounds(figures), weights)
            for node, levels in enumerate(nodes_of(table)):
                classes = classes_at(table, levels)
                suppressed = classes.counts < k
                alone = measure.exact_values(profile.facts, classes, suppressed)
                if exact[node]:
                    assert values[node] == pytest.approx(alone, rel=1e-9, abs=1e-9)
                else:
                    assert (values[node] <= alone + 1e-9).all()
                score = measure.scores(alone[None, :], weights)[0]
                assert bounds[node].tolist() <= (score + 1e-9).tolist()


@measures
def test_bounds_never_fall_upwards(measure):
    """B.3: so that whole parts of the lattice can be left out."""
    weights = np.ones(2)
    for table, _ in random_tables(3):
        profile = build_profile(table, k_max=2, n_threads=1)
        nodes = np.arange(profile.lattice.n_nodes)
        figures = profile.figures(nodes, np.ones(len(nodes), np.int64))
        bounds = measure.scores(measure.bounds(figures), weights)
        for node in nodes:
            for successor in profile.lattice.successors(node):
                above = (bounds[successor] + 1e-9).tolist()
                assert bounds[node].tolist() <= above


@measures
def test_nothing_is_changed_by_measuring(measure):
    table, _ = next(random_tables(1))
    classes = classes_at(table, (1, 0))
    before = classes.counts.copy(), classes.groups.copy()
    suppressed = classes.counts < 3
    first = measure.exact_values(TableFacts(table), classes, suppressed)
    again = measure.exact_values(TableFacts(table), classes, suppressed)
    assert (first == again).all()
    assert (classes.counts == before[0]).all()
    assert (classes.groups == before[1]).all()


@measures
def test_order_of_rows_and_columns_does_not_matter(measure):
    table, rows = next(random_tables(1))
    swapped = table_of(table.hierarchies[::-1], [row[::-1] for row in rows[::-1]])
    results = [
        search_lattice(
            each, [KAnonymity(3)], 0.3, measure, {"x": 0.5, "y": 1.0}, n_threads=1
        )
        for each in (table, swapped)
    ]
    scores = [each.scores[each.optimum] for each in results]
    assert scores[0] == pytest.approx(scores[1])


@measures
def test_degenerate_tables(measure):
    for table in degenerate_tables():
        for limit in (0.0, 1.0):
            result = search_lattice(table, [KAnonymity(2)], limit, measure, n_threads=1)
            if result.optimum is not None:
                assert not np.isnan(result.scores[result.optimum]).any()


@measures
def test_figures_of_one_node_are_complete(measure):
    table, _ = next(random_tables(1))
    classes = classes_at(table, (0, 1))
    figures = figures_of(TableFacts(table), classes, classes.counts < 4)
    assert figures.n_nodes == 1
    values = measure.values(figures)
    assert values.shape in ((1, 1), (1, 2))
    assert measure.is_exact(figures).tolist() == [True]
