"""A question that is left by Escape changes nothing."""

from __future__ import annotations

import pytest

from deidgui.qt.dialogs import QuestionDialog


@pytest.mark.parametrize(
    ("answers", "left"),
    [
        (
            [
                ("save", "Save", "primary"),
                ("discard", "Don't save", "plain"),
                ("cancel", "Cancel", "quiet"),
            ],
            "cancel",
        ),
        ([("stay", "Keep it open", "primary"), ("stop", "Stop", "plain")], "stay"),
    ],
)
def test_escape_never_does_what_was_not_asked_for(qtbot, answers, left):
    question = QuestionDialog("Stop what is running?", "Closing stops it.", answers)
    qtbot.addWidget(question)
    question.reject()
    assert question.answer == left
