"""The question who is protected: each row, or the people whom rows belong to."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QRadioButton, QSizePolicy, QWidget

from deidgui.app.charts.formats import count_text
from deidgui.app.loaded import Loaded
from deidgui.app.project import Project
from deidgui.app.stated import doubt_of_rows
from deidgui.engine.detect.keys import KeyProposal
from deidgui.qt.column_words import reason_words, words
from deidgui.qt.widgets import (
    Button,
    Card,
    ComboBox,
    GlyphLabel,
    Label,
    column,
    holder,
    row,
    show_if,
)
from deidgui.text import escaped, tr

INDENT = 26
"""Pixels by which what belongs to an answer stands under it."""


MARGIN = 12
"""Pixels around the question."""


class ProtectedCard(Card):
    """Asks who is protected; nothing is chosen until a person has answered.

    Attributes
    ----------
    answered : Signal of (str or None)
        The column that says to whom a row belongs; None if each row is a person.
    """

    answered = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(margin=MARGIN, parent=parent)
        # Nothing of it is cut off where the page is low.
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.rows = QRadioButton(tr("Each row is one person"))
        self.people = QRadioButton(tr("Rows belong to people, by the column"))
        self.key = ComboBox(name=tr("Column that says to whom a row belongs"))
        self.key.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToContents)
        self._answers = QButtonGroup(self)
        for button in (self.rows, self.people):
            self._answers.addButton(button)
        self._evidence = Label("", "caption", "muted", wrap=True)
        evidence = row(INDENT, self._evidence, spacing=0)
        evidence.setStretch(1, 1)
        self._question = holder(
            column(
                self.rows,
                row(self.people, self.key, None),
                evidence,
                spacing=6,
            )
        )
        self._said = Label("", "body", wrap=True)
        # One line is no higher for it than the button; two keep off the border.
        self._said.setContentsMargins(0, 6, 0, 6)
        self._change = Button(tr("Change"), "link", clicked=self._on_change)
        self._sign = GlyphLabel("check", "success")
        line = row(self._sign, self._said, self._change)
        line.setStretch(1, 1)
        self._answer = holder(line)
        self.add(self._answer)
        self.add(self._question)
        self._keys: dict[str, KeyProposal] = {}
        self._project = Project()
        self._loaded: Loaded | None = None
        self._is_open = True
        self.rows.clicked.connect(self._on_answered)
        self.people.clicked.connect(self._on_answered)
        self.key.activated.connect(self._on_key_chosen)

    def show_project(self, project: Project, loaded: Loaded) -> None:
        """Show the question, or what was answered."""
        self._keys = {each.column: each for each in loaded.keys}
        others = (a.name for a in project.attributes if a.name not in self._keys)
        self._fill([*self._keys, *others], project.key)
        if project.unit is None or project.unit != self._project.unit:
            self._is_open = project.unit is None
        self._project, self._loaded = project, loaded
        self._show()

    def _fill(self, names: Sequence[str], key: str | None) -> None:
        """Offer columns, the likeliest first; what was pointed at stays."""
        known = [self.key.itemText(place) for place in range(self.key.count())]
        chosen = key or (self.key.current if known == names else "")
        if known != names:
            self.key.clear()
            for name in names:
                self.key.addItem(escaped(name), name)
        if chosen in names:
            self.key.set_current(chosen)

    def _show(self) -> None:
        project = self._project
        unit = project.unit
        show_if(self._question, self._is_open)
        show_if(self._answer, not self._is_open)
        outer = self.layout()
        assert outer is not None, "a card has one"
        # An answer is one line, with a button that is higher than it.
        above = MARGIN if self._is_open else 0
        outer.setContentsMargins(MARGIN, above, MARGIN, above)
        title = tr("Who is protected?") if self._is_open else ""
        lead = tr("Risks, thresholds and limits are counted in people.")
        self.set_title(title, lead if title else "")
        self._answers.setExclusive(False)
        self.rows.setChecked(unit is not None and unit.kind == "row")
        self.people.setChecked(unit is not None and unit.kind == "key")
        self._answers.setExclusive(True)
        self._evidence.setText(self._words_of(self.key.current))
        if unit is not None:
            doubt = doubt_of_rows(unit, tuple(self._keys.values()))
            sign = ("warning", "warning") if doubt else ("check", "success")
            self._sign.set_glyph(*sign)
            words = (doubt or self._answer_words(), self._key_words())
            self._said.setText(" ".join(filter(None, words)))

    def _words_of(self, name: str) -> str:
        found = self._keys.get(name)
        if found is None:
            return tr("Nothing speaks for this column as a number of people.")
        if found.each_row_is_one:
            return " ".join(map(reason_words, found.reasons))
        sizes = (tr("1 row"), tr("2–5 rows"), tr("6–20 rows"), tr("more"))
        bins = zip(sizes, found.rows_per_value, strict=True)
        spread = " · ".join(f"{rows}: {count_text(n)}" for rows, n in bins if n)
        words = " ".join(map(reason_words, found.reasons))
        return tr("{words} Values that have {spread}.", words=words, spread=spread)

    def _answer_words(self) -> str:
        key = self._project.key
        if key is None:
            return tr("Each row is protected as one person.")
        found, loaded = self._keys.get(key), self._loaded
        if loaded is not None and loaded.effects:
            return tr(
                "The people of “{key}” are protected: {people:person|people} in "
                "{rows:row|rows} of the prepared table.",
                key=key,
                people=count_text(loaded.effects[-1].people_after or 0),
                rows=count_text(loaded.effects[-1].rows_after),
            )
        if found is None or loaded is None:
            return tr("The people of “{key}” are protected.", key=key)
        return tr(
            "The people of “{key}” are protected: {people:person|people} in "
            "{rows:row|rows}.",
            key=key,
            people=count_text(found.n_values),
            rows=count_text(loaded.table.n_rows),
        )

    def _key_words(self) -> str:
        """Say what is released of the column that tells people apart."""
        key = self._project.key
        names = (each.name for each in self._project.attributes)
        if key is None or key not in names:
            return ""
        attribute = self._project.attribute(key)
        treatment = attribute.treatment
        if not attribute.confirmed and treatment is not None:
            return tr(
                "What becomes of “{key}” itself is asked in Attributes; proposed: "
                "{treatment}.",
                key=key,
                treatment=words(treatment),
            )
        if treatment == "pseudonym":
            return tr(
                "A pseudonym of “{key}” is released, which ties a person's rows "
                "together.",
                key=key,
            )
        if treatment == "remove":
            return tr("“{key}” itself is removed.", key=key)
        return ""

    def _on_change(self) -> None:
        self._is_open = True
        self._show()

    def _on_answered(self) -> None:
        self._is_open = False
        self.answered.emit(self.key.current if self.people.isChecked() else None)

    def _on_key_chosen(self) -> None:
        self._evidence.setText(self._words_of(self.key.current))
        if self.people.isChecked():
            self._on_answered()
