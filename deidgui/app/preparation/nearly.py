"""Columns that look like those of people, with mistakes in the rows of a few."""

from __future__ import annotations

from dataclasses import dataclass

from deidgui.app.project import Project
from deidgui.engine.data.people import people_of
from deidgui.engine.data.table import Table
from deidgui.engine.preparation.one_value import n_who_differ
from deidgui.errors import InputError
from deidgui.text import tr

NEARLY = 0.01
"""A column that varies in the rows of fewer people is nearly constant."""


@dataclass(frozen=True)
class NearlyConstant:
    """A column that differs between the rows of a few people only.

    Parameters
    ----------
    n_differing, n_all : int
        People whose rows differ, and all.
    """

    attribute: str
    n_differing: int
    n_all: int

    def words(self) -> str:
        """Say of how many people the rows differ."""
        return tr(
            "“{column}” differs between the rows of {n:person|people} only, of {all}: "
            "is that a mistake in the data? It counts as a column of events.",
            column=self.attribute,
            n=self.n_differing,
            all=self.n_all,
        )


def is_nearly_constant(n_differing: int, n_people: int) -> bool:
    """Whether a column varies in the rows of somebody, and of few."""
    return 0 < n_differing < NEARLY * n_people


def nearly_constant_columns(
    project: Project, table: Table
) -> tuple[NearlyConstant, ...]:
    """Return the nearly constant quasi-identifiers; none without a key.

    Parameters
    ----------
    table : Table
        Prepared.
    """
    if project.key is None or project.key not in table.column_names:
        return ()
    missing = {each.name: each.missing for each in project.attributes}
    column = table.column(project.key)
    try:
        people = people_of(column.with_missing(missing[project.key]))
    except InputError:
        return ()
    found = []
    for each in project.quasi_identifiers:
        if each.name == project.key or each.name not in table.column_names:
            continue
        marked = table.column(each.name).with_missing(each.missing)
        n = n_who_differ(marked, people)
        if is_nearly_constant(n, people.n_people):
            found.append(NearlyConstant(each.name, n, people.n_people))
    return tuple(found)
