"""Template: groups of the Clinical Classifications Software for diagnoses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

from deidgui.engine.data.code_lists import CcsGroup, ccs_groups, classification
from deidgui.engine.data.hierarchy import (
    NOT_IN_LIST,
    SUPPRESSED,
    TEMPLATES,
    Grid,
    Template,
)
from deidgui.engine.parameters import Help, Options
from deidgui.text import Text, tr


@TEMPLATES.register
@dataclass(frozen=True)
class Ccs(Template):
    """Code, CCS group, CCS chapter, nothing.

    Notes
    -----
    CCS knows complete codes only: ICD-9-CM of 2015, ICD-10-CM of 2019. Codes
    that it does not know form a group of their own.
    """

    codes: Annotated[
        str,
        Options(("ICD-9-CM", "ICD-10-CM")),
        Help("Codes", "Which diagnosis codes the file has."),
    ] = "ICD-10-CM"
    names: Annotated[bool, Help("With names", "Write the name behind the number.")] = (
        True
    )

    kind: ClassVar[str] = "ccs"
    title: ClassVar[Text] = "CCS diagnosis groups"
    summary: ClassVar[Text] = (
        "Diagnosis codes become one of about 280 clinically meaningful groups, "
        "then one of 18 chapters."
    )

    @property
    def level_names(self) -> tuple[str, ...]:
        """Words for every level."""
        return (tr("as it is"), tr("CCS groups"), tr("CCS chapters"), tr("left out"))

    def grid(self, values: Sequence[str]) -> Grid:
        """Labels of every value at every level (see `Template.grid`)."""
        found = [(self._group(text), text) for text in values]
        known = [(group, text) for group, text in found if group]
        self._refuse_if_none_read(values, len(known))
        known.sort(key=lambda pair: (pair[0].order, pair[1]))
        rows: Grid = [(text, *self._labels(group), SUPPRESSED) for group, text in known]
        rows += [
            (text, NOT_IN_LIST, NOT_IN_LIST, SUPPRESSED)
            for group, text in found
            if group is None
        ]
        return rows

    def unread(self, values: Sequence[str]) -> list[str]:
        """Return the values that CCS does not know."""
        return [text for text in values if self._group(text) is None]

    def _group(self, text: str) -> CcsGroup | None:
        system = "icd9cm" if self.codes == "ICD-9-CM" else "icd10cm"
        codes = classification(system)
        return ccs_groups().get(codes.ccs_of.get(codes.normal(text), ""))

    def _labels(self, group: CcsGroup) -> tuple[str, str]:
        if self.names:
            return (
                f"{group.group} {group.name}",
                f"{group.chapter} {group.chapter_name}",
            )
        return (group.group, f"chapter {group.chapter}")
