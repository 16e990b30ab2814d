"""What the csv module of the standard library reads: the slow, independent way."""

import csv
import io
import itertools

from deidgui.engine.data.dialect import Dialect


class Unreadable(Exception):
    pass


def records(text: str, dialect: Dialect) -> list[tuple[int, list[str]]]:
    """(line, cells) of every record; raises Unreadable as the strict reader does."""
    lines = io.StringIO(text, newline="").readlines()
    reader = csv.reader(
        lines,
        delimiter=dialect.delimiter,
        quotechar=dialect.quote or None,
        quoting=csv.QUOTE_MINIMAL if dialect.quote else csv.QUOTE_NONE,
        skipinitialspace=dialect.skip_blanks,
        strict=True,
    )
    found = []
    try:
        for _ in itertools.count():
            line = reader.line_num + 1
            cells = next(reader)
            if cells:
                found.append((line, cells))
    except StopIteration:
        return found
    except csv.Error:
        raise Unreadable from None
