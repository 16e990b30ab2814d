"""What each suppression limit and each group size costs, as a curve and a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from PySide6.QtCore import QSignalBlocker
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QWidget

from deidgui.app.charts.base import Axis, NumberTable
from deidgui.app.charts.curves import loss_by_k, loss_by_limit, loss_words
from deidgui.app.charts.formats import count_text
from deidgui.app.policies.candidate import differing_words, short_words
from deidgui.app.policies.lattice.keeping import kept_first_words, skipped_words
from deidgui.app.policies.lattice.policies import LatticePolicies
from deidgui.app.policies.lattice.trade_offs import (
    FEW_SIZES,
    LIMITS,
    TradeOffCurve,
    TradeOffs,
)
from deidgui.app.policies.lattice.what_if import group_size
from deidgui.qt.charts.frame import ChartFrame
from deidgui.qt.charts.lines import LineView
from deidgui.qt.models.figures import loss_axis, total_words
from deidgui.qt.theme import theme
from deidgui.qt.widgets import (
    Button,
    Callout,
    Caption,
    Card,
    Columns,
    InTurns,
    StatusLine,
    TextTable,
    column,
    holder,
    row,
    show_if,
)
from deidgui.text import Text, share_text, tr, unit_words

CHART_HEIGHT = 320
"""Pixels of a chart with its heading: a curve is seen with both axes."""


class TradeOffTable(TextTable):
    """Round values of one threshold, what they cost, and the policy that it buys."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        heads = ("", tr("Loss"), tr("Best policy"))
        super().__init__(name, heads, wide=2, numbers=(0, 1), wraps=True, parent=parent)
        self.places: list[int] = []
        self._numbers = NumberTable((), ())

    def show_rows(
        self,
        head: str,
        rows: Sequence[tuple[int, str, str, str]],
        now: int,
        numbers: NumberTable,
        loss_words: str,
    ) -> None:
        """Show other rows.

        Parameters
        ----------
        head : str
            What the first column is.
        rows : sequence of (int, str, str, str)
            Place on the curve, value, loss, policy.
        now : int
            Row of the present value; -1 if there is none.
        numbers : NumberTable
            What is copied.
        loss_words : str
            How the loss of the columns becomes a total.
        """
        self._numbers = numbers
        self.places = [place for place, *_texts in rows]
        self.setHorizontalHeaderLabels([head, tr("Loss"), tr("Best policy")])
        if loss_words and (heading := self.horizontalHeaderItem(1)) is not None:
            heading.setToolTip(loss_words)
        texts = [list(each) for _place, *each in rows]
        if now >= 0:
            texts[now][0] = tr("{value}  now", value=texts[now][0])
        self.show_texts(texts, bold=now)

    def show_place(self, place: int) -> None:
        """Select the row of a place of the curve; tells nobody."""
        rows = [at for at, each in enumerate(self.places) if each <= place]
        with QSignalBlocker(self):
            if rows:
                self.selectRow(rows[-1])

    def copy(self) -> None:
        """Put all rows on the clipboard as tab-separated text."""
        QGuiApplication.clipboard().setText(self._numbers.tsv())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        else:
            super().keyPressEvent(event)


class TradeOffCard(Card):
    """One threshold: its curve, and a table of round values beside it."""

    def __init__(
        self, title: str, lead: str, why_uneven: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(title, lead, parent=parent)
        self.uneven = Caption(f"{why_uneven} {kept_first_words(0)}")
        self.chart = ChartFrame(LineView())
        self._fit_chart()
        theme().changed.connect(self._fit_chart)
        self.table = TradeOffTable(title)
        copy = Button(tr("Copy the table"), "quiet", "copy", self.table.copy)
        self.head_actions.addWidget(copy)
        self.nothing = Caption(
            tr(
                "The last search can answer for the present value only: with a "
                "model that judges the release as a whole, every value needs a search "
                "of its own."
            )
        )
        drawn = holder(column(self.chart, None))
        self._columns = Columns([(drawn, 0), (self.table, 1)], stack_below=1000)
        for part in (self.uneven, self._columns, self.nothing):
            self.add(part)
        self.chart.view.stop_changed.connect(self.table.show_place)
        self.table.currentCellChanged.connect(self._on_row_changed)

    def _fit_chart(self) -> None:
        self.chart.setFixedHeight(round(CHART_HEIGHT * max(1.0, theme().text_scale)))

    def show_curve(
        self,
        chart: object,
        curve: TradeOffCurve,
        rows: Sequence[int],
        now: int | None,
        found: LatticePolicies,
    ) -> None:
        """Show the curve and some places of it as a table."""
        axis = loss_axis(found)
        is_shown = len(curve.at) > 1
        show_if(self._columns, is_shown)
        show_if(self.nothing, not is_shown)
        show_if(self.uneven, is_shown and bool(found.keeping) and _is_uneven(curve))
        if not is_shown:
            return
        self.chart.set_chart(chart)
        texts = [self._texts(curve, place, found, axis) for place in rows]
        head = self._value_title(curve, unit_words(found.by_person))
        numbers = NumberTable(
            (head, tr("Loss"), tr("Exact"), tr("Best policy")),
            tuple(
                (
                    float(curve.at[place]),
                    float(curve.loss[place]),
                    tr("yes") if curve.exact[place] else tr("at least"),
                    text[2],
                )
                for place, text in zip(rows, texts, strict=True)
            ),
        )
        runs = _runs(curve, rows, now)
        here = next((at for at, run in enumerate(runs) if rows[run[0]] == now), -1)
        nodes = [int(curve.nodes[rows[first]]) for first, _last in runs]
        words = _policy_words(found, nodes, [texts[first][2] for first, _last in runs])
        shown = [
            (rows[a], _run_words(texts[a][0], texts[b][0]), texts[a][1], policy)
            for (a, b), policy in zip(runs, words, strict=True)
        ]
        total = total_words(found.guiding, found.weights)
        self.table.show_rows(head, shown, here, numbers, total)
        for at, (first, _last) in enumerate(runs):
            if (item := self.table.item(at, 2)) is not None:
                item.setToolTip(texts[first][2])

    def _value_title(self, curve: TradeOffCurve, unit: str) -> str:
        words: Text = (
            "Suppressed {unit}, up to" if _is_limit(curve) else "Group size, {unit}"
        )
        return tr(words, unit=unit)

    def _texts(
        self, curve: TradeOffCurve, place: int, found: LatticePolicies, axis: Axis
    ) -> tuple[str, str, str]:
        at, loss = float(curve.at[place]), float(curve.loss[place])
        value = share_text(at) if _is_limit(curve) else count_text(round(at))
        node = int(curve.nodes[place])
        if node < 0 and curve.exact[place]:
            every = tr("No policy meets the thresholds.")
            some = tr("No policy compared meets the thresholds.")
            return value, "–", every if found.is_whole else some
        shown = loss_words(loss, axis)
        if node < 0:
            return value, f"≥ {shown}", tr("Not settled.")
        return value, shown, short_words(found.cells_at(node))

    def _on_row_changed(self, at: int, *_others: int) -> None:
        if 0 <= at < len(self.table.places) and self.chart.view.is_drawn:
            with QSignalBlocker(self.chart.view):
                self.chart.view.go_to(self.table.places[at])


class TradeOffsPane(QWidget):
    """What each threshold costs while the others stay as they are decided."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._turns = InTurns(self)
        self._shown: tuple[TradeOffs, LatticePolicies] | None = None
        self._waiting = StatusLine()
        self._part = Callout()
        self.by_limit = TradeOffCard(
            tr("Cost of the suppression limit"),
            tr(
                "Loss of the best policy for every limit on what may be "
                "suppressed. Everything else stays as it is decided."
            ),
            tr("Where the loss rises, a policy that removes less becomes possible."),
        )
        self.by_size = TradeOffCard(
            tr("Cost of the group size"),
            tr(
                "Loss of the best policy for every smallest group. Everything else "
                "stays as it is decided."
            ),
            tr(
                "Where the loss falls, no policy that removes as little meets the "
                "thresholds any more: the best one removes more, and loses less."
            ),
        )
        self.setLayout(
            column(
                row(self._waiting),
                *(self._part, self.by_limit, self.by_size),
                None,
                spacing=16,
            )
        )
        show_if(self._part, False)
        self._show_parts(False)

    def show_waiting(self, fraction: float, found: LatticePolicies) -> None:
        """Show that trade-offs are computed; those of fewer policies stay meanwhile."""
        words = tr("Computing the trade-offs")
        if is_kept := self._is_grown(found):
            words = tr("Adding the policies compared since")
        self._waiting.set_progress(words, fraction)
        show_if(self._waiting, True)
        self._show_parts(is_kept)

    def _is_grown(self, found: LatticePolicies) -> bool:
        """Whether what is shown is of fewer policies of the same search."""
        return self._shown is not None and found.is_same_answer(self._shown[1])

    def show_trade_offs(self, answer: TradeOffs, found: LatticePolicies) -> None:
        """Show what each threshold costs."""
        show_if(self._waiting, False)
        show_if(self._part, not answer.is_whole or found.n_skipped > 0)
        words = tr(
            "Of {all:policy|policies}, {shown:was|were} compared for these trade-offs.",
            shown=found.profile.n_checked,
            all=found.n_nodes,
        )
        rest = tr("Others may lose less, or meet lower limits.")
        if answer.is_whole:
            rest = skipped_words(found)
        elif found.complete:
            rest = tr(
                "None of the others is better at the present values; at other values "
                "one may lose less, or be the only one that meets them."
            )
        self._part.show_words(words, "info", rest)
        is_kept = self._is_grown(found)
        before, self._shown = self._shown, (answer, found)
        is_same = before is not None and before[0] is answer and before[1] is found
        if is_same and not self._turns.is_busy:
            self._show_parts(True)
            return
        # Nothing of another search stands beside what is of now.
        show_if(self.by_size, is_kept)
        self._turns.begin(self._show_curves(answer, found))

    def _show_curves(self, answer: TradeOffs, found: LatticePolicies) -> Iterator[None]:
        # Shown first: the rows of a table that is not seen are as for no width at all.
        show_if(self.by_limit, True)
        self._show_limits(answer.by_limit, found)
        yield
        show_if(self.by_size, True)
        self._show_sizes(answer.by_size, found)

    def _show_parts(self, is_shown: bool) -> None:
        for part in (self.by_limit, self.by_size):
            show_if(part, is_shown)

    def _show_limits(self, curve: TradeOffCurve, found: LatticePolicies) -> None:
        chart = loss_by_limit(
            curve.at,
            curve.loss,
            found.limit,
            exact=curve.exact,
            round_limits=LIMITS,
            loss_axis=loss_axis(found),
            notes=_notes(curve, found),
            of_people=found.by_person,
        )
        rows = curve.places((*LIMITS, found.limit))
        now = curve.place(found.limit)
        self.by_limit.show_curve(chart, curve, rows, now, found)

    def _show_sizes(self, curve: TradeOffCurve, found: LatticePolicies) -> None:
        k = group_size(found.models)
        chart = loss_by_k(
            curve.at.astype("int64"),
            curve.loss,
            k,
            exact=curve.exact,
            loss_axis=loss_axis(found),
            notes=_notes(curve, found),
            of_people=found.by_person,
        )
        now = curve.place(k)
        rows = curve.places((*FEW_SIZES, k))
        self.by_size.show_curve(chart, curve, rows, now, found)


def _is_uneven(curve: TradeOffCurve) -> bool:
    """Whether a threshold that allows more costs more somewhere."""
    change = np.diff(curve.loss[curve.nodes >= 0])
    return bool((change > 0 if _is_limit(curve) else change < 0).any())


def _run_words(first: str, last: str) -> str:
    if first == last:
        return first
    return tr("{first} to {last}", first=first, last=last)


def _policy_words(
    found: LatticePolicies, nodes: Sequence[int], texts: Sequence[str]
) -> Iterator[str]:
    """Say policies in a list: what differs from the one above; else its text."""
    above = None
    for node, text in zip(nodes, texts, strict=True):
        cells = found.cells_at(node) if node >= 0 else None
        yield text if cells is None else differing_words(cells, above)
        above = cells


def _is_limit(curve: TradeOffCurve) -> bool:
    return float(curve.at[0]) < 1


def _runs(
    curve: TradeOffCurve, rows: Sequence[int], now: int | None
) -> list[tuple[int, int]]:
    """First and last of the rows beside each other that say the same; now is alone."""
    runs: list[tuple[int, int]] = []
    said = None
    for at, place in enumerate(rows):
        loss = None if np.isnan(curve.loss[place]) else float(curve.loss[place])
        says = (int(curve.nodes[place]), loss, bool(curve.exact[place]), place == now)
        if says == said:
            runs[-1] = (runs[-1][0], at)
        else:
            runs.append((at, at))
        said = says
    return runs


def _notes(curve: TradeOffCurve, found: LatticePolicies) -> tuple[str, ...]:
    """The best policy at every place, in words."""
    words = {
        node: short_words(found.cells_at(node))
        for node in set(curve.nodes.tolist()) - {-1}
    }
    return tuple(words.get(node, "") for node in curve.nodes.tolist())
