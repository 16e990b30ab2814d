"""What a front end can ask for about tables of counts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence
from pathlib import Path
from typing import Any

from deidgui.app.counts import ops
from deidgui.app.counts.auditing import AuditedTables, audit_decided
from deidgui.app.counts.coarser import CoarserTables, joining
from deidgui.app.counts.making import read_patients
from deidgui.app.counts.network import Site, site_choice, sites_of
from deidgui.app.counts.questions import questions_of_tables
from deidgui.app.counts.repairing import masking, small_shown
from deidgui.app.counts.tables import (
    OpenedTable,
    RawTable,
    bounds_of,
    marks_of,
    masks_zero,
    opened_tables,
    pasted_tables,
    raw_tables,
    read_as,
    relations_of,
    shows_masked,
    shows_zero,
    tables_of,
)
from deidgui.app.jobs import Lane
from deidgui.app.project import Counts
from deidgui.app.release.questions import ReleaseQuestion, answer_to
from deidgui.app.session import Kind, Session, State
from deidgui.engine.counts.tables.proposing import ProposedRelations
from deidgui.engine.counts.tables.reading import (
    Grid,
    cell_problems,
    needs_threshold,
)
from deidgui.engine.counts.tables.table import CountTable
from deidgui.engine.data.table import Table
from deidgui.errors import DeidError
from deidgui.monitor import Monitor
from deidgui.text import tr

Start = Callable[[str, Callable[[Monitor], Any], Callable[[Any], None]], None]


FEW = 2_000
"""Cells of which the structure is found while somebody waits."""


def _read_as(counts: Counts) -> tuple[Any, ...]:
    """All that decides how the cells are read."""
    return tuple(map(read_as, counts.tables)), counts.marks


def _basis(counts: Counts) -> tuple[Any, ...]:
    """All that decides how the counts hang together."""
    bounds = counts.threshold, counts.mask_zero, counts.any_count
    tables = tuple(map(read_as, counts.tables))
    return tables, counts.marks, bounds, counts.relations


class CountsWork:
    """Tables of counts of a session, as they are decided, and their audit.

    Parameters
    ----------
    start : callable
        Runs work in a lane, then something with its result on the owner's thread.
    """

    def __init__(self, session: Session, start: Start) -> None:
        self._session, self._start = session, start
        self._sites: tuple[Any, tuple[Site, ...]] = (None, ())
        self._tables: tuple[Any, tuple[CountTable, ...]] = ((None, None), ())
        self._read: dict[Hashable, CountTable] = {}
        self._structure: tuple[Any, ProposedRelations] = (None, ProposedRelations(()))
        self._proposed: tuple[Any, ProposedRelations] = (None, ProposedRelations(()))

    @property
    def decided(self) -> Counts:
        """The decisions."""
        return self._session.project.counts or Counts()

    @property
    def tables(self) -> tuple[CountTable, ...]:
        """Tables of the project; none in one of another kind.

        Raises
        ------
        InputError
            As `tables_of`.
        """
        counts = self._session.project.counts
        if counts is None:
            return ()
        basis = _read_as(counts)
        if self._tables[0] != basis:
            known = self._read if self._tables[0][1:] == basis[1:] else {}
            files = self._session.hierarchy_files
            found = tables_of(self._session.project, files, known)
            self._tables = basis, found
            self._read = dict(zip(basis[0], found, strict=True))
        return self._tables[1]

    @property
    def structure(self) -> ProposedRelations:
        """How the counts hang together (raises as `tables`).

        PERF: of many counts it is found with the next audit; until then it is what the
        last one found (`is_structure_known`).
        """
        basis = _basis(self.decided)
        if self._structure[0] != basis:
            if not self._is_quick():
                return (
                    ProposedRelations(())
                    if self.audited is None
                    else self.audited.structure
                )
            self._keep(self.decided, relations_of(self.decided, self.tables))
        return self._structure[1]

    @property
    def is_structure_known(self) -> bool:
        """Whether `structure` is that of the present decisions (raises as `tables`)."""
        return self._structure[0] == _basis(self.decided) or self._is_quick()

    @property
    def is_structure_open(self) -> bool:
        """Whether counts are masked, and nobody has confirmed the structure.

        PRIVACY: what protects a masked count is that no total tells it. Only a person
        knows which totals are published elsewhere.
        """
        has_masked = self.audited is not None and bool(self.audited.cells)
        return has_masked and not self.decided.relations_confirmed

    def proposed(self) -> ProposedRelations:
        """What is proposed, whatever was decided (raises as `tables`).

        Of many counts nothing, unless it was found before.
        """
        counts = self.decided.but(relations=None)
        if self._proposed[0] != _basis(counts):
            if not self._has_few:
                return ProposedRelations(())
            self._proposed = _basis(counts), relations_of(counts, self.tables)
        return self._proposed[1]

    def _is_quick(self) -> bool:
        """Whether the structure is found at once: it was decided, or counts are few."""
        return self.decided.relations is not None or self._has_few

    @property
    def _has_few(self) -> bool:
        shapes = (table.shape for table in self.tables)
        return sum(rows * columns for rows, columns in shapes) <= FEW

    def _keep(self, counts: Counts, found: ProposedRelations) -> None:
        self._structure = _basis(counts), found
        if counts.relations is None:
            self._proposed = self._structure

    @property
    def audited(self) -> AuditedTables | None:
        """The audit that was made last, current or stale."""
        found: AuditedTables | None = self._session.result(Kind.AUDIT)
        return found

    def problems(self) -> list[DeidError]:
        """Name the cells that cannot be used (raises as `tables`)."""
        return cell_problems(self.tables)

    def wants_threshold(self) -> bool:
        """Whether counts are masked and nobody has said below what."""
        if self.decided.threshold is not None:
            return False
        return any(needs_threshold(table) for table in self.tables)

    def has_masked(self) -> bool:
        """Whether any count is masked because it is small."""
        return shows_masked(self.tables)

    def masks_zero(self) -> bool | None:
        """Whether zeros are masked (`masks_zero`); None while it is not known."""
        return masks_zero(self.decided, self.tables)

    def wants_zeros_said(self) -> bool:
        """Whether nobody has said if zeros are masked, and something rests on it."""
        if self.masks_zero() is not None:
            return False
        is_stated = self.decided.threshold is not None
        return self.has_masked() or (is_stated and shows_zero(self.tables))

    # -- tables --------------------------------------------------------------------

    def read_files(
        self, paths: Sequence[Path], done: Callable[[tuple[RawTable, ...]], None]
    ) -> None:
        """Read files and their sheets, before any is added (lane READ)."""

        def work(monitor: Monitor) -> tuple[RawTable, ...]:
            return raw_tables(paths, monitor=monitor)

        self._start(Lane.READ, work, done)

    def add_raw(self, raw: Sequence[RawTable]) -> None:
        """Add tables that were read (lane READ)."""
        taken, marks = self._taken, marks_of(self.decided)

        def work(_monitor: Monitor) -> tuple[OpenedTable, ...]:
            return opened_tables(raw, taken, marks)

        self._start(Lane.READ, work, self._add)

    @property
    def _taken(self) -> list[str]:
        return [each.name for each in self.decided.tables]

    def paste(self, text: str) -> int:
        """Add what was typed or pasted: one table or several.

        Returns
        -------
        int
            How many.

        Raises
        ------
        InputError
            As `pasted_tables`.
        """
        found = pasted_tables(text, self._taken, marks_of(self.decided))
        self._add(found)
        return len(found)

    def open_patients(self, path: Path, done: Callable[[Table], None]) -> None:
        """Read a table of patients that tables are made from (lane READ)."""

        def work(monitor: Monitor) -> Table:
            return read_patients(path, monitor=monitor)

        self._start(Lane.READ, work, done)

    def add_made(self, name: str, grid: Grid) -> None:
        """Add a table that was made from a table of patients.

        Raises
        ------
        InputError
            As `CountTable.of`.
        """
        raw = [RawTable(name, grid, "", "", "")]
        self._add(opened_tables(raw, self._taken, marks_of(self.decided)))

    def _add(self, opened: Sequence[OpenedTable]) -> None:
        for each in opened:
            self._session.add_hierarchy_file(each.choice().file, each.content)
        self._session.apply(ops.add_tables(opened), tr("add tables"))

    def n_small_shown(self) -> int:
        """How many counts below the threshold are shown (raises as `tables`)."""
        return len(small_shown(self.tables, bounds_of(self.decided)))

    def mask_small(self) -> None:
        """Mask the counts below the threshold, and what tells them.

        Raises
        ------
        InputError
            As `tables`.
        """
        relations = relations_of(self.decided, self.tables).relations
        made = masking(self.tables, relations, bounds_of(self.decided))
        self._session.apply(made.op, tr("mask small counts"))

    def join_categories(self, found: CoarserTables) -> None:
        """Put tables with coarser categories in the place of the present ones."""
        made = joining(found, self.decided)
        for name, content in made.files.items():
            self._session.add_hierarchy_file(name, content)
        self._session.apply(made.op, tr("join categories"))

    # -- sites of a network --------------------------------------------------------

    @property
    def sites(self) -> tuple[Site, ...]:
        """Sites of the project.

        Raises
        ------
        InputError
            As `sites_of`.
        """
        basis = self.decided.sites, self.decided.marks
        if self._sites[0] != basis:
            found = sites_of(self.decided, self._session.hierarchy_files)
            self._sites = basis, found
        return self._sites[1]

    def add_sites(self, sites: Sequence[Site]) -> None:
        """Add sites, whose cells are then kept beside the project."""
        choices = list(self.decided.sites)
        for each in sites:
            choice, content = site_choice(each)
            self._session.add_hierarchy_file(choice.file, content)
            choices.append(choice)
        self._session.apply(ops.set_sites(choices), tr("add sites"))

    def remove_sites(self, names: Collection[str]) -> None:
        """Remove sites by their names."""
        kept = [each for each in self.decided.sites if each.name not in names]
        self._session.apply(ops.set_sites(kept), tr("remove sites"))

    # -- audit ---------------------------------------------------------------------

    def what_is_missing(self) -> str:
        """Say why the tables cannot be audited; empty if they can be."""
        try:
            tables = self.tables
        except DeidError:
            return tr("The cells of a table cannot be read.")
        if not tables:
            return tr("Add a table of counts.")
        n = len(self.problems())
        if n:
            return tr("Fix {n:cell that cannot|cells that cannot} be read.", n=n)
        if self.wants_threshold():
            return tr(
                "State on the step Tables below which threshold counts are masked."
            )
        if self.wants_zeros_said():
            return tr("Say whether zeros are shown or masked.")
        return ""

    def update_audit(self) -> None:
        """Audit the tables anew if decisions changed (lane AUDIT)."""
        session = self._session
        if session.state(Kind.AUDIT) is State.CURRENT or self.what_is_missing():
            return
        snapshot, counts, tables = session.project, self.decided, self.tables
        known = self.structure if self.is_structure_known else None

        def work(monitor: Monitor) -> AuditedTables:
            return audit_decided(counts, tables, structure=known, monitor=monitor)

        def done(audited: AuditedTables) -> None:
            self._keep(counts, audited.structure)
            session.set_result(Kind.AUDIT, audited, snapshot)

        self._start(Lane.AUDIT, work, done)

    # -- questions -----------------------------------------------------------------

    @property
    def questions(self) -> tuple[ReleaseQuestion, ...] | None:
        """What is asked about the tables; None while it is not known."""
        basis, asked = self._session.result(Kind.QUESTIONS) or (None, ())
        found: tuple[ReleaseQuestion, ...] = asked
        return found if basis == _read_as(self.decided) else None

    def n_open_questions(self) -> int | None:
        """How many nobody has answered; None while they are not known."""
        asked, project = self.questions, self._session.project
        if asked is None:
            return None
        return [answer_to(project, each) for each in asked].count(None)

    def update_questions(self) -> None:
        """Look at the tables anew if they have changed (lane QUESTIONS)."""
        session, basis = self._session, _read_as(self.decided)
        if self.questions is not None or not basis[0]:
            return
        try:
            tables = self.tables
        except DeidError:
            return  # It is said where the tables are.
        snapshot = session.project

        def work(_monitor: Monitor) -> tuple[ReleaseQuestion, ...]:
            return questions_of_tables(tables)

        def done(asked: tuple[ReleaseQuestion, ...]) -> None:
            session.set_result(Kind.QUESTIONS, (basis, asked), snapshot)

        self._start(Lane.QUESTIONS, work, done)
