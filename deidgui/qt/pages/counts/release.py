"""The release of tables of counts, masked or with noise: look at it, write it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QFileDialog, QLineEdit, QWidget

from deidgui.app.counts import ops
from deidgui.app.counts.earlier import EarlierOpenError
from deidgui.app.counts.fuzzing import KeptApart
from deidgui.app.counts.preparing import (
    DrawnRelease,
    Noisy,
    basis_of,
    draw_release,
)
from deidgui.app.counts.releasing import WrittenCounts, write_counts
from deidgui.app.decides import Changes
from deidgui.app.determination.validity import validity_problem
from deidgui.app.dossier.signing import unsigned_parts
from deidgui.app.jobs import Lane
from deidgui.app.ops import Op
from deidgui.app.project import Counts
from deidgui.app.release.questions import ReleaseQuestion, answer_to
from deidgui.app.session import Kind as Result
from deidgui.app.session import State
from deidgui.app.stated import accepted_risk
from deidgui.app.stated_counts import structure_words
from deidgui.engine.counts.audit.inference import Outcome
from deidgui.engine.counts.tables.table import At
from deidgui.engine.evidence.mapping import safe_name
from deidgui.errors import DeidError, ProblemsError
from deidgui.monitor import Monitor
from deidgui.qt.file_dialogs import ask_new_folder, ask_save, free_folder
from deidgui.qt.messages import words_for
from deidgui.qt.pages.base import Page, PageStatus, StepState
from deidgui.qt.pages.counts.grid import TINT_ROLE, CountGrid, CountGridModel, Index
from deidgui.qt.pages.counts.working import PageWork
from deidgui.qt.pages.export.questions import QuestionsCard
from deidgui.qt.pages.risk.validity import ValidityPart
from deidgui.qt.pages.signing import SignRow
from deidgui.qt.settings import Settings
from deidgui.qt.widgets import (
    Button,
    Callout,
    Caption,
    Card,
    ComboBox,
    EmptyState,
    Label,
    ProgressCard,
    Segmented,
    TextTable,
    column,
    field_row,
    holder,
    row,
    show_if,
)
from deidgui.text import Text, escaped, share_text, tr

if TYPE_CHECKING:
    from deidgui.app.workspace import Workspace

HEADS: tuple[Text, ...] = ("Count", "Noise (sd)", "Left (sd)", "Left")

PLACES: Mapping[str, Text] = {
    "tables/threshold": "Go to Tables",
    "noise": "Decide on the noise",
}
"""Where what is missing is decided, and the words of the button that leads there."""

MOST_WEAK = 200
"""Counts that are listed, the weakest first."""


class NoisyModel(CountGridModel):
    """A table with noise, with its uncertainty beside every count."""

    def __init__(self) -> None:
        super().__init__()
        self._place = 0
        self._noisy: Mapping[At, Noisy] = {}

    def show_noisy(self, drawn: DrawnRelease | None, place: int) -> None:
        """Show one table of a release."""
        self._place = place
        self._noisy = {} if drawn is None else drawn.by_place
        self.show_table(None if drawn is None else drawn.tables[place], place)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        noisy = self._noisy.get(At(self._place, index.row(), index.column()))
        if noisy is None:
            return super().data(index, role)
        if role == Qt.ItemDataRole.DisplayRole:
            text = super().data(index, role)
            return tr("{count} ± {reach}", count=text, reach=f"{noisy.reach:.1f}")
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return _words(noisy)
        if role == TINT_ROLE:
            return "warning_soft" if noisy.is_weak else ""
        if role == Qt.ItemDataRole.DecorationRole:
            return None
        return super().data(index, role)


def _words(noisy: Noisy) -> str:
    words = tr(
        "{count}: standard deviation of the noise {sd}, 95\u202f% within ±{reach}",
        count=noisy.count,
        sd=f"{noisy.sd:.2f}",
        reach=f"{noisy.reach:.1f}",
    )
    if not noisy.is_weak:
        return words
    left = tr(
        "{sd} is left for somebody who adds up totals and parts", sd=f"{noisy.left:.2f}"
    )
    return f"{words}; {left}"


class NoisyGrid(CountGrid):
    """Shows one table of a release."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self.noisy_model = NoisyModel()
        self.grid_model = self.noisy_model
        self.setModel(self.noisy_model)

    def show_noisy(self, drawn: DrawnRelease | None, place: int) -> None:
        """Show one table."""
        self.noisy_model.show_noisy(drawn, place)
        for each in range(self.noisy_model.columnCount()):
            wanted = self.sizeHintForColumn(each) + 24
            self.setColumnWidth(each, min(max(wanted, 72), 320))


class CountsReleasePage(Page):
    """Masked tables or counts with noise: prepared once, shown, and written so.

    Attributes
    ----------
    drawn : DrawnRelease or None
    """

    key = "counts_release"
    parts = (
        Changes.COUNTS
        | Changes.PRIVACY
        | Changes.NOTES
        | Changes.EXPORT
        | Changes.FILE
        | Changes.RESULT
    )
    scrolls = True

    def __init__(
        self, workspace: Workspace, settings: Settings, parent: QWidget | None = None
    ) -> None:
        super().__init__(workspace, settings, parent)
        self.set_header(
            tr("Preview and export"),
            tr("What you see here is what is released."),
        )
        self.drawn: DrawnRelease | None = None
        self._written: Path | None = None
        self._key_file: Path | None = None
        self._earlier: tuple[Counts | None, tuple[ReleaseQuestion, ...]] = None, ()
        last = settings.folder_for("release")
        self._places = {Path(last)} if last else set()
        self.kind = Segmented(
            [
                ("", tr("Not decided")),
                ("masked", tr("Masked tables")),
                ("noise", tr("Counts with noise")),
            ],
            name=tr("What is released"),
        )
        self.kind.chosen.connect(self._on_kind)
        self.kind_words = Caption()
        self.inferable = Callout()
        self.inferable.acted.connect(self._on_repair_wanted)
        self.structure = Callout(status="warning")
        self.structure.acted.connect(self._on_structure_wanted)
        self.reason = QLineEdit()
        self.reason.setMaxLength(2000)
        self.reason.editingFinished.connect(self._on_reason)
        self.empty = EmptyState("export", tr("Nothing to release yet"))
        self.empty.acted.connect(self._on_fix_wanted)
        self.draw = Button(tr("Draw the noise"), "primary", "play", self.start_drawing)
        self.write = Button(tr("Export…"), glyph="export", clicked=self._on_export)
        self.add_header_action(self.draw)
        self.add_header_action(self.write)
        self.finish = self.write
        self.key_words = Label("", "caption", "muted", wrap=True)
        self.choose_key = Button(
            tr("Key file…"), glyph="key", clicked=self._on_key, small=True
        )
        self.destroy_key = Button(
            tr("Destroy the key instead"), "quiet", clicked=self._on_no_key, small=True
        )
        self.progress = ProgressCard(tr("Tables of counts"), can_pause=False)
        self.stale, self.done = Callout(), Callout()
        self.table = ComboBox(name=tr("Table"))
        self.table.currentIndexChanged.connect(self._show_table)
        self.grid = NoisyGrid(tr("The table with noise"))
        self.grid.setMinimumHeight(260)
        self.words = Label("", wrap=True)
        self.weak = TextTable(
            tr("Counts with less noise left"),
            [tr(each) for each in HEADS],
            numbers=(1, 2, 3),
        )
        self.weak_words = Label("", "strong", wrap=True)
        self._build()
        self._connect_work()

    def _connect_work(self) -> None:
        self._work = PageWork(self, Lane.NOISE, self.progress)
        self._work.running_changed.connect(self._on_running)
        self._writing = PageWork(self, Lane.EXPORT, self.progress)
        self._writing.running_changed.connect(self._on_running)
        self._writing.failed.connect(self._on_not_written)

    def _build(self) -> None:
        choice = Card()
        choice.add(field_row(tr("What is released"), self.kind))
        choice.add(self.kind_words)
        self._reason_row = field_row(
            tr("Why they are released all the same"),
            self.reason,
            tr("Stands in evidence and report."),
        )
        choice.add(self.structure)
        choice.add(self.inferable)
        choice.add(self._reason_row)
        self.signing = SignRow(tr("Who gives the reason"))
        self.signing.by.follow(self.session)
        self.signing.decided.connect(self._decide)
        choice.add(self.signing)
        self.questions = QuestionsCard(
            tr("Questions about the tables"),
            tr(
                "State why the tables are released all the same, or change them. Your "
                "reason stands in evidence and report."
            ),
            self.signing,
        )
        self.questions.decided.connect(self._decide)
        self.body.addWidget(choice)
        self.body.addWidget(self.questions)
        key = holder(row((self.key_words, 1), self.choose_key, self.destroy_key))
        self._key_row = key
        shown = Card()
        shown.add(holder(row(self.table, None)))
        shown.add(self.grid)
        shown.add(self.words)
        self._left = left = Card(
            tr("What is left of the noise"),
            tr(
                "A total and its parts tell about each other, and so does the same "
                "count in several tables."
            ),
        )
        left.add(self.weak_words)
        left.add(self.weak)
        left.add(
            Caption(
                tr(
                    "Computed from the sums and repeated counts that are known here. "
                    "Counts with less than 80\u202f% of their noise left are listed."
                )
            )
        )
        self._filled = holder(column(shown, left, spacing=16))
        for each in (self.empty, key, self.progress, self.done, self.stale):
            self.body.addWidget(each)
        self.body.addWidget(self._filled)
        self.validity = ValidityPart()
        self.validity.by.follow(self.session)
        self.validity.setMinimumHeight(380)
        self.validity.decided.connect(self._decide)
        self.body.addWidget(self.validity)
        self.body.addStretch(1)

    # -- showing -------------------------------------------------------------------

    @property
    def _kept(self) -> KeptApart:
        return KeptApart(key_file=self._key_file)

    @property
    def chosen(self) -> str:
        """What a person decided to release: masked, noise, or nothing yet."""
        counts = self.session.project.counts
        if counts is None:
            return ""
        return counts.released_as or ""

    @property
    def is_current(self) -> bool:
        """Whether the release was prepared for the present decisions."""
        basis = basis_of(self.session.project, self._kept)
        return self.drawn is not None and self.drawn.basis == basis

    def missing(self) -> str:
        """Say what must be decided first; empty if nothing."""
        return self._missing()[0]

    def _missing(self) -> tuple[str, str]:
        """What must be decided first, and the place of `PLACES` where; else empty."""
        counts = self.session.project.counts
        if counts is None or not counts.tables:
            return tr("Add a table of counts."), "tables/threshold"
        if self.workspace.counts.problems():
            return tr("Fix the cells that cannot be read."), "tables/threshold"
        ended = validity_problem(self.session.project)
        if ended is not None:
            return words_for(ended).what, ""
        if asked := self._missing_answers():
            return asked, ""
        if not self.chosen:
            words = tr("Choose whether the tables are released masked or with noise.")
            return words, ""
        if self.chosen == "masked":
            return self._missing_of_masked(counts)
        return ("", "") if counts.noise else (tr("Decide on the noise."), "noise")

    def _missing_answers(self) -> str:
        n_open = self.workspace.counts.n_open_questions()
        if n_open is None:
            return tr("The tables are being looked at.")
        project = self.session.project
        n_open += [answer_to(project, each) for each in self._about_earlier].count(None)
        if not n_open:
            return ""
        return tr("{n:question|questions} about the tables must be answered.", n=n_open)

    @property
    def _about_earlier(self) -> tuple[ReleaseQuestion, ...]:
        """What is asked about earlier releases, if the decisions are still the same."""
        decided, asked = self._earlier
        return asked if decided == self.session.project.counts else ()

    def _missing_of_masked(self, counts: Counts) -> tuple[str, str]:
        missing = self.workspace.counts.what_is_missing()
        if not missing and counts.threshold is None:
            missing = tr(
                "State on the step Tables below which threshold counts are masked."
            )
        if not missing and (n := self.workspace.counts.n_small_shown()):
            missing = tr(
                "{n:count below the threshold is|counts below the threshold are} "
                "shown. Mask them on the step Tables.",
                n=n,
            )
        if missing:
            return missing, "tables/threshold"
        if self.session.state(Result.AUDIT) is not State.CURRENT:
            return tr("The audit is being brought up to date."), ""
        is_doubted = self._n_weak() or self._n_unknown()
        if is_doubted and not counts.inferable_because.strip():
            # The way to Repair stands above, beside the reason.
            return self._fix_of_weak(), ""
        return "", ""

    def _n_weak(self) -> int:
        """Masked counts that can be inferred exactly or nearly."""
        audited = self.workspace.counts.audited
        return 0 if audited is None else len(audited.found.too_narrow)

    def _n_unknown(self) -> int:
        """Masked counts in sums that do not agree: what tells them is not known."""
        audited = self.workspace.counts.audited
        return 0 if audited is None else audited.number(Outcome.INCONSISTENT)

    def _fix_of_weak(self) -> str:
        if self._n_weak():
            return tr("Repair the tables, or state why they are released all the same.")
        return tr(
            "Correct the counts, say on the step Structure what is no sum, or state "
            "why the tables are released all the same."
        )

    def refresh(self, changes: Changes) -> None:
        """Show the release that was drawn, and whether it is up to date."""
        (missing, place), counts = self._missing(), self.session.project.counts
        rule = None if counts is None else counts.noise
        is_noise = self.chosen == "noise"
        self._show_choice()
        self.validity.show_project(self.session.project)
        show_if(self.empty, bool(missing))
        self.empty.show_words(
            tr("Nothing to release yet"),
            missing,
            tr(PLACES[place]) if place else "",
        )
        is_keyed = is_noise and rule is not None and rule.is_keyed
        show_if(self._key_row, is_keyed)
        show_if(self.destroy_key, self._key_file is not None)
        self.key_words.setText(self._words_on_key())
        self.draw.setEnabled(not missing)
        self.write.setEnabled(self.is_current and not missing)
        self.draw.setText(self._draw_words())
        self.draw.set_kind("plain" if self.is_current else "primary")
        self.write.set_kind("primary" if self.is_current else "plain")
        show_if(self._filled, self.drawn is not None and not missing)
        is_stale = self.drawn is not None and not self.is_current
        show_if(self.stale, is_stale and not missing)
        self.stale.show_words(
            tr("These tables were prepared for earlier decisions."),
            "warning",
            tr("Prepare them again before you export."),
        )
        show_if(self.done, self._written is not None and self.is_current)

    def _draw_words(self) -> str:
        if self.chosen != "noise":
            return tr("Prepare again") if self._is_again else tr("Prepare the tables")
        return tr("Draw the noise again") if self._is_again else tr("Draw the noise")

    @property
    def _is_again(self) -> bool:
        """Whether the same tables were prepared before in the way that is chosen."""
        drawn, counts = self.drawn, self.session.project.counts
        if drawn is None or counts is None:
            return False
        had_noise = drawn.prepared.fuzzed is not None
        names = [each.name for each in counts.tables]
        is_same = [each.name for each in drawn.tables] == names
        return is_same and had_noise == (self.chosen == "noise")

    def _show_choice(self) -> None:
        """Show what is released, and why, if masked counts can be inferred."""
        chosen, counts = self.chosen, self.session.project.counts
        self.kind.offer("", not chosen)
        self.kind.set_current(chosen)
        self.kind_words.setText(
            {
                "": tr("Nobody has decided yet."),
                "masked": tr(
                    "The tables as they stand, small counts masked, after an audit of "
                    "what can be inferred."
                ),
                "noise": tr(
                    "True counts with random noise on each, and their uncertainty. "
                    "Masked counts stay masked."
                ),
            }[chosen]
        )
        self._show_structure()
        self._show_inferable()
        project = self.session.project
        self.signing.show_project(project)
        asked = (*(self.workspace.counts.questions or ()), *self._about_earlier)
        self.questions.show_questions(project, asked)
        is_reasoned = not self.inferable.isHidden()
        show_if(self.signing, is_reasoned or bool(asked or unsigned_parts(project)))
        is_typed = self.reason.hasFocus() and self.reason.isModified()
        if counts is not None and not is_typed:
            with QSignalBlocker(self.reason):
                self.reason.setText(counts.inferable_because)

    def _show_inferable(self) -> None:
        """Say which masked counts are not known to be protected, and ask why."""
        n_weak, n_unknown = self._n_weak(), self._n_unknown()
        is_shown = self.chosen == "masked" and n_weak + n_unknown > 0
        show_if(self.inferable, is_shown)
        show_if(self._reason_row, is_shown)
        words = tr(
            "{n:masked count|masked counts} can be inferred exactly or nearly.",
            n=n_weak,
        )
        if not n_weak:
            words = tr(
                "{n:masked count is|masked counts are} in sums that do not agree: what "
                "can be inferred of them is not known.",
                n=n_unknown,
            )
        go = tr("Go to Repair") if n_weak else tr("Go to Structure")
        self.inferable.show_words(words, "danger", self._fix_of_weak(), go)

    @property
    def _is_structure_open(self) -> bool:
        """Whether masked tables rest on a structure that nobody has confirmed."""
        return self.chosen == "masked" and self.workspace.counts.is_structure_open

    def _show_structure(self) -> None:
        """Say what is not known while nobody has confirmed the structure."""
        show_if(self.structure, self._is_structure_open)
        audited = self.workspace.counts.audited
        n = 0 if audited is None else len(audited.structure.relations)
        what, fix = structure_words(n)
        self.structure.show_words(what, "warning", fix, tr("Go to Structure"))

    def _words_on_key(self) -> str:
        if self._key_file is None:
            return tr(
                "The key of the noise is destroyed after the release: another release "
                "of the same data gets other noise, and several can be averaged. "
                "Choose a file to keep it."
            )
        return tr(
            "The key of the noise is kept in {file}: the same question about the same "
            "data gets the same noise.",
            file=escaped(self._key_file.name),
        )

    def _show_drawn(self, drawn: DrawnRelease) -> None:
        self.drawn, self._written = drawn, None
        with QSignalBlocker(self.table):
            here = max(self.table.currentIndex(), 0)
            self.table.clear()
            self.table.addItems([escaped(each.name) for each in drawn.tables])
            self.table.setCurrentIndex(min(here, len(drawn.tables) - 1))
        show_if(self.table, len(drawn.tables) > 1)
        self.words.setText(" ".join(drawn.words()))
        show_if(self._left, drawn.prepared.fuzzed is not None)
        weak = drawn.weakened
        show_if(self.weak, bool(weak))
        self.weak_words.setText(
            tr(
                "{n:count has|counts have} less than 80\u202f% of the noise left for "
                "somebody who adds up totals and parts.",
                n=len(weak),
            )
            if weak
            else tr("Every count with noise keeps at least 80\u202f% of its noise.")
        )
        self.weak.show_texts([self._weak_row(drawn, at) for at in weak[:MOST_WEAK]])
        self.weak.keep_visible(min(len(weak), 6))
        self._show_table()
        self.refresh(Changes.COUNTS)
        self.status_changed.emit()

    @staticmethod
    def _weak_row(drawn: DrawnRelease, at: At) -> tuple[str, ...]:
        each = drawn.by_place[at]
        share = share_text(each.left / each.sd)
        return drawn.name(at), f"{each.sd:.2f}", f"{each.left:.2f}", share

    def _show_table(self) -> None:
        if self.drawn is not None:
            self.grid.show_noisy(self.drawn, max(self.table.currentIndex(), 0))

    def status(self) -> PageStatus:
        """Say whether the tables can be released, or were."""
        missing = self.missing()
        if missing:
            return PageStatus(StepState.NOT_YET, "", missing)
        if not self.is_current:
            first = (
                tr("Draw the noise before you export.")
                if self.chosen == "noise"
                else tr("Prepare the tables before you export.")
            )
            if self.drawn is None:
                return PageStatus(StepState.READY, "", first)
            return PageStatus(StepState.STALE, tr("out of date"), first)
        if self._written is not None:
            is_open = self._is_structure_open
            state = StepState.ATTENTION if is_open else StepState.DONE
            return PageStatus(state, tr("exported"))
        if self.chosen == "masked":
            return PageStatus(StepState.READY, tr("prepared"))
        return PageStatus(StepState.READY, tr("noise drawn"))

    # -- acting --------------------------------------------------------------------

    def _on_kind(self, kind: str) -> None:
        if kind == "masked":
            self._decide(ops.set_release("masked"), tr("release masked tables"))
        elif kind == "noise":
            self._decide(ops.set_release("noise"), tr("release counts with noise"))

    def _on_reason(self) -> None:
        counts, reason = self.session.project.counts, self.reason.text().strip()
        self.reason.setModified(False)
        if counts is not None and reason != counts.inferable_because:
            op = ops.set_inferable_because(reason, *self.signing.signature)
            self._decide(op, tr("state the reason"))

    def leave(self) -> None:
        """Take over a reason that is still being typed."""
        if self.reason.isModified():
            self._on_reason()

    def _decide(self, op: Op, label: str) -> None:
        self.apply(op, label)
        self.refresh(Changes.COUNTS)

    def start_drawing(self) -> None:
        """Draw the noise, or audit the masked counts (lane `NOISE`)."""
        session, kept = self.session, self._kept
        try:
            tables = self.workspace.counts.tables
        except DeidError as error:
            self.show_error(error)
            return
        project, path = session.project, session.path

        def work(monitor: Monitor) -> DrawnRelease:
            return draw_release(project, tables, path, kept, monitor=monitor)

        self._work.start(work, self._show_drawn)

    def _on_running(self, is_running: bool) -> None:
        self.draw.setEnabled(not is_running and not self.missing())
        self.write.setEnabled(not is_running and self.is_current)

    def _on_export(self) -> None:
        title = tr("New folder for the release: choose its place and name")
        chosen = ask_new_folder(self, "release", title, self._folder_name())
        if chosen is not None:
            self.export_as(chosen)

    def _folder_name(self) -> str:
        return f"{safe_name(self.session.project.name)} release"

    def export_to(self, parent: Path) -> None:
        """Write the release into a new folder below `parent` (see `export_as`)."""
        self.export_as(parent / self._folder_name())

    def export_as(self, wanted: Path) -> None:
        """Write the release as a folder, with a number if it exists (lane `EXPORT`)."""
        if self.drawn is None or not self.is_current:
            return
        # The day may have changed since the page was shown.
        if (ended := validity_problem(self.session.project)) is not None:
            self.show_error(ended)
            return
        self.settings.remember_folder("release", wanted.parent)
        self._places.add(wanted.parent)
        places = tuple(self._places)
        folder, prepared = free_folder(wanted), self.drawn.prepared

        def work(monitor: Monitor) -> WrittenCounts:
            return write_counts(folder, prepared, places=places, monitor=monitor)

        self._writing.start(work, self._on_written)

    def _on_not_written(self, error: DeidError) -> None:
        """Ask about earlier releases that were found where this one would lie."""
        problems = error.problems if isinstance(error, ProblemsError) else (error,)
        asked = [e.question for e in problems if isinstance(e, EarlierOpenError)]
        if asked:
            self._earlier = self.session.project.counts, tuple(asked)
            self.refresh(Changes.COUNTS)
            self.status_changed.emit()

    def _on_written(self, made: WrittenCounts) -> None:
        self._written = made.folder
        audit = made.evidence.audit
        is_doubted = audit is not None and (audit.is_structure_open or audit.because)
        risk = accepted_risk(made.evidence.questions, None, None)
        holds = (
            tr(
                "The folder holds the masked tables, evidence with the audit, and "
                "report."
            )
            if made.evidence.noise is None
            else tr(
                "The folder holds the tables, the uncertainty of every count, evidence "
                "and report, and nothing that tells the noise or a true count."
            )
        )
        self.done.show_words(
            tr("Released and verified: {folder}", folder=escaped(str(made.folder))),
            "warning" if is_doubted or risk else "success",
            "\n".join(filter(None, (holds, risk.words, *map(escaped, risk.lines)))),
        )
        self.refresh(Changes.COUNTS)
        self.status_changed.emit()

    def _on_key(self) -> None:
        title = tr("Keep the key of the noise in")
        overwrites = QFileDialog.Option.DontConfirmOverwrite
        chosen = ask_save(self, "key", title, "noise.key", options=overwrites)
        if chosen is not None:
            self.keep_key(chosen)

    def keep_key(self, file: Path | None) -> None:
        """Keep the key of the noise in a file; None destroys it."""
        self._key_file = file
        self.refresh(Changes.COUNTS)
        self.status_changed.emit()

    def _on_no_key(self) -> None:
        self.keep_key(None)

    def _on_structure_wanted(self) -> None:
        self.step_wanted.emit("structure")

    def _on_repair_wanted(self) -> None:
        self.step_wanted.emit("repair" if self._n_weak() else "structure")

    def _on_fix_wanted(self) -> None:
        if place := self._missing()[1]:
            self.step_wanted.emit(place)
