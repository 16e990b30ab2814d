"""All counts that fit a small system, by enumeration: slow, obvious, independent."""

from itertools import product


def solutions(system, limit=12):
    """Give all counts within bounds (those without a limit up to `limit`) that fit."""
    spans = [
        range(int(low), min(int(high), limit) + 1)
        for low, high in zip(system.low, system.high, strict=True)
    ]
    for counts in product(*spans):
        if all(_holds(each, counts) for each in system.relations):
            yield counts


def _holds(relation, counts):
    pairs = zip(relation.coefficients, relation.unknowns, strict=True)
    total = sum(coefficient * counts[unknown] for coefficient, unknown in pairs)
    above = relation.low is None or total >= relation.low
    return above and (relation.high is None or total <= relation.high)


def intervals(system, limit=12):
    """Return (low, high) of every count over all that fit, or None if nothing does."""
    found = list(solutions(system, limit))
    return [(min(each), max(each)) for each in zip(*found, strict=True)] or None
