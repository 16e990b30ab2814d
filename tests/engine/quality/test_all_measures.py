"""Every measure of one node at once."""

import numpy as np
import pytest

from deidgui.engine.data.class_table import classes_at
from deidgui.engine.quality import (
    QUALITY_MEASURES,
    AverageClassSize,
    Loss,
    NormalizedAverageClassSize,
    TableFacts,
    every_loss,
)
from tests.engine.search.cases import hierarchy_of, table_of


@pytest.fixture(scope="module")
def classes():
    found = [hierarchy_of("x", [[0, 0, 1], [0] * 3]), hierarchy_of("y", [[0, 0]])]
    rows = [(0, 0), (0, 0), (1, 0), (2, 1), (2, 1), (2, 0)]
    return classes_at(table_of(found, rows), (1, 0))


def test_each_measure_once_with_its_own_value(classes):
    facts, weights = TableFacts(classes.class_table), np.array([1.0, 0.5])
    suppressed = classes.counts < 2
    found = every_loss(facts, classes, suppressed, weights)
    assert [each.measure.kind for each in found] == [
        kind.kind for kind in QUALITY_MEASURES
    ]
    for each in found:
        alone = each.measure.exact_values(facts, classes, suppressed)
        score = each.measure.scores(alone[None, :], weights)[0]
        assert each.values.tolist() == alone.tolist()
        assert each.score.tolist() == score.tolist()
        assert each.loss == score[0]


def test_the_guiding_measure_stands_first_with_its_parameters(classes):
    guiding = Loss("maximum", 0.2)
    found = every_loss(
        TableFacts(classes.class_table),
        classes,
        classes.counts < 2,
        np.ones(2),
        first=(guiding, NormalizedAverageClassSize(k=3)),
    )
    assert found[0].measure == guiding
    kinds = [each.measure.kind for each in found]
    assert len(set(kinds)) == len(kinds) == len(list(QUALITY_MEASURES))


def test_average_class_size_over_k(classes):
    """Sizes 3, 1 and 2 at this node; the single record is suppressed: 6 / 3 / 2."""
    facts, suppressed = TableFacts(classes.class_table), classes.counts < 2
    assert sorted(classes.counts.tolist()) == [1, 2, 3]
    found = NormalizedAverageClassSize(k=2).exact_values(facts, classes, suppressed)
    assert found.tolist() == [1.0]
    plain = AverageClassSize().exact_values(facts, classes, suppressed)
    assert plain.tolist() == [2.0]
