"""How long work tells its progress and learns that it shall stop."""

from __future__ import annotations

from typing import Protocol


class Monitor(Protocol):
    """Receives progress; calling it is the cancellation point."""

    def report(self, fraction: float, note: str = "") -> None:
        """Tell progress, and stop here if the user asked for it.

        Parameters
        ----------
        fraction : float in [0, 1]
            Share of the work that is done; never decreases.
        note : str
            Stage code and counts, never a value of the data.

        Raises
        ------
        Cancelled
            If the user asked to stop.
        """


class _NullMonitor:
    def report(self, fraction: float, note: str = "") -> None:
        """Do nothing."""


NULL_MONITOR: Monitor = _NullMonitor()


class SubMonitor:
    """Maps the progress of one step onto a slice of its parent's range.

    Parameters
    ----------
    start, end : float in [0, 1], start <= end
        The slice of the parent's range that this step fills.
    """

    def __init__(self, parent: Monitor, start: float, end: float) -> None:
        self._parent, self._start, self._span = parent, start, end - start

    def report(self, fraction: float, note: str = "") -> None:
        """Tell the parent how far this step is (see `Monitor.report`)."""
        self._parent.report(self._start + fraction * self._span, note)
