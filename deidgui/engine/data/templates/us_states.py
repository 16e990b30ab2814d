"""Template: census divisions and regions of US states."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

from deidgui.engine.data.code_lists import UsState, us_states
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
class UsStates(Template):
    """State, census division, census region.

    Notes
    -----
    States are read by postal abbreviation, by name, or by number.
    """

    numbers: Annotated[
        str,
        Options(("FIPS", "SSA")),
        Help("Numbers are", "Which numbering a state number belongs to."),
    ] = "FIPS"

    kind: ClassVar[str] = "us_states"
    title: ClassVar[Text] = "US states"
    summary: ClassVar[Text] = (
        "States become the nine divisions and the four regions of the Census Bureau."
    )

    @property
    def level_names(self) -> tuple[str, ...]:
        """Words for every level."""
        return (
            tr("as it is"),
            tr("census divisions"),
            tr("census regions"),
            tr("left out"),
        )

    def grid(self, values: Sequence[str]) -> Grid:
        """Labels of every value at every level (see `Template.grid`)."""
        read = [(self._state(text), text) for text in values]
        known = [(state, text) for state, text in read if state]
        self._refuse_if_none_read(values, len(known))
        known.sort(key=lambda pair: (pair[0].order, pair[1]))
        rows: Grid = [
            (text, state.division, state.region, SUPPRESSED) for state, text in known
        ]
        rows += [
            (text, NOT_IN_LIST, NOT_IN_LIST, SUPPRESSED)
            for state, text in read
            if state is None
        ]
        return rows

    def unread(self, values: Sequence[str]) -> list[str]:
        """Return the values that are no state of the list."""
        return [text for text in values if self._state(text) is None]

    def _state(self, text: str) -> UsState | None:
        word = " ".join(text.split()).casefold()
        states = us_states()
        if word.isascii() and word.isdigit() and len(word) <= 2:
            by_number = states.by_ssa if self.numbers == "SSA" else states.by_fips
            return by_number.get(word.zfill(2))
        return states.by_word.get(word)
