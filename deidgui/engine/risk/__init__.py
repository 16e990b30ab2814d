"""Re-identification risk of classes of records."""

from deidgui.engine.risk.class_sizes import (
    CUMULATIVE_LIMITS,
    AttackerRisk,
    ClassSizes,
    RiskFigures,
    attacker_risk,
    class_size_histogram,
    cumulative_risk,
    measure_risk,
    size_at_risk,
)
from deidgui.engine.risk.decision import deciding_size
from deidgui.engine.risk.safe_sampling import safe_size, sampling_probability
from deidgui.engine.risk.uniqueness import (
    ESTIMATORS,
    Uniqueness,
    population_uniqueness,
)
from deidgui.engine.risk.wildcards import match_sizes

__all__ = [
    "CUMULATIVE_LIMITS",
    "ESTIMATORS",
    "AttackerRisk",
    "ClassSizes",
    "RiskFigures",
    "Uniqueness",
    "attacker_risk",
    "class_size_histogram",
    "cumulative_risk",
    "deciding_size",
    "match_sizes",
    "measure_risk",
    "population_uniqueness",
    "safe_size",
    "sampling_probability",
    "size_at_risk",
]
