"""Every widget of the kit on one sheet, to look at; run it to see it alive."""

from __future__ import annotations

from PySide6.QtWidgets import (
    QCheckBox,
    QLineEdit,
    QRadioButton,
    QWidget,
)

from deidgui.qt.widgets import (
    Badge,
    Button,
    Callout,
    Caption,
    Card,
    Chip,
    Collapsible,
    ComboBox,
    DataGrid,
    Display,
    DropArea,
    EmptyState,
    FlowLayout,
    HelpButton,
    IconButton,
    KeyValueList,
    LabeledSlider,
    Lead,
    ProgressCard,
    ReasonLabel,
    RoleBadge,
    SearchField,
    SectionHeading,
    Segmented,
    SpinBox,
    StatTile,
    StatusLine,
    StepDots,
    Title,
    ToggleRow,
    Toolbar,
    column,
    field_row,
    holder,
    row,
)
from tests.qt.fakes import small_table


def gallery() -> QWidget:
    """All widgets in three columns."""
    sheet = holder(row(_texts(), _controls(), _figures(), spacing=16, margin=24))
    sheet.setObjectName("canvas")
    return sheet


def _texts() -> QWidget:
    card = Card("Texts and status", "The typographic hierarchy on one ground.")
    for widget in (
        Display("Display"),
        Title("Title of a page"),
        SectionHeading("Section heading"),
        Lead("A lead explains in one or two sentences what this is about and wraps."),
        Caption("A caption says little, quietly."),
        ReasonLabel("Choose who receives the data to go on."),
    ):
        card.add(widget)
    for status, text in (
        ("info", "Nothing has been written yet."),
        ("success", "All thresholds are met."),
        ("warning", "Two columns have no role."),
        ("danger", "The file could not be read."),
    ):
        card.add(Callout(text, status, "A sentence on how to fix it.", "Fix"))
    chips = QWidget()
    flow = FlowLayout(chips)
    for role in (
        "direct_identifier",
        "quasi_identifier",
        "sensitive",
        "insensitive",
        None,
    ):
        flow.addWidget(RoleBadge(role))
    flow.addWidget(Chip("clickable", "accent", "filter", is_clickable=True))
    flow.addWidget(Badge("done", "success", "check"))
    flow.addWidget(Badge("info", "info", "info"))
    card.add(chips)
    card.add(StepDots(5, 2))
    card.body.addStretch(1)
    return card


def _controls() -> QWidget:
    card = Card("Controls", "Everything can be reached by keyboard.")
    card.head_actions.addWidget(HelpButton("Controls", "What they do. " * 8))
    card.body.addLayout(
        row(
            Button("Primary", "primary"),
            Button("Plain", glyph="save"),
            Button("Quiet", "quiet"),
            Button("Danger", "danger"),
            Button("Link", "link"),
            None,
        )
    )
    off = Button("Disabled")
    off.setEnabled(False)
    off2 = Button("Disabled", "primary")
    off2.setEnabled(False)
    card.body.addLayout(
        row(
            off,
            off2,
            IconButton("undo", "Undo"),
            IconButton("copy", "Copy", small=True),
            None,
        )
    )
    card.add(
        Segmented(
            [
                ("a", "Lattice", "policies"),
                ("b", "List", "menu"),
                ("c", "Plane", "scatter"),
            ]
        )
    )
    card.add(SearchField("Search columns"))
    card.add(field_row("Name", QLineEdit("Admissions 2026"), "Shown in the report."))
    combo = ComboBox([("r", "Researcher under agreement"), ("p", "Public")])
    spin = SpinBox(1, 9999, 11, "records")
    card.body.addLayout(row(combo, spin))
    check = QCheckBox("Suppress small classes")
    check.setChecked(True)
    radio = QRadioButton("Only one of these")
    radio.setChecked(True)
    card.body.addLayout(row(check, radio, QRadioButton("Other"), None))
    card.add(
        ToggleRow(
            "Shuffle the rows", "Their order can tell who was admitted when.", True
        )
    )
    card.add(
        ToggleRow(
            "Safe for spreadsheets",
            "Texts that would be run as formulas are made harmless.",
        )
    )
    card.add(
        LabeledSlider(
            "Suppression limit",
            0,
            100,
            5,
            0.1,
            "%",
            "At most 1,508 of 30,162 records may be suppressed.",
        )
    )
    more = Collapsible("More settings", True)
    more.body.addWidget(Caption("Hidden until wanted."))
    card.add(more)
    card.body.addStretch(1)
    return card


def _figures() -> QWidget:
    tiles = row(spacing=12)
    tile = StatTile(
        "Highest risk",
        "9.1",
        "%",
        "In the worst case one of 11 people can be singled out.",
    )
    tile.set_change("from 100 % before", "success")
    tiles.addWidget(tile)
    tiles.addWidget(
        StatTile(
            "Suppressed", "212", "records", "0.7 % of all; below the limit of 5 %."
        )
    )
    progress = ProgressCard("Searching 12,960 policies")
    progress.set_progress(0.42, "5,443 of 12,960 checked, 9,800 per second", 6.0)
    status = StatusLine()
    status.set_progress("Counting classes", 0.6, 4)
    grid = DataGrid(small_table())
    grid.setMinimumHeight(200)
    bar = Toolbar()
    bar.add_left(SearchField("Find in column"))
    bar.add_left(Button("Columns", glyph="settings", small=True))
    bar.add_right(IconButton("copy", "Copy"))
    facts = KeyValueList(
        [("Rows", "30,162"), ("Encoding", "UTF-8"), ("Delimiter", "semicolon")]
    )
    box = column(spacing=12)
    box.addLayout(tiles)
    for widget in (
        progress,
        status,
        bar,
        grid,
        facts,
        DropArea("Drop a file", "CSV or ZIP", "Choose…"),
        EmptyState(
            "search", "No search yet", "Decide the thresholds first.", "Go there"
        ),
    ):
        box.addWidget(widget)
    return holder(box)


if __name__ == "__main__":
    from deidgui.qt.application import make_application
    from deidgui.qt.theme import apply_theme

    app = make_application(["gallery"])
    apply_theme(app)
    sheet = gallery()
    sheet.show()
    app.exec()
