"""Finds the country that a file comes from."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import polars as pl

from deidgui.engine.data.table import Column, Table
from deidgui.engine.detect.languages import languages_of
from deidgui.engine.detect.roles import Band, Finding, Identifier, Reason, Topic
from deidgui.engine.detect.wordlists import (
    has_zip_prefix,
    is_known_zip,
    state_codes,
    state_names,
)
from deidgui.errors import Param

UNITED_STATES = "US"

_HOME = {
    "de": ("DE", "AT", "CH"), "fr": ("FR", "BE", "CH", "CA"), "es": ("ES", "MX", "AR"),
    "it": ("IT", "CH"), "pt": ("PT", "BR"), "nl": ("NL", "BE"), "pl": ("PL",),
    "sv": ("SE", "FI"), "no": ("NO",), "da": ("DK",), "fi": ("FI",),
}  # fmt: skip
"""Countries of a language, the likeliest first."""

_POSTCODES = (
    ("GB", r"^[A-Z]{1,2}[0-9][A-Z0-9]?(?: ?[0-9][A-Z]{2})$"),
    ("CA", r"^[ABCEGHJ-NPRSTVXY][0-9][A-Z] ?[0-9][A-Z][0-9]$"),
    ("NL", r"^[1-9][0-9]{3} ?[A-Z]{2}$"),
    ("PL", r"^[0-9]{2}-[0-9]{3}$"),
    ("PT", r"^[1-9][0-9]{3}-[0-9]{3}$"),
    ("SE", r"^[1-9][0-9]{2} [0-9]{2}$"),
    ("BR", r"^[0-9]{5}-[0-9]{3}$"),
    ("IE", r"^[A-Z][0-9]{2} ?[A-Z0-9]{4}$"),
)
"""Postal codes that are written so in one country only."""

_PREFIXES = {
    "1": "US", "44": "GB", "49": "DE", "43": "AT", "41": "CH", "33": "FR", "32": "BE",
    "34": "ES", "39": "IT", "351": "PT", "55": "BR", "31": "NL", "48": "PL",
    "46": "SE", "47": "NO", "45": "DK", "358": "FI", "353": "IE", "52": "MX",
    "54": "AR", "56": "CL", "61": "AU", "64": "NZ",
}  # fmt: skip
_INTERNATIONAL = r"^(?:\+|00)([1-9][0-9]{0,2})"
_CURRENCIES = (("US", "$"), ("GB", "£"))
_SAMPLE = 2_000
_MOST = 0.8
_KNOWN_ZIPS = 0.7
_FIVE = re.compile(r"[0-9]{5}(?:-?[0-9]{4})?")


@dataclass(frozen=True)
class CountryFinding:
    """The country that a file comes from.

    Parameters
    ----------
    country : str or None
        Two letters; None if nothing tells.
    candidates : tuple of str
        Other countries that are possible, the likelier first.
    """

    country: str | None
    certainty: Band | None = None
    reasons: tuple[Reason, ...] = ()
    candidates: tuple[str, ...] = ()


def find_country(table: Table, findings: Sequence[Finding]) -> CountryFinding:
    """Find the country by language, postal codes, numbers, telephones and money.

    Parameters
    ----------
    findings : sequence of Finding
        One per column, in the order of the table.
    """
    points: Counter[str] = Counter()
    reasons = []
    for country, weight, reason in _signs(table, findings):
        points[country] += weight
        reasons.append((country, reason))
    if not points:
        return CountryFinding(None)
    (first, most), *others = points.most_common()
    rival = others[0][1] if others else 0
    if rival == most:
        return CountryFinding(None, None, (), tuple(points))
    certainty = Band.POSSIBLE if most < 3 else Band.PROBABLE
    if most >= 5 and most >= 2 * rival:
        certainty = Band.CERTAIN
    named = tuple(dict.fromkeys(reason.code for at, reason in reasons if at == first))
    return CountryFinding(
        first,
        certainty,
        tuple(
            next(r for at, r in reasons if at == first and r.code == c) for c in named
        ),
        tuple(country for country, _ in others),
    )


def has_zip_codes(column: Column) -> bool:
    """Whether postal codes are those of the United States.

    Most of their five digits are areas of the 2020 Census; three digits are
    prefixes in use, under a name that says "ZIP".
    """
    texts = _sample(column)
    fives = [text for text in texts if _FIVE.fullmatch(text)]
    if 2 * len(fives) > len(texts):
        known = sum(is_known_zip(text) for text in fives)
        return known >= _KNOWN_ZIPS * len(fives)
    heads = [text[:3] for text in texts if text[:3].isdigit()]
    named = "zip" in column.name.lower()
    return named and 2 * len(heads) > len(texts) and all(map(has_zip_prefix, heads))


def _signs(
    table: Table, findings: Sequence[Finding]
) -> Iterator[tuple[str, int, Reason]]:
    """Countries that columns speak for, with their weight and reason."""
    spoken = languages_of(table.column_names) - {"en"}
    for language in sorted(spoken):
        for place, country in enumerate(_HOME[language]):
            yield country, 2 if place == 0 else 1, Reason("country_language")
    for finding in findings:
        column = table.column(finding.column)
        if finding.country:
            yield finding.country, 3, Reason("country_numbers", _named(finding))
        if finding.topic is Topic.ZIP:
            yield from _of_postcodes(column, finding)
        elif finding.topic is Topic.STATE and _has_states(column):
            yield UNITED_STATES, 3, Reason("country_states", _named(finding))
        elif finding.identifier is Identifier.TELEPHONE:
            yield from _of_telephones(column, finding)
        elif finding.topic is Topic.MONEY:
            texts = _sample(column, 50)
            for country, sign in _CURRENCIES:
                if any(sign in text for text in texts):
                    yield country, 1, Reason("country_money", _named(finding))


def _of_postcodes(
    column: Column, finding: Finding
) -> Iterator[tuple[str, int, Reason]]:
    """Countries that postal codes speak for.

    Five digits of many countries are ZIP codes too: under a name of another language
    they say little.
    """
    texts = _sample(column)
    for country, shape in _POSTCODES:
        if sum(bool(re.match(shape, text)) for text in texts) > _MOST * len(texts):
            yield country, 3, Reason("country_postcodes", _named(finding))
            return
    if has_zip_codes(column):
        named = languages_of((column.name,))
        weight = 1 if named and "en" not in named else 3
        yield UNITED_STATES, weight, Reason("country_postcodes", _named(finding))


def _of_telephones(
    column: Column, finding: Finding
) -> Iterator[tuple[str, int, Reason]]:
    numbers = pl.Series(_sample(column), dtype=pl.String)
    heads = numbers.str.extract(_INTERNATIONAL, 1).drop_nulls().to_list()
    found = Counter(
        _PREFIXES[head[:n]]
        for head in heads
        for n in (3, 2, 1)
        if head[:n] in _PREFIXES and len(head) >= n
    )
    if found and 2 * len(heads) > len(numbers):
        country, _ = found.most_common(1)[0]
        yield country, 2, Reason("country_telephones", _named(finding))


def _has_states(column: Column) -> bool:
    texts = [text.lower() for text in _sample(column)]
    known = state_codes() | state_names()
    return bool(texts) and sum(text in known for text in texts) > _MOST * len(texts)


def _sample(column: Column, limit: int = _SAMPLE) -> list[str]:
    """Some distinct values, evenly spaced."""
    texts = column.values.filter(pl.Series(~column.is_missing))
    step = max(1, len(texts) // limit)
    return [text.strip().upper() for text in texts.gather_every(step)]


def _named(finding: Finding) -> dict[str, Param]:
    return {"column": finding.column}
