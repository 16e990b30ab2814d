"""Lines, boxes and texts of a chart, and how they become SVG."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias
from xml.sax.saxutils import escape, quoteattr

Anchor = Literal["start", "middle", "end"]

INK = "#1c2733"
QUIET = "#5b6773"
GRID = "#e1e5ea"
BEFORE = "#a05a00"
BEFORE_FILL = "#f6e3c8"
AFTER = "#1f5f8b"
LIMIT = "#8a1c3b"
"""Colours that differ in brightness too, so that a grey print can be read."""


@dataclass(frozen=True)
class Rectangle:
    """Filled rectangle; `stroke` draws its outline."""

    x: float
    y: float
    width: float
    height: float
    fill: str
    stroke: str | None = None


@dataclass(frozen=True)
class Path:
    """Line through points."""

    points: tuple[tuple[float, float], ...]
    stroke: str
    width: float = 1.0
    dash: tuple[float, ...] = ()


@dataclass(frozen=True)
class Lettering:
    """One line of text; (x, y) is on its baseline."""

    x: float
    y: float
    text: str
    anchor: Anchor = "start"
    size: float = 8.5
    color: str = QUIET
    bold: bool = False


Shape: TypeAlias = Rectangle | Path | Lettering


@dataclass(frozen=True)
class Drawing:
    """Shapes on a canvas; y grows downwards, units are points.

    Parameters
    ----------
    shapes : tuple of Shape
        The first one is at the back.
    title : str
        What the drawing shows, for those who cannot see it.
    """

    width: float
    height: float
    shapes: tuple[Shape, ...]
    title: str


def svg(drawing: Drawing) -> str:
    """SVG element of a drawing, as wide as its surroundings allow."""
    body = "".join(_svg_shape(shape) for shape in drawing.shapes)
    return (
        f'<svg viewBox="0 0 {_n(drawing.width)} {_n(drawing.height)}" role="img" '
        f"aria-label={quoteattr(drawing.title)} "
        f'xmlns="http://www.w3.org/2000/svg">{body}</svg>'
    )


def _svg_shape(shape: Shape) -> str:
    match shape:
        case Rectangle():
            stroke = f' stroke="{shape.stroke}" stroke-width="0.8"'
            return (
                f'<rect x="{_n(shape.x)}" y="{_n(shape.y)}" '
                f'width="{_n(shape.width)}" height="{_n(shape.height)}" '
                f'fill="{shape.fill}"{stroke if shape.stroke else ""}/>'
            )
        case Path():
            points = " ".join(f"{_n(x)},{_n(y)}" for x, y in shape.points)
            dashes = " ".join(map(_n, shape.dash))
            dash = f' stroke-dasharray="{dashes}"' if shape.dash else ""
            return (
                f'<polyline points="{points}" fill="none" stroke="{shape.stroke}" '
                f'stroke-width="{_n(shape.width)}"{dash}/>'
            )
        case Lettering():
            weight = ' font-weight="600"' if shape.bold else ""
            return (
                f'<text x="{_n(shape.x)}" y="{_n(shape.y)}" '
                f'text-anchor="{shape.anchor}" font-size="{_n(shape.size)}" '
                f'fill="{shape.color}"{weight}>{escape(shape.text)}</text>'
            )


def _n(number: float) -> str:
    """Coordinate with at most two digits after the point."""
    return f"{number:.2f}".rstrip("0").rstrip(".")
