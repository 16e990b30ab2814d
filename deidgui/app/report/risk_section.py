"""The section of a report with the risk of every attacker."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from deidgui.app.charts.formats import count_text, number_text, share_text
from deidgui.app.report.blocks import (
    Block,
    Chart,
    Paragraph,
    Section,
    Table,
    Terms,
)
from deidgui.app.report.charts import (
    chance_text,
    class_size_chart,
    risk_chart,
)
from deidgui.app.report.sections import records_text, short_name
from deidgui.engine.evidence.document import (
    Attacker,
    Evidence,
    Risk,
    RiskFigures,
)
from deidgui.text import Text, tr


def risk_section(evidence: Evidence) -> Section:
    """Figures for every attacker, before and after, with definitions."""
    risk = evidence.risk
    blocks: list[Block] = [
        Paragraph(
            tr(
                "Records that agree on all quasi-identifiers form a class. Somebody "
                "who looks for a person in a class of f records finds the right one "
                "with a probability of 1/f at most. Suppressed records are in no class."
            )
        ),
        Table(
            (tr("Figure"), tr("Input"), tr("Release")),
            tuple(_risk_rows(risk.before, risk)),
            (0.56, 0.22, 0.22),
            right=(1, 2),
        ),
        Chart(
            risk_chart(evidence.class_sizes, risk.threshold),
            _risk_caption(evidence),
        ),
        Chart(class_size_chart(evidence.class_sizes), _size_caption(evidence)),
        Terms(tuple(_attacker_terms(evidence))),
    ]
    blocks.extend(_population_blocks(evidence))
    return Section(tr("Risk of re-identification"), tuple(blocks))


def _is_modelled(risk: Risk) -> bool:
    """Whether the people of the population are known by their values, not counted."""
    return (risk.population or {}).get("basis") == "modelled"


def _basis(risk: Risk) -> str:
    """Whether figures of the population are counts or estimates, as a label."""
    known = {"none": "", "sampling_fraction": tr("(estimated)")}
    counted = tr("(MODELLED)") if _is_modelled(risk) else tr("(counted)")
    return known.get(risk.population_known, counted)


_ATTACKERS: Mapping[str, Text] = {
    "prosecutor": "Prosecutor",
    "journalist": "Journalist",
    "marketer": "Marketer",
}


def _risk_rows(before: RiskFigures, after: Risk) -> Iterator[tuple[str, ...]]:
    counted = _basis(after)
    for name, title in _ATTACKERS.items():
        old, new = getattr(before, name), getattr(after, name)
        how = "" if name == "prosecutor" else counted
        yield from _attacker_rows(f"{tr(title)} {how}".strip(), old, new)
    yield tr("Classes"), count_text(before.classes), count_text(after.classes)
    yield tr("Smallest class"), _size(before), _size(after)
    yield (
        tr("Records in a class of one"),
        count_text(before.uniques),
        count_text(after.uniques),
    )


def _size(figures: RiskFigures) -> str:
    return "–" if figures.smallest_class is None else count_text(figures.smallest_class)


def _attacker_rows(
    name: str, before: Attacker, after: Attacker
) -> Iterator[tuple[str, ...]]:
    words = {"highest": tr("highest risk"), "average": tr("average risk")}
    for field, word in words.items():
        old, new = getattr(before, field), getattr(after, field)
        if old is not None or new is not None:
            yield f"{name}: {word}", _chance(old), _chance(new)
    if before.at_risk is not None or after.at_risk is not None:
        yield (
            tr("{name}: records at risk", name=name),
            _at_risk(before),
            _at_risk(after),
        )


def _chance(value: float | None) -> str:
    return "–" if value is None else chance_text(value)


def _at_risk(attacker: Attacker) -> str:
    if attacker.at_risk is None:
        return "–"
    if attacker.records_at_risk is None:
        return share_text(attacker.at_risk)
    return f"{count_text(attacker.records_at_risk)} ({share_text(attacker.at_risk)})"


def _risk_caption(evidence: Evidence) -> str:
    at_risk = evidence.risk.prosecutor.records_at_risk
    if evidence.risk.threshold is None or at_risk is None:
        return tr("How many records have at most a given risk; further left is safer.")
    if not at_risk:
        return tr(
            "How many records have at most a given risk; further left is safer. No "
            "record of the release is above the threshold."
        )
    return tr(
        "How many records have at most a given risk; further left is safer. "
        "{n:record of the release is|records of the release are} above the threshold.",
        n=at_risk,
    )


def _size_caption(evidence: Evidence) -> str:
    least = evidence.risk.smallest_class
    if least is None:
        return tr(
            "How many records share their quasi-identifiers with how many others."
        )
    return tr(
        "How many records share their quasi-identifiers with how many others; "
        "the smallest class of the release has {records}.",
        records=records_text(least),
    )


def _attacker_terms(evidence: Evidence) -> Iterator[tuple[str, str]]:
    yield (
        tr("Prosecutor"),
        tr(
            "knows that the person is in the data. Highest: 1 / smallest class; "
            "average: classes / records."
        ),
    )
    known = {
        "none": tr(
            "Nothing is known about the population, so that the same figures as "
            "for the prosecutor are given: they are not too low."
        ),
        "sampling_fraction": tr(
            "Class sizes in the population are estimated as class size / sampling "
            "fraction."
        ),
    }.get(
        evidence.risk.population_known,
        tr("The people of each class are MODELLED, not counted: see the assumptions.")
        if _is_modelled(evidence.risk)
        else tr("The people of each class were counted in a table of the population."),
    )
    yield (
        tr("Journalist"),
        tr(
            "does not know whether the person is in the data, and matches against "
            "the population. {known}",
            known=known,
        ),
    )
    yield (
        tr("Marketer"),
        tr(
            "wants to match as many records as possible. Average: the expected share "
            "of records that are matched correctly."
        ),
    )
    if evidence.risk.threshold is not None:
        yield (
            tr("At risk"),
            tr(
                "are records with a probability above {risk}.",
                risk=chance_text(evidence.risk.threshold),
            ),
        )


def _population_blocks(evidence: Evidence) -> Iterator[Block]:
    risk = evidence.risk
    if risk.sampling_fraction is not None:
        yield Paragraph(
            tr(
                "The data are taken as a random sample of {share} of the population.",
                share=share_text(risk.sampling_fraction),
            )
        )
    if risk.population:
        yield from _people_blocks(risk.population)


def _people_blocks(population: Mapping[str, Any]) -> Iterator[Block]:
    """Whose people they are, whether anybody counted them, and how they fit."""
    words = str(population.get("words", ""))
    if words:
        is_modelled = population.get("basis") == "modelled"
        yield Paragraph(
            tr("Population: {words}.", words=words),
            "caution" if is_modelled else "body",
        )
    rows = tuple(
        (_row_title(name), _any_text(value))
        for name, value in population.items()
        if isinstance(value, int | float) or (isinstance(value, str) and not words)
    )
    if rows:
        yield Table(
            (tr("Population figure"), tr("Value")), rows, (0.72, 0.28), right=(1,)
        )
    decided = tuple(
        (short_name(name), str(each.get("target") or "–"), _matched(each))
        for name, each in (population.get("decisions") or {}).items()
    )
    if decided:
        header = (
            tr("Quasi-identifier"),
            tr("In the population"),
            tr("Decided by a person"),
        )
        yield Table(header, decided, (0.28, 0.24, 0.48))


def _matched(decision: Mapping[str, Any]) -> str:
    """What a person decided about the values of one quasi-identifier."""
    if not decision.get("target"):
        lacking = str(decision.get("lacking"))
        return tr(_LACKING.get(lacking, "not in the population"))
    is_typed, accepts = bool(decision.get("csv")), decision.get("accepts_unmatched")
    if accepts:
        return (
            tr("the match of each value, and that some have no match")
            if is_typed
            else tr("the column to match, and that some values have no match")
        )
    return tr("the match of each value") if is_typed else tr("the column to match")


_LACKING: Mapping[str, Text] = {
    "independent": "not in the population: assumed to be spread as in the records",
    "left aside": "not in the population: ignored",
}
"""How a quasi-identifier counts that the population lacks."""


def _row_title(name: str) -> str:
    return tr(_PEOPLE_ROWS[name]) if name in _PEOPLE_ROWS else name.replace("_", " ")


_PEOPLE_ROWS: Mapping[str, Text] = {
    "people": "People",
    "people_outside": "People with values that do not occur in the data: left out",
    "combinations_without_people": "Combinations of values that nobody has",
    "records_without_people": "Records with these",
    "combinations_raised": "Combinations with fewer people than records: as many "
    "people as records are taken",
    "records_raised": "Records with these combinations",
}


def _any_text(value: str | float) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return count_text(value)
    return number_text(value)
