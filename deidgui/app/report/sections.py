"""The sections of a report that say what is released and how safe it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from deidgui.app.charts.formats import count_text, number_text, share_text
from deidgui.app.recipients import BY_KIND
from deidgui.app.report.blocks import (
    Block,
    Chart,
    KeyFigure,
    KeyFigures,
    Paragraph,
    Section,
    Table,
    Terms,
)
from deidgui.app.report.charts import (
    chance_text,
    class_size_chart,
    distribution_chart,
    risk_chart,
    short,
)
from deidgui.engine.evidence.document import (
    Attacker,
    Attribute,
    Evidence,
    Measure,
    Model,
    RiskFigures,
)

ROLES = {
    "direct_identifier": "direct identifier",
    "quasi_identifier": "quasi-identifier",
    "sensitive": "sensitive",
    "insensitive": "insensitive",
    None: "not included",
}


def recipient_words(evidence: Evidence) -> str:
    """Who receives the release, in words."""
    recipient = BY_KIND.get(evidence.thresholds.recipient or "")
    if recipient is None:
        return "a recipient who is not stated"
    if recipient.kind == "own":
        return "a recipient described below"
    return recipient.title[0].lower() + recipient.title[1:]


def records_text(n: int) -> str:
    """Number of records with its noun."""
    return f"{count_text(n)} {'record' if n == 1 else 'records'}"


def key_figures(evidence: Evidence) -> KeyFigures:
    """The numbers to read first."""
    risk, n = evidence.risk, evidence.records
    withheld = evidence.suppressed_records
    share = share_text(withheld / n) if n else "none"
    n_met = sum(model.satisfied for model in evidence.models)
    figures = [
        KeyFigure(count_text(risk.records), "records released", f"of {count_text(n)}"),
        KeyFigure(count_text(withheld), "records withheld", share),
        _risk_figure("highest risk", risk.prosecutor.highest),
        _risk_figure("average risk", risk.prosecutor.average),
        KeyFigure(
            f"{n_met} of {len(evidence.models)}",
            "requirements met",
            "all" if n_met == len(evidence.models) else "not all",
        ),
    ]
    return KeyFigures(tuple(figures))


def _risk_figure(name: str, value: float | None) -> KeyFigure:
    if value is None:
        return KeyFigure("–", name)
    remark = f"1 in {number_text(1 / value)}" if value else ""
    return KeyFigure(share_text(value), name, remark)


def lead(evidence: Evidence) -> str:
    """Return the release in one paragraph."""
    released = evidence.records - evidence.suppressed_records
    return (
        f"{count_text(released)} of {records_text(evidence.records)} are released to "
        f"{recipient_words(evidence)}. What happens to the columns that could identify "
        f"somebody: {evidence.policy.sentence}."
    )


# -- what is released ------------------------------------------------------------------


def released_section(evidence: Evidence) -> Section:
    """Every column of the input, and what became of it."""
    rows = tuple(_column_row(each) for each in evidence.attributes)
    blocks: list[Block] = [
        Paragraph(
            f"The input has {records_text(evidence.records)} in "
            f"{count_text(len(evidence.attributes))} columns. Quasi-identifiers are "
            "columns that others may know about a person and could use to find the "
            "person's record; the figures of this report are about them."
        ),
        Table(
            ("Column", "Role", "Set by", "What is released"),
            rows,
            (0.28, 0.2, 0.14, 0.38),
        ),
    ]
    blocks.extend(_pseudonym_notes(evidence))
    if evidence.spreadsheet_safe:
        blocks.append(
            Paragraph(
                "Texts that a spreadsheet would execute as a formula have an "
                "apostrophe before them."
            )
        )
    return Section("What is released", tuple(blocks))


def _column_row(each: Attribute) -> tuple[str, str, str, str]:
    by = "a person" if each.confirmed else "proposal"
    if each.role is None or each.treatment == "left_out":
        by = "–"
    return short_name(each.name), ROLES[each.role], by, each.words


def short_name(name: str) -> str:
    """Name of a column, cut where a table would burst."""
    return name if len(name) <= 60 else f"{name[:59]}…"


def _pseudonym_notes(evidence: Evidence) -> Iterator[Block]:
    fates = {each.key for each in evidence.attributes if each.treatment == "pseudonym"}
    words = {
        "destroyed": "The key was destroyed: nobody can turn a code back.",
        "kept_apart": (
            "The key is kept by the sender, apart from this release: whoever has it "
            "can turn codes back."
        ),
    }
    for fate in sorted(fate for fate in fates if fate):
        yield Paragraph(
            "Keyed codes are the first 80 bits of HMAC-SHA256 under a random key of "
            f"256 bits, drawn for this release and column alone. {words[fate]}"
        )


# -- policy ----------------------------------------------------------------------------


def policy_section(evidence: Evidence) -> Section:
    """The policy in words and levels."""
    policy = evidence.policy
    rows = tuple(
        (
            short_name(each.name),
            each.words,
            "–" if each.level is None else f"{each.level} of {each.height}",
            each.mapping or "–",
        )
        for each in evidence.attributes
        if each.role == "quasi_identifier" and each.mapping
    )
    return Section(
        "The policy",
        (
            Paragraph(f"In words: {policy.sentence}."),
            Table(
                ("Quasi-identifier", "Released as", "Level", "Which value got which"),
                rows,
                (0.28, 0.32, 0.12, 0.28),
            ),
            Paragraph(
                "Level 0 releases values as they are, the highest level releases "
                "nothing but *. The same rule applies to every record."
            ),
            Paragraph(withhold_words(evidence)),
            Paragraph(_order_words(evidence)),
        ),
    )


def withhold_words(evidence: Evidence) -> str:
    """Say which records are withheld and what stands in their place."""
    policy = evidence.policy
    if policy.withhold_below <= 1:
        return "No record is withheld for the size of its class."
    where = {
        "stars": "Each of them stays as a row in which every cell is *, also in the "
        "columns that are no quasi-identifiers.",
        "left_out": "They have no row in the released table.",
    }[policy.withheld]
    return (
        f"Records whose quasi-identifiers, as released, are shared by fewer than "
        f"{count_text(policy.withhold_below)} records are withheld: "
        f"{records_text(evidence.suppressed_records)}. {where}"
    )


def _order_words(evidence: Evidence) -> str:
    return {
        "input": (
            "Rows stand in the order of the input: whoever knows that order can tell "
            "which record is whose."
        ),
        "random": (
            "Rows stand in a random order drawn from the operating system; it was "
            "not kept."
        ),
        "seeded": (
            "Rows stand in a random order made from a number that the sender keeps; "
            "whoever has it can restore the order of the input."
        ),
    }[evidence.row_order.kind]


# -- thresholds ------------------------------------------------------------------------


def threshold_section(evidence: Evidence) -> Section:
    """Who receives it, which thresholds hold, who set them and why."""
    decided = evidence.thresholds
    recipient = BY_KIND.get(decided.recipient or "")
    rows = [
        ("Recipient", recipient.title if recipient else "not stated"),
        ("What that means", recipient.sentence if recipient else "–"),
        ("A record is at risk above", _or_dash(decided.at_risk, chance_text)),
        ("Most records withheld", _or_dash(decided.suppression_limit, share_text)),
        ("Set by", decided.set_by or "not stated"),
        ("Why", decided.justification or "no justification was given"),
    ]
    models = tuple(
        (_model_words(model), "met" if model.satisfied else "NOT MET")
        for model in evidence.models
    )
    blocks: list[Block] = [Terms(tuple(rows))]
    if models:
        blocks.append(Table(("Requirement", "Result"), models, (0.8, 0.2)))
    else:
        blocks.append(Paragraph("No privacy model was required.", "caution"))
    if not all(model.satisfied for model in evidence.models):
        blocks.append(
            Paragraph("The release does not meet every requirement.", "caution")
        )
    return Section("Thresholds and requirements", tuple(blocks))


def _or_dash(value: float | None, write: Callable[[float], str]) -> str:
    return "not set" if value is None else write(value)


def _model_words(model: Model) -> str:
    if model.words:
        return model.words
    params = ", ".join(
        f"{name} = {value}" for name, value in sorted((model.model_extra or {}).items())
    )
    name = model.kind.replace("_", " ")
    return f"{name} ({params})" if params else name


# -- risk ------------------------------------------------------------------------------


def risk_section(evidence: Evidence) -> Section:
    """Figures for every attacker, before and after, with definitions."""
    risk = evidence.risk
    blocks: list[Block] = [
        Paragraph(
            "Records that agree on all quasi-identifiers form a class. Somebody who "
            "looks for a person in a class of f records finds the right one with a "
            "probability of 1/f at most. Withheld records are in no class."
        ),
        Table(
            ("Figure", "Input", "Release"),
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
    return Section("Risk of re-identification", tuple(blocks))


def _risk_rows(before: RiskFigures, after: RiskFigures) -> Iterator[tuple[str, ...]]:
    for name in ("prosecutor", "journalist", "marketer"):
        old, new = getattr(before, name), getattr(after, name)
        yield from _attacker_rows(name.capitalize(), old, new)
    yield "Classes", count_text(before.classes), count_text(after.classes)
    yield "Smallest class", _size(before), _size(after)
    yield (
        "Records in a class of one",
        count_text(before.uniques),
        count_text(after.uniques),
    )


def _size(figures: RiskFigures) -> str:
    return "–" if figures.smallest_class is None else count_text(figures.smallest_class)


def _attacker_rows(
    name: str, before: Attacker, after: Attacker
) -> Iterator[tuple[str, ...]]:
    words = {"highest": "highest risk", "average": "average risk"}
    for field, word in words.items():
        old, new = getattr(before, field), getattr(after, field)
        if old is not None or new is not None:
            yield f"{name}: {word}", _chance(old), _chance(new)
    if before.at_risk is not None or after.at_risk is not None:
        yield f"{name}: records at risk", _at_risk(before), _at_risk(after)


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
        return "How many records have at most a given risk; further left is safer."
    above = records_text(at_risk) if at_risk else "no record"
    return (
        "How many records have at most a given risk; further left is safer. Above the "
        f"threshold there {'is' if at_risk <= 1 else 'are'} {above} of the release."
    )


def _size_caption(evidence: Evidence) -> str:
    least = evidence.risk.smallest_class
    if least is None:
        return "How many records share their quasi-identifiers with how many others."
    return (
        "How many records share their quasi-identifiers with how many others; the "
        f"smallest class of the release has {records_text(least)}."
    )


def _attacker_terms(evidence: Evidence) -> Iterator[tuple[str, str]]:
    yield (
        "Prosecutor",
        "knows that the person is in the data. Highest: 1 / smallest class; average: "
        "classes / records.",
    )
    known = {
        "none": "Nothing is known about the population, so that the same figures as "
        "for the prosecutor are given: they are not too low.",
        "sampling_fraction": "Class sizes in the population are estimated as class "
        "size / sampling fraction.",
    }.get(
        evidence.risk.population_known,
        "Class sizes in the population come from a table of counts.",
    )
    yield (
        "Journalist",
        "does not know whether the person is in the data, and matches against the "
        f"population. {known}",
    )
    yield (
        "Marketer",
        "wants to match as many records as possible. Average: the share of records "
        "that is expected to be matched rightly.",
    )
    if evidence.risk.threshold is not None:
        yield (
            "At risk",
            "are records with a probability above "
            f"{chance_text(evidence.risk.threshold)}.",
        )


def _population_blocks(evidence: Evidence) -> Iterator[Block]:
    risk = evidence.risk
    if risk.sampling_fraction is not None:
        fraction = share_text(risk.sampling_fraction)
        yield Paragraph(
            f"The data are taken as a random sample of {fraction} of the population."
        )
    if risk.population:
        rows = tuple(
            (name.replace("_", " "), _any_text(value))
            for name, value in risk.population.items()
            if isinstance(value, str | int | float)
        )
        if rows:
            yield Table(("Population figure", "Estimate"), rows, (0.6, 0.4), right=(1,))


def _any_text(value: str | float) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return count_text(value)
    return number_text(value)


# -- quality ---------------------------------------------------------------------------


def quality_section(evidence: Evidence) -> Section:
    """What was lost, and how the released labels are spread."""
    rows = tuple(
        (title, _value(measure.value), meaning)
        for measure, title, meaning in _titled(evidence)
    )
    blocks: list[Block] = []
    if rows:
        blocks.append(
            Table(("Measure", "Value", "Meaning"), rows, (0.22, 0.16, 0.62), right=(1,))
        )
    else:
        blocks.append(Paragraph("No quality measure was computed."))
    blocks.extend(_by_attribute(evidence))
    for name, each in evidence.distributions.items():
        if len(each.labels) < 2 and each.others is None:
            continue
        caption = (
            f"{short(name)}: records of the input (outline) and of the release (bar) "
            "by released label."
        )
        blocks.append(Chart(distribution_chart(name, each), caption))
    return Section("What remains for analysis", tuple(blocks))


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
        ("Quasi-identifier", *shown),
        rows,
        (0.36, *([0.64 / len(shown)] * len(shown))),
        right=tuple(range(1, len(shown) + 1)),
        caption="For each quasi-identifier, from 0 (as it was) to 1 (nothing left).",
    )


# -- withheld and missing --------------------------------------------------------------


def withheld_section(evidence: Evidence) -> Section:
    """How many records were withheld, and from whom in aggregate."""
    withheld, n = evidence.suppressed_records, evidence.records
    limit = evidence.thresholds.suppression_limit
    blocks: list[Block] = [
        Paragraph(
            f"{records_text(withheld)} of {count_text(n)}"
            f"{f' ({share_text(withheld / n)})' if n else ''} "
            f"{'is' if withheld == 1 else 'are'} withheld"
            + (f"; at most {share_text(limit)} may be." if limit is not None else ".")
        )
    ]
    told = tuple(_withheld_rows(evidence))
    if told:
        blocks.append(
            Table(
                ("Quasi-identifier", "Label", "Withheld", "Of all with it"),
                told,
                (0.3, 0.34, 0.18, 0.18),
                right=(2, 3),
                caption="Groups that lost most, as a share of their records.",
            )
        )
    if withheld:
        few = max((d.fewer_than for d in evidence.distributions.values()), default=5)
        blocks.append(
            Paragraph(
                "People with rare combinations are withheld more often than others: "
                "the release is less complete for them. Numbers below "
                f"{few} are not told, since they would point at somebody."
            )
        )
    return Section("What is withheld", tuple(blocks))


def _withheld_rows(evidence: Evidence) -> Iterator[tuple[str, str, str, str]]:
    found = []
    for name, each in evidence.distributions.items():
        for count in each.labels:
            if count.withheld:
                total = count.withheld + count.released
                found.append((count.withheld / total, name, count))
    found.sort(key=lambda row: -row[0])
    for share, name, count in found[:12]:
        assert count.withheld is not None
        label = short_name(count.label) or short(count.label)
        row = (label, count_text(count.withheld), share_text(share))
        yield (short_name(name), *row)


def missing_section(evidence: Evidence) -> Section:
    """How missing values count."""
    rows = tuple(
        (short_name(each.name), count_text(each.missing_records))
        for each in evidence.attributes
        if each.missing_records and each.released_as is not None
    )
    words = evidence.missing.words or "Missing values count as a value of their own."
    blocks: list[Block] = [Paragraph(words)]
    if rows:
        header = ("Column", "Records of the input without a value")
        blocks.append(Table(header, rows, (0.5, 0.5), right=(1,)))
    else:
        blocks.append(Paragraph("No released column has missing values."))
    return Section("Missing values", tuple(blocks))
