"""What a report has as a dossier: how complete it is, plain words, what was entered."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from deidgui.app.charts.formats import number_text
from deidgui.app.measuring.criteria_words import gain_of
from deidgui.app.report.blocks import (
    Block,
    Bullets,
    KeyFigure,
    Paragraph,
    Section,
    Table,
    Terms,
)
from deidgui.app.text.release import ROWS_KNOWN
from deidgui.engine.determination import (
    ELSEWHERE,
    FRONT_SHEETS,
    ITEMS,
    NEEDS,
    OF_COLUMNS,
    REGIMES_CHECKED,
    SECTIONS,
    TITLES,
    Item,
    threshold_text,
)
from deidgui.engine.evidence.document import (
    Context,
    Dossier,
    DossierItem,
    Entered,
    Evidence,
)
from deidgui.text import Text, per_cent, share_text, tr

_COMPLETE: Text = "complete"
_MISSING: Text = "MISSING"
_NOT_APPLYING: Text = "does not apply"
_STATES: Mapping[str, Text] = {
    "complete": _COMPLETE,
    "missing": _MISSING,
    "does_not_apply": _NOT_APPLYING,
}


def part_title(part: str) -> str:
    """What a part of the dossier, D1 to D14, is about."""
    return tr(SECTIONS[part])


def completeness_figure(dossier: Dossier) -> KeyFigure:
    """How much of the dossier is entered, for its first page."""
    is_whole = dossier.complete == dossier.asked
    remark = tr("complete") if is_whole else tr("NOT COMPLETE")
    value = tr("{n} of {all}", n=dossier.complete, all=dossier.asked)
    return KeyFigure(value, tr("items of the dossier"), remark)


# -- in plain words --------------------------------------------------------------------


def plain_section(evidence: Evidence) -> Section:
    """The whole in eight sentences, for people who are no experts."""
    lines = tuple(make(evidence) for make in _LINES)
    return Section(tr("In plain words"), (Bullets(lines),))


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
        "The data are {n:record|records}, taken as one of each person; "
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
            purpose=_ended(context.purpose),
        )
    promise = tr("no agreement is named")
    if context.agreement.reference.strip():
        promise = tr("under the agreement {name}", name=context.agreement.reference)
    return tr(
        "Recipient: {recipient}, {promise}. Purpose: {purpose}.",
        recipient=_ended(context.recipient),
        promise=promise,
        purpose=_ended(context.purpose),
    )


def _ended(text: str) -> str:
    """A person's words within a sentence."""
    return text.strip().rstrip(".") or tr("not stated")


def _removed(evidence: Evidence) -> str:
    n_out = sum(each.released_as is None for each in evidence.attributes)
    return tr(
        "{n:column is|columns are} left out. Released form of the columns that could "
        "identify somebody: {sentence}.",
        n=n_out,
        sentence=evidence.policy.sentence.rstrip("."),
    )


def _found(evidence: Evidence) -> str:
    names = [e.name for e in evidence.attributes if e.role == "quasi_identifier"]
    risk, rows = evidence.risk.prosecutor, evidence.unit.rows_known
    if not names or not risk.highest or not risk.average:
        return tr("No chance of picking the right record was measured.")
    words = tr(
        "Somebody who knows that a person is in the data, and all of {names} of that "
        "person, picks the right record at best 1 time in {most}, on average 1 time "
        "in {mean}.",
        names=", ".join(names),
        most=number_text(1 / risk.highest),
        mean=number_text(1 / risk.average),
    )
    known = [each for each in rows if each.highest is not None]
    if not known:
        return words
    # Whoever knows more of a person's rows finds more: that counts as well.
    worst = max(known, key=lambda each: each.highest or 0.0)
    return tr(
        "{words} Somebody who knows rows of the person too ({rows}) is right at best "
        "1 time in {most}.",
        words=words,
        rows=tr(ROWS_KNOWN[worst.known]),
        most=number_text(1 / worst.highest) if worst.highest else "–",
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
        overall=share_text(overall),
        limit=threshold_text(context.threshold),
    )


def _attempted(evidence: Evidence) -> str:
    context = evidence.context
    if context is None or context.attempt is None or context.threshold is None:
        return tr("Who receives the data is not taken into account: answers are open.")
    out = {name for name, each in context.attacks.items() if each.is_excluded}
    counted = [each for name, each in context.overall.items() if name not in out]
    overall = max(counted, default=None)
    if overall is None:
        return tr(
            "Who receives the data is not taken into account: no figure is known."
        )
    words = tr(
        "From what was answered about the recipient, the chance that somebody tries "
        "is put at {attempt}; together with the risk in the data this is {overall}",
        attempt=per_cent(context.attempt),
        overall=share_text(overall),
    )
    limit = threshold_text(context.threshold)
    if overall <= context.threshold:
        return tr("{words}, not above the limit of {limit}.", words=words, limit=limit)
    return tr("{words}, ABOVE the limit of {limit}.", words=words, limit=limit)


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
        "Not checked: free text, pictures and genomes inside columns, whether the "
        "answers of people are true, what is published elsewhere or later, and the "
        "harm that statistics do to groups."
    )


def _until(evidence: Evidence) -> str:
    held = evidence.validity
    if held is None or not held.words:
        return tr("Nobody has decided how long this holds, and whom to call.")
    words = held.words
    if evidence.dossier is None or evidence.dossier.lacking:
        words = tr(
            "There is no determination yet. When there is one: {words}", words=words
        )
    return tr(
        "{words} Who watches over it: {who}. After an incident: {contact}.",
        words=words,
        who=_ended(held.in_charge),
        contact=_ended(held.contact),
    )


_LINES = (
    _about,
    _for_whom,
    _removed,
    _found,
    _attempted,
    _of_groups,
    _not_checked,
    _until,
)


# -- what was entered ------------------------------------------------------------------


HIDDEN = ("key_custodian", "archive")
"""Texts that are in no public edition: where a key and the dossier are kept."""


def entered_blocks(
    part: str, dossier: Dossier, *, in_public: bool
) -> tuple[Block, ...]:
    """What people entered for a part of the dossier, and what they have not.

    Parameters
    ----------
    part : str
        D1 to D14.
    in_public : bool
        Whether reasons for rules of single columns are left out.
    """
    states = {each.number: each for each in dossier.items}
    items = [each for each in ITEMS if each.sections[0] == part]
    missing = [name for each in items for name in states[each.number].missing]
    blocks: list[Block] = []
    if missing:
        names = "; ".join(_need(name) for name in dict.fromkeys(missing))
        words = tr("INCOMPLETE. Nobody has entered: {names}.", names=names)
        blocks.append(Paragraph(words, "caution"))
    hidden = HIDDEN if in_public else ()
    rows = [
        row
        for each in items
        for row in _entered(each, states[each.number], dossier, hidden)
    ]
    if rows:
        blocks.append(Terms(tuple(rows)))
    for name in OF_COLUMNS:
        asked = any(name in each.needs for each in items)
        if asked and not (in_public and name == "rule"):
            blocks += _of_columns(name, dossier)
    return tuple(blocks)


def _need(name: str) -> str:
    where = ELSEWHERE.get(name)
    words = tr(NEEDS[name])
    return tr("{what} ({where})", what=words, where=tr(where)) if where else words


def _entered(
    item: Item, state: DossierItem, dossier: Dossier, hidden: Collection[str]
) -> Iterator[tuple[str, str]]:
    waived = dossier.not_applying.get(str(item.number))
    if state.by_person and waived is not None:
        words = tr("does not apply: {reason}", reason=waived.text)
        yield tr(item.title), f"{words} {_signed(waived)}"
    for name in item.needs:
        entry = None if name in hidden else dossier.entries.get(name)
        if entry is not None and item == _first_with(name):
            yield tr(NEEDS[name]), f"{entry.text} {_signed(entry)}"


def _first_with(name: str) -> Item:
    """The item that a text belongs to first: several may need it."""
    return next(each for each in ITEMS if name in each.needs)


def _signed(entry: Entered) -> str:
    """By whom and when something was entered."""
    said = ", ".join(filter(None, (entry.by.strip(), entry.on)))
    return f"({said})" if said else tr("(nobody has signed it)")


def _of_columns(name: str, dossier: Dossier) -> Iterator[Block]:
    rows = tuple(
        (column, texts[name].text, _signed(texts[name]))
        for column, texts in dossier.columns.items()
        if name in texts
    )
    if rows:
        header = (tr("Column"), tr(NEEDS[name]), tr("Entered by"))
        yield Table(header, rows, (0.2, 0.55, 0.25))


# -- checklist -------------------------------------------------------------------------


def checklist_sections(dossier: Dossier) -> Iterator[Section]:
    """All items with their state: first those that the chosen regime asks for."""
    regime = dossier.regime
    checked = tr(
        "Which regime asks for what was looked up until {day}, in part at second hand. "
        "It sorts this document; no regulator has accepted its form.",
        day=REGIMES_CHECKED,
    )
    asked = [e for e in ITEMS if regime is None or _is_asked(e, regime)]
    title = tr("Checklist")
    if regime is not None:
        title = tr("Front sheet: {regime}", regime=tr(FRONT_SHEETS[regime]))
    yield Section(title, (Paragraph(checked), _table(asked, dossier)))
    others = [each for each in ITEMS if each not in asked]
    if others:
        yield Section(tr("Further items"), (_table(others, dossier),))


def _is_asked(item: Item, regime: str) -> bool:
    return not item.regimes or regime in item.regimes


def _table(items: Sequence[Item], dossier: Dossier) -> Table:
    states = {each.number: each.state for each in dossier.items}
    rows = tuple(
        (
            str(each.number),
            tr(each.title),
            ", ".join(each.sections),
            tr(_STATES[states[each.number]]),
        )
        for each in items
    )
    header = (tr("No."), tr("Item"), tr("Part"), tr("State"))
    return Table(header, rows, (0.07, 0.55, 0.16, 0.22), right=(0,))


# -- determination ---------------------------------------------------------------------


def lacking_words(dossier: Dossier | None) -> str:
    """Say why this is no determination; empty if nothing stands against one.

    References
    ----------
    .. [1] determination.md, oracle O-H22.
    """
    if dossier is None:
        return tr("Not a determination: no dossier was entered for this release.")
    if not dossier.lacking:
        return ""
    names = "; ".join(f"{n}. {tr(TITLES[n])}" for n in dossier.lacking)
    return tr("Not a determination: these items are missing: {names}.", names=names)
