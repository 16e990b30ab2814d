"""All that a report says, made from the evidence alone."""

from __future__ import annotations

from deidgui.app.report.baseline_section import baseline_section
from deidgui.app.report.blocks import Report
from deidgui.app.report.closing import (
    assumption_section,
    date_text,
    file_section,
    limit_section,
    safe_harbor_section,
    search_section,
    signature_section,
)
from deidgui.app.report.data_sections import (
    missing_section,
    quality_section,
    suppressed_section,
)
from deidgui.app.report.risk_section import risk_section
from deidgui.app.report.sections import (
    key_figures,
    lead,
    policy_section,
    released_section,
    threshold_section,
)
from deidgui.engine.evidence.document import Evidence
from deidgui.text import tr

SECTIONS = (
    released_section,
    policy_section,
    threshold_section,
    risk_section,
    baseline_section,
    suppressed_section,
    quality_section,
    missing_section,
    search_section,
    assumption_section,
    limit_section,
    safe_harbor_section,
    file_section,
    signature_section,
)
"""Sections in the order in which they are read; one may have nothing to say."""


def report_of(evidence: Evidence) -> Report:
    """Write the report of a release.

    Returns
    -------
    Report
        PRIVACY: shows released labels, never another value of the input.
    """
    created = date_text(evidence.created)
    title = evidence.title or tr("Untitled")
    return Report(
        title=tr("De-identification report"),
        subtitle=title,
        made=f"{created} · deidgui {evidence.deidgui}",
        lead=lead(evidence),
        figures=key_figures(evidence),
        sections=[each for make in SECTIONS if (each := make(evidence)) is not None],
        footer=f"{title} · {created}",
    )
