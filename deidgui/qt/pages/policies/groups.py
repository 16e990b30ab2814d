"""Groups of similar policies, each named by what it keeps, with one example."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QGridLayout,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from deidgui.qt.theme import tokens
from deidgui.qt.widgets import Caption, InTurns, Label, show_if
from deidgui.qt.widgets.polish import laid_out_later, least_widths, show_new
from deidgui.text import escaped, tr

COLUMNS = 2
"""Tiles side by side where all of their words have room."""

TILES_IN_TURN = 5
"""New groups that are shown in one turn of the event loop."""


class GroupTile(QAbstractButton):
    """One group of policies: what they keep, how many they are, one example.

    Parameters
    ----------
    title : str
        What they keep.
    words : str
        How many there are, and what else they do.
    example : str
        What the best of them does otherwise than those of other groups.
    """

    def __init__(
        self, title: str, words: str, example: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setProperty("focus_ring", True)
        # As high as its lines at its width, not as they would be at another.
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        box = QVBoxLayout(self)
        box.setContentsMargins(12, 10, 12, 10)
        box.setSpacing(4)
        self._parts = [
            Label(title, "strong", wrap=True),
            Label(words, wrap=True),
            Caption(example),
        ]
        for part in self._parts:
            # Clicks are the button's.
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            show_if(part, bool(part.text()))
            box.addWidget(part)
        box.addStretch(1)
        self._name((title, words, example))

    def show_words(self, *texts: str) -> None:
        """Stand for another group: its title, words and example."""
        for part, text in zip(self._parts, texts, strict=True):
            if part.text() != escaped(text):
                part.setText(text)
                show_if(part, bool(text))
        self._name(texts)

    def _name(self, texts: Sequence[str]) -> None:
        self.setAccessibleName(". ".join(filter(None, texts)))

    def sizeHint(self) -> QSize:
        layout = self.layout()
        assert layout is not None
        return layout.sizeHint()

    def minimumSizeHint(self) -> QSize:
        """As wide as its longest word: a narrower text would get too few lines."""
        layout = self.layout()
        assert layout is not None
        return QSize(layout.minimumSize().width(), 40)

    def heightForWidth(self, width: int) -> int:
        layout = self.layout()
        assert layout is not None
        return layout.heightForWidth(width)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Walk with the arrow keys as in a list."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours = tokens().colours
        is_chosen = self.isChecked()
        basis = colours.accent_soft if is_chosen else colours.surface
        if self.underMouse() and not is_chosen:
            basis = colours.hover
        border = colours.accent if is_chosen else colours.line
        painter.setPen(QPen(QColor(border), 1.5 if is_chosen else 1))
        painter.setBrush(QColor(basis))
        rect = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        painter.drawRoundedRect(rect, 8, 8)


class GroupList(QWidget):
    """All groups as tiles; the first one stands for all policies.

    Attributes
    ----------
    group_chosen : Signal of int
        Number of the group; -1 for all policies.
    """

    group_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tiles: list[GroupTile] = []
        self._turns = InTurns(self)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(8)
        self._n_columns = COLUMNS
        self._grid.setColumnStretch(0, 1)
        self._grid.setColumnStretch(1, 1)
        self.setAccessibleName(tr("Groups of policies"))

    @property
    def current(self) -> int:
        """Number of the chosen group; -1 for all."""
        checked = [place for place, each in enumerate(self.tiles) if each.isChecked()]
        return checked[0] - 1 if checked else -1

    def show_groups(
        self,
        n_policies: int,
        groups: Sequence[tuple[str, str, str]],
        current: int,
        in_all: str = "",
    ) -> None:
        """Show other groups.

        Parameters
        ----------
        groups : sequence of (str, str, str)
            What the policies keep, how many they are with the figures of the best one,
            and what that one does.
        current : int
            The group that is chosen; -1 for all policies.
        in_all : str
            What the examples have in common.
        """
        words = tr("All {n:policy|policies}", n=n_policies)
        every = [(words, "", in_all), *groups]
        self._turns.begin(self._show_in_pieces(every, current))

    def _show_in_pieces(
        self, every: Sequence[tuple[str, str, str]], current: int
    ) -> Iterator[None]:
        """Show tiles, of new ones some in each turn."""
        for tile, texts in zip(self.tiles, every, strict=False):
            tile.show_words(*texts)
        self._remove_tiles(len(every))
        while missing := every[len(self.tiles) :]:
            with laid_out_later(self):
                for texts in missing[:TILES_IN_TURN]:
                    self._add_tile(GroupTile(*texts))
                show_new(self._grid)
                self._leave_rest()
            if len(missing) > TILES_IN_TURN:
                yield
        self._leave_rest()
        self.tiles[current + 1].setChecked(True)

    def minimumSizeHint(self) -> QSize:
        least = super().minimumSizeHint().height()
        return QSize(max(least_widths(self.tiles), default=0), least)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self._arrange()  # the words need another width than before
        return super().event(event)

    def _arrange(self) -> None:
        """Put the tiles side by side where they have room."""
        needed = COLUMNS * self.minimumSizeHint().width() + self._grid.spacing()
        n_columns = COLUMNS if self.width() >= needed else 1
        if n_columns == self._n_columns:
            return
        self._n_columns = n_columns
        self._grid.setColumnStretch(1, n_columns - 1)
        for tile in self.tiles:
            self._grid.removeWidget(tile)
        for place, tile in enumerate(self.tiles):
            self._place(tile, place)
        self._leave_rest()

    def _place(self, tile: GroupTile, place: int) -> None:
        n = self._n_columns
        if place:
            self._grid.addWidget(tile, *divmod(place - 1 + n, n))
        else:
            # All of them stand above the groups.
            self._grid.addWidget(tile, 0, 0, 1, n)

    def _leave_rest(self) -> None:
        """Leave the room below the tiles to no tile."""
        for row in range(self._grid.rowCount()):
            self._grid.setRowStretch(row, 0)
        n = self._n_columns
        self._grid.setRowStretch((len(self.tiles) + 2 * n - 2) // n, 1)

    def _add_tile(self, tile: GroupTile) -> None:
        place = len(self.tiles)
        tile.setAutoExclusive(True)
        tile.clicked.connect(partial(self._on_clicked, place - 1))
        self.tiles.append(tile)
        self._place(tile, place)

    def _remove_tiles(self, n_left: int) -> None:
        while len(self.tiles) > n_left:
            tile = self.tiles.pop()
            self._grid.removeWidget(tile)
            tile.hide()
            tile.deleteLater()

    def _on_clicked(self, group: int, _is_checked: bool = False) -> None:
        self.group_chosen.emit(group)
