"""Step: codes become the groups of a fixed grouping."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from deidgui.engine.parameters import AttributeOf, Help, Options, Range
from deidgui.engine.preparation.base import STEPS, Call, Change, Data, Effect, Step
from deidgui.engine.preparation.lists import plain, read_groups
from deidgui.errors import ConfigError, InputError
from deidgui.lazy import LazyModule
from deidgui.monitor import NULL_MONITOR, Monitor
from deidgui.text import Text, tr

if TYPE_CHECKING:
    from deidgui.engine.data import code_lists
    from deidgui.engine.preparation import columns as tables
else:
    code_lists = LazyModule("deidgui.engine.data.code_lists")
    tables = LazyModule("deidgui.engine.preparation.columns")

templates: Any = LazyModule("deidgui.engine.data.templates")

NOT_IN_TABLE = "other"
"""Group of the codes that the table does not know, or the Charlson index."""


@STEPS.register
@dataclass(frozen=True)
class GroupCodes(Step):
    """Codes become their groups, once and for all.

    Notes
    -----
    Built-in groupings are those of the hierarchy templates with the same name; a table
    of one's own has two columns, code and group. Codes that the grouping does not know
    are one group: none is released as it is. A code of the Charlson index is one of 17
    conditions, or on the second level their weight; the longest beginning decides. The
    index of a person, a sum over all codes, is a step of its own, `CharlsonIndex`.

    References
    ----------
    .. [1] K. El Emam et al. (2012), JMIR 14(1):e33; methods.md E.2, step 6.
    .. [2] H. Quan et al. (2005), Med Care 43(11):1130-1139.
    """

    attribute: Annotated[
        str, AttributeOf("column"), Help("Column", "Its codes become groups.")
    ]
    grouping: Annotated[
        str,
        Options(
            (
                *("ccs_icd10", "ccs_icd9", "icd10", "icd9"),
                *("charlson_icd10", "charlson_icd9", "table"),
            )
        ),
        Help(
            "Grouping",
            "CCS, blocks and chapters of ICD, conditions of the Charlson index, or a "
            "table of your own.",
        ),
    ]
    level: Annotated[
        int,
        Range(1, 3),
        Help("Level", "1 is the finest: CCS and Charlson have 2 levels, ICD has 3."),
    ] = 1
    table: Annotated[
        str, Help("Table", "A CSV file with two columns, code and group.")
    ] = ""

    kind: ClassVar[str] = "group_codes"
    title: ClassVar[Text] = "Group codes"
    summary: ClassVar[Text] = (
        "Codes become the groups of a fixed grouping, such as CCS groups or a table "
        "of your own."
    )
    file_parameter: ClassVar[str] = "table"

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.grouping == "table") != bool(self.table):
            raise ConfigError("step_table_goes_with_grouping")
        if self.grouping.startswith(("ccs", "charlson")) and self.level > 2:
            raise ConfigError(
                "parameter_range", model=self.kind, parameter="level", allowed="[1, 2]"
            )

    @property
    def columns_read(self) -> tuple[str, ...]:
        """The column."""
        return (self.attribute,)

    @property
    def retyped(self) -> Mapping[str, tuple[str, str | None]]:
        """Groups are categories."""
        return {self.attribute: ("category", None)}

    @property
    def types_before(self) -> Mapping[str, tuple[str, str | None]]:
        """Codes are texts."""
        return {self.attribute: ("text", None)}

    def apply(self, data: Data, *, monitor: Monitor = NULL_MONITOR) -> Change:
        """Replace codes by groups.

        Raises
        ------
        ConfigError
            Code ``step_column_missing``.
        InputError
            Codes ``step_list_missing``, ``step_list_malformed`` and
            ``step_no_code_known``.
        """
        column = data.column(self.attribute)
        counts = dict(zip(column.texts(), column.counts.tolist(), strict=True))
        # Who has no event has no code.
        present = [text for text in column.present() if counts[text]]
        group, unknown = self._groups(data, present)
        if present and len(unknown) == len(present):
            raise InputError("step_no_code_known", attribute=self.attribute)
        monitor.report(0.7, "groups")
        texts = [group.get(text, text) for text in column.texts()]
        made = tables.with_texts(
            column, texts, column.codes, data.missing.get(column.name, ("",))
        )
        return Change(
            tables.with_column(data.table, made),
            cells=sum(n for text, n in counts.items() if text in group),
            figures={
                "codes": len(present),
                "groups": len(set(group.values())),
                "codes_unknown": len(unknown),
                "cells_unknown": sum(counts[text] for text in unknown),
            },
        )

    def _groups(
        self, data: Data, present: Sequence[str]
    ) -> tuple[dict[str, str], set[str]]:
        """Group of each code, and the codes that the grouping does not know."""
        if self.grouping == "table":
            known = read_groups(data.files, self.table)
            group = {text: known.get(plain(text), NOT_IN_TABLE) for text in present}
            return group, {text for text in present if plain(text) not in known}
        if self.grouping.startswith("charlson"):
            return self._conditions(present)
        rule = self._rule()
        grid = rule.grid(present)
        return {row[0]: row[self.level] for row in grid}, set(rule.unread(present))

    def _conditions(self, present: Sequence[str]) -> tuple[dict[str, str], set[str]]:
        """Condition of the Charlson index, or its weight, of each code."""
        system = "icd9cm" if self.grouping == "charlson_icd9" else "icd10cm"
        group = dict.fromkeys(present, NOT_IN_TABLE)
        for text in present:
            found = code_lists.charlson_of(plain(text), system)
            if found is not None:
                weight = f"weight {found.weight}"
                group[text] = found.name if self.level == 1 else weight
        return group, {text for text, name in group.items() if name == NOT_IN_TABLE}

    def _rule(self) -> Any:
        if self.grouping.startswith("ccs"):
            is_old = self.grouping == "ccs_icd9"
            return templates.Ccs(codes="ICD-9-CM" if is_old else "ICD-10-CM")
        return templates.Icd9() if self.grouping == "icd9" else templates.Icd10()

    def words(self, effect: Effect, call: Call = str) -> tuple[str, ...]:
        """Say how many codes became how many groups."""
        figures = effect.figures
        found = [
            tr(
                "“{column}”: {codes:code|codes} became {groups:group|groups}.",
                column=call(self.attribute),
                codes=int(figures["codes"]),
                groups=int(figures["groups"]),
            )
        ]
        if figures["codes_unknown"]:
            found.append(
                tr(
                    "{n:code is|codes are} not in the grouping, in {rows:cell|cells}: "
                    "they are one group.",
                    n=int(figures["codes_unknown"]),
                    rows=int(figures["cells_unknown"]),
                )
            )
        return tuple(found)
