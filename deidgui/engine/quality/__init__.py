"""Quality measures: what a release loses."""

from deidgui.engine.quality.ambiguity import Ambiguity
from deidgui.engine.quality.average_class_size import AverageClassSize
from deidgui.engine.quality.base import (
    QUALITY_MEASURES,
    QualityMeasure,
    scaled_weights,
)
from deidgui.engine.quality.discernibility import (
    Discernibility,
    MonotoneDiscernibility,
)
from deidgui.engine.quality.figures import Domain, NodeFigures, figures_of
from deidgui.engine.quality.height import Height
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
    "Domain",
    "Height",
    "Loss",
    "MonotoneDiscernibility",
    "MonotoneEntropy",
    "MonotonePrecision",
    "NodeFigures",
    "NonUniformEntropy",
    "NormalizedEntropy",
    "Precision",
    "QualityMeasure",
    "figures_of",
    "scaled_weights",
]
