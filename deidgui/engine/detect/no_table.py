"""Doubts whether a file is a table at all."""

from __future__ import annotations

from deidgui.engine.data.encoding import EncodingEvidence
from deidgui.engine.data.table import Table


def no_table(table: Table) -> tuple[EncodingEvidence, ...]:
    """Tell that a file may be a text, such as a letter, that was read as a table.

    Returns
    -------
    tuple of EncodingEvidence
        One for a table of one column or of one record, or none.
    """
    if len(table.columns) == 1:
        return (EncodingEvidence.of("no_table_column", number=table.n_rows),)
    if table.n_rows == 1:
        return (EncodingEvidence.of("no_table_record"),)
    return ()
