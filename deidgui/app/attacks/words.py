"""What simulated attacks are about, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from deidgui.text import Text, share_text, tr


class AnyAttack(Protocol):
    """An attack, of a project or as an evidence states it."""

    @property
    def kind(self) -> str:
        """Known person, register, or columns of it."""

    @property
    def variant(self) -> str:
        """What is known besides."""

    @property
    def power(self) -> int | None:
        """Values that are known at most."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Quasi-identifiers that a register tells."""

    @property
    def runs(self) -> int | None:
        """Attacks that were drawn."""

    @property
    def success(self) -> float | None:
        """Share of them that succeeded."""

    @property
    def low(self) -> float | None:
        """Lower end of its interval."""

    @property
    def high(self) -> float | None:
        """Upper end of its interval."""

    @property
    def expected(self) -> float | None:
        """Exact probability."""


VARIANTS: Mapping[str, Text] = {
    "all_known": "all quasi-identifiers",
    "inexact": "values, not which belong to one event",
    "same_event": "values, one of each from the same event",
    "ordered": "values, and which of two came first",
    "sample_of_register": "the release is a random sample of the register",
    "this_release": "this release, any part of the register",
}
"""What an attacker knows, by variant."""

ASSUMED: Mapping[str, Text] = {
    "truncate_events": (
        "The attacker may know rows that truncation removed: who knows one that is in "
        "no other row of the person does not find them."
    ),
    "remove_people": "People who were removed are looked for, too, and never found.",
    "sample": (
        "Everybody in the file is looked for, and only who was drawn into the sample "
        "can be found."
    ),
    "one_value": (
        "The attacker is assumed to know the one value that each person got where rows "
        "disagree."
    ),
    "charlson_index": "The attacker is assumed to know the index of each person.",
    "group_codes": "The attacker groups codes as the preparation does.",
    "top_code": "The attacker top-codes numbers as the preparation does.",
    "days_since_first": (
        "The attacker counts days from the person's true first date, also where the "
        "row with it was removed."
    ),
    "shift_dates": (
        "The shift of a person's dates is secret; the attacker is assumed to know it, "
        "so that the share of successes is not understated."
    ),
    "suppress_providers": (
        "The attacker is assumed to know which rare provider numbers became missing, "
        "so that the share of successes is not understated."
    ),
}
"""What is assumed of the attacker, by step of the preparation, and for a sample."""

SHORT_VARIANTS: Mapping[str, Text] = {
    "all_known": "all known",
    "inexact": "values",
    "same_event": "same event",
    "ordered": "ordered",
    "sample_of_register": "sample of the register",
    "this_release": "this release",
}
"""The same where there is little room."""


def known_words(each: AnyAttack) -> str:
    """What the attacker of one attack knows."""
    if each.kind == "register_columns":
        return ", ".join(each.columns)
    return tr(VARIANTS[each.variant])


def short_words(each: AnyAttack) -> str:
    """The same in two or three words, with the power."""
    if each.kind == "register_columns":
        return ", ".join(each.columns)
    words = tr(SHORT_VARIANTS[each.variant])
    return words if each.power is None else f"{words}, {each.power}"


def success_words(each: AnyAttack) -> str:
    """Share of the runs that succeeded; a dash where nothing was drawn."""
    return "–" if each.success is None else share_text(each.success)


def interval_words(each: AnyAttack) -> str:
    """Interval of 95 %; a dash where nothing was drawn."""
    if each.low is None or each.high is None:
        return "–"
    return tr("{low} to {high}", low=share_text(each.low), high=share_text(each.high))


def expected_words(each: AnyAttack) -> str:
    """Exact probability; a dash where it was not computed."""
    return "–" if each.expected is None else share_text(each.expected)


def about_people(
    *,
    runs: int,
    fraction: float,
    of_events: Sequence[str],
    unit: str,
    assumptions: Sequence[str] = (),
) -> str:
    """Say of whom attack 1 is and how it goes.

    Parameters
    ----------
    unit : str
        people or records.
    assumptions : sequence of str
        As of `AttackResults`.
    """
    if of_events:
        known: Text = (
            "Each run takes a person of the data at random. The attacker knows the "
            "person's other quasi-identifiers and some values of {events}, drawn from "
            "all rows of the person before preparation and suppression: more of people "
            "with many rows that are alike."
        )
    elif unit == "people":
        known = (
            "Each run takes a person of the data at random. The attacker knows all "
            "quasi-identifiers of the person."
        )
    else:
        known = (
            "Each run takes a record of the data at random. The attacker knows all "
            "quasi-identifiers of its person."
        )
    then = tr(
        "The attacker looks for everybody in the release who fits and points at one of "
        "them by chance; a run succeeds if it is the right one. {runs:run|runs} for "
        "each figure.",
        runs=runs,
    )
    there = tr("The attacker knows that the person is in the data.")
    if fraction < 1:
        there = tr(
            "With a probability of {share} the person is in the data at all: the "
            "share of the population that they are.",
            share=share_text(fraction),
        )
    parts = [tr(known, events=", ".join(of_events)), then, there]
    return " ".join([*parts, *(tr(ASSUMED[e]) for e in assumptions if e in ASSUMED)])


def about_registers() -> str:
    """Say what attacks with a register are."""
    return tr(
        "The attacker has a register of the population and matches every record of the "
        "release with one person of the register who fits, by chance. The figure is "
        "the expected share of right matches. Nothing is drawn: it is computed."
    )


def verdict(attacks: Sequence[AnyAttack], threshold: float | None) -> str:
    """Say how the most successful attack stands to the threshold."""
    if not attacks:
        return ""
    worst = max(attacks, key=figure_of)
    share = share_text(figure_of(worst))
    words = short_words(worst)
    if threshold is None:
        return tr(
            "The most successful attack ({words}) finds the right person in {share} "
            "of its attempts.",
            words=words,
            share=share,
        )
    text: Text = (
        "The most successful attack ({words}) finds the right person in {share} of "
        "its attempts on all people together; the threshold of {threshold} is for each "
        "person."
    )
    if figure_of(worst) > threshold:
        text = (
            "The most successful attack ({words}) finds the right person in {share} of "
            "its attempts: more than the threshold of {threshold}."
        )
    return tr(text, words=words, share=share, threshold=share_text(threshold))


def figure_of(each: AnyAttack) -> float:
    """Exact probability where it is known, else the share of the runs."""
    found = each.success if each.expected is None else each.expected
    return 0.0 if found is None else found


def columns_words() -> tuple[str, ...]:
    """Say what stands in each column of the table of attacks, a sentence for each."""
    return (
        tr("Known: what the attacker knows of the person who is looked for."),
        tr("Values known: so many of each column at most."),
        tr("Successful: the share of the runs in which the right person was found."),
        tr(
            "Interval: the share is known from some runs only; an interval that is "
            "made in this way holds the true share 95 times of 100."
        ),
        tr("Exact: the true share, computed; “–” where that would take too long."),
    )


def threshold_words() -> str:
    """Say what a share of successes is beside a threshold of the risk."""
    return tr(
        "The threshold is about each person, a share of successes about all people "
        "together: single people can be above the threshold while the share is below."
    )
