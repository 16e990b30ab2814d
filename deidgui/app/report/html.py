"""The report as one HTML file that needs nothing else."""

from __future__ import annotations

from collections.abc import Collection
from typing import NoReturn

import jinja2
from markupsafe import Markup, escape

from deidgui import resources
from deidgui.app.report.blocks import PART, Block, Report
from deidgui.app.report.contents import report_of
from deidgui.app.report.drawing import Drawing, svg
from deidgui.engine.evidence.document import Evidence
from deidgui.text import escaped


def report_html(
    evidence: Evidence, edition: str | None = None, regime: str | None = None
) -> bytes:
    """Report of a release as HTML.

    Parameters
    ----------
    edition, regime : str, optional
        See `report_of`.

    Returns
    -------
    bytes
        UTF-8; the same for the same evidence. Styles and charts are inside; no
        script, no picture from elsewhere, and links to its own parts alone.
    """
    return page_of(report_of(evidence, edition, regime))


def page_of(report: Report) -> bytes:
    """Any report as HTML.

    Returns
    -------
    bytes
        UTF-8 (see `report_html`).
    """
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, keep_trailing_newline=True
    )
    source = resources.path("report", "report.html.j2").read_text(encoding="utf-8")
    template = environment.from_string(source)
    numbers = frozenset(each.number for each in report.sections)

    def linked(cell: str) -> Markup:
        """Names of parts as links to them."""
        return Markup(PART.sub(lambda part: _link(part[0], numbers), escape(cell)))

    # Names and labels come from strangers; none may turn what stands beside it.
    page = template.render(
        report=report, kind=_kind, unknown=_unknown, svg=_svg, linked=linked
    )
    return escaped(page).encode()


def _unknown(name: str) -> NoReturn:
    raise AssertionError(f"no way to show a {name}")


def _kind(block: Block) -> str:
    return type(block).__name__


def _link(part: str, numbers: Collection[str]) -> str:
    return f'<a href="#{part}">{part}</a>' if part in numbers else part


def _svg(drawing: Drawing) -> Markup:
    # Texts inside were escaped when the drawing became SVG.
    return Markup(svg(drawing))
