"""Doubts whether a file is a table at all."""

from __future__ import annotations

from deidgui.engine.data.encoding import EncodingEvidence
from deidgui.engine.data.table import Column, Table

FIRST = 10
"""Values that are looked at before all are."""


def no_table(table: Table) -> tuple[EncodingEvidence, ...]:
    """Tell that a file may be a text, such as a letter, that was read as a table.

    Returns
    -------
    tuple of EncodingEvidence
        One for a table of one column, of one record, or of sentences with as many
        commas each; or none.
    """
    if len(table.columns) == 1:
        return (EncodingEvidence.of("no_table_column", number=table.n_rows),)
    if table.n_rows == 1:
        return (EncodingEvidence.of("no_table_record"),)
    if table.n_rows and all(map(_has_words_only, table.columns)):
        return (EncodingEvidence.of("no_table_words"),)
    return ()


def _has_words_only(column: Column) -> bool:
    """Whether each value is several words; nearly every column fails at its first."""
    several = r"\pL.*\s.*\pL"
    return all(
        texts.len() > 0 and bool(texts.str.contains(several).all())
        for texts in (column.values.head(FIRST), column.values)
    )
