"""The page Preview and export: the data before and after, options, writing."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from PySide6.QtCore import Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QShowEvent
from PySide6.QtWidgets import QWidget

from deidgui.app import ops
from deidgui.app.activity import Activity
from deidgui.app.decides import Changes
from deidgui.app.determination.determination import lacking
from deidgui.app.dossier.signing import unsigned_parts
from deidgui.app.entered import signed_words
from deidgui.app.jobs import Job, Lane
from deidgui.app.measuring.measuring import Measured
from deidgui.app.needed import problems_of
from deidgui.app.policies.acceptance import fits, has_alternative
from deidgui.app.policies.runner import BLOCKS, LATTICE, LONGITUDINAL
from deidgui.app.project import Export, ReleaseNote
from deidgui.app.release.overruling import (
    conditions_called,
    name_of,
    problems_left,
    unmet_models,
    with_overruling,
)
from deidgui.app.release.previewing import Preview, Which, preview
from deidgui.app.release.questions import ReleaseQuestion, answer_to
from deidgui.app.release.releasing import (
    FinishedRelease,
)
from deidgui.app.release.replacing import PlaceTakenError, Standing
from deidgui.app.release.signing import make_key, site_key
from deidgui.app.session import Kind, State
from deidgui.app.stated import AcceptedRisk, accepted_risk
from deidgui.app.text.release import PUBLISHED
from deidgui.engine.arrays import IntArray
from deidgui.engine.evidence.document import Dossier, ProtectedUnit, digest_of
from deidgui.engine.evidence.mapping import safe_name
from deidgui.engine.evidence.signature import fingerprint
from deidgui.errors import DeidError
from deidgui.qt import dialogs
from deidgui.qt.charts.texts import shortened
from deidgui.qt.condition_words import folded_words
from deidgui.qt.file_dialogs import ask_folder, ask_new_folder, ask_open, free_folder
from deidgui.qt.messages import words_for
from deidgui.qt.pages.base import NOT_YET, Page, PageStatus, StepState
from deidgui.qt.pages.export.conditions import AskedCondition, OpenCard, ReasonsCard
from deidgui.qt.pages.export.dossier import DossierView
from deidgui.qt.pages.export.questions import QuestionsCard, signed_by
from deidgui.qt.pages.signing import SignRow
from deidgui.qt.settings import Settings
from deidgui.qt.tab_order import go_to
from deidgui.qt.widgets import (
    Button,
    Callout,
    Caption,
    Card,
    CellMark,
    Columns,
    DataGrid,
    EmptyState,
    FlowLayout,
    KeyValueList,
    Label,
    Notice,
    ProgressCard,
    Segmented,
    SpinBox,
    Splitter,
    ToggleRow,
    column,
    holder,
    row,
    scroll_together,
    show_if,
)
from deidgui.qt.widgets.buttons import Kind as ButtonKind
from deidgui.text import Text, tr

if TYPE_CHECKING:
    from deidgui.app.workspace import Workspace


class OptionsCard(Card):
    """Suppressed records, order of rows, and harmless texts.

    Attributes
    ----------
    changed : Signal of dict
        Fields of `Export` that the user set.
    """

    changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.set_title(tr("How it is written"))
        self._undecided = Callout(
            tr("Choose how suppressed rows are written."), "warning"
        )
        self.suppressed = Segmented(
            [
                ("undecided", tr("Undecided")),
                ("stars", tr("Rows of *")),
                ("left_out", tr("Left out")),
            ],
            name=tr("Suppressed rows"),
            is_decision=True,
        )
        self.suppressed.chosen.connect(self._on_suppressed_chosen)
        self._suppressed_words = Caption()
        self.shuffle = ToggleRow(
            tr("Random order of rows"),
            tr(
                "The order of rows can reveal information, such as admission "
                "dates. The random order comes from the operating system and is "
                "not stored."
            ),
        )
        self.shuffle.toggled.connect(self._on_shuffle_toggled)
        self.reproducible = ToggleRow(
            tr("Reproducible bytes"),
            tr(
                "On: the order is drawn from a number of the project, so the same "
                "project gives the same file. Anyone who knows the number can restore "
                "the original order."
            ),
        )
        self.reproducible.toggled.connect(self._on_reproducible_toggled)
        self.seed = SpinBox(0, 2**31 - 1, 0, "", tr("Number"))
        self.seed.editingFinished.connect(self._on_seed_edited)
        self._seed_row = holder(row(Label(tr("Number")), self.seed, None))
        self.safe = ToggleRow(
            tr("Safe for spreadsheets"),
            tr(
                "Texts that a spreadsheet would execute are prefixed with an "
                "apostrophe."
            ),
        )
        self.safe.toggled.connect(self._on_safe_toggled)
        self.add(self._undecided)
        self._suppressed_row = holder(
            row(Label(tr("Suppressed rows")), self.suppressed, None)
        )
        self.add(self._suppressed_row)
        for each in (
            self._suppressed_words,
            self.shuffle,
            self.reproducible,
            self._seed_row,
            self.safe,
        ):
            self.add(each)

    def show_export(self, export: Export, *, suppresses: bool = True) -> None:
        """Show what is decided.

        Parameters
        ----------
        suppresses : bool
            Whether the policy could suppress records, so that it matters how.
        """
        show_if(self._suppressed_row, suppresses)
        show_if(self._suppressed_words, suppresses and export.suppressed is not None)
        show_if(self._undecided, suppresses and export.suppressed is None)
        self.suppressed.set_current(export.suppressed or "undecided")
        words = {
            None: "",
            "stars": tr("The file keeps its number of rows."),
            "left_out": tr("The file has fewer rows than the input."),
        }
        self._suppressed_words.setText(words[export.suppressed])
        self.shuffle.set_on(export.shuffle)
        self.reproducible.set_on(export.shuffle_seed is not None)
        show_if(self.reproducible, export.shuffle)
        show_if(self._seed_row, export.shuffle and export.shuffle_seed is not None)
        self.seed.set_value(export.shuffle_seed or 0)
        self.safe.set_on(export.spreadsheet_safe)

    def _on_suppressed_chosen(self, choice: str) -> None:
        self.changed.emit({"suppressed": None if choice == "undecided" else choice})

    def _on_shuffle_toggled(self, is_on: bool) -> None:
        self.changed.emit({"shuffle": is_on, "shuffle_seed": None})

    def _on_reproducible_toggled(self, is_on: bool) -> None:
        self.changed.emit({"shuffle_seed": self.seed.value() if is_on else None})

    def _on_seed_edited(self) -> None:
        self.changed.emit({"shuffle_seed": self.seed.value()})

    def _on_safe_toggled(self, is_on: bool) -> None:
        self.changed.emit({"spreadsheet_safe": is_on})


_Answer: TypeAlias = tuple[str, str, ButtonKind]
"""Key, words and looks."""


def _write_words(folder: Path) -> str:
    """Words of the button that writes a folder; a long name would be wider than it."""
    return tr("Write “{name}”", name=shortened(folder.name, 40))


Marks = np.ndarray[Any, np.dtype[np.uint8]]


STACKED = 600
"""Pixels under which the table before stands above the one after."""


class PreviewPane(QWidget):
    """Two tables with the same records; changed and suppressed cells are marked.

    Attributes
    ----------
    which_wanted : Signal of str
        first, random or suppressed.
    """

    which_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._preview: Preview | None = None
        self.which = Segmented(
            [
                ("first", tr("First rows")),
                ("random", tr("Random rows")),
                ("suppressed", tr("Suppressed rows")),
            ],
            name=tr("Which rows are shown"),
        )
        self.which.chosen.connect(self.which_wanted)
        self._words = [Caption() for _ in range(3)]
        self.before, self.after = DataGrid(), DataGrid()
        scroll_together(self.before, self.after)
        self.before.fit_with(self.after)
        split = Splitter(STACKED)
        split.setChildrenCollapsible(False)
        split.addWidget(self._side(tr("Before"), self.before))
        split.addWidget(self._side(tr("After"), self.after))
        split.share([1, 1], [1, 1])
        self._sides = split
        tools = FlowLayout(spacing=12)
        tools.addWidget(self.which)
        counts = FlowLayout(spacing=12, wants_one_row=True)
        for words in self._words:
            words.setWordWrap(False)
            counts.addWidget(words)
        # In the middle of the row, beside what is higher.
        high = self.which.sizeHint().height() - self._words[0].sizeHint().height()
        counts.setContentsMargins(0, high // 2, 0, 0)
        tools.addWidget(holder(counts))
        self.setLayout(column(tools, (split, 1)))
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._show_difference)

    def _side(self, title: str, grid: DataGrid) -> QWidget:
        side = QWidget()
        side.setLayout(column(Label(title, "strong"), grid, spacing=4))
        grid.setMinimumWidth(200)
        return side

    def show_waiting(self) -> None:
        """Show no records: those of before are not the ones that are wanted."""
        self._say([])
        show_if(self._sides, False)

    def show_preview(self, preview: Preview) -> None:
        """Show some records before and after."""
        self._preview = preview
        show_if(self._sides, True)
        self.before.set_table(preview.before)
        self.after.set_table(preview.after)
        for grid, marks in ((self.before, self._gone), (self.after, self._marks_of)):
            model = grid.table_model
            assert model is not None
            model.set_marks(marks)
        gone = preview.suppressed[:, None] | preview.hidden
        of_rows: Text = "{shown:,} of {of:row|rows}"
        if preview.which == "suppressed":
            of_rows = "{shown:,} of {of:suppressed row|suppressed rows}"
            if preview.hidden.any():
                of_rows = "{shown:,} of {of:row|rows} with suppressed cells"
        words = tr(of_rows, shown=preview.after.n_rows, of=preview.n_of)
        if not gone.all():
            differing = tr(
                "{n:cell differs|cells differ} (marked)",
                n=int((preview.changed & ~gone).sum()),
            )
            words = f"{words}; {differing}"
        parts = [words]
        if n_gone := int(preview.suppressed.sum()):
            of_rows = "{n:row|rows} suppressed (grey)"
            if preview.leaves_out:
                of_rows = "{n:row|rows} left out of the release (grey)"
                if gone.all():
                    of_rows = "all left out of the release (grey)"
            parts.append(tr(of_rows, n=n_gone))
        if n_hidden := int(preview.hidden.sum()):
            parts.append(tr("{n:cell|cells} suppressed (grey)", n=n_hidden))
        self._say(parts)
        self._soon.start()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._soon.start()

    def _show_difference(self) -> None:
        """Begin with the first column that differs, if none of those in sight does.

        Whoever has scrolled sideways stays there.
        """
        preview, grid = self._preview, self.after
        bar, head = grid.horizontalScrollBar(), grid.horizontalHeader()
        if preview is None or not grid.isVisible() or bar.value():
            return
        if grid.is_fitting:
            self._soon.start()
            return
        differs = preview.changed & ~preview.suppressed[:, None] & ~preview.hidden
        last = grid.rowAt(grid.viewport().height() - 1)
        in_sight = differs[: last + 1 or None].any(axis=0)
        places = np.flatnonzero(in_sight if in_sight.any() else differs.any(axis=0))
        if not len(places):
            return
        first = int(places[0])
        left = head.sectionPosition(first)
        if left + head.sectionSize(first) > grid.viewport().width():
            bar.setValue(left)

    def _say(self, parts: Sequence[str]) -> None:
        for place, words in enumerate(self._words):
            words.setText(parts[place] if place < len(parts) else "")
            show_if(words, place < len(parts))

    def _gone(self, rows: IntArray, place: int) -> Marks:
        """Mark what a column had before, where it is suppressed."""
        assert self._preview is not None
        gone = self._preview.suppressed | self._preview.hidden[:, place]
        found = np.where(gone[rows], CellMark.SUPPRESSED, CellMark.NONE)
        return found.astype(np.uint8)

    def _marks_of(self, rows: IntArray, place: int) -> Marks:
        """Mark of each cell of one column (see `grid.MarkCells`)."""
        assert self._preview is not None
        marks = np.where(
            self._preview.changed[rows, place], CellMark.CHANGED, CellMark.NONE
        )
        marks[self._preview.hidden[rows, place]] = CellMark.SUPPRESSED
        of_rows = CellMark.SUPPRESSED
        if self._preview.leaves_out:
            of_rows = CellMark.LEFT_OUT
        marks[self._preview.suppressed[rows]] = of_rows
        return marks.astype(np.uint8)


_ON_THIS_PAGE = "no_suppressed_choice"
"""Is decided, and asked for, among the options."""


class ExportPage(Page):
    """Preview, options, export, and the verified release."""

    key = "export"
    first = (DossierView, PreviewPane)

    def __init__(
        self,
        workspace: Workspace,
        settings: Settings,
        parent: QWidget | None = None,
        made: Sequence[QWidget] = (),
    ) -> None:
        super().__init__(workspace, settings, parent, made)
        self._show_lead(is_dossier=False)
        self.export_button = Button(
            tr("Export…"), glyph="export", clicked=self._on_export_clicked
        )
        self.finish = self.export_button
        views = [("release", tr("Release")), ("dossier", tr("Dossier"))]
        self.view = Segmented(views, name=tr("What is shown"))
        self.view.chosen.connect(self._on_view_chosen)
        self.dossier = self.part(DossierView)
        self.dossier.by.follow(self.session)
        self.dossier.decided.connect(self._decide)
        self.add_header_action(self.view)
        self.add_header_action(self.export_button)
        self._empty = EmptyState(
            "export",
            tr("Nothing to release yet"),
            tr("Search for a policy. The best one is shown here."),
            tr("Go to Policies"),
        )
        self._empty.acted.connect(self._on_search_wanted)
        self.earlier = Callout()
        self.earlier.acted.connect(self._on_verify_wanted)
        self._make_conditions()
        self.progress = ProgressCard(tr("Writing the release"), can_pause=False)
        self.progress.cancel_clicked.connect(self._on_cancel_clicked)
        self.released = _ReleasedCard()
        self.released.sign_wanted.connect(self._on_sign_wanted)
        self.released.dossier_wanted.connect(self._on_dossier_wanted)
        self._policy = Card(tr("Policy"))
        self._words = Label("", wrap=True)
        self._policy.add(self._words)
        self._policy.body.addStretch(1)
        self.preview = self.part(PreviewPane)
        self.preview.setMinimumHeight(420)
        self.preview.which_wanted.connect(self._update_preview)
        self.options = OptionsCard()
        self.options.changed.connect(self._on_options_changed)
        self._lay_out()
        self._shown: object = None
        self._is_led = False
        workspace.activity.connect(self._on_activity)
        workspace.place_taken.connect(self._on_place_taken)
        workspace.release_written.connect(self._on_released)
        workspace.release_signed.connect(self._on_signed)

    def _make_conditions(self) -> None:
        """Make what may stop the release, with what answers it."""
        self._state = Callout()
        self._state.acted.connect(self._on_search_wanted)
        self.open_before = OpenCard()
        self.open_before.place_wanted.connect(self.step_wanted)
        self.open = OpenCard()
        self.open.place_wanted.connect(self.go_to_place)
        self.thresholds = ReasonsCard(
            tr("Thresholds that are not met"),
            tr(
                "The release is stopped. Choose another policy, or state why it is "
                "justified all the same. Your reason stands first in evidence and "
                "report."
            ),
            tr("Overrule with this reason"),
        )
        self.thresholds.answered.connect(self._on_overruled)
        self.thresholds.taken_back.connect(self._on_overruling_taken_back)
        self.signing = SignRow(tr("Who gives reasons"))
        self.signing.by.follow(self.session)
        self.signing.decided.connect(self._decide)
        self.questions = QuestionsCard(
            tr("Questions about the released table"),
            tr(
                "State why each column may be released as it is, or change its role. "
                "Your reason stands in evidence and report."
            ),
            self.signing,
        )
        self.questions.decided.connect(self._decide)

    def _lay_out(self) -> None:
        self._content = QWidget()
        # What must be decided stands before dozens of questions, not below them, and
        # what options change in the preview is seen beside them.
        options = Columns([(self._policy, 1), (self.options, 1)])
        conditions = (self.signing, self.thresholds, self.questions)
        first = (
            self._state,
            self.progress,
            self.released,
            self.open,
            options,
            self.preview,
        )
        self._content.setLayout(column(*first, *conditions, spacing=16))
        self.body.addWidget(self.earlier)
        self.body.addWidget(self._empty)
        self.body.addWidget(self.open_before)
        self.body.addWidget(self._content)
        self.body.addWidget(self.dossier, 100)
        self.body.addStretch(1)

    # -- showing -------------------------------------------------------------------

    def refresh(self, changes: Changes) -> None:
        """Show policy, preview and options as they are now."""
        measured = self._measured()
        has_policy = measured is not None and measured.policy is not None
        project = self.session.project
        is_dossier = self._show_dossier(measured)
        show_if(self._empty, not has_policy and not is_dossier)
        show_if(self._content, has_policy and not is_dossier)
        self._show_earlier(is_dossier=is_dossier)
        is_before = self.session.loaded is not None and not has_policy
        is_before = is_before and not is_dossier
        self.open_before.show_problems(self._open_elsewhere() if is_before else ())
        suppresses = not has_alternative(project)
        self.options.show_export(project.export, suppresses=suppresses)
        self.released.show_released(
            self.session.result(Kind.RELEASE), self.session.state(Kind.RELEASE)
        )
        self._show_running(self.workspace.is_running(Lane.EXPORT))
        if measured is None or not has_policy:
            return
        self._words.setText(self._policy_words(measured))
        self._show_state(measured)
        self._show_conditions(measured)
        if self.session.state(Kind.MEASUREMENT) is State.CURRENT:
            self._update_preview()

    def _show_earlier(self, *, is_dossier: bool) -> None:
        """Say what was released before the project was opened; no figure of it."""
        note = self._earlier()
        show_if(self.earlier, note is not None and not is_dossier)
        if note is None:
            return
        tone: Literal["info", "warning"] = "info"
        if not self.session.is_released_as_now or self.session.is_outdated:
            tone = "warning"
            detail = tr("Decisions or data have changed since.")
        elif self.session.loaded is None:
            detail = tr("The data file has not been read yet: it may have changed.")
        else:
            detail = tr("Decisions and data are still the same.")
        text = tr("Released on {day} as “{name}”.", day=note.on, name=note.name)
        self.earlier.show_words(text, tone, detail, tr("Verify this release"))

    def _earlier(self) -> ReleaseNote | None:
        """What was released last, if that was before the project was opened."""
        is_of_now = self.session.result(Kind.RELEASE) is not None
        return None if is_of_now else self.session.released

    def _on_verify_wanted(self) -> None:
        note = self._earlier()
        if note is None:
            return
        known = Path(self.settings.folder_for("release"), note.name)
        title = tr("Choose the folder “{name}”", name=note.name)
        folder = known if known.is_dir() else ask_folder(self, "verify", title)
        if folder is not None:
            self.workspace.verify(folder)

    def _policy_words(self, measured: Measured) -> str:
        """Say what is released; of earlier decisions nothing is said as if it held."""
        if self.session.state(Kind.MEASUREMENT) is not State.CURRENT:
            return tr("The policy is not known before the figures are up to date.")
        lines = (measured.words.replace("; ", "\n"), measured.rows_words)
        return "\n".join(filter(None, (*lines, *measured.lost_words)))

    def _show_dossier(self, measured: Measured | None) -> bool:
        """Show what is entered for the dossier, and return whether it is looked at."""
        project = self.session.project
        has_data = bool(project.attributes)
        show_if(self.view, has_data)
        is_shown = has_data and self.view.current == "dossier"
        show_if(self.dossier, is_shown)
        self._show_lead(is_dossier=is_shown)
        if is_shown:
            has_policy = measured is not None and measured.policy is not None
            suppresses = None
            if measured is not None and has_policy:
                suppresses = measured.n_suppressed > 0
                suppresses |= measured.chosen_policy.cells is not None
            self.dossier.show_project(project, suppresses=suppresses)
        return is_shown

    def _show_lead(self, *, is_dossier: bool) -> None:
        """Say what the page is for; the dossier needs the room."""
        lead = tr(
            "Preview the release, then write it. It appears complete and verified, or "
            "not at all."
        )
        self.set_header(tr("Preview and export"), "" if is_dossier else lead)

    def show_place(self, part: str) -> None:
        """Show the dossier, or where it is decided how records are suppressed."""
        is_dossier = part == "dossier"
        self.view.set_current("dossier" if is_dossier else "release")
        self.refresh(Changes.EXPORT)
        if part == "suppressed":
            self.show_part(self.options)
            self.options.suppressed.setFocus(Qt.FocusReason.OtherFocusReason)
        cards = {"thresholds": self.thresholds, "questions": self.questions}
        if part in cards:
            cards[part].begin()

    def _on_dossier_wanted(self) -> None:
        self.show_place("dossier")

    def _on_view_chosen(self, _key: str) -> None:
        self.refresh(Changes.EXPORT)

    def _decide(self, op: ops.Op, label: str) -> None:
        if self.apply(op, label):
            self.refresh(Changes.EXPORT)

    def _measured(self) -> Measured | None:
        measured: Measured | None = self.session.result(Kind.MEASUREMENT)
        return measured

    def _show_state(self, measured: Measured) -> None:
        if self.session.is_outdated:
            # What has changed, and the button for it, is said above every page.
            self._state.show_words(tr("Out of date: earlier data"), "warning")
        elif self.session.state(Kind.MEASUREMENT) is not State.CURRENT:
            project = self.session.project
            is_renewed = has_alternative(project) and fits(project)
            self._state.show_words(
                tr("Figures and preview are based on earlier decisions."),
                "warning",
                self._fixing_words(),
                "" if is_renewed else tr("Go to Policies"),
            )
        elif measured.unmet or measured.exceeds_limit:
            self._show_unmet(measured)
        elif not measured.is_sound:
            left = problems_left(self.session.project, measured)
            shown = [words_for(problem) for problem in left]
            self._state.show_words(
                tr("The chosen policy does not meet the thresholds."),
                "danger",
                "\n".join(f"{each.what} {each.fix}" for each in shown)
                or tr("Choose another one on the page Policies."),
            )
        else:
            self._show_met(measured)

    def _show_unmet(self, measured: Measured) -> None:
        """Say first of all which thresholds do not hold, overruled or not."""
        unmet = unmet_models(self.session.project, measured)
        n_open = sum(not each.because for each in unmet)
        n_all = len(measured.verdicts) + measured.exceeds_limit
        title = tr(
            "{n} of {all:threshold|thresholds} NOT met: the release is stopped.",
            n=len(unmet),
            all=n_all,
        )
        if not n_open:
            title = tr(
                "{n} of {all:threshold|thresholds} NOT met, and OVERRULED by a person.",
                n=len(unmet),
                all=n_all,
            )
        lines = [f"✗ {each.model.words()}" for each in unmet]
        if measured.accepted is not None:
            lines.append(measured.accepted.words)
        if lacking(self.session.project):
            lines.append(
                tr(
                    "The search was not asked for what the context allows: set these "
                    "thresholds on the page Risk and thresholds, and search again."
                )
            )
        self._state.show_words(title, "danger", "\n".join(lines))

    def _show_met(self, measured: Measured) -> None:
        """Say which thresholds hold, and what else a release rests on."""
        accepted = measured.accepted
        risk = self._accepted_risk(measured)
        met, columns = folded_words(each.model for each in measured.verdicts)
        lines = [*risk.lines, *measured.lost_words, *(f"✓ {each}" for each in met)]
        # A column of one value is of no use to anybody.
        is_amber = bool(risk) or any(each.is_constant for each in measured.lost)
        tone: Literal["success", "warning"] = "warning" if is_amber else "success"
        if accepted is not None:
            lines += [accepted.words, accepted.scope, *accepted.warnings]
            tone = "warning" if accepted.warnings else tone
        title = tr("All thresholds are met.")
        project = self.session.project
        n_asked = self._n_asked()
        # Nothing is green that a person has still to answer for.
        if problems_of(project) or self._lacks_search():
            tone = "warning"
            title = tr("All thresholds are met. The release is stopped all the same.")
            # All else that is missing stands below, each with where it is decided.
            lines = [self._lacks_search(), *lines]
        elif n_asked:
            tone = "warning"
            title = tr(
                "All thresholds are met. {n:question|questions} about the released "
                "table must be answered.",
                n=n_asked,
            )
        title = " ".join(filter(None, (title, risk.words)))
        action = tr("Go to Policies") if self._lacks_search() else ""
        self._state.show_words(title, tone, "\n".join(filter(None, lines)), action)
        self._state.explain(columns)

    def _accepted_risk(self, measured: Measured) -> AcceptedRisk:
        """What rests on reasons of a person, as far as they are given."""
        project, policy = self.session.project, measured.policy
        answered = [e for e in self._questions() if answer_to(project, e) is not None]
        smallest = policy.smallest_class if policy is not None else None
        return accepted_risk(answered, measured.unit, smallest)

    def _show_conditions(self, measured: Measured) -> None:
        """Show what is open, and what a person must answer with a reason."""
        project = self.session.project
        self.open.show_problems(problems_of(project), self._open_here(measured))
        is_current = self.session.state(Kind.MEASUREMENT) is State.CURRENT
        unmet = unmet_models(project, measured) if is_current else ()
        self.thresholds.show_asked(
            [
                AskedCondition(
                    name_of(each.model),
                    each.model.words(),
                    each.because,
                    signed=signed_by(each.given),
                )
                for each in unmet
            ]
        )
        asked = self._questions()
        self.questions.show_questions(project, asked)
        self.signing.show_project(project)
        show_if(self.signing, bool(unmet or asked or unsigned_parts(project)))

    def _open_elsewhere(self) -> list[DeidError]:
        """Decisions that are missing, but for what is decided on this page."""
        found = problems_of(self.session.project)
        return [each for each in found if each.code != _ON_THIS_PAGE]

    def _n_asked(self) -> int:
        answers = [answer_to(self.session.project, e) for e in self._questions()]
        return answers.count(None)

    def _open_here(self, measured: Measured) -> dict[str, str]:
        """By place of this page, what a person has still to give a reason for."""
        found = {}
        is_current = self.session.state(Kind.MEASUREMENT) is State.CURRENT
        unmet = unmet_models(self.session.project, measured) if is_current else ()
        if n_unmet := sum(not each.because for each in unmet):
            words = tr("{n:threshold is|thresholds are} not met.", n=n_unmet)
            found["export/thresholds"] = words
        if n_open := self._n_asked():
            found["export/questions"] = tr(
                "{n:question|questions} about the table to be answered.",
                n=n_open,
            )
        return found

    def _questions(self) -> tuple[ReleaseQuestion, ...]:
        """What is asked about the table as it would be released now."""
        if self.session.state(Kind.QUESTIONS) is not State.CURRENT:
            return ()
        found: tuple[ReleaseQuestion, ...] | None = self.session.result(Kind.QUESTIONS)
        return found or ()

    def _fixing_words(self) -> str:
        project = self.session.project
        if not has_alternative(project):
            return tr("Search again to bring them up to date.")
        if fits(project):
            return tr("They are being brought up to date.")
        return tr(
            "The chosen alternative was found for another population or "
            "other values. Find alternatives again and choose one."
        )

    def _show_running(self, is_running: bool) -> None:
        before = self._keyboard()
        show_if(self.progress, is_running)
        # Of a release that failed or was refused nothing is there; the one before is.
        has_earlier = self.session.result(Kind.RELEASE) is not None
        show_if(self.released, has_earlier and not is_running)
        self.export_button.setEnabled(not is_running and not self._what_is_missing())
        if before is not None and self.isVisible() and not _takes_keys(before):
            self._go_on_after(before)

    def _keyboard(self) -> QWidget | None:
        """What has the keyboard, here or in the foot of the window, and can have it."""
        focus = self.window().focusWidget()
        return focus if focus is not None and _takes_keys(focus) else None

    def _go_on_after(self, gone: QWidget) -> None:
        """Take the keyboard from what began a release to its progress, and back."""
        if self.progress.isVisible():
            self.progress.take_focus()
        elif self.progress.has_keyboard(gone):
            self._is_led = True
            self._resting_place().setFocus(Qt.FocusReason.OtherFocusReason)

    def _resting_place(self) -> QWidget:
        """Where the keyboard waits for what was written."""
        return self.export_button if _takes_keys(self.export_button) else self

    def _what_is_missing(self) -> str:
        measured = self._measured()
        if measured is None or measured.policy is None:
            return tr("Search for a policy first.")
        project = self.session.project
        if self.session.is_outdated:
            return tr("Read the data file again first: it has changed.")
        if has_alternative(project) and not fits(project):
            return tr("The chosen alternative does not fit these decisions.")
        if lacking := self._lacks_search():
            return lacking
        if self.session.state(Kind.MEASUREMENT) is not State.CURRENT:
            return tr("The figures are being brought up to date.")
        if left := problems_left(project, measured):
            return words_for(left[0]).what
        return self._what_is_open(measured)

    def _lacks_search(self) -> str:
        """Say that no policies are there of these decisions, or nothing."""
        project = self.session.project
        # A discovered policy does not stand beside those of the search.
        kinds = {self.workspace.policies.main_kind}
        if project.chosen is not None:
            kinds |= {LATTICE, BLOCKS, LONGITUDINAL}
        states = {self.session.state(each) for each in kinds}
        if State.CURRENT in states or has_alternative(project):
            return ""
        if State.STALE in states:
            return tr("Decisions or data have changed. Search again.")
        return tr("No policies were searched since the project was opened.")

    def _what_is_open(self, measured: Measured) -> str:
        """Say which decisions and reasons of a person are missing."""
        project = self.session.project
        found = [words_for(each).what for each in problems_of(project)]
        found += self._open_here(measured).values()
        if not found and self.session.state(Kind.QUESTIONS) is not State.CURRENT:
            return tr("The table to be released is being checked.")
        return "\n".join(dict.fromkeys(found))

    # -- preview -------------------------------------------------------------------

    def _update_preview(self, _which: str = "") -> None:
        session = self.session
        classes, measured = session.current(Kind.CLASSES), self._measured()
        if classes is None or measured is None or measured.policy is None:
            return
        which: Which = self.preview.which.current  # type: ignore[assignment]
        project, policy = session.project, measured.policy
        wanted = (id(measured), which, project.export, project.attributes)
        if wanted == self._shown:
            return
        self._shown = wanted
        self.preview.show_waiting()
        self.workspace.runner.start(
            Lane.PREVIEW,
            lambda monitor: preview(project, classes, policy, which, monitor=monitor),
            Job(self._on_preview_done, self._on_preview_failed),
        )

    def _on_preview_done(self, made: Preview) -> None:
        self.preview.show_preview(made)

    def _on_preview_failed(self, error: BaseException) -> None:
        self._shown = None
        self.workspace.problem(error, Lane.PREVIEW)

    # -- exporting -----------------------------------------------------------------

    def _on_export_clicked(self) -> None:
        title = tr("New folder for the release: choose its place and name")
        chosen = ask_new_folder(self, "release", title, self._folder_name())
        if chosen is not None:
            self.export_as(chosen)

    def _folder_name(self) -> str:
        return f"{safe_name(self.session.project.name)} release"

    def export_to(self, parent: Path) -> None:
        """Write the release into a new folder below `parent` (see `export_as`)."""
        self.export_as(free_folder(parent / self._folder_name()))

    def export_as(self, folder: Path) -> None:
        """Write the release as `folder`; ask if an older one has this name."""
        self.settings.remember_folder("release", folder.parent)
        older = folder
        if not folder.exists():
            older = folder.with_name(self._folder_name())
        beside = free_folder(older)
        if folder not in (older, beside) or not older.exists():
            self.write_release(folder)
            return
        answer = self.ask(
            tr("The folder “{name}” exists", name=older.name),
            tr(
                "An older release of this project can be replaced. Anything else in "
                "the folder is not touched without asking."
            ),
            [
                ("beside", _write_words(beside), "primary"),
                ("replace", tr("Replace the older release"), "plain"),
                ("cancel", tr("Cancel"), "quiet"),
            ],
        )
        if answer != "cancel":
            self.write_release(beside if answer == "beside" else older)

    def ask(self, title: str, text: str, answers: list[_Answer]) -> str:
        """Ask a person before anything is replaced; return the key of the answer."""
        question = dialogs.QuestionDialog(title, text, answers, self.window())
        question.exec()
        return question.answer

    def write_release(self, folder: Path, given_up: Standing | None = None) -> None:
        """Write the release as `folder`."""
        try:
            self.workspace.export(folder, given_up)
        except DeidError as error:
            self.show_error(error)
            return
        if self.view.current == "dossier":
            self.show_place("release")  # its progress and its result stand there

    def _on_place_taken(self, folder: Path, taken: PlaceTakenError) -> None:
        """Ask whether what would be lost shall be given up."""
        words, beside = words_for(taken), free_folder(folder)
        answers: list[_Answer] = [
            ("beside", _write_words(beside), "primary"),
            ("cancel", tr("Cancel"), "quiet"),
        ]
        if taken.standing.may_be_given_up:
            answers.insert(1, ("lose", tr("Delete these files and write"), "danger"))
        title = tr("The folder was not replaced")
        answer = self.ask(title, words.what, answers)
        if answer == "lose":
            self.write_release(folder, taken.standing)
        elif answer == "beside":
            self.write_release(beside)

    # -- signing -------------------------------------------------------------------

    def _on_sign_wanted(self, folder: Path) -> None:
        """Sign with the key of the site; make or choose one if there is none."""
        key = site_key()
        if key.exists():
            self.workspace.sign(folder, key)
            return
        answer = self.ask(
            tr("There is no key of the site yet"),
            tr(
                "A key is made once. It stays on this computer, readable for you "
                "alone; those who receive releases get the public key beside it."
            ),
            [
                ("make", tr("Make a key and sign"), "primary"),
                ("choose", tr("Choose a key file…"), "plain"),
                ("cancel", tr("Cancel"), "quiet"),
            ],
        )
        if answer == "make":
            self._sign_with_new(folder, key)
        elif answer == "choose":
            chosen = ask_open(self, "key", tr("Choose a key file"))
            if chosen is not None:
                self.workspace.sign(folder, chosen)

    def _sign_with_new(self, folder: Path, key: Path) -> None:
        try:
            make_key(key)
        except DeidError as error:
            self.show_error(error)
            return
        self.workspace.sign(folder, key)

    def _on_released(self, released: FinishedRelease) -> None:
        self.released.forget_signed(released.folder)
        is_led, self._is_led = self._is_led, False
        first = self.released.open_button
        is_there = self._keyboard() is self._resting_place()
        if is_led and is_there and _takes_keys(first):
            go_to(first, forward=True)
        if self.released.isVisible():
            # What was written, from its heading on, once all is in its place.
            QTimer.singleShot(0, self.released, partial(self.show_part, self.released))
        else:
            words, folder = tr("Released and verified"), str(released.folder)
            self.reported.emit(Notice(words, "success", folder))

    def _on_signed(self, folder: Path, public: str) -> None:
        self.released.note_signed(folder, public)
        self.refresh(Changes.EXPORT)

    def _on_cancel_clicked(self) -> None:
        self.workspace.cancel(Lane.EXPORT)

    def _on_activity(self, activity: Activity) -> None:
        if activity.lane != Lane.EXPORT:
            return
        is_running = activity.fraction is not None
        if is_running:
            self.progress.set_progress(
                activity.fraction,
                self._stage_words(activity.note),
                activity.elapsed_s,
                foretells=activity.foretells,
            )
        if self.progress.isHidden() == is_running:
            # The beginning and the end of it are seen wherever somebody has scrolled.
            self.show_part(self._state)
        self._show_running(is_running)
        self.status_changed.emit()

    def _stage_words(self, note: str) -> str:
        words = {
            "proof": tr("Searching for policies"),
            "hash": tr("Checking that the input file is unchanged"),
            "shuffle": tr("Drawing a random order"),
            "apply": tr("Applying the policy"),
            "suppress": tr("Finding the records to suppress"),
            "write": tr("Writing the table"),
            "report": tr("Writing the report"),
            "verify": tr("Verifying the release"),
        }
        return words.get(note.split(" ")[0], tr("Working"))

    def _on_options_changed(self, changes: dict[str, Any]) -> None:
        if self.apply(ops.change_export(**changes), tr("change export")):
            self.refresh(Changes.EXPORT)

    def _on_overruled(self, key: str, because: str) -> None:
        models = conditions_called(self.session.project, key)
        signed = self.signing.signature
        if self.apply(
            lambda project: with_overruling(project, models, because, *signed),
            tr("overrule threshold"),
        ):
            self.refresh(Changes.EXPORT)

    def _on_overruling_taken_back(self, key: str) -> None:
        for model in conditions_called(self.session.project, key):
            self.apply(
                ops.take_back_overruling(model.to_json()), tr("take back reason")
            )
        self.refresh(Changes.EXPORT)

    def _on_search_wanted(self) -> None:
        self.step_wanted.emit("policies")

    # -- for the window ------------------------------------------------------------

    def show_what_asks(self) -> QWidget | None:
        """Show the first part of what stops the release."""
        if self.view.current == "dossier":
            self.show_place("release")
        open_ = self.open_before, self.open
        parts = (self._empty, *open_, self.thresholds, self.questions)
        return next((part for part in parts if part.isVisible()), None)

    def status(self) -> PageStatus:
        """Say whether there is a release, and whether it is current."""
        measured, note = self._measured(), self._earlier()
        missing = self._what_is_missing()
        if note is not None and self.session.is_released_as_now:
            words = tr("released {day}", day=note.on)
            return PageStatus(StepState.READY, words, missing)
        if note is not None:
            return PageStatus(StepState.STALE, tr("release out of date"), missing)
        if measured is None or measured.policy is None:
            return NOT_YET
        state = self.session.state(Kind.RELEASE)
        if state is State.CURRENT:
            return self._status_of_released(missing)
        if state is State.STALE:
            return PageStatus(StepState.STALE, tr("release out of date"), missing)
        if missing:
            return PageStatus(StepState.ATTENTION, tr("not ready"), missing)
        return PageStatus(StepState.READY, tr("ready to export"))

    def _status_of_released(self, missing: str) -> PageStatus:
        """Green only if nothing of the release rests on a reason of a person."""
        released: FinishedRelease | None = self.session.result(Kind.RELEASE)
        assert released is not None
        if released.written.evidence.overruled:
            return PageStatus(StepState.ATTENTION, tr("released, overruled"), missing)
        risk = accepted_of(released)
        if not risk:
            return PageStatus(StepState.DONE, tr("released"), missing)
        caption = tr("released, {n:reason|reasons}", n=len(risk.questions))
        if not risk.questions:
            caption = tr("released, with a doubt")
        return PageStatus(StepState.ATTENTION, caption, missing)

    def help_words(self) -> str:
        """Say what will be written."""
        measured: Measured | None = self.session.current(Kind.MEASUREMENT)
        if measured is None or measured.policy is None:
            return ""
        kept = measured.n_records - measured.n_suppressed
        words: Text = (
            "{kept:record is|records are} released, {suppressed:is|are} suppressed."
        )
        if measured.unit is not None:
            words = (
                "{kept:person is|people are} released, {suppressed:is|are} suppressed."
            )
        said = tr(words, kept=kept, suppressed=measured.n_suppressed)
        return f"{said} {measured.rows_words}".rstrip()


def _takes_keys(widget: QWidget) -> bool:
    return widget.isVisible() and widget.isEnabled()


def accepted_of(released: FinishedRelease) -> AcceptedRisk:
    """What a release rests on beside its thresholds."""
    policy = released.measured.policy
    smallest = policy.smallest_class if policy is not None else None
    evidence = released.written.evidence
    return accepted_risk(evidence.questions, evidence.unit, smallest)


def _people_pairs(unit: ProtectedUnit) -> list[tuple[str, str]]:
    """How many people are released, where rows belong to people."""
    if unit.people is None or unit.suppressed_people is None:
        return []
    return [(tr("People"), f"{unit.people - unit.suppressed_people:,}")]


def _dossier_words(dossier: Dossier | None) -> str:
    """What the release is with regard to the dossier."""
    if dossier is None:
        return tr("none: the report says “Not a determination”")
    words = tr(
        "{n} of {all:item|items} complete.", n=dossier.complete, all=dossier.asked
    )
    if not dossier.lacking:
        return words
    also = tr("The report says “Not a determination”.")
    return f"{words} {also}"


class _ReleasedCard(Card):
    """The release that was written: where it is, and that it is verified.

    Attributes
    ----------
    sign_wanted : Signal of Path
        The release is to be signed.
    dossier_wanted : Signal
        The dossier is to be shown.
    """

    sign_wanted = Signal(object)
    dossier_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(self._title(), parent=parent)
        self._folder: Path | None = None
        self._signed: dict[Path, str] = {}
        self._stale = Callout(
            tr("Decisions have changed since this release was written."),
            "warning",
            tr("Export again to bring it up to date."),
        )
        self._overruled = Callout("", "danger")
        self._accepted = Callout("", "warning")
        self._published = Callout(tr(PUBLISHED), "warning")
        self._facts = KeyValueList()
        self.open_button = Button(
            tr("Open folder"), glyph="folder-open", clicked=self._on_open
        )
        self.report_button = Button(
            tr("Open report"), glyph="report", clicked=self._on_report
        )
        self.sign_button = Button(tr("Sign…"), glyph="key", clicked=self._on_sign)
        self.sign_button.setToolTip(
            tr("A signature shows every later change of the release.")
        )
        self.add(self._overruled)
        self.add(self._stale)
        self.add(self._accepted)
        self.add(self._published)
        self.add(self._facts)
        self.dossier_button = Button(tr("Go to the dossier"))
        self.dossier_button.clicked.connect(self.dossier_wanted)
        buttons = (
            self.open_button,
            self.report_button,
            self.sign_button,
            self.dossier_button,
        )
        self.add(holder(row(*buttons, None, spacing=8)))

    def _title(self) -> str:
        return tr("Released and verified")

    def show_released(self, released: FinishedRelease | None, state: State) -> None:
        """Show the last release, current or out of date."""
        show_if(self, released is not None)
        if released is None:
            return
        show_if(self._stale, state is State.STALE)
        self._folder = released.folder
        evidence = released.written.evidence
        dossier = evidence.dossier
        show_if(self._published, dossier is not None and dossier.edition == "public")
        show_if(self._overruled, bool(evidence.overruled))
        self._overruled.show_words(
            tr(
                "{n:threshold|thresholds} NOT met, and overruled by a person.",
                n=len(evidence.overruled),
            ),
            "danger",
            "\n".join(
                f"{each.words} {signed_words(each.because, each.by, each.on)}"
                for each in evidence.overruled
            ),
        )
        self._show_accepted(released)
        self.set_title(
            tr("Released with overruled thresholds")
            if evidence.overruled
            else self._title()
        )
        checks = released.written.verification.checks
        key = self._signed.get(released.folder, "")
        self._facts.set_pairs(
            [
                (tr("Folder"), str(released.folder)),
                *(
                    pair
                    for each in evidence.outputs
                    for pair in (
                        (tr("Table"), each.path),
                        (tr("Rows"), f"{each.rows:,}"),
                        *_people_pairs(evidence.unit),
                        (tr("SHA-256"), each.sha256),
                    )
                ),
                (
                    tr("Verified"),
                    tr(
                        "{number:comparison|comparisons} of what the evidence states "
                        "with the files passed",
                        number=len(checks),
                    ),
                ),
                (tr("Dossier"), _dossier_words(dossier)),
                (tr("Evidence"), digest_of(evidence)),
                (
                    tr("Signature"),
                    tr("made with key {key}", key=key) if key else tr("not signed"),
                ),
            ]
        )

    def _show_accepted(self, released: FinishedRelease) -> None:
        """Say how much of the release rests on reasons, not on thresholds."""
        risk = accepted_of(released)
        words = [each for each in (risk.words, *risk.lines) if each]
        self._accepted.show_words("".join(words[:1]), "warning", "\n".join(words[1:]))
        show_if(self._accepted, bool(risk))

    def note_signed(self, folder: Path, public: str) -> None:
        """Keep with which key a release was signed."""
        self._signed[folder] = fingerprint(public)

    def forget_signed(self, folder: Path) -> None:
        """Forget the signature of a release that was replaced."""
        self._signed.pop(folder, None)

    def _on_sign(self) -> None:
        if self._folder is not None:
            self.sign_wanted.emit(self._folder)

    def _on_open(self) -> None:
        self._show(self._folder)

    def _on_report(self) -> None:
        self._show(self._folder / "report.pdf" if self._folder else None)

    def _show(self, path: Path | None) -> None:
        if path is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))
