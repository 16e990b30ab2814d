"""The fonts, sizes and colours of the PDF report."""

from __future__ import annotations

import unicodedata
from typing import Any
from xml.sax.saxutils import escape

from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import Paragraph as Flowing

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
        """Replace characters without a glyph by their base letter, or leave a box."""
        if all(ord(letter) in self._glyphs for letter in text):
            return text
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
