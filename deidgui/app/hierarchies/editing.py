"""A hierarchy opened for editing: its draft, its flaws, its groups with counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path

import numpy as np

from deidgui.app import ops
from deidgui.app.classes import hierarchy_of
from deidgui.app.loaded import Loaded
from deidgui.app.project import Attribute, HierarchyChoice, Project
from deidgui.app.reading.files import hierarchy_file_name
from deidgui.app.reading.reading import propose_hierarchy
from deidgui.engine.arrays import BoolArray, IntArray
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.data.hierarchy_build import build_hierarchy
from deidgui.engine.data.hierarchy_draft import Draft, records_by_row
from deidgui.engine.data.hierarchy_io import (
    hierarchy_csv,
    read_draft,
    without_headings,
)
from deidgui.engine.data.hierarchy_problems import Problem, problems
from deidgui.engine.data.table import Column
from deidgui.engine.data.templates import TEMPLATES, Template
from deidgui.errors import DeidError, InputError
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor
from deidgui.text import tr

Edit = Callable[[Draft], Draft]
"""Something that a person does to a hierarchy."""

N_FREQUENT = 200
"""Values among which an example for a level is looked for."""

FIXABLE = {
    "hierarchy_gap",
    "hierarchy_flat",
    "hierarchy_not_nested",
    "hierarchy_duplicate_leaf",
    "hierarchy_ragged",
}
"""Flaws of a file that the editor shows and repairs."""


@dataclass(frozen=True, repr=False, eq=False)
class Outline:
    """The groups of a draft as one tree in arrays, with counts; any size is quick.

    Nodes of a level are numbered from the top of the screen down; the children of
    a node are neighbours on the level below. A leaf is a row of the draft.

    Parameters
    ----------
    records : ndarray of int64, shape (n_rows,)
        Records per row of the draft.
    order : ndarray of int64, shape (n_rows,)
        Rows of the draft as they stand in the tree.
    starts : tuple of ndarray of int64, each of shape (n_nodes,)
        For each level the place in `order` at which each node begins.
    """

    draft: Draft
    records: IntArray
    order: IntArray
    starts: tuple[IntArray, ...]

    @classmethod
    def of(cls, draft: Draft, records: IntArray) -> Outline:
        """Outline of a draft, which need not be nested."""
        n_rows, height = draft.n_rows, draft.height
        codes = draft.codes
        keys = [codes[level] for level in range(1, height + 1)]
        order = np.lexsort(keys) if keys else np.arange(n_rows)
        order = order.astype(np.int64)
        starts = [np.arange(n_rows, dtype=np.int64)]
        begins: BoolArray = np.zeros(n_rows, dtype=np.bool_)
        begins[:1] = True
        upper: list[IntArray] = []
        for level in range(height, 0, -1):
            ordered = codes[level][order]
            begins[1:] |= ordered[1:] != ordered[:-1]
            upper.append(np.flatnonzero(begins).astype(np.int64))
        return cls(draft, records, order, (*starts, *reversed(upper)))

    @property
    def height(self) -> int:
        """Index of the most general level."""
        return self.draft.height

    def n_nodes(self, level: int) -> int:
        """Nodes of a level."""
        return len(self.starts[level])

    @cached_property
    def first_child(self) -> tuple[IntArray, ...]:
        """For each level the first child of every node, and the number of children.

        Returns
        -------
        tuple of ndarray of int64, each of shape (n_nodes + 1,)
            The children of node i are [first_child[i], first_child[i + 1]) on the
            level below; all 0 for level 0.
        """
        found = [np.zeros(self.n_nodes(0) + 1, dtype=np.int64)]
        for below, above in zip(self.starts, self.starts[1:], strict=False):
            firsts = np.searchsorted(below, above)
            found.append(np.append(firsts, len(below)).astype(np.int64))
        return tuple(found)

    @cached_property
    def parent(self) -> tuple[IntArray, ...]:
        """For each level the parent of every node on the level above."""
        return tuple(
            (np.searchsorted(above, below, side="right") - 1).astype(np.int64)
            for below, above in zip(self.starts, self.starts[1:], strict=False)
        )

    @cached_property
    def n_records(self) -> tuple[IntArray, ...]:
        """Records per node, for each level."""
        return self._summed(self.records[self.order])

    @cached_property
    def n_values(self) -> tuple[IntArray, ...]:
        """Values of the file per node, for each level; a missing value is none."""
        counted = self.records > 0
        if self._missing_row is not None:
            counted[self._missing_row] = False
        return self._summed(counted[self.order].astype(np.int64))

    @property
    def _missing_row(self) -> int | None:
        """Row of the draft that stands for "no value"."""
        leaves, missing = self.draft.columns[0], self.draft.missing
        return leaves.index(missing) if missing in leaves else None

    @cached_property
    def n_apart(self) -> int:
        """Levels, from the values up, on which missing values stand alone."""
        row = self._missing_row
        if row is None:
            return 0
        return sum(labels.count(labels[row]) == 1 for labels in self.draft.columns)

    def n_groups(self, level: int) -> int:
        """Groups of values of a level: missing values alone are none."""
        return self.n_nodes(level) - (level < self.n_apart)

    @cached_property
    def frequent(self) -> IntArray:
        """Rows of the values with the most records, most first, 200 at most."""
        return np.argsort(-self.records, kind="stable")[:N_FREQUENT].astype(np.int64)

    def _summed(self, ordered: IntArray) -> tuple[IntArray, ...]:
        if len(ordered) == 0:
            return tuple(ordered for _ in self.starts)
        return tuple(np.add.reduceat(ordered, starts) for starts in self.starts)

    def label(self, level: int, node: int) -> str:
        """Label of a node."""
        row = int(self.order[self.starts[level][node]])
        return self.draft.columns[level][row]

    def rows(self, level: int, node: int) -> IntArray:
        """Rows of the draft below a node, in the order of the tree."""
        starts = self.starts[level]
        first = int(starts[node])
        last = int(starts[node + 1]) if node + 1 < len(starts) else len(self.order)
        return self.order[first:last]

    def group_records(self, level: int) -> IntArray:
        """Records of each group that occurs; missing values alone are none."""
        records, row = self.n_records[level], self._missing_row
        if row is not None and level < self.n_apart:
            at = np.flatnonzero(self.order == row)
            node = np.searchsorted(self.starts[level], at, side="right") - 1
            records = np.delete(records, node)
        return records[records > 0]

    def n_small(self, level: int, k: int) -> int:
        """Groups of a level that occur, in fewer than `k` records."""
        return int(np.count_nonzero(self.group_records(level) < k))

    def makes_difference(self, level: int) -> bool:
        """Whether a level joins groups of the level below that occur in the file."""
        if level == 0:
            return True
        own, below = (np.count_nonzero(self.n_records[e]) for e in (level, level - 1))
        return bool(own < below)

    def node_of(self, level: int, label: str) -> int | None:
        """First node of a level with a label; None if there is none."""
        return self._by_label(level).get(label)

    def _by_label(self, level: int) -> Mapping[str, int]:
        known = self._label_maps
        if level not in known:
            column = self.draft.columns[level]
            rows = self.order[self.starts[level]].tolist()
            found: dict[str, int] = {}
            for node, row in enumerate(rows):
                found.setdefault(column[row], node)
            known[level] = found
        return known[level]

    @cached_property
    def _label_maps(self) -> dict[int, Mapping[str, int]]:
        return {}

    def find(self, text: str, after: tuple[int, int]) -> tuple[int, int] | None:
        """Next group or value whose label contains a text, whatever its case.

        Parameters
        ----------
        after : (level, node)
            Where the search begins; it wraps around and goes from the general
            levels to the values.
        """
        wanted = text.casefold()
        level, node = after
        turns = [*range(level, -1, -1), *range(self.height, level - 1, -1)]
        for turn, each in enumerate(turns):
            column = self.draft.columns[each]
            rows = self.order[self.starts[each]].tolist()
            first = node + 1 if turn == 0 else 0
            for place in range(first, len(rows)):
                if wanted in column[rows[place]].casefold():
                    return each, place
        return None


@dataclass(frozen=True, repr=False, eq=False)
class InEditor:
    """A hierarchy as the editor shows it.

    Parameters
    ----------
    choice : HierarchyChoice or None
        What it was opened from.
    problems : tuple of Problem
        Flaws that keep it from being used; empty if all is well.
    proposal : HierarchyChoice or None
        What would be proposed for the column.
    level_names : tuple of (str or None)
        Words of the rule for each level.
    """

    attribute: str
    choice: HierarchyChoice | None
    outline: Outline
    problems: tuple[Problem, ...]
    proposal: HierarchyChoice | None
    level_names: tuple[str | None, ...]

    @property
    def draft(self) -> Draft:
        """What is edited."""
        return self.outline.draft

    @property
    def rule(self) -> Template | None:
        """Rule it was built or edited from."""
        return self.draft.rule

    @property
    def is_by_hand(self) -> bool:
        """Whether the groups are kept in a file, not only in a rule."""
        return self.choice is not None and self.choice.csv is not None


@dataclass(frozen=True)
class Edited:
    """What an edit came to: the file to keep, the choice to make, how it looks.

    Parameters
    ----------
    with_first_row : bytes or None
        The same with the first row of the file, where that was taken for headings.
    """

    content: bytes
    choice: HierarchyChoice
    opened: InEditor
    with_first_row: bytes | None = None


def open_hierarchy(
    attribute: Attribute,
    loaded: Loaded,
    files: Mapping[str, bytes],
    *,
    known: Hierarchy | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> InEditor:
    """Open the hierarchy of an attribute for editing, with its flaws if it has any.

    Parameters
    ----------
    files : mapping of str to bytes
        Hierarchy CSVs by the relative path that choices name.
    known : Hierarchy, optional
        The same hierarchy, if it was built already.

    Returns
    -------
    Opened
        Only the values and ``*`` if nothing is chosen.

    Raises
    ------
    InputError
        Code ``hierarchy_file_missing`` and those of the template, or of a file
        that cannot be read at all.
    ConfigError
        If the stored rule is not valid.
    """
    column = _column(attribute, loaded)
    monitor.report(0.0, "hierarchy")
    draft = Draft.from_hierarchy(known) if known else _draft(attribute, column, files)
    monitor.report(0.5, "hierarchy")
    proposal = propose_hierarchy(loaded, attribute)
    monitor.report(0.6, "hierarchy")
    step = SubMonitor(monitor, 0.6, 1.0)
    return _opened(attribute.hierarchy, draft, column, proposal, step)


def _column(attribute: Attribute, loaded: Loaded) -> Column:
    return loaded.table.column(attribute.name).with_missing(attribute.missing)


def _draft(attribute: Attribute, column: Column, files: Mapping[str, bytes]) -> Draft:
    choice = attribute.hierarchy
    if choice is None or (choice.rule is None and choice.csv is None):
        return Draft.from_column(column)
    try:
        return Draft.from_hierarchy(hierarchy_of(attribute, column, files))
    except InputError as flaw:
        if choice.csv is None or flaw.code not in FIXABLE:
            raise
    rule = TEMPLATES.from_json(choice.rule) if choice.rule else None
    read = read_draft(files[choice.csv], attribute.name)
    return replace(read, rule=rule, missing=_held_missing(read, column), is_edited=True)


def _held_missing(draft: Draft, column: Column) -> str | None:
    """Leaf of a file that stands for "no value" in the column."""
    leaves = set(draft.columns[0])
    codes = sorted(column.missing_codes.tolist(), key=lambda c: -int(column.counts[c]))
    texts = (str(column.values[code]) for code in codes)
    return next((text for text in texts if text in leaves), None)


def _opened(
    choice: HierarchyChoice | None,
    draft: Draft,
    column: Column,
    proposal: HierarchyChoice | None,
    monitor: Monitor,
) -> InEditor:
    outline = Outline.of(draft, records_by_row(draft, column))
    monitor.report(0.4, "hierarchy")
    # Counted here, so that the window never waits for it.
    assert outline.n_records
    assert outline.n_values
    assert outline.n_apart >= 0
    assert outline.first_child is not None
    assert outline.parent is not None
    assert outline.frequent is not None
    flaws = tuple(problems(draft, column))
    monitor.report(1.0, "hierarchy")
    names = _level_names(draft, choice)
    return InEditor(draft.attribute, choice, outline, flaws, proposal, names)


def _level_names(
    draft: Draft, choice: HierarchyChoice | None
) -> tuple[str | None, ...]:
    rule = draft.rule
    width = draft.height + 1
    if rule is None or (choice is not None and choice.csv is not None):
        return (None,) * width
    names = rule.level_names
    return names if len(names) == width else (None,) * width


def edit_hierarchy(
    opened: InEditor,
    edit: Edit,
    attribute: Attribute,
    loaded: Loaded,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> Edited:
    """Do something to a hierarchy.

    Parameters
    ----------
    edit : callable
        From draft to draft (`deidgui.engine.data.hierarchy_edit`, or a repair).

    Raises
    ------
    ConfigError
        What the edit refuses.
    """
    draft = edit(opened.draft)
    monitor.report(0.3, "hierarchy")
    column = _column(attribute, loaded)
    return _kept(draft, column, opened.proposal, SubMonitor(monitor, 0.3, 1.0))


def import_hierarchy(
    opened: InEditor,
    source: Path | bytes,
    attribute: Attribute,
    loaded: Loaded,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> Edited:
    """Take over a hierarchy from a CSV file, flaws included, headings left out.

    The present rule is not kept: it would place values by other groups.

    Raises
    ------
    InputError
        As `read_draft`.
    """
    column = _column(attribute, loaded)
    whole = read_draft(source, attribute.name)
    read = without_headings(whole, column)
    monitor.report(0.3, "hierarchy")
    draft = replace(read, missing=_held_missing(read, column), is_edited=True)
    step = SubMonitor(monitor, 0.3, 1.0)
    edited = _kept(draft, column, opened.proposal, step)
    if read is whole:
        return edited
    return replace(edited, with_first_row=hierarchy_csv(whole))


def headings_words(attribute: str) -> str:
    """Say that the first row of a file was taken for headings."""
    return tr(
        "The first row of the file was left out: it looks like headings, and its "
        "first cell is no value of “{attribute}”.",
        attribute=attribute,
    )


def merged_words(attribute: str, n_merged: int) -> str:
    """Say that rows of a file were merged."""
    return tr(
        "The file repeats {n:row|rows} of the hierarchy of “{attribute}”; equal rows "
        "count once.",
        n=n_merged,
        attribute=attribute,
    )


def _kept(
    draft: Draft, column: Column, proposal: HierarchyChoice | None, monitor: Monitor
) -> Edited:
    content = hierarchy_csv(draft)
    monitor.report(0.4, "hierarchy")
    choice = HierarchyChoice(
        rule=draft.rule.to_json() if draft.rule else None,
        csv=hierarchy_file_name(draft.attribute, content),
    )
    step = SubMonitor(monitor, 0.4, 1.0)
    return Edited(content, choice, _opened(choice, draft, column, proposal, step))


def check_rule(
    rule: Template,
    attribute: Attribute,
    loaded: Loaded,
    proposal: HierarchyChoice | None = None,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> InEditor:
    """Build the hierarchy that a rule would give.

    Raises
    ------
    InputError
        Code ``template_value`` if the rule can read none of the values.
    """
    column = _column(attribute, loaded)
    built = build_hierarchy(column, rule, monitor=SubMonitor(monitor, 0.0, 0.5))
    choice = HierarchyChoice(rule=rule.to_json())
    draft = Draft.from_hierarchy(built)
    return _opened(choice, draft, column, proposal, SubMonitor(monitor, 0.5, 1.0))


def set_choice(
    attribute: Attribute, choice: HierarchyChoice, *, keep_limits: bool
) -> ops.Op:
    """Operation that takes over a choice; the limits stay if the levels do.

    Parameters
    ----------
    attribute : Attribute
        As it is before.
    keep_limits : bool
        Whether the levels mean the same as before.
    """
    change = ops.set_hierarchy(attribute.name, choice.rule, choice.csv)
    if not keep_limits:
        return change
    limits = ops.change_attribute(
        attribute.name,
        minimum_level=attribute.minimum_level,
        maximum_level=attribute.maximum_level,
    )
    return lambda project: limits(change(project))


@dataclass(frozen=True)
class Summary:
    """How the hierarchy of one attribute stands.

    Parameters
    ----------
    sizes : tuple of int
        Groups of values per level, missing values alone being none; empty if it cannot
        be built.
    problem : DeidError or None
        Why it cannot be built.
    n_without_effect : int
        Levels that join nothing of the level below that occurs in the file.
    """

    sizes: tuple[int, ...] = ()
    problem: DeidError | None = None
    n_without_effect: int = 0


def sizes_of(hierarchy: Hierarchy) -> Summary:
    """Summary of a hierarchy that was built."""
    sizes = tuple(level.n_groups for level in hierarchy.levels)
    n_without = sum(above >= below for below, above in pairwise(sizes))
    shown = (n - (d < hierarchy.n_apart) for d, n in enumerate(sizes))
    return Summary(tuple(shown), n_without_effect=n_without)


def survey(
    attributes: Sequence[Attribute],
    loaded: Loaded,
    files: Mapping[str, bytes],
    *,
    monitor: Monitor = NULL_MONITOR,
) -> dict[str, Summary]:
    """Say how the hierarchies of some attributes stand."""
    found: dict[str, Summary] = {}
    for place, attribute in enumerate(attributes):
        monitor.report(place / len(attributes), "hierarchies")
        try:
            built = hierarchy_of(attribute, _column(attribute, loaded), files)
            found[attribute.name] = sizes_of(built)
        except DeidError as problem:
            found[attribute.name] = Summary(problem=problem)
    return found


def smallest_class(project: Project) -> int:
    """Records that a class needs under the decided models; 1 if nothing is decided."""
    return max((each.depth for each in project.privacy.models), default=1)
