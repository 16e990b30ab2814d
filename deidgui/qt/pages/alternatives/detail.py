"""One alternative in words, as in the paper's table 3, and in figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from deidgui.app.charts.formats import count_text, share_text
from deidgui.app.charts.plane import Flag
from deidgui.app.policies.alternatives import AlternativePolicies
from deidgui.qt import icons
from deidgui.qt.models.alternatives import expected_text, risk_text
from deidgui.qt.models.figures import FLAG_SIGNS, FLAG_TONES, flag_words
from deidgui.qt.widgets import (
    Badge,
    Button,
    Caption,
    Card,
    FlowLayout,
    GlyphLabel,
    Label,
    ReasonLabel,
    clear,
    row,
    show_if,
)
from deidgui.text import tr


@dataclass(frozen=True)
class PreferenceMet:
    """How far a policy meets a preference.

    Parameters
    ----------
    share : float in [0, 1]
        Of its values that are kept.
    """

    words: str
    share: float


class Table3(QWidget):
    """What each policy joins, by attribute: ∅ where nothing is joined."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(1, 1)
        self._grid.setColumnStretch(2, 1)

    def show_rows(self, heads: Sequence[str], rows: Sequence[tuple[str, ...]]) -> None:
        """Show one row per attribute.

        Parameters
        ----------
        heads : sequence of str
            Names of the policies.
        rows : sequence of tuple of str
            Attribute, then what each policy joins.
        """
        clear(self._grid)
        for place, text in enumerate(heads, start=1):
            self._grid.addWidget(Label(text, "caption", "muted"), 0, place)
        for at, (name, *texts) in enumerate(rows, start=1):
            top = Qt.AlignmentFlag.AlignTop
            self._grid.addWidget(Label(name, "strong"), at, 0, top)
            for place, text in enumerate(texts, start=1):
                cell = Label(text, "mono", wrap=True)
                if text == "∅":
                    cell.setAccessibleName(tr("nothing joined"))
                self._grid.addWidget(cell, at, place, top)


class AlternativePanel(Card):
    """The selected alternative.

    Attributes
    ----------
    use_wanted, keep_wanted, drop_wanted : Signal of int
        The alternative to be released, kept, or not kept any more.
    forget_wanted : Signal
        The alternative that is used shall not be used any more.
    """

    use_wanted = Signal(int)
    keep_wanted = Signal(int)
    drop_wanted = Signal(int)
    forget_wanted = Signal()
    compare_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(margin=14, parent=parent)
        self._number: int | None = None
        self._flags: tuple[Flag, ...] = ()
        self.set_title(tr("Selected policy"))
        self._badges = QWidget()
        FlowLayout(self._badges, 6)
        self.use_button = Button(
            tr("Use this policy"), "primary", "check", self._on_use
        )
        self.forget_button = Button(
            tr("Stop using it"), glyph="close", clicked=self.forget_wanted
        )
        self.keep_button = Button(tr("Keep"), glyph="pin", clicked=self._on_keep)
        self.compare_button = Button(
            tr("Compare"), "quiet", "compare", self.compare_wanted
        )
        self._reason = ReasonLabel()
        self.sentence = Label("", wrap=True)
        self.table = Table3()
        self.words = Label("", wrap=True)
        self._preferences = QGridLayout()
        self._preferences.setHorizontalSpacing(8)
        self._preferences.setVerticalSpacing(4)
        self._preferences.setColumnStretch(1, 1)
        self._figures = QGridLayout()
        self._figures.setHorizontalSpacing(10)
        self._figures.setVerticalSpacing(4)
        self._figures.setColumnStretch(2, 1)
        self.add(self._badges)
        self.add(self.use_button)
        self.add(self.forget_button)
        self.body.addLayout(row(self.keep_button, self.compare_button, None))
        self.add(self._reason)
        self.add(self.sentence)
        self.add(Label(tr("What is released together"), "strong"))
        self.add(self.table)
        self.body.addLayout(self._preferences)
        self.add(self.words)
        self.body.addLayout(self._figures)
        self.body.addStretch(1)
        self.setMinimumWidth(270)

    @property
    def number(self) -> int | None:
        """The alternative that is shown."""
        return self._number

    def show_alternative(
        self,
        discovered: AlternativePolicies,
        number: int,
        flags: tuple[Flag, ...],
        preferences: Sequence[PreferenceMet],
        rule: Sequence[str],
        *,
        rule_name: str,
        reason: str = "",
        keep_reason: str = "",
    ) -> None:
        """Show an alternative.

        Parameters
        ----------
        rule : sequence of str
            By attribute what the baseline joins; empty if there is none to show.
        reason : str
            Why it cannot be used; empty if it can.
        keep_reason : str
            Why it cannot be kept; empty if it can.
        """
        self._number, self._flags = number, flags
        is_used = Flag.CHOSEN in flags
        self._show_badges(discovered, number, flags)
        show_if(self.use_button, not is_used)
        show_if(self.forget_button, is_used)
        self.use_button.setEnabled(not reason)
        is_kept = Flag.KEPT in flags
        self.keep_button.setText(tr("Stop keeping") if is_kept else tr("Keep"))
        self.keep_button.setEnabled(is_kept or not keep_reason)
        self._reason.set_reason(reason or keep_reason, "warning")
        self.sentence.setText(risk_sentence(discovered, number))
        rows = discovered.table3_row(number)
        names = discovered.basis.attributes
        heads = [tr("This policy")]
        cells: list[tuple[str, ...]] = list(zip(names, rows, strict=True))
        if rule:
            heads.insert(0, rule_name)
            cells = list(zip(names, rule, rows, strict=True))
        self.table.show_rows(heads, cells)
        self.words.setText(discovered.words(number).replace("; ", "\n"))
        self._show_preferences(preferences)
        self._show_figures(discovered, number)

    def _show_badges(
        self, discovered: AlternativePolicies, number: int, flags: tuple[Flag, ...]
    ) -> None:
        layout = self._badges.layout()
        assert layout is not None
        clear(layout)
        for flag in flags:
            text = f"{FLAG_SIGNS[flag]} {flag_words(flag)}"
            layout.addWidget(Badge(text, FLAG_TONES[flag]))
        if discovered.alternatives[number].is_risk_minimal:
            badge = Badge(tr("as specific as the risk allows"), "success", "check")
            badge.setToolTip(
                tr("Taking any two values apart would exceed the allowed risk.")
            )
            layout.addWidget(badge)
        show_if(self._badges, layout.count() > 0)

    def _show_preferences(self, preferences: Sequence[PreferenceMet]) -> None:
        clear(self._preferences)
        for at, preference in enumerate(preferences):
            is_met = preference.share == 1
            glyph = GlyphLabel(
                "check-circle" if is_met else "dot",
                "success" if is_met else "subtle",
                icons.SMALL,
            )
            share = tr("kept") if is_met else share_text(preference.share)
            self._preferences.addWidget(glyph, at, 0)
            self._preferences.addWidget(Label(preference.words, wrap=True), at, 1)
            self._preferences.addWidget(Label(share, "strong"), at, 2)

    def _show_figures(self, discovered: AlternativePolicies, number: int) -> None:
        found = discovered.alternatives[number]
        basis = discovered.basis
        per_record = basis.per_record(found.risk)
        facts = (
            (
                tr("Risk"),
                risk_text(discovered, number),
                tr("of what is allowed"),
            )
            if basis.threshold is not None
            else (tr("Risk"), expected_text(found.risk), ""),
            (
                tr("For one record"),
                share_text(per_record),
                tr("chance of a correct link, on average"),
            ),
            (
                tr("Values joined"),
                count_text(found.n_joined),
                tr(
                    "of {n:,} of all columns",
                    n=sum(each.n_values for each in basis.space.domains),
                ),
            ),
            (
                tr("Information lost"),
                share_text(found.loss_share),
                tr("0 % keeps all, 100 % joins all"),
            ),
        )
        clear(self._figures)
        top = Qt.AlignmentFlag.AlignTop
        for at, (label, figure, words) in enumerate(facts):
            value = Label(figure, "strong")
            value.setAccessibleName(f"{label}: {figure} {words}")
            self._figures.addWidget(Label(label, "body", "muted"), at, 0, top)
            self._figures.addWidget(value, at, 1, top)
            self._figures.addWidget(Caption(words), at, 2)

    def _on_use(self) -> None:
        if self._number is not None:
            self.use_wanted.emit(self._number)

    def _on_keep(self) -> None:
        if self._number is not None:
            is_kept = Flag.KEPT in self._flags
            (self.drop_wanted if is_kept else self.keep_wanted).emit(self._number)


def risk_sentence(discovered: AlternativePolicies, number: int) -> str:
    """Say what the risk of an alternative is, against what is allowed."""
    basis, risk = discovered.basis, discovered.alternatives[number].risk
    if basis.threshold is None:
        words = tr(
            "All privacy models hold without a record suppressed; {risk} correct links "
            "are expected in {n:,} records.",
        )
        return words.format(risk=expected_text(risk), n=basis.n_records)
    words = tr(
        "{risk} correct links expected in {n:,} records; {limit} are allowed.",
    )
    return words.format(
        risk=expected_text(risk),
        n=basis.n_records,
        limit=expected_text(basis.threshold),
    )
