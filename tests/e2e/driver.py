"""Drives the window by what a user wants, not by the names of widgets."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from deidgui.app import ops
from deidgui.app.policies.runner import LATTICE
from deidgui.app.session import Kind, State
from deidgui.qt.application import Running
from deidgui.qt.settings import Settings

WAIT_MS = 60_000


class WizardDriver:
    """One running program."""

    def __init__(self, qtbot):
        self.qtbot = qtbot
        self.problems = []
        self.running = Running(QApplication.instance(), Settings())
        self.window, self.workspace = self.running.window, self.running.workspace
        self.window.files.ask = lambda *_args: "discard"
        self.workspace.problem.connect(self._on_problem)
        self.window.resize(1280, 720)
        self.window.show()

    def _on_problem(self, error, lane):
        self.problems.append((lane, error))

    @property
    def session(self):
        return self.workspace.session

    @property
    def project(self):
        return self.session.project

    def page(self, key):
        """Go to a step and return its page."""
        self.window.show_step(key)
        QApplication.processEvents()
        return self.window.page(key)

    def wait(self, condition):
        self.qtbot.waitUntil(lambda: bool(condition()), timeout=WAIT_MS)

    def wait_idle(self):
        self.wait(lambda: not (self.workspace.runner.is_busy or self.window.is_leading))

    def click(self, button):
        assert button.isEnabled(), button.text()
        self.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)

    # -- what a user does ------------------------------------------------------------

    def open_data(self, path: Path):
        self.window.files.open_path(path)
        self.wait(lambda: self.session.loaded is not None or self.problems)
        self.wait_idle()

    def open_project(self, path: Path):
        self.window.files.open_path(path)
        self.wait_idle()

    def confirm_roles(self):
        self.session.apply(ops.set_protection(None), "each row is one person")
        self.session.apply(ops.confirm_roles(), "confirm roles")
        self.wait_idle()

    def choose_recipient(self, kind):
        page = self.page("risk")
        option = page.recipients.option(kind)
        self.qtbot.mouseClick(option, Qt.MouseButton.LeftButton)
        self.wait_idle()

    def set_limit(self, share):
        self.page("risk").suppression.limit_set.emit(share)

    def search(self):
        self.start_search()
        self.wait_idle()
        assert self.session.state(LATTICE) is State.CURRENT

    def start_search(self):
        self.look("optimal").run_button.click()

    def look(self, way):
        """Show how to look in one way; return the panel."""
        look = self.page("policies").look
        if look.way != way:
            look.options[way].click()
            self.wait_idle()
        return look

    def find_alternatives(self):
        """Look for policies no riskier than Safe Harbor, or what else is decided."""
        page = self.page("policies")
        self.click(self.look("alternatives").run_button)
        self.wait_idle()
        return page

    def decide_export(self, suppressed, seed=None):
        page = self.page("export")
        page.options.changed.emit({"suppressed": suppressed, "shuffle_seed": seed})

    def export(self, parent: Path):
        page = self.page("export")
        self.wait_idle()
        self.answer_questions(page)
        self.wait(lambda: page.export_button.isEnabled())
        page.export_to(parent)
        self.wait_idle()
        return self.session.result(Kind.RELEASE)

    def answer_questions(self, page):
        """Type a reason for everything that is asked about the released table."""
        for key in tuple(page.questions.fields):
            if not page.questions.fields[key].isReadOnly():
                page.questions.fields[key].setText("It is a test.")
                page.questions.buttons[key].click()

    def undo_everything(self):
        undone = 0
        while self.session.undo_label is not None:
            self.window.actions_by_name["undo"].trigger()
            undone += 1
        self.wait_idle()
        return undone

    def quit(self):
        self.running.close()
        self.window.close()
        self.window.deleteLater()
