"""The sections of a report that say what is released and how safe it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

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
from deidgui.text import Text, tr

ROLES: Mapping[str | None, Text] = {
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
        return tr("a recipient who is not stated")
    if recipient.kind == "own":
        return tr("a recipient described below")
    title = tr(recipient.title)
    return title[0].lower() + title[1:]


def records_text(n: int) -> str:
    """Number of records with its noun."""
    return tr("{n:record|records}", n=n)


def key_figures(evidence: Evidence) -> KeyFigures:
    """The numbers to read first."""
    risk, n = evidence.risk, evidence.records
    suppressed = evidence.suppressed_records
    share = share_text(suppressed / n) if n else tr("none")
    figures = [
        KeyFigure(count_text(risk.records), tr("records released"), tr("of {n}", n=n)),
        KeyFigure(count_text(suppressed), tr("records suppressed"), share),
        _risk_figure(tr("highest risk"), risk.prosecutor.highest),
        _risk_figure(tr("average risk"), risk.prosecutor.average),
        _requirement_figure(evidence),
    ]
    return KeyFigures(tuple(figures))


def _requirement_figure(evidence: Evidence) -> KeyFigure:
    """Risk beside its baseline if the policy was accepted for it, else the models."""
    known = evidence.safe_harbor
    if known is not None and known.policy_risk is not None:
        unit = tr("expected correct links") if known.gamma == 1 else tr("risk")
        is_rule = known.baseline == "safe_harbor"
        baseline = tr("Safe Harbor") if is_rule else tr("baseline")
        own, limit = risk_texts(known.policy_risk, known.baseline_risk or 0.0)
        return KeyFigure(own, unit, f"{baseline}: {limit}")
    n_met = sum(model.satisfied for model in evidence.models)
    return KeyFigure(
        tr("{n} of {all}", n=n_met, all=len(evidence.models)),
        tr("requirements met"),
        tr("all") if n_met == len(evidence.models) else tr("not all"),
    )


def _risk_figure(name: str, value: float | None) -> KeyFigure:
    if value is None:
        return KeyFigure("–", name)
    remark = tr("1 in {number}", number=number_text(1 / value)) if value else ""
    return KeyFigure(share_text(value), name, remark)


def lead(evidence: Evidence) -> str:
    """Return the release in one paragraph."""
    released = evidence.records - evidence.suppressed_records
    known = evidence.safe_harbor
    compared = f" {known.words}" if known is not None else ""
    return tr(
        "{released} of {n:record is|records are} released to {recipient}. Released "
        "form of the columns that could identify somebody: {sentence}.{compared} "
        "Highest and average risk are those of a person who is known to be in the "
        "data.",
        released=released,
        n=evidence.records,
        recipient=recipient_words(evidence),
        sentence=evidence.policy.sentence,
        compared=compared,
    )


# -- what is released ------------------------------------------------------------------


def released_section(evidence: Evidence) -> Section:
    """Every column of the input, and what became of it."""
    rows = tuple(_column_row(each) for each in evidence.attributes)
    blocks: list[Block] = [
        Paragraph(
            tr(
                "The input has {records:record|records} in {n:column|columns}. "
                "Quasi-identifiers are columns that others may know about a person and "
                "could use to find the person's record; the figures of this report are "
                "about them.",
                records=evidence.records,
                n=len(evidence.attributes),
            )
        ),
        Table(
            (tr("Column"), tr("Role"), tr("Set by"), tr("What is released")),
            rows,
            (0.28, 0.2, 0.14, 0.38),
        ),
    ]
    blocks.extend(_pseudonym_notes(evidence))
    if evidence.spreadsheet_safe:
        blocks.append(
            Paragraph(
                tr(
                    "Texts that a spreadsheet would execute as a formula have an "
                    "apostrophe before them."
                )
            )
        )
    return Section(tr("What is released"), tuple(blocks))


def _column_row(each: Attribute) -> tuple[str, str, str, str]:
    by = tr("a person") if each.confirmed else tr("proposal")
    if each.role is None or each.treatment == "left_out":
        by = "–"
    return short_name(each.name), tr(ROLES[each.role]), by, each.words


def short_name(name: str) -> str:
    """Name of a column, cut where a table would burst."""
    return name if len(name) <= 60 else f"{name[:59]}…"


def _pseudonym_notes(evidence: Evidence) -> Iterator[Block]:
    fates = {each.key for each in evidence.attributes if each.treatment == "pseudonym"}
    words: Mapping[str, Text] = {
        "destroyed": "The key was destroyed: nobody can turn a code back.",
        "kept_apart": (
            "The key is kept by the sender, apart from this release: whoever has it "
            "can turn codes back."
        ),
    }
    for fate in sorted(fate for fate in fates if fate):
        yield Paragraph(
            tr(
                "Keyed codes are the first 80 bits of HMAC-SHA256 under a random key "
                "of 256 bits, drawn for this release and column alone. {fate}",
                fate=tr(words[fate]),
            )
        )


# -- policy ----------------------------------------------------------------------------


def policy_section(evidence: Evidence) -> Section:
    """The policy in words and levels."""
    policy = evidence.policy
    rows = tuple(
        (
            short_name(each.name),
            each.words,
            "–" if each.level is None else _level_text(each),
            each.mapping or "–",
        )
        for each in evidence.attributes
        if each.role == "quasi_identifier" and each.mapping
    )
    return Section(
        tr("The policy"),
        (
            Paragraph(tr("In words: {sentence}.", sentence=policy.sentence)),
            Table(
                (
                    tr("Quasi-identifier"),
                    tr("Released as"),
                    tr("Level"),
                    tr("Mapping file"),
                ),
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


def _level_text(each: Attribute) -> str:
    return tr("{level} of {height}", level=each.level, height=each.height)


def _level_words(evidence: Evidence) -> str:
    words = tr("Level 0 releases values as they are, the highest level nothing but *.")
    if evidence.policy.bits:
        return tr(
            "This policy joins neighbouring values to groups that need be no level "
            "of a hierarchy; it was not found by going through levels. The same "
            "rule applies to every record, and none is suppressed."
        )
    if not evidence.policy.rounds:
        return f"{words} {tr('The same rule applies to every record.')}"
    rounds = tr(
        "This is local recoding: the rule of a round applies to the records that all "
        "rounds before it left over, so that equal values may be released with "
        "different labels."
    )
    return f"{words} {rounds}"


def _joined_blocks(evidence: Evidence) -> Iterator[Block]:
    """Which neighbours are joined."""
    policy = evidence.policy
    if not policy.bits:
        return
    rows = tuple(
        (short_name(name), _shortened(text), _joins_text(policy.bits[name]))
        for name, text in policy.joined.items()
    )
    header = (
        tr("Quasi-identifier"),
        tr("Joined, as released"),
        tr("Groups of all values"),
    )
    yield Table(header, rows, (0.24, 0.54, 0.22), right=(2,))


def _joins_text(bits: str) -> str:
    return tr("{n} of {all}", n=bits.count("1") + 1, all=len(bits) + 1)


def _shortened(text: str) -> str:
    if text == NOTHING:
        # Fonts of printed reports need not know the sign.
        return tr("none")
    if len(text) <= LONGEST_JOINED:
        return text
    start = text[:LONGEST_JOINED].rsplit(" ", 1)[0]
    return tr("{start} … (all in policy.json)", start=start)


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
    header = (tr("Round"), tr("Levels"), tr("Smallest class"), tr("Records released"))
    yield Table(header, rows, (0.1, 0.5, 0.2, 0.2), right=(2, 3))


def suppress_words(evidence: Evidence) -> str:
    """Say how many records are suppressed and what stands in their place."""
    policy = evidence.policy
    if policy.suppress_below <= 1 and not policy.conditions:
        return tr("No record is suppressed.")
    where: Text = "Suppressed records have no row in the released table."
    if policy.suppressed == "stars":
        where = (
            "Each suppressed record stays as a row in which every cell is *, also in "
            "the columns that are no quasi-identifiers."
        )
    return tr(
        "Suppressed in all: {n:record|records}. {where}",
        n=evidence.suppressed_records,
        where=tr(where),
    )


def _order_words(evidence: Evidence) -> str:
    words: Mapping[str, Text] = {
        "input": (
            "Rows are in the order of the input: whoever knows that order can tell "
            "which record is whose."
        ),
        "random": (
            "Rows are in a random order drawn from the operating system; it was not "
            "kept."
        ),
        "seeded": (
            "Rows are in a random order made from a number that the sender keeps; "
            "whoever has it can restore the order of the input."
        ),
    }
    return tr(words[evidence.row_order.kind])


# -- thresholds ------------------------------------------------------------------------


def threshold_section(evidence: Evidence) -> Section:
    """Who receives it, which thresholds hold, who set them and why."""
    decided = evidence.thresholds
    recipient = BY_KIND.get(decided.recipient or "")
    rows = [
        (tr("Recipient"), tr(recipient.title) if recipient else tr("not stated")),
        (tr("What that means"), tr(recipient.sentence) if recipient else "–"),
        (tr("A record is at risk above"), _or_dash(decided.at_risk, chance_text)),
        (
            tr("Most records suppressed"),
            _or_dash(decided.suppression_limit, share_text),
        ),
        (tr("Set by"), decided.set_by or tr("not stated")),
        (tr("Why"), decided.justification or tr("no justification was given")),
    ]
    accepted = evidence.policy.acceptance
    goes_by_risk = accepted is not None and accepted.by == "risk"
    unmet = tr("not met") if goes_by_risk else tr("NOT MET")
    models = tuple(
        (_model_words(model), tr("met") if model.satisfied else unmet)
        for model in evidence.models
    )
    blocks: list[Block] = [Terms(tuple(rows))]
    if accepted is not None:
        blocks.append(Paragraph(accepted.words))
    if goes_by_risk:
        blocks.append(
            Paragraph(
                tr(
                    "This comparison is what the release was accepted for. Privacy "
                    "models are reported beside it; they were no condition."
                )
            )
        )
    if models:
        blocks.append(Table((tr("Requirement"), tr("Result")), models, (0.8, 0.2)))
    elif not goes_by_risk:
        blocks.append(Paragraph(tr("No privacy model was required."), "caution"))
    if not goes_by_risk and not all(model.satisfied for model in evidence.models):
        blocks.append(
            Paragraph(tr("The release does not meet every requirement."), "caution")
        )
    return Section(tr("Thresholds and requirements"), tuple(blocks))


def _or_dash(value: float | None, write: Callable[[float], str]) -> str:
    return tr("not set") if value is None else write(value)


def _model_words(model: Model) -> str:
    if model.words:
        return model.words
    params = ", ".join(
        f"{name} = {value}" for name, value in sorted((model.model_extra or {}).items())
    )
    name = model.kind.replace("_", " ")
    return f"{name} ({params})" if params else name
