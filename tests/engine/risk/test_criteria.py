"""Singling out, linkability, inference and membership: oracles and brute force."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidgui.engine.evidence.verify_criteria import _half
from deidgui.engine.risk.inference import (
    Estimate,
    guess_values,
    residual,
    wilson,
)
from deidgui.engine.risk.linkability import (
    ClassPairs,
    balanced_split,
    gain_over,
    link_halves,
    link_splits,
    matches_by_class,
    membership,
    n_balanced_splits,
)
from deidgui.engine.risk.singling_out import (
    alone_on_sets,
    isolated_by_chance,
    isolated_in_classes,
)
from deidgui.errors import Cancelled

PRINTED = 5e-5
"""Oracles of determination.md are printed to four places."""


def codes(texts: str) -> np.ndarray:
    return np.unique(texts.split(), return_inverse=True)[1].astype(np.int32)


def named_halves(n_columns: int) -> list[tuple[int, ...]]:
    named = combinations(range(n_columns), n_columns // 2)
    return [each for each in named if n_columns % 2 or 0 in each]


def rest_of(half: tuple[int, ...], n_columns: int) -> tuple[int, ...]:
    return tuple(each for each in range(n_columns) if each not in half)


def exchanged(half: tuple[int, ...], n_columns: int) -> Iterator[tuple[int, ...]]:
    """Halves of as many columns that differ in one of them."""
    for other in combinations(range(n_columns), len(half)):
        if len({*half} & {*other}) == len(half) - 1:
            yield other


def like(columns: np.ndarray, number: int) -> list[np.ndarray]:
    """Records that look like each one on each half of a split, and on both."""
    first = balanced_split(len(columns), number)
    halves = [list(first), list(rest_of(first, len(columns)))]
    found = []
    for places in (*halves, list(range(len(columns)))):
        texts = list(map(tuple, columns[places].T.tolist()))
        times = Counter(texts)
        found.append(np.array([times[each] for each in texts]))
    return found


class TestSinglingOut:
    def test_chance_oracle_13(self) -> None:
        assert isolated_by_chance(1000, 0.001) == pytest.approx(0.3681, abs=PRINTED)
        assert isolated_by_chance(1000, 0.01) == pytest.approx(0.0004, abs=PRINTED)
        middles = (np.arange(2000) + 0.5) * 0.001 / 2000
        integral = np.mean([isolated_by_chance(1000, each) for each in middles]) * 0.001
        assert integral == pytest.approx(0.00026434, abs=5e-9)
        found = [isolated_in_classes(np.array([size])) for size in (1, 2, 5, 11, 20)]
        assert found == pytest.approx([1, 0.5, 0.4096, 0.3855, 0.3774], abs=PRINTED)

    def test_chance_in_classes_is_the_mean_over_people(self) -> None:
        counts = np.array([1, 2, 5, 5, 11])
        people = [size for size in counts.tolist() for _ in range(size)]
        # Each of f people has the fact with probability 1 / f: exactly one of them.
        chances = [f * (1 / f) * (1 - 1 / f) ** (f - 1) for f in people]
        assert isolated_in_classes(counts) == pytest.approx(np.mean(chances))

    def test_chance_is_the_binomial_probability_of_one(self) -> None:
        for n_records, weight in product((1, 2, 7), (0.0, 0.2, 1.0)):
            exactly_one = comb(n_records, 1) * weight * (1 - weight) ** (n_records - 1)
            assert isolated_by_chance(n_records, weight) == pytest.approx(exactly_one)

    def test_sets_oracle_14(self) -> None:
        rows = ["F30A", "F30B", "M30A", "M40A", "M40B", "F40B", "F40B", "M30A"]
        columns = [
            codes(" ".join(row[part] for row in rows))
            for part in (slice(0, 1), slice(1, 3), slice(3, 4))
        ]
        one, two, three = (alone_on_sets(columns, [2, 2, 2], k) for k in (1, 2, 3))
        assert (one.anywhere, one.mean) == (0, 0)
        assert two.shares.tolist() == [0, 0.25, 0.25]
        assert two.sets[two.worst] == (0, 2)
        assert two.mean == pytest.approx(0.1667, abs=PRINTED)
        assert two.anywhere == 0.5
        assert three.anywhere == three.mean == 0.5

    @given(st.data())
    def test_sets_against_counting(self, data: st.DataObject) -> None:
        n_columns = data.draw(st.integers(1, 4))
        row = st.tuples(*[st.integers(0, 2)] * n_columns)
        rows = data.draw(st.lists(row, min_size=1, max_size=12))
        size = data.draw(st.integers(1, n_columns))
        columns = [np.array(each, dtype=np.int32) for each in zip(*rows, strict=True)]
        found = alone_on_sets(columns, [3] * n_columns, size)
        isolated: set[int] = set()
        for places, share in zip(found.sets, found.shares, strict=True):
            seen = Counter(tuple(row[each] for each in places) for row in rows)
            alone = {
                number
                for number, row in enumerate(rows)
                if seen[tuple(row[each] for each in places)] == 1
            }
            assert share == len(alone) / len(rows)
            isolated |= alone
        assert found.anywhere == len(isolated) / len(rows)
        # Records that are alike are one entry with their number.
        alike = Counter(rows)
        columns = [np.array(each, dtype=np.int32) for each in zip(*alike, strict=True)]
        counts = np.array(list(alike.values()))
        joined = alone_on_sets(columns, [3] * n_columns, size, counts=counts)
        assert joined.shares.tolist() == found.shares.tolist()
        assert joined.anywhere == found.anywhere
        assert found.sets == tuple(combinations(range(n_columns), size))


class TestLinkability:
    COUNTS = np.array([1, 2, 3, 4])
    PEOPLE = np.array([1, 4, 9, 40])

    def test_register_oracle_15(self) -> None:
        every, half = (
            self.COUNTS @ matches_by_class(self.COUNTS, self.PEOPLE, coverage)
            for coverage in (1.0, 0.5)
        )
        assert every == pytest.approx(1.9333, abs=PRINTED)
        assert half == pytest.approx(1.4014, abs=PRINTED)
        one = np.array([1, 1])
        found = matches_by_class(one, np.array([5, 1]), 0.5)
        assert found == pytest.approx([0.1938, 0.5], abs=PRINTED)

    @given(st.integers(1, 8), st.floats(0, 1))
    def test_register_against_every_subset(self, people: int, share: float) -> None:
        expected = sum(
            share**taken
            * (1 - share) ** (people - taken)
            * comb(people - 1, taken - 1)
            / taken
            for taken in range(1, people + 1)
        )
        found = matches_by_class(np.array([1]), np.array([people]), share)
        assert found[0] == pytest.approx(expected, abs=1e-12)

    def test_two_releases_oracle_16(self) -> None:
        ours, theirs, common = np.array([[1, 1, 1], [2, 1, 1], [4, 5, 3], [10, 2, 1]]).T
        pairs = ClassPairs.of(ours, theirs)
        assert pairs.most == pytest.approx(2.5)
        assert pairs.certain == 1
        # Who is in both is known here: then it is less, in each class.
        expected = (common / np.maximum(ours, theirs)).sum()
        assert expected == pytest.approx(2.2)
        assert expected / common.sum() == pytest.approx(0.3667, abs=PRINTED)
        assert expected <= pairs.most

    def test_halves_oracle_17(self) -> None:
        records = ["xp", "xp", "xq", "yp", "yq", "yq"]
        sizes = [
            np.array(
                [Counter(key(each) for each in records)[key(row)] for row in records]
            )
            for key in (lambda row: row[0], lambda row: row[1], lambda row: row)
        ]
        found = link_halves(*sizes)
        assert found.rate == pytest.approx(0.1852, abs=PRINTED)
        assert found.baseline == pytest.approx(1 / 6)
        assert found.gain == pytest.approx(0.0222, abs=PRINTED)

    @given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1))
    def test_halves_against_every_pair(self, rows: list[tuple[int, int]]) -> None:
        halves = [[other for other in rows if other[part] == row[part]] for row in rows
                  for part in (0, 1)]  # fmt: skip
        sizes = np.array([len(each) for each in halves]).reshape(-1, 2)
        both = np.array([rows.count(row) for row in rows])
        right = 0.0
        for row in rows:
            # A record drawn among those like the first half, one among the second.
            left = [n for n, other in enumerate(rows) if other[0] == row[0]]
            other = [n for n, other in enumerate(rows) if other[1] == row[1]]
            pairs = [a == b for a in left for b in other]
            right += sum(pairs) / len(pairs)
        found = link_halves(sizes[:, 0], sizes[:, 1], both)
        assert found.rate == pytest.approx(right / len(rows))

    def test_splits_are_those_of_the_library_in_its_order(self) -> None:
        for n_columns in range(2, 10):
            sets = list(combinations(range(n_columns), n_columns // 2))
            if n_columns % 2 == 0:
                # Each split once: with the first column.
                sets = [each for each in sets if 0 in each]
            assert n_balanced_splits(n_columns) == len(sets)
            found = [balanced_split(n_columns, number) for number in range(len(sets))]
            assert found == sets
            # `verify` has code of its own for it.
            assert [_half(n_columns, number) for number in range(len(sets))] == sets

    @given(st.data())
    def test_the_worst_split_against_every_pair(self, data: st.DataObject) -> None:
        n_columns = data.draw(st.integers(2, 5))
        row = st.tuples(*[st.integers(0, 2)] * n_columns)
        rows = data.draw(st.lists(row, min_size=1, max_size=9))
        classes = Counter(rows)
        columns = [
            np.array(each, dtype=np.int32) for each in zip(*classes, strict=True)
        ]
        counts = np.array(list(classes.values()))
        rates = []
        for number in range(n_balanced_splits(n_columns)):
            first = balanced_split(n_columns, number)
            second = [place for place in range(n_columns) if place not in first]
            right = 0.0
            for one in rows:
                alike = [
                    [n for n, e in enumerate(rows) if all(e[p] == one[p] for p in half)]
                    for half in (first, second)
                ]
                pairs = list(product(*alike))
                right += sum(a == b for a, b in pairs) / len(pairs)
            rates.append(right / len(rows))
        found = link_splits(columns, [3] * n_columns, counts, 1000)
        assert found.found.rate == pytest.approx(max(rates))
        assert found.found.baseline == 1 / len(rows)
        assert found.n_looked == found.n_splits == len(rates)
        named = combinations(range(n_columns), n_columns // 2)
        place = [e for e in named if n_columns % 2 or 0 in e].index(found.first)
        assert rates[place] == pytest.approx(max(rates))
        assert sorted(found.first + found.second) == list(range(n_columns))
        assert found.most == pytest.approx(len(classes) / len(rows))
        assert max(rates) <= found.most + 1e-12
        # With fewer looks it is said what is known, and that is true of all splits.
        most = data.draw(st.integers(1, len(rates)))
        fewer = link_splits(columns, [3] * n_columns, counts, most)
        n_spread = len(rates) if len(rates) <= most else (most + 1) // 2
        spread = [rates[at * len(rates) // n_spread] for at in range(n_spread)]
        assert max(spread) - 1e-12 <= fewer.found.rate <= max(rates) + 1e-12
        sets = named_halves(n_columns)
        assert rates[sets.index(fewer.first)] == pytest.approx(fewer.found.rate)
        near = [
            rates[at]
            for at, half in enumerate(sets)
            if {half, rest_of(half, n_columns)} & set(exchanged(fewer.first, n_columns))
        ]
        if fewer.is_settled:
            assert max(near, default=0.0) <= fewer.found.rate + 1e-12
        assert fewer.is_settled or fewer.n_looked == most
        assert fewer.n_looked <= most
        assert fewer.n_splits == len(rates)

    def test_exchanging_columns_finds_what_an_even_spread_misses(self) -> None:
        rng = np.random.default_rng(11)
        columns = rng.integers(0, 3, (8, 60)).astype(np.int32)
        columns = np.unique(columns, axis=1).astype(np.int32)
        counts = np.ones(columns.shape[1], dtype=np.int64)
        everything = link_splits(list(columns), [3] * 8, counts, 35)
        few = link_splits(list(columns), [3] * 8, counts, 24)
        spread = [
            link_halves(*like(columns, number * 35 // 12), counts).rate
            for number in range(12)
        ]
        assert everything.found.rate == pytest.approx(few.found.rate)
        assert few.found.rate > max(spread) + 1e-9
        assert few.is_settled
        assert few.n_looked <= 24

    def test_looking_at_splits_tells_its_progress_and_can_be_stopped(self) -> None:
        rng = np.random.default_rng(3)
        columns = [rng.integers(0, 4, 50).astype(np.int32) for _ in range(6)]
        counts = np.ones(50, dtype=np.int64)
        seen: list[float] = []

        class Stopping:
            def report(self, fraction: float, note: str = "") -> None:
                seen.append(fraction)
                if fraction > 0.5:
                    raise Cancelled

        with pytest.raises(Cancelled):
            link_splits(columns, [4] * 6, counts, 100, monitor=Stopping())
        assert seen == sorted(seen)
        assert 0.5 < seen[-1] < 0.6
        assert len(seen) > 5

    def test_many_labels_are_sorted_and_few_are_not(self) -> None:
        rng = np.random.default_rng(7)
        many = [rng.integers(0, 5, 400).astype(np.int32) for _ in range(6)]
        columns = np.unique(np.stack(many), axis=1).astype(np.int32)
        counts = rng.integers(1, 5, columns.shape[1])
        dense = link_splits(list(columns), [5] * 6, counts, 100)
        sparse = link_splits(list(columns), [50_000] * 6, counts, 100)
        assert sparse == dense

    def test_membership_oracle_20(self) -> None:
        found = membership(self.COUNTS, self.PEOPLE)
        assert found == pytest.approx([1, 0.5, 1 / 3, 0.1])
        baseline = self.COUNTS.sum() / self.PEOPLE.sum()
        assert baseline == pytest.approx(0.1852, abs=PRINTED)
        assert gain_over(found[1], baseline) == pytest.approx(0.3864, abs=PRINTED)
        assert gain_over(found[3], baseline) == 0
        assert gain_over(1.0, 1.0) == 0


class TestInference:
    def test_classes_oracle_18(self) -> None:
        counts = np.array([[3, 1, 0], [2, 2, 1], [0, 0, 3]])
        classes, values = np.nonzero(counts)
        found = guess_values(
            classes, values.astype(np.int32), 3, counts[classes, values]
        )
        assert found.rate == pytest.approx(8 / 12)
        assert found.baseline == pytest.approx(5 / 12)
        assert found.gain == pytest.approx(0.4286, abs=PRINTED)
        assert found.without_own == pytest.approx(6 / 12)
        assert found.own == pytest.approx(0.1667, abs=PRINTED)
        assert found.group == pytest.approx(0.0833, abs=PRINTED)
        assert found.uniform == 0.25

    @given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1))
    def test_against_guessing_each_record(self, rows: list[tuple[int, int]]) -> None:
        of_all = Counter(value for _, value in rows)
        rate = without_own = uniform = missing = 0.0
        for number, (group, value) in enumerate(rows):
            others = Counter(
                each for place, (its, each) in enumerate(rows)
                if its == group and place != number
            )  # fmt: skip
            together = others + Counter([value])
            rate += max(together.values()) / together.total()
            uniform += len(together) == 1
            missing += together.keys() == {3}
            guesses = others or of_all
            best = [each for each, n in guesses.items() if n == max(guesses.values())]
            without_own += (value in best) / len(best)
        classes, values = np.array(rows).T
        found = guess_values(classes, values.astype(np.int32), 4, missing=3)
        # The commonest value of a class is right for its share of each record.
        assert found.rate == pytest.approx(rate / len(rows))
        assert found.without_own == pytest.approx(without_own / len(rows))
        assert found.uniform == pytest.approx(uniform / len(rows))
        assert found.missing == pytest.approx(missing / len(rows))
        assert found.baseline == max(of_all.values()) / len(rows)
        assert found.rate >= found.without_own - 1e-12

    def test_wilson_and_residual_oracle_19(self) -> None:
        found = [wilson(each, 500) for each in (120, 100, 60)]
        assert [each.value for each in found] == pytest.approx(
            [0.2420, 0.2023, 0.1229], abs=PRINTED
        )
        assert [each.error for each in found] == pytest.approx(
            [0.0373, 0.0350, 0.0285], abs=PRINTED
        )
        attack, good, weak = found
        left = residual(attack, good)
        assert (left.value, left.error) == pytest.approx((0.0498, 0.0627), abs=PRINTED)
        assert left.interval == pytest.approx((0, 0.1125), abs=2 * PRINTED)
        more = residual(attack, weak)
        assert (more.value, more.error) == pytest.approx((0.1358, 0.0510), abs=PRINTED)
        assert more.interval == pytest.approx((0.0848, 0.1868), abs=2 * PRINTED)

    def test_residual_is_none_where_the_control_does_as_well(self) -> None:
        assert residual(Estimate(0.2, 0.01), Estimate(0.3, 0.01)).value == 0
        assert residual(Estimate(1.0, 0.0), Estimate(1.0, 0.0)) == Estimate(0, 0)
