"""Who is singled out and what can be guessed, in words: for window and report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from deidgui.app.charts.formats import count_text, number_text
from deidgui.app.entered import signature_words
from deidgui.engine.evidence.document import Compared, Criteria, Guessed
from deidgui.engine.risk.linkability import ClassPairs, gain_over
from deidgui.text import Text, share_text, tr

Rows = tuple[tuple[str, ...], ...]

REASONS: Mapping[str, Text] = {
    "several_tables": "people and events are in two tables",
    "rows_vary": "the rows of a person differ",
    "no_population": "the people of the population are not known by their values",
    "many_sets": "there are too many sets",
    "few_columns": "there are fewer than two quasi-identifiers",
    "many_cells": "there are more than 50 million cells",
    "own_labels": "single cells are suppressed, or records are generalized "
    "to different levels",
    "other_missing": "it was not found: choose it again",
    "other_tables": "that release has people and events in two tables",
    "other_rows_vary": "the rows of a person differ there",
    "other_labels": "single cells are suppressed there, or records are generalized to "
    "different levels",
    "other_no_column": "it has none of the quasi-identifiers",
    "other_values": "no value of a column there belongs to a released label: "
    "both files write it differently",
    "few_held_out": "there are fewer than 500 people who were not released",
    "other_skips": "more than 10,000 lines stand before its header",
    "hold_out_input": "the file with people who were not released is an input",
    "hold_out_alike": "most people of the file with people who were not released "
    "stand in the input, too: by their key, or with the same row",
    "other_many_values": "a column there has more than 100,000 values",
    "many_values": "there are too many values to count all again",
}


def alone_heads() -> tuple[str, ...]:
    """Heads of the table of `alone_rows`."""
    return (tr("Known"), tr("Alone"), tr("Worst set"), tr("On some set"))


def _is_risk_figure(found: Criteria) -> bool:
    """Whether the figures of risk say who is alone: rows of a person count together."""
    return found.not_measured.get("alone") == "rows_vary"


def alone_rows(
    found: Criteria, before: float | None = None, now: float | None = None
) -> Rows:
    """Shares of people who are alone, from little knowledge to all that is released.

    Parameters
    ----------
    before : float in [0, 1], optional
        Share of those who were alone on all quasi-identifiers in the input.
    now : float in [0, 1], optional
        Share of those who are in the release, by the figures of risk.
    """
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
    alone = now if _is_risk_figure(found) else found.alone
    if alone is not None:
        share = share_text(alone)
        rows.append((tr("All quasi-identifiers"), share, "", ""))
        if before is not None:
            known = tr("All quasi-identifiers, before the release")
            rows.append((known, share_text(before), "", ""))
    if found.by_chance is not None:
        share = share_text(found.by_chance)
        rows.append((tr("All quasi-identifiers and one more fact"), share, "", ""))
    if found.alone_on_all is not None:
        share = share_text(found.alone_on_all)
        rows.append((tr("All that is released"), share, "", ""))
    return tuple(rows)


def alone_words(found: Criteria) -> str:
    """What the shares of people who are alone say, and what they do not."""
    words = tr(
        "“Alone”: share of the released people with whom nobody else agrees on what is "
        "known of them, the mean over all sets of so many quasi-identifiers. "
        "“On some set”: share of those who are alone on at least one of the sets. A "
        "missing value counts as a value."
    )
    if not found.sets:
        words = tr(
            "“Alone”: share of the released people with whom nobody else agrees on "
            "what is known of them. A missing value counts as a value."
        )
    if reason := found.not_measured.get("sets"):
        rest = tr(
            "Of all quasi-identifiers the rows of a person count together. Sets of "
            "them are not measured, because {reason}.",
            reason=tr(REASONS[reason]),
        )
        none = tr(
            "Quasi-identifiers and sets of them are not measured, because {reason}.",
            reason=tr(REASONS[reason]),
        )
        sets = rest if _is_risk_figure(found) else none
        words = f"{words} {sets}"
    if found.by_chance is not None:
        chance = tr(
            "“All quasi-identifiers and one more fact”: somebody also knows something "
            "about the person that is as rare as one person in their class: in a class "
            "of 10, each of the 10 has it with a chance of 1 in 10. The figure is how "
            "often only one person is left then. Larger classes do not prevent that."
        )
        words = f"{words} {chance}"
    if found.alone_on_all is None:
        return words
    return " ".join(
        (
            words,
            tr(
                "“All that is released” is every column but pseudonyms, also sensitive "
                "values and measurements: whoever knows all of that learns nothing "
                "more, but can say which row it is."
            ),
        )
    )


def guessed_heads() -> tuple[str, ...]:
    """Heads of the table of `guessed_rows`."""
    return (
        tr("Sensitive column"),
        tr("Guessed right"),
        tr("Without classes"),
        tr("Gain"),
        tr("By others alone"),
        tr("In classes of one value"),
        tr("… all missing"),
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
            "" if each.missing is None else share_text(each.missing),
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
        "that the classes close. “By others alone” leaves out the person’s own values: "
        "what is right then is statistics about people like them, and would be as "
        "right if they were not in the data. A missing value counts as a value: it is "
        "guessed, too, and a class may have no other one. “… all missing” is the part "
        "of the people in classes of one value whose class has no value at all; before "
        "the export it is asked about the others only."
    )


def membership_words(found: Criteria, blind: float | None = None) -> str:
    """How likely somebody is in the data; empty if the population is not known.

    Parameters
    ----------
    blind : float in [0, 1] or None
        Probability that anybody of the population is in the data.
    """
    known = found.membership
    if known is None:
        return ""
    highest, average = min(1.0, known.highest), min(1.0, known.average)
    words = tr(
        "Somebody of the population who fits the class of a released person is in the "
        "data with a probability of {highest} at most, {average} on average.",
        highest=share_text(highest),
        average=share_text(average),
    )
    if blind is None:
        return words
    more = tr(
        "Without the classes it is {blind} for anybody. Gain: {highest} at most, "
        "{average} on average.",
        blind=share_text(blind),
        highest=share_text(gain_over(highest, blind)),
        average=share_text(gain_over(average, blind)),
    )
    return f"{words} {more}"


def held_out_heads() -> tuple[str, ...]:
    """Heads of the table of `held_out_rows`."""
    return (
        tr("Sensitive column"),
        tr("Guessed right"),
        tr("Of people not released"),
        tr("By chance"),
        tr("Residual"),
        tr("Interval of 95\u202f%"),
    )


def held_out_rows(found: Criteria) -> Rows:
    """What is guessed of released people beyond people who were not released."""
    held = found.held_out
    if held is None:
        return ()
    return tuple(
        (
            each.attribute,
            share_text(each.right / held.released),
            share_text(each.control / held.people),
            share_text(each.blind / held.released),
            *(
                (
                    share_text(each.residual),
                    tr(
                        "{low} to {high}",
                        low=share_text(each.low),
                        high=share_text(each.high),
                    ),
                )
                if each.right > each.blind
                else (tr("not usable"), tr("no better than guessing"))
            ),
        )
        for each in held.guessed
    )


def held_out_words(found: Criteria) -> str:
    """What the residual says; who has no such people reads so."""
    held = found.held_out
    if held is None and "held_out" in found.not_measured:
        return tr(
            "People who were not released are given, but nothing is told of them, "
            "because {reason}: how much of what is guessed is true of such people "
            "anyway is not known.",
            reason=tr(REASONS[found.not_measured["held_out"]]),
        )
    if held is None:
        return tr(
            "No people are given who are like the released ones and were not released: "
            "how much of what is guessed is true of such people anyway is not known."
        )
    who = tr("who are not in the released sample")
    if held.sha256 is not None:
        who = tr("of “{name}”", name=held.name)
    words = tr(
        "The same guesses about {n:person|people} {who}. The residual is the part that "
        "the release tells of its own people beyond that: 0 if the others are guessed "
        "as well, 100\u202f% if only released people are. Shares and interval "
        "are estimates "
        "from these people. A number counts as right within 5\u202f% of the true one.",
        n=held.people,
        who=who,
    )
    left = [e.attribute for e in found.guessed if e.attribute not in held.columns]
    if not left:
        return words
    more = tr(
        "Not measured for {names}: more than 1,000 values, or no such column there.",
        names=_quoted(left),
    )
    return f"{words} {more}"


def compared_heads() -> tuple[str, ...]:
    """Heads of the table of `compared_rows`."""
    return (
        tr("Compared with"),
        tr("Matched by"),
        tr("Right matches, at most"),
        tr("By chance"),
        tr("Gain"),
        tr("One to one"),
    )


def compared_rows(found: Criteria) -> Rows:
    """How many released people are found in each other table."""
    return tuple(
        (
            each.name,
            tr("{n:quasi-identifier|quasi-identifiers}", n=len(linked.attributes))
            if not number
            else tr("{n:shared column|shared columns}", n=len(linked.attributes)),
            share_text(linked.most / each.records),
            share_text(by_chance(each, is_first=not number)),
            share_text(
                gain_over(
                    min(1.0, linked.most / each.records),
                    by_chance(each, is_first=not number),
                )
            ),
            count_text(linked.certain),
        )
        for each in found.compared
        for number, linked in enumerate(each.linked)
    )


def by_chance(compared: Compared, *, is_first: bool) -> float:
    """Share of the released people who are matched rightly by nothing but chance."""
    n, others = compared.records, compared.others
    pairs = ClassPairs.of(np.array([n]), np.array([others]))
    coverage = compared.coverage if is_first else None
    return pairs.found_by(coverage or 1.0) / n


def lacks_compared(found: Criteria) -> bool:
    """Whether a table was chosen that the release could not be matched with."""
    return any(each.startswith("compared:") for each in found.not_measured)


def compared_words(found: Criteria) -> str:
    """What the matches with other tables are; who has chosen none reads so."""
    if not found.compared and lacks_compared(found):
        return tr(
            "Not compared with another release or a register: what somebody has chosen "
            "could not be compared. Whether released people can be found there is not "
            "known."
        )
    if not found.compared:
        return tr(
            "Not compared with another release or a register: nobody has chosen one. "
            "Whether released people can be found elsewhere is not known."
        )
    return tr(
        "Share of the released people who are matched rightly with a person of the "
        "other table, at most, by who picks one of those that look alike, and nobody "
        "twice; beside it the share by chance. “One to one”: people who look like one "
        "person there, and nobody else does. Values are compared by the coarser label "
        "of both. A value there that stands for several labels which others tell "
        "apart may be any of them: each kind of such people adds one right match, so "
        "that the figure is not too low. Pseudonyms are drawn anew for each release of "
        "this program; were they kept, everybody would be matched."
    )


def combined_words(found: Criteria | None) -> str:
    """With which other tables the release was combined, and that others are open."""
    compared = [each.name for each in found.compared] if found is not None else []
    reasons = found.not_measured if found is not None else {}
    prefix = "compared:"
    failed = [e.removeprefix(prefix) for e in reasons if e.startswith(prefix)]
    words = tr(
        "What can be learned by combining this release with other releases or "
        "registers about the same people is not measured."
    )
    if compared:
        words = tr(
            "What can be learned by combining this release with others about the same "
            "people was measured for {names} only (D8), one at a time; for no other "
            "release or register, and not for several of them together.",
            names=_quoted(compared),
        )
    if not failed:
        return words
    return " ".join((words, tr("Could not be compared: {n}.", n=_quoted(failed))))


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(f"“{name}”" for name in names)


def halves_words(found: Criteria) -> str:
    """Who is found again from two parts of what is known; empty if not measured."""
    halves = found.halves
    if halves is None:
        return ""
    # A removed column, or one with a single label, is the same in all rows.
    same = [each.attribute for each in found.columns if not each.separation]
    words = tr(
        "Somebody has two lists of the released people, one with {first}, the other "
        "with {second}, as they are released. Whoever joins the lists by picking one "
        "of those who look alike is right for {right} of {n:person|people} on average "
        "({rate}); whoever picks anybody, for 1 ({blind}). Gain: {gain}. Looked at: "
        "{looked} of {splits:split|splits} of the quasi-identifiers into two halves; "
        "this one is the worst of them.",
        first=", ".join(e for e in halves.first if e not in same) or tr("nothing"),
        second=", ".join(e for e in halves.second if e not in same) or tr("nothing"),
        right=number_text(halves.rate / halves.baseline),
        n=round(1 / halves.baseline),
        rate=share_text(halves.rate),
        blind=share_text(halves.baseline),
        gain=share_text(gain_over(halves.rate, halves.baseline)),
        looked=count_text(halves.looked),
        splits=halves.splits,
    )
    if same:
        more = tr(
            "Removed, or the same for everybody, so that nothing is told by: {names}.",
            names=", ".join(same),
        )
        words = f"{words} {more}"
    if halves.looked == halves.splits:
        return words
    more = tr(
        "Those looked at are spread evenly over all, and further ones were found by "
        "exchanging columns from the worst of these on. Another can be worse: over "
        "all splits it is at least {rate}, and at most {most}, the average risk in "
        "the data.",
        rate=share_text(halves.rate),
        most=share_text(halves.most),
    )
    if halves.settled:
        exchanged = tr("No exchange of two columns makes this one worse.")
        more = f"{more} {exchanged}"
    return f"{words} {more}"


def compared_notes(found: Criteria, fraction: float | None = None) -> Iterator[str]:
    """What is known of each other table beside the matches.

    Parameters
    ----------
    fraction : float in (0, 1], optional
        Share of the population that is released, if it is stated.
    """
    for each in found.compared:
        kind = tr("a register") if each.kind == "register" else tr("a release")
        yield tr(
            "“{name}” is {kind} of {n:person|people}; {own} are released here.{chosen}",
            name=each.name,
            kind=kind,
            n=each.others,
            own=count_text(each.records),
            chosen=f" {tr('Chosen')}: {signature_words(each.by, each.on)}."
            if each.by
            else "",
        )
        if each.coverage is not None and each.coverage < 1:
            yield tr(
                "It is assumed that somebody has {share} of “{name}”.",
                share=share_text(each.coverage),
                name=each.name,
            )
        yield from _lacking_words(each, fraction)
        if each.membership is not None:
            yield tr(
                "Somebody of “{name}” who fits a released person is in the data with a "
                "probability of {highest} at most, {average} on average; anybody of it "
                "with {blind}.",
                name=each.name,
                highest=share_text(each.membership.highest),
                average=share_text(each.membership.average),
                blind=share_text(min(1.0, each.records / max(each.others, 1))),
            )
        by_quasi = each.linked[0]
        if by_quasi.possible:
            yield tr(
                "“{name}” has {n:kind of people|kinds of people} with a value that is "
                "wider than others there, and who may be released people. Of {most} "
                "right matches at most {n} are of these.",
                name=each.name,
                n=by_quasi.possible,
                most=number_text(by_quasi.most),
            )
        for column in each.shared:
            if column.unknown:
                yield tr(
                    "{n:person|people} of “{name}” have a value of “{column}” that no "
                    "released label covers, and match nobody. If the value is only "
                    "written differently there, more can be matched than is counted.",
                    n=column.unknown,
                    name=each.name,
                    column=column.attribute,
                )


def _lacking_words(compared: Compared, fraction: float | None) -> Iterator[str]:
    """Say that a register cannot have all people whom it is taken to have."""
    if compared.kind != "register":
        return
    pairs = compared.linked[0].classes
    n_lacking = sum(max(0, ours - theirs) * times for ours, theirs, times in pairs)
    # By the columns that are compared, as few people as there are may be lacking.
    n_lacking = max(n_lacking, compared.records - compared.others)
    if n_lacking:
        yield tr(
            "“{name}” is not complete: at least {n} of the {own} released people are "
            "not in it, or have other values there. Nobody finds them by it. With a "
            "register that has everybody, more people, and others, may be found.",
            name=compared.name,
            n=count_text(n_lacking),
            own=count_text(compared.records),
        )
    expected = compared.records / fraction if fraction else 0.0
    if compared.others < expected * _AS_STATED:
        yield tr(
            "The sampling fraction says that the released people are {share} of a "
            "population, which then has about {n:person|people}; “{name}” has "
            "{others}. It is not complete: of its people fewer look alike than of the "
            "population.",
            share=share_text(fraction or 0.0),
            n=round(expected),
            name=compared.name,
            others=count_text(compared.others),
        )


_AS_STATED = 0.99
"""A register with so many of the people that a sampling fraction tells is complete: the
fraction is a rounded number."""


def missing_words(found: Criteria) -> Iterator[str]:
    """What was not measured, and why; several things with one reason are a list."""
    for words, every in missing_groups(found):
        yield "\n• ".join((words, *every))


def missing_groups(found: Criteria) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What was not measured, and why: it is not known to be harmless.

    Yields
    ------
    tuple of str and tuple of str
        What is said of each reason, and what it is said of; that is empty where the
        words name the only thing.
    """
    titles = {
        "all": tr("Who is alone on all that is released"),
        "alone": tr("Who is alone on all quasi-identifiers"),
        "sets": tr("Who is alone on sets of quasi-identifiers"),
        "guessed": tr("What can be guessed"),
        "halves": tr("Who is found again from two halves of the quasi-identifiers"),
        "held_out": tr("What is guessed beyond people who were not released"),
        "one_more": tr("The risk if one more column is known"),
        "membership": tr("Who can be seen to be in the data"),
    }
    alike: dict[tuple[str, str, str], list[str]] = {}
    by_reason: dict[str, list[str]] = {}
    for name, reason in found.not_measured.items():
        if name == "alone" and _is_risk_figure(found):
            continue
        kind, of, one = name.partition(":")
        alike.setdefault((kind, of, reason), []).append(one)
    for (name, of, reason), about in alike.items():
        title = "" if of else titles.get(name, "")
        if name.startswith("sets_"):
            size = int(name.removeprefix("sets_"))
            title = tr("Who is alone on sets of {n:column|columns}", n=size)
        elif of and name == "one_more":
            title = tr(
                "The risk if one more column is known ({names})", names=_quoted(about)
            )
        elif of and name == "compared":
            title = tr("Who is found in {names}", names=_quoted(about))
        elif of:
            title = tr("What can be guessed of {names}", names=_quoted(about))
        by_reason.setdefault(reason, []).append(title)
    for reason, every in by_reason.items():
        because = tr(REASONS[reason])
        if len(every) > 1:
            words = tr("Not measured, because {reason}:", reason=because)
            yield words, tuple(every)
            continue
        words = tr(
            "{what}: not measured, because {reason}.", what=every[0], reason=because
        )
        yield words, ()
