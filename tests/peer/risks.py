"""Risk figures that rest on estimators of the population."""

from deidgui.engine.arrays import IntArray
from deidgui.engine.risk.class_sizes import class_size_histogram
from deidgui.engine.risk.uniqueness import SMALL_FRACTION
from deidgui.engine.risk.uniqueness import population_uniqueness as estimate
from tests.peer.differences import ListedError


def population_uniqueness(sizes: IntArray, fraction: float, estimator: str) -> float:
    """Share of the population that is unique, by one of the peer's estimators.

    Its slide negative binomial is wrong (methods.md F.4), so that the decision rule
    there falls back on Zayatz's estimate where the sample is large.
    """
    if estimator == "snb":
        raise ListedError("slide negative binomial: wrong there, methods.md F.4")
    if estimator == "dankar" and fraction > SMALL_FRACTION:
        estimator = "zayatz"
    return estimate(class_size_histogram(sizes), fraction, estimator).share
