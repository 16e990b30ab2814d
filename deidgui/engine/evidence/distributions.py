"""How records spread over class sizes, risks and labels, before and after."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from deidgui.engine.arrays import IntArray
from deidgui.engine.evidence.document import (
    ClassSizes,
    Distribution,
    LabelCount,
    RiskStep,
    SizeBin,
)
from deidgui.engine.risk import (
    CUMULATIVE_LIMITS,
    class_size_histogram,
    cumulative_risk,
)

SIZE_STARTS = (1, 2, 3, 4, 5, 10, 20, 50, 100, 200, 500, 1000)
"""Smallest size of each bin of the class size distribution."""

MOST_LABELS = 40
"""More labels are summed up."""


def class_sizes(before: IntArray, after: IntArray) -> ClassSizes:
    """Class size distribution and cumulative prosecutor risk.

    Parameters
    ----------
    before, after : ndarray of int64, shape (n_classes,), each >= 1
        Sizes of the classes of the input, and of the released ones.
    """
    limits = CUMULATIVE_LIMITS.tolist()
    old, new = cumulative_risk(before).tolist(), cumulative_risk(after).tolist()
    return ClassSizes(
        before=_bins(before),
        after=_bins(after),
        cumulative=tuple(
            RiskStep(limit=limit, before=share, after=released)
            for limit, share, released in zip(limits, old, new, strict=True)
        ),
    )


def _bins(sizes: IntArray) -> tuple[SizeBin, ...]:
    found = class_size_histogram(sizes, SIZE_STARTS)
    ends = (*(start - 1 for start in SIZE_STARTS[1:]), None)
    return tuple(
        SizeBin(smallest=start, largest=end, classes=n_classes, records=n_records)
        for start, end, n_classes, n_records in zip(
            SIZE_STARTS,
            ends,
            found.n_classes.tolist(),
            found.n_records.tolist(),
            strict=True,
        )
    )


def distribution(
    labels: Sequence[str], released: IntArray, suppressed: IntArray, few: int
) -> Distribution:
    """Records by label, small suppressed numbers left out.

    Parameters
    ----------
    labels : sequence of str
        As they stand in the release, in the order of the hierarchy.
    released, suppressed : ndarray of int64, shape (n_labels,)
        Released and suppressed records with each label.
    few : int, >= 2
        Smaller numbers of suppressed records are not told.

    Returns
    -------
    Distribution
        PRIVACY: labels that no released record has are not named, since they
        would tell what a suppressed record was like.
    """
    order = np.argsort(-released, kind="stable")
    listed = np.sort(order[: min(MOST_LABELS, int((released > 0).sum()))])
    rest = np.setdiff1d(np.arange(len(labels)), listed)
    cells = [*suppressed[listed].tolist()]
    if len(rest):
        cells.append(int(suppressed[rest].sum()))
    shown = hide_few(cells, few)
    counts = [
        LabelCount(label=labels[at], released=int(released[at]), suppressed=told)
        for at, told in zip(listed.tolist(), shown, strict=False)
    ]
    others = None
    if len(rest):
        n_named = int((released[rest] > 0).sum())
        others = LabelCount(
            label=str(n_named), released=int(released[rest].sum()), suppressed=shown[-1]
        )
    return Distribution(labels=tuple(counts), others=others, fewer_than=few)


def hide_few(cells: Sequence[int], few: int) -> list[int | None]:
    """Leave out small numbers, and so many more that none follows from the total.

    Parameters
    ----------
    cells : sequence of int, each >= 0
        Their sum is known to the reader.
    few : int
        Numbers below this one are left out, zero too.

    Returns
    -------
    list of int or None
        As they are if all are zero: nothing was suppressed.
    """
    if not any(cells):
        return list(cells)
    hidden = {place for place, cell in enumerate(cells) if cell < few}
    if len(hidden) == 1 and len(cells) > 1:
        others = [place for place in range(len(cells)) if place not in hidden]
        hidden.add(min(others, key=lambda place: cells[place]))
    return [None if place in hidden else cell for place, cell in enumerate(cells)]
