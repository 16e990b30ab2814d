"""What the workspace tells, as notices that say how to go on."""

from __future__ import annotations

import platform
import weakref
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import QObject, QTimer, Signal

from deidgui.app.activity import Activity
from deidgui.app.changes import fingerprint
from deidgui.app.decides import Changes, Decides
from deidgui.app.jobs import Lane
from deidgui.app.session import Kind, State
from deidgui.app.storage.named_inputs import (
    EARLIER,
    POPULATION,
    NamedInput,
    named_inputs,
)
from deidgui.errors import ConfigError, DeidError, InputError, ProblemsError
from deidgui.qt.file_commands import FileCommands
from deidgui.qt.messages import words_for
from deidgui.qt.widgets import Notice, NoticeArea, Status
from deidgui.text import tr

if TYPE_CHECKING:
    from deidgui.app.workspace import Workspace

ELSEWHERE = "elsewhere"
"""Topic of what other windows and programs do with the project."""

RECOVERY = "recovery"
"""Topic of the notice that offers what a crash left behind."""

MOST_FAILED = 3
"""Failed checks of a release that a notice names."""

AUTOSAVE = "autosave"
"""Topic of why unsaved decisions could not be kept."""

INPUT = "input"
"""Topic of a data file that has changed."""

MISSING = "missing"
"""Topic of files and releases that the project names and are not found."""

VERIFIED = "verified"
"""Topic of what a verification has found."""

SETTLED_BY: dict[str, tuple[str, ...]] = {
    Lane.READ: (INPUT,),
    Lane.EXPORT: (VERIFIED,),
    Lane.VERIFY: (VERIFIED,),
}
"""Further topics that a piece of work takes away when it begins."""

DECIDED_BY: dict[str, Decides] = {
    Lane.MEASURE: Decides.MEASUREMENT,
    Lane.QUESTIONS: Decides.QUESTIONS,
    Lane.CRITERIA: Decides.CRITERIA,
    Lane.ATTACKS: Decides.ATTACKS,
    Lane.AUDIT: Decides.COUNTS,
    Lane.EXPORT: Decides.RELEASE,
}
"""Pieces of work and what decides them: what decisions failed is true of these only."""

AUTOSAVE_MS = 4000
"""A crash may cost the last five seconds of decisions."""

UNSETTLED = frozenset(
    {
        "people_lack_attribute",
        "people_unconfirmed",
        "people_no_partner",
        "population_attribute_missing",
        "population_column_twice",
        "population_count_undecided",
    }
)
"""Problems that mean that a person has to say something about the population."""


def _is_unsettled(error: DeidError) -> bool:
    """Whether only decisions about the population are missing.

    The page where they are made names each of them.
    """
    problems = error.problems if isinstance(error, ProblemsError) else (error,)
    return all(problem.code in UNSETTLED for problem in problems)


class WorkspaceNotices(QObject):
    """Shows failures and questions of the workspace, and keeps decisions safe.

    Attributes
    ----------
    bug_found : Signal of BaseException
        A job failed with something that is no expected failure.
    """

    bug_found = Signal(object)

    def __init__(
        self,
        workspace: Workspace,
        files: FileCommands,
        notices: NoticeArea,
        reported_lanes: Callable[[], tuple[str, ...]],
    ) -> None:
        super().__init__(notices)
        self._reported_lanes = reported_lanes
        self._workspace, self._files, self._notices = workspace, files, notices
        self._about_classes: Notice | None = None
        self._about_decisions: dict[str, str] = {}
        self._project = workspace.session.project
        workspace.problem.connect(self._on_problem)
        workspace.activity.connect(self._on_activity)
        workspace.session.project_changed.connect(self._on_project_changed)
        workspace.data_changed.connect(self._on_data_changed)
        workspace.release_verified.connect(self._on_verified)
        self._finder = _Finder(workspace, files, self)
        self._finder.ended.connect(self._show_missing)
        workspace.input_wanted.connect(self._on_input_wanted)
        workspace.input_located.connect(self._show_missing)
        files.reported.connect(notices.report)
        files.settled.connect(notices.dismiss_topic)
        self.autosave = QTimer(self)
        self.autosave.setInterval(AUTOSAVE_MS)
        self.autosave.timeout.connect(self._on_autosave)
        self.autosave.start()

    def _on_problem(self, error: BaseException, lane: str) -> None:
        is_reported = lane in (Lane.PREPARATION, *self._reported_lanes())
        if isinstance(error, DeidError) and is_reported:
            return  # the page says it, where it can be fixed
        if isinstance(error, DeidError) and error.code == "input_changed_since_read":
            self._look_at_data()
            words = words_for(error)
            self._show_data_changed(words.what, words.fix, "danger")
        elif isinstance(error, DeidError):
            status: Status = "danger"
            if lane == Lane.CLASSES and _is_unsettled(error):
                error, status = InputError("population_unsettled"), "warning"
            notice = self._report(error, status, lane)
            if isinstance(error, ConfigError) and lane in DECIDED_BY:
                self._about_decisions[lane] = self._decisions(lane)
            if lane == Lane.CLASSES:
                self._about_classes = notice
            if lane == Lane.OTHERS:
                self._finder.stop()
                self._show_missing()
        else:
            self.bug_found.emit(error)

    def _on_activity(self, activity: Activity) -> None:
        """Take away what was told about a piece of work when it begins again.

        What the classes cannot be counted for stays until they are: they are counted
        after every decision.
        """
        if activity.fraction == 0 and activity.lane != Lane.CLASSES:
            self._notices.dismiss_topic(activity.lane)
            for topic in SETTLED_BY.get(activity.lane, ()):
                self._notices.dismiss_topic(topic)
            if activity.lane == Lane.READ:
                # The data are found; other tables need not be.
                self._show_missing()

    def _on_project_changed(self, _changes: Changes, _initiator: object) -> None:
        """Take away what was told about earlier decisions, or uncounted classes."""
        if self._workspace.session.project is not self._project:
            self._project = self._workspace.session.project
            self._notices.dismiss_decided()
            for lane, decisions in list(self._about_decisions.items()):
                if self._decisions(lane) != decisions:
                    self._notices.dismiss_topic(lane)
                    del self._about_decisions[lane]
        notice, session = self._about_classes, self._workspace.session
        if notice is not None and session.state(Kind.CLASSES) is State.CURRENT:
            self._notices.dismiss(notice)
            self._about_classes = None

    def _decisions(self, lane: str) -> str:
        """Fingerprint of the decisions that a piece of work rests on now."""
        return fingerprint(self._workspace.session.project, DECIDED_BY[lane])

    def _on_autosave(self) -> None:
        self._look_at_data()
        try:
            self._workspace.autosave()
        except DeidError as error:
            self._report(error, "warning", AUTOSAVE)
        else:
            self._notices.dismiss_topic(AUTOSAVE)

    def _report(self, error: DeidError, status: Status, topic: str) -> Notice:
        words = words_for(error)
        notice = Notice(words.what, status, words.fix, topic=topic)
        self._notices.report(notice)
        return notice

    def _on_data_changed(self, path: Path) -> None:
        self._notices.report(
            Notice(
                tr(
                    "“{file}” is not the file this project was made with.",
                    file=path.name,
                ),
                "warning",
                tr(
                    "Its content has changed since. Your decisions can be applied to "
                    "it, but every result has to be computed anew."
                ),
                tr("Use this file"),
                self._workspace.accept_changed_data,
                INPUT,
            )
        )

    def _on_verified(self, folder: Path, outcome: Mapping[str, Any]) -> None:
        failed = [check["words"] for check in outcome["checks"] if not check["ok"]]
        if outcome["ok"]:
            text, status = tr("Verified: the release matches its evidence."), "success"
            more = tr(
                "{folder}: {n:check|checks} passed. How high the risk is, and what was "
                "accepted with a reason, stands in its report.",
                folder=str(folder),
                n=len(outcome["checks"]),
            )
        else:
            text, status = tr("The release does not match its evidence."), "danger"
            more = tr("{folder}: do not share it.", folder=str(folder))
            untrue = [
                tr("Not so: {claim}", claim=each) for each in failed[:MOST_FAILED]
            ]
            more = "\n".join([more, *untrue])
        notice = Notice(
            text, cast("Status", status), more, topic=VERIFIED, until="step"
        )
        self._notices.report(notice)

    def look_at_files(self) -> None:
        """Tell what others did to the files, when somebody comes back to the window."""
        workspace, session = self._workspace, self._workspace.session
        self._look_at_data()
        if session.path is not None and workspace.is_changed_on_disk():
            self._notices.report(
                Notice(
                    tr(
                        "Another window or program has changed “{file}”.",
                        file=session.path.name,
                    ),
                    "warning",
                    tr("Saving asks before it replaces those changes."),
                    tr("Open it again"),
                    self._files.open_again,
                    ELSEWHERE,
                )
            )
        elif (host := workspace.open_elsewhere()) is not None:
            words = tr("This project is open in another window, too.")
            if host != platform.node():
                words = tr(
                    "This project is open on the computer “{name}”, too.", name=host
                )
            fix = tr("Decide in one of them only.")
            self._notices.report(Notice(words, "info", fix, topic=ELSEWHERE))
        else:
            self._notices.dismiss_topic(ELSEWHERE)

    def _look_at_data(self) -> None:
        """Say while the data file differs from what was read; no page repeats it."""
        session = self._workspace.session
        if session.loaded is None:
            return
        was_outdated = session.is_outdated
        is_outdated = self._workspace.look_at_data()
        is_said = any(each.topic == INPUT for each in self._notices.notices)
        is_reading = self._workspace.is_running(Lane.READ)
        if is_outdated and not is_said and not is_reading:
            words = tr(
                "“{file}” has changed since it was read.", file=session.loaded.path.name
            )
            fix = tr("What is shown is of the earlier content.")
            self._show_data_changed(words, fix)
        elif was_outdated and not is_outdated:
            self._notices.dismiss_topic(INPUT)

    def _show_data_changed(
        self, text: str, fix: str, status: Status = "warning"
    ) -> None:
        if self._workspace.session.undo_label is not None:
            lost = tr("Reading it again keeps your decisions, but ends their undo.")
            fix = f"{fix} {lost}"
        act, action = self._workspace.reload_data, tr("Read it again")
        notice = Notice(text, status, fix, action, act, INPUT, "fixed")
        self._notices.report(notice)

    def _on_input_wanted(self, name: str, file: str) -> None:
        if name == POPULATION:
            words = tr("The population's file “{file}” was not found.", file=file)
            fix, action = tr("It may have been moved or renamed."), tr("Find it…")
            ask = _Asking(self._finder, POPULATION).begin
            notice = Notice(words, "warning", fix, action, ask, Lane.POPULATION)
            self._notices.report(notice)
        else:
            self._show_missing()

    def _show_missing(self, _name: str = "") -> None:
        """Say in one notice what is not found, or take it away."""
        missing = self._workspace.missing_inputs
        self._finder.go_on(missing)
        if not missing:
            self._notices.dismiss_topic(MISSING)
            return
        words, fix = (
            _missing_words(missing[0]),
            tr("It may have been moved or renamed."),
        )
        action = tr("Find it…")
        if len(missing) > 1:
            words = tr("{n:file was|files were} not found.", n=len(missing))
            names = ", ".join(f"“{each.file}”" for each in missing)
            fix = tr("They may have been moved or renamed: {names}.", names=names)
            action = tr("Find them…")
        ask = _Asking(self._finder).begin
        notice = Notice(words, "warning", fix, action, ask, MISSING)
        self._notices.report(notice)


class _Finder(QObject):
    """Asks where each of the missing files is, one after the other.

    The next one is asked for once the last one was looked at, or nobody said where it
    is.

    Attributes
    ----------
    ended : Signal
        Each was asked for.
    """

    ended = Signal()

    def __init__(
        self, workspace: Workspace, files: FileCommands, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._workspace, self._files = workspace, files
        self._missing: Sequence[NamedInput] = ()
        self._asked: set[str] | None = None
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self._ask)

    def begin(self) -> None:
        """Ask for each that is missing."""
        self._asked = set()
        self._ask()

    def ask_for(self, name: str) -> None:
        """Ask for one input of the project."""
        for each in named_inputs(self._workspace.session.project):
            if each.name == name:
                self._files.locate_input(each)

    def stop(self) -> None:
        """Ask no more: something was not what it should be."""
        self._asked = None

    def go_on(self, missing: Sequence[NamedInput]) -> None:
        """Take note of what is missing now; ask for the next one, if somebody began."""
        self._missing = missing
        if self._asked is not None:
            self._timer.start()

    def _ask(self) -> None:
        asked = self._asked
        while asked is not None:
            left = [each for each in self._missing if each.name not in asked]
            if not left:
                self._asked = None
                self.ended.emit()
                return
            asked.add(left[0].name)
            if self._files.locate_input(left[0]):
                return


class _Asking:
    """Begins to ask; a notice with it keeps no window alive."""

    def __init__(self, finder: _Finder, name: str = "") -> None:
        self._finder, self._name = weakref.ref(finder), name

    def begin(self) -> None:
        """Ask, while there is a window."""
        finder = self._finder()
        if finder is None:
            return
        if self._name:
            finder.ask_for(self._name)
        else:
            finder.begin()


def _missing_words(each: NamedInput) -> str:
    """Say which file or release that a project names is not found."""
    if each.is_data:
        return tr("The data file “{file}” was not found.", file=each.file)
    if each.name == EARLIER:
        return tr("The earlier release “{file}” was not found.", file=each.file)
    if each.is_folder:
        return tr("The release “{file}” to compare with was not found.", file=each.file)
    return tr("The file “{file}” to compare with was not found.", file=each.file)
