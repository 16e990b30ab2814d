"""Quality measures: what a release loses."""

from deidgui.engine.quality.all_measures import MeasureLoss, every_loss
from deidgui.engine.quality.ambiguity import Ambiguity
from deidgui.engine.quality.average_class_size import (
    AverageClassSize,
    NormalizedAverageClassSize,
)
from deidgui.engine.quality.base import (
    QUALITY_MEASURES,
    NodeFigures,
    QualityMeasure,
    TableFacts,
    figures_of,
    scaled_weights,
)
from deidgui.engine.quality.discernibility import (
    Discernibility,
    MonotoneDiscernibility,
)
from deidgui.engine.quality.height import Height
from deidgui.engine.quality.kl_divergence import KLDivergence
from deidgui.engine.quality.loss import Loss
from deidgui.engine.quality.non_uniform_entropy import (
    MonotoneEntropy,
    NonUniformEntropy,
    NormalizedEntropy,
)
from deidgui.engine.quality.precision import MonotonePrecision, Precision

__all__ = [
    "QUALITY_MEASURES",
    "Ambiguity",
    "AverageClassSize",
    "Discernibility",
    "Height",
    "KLDivergence",
    "Loss",
    "MeasureLoss",
    "MonotoneDiscernibility",
    "MonotoneEntropy",
    "MonotonePrecision",
    "NodeFigures",
    "NonUniformEntropy",
    "NormalizedAverageClassSize",
    "NormalizedEntropy",
    "Precision",
    "QualityMeasure",
    "TableFacts",
    "every_loss",
    "figures_of",
    "scaled_weights",
]
