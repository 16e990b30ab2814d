"""What risks become if one thing is otherwise, in words: for window and report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from deidgui.engine.evidence.document import (
    Criteria,
    RiskOfPeople,
    SensitivityCase,
)
from deidgui.text import Text, share_text, tr

Rows = tuple[tuple[str, ...], ...]

_AS_STATED: Text = "As stated"
_COLUMN: Text = "“{column}” is known besides"
_ACQUAINTANCES: Text = "190 acquaintances of a person"
_BREACH: Text = "Twice as many breaches"
_CONTROLS: Text = "Controls one level worse"
_SMALLER: Text = "Population a fifth smaller"
_LARGER: Text = "Population a fifth larger"
_TOGETHER: Text = "Any of the attacks, as if independent"
KINDS: Mapping[str, Text] = {
    "as_stated": _AS_STATED,
    "column": _COLUMN,
    "acquaintances": _ACQUAINTANCES,
    "breach": _BREACH,
    "controls": _CONTROLS,
    "smaller_population": _SMALLER,
    "larger_population": _LARGER,
    "together": _TOGETHER,
}


def sensitivity_heads(cases: Sequence[SensitivityCase]) -> tuple[str, ...]:
    """Heads of the table of `sensitivity_rows`."""
    attacks = tuple(cases[0].overall) if cases else ()
    return (
        tr("Case"),
        tr("Average"),
        tr("Highest"),
        *attacks,
        tr("Decides"),
        tr("Within"),
    )


def sensitivity_rows(cases: Sequence[SensitivityCase]) -> Rows:
    """Risk in the data, and overall risk by attack, case by case."""
    attacks = tuple(cases[0].overall) if cases else ()
    shown = [e for e in cases if e.people is None or _says_more(e, cases[0])]
    return tuple(
        (
            tr(KINDS[each.kind], column=each.column),
            share_text(each.average),
            share_text(each.highest),
            *(_share(each.overall.get(name)) for name in attacks),
            _share(each.decides),
            _within(each.within),
        )
        for each in shown
    )


def _says_more(each: SensitivityCase, stated: SensitivityCase) -> bool:
    """Whether a case of another population says more than that of its people."""
    return each is stated or each.attempts != stated.attempts


def people_heads(cases: Sequence[SensitivityCase] = ()) -> tuple[str, ...]:
    """Heads of the table of `people_rows`: what is known of any case."""
    known = _people_known(cases)
    heads = [tr("Case")]
    if known is None or known.highest is not None:
        heads += [
            tr("Journalist, average"),
            tr("Journalist, highest"),
            tr("Marketer, matched"),
        ]
    if known is not None and known.most_present is not None:
        heads.append(tr("In the data"))
    if known is not None:
        heads += [tr("Unique people") for _ in known.unique]
    return tuple(heads)


def people_rows(cases: Sequence[SensitivityCase]) -> Rows:
    """Risk of people of the population, by their number; none if nobody knows it."""
    known = _people_known(cases)
    return tuple(
        (tr(KINDS[each.kind]), *_figures(each.people, known))
        for each in cases
        if each.people is not None and known is not None
    )


def _people_known(cases: Sequence[SensitivityCase]) -> RiskOfPeople | None:
    return next((each.people for each in cases if each.people is not None), None)


def _figures(people: RiskOfPeople, known: RiskOfPeople) -> tuple[str, ...]:
    """Figures of a case; a dash for what is known of the first one alone."""
    figures = []
    if known.highest is not None:
        found = (people.average, people.highest, people.matched)
        figures += [_share(each) for each in found]
    if known.most_present is not None:
        least, most = _share(people.least_present), _share(people.most_present)
        figures.append(tr("{least} to {most}", least=least, most=most))
    # A stranger's evidence may have another number of them.
    unique = [*people.unique, *(None for _ in known.unique)][: len(known.unique)]
    return (*figures, *(_share(each) for each in unique))


def people_words(cases: Sequence[SensitivityCase] = ()) -> str:
    """What the risk of people says, as far as it is known."""
    known = _people_known(cases)
    words = [
        tr(
            "Risk of somebody of whom it is not known whether they are in the data. "
            "There are taken to be a fifth fewer or more people, but never fewer than "
            "records. The threshold above judges the risk of somebody known to be in "
            "the data, which does not change."
        )
    ]
    if known is None or known.highest is not None:
        words.append(
            tr(
                "The journalist knows a person of the population, the marketer matches "
                "all of it. k-map of k holds as long as the highest risk is at most "
                "1/k."
            )
        )
    if known is not None and known.most_present is not None:
        words.append(
            tr(
                "“In the data” is the probability that who fits a released class is "
                "among the records. δ-presence holds as long as all of it is within "
                "its bounds. Which values a fifth more or fewer people of a table "
                "would have, nobody knows: each class is taken to change alike, and "
                "who fits no record still does not."
            )
        )
    if known is not None and known.unique:
        words.append(
            tr(
                "“Unique people” is estimated anew for so many people, by the "
                "estimator of the privacy model; “–” where it does not fit the data. "
                "An estimator that chooses by the sampled share may choose another one."
            )
        )
    return " ".join(words)


def _share(value: float | None) -> str:
    return "–" if value is None else share_text(value)


def _within(is_within: bool | None) -> str:
    if is_within is None:
        return tr("open")
    return tr("yes") if is_within else tr("NO")


def unmeasured_words(criteria: Criteria | None) -> str | None:
    """Say what is not known of one more column; None if all were measured."""
    gaps = criteria.gaps if criteria is not None else ()
    if not gaps:
        return None
    names = [each.partition(":")[2] for each in gaps]
    if not all(names):
        return tr(
            "One more known column: not measured for any column. That nothing stands "
            "in the table does not say that nothing changes."
        )
    listed = ", ".join(f"“{name}”" for name in names)
    return tr(
        "One more known column: not measured for {names}, which may change more than "
        "the column that is shown.",
        names=listed,
    )


def sensitivity_words() -> str:
    """What the table says, and what it does not."""
    return tr(
        "Average and highest risk in the data; overall risk by attack: T1 deliberate, "
        "T2 by an acquaintance, T3 after a breach, T4 public; the one that decides, "
        "and whether it is within the threshold. One thing is changed at a time, all "
        "else stays as stated; cases that change nothing for this release are left "
        "out. Of the released columns that are no quasi-identifiers the one with the "
        "largest risk is shown. The risk in the data is that of somebody known to be "
        "in it, so that a larger or smaller population changes of these figures only "
        "the chance to know somebody in it (T2). The first line alone is judged: the "
        "others show what it rests on."
    )
