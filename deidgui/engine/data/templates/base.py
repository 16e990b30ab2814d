"""The base class of hierarchy templates: rules that give every value its labels."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from deidgui.engine.parameters import Declared, Registry
from deidgui.errors import InputError
from deidgui.text import Text

Grid = list[tuple[str, ...]]
"""One row per leaf: its label at every level, level 0 (the value itself) first."""

SUPPRESSED = "*"
"""The label that stands for every value."""

NOT_IN_LIST = "not in the list"
"""The group of values that a code list does not know."""


class Template(Declared):
    """A rule from which a hierarchy is built; also applies to unseen values.

    Holds only decisions (widths, numbers of digits, list names), never values
    of a table: it is stored in the project. The number of levels follows from
    the decisions alone, so that a policy means the same on another file.

    Attributes
    ----------
    summary : str
        One sentence for the person who chooses among templates.
    """

    summary: ClassVar[Text]

    @property
    @abstractmethod
    def level_names(self) -> tuple[str, ...]:
        """Words for every level, level 0 first: "as it is", ..., "left out"."""

    @abstractmethod
    def grid(self, values: Sequence[str]) -> Grid:
        """Labels of every value at every level.

        Parameters
        ----------
        values : sequence of str
            Distinct values of the attribute, missing ones left out.

        Returns
        -------
        list of tuple of str
            One row per value in the natural order of the rule, all of equal
            length >= 2; the last label is ``*``. Values that the rule cannot
            read come last, in a group of their own.

        Raises
        ------
        InputError
            Code ``template_value`` with the number of values (``n_values``), if
            there are values and the rule can read none of them.
        """

    def weighted_grid(self, values: Sequence[str], n_records: Sequence[int]) -> Grid:
        """Labels of every value; rules that balance groups count the records.

        Parameters
        ----------
        n_records : sequence of int, same length, each >= 0
            Records per value.

        Returns
        -------
        list of tuple of str
            As `grid`.

        Raises
        ------
        InputError
            Code ``template_value``, as `grid`.
        """
        assert len(values) == len(n_records)
        return self.grid(values)

    def unread(self, values: Sequence[str]) -> list[str]:
        """Return the values that the rule cannot read.

        Returns
        -------
        list of str
            They share one group of their own on every level above the leaves.
        """
        return []

    def _refuse_if_none_read(self, values: Sequence[str], n_read: int) -> None:
        if values and n_read == 0:
            raise InputError("template_value", template=self.kind, n_values=len(values))


TEMPLATES: Registry[Template] = Registry("hierarchy template")
