"""The editor of one hierarchy: levels, problems, tree and grid, and their tools."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from deidgui.app.hierarchies.editing import Edit, InEditor, Outline
from deidgui.app.project import Attribute
from deidgui.engine.data.hierarchy_problems import Problem
from deidgui.errors import DeidError, InputError
from deidgui.qt.messages import words_for
from deidgui.qt.pages.hierarchies import edits
from deidgui.qt.pages.hierarchies.levels import LevelStrip
from deidgui.qt.pages.hierarchies.views import HierarchyGrid, HierarchyTree, Selection
from deidgui.qt.theme import theme
from deidgui.qt.widgets import (
    Button,
    ButtonMenu,
    Callout,
    Caption,
    Columns,
    FlowLayout,
    Popover,
    SearchField,
    SectionHeading,
    Segmented,
    ShownStack,
    column,
    holder,
    refilled,
    row,
    show_if,
)
from deidgui.text import Text, tr

MOST_LISTED = 300
"""Groups that are listed at once; one types to find others."""


class NameSheet(Popover):
    """Asks for the name of a group."""

    named = Signal(str)

    def __init__(
        self,
        title: str,
        sentence: str,
        proposal: str,
        action: str,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.field = QLineEdit(proposal)
        self.field.setMinimumWidth(260)
        self.field.setMaxLength(200)
        self.field.setAccessibleName(title)
        self.field.returnPressed.connect(self._on_accepted)
        self.field.textChanged.connect(self._on_text_changed)
        self.button = Button(action, "primary", clicked=self._on_accepted)
        self.body.addWidget(SectionHeading(title))
        words = Caption(sentence)
        words.setFixedWidth(260)
        self.body.addWidget(words)
        self.body.addWidget(self.field)
        self.body.addLayout(row(None, self.button))
        self._on_text_changed(proposal)

    def ask_at(self, anchor: QWidget) -> None:
        """Open below a control with the proposal selected."""
        self.open_at(anchor)
        self.field.setFocus()
        self.field.selectAll()

    def _on_text_changed(self, text: str) -> None:
        self.button.setEnabled(bool(text.strip()))

    def _on_accepted(self) -> None:
        text = self.field.text().strip()
        if text:
            self.close()
            self.named.emit(text)


class GroupSheet(Popover):
    """Asks which group receives something.

    Attributes
    ----------
    picked : Signal of (int, str)
        Level and label of the group.
    """

    picked = Signal(int, str)

    def __init__(
        self, title: str, outline: Outline, lowest: int, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._outline, self._lowest = outline, lowest
        self.field = SearchField(tr("Find a group"))
        self.field.searched.connect(self._fill)
        self.field.returnPressed.connect(self._on_entered)
        self.groups = QListWidget()
        scale = max(1.0, theme().text_scale)
        self.groups.setMinimumSize(round(300 * scale), 240)
        self.groups.setAccessibleName(tr("Groups"))
        self.groups.itemActivated.connect(self._on_activated)
        self.groups.itemClicked.connect(self._on_activated)
        self.body.addWidget(SectionHeading(title))
        self.body.addWidget(self.field)
        self.body.addWidget(self.groups)
        self._fill("")

    def ask_at(self, anchor: QWidget) -> None:
        """Open below a control."""
        self.open_at(anchor)
        self.field.setFocus()

    def _fill(self, text: str) -> None:
        self.groups.clear()
        wanted = text.casefold()
        for level in range(self._lowest, self._outline.height):
            for node in range(self._outline.n_nodes(level)):
                if self.groups.count() >= MOST_LISTED:
                    return
                label = self._outline.label(level, node)
                if wanted in label.casefold():
                    self._add(level, node, label)

    def _add(self, level: int, node: int, label: str) -> None:
        words = tr(
            "{label}   (level {level}, {rows:row|rows})",
            label=label or tr("(empty)"),
            level=level,
            rows=int(self._outline.n_records[level][node]),
        )
        item = QListWidgetItem(words)
        item.setData(Qt.ItemDataRole.UserRole, (level, label))
        self.groups.addItem(item)

    def _on_entered(self) -> None:
        self._fill(self.field.text())
        if self.groups.count():
            self._on_activated(self.groups.currentItem() or self.groups.item(0))

    def _on_activated(self, item: QListWidgetItem) -> None:
        level, label = item.data(Qt.ItemDataRole.UserRole)
        self.close()
        self.picked.emit(level, label)


class ProblemsBox(QWidget):
    """The first problem and how many more there are; no room while there are none.

    Attributes
    ----------
    all_wanted : Signal
        Everything shall be repaired.
    proposal_wanted : Signal
        The hierarchy that cannot be opened shall be replaced.
    """

    repair_wanted = Signal(object)
    all_wanted = Signal()
    proposal_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._problems: tuple[Problem, ...] = ()
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(6)
        self.hide()

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What is shown."""
        return self._problems

    def show_problems(
        self, problems: Sequence[Problem], error: DeidError | None = None
    ) -> None:
        """Show other problems, or why the hierarchy cannot be opened at all."""
        self._problems = tuple(problems)
        with refilled(self._box):
            if error is not None:
                self._add_error(error)
            elif self._problems:
                self._add_problem(self._problems[0])
        show_if(self, bool(self._problems) or error is not None)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Keep room for every line: the tree below is what gives way."""
        self.setMinimumHeight(max(0, self._box.heightForWidth(self.width())))

    def _add_error(self, error: DeidError) -> None:
        words = words_for(error)
        action = tr("Use the proposal")
        callout = Callout(words.what, "danger", words.fix, action)
        callout.acted.connect(self.proposal_wanted)
        self._box.addWidget(callout)

    def _add_problem(self, problem: Problem) -> None:
        words = words_for(InputError(problem.code, **problem.params))
        left = len(self._problems) - 1
        callout = Callout(words.what, "warning", words.fix, tr("Repair"))
        callout.acted.connect(partial(self.repair_wanted.emit, problem))
        if left:
            more = tr("{number:more problem|more problems}.", number=left)
            detail = f"{words.fix} {more}".strip()
            callout.show_words(words.what, "warning", detail, tr("Repair"))
            every = Button(
                tr("Repair all"), "plain", "wand", self.all_wanted, small=True
            )
            box = callout.layout()
            assert box is not None
            box.addWidget(every)
        self._box.addWidget(callout)


MOST_MOVED = 500
"""Groups that are moved at once; more would keep everybody waiting."""


class HierarchyEditor(QWidget):
    """Shows an opened hierarchy and tells what somebody wants done to it.

    Attributes
    ----------
    edit_wanted : Signal of (Edit, str)
        What to do, and what to call it.
    """

    edit_wanted = Signal(object, str)
    repair_all_wanted = Signal()
    proposal_wanted = Signal()
    level_shown = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._opened: InEditor | None = None
        self.levels = LevelStrip()
        self.problems = ProblemsBox()
        self.tree, self.grid = HierarchyTree(), HierarchyGrid()
        shown = QWidget()
        self._views = ShownStack(shown)
        self._views.addWidget(self.tree)
        self._views.addWidget(self.grid)
        views = [("tree", tr("Tree")), ("grid", tr("Grid"))]
        name = tr("How the hierarchy is shown")
        self._two = Segmented(views, name=name)
        self._three = Segmented([*views, ("rule", tr("Rule"))], name=name)
        self._three.hide()
        self._rule: QWidget | None = None
        self.search = SearchField(tr("Find a value or group"))
        self._remark = Caption()
        self._make_tools()
        box = column(self.problems, self.levels)
        self.setLayout(box)
        # What is left stays at the right, also where nothing is looked for.
        shapes = holder(row(self._two, self._three, None))
        found = holder(row((self.search, 100), None))
        box.addWidget(Columns([(shapes, 0), (found, 1)], 0, 8))
        self._bar = QWidget()
        buttons = FlowLayout(self._bar, spacing=2)
        for tool in self.tools.values():
            buttons.addWidget(tool)
        box.addWidget(self._bar)
        box.addWidget(shown, 1)
        box.addWidget(self._remark)
        self._connect()

    def _make_tools(self) -> None:
        made = (
            ("group", tr("New group…"), self._on_group_clicked),
            ("merge", tr("Merge…"), self._on_merge_clicked),
            ("move", tr("Move…"), self._on_move_clicked),
            ("rename", tr("Rename…"), self._on_rename_clicked),
            ("dissolve", tr("Ungroup"), self.dissolve),
        )
        self.tools = {
            key: Button(words, "plain", clicked=clicked, small=True)
            for key, words, clicked in made
        }

    def _connect(self) -> None:
        for segments in (self._two, self._three):
            segments.chosen.connect(self.show_view)
        self.search.searched.connect(self._on_searched)
        self.levels.level_chosen.connect(self._on_level_chosen)
        self.levels.level_added.connect(self._on_level_added)
        self.levels.level_removed.connect(self._on_level_removed)
        self.problems.repair_wanted.connect(self._on_repair_wanted)
        self.problems.all_wanted.connect(self.repair_all_wanted)
        self.problems.proposal_wanted.connect(self.proposal_wanted)
        self.tree.selected.connect(self._show_tools)
        self.grid.selected.connect(self._show_tools)
        self.tree.delete_pressed.connect(self.dissolve)
        self.tree.tree.renamed.connect(self._on_renamed)
        self.tree.tree.dropped.connect(self._on_dropped)
        self.tree.tree.joined.connect(self._on_joined)
        self.grid.grid.written.connect(self._on_written)
        for view in (self.tree, self.grid):
            ButtonMenu(view, list(self.tools.values()))
        find = QShortcut(QKeySequence.StandardKey.Find, self)
        find.activated.connect(self._on_find_pressed)

    # -- showing -------------------------------------------------------------------

    @property
    def opened(self) -> InEditor | None:
        """What is shown."""
        return self._opened

    def show_opened(
        self,
        opened: InEditor,
        attribute: Attribute,
        smallest: int,
        error: DeidError | None = None,
    ) -> None:
        """Show a hierarchy.

        Parameters
        ----------
        smallest : int
            Records that a group needs.
        error : DeidError, optional
            Why the chosen hierarchy cannot be opened; `opened` is a stand-in then.
        """
        is_redraw = opened is self._opened
        self._opened = opened
        self.levels.show_levels(opened, attribute, smallest)
        self.problems.show_problems(opened.problems, error)
        if is_redraw and smallest == self._smallest:
            return
        self._smallest = smallest
        self.tree.show_opened(opened, smallest)
        self.grid.show_opened(opened)
        self._show_tools()

    _smallest = 1

    def show_view(self, key: str) -> None:
        """Show the tree, the grid, or the rule if it has no place of its own."""
        views: dict[str, QWidget | None] = {
            "tree": self.tree,
            "grid": self.grid,
            "rule": self._rule,
        }
        view = views[key] or self.tree
        key = "tree" if views[key] is None else key
        self._three.set_current(key)
        if key != "rule":
            self._two.set_current(key)
        self._views.setCurrentWidget(view)
        for part in (self._bar, self.search, self._remark):
            show_if(part, key != "rule")
        self._show_tools()

    def take_in(self, rule: QWidget) -> None:
        """Make room for the rule among the views."""
        self._rule = holder(column(rule))
        self._views.addWidget(self._rule)
        rule.show()
        self._show_segments()

    def give_back(self) -> None:
        """Show only tree and grid; the rule has a place of its own again."""
        rule, self._rule = self._rule, None
        if rule is not None:
            if self._views.currentWidget() is rule:
                self.show_view("tree")
            self._views.removeWidget(rule)
            rule.deleteLater()
        self._show_segments()

    def _show_segments(self) -> None:
        show_if(self._two, self._rule is None)
        show_if(self._three, self._rule is not None)

    def selection(self) -> Selection:
        """Groups that are selected in the view that is shown."""
        view = self.tree if self._views.currentWidget() is self.tree else self.grid
        return view.selection()

    def _show_tools(self) -> None:
        opened = self._opened
        if opened is None:
            return
        chosen, height = self.selection(), opened.outline.height
        number = len(chosen.labels)
        is_inner = 0 < chosen.level < height
        can = {
            "group": 0 <= chosen.level < height and number > 0,
            "merge": is_inner and number > 1,
            "move": 0 <= chosen.level < height - 1 and 0 < number <= MOST_MOVED,
            "rename": is_inner and number == 1,
            "dissolve": is_inner and number > 0,
        }
        for key, button in self.tools.items():
            button.setEnabled(can[key])
            button.setToolTip(self._hint(key))
        self._remark.setText(self._selection_words(chosen))

    def _hint(self, key: str) -> str:
        return {
            "group": tr("Put the selection into a new group on the next level."),
            "merge": tr("Merge the selected groups of one level."),
            "move": tr("Move the selection into another group, as dragging does."),
            "rename": tr("Change the released text of the group (F2)."),
            "dissolve": tr(
                "Dissolve the group. Its members become separate on this level (Del)."
            ),
        }[key]

    def _selection_words(self, chosen: Selection) -> str:
        if chosen.n_levels > 1:
            return tr("Several levels are selected. Select on one level to edit.")
        number = len(chosen.labels)
        if number == 0:
            return tr(
                "Select groups or values to edit them, or drag them onto another "
                "group: values move into it, groups of its level merge with it."
            )
        if chosen.level == 0:
            return tr("{number:value|values} selected", number=number)
        return tr(
            "{number:group|groups} of level {level} selected",
            number=number,
            level=chosen.level,
        )

    # -- what somebody wants -------------------------------------------------------

    def _want(self, edit: Edit, words: Text) -> None:
        assert self._opened is not None
        self.edit_wanted.emit(edit, tr(words, attribute=self._opened.attribute))

    def _on_group_clicked(self) -> None:
        chosen = self.selection()
        if not chosen.labels:
            return
        first, last = chosen.labels[0], chosen.labels[-1]
        proposal = first if first == last else f"{first} – {last}"
        sheet = NameSheet(
            tr("New group"),
            tr(
                "{number:,} selected. The name is released for all of them.",
                number=len(chosen.labels),
            ),
            proposal[:100],
            tr("Create group"),
            self,
        )

        def named(name: str) -> None:
            edit = edits.group(chosen.level, chosen.labels, name)
            self._want(edit, "make a group of {attribute}")

        self._ask(sheet, "group", named)

    def _on_merge_clicked(self) -> None:
        chosen = self.selection()
        if not chosen.labels:
            return
        sheet = NameSheet(
            tr("Merge groups"),
            tr(
                "{number:group is|groups are} merged. The name is released for all "
                "of them.",
                number=len(chosen.labels),
            ),
            chosen.labels[0],
            tr("Merge"),
            self,
        )

        def named(name: str) -> None:
            edit = edits.merge(chosen.level, chosen.labels, name)
            self._want(edit, "merge groups of {attribute}")

        self._ask(sheet, "merge", named)

    def _on_rename_clicked(self) -> None:
        chosen = self.selection()
        if not chosen.labels:
            return
        sheet = NameSheet(
            tr("Rename the group"),
            tr("The name is released for its rows."),
            chosen.labels[0],
            tr("Rename"),
            self,
        )

        def named(name: str) -> None:
            self._on_renamed(chosen.level, chosen.labels[0], name)

        self._ask(sheet, "rename", named)

    def _ask(self, sheet: NameSheet, tool: str, named: Callable[[str], None]) -> None:
        sheet.named.connect(named)
        sheet.ask_at(self.tools[tool])

    def _on_move_clicked(self) -> None:
        chosen = self.selection()
        if not chosen.labels or self._opened is None:
            return
        outline = self._opened.outline
        title = tr("Move to group")
        sheet = GroupSheet(title, outline, chosen.level + 1, self)

        def picked(level: int, label: str) -> None:
            moved = [(chosen.level, each) for each in chosen.labels]
            self._on_dropped(moved, level, label)

        sheet.picked.connect(picked)
        sheet.ask_at(self.tools["move"])

    def dissolve(self) -> None:
        """Dissolve the selected groups."""
        chosen = self.selection()
        if self.tools["dissolve"].isEnabled() and chosen.labels:
            edit = edits.dissolve(chosen.level, chosen.labels)
            self._want(edit, "ungroup in {attribute}")

    def _on_renamed(self, level: int, label: str, name: str) -> None:
        edit = edits.rename(level, label, name)
        self._want(edit, "rename a group of {attribute}")

    def _on_dropped(
        self, moved: list[tuple[int, str]], level: int, target: str
    ) -> None:
        edit = edits.move(moved, level, target)
        self._want(edit, "move in the hierarchy of {attribute}")

    def _on_joined(self, level: int, labels: list[str], target: str) -> None:
        edit = edits.merge(level, (target, *labels), target)
        self._want(edit, "merge groups of {attribute}")

    def _on_written(self, place: int, level: int, text: str) -> None:
        edit = edits.write(place, level, text)
        self._want(edit, "change a group of {attribute}")

    def _on_level_added(self, level: int) -> None:
        self.levels.level = level
        self._want(edits.add_level(level), "add a level to {attribute}")

    def _on_level_removed(self, level: int) -> None:
        edit = edits.remove_level(level)
        self._want(edit, "remove a level of {attribute}")

    def _on_repair_wanted(self, problem: Problem) -> None:
        self._want(edits.fix(problem), "repair the hierarchy of {attribute}")

    # -- finding -------------------------------------------------------------------

    def _on_level_chosen(self, level: int) -> None:
        self.tree.open_to(level)
        self.grid.scrollTo(self.grid.grid.index(0, level))
        self.level_shown.emit(level)

    def _on_find_pressed(self) -> None:
        self.search.setFocus()
        self.search.selectAll()

    def _on_searched(self, text: str) -> None:
        """Go to the next group or value that contains the text."""
        opened = self._opened
        if opened is None or not text:
            return
        outline = opened.outline
        here = self.tree.current_place() or (outline.height, -1)
        found = outline.find(text, here)
        if found is None:
            self._remark.setText(tr("No matches."))
            return
        self.tree.go_to(*found)
        self.grid.go_to(*found)
