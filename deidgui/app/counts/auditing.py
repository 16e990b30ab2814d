"""Audits masked tables: what an attacker can infer of every masked count, and how."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from deidgui.app.counts.tables import bounds_of, relations_of, shows_zero
from deidgui.app.decides import Decides
from deidgui.app.project import Counts
from deidgui.app.stated_counts import structure_words
from deidgui.engine.counts.audit.components import beside
from deidgui.engine.counts.audit.deriving import derivation
from deidgui.engine.counts.audit.inference import Audit, Inferred, Outcome, audit
from deidgui.engine.counts.audit.published import Published, published
from deidgui.engine.counts.audit.system import PublishedAs
from deidgui.engine.counts.audit.tracing import Deduction, KnownCount
from deidgui.engine.counts.tables.proposing import ProposedRelations
from deidgui.engine.counts.tables.reading import refuse_problems
from deidgui.engine.counts.tables.structure import (
    Bounds,
    Form,
    Relation,
    names_of,
    place_name,
    words_of,
)
from deidgui.engine.counts.tables.table import At, CountTable
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor
from deidgui.text import Text, tr

OUTCOMES: Mapping[Outcome, Text] = {
    Outcome.EXACT: "can be inferred exactly",
    Outcome.TIGHT: "too narrow",
    Outcome.INCONSISTENT: "in sums that do not agree",
    Outcome.NARROWED: "narrowed, wide enough",
    Outcome.PROTECTED: "protected",
}


@dataclass(frozen=True)
class AuditedCell:
    """What can be inferred of one masked count.

    Parameters
    ----------
    high : int or None
        None if nothing bounds it.
    is_proven : bool
        Whether both ends are known to be possible.
    left_out : tuple of Relation
        That might tell more of it, but contradict what is published: nothing is proven
        of a count that has any.
    """

    at: At
    low: int
    high: int | None
    outcome: Outcome
    is_proven: bool
    left_out: tuple[Relation, ...] = ()

    @classmethod
    def of(
        cls, at: At, found: Inferred, left_out: Sequence[Relation] = ()
    ) -> AuditedCell:
        """Return what was inferred of the cell at a place."""
        outcome = found.outcome
        if left_out and outcome in (Outcome.NARROWED, Outcome.PROTECTED):
            outcome = Outcome.INCONSISTENT
        is_proven = found.is_proven and not left_out
        return cls(at, found.low, found.high, outcome, is_proven, tuple(left_out))

    def interval(self) -> str:
        """Return the interval in words: "2" or "1 to 9"."""
        if self.high == self.low:
            return tr("{count}", count=self.low)
        if self.high is None:
            return tr("{low} or more", low=self.low)
        return tr("{low} to {high}", low=self.low, high=self.high)


@dataclass(frozen=True, repr=False, eq=False)
class AuditedTables:
    """The audit of some tables.

    Parameters
    ----------
    structure : ProposedRelations
        How the counts hang together, and sums that do not agree.
    """

    public: Published
    structure: ProposedRelations
    bounds: Bounds
    found: Audit

    decided_by = Decides.COUNTS

    @property
    def tables(self) -> tuple[CountTable, ...]:
        """The tables as they were audited."""
        return self.public.tables

    @cached_property
    def cells(self) -> tuple[AuditedCell, ...]:
        """What can be inferred of every masked count, table by table."""
        places = self.public.places
        reached = self._reached
        return tuple(
            AuditedCell.of(places[e.unknown], e, reached.get(e.unknown, ()))
            for e in self.found.cells
        )

    @cached_property
    def left_out(self) -> tuple[Relation, ...]:
        """What contradicts the rest of what is published, and was not used."""
        conflicting = (
            self.public.relation_at(at) for at in sorted(self.found.left_out)
        )
        everything = (*conflicting, *self.structure.disagreeing)
        return tuple(dict.fromkeys(everything))

    @cached_property
    def _reached(self) -> Mapping[int, Sequence[Relation]]:
        """What was left out, by the counts of which it might tell something."""
        found: dict[int, list[Relation]] = {}
        if self.left_out:
            system = self.found.system.without(self.found.left_out)
            joined, numbers = beside(system), self.public.numbers
            for each in self.left_out:
                inside = (numbers[at] for at in each.cells if at in numbers)
                for number in set[int]().union(*(joined.get(e, ()) for e in inside)):
                    found.setdefault(number, []).append(each)
        return found

    @cached_property
    def by_place(self) -> Mapping[At, AuditedCell]:
        """What can be inferred of the cell at a place."""
        return {each.at: each for each in self.cells}

    @cached_property
    def n_small_shown(self) -> int:
        """How many counts below the threshold are shown: nothing protects them."""
        return sum(1 for _at in small_counts(self.tables, self.bounds))

    @property
    def is_protected(self) -> bool:
        """Whether a threshold or a mask is there, and no count falls short of it.

        PRIVACY: what is not masked is not protected; without a threshold nobody knows
        which count should have been masked.
        """
        weak = (Outcome.EXACT, Outcome.TIGHT, Outcome.INCONSISTENT)
        is_stated = bool(self.cells) or self.bounds.threshold is not None
        return is_stated and not self.n_small_shown and not any(map(self.number, weak))

    @property
    def knows_complements(self) -> bool:
        """Whether complements are known not to be below the threshold."""
        system = self.public.system
        hidden = system.marks == PublishedAs.HIDDEN
        return bool(len(self.cells) and (system.low[hidden] > 0).any())

    def number(self, outcome: Outcome) -> int:
        """How many masked counts have an outcome."""
        return sum(each.outcome is outcome for each in self.cells)

    def conflicts(self) -> Iterator[tuple[str, ...]]:
        """Give the smallest groups of relations that contradict one another."""
        for each in self.found.conflicts:
            found = (self.public.relation_at(at) for at in each.relations)
            words = [words_of(relation, self.tables) for relation in found]
            yield tuple(dict.fromkeys(words))

    def without(self, cell: AuditedCell) -> tuple[str, ...]:
        """Say which sums were left out that might tell more of a count."""
        words = dict.fromkeys(words_of(each, self.tables) for each in cell.left_out)
        return tuple(map(left_out_words, words))

    def why(self, at: At, *, monitor: Monitor = NULL_MONITOR) -> tuple[str, ...]:
        """Return how the interval of a masked count follows, step by step."""
        number = self.public.numbers[at]
        found = derivation(self.found, number, monitor=monitor)
        if found.together:
            words = (self.public.relation_at(each) for each in found.together)
            return (
                tr("This follows only from all of these together:"),
                *dict.fromkeys(words_of(each, self.tables) for each in words),
            )
        return tuple(self._step(each) for each in found.steps)

    def _step(self, step: Deduction) -> str:
        relation = self.public.relation_at(step.relation)
        result = _known(self._name(step.found, relation), step.found)
        if relation.form is Form.ATTRITION:
            return tr(
                "{known}, so {result}",
                known=", ".join(self._of_attrition(step, relation)),
                result=result,
            )
        others = [_known(self._name(each, relation), each) for each in step.others]
        equation = words_of(relation, self.tables)
        known = ", ".join(others)
        if not known:
            return tr("{equation}: {result}", equation=equation, result=result)
        return tr(
            "{equation}: {known}, so {result}",
            equation=equation,
            known=known,
            result=result,
        )

    def _of_attrition(self, step: Deduction, relation: Relation) -> Iterator[str]:
        for each in sorted(step.others, key=lambda each: self._rank(each, relation)):
            rank = self._rank(each, relation)
            if rank == 0:
                yield tr("{count} remained before", count=_range(each))
            elif rank == 1:
                yield tr("{count} remained", count=_range(each))
            else:
                yield tr("{count} were excluded", count=_range(each))

    def _rank(self, known: KnownCount, relation: Relation) -> int:
        return relation.cells.index(self.public.places[known.unknown])

    def _name(self, known: KnownCount, relation: Relation) -> str:
        """Return the name of a cell beside those that it stands with."""
        at = self.public.places[known.unknown]
        if relation.form is Form.ATTRITION:
            cell = self.tables[at.table].cells[at.row][at.column]
            return "T" if cell.is_masked else place_name(self.tables, at)
        names, _where = names_of(relation, self.tables)
        return names[relation.cells.index(at)]


def small_counts(tables: Sequence[CountTable], bounds: Bounds) -> Iterator[At]:
    """Give the places of shown counts that are below the threshold."""
    for number, table in enumerate(tables):
        for row, column, cell in table.counts():
            if cell.count is not None and bounds.masks(cell.count):
                yield At(number, row, column)


def small_shown_words(n_small: int, threshold: int | None) -> str:
    """Say that counts below the threshold are shown, or that there is none."""
    if threshold is None:
        return tr("No count is masked and no threshold is stated.")
    return tr(
        "{n:count below the threshold is|counts below the threshold are} shown, not "
        "masked (threshold {threshold}).",
        n=n_small,
        threshold=threshold,
    )


def left_out_words(relation: str) -> str:
    """Say that a relation was left out."""
    return tr(
        "Left out, since it does not agree with the rest: {relation}",
        relation=relation,
    )


def _known(name: str, known: KnownCount) -> str:
    if known.low == known.high:
        return tr("{name} = {count}", name=name, count=known.low)
    return tr("{name} is {range}", name=name, range=_range(known))


def _range(known: KnownCount) -> str:
    if known.high is None:
        return tr("{low} or more", low=known.low)
    if known.low == known.high:
        return tr("{count}", count=known.low)
    return tr("{low} to {high}", low=known.low, high=known.high)


def audit_decided(
    counts: Counts,
    tables: Sequence[CountTable],
    *,
    structure: ProposedRelations | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> AuditedTables:
    """Find what an attacker can infer of every masked count, as is decided.

    Parameters
    ----------
    structure : ProposedRelations, optional
        As of `relations_of`, if it is known.

    Raises
    ------
    InputError
        Codes of `refuse_problems`, several as `ProblemsError`.
    """
    structure = structure or relations_of(counts, tables)
    bounds = bounds_of(counts)
    refuse_problems(tables, bounds.threshold)
    public = published(tables, structure.relations, bounds)
    step = SubMonitor(monitor, 0.05, 1.0)
    found = audit(public.system, width=counts.width, monitor=step)
    return AuditedTables(public, structure, bounds, found)


MOST_EXPLAINED = 200
"""Masked counts whose derivation is given, the worst first."""

ORDER = (
    Outcome.EXACT,
    Outcome.TIGHT,
    Outcome.INCONSISTENT,
    Outcome.NARROWED,
    Outcome.PROTECTED,
)
"""Outcomes, the worst first."""


def describe_audit(
    audited: AuditedTables,
    *,
    confirmed: bool = False,
    explained: int = 0,
    monitor: Monitor = NULL_MONITOR,
) -> dict[str, Any]:
    """Return an audit as JSON values.

    Parameters
    ----------
    confirmed : bool
        Whether a person has confirmed how the counts hang together.
    explained : int
        Masked counts whose derivation is given, the worst first.

    Returns
    -------
    dict
        With ``cells`` (``table``, ``row``, ``column``, ``low``, ``high``, ``class`` as
        the command line promises; ``line`` and ``position``, counted from 1; ``proven``
        and ``left_out``: sums that might tell more but do not agree with the rest),
        ``outcomes``, ``threshold``, ``small_shown`` (shown counts below it),
        ``structure``, ``structure_confirmed``, ``disagreeing``, ``conflicts``,
        ``assumptions``.
    """
    worst = sorted(audited.cells, key=lambda each: ORDER.index(each.outcome))
    whys = {
        each.at: audited.why(each.at, monitor=monitor) for each in worst[:explained]
    }
    cells = []
    for each in audited.cells:
        table = audited.tables[each.at.table]
        cells.append(
            {
                "table": table.name,
                "row": table.row_name(each.at.row),
                "column": table.column_name(each.at.column),
                "line": each.at.row + 1,
                "position": each.at.column + 1,
                "low": each.low,
                "high": each.high,
                "class": each.outcome.value,
                "proven": each.is_proven,
                "left_out": [words_of(e, audited.tables) for e in each.left_out],
                "why": list(whys.get(each.at, ())),
            }
        )
    structure, tables = audited.structure, audited.tables
    return {
        "cells": cells,
        "outcomes": {each.value: audited.number(each) for each in ORDER},
        "threshold": audited.bounds.threshold,
        "small_shown": audited.n_small_shown,
        "structure": [words_of(each, tables) for each in structure.relations],
        "structure_confirmed": confirmed,
        "disagreeing": [words_of(each, tables) for each in structure.disagreeing],
        "conflicts": [list(each) for each in audited.conflicts()],
        "assumptions": list(assumptions(audited)),
    }


def assumptions(audited: AuditedTables) -> Iterator[str]:
    """Give what the audit takes for granted."""
    bounds = audited.bounds
    if bounds.threshold is not None and audited.cells:
        yield tr(
            "A masked count is {low} to {high}.",
            low=0 if bounds.mask_zero else 1,
            high=bounds.threshold - 1,
        )
    if audited.cells and not bounds.mask_zero and not shows_zero(audited.tables):
        yield tr(
            "Zeros are taken to be shown, although no table shows one. If zeros are "
            "masked too, state that."
        )
    if bounds.any_count and (audited.public.system.marks == PublishedAs.HIDDEN).any():
        yield tr("An attacker thinks that a complement may be any count.")
    elif audited.knows_complements:
        yield tr(
            "An attacker knows that complements are {n} or more.", n=bounds.threshold
        )
    yield known_relations_words(len(audited.structure.relations))


def known_relations_words(n: int) -> str:
    """Say by how many relations an attacker is taken to calculate."""
    if not n:
        return structure_words(n)[0]
    return tr(
        "An attacker knows how the counts hang together ({n:relation|relations}).", n=n
    )
