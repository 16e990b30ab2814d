"""What a front end shows and decides about the people that records come from.

The tables that come with the program (`cards`), how the values of the data are found
in the population (`propose_matching`), and a person's decisions on it as operations.
"""

from __future__ import annotations

from deidgui.app.matching.deciding import (
    Confirmation,
    accept_unmatched,
    choose_tables,
    confirm_match,
    forget_match,
    mapping_file_name,
    set_adds_rows,
    set_lacking,
    set_partners,
    set_target,
)
from deidgui.app.matching.proposing import (
    AttributeMatch,
    Matching,
    propose_matching,
)
from deidgui.app.population.known import People, remark_words
from deidgui.engine.population.built_in import TableCard, tables
from deidgui.engine.population.table import Subject

__all__ = [
    "AttributeMatch",
    "Confirmation",
    "Matching",
    "People",
    "TableCard",
    "accept_unmatched",
    "cards",
    "choose_tables",
    "confirm_match",
    "forget_match",
    "mapping_file_name",
    "propose_matching",
    "remark_words",
    "set_adds_rows",
    "set_lacking",
    "set_partners",
    "set_target",
]


def cards(geography: str | None = None) -> tuple[TableCard, ...]:
    """Return the cards of the built-in tables in the order in which they are offered.

    Parameters
    ----------
    geography : str, optional
        Name of a state: only tables that know it.

    Returns
    -------
    tuple of TableCard
        Title, year, geography, basis, source, what it lacks, attributes, people.
    """
    if geography is None:
        return tables()
    return tuple(
        each
        for each in tables()
        for attribute in each.attributes
        if attribute.subject is Subject.STATE and geography in attribute.values
    )
