"""The report of a release: HTML and PDF made from its evidence alone."""

from deidgui.app.report.html import report_html
from deidgui.app.report.pdf import report_pdf

__all__ = ["report_html", "report_pdf"]
