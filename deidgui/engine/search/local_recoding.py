"""Local recoding: suppressed records are released after all, in further rounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from deidgui.engine.arrays import IntArray
from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.policy.figures import release_figures
from deidgui.engine.policy.policy import Policy, lattice_policy, local_policy
from deidgui.engine.policy.released import (
    ReleasedClasses,
    Round,
    apply_round,
    released_classes,
)
from deidgui.engine.privacy.base import PrivacyModel
from deidgui.engine.privacy.suppression import conditions_of
from deidgui.engine.quality import QualityMeasure, TableFacts, scaled_weights
from deidgui.engine.search.branch_and_bound import find_optimum
from deidgui.engine.search.question import Preferred, limit_in_records
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

MAX_ROUNDS = 5
"""More rounds are made for few records, and are hard to explain."""

MOST_NODES = 20_000
"""Policies looked at for a round until it is taken as good enough."""

PASSED_ON = (0.25, 0.5, 0.75)
"""Shares of the records of a round that it may pass on to the next, beside the share
that may be suppressed."""


@dataclass(frozen=True, eq=False)
class LocalResult:
    """The best policy of several rounds that was found, and that of one round.

    Parameters
    ----------
    policy : Policy
        Of kind "local_recoding"; of kind "lattice" if rounds gain nothing.
    scores : tuple of float
        By the measure, compared from the left; less is better.
    single : Policy or None
        Best policy of one round; None if none stays within the limit.
    limit_records : int
        Most records that may be suppressed.
    """

    policy: Policy
    released: ReleasedClasses = field(repr=False)
    scores: tuple[float, ...]
    single: Policy | None
    single_scores: tuple[float, ...] | None
    limit_records: int

    @property
    def loss(self) -> float:
        """First of the scores."""
        return self.scores[0]

    @property
    def single_loss(self) -> float | None:
        """First score of the best policy of one round."""
        return None if self.single_scores is None else self.single_scores[0]


@dataclass(frozen=True, eq=False)
class _Task:
    """What is searched, the same for every round."""

    class_table: ClassTable
    models: Sequence[PrivacyModel]
    limit_records: int
    measure: QualityMeasure
    weights: Mapping[str, float] | None
    minimum: Mapping[str, int] | None
    maximum: Mapping[str, int] | None
    preferred: Mapping[str, int] | None
    n_threads: int

    def best(self, table: ClassTable, n_passed: int, monitor: Monitor) -> Policy | None:
        """Best policy of one round that passes on so many records at most."""
        is_first = table is self.class_table
        # Half a record more keeps the limit whatever the rounding of the share.
        share = min(1.0, (n_passed + 0.5) / table.n_records)
        found = find_optimum(
            table,
            self.models,
            share,
            self.measure,
            self.weights,
            self.minimum,
            self.maximum,
            preferred=self.preferred if is_first else None,
            most_nodes=MOST_NODES,
            n_threads=self.n_threads,
            monitor=monitor,
        )
        if found.levels is None:
            return None
        return lattice_policy(
            table.hierarchies,
            dict(zip(table.attributes, found.levels, strict=True)),
            _suppress_below(self.models),
            conditions=conditions_of(self.models),
        )


def _suppress_below(models: Sequence[PrivacyModel]) -> int:
    """Size below which classes are suppressed that the conditions would release."""
    conditions = conditions_of(models)
    return max((each.depth for each in models if each not in conditions), default=1)


def search_local(
    class_table: ClassTable,
    models: Sequence[PrivacyModel],
    limit_fraction: float,
    measure: QualityMeasure,
    weights: Mapping[str, float] | None = None,
    minimum: Mapping[str, int] | None = None,
    maximum: Mapping[str, int] | None = None,
    *,
    preferred: Mapping[str, int] | None = None,
    max_rounds: int = MAX_ROUNDS,
    n_threads: int = 2,
    monitor: Monitor = NULL_MONITOR,
) -> LocalResult | None:
    """Search several rounds, each on the records that all before it suppress.

    Parameters
    ----------
    models : sequence of PrivacyModel, not empty
        Met by each round, and by what all rounds release together.
    limit_fraction : float in [0, 1]
        Share of all records that may be suppressed after the last round.
    weights, minimum, maximum : mappings, optional
        As of `find_optimum`.
    preferred : mapping of str to int, optional
        As of `find_optimum`, for the first round: it releases most records.
    max_rounds : int, >= 1
    n_threads : int, >= 1

    Returns
    -------
    LocalResult or None
        Never worse than the best policy of one round; None if no policy was found
        that stays within the limit.

    Raises
    ------
    DeidError
        As `find_optimum`.

    Notes
    -----
    Every round is the optimum for its records, unless the proof takes too long; the
    whole is a heuristic. Rounds
    that pass on a larger share of their records release the first ones with more
    detail; several shares are tried and the best outcome is taken.
    """
    limit = limit_in_records(limit_fraction, class_table.n_records)
    task = _Task(
        class_table,
        models,
        limit,
        measure,
        weights,
        minimum,
        maximum,
        preferred,
        n_threads,
    )
    judge = _Judge(task)
    best: tuple[tuple[float, ...], int, Policy, ReleasedClasses] | None = None
    best_key: tuple[float, tuple[float, ...], int] | None = None
    single: tuple[Policy, tuple[float, ...]] | None = None
    plans = _plans(task, max_rounds, monitor)
    for rounds in plans:
        policy = local_policy(rounds, "local_recoding")
        found = judge.outcome(policy)
        if found is None:
            continue
        scores, outcome = found
        if len(rounds) == 1 and single is None:
            single = policy, scores
        key = judge.cost(rounds[0]), scores, len(rounds)
        if best_key is None or key < best_key:
            best_key, best = key, (scores, len(rounds), policy, outcome)
    monitor.report(1.0, "local")
    if best is None:
        return None
    return LocalResult(
        best[2],
        best[3],
        best[0],
        single[0] if single else None,
        single[1] if single else None,
        limit,
    )


def _plans(
    task: _Task, max_rounds: int, monitor: Monitor
) -> Iterator[tuple[Policy, ...]]:
    """Rounds to look at; the first plan is the best policy of one round."""
    parts = _parts(monitor, len(PASSED_ON) + 1)
    yield from _ended(task, (), task.class_table, max_rounds, next(parts))
    for share in PASSED_ON:
        step = next(parts)
        if int(share * task.class_table.n_records) > task.limit_records:
            yield from _passing(task, share, max_rounds, step)


def _passing(
    task: _Task, share: float, max_rounds: int, monitor: Monitor
) -> Iterator[tuple[Policy, ...]]:
    """Rounds that pass on a share of their records, ended after each of them."""
    rounds: tuple[Policy, ...] = ()
    table: ClassTable | None = task.class_table
    parts = _parts(monitor, 2 * max_rounds)
    while table is not None and len(rounds) < max_rounds:
        n_passed = max(task.limit_records, int(share * table.n_records))
        found = task.best(table, n_passed, next(parts))
        if found is None:
            break
        rounds = (*rounds, found)
        yield rounds
        table = _rest(apply_round(table, found, _all(table)))
        yield from _ended(task, rounds, table, max_rounds, next(parts))
    monitor.report(1.0, "local")


def _ended(
    task: _Task,
    rounds: tuple[Policy, ...],
    table: ClassTable | None,
    max_rounds: int,
    monitor: Monitor,
) -> Iterator[tuple[Policy, ...]]:
    """Rounds ended within the limit, and more while they release anything."""
    parts = _parts(monitor, max_rounds)
    while table is not None and len(rounds) < max_rounds:
        found = task.best(table, task.limit_records, next(parts))
        if found is None:
            break
        rounds = (*rounds, found)
        yield rounds
        table = _rest(apply_round(table, found, _all(table)))
    monitor.report(1.0, "local")


def _parts(monitor: Monitor, number: int) -> Iterator[Monitor]:
    for place in range(number):
        yield SubMonitor(monitor, place / number, (place + 1) / number)


def _rest(applied: Round) -> ClassTable | None:
    """Records for the next round; None if all or none were released."""
    if applied.kept.all() or not applied.kept.any():
        return None
    return applied.rest()


def _all(table: ClassTable) -> IntArray:
    return np.arange(table.n_classes)


class _Judge:
    """Judges what a policy makes of the whole table."""

    def __init__(self, task: _Task) -> None:
        self._task = task
        self._domain = TableFacts(task.class_table)
        names = task.class_table.attributes
        self._weights = scaled_weights(names, task.weights)
        self._preferred = (
            Preferred.of(task.class_table, task.preferred, self._weights)
            if task.preferred
            else None
        )

    def cost(self, first: Policy) -> float:
        """Cost of levels of the first round above the preferred ones."""
        if self._preferred is None:
            return 0.0
        levels = [first.levels[name] for name in self._task.class_table.attributes]
        return float(self._preferred.cost(np.array([levels]))[0])

    def outcome(
        self, policy: Policy
    ) -> tuple[tuple[float, ...], ReleasedClasses] | None:
        """Scores of a policy, None if it is not allowed."""
        task = self._task
        found = released_classes(task.class_table, policy)
        if found.n_suppressed > task.limit_records:
            return None
        # PRIVACY: classes of different rounds may have the same labels, and be one
        # class for whoever reads the release.
        kept = found.kept_classes(task.class_table)
        last = found.rounds[-1].classes
        for model in task.models:
            is_met = not len(kept.counts) or bool(model.holds(kept).all())
            if not is_met or not model.is_possible(last):
                return None
        figures = release_figures(task.class_table, found, self._domain)
        scores = task.measure.scores(task.measure.values(figures), self._weights)[0]
        return tuple(map(float, scores)), found
