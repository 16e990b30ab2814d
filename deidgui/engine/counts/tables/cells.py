"""Reads one cell of a table of counts: a count, a mark, a percentage, a mean."""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal


class CellType(enum.StrEnum):
    """What a cell is."""

    EMPTY = "empty"
    LABEL = "label"
    COUNT = "count"
    PERCENTAGE = "percentage"
    MEAN = "mean"
    LEFT_OUT = "left_out"


class Mark(enum.StrEnum):
    """What stands instead of a count.

    A masked count is small; one that is hidden as a complement may be any.
    """

    MASKED = "masked"
    COMPLEMENT = "complement"


MASKED, COMPLEMENT = "T", "C"
"""Texts that this program writes for the two marks."""

MARKS: Mapping[str, Mark] = {MASKED: Mark.MASKED, COMPLEMENT: Mark.COMPLEMENT}

MOST = 10_000_000_000
"""Larger numbers are no counts of people."""


@dataclass(frozen=True)
class CountCell:
    """What one cell says.

    Parameters
    ----------
    count : int or None
        None if it is masked, or no count.
    most : int or None
        Largest count that the mark itself allows: 10 for "<11".
    share : Decimal or None
        A percentage, alone or in brackets beside the count; with as many digits as
        are shown, as `mean`.
    problem : str
        Code of what is wrong with it; empty if nothing is.
    """

    kind: CellType
    count: int | None = None
    mark: Mark | None = None
    most: int | None = None
    share: Decimal | None = None
    mean: Decimal | None = None
    problem: str = ""

    @property
    def is_count(self) -> bool:
        """Whether it is a count that can be used, shown or hidden."""
        return self.kind is CellType.COUNT and not self.problem

    @property
    def is_negative(self) -> bool:
        """Whether it is a count below 0, which only noise makes."""
        return self.problem == "count_negative"

    @property
    def is_masked(self) -> bool:
        """Whether its count is hidden because it is small."""
        return self.mark is Mark.MASKED


EMPTY = CountCell(CellType.EMPTY)


@dataclass(frozen=True)
class Writing:
    """How a table writes numbers.

    Parameters
    ----------
    thousands : str
        Separator between groups of three digits; empty if there is none.
    decimal : str
        Mark before a fraction: "." or ",".
    """

    thousands: str = ""
    decimal: str = "."


_BLANKS = "\u00a0\u2007\u2009\u202f "
_APOSTROPHES = "'\u2019"
_SEPARATORS = f",.{_BLANKS}{_APOSTROPHES}"
_GROUPED = re.compile(
    rf"\d{{1,3}}(?P<mark>[{re.escape(_SEPARATORS)}])\d{{3}}(?:(?P=mark)\d{{3}})*"
)
_INDIAN = re.compile(r"\d{1,2}(?:,\d{2})+,\d{3}")
_DIGITS = re.compile(r"\d{1,15}")
_FRACTION = re.compile(r"\d{1,15}[.,]\d{1,10}")
_NUMBER = re.compile(rf"[\d{re.escape(_SEPARATORS)}]+")
_MINUS = re.compile(r"[-\u2212\u2013](?=\s*\d)")
_BELOW = re.compile(r"(?P<sign><|≤|<=|under|fewer\sthan|less\sthan)\s*(?P<number>\d.*)")
_FOOTNOTE = re.compile(
    r"(?:[\u00b9\u00b2\u00b3\u2070-\u2079*†‡§¶#^]|\[[^\]]{1,3}\]|\([a-z]\))+$"
)
_BESIDE = re.compile(r"(?P<count>[^()]+?)\s*[(\[](?P<share>[^()\[\]]*%?)[)\]]")
_PERCENT = re.compile(r"[%\u066a\uff05]")
_MEANT = re.compile(r"\((?P<inner>[\d.,\s]+)\)")


def bare(text: str) -> str:
    """Return a cell's text without outer blanks and footnote marks."""
    plain = text.strip(f"\t\r\n{_BLANKS}\ufeff")
    without = _FOOTNOTE.sub("", plain).rstrip(_BLANKS)
    return without or plain


def text_for(mark: Mark, marks: Mapping[str, Mark]) -> str:
    """Return the text that is written for a mark; another where that is taken."""
    own = next(text for text, kind in MARKS.items() if kind is mark)
    known = [text for text, kind in marks.items() if kind is mark]
    if own in known or (not known and own not in marks):
        return own
    return known[0] if known else own * 2


def count_alone(text: str) -> str:
    """Return a cell's text without the percentage in brackets beside the count."""
    beside = _BESIDE.fullmatch(bare(text))
    return beside["count"] if beside else text


def writing_of(texts: Iterable[str]) -> Writing:
    """Find how a table writes numbers: what separates thousands and fractions."""
    thousands, decimals = set[str](), set[str]()
    for text in texts:
        for found in _NUMBER.finditer(_PERCENT.sub("", bare(text))):
            number = found.group().strip(_BLANKS)
            grouped = _GROUPED.fullmatch(number)
            if grouped and not (_PERCENT.search(text)):
                thousands.add(grouped["mark"])
            elif _FRACTION.fullmatch(number):
                decimals.add("," if "," in number else ".")
    if decimals == {","} or (thousands == {"."} and not decimals):
        return Writing("." if "." in thousands else "", ",")
    return Writing("," if "," in thousands else "", ".")


def reads_as_number(text: str, marks: Mapping[str, Mark] = MARKS) -> bool:
    """Whether a text is a number, a percentage or a mark, and no label."""
    plain = bare(text)
    if plain in marks or _BELOW.fullmatch(plain.lower()):
        return True
    beside = _BESIDE.fullmatch(plain)
    plain = _PERCENT.sub("", beside["count"] if beside else plain).strip(_BLANKS)
    if plain in marks:
        return True
    sign = _MINUS.match(plain)  # within the text it is a range: "18-64"
    plain = plain[sign.end() :] if sign else plain
    return bool(_NUMBER.fullmatch(plain)) and any(each.isdigit() for each in plain)


def read_cell(
    text: str,
    kind: CellType,
    writing: Writing,
    marks: Mapping[str, Mark] = MARKS,
) -> CountCell:
    """Read a cell as what it was taken for.

    Parameters
    ----------
    text : str
        As in the file.
    kind : CellType
        What the cell should be.
    marks : mapping of str to Mark
        Texts that stand instead of a count.

    Returns
    -------
    CountCell
        With a `problem` where the text does not fit: ``count_is_text``,
        ``count_negative``, ``count_fraction``, ``count_above_all``,
        ``number_is_text``.
    """
    plain = bare(text)
    if not plain or kind in (CellType.EMPTY, CellType.LABEL, CellType.LEFT_OUT):
        return CountCell(kind) if plain else EMPTY
    if kind is CellType.PERCENTAGE:
        share = _shown(_PERCENT.sub("", plain), writing)
        return CountCell(kind, share=share, problem=_missing(plain, share, marks))
    if kind is CellType.MEAN:
        mean = _shown(plain.partition("(")[0], writing)
        return CountCell(kind, mean=mean, problem=_missing(plain, mean, marks))
    return _read_count(plain, writing, marks)


def _missing(plain: str, found: Decimal | None, marks: Mapping[str, Mark]) -> str:
    """Problem of a percentage or mean that cannot be read; masked ones are fine."""
    return "" if found is not None or plain in marks else "number_is_text"


def _read_count(plain: str, writing: Writing, marks: Mapping[str, Mark]) -> CountCell:
    share = None
    beside = _BESIDE.fullmatch(plain)
    if beside and not _MEANT.fullmatch(plain):
        share = _shown(_PERCENT.sub("", beside["share"]), writing)
        plain = bare(beside["count"])
    if plain in marks:
        return CountCell(CellType.COUNT, mark=marks[plain], share=share)
    below = _BELOW.fullmatch(plain.lower())
    if below:
        number, problem = _whole(below["number"].strip())
        if number is not None:
            is_open = below["sign"] not in ("≤", "<=")
            most = max(number - is_open, 0)
            return CountCell(CellType.COUNT, mark=Mark.MASKED, most=most, share=share)
        return CountCell(CellType.COUNT, problem=problem)
    number, problem = _whole(plain)
    return CountCell(CellType.COUNT, number, share=share, problem=problem)


def _whole(plain: str) -> tuple[int | None, str]:
    """Read a count in any usual writing; one of fractions is no count."""
    if _MINUS.match(plain) or _MEANT.fullmatch(plain):
        inner = _MEANT.fullmatch(plain)
        number, problem = _whole(inner["inner"] if inner else plain[1:].strip())
        return (-number, "count_negative") if number else (number, problem)
    if _DIGITS.fullmatch(plain):
        digits = plain
    elif _GROUPED.fullmatch(plain) or _INDIAN.fullmatch(plain):
        digits = "".join(each for each in plain if each.isdigit())
    elif _FRACTION.fullmatch(plain):
        return None, "count_fraction"
    else:
        return None, "count_is_text"
    # Digits of other scripts are read by `int` alike.
    number = int(digits) if len(digits) < 16 else MOST + 1
    return (None, "count_above_all") if number > MOST else (number, "")


def _shown(text: str, writing: Writing) -> Decimal | None:
    """Read a number with a fraction."""
    plain = text.strip(_BLANKS)
    if not _NUMBER.fullmatch(plain):
        return None
    grouped = _GROUPED.fullmatch(plain)
    if grouped and grouped["mark"] == writing.thousands:
        plain = plain.replace(writing.thousands, "")
    if writing.decimal == "," or ("," in plain and "." not in plain):
        plain = plain.replace(".", "").replace(",", ".")
    else:
        plain = plain.replace(",", "")
    plain = "".join(each for each in plain if each.isdigit() or each == ".")
    if plain.count(".") > 1 or not plain.strip(".") or len(plain) > 30:
        return None
    return Decimal(plain.strip(".") if plain.endswith(".") else plain)
