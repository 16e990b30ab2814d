"""How words are put at a point of a plot."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter
from PySide6.QtWidgets import QGraphicsItem

PAD = 3.0


class Note(QGraphicsItem):
    """One line of text that keeps its size and is never read as markup.

    pyqtgraph's own text item draws its background at the wrong place in pictures for
    paper, because it sets the transformation of the screen there.

    Parameters
    ----------
    colour : str
        As ``#rrggbb``.
    anchor : tuple of float
        Which point of the text stands at the place: (0, 0) top left, (1, 1) bottom
        right.
    background : QColor, optional
        Fill behind the text.
    """

    def __init__(
        self,
        text: str,
        font: QFont,
        colour: str,
        anchor: tuple[float, float],
        background: QColor | None = None,
    ) -> None:
        super().__init__()
        self.text = text
        self._font, self._colour, self._background = font, QColor(colour), background
        self.setFlag(self.GraphicsItemFlag.ItemIgnoresTransformations)
        metrics = QFontMetricsF(font)
        self._ascent = metrics.ascent()
        width = metrics.horizontalAdvance(text) + 2 * PAD
        height = metrics.height()
        self._rect = QRectF(-anchor[0] * width, -anchor[1] * height, width, height)

    @property
    def size(self) -> QSizeF:
        """Room that the text takes, in pixels."""
        return self._rect.size()

    def stand(self, left: float, top: float) -> None:
        """Put the text elsewhere beside its place, by pixels from there."""
        self.prepareGeometryChange()
        self._rect.moveTo(left, top)

    def boundingRect(self) -> QRectF:
        return self._rect

    def paint(self, painter: QPainter, *_args: object) -> None:
        if self._background is not None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._background)
            painter.drawRoundedRect(self._rect, 3, 3)
        painter.setPen(self._colour)
        painter.setFont(self._font)
        at = QPointF(self._rect.left() + PAD, self._rect.top() + self._ascent)
        painter.drawText(at, self.text)
