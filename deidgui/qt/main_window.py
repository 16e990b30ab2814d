"""The frame of the window: steps, page, help, bars, notices, and what closes it."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import sys
import threading
from collections import deque
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import (
    QByteArray,
    QEvent,
    QObject,
    QSize,
    Qt,
    QTimer,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QKeyEvent,
    QKeySequence,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QMainWindow,
    QPlainTextEdit,
    QStackedWidget,
    QWidget,
)
from shiboken6 import isValid

from deidgui.app.decides import Changes
from deidgui.app.events import forget_observers
from deidgui.qt.about import AboutDialog
from deidgui.qt.actions import Actions
from deidgui.qt.bars import ASKED_BEFORE_STOPPING, Footer, LaneStatus, TopBar
from deidgui.qt.dialogs import ShortcutsDialog
from deidgui.qt.file_commands import FileCommands
from deidgui.qt.help_panel import HelpPanel
from deidgui.qt.pages import ALL_STEPS, STEPS, WizardStep, steps_of
from deidgui.qt.pages.base import NOT_YET, Page, PageStatus
from deidgui.qt.pages.parts import PartMaker, kinds_in_order
from deidgui.qt.pages.start import StartPage
from deidgui.qt.rail import Rail
from deidgui.qt.screens import available_area
from deidgui.qt.settings import Settings
from deidgui.qt.tab_order import go_to, next_stop
from deidgui.qt.theme import theme
from deidgui.qt.view_commands import ViewCommands
from deidgui.qt.widgets import (
    Block,
    Button,
    DropHint,
    EmptyState,
    FocusRing,
    NoticeArea,
    column,
    dropped_files,
    goes_with,
    holder,
    line,
)
from deidgui.qt.widgets.dialog import TITLE_BAR
from deidgui.qt.workspace_notices import RECOVERY, WorkspaceNotices
from deidgui.text import tr

if TYPE_CHECKING:
    from importlib.abc import InspectLoader

    from deidgui.app.workspace import Workspace

SMALLEST = (560, 320)
"""Below the screen of 1280 × 720 pixels at a scale of 2, with room for a title bar."""

FIRST_SIZE = (1440, 900)

HELP_FROM = 1400
"""Width, for letters × 1, from which the help is open until somebody chooses."""

PARTED_AT_ONCE = 100
"""Of a part with more parts so many are given up in one turn."""

IMPORTING_MS = 25
"""How often it is looked whether the modules of the pages are imported."""

BUILDING_MS = 8
"""Between two pieces of work on pages whoever uses the window is answered."""

LEADING_MS = 1
"""Between two pieces of work on the page that is wanted."""

PARTING_MS = 200
"""How often pages of the last project are tried to be given up."""

REST_ON_DATA = {step.key for step in STEPS} - {"start", "data"}
"""Steps whose figures are of the file that was read."""

RAIL_FROM = 1120
"""Width from which step names are shown until somebody chooses."""

ROOM_FROM = 880
"""The same of what the help leaves, for letters × 1."""


class PageStack(QStackedWidget):
    """As large as the page that is shown would be; asking the others styles them."""

    def sizeHint(self) -> QSize:
        shown = self.currentWidget()
        return QSize() if shown is None else shown.sizeHint()

    def minimumSizeHint(self) -> QSize:
        shown = self.currentWidget()
        return QSize() if shown is None else shown.minimumSizeHint()


class _Hold(QObject):
    """Keeps what is clicked or typed from a page that is about to go."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._page: QWidget | None = None
        self._focus: QWidget | None = None

    def begin(self, page: QWidget | None, focus: QWidget | None) -> None:
        """Let a page answer nothing; `focus` has the keyboard."""
        self.end()
        if page is None:
            return
        page.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._page = page
        if focus is not None and page.isAncestorOf(focus):
            focus.installEventFilter(self)
            self._focus = focus

    def end(self) -> None:
        """Let it answer again."""
        if self._page is not None and isValid(self._page):
            attribute = Qt.WidgetAttribute.WA_TransparentForMouseEvents
            self._page.setAttribute(attribute, False)
        if self._focus is not None and isValid(self._focus):
            self._focus.removeEventFilter(self)
        self._page = self._focus = None

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        kinds = QEvent.Type
        return event.type() in (kinds.KeyPress, kinds.KeyRelease, kinds.InputMethod)


class _UndoKeys(QObject):
    """Lets the keys of undo and redo reach the decisions from within a field.

    A field takes them only for what was typed into it and is not taken over yet.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._taken = ""
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._on_focus_changed)

    @Slot(QWidget, QWidget)
    def _on_focus_changed(self, before: QWidget | None, now: QWidget | None) -> None:
        if before is not None:
            before.removeEventFilter(self)
        typed = _typed(now) if now is not None else None
        if now is not None and typed is not None and now.window() is self.parent():
            self._taken = typed[0]
            now.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or (typed := _typed(watched)) is None:
            return False
        text, can_undo, can_redo = typed
        if event.type() is QEvent.Type.ShortcutOverride:
            is_undo = event.matches(QKeySequence.StandardKey.Undo)
            is_redo = event.matches(QKeySequence.StandardKey.Redo)
            is_of_field = can_redo if is_redo else can_undo and text != self._taken
            if (is_undo or is_redo) and not is_of_field:
                event.ignore()
                return True
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._taken = text
        return False


def _typed(field: QObject) -> tuple[str, bool, bool] | None:
    """Text of a field, and whether typing in it can be undone and redone."""
    if isinstance(field, QAbstractSpinBox):
        field = field.lineEdit()
    if isinstance(field, QLineEdit):
        return field.text(), field.isUndoAvailable(), field.isRedoAvailable()
    if isinstance(field, QPlainTextEdit):
        page = field.document()
        return field.toPlainText(), page.isUndoAvailable(), page.isRedoAvailable()
    return None


class MainWindow(QMainWindow):
    """The one window.

    Attributes
    ----------
    bug_found : Signal of BaseException
        A job failed with something that is no expected failure.
    pages_imported : Signal
        The modules of all pages are there.
    """

    bug_found = Signal(object)
    pages_imported = Signal()

    def __init__(self, workspace: Workspace, settings: Settings) -> None:
        super().__init__()
        theme().dress(self)
        theme().changed.connect(self._fit_to_width)
        self.workspace, self.settings = workspace, settings
        self.session = workspace.session
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._pages: dict[str, QWidget] = {}
        self._built: dict[str, QWidget] = {}
        self._makers: dict[str, PartMaker] = {}
        self._key = ""
        self._part = ""
        self._wants_focus = self._wants_finish = self._is_focus_lost = False
        self._is_by_keys = False
        self._steps: tuple[WizardStep, ...] = STEPS
        self.setMinimumSize(*SMALLEST)
        self.setAcceptDrops(True)
        self.actions_by_name = Actions(self)
        self.files = FileCommands(workspace, settings, self)
        self.view = ViewCommands(self.actions_by_name, settings, self)
        self._build_frame()
        self._connect_actions()
        self._connect_workspace()
        self._focus_ring = FocusRing(self)
        self._undo_keys = _UndoKeys(self)
        self._drop_hint = DropHint(tr("Let go to open the file"), self)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self._show_words)
        self._importer: threading.Thread | None = None
        self._to_import: deque[str] = deque()
        self._is_imported = False
        self._builder = QTimer(self)
        self._builder.setInterval(IMPORTING_MS)
        self._builder.timeout.connect(self._on_due)
        self._leading = QTimer(self)
        self._leading.setInterval(LEADING_MS)
        self._leading.timeout.connect(self._on_due)
        self._hold = _Hold(self)
        self._parted: list[QWidget] = []
        self._parting = QTimer(self)
        self._parting.setInterval(PARTING_MS)
        self._parting.timeout.connect(self._on_due)
        self._restore_geometry()
        self._show_project()
        self.lead_to("start")

    # -- frame ---------------------------------------------------------------------

    def _build_frame(self) -> None:
        self.top_bar = TopBar(self.actions_by_name)
        self.top_bar.name_clicked.connect(self._on_rename)
        self.rail = Rail()
        self.rail.chosen.connect(self.lead_to)
        self.rail.collapse_clicked.connect(self.actions_by_name["rail"].trigger)
        self.notices = NoticeArea()
        self._stack = PageStack()
        self._stack.addWidget(QWidget())
        self.footer = Footer(self.actions_by_name)
        self.help_panel = HelpPanel()
        self.help_panel.close_clicked.connect(self._on_help_closed)
        self._help_line = line(Qt.Orientation.Vertical)
        middle = holder(
            column(self.notices, (self._stack, 1), line(), self.footer, spacing=0)
        )
        work = QHBoxLayout()
        work.setSpacing(0)
        work.addWidget(self.rail)
        work.addWidget(line(Qt.Orientation.Vertical))
        work.addWidget(middle, 1)
        work.addWidget(self._help_line)
        work.addWidget(self.help_panel)
        outer = column(self.top_bar, line(), spacing=0)
        outer.addLayout(work, 1)
        self.setCentralWidget(holder(outer))
        self.status = LaneStatus(self.workspace, self.footer)

    def _connect_actions(self) -> None:
        actions, files = self.actions_by_name, self.files
        actions.connect_to(
            {
                "new": files.new_from_file,
                "new_counts": self._on_counts_wanted,
                "open": files.choose_project,
                "example": files.open_example,
                "save": files.save,
                "save_as": files.save_as,
                "rename": self._on_rename,
                "close": files.close_project,
                "quit": self.close,
                "undo": self.session.undo,
                "redo": self.session.redo,
                "help_panel": self._on_help_panel,
                "rail": self._on_rail,
                "help_step": self._on_help_step,
                "help_index": self._on_help_index,
                "verify": files.verify_release,
                "export": self._on_export,
                "shortcuts": self._on_shortcuts,
                "about": self._on_about,
                "back": self.go_back,
                "next": self.go_on,
                **self.view.answers(),
                **{f"step_{step.key}": self._on_step_action for step in ALL_STEPS},
            }
        )
        actions.recent_menu.aboutToShow.connect(self._on_recent_menu)

    def _connect_workspace(self) -> None:
        self.session.project_changed.connect(self._on_project_changed)
        self.workspace_notices = WorkspaceNotices(
            self.workspace, self.files, self.notices, self._reported_lanes
        )
        self.workspace_notices.bug_found.connect(self.bug_found)
        self.files.data_opened.connect(self._on_data_opened)
        self.files.project_closed.connect(self._on_project_closed)
        self.files.tables_given.connect(self._on_tables_given)

    # -- pages ---------------------------------------------------------------------

    @property
    def current_key(self) -> str:
        """Key of the step whose page is shown."""
        return self._key

    @property
    def is_leading(self) -> bool:
        """Whether the page of the present step is still being prepared."""
        return self._leading.isActive()

    def page(self, key: str) -> QWidget:
        """Return the page of a step; builds it the first time.

        Where this page is on its way, it is shown.
        """
        page = self._taken_in(key)
        if isinstance(page, Page):
            page.place_all()
        if key == self._key and self._leading.isActive():
            self._arrive()
        return page

    def _taken_in(self, key: str) -> QWidget:
        if key not in self._pages:
            step = next(step for step in ALL_STEPS if step.key == key)
            page = self._built.pop(key, None) or self._build_page(step)
            self._pages[key] = page
            self._stack.addWidget(page)
        return self._pages[key]

    def _build_page(self, step: WizardStep) -> QWidget:
        try:
            module = importlib.import_module(step.module)
            kind: type[Page] = getattr(module, step.page_class)
            given = self.workspace, self.settings
            maker = self._makers.pop(step.key, None)
            made = maker.made if maker is not None else []
            page = kind(*given, made=made) if made else kind(*given)
        except Exception as error:  # noqa: BLE001 - the other steps go on working
            if not isinstance(error, ModuleNotFoundError | AttributeError):
                self.bug_found.emit(error)
            return EmptyState(
                "danger", step.title, tr("This step could not be opened.")
            )
        page.status_changed.connect(self._soon.start)
        page.help_changed.connect(self._soon.start)
        page.step_wanted.connect(self.lead_to)
        page.reported.connect(self.notices.report)
        page.settled.connect(self.notices.dismiss_topic)
        page.data_wanted.connect(self.files.new_from_file)
        page.tables_given.connect(self.files.open_as_counts)
        if isinstance(page, StartPage):
            page.project_wanted.connect(self.files.choose_project)
            page.file_given.connect(self.files.open_path)
            page.files_dropped.connect(self.files.open_paths)
            page.example_wanted.connect(self.files.open_example)
            page.verify_wanted.connect(self.files.verify_release)
            page.export_wanted.connect(self._on_export)
            page.counts_wanted.connect(self._on_counts_wanted)
        return page

    def _on_counts_wanted(self) -> None:
        """Begin with tables, also where a project of tables was open before."""
        if self.files.new_counts():
            self.lead_to("tables")

    def _on_tables_given(self, paths: list[Path]) -> None:
        from deidgui.qt.pages.counts.tables import TablesPage

        self.show_step("tables")
        page = self.page("tables")
        assert isinstance(page, TablesPage)
        page.take_files(paths)

    def _on_due(self) -> None:
        """Do a piece of work on pages in a turn in which nothing else is done."""
        timer = self.sender()
        assert isinstance(timer, QTimer)
        self.workspace.post(partial(self._do_due, timer))

    def _do_due(self, timer: QTimer) -> None:
        if not isValid(self) or not timer.isActive():
            return
        if timer is self._builder:
            self._build_next_page()
        elif timer is self._leading:
            self._on_leading()
        else:
            self._on_parting()

    def _build_next_page(self) -> None:
        """Build one page that was not shown yet, or take it in, while nothing happens.

        What it needs is imported before, beside the window where that is possible.
        """
        if self._leading.isActive():
            return
        if self._importer is None:
            self._importer = threading.Thread(
                target=_import_pages, args=(self._to_import,), daemon=True
            )
            self._importer.start()
        if self._is_importing():
            self._builder.setInterval(BUILDING_MS if self._to_import else IMPORTING_MS)
            return
        if not self._is_imported:
            self._is_imported = True
            self.pages_imported.emit()
        if self._has_built():
            self._builder.start(BUILDING_MS)
        else:
            self._builder.stop()

    def _is_importing(self) -> bool:
        """Import a module of a page if one can be imported; False if none is left."""
        is_alive = self._importer is not None and self._importer.is_alive()
        if not self._to_import:
            return is_alive
        # What fails here fails again where the page is built, and is told there.
        with contextlib.suppress(Exception):
            importlib.import_module(self._to_import.popleft())
        return True

    def _has_built(self) -> bool:
        """Do one piece of work on a page that was not shown; False if none is left."""
        for step in self._steps:
            page = self._pages.get(step.key)
            if step.key in self._built:
                self._taken_in(step.key)
                self._show_statuses()
                return True
            if page is None:
                self._build_piece(step)
                return True
            if isinstance(page, Page) and page.place_piece():
                return True
        pages = [each for each in self._pages.values() if isinstance(each, Page)]
        return any(page.make_plot() for page in pages)

    def _build_piece(self, step: WizardStep) -> None:
        """Make one of the parts that a page begins with, or at last the page."""
        # What fails here fails again where the page is built, and is told there.
        with contextlib.suppress(Exception):
            if step.key not in self._makers:
                module = importlib.import_module(step.module)
                kinds = getattr(module, step.page_class).first
                self._makers[step.key] = PartMaker(kinds, self)
            if self._makers[step.key].make_next():
                return
        self._built[step.key] = goes_with(self._build_page(step), self)

    def build_all_pages(self) -> None:
        """Build every page now."""
        for step in self._steps:
            self.page(step.key)
        self._show_statuses()

    def show_step(self, key: str) -> None:
        """Show the page of a step at once; nothing that was decided is lost."""
        if key != self._key:
            self._leave_for(key)
        elif not self._leading.isActive():
            return
        self._arrive()

    def show_place(self, place: str) -> None:
        """Show a step at once, or a part of its page: "policies/lattice"."""
        self.lead_to(place)
        self.show_step(self._key)

    def lead_to(self, place: str) -> None:
        """Show a step, or a part of its page, as soon as its page is ready.

        It is built, brought up to date and laid out in pieces, between which whoever
        uses the window is answered. The page before stays to be seen until then.
        """
        key, _, part = place.partition("/")
        if key != self._key:
            self._leave_for(key)
            self._leading.start()
            self._show_statuses()
        self._part = part
        if part and not self._leading.isActive():
            self._show_part()

    def _leave_for(self, key: str) -> None:
        before = self._pages.get(self._key)
        if isinstance(before, Page):
            before.leave()
        self._key, self._part = key, ""
        self._wants_focus = self._wants_finish = False
        self._note_keyboard()
        self._hold.begin(self._stack.currentWidget(), self.focusWidget())
        # Whoever was led away from this step and is back needs no way back.
        self.notices.dismiss_topic(f"back to {key}")
        self.notices.dismiss_read()
        self.rail.set_current(key)
        place = self._place()
        self.help_panel.set_step(key, self._steps[place].title)
        self._show_neighbours()
        self.actions_by_name["back"].setEnabled(place > 0)

    def _on_leading(self) -> None:
        """Do one piece of what is left until the wanted page can be shown."""
        key, step = self._key, self._steps[self._place()]
        if step.module not in sys.modules and self._is_importing():
            return
        if key not in self._pages and key not in self._built:
            self._build_piece(step)
        elif key not in self._pages:
            self._taken_in(key)
        elif not self._is_prepared(self._pages[key]):
            self._arrive()
        if self._leading.isActive():
            # What has waited meanwhile is answered first.
            self._leading.start()

    def _is_prepared(self, page: QWidget) -> bool:
        """Prepare an unseen page by one piece; False if nothing is left to do."""
        if not isinstance(page, Page):
            return False
        if page.place_piece() or theme().restyle_unseen(page) or page.refresh_piece():
            return True
        layout = page.layout()
        if page.size() == self._stack.size() or layout is None:
            return False
        page.resize(self._stack.size())
        layout.activate()
        return True

    def _arrive(self) -> None:
        """Show the page of the present step."""
        self._leading.stop()
        self._hold.end()
        page = self._taken_in(self._key)
        self._stack.setCurrentWidget(page)
        self._show_statuses()
        self._show_choices()
        is_lost = self._is_focus_lost and self.focusWidget() in (None, self)
        if self._wants_focus or is_lost:
            # Tab goes on with the first control of the page.
            page.setFocus(Qt.FocusReason.ShortcutFocusReason)
            if self._is_by_keys:
                self._focus_ring.surround(page)
        self._is_focus_lost = False
        if self._wants_finish and isinstance(page, Page) and page.finish is not None:
            _go_to_finish(page, page.finish)
        self._show_part()

    def _show_part(self) -> None:
        page, part = self._pages[self._key], self._part
        self._part = ""
        self._wants_focus = self._wants_finish = False
        if part and isinstance(page, Page):
            page.show_place(part)

    def _lead_with_focus(self, key: str, *, to_finish: bool = False) -> None:
        """Lead to a step; the keyboard goes on there, or on what ends it."""
        self.lead_to(key)
        self._wants_focus, self._wants_finish = True, to_finish
        if not self._leading.isActive():
            self._arrive()

    def go_on(self) -> None:
        """Show the next step, if nothing is missing for it."""
        self.show_step(self._key)
        place = self._place()
        missing = self._status(self._key).what_is_missing
        if place + 1 < len(self._steps) and not missing:
            self._lead_with_focus(self._steps[place + 1].key)

    def go_back(self) -> None:
        """Show the previous step."""
        if self._place() > 0:
            self._lead_with_focus(self._steps[self._place() - 1].key)

    def _note_keyboard(self) -> None:
        """Remember whether the keyboard was seen, so that it is on the next page."""
        if self.focusWidget() not in (None, self):  # else as it was noted last
            self._is_by_keys = self._focus_ring.widget() is not None

    def _has_step(self, key: str) -> bool:
        return any(step.key == key for step in self._steps)

    def _place(self) -> int:
        return [step.key for step in self._steps].index(self._key)

    def _status(self, key: str) -> PageStatus:
        page = self._pages.get(key)
        status = page.status() if isinstance(page, Page) else NOT_YET
        is_older = self.session.is_outdated and key in REST_ON_DATA
        return status.of_older_file() if is_older else status

    def _show_words(self) -> None:
        """Once after every change, however many pages announce it."""
        self._show_statuses()
        self._show_choices()

    def _show_neighbours(self) -> None:
        """Name the steps before and after in the foot."""
        place, steps = self._place(), self._steps
        self.footer.set_steps(
            steps[place - 1].title if place > 0 else None,
            steps[place + 1].title if place + 1 < len(steps) else None,
        )

    def _show_kind(self) -> None:
        """Show the steps of the project's kind, and the first one of a new kind."""
        kind = self.session.project.kind
        steps = steps_of(kind)
        if steps is self._steps:
            return
        self._steps = steps
        self.rail.set_steps(steps)
        self.actions_by_name.show_steps(steps)
        if kind == "counts":
            self.lead_to("tables")
        elif self.session.project.has_data:
            self.lead_to("data")
        elif not self._has_step(self._key):
            self.lead_to("start")
        self._show_neighbours()
        self._builder.start()

    def _show_statuses(self) -> None:
        keys = dict.fromkeys((*(step.key for step in self._steps), self._key))
        statuses = {key: self._status(key) for key in keys}
        for step in self._steps:
            self.rail.set_status(step.key, statuses[step.key])
        is_there = not self._leading.isActive()
        self.footer.set_status(statuses[self._key] if is_there else None)
        page = self._pages.get(self._key) if is_there else None
        self.footer.set_finish(page.finish if isinstance(page, Page) else None)
        self.status.leave_to_page(page.shown_lanes if isinstance(page, Page) else ())

    def _show_choices(self) -> None:
        page = self._pages.get(self._key)
        if isinstance(page, Page):
            self.help_panel.set_choices(page.help_words())

    def _on_step_action(self) -> None:
        sender = self.sender()
        for step in self._steps:
            if sender is self.actions_by_name[f"step_{step.key}"]:
                self._lead_with_focus(step.key)

    # -- following the workspace ---------------------------------------------------

    def _on_project_changed(self, changes: Changes, _initiator: object | None) -> None:
        self._show_kind()
        self._show_project()
        if changes is Changes.EVERYTHING:
            self._begin_anew()

    def _begin_anew(self) -> None:
        """Another project: nothing that was shown or typed for the last one stays."""
        self.notices.dismiss_all(but=RECOVERY)
        self._note_keyboard()
        used = [k for k, p in self._pages.items() if getattr(p, "was_shown", True)]
        for key in used:
            self._part_with(self._pages.pop(key))
        # Nothing of the last project is seen until the new page is ready.
        self._stack.setCurrentIndex(0)
        # Whoever opened it goes on with its page, whatever had the keyboard before.
        self.setFocus()
        self._is_focus_lost = True
        self._leading.start()
        self._show_statuses()
        self._soon.start()
        if self.isVisible():
            self._builder.start()

    def _part_with(self, page: QWidget) -> None:
        """Forget a page; it stays until nothing runs whose end it waits for.

        PERF: it stays in the stack, unseen: elsewhere it would be styled anew.
        """
        focus = self.focusWidget()
        if focus is not None and page.isAncestorOf(focus):
            # What was being typed is no decision on the next project.
            focus.blockSignals(True)
            self.setFocus()
        forget_observers(
            self.workspace,
            lambda each: (
                each is page or (isinstance(each, QObject) and _is_part_of(each, page))
            ),
        )
        self._parted.append(page)
        self._parting.start()

    def _on_parting(self) -> None:
        """Give up one page at a time, its blocks and large parts one by one before."""
        if not self._parted:
            self._parting.stop()
        elif not self.workspace.runner.is_busy:
            page = self._parted[-1]
            kinds = kinds_in_order(page.first) if isinstance(page, Page) else ()
            parts = filter(None, map(page.findChild, (Block, *kinds)))
            part = next(parts, page)
            inside = [each for each in part.children() if isinstance(each, QWidget)]
            if len(inside) <= PARTED_AT_ONCE:
                inside = [part if part is not page else self._parted.pop()]
            for each in inside[:PARTED_AT_ONCE]:
                each.deleteLater()
            if self._builder.isActive():
                self._builder.start()  # not in the same moment

    def _show_project(self) -> None:
        session, actions = self.session, self.actions_by_name
        is_open = session.project.has_data or session.path is not None
        name = session.project.name if is_open else ""
        unsaved = session.has_unsaved_changes or session.path is None
        self.top_bar.set_project(name, unsaved, session.path is not None)
        self.setWindowTitle(f"{name}[*] – deidgui" if name else "deidgui")
        self.setWindowModified(unsaved and is_open)
        undone, redone = session.undo_label, session.redo_label
        for action, words, label in (
            ("undo", tr("&Undo {decision}", decision=undone or ""), undone),
            ("redo", tr("&Redo {decision}", decision=redone or ""), redone),
        ):
            actions[action].setText(words.strip())
            actions[action].setEnabled(label is not None)
        for action in ("save", "save_as", "rename", "export", "close"):
            actions[action].setEnabled(is_open)

    def _on_project_closed(self) -> None:
        self.lead_to("start")

    def _reported_lanes(self) -> tuple[str, ...]:
        """Lanes of which the page that is shown says what failed."""
        page = self._pages.get(self._key)
        return page.reported_lanes if isinstance(page, Page) else ()

    def _on_data_opened(self) -> None:
        self.workspace_notices.look_at_files()
        self.notices.dismiss_topic("read")
        # While the file is read the steps may still be those of tables of counts.
        if self._has_step("data"):
            self._lead_with_focus("data")

    # -- view ----------------------------------------------------------------------

    def _on_help_panel(self, is_open: bool) -> None:
        self.settings.remember(help_open=is_open)
        self._show_help(is_open)

    def _on_help_closed(self) -> None:
        self.actions_by_name["help_panel"].trigger()

    def _show_help(self, is_open: bool) -> None:
        self.actions_by_name["help_panel"].setChecked(is_open)
        self.help_panel.setVisible(is_open)
        self._help_line.setVisible(is_open)
        is_collapsed = self.settings.now.rail_collapsed
        if is_collapsed is None:
            room = self.width() - (self.help_panel.width() if is_open else 0)
            least = ROOM_FROM * theme().text_scale
            is_collapsed = self.width() < RAIL_FROM or room < least
        self._show_rail(not is_collapsed)

    def _on_help_step(self) -> None:
        if self.help_panel.isHidden():
            self.actions_by_name["help_panel"].trigger()
        self.help_panel.show_step()
        self.help_panel.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _on_export(self) -> None:
        self._lead_with_focus(self._steps[-1].key, to_finish=True)

    def _on_help_index(self) -> None:
        if self.help_panel.isHidden():
            self.actions_by_name["help_panel"].trigger()
        self.help_panel.show_index()

    def _on_shortcuts(self) -> None:
        self._open(ShortcutsDialog(self.actions_by_name.by_name, self))

    def _on_about(self) -> None:
        self._open(AboutDialog(self.workspace.runner, self))

    def _open(self, sheet: QDialog) -> None:
        sheet.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        sheet.open()

    def _on_rail(self, is_wide: bool) -> None:
        self.settings.remember(rail_collapsed=not is_wide)
        self._show_rail(is_wide)

    def _show_rail(self, is_wide: bool) -> None:
        self.actions_by_name["rail"].setChecked(is_wide)
        self.rail.set_collapsed(not is_wide)

    def _on_rename(self) -> None:
        self.files.rename(self.top_bar.name_button)

    def _on_recent_menu(self) -> None:
        self.files.fill_recent(self.actions_by_name.recent_menu)

    def _fit_to_width(self) -> None:
        """Show or hide side panels by width, as far as nobody chose otherwise."""
        is_open = self.settings.now.help_open
        if is_open is None:
            is_open = self.width() >= HELP_FROM * max(1.0, theme().text_scale)
        self._show_help(is_open)

    # -- Qt ------------------------------------------------------------------------

    def _restore_geometry(self) -> None:
        stored = QByteArray.fromBase64(self.settings.now.geometry.encode())
        if not self.settings.now.geometry or not self.restoreGeometry(stored):
            self.resize(first_size(available_area(self).size()))
        self._fit_to_width()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.focusWidget() is None:
            self.setFocus(Qt.FocusReason.OtherFocusReason)
        self._builder.start()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        is_back = event.type() is QEvent.Type.ActivationChange and self.isActiveWindow()
        if is_back and hasattr(self, "workspace_notices"):
            # What was decided in a dialog may have taken away what opened it.
            self._leave_what_is_gone()
            self.workspace_notices.look_at_files()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_to_width()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_files(event.mimeData()):
            event.acceptProposedAction()
            self._drop_hint.cover()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._drop_hint.hide()
        super().dragLeaveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        self._drop_hint.hide()
        files = dropped_files(event.mimeData())
        if files:
            event.acceptProposedAction()
            self.files.open_paths(files)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Walk bars, steps, page, foot and help in reading order."""
        if self._leave_what_is_gone():
            return True
        now = self.focusWidget()
        target = next_stop(self.centralWidget(), now, forward=forward)
        if target is not None:
            go_to(target, forward=forward)
        return target is not None

    def _leave_what_is_gone(self) -> bool:
        """Take the keyboard from what has disappeared to where it stood.

        The next control may be one that decides something.
        """
        gone = self.focusWidget()
        if gone is None or (gone.isVisible() and gone.isEnabled()):
            return False
        was_seen = self._focus_ring.widget() is gone
        place = gone.parentWidget()
        while place is not None and not (place.isVisible() and place.isEnabled()):
            place = place.parentWidget()
        (place or self).setFocus(Qt.FocusReason.OtherFocusReason)
        if was_seen and place is not None and not place.isWindow():
            self._focus_ring.surround(place)
        return True

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self._may_stop_work() or not self.files.may_discard():
            event.ignore()
            return
        autosave = self.workspace_notices.autosave
        self._hold.end()
        for timer in (
            autosave,
            self._builder,
            self._soon,
            self._leading,
            self._parting,
        ):
            timer.stop()
        geometry = bytes(self.saveGeometry().toBase64().data()).decode()
        self.settings.remember(geometry=geometry)
        event.accept()

    def _may_stop_work(self) -> bool:
        running = self.workspace.runner.running
        weighty = [each for each in ASKED_BEFORE_STOPPING if running(each)]
        if not weighty:
            return True
        answer = self.files.ask(
            tr("Stop what is running?"),
            tr(
                "{work} has not finished. Closing stops it.",
                work=self.status.words(weighty[0]),
            ),
            [
                ("stay", tr("Keep the window open"), "primary"),
                ("stop", tr("Stop and close"), "plain"),
            ],
        )
        return answer == "stop"


def _go_to_finish(page: Page, button: Button) -> None:
    """Put the keyboard on what ends a step, or on what is missing for it."""
    if button.isVisible() and button.isEnabled():
        go_to(button, forward=True)
    elif page.status().what_is_missing:
        part = page.show_what_asks()
        place = next_stop(part, part, forward=True)
        place = place or next_stop(page, page, forward=True)
        if place is not None:
            go_to(place, forward=True)


def _import_pages(of_qt: deque[str]) -> None:
    """Import what the pages need, and leave to the GUI thread what makes classes of Qt.

    PySide keeps all of them in one table. Before Python 3.12 the GUI thread looks into
    it without a lock whenever Qt asks what a widget is: while another thread made the
    class with which the table grew, the process ended.

    Parameters
    ----------
    of_qt : deque of str
        Takes the modules that are left, each behind those that it needs.
    """
    from deidgui.app.reading.files import safe_name

    seen = set(sys.modules)
    for step in ALL_STEPS:
        # What fails here fails again where the page is built, and is told there.
        with contextlib.suppress(Exception):
            _import_for(step.module, seen, of_qt)
    # PERF: the names of people and of columns that it looks for are listed once, in
    # 0.2 s, and the first table needs them. Of no text nothing is looked for.
    safe_name("Table")


def _import_for(name: str, seen: set[str], of_qt: deque[str]) -> None:
    """Import a module, or of one of Qt what it names as its own imports."""
    if name in seen:
        return
    seen.add(name)
    if not name.startswith("deidgui.qt."):
        importlib.import_module(name)
        return
    spec = importlib.util.find_spec(name)
    assert spec is not None
    code = cast("InspectLoader", spec.loader).get_code(name)
    assert code is not None
    for needed in code.co_names:
        if needed.startswith("deidgui."):
            _import_for(needed, seen, of_qt)
    of_qt.append(name)


def first_size(available: QSize) -> QSize:
    """Size of the first window: all of it fits the screen, its title bar too."""
    return QSize(
        min(FIRST_SIZE[0], available.width()),
        min(FIRST_SIZE[1], available.height() - TITLE_BAR),
    )


def _is_part_of(one: QObject, page: QObject) -> bool:
    parent = one.parent()
    return parent is not None and (parent is page or _is_part_of(parent, page))
