"""Counts again who is singled out by a release, and what can be guessed of them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np

from deidgui.engine.arrays import BoolArray, FloatArray, Int32Array, IntArray
from deidgui.engine.evidence.checks import Check, CountedRelease, compare
from deidgui.engine.evidence.document import (
    Criteria,
    Evidence,
    Guessed,
    Halves,
    OneMore,
)
from deidgui.engine.evidence.rows_seen import RowsSeen
from deidgui.engine.evidence.tally import UNKNOWN, codes_of
from deidgui.engine.evidence.verify_compared import NO_OTHER
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

MOST_GROUPED = 300_000_000
"""Classes, each counted once for every set, up to which all sets are measured."""

MOST_SPLITS = 5_000
"""Splits into halves that are looked at, at most."""

LARGEST_SET = 3
"""Most columns of which the evidence says who is alone on some of them."""

_REASONS = {
    "all": {"several_tables"},
    "alone": {"rows_vary"},
    "sets": {"rows_vary"},
    "guessed": {"rows_vary"},
    "halves": {"rows_vary"},
    "one_more": {"rows_vary", "several_tables", "many_cells"},
    "membership": {"no_population"},
}
_MOST, _SPREAD = 2**62, 0x1E3779B97F4A7C15
_N_THREADS, _AT_ONCE = 2, 1 << 20
_REASONS_OF_SETS, _REASONS_OF_VALUES = {"many_sets"}, {"rows_vary", "many_values"}


def check_criteria(
    release: CountedRelease,
    unmeasured: dict[str, str],
    *,
    monitor: Monitor = NULL_MONITOR,
) -> Iterator[Check]:
    """Compare the shares of people who are alone, and what is guessed of them."""
    stated, seen = release.evidence.criteria, release.tally.seen
    # Nobody is singled out where nobody is released.
    yield Check("criteria_stated", stated is not None or not release.row_sizes.sum())
    if stated is None:
        return
    is_complete = _is_complete(release, stated)
    yield Check("criteria_complete", is_complete)
    if not is_complete:
        # It may be about columns that nobody released.
        return
    if not release.counts_who_is_protected:
        unmeasured["criteria"] = "people_not_released"
        return
    if seen is None or not release.n_released:
        yield Check("criteria_of_rows", ok=False)
        return
    n_suppressed = 0
    if release.evidence.policy.suppressed == "stars":
        n_suppressed = release.evidence.records - int(release.row_sizes.sum())
    is_looked = seen.released(n_suppressed)
    if stated.alone_on_all is not None:
        measured = _alone_on_all(seen, is_looked)
        yield compare("alone_on_all", stated.alone_on_all, measured)
    if release.evidence.unit.varying:
        return
    if seen.people is not None:
        is_looked = _one_of_each(np.asarray(seen.people), is_looked)
    of_row = np.asarray(seen.classes)[is_looked]
    sizes, n_rows = _sizes(of_row), len(of_row)
    alone = int((sizes == 1).sum()) / n_rows
    yield compare("alone", stated.alone, alone)
    chances = math.fsum(int(f) * (1 - 1 / int(f)) ** (int(f) - 1) for f in sizes if f)
    yield compare("alone_by_chance", stated.by_chance, chances / n_rows)
    known = _known_classes(release, seen, sizes)
    yield from _check_columns(release, stated, known)
    step = SubMonitor(monitor, 0.0, 0.5)
    yield from _check_sets(stated, *known, unmeasured, step)
    if stated.halves is not None:
        names, step = list(release.headers), SubMonitor(monitor, 0.5, 1.0)
        yield from _check_halves(stated.halves, *known, names, step)
    for each in stated.guessed:
        header = _header(release, each.attribute)
        values = np.asarray(seen.values[header])[is_looked]
        yield from _check_guessed(each, of_row, values, seen.missing(header))
    headers = [_header(release, more.attribute) for more in stated.one_more]
    # PERF: sorting lets go of the interpreter.
    with ThreadPoolExecutor(_N_THREADS, thread_name_prefix="one more") as pool:
        found = pool.map(partial(_agreeing, seen, is_looked, of_row), headers)
        for more, counted in zip(stated.one_more, found, strict=True):
            yield from _check_one_more(more, n_rows, *counted)


def _one_of_each(people: IntArray, is_released: BoolArray) -> BoolArray:
    """Take one released row of each person: quasi-identifiers are the same in all."""
    rows = np.flatnonzero(is_released)
    first = rows[np.unique(people[rows], return_index=True)[1]]
    is_taken = np.zeros(len(people), np.bool_)
    is_taken[first] = True
    return is_taken


def _sizes(of_row: Int32Array) -> IntArray:
    """Rows of each class: int64, also of classes that none is of."""
    sizes = np.zeros(int(of_row.max()) + 1, np.int64)
    # PERF: of all at once numpy makes a copy of 8 bytes for each row.
    for start in range(0, len(of_row), step := max(_AT_ONCE, len(sizes))):
        sizes += np.bincount(of_row[start : start + step], minlength=len(sizes))
    return sizes


def _header(release: CountedRelease, name: str) -> str:
    by_name = {each.name: each.released_as for each in release.evidence.attributes}
    return by_name.get(name) or ""


def _is_complete(release: CountedRelease, stated: Criteria) -> bool:
    """Whether everything is measured, or said not to be for a reason there can be."""
    evidence = release.evidence
    names = list(release.headers)
    sizes = range(1, min(LARGEST_SET, len(names)) + 1)
    sensitive = {
        each.name
        for each in evidence.attributes
        if each.role == "sensitive" and each.treatment == "kept" and each.released_as
    }
    by_key = evidence.unit.kind == "key"
    further = {
        each.name
        for each in evidence.attributes
        if each.role in ("sensitive", "insensitive")
        and each.treatment == "kept"
        and each.released_as
    }
    single = ("membership", stated.membership), ("halves", stated.halves)
    missing = {name for name, found in single if found is None}
    missing |= {"all"} if stated.alone_on_all is None else set()
    allowed = dict(_REASONS)
    if evidence.unit.varying:
        missing |= {"alone", "sets", "guessed", "one_more"}
        is_empty = (stated.alone, stated.by_chance, stated.halves) == (None,) * 3
        is_empty &= not (stated.sets or stated.guessed or stated.columns)
        is_empty &= not stated.one_more
    else:
        allowed["halves"] = {"few_columns"} if len(names) < 2 else set()
        guessed = {each.attribute for each in stated.guessed}
        allowed |= {f"sets_{size}": _REASONS_OF_SETS for size in sizes}
        of_values = _REASONS_OF_VALUES - (set() if by_key else {"rows_vary"})
        allowed |= {f"guessed:{name}": of_values for name in sensitive}
        found = {each.size for each in stated.sets}
        missing |= {f"sets_{size}" for size in sizes if size not in found}
        missing |= {f"guessed:{name}" for name in sensitive - guessed}
        is_empty = stated.alone is not None and guessed <= sensitive
        is_empty &= [e.size for e in stated.sets] == [n for n in sizes if n in found]
        is_empty &= _in_order(evidence, [each.attribute for each in stated.guessed])
        known = {each.attribute for each in stated.one_more}
        is_empty &= known <= further
        is_empty &= _in_order(evidence, [each.attribute for each in stated.one_more])
        if "one_more" in stated.not_measured:
            missing |= {"one_more"} if further and not known else set()
        else:
            missing |= {f"one_more:{name}" for name in further - known}
        varying = {"rows_vary"} if by_key else set()
        allowed |= {f"one_more:{name}": varying for name in further}
    reasons = stated.not_measured
    others = {e for e in reasons if e.startswith("compared:") or e == "held_out"}
    missing |= others
    allowed |= dict.fromkeys(others, NO_OTHER)
    compared = [f"compared:{each.name}" for each in stated.compared]
    compared += ["held_out"] if stated.held_out is not None else []
    is_empty &= len({*compared, *others}) == len(compared) + len(others)
    return (
        is_empty
        and reasons.keys() == missing
        and (stated.alone_on_all is None) == (evidence.link is not None)
        and all(reasons[each] in allowed.get(each, set()) for each in missing)
    )


def _in_order(evidence: Evidence, names: Sequence[str]) -> bool:
    """Whether names of columns are in the order of the columns, each once."""
    return names == [each.name for each in evidence.attributes if each.name in names]


def _alone_on_all(seen: RowsSeen, is_released: BoolArray) -> float:
    """Share of people with a row that nobody else has."""
    hashes = _moved_up(seen.take_hashes(), is_released)
    if seen.people is None:
        is_first = _first_ones(hashes)
        return int((is_first[:-1] & is_first[1:]).sum()) / len(hashes)
    people = np.asarray(seen.people)[is_released]
    pairs = np.unique(np.stack([hashes, people]), axis=1)
    _, first, counts = np.unique(pairs[0], return_index=True, return_counts=True)
    owners = np.unique(pairs[1][first[counts == 1]])
    return len(owners) / len(np.unique(pairs[1]))


def _known_classes(
    release: CountedRelease, seen: RowsSeen, sizes: IntArray
) -> tuple[IntArray, IntArray, dict[str, int]]:
    """Labels and people of each class, and the place of each quasi-identifier."""
    is_there = np.flatnonzero(sizes)
    tally = release.tally
    place = {
        name: tally.quasi_identifiers.index(header)
        for name, header in release.headers.items()
    }
    return _codes(seen)[is_there], sizes[is_there], place


def _check_sets(
    stated: Criteria,
    keys: IntArray,
    counts: IntArray,
    place: Mapping[str, int],
    unmeasured: dict[str, str],
    monitor: Monitor,
) -> Iterator[Check]:
    for number, each in enumerate(stated.sets):
        sets = list(itertools.combinations(range(len(place)), each.size))
        about = {"known": each.size}
        yield compare("alone_sets", each.sets, len(sets), **about)
        if len(sets) * len(counts) > MOST_GROUPED:
            unmeasured[f"criteria of {each.size} columns"] = "many_sets"
            continue
        alone: dict[tuple[int, ...], BoolArray] = {}
        for places in sets:
            done = number + len(alone) / len(sets)
            monitor.report(done / len(stated.sets), "verify")
            alone[places] = _like(keys[:, places], counts) == 1
        n = int(counts.sum())
        shares = {places: found.sum() / n for places, found in alone.items()}
        anywhere = np.any(list(alone.values()), axis=0).sum() / n
        yield compare(
            "alone_mean", each.mean, sum(shares.values()) / len(sets), **about
        )
        yield compare("alone_anywhere", each.anywhere, float(anywhere), **about)
        most = float(max(shares.values()))
        yield compare("alone_worst", each.worst_share, most, **about)
        named = tuple(place.get(name, -1) for name in each.worst)
        is_worst = named in shares and math.isclose(shares[named], most, abs_tol=1e-12)
        yield Check("alone_worst_set", is_worst, about)


def _check_halves(
    halves: Halves,
    keys: IntArray,
    counts: IntArray,
    place: Mapping[str, int],
    names: Sequence[str],
    monitor: Monitor,
) -> Iterator[Check]:
    """Look again at splits of the quasi-identifiers into two halves.

    Which splits were looked at on the way is not followed: that the stated one is
    worse than those spread over all, and than its neighbours where so stated, is.
    """
    n, width = int(counts.sum()), len(names)
    named = tuple(names.index(e) for e in halves.first if e in names)
    rest = tuple(e for number, e in enumerate(names) if number not in named)
    is_named = width > 1 and len(named) == len(halves.first) == width // 2
    is_named &= halves.second == rest
    yield Check("halves_split", is_named)
    if not is_named:
        return
    # The evidence names columns in this order.
    columns = keys[:, [place[name] for name in names]]
    yield compare("halves_baseline", halves.baseline, 1 / n)
    yield compare("halves_most", halves.most, len(counts) / n)
    n_splits = math.comb(width, width // 2) // (1 if width % 2 else 2)
    limit = min(MOST_SPLITS, max(1, MOST_GROUPED // (2 * len(counts))))
    is_all = n_splits <= limit
    n_spread = n_splits if is_all else (limit + 1) // 2
    spread = {_half(width, at * n_splits // n_spread) for at in range(n_spread)}
    needed = spread | (_neighbours(named, width) if halves.settled else set())
    least = len(needed | {named})
    yield compare("halves_splits", halves.splits, n_splits)
    is_looked = least <= halves.looked <= min(limit, n_splits)
    # Who has looked at as many as may be need not have looked at the neighbours.
    is_looked &= halves.settled or halves.looked == limit < n_splits
    yield Check("halves_looked", is_looked)
    yield compare("halves_rate", halves.rate, _rate_of(named, columns, counts))
    best = 0.0
    for number, half in enumerate(sorted(needed)):
        monitor.report(number / least, "verify")
        best = max(best, _rate_of(half, columns, counts))
    is_worst = best < halves.rate or math.isclose(best, halves.rate, rel_tol=1e-9)
    yield Check("halves_worst", is_worst)


def _rate_of(half: tuple[int, ...], columns: IntArray, counts: IntArray) -> float:
    """Share of people whose halves are put together rightly."""
    other = [each for each in range(columns.shape[1]) if each not in half]
    one, two = (_like(columns[:, part], counts) for part in (list(half), other))
    return float((counts / one * (counts / two)).sum()) / int(counts.sum())


def _neighbours(half: tuple[int, ...], width: int) -> set[tuple[int, ...]]:
    """Return first halves of the splits that exchange one column of each half."""
    found, every = set(), set(range(width))
    for one in half:
        for two in every - set(half):
            first = set(half) - {one} | {two}
            if 2 * len(first) == width and 0 not in first:
                first = every - first
            found.add(tuple(sorted(first)))
    return found


def _half(width: int, number: int) -> tuple[int, ...]:
    """Columns of a split's first half: halves stand in the order of a dictionary.

    Of halves as large as each other, the one with the first column comes first.
    """
    half: list[int] = []
    for at in range(width):
        n_more = width // 2 - len(half)
        n_with = math.comb(width - at - 1, n_more - 1) if n_more else 0
        if number >= n_with:
            number -= n_with
        else:
            half.append(at)
    return tuple(half)


def _check_columns(
    release: CountedRelease,
    stated: Criteria,
    known: tuple[IntArray, IntArray, dict[str, int]],
) -> Iterator[Check]:
    """Count again how far each quasi-identifier tells people apart."""
    keys, sizes, place = known
    n = int(sizes.sum())
    names = [each.attribute for each in stated.columns]
    yield Check("apart_columns", names == list(release.headers))
    in_pairs = len(place) > 1 and "sets_2" not in stated.not_measured
    for each in stated.columns:
        at = place.get(each.attribute)
        if at is None:
            continue
        about = {"attribute": each.attribute}
        counts = _sums(keys[:, at], sizes)
        alike = int((counts * (counts - 1)).sum())
        apart = 1 - alike / (n * (n - 1)) if n > 1 else 0.0
        alone = int((counts == 1).sum()) / n
        yield compare("apart_alone", each.alone, alone, **about)
        yield compare("apart_separation", each.separation, apart, **about)
        yield Check("apart_pair", in_pairs == (each.pair_with is not None), about)
        if not in_pairs or len(keys) * len(place) > MOST_GROUPED:
            continue
        pairs = {
            name: int((_sums(_as_one(keys[:, [at, other]]), sizes) == 1).sum()) / n
            for name, other in place.items()
            if other != at
        }
        most = max(pairs.values())
        yield compare("apart_pair", each.pair_alone, most, **about)
        is_worst = math.isclose(pairs.get(each.pair_with or "", -1.0), most)
        yield Check("apart_pair", is_worst, about)


def _codes(seen: RowsSeen) -> IntArray:
    """Labels of each class: int64, (n_classes, n_quasi_identifiers), each >= 0."""
    keys = codes_of(seen.keys, len(seen.keys[0]))
    # A label that no mapping knows is refused elsewhere.
    keys[keys == UNKNOWN] = 0
    least: IntArray = keys.min(axis=0)
    return keys - least


def _as_one(codes: IntArray) -> IntArray:
    """Make one number of what several columns of codes say: equal for equal rows."""
    found: IntArray = codes[:, 0]
    for more in codes.T[1:]:
        width = int(more.max()) + 1
        if (int(found.max()) + 1) * width > _MOST:
            found = np.unique(found, return_inverse=True)[1]
        found = found * width + more
    return found


def _sums(keys: IntArray, sizes: IntArray) -> IntArray:
    """Rows of each key: int64, (n_keys,)."""
    of_key = keys
    if int(keys.max()) > 4 * len(keys):
        of_key = np.unique(keys, return_inverse=True)[1]
    found = np.bincount(of_key, sizes).astype(np.int64)
    return found[found > 0]


def _like(keys: IntArray, counts: IntArray) -> FloatArray:
    """How many people look like those of each class on some columns."""
    of_class = _as_one(keys)
    if int(of_class.max()) > 4 * len(of_class):
        of_class = np.unique(of_class, return_inverse=True)[1]
    return np.asarray(np.bincount(of_class, counts)[of_class], dtype=np.float64)


def _moved_up(numbers: IntArray, is_taken: BoolArray) -> IntArray:
    """Move the numbers of some rows to the front of the same memory."""
    end = 0
    for start in range(0, len(numbers), _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        taken = numbers[part][is_taken[part]]
        numbers[end : end + len(taken)] = taken
        end += len(taken)
    return numbers[:end]


def _first_ones(keys: IntArray) -> BoolArray:
    """Sort numbers; which of them are others than those before, and one at the end."""
    keys.sort()
    is_first = np.ones(len(keys) + 1, np.bool_)
    is_first[1:-1] = keys[1:] != keys[:-1]
    return is_first


def _check_guessed(
    stated: Guessed, of_row: Int32Array, values: Int32Array, missing: int
) -> Iterator[Check]:
    n, about = len(of_row), {"attribute": stated.attribute}
    totals = _sizes(values)
    width = len(totals)
    both = of_row.astype(np.int64)
    both *= width
    both += values
    ends = np.flatnonzero(_first_ones(both))
    pairs, counts = both[ends[:-1]], np.diff(ends)
    # The pairs of a class stand together.
    starts = np.flatnonzero(np.diff(pairs // width, prepend=-1))
    best = int(totals.max())
    right = int(np.maximum.reduceat(counts, starts).sum())
    others = _right_by_others(counts, starts)
    # Who is alone is guessed to have the commonest value of all.
    is_alone = np.add.reduceat(counts, starts) == 1
    values_alone = pairs[starts[is_alone]] % width
    others += int((totals[values_alone] == best).sum()) / int((totals == best).sum())
    is_uniform = np.diff(starts, append=len(counts)) == 1
    uniform = int(counts[starts[is_uniform]].sum())
    yield compare("guessed", stated.rate, right / n, **about)
    yield compare("guessed_baseline", stated.baseline, best / n, **about)
    yield compare("guessed_by_others", stated.without_own, others / n, **about)
    yield compare("guessed_uniform", stated.uniform, uniform / n, **about)
    if stated.missing is not None:
        is_uniform &= pairs[starts] % width == missing
        n_missing = int(counts[starts[is_uniform]].sum())
        yield compare("guessed_missing", stated.missing, n_missing / n, **about)


def _agreeing(
    seen: RowsSeen, is_looked: BoolArray, of_row: Int32Array, header: str
) -> tuple[int, int]:
    """How many classes agree on one more column, and the size of the smallest.

    Parameters
    ----------
    is_looked : ndarray of bool, one for each row
        Which rows are looked at.
    of_row : ndarray of int32
        Class of each of these.
    header : str
        Of the column.
    """
    # Only by chance a sum is the same for another class and text.
    both = _moved_up(seen.take_texts(header), is_looked)
    for start in range(0, len(both), _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        both[part] += of_row[part].astype(np.int64) * _SPREAD
    is_first = _first_ones(both)
    n_agreeing = int(is_first[1:].sum())
    if (is_first[:-1] & is_first[1:]).any():
        return n_agreeing, 1
    return n_agreeing, int(np.diff(np.flatnonzero(is_first)).min())


def _check_one_more(
    stated: OneMore, n_rows: int, n_classes: int, smallest: int
) -> Iterator[Check]:
    """Compare what one more known column tells."""
    about = {"attribute": stated.attribute}
    yield compare("one_more_average", stated.average, n_classes / n_rows, **about)
    yield compare("one_more_highest", stated.highest, 1 / smallest, **about)


def _right_by_others(counts: IntArray, starts: IntArray) -> float:
    """Records guessed rightly by the commonest value of the others of their class.

    Parameters
    ----------
    counts : ndarray of int64, shape (n_pairs,)
        Records of each value of each class.
    starts : ndarray of int64, shape (n_classes,)
        First value of each class.
    """
    n_values = np.diff(starts, append=len(counts))
    highest = np.maximum.reduceat(counts, starts)
    behind = np.repeat(highest, n_values) - counts
    n_highest = np.add.reduceat((behind == 0).astype(np.int64), starts)
    n_next = np.add.reduceat((behind == 1).astype(np.int64), starts)
    # Taking one record away can only cost its own value the lead; ties are shared.
    is_led = (n_highest == 1) & (np.add.reduceat(counts, starts) > 1)
    return float((highest / (1 + n_next))[is_led].sum())
