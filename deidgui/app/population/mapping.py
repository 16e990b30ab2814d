"""What do the values of the quasi-identifiers stand for in the population?"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import polars as pl

from deidgui.app.population.tables import PopulationSource, subjects_of
from deidgui.app.project import Attribute, MatchChoice, PopulationChoice, Project
from deidgui.engine.arrays import BoolArray, Int32Array
from deidgui.engine.data.hierarchy_build import missing_token
from deidgui.engine.data.table import Column
from deidgui.engine.detect.roles import Reason
from deidgui.engine.population.mapping import UNIT, AttributeMapping, DataValues
from deidgui.engine.population.mapping_io import read_mapping, with_pairs
from deidgui.engine.population.over_leaves import (
    Lacking,
    LeafPopulation,
    population_over_leaves,
)
from deidgui.engine.population.proposing import (
    absent_texts,
    propose,
    propose_mapping,
)
from deidgui.engine.population.table import (
    PopulationAttribute,
    PopulationTable,
    Subject,
)
from deidgui.errors import DeidError, InputError, raise_all
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

_AGE_UNIT = re.compile(
    r"(?=.*(?<![a-z])ages?(?![a-z]))(?=.*(?<![a-z])units?(?![a-z]))", re.DOTALL
)
"""Names of columns that say in what an age is counted: "age_unit"."""


@dataclass(frozen=True, repr=False)
class Absent:
    """Values of an attribute that only the population has, as the data write theirs.

    Parameters
    ----------
    missing : str or None
        Text for "no value", if people lack one.
    """

    texts: tuple[str, ...] = ()
    missing: str | None = None


@dataclass(frozen=True, repr=False, eq=False)
class Mappings:
    """How the quasi-identifiers are found in a table of people.

    Parameters
    ----------
    table : PopulationTable
        The one to use: race and origin are joined where the data do so.
    by_attribute : mapping of str to AttributeMapping
        As confirmed or, where nobody confirmed, as proposed.
    decisions : mapping of str to MatchChoice
        Those of a person that apply to this table.
    problems : mapping of str to DeidError
        Confirmed mappings that cannot be used; the proposal stands instead.
    """

    table: PopulationTable
    by_attribute: Mapping[str, AttributeMapping]
    decisions: Mapping[str, MatchChoice]
    problems: Mapping[str, DeidError] = field(default_factory=dict)

    @property
    def lacking(self) -> Mapping[str, Lacking]:
        """What a person chose for attributes that the population lacks."""
        return {
            name: Lacking(choice.lacking)
            for name, choice in self.decisions.items()
            if name not in self.by_attribute
        }

    @property
    def accepted(self) -> frozenset[str]:
        """Attributes some of whose values have no match, as a person accepted."""
        accepted = (n for n, c in self.decisions.items() if c.accepts_unmatched)
        return frozenset(accepted)

    def undecided(self, attribute: str) -> list[DeidError]:
        """Say what a person has to decide about an attribute."""
        where = {"attribute": attribute, "table": self.table.name}
        mapping = self.by_attribute.get(attribute)
        if mapping is None:
            lacking = self.lacking.get(attribute, Lacking.REFUSED)
            is_open = lacking is Lacking.REFUSED
            return [InputError("people_lack_attribute", **where)] if is_open else []
        found: list[DeidError] = []
        if not mapping.is_ready:
            found.append(InputError("people_unconfirmed", **where))
        alone = [p for p in mapping.unmatched if not mapping.data.lacks(p)]
        if alone and attribute not in self.accepted:
            n_records = int(mapping.data.n_records[alone].sum())
            params = {"n_values": len(alone), "n_records": n_records}
            found.append(InputError("people_no_partner", **where, **params))
        return found


def values_of(column: Column) -> DataValues:
    """Values of a column, before there is a hierarchy; one stands for "no value"."""
    texts, records = column.present(), column.counts[~column.is_missing].tolist()
    token, place = missing_token(column), None
    if token is not None:
        place = len(texts)
        texts, records = [*texts, token], [*records, column.n_missing]
    return DataValues(
        column.name, tuple(texts), np.array(records, dtype=np.int64), place
    )


def map_values(
    project: Project,
    table: PopulationTable,
    data: Sequence[DataValues],
    files: Mapping[str, bytes],
    *,
    monitor: Monitor = NULL_MONITOR,
) -> Mappings:
    """Find the values of the quasi-identifiers in a table of people.

    Parameters
    ----------
    table : PopulationTable
        Of `population_table`.
    data : sequence of DataValues
        Of the quasi-identifiers, or of their hierarchies' leaves.
    files : mapping of str to bytes
        Confirmed mappings by relative path.
    """
    choice = project.privacy.population
    is_own = choice.kind != "built_in"
    if is_own:
        proposals = _own_proposals(project, table, data)
    else:
        subjects = subjects_of(project, data)
        proposal = propose(data, table, subjects, monitor=monitor)
        table = proposal.table
        proposals = {
            name: _with_units(project, mapping)
            for name, mapping in proposal.mappings.items()
        }
    decisions: dict[str, MatchChoice] = {}
    problems: dict[str, DeidError] = {}
    for each in data:
        name = each.attribute
        decided = _decision(choice, name, table)
        if decided is None:
            continue
        decisions[name] = decided
        if decided.target is None:
            proposals.pop(name, None)
            continue
        known = proposals.get(name)
        if known is None or known.target.name != decided.target:
            target = table.attribute(decided.target)
            known = _with_units(project, propose_mapping(each, target))
        proposals[name] = known
        try:
            proposals[name] = _confirmed(decided, known, files)
        except DeidError as problem:
            problems[name] = problem
    return Mappings(table, proposals, decisions, problems)


def _with_units(project: Project, proposal: AttributeMapping) -> AttributeMapping:
    """Doubt that ages are years where a column beside them may say otherwise."""
    name = proposal.data.attribute
    if proposal.target.subject is not Subject.AGE:
        return proposal
    for each in project.attributes:
        if each.name != name and _AGE_UNIT.match(each.name.casefold()):
            doubt = Reason("people_age_unit", {"column": each.name})
            return replace(proposal, doubts=(*proposal.doubts, doubt))
    return proposal


def _decision(
    choice: PopulationChoice, name: str, table: PopulationTable
) -> MatchChoice | None:
    """What a person decided about an attribute, if it is about this population."""
    decided = choice.matches.get(name)
    if decided is None or decided.target is None:
        return decided
    if choice.kind != "built_in":
        return decided if decided.target == choice.column_of(name) else None
    return decided if decided.target in table.attribute_names else None


def _confirmed(
    decided: MatchChoice, proposal: AttributeMapping, files: Mapping[str, bytes]
) -> AttributeMapping:
    if decided.csv is None:
        return proposal
    name = proposal.data.attribute
    if decided.csv not in files:
        raise InputError(
            "people_mapping_missing", attribute=name, file=decided.csv[:200]
        )
    return with_pairs(proposal, read_mapping(files[decided.csv], name))


def absent_of(
    mappings: Mappings, attribute: Attribute, *, is_own: bool
) -> Absent | None:
    """Values of an attribute that its hierarchy needs leaves for.

    Parameters
    ----------
    mappings : Mappings
        Of the values that the data have.
    is_own : bool
        Whether the population is a file of the person's.

    Returns
    -------
    Absent or None
        None if there are none.

    Notes
    -----
    Where every value is written alike in both, the population's others are written so
    too; elsewhere only ages and ZIP codes are known (`absent_texts`).
    """
    mapping = mappings.by_attribute.get(attribute.name)
    if mapping is None:
        return None
    if not is_own or not _is_plain(mapping):
        found = Absent(absent_texts(mapping))
        return found if found.texts else None
    owned = set(mapping.other.tolist())
    missing = _missing_places(mapping.target, attribute)
    texts = tuple(
        value
        for place, value in enumerate(mapping.target.values)
        if place not in owned and not missing[place]
    )
    token = None
    if missing.any() and mapping.data.missing is None:
        token = mapping.target.values[int(np.argmax(missing))]
    return Absent(texts, token) if texts or token is not None else None


def _is_plain(mapping: AttributeMapping) -> bool:
    """Whether values of the data are written as in the population."""
    if mapping.target.subject is Subject.OTHER:
        return True
    return all(
        match.reason.code in ("people_value_same", "people_value_missing")
        for match in mapping.matches()
        if match.n_records
    )


# -- files of a person's own -----------------------------------------------------------


def _own_proposals(
    project: Project, table: PopulationTable, data: Sequence[DataValues]
) -> dict[str, AttributeMapping]:
    """Values of the data that a file writes alike, else what they may stand for."""
    choice = project.privacy.population
    found = {}
    for each in data:
        column = choice.column_of(each.attribute)
        if column not in table.attribute_names:
            continue
        target = table.attribute(column)
        attribute = project.attribute(each.attribute)
        mapping = _alike(each, target) or propose_mapping(each, target)
        found[each.attribute] = _with_missing(mapping, attribute)
    return found


def _alike(data: DataValues, target: PopulationAttribute) -> AttributeMapping | None:
    """Map by texts, if all values that have records are written alike."""
    index = target.index
    places = np.array([index.get(text, -1) for text in data.texts], dtype=np.int32)
    if data.missing is not None:
        places[data.missing] = -1
    is_value = np.ones(len(places), dtype=np.bool_)
    if data.missing is not None:
        is_value[data.missing] = False
    if (is_value & (places < 0) & (data.n_records > 0)).any():
        return None
    if not (places >= 0).any():
        return None
    own = np.flatnonzero(places >= 0).astype(np.int32)
    order = np.argsort(places[own], kind="stable")
    other: Int32Array = places[own][order]
    outside = np.full(target.n_values, UNIT, dtype=np.int64)
    outside[other] = 0
    same, none = Reason("people_value_same"), Reason("people_value_none")
    nothing = Reason("people_value_missing")
    reasons = [same if place >= 0 else none for place in places]
    if data.missing is not None:
        reasons[data.missing] = nothing
    return AttributeMapping(
        data,
        target,
        own[order],
        other,
        np.full(len(own), UNIT, dtype=np.int64),
        outside,
        tuple(0.0 if reason is none else 1.0 for reason in reasons),
        tuple(reasons),
    )


def _with_missing(mapping: AttributeMapping, attribute: Attribute) -> AttributeMapping:
    """Let people without a value stand for records without one: a person's own file.

    Texts that mean "no value" in the data mean it in the population too.
    """
    place = mapping.data.missing
    missing = np.flatnonzero(_missing_places(mapping.target, attribute))
    if place is None or not len(missing):
        return mapping
    kept = ~np.isin(mapping.other, missing)
    own = np.append(mapping.own[kept], np.full(len(missing), place))
    other = np.append(mapping.other[kept], missing)
    weights = np.append(mapping.weights[kept], np.full(len(missing), UNIT))
    outside = mapping.outside.copy()
    outside[missing] = 0
    order = np.lexsort([own, other])
    return AttributeMapping(
        mapping.data,
        mapping.target,
        own[order].astype(np.int32),
        other[order].astype(np.int32),
        weights[order],
        outside,
        mapping.confidences,
        mapping.reasons,
        mapping.doubts,
        mapping.is_confirmed,
    )


def _missing_places(target: PopulationAttribute, attribute: Attribute) -> BoolArray:
    tokens = set(attribute.missing)
    return np.array([value in tokens for value in target.values], dtype=np.bool_)


def place_population(
    project: Project,
    source: PopulationSource,
    data: Sequence[DataValues],
    files: Mapping[str, bytes],
    *,
    monitor: Monitor = NULL_MONITOR,
) -> LeafPopulation:
    """Count the people of each combination of leaves.

    Parameters
    ----------
    data : sequence of DataValues
        Leaves of the quasi-identifiers' hierarchies, in column order.
    files : mapping of str to bytes
        Confirmed mappings by relative path.

    Raises
    ------
    DeidError
        As `population_over_leaves`; and of confirmed mappings that cannot be used,
        `read_mapping` and `with_pairs`. All problems together.
    """
    step = SubMonitor(monitor, 0.0, 0.2)
    mappings = map_values(project, source.table, data, files, monitor=step)
    problems: list[DeidError] = list(mappings.problems.values())
    raise_all(problems)
    return population_over_leaves(
        mappings.table,
        mappings.by_attribute,
        data,
        lacking=mappings.lacking,
        accepted=mappings.accepted,
        monitor=SubMonitor(monitor, 0.2, 1.0),
    )


def joined_column(
    column: Column, texts: Sequence[str], missing: str | None = None
) -> Column:
    """Column whose dictionary holds values too that only the population has.

    Rules are applied to it, so that a hierarchy has a leaf for everybody in the
    population. These values have no records: quantiles stay those of the data.

    Parameters
    ----------
    column : Column
        Of the data, missing values marked.
    texts : sequence of str
        Values that only the population has.
    missing : str, optional
        Text for "no value", if people lack one and no record does.

    Returns
    -------
    Column
        `column` itself if nothing is missing in it; one row longer if only the
        population has missing values.
    """
    old = column.values
    token = missing if column.n_missing == 0 else None
    added = [*texts] if token is None else [*texts, token]
    new = pl.Series(added, dtype=pl.String).unique()
    new = new.filter(~new.is_in(old.to_list()))
    if len(new) == 0 and token is None:
        return column
    values = pl.concat([old.alias("value"), new.alias("value")])
    order = values.arg_sort().to_numpy()
    place = np.empty(len(order), np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    codes, whose = place[column.codes], column.people
    values = values.gather(order)
    if token is not None:
        codes = np.append(codes, np.int32(values.to_list().index(token)))
        if whose is not None:
            whose = np.append(whose, whose.max(initial=-1) + np.int32(1))
    tokens = column.values.gather(column.missing_codes).to_list()
    absent = column.absent
    if token is not None:
        tokens.append(token)
        absent = None if absent is None else np.append(absent, False)
    joined = Column(column.name, codes, values, people=whose, absent=absent)
    return joined.with_missing(tokens)
