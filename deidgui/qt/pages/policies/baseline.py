"""What alternatives may be no riskier than, and what that means on this file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QLineEdit,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from deidgui.app.project import Discover, ElementChoice
from deidgui.qt import icons
from deidgui.qt.widgets import (
    Badge,
    Block,
    Button,
    Caption,
    Card,
    Collapsible,
    ComboBox,
    DecimalBox,
    ElidedLabel,
    GlyphLabel,
    InTurns,
    Label,
    ReasonLabel,
    SpinBox,
    column,
    field_row,
    holder,
    refilled,
    row,
    show_if,
)
from deidgui.qt.widgets.polish import discard, laid_out_later, show_new
from deidgui.text import tr

BASELINES = ("safe_harbor", "policy", "typed", "models")

ROWS_IN_TURN = 8
"""Quasi-identifiers shown in one turn. PERF: a new row takes 1.4 ms."""

UNKNOWN = ("…", False)
"""What the rule does, until it is known."""


class BaselineOption(QWidget):
    """One baseline: its name and one sentence."""

    def __init__(
        self, title: str, sentence: str, badge: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.button = QRadioButton(title)
        self.button.setAccessibleDescription(sentence)
        self._reason = ReasonLabel()
        head = row(self.button, spacing=8)
        if badge:
            head.addWidget(Badge(badge, "accent"))
        head.addStretch(1)
        words = column(Caption(sentence), self._reason, spacing=2)
        words.setContentsMargins(26, 0, 0, 0)
        self.setLayout(column(head, words, spacing=2))

    def set_reason(self, reason: str) -> None:
        """Say why it cannot be taken; empty if it can."""
        self._reason.set_reason(reason)
        self.button.setEnabled(not reason or self.button.isChecked())


class ElementRow(QWidget):
    """What one quasi-identifier is for the rule, and what the rule does to it.

    Attributes
    ----------
    decided : Signal of str, ElementChoice
        What the quasi-identifier of this name is wanted to be.
    """

    decided = Signal(str, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: tuple[str, ElementChoice] | None = None
        self._name = ElidedLabel("", "strong")
        self.kind = ComboBox(
            [
                ("age", tr("an age")),
                ("zip", tr("a ZIP code")),
                ("date", tr("a date")),
                ("other", tr("other (kept)")),
            ]
        )
        self.kind.activated.connect(self._on_kind)
        self.effect = Label("", "caption", wrap=True)
        self._details: QWidget | None = None
        head = row(self._name, self.kind)
        head.setStretch(0, 1)
        self._box = column(head, self.effect, spacing=4)
        self.setLayout(self._box)

    @property
    def name(self) -> str:
        """The quasi-identifier."""
        return self._shown[0] if self._shown is not None else ""

    def show_element(
        self, name: str, element: ElementChoice, words: str, is_changed: bool
    ) -> None:
        """Show what a quasi-identifier is, and in words what the rule does to it."""
        if (name, element) != self._shown:
            self._shown = name, element
            self._name.setText(name)
            self.kind.setAccessibleName(tr("What {name} is", name=name))
            self.kind.set_current(element.kind)
            self._show_details(name, element)
        self.effect.setText(words)
        self.effect.set_tone("" if is_changed else "muted")

    def _show_details(self, name: str, element: ElementChoice) -> None:
        if self._details is not None:
            self._box.removeWidget(self._details)
            discard(self._details)
            self._details = None
        if element.kind == "date":
            self._details = self._made_details(name, element)
            self._box.addWidget(self._details)

    def _made_details(self, name: str, element: ElementChoice) -> QWidget:
        """Fields that only a date needs."""
        shape = QLineEdit(element.date_format or "")
        shape.setPlaceholderText("YYYY-MM-DD")
        shape.setFixedWidth(110)
        shape.setAccessibleName(tr("How the dates of {name} are written", name=name))
        shape.editingFinished.connect(partial(self._on_format, shape))
        year = SpinBox(0, 2200, element.oldest_year or 0)
        year.setGroupSeparatorShown(False)
        year.setSpecialValueText(tr("no birth year"))
        words = tr(
            "Birth years up to this one mean age 90 or over. Enter 0 if {name} is not "
            "a birth date.",
            name=name,
        )
        year.setAccessibleName(words)
        year.setToolTip(words)
        year.editingFinished.connect(partial(self._on_year, year))
        return holder(row(shape, year, spacing=6))

    def _on_kind(self, _place: int) -> None:
        self._decide(ElementChoice(kind=self.kind.current))

    def _on_format(self, field: QLineEdit) -> None:
        if self._shown is not None:
            shape = field.text().strip() or None
            self._decide(self._shown[1].but(date_format=shape))

    def _on_year(self, field: SpinBox) -> None:
        if self._shown is not None:
            year = field.value() if field.value() >= 1800 else None
            self._decide(self._shown[1].but(oldest_year=year))

    def _decide(self, element: ElementChoice) -> None:
        if self._shown is not None and self._shown[1] != element:
            self.decided.emit(self._shown[0], element)


class ElementsTable(QWidget):
    """What each quasi-identifier is for the rule, and what the rule does to it.

    Attributes
    ----------
    decided : Signal of dict
        The elements that are wanted now.
    rows : dict of str to ElementRow
        By quasi-identifier, what is shown so far.
    """

    decided = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._elements: dict[str, ElementChoice] = {}
        self._blocks: list[Block[ElementRow]] = []
        self._turns = InTurns(self)
        self._box = column(spacing=4)
        self.setLayout(self._box)

    @property
    def rows(self) -> dict[str, ElementRow]:
        seen = (block for block in self._blocks if not block.isHidden())
        rows = (row for block in seen for row in block.parts if not row.isHidden())
        return {row.name: row for row in rows}

    def show_elements(
        self,
        elements: Mapping[str, ElementChoice],
        effects: Mapping[str, tuple[str, bool]],
    ) -> None:
        """Show the elements of the quasi-identifiers, of many some in each turn.

        Parameters
        ----------
        effects : mapping of str to (str, bool)
            By attribute, in words what the rule does, and whether that is anything.
        """
        self._elements = dict(elements)
        self._turns.begin(self._show_in_pieces(effects))

    def _show_in_pieces(
        self, effects: Mapping[str, tuple[str, bool]]
    ) -> Iterator[None]:
        every = [
            (n, each, *effects.get(n, UNKNOWN)) for n, each in self._elements.items()
        ]
        with laid_out_later(self):
            for place, block in enumerate(self._blocks):
                show_if(block, place * ROWS_IN_TURN < len(every))
        for place, first in enumerate(range(0, len(every), ROWS_IN_TURN)):
            if place or len(every) > ROWS_IN_TURN:
                yield
            self._show_block(place, every[first : first + ROWS_IN_TURN])

    def _show_block(
        self, place: int, shown: Sequence[tuple[str, ElementChoice, str, bool]]
    ) -> None:
        """Show the rows of a block, which are made when they are first needed."""
        if place == len(self._blocks):
            self._blocks.append(Block(column(spacing=4)))
            self._box.addWidget(self._blocks[place])
        block = self._blocks[place]
        with laid_out_later(block):
            for _ in range(len(block.parts), len(shown)):
                row = ElementRow()
                row.decided.connect(self._on_decided)
                block.add(row)
            for at, row in enumerate(block.parts):
                show_if(row, at < len(shown))
                if at < len(shown):
                    row.show_element(*shown[at])
            show_new(self._box)

    def _on_decided(self, name: str, element: ElementChoice) -> None:
        # A row of an earlier project is seen until its turn comes.
        if self._elements.get(name, element) != element:
            self.decided.emit({**self._elements, name: element})


class BaselineCard(Card):
    """The baseline and its settings.

    Attributes
    ----------
    decided : Signal of dict
        Fields of the project's `Discover` that the user changed.
    policy_chosen : Signal of int
        Of the policies offered, the one that shall be the baseline.
    """

    decided = Signal(object)
    policy_chosen = Signal(int)
    step_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(margin=12, parent=parent)
        self.set_title(
            tr("Baseline"),
            tr("Accept alternatives whose risk does not exceed:"),
        )
        self._discover = Discover()
        self.group = QButtonGroup(self)
        self.options: dict[str, BaselineOption] = {}
        for place, (key, texts) in enumerate(self._texts().items()):
            option = BaselineOption(*texts)
            self.group.addButton(option.button, place)
            self.options[key] = option
        self.group.idClicked.connect(self._on_option)
        self.elements = ElementsTable()
        self.elements.decided.connect(self._on_elements)
        self.policies = ComboBox((), tr("Policy that is the baseline"))
        self.policies.activated.connect(self.policy_chosen)
        self.typed = DecimalBox(
            0.0001, 1e9, 1.0, 0.0001, name=tr("Highest acceptable risk")
        )
        self.typed.valueChanged.connect(self._on_typed)
        self._models = Label("", wrap=True)
        self._to_models = Button(
            tr("Change the thresholds"), "link", clicked=self._on_models_wanted
        )
        self._build()

    def _texts(self) -> dict[str, tuple[str, str, str]]:
        return {
            "safe_harbor": (
                tr("Safe Harbor"),
                tr(
                    "The HIPAA rule applied to this file: ages over 89 as one value, "
                    "three digits of ZIP codes, years of dates."
                ),
                tr("usual"),
            ),
            "policy": (
                tr("A policy you chose or kept"),
                tr("The risk of that policy is the limit."),
                "",
            ),
            "typed": (
                tr("A risk you type"),
                tr("Expected number of links to the right person."),
                "",
            ),
            "models": (
                tr("Your privacy models"),
                tr(
                    "Policies that meet your thresholds without suppression, "
                    "whatever their risk."
                ),
                "",
            ),
        }

    def _build(self) -> None:
        self.census = ComboBox(
            [
                (year, tr("census of {year}", year=year))
                for year in ("2020", "2010", "2000")
            ],
            tr("Census that tells which ZIP code areas are small"),
        )
        self.census.activated.connect(self._on_census)
        self._census_row = holder(
            column(
                Caption(tr("ZIP code areas of at most 20,000 people by the")),
                row(self.census, None),
                spacing=4,
            )
        )
        self._parts: dict[str, QWidget] = {
            "safe_harbor": holder(column(self.elements, self._census_row, spacing=10)),
            "policy": holder(row(self.policies, None)),
            "typed": holder(
                column(
                    row(self.typed, None),
                    Caption(tr("correct links")),
                    spacing=4,
                )
            ),
            "models": holder(column(self._models, row(self._to_models, None))),
        }
        for key in BASELINES:
            self.add(self.options[key])
            part = self._parts[key]
            layout = part.layout()
            assert layout is not None
            layout.setContentsMargins(8, 0, 0, 4)
            self.add(part)
        self._build_margin()
        self.more = Collapsible(tr("How risk is counted"))
        self.gamma = DecimalBox(0.1, 10.0, 1.0, 0.1, name=tr("Exponent γ"))
        self.gamma.valueChanged.connect(self._on_gamma)
        self.more.body.addWidget(
            field_row(
                tr("Exponent γ"),
                holder(row(self.gamma, None)),
                tr(
                    "Each counts 1 divided by the number of people who share the "
                    "released values, to the power of γ. With 1 the sum is the "
                    "expected number of links to the right person; above 1 large "
                    "groups count less."
                ),
            )
        )
        self.add(self.more)

    def _build_margin(self) -> None:
        self.margin = DecimalBox(0.0, 90.0, 5.0, 0.5, name=tr("Margin in per cent"))
        self.margin.valueChanged.connect(self._on_margin)
        self._margin_row = field_row(
            tr("Margin (%)"),
            holder(row(self.margin, None)),
            tr(
                "An alternative must be this much less risky than the baseline. The "
                "numbers of people are not known exactly: without a margin another "
                "count of the same people could reverse the comparison."
            ),
        )
        self.add(self._margin_row)

    # -- showing -------------------------------------------------------------------

    def show_discover(
        self,
        discover: Discover,
        elements: Mapping[str, ElementChoice],
        effects: Mapping[str, tuple[str, bool]],
    ) -> None:
        """Show what is decided.

        Parameters
        ----------
        elements : mapping of str to ElementChoice
            Of every quasi-identifier, decided or proposed.
        effects : mapping of str to (str, bool)
            See `ElementsTable`.
        """
        self._discover = discover
        self.group.setExclusive(False)
        for key in BASELINES:
            self.options[key].button.setChecked(key == discover.baseline)
        self.group.setExclusive(True)
        for key, part in self._parts.items():
            show_if(part, key == discover.baseline)
        if discover.baseline == "safe_harbor":
            self.elements.show_elements(elements, effects)
        has_zip = any(each.kind == "zip" for each in elements.values())
        show_if(self._census_row, has_zip)
        self.census.set_current(discover.census)
        if discover.typed is not None:
            self.typed.set_value(discover.typed)
        self.gamma.set_value(discover.gamma)
        self.margin.set_value(100 * discover.margin)
        show_if(self._margin_row, discover.baseline in ("safe_harbor", "policy"))

    def show_policies(self, words: Sequence[str], current: int | None) -> None:
        """Offer policies that were chosen or kept.

        Parameters
        ----------
        current : int or None
            The one that is the baseline.
        """
        self.policies.clear()
        for text in words:
            self.policies.addItem(text)
        self.policies.setCurrentIndex(-1 if current is None else current)
        self.options["policy"].set_reason(
            "" if words else tr("No policy is chosen or kept yet.")
        )

    def show_models(self, words: Sequence[str]) -> None:
        """Name the privacy models of the project."""
        self._models.setText("\n".join(words))
        self.options["models"].set_reason(
            "" if words else tr("No threshold is decided yet.")
        )

    def propose_typed(self, risk: float) -> None:
        """Offer a number where none was typed."""
        if self._discover.typed is None:
            self.typed.set_value(risk)

    # -- deciding ------------------------------------------------------------------

    def _on_option(self, place: int) -> None:
        key = BASELINES[place]
        if key == self._discover.baseline:
            return
        if key == "policy":
            self.policy_chosen.emit(0)
        elif key == "typed":
            self.decided.emit({"baseline": key, "typed": self.typed.value()})
        else:
            self.decided.emit({"baseline": key})

    def _on_elements(self, elements: dict[str, ElementChoice]) -> None:
        self.decided.emit({"elements": elements})

    def _on_typed(self, risk: float) -> None:
        self._decide(typed=risk)

    def _on_gamma(self, gamma: float) -> None:
        self._decide(gamma=gamma)

    def _on_margin(self, margin_pct: float) -> None:
        self._decide(margin=round(margin_pct / 100, 6))

    def _on_census(self) -> None:
        self._decide(census=self.census.current)

    def _decide(self, **changes: Any) -> None:
        known = self._discover
        if any(getattr(known, name) != value for name, value in changes.items()):
            self.decided.emit(changes)

    def _on_models_wanted(self) -> None:
        self.step_wanted.emit("risk")


class BaselinePopulation(Card):
    """Whose records these are, and how well that is known."""

    population_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(margin=12, parent=parent)
        self.set_title(tr("Population"))
        self._glyph = GlyphLabel("people", "muted", icons.MEDIUM)
        self.sentence = Label("", "strong", wrap=True)
        self.meaning = Caption()
        self._remarks = QVBoxLayout()
        self._remarks.setSpacing(4)
        self.change = Button("", small=True, clicked=self.population_wanted)
        head = row(self._glyph, self.sentence, spacing=8)
        head.setStretch(1, 1)
        self.body.addLayout(head)
        self.add(self.meaning)
        self.body.addLayout(self._remarks)
        self.body.addLayout(row(self.change, None))
        self.remarks: tuple[str, ...] = ()

    def show_population(
        self, sentence: str, meaning: str, remarks: Sequence[str], *, is_known: bool
    ) -> None:
        """Say what is known about the people.

        Parameters
        ----------
        remarks : sequence of str
            What is estimated or assumed.
        is_known : bool
            Whether there is a population at all.
        """
        self.sentence.setText(sentence)
        self.meaning.setText(meaning)
        show_if(self.meaning, bool(meaning))
        self.change.setText(tr("Change") if is_known else tr("Choose a population"))
        self._glyph.set_glyph("people", "success" if is_known else "warning")
        if tuple(remarks) == self.remarks:
            return
        self.remarks = tuple(remarks)
        with refilled(self._remarks):
            for text in remarks:
                remark = row(GlyphLabel("info", "subtle", icons.SMALL), spacing=8)
                remark.setAlignment(Qt.AlignmentFlag.AlignTop)
                remark.addWidget(Caption(text), 1)
                self._remarks.addLayout(remark)
