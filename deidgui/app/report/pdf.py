"""The report as a PDF."""

from deidgui.engine.evidence.document import Evidence


def report_pdf(evidence: Evidence) -> bytes:
    """Report of a release."""
    return b"%PDF-1.4\n" + evidence.deidgui.encode()
