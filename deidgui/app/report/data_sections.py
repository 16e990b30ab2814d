"""The sections of a report that say what became of the data."""

from __future__ import annotations

from collections.abc import Iterator

from deidgui.app.charts.formats import count_text, number_text, share_text
from deidgui.app.report.blocks import (
    Block,
    Chart,
    Paragraph,
    Section,
    Table,
)
from deidgui.app.report.charts import (
    distribution_chart,
    short,
)
from deidgui.app.report.sections import short_name
from deidgui.engine.evidence.document import (
    Evidence,
    Measure,
)
from deidgui.text import tr


def quality_section(evidence: Evidence) -> Section:
    """What was lost, and how the released labels are spread."""
    rows = tuple(
        (title, _value(measure.value), meaning)
        for measure, title, meaning in _titled(evidence)
    )
    blocks: list[Block] = []
    if rows:
        blocks.append(
            Table(
                (tr("Measure"), tr("Value"), tr("Meaning")),
                rows,
                (0.22, 0.16, 0.62),
                right=(1,),
            )
        )
    else:
        blocks.append(Paragraph(tr("No quality measure was computed.")))
    if evidence.policy.bits and any(m.value is None for m in evidence.quality.values()):
        blocks.append(
            Paragraph(
                tr(
                    "– stands where a measure goes by levels of hierarchies, and some "
                    "values are released in groups that are no level."
                )
            )
        )
    blocks.extend(_by_attribute(evidence))
    for name, each in evidence.distributions.items():
        if len(each.labels) < 2 and each.others is None:
            continue
        caption = tr(
            "{short}: records of the input (outline) and of the release (bar) by "
            "released label.",
            short=short(name),
        )
        blocks.append(Chart(distribution_chart(name, each), caption))
    return Section(tr("What remains for analysis"), tuple(blocks))


def _titled(evidence: Evidence) -> Iterator[tuple[Measure, str, str]]:
    """Every measure with its name and what it means."""
    for kind, measure in evidence.quality.items():
        title, colon, meaning = measure.words.partition(": ")
        if colon and len(title) <= _LONGEST_TITLE:
            yield measure, title, meaning
        else:
            yield measure, kind.replace("_", " ").capitalize(), measure.words


_LONGEST_TITLE = 40
_MOST_MEASURES = 4


def _value(value: float | None) -> str:
    if value is None:
        return "–"
    if abs(value) < 1e9:
        return number_text(value)
    digits, power = f"{value:.1e}".split("e")
    return f"{digits} × 10^{int(power)}"


def _by_attribute(evidence: Evidence) -> Iterator[Block]:
    """Measures that give every quasi-identifier a share, side by side."""
    measures = {
        title: measure.by_attribute
        for measure, title, _ in _titled(evidence)
        if measure.by_attribute
        and all(0 <= value <= 1 for value in measure.by_attribute.values())
    }
    shown = dict(list(measures.items())[:_MOST_MEASURES])
    if not shown:
        return
    names = dict.fromkeys(name for values in shown.values() for name in values)
    rows = tuple(
        (short_name(name), *(_value(values.get(name)) for values in shown.values()))
        for name in names
    )
    yield Table(
        (tr("Quasi-identifier"), *shown),
        rows,
        (0.36, *([0.64 / len(shown)] * len(shown))),
        right=tuple(range(1, len(shown) + 1)),
        caption=tr(
            "For each quasi-identifier, from 0 (as it was) to 1 (nothing left)."
        ),
    )


def suppressed_section(evidence: Evidence) -> Section:
    """How many records were suppressed, and from whom in aggregate."""
    suppressed, n = evidence.suppressed_records, evidence.records
    limit = evidence.thresholds.suppression_limit
    blocks: list[Block] = [
        Paragraph(
            tr(
                "{suppressed:record|records} of {n} ({share}) suppressed; the limit is "
                "{limit}.",
                suppressed=suppressed,
                n=n,
                share=share_text(suppressed / n) if n else "–",
                limit=tr("not set") if limit is None else share_text(limit),
            )
        )
    ]
    rows = tuple(_suppressed_rows(evidence))
    if rows:
        blocks.append(
            Table(
                (
                    tr("Quasi-identifier"),
                    tr("Label"),
                    tr("Suppressed"),
                    tr("Of all with it"),
                ),
                rows,
                (0.3, 0.34, 0.18, 0.18),
                right=(2, 3),
                caption=tr("Groups with the highest suppression rate."),
            )
        )
    if suppressed:
        few = max((d.fewer_than for d in evidence.distributions.values()), default=5)
        blocks.append(
            Paragraph(
                tr(
                    "People with rare combinations are suppressed more often than "
                    "others: the release is less complete for them. Numbers below "
                    "{few} are not shown, since they could identify somebody.",
                    few=few,
                )
            )
        )
    return Section(tr("What is suppressed"), tuple(blocks))


def _suppressed_rows(evidence: Evidence) -> Iterator[tuple[str, str, str, str]]:
    found = []
    for name, each in evidence.distributions.items():
        for count in each.labels:
            if count.suppressed:
                total = count.suppressed + count.released
                found.append((count.suppressed / total, name, count))
    found.sort(key=lambda row: -row[0])
    for share, name, count in found[:12]:
        assert count.suppressed is not None
        label = short_name(count.label) or short(count.label)
        row = (label, count_text(count.suppressed), share_text(share))
        yield (short_name(name), *row)


def missing_section(evidence: Evidence) -> Section:
    """How missing values count."""
    rows = tuple(
        (short_name(each.name), count_text(each.missing_records))
        for each in evidence.attributes
        if each.missing_records and each.released_as is not None
    )
    words = evidence.missing.words or tr(
        "Missing values count as a value of their own."
    )
    blocks: list[Block] = [Paragraph(words)]
    if rows:
        header = (tr("Column"), tr("Records of the input without a value"))
        blocks.append(Table(header, rows, (0.5, 0.5), right=(1,)))
    else:
        blocks.append(Paragraph(tr("No released column has missing values.")))
    return Section(tr("Missing values"), tuple(blocks))
