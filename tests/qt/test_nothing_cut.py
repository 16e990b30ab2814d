"""Nothing of a page is squashed, cut off, covered, or in colours of another scheme."""

from __future__ import annotations

from dataclasses import asdict
from itertools import combinations
from typing import get_args

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import (
    QDialog,
    QFocusFrame,
    QLabel,
    QRadioButton,
    QScrollArea,
    QStackedWidget,
    QTableView,
    QWidget,
)

from deidgui.engine.evidence.document import ProtectedUnit, RowsKnown
from deidgui.qt.charts.view import ChartView
from deidgui.qt.pages import STEPS
from deidgui.qt.pages.base import Page
from deidgui.qt.pages.policies.groups import GroupList
from deidgui.qt.pages.policies.looking import WAYS
from deidgui.qt.tab_order import stops
from deidgui.qt.theme import Mode, tokens
from deidgui.qt.widgets import (
    Callout,
    ElidedLabel,
    KeyValueList,
    Label,
    Popover,
    ScrolledColumn,
    Segmented,
    column,
)
from tests.explored_case import fill as fill_case
from tests.explored_case import make_case
from tests.qt.geometry import settle

SIZES = ((1280, 720), (1677, 1000), (1920, 1080))
"""Pixels of windows; the second one has the page of 1920 with the help open."""


def children(widget):
    only = Qt.FindChildOption.FindDirectChildrenOnly
    return [
        each
        for each in widget.findChildren(QWidget, options=only)
        if each.isVisibleTo(widget)
        and not each.isWindow()
        and not isinstance(each, QFocusFrame)  # lies on its control
        and not each.size().isEmpty()
    ]


def squashed(top):
    """Texts that have less room than they need, and why."""
    for label in top.findChildren(QLabel):
        is_other = isinstance(label, ElidedLabel) or not label.text()
        if is_other or not label.isVisibleTo(top):
            continue
        least = label.minimumSizeHint()
        high = label.heightForWidth(label.width()) if label.wordWrap() else 0
        if label.height() < max(high, 0 if high else least.height()) - 1:
            yield label.text(), label.height(), max(high, least.height())
    for option in top.findChildren(QRadioButton):
        if option.isVisibleTo(top) and option.width() < option.sizeHint().width():
            yield option.text(), option.width(), option.sizeHint().width()


def covered(top):
    """Pairs of neighbours of a layout of which one lies on the other."""
    for widget in (top, *top.findChildren(QWidget)):
        is_layered = isinstance(widget, QStackedWidget | QScrollArea)
        if widget.layout() is None or is_layered or not widget.isVisibleTo(top):
            continue
        for one, other in combinations(children(widget), 2):
            both = one.geometry().intersected(other.geometry())
            if both.width() > 1 and both.height() > 1:
                yield type(one).__name__, type(other).__name__


def foreign(top):
    """Labels whose colour is none of the scheme."""
    known = {each.lower() for each in asdict(tokens().colours).values()}
    for label in top.findChildren(Label):
        colour = label.palette().color(label.foregroundRole()).name()
        is_seen = label.text() and label.isVisibleTo(top) and label.isEnabledTo(top)
        if is_seen and colour not in known:
            yield label.text(), colour


@pytest.fixture
def explored(window, workspace):
    """The window with classes and a search."""
    fill_case(workspace.session, make_case())
    return window


def faults(page):
    return [*squashed(page), *covered(page)]


@pytest.mark.parametrize("size", SIZES)
def test_nothing_is_squashed_or_covered(qtbot, explored, size):
    explored.resize(*size)
    for step in STEPS:
        explored.show_step(step.key)
        page = explored.page(step.key)
        assert isinstance(page, Page)
        qtbot.waitUntil(lambda page=page: not faults(page), timeout=60_000)
    look = explored.page("policies").look
    explored.show_step("policies")
    look.open_button.click()
    if not look.isVisible():
        look.open_button.click()  # and it stays open, whatever is found
    for way in WAYS:
        look.set_way(way)
        qtbot.waitUntil(lambda: look.isVisible() and not faults(look), timeout=60_000)


def sideways(page):
    """Parts that scroll up and down and have not the width that they need."""
    for area in page.findChildren(QScrollArea):
        if area.isVisible() and area.widget() is not None:
            needed = area.widget().minimumSizeHint().width()
            if needed > area.viewport().width():
                yield type(area).__name__, needed - area.viewport().width()


WIDE = {
    "attributes": ("columns",),
    "utility": ("risk", "classes", "quality", "attacks", "known", "samples"),
}
"""Views of pages that fit a width of 1280 pixels, however large letters are."""


def show_people(pane):
    """Show what the rows of a person tell, as where rows belong to people."""
    kinds = get_args(RowsKnown.model_fields["known"].annotation)
    known = [RowsKnown(known=each, highest=0.2, average=0.05) for each in kinds]
    unit = ProtectedUnit(kind="key", column="patient", people=400, rows_known=known)
    pane._show_rows(unit)
    assert pane._rows_card.isVisible()


@pytest.mark.parametrize("key", WIDE)
def test_nothing_goes_sideways_with_the_largest_letters(qtbot, explored, themed, key):
    themed.set_text_scale(2.0)
    explored.resize(1280, 720)
    explored.show_step(key)
    page = explored.page(key)
    if key == "attributes":
        page.table.selectRow(0)
    for is_open in (False, True):
        explored._show_help(is_open)
        for view in WIDE[key]:
            for bar in page.findChildren(Segmented):
                if bar.isVisibleTo(page) and view in bar._keys:
                    bar._on_clicked(bar._keys.index(view))
            settle()
            if view == "risk":
                show_people(page.risk)
                settle()
            qtbot.waitUntil(lambda: not list(sideways(page)), timeout=8_000)


def show_view(page, key):
    bars = page.findChildren(Segmented)
    bar = next(bar for bar in bars if bar.isVisibleTo(page) and key in bar._keys)
    bar._on_clicked(bar._keys.index(key))
    settle()


def ends_at(table, title):
    """Where a column of a list ends."""
    model, across = table.model(), Qt.Orientation.Horizontal
    titles = [model.headerData(n, across) for n in range(model.columnCount())]
    place = titles.index(title)
    return table.columnViewportPosition(place) + table.columnWidth(place)


SMALL = {
    ("data", "columns"): "Not of the type",
    ("attributes", "alone"): "Finding",
    ("attributes", "outsiders"): "State",
}
"""Views with a list, and its last column that decides something."""


@pytest.mark.parametrize("place", SMALL)
def test_what_decides_is_in_sight_of_a_list_on_a_small_screen(qtbot, explored, place):
    explored.resize(853, 480)
    key, view = place
    explored.show_step(key)
    page = explored.page(key)
    show_view(page, view)
    tables = [e for e in page.findChildren(QTableView) if e.isVisibleTo(page)]
    (table,) = tables
    qtbot.waitUntil(lambda: ends_at(table, SMALL[place]) <= table.viewport().width())
    if view != "outsiders":  # what is behind its bar stands beside the list
        assert table.horizontalScrollBar().maximum() == 0


def test_open_questions_make_no_page_wider_than_a_small_screen(qtbot, explored):
    explored.resize(640, 360)
    explored.show_step("attributes")
    page = explored.page("attributes")
    for key in page.view._keys:
        page.view.set_words(key, f"{key} of all columns (43 open)")
    qtbot.waitUntil(lambda: not list(sideways(page)))
    area = page.findChild(QScrollArea)
    assert area.horizontalScrollBar().maximum() == 0


def test_titles_of_parts_stand_above_them_on_a_small_screen(qtbot, explored):
    explored.show_step("risk")
    page = explored.page("risk")
    summaries = [*page.summaries.values()]
    for width in (1280, 640, 1280):
        explored.resize(width, 2 * width // 3)
        is_small = width == 640
        qtbot.waitUntil(lambda small=is_small: page._both.is_stacked is small)
        settle()
        beside = [each.mapTo(page, QPoint(0, 0)) for each in summaries]
        assert len({each.x() for each in beside}) == (3 if is_small else 1)
        of_part = page.thresholds.mapTo(page, QPoint(0, 0))
        assert all(each.y() < of_part.y() for each in beside) is is_small
        order = list(stops(page))
        of_part = order.index(page.recipients.context_button)
        assert (order.index(summaries[0]) < of_part) is is_small
        assert not faults(page)


def test_titles_stand_at_the_same_place_beside_each_part(qtbot, explored):
    explored.show_step("risk")
    page = explored.page("risk")
    for width in (1280, 640):
        explored.resize(width, 2 * width // 3)
        for key in page.summaries:
            page.show_part_of(key)
            settle()
            assert page._both.is_stacked is (width == 640), key


def test_facts_wrap_where_they_are_narrow_and_only_there(qtbot):
    facts, top = KeyValueList([("Values of one record", "1"), ("None", "2")]), QWidget()
    top.setLayout(column(facts, None))
    qtbot.addWidget(top)
    top.show()
    name, _value = facts._rows[0]
    for width, n_lines in ((400, 1), (110, 2), (400, 1)):
        top.resize(width, 200)
        high = n_lines * name.fontMetrics().height()
        qtbot.waitUntil(lambda high=high: high <= name.height() < 2 * high)
        assert top.width() == width
        assert not list(squashed(top))


def test_the_button_of_a_narrow_call_out_stands_under_its_words(qtbot):
    top, callout = QWidget(), Callout("What is the matter", "info", "Why", "Act")
    top.setLayout(column(callout, None))
    qtbot.addWidget(top)
    top.resize(600, 300)
    top.show()
    assert callout._button.y() < callout._detail.geometry().bottom()
    top.resize(300, 300)
    qtbot.waitUntil(lambda: callout._button.y() > callout._detail.geometry().bottom())
    assert not list(squashed(top))


def test_no_label_keeps_the_colours_of_the_other_scheme(qtbot, explored, themed):
    shown, hidden, *_ = [each.key for each in STEPS]
    for key in (hidden, shown):
        explored.show_step(key)
    for mode in (Mode.DARK, Mode.LIGHT, Mode.DARK, Mode.LIGHT):
        themed.set_mode(mode)
        themed.settle()
        assert not list(foreign(explored))
    # Built, and not shown, in the other scheme.
    themed.set_mode(Mode.DARK)
    explored.build_all_pages()
    for mode in (Mode.LIGHT, Mode.DARK):
        themed.set_mode(mode)
        themed.settle()
        for step in STEPS:
            explored.show_step(step.key)
            assert not list(foreign(explored)), step.key


@pytest.mark.parametrize("make", [QDialog, Popover])
def test_no_dialog_keeps_the_colours_of_the_other_scheme(qtbot, explored, themed, make):
    other = make(explored)
    other.setLayout(column(Label("Words", "strong"), Label("More", tone="muted")))
    for mode in (Mode.DARK, Mode.LIGHT):
        other.show()
        other.hide()
        themed.set_mode(mode)
        themed.settle()
        other.show()
        assert not list(foreign(other))
    other.close()


def inner_bars(page):
    """Parts of a page that scroll up and down by themselves."""
    columns = page.findChildren(ScrolledColumn)
    seen = [each for each in columns if each.isVisibleTo(page)]
    return [each for each in seen if each.verticalScrollBar().maximum() > 0]


@pytest.mark.parametrize("view", ["plane", "lattice", "groups"])
def test_policies_and_the_selected_one_are_whole_on_a_small_screen(
    qtbot, explored, view
):
    explored.resize(640, 360)
    explored.show_step("policies")
    page = explored.page("policies")
    show_view(page, view)
    qtbot.waitUntil(lambda: not [*squashed(page), *inner_bars(page)])
    charts = [e for e in page.findChildren(ChartView) if e.isVisibleTo(page)]
    for each in charts:
        assert each.plot.height() >= each.least_plot
        bottom = each.mapTo(page.results.split, each.rect().bottomLeft()).y()
        assert bottom < page.results.panel.mapTo(page.results.split, QPoint(0, 0)).y()


@pytest.mark.parametrize(
    "place", [("data", "columns"), ("attributes", "alone"), ("attributes", "outsiders")]
)
def test_what_is_known_of_a_column_is_whole_on_a_small_screen(qtbot, explored, place):
    explored.resize(640, 360)
    explored.show_step(place[0])
    page = explored.page(place[0])
    show_view(page, place[1])
    qtbot.waitUntil(lambda: not inner_bars(page))


def test_the_dossier_is_whole_on_a_small_screen(qtbot, explored):
    explored.resize(640, 360)
    explored.show_step("export")
    page = explored.page("export")
    show_view(page, "dossier")
    parts = page.dossier.parts
    qtbot.waitUntil(lambda: not inner_bars(page))
    assert parts.verticalScrollBar().maximum() == 0
    width = parts.columnWidth(0) - 20
    wrap = Qt.TextFlag.TextWordWrap
    for place in range(parts.rowCount()):
        text = parts.item(place, 0).text()
        lines = parts.fontMetrics().boundingRect(0, 0, width, 999, wrap, text)
        assert lines.height() <= parts.rowHeight(place)


def test_groups_of_policies_are_whole_however_narrow(qtbot):
    top = QWidget()
    groups = GroupList(top)
    qtbot.addWidget(top)
    top.show()
    example = "admission_source_id: 4 most common values kept; weight: 4 bands"
    tile = ("Keeps discharge_disposition_id", "183 policies", example)
    groups.show_groups(20, [tile] * 5, -1)
    qtbot.waitUntil(lambda: len(groups.tiles) == 6)
    for n_beside in (2, 1):
        width = 1200 if n_beside == 2 else groups.minimumSizeHint().width()
        groups.resize(width, 10)
        settle()
        groups.resize(width, groups.heightForWidth(width))
        settle()
        assert not list(squashed(groups))
        for label in groups.findChildren(QLabel):
            longest = max(label.text().split(), key=len, default="")
            assert label.fontMetrics().horizontalAdvance(longest) <= label.width()
        assert len({each.x() for each in groups.tiles}) == n_beside


def test_figures_of_the_risk_are_in_line(qtbot, explored):
    explored.show_step("utility")
    tiles = explored.page("utility").risk._tiles
    for size, n_beside in (((640, 360), 2), ((1280, 720), 4)):
        explored.resize(*size)
        settle()
        qtbot.waitUntil(lambda: all(each.height() > 40 for each in tiles))
        places = [each.mapTo(explored, QPoint(0, 0)) for each in tiles]
        assert len({each.x() for each in places}) == n_beside
        for one, other in zip(tiles[::2], tiles[1::2], strict=True):
            assert one.height() == other.height()
            assert places[tiles.index(one)].y() == places[tiles.index(other)].y()


def test_what_a_page_is_for_stands_apart_from_buttons_above_it(qtbot, explored):
    for size, is_above in (((640, 360), True), ((1280, 720), False)):
        explored.resize(*size)
        explored.show_step("hierarchies")
        page = explored.page("hierarchies")
        settle()
        button, lead = page.import_button, page._lead
        bottom = button.mapTo(page, button.rect().bottomLeft()).y()
        apart = lead.mapTo(page, QPoint(0, 0)).y() - bottom
        assert apart >= 8 if is_above else apart < 40
