"""The result of an experiment as JSON values, for the command line and a file."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from deidgui import __version__
from deidgui.app.experiment.case import Example, Outcome
from deidgui.app.experiment.published import PAPER
from deidgui.engine.discover.experiment import log_trend
from deidgui.engine.discover.results import Discovery

FORMAT = "deidgui-experiment"

EVERYTHING_ACCEPTABLE = (
    "Every policy is acceptable: Safe Harbor generalizes nothing that occurs here, so "
    "that even the data as they are have no more risk. There was nothing to search."
)
WITHOUT_PEOPLE = (
    "Records with values that nobody in the population has: {n_records}. They are "
    "taken to be as many people as records."
)


def describe(outcome: Outcome) -> dict[str, Any]:
    """Return what an experiment found, and everything that decided it.

    Returns
    -------
    dict
        JSON values. The seconds differ from run to run; all else is the same for the
        same seed.
    """
    case, choice, found = outcome.case, outcome.choice, outcome.experiment
    threshold, n_rows = case.rule.threshold, case.cells.n_records
    difference = trend = None
    if len(found.bps.iterations) > 1:
        difference = {k: number(v) for k, v in asdict(found.difference).items()}
        trend = {k: number(v) for k, v in asdict(log_trend(found.bps.seconds)).items()}
    return {
        "format": FORMAT,
        "deidgui": __version__,
        "experiment": "bps",
        "rows": n_rows,
        "threshold": threshold,
        "bps": method_of(found.bps),
        "directed": method_of(found.directed),
        "threshold_from": "given" if case.reference is None else case.reference.kind,
        "threshold_per_record": None if threshold is None else threshold / n_rows,
        "raw_risk": number(outcome.raw_risk),
        "least_risk": number(outcome.least_risk),
        "every_policy_acceptable": outcome.every_policy_acceptable,
        "gamma": case.gamma,
        "seed": choice.seed,
        "weights": choice.weights,
        "iterations_asked": choice.n_iterations,
        "attributes": [
            {"name": domain.attribute, "values": domain.n_values}
            for domain in case.rule.space.domains
        ],
        "mode": case.rule.space.mode,
        "bits": case.rule.space.n_bits,
        "coverage": asdict(case.cells.coverage),
        **case.facts,
        "node_ratio": number(found.node_ratio),
        "time_ratio": number(found.time_ratio),
        "time_difference": difference,
        "bps_time_trend": trend,
        "examples": [_example(each, outcome) for each in outcome.examples],
        "notes": notes(outcome),
        "paper": PAPER,
        "per_iteration": {
            "bps": _per_iteration(found.bps),
            "directed": _per_iteration(found.directed),
        },
    }


def notes(outcome: Outcome) -> list[str]:
    """Sentences that everybody must read who sees a figure."""
    found = []
    if outcome.every_policy_acceptable:
        found.append(EVERYTHING_ACCEPTABLE)
    n_records = outcome.case.cells.coverage.n_records_without_people
    if n_records:
        found.append(WITHOUT_PEOPLE.format(n_records=f"{n_records:,}"))
    facts: Mapping[str, Any] = outcome.case.facts
    n_left_out = facts.get("left_out_records", 0)
    if n_left_out:
        found.append(
            f"Left out: {n_left_out:,} of {facts['rows_of_file']:,} records, which "
            "have no value, or one that the population does not know."
        )
    population = facts.get("population")
    if population:
        found += [each["text"] for each in population["assumptions"]]
    for mapping in facts.get("mapping", ()):
        name = mapping["attribute"]
        found += [
            f"{name}: {doubt['text']} Decided: {doubt['decided_by']}."
            for doubt in mapping["doubts"]
        ]
    return found


def number(value: float) -> float | None:
    """Number for JSON: None where there is none."""
    return value if math.isfinite(value) else None


def method_of(found: Discovery) -> dict[str, Any]:
    """Figures of one method as JSON values."""
    seconds = found.seconds
    spread = float(np.std(seconds, ddof=1)) if len(seconds) > 1 else math.nan
    return {
        "iterations": len(found.iterations),
        "evaluations": int(found.n_asked.sum()),
        "seconds": float(seconds.sum()),
        "policies": len(found.distinct),
        "non_dominated": int(found.n_non_dominated[-1]),
        "new_evaluations": int(found.n_evaluated.sum()),
        "evaluations_per_iteration": float(found.n_asked.mean()),
        "seconds_mean": float(seconds.mean()),
        "seconds_sd": number(spread),
    }


def _per_iteration(found: Discovery) -> dict[str, Any]:
    return {
        "seconds": found.seconds.tolist(),
        "evaluations": found.n_asked.tolist(),
        "new_evaluations": found.n_evaluated.tolist(),
        "non_dominated": found.n_non_dominated.tolist(),
        "risk": [number(each.risk) for each in found.found],
    }


def _example(example: Example, outcome: Outcome) -> dict[str, Any]:
    attributes = outcome.case.rule.space.attributes
    return {
        "kind": example.kind,
        "generalizations": dict(zip(attributes, example.generalizations, strict=True)),
        "words": example.words,
        "risk": number(example.risk),
        "alike": example.n_alike,
    }
