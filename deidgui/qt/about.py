"""What this program is, and whether this installation computes what it should."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from typing import Any

import PySide6
from PySide6.QtCore import Qt, qVersion
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget
from shiboken6 import isValid

import deidgui
from deidgui.app.jobs import Job, JobRunner, Lane
from deidgui.monitor import Monitor
from deidgui.qt.widgets import (
    Button,
    Caption,
    Dialog,
    GlyphLabel,
    KeyValueList,
    Label,
    Lead,
    ProgressBar,
    Title,
    clear,
    column,
    refilled,
    row,
    show_if,
)
from deidgui.text import tr


class AboutDialog(Dialog):
    """Version, licence, and a ten-second check of the installation.

    Parameters
    ----------
    runner : JobRunner
        Runs the check; closing the sheet stops it.
    """

    def __init__(self, runner: JobRunner, parent: QWidget | None = None) -> None:
        super().__init__(tr("About deidgui"), parent, (520, 0))
        self._runner = runner
        self._check = Button(
            tr("Check this installation"), glyph="target", clicked=self.start_check
        )
        self._bar = ProgressBar(tr("Check of the installation"))
        self._bar.set_fraction(None)
        show_if(self._bar, False)
        self._results = QVBoxLayout()
        self._results.setSpacing(4)
        close_button = Button(tr("Close"), "primary", clicked=self.accept)
        content = column(
            self._head(), self._facts(), self._bar, self._results, None, spacing=20
        )
        self.lay_out(content, row(self._check, None, close_button))

    def _head(self) -> Any:
        lead = Lead(
            tr(
                "De-identification of health data with evidence. Works offline: the "
                "program opens no connection and looks for no updates."
            )
        )
        glyph = GlyphLabel("mark", "accent_text", 40)
        head = row(glyph, column(Title("deidgui"), lead, spacing=4), spacing=16)
        head.setAlignment(glyph, Qt.AlignmentFlag.AlignTop)
        head.setStretch(1, 1)
        return head

    def _facts(self) -> KeyValueList:
        return KeyValueList(
            [
                (tr("Version"), deidgui.__version__),
                ("Python", platform.python_version()),
                ("Qt / PySide6", f"{qVersion()} / {PySide6.__version__}"),
                (tr("System"), f"{platform.system()} {platform.release()}"),
                (tr("Licence"), "MIT"),
            ]
        )

    def start_check(self) -> None:
        """Check resources, search and the whole job, in the background."""
        self._check.setEnabled(False)
        show_if(self._bar, True)
        clear(self._results)
        self.fit()
        job = Job(on_done=self._on_checked, on_failed=self._on_failed)
        self._job = self._runner.start(Lane.SELF_CHECK, _self_check, job)

    def _on_checked(self, outcome: Mapping[str, Any]) -> None:
        if not isValid(self):
            return
        self._end()
        with refilled(self._results):
            for each in outcome["checks"]:
                self._results.addLayout(_line(each))
        self.fit()

    def _on_failed(self, _error: BaseException) -> None:
        if isValid(self):
            self._end()
            with refilled(self._results):
                words = tr("The check itself failed.")
                self._results.addWidget(Label(words, tone="danger"))
            self.fit()

    def _end(self) -> None:
        show_if(self._bar, False)
        self._check.setEnabled(True)

    def done(self, result: int) -> None:
        if job := self._runner.running(Lane.SELF_CHECK):
            job.cancel()
        super().done(result)


def _line(check: Mapping[str, Any]) -> QHBoxLayout:
    """Say how one check ended."""
    glyph, colour = ("check-circle", "success") if check["ok"] else ("danger", "danger")
    seconds = tr("{seconds} s", seconds=check["seconds"])
    words = check["check"] if check["ok"] else f"{check['check']} ({check['error']})"
    line = row(GlyphLabel(glyph, colour, 18), Label(words), None)
    line.addWidget(Caption(seconds))
    return line


def _self_check(monitor: Monitor) -> dict[str, Any]:
    """Run the check (worker thread)."""
    from deidgui.app.commands import self_check

    monitor.report(0.0)
    return self_check.run()
