"""Search by checking every node, and answers to other thresholds without a search."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from deidgui.engine.arrays import AnyArray, BoolArray, FloatArray, IntArray
from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.privacy.base import First, PrivacyModel
from deidgui.engine.privacy.suppression import released
from deidgui.engine.quality.base import QualityMeasure
from deidgui.engine.search.lattice import Lattice
from deidgui.engine.search.measure_details import MeasureDetails, is_asked
from deidgui.engine.search.node_figures import figures_at
from deidgui.engine.search.profile import (
    K_MAX,
    Profile,
    build_profile,
    find_details,
    keep_details,
)
from deidgui.engine.search.question import (
    Preferred,
    Question,
    Ranking,
    Reach,
    costs_of,
    make_question,
)
from deidgui.errors import ConfigError
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

LOOKS = 400
"""Single nodes whose classes are looked at before all are, in one walk."""

WALK_SHARE = 0.9
"""Part of the progress that the walk takes; the rest is for measure details."""


@dataclass(frozen=True)
class Best:
    """A solution that is better than all before it.

    Parameters
    ----------
    n_checked, n_nodes : int
        How far the search was.
    suppress_below : int
        Classes with fewer records are suppressed.
    profile : Profile or None
        Still growing; `what_if` answers from it if the search is cancelled. None
        if the search looks at single nodes only.
    gap : float in [0, 1] or None
        By which share of its loss the solution can still be bettered, if known.
    """

    n_checked: int
    n_nodes: int
    node: int
    levels: tuple[int, ...]
    suppress_below: int
    n_suppressed: int
    loss: float
    profile: Profile | None = field(repr=False)
    class_table: ClassTable = field(repr=False)
    gap: float | None = None


@dataclass(frozen=True, eq=False)
class SearchResult:
    """All nodes of a lattice under the thresholds; nothing is searched again.

    Arrays have one row per node, numbered as in `Lattice`; rows of nodes that
    were not checked are 0, or nan where they are floats.

    Parameters
    ----------
    limit_records : int
        Most records that may be suppressed.
    suppress_below : ndarray of int64, shape (n_nodes,)
        Classes with fewer records are suppressed.
    suppressed : ndarray of int64, shape (n_nodes,)
        Records that would be suppressed.
    feasible : ndarray of bool, shape (n_nodes,)
        Checked, and no more than `limit_records` suppressed.
    values : ndarray of float64, shape (n_nodes, n_values)
        The measure's value per attribute, or one for the whole table.
    scores : ndarray of float64, shape (n_nodes, n_columns)
        What nodes are ranked by, column by column; less is better.
    exact : ndarray of bool, shape (n_nodes,)
        Whether values and scores are more than lower bounds.
    optimum : int or None
        The feasible node with the least score; among equals the one with the
        lowest sum of levels, then the lexicographically smallest.
    nearest : int or None
        The checked node with the fewest suppressed records, ties by the same rule:
        a limit of ``suppressed[nearest]`` records would have a solution.
    preferred : Preferred or None
        What decided before the measure did.
    is_within_reach : bool
        Whether no policy that the profile skipped can meet the thresholds.
    """

    profile: Profile
    limit_records: int
    suppress_below: IntArray
    suppressed: IntArray
    feasible: BoolArray
    values: FloatArray
    scores: FloatArray
    exact: BoolArray
    optimum: int | None
    nearest: int | None
    preferred: Preferred | None = None
    is_within_reach: bool = True

    def __repr__(self) -> str:
        return f"<SearchResult {self.n_solutions} solutions of {self.profile!r}>"

    @property
    def lattice(self) -> Lattice:
        """The nodes' numbers and levels."""
        return self.profile.lattice

    @property
    def loss(self) -> FloatArray:
        """First column of the scores: ndarray of float64, shape (n_nodes,)."""
        return self.scores[:, 0]

    @property
    def n_solutions(self) -> int:
        """Number of feasible nodes."""
        return int(np.count_nonzero(self.feasible))

    @property
    def is_complete(self) -> bool:
        """Whether no node that can be feasible was left out: the optimum is proven."""
        return self.profile.is_settled and self.is_within_reach

    @cached_property
    def ranked(self) -> IntArray:
        """Feasible nodes, best first (by lower bounds where not exact)."""
        nodes = np.flatnonzero(self.feasible)
        scores = self.scores[nodes]
        ranking = Ranking(self.lattice, scores, self.preferred)
        return nodes[ranking.order(nodes, scores)]

    def levels(self, node: int) -> dict[str, int]:
        """Level by attribute of one node."""
        names = self.profile.class_table.attributes
        return dict(zip(names, self.lattice.levels_of(node), strict=True))


def search_lattice(
    class_table: ClassTable,
    models: Sequence[PrivacyModel],
    limit_fraction: float,
    measure: QualityMeasure,
    weights: Mapping[str, float] | None = None,
    minimum: Mapping[str, int] | None = None,
    maximum: Mapping[str, int] | None = None,
    *,
    preferred: Mapping[str, int] | None = None,
    k_max: int = K_MAX,
    n_threads: int = 2,
    known: Profile | None = None,
    reach: Reach | None = None,
    few_classes: float = 0.0,
    on_best: Callable[[Best], None] | None = None,
    on_nodes: Callable[[Profile, IntArray], None] | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> SearchResult:
    """Check the whole lattice and find the best policy under the thresholds.

    Parameters
    ----------
    limit_fraction : float in [0, 1]
        Share of the records that may be suppressed.
    weights : mapping of str to float in [0, 1], optional
        Importance by attribute.
    minimum, maximum : mapping of str to int, optional
        Allowed levels by attribute.
    preferred : mapping of str to int, optional
        Level by attribute; of two nodes the one that is above fewer of these levels
        is the better one, weighed by importance.
    k_max : int, >= 1
        Up to which class size `what_if` can be asked afterwards.
    n_threads : int, >= 1
        The result does not depend on it.
    known : Profile, optional
        Of a part of the lattice (see `build_profile`).
    reach : Reach, optional
        Nodes at which no thresholds within reach can be met are skipped.
    few_classes : float
        See `build_profile`.
    on_best : callable, optional
        Receives every solution that is better than all before, on the calling
        thread. After a cancel the last one is the best that was found.
    on_nodes : callable, optional
        Receives the growing profile and the nodes that became known, if nobody asks
        for the best.
    monitor : Monitor, optional
        No worker runs during a report: a monitor that waits pauses the search.

    Raises
    ------
    ConfigError
        Codes ``no_privacy_model``, ``suppression_limit``,
        ``weights_all_zero`` or ``level_limits``.
    ResourceError
        Code ``lattice_too_large``.
    """
    question = make_question(
        class_table, models, limit_fraction, measure, weights, preferred
    )
    best = _Improvements(question, on_best) if on_best is not None else None
    profile = build_profile(
        class_table,
        minimum,
        maximum,
        conditions=question.conditions,
        k_max=k_max,
        also=question.sizes,
        asks=measure.asks,
        n_threads=n_threads,
        known=known,
        reach=reach,
        few_classes=few_classes,
        on_nodes=on_nodes if best is None else best.see,
        monitor=SubMonitor(monitor, 0.0, WALK_SHARE),
    )
    rest = SubMonitor(monitor, WALK_SHARE, 1.0)
    return _answer(profile, question, n_threads, rest)


def what_if(
    profile: Profile,
    models: Sequence[PrivacyModel],
    limit_fraction: float,
    measure: QualityMeasure,
    weights: Mapping[str, float] | None = None,
    *,
    preferred: Mapping[str, int] | None = None,
    n_threads: int = 2,
    monitor: Monitor = NULL_MONITOR,
) -> SearchResult:
    """Answer from a profile what the thresholds lead to, without a search.

    Parameters
    ----------
    profile : Profile
        May be incomplete: then only the checked nodes count.
    limit_fraction : float in [0, 1]
        Share of the records that may be suppressed.
    weights : mapping of str to float in [0, 1], optional
        Importance by attribute.
    preferred : mapping of str to int, optional
        As of `search_lattice`.
    n_threads : int, >= 1
        For the first question with a measure that asks more of the classes than the
        profile keeps; takes about as long as the profile did.

    Raises
    ------
    ConfigError
        Codes ``no_privacy_model``, ``suppression_limit``,
        ``weights_all_zero``, ``k_not_in_profile``, ``conditions_not_in_profile``
        and those of `PrivacyModel.check`.
    """
    question = make_question(
        profile.class_table, models, limit_fraction, measure, weights, preferred
    )
    return _answer(profile, question, n_threads, monitor)


def known_so_far(
    profile: Profile,
    models: Sequence[PrivacyModel],
    limit_fraction: float,
    measure: QualityMeasure,
    weights: Mapping[str, float] | None = None,
    *,
    preferred: Mapping[str, int] | None = None,
    optimum: int | None,
) -> SearchResult:
    """Answer from a growing profile, for a question whose answer is known.

    Parameters
    ----------
    limit_fraction : float in [0, 1]
        Share of the records that may be suppressed.
    weights : mapping of str to float in [0, 1], optional
        Importance by attribute.
    preferred : mapping of str to int, optional
        As of `search_lattice`.
    optimum : int or None
        The best node, checked, however it was found: it is not looked for.

    Raises
    ------
    ConfigError
        As `what_if`.
    """
    question = make_question(
        profile.class_table, models, limit_fraction, measure, weights, preferred
    )
    nodes = np.flatnonzero(profile.checked)
    answers = answers_at(profile, question, nodes)
    solves = answers.suppressed <= question.limit_records
    feasible = np.zeros(profile.lattice.n_nodes, dtype=np.bool_)
    feasible[nodes] = solves & profile.possible[nodes]
    if optimum is not None:
        row = int(np.searchsorted(nodes, optimum))
        if not answers.exact[row]:
            make_exact(profile, question, answers, row)
    return _result(profile, question, answers, feasible, optimum)


@dataclass(eq=False)
class Answers:
    """Some checked nodes under a question; row i is about ``nodes[i]``.

    Attributes
    ----------
    nodes, below, suppressed : ndarray of int64, shape (n,)
        Node number, size below which classes are suppressed, records suppressed (those
        of classes that do not meet the conditions included).
    values : ndarray of float64, shape (n, n_values)
    scores : ndarray of float64, shape (n, n_columns)
    exact : ndarray of bool, shape (n,)
        Whether values and scores are more than lower bounds.
    """

    nodes: IntArray
    below: IntArray
    suppressed: IntArray
    values: FloatArray
    scores: FloatArray
    exact: BoolArray


def answers_at(
    profile: Profile,
    question: Question,
    nodes: IntArray,
    details: MeasureDetails | None = None,
) -> Answers:
    """SizeTotals of some checked nodes under a question.

    Parameters
    ----------
    nodes : ndarray of int64, shape (n,)
    details : MeasureDetails, optional
        Of all nodes, with the same classes suppressed; what the profile keeps if
        absent.

    Raises
    ------
    ConfigError
        Codes ``k_not_in_profile`` or ``conditions_not_in_profile``.
    """
    if set(question.conditions) != set(profile.conditions):
        raise ConfigError("conditions_not_in_profile")
    missing = question.sizes.difference(profile.ladder.tolist())
    if missing:
        raise ConfigError("k_not_in_profile", k=min(missing))
    first = _first(profile, question, nodes)
    measure = question.measure
    kept = profile.details.get(measure.asks)
    figures = profile.figures(nodes, first.below, details=details or kept)
    values, exact = measure.values(figures), measure.is_exact(figures)
    rows = np.flatnonzero(first.extra)
    if len(rows):
        below, extra = first.below[rows], first.extra[rows]
        more = profile.figures(nodes[rows], below, extra, kept)
        figures.suppressed_records[rows] = more.suppressed_records
        values[rows] = measure.values(more)
        if measure.asks:
            values[rows] = np.maximum(values[rows], measure.floor(more))
            exact[rows] = False
    return Answers(
        nodes,
        first.below,
        figures.suppressed_records,
        values,
        measure.scores(values, question.weights),
        exact,
    )


def _first(profile: Profile, question: Question, nodes: IntArray) -> First:
    """Which of the smallest classes are suppressed at some nodes."""
    below = np.full(len(nodes), question.smallest, np.int64)
    found = First(below, np.zeros_like(below))
    tiers = profile.smallest(nodes) if question.orders else None
    for model in question.orders:
        assert tiers is not None
        found = found.joined(model.first_at(tiers))
    return found


def make_exact(
    profile: Profile, question: Question, answers: Answers, row: int
) -> None:
    """Replace the lower bounds of one row by its exact values."""
    levels = profile.lattice.levels_of(int(answers.nodes[row]))
    classes = profile.bottom.raised(levels)
    gone = np.where(released(question.every, classes), 0, classes.counts)
    figures = figures_at(profile.facts, classes, gone[None], question.measure.asks)
    values = question.measure.values(figures)
    answers.values[row] = values[0]
    answers.scores[row] = question.measure.scores(values, question.weights)[0]
    answers.exact[row] = True


class _Improvements:
    """Tells of every improvement while the walk goes on."""

    def __init__(self, question: Question, on_best: Callable[[Best], None]) -> None:
        self._question, self._on_best = question, on_best
        self._key = np.inf, np.inf

    def see(self, profile: Profile, nodes: IntArray) -> None:
        """Look at nodes that became known."""
        answers = answers_at(profile, self._question, nodes)
        solutions = answers.suppressed <= self._question.limit_records
        solutions &= profile.possible[nodes]
        costs = costs_of(profile.lattice, self._question.preferred, nodes)
        (cost, loss), losses = self._key, answers.scores[:, 0]
        better = (costs < cost) | ((costs == cost) & (losses < loss))
        hopeful = np.flatnonzero(solutions & better)
        if not len(hopeful):
            return
        order = np.lexsort((losses[hopeful], costs[hopeful]))
        row = int(hopeful[order[0]])
        if not answers.exact[row]:
            make_exact(profile, self._question, answers, row)
        key = float(costs[row]), float(answers.scores[row, 0])
        if key < self._key:
            self._key = key
            self._report(profile, answers, row)

    def _report(self, profile: Profile, answers: Answers, row: int) -> None:
        node = int(answers.nodes[row])
        self._on_best(
            Best(
                n_checked=profile.n_checked,
                n_nodes=profile.lattice.n_nodes,
                node=node,
                levels=profile.lattice.levels_of(node),
                suppress_below=int(answers.below[row]),
                n_suppressed=int(answers.suppressed[row]),
                loss=self._key[1],
                profile=profile,
                class_table=profile.class_table,
            )
        )


def _answer(
    profile: Profile, question: Question, n_threads: int, monitor: Monitor
) -> SearchResult:
    nodes, asks = np.flatnonzero(profile.checked), question.measure.asks
    walk, looks = SubMonitor(monitor, 0.0, 0.8), SubMonitor(monitor, 0.8, 1.0)
    keep_details(profile, asks, n_threads=n_threads, monitor=walk)
    answers = answers_at(profile, question, nodes)
    may_be = (answers.suppressed <= question.limit_records) & profile.possible[nodes]
    solutions = np.flatnonzero(may_be)
    optimum, is_settled = _optimum(
        profile, question, answers, solutions, LOOKS, SubMonitor(monitor, 0.8, 0.9)
    )
    if not is_settled:
        if is_asked(asks) and asks not in profile.details:
            below = _spread(answers.below, nodes, profile.lattice.n_nodes)
            details = find_details(
                profile, asks, below, n_threads=n_threads, monitor=walk
            )
            answers = answers_at(profile, question, nodes, details)
        most = len(solutions)
        optimum, _ = _optimum(profile, question, answers, solutions, most, looks)
    monitor.report(1.0, "details")
    feasible = np.zeros(profile.lattice.n_nodes, dtype=np.bool_)
    feasible[nodes[solutions]] = True
    return _result(profile, question, answers, feasible, optimum)


def _result(
    profile: Profile,
    question: Question,
    answers: Answers,
    feasible: BoolArray,
    optimum: int | None,
) -> SearchResult:
    n_nodes, nodes = profile.lattice.n_nodes, answers.nodes
    return SearchResult(
        profile,
        question.limit_records,
        suppress_below=_spread(answers.below, nodes, n_nodes),
        suppressed=_spread(answers.suppressed, nodes, n_nodes),
        feasible=feasible,
        values=_spread(answers.values, nodes, n_nodes),
        scores=_spread(answers.scores, nodes, n_nodes),
        exact=_spread(answers.exact, nodes, n_nodes),
        optimum=optimum,
        nearest=_nearest(profile.lattice, answers, question),
        preferred=question.preferred,
        is_within_reach=is_within_reach(profile, question),
    )


def is_within_reach(profile: Profile, question: Question) -> bool:
    """Whether no node that a profile skipped can be feasible."""
    reach = profile.reach
    return reach is None or reach.covers(question, profile.class_table)


def _optimum(
    profile: Profile,
    question: Question,
    answers: Answers,
    solutions: IntArray,
    most_looks: int,
    monitor: Monitor,
) -> tuple[int | None, bool]:
    """Best of some rows; looks at their classes in the order of their lower bounds.

    Stops as soon as the next lower bound is worse than the best exact score, so
    the result is the same as if all were looked at. Gives up, unsettled, after
    `most_looks` rows: then it is less work to look at all nodes in one walk.
    """
    scores, preferred = answers.scores[solutions], question.preferred
    ranking = Ranking(profile.lattice, scores, preferred)
    order = ranking.order(answers.nodes[solutions], scores)
    best: int | None = None
    best_key: tuple[float, ...] = ()
    n_looks = 0
    for row in solutions[order].tolist():
        key = ranking.key(int(answers.nodes[row]), answers.scores[row])
        if best is not None and key[:-2] > best_key[:-2]:
            break
        if not answers.exact[row]:
            if n_looks == most_looks:
                return None, False
            n_looks += 1
            make_exact(profile, question, answers, row)
            key = ranking.key(int(answers.nodes[row]), answers.scores[row])
            monitor.report(n_looks / most_looks, f"details {n_looks}")
        if best is None or key < best_key:
            best, best_key = row, key
    return (None if best is None else int(answers.nodes[best])), True


def _nearest(lattice: Lattice, answers: Answers, question: Question) -> int | None:
    if not len(answers.nodes):
        return None
    fewest = np.flatnonzero(answers.suppressed == answers.suppressed.min())
    nodes, scores = answers.nodes[fewest], answers.scores[fewest]
    ranking = Ranking(lattice, scores, question.preferred)
    return int(nodes[ranking.order(nodes, scores)[0]])


def _spread(rows: AnyArray, nodes: IntArray, n_nodes: int) -> AnyArray:
    """Put rows in the places of their nodes; nan or 0 elsewhere."""
    if len(nodes) == n_nodes:
        return rows
    empty = np.nan if rows.dtype == np.float64 else 0
    full = np.full((n_nodes, *rows.shape[1:]), empty, dtype=rows.dtype)
    full[nodes] = rows
    return full
