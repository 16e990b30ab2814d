"""The test by a motivated intruder, in words: for window, commands and report."""

from __future__ import annotations

from collections.abc import Mapping

from deidgui.text import Text, tr

_INTRUDER: Text = "Intruder with public sources, who knows nobody"
_INSIDER: Text = "Insider, who knows people of the data"
_ROGUE: Text = "Somebody of the recipient"
_HACKER: Text = "Hacker"
KINDS: Mapping[str, Text] = {
    "intruder": _INTRUDER,
    "insider": _INSIDER,
    "rogue": _ROGUE,
    "hacker": _HACKER,
}
"""As whom somebody tried."""

_KIND: Text = "As whom"
_TRIED_BY: Text = "Who tried, and what they can do"
_TESTED: Text = "Which table, and of when"
_SOURCES: Text = "Sources that were used"
_TARGETS: Text = "Records that were looked for"
_HOURS: Text = "Hours"
_CLAIMED: Text = "Matches that were claimed"
_VERIFIED: Text = "Of these, matches that were right"
FIELDS: Mapping[str, Text] = {
    "kind": _KIND,
    "tried_by": _TRIED_BY,
    "tested": _TESTED,
    "sources": _SOURCES,
    "targets": _TARGETS,
    "hours": _HOURS,
    "claimed": _CLAIMED,
    "verified": _VERIFIED,
}
"""What is recorded of a test, by field."""


def result_words(targets: int, hours: float, claimed: int, verified: int) -> str:
    """Say what came of a test."""
    return tr(
        "{targets:record|records} looked for in {hours:g} hours: "
        "{claimed:match|matches} claimed, {verified} of them right.",
        targets=targets,
        hours=hours,
        claimed=claimed,
        verified=verified,
    )


def caution_words() -> str:
    """Say what no such test shows."""
    return tr(
        "People entered this; the program took no part in it. That nobody was found "
        "does not show that nobody can be found: by others, with more time, or with "
        "other sources."
    )


def values_words() -> str:
    """Say what a work list contains, and what must become of it."""
    return tr(
        "This list CONTAINS VALUES of the released table: what is known of the "
        "riskiest equivalence classes. It has no names. Give it only to those who "
        "try, and delete it when they have finished."
    )
