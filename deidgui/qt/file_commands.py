"""Opening, saving and closing: every command of the File menu."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QWidget,
)

from deidgui import resources
from deidgui.app import ops
from deidgui.app.decides import Changes
from deidgui.app.storage.named_inputs import NamedInput
from deidgui.app.storage.project_io import SUFFIX
from deidgui.errors import DeidError, InputError
from deidgui.qt.dialogs import QuestionDialog
from deidgui.qt.file_dialogs import ask_folder, ask_open, ask_save
from deidgui.qt.messages import words_for
from deidgui.qt.settings import Settings
from deidgui.qt.widgets import Notice, Popover, SectionHeading
from deidgui.qt.widgets.buttons import Kind
from deidgui.text import tr

if TYPE_CHECKING:
    from deidgui.app.workspace import Workspace

NOT_SAVED = "save"
"""Topic of why a project was not saved, until it is."""


class FileCommands(QObject):
    """The File menu of one window.

    Attributes
    ----------
    data_opened : Signal
        A new data file or a project is being read.
    project_closed : Signal
        There is no project any more.
    reported : Signal of Notice
        Something cannot be opened or saved.
    settled : Signal of str
        What was reported of this topic is settled.
    tables_given : Signal of list of Path
        Files that may be tables of counts, for a project of these.
    """

    reported = Signal(object)
    settled = Signal(str)
    data_opened = Signal()
    project_closed = Signal()
    tables_given = Signal(object)

    def __init__(
        self, workspace: Workspace, settings: Settings, window: QWidget
    ) -> None:
        super().__init__(window)
        self._workspace, self._settings, self._window = workspace, settings, window
        self._session = workspace.session
        self._example: Path | None = None
        self._session.project_changed.connect(self._on_project_changed)

    # -- opening -------------------------------------------------------------------

    def new_from_file(self) -> None:
        """Ask for a data file and begin a project with it, whatever is open."""
        chosen = ask_open(
            self._window,
            "data",
            tr("Choose a data file"),
            tr("Tables (*.csv *.tsv *.txt *.dat *.psv *.zip *.gz);;All files (*)"),
        )
        if chosen is not None:
            self._begin_with(chosen)

    def new_counts(self) -> bool:
        """Begin a project of tables of counts; False if the present one is kept."""
        if not self.may_discard():
            return False
        self._example = None
        self._workspace.begin_counts()
        return True

    def open_as_counts(self, path: Path) -> None:
        """Begin a project of tables of counts with a file that was open as people."""
        if self.new_counts():
            self.tables_given.emit([path])

    def choose_project(self) -> None:
        """Ask for a project and open it."""
        chosen = ask_open(
            self._window,
            "project",
            tr("Open a project"),
            tr("Projects (*{suffix});;All files (*)", suffix=SUFFIX),
        )
        if chosen is not None:
            self.open_path(chosen)

    def open_path(self, path: Path) -> None:
        """Open a project or a data file; a project of counts takes a file up."""
        is_counts = self._session.project.kind == "counts"
        if path.is_file() and is_counts and not path.name.endswith(SUFFIX):
            self.tables_given.emit([path])
        else:
            self._begin_with(path)

    def _begin_with(self, path: Path) -> None:
        """Begin a project with a data file, or open a project."""
        if not path.is_file():
            code = "is_directory" if path.is_dir() else "file_not_found"
            self.show_error(InputError(code, file=path.name))
        elif self.may_discard():
            if path.name.endswith(SUFFIX):
                self._open_project(path)
            else:
                self._open_data(path)

    def open_paths(self, paths: list[Path]) -> None:
        """Open what was dropped: tables of counts, or one file."""
        are_tables = not any(path.name.endswith(SUFFIX) for path in paths)
        if self._session.project.kind == "counts" and are_tables:
            self.tables_given.emit(paths)
        elif len(paths) > 1:
            self.show_error(InputError("several_files", n=len(paths)))
        else:
            self.open_path(paths[0])

    def _open_data(self, path: Path) -> None:
        self._example = None
        self._settings.remember_folder("data", path)
        self._workspace.open_data(path)
        self.data_opened.emit()

    def _open_project(self, path: Path) -> None:
        try:
            self._workspace.open_project(path)
        except DeidError as error:
            self.show_error(error)
            return
        self._settings.remember_folder("project", path)
        self._settings.add_recent(path)
        self.data_opened.emit()

    def open_example(self) -> None:
        """Open the built-in sample with every decision of the worked example."""
        if self.may_discard():
            self._example = resources.sample_path()
            self._workspace.open_data(self._example)
            self.data_opened.emit()

    def _on_project_changed(self, _changes: Changes, _initiator: object) -> None:
        loaded = self._session.loaded
        if loaded is not None and loaded.path == self._example:
            self._example = None
            # Not within the announcement of the data: the others come first.
            QTimer.singleShot(0, self._decide_example)

    def _decide_example(self) -> None:
        from deidgui.app import sample

        try:
            self._session.apply(sample.decided, tr("decisions of the worked example"))
        except DeidError as error:
            self.show_error(error)

    def fill_recent(self, menu: QMenu) -> None:
        """List the recent projects that are still there."""
        menu.clear()
        for text in self._settings.now.recent:
            path = Path(text)
            if path.is_file():
                action = menu.addAction(path.name.removesuffix(SUFFIX))
                action.setToolTip(text)
                action.triggered.connect(partial(self.open_path, path))
        menu.setEnabled(not menu.isEmpty())

    # -- saving --------------------------------------------------------------------

    def save(self) -> bool:
        """Save under the known name, or ask for one; False if it was not saved."""
        if self._session.path is None:
            return self.save_as()
        self._take_over_typed()
        return self._save_to(self._session.path)

    def save_as(self) -> bool:
        """Ask for a name and save; False if it was not saved."""
        self._take_over_typed()
        proposed = f"{_file_name(self._session.project.name)}{SUFFIX}"
        path = ask_save(
            self._window,
            "project",
            tr("Save the project"),
            str(self._session.path or proposed),
            tr("Projects (*{suffix})", suffix=SUFFIX),
        )
        if path is None:
            return False
        if not path.name.endswith(SUFFIX):
            path = path.with_name(path.name.removesuffix(".json") + SUFFIX)
        return self._save_to(path)

    def _save_to(self, path: Path) -> bool:
        is_changed = path == self._session.path and self._workspace.is_changed_on_disk()
        if is_changed:
            answer = self._ask_what_to_save()
            if answer != "replace":
                return answer == "save_as" and self.save_as()
        try:
            self._workspace.save(path, replace=is_changed)
        except DeidError as error:
            self.show_error(error, NOT_SAVED)
            return False
        self.settled.emit(NOT_SAVED)
        self._settings.remember_folder("project", path)
        self._settings.add_recent(path)
        return True

    def _take_over_typed(self) -> None:
        """Take over what is still being typed: fields do that when they are left."""
        field = self._window.focusWidget()
        if isinstance(field, QLineEdit | QPlainTextEdit | QAbstractSpinBox):
            field.clearFocus()
            field.setFocus()

    def _ask_what_to_save(self) -> str:
        assert self._session.path is not None
        return self.ask(
            tr("The project was changed elsewhere"),
            tr(
                "“{file}” was changed by another window or program since you opened "
                "it. If you replace it, those changes are lost.",
                file=self._session.path.name,
            ),
            [
                ("save_as", tr("Save as…"), "primary"),
                ("replace", tr("Replace the file"), "plain"),
                ("cancel", tr("Cancel"), "quiet"),
            ],
        )

    # -- closing -------------------------------------------------------------------

    def close_project(self) -> None:
        """Begin with an empty project, after asking if something is unsaved."""
        if self.may_discard():
            self._workspace.close_project()
            self.project_closed.emit()

    def may_discard(self) -> bool:
        """Whether the present decisions are saved, or may go."""
        self._take_over_typed()
        session = self._session
        nothing_done = not session.project.has_data and session.path is None
        if nothing_done or not session.has_unsaved_changes:
            return True
        words = tr(
            "The project “{name}” has decisions that are not saved.",
            name=session.project.name,
        )
        if session.project.inputs:
            words = f"{words} {tr('The data file itself is never changed.')}"
        answer = self.ask(
            tr("Save your decisions first?"),
            words,
            [
                ("save", tr("Save"), "primary"),
                ("discard", tr("Don't save"), "plain"),
                ("cancel", tr("Cancel"), "quiet"),
            ],
        )
        return self.save() if answer == "save" else answer == "discard"

    def ask(self, title: str, text: str, answers: list[tuple[str, str, Kind]]) -> str:
        """Ask a question and return the key of the answer."""
        question = QuestionDialog(title, text, answers, self._window)
        question.exec()
        question.deleteLater()
        return question.answer

    # -- name and data -------------------------------------------------------------

    def rename(self, anchor: QWidget) -> None:
        """Let the user type another project name."""
        sheet = Popover(anchor)
        field = QLineEdit(self._session.project.name)
        field.setMinimumWidth(280)
        field.setMaxLength(120)
        field.setAccessibleName(tr("Project name"))
        field.returnPressed.connect(self._on_renamed)
        field.returnPressed.connect(sheet.close)
        sheet.body.addWidget(SectionHeading(tr("Project name")))
        sheet.body.addWidget(field)
        sheet.open_at(anchor)
        field.setFocus()
        field.selectAll()

    def _on_renamed(self) -> None:
        field = self.sender()
        assert isinstance(field, QLineEdit)
        if field.text().strip():
            self._session.apply(
                ops.set_name(field.text().strip()), tr("rename project")
            )

    def locate_input(self, each: NamedInput) -> bool:
        """Ask where something is that the opened project names.

        Returns
        -------
        bool
            Whether somebody said where.
        """
        if each.is_folder:
            title = tr("Where is the release “{file}”?", file=Path(each.file).name)
            chosen = ask_folder(self._window, "verify", title)
        else:
            title = tr("Where is the data file “{file}”?", file=Path(each.file).name)
            if not each.is_data:
                title = tr("Where is the file “{file}”?", file=Path(each.file).name)
            chosen = ask_open(self._window, "data", title)
        if chosen is not None:
            self._workspace.locate_input(chosen, each.name)
        return chosen is not None

    def verify_release(self) -> None:
        """Ask for the folder of a release and verify it."""
        title = tr("Choose the folder of a release")
        chosen = ask_folder(self._window, "verify", title)
        if chosen is not None:
            self._workspace.verify(chosen)

    def open_again(self) -> None:
        """Open the present project as it is on disk now."""
        if self._session.path is not None:
            self.open_path(self._session.path)

    def show_error(self, error: DeidError, topic: str = "") -> None:
        """Say what is wrong and how to fix it."""
        words = words_for(error)
        topic = topic or error.code
        self.reported.emit(Notice(words.what, "danger", words.fix, topic=topic))


def _file_name(name: str) -> str:
    kept = "".join(each if each.isalnum() or each in " -_" else "-" for each in name)
    return kept.strip() or "project"
