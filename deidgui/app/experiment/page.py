"""Figures of the experiment, and the page with its tables and figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from deidgui import __version__
from deidgui.app.charts.base import (
    Axis,
    AxisUnit,
    Cell,
    LineChart,
    NumberTable,
    Series,
    SeriesRole,
)
from deidgui.app.charts.formats import count_text, number_text
from deidgui.app.charts.phrases import Phrase
from deidgui.app.experiment.case import ExperimentResult
from deidgui.app.experiment.results import PAPER, notes, policies_table, seconds_table
from deidgui.app.report.blocks import (
    Bullets,
    KeyFigure,
    KeyFigures,
    Paragraph,
    Report,
    ReportChart,
    ReportTable,
    Section,
    Terms,
)
from deidgui.app.report.html import page_of
from deidgui.app.report.lines import line_drawing
from deidgui.engine.arrays import AnyArray, FloatArray
from deidgui.engine.discover.experiment import Experiment, log_trend
from deidgui.engine.discover.results import Discovery
from deidgui.text import tr


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
    """Return the figures in the order of the paper, then one that it does not have."""
    return (
        PaperFigure(
            "figure6_cumulative_time",
            cumulative_time(found),
            tr(
                "Figure 6 of the paper: straight lines for both methods, 109.5 s an "
                "iteration with directed search and 16.4 s with BPS on Adult."
            ),
        ),
        PaperFigure(
            "figure7_time_trend",
            time_trend(found),
            tr("Figure 7 of the paper: R² of about 0.16."),
        ),
        PaperFigure(
            "figure8_non_dominated",
            non_dominated_found(found),
            tr(
                "Figure 8 of the paper, on patients of a hospital: 95 with BPS and 83 "
                "with directed search of 100."
            ),
        ),
        PaperFigure(
            "figure9_evaluations",
            cumulative_evaluations(found),
            tr(
                "Figure 9 of the paper, on Adult: 670 with BPS and 5,140 with directed "
                "search for 100 policies."
            ),
        ),
        PaperFigure("time_per_iteration", iteration_time(found)),
    )


def page_html(outcome: ExperimentResult, figures: Sequence[PaperFigure]) -> bytes:
    """Return the page of an experiment.

    Returns
    -------
    bytes
        UTF-8; everything is inside.
    """
    case, found = outcome.case, outcome.experiment
    searched = tr(
        "Both methods searched for {n:policy|policies} at the boundary.",
        n=outcome.options.iterations,
    )
    if outcome.every_policy_acceptable:
        searched = notes(outcome)[0]
    keys = KeyFigures(
        (
            KeyFigure(_risk(case.rule.threshold), tr("threshold"), tr("sum of 1 / g")),
            KeyFigure(
                count_text(int(found.bps.n_asked.sum())), tr("policies BPS looked at")
            ),
            KeyFigure(
                number_text(found.node_ratio), tr("times as many"), tr("by Directed")
            ),
            KeyFigure(
                number_text(found.time_ratio), tr("times as long"), tr("by Directed")
            ),
        )
    )
    charts = [
        ReportChart(
            line_drawing(each.chart),
            f"{each.chart.sentence.text()} {each.paper}".strip(),
        )
        for each in figures
    ]
    return page_of(
        Report(
            tr("Experiment: alternatives to Safe Harbor"),
            case.facts["file"],
            f"deidgui {__version__}, seed {outcome.options.seed}",
            tr(
                "{n:record|records}, {bits} bits per policy.",
                n=case.cells.n_records,
                bits=case.rule.space.n_bits,
            )
            + f" {searched}",
            keys,
            (
                Section(tr("Policies"), tuple(_policies(outcome))),
                Section(tr("Seconds of an iteration"), (_seconds(outcome),)),
                Section(tr("Figures"), tuple(charts)),
                Section(tr("What it rests on"), tuple(_basis(outcome))),
            ),
            tr("deidgui {version}. Repeats:", version=__version__)
            + f" {PAPER['title']}.",
        )
    )


def _policies(outcome: ExperimentResult) -> Iterable[Paragraph | ReportTable]:
    yield Paragraph(
        tr(
            "The risk of a policy is the sum of 1 / g over the records, where g is the "
            "number of people in the population with the released values: how many "
            "records somebody who knows these values of everybody is expected to link "
            "to the right person."
        )
    )
    n = len(outcome.case.rule.space.attributes)
    yield _table(
        policies_table(outcome),
        (0.17, *[0.56 / n] * n, 0.15, 0.12),
        tr(
            "∅: nothing is joined. [52-53]: these values are released as one. Policies "
            "found by BPS were made as specific as the threshold allows."
        ),
    )
    kinds = {"safe_harbor": tr("Safe Harbor"), "alternative": tr("Alternative")}
    yield ReportTable(
        (tr("In the paper"), tr("Joins"), tr("Risk")),
        tuple(
            (kinds[each["kind"]], each["generalizes"], f"{each['risk']:.5f}")
            for each in PAPER["table3_van"]
        ),
        (0.3, 0.5, 0.2),
        (2,),
        tr("2,984 patients of a hospital in Tennessee (table 3 of the paper)."),
    )


def _seconds(outcome: ExperimentResult) -> ReportTable:
    return _table(
        seconds_table(outcome),
        (0.17, 0.12, 0.11, 0.13, 0.13, 0.13, 0.1, 0.11),
        tr(
            "The paper's seconds are those of a machine of 2010: only the ratio of the "
            "methods compares."
        ),
    )


def _basis(outcome: ExperimentResult) -> Iterable[Terms | Bullets]:
    case, options = outcome.case, outcome.options
    population = case.facts["population"]
    state = f", {population['state']}" if population["state"] else ""
    yield Terms(
        (
            (tr("Seed"), str(options.seed)),
            (tr("Weights of BPS"), options.weights),
            ("γ", f"{case.gamma:g}"),
            (tr("Population"), f"{population['title']}{state}"),
            (tr("People"), count_text(population["people"])),
            (tr("Cells are"), population["basis"]),
            *(
                (tr("Column for {subject}", subject=each["subject"]), each["source"])
                for each in case.facts["mapping"]
            ),
            *(
                (tr("Values of {name}", name=each.attribute), count_text(each.n_values))
                for each in case.rule.space.domains
            ),
            (tr("Risk without generalization"), _risk(outcome.raw_risk)),
            (tr("Risk with everything joined"), _risk(outcome.least_risk)),
        )
    )
    if found := tuple(notes(outcome)):
        yield Bullets(found)


def _table(
    numbers: NumberTable, widths: tuple[float, ...], caption: str
) -> ReportTable:
    columns = list(zip(*numbers.rows, strict=True))
    right = tuple(
        place
        for place, column in enumerate(columns)
        if not any(isinstance(cell, str) for cell in column)
    )
    return ReportTable(
        tuple(name.replace("_", " ") for name in numbers.header),
        tuple(tuple(map(_cell, row)) for row in numbers.rows),
        widths,
        right,
        caption,
    )


def _cell(cell: Cell) -> str:
    if isinstance(cell, str):
        return cell
    return count_text(cell) if isinstance(cell, int) else _risk(cell)


def _risk(number: float | None) -> str:
    """Number with five significant digits; nothing where there is none."""
    return "" if number is None or number != number else f"{number:.5g}"


_MS = 1000.0


def cumulative_time(found: Experiment) -> LineChart:
    """Milliseconds of all iterations so far (figure 6 of the paper)."""
    bps, directed = (each.seconds.cumsum() * _MS for each in _methods(found))
    params = {"n": len(bps), "ratio": found.time_ratio}
    return _both(
        "experiment_time",
        "experiment_time_sentence",
        bps,
        directed,
        params,
        "all_milliseconds",
    )


def iteration_time(found: Experiment) -> LineChart:
    """Milliseconds of each iteration of both methods."""
    bps, directed = (each.seconds * _MS for each in _methods(found))
    params = {"bps": float(bps.mean()), "directed": float(directed.mean())}
    return _both(
        "experiment_each",
        "experiment_each_sentence",
        bps,
        directed,
        params,
        "milliseconds",
    )


def non_dominated_found(found: Experiment) -> LineChart:
    """Non-dominated policies among the first x found (figure 8 of the paper)."""
    bps, directed = (each.n_non_dominated for each in _methods(found))
    return _both(
        "experiment_found",
        "experiment_found_sentence",
        bps,
        directed,
        {"n": len(bps)},
        "non_dominated",
    )


def cumulative_evaluations(found: Experiment) -> LineChart:
    """Policies looked at by all iterations so far (figure 9 of the paper)."""
    bps, directed = (each.n_asked.cumsum() for each in _methods(found))
    params = {"n": len(bps), "ratio": found.node_ratio}
    return _both(
        "experiment_looked",
        "experiment_looked_sentence",
        bps,
        directed,
        params,
        "all_evaluations",
    )


def time_trend(found: Experiment) -> LineChart:
    """Milliseconds of each iteration of BPS, with a trend (figure 7 of the paper).

    Returns
    -------
    LineChart
        Without a trend if there is one iteration only.
    """
    times = found.bps.seconds * _MS
    places, series, fit = (
        _places(len(times)),
        [_series("bps", times, SeriesRole.AFTER)],
        0.0,
    )
    if len(times) > 1:
        trend = log_trend(times)
        fit = max(trend.r_squared, 0.0)
        line = trend.a + trend.b * np.log(places)
        series.append(_series("log_trend", line, SeriesRole.BEFORE))
    params = {"fit_share": fit}
    return _chart(
        "experiment_trend",
        "experiment_trend_sentence",
        params,
        series,
        Axis(Phrase("milliseconds")),
    )


def _methods(found: Experiment) -> tuple[Discovery, Discovery]:
    return found.bps, found.directed


def _both(
    title: str,
    sentence: str,
    bps: AnyArray,
    directed: AnyArray,
    params: Mapping[str, float],
    y: str,
) -> LineChart:
    """Curves of both methods; the sentence names their last values."""
    unit = AxisUnit.COUNT if bps.dtype.kind == "i" else AxisUnit.NUMBER
    series = (
        _series("bps", bps, SeriesRole.AFTER),
        _series("directed_search", directed, SeriesRole.BEFORE),
    )
    last = {"bps": bps[-1].item(), "directed": directed[-1].item()}
    return _chart(title, sentence, {**last, **params}, series, Axis(Phrase(y), unit))


def _series(name: str, values: AnyArray, role: SeriesRole) -> Series:
    return Series(Phrase(name), values.astype(np.float64), role, _places(len(values)))


def _chart(
    title: str,
    sentence: str,
    params: Mapping[str, float],
    series: Sequence[Series],
    y: Axis,
) -> LineChart:
    x = Axis(Phrase("iterations"), AxisUnit.COUNT)
    words = Phrase(sentence, params)
    return LineChart(Phrase(title), words, tuple(series), x, y)


def _places(n: int) -> FloatArray:
    return np.arange(1, n + 1, dtype=np.float64)
