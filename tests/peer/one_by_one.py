"""Which classes the peer suppresses for models that judge the release as a whole.

Like this program it suppresses the smallest classes one by one until the model holds
(methods.md B.6), but equally small ones in the order of their own loss, then of their
first row. So the peer's figures are those of its own order, which is followed here.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from deidgui.engine.arrays import BoolArray, FloatArray, IntArray
from deidgui.engine.data.class_table import EquivalenceClasses
from deidgui.engine.quality import Loss, QualityMeasure
from deidgui.engine.risk.uniqueness import SMALL_FRACTION
from tests.peer.mappings import Context, size_at_risk
from tests.peer.risks import population_uniqueness
from tests.peer.tables import Data

Spec = Mapping[str, Any]
SAMPLE_BASED = ("AverageReidentificationRisk", "SampleUniqueness")
SAMPLE_BASED += ("PopulationUniqueness",)


def is_one_by_one(case: Spec) -> bool:
    """Whether a case has such a model, and no other."""
    return all(each["type"] in SAMPLE_BASED for each in case.get("models", [{}]))


def suppressed_one_by_one(
    case: Spec, data: Data, classes: EquivalenceClasses, measure: QualityMeasure
) -> BoolArray:
    """Classes that the peer suppresses at a node, to meet all models of a case."""
    order = order_of(case, data, classes, measure)
    n_suppressed = max(
        shortest(classes.counts[order], holds_for(case, spec))
        for spec in case["models"]
    )
    suppressed = np.zeros(classes.n_classes, dtype=np.bool_)
    suppressed[order[:n_suppressed]] = True
    return suppressed


def shortest(sizes: IntArray, holds: Callable[[IntArray], bool]) -> int:
    """Fewest of the first classes to suppress until a model holds, by bisection."""
    low, high = 0, len(sizes)
    while low < high:
        middle = (low + high) // 2
        if holds(sizes[middle:]):
            high = middle
        else:
            low = middle + 1
    return low


def holds_for(case: Spec, spec: Spec) -> Callable[[IntArray], bool]:
    """Whether class sizes meet a model, as the peer decides it."""
    threshold = spec.get("threshold", spec.get("averageRisk"))

    def average(sizes: IntArray) -> bool:
        if len(sizes) > threshold * sizes.sum():
            return False
        if spec.get("highestRisk") is None:
            return True
        at_risk = sizes[sizes <= size_at_risk(spec["highestRisk"])].sum()
        return bool(at_risk <= (spec.get("recordsAtRisk") or 0.0) * sizes.sum())

    def uniques(sizes: IntArray) -> bool:
        return bool((sizes == 1).sum() <= threshold * sizes.sum())

    def population(sizes: IntArray) -> bool:
        if spec.get("statisticalModel") == "SNB":
            return not (sizes == 1).any()  # See `differences`: it finds no solution.
        context = Context(int(sizes.sum()), case.get("population") or case, ())
        fraction = context.sampling_fraction(spec)
        estimator = spec.get("statisticalModel", "DANKAR").lower()
        if estimator == "dankar" and fraction <= SMALL_FRACTION:
            estimator = "pitman"  # Without a fallback, which its risk figures have.
        share = population_uniqueness(sizes, fraction, estimator)
        # With few uniques Pitman's a falls below 0, where the model is not valid; the
        # peer goes on with it and finds hardly anybody unique.
        return math.isnan(share) or share <= threshold

    rules = (average, uniques, population)
    rule = dict(zip(SAMPLE_BASED, rules, strict=True))[spec["type"]]
    return lambda sizes: len(sizes) == 0 or rule(sizes)


def order_of(
    case: Spec, data: Data, classes: EquivalenceClasses, measure: QualityMeasure
) -> IntArray:
    """Classes from the first one to be suppressed to the last."""
    own = np.zeros(classes.n_classes)
    if isinstance(measure, Loss):
        own = np.round(own_losses(classes), 10)
    rows = first_rows(case, data, classes)
    return np.lexsort((rows, own, classes.counts))


def own_losses(classes: EquivalenceClasses) -> FloatArray:
    """Geometric mean of one and the share of the domain, for each class."""
    hierarchies = classes.class_table.hierarchies
    joined = np.ones(classes.n_classes)
    for column, hierarchy in enumerate(hierarchies):
        joined *= 1 + classes.counts * classes.leaves(column) / hierarchy.n_leaves
    return joined ** (1 / len(hierarchies))


def first_rows(case: Spec, data: Data, classes: EquivalenceClasses) -> IntArray:
    """Number of the first row in each class."""
    rows, table = data.rows(case), classes.class_table
    places = [rows[0].index(each.attribute) for each in table.hierarchies]
    known: dict[tuple[str, ...], int] = {}
    for number, row in enumerate(rows[1:]):
        known.setdefault(tuple(row[place] for place in places), number)
    index = {tuple(row): at for at, row in enumerate(table.leaves.tolist())}
    first = np.full(classes.n_classes, len(rows))
    for texts, number in known.items():
        leaves = zip(table.hierarchies, texts, strict=True)
        at = classes.of_combination[index[tuple(h.index[t] for h, t in leaves)]]
        first[at] = min(first[at], number)
    return first
