"""The risk if an adversary knows any few of the quasi-identifiers."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLayout, QWidget

from deidgui.app.power.risk import BlockChoice, PowerRisk, power_words
from deidgui.app.project import AttributesKnown
from deidgui.qt.pages.block_sizes import BlockSizes
from deidgui.qt.widgets import (
    Button,
    Callout,
    Caption,
    Card,
    CheckList,
    Columns,
    ComboBox,
    Label,
    ProgressCard,
    SpinBox,
    TextTable,
    column,
    duration_words,
    holder,
    row,
    show_if,
    wrapping,
)
from deidgui.text import share_text, tr

EVERY = "every"
"""Choice of the block size that measures every set."""

MOST_ROWS = 50

LEAST_HEIGHT, MOST_HEIGHT = 160, 200
"""Pixels of a list of attributes, and of one that is whole then; for letters × 1."""


def _held(layout: QLayout) -> QWidget:
    found = QWidget()
    found.setLayout(layout)
    return found


class KnownPane(QWidget):
    """What is known, how it is measured, and what was found.

    Attributes
    ----------
    estimate_wanted, measure_wanted : Signal of AttributesKnown
    stop_wanted : Signal
    decided : Signal of AttributesKnown or None
        The evidence shall state it, or not.
    """

    estimate_wanted = Signal(object)
    measure_wanted = Signal(object)
    stop_wanted = Signal()
    decided = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._names: tuple[str, ...] = ()
        self._groups: tuple[tuple[str, ...], ...] = ()
        self.known = SpinBox(1, 64, 2, name=tr("Attributes known"))
        self.always, self.together = (
            CheckList(name, tr("Search a column"), LEAST_HEIGHT, most=MOST_HEIGHT)
            for name in (tr("Always known"), tr("Known together"))
        )
        self.group = Button(tr("Count these as one"), clicked=self._group)
        self.grouped = Label("", wrap=True)
        self.ungroup = Button(tr("Undo groups"), "link", clicked=self._ungroup)
        self.blocks = ComboBox(name=tr("Sets that are measured"))
        self.blocks.setMinimumWidth(330)
        self.estimate = Button(tr("Compare sizes"), clicked=self._estimate)
        self.sizes = BlockSizes()
        self.start = Button(
            tr("Measure the risk"), "primary", glyph="risk", clicked=self._measure
        )
        self.progress = ProgressCard(tr("Measuring sets of attributes"), False)
        self.progress.cancel_clicked.connect(self.stop_wanted)
        self.stale = Callout()
        self.words = Label("", wrap=True)
        heads = (tr("Set"), tr("Highest"), tr("Average"), tr("At risk"))
        self.table = TextTable(
            tr("Riskiest sets of attributes"), heads, numbers=(1, 2, 3)
        )
        self.state_it = Button(tr("State it in the report"), clicked=self._decide)
        self.leave_out = Button(
            tr("Leave it out of the report"), clicked=self._take_back
        )
        self._build()
        self._show_choices(())
        self.known.valueChanged.connect(self._on_other_power)
        self.always.changed.connect(self._on_other_power)
        self.show_found(None)
        self.set_progress(None)

    def _build(self) -> None:
        card = Card(
            tr("Attributes known"),
            tr(
                "An adversary often knows a few attributes of a person, not all of "
                "them. Which ones is not known: the riskiest set counts."
            ),
        )
        words = Label(tr("Attributes known"), "body", "muted")
        sets = Label(tr("Sets"), "body", "muted")
        power, measured = (words, self.known), (sets, self.blocks)
        card.add(wrapping(power, measured, (self.estimate,)))
        card.add(self.sizes)
        always = column(
            Label(tr("Always known, besides"), "body", "muted"), self.always, None
        )
        hint = Label(tr("Known together (they count as one)"), "body", "muted")
        buttons = holder(row(self.group, (self.grouped, 1), self.ungroup))
        together = column(hint, self.together, buttons, None)
        card.add(Columns([(_held(always), 1), (_held(together), 1)]))
        card.add(wrapping((self.start,), (self.state_it,), (self.leave_out,)))
        card.add(self.progress)
        card.add(self.stale)
        self._found = QWidget()
        note = Caption(
            tr(
                "Suppressed records show nothing and are left out. Blocks hold every "
                "set, so that their risk is never too low."
            )
        )
        self._found.setLayout(column(self.words, self.table, note, spacing=12))
        card.add(self._found)
        self.setLayout(column(card, None, spacing=16))

    # -- showing -------------------------------------------------------------------

    def show_state(self, names: Sequence[str], decided: AttributesKnown | None) -> None:
        """Show the quasi-identifiers and what is decided."""
        if tuple(names) != self._names:
            self._names = tuple(names)
            always = decided.always if decided else ()
            self.always.set_texts(self._names, always)
            self.known.setMaximum(max(1, len(self._names)))
            self.together.set_texts(self._names)
            self._groups = ()
            if decided is not None:
                self.known.set_value(decided.known)
        if decided is not None:
            self._groups = decided.groups
        self._show_groups()
        show_if(self.leave_out, decided is not None)

    def show_choices(self, found: Sequence[BlockChoice]) -> None:
        """Offer sizes of blocks, with the time that they should take."""
        self._show_choices(found)
        self.sizes.show_sizes(found)

    def _show_choices(self, found: Sequence[BlockChoice]) -> None:
        was_blocked = self.blocks.blockSignals(True)
        self.blocks.clear()
        for each in found:
            key = EVERY if each.size == found[0].size else str(each.size)
            words = tr("every set ({n})", n=each.n_sets)
            if key != EVERY:
                words = tr("{n:block|blocks} of {size}", n=each.n_sets, size=each.size)
            time = duration_words(each.seconds)
            self.blocks.addItem(tr("{words}, {time}", words=words, time=time), key)
            if each.is_usual:
                self.blocks.setCurrentIndex(self.blocks.count() - 1)
        if not found:
            self.blocks.addItem(tr("every set"), EVERY)
            self.sizes.show_sizes(())
        self.blocks.blockSignals(was_blocked)

    def show_found(
        self, found: PowerRisk | None, of: str = "", *, is_stale: bool = False
    ) -> None:
        """Show what was measured; None where nothing was.

        Parameters
        ----------
        of : str, optional
            What was measured: the data, or what a policy releases.
        """
        show_if(self._found, found is not None)
        show_if(self.stale, found is not None and is_stale)
        self.stale.show_words(
            tr("These figures are based on earlier decisions."),
            "warning",
            tr("Measure them again to bring them up to date."),
        )
        if found is None:
            return
        risks = found.risks
        rows = [
            (
                tr("Any of them"),
                found.highest,
                found.average,
                found.share_at_risk,
            )
        ]
        if found.at_least is not None:
            lower = found.at_least
            rows.append(
                (
                    tr("The true figure is at least"),
                    float(lower.highest.max()),
                    float(lower.average.max()),
                    float(lower.share_at_risk.max()),
                )
            )
        rows += [
            (
                ", ".join(found.names(at)),
                float(risks.highest[at]),
                float(risks.average[at]),
                float(risks.share_at_risk[at]),
            )
            for at in found.order[:MOST_ROWS].tolist()
        ]
        at_risk = tr("At risk: in classes of fewer than {n}.", n=found.size_at_risk)
        self.words.setText(f"{of} {power_words(found)} {at_risk}".strip())
        self.table.show_texts(
            [(name, *map(share_text, figures)) for name, *figures in rows]
        )
        self.table.keep_visible(min(len(rows), 10))

    def set_progress(self, fraction: float | None, elapsed_s: float = 0.0) -> None:
        """Show how far the job is; None when none runs."""
        show_if(self.progress, fraction is not None)
        for each in (self.start, self.estimate):
            each.setEnabled(fraction is None)
        if fraction is not None:
            self.progress.set_progress(fraction, "", elapsed_s)

    # -- asking --------------------------------------------------------------------

    def choice(self) -> AttributesKnown:
        """What is set now."""
        always = self.always.checked
        groups = tuple(e for e in self._groups if not set(e) & set(always))
        n_units = len(self._names) - len(always) - sum(len(e) - 1 for e in groups)
        known = min(self.known.value(), max(1, n_units))
        size = self.blocks.current
        return AttributesKnown(
            known=known,
            always=always,
            groups=groups,
            block_size=int(size) if size.isdigit() and int(size) > known else None,
        )

    def _show_groups(self) -> None:
        names = "; ".join(" + ".join(group) for group in self._groups)
        self.grouped.setText(names)
        show_if(self.ungroup, bool(self._groups))

    def _group(self) -> None:
        """Let the ticked attributes count as one, taken out of other groups."""
        ticked = self.together.checked
        if len(ticked) < 2:
            self.grouped.setText(tr("Tick two or more attributes first."))
            return
        left = (tuple(e for e in group if e not in ticked) for group in self._groups)
        self._groups = (*(group for group in left if len(group) > 1), ticked)
        self.together.set_texts(self._names)
        self._show_groups()
        self._on_other_power()

    def _ungroup(self) -> None:
        self._groups = ()
        self._show_groups()
        self._on_other_power()

    def _on_other_power(self, *_value: object) -> None:
        self._show_choices(())

    def _estimate(self) -> None:
        self.estimate_wanted.emit(self.choice())

    def _measure(self) -> None:
        self.measure_wanted.emit(self.choice())

    def _decide(self) -> None:
        self.decided.emit(self.choice())

    def _take_back(self) -> None:
        self.decided.emit(None)
