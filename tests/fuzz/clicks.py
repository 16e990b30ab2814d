"""Walks through the window by random clicks, and prints every exception.

``python -m tests.fuzz.clicks [FILE] [--seed N] [--minutes M] [--stay]`` opens a project
or a data file, else the worked example, and uses whatever can be seen: buttons, lists,
numbers, texts, rows, steps, undo and redo. With ``--stay`` the project is not left. The
same seed chooses the same way as long as the window answers in the same time.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
import traceback
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QFileDialog,
    QLineEdit,
    QWidget,
)

from tests.qt.screenshots import Camera

USED = (
    QAbstractButton, QComboBox, QAbstractSpinBox, QLineEdit, QAbstractItemView,
    QAbstractSlider,
)  # fmt: skip
TEXTS = ("", "5", "abc", "0.2", "2026-11-27", "18..30")
LEAVING = ("Begin with", "Open", "Choose a file", "Start")
"""First words of what leads to another project."""

CLOSE_MS, MOST_ROWS, SEEN = 700, 40, 6


class Monkey:
    """A user without a plan."""

    def __init__(self, seed: int, *, stays: bool) -> None:
        self._chance, self._stays = random.Random(seed), stays
        self.done: list[str] = []
        self.n_failed = 0
        sys.excepthook = self._on_exception
        for name, nothing in (
            ("getOpenFileName", ("", "")),
            ("getOpenFileNames", ([], "")),
            ("getSaveFileName", ("", "")),
            ("getExistingDirectory", ""),
        ):
            setattr(QFileDialog, name, staticmethod(lambda *_a, n=nothing, **_k: n))
        self.camera = Camera(Path(os.environ["DEIDGUI_HOME"]) / "pictures")
        self.window = self.camera.window
        self._closer = QTimer()
        self._closer.timeout.connect(self._close_what_is_above)
        self._closer.start(CLOSE_MS)

    def _on_exception(
        self, kind: type[BaseException], error: BaseException, at: TracebackType | None
    ) -> None:
        self.n_failed += 1
        print(f"after {self.done[-SEEN:]}:", file=sys.stderr)
        traceback.print_exception(kind, error, at)

    def _close_what_is_above(self) -> None:
        app = QApplication
        above = app.activePopupWidget() or app.activeModalWidget()
        if above is not None:
            above.close()

    def act(self) -> None:
        """Do one thing, and let the window work for a moment."""
        chance = self._chance.random()
        if chance < 0.1:
            keys = [e.key for e in self.window._steps]
            self._step(self._chance.choice(keys[1:] if self._stays else keys))
        elif chance < 0.16:
            name = self._chance.choice(("undo", "redo"))
            self.done.append(name)
            self.window.actions_by_name[name].trigger()
        else:
            self._use_something()
        self.camera.wait(self._chance.choice((0.02, 0.05, 0.15, 0.4)))

    def _step(self, key: str) -> None:
        self.done.append(f"step {key}")
        self.window.show_step(key)

    def _use_something(self) -> None:
        seen = [
            each
            for each in self.window.findChildren(QWidget)
            if isinstance(each, USED) and each.isVisible() and each.isEnabled()
        ]
        each = self._chance.choice(seen)
        text = each.text() if isinstance(each, QAbstractButton | QLineEdit) else ""
        if self._stays and text.startswith(LEAVING):
            return
        self.done.append(f"{type(each).__name__} {each.accessibleName() or text}")
        try:
            self._use(each)
        except RuntimeError:
            pass  # What was used deleted itself.
        except Exception as error:
            self._on_exception(type(error), error, error.__traceback__)

    def _use(self, each: QWidget) -> None:
        chance = self._chance
        if isinstance(each, QAbstractButton):
            each.click()
        elif isinstance(each, QComboBox) and each.count():
            each.setCurrentIndex(chance.randrange(each.count()))
            each.activated.emit(each.currentIndex())
        elif isinstance(each, QAbstractSpinBox):
            each.stepBy(chance.choice((-3, -1, 1, 2)))
            each.editingFinished.emit()
        elif isinstance(each, QAbstractSlider):
            each.setValue(chance.randint(each.minimum(), each.maximum()))
        elif isinstance(each, QLineEdit) and not each.isReadOnly():
            each.setText(chance.choice(TEXTS))
            each.textEdited.emit(each.text())
            each.returnPressed.emit()
            each.editingFinished.emit()
        elif isinstance(each, QAbstractItemView):
            self._use_row(each)

    def _use_row(self, view: QAbstractItemView) -> None:
        model, chance = view.model(), self._chance
        if model is None or not model.rowCount() or not model.columnCount():
            return
        row = chance.randrange(min(model.rowCount(), MOST_ROWS))
        index = model.index(row, chance.randrange(model.columnCount()))
        view.setCurrentIndex(index)
        if chance.random() < 0.3:
            view.activated.emit(index)


def main() -> int:
    """Walk for some minutes; 1 if anything went wrong."""
    parser = argparse.ArgumentParser(prog="clicks", description=__doc__)
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=3.0)
    parser.add_argument("--stay", action="store_true")
    said = parser.parse_args()
    monkey = Monkey(said.seed, stays=said.stay)
    files = monkey.window.files
    files.open_path(said.file) if said.file is not None else files.open_example()
    monkey.camera.wait(6.0)
    end = time.monotonic() + 60 * said.minutes
    while time.monotonic() < end:
        monkey.act()
    print(f"{len(monkey.done)} actions, {monkey.n_failed} exceptions")
    monkey.camera.running.close()
    return 1 if monkey.n_failed else 0


if __name__ == "__main__":
    sys.exit(main())
