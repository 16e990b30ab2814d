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
            "The population is taken to have a fifth fewer or more people, but never "
            "fewer than the data. The threshold above is about somebody known to be in "
            "the data, whose risk does not change."
        )
    ]
    if known is None or known.highest is not None:
        words.append(
            tr(
                "The journalist looks for one person of the population, the marketer "
                "for everybody. A threshold of k people of the population (k-map) "
                "holds as long as the highest risk is at most 1/k."
            )
        )
    if known is not None and known.most_present is not None:
        words.append(
            tr(
                "“In the data”: how likely it is that a person who looks like "
                "somebody released is in the data. A threshold of it (δ-presence) "
                "holds as long as all of it is within its bounds. Which values a fifth "
                "more or fewer people would have, nobody knows: each group is taken to "
                "change alike, and who looks like nobody in the data still does not."
            )
        )
    if known is not None and known.unique:
        words.append(
            tr(
                "“Unique people”: the share of people who look like nobody else in the "
                "population, estimated anew for so many people; “–” where the estimate "
                "does not fit the data. It may be made by another formula than above, "
                "where the share of people in the data decides about the formula."
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


def sensitivity_words() -> tuple[str, ...]:
    """What the table says, and what it does not: one sentence or two for each part."""
    return (
        tr(
            "In each line one thing is otherwise than stated, and all else is as "
            "stated. The first line alone is judged: the others show what it rests on. "
            "Lines that change nothing for this release are left out."
        ),
        tr(
            "Average, highest: how likely it is that somebody who is known to be in "
            "the data is found; for everybody on average, and for the person who is "
            "easiest to find."
        ),
        tr(
            "T1 to T4: how likely it is that somebody tries and finds a person: on "
            "purpose (T1), by recognising an acquaintance (T2), after the data were "
            "stolen or lost (T3), or to show in public that it can be done (T4)."
        ),
        tr(
            "Decides: the largest of these. Within: whether it is at most the "
            "threshold."
        ),
        tr(
            "Column known besides: of the released columns that are no "
            "quasi-identifiers, the one that makes people easiest to find is shown."
        ),
        tr(
            "A larger or smaller population changes only how likely it is to know "
            "somebody in the data (T2): average and highest risk are about people of "
            "whom that is known."
        ),
    )
