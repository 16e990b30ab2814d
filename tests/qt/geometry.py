"""What of the window is cut, covered or out of reach.

Usage: ``python -m tests.qt.geometry WIDTHxHEIGHT[@TEXT]...``. Shows every page and each
of its views on screens of so many pixels, with texts so much larger, and prints what is
wrong. A process of its own: the factor of the screen (``QT_SCALE_FACTOR``) holds for a
process.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QApplication,
    QCheckBox,
    QComboBox,
    QFocusFrame,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QScrollBar,
    QStackedWidget,
    QTabBar,
    QTableView,
    QTreeView,
    QWidget,
)

import deidgui  # noqa: F401 - guards None/True/False before any Qt use
from deidgui.qt.charts.lattice_view import LatticeView
from deidgui.qt.charts.lines import LineView
from deidgui.qt.charts.plane_view import ScatterPlane
from deidgui.qt.main_window import MainWindow, first_size
from deidgui.qt.pages.base import Page
from deidgui.qt.pages.risk.page import RiskPage
from deidgui.qt.theme import theme
from deidgui.qt.widgets import (
    PageArea,
    ScrolledColumn,
    SearchField,
    Segmented,
    Splitter,
)
from deidgui.qt.widgets.layouts import ancestor

CONTROLS = (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
)
INSIDE = (QAbstractSpinBox, QComboBox, QAbstractItemView, QScrollBar, QTabBar)
"""What holds controls that are parts of it, and no others."""

USABLE = 40
"""Pixels that a part which scrolls must show at least."""

WITH_AXES = (ScatterPlane, LineView, LatticeView)
"""Charts whose height is free: those of bars are as high as their rows."""

LEAST_PLOT = 110
"""Pixels of a plot in which several ticks of an axis have room."""

LEAST_ROWS = 4
"""Rows that a list with more of them shows at least."""

LEAST_LETTERS = 10
"""So many letters of the names in a tree are seen at least."""

DEEPEST = 2
"""Parts within one another of which each scrolls up and down."""

NARROWEST = 560
"""Pixels of a window, for letters × 1, from which no page scrolls sideways."""

ATTEMPTS = 4
"""Looks until which layouts must have come to rest."""


def shown(top: QWidget) -> list[QWidget]:
    """What is shown of a widget, itself too."""
    return [top, *(w for w in top.findChildren(QWidget) if w.isVisibleTo(top))]


def controls(widgets: Iterable[QWidget], top: QWidget) -> list[QWidget]:
    """Controls among widgets, without the parts of larger ones."""
    found = []
    for widget in widgets:
        if not isinstance(widget, CONTROLS):
            continue
        place, is_part = widget.parentWidget(), False
        while place is not None and place is not top and not is_part:
            is_part = isinstance(place, INSIDE) or place.isWindow()
            place = place.parentWidget()
        if not is_part:
            found.append(widget)
    return found


def name(widget: QWidget) -> str:
    """Words that tell which widget is meant."""
    text = getattr(widget, "text", None)
    words = text() if callable(text) else ""
    own = words or widget.accessibleName() or widget.toolTip() or widget.objectName()
    parents = []
    place = widget.parentWidget()
    while place is not None and len(parents) < 3:
        if type(place).__name__ not in ("QWidget", "QStackedWidget", "QFrame"):
            parents.append(type(place).__name__)
        place = place.parentWidget()
    return f"{type(widget).__name__} “{own}” in {'<'.join(parents)}"


def is_reachable(widget: QWidget) -> str:
    """Why a control cannot be brought to sight, or ""."""
    rect = QRect(QPoint(0, 0), widget.size())
    place = widget
    while not place.isWindow():
        parent = place.parentWidget()
        rect = rect.translated(place.pos())
        area = parent.parentWidget()
        if isinstance(area, QScrollArea) and parent is area.viewport():
            bars = Qt.ScrollBarPolicy.ScrollBarAlwaysOff
            if area.horizontalScrollBarPolicy() is bars and (
                rect.right() - place.x() >= parent.width()
            ):
                beyond = rect.right() - place.x() - parent.width() + 1
                return f"{beyond} px right of what scrolls"
            if parent.width() < USABLE or parent.height() < USABLE:
                return f"what scrolls is {parent.width()}×{parent.height()} px small"
            rect = QRect(QPoint(0, 0), parent.size())
        else:
            seen = rect.intersected(parent.rect())
            cut = max(rect.width() - seen.width(), rect.height() - seen.height())
            if cut > 1:
                return f"{cut} px outside {type(parent).__name__}"
        place = parent
    return ""


def unreachable(widgets: Iterable[QWidget]) -> Iterator[str]:
    """Controls that no scrolling brings to sight."""
    for widget in widgets:
        why = is_reachable(widget)
        if why:
            yield f"unreachable: {name(widget)}: {why}"


def cut(widgets: Iterable[QWidget]) -> Iterator[str]:
    """Buttons whose words have less room than they need."""
    kinds = (QPushButton, QCheckBox, QRadioButton)
    for widget in widgets:
        if isinstance(widget, kinds) and widget.text():
            least = widget.minimumSizeHint()
            if widget.width() < least.width() or widget.height() < least.height() - 1:
                size = widget.size().toTuple()
                yield f"cut: {name(widget)}: {size} < {least.toTuple()}"


def clipped(widgets: Iterable[QWidget]) -> Iterator[str]:
    """Texts that have fewer lines, or names that have less room, than they need."""
    for widget in widgets:
        if isinstance(widget, QLabel) and widget.wordWrap() and widget.text():
            high = widget.heightForWidth(widget.width())
            if widget.height() < high - 1:
                yield f"clipped: {name(widget)}: {widget.height()} < {high} px"
        elif isinstance(widget, SearchField):
            least = widget.minimumSizeHint().width()
            if widget.width() < least:
                yield f"clipped: {name(widget)}: {widget.width()} < {least} px"
        elif isinstance(widget, QTreeView) and not widget.header().isHidden():
            letters = LEAST_LETTERS * widget.fontMetrics().averageCharWidth()
            if widget.columnWidth(0) < letters:
                yield f"clipped: {name(widget)}: {widget.columnWidth(0)} px of names"


def covered(widgets: Iterable[QWidget]) -> Iterator[str]:
    """Neighbours of a layout of which one lies on the other; a ring is to lie there."""
    inside = defaultdict(list)
    for each in widgets:
        parent = None if isinstance(each, QFocusFrame) else each.parentWidget()
        if parent is not None and not each.isWindow() and not each.size().isEmpty():
            inside[parent].append(each)
    for parent, children in inside.items():
        is_layered = isinstance(parent, QStackedWidget | QAbstractScrollArea)
        if parent.layout() is None or is_layered:
            continue
        for one, other in combinations(children, 2):
            both = one.geometry().intersected(other.geometry())
            if both.width() > 1 and both.height() > 1:
                size = both.size().toTuple()
                yield f"covered: {name(one)} and {name(other)} by {size}"


def scrolls(widget: QWidget | None) -> bool:
    """Whether a part has a bar to scroll it up and down."""
    if not isinstance(widget, QAbstractScrollArea):
        return False
    is_off = Qt.ScrollBarPolicy.ScrollBarAlwaysOff
    bar = widget.verticalScrollBar()
    return bar.maximum() > 0 and widget.verticalScrollBarPolicy() is not is_off


def nested(widgets: Iterable[QWidget]) -> Iterator[str]:
    """Parts that scroll within too many others that do."""
    for widget in filter(scrolls, widgets):
        depth, place = 1, widget.parentWidget()
        while place is not None and not widget.isWindow():
            depth += scrolls(place)
            place = place.parentWidget()
        if depth > DEEPEST:
            yield f"nested: {name(widget)}: {depth} parts scroll"


def inner(widgets: Iterable[QWidget]) -> Iterator[str]:
    """Parts of a low page that scroll by themselves, and stand beside nothing."""
    for widget in filter(scrolls, widgets):
        page = ancestor(widget, PageArea)
        if not isinstance(widget, ScrolledColumn) or page is None or not page.is_low:
            continue
        splitter = ancestor(widget, Splitter)
        if splitter is None or splitter.is_stacked:
            yield f"inner: {name(widget)} scrolls by itself"


def slits(widgets: Iterable[QWidget]) -> Iterator[str]:
    """Lists that show too few of their rows at a time."""
    for widget in filter(scrolls, widgets):
        if isinstance(widget, QTableView):
            high = widget.verticalHeader().defaultSectionSize()
        elif isinstance(widget, QTreeView):
            high = widget.sizeHintForRow(0)
        else:
            continue
        if widget.viewport().height() < LEAST_ROWS * high:
            rows = widget.viewport().height() / high
            yield f"slit: {name(widget)}: {rows:.1f} rows"


def flat(widgets: Iterable[QWidget]) -> Iterator[str]:
    """Charts with two axes that are too low to read them."""
    for widget in widgets:
        if isinstance(widget, WITH_AXES) and widget.is_drawn:
            high = round(widget.plot.getViewBox().height())
            if high < LEAST_PLOT:
                yield f"flat: {name(widget)}: {high} px"


def is_content(widget: QWidget) -> bool:
    """Whether there is something of its own to see."""
    text = getattr(widget, "text", None)
    is_empty = isinstance(widget, QLabel) and callable(text) and not text()
    is_holder = type(widget) is QWidget or widget.layout() is not None
    is_drawn = widget.property("kind") in ("card", "callout") or not is_holder
    return is_drawn and not is_empty and not widget.size().isEmpty()


def end_inside(widget: QWidget, inside: QWidget) -> int:
    """Where a widget ends, or an area between that scrolls by itself."""
    end, place = widget.mapTo(inside, widget.rect().bottomLeft()).y(), widget
    while place is not inside:
        if isinstance(place, QScrollArea):
            end = min(end, place.mapTo(inside, place.rect().bottomLeft()).y())
        place = place.parentWidget()
    return end


def idle(widgets: Iterable[QWidget]) -> Iterator[str]:
    """Parts that scroll although nothing is out of sight, or the other way round."""
    for area in widgets:
        most = isinstance(area, QScrollArea) and area.verticalScrollBar().maximum()
        if not most:
            continue
        inside = area.widget()
        seen = [each for each in shown(inside)[1:] if is_content(each)]
        ends = [end_inside(each, inside) for each in seen]
        is_cut = max(ends, default=0) >= area.viewport().height()
        if scrolls(area) != is_cut:
            yield f"{'no bar' if is_cut else 'idle'}: {name(area)}: {most} px"


def sideways(top: QWidget) -> Iterator[str]:
    """By how much a page is wider than its room: only lists and charts may be."""
    area = top.findChild(QScrollArea) if isinstance(top, Page) else None
    is_too_narrow = top.window().width() < NARROWEST * theme().text_scale
    if area is None or is_too_narrow:
        return
    if (beyond := area.horizontalScrollBar().maximum()) > 0:
        yield f"sideways: {beyond} px"


def faults(top: QWidget) -> list[str]:
    """Everything that is wrong with what is shown of a widget."""
    widgets = shown(top)
    acting = controls(widgets, top)
    room = (
        *nested(widgets),
        *inner(widgets),
        *slits(widgets),
        *flat(widgets),
        *idle(widgets),
    )
    wrong = (*unreachable(acting), *cut(acting), *clipped(widgets), *covered(widgets))
    return [*wrong, *room, *sideways(top)]


def scrolls_as_whole(page: Page) -> bool:
    """Whether a page scrolls up and down that is to fill the window."""
    bar = page.findChild(QScrollArea).verticalScrollBar()
    return not page.scrolls and bar.maximum() > 0


def settle() -> None:
    """Let layouts come to rest."""
    for _ in range(3):
        QApplication.processEvents()


class Survey:
    """A window with results, and the faults found in it."""

    def __init__(self) -> None:
        os.environ["DEIDGUI_HOME"] = tempfile.mkdtemp(prefix="deidgui-geometry-")
        from deidgui.qt.application import make_application
        from deidgui.qt.settings import Settings
        from deidgui.qt.theme import Mode, apply_theme
        from tests.explored_case import fill, make_case
        from tests.qt.fakes import FakeWorkspace

        self.app = make_application(["deidgui"])
        self.theme = apply_theme(self.app, Mode.LIGHT)
        self.workspace = FakeWorkspace()
        self.window = MainWindow(self.workspace, Settings())
        self.window.show()
        fill(self.workspace.session, make_case())
        self.found: list[str] = []

    def look(self, where: str, top: QWidget) -> None:
        for _attempt in range(ATTEMPTS):
            settle()
            found = faults(top)
            if not found:
                return
        self.found += [f"{where}: {each}" for each in dict.fromkeys(found)]

    def look_at_parts(self, where: str, page: Page, *, is_usual: bool) -> None:
        """Note what is wrong with each part of a page."""
        for part in page.summaries if isinstance(page, RiskPage) else [""]:
            if isinstance(page, RiskPage):
                page.show_part_of(part)
            self.look(f"{where} {part}", page)
            if is_usual and scrolls_as_whole(page):
                self.found.append(f"{where} {part}: scrolls up and down")

    def walk(self, *, is_usual: bool) -> None:
        """Show every page with each of its views.

        Parameters
        ----------
        is_usual : bool
            Whether what fills the window does not scroll at all.
        """
        window = self.window
        for step in window._steps:
            window.show_step(step.key)
            page = window.page(step.key)
            assert isinstance(page, Page), step.key
            for part in (window.rail, window.top_bar, window.footer):
                self.look(step.key, part)
            self.look_at_parts(step.key, page, is_usual=is_usual)
            for bar in page.findChildren(Segmented):
                if not bar.isVisibleTo(page):
                    continue
                first = bar.current
                for key in bar._keys:
                    if key != first and bar.offers(key):
                        bar._on_clicked(bar._keys.index(key))
                        self.look(f"{step.key} {key}", page)
                bar._on_clicked(bar._keys.index(first))


def main() -> None:
    survey = Survey()
    factor = survey.window.devicePixelRatioF()
    for each in sys.argv[1:]:
        places, _, help_word = each.partition("+")
        size, _, text = places.partition("@")
        survey.window._on_help_panel(help_word == "help")
        survey.theme.set_text_scale(float(text or 1))
        wide, high = (int(int(pixels) / factor) for pixels in size.split("x"))
        survey.window.resize(first_size(QSize(wide, high)))
        before = len(survey.found)
        survey.walk(is_usual=factor == 1 and not text)
        for fault in survey.found[before:]:
            print(f"{each}: {fault}")


if __name__ == "__main__":
    main()
