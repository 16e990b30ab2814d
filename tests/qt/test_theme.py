"""The look: readable, told apart by everybody, complete in both schemes."""

from __future__ import annotations

import gc
import itertools

import numpy as np
import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QIcon, QPalette, QPixmap
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit

from deidgui import resources
from deidgui.qt import icons
from deidgui.qt.theme import Mode, apply_theme, theme, tokens
from deidgui.qt.tokens import PALETTES

GROUNDS = {
    "text": ("canvas", "surface", "sunken", "raised", "rail", "hover", "selection"),
    "muted": ("canvas", "surface", "sunken", "raised", "rail", "hover", "pressed"),
    "subtle": ("canvas", "surface", "sunken"),
    "accent_text": ("canvas", "surface", "raised", "accent_soft"),
    "on_accent": ("accent", "accent_hover", "accent_pressed", "danger_fill"),
    "info": ("surface", "info_soft"),
    "success": ("surface", "canvas", "rail", "success_soft"),
    "warning": ("surface", "canvas", "rail", "warning_soft"),
    "danger": ("surface", "canvas", "danger_soft"),
    "quasi": ("quasi_soft",),
    "sensitive": ("sensitive_soft",),
    "tooltip_text": ("tooltip",),
}
"""Text colours and the grounds they stand on."""

MACHADO = {
    "protan": [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
    "deutan": [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
    "tritan": [[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]],
}
"""Machado, Oliveira and Fernandes (2009), severity 1, in linear RGB."""


def linear(colour: str) -> np.ndarray:
    channels = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(
        channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4
    )


def luminance(colour: str) -> float:
    return float(linear(colour) @ [0.2126, 0.7152, 0.0722])


def contrast(one: str, other: str) -> float:
    """WCAG 2.2, definition of contrast ratio."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def lab(rgb: np.ndarray) -> np.ndarray:
    """CIELAB of linear sRGB under D65."""
    to_xyz = [
        [0.4124, 0.3576, 0.1805],
        [0.2126, 0.7152, 0.0722],
        [0.0193, 0.1192, 0.9505],
    ]
    xyz = np.clip(np.array(to_xyz) @ rgb, 1e-9, None) / [0.9505, 1.0, 1.089]
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("scheme", PALETTES)
def test_every_text_colour_is_readable_on_its_grounds(scheme):
    colours, _chart = PALETTES[scheme]
    too_faint = [
        (
            text,
            background,
            round(contrast(getattr(colours, text), getattr(colours, background)), 2),
        )
        for text, grounds in GROUNDS.items()
        for background in grounds
        if contrast(getattr(colours, text), getattr(colours, background)) < 4.5
    ]
    assert not too_faint


@pytest.mark.parametrize("mode", [Mode.LIGHT, Mode.DARK])
@pytest.mark.parametrize("kind", [QLineEdit, QPlainTextEdit])
def test_what_stands_in_an_empty_field_is_readable(qtbot, themed, mode, kind):
    """Rules are said there; Qt would show the text's colour half through."""
    themed.set_mode(mode)
    field = kind()
    qtbot.addWidget(field)
    with qtbot.waitExposed(field):
        field.show()
    shown = field.palette().color(QPalette.ColorRole.PlaceholderText)
    ground = themed.tokens.colours.surface
    assert shown.alpha() == 255
    assert contrast(shown.name(), ground) >= 4.5


@pytest.mark.parametrize("scheme", PALETTES)
def test_edges_of_fields_and_the_accent_can_be_seen(scheme):
    colours, _chart = PALETTES[scheme]
    for name in ("accent", "field_line"):
        for background in ("surface", "canvas"):
            assert (
                contrast(getattr(colours, name), getattr(colours, background)) >= 3
            ), name


@pytest.mark.parametrize("blindness", MACHADO)
@pytest.mark.parametrize("scheme", PALETTES)
def test_series_can_be_told_apart_by_the_colour_blind(scheme, blindness):
    _colours, chart = PALETTES[scheme]
    seen = [
        lab(np.clip(np.array(MACHADO[blindness]) @ linear(each), 0, 1))
        for each in chart.categorical
    ]
    for one, other in itertools.combinations(seen, 2):
        # 15 is several times the just noticeable difference of about 2.3.
        assert np.linalg.norm(one - other) > 15


@pytest.mark.parametrize("scheme", PALETTES)
def test_series_can_be_seen_on_their_ground(scheme):
    _colours, chart = PALETTES[scheme]
    assert min(contrast(each, chart.background) for each in chart.categorical) >= 3


@pytest.mark.parametrize("scheme", PALETTES)
def test_the_sequential_scale_goes_one_way(scheme):
    _colours, chart = PALETTES[scheme]
    lightness = [luminance(each) for each in chart.sequential]
    steps = np.diff(lightness)
    assert (steps < 0).all() or (steps > 0).all()
    assert abs(lightness[0] - luminance(chart.background)) < abs(
        lightness[-1] - luminance(chart.background)
    )


def test_switching_the_scheme_changes_palette_style_and_tokens(qapp, qtbot):
    light = (
        tokens(),
        qapp.styleSheet(),
        qapp.palette().color(QPalette.ColorRole.Window),
    )
    with qtbot.waitSignal(theme().changed):
        theme().set_mode(Mode.DARK)
    dark = (
        tokens(),
        qapp.styleSheet(),
        qapp.palette().color(QPalette.ColorRole.Window),
    )
    assert tokens().is_dark
    assert all(one != other for one, other in zip(light, dark, strict=True))


def test_there_is_one_theme_for_one_application(qapp):
    assert apply_theme(qapp, Mode.DARK) is apply_theme(qapp, Mode.LIGHT) is theme()


def test_text_scales_with_everything_that_holds_it(qapp):
    before = tokens()
    theme().set_text_scale(1.5)
    after = tokens()
    assert after.type.body == pytest.approx(before.type.body * 1.5, abs=0.01)
    assert after.type.caption > before.type.caption
    assert after.control_height > before.control_height
    assert qapp.font().pointSizeF() == pytest.approx(after.type.body, abs=0.05)


def test_absurd_text_sizes_are_refused():
    theme().set_text_scale(100)
    assert theme().text_scale == 2.0


@pytest.mark.parametrize("scheme", [Mode.LIGHT, Mode.DARK])
def test_the_style_sheet_names_only_tokens_that_exist(scheme, qapp):
    apply_theme(qapp, scheme)
    assert "$" not in QApplication.instance().styleSheet()


def test_all_glyphs_are_on_one_grid_and_take_the_colour_of_the_theme():
    assert len(icons.icon_names()) >= 40
    for name in icons.icon_names():
        source = resources.path("icons", f"{name}.svg").read_text("utf-8")
        assert 'viewBox="0 0 24 24"' in source
        assert 'stroke="currentColor"' in source
        assert 'stroke-width="1.75"' in source
        assert "#" not in source, name


@pytest.mark.parametrize("name", icons.icon_names())
def test_every_glyph_draws_something_inside_its_square(name):
    image = icons.pixmap(name, "text", 24, 2.0).toImage()
    alpha = np.array(
        [
            [image.pixelColor(x, y).alpha() for x in range(image.width())]
            for y in range(image.height())
        ]
    )
    assert alpha.max() > 200
    assert alpha[[0, -1]].max() == 0
    assert alpha[:, [0, -1]].max() == 0


def test_an_icon_is_recoloured_when_the_theme_changes():
    made = icons.icon("check", "text")
    before = made.pixmap(24).toImage()
    theme().set_mode(Mode.DARK)
    assert made.pixmap(24).toImage() != before


def test_an_icon_is_pale_while_disabled():
    made = icons.icon("check")
    assert made.pixmap(24).toImage() != made.pixmap(24, made.Mode.Disabled).toImage()


def test_a_glyph_that_qt_copies_is_drawn_and_outlives_its_icon():
    made = icons.icon("check", "text")
    before = made.pixmap(24).toImage()
    for _ in range(20):
        copied = QIcon(made)
        # Qt copies the engine of an icon that is about to change.
        copied.addPixmap(QPixmap(4, 4))
        gc.collect()
        assert copied.pixmap(24).toImage() == before
        del copied
    assert made.pixmap(24).toImage() == before


def test_an_unknown_glyph_is_an_error():
    with pytest.raises(FileNotFoundError):
        icons.pixmap("no-such-glyph")


def test_icons_are_sharp_on_dense_screens():
    made = icons.icon("check").pixmap(QSize(24, 24), 2.0)
    assert (made.width(), made.devicePixelRatio()) == (48, 2.0)


def test_what_was_hidden_has_the_new_colours_when_it_is_shown(qtbot, themed):
    from PySide6.QtWidgets import QWidget

    from deidgui.qt.widgets import Label, column

    top = QWidget()
    label = Label("words", "strong")
    top.setLayout(column(label))
    qtbot.addWidget(top)
    top.show()
    top.hide()
    themed.set_mode(Mode.DARK)
    top.show()
    assert label.palette().windowText().color().name() == themed.tokens.colours.text
    top.hide()
    themed.set_mode(Mode.LIGHT)
    top.show()
    assert label.palette().windowText().color().name() == themed.tokens.colours.text


def test_chosen_focused_and_hovered_look_different(filled, qtbot):
    """The ring shows the focus; a ground what is chosen, another what is pointed at."""
    filled.show_step("risk")
    recipients = filled.page("risk").recipients
    recipients.chosen.emit("researcher")
    chosen, other = (recipients.option(each) for each in ("researcher", "public"))

    def ground(option):
        image = option.grab().toImage()
        return image.pixelColor(image.width() // 2, image.height() - 4).name()

    colours = tokens().colours
    other.setFocus(Qt.FocusReason.TabFocusReason)
    assert filled._focus_ring.widget() is other
    assert (ground(chosen), ground(other)) == (colours.accent_soft, colours.surface)
    other.setAttribute(Qt.WidgetAttribute.WA_UnderMouse)
    assert ground(other) == colours.hover
