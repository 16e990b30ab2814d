"""From decisions to classes of records: hierarchies and the class table."""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from dataclasses import dataclass, replace

from deidgui.app.project import Attribute, HierarchyChoice, Project
from deidgui.engine.arrays import Int32Array
from deidgui.engine.data.class_table import ClassTable, build_class_table
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.data.hierarchy_build import build_hierarchy, fit_hierarchy
from deidgui.engine.data.hierarchy_io import read_hierarchy
from deidgui.engine.data.table import Column, Table
from deidgui.engine.data.templates import TEMPLATES
from deidgui.errors import ConfigError, DeidError, InputError, raise_all
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor


@dataclass(frozen=True, repr=False, eq=False)
class Classes:
    """What the decisions about roles and hierarchies make of a table.

    Parameters
    ----------
    table : Table
        The included columns, missing values marked.
    class_table : ClassTable
    source : Table
        All columns as read.
    """

    table: Table
    class_table: ClassTable
    source: Table

    def with_columns_of(self, project: Project) -> Classes:
        """Return the same classes with the columns that a project includes now.

        Decisions on columns that are no quasi-identifiers leave the classes as they
        are, but not the table.
        """
        return replace(self, table=typed_table(project, self.source))

    @property
    def hierarchies(self) -> Mapping[str, Hierarchy]:
        """Hierarchy by quasi-identifier."""
        return {each.attribute: each for each in self.class_table.hierarchies}


class HierarchyCache:
    """The last hierarchy built for each attribute, to be used again unchanged."""

    def __init__(self) -> None:
        self._kept: dict[str, _Kept] = {}

    def get(
        self, attribute: Attribute, column: Column, files: Mapping[str, bytes]
    ) -> Hierarchy:
        """Return the hierarchy of an attribute, built only if something changed.

        Raises
        ------
        DeidError
            As `hierarchy_of`.
        """
        choice = attribute.hierarchy
        content = files.get(choice.csv) if choice and choice.csv else None
        key = (attribute.missing, choice and choice.model_dump_json(), content)
        kept = self._kept.get(attribute.name)
        if kept and kept.column() is column.codes and kept.key == key:
            return kept.hierarchy
        hierarchy = hierarchy_of(attribute, column, files)
        column_kept = weakref.ref(column.codes)
        self._kept[attribute.name] = _Kept(column_kept, key, hierarchy)
        return hierarchy


@dataclass(frozen=True)
class _Kept:
    """A hierarchy, and what it was built from.

    The column is held weakly: a number made from its place in memory may be that
    of another column later, and the table of a closed project shall go.
    """

    column: weakref.ref[Int32Array]
    key: object
    hierarchy: Hierarchy


def typed_table(project: Project, table: Table) -> Table:
    """Return the included columns with their missing values marked.

    Raises
    ------
    InputError
        Code ``columns_changed`` if the project names a column that is not there.
    """
    known = set(table.column_names)
    absent = [a.name for a in project.attributes if a.include and a.name not in known]
    if absent:
        raise InputError(
            "columns_changed", file=table.name, missing=len(absent), added=0
        )
    return table.with_columns(
        table.column(attribute.name).with_missing(attribute.missing)
        for attribute in project.attributes
        if attribute.include
    )


def hierarchy_of(
    attribute: Attribute, column: Column, files: Mapping[str, bytes]
) -> Hierarchy:
    """Build the hierarchy that was chosen for a quasi-identifier.

    Parameters
    ----------
    attribute : Attribute
    column : Column
        With missing values marked.
    files : mapping of str to bytes
        Hierarchy CSVs by the relative path that choices name.

    Returns
    -------
    Hierarchy
        Has a leaf for every value of the column.

    Raises
    ------
    ConfigError
        Code ``hierarchy_missing`` if none is chosen.
    InputError
        Codes ``hierarchy_file_missing``, ``hierarchy_gap`` and those of the
        template or the file.
    """
    choice = attribute.hierarchy
    if choice is None or (choice.rule is None and choice.csv is None):
        raise ConfigError("hierarchy_missing", attribute=attribute.name)
    if choice.csv is None:
        assert choice.rule is not None
        return build_hierarchy(column, TEMPLATES.from_json(choice.rule))
    return _from_file(attribute.name, choice, column, files)


def _from_file(
    name: str, choice: HierarchyChoice, column: Column, files: Mapping[str, bytes]
) -> Hierarchy:
    assert choice.csv is not None
    if choice.csv not in files:
        raise InputError("hierarchy_file_missing", attribute=name, file=choice.csv)
    rule = TEMPLATES.from_json(choice.rule) if choice.rule else None
    read = read_hierarchy(files[choice.csv], name)
    fit = fit_hierarchy(read.with_rule(rule), column)
    if not fit.is_complete:
        raise InputError(
            "hierarchy_gap",
            attribute=name,
            n_values=len(fit.gap_codes),
            n_records=fit.n_gap_records,
        )
    return fit.hierarchy


def build_classes(
    project: Project,
    table: Table,
    files: Mapping[str, bytes],
    *,
    cache: HierarchyCache | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> Classes:
    """Build every hierarchy and count the classes of records.

    Parameters
    ----------
    project : Project
    table : Table
        All columns as read.
    files : mapping of str to bytes
        Hierarchy CSVs by relative path.
    cache : HierarchyCache, optional
    monitor : Monitor, optional

    Returns
    -------
    Classes

    Raises
    ------
    DeidError
        As `hierarchy_of` and `build_class_table`, all problems together.
    """
    cache = cache or HierarchyCache()
    typed = typed_table(project, table)
    chosen, problems = [], list[DeidError]()
    quasi = project.quasi_identifiers
    for place, attribute in enumerate(quasi):
        monitor.report(0.5 * place / len(quasi), "hierarchies")
        try:
            chosen.append(cache.get(attribute, typed.column(attribute.name), files))
        except DeidError as problem:
            problems.append(problem)
    raise_all(problems)
    step = SubMonitor(monitor, 0.5, 1.0)
    return Classes(typed, build_class_table(typed, chosen, monitor=step), table)
