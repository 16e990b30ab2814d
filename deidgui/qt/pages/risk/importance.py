"""The quality measure, and what the analysis needs most."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from deidgui.app.policies.lattice.keeping import cost_words, kept_words
from deidgui.app.policies.lattice.policies import LatticePolicies
from deidgui.app.project import Attribute, Project, Quality
from deidgui.app.reading.importance import MEDIUM, WEIGHTS
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.quality import QUALITY_MEASURES, QualityMeasure
from deidgui.qt.forms import ParameterForm
from deidgui.qt.widgets import (
    Button,
    Caption,
    Card,
    Collapsible,
    ComboBox,
    ElidedLabel,
    Label,
    Segmented,
    ToggleRow,
    line,
    refilled,
    row,
    show_if,
)
from deidgui.qt.widgets.polish import laid_out_later
from deidgui.text import tr


def _weight_names() -> dict[str, str]:
    return {
        "low": tr("Low"),
        "medium": tr("Medium"),
        "high": tr("High"),
    }


def weight_words(weight: float) -> str:
    """Say a weight as it is chosen here; a number if no choice is exactly it."""
    names = _weight_names()
    exact = [names[key] for key, value in WEIGHTS.items() if value == weight]
    return exact[0] if exact else f"{weight:g}"


def importance_words(project: Project) -> str:
    """Say what is open, the measure, and which columns matter more or have a limit."""
    measure, quasi, usual = project.quality.measure, project.quasi_identifiers, MEDIUM
    weighted = [each.name for each in quasi if each.weight > usual]
    lighter = [each.name for each in quasi if each.weight < usual]
    limited = [each.name for each in quasi if each.maximum_level is not None]
    parts = []
    if not project.importance_said and quasi:
        parts.append(tr("Proposed, not confirmed"))
    if measure.problem is None:
        parts.append(tr("Measure: {name}", name=tr(measure.title)))
    if weighted:
        parts.append(tr("More important: {names}", names=", ".join(weighted)))
    if lighter:
        parts.append(tr("Less important: {names}", names=", ".join(lighter)))
    if limited:
        parts.append(tr("Level limit: {names}", names=", ".join(limited)))
    if not weighted and not lighter and not limited:
        parts.append(tr("All columns alike"))
    return ". ".join(parts)


WIDEST = 960
"""Pixels that keep a column's name in sight of its importance."""

NAME_GAP = 12
"""Pixels between a column's name and the line that leads to its importance."""

LINES_AT_ONCE = 6
"""Columns that are shown between two events of the window: some milliseconds."""


class MeasureCard(Card):
    """The quality measure that guides the search."""

    measure_set = Signal(object)
    keeping_set = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.set_title(
            tr("Quality measure"),
            tr("The search finds the policy with the lowest loss by this measure."),
        )
        kinds = [(each.kind, tr(each.title)) for each in QUALITY_MEASURES]
        self.kind = ComboBox(kinds, tr("Quality measure"))
        self.kind.activated.connect(self._on_kind_chosen)
        self._words = Caption()
        self._options = Collapsible(tr("Options of the measure"))
        self._form: ParameterForm[QualityMeasure] | None = None
        self.keeping = ToggleRow(
            tr("Keep something of every column"),
            tr(
                "Policies that remove few quasi-identifiers as a whole come first, "
                "weighed by importance, whatever else they lose. A column of high "
                "importance can go where several others would have to."
            ),
        )
        self.keeping.toggled.connect(self.keeping_set)
        self.add(self.kind)
        self.add(self._words)
        self.add(self.keeping)
        self.add(self._options)

    def show_quality(self, quality: Quality) -> None:
        """Show the measure of a project, and whether something of each is kept."""
        self.keeping.set_on(quality.keep_something)
        words = tr("The search finds the policy with the lowest loss by this measure.")
        if quality.keep_something:
            words = tr(
                "The search finds, of the policies that remove least as a whole, the "
                "one with the lowest loss by this measure."
            )
        self.set_title(tr("Quality measure"), words)
        self.show_measure(quality.measure)

    def show_measure(self, measure: QualityMeasure) -> None:
        """Show the measure of a project; nothing of one that cannot be read."""
        if measure.problem is not None:
            return
        self.kind.set_current(measure.kind)
        self._words.setText(measure.words())
        if self._form is not None and self._form.property("kind") == measure.kind:
            self._form.set_value(measure)
            return
        form: ParameterForm[QualityMeasure] = ParameterForm(type(measure), measure)
        form.setProperty("kind", measure.kind)
        form.edited.connect(self._on_edited)
        self._form = form
        with refilled(self._options.body):
            self._options.body.addWidget(form)

    def _on_kind_chosen(self) -> None:
        self.measure_set.emit(QUALITY_MEASURES[self.kind.current]())

    def _on_edited(self, measure: QualityMeasure | None) -> None:
        if measure is not None:
            self.measure_set.emit(measure)


class _Line(QObject):
    """Importance and coarsest level of one quasi-identifier."""

    weight_set = Signal(str, float)
    level_set = Signal(str, object)

    def __init__(self, grid: QGridLayout, at: int, parent: QObject) -> None:
        super().__init__(parent)
        self.name = ElidedLabel()
        self.weight = Segmented(list(_weight_names().items()))
        self.weight.chosen.connect(self._on_weight_chosen)
        self.levels = ComboBox()
        self.levels.setMinimumWidth(150)
        self.levels.activated.connect(self._on_level_chosen)
        self._attribute: Attribute | None = None
        self._hierarchy: Hierarchy | None = None
        self._is_shown = False
        self._leader = line()
        self._head = row(self.name, (self._leader, 1), spacing=NAME_GAP)
        self._grid, self._at = grid, at
        grid.addLayout(row(self.weight), at, 1)
        grid.addWidget(self.levels, at, 2)

    def place_name(self, *, is_above: bool) -> None:
        """Put the name beside the choices, or above them where it would be cut."""
        self._grid.removeItem(self._head)
        self._head.setParent(None)
        if is_above:
            self._grid.addLayout(self._head, self._at - 1, 1, 1, 2)
        else:
            self._grid.addLayout(self._head, self._at, 0)

    @property
    def choices_width(self) -> int:
        """Least pixels that stand beside the name: a level is cut before it."""
        both = self.weight.sizeHint().width() + self.levels.minimumWidth()
        return both + 2 * self._grid.horizontalSpacing()

    def show_attribute(self, attribute: Attribute, hierarchy: Hierarchy | None) -> bool:
        """Show a column; False if it is shown already."""
        if attribute == self._attribute and hierarchy is self._hierarchy:
            return False
        highest = attribute.maximum_level
        is_other = self._attribute is None or hierarchy is not self._hierarchy
        if is_other or self.levels.findData(str(highest)) < 0:
            self.levels.set_options(_level_options(hierarchy, highest))
        self._attribute, self._hierarchy = attribute, hierarchy
        name, weights = attribute.name, _weight_names()
        self.name.setText(name)
        self.weight.setAccessibleName(tr("Importance of {attribute}", attribute=name))
        self.weight.set_current(
            min(weights, key=lambda key: abs(WEIGHTS[key] - attribute.weight))
        )
        words = tr("Coarsest level of {attribute}", attribute=name)
        self.levels.setAccessibleName(words)
        self.levels.set_current(str(attribute.maximum_level))
        return True

    def show_if(self, is_shown: bool) -> None:
        """Show or hide it."""
        if is_shown != self._is_shown:
            self._is_shown = is_shown
            for part in (self.name, self._leader, self.weight, self.levels):
                show_if(part, is_shown)

    def _on_weight_chosen(self, key: str) -> None:
        assert self._attribute is not None
        self.weight_set.emit(self._attribute.name, WEIGHTS[key])

    def _on_level_chosen(self) -> None:
        assert self._attribute is not None
        key = self.levels.current
        level = None if key == "None" else int(key)
        self.level_set.emit(self._attribute.name, level)


def _level_options(
    hierarchy: Hierarchy | None, highest: int | None
) -> list[tuple[str, str]]:
    """Levels that join something on these data, and the one that is chosen."""
    found = [("None", tr("No limit"))]
    if hierarchy is None:
        return found
    for level in range(hierarchy.height):
        if level in hierarchy.steps or level == highest:
            found.append((str(level), _level_words(hierarchy, level)))
    if hierarchy.levels[-1].n_groups == 1:
        found.append((str(hierarchy.height), tr("May be removed")))
    return found


def _level_words(hierarchy: Hierarchy, level: int) -> str:
    if level == 0:
        return tr("As it is")
    name = hierarchy.level_name(level)
    if name is not None:
        return name
    n_groups = hierarchy.levels[level].n_groups - (level < hierarchy.n_apart)
    return tr("{number:group|groups}", number=n_groups)


class ImportanceCard(Card):
    """What the analysis needs most: importance of each quasi-identifier.

    Attributes
    ----------
    weight_set, level_set : Signal
        Importance of a column, and the coarsest level that it may reach.
    confirmed : Signal
        The proposals are what the analysis needs.
    cost_wanted : Signal
        What importance costs shall be measured.
    """

    weight_set = Signal(str, float)
    level_set = Signal(str, object)
    confirmed = Signal()
    cost_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.setMaximumWidth(WIDEST)
        self.set_title(
            tr("What does the analysis need most?"),
            tr("Important columns are released in more detail."),
        )
        self.proposed = Caption(
            tr(
                "What you do not set is proposed by kind: ages, sex, dates and "
                "diagnoses before administrative codes."
            )
        )
        self.add(self.proposed)
        self._heading.setWordWrap(True)
        self.confirm = Button(
            tr("Confirm importance"), "primary", "check", self.confirmed
        )
        self.head_actions.addWidget(self.confirm)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(8)
        self._grid.setColumnStretch(0, 1)
        heads = (tr("Column"), tr("Importance"), tr("Coarsest level"))
        self._heads = [Label(words, "caption", "muted") for words in heads]
        for place, head in enumerate(self._heads):
            self._grid.addWidget(head, 0, place)
        self._none = Caption(tr("No quasi-identifier yet."))
        self.body.addLayout(self._grid)
        self.body.addWidget(self._none)
        self.cost = Caption()
        self.measure = Button(
            tr("Measure the cost"), "link", clicked=self.cost_wanted, small=True
        )
        self.body.addLayout(row((self.cost, 1), self.measure))
        self._wanted: list[tuple[Attribute, Hierarchy | None]] = []
        self._lines: list[_Line] = []
        self._is_narrow = False
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self._fill)

    def show_project(
        self,
        project: Project,
        hierarchies: Mapping[str, Hierarchy],
        found: LatticePolicies | None = None,
        *,
        is_measuring: bool = False,
    ) -> None:
        """Show the importance of all quasi-identifiers and what it costs.

        Parameters
        ----------
        found : LatticePolicies, optional
            Of a search under the decisions of now.
        """
        quasi = project.quasi_identifiers
        is_open = bool(quasi) and not project.importance_said
        for part in (self.confirm, self.proposed):
            show_if(part, is_open)
        self._show_cost(found, is_measuring)
        self._wanted = [(each, hierarchies.get(each.name)) for each in quasi]
        if self.isVisible():
            self._fill()

    def showEvent(self, event: QShowEvent) -> None:
        self._fill()
        super().showEvent(event)

    def _fill(self) -> None:
        """Show some columns as they are now; the others follow, a few at a time."""
        if not self.isVisible():
            return
        for head in self._heads:
            show_if(head, bool(self._wanted))
        show_if(self._none, not self._wanted)
        with laid_out_later(self):
            is_complete = self._show_lines()
        self._share_room()
        if not is_complete:
            self._soon.start()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_room()

    def _share_room(self) -> None:
        """Let names stand above the choices where there is no room beside them."""
        shown = self._lines[: len(self._wanted)]
        names = max((each.name.sizeHint().width() for each in shown), default=0)
        names += NAME_GAP
        needed = names + (shown[0].choices_width if shown else 0)
        outer = self.layout()
        assert outer is not None, "a card has one"
        is_narrow = outer.contentsRect().width() < needed
        self._grid.setColumnMinimumWidth(0, 0 if is_narrow else names)
        show_if(self._heads[0], bool(self._wanted) and not is_narrow)
        if is_narrow == self._is_narrow:
            return
        self._is_narrow = is_narrow
        self._grid.setColumnStretch(0, not is_narrow)
        self._grid.setColumnStretch(2, is_narrow)
        for each in self._lines:
            each.place_name(is_above=is_narrow)

    def _show_lines(self) -> bool:
        """Show some columns as they are now; True if there are no more."""
        n_changed = 0
        for place, (attribute, hierarchy) in enumerate(self._wanted):
            if n_changed == LINES_AT_ONCE:
                return False
            if place == len(self._lines):
                self._add_line()
            shown = self._lines[place]
            n_changed += shown.show_attribute(attribute, hierarchy)
            shown.show_if(True)
        for unused in self._lines[len(self._wanted) :]:
            unused.show_if(False)
        return True

    def _add_line(self) -> None:
        made = _Line(self._grid, 2 * len(self._lines) + 2, self)
        made.place_name(is_above=self._is_narrow)
        made.weight_set.connect(self.weight_set)
        made.level_set.connect(self.level_set)
        self._lines.append(made)

    def _show_cost(self, found: LatticePolicies | None, is_measuring: bool) -> None:
        is_found = found is not None and found.optimum is not None
        words = tr("After a search, you see here what importance costs.")
        if is_found:
            assert found is not None
            kept, cost = kept_words(found), cost_words(found, says_nothing=False)
            words = " ".join(filter(None, (kept, cost)))
        is_unknown = found is not None and found.lacks_cost
        if is_unknown:
            unknown = tr("To know what importance costs, search without it.")
            if is_measuring:
                unknown = tr("Searching without importance…")
            words = " ".join(filter(None, (words, unknown)))
        self.cost.setText(words)
        show_if(self.cost, bool(words))
        show_if(self.measure, is_unknown and not is_measuring)
