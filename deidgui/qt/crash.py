"""What happens when there is a bug: a report without any value, and work goes on."""

from __future__ import annotations

import logging
import platform
import sys
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

import PySide6
from PySide6.QtCore import (
    QMessageLogContext,
    Qt,
    QtMsgType,
    qInstallMessageHandler,
    qVersion,
)
from PySide6.QtGui import QFont, QGuiApplication
from PySide6.QtWidgets import QPlainTextEdit, QWidget

import deidgui
from deidgui.qt.theme import theme, tokens
from deidgui.qt.widgets import (
    Button,
    Dialog,
    GlyphLabel,
    Lead,
    SectionHeading,
    column,
    row,
)
from deidgui.text import tr

LOG = logging.getLogger("deidgui.window")

_PACKAGE = Path(deidgui.__file__).resolve().parent


def scrubbed(error: BaseException) -> str:
    """Describe a bug by its type and our own lines of code only.

    Returns
    -------
    str
        One line per exception of the chain and per frame. No message, no source
        line, no variable: each of them could hold a value of the data.
    """
    # PRIVACY: messages of exceptions are left out on purpose.
    lines: list[str] = []
    each: BaseException | None = error
    while each is not None and len(lines) < 200:
        lines.append(type(each).__qualname__)
        lines += [f"  {place}" for place in _frames(each.__traceback__)]
        each = each.__cause__ or (
            None if each.__suppress_context__ else each.__context__
        )
        if each is not None:
            lines.append("caused by")
    return "\n".join(lines)


def _frames(trace: TracebackType | None) -> list[str]:
    places = []
    for frame, line in traceback.walk_tb(trace):
        path = Path(frame.f_code.co_filename)
        if _PACKAGE in path.parents:
            name = path.relative_to(_PACKAGE).as_posix()
            places.append(f"deidgui/{name}:{line} {frame.f_code.co_name}")
        else:
            places.append(f"({path.parent.name}/{path.name}:{line})")
    return places


def report(error: BaseException) -> str:
    """Whole text to copy: versions, and what `scrubbed` tells."""
    versions = (
        f"deidgui {deidgui.__version__}, Python {platform.python_version()}, "
        f"PySide6 {PySide6.__version__}, Qt {qVersion()}, {platform.system()}"
    )
    return f"{versions}\n{scrubbed(error)}"


class CrashDialog(Dialog):
    """Says that there is a bug, that nothing is lost, and what to pass on."""

    def __init__(self, error: BaseException, parent: QWidget | None = None) -> None:
        super().__init__(tr("Something went wrong"), parent, (560, 0))
        if parent is None:
            theme().dress(self)
        self._text = report(error)
        field = QPlainTextEdit(self._text)
        field.setReadOnly(True)
        field.setAccessibleName(tr("Report of the error"))
        font = QFont(list(tokens().type.mono_families))
        font.setPointSizeF(tokens().type.caption)
        field.setFont(font)
        lead = Lead(
            tr(
                "This is an error in the program, not in your data. Your decisions are "
                "kept; you can go on working. The report below names places in the "
                "program only, no values of your data."
            )
        )
        heading = SectionHeading(tr("Something went wrong"))
        words = column(heading, lead, spacing=4)
        glyph = GlyphLabel("danger", "danger", 32)
        head = row(glyph, words, spacing=16)
        head.setAlignment(glyph, Qt.AlignmentFlag.AlignTop)
        head.setStretch(1, 1)
        copy = Button(tr("Copy report"), glyph="copy", clicked=self.copy)
        go_on = Button(tr("Go on"), "primary", clicked=self.accept)
        self.lay_out(column(head, (field, 1), spacing=16), row(copy, None, go_on))
        go_on.setFocus()

    @property
    def text(self) -> str:
        """The report."""
        return self._text

    def copy(self) -> None:
        """Copy the report."""
        QGuiApplication.clipboard().setText(self._text)


class CrashHandler:
    """Catches what nobody caught, on every thread, and shows it once.

    Parameters
    ----------
    post : callable
        Runs a closure on the GUI thread.
    parent : callable
        Gives the window over which the dialog is shown.
    """

    def __init__(
        self,
        post: Callable[[Callable[[], None]], None],
        parent: Callable[[], QWidget | None],
    ) -> None:
        self._post, self._parent = post, parent
        self._dialog: CrashDialog | None = None
        self._before = (sys.excepthook, threading.excepthook)

    def install(self) -> None:
        """Take the hooks of the interpreter and of Qt."""
        sys.excepthook = self._on_exception
        threading.excepthook = self._on_thread_exception
        qInstallMessageHandler(_on_qt_message)

    def uninstall(self) -> None:
        """Give the hooks back."""
        sys.excepthook, threading.excepthook = self._before
        qInstallMessageHandler(None)

    @property
    def dialog(self) -> CrashDialog | None:
        """The dialog that is open, if any."""
        return self._dialog

    def show(self, error: BaseException) -> None:
        """Show a bug (GUI thread); further ones are logged while it is open."""
        LOG.error("unexpected error\n%s", scrubbed(error))
        if self._dialog is not None:
            return
        self._dialog = CrashDialog(error, self._parent())
        self._dialog.finished.connect(self._on_closed)
        self._dialog.open()

    def _on_closed(self) -> None:
        if self._dialog is not None:
            self._dialog.deleteLater()
            self._dialog = None

    def _on_exception(
        self,
        kind: type[BaseException],
        error: BaseException,
        trace: TracebackType | None,
    ) -> None:
        if issubclass(kind, KeyboardInterrupt):
            self._before[0](kind, error, trace)
            return
        self._post(lambda: self.show(error))

    def _on_thread_exception(self, args: threading.ExceptHookArgs) -> None:
        error = args.exc_value
        if error is not None:
            self._post(lambda: self.show(error))


_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}


def _on_qt_message(kind: QtMsgType, context: QMessageLogContext, _message: str) -> None:
    # PRIVACY: Qt's messages may quote texts of widgets, so only their place is kept.
    LOG.log(_LEVELS[kind], "message of Qt, category %s", context.category or "default")
