"""Reads and writes confirmed mappings of values.

A CSV file with a row per pair, ``value;value of the population``, and a row with the
value alone where nothing in the population means it. Weights are not kept: values that
a person left as proposed keep the proposal's, others share evenly (`with_pairs`).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping

from deidgui.engine.population.mapping import AttributeMapping
from deidgui.errors import InputError

MAX_BYTES = 32 * 1024 * 1024
MAX_ROWS = 1_000_000
MAX_CELL = 10_000
"""What a file may be at most; a stranger's file must not fill the memory."""

Pairs = Mapping[str, tuple[str, ...]]
"""Values of the population by value of the data."""


def mapping_csv(mapping: AttributeMapping) -> bytes:
    """Text of the CSV file of a mapping, in UTF-8.

    Returns
    -------
    bytes
        Of the values that have records, in their order. Nothing is escaped against
        spreadsheets: a value must come back as it was.
    """
    lines = []
    for match in mapping.matches():
        if not match.n_records:
            continue
        own = _quoted(match.text)
        lines += [f"{own};{_quoted(each)}\n" for each in match.partners] or [f"{own}\n"]
    return "".join(lines).encode()


def read_mapping(content: bytes, attribute: str) -> Pairs:
    """Read the CSV file of a mapping.

    Parameters
    ----------
    attribute : str
        Named in errors.

    Returns
    -------
    mapping of str to tuple of str
        Empty tuples for values without a partner.

    Raises
    ------
    InputError
        Code ``people_mapping_too_large`` with the limit, or
        ``people_mapping_unreadable`` with the row.
    """
    if len(content) > MAX_BYTES:
        raise InputError(
            "people_mapping_too_large", attribute=attribute, limit=MAX_BYTES
        )
    found: dict[str, dict[str, None]] = {}
    for number, row in enumerate(_rows(content, attribute), 1):
        if number > MAX_ROWS:
            raise InputError(
                "people_mapping_too_large", attribute=attribute, limit=MAX_ROWS
            )
        own, *partner = row
        known = found.get(own)
        if known is not None and (not partner or not known or partner[0] in known):
            raise _unreadable(attribute, number)
        found.setdefault(own, {}).update(dict.fromkeys(partner))
    return {own: tuple(partners) for own, partners in found.items()}


def with_pairs(mapping: AttributeMapping, pairs: Pairs) -> AttributeMapping:
    """Return a mapping as a person confirmed it.

    Parameters
    ----------
    mapping : AttributeMapping
        The proposal for the values there are now.
    pairs : mapping of str to tuple of str
        Of `read_mapping`. Values that are not in the data are left aside; values of
        the data without records that are not in it keep their proposal.

    Returns
    -------
    AttributeMapping
        Confirmed.

    Raises
    ------
    InputError
        Code ``people_mapping_partner`` if partners are not values of the population,
        ``people_mapping_incomplete`` if values of the data have no row.
    """
    own = mapping.target.index
    unknown = {each for ps in pairs.values() for each in ps if each not in own}
    where = {"attribute": mapping.data.attribute, "column": mapping.target.name}
    if unknown:
        raise InputError("people_mapping_partner", **where, n_values=len(unknown))
    absent = [
        match
        for place, match in enumerate(mapping.matches())
        if match.n_records and match.text not in pairs and not mapping.data.lacks(place)
    ]
    if absent:
        raise InputError(
            "people_mapping_incomplete",
            **where,
            n_values=len(absent),
            n_records=sum(each.n_records for each in absent),
        )
    changed = {
        match.text: pairs[match.text]
        for match in mapping.matches()
        if match.text in pairs and set(pairs[match.text]) != set(match.partners)
    }
    return mapping.with_partners(changed).confirmed()


def _rows(content: bytes, attribute: str) -> Iterator[list[str]]:
    """Rows of one or two cells; whatever else there is, is refused."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _unreadable(attribute, 1) from None
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=";", strict=True)
    number = 0
    try:
        for number, row in enumerate(reader, 1):
            is_long = any(len(cell) > MAX_CELL or "\0" in cell for cell in row)
            if len(row) not in (1, 2) or is_long:
                raise _unreadable(attribute, number)
            yield row
    except csv.Error:
        raise _unreadable(attribute, number + 1) from None


def _unreadable(attribute: str, row: int) -> InputError:
    return InputError("people_mapping_unreadable", attribute=attribute, row=row)


def _quoted(cell: str) -> str:
    """Quote where needed; an empty line would be no row."""
    if not cell or any(mark in cell for mark in ';"\r\n\ufeff'):
        return '"' + cell.replace('"', '""') + '"'
    return cell
