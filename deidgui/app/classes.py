"""From decisions to classes of records: hierarchies and the class table."""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from deidgui.app.demands import sensitive_demands
from deidgui.app.drawn import Draw, DrawCache
from deidgui.app.population.known import NOBODY, KnownPopulation, known_population
from deidgui.app.population.mapping import (
    Absent,
    absent_of,
    joined_column,
    map_values,
    place_population,
    values_of,
)
from deidgui.app.population.tables import (
    PopulationCache,
    PopulationSource,
    population_table,
)
from deidgui.app.project import Attribute, HierarchyChoice, Project
from deidgui.engine.arrays import Int32Array
from deidgui.engine.data.class_table import ClassTable, build_class_table
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.data.hierarchy_build import build_hierarchy, fit_hierarchy
from deidgui.engine.data.hierarchy_io import read_hierarchy
from deidgui.engine.data.people import (
    People,
    people_of,
)
from deidgui.engine.data.people_table import build_people_table
from deidgui.engine.data.population import SamplingFraction
from deidgui.engine.data.table import Column, Table
from deidgui.engine.data.templates import TEMPLATES
from deidgui.engine.population.mapping import DataValues
from deidgui.engine.population.over_leaves import LeafPopulation
from deidgui.errors import ConfigError, DeidError, InputError, raise_all
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor
from deidgui.text import per_cent, tr


@dataclass(frozen=True, repr=False, eq=False)
class Classes:
    """What the decisions about roles and hierarchies make of a table.

    Parameters
    ----------
    table : Table
        The included columns, missing values marked.
    source : Table
        All columns as read.
    population : KnownPopulation or None
        What is known about the people of the class table's population, and how;
        None without people or if only a sampling fraction is known.
    draw : Draw or None
        The sample that all this is of; None of everybody.
    """

    table: Table
    class_table: ClassTable
    source: Table
    population: KnownPopulation | None = None
    draw: Draw | None = None

    def with_columns_of(self, project: Project) -> Classes:
        """Return the same classes with the columns that a project includes now.

        Decisions on columns that are no quasi-identifiers leave the classes as they
        are, but not the table.
        """
        return replace(self, table=typed_table(project, self.source))

    def check_rows_agree(self, method: str) -> None:
        """See that quasi-identifiers are the same in all rows of a person.

        Parameters
        ----------
        method : str
            What needs that, in words.

        Raises
        ------
        ConfigError
            Codes ``rows_vary``, and ``people_without_events`` if some people of linked
            tables have no event.
        """
        if self.class_table.varying:
            names = ", ".join(self.class_table.varying)
            raise ConfigError("rows_vary", attributes=names, method=method)
        if self.table.absent is not None:
            n_people = int(self.table.absent.sum())
            raise ConfigError("people_without_events", n_people=n_people, method=method)

    @cached_property
    def hierarchies(self) -> Mapping[str, Hierarchy]:
        """Hierarchy by quasi-identifier."""
        return {h.attribute: h.of_values for h in self.class_table.hierarchies}


def population_words(classes: Classes) -> tuple[str, bool]:
    """Whose people a risk is about, and whether their numbers are estimates."""
    known = classes.class_table.population
    if known is None:
        return tr(NOBODY), False
    if isinstance(known, SamplingFraction):
        share = per_cent(known.fraction, 3)
        return tr(
            "the records as a random sample of {share} of the population", share=share
        ), True
    if classes.population is not None:
        return classes.population.name, classes.population.is_modelled
    return tr("the population"), not known.is_counted


class HierarchyCache:
    """The last hierarchy built for each attribute, to be used again unchanged.

    Attributes
    ----------
    population : PopulationCache
        The population counted last.
    draws : DrawCache
        The sample drawn last.
    """

    def __init__(self) -> None:
        self.population = PopulationCache()
        self.draws = DrawCache()
        self._kept: dict[str, _Kept] = {}

    def get(
        self,
        attribute: Attribute,
        column: Column,
        files: Mapping[str, bytes],
        absent: Absent | None = None,
    ) -> Hierarchy:
        """Return the hierarchy of an attribute, built only if something changed.

        Parameters
        ----------
        absent : Absent, optional
            All as for `hierarchy_of`.

        Raises
        ------
        DeidError
            As `hierarchy_of`.
        """
        choice = attribute.hierarchy
        content = files.get(choice.csv) if choice and choice.csv else None
        key = (attribute.missing, choice and choice.model_dump_json(), content, absent)
        kept = self._kept.get(attribute.name)
        if kept and kept.is_of(column) and kept.key == key:
            return kept.hierarchy
        hierarchy = hierarchy_of(attribute, column, files, absent)
        people = None if column.people is None else weakref.ref(column.people)
        codes = weakref.ref(column.codes)
        self._kept[attribute.name] = _Kept(codes, people, key, hierarchy)
        return hierarchy


@dataclass(frozen=True)
class _Kept:
    """A hierarchy, and what it was built from.

    Columns are held weakly: a number made from their place in memory may be that
    of another column later, and the table of a closed project shall go.
    """

    codes: weakref.ref[Int32Array]
    people: weakref.ref[Int32Array] | None
    key: object
    hierarchy: Hierarchy

    def is_of(self, column: Column) -> bool:
        """Whether it was built from a column, of the same people."""
        people = self.people() if self.people else None
        return self.codes() is column.codes and people is column.people


def typed_table(project: Project, table: Table) -> Table:
    """Return the included columns with missing values and the people of rows marked.

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
    of_people = table.of_people(project.key)
    return table.with_columns(
        of_people.column(attribute.name).with_missing(attribute.missing)
        for attribute in project.attributes
        if attribute.include
    )


def hierarchy_of(
    attribute: Attribute,
    column: Column,
    files: Mapping[str, bytes],
    absent: Absent | None = None,
) -> Hierarchy:
    """Build the hierarchy that was chosen for an attribute.

    Parameters
    ----------
    column : Column
        With missing values marked.
    files : mapping of str to bytes
        Hierarchy CSVs by the relative path that choices name.
    absent : Absent, optional
        Values that only the population has: a rule gives them leaves too.

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
    if absent is not None:
        column = joined_column(column, absent.texts, absent.missing)
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
    population: Table | None = None,
    *,
    cache: HierarchyCache | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> Classes:
    """Build every hierarchy and count the classes of records.

    Parameters
    ----------
    table : Table
        All columns as read.
    files : mapping of str to bytes
        Hierarchy CSVs by relative path.
    population : Table, optional
        The population's file, if the project names one.

    Raises
    ------
    InputError
        Code ``population_not_read`` if the project names a population's file and
        none is given.
    DeidError
        As `hierarchy_of`, `population_table`, `place_population` and
        `build_class_table`, all problems together.
    """
    if project.privacy.population.file is not None and population is None:
        name = project.privacy.population.file.file
        raise InputError("population_not_read", file=name)
    typed = typed_table(project, table)
    cache = cache or HierarchyCache()
    step = SubMonitor(monitor, 0.0, 0.4)
    built = build_hierarchies(project, typed, files, population, cache, monitor=step)
    step = SubMonitor(monitor, 0.4, 0.7)
    placed = population_of(project, built, typed, files, cache, monitor=step)
    people, step = people_in(project, table), SubMonitor(monitor, 0.7, 0.9)
    draw = None
    if project.sample is not None and table.columns:
        draw = cache.draws.get(project, table, people)
        # Hierarchies are of the whole file; everything else is of the sample.
        typed, table = typed.take(draw.rows), table.take(draw.rows)
        people = people_in(project, table)
    wanted = built.quasi_identifiers, built.sensitive
    if people is None:
        class_table = build_class_table(typed, *wanted, monitor=step)
    else:
        class_table = build_people_table(typed, people, *wanted, monitor=step)
    if class_table.varying and project.privacy.population.kind not in _NO_TABLES:
        raise ConfigError(
            "population_of_several_rows", attributes=", ".join(class_table.varying)
        )
    if built.source is not None and placed is not None:
        step = SubMonitor(monitor, 0.9, 1.0)
        raised, known = known_population(
            project, built.source, placed, class_table, monitor=step
        )
        class_table = replace(class_table, population=raised.population)
        return Classes(typed, class_table, table, known, draw)
    if project.fraction is not None:
        known_share = SamplingFraction(project.fraction)
        class_table = replace(class_table, population=known_share)
    return Classes(typed, class_table, table, draw=draw)


_NO_TABLES = ("none", "sampling_fraction")


def people_in(project: Project, table: Table) -> People | None:
    """Return the people whom the rows belong to; None if each row is one.

    Parameters
    ----------
    table : Table
        All columns as read.

    Raises
    ------
    InputError
        Codes ``columns_changed`` if the key is not there, and ``key_missing_values``.
    """
    if project.key is None:
        return None
    if project.key not in table.column_names:
        raise InputError("columns_changed", file=table.name, missing=1, added=0)
    missing = {each.name: each.missing for each in project.attributes}
    column = table.column(project.key)
    return people_of(column.with_missing(missing.get(project.key, ("",))))


def population_of(
    project: Project,
    built: BuiltHierarchies,
    typed: Table,
    files: Mapping[str, bytes],
    cache: HierarchyCache,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> LeafPopulation | None:
    """Count the people over the leaves of hierarchies; None if none are known.

    Raises
    ------
    DeidError
        As `place_population`.
    """
    source, hierarchies = built.source, built.quasi_identifiers
    if source is None:
        return None

    def count() -> LeafPopulation:
        data = [DataValues.of(h, typed.column(h.attribute)) for h in hierarchies]
        return place_population(project, source, data, files, monitor=monitor)

    return cache.population.placed(project, source, hierarchies, count, monitor)


def population_source(
    project: Project,
    typed: Table,
    population: Table | None,
    cache: HierarchyCache,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> tuple[list[DataValues], PopulationSource]:
    """Return the values of the quasi-identifiers, and the people that are meant.

    Raises
    ------
    DeidError
        As `population_table`.
    """
    columns = [typed.column(each.name) for each in project.quasi_identifiers]
    data = [values_of(column) for column in columns]

    def make() -> PopulationSource:
        return population_table(project, data, population, monitor=monitor)

    return data, cache.population.source(project, columns, population, make, monitor)


@dataclass(frozen=True, repr=False, eq=False)
class BuiltHierarchies:
    """Hierarchies of a project, and the people they have leaves for.

    Parameters
    ----------
    quasi_identifiers : tuple of Hierarchy
        In column order.
    sensitive : mapping of str to Hierarchy or None
        Sensitive attributes that privacy models ask about.
    """

    quasi_identifiers: tuple[Hierarchy, ...]
    sensitive: Mapping[str, Hierarchy | None]
    source: PopulationSource | None


def build_hierarchies(
    project: Project,
    typed: Table,
    files: Mapping[str, bytes],
    population: Table | None = None,
    cache: HierarchyCache | None = None,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> BuiltHierarchies:
    """Build the hierarchies of a project's attributes.

    Parameters
    ----------
    typed : Table
        Of `typed_table`.

    Raises
    ------
    DeidError
        As `hierarchy_of` and `population_table`, all problems together.
    """
    cache = cache or HierarchyCache()
    problems: list[DeidError] = []
    source: PopulationSource | None = None
    absent: Mapping[str, Absent | None] = {}
    quasi, sensitive = project.quasi_identifiers, sensitive_demands(project)
    if quasi and (population is not None or project.privacy.population.tables):
        step = SubMonitor(monitor, 0.0, 0.5)
        try:
            data, source = population_source(
                project, typed, population, cache, monitor=step
            )
            step = SubMonitor(monitor, 0.5, 0.7)
            mappings = map_values(project, source.table, data, files, monitor=step)
            is_own = population is not None
            absent = {e.name: absent_of(mappings, e, is_own=is_own) for e in quasi}
        except DeidError as problem:
            problems.append(problem)
    wanted = [*quasi, *(project.attribute(name) for name in sensitive)]
    found: dict[str, Hierarchy | None] = {}
    for place, attribute in enumerate(wanted):
        monitor.report(0.7 + 0.3 * place / len(wanted), "hierarchies")
        name = attribute.name
        if name in sensitive and (not sensitive[name] or attribute.hierarchy is None):
            # What a model lacks is told at the model: see `model_problem`.
            found[name] = None
            continue
        try:
            column = typed.column(name)
            found[name] = cache.get(attribute, column, files, absent.get(name))
        except DeidError as problem:
            problems.append(problem)
    raise_all(problems)
    chosen = (found[each.name] for each in quasi)
    return BuiltHierarchies(
        tuple(each for each in chosen if each is not None),
        {name: found[name] for name in sensitive},
        source,
    )
