"""Every expected failure has a sentence, and every sentence can be filled."""

import ast
import re
import string
from pathlib import Path

import pytest

import deidgui
from deidgui import errors
from deidgui.app.project import Project
from deidgui.app.text import message_for, sentences, text_of, visible
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
    for text in (sentence.what, sentence.fix, sentence.command):
        parts = list(string.Formatter().parse(text))
        assert all(name.isidentifier() for _, name, _, _ in parts if name)
        # Numbers are written with thousands and decimals by `tr`; a form is a plural.
        assert all("|" in form for _, _, form, _ in parts if form)
    assert sentence.what[0].isupper() or sentence.what[0] in "“{"
    assert sentence.what.rstrip()[-1] in ".?}"


TYPED = re.compile(
    r"(?<!\S)--\w|[“`]deidgui \w|deidgui --|\w=\w|project file|"
    rf"\b(?:{'|'.join(Project.model_fields)})\.[a-z]"
)
"""What is typed on the command line or into a project: options, commands, keys."""


@pytest.mark.parametrize(
    "text",
    [
        "(privacy.models of a project file)",
        "Use --known 3.",
        "Try “deidgui verify”.",
        "Set blocks.suppress=records.",
    ],
)
def test_what_is_typed_is_found(text):
    assert TYPED.search(text)


@pytest.mark.parametrize("code", sorted(sentences()))
def test_the_window_names_no_option_and_no_key(code):
    """What is shown there: what is wrong and how to fix it with the mouse."""
    sentence = sentences()[code]
    assert not TYPED.search(sentence.what), sentence.what
    assert not TYPED.search(sentence.fix), sentence.fix


def test_the_command_line_says_what_to_type_behind_it():
    message = message_for(ConfigError("no_privacy_model"))
    assert "privacy.models" in message.command
    assert str(message) == f"{message.what} {message.fix} {message.command}"
    assert "privacy.models" in text_of(ConfigError("no_privacy_model"))


def test_a_missing_parameter_does_not_break_the_message():
    message = message_for(InputError("hierarchy_gap"))
    assert message.what


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (1234567, "1,234,567"),
        (-5, "-5"),
        (2**1000, "more than 10^301"),
        pytest.param(10**5000, "more than 10^5000", id="enormous"),
        (0.123456, "0.1235"),
        (True, "yes"),
        (("a", "b"), "a, b"),
        ("a\x1b[2Jb\nc\u202ed", "a�[2Jb�c�d"),
    ],
)
def test_parameters_are_shown_as_people_write_them(value, shown):
    assert message_for(InputError("usage", problem=value)).what == shown


def test_nothing_in_a_result_steers_the_terminal():
    assert visible({"a\n": ["\x07", ("\u2066",), 1, None]}) == {
        "a�": ["�", ["�"], 1, None]
    }


def test_all_problems_are_told_at_once():
    both = ProblemsError(
        [
            ConfigError("no_privacy_model"),
            ConfigError("no_suppression_limit", unit="records"),
        ]
    )
    assert len(text_of(both).splitlines()) == 2


def test_a_very_long_name_is_cut_in_sentences():
    """Names of columns may have 4,096 characters; a message is for people."""
    long, list_of = "n" * 4_000, ("a", "b" * 4_000)
    error = ConfigError("attribute_unknown", attribute=long, known=list_of)
    assert len(text_of(error)) < 1_000
    assert "n" * 300 + "…" in text_of(error)
