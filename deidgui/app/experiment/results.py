"""What an experiment found: JSON values, tables, and what the paper found."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from deidgui import __version__
from deidgui.app.charts.base import Cell, NumberTable
from deidgui.app.experiment.case import Example, ExperimentResult
from deidgui.engine.discover.experiment import log_trend
from deidgui.engine.discover.results import Discovery
from deidgui.engine.transform.spreadsheet import guard_text
from deidgui.text import Text, tr

FORMAT = "deidgui-experiment"


def describe(outcome: ExperimentResult) -> dict[str, Any]:
    """Return what an experiment found, and everything that decided it.

    Returns
    -------
    dict
        JSON values. The seconds differ from run to run; all else is the same for the
        same seed.
    """
    case, options, found = outcome.case, outcome.options, outcome.experiment
    threshold, n_rows = case.rule.threshold, case.cells.coverage.n_records
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
        "seed": options.seed,
        "weights": options.weights,
        "iterations_asked": options.iterations,
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


def notes(outcome: ExperimentResult) -> list[str]:
    """Sentences that everybody must read who sees a figure."""
    found = []
    if outcome.every_policy_acceptable:
        found.append(
            tr(
                "Every policy is acceptable: Safe Harbor generalizes nothing that "
                "occurs here, so that even the data as they are have no more risk. "
                "There was nothing to search."
            )
        )
    n_records = outcome.case.cells.coverage.n_records_without_population
    if n_records:
        found.append(
            tr(
                "Records with values that nobody in the population has: {n_records}. "
                "They are left out of every sum of risks.",
                n_records=n_records,
            )
        )
    facts: Mapping[str, Any] = outcome.case.facts
    n_left_out = facts.get("left_out_records", 0)
    if n_left_out:
        found.append(
            tr(
                "Left out: {n} of {all:record|records}, which have no value, or one "
                "that the population does not know.",
                n=n_left_out,
                all=facts["rows_of_file"],
            )
        )
    population = facts.get("population")
    if population:
        found += [each["text"] for each in population["assumptions"]]
    for mapping in facts.get("mapping", ()):
        name = mapping["attribute"]
        found += [
            tr(
                "{name}: {doubt} Decided: {decided_by}.",
                name=name,
                doubt=doubt["text"],
                decided_by=doubt["decided_by"],
            )
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


def _example(example: Example, outcome: ExperimentResult) -> dict[str, Any]:
    attributes = outcome.case.rule.space.attributes
    return {
        "kind": example.kind,
        "generalizations": dict(zip(attributes, example.generalizations, strict=True)),
        "words": example.words,
        "risk": number(example.risk),
        "alike": example.n_alike,
    }


PAPER: dict[str, Any] = {
    "title": "Beyond Safe Harbor: automatic discovery of health information "
    "de-identification policy alternatives (2010)",
    "iterations": 100,
    "table2_seconds_per_iteration": {
        "directed": {
            "van": {"mean": 47.52, "sd": 2.03},
            "adult": {"mean": 109.53, "sd": 8.94},
        },
        "bps": {
            "van": {"mean": 4.01, "sd": 1.85},
            "adult": {"mean": 16.36, "sd": 2.00},
        },
    },
    "table3_van": [
        {"kind": "safe_harbor", "generalizes": "age [90-120]", "risk": 0.90917},
        {"kind": "alternative", "generalizes": "gender [M,F]", "risk": 0.47628},
        {"kind": "alternative", "generalizes": "race [Asian,Other]", "risk": 0.85703},
        {"kind": "alternative", "generalizes": "age [52-53]", "risk": 0.87498},
    ],
    "figure7_van_bps_r_squared": 0.16,
    "figure8_van_non_dominated": {"bps": 95, "directed": 83},
    "figure9_adult_evaluations": {"bps": 670, "directed": 5140},
}
"""What the paper measured on its own data and machine.

Benitez, Loukides and Malin (2010), *Beyond Safe Harbor*, section 3; methods.md A.8. The
population there was Tennessee by the census of 2000; "van" are 2,984 patients of their
hospital, "adult" the 32,561 records of UCI Adult. Seconds are those of a machine of
2010: only ratios compare.
"""


TITLES = {"bps": "BPS", "directed": "Directed"}
KINDS: Mapping[str, Text] = {
    "safe_harbor": "Safe Harbor",
    "one_join": "joins one pair",
    "found": "found by BPS",
}


def seconds_table(outcome: ExperimentResult) -> NumberTable:
    """Mean and deviation of the seconds of an iteration, with those of the paper.

    Returns
    -------
    Numbers
        A row per method and data; NaN where nobody said.
    """
    found = outcome.experiment
    rows: list[tuple[Cell, ...]] = []
    for name, each in (("directed", found.directed), ("bps", found.bps)):
        known = method_of(each)
        figures = (math.nan if known[key] is None else known[key] for key in _SECONDS)
        rows.append((tr("this data"), TITLES[name], *figures))
    for name in ("directed", "bps"):
        looked = {"adult": PAPER["figure9_adult_evaluations"][name]}
        kept = {"van": PAPER["figure8_van_non_dominated"][name]}
        rows += [
            (
                *(tr("paper, {data}", data=data), TITLES[name], PAPER["iterations"]),
                *(figures["mean"], figures["sd"], looked.get(data, math.nan)),
                *(math.nan, kept.get(data, math.nan)),
            )
            for data, figures in PAPER["table2_seconds_per_iteration"][name].items()
        ]
    return NumberTable(("data", "method", *_SECONDS), tuple(rows))


_SECONDS = (
    *("iterations", "seconds_mean", "seconds_sd"),
    *("evaluations", "policies", "non_dominated"),
)


def policies_table(outcome: ExperimentResult) -> NumberTable:
    """Safe Harbor first, then alternatives, by what they join and their risk."""
    attributes = outcome.case.rule.space.attributes
    header = ("policy", *attributes, "risk", "found_alike")
    return NumberTable(header, tuple(_policy(each) for each in outcome.examples))


def _policy(each: Example) -> tuple[Cell, ...]:
    return (tr(KINDS[each.kind]), *each.generalizations, each.risk, each.n_alike)


def csv_of(numbers: NumberTable) -> bytes:
    """Numbers as CSV that a spreadsheet cannot execute: UTF-8, empty where unknown."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for row in (numbers.header, *numbers.rows):
        writer.writerow([_cell(each) for each in row])
    return text.getvalue().encode()


def _cell(each: Cell) -> str:
    if isinstance(each, str):
        return guard_text(each)
    return "" if math.isnan(each) else repr(each)
