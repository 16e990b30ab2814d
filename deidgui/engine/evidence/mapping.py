"""Makes the mapping files, which do not reveal which values occur in the data."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from deidgui.engine.arrays import BoolArray, IntArray
from deidgui.engine.detect.first_row import is_personal
from deidgui.engine.policy.policy import AttributeMap

HEADER = ("value", "label", "values")
ROUND_HEADER = ("round", *HEADER)
"""Of a policy of several rounds."""

FOLDER = "mapping"

NOT_RELEASED = "(not released)"
"""Stands for the values whose labels no released record has."""

_RESERVED = re.compile(r"^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)", re.I)
_LONGEST = 80


def names_values(each: AttributeMap, leaf_records: IntArray, few: int) -> bool:
    """Whether all values behind the labels may be named.

    Parameters
    ----------
    each : AttributeMap
    leaf_records : ndarray of int64, shape (n_leaves,)
        Records with each value.
    few : int, >= 1
        Values of fewer records are rare.

    Returns
    -------
    bool
        False for hierarchies that a rule built from the file: their values are
        those that occur in it. True for other ones if no value is rare.
    """
    return bool(_nameable(each, leaf_records, few).all())


def _nameable(each: AttributeMap, leaf_records: IntArray, few: int) -> BoolArray:
    """Which values may be named: ndarray of bool, (n_leaves,)."""
    # PRIVACY: naming a rare value would tell that somebody has it. One that nobody
    # has is not named either: otherwise a list would tell which ones are rare.
    return (leaf_records >= few) & (each.hierarchy.rule is None)


def mapping_csv(
    each: AttributeMap,
    leaf_records: IntArray,
    released: BoolArray,
    few: int,
    write: Callable[[str], str] = str,
) -> bytes:
    """Content of ``mapping/ATTRIBUTE.csv``.

    Parameters
    ----------
    each : AttributeMap
    leaf_records : ndarray of int64, shape (n_leaves,)
    released : ndarray of bool, shape (n_labels,)
        Labels that occur in the released table.
    few : int, >= 1
        See `names_values`.
    write : callable, optional
        How a text is written in the release (made harmless for spreadsheets).

    Returns
    -------
    bytes
        UTF-8 CSV: value, label, values. One row per value that may be named
        (``values`` is 1), and one row per released label without a value, with
        the number of its values that are not named; the values behind labels that
        are not released are summed up in a row "(not released)" without label.
    """
    return _lines(HEADER, _rows(each, leaf_records, released, few, write))


def round_mapping_csv(
    rounds: Sequence[tuple[AttributeMap, BoolArray]],
    leaf_records: IntArray,
    few: int,
    write: Callable[[str], str] = str,
) -> bytes:
    """Content of ``mapping/ATTRIBUTE.csv`` for a policy of several rounds.

    Parameters
    ----------
    rounds : sequence of (AttributeMap, ndarray of bool)
        Of each round, with the labels that some record has that it releases.
    leaf_records : ndarray of int64
    write : callable
        All as of `mapping_csv`.

    Returns
    -------
    bytes
        The rows of `mapping_csv` for each round, with its number (from 1) before.
    """
    return _lines(
        ROUND_HEADER,
        (
            (str(number), *row)
            for number, (each, released) in enumerate(rounds, start=1)
            for row in _rows(each, leaf_records, released, few, write)
        ),
    )


def _rows(
    each: AttributeMap,
    leaf_records: IntArray,
    released: BoolArray,
    few: int,
    write: Callable[[str], str],
) -> Iterable[tuple[str, ...]]:
    is_named = _nameable(each, leaf_records, few) & released[each.groups]
    leaves, groups = each.hierarchy.leaves, each.groups
    named = [
        (write(leaves[leaf]), write(each.labels[groups[leaf]]), "1")
        for leaf in np.flatnonzero(is_named).tolist()
    ]
    return [*named, *_rows_by_label(each, released, ~is_named, write)]


def _lines(header: Sequence[str], rows: Iterable[tuple[str, ...]]) -> bytes:
    lines = (",".join(map(_quoted, row)) for row in rows)
    return "".join(f"{line}\n" for line in (",".join(header), *lines)).encode()


def _quoted(cell: str) -> str:
    """Quote where needed; the csv module leaves a lone carriage return bare."""
    if any(mark in cell for mark in ',"\r\n'):
        return '"' + cell.replace('"', '""') + '"'
    return cell


def _rows_by_label(
    each: AttributeMap,
    released: BoolArray,
    is_meant: BoolArray,
    write: Callable[[str], str],
) -> list[tuple[str, ...]]:
    """Rows without the values, for some of the values."""
    n_values = np.bincount(each.groups[is_meant], minlength=len(each.labels))
    rows: list[tuple[str, ...]] = [
        ("", write(each.labels[label]), str(n_values[label]))
        for label in np.flatnonzero(released & (n_values > 0))
    ]
    rest = int(n_values[~released].sum())
    if rest:
        rows.append((NOT_RELEASED, "", str(rest)))
    return rows


_DOUBTFUL = re.compile(r"@|\d{4}|^\W*\d+\W*$|\d\D\d+\D\d")
"""What stands in values rather than in names: addresses, dates, numbers."""


def is_doubtful_name(name: str) -> bool:
    """Whether a column's name could be a value of a record that was read as names."""
    return bool(_DOUBTFUL.search(name)) or is_personal(name)


def mapping_paths(
    attributes: Sequence[str],
    positions: Mapping[str, int] | None = None,
    *,
    are_confirmed: bool = False,
) -> dict[str, str]:
    """Path of the mapping file of every attribute, safe on every file system.

    Parameters
    ----------
    attributes : sequence of str
        Unique names.
    positions : mapping of str to int, optional
        Place of each among the columns of the input, from 1: names a file where the
        name is doubtful.
    are_confirmed : bool
        Whether a person has said that the first record holds the names of columns:
        none is doubtful then.

    Returns
    -------
    dict of str to str
        Relative to the release, with slashes, different without regard to case.
    """
    paths: dict[str, str] = {}
    taken: set[str] = set()
    for place, attribute in enumerate(attributes, start=1):
        stem = safe_name(attribute)
        if not are_confirmed and is_doubtful_name(attribute):
            # PRIVACY: a file without names has its first record for names.
            stem = f"column-{(positions or {}).get(attribute, place)}"
        name, number = stem, 1
        while name.casefold() in taken:
            number += 1
            name = f"{stem}-{number}"
        taken.add(name.casefold())
        paths[attribute] = f"{FOLDER}/{name}.csv"
    return paths


def safe_name(text: str) -> str:
    """File name without ending that every file system accepts."""
    plain = unicodedata.normalize("NFC", text)
    kept = "".join(c if c.isalnum() or c in "-_ ." else "_" for c in plain)
    name = kept[:_LONGEST].strip(" .") or "attribute"
    return f"_{name}" if _RESERVED.match(name) else name
