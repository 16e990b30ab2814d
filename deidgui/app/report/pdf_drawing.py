"""Lines, drawings and page numbers on the pages of the PDF report."""

from __future__ import annotations

from typing import Any

from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable

from deidgui.app.report.drawing import Box, Drawing, Label, Path
from deidgui.app.report.pdf_styles import BOLD, MARGIN, PLAIN, QUIET, WIDTH, Fonts


class Rule(Flowable):  # type: ignore[misc] # reportlab has no types
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
                case Box():
                    self._box(shape)
                case Path():
                    self._path(shape)
                case Label():
                    self._label(shape)
        canvas.restoreState()

    def _box(self, box: Box) -> None:
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

    def _label(self, label: Label) -> None:
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


class NumberedCanvas(Canvas):  # type: ignore[misc] # reportlab has no types
    """Canvas that knows the number of pages before it writes the first."""

    text = ""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._pages: list[dict[str, Any]] = []

    def showPage(self) -> None:
        """Keep the page until the number of pages is known."""
        self._pages.append(dict(self.__dict__))
        self._startPage()

    def save(self) -> None:
        """Write every page with its number."""
        for number, page in enumerate(self._pages, start=1):
            self.__dict__.update(page)
            self._footer(f"{number} / {len(self._pages)}")
            super().showPage()
        super().save()

    def _footer(self, number: str) -> None:
        self.setFont(PLAIN, 7.5)
        self.setFillColor(QUIET)
        self.drawString(MARGIN, 11 * mm, self.text)
        self.drawRightString(A4[0] - MARGIN, 11 * mm, number)
