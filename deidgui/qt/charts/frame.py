"""A chart on a page: title, plain sentence, picture, and what can be taken from it."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QWidget

from deidgui.app.storage.files import PUBLIC, write_whole
from deidgui.errors import DeidError
from deidgui.qt.charts.pictures import image_of, png_bytes, svg_bytes
from deidgui.qt.charts.view import ChartView
from deidgui.qt.file_dialogs import ask_save
from deidgui.qt.messages import words_for
from deidgui.qt.widgets.buttons import IconButton
from deidgui.qt.widgets.layouts import Columns
from deidgui.qt.widgets.menus import ButtonMenu
from deidgui.qt.widgets.polish import column, holder, row
from deidgui.qt.widgets.text import Caption, ElidedLabel, Label
from deidgui.text import tr

AskPath = Callable[[QWidget, str, str], str]
"""Asks where to save: parent, suggested name, filter; "" if the user declines."""


def ask_path(parent: QWidget, suggested: str, kinds: str) -> str:
    """Ask by the dialog of the system."""
    path = ask_save(parent, "picture", tr("Save picture"), suggested, kinds)
    return "" if path is None else str(path)


class ChartFrame(QFrame):
    """Frame around one chart view.

    Parameters
    ----------
    ask : callable, optional
        Asks for the path of a picture.
    is_compact : bool, optional
        Whether the title is left out.

    Attributes
    ----------
    told : Signal(str)
        Something was copied or saved, or could not be.
    """

    reported = Signal(str)

    def __init__(
        self,
        view: ChartView[Any],
        ask: AskPath = ask_path,
        parent: QWidget | None = None,
        *,
        is_compact: bool = False,
    ) -> None:
        super().__init__(parent)
        self.view = view
        self._ask = ask
        self._beside: weakref.ref[ChartFrame] | None = None
        self._leveling = QTimer(self, singleShot=True, interval=0)
        self._leveling.timeout.connect(self._level)
        self._title = ElidedLabel("", "section", parent=self)
        self._sentence = Label("", "body", "muted", wrap=True)
        self._message = Caption("", "subtle")
        self._message.setVisible(False)
        self._buttons = [
            IconButton("table-rows", tr("Copy the numbers"), self.copy_numbers),
            IconButton("copy", tr("Copy the picture"), self.copy_picture),
            IconButton("image", tr("Save as PNG"), self.save_png),
            IconButton("download", tr("Save as SVG"), self.save_svg),
        ]
        for button in self._buttons:
            button.setAutoRaise(True)
        self.menu = ButtonMenu(self, self._buttons)
        self._title.setHidden(is_compact)
        self._tools = row(self._title if not is_compact else None)
        self._icons = row(*self._buttons, None, spacing=2)
        parts = [(holder(self._tools), 1), (holder(self._icons), 0)]
        self._head = Columns(parts, stack_below=0, spacing=2)
        self.setLayout(
            column(
                self._head,
                self._sentence,
                0 if is_compact else 4,
                (view, 1),
                self._message,
                spacing=2 if is_compact else 6,
            )
        )
        self.reported.connect(self._show_message)

    def set_chart(self, chart: Any) -> None:
        """Show another chart of the kind of the view, or None."""
        self.view.set_chart(chart)
        self._message.setVisible(False)
        is_empty = chart is None or chart.is_empty
        self._title.setText("" if chart is None else chart.title.text())
        self._sentence.setText("" if is_empty else chart.sentence.text())
        self._sentence.setVisible(not is_empty)
        self.setAccessibleName(self._title.text())
        self.setAccessibleDescription(self.view.accessibleDescription())
        for button in self._buttons:
            button.setEnabled(not is_empty)

    def level_with(self, other: ChartFrame) -> None:
        """Begin both pictures at one height, however many lines the sentences take."""
        # Widgets that hold each other would be ended by the collector, in any order.
        self._beside, other._beside = weakref.ref(other), weakref.ref(self)

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize):
            self._leveling.start()
        return super().event(event)

    def _head_width(self) -> int:
        """Pixels in which the whole title stands beside the buttons."""
        tools, icons = self._tools.sizeHint(), self._icons.sizeHint()
        return tools.width() + icons.width() + 2

    def _level(self) -> None:
        other = self._beside() if self._beside is not None else None
        both = [self] if other is None else [self, other]
        wide = max(frame._head_width() for frame in both)
        for frame in both:
            frame._head.set_stack_below(wide)
        if other is None:
            return
        sentences = self._sentence, other._sentence
        height = 0  # where one stands below the other
        if self.y() == other.y():
            height = max(each.heightForWidth(each.width()) for each in sentences)
        for each in sentences:
            each.setMinimumHeight(max(0, height))

    def add_tool(self, tool: QWidget) -> None:
        """Put a control above the picture, into the line of the buttons if it fits."""
        self._tools.insertWidget(0, tool)

    def copy_numbers(self) -> None:
        """Put the numbers on the clipboard as tab-separated text."""
        chart = self.view.chart
        if chart is not None:
            # Mime data of ours ends after Python does: the program would crash then.
            QGuiApplication.clipboard().setText(chart.to_table().tsv())
            self.reported.emit(tr("The numbers are on the clipboard."))

    def copy_picture(self) -> None:
        """Put the picture on the clipboard."""
        QGuiApplication.clipboard().setImage(image_of(self.view))
        self.reported.emit(tr("The picture is on the clipboard."))

    def save_png(self) -> None:
        """Save the picture as PNG."""
        self._save(".png", tr("PNG pictures (*.png)"), png_bytes)

    def save_svg(self) -> None:
        """Save the picture as SVG."""
        self._save(".svg", tr("SVG drawings (*.svg)"), svg_bytes)

    def _save(
        self, ending: str, kinds: str, make: Callable[[ChartView[Any]], bytes]
    ) -> None:
        chosen = self._ask(self, file_name(self._title.text()) + ending, kinds)
        if not chosen:
            return
        path = Path(chosen)
        if path.suffix.lower() != ending:
            path = path.with_name(path.name + ending)
        try:
            write_whole(path, make(self.view), PUBLIC)
        except DeidError as error:
            words = words_for(error)
            self.reported.emit(f"{words.what} {words.fix}".strip())
        else:
            self.reported.emit(tr("Saved as {file}.", file=path.name))

    def _show_message(self, text: str) -> None:
        self._message.setText(text)
        self._message.setVisible(True)


def file_name(title: str) -> str:
    """Name for a file from a title, with the characters that all systems take."""
    kept = "".join(c if c.isalnum() else " " for c in title)
    return "-".join(kept.lower().split())[:60] or "chart"
