"""The section of a report that compares the release with Safe Harbor."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from deidgui.app.charts.formats import count_text, risk_texts
from deidgui.app.report.blocks import Block, Chart, Paragraph, Section, Table
from deidgui.app.report.charts import chance_text, comparison_chart
from deidgui.app.report.sections import short_name
from deidgui.engine.evidence.document import Evidence, SafeHarbor
from deidgui.text import Text, tr

BASELINES: Mapping[str, Text] = {
    "safe_harbor": "Safe Harbor",
    "policy": "the policy compared with",
    "typed": "the threshold",
}


def baseline_section(evidence: Evidence) -> Section | None:
    """How risky the release is beside its baseline; None if none was compared."""
    known = evidence.safe_harbor
    if known is None or known.policy_risk is None or known.baseline_risk is None:
        return None
    baseline = tr(BASELINES[known.baseline or "typed"])
    rows = tuple(_rows(known, baseline))
    blocks: list[Block] = [
        Paragraph(known.words, "lead"),
        Paragraph(_meaning(known)),
        *([Paragraph(known.scope, "caution")] if known.scope else []),
        Table(
            (tr("Table"), _column(known), tr("Per record")),
            rows,
            (0.5, 0.28, 0.22),
            (1, 2),
        ),
        Chart(
            comparison_chart([(name, risk) for name, risk in _bars(known, baseline)]),
            tr(
                "The shorter the bar, the safer; the release may not be longer than "
                "{baseline}.",
                baseline=baseline,
            ),
        ),
        *_spread_blocks(known, baseline),
        *_rule_blocks(evidence, known, baseline),
    ]
    if known.basis == "modelled":
        blocks.append(
            Paragraph(
                tr(
                    "The numbers of people are MODELLED or estimated, and no counts: "
                    "so are both figures. They rest on the same people, so that the "
                    "comparison favours neither."
                ),
                "caution",
            )
        )
    return Section(tr("Compared with {baseline}", baseline=baseline), tuple(blocks))


def _meaning(known: SafeHarbor) -> str:
    who = tr("Looked up among {whose}.", whose=_whose(known))
    if known.gamma == 1:
        return tr(
            "Somebody who knows the quasi-identifiers of everybody in the "
            "population, and links each record to one of the g people who fit it, "
            "links one in g rightly. The figure is the sum of 1/g over the "
            "records: how many links are right on average. {who}",
            who=who,
        )
    return tr(
        "The figure is the sum of 1/g^{gamma:g} over the records, where g "
        "people of the population fit a record. {who}",
        gamma=known.gamma,
        who=who,
    )


def _whose(known: SafeHarbor) -> str:
    if known.population.startswith("the "):
        return known.population
    counted = tr("MODELLED, not counted") if known.basis == "modelled" else known.basis
    return tr(
        "the people of {population} ({counted})",
        population=known.population,
        counted=counted,
    )


def _column(known: SafeHarbor) -> str:
    return tr("Expected correct links") if known.gamma == 1 else tr("Risk")


def _bars(known: SafeHarbor, baseline: str) -> Iterator[tuple[str, float]]:
    if known.raw_risk is not None:
        yield tr("The input"), known.raw_risk
    yield baseline[0].upper() + baseline[1:], known.baseline_risk or 0.0
    yield tr("This release"), known.policy_risk or 0.0


def _rows(known: SafeHarbor, baseline: str) -> Iterator[tuple[str, str, str]]:
    bars = list(_bars(known, baseline))
    for (name, risk), text in zip(
        bars, risk_texts(*(risk for _, risk in bars)), strict=True
    ):
        share = _each(known, risk / known.records) if known.records else "–"
        yield name, text, share
    if known.difference is not None:
        sign = "−" if known.difference < 0 else ""
        (text,) = risk_texts(abs(known.difference))
        yield tr("Release minus baseline"), sign + text, ""


def _each(known: SafeHarbor, risk: float) -> str:
    """Risk of one record: a probability, unless people count with a power."""
    return chance_text(risk) if known.gamma == 1 else f"{risk:.3g}"


def _spread_blocks(known: SafeHarbor, baseline: str) -> Iterator[Block]:
    """Whether the risk has moved to a few records, which the sum does not show."""
    spread = known.per_record
    if spread is None or known.records is None:
        return
    n_alike = known.records - spread.n_riskier - spread.n_safer
    rows = (
        (
            tr("The easiest record to link, in this release"),
            _each(known, spread.highest),
        ),
        (
            tr("The same under {baseline}", baseline=baseline),
            _each(known, spread.baseline_highest),
        ),
        (
            tr("Records riskier than under {baseline}", baseline=baseline),
            count_text(spread.n_riskier),
        ),
        (
            tr("Records as risky as under {baseline}", baseline=baseline),
            count_text(n_alike),
        ),
        (
            tr("Records safer than under {baseline}", baseline=baseline),
            count_text(spread.n_safer),
        ),
    )
    yield Table((tr("Record by record"), tr("Value")), rows, (0.6, 0.4), right=(1,))


def _rule_blocks(
    evidence: Evidence, known: SafeHarbor, baseline: str
) -> Iterator[Block]:
    """What the baseline does to each attribute beside what the release does."""
    if not known.rule:
        return
    words = {each.name: each.words for each in evidence.attributes}
    rows = tuple(
        (short_name(name), rule, words.get(name, "–"))
        for name, rule in known.rule.items()
    )
    title = baseline[0].upper() + baseline[1:]
    header = (tr("Quasi-identifier"), title, tr("This release"))
    yield Table(header, rows, (0.24, 0.34, 0.42))
    if evidence.records:
        n_records = count_text(evidence.records)
        yield Paragraph(
            tr("Both are about the same {n_records} records.", n_records=n_records)
        )
