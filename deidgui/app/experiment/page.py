"""Figures of the experiment, and the page with its tables and figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from deidgui import __version__
from deidgui.app.charts.base import Axis, Cell, LineChart, Numbers, Role, Series, Unit
from deidgui.app.charts.formats import count_text, number_text
from deidgui.app.charts.phrases import Phrase
from deidgui.app.experiment.case import Outcome
from deidgui.app.experiment.results import PAPER, notes, policies_table, seconds_table
from deidgui.app.report.blocks import (
    Bullets,
    Chart,
    KeyFigure,
    KeyFigures,
    Paragraph,
    Report,
    Section,
    Table,
    Terms,
)
from deidgui.app.report.html import page_of
from deidgui.app.report.lines import line_drawing
from deidgui.engine.arrays import FloatArray
from deidgui.engine.discover.experiment import Experiment, log_trend


@dataclass(frozen=True, eq=False)
class PaperFigure:
    """A chart of the experiment.

    Parameters
    ----------
    name : str
        Of its files.
    paper : str
        One sentence on what the paper found; empty if it has no such figure.
    """

    name: str
    chart: LineChart
    paper: str = ""


def figures_of(found: Experiment) -> tuple[PaperFigure, ...]:
    """Return the figures in the order of the paper."""
    return (
        PaperFigure(
            "figure6_cumulative_time",
            cumulative_time(found),
            "Figure 6 of the paper: straight lines for both methods, 109.5 s an "
            "iteration with directed search and 16.4 s with BPS on Adult.",
        ),
        PaperFigure(
            "figure7_time_trend",
            time_trend(found),
            "Figure 7 of the paper: R² of about 0.16.",
        ),
        PaperFigure(
            "figure8_non_dominated",
            non_dominated_found(found),
            "Figure 8 of the paper, on patients of a hospital: 95 with BPS and 83 with "
            "directed search of 100.",
        ),
        PaperFigure(
            "figure9_evaluations",
            cumulative_evaluations(found),
            "Figure 9 of the paper, on Adult: 670 with BPS and 5,140 with directed "
            "search for 100 policies.",
        ),
        PaperFigure("time_per_iteration", iteration_time(found)),
    )


RISK = (
    "The risk of a policy is the sum of 1 / g over the records, where g is the number "
    "of people in the population with the released values: how many records somebody "
    "who knows these values of everybody is expected to link to the right person."
)


def page_html(outcome: Outcome, figures: Sequence[PaperFigure]) -> bytes:
    """Return the page of an experiment.

    Returns
    -------
    bytes
        UTF-8; everything is inside.
    """
    found = outcome.experiment
    lead = (
        f"{count_text(outcome.case.cells.n_records)} records, "
        f"{outcome.case.rule.space.n_bits} bits per policy. {_searched(outcome)}"
    )
    keys = KeyFigures(
        (
            KeyFigure(_risk(outcome.case.rule.threshold), "threshold", "sum of 1 / g"),
            KeyFigure(
                count_text(int(found.bps.n_asked.sum())), "policies BPS looked at"
            ),
            KeyFigure(number_text(found.node_ratio), "times as many", "by Directed"),
            KeyFigure(number_text(found.time_ratio), "times as long", "by Directed"),
        )
    )
    sections = (
        Section("Policies", _policies(outcome)),
        Section("Seconds of an iteration", (_seconds(outcome),)),
        Section("Figures", tuple(_chart(each) for each in figures)),
        Section("What it rests on", _basis(outcome)),
    )
    footer = f"deidgui {__version__}. Repeats: {PAPER['title']}."
    made = f"deidgui {__version__}, seed {outcome.options.seed}"
    return page_of(
        Report(
            "Experiment: alternatives to Safe Harbor",
            outcome.case.facts["file"],
            made,
            lead,
            keys,
            sections,
            footer,
        )
    )


def _searched(outcome: Outcome) -> str:
    if outcome.every_policy_acceptable:
        return notes(outcome)[0]
    n = outcome.options.iterations
    return f"Both methods searched for {count_text(n)} policies at the boundary."


def _policies(outcome: Outcome) -> tuple[Paragraph | Table, ...]:
    numbers = policies_table(outcome)
    n = len(outcome.case.rule.space.attributes)
    table = _table(
        numbers,
        (0.17, *[0.56 / n] * n, 0.15, 0.12),
        "∅: nothing is joined. [52-53]: these values are released as one. Policies "
        "found by BPS were made as specific as the threshold allows.",
    )
    paper = Table(
        ("In the paper", "Joins", "Risk"),
        tuple(
            (_of_paper(each["kind"]), each["generalizes"], f"{each['risk']:.5f}")
            for each in PAPER["table3_van"]
        ),
        (0.3, 0.5, 0.2),
        (2,),
        "2,984 patients of a hospital in Tennessee (table 3 of the paper).",
    )
    return (Paragraph(RISK), table, paper)


def _of_paper(kind: str) -> str:
    return "Safe Harbor" if kind == "safe_harbor" else "Alternative"


def _seconds(outcome: Outcome) -> Table:
    return _table(
        seconds_table(outcome),
        (0.17, 0.12, 0.11, 0.13, 0.13, 0.13, 0.1, 0.11),
        "The paper's seconds are those of a machine of 2010: only the ratio of the "
        "methods compares.",
    )


def _chart(figure: PaperFigure) -> Chart:
    caption = f"{figure.chart.sentence.text()} {figure.paper}".strip()
    return Chart(line_drawing(figure.chart), caption)


def _basis(outcome: Outcome) -> tuple[Terms | Bullets, ...]:
    case, options = outcome.case, outcome.options
    population = case.facts["population"]
    state = f", {population['state']}" if population["state"] else ""
    rows = (
        ("Seed", str(options.seed)),
        ("Weights of BPS", options.weights),
        ("γ", f"{case.gamma:g}"),
        ("Population", f"{population['title']}{state}"),
        ("People", count_text(population["people"])),
        ("Cells are", population["basis"]),
        *(
            (f"Column for {each['subject']}", each["source"])
            for each in case.facts["mapping"]
        ),
        *(
            (f"Values of {each.attribute}", count_text(each.n_values))
            for each in case.rule.space.domains
        ),
        ("Risk without generalization", _risk(outcome.raw_risk)),
        ("Risk with everything joined", _risk(outcome.least_risk)),
    )
    found = tuple(notes(outcome))
    return (Terms(rows), *([Bullets(found)] if found else []))


def _table(numbers: Numbers, widths: tuple[float, ...], caption: str) -> Table:
    columns = list(zip(*numbers.rows, strict=True))
    right = tuple(
        place
        for place, column in enumerate(columns)
        if not any(isinstance(cell, str) for cell in column)
    )
    return Table(
        tuple(name.replace("_", " ") for name in numbers.header),
        tuple(tuple(_cell(cell) for cell in row) for row in numbers.rows),
        widths,
        right,
        caption,
    )


def _cell(cell: Cell) -> str:
    if isinstance(cell, str):
        return cell
    if isinstance(cell, int):
        return count_text(cell)
    return _risk(cell)


def _risk(number: float | None) -> str:
    """Number with five significant digits; nothing where there is none."""
    if number is None or number != number:
        return ""
    return f"{number:.5g}"


_MS = 1000.0
_ITERATIONS = Axis(Phrase("iterations"), Unit.COUNT)


def cumulative_time(found: Experiment) -> LineChart:
    """Milliseconds of all iterations so far (figure 6 of the paper)."""
    bps, directed = (
        np.cumsum(each.seconds) * _MS for each in (found.bps, found.directed)
    )
    params = {"bps": float(bps[-1]), "directed": float(directed[-1])}
    sentence = {**params, "n": len(bps), "ratio": found.time_ratio}
    return LineChart(
        Phrase("experiment_time"),
        Phrase("experiment_time_sentence", sentence),
        _both(bps, directed),
        _ITERATIONS,
        Axis(Phrase("all_milliseconds")),
    )


def iteration_time(found: Experiment) -> LineChart:
    """Milliseconds of each iteration of both methods."""
    bps, directed = (each.seconds * _MS for each in (found.bps, found.directed))
    params = {"bps": float(bps.mean()), "directed": float(directed.mean())}
    return LineChart(
        Phrase("experiment_each"),
        Phrase("experiment_each_sentence", params),
        _both(bps, directed),
        _ITERATIONS,
        Axis(Phrase("milliseconds")),
    )


def time_trend(found: Experiment) -> LineChart:
    """Milliseconds of each iteration of BPS, with a trend (figure 7 of the paper).

    Returns
    -------
    LineChart
        Without a trend if there is one iteration only.
    """
    times = found.bps.seconds * _MS
    places = _places(len(times))
    series = [Series(Phrase("bps"), times, Role.AFTER, places)]
    fit = 0.0
    if len(times) > 1:
        trend = log_trend(times)
        fit = trend.r_squared
        line = trend.a + trend.b * np.log(places)
        series.append(Series(Phrase("log_trend"), line, Role.BEFORE, places))
    return LineChart(
        Phrase("experiment_trend"),
        Phrase("experiment_trend_sentence", {"fit_share": max(fit, 0.0)}),
        tuple(series),
        _ITERATIONS,
        Axis(Phrase("milliseconds")),
    )


def non_dominated_found(found: Experiment) -> LineChart:
    """Non-dominated policies among the first x found (figure 8 of the paper)."""
    bps, directed = (
        each.n_non_dominated.astype(np.float64) for each in (found.bps, found.directed)
    )
    params = {"n": len(bps), "bps": int(bps[-1]), "directed": int(directed[-1])}
    return LineChart(
        Phrase("experiment_found"),
        Phrase("experiment_found_sentence", params),
        _both(bps, directed),
        _ITERATIONS,
        Axis(Phrase("non_dominated"), Unit.COUNT),
    )


def cumulative_evaluations(found: Experiment) -> LineChart:
    """Policies looked at by all iterations so far (figure 9 of the paper)."""
    bps, directed = (
        np.cumsum(each.n_asked).astype(np.float64)
        for each in (found.bps, found.directed)
    )
    params = {"n": len(bps), "bps": int(bps[-1]), "directed": int(directed[-1])}
    sentence = {**params, "ratio": found.node_ratio}
    return LineChart(
        Phrase("experiment_looked"),
        Phrase("experiment_looked_sentence", sentence),
        _both(bps, directed),
        _ITERATIONS,
        Axis(Phrase("all_evaluations"), Unit.COUNT),
    )


def _both(bps: FloatArray, directed: FloatArray) -> tuple[Series, Series]:
    places = _places(len(bps))
    return (
        Series(Phrase("bps"), bps, Role.AFTER, places),
        Series(Phrase("directed_search"), directed, Role.BEFORE, places),
    )


def _places(n: int) -> FloatArray:
    return np.arange(1, n + 1, dtype=np.float64)
