"""All counts that fit a small system, by enumeration: slow, obvious, independent."""


def solutions(system, limit=12):
    """Give all counts that fit, one after the other.

    Counts without a bound are tried up to `limit`. A branch ends where the counts that
    are left cannot make up what a relation misses.
    """
    spans = [
        (int(low), int(high) if high < 10**9 else max(int(low), limit))
        for low, high in zip(system.low, system.high, strict=True)
    ]
    relations = [
        (dict(zip(each.unknowns, each.coefficients, strict=True)), each.low, each.high)
        for each in system.relations
    ]
    yield from _extended((), spans, relations)


def _extended(counts, spans, relations):
    if not all(_can_hold(each, counts, spans) for each in relations):
        return
    if len(counts) == len(spans):
        yield counts
        return
    low, high = spans[len(counts)]
    for count in range(low, high + 1):
        yield from _extended((*counts, count), spans, relations)


def _can_hold(relation, counts, spans):
    coefficients, low, high = relation
    least = most = 0
    for unknown, coefficient in coefficients.items():
        ends = counts[unknown : unknown + 1] or spans[unknown]
        terms = [coefficient * each for each in ends]
        least, most = least + min(terms), most + max(terms)
    return (low is None or most >= low) and (high is None or least <= high)


def intervals(system, limit=12):
    """Return (low, high) of every count over all that fit, or None if nothing does."""
    ends = None
    for counts in solutions(system, limit):
        ends = ends or [(each, each) for each in counts]
        ends = [
            (min(low, each), max(high, each))
            for (low, high), each in zip(ends, counts, strict=True)
        ]
    return ends
