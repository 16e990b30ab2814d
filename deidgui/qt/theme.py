"""How the window gets its look, and who is told when the look changes."""

from __future__ import annotations

import enum
import string
import tempfile
from pathlib import Path
from typing import ClassVar

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QFontInfo,
    QFontMetricsF,
    QPalette,
)
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from deidgui import resources
from deidgui.qt.restyling import Restyler
from deidgui.qt.tokens import PALETTES, Scheme, Tokens, TypeScale

LEAST_BODY_PT = 9.75
"""Smallest size of running text: 13 pixels on an ordinary screen."""

GOOD_FAMILIES = (
    "Inter",
    "Segoe UI Variable Text",
    "Segoe UI",
    "Noto Sans",
    "Open Sans",
    "Cantarell",
    "Ubuntu",
    "Liberation Sans",
    "DejaVu Sans",
)
"""Families for reading on screens, best first; those missing are left out."""

MONO_FAMILIES = (
    "Cascadia Mono",
    "Consolas",
    "JetBrains Mono",
    "Noto Sans Mono",
    "Ubuntu Mono",
    "DejaVu Sans Mono",
)

GENERIC_FAMILIES = frozenset({"", "Sans", "Sans Serif", "MS Shell Dlg 2"})
"""Names that a system gives when it has no opinion."""

QSS_GLYPHS = {
    "chevron-down": "muted",
    "chevron-up": "muted",
    "chevron-right": "muted",
    "check": "on_accent",
    "minus": "on_accent",
    "dot": "on_accent",
    "close": "muted",
}
"""Glyphs that the style sheet shows, and the colour of each."""


class Mode(enum.Enum):
    """What the user asked for: a scheme, or that of the system."""

    AUTO = "auto"
    LIGHT = "light"
    DARK = "dark"


class Theme(QObject):
    """The look of one application; lives as its child.

    Attributes
    ----------
    changed : Signal
        The tokens are other ones now; what is seen has the style sheet already.
    """

    changed = Signal()
    last: ClassVar[Theme | None] = None

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        Theme.last = self
        self._app = app
        self._mode = Mode.AUTO
        self._text_scale = 1.0
        self._system_font = QFont(app.font())
        self._system_pt = QFontInfo(self._system_font).pointSizeF()
        self._families = _families(self._system_font)
        self._mono_families = _installed(MONO_FAMILIES)
        # The style sheet can show images from files only.
        self._glyphs = tempfile.TemporaryDirectory(prefix="deidgui-theme-")
        self._is_applying = False
        self._restyler = Restyler(app)
        self._restyler.settled.connect(self.changed)
        self.tokens = self._tokens_for("light")
        app.styleHints().colorSchemeChanged.connect(self._on_scheme_changed)

    @property
    def mode(self) -> Mode:
        """What the user asked for."""
        return self._mode

    @property
    def text_scale(self) -> float:
        """Factor on the system's text size."""
        return self._text_scale

    def set_mode(self, mode: Mode) -> None:
        """Follow the system, or be light or dark whatever the system is."""
        self._mode = mode
        self.apply()

    def set_text_scale(self, factor: float) -> None:
        """Make all text larger or smaller than the system's."""
        self._text_scale = min(max(factor, 0.8), 2.0)
        self.apply()

    def apply(self) -> None:
        """Set font, palette and style sheet of the application anew."""
        self._is_applying = True
        try:
            self._restyler.cover()
            self.tokens = self._tokens_for(self._scheme())
            self._app.setFont(self._font())
            self._app.setPalette(palette(self.tokens))
            sheet = style_sheet(self.tokens, Path(self._glyphs.name))
            self._restyler.set_style_sheet(sheet)
        finally:
            self._is_applying = False

    def settle(self) -> None:
        """Show the present look at once, though nobody is answered meanwhile."""
        self._restyler.settle()

    @property
    def is_settled(self) -> bool:
        """Whether all that is seen has the present look."""
        return self._restyler.is_settled

    def restyle_unseen(self, part: QWidget) -> bool:
        """Restyle a piece of what is about to be shown; False if none is left."""
        return self._restyler.restyle_unseen(part)

    def dress(self, window: QWidget) -> None:
        """Give a window without parent the look, before anything is in it."""
        self._restyler.dress(window)

    def _scheme(self) -> Scheme:
        hints = self._app.styleHints()
        if self._mode is Mode.AUTO:
            hints.unsetColorScheme()
            is_dark = hints.colorScheme() is Qt.ColorScheme.Dark
            return "dark" if is_dark else "light"
        is_dark = self._mode is Mode.DARK
        # Title bars and native dialogs follow this where the system allows it.
        hints.setColorScheme(Qt.ColorScheme.Dark if is_dark else Qt.ColorScheme.Light)
        return "dark" if is_dark else "light"

    def _on_scheme_changed(self) -> None:
        if self._mode is Mode.AUTO and not self._is_applying:
            self.apply()

    def _tokens_for(self, scheme: Scheme) -> Tokens:
        body = round(max(LEAST_BODY_PT, self._system_pt) * self._text_scale, 2)
        scale = TypeScale.around(body, self._families, self._mono_families)
        high = QFontMetricsF(self._body_font(scale)).height() + 16
        return tokens_for(scheme, scale, 2 * round(high / 2))

    def _font(self) -> QFont:
        font = self._body_font(self.tokens.type)
        font.setHintingPreference(QFont.HintingPreference.PreferVerticalHinting)
        return font

    def _body_font(self, scale: TypeScale) -> QFont:
        font = QFont(self._system_font)
        font.setFamilies(list(scale.families))
        font.setPointSizeF(scale.body)
        return font


def apply_theme(
    app: QApplication, mode: Mode = Mode.AUTO, text_scale: float = 1.0
) -> Theme:
    """Give an application our look.

    Parameters
    ----------
    text_scale : float
        Factor on the system's text size.

    Returns
    -------
    Theme
        The same object for the same application.
    """
    theme = _theme()
    if theme is None:
        app.setStyle("Fusion")
        theme = Theme(app)
    theme._mode, theme._text_scale = mode, min(max(text_scale, 0.8), 2.0)
    theme.apply()
    theme.settle()
    return theme


def theme() -> Theme:
    """Theme of the running application (AssertionError before `apply_theme`)."""
    found = _theme()
    assert found is not None, "apply_theme has not run"
    return found


def _theme() -> Theme | None:
    found = Theme.last
    return found if found is not None and isValid(found) else None


def tokens() -> Tokens:
    """Tokens in use now; the light ones if no theme was applied."""
    found = _theme()
    if found is not None:
        return found.tokens
    return tokens_for("light", TypeScale.around(LEAST_BODY_PT, (), ()))


def tokens_for(scheme: Scheme, scale: TypeScale, control_height: int = 32) -> Tokens:
    """Tokens of one scheme and type scale."""
    colours, chart = PALETTES[scheme]
    return Tokens(scheme, colours, chart, scale, control_height)


def palette(tokens: Tokens) -> QPalette:
    """Palette for what the style sheet does not reach."""
    colours = tokens.colours
    role = QPalette.ColorRole
    plain = {
        role.Window: colours.canvas,
        role.WindowText: colours.text,
        role.Base: colours.surface,
        role.AlternateBase: colours.sunken,
        role.Text: colours.text,
        role.Button: colours.surface,
        role.ButtonText: colours.text,
        role.BrightText: colours.on_accent,
        role.Highlight: colours.accent,
        role.HighlightedText: colours.on_accent,
        role.Link: colours.accent_text,
        role.LinkVisited: colours.accent_text,
        role.ToolTipBase: colours.tooltip,
        role.ToolTipText: colours.tooltip_text,
        role.PlaceholderText: colours.subtle,
        role.Light: colours.raised,
        role.Midlight: colours.hover,
        role.Mid: colours.line,
        role.Dark: colours.line_strong,
        role.Shadow: colours.line_strong,
    }
    made = QPalette()
    for each, value in plain.items():
        made.setColor(each, QColor(value))
    for each in (role.WindowText, role.Text, role.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, each, QColor(colours.subtle))
    return made


def style_sheet(tokens: Tokens, glyph_folder: Path) -> str:
    """Style sheet of the window for some tokens.

    Parameters
    ----------
    glyph_folder : Path
        Where the glyphs that it shows are written, coloured.
    """
    names = tokens.flat()
    for glyph, colour in QSS_GLYPHS.items():
        source = resources.path("icons", f"{glyph}.svg").read_text("utf-8")
        target = glyph_folder / f"{glyph}-{tokens.scheme}.svg"
        target.write_text(source.replace("currentColor", names[colour]), "utf-8")
        names["glyph_" + glyph.replace("-", "_")] = f"url({target.as_posix()})"
    template = resources.path("theme", "window.qss").read_text("utf-8")
    return string.Template(template).substitute(names)


def _families(system: QFont) -> tuple[str, ...]:
    family = QFontInfo(system).family()
    if system.family() in GENERIC_FAMILIES:
        return _installed(GOOD_FAMILIES) or (family,)
    return (family, *_installed(GOOD_FAMILIES))


def _installed(families: tuple[str, ...]) -> tuple[str, ...]:
    known = set(QFontDatabase.families())
    return tuple(name for name in families if name in known)
