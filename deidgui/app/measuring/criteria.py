"""Who is singled out by what is released, and what can be guessed of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb

import numpy as np

from deidgui.app.classes import Classes
from deidgui.app.measuring.alone import alone_on_all
from deidgui.app.measuring.compared import measure_others
from deidgui.app.measuring.held_out import measure_held_out
from deidgui.app.measuring.others import Others
from deidgui.app.project import Project
from deidgui.engine.arrays import Int32Array, IntArray
from deidgui.engine.data.grouping import group_rows, group_sizes
from deidgui.engine.data.people import People
from deidgui.engine.data.table import Table
from deidgui.engine.detect.subsets import column_distinction
from deidgui.engine.evidence.document import (
    AloneOnSets,
    Criteria,
    Distinguishability,
    Guessed,
    Halves,
    Membership,
    OneMore,
)
from deidgui.engine.policy.policy import Policy
from deidgui.engine.policy.released import released_classes
from deidgui.engine.risk.inference import guess_values
from deidgui.engine.risk.linkability import link_splits, membership
from deidgui.engine.risk.singling_out import (
    Alone,
    alone_on_sets,
    isolated_in_classes,
)
from deidgui.engine.transform.apply import apply_policy
from deidgui.engine.transform.released import ReleasedTable
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

LARGEST_SET = 3
"""Most columns of which it is measured who is alone on some of them."""

MOST_LOOKED = 300_000_000
"""Classes times sets that are looked at, some seconds; more are said to be too many."""

MOST_SPLITS = 5_000
"""Splits of the quasi-identifiers into halves that are looked at, at most."""

MOST_CELLS = 50_000_000
"""Cells of columns known besides: what is measured is read back and counted again."""

MOST_VALUES = 1_000_000
"""Values of a column that are read back and counted again: each takes memory then."""


def measure_criteria(
    project: Project,
    classes: Classes,
    policy: Policy,
    others: Others | None = None,
    everybody: Table | None = None,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> Criteria | None:
    """Measure who is singled out by what a policy releases, and what can be guessed.

    Parameters
    ----------
    policy : Policy
        For the class table of `classes`.
    others : Others, optional
        Tables that a person chose to match the release with, as far as they are there.
    everybody : Table, optional
        What a sample was drawn from: who is not in it was not released.

    Returns
    -------
    Criteria or None
        None if nothing is released. All figures are of people, where rows belong to
        people; what cannot be measured of them is named with the reason.
    """
    step = SubMonitor(monitor, 0.0, 0.4)
    released = _apply(project, classes, policy, step)
    kept = np.flatnonzero(~released.suppressed)
    if not len(kept):
        return None
    units = classes.class_table.units
    people = units.people if units is not None else None
    reasons: dict[str, str] = {}
    if project.links:
        reasons["all"] = "several_tables"
    of_all = None if reasons else _share_alone(released, kept, people)
    monitor.report(0.6, "measure")
    in_data = _membership(classes, policy)
    if in_data is None:
        reasons["membership"] = "no_population"
    if units is not None and units.varying is not None:
        reasons |= _rows_vary(project)
        return Criteria(alone_on_all=of_all, membership=in_data, not_measured=reasons)
    if people is not None:
        # Quasi-identifiers are the same in all rows of a person: one stands for all.
        _, first = np.unique(people.of_row[kept], return_index=True)
        kept = kept[first]
    shown = _Shown.of(released, policy.attributes, kept)
    step = SubMonitor(monitor, 0.6, 0.7)
    found = list(_alone_on_sets(shown, reasons, step))
    halves = _halves(shown, reasons, SubMonitor(monitor, 0.7, 0.8))
    step = SubMonitor(monitor, 0.8, 1.0)
    others = others or {}
    compared = measure_others(project, policy, released, kept, others, reasons, step)
    guessed = tuple(_guesses(project, classes, kept, shown, people, reasons))
    who = project, classes, policy, released, kept
    held_out = measure_held_out(*who, guessed, others, everybody, reasons)
    return Criteria(
        alone=float((shown.counts == 1).sum() / len(kept)),
        by_chance=isolated_in_classes(shown.counts),
        alone_on_all=of_all,
        columns=tuple(_columns(shown, found)),
        sets=tuple(_stated(each, shown.names) for each in found),
        guessed=guessed,
        halves=halves,
        one_more=tuple(_one_more(project, classes, released, kept, shown, reasons)),
        membership=in_data,
        compared=tuple(compared),
        held_out=held_out,
        not_measured=reasons,
    )


def _apply(
    project: Project, classes: Classes, policy: Policy, monitor: Monitor
) -> ReleasedTable:
    """What is released but for pseudonyms, which nobody knows of anybody."""
    kept = [each.name for each in project.with_role("sensitive", "insensitive")]
    return apply_policy(
        classes.table,
        classes.class_table,
        policy,
        dict.fromkeys(kept, "keep"),
        spreadsheet_safe=project.export.spreadsheet_safe,
        monitor=monitor,
    )


def _share_alone(
    released: ReleasedTable, rows: IntArray, people: People | None
) -> float:
    n_alone, n_released = alone_on_all(released, rows, people)
    return n_alone / n_released


def _rows_vary(project: Project) -> dict[str, str]:
    """Name all that is not measured where the rows of a person differ."""
    names = ["alone", "sets", "guessed", "halves", "one_more"]
    names += [
        "held_out" if each.kind == "hold_out" else f"compared:{each.name}"
        for each in project.comparisons
    ]
    return dict.fromkeys(names, "rows_vary")


@dataclass(frozen=True, repr=False, eq=False)
class _Shown:
    """Released classes, by their labels.

    Parameters
    ----------
    of_record : ndarray of int64, shape (n_records,)
    counts : ndarray of int64, shape (n_classes,)
    labels : list of ndarray of int32, each of shape (n_classes,)
    """

    names: Sequence[str]
    of_record: IntArray
    counts: IntArray
    labels: list[Int32Array]
    n_labels: list[int]

    @classmethod
    def of(
        cls, released: ReleasedTable, names: Sequence[str], rows: IntArray
    ) -> _Shown:
        columns = {e.attribute: e for e in released.columns if e.attribute in names}
        codes = (released.codes(each, rows) for each in columns.values())
        n_labels = [len(each.values) for each in columns.values()]
        groups = group_rows(len(rows), codes, n_labels)
        first = rows[groups.first]
        return cls(
            names,
            groups.of_row,
            np.bincount(groups.of_row).astype(np.int64),
            [released.codes(columns[name], first) for name in names],
            [len(columns[name].values) for name in names],
        )


def _alone_on_sets(
    shown: _Shown, reasons: dict[str, str], monitor: Monitor
) -> Iterator[Alone]:
    n_columns = len(shown.names)
    for size in range(1, min(LARGEST_SET, n_columns) + 1):
        if comb(n_columns, size) * len(shown.counts) > MOST_LOOKED:
            reasons[f"sets_{size}"] = "many_sets"
            continue
        step = SubMonitor(monitor, (size - 1) / LARGEST_SET, size / LARGEST_SET)
        yield alone_on_sets(
            shown.labels, shown.n_labels, size, counts=shown.counts, monitor=step
        )


def _halves(shown: _Shown, reasons: dict[str, str], monitor: Monitor) -> Halves | None:
    """How well a half of the quasi-identifiers finds the other half of a person."""
    if len(shown.names) < 2:
        reasons["halves"] = "few_columns"
        return None
    most = min(MOST_SPLITS, max(1, MOST_LOOKED // (2 * len(shown.counts))))
    linked = link_splits(
        shown.labels, shown.n_labels, shown.counts, most, monitor=monitor
    )
    return Halves(
        first=tuple(shown.names[place] for place in linked.first),
        second=tuple(shown.names[place] for place in linked.second),
        looked=linked.n_looked,
        splits=linked.n_splits,
        settled=linked.is_settled,
        rate=min(1.0, linked.found.rate),
        most=linked.most,
        baseline=linked.found.baseline,
    )


def _columns(shown: _Shown, found: Sequence[Alone]) -> Iterator[Distinguishability]:
    """How far each quasi-identifier tells people apart, alone and with another."""
    by_size = {each.size: each for each in found}
    pairs = by_size.get(2)
    for place, name in enumerate(shown.names):
        counts = np.bincount(shown.labels[place], shown.counts)
        partner, share = None, None
        if pairs is not None:
            share, partner = max(
                (float(pairs.shares[n]), sum(both) - place)
                for n, both in enumerate(pairs.sets)
                if place in both
            )
        yield Distinguishability(
            attribute=name,
            alone=float((counts == 1).sum() / counts.sum()),
            separation=column_distinction(counts.astype(np.int64))[1],
            pair_with=None if partner is None else shown.names[partner],
            pair_alone=share,
        )


def _stated(found: Alone, names: Sequence[str]) -> AloneOnSets:
    return AloneOnSets(
        size=found.size,
        sets=len(found.sets),
        mean=found.mean,
        anywhere=found.anywhere,
        worst=tuple(names[place] for place in found.sets[found.worst]),
        worst_share=float(found.shares[found.worst]),
    )


def _guesses(
    project: Project,
    classes: Classes,
    rows: IntArray,
    shown: _Shown,
    people: People | None,
    reasons: dict[str, str],
) -> Iterator[Guessed]:
    """How well each sensitive value is guessed from the quasi-identifiers."""
    for attribute in project.with_role("sensitive"):
        column = classes.table.column(attribute.name)
        # All texts that mean "no value" are one value.
        missing = np.flatnonzero(column.is_missing)
        one_code = np.arange(column.n_values, dtype=np.int32)
        one_code[missing] = missing[0] if len(missing) else 0
        codes = one_code[column.codes]
        if people is not None and not _is_constant(codes, people):
            reasons[f"guessed:{attribute.name}"] = "rows_vary"
            continue
        codes = codes[rows]
        if len(np.unique(codes)) > MOST_VALUES:
            reasons[f"guessed:{attribute.name}"] = "many_values"
            continue
        of_missing = int(missing[0]) if len(missing) else None
        found = guess_values(
            shown.of_record, codes, column.n_values, missing=of_missing
        )
        yield Guessed(
            attribute=attribute.name,
            rate=found.rate,
            baseline=found.baseline,
            without_own=found.without_own,
            uniform=found.uniform,
            missing=found.missing,
        )


def _one_more(
    project: Project,
    classes: Classes,
    released: ReleasedTable,
    rows: IntArray,
    shown: _Shown,
    reasons: dict[str, str],
) -> Iterator[OneMore]:
    """Risk in the data if a further released column is known, by column."""
    names = {each.name for each in project.with_role("sensitive", "insensitive")}
    columns = [each for each in released.columns if each.attribute in names]
    if columns and project.links:
        reasons["one_more"] = "several_tables"
        return
    if len(columns) * len(rows) > MOST_CELLS:
        reasons["one_more"] = "many_cells"
        return
    units = classes.class_table.units
    for each in columns:
        codes = classes.table.column(each.attribute).codes
        if units is not None and not _is_constant(codes, units.people):
            reasons[f"one_more:{each.attribute}"] = "rows_vary"
            continue
        both = (shown.of_record, released.codes(each, rows))
        sizes = group_sizes(len(rows), both, [len(shown.counts), len(each.values)])
        yield OneMore(
            attribute=each.attribute,
            average=len(sizes) / len(rows),
            highest=1 / int(sizes.min()),
        )


def _is_constant(codes: Int32Array, people: People) -> bool:
    """Whether a column has one value for each person."""
    of_person = np.zeros(people.n_people, dtype=codes.dtype)
    of_person[people.of_row] = codes
    return bool((of_person[people.of_row] == codes).all())


def _membership(classes: Classes, policy: Policy) -> Membership | None:
    """How likely somebody of the population is in the data, by class."""
    released = released_classes(classes.class_table, policy)
    sizes = released.population()
    if sizes is None:
        return None
    counts = released.kept_counts
    found = membership(counts, sizes)
    return Membership(
        highest=float(found.max()), average=float(counts @ found / counts.sum())
    )
