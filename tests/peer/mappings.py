"""What the names of a case file are in this program; add a line per kind."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from deidgui.engine.parameters import parameters_of
from deidgui.engine.privacy import PRIVACY_MODELS, KAnonymity, PrivacyModel
from deidgui.engine.quality import (
    Ambiguity,
    AverageClassSize,
    Discernibility,
    Height,
    Loss,
    MonotoneDiscernibility,
    MonotoneEntropy,
    MonotonePrecision,
    NonUniformEntropy,
    NormalizedEntropy,
    Precision,
    QualityMeasure,
)
from deidgui.engine.risk.decision import deciding_size
from tests.peer.differences import SumOverRecords

Spec = Mapping[str, Any]

REGIONS = {"USA": 317_238_626}
"""People of a region by the peer's own table."""


class UnsupportedError(Exception):
    """A kind of model or measure that this program does not know."""


def words(text: str) -> frozenset[str]:
    """Names in a text."""
    return frozenset(text.split())


@dataclass(frozen=True)
class Context:
    """What models need to know of their case.

    Parameters
    ----------
    n_records : int
        Of the research sample, if there is one.
    population : Mapping
        What the case says of the population.
    others : sequence of str
        Types of all models of the case.
    """

    n_records: int
    population: Spec
    others: Sequence[str]

    def sampling_fraction(self, spec: Spec) -> float:
        """Share of the population that the records are; the peer's tests take USA."""
        for stated in (spec, spec.get("population") or {}, self.population):
            if "samplingFraction" in stated:
                return float(stated["samplingFraction"])
            if "populationSize" in stated:
                return self.n_records / float(stated["populationSize"])
            if stated.get("region"):
                return self.n_records / REGIONS[stated["region"]]
        return self.n_records / REGIONS["USA"]


def known(kind: str, **params: Any) -> list[PrivacyModel]:
    """One privacy model of this program, if it has it."""
    if kind not in {each.kind for each in PRIVACY_MODELS}:
        raise UnsupportedError(f"model {kind}")
    return [PRIVACY_MODELS.from_json({"kind": kind, **typed(kind, params)})]


def typed(kind: str, params: Mapping[str, Any]) -> dict[str, Any]:
    """Numbers as the declaration has them: the peer writes 5.0 for 5."""
    types = {each.name: each.type for each in parameters_of(PRIVACY_MODELS[kind])}
    return {
        name: types[name](value) if types[name] in (int, float) else value
        for name, value in params.items()
    }


def about(kind: str, **names: str) -> Callable[[Spec, Context], list[PrivacyModel]]:
    """A model of one sensitive attribute, and what its parameters are there."""

    def made(spec: Spec, _context: Context) -> list[PrivacyModel]:
        given = {name: spec[theirs] for name, theirs in names.items()}
        return known(kind, attribute=spec["attribute"], **given)

    return made


def entropy_diversity(spec: Spec, _context: Context) -> list[PrivacyModel]:
    """Entropy l-diversity by one of two estimators."""
    estimator = spec.get("estimator", "Shannon").lower()
    params = {"diversity": spec["l"], "estimator": estimator}
    return known("entropy_l_diversity", attribute=spec["attribute"], **params)


def k_map(spec: Spec, context: Context) -> list[PrivacyModel]:
    """k-map by counts of a table, or by an estimate from the class size.

    Without truncation the peer asks for one record more than the rule does
    (methods.md H.6), but never for more than k.
    """
    estimator = (spec.get("estimator") or "").lower()
    if not estimator:
        return known("k_map", k=spec["k"])
    fraction, level = context.sampling_fraction(spec), spec["significanceLevel"]
    if "truncated" in estimator:
        return known(
            "estimated_k_map",
            k=spec["k"],
            sampling_fraction=fraction,
            significance=level,
            rule="truncated",
        )
    size = deciding_size(spec["k"], fraction, level, truncated=False) + 1
    return [KAnonymity(max(2, min(spec["k"], size)))]


def delta_presence(spec: Spec, context: Context) -> list[PrivacyModel]:
    """δ-presence; the peer forgets people without a record beside other models."""
    sized = {"KAnonymity", "EDDifferentialPrivacy"}
    forgets = any(each in sized or "LDiversity" in each for each in context.others)
    return known(
        "delta_presence",
        dmin=spec["dMin"],
        dmax=spec["dMax"],
        absent="ignored" if forgets else "counted",
    )


def average_risk(spec: Spec, _context: Context) -> list[PrivacyModel]:
    """Average risk, with the share of records above a highest one if stated."""
    threshold = spec.get("threshold", spec.get("averageRisk"))
    found = known("average_prosecutor_risk", threshold=threshold)
    if spec.get("highestRisk") is not None:
        share = spec.get("recordsAtRisk") or 0.0
        size = size_at_risk(spec["highestRisk"])
        found += known("records_at_risk", threshold=1 / (size + 1), share=share)
    return found


def size_at_risk(highest: float) -> int:
    """Largest class that the peer counts as being at risk: at it, not only above."""
    size = 1 / highest
    whole = math.floor(size)
    return whole + 1 if 1 / whole - highest >= 0.01 * highest else whole


def differential_privacy(spec: Spec, _context: Context) -> list[PrivacyModel]:
    """k-anonymity of a sample; the peer's k is one larger than defined (H.6)."""
    (model,) = known("epsilon_delta", epsilon=spec["epsilon"], delta=spec["delta"])
    return [KAnonymity(model.depth + 1)]


def population_uniqueness(spec: Spec, context: Context) -> list[PrivacyModel]:
    """Population uniqueness by one of the estimators.

    The peer's slide negative binomial finds no solution (methods.md F.4); then it
    asks for no unique record at all.
    """
    if spec.get("statisticalModel") == "SNB":
        return known("sample_uniqueness", threshold=0.0)
    return known(
        "population_uniqueness",
        threshold=spec["threshold"],
        estimator=spec.get("statisticalModel", "DANKAR").lower(),
        sampling_fraction=context.sampling_fraction(spec),
    )


def threshold_of(kind: str) -> Callable[[Spec, Context], list[PrivacyModel]]:
    """A model with nothing but a threshold."""
    return lambda spec, _context: known(kind, threshold=spec["threshold"])


MODELS: Mapping[str, Callable[[Spec, Context], list[PrivacyModel]]] = {
    "AverageReidentificationRisk": average_risk,
    "BasicBLikeness": about("basic_beta_likeness", beta="b"),
    "DDisclosurePrivacy": about("delta_disclosure", delta="d"),
    "DPresence": delta_presence,
    "DistinctLDiversity": about("distinct_l_diversity", diversity="l"),
    "EDDifferentialPrivacy": differential_privacy,
    "EnhancedBLikeness": about("enhanced_beta_likeness", beta="b"),
    "EntropyLDiversity": entropy_diversity,
    "EqualDistanceTCloseness": about("equal_t_closeness", t="t"),
    "HierarchicalDistanceTCloseness": about("hierarchical_t_closeness", t="t"),
    "Inclusion": lambda _spec, _context: [],
    "KAnonymity": lambda spec, _context: known("k_anonymity", k=spec["k"]),
    "KMap": k_map,
    "OrderedDistanceTCloseness": about("ordered_t_closeness", t="t"),
    "PopulationUniqueness": population_uniqueness,
    "RecursiveCLDiversity": about("recursive_cl_diversity", c="c", diversity="l"),
    "SampleUniqueness": threshold_of("sample_uniqueness"),
}

MODEL_KEYS: Mapping[str, frozenset[str]] = {
    name: words(keys)
    for name, keys in {
        "AverageReidentificationRisk": "threshold averageRisk highestRisk "
        "recordsAtRisk",
        "BasicBLikeness": "b attribute",
        "DDisclosurePrivacy": "d attribute",
        "DPresence": "dMin dMax",
        "DistinctLDiversity": "l attribute",
        "EDDifferentialPrivacy": "epsilon delta",
        "EnhancedBLikeness": "b attribute",
        "EntropyLDiversity": "l attribute estimator",
        "EqualDistanceTCloseness": "t attribute",
        "HierarchicalDistanceTCloseness": "t attribute start",
        "Inclusion": "",
        "KAnonymity": "k",
        "KMap": "k estimator significanceLevel derivedK type1Error",
        "OrderedDistanceTCloseness": "t attribute minOrder",
        "PopulationUniqueness": "threshold statisticalModel",
        "RecursiveCLDiversity": "c l attribute",
        "SampleUniqueness": "threshold",
    }.items()
}
"""Parameters of each model; `derivedK`, `type1Error`, `start` and `minOrder` are
what the peer worked out from the others."""

SHARED_KEYS = words(
    "type description subsetSize subsetFile subsetRows hierarchy hierarchyFile "
    "samplingFraction populationSize population region"
)
"""What every model may say of its sample, its population and its hierarchy."""


def keys_of_model(name: str) -> frozenset[str] | None:
    """Keys that a model may have; None if the model is not known at all."""
    known_keys = MODEL_KEYS.get(name)
    return None if known_keys is None else known_keys | SHARED_KEYS


MEASURES: Mapping[str, Callable[..., QualityMeasure]] = {
    "MetricMDHeight": lambda aggregate, _factor: Height(aggregate),
    "MetricMDNMLoss": Loss,
    "MetricMDNMPrecision": Precision,
    "MetricMDNUEntropy": MonotoneEntropy,
    "MetricMDNUNMEntropy": NonUniformEntropy,
    "MetricMDNUNMNormalizedEntropy": NormalizedEntropy,
    "MetricMDPrecision": MonotonePrecision,
    "MetricSDAECS": lambda _aggregate, factor: AverageClassSize(factor),
    "MetricSDDiscernability": lambda _aggregate, _factor: MonotoneDiscernibility(),
    "MetricSDNMAmbiguity": lambda _aggregate, _factor: Ambiguity(),
    "MetricSDNMDiscernability": lambda _aggregate, _factor: Discernibility(),
    "MetricSDNMKLDivergence": lambda _aggregate, _factor: SumOverRecords(),
}

VARIANTS = ("PotentiallyPrecomputed", "Precomputed")
"""Endings of classes that compute the same in another way."""


def models_of(case: Spec, n_records: int) -> list[PrivacyModel]:
    """Privacy models of a case; `UnsupportedError` if one is not known.

    Parameters
    ----------
    n_records : int
        Of the research sample, if there is one.
    """
    types = [each["type"] for each in case["models"]]
    context = Context(n_records, case.get("population") or case, types)
    found = []
    for each in case["models"]:
        if each["type"] not in MODELS:
            raise UnsupportedError(f"model {each['type']}")
        found += MODELS[each["type"]](each, context)
    return found


def measure_of(case: Spec) -> QualityMeasure:
    """Quality measure of a case; `UnsupportedError` if it is not known."""
    metric = case["metric"]
    name = metric["class"]
    for ending in VARIANTS:
        name = name.removesuffix(ending)
    if name not in MEASURES:
        raise UnsupportedError(f"measure {metric['class']}")
    aggregate = (metric.get("aggregate") or "").lower()
    factor = metric.get("gsFactor")
    return MEASURES[name](aggregate, 0.5 if factor is None else factor)
