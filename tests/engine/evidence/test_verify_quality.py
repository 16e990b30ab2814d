"""Measures counted from the files equal the engine's, for any balance and policy."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from deidgui.app.release.writing import write_release
from deidgui.engine.data.class_table import classes_at
from deidgui.engine.evidence.verify_quality import MEASURES
from deidgui.engine.quality import QUALITY_MEASURES, TableFacts, scaled_weights
from tests.release_case import make_order

LEVELS = [
    {"age": 0, "sex": 0, "zip": 0},
    {"age": 1, "sex": 0, "zip": 1},
    {"age": 2, "sex": 1, "zip": 0},
]


def engine_quality(order, gs_factor, aggregate):
    """All measures as the evidence states them, by the code of the search."""
    table, policy = order.class_table, order.policy
    names = table.attributes
    node = classes_at(table, [policy.levels[name] for name in names])
    suppressed = node.counts < policy.suppress_below
    facts = TableFacts(table)
    weights = scaled_weights(
        names, {a.name: a.weight for a in order.project.quasi_identifiers}
    )
    found = {}
    for kind in QUALITY_MEASURES:
        fields = kind.__dataclass_fields__
        given = {"gs_factor": gs_factor, "aggregate": aggregate}
        measure = kind(**{name: given[name] for name in given if name in fields})
        values = measure.exact_values(facts, node, suppressed)
        by_attribute = {}
        if len(values) == len(names):
            by_attribute = dict(zip(names, map(float, values), strict=True))
        params = measure.to_json()
        found[params.pop("kind")] = {
            **params,
            "value": float(measure.scores(values[None, :], weights)[0, 0]),
            "by_attribute": by_attribute,
        }
    return {k: v for k, v in found.items() if np.isfinite(v["value"])}


@pytest.mark.parametrize("levels", LEVELS)
@pytest.mark.parametrize(
    ("gs_factor", "aggregate", "weight"),
    [
        (0.5, "geometric_mean", 0.5),
        (0.2, "arithmetic_mean", 1.0),
        (0.9, "sum", 0.1),
        (1.0, "maximum", 0.0),
    ],
)
def test_measured_again(tmp_path, levels, gs_factor, aggregate, weight):
    order = make_order(tmp_path, levels, below=4)
    attributes = tuple(
        a.but(weight=weight) if a.name == "zip" else a for a in order.project.attributes
    )
    order = replace(order, project=order.project.but(attributes=attributes))
    quality = engine_quality(order, gs_factor, aggregate)
    order = replace(order, figures=replace(order.figures, quality=quality))
    made = write_release(tmp_path / "out", order).verification
    assert made.failed == ()
    checked = {c.params["measure"] for c in made.checks if c.code == "quality"}
    expected = set(MEASURES) & set(quality)
    if gs_factor < 0.5 and order.applied.classes.n_suppressed:
        # The generalized values of suppressed records count, and no file tells them.
        expected -= {"loss"}
    if order.applied.classes.n_suppressed:
        expected -= {"monotone_discernibility"}  # so do sizes of suppressed classes
    assert checked == expected
    assert set(made.unmeasured) == set(quality) - expected
