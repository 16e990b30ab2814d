"""The report as a PDF with the same content, pages numbered, fonts inside."""

from __future__ import annotations

import io
import itertools
import math
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple
from xml.sax.saxutils import escape

from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    CondPageBreak,
    Flowable,
    Frame,
    KeepTogether,
    LongTable,
    PageBreak,
    PageTemplate,
    Spacer,
    TableStyle,
)
from reportlab.platypus import Paragraph as Flowing

from deidgui.app.report.blocks import (
    PART,
    Block,
    Bullets,
    KeyFigures,
    Paragraph,
    Report,
    ReportChart,
    ReportTable,
    Section,
    SignatureLines,
    Terms,
)
from deidgui.app.report.contents import report_of
from deidgui.app.report.drawing import Drawing, Lettering, Path, Rectangle
from deidgui.engine.evidence.document import Evidence, digest_of
from deidgui.text import Text, escaped, tr

PLAIN, BOLD = "deidgui-plain", "deidgui-bold"
_FILES = {PLAIN: "Vera.ttf", BOLD: "VeraBd.ttf"}
"""Bitstream Vera, which comes with reportlab and may be embedded."""

INK, QUIET, RULE = HexColor("#1c2733"), HexColor("#5b6773"), HexColor("#d9dee4")
ACCENT, WASH, CAUTION = HexColor("#1f5f8b"), HexColor("#f5f7f9"), HexColor("#8a1c3b")

MARGIN = 19 * mm
WIDTH = A4[0] - 2 * MARGIN


class Fonts:
    """The two fonts, and what they lack."""

    def __init__(self) -> None:
        self.lacks = False
        for name, file in _FILES.items():
            pdfmetrics.registerFont(TTFont(name, file))
        self._glyphs = pdfmetrics.getFont(PLAIN).face.charToGlyph

    def known(self, text: str) -> str:
        """Replace characters without a glyph by their base letter, or leave a box.

        What steers a reader stands as its number (`escaped`).
        """
        text = escaped(text)
        if all(ord(letter) in self._glyphs for letter in text):
            return text
        text = _SYMBOL.sub(_name_of, text)
        return "".join(map(self._known_letter, text))

    def _known_letter(self, letter: str) -> str:
        if ord(letter) in self._glyphs:
            return letter
        if letter.isspace():
            # Thin and narrow spaces; a no-break one keeps numbers and units together.
            return "\u00a0" if letter in "\u2009\u202f" else " "
        self.lacks = True
        base = unicodedata.normalize("NFKD", letter)[0]
        return base if ord(base) in self._glyphs else letter

    def markup(self, text: str) -> str:
        """Text for a paragraph: known glyphs, escaped, line breaks kept."""
        return escape(self.known(text)).replace("\n", "<br/>")


_SYMBOL = re.compile(r"(?<!\w)[α-ω](?!\w)")
"""A Greek letter that stands alone is a symbol; within a word it is a letter."""


def _name_of(symbol: re.Match[str]) -> str:
    """Return the name of a Greek letter: sigma."""
    return unicodedata.name(symbol[0]).rpartition(" ")[2].lower()


class Styles:
    """Paragraph styles; sizes and leading on one scale."""

    def __init__(self, fonts: Fonts) -> None:
        self.fonts = fonts
        self.body = self._style("body", 9, 14, spaceAfter=5)
        self.lead = self._style("lead", 10.5, 16, spaceBefore=10, spaceAfter=8)
        self.kind = self._style("kind", 9, 12, BOLD, textColor=ACCENT)
        self.title = self._style("title", 20, 25, BOLD, spaceBefore=2, spaceAfter=2)
        self.heading = self._style(
            "heading", 12.5, 17, BOLD, spaceBefore=20, spaceAfter=5
        )
        self.note = self._style("note", 8, 11.5, textColor=QUIET, spaceAfter=6)
        self.cell = self._style("cell", 8.2, 11.6)
        self.right = self._style("right", 8.2, 11.6, alignment=2)
        self.header = self._style("header", 7.8, 11, BOLD, textColor=QUIET)
        self.header_right = self._style(
            "header-right", 7.8, 11, BOLD, textColor=QUIET, alignment=2
        )
        self.hash = self._style("hash", 6.2, 11.6, wordWrap="CJK")
        self.value = self._style("value", 14, 18, BOLD)
        self.caution = self._style("caution", 9, 14, textColor=CAUTION)
        self.bullet = self._style(
            "bullet", 9, 14, leftIndent=11, bulletIndent=1, spaceAfter=3
        )

    def _style(
        self, name: str, size: float, leading: float, font: str = PLAIN, **more: Any
    ) -> ParagraphStyle:
        base: dict[str, Any] = {"textColor": INK, "splitLongWords": 1}
        return ParagraphStyle(
            name, fontName=font, fontSize=size, leading=leading, **{**base, **more}
        )

    def text(self, text: str, style: ParagraphStyle) -> Flowing:
        """Paragraph of a text."""
        return Flowing(self.fonts.markup(text) or "&nbsp;", style)


class HorizontalLine(Flowable):  # type: ignore[misc] # reportlab has no types
    """A line across the page."""

    def __init__(self, color: HexColor, width: float) -> None:
        super().__init__()
        self._color, self._width = color, width

    def wrap(self, _width: float, _height: float) -> tuple[float, float]:
        """Room that is needed."""
        return WIDTH, 6

    def draw(self) -> None:
        """Draw at the place that was found."""
        self.canv.setStrokeColor(self._color)
        self.canv.setLineWidth(self._width)
        self.canv.line(0, 3, WIDTH, 3)


class Picture(Flowable):  # type: ignore[misc] # reportlab has no types
    """A drawing, as wide as the text."""

    def __init__(self, drawing: Drawing, fonts: Fonts) -> None:
        super().__init__()
        self._drawing, self._fonts = drawing, fonts
        self._scale = WIDTH / drawing.width

    def wrap(self, _width: float, _height: float) -> tuple[float, float]:
        """Room that is needed."""
        return WIDTH, self._drawing.height * self._scale

    def draw(self) -> None:
        """Draw at the place that was found."""
        canvas = self.canv
        canvas.saveState()
        canvas.scale(self._scale, self._scale)
        for shape in self._drawing.shapes:
            match shape:
                case Rectangle():
                    self._box(shape)
                case Path():
                    self._path(shape)
                case Lettering():
                    self._label(shape)
        canvas.restoreState()

    def _box(self, box: Rectangle) -> None:
        canvas, bottom = self.canv, self._drawing.height - box.y - box.height
        canvas.setFillColor(HexColor(box.fill))
        if box.stroke:
            canvas.setStrokeColor(HexColor(box.stroke))
            canvas.setLineWidth(0.8)
        stroke = int(box.stroke is not None)
        canvas.rect(box.x, bottom, box.width, box.height, stroke=stroke, fill=1)

    def _path(self, path: Path) -> None:
        canvas, height = self.canv, self._drawing.height
        canvas.setStrokeColor(HexColor(path.stroke))
        canvas.setLineWidth(path.width)
        canvas.setDash(list(path.dash))
        line = canvas.beginPath()
        (x, y), *rest = path.points
        line.moveTo(x, height - y)
        for x, y in rest:
            line.lineTo(x, height - y)
        canvas.drawPath(line)

    def _label(self, label: Lettering) -> None:
        canvas, y = self.canv, self._drawing.height - label.y
        canvas.setFillColor(HexColor(label.color))
        # Vera is wider than the fonts of the HTML report.
        canvas.setFont(BOLD if label.bold else PLAIN, label.size * 0.88)
        text = self._fonts.known(label.text)
        draw = {
            "start": canvas.drawString,
            "middle": canvas.drawCentredString,
            "end": canvas.drawRightString,
        }[label.anchor]
        draw(label.x, y, text)


class PagesOf(Flowable):  # type: ignore[misc] # reportlab has no types
    """Room for the pages on which parts of the dossier begin."""

    def __init__(self, parts: Sequence[str], style: ParagraphStyle) -> None:
        super().__init__()
        self._parts, self._style = parts, style

    def wrap(self, width: float, _height: float) -> tuple[float, float]:
        """Room that is needed: so many numbers fit into a line."""
        self._by_line = max(1, int((width + _SPACE) // _PLACE))
        n_lines = -(-len(self._parts) // self._by_line)
        return width, self._style.leading * max(1, n_lines)

    def draw(self) -> None:
        """Keep the place: the canvas fills it in when it knows the pages."""
        leading, size = self._style.leading, self._style.fontSize
        n_lines = -(-len(self._parts) // self._by_line)
        x, y = self.canv.absolutePosition(0, n_lines * leading)
        kept = _Kept((x, y - size), tuple(self._parts), self._by_line, self._style)
        self.canv.keep(kept)


_HEADING = 36
"""Points from the upper edge of a heading to where its section begins."""

_PLACE, _SPACE = 19, 5
"""Points that a page's number takes with its comma, at most, and the gap after it."""


class Begins(Flowable):  # type: ignore[misc] # reportlab has no types
    """Tells the canvas on which page a section begins."""

    def __init__(self, number: str, title: str) -> None:
        super().__init__()
        self._number, self._title = number, title

    def wrap(self, _width: float, _height: float) -> tuple[float, float]:
        """No room."""
        return 0, 0

    def draw(self) -> None:
        """Tell it."""
        _, y = self.canv.absolutePosition(0, 0)
        self.canv.begin(self._number, self._title, y)


class _Begun(NamedTuple):
    """Where a section begins, and what it is called."""

    page: int
    title: str
    y: float


class _Kept(NamedTuple):
    """Pages of parts that are not written yet: where, and how many fit into a line."""

    place: tuple[float, float]
    parts: tuple[str, ...]
    by_line: int
    style: ParagraphStyle


class NumberedCanvas(Canvas):  # type: ignore[misc] # reportlab has no types
    """Canvas that knows the pages of all parts before it writes the first."""

    text = ""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._pages: list[dict[str, Any]] = []
        self._begins: dict[str, _Begun] = {}
        self._kept: dict[int, list[_Kept]] = {}
        self._links = itertools.count()

    def begin(self, number: str, title: str, y: float) -> None:
        """Keep on which page a section begins, and at which height."""
        found = _Begun(len(self._pages) + 1, title, y)
        self._begins.setdefault(number, found)

    def keep(self, kept: _Kept) -> None:
        """Keep where the pages of parts are to be written."""
        self._kept.setdefault(len(self._pages) + 1, []).append(kept)

    def showPage(self) -> None:
        """Keep the page until the number of pages is known."""
        self._pages.append(dict(self.__dict__))
        self._startPage()

    def save(self) -> None:
        """Write every page with its number; sections are bookmarks."""
        self.showOutline()
        for number, page in enumerate(self._pages, start=1):
            self.__dict__.update(page)
            self._mark(number)
            self._footer(f"{number} / {len(self._pages)}")
            for each in self._kept.get(number, ()):
                self._fill(each)
            super().showPage()
        super().save()

    def _mark(self, page: int) -> None:
        """Make bookmarks of the sections that begin on a page."""
        for number, begun in self._begins.items():
            if begun.page == page:
                self.bookmarkPage(number, fit="XYZ", left=0, top=begun.y + _HEADING)
                words = f"{number}  {begun.title}"
                self.addOutlineEntry(words, number, level=int("." in number))

    def _fill(self, kept: _Kept) -> None:
        """Write each page once, also if several parts begin on it."""
        pages: dict[str, str] = {}
        for part in kept.parts:
            begun = self._begins.get(part)
            pages.setdefault(str(begun.page) if begun else "–", part)
        font, size = kept.style.fontName, kept.style.fontSize
        self.setFont(font, size)
        self.setFillColor(ACCENT)
        left, y = kept.place
        x = left
        for n, (words, part) in enumerate(pages.items(), start=1):
            self.drawString(x, y, words if n == len(pages) else f"{words},")
            width = self.stringWidth(words, font, size)
            if part in self._begins:
                # A name of its own: counting begins anew with each page.
                name = f"link {next(self._links)}"
                self.linkRect("", part, (x, y - 2, x + width, y + size), name=name)
            x += width + self.stringWidth(", ", font, size)
            if n % kept.by_line == 0:
                x, y = left, y - kept.style.leading

    def _footer(self, number: str) -> None:
        self.setFont(PLAIN, 7.5)
        self.setFillColor(QUIET)
        self.drawString(MARGIN, 11 * mm, self.text)
        self.drawRightString(A4[0] - MARGIN, 11 * mm, number)


SMALL_FONT_NOTE: Text = (
    "The font of this PDF lacks some of the characters used; they appear without "
    "accents or as boxes. report.html shows them."
)


def report_pdf(
    evidence: Evidence, edition: str | None = None, regime: str | None = None
) -> bytes:
    """Report of a release as PDF.

    Parameters
    ----------
    edition, regime : str, optional
        See `report_of`.

    Returns
    -------
    bytes
        The same for the same evidence and version of reportlab.
    """
    return pages_of(report_of(evidence, edition, regime), digest_of(evidence))


def pages_of(report: Report, digest: str) -> bytes:
    """Any report as PDF.

    Parameters
    ----------
    digest : str
        SHA-256 of what it says.
    """
    fonts = Fonts()
    story = list(_story(report, Styles(fonts)))
    if fonts.lacks:
        story.append(Flowing(tr(SMALL_FONT_NOTE), Styles(fonts).note))
    buffer = io.BytesIO()
    document = BaseDocTemplate(
        buffer,
        pagesize=A4,
        title=f"{report.subtitle} – {report.title}",
        author="",
        subject=f"SHA-256 {digest}",
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
    yield HorizontalLine(INK, 1.2)
    if report.headline:
        yield _caution(Paragraph(report.headline, "caution"), styles)
    yield styles.text(report.lead, styles.lead)
    yield from _flow(report.figures, styles)
    is_after_own = False
    for number, section in enumerate(report.sections, start=1):
        if section.own_page or is_after_own:
            yield PageBreak()
        yield from _section(section.number or str(number), section, styles)
        is_after_own = section.own_page


def _section(number: str, section: Section, styles: Styles) -> Iterator[Flowable]:
    """Heading that stays with what follows; signatures stay on one page."""
    title = styles.fonts.markup(section.title)
    mark = f'<font name="{PLAIN}" color="#5b6773">{number}</font>&nbsp;&nbsp; '
    heading = Flowing(mark + title, styles.heading)
    begins = Begins(number, styles.fonts.known(section.title))
    body = [each for block in section.blocks for each in _flow(block, styles)]
    if any(isinstance(block, SignatureLines) for block in section.blocks):
        # WORKAROUND reportlab 5: KeepTogether counts too little where spaces meet.
        yield CondPageBreak(min(_height([heading, *body]), _WHOLE))
        yield from (begins, heading, *body)
        return
    if not section.own_page:
        yield CondPageBreak(_opening(heading, body))
    if isinstance(body[0], LongTable):
        yield from (KeepTogether([heading, begins]), *body)
    else:
        yield from (KeepTogether([heading, begins, body[0]]), *body[1:])


_WHOLE = 600
"""Points: what is higher is not kept on one page."""

_LOW = 120
"""Points: a table that is not higher is not divided between pages."""


def _opening(heading: Flowable, body: Sequence[Flowable]) -> float:
    """Room below which a section begins on the next page: its first table is begun."""
    first = [heading, *body[:3]]
    tables = [at for at, each in enumerate(first) if isinstance(each, LongTable)]
    if not tables:
        return max(_LOW, _height(first[:2]))
    above = _height(first[: tables[0]])
    return min(_WHOLE, above + min(_LOW, _height([first[tables[0]]])))


def _height(flowables: Iterable[Flowable]) -> float:
    """Points that these take below one another at most."""
    return math.fsum(
        each.wrap(WIDTH, A4[1])[1] + each.getSpaceBefore() + each.getSpaceAfter()
        for each in flowables
    )


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
        case ReportTable():
            yield _table(block, styles)
            if block.caption:
                yield styles.text(block.caption, styles.note)
        case ReportChart():
            caption = styles.text(block.caption, styles.note)
            drawing = Picture(block.drawing, styles.fonts)
            yield KeepTogether([Spacer(0, 8), drawing, Spacer(0, 3), caption])
        case SignatureLines():
            yield _signature(block, styles)


# -- tables ----------------------------------------------------------------------------


_OF_PAGES = 3 * _PLACE
"""Points: the pages of three parts stand in a line."""


def _table(block: ReportTable, styles: Styles) -> Flowable:
    header = [
        styles.text(cell, styles.header_right if at in block.right else styles.header)
        for at, cell in enumerate(block.header)
    ]
    rows: list[list[Flowable]] = [
        [
            styles.text(cell, _cell_style(block, at, styles))
            for at, cell in enumerate(row)
        ]
        for row in block.rows
    ]
    widths = _column_widths(block, header)
    if block.parts is not None:
        header.append(styles.text(tr("Page"), styles.header))
        for row, cells in zip(block.rows, rows, strict=True):
            cells.append(PagesOf(PART.findall(row[block.parts]), styles.cell))
        # The widest column gives way.
        widths[widths.index(max(widths))] -= _OF_PAGES
        widths.append(_OF_PAGES)
    table = LongTable(
        [header, *rows],
        colWidths=widths,
        repeatRows=1,
        splitInRow=_splits(block.rows, block.widths),
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
    if len(rows) <= _FEW and _height([table]) <= _LOW:
        table.setStyle(TableStyle([("NOSPLIT", (0, 0), (-1, -1))]))
    return table


_FEW = 8
"""Rows of a table that may be low enough to stay on one page."""


_GAP = 13
"""Points between two columns."""


def _column_widths(block: ReportTable, header: Sequence[Flowing]) -> list[float]:
    """Widths as the table has them, wider where a word of its head would be cut."""
    widths = [share * WIDTH for share in block.widths]
    # A column has its gap at its right, but for the last one.
    words = [each.minWidth() + _GAP + 1 for each in header]
    words[-1] -= _GAP
    short = sum(max(0.0, n - w) for n, w in zip(words, widths, strict=True))
    spare = sum(max(0.0, w - n) for n, w in zip(words, widths, strict=True))
    if not 0 < short <= spare:
        return widths
    return [
        need + max(0.0, width - need) * (1 - short / spare)
        for need, width in zip(words, widths, strict=True)
    ]


_PADDING: list[tuple[Any, ...]] = [
    ("VALIGN", (0, 0), (-1, -1), "TOP"),
    ("LEFTPADDING", (0, 0), (-1, -1), 0),
    ("RIGHTPADDING", (0, 0), (-1, -1), _GAP),
    ("RIGHTPADDING", (-1, 0), (-1, -1), 0),
    ("TOPPADDING", (0, 0), (-1, -1), 3),
    ("BOTTOMPADDING", (0, 0), (-1, -1), 3.5),
]


def _cell_style(block: ReportTable, at: int, styles: Styles) -> ParagraphStyle:
    if block.header[at] == "SHA-256":
        return styles.hash
    return styles.right if at in block.right else styles.cell


def _caution(block: Paragraph, styles: Styles) -> Flowable:
    """Text behind a bar, so that it does not rest on colour alone."""
    table = LongTable(
        [[styles.text(block.text, styles.caution)]],
        colWidths=[WIDTH],
        splitInRow=1,
        spaceAfter=6,
    )
    bar = [
        ("LINEBEFORE", (0, 0), (0, -1), 2, CAUTION),
        ("LEFTPADDING", (0, 0), (-1, -1), 9),
    ]
    table.setStyle(TableStyle([*_PADDING, *bar]))
    return table


_OF_TERMS = (0.28, 0.72)

_LETTERS = 2500
"""That a page has in one column of its whole width, counted with room to spare."""


def _splits(rows: Iterable[Sequence[str]], widths: Sequence[float]) -> int:
    """Whether rows are divided between pages: only where one may be too high."""
    return int(
        any(
            len(cell) > _LETTERS * width or cell.count("\n") > 25
            for row in rows
            for cell, width in zip(row, widths, strict=True)
        )
    )


def _terms(block: Terms, styles: Styles) -> Flowable:
    rows = [
        [styles.text(term, styles.note), styles.text(text, styles.cell)]
        for term, text in block.rows
    ]
    table = LongTable(
        rows,
        colWidths=[share * WIDTH for share in _OF_TERMS],
        splitInRow=_splits(block.rows, _OF_TERMS),
        spaceBefore=3,
        spaceAfter=6,
    )
    table.setStyle(TableStyle(_PADDING))
    return table


def _key_figures(block: KeyFigures, styles: Styles) -> Flowable:
    # A row for each, so that the values stand on one line below names of any length.
    rows = [
        [styles.text(each.name, styles.note) for each in block.figures],
        [styles.text(each.value, styles.value) for each in block.figures],
        [styles.text(each.remark, styles.note) for each in block.figures],
    ]
    n = len(block.figures)
    table = LongTable(rows, colWidths=[WIDTH / n] * n, spaceBefore=4)
    table.setStyle(
        TableStyle(
            [
                ("BACKGROUND", (0, 0), (-1, -1), WASH),
                ("BOX", (0, 0), (-1, -1), 0.5, RULE),
                ("LINEBEFORE", (1, 0), (-1, -1), 0.5, RULE),
                ("TOPPADDING", (0, 0), (-1, -1), 0),
                ("TOPPADDING", (0, 0), (-1, 0), 7),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 0),
                ("BOTTOMPADDING", (0, -1), (-1, -1), 3),
                ("NOSPLIT", (0, 0), (-1, -1)),
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ]
        )
    )
    return table


def _signature(block: SignatureLines, styles: Styles) -> Flowable:
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
