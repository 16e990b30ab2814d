"""What does a release keep of the data: columns, pairs of columns, classes?"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from deidgui.app.charts.base import Axis, AxisUnit, BarChart, HeatMap, Histogram, Series
from deidgui.app.charts.columns import (
    Released,
    number_distribution,
    released_values,
    value_distribution,
)
from deidgui.app.charts.phrases import Phrase, plain
from deidgui.app.charts.tables import (
    Coded,
    association_map,
    association_matrix,
    cross_tables,
)
from deidgui.app.classes import Classes
from deidgui.app.measuring.measuring import QualityFigure
from deidgui.app.policies.acceptance import BASELINES, Accepted
from deidgui.app.project import Attribute, Project
from deidgui.engine.arrays import FloatArray, Int32Array, IntArray
from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.data.table import Column, Table
from deidgui.engine.data.templates.common import OTHERS
from deidgui.engine.policy.policy import Policy
from deidgui.engine.policy.released import (
    ReleasedClasses,
    released_classes,
    released_rows,
)
from deidgui.engine.transform.apply import Treatment, apply_policy
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor
from deidgui.text import Text, share_text, tr

MOST_COLUMNS = 14
"""Columns that are compared; quasi-identifiers come first."""

MOST_VALUES = 5_000
"""Columns with more distinct values are left out: identifiers, free texts."""

MOST_CLASSES = 500
"""Classes that are listed by their risk."""

MOST_BARS = 40
"""Grouped columns with more values are shown by group, not by value."""

NO_VALUE: Text = "(no value)"


@dataclass(frozen=True, repr=False, eq=False)
class ColumnComparison:
    """Columns as they are and as they are released.

    Parameters
    ----------
    attributes : tuple of Attribute
        The compared columns, quasi-identifiers first.
    before : tuple of Coded
        All records.
    after : tuple of Coded
        Released records only.
    associations_before, associations_after : ndarray of float64, shape (n, n)
        Cramér's V of every pair of compared columns, in [0, 1].
    n_released : int
        Released columns, also those that are not compared.
    offered : tuple of str
        Columns that can be compared, in the order in which they are taken.
    """

    attributes: tuple[Attribute, ...]
    classes: Classes
    policy: Policy
    before: tuple[Coded, ...]
    after: tuple[Coded, ...]
    associations_before: FloatArray
    associations_after: FloatArray
    n_released: int
    offered: tuple[str, ...]

    @property
    def words(self) -> str:
        """Which columns are compared, and why no others; empty if all are."""
        if len(self.attributes) == self.n_released:
            return ""
        if self.names != self.offered[:MOST_COLUMNS]:
            return tr(
                "{n} of {all:released column is|released columns are} shown, as chosen "
                "here.",
                n=len(self.attributes),
                all=self.n_released,
            )
        return tr(
            "{n} of {all:released column is|released columns are} shown: "
            "quasi-identifiers first, then sensitive columns and others in the order "
            "of the file, at most {most}. Others with more than "
            "{values:value|values} are left out.",
            n=len(self.attributes),
            all=self.n_released,
            most=MOST_COLUMNS,
            values=MOST_VALUES,
        )

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the compared columns."""
        return tuple(each.name for each in self.attributes)

    @cached_property
    def _rows(self) -> tuple[ClassTable, ReleasedClasses]:
        """Rows before, and in the release."""
        table, class_table = self.classes.table, self.classes.class_table
        found = released_classes(class_table, self.policy)
        return released_rows(table, class_table, self.policy, found)

    def association_maps(self) -> tuple[HeatMap, HeatMap]:
        """Associations of all pairs, before and in the release."""
        before, after = self.associations_before, self.associations_after
        return (
            association_map(self.names, before),
            association_map(self.names, after, before),
        )

    def cross_tables(self, rows: str, columns: str) -> tuple[HeatMap, HeatMap]:
        """Cross table of two columns, before and in the release."""
        a, b = self.names.index(rows), self.names.index(columns)
        strength = float(self.associations_before[a, b])
        before, after = ((each[a], each[b]) for each in (self.before, self.after))
        return cross_tables(before, after, strength)

    def distribution(self, name: str) -> BarChart | Histogram:
        """Distribution of one column, before and in the release."""
        place = self.names.index(name)
        attribute = self.attributes[place]
        if name in self.policy.attributes:
            return self._generalized(attribute)
        before, after = self.before[place], self.after[place]
        n_values = len(before.labels)
        return released_values(
            name,
            before.labels,
            np.bincount(before.held, minlength=n_values).astype(np.int64),
            np.bincount(after.held, minlength=n_values)[:n_values].astype(np.int64),
        )

    def _generalized(self, attribute: Attribute) -> BarChart | Histogram:
        table = self._rows[0]
        place = table.attributes.index(attribute.name)
        hierarchy, each = table.hierarchies[place], self.policy.maps[place]
        leaves = table.leaves[:, place]
        counts = np.bincount(leaves, table.counts, hierarchy.n_leaves)
        # What events of other tables do not have is behind all leaves.
        counts = counts[: hierarchy.n_leaves].astype(np.int64)
        released = self._released_leaves(place)
        numbers = _numbers(hierarchy.leaves)
        is_number = attribute.kind in ("integer", "decimal")
        if is_number and np.isfinite(numbers).sum() > 12:
            return number_distribution(attribute.name, numbers, counts, released)
        if (
            self.policy.is_by_value
            and hierarchy.n_leaves > MOST_BARS
            and not each.is_kept
        ):
            groups = np.bincount(each.groups, counts, len(each.labels))
            return released_values(
                attribute.name,
                _shown(each.labels),
                groups.astype(np.int64),
                released.counts,
            )
        return value_distribution(
            attribute.name,
            _shown(hierarchy.leaves),
            counts,
            released,
            is_ordered=attribute.kind in ("integer", "decimal", "date"),
        )

    def _released_leaves(self, place: int) -> Released:
        """Released records by the values of one quasi-identifier."""
        rounds = [
            Released(each.policy.maps[place].groups, each.label_records(place))
            for each in self._rows[1].rounds
        ]
        if len(rounds) == 1:
            return rounds[0]
        return _ReleasedInRounds(rounds[0].groups, rounds[0].counts, tuple(rounds))


@dataclass(frozen=True, eq=False, repr=False)
class _ReleasedInRounds(Released):
    """What several rounds make of the values of one column."""

    rounds: tuple[Released, ...]

    def spread(self) -> FloatArray:
        """Released records per original value (see `Released.spread`)."""
        return np.asarray(np.sum([each.spread() for each in self.rounds], axis=0))

    @property
    def name(self) -> Phrase:
        """What a series of the spread records is called."""
        return Phrase("release_spread")


def compare(
    project: Project,
    classes: Classes,
    policy: Policy,
    names: Collection[str] = (),
    *,
    monitor: Monitor = NULL_MONITOR,
) -> ColumnComparison:
    """Compare the columns of a table with those of its release.

    Parameters
    ----------
    policy : Policy
        For the same quasi-identifiers.
    names : collection of str
        Columns that are compared; the first ones without any that can be.

    Raises
    ------
    DeidError
        As `deidgui.engine.transform.apply.apply_policy`.
    """
    classes = classes.with_columns_of(project)
    known = _released(project, policy)
    offered = _comparable(known, classes)
    chosen = [each for each in offered if each.name in names]
    attributes = tuple((chosen or offered)[:MOST_COLUMNS])
    kept: dict[str, Treatment] = {
        each.name: "keep" for each in attributes if each.name not in policy.attributes
    }
    released = apply_policy(
        classes.table,
        classes.class_table,
        policy,
        kept,
        spreadsheet_safe=False,
        monitor=SubMonitor(monitor, 0.0, 0.4),
    )
    # Of linked tables the events are compared: who has none is no record.
    absent = classes.table.absent
    held = slice(None) if absent is None else ~absent
    is_shown = ~released.suppressed
    rows = np.flatnonzero(is_shown if absent is None else is_shown & ~absent)
    columns = {column.attribute: column for column in released.columns}
    before, after = [], []
    for attribute in attributes:
        monitor.report(0.4, "compare")
        column = classes.table.column(attribute.name)
        labels = _shown(column.values.to_list())
        is_absent = column.absent
        own = column.codes
        if is_absent is not None:
            own = np.where(is_absent, np.int32(-1), own)
        before.append(Coded(attribute.name, labels, own[held]))
        out = columns[attribute.name]
        texts = _shown(out.values.to_list())
        shown = released.codes(out, rows)
        if is_absent is not None:
            shown = np.where(is_absent[rows], np.int32(-1), shown)
        after.append(Coded(attribute.name, texts, shown))
    step = SubMonitor(monitor, 0.4, 0.7)
    matrix = association_matrix(before, monitor=step)
    step = SubMonitor(monitor, 0.7, 1.0)
    return ColumnComparison(
        attributes,
        classes,
        policy,
        tuple(before),
        tuple(after),
        matrix,
        association_matrix(after, monitor=step) if len(rows) else np.zeros_like(matrix),
        len(known),
        tuple(each.name for each in offered),
    )


def _released(project: Project, policy: Policy) -> list[Attribute]:
    """Columns that are released with values of their own, quasi-identifiers first."""
    removed = set(policy.attributes) - set(policy.released)
    return [
        each
        for role in ("quasi_identifier", "sensitive", "insensitive")
        for each in project.attributes
        if each.include and each.role == role
        if each.name not in removed
    ]


def _comparable(known: Sequence[Attribute], classes: Classes) -> list[Attribute]:
    """Columns that can be compared: not one value per record."""
    return [
        each
        for each in known
        if each.role == "quasi_identifier"
        or classes.table.column(each.name).n_values <= MOST_VALUES
    ]


def _numbers(texts: Sequence[str]) -> FloatArray:
    """Numbers that texts stand for, NaN for those that are none."""

    def number(text: str) -> float:
        try:
            return float(text)
        except ValueError:
            return float("nan")

    return np.array([number(text) for text in texts], dtype=np.float64)


def _shown(texts: Sequence[str]) -> list[str]:
    return [text if text.strip() else tr(NO_VALUE) for text in texts]


# Classes by their risk


@dataclass(frozen=True, repr=False, eq=False)
class RiskiestClasses:
    """The smallest classes, to be looked at in the window only.

    PRIVACY: labels of a user's table; never written to reports or logs.

    Parameters
    ----------
    table : Table
        One row per class: records, highest risk, then a column per
        quasi-identifier.
    n_classes : int
        Classes that there are.
    notes : tuple of str
        What stands in cells and does not explain itself.
    """

    table: Table
    n_classes: int
    notes: tuple[str, ...] = ()


def riskiest_classes(classes: Classes, policy: Policy | None) -> RiskiestClasses:
    """List the classes whose records are easiest to find.

    Parameters
    ----------
    policy : Policy or None
        Of the release; None lists the classes of the input.
    """
    class_table = classes.class_table
    if policy is None:
        counts = class_table.counts
        rows = _smallest(counts)
        leaves = class_table.leaves[rows]
        names = [hierarchy.leaves for hierarchy in class_table.hierarchies]
        members = rows
    else:
        released = released_classes(class_table, policy)
        kept = np.flatnonzero(~released.suppressed)
        counts = released.counts[kept]
        rows = _smallest(counts)
        leaves = released.labels[kept][rows]
        names = list(policy.labels)
        members = _members(released)[kept][rows]
    shown, taken = counts[rows].tolist(), class_table.attributes
    of_people = class_table.units is not None
    alike = tr("People alike") if of_people else tr("Records alike")
    columns = [
        Column.from_texts(_free(alike, taken), [f"{n:,}" for n in shown]),
        Column.from_texts(
            _free(tr("Risk of each"), taken), [share_text(1 / n) for n in shown]
        ),
    ]
    sets = _texts_of_sets(class_table, policy, members)
    columns += [
        Column.from_texts(name, sets.get(place) or _labels(labels, leaves[:, place]))
        for place, (name, labels) in enumerate(
            zip(class_table.attributes, names, strict=True)
        )
    ]
    found = Table("classes", tuple(columns))
    return RiskiestClasses(
        found, len(counts), _notes(policy.labels if policy else (), bool(sets))
    )


def _notes(labels: Iterable[Sequence[str]], has_sets: bool) -> tuple[str, ...]:
    """Explain labels of groups, and cells with several values."""
    found = []
    if any(OTHERS in each for each in labels):
        words: Text = "“{label}”: all values that are not among the most common ones."
        found.append(tr(words, label=OTHERS))
    if has_sets:
        found.append(
            tr("Several values in a cell: each of these people has rows with them.")
        )
    return tuple(found)


def _members(released: ReleasedClasses) -> IntArray:
    """A combination of each class: int64, (n_classes,)."""
    found = np.zeros(len(released.counts), np.int64)
    found[released.of_combination] = np.arange(len(released.of_combination))
    return found


def _texts_of_sets(
    class_table: ClassTable, policy: Policy | None, members: IntArray
) -> dict[int, list[str]]:
    """What the rows of people show of attributes that vary, by place.

    Parameters
    ----------
    policy : Policy or None
        None for the input.
    members : ndarray of int64, shape (n_classes,)
        A combination of each class.
    """
    units = class_table.units
    if units is None or units.varying is None:
        return {}
    found = {}
    for at, place in enumerate(units.varying.places):
        hierarchy = class_table.hierarchies[place].of_values
        shown = policy.maps[place] if policy else hierarchy.levels[0]
        leaves = units.varying.leaves[:, at]
        groups = np.where(leaves >= 0, shown.groups[leaves], leaves)
        sets = units.varying.sets.of(units.set_of[members].astype(np.int64))
        sets = sets.mapped(groups)
        texts = np.array(shown.labels, dtype=object)[sets.codes]
        parts = np.split(texts, sets.starts[1:-1])
        found[place] = [_set_text(list(each)) for each in parts]
    return found


MOST_OF_SET = 4
"""Values of a set, or columns of one figure, that are named."""


def _set_text(texts: Sequence[str]) -> str:
    if not texts:
        return tr("no event")
    return _named(_shown(texts))


def _named(texts: Sequence[str]) -> str:
    """Name some of several values or columns."""
    named = ", ".join(texts[:MOST_OF_SET])
    n_more = len(texts) - MOST_OF_SET
    return tr("{named} and {n} more", named=named, n=n_more) if n_more > 0 else named


def _free(name: str, taken: Sequence[str]) -> str:
    """Name that no column of the data has."""
    return name if name not in taken else _free(f"{name} *", taken)


def _smallest(counts: IntArray) -> IntArray:
    """Rows of the smallest classes, ties in their order."""
    most = min(MOST_CLASSES, len(counts))
    order = np.argsort(counts, kind="stable")[:most]
    return np.asarray(order, dtype=np.int64)


def _labels(labels: Sequence[str], codes: Int32Array) -> list[str]:
    return _shown([labels[code] for code in codes.tolist()])


# Beside a baseline


def risk_beside_baseline(accepted: Accepted) -> BarChart | None:
    """Return the risk of the input, of the baseline and of the release.

    Returns
    -------
    BarChart or None
        None if the policy was not accepted by comparing risks, or they are unknown.
    """
    risk, limit, raw = accepted.risk, accepted.baseline_risk, accepted.raw_risk
    if risk is None or limit is None or raw is None:
        return None
    name = BASELINES[accepted.acceptance.baseline or "typed"]
    counts_links = accepted.acceptance.gamma == 1
    label = Phrase("expected_links" if counts_links else "risk_sum")
    figures: dict[str, int | float | str] = {
        "risk": f"{risk:,.2f}",
        "baseline": name,
        "baseline_risk": f"{limit:,.2f}",
        "basis": _basis(accepted),
    }
    return BarChart(
        Phrase("beside_baseline", {"baseline": name}),
        Phrase("beside_lower" if counts_links else "beside_sum", figures),
        (tr("The input"), name[0].upper() + name[1:], tr("The release")),
        (Series(label, np.array([raw, limit, risk])),),
        Axis(Phrase("table_of_people")),
        Axis(label),
    )


def _basis(accepted: Accepted) -> str:
    """Whether people are counted, said so that nobody overlooks an estimate."""
    if not accepted.is_about_population:
        return tr("those in the data alone")
    return tr("MODELLED, not counted") if accepted.is_modelled else "counted"


# Loss


def _names_with(names: Sequence[str], values: FloatArray, value: float) -> str:
    """Names of the columns that have a value, up to rounding."""
    alike = np.flatnonzero(np.isclose(values, value)).tolist()
    named = [names[place] for place in alike]
    if not 1 < len(named) <= MOST_OF_SET:
        return _named(named)
    return tr("{some} and {last}", some=", ".join(named[:-1]), last=named[-1])


def loss_by_column(figure: QualityFigure) -> BarChart:
    """Return what one quality measure says of each quasi-identifier.

    Parameters
    ----------
    figure : QualityFigure
        With values by attribute.

    Returns
    -------
    BarChart
        In the order of the columns; empty for measures of the whole table.
    """
    names = tuple(figure.by_attribute)
    values = np.array([figure.by_attribute[name] for name in names], dtype=np.float64)
    measure = figure.measure
    is_share = measure.unit == "share"
    unit = AxisUnit.SHARE if is_share else AxisUnit.NUMBER
    label = tr(measure.title)
    if not is_share:
        label = f"{label} ({tr(measure.unit)})"
    sentence = Phrase("nothing_yet")
    if len(names):
        most, least = float(values.max()), float(values.min())
        high, low = ("most_share", "least_share") if is_share else ("highest", "lowest")
        is_same = "same_" if len(names) > 1 and np.isclose(most, least) else ""
        sentence = Phrase(
            f"by_column_{is_same}{'share' if is_share else 'number'}",
            {
                "most": _names_with(names, values, most),
                "least": _names_with(names, values, least),
                high: most,
                low: least,
            },
        )
    return BarChart(
        Phrase("by_column", {"measure": tr(measure.title)}),
        sentence,
        names,
        (Series(plain(label), values),),
        Axis(Phrase("column")),
        Axis(plain(label), unit),
    )
