"""Figures of any one policy, computed from the classes that it releases."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from deidgui.app.policies.candidate import Cell, Figures, Measures
from deidgui.engine.arrays import BoolArray, FloatArray
from deidgui.engine.data.class_table import ClassTable, EquivalenceClasses
from deidgui.engine.policy.figures import release_figures
from deidgui.engine.policy.policy import Policy
from deidgui.engine.policy.released import ReleasedClasses, released_classes
from deidgui.engine.privacy import PrivacyModel
from deidgui.engine.quality import QUALITY_MEASURES, QualityMeasure, scaled_weights
from deidgui.engine.quality.all_measures import MeasureLoss
from deidgui.engine.quality.base import NodeFigures


def measure_policy(
    policy: Policy,
    class_table: ClassTable,
    guiding: QualityMeasure,
    weights: Mapping[str, float],
) -> Measures:
    """Measure a policy by the records, with its loss under every quality measure.

    Parameters
    ----------
    guiding : QualityMeasure
        Stands first.
    weights : mapping of str to float
        Importance by quasi-identifier.

    Returns
    -------
    Measures
        Nothing is said of the population.
    """
    others = [each() for each in QUALITY_MEASURES if each.kind != guiding.kind]
    return _measured(policy, class_table, (guiding, *others), weights)


def guiding_figures(
    policy: Policy,
    class_table: ClassTable,
    guiding: QualityMeasure,
    weights: Mapping[str, float],
) -> Figures:
    """Measure a policy by the records, with its loss under one quality measure."""
    return _measured(policy, class_table, (guiding,), weights).figures


def satisfied(
    model: PrivacyModel, released: ReleasedClasses, kept: EquivalenceClasses
) -> bool:
    """Whether a release meets a privacy model.

    Parameters
    ----------
    kept : EquivalenceClasses
        The released ones; none of them meets every model that can be met.
    """
    # After several rounds the last one knows who in the population has no record.
    last = released.rounds[-1].classes
    return model.is_possible(last) and (
        len(kept.counts) == 0 or bool(model.holds(kept).all())
    )


def holds(
    policy: Policy, class_table: ClassTable, models: Iterable[PrivacyModel]
) -> bool:
    """Whether a release by a policy meets all of some privacy models."""
    released = released_classes(class_table, policy)
    kept = released.kept_classes(class_table)
    return all(satisfied(model, released, kept) for model in models)


def _measured(
    policy: Policy,
    class_table: ClassTable,
    measures: Sequence[QualityMeasure],
    weights: Mapping[str, float],
) -> Measures:
    released = released_classes(class_table, policy)
    seen = release_figures(class_table, released)
    scaled = scaled_weights(class_table.attributes, weights)
    losses = tuple(_loss(measure, seen, scaled) for measure in measures)
    loss = losses[0].loss
    figures = _risks(released)
    n_partly = policy.cells.n_records if policy.cells is not None else 0
    return Measures(
        Figures(
            n_suppressed=released.n_suppressed + n_partly,
            highest_risk=figures[0],
            average_risk=figures[1],
            loss=None if np.isnan(loss) else loss,
        ),
        losses,
    )


def _risks(released: ReleasedClasses) -> tuple[float, float]:
    """Highest and average prosecutor risk; 0 if nothing is released."""
    sizes = released.kept_counts
    if not len(sizes):
        return 0.0, 0.0
    return 1 / int(sizes.min()), len(sizes) / int(sizes.sum())


def _loss(
    measure: QualityMeasure, seen: NodeFigures, weights: FloatArray
) -> MeasureLoss:
    """Loss under one measure, NaN if an attribute that counts has none."""
    values = measure.values(seen)[0]
    if len(values) == len(weights):
        values = np.where(weights > 0, values, 0.0)
    return MeasureLoss(measure, values, measure.scores(values[None, :], weights)[0])


def says_in_cells(
    policies: Sequence[Sequence[Cell]], words: Sequence[str]
) -> BoolArray:
    """Which policies have all words in the words for one attribute: bool, (n,)."""

    def says(cell: Cell) -> bool:
        text = f"{cell.attribute}: {cell.text}".casefold()
        return all(word in text for word in words)

    return np.array([any(map(says, cells)) for cells in policies], np.bool_)
