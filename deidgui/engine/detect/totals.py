"""Finds rows of totals, which tables of counts have and tables of people do not."""

from __future__ import annotations

from deidgui.engine.data.encoding import EncodingEvidence
from deidgui.engine.data.table import Table

_MOST_VALUES = 1_000
_WORDS = frozenset(
    ("total", "totals", "overall", "totaal", "gesamt", "insgesamt",
     "gesamtsumme", "summe", "ensemble", "totale", "ogółem", "razem",
     "totalt", "i alt", "yhteensä")
)  # fmt: skip


def rows_of_totals(table: Table) -> tuple[EncodingEvidence, ...]:
    """Tell that a table may be one of counts, whose rows are no people.

    Returns
    -------
    tuple of EncodingEvidence
        One that names the columns in which a value is called a total, or none.
    """
    found = tuple(
        column.name
        for column in table.columns
        if column.n_values <= _MOST_VALUES
        and not _WORDS.isdisjoint(
            column.values.str.strip_chars().str.to_lowercase().to_list()
        )
    )
    if not found:
        return ()
    return (EncodingEvidence.of("rows_of_totals", columns=found),)
