"""How long it takes to fill in the context of the worked example, by a model of hands.

``python -m tests.benchmarks context`` fills in every question in the real window and
adds up what a new user would need: reading each text of a page once, thinking before
each answer, pointing, clicking and typing. That everything is known is assumed: nobody
looks for an agreement or asks a colleague here.
"""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from typing import Any, Literal

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("DEIDGUI_HOME", tempfile.mkdtemp(prefix="deidgui-context-"))

import deidgui  # noqa: F401 - guards None/True/False before any Qt use
from deidgui.app.determination.determination import assessment_of, progress_of

SECONDS = {"key": 0.28, "point": 1.1, "home": 0.4, "think": 1.35}
"""Operators K (who types 40 words a minute), P, H and M of the keystroke-level model.

References
----------
.. [1] S. Card, T. Moran, A. Newell (1980), *The keystroke-level model for user
   performance time with interactive systems*, CACM 23(7).
"""

WORDS_PER_MINUTE = 240
"""Silent reading; M. Brysbaert (2019) finds 238 in a review of 190 studies."""

Proofs = Literal["none", "shared", "each"]

WHO = "A. Miller, data office"
PROOF = "Agreement DUA-7, clause 4"
TEXTS = {
    "recipient": "Registry group of the university, two analysts",
    "purpose": "Length of stay by diagnosis and region",
    "agreement.reference": "DUA-7",
    "agreement.parties": "Hospital and university",
    "agreement.begins": "2026-01-01",
    "agreement.ends": "2098-12-31",
    "prevalence": "0.00187",
    "prevalence_of": "20,000 patients among 10.7 million people of the state",
    "acquaintances": "150",
    "breach_rate": "0.27",
    "breach_source": "HIMSS survey",
    "breach_year": "2012",
}
"""What is typed, by field: the worked example of the oracles."""

ANSWERS = {
    # Controls medium, motives low, invasion high.
    **{f"C{n}": "yes" for n in range(1, 21)},
    **dict.fromkeys(("C5", "C6", "C15", "C17"), "no"),
    "C12": "partly",
    **dict.fromkeys(("M0", "M1", "M2", "M3", "K1", "K2", "K3"), "no"),
    **dict.fromkeys(("P2", "P3", "P5", "P6", "P7", "P8"), "1"),
    **dict.fromkeys(("P1", "P4"), "2"),
}


class Person:
    """Uses the part of the window where the context is asked for, and counts time."""

    def __init__(self, part: Any, *, proofs: Proofs) -> None:
        from PySide6.QtTest import QTest

        self._part, self._test, self._proofs = part, QTest, proofs
        self.operators: Counter[str] = Counter()
        self.words = 0
        self._read: set[str] = set()

    @property
    def seconds(self) -> float:
        """What it took so far."""
        used = sum(SECONDS[name] * n for name, n in self.operators.items())
        return used + 60 * self.words / WORDS_PER_MINUTE

    def look(self) -> None:
        """Read every text that can be seen and has not been read."""
        from PySide6.QtWidgets import QLabel, QLineEdit

        for label in self._part.findChildren(QLabel):
            if label.isVisible():
                self._take_in(label.text())
        for field in self._part.findChildren(QLineEdit):
            if field.isVisible():
                self._take_in(field.placeholderText())

    def _take_in(self, words: str) -> None:
        if words not in self._read:
            self._read.add(words)
            self.words += len(words.split())

    def choose(self, combo: Any, key: str) -> None:
        """Open a list, read it, and choose an entry of it."""
        for at in range(combo.count()):
            self._take_in(combo.itemText(at))
        self.operators.update({"think": 1, "point": 2, "key": 2})
        combo.set_current(key)
        assert combo.current == key
        combo.activated.emit(combo.currentIndex())

    def type(self, field: Any, words: str) -> None:
        """Point at a field, type, and go back to the mouse."""
        from PySide6.QtCore import Qt

        self.operators.update({"think": 1, "point": 1, "key": 1, "home": 2})
        self.operators["key"] += len(words) + 1
        field.setFocus()
        field.clear()
        self._test.keyClicks(field, words)
        self._test.keyClick(field, Qt.Key.Key_Return)

    def fill_in(self, tab: str) -> None:
        """Fill in one part of the questions."""
        part = self._part
        self.operators.update({"think": 1, "point": 1, "key": 1})
        part.show_tab(tab)
        if tab == "release":
            self.type(part.by, WHO)
        self.look()
        if tab == "release":
            self.choose(part.release, "non_public")
        if tab == "figures":
            self.choose(part.matrix, "ipc-2016")
        names = {name for name, _label, _hint in self._texts(tab)}
        for name in [each for each in TEXTS if each in names]:
            self.type(part.texts[name].field, TEXTS[name])
        for key in [each for each in ANSWERS if self._is_on(tab, each)]:
            self.choose(part.rows[key].choice, ANSWERS[key])
            if self._proofs == "each":
                self.type(part.rows[key].proof, PROOF)
        if self._proofs == "shared" and tab in part.of_all:
            self.type(part.of_all[tab].field, PROOF)
        # What follows from the answers stands beside them.
        self.look()

    @staticmethod
    def _texts(tab: str) -> Any:
        from deidgui.qt.pages.risk.context import TEXTS as fields

        return fields.get(tab, ())

    @staticmethod
    def _is_on(tab: str, key: str) -> bool:
        from deidgui.qt.pages.risk.context import TABS

        return any(each.key == key for each in TABS[tab][1])


def _fill_in(app: Any, *, proofs: Proofs) -> dict[str, Any]:
    from deidgui.app.project import Project
    from deidgui.app.session import Session
    from deidgui.qt.pages.risk.context import ContextPart

    session, part = Session(), ContextPart()
    session.start(Project())

    def show(_changes: object, _by: object) -> None:
        part.show_project(session.project, None)

    part.decided.connect(session.apply)
    session.project_changed.connect(show)
    part.resize(900, 560)
    part.show()
    part.show_project(session.project, None)
    person = Person(part, proofs=proofs)
    by_tab = {}
    for tab in ("release", "figures", "controls", "motives", "privacy"):
        before = person.seconds
        person.fill_in(tab)
        app.processEvents()
        by_tab[tab] = round((person.seconds - before) / 60, 1)
    found = assessment_of(session.project)
    proved = [bool(each.proof) for each in session.project.context.answers.values()]
    assert set(proved) == {proofs != "none"}
    left = progress_of(session.project).open
    assert not left, left
    assert found.limit is not None, "a limit follows"
    part.close()
    return {
        "minutes": round(person.seconds / 60, 1),
        "by_tab": by_tab,
        "words_read": person.words,
        "operators": dict(person.operators),
        "allowed_average_risk": round(float(found.limit), 4),
    }


def run(_arguments: list[str]) -> dict[str, Any]:
    """Fill in the context: without proofs, with one for a part, with one for each."""
    from deidgui.qt.application import make_application

    app = make_application(["deidgui"])
    return {
        "answers alone": _fill_in(app, proofs="none"),
        "with one proof for the answers of a part": _fill_in(app, proofs="shared"),
        "with a proof for each": _fill_in(app, proofs="each"),
    }
