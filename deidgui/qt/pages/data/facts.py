"""What the file is: its name, size and fingerprint, and what was noticed."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from deidgui.app.charts.formats import count_text
from deidgui.app.loaded import Loaded
from deidgui.qt.column_words import evidence_words
from deidgui.qt.widgets import (
    ElidedLabel,
    GlyphLabel,
    IconButton,
    Label,
    ReasonLabel,
    column,
    row,
)
from deidgui.text import tr


class FileFacts(QWidget):
    """One line of facts about the file, and the remarks of reading it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sha256 = ""
        self._name = ElidedLabel("", "strong", mode=Qt.TextElideMode.ElideMiddle)
        self._facts = Label("", tone="muted")
        self._hash = ElidedLabel("", "mono", "muted")
        self._hash.setMinimumWidth(110)
        self._copy = IconButton(
            "copy", tr("Copy the SHA-256"), self._on_copy, small=True
        )
        self._remarks = ReasonLabel("", "info")
        line = row(
            GlyphLabel("file", "muted"), self._name, self._facts, self._hash, self._copy
        )
        line.setSpacing(10)
        line.setStretch(3, 1)
        self.setLayout(column(line, self._remarks, spacing=6))

    @property
    def remarks(self) -> str:
        """What was noticed while the file was read."""
        return self._remarks.text

    def show_file(self, loaded: Loaded) -> None:
        """Show another file."""
        inspection, table = loaded.inspection, loaded.table
        name = loaded.path.name
        facts = [
            tr("{number} records", number=count_text(table.n_rows)),
            tr("{number} columns", number=count_text(len(table.columns))),
        ]
        remarks = ""
        if inspection is not None:
            if inspection.member:
                name = f"{name} / {inspection.member}"
            facts.insert(0, size_words(inspection.n_bytes))
            remarks = " ".join(map(evidence_words, inspection.report.notes))
        self._name.setText(name)
        self._facts.setText(" · ".join(facts))
        self._sha256 = loaded.sha256
        self._hash.setText(f"SHA-256 {loaded.sha256}")
        self._hash.setAccessibleName(
            tr("Fingerprint of the file, SHA-256: {digits}", digits=loaded.sha256)
        )
        self._remarks.set_reason(remarks, "info")

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self._sha256)


def size_words(n_bytes: int) -> str:
    """Size of a file: "6.6 MB"."""
    for limit, unit in ((10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if n_bytes >= limit:
            return f"{n_bytes / limit:,.1f} {unit}"
    return f"{n_bytes} B"
