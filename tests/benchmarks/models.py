"""Processor seconds of the proven optimum under every model, over those of k-anonymity.

``python -m tests.benchmarks models [--only KIND] [--measures loss,...] [--most N]``:
Adult with eight quasi-identifiers and occupation as sensitive attribute (4,320
policies), suppression limits of 0, 5 and 100 %. Models of a population have a made
register of ten times the records. A proof is given up after `--most` policies.
``--looks`` measures one look at a policy instead: the median of `N_LOOKS` random ones.
"""

import argparse
import sys
import time
from dataclasses import replace
from statistics import median
from typing import Any

import numpy as np

from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.data.population import Register, SamplingFraction
from deidgui.engine.privacy import (
    AverageJournalistRisk,
    AverageProsecutorRisk,
    BasicBetaLikeness,
    DeltaDisclosure,
    DeltaPresence,
    DistinctLDiversity,
    EnhancedBetaLikeness,
    EntropyLDiversity,
    EqualTCloseness,
    HierarchicalTCloseness,
    HighestJournalistRisk,
    HighestProsecutorRisk,
    KAnonymity,
    KMap,
    MarketerRisk,
    OrderedTCloseness,
    PopulationUniqueness,
    PrivacyModel,
    RecordsAtRisk,
    RecursiveCLDiversity,
    SampleUniqueness,
)
from deidgui.engine.search.bounds import Evaluator
from deidgui.engine.search.branch_and_bound import find_optimum
from deidgui.engine.search.question import make_question
from tests.benchmarks.optimum import MEASURES, SENSITIVE, class_table

LIMITS = (0.0, 0.05, 1.0)

N_LOOKS = 150

SHORT_S = 0.5
"""Shorter proofs are timed twice."""

FEW = 50
"""Policies that are looked at under each model first, so that its code is loaded."""

MODELS: tuple[PrivacyModel, ...] = (
    KAnonymity(5),
    HighestProsecutorRisk(0.2),
    AverageProsecutorRisk(0.1),
    RecordsAtRisk(0.2, 0.05),
    SampleUniqueness(0.01),
    DistinctLDiversity(SENSITIVE, 3),
    EntropyLDiversity(SENSITIVE, 3.0),
    RecursiveCLDiversity(SENSITIVE, 4.0, 3),
    EqualTCloseness(SENSITIVE, 0.2),
    OrderedTCloseness(SENSITIVE, 0.2),
    HierarchicalTCloseness(SENSITIVE, 0.2),
    BasicBetaLikeness(SENSITIVE, 1.0),
    EnhancedBetaLikeness(SENSITIVE, 1.0),
    DeltaDisclosure(SENSITIVE, 1.0),
    KMap(50),
    HighestJournalistRisk(0.02),
    AverageJournalistRisk(0.02),
    MarketerRisk(0.02),
    DeltaPresence(0.0, 0.2),
    DeltaPresence(0.02, 0.2, "ignored"),
    PopulationUniqueness(0.01, 0.1),
)


def with_population(table: ClassTable, model: PrivacyModel) -> ClassTable:
    """Adult with people: ten for each record, spread unevenly; or a share of them."""
    if not model.needs_counted_population and model.needs_population:
        return replace(table, population=SamplingFraction(0.1))
    rng = np.random.default_rng(0)
    others = rng.geometric(0.1, len(table.counts)) - 1
    register = Register(table.leaves, table.counts * (1 + others))
    return replace(table, population=register)


def looked(table: ClassTable, model: PrivacyModel, limit: float, measure: str, n: int):
    """One proof: processor seconds and policies."""
    start = time.process_time()
    found = find_optimum(table, [model], limit, MEASURES[measure], most_nodes=n)
    return time.process_time() - start, found


def look_s(table: ClassTable, model: PrivacyModel) -> float:
    """Median processor seconds of a look at a random policy, without its grouping.

    Everything may be suppressed, so that nothing is left out.
    """
    asked = make_question(table, [model], 1.0, MEASURES["loss"])
    limit, measure, weights = asked.limit_records, asked.measure, asked.weights
    evaluator = Evaluator(table, [model], limit, measure, weights)
    heights = np.array([each.height for each in table.hierarchies])
    rng, times = np.random.default_rng(1), []
    for _ in range(N_LOOKS):
        levels = rng.integers(0, heights + 1)
        classes = evaluator.bottom.raised(tuple(levels.tolist()))
        start = time.process_time()
        evaluator.evaluate(classes)
        times.append(time.process_time() - start)
    return median(times)


def looks(only: str) -> dict[str, Any]:
    """One look under every model, over one under k-anonymity."""
    table, _ = class_table("adult-occ")
    look_s(table, KAnonymity(5))
    yard, found = look_s(table, KAnonymity(5)), {}
    for model in MODELS:
        if only in model.kind:
            taken = look_s(with_population(table, model), model)
            row = {"ms": round(1000 * taken, 3), "over_k": round(taken / yard, 1)}
            found[repr(model)] = row
            print(f"{model!r:60} {row}", file=sys.stderr)
    return found


def run(arguments: list[str]) -> dict[str, Any]:
    """Prove the optimum under every model."""
    parser = argparse.ArgumentParser(prog="models")
    parser.add_argument("--only", default="", help="part of a model's kind")
    parser.add_argument("--measures", default="loss,entropy,discernibility,aecs,height")
    parser.add_argument("--most", type=int, default=100_000)
    parser.add_argument("--looks", action="store_true")
    options = parser.parse_args(arguments)
    if options.looks:
        return looks(options.only)
    table, _ = class_table("adult-occ")
    found: dict[str, Any] = {}
    for model in MODELS:
        looked(with_population(table, model), model, 0.05, "loss", FEW)
    for measure in options.measures.split(","):
        for limit in LIMITS:
            base = KAnonymity(5)
            looked(table, base, limit, measure, options.most)
            yard, _ = looked(table, base, limit, measure, options.most)
            for model in MODELS:
                if options.only not in model.kind:
                    continue
                own = with_population(table, model)
                taken, best = looked(own, model, limit, measure, options.most)
                if taken < SHORT_S:  # The first time code is loaded.
                    again, _ = looked(own, model, limit, measure, options.most)
                    taken = min(taken, again)
                row = {
                    "seconds": round(taken, 3),
                    "over_k": round(taken / yard, 1),
                    "looked_at": best.n_looked_at,
                    "policies": best.n_nodes,
                    "proven": best.is_proven,
                    "suppressed": best.n_suppressed,
                }
                found[f"{model!r}/{limit:g}/{measure}"] = row
                print(f"{model!r:60} {limit:4g} {measure:15} {row}", file=sys.stderr)
    return {
        "cells": len(found),
        "more_than_ten_times": {
            name: row["over_k"] for name, row in found.items() if row["over_k"] > 10
        },
        "by_cell": found,
    }
