"""What stands in the released cells, in the report: length, and identifiers found."""

from __future__ import annotations

from deidgui.app.charts.formats import count_text
from deidgui.app.report.blocks import Block, Paragraph, ReportTable, Section
from deidgui.engine.evidence.document import CellsOfColumn, Evidence
from deidgui.text import tr


def cell_section(evidence: Evidence) -> Section | None:
    """Longest cell and identifiers by column; None in evidence of earlier versions."""
    stated = evidence.cells
    if stated is None:
        return None
    kinds = "; ".join(map(tr, stated.kinds))
    words = tr(
        "The program has looked into every cell of the released table for: {kinds}. "
        "It finds these by their form and by lists of frequent names. What has "
        "another form is not found, and nobody has read the texts.",
        kinds=kinds,
    )
    blocks: list[Block] = [Paragraph(words)]
    if hits := [each.attribute for each in stated.columns if each.found]:
        names = ", ".join(hits)
        words = tr("Such identifiers were found in: {names}.", names=names)
        blocks.append(Paragraph(words, "caution"))
    header = (
        tr("Column"),
        tr("Cells"),
        tr("Longest cell, characters"),
        tr("Most words"),
        tr("Cells with identifiers"),
    )
    rows = tuple(map(_row, stated.columns))
    blocks.append(ReportTable(header, rows, (0.26, 0.13, 0.15, 0.11, 0.35), (1, 2, 3)))
    return Section(tr("Free text, images, genomes"), tuple(blocks))


def _row(each: CellsOfColumn) -> tuple[str, ...]:
    found = "; ".join(
        tr("{kind}: {n}", kind=tr(kind), n=count_text(n))
        for kind, n in each.found.items()
    )
    return (
        each.attribute,
        count_text(each.cells),
        count_text(each.longest),
        count_text(each.most_words),
        found or tr("none found"),
    )
