"""What a report says in plain words: its first page, and a page for the public."""

from __future__ import annotations

import math
from collections.abc import Sequence

from deidgui.app.charts.formats import count_text, number_text, rows_words
from deidgui.app.measuring.criteria_words import gain_of
from deidgui.app.report.blocks import Bullets, Paragraph, Section
from deidgui.app.report.charts import chance_text
from deidgui.app.report.validity import held_words
from deidgui.app.text.release import ROWS_KNOWN
from deidgui.engine.determination import NAMED, OF_LEVEL, threshold_text
from deidgui.engine.evidence.document import Context, Evidence, RowsKnown
from deidgui.text import Text, per_cent, share_text, tr


def plain_section(evidence: Evidence) -> Section:
    """The whole in eight sentences, for people who are no experts."""
    lines = tuple(make(evidence) for make in _LINES)
    return Section(tr("In plain words"), (Bullets(lines),), own_page=True)


_LETTERS, _OF_POLICY, _NAMES = 240, 480, 12
"""Most letters of what a person typed, and of what a policy says, and most columns, in
a sentence: all sentences stand on one page. The parts have the whole."""


def _cut(text: str, part: str, most: int = _LETTERS) -> str:
    """A text within a sentence, and where it goes on if it is long."""
    text = " ".join(text.split())
    if len(text) <= most:
        return text
    begin = text[:most].rsplit(" ", 1)[0]
    return tr("{begin} … (whole text: {part})", begin=begin, part=part)


def _listed(names: Sequence[str]) -> str:
    """Names of columns, and how many more there are."""
    shown = [name if len(name) <= 40 else f"{name[:39]}…" for name in names[:_NAMES]]
    listed = ", ".join(shown)
    more = len(names) - len(shown)
    return tr("{names} and {n} more", names=listed, n=more) if more else listed


def _about(evidence: Evidence) -> str:
    unit = evidence.unit
    if unit.people is not None:
        return tr(
            "The data are about {people:person|people}, with {rows:row|rows}; "
            "{kept:row is|rows are} released.",
            people=unit.people,
            rows=evidence.records,
            kept=evidence.records - evidence.suppressed_records,
        )
    return tr(
        "The data have {n:record|records}, each counted as one person; "
        "{kept:record is|records are} released.",
        n=evidence.records,
        kept=evidence.records - evidence.suppressed_records,
    )


def _for_whom(evidence: Evidence) -> str:
    context = evidence.context
    if context is None or context.release is None:
        return tr("Nobody has stated who receives the data, and for what.")
    if context.release == "public":
        return tr(
            "Anybody may receive the data. Purpose: {purpose}.",
            purpose=_ended(context.purpose, "D2"),
        )
    promise = tr("no agreement is named")
    if context.agreement.reference.strip():
        promise = tr(
            "under the agreement {name}", name=_cut(context.agreement.reference, "D2")
        )
    return tr(
        "Recipient: {recipient}, {promise}. Purpose: {purpose}.",
        recipient=_ended(context.recipient, "D2"),
        promise=promise,
        purpose=_ended(context.purpose, "D2"),
    )


def _ended(text: str, part: str) -> str:
    """A person's words within a sentence."""
    return _cut(text.strip().rstrip("."), part) or tr("not stated")


def _removed(evidence: Evidence) -> str:
    n_out = sum(each.released_as is None for each in evidence.attributes)
    words = tr("No included column is left out.")
    if n_out:
        words = tr(
            "{n} of {all:included column|included columns} are not released.",
            n=n_out,
            all=len(evidence.attributes),
        )
    return tr(
        "{words} What was not included is not released either. Released form of the "
        "columns that could identify somebody: {sentence}.",
        words=words,
        sentence=_cut(evidence.policy.sentence.rstrip("."), "D9", _OF_POLICY),
    )


def _found(evidence: Evidence) -> str:
    names = [e.name for e in evidence.attributes if e.role == "quasi_identifier"]
    risk, rows = evidence.risk.prosecutor, evidence.unit.rows_known
    if not names or not risk.highest or not risk.average:
        return tr("No chance of picking the right record was measured.")
    chance = {
        "names": _listed(names),
        "most": number_text(1 / risk.highest),
        "mean": number_text(1 / risk.average),
    }
    if evidence.unit.people is None:
        return tr(
            "Somebody who knows that a person is in the data, and all of {names} of "
            "that person, picks the right record at best 1 time in {most}, on average "
            "1 time in {mean}.",
            **chance,
        )
    words = tr(
        "Somebody who knows that a person is in the data, and all of {names} of that "
        "person, finds the right person at best 1 time in {most}, on average over all "
        "released people 1 time in {mean}.",
        **chance,
    )
    known = [each for each in rows if each.highest]
    if not known:
        return words
    # Whoever knows more of a person's rows finds more: that counts as well.
    worst = max(known, key=lambda each: (each.highest or 0.0, each.average or 0.0))
    return f"{words} {_by_rows(evidence, worst)}"


def _paired(evidence: Evidence) -> str:
    """What two lists tell of each other that have a part of the columns each."""
    halves = evidence.criteria.halves if evidence.criteria is not None else None
    if halves is None:
        return tr(
            "Whether two lists, each with some of these columns, can be joined is not "
            "known."
        )
    words = tr(
        "Whoever joins two lists about the same people, one with {first}, the other "
        "with {second}, is right for {right} of {n:person|people} on average; without "
        "these columns for 1.",
        first=_listed(halves.first),
        second=_listed(halves.second),
        right=number_text(halves.rate / halves.baseline),
        n=round(1 / halves.baseline),
    )
    if halves.looked == halves.splits:
        return words
    more = tr(
        "With other columns in each list it can be more, but not more than {most}.",
        most=share_text(halves.most),
    )
    return f"{words} {more}"


def _alone(evidence: Evidence) -> str:
    """Who is alone on everything, beyond what the classes count; empty for nobody."""
    share = evidence.criteria.alone_on_all if evidence.criteria is not None else None
    if share is None:
        return tr("How many are alone on all released columns is not known.")
    if not share:
        return ""
    words = tr(
        "On all released columns together (without pseudonyms) {share} of the released "
        "records are alone: whoever has another copy of all these values can find "
        "them.",
        share=share_text(share),
    )
    if evidence.unit.people is not None:
        words = tr(
            "On all released columns together (without pseudonyms) {share} of the "
            "released people are alone: whoever has another copy of all these values "
            "can find them.",
            share=share_text(share),
        )
    return words


def _found_and_paired(evidence: Evidence) -> str:
    made = (_found(evidence), _alone(evidence), _paired(evidence))
    return " ".join(filter(None, made))


def _by_rows(evidence: Evidence, known: RowsKnown) -> str:
    """Whose risk it is if rows of a person are known, too: of how many people."""
    assert known.highest, "it was measured"
    words = tr(
        "Somebody who knows rows of the person too ({rows}) is right at best 1 time in "
        "{most}",
        rows=tr(ROWS_KNOWN[known.known]),
        most=number_text(1 / known.highest),
    )
    if known.average:
        words = tr(
            "{words}, on average over all released people 1 time in {mean}",
            words=words,
            mean=number_text(1 / known.average),
        )
    if known.n_at_risk is None or evidence.risk.threshold is None:
        return f"{words}."
    return tr(
        "{words}. For {n} of {people:released person|released people} the chance is "
        "then above {limit}.",
        words=words,
        n=count_text(known.n_at_risk),
        people=(evidence.unit.people or 0) - (evidence.unit.suppressed_people or 0),
        limit=chance_text(evidence.risk.threshold),
    )


def _overall(context: Context) -> float | None:
    """Overall risk of the attacks that are not excluded."""
    out = {name for name, each in context.attacks.items() if each.is_excluded}
    counted = (each for name, each in context.overall.items() if name not in out)
    return max(counted, default=None)


def overall_caution(evidence: Evidence) -> str:
    """Say that the overall risk is above its threshold; empty if it is not."""
    context = evidence.context
    if context is None or context.threshold is None:
        return ""
    overall = _overall(context)
    if overall is None or overall <= context.threshold:
        return ""
    return tr(
        "The overall risk of {overall} is ABOVE its threshold of {limit}.",
        overall=overall_text(overall),
        limit=threshold_text(context.threshold),
    )


def looser_caution(stated: Context | None) -> str:
    """Say that a person's own threshold is looser than that of the level, if it is."""
    if stated is None or stated.own_threshold is None or stated.threshold is None:
        return ""
    if stated.invasion is None:
        return tr(
            "The threshold is a person’s own. What the guidelines of Ontario (2016) "
            "name is not known: questions on the invasion of privacy are open."
        )
    usual = OF_LEVEL[stated.invasion]
    if stated.threshold <= usual:
        return ""
    return tr(
        "The threshold of {own} is a person’s own and LOOSER than the {usual} that the "
        "guidelines of Ontario (2016) name for this level of invasion of privacy.",
        own=threshold_text(stated.threshold),
        usual=threshold_text(usual),
    )


def overall_text(risk: float) -> str:
    """Overall risk, by its usual name where it is one: as the limit is written."""
    is_named = any(math.isclose(risk, float(each)) for each in NAMED.values())
    return threshold_text(risk) if is_named else share_text(risk)


def _attempted(evidence: Evidence) -> str:
    context = evidence.context
    if context is None or context.attempt is None or context.threshold is None:
        return tr("Who receives the data is not taken into account: answers are open.")
    overall = _overall(context)
    if overall is None:
        return tr(
            "Who receives the data is not taken into account: no figure is known."
        )
    words = tr(
        "From what was answered about the recipient, the chance that somebody tries "
        "is put at {attempt}; together with the risk in the data this is {overall}",
        attempt=per_cent(context.attempt),
        overall=overall_text(overall),
    )
    limit = threshold_text(context.threshold)
    if overall <= context.threshold:
        words = tr("{words}, not above the limit of {limit}.", words=words, limit=limit)
    else:
        words = tr("{words}, ABOVE the limit of {limit}.", words=words, limit=limit)
    return f"{words} {looser_caution(context)}".strip()


def _of_groups(evidence: Evidence) -> str:
    found = evidence.criteria
    if found is None or not found.guessed:
        return tr("What can be learned about groups was not measured.")
    most = max(found.guessed, key=gain_of)
    return tr(
        "What can still be learned about groups: the commonest value of “{name}” in "
        "somebody’s group is right for {rate}; without the groups for {blind}.",
        name=most.attribute,
        rate=share_text(most.rate),
        blind=share_text(most.baseline),
    )


def _not_checked(_evidence: Evidence) -> str:
    return tr(
        "Not checked: what patterns do not find in free text, pictures and genomes, "
        "whether the answers of people are true, what is published elsewhere or later, "
        "and the harm that statistics do to groups."
    )


def _until(evidence: Evidence) -> str:
    held = evidence.validity
    if held is None or not held.words:
        return tr("Nobody has decided how long this holds, and whom to call.")
    return tr(
        "{words} Person in charge: {who}. After an incident: {contact}.",
        words=held_words(evidence),
        who=_ended(held.in_charge, "D11"),
        contact=_ended(held.contact, "D11"),
    )


_LINES = (
    _about,
    _for_whom,
    _removed,
    _found_and_paired,
    _attempted,
    _of_groups,
    _not_checked,
    _until,
)


# -- for the public --------------------------------------------------------------------


def public_section(evidence: Evidence) -> Section:
    """Half a page for a web page or an ethics board, made from the evidence."""
    made = (
        _about(evidence),
        _collected(evidence),
        _for_whom(evidence),
        _changed(evidence),
        _found(evidence),
        tr(
            "A risk remains: other information may appear, and nobody can know what "
            "each reader knows. What the data tell of groups can touch people who are "
            "not in them."
        ),
        _until(evidence),
        _judged(evidence),
    )
    title = tr("For the public: {title}", title=evidence.title or tr("Untitled"))
    paragraphs = tuple(Paragraph(words) for words in made if words)
    return Section(title, paragraphs, own_page=True)


def _collected(evidence: Evidence) -> str:
    """Where the data come from, in the words that were entered."""
    if evidence.dossier is None:
        return ""
    entries = evidence.dossier.entries
    names = [name for name in ("source", "period") if name in entries]
    said = [_ended(entries[name].text, "D3") for name in names]
    if not said:
        return tr("Nobody has stated where the data come from.")
    return tr("Where the data come from: {source}.", source="; ".join(said))


def _changed(evidence: Evidence) -> str:
    """What became of columns and records, by number."""
    kept = [e for e in evidence.attributes if e.released_as is not None]
    n_out = len(evidence.attributes) - len(kept)
    # Level 0 releases values as they are; without a level values are joined.
    coarser = [e for e in kept if e.treatment == "generalized" and e.level != 0]
    n_less = tr("{n:column is|columns are} less detailed", n=len(coarser))
    words = f"{n_less}."
    if n_out:
        words = tr(
            "{n:column was|columns were} removed from the data, and {less}.",
            n=n_out,
            less=n_less,
        )
    if not evidence.suppressed_records:
        return words
    people, n = evidence.unit.suppressed_people, evidence.suppressed_records
    who: Text = (
        "{n:record is|records are} suppressed, since too few others look like them."
    )
    if people is not None:
        who = (
            "{n:person is|people are} suppressed, since too few others look like them."
        )
    more = tr(who, n=n if people is None else people)
    rows = "" if people is None else rows_words((n, evidence.records))
    return f"{words} {more} {rows}".rstrip()


def _judged(evidence: Evidence) -> str:
    """Who judges, and that this page does not."""
    lacks = evidence.dossier is None or bool(evidence.dossier.lacking)
    if lacks:
        return tr(
            "No expert has determined yet whether the risk is very small: the "
            "documents for it are not complete."
        )
    return tr(
        "Whether the risk is very small is determined by an expert, who signs the "
        "full report; this page does not replace it."
    )
