"""What a report has as a dossier: how complete it is, what was entered, crosswalk."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from deidgui.app.entered import signature_words, signed_words
from deidgui.app.report.blocks import (
    Block,
    KeyFigure,
    Paragraph,
    ReportTable,
    Section,
    Terms,
)
from deidgui.engine.determination import (
    BASES,
    CROSSWALK,
    ELSEWHERE,
    FRONT_SHEETS,
    ITEMS,
    NEEDS,
    NORMS,
    OF_COLUMNS,
    REGIMES_CHECKED,
    SECTIONS,
    TITLES,
    Item,
    norms_for,
)
from deidgui.engine.evidence.document import (
    Dossier,
    DossierItem,
)
from deidgui.text import Text, tr

_COMPLETE: Text = "complete"
_MISSING: Text = "MISSING"
_NOT_APPLYING: Text = "does not apply"
_STATES: Mapping[str, Text] = {
    "complete": _COMPLETE,
    "missing": _MISSING,
    "does_not_apply": _NOT_APPLYING,
}
_UNSIGNED: Text = "NOT SIGNED"


def part_title(part: str) -> str:
    """What a part of the dossier, D1 to D14, is about."""
    return tr(SECTIONS[part])


def completeness_figure(dossier: Dossier) -> KeyFigure:
    """How much of the dossier is entered, for its first page."""
    is_whole = dossier.complete == dossier.asked
    remark = tr("complete") if is_whole else tr("NOT COMPLETE")
    value = tr("{n} of {all}", n=dossier.complete, all=dossier.asked)
    return KeyFigure(value, tr("items of the dossier"), remark)


# -- what was entered ------------------------------------------------------------------


def entered_blocks(
    part: str, dossier: Dossier, *, in_public: bool
) -> tuple[Block, ...]:
    """What people entered for a part of the dossier, and what they have not.

    Parameters
    ----------
    part : str
        D1 to D14.
    in_public : bool
        Whether texts are left out: of columns not even their names are repeated.
    """
    states = {each.number: each for each in dossier.items}
    items = [each for each in ITEMS if each.sections[0] == part]
    found = [states[each.number] for each in items]
    unsigned = dict.fromkeys(name for each in found for name in each.unsigned)
    missing = dict.fromkeys(name for each in found for name in each.missing)
    blocks: list[Block] = []
    if left := missing.keys() - unsigned.keys():
        names = "; ".join(_need(name) for name in missing if name in left)
        words = tr("INCOMPLETE. Missing: {names}.", names=names)
        blocks.append(Paragraph(words, "caution"))
    if unsigned:
        names = "; ".join(map(_need, unsigned))
        words = tr(
            "NOT SIGNED. Entered, but nobody stands for it with name and day: {names}.",
            names=names,
        )
        blocks.append(Paragraph(words, "caution"))
    rows = [
        row for each in items for row in _entered(each, states[each.number], dossier)
    ]
    if rows:
        blocks.append(Terms(tuple(rows)))
    for name in OF_COLUMNS:
        if any(name in each.needs for each in items):
            blocks += _of_columns(name, dossier, in_public=in_public)
    return tuple(blocks)


def _need(name: str) -> str:
    where = ELSEWHERE.get(name)
    words = tr(NEEDS[name]).rstrip("?")
    return tr("{what} ({where})", what=words, where=tr(where)) if where else words


def _entered(
    item: Item, state: DossierItem, dossier: Dossier
) -> Iterator[tuple[str, str]]:
    waived = dossier.not_applying.get(str(item.number))
    if state.by_person and waived is not None:
        words = tr("does not apply: {reason}", reason=waived.text)
        yield tr(item.title), signed_words(words, waived.by, waived.on)
    for name in item.needs:
        entry = dossier.entries.get(name)
        if entry is not None and item == _first_with(name):
            yield _title(name), signed_words(entry.text, entry.by, entry.on)


def _title(name: str) -> str:
    """What a text is about, where it stands alone."""
    return tr(_TITLES.get(name, NEEDS[name]))


_TITLES: Mapping[str, Text] = {
    "sensitivity": "Sensitivity: figures that a person worked out",
    "intruder": "Motivated intruder test: who tried, hours, sources, matches",
}


def _first_with(name: str) -> Item:
    """The item that a text belongs to first: several may need it."""
    return next(each for each in ITEMS if name in each.needs)


def _of_columns(name: str, dossier: Dossier, *, in_public: bool) -> Iterator[Block]:
    said = {key: each[name] for key, each in dossier.columns.items() if name in each}
    if in_public:
        rows = [(key, signed_words(e.text, e.by, e.on)) for key, e in said.items()]
        yield Terms(tuple(rows))
    elif said:
        header = (tr("Column"), tr(NEEDS[name]), tr("Entered by"))
        cells = tuple(
            (key, each.text, signature_words(each.by, each.on))
            for key, each in said.items()
        )
        yield ReportTable(header, cells, (0.26, 0.44, 0.3))


# -- annex -----------------------------------------------------------------------------


def front_sheet(dossier: Dossier, regime: str) -> Section:
    """What a regime asks for, item by item: what its reader looks at first."""
    title = tr("Front sheet: {regime}", regime=tr(FRONT_SHEETS[regime]))
    asked = [each for each in ITEMS if _is_asked(each, regime)]
    return Section(title, (_checked(), _table(asked, dossier)), "F", own_page=True)


def annexes(dossier: Dossier, regime: str | None) -> Iterator[Section]:
    """All items that no front sheet has, with their state; the crosswalk."""
    if regime is None:
        yield Section(tr("Checklist"), (_checked(), _table(ITEMS, dossier)))
    elif others := [each for each in ITEMS if not _is_asked(each, regime)]:
        yield Section(tr("Further items"), (_table(others, dossier),))
    yield _crosswalk_section(dossier, regime)


def _checked() -> Paragraph:
    words = tr(
        "Which regime asks for what was looked up until {day}, in part at second hand. "
        "It sorts this document; no regulator has accepted its form.",
        day=REGIMES_CHECKED,
    )
    return Paragraph(words)


def _is_asked(item: Item, regime: str) -> bool:
    return not item.regimes or regime in item.regimes


def _table(items: Sequence[Item], dossier: Dossier) -> ReportTable:
    states = {each.number: each for each in dossier.items}
    rows = tuple(
        (
            str(each.number),
            tr(each.title),
            ", ".join(each.sections),
            _state_words(states[each.number]),
        )
        for each in items
    )
    header = (tr("No."), tr("Item"), tr("Part"), tr("State"))
    return ReportTable(header, rows, (0.07, 0.55, 0.16, 0.22), right=(0,), parts=2)


def _state_words(item: DossierItem) -> str:
    """State of an item; what only lacks a signature is not called missing."""
    lacks_signature = item.unsigned and item.unsigned == item.missing
    return tr(_UNSIGNED) if lacks_signature else tr(_STATES[item.state])


def _crosswalk_section(dossier: Dossier, regime: str | None) -> Section:
    """Where each norm is answered: those of the chosen regime first."""
    words = tr(
        "Which part answers which question is a proposal of this program, and of no "
        "regulator. The last column says how far the source was read; what is NOT "
        "CHECKED must be compared with it before anybody relies on it. Texts about "
        "clinical reports are applied to tables by analogy. Numbers in brackets are "
        "items of the checklist."
    )
    tables = [_crosswalk(norm, dossier) for norm in norms_for(regime)]
    return Section(tr("Crosswalk to norms"), (Paragraph(words), *tables))


def _crosswalk(norm: str, dossier: Dossier) -> ReportTable:
    rows = tuple(
        (tr(each.asks), *_answered(each.items, dossier), tr(BASES[each.basis]))
        for each in CROSSWALK
        if each.norm == norm
    )
    header = (tr(NORMS[norm]), tr("Answered in"), tr("State"), tr("Known from"))
    return ReportTable(header, rows, (0.38, 0.24, 0.16, 0.22), parts=1)


def _answered(numbers: Sequence[int], dossier: Dossier) -> tuple[str, str]:
    """Parts and items that answer a question, and whether they are complete."""
    if not numbers:
        return tr("no part of this dossier"), "–"
    own = {ITEMS[n - 1].sections[0] for n in numbers}
    parts = [name for name in SECTIONS if name in own]
    items = ", ".join(map(str, numbers))
    found = [dossier.items[n - 1] for n in numbers]
    worst = min(found, key=_rank)
    return f"{', '.join(parts)} ({items})", _state_words(worst)


_WORST_FIRST = ("missing", "complete", "does_not_apply")


def _rank(item: DossierItem) -> tuple[int, bool]:
    """Place of a state: what is missing comes before what only lacks a signature."""
    return _WORST_FIRST.index(item.state), item.unsigned == item.missing


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
    return tr(
        "Not a determination: these items are missing or not signed: {names}.",
        names=names,
    )
