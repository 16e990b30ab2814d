"""What was tried to find people in a release, in its report."""

from __future__ import annotations

from deidgui.app.dossier.intruder_words import KINDS, caution_words, result_words
from deidgui.app.report.blocks import Paragraph, ReportTable, Section
from deidgui.engine.evidence.document import Evidence
from deidgui.text import tr


def intruder_section(evidence: Evidence) -> Section | None:
    """Tests by motivated intruders; None if none was recorded."""
    if evidence.dossier is None or not evidence.dossier.intruder_tests:
        return None
    rows = tuple(
        (
            tr("{kind}: {name}", kind=tr(KINDS[each.kind]), name=each.tried_by),
            "\n".join(filter(None, (each.tested, each.sources))),
            result_words(each.targets, each.hours, each.claimed, each.verified),
            ", ".join(filter(None, (each.by, each.on))),
        )
        for each in evidence.dossier.intruder_tests
    )
    header = (
        tr("Who tried"),
        tr("Table and sources"),
        tr("What came of it"),
        tr("Entered by"),
    )
    table = ReportTable(header, rows, (0.25, 0.3, 0.27, 0.18))
    return Section(tr("Motivated intruder test"), (Paragraph(caution_words()), table))
