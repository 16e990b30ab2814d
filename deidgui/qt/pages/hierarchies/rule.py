"""How groups are made: a rule with its parameters, and the levels of the search."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from deidgui.app.hierarchies.editing import InEditor
from deidgui.app.project import Attribute, HierarchyChoice
from deidgui.engine.data.templates import TEMPLATES, Postcodes, Template
from deidgui.engine.data.templates.postcodes import ENOUGH_PEOPLE
from deidgui.engine.parameters import parameters_of
from deidgui.errors import ConfigError, DeidError
from deidgui.qt.forms import ParameterForm
from deidgui.qt.messages import words_for
from deidgui.qt.pages.hierarchies.words import level_title
from deidgui.qt.widgets import (
    Button,
    Caption,
    ComboBox,
    ReasonLabel,
    ScrolledColumn,
    SectionHeading,
    SpinBox,
    column,
    field_row,
    line,
    show_if,
)
from deidgui.text import tr


class LimitsBox(QWidget):
    """Finest and coarsest level of one quasi-identifier.

    Attributes
    ----------
    limits_set : Signal of (int or None, int or None)
        None where there is no limit.
    """

    limits_set = Signal(object, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._height = 0
        self.finest, self.coarsest = ComboBox(), ComboBox()
        self._words = Caption()
        self.setLayout(
            column(
                SectionHeading(tr("Levels for the search")),
                field_row(tr("Finest level"), self.finest),
                field_row(tr("Coarsest level"), self.coarsest),
                self._words,
            )
        )
        for combo in (self.finest, self.coarsest):
            combo.setMinimumContentsLength(8)
            combo.activated.connect(self._on_chosen)

    def show_limits(self, opened: InEditor, attribute: Attribute) -> None:
        """Show which levels are allowed."""
        height = self._height = opened.outline.height
        low, high = attribute.minimum_level or 0, attribute.maximum_level
        high = height if high is None else min(high, height)
        low = min(low, high)
        for combo, first, last, current in (
            (self.finest, 0, high, low),
            (self.coarsest, low, height, high),
        ):
            combo.blockSignals(True)
            combo.clear()
            for level in range(first, last + 1):
                if self._is_offered(opened, level, current):
                    words = f"{level} · {level_title(opened, level)}"
                    combo.addItem(words, str(level))
            combo.blockSignals(False)
            combo.set_current(str(current))
        self._words.setText(self._sentence(low, high))

    def _is_offered(self, opened: InEditor, level: int, current: int) -> bool:
        """Whether a level is a choice: one that makes no difference is none."""
        is_open = level in (current, self._height)
        return is_open or opened.outline.makes_difference(level)

    def set_finest(self, level: int) -> None:
        """Let the search use nothing finer than a level."""
        self._report(level, max(level, int(self.coarsest.current)))

    def set_coarsest(self, level: int) -> None:
        """Let the search use nothing coarser than a level."""
        self._report(min(level, int(self.finest.current)), level)

    def _report(self, low: int, high: int) -> None:
        # One level alone is a decision, whatever height the hierarchy has later.
        is_limit = high < self._height or low == high
        self.limits_set.emit(low or None, high if is_limit else None)

    def _sentence(self, low: int, high: int) -> str:
        if low == 0 and high == self._height:
            return tr("Every level may be used.")
        if low == high:
            return tr("Only level {low} may be used.", low=low)
        return tr("Only levels {low} to {high} may be used.", low=low, high=high)

    def _on_chosen(self) -> None:
        self._report(int(self.finest.current), int(self.coarsest.current))


BY_HAND = "by hand"
MOST_PEOPLE = 10_000_000
"""The most that can be asked for in an area."""

REST_MS = 350
"""How long typing rests before the tree follows."""


class RulePanel(ScrolledColumn):
    """Chooser of a template with its form; every change is told at once.

    Attributes
    ----------
    rule_set : Signal of Template
    proposal_wanted : Signal
    areas_wanted : Signal
        A table of people by postal code shall be read.
    """

    rule_set = Signal(object)
    proposal_wanted = Signal()
    areas_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._attribute: Attribute | None = None
        self._opened: InEditor | None = None
        self._form: ParameterForm[Template] | None = None
        self._forms: dict[str, ParameterForm[Template]] = {}
        self._waiting: Template | None = None
        self.kind = ComboBox(name=tr("Grouping rule"))
        self.kind.activated.connect(self._on_kind_chosen)
        self._summary = Caption()
        self._by_hand = Caption()
        self._noted = ReasonLabel("", "warning")
        self._form_box = QVBoxLayout()
        self._problem = ReasonLabel("", "danger")
        self._source = ReasonLabel()
        self.limits = LimitsBox()
        self.back = Button(
            tr("Back to the proposal"),
            "plain",
            "undo",
            self.proposal_wanted,
            small=True,
        )
        self._build_areas()
        content = QWidget()
        content.setObjectName("scrolled")
        content.setLayout(
            column(
                SectionHeading(tr("Grouping rule")),
                *(self.kind, self._summary, self._by_hand, self._noted, self._problem),
                self._form_box,
                self._enough_row,
                self.areas,
                self._source,
                self.back,
                6,
                line(),
                self.limits,
                None,
                spacing=10,
            )
        )
        self.setWidget(content)
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(REST_MS)
        self._rest.timeout.connect(self.take_over)

    def _build_areas(self) -> None:
        """Make what a list of areas with enough people is read with."""
        self.areas = Button(
            tr("Use a table of people…"),
            "plain",
            "people",
            self.areas_wanted,
            small=True,
        )
        self.areas.setToolTip(
            tr(
                "Two columns: postal codes, and people. Areas with enough people are "
                "told, all others become one group."
            )
        )
        self.enough = SpinBox(
            *(0, MOST_PEOPLE, ENOUGH_PEOPLE, tr("people")),
            name=tr("An area is told if more people live there"),
        )
        self._enough_row = field_row(tr("Tell areas with more than"), self.enough)

    @property
    def form(self) -> ParameterForm[Template] | None:
        """Form of the rule that is shown."""
        return self._form

    @property
    def problem(self) -> str:
        """Why a rule was not taken over; empty if nothing is wrong."""
        return self._problem.text

    def show_rule(
        self, opened: InEditor, attribute: Attribute, noted: str = ""
    ) -> None:
        """Show how a hierarchy is made, and what was noted of its column."""
        self._noted.set_reason(noted, "warning")
        self._opened, self._attribute = opened, attribute
        # The search leaves sensitive attributes as they are.
        show_if(self.limits, attribute.role == "quasi_identifier")
        self.limits.show_limits(opened, attribute)
        self._problem.set_reason("", "danger")
        rule = opened.rule
        by_hand = opened.is_by_hand
        self._fill_kinds(by_hand or rule is None)
        shown = BY_HAND if by_hand or rule is None else rule.kind
        self.kind.set_current(shown)
        self._show_summary(rule, by_hand)
        self._show_form(None if by_hand else rule)
        is_proposal = opened.proposal is not None and opened.choice == opened.proposal
        self._source.set_reason(
            tr("This is the proposed rule for the column.") if is_proposal else ""
        )
        show_if(self.back, opened.proposal is not None and not is_proposal)

    def show_error(self, error: DeidError) -> None:
        """Say why a rule was refused; the former one stays."""
        words = words_for(error)
        self._problem.set_reason(f"{words.what} {words.fix}".strip(), "danger")

    def take_over(self) -> None:
        """Tell the rule that is still being typed."""
        self._rest.stop()
        rule, self._waiting = self._waiting, None
        if rule is not None:
            self.rule_set.emit(rule)

    # -- inner ---------------------------------------------------------------------

    def _fill_kinds(self, by_hand: bool) -> None:
        wanted = [(each.kind, tr(each.title)) for each in TEMPLATES]
        if by_hand:
            wanted.insert(0, (BY_HAND, tr("Groups by hand")))
        if [self.kind.itemData(i) for i in range(self.kind.count())] == [
            key for key, _ in wanted
        ]:
            return
        self.kind.blockSignals(True)
        self.kind.clear()
        for key, words in wanted:
            self.kind.addItem(words, key)
        self.kind.blockSignals(False)

    def _show_summary(self, rule: Template | None, by_hand: bool) -> None:
        self._summary.setText("" if by_hand or rule is None else tr(rule.summary))
        show_if(self._summary, not by_hand and rule is not None)
        words = ""
        if by_hand and rule is not None:
            words = tr(
                "Edited by hand. “{title}” is used for values that occur only in "
                "a later file. Choosing a rule replaces your edits.",
                title=tr(rule.title),
            )
        elif by_hand:
            words = tr(
                "Your groups are saved in a file beside the project. Choosing a "
                "rule replaces them."
            )
        elif rule is None:
            words = tr("Select values and press “New group”, or choose a rule.")
        self._by_hand.setText(words)
        show_if(self._by_hand, bool(words))

    def _show_form(self, rule: Template | None) -> None:
        show_if(self.areas, isinstance(rule, Postcodes))
        show_if(self._enough_row, isinstance(rule, Postcodes))
        form = self._form
        if rule is not None and form is not None and form.property("kind") == rule.kind:
            if form.value() != rule and self._waiting is None:
                form.set_value(rule)
            return
        self._rest.stop()
        self._waiting = None
        if form is not None:
            show_if(form, False)
        self._form = None
        if rule is not None and parameters_of(type(rule)):
            self._form = self._form_of(rule)
            show_if(self._form, True)

    def _form_of(self, rule: Template) -> ParameterForm[Template]:
        """Return the form of a kind of rules with the values of one."""
        made = self._forms.get(rule.kind)
        if made is not None:
            made.set_value(rule)
            return made
        made = ParameterForm(type(rule), rule)
        made.setProperty("kind", rule.kind)
        made.edited.connect(self._on_edited)
        self._forms[rule.kind] = made
        self._form_box.addWidget(made)
        return made

    def _on_edited(self, rule: Template | None) -> None:
        self._waiting = rule
        self._rest.start()

    def _on_kind_chosen(self) -> None:
        kind = self.kind.current
        opened = self._opened
        if opened is None or kind == BY_HAND:
            return
        self._waiting = None
        if not opened.is_by_hand and opened.rule and opened.rule.kind == kind:
            return
        self.rule_set.emit(self._first_rule(kind))

    def _first_rule(self, kind: str) -> Template:
        """Rule of a kind as it suits the column best without being asked."""
        assert self._opened is not None
        assert self._attribute is not None
        for choice in (self._opened.proposal, self._kept_rule()):
            if choice is not None and choice.rule and choice.rule.get("kind") == kind:
                return TEMPLATES.from_json(choice.rule)
        cls = TEMPLATES[kind]
        declared = {parameter.name for parameter in parameters_of(cls)}
        params: dict[str, Any] = {}
        if self._attribute.kind == "date" and "format" in declared:
            params["format"] = self._attribute.format
        if self._attribute.format in (".", ",") and "decimal_mark" in declared:
            params["decimal_mark"] = self._attribute.format
        try:
            return cls.from_params(params)
        except ConfigError:
            return cls.from_params({})

    def _kept_rule(self) -> HierarchyChoice | None:
        assert self._opened is not None
        return self._opened.choice
