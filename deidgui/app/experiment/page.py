"""The page of an experiment: tables and figures, each with a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from deidgui import __version__
from deidgui.app.charts.base import Cell, Numbers
from deidgui.app.charts.formats import count_text, number_text
from deidgui.app.experiment.case import Outcome
from deidgui.app.experiment.describe import notes
from deidgui.app.experiment.figures import Figure
from deidgui.app.experiment.published import PAPER
from deidgui.app.experiment.tables import policies_table, seconds_table
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

RISK = (
    "The risk of a policy is the sum of 1 / g over the records, where g is the number "
    "of people in the population with the released values: how many records somebody "
    "who knows these values of everybody is expected to link to the right person."
)


def page_html(outcome: Outcome, figures: Sequence[Figure]) -> bytes:
    """Return the page of an experiment.

    Returns
    -------
    bytes
        UTF-8; everything is inside.
    """
    facts = outcome.case.facts
    name = str(facts.get("file", "the current project"))
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
    made = f"deidgui {__version__}, seed {outcome.choice.seed}"
    return page_of(
        Report(
            "Experiment: alternatives to Safe Harbor",
            name,
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
    n = outcome.choice.n_iterations
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


def _chart(figure: Figure) -> Chart:
    caption = f"{figure.chart.sentence.text()} {figure.paper}".strip()
    return Chart(line_drawing(figure.chart), caption)


def _basis(outcome: Outcome) -> tuple[Terms | Bullets, ...]:
    case, choice = outcome.case, outcome.choice
    facts: dict[str, Any] = dict(case.facts)
    rows = [("Seed", str(choice.seed)), ("Weights of BPS", choice.weights)]
    rows.append(("γ", f"{case.gamma:g}"))
    population = facts.get("population")
    if population:
        state = f", {population['state']}" if population["state"] else ""
        rows.append(("Population", f"{population['title']}{state}"))
        rows.append(("People", f"{count_text(population['people'])}"))
        rows.append(("Cells are", population["basis"]))
    rows += [
        (f"Column for {each['subject']}", each["source"])
        for each in facts.get("mapping", ())
    ]
    rows += [
        (f"Values of {each.attribute}", count_text(each.n_values))
        for each in case.rule.space.domains
    ]
    rows.append(("Risk without generalization", _risk(outcome.raw_risk)))
    rows.append(("Risk with everything joined", _risk(outcome.least_risk)))
    remarks = tuple(notes(outcome))
    return (Terms(tuple(rows)), *([Bullets(remarks)] if remarks else []))


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
