"""Among which people are the records sought, and what does every value mean there?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from deidgui.app.experiment.columns import Used
from deidgui.app.experiment.options import ExperimentOptions
from deidgui.app.text import sentence_for
from deidgui.engine.arrays import BoolArray, IntArray
from deidgui.engine.data.hierarchy import SUPPRESSED, Hierarchy
from deidgui.engine.data.hierarchy_build import missing_token
from deidgui.engine.data.table import Column
from deidgui.engine.detect.roles import Reason
from deidgui.engine.discover.domain import Domain, proposed_order
from deidgui.engine.population import built_in
from deidgui.engine.population.ages import read_ages
from deidgui.engine.population.combining import with_single_ages
from deidgui.engine.population.mapping import AttributeMapping, DataValues
from deidgui.engine.population.over_leaves import LeafPopulation, population_over_leaves
from deidgui.engine.population.proposing import absent_texts, propose, propose_mapping
from deidgui.engine.population.table import PopulationTable, Subject
from deidgui.errors import DeidError, InputError, raise_all
from deidgui.text import Text, tr

PROFILE = "us_2014"
"""Shares the people of an age band, or of 85 and more, among single ages to 100."""

SETTLED: Mapping[str, Text] = {
    "people_race_other": (
        "as in the paper's experiment, “Other” is taken to mean some other race and "
        "two or more races"
    ),
    "people_age_top": (
        "as in the paper's experiment, the highest age is taken as it is written, not "
        "as “this age and over”"
    ),
}
"""Doubts that the set-up of the experiment decides; said in every result."""


@dataclass(frozen=True, eq=False, repr=False)
class MatchedPopulation:
    """Domains with the people of their values.

    Parameters
    ----------
    hierarchies : tuple of Hierarchy
        Flat, one per column.
    facts : mapping of str to JSON values
        About the table.
    mappings : tuple of mapping of str to JSON values
        About the values of each column.
    left_out : tuple of ndarray of bool
        By column, which of its distinct texts are left out with their records.
    """

    hierarchies: tuple[Hierarchy, ...]
    domains: tuple[Domain, ...]
    population: LeafPopulation
    facts: Mapping[str, Any]
    mappings: tuple[Mapping[str, Any], ...]
    left_out: tuple[BoolArray, ...] = field(repr=False)


def suitable_tables() -> tuple[str, ...]:
    """Names of the built-in tables that know sex, age and race."""
    wanted = {Subject.SEX, Subject.AGE, Subject.RACE}
    return tuple(card.name for card in built_in.tables() if wanted <= card.subjects)


def load_population(options: ExperimentOptions) -> PopulationTable:
    """Load a table of people; bands of age become single ages.

    Returns
    -------
    PopulationTable
        Single ages are an estimate, and named as one.

    Raises
    ------
    InputError
        Codes ``people_table_unknown``, ``experiment_population`` (table, known) or
        ``people_value_unknown`` if there is no such state.
    """
    known = suitable_tables()
    if built_in.card(options.table).name not in known:
        raise InputError("experiment_population", table=options.table, known=known)
    table = built_in.load(options.table)
    if table.of_subject(Subject.STATE) is not None:
        table = built_in.load_states(options.table, [options.state])
    ages = table.of_subject(Subject.AGE)
    profile = built_in.load(PROFILE)
    finest = profile.of_subject(Subject.AGE)
    if ages is not None and finest is not None and ages.values != finest.values:
        return with_single_ages(table, profile)
    return table


def match_population(
    used: Sequence[Used], options: ExperimentOptions
) -> MatchedPopulation:
    """Find every value of the columns in a table of people.

    Returns
    -------
    MatchedPopulation
        Domains of what occurs in the data or among the people.

    Raises
    ------
    InputError
        All problems together: ``experiment_doubt``, ``experiment_no_partner``; then
        those of `load_population` and `population_over_leaves`.

    References
    ----------
    .. [1] methods.md A.1 (domains), A.3 (people), A.8 (the paper's set-up).
    """
    table = load_population(options)
    subjects = {each.column.name: each.subject for each in used}
    columns = [each.column for each in used]
    first = propose([DataValues.of(_flat(c), c) for c in columns], table, subjects)
    hierarchies: list[Hierarchy] = []
    mappings: dict[str, AttributeMapping] = {}
    for each in used:
        mapping = first.mappings.get(each.column.name)
        hierarchy = _flat(each.column)
        if mapping is not None and each.subject is Subject.AGE:
            hierarchy, mapping = _age_mapping(each.column, mapping, options)
        hierarchies.append(hierarchy)
        if mapping is not None:
            mappings[each.column.name] = mapping
    raise_all([p for m in mappings.values() for p in _refusals(m, table, options)])
    data = [DataValues.of(h, c) for h, c in zip(hierarchies, columns, strict=True)]
    population = population_over_leaves(
        first.table,
        {name: mapping.confirmed() for name, mapping in mappings.items()},
        data,
        accepted=tuple(mappings),
    )
    return MatchedPopulation(
        tuple(hierarchies),
        tuple(_domain(h, population, place) for place, h in enumerate(hierarchies)),
        population,
        _facts(table, population, options),
        tuple(
            _mapping_facts(each, mappings[each.column.name], options) for each in used
        ),
        tuple(
            _left_out(each.column, mappings[each.column.name], options) for each in used
        ),
    )


# -- values ----------------------------------------------------------------------------


def _flat(column: Column, texts: Iterable[str] | None = None) -> Hierarchy:
    """Hierarchy of texts that can be kept or left out; a missing value is last."""
    present = list(column.present() if texts is None else texts)
    token = missing_token(column)
    leaves = [*present, *([token] if token is not None else [])]
    grid = [(text, SUPPRESSED) for text in leaves]
    return Hierarchy.from_grid(column.name, grid, missing=token)


def _ages(column: Column, more: Iterable[str]) -> Hierarchy:
    """Ages in their order, those of the people too."""
    texts = list(dict.fromkeys([*column.present(), *more]))
    spans = read_ages(texts).spans
    lows = [span.low if span is not None else -1 for span in spans]
    order = sorted(range(len(texts)), key=lambda place: (lows[place], texts[place]))
    return _flat(column, [texts[place] for place in order])


def _age_mapping(
    column: Column, first: AttributeMapping, options: ExperimentOptions
) -> tuple[Hierarchy, AttributeMapping]:
    """Ages of the data and of the people, and what each of them means."""
    top = tuple(doubt for doubt in first.doubts if doubt.code == "people_age_top")
    if not top or options.top_age == "open":
        hierarchy = _ages(column, absent_texts(first))
        return hierarchy, propose_mapping(
            DataValues.of(hierarchy, column), first.target
        )
    # With as many records at every age none of them looks like a top code.
    as_written = propose_mapping(_evened(first.data), first.target)
    hierarchy = _ages(column, absent_texts(as_written))
    data = DataValues.of(hierarchy, column)
    found = propose_mapping(_evened(data), first.target)
    return hierarchy, replace(found, data=data, doubts=(*found.doubts, *top))


def _evened(data: DataValues) -> DataValues:
    return replace(data, n_records=np.ones_like(data.n_records))


def _domain(hierarchy: Hierarchy, population: LeafPopulation, place: int) -> Domain:
    """Values in the order in which neighbours may be joined."""
    column = population.known.index(place)
    register = population.register
    counts: IntArray = np.zeros(hierarchy.n_leaves, dtype=np.int64)
    np.add.at(counts, register.leaves[:, column], register.counts)
    return Domain.of(hierarchy, proposed_order(hierarchy, counts))


# -- what is in doubt ------------------------------------------------------------------


def _alone(mapping: AttributeMapping) -> list[int]:
    """Places of values without a counterpart, missing ones left out."""
    return [place for place in mapping.unmatched if not mapping.data.lacks(place)]


def _refusals(
    mapping: AttributeMapping, table: PopulationTable, options: ExperimentOptions
) -> Iterable[DeidError]:
    where = {"attribute": mapping.data.attribute, "table": table.name}
    if options.accepts_mapping:
        return
    for doubt in mapping.doubts:
        if doubt.code not in SETTLED:
            text = sentence_for(doubt.code, doubt.params)
            yield InputError("experiment_doubt", **where, doubt=text)
    places = _alone(mapping)
    if places and not options.leaves_out:
        yield InputError(
            "experiment_no_partner",
            **where,
            n_values=len(places),
            n_records=int(mapping.data.n_records[places].sum()),
        )


def _left_out(
    column: Column, mapping: AttributeMapping, options: ExperimentOptions
) -> BoolArray:
    """Which distinct texts of a column are left out."""
    if not options.leaves_out:
        return np.zeros(column.n_values, dtype=np.bool_)
    alone = {mapping.data.texts[place] for place in mapping.unmatched}
    found = np.array([text in alone for text in column.texts()], dtype=np.bool_)
    return found | column.is_missing


# -- what is told ----------------------------------------------------------------------


def _facts(
    table: PopulationTable, population: LeafPopulation, options: ExperimentOptions
) -> dict[str, Any]:
    card = built_in.card(options.table)
    has_state = Subject.STATE in card.subjects
    return {
        "table": card.name,
        "title": card.title,
        "year": card.year,
        "state": options.state if has_state else None,
        "source": card.source,
        "basis": "counted" if population.is_counted else "modelled",
        "people": population.population_size,
        "people_of_table": table.population_size,
        "assumptions": [_described(each) for each in population.remarks],
    }


def _mapping_facts(
    used: Used, mapping: AttributeMapping, options: ExperimentOptions
) -> dict[str, Any]:
    alone, data = _alone(mapping), mapping.data
    missing = [place for place in mapping.unmatched if data.lacks(place)]
    found: dict[str, Any] = {
        "attribute": data.attribute,
        "subject": str(used.subject),
        "source": used.source,
        "values": len(data.texts),
        "matched_records": int(data.n_records.sum()) - mapping.n_unmatched_records,
        "unmatched_values": len(alone),
        "unmatched_records": int(data.n_records[alone].sum()),
        "missing_records": int(data.n_records[missing].sum()),
        "doubts": [_decided(doubt, options) for doubt in mapping.doubts],
    }
    return found


def _decided(doubt: Reason, options: ExperimentOptions) -> dict[str, Any]:
    """A doubt, and what decided it."""
    described = _described(doubt)
    decided = tr("accepted by --accept-mapping or for the sample")
    if doubt.code in SETTLED:
        decided = tr(SETTLED[doubt.code])
    if doubt.code == "people_age_top" and options.top_age == "open":
        decided = tr("read so because it was asked for")
    elif doubt.code == "people_age_top":
        # The sentence of this doubt says what is done otherwise.
        described["text"] = tr(
            "The highest age has {n_records:record|records}, many more than the "
            "age before it ({n_before}): it may stand for all above.",
            **doubt.params,
        )
    return {**described, "decided_by": decided}


def _described(reason: Reason) -> dict[str, Any]:
    return {"code": reason.code, "text": sentence_for(reason.code, reason.params)}
