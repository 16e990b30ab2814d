"""The Safe Harbor baseline of a file and its risk."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial

import numpy as np

from deidgui.engine.arrays import BoolArray, Int32Array
from deidgui.engine.data.code_lists import zip3_areas
from deidgui.engine.data.hierarchy import SUPPRESSED
from deidgui.engine.data.templates.dates import read_dates
from deidgui.engine.data.templates.zip_codes import RESTRICTED, ZipCodes
from deidgui.engine.discover.cells import Cells
from deidgui.engine.discover.domain import Domain
from deidgui.engine.discover.risk import risk_of_groups
from deidgui.engine.discover.space import Space
from deidgui.engine.population.ages import read_ages
from deidgui.errors import ConfigError

AGE, ZIP, DATE, OTHER = "age", "zip", "date", "other"
ELEMENTS = (AGE, ZIP, DATE, OTHER)

OLD = 90
"""The first age that Safe Harbor does not keep."""

_MORE_DIGITS = re.compile(r"\d{4}", re.ASCII)
_YEAR = re.compile(r"(\d{4})(?:$|[- ])")


@dataclass(frozen=True)
class Element:
    """What an attribute is for the rule.

    Parameters
    ----------
    kind : {"age", "zip", "date", "other"}
        Other attributes are kept: sex, race, ethnicity, state.
    date_format : str
        How dates are written (see `deidgui.engine.data.dates`).
    oldest_year : int or None
        Of years of birth: this year and all earlier ones tell an age over 89 and
        become one value (methods.md G.4).

    Raises
    ------
    ConfigError
        Code ``discovery_element`` (found).
    """

    kind: str = OTHER
    date_format: str = "YYYY-MM-DD"
    oldest_year: int | None = None

    def __post_init__(self) -> None:
        if self.kind not in ELEMENTS:
            raise ConfigError("discovery_element", found=self.kind)


KEPT = Element()


@dataclass(frozen=True, eq=False)
class Baseline:
    """A rule applied to the values of some domains.

    Parameters
    ----------
    labels : tuple of tuple of str
        By attribute, what each value is released as.
    census : str
        Whose counts decided about ZIP areas.
    """

    space: Space
    labels: tuple[tuple[str, ...], ...] = field(repr=False)
    census: str = "2020"

    @cached_property
    def groups(self) -> tuple[Int32Array, ...]:
        """Number of what each value is released as, by attribute: int32."""
        found = []
        for labels in self.labels:
            number = {label: place for place, label in enumerate(dict.fromkeys(labels))}
            found.append(np.array([number[label] for label in labels], np.int32))
        return tuple(found)

    @cached_property
    def bits(self) -> BoolArray | None:
        """The rule as a policy; None if values that are no neighbours are joined.

        A space whose ZIP codes are in the order of their hierarchy, or are recoded
        to three digits first, always has it.
        """
        parts = []
        for groups in self.groups:
            bits = np.diff(groups) != 0
            if np.count_nonzero(bits) != groups.max():
                return None
            parts.append(bits)
        return np.concatenate(parts)

    @property
    def is_identity(self) -> bool:
        """Whether the rule changes nothing, so that every policy is acceptable."""
        return all(
            len(set(labels)) == domain.n_values
            for labels, domain in zip(self.labels, self.space.domains, strict=True)
        )

    def risk(self, cells: Cells, gamma: float = 1.0) -> float:
        """Sum of 1 / g^γ over the records under the rule: the threshold T.

        Parameters
        ----------
        cells : Cells
            Of the same space.
        gamma : float > 0

        References
        ----------
        .. [1] methods.md A.4.
        """
        return risk_of_groups(cells, self.groups, gamma)


def safe_harbor(
    space: Space, elements: Mapping[str, Element], *, census: str = "2020"
) -> Baseline:
    """Apply the Safe Harbor rule to the values of a space.

    Ages of 90 and more become one value, ZIP codes three digits or 000, dates years.

    Parameters
    ----------
    elements : mapping of str to Element
        By attribute; those without are kept.
    census : {"2020", "2010", "2000"}
        Whose counts decide which ZIP areas have 20,000 people or fewer.

    Raises
    ------
    ConfigError
        Codes ``discovery_census`` (found), or ``discovery_element_attribute``
        (attribute) if an element is none of the quasi-identifiers.

    References
    ----------
    .. [1] 45 CFR 164.514(b)(2)(i)(B) and (C); methods.md A.4, G.3 and G.4.
    """
    if census not in ("2020", "2010", "2000"):
        raise ConfigError("discovery_census", found=census)
    for name in elements:
        if name not in space.attributes:
            raise ConfigError("discovery_element_attribute", attribute=name)
    labels = tuple(
        _labels(domain, elements.get(domain.attribute, KEPT), census)
        for domain in space.domains
    )
    return Baseline(space, labels, census)


def _labels(domain: Domain, element: Element, census: str) -> tuple[str, ...]:
    """What each value is released as; a missing value stays."""
    ways: dict[str, Callable[[Sequence[str]], list[str]]] = {
        AGE: _ages,
        ZIP: partial(_zips, census=census),
        DATE: partial(_dates, element=element),
        OTHER: list,
    }
    found = ways[element.kind](domain.values)
    if domain.missing_value is not None:
        found[domain.missing_value] = domain.values[domain.missing_value]
    return tuple(found)


def _ages(values: Sequence[str]) -> list[str]:
    """Join all values that someone of 90 may have; words that are no age stay."""
    return [
        f"{OLD}+"
        if span is not None and (span.high is None or span.high >= OLD)
        else value
        for value, span in zip(values, read_ages(values).spans, strict=True)
    ]


def _zips(values: Sequence[str], census: str) -> list[str]:
    kept = zip3_areas().kept(census)
    # Beside whole codes three digits are one that has lost two leading zeros.
    is_whole = any(_MORE_DIGITS.match(value.strip()) for value in values)
    codes = ZipCodes(census, "5 digits" if is_whole else "3 digits")
    prefixes = [codes.prefix(value) for value in values]
    return [prefix if prefix in kept else RESTRICTED for prefix in prefixes]


def _dates(values: Sequence[str], element: Element) -> list[str]:
    """Years of dates and of what begins with one; nothing of other values.

    The rule takes all elements of dates but the year: a month alone, and a date that
    cannot be read, are removed, since whatever stayed would make the rule look riskier
    than it is.
    """
    found = []
    for value, day in zip(values, read_dates(values, element.date_format), strict=True):
        match = _YEAR.match(value.strip())
        if day is None and match is None:
            found.append(SUPPRESSED)
            continue
        year = day.year if day is not None else int(match[1]) if match else 0
        oldest = element.oldest_year
        is_old = oldest is not None and year <= oldest
        found.append(f"≤{oldest}" if is_old else f"{year}")
    return found
