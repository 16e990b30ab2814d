"""The page Attributes: what every column means for privacy, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QAction, QResizeEvent, QShortcut
from PySide6.QtWidgets import QScrollArea, QWidget

from deidgui.app import ops
from deidgui.app.decides import Changes
from deidgui.app.determination.principles import open_columns
from deidgui.app.jobs import Lane
from deidgui.app.policies.runner import LATTICE
from deidgui.app.project import Attribute
from deidgui.app.reading.reading import certain_columns
from deidgui.app.reading.shapes import ColumnShape, shape_of
from deidgui.app.session import Kind
from deidgui.engine.detect.roles import Finding
from deidgui.errors import DeidError
from deidgui.qt.column_words import ROLES, meaning, words
from deidgui.qt.models.attributes import AttributeFilter, AttributeModel
from deidgui.qt.models.summaries import Summaries
from deidgui.qt.pages.attributes.detail import WIDTH, DetailPanel
from deidgui.qt.pages.attributes.outsiders import OutsidersView
from deidgui.qt.pages.attributes.review import (
    LEAVE_OUT,
    RELEASE,
    TAKE_OVER,
    ReviewDialog,
)
from deidgui.qt.pages.attributes.table import AttributeTable
from deidgui.qt.pages.attributes.together import TogetherView
from deidgui.qt.pages.base import NOT_YET, Page, PageStatus, StepState
from deidgui.qt.pages.risk.importance import ImportanceCard
from deidgui.qt.settings import Settings
from deidgui.qt.tab_order import go_to, stops
from deidgui.qt.theme import theme
from deidgui.qt.widgets import (
    ROLE_GLYPH,
    Button,
    ButtonMenu,
    Callout,
    Caption,
    ComboBox,
    ElidedLabel,
    EmptyState,
    SearchField,
    Segmented,
    ShownStack,
    Splitter,
    Toolbar,
    column,
    holder,
    row,
    scrolling,
    show_if,
)
from deidgui.qt.widgets.layouts import fill_scrolled
from deidgui.text import Text, tr

if TYPE_CHECKING:
    from deidgui.app.workspace import Workspace

NARROW = 552
"""Pixels of list and detail below which the detail stands under the list."""

WORDS, WIDE = 420, 860
"""Pixels of the page from which the role buttons have words instead of glyphs, and from
which they have both, at the usual size.
"""


def _place_importance(area: QScrollArea, card: ImportanceCard) -> None:
    """Put it at the top left, whatever room is left."""
    fill_scrolled(area, row((card, 100), None, spacing=0), None)


class AttributesPage(Page):
    """List of columns with their roles, detail of one, all sets together."""

    key = "attributes"
    parts = (
        Changes.DATA
        | Changes.ROLES
        | Changes.HIERARCHY
        | Changes.QUALITY
        | Changes.RESULT
    )
    scrolls = False
    first = (DetailPanel, TogetherView, OutsidersView, ImportanceCard)

    def __init__(
        self,
        workspace: Workspace,
        settings: Settings,
        parent: QWidget | None = None,
        made: Sequence[QWidget] = (),
    ) -> None:
        super().__init__(workspace, settings, parent, made)
        self.set_header(
            tr("Attributes"),
            tr("Decide what each column means for privacy."),
        )
        self.summaries = Summaries(workspace, Lane.ATTRIBUTE_FIGURES, self)
        self.model = AttributeModel(self.summaries, self)
        self.proxy = AttributeFilter(self.model, self)
        self.table = AttributeTable(self.model, self.proxy)
        self.leave_out = QAction(tr("Leave out or take in again"), self)
        self.leave_out.setShortcut("Space")
        self.leave_out.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self.detail = self.part(DetailPanel)
        self.together = self.part(TogetherView)
        self.outsiders = self.part(OutsidersView)
        for part in (self.together, self.outsiders):
            part.follow(workspace)
        self.importance = self.part(ImportanceCard)
        self.question = Callout(
            tr("What does the analysis need most?"),
            "info",
            tr("Importance is proposed by the kind of each column."),
            tr("Look at it"),
        )
        self._make_header()
        self._make_body()
        self._connect()

    def _make_header(self) -> None:
        views = [
            ("alone", tr("One by one"), "attributes"),
            ("together", tr("Together"), "link"),
            ("outsiders", tr("Known outside"), "search"),
            ("importance", tr("Importance"), "star"),
        ]
        self.view = Segmented(views, name=tr("What is shown"), wraps=True)
        self.confirm = Button("", "primary", "check", self._on_confirm_clicked)
        self.review = Button("", "plain", "help", self._on_review_clicked)
        self.add_header_action(self.view)
        self.add_header_action(self.review)
        self.add_header_action(self.confirm)

    def _make_body(self) -> None:
        self.search = SearchField(tr("Find a column"))
        self.search.setMaximumWidth(260)
        self.filter = ComboBox(self._filters(), tr("Columns shown"))
        tools = Toolbar()
        tools.add_left(self.search, 1)
        tools.add_left(self.filter)
        self._count = ElidedLabel("", "caption", "muted")
        tools.add_left(self._count)
        self.role_buttons = {}
        for place, role in enumerate(ROLES, start=1):
            button = Button("", "plain", ROLE_GLYPH[role], self._on_bulk, small=True)
            button.setProperty("role", role)
            button.setAccessibleName(words(role))
            button.setToolTip(
                tr(
                    "Make the chosen rows: {role}  ({key})\n{meaning}",
                    role=words(role).lower(),
                    key=place,
                    meaning=meaning(role),
                )
            )
            # Of the button, so that it acts where the button could: in sight, enabled.
            QShortcut(str(place), button, partial(self._on_role_wanted, role))
            self.role_buttons[role] = button
            tools.add_right(button)
        ButtonMenu(self.table, [*self.role_buttons.values(), None, self.leave_out])
        self._no_match = Caption(tr("No column matches."))
        self.splitter = Splitter(NARROW)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(self.table)
        self.splitter.setStretchFactor(0, 1)
        self.place_later(self.detail, self._place_detail)
        alone = column(tools, self._no_match, self.splitter, spacing=10)
        alone.setStretch(2, 1)
        stacked = QWidget()
        self._stack = ShownStack(stacked)
        area = scrolling()
        self._sections: dict[str, QWidget] = {
            "alone": holder(alone),
            "together": self.together,
            "outsiders": self.outsiders,
            "importance": area,
        }
        for part in (self._sections["alone"], area):
            self._stack.addWidget(part)
        for part in (self.together, self.outsiders):
            self.place_later(part, self._stack.addWidget)
        self.place_later(self.importance, partial(_place_importance, area))
        self._empty = EmptyState(
            "attributes",
            tr("No data yet"),
            tr("Open a data file to see its columns."),
            tr("Go to Start"),
        )
        self._stack.addWidget(self._empty)
        self.body.addWidget(self.question)
        self.body.addWidget(stacked, 1)

    def _place_detail(self, detail: DetailPanel) -> None:
        self.splitter.addWidget(detail)
        self.splitter.share([WIDTH * 2, WIDTH], [300, 220])

    def _filters(self) -> list[tuple[str, str]]:
        return [
            ("all", tr("All columns")),
            ("proposed", tr("To be confirmed")),
            *((role, words(role)) for role in ROLES),
            ("left_out", tr("Left out")),
        ]

    def _connect(self) -> None:
        self.view.chosen.connect(self._on_view_chosen)
        self.search.searched.connect(self._on_filter_changed)
        self.filter.activated.connect(self._on_filter_changed)
        self.table.include_wanted.connect(self._on_include_toggled)
        self.leave_out.triggered.connect(self._on_include_toggled)
        self.table.selectionModel().currentChanged.connect(self._on_current_changed)
        self.table.selectionModel().selectionChanged.connect(self._show_selection)
        self.model.include_wanted.connect(self._on_check_clicked)
        self.summaries.found.connect(self._on_figures_found)
        self.detail.role_wanted.connect(self._on_detail_role)
        self.detail.treatment_wanted.connect(self._on_treatment_wanted)
        self.detail.include_wanted.connect(self._on_detail_include)
        self.question.acted.connect(self._on_importance_wanted)
        self.importance.weight_set.connect(self._on_weight_set)
        self.importance.level_set.connect(self._on_level_set)
        self.importance.confirmed.connect(self._on_importance_confirmed)
        self.importance.cost_wanted.connect(self._on_cost_wanted)
        self.together.failed.connect(partial(self._on_job_failed, Lane.TOGETHER))
        self.outsiders.decided.connect(self._decide)
        self.outsiders.failed.connect(partial(self._on_job_failed, Lane.PRINCIPLES))
        self._empty.acted.connect(self._on_start_wanted)

    # -- showing -------------------------------------------------------------------

    def refresh(self, changes: Changes) -> None:
        """Show the columns and their roles as they are now."""
        if changes & ~Changes.RESULT:
            self._show_columns()
        self.together.show_project(self.session.project)
        self.outsiders.show_project(self.session.project)
        self._show_importance()
        self._show_view()

    def _show_columns(self) -> None:
        attributes = self.session.project.attributes
        current = self.table.current_name
        self.model.set_attributes(attributes, self._findings())
        self.table.fit_texts()
        self.summaries.follow(attributes)
        self._filter()
        if self.model.row_of(current) >= 0:
            if self.table.current_name != current:
                self.table.choose(current)
        elif attributes:
            self.table.choose(self._first_to_look_at())
        self._show_open()
        self._show_asked()
        show_if(self.view, bool(attributes))
        self._show_detail()
        self._show_selection()

    def _show_open(self) -> None:
        """Offer what can be done with the columns that nobody has confirmed."""
        n_certain, n_others = len(self._certain()), len(self._to_review())
        show_if(self.confirm, n_certain > 0)
        self.confirm.setText(tr("Confirm {n:proposal|proposals}", n=n_certain))
        self.confirm.setToolTip(
            tr(
                "Confirm the roles that were proposed as certain. The report says that "
                "they were taken over together."
            )
        )
        show_if(self.review, n_others > 0)
        self.review.setText(tr("Decide on {n:other|others}…", n=n_others))
        self.review.setToolTip(
            tr("List the columns that nobody has decided, and decide on several.")
        )

    def _show_asked(self) -> None:
        """Say at the views how many questions of each are open."""
        views = {"outsiders": tr("Known outside"), "importance": tr("Importance")}
        asked = self._asked()
        for key, view in views.items():
            if n := asked[key]:
                view = tr("{view} ({n} open)", view=view, n=n)
            self.view.set_words(key, view)

    def _first_to_look_at(self) -> str:
        """The first column in the order shown."""
        index = self.proxy.index(0, 0)
        return self.model.row_at(self.proxy.mapToSource(index).row()).name

    def _findings(self) -> Mapping[str, Finding]:
        loaded = self.session.loaded
        if loaded is None or loaded.inspection is None:
            return {}
        findings: Mapping[str, Finding] = loaded.inspection.findings
        return findings

    def _open(self) -> tuple[Attribute, ...]:
        """Columns that would be released and that nobody has decided or confirmed."""
        attributes = self.session.project.attributes
        return tuple(e for e in attributes if e.include and not e.confirmed)

    @property
    def _is_importance_open(self) -> bool:
        """Whether all roles are confirmed, and nobody has said what matters most."""
        project = self.session.project
        is_open = bool(project.quasi_identifiers) and not project.importance_said
        return is_open and not self._open()

    def _asked(self) -> dict[str, int]:
        """Open questions that no release needs, by view; none before the roles."""
        n_outside = 0 if self._open() else len(open_columns(self.session.project))
        return {"outsiders": n_outside, "importance": int(self._is_importance_open)}

    def _certain(self) -> tuple[str, ...]:
        """Open columns whose role was proposed as certain."""
        return certain_columns(self.session.project, self._findings())

    def _to_review(self) -> tuple[Attribute, ...]:
        """The other open columns, undecided ones first."""
        certain = set(self._certain())
        others = [each for each in self._open() if each.name not in certain]
        return tuple(sorted(others, key=lambda each: each.role is not None))

    def _show_view(self) -> None:
        if not self.session.project.attributes:
            self._stack.setCurrentWidget(self._empty)
        else:
            self._stack.setCurrentWidget(self._sections[self.view.current])
        is_elsewhere = self.view.current not in ("importance", "outsiders")
        show_if(self.question, self._is_importance_open and is_elsewhere)

    def _show_importance(self) -> None:
        classes = self.session.result(Kind.CLASSES)
        self.importance.show_project(
            self.session.project,
            classes.hierarchies if classes else {},
            self.session.current(LATTICE),
            is_measuring=self.workspace.is_running(Lane.IMPORTANCE),
        )

    def _show_detail(self) -> None:
        row = self.model.row_of(self.table.current_name)
        if row < 0:
            self.detail.show_column(None)
            return
        attribute = self.model.row_at(row)
        self.detail.show_column(
            attribute,
            self.model.finding(attribute.name),
            self.summaries.get(attribute),
        )

    def _show_selection(self) -> None:
        n_chosen = self.table.n_chosen
        for button in self.role_buttons.values():
            button.setEnabled(n_chosen > 0)
        n_shown, n_all = self.proxy.rowCount(), self.model.rowCount()
        parts = [tr("{number:column|columns}", number=f"{n_all:,}")]
        if n_shown != n_all:
            parts = [
                tr("{shown} of {number}", shown=f"{n_shown:,}", number=f"{n_all:,}")
            ]
        if n_chosen > 1:
            parts.append(tr("{number} chosen", number=n_chosen))
        self._count.brief = parts[0]
        self._count.setText(" · ".join(parts))

    def _filter(self) -> None:
        self.proxy.show_only(self.search.text(), self.filter.current)
        self.table.choose_current()
        show_if(self._no_match, not self.proxy.rowCount() and self.model.rowCount() > 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = event.size().width() / theme().text_scale
        for role, button in self.role_buttons.items():
            button.setText(self._short_words()[role] if wide >= WORDS else "")
            button.set_glyph("" if WORDS <= wide < WIDE else ROLE_GLYPH[role])

    def _short_words(self) -> dict[str, str]:
        return {
            "direct_identifier": tr("Direct"),
            "quasi_identifier": tr("Quasi"),
            "sensitive": tr("Sensitive"),
            "insensitive": tr("Insensitive"),
        }

    def status(self) -> PageStatus:
        """Done when a person has confirmed every role and answered what is asked."""
        project = self.session.project
        if not project.attributes:
            return NOT_YET
        undecided = [e for e in project.attributes if e.include and e.role is None]
        if undecided:
            return PageStatus(
                StepState.ATTENTION,
                # PRIVACY: the number is that of both buttons together.
                tr("{number} to confirm", number=len(self._open())),
                tr("{n:column has|columns have} no role.", n=len(undecided)),
            )
        n_quasi = len(project.quasi_identifiers)
        if not n_quasi:
            return PageStatus(
                StepState.ATTENTION,
                tr("no quasi-identifier"),
                tr(
                    "Give the role quasi-identifier to the columns that outsiders "
                    "can know."
                ),
            )
        n_open = len(self._open())
        if n_open:
            caption = tr("{number} to confirm", number=n_open)
            return PageStatus(StepState.ATTENTION, caption)
        # No release needs these answers: the step is not done, and nothing is wrong.
        if n_asked := sum(self._asked().values()):
            return PageStatus(
                StepState.READY, tr("{n:question|questions} open", n=n_asked)
            )
        caption = tr("{n:quasi-identifier|quasi-identifiers}", n=n_quasi)
        return PageStatus(StepState.DONE, caption)

    def help_words(self) -> str:
        """Count the roles in words."""
        attributes = self.session.project.attributes
        lines = []
        for role in ROLES:
            number = sum(each.role == role and each.include for each in attributes)
            if number:
                lines.append(f"- **{number:,} × {words(role)}**: {meaning(role)}")
        n_out = sum(not each.include for each in attributes)
        if n_out:
            lines.append(tr("- {number:column is|columns are} left out.", number=n_out))
        return "\n".join(lines)

    # -- following -----------------------------------------------------------------

    def _on_view_chosen(self, _key: str) -> None:
        self._show_view()

    def _on_filter_changed(self, _value: object = None) -> None:
        self._filter()
        self._show_selection()

    def _on_current_changed(self, _now: object, _before: object) -> None:
        self._show_detail()

    def _on_figures_found(self, names: tuple[str, ...]) -> None:
        if self.table.current_name in names:
            self._show_detail()

    def _on_job_failed(self, lane: Lane, error: BaseException) -> None:
        if isinstance(error, DeidError):
            self.show_error(error)
        else:
            self.workspace.problem(error, lane)

    def _on_start_wanted(self) -> None:
        self.step_wanted.emit("start")

    # -- deciding ------------------------------------------------------------------

    def _change(self, wanted: Mapping[str, Mapping[str, Any]], label: str) -> None:
        try:
            self.workspace.change_columns(wanted, label)
        except DeidError as error:
            self.show_error(error)

    def _set_roles(self, names: tuple[str, ...], role: str) -> None:
        if not names:
            return
        label = tr("set role of {column}", column=names[0])
        if len(names) > 1:
            label = tr("set role of {number:column|columns}", number=len(names))
        try:
            self.workspace.set_roles(names, role, label)
        except DeidError as error:
            self.show_error(error)

    def _on_role_wanted(self, role: str) -> None:
        self._set_roles(self.table.chosen_names, role)

    def _on_bulk(self) -> None:
        role = str(self.sender().property("role"))
        self._set_roles(self.table.chosen_names, role)
        self.table.setFocus()

    def _on_detail_role(self, role: str) -> None:
        name = self.table.current_name
        finding = self.model.finding(name)
        if role or finding is None or finding.role is None:
            self._set_roles((name,), role)
        else:
            self._set_roles((name,), finding.role.value)

    def _on_treatment_wanted(self, treatment: str) -> None:
        name = self.table.current_name
        label = tr("set treatment of {column}", column=name)
        self._change({name: {"treatment": treatment, "confirmed": True}}, label)

    def _on_include_toggled(self) -> None:
        names = self.table.chosen_names
        chosen = [self._attribute(name) for name in names]
        if not chosen:
            return
        self._include(names, not all(each.include for each in chosen))

    def _on_check_clicked(self, name: str, is_on: bool) -> None:
        self._include((name,), is_on)

    def _on_detail_include(self, is_on: bool) -> None:
        self._include((self.table.current_name,), is_on)

    def _include(self, names: tuple[str, ...], is_on: bool) -> None:
        what = names[0]
        if len(names) > 1:
            what = tr("{number:column|columns}", number=len(names))
        label: Text = "take in {column}" if is_on else "leave out {column}"
        wanted = {name: {"include": is_on} for name in names}
        self._change(wanted, tr(label, column=what))

    def _attribute(self, name: str) -> Attribute:
        return self.model.row_at(self.model.row_of(name))

    def _decide(self, op: ops.Op, label: str) -> None:
        self.apply(op, label)
        self.refresh(Changes.QUALITY)

    def _on_importance_wanted(self) -> None:
        self.view.set_current("importance")
        self._show_view()

    def _on_weight_set(self, name: str, weight: float) -> None:
        label = tr("set importance of {attribute}", attribute=name)
        self._decide(ops.set_weight(name, weight), label)

    def _on_level_set(self, name: str, level: int | None) -> None:
        label = tr("limit level of {attribute}", attribute=name)
        self._decide(ops.change_attribute(name, maximum_level=level), label)

    def _on_importance_confirmed(self) -> None:
        is_here = self.importance.confirm.hasFocus()
        self._decide(ops.confirm_importance(), tr("confirm importance"))
        view = next(stops(self.view), None)
        if is_here and view is not None:
            # To the views, of which another one follows, and not to a decision.
            go_to(view, forward=True)

    def _on_cost_wanted(self) -> None:
        self.workspace.policies.measure_cost()
        self._show_importance()

    def _on_confirm_clicked(self) -> None:
        is_here = self.confirm.hasFocus()
        with QSignalBlocker(self.confirm):
            self.apply(
                ops.take_over_roles(self._certain()), tr("confirm certain proposals")
            )
        self.refresh(Changes.ROLES)
        if is_here and not self.confirm.isVisible():
            # What follows: the columns that are still open, or all of them.
            is_open = self.review.isVisible() and self.review.isEnabled()
            go_to(self.review if is_open else self.table, forward=True)

    def review_dialog(self) -> ReviewDialog:
        """Make the dialog for the columns that nobody has decided."""
        loaded = self.session.loaded

        def shape(attribute: Attribute) -> ColumnShape | None:
            if loaded is None:
                return None
            column = loaded.table.column(attribute.name)
            return shape_of(column.with_missing(attribute.missing))

        return ReviewDialog(self._to_review(), shape, self)

    def _on_review_clicked(self) -> None:
        dialog = self.review_dialog()
        if dialog.exec():
            self.take_decision(dialog.chosen, dialog.decision)
            if not self.review.isVisible():
                go_to(self.table, forward=True)

    def take_decision(self, names: tuple[str, ...], decision: str) -> None:
        """Decide on some columns together, as a person said in the dialog."""
        if decision == RELEASE:
            self._set_roles(names, "insensitive")
        elif decision == LEAVE_OUT:
            self._include(names, is_on=False)
        elif decision == TAKE_OVER:
            changed = {name: {"confirmed": True} for name in names}
            self._change(changed, tr("confirm {n:role|roles}", n=len(names)))
        self.refresh(Changes.ROLES)
