"""All that a report says, made from the evidence alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Literal

from deidgui.app.attacks.words import (
    about_people,
    about_registers,
    expected_words,
    interval_words,
    known_words,
    success_words,
    threshold_words,
    verdict,
)
from deidgui.app.charts.formats import (
    count_text,
    number_text,
    risk_texts,
    suppression_words,
)
from deidgui.app.determination.recipients import BY_KIND, Recipient
from deidgui.app.entered import signature_words, signed_words
from deidgui.app.measuring.criteria_words import (
    alone_heads,
    alone_rows,
    alone_words,
    combined_words,
    compared_heads,
    compared_notes,
    compared_rows,
    compared_words,
    guessed_heads,
    guessed_rows,
    guessed_words,
    halves_words,
    held_out_heads,
    held_out_rows,
    held_out_words,
    membership_words,
    missing_groups,
)
from deidgui.app.report.blocks import (
    Block,
    Bullets,
    KeyFigure,
    KeyFigures,
    Paragraph,
    Report,
    ReportChart,
    ReportTable,
    Section,
    SignatureLines,
    Terms,
)
from deidgui.app.report.cells import cell_section
from deidgui.app.report.charts import (
    chance_text,
    class_size_chart,
    comparison_chart,
    distribution_chart,
    risk_chart,
    short,
)
from deidgui.app.report.claims import claim_section
from deidgui.app.report.context import (
    context_section,
    overall_threshold_blocks,
    recipient_rows,
    recipient_section,
)
from deidgui.app.report.dossier import (
    annexes,
    completeness_figure,
    entered_blocks,
    front_sheet,
    lacking_words,
    part_title,
)
from deidgui.app.report.drift import drift_section
from deidgui.app.report.intruder import intruder_section
from deidgui.app.report.plain import (
    looser_caution,
    overall_caution,
    plain_section,
    public_section,
)
from deidgui.app.report.principles import principle_section
from deidgui.app.report.public_edition import for_public, summed_up, with_place
from deidgui.app.report.sensitivity import sensitivity_section
from deidgui.app.report.validity import kept_words, validity_rows, validity_section
from deidgui.app.text.release import ROWS_KNOWN
from deidgui.engine.evidence.counts_document import CountsEvidence
from deidgui.engine.evidence.document import (
    Attacker,
    Attribute,
    Evidence,
    Link,
    Measure,
    Model,
    Overruled,
    Risk,
    RiskFigures,
    SafeHarbor,
    SearchRecord,
    SimulatedAttack,
    digest_of,
)
from deidgui.engine.evidence.folder import REPORTS
from deidgui.engine.policy.words import NOTHING, lost_words
from deidgui.engine.quality import QUALITY_MEASURES, scaled_weights
from deidgui.errors import ConfigError
from deidgui.text import Text, share_text, tr

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
    risk, n, suppressed = evidence.risk, *_protected(evidence)
    share = share_text(suppressed / n) if n else tr("none")
    is_of_people = evidence.unit.kind == "key"
    released = tr("people released") if is_of_people else tr("records released")
    gone = tr("people suppressed") if is_of_people else tr("records suppressed")
    figures = [
        KeyFigure(count_text(risk.records), released, tr("of {n}", n=n)),
        KeyFigure(count_text(suppressed), gone, share),
        _risk_figure(tr("highest risk"), risk.prosecutor.highest),
        _risk_figure(tr("average risk"), risk.prosecutor.average),
        _requirement_figure(evidence),
    ]
    if evidence.dossier is not None:
        figures.append(completeness_figure(evidence.dossier))
    return KeyFigures(tuple(figures))


def _protected(evidence: Evidence) -> tuple[int, int]:
    """Records, and suppressed ones; people where rows belong to people."""
    unit = evidence.unit
    if unit.people is None or unit.suppressed_people is None:
        return evidence.records, evidence.suppressed_records
    return unit.people, unit.suppressed_people


def suppressed_of_all(evidence: Evidence, limit: str = "") -> str:
    """How many are suppressed, of whom, and how many rows that are."""
    n, n_suppressed = _protected(evidence)
    rows = None
    if evidence.unit.suppressed_people is not None:
        rows = evidence.suppressed_records, evidence.records
    return suppression_words(n_suppressed, n, rows=rows, limit=limit)


def _requirement_figure(evidence: Evidence) -> KeyFigure:
    """Risk beside its baseline if the policy was accepted for it, else the models."""
    known = evidence.safe_harbor
    if not evidence.models and known is not None and known.policy_risk is not None:
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


def headline(evidence: Evidence) -> str:
    """Say first of all which thresholds a person has overruled; empty if none."""
    if not evidence.overruled:
        return ""
    return tr(
        "THRESHOLDS NOT MET. This release does not meet {n} of {all:threshold|"
        "thresholds} that were set, and a person released it all the same: {reasons}",
        n=len(evidence.overruled),
        all=len(evidence.models) + evidence.exceeds_limit,
        reasons=" ".join(
            tr("{words} Reason: {because}", words=each.words, because=_reason(each))
            for each in evidence.overruled
        ),
    )


def _reason(each: Overruled) -> str:
    """Why a person overrules a threshold, who, and when."""
    return signed_words(each.because, each.by, each.on)


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
                "The input has {records:record|records}. {n:column of it is|columns of "
                "it are} included; what was not included is neither listed nor "
                "released. Quasi-identifiers are columns that others may know about "
                "a person and could use to find the person's record; the figures of "
                "this report are about them.",
                records=evidence.records,
                n=len(evidence.attributes),
            )
        ),
        ReportTable(
            (tr("Column"), tr("Role"), tr("Set by"), tr("What is released")),
            rows,
            (0.26, 0.17, 0.29, 0.28),
        ),
    ]
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
    if each.taken_over:
        by = tr("certain proposal, taken over")
    if each.role is None or each.treatment == "left_out":
        by = "–"
    return short_name(each.name), tr(ROLES[each.role]), by, released_words(each)


def released_words(each: Attribute) -> str:
    """What is released of a column, and which values are not although it is kept."""
    if not each.lost:
        return each.words
    lost = lost_words(each.lost, is_constant=each.is_constant)
    return f"{each.words}, {tr('but {lost}', lost=lost)}"


def short_name(name: str) -> str:
    """Name of a column, cut where a table would burst."""
    return name if len(name) <= 60 else f"{name[:59]}…"


def code_section(evidence: Evidence) -> Section | None:
    """What codes are made with, and what became of the key; None without codes."""
    blocks = tuple(_pseudonym_notes(evidence))
    return Section(tr("Codes in place of identifiers"), blocks) if blocks else None


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
            released_words(each),
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
            ReportTable(
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
            *_sample_blocks(evidence),
        ),
    )


def _sample_blocks(evidence: Evidence) -> Iterator[Block]:
    """Say that the release is a sample, and what that means for the average risk."""
    sample = evidence.sample
    if sample is None:
        return
    yield Paragraph(
        tr(
            "{words} All figures and requirements are those of the sample. Of a member "
            "of the whole file who is not known to be in the sample the average risk "
            "is {average}: the member must have been drawn and then be picked among "
            "those who look alike.",
            words=sample.words,
            average=share_text(sample.average),
        )
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
    if evidence.policy.cells is not None:
        cells = tr(
            "The same levels apply to every record; single cells are suppressed (*) "
            "besides, see below."
        )
        return f"{words} {cells}"
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
    yield ReportTable(header, rows, (0.24, 0.54, 0.22), right=(2,))


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
    yield ReportTable(header, rows, (0.1, 0.5, 0.2, 0.2), right=(2, 3))


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
    return f"{suppressed_of_all(evidence)} {tr(where)}"


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


def threshold_section(evidence: Evidence, *, has_answers: bool = True) -> Section:
    """Who receives it, which thresholds hold, who set them and why."""
    decided = evidence.thresholds
    recipient = BY_KIND.get(decided.recipient or "")
    rows = [
        (tr("Recipient"), tr(recipient.title) if recipient else tr("not stated")),
        (tr("What that means"), tr(recipient.sentence) if recipient else "–"),
        *_customary(recipient),
        (tr("A record is at risk above"), _or_dash(decided.at_risk, chance_text)),
        (
            tr("Most records suppressed"),
            _or_dash(decided.suppression_limit, share_text),
        ),
        (tr("Set by"), signature_words(decided.set_by, decided.set_on)),
        (tr("Why"), decided.justification or tr("no justification was given")),
    ]
    accepted = evidence.policy.acceptance
    goes_by_risk = accepted is not None and accepted.by == "risk"
    models = tuple(
        (_model_words(model), tr("met") if model.satisfied else tr("NOT MET"))
        for model in evidence.models
    )
    blocks: list[Block] = [
        *overall_threshold_blocks(evidence.context, has_answers=has_answers),
        Terms(tuple(rows)),
    ]
    if accepted is not None:
        blocks.append(Paragraph(accepted.words))
    blocks += [
        Paragraph(
            tr(
                "Overruled by a person: {words} Reason: {because}",
                words=each.words,
                because=_reason(each),
            ),
            "caution",
        )
        for each in evidence.overruled
    ]
    if models:
        blocks.append(
            ReportTable((tr("Requirement"), tr("Result")), models, (0.8, 0.2))
        )
    elif not goes_by_risk:
        blocks.append(Paragraph(tr("No privacy model was required."), "caution"))
    if not all(model.satisfied for model in evidence.models):
        blocks.append(
            Paragraph(tr("The release does not meet every requirement."), "caution")
        )
    return Section(tr("Thresholds and requirements"), tuple(blocks))


def _customary(recipient: Recipient | None) -> Iterator[tuple[str, str]]:
    """What is customary for such a recipient, and who says so."""
    if recipient is not None and recipient.source:
        words = f"{recipient.words()}. {tr(recipient.source)}"
        yield tr("Customary"), words[0].upper() + words[1:]


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


# -- preparation -----------------------------------------------------------------------


def preparation_section(evidence: Evidence) -> Section | None:
    """What was done to the table before policies were searched."""
    steps = evidence.preparation
    if not steps:
        return None
    rows = tuple(
        (
            str(number),
            " ".join(each.words),
            tr("{before} → {after}", before=count_text(n), after=count_text(m))
            if (n := each.rows_before) != (m := each.rows_after)
            else count_text(n),
        )
        for number, each in enumerate(steps, start=1)
    )
    return Section(
        tr("Preparation"),
        (
            Paragraph(
                tr(
                    "The table was changed by these steps before policies were "
                    "searched. All figures of this report, also those of the input, "
                    "are of the table after the last step."
                )
            ),
            ReportTable(
                (tr("Step"), tr("What was done"), tr("Rows")), rows, (0.08, 0.68, 0.24)
            ),
        ),
    )


# -- questions -------------------------------------------------------------------------


def question_section(evidence: Evidence | CountsEvidence) -> Section | None:
    """What was asked about released columns, and why they are released."""
    if not evidence.questions:
        return None
    rows = tuple(
        (
            short_name(each.column),
            each.words,
            each.because,
            signature_words(each.by, each.on),
        )
        for each in evidence.questions
    )
    return Section(
        tr("Questions before the release"),
        (
            Paragraph(
                tr(
                    "The program looked at what was written and asked these questions. "
                    "A person answered each with a reason."
                )
            ),
            ReportTable(
                (
                    tr("Column"),
                    tr("What was found"),
                    tr("Why it is released"),
                    tr("Answered by"),
                ),
                rows,
                (0.22, 0.34, 0.26, 0.18),
            ),
        ),
    )


# -- risk ------------------------------------------------------------------------------


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
        *_unit_blocks(evidence),
        ReportTable(
            (tr("Figure"), tr("Input"), tr("Release")),
            tuple(_risk_rows(risk.before, risk)),
            (0.56, 0.22, 0.22),
            right=(1, 2),
        ),
        ReportChart(
            risk_chart(evidence.class_sizes, risk.threshold),
            _risk_caption(evidence),
        ),
        ReportChart(class_size_chart(evidence.class_sizes), _size_caption(evidence)),
        Terms(tuple(_attacker_terms(evidence))),
    ]
    blocks.extend(_known_attribute_blocks(evidence))
    return Section(tr("Risk of re-identification"), tuple(blocks))


def _known_attribute_blocks(evidence: Evidence) -> Iterator[Block]:
    """What an adversary learns who knows some of the quasi-identifiers."""
    known = evidence.attributes_known
    if known is None:
        return
    yield Paragraph(
        tr(
            "{words} Then the highest risk is {highest}, the average risk {average}, "
            "and {share} of the records are in classes of fewer than {least}. Riskiest "
            "set: {names}.",
            words=known.words,
            highest=share_text(known.highest),
            average=share_text(known.average),
            share=share_text(known.share_at_risk),
            least=known.size_at_risk,
            names=", ".join(known.riskiest),
        )
    )


def criteria_section(evidence: Evidence) -> Section | None:
    """Who is singled out, and what can be guessed; None if it was not measured."""
    found = evidence.criteria
    if found is None:
        return None
    blocks: list[Block] = []
    share, now = (
        each.uniques / each.records if each.records else None
        for each in (evidence.risk.before, evidence.risk)
    )
    if alone := alone_rows(found, share, now):
        blocks.append(Paragraph(alone_words(found)))
        table = ReportTable(alone_heads(), alone, (0.26, 0.16, 0.4, 0.18), right=(1, 3))
        blocks.append(table)
    if guessed := guessed_rows(found):
        blocks.append(Paragraph(guessed_words()))
        shares = (0.22, 0.13, 0.17, 0.1, 0.13, 0.13, 0.12)
        blocks.append(
            ReportTable(guessed_heads(), guessed, shares, right=(1, 2, 3, 4, 5, 6))
        )
    if held := held_out_rows(found):
        widths = (0.25, 0.15, 0.15, 0.12, 0.12, 0.21)
        blocks.append(
            ReportTable(held_out_heads(), held, widths, right=(1, 2, 3, 4, 5))
        )
    blocks.append(Paragraph(held_out_words(found)))
    if found.membership is not None:
        words = membership_words(found, _share_of_population(evidence))
        blocks.append(Paragraph(words))
    style: Literal["body", "caution"] = "body" if found.compared else "caution"
    blocks.append(Paragraph(compared_words(found), style))
    if found.compared:
        widths = (0.25, 0.25, 0.16, 0.12, 0.1, 0.12)
        rows = compared_rows(found)
        blocks.append(ReportTable(compared_heads(), rows, widths, right=(2, 3, 4, 5)))
        notes = compared_notes(found, evidence.risk.sampling_fraction)
        blocks.extend(map(Paragraph, notes))
    if found.halves is not None:
        blocks.append(Paragraph(halves_words(found)))
    for words, every in missing_groups(found):
        blocks.append(Paragraph(words, "caution"))
        blocks.extend([Bullets(every)] if every else [])
    return Section(
        tr("Singling out, linkability, inference and membership"), tuple(blocks)
    )


def attack_section(evidence: Evidence) -> Section | None:
    """Attacks that were simulated on this release before it was written."""
    attacks = evidence.attacks
    if attacks is None or not attacks.simulated:
        return None
    people = [e for e in attacks.simulated if e.kind == "known_person"]
    registers = [e for e in attacks.simulated if e.kind != "known_person"]
    is_of_people = evidence.unit.kind == "key"
    blocks: list[Block] = [Paragraph(verdict(attacks.simulated, attacks.threshold))]
    if people:
        about = about_people(
            runs=people[0].runs or 0,
            fraction=attacks.fraction,
            of_events=attacks.known_of_events,
            unit="people" if is_of_people else "records",
            assumptions=attacks.assumptions,
        )
        drawn = tr(
            "Shares of runs are simulated estimates with an interval of 95\u202f% (the "
            "seed is in the evidence); an exact probability is computed from all that "
            "may be known.",
        )
        blocks += [Paragraph(f"{about} {drawn}"), _attack_table(people)]
    if registers:
        blocks += [Paragraph(about_registers()), _register_table(registers)]
    if attacks.threshold is not None:
        blocks.append(Paragraph(threshold_words()))
    return Section(tr("Simulated attacks"), tuple(blocks))


def _attack_table(people: Sequence[SimulatedAttack]) -> ReportTable:
    rows = tuple(
        (
            known_words(each),
            tr("all") if each.power is None else count_text(each.power),
            success_words(each),
            interval_words(each),
            expected_words(each),
        )
        for each in people
    )
    header = (
        tr("Known"),
        tr("Power"),
        tr("Successful"),
        tr("Interval of 95\u202f%"),
        tr("Exact"),
    )
    return ReportTable(header, rows, (0.4, 0.1, 0.15, 0.22, 0.13), right=(1, 2, 3, 4))


_MOST_COLUMNS = 12
"""Combinations of columns of a register that a report lists."""


def _register_table(registers: Sequence[SimulatedAttack]) -> ReportTable:
    whole = [each for each in registers if each.kind == "register"]
    parts = [each for each in registers if each.kind == "register_columns"]
    parts.sort(key=lambda each: -(each.expected or 0.0))
    rows = tuple(
        (known_words(each), expected_words(each))
        for each in (*whole, *parts[:_MOST_COLUMNS])
    )
    caption = ""
    if len(parts) > _MOST_COLUMNS:
        caption = tr(
            "Of {n:combination|combinations} of columns the {shown} that tell most.",
            n=len(parts),
            shown=_MOST_COLUMNS,
        )
    header = (tr("Register"), tr("Expected share of right matches"))
    return ReportTable(header, rows, (0.65, 0.35), right=(1,), caption=caption)


def _link_words(evidence: Evidence, link: Link) -> str:
    """How released tables belong together."""
    events, people, *further = evidence.outputs
    if further:
        return tr(
            "{n:table is|tables are} released: people ({people}) and their events "
            "({events}), linked by the pseudonym in “{key}”. Suppressed people are in "
            "none. Of the people of the input, {alone:person|people} had no event: "
            "they are alike only among themselves.",
            n=len(evidence.outputs),
            people=people.path,
            events=", ".join(each.path for each in (events, *further)),
            key=evidence.unit.column or "",
            alone=link.people_without_events,
        )
    return tr(
        "Two tables are released: people ({people}) and their events ({events}), "
        "linked by the pseudonym in “{key}”. Suppressed people are in neither. Of the "
        "people of the input, {n:person|people} had no event: they are alike only "
        "among themselves.",
        people=people.path,
        events=events.path,
        key=evidence.unit.column or "",
        n=link.people_without_events,
    )


def _unit_blocks(evidence: Evidence) -> Iterator[Block]:
    """Of whom the figures are, and what the rows of a person tell together."""
    unit = evidence.unit
    if unit.kind == "row":
        yield Paragraph(tr("Each row of the table is one person, as was decided."))
        return
    if evidence.link is not None:
        yield Paragraph(_link_words(evidence, evidence.link))
    yield Paragraph(
        tr(
            "Rows belong to people, as was decided: every figure of this section "
            "counts people, each with all rows. People are alike if their rows show "
            "the same."
        )
    )
    if unit.varying:
        names = ", ".join(unit.varying)
        yield Paragraph(tr("What differs between the rows of a person: {n}.", n=names))
    rows = [
        (
            tr(ROWS_KNOWN[each.known]),
            "–" if each.highest is None else share_text(each.highest),
            "–" if each.average is None else share_text(each.average),
            "–" if each.n_at_risk is None else count_text(each.n_at_risk),
        )
        for each in unit.rows_known
    ]
    if rows:
        header = (
            tr("Known to somebody"),
            tr("Highest risk"),
            tr("Average risk"),
            tr("People at risk"),
        )
        yield ReportTable(
            header, tuple(rows), (0.46, 0.18, 0.18, 0.18), right=(1, 2, 3)
        )
    if unit.events is not None:
        yield Paragraph(unit.events.words)


def _is_modelled(risk: Risk) -> bool:
    """Whether the people of the population are known by their values, not counted."""
    return (risk.population or {}).get("basis") == "modelled"


def _population_basis(risk: Risk) -> str:
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
    counted = _population_basis(after)
    for name, title in _ATTACKERS.items():
        old, new = getattr(before, name), getattr(after, name)
        how = "" if name == "prosecutor" else counted
        yield from _attacker_rows(f"{tr(title)} {how}".strip(), old, new)
    yield tr("Classes"), count_text(before.classes), count_text(after.classes)
    yield tr("Smallest class"), _smallest_class(before), _smallest_class(after)
    yield (
        tr("Records in a class of one"),
        count_text(before.uniques),
        count_text(after.uniques),
    )


def _smallest_class(figures: RiskFigures) -> str:
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


def population_section(evidence: Evidence) -> Section:
    """Among which people somebody would look, and how they are known."""
    blocks = tuple(_population_blocks(evidence))
    if not blocks:
        words = tr(
            "No population was used: all figures are those of the file itself, as if "
            "it held everybody among whom somebody would look. They are not too low."
        )
        blocks = (Paragraph(words),)
    return Section(tr("Reference population"), blocks)


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
        yield from _known_blocks(risk.population)


def _known_blocks(population: Mapping[str, Any]) -> Iterator[Block]:
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
        yield ReportTable(
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
        yield ReportTable(header, decided, (0.28, 0.24, 0.48))


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
    return (
        tr(_POPULATION_ROWS[name])
        if name in _POPULATION_ROWS
        else name.replace("_", " ")
    )


_POPULATION_ROWS: Mapping[str, Text] = {
    "people": "People",
    "people_outside": "People with values that do not occur in the data: left out",
    "combinations_without_people": "Combinations of values that nobody has",
    "records_without_people": "Records with these",
    "combinations_raised": "Combinations with fewer people than records: as many "
    "people as records are taken",
    "records_raised": "Records with these combinations",
    "records_doubtful": "Records with a match that was in doubt",
}


def _any_text(value: str | float) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return count_text(value)
    return number_text(value)


# -- comparison with a baseline --------------------------------------------------------


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
    rows = tuple(_comparison_rows(known, baseline))
    blocks: list[Block] = [
        Paragraph(known.words, "lead"),
        Paragraph(_comparison_meaning(known)),
        *([Paragraph(known.scope, "caution")] if known.scope else []),
        ReportTable(
            (tr("Table"), _risk_unit(known), tr("Per record")),
            rows,
            (0.5, 0.28, 0.22),
            (1, 2),
        ),
        ReportChart(
            comparison_chart(
                [(name, risk) for name, risk in _comparison_bars(known, baseline)]
            ),
            tr(
                "The shorter the bar, the safer; the release may not be longer than "
                "{baseline} less a margin of {margin}.",
                baseline=baseline,
                margin=share_text(known.margin),
            )
            if known.margin
            else tr(
                "The shorter the bar, the safer; the release may not be longer than "
                "{baseline}.",
                baseline=baseline,
            ),
        ),
        *_spread_blocks(known, baseline),
        *_rule_blocks(evidence, known, baseline),
    ]
    blocks += _robustness_blocks(known, baseline)
    return Section(tr("Compared with {baseline}", baseline=baseline), tuple(blocks))


def _robustness_blocks(known: SafeHarbor, baseline: str) -> Iterator[Block]:
    """Whether the comparison would hold if the people were counted otherwise."""
    n_holding, n_drawn = known.populations_holding, known.populations_drawn
    if known.basis == "modelled":
        words = tr(
            "The numbers of people are MODELLED or estimated, and no counts: so are "
            "both figures."
        )
        yield Paragraph(words, "caution")
    if n_holding is None or not n_drawn:
        return
    words = tr(
        "{drawn:other population was|other populations were} drawn around the "
        "known numbers of people (each number with an error, the ages over 85 by "
        "another profile), and both figures measured again on each. In {holding} "
        "of them this release is no riskier than {baseline}.",
        drawn=n_drawn,
        holding=n_holding,
        baseline=baseline,
    )
    if n_holding == n_drawn:
        yield Paragraph(f"{words} {tr('The comparison favours neither.')}")
    else:
        yield Paragraph(words, "caution")


def _comparison_meaning(known: SafeHarbor) -> str:
    who = tr("Looked up among {whose}.", whose=_compared_population(known))
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


def _compared_population(known: SafeHarbor) -> str:
    if known.population.startswith("the "):
        return known.population
    counted = tr("MODELLED, not counted") if known.basis == "modelled" else known.basis
    return tr(
        "the people of {population} ({counted})",
        population=known.population,
        counted=counted,
    )


def _risk_unit(known: SafeHarbor) -> str:
    return tr("Expected correct links") if known.gamma == 1 else tr("Risk")


def _comparison_bars(known: SafeHarbor, baseline: str) -> Iterator[tuple[str, float]]:
    if known.raw_risk is not None:
        yield tr("The input"), known.raw_risk
    yield baseline[0].upper() + baseline[1:], known.baseline_risk or 0.0
    yield tr("This release"), known.policy_risk or 0.0


def _comparison_rows(
    known: SafeHarbor, baseline: str
) -> Iterator[tuple[str, str, str]]:
    bars = list(_comparison_bars(known, baseline))
    for (name, risk), text in zip(
        bars, risk_texts(*(risk for _, risk in bars)), strict=True
    ):
        n = (known.records or 0) - known.records_left_out
        share = _record_risk(known, risk / n) if n else "–"
        yield name, text, share
    if known.difference is not None:
        sign = "−" if known.difference < 0 else ""
        (text,) = risk_texts(abs(known.difference))
        yield tr("Release minus baseline"), sign + text, ""


def _record_risk(known: SafeHarbor, risk: float) -> str:
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
            _record_risk(known, spread.highest),
        ),
        (
            tr("The same under {baseline}", baseline=baseline),
            _record_risk(known, spread.baseline_highest),
        ),
        (
            tr("Records riskier than under {baseline}", baseline=baseline),
            count_text(spread.n_riskier),
        ),
        (
            tr("By how much one of them is riskier, at most"),
            _record_risk(known, spread.added_most),
        ),
        (
            tr("By how much they are riskier together"),
            risk_texts(spread.added_sum)[0],
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
    yield ReportTable(
        (tr("Record by record"), tr("Value")), rows, (0.6, 0.4), right=(1,)
    )


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
    yield ReportTable(header, rows, (0.24, 0.34, 0.42))
    if evidence.records:
        n_records = count_text(evidence.records)
        yield Paragraph(
            tr(
                "Both are about the same {n_records:record|records}.",
                n_records=n_records,
            )
        )


# -- quality and missing values --------------------------------------------------------


def quality_section(evidence: Evidence) -> Section:
    """What was lost, and how the released labels are spread."""
    rows = tuple(
        (title, _measure_text(measure.value), f"{meaning} {total}".strip())
        for measure, title, meaning, total in _titled(evidence)
    )
    blocks: list[Block] = []
    if rows:
        blocks.append(
            ReportTable(
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
        blocks.append(ReportChart(distribution_chart(name, each), caption))
    return Section(tr("What remains for analysis"), tuple(blocks))


def _titled(evidence: Evidence) -> Iterator[tuple[Measure, str, str, str]]:
    """Every measure with its name, what it means, and how its figures became one."""
    for kind, measure in evidence.quality.items():
        total = _summary(evidence, kind, measure)
        title, colon, meaning = measure.words.partition(": ")
        if colon and len(title) <= _LONGEST_TITLE:
            yield measure, title, meaning, total
        else:
            title = kind.replace("_", " ").capitalize()
            yield measure, title, measure.words, total


def _summary(evidence: Evidence, kind: str, measure: Measure) -> str:
    """Say how the figures of the attributes became one; empty where they did not."""
    weights = {
        each.name: 1.0 if each.weight is None else each.weight
        for each in evidence.attributes
        if each.name in measure.by_attribute
    }
    if not any(weights.values()):
        return ""
    try:
        stored = {"kind": kind, **(measure.model_extra or {})}
        known = QUALITY_MEASURES.from_json(stored)
    except ConfigError:
        return ""
    return known.total_words(scaled_weights(tuple(weights), weights))


_LONGEST_TITLE = 40
_MOST_MEASURES = 4


def _measure_text(value: float | None) -> str:
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
        for measure, title, *_ in _titled(evidence)
        if measure.by_attribute
        and all(0 <= value <= 1 for value in measure.by_attribute.values())
    }
    shown = dict(list(measures.items())[:_MOST_MEASURES])
    if not shown:
        return
    names = dict.fromkeys(name for values in shown.values() for name in values)
    rows = tuple(
        (
            short_name(name),
            *(_measure_text(values.get(name)) for values in shown.values()),
        )
        for name in names
    )
    yield ReportTable(
        (tr("Quasi-identifier"), *shown),
        rows,
        (0.36, *([0.64 / len(shown)] * len(shown))),
        right=tuple(range(1, len(shown) + 1)),
        caption=tr(
            "For each quasi-identifier, from 0 (as it was) to 1 (nothing left)."
        ),
    )


def _cell_blocks(evidence: Evidence) -> list[Block]:
    """How many single cells are suppressed, and in which columns."""
    cells = evidence.policy.cells
    if cells is None:
        return []
    words = tr(
        "{n:record has|records have} suppressed cells ({share}); the limit holds for "
        "them, too. A suppressed cell is *, and counts as a value of its own.",
        n=cells.records,
        share=share_text(cells.records / max(evidence.records, 1)),
    )
    rows = tuple(
        (short_name(name), count_text(n)) for name, n in cells.by_attribute.items()
    )
    header = (tr("Quasi-identifier"), tr("Suppressed cells"))
    return [Paragraph(words), ReportTable(header, rows, (0.6, 0.4), right=(1,))]


def suppressed_section(evidence: Evidence) -> Section:
    """How many records were suppressed, and from whom in aggregate."""
    limit = evidence.thresholds.suppression_limit
    of_limit = tr("not set")
    if limit is not None:
        is_of_people = evidence.unit.kind == "key"
        words: Text = "{share} of the people" if is_of_people else "{share}"
        of_limit = tr(words, share=share_text(limit))
    blocks: list[Block] = [Paragraph(suppressed_of_all(evidence, of_limit))]
    blocks += _cell_blocks(evidence)
    rows = tuple(_suppressed_rows(evidence))
    if rows:
        blocks.append(
            ReportTable(
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
    if evidence.suppressed_records:
        blocks.append(Paragraph(_suppressed_words(evidence)))
    return Section(tr("What is suppressed"), tuple(blocks))


def _suppressed_words(evidence: Evidence) -> str:
    """Say what suppressing costs, and which numbers of it are not shown."""
    if evidence.unit.kind == "key":
        return tr(
            "People with rare combinations are suppressed more often than others: the "
            "release is less complete for them. How many of the suppressed rows have "
            "which label is not shown: they could all belong to one person."
        )
    few = max((d.fewer_than for d in evidence.distributions.values()), default=5)
    return tr(
        "People with rare combinations are suppressed more often than others: the "
        "release is less complete for them. Numbers below {few} are not shown, since "
        "they could identify somebody.",
        few=few,
    )


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
        blocks.append(ReportTable(header, rows, (0.5, 0.5), right=(1,)))
    else:
        blocks.append(Paragraph(tr("No released column has missing values.")))
    return Section(tr("Missing values"), tuple(blocks))


# -- how it was made, what it assumes, who signs ---------------------------------------


_MONTHS: tuple[Text, ...] = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)

LIMITS: tuple[Text, ...] = (
    "The risks are those of the quasi-identifiers named here. Whoever knows other "
    "columns of a person, or finds a name in a free text, may do better.",
    "Columns that are no quasi-identifiers are released as they are; the program has "
    "looked for patterns in their cells (D3), and nobody has read every cell.",
    "Somebody who knows in which class a person is learns what all records of the "
    "class have in common, unless a requirement above limits it.",
    "Classes are counted exactly; figures about the population are estimates and "
    "rest on the assumptions above.",
    "The quality measures say how much detail is lost, not whether a certain "
    "analysis comes to the same conclusion.",
    "The hashes show that files have not changed since they were written; they do not "
    "show that the input was complete or correct.",
)


def date_text(created: str | None) -> str:
    """Time of creation in words, without regard to the computer's language."""
    if not created:
        return tr("no date stated")
    try:
        time = datetime.fromisoformat(created)
    except ValueError:
        return tr("no date stated")
    zone = " UTC" if time.utcoffset() is not None and not time.utcoffset() else ""
    clock = f"{time.hour:02}:{time.minute:02}{zone}"
    return f"{time.day} {tr(_MONTHS[time.month - 1])} {time.year}, {clock}"


def _kept_rows(search: SearchRecord) -> list[tuple[str, str]]:
    """Whether every quasi-identifier had to be kept in part, and which were not."""
    if not search.keep_something:
        return []
    if not search.removed:
        return [(tr("Removed as a whole"), tr("no quasi-identifier"))]
    return [(tr("Removed as a whole"), ", ".join(search.removed))]


def search_section(evidence: Evidence) -> Section:
    """How the policy was found, and whether it is known to be the best."""
    search = evidence.search
    if evidence.policy.acceptance is not None:
        return _discovery_section(evidence)
    rows = [(tr("Method"), _search_method(search))]
    if search.nodes is not None:
        rows.append((tr("Policies that exist"), count_text(search.nodes)))
    if search.checked is not None:
        rows.append((tr("Policies looked at"), count_text(search.checked)))
    rows += _kept_rows(search)
    if search.seed is not None:
        rows.append((tr("Seed of random choices"), str(search.seed)))
    blocks: list[Block] = [Terms(tuple(rows)), Paragraph(_search_words(search))]
    blocks += [
        Paragraph(each) for each in (search.proven_for, search.preference) if each
    ]
    if evidence.policy.rounds:
        blocks.append(
            Paragraph(
                tr(
                    "The rounds were found one after the other, each for the records "
                    "that those before it left over. That no other rounds would be "
                    "better is not proven."
                )
            )
        )
    return Section(tr("How the policy was found"), tuple(blocks))


def _search_method(search: SearchRecord) -> str:
    known = search.method in SEARCHES
    return tr(SEARCHES[search.method]) if known else search.method.replace("_", " ")


SEARCHES: Mapping[str, Text] = {
    "profile": "generalization lattice: best policy first, then every policy",
    "optimum": "generalization lattice: best policy by branch and bound",
    "ola": "OLA: best of the least general policies of the generalization lattice",
    "local_recoding": "local recoding: suppressed records searched again",
    "lola": "LOLA: lattice over people and their events",
    "blocks": "few attributes known, block by block",
    "not_searched": "chosen by a person, not searched for",
}
"""How a policy was looked for, by method."""


def _search_words(search: SearchRecord) -> str:
    """Say what is known of better policies."""
    if search.method == "not_searched":
        return tr(
            "A person chose this policy. No search was made for this release: a better "
            "policy may exist. All requirements were checked on the policy itself."
        )
    if search.method == "blocks":
        return tr(
            "Levels were raised block by block, then what was still at risk was "
            "suppressed, until no block failed. Not all policies were searched: a "
            "better one may exist."
        )
    if search.chosen and search.is_optimum:
        return tr(
            "A person chose this policy: the best one of the search, which was proven "
            "to be the best under these decisions."
        )
    if search.chosen:
        return tr(
            "A person chose this policy among those that a search found. It was not "
            "proven to be the best. All requirements were checked on the policy itself."
        )
    if search.complete:
        return tr(
            "The search was complete: figures of all policies are known, exactly "
            "or by proven bounds."
        )
    return tr(
        "The search was not completed: a better policy may exist. This does "
        "not touch the risk figures of the policy that was released."
    )


def _discovery_section(evidence: Evidence) -> Section:
    """How alternatives to a rule were looked for."""
    search = evidence.search
    known = search.model_dump()
    method = search.method.removeprefix("discovery_")
    rows = [(tr("Method"), _method_words(method))]
    rows += [
        (tr(title), write(known[name]))
        for name, (title, write) in _DISCOVERY_ROWS.items()
        if known.get(name)
    ]
    if search.seed is not None:
        rows.append((tr("Seed of random choices"), str(search.seed)))
    words = tr(
        "A person chose this policy among acceptable alternatives that keep "
        "different values apart. That another one suits the purpose better is "
        "possible; this does not touch the risk figures."
    )
    if search.came_to_its_end is False:
        end = tr("The policy was chosen before the search had come to its end.")
        words = f"{words} {end}"
    return Section(
        tr("How the policy was found"), (Terms(tuple(rows)), Paragraph(words))
    )


def _method_words(method: str) -> str:
    known = method in DISCOVERIES
    return tr(DISCOVERIES[method]) if known else method.replace("_", " ")


def _count(value: Any) -> str:
    return count_text(int(value))


_MODES: Mapping[str, Text] = {
    "interval": "neighbours in the order of the values",
    "subtree": "groups of the hierarchy",
}

_WEIGHTS: Mapping[str, Text] = {
    "both": "the size of groups and how often policies had joined them",
    "size": "the size of groups",
    "use": "how often policies had joined them",
    "none": "chance alone",
}

_DISCOVERY_ROWS: Mapping[str, tuple[Text, Callable[[Any], str]]] = {
    "mode": (
        "Values that may be joined",
        lambda value: tr(_MODES[value]),
    ),
    "iterations": ("Policies asked for", _count),
    "budget": ("Policies to look at, at most", _count),
    "weights": (
        "Values to join were drawn by",
        lambda value: tr(_WEIGHTS[value]),
    ),
    "completes": (
        "Then made as specific as the risk allows",
        lambda value: tr("yes") if value else tr("no"),
    ),
    "quotas": (
        "Searches that joined one column alone",
        lambda value: ", ".join(f"{n}: {share_text(q)}" for n, q in value.items()),
    ),
    "demanded": ("Demanded", lambda value: "; ".join(map(str, value))),
    "evaluated": ("Policies looked at", _count),
    "alternatives": ("Alternatives to choose from", _count),
}
"""What is stated about a discovery: title and how the value is written."""


DISCOVERIES: Mapping[str, Text] = {
    "discovery": "discovered; with which settings was not noted",
    "bps": "bisecting search for the most specific acceptable policies",
    "directed": "directed search for the most specific acceptable policies",
    "exhaustive": "every policy was looked at",
    "frontier": "search for the frontier of risk and detail",
}
"""How alternatives were looked for, by method."""


def assumption_section(evidence: Evidence) -> Section:
    """Assumptions and warnings."""
    blocks: list[Block] = []
    if evidence.assumptions:
        blocks.append(Bullets(evidence.assumptions))
    else:
        blocks.append(Paragraph(tr("No assumption is stated.")))
    blocks += [Paragraph(warning, "caution") for warning in evidence.warnings]
    blocks += notes_of(evidence)
    return Section(tr("Assumptions and warnings"), tuple(blocks))


def notes_of(evidence: Evidence | CountsEvidence) -> Iterator[Block]:
    """What the sender adds, by whom, and when."""
    if evidence.notes:
        by = evidence.notes_signed
        notes = signed_words(evidence.notes, by.by, by.on)
        yield Terms(((tr("Notes of the sender"), notes),))


def _share_of_population(evidence: Evidence) -> float | None:
    """Released people among those of the population; None if these are not counted."""
    risk, unit = evidence.risk, evidence.unit
    released = evidence.records - evidence.suppressed_records
    read = evidence.records
    if unit.people is not None:
        released, read = unit.people - (unit.suppressed_people or 0), unit.people
    people = (risk.population or {}).get("people")
    if risk.sampling_fraction is not None:
        people = read / risk.sampling_fraction
    return min(1.0, released / people) if people else None


def limit_section(evidence: Evidence) -> Section:
    """What the report does not show."""
    limits = (combined_words(evidence.criteria), *(tr(each) for each in LIMITS))
    return Section(tr("What this report does not show"), (Bullets(limits),))


def safe_harbor_section(evidence: Evidence) -> Section:
    """How the release stands to the HIPAA rules, and what is left to the expert."""
    blocks: list[Block] = [
        Paragraph(
            tr(
                "This report supports a determination by an expert (45 CFR "
                "164.514(b)(1)): the risk is measured. It does not certify that the "
                "release meets Safe Harbor (45 CFR 164.514(b)(2)), which asks for the "
                "removal of eighteen kinds of identifiers whatever the risk, and that "
                "the sender knows of no way to identify a person."
            )
        ),
        Paragraph(tr("What the expert has to judge beyond these figures:")),
        Bullets(tuple(tr(each) for each in EXPERT)),
    ]
    known = evidence.safe_harbor
    if known is not None and known.words:
        blocks.append(Paragraph(known.words))
        if known.scope:
            blocks.append(Paragraph(known.scope, "caution"))
    return Section(tr("Safe Harbor and expert determination"), tuple(blocks))


EXPERT: tuple[Text, ...] = (
    "Whether the risk is very small. No figure here is a limit set by law.",
    "Whether the quasi-identifiers are all that the recipient could use, alone or with "
    "other information that is reasonably available to the recipient.",
    "Whether every column that is released as it is may be: no names, numbers, places "
    "or dates in it that identify.",
    "Whether the population is the one to look in, and whether its figures are good "
    "enough for this purpose.",
    "What the recipient has agreed to and is able to do, and for how long the "
    "determination holds.",
)
"""What 45 CFR 164.514(b)(1) leaves to a person."""


_FILE_WIDTHS = (0.3, 0.18, 0.52)


def file_section(evidence: Evidence, digest: str, *, in_public: bool) -> Section:
    """Files with their hashes, and the software.

    Parameters
    ----------
    digest : str
        SHA-256 of the evidence, of which an edition may leave out names.
    """
    inputs = tuple(
        (each.file, _size_text(each.bytes), each.sha256) for each in evidence.inputs
    )
    header = (tr("Input"), tr("Size"), "SHA-256")
    read = ReportTable(header, inputs, _FILE_WIDTHS, right=(1,))
    released = released_files(evidence, digest, in_public=in_public)
    return Section(tr("Files"), (read, *released))


def released_files(
    evidence: Evidence | CountsEvidence, digest: str, *, in_public: bool
) -> tuple[Block, ...]:
    """Every file of a release with its hash, what was compared, and the software."""
    vouched = (*evidence.outputs, *evidence.files)
    written = tuple(
        (short_name(each.path), _size_text(each.bytes), each.sha256)
        for each in vouched
        if each.path not in REPORTS
    )
    versions = {"deidgui": evidence.deidgui, **evidence.software}
    software = ", ".join(f"{name} {version}" for name, version in versions.items())
    return (
        ReportTable(
            (tr("Released file"), tr("Size"), "SHA-256"),
            written,
            _FILE_WIDTHS,
            right=(1,),
        ),
        Paragraph(tr(_HASHES)),
        *(Paragraph(tr(each)) for each in (_CHECKS if in_public else (_REPEATED,))),
        Paragraph(
            tr(
                "SHA-256 of all that the evidence says, without the hashes of this "
                "report: {digest}",
                digest=digest,
            )
        ),
        Paragraph(tr("Computed with {software}.", software=software)),
    )


_HASHES: Text = (
    "The hashes were taken from the bytes as they were written; then the files were "
    "read again, the hashes compared and the figures measured once more, by other "
    "code, from the released files alone."
)
_REPEATED: Text = (
    "evidence.json also holds the hashes of this report. “deidgui verify FOLDER” "
    "repeats the comparison at any time."
)
_CHECKS: tuple[Text, ...] = (
    "What a reader of this edition can check: whether a released file is the one that "
    "is meant, by its SHA-256 (“sha256sum FILE”; on Windows “certutil -hashfile FILE "
    "SHA256”), and what can be counted in the released table itself. What people "
    "entered, and the input, cannot be checked with this edition.",
    "Whoever may see the whole release, such as an auditor, runs “deidgui verify "
    "FOLDER”: it has to show the SHA-256 of the evidence that stands below. “deidgui "
    "report FOLDER --out FILE.pdf --edition public” then writes this edition anew.",
)
"""An edition for the public has no evidence with it, which would say all."""


def _size_text(n_bytes: int) -> str:
    return tr("{n}\u00a0bytes", n=n_bytes)


def determined_section(evidence: Evidence, digest: str) -> Section | None:
    """What is determined, for whom, with which result, and until when.

    References
    ----------
    .. [1] determination.md 3.2.
    """
    if evidence.dossier is None:
        return None
    rows = (
        *object_rows(evidence, digest),
        *recipient_rows(evidence.context),
        (tr("Reference population"), population_words(evidence)),
        *validity_rows(evidence.validity),
        (tr("Earliest deletion of the dossier"), kept_words(evidence.validity)),
    )
    return Section(tr("What is determined"), (Terms(rows),))


def object_rows(evidence: Evidence, digest: str) -> Iterator[tuple[str, str]]:
    """Released tables with their size and hash, and the number of the evidence."""
    for each in evidence.outputs:
        words = tr(
            "{name}: {rows:row|rows}, {columns:column|columns}; SHA-256 {hash}",
            name=each.path,
            rows=each.rows,
            columns=len(each.columns),
            hash=each.sha256,
        )
        if evidence.policy.suppressed == "stars" and evidence.suppressed_records:
            stars = tr("suppressed records are rows of *")
            words = f"{words}; {stars}"
        yield tr("Released table"), words
    yield tr("SHA-256 of the evidence"), digest


def population_words(evidence: Evidence) -> str:
    """Among whom somebody would look, in a line."""
    risk = evidence.risk
    if risk.population:
        return str(risk.population.get("words") or tr("see D4"))
    if risk.sampling_fraction is not None:
        share = share_text(risk.sampling_fraction)
        return tr("the data are {share} of it (see D4)", share=share)
    return tr("the file itself")


def signature_section(evidence: Evidence | CountsEvidence, digest: str) -> Section:
    """Where those who answer for the release sign."""
    blocks: list[Block] = [
        Paragraph(
            tr(
                "What is signed is the release whose evidence has the SHA-256 "
                "{digest}. “deidgui verify FOLDER” shows this number for a release "
                "that has not been changed.",
                digest=digest,
            )
        )
    ]
    lacking = tr(_NO_DOSSIER)
    if isinstance(evidence, Evidence):
        lacking = lacking_words(evidence.dossier)
        looser = looser_caution(evidence.context)
        cautions = (headline(evidence), overall_caution(evidence), looser)
        blocks += [Paragraph(each, "caution") for each in cautions if each]
    if lacking:
        # PRIVACY: nobody signs that a risk is very small of which nothing was asked.
        blocks.append(Paragraph(lacking, "caution"))
    else:
        blocks += [Paragraph(tr(_DETERMINATION)), _expert_signs()]
    signs = (tr("Name"), tr("Function"), tr("Date"), tr("Signature"))
    if isinstance(evidence, Evidence) and not lacking:
        blocks += [Paragraph(tr(_READER)), SignatureLines(signs)]
    words = tr("For the owner: I have read this report and accept its conditions.")
    if isinstance(evidence, Evidence):
        goes = tr("The release goes to the recipient and for the purpose stated above.")
        words = f"{words} {goes}"
    return Section(tr("Signatures"), (*blocks, Paragraph(words), SignatureLines(signs)))


_NO_DOSSIER: Text = (
    "Not a determination: about tables of counts the program asks nothing of "
    "recipient and context. Whoever determines adds it."
)
_DETERMINATION: Text = (
    "The expert: I have knowledge of and experience with generally accepted "
    "statistical and scientific principles and methods for rendering information not "
    "individually identifiable. Applying them, I determine that the risk is very small "
    "that the information could be used, alone or in combination with other reasonably "
    "available information, by the recipient stated above to identify an individual "
    "who is a subject of the information. The methods and results that justify this "
    "are documented in this report and in what I attach to it."
)


_READER: Text = "The second reader: I have compared the thresholds with their sources."


def _expert_signs() -> SignatureLines:
    return SignatureLines(
        (tr("Name"), tr("Qualification"), tr("Valid until"), tr("Date, signature"))
    )


# -- the whole -------------------------------------------------------------------------


Make = Callable[..., Section | None]

PARTS: Mapping[str, tuple[Make, ...]] = {
    "D1": (plain_section,),
    "D2": (recipient_section,),
    "D3": (
        released_section,
        preparation_section,
        principle_section,
        question_section,
        cell_section,
        missing_section,
    ),
    "D4": (population_section,),
    "D5": (context_section,),
    "D6": (threshold_section,),
    "D7": (risk_section, sensitivity_section, attack_section, baseline_section),
    "D8": (criteria_section, intruder_section),
    "D9": (policy_section, suppressed_section, code_section, search_section),
    "D10": (quality_section,),
    "D11": (validity_section, drift_section),
    "D12": (public_section,),
    "D13": (
        assumption_section,
        limit_section,
        claim_section,
        safe_harbor_section,
        file_section,
    ),
    "D14": (determined_section, signature_section),
}
"""Sections of each part of the dossier; one may have nothing to say.

References
----------
.. [1] determination.md 3.1: the order follows ISO/IEC 27559:2022.
"""

CONFIDENTIAL = (preparation_section, policy_section, search_section)
"""Not in a public edition: seeds, shifts of dates, levels."""


def _sections(
    evidence: Evidence, regime: str | None, digest: str, *, in_public: bool
) -> Iterator[Section]:
    """Parts of the dossier that have something to say, and its annexes.

    The front sheet of a regime stands behind the cover and the summary.
    """
    dossier = evidence.dossier
    for part in PARTS:
        found = _part(part, evidence, digest, in_public=in_public)
        yield from summed_up(list(found)) if in_public else found
        if part == "D1" and dossier is not None and regime is not None:
            yield front_sheet(dossier, regime)
    if dossier is not None:
        annexed = annexes(dossier, regime)
        for letter, each in zip("AB", annexed, strict=False):
            yield replace(each, number=letter)


def _part(
    part: str, evidence: Evidence, digest: str, *, in_public: bool
) -> Iterator[Section]:
    """What people entered for a part, then the sections that the program makes."""
    more: Mapping[Make, Mapping[str, Any]] = {
        # Who has answered what, with which proof, is confidential.
        context_section: {"has_answers": not in_public},
        threshold_section: {"has_answers": not in_public},
        file_section: {"digest": digest, "in_public": in_public},
        determined_section: {"digest": digest},
        signature_section: {"digest": digest},
    }
    blocks: tuple[Block, ...] = ()
    if evidence.dossier is not None:
        blocks = entered_blocks(part, evidence.dossier, in_public=in_public)
    if part == "D9" and (in_public or evidence.dossier is not None):
        blocks = (*blocks, Paragraph(tr(_PUBLIC) if in_public else tr(_CONFIDENTIAL)))
    if part == "D1":
        blocks = (*_scope(evidence, digest, in_public=in_public), *blocks)
    left_out = CONFIDENTIAL if in_public else ()
    made = [
        each(evidence, **more.get(each, {}))
        for each in PARTS[part]
        if each not in left_out
    ]
    found = [each for each in made if each is not None]
    if part == "D12":
        # What is handed out stands alone: what was entered of it goes below.
        yield replace(found[0], number=part, blocks=(*found[0].blocks, *blocks))
        return
    if blocks or len(found) != 1:
        below = Paragraph(tr("See below.") if found else tr("Nothing was entered."))
        yield Section(part_title(part), blocks or (below,), part)
        numbers = [f"{part}.{n}" for n in range(1, len(found) + 1)]
    else:
        numbers = [part]
    for number, each in zip(numbers, found, strict=True):
        yield replace(each, number=number)


def _scope(evidence: Evidence, digest: str, *, in_public: bool) -> Iterator[Block]:
    """Say on the first page what is determined, and which edition this is."""
    if evidence.dossier is not None:
        yield Terms(tuple(object_rows(evidence, digest)))
    if in_public:
        yield Paragraph(tr(_EDITION))


_CONFIDENTIAL: Text = (
    "This is the confidential edition. The public edition is made from the same "
    "evidence, without seeds, shifts of dates, levels, names and most of what people "
    "typed."
)
_EDITION: Text = (
    "This is the public edition: D9 says what it leaves out, D13 what a reader can "
    "check."
)
_PUBLIC: Text = (
    "This is the public edition of the report: seeds, shifts of dates, levels, names "
    "of people, of input files and of compared tables, and what people typed stand in "
    "the confidential one, which is made from the same evidence. Shown as typed are "
    "the title, recipient, purpose, the reference of the agreement, source and period "
    "of the data, where the public words are published, who watches over the validity, "
    "and whom to call. evidence.json says all: it belongs to the confidential edition."
)


def made_words(evidence: Evidence | CountsEvidence, edition: str | None) -> str:
    """When a report was made, with what, and in which edition."""
    parts = [date_text(evidence.created), f"deidgui {evidence.deidgui}"]
    if edition is not None:
        is_public = edition == "public"
        parts.append(tr("public edition") if is_public else tr("confidential edition"))
    return " · ".join(parts)


def report_of(
    evidence: Evidence, edition: str | None = None, regime: str | None = None
) -> Report:
    """Write the report of a release: the dossier of its determination.

    Parameters
    ----------
    edition : str, optional
        public or confidential; without it the one that the evidence states.
    regime : str, optional
        Whose front sheet it has; without it the one that the evidence states.

    Returns
    -------
    Report
        PRIVACY: shows released labels, never another value of the input.
    """
    created = date_text(evidence.created)
    title = evidence.title or tr("Untitled")
    if evidence.dossier is not None:
        edition = edition or evidence.dossier.edition
        regime = regime or evidence.dossier.regime
    in_public = edition == "public"
    shown = for_public(evidence) if in_public else evidence
    digest = digest_of(evidence)
    sections = list(_sections(shown, regime, digest, in_public=in_public))
    return Report(
        title=tr("De-identification report"),
        subtitle=title,
        made=made_words(evidence, edition),
        lead=lead(shown),
        headline=with_place(headline(shown)) if in_public else headline(shown),
        figures=key_figures(shown),
        sections=sections,
        footer=f"{title} · {created}",
    )
