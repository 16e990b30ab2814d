"""Questions about what is released, and the reasons that a person answers with."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from deidgui.app import ops
from deidgui.app.entered import signature_words
from deidgui.app.project import Answer, Project
from deidgui.app.release.questions import (
    ReleaseQuestion,
    answer_to,
    answers_for,
    is_stale,
)
from deidgui.engine.evidence.entered import Entered
from deidgui.qt.pages.export.conditions import AskedCondition, ReasonsCard
from deidgui.qt.pages.signing import SignRow
from deidgui.text import tr


def signed_by(given: Entered | None) -> str:
    """Say who gave a reason, and when; empty without one."""
    return signature_words(given.by, given.on) if given else ""


class QuestionsCard(ReasonsCard):
    """Questions about columns, answered in the project.

    Parameters
    ----------
    signing : SignRow
        Says who answers, and on which day.

    Attributes
    ----------
    decided : Signal of (Op, str)
        What a person decided, and what undo calls it.
    """

    decided = Signal(object, str)

    def __init__(
        self,
        title: str,
        lead: str,
        signing: SignRow,
        parent: QWidget | None = None,
    ) -> None:
        verb = tr("Release with this reason")
        super().__init__(title, lead, verb, are_many=True, parent=parent)
        self._signing = signing
        self._questions: tuple[ReleaseQuestion, ...] = ()
        self.answered.connect(self._on_one_answered)
        self.all_answered.connect(self._on_many_answered)
        self.taken_back.connect(self._on_answer_taken_back)

    def show_questions(
        self, project: Project, questions: Sequence[ReleaseQuestion]
    ) -> None:
        """Show what is asked, with the answers that the project has."""
        self._questions = tuple(questions)
        self.show_asked([_asked(project, each) for each in questions])

    def _on_one_answered(self, key: str, because: str) -> None:
        self._on_many_answered([key], because)

    def _on_many_answered(self, keys: Sequence[str], because: str) -> None:
        op = answers_for(self._questions, keys, because, *self._signing.signature)
        self.decided.emit(op, tr("answer {n:question|questions}", n=len(keys)))

    def _on_answer_taken_back(self, key: str) -> None:
        name, _, kind = key.rpartition(":")
        self.decided.emit(ops.take_back_answer(name, kind), tr("take back reason"))


def _asked(project: Project, question: ReleaseQuestion) -> AskedCondition:
    answer: Answer | None = answer_to(project, question)
    note = ""
    if is_stale(project, question):
        note = tr("The column or the finding has changed since a reason was given.")
    because = answer.because if answer else ""
    about = (question.kind, question.column, signed_by(answer))
    return AskedCondition(question.name, question.words, because, note, *about)
