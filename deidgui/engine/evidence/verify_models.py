"""Judges privacy models on released rows, by code that the search does not share."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from deidgui.engine.arrays import IntArray

TOLERANCE = 1e-9
"""Sums of fractions may miss a threshold by so much and still meet it."""

STRICT = 1e-12
"""What must be below a threshold is not below it by a rounding error."""

NUMBER = re.compile(r"[+-]?\d+(\.\d+)?", re.ASCII)

MOST_STEPS = 100_000
"""Larger parameters are not those of a model: the evidence may be anybody's."""

Params = Mapping[str, Any]

_Key = tuple[int | None, ...]

Verdict = bool | str
"""Whether a model holds, or the code of why the files do not tell."""

Counts = Mapping[str, int]
"""Records of one class by value."""

Shares = Mapping[str, float]
"""Share of each value among all records of the input."""

Holds = Callable[[Params, Counts, Shares], bool]


class NoOrderError(Exception):
    """The files do not tell in which order values stand."""


@dataclass(frozen=True, eq=False)
class ReleasedValues:
    """Values of a sensitive column in the released classes.

    Parameters
    ----------
    classes : sequence of Counter
        Records by value, one counter per released class.
    is_whole : bool
        Whether these are all records of the input.
    people : sequence of int or None
        People of each class, where rows belong to people: somebody with several
        values is counted with each of them.
    """

    classes: Sequence[Mapping[str, int]]
    is_whole: bool
    people: Sequence[int] | None = None

    def tells_of_all(self) -> bool:
        """Whether all people of a class have one value, whatever else they have."""
        sizes = self.people or ()
        return any(
            max(each.values()) >= size
            for each, size in zip(self.classes, sizes, strict=self.people is not None)
        )

    def whole(self) -> dict[str, float]:
        """Share of each value among all records of the input."""
        totals: Counter[str] = Counter()
        for each in self.classes:
            totals.update(each)
        n_records = totals.total()
        return {value: count / n_records for value, count in totals.items()}


@dataclass(frozen=True, eq=False)
class ReleasedFacts:
    """What released rows tell a privacy model.

    Parameters
    ----------
    sizes : ndarray of int64, shape (n_classes,), not empty
    values : mapping of str to ReleasedValues
        By sensitive attribute, for those that are released as they are.
    fraction : float in (0, 1] or None
        Share of the population that the records are; None if it was counted.
    shown : mapping of tuple to int, or None
        Records, or people, by what they show of each quasi-identifier; None if the
        files do not tell.
    """

    sizes: IntArray
    values: Mapping[str, ReleasedValues] = field(default_factory=dict)
    fraction: float | None = None
    shown: Mapping[tuple[int | None, ...], int] | None = None


def judge(kind: str, params: Params, facts: ReleasedFacts) -> Verdict:
    """Judge one privacy model from released rows.

    Parameters
    ----------
    params : mapping of str to JSON value
        As the evidence states them: checked here, since nobody vouches for them.

    Returns
    -------
    bool or str
        Whether the model holds; or why that cannot be told: ``population``,
        ``suppressed_values``, ``people_not_released``, ``many_sets``,
        ``column_changed``, ``value_hierarchy``,
        ``estimator``, ``sampling``, ``parameters`` or ``kind``.

    References
    ----------
    .. [1] methods.md B.5 and E.6.
    """
    if kind in _ELSEWHERE:
        return _ELSEWHERE[kind]
    try:
        if kind in _BY_SIZE:
            return _BY_SIZE[kind](params, facts.sizes)
        if kind in _BY_POPULATION:
            return _by_population(kind, params, facts)
        if kind in _BY_VALUES:
            return _by_values(kind, params, facts)
        if kind == "known_attributes":
            return _by_any_known(params, facts)
    except NoOrderError:
        return "value_hierarchy"
    except (KeyError, TypeError, ValueError, ZeroDivisionError, OverflowError):
        return "parameters"
    return "kind"


def _by_population(kind: str, params: Params, facts: ReleasedFacts) -> Verdict:
    if facts.fraction is None:
        return "population"
    return _BY_SIZE[_BY_POPULATION[kind]](
        {"threshold": _number(params, "threshold") / facts.fraction}, facts.sizes
    )


def _by_values(kind: str, params: Params, facts: ReleasedFacts) -> Verdict:
    values = facts.values.get(str(params["attribute"]))
    if values is None:
        return "column_changed"
    if kind == "distinct_l_diversity" and values.tells_of_all():
        return _number(params, "diversity") <= 1
    holds, needs_whole = _BY_VALUES[kind]
    if not needs_whole:
        return all(holds(params, each, {}) for each in values.classes)
    if not values.is_whole:
        return "suppressed_values"
    whole = values.whole()
    return all(holds(params, each, whole) for each in values.classes)


def _number(params: Params, name: str, least: float | None = None) -> float:
    """A parameter that is a number above 0, or not below `least`."""
    value = params[name]
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError
    if not math.isfinite(value) or (value <= 0 if least is None else value < least):
        raise ValueError
    return value


# -- by class sizes --------------------------------------------------------------------


def _smallest_reaches_k(params: Params, sizes: IntArray) -> bool:
    return int(sizes.min()) >= _number(params, "k")


def _highest_risk(params: Params, sizes: IntArray) -> bool:
    return 1 / int(sizes.min()) <= _number(params, "threshold") + TOLERANCE


def _average_risk(params: Params, sizes: IntArray) -> bool:
    return len(sizes) / int(sizes.sum()) <= _number(params, "threshold") + TOLERANCE


def _within_highest(params: Params, sizes: IntArray) -> bool:
    return _highest_risk({"threshold": _number(params, "limit")}, sizes)


def _within_average(params: Params, sizes: IntArray) -> bool:
    return _average_risk({"threshold": _number(params, "limit")}, sizes)


def _records_at_risk(params: Params, sizes: IntArray) -> bool:
    least = 1 / _number(params, "threshold") - TOLERANCE
    n_above = int(sizes[sizes < least].sum())
    share = _number(params, "share", least=0)
    return n_above <= share * int(sizes.sum()) + TOLERANCE


def _uniques(params: Params, sizes: IntArray) -> bool:
    share = _number(params, "threshold", least=0)
    return int((sizes == 1).sum()) <= share * int(sizes.sum()) + TOLERANCE


def _decided_k_map(params: Params, sizes: IntArray) -> bool:
    """Least m with Pr(X >= m) <= significance, X Poisson of mean fraction * k."""
    k, significance = int(_number(params, "k")), _number(params, "significance")
    mean = _number(params, "sampling_fraction") * k
    if k > MOST_STEPS:
        raise OverflowError
    seen = 1.0 if params["rule"] == "poisson" else -math.expm1(-mean)
    below, least = math.exp(-mean), 1
    while least < k and 1 - below > significance * seen:
        below += math.exp(least * math.log(mean) - mean - math.lgamma(least + 1))
        least += 1
    return int(sizes.min()) >= least


_BY_POPULATION = {
    "highest_journalist_risk": "highest_prosecutor_risk",
    "average_journalist_risk": "average_prosecutor_risk",
    "marketer_risk": "average_prosecutor_risk",
}
"""With a sampling fraction a risk in the population is this one times the fraction."""

_BY_SIZE: dict[str, Callable[[Params, IntArray], Verdict]] = {
    "k_anonymity": _smallest_reaches_k,
    "highest_prosecutor_risk": _highest_risk,
    "average_prosecutor_risk": _average_risk,
    "records_at_risk": _records_at_risk,
    "sample_uniqueness": _uniques,
    "context_highest": _within_highest,
    "context_average": _within_average,
    "estimated_k_map": _decided_k_map,
}


# -- by any few quasi-identifiers ------------------------------------------------------

MOST_GROUPED = 20_000_000
"""Classes, each counted once for every set, up to which all sets are counted as tuples.
"""

MOST_SUMMED = 4_000_000_000
"""The same, up to which they are counted as numbers."""

MOST_KEYS = 1 << 22
"""Combinations of labels up to which one number is kept for each."""


def _by_any_known(params: Params, facts: ReleasedFacts) -> Verdict:
    k, known = _number(params, "k"), int(_number(params, "known", least=1))
    if facts.shown is None:
        return "people_not_released"
    m = len(next(iter(facts.shown), ()))
    least = smallest_by_any(facts.shown, min(known, m))
    return "many_sets" if least is None else least >= k


def smallest_by_any(shown: Mapping[_Key, int], known: int) -> int | None:
    """Count the smallest class by any so many quasi-identifiers.

    Parameters
    ----------
    shown : mapping of tuple to int
        Records by what they show of all of them, as codes.

    Returns
    -------
    int or None
        0 if there are no records; None if there are too many sets to count.
    """
    m = len(next(iter(shown), ()))
    known = min(known, m)
    n_counted = math.comb(m, known) * len(shown)
    sets = itertools.combinations(range(m), known)
    if n_counted <= MOST_GROUPED:
        return min((_smallest(shown, places) for places in sets), default=0)
    if n_counted > MOST_SUMMED or any(None in key for key in shown):
        return None
    codes = np.array(list(shown), np.int64).T.copy()
    counts = np.fromiter(shown.values(), np.int64, len(shown))
    return min(_smallest_number(codes, counts, places) for places in sets)


def _smallest(shown: Mapping[_Key, int], places: Sequence[int]) -> int:
    sizes: Counter[_Key] = Counter()
    for key, count in shown.items():
        sizes[tuple(key[place] for place in places)] += count
    return min((size for size in sizes.values() if size), default=0)


def _smallest_number(codes: IntArray, counts: IntArray, places: Sequence[int]) -> int:
    """Smallest class by some attributes, whose labels make one number."""
    keys, n_keys = np.zeros(len(counts), np.int64), 1
    for place in places:
        n_labels = int(codes[place].max()) + 1
        if n_keys * n_labels > MOST_KEYS:
            keys = np.unique(keys, return_inverse=True)[1]
            n_keys = int(keys.max()) + 1
        keys = keys * n_labels + codes[place]
        n_keys *= n_labels
    if n_keys > MOST_KEYS:
        keys = np.unique(keys, return_inverse=True)[1]
    sizes = np.bincount(keys, counts)
    return int(sizes[sizes > 0].min())


# -- by the values of each class -------------------------------------------------------


def _distinct(params: Params, counts: Counts, _whole: Shares) -> bool:
    return len(counts) >= _number(params, "diversity")


def _entropy(params: Params, counts: Counts, _whole: Shares) -> bool:
    least, n_records = _number(params, "diversity"), sum(counts.values())
    if params["estimator"] == "grassberger":
        logarithm: Callable[[int], float] = grassberger
    else:
        logarithm = math.log
    nats = logarithm(n_records)
    nats -= sum(count * logarithm(count) for count in counts.values()) / n_records
    enough = math.log(least) - 2 * TOLERANCE
    return len(counts) >= least * (1 - TOLERANCE) and nats >= enough


@cache
def grassberger(n: int) -> float:
    """G(n) of methods.md B.5: G(2m) = G(2m + 1)."""
    odd = range(1, n // 2 * 2, 2)
    return -0.5772156649015329 - math.log(2) + math.fsum(2 / k for k in odd)


def _recursive(params: Params, counts: Counts, _whole: Shares) -> bool:
    length = int(_number(params, "diversity"))
    ordered = sorted(counts.values(), reverse=True)
    tail = sum(ordered[length - 1 :])
    factor = _number(params, "c") * (1 - STRICT)
    return len(ordered) >= length and ordered[0] < factor * tail


def _share(counts: Counts, value: str, n_records: int) -> float:
    return counts.get(value, 0) / n_records


def _equal_closeness(params: Params, counts: Counts, whole: Shares) -> bool:
    n_records = sum(counts.values())
    moved = sum(abs(_share(counts, v, n_records) - p) for v, p in whole.items()) / 2
    return moved <= _number(params, "t", least=0) + TOLERANCE


def _ordered_closeness(params: Params, counts: Counts, whole: Shares) -> bool:
    n_records, sum_so_far, moved = sum(counts.values()), 0.0, 0.0
    for value in _in_order(params["order"], whole):
        sum_so_far += _share(counts, value, n_records) - whole[value]
        moved += abs(sum_so_far)
    return moved / max(1, len(whole) - 1) <= _number(params, "t", least=0) + TOLERANCE


def _in_order(order: str, values: Iterable[str]) -> list[str]:
    """Values by code point or as numbers; equal numbers by code point.

    Raises
    ------
    NoOrderError
        If the files do not tell the order.
    """
    texts = sorted(values)
    if order == "alphabetical":
        return texts
    if order == "numeric":
        for mark in (".", ","):
            plain = {text: text.replace(mark, ".") for text in texts}
            if all(NUMBER.fullmatch(plain[text]) or text == "" for text in texts):
                last = math.inf
                return sorted(texts, key=lambda t: float(plain[t]) if t else last)
    raise NoOrderError


def _disclosure(params: Params, counts: Counts, whole: Shares) -> bool:
    n_records, limit = sum(counts.values()), _number(params, "delta")
    return all(
        abs(math.log2(count / n_records / whole[value])) < limit - STRICT
        for value, count in counts.items()
    )


def _likeness(params: Params, counts: Counts, whole: Shares) -> bool:
    n_records, beta = sum(counts.values()), _number(params, "beta")
    return all(
        (_share(counts, value, n_records) - p) / p <= beta + TOLERANCE
        for value, p in whole.items()
    )


def _enhanced_likeness(params: Params, counts: Counts, whole: Shares) -> bool:
    n_records, beta = sum(counts.values()), _number(params, "beta")
    return all(
        (_share(counts, value, n_records) - p) / p
        <= min(beta, -math.log(p)) + TOLERANCE
        for value, p in whole.items()
    )


_BY_VALUES: dict[str, tuple[Holds, bool]] = {
    "distinct_l_diversity": (_distinct, False),
    "entropy_l_diversity": (_entropy, False),
    "recursive_cl_diversity": (_recursive, False),
    "equal_t_closeness": (_equal_closeness, True),
    "ordered_t_closeness": (_ordered_closeness, True),
    "delta_disclosure": (_disclosure, True),
    "basic_beta_likeness": (_likeness, True),
    "enhanced_beta_likeness": (_enhanced_likeness, True),
}
"""Each with whether it compares with the values of the whole input."""

_ELSEWHERE = {
    "hierarchical_t_closeness": "value_hierarchy",
    "k_map": "population",
    "delta_presence": "population",
    "population_uniqueness": "estimator",
    "epsilon_delta": "sampling",
    "events_known": "power",
}
"""Models that need more than the released files, and what."""
