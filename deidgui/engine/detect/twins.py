"""Which columns say the same as another one in other words?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from deidgui.engine.data.table import Column, Table
from deidgui.engine.detect.roles import Finding, Reason, Role
from deidgui.monitor import NULL_MONITOR, Monitor

_LEAST, _MOST = 3, 10_000


def follow_twins(
    table: Table, findings: Sequence[Finding], *, monitor: Monitor = NULL_MONITOR
) -> tuple[Finding, ...]:
    """Give columns without evidence the role of a column they translate.

    A column of codes ("9", "13") that stands one to one for a column of words
    ("HS-grad", "Bachelors") reveals as much as that one.

    Parameters
    ----------
    findings : sequence of Finding
        One per column, in the order of the table.
    """
    groups: dict[bytes, list[int]] = defaultdict(list)
    for place, column in enumerate(table.columns):
        counts = column.counts[column.counts > 0]
        if _LEAST <= len(counts) <= _MOST:
            groups[np.sort(counts).tobytes()].append(place)
    followed = list(findings)
    alike = [places for places in groups.values() if len(places) > 1]
    for done, places in enumerate(alike):
        for place in places:
            monitor.report(done / len(alike), "twins")
            if findings[place].band is None:
                followed[place] = _with_role_of_twin(table, findings, place, places)
    monitor.report(1.0, "twins")
    return tuple(followed)


def _with_role_of_twin(
    table: Table, findings: Sequence[Finding], place: int, places: Sequence[int]
) -> Finding:
    finding = findings[place]
    for other in places:
        twin = findings[other]
        if twin.band is None or twin.role is Role.INSENSITIVE:
            continue
        if says_the_same(table.columns[place], table.columns[other]):
            reason = Reason("because_twin", {"other": twin.column})
            return replace(
                finding,
                role=twin.role,
                treatment=twin.treatment,
                identifier=twin.identifier,
                score=twin.score,
                band=twin.band,
                reasons=(reason, *finding.reasons[1:]),
            )
    return finding


def says_the_same(left: Column, right: Column) -> bool:
    """Whether two columns determine each other, missing values included.

    Parameters
    ----------
    left, right : Column
        Of the same table.
    """
    n_left = int((left.counts > 0).sum())
    if n_left != int((right.counts > 0).sum()):
        return False
    partner = np.full(left.n_values, -1, dtype=np.int32)
    partner[left.codes] = right.codes
    if len(np.unique(partner[partner >= 0])) != n_left:
        return False
    return bool((partner[left.codes] == right.codes).all())
