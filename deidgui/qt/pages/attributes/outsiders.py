"""What outsiders may know of each column: proposed by its kind, said by people."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QWidget

from deidgui.app import ops
from deidgui.app.determination.principle_words import (
    CIRCLES,
    DEGREES,
    FIELDS,
    MEANINGS,
    apart_words,
    value_words,
)
from deidgui.app.determination.principles import (
    acceptable,
    asked_columns,
    asked_fields,
    open_columns,
    open_fields,
    proposal_of,
)
from deidgui.app.entered import check_named, today
from deidgui.app.jobs import Job, Lane
from deidgui.app.measuring.principles import distinguish_columns
from deidgui.app.project import Attribute, Project
from deidgui.app.session import Kind
from deidgui.engine.evidence.document import Distinguishability
from deidgui.engine.evidence.entered import Principles
from deidgui.errors import Cancelled, ConfigError
from deidgui.qt.column_words import topic_words
from deidgui.qt.messages import words_for
from deidgui.qt.pages.risk.context import TextRow
from deidgui.qt.pages.signing import NameField
from deidgui.qt.widgets import (
    Button,
    Callout,
    Caption,
    Card,
    ComboBox,
    EmptyState,
    Label,
    Splitter,
    TextTable,
    column,
    field_row,
    holder,
    row,
    scrolling,
    show_if,
)
from deidgui.qt.widgets.polish import LEAST_ROWS
from deidgui.text import Text, share_text, tr

if TYPE_CHECKING:
    from deidgui.app.workspace import Workspace

NOTHING = ""
"""Key of what nobody has said."""

CHOICES = {"replicability": DEGREES, "availability": DEGREES, "knowable_by": CIRCLES}

_WHERE: Text = "registers, social media, family"
_WHY: Text = "why nobody outside can know it"
TEXTS: dict[str, Text] = {"sources": _WHERE, "because": _WHY}

DETAIL_WIDTH = 320
"""Pixels of the answers beside the list."""

NARROW = 552
"""Pixels of both below which the answers stand under the list."""


class OutsidersView(QWidget):
    """The columns, and beside them what is said of those that are chosen.

    Attributes
    ----------
    decided : Signal of (Op, str)
        A decision, and what it is called in the menu.
    """

    decided = Signal(object, str)
    failed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._project = self._wanted = Project()
        self._apart: dict[str, Distinguishability] = {}
        self._texts: dict[str, tuple[object, list[str]]] = {}
        self._measured_for: object = None
        self._unnamed: ConfigError | None = None
        self.state = Callout()
        # What is behind the state stands beside the list as well, of one column.
        heads = [tr("Column"), tr("State")]
        heads += [*(tr(FIELDS[name]) for name in CHOICES), tr("Alone")]
        self.table = TextTable(tr("What outsiders may know"), heads, numbers=(5,))
        # Names that begin alike end differently.
        self.table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.table.itemSelectionChanged.connect(self._show_chosen)
        self.by = NameField(tr("Who says it"))
        self.accept = Button("", "primary", "check", self._on_accept)
        self.choices = {
            name: ComboBox(
                [(NOTHING, tr("not stated")), *((k, tr(w)) for k, w in known.items())],
                tr(FIELDS[name]),
            )
            for name, known in CHOICES.items()
        }
        self.texts = {
            name: TextRow(tr(FIELDS[name]), tr(example))
            for name, example in TEXTS.items()
        }
        self._title = Label("", "strong", wrap=True)
        self._proposed = Caption()
        self._apart_words = Label("", wrap=True)
        self._basis = Caption()
        self._empty = EmptyState(
            "attributes",
            tr("Nothing to ask"),
            tr("Quasi-identifiers, sensitive and insensitive columns are asked about."),
        )
        self.table.keep_visible(LEAST_ROWS)
        split = Splitter(NARROW)
        split.setChildrenCollapsible(False)
        split.addWidget(self.table)
        split.addWidget(self._detail())
        split.setStretchFactor(0, 1)
        split.share([2 * DETAIL_WIDTH, DETAIL_WIDTH], [300, 220])
        signing = row(Label(tr("Who says it")), (self.by, 1), self.accept, spacing=10)
        parts = (self.state, holder(signing), (split, 1))
        self._content = holder(column(*parts, spacing=10))
        self.setLayout(column(self._content, self._empty))
        for name, choice in self.choices.items():
            choice.activated.connect(partial(self._on_chosen, name))
        for name, text in self.texts.items():
            text.typed.connect(partial(self._say, name))
        self.by.editingFinished.connect(self._on_named)

    def follow(self, workspace: Workspace) -> None:
        """Show what is said in a workspace; before anything is shown."""
        self._workspace, self._session = workspace, workspace.session
        self.by.follow(self._session)

    def _detail(self) -> QWidget:
        fields: list[QWidget] = []
        for name, choice in self.choices.items():
            choice.setToolTip(tr(MEANINGS[name]))
            choice.setPlaceholderText(tr("differs"))
            fields.append(field_row(tr(FIELDS[name]), choice))
        for name, text in self.texts.items():
            text.setToolTip(tr(MEANINGS[name]))
            fields.append(text)
        inside = holder(
            column(
                self._title,
                self._proposed,
                *fields,
                self._apart_words,
                self._basis,
                None,
                spacing=10,
            )
        )
        card = Card(margin=12)
        card.add(scrolling(inside, is_beside=True), 1)
        card.setMinimumWidth(DETAIL_WIDTH)
        return card

    # -- showing -------------------------------------------------------------------

    def show_project(self, project: Project) -> None:
        """Show what is said of each column now; what is chosen stays chosen.

        While it is not seen, nothing is shown until it is.
        """
        self._wanted = project
        if not self.isVisible():
            return
        chosen = self.chosen
        self._project = project
        asked = asked_columns(project)
        show_if(self._empty, not asked)
        show_if(self._content, bool(asked))
        self.table.blockSignals(True)
        texts = [self._known_texts(each) for each in asked]
        self._texts = dict(zip((each.name for each in asked), texts, strict=True))
        self.table.show_texts([each for _, each in texts])
        self.table.clearSelection()
        names = [each.name for each in asked]
        for name in chosen:
            if name in names:
                self._select(names.index(name))
        if not self.chosen and names:
            # The button of the page does something for one with a proposal.
            first = next(iter(acceptable(project)), names[0])
            self.table.selectRow(names.index(first))
        self.table.blockSignals(False)
        self.by.show_name()
        self._show_state()
        self._show_chosen()
        self.measure()

    def _select(self, place: int) -> None:
        model = self.table.selectionModel()
        flags = model.SelectionFlag.Select | model.SelectionFlag.Rows
        model.select(self.table.model().index(place, 0), flags)

    def _known_texts(self, attribute: Attribute) -> tuple[object, list[str]]:
        """Texts of a column, with what they were made of: most stay as they are."""
        made_of = attribute, self._apart.get(attribute.name)
        known = self._texts.get(attribute.name)
        if known is not None and known[0] == made_of:
            return known
        return made_of, self._texts_of(attribute)

    def _texts_of(self, attribute: Attribute) -> list[str]:
        said, proposal = attribute.principles, proposal_of(attribute)
        state = _missing_words(attribute) or tr("✓ answered")
        texts = [attribute.name, state]
        for name in CHOICES:
            value = getattr(said, name) if said is not None else None
            words = value_words(name, value)
            if not words and proposal is not None:
                proposed = value_words(name, getattr(proposal, name))
                words = tr("{value}?", value=proposed)
            texts.append(words or "–")
        found = self._apart.get(attribute.name)
        return [*texts, "–" if found is None else share_text(found.alone)]

    @property
    def chosen(self) -> tuple[str, ...]:
        """Names of the chosen columns, in their order."""
        asked = asked_columns(self._project)
        rows = {each.row() for each in self.table.selectionModel().selectedRows()}
        return tuple(each.name for n, each in enumerate(asked) if n in rows)

    def _show_state(self) -> None:
        if self._unnamed is not None and not self.by.text().strip():
            words = words_for(self._unnamed)
            self.state.show_words(words.what, "warning", words.fix)
            return
        asked, left = asked_columns(self._project), open_columns(self._project)
        if not left:
            answered = tr(
                "All questions about {n:column|columns} are answered.", n=len(asked)
            )
            self.state.show_words(answered, "success")
            return
        title = tr(
            "{left} of {n:column is|columns are} open.", left=len(left), n=len(asked)
        )
        n_reasons = sum(open_fields(each) == ("because",) for each in left)
        if n_reasons:
            title = tr(
                "{open} Of {n}, only “{field}” is missing.",
                open=title,
                n=n_reasons,
                field=tr(FIELDS["because"]),
            )
        self.state.show_words(
            title,
            "info",
            tr(
                "What outsiders know is not assumed. A question mark shows what is "
                "proposed by the kind of the column; it counts once a person accepts "
                "it. Several columns can be chosen at once (Ctrl+A: all)."
            ),
        )

    def _show_chosen(self) -> None:
        """Show what is said of the chosen columns, where they agree."""
        names = set(self.chosen)
        columns = [each for each in self._project.attributes if each.name in names]
        title = tr(
            "{n:column|columns} chosen. Where they differ, what you choose or type "
            "holds for all of them.",
            n=len(columns),
        )
        said = [each.principles or Principles() for each in columns]
        for name, choice in self.choices.items():
            values = {getattr(each, name) or NOTHING for each in said}
            if len(values) > 1:
                choice.setCurrentIndex(-1)  # its placeholder
            else:
                choice.set_current(values.pop() if values else NOTHING)
            choice.setEnabled(bool(columns))
        for name, text in self.texts.items():
            asked = [each for each in columns if name in asked_fields(each)]
            said = [each.principles or Principles() for each in asked]
            texts = {getattr(each, name) for each in said}
            signed = {(each.by, each.on): each for each in said}
            by = next(iter(signed.values()), None)
            text.show_text(texts.pop() if len(texts) == 1 else "", by)
            if len(signed) > 1:
                show_if(text.signed, False)  # Nobody is named for another's words.
            text.setEnabled(bool(columns))
            show_if(text, bool(asked) or not columns)
            if 0 < len(asked) < len(columns):
                why = tr("A reason is asked of {n}.", n=len(asked))
                title = f"{title} {why}"
        self._title.setText(columns[0].name if len(columns) == 1 else title)
        everywhere = set(acceptable(self._project))
        proposals = {each.name for each in columns} & everywhere
        n = len(proposals)
        words = tr("Accept {n:proposal|proposals}", n=n) if n else tr("No proposals")
        if not n and everywhere and len(columns) == 1:
            words = tr("No proposal for this column")
        self.accept.setText(words)
        self.accept.setEnabled(bool(proposals))
        self._proposed.setText(_proposal_words(columns))
        found = self._apart.get(columns[0].name) if len(columns) == 1 else None
        self._apart_words.setText(apart_words(found))
        show_if(self._apart_words, found is not None)

    # -- how far columns tell people apart -----------------------------------------

    def showEvent(self, event: object) -> None:
        super().showEvent(event)  # type: ignore[arg-type]
        self._unnamed = None
        self.show_project(self._wanted)

    def measure(self) -> None:
        """Measure the present columns, unless that is done already."""
        project, loaded = self._project, self._session.loaded
        if loaded is None or not asked_columns(project):
            return
        classes = self._session.current(Kind.CLASSES)
        units = classes.class_table.units if classes is not None else None
        people = units.people if units is not None else None
        table = classes.table if classes is not None else loaded.table
        asked = [
            (each.name, each.role, each.missing) for each in asked_columns(project)
        ]
        wanted = (id(table), id(people), tuple(asked))
        if wanted == self._measured_for:
            return
        self._measured_for = wanted

        def done(found: dict[str, Distinguishability]) -> None:
            self._apart = found
            self._basis.setText(_basis_words(people is not None))
            self.show_project(self._wanted)

        self._workspace.runner.start(
            Lane.PRINCIPLES,
            lambda monitor: distinguish_columns(
                project, table, people, monitor=monitor
            ),
            Job(done, self._on_failed),
        )

    def _on_failed(self, error: BaseException) -> None:
        self._measured_for = None
        if not isinstance(error, Cancelled):
            self.failed.emit(error)

    # -- deciding ------------------------------------------------------------------

    def _signed(self) -> tuple[str, str] | None:
        """Who says it and when; None, and said so, while nobody is named."""
        by = self.by.text().strip()
        try:
            check_named(by)
        except ConfigError as error:
            self._unnamed = error
            self._show_state()
            return None
        return by, today().isoformat()

    def _on_named(self) -> None:
        self._show_state()
        for each in self.texts.values():
            each.try_again()

    def _on_accept(self) -> None:
        signed, open_ones = self._signed(), acceptable(self._project)
        names = tuple(each for each in self.chosen if each in open_ones)
        if signed is not None:
            op = ops.accept_principles(names, *signed)
            label = tr("accept what is proposed of {n:column|columns}", n=len(names))
            self.decided.emit(op, label)
        else:
            self.by.setFocus()

    def _on_chosen(self, name: str, _place: int) -> None:
        if self.choices[name].currentIndex() >= 0:
            self._say(name, self.choices[name].current)

    def _say(self, name: str, value: str) -> None:
        chosen = set(self.chosen)
        said = [
            each.principles or Principles()
            for each in self._project.attributes
            if each.name in chosen and name in asked_fields(each)
        ]
        wanted = value or (None if name in CHOICES else "")
        if all(getattr(each, name) == wanted for each in said):
            return
        differ = len({getattr(each, name) for each in said}) > 1
        if name in TEXTS and not value and differ:
            return  # Several texts that differ show nothing: nobody cleared it.
        signed, text = self._signed(), self.texts.get(name)
        if text is not None:
            # What was typed stays until somebody is named.
            text.show_problem(None if signed else ConfigError("validity_unnamed"))
        if signed is None:
            if text is None:
                self._show_chosen()
            if text is None or text.field.hasFocus():  # else it was left for elsewhere
                self.by.setFocus()
            return
        by, on = signed
        op = ops.say_principles(self.chosen, by=by, on=on, **{name: wanted})
        self.decided.emit(op, tr("say what outsiders may know"))


def _missing_words(attribute: Attribute) -> str:
    """Say what is missing of a column that is asked about; empty if nothing."""
    left = open_fields(attribute)
    if not left:
        return ""
    if attribute.principles is None:
        return tr("open")
    if left == ("because",):
        return tr("reason missing")
    return tr("{n} missing", n=len(left))


def _proposal_words(columns: list[Attribute]) -> str:
    """What is proposed of one column, and where such values stand."""
    if len(columns) != 1:
        return ""
    proposal = proposal_of(columns[0])
    if proposal is None:
        if not columns[0].topic:
            return tr(
                "Nothing is proposed: it is not recognised what the column holds."
            )
        return tr(
            "Recognised: {kind}. What outsiders may know of it does not follow from "
            "that, so nothing is proposed.",
            kind=topic_words(columns[0].topic),
        )
    values = (
        f"{tr(FIELDS[n])}: {value_words(n, getattr(proposal, n))}" for n in CHOICES
    )
    return tr(
        "Proposed by the kind of the column. {values}. {sources}.",
        values="; ".join(values),
        sources=tr(proposal.sources),
    )


def _basis_words(is_of_people: bool) -> str:
    words = tr(
        "Alone: the share with a value that nobody else has, of this column and of the "
        "pair with the quasi-identifier beside which most are alone."
    )
    if not is_of_people:
        return words
    rows = tr("People are counted; the pairs told apart are pairs of rows.")
    return f"{words} {rows}"
