"""How a distribution is drawn in one cell of a table; without pyqtgraph, so cheap."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QSizePolicy,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from deidgui.app.charts.columns import Spark
from deidgui.qt.theme import tokens
from deidgui.qt.tokens import Tokens

Index = QModelIndex | QPersistentModelIndex

LEAST_HEIGHT = 1.0
"""A bar that is not zero is at least this many pixels high."""

WIDEST_BAR = 10.0
"""Pixels of a bar where bars are in no order: ordered ones stand for their whole range.
"""

LEAST_APART = 6.0
"""Pixels of an ordered bar from which a gap is not a large part of it."""


def paint_spark(painter: QPainter, rect: QRectF, spark: Spark, look: Tokens) -> None:
    """Draw the bars of a small distribution on a base line.

    Ordered values stand close together, most frequent ones apart.
    """
    n_bars, ratio = len(spark.heights), painter.device().devicePixelRatioF()
    base = rect.bottom()
    painter.fillRect(
        QRectF(rect.left(), base, rect.width(), 1), QColor(look.chart.grid)
    )
    if not n_bars:
        return
    pitch = rect.width() / n_bars
    if not spark.is_ordered:
        pitch = min(pitch, WIDEST_BAR)
    gap = 1.5 if not spark.is_ordered else 1.0 if pitch >= LEAST_APART else 0.0
    colour = QColor(look.chart.after if spark.is_ordered else look.chart.before)
    for place, height in enumerate(spark.heights.tolist()):
        if height > 0:
            tall = max(LEAST_HEIGHT, height * rect.height())
            # Between whole pixels some gaps would be wider: values that are missing.
            left, end = (
                rect.left() + round((place + step) * pitch * ratio) / ratio
                for step in (0, 1)
            )
            width = max(1.0, end - left - gap)
            painter.fillRect(QRectF(left, base - tall, width, tall), colour)


class Sparkline(QWidget):
    """A small distribution as a widget of its own."""

    def __init__(
        self, spark: Spark | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._spark: Spark | None = None
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.set_spark(spark)

    def set_spark(self, spark: Spark | None) -> None:
        """Show another distribution."""
        self._spark = spark
        text = spark.sentence.text() if spark else ""
        self.setToolTip(text)
        self.setAccessibleName(text)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(120, 24)

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._spark is not None:
            rect = QRectF(self.rect()).adjusted(0, 2, 0, -2)
            paint_spark(QPainter(self), rect, self._spark, tokens())


class SparkDelegate(QStyledItemDelegate):
    """Draws a `Spark` in each cell of a column.

    Parameters
    ----------
    spark_at : callable
        Returns the distribution of a cell; None draws nothing. Called for visible
        cells only.
    """

    def __init__(
        self,
        spark_at: Callable[[Index], Spark | None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._spark_at = spark_at

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index
    ) -> None:
        super().paint(painter, option, index)
        spark = self._spark_at(index)
        if spark is not None:
            rect = QRectF(option.rect).adjusted(8, 7, -8, -7)
            paint_spark(painter, rect, spark, tokens())

    def displayText(self, _value: object, _locale: object) -> str:
        return ""

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        return QSize(140, 32)


def spark_text(spark: Spark | None) -> str:
    """Text of a cell for tooltips and screen readers."""
    return spark.sentence.text() if spark else ""
