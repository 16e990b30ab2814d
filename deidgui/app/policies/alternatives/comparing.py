"""What do a few alternatives, and the rule, do differently?"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from deidgui.app.policies.alternatives.basis import BaselineRule, Basis, rule_in_words
from deidgui.app.policies.alternatives.policies import AlternativePolicies
from deidgui.engine.arrays import Int32Array
from deidgui.engine.discover.comparing import PolicyDifference, compare_groups
from deidgui.engine.discover.riskier import Riskier
from deidgui.engine.discover.wording import is_joined
from deidgui.errors import ConfigError

BASELINE = -1
"""Stands for the rule among the numbers of alternatives."""

FEWEST, MOST = 2, 4
"""How many policies can be put side by side."""


@dataclass(frozen=True, repr=False)
class PolicySide:
    """One policy among several.

    Parameters
    ----------
    number : int
        Of the alternative; `BASELINE` for the rule.
    joined : tuple of str
        By attribute what is joined, in the form of the paper's table 3.
    risk : float
        Sum of 1 / g^γ over the records.
    loss : float
        Bits per record that it loses.
    n_values : tuple of int
        By attribute, values of the file that are released together with others.
    n_records : tuple of int
        By attribute, records with such a value.
    n_records_joined : int
        Records with any such value.
    n_suppressed : int
        Records that it suppresses: only a rule does.
    cautious : float
        Sum of 1 / g^γ over all records (see `Sums`).
    riskier : Riskier or None
        Records that are easier to find than under the rule; None of the rule itself,
        and without one.
    """

    number: int
    joined: tuple[str, ...]
    risk: float
    loss: float
    n_values: tuple[int, ...]
    n_records: tuple[int, ...]
    n_records_joined: int
    n_suppressed: int = 0
    cautious: float = 0.0
    riskier: Riskier | None = None


@dataclass(frozen=True, repr=False)
class SideBySide:
    """Two to four policies.

    Parameters
    ----------
    pairs : mapping of (int, int) to PolicyDifference
        By the places of two sides, the smaller one first.
    """

    attributes: tuple[str, ...]
    sides: tuple[PolicySide, ...]
    pairs: Mapping[tuple[int, int], PolicyDifference]


def compare(discovered: AlternativePolicies, numbers: Sequence[int]) -> SideBySide:
    """Put two to four policies side by side.

    Parameters
    ----------
    numbers : sequence of int
        Of alternatives; `BASELINE` for the rule.

    Returns
    -------
    SideBySide
        Values are leaves of the hierarchies, whatever level was joined.

    Raises
    ------
    ConfigError
        Codes ``compare_count`` (found, fewest, most) or ``compare_no_rule`` if there
        is no rule to compare with.
    """
    if not FEWEST <= len(numbers) <= MOST:
        raise ConfigError("compare_count", found=len(numbers), fewest=FEWEST, most=MOST)
    basis = discovered.basis
    groups = [_groups(discovered, number) for number in numbers]
    sides = tuple(
        _side(discovered, number, own)
        for number, own in zip(numbers, groups, strict=True)
    )
    pairs = {
        (one, other): compare_groups(
            basis.cells.every,
            groups[one],
            groups[other],
            (sides[one].risk, sides[other].risk),
        )
        for one, other in itertools.combinations(range(len(numbers)), 2)
    }
    return SideBySide(basis.attributes, sides, pairs)


def _rule(basis: Basis) -> BaselineRule:
    if basis.baseline is None:
        raise ConfigError("compare_no_rule")
    return basis.baseline


def _groups(discovered: AlternativePolicies, number: int) -> tuple[Int32Array, ...]:
    """Number of what each leaf is released as, by attribute."""
    basis = discovered.basis
    if number == BASELINE:
        return _rule(basis).groups
    runs = discovered.alternatives[number].policy.groups
    return tuple(
        own[domain.of_leaf]
        for domain, own in zip(basis.space.domains, runs, strict=True)
    )


def _side(
    discovered: AlternativePolicies, number: int, groups: Sequence[Int32Array]
) -> PolicySide:
    basis = discovered.basis
    cells = basis.cells.every
    joined = [
        is_joined(domain, own)
        for domain, own in zip(cells.space.domains, groups, strict=True)
    ]
    of_cell = np.stack(
        [each[cells.values[:, place]] for place, each in enumerate(joined)], axis=1
    )
    n_values = tuple(int(each.sum()) for each in joined)
    n_records = tuple(int(cells.records[column].sum()) for column in of_cell.T)
    n_any = int(cells.records[of_cell.any(axis=1)].sum())
    counts = n_values, n_records, n_any
    if number == BASELINE:
        rule = _rule(basis)
        words, risk, loss = rule_in_words(basis), rule.risk, rule.loss
        cautious = rule.sums.cautious
        return PolicySide(
            number, words, risk, loss, *counts, rule.n_suppressed, cautious
        )
    own = discovered.alternatives[number]
    words = discovered.table3_row(number)
    cautious = basis.cells.sums(groups).cautious
    riskier = basis.riskier(discovered.policy(number), own.figures)
    return PolicySide(number, words, own.risk, own.loss, *counts, 0, cautious, riskier)
