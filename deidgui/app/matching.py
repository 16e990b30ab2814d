"""How records are found in the population: proposals, and decisions on them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from deidgui.app.classes import (
    HierarchyCache,
    build_hierarchies,
    population_of,
    population_source,
    typed_table,
)
from deidgui.app.ops import Op
from deidgui.app.population.known import KnownPopulation, known_population
from deidgui.app.population.mapping import Mappings, map_values, values_of
from deidgui.app.population.tables import PopulationSource, subjects_of
from deidgui.app.project import MatchChoice, PopulationChoice, Project
from deidgui.app.reading.files import safe_name
from deidgui.engine.data.class_table import build_class_table
from deidgui.engine.data.table import Table
from deidgui.engine.population.built_in import TableCard, card, tables
from deidgui.engine.population.mapping import AttributeMapping
from deidgui.engine.population.mapping_io import mapping_csv, read_mapping, with_pairs
from deidgui.engine.population.table import Subject
from deidgui.errors import DeidError, ProblemsError
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

LACKS = frozenset({"people_lack_attribute", "population_attribute_missing"})
"""Problems that say that the population does not know an attribute."""


@dataclass(frozen=True, repr=False, eq=False)
class AttributeMatch:
    """How a quasi-identifier is found in the population, and what is wrong with it.

    Parameters
    ----------
    subject : Subject
        What its values speak of.
    targets : tuple of str
        Attributes of the population that can be chosen; columns of a file.
    choice : MatchChoice or None
        What a person decided about this population; None if nothing.
    mapping : AttributeMapping or None
        What is used: as confirmed, or the proposal; `is_ready` tells whether it can
        be. None if the population lacks the attribute.
    problems : tuple of DeidError
        What keeps it from being used, each to be shown at this attribute.
    """

    attribute: str
    subject: Subject
    targets: tuple[str, ...]
    choice: MatchChoice | None
    mapping: AttributeMapping | None
    problems: tuple[DeidError, ...] = ()

    @property
    def is_ready(self) -> bool:
        """Whether nothing about it has to be decided."""
        return not self.problems

    @property
    def is_settled(self) -> bool:
        """Whether a person has decided what is done if the population lacks it."""
        return self.choice is not None and self.choice.lacking != "refused"

    @property
    def is_unknown(self) -> bool:
        """Whether the population lacks it, decided on or not."""
        lacks = any(each.code in LACKS for each in self.problems)
        return self.mapping is None and (self.is_settled or lacks)


@dataclass(frozen=True, repr=False, eq=False)
class Matching:
    """How the records are found in the population, for the person who decides it.

    Parameters
    ----------
    attributes : tuple of AttributeMatch
        Of the quasi-identifiers in column order; empty if there is no table.
    problems : tuple of DeidError
        What concerns no single attribute: the file, the tables, hierarchies.
    population : KnownPopulation or None
        Names, basis, remarks and coverage; None as long as there are problems.
    tables : tuple of str
        Built-in tables that are used, or the file.
    population_size, n_cells : int
        Of the table of people, summed over what nobody asks for.
    """

    attributes: tuple[AttributeMatch, ...] = ()
    problems: tuple[DeidError, ...] = ()
    population: KnownPopulation | None = None
    tables: tuple[str, ...] = ()
    population_size: int = 0
    n_cells: int = 0

    @property
    def is_ready(self) -> bool:
        """Whether risk figures can rest on this population."""
        return self.population is not None

    @property
    def all_problems(self) -> tuple[DeidError, ...]:
        """What concerns no single attribute, then all of the attributes."""
        of_attributes = (each for a in self.attributes for each in a.problems)
        return (*self.problems, *of_attributes)

    def of(self, attribute: str) -> AttributeMatch:
        """Return the match of one attribute (KeyError if there is none)."""
        for each in self.attributes:
            if each.attribute == attribute:
                return each
        raise KeyError(attribute)


def propose_matching(
    project: Project,
    table: Table,
    files: Mapping[str, bytes],
    population: Table | None = None,
    *,
    cache: HierarchyCache | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> Matching:
    """See how the records are found in the population, as classes will be built.

    Parameters
    ----------
    project : Project
        Its population is a register, counts, or built in.
    table : Table
        All columns as read.
    files : mapping of str to bytes
        CSVs of hierarchies and mappings by relative path.
    population : Table, optional
        The population's file.

    Returns
    -------
    Matching
        Also if the population cannot be used: the problems say why.
    """
    choice = project.privacy.population
    if choice.kind not in ("register", "counts", "built_in"):
        return Matching()
    draft, cache = _Draft(), cache or HierarchyCache()
    try:
        typed = typed_table(project, table)
        step = SubMonitor(monitor, 0.0, 0.4)
        _look_at_values(draft, project, typed, files, population, cache, step)
        if not any(each.problems for each in draft.attributes):
            step = SubMonitor(monitor, 0.4, 1.0)
            _count(draft, project, typed, files, population, cache, step)
    except DeidError as problem:
        _sort_problems(draft, problem)
    source = draft.source
    return Matching(
        tuple(each.done() for each in draft.attributes),
        tuple(draft.problems),
        draft.population,
        source.names if source else (),
        source.table.population_size if source else 0,
        source.table.n_cells if source else 0,
    )


@dataclass(eq=False)
class _Draft:
    """What is known of a matching so far."""

    attributes: list[_DraftMatch] = field(default_factory=list)
    problems: list[DeidError] = field(default_factory=list)
    source: PopulationSource | None = None
    population: KnownPopulation | None = None


@dataclass(eq=False)
class _DraftMatch:
    """What is known of one attribute so far."""

    attribute: str
    subject: Subject
    targets: tuple[str, ...]
    choice: MatchChoice | None
    mapping: AttributeMapping | None
    problems: list[DeidError] = field(default_factory=list)

    def done(self) -> AttributeMatch:
        return AttributeMatch(
            self.attribute,
            self.subject,
            self.targets,
            self.choice,
            self.mapping,
            tuple(self.problems),
        )


def _look_at_values(
    draft: _Draft,
    project: Project,
    typed: Table,
    files: Mapping[str, bytes],
    population: Table | None,
    cache: HierarchyCache,
    monitor: Monitor,
) -> None:
    """Find values of the data in the population, without hierarchies."""
    quasi = project.quasi_identifiers
    data = [values_of(typed.column(each.name)) for each in quasi]
    subjects = subjects_of(project, data)
    choice = project.privacy.population
    targets = _targets(choice, population)
    draft.attributes = [
        _DraftMatch(e.name, subjects[e.name], targets, choice.matches.get(e.name), None)
        for e in quasi
    ]
    data, draft.source = population_source(
        project, typed, population, cache, monitor=SubMonitor(monitor, 0.0, 0.8)
    )
    step = SubMonitor(monitor, 0.8, 1.0)
    mappings = map_values(project, draft.source.table, data, files, monitor=step)
    for each in draft.attributes:
        each.choice = mappings.decisions.get(each.attribute)
        each.mapping = mappings.by_attribute.get(each.attribute)
        problem = mappings.problems.get(each.attribute)
        if problem is not None:
            each.problems.append(problem)
    _report_undecided(draft, mappings)


def _report_undecided(draft: _Draft, mappings: Mappings) -> None:
    """Say what has to be decided about attributes, as `population_over_leaves`."""
    for each in draft.attributes:
        if not each.problems:
            each.problems += mappings.undecided(each.attribute)


def _count(
    draft: _Draft,
    project: Project,
    typed: Table,
    files: Mapping[str, bytes],
    population: Table | None,
    cache: HierarchyCache,
    monitor: Monitor,
) -> None:
    """Count people over the leaves of the hierarchies, as classes are built."""
    step = SubMonitor(monitor, 0.0, 0.4)
    built = build_hierarchies(project, typed, files, population, cache, monitor=step)
    step = SubMonitor(monitor, 0.4, 0.8)
    placed = population_of(project, built, typed, files, cache, monitor=step)
    assert built.source is not None
    assert placed is not None
    step = SubMonitor(monitor, 0.8, 0.9)
    class_table = build_class_table(typed, built.quasi_identifiers, monitor=step)
    step = SubMonitor(monitor, 0.9, 1.0)
    _, draft.population = known_population(
        project, built.source, placed, class_table, monitor=step
    )


def _targets(choice: PopulationChoice, population: Table | None) -> tuple[str, ...]:
    if population is not None:
        others = (n for n in population.column_names if n != choice.count_column)
        return tuple(others)
    names = [a.name for each in choice.tables for a in card(each).attributes]
    return tuple(dict.fromkeys(names))


def _sort_problems(draft: _Draft, problem: DeidError) -> None:
    """Put problems where they are shown: at their attribute, or at the whole."""
    problems = problem.problems if isinstance(problem, ProblemsError) else (problem,)
    by_name = {each.attribute: each for each in draft.attributes}
    for each in problems:
        at = by_name.get(str(each.params.get("attribute")))
        (at.problems if at is not None else draft.problems).append(each)


# -- decisions as operations -----------------------------------------------------------

LackingChoice = Literal["refused", "independent", "left aside"]


@dataclass(frozen=True, repr=False)
class Confirmation:
    """A person's decision on values, to be kept as a file beside the project.

    First `Session.add_hierarchy_file(name, content)`, then `Session.apply(op, ...)`.

    Parameters
    ----------
    name : str
        Relative path that tells the content.
    """

    op: Op
    name: str
    content: bytes


def confirm_match(match: AttributeMatch) -> Confirmation:
    """Confirm what the values of an attribute stand for, as shown.

    Parameters
    ----------
    match : AttributeMatch
        With a mapping.
    """
    assert match.mapping is not None, "nothing to confirm"
    return _confirmation(match, match.mapping)


def set_partners(
    match: AttributeMatch, partners: Mapping[str, Sequence[str]]
) -> Confirmation:
    """Say by hand what some values stand for, and confirm the rest as shown.

    Parameters
    ----------
    match : AttributeMatch
        With a mapping.
    partners : mapping of str to sequence of str
        Values of the population by value of the data; none for nothing.

    Raises
    ------
    InputError
        Code ``people_value_unknown``.
    """
    mapping = match.mapping
    assert mapping is not None, "nothing to correct"
    return _confirmation(match, mapping.with_partners(partners))


def confirm_file(match: AttributeMatch, content: bytes) -> Confirmation:
    """Take over what a file says that values stand for.

    Parameters
    ----------
    match : AttributeMatch
        With a mapping.
    content : bytes
        CSV as `confirm_match` writes it.

    Raises
    ------
    InputError
        As `read_mapping` and `with_pairs`.
    """
    assert match.mapping is not None, "nothing to confirm"
    mapping = with_pairs(match.mapping, read_mapping(content, match.attribute))
    return _confirmation(match, mapping)


def _confirmation(match: AttributeMatch, mapping: AttributeMapping) -> Confirmation:
    content = mapping_csv(mapping)
    name = mapping_file_name(match.attribute, content)
    op = _change_match(match.attribute, target=mapping.target.name, csv=name)
    return Confirmation(op, name, content)


def mapping_file_name(attribute: str, content: bytes) -> str:
    """Relative path of a confirmed mapping; tells its content.

    Returns
    -------
    str
        ``mappings/NAME-HASH.csv`` with only letters, digits, - and _ in NAME.
    """
    digest = hashlib.sha256(attribute.encode() + b"\0" + content).hexdigest()[:16]
    return f"mappings/{safe_name(attribute)}-{digest}.csv"


def set_target(attribute: str, target: str | None) -> Op:
    """Say which attribute of the population an attribute is; None if it knows none.

    What was decided about values is given up; of a file, the column is chosen.
    """

    def op(project: Project) -> Project:
        choice = project.privacy.population
        columns = dict(choice.columns)
        if choice.file is not None and target is not None:
            columns[attribute] = target
        matches = {**choice.matches, attribute: MatchChoice(target=target)}
        return _with_population(project, choice.but(columns=columns, matches=matches))

    return op


def set_lacking(attribute: str, choice: LackingChoice) -> Op:
    """Say what is done about an attribute that the population lacks."""
    return _change_match(attribute, target=None, csv=None, lacking=choice)


def set_all_lacking(attributes: Sequence[str], choice: LackingChoice) -> Op:
    """Say the same about several attributes that the population lacks."""

    def op(project: Project) -> Project:
        for attribute in attributes:
            project = set_lacking(attribute, choice)(project)
        return project

    return op


def accept_unmatched(match: AttributeMatch, accepts: bool = True) -> Op:
    """Accept that values of an attribute have no match in the population."""
    assert match.mapping is not None, "the population lacks it"
    target = match.mapping.target.name
    return _change_match(match.attribute, target=target, accepts_unmatched=accepts)


def forget_match(attribute: str) -> Op:
    """Give up what was decided about an attribute: the proposal stands again."""

    def op(project: Project) -> Project:
        choice = project.privacy.population
        matches = {n: each for n, each in choice.matches.items() if n != attribute}
        return _with_population(project, choice.but(matches=matches))

    return op


def set_adds_rows(adds: bool) -> Op:
    """Say whether rows of counts with the same combination are added up."""

    def op(project: Project) -> Project:
        choice = project.privacy.population
        return _with_population(project, choice.but(adds_rows=adds))

    return op


def _change_match(attribute: str, target: str | None, **changes: object) -> Op:
    """Change a decision; one about another target is given up."""

    def op(project: Project) -> Project:
        choice = project.privacy.population
        known = choice.matches.get(attribute)
        if known is None or known.target != target:
            known = MatchChoice(target=target)
        matches = {**choice.matches, attribute: known.but(**changes)}
        return _with_population(project, choice.but(matches=matches))

    return op


def _with_population(project: Project, choice: PopulationChoice) -> Project:
    return project.but(privacy=project.privacy.but(population=choice))


def cards(geography: str | None = None) -> tuple[TableCard, ...]:
    """Return the cards of the built-in tables in the order in which they are offered.

    Parameters
    ----------
    geography : str, optional
        Name of a state: only tables that know it.

    Returns
    -------
    tuple of TableCard
        Title, year, geography, basis, source, what it lacks, attributes, people.
    """
    if geography is None:
        return tables()
    return tuple(
        each
        for each in tables()
        for attribute in each.attributes
        if attribute.subject is Subject.STATE and geography in attribute.values
    )
