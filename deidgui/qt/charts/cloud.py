"""How a hundred thousand points are drawn at thirty frames a second.

pyqtgraph's own scatter item copies one small picture per point: 20 frames a second
for 100,000 points. Here all points are stamped into one picture with numpy, so that
the cost follows the pixels on screen and not the number of points.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import pyqtgraph as pg
import PySide6  # noqa: F401 - pyqtgraph takes the binding that is loaded first
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QTransform

from deidgui.engine.arrays import AnyArray, BoolArray, FloatArray, IntArray

DISC, RING = 0, 1

Pixels = NDArray[np.uint32]

MOST_SHAPES = 20_000
"""Points up to which a picture for paper draws each as a shape of its own."""


class Cloud(pg.GraphicsObject):  # type: ignore[misc] # pyqtgraph is untyped
    """Points as discs or small rings, of one size in pixels.

    Parameters
    ----------
    x, y : ndarray of float64, shape (n,)
    """

    def __init__(self, x: FloatArray, y: FloatArray) -> None:
        super().__init__()
        self._x, self._y = x, y
        self._kinds: IntArray = np.zeros(len(x), dtype=np.int64)
        self._colours: tuple[str, ...] = ("#808080",)
        self._size = 6.0
        self._is_export = False
        self._bounds = _bounds(x, y)

    def set_kinds(
        self, colour: IntArray, shape: IntArray, colours: Sequence[str]
    ) -> None:
        """Give each point its colour and shape.

        Parameters
        ----------
        colour : ndarray of int64, shape (n,), each in [0, n_colours)
        shape : ndarray of int64, shape (n,), each DISC or RING
        """
        self._kinds, self._colours = colour * 2 + shape, tuple(colours)
        self.update()

    @property
    def size(self) -> float:
        """Diameter of a disc in pixels of the screen."""
        return self._size

    def set_size(self, size: float) -> None:
        """Draw the discs with another diameter."""
        if size != self._size:
            self._size = size
            self.update()

    def setExportMode(self, is_on: bool, options: Any = None) -> None:
        """Draw shapes instead of pixels, for a drawing without pixels."""
        self._is_export = is_on and bool(options and options.get("vector"))

    def boundingRect(self) -> QRectF:
        return self._bounds

    def paint(self, painter: QPainter, *_args: object) -> None:
        transform = painter.transform()
        visible = self._visible(transform, self.viewRect())
        if not len(visible):
            return
        x, y = _mapped(transform, self._x[visible], self._y[visible])
        kinds = self._kinds[visible]
        painter.save()
        painter.resetTransform()
        if self._is_export and len(visible) <= MOST_SHAPES:
            self._paint_shapes(painter, x, y, kinds)
        else:
            self._paint_pixels(painter, x, y, kinds)
        painter.restore()

    def _visible(self, transform: QTransform, view: QRectF) -> IntArray:
        """Points inside the view, with room for the half of a disc at its edge."""
        dx = self._size / max(abs(transform.m11()), 1e-12)
        dy = self._size / max(abs(transform.m22()), 1e-12)
        inside: BoolArray = (self._x >= view.left() - dx) & (
            self._x <= view.right() + dx
        )
        inside &= (self._y >= view.top() - dy) & (self._y <= view.bottom() + dy)
        return np.flatnonzero(inside)

    def _paint_pixels(
        self, painter: QPainter, x: FloatArray, y: FloatArray, kinds: IntArray
    ) -> None:
        device = painter.device()
        ratio = device.devicePixelRatio() if device is not None else 1.0
        pad = self._size
        left, top = float(x.min()) - pad, float(y.min()) - pad
        width = int((float(x.max()) - left + 2 * pad) * ratio) + 1
        height = int((float(y.max()) - top + 2 * pad) * ratio) + 1
        pixels = stamp(
            ((x - left) * ratio, (y - top) * ratio),
            kinds,
            tuple(QColor(colour).rgb() for colour in self._colours),
            self._size * ratio,
            (height, width),
        )
        image = QImage(
            pixels.data,
            width,
            height,
            4 * width,
            QImage.Format.Format_ARGB32_Premultiplied,
        )
        image.setDevicePixelRatio(ratio)
        painter.drawImage(QPointF(left, top), image)

    def _paint_shapes(
        self, painter: QPainter, x: FloatArray, y: FloatArray, kinds: IntArray
    ) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for kind in np.unique(kinds).tolist():
            colour = QColor(self._colours[kind // 2])
            radius = self._size / 2
            if kind % 2 == DISC:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(colour)
            else:
                radius *= 0.6
                painter.setPen(QPen(colour, 1))
                painter.setBrush(Qt.BrushStyle.NoBrush)
            here = np.flatnonzero(kinds == kind)
            for px, py in zip(x[here].tolist(), y[here].tolist(), strict=True):
                painter.drawEllipse(QPointF(px, py), radius, radius)


def stamp(
    at: tuple[FloatArray, FloatArray],
    kinds: IntArray,
    colours: Sequence[int],
    size: float,
    shape: tuple[int, int],
) -> Pixels:
    """Picture of points: one stamp per kind of point, put where each point is.

    Parameters
    ----------
    at : tuple of two ndarrays of float64, shape (n,)
        Pixel coordinates of the middles; the stamps lie inside the picture.
    kinds : ndarray of int64, shape (n,)
        Twice the number of the colour, plus DISC or RING.
    colours : sequence of int
        As 0xAARRGGBB.
    size : float
        Diameter in pixels.
    shape : tuple of int
        Height and width of the picture.

    Returns
    -------
    ndarray of uint32, shape (height, width)
        Premultiplied 0xAARRGGBB, 0 where there is no point.
    """
    disc, ring = masks(round(size * 4) / 4)
    edge = disc.shape[0]
    first_x = np.floor(at[0] - edge / 2 + 0.5).astype(np.int64)
    first_y = np.floor(at[1] - edge / 2 + 0.5).astype(np.int64)
    start = first_y * shape[1] + first_x
    picture = np.zeros(shape[0] * shape[1], dtype=np.uint32)
    # Rings first: a point that meets the models is never hidden by one that does not.
    for kind, mask in ((RING, ring), (DISC, disc)):
        here = np.flatnonzero(kinds % 2 == kind)
        if len(here):
            _put(picture, start[here], kinds[here] // 2, colours, mask, shape[1])
    return picture.reshape(shape)


def _put(
    picture: Pixels,
    start: IntArray,
    colour: IntArray,
    colours: Sequence[int],
    mask: FloatArray,
    width: int,
) -> None:
    """Put one stamp, in several colours, at many places of a flat picture."""
    levels = np.unique(mask[mask > 0])
    for level in levels.tolist():
        value = np.array([_faded(each, level) for each in colours], np.uint32)[colour]
        for row, column in np.argwhere(mask == level).tolist():
            place = start + (row * width + column)
            if level == 1:
                picture[place] = value
            else:
                # A soft edge never replaces what is already there.
                free = picture[place] == 0
                picture[place[free]] = value[free]


def _faded(colour: int, level: float) -> int:
    """Colour with some coverage, premultiplied."""
    channels = [(colour >> shift) & 0xFF for shift in (16, 8, 0)]
    red, green, blue = (round(channel * level) for channel in channels)
    return round(255 * level) << 24 | red << 16 | green << 8 | blue


@cache
def masks(size: float) -> tuple[FloatArray, FloatArray]:
    """Coverage of each pixel of a stamp: of the disc, and of the smaller ring.

    Parameters
    ----------
    size : float
        Diameter of the disc in pixels.

    Returns
    -------
    tuple of two ndarrays of float64, shape (edge, edge), each in [0, 1]
        In steps of a quarter, so that few colours are needed.
    """
    edge = max(1, int(np.ceil(size)))
    if edge <= 2:
        full = np.ones((edge, edge))
        small = np.zeros((edge, edge))
        small[0, 0] = 1.0
        return full, small
    fine = 8
    points = (np.arange(edge * fine) + 0.5) / fine - edge / 2
    far: AnyArray = np.hypot(points[:, None], points[None, :])
    outer = 0.62 * size / 2
    disc = _coverage(far <= size / 2, edge, fine)
    ring = _coverage((far <= outer) & (far >= outer - 1.1), edge, fine)
    return disc, ring


def _coverage(inside: BoolArray, edge: int, fine: int) -> FloatArray:
    part = inside.reshape(edge, fine, edge, fine).mean(axis=(1, 3))
    return np.asarray(np.round(part * 4) / 4, dtype=np.float64)


def _mapped(
    transform: QTransform, x: FloatArray, y: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Points in pixels; the views are moved and scaled, never turned."""
    return x * transform.m11() + transform.dx(), y * transform.m22() + transform.dy()


def _bounds(x: FloatArray, y: FloatArray) -> QRectF:
    if not len(x):
        return QRectF()
    low_x, low_y = float(x.min()), float(y.min())
    width, height = float(x.max()) - low_x, float(y.max()) - low_y
    return QRectF(low_x - 1, low_y - 1, width + 2, height + 2)
