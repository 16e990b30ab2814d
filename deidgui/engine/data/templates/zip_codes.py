"""Template: three-digit ZIP areas by the 20,000 rule of Safe Harbor."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

from deidgui.engine.data.code_lists import zip3_areas
from deidgui.engine.data.hierarchy import (
    SUPPRESSED,
    TEMPLATES,
    Grid,
    Template,
)
from deidgui.engine.parameters import Help, Options
from deidgui.text import Text, tr

RESTRICTED = "000"
"""What Safe Harbor writes for areas of 20,000 people or fewer."""

_ZIP5 = re.compile(r"(\d{3,5})(?:\.0)?(?:-\d{4})?|(\d{5})\d{4}", re.ASCII)
_ZIP3 = re.compile(r"(\d{1,3})(?:\.0)?", re.ASCII)


@TEMPLATES.register
@dataclass(frozen=True)
class ZipCodes(Template):
    """Five digits, three by the 20,000 rule, two, one, nothing.

    Notes
    -----
    Three digits are kept if all ZIP codes that begin with them together have
    more than 20,000 people; otherwise, and for prefixes without population
    (military, unknown), they become 000 on every level.

    References
    ----------
    .. [1] 45 CFR 164.514(b)(2)(i)(B); U.S. Census Bureau, 2010 and 2020 ZCTA
       populations; HHS OCR (2012), Guidance Regarding Methods for
       De-identification, list by Census 2000.
    """

    census: Annotated[
        str,
        Options(("2020", "2010", "2000")),
        Help("Census", "Whose population counts decide which areas are small."),
    ] = "2020"
    stored: Annotated[
        str,
        Options(("5 digits", "3 digits")),
        Help("In the file", "Whether the file has whole ZIP codes or prefixes."),
    ] = "5 digits"

    kind: ClassVar[str] = "zip"
    title: ClassVar[Text] = "ZIP codes"
    summary: ClassVar[Text] = (
        "ZIP codes become their first three digits, or 000 where 20,000 people or "
        "fewer live, then two digits and one."
    )

    @property
    def level_names(self) -> tuple[str, ...]:
        """Words for every level."""
        return (
            tr("as it is"),
            tr("3 digits, small areas 000"),
            tr("2 digits, small areas 000"),
            tr("1 digit, small areas 000"),
            tr("left out"),
        )

    def grid(self, values: Sequence[str]) -> Grid:
        """Labels of every value at every level (see `Template.grid`)."""
        read = [(self.prefix(text), text) for text in values]
        self._refuse_if_none_read(values, sum(bool(prefix) for prefix, _ in read))
        kept = zip3_areas().kept(self.census)
        rows: Grid = []
        for prefix, text in sorted(read, key=lambda pair: (pair[0] or "~", pair[1])):
            if prefix in kept:
                labels = (prefix, f"{prefix[:2]}*", f"{prefix[0]}**")
            else:
                labels = (RESTRICTED,) * 3
            rows.append((text, *labels, SUPPRESSED))
        return rows

    def unread(self, values: Sequence[str]) -> list[str]:
        """Return the values that are no ZIP codes."""
        return [text for text in values if not self.prefix(text)]

    def prefix(self, text: str) -> str:
        """First three digits of a ZIP code, "" if the text is none.

        Spreadsheets drop leading zeros: 3601 is read as 03601; the last four
        digits of ZIP+4 are left out.
        """
        text = text.strip()
        if self.stored == "3 digits":
            match = _ZIP3.fullmatch(text)
            return match[1].zfill(3) if match else ""
        match = _ZIP5.fullmatch(text)
        return (match[1] or match[2]).zfill(5)[:3] if match else ""
