"""What stands beside a person's words: by whom, when, and how long they may be."""

from __future__ import annotations

from datetime import UTC, date, datetime

from deidgui.engine.evidence.entered import LONGEST_NAME
from deidgui.errors import ConfigError
from deidgui.text import tr


def today() -> date:
    """Return the present day in UTC: the evidence states its time in UTC, too."""
    return datetime.now(UTC).date()


def signature_words(by: str, on: str) -> str:
    """Say by whom something was entered, and when; or that nobody stands for it."""
    if not by.strip():
        return tr("nobody has signed it")
    if not on:
        return tr("{name}, no date", name=by.strip())
    return tr("{name}, {day}", name=by.strip(), day=on)


def signed_words(text: str, by: str, on: str) -> str:
    """Return what was entered, and beside it by whom and when."""
    return f"{text} ({signature_words(by, on)})"


def check_named(by: str) -> None:
    """Refuse what nobody stands for (code ``validity_unnamed``)."""
    if not by.strip() or len(by) > LONGEST_NAME:
        raise ConfigError("validity_unnamed")


def too_long(name: str, text: str) -> ConfigError:
    """Say that a text is too long."""
    known = (tr("a shorter text"),)
    return ConfigError("not_one_of", what=name, value=text, known=known)
