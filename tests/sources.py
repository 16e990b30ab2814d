"""Files in memory."""

import hashlib

from deidgui.engine.data.csv_io import read_csv
from deidgui.engine.data.source import HEAD_BYTES, Source


def bytes_source(name, content):
    """Return bytes as a source."""
    digest = hashlib.sha256(content).hexdigest()
    size = len(content)
    return Source(name, None, None, digest, size, size, content[:HEAD_BYTES], content)


def read_table(source, dialect):
    """Read a table without the report on it."""
    return read_csv(source, dialect).table


def rows_of(table, rows=None):
    """Raw texts of some rows, or of all."""
    rows = range(table.n_rows) if rows is None else rows
    texts = [(column.texts(), column.codes) for column in table.columns]
    return [[words[codes[row]] for words, codes in texts] for row in rows]
