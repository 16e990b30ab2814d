"""The steps that prepare the table: what each does, and adding, changing, removing."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QFrame,
    QMenu,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from deidgui.app.activity import Activity
from deidgui.app.jobs import Lane
from deidgui.app.loaded import Loaded
from deidgui.app.preparation.nearly import nearly_constant_columns
from deidgui.app.preparation.preparing import proposed_params
from deidgui.app.project import Project
from deidgui.app.reading.files import list_file_name, read_limited
from deidgui.engine.parameters import parameters_of
from deidgui.engine.preparation import (
    STEPS,
    Effect,
    GroupCodes,
    OneValue,
    RemovePeople,
    Step,
)
from deidgui.engine.preparation.lists import read_codes, read_groups
from deidgui.errors import DeidError, InputError
from deidgui.qt.file_dialogs import ask_open
from deidgui.qt.forms import ParameterForm
from deidgui.qt.messages import words_for
from deidgui.qt.widgets import (
    Button,
    Card,
    IconButton,
    Label,
    ProgressCard,
    ReasonLabel,
    clear,
    column,
    mark,
    refilled,
    row,
    show_if,
)
from deidgui.text import tr

if TYPE_CHECKING:
    from deidgui.app.workspace import Workspace


MOST_SHOWN = 2_000
"""Rows of a list that are shown."""

LIST_HEIGHT = 220
"""Pixels."""


class StepCard(QFrame):
    """One step: its name, what it did in numbers, and what can be done with it.

    Attributes
    ----------
    moved : Signal of int
        -1 up, 1 down.
    """

    edit_wanted = Signal()
    removed = Signal()
    moved = Signal(int)

    def __init__(
        self,
        number: int,
        n_steps: int,
        step: Step,
        effect: Effect | None,
        files: Mapping[str, bytes],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        mark(self, kind="card")
        self._step, self._files = step, files
        title = tr(step.title)
        name = Label(
            tr("{number}. {title}", number=number, title=title), "strong", wrap=True
        )
        self.up = IconButton("arrow-up", tr("Move up"), self._on_up, small=True)
        self.down = IconButton("arrow-down", tr("Move down"), self._on_down, small=True)
        self.edit = Button(tr("Edit step"), "plain", small=True)
        self.edit.clicked.connect(self.edit_wanted)
        self.remove = IconButton(
            "close", tr("Remove “{model}”", model=title), self.removed, small=True
        )
        show_if(self.up, number > 1)
        show_if(self.down, number < n_steps)
        show_if(self.edit, step.problem is None)
        head = row(name, self.up, self.down, self.edit, self.remove)
        head.setStretch(0, 1)
        self.words = Label(self._words(step, effect), "body", wrap=True)
        self.show_codes = Button(
            tr("Show the list"), "link", clicked=self._on_show_codes
        )
        show_if(self.show_codes, any(name in files for name in step.files))
        self.codes = QTableWidget()
        self.codes.setAccessibleName(tr("List of the step"))
        show_if(self.codes, False)
        listed = row(self.show_codes, None)
        box = column(head, self.words, listed, self.codes, spacing=4)
        box.setContentsMargins(10, 6, 6, 8)
        self.setLayout(box)

    def _words(self, step: Step, effect: Effect | None) -> str:
        if step.problem is not None:
            found = words_for(step.problem)
            return f"{found.what} {found.fix}".strip()
        return "\n".join(effect.words()) if effect is not None else ""

    def _on_show_codes(self) -> None:
        """Show the list, or hide it again; it is edited as a file."""
        is_shown = self.codes.isHidden()
        if is_shown and not self.codes.rowCount():
            self._fill_codes()
        show_if(self.codes, is_shown)
        words = tr("Hide the list") if is_shown else tr("Show the list")
        self.show_codes.setText(words)

    def _fill_codes(self) -> None:
        shown = _listed(self._step, self._files)[:MOST_SHOWN]
        heads: tuple[str, ...] = (tr("Code"), tr("Group"))
        if any(len(cells) > 2 for cells in shown):
            heads = (tr("Code"), tr("How it is compared"), tr("Reason"))
        self.codes.setColumnCount(len(heads))
        self.codes.setHorizontalHeaderLabels(heads)
        self.codes.setRowCount(len(shown))
        self.codes.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        for place, cells in enumerate(shown):
            for at, text in enumerate(cells):
                self.codes.setItem(place, at, QTableWidgetItem(text))
        self.codes.resizeColumnsToContents()
        self.codes.horizontalHeader().setStretchLastSection(True)
        self.codes.setFixedHeight(LIST_HEIGHT)

    def _on_up(self) -> None:
        self.moved.emit(-1)

    def _on_down(self) -> None:
        self.moved.emit(1)


class StepEditor(Card):
    """The parameters of a step that is added or changed.

    Attributes
    ----------
    accepted : Signal of (Step, dict of str to bytes)
        The step, and the lists that it names anew.
    """

    accepted = Signal(object, object)
    dismissed = Signal()

    def __init__(
        self,
        kind: type[Step],
        params: dict[str, Any],
        names: tuple[str, ...],
        why: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(tr(kind.title), tr(kind.summary), 12, parent)
        self.why = Label(why, "body", "muted", wrap=True)
        show_if(self.why, bool(why))
        self.add(self.why)
        self.form: ParameterForm[Step] = ParameterForm(
            kind, choices={"column": names}, is_compact=True
        )
        self.form.set_params(params)
        self._kind = kind
        self.lists: dict[str, bytes] = {}
        self.add(self.form)
        self.choose = Button(tr("Choose a file…"), clicked=self._on_choose)
        show_if(self.choose, bool(kind.file_parameter))
        self._problem = ReasonLabel("", "danger")
        self.add(self._problem)
        self.apply = Button(tr("Apply step"), "primary", clicked=self._on_apply)
        self.cancel = Button(tr("Cancel"), clicked=self.dismissed)
        self.body.addLayout(row(self.choose, None, self.cancel, self.apply))

    def _on_choose(self) -> None:
        path = ask_open(
            self, "list", tr("Choose a file…"), tr("CSV files (*.csv *.txt)")
        )
        if path is not None:
            self.take_file(path)

    def take_file(self, path: Path) -> None:
        """Take the content of a list; its place is beside the project."""
        try:
            content = read_limited(path)
        except OSError as error:
            reason = error.strerror or ""
            self.show_problem(InputError("cannot_read", file=path.name, reason=reason))
            return
        except DeidError as error:
            self.show_problem(error)
            return
        name = list_file_name(path.stem, content)
        self.lists = {name: content}
        self.form.field(self._kind.file_parameter).set_value(name)

    def show_problem(self, error: DeidError) -> None:
        """Say why the step cannot be applied."""
        words = words_for(error)
        self._problem.set_reason(f"{words.what} {words.fix}".strip(), "danger")

    def _on_apply(self) -> None:
        self._problem.set_reason("", "danger")
        step = self.form.value()
        if step is not None:
            self.accepted.emit(step, self.lists)


class PreparationView(QWidget):
    """The list of steps, with the editor of one of them."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.workspace = workspace
        self._project = Project()
        self._loaded: Loaded | None = None
        self._place: int | None = None
        self.editor: StepEditor | None = None
        self.cards: list[StepCard] = []
        self.progress = ProgressCard(tr("Preparing the table"), can_pause=False)
        self.progress.cancel_clicked.connect(self._on_cancel)
        show_if(self.progress, False)
        self._card = Card(
            tr("Preparation"),
            tr(
                "Steps that change the table before anything else sees it, in this "
                "order. The file stays as it is."
            ),
            12,
        )
        self.figures = Label("", "body", wrap=True)
        self.empty = Label(
            tr(
                "No steps: the table is used as it was read. Add one to truncate "
                "events, join extreme numbers, replace dates or remove people."
            ),
            "body",
            "muted",
            wrap=True,
        )
        self._menu = self._make_menu()
        self.add_button = Button(tr("Add a step"), glyph="plus", small=True)
        self.add_button.setMenu(self._menu)
        self._card.head_actions.addWidget(self.add_button)
        self._problem = ReasonLabel("", "danger")
        self._rows = column(spacing=8)
        self._editing = column(spacing=8)
        for each in (self.progress, self.empty, self.figures, self._problem):
            self._card.add(each)
        self._card.body.addLayout(self._rows)
        self._card.body.addLayout(self._editing)
        self.setLayout(column(self._card, None, spacing=0))
        workspace.activity.connect(self._on_activity)
        workspace.problem.connect(self._on_problem)

    def _make_menu(self) -> QMenu:
        """Every kind of step, with one line that says what it does."""
        menu = QMenu(self)
        for kind in STEPS:
            action = menu.addAction(tr(kind.title))
            action.setData(kind.kind)
            action.setToolTip(tr(kind.summary))
        menu.setToolTipsVisible(True)
        menu.triggered.connect(self._on_kind_wanted)
        return menu

    def add_action(self, kind: str) -> QAction:
        """Return the entry of the menu that adds a kind (KeyError without one)."""
        for action in self._menu.actions():
            if action.data() == kind:
                return action
        raise KeyError(kind)

    # -- showing -------------------------------------------------------------------

    def show_project(self, project: Project, loaded: Loaded | None) -> None:
        """Show the steps of a project, and what they did."""
        if project.preparation != self._project.preparation:
            self._close()
            self._problem.set_reason("", "danger")
        self._project, self._loaded = project, loaded
        steps = project.preparation
        effects = loaded.effects if loaded is not None else ()
        show_if(self.empty, not steps)
        show_if(self.figures, bool(effects))
        if effects:
            self.figures.setText(_figures_words(effects))
        with refilled(self._rows):
            self.cards = []
            for place, step in enumerate(steps):
                is_known = len(effects) == len(steps)
                effect = effects[place] if is_known else None
                files = self.workspace.session.hierarchy_files
                card = StepCard(place + 1, len(steps), step, effect, files)
                card.edit_wanted.connect(self._on_edit)
                card.removed.connect(self._on_removed)
                card.moved.connect(self._on_moved)
                self._rows.addWidget(card)
                self.cards.append(card)

    def _place_of(self, card: object) -> int:
        return next(at for at, each in enumerate(self.cards) if each is card)

    # -- editing -------------------------------------------------------------------

    def _on_kind_wanted(self, action: QAction) -> None:
        kind = STEPS[str(action.data())]
        known = proposed_params(kind, self._project, self._loaded)
        params = {
            each.name: known.get(each.name, each.proposed)
            for each in parameters_of(kind)
            if known.get(each.name, each.proposed) is not None
        }
        self._open(None, kind, params, _why(kind, self._project, self._loaded))

    def _on_edit(self) -> None:
        place = self._place_of(self.sender())
        step = self._project.preparation[place]
        params = {
            each.name: getattr(step, each.name) for each in parameters_of(type(step))
        }
        self._open(place, type(step), params)

    def _open(
        self,
        place: int | None,
        kind: type[Step],
        params: dict[str, Any],
        why: str = "",
    ) -> None:
        self._close()
        names = tuple(e.name for e in self._project.attributes if e.include)
        self._place = place
        self.editor = StepEditor(kind, params, names, why)
        self.editor.accepted.connect(self._on_accepted)
        self.editor.dismissed.connect(self._close)
        self._editing.addWidget(self.editor)
        show_if(self.add_button, False)
        self.editor.form.setFocus()

    def _close(self) -> None:
        clear(self._editing)
        self.editor, self._place = None, None
        show_if(self.add_button, True)

    def _on_accepted(self, step: Step, lists: dict[str, bytes]) -> None:
        steps = list(self._project.preparation)
        title = tr(step.title)
        if self._place is None:
            steps.append(step)
            label = tr("add step “{title}”", title=title)
        else:
            steps[self._place] = step
            label = tr("change step “{title}”", title=title)
        self._decide(steps, label, lists)

    def _on_removed(self) -> None:
        place = self._place_of(self.sender())
        steps = list(self._project.preparation)
        title = tr(steps.pop(place).title)
        self._decide(steps, tr("remove step “{title}”", title=title))

    def _on_moved(self, by: int) -> None:
        place = self._place_of(self.sender())
        steps = list(self._project.preparation)
        step = steps.pop(place)
        steps.insert(place + by, step)
        self._decide(steps, tr("move step “{title}”", title=tr(step.title)))

    def _decide(
        self, steps: list[Step], label: str, lists: dict[str, bytes] | None = None
    ) -> None:
        self._problem.set_reason("", "danger")
        if steps == list(self._project.preparation):
            self._close()
            return
        self.workspace.change_steps(steps, label, lists)

    # -- following -----------------------------------------------------------------

    def _on_activity(self, activity: Activity) -> None:
        if activity.lane != Lane.PREPARATION:
            return
        is_running = activity.fraction is not None
        show_if(self.progress, is_running)
        if activity.fraction is not None:
            self.progress.set_progress(
                activity.fraction, tr("Applying the steps"), activity.elapsed_s
            )

    def _on_problem(self, error: BaseException, lane: str) -> None:
        if lane != Lane.PREPARATION or not isinstance(error, DeidError):
            return
        if self.editor is not None:
            self.editor.show_problem(error)
            return
        words = words_for(error)
        self._problem.set_reason(f"{words.what} {words.fix}".strip(), "danger")

    def _on_cancel(self) -> None:
        self.workspace.cancel(Lane.PREPARATION)


def _why(kind: type[Step], project: Project, loaded: Loaded | None) -> str:
    """Say why the parameters of a new step are proposed."""
    if kind is not OneValue or loaded is None:
        return ""
    found = nearly_constant_columns(project, loaded.table)
    return "\n".join(each.words() for each in found)


def _listed(step: Step, files: Mapping[str, bytes]) -> list[tuple[str, ...]]:
    """Rows of the list of a step; none if it has none, or cannot be read."""
    try:
        if isinstance(step, RemovePeople):
            words = {True: tr("all that begin with it"), False: tr("this code alone")}
            return [
                (each.code, words[each.is_prefix], each.reason)
                for each in read_codes(files, step.codes)
            ]
        if isinstance(step, GroupCodes) and step.table:
            return list(read_groups(files, step.table).items())
    except DeidError:
        pass
    return []


def _figures_words(effects: tuple[Effect, ...]) -> str:
    """Rows and people as read and as prepared."""
    first, last = effects[0], effects[-1]
    if first.people_before is None or last.people_after is None:
        return tr(
            "As read: {before:row|rows}. Prepared: {after:row|rows}.",
            before=first.rows_before,
            after=last.rows_after,
        )
    return tr(
        "As read: {rows:row|rows} of {people:person|people}. Prepared: "
        "{rows_left:row|rows} of {people_left:person|people}.",
        rows=first.rows_before,
        people=first.people_before,
        rows_left=last.rows_after,
        people_left=last.people_after,
    )
