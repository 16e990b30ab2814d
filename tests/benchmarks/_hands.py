"""Uses whatever a page offers: tabs, lists, menus, thresholds; takes back decisions."""

import contextlib
from collections.abc import Callable
from functools import partial
from typing import Any

from tests.benchmarks._heart import Walk

MOST_ALIKE = 3
"""Of controls of one kind beside each other so many are used."""

CLOSE_MS = 150

UNWANTED = ("Go to", "Back", "Next", "Export…", "Save")
"""Words of buttons that lead away or write files."""


class Hands:
    """Goes through the controls that can be seen."""

    def __init__(self, walk: Walk) -> None:
        from PySide6.QtCore import QTimer
        from PySide6.QtWidgets import QFileDialog

        self._walk = walk
        self._seen: set[int] = set()
        self._keep: list[Any] = []
        for name, nothing in (
            ("getOpenFileName", ("", "")),
            ("getOpenFileNames", ([], "")),
            ("getSaveFileName", ("", "")),
            ("getExistingDirectory", ""),
        ):
            setattr(QFileDialog, name, staticmethod(lambda *_a, n=nothing: n))
        self._closer = QTimer()
        self._closer.setInterval(CLOSE_MS)
        self._closer.timeout.connect(self._close_what_is_above)

    def _close_what_is_above(self) -> None:
        from PySide6.QtWidgets import QApplication

        app = QApplication
        above = app.activePopupWidget() or app.activeModalWidget()
        if above is not None:
            above.close()

    def use(self, page: Any, name: str) -> None:
        """Use everything on a page, on each of its tabs."""
        from deidgui.qt.widgets import Segmented

        self._use_shown(page, name)
        for tabs in self._new(page, Segmented):
            self._guarded(self._use_tabs, tabs, page, name)

    def _use_tabs(self, tabs: Any, page: Any, name: str) -> None:
        before = tabs.current
        for key in [e for e in tabs._keys if tabs.offers(e)]:
            if not _is_there(tabs):
                return
            if key == tabs.current and key == before:
                continue
            place = f"{name} › {key}"
            if not self._decide(place, partial(_choose, tabs, key)):
                self.use(page, place)  # else it was a decision, and is taken back
        if _is_there(tabs) and tabs.offers(before):
            self._walk.do(f"{name} › {before}", partial(_choose, tabs, before))

    def _guarded(self, use: Callable[..., None], widget: Any, *given: Any) -> None:
        """Use a widget, which may be gone by then, or go while it is used."""
        if _is_there(widget):
            with contextlib.suppress(RuntimeError):
                use(widget, *given)

    def _use_each(
        self, page: Any, kind: Any, use: Callable[..., None], name: str, n: int = 99
    ) -> None:
        for widget in self._new(page, kind)[:n]:
            self._guarded(use, widget, name)

    def _use_shown(self, page: Any, name: str) -> None:
        from PySide6.QtWidgets import (
            QAbstractItemView,
            QAbstractSpinBox,
            QCheckBox,
            QComboBox,
            QRadioButton,
            QSlider,
        )

        from deidgui.qt.widgets import (
            Button,
            Collapsible,
            HelpButton,
            SearchField,
            ToggleSwitch,
        )

        few = MOST_ALIKE
        self._use_each(page, QAbstractItemView, self._use_view, name)
        self._use_each(page, HelpButton, self._use_help, name, few)
        self._use_each(page, SearchField, self._use_field, name)
        self._use_each(page, QAbstractSpinBox, self._use_number, name, few)
        self._use_each(page, QSlider, self._use_slider, name, few)
        for kind in (ToggleSwitch, QCheckBox, QRadioButton):
            self._use_each(page, kind, self._use_check, name, few)
        self._use_each(page, QComboBox, self._use_list, name, few)
        self._use_each(page, Button, self._use_button, name)
        for part in self._new(page, Collapsible):
            self._guarded(self._use_part, part, page, name)

    # -- lists and tables ------------------------------------------------------------

    def _use_view(self, view: Any, page: str) -> None:
        from PySide6.QtCore import Qt
        from PySide6.QtTest import QTest
        from PySide6.QtWidgets import (
            QAbstractItemView,
            QHeaderView,
            QTableView,
            QTreeView,
        )

        do, model, name = self._walk.do, view.model(), f"{page}: {_words(view)}"
        if model is None or not model.rowCount() or isinstance(view, QHeaderView):
            return
        key = Qt.Key
        for words, which in (
            ("down", key.Key_Down),
            ("page down", key.Key_PageDown),
            ("end", key.Key_End),
        ):
            self._decide(f"{name}: {words}", partial(QTest.keyClick, view, which))
        many = QAbstractItemView.SelectionMode.ExtendedSelection
        if view.selectionMode() == many:
            do(f"{name}: select all", view.selectAll)
        self._decide(f"{name}: home", partial(QTest.keyClick, view, key.Key_Home))
        if isinstance(view, QTableView) and view.isSortingEnabled():
            header = view.horizontalHeader()
            before = header.sortIndicatorSection(), header.sortIndicatorOrder()
            for column in range(min(model.columnCount(), 8)):
                order = Qt.SortOrder.DescendingOrder
                do(f"{name}: sort", partial(view.sortByColumn, column, order))
            do(f"{name}: sort", partial(view.sortByColumn, *before))
        if isinstance(view, QTreeView):
            do(f"{name}: collapse", view.collapseAll)
            do(f"{name}: expand", view.expandAll)
        menu_key = Qt.ContextMenuPolicy.CustomContextMenu
        if view.contextMenuPolicy() == menu_key:
            at = view.viewport().rect().center()
            self._open(
                f"{name}: menu", partial(view.customContextMenuRequested.emit, at)
            )

    # -- menus, dialogs, popovers ------------------------------------------------------

    def _open(self, name: str, action: Callable[[], object]) -> None:
        """Open something above the window; it is closed again."""
        self._closer.start()
        self._decide(name, action)
        self._closer.stop()
        self._close_what_is_above()

    def _use_help(self, button: Any, name: str) -> None:
        self._open(f"{name}: help", button.click)

    def _use_part(self, part: Any, page: Any, name: str) -> None:
        button = part._button
        self._walk.do(f"{name}: open {button.text()}", button.click)
        self._use_shown(page, name)
        self._walk.do(f"{name}: close {button.text()}", button.click)

    def _use_field(self, field: Any, name: str) -> None:
        self._walk.do(f"{name}: find a", partial(field.setText, "a"))
        self._walk.do(f"{name}: find none", partial(field.setText, "zqzq"))
        self._walk.do(f"{name}: find all", field.clear)

    # -- decisions -------------------------------------------------------------------

    def _use_number(self, box: Any, name: str) -> None:
        self._decide(f"{name}: {_words(box)} up", box.stepUp)

    def _use_slider(self, slider: Any, name: str) -> None:
        for step in (1, 1, -1):
            value = slider.value() + step * slider.singleStep()
            self._decide(f"{name}: drag", partial(slider.setValue, value))

    def _use_check(self, button: Any, name: str) -> None:
        from PySide6.QtWidgets import QRadioButton

        was_on, words = button.isChecked(), f"{name}: {_words(button)}"
        self._decide(words, button.click)
        if button.isChecked() != was_on and not isinstance(button, QRadioButton):
            self._decide(words, button.click)

    def _use_list(self, box: Any, name: str) -> None:
        words, before = _words(box), box.currentIndex()
        self._open(f"{name}: list of {words}", box.showPopup)
        box.hidePopup()
        if box.count() < 2:
            return
        other = (before + 1) % box.count()
        self._decide(f"{name}: choose {words}", partial(_pick, box, other))
        if box.currentIndex() == other:
            self._decide(f"{name}: choose {words}", partial(_pick, box, before))

    def _use_button(self, button: Any, name: str) -> None:
        """Press what opens a dialog: its words end with dots."""
        words = button.text()
        if words.endswith("…") and not words.startswith(UNWANTED):
            self._open(f"{name}: {words}", button.click)

    def _decide(self, name: str, action: Callable[[], object]) -> bool:
        """Do something; take the decision back that it was. True if it was one."""
        session = self._walk.workspace.session
        before = session.project
        self._walk.do(name, action)
        is_decision = session.project is not before and session.undo_label is not None
        if is_decision:
            self._walk.do(f"undo: {name}", session.undo)
            self._walk.do(f"redo: {name}", session.redo)
            self._walk.do(f"undo: {name}", session.undo)
        return bool(is_decision)

    # -- finding ---------------------------------------------------------------------

    def _new(self, page: Any, kind: Any) -> list[Any]:
        """Return what is seen and was not used yet."""
        found = [e for e in page.findChildren(kind) if _is_there(e)]
        found = [each for each in found if id(each) not in self._seen]
        self._seen.update(map(id, found))
        self._keep += found  # what is gone must not lend its id to another one
        return found


def _is_there(widget: Any) -> bool:
    from shiboken6 import isValid

    return bool(isValid(widget) and widget.isVisible() and widget.isEnabled())


def _choose(tabs: Any, key: str) -> None:
    tabs._group.button(tabs._keys.index(key)).click()


def _pick(box: Any, place: int) -> None:
    box.setCurrentIndex(place)
    box.activated.emit(place)


def _words(widget: Any) -> str:
    text = widget.text() if hasattr(widget, "text") else ""
    said = widget.accessibleName() or text or type(widget).__name__
    return " ".join(str(said).split())[:40]
