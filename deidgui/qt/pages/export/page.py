"""The page on which the release is looked at and written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QVBoxLayout, QWidget

from deidgui.app import ops
from deidgui.app.activity import Activity
from deidgui.app.changes import Changes
from deidgui.app.jobs import Job, Lane
from deidgui.app.measuring.measuring import Measured
from deidgui.app.policies.acceptance import Accepted, fits, has_alternative
from deidgui.app.policies.runner import LATTICE
from deidgui.app.release.previewing import Preview, Which, preview
from deidgui.app.release.releasing import Released, check_release
from deidgui.app.session import Kind, State
from deidgui.engine.evidence.mapping import safe_name
from deidgui.errors import DeidError
from deidgui.qt.messages import words_for
from deidgui.qt.pages.base import NOT_YET, Page, PageStatus, StepState
from deidgui.qt.pages.export.options import OptionsCard
from deidgui.qt.pages.export.preview import PreviewPane
from deidgui.qt.settings import Settings
from deidgui.qt.widgets import (
    Button,
    Callout,
    Card,
    EmptyState,
    KeyValueList,
    Label,
    ProgressCard,
    holder,
    row,
    show_if,
)
from deidgui.text import tr

if TYPE_CHECKING:
    from deidgui.app.workspace import Workspace

PREVIEW = "preview"
"""Lane of the preview: the newest wins."""


class ExportPage(Page):
    """Preview, options, export, and the verified release."""

    key = "export"

    def __init__(
        self, workspace: Workspace, settings: Settings, parent: QWidget | None = None
    ) -> None:
        super().__init__(workspace, settings, parent)
        self.set_header(
            tr("Preview and export"),
            tr(
                "See what the recipient will see. A release appears whole and "
                "verified, or not at all."
            ),
        )
        self.export_button = Button(
            tr("Export…"), "primary", "export", self._on_export_clicked
        )
        self.add_header_action(self.export_button)
        self._empty = EmptyState(
            "export",
            tr("Nothing to release yet"),
            tr("Search for a policy first; the best one is shown here."),
            tr("Go to Search"),
        )
        self._empty.acted.connect(self._on_search_wanted)
        self._state = Callout()
        self.progress = ProgressCard(tr("Writing the release"), can_pause=False)
        self.progress.cancel_clicked.connect(self._on_cancel_clicked)
        self.released = _ReleasedCard()
        self._policy = Card(tr("Policy"))
        self._words = Label("", wrap=True)
        self._policy.add(self._words)
        self._policy.body.addStretch(1)
        self.preview = PreviewPane()
        self.preview.setMinimumHeight(420)
        self.preview.which_wanted.connect(self._update_preview)
        self.options = OptionsCard()
        self.options.changed.connect(self._on_options_changed)
        self._content = QWidget()
        box = QVBoxLayout(self._content)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(16)
        for each in (self._state, self.progress, self.released):
            box.addWidget(each)
        decisions = row(self._policy, self.options, spacing=16)
        decisions.setStretch(0, 1)
        decisions.setStretch(1, 1)
        box.addLayout(decisions)
        box.addWidget(self.preview)
        self.body.addWidget(self._empty)
        self.body.addWidget(self._content)
        self.body.addStretch(1)
        self._shown: object = None
        workspace.activity.connect(self._on_activity)

    # -- showing -------------------------------------------------------------------

    def refresh(self, changes: Changes) -> None:
        """Show policy, preview and options as they are now."""
        measured = self._measured()
        has_policy = measured is not None and measured.policy is not None
        show_if(self._empty, not has_policy)
        show_if(self._content, has_policy)
        project = self.session.project
        suppresses = not has_alternative(project)
        self.options.show_export(project.export, suppresses=suppresses)
        self.released.show_released(
            self.session.result(Kind.RELEASE), self.session.state(Kind.RELEASE)
        )
        self._show_running(self.workspace.is_running(Lane.EXPORT))
        if measured is None or not has_policy:
            return
        self._words.setText(measured.words.replace("; ", "\n"))
        self._show_state(measured)
        if self.session.state(Kind.MEASUREMENT) is State.CURRENT:
            self._update_preview()

    def _measured(self) -> Measured | None:
        measured: Measured | None = self.session.result(Kind.MEASUREMENT)
        return measured

    def _show_state(self, measured: Measured) -> None:
        if self.session.state(Kind.MEASUREMENT) is not State.CURRENT:
            self._state.show_words(
                tr("Figures and preview rest on earlier decisions."),
                "warning",
                self._fixing_words(),
            )
        elif measured.accepted is not None:
            self._show_accepted(measured, measured.accepted)
        elif not measured.meets_thresholds:
            self._state.show_words(
                tr("The chosen policy does not meet the thresholds."),
                "danger",
                tr("Choose another one on the page Policies; it is not released."),
            )
        else:
            self._state.show_words(
                tr("All thresholds are met."),
                "success",
                "\n".join(verdict.model.words() for verdict in measured.verdicts),
            )

    def _show_accepted(self, measured: Measured, accepted: Accepted) -> None:
        """Show why a discovered policy may be released, or why it may not."""
        if measured.meets_thresholds:
            title = tr("The alternative may be released; no record is suppressed.")
            said = (accepted.words, accepted.scope, *accepted.warnings)
            lines = "\n".join(filter(None, said))
            tone: Literal["success", "warning"] = "success"
            if accepted.warnings:
                tone = "warning"
            self._state.show_words(title, tone, lines)
            return
        told = [words_for(problem) for problem in accepted.problems]
        unmet = tr("Its privacy models do not all hold.")
        self._state.show_words(
            tr("The alternative is not released as things stand."),
            "danger",
            "\n".join(f"{each.what} {each.fix}" for each in told) or unmet,
        )

    def _fixing_words(self) -> str:
        project = self.session.project
        if not has_alternative(project):
            return tr("Search again to bring them up to date.")
        if fits(project):
            return tr("They are being brought up to date.")
        return tr(
            "The chosen alternative was found for other values or people: find "
            "alternatives again and choose one of them."
        )

    def _show_running(self, is_running: bool) -> None:
        show_if(self.progress, is_running)
        if is_running:
            show_if(self.released, False)
        self.export_button.setEnabled(not is_running and not self._what_is_missing())

    def _what_is_missing(self) -> str:
        measured = self._measured()
        if measured is None or measured.policy is None:
            return tr("Search for a policy first.")
        project = self.session.project
        if has_alternative(project) and not fits(project):
            return tr("The chosen alternative does not fit these decisions.")
        # A discovered policy does not stand beside those of the search.
        is_searched = self.session.state(LATTICE) is State.CURRENT
        if not is_searched and not has_alternative(project):
            return tr("Decisions have changed: search again.")
        if self.session.state(Kind.MEASUREMENT) is not State.CURRENT:
            return tr("The figures are being brought up to date.")
        if not measured.meets_thresholds:
            if measured.accepted is not None:
                return tr("The chosen alternative is not acceptable any more.")
            return tr("The chosen policy does not meet the thresholds.")
        try:
            check_release(project)
        except DeidError as error:
            return words_for(error).what
        return ""

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
        self.workspace.runner.start(
            PREVIEW,
            lambda monitor: preview(project, classes, policy, which, monitor=monitor),
            Job(self._on_preview_done, self._on_preview_failed),
        )

    def _on_preview_done(self, made: Preview) -> None:
        self.preview.show_preview(made)

    def _on_preview_failed(self, error: BaseException) -> None:
        self._shown = None
        self.workspace.problem(error, PREVIEW)

    # -- exporting -----------------------------------------------------------------

    def _on_export_clicked(self) -> None:
        chosen = QFileDialog.getExistingDirectory(
            self,
            tr("Where shall the release folder be made?"),
            self._last_folder(),
        )
        if chosen:
            self.export_to(Path(chosen))

    def export_to(self, parent: Path) -> None:
        """Write the release into a new folder below `parent`."""
        self.settings.remember_folder("release", parent)
        self.write_release(self._free_folder(parent))

    def write_release(self, folder: Path) -> None:
        """Write the release as `folder`."""
        try:
            self.workspace.export(folder)
        except DeidError as error:
            self.tell_error(error)

    def _free_folder(self, parent: Path) -> Path:
        base = f"{safe_name(self.session.project.name)} release"
        folder, number = parent / base, 2
        while folder.exists():
            folder, number = parent / f"{base} {number}", number + 1
        return folder

    def _last_folder(self) -> str:
        return self.settings.folder_for("release")

    def _on_cancel_clicked(self) -> None:
        self.workspace.cancel(Lane.EXPORT)

    def _on_activity(self, activity: Activity) -> None:
        if activity.lane != Lane.EXPORT:
            return
        is_running = activity.fraction is not None
        if is_running:
            self.progress.set_progress(
                activity.fraction, self._stage_words(activity.note), activity.elapsed_s
            )
        self._show_running(is_running)
        self.status_changed.emit()

    def _stage_words(self, note: str) -> str:
        words = {
            "hash": tr("Checking that the input file is unchanged"),
            "shuffle": tr("Drawing a random order"),
            "apply": tr("Applying the policy"),
            "suppress": tr("Finding the records to suppress"),
            "write": tr("Writing the table"),
            "report": tr("Writing the report"),
            "verify": tr("Reading the release back and measuring it again"),
        }
        return words.get(note.split(" ")[0], tr("Working"))

    def _on_options_changed(self, changes: dict[str, Any]) -> None:
        if self.apply(ops.change_export(**changes), tr("change export")):
            self.refresh(Changes.EXPORT)

    def _on_search_wanted(self) -> None:
        self.step_wanted.emit("policies")

    # -- for the window ------------------------------------------------------------

    def status(self) -> PageStatus:
        """Say whether there is a release, and whether it is current."""
        measured = self._measured()
        if measured is None or measured.policy is None:
            return NOT_YET
        missing = self._what_is_missing()
        state = self.session.state(Kind.RELEASE)
        if state is State.CURRENT:
            return PageStatus(StepState.DONE, tr("released"))
        if state is State.STALE:
            return PageStatus(StepState.STALE, tr("release out of date"), missing)
        if missing:
            return PageStatus(StepState.ATTENTION, tr("not ready"), missing)
        return PageStatus(StepState.READY, tr("ready to export"))

    def help_words(self) -> str:
        """Say what will be written."""
        measured = self._measured()
        if measured is None or measured.policy is None:
            return ""
        kept = measured.n_records - measured.n_suppressed
        return tr(
            "{kept:,} records are released, {suppressed:,} are suppressed.",
            kept=kept,
            suppressed=measured.n_suppressed,
        )


class _ReleasedCard(Card):
    """The release that was written: where it is, and that it is verified."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(self._title(), parent=parent)
        self._folder: Path | None = None
        self._stale = Callout(
            tr("Decisions have changed since this release was written."),
            "warning",
            tr("Export again to bring it up to date."),
        )
        self._facts = KeyValueList()
        self.open_button = Button(
            tr("Open folder"), glyph="folder-open", clicked=self._on_open
        )
        self.report_button = Button(
            tr("Open report"), glyph="report", clicked=self._on_report
        )
        self.add(self._stale)
        self.add(self._facts)
        self.add(holder(row(self.open_button, self.report_button, None, spacing=8)))

    def _title(self) -> str:
        return tr("Released and verified")

    def show_released(self, released: Released | None, state: State) -> None:
        """Show the last release, current or out of date."""
        show_if(self, released is not None)
        if released is None:
            return
        show_if(self._stale, state is State.STALE)
        self._folder = released.folder
        evidence = released.written.evidence
        checks = released.written.verification.checks
        output = evidence.outputs[0]
        self._facts.set_pairs(
            [
                (tr("Folder"), str(released.folder)),
                (tr("Table"), output.path),
                (tr("Rows"), f"{output.rows:,}"),
                (tr("SHA-256"), output.sha256),
                (
                    tr("Verified"),
                    tr("{number} checks passed", number=len(checks)),
                ),
            ]
        )

    def _on_open(self) -> None:
        self._show(self._folder)

    def _on_report(self) -> None:
        self._show(self._folder / "report.pdf" if self._folder else None)

    def _show(self, path: Path | None) -> None:
        if path is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))
