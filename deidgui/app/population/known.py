"""What is known about the people that risk figures rest on, and how?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from deidgui.app.population.tables import SINGLE_AGES, PopulationSource
from deidgui.app.project import MatchChoice, Project
from deidgui.app.text import sentence_for
from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.detect.roles import Reason
from deidgui.engine.population.built_in import card, table_files
from deidgui.engine.population.over_leaves import (
    AtRecords,
    LeafPopulation,
)
from deidgui.monitor import NULL_MONITOR, Monitor
from deidgui.text import Text, share_text, tr

NOBODY: Text = "the data alone, nothing being known about the population"
"""Whose people a risk is about without a population."""

SHARE_TO_WARN = 0.01
"""A larger share of records without enough people is warned of."""


@dataclass(frozen=True)
class PopulationCoverage:
    """How well a population covers the records.

    Parameters
    ----------
    population_size : int
        People of the population.
    n_population_inside : int
        Those who have values of the data, or values that its hierarchies know.
    n_cells, n_records : int
        Combinations of values among the records, and the records.
    n_cells_without_population, n_records_without_population : int
        Those for which the population has nobody.
    n_cells_raised, n_records_raised : int
        Those with fewer people than records, nobody included: as many people as
        records are taken (methods.md A.3).
    n_records_doubtful : int
        Records with a value whose match was in doubt, confirmed or not.
    """

    population_size: int
    n_population_inside: int
    n_cells: int
    n_records: int
    n_cells_without_population: int
    n_records_without_population: int
    n_cells_raised: int
    n_records_raised: int
    n_records_doubtful: int = 0

    @property
    def n_population_outside(self) -> int:
        """People who are left out: values that occur nowhere in the data."""
        return self.population_size - self.n_population_inside


@dataclass(frozen=True)
class KnownPopulation:
    """What is known about the population of some classes, for every statement on it.

    Parameters
    ----------
    kind : str
        register, counts or built_in.
    tables : tuple of str
        Built-in tables in the order in which they were joined, or the file.
    years : tuple of int
        Of built-in tables; empty for a file, of which nothing is known.
    parts : tuple of str
        States that are meant; all if empty.
    basis : str
        "counted": somebody counted everybody; "modelled": estimates, to be labelled
        wherever a figure is shown.
    remarks : tuple of Reason
        Assumptions, what was left out, what was raised.
    files : mapping of str to str
        SHA-256 of the files of built-in tables, by name; a person's own file is among
        the inputs.
    decisions : mapping of str to MatchChoice
        What a person decided, by quasi-identifier; files' names tell their content.
    """

    kind: Literal["register", "counts", "built_in"]
    tables: tuple[str, ...]
    titles: tuple[str, ...]
    sources: tuple[str, ...]
    years: tuple[int, ...]
    parts: tuple[str, ...]
    youngest: int | None
    oldest: int | None
    basis: Literal["counted", "modelled"]
    remarks: tuple[Reason, ...]
    coverage: PopulationCoverage
    files: Mapping[str, str] = field(default_factory=dict)
    decisions: Mapping[str, MatchChoice] = field(default_factory=dict)

    @property
    def is_modelled(self) -> bool:
        """Whether its people are estimates, not counts."""
        return self.basis == "modelled"

    @property
    def name(self) -> str:
        """Titles, states and ages in one line."""
        words = " × ".join(self.titles)
        if self.parts:
            words += f"; {', '.join(self.parts)}"
        return words + _ages(self.youngest, self.oldest)

    @property
    def label(self) -> str:
        """Name and basis: stands wherever a figure of the population is shown."""
        basis = tr("MODELLED, not counted") if self.is_modelled else tr("counted")
        return f"{self.name} ({basis})"

    def sentences(self) -> tuple[str, ...]:
        """Say what the figures rest on: source, then every remark."""
        return (*self.sources, *(remark_words(each) for each in self.remarks))

    def warnings(self) -> tuple[str, ...]:
        """Say what a reader of any figure must be warned of."""
        seen = self.coverage
        found = []
        if self.is_modelled:
            found.append(
                tr(
                    "The population is MODELLED, not counted: {name}. Figures about it "
                    "are estimates.",
                    name=self.name,
                )
            )
        found += [
            remark_words(each)
            for each in self.remarks
            if each.code == "people_left_aside"
        ]
        if seen.n_records_raised > SHARE_TO_WARN * seen.n_records:
            share = share_text(seen.n_records_raised / seen.n_records)
            found.append(
                tr(
                    "{share} of the records have fewer people than records in "
                    "the population: either they do not come from it, or their values "
                    "are written in another way there.",
                    share=share,
                )
            )
        if seen.n_records_doubtful:
            found.append(self.doubtful_words)
        return tuple(found)

    @property
    def doubtful_words(self) -> str:
        """Say how many records rest on matches that were in doubt."""
        n, every = self.coverage.n_records_doubtful, self.coverage.n_records
        return tr(
            "{share} of the records ({n}) have a value whose match to the population "
            "was in doubt until a person confirmed it.",
            share=share_text(n / every),
            n=n,
        )

    def to_json(self) -> dict[str, Any]:
        """Return facts and figures as JSON values, as evidence and programs show."""
        seen = self.coverage
        return {
            "basis": self.basis,
            "words": self.label,
            "tables": list(self.titles),
            "years": list(self.years),
            "states": list(self.parts),
            "people": seen.population_size,
            "people_outside": seen.n_population_outside,
            "combinations_without_people": seen.n_cells_without_population,
            "records_without_people": seen.n_records_without_population,
            "combinations_raised": seen.n_cells_raised,
            "records_raised": seen.n_records_raised,
            "records_doubtful": seen.n_records_doubtful,
            "remarks": [each.code for each in self.remarks],
            "decisions": {
                name: each.model_dump() for name, each in self.decisions.items()
            },
        }


def remark_words(remark: Reason) -> str:
    """Return a remark in words."""
    return sentence_for(remark.code, remark.params)


def _ages(youngest: int | None, oldest: int | None) -> str:
    if youngest is None and oldest is None:
        return ""
    if oldest is None:
        return tr(", ages {youngest} and over", youngest=youngest)
    return tr(", ages {youngest} to {oldest}", youngest=youngest or 0, oldest=oldest)


def known_population(
    project: Project,
    source: PopulationSource,
    placed: LeafPopulation,
    class_table: ClassTable,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> tuple[LeafPopulation, KnownPopulation]:
    """Raise people to the records, and say what is known about them.

    Parameters
    ----------
    placed : LeafPopulation
        Of `place_population`.
    class_table : ClassTable
        Of the same hierarchies.
    """
    at = placed.at_records(class_table, monitor=monitor)
    coverage = replace(
        _coverage(source, placed, at),
        n_records_doubtful=placed.n_records_doubtful(class_table),
    )
    raised = placed.raised(at)
    if coverage.n_population_outside:
        # At least one class of people has no record, however general the policy.
        raised = replace(raised, register=replace(raised.register, n_outside=1))
    choice = project.privacy.population
    assert choice.kind in ("register", "counts", "built_in")
    cards = [card(each) for each in source.names if choice.kind == "built_in"]
    population = KnownPopulation(
        kind=choice.kind,
        tables=source.names,
        titles=tuple(each.title for each in cards) or source.names,
        sources=tuple(f"{each.title}: {each.source}" for each in cards),
        years=tuple(each.year for each in cards),
        parts=choice.states if choice.kind == "built_in" else (),
        youngest=choice.youngest if choice.kind == "built_in" else None,
        oldest=choice.oldest if choice.kind == "built_in" else None,
        basis="counted" if raised.is_counted else "modelled",
        remarks=(*source.remarks, *raised.remarks),
        coverage=coverage,
        files=_files(source, raised.remarks) if cards else {},
        decisions={
            each.name: choice.matches[each.name]
            for each in project.quasi_identifiers
            if each.name in choice.matches
        },
    )
    return raised, population


def _files(source: PopulationSource, remarks: Sequence[Reason]) -> dict[str, str]:
    """Digests of the files of built-in tables, that of single ages too."""
    names = [*source.names]
    if any(each.code == "people_single_ages" for each in remarks):
        names.append(SINGLE_AGES)
    return {
        file: digest for name in names for file, digest in table_files(name).items()
    }


def _coverage(
    source: PopulationSource, placed: LeafPopulation, at: AtRecords
) -> PopulationCoverage:
    """Compare records and people before people are raised."""
    none, short = at.population == 0, at.population < at.records
    return PopulationCoverage(
        population_size=source.table.population_size,
        n_population_inside=placed.population_size,
        n_cells=len(at.records),
        n_records=int(at.records.sum()),
        n_cells_without_population=int(none.sum()),
        n_records_without_population=int(at.records[none].sum()),
        n_cells_raised=int(short.sum()),
        n_records_raised=int(at.records[short].sum()),
    )
