"""What risks become if one thing is otherwise, in the report of a release."""

from __future__ import annotations

from deidgui.app.dossier.sensitivity_words import (
    people_heads,
    people_rows,
    people_words,
    sensitivity_heads,
    sensitivity_rows,
    sensitivity_words,
    unmeasured_words,
)
from deidgui.app.report.blocks import Block, Paragraph, ReportTable, Section
from deidgui.engine.evidence.document import Evidence
from deidgui.text import tr


def sensitivity_section(evidence: Evidence) -> Section | None:
    """Cases of the sensitivity table; None if the context was not stated."""
    cases = evidence.sensitivity
    if not cases:
        return None
    heads = sensitivity_heads(cases)
    n_figures = len(heads) - 1
    widths = (0.3, *(0.7 / n_figures for _ in range(n_figures)))
    table = ReportTable(
        heads, sensitivity_rows(cases), widths, right=tuple(range(1, n_figures))
    )
    gaps = unmeasured_words(evidence.criteria)
    more: tuple[Block, ...] = () if gaps is None else (Paragraph(gaps, "caution"),)
    words = Paragraph(" ".join(sensitivity_words()))
    people = people_rows(cases)
    if people:
        heads = people_heads(cases)
        n_figures = len(heads) - 1
        widths = (0.3, *(0.7 / n_figures for _ in range(n_figures)))
        right = tuple(range(1, n_figures + 1))
        of_people = ReportTable(heads, people, widths, right=right)
        more = (*more, Paragraph(people_words(cases)), of_people)
    return Section(tr("Sensitivity"), (words, table, *more))
