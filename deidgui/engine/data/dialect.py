"""Recognises how the text of a file is cut into records and cells, and says why."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from deidgui.engine.data import csv_scan
from deidgui.engine.data.encoding import (
    EncodingEvidence,
    canonical_encoding,
    guess_encoding,
    utf8_head,
)
from deidgui.engine.data.source import Source
from deidgui.errors import ConfigError
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor
from deidgui.text import Text, tr

DELIMITERS: dict[str, tuple[Text, float]] = {
    ",": ("comma", 1.0),
    ";": ("semicolon", 1.0),
    "\t": ("tab", 1.0),
    "|": ("vertical bar", 1.0),
    "^": ("caret", 0.7),
    "~": ("tilde", 0.7),
    "\x1f": ("unit separator", 0.9),
    "\x01": ("control character 1", 0.9),
    "¦": ("broken bar", 0.8),
    "§": ("section sign", 0.8),
    "#": ("number sign", 0.4),
    "&": ("ampersand", 0.4),
    ":": ("colon", 0.3),
    " ": ("blank", 0.3),
}
"""Delimiters that are tried: name, and how much rarer than a comma it is."""

_SAMPLE_RECORDS = 1000
_TYPED_RECORDS = 200
_ONE_COLUMN = 0.2  # score of "no delimiter"; two plain columns reach 0.5
_NUMBER = re.compile(r"[+-]?(\d+([.,]\d+)*|[.,]\d+)([eE][+-]?\d+)?%?$")
_DATE = re.compile(
    r"\d{1,4}([-/.])(\d{1,2}|[A-Za-z]{3})\1\d{1,4}([T ]\d{1,2}:\d\d.*)?$"
    r"|\d{1,2}:\d\d(:\d\d)?$"
)
_MISSING = re.compile(r"(|\?|\.|-|NA|N/A|NULL|null|nan|NaN)$")
_PADDED_LEAST, _PADDED_MOST = 3, 10
_YEAR = re.compile(r"(19|20)\d\d$")
_CLEAN = re.compile(r"(?! )[^,;|\t^~¦§\x01\x1f'\"]*(?<! )$")
_SEP_LINE = re.compile(r"sep=([,;|\t^~:&#])\r?\n?$", re.IGNORECASE)


@dataclass(frozen=True)
class Dialect:
    """The decisions by which a text is cut into cells.

    Parameters
    ----------
    delimiter : str
        One character between two cells.
    quote : str
        ``"`` or ``'``; empty if cells are never quoted.
    skip_blanks : bool
        Whether spaces after a delimiter are not part of the value.
    header : bool
        Whether the first record holds the column names.
    encoding : str
        A key of `deidgui.engine.data.encoding.ENCODINGS`.
    skip_lines : int, >= 0
        Lines before the first record: titles, remarks.
    skip_ragged : bool
        Whether records with another number of cells than the first are left out
        and counted; a person decides that, it is never proposed.
    """

    delimiter: str = ","
    quote: str = '"'
    skip_blanks: bool = False
    header: bool = True
    encoding: str = "utf-8"
    skip_lines: int = 0
    skip_ragged: bool = False

    def __post_init__(self) -> None:
        delimiter_fits = len(self.delimiter) == 1 and self.delimiter not in "\0\r\n"
        if not delimiter_fits or self.delimiter == self.quote:
            raise ConfigError("delimiter_unusable")
        if self.quote not in ('"', "'", ""):
            raise ConfigError("quote_unusable")
        if self.skip_blanks and self.delimiter == " ":
            raise ConfigError("blanks_are_delimiters")
        if self.skip_lines < 0:
            raise ConfigError("skip_lines_negative", n_lines=self.skip_lines)
        object.__setattr__(self, "encoding", canonical_encoding(self.encoding))

    @property
    def delimiter_bytes(self) -> csv_scan.Bytes:
        """The delimiter in UTF-8: ndarray of uint8, shape (1,) to (4,)."""
        return np.frombuffer(self.delimiter.encode(), dtype=np.uint8).copy()

    @property
    def quote_byte(self) -> int:
        """The quote as a byte, -1 if there is none."""
        return ord(self.quote) if self.quote else -1

    @property
    def delimiter_name(self) -> str:
        """Name of the delimiter for people."""
        return delimiter_name(self.delimiter)


@dataclass(frozen=True)
class DialectGuess:
    """The dialect proposed for a file, and why.

    Parameters
    ----------
    evidence : tuple of EncodingEvidence
        Encoding, delimiter, quotes, blanks, lines before the header, header.
    alternatives : tuple of Dialect
        Other dialects that are possible, the likelier first.
    encodings : tuple of str
        Other encodings that can read the file; empty if it is certain.
    header_in_doubt : bool
        Whether a person should look at the first record: it may be data.
    """

    dialect: Dialect
    evidence: tuple[EncodingEvidence, ...]
    alternatives: tuple[Dialect, ...] = ()
    encodings: tuple[str, ...] = ()
    header_in_doubt: bool = False


_DOUBTFUL = ("header_is_personal", "header_distinct", "header_not_distinct")


def delimiter_name(delimiter: str) -> str:
    """Name of a delimiter for people: "comma"."""
    name: Text = DELIMITERS.get(delimiter, ("", 0.0))[0]
    return tr(name) or f"“{delimiter}”"


@dataclass(frozen=True)
class _Candidate:
    """One way to cut the sample, and how well it does."""

    dialect: Dialect
    records: list[list[str]]
    lines: list[int]
    n_fields: int
    first: int  # records before this one are a preamble
    share: float  # of the others that have n_fields
    score: float


def guess_dialect(
    source: Source,
    *,
    n_personal: Callable[[Sequence[str]], int] | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> DialectGuess:
    """Find encoding, delimiter, quotes, preamble and header of a text.

    Every likely delimiter and quote cuts the first records by the rules that
    reading uses. The one wins under which the records have the same number of
    fields and the cells are clean: numbers, dates, words without other
    delimiters in them.

    Parameters
    ----------
    n_personal : callable, optional
        How many cells of a first record are a person's name, address or number: it
        is no header then, unless a person says so.

    Raises
    ------
    InputError, ResourceError
        As `Source.blocks`.
    """
    encoding = guess_encoding(source, monitor=SubMonitor(monitor, 0.0, 0.9))
    text, whole = utf8_head(source, encoding.encoding)
    start = Dialect(encoding=encoding.encoding)
    first_line = text.split("\n", 1)[0]
    evidence = [encoding.evidence]
    if named := _SEP_LINE.match(first_line):
        evidence.append(EncodingEvidence.of("sep_line"))
        start = replace(start, skip_lines=1)
        text = text.partition("\n")[2]
        tried = [named[1]]
    else:
        tried = [each for each in DELIMITERS if each in text]
    ranked = _ranked(text, whole, start, tried, monitor)
    best = ranked[0]
    records = best.records[best.first :]
    header, reason = guess_header(records)
    found = n_personal(records[0]) if header and n_personal else 0
    if found:
        header = False
        reason = EncodingEvidence.of("header_is_personal", n_columns=found)
    dialect = replace(best.dialect, header=header)
    if best.first:
        skipped = dialect.skip_lines + best.lines[best.first] - 1
        dialect = replace(dialect, skip_lines=skipped)
    evidence += [*_reasons(best, dialect), reason]
    monitor.report(1.0, "dialect")
    alternatives = _alternatives(ranked, dialect)
    return DialectGuess(
        dialect,
        tuple(evidence),
        alternatives,
        encoding.alternatives,
        header_in_doubt=reason.code in _DOUBTFUL,
    )


def _ranked(
    text: str, whole: bool, start: Dialect, tried: Sequence[str], monitor: Monitor
) -> list[_Candidate]:
    """Cut the sample in every likely way; the best first."""
    data = np.frombuffer(text.encode(), dtype=np.uint8)
    found = []
    for place, delimiter in enumerate(tried):
        monitor.report(0.9 + 0.1 * place / len(tried), "dialect")
        for dialect in _variants(text, replace(start, delimiter=delimiter)):
            found.append(_candidate(data, whole, dialect))
    # One column: a delimiter that does not occur.
    unused = next((each for each in ",;\t|" if each not in text), "\x1f")
    found.append(_candidate(data, whole, replace(start, delimiter=unused)))
    return sorted(found, key=lambda each: -each.score)


def _variants(text: str, dialect: Dialect) -> list[Dialect]:
    """Quotes, and blanks after the delimiter, as far as the text suggests them."""
    delimiter = dialect.delimiter
    variants = [dialect]
    if "'" in text:
        variants.append(replace(dialect, quote="'"))
    if '"' in text:
        variants.append(replace(dialect, quote=""))
    n_delimiters = text.count(delimiter)
    if delimiter != " " and 2 * text.count(delimiter + " ") > n_delimiters:
        variants += [replace(each, skip_blanks=True) for each in variants]
    return variants


def _candidate(data: csv_scan.Bytes, whole: bool, dialect: Dialect) -> _Candidate:
    """Cut the sample and score the result."""
    records, lines, failed = cut_sample(data, whole, dialect, _SAMPLE_RECORDS)
    counts = [len(record) for record in records]
    if not counts:
        return _Candidate(dialect, [[""]], [1], 1, 0, 0.0, 0.0)
    n_fields = Counter(counts).most_common(1)[0][0]
    first = _preamble(counts, n_fields) or _padded_preamble(records, n_fields)
    share = sum(count == n_fields for count in counts[first:]) / len(counts[first:])
    typed = records[first : first + _TYPED_RECORDS]
    weight = DELIMITERS.get(dialect.delimiter, ("", 1.0))[1]
    shape = (n_fields - 1) / n_fields * weight if n_fields > 1 else _ONE_COLUMN
    score = (
        shape
        * share**2
        * _cleanness(typed, dialect.delimiter)
        * (0.2 if failed else 1.0)
    )
    if dialect.quote == "":
        # A file whose cells are quoted has quotes, even if one is not closed: that
        # must be told with its line, not read as text.
        score *= 0.05 if _is_quoted(typed) else 0.9
    return _Candidate(dialect, records, lines, n_fields, first, share, score)


def _is_quoted(records: Sequence[Sequence[str]]) -> bool:
    """Whether most cells with a quote begin and end with it."""
    quotes = [cell for record in records for cell in record if '"' in cell]
    wrapped = sum(len(cell) > 1 and cell[0] == cell[-1] == '"' for cell in quotes)
    return wrapped > len(quotes) / 2


def _preamble(counts: Sequence[int], n_fields: int) -> int:
    """How many first records are titles or remarks: much shorter than the rest.

    A first record of nearly the usual length is a header that does not fit, and
    must be seen, not skipped.
    """
    first = next(at for at, count in enumerate(counts) if count == n_fields)
    is_short = all(count <= max(1, n_fields // 2) for count in counts[:first])
    return first if is_short and n_fields > 1 else 0


def _padded_preamble(records: Sequence[Sequence[str]], n_fields: int) -> int:
    """How many first records are titles that a spreadsheet filled up with blanks.

    ``Extract of ward list;;;;``: fewer than half of the cells are filled, and a full
    header stands below.
    """
    # A record that is too long is no measure of what is full.
    widths = [min(_n_filled(e), n_fields) for e in records[:_TYPED_RECORDS]]
    width = max(widths, default=0)
    if n_fields < _PADDED_LEAST or width < _PADDED_LEAST:
        return 0
    first = next(
        (at for at, found in enumerate(widths) if 2 * found > width), len(records)
    )
    if not 0 < first <= _PADDED_MOST or first >= len(records) - 1:
        return 0
    is_full = widths[first] == width
    return first if is_full and guess_header(records[first:])[0] else 0


def _n_filled(record: Sequence[str]) -> int:
    """Cells of a record that are not blank."""
    return sum(bool(cell.strip()) for cell in record)


def _cleanness(records: Sequence[Sequence[str]], delimiter: str) -> float:
    """Share of cells that look like one value; a tenth is given to all."""
    cells = [cell for record in records for cell in record[:60]]
    n_clean = sum(
        bool(_CLEAN.match(cell) or _NUMBER.match(cell) or _DATE.match(cell))
        # With the delimiter inside, quotes have proved their worth.
        or delimiter in cell
        for cell in cells
    )
    return 0.1 + 0.9 * n_clean / max(len(cells), 1)


def cut_sample(
    data: csv_scan.Bytes, whole: bool, dialect: Dialect, limit: int
) -> tuple[list[list[str]], list[int], bool]:
    """Cut the beginning of a text into records of any length.

    Parameters
    ----------
    data : ndarray of uint8
        UTF-8.
    whole : bool
        Whether `data` is the whole text; otherwise its last record is left out.
    dialect : Dialect
        `skip_lines` and `header` do not matter.
    limit : int
        Most records.

    Returns
    -------
    records : list of list of str
    lines : list of int
        Line on which each starts, the first of `data` being 1.
    failed : bool
        Whether the text breaks the rules of quoting, or has a NUL byte.
    """
    starts = np.empty(len(data) + 2, dtype=np.int32)
    ends = np.empty_like(starts)
    counts = np.empty(limit, dtype=np.int32)
    lines = np.empty(limit, dtype=np.int64)
    state = csv_scan.new_state()
    n_records = csv_scan.split_records(
        data,
        whole,
        dialect.delimiter_bytes,
        dialect.quote_byte,
        dialect.skip_blanks,
        0,
        starts,
        ends,
        counts,
        lines,
        state,
    )
    raw, quote = data.tobytes(), dialect.quote
    records, at = [], 0
    for count in counts[:n_records].tolist():
        spans = zip(
            starts[at : at + count].tolist(),
            ends[at : at + count].tolist(),
            strict=True,
        )
        records.append([csv_scan.field_text(raw, *span, quote) for span in spans])
        at += count
    # A quote that is never closed leaves most of the sample in one last record.
    is_stuck = n_records < limit and 2 * state[csv_scan.POSITION] < len(data)
    failed = bool(state[csv_scan.ERROR] or (is_stuck and not whole))
    return records, lines[:n_records].tolist(), failed


def _kind(cell: str) -> str:
    if _NUMBER.match(cell):
        return "number"
    return "date" if _DATE.match(cell) else "text"


def _is_year_above(cell: str, below: Sequence[str]) -> bool:
    """Whether a column of numbers that are no years is named by a year."""
    return bool(_YEAR.match(cell)) and not all(map(_YEAR.match, below))


def guess_header(records: Sequence[Sequence[str]]) -> tuple[bool, EncodingEvidence]:
    """Compare the first record with those below it, column by column.

    Returns
    -------
    is_header : bool
    reason : EncodingEvidence
        Code ``header_above_typed``, or ``header_distinct`` where nothing speaks against
        a header; ``header_repeats``, ``header_is_typed`` or ``header_not_distinct``.
    """
    first, below = records[0], records[1 : 1 + _TYPED_RECORDS]
    n_typed = n_named = n_same = n_repeated = 0
    for place, cell in enumerate(first):
        column = [record[place] for record in below if place < len(record)]
        present = [each for each in column if not _MISSING.match(each)]
        if _MISSING.match(cell) or (below and not present):
            continue
        kinds = Counter(map(_kind, present)).most_common(1)
        kind, count = kinds[0] if kinds else ("text", 0)
        if kind != "text" and count >= 0.9 * len(present):
            is_name = _kind(cell) == "text" or _is_year_above(cell, present)
            n_named += is_name
            n_same += not is_name
        elif cell in present:
            n_repeated += 1
        else:
            n_typed += _kind(cell) != "text"
    for_header, against = n_named, n_same + n_repeated + n_typed
    if for_header > against:
        return True, EncodingEvidence.of("header_above_typed", n_columns=n_named)
    if n_repeated and n_repeated >= n_same + n_typed:
        return False, EncodingEvidence.of("header_repeats", n_columns=n_repeated)
    if against:
        return False, EncodingEvidence.of("header_is_typed", n_columns=n_same + n_typed)
    names = [cell for cell in first if cell.strip()]
    if names and len(set(names)) == len(names):
        return True, EncodingEvidence.of("header_distinct", n_columns=len(first))
    return False, EncodingEvidence.of("header_not_distinct")


def _reasons(best: _Candidate, dialect: Dialect) -> list[EncodingEvidence]:
    """Evidence for delimiter, quotes, blanks and preamble."""
    n_records = len(best.records) - best.first
    if best.n_fields == 1:
        reasons = [EncodingEvidence.of("one_column", n_records=n_records)]
    else:
        reasons = [
            EncodingEvidence.of(
                "delimiter_fits" if best.share == 1.0 else "delimiter_mostly",
                delimiter=dialect.delimiter_name,
                n_records=n_records,
                n_fields=best.n_fields,
                n_other=round((1 - best.share) * n_records),
            )
        ]
    if dialect.quote == "'":
        reasons.append(EncodingEvidence.of("quote_apostrophe"))
    if dialect.quote == "":
        reasons.append(EncodingEvidence.of("quote_none"))
    if dialect.skip_blanks:
        reasons.append(EncodingEvidence.of("blanks_skipped"))
    if best.first:
        reasons.append(EncodingEvidence.of("preamble", n_lines=dialect.skip_lines))
    return reasons


def _alternatives(ranked: Sequence[_Candidate], chosen: Dialect) -> tuple[Dialect, ...]:
    """The best candidate of each other delimiter that is not far behind."""
    found: dict[str, Dialect] = {}
    for candidate in ranked[1:]:
        dialect = replace(candidate.dialect, header=chosen.header)
        near = candidate.score >= 0.25 * ranked[0].score
        if near and dialect.delimiter not in (chosen.delimiter, *found):
            found[dialect.delimiter] = dialect
    return tuple(found.values())[:3]
