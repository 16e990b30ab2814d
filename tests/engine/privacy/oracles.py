"""Privacy models of a sensitive attribute in plain Python, word by word.

`counts` are the records per value of a class, over all values of the table; `totals`
those of the whole table, each at least 1. Distances are exact fractions.
"""

import math
from fractions import Fraction


def equal_distance(counts, totals):
    n, f = sum(totals), sum(counts)
    return (
        sum(
            abs(Fraction(c, f) - Fraction(p, n))
            for c, p in zip(counts, totals, strict=True)
        )
        / 2
    )


def ordered_distance(counts, totals, order=None):
    order = range(len(totals)) if order is None else order
    n, f, own, all_of_them, total = sum(totals), sum(counts), 0, 0, Fraction(0)
    if len(totals) == 1:
        return total
    for value in order:
        own += counts[value]
        all_of_them += totals[value]
        total += abs(Fraction(own, f) - Fraction(all_of_them, n))
    return total / (len(totals) - 1)


def hierarchical_distance(counts, totals, paths):
    """By the costs of the inner nodes (methods.md B.5).

    `paths` has the groups of each value from level 1 up to the root.
    """
    n, f = sum(totals), sum(counts)
    height = len(paths[0])
    extra = {
        (value,): Fraction(c, f) - Fraction(p, n)
        for value, (c, p) in enumerate(zip(counts, totals, strict=True))
    }
    parent = {(value,): path for value, path in enumerate(paths)}
    cost = Fraction(0)
    for level in range(1, height + 1):
        children = {}
        for node, surplus in extra.items():
            children.setdefault(parent[node], []).append(surplus)
        for surpluses in children.values():
            positive = sum(each for each in surpluses if each > 0)
            negative = -sum(each for each in surpluses if each < 0)
            cost += Fraction(level, height) * min(positive, negative)
        extra = {node: sum(each) for node, each in children.items()}
        parent = {node: node[1:] for node in extra}
    return cost


def distinct(counts, _totals, least):
    return sum(count > 0 for count in counts) >= least


def entropy(counts, _totals, diversity):
    f = sum(counts)
    found = -sum(c / f * math.log(c / f) for c in counts if c)
    return distinct(counts, _totals, math.ceil(diversity)) and (
        found >= math.log(diversity) - 1e-9
    )


def grassberger_g(number):
    return (
        -0.5772156649015329
        - math.log(2)
        + sum(2 / (2 * k - 1) for k in range(1, number // 2 + 1))
    )


def grassberger(counts, _totals, diversity):
    f = sum(counts)
    found = f * (grassberger_g(f) - math.log(diversity))
    return distinct(counts, _totals, math.ceil(diversity)) and (
        found >= sum(c * grassberger_g(c) for c in counts if c) - 1e-9 * f
    )


def recursive(counts, _totals, c, least):
    ordered = sorted((count for count in counts if count), reverse=True)
    return len(ordered) >= least and ordered[0] < c * sum(ordered[least - 1 :])


def basic_likeness(counts, totals, beta):
    n, f = sum(totals), sum(counts)
    return all(
        Fraction(c, f) / Fraction(p, n) - 1 <= beta
        for c, p in zip(counts, totals, strict=True)
    )


def enhanced_likeness(counts, totals, beta):
    n, f = sum(totals), sum(counts)
    return all(
        Fraction(c, f) / Fraction(p, n) - 1 <= min(beta, -math.log(p / n)) + 1e-11
        for c, p in zip(counts, totals, strict=True)
    )


def delta_disclosure(counts, totals, delta):
    n, f = sum(totals), sum(counts)
    return all(
        abs(math.log2(Fraction(c, f) / Fraction(p, n))) < delta - 1e-11
        for c, p in zip(counts, totals, strict=True)
        if c
    )
