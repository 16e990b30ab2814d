"""Who is singled out and what can be guessed, in words: for window and report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from deidgui.engine.evidence.document import Criteria, Guessed
from deidgui.engine.risk.linkability import gain_over
from deidgui.text import Text, share_text, tr

Rows = tuple[tuple[str, ...], ...]

REASONS: Mapping[str, Text] = {
    "several_tables": "people and events are in two tables",
    "rows_vary": "the rows of a person differ",
    "no_population": "the people of the population are not known by their values",
    "many_sets": "there are too many sets",
    "many_cells": "there are more than 50 million cells",
    "many_values": "it has more than 1,000 values, each too rare to be guessed",
}


def alone_heads() -> tuple[str, ...]:
    """Heads of the table of `alone_rows`."""
    return (tr("Known"), tr("Alone"), tr("Worst set"), tr("On some set"))


def alone_rows(found: Criteria) -> Rows:
    """Shares of people who are alone, from little knowledge to all that is released."""
    rows = [
        (
            tr("{n:quasi-identifier|quasi-identifiers}", n=each.size),
            share_text(each.mean),
            tr(
                "{share}: {names}",
                share=share_text(each.worst_share),
                names=", ".join(each.worst),
            )
            if each.worst_share
            else tr("nobody is alone on any"),
            share_text(each.anywhere),
        )
        for each in found.sets
    ]
    if found.alone is not None:
        share = share_text(found.alone)
        rows.append((tr("All quasi-identifiers"), share, "", ""))
    if found.alone_on_all is not None:
        share = share_text(found.alone_on_all)
        rows.append((tr("All that is released"), share, "", ""))
    return tuple(rows)


def alone_words(found: Criteria) -> str:
    """What the shares of people who are alone say, and what they do not."""
    words = tr(
        "Share of the released people who are alone on what somebody knows of them, "
        "the mean over all sets of so many quasi-identifiers. “On some set”: share of "
        "those who are alone on at least one of the sets. A missing value counts as a "
        "value."
    )
    if found.alone_on_all is None:
        return words
    return " ".join(
        (
            words,
            tr(
                "“All that is released” is every column but pseudonyms, sensitive "
                "values and measurements too: who knows all of that learns nothing "
                "more, but can say which row it is."
            ),
        )
    )


def guessed_heads() -> tuple[str, ...]:
    """Heads of the table of `guessed_rows`."""
    return (
        tr("Sensitive column"),
        tr("Guessed right"),
        tr("Without the release’s classes"),
        tr("Gain"),
        tr("By others alone"),
        tr("In classes of one value"),
    )


def guessed_rows(found: Criteria) -> Rows:
    """How well each sensitive value is guessed, the largest gain first."""
    return tuple(
        (
            each.attribute,
            share_text(each.rate),
            share_text(each.baseline),
            share_text(gain_of(each)),
            share_text(each.without_own),
            share_text(each.uniform),
        )
        for each in sorted(found.guessed, key=lambda each: -gain_of(each))
    )


def gain_of(guessed: Guessed) -> float:
    """Share of what the baseline leaves open that the classes tell, in [0, 1]."""
    return gain_over(guessed.rate, guessed.baseline)


def guessed_words() -> str:
    """What the shares of right guesses are."""
    return tr(
        "Share of the released people whose value is right if the commonest one of "
        "their class is guessed; beside it, the share if the commonest of all is "
        "guessed for everybody. The gain is the part of the difference to certainty "
        "that the classes close. “By others alone” leaves out the person’s own record: "
        "what is right then is statistics about people like them, and would be as "
        "right if they were not in the data."
    )


def membership_words(found: Criteria) -> str:
    """How likely somebody is in the data; empty if the population is not known."""
    known = found.membership
    if known is None:
        return ""
    return tr(
        "Somebody of the population who fits the class of a released person is in the "
        "data with a probability of {highest} at most, {average} on average.",
        highest=share_text(min(1.0, known.highest)),
        average=share_text(min(1.0, known.average)),
    )


def missing_words(found: Criteria) -> Iterator[str]:
    """What was not measured, and why: it is not known to be harmless."""
    titles = {
        "all": tr("Who is alone on all that is released"),
        "alone": tr("Who is alone on all quasi-identifiers"),
        "sets": tr("Who is alone on sets of quasi-identifiers"),
        "guessed": tr("What can be guessed"),
        "one_more": tr("The risk if one more column is known"),
        "membership": tr("Who can be seen to be in the data"),
    }
    for name, reason in found.not_measured.items():
        title = titles.get(name)
        if title is None and name.startswith("sets_"):
            size = int(name.removeprefix("sets_"))
            title = tr("Who is alone on sets of {n:column|columns}", n=size)
        if title is None and name.startswith("one_more:"):
            column = name.removeprefix("one_more:")
            title = tr("The risk if “{column}” is known besides", column=column)
        if title is None:
            column = name.removeprefix("guessed:")
            title = tr("What can be guessed of “{column}”", column=column)
        yield tr(
            "{what}: not measured, because {reason}.",
            what=title,
            reason=tr(REASONS[reason]),
        )
