"""The tables of the experiment, in the form of the paper's tables 2 and 3."""

from __future__ import annotations

import csv
import io
import math

from deidgui.app.charts.base import Cell, Numbers
from deidgui.app.experiment.case import Example, Outcome
from deidgui.app.experiment.describe import method_of
from deidgui.app.experiment.published import PAPER
from deidgui.engine.transform.spreadsheet import guard_text

TITLES = {"bps": "BPS", "directed": "Directed"}
KINDS = {
    "safe_harbor": "Safe Harbor",
    "policy": "baseline",
    "one_join": "joins one pair",
    "found": "found by BPS",
}


def seconds_table(outcome: Outcome) -> Numbers:
    """Mean and deviation of the seconds of an iteration, with those of the paper.

    Returns
    -------
    Numbers
        A row per method and data; NaN where nobody said.
    """
    found = outcome.experiment
    rows: list[tuple[Cell, ...]] = []
    for name, each in (("directed", found.directed), ("bps", found.bps)):
        method = method_of(each)
        rows.append(
            (
                "this data",
                TITLES[name],
                method["iterations"],
                method["seconds_mean"],
                math.nan if method["seconds_sd"] is None else method["seconds_sd"],
                method["evaluations"],
                method["policies"],
                method["non_dominated"],
            )
        )
    for name in ("directed", "bps"):
        for data, figures in PAPER["table2_seconds_per_iteration"][name].items():
            rows.append(_published(name, data, figures))
    header = (
        *("data", "method", "iterations", "seconds_mean", "seconds_sd"),
        *("evaluations", "policies", "non_dominated"),
    )
    return Numbers(header, tuple(rows))


def _published(name: str, data: str, figures: dict[str, float]) -> tuple[Cell, ...]:
    looked = PAPER["figure9_adult_evaluations"][name] if data == "adult" else math.nan
    kept = PAPER["figure8_van_non_dominated"][name] if data == "van" else math.nan
    return (
        *(f"paper, {data}", TITLES[name], PAPER["iterations"]),
        *(figures["mean"], figures["sd"], looked, math.nan, kept),
    )


def policies_table(outcome: Outcome) -> Numbers:
    """Safe Harbor first, then alternatives, by what they join and their risk."""
    attributes = outcome.case.rule.space.attributes
    header = ("policy", *attributes, "risk", "found_alike")
    return Numbers(header, tuple(_policy(each) for each in outcome.examples))


def _policy(each: Example) -> tuple[Cell, ...]:
    return (KINDS[each.kind], *each.generalizations, each.risk, each.n_alike)


def csv_of(numbers: Numbers) -> bytes:
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
