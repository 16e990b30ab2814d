"""Integer programs over counts, solved by HiGHS so that a person can stop them.

HiGHS computes with floating point numbers. What is taken from it is checked in whole
numbers where it can be: counts that are said to fit are put into all relations.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from deidgui.engine.arrays import BoolArray, FloatArray, IntArray
from deidgui.engine.counts.audit.system import UNLIMITED, Matrix
from deidgui.errors import Cancelled
from deidgui.lazy import LazyModule
from deidgui.monitor import NULL_MONITOR, Monitor

highspy: Any = LazyModule("highspy")

TOLERANCE = 1e-5
"""How far a bound in floating point numbers may miss a whole number."""

_DUAL_SIMPLEX, _PRIMAL_SIMPLEX = 1, 4
_BETWEEN_REPORTS_S = 0.05


@dataclass(frozen=True, repr=False, eq=False)
class Program:
    """A linear program: least ``cost @ x`` with bounds for ``x`` and for ``rows @ x``.

    Parameters
    ----------
    starts, columns : ndarray of int64
        Entries of the matrix, row by row.
    values : ndarray of float64
        The same.
    row_low, row_high : ndarray of float64, shape (n_rows,)
        May be infinite.
    low, high, cost : ndarray of float64, shape (n_columns,)
        May be infinite, except for the cost.
    whole : ndarray of bool, shape (n_columns,)
        Columns that must be whole numbers.
    """

    starts: IntArray
    columns: IntArray
    values: FloatArray
    row_low: FloatArray
    row_high: FloatArray
    low: FloatArray
    high: FloatArray
    cost: FloatArray
    whole: BoolArray


@dataclass(frozen=True, repr=False, eq=False)
class Solved:
    """What became of a program.

    Parameters
    ----------
    bound : float
        No solution costs less; infinite if there is none, minus infinite if the cost
        has no limit.
    values : ndarray of float64, shape (n_columns,), or None
        The best solution found.
    """

    bound: float
    values: FloatArray | None


class Solver:
    """One program and its variants, in one HiGHS instance.

    Parameters
    ----------
    seconds : float
        Time after which a search in whole numbers stops with what it has.
    again : bool
        Whether many costs will be asked for: each begins where the last one ended.

    Attributes
    ----------
    fraction : float in [0, 1]
        What is reported as progress while it runs.
    """

    def __init__(
        self,
        program: Program,
        monitor: Monitor = NULL_MONITOR,
        seconds: float = np.inf,
        *,
        again: bool = False,
    ) -> None:
        self._monitor, self._seconds = monitor, seconds
        self.fraction = 0.0
        self._is_whole = bool(program.whole.any())
        self._cancelled: Cancelled | None = None
        self._until = self._reported = 0.0
        self._highs = _instance(self._interrupt, again=again)
        self._highs.passModel(_model(program))
        self._n = len(program.low)

    def set_cost(self, cost: FloatArray) -> None:
        """Ask for another least cost, shape (n_columns,)."""
        self._highs.changeColsCost(self._n, np.arange(self._n, dtype=np.int32), cost)

    def begin_with(self, columns: IntArray, values: FloatArray) -> None:
        """Give some columns of a solution to improve on."""
        self._highs.setSolution(len(columns), columns.astype(np.int32), values)

    def solve(self) -> Solved:
        """Return the least cost and where it is reached.

        Raises
        ------
        Cancelled
            If the user asked to stop.
        """
        self._monitor.report(self.fraction, "integer_program")
        self._until = time.monotonic() + self._seconds
        self._highs.run()
        if self._cancelled is not None:
            raise self._cancelled
        return self._result()

    def _result(self) -> Solved:
        status, is_status = self._highs.getModelStatus(), highspy.HighsModelStatus
        if status == is_status.kInfeasible:
            return Solved(np.inf, None)
        if status in {is_status.kUnbounded, is_status.kUnboundedOrInfeasible}:
            return Solved(-np.inf, None)
        info = self._highs.getInfo()
        feasible = highspy.SolutionStatus.kSolutionStatusFeasible
        found = info.primal_solution_status == feasible
        values = np.array(self._highs.getSolution().col_value) if found else None
        if self._is_whole:
            return Solved(info.mip_dual_bound, values)
        if status == is_status.kOptimal:
            return Solved(info.objective_function_value, values)
        return Solved(-np.inf, values)

    def _interrupt(self, event: Any) -> None:
        """Let HiGHS go on, or not; called by it every now and then."""
        now = time.monotonic()
        if now > self._until:
            event.interrupt()
        if now - self._reported < _BETWEEN_REPORTS_S:
            return
        self._reported = now
        try:
            self._monitor.report(self.fraction, "integer_program")
        except Cancelled as stopped:
            self._cancelled = stopped
            event.interrupt()


def _instance(interrupt: Any, *, again: bool) -> Any:
    highs = highspy.Highs()
    highs.silent()
    options = {
        "threads": 1,
        "parallel": "off",
        "presolve": "off" if again else "choose",
        "simplex_strategy": _PRIMAL_SIMPLEX if again else _DUAL_SIMPLEX,
        "mip_rel_gap": 0.0,
        # Costs are whole numbers wherever that matters.
        "mip_abs_gap": TOLERANCE,
        "mip_feasibility_tolerance": 1e-7,
    }
    for name, value in options.items():
        highs.setOptionValue(name, value)
    highs.cbSimplexInterrupt += interrupt
    highs.cbMipInterrupt += interrupt
    return highs


def _model(program: Program) -> Any:
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = len(program.low), len(program.row_low)
    model.col_cost_, model.col_lower_ = program.cost, program.low
    model.col_upper_ = program.high
    model.row_lower_, model.row_upper_ = program.row_low, program.row_high
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_ = program.starts.astype(np.int32)
    model.a_matrix_.index_ = program.columns.astype(np.int32)
    model.a_matrix_.value_ = program.values
    if program.whole.any():
        kind = highspy.HighsVarType
        model.integrality_ = [
            kind.kInteger if each else kind.kContinuous for each in program.whole
        ]
    return model


@dataclass(frozen=True, repr=False, eq=False)
class IntervalEnd:
    """The least count (or the negative of the most) that a reader can infer.

    Parameters
    ----------
    bound : int or None
        No count that fits is less; None for no bound.
    counts : ndarray of int64, shape (n,), or None
        Counts that fit all relations, of which that one is the least found.
    """

    bound: int | None
    counts: IntArray | None


class Ends:
    """Finds least and most for counts between relations.

    Parameters
    ----------
    matrix : Matrix
        Relations.
    low, high : ndarray of int64, shape (n,)
        Bounds; `UNLIMITED` for none above, low is finite.
    seconds : float
        Time for each search in whole numbers.
    """

    def __init__(
        self,
        matrix: Matrix,
        low: IntArray,
        high: IntArray,
        seconds: float = np.inf,
        monitor: Monitor = NULL_MONITOR,
    ) -> None:
        self._matrix, self._low, self._high = matrix, low, high
        self._monitor, self._seconds = monitor, seconds
        self.fraction = 0.0
        self._linear = Solver(self._program(whole=False), monitor, again=True)
        self._whole: Solver | None = None

    def least(self, cost: FloatArray) -> IntervalEnd | None:
        """Return the least value of ``cost @ counts``.

        Parameters
        ----------
        cost : ndarray of float64, shape (n,)
            Whole numbers.

        Returns
        -------
        End or None
            None if no counts fit.
        """
        offset = int(cost @ self._low)
        self._linear.fraction = self.fraction
        self._linear.set_cost(cost)
        solved = self._linear.solve()
        if solved.bound == np.inf:
            return None
        counts = self._fitting(solved.values)
        bound = _whole_bound(solved.bound, offset)
        if bound is None and counts is None:
            counts = self._some_counts()
            return None if counts is None else IntervalEnd(None, counts)
        if bound is not None and counts is not None and cost @ counts == bound:
            return IntervalEnd(bound, counts)
        return self._least_whole(cost, offset, bound, counts)

    def _some_counts(self) -> IntArray | None:
        end = self.least(np.zeros(len(self._low)))
        return None if end is None else end.counts

    def _least_whole(
        self, cost: FloatArray, offset: int, bound: int | None, counts: IntArray | None
    ) -> IntervalEnd | None:
        if self._whole is None:
            program = self._program(whole=True)
            self._whole = Solver(program, self._monitor, self._seconds)
        self._whole.fraction = self.fraction
        self._whole.set_cost(cost)
        solved = self._whole.solve()
        if solved.bound == np.inf:
            return None
        tighter = _whole_bound(solved.bound, offset)
        if tighter is not None and (bound is None or tighter > bound):
            bound = tighter
        found = self._fitting(solved.values)
        return IntervalEnd(bound, counts if found is None else found)

    def _fitting(self, values: FloatArray | None) -> IntArray | None:
        if values is None:
            return None
        counts = self._low + np.rint(values).astype(np.int64)
        inside = np.all((self._low <= counts) & (counts <= self._high))
        return counts if inside and self._matrix.holds(counts) else None

    def _program(self, *, whole: bool) -> Program:
        """Write the system in what each count is above its least."""
        matrix = self._matrix
        known = matrix.sums(self._low)
        high = (self._high - self._low).astype(float)
        high[self._high >= UNLIMITED] = np.inf
        row_low, row_high = (matrix.low - known), (matrix.high - known)
        return Program(
            matrix.starts,
            matrix.unknowns,
            matrix.coefficients.astype(float),
            np.where(matrix.low <= -UNLIMITED, -np.inf, row_low),
            np.where(matrix.high >= UNLIMITED, np.inf, row_high),
            np.zeros(len(high)),
            high,
            np.zeros(len(high)),
            np.full(len(high), whole),
        )


def _whole_bound(bound: float, offset: int) -> int | None:
    if not np.isfinite(bound):
        return None
    return int(np.ceil(bound - TOLERANCE * max(1.0, abs(bound)))) + offset
