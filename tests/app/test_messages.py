"""Every expected failure has a sentence, and every sentence can be filled."""

import ast
import string
from pathlib import Path

import pytest

import deidgui
from deidgui import errors
from deidgui.app.messages import message_for, sentences, text_of
from deidgui.errors import ConfigError, InputError, ProblemsError

PACKAGE = Path(deidgui.__file__).parent
KINDS = {
    name
    for name, kind in vars(errors).items()
    if isinstance(kind, type) and issubclass(kind, errors.DeidError)
} - {"ProblemsError"}


def raised_codes():
    """Codes that stand as literals in calls of our error classes."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and node.args):
                continue
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            first = node.args[0]
            if name in KINDS and isinstance(first, ast.Constant):
                yield first.value, f"{path.relative_to(PACKAGE)}:{node.lineno}"


def test_every_code_has_a_sentence():
    known = sentences()
    silent = {code: place for code, place in raised_codes() if code not in known}
    assert not silent


@pytest.mark.parametrize("code", sorted(sentences()))
def test_sentences_can_be_filled_and_read(code):
    sentence = sentences()[code]
    for text in (sentence.what, sentence.mend):
        fields = [name for _, name, _, _ in string.Formatter().parse(text) if name]
        assert all(name.isidentifier() for name in fields)
    assert sentence.what[0].isupper() or sentence.what[0] in "“{"
    assert sentence.what.rstrip()[-1] in ".?}"


def test_a_missing_parameter_does_not_break_the_message():
    message = message_for(InputError("hierarchy_gap"))
    assert message.what


def test_all_problems_are_told_at_once():
    both = ProblemsError(
        [ConfigError("no_privacy_model"), ConfigError("no_suppression_limit")]
    )
    assert len(text_of(both).splitlines()) == 2
