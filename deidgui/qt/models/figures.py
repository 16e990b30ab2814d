"""How the figures and marks of a candidate are written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from deidgui.app.charts.base import Axis, AxisUnit
from deidgui.app.charts.formats import count_text, number_text
from deidgui.app.charts.phrases import Phrase, plain
from deidgui.app.charts.plane import Flag
from deidgui.app.policies.candidate import Figures
from deidgui.app.policies.lattice.policies import LatticePolicies
from deidgui.app.policies.policy_set import PolicySet
from deidgui.app.policies.source import main_kind
from deidgui.app.project import Project
from deidgui.engine.discover.sensitivity import N_POPULATIONS
from deidgui.engine.quality import QualityMeasure, scaled_weights
from deidgui.qt.widgets.chips import ChipTone
from deidgui.text import Text, share_text, tr, unit_words

Flags = Mapping[int, tuple[Flag, ...]]
"""Marks by node."""

FLAG_SIGNS = {
    Flag.CHOSEN: "◆",
    Flag.OPTIMUM: "★",
    Flag.PICKED: "★",
    Flag.KEPT: "▲",
    Flag.MINIMAL: "■",
}
"""The shapes that charts draw, as letters; what matters most stands first."""

FLAG_TONES: Mapping[Flag, ChipTone] = {
    Flag.OPTIMUM: "success",
    Flag.CHOSEN: "accent",
    Flag.KEPT: "info",
    Flag.MINIMAL: "plain",
    Flag.PICKED: "success",
}

EFFECT_GLYPHS = {
    "kept": "check",
    "grouped": "category",
    "generalized": "category",
    "joined": "link",
    "removed": "eye-off",
}
EFFECT_TONES = {
    "kept": "success",
    "grouped": "muted",
    "generalized": "muted",
    "joined": "muted",
    "removed": "warning",
}
"""What happens to a column: a glyph and a colour that say the same."""


class Figure(NamedTuple):
    """One figure of a candidate in words."""

    label: str
    text: str
    unit: str
    explanation: str
    value: float


def flag_words(flag: Flag) -> str:
    """Name of a mark: best, chosen, kept."""
    return Phrase(flag.value).text()


def is_share(found: LatticePolicies) -> bool:
    """Whether the loss is a share, to be written in per cent."""
    return found.guiding.unit == "share"


def loss_axis(found: LatticePolicies) -> Axis:
    """What the loss of a search is, for charts."""
    return measure_axis(found.guiding, of_people=found.by_person)


def measure_axis(measure: QualityMeasure, *, of_people: bool) -> Axis:
    """What the loss under a measure is, for charts."""
    if measure.unit == "share":
        return Axis(Phrase("loss"), AxisUnit.SHARE)
    unit = measure_unit(measure, unit_words(of_people))
    return Axis(plain(f"{tr(measure.title)} ({unit})"))


def measure_unit(measure: QualityMeasure, counted: str) -> str:
    """What a value of a measure is counted in; where that are records, what they are.

    Parameters
    ----------
    counted : str
        Records, people or rows, in words.
    """
    return counted if measure.unit == "records" else tr(measure.unit)


def loss_text(found: LatticePolicies, node: int) -> str:
    """Loss of a candidate as people write it; a lower bound is marked as such."""
    loss = float(found.loss[node])
    text = share_text(loss) if is_share(found) else number_text(loss)
    is_bound = loss == loss and not found.result.exact[node]
    return f"≥ {text}" if is_bound else text


def measure_words(measure: QualityMeasure, weights: Mapping[str, float]) -> str:
    """Say what a measure says, and how the loss of the columns becomes a total."""
    return f"{measure.words()} {total_words(measure, weights)}".strip()


def measure_text(measure: QualityMeasure, loss: float, counted: str) -> str:
    """Loss under any measure as people write it, with its unit (see `measure_unit`)."""
    if measure.unit == "share":
        return share_text(loss)
    return f"{number_text(loss)} {measure_unit(measure, counted)}"


def policy_figures(
    known: Figures,
    n_records: int,
    measure: QualityMeasure | None,
    *,
    weights: Mapping[str, float] | None = None,
    of_people: bool = False,
    who: str = "",
) -> tuple[Figure, ...]:
    """Figures that policies are chosen and compared by, those that are known.

    Parameters
    ----------
    n_records : int
        Records before suppression.
    measure : QualityMeasure or None
        That gives the loss.
    weights : mapping of str to float, optional
        Importance by quasi-identifier.
    of_people : bool
        Whether these records are people, each with one or more rows.
    who : str
        Which values the records have that are riskier than under the baseline.

    Returns
    -------
    tuple of Figure
        Suppressed records, loss, average and highest risk; of policies that are
        compared with a baseline also what their risk is there.
    """
    found = [
        _suppressed(known.n_suppressed, n_records, of_people),
        _loss(known, measure, weights, of_people),
        _average(known.average_risk, of_people),
        _highest(known, of_people),
    ]
    if known.share_at_risk is not None:
        found.append(_at_risk(known))
    if known.population_risk is not None:
        found.append(_links(known.population_risk))
    if known.n_riskier is not None:
        found.append(_riskier(known, who, of_people))
    if known.n_holding is not None:
        found.append(_holding(known.n_holding))
    return tuple(found)


UNKNOWN = float("inf")
"""Stands for a figure that is not known: never the least."""


def at_risk_text(known: Figures) -> str:
    """Share of people at risk as people write it: an estimate is marked."""
    share, low, high = (
        known.share_at_risk,
        known.share_at_risk_low,
        known.share_at_risk_high,
    )
    if share is None or low is None or high is None:
        return "–"
    text = share_text(share)
    if low == high:
        return text
    if share == low:
        return f"≥ {text}"
    return f"≤ {text}" if share == high else f"~ {text}"


def _at_risk(known: Figures) -> Figure:
    low, high = known.share_at_risk_low or 0.0, known.share_at_risk_high or 1.0
    why = tr(
        "Share of the people whom too few match, by what is known of their events. It "
        "lies between {low} and {high} with 99.9\u202f% confidence.",
        low=share_text(low),
        high=share_text(high),
    )
    share = known.share_at_risk or 0.0
    return Figure(tr("People at risk"), at_risk_text(known), "", why, share)


def _suppressed(n_suppressed: int | None, n_records: int, of_people: bool) -> Figure:
    label, why = tr("Suppressed"), tr("Nothing of them is released.")
    if of_people:
        why = tr(
            "Nothing of them is released: all rows of a person go together. Risk and "
            "utility says how many rows these are."
        )
    if n_suppressed is None:
        return Figure(label, "–", "", why, UNKNOWN)
    share = share_text(n_suppressed / max(n_records, 1))
    words: Text = "people ({share})" if of_people else "records ({share})"
    unit = tr(words, share=share)
    return Figure(label, count_text(n_suppressed), unit, why, n_suppressed)


def total_words(measure: QualityMeasure, weights: Mapping[str, float]) -> str:
    """Say how the loss of the columns becomes a total; empty if it is none."""
    if not any(weights.values()):
        return ""
    return measure.total_words(scaled_weights(tuple(weights), weights))


def _loss(
    known: Figures,
    measure: QualityMeasure | None,
    weights: Mapping[str, float] | None,
    of_people: bool,
) -> Figure:
    label = tr("Loss")
    if measure is None or known.loss is None:
        why = tr("Not known by the measure that guides the search.")
        return Figure(label, "–", "", why, UNKNOWN)
    is_share = measure.unit == "share"
    text = share_text(known.loss) if is_share else number_text(known.loss)
    why = tr("{title}: less is better.", title=measure.title)
    why = f"{why} {total_words(measure, weights or {})}".strip()
    if of_people:
        once = tr(
            "Each person counts once; Risk and utility and the evidence count the rows."
        )
        why = f"{why} {once}"
    shown = text if known.is_exact else f"≥ {text}"
    unit = "" if is_share else measure_unit(measure, unit_words(of_people))
    return Figure(label, shown, unit, why, known.loss)


def _average(risk: float | None, of_people: bool) -> Figure:
    label = tr("Average risk")
    why = tr("How likely a known person's record is found, on average.")
    if of_people:
        why = tr("How likely a person whose rows are known is found, on average.")
    if risk is None:
        return Figure(label, "–", "", why, UNKNOWN)
    return Figure(label, share_text(risk), "", why, risk)


def highest_text(known: Figures) -> str:
    """Highest risk as people write it; an upper bound is marked as such."""
    if known.highest_risk is None:
        return "–"
    text = share_text(known.highest_risk)
    return text if known.highest_is_exact else f"≤ {text}"


def bound_words() -> str:
    """Say why a highest risk is a bound."""
    return tr(
        "“≤”: a search counts large equivalence classes by their least size only. "
        "“Risk and utility” has the exact figure of the chosen policy."
    )


def _highest(known: Figures, of_people: bool) -> Figure:
    label, risk = tr("Highest risk"), known.highest_risk
    if risk is None:
        return Figure(label, "–", "", tr("Not known."), UNKNOWN)
    if not risk:
        return Figure(label, share_text(risk), "", tr("Nothing is released."), risk)
    n_others = round(1 / risk) - 1
    why: Text = (
        "Every released record shares its values with at least {n:other|others}."
        if n_others
        else "At least one released record is unique."
    )
    if of_people:
        why = (
            "The rows of every released person look like those of at least "
            "{n:other|others}."
            if n_others
            else "The rows of at least one released person look like nobody else's."
        )
    words = tr(why, n=n_others)
    if not known.highest_is_exact:
        words = f"{words} {bound_words()}"
    return Figure(label, highest_text(known), "", words, risk)


def _links(risk: float) -> Figure:
    label = tr("Expected correct links")
    why = tr("How many are expected to be linked to the right person.")
    return Figure(label, f"{risk:,.2f}", "", why, risk)


def _riskier(known: Figures, who: str, of_people: bool) -> Figure:
    label, n_riskier = tr("Riskier than under the baseline"), known.n_riskier or 0
    unit = (
        tr(
            "{unit}, each by at most {points} percentage points, {sum} links together",
            unit=unit_words(of_people),
            points=f"{100 * (known.added_risk or 0.0):.3g}",
            sum=f"{known.added_sum or 0.0:.3g}",
        )
        if n_riskier
        else ""
    )
    why = tr("How many have a higher risk in the population than under the baseline.")
    if who:
        why = tr("They have these values: {who}.", who=who)
    return Figure(label, count_text(n_riskier), unit, why, n_riskier)


def _holding(n_holding: int) -> Figure:
    return Figure(
        tr("Holds if people are counted otherwise"),
        count_text(n_holding),
        tr("of {n} populations", n=N_POPULATIONS),
        tr(
            "Populations drawn around the known one, in which it is no riskier than "
            "the baseline."
        ),
        -n_holding,
    )


def mark_text(flags: tuple[Flag, ...]) -> str:
    """Signs and names of marks, to stand before the words of a policy."""
    return "".join(f"{FLAG_SIGNS[flag]} {flag_words(flag)}  " for flag in flags)


def expected_text(risk: float) -> str:
    """Write an expected number of correct links; small ones keep four digits.

    Parameters
    ----------
    risk : float, >= 0
    """
    if 0 < risk < 0.0001:
        return f"{risk:.1e}"
    if 0 < risk < 10:
        return f"{risk:.4f}".rstrip("0").rstrip(".")
    return number_text(risk)


def flags_of(project: Project, policies: PolicySet) -> Flags:
    """Return the marks of policies by number."""
    found: dict[int, tuple[Flag, ...]] = {}
    marked = _of_source(policies, main_kind(project))
    marked.append((policies.number_of(project.chosen), Flag.CHOSEN))
    marked += [(policies.number_of(each), Flag.KEPT) for each in project.kept]
    for number, flag in marked:
        if number is not None and flag not in found.get(number, ()):
            found[number] = (*found.get(number, ()), flag)
    return found


def _of_source(policies: PolicySet, kind: str) -> list[tuple[int | None, Flag]]:
    """Marks of what the source found that finds the policy to release."""
    part = policies.part(kind)
    if part is None:
        return []
    numbers = policies.numbers_in(kind)

    def number(row: int) -> int:
        return int(numbers[part.representative(row)])

    best, minimal = Flag.OPTIMUM, tuple[int, ...]()
    if isinstance(part, LatticePolicies):
        minimal = part.minimal_nodes
        best = Flag.PICKED if is_picked(part) else best
    first = [] if part.optimum is None else [(number(part.optimum), best)]
    return [*first, *((number(row), Flag.MINIMAL) for row in minimal)]


def is_picked(found: LatticePolicies) -> bool:
    """Whether OLA took the policy that is released, which need not be the best."""
    return bool(found.minimal) and not found.complete
