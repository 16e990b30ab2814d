"""What has changed since an earlier release, in the report of a release."""

from __future__ import annotations

from deidgui.app.dossier.drift_words import (
    drift_heads,
    drift_rows,
    drift_words,
    trigger_words,
)
from deidgui.app.entered import signature_words
from deidgui.app.report.blocks import Block, Bullets, Paragraph, ReportTable, Section
from deidgui.engine.evidence.document import Evidence
from deidgui.text import tr


def drift_section(evidence: Evidence) -> Section | None:
    """Changes since the earlier release; None if the project names none."""
    drift = evidence.drift
    if drift is None:
        return None
    blocks: list[Block] = [Paragraph(drift_words(drift))]
    if drift.by:
        by = signature_words(drift.by, drift.on)
        words = tr("Who chose the earlier release: {by}.", by=by)
        blocks.append(Paragraph(words))
    if drift.met:
        lines = tuple(trigger_words(drift, kind) for kind in drift.met)
        blocks.append(Bullets(lines))
    else:
        blocks.append(Paragraph(tr("No trigger that the program measures is met.")))
    if drift.columns:
        blocks.append(
            ReportTable(drift_heads(), drift_rows(drift), (0.35, 0.25, 0.4), right=(1,))
        )
    return Section(tr("Changes since the earlier release"), tuple(blocks))
