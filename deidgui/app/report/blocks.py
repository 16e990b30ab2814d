"""What a report is made of, before it is HTML or PDF."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from deidgui.app.report.drawing import Drawing

PART = re.compile(r"\bD\d+\b")
"""How a text names a part of the dossier, which is the number of a section."""


@dataclass(frozen=True)
class Paragraph:
    """Running text.

    Parameters
    ----------
    style : str
        body, lead (the first sentence of a report), or caution (must be read).
    """

    text: str
    style: Literal["body", "lead", "caution"] = "body"


@dataclass(frozen=True)
class Bullets:
    """Short statements, one line each."""

    items: tuple[str, ...]


@dataclass(frozen=True)
class ReportTable:
    """Rows under a header.

    Parameters
    ----------
    rows : tuple of tuple of str
        As long as the header.
    widths : tuple of float
        Share of the width of each column.
    right : tuple of int
        Columns of numbers, aligned to the right.
    parts : int or None
        Column that names parts of the dossier: they are links, and have their pages in
        a column of their own where there are pages.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    widths: tuple[float, ...]
    right: tuple[int, ...] = ()
    caption: str = ""
    parts: int | None = None

    def __post_init__(self) -> None:
        assert len(self.widths) == len(self.header)
        assert all(len(row) == len(self.header) for row in self.rows)


@dataclass(frozen=True)
class Terms:
    """Terms with what they mean or what was decided."""

    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class KeyFigure:
    """One large number with its name and a remark."""

    value: str
    name: str
    remark: str = ""


@dataclass(frozen=True)
class KeyFigures:
    """The numbers to read first."""

    figures: tuple[KeyFigure, ...]


@dataclass(frozen=True)
class ReportChart:
    """A drawing with one plain sentence under it."""

    drawing: Drawing
    caption: str


@dataclass(frozen=True)
class SignatureLines:
    """Empty lines to sign on."""

    fields: tuple[str, ...]


Block: TypeAlias = (
    Paragraph
    | Bullets
    | ReportTable
    | Terms
    | KeyFigures
    | ReportChart
    | SignatureLines
)


@dataclass(frozen=True)
class Section:
    """A heading with what stands under it.

    Parameters
    ----------
    number : str
        Of the heading, as D7; empty: sections are counted.
    own_page : bool
        Whether nothing else stands on its page: it can be handed out alone.
    """

    title: str
    blocks: tuple[Block, ...]
    number: str = ""
    own_page: bool = False


@dataclass(frozen=True)
class Report:
    """A whole report.

    Parameters
    ----------
    made : str
        When and with what it was made.
    lead : str
        The release in one paragraph.
    footer : str
        Stands on every page.
    headline : str
        What must be read before everything else; empty if nothing.
    """

    title: str
    subtitle: str
    made: str
    lead: str
    figures: KeyFigures
    sections: Sequence[Section]
    footer: str
    headline: str = ""
