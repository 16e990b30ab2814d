"""What persons enter for the dossier of a determination, and what is missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import get_args

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from deidgui.app import ops
from deidgui.app.determination.validity import validity_problem
from deidgui.app.dossier.dossier import columns_of, completeness_of
from deidgui.app.dossier.intruder import record_test, take_back_test
from deidgui.app.entered import check_named, today
from deidgui.app.project import Edition, Project, Regime
from deidgui.app.report.public_edition import SHOWN
from deidgui.engine.determination import (
    ELSEWHERE,
    FRONT_SHEETS,
    ITEMS,
    MAY_NOT_APPLY,
    NEEDS,
    OF_COLUMNS,
    SECTIONS,
    TITLES,
    Completeness,
    Item,
    ItemState,
)
from deidgui.engine.evidence.entered import Entry
from deidgui.errors import ConfigError
from deidgui.qt.messages import words_for
from deidgui.qt.pages.export.intruder import IntruderForm
from deidgui.qt.pages.risk.context import TextRow
from deidgui.qt.pages.signing import SignRow
from deidgui.qt.widgets import (
    Block,
    Callout,
    Caption,
    Columns,
    ComboBox,
    InTurns,
    Label,
    ShownStack,
    TextTable,
    column,
    discard_in_turns,
    holder,
    row,
    scrolling,
    show_if,
)
from deidgui.qt.widgets.polish import laid_out_later, show_new
from deidgui.text import Text, tr

NOTHING = ""
"""Key of a choice that nobody has made."""

_PUBLIC: Text = "Public edition"
_CONFIDENTIAL: Text = "Confidential edition"
EDITIONS: dict[str, Text] = {"public": _PUBLIC, "confidential": _CONFIDENTIAL}

FIELDS_IN_TURN = 8
"""Fields of columns made in one turn. PERF: each takes 0.5 ms."""

Place = tuple[str, str]
"""A name of what an item needs, and the column that it is about, if any."""


class DossierView(QWidget):
    """The parts of the dossier, and beside them what is entered for one.

    Attributes
    ----------
    decided : Signal of (Op, str)
        A decision, and what it is called in the menu.
    """

    decided = Signal(object, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._project = Project()
        self._suppresses: bool | None = None
        self.state = Callout()
        regimes = [(key, tr(FRONT_SHEETS[key])) for key in get_args(Regime)]
        self.regime = ComboBox(
            [(NOTHING, tr("No front sheet")), *regimes], tr("Front sheet")
        )
        editions = [(key, tr(EDITIONS[key])) for key in get_args(Edition)]
        self.edition = ComboBox(
            [(NOTHING, tr("Edition: not chosen")), *editions], tr("Edition")
        )
        self.edition.setToolTip(
            tr(
                "Of the report in the release folder; evidence.json beside it says "
                "all and belongs to the confidential edition. The public edition "
                "leaves out seeds, shifts of dates, levels, names, and what was typed, "
                "but for title, recipient, purpose, "
                "reference of the agreement, and what says that it stands there, too. "
                "Without a choice it is the confidential one."
            )
        )
        self.signing = SignRow(tr("Who enters it"))
        self.signing.decided.connect(self.decided)
        self.by = self.signing.by
        self.parts = TextTable(
            tr("Parts of the dossier"),
            (tr("Part"), tr("Missing")),
            numbers=(1,),
            wraps=True,
        )
        tip = tr(
            "Missing items, each counted once: in the part where it is entered. "
            "“in D1” means that an item of this part is entered there."
        )
        self.parts.model().setHeaderData(
            1, Qt.Orientation.Horizontal, tip, Qt.ItemDataRole.ToolTipRole
        )
        self.parts.itemSelectionChanged.connect(self._show_part)
        shown = QWidget()
        self._stack = ShownStack(shown)
        self._forms: dict[str, _Form] = {}
        for each in (self.regime, self.edition):
            each.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        chosen = holder(column(row(self.regime, self.edition, spacing=10), None))
        choices = Columns([(chosen, 0), (self.signing, 1)], spacing=10)
        parts = row((self.parts, 1), (shown, 1), spacing=12)
        self.setLayout(column(self.state, choices, (parts, 1), spacing=8))
        self.by.editingFinished.connect(self._on_named)
        self.regime.activated.connect(self._on_regime)
        self.edition.activated.connect(self._on_edition)

    # -- showing -------------------------------------------------------------------

    def show_project(self, project: Project, *, suppresses: bool | None) -> None:
        """Show what is entered and what is missing.

        Parameters
        ----------
        suppresses : bool or None
            Whether the policy suppresses anything; None while none is known.
        """
        self._project, self._suppresses = project, suppresses
        found = completeness_of(project, suppresses=suppresses)
        self._show_state(found)
        self.regime.set_current(project.dossier.regime or NOTHING)
        self.edition.set_current(project.dossier.edition or NOTHING)
        place = max(0, self.parts.currentRow())
        self.parts.blockSignals(True)
        self.parts.show_texts([_part_texts(name, found) for name in SECTIONS])
        self.parts.selectRow(place)
        self.parts.blockSignals(False)
        self.signing.show_project(project)
        self._show_part()
        states = {each.item.number: each for each in found.items}
        for form in self._forms.values():
            form.show_states(project, states)

    def _show_state(self, found: Completeness) -> None:
        words = tr(
            "{n} of {all:item|items} complete, {left} missing.",
            n=found.n_complete,
            all=found.n_asked,
            left=len(found.missing),
        )
        if n_later := sum(each.state == "not_known" for each in found.items):
            words = tr(
                "{words} {n} not known before a release.", words=words, n=n_later
            )
        if not found.lacking:
            detail = tr("An expert can determine: the report has the sentence to sign.")
            self.state.show_words(words, "success", detail)
            return
        parts = {
            name
            for each in found.lacking
            for name in each.item.sections
            if not found.is_complete(name)
        }
        detail = tr(
            "The report says “Not a determination”: {parts} decide, and lack "
            "something.",
            parts=", ".join(name for name in _DECISIVE if name in parts),
        )
        also = tr("Missing items do not stop the release.")
        if (stopped := validity_problem(self._project)) is not None:
            also = words_for(stopped).what
        self.state.show_words(words, "warning", f"{detail} {also}")

    def _show_part(self) -> None:
        """Show the fields of the chosen part; they are made when first shown."""
        name = list(SECTIONS)[max(0, self.parts.currentRow())]
        wanted = tuple(
            column for each in OF_COLUMNS for column in columns_of(self._project, each)
        )
        form = self._forms.get(name)
        if form is None or form.columns != wanted:
            if form is not None:
                self._stack.removeWidget(form)
                discard_in_turns(form)
            form = self._forms[name] = _Form(name, self._project, wanted)
            form.typed.connect(self._on_typed)
            form.typed_for_all.connect(self._on_typed_for_all)
            form.waived.connect(self._on_waived)
            if form.intruder is not None:
                form.intruder.recorded.connect(self._on_test)
                form.intruder.taken_back.connect(self._on_test_taken_back)
            self._stack.addWidget(form)
            found = completeness_of(self._project, suppresses=self._suppresses)
            form.show_states(self._project, {e.item.number: e for e in found.items})
        if form.intruder is not None:
            form.intruder.show_tests(self._project.dossier.intruder_tests)
        self._form = form
        self._stack.setCurrentWidget(form)

    # -- deciding ------------------------------------------------------------------

    def _entry(self, text: str) -> Entry | None:
        if not text:
            return None
        by, day = self.by.text().strip(), today().isoformat()
        return Entry(text=text, by=by, on=day)

    def _may(self, field: TextRow, text: str) -> bool:
        """Whether somebody is named who enters a text; else it is said, and stays."""
        try:
            if text:
                check_named(self.by.text())
        except ConfigError as error:
            field.show_problem(error)
            return False
        field.show_problem(None)
        return True

    def _on_named(self) -> None:
        for form in self._forms.values():
            for field in form.every_field:
                field.try_again()

    @property
    def _sender(self) -> _Form:
        """The part that tells something."""
        form = self.sender()
        return form if isinstance(form, _Form) else self._form

    def _on_typed(self, name: str, about: str, text: str) -> None:
        dossier = self._project.dossier
        known = dossier.entries if not about else dossier.columns.get(about, {})
        # What is typed is told when the field is left, maybe for another part.
        entry, field = known.get(name), self._sender.fields[name, about]
        if text == (entry.text if entry else "") or not self._may(field, text):
            return
        op = ops.enter(name, self._entry(text), *filter(None, (about,)))
        self.decided.emit(op, tr("enter a text of the dossier"))

    def _on_typed_for_all(self, name: str, text: str) -> None:
        """Enter a text for every column of which nothing is said yet."""
        field = self._sender.of_all[name]
        if not text or not self._may(field, text):
            return
        field.field.clear()
        columns = columns_of(self._project, name)
        said = self._project.dossier.columns
        left = [each for each in columns if name not in said.get(each, {})]
        if left:
            label = tr("enter a text for {n:column|columns}", n=len(left))
            self.decided.emit(ops.enter(name, self._entry(text), *left), label)

    def _on_waived(self, item: int, text: str) -> None:
        entry = self._project.dossier.not_applying.get(item)
        field = self._sender.waivers[item]
        if text == (entry.text if entry else "") or not self._may(field, text):
            return
        op = ops.call_not_applying(item, self._entry(text))
        self.decided.emit(op, tr("say that an item does not apply"))

    def _on_test(self, fields: dict[str, str]) -> None:
        form = self._form.intruder
        assert form is not None, "it has just been filled in"
        try:
            op = record_test(self.by.text(), fields)
        except ConfigError as error:
            form.show_problem(error)
            return
        form.show_problem(None)
        form.clear()
        self.decided.emit(op, tr("record an intruder test"))

    def _on_test_taken_back(self, place: int) -> None:
        self.decided.emit(take_back_test(place), tr("take back an intruder test"))

    def _on_regime(self, _place: int) -> None:
        op = ops.change_dossier(regime=self.regime.current or None)
        self.decided.emit(op, tr("choose the front sheet"))

    def _on_edition(self, _place: int) -> None:
        op = ops.change_dossier(edition=self.edition.current or None)
        self.decided.emit(op, tr("choose the edition"))


_MARKS = {"complete": "✓", "missing": "", "does_not_apply": "–", "not_known": "…"}
"""What stands before an item, by its state."""

_DECISIVE = ("D2", "D3", "D5", "D6", "D11")


def _part_texts(name: str, found: Completeness) -> tuple[str, str]:
    missing = found.missing_first_in(name)
    n_missing = len(missing)
    elsewhere = dict.fromkeys(e.item.sections[0] for e in found.missing_in(name))
    later = any(
        each.state == "not_known" and name in each.item.sections for each in found.items
    )
    # A figure space for the digit that it lacks: all names begin in one line.
    words = f"{name:\u2007<3}  {tr(SECTIONS[name])}"
    mark = "…" if later else "✓"
    n_unsigned = sum(each.lacks_signature for each in missing)
    if n_unsigned == n_missing > 0:
        return words, tr("{n} not signed", n=n_missing)
    if not n_missing and elsewhere:
        places = ", ".join(elsewhere)
        return words, tr("in {parts}", parts=places)
    return words, str(n_missing) if n_missing else mark


class _Form(QWidget):
    """Items of one part with their fields."""

    typed = Signal(str, str, str)
    typed_for_all = Signal(str, str)
    waived = Signal(int, str)

    def __init__(self, part: str, project: Project, columns: tuple[str, ...]) -> None:
        super().__init__()
        self.columns, self._project = columns, project
        self.fields: dict[Place, TextRow] = {}
        self.waivers: dict[int, TextRow] = {}
        self.of_all: dict[str, TextRow] = {}
        self._heads: dict[int, Label] = {}
        self._elsewhere: dict[str, Caption] = {}
        self.intruder: IntruderForm | None = None
        self._of_columns: list[tuple[QVBoxLayout, str, str]] = []
        widgets: list[QWidget] = []
        for item in ITEMS:
            if item.sections[0] == part:
                widgets += self._item(item, project)
        also = [each for each in ITEMS if part in each.sections[1:]]
        if also:
            names = ", ".join(f"{e.number}. {tr(e.title)}" for e in also)
            words = Caption(tr("Also counts here: {items}.", items=names))
            widgets.append(words)
        body = holder(column(*widgets, None, spacing=8))
        self.setLayout(column(scrolling(body)))
        self._turns = InTurns(self)
        self._turns.begin(self._fields_in_pieces())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._of_columns and not self._turns.is_busy:
            self._turns.begin(self._fields_in_pieces())

    def _fields_in_pieces(self) -> Iterator[None]:
        """Make the fields of the columns, of many some in each turn while it is seen.

        PERF: what is made unseen would be styled all at once later.
        """
        while self._of_columns:
            some = self._of_columns[:FIELDS_IN_TURN]
            del self._of_columns[:FIELDS_IN_TURN]
            for box, of_box in groupby(some, key=itemgetter(0)):
                block: Block[TextRow] = Block(column(spacing=8))
                for _, name, each in of_box:
                    block.add(self._field(name, each, each))
                with laid_out_later(box.parentWidget()):
                    box.addWidget(block)
                    show_new(box)
            if not self.isVisible():
                return
            yield

    def _item(self, item: Item, project: Project) -> Iterable[QWidget]:
        head = self._heads[item.number] = Label("", "section", wrap=True)
        yield head
        if not item.needs:
            yield Caption(tr("The program states it by itself."))
        for name in item.needs:
            if name in ELSEWHERE:
                self._elsewhere[name] = Caption()
                yield self._elsewhere[name]
            elif name in OF_COLUMNS:
                yield Caption(tr(NEEDS[name]))
                of_all = TextRow(
                    tr("All columns that are open"), tr("the same for each")
                )
                of_all.typed.connect(partial(self.typed_for_all.emit, name))
                self.of_all[name] = of_all
                yield of_all
                if columns := columns_of(project, name):
                    box = column(spacing=8)
                    yield holder(box)
                    self._of_columns += ((box, name, each) for each in columns)
            elif (name, "") not in self.fields:
                yield self._field(name, "", tr(NEEDS[name]))
            if name == "intruder":
                self.intruder = IntruderForm()
                yield self.intruder
        if item.number in MAY_NOT_APPLY:
            waiver = TextRow(tr("Does not apply, because"), tr("only with a reason"))
            waiver.typed.connect(partial(self.waived.emit, item.number))
            self.waivers[item.number] = waiver
            yield waiver

    @property
    def every_field(self) -> Iterable[TextRow]:
        """All that can be typed into."""
        parts = (self.fields, self.waivers, self.of_all)
        return [field for each in parts for field in each.values()]

    def _field(self, name: str, about: str, label: str) -> TextRow:
        is_shown = not about and f"dossier.entries.{name}.text" in SHOWN
        example = tr("stands in the public edition, too") if is_shown else ""
        found = self.fields[name, about] = TextRow(label, example)
        found.typed.connect(partial(self.typed.emit, name, about))
        self._show_entry(name, about)
        return found

    def _show_entry(self, name: str, about: str) -> None:
        dossier = self._project.dossier
        known = dossier.entries if not about else dossier.columns.get(about, {})
        entry = known.get(name)
        self.fields[name, about].show_text(entry.text if entry else "", entry)

    def show_states(self, project: Project, states: dict[int, ItemState]) -> None:
        """Show what is entered of each item, and by whom."""
        self._project, dossier = project, project.dossier
        for name, about in self.fields:
            self._show_entry(name, about)
        for number, waiver in self.waivers.items():
            said = dossier.not_applying.get(number)
            waiver.show_text(said.text if said else "", said)
        for number, head in self._heads.items():
            state = states[number].state
            title = f"{_MARKS[state]}  {number}. {tr(TITLES[number])}".strip()
            if state == "not_known":
                title = tr("{item}: not known before a release", item=title)
            elif states[number].lacks_signature:
                title = tr("{item}: entered, not signed", item=title)
            elif state == "missing":
                title = tr("{item}: open", item=title)
            head.setText(title)
            show_if(head, True)
        missing = {name for each in states.values() for name in each.missing}
        unsigned = {name for each in states.values() for name in each.unsigned}
        applying = {
            name
            for each in states.values()
            if each.state != "does_not_apply"
            for name in each.item.needs
        }
        for name, words in self._elsewhere.items():
            place, what = tr(ELSEWHERE[name]), tr(NEEDS[name])
            if name not in applying:
                words.setText(tr("– {what}: the item does not apply", what=what))
            elif name in unsigned:
                words.setText(
                    tr("{what}: not signed ({place}).", what=what, place=place)
                )
            elif name in missing:
                words.setText(tr("{what}: say it in {place}.", what=what, place=place))
            else:
                words.setText(tr("✓ {what}: stated in {place}", what=what, place=place))
