"""Charts on screen: drawn, read by keyboard, copied, saved, recoloured."""

from __future__ import annotations

import itertools
import logging
import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import numpy as np
import pyqtgraph as pg
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QAccessible,
    QColor,
    QFontMetricsF,
    QGuiApplication,
    QImage,
    QStandardItemModel,
)
from PySide6.QtWidgets import QTableView, QWidget

from deidgui.app.charts import classes, columns, curves, plane, tables
from deidgui.app.charts.base import Axis, AxisUnit
from deidgui.app.charts.phrases import Phrase, plain
from deidgui.qt.charts.axis import ChartAxis
from deidgui.qt.charts.bars import BarView, HistogramView
from deidgui.qt.charts.frame import ChartFrame, file_name
from deidgui.qt.charts.heat_map import HeatMapView
from deidgui.qt.charts.key import KeyEntry, Shape, key_lines, key_width
from deidgui.qt.charts.lines import LineView
from deidgui.qt.charts.note import Note
from deidgui.qt.charts.pictures import png_bytes, svg_bytes
from deidgui.qt.charts.plane_view import ScatterPlane
from deidgui.qt.charts.spark import SparkDelegate, Sparkline
from deidgui.qt.charts.view import CalmPlot
from deidgui.qt.theme import Mode, apply_theme, tokens
from deidgui.qt.widgets import row

SECRET = "Sentinel <b>Müller</b>"
SIZES = np.array([1, 1, 2, 3, 8, 40, 200])
CODES = np.tile(np.arange(4, dtype=np.int32), 25)


def bars():
    released = columns.Released(np.array([0, 0, 1], np.int32), np.array([70, 12]))
    return columns.value_distribution(
        "sex", [SECRET, "w", ""], np.array([50, 30, 20]), released
    )


def points(n=200, seed=1):
    rng = np.random.default_rng(seed)
    return plane.risk_utility_plane(
        np.arange(n) + 1000,
        rng.random(n),
        rng.random(n),
        np.arange(n) % 3 > 0,
        optimum=1001,
        chosen=1002,
        kept=[1004],
        references=[plane.Reference(plain("Safe Harbor"), 0.5, 0.5)],
        threshold=0.3,
    )


def heat():
    coded = tables.Coded("race", [SECRET, "b", "c", "d"], CODES)
    pair = coded, tables.Coded("age", list("wxyz"), CODES[::-1])
    return tables.cross_tables(pair, pair, 0.0)[0]


def test_a_cell_of_nothing_is_written_as_one_that_is_measured():
    """A blank cell looks as if nobody had measured it; one near 0 is no 0."""
    view = HeatMapView()
    names = ("a", "b", "c")
    values = np.array([[1.0, 0.0, 0.004], [0.0, 1.0, np.nan], [0.004, np.nan, 1.0]])
    chart = tables.association_map(names, values)
    written = {(e.place.x(), -e.place.y()): e.text for e in view._texts(chart)}
    assert written[1, 0] == written[0, 1] == "0"
    assert written[2, 0] == "0.00"
    assert (2, 1) not in written


CASES = {
    "bars": (BarView, bars),
    "sizes": (
        HistogramView,
        lambda: classes.class_size_histogram(SIZES, SIZES[4:], k=5),
    ),
    "numbers": (
        HistogramView,
        lambda: columns.number_distribution(
            "age", np.arange(80.0), np.arange(80) % 9 + 1
        ),
    ),
    "risk": (
        LineView,
        lambda: classes.cumulative_risk(
            classes.Candidates.prosecutor(SIZES), threshold=0.2
        ),
    ),
    "limits": (
        LineView,
        lambda: curves.loss_by_limit(
            np.linspace(0, 0.1, 11), np.where(np.arange(11) < 3, np.nan, 0.4), 0.05
        ),
    ),
    "heat": (HeatMapView, heat),
    "plane": (ScatterPlane, points),
}


@pytest.fixture(params=CASES)
def frame(request, qtbot):
    view, chart = CASES[request.param]
    frame = ChartFrame(view())
    qtbot.addWidget(frame)
    frame.resize(560, 420)
    frame.set_chart(chart())
    frame.show()
    return frame


@pytest.mark.parametrize(("threshold", "is_below"), [(0.99, True), (0.5, False)])
def test_the_name_of_a_threshold_is_seen_where_it_is_the_highest(
    qtbot, threshold, is_below
):
    risks = np.linspace(0.0, threshold, 50)
    chart = plane.risk_utility_plane(
        np.arange(50), np.linspace(0.0, 1.0, 50), risks, risks < 1, threshold=threshold
    )
    view = ScatterPlane()
    qtbot.addWidget(view)
    view.resize(560, 300)
    view.set_chart(chart)
    view.show()
    box = view.plot.getViewBox()
    if not is_below:
        box.setRange(yRange=(0.0, 1.0), padding=0)
    view.settle()
    view.grab()
    (name,) = (i for i in view.plot.scene().items() if isinstance(i, pg.InfLineLabel))
    seen = box.mapRectToScene(box.boundingRect())
    drawn = name.mapRectToScene(name.boundingRect())
    assert seen.top() <= drawn.top()
    place = box.mapViewToScene(QPointF(0, threshold)).y()
    assert (drawn.center().y() > place) is is_below


def colours(image: QImage) -> int:
    """Distinct colours of a picture."""
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint32)
    return len(np.unique(pixels))


def test_draws_something_in_light_and_dark(frame, qapp):
    light = frame.view.grab().toImage()
    assert colours(light) > 5
    apply_theme(qapp, Mode.DARK)
    dark = frame.view.grab().toImage()
    assert colours(dark) > 5
    assert light != dark
    assert frame.view.look.is_dark


def test_no_drawing_says_what_it_is_to_screen_readers(frame):
    view = frame.view
    assert view.accessibleName() == view.chart.title.text()
    assert view.accessibleDescription() == view.chart.sentence.text()
    interface = QAccessible.queryAccessibleInterface(view)
    assert interface.text(QAccessible.Text.Name) == view.accessibleName()
    for button in frame._buttons:
        assert button.accessibleName()
        assert button.focusPolicy() & Qt.FocusPolicy.TabFocus


def test_svg_keeps_text_as_text(frame):
    root = ElementTree.fromstring(svg_bytes(frame.view))
    texts = ["".join(node.itertext()) for node in root.iter() if "text" in node.tag]
    assert frame.view.chart.title.text() in texts
    assert len(texts) >= 4


def test_png_is_sharp_and_light_whatever_the_theme(frame, qapp):
    image = QImage.fromData(png_bytes(frame.view))
    assert image.width() > 2 * frame.view.plot.width()
    assert colours(image) > 5
    apply_theme(qapp, Mode.DARK)
    again = QImage.fromData(png_bytes(frame.view))
    assert again.pixelColor(1, 1) == image.pixelColor(1, 1)
    assert frame.view.look.is_dark


def test_copies_numbers_as_tab_separated_text(frame):
    frame.copy_numbers()
    lines = QGuiApplication.clipboard().text().splitlines()
    widths = {line.count("\t") for line in lines}
    assert len(widths) == 1
    assert widths.pop() >= 1
    assert len(lines) == len(frame.view.chart.to_table().rows) + 1


def test_copies_the_picture(frame):
    frame.copy_picture()
    assert not QGuiApplication.clipboard().image().isNull()


def test_arrow_keys_read_the_chart(frame, qtbot):
    view = frame.view
    view.setFocus()
    with qtbot.waitSignal(view.stop_changed):
        qtbot.keyClick(view, Qt.Key.Key_Right)
    first = view.card_lines
    assert first
    assert view.accessibleDescription() == ". ".join(first)
    qtbot.keyClick(view, Qt.Key.Key_Right)
    assert view.card_lines != first
    qtbot.keyClick(view, Qt.Key.Key_End)
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert view.card_lines == ()


def test_pointing_shows_the_card_and_leaving_hides_it(frame, qapp):
    view = frame.view
    view.grab()
    stop = view.stop(0)
    at = view.plot.getViewBox().mapViewToScene(QPointF(stop.x, stop.y))
    view._on_mouse_moved(at)
    assert view.card_lines
    qapp.sendEvent(view.plot.viewport(), QEvent(QEvent.Type.Leave))
    assert view.card_lines == ()


def test_nothing_to_show_says_why(frame):
    frame.set_chart(None)
    assert frame.view._nothing.text() == "There is nothing to show yet."
    assert not any(button.isEnabled() for button in frame._buttons)
    assert colours(frame.grab().toImage()) > 1


def test_an_empty_release_says_so(qtbot):
    frame = ChartFrame(LineView())
    qtbot.addWidget(frame)
    nobody = classes.Candidates.prosecutor(np.empty(0, np.int64))
    frame.set_chart(classes.cumulative_risk(nobody, nobody))
    assert frame.view._nothing.text() == "Nothing is left in the release."
    frame.view.setFocus()
    qtbot.keyClick(frame.view, Qt.Key.Key_Right)
    assert frame.view.card_lines == ()


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_saves_pictures_whole_or_says_why_not(qtbot, tmp_path, kind):
    answers = [str(tmp_path / "risk"), str(tmp_path / "no" / "risk"), ""]
    frame = ChartFrame(BarView(), ask=lambda *_: answers.pop(0))
    qtbot.addWidget(frame)
    frame.set_chart(bars())
    told = []
    frame.reported.connect(told.append)
    save = frame.save_png if kind == "png" else frame.save_svg
    save()
    assert (tmp_path / f"risk.{kind}").stat().st_size > 500
    assert told == [f"Saved as risk.{kind}."]
    save()
    assert "could not be written" in told[1]
    save()
    assert len(told) == 2


def test_labels_are_never_read_as_markup_or_logged(qtbot, caplog):
    caplog.set_level(logging.DEBUG)
    frame = ChartFrame(BarView())
    qtbot.addWidget(frame)
    frame.set_chart(bars())
    frame.grab()
    frame.view.go_to(0)
    svg = svg_bytes(frame.view).decode()
    assert "&lt;b&gt;" in svg
    assert frame.view.card_lines[0] == SECRET
    assert "Sentinel" not in caplog.text
    assert "Sentinel" not in repr(frame.view.chart) + repr(frame.view)
    assert "Sentinel" not in file_name(frame._title.text())


def test_pages_scroll_over_charts_that_do_not_zoom(qtbot):
    view = BarView()
    qtbot.addWidget(view)
    view.set_chart(bars())
    assert view.plot.scene().contextMenu == []
    assert not view.plot.getViewBox().mouseEnabled()[0]


# The plane


@pytest.fixture
def scatter(qtbot):
    view = ScatterPlane(describe=lambda policy: (f"policy {policy}",))
    qtbot.addWidget(view)
    view.resize(600, 450)
    view.set_chart(points())
    view.show()
    view.grab()
    return view


def click(qtbot, view, x, y, modifier=Qt.KeyboardModifier.NoModifier):
    at = view.plot.mapFromScene(view.plot.getViewBox().mapViewToScene(QPointF(x, y)))
    qtbot.mouseClick(view.plot.viewport(), Qt.MouseButton.LeftButton, modifier, at)


def test_click_selects_the_policy_there(scatter, qtbot):
    chart = scatter.chart
    row = int(np.argmax(chart.x))
    with qtbot.waitSignal(scatter.policy_selected) as signal:
        click(qtbot, scatter, chart.x[row], chart.y[row])
    assert signal.args == [int(chart.policies[row])]
    with qtbot.assertNotEmitted(scatter.policy_selected, wait=20):
        click(qtbot, scatter, 1.04, 1.04)


def test_shift_and_drag_selects_what_is_inside(scatter, qtbot):
    view, chart = scatter.plot.viewport(), scatter.chart
    box = scatter.plot.getViewBox()

    def at(x, y) -> QPoint:
        return scatter.plot.mapFromScene(box.mapViewToScene(QPointF(x, y)))

    before = box.viewRange()
    shift = Qt.KeyboardModifier.ShiftModifier
    with qtbot.waitSignal(scatter.policies_selected) as signal:
        qtbot.mousePress(view, Qt.MouseButton.LeftButton, shift, at(0.1, 0.1))
        for part in (0.3, 0.45, 0.6):
            move(view, at(part, part), shift)
        qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, shift, at(0.6, 0.6))
    inside = (chart.x > 0.1) & (chart.x < 0.6) & (chart.y > 0.1) & (chart.y < 0.6)
    found = set(signal.args[0].tolist())
    wanted = set(chart.policies[inside].tolist())
    # A pixel at the edge of the frame may hold a point more or less.
    assert len(found ^ wanted) <= 3
    assert box.viewRange() == before


def move(widget, at, modifier):
    from PySide6.QtGui import QMouseEvent
    from PySide6.QtWidgets import QApplication

    event = QMouseEvent(
        QEvent.Type.MouseMove,
        QPointF(at),
        widget.mapToGlobal(QPointF(at)),
        Qt.MouseButton.NoButton,
        Qt.MouseButton.LeftButton,
        modifier,
    )
    QApplication.sendEvent(widget, event)


def test_keys_walk_along_the_frontier_and_enter_selects(scatter, qtbot):
    scatter.setFocus()
    qtbot.keyClick(scatter, Qt.Key.Key_Right)
    first = int(scatter.chart.frontier[0])
    assert f"policy {scatter.chart.policies[first]}" in scatter.card_lines
    with qtbot.waitSignal(scatter.policy_selected) as signal:
        qtbot.keyClick(scatter, Qt.Key.Key_Return)
    assert signal.args == [int(scatter.chart.policies[first])]
    qtbot.keyClick(scatter, Qt.Key.Key_Left)
    assert f"policy {scatter.chart.policies[first]}" in scatter.card_lines


def test_zoom_keys_and_recolouring_keep_the_view(scatter, qtbot, qapp):
    box = scatter.plot.getViewBox()
    whole = box.viewRange()
    qtbot.keyClick(scatter, Qt.Key.Key_Plus)
    zoomed = box.viewRange()
    assert zoomed[0][1] - zoomed[0][0] < whole[0][1] - whole[0][0]
    apply_theme(qapp, Mode.DARK)
    assert box.viewRange() == zoomed
    qtbot.keyClick(scatter, Qt.Key.Key_0)
    assert np.allclose(box.viewRange(), whole)


def test_marked_points_name_themselves(scatter):
    names = {
        note.text.strip()
        for note in scatter.plot.items()
        if hasattr(note, "text") and isinstance(note.text, str)
    }
    assert {"best", "chosen", "kept", "Safe Harbor"} <= names
    row = int(np.flatnonzero(scatter.chart.policies == 1001)[0])
    assert scatter.stop(row).lines[0] == "best"


# Small distributions


def test_spark_delegate_asks_for_visible_rows_only(qtbot):
    asked = set()
    spark = columns.value_spark(np.array([5, 3, 1]))

    def spark_at(index):
        asked.add(index.row())
        return spark

    model = QStandardItemModel(1000, 1)
    table = QTableView()
    qtbot.addWidget(table)
    table.setModel(model)
    table.setItemDelegateForColumn(0, SparkDelegate(spark_at, table))
    table.resize(300, 300)
    table.show()
    image = table.grab().toImage()
    assert 0 < len(asked) < 60
    assert colours(image) > 3


@pytest.mark.parametrize("is_ordered", [True, False])
def test_ordered_bars_stand_for_their_whole_range(qtbot, is_ordered):
    """Room at the right would look like values that no row has."""
    line = Sparkline(columns.value_spark(np.ones(24, int), is_ordered=is_ordered))
    qtbot.addWidget(line)
    line.resize(600, 24)
    line.show()
    look = tokens().chart
    colour = QColor(look.after if is_ordered else look.before)
    seen = line.grab().toImage()
    last = max(x for x in range(600) if seen.pixelColor(x, 12) == colour)
    assert last >= 597 if is_ordered else last < 240


@pytest.mark.parametrize(("n_bars", "gap"), [(12, 1), (32, 0)])
def test_ordered_bars_are_equally_far_apart(qtbot, n_bars, gap):
    """A wider gap would look like values that no row has."""
    line = Sparkline(columns.value_spark(np.ones(n_bars, int), n_bars=32))
    line.set_spark(replace(line._spark, is_ordered=True))
    qtbot.addWidget(line)
    line.resize(124, 24)
    line.show()
    seen, bar = line.grab().toImage(), QColor(tokens().chart.after)
    row = "".join("#" if seen.pixelColor(x, 12) == bar else "." for x in range(124))
    gaps = re.findall(r"\.+", row.rstrip("."))
    assert gaps == ["." * gap] * (n_bars - 1 if gap else 0)
    bars = {len(each) for each in row.split(".") if each}
    assert max(bars) - min(bars) <= 1


def test_sparkline_has_words(qtbot):
    line = Sparkline(columns.value_spark(np.array([6, 2])))
    qtbot.addWidget(line)
    assert line.accessibleName().startswith("2 distinct values")
    assert colours(line.grab().toImage()) > 1
    line.set_spark(None)
    assert line.accessibleName() == ""


def test_a_title_is_whole_and_the_pictures_beside_begin_together(qtbot):
    page, frames = QWidget(), [ChartFrame(HistogramView()) for _ in range(2)]
    qtbot.addWidget(page)
    page.setLayout(row(*((each, 1) for each in frames)))
    frames[0].level_with(frames[1])
    names = "age at the first admission to a ward", "age"
    for frame, name in zip(frames, names, strict=True):
        chart = columns.number_distribution(name, np.arange(9.0), np.ones(9, int))
        frame.set_chart(chart)
    page.resize(700, 400)
    page.show()
    long = frames[0]._title
    qtbot.waitUntil(lambda: long.width() >= long.sizeHint().width())
    qtbot.waitUntil(lambda: frames[0].view.y() == frames[1].view.y())
    top = frames[0].view.y()
    page.resize(1200, 400)  # there the buttons stand beside it
    qtbot.waitUntil(lambda: frames[0].view.y() == frames[1].view.y() < top - 15)
    assert long.width() >= long.sizeHint().width()


def test_a_plot_is_made_when_there_is_something_to_draw(qtbot):
    view = BarView()
    qtbot.addWidget(view)
    view.set_chart(None)
    assert not view.findChildren(CalmPlot)
    assert view.card_lines == ()


def test_a_plot_has_no_widgets_of_a_menu_that_nobody_sees(qtbot):
    item = pg.PlotItem()
    said = {
        name: (control.isChecked() if hasattr(control, "isChecked") else None)
        for name, control in vars(item.ctrl).items()
    }
    item.ctrlMenu.deleteLater()
    plot = CalmPlot(is_movable=False)
    qtbot.addWidget(plot)
    assert len(plot.findChildren(QWidget)) < 8
    kept = plot.getPlotItem().ctrl
    for name, is_checked in said.items():
        if is_checked is not None:
            assert getattr(kept, name).isChecked() is is_checked, name


def test_words_of_an_axis_have_room_and_its_last_name_is_there(qapp, themed):
    axis = ChartAxis("bottom")
    axis.set_tokens(themed.tokens)
    axis.set_axis(Axis(Phrase("before"), AxisUnit.SHARE, is_log=True), has_grid=False)
    metrics = QFontMetricsF(axis.style["tickFont"])
    for size in (300, 420, 500, 700, 1000):
        ((_, ticks),) = axis.tickValues(-4.0, 0.0, size)
        words = axis.tickStrings(ticks, 1.0, 1.0)
        places = [(each + 4) / 4 * size for each in ticks]
        for (at, word), (then, other) in itertools.pairwise(
            zip(places, words, strict=True)
        ):
            wide = metrics.horizontalAdvance(word) + metrics.horizontalAdvance(other)
            assert then - at > wide / 2, (size, word, other)
    names = [f"{n},000–{n},999" for n in range(8)]
    axis.set_names(names)
    for size in (200, 300, 460, 900):
        ((_, ticks),) = axis.tickValues(-0.5, 7.5, size)
        assert ticks[0] == 0
        assert ticks[-1] == 7


def test_every_bar_of_a_narrow_chart_has_its_name(qtbot):
    view = HistogramView()
    qtbot.addWidget(view)
    view.resize(360, 320)
    sizes = np.array([1, 3, 7, 15, 30, 70, 150, 300, 700, 3000])
    view.set_chart(classes.class_size_histogram(sizes, sizes[2:], k=5))
    with qtbot.waitExposed(view):
        view.show()
    axis = view.plot.getAxis("bottom")
    ((_, named),) = axis.tickValues(*axis.range, axis.size().width())
    assert len(named) == len(view.chart.labels)


def test_a_name_covers_no_points_where_it_has_another_place(qtbot):
    """The best one at the left end of a row of points; the risk begins near 0."""
    loss = np.append(np.linspace(0.2, 0.6, 60), [0.2, 0.6])
    risk = np.append(np.full(60, 0.2), [0.01, 0.02])
    view = ScatterPlane()
    qtbot.addWidget(view)
    view.resize(700, 400)
    view.set_chart(
        plane.risk_utility_plane(
            np.arange(62), loss, risk, np.ones(62, bool), optimum=0
        )
    )
    with qtbot.waitExposed(view):
        view.show()
    view.grab()
    box = view.plot.getViewBox()
    (note,) = [e for e in view.plot.scene().items() if isinstance(e, Note)]
    name = note.boundingRect().translated(box.mapViewToScene(note.pos()))
    at = [box.mapViewToScene(QPointF(x, y)) for x, y in zip(loss, risk, strict=True)]
    assert not any(map(name.contains, at))
    axis = view.plot.getAxis("left")
    low, high = box.viewRange()[1]
    ((spacing, ticks),) = axis.tickValues(low, high, box.height())
    assert axis.tickStrings(ticks, 1.0, spacing)[0] == "0\u202f%"
    assert low < 0


NEAR = [(0.0, 0.0), (0.02, 0.0), (0.0, 0.02), (-0.03, 0.01), (0.03, -0.02)]


@pytest.mark.parametrize("to_the_best", NEAR)
@pytest.mark.parametrize("size", [(420, 260), (900, 500)])
def test_names_of_marked_points_cover_no_shape_and_no_other_name(
    qtbot, to_the_best, size
):
    """The chosen policy near the best one, or the same, and a kept one beside."""
    dx, dy = to_the_best
    loss = np.array([0.4, 0.4 + dx, 0.36, 0.1, 0.9])
    risk = np.array([0.4, 0.4 + dy, 0.4, 0.1, 0.9])
    marks = {"optimum": 0, "chosen": 0 if to_the_best == (0.0, 0.0) else 1}
    chart = plane.risk_utility_plane(
        np.arange(5), loss, risk, np.ones(5, bool), kept=[2], **marks
    )
    view = ScatterPlane()
    qtbot.addWidget(view)
    view.resize(*size)
    view.set_chart(chart)
    with qtbot.waitExposed(view):
        view.show()
    view.grab()
    box = view.plot.getViewBox()
    shapes = [
        QRectF(-8.5, -8.5, 17, 17).translated(box.mapViewToScene(QPointF(e.x, e.y)))
        for e in chart.marked
    ]
    notes = [e for e in view.plot.scene().items() if isinstance(e, Note)]
    places = [e.boundingRect().translated(box.mapViewToScene(e.pos())) for e in notes]
    names = sorted(e.text for e in notes)
    one = marks["chosen"] == 0
    assert names == (["best, chosen", "kept"] if one else ["best", "chosen", "kept"])
    for name in places:
        assert box.sceneBoundingRect().contains(name)
        assert not any(map(name.intersects, shapes))
    for first, second in itertools.combinations(places, 2):
        assert not first.intersects(second)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ((0.0, 5_000.0, 20_000.0), ["0", "5,000", "20,000"]),
        ((0.0, 50_000.0, 200_000.0), ["0", "50\u202fk", "200\u202fk"]),
    ],
)
def test_numbers_of_an_axis_are_written_in_one_way(values, said):
    axis = ChartAxis("left")
    axis.set_axis(Axis(plain("n"), AxisUnit.COUNT), has_grid=False)
    assert axis.tickStrings(values, 1.0, values[1]) == said


def test_pictures_side_by_side_begin_at_one_height(qtbot):
    one, two = ChartFrame(LineView()), ChartFrame(LineView())
    one.level_with(two)
    both = QWidget()
    both.setLayout(row(one, two))
    qtbot.addWidget(both)
    both.resize(700, 400)
    both.show()
    one._sentence.setText("Short.")
    two._sentence.setText("Of many words, so that it has two lines. " * 3)
    one._sentence.show()
    two._sentence.show()
    both.resize(720, 400)
    qtbot.waitUntil(lambda: bool(one.view.y() == two.view.y() > 0), timeout=2000)
    assert two._sentence.height() > two.fontMetrics().height() * 2


def test_an_entry_of_the_key_that_is_too_long_takes_more_lines(qapp):
    metrics = QFontMetricsF(qapp.font())
    words = "Does not meet them; drawn whatever the filter"
    entries = [KeyEntry("Highest risk"), KeyEntry(words, Shape.HOLLOW_DOT, "#336699")]
    narrow = key_width(entries[1], metrics) / 2
    lines = key_lines(entries, narrow, metrics)
    assert all(key_width(part, metrics) <= narrow for line in lines for part in line)
    parts = [part for line in lines for part in line]
    assert " ".join(part.text for part in parts) == f"Highest risk {words}"
    # The shape is drawn once; what goes on stands below the words, not below it.
    assert [part.shape for part in parts[1:3]] == [Shape.HOLLOW_DOT, Shape.NOTHING]
    assert key_lines([KeyEntry("undivided")], 1, metrics) == [[KeyEntry("undivided")]]
