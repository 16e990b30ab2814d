"""A handful of kinds of policies, each with one example, to begin a choice with."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QVBoxLayout, QWidget

from deidgui.qt.theme import tokens
from deidgui.qt.widgets import Caption, Label, clear, show_if
from deidgui.text import tr


class ClusterTile(QAbstractButton):
    """One kind of policies: how many, what they do, one example.

    Parameters
    ----------
    title : str
        How many there are.
    words : str
        What they do.
    example : str
        The policy nearest to the middle of them, in words; empty for none.
    """

    def __init__(
        self, title: str, words: str, example: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setProperty("focus_ring", True)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
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
        self.setAccessibleName(". ".join(x for x in (title, words, example) if x))

    def sizeHint(self) -> QSize:
        layout = self.layout()
        assert layout is not None
        return layout.sizeHint()

    def minimumSizeHint(self) -> QSize:
        return QSize(120, 40)

    def hasHeightForWidth(self) -> bool:
        return True

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


class ClusterList(QWidget):
    """All kinds below one another; the first tile stands for all policies.

    Attributes
    ----------
    cluster_chosen : Signal of int
        Number of the kind; -1 for all policies.
    """

    cluster_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tiles: list[ClusterTile] = []
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(8)
        self._tiles = QVBoxLayout()
        self._tiles.setSpacing(8)
        self._box.addLayout(self._tiles)
        self._box.addStretch(1)
        self.setAccessibleName(tr("Kinds of policies"))

    @property
    def current(self) -> int:
        """Number of the chosen kind; -1 for all."""
        checked = [place for place, each in enumerate(self.tiles) if each.isChecked()]
        return checked[0] - 1 if checked else -1

    def show_clusters(
        self, n_policies: int, clusters: list[tuple[int, str, str]]
    ) -> None:
        """Show other kinds, with all policies chosen.

        Parameters
        ----------
        clusters : list of (int, str, str)
            Number of policies, what they do, one example.
        """
        clear(self._tiles)
        words = tr("All {n:,} policies") if n_policies != 1 else tr("One policy")
        words = words.format(n=n_policies)
        self.tiles = [ClusterTile(words, "", "")]
        for place, (n, what, example) in enumerate(clusters, start=1):
            share = (
                tr("Kind {number}: {n:,} policies")
                if n != 1
                else tr("Kind {number}: one policy")
            )
            text = tr("For example {words}", words=example)
            title = share.format(number=place, n=n)
            self.tiles.append(ClusterTile(title, what, text if example else ""))
        for place, tile in enumerate(self.tiles):
            tile.setAutoExclusive(True)
            tile.clicked.connect(partial(self._on_clicked, place - 1))
            self._tiles.addWidget(tile)
        self.tiles[0].setChecked(True)

    def _on_clicked(self, kind: int, _is_checked: bool = False) -> None:
        self.cluster_chosen.emit(kind)
