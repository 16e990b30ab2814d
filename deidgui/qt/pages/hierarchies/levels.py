"""The levels of a hierarchy side by side, and which of them the search may use."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFont,
    QFontMetrics,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QHBoxLayout,
    QMenu,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from deidgui.app.project import Attribute
from deidgui.app.tasks.hierarchies import Opened
from deidgui.qt import icons
from deidgui.qt.pages.hierarchies.words import level_sentence, level_title
from deidgui.qt.theme import tokens
from deidgui.qt.widgets import (
    Caption,
    ComboBox,
    IconButton,
    Label,
    clear,
    mark,
    row,
)

NARROWEST = 96
"""Pixels of a tile; more levels than fit are reached by scrolling."""


class LevelTile(QAbstractButton):
    """One level: its number, its name, how many groups, how many are too small."""

    menu_wanted = Signal(int, QPoint)

    def __init__(self, level: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.level = level
        self._title, self._figure, self._remark = "", "", ""
        self._is_allowed = True
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumWidth(NARROWEST)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_level(
        self, title: str, figure: str, remark: str, is_allowed: bool, hint: str
    ) -> None:
        """Show a level.

        Parameters
        ----------
        title, figure : str
        remark : str
            A warning in two words; empty for none.
        is_allowed : bool
            Whether the search may use the level.
        hint : str
            Tooltip, also for screen readers.
        """
        self._title, self._figure, self._remark = title, figure, remark
        self._is_allowed = is_allowed
        self.setToolTip(hint)
        self.setAccessibleName(
            self.tr("Level {level}, {title}, {figure}").format(
                level=self.level, title=title, figure=figure
            )
        )
        self.setAccessibleDescription(hint)
        self.update()

    def sizeHint(self) -> QSize:
        small = QFontMetrics(self._caption_font())
        body = self.fontMetrics()
        return QSize(NARROWEST, body.height() + 2 * small.height() + 20)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.setChecked(True)
        self.clicked.emit(True)
        self.menu_wanted.emit(self.level, event.globalPos())

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_ground(painter)
        colours = tokens().colours
        caption = self._caption_font()
        small, body = QFontMetrics(caption), self.fontMetrics()
        x, width = 10.0, self.width() - 20.0
        y = 7.0
        text = colours.text if self._is_allowed else colours.subtle
        head = self.tr("Level {level}").format(level=self.level)
        painter.setFont(caption)
        painter.setPen(QColor(colours.muted if self._is_allowed else colours.subtle))
        self._put(painter, head, QRectF(x, y, width, small.height()))
        if not self._is_allowed:
            square = QRectF(self.width() - 24, y, 14, 14)
            icons.paint_glyph(painter, "lock", square, "subtle")
        y += small.height() + 3
        bold = QFont(self.font())
        bold.setWeight(QFont.Weight.DemiBold)
        painter.setFont(bold)
        painter.setPen(QColor(text))
        self._put(painter, self._title, QRectF(x, y, width, body.height()))
        y += body.height() + 3
        painter.setFont(caption)
        self._paint_foot(painter, QRectF(x, y, width, small.height()))

    def _paint_foot(self, painter: QPainter, rect: QRectF) -> None:
        colours = tokens().colours
        painter.setPen(QColor(colours.muted if self._is_allowed else colours.subtle))
        self._put(painter, self._figure, rect)
        if not self._remark:
            return
        metrics = painter.fontMetrics()
        left = rect.left() + metrics.horizontalAdvance(self._figure) + 8
        if rect.right() - left < 30:
            left = rect.right() - 14
        square = QRectF(left, rect.center().y() - 7, 14, 14)
        icons.paint_glyph(painter, "warning", square, "warning")
        painter.setPen(QColor(colours.warning))
        room = QRectF(left + 17, rect.top(), rect.right() - left - 17, rect.height())
        if room.width() > 16:
            self._put(painter, self._remark, room)

    def _paint_ground(self, painter: QPainter) -> None:
        colours = tokens().colours
        rect = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        is_chosen = self.isChecked()
        line = colours.accent if is_chosen or self.hasFocus() else colours.line
        ground = colours.accent_soft if is_chosen else colours.surface
        if not is_chosen and self.underMouse():
            ground = colours.hover
        painter.setPen(QPen(QColor(line), 2 if self.hasFocus() else 1))
        painter.setBrush(QColor(ground))
        painter.drawRoundedRect(rect, 6, 6)

    def _caption_font(self) -> QFont:
        font = QFont(self.font())
        font.setPointSizeF(tokens().type.caption)
        return font

    def _put(self, painter: QPainter, text: str, rect: QRectF) -> None:
        shown = painter.fontMetrics().elidedText(
            text, Qt.TextElideMode.ElideRight, int(rect.width())
        )
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter, shown)


class LevelStrip(QWidget):
    """Tiles of all levels, a sentence on the chosen one, and the allowed range.

    Attributes
    ----------
    level_chosen : Signal of int
    limits_set : Signal of (int or None, int or None)
        Finest and coarsest level the search may use.
    level_added, level_removed : Signal of int
        A level is wanted there, or one shall go.
    """

    level_chosen = Signal(int)
    limits_set = Signal(object, object)
    level_added = Signal(int)
    level_removed = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._opened: Opened | None = None
        self._smallest = 1
        self.level = 0
        self._tiles = QWidget()
        self._tiles.setObjectName("scrolled")
        self._box = QHBoxLayout(self._tiles)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(6)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(self._tiles)
        self._area = area
        self._words = Caption()
        self.finest = ComboBox(name=self.tr("Finest level the search may use"))
        self.coarsest = ComboBox(name=self.tr("Coarsest level the search may use"))
        for combo in (self.finest, self.coarsest):
            mark(combo, size="small")
            combo.setMinimumWidth(96)
            combo.setMaximumWidth(210)
            combo.activated.connect(self._on_limits_chosen)
        self.menu_button = IconButton(
            "more", self.tr("Add or remove a level"), self._on_menu_clicked, small=True
        )
        limits = row(
            Label(self.tr("The search may use"), "caption", "muted"),
            self.finest,
            Label(self.tr("to"), "caption", "muted"),
            self.coarsest,
            None,
            self.menu_button,
            spacing=6,
        )
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(6)
        box.addWidget(area)
        box.addWidget(self._words)
        box.addLayout(limits)

    @property
    def tiles(self) -> list[LevelTile]:
        """The tiles from level 0 up."""
        return self._tiles.findChildren(LevelTile)

    @property
    def words(self) -> str:
        """The sentence on the chosen level."""
        return self._words.text()

    def show_levels(self, opened: Opened, attribute: Attribute, smallest: int) -> None:
        """Show the levels of a hierarchy.

        Parameters
        ----------
        opened : Opened
        attribute : Attribute
            With its limits.
        smallest : int
            Records that a group needs.
        """
        is_other = self._opened is None or self._opened.attribute != opened.attribute
        self._opened, self._smallest = opened, smallest
        height = opened.outline.height
        self.level = 0 if is_other else min(self.level, height)
        if is_other:
            self.level = min(1, height)
        if self._box.count() != height + 1:
            self._make_tiles(height + 1)
        low = attribute.minimum_level or 0
        high = height if attribute.maximum_level is None else attribute.maximum_level
        for tile in self.tiles:
            self._show_tile(tile, low <= tile.level <= high)
            tile.setChecked(tile.level == self.level)
        self._show_limits(low, min(high, height))
        self._words.setText(level_sentence(opened, self.level, smallest))

    def _make_tiles(self, number: int) -> None:
        clear(self._box)
        for level in range(number):
            tile = LevelTile(level, self._tiles)
            tile.clicked.connect(self._on_tile_clicked)
            tile.menu_wanted.connect(self._on_tile_menu)
            self._box.addWidget(tile)
        bar = self._area.horizontalScrollBar().sizeHint().height()
        room = 0 if number <= 6 else bar
        self._area.setFixedHeight(tile.sizeHint().height() + room)

    def _show_tile(self, tile: LevelTile, is_allowed: bool) -> None:
        opened = self._opened
        assert opened is not None
        outline, level = opened.outline, tile.level
        number = outline.n_nodes(level)
        words = (
            self.tr("{number:,} values") if level == 0 else self.tr("{number:,} groups")
        )
        if number == 1:
            words = self.tr("1 group")
        n_small = outline.n_small(level, self._smallest)
        remark = self.tr("{number:,} small").format(number=n_small) if n_small else ""
        hint = level_sentence(opened, level, self._smallest)
        if not is_allowed:
            hint += "\n" + self.tr("The search may not use this level.")
        title = level_title(opened, level)
        tile.show_level(title, words.format(number=number), remark, is_allowed, hint)

    def _show_limits(self, low: int, high: int) -> None:
        opened = self._opened
        assert opened is not None
        height = opened.outline.height
        for combo, first, last, current in (
            (self.finest, 0, high, low),
            (self.coarsest, low, height, high),
        ):
            combo.blockSignals(True)
            combo.clear()
            for level in range(first, last + 1):
                title = level_title(opened, level)
                combo.addItem(f"{level} · {title}", str(level))
            combo.blockSignals(False)
            combo.set_current(str(current))

    def choose(self, level: int) -> None:
        """Show the sentence of a level and mark its tile."""
        self.level = level
        for tile in self.tiles:
            tile.setChecked(tile.level == level)
        if self._opened is not None:
            self._words.setText(level_sentence(self._opened, level, self._smallest))

    def _on_tile_clicked(self) -> None:
        tile = self.sender()
        assert isinstance(tile, LevelTile)
        self.choose(tile.level)
        self.level_chosen.emit(tile.level)

    def _on_limits_chosen(self) -> None:
        assert self._opened is not None
        low, high = int(self.finest.current), int(self.coarsest.current)
        height = self._opened.outline.height
        self.limits_set.emit(low or None, high if high < height else None)

    # -- adding and removing levels ------------------------------------------------

    def _on_menu_clicked(self) -> None:
        corner = self.menu_button.rect().bottomLeft()
        self._on_tile_menu(self.level, self.menu_button.mapToGlobal(corner))

    def _on_tile_menu(self, level: int, position: QPoint) -> None:
        menu = self.make_menu(level)
        menu.popup(position)

    def make_menu(self, level: int) -> QMenu:
        """Menu of what can be done with a level."""
        assert self._opened is not None
        height = self._opened.outline.height
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        words = self.tr("Add a level above level {level}").format(level=level)
        add = menu.addAction(icons.icon("plus"), words)
        add.setEnabled(level < height)
        add.triggered.connect(lambda: self.level_added.emit(level + 1))
        words = self.tr("Remove level {level}").format(level=level)
        remove = menu.addAction(icons.icon("trash"), words)
        remove.setEnabled(0 < level < height)
        remove.triggered.connect(lambda: self.level_removed.emit(level))
        return menu
