"""Applies the steps of a preparation one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from deidgui.engine.arrays import IntArray
from deidgui.engine.data.table import Table
from deidgui.engine.preparation.base import Data, Effect, Step
from deidgui.engine.preparation.columns import n_events
from deidgui.errors import ConfigError
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor


def prepare(
    steps: Sequence[Step], data: Data, *, monitor: Monitor = NULL_MONITOR
) -> tuple[Table, tuple[Effect, ...]]:
    """Apply steps in their order.

    Returns
    -------
    table : Table
        With the same columns; rows may be gone, and values others.
    effects : tuple of Effect
        One for each step.

    Raises
    ------
    ConfigError
        Codes ``step_needs_key`` and ``step_removes_all``.
    DeidError
        As the steps.

    References
    ----------
    .. [1] methods.md E.2.
    """
    effects = []
    for place, step in enumerate(steps):
        if step.needs_key and data.key is None:
            raise ConfigError("step_needs_key", step=step.title)
        part = SubMonitor(monitor, place / len(steps), (place + 1) / len(steps))
        change = step.apply(data, monitor=part)
        after = replace(data, table=change.table)
        if data.table.n_rows and not after.table.n_rows:
            raise ConfigError("step_removes_all", step=step.title)
        effects.append(
            Effect(
                step=step,
                rows_before=n_events(data.table),
                rows_after=n_events(after.table),
                people_before=_n_people(data),
                people_after=_n_people(after),
                cells=change.cells,
                figures=change.figures,
                texts=change.texts,
                keep=change.keep,
                trace=change.trace,
            )
        )
        data = after
    monitor.report(1.0, "preparation")
    return data.table, tuple(effects)


def known_before(
    effects: Sequence[Effect], data: Data, *, monitor: Monitor = NULL_MONITOR
) -> tuple[Table, IntArray]:
    """Return what an attacker knows of everybody, as the steps would write it.

    Parameters
    ----------
    effects : sequence of Effect
        Of `prepare` on the same data.
    data : Data
        As it was read.

    Returns
    -------
    table : Table
        All rows with the values that the steps make of theirs (see `Step.known`).
    rows : ndarray of int64, ascending
        Row of `table` of each row of the prepared table.

    References
    ----------
    .. [1] methods.md E.8: knowledge is drawn before truncation, D1, and looked for in
       what is released, D2.
    """
    rows = np.arange(data.table.n_rows)
    for place, effect in enumerate(effects):
        monitor.report(place / len(effects), "preparation")
        data = replace(data, table=effect.step.known(data, effect, rows))
        if effect.keep is not None:
            rows = rows[effect.keep]
    monitor.report(1.0, "preparation")
    return data.table, rows


def _n_people(data: Data) -> int | None:
    if data.key is None:
        return None
    return int(np.count_nonzero(data.column(data.key).counts))
