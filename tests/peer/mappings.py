"""What the names of a case file are in this program; add a line per kind."""

from collections.abc import Callable, Mapping
from typing import Any

from deidgui.engine.privacy import KAnonymity, PrivacyModel
from deidgui.engine.quality import (
    AverageClassSize,
    Discernibility,
    Height,
    Loss,
    MonotoneDiscernibility,
    MonotoneEntropy,
    MonotonePrecision,
    NonUniformEntropy,
    Precision,
    QualityMeasure,
)


class UnsupportedError(Exception):
    """A kind of model or measure that this program does not know."""


MODELS: Mapping[str, Callable[[Mapping[str, Any]], PrivacyModel]] = {
    "KAnonymity": lambda params: KAnonymity(params["k"]),
}

MEASURES: Mapping[str, Callable[..., QualityMeasure]] = {
    "MetricMDHeight": lambda aggregate, _factor: Height(aggregate),
    "MetricMDNMLoss": Loss,
    "MetricMDNMLossPotentiallyPrecomputed": Loss,
    "MetricMDNMPrecision": Precision,
    "MetricMDNUEntropy": MonotoneEntropy,
    "MetricMDNUEntropyPotentiallyPrecomputed": MonotoneEntropy,
    "MetricMDNUNMEntropy": NonUniformEntropy,
    "MetricMDNUNMEntropyPotentiallyPrecomputed": NonUniformEntropy,
    "MetricMDPrecision": MonotonePrecision,
    "MetricSDAECS": lambda _aggregate, factor: AverageClassSize(factor),
    "MetricSDDiscernability": lambda _aggregate, _factor: MonotoneDiscernibility(),
    "MetricSDNMDiscernability": lambda _aggregate, _factor: Discernibility(),
}


def models_of(case: Mapping[str, Any]) -> list[PrivacyModel]:
    """Privacy models of a case; `UnsupportedError` if one is not known."""
    found = []
    for each in case["models"]:
        if each["type"] not in MODELS:
            raise UnsupportedError(f"model {each['type']}")
        found.append(MODELS[each["type"]](each))
    return found


def measure_of(case: Mapping[str, Any]) -> QualityMeasure:
    """Quality measure of a case; `UnsupportedError` if it is not known."""
    metric = case["metric"]
    if metric["class"] not in MEASURES:
        raise UnsupportedError(f"measure {metric['class']}")
    aggregate = (metric["aggregate"] or "").lower()
    return MEASURES[metric["class"]](aggregate, metric["gsFactor"])
