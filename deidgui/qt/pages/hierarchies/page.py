"""The page Hierarchies: opening, editing and saving the hierarchy of each column."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QListView,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from deidgui.app import demands, ops
from deidgui.app.decides import Changes
from deidgui.app.demands import with_hierarchy
from deidgui.app.hierarchies.areas import read_areas
from deidgui.app.hierarchies.editing import (
    Edit,
    Edited,
    InEditor,
    Summary,
    check_rule,
    edit_hierarchy,
    headings_words,
    import_hierarchy,
    merged_words,
    open_hierarchy,
    set_choice,
    sizes_of,
    smallest_class,
    survey,
)
from deidgui.app.jobs import Job, Lane
from deidgui.app.loaded import Loaded
from deidgui.app.project import Attribute, HierarchyChoice
from deidgui.app.reading.files import hierarchy_file_name
from deidgui.app.reading.reading import propose_hierarchy
from deidgui.app.session import Kind
from deidgui.engine.data.hierarchy_io import write_hierarchy
from deidgui.engine.data.templates import Template
from deidgui.engine.evidence.mapping import safe_name
from deidgui.errors import DeidError
from deidgui.monitor import Monitor
from deidgui.qt.column_words import reason_words
from deidgui.qt.file_dialogs import ask_open, ask_save
from deidgui.qt.models.hierarchy_list import (
    HierarchyListDelegate,
    HierarchyListModel,
    HierarchyRow,
)
from deidgui.qt.pages.base import (
    MARGIN,
    NOT_YET,
    Page,
    PageStatus,
    StepState,
    at_once,
)
from deidgui.qt.pages.hierarchies import edits
from deidgui.qt.pages.hierarchies.editor import HierarchyEditor
from deidgui.qt.pages.hierarchies.rule import RulePanel
from deidgui.qt.pages.hierarchies.words import (
    empty_words,
    level_facts,
    sizes_words,
    source_words,
)
from deidgui.qt.settings import Settings
from deidgui.qt.theme import theme
from deidgui.qt.widgets import Button, EmptyState, Lead, Notice, row, show_if
from deidgui.text import Text, tr

if TYPE_CHECKING:
    from deidgui.app.workspace import Workspace


@dataclass(frozen=True)
class HierarchyKey:
    """What a hierarchy rests on; equal only if nothing has changed.

    Parameters
    ----------
    column : int
        Tells one table that was read from another.
    people : str or None
        Column that says to whom a row belongs.
    choice : str
        The choice as it is stored.
    """

    name: str
    column: int
    people: str | None
    missing: tuple[str, ...]
    choice: str


class Survey(QObject):
    """Sizes and problems of hierarchies, looked at once and kept.

    Attributes
    ----------
    changed : Signal
        More is known than before.
    """

    changed = Signal()

    def __init__(self, workspace: Workspace, parent: QObject) -> None:
        super().__init__(parent)
        self._workspace, self._session = workspace, workspace.session
        self._summaries: dict[HierarchyKey, Summary] = {}

    def key(self, attribute: Attribute) -> HierarchyKey:
        """Return what the hierarchy of an attribute rests on now."""
        loaded, choice = self._session.loaded, attribute.hierarchy
        column = 0
        if loaded is not None and loaded.table.has_column(attribute.name):
            column = id(loaded.table.column(attribute.name).codes)
        stored = choice.model_dump_json() if choice else ""
        people = self._session.project.key
        return HierarchyKey(attribute.name, column, people, attribute.missing, stored)

    @property
    def loaded(self) -> Loaded | None:
        """The data, whose rows belong to the people that were decided."""
        loaded = self._session.loaded
        return loaded and loaded.of_people(self._session.project.key)

    def take(self, key: HierarchyKey, summary: Summary) -> None:
        """Remember what somebody else has found."""
        self._summaries[key] = summary

    def n_problems(self, quasi: Sequence[Attribute]) -> int:
        """Hierarchies that are known not to be usable."""
        found = (self._summaries.get(self.key(each)) for each in quasi)
        return sum(each is not None and each.problem is not None for each in found)

    def without_effect(self, quasi: Sequence[Attribute]) -> dict[str, int]:
        """Levels that are known to join nothing in this file, by hierarchy with any."""
        found = {a.name: self._summaries.get(self.key(a)) for a in quasi}
        numbers = {name: each.n_without_effect for name, each in found.items() if each}
        return {name: n for name, n in numbers.items() if n}

    def entry(self, attribute: Attribute) -> HierarchyRow:
        """Return the line of the list for an attribute."""
        summary = self._summaries.get(self.key(attribute), Summary())
        words = self._problem_words(summary.problem) if summary.problem else ""
        source = source_words(attribute.hierarchy)
        if attribute.role == "sensitive":
            # It is never made coarser: it tells t-closeness which values are alike.
            source = tr("sensitive · {source}", source=source)
        return HierarchyRow(attribute.name, source, sizes_words(summary.sizes), words)

    def _problem_words(self, problem: DeidError) -> str:
        return {
            "hierarchy_missing": tr("choose a rule"),
            "hierarchy_gap": tr("values missing"),
            "hierarchy_not_nested": tr("group not nested"),
            "hierarchy_duplicate_leaf": tr("duplicate value"),
            "hierarchy_file_missing": tr("file is missing"),
            "template_value": tr("rule does not fit"),
        }.get(problem.code, tr("check needed"))

    def take_known_sizes(self, quasi: Sequence[Attribute]) -> None:
        """Take over what the count of the classes has built."""
        classes = self._session.current(Kind.CLASSES)
        hierarchies = classes.hierarchies if classes else {}
        for attribute in quasi:
            if attribute.name in hierarchies:
                self.take(self.key(attribute), sizes_of(hierarchies[attribute.name]))

    def look(self, quasi: Sequence[Attribute]) -> None:
        """Look at the hierarchies nobody has looked at yet."""
        keys = {attribute.name: self.key(attribute) for attribute in quasi}
        present = set(keys.values())
        self._summaries = {
            key: each for key, each in self._summaries.items() if key in present
        }
        unknown = [a for a in quasi if keys[a.name] not in self._summaries]
        loaded = self.loaded
        if not unknown or loaded is None:
            return
        files = dict(self._session.hierarchy_files)

        def work(monitor: Monitor) -> dict[str, Summary]:
            return survey(unknown, loaded, files, monitor=monitor)

        def done(found: dict[str, Summary]) -> None:
            for name, summary in found.items():
                self.take(keys[name], summary)
            self.changed.emit()

        self._workspace.runner.start(
            Lane.HIERARCHY_SURVEY, work, Job(done, self._on_failed)
        )

    def propose_missing(self, quasi: Sequence[Attribute]) -> None:
        """Take over the proposal for columns that became quasi-identifiers."""
        without = [attribute for attribute in quasi if attribute.hierarchy is None]
        loaded, runner = self._session.loaded, self._workspace.runner
        if not without or loaded is None or runner.running(Lane.HIERARCHY_PROPOSAL):
            return

        def work(_monitor: Monitor) -> dict[str, HierarchyChoice | None]:
            return {a.name: propose_hierarchy(loaded, a) for a in without}

        def done(found: dict[str, HierarchyChoice | None]) -> None:
            for attribute in with_hierarchy(self._session.project):
                choice = found.get(attribute.name)
                if attribute.hierarchy is None and choice is not None:
                    op = ops.set_hierarchy(attribute.name, choice.rule, choice.csv)
                    self._session.amend(op)

        runner.start(Lane.HIERARCHY_PROPOSAL, work, Job(done, self._on_failed))

    def _on_failed(self, error: BaseException) -> None:
        self._workspace.problem(error, Lane.HIERARCHY_SURVEY)


PATIENCE_MS = 250
"""How long the former tree stays while another one is opened."""

LIST_WIDTH, RULE_WIDTH = 196, 264

QWIDGETSIZE_MAX = (1 << 24) - 1
"""No limit, in Qt's words."""

NARROW = 900
"""Width of the content, for letters × 1, under which the rule is in the editor."""


@dataclass(frozen=True)
class _Wanted:
    """An edit that waits for its turn."""

    edit: Edit
    label: str


class HierarchiesPage(Page):
    """List of quasi-identifiers, editor of one hierarchy, rule that makes it."""

    key = "hierarchies"
    parts = (
        Changes.DATA
        | Changes.ROLES
        | Changes.HIERARCHY
        | Changes.PRIVACY
        | Changes.RESULT
    )
    scrolls = False

    def __init__(
        self, workspace: Workspace, settings: Settings, parent: QWidget | None = None
    ) -> None:
        super().__init__(workspace, settings, parent)
        self.set_header(
            tr("Hierarchies"),
            tr(
                "Define how each quasi-identifier can be generalized. The search "
                "chooses among these levels."
            ),
        )
        self._current = self._next_without_effect = ""
        self._opened: InEditor | None = None
        self._opened_key: HierarchyKey | None = None
        self._error: DeidError | None = None
        self.survey = Survey(workspace, self)
        self.survey.changed.connect(self._on_surveyed)
        self._waiting: deque[_Wanted] = deque()
        self._with_first_row = ("", b"")
        self._is_narrow = False
        self._make_header()
        self._make_body()
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(PATIENCE_MS)
        self._patience.timeout.connect(self._show_loading)

    # -- building ------------------------------------------------------------------

    def _make_header(self) -> None:
        self.import_button = Button(
            tr("Import CSV…"), "plain", "download", self._on_import_clicked
        )
        self.import_button.setToolTip(
            tr("One row per value, its label on every level, without a heading.")
        )
        self.export_button = Button(
            tr("Export CSV…"), "plain", "upload", self._on_export_clicked
        )
        self.without_effect = Button("", "link", clicked=self._on_without_effect)
        self.without_effect.setToolTip(
            tr("In this file it joins nothing; the sizes in the list leave it out.")
        )
        for button in (self.without_effect, self.import_button, self.export_button):
            self.add_header_action(button)

    def _make_body(self) -> None:
        self._empty = EmptyState("hierarchies", "", "")
        self._empty.acted.connect(self._on_empty_acted)
        self.entries = HierarchyListModel(self)
        self.list = QListView()
        self.list.setModel(self.entries)
        self.list.setItemDelegate(HierarchyListDelegate(self.list))
        self.list.setAccessibleName(tr("Attributes with a hierarchy"))
        self.list.setMouseTracking(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.selectionModel().currentChanged.connect(self._on_current_changed)
        self.editor = HierarchyEditor()
        self.editor.edit_wanted.connect(self._on_edit_wanted)
        self.editor.repair_all_wanted.connect(self._on_repair_all_wanted)
        self.editor.proposal_wanted.connect(self.use_proposal)
        self.editor.level_shown.connect(self.help_changed)
        self.rule = RulePanel()
        self.rule.rule_set.connect(self._on_rule_set)
        self.rule.proposal_wanted.connect(self.use_proposal)
        self.rule.areas_wanted.connect(self._on_areas_clicked)
        self.rule.limits.limits_set.connect(self._on_limits_set)
        self.editor.levels.finest_set.connect(self.rule.limits.set_finest)
        self.editor.levels.coarsest_set.connect(self.rule.limits.set_coarsest)
        self._loading = Lead(tr("Opening the hierarchy…"))
        self._loading.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._blank = QWidget()
        self._middle = QStackedWidget()
        for part in (self.editor, self._loading, self._blank):
            self._middle.addWidget(part)
        room = self.rule.sizePolicy()
        room.setRetainSizeWhenHidden(True)
        self.rule.setSizePolicy(room)
        self._content = QFrame()
        box = row(self.list, (self._middle, 1), self.rule, spacing=16)
        self._content.setLayout(box)
        self._columns = box
        frame = QVBoxLayout()
        frame.setContentsMargins(0, 0, 0, 0)
        frame.addWidget(self._empty, 1)
        frame.addWidget(self._content, 1)
        self.body.addLayout(frame, 1)
        theme().changed.connect(self._share_room)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if theme().is_settled:
            self._share_room()

    def _share_room(self) -> None:
        """Let the columns grow with the letters; the rule has one if there is room."""
        scale = theme().text_scale
        self.list.setFixedWidth(round(LIST_WIDTH * scale))
        is_narrow = self.width() - 2 * MARGIN < NARROW * scale
        if is_narrow:
            self.rule.setFixedWidth(QWIDGETSIZE_MAX)
            self.rule.setMinimumWidth(0)
        else:
            self.rule.setFixedWidth(round(RULE_WIDTH * scale))
        if is_narrow == self._is_narrow:
            return
        self._is_narrow = is_narrow
        if is_narrow:
            self._columns.removeWidget(self.rule)
            self.editor.take_in(self.rule)
        else:
            self._columns.addWidget(self.rule)
            self.editor.give_back()
            show_if(self.rule, self._opened is not None)

    # -- showing -------------------------------------------------------------------

    def refresh(self, changes: Changes) -> None:
        """Show the list and the hierarchy that is chosen in it."""
        at_once(self.refresh_in_pieces(changes))

    def refresh_in_pieces(self, changes: Changes) -> Iterator[None]:
        """Refresh, and yield between what looks at every column."""
        quasi = self._quasi()
        ready = bool(quasi) and self.session.loaded is not None
        show_if(self._empty, not ready)
        show_if(self._content, ready)
        self.import_button.setEnabled(ready)
        self.export_button.setEnabled(ready and self._opened is not None)
        if not ready:
            self._current = ""
            self._show_empty()
            return
        names = [attribute.name for attribute in quasi]
        if self._current not in names:
            self._current = names[0]
        self.survey.take_known_sizes(quasi)
        yield
        self._show_entries(quasi)
        yield
        self.survey.propose_missing(quasi)
        self.survey.look(quasi)
        yield
        self._show_current()

    def _quasi(self) -> tuple[Attribute, ...]:
        return demands.with_hierarchy(self.session.project)

    def _attribute(self) -> Attribute | None:
        """Quasi-identifier that is chosen in the list."""
        return next((a for a in self._quasi() if a.name == self._current), None)

    def _show_empty(self) -> None:
        self._empty.show_words(*empty_words(self.session.loaded is not None))

    def _show_entries(self, quasi: tuple[Attribute, ...]) -> None:
        made = [self.survey.entry(attribute) for attribute in quasi]
        is_new = self.entries.set_rows(made)
        self._show_without_effect()
        wanted = self.entries.row_of(self._current)
        if is_new or self.list.currentIndex().row() != wanted:
            self.list.setCurrentIndex(self.entries.index(wanted, 0))

    def _show_without_effect(self) -> None:
        """Lead to the next hierarchy with levels that change nothing in this file."""
        found = self.survey.without_effect(self._quasi())
        names = list(found)
        after = names.index(self._current) + 1 if self._current in found else 0
        name = next((e for e in names[after:] + names if e != self._current), "")
        self._next_without_effect = name
        show_if(self.without_effect, bool(name))
        if name:
            n = found[name]
            words = tr("{name}: {n:level|levels} without effect", name=name, n=n)
            self.without_effect.setText(words)

    def _on_without_effect(self) -> None:
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)
        self.choose(self._next_without_effect)

    def _show_current(self) -> None:
        attribute = self._attribute()
        assert attribute is not None
        key = self.survey.key(attribute)
        if self._opened is not None and self._opened_key == key:
            self._show_opened(attribute)
            return
        self._waiting.clear()
        self._open(attribute, key)

    def _show_opened(self, attribute: Attribute) -> None:
        self._patience.stop()
        assert self._opened is not None
        self._middle.setCurrentWidget(self.editor)
        self.editor.setEnabled(True)
        smallest = smallest_class(self.session.project)
        self.editor.show_opened(self._opened, attribute, smallest, self._error)
        self.rule.show_rule(self._opened, attribute, self._noted(attribute))
        show_if(self.rule, True)
        self.export_button.setEnabled(True)

    def _show_loading(self) -> None:
        self._middle.setCurrentWidget(self._loading)

    def _on_surveyed(self) -> None:
        self._show_entries(self._quasi())
        self.status_changed.emit()

    # -- opening -------------------------------------------------------------------

    def _open(self, attribute: Attribute, key: HierarchyKey) -> None:
        loaded = self.survey.loaded
        assert loaded is not None
        files = dict(self.session.hierarchy_files)
        classes = self.session.current(Kind.CLASSES)
        known = classes.hierarchies.get(attribute.name) if classes else None
        self.editor.setEnabled(False)
        self._leave_other(key)
        self._patience.start()

        def work(monitor: Monitor) -> tuple[InEditor, DeidError | None]:
            try:
                opened = open_hierarchy(
                    attribute, loaded, files, known=known, monitor=monitor
                )
            except DeidError as error:
                plain = attribute.but(hierarchy=None)
                return open_hierarchy(plain, loaded, files, monitor=monitor), error
            return opened, None

        def done(found: tuple[InEditor, DeidError | None]) -> None:
            self._take(key, *found)
            self._show_entries(self._quasi())

        self._start(Lane.HIERARCHY, work, done)

    def _leave_other(self, key: HierarchyKey) -> None:
        """Show nothing of another column, whose tree and rule are not this one's."""
        shown = self._opened_key
        if shown is not None and (shown.name, shown.column) == (key.name, key.column):
            return
        self._opened, self._opened_key = None, None
        self._middle.setCurrentWidget(self._blank)
        show_if(self.rule, False)
        self.export_button.setEnabled(False)

    def _take(
        self, key: HierarchyKey, opened: InEditor, error: DeidError | None = None
    ) -> None:
        """Show what a job has opened, unless something else is wanted by now."""
        attribute = self._attribute()
        if attribute is None or self.survey.key(attribute) != key:
            return
        self._opened, self._opened_key, self._error = opened, key, error
        if error is None and not opened.problems and opened.choice is not None:
            outline = opened.outline
            levels = range(outline.height + 1)
            sizes = tuple(outline.n_groups(level) for level in levels)
            n_without = sum(not outline.makes_difference(level) for level in levels)
            self.survey.take(key, Summary(sizes, n_without_effect=n_without))
        self._show_opened(attribute)
        self.status_changed.emit()
        self.help_changed.emit()

    def _start(self, lane: str, work: object, done: object) -> None:
        job = Job(on_done=done, on_failed=self._on_failed)  # type: ignore[arg-type]
        self.workspace.runner.start(lane, work, job)  # type: ignore[arg-type]

    def _on_failed(self, error: BaseException) -> None:
        """Say what was refused; the hierarchy stays as it is."""
        self._waiting.clear()
        self._patience.stop()
        if self._opened is not None:
            self._middle.setCurrentWidget(self.editor)
            self.editor.setEnabled(True)
        if not isinstance(error, DeidError):
            raise error
        self.show_error(error)

    # -- status and help -----------------------------------------------------------

    def status(self) -> PageStatus:
        """Say how many hierarchies there are and which need a look."""
        if not self.session.project.attributes:
            return NOT_YET
        quasi = self._quasi()
        if not quasi:
            return PageStatus(
                StepState.ATTENTION,
                tr("no quasi-identifier"),
                tr("Mark at least one column as a quasi-identifier."),
            )
        n_bad = self.survey.n_problems(quasi)
        n_missing = sum(a.hierarchy is None for a in quasi)
        if n_bad or n_missing:
            number = max(n_bad, n_missing)
            return PageStatus(
                StepState.ATTENTION,
                tr("{number:,} to repair", number=number),
                tr("Repair the marked hierarchies."),
            )
        is_open = any(
            e.include and not e.confirmed for e in self.session.project.attributes
        )
        if is_open:
            # Which columns need one is not decided: nothing here is done.
            words = tr("{number:proposal|proposals}", number=len(quasi))
            return PageStatus(StepState.READY, words)
        if without_effect := self.survey.without_effect(quasi):
            # Small groups are normal on the finest levels, and said there only.
            n = sum(without_effect.values())
            words = tr("{n:level|levels} without effect", n=n)
        else:
            words = tr("{number:hierarchy|hierarchies}", number=len(quasi))
        return self.once_seen(words, *(each.name for each in quasi))

    def help_words(self) -> str:
        """Say what the levels of the chosen hierarchy mean."""
        opened, attribute = self._opened, self._attribute()
        if opened is None or attribute is None or opened.attribute != attribute.name:
            return ""
        smallest = smallest_class(self.session.project)
        # Facts only: a value of the file must not be read as Markdown.
        return "- " + level_facts(opened, self.editor.levels.level, smallest)

    def leave(self) -> None:
        """Take over the parameter that is still being typed."""
        self.rule.take_over()

    # -- what somebody wants -------------------------------------------------------

    def show_place(self, part: str) -> None:
        """Show the hierarchy that another page leads to."""
        self.choose(part)

    def choose(self, name: str) -> None:
        """Show the hierarchy of a quasi-identifier."""
        row = self.entries.row_of(name)
        if row >= 0:
            self.list.setCurrentIndex(self.entries.index(row, 0))

    def _on_current_changed(self, index: QModelIndex) -> None:
        if not index.isValid():
            return
        name = self.entries.entries[index.row()].name
        if name != self._current:
            self.rule.take_over()
            self._current = name
            self._show_without_effect()
            self._show_current()
            self.help_changed.emit()

    def _noted(self, attribute: Attribute) -> str:
        """What was found of a column that its hierarchy does not see: units of ages."""
        loaded = self.survey.loaded
        if loaded is None or loaded.inspection is None:
            return ""
        finding = loaded.inspection.findings.get(attribute.name)
        kept = {each.name for each in self._quasi() if each.maximum_level == 0}
        for reason in finding.reasons if finding is not None else ():
            if reason.code == "evidence_units" and reason.params["other"] not in kept:
                return reason_words(reason)
        return ""

    def _on_empty_acted(self) -> None:
        has_data = self.session.loaded is not None
        self.step_wanted.emit("attributes" if has_data else "start")

    def _on_limits_set(self, low: int | None, high: int | None) -> None:
        op = ops.change_attribute(self._current, minimum_level=low, maximum_level=high)
        label = tr("limit levels of {attribute}", attribute=self._current)
        if self.apply(op, label):
            self.refresh(self.parts)

    # -- editing -------------------------------------------------------------------

    def _on_edit_wanted(self, edit: Edit, label: str) -> None:
        """Do an edit now, or after the one that is being done."""
        self._waiting.append(_Wanted(edit, label))
        if len(self._waiting) == 1:
            self._do_next()

    def _on_repair_all_wanted(self) -> None:
        attribute, loaded = self._attribute(), self.survey.loaded
        if attribute is None or loaded is None:
            return
        column = loaded.table.column(attribute.name).with_missing(attribute.missing)
        self._on_edit_wanted(
            edits.fix_all(column),
            tr("repair the hierarchy of {attribute}", attribute=attribute.name),
        )

    def _do_next(self) -> None:
        opened, attribute = self._opened, self._attribute()
        loaded = self.survey.loaded
        if not self._waiting or opened is None or attribute is None or loaded is None:
            self._waiting.clear()
            return
        wanted, key = self._waiting[0], self.survey.key(attribute)

        def work(monitor: Monitor) -> Edited:
            return edit_hierarchy(
                opened, wanted.edit, attribute, loaded, monitor=monitor
            )

        def done(edited: Edited) -> None:
            is_next = bool(self._waiting) and self._waiting[0] is wanted
            if is_next:
                self._waiting.popleft()
            if self._is_unchanged(key):
                self._keep(attribute, opened, edited, wanted.label)
            if is_next and self._waiting:
                self._do_next()

        self._start(Lane.HIERARCHY_EDIT, work, done)

    def _is_unchanged(self, key: HierarchyKey) -> bool:
        """Whether a hierarchy is still what a job began with."""
        return any(self.survey.key(attribute) == key for attribute in self._quasi())

    def _keep(
        self, attribute: Attribute, before: InEditor, edited: Edited, label: str
    ) -> None:
        """Make an edited hierarchy the decision."""
        assert edited.choice.csv is not None
        self.session.add_hierarchy_file(edited.choice.csv, edited.content)
        same = before.outline.height == edited.opened.outline.height
        op = set_choice(attribute, edited.choice, keep_limits=same)
        self._decide(attribute, op, label, edited.opened)
        if before.problems and not edited.opened.problems:
            # In place of what the failed count of the classes has told.
            notice = Notice(
                tr(
                    "The hierarchy of {attribute} can be used again.",
                    attribute=attribute.name,
                ),
                "success",
                topic=Lane.CLASSES,
            )
            self.reported.emit(notice)

    def _decide(
        self, attribute: Attribute, op: ops.Op, label: str, opened: InEditor
    ) -> None:
        if not self.apply(op, label):
            return
        changed = self._attribute()
        if changed is None or changed.name != attribute.name:
            self.refresh(self.parts)
            return
        self._opened, self._error = opened, None
        self._opened_key = self.survey.key(changed)
        self._take(self._opened_key, opened)
        self._show_entries(self._quasi())
        self.survey.look(self._quasi())

    # -- rules ---------------------------------------------------------------------

    def _on_rule_set(self, rule: Template) -> None:
        """Build by another rule; it becomes the decision if it can be built."""
        attribute, loaded = self._attribute(), self.survey.loaded
        opened = self._opened
        if attribute is None or loaded is None or opened is None:
            return
        self._waiting.clear()
        key, proposal = self.survey.key(attribute), opened.proposal

        def work(monitor: Monitor) -> InEditor | DeidError:
            try:
                return check_rule(rule, attribute, loaded, proposal, monitor=monitor)
            except DeidError as error:
                return error

        def done(found: InEditor | DeidError) -> None:
            if isinstance(found, DeidError):
                self.rule.show_error(found)
                return
            if not self._is_unchanged(key):
                return
            same = opened.rule is not None and opened.rule.kind == rule.kind
            same &= opened.outline.height == found.outline.height
            self._decide_rule(attribute, opened, found, same)

        self._start(Lane.HIERARCHY_EDIT, work, done)

    def _decide_rule(
        self, attribute: Attribute, before: InEditor, found: InEditor, same: bool
    ) -> None:
        assert found.choice is not None
        was_by_hand = before.is_by_hand
        op = set_choice(attribute, found.choice, keep_limits=same)
        label = tr("set the rule of {attribute}", attribute=attribute.name)
        self._decide(attribute, op, label, found)
        if was_by_hand:
            self.reported.emit(
                Notice(
                    tr("The groups edited by hand were replaced by the rule."),
                    "info",
                    action=tr("Undo"),
                    act=self.session.undo,
                    topic="rule-replaced",
                    until="decision",
                )
            )

    def use_proposal(self) -> None:
        """Go back to what the program proposes for the column."""
        attribute, opened = self._attribute(), self._opened
        if attribute is None or opened is None or opened.proposal is None:
            return
        choice = opened.proposal
        op = ops.set_hierarchy(attribute.name, choice.rule, choice.csv)
        label: Text = "use the proposal for {attribute}"
        if self.apply(op, tr(label, attribute=attribute.name)):
            self.refresh(self.parts)

    # -- files ---------------------------------------------------------------------

    def _on_areas_clicked(self) -> None:
        chosen = ask_open(
            self,
            "population",
            tr("Table of people by postal code"),
            tr("Tables (*.csv *.txt *.gz *.zip);;All files (*)"),
        )
        if chosen is not None:
            self.use_areas(chosen)

    def use_areas(self, path: Path) -> None:
        """Tell the areas in which enough people live, by a table of people.

        How many are enough is the number in the panel of the rule.
        """
        enough = self.rule.enough.value()
        self._start(
            Lane.HIERARCHY_EDIT,
            lambda monitor: read_areas(path, enough=enough, monitor=monitor),
            self._on_rule_set,
        )

    def _on_import_clicked(self) -> None:
        chosen = ask_open(
            self,
            "hierarchy",
            tr("Import a hierarchy"),
            tr("Hierarchies (*.csv *.txt *.ahs);;All files (*)"),
        )
        if chosen is not None:
            self.import_file(chosen)

    def import_file(self, path: Path) -> None:
        """Take over a hierarchy from a file for the chosen quasi-identifier."""
        attribute, loaded = self._attribute(), self.survey.loaded
        opened = self._opened
        if attribute is None or loaded is None or opened is None:
            return
        self._waiting.clear()
        key = self.survey.key(attribute)

        def work(monitor: Monitor) -> Edited:
            return import_hierarchy(opened, path, attribute, loaded, monitor=monitor)

        def done(edited: Edited) -> None:
            if self._is_unchanged(key):
                label = tr(
                    "import the hierarchy of {attribute}", attribute=attribute.name
                )
                self._keep(attribute, opened, edited, label)
                self._report_rows(attribute, edited)

        self._start(Lane.HIERARCHY_EDIT, work, done)

    def _report_rows(self, attribute: Attribute, edited: Edited) -> None:
        """Say which rows of a file are not in the hierarchy as they stand there."""
        if n_merged := edited.opened.draft.n_merged:
            self.reported.emit(Notice(merged_words(attribute.name, n_merged), "info"))
        if edited.with_first_row is None:
            return
        self._with_first_row = attribute.name, edited.with_first_row
        notice = Notice(
            headings_words(attribute.name),
            "info",
            action=tr("It is a value"),
            act=self.keep_first_row,
            topic="first-row",
            until="decision",
        )
        self.reported.emit(notice)

    def keep_first_row(self) -> None:
        """Take the first row of the file for a value, which was taken for headings."""
        name, content = self._with_first_row
        csv = hierarchy_file_name(name, content)
        self.session.add_hierarchy_file(csv, content)
        op = ops.set_hierarchy(name, None, csv)
        label = tr("keep the first row of the hierarchy of {attribute}", attribute=name)
        if self.apply(op, label):
            self.refresh(self.parts)

    def _on_export_clicked(self) -> None:
        if self._opened is None:
            return
        name = f"{safe_name(self._current)}-hierarchy.csv"
        chosen = ask_save(
            self,
            "hierarchy",
            tr("Export the hierarchy"),
            name,
            tr("Hierarchies (*.csv)"),
        )
        if chosen is not None:
            self.export_file(chosen)

    def export_file(self, path: Path) -> None:
        """Write the chosen hierarchy to a CSV file."""
        opened = self._opened
        if opened is None:
            return
        draft = opened.draft

        def work(_monitor: Monitor) -> None:
            write_hierarchy(draft, path)

        def done(_nothing: None) -> None:
            self.reported.emit(
                Notice(
                    tr("The hierarchy was written to {file}.", file=path.name),
                    "success",
                )
            )

        self._start(Lane.HIERARCHY_WRITE, work, done)
