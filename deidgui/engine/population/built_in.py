"""Population tables that come with the program.

Every table is read on first use and kept; ``resources/population/SOURCES.md`` names
where they come from.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

import numpy as np

from deidgui import resources
from deidgui.engine.detect.roles import Reason
from deidgui.engine.population.places import by_prefix
from deidgui.engine.population.table import (
    PopulationAttribute,
    PopulationTable,
    Subject,
)
from deidgui.errors import InputError

NAMES = (
    *("us_2000", "us_2010", "us_2014"),
    *("states_2020", "states_2021", "states_2022", "states_2023", "states_2024"),
    "states_2000_modelled",
    *("zip5_2010", "zip5_2020", "zip3_2010", "zip3_2020"),
)
"""All tables, in the order in which they are offered."""


@dataclass(frozen=True)
class TableCard:
    """What a table holds, for the person who chooses one.

    Parameters
    ----------
    basis : str
        "counted": figures of the Census Bureau (a census or its official estimate);
        "modelled": cells made from margins, to be labelled wherever they are shown.
    lacks : tuple of str
        What is not in it.
    attributes : tuple of PopulationAttribute
        With their values in order; ZIP codes are in the table only.
    total : int
        People.
    """

    name: str
    title: str
    year: int
    geography: str
    basis: str
    source: str
    lacks: tuple[str, ...]
    attributes: tuple[PopulationAttribute, ...]
    total: int

    @property
    def is_modelled(self) -> bool:
        """Whether its cells are estimates and not counts."""
        return self.basis == "modelled"

    @cached_property
    def subjects(self) -> frozenset[Subject]:
        """What its attributes speak of."""
        return frozenset(attribute.subject for attribute in self.attributes)


@cache
def tables() -> tuple[TableCard, ...]:
    """Return the cards of all tables."""
    return tuple(card(name) for name in NAMES)


@cache
def card(name: str) -> TableCard:
    """Return the card of a table.

    Raises
    ------
    InputError
        Code ``people_table_unknown``.
    """
    if name not in NAMES:
        raise InputError("people_table_unknown", table=name)
    if name.startswith("zip3"):
        return _of_prefixes(card(name.replace("zip3", "zip5")), name)
    fields = json.loads(resources.path("population", f"{name}.json").read_bytes())
    fields["attributes"] = tuple(_attribute(**each) for each in fields["attributes"])
    fields["lacks"] = tuple(fields["lacks"])
    return TableCard(name=name, **fields)


@cache
def load(name: str) -> PopulationTable:
    """Return a table of people.

    Parameters
    ----------
    name : str
        One of `NAMES`.

    Returns
    -------
    PopulationTable
        Modelled tables are not `is_counted`.

    Raises
    ------
    InputError
        Code ``people_table_unknown``.

    Notes
    -----
    Numbers of three-digit ZIP areas are sums over the ZIP codes that begin so.
    """
    chosen = card(name)
    if name.startswith("zip3"):
        return by_prefix(load(name.replace("zip3", "zip5"))).renamed(name)
    data = resources.path("population", f"{name}.npz").read_bytes()
    with np.load(io.BytesIO(data), allow_pickle=False) as stored:
        arrays = dict(stored)
    assumptions = (Reason("people_modelled", {"table": chosen.title}),)
    table = _sparse(chosen, arrays) if "codes" in arrays else _dense(chosen, arrays)
    return replace(table, assumptions=assumptions if chosen.is_modelled else ())


@cache
def table_files(name: str) -> Mapping[str, str]:
    """Return the files a table is read from, so that anybody can tell its bytes.

    Parameters
    ----------
    name : str
        One of `NAMES`.

    Returns
    -------
    mapping of str to str
        SHA-256 in lower-case hexadecimal digits by file name: values and counts.

    Raises
    ------
    InputError
        Code ``people_table_unknown``.
    """
    stem = card(name).name.replace("zip3", "zip5")
    return {
        file: hashlib.sha256(
            resources.path("population", file).read_bytes()
        ).hexdigest()
        for file in (f"{stem}.json", f"{stem}.npz")
    }


def load_states(name: str, states: Iterable[str]) -> PopulationTable:
    """Return the people of some states.

    Parameters
    ----------
    name : str
        A table with states.
    states : iterable of str
        Names, as on its card.

    Raises
    ------
    InputError
        Codes ``people_table_unknown``, ``people_attribute_unknown`` and
        ``people_value_unknown``.
    """
    table = load(name)
    attribute = table.of_subject(Subject.STATE)
    if attribute is None:
        raise InputError("people_attribute_unknown", attribute="state", table=name)
    chosen = table.only(attribute.name, states)
    zips = chosen.of_subject(Subject.ZIP5) or chosen.of_subject(Subject.ZIP3)
    if zips is None:
        return chosen
    present = np.unique(chosen.cells[:, chosen.place(zips.name)])
    return chosen.only(zips.name, [zips.values[code] for code in present])


def _attribute(
    name: str, subject: str, values: Iterable[str] = ()
) -> PopulationAttribute:
    return PopulationAttribute(name, tuple(values), Subject(subject))


def _of_prefixes(codes: TableCard, name: str) -> TableCard:
    """Card of three-digit areas, summed from that of the ZIP codes."""
    attributes = tuple(
        replace(each, subject=Subject.ZIP3) if each.subject is Subject.ZIP5 else each
        for each in codes.attributes
    )
    return replace(
        codes,
        name=name,
        title=f"Three-digit ZIP areas, census of {codes.year}, everybody",
        source=f"{codes.source} Summed by the first three digits.",
        attributes=attributes,
    )


def _dense(chosen: TableCard, arrays: Mapping[str, Any]) -> PopulationTable:
    counts = arrays["counts"]
    places = np.nonzero(counts)
    cells = np.stack(places, axis=1).astype(np.int32)
    population = counts[places].astype(np.int64)
    return PopulationTable(chosen.name, chosen.attributes, cells, population)


def _sparse(chosen: TableCard, arrays: Mapping[str, Any]) -> PopulationTable:
    """Table of ZIP codes, whose values stand beside the counts."""
    codes = arrays["codes"]
    known = np.unique(codes)
    states, zips = chosen.attributes
    zips = replace(zips, values=tuple(known.astype("U5").tolist()))
    cells = np.stack([arrays["states"], np.searchsorted(known, codes)], axis=1)
    somebody = arrays["counts"] > 0
    return PopulationTable(
        chosen.name,
        (states, zips),
        cells[somebody].astype(np.int32),
        arrays["counts"][somebody].astype(np.int64),
    )
