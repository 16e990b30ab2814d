"""What a hierarchy template is: a rule that gives every value its labels."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from deidgui.engine.parameters import Declared, Registry

Grid = list[tuple[str, ...]]
"""One row per leaf: its label at every level, level 0 (the value itself) first."""


class Template(Declared):
    """A rule from which a hierarchy is built; also applies to unseen values.

    Holds only decisions (widths, numbers of digits, list names), never values
    of a table: it is stored in the project.

    Attributes
    ----------
    summary : str
        One sentence for the person who chooses among templates.
    """

    summary: ClassVar[str]

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
            length >= 2; the last label is ``*``.

        Raises
        ------
        InputError
            Code ``template_value``, with the number of values that the rule
            cannot read (``n_values``), if any.
        """


TEMPLATES: Registry[Template] = Registry("hierarchy template")
