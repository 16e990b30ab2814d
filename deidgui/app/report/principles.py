"""What outsiders may know of each column, in the report."""

from __future__ import annotations

from deidgui.app.determination.principle_words import (
    apart_heads,
    apart_rows,
    open_words,
    principle_heads,
    principle_rows,
    reason_heads,
    reason_rows,
)
from deidgui.app.report.blocks import Block, Paragraph, ReportTable, Section
from deidgui.engine.evidence.document import Evidence
from deidgui.text import tr


def principle_section(evidence: Evidence) -> Section | None:
    """The three principles by column; None if nothing was said of any."""
    stated = evidence.principles
    if not stated:
        return None
    released = evidence.criteria.columns if evidence.criteria else ()
    blocks: list[Block] = []
    if words := open_words(stated):
        blocks.append(Paragraph(words, "caution"))
    blocks += [
        Paragraph(
            tr(
                "Replicability: how far a value stays the same. Availability: how "
                "easily it is got together with a name. Both were entered by people; "
                "the program checked none. Distinguishability is computed, in the "
                "second table: the share of people who are alone with their value, the "
                "share of all pairs of people that the column tells apart, and the "
                "share who are alone if one more quasi-identifier is known: the one "
                "that adds most. Columns that are no quasi-identifiers are released as "
                "they are in the input."
            )
        ),
        ReportTable(principle_heads(), principle_rows(stated), (0.34, 0.22, 0.2, 0.24)),
        ReportTable(
            apart_heads(),
            apart_rows(stated, released),
            (0.26, 0.12, 0.1, 0.14, 0.16, 0.22),
            right=(2, 3, 4),
        ),
        ReportTable(reason_heads(), reason_rows(stated), (0.24, 0.26, 0.28, 0.22)),
    ]
    return Section(tr("What outsiders may know of each column"), tuple(blocks))
