"""The loss of one policy under every measure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from deidgui.engine.arrays import BoolArray, FloatArray
from deidgui.engine.quality.base import (
    QUALITY_MEASURES,
    QualityMeasure,
    TableFacts,
    figures_of,
)

if TYPE_CHECKING:
    from deidgui.engine.data.class_table import EquivalenceClasses


@dataclass(frozen=True, eq=False)
class MeasureLoss:
    """What one node loses under one measure.

    Parameters
    ----------
    values : ndarray of float64, shape (n_attributes,) or (1,)
        Per attribute, or one for the whole table.
    score : ndarray of float64, shape (n_columns,)
        The values joined; more than one column for the aggregate "rank" only.
    """

    measure: QualityMeasure
    values: FloatArray
    score: FloatArray

    @property
    def loss(self) -> float:
        """First column of the score."""
        return float(self.score[0])


def every_loss(
    facts: TableFacts,
    classes: EquivalenceClasses,
    suppressed: BoolArray,
    weights: FloatArray,
    first: Sequence[QualityMeasure] = (),
) -> tuple[MeasureLoss, ...]:
    """Loss of one node under every registered measure.

    The classes are looked at once for all measures.

    Parameters
    ----------
    classes : EquivalenceClasses
        Of the node, none suppressed.
    suppressed : ndarray of bool, shape (n_classes,)
    weights : ndarray of float64, shape (n_attributes,), largest 1
    first : sequence of QualityMeasure, optional
        Measures with parameters of their own. They stand first; the registered
        ones of other kinds follow with the parameters they have by default.
    """
    figures = figures_of(facts, classes, suppressed)
    found = []
    for measure in _measures(first):
        values = measure.values(figures)
        score = measure.scores(values, weights)
        found.append(MeasureLoss(measure, np.asarray(values[0]), np.asarray(score[0])))
    return tuple(found)


def _measures(first: Sequence[QualityMeasure]) -> Iterator[QualityMeasure]:
    yield from first
    given = {measure.kind for measure in first}
    yield from (each() for each in QUALITY_MEASURES if each.kind not in given)
