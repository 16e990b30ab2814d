"""Step: identifiers of providers go where few providers work like that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np

from deidgui.engine.arrays import AnyArray, BoolArray, FloatArray, IntArray
from deidgui.engine.parameters import AttributeOf, Help, Proposed, Range
from deidgui.engine.preparation.base import STEPS, Call, Change, Data, Effect, Step
from deidgui.errors import ConfigError
from deidgui.lazy import LazyModule
from deidgui.monitor import NULL_MONITOR, Monitor
from deidgui.text import Text, share_text, tr

if TYPE_CHECKING:
    from deidgui.engine.data import grouping
    from deidgui.engine.data.table import Table
    from deidgui.engine.preparation import columns as tables
else:
    grouping = LazyModule("deidgui.engine.data.grouping")
    tables = LazyModule("deidgui.engine.preparation.columns")

FEWEST_PROVIDERS = 20
"""Providers of the whole system who must have a pattern, else their numbers go."""


@STEPS.register
@dataclass(frozen=True)
class SuppressProviders(Step):
    """Identifiers of providers become missing where their pattern is rare.

    Notes
    -----
    The pattern of a row is its values in some columns, after the steps before. From
    the providers who have it in the data, their number in the whole system is
    estimated (`population_estimates`); the simple mode compares the number in the data
    with the sampling fraction of the fewest, rounded up. Patterns are counted before
    generalization: what is generalized later is told by more providers, not by fewer.

    References
    ----------
    .. [1] K. El Emam et al. (2012), JMIR 14(1):e33; methods.md E.2, step 5, and E.6.
    """

    attribute: Annotated[
        str, AttributeOf("column"), Help("Column", "Numbers of providers.")
    ]
    columns: Annotated[
        tuple[str, ...],
        AttributeOf("column"),
        Help("Pattern", "Columns that show how a provider works, as the specialty."),
    ]
    fraction: Annotated[
        float,
        Range(0, 1, open_low=True),
        Help("Sampling fraction", "Share of all providers who are in the data."),
    ]
    fewest: Annotated[
        int,
        Range(2, 100_000),
        Proposed(FEWEST_PROVIDERS),
        Help("Fewest providers", "In the whole system, with the same pattern."),
    ] = FEWEST_PROVIDERS
    simple: Annotated[
        bool,
        Help("Without estimate", "Compare the number in the data with a fixed one."),
    ] = False

    kind: ClassVar[str] = "suppress_providers"
    title: ClassVar[Text] = "Suppress rare providers"
    summary: ClassVar[Text] = (
        "A provider who works like few others can be recognised, and so can the "
        "patients: such numbers become missing."
    )

    @property
    def columns_read(self) -> tuple[str, ...]:
        """The column, and those of the pattern."""
        return (self.attribute, *self.columns)

    def apply(self, data: Data, *, monitor: Monitor = NULL_MONITOR) -> Change:
        """Make identifiers missing.

        Raises
        ------
        ConfigError
            Codes ``step_no_columns``, ``step_column_missing``,
            ``step_of_one_table`` and ``step_no_missing_text``.
        """
        if not self.columns:
            raise ConfigError("step_no_columns", step=self.title)
        read = [data.column(name) for name in self.columns_read]
        tables.rows_with(data.table, read, self.title)
        column = data.column(self.attribute)
        is_known = ~column.is_missing[column.codes] & tables.has_cell(column)
        rows = np.flatnonzero(is_known)
        patterns = [data.column(name).codes[rows] for name in self.columns]
        is_rare, _ = rare_providers(
            patterns,
            column.codes[rows],
            self.fraction,
            self.fewest,
            simple=self.simple,
        )
        monitor.report(0.7, "providers")
        gone = rows[is_rare]
        table = self._without(data, gone)
        left = np.zeros(column.n_values, np.bool_)
        left[column.codes[rows[~is_rare]]] = True
        n_before = len(np.unique(column.codes[rows]))
        return Change(
            table,
            trace={"rows": gone},
            cells=int(np.count_nonzero(is_rare)),
            figures={
                "providers_before": n_before,
                "providers_after": int(np.count_nonzero(left)),
                "cells_suppressed": int(np.count_nonzero(is_rare)),
                "share_suppressed": float(is_rare.mean()) if len(is_rare) else 0.0,
            },
        )

    def known(self, data: Data, effect: Effect, rows: IntArray) -> Table:
        """Make the same identifiers missing: the attacker is taken to know which."""
        return self._without(data, rows[effect.trace["rows"]])

    def _without(self, data: Data, rows: IntArray) -> Table:
        """Table without the identifiers of some rows."""
        column = data.column(self.attribute)
        codes = column.codes.astype(np.int64)
        codes[rows] = column.n_values
        texts = [*column.texts(), data.missing_text(self.attribute)]
        tokens = data.missing.get(column.name, ("",))
        made = tables.with_texts(column, texts, codes, tokens)
        return tables.with_column(data.table, made)

    def words(self, effect: Effect, call: Call = str) -> tuple[str, ...]:
        """Say how many identifiers went."""
        figures = effect.figures
        names = ", ".join(f"“{call(name)}”" for name in self.columns)
        how = tr("an estimated number of providers")
        if self.simple:
            how = tr("a number of providers in the data, scaled up,")
        return (
            tr(
                "“{column}” became missing in {n:row|rows} ({share}): those whose "
                "pattern in {names} has {how} below {fewest} in the whole system. "
                "{left} of {all:provider|providers} are left.",
                column=call(self.attribute),
                n=int(figures["cells_suppressed"]),
                share=share_text(figures["share_suppressed"]),
                names=names,
                how=how,
                fewest=self.fewest,
                left=int(figures["providers_after"]),
                all=int(figures["providers_before"]),
            ),
        )


def rare_providers(
    patterns: Sequence[AnyArray],
    providers: AnyArray,
    fraction: float,
    fewest: int = FEWEST_PROVIDERS,
    *,
    simple: bool = False,
) -> tuple[BoolArray, FloatArray]:
    """Find the events whose pattern too few providers have.

    Parameters
    ----------
    patterns : sequence of ndarray of int, each of shape (n_events,)
        Codes of what together makes the pattern of an event, as it is released.
    providers : ndarray of int, shape (n_events,)
    fraction : float in (0, 1]
        Sampling fraction of the providers.
    fewest : int
        Providers of the whole system who must have a pattern.
    simple : bool
        Whether the providers in the data are compared with ``fraction * fewest``,
        rounded up, instead of estimating how many there are.

    Returns
    -------
    is_rare : ndarray of bool, shape (n_events,)
    estimated : ndarray of float64, shape (n_events,)
        Providers of the whole system with the pattern of each event.

    Raises
    ------
    ConfigError
        Code ``sampling_fraction``.

    References
    ----------
    .. [1] K. El Emam et al. (2012), JMIR 14(1):e33; methods.md E.2, step 5.
    """
    n = len(providers)
    sizes = [int(each.max(initial=0)) + 1 for each in patterns]
    same = grouping.group_rows(n, patterns, sizes)
    pairs = grouping.group_rows(
        n,
        [same.of_row, providers],
        [max(len(same.first), 1), int(providers.max(initial=0)) + 1],
    )
    n_providers = np.bincount(same.of_row[pairs.first], minlength=len(same.first))
    estimated = population_estimates(n_providers, fraction)[same.of_row]
    if simple:
        # 20 * 0.05 is 1, not a little more than that.
        least = np.ceil(fewest * fraction - 1e-9)
        return n_providers[same.of_row] < least, estimated
    return estimated < fewest, estimated


def population_estimates(counts: IntArray, fraction: float) -> FloatArray:
    """Estimate how many there are in the population from those in a sample.

    Parameters
    ----------
    counts : ndarray of int64, shape (n,), each >= 1
    fraction : float in (0, 1]

    Returns
    -------
    ndarray of float64, shape (n,), each at least its count

    Raises
    ------
    ConfigError
        Code ``sampling_fraction``.

    Notes
    -----
    The count of the sample is taken for a Poisson number that is not 0. A count of 1
    tells nothing more: the estimate is then 1.

    References
    ----------
    .. [1] methods.md E.6, point estimate.
    """
    if not 0 < fraction <= 1:
        raise ConfigError("sampling_fraction", fraction=fraction)
    n = np.asarray(counts, dtype=np.float64)
    # Newton's method on λ - n (1 - exp(-λ)), which is convex: from above it never
    # leaves the root. For n = 1 the root is 0.
    mean = n.copy()
    for _ in range(60):
        slope = 1 - n * np.exp(-mean)
        step = (mean + n * np.expm1(-mean)) / np.where(slope > 0, slope, 1.0)
        mean = np.maximum(mean - step, 0.0)
    return np.maximum(n, np.where(n > 1, mean / fraction, n))
