"""The matrix of policies: what is painted, said, measured in pixels, and how fast."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QFontMetricsF,
    QImage,
    QPainter,
    QStandardItemModel,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractButton, QApplication, QTableView

from deidgui.app.policies.candidate import Cell, cells_of
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.policy.policy import lattice_policy
from deidgui.qt.models.figures import Figure
from deidgui.qt.models.policies import CELL_ROLE, cell_words, column_places
from deidgui.qt.pages.policies.detail import FigureGrid, PhraseList
from deidgui.qt.pages.policies.matrix import (
    BIN,
    HEADER_MARGIN,
    NARROWEST,
    SLIM,
    TEXT_MARGIN,
    WIDEST,
    MatrixHeader,
    Run,
    _width,
    figure_for,
    fitting_words,
    joined_shares,
    paint_cell,
    runs,
)
from deidgui.qt.theme import Mode, apply_theme
from tests.explored_case import fill, make_case

CELLS = {
    "kept": Cell("sex", "kept", "kept in full", 0, 2),
    "generalized": Cell("zip", "generalized", "3 digits", 2, 5),
    "removed": Cell("race", "removed", "removed", 2, 2),
    "joined": Cell("age", "joined", "9 values as 5", None, 4, (0, 0, 1, 2, 3, 3, 3, 4)),
}
LEAST_HEIGHT = 400
"""Pixels that the list, the plane and the lattice have at 1280×720 at least."""


def painted(cell, is_grey=False):
    """Pixels of a painted cell."""
    image = QImage(120, 24, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    paint_cell(painter, QRectF(1, 1, 118, 22), cell)
    painter.end()
    if is_grey:
        image = image.convertToFormat(QImage.Format.Format_Grayscale8)
    return image


@pytest.mark.parametrize("mode", [Mode.LIGHT, Mode.DARK])
def test_effects_differ_by_shape_and_not_by_colour_alone(qapp, mode):
    """The corners and the middle of a cell, in grey, tell effects apart."""
    apply_theme(qapp, mode)
    images = {effect: painted(cell, is_grey=True) for effect, cell in CELLS.items()}
    outlines = {
        effect: tuple(
            image.pixelColor(x, y).value() > 250
            for x, y in ((2, 2), (60, 2), (60, 12), (3, 12), (118, 21))
        )
        for effect, image in images.items()
    }
    pictures = {bytes(image.constBits()) for image in images.values()}
    assert len(pictures) == len(CELLS)
    # Round where all is kept, angular where it is generalized.
    assert outlines["kept"][0]
    assert painted(CELLS["kept"]) != painted(CELLS["generalized"])


def test_the_bar_of_a_level_says_what_its_figures_say():
    widths = []
    for level in (1, 3, 4):
        image = painted(Cell("zip", "generalized", "", level, 5))
        colours = [image.pixelColor(x, 21).name() for x in range(2, 118)]
        widths.append(colours.count(colours[0]))
    assert widths == pytest.approx([117 * each / 5 for each in (1, 3, 4)], abs=4)


def test_a_cell_has_the_number_of_its_level_also_above_one_that_joins_nothing(qapp):
    """What is typed into the lattice, and adds up to its rows."""
    paths = [("17", "1x", "1x", "0-19", "*"), ("23", "2x", "2x", "20-39", "*")]
    paths += [("11", "1x", "1x", "0-19", "*"), ("31", "3x", "3x", "20-39", "*")]
    hierarchy = Hierarchy.from_grid("age", paths)
    assert hierarchy.steps == (0, 1, 3, 4)
    (cell,) = cells_of(lattice_policy([hierarchy], {"age": 3}, 1))
    metrics = QFontMetricsF(qapp.font())
    assert fitting_words(cell, metrics, 0) == "3/4"
    assert cell_words(cell).endswith("(3/4)")


def test_runs_of_joined_values_are_blocks_and_others_lie_between():
    assert runs((0, 0, 1, 2, 3, 3, 3, 4), 80.0) == (
        Run(0, 20, is_joined=True),
        Run(20, 40, is_joined=False),
        Run(40, 70, is_joined=True),
        Run(70, 80, is_joined=False),
    )
    assert runs((0, 1, 2), 30.0) == (Run(0, 30, is_joined=False),)
    assert runs((), 30.0) == ()


def test_more_values_than_can_be_seen_are_shares():
    n_values, width = 592, 47.0
    kept_then_pairs = (*range(n_values // 2), *np.repeat(range(n_values // 4), 2))
    shares = joined_shares(tuple(map(int, kept_then_pairs)), width)
    assert len(shares) == int(width // BIN)
    assert (shares[0], shares[-1]) == (0, 1)
    assert sum(shares) == pytest.approx(len(shares) / 2, abs=1)
    assert joined_shares(tuple(range(500)), width) == (0.0,) * len(shares)
    cell = Cell("zip", "joined", "", None, 0, tuple(map(int, kept_then_pairs)))
    image = painted(cell)
    is_blank = [image.pixelColor(x, 6) == Qt.GlobalColor.white for x in range(120)]
    assert all(is_blank[:54])
    assert not any(is_blank[68:116])


def test_cells_are_said_in_words():
    assert cell_words(CELLS["generalized"]) == "zip: 3 digits (2/5)"
    assert cell_words(CELLS["joined"]) == "age: 9 values as 5"


def test_the_heading_of_an_attribute_says_what_its_marks_are(shown):
    model = shown.results.views.policies
    tips = [
        model.headerData(n, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
        for n in range(model.columnCount())
    ]
    told = ["1/3 level 1 of 3" in tip for tip in tips]
    assert told == [column.attribute >= 0 for column in model.columns]
    # The same is read below the list, but for marks that none of these policies has.
    key = shown.results.views.key
    assert key.isVisible()
    assert "1/3 level 1 of 3" in key.text()
    assert "strip" not in key.text()
    loss = next(n for n, each in enumerate(model.columns) if each.key == "loss")
    # All columns weigh the same here: the highest total is 100 %.
    assert "geometric mean of 1 + weight × loss" in tips[loss]
    assert "it would be 100\u202f%" in tips[loss]


@pytest.fixture
def shown(window, qtbot):
    """The step in the real window at 1280×720, over a search."""
    fill(window.session, make_case())
    window.show_step("policies")
    qtbot.waitUntil(lambda: bool(window.page("policies").policies.parts))
    window.resize(1280, 720)
    QApplication.processEvents()
    return window.page("policies")


@pytest.mark.parametrize("tab", ["list", "plane", "lattice"])
def test_at_1280_by_720_every_view_has_its_height(shown, tab):
    shown.show_tab(tab)
    QApplication.processEvents()
    views = shown.results.views
    view = {"list": views.table, "plane": views.plane, "lattice": views.lattice}[tab]
    print(tab, view.width(), view.height())
    assert view.height() >= LEAST_HEIGHT
    assert view.isVisible()


def test_the_selected_policy_stays_in_sight_beside_groups_on_a_low_page(shown, qtbot):
    shown.window().resize(960, 540)
    shown.show_tab("groups")
    groups = shown.results.views.groups
    qtbot.waitUntil(groups.isVisible)
    groups.show_groups(30, [("Keeps sex", "1 policy", "")] * 30, -1)
    qtbot.waitUntil(lambda: groups.height() > 540)
    QApplication.processEvents()
    assert not shown.results.split.is_stacked
    assert shown.results.split.height() < 540


def test_whether_the_heading_has_one_line_depends_on_the_sizes_of_now(shown):
    """Not on what they were when the step was first shown, or the theme changed."""
    line, tabs = shown._head_line, shown.results.tabs
    assert not line.is_stacked
    button = tabs.findChildren(QAbstractButton)[0]
    words = button.text()
    for text, is_stacked in (
        (words + " with many more words" * 3, True),
        (words, False),
    ):
        button.setText(text)
        for _ in range(3):
            QApplication.processEvents()
        assert line.is_stacked == is_stacked


def test_the_plane_keeps_its_height_with_the_largest_letters(shown, window, themed):
    themed.set_text_scale(2.0)
    themed.settle()
    window._show_help(True)
    shown.show_tab("plane")
    for _ in range(3):
        QApplication.processEvents()
    plane = shown.results.views.plane
    assert plane.plot.height() >= 160
    # The rest is reached by scrolling the page.
    assert shown._area.verticalScrollBar().maximum() > 0
    assert shown._area.horizontalScrollBar().maximum() == 0


def test_the_panel_makes_room_and_comes_back_by_one_click(shown, qtbot):
    assert not shown.look.is_open
    assert shown.results.panel.isVisible()
    width = shown.results.views.table.width()
    title = shown._title.mapTo(shown, QPoint())
    qtbot.mouseClick(shown.look.open_button, Qt.MouseButton.LeftButton)
    QApplication.processEvents()
    assert shown.look.is_open
    assert shown.results.views.table.width() < width
    assert not shown.results.panel.isVisible()
    assert shown._title.mapTo(shown, QPoint()) == title
    qtbot.mouseClick(shown.look.open_button, Qt.MouseButton.LeftButton)
    QApplication.processEvents()
    assert shown.results.panel.isVisible()


@pytest.mark.parametrize("way", ["optimal", "alternatives"])
def test_the_panel_cuts_nothing_off(shown, way):
    shown.look.set_open(True)
    shown.look.options[way].click()
    QApplication.processEvents()
    area = shown.look._settings.currentWidget()
    assert area.widget().minimumSizeHint().width() <= area.viewport().width()


def test_figures_of_the_matrix_fit_their_columns(shown):
    table, model = shown.results.views.table, shown.results.views.policies
    for place, column in enumerate(model.columns):
        if column.attribute < 0 and column.key != "best":
            # Only a loss may be a lower bound.
            longest = "≥ 26.2\u202f%" if column.key == "loss" else "100\u202f%"
            width = table.fontMetrics().horizontalAdvance(longest)
            assert table.columnWidth(place) >= width + 12


def test_figures_are_in_sight_however_many_attributes_there_are(shown):
    table, model = shown.results.views.table, shown.results.views.policies
    header = table.horizontalHeader()
    attributes = column_places(model.columns)
    figures = [n for n in range(header.count()) if n not in attributes]
    # Room for narrow attributes and the figures: none of them is cut.
    needed = sum(_width(model.columns[n].key) for n in figures)
    beside = table.width() - table.viewport().width()
    table.resize(needed + SLIM * len(attributes) + beside, 300)
    table._fit_columns()
    assert header.length() <= table.viewport().width()
    assert header.visualIndex(attributes[0]) < header.visualIndex(figures[-1])
    # Without that room the attributes stand last, and what is cut is one of them.
    table.resize(table.minimumSizeHint().width(), 300)
    table._fit_columns()
    left = [n for n in figures if not table.isColumnHidden(n)]
    last = max(map(header.visualIndex, left))
    if header.length() > table.viewport().width():
        assert last < min(map(header.visualIndex, attributes))
    table.resize(1600, 300)
    table._fit_columns()
    assert [header.visualIndex(n) for n in range(header.count())] == list(
        range(header.count())
    )


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
def test_the_least_figure_is_never_cut(shown, themed, scale):
    themed.set_text_scale(scale)
    themed.settle()
    QApplication.processEvents()
    table, model = shown.results.views.table, shown.results.views.policies
    metrics = QFontMetricsF(table.font())
    for place, column in enumerate(model.columns):
        if column.key in ("highest_risk", "average_risk", "loss", "n_suppressed"):
            room = _width(column.key) - 2 * TEXT_MARGIN
            assert "…" not in figure_for("< 0.01\u202f%", metrics, room), place
    themed.set_text_scale(1.0)


@pytest.mark.parametrize("width", [60, 100, 140])
def test_words_without_room_become_the_level(qapp, width):
    """A wide cell says no less than a narrow one."""
    long = replace(CELLS["generalized"], text="bands of 20, up to 90 and older")
    metrics = QFontMetricsF(qapp.font())
    assert fitting_words(long, metrics, width) == "2/5"
    assert fitting_words(CELLS["generalized"], metrics, 140) == "3 digits"


@pytest.mark.parametrize("scale", [1.5, 2.0])
def test_a_cell_of_larger_letters_has_room_for_its_level(shown, themed, scale):
    themed.set_text_scale(scale)
    themed.settle()
    QApplication.processEvents()
    table, model = shown.results.views.table, shown.results.views.policies
    widths = [
        table.columnWidth(place)
        for place, column in enumerate(model.columns)
        if column.attribute >= 0
    ]
    themed.set_text_scale(1.0)
    assert min(widths) >= round(NARROWEST * scale)


def test_titles_are_cut_in_the_middle_and_in_each_line(shown):
    header = shown.results.views.table.horizontalHeader()
    assert header.fitting("sex", 40) == "sex"
    lines = header.fitting("hospitalization\nindicator", 40).split("\n")
    assert len(lines) == 2
    assert all("…" in line and not line.endswith("…") for line in lines)


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("width", [NARROWEST, 60, 80])
def test_titles_of_larger_letters_are_not_cut(qtbot, themed, scale, width):
    themed.set_text_scale(scale)
    themed.settle()
    names = ["marital_\nstatus", "admission_\ndate", "sex"]
    view, model = QTableView(), QStandardItemModel(0, len(names))
    qtbot.addWidget(view)
    model.setHorizontalHeaderLabels(names)
    view.setModel(model)
    header = MatrixHeader(view)
    view.setHorizontalHeader(header)
    for place in range(len(names)):
        view.setColumnWidth(place, round(width * scale))
    header.stand(range(len(names)))
    view.show()
    metrics = QFontMetricsF(header._font)
    for place, name in enumerate(names):
        if place in header._on_end:
            room = header.height() - 2 * HEADER_MARGIN
            lines = header._lines(place)
            assert max(map(metrics.horizontalAdvance, lines)) <= room
        else:
            assert header.fitting(name, header.sectionSize(place)) == name


def picture_of_titles(qtbot, names, width):
    """What is painted of the titles of columns of one width."""
    view, model = QTableView(), QStandardItemModel(0, len(names))
    qtbot.addWidget(view)
    model.setHorizontalHeaderLabels(names)
    view.setModel(model)
    header = MatrixHeader(view)
    view.setHorizontalHeader(header)
    for place in range(len(names)):
        view.setColumnWidth(place, width)
    header.stand(range(len(names)))
    view.resize(width * len(names) + 40, 300)
    view.show()
    QApplication.processEvents()
    return header.grab().toImage(), header.height()


@pytest.mark.parametrize("other", ["hospital_\nownexship", "hospixal_\nownership"])
def test_each_letter_of_a_title_is_seen_where_columns_are_narrow(qtbot, other):
    names = ["hospital_\nownership", "care_days", "sex"]
    image, high = picture_of_titles(qtbot, names, NARROWEST)
    assert image != picture_of_titles(qtbot, [other, *names[1:]], NARROWEST)[0]
    assert high > 60
    assert picture_of_titles(qtbot, names, WIDEST)[1] < high


def test_words_that_do_not_fit_stand_below_the_name(qtbot):
    words = PhraseList()
    qtbot.addWidget(words)
    words.show_phrases([CELLS["kept"], CELLS["joined"]])
    words.resize(600, 100)
    words.show()
    names, texts = zip(*((name, text) for _, name, text in words._rows), strict=True)
    assert texts[1].y() <= names[1].y() + names[1].height()
    words.resize(90, 100)
    QApplication.processEvents()
    assert texts[1].y() >= names[1].y() + names[1].height()


def test_words_stand_in_one_column_or_all_below_their_names(qtbot):
    words = PhraseList()
    qtbot.addWidget(words)
    words.show_phrases([CELLS["kept"], CELLS["joined"], CELLS["removed"]])
    words.show()
    seen = set()
    for width in range(words.minimumSizeHint().width(), 400, 3):
        words.resize(width, words.heightForWidth(width))
        QApplication.processEvents()
        (x,) = {text.x() for _glyph, _name, text in words._rows}
        (beside,) = {text.y() <= name.y() for _glyph, name, text in words._rows}
        names = [name.geometry().right() for _glyph, name, _text in words._rows]
        assert not beside or x > max(names)
        for _glyph, _name, text in words._rows:
            needed = text.fontMetrics().horizontalAdvance(text.text())
            assert text.width() >= (needed if beside else 0)
        seen.add(beside)
    assert seen == {False, True}


def test_a_unit_stands_beside_its_number_where_it_has_room(qtbot):
    figures = FigureGrid()
    qtbot.addWidget(figures)
    shown = [("Suppressed", "2,772", "people (3.9 %)"), ("Highest risk", "20 %", "")]
    figures.show_figures([Figure(*each, "", 0.0) for each in shown])
    figures.show()
    (_, number, unit), (_, other, _) = figures._rows
    for width, is_beside in ((300, True), (figures.minimumSizeHint().width(), False)):
        figures.resize(width, 100)
        QApplication.processEvents()
        assert (unit.y() < number.geometry().bottom()) == is_beside
        assert unit.geometry().right() == other.geometry().right()


def test_the_search_is_what_comes_next_until_something_is_found(shown):
    shown.look.set_open(True)
    assert shown.look.run_button.property("kind") == "plain"
    shown.look.options["alternatives"].click()
    assert shown.look.run_button.property("kind") == "primary"


def test_cells_speak_to_screen_readers_and_under_the_pointer(shown):
    model = shown.results.views.policies
    for place, column in enumerate(model.columns):
        index = model.index(0, place)
        said = index.data(Qt.ItemDataRole.AccessibleTextRole)
        assert said.startswith(
            column.explanation if column.attribute >= 0 else column.name
        )
        assert index.data(Qt.ItemDataRole.ToolTipRole)
        assert (index.data(CELL_ROLE) is not None) == (column.attribute >= 0)


def test_the_wheel_scrolls_the_list_and_arrows_select(shown, qtbot):
    shown.results.filters.set_feasible(False)
    table = shown.results.views.table
    table.setFixedHeight(150)
    QApplication.processEvents()
    bar = table.verticalScrollBar()
    at = QPointF(table.viewport().rect().center())
    event = QWheelEvent(
        at,
        table.viewport().mapToGlobal(at),
        QPoint(0, -120),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(table.viewport(), event)
    assert bar.value() > 0
    table.selectRow(0)
    qtbot.keyClick(table, Qt.Key.Key_Down)
    assert shown.number == shown.results.views.policies.number_at(1)


def test_texts_are_made_for_visible_rows_only(shown):
    asked = []
    model = shown.results.views.policies
    candidate = model._candidate
    model._candidate = lambda number: asked.append(number) or candidate(number)
    table = shown.results.views.table
    table.setFixedHeight(table.horizontalHeader().height() + 70)
    QApplication.processEvents()
    asked.clear()
    table.grab()
    assert 0 < len(set(asked)) <= 5
    assert model.rowCount() > 5
    assert np.isin(asked, model.numbers).all()
