"""Reads the shipped code lists of diagnoses, ZIP areas and states.

Every list is read on first use and kept; ``resources/codes/SOURCES.md`` names
where they come from.
"""

from __future__ import annotations

import csv
import gzip
import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property

from deidgui import resources

SMALL_AREA = 20_000
"""Most people of an area whose ZIP prefix Safe Harbor replaces by 000."""


@dataclass(frozen=True)
class CharlsonCondition:
    """A condition of the Charlson index.

    Parameters
    ----------
    code : str
        Of the condition in the shipped list.
    weight : int
        Of 1987: 1, 2, 3 or 6.
    """

    code: str
    name: str
    weight: int


@cache
def charlson(system: str) -> Mapping[str, CharlsonCondition]:
    """Conditions of the Charlson index by the beginnings of codes.

    Parameters
    ----------
    system : str
        "icd9cm" or "icd10cm".

    Returns
    -------
    mapping of str to CharlsonCondition
        By the beginning of a code, in upper case and without a dot.
    """
    known = {
        row["condition"]: CharlsonCondition(
            row["condition"], row["name"], int(row["weight"])
        )
        for row in _rows("charlson", "conditions.csv")
    }
    return {
        row["prefix"]: known[row["condition"]]
        for row in _rows("charlson", "prefixes.csv")
        if row["system"] == system
    }


def charlson_of(code: str, system: str) -> CharlsonCondition | None:
    """Condition of the Charlson index that a code means: the longest beginning decides.

    Parameters
    ----------
    code : str
        In upper case and without a dot.
    system : str
        As of `charlson`.
    """
    known = charlson(system)
    ends = range(len(code), 0, -1)
    return next((known[code[:n]] for n in ends if code[:n] in known), None)


def _rows(*parts: str) -> Iterator[dict[str, str]]:
    data = resources.path("codes", *parts).read_bytes()
    if parts[-1].endswith(".gz"):
        data = gzip.decompress(data)
    return csv.DictReader(io.StringIO(data.decode("utf-8")))


@dataclass(frozen=True)
class CodeHeading:
    """A block or chapter of a classification.

    Parameters
    ----------
    span : str
        First and last category: "A00-A09".
    chapter : str
        Number of the chapter.
    """

    span: str
    chapter: str
    name: str

    @property
    def title(self) -> str:
        """Span and name: "A00-A09 Intestinal infectious diseases"."""
        return f"{self.span} {self.name}"


@dataclass(frozen=True, repr=False, eq=False)
class Classification:
    """Chapters, blocks and categories of a list of diagnosis codes.

    Parameters
    ----------
    system : str
        "icd9cm" or "icd10cm".
    block_of : mapping of str to str
        Span of the block of every category, in the order of the list.
    pattern : compiled regular expression
        A code without dot; its first group is the category.
    """

    system: str
    chapters: Mapping[str, CodeHeading]
    blocks: Mapping[str, CodeHeading]
    block_of: Mapping[str, str]
    pattern: re.Pattern[str] = field(repr=False)

    def normal(self, text: str) -> str:
        """Spell a code as the list does: upper case, no dot, no filler.

        The zeros that a spreadsheet dropped before a dot come back ("41.01" is
        041.01 in ICD-9-CM); without a dot they cannot be known.
        """
        code = text.strip().upper().rstrip("-")
        whole, dot, rest = code.partition(".")
        if dot and self.system == "icd9cm" and whole.isdigit():
            whole = whole.zfill(3)
        return whole + rest

    def category(self, code: str) -> str:
        """Category of a normal code, "" if the list has none for it."""
        match = self.pattern.fullmatch(code)
        return match[1] if match and match[1] in self.block_of else ""

    def rank(self, code: str) -> tuple[int, str]:
        """Sort key that puts codes with a known category in the list's order."""
        return (self._order[self.category(code)], code)

    @cached_property
    def ccs_of(self) -> Mapping[str, str]:
        """CCS group of every complete code, "" where CCS has none."""
        return {row["code"]: row["ccs"] for row in _rows(self.system, "codes.csv.gz")}

    @cached_property
    def _order(self) -> Mapping[str, int]:
        return {category: place for place, category in enumerate(self.block_of)}


_PATTERNS = {
    "icd9cm": r"(\d{3}|V\d\d|E\d{3})\d{0,2}",
    "icd10cm": r"([A-Z]\d[0-9A-Z]|[A-Z][A-Z]\d)[0-9A-Z]{0,4}",
}


@cache
def classification(system: str) -> Classification:
    """Return the list of diagnosis codes of a system.

    Parameters
    ----------
    system : str
        "icd9cm" or "icd10cm".
    """
    return Classification(
        system,
        {row["chapter"]: CodeHeading(**row) for row in _rows(system, "chapters.csv")},
        {row["span"]: CodeHeading(**row) for row in _rows(system, "blocks.csv")},
        {row["category"]: row["block"] for row in _rows(system, "categories.csv.gz")},
        re.compile(_PATTERNS[system], re.ASCII),
    )


@dataclass(frozen=True)
class CcsGroup:
    """A group of the Clinical Classifications Software and its chapter."""

    order: int
    group: str
    name: str
    chapter: str
    chapter_name: str


@cache
def ccs_groups() -> Mapping[str, CcsGroup]:
    """Return the CCS groups of diagnoses by number, in ascending order."""
    chapters = {row["chapter"]: row["name"] for row in _rows("ccs", "chapters.csv")}
    return {
        row["group"]: CcsGroup(
            order, row["group"], row["name"], row["chapter"], chapters[row["chapter"]]
        )
        for order, row in enumerate(_rows("ccs", "groups.csv"))
    }


@dataclass(frozen=True, repr=False, eq=False)
class Zip3Areas:
    """Which three-digit ZIP prefixes have people, and how many.

    Parameters
    ----------
    population : mapping of str to mapping of str to int
        People per prefix, by census ("2010", "2020").
    restricted_2000 : frozenset of str
        Prefixes of 20,000 people or fewer by Census 2000.
    """

    population: Mapping[str, Mapping[str, int]]
    restricted_2000: frozenset[str]

    def kept(self, census: str) -> frozenset[str]:
        """Prefixes that Safe Harbor may keep.

        Parameters
        ----------
        census : str
            "2000", "2010" or "2020".

        Notes
        -----
        Counts of 2000 are not shipped: there, the prefixes known in 2010 are kept
        unless the list of the HHS guidance names them.
        """
        return self._kept[census]

    @cached_property
    def _kept(self) -> Mapping[str, frozenset[str]]:
        kept = {
            census: frozenset(
                prefix
                for prefix, population in counts.items()
                if population > SMALL_AREA
            )
            for census, counts in self.population.items()
        }
        kept["2000"] = frozenset(self.population["2010"]) - self.restricted_2000
        return kept


@cache
def zip3_areas() -> Zip3Areas:
    """Return the population of every three-digit ZIP prefix."""
    rows = list(_rows("zip3.csv"))
    return Zip3Areas(
        {
            census: {
                row["zip3"]: int(row[f"population_{census}"])
                for row in rows
                if row[f"population_{census}"]
            }
            for census in ("2010", "2020")
        },
        frozenset(row["zip3"] for row in rows if row["restricted_2000"]),
    )


@dataclass(frozen=True)
class UsState:
    """A US state or territory.

    Parameters
    ----------
    order : int
        Place in an order in which states of a division are neighbours.
    fips, ssa : str
        Two digits each.
    """

    order: int
    fips: str
    ssa: str
    abbr: str
    name: str
    division: str
    region: str


@dataclass(frozen=True, repr=False, eq=False)
class States:
    """US states and territories by every way to name them."""

    states: tuple[UsState, ...]

    @cached_property
    def by_fips(self) -> Mapping[str, UsState]:
        """States by FIPS number, two digits."""
        return {state.fips: state for state in self.states}

    @cached_property
    def by_ssa(self) -> Mapping[str, UsState]:
        """States by the number of the Social Security Administration."""
        return {state.ssa: state for state in self.states}

    @cached_property
    def by_word(self) -> Mapping[str, UsState]:
        """States by postal abbreviation and by name, in lower case."""
        words = {state.name.casefold(): state for state in self.states}
        return words | {state.abbr.casefold(): state for state in self.states}


@cache
def us_states() -> States:
    """Return the US states and territories."""
    return States(
        tuple(UsState(order, **row) for order, row in enumerate(_rows("us_states.csv")))
    )
