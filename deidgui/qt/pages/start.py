"""The Start page: a new file, a project, or the worked example."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from deidgui.app.decides import Changes
from deidgui.app.storage.project_io import SUFFIX
from deidgui.qt.pages.base import Page, PageStatus, StepState
from deidgui.qt.settings import Settings
from deidgui.qt.widgets import (
    Button,
    Caption,
    Card,
    Columns,
    DropArea,
    ElidedLabel,
    GlyphLabel,
    IconButton,
    Label,
    Lead,
    SectionHeading,
    column,
    line,
    mark,
    refilled,
    row,
    show_if,
)
from deidgui.text import tr

if TYPE_CHECKING:
    from deidgui.app.workspace import Workspace

MOST_RECENT = 6


class RecentRow(QFrame):
    """One recent project: name, folder, and whether it is still there."""

    opened = Signal(object)
    removed = Signal(object)

    def __init__(self, path: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        mark(self, kind="row")
        self._path = path
        self._is_there = path.is_file()
        name = path.name.removesuffix(SUFFIX)
        folder = str(path.parent)
        missing = tr("Missing: {folder}", folder=folder)
        detail = folder if self._is_there else missing
        words = column(
            ElidedLabel(name, "strong", "" if self._is_there else "muted"),
            ElidedLabel(
                detail,
                "caption",
                "muted" if self._is_there else "warning",
                Qt.TextElideMode.ElideMiddle,
            ),
            spacing=2,
        )
        glyph, colour = ("file", "muted") if self._is_there else ("warning", "warning")
        remove = IconButton(
            "close",
            tr("Remove “{name}” from this list", name=name),
            self._on_removed,
            small=True,
        )
        self.setLayout(
            row(
                GlyphLabel(glyph, colour),
                (words, 1),
                remove,
                spacing=12,
                margin=(10, 7, 8, 7),
            )
        )
        self.setAccessibleName(f"{detail}, {name}")
        if self._is_there:
            self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            self.setProperty("focus_ring", True)
            self.setCursor(Qt.CursorShape.PointingHandCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._is_there and self.rect().contains(event.position().toPoint()):
            self.opened.emit(self._path)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
        if self._is_there and event.key() in keys:
            self.opened.emit(self._path)
        elif event.key() == Qt.Key.Key_Delete:
            self._on_removed()
        else:
            super().keyPressEvent(event)

    def _on_removed(self) -> None:
        self.removed.emit(self._path)


class StartPage(Page):
    """Where a release begins.

    Attributes
    ----------
    project_wanted : Signal
        The user wants to choose a project.
    verify_wanted : Signal
        The user wants to have a release verified.
    export_wanted : Signal
        The user wants to go to the export of the open project.
    file_given : Signal of Path
        A recent project was clicked.
    files_dropped : Signal of list of Path
    """

    key = "start"
    parts = Changes.FILE | Changes.DATA

    project_wanted = Signal()
    file_given = Signal(object)
    files_dropped = Signal(object)
    example_wanted = Signal()
    verify_wanted = Signal()
    export_wanted = Signal()
    counts_wanted = Signal()

    def __init__(
        self, workspace: Workspace, settings: Settings, parent: QWidget | None = None
    ) -> None:
        super().__init__(workspace, settings, parent)
        self.set_header(
            tr("De-identify a table"),
            tr(
                "Open a data file, choose the recipient, and release it with "
                "evidence of its risk. No data leaves this computer."
            ),
        )
        self._drop = DropArea(
            tr("Drop a data file here"),
            tr(
                "CSV, TSV or another delimited text file, also compressed as zip "
                "or gzip."
            ),
            tr("Choose a file…"),
        )
        self._drop.clicked.connect(self.data_wanted)
        self._drop.dropped.connect(self.files_dropped)
        self._drop.setMinimumHeight(200)
        self._drop.setMaximumHeight(480)
        lower = Columns(
            [
                (self._recent_card(), 3),
                (self._counts_card(), 2),
                (self._example_card(), 2),
            ]
        )
        self.body.addWidget(self._drop, 3)
        self.body.addWidget(lower)
        self.body.addStretch(2)

    def _recent_card(self) -> QWidget:
        card = Card(tr("Recent projects"))
        opener = Button(
            tr("Open a project…"), "link", "folder", self.project_wanted, True
        )
        card.head_actions.addWidget(opener)
        self._recent = QVBoxLayout()
        self._recent.setSpacing(2)
        card.body.addLayout(self._recent)
        card.body.addStretch(1)
        verifier = Button(
            tr("Verify a release…"), "link", "check-circle", self.verify_wanted, True
        )
        self.exporter = Button(
            tr("Export a release…"), "link", "export", self.export_wanted, True
        )
        card.add(line())
        card.body.addLayout(row(verifier, self.exporter, None))
        return card

    def _counts_card(self) -> QWidget:
        card = Card()
        words = Lead(
            tr(
                "Aggregate tables, pasted or read: find what masked counts give away "
                "before you publish them."
            )
        )
        begin = Button(
            tr("Begin with tables"),
            glyph="table-rows",
            clicked=self.counts_wanted,
        )
        head = row(
            GlyphLabel("table-rows", "accent_text"),
            SectionHeading(tr("Tables of counts")),
            None,
        )
        card.body.addLayout(head)
        card.body.addWidget(words)
        card.body.addLayout(row(begin, None))
        card.body.addStretch(1)
        return card

    def _example_card(self) -> QWidget:
        card = Card()
        words = Lead(
            tr(
                "A synthetic hospital table with every step decided. Change a "
                "decision and see its effect."
            )
        )
        open_it = Button(
            tr("Open the example"), glyph="play", clicked=self.example_wanted
        )
        head = row(
            GlyphLabel("book", "accent_text"),
            SectionHeading(tr("Worked example")),
            None,
        )
        card.body.addLayout(head)
        card.body.addWidget(words)
        card.body.addLayout(row(open_it, None))
        card.body.addStretch(1)
        card.body.addWidget(line())
        card.body.addWidget(
            Caption(
                tr(
                    "A project contains your decisions, never the data. It can be "
                    "shared, compared and opened again."
                )
            )
        )
        return card

    def refresh(self, changes: Changes) -> None:
        """Show the recent projects anew."""
        show_if(self.exporter, self.session.project.has_data)
        with refilled(self._recent):
            paths = [Path(text) for text in self.settings.now.recent[:MOST_RECENT]]
            for path in paths:
                each = RecentRow(path)
                each.opened.connect(self.file_given)
                each.removed.connect(self._on_removed)
                self._recent.addWidget(each)
            if not paths:
                self._recent.addWidget(self._no_recent())

    def _no_recent(self) -> QWidget:
        none = Label(tr("Saved projects are listed here."), tone="muted", wrap=True)
        none.setContentsMargins(0, 8, 0, 8)
        return none

    def status(self) -> PageStatus:
        """Done as soon as there is data."""
        project = self.session.project
        if project.kind == "counts":
            return PageStatus(StepState.DONE, project.name)
        if self.session.loaded is None and not project.inputs:
            missing = tr("Open a data file or a project to go on.")
            return PageStatus(StepState.READY, "", missing)
        name = self.session.project.name or self._file_name()
        return PageStatus(StepState.DONE, name)

    def _file_name(self) -> str:
        loaded = self.session.loaded
        return loaded.path.name if loaded else self.session.project.inputs[0].file

    def _on_removed(self, path: Path) -> None:
        self.settings.forget_recent(path)
        self.refresh(Changes.FILE)
