"""Answers that take a moment: computed beside the window, one of a kind at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from deidgui.app.jobs import Job, Lane
from deidgui.app.policies.blocks.source import block_sizes
from deidgui.app.policies.candidate import Measures
from deidgui.app.policies.lattice import what_if
from deidgui.app.policies.lattice.planning import measure_node
from deidgui.app.policies.lattice.policies import LatticePolicies
from deidgui.app.policies.lattice.searching import FoundRounds, search_rounds
from deidgui.app.policies.lattice.trade_offs import TradeOffs, find_trade_offs
from deidgui.app.policies.policy_set import PolicySet
from deidgui.app.policies.runner import LATTICE
from deidgui.app.power.risk import BlockChoice
from deidgui.app.session import Kind
from deidgui.monitor import Monitor
from deidgui.qt.pages.policies.thresholds import WantedLimits

if TYPE_CHECKING:
    from deidgui.app.workspace import Workspace

Failed = Callable[[BaseException], None]

T = TypeVar("T")


class Questions:
    """Asks for what the page shows, and tells the answers.

    Parameters
    ----------
    failed : callable
        Told what went wrong, if nobody else is.
    """

    def __init__(self, workspace: Workspace, failed: Failed) -> None:
        self._workspace, self._failed = workspace, failed

    def prepare(self, policies: PolicySet, done: Callable[[PolicySet], None]) -> None:
        """Compute order and figures of a set, and where its lattice is drawn."""

        def work(monitor: Monitor) -> PolicySet:
            monitor.report(0.0, "figures")
            # PERF: kept from now on, since they take 50 ms each at 250,000 nodes.
            _ = policies.columns, policies.levels
            monitor.report(0.4, "order")
            _ = policies.order()
            monitor.report(0.6, "layout")
            for part in policies.parts:
                if isinstance(part, LatticePolicies):
                    _ = part.layout
            return policies

        self._start(Lane.POLICIES, work, done)

    def measure(
        self, policies: PolicySet, number: int, done: Callable[[Measures], None]
    ) -> None:
        """Compute every figure of one policy."""
        self._start(
            Lane.EVERY_MEASURE, lambda monitor: policies.measure(number, monitor), done
        )

    def ask(
        self,
        found: LatticePolicies,
        asked: WantedLimits,
        done: Callable[[LatticePolicies], None],
        failed: Failed,
    ) -> None:
        """Find out what other thresholds lead to."""

        def work(monitor: Monitor) -> LatticePolicies:
            answer = what_if.answer(found, asked.models, asked.limit, monitor=monitor)
            _ = answer.columns  # PERF: its figures are looked at next
            return answer

        self._workspace.runner.start(Lane.WHAT_IF, work, Job(done, failed))

    def trade_offs(
        self,
        found: LatticePolicies,
        done: Callable[[TradeOffs], None],
        report: Callable[[float, str], None],
    ) -> None:
        """Find out what each threshold costs."""

        def work(monitor: Monitor) -> TradeOffs:
            return find_trade_offs(found, monitor=monitor)

        job = Job(done, self._failed, on_progress=report)
        self._workspace.runner.start(Lane.TRADE_OFFS, work, job)

    def renew(self, found: LatticePolicies) -> None:
        """Judge the same policies by the decisions of now."""
        session, project = self._workspace.session, self._workspace.session.project

        def work(monitor: Monitor) -> LatticePolicies:
            renewed = what_if.renewed(project, found, monitor=monitor)
            renewed.warm()
            return renewed

        def done(renewed: LatticePolicies) -> None:
            session.set_result(LATTICE, renewed, project, renewed.complete)
            self._workspace.update_measurement(after_search=True)

        self._start(Lane.RENEW, work, done)

    def rounds(self, done: Callable[[FoundRounds | None], None]) -> bool:
        """Search the suppressed records again; False if that cannot begin now."""
        session = self._workspace.session
        project, classes = session.project, session.current(Kind.CLASSES)
        if (
            classes is None
            or self._workspace.runner.running(Lane.LOCAL_RECODING) is not None
        ):
            return False

        def work(monitor: Monitor) -> FoundRounds | None:
            return search_rounds(project, classes, monitor=monitor)

        self._start(Lane.LOCAL_RECODING, work, done)
        return True

    def speed(self, done: Callable[[float], None], failed: Failed) -> None:
        """Measure how long one policy takes on this table."""
        session = self._workspace.session
        project, classes = session.project, session.current(Kind.CLASSES)
        assert classes is not None

        def work(monitor: Monitor) -> float:
            return measure_node(project, classes, monitor=monitor)

        self._workspace.runner.start(Lane.SEARCH_SPEED, work, Job(done, failed))

    def block_sizes(
        self, done: Callable[[Sequence[BlockChoice]], None], failed: Failed
    ) -> None:
        """Compare the sizes of blocks."""
        session = self._workspace.session
        project, classes = session.project, session.current(Kind.CLASSES)
        assert classes is not None

        def work(monitor: Monitor) -> Sequence[BlockChoice]:
            return block_sizes(project, classes, monitor=monitor)

        job = Job(done, failed, partial(done, ()))
        self._workspace.runner.start(Lane.SEARCH_SPEED, work, job)

    def _start(
        self, lane: str, work: Callable[[Monitor], T], done: Callable[[T], None]
    ) -> None:
        self._workspace.runner.start(lane, work, Job(done, self._failed))
