"""The report as a PDF with the same content, pages numbered, fonts inside."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.platypus import (
    BaseDocTemplate,
    CondPageBreak,
    Flowable,
    Frame,
    KeepTogether,
    LongTable,
    PageTemplate,
    Spacer,
    TableStyle,
)
from reportlab.platypus import Paragraph as Flowing

from deidgui.app.report.blocks import (
    Block,
    Bullets,
    Chart,
    KeyFigures,
    Paragraph,
    Report,
    Section,
    Signature,
    Table,
    Terms,
)
from deidgui.app.report.contents import report_of
from deidgui.app.report.pdf_drawing import NumberedCanvas, Picture, Rule
from deidgui.app.report.pdf_styles import (
    CAUTION,
    INK,
    MARGIN,
    PLAIN,
    RULE,
    WASH,
    WIDTH,
    Fonts,
    Styles,
)
from deidgui.engine.evidence.document import Evidence
from deidgui.text import Text, tr

SMALL_FONT_NOTE: Text = (
    "The font of this PDF lacks some of the characters used; they appear without "
    "accents or as boxes. report.html shows them."
)


def report_pdf(evidence: Evidence) -> bytes:
    """Report of a release as PDF.

    Returns
    -------
    bytes
        The same for the same evidence and version of reportlab.
    """
    fonts = Fonts()
    report = report_of(evidence)
    story = list(_story(report, Styles(fonts)))
    if fonts.lacks:
        story.append(Flowing(tr(SMALL_FONT_NOTE), Styles(fonts).note))
    buffer = io.BytesIO()
    document = BaseDocTemplate(
        buffer,
        pagesize=A4,
        title=f"{report.subtitle} – {report.title}",
        author="",
        invariant=1,
        lang="en",
    )
    frame = Frame(
        MARGIN, 20 * mm, WIDTH, A4[1] - 38 * mm, leftPadding=0, rightPadding=0
    )
    document.addPageTemplates(PageTemplate("page", [frame]))
    footer = fonts.known(report.footer)

    class Numbered(NumberedCanvas):
        text = footer

    document.build(story, canvasmaker=Numbered)
    return buffer.getvalue()


def _story(report: Report, styles: Styles) -> Iterator[Flowable]:
    yield styles.text(report.title, styles.kind)
    yield styles.text(report.subtitle, styles.title)
    yield styles.text(report.made, styles.note)
    yield Rule(INK, 1.2)
    yield styles.text(report.lead, styles.lead)
    yield from _flow(report.figures, styles)
    for number, section in enumerate(report.sections, start=1):
        yield from _section(number, section, styles)


def _section(number: int, section: Section, styles: Styles) -> Iterator[Flowable]:
    """Heading that stays with what follows; signatures stay on one page."""
    title = styles.fonts.markup(section.title)
    mark = f'<font name="{PLAIN}" color="#5b6773">{number}</font>&nbsp;&nbsp; '
    heading = Flowing(mark + title, styles.heading)
    body = [each for block in section.blocks for each in _flow(block, styles)]
    if any(isinstance(block, Signature) for block in section.blocks):
        yield KeepTogether([heading, *body])
        return
    yield CondPageBreak(42 * mm)
    if isinstance(body[0], LongTable):
        yield from (heading, *body)
    else:
        yield from (KeepTogether([heading, body[0]]), *body[1:])


def _flow(block: Block, styles: Styles) -> Iterator[Flowable]:
    match block:
        case Paragraph():
            if block.style == "caution":
                yield _caution(block, styles)
            else:
                style = styles.lead if block.style == "lead" else styles.body
                yield styles.text(block.text, style)
        case Bullets():
            for item in block.items:
                mark = "<bullet>•</bullet>"
                yield Flowing(mark + styles.fonts.markup(item), styles.bullet)
            yield Spacer(0, 3)
        case Terms():
            yield _terms(block, styles)
        case KeyFigures():
            yield _key_figures(block, styles)
        case Table():
            yield _table(block, styles)
            if block.caption:
                yield styles.text(block.caption, styles.note)
        case Chart():
            caption = styles.text(block.caption, styles.note)
            drawing = Picture(block.drawing, styles.fonts)
            yield KeepTogether([Spacer(0, 8), drawing, Spacer(0, 3), caption])
        case Signature():
            yield _signature(block, styles)


# -- tables ----------------------------------------------------------------------------


def _table(block: Table, styles: Styles) -> Flowable:
    header = [
        styles.text(cell, styles.header_right if at in block.right else styles.header)
        for at, cell in enumerate(block.header)
    ]
    rows = [
        [
            styles.text(cell, _cell_style(block, at, styles))
            for at, cell in enumerate(row)
        ]
        for row in block.rows
    ]
    table = LongTable(
        [header, *rows],
        colWidths=[share * WIDTH for share in block.widths],
        repeatRows=1,
        spaceBefore=5,
        spaceAfter=7,
    )
    table.setStyle(
        TableStyle(
            [
                *_PADDING,
                ("LINEBELOW", (0, 0), (-1, 0), 0.7, INK),
                ("LINEBELOW", (0, 1), (-1, -1), 0.4, RULE),
                ("VALIGN", (0, 0), (-1, 0), "BOTTOM"),
            ]
        )
    )
    return table


_PADDING: list[tuple[Any, ...]] = [
    ("VALIGN", (0, 0), (-1, -1), "TOP"),
    ("LEFTPADDING", (0, 0), (-1, -1), 0),
    ("RIGHTPADDING", (0, 0), (-1, -1), 13),
    ("RIGHTPADDING", (-1, 0), (-1, -1), 0),
    ("TOPPADDING", (0, 0), (-1, -1), 3),
    ("BOTTOMPADDING", (0, 0), (-1, -1), 3.5),
]


def _cell_style(block: Table, at: int, styles: Styles) -> ParagraphStyle:
    if block.header[at] == "SHA-256":
        return styles.hash
    return styles.right if at in block.right else styles.cell


def _caution(block: Paragraph, styles: Styles) -> Flowable:
    """Text behind a bar, so that it does not rest on colour alone."""
    table = LongTable(
        [[styles.text(block.text, styles.caution)]], colWidths=[WIDTH], spaceAfter=6
    )
    bar = [
        ("LINEBEFORE", (0, 0), (0, -1), 2, CAUTION),
        ("LEFTPADDING", (0, 0), (-1, -1), 9),
    ]
    table.setStyle(TableStyle([*_PADDING, *bar]))
    return table


def _terms(block: Terms, styles: Styles) -> Flowable:
    rows = [
        [styles.text(term, styles.note), styles.text(text, styles.cell)]
        for term, text in block.rows
    ]
    table = LongTable(
        rows, colWidths=[0.28 * WIDTH, 0.72 * WIDTH], spaceBefore=3, spaceAfter=6
    )
    table.setStyle(TableStyle(_PADDING))
    return table


def _key_figures(block: KeyFigures, styles: Styles) -> Flowable:
    cells = [
        [
            styles.text(each.name, styles.note),
            styles.text(each.value, styles.value),
            styles.text(each.remark, styles.note),
        ]
        for each in block.figures
    ]
    table = LongTable(
        [cells], colWidths=[WIDTH / len(cells)] * len(cells), spaceBefore=4
    )
    table.setStyle(
        TableStyle(
            [
                ("BACKGROUND", (0, 0), (-1, -1), WASH),
                ("BOX", (0, 0), (-1, -1), 0.5, RULE),
                ("LINEBEFORE", (1, 0), (-1, -1), 0.5, RULE),
                ("TOPPADDING", (0, 0), (-1, -1), 7),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 3),
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ]
        )
    )
    return table


def _signature(block: Signature, styles: Styles) -> Flowable:
    shares = (0.28, 0.27, 0.17, 0.28)
    gap = 14
    row: list[Any] = []
    widths: list[float] = []
    for field, share in zip(block.fields, shares, strict=True):
        row += [styles.text(field, styles.note), ""]
        widths += [share * (WIDTH - 3 * gap), gap]
    table = LongTable([row[:-1]], colWidths=widths[:-1], spaceBefore=40)
    lines = [
        ("LINEABOVE", (2 * at, 0), (2 * at, 0), 0.7, INK)
        for at in range(len(block.fields))
    ]
    table.setStyle(TableStyle([*_PADDING, *lines]))
    return table
