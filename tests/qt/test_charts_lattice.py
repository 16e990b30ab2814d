"""The lattice on screen: picked, walked through, searched, what-if, many nodes."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPixmap

from deidgui.app.charts.lattice import lattice_layout
from deidgui.app.charts.phrases import Phrase
from deidgui.app.charts.plane import Flag
from deidgui.engine.search.lattice import Lattice
from deidgui.qt.charts.cloud import DISC, RING, masks, stamp
from deidgui.qt.charts.colours import luminance
from deidgui.qt.charts.key import Shape
from deidgui.qt.charts.lattice_view import LatticeView, NodeMark, named_levels
from deidgui.qt.charts.pictures import svg_bytes
from deidgui.qt.theme import Mode, apply_theme, tokens

HEIGHTS = (2, 4, 1)
NAMES = ("sex", "age", "race")


def layout_of(heights=HEIGHTS, names=NAMES):
    lattice = Lattice(heights, (0,) * len(heights), heights)
    sums = lattice.level_sums
    return lattice_layout(
        names, lattice, loss=sums / max(1, sums.max()), feasible=sums >= 3
    )


@pytest.fixture
def view(qtbot):
    view = LatticeView(describe=lambda node: (f"node {node}",))
    qtbot.addWidget(view)
    view.resize(700, 520)
    view.set_chart(layout_of())
    view.show()
    view.grab()
    return view


def key(qtbot, view, *keys):
    for each in keys:
        qtbot.keyClick(view, each)


def test_keys_walk_up_down_and_aside(view, qtbot):
    lattice = view.chart.lattice
    key(qtbot, view, Qt.Key.Key_Home)
    assert view.selected == 0
    key(qtbot, view, Qt.Key.Key_Up)
    first = view.selected
    assert first in lattice.successors(0).tolist()
    key(qtbot, view, Qt.Key.Key_Right)
    second = view.selected
    assert second in lattice.successors(0).tolist()
    assert second != first
    key(qtbot, view, Qt.Key.Key_Down)
    assert view.selected == 0
    key(qtbot, view, Qt.Key.Key_Down)
    assert view.selected == 0
    key(qtbot, view, Qt.Key.Key_End)
    assert view.selected == lattice.n_nodes - 1


def test_every_node_is_reached_by_keys(view, qtbot):
    """Up, and Right through the siblings, and Left to the end of the band."""
    seen = set()
    key(qtbot, view, Qt.Key.Key_Home)
    for _row in range(sum(HEIGHTS) + 1):
        view._family = []
        here = view.selected
        while (left := view.chart.beside(here, -1)) != here:
            here = left
        view.select(here)
        seen.add(view.selected)
        for _step in range(40):
            key(qtbot, view, Qt.Key.Key_Right)
            seen.add(view.selected)
        key(qtbot, view, Qt.Key.Key_Up)
    assert seen == set(range(view.chart.n_nodes))


def test_click_selects_and_enter_chooses(view, qtbot):
    node = view.chart.lattice.node((1, 2, 0))
    box = view.plot.getViewBox()
    point = QPointF(view.chart.x[node], view.chart.y[node])
    at = view.plot.mapFromScene(box.mapViewToScene(point))
    with qtbot.waitSignal(view.node_selected) as signal:
        qtbot.mouseClick(view.plot.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert signal.args == [node]
    assert view.card_lines[0] == f"node {node}"
    # Also where the axis has no room for it.
    assert view.card_lines[1] == "Steps of generalization: 3"
    with qtbot.waitSignal(view.node_chosen) as signal:
        key(qtbot, view, Qt.Key.Key_Return)
    assert signal.args == [node]


@pytest.mark.parametrize(
    ("text", "levels"),
    [
        ("1 2 0", (1, 2, 0)),
        ("120", (1, 2, 0)),
        ("[1, 2, 0]", (1, 2, 0)),
        ("age 2", (0, 2, 0)),
        ("AG=3, r: 1", (0, 3, 1)),
        ("9 9 9", None),
        ("1 2", None),
        ("colour 2", None),
    ],
)
def test_typed_levels_find_their_node(view, text, levels):
    wanted = None if levels is None else view.chart.lattice.node(levels)
    assert view.node_of(text) == wanted


def test_the_field_jumps_and_says_when_it_cannot(view, qtbot):
    view.field.setText("1 2 0")
    with qtbot.waitSignal(view.node_selected):
        qtbot.keyClick(view.field, Qt.Key.Key_Return)
    view.field.setText("nothing")
    qtbot.keyClick(view.field, Qt.Key.Key_Return)
    assert view.field.property("state") == "error"
    view.find_node = lambda text: 5 if text == "nothing" else None
    qtbot.keyClick(view.field, Qt.Key.Key_Return)
    assert view.selected == 5


def test_the_field_has_an_example_of_its_own_chart(view):
    typed = view.field.placeholderText().removeprefix("3 levels, as ")
    assert view.node_of(typed) is not None
    assert "sex, age, race" in view.field.toolTip()
    view.set_chart(layout_of((2, 4, 1, 3, 2), ("a", "b", "c", "d", "e")))
    view.grab()
    typed = view.field.placeholderText().removeprefix("5 levels, as ")
    assert len(typed.split()) == 5


def test_the_key_shows_what_misses_the_thresholds_as_it_is_drawn(qtbot):
    """A ring of a few pixels is a dot; where there is room for it, it is a ring."""
    view = LatticeView()
    qtbot.addWidget(view)
    view.resize(700, 520)
    view.set_chart(layout_of((3, 3, 3, 3, 3, 3), tuple("abcdef")))
    view.show()
    view.grab()
    assert view._cloud.size < 8
    assert Shape.SMALL_DOT in shapes(view)
    view.set_chart(layout_of())
    view.grab()
    assert view._cloud.size > 8
    assert Shape.HOLLOW_DOT in shapes(view)
    assert Shape.SMALL_DOT not in shapes(view)


def shapes(view):
    return {entry.shape for entry in view.key.entries}


def test_names_must_be_unambiguous():
    assert named_levels("marital 1", ["marital-status", "age"]) == {0: 1}
    assert named_levels("a 1", ["age", "area"]) == {}


def test_what_if_recolours_without_moving(view):
    before = view.grab().toImage()
    places = view.plot.getViewBox().viewRange()
    n_nodes = view.chart.n_nodes
    view.set_values(np.linspace(1, 0, n_nodes), np.zeros(n_nodes, np.bool_))
    assert view.grab().toImage() != before
    assert view.plot.getViewBox().viewRange() == places
    assert view.accessibleDescription() == "None of 30 policies meets the thresholds."


def test_edges_are_drawn_only_where_they_can_be_seen(view, qtbot):
    view.settle()
    x, _ = view._all_edges.getData()
    assert len(x) == 2 * len(view.chart.edges(np.arange(view.chart.n_nodes)))
    view.set_chart(layout_of((9, 9, 9, 1), "abcd"))
    view.settle()
    assert view._all_edges is None


def test_selection_draws_the_edges_of_its_node(view):
    node = view.chart.lattice.node((1, 2, 0))
    view.select(node)
    up, down, rings = view._edge_items
    assert len(up.getData()[0]) == 2 * len(view.chart.successors(node))
    assert len(down.getData()[0]) == 2 * len(view.chart.predecessors(node))
    assert (
        len(rings.data) == 1 + len(up.getData()[0]) // 2 + len(down.getData()[0]) // 2
    )


def test_the_key_says_all_that_is_drawn(view):
    def texts():
        return [each.text for each in view.key.entries]

    assert texts()[-1] == "Does not meet them; drawn whatever the filter"
    view.select(4, is_reported=False)
    assert texts()[-2:] == ["One step more than the selected policy", "One step less"]
    lines = [each.shape for each in view.key.entries][-2:]
    assert lines == [Shape.SOLID_LINE, Shape.DASHED_LINE]
    chart = view.chart
    assert "Left out by the filter" not in texts()
    left_out = np.where(np.arange(chart.n_nodes) % 2, chart.loss, np.nan)
    view.set_values(left_out, chart.feasible)
    assert "Left out by the filter" in texts()
    is_measured = np.arange(chart.n_nodes) > 2
    view.set_chart(
        lattice_layout(
            NAMES,
            chart.lattice,
            loss=np.where(is_measured, chart.loss, np.nan),
            feasible=chart.feasible & is_measured,
        )
    )
    assert any(
        each.startswith("Does not meet them, or not measured") for each in texts()
    )


def test_steps_of_a_part_are_counted_from_all_values_in_full(view):
    lattice = Lattice(HEIGHTS, (1, 2, 0), HEIGHTS)
    view.set_chart(lattice_layout(NAMES, lattice, loss=np.linspace(0, 1, 12)))
    axis = view.plot.getAxis("left")
    assert axis.tickStrings([view.chart.band_y[0]], 1.0, 1.0) == ["3"]


def test_marks_stay_and_are_named(view):
    view.set_marks([NodeMark(Flag.OPTIMUM, 7, Phrase("optimum"))])
    assert view.stop(7).lines[0] == "best"
    assert "best" in svg_bytes(view).decode()


def test_a_lattice_of_one_node_and_none_at_all(qtbot):
    view = LatticeView()
    qtbot.addWidget(view)
    view.resize(400, 300)
    view.set_chart(layout_of((0,), ("sex",)))
    view.show()
    view.grab()
    key(qtbot, view, Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Right)
    assert view.selected == 0
    view.set_chart(None)
    assert view.node_of("1") is None


def test_a_hundred_thousand_nodes_are_drawn_and_picked(qtbot):
    view = LatticeView()
    qtbot.addWidget(view)
    view.resize(1000, 700)
    layout = layout_of((9, 9, 9, 9, 9), tuple("abcde"))
    view.set_chart(layout)
    view.show()
    view.grab()
    node = 54_321
    assert view.nearest(float(layout.x[node]), float(layout.y[node])) == node
    view.select(node)
    view.zoom(0.05)
    image = view.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    assert len(np.unique(np.frombuffer(image.constBits(), np.uint32))) > 10


@pytest.mark.parametrize("mode", [Mode.LIGHT, Mode.DARK])
def test_nodes_that_miss_the_thresholds_can_be_seen(view, qapp, mode):
    """Contrast of what is drawn with what is below it, as WCAG 2 asks of graphics."""
    apply_theme(qapp, mode)
    view.set_values(np.full(30, np.nan), np.zeros(30, np.bool_))
    picture = QPixmap(view.plot.size())
    picture.fill(QColor(tokens().colours.canvas))
    painter = QPainter(picture)
    view.plot.render(painter)
    painter.end()
    picture = picture.toImage()
    background = luminance(tokens().colours.canvas)
    box = view.plot.getViewBox()
    for node in (0, 11, 29):
        point = QPointF(view.chart.x[node], view.chart.y[node])
        at = view.plot.mapFromScene(box.mapViewToScene(point))
        around = [
            luminance(picture.pixelColor(at.x() + dx, at.y() + dy).name())
            for dx in range(-9, 10)
            for dy in range(-9, 10)
        ]
        contrasts = [
            (max(each, background) + 0.05) / (min(each, background) + 0.05)
            for each in around
        ]
        assert max(contrasts) >= 3, node


@pytest.mark.parametrize("size", [(700, 520), (260, 170), (340, 120)])
def test_the_card_never_covers_what_it_explains(view, qapp, size):
    view.describe = lambda node: [f"column {n}: many words on it" for n in range(7)]
    view.resize(*size)
    view.grab()
    box = view.plot.getViewBox()
    for node in range(view.chart.n_nodes):
        view.go_to(node)
        point = QPointF(view.chart.x[node], view.chart.y[node])
        at = view.plot.mapFromScene(box.mapViewToScene(point))
        assert not view._card.geometry().contains(at), node


# Stamps


def test_stamps_stand_where_their_points_are():
    at = (np.array([10.0, 30.0]), np.array([12.0, 12.0]))
    red = QColor("#ff0000").rgb()
    blue = QColor("#0000ff").rgb()
    picture = stamp(at, np.array([0, 2]), (red, blue), 6.0, (24, 40))
    assert picture[12, 10] == red
    assert picture[12, 30] == blue
    for x in (10, 30):
        rows, columns = np.nonzero(picture[:, x - 8 : x + 8])
        assert abs(rows.mean() - 11.5) <= 0.5
        assert abs(columns.mean() - 7.5) <= 0.5
    assert picture[12, 20] == 0


def test_what_meets_the_models_is_never_hidden():
    at = (np.array([8.0, 8.0]), np.array([8.0, 8.0]))
    red, blue = QColor("#ff0000").rgb(), QColor("#0000ff").rgb()
    kinds = np.array([2 * 0 + DISC, 2 * 1 + RING])
    picture = stamp(at, kinds, (red, blue), 8.0, (16, 16))
    assert picture[8, 8] == red


@pytest.mark.parametrize("size", [1.0, 2.0, 3.25, 6.5, 15.0])
def test_rings_and_discs_differ_in_shape(size):
    disc, ring = masks(size)
    assert disc.shape == ring.shape
    assert (disc > 0).sum() > (ring > 0).sum() > 0 or size == 1.0
    if size >= 4:
        middle = disc.shape[0] // 2
        assert disc[middle, middle] == 1
        assert ring[middle, middle] < 1
    np.testing.assert_array_equal(disc, disc[::-1, ::-1])
