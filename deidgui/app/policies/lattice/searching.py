"""Searching the lattice for policies under the thresholds of a project."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from deidgui.app.changes import fingerprint
from deidgui.app.classes import Classes
from deidgui.app.demands import search_problems
from deidgui.app.policies.decisions import (
    allowed_levels,
    kept_levels,
    weights_of,
)
from deidgui.app.policies.lattice.policies import LatticePolicies
from deidgui.app.policies.policy_set import Emit, SourceResult
from deidgui.app.project import Chosen, ChosenRound, Project
from deidgui.engine.arrays import IntArray
from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.policy.words import sentence
from deidgui.engine.privacy import PrivacyModel
from deidgui.engine.quality import QualityMeasure
from deidgui.engine.search.branch_and_bound import Optimum, find_optimum
from deidgui.engine.search.lattice import Lattice, around, lattice_of
from deidgui.engine.search.local_recoding import LocalResult, search_local
from deidgui.engine.search.ola import ola
from deidgui.engine.search.profile import Profile
from deidgui.engine.search.question import Reach, make_question, smallest_class
from deidgui.engine.search.whole_lattice import (
    Best,
    SearchResult,
    known_so_far,
    search_lattice,
    what_if,
)
from deidgui.errors import Cancelled, raise_all
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor
from deidgui.text import tr

MOST_PROFILED = 200_000
"""Policies up to which every one of them is looked at."""

MOST_AROUND = 20_000
"""Policies that are looked at around the best one of a larger lattice."""

FEW_AROUND = 500
"""The same after a cancel."""

FEW_SHOWN = 100
"""Policies around a proven best one that are shown beside it at once."""

FEW_PROFILED = 1_000
"""Policies up to which all of them are looked at before the best one could be found."""

FEW_CLASSES = 1e6
"""Classes at all policies together that are merged before the quicker code is loaded.

In a process that has loaded nothing this saves 0.05 of 0.15 s; merging takes 0.05 s at
most where it is loaded.
"""

LEAST_FOR_PROOF, SHARE_FOR_PROOF = 1_000, 0.25
"""A proof is given up after so many policies, or this share of them, for a look at all.

Numbers and no times, so that every machine states the same.
"""

SMALLEST_GROUP = 2
"""Smallest group size that can be asked for."""

REACHED_SHARE, REACHED_TIMES = 0.1, 2
"""A survey measures what suppresses up to this share, or so many times the limit."""

GROWN_EVERY_S, REST = 2.0, 8
"""How often a survey tells what it knows: rarer where it takes long to report."""

MOST_FOR_COST, LEAST_FOR_COST = 200_000_000, 200
"""Combinations of all policies together after which the search for what importance
costs gives up its proof, and policies before which it does not.

PERF: of 8.4 million policies of 138,509 combinations 4 s and 0.9 GB; the proof takes
28 s and 3.4 GB.
"""

BEST_SHARE = 0.3
"""Part of the progress that finding the best policy takes where others follow."""

PROOF_SHARE = 0.7
"""Part of the progress that finding the best policy takes."""


def check_search(project: Project) -> None:
    """See that every decision that a search needs has been made.

    Raises
    ------
    ConfigError
        As `search_problems`, all problems together.
    """
    raise_all(search_problems(project))


@dataclass(frozen=True, eq=False)
class _Asked:
    """What a search is asked, out of a project and its classes."""

    project: Project
    class_table: ClassTable
    models: tuple[PrivacyModel, ...]
    measure: QualityMeasure
    weights: Mapping[str, float]
    limit: float
    lattice: Lattice
    keeping: Mapping[str, int]

    @classmethod
    def of(cls, project: Project, class_table: ClassTable) -> _Asked:
        """Take over the decisions of a project, all of them made."""
        limit = project.privacy.suppression_limit
        assert limit is not None
        return cls(
            project,
            class_table,
            project.privacy.models,
            project.quality.measure,
            weights_of(project),
            limit,
            lattice_of(
                class_table.hierarchies,
                *allowed_levels(project.quasi_identifiers, class_table),
            ),
            kept_levels(project, class_table),
        )

    def limits(self, lattice: Lattice) -> tuple[dict[str, int], dict[str, int]]:
        """Lowest and highest level by attribute."""
        names = self.class_table.attributes
        return (
            dict(zip(names, lattice.minimum, strict=True)),
            dict(zip(names, lattice.maximum, strict=True)),
        )

    def profile(
        self,
        lattice: Lattice,
        monitor: Monitor,
        on_best: Callable[[Best], None] | None = None,
        on_nodes: Callable[[Profile, IntArray], None] | None = None,
        known: Profile | None = None,
        reach: Reach | None = None,
    ) -> LatticePolicies:
        """Look at every policy of a lattice, or every one within reach."""
        result = search_lattice(
            self.class_table,
            self.models,
            self.limit,
            self.measure,
            self.weights,
            *self.limits(lattice),
            preferred=self.keeping,
            known=known,
            reach=reach,
            few_classes=FEW_CLASSES,
            on_best=on_best,
            on_nodes=on_nodes,
            monitor=monitor,
        )
        return self.policies(result)

    def grown(self, profile: Profile, best: Sequence[int] | None) -> LatticePolicies:
        """Return what is known of a growing profile, whose best policy is known."""
        now = profile.as_now()
        result = known_so_far(
            now,
            self.models,
            self.limit,
            self.measure,
            self.weights,
            preferred=self.keeping,
            optimum=None if best is None else now.lattice.node(best),
        )
        return self.policies(result)

    @property
    def reach(self) -> Reach:
        """Thresholds that a survey answers for: any group size, and some more limit.

        A group of one record is none, where a size is asked for.
        """
        share = min(1.0, max(REACHED_SHARE, REACHED_TIMES * self.limit))
        question = make_question(
            self.class_table, self.models, share, self.measure, self.weights
        )
        least = min(question.smallest, SMALLEST_GROUP)
        size = max(least, smallest_class(question, self.class_table))
        return Reach(size, question.limit_records)

    @property
    def is_profiled(self) -> bool:
        """Whether all policies are looked at where the best is not proven."""
        is_small = self.lattice.n_nodes <= MOST_PROFILED
        return self.project.search.method == "profile" and is_small

    @property
    def most_for_proof(self) -> int:
        """Policies after which the proof is given up."""
        if not self.is_profiled:
            return self.project.search.most_nodes
        return max(LEAST_FOR_PROOF, int(SHARE_FOR_PROOF * self.lattice.n_nodes))

    def box(self, levels: Sequence[int], n_nodes: int) -> Lattice:
        """Return the part of the lattice around a policy."""
        heights = zip(self.lattice.minimum, self.lattice.maximum, strict=True)
        found = around(list(heights), levels, n_nodes)
        return Lattice(
            self.lattice.heights,
            tuple(low for low, _ in found),
            tuple(high for _, high in found),
        )

    def policies(self, result: SearchResult) -> LatticePolicies:
        """Return a result as policies under these decisions."""
        return LatticePolicies(
            result,
            self.models,
            self.measure,
            self.weights,
            self.limit,
            decided=fingerprint(self.project, LatticePolicies.decided_by),
            seed=self.project.search.seed,
            whole=self.lattice,
        )

    def around(
        self, levels: Sequence[int], n_nodes: int, monitor: Monitor
    ) -> LatticePolicies:
        """Look at every policy around one."""
        return self.profile(self.box(levels, n_nodes), monitor)

    def optimum(
        self, on_progress: Callable[[Optimum], None] | None, monitor: Monitor
    ) -> Optimum:
        """Find the best policy, and prove it as far as `most_for_proof` allows."""
        return find_optimum(
            self.class_table,
            self.models,
            self.limit,
            self.measure,
            self.weights,
            *self.limits(self.lattice),
            preferred=self.keeping,
            most_nodes=self.most_for_proof,
            on_progress=on_progress,
            monitor=monitor,
        )

    def least(self, monitor: Monitor) -> Optimum:
        """Find the best policy without importance and what shall be kept.

        The proof is given up after a number of policies, so that every run agrees; not
        where a survey would look at all: who waits for it, and who does not, states the
        same.
        """
        most_surveyed = MOST_PROFILED if self.is_profiled else MOST_AROUND
        most = max(LEAST_FOR_COST, MOST_FOR_COST // len(self.class_table.leaves))
        most = min(self.project.search.most_nodes, most)
        return find_optimum(
            self.class_table,
            self.models,
            self.limit,
            self.measure,
            None,
            *self.limits(self.lattice),
            most_nodes=None if self.lattice.n_nodes <= most_surveyed else most,
            monitor=monitor,
        )

    def ola(self, monitor: Monitor) -> LatticePolicies:
        """Find the least general policies and look at those around the best."""
        answer = ola(
            self.class_table,
            self.models,
            self.limit,
            self.measure,
            self.weights,
            *self.limits(self.lattice),
            preferred=self.keeping,
            monitor=SubMonitor(monitor, 0.0, PROOF_SHARE),
        )
        levels = self.lattice.levels_of
        rest = SubMonitor(monitor, PROOF_SHARE, 1.0)
        if answer.optimum is None:
            return self.around(self.lattice.maximum, MOST_AROUND, rest)
        best = levels(answer.optimum)
        found = self.around(best, MOST_AROUND, rest)
        node = found.lattice.node(best)
        proof = Optimum(
            levels=best,
            loss=float(found.loss[node]),
            n_suppressed=int(found.suppressed[node]),
            gap=0.0 if answer.is_optimal else None,
            is_proven=answer.is_optimal,
            nearest=best,
            n_nearest=int(found.suppressed[node]),
            n_nodes=self.lattice.n_nodes,
            n_looked_at=answer.minimal.n_checks,
        )
        minimal = tuple(levels(node) for node in answer.minimal.nodes.tolist())
        result = replace(found.result, optimum=node)
        return replace(found, result=result, optimality=proof, minimal=minimal)


class _Search:
    """A search that goes on: what it has found, and who is told.

    Parameters
    ----------
    emit : callable or None
        See `PolicySource.run`.
    """

    def __init__(self, asked: _Asked, emit: Emit | None) -> None:
        self._asked, self._emit = asked, emit
        self._known: Optimum | None = None
        self._shown: LatticePolicies | None = None
        self._best: Best | None = None

    def answer(self, monitor: Monitor) -> LatticePolicies:
        """Find the best policy with its proof, and some around it.

        Where a proof does not come soon, and in a small lattice, all policies are
        looked at: it is known then.
        """
        asked = self._asked
        if asked.is_profiled and asked.lattice.n_nodes <= FEW_PROFILED:
            return asked.profile(asked.lattice, monitor, self._on_best)
        step = SubMonitor(monitor, 0.0, PROOF_SHARE)
        proof = asked.optimum(self._on_optimum, step)
        self._on_optimum(proof)
        rest = SubMonitor(monitor, PROOF_SHARE, 1.0)
        if asked.is_profiled and (proof.levels is None or not proof.is_proven):
            # Where none meets the thresholds, the nearest miss is looked for.
            return asked.profile(asked.lattice, rest, self._on_best)
        # The best one of those around it is stated where no proof says better.
        n_around = FEW_SHOWN if proof.is_proven else MOST_AROUND
        found = asked.around(proof.levels or proof.nearest, n_around, rest)
        return replace(found, optimality=proof)

    def _on_best(self, best: Best) -> None:
        self._best = best
        if self._known is None:
            self._report(best.levels, _unproven(best))

    def _on_optimum(self, known: Optimum) -> None:
        if known.levels is not None:
            self._known = known
            self._report(known.levels, known)

    def _report(self, levels: Sequence[int], known: Optimum) -> None:
        """Tell the best policy so far."""
        if self._emit is None:
            return
        if self._shown is None or self._shown.lattice.minimum != tuple(levels):
            self._shown = self._asked.around(levels, 1, NULL_MONITOR)
        shown = replace(self._shown, optimality=known, is_unfinished=True)
        self._emit(shown)

    def keep(self) -> None:
        """Tell what is known where the search was cancelled."""
        found = self._so_far()
        if found is not None and self._emit is not None:
            self._emit(replace(found, is_unfinished=True))

    def _so_far(self) -> LatticePolicies | None:
        """From the unfinished profile; else a few policies around the best one."""
        asked, best, known = self._asked, self._best, self._known
        if best is not None and best.profile is not None:
            profile = best.profile
            node = None if known is None or known.levels is None else known.levels
            if node is None or profile.checked[profile.lattice.node(node)]:
                result = what_if(
                    profile,
                    asked.models,
                    asked.limit,
                    asked.measure,
                    asked.weights,
                    preferred=asked.keeping,
                )
                return asked.policies(result)
        if known is None or known.levels is None:
            return None
        found = asked.around(known.levels, FEW_AROUND, NULL_MONITOR)
        return replace(found, optimality=known)


def _unproven(best: Best) -> Optimum:
    """What is known of the best policy while not all were looked at."""
    return Optimum(
        levels=best.levels,
        loss=best.loss,
        n_suppressed=best.n_suppressed,
        gap=best.gap,
        is_proven=False,
        nearest=best.levels,
        n_nearest=best.n_suppressed,
        n_nodes=best.n_nodes,
        n_looked_at=best.n_checked,
    )


def search(
    project: Project,
    classes: Classes,
    *,
    emit: Emit | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> LatticePolicies:
    """Find the best policy, then all others that `survey` looks at.

    Parameters
    ----------
    emit : callable, optional
        As of `find_best` and `survey`.

    Raises
    ------
    DeidError
        As `find_best`.
    """
    step = SubMonitor(monitor, 0.0, BEST_SHARE)
    best = find_best(project, classes, emit=emit, monitor=step)
    rest = SubMonitor(monitor, BEST_SHARE, 1.0)
    return survey(project, classes, best, emit=emit, monitor=rest)


def find_best(
    project: Project,
    classes: Classes,
    *,
    emit: Emit | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> LatticePolicies:
    """Find the best policy under the project's thresholds by its method.

    Parameters
    ----------
    emit : callable, optional
        Receives the best policy so far; after a cancel what had been found.

    Returns
    -------
    LatticePolicies
        With no optimum if no policy meets the thresholds. The best policy with its
        proof and some around it; all policies where they are few, or where looking at
        all of them was the proof.

    Raises
    ------
    ConfigError
        As `check_search`; codes of `PrivacyModel.check`; ``model_not_monotone`` if
        OLA cannot find the best policy.
    ResourceError
        Code ``lattice_too_large``.
    """
    check_search(project)
    asked = _Asked.of(project, classes.class_table)
    method = project.search.method
    if method == "ola":
        return asked.ola(monitor)
    run = _Search(asked, emit)
    try:
        return run.answer(monitor)
    except Cancelled:
        run.keep()
        raise


def surveyed(project: Project, found: LatticePolicies) -> Lattice | None:
    """Return the policies that a survey looks at, None if they are all known.

    All policies; of more than `MOST_PROFILED`, or where the project asks for the
    optimum only, those around the best one.
    """
    proof = found.optimality
    if proof is None or proof.levels is None or found.minimal or not proof.is_proven:
        return None
    asked = _Asked.of(project, found.profile.class_table)
    part = asked.lattice
    if not asked.is_profiled:
        part = asked.box(proof.levels, MOST_AROUND)
    is_new = part.n_nodes > found.lattice.n_nodes or not found.profile.is_settled
    return part if is_new else None


def with_proof(
    project: Project, found: LatticePolicies, *, monitor: Monitor = NULL_MONITOR
) -> LatticePolicies:
    """Return policies that were all looked at as a new search would.

    Parameters
    ----------
    found : LatticePolicies
        Every policy of the lattice, judged by the decisions of now.
    """
    asked = _Asked.of(project, found.profile.class_table)
    again = asked.policies(found.result)
    if asked.is_profiled and asked.lattice.n_nodes <= FEW_PROFILED:
        return again
    proof = asked.optimum(None, monitor)
    is_known = proof.is_proven and proof.levels is not None
    return replace(again, optimality=proof) if is_known else again


def with_cost(
    project: Project, found: LatticePolicies, *, monitor: Monitor = NULL_MONITOR
) -> LatticePolicies:
    """Find out what importance and keeping something cost, by a search without them.

    Where the best policy is not proven, nothing is searched: no cost follows from it.

    Parameters
    ----------
    found : LatticePolicies
        Of a search for the same project.

    Raises
    ------
    ConfigError, InputError
        As `find_optimum`.
    """
    if not found.lacks_cost:
        return found
    asked = _Asked.of(project, found.profile.class_table)
    known = replace(found, plain=asked.least(monitor))
    known.warm()  # a page that shows it computes nothing
    return known


def with_cost_of(found: SourceResult, known: SourceResult | None) -> SourceResult:
    """Take over what importance costs from policies with the same best one."""
    if not isinstance(found, LatticePolicies) or not isinstance(known, LatticePolicies):
        return found
    if known.plain is None or found.plain or not found.is_same_answer(known):
        return found
    return replace(found, plain=known.plain)


def survey(
    project: Project,
    classes: Classes,
    found: LatticePolicies,
    *,
    emit: Emit | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> LatticePolicies:
    """Look at the policies that the proof of the best one left out.

    Parameters
    ----------
    found : LatticePolicies
        Of `find_best`, for the same decisions.
    emit : callable, optional
        Receives what is known, more and more, and what was after a cancel.

    Returns
    -------
    LatticePolicies
        With the same best policy and the same proof. Policies that suppress too many
        records under any thresholds within reach are skipped (see `Reach`).

    Raises
    ------
    ResourceError
        Code ``lattice_too_large``.
    """
    part = surveyed(project, found)
    if part is None:
        return found
    asked, proof = _Asked.of(project, classes.class_table), found.optimality
    assert proof is not None
    growing = _Growing(asked, proof, emit)
    try:
        whole = asked.profile(
            part,
            monitor,
            on_nodes=growing.see,
            known=found.profile,
            reach=asked.reach,
        )
    except Cancelled:
        growing.report()
        raise
    return replace(whole, optimality=proof)


class _Growing:
    """Emits now and then what a survey knows."""

    def __init__(self, asked: _Asked, proof: Optimum, emit: Emit | None) -> None:
        self._asked, self._proof, self._emit = asked, proof, emit
        self._profile: Profile | None = None
        self._due = time.monotonic()

    def see(self, profile: Profile, _nodes: IntArray) -> None:
        self._profile = profile
        begun = time.monotonic()
        if begun >= self._due:
            self.report()
            now = time.monotonic()
            self._due = now + max(GROWN_EVERY_S, REST * (now - begun))

    def report(self) -> None:
        """Emit all that is known by now."""
        if self._emit is not None and self._profile is not None:
            grown = self._asked.grown(self._profile, self._proof.levels)
            self._emit(replace(grown, optimality=self._proof))


@dataclass(frozen=True, repr=False, eq=False)
class FoundRounds:
    """The best policy of several rounds that was found."""

    result: LocalResult

    @property
    def words(self) -> str:
        """The policy in one line."""
        found = self.result.released
        n_records = int(found.counts.sum())
        return sentence(
            self.result.policy, found.n_suppressed, n_records, found.n_later
        )

    def choice(self, note: str = "") -> Chosen:
        """Return the policy as it is stored in a project."""
        first, *later = self.result.policy.rounds
        return Chosen(
            kind="local_recoding" if later else "lattice",
            levels=first.levels,
            suppress_below=first.suppress_below,
            later=tuple(
                ChosenRound(levels=each.levels, suppress_below=each.suppress_below)
                for each in later
            ),
            note=note,
        )


def search_rounds(
    project: Project, classes: Classes, *, monitor: Monitor = NULL_MONITOR
) -> FoundRounds | None:
    """Search several rounds under the project's thresholds.

    Returns
    -------
    FoundRounds or None
        None if nothing was found that meets the thresholds.

    Raises
    ------
    DeidError
        As `check_search` and `search_local`.
    """
    check_search(project)
    classes.check_rows_agree(tr("local recoding"))
    limit = project.privacy.suppression_limit
    assert limit is not None
    lowest, highest = allowed_levels(project.quasi_identifiers, classes.class_table)
    result = search_local(
        classes.class_table,
        project.privacy.models,
        limit,
        project.quality.measure,
        weights_of(project),
        lowest,
        highest,
        preferred=kept_levels(project, classes.class_table),
        monitor=monitor,
    )
    return None if result is None else FoundRounds(result)
