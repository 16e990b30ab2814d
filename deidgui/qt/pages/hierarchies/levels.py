"""The levels of a hierarchy side by side."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFont,
    QFontMetrics,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QHBoxLayout,
    QMenu,
    QScrollArea,
    QSizePolicy,
    QWidget,
)

from deidgui.app.hierarchies.editing import InEditor
from deidgui.app.project import Attribute
from deidgui.qt import icons
from deidgui.qt.pages.hierarchies.words import (
    level_sentence,
    short_title,
    shortest_titles,
)
from deidgui.qt.theme import theme, tokens
from deidgui.qt.widgets import Caption, IconButton, column, row, show_if
from deidgui.text import tr

NARROWEST, WIDEST = 76, 148
"""Pixels that a tile needs at letters × 1; more than fit are reached by scrolling."""

MARGIN, TIGHT, GLYPH = 10, 6, 18
"""Pixels beside the words of a tile, also where they lack by a few, and of a mark."""


class LevelTile(QAbstractButton):
    """One level: its number, its name, how many groups, how many are too small."""

    menu_wanted = Signal(int, QPoint)
    letters_changed = Signal()
    margin = MARGIN

    def __init__(self, level: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.level = level
        self._title, self._shortest, self._figure, self._remark = "", "", "", ""
        self._is_allowed = True
        self._n_lines = 1
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumWidth(NARROWEST)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @property
    def shown_title(self) -> str:
        """The title, or its shortest form where the tile is too narrow for it."""
        room = self.width() - 2 * self.margin
        needed = min(self._widths(self._title)[: self._n_lines])
        return self._title if needed <= room else self._shortest

    @property
    def needed_width(self) -> int:
        """Pixels in which all of it can be read, its title on two lines."""
        small = QFontMetrics(self._caption_font())
        words = (
            min(self._widths(self._title)),
            small.horizontalAdvance(self._figure),
            small.horizontalAdvance(self._head()) + GLYPH * self._n_marks(),
        )
        scale = max(1.0, theme().text_scale)
        needed = min(max(words) + 2 * self.margin + 1, round(WIDEST * scale))
        return max(needed, NARROWEST)

    def fits_one_line(self, width: int) -> bool:
        """Whether the title needs no second line in a tile of some pixels."""
        return self._widths(self._title)[0] <= width - 2 * self.margin

    def set_lines(self, number: int) -> None:
        """Give the title one line or two."""
        self._n_lines = number
        self.setMinimumWidth(self.needed_width)
        self.updateGeometry()
        self.update()

    def _widths(self, title: str) -> tuple[int, int]:
        """Pixels that a title takes on one line, and on two."""
        metrics, words = QFontMetrics(self._title_font()), title.split()
        halves = [
            max(
                metrics.horizontalAdvance(" ".join(words[:at])),
                metrics.horizontalAdvance(" ".join(words[at:])),
            )
            for at in range(1, len(words))
        ]
        alone = metrics.horizontalAdvance(title)
        return alone, min([alone, *halves])

    def _head(self) -> str:
        return tr("Level {level}", level=self.level)

    def _n_marks(self) -> int:
        """Marks that may stand beside the number of the level."""
        return int(not self._is_allowed) + int(bool(self._remark))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.letters_changed.emit()

    def show_level(
        self,
        titles: tuple[str, str],
        figure: str,
        remark: str,
        is_allowed: bool,
        hint: str,
    ) -> None:
        """Show a level.

        Parameters
        ----------
        titles : tuple of str
            Its name, and its shortest form.
        remark : str
            A warning in two words; empty for none.
        is_allowed : bool
            Whether the search may use the level.
        hint : str
            Tooltip, also for screen readers.
        """
        self._title, self._shortest = titles
        self._figure, self._remark = figure, remark
        self._is_allowed = is_allowed
        self.setToolTip(hint)
        self.setAccessibleName(
            tr(
                "Level {level}, {title}, {figure}",
                level=self.level,
                title=self._title,
                figure=figure,
            )
        )
        self.setAccessibleDescription(hint)
        self.update()

    def sizeHint(self) -> QSize:
        small = QFontMetrics(self._caption_font())
        body = self.fontMetrics()
        high = self._n_lines * body.height() + 2 * small.height() + 20
        return QSize(NARROWEST, high)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.setChecked(True)
        self.clicked.emit(True)
        self.menu_wanted.emit(self.level, event.globalPos())

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_background(painter)
        colours = tokens().colours
        caption = self._caption_font()
        small, body = QFontMetrics(caption), self.fontMetrics()
        x, width = float(self.margin), self.width() - 2.0 * self.margin
        y = 7.0
        text = colours.text if self._is_allowed else colours.subtle
        painter.setFont(caption)
        painter.setPen(QColor(colours.muted if self._is_allowed else colours.subtle))
        self._put(painter, self._head(), QRectF(x, y, width, small.height()))
        if not self._is_allowed:
            square = QRectF(self.width() - 24, y, 14, 14)
            icons.paint_glyph(painter, "lock", square, "subtle")
        y += small.height() + 3
        painter.setFont(self._title_font())
        painter.setPen(QColor(text))
        for line in self._title_lines(round(width)):
            self._put(painter, line, QRectF(x, y, width, body.height()))
            y += body.height()
        y = self.height() - 7.0 - small.height()
        painter.setFont(caption)
        self._paint_foot(painter, QRectF(x, y, width, small.height()))

    def _title_lines(self, width: int) -> list[str]:
        """Words of the title by line, as many on the first one as fit."""
        title = self.shown_title
        metrics, words = QFontMetrics(self._title_font()), title.split()
        if self._n_lines == 1 or metrics.horizontalAdvance(title) <= width:
            return [title]
        at = 1
        while at < len(words) - 1 and (
            metrics.horizontalAdvance(" ".join(words[: at + 1])) <= width
        ):
            at += 1
        return [" ".join(words[:at]), " ".join(words[at:])]

    def _paint_foot(self, painter: QPainter, rect: QRectF) -> None:
        colours = tokens().colours
        painter.setPen(QColor(colours.muted if self._is_allowed else colours.subtle))
        self._put(painter, self._figure, rect)
        if not self._remark:
            return
        metrics = painter.fontMetrics()
        left = rect.left() + metrics.horizontalAdvance(self._figure) + 10
        needed = metrics.horizontalAdvance(self._remark) + 18
        if left + needed > rect.right():
            # Beside the lock, if there is one.
            left = rect.right() - 14 - (0 if self._is_allowed else GLYPH)
            square = QRectF(left, 8, 14, 14)
            icons.paint_glyph(painter, "warning", square, "warning")
            return
        square = QRectF(left, rect.center().y() - 7, 14, 14)
        icons.paint_glyph(painter, "warning", square, "warning")
        painter.setPen(QColor(colours.warning))
        self._put(
            painter, self._remark, rect.adjusted(left + 17 - rect.left(), 0, 0, 0)
        )

    def _paint_background(self, painter: QPainter) -> None:
        colours = tokens().colours
        rect = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        is_chosen = self.isChecked()
        line = colours.accent if is_chosen or self.hasFocus() else colours.line
        background = colours.accent_soft if is_chosen else colours.surface
        if not is_chosen and self.underMouse():
            background = colours.hover
        painter.setPen(QPen(QColor(line), 2 if self.hasFocus() else 1))
        painter.setBrush(QColor(background))
        painter.drawRoundedRect(rect, 6, 6)

    def _title_font(self) -> QFont:
        font = QFont(self.font())
        font.setWeight(QFont.Weight.DemiBold)
        return font

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
    """Tiles of all levels, and a sentence on the chosen one.

    Attributes
    ----------
    level_added, level_removed : Signal of int
        A level is wanted there, or one shall go.
    finest_set, coarsest_set : Signal of int
        The search shall use nothing finer, or coarser, than this level.
    """

    level_chosen = Signal(int)
    level_added = Signal(int)
    level_removed = Signal(int)
    finest_set = Signal(int)
    coarsest_set = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._opened: InEditor | None = None
        self._smallest = 1
        self.level = 0
        self._made: list[LevelTile] = []
        self._n_levels = 0
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
        self.menu_button = IconButton(
            "more", tr("Actions for the level"), self._on_menu_clicked
        )
        box = column(area, spacing=6)
        self.setLayout(box)
        words = row(self._words, self.menu_button, spacing=6)
        words.setStretch(0, 1)
        words.setAlignment(self.menu_button, Qt.AlignmentFlag.AlignTop)
        box.addLayout(words)

    @property
    def tiles(self) -> list[LevelTile]:
        """The tiles from level 0 up."""
        return self._made[: self._n_levels]

    @property
    def words(self) -> str:
        """The sentence on the chosen level."""
        return self._words.text()

    def show_levels(
        self, opened: InEditor, attribute: Attribute, smallest: int
    ) -> None:
        """Show the levels of a hierarchy.

        Parameters
        ----------
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
        if self._n_levels != height + 1:
            self._make_tiles(height + 1)
        low = attribute.minimum_level or 0
        high = height if attribute.maximum_level is None else attribute.maximum_level
        titles = [short_title(opened, level) for level in range(height + 1)]
        names = list(zip(titles, shortest_titles(titles), strict=True))
        for tile in self.tiles:
            self._show_tile(tile, names[tile.level], low <= tile.level <= high)
            tile.setChecked(tile.level == self.level)
        self._fit()
        self._words.setText(level_sentence(opened, self.level, smallest))

    def _make_tiles(self, number: int) -> None:
        for level in range(len(self._made), number):
            tile = LevelTile(level, self._tiles)
            tile.clicked.connect(self._on_tile_clicked)
            tile.menu_wanted.connect(self._on_tile_menu)
            tile.letters_changed.connect(self._fit)
            self._box.addWidget(tile)
            self._made.append(tile)
        self._n_levels = number
        for tile in self._made:
            show_if(tile, tile.level < number)

    def _fit(self) -> None:
        """Give the tiles room for their words, and the scroll bar if it shows."""
        tiles = self.tiles
        if not tiles:
            return
        gaps = self._box.spacing() * (len(tiles) - 1)
        for margin in (MARGIN, TIGHT, MARGIN):
            for tile in tiles:
                tile.margin = margin
            needed = [tile.needed_width for tile in tiles]
            is_wide = sum(needed) + gaps > self.width()
            if not is_wide:
                break
        share = (self.width() - gaps) // len(tiles)
        widths = [share] * len(tiles) if max(needed) <= share else needed
        pairs = zip(tiles, widths, strict=True)
        n_lines = 1 if all(tile.fits_one_line(width) for tile, width in pairs) else 2
        for tile in tiles:
            tile.set_lines(n_lines)
        bar = self._area.horizontalScrollBar().sizeHint().height() + 2
        height = tiles[0].sizeHint().height()
        self._area.setFixedHeight(height + (bar if is_wide else 0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _show_tile(
        self, tile: LevelTile, titles: tuple[str, str], is_allowed: bool
    ) -> None:
        opened = self._opened
        assert opened is not None
        outline, level = opened.outline, tile.level
        number = outline.n_groups(level)
        figure = tr("{number:group|groups}", number=number)
        if level == 0:
            figure = tr("{number:value|values}", number=number)
        n_small = outline.n_small(level, self._smallest)
        remark = tr("{number:,} small", number=n_small) if n_small else ""
        if not outline.makes_difference(level):
            remark = tr("no effect")
        hint = level_sentence(opened, level, self._smallest)
        if not is_allowed:
            hint += "\n" + tr("The search may not use this level.")
        tile.show_level(titles, figure, remark, is_allowed, hint)

    def choose(self, level: int) -> None:
        """Show the sentence of a level and mark its tile."""
        self.level = level
        for tile in self.tiles:
            tile.setChecked(tile.level == level)
            if tile.level == level:
                self._area.ensureWidgetVisible(tile, 6, 0)
        if self._opened is not None:
            self._words.setText(level_sentence(self._opened, level, self._smallest))

    def _on_tile_clicked(self) -> None:
        tile = self.sender()
        assert isinstance(tile, LevelTile)
        self.choose(tile.level)
        self.level_chosen.emit(tile.level)

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
        is_inner = 0 < level < height
        for glyph, words, signal, place, is_possible in (
            (
                "plus",
                tr("Add a level above level {level}", level=level),
                self.level_added,
                level + 1,
                level < height,
            ),
            (
                "trash",
                tr("Remove level {level}", level=level),
                self.level_removed,
                level,
                is_inner,
            ),
            (
                "lock",
                tr("Use level {level} as the finest", level=level),
                self.finest_set,
                level,
                True,
            ),
            (
                "lock",
                tr("Use level {level} as the coarsest", level=level),
                self.coarsest_set,
                level,
                True,
            ),
        ):
            action = menu.addAction(icons.icon(glyph), words)
            action.setEnabled(is_possible)
            action.triggered.connect(partial(signal.emit, place))
        return menu
