"""The figures of the experiment, with what the paper says beside them."""

from __future__ import annotations

from dataclasses import dataclass

from deidgui.app.charts.base import LineChart
from deidgui.app.charts.experiment import (
    cumulative_evaluations,
    cumulative_time,
    iteration_time,
    non_dominated_found,
    time_trend,
)
from deidgui.engine.discover.experiment import Experiment


@dataclass(frozen=True, eq=False)
class Figure:
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


def figures_of(found: Experiment) -> tuple[Figure, ...]:
    """Return the figures in the order of the paper."""
    return (
        Figure(
            "figure6_cumulative_time",
            cumulative_time(found),
            "Figure 6 of the paper: straight lines for both methods, 109.5 s an "
            "iteration with directed search and 16.4 s with BPS on Adult.",
        ),
        Figure(
            "figure7_time_trend",
            time_trend(found),
            "Figure 7 of the paper: R² of about 0.16.",
        ),
        Figure(
            "figure8_non_dominated",
            non_dominated_found(found),
            "Figure 8 of the paper, on patients of a hospital: 95 with BPS and 83 with "
            "directed search of 100.",
        ),
        Figure(
            "figure9_evaluations",
            cumulative_evaluations(found),
            "Figure 9 of the paper, on Adult: 670 with BPS and 5,140 with directed "
            "search for 100 policies.",
        ),
        Figure("time_per_iteration", iteration_time(found)),
    )
