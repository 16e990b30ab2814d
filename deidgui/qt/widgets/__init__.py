"""The kit that pages are built from; import from here.

===================  ==========================================================
texts                Display, Title, SectionHeading, Lead, Caption, Label,
                     ElidedLabel, ReasonLabel, GlyphLabel
backgrounds          Card, ClickableFrame, Callout, StatTile, EmptyState,
                     Collapsible, DropArea
words in colour      Chip, Badge, RoleBadge, StepDots
controls             Button, IconButton, HelpButton, Segmented, ToggleSwitch,
                     ToggleRow, SearchField, LabeledSlider, SpinBox, DecimalBox,
                     ComboBox, CheckList, CheckTable, ButtonMenu, field_row
long work            ProgressBar, ProgressCard, StatusLine, duration_words
sheets               Popover, Dialog
facts                KeyValueList, Toolbar, TextTable, DataGrid, TableModel,
                     CellMark
layout               row, column, Columns, FlowLayout, FittingArea, ShownStack,
                     holder, line, refilled, Refill, InTurns, Block,
                     mark, show_if, goes_with
===================  ==========================================================

Distances are 4, 8, 16, 24 or 32 pixels; colours come from the theme by name
(`deidgui.qt.tokens.Colours`), never as literals.
"""

from deidgui.qt.widgets.buttons import Button, IconButton, tooltip_with_keys
from deidgui.qt.widgets.cards import (
    Callout,
    Card,
    ClickableFrame,
    Collapsible,
    EmptyState,
    FoldedText,
    StatTile,
    Status,
)
from deidgui.qt.widgets.check_list import CheckList
from deidgui.qt.widgets.chips import (
    ROLE_GLYPH,
    ROLE_TONE,
    Badge,
    Chip,
    RoleBadge,
    StepDots,
    paint_chip,
)
from deidgui.qt.widgets.dialog import Dialog
from deidgui.qt.widgets.drop import DropArea, DropHint, dropped_files
from deidgui.qt.widgets.facts import KeyValueList, Toolbar
from deidgui.qt.widgets.focus import FocusRing, Splitter
from deidgui.qt.widgets.grid import (
    CellDelegate,
    CellMark,
    DataGrid,
    TableModel,
    scroll_together,
)
from deidgui.qt.widgets.inputs import (
    SearchField,
    Segmented,
    ToggleRow,
    ToggleSwitch,
    field_row,
)
from deidgui.qt.widgets.layouts import (
    Columns,
    FittingArea,
    FlowLayout,
    PageArea,
    ScrolledColumn,
    ShownStack,
    UnstyledArea,
    scroll_in,
    scrolling,
    wrapping,
)
from deidgui.qt.widgets.menus import ButtonMenu
from deidgui.qt.widgets.notice import Notice, NoticeArea
from deidgui.qt.widgets.numbers import (
    ComboBox,
    DecimalBox,
    LabeledSlider,
    SpinBox,
)
from deidgui.qt.widgets.polish import (
    clear,
    column,
    goes_with,
    holder,
    line,
    mark,
    refilled,
    row,
    show_if,
    show_rows,
)
from deidgui.qt.widgets.popover import HelpButton, Popover
from deidgui.qt.widgets.progress import (
    ProgressBar,
    ProgressCard,
    StatusLine,
    duration_words,
)
from deidgui.qt.widgets.refill import Refill
from deidgui.qt.widgets.rows import CheckTable, MadeRows, RowTable
from deidgui.qt.widgets.text import (
    TONE_GLYPH,
    Caption,
    Display,
    ElidedLabel,
    GlyphLabel,
    Label,
    Lead,
    ReasonLabel,
    SectionHeading,
    Title,
)
from deidgui.qt.widgets.text_table import TextTable
from deidgui.qt.widgets.turns import Block, InTurns, discard_in_turns

__all__ = [
    "ROLE_GLYPH",
    "ROLE_TONE",
    "TONE_GLYPH",
    "Badge",
    "Block",
    "Button",
    "ButtonMenu",
    "Callout",
    "Caption",
    "Card",
    "CellDelegate",
    "CellMark",
    "CheckList",
    "CheckTable",
    "Chip",
    "ClickableFrame",
    "Collapsible",
    "Columns",
    "ComboBox",
    "DataGrid",
    "DecimalBox",
    "Dialog",
    "Display",
    "DropArea",
    "DropHint",
    "ElidedLabel",
    "EmptyState",
    "FittingArea",
    "FlowLayout",
    "FocusRing",
    "FoldedText",
    "GlyphLabel",
    "HelpButton",
    "IconButton",
    "InTurns",
    "KeyValueList",
    "Label",
    "LabeledSlider",
    "Lead",
    "MadeRows",
    "Notice",
    "NoticeArea",
    "PageArea",
    "Popover",
    "ProgressBar",
    "ProgressCard",
    "ReasonLabel",
    "Refill",
    "RoleBadge",
    "RowTable",
    "ScrolledColumn",
    "SearchField",
    "SectionHeading",
    "Segmented",
    "ShownStack",
    "SpinBox",
    "Splitter",
    "StatTile",
    "Status",
    "StatusLine",
    "StepDots",
    "TableModel",
    "TextTable",
    "Title",
    "ToggleRow",
    "ToggleSwitch",
    "Toolbar",
    "UnstyledArea",
    "clear",
    "column",
    "discard_in_turns",
    "dropped_files",
    "duration_words",
    "field_row",
    "goes_with",
    "holder",
    "line",
    "mark",
    "paint_chip",
    "refilled",
    "row",
    "scroll_in",
    "scroll_together",
    "scrolling",
    "show_if",
    "show_rows",
    "tooltip_with_keys",
    "wrapping",
]
