"""Which colours, distances and type sizes the window is drawn with."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal

Scheme = Literal["light", "dark"]


@dataclass(frozen=True)
class Colours:
    """Colours as ``#rrggbb``; every text colour reaches 4.5:1 on its background.

    The names say what a colour is for, never what it looks like. ``X_soft`` is a
    background for text in ``X``; ``X_line`` a border on that background.
    """

    canvas: str
    surface: str
    sunken: str
    raised: str
    rail: str
    hover: str
    pressed: str
    line: str
    line_strong: str
    field_line: str
    text: str
    muted: str
    subtle: str
    accent: str
    accent_hover: str
    accent_pressed: str
    accent_soft: str
    accent_line: str
    accent_text: str
    on_accent: str
    info: str
    info_soft: str
    info_line: str
    success: str
    success_soft: str
    success_line: str
    warning: str
    warning_soft: str
    warning_line: str
    danger: str
    danger_soft: str
    danger_line: str
    danger_fill: str
    quasi: str
    quasi_soft: str
    sensitive: str
    sensitive_soft: str
    selection: str
    tooltip: str
    tooltip_text: str


@dataclass(frozen=True)
class ChartColours:
    """Colours of charts, distinguishable under the common colour blindnesses.

    Parameters
    ----------
    categorical : tuple of str
        For up to seven series, in this order: the hues of Okabe and Ito (2008),
        *Color universal design*, moved until every pair differs by more than 15
        in CIELAB for the three colour blindnesses, and 3:1 from the background.
    sequential : tuple of str
        From little to much, one hue, lightness strictly monotone.
    before, after : str
        Input and release, everywhere.
    highlight : str
        The chosen candidate.
    """

    categorical: tuple[str, ...]
    sequential: tuple[str, ...]
    before: str
    after: str
    highlight: str
    safe: str
    at_risk: str
    axis: str
    grid: str
    label: str
    background: str


@dataclass(frozen=True)
class Spacing:
    """Distances in device-independent pixels: a grid of 8, with 4 for tight places."""

    tight: int = 4
    small: int = 8
    medium: int = 16
    large: int = 24


@dataclass(frozen=True)
class Radii:
    """Corner radii in device-independent pixels."""

    small: int = 4
    medium: int = 6
    large: int = 10


@dataclass(frozen=True)
class TypeScale:
    """Sizes in points, derived from the system font so that text scales with it."""

    families: tuple[str, ...]
    mono_families: tuple[str, ...]
    display: float
    title: float
    section: float
    body: float
    caption: float
    figure: float

    @classmethod
    def around(
        cls, body: float, families: tuple[str, ...], mono_families: tuple[str, ...]
    ) -> TypeScale:
        """Scale of the five sizes around the size of running text in points."""
        return cls(
            families=families,
            mono_families=mono_families,
            display=round(body * 1.85, 2),
            title=round(body * 1.5, 2),
            section=round(body * 1.15, 2),
            body=body,
            caption=round(body * 0.9, 2),
            figure=round(body * 1.7, 2),
        )


@dataclass(frozen=True)
class Tokens:
    """Everything the look of the window is made of.

    Parameters
    ----------
    scheme : str
        "light" or "dark".
    control_height : int
        Height of buttons and fields in pixels, from the font.
    """

    scheme: Scheme
    colours: Colours
    chart: ChartColours
    type: TypeScale
    control_height: int = 32
    space: Spacing = Spacing()
    radius: Radii = Radii()

    @property
    def is_dark(self) -> bool:
        """Whether light text stands on a dark background."""
        return self.scheme == "dark"

    def flat(self) -> dict[str, str]:
        """All tokens by one name each, for the style sheet's ``$name``."""
        found = {f.name: getattr(self.colours, f.name) for f in fields(self.colours)}
        for prefix, group in (("space", self.space), ("radius", self.radius)):
            found |= {
                f"{prefix}_{f.name}": f"{getattr(group, f.name)}px"
                for f in fields(group)
            }
        for name in ("display", "title", "section", "body", "caption", "figure"):
            found[f"type_{name}"] = f"{getattr(self.type, name):g}pt"
        found["mono"] = ", ".join(f'"{name}"' for name in self.type.mono_families)
        found["control"] = f"{self.control_height}px"
        found["control_inner"] = f"{self.control_height - 2}px"
        found["control_small"] = f"{self.control_height - 6}px"
        return found


LIGHT = Colours(
    canvas="#f6f7f9",
    surface="#ffffff",
    sunken="#eff1f5",
    raised="#ffffff",
    rail="#eef0f5",
    hover="#e9ecf2",
    pressed="#dfe3ec",
    line="#e1e4eb",
    line_strong="#c4cad6",
    field_line="#868e9e",
    text="#171a21",
    muted="#525a69",
    subtle="#626a7a",
    accent="#3d59d1",
    accent_hover="#334cbb",
    accent_pressed="#2a409f",
    accent_soft="#e9edfc",
    accent_line="#b9c5f4",
    accent_text="#3049b8",
    on_accent="#ffffff",
    info="#1f5f99",
    info_soft="#e8f1fa",
    info_line="#b9d5ee",
    success="#0a6b52",
    success_soft="#e3f4ee",
    success_line="#a9dcca",
    warning="#8a4b00",
    warning_soft="#fdf1dc",
    warning_line="#f0cf94",
    danger="#b0261c",
    danger_soft="#fdebe8",
    danger_line="#f2bdb6",
    danger_fill="#c23328",
    quasi="#5b3a9d",
    quasi_soft="#efeafa",
    sensitive="#8a4b00",
    sensitive_soft="#fdf1dc",
    selection="#dde4fb",
    tooltip="#22262f",
    tooltip_text="#f3f4f7",
)

DARK = Colours(
    canvas="#14161a",
    surface="#1b1e24",
    sunken="#171a1f",
    raised="#23272f",
    rail="#101216",
    hover="#262a33",
    pressed="#2f3540",
    line="#2b3039",
    line_strong="#454d5b",
    field_line="#727b8b",
    text="#e8eaef",
    muted="#a9b1bf",
    subtle="#8f98a8",
    accent="#4a66e2",
    accent_hover="#506be5",
    accent_pressed="#3f59cf",
    accent_soft="#222b4a",
    accent_line="#3c4d8c",
    accent_text="#a3b4ff",
    on_accent="#ffffff",
    info="#8cc3f5",
    info_soft="#182a3b",
    info_line="#2b4a66",
    success="#6fd3b0",
    success_soft="#13302a",
    success_line="#23564a",
    warning="#f0bd6a",
    warning_soft="#352812",
    warning_line="#604a22",
    danger="#ff9d92",
    danger_soft="#3c1c1a",
    danger_line="#6d322d",
    danger_fill="#cf3d31",
    quasi="#c3b0f7",
    quasi_soft="#2a2343",
    sensitive="#f0bd6a",
    sensitive_soft="#352812",
    selection="#2b3763",
    tooltip="#eceef2",
    tooltip_text="#1a1d23",
)

LIGHT_CHART = ChartColours(
    categorical=(
        "#015ba5",
        "#c58800",
        "#049347",
        "#d75d9c",
        "#4b89f3",
        "#b24105",
        "#4b5160",
    ),
    sequential=(
        "#eef2fd",
        "#d3dcf9",
        "#aebef2",
        "#8199e6",
        "#5a75d8",
        "#3d55b4",
        "#243786",
    ),
    before="#8b93a3",
    after="#3d59d1",
    highlight="#d55e00",
    safe="#009e73",
    at_risk="#d55e00",
    axis="#8b93a3",
    grid="#e6e9ef",
    label="#525a69",
    background="#ffffff",
)

DARK_CHART = ChartColours(
    categorical=(
        "#69aaff",
        "#e9a303",
        "#29de86",
        "#d197b8",
        "#346fc7",
        "#e26f3c",
        "#e7ecf7",
    ),
    sequential=(
        "#20263a",
        "#29366a",
        "#354a97",
        "#4861c4",
        "#6c86ea",
        "#9db0fa",
        "#d5defe",
    ),
    before="#8f98a8",
    after="#6c87f5",
    highlight="#f0a04b",
    safe="#35c79c",
    at_risk="#f0803c",
    axis="#6d7686",
    grid="#2a2f38",
    label="#a9b1bf",
    background="#1b1e24",
)

PALETTES: dict[Scheme, tuple[Colours, ChartColours]] = {
    "light": (LIGHT, LIGHT_CHART),
    "dark": (DARK, DARK_CHART),
}
