"""Template: categories, blocks and chapters of diagnosis codes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

from deidgui.engine.data.code_lists import Classification, classification
from deidgui.engine.data.hierarchy import (
    NOT_IN_LIST,
    SUPPRESSED,
    TEMPLATES,
    Grid,
    Template,
)
from deidgui.engine.parameters import Help
from deidgui.text import Text, tr


@dataclass(frozen=True)
class DiagnosisCodes(Template):
    """Code, category, block, chapter, nothing.

    Notes
    -----
    Codes are read with or without dots; a code belongs to the category that
    its first characters name, whether or not the complete code is in the list.
    """

    names: Annotated[
        bool,
        Help("With names", "Write the name behind the range of codes."),
    ] = True

    system: ClassVar[str]

    @property
    def level_names(self) -> tuple[str, ...]:
        """Words for every level."""
        return (tr("as it is"), "categories", "blocks", "chapters", tr("left out"))

    def grid(self, values: Sequence[str]) -> Grid:
        """Labels of every value at every level (see `Template.grid`)."""
        codes = classification(self.system)
        known: list[tuple[tuple[int, str], str, str]] = []
        unknown: list[str] = []
        for text in values:
            code = codes.normal(text)
            if category := codes.category(code):
                known.append((codes.rank(code), text, category))
            else:
                unknown.append(text)
        self._refuse_if_none_read(values, len(known))
        labels = {
            category: self._labels(codes, category)
            for category in {category for _, _, category in known}
        }
        rows: Grid = [
            (text, *labels[category], SUPPRESSED) for _, text, category in sorted(known)
        ]
        rows += [(text, *(NOT_IN_LIST,) * 3, SUPPRESSED) for text in unknown]
        return rows

    def unread(self, values: Sequence[str]) -> list[str]:
        """Return the values whose category is not in the list."""
        codes = classification(self.system)
        return [text for text in values if not codes.category(codes.normal(text))]

    def _labels(self, codes: Classification, category: str) -> tuple[str, ...]:
        block = codes.blocks[codes.block_of[category]]
        chapter = codes.chapters[block.chapter]
        if self.names:
            return (category, block.title, chapter.title)
        return (category, block.span, chapter.span)


@TEMPLATES.register
@dataclass(frozen=True)
class Icd9(DiagnosisCodes):
    """ICD-9-CM diagnoses, 2015."""

    kind: ClassVar[str] = "icd9"
    title: ClassVar[Text] = "ICD-9-CM diagnoses"
    summary: ClassVar[Text] = (
        "Codes become their three-digit category, then the block, then the chapter."
    )
    system: ClassVar[str] = "icd9cm"


@TEMPLATES.register
@dataclass(frozen=True)
class Icd10(DiagnosisCodes):
    """ICD-10-CM diagnoses, headings of 2026."""

    kind: ClassVar[str] = "icd10"
    title: ClassVar[Text] = "ICD-10-CM diagnoses"
    summary: ClassVar[Text] = (
        "Codes become their three-character category, then the block, then the chapter."
    )
    system: ClassVar[str] = "icd10cm"
