"""The sections of a report that say what is released and how safe it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from deidgui.app.charts.formats import count_text, number_text, risk_texts, share_text
from deidgui.app.recipients import BY_KIND
from deidgui.app.report.blocks import (
    Block,
    KeyFigure,
    KeyFigures,
    Paragraph,
    Section,
    Table,
    Terms,
)
from deidgui.app.report.charts import chance_text
from deidgui.engine.evidence.document import (
    Attribute,
    Evidence,
    Model,
)
from deidgui.engine.policy.words import NOTHING

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
    suppressed = evidence.suppressed_records
    share = share_text(suppressed / n) if n else "none"
    figures = [
        KeyFigure(count_text(risk.records), "records released", f"of {count_text(n)}"),
        KeyFigure(count_text(suppressed), "records suppressed", share),
        _risk_figure("highest risk", risk.prosecutor.highest),
        _risk_figure("average risk", risk.prosecutor.average),
        _requirement_figure(evidence),
    ]
    return KeyFigures(tuple(figures))


def _requirement_figure(evidence: Evidence) -> KeyFigure:
    """Risk beside its baseline if the policy was accepted for it, else the models."""
    known = evidence.safe_harbor
    if known is not None and known.policy_risk is not None:
        unit = "expected correct links" if known.gamma == 1 else "risk"
        baseline = "Safe Harbor" if known.baseline == "safe_harbor" else "baseline"
        own, limit = risk_texts(known.policy_risk, known.baseline_risk or 0.0)
        return KeyFigure(own, unit, f"{baseline}: {limit}")
    n_met = sum(model.satisfied for model in evidence.models)
    return KeyFigure(
        f"{n_met} of {len(evidence.models)}",
        "requirements met",
        "all" if n_met == len(evidence.models) else "not all",
    )


def _risk_figure(name: str, value: float | None) -> KeyFigure:
    if value is None:
        return KeyFigure("–", name)
    remark = f"1 in {number_text(1 / value)}" if value else ""
    return KeyFigure(share_text(value), name, remark)


def lead(evidence: Evidence) -> str:
    """Return the release in one paragraph."""
    released = evidence.records - evidence.suppressed_records
    known = evidence.safe_harbor
    compared = f" {known.words}" if known is not None else ""
    return (
        f"{count_text(released)} of {records_text(evidence.records)} are released to "
        f"{recipient_words(evidence)}. What happens to the columns that could identify "
        f"somebody: {evidence.policy.sentence}.{compared} Highest and average risk are "
        "those of a person who is known to be in the data."
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
            Paragraph(_level_words(evidence)),
            *_joined_blocks(evidence),
            *_round_blocks(evidence),
            *(Paragraph(reason) for reason in policy.suppressed_because),
            Paragraph(suppress_words(evidence)),
            Paragraph(_order_words(evidence)),
        ),
    )


def _level_words(evidence: Evidence) -> str:
    words = "Level 0 releases values as they are, the highest level nothing but *. "
    if evidence.policy.bits:
        return (
            "This policy joins neighbouring values to groups that need be no level of "
            "a hierarchy; it was not found by going through levels. The same rule "
            "applies to every record, and none is suppressed."
        )
    if not evidence.policy.rounds:
        return words + "The same rule applies to every record."
    return words + (
        "This is local recoding: the rule of a round applies to the records that all "
        "rounds before it left over, so that equal values may be released with "
        "different labels."
    )


def _joined_blocks(evidence: Evidence) -> Iterator[Block]:
    """Which neighbours are joined."""
    policy = evidence.policy
    if not policy.bits:
        return
    rows = tuple(
        (short_name(name), _shortened(text), _joins_text(policy.bits[name]))
        for name, text in policy.joined.items()
    )
    header = ("Quasi-identifier", "Joined, as released", "Values told apart")
    yield Table(header, rows, (0.24, 0.54, 0.22), right=(2,))


def _joins_text(bits: str) -> str:
    return f"{count_text(bits.count('1') + 1)} of {count_text(len(bits) + 1)}"


def _shortened(text: str) -> str:
    if text == NOTHING:
        # Fonts of printed reports need not know the sign.
        return "none"
    if len(text) <= LONGEST_JOINED:
        return text
    return f"{text[:LONGEST_JOINED].rsplit(' ', 1)[0]} … (all in policy.json)"


LONGEST_JOINED = 600
"""More of the groups of an attribute stands in policy.json."""


def _round_blocks(evidence: Evidence) -> Iterator[Block]:
    rounds = evidence.policy.rounds
    if not rounds:
        return
    rows = tuple(
        (
            str(number),
            ", ".join(
                f"{short_name(name)} {level}" for name, level in each.levels.items()
            ),
            count_text(each.suppress_below),
            count_text(each.records),
        )
        for number, each in enumerate(rounds, start=1)
    )
    header = ("Round", "Levels", "Smallest class", "Records released")
    yield Table(header, rows, (0.1, 0.5, 0.2, 0.2), right=(2, 3))


def suppress_words(evidence: Evidence) -> str:
    """Say how many records are suppressed and what stands in their place."""
    policy = evidence.policy
    if policy.suppress_below <= 1 and not policy.conditions:
        return "No record is suppressed."
    where = {
        "stars": "Each suppressed record stays as a row in which every cell is *, also "
        "in the columns that are no quasi-identifiers.",
        "left_out": "Suppressed records have no row in the released table.",
    }[policy.suppressed]
    n_suppressed = records_text(evidence.suppressed_records)
    return f"Suppressed in all: {n_suppressed}. {where}"


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
        ("Most records suppressed", _or_dash(decided.suppression_limit, share_text)),
        ("Set by", decided.set_by or "not stated"),
        ("Why", decided.justification or "no justification was given"),
    ]
    accepted = evidence.policy.acceptance
    goes_by_risk = accepted is not None and accepted.by == "risk"
    unmet = "not met" if goes_by_risk else "NOT MET"
    models = tuple(
        (_model_words(model), "met" if model.satisfied else unmet)
        for model in evidence.models
    )
    blocks: list[Block] = [Terms(tuple(rows))]
    if accepted is not None:
        blocks.append(Paragraph(accepted.words))
    if goes_by_risk:
        blocks.append(
            Paragraph(
                "This comparison is what the release was accepted for. Privacy models "
                "are reported beside it; they were no condition."
            )
        )
    if models:
        blocks.append(Table(("Requirement", "Result"), models, (0.8, 0.2)))
    elif not goes_by_risk:
        blocks.append(Paragraph("No privacy model was required.", "caution"))
    if not goes_by_risk and not all(model.satisfied for model in evidence.models):
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
