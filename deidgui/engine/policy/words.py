"""Describes a policy in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from deidgui.engine.policy.policy import AttributeMap, Joined, Policy
from deidgui.engine.privacy import PrivacyModel
from deidgui.text import Text, count_words, share_text, tr

FEW_LABELS = 4
"""Up to so many groups are named one by one."""

FEW_JOINED = 3
"""Up to so many groups of joined neighbours are named one by one."""

NOTHING = "∅"
"""Written where no neighbours are joined (Benitez 2010, table 3)."""


@dataclass(frozen=True)
class Worded:
    """What a policy does to one attribute.

    Parameters
    ----------
    effect : str
        "kept", "grouped" or "removed".
    text : str
        Words for what is released: "bands of 5", "kept in full".
    """

    attribute: str
    effect: str
    text: str

    def __str__(self) -> str:
        return f"{self.attribute}: {self.text}"


def phrases(policy: Policy) -> tuple[Worded, ...]:
    """Say for every quasi-identifier what the policy does to it."""
    return tuple(_phrase(each) for each in policy.maps)


def in_words(policy: Policy) -> str:
    """Say in one line what the policy does to each quasi-identifier."""
    return "; ".join(map(str, phrases(policy)))


def _phrase(each: AttributeMap) -> Worded:
    if each.is_removed:
        return Worded(each.attribute, "removed", tr("removed"))
    if each.level == 0 or (each.level is None and _is_kept(each)):
        return Worded(each.attribute, "kept", tr("kept in full"))
    return Worded(each.attribute, "grouped", _group_words(each))


def _group_words(each: AttributeMap) -> str:
    name = each.hierarchy.level_name(each.level) if each.level is not None else None
    if name is not None:
        return name
    if each.joined is not None and each.level is None:
        return _joined_words(each, each.joined)
    labels = each.value_labels
    if len(labels) <= FEW_LABELS:
        return " / ".join(labels)
    return tr("{n:group|groups}", n=len(labels))


def _is_kept(each: AttributeMap) -> bool:
    """Whether every value is kept that is released at all."""
    joined = each.joined
    if joined is None or joined.level:
        return each.is_kept
    return not any(joined.is_run)


def _joined_words(each: AttributeMap, joined: Joined) -> str:
    runs, n_values = joined_labels(each), sum(joined.in_file)
    others = tr("kept")
    if joined.level:
        name = each.hierarchy.level_name(joined.level)
        at_level = tr("at level {level}", level=joined.level)
        others = tr("in {name}", name=name) if name else at_level
    if not runs:
        return others if joined.level else tr("kept in full")
    if len(runs) <= FEW_JOINED:
        rest = (
            tr(", all others {others}", others=others)
            if n_values > _n_joined(joined)
            else ""
        )
        return tr(" and ").join(tr("{run} together", run=run) for run in runs) + rest
    n_joined = _n_joined(joined)
    most = max(joined.in_file)
    groups = tr("{n:group|groups} of at most {max}", n=len(runs), max=most)
    if n_joined == n_values:
        return tr(
            "all {n_values:value|values} joined into {groups}",
            n_values=n_values,
            groups=groups,
        )
    return tr(
        "{n} of {all:value|values} {others}, {n_joined} joined into {groups}",
        n=n_values - n_joined,
        all=n_values,
        others=others,
        n_joined=n_joined,
        groups=groups,
    )


def _n_joined(joined: Joined) -> int:
    """Values of the file that are released with others."""
    pairs = zip(joined.in_file, joined.is_run, strict=True)
    return sum(n_in_file for n_in_file, is_run in pairs if is_run)


def joined_labels(each: AttributeMap) -> tuple[str, ...]:
    """Released texts that stand for several neighbouring values, without braces."""
    if each.joined is None:
        return ()
    return tuple(
        label.removeprefix("{").removesuffix("}")
        for label, is_run in zip(each.labels, each.joined.is_run, strict=True)
        if is_run
    )


def joined_text(each: AttributeMap) -> str:
    """Say which values are joined: "∅", or groups in brackets.

    References
    ----------
    .. [1] Benitez, Loukides and Malin (2010), table 3.
    """
    return " ".join(f"[{label}]" for label in joined_labels(each)) or NOTHING


def sentence(
    policy: Policy,
    n_suppressed: int,
    n_records: int,
    n_later: int = 0,
    *,
    of_people: bool = False,
) -> str:
    """One line that says all a policy does.

    Parameters
    ----------
    n_suppressed, n_records : int
        Records suppressed, of all records.
    n_later : int
        Records that a later round than the first releases.
    of_people : bool
        Whether these records are people, each with one or more rows.

    Returns
    -------
    str
        For example "age: bands of 5; sex: kept in full; 212 records (0.7 %)
        suppressed".
    """
    parts = [str(phrase) for phrase in phrases(policy)]
    if n_later:
        coarser = is_coarser_later(policy)
        parts.append(later_words(n_later, n_records, coarser, of_people))
    if policy.cells is not None:
        n_cells = int(policy.cells.by_attribute.sum())
        n_touched = policy.cells.n_records
        parts.append(cells_words(n_cells, n_touched, n_records, of_people))
    parts.append(suppressed_words(n_suppressed, n_records, of_people))
    return "; ".join(parts)


def lost_words(n_lost: int, *, is_constant: bool) -> str:
    """Say what is not kept of an attribute that is kept in full otherwise."""
    words: Text = (
        "{n:value is|values are} suppressed altogether; all released records have the "
        "same value"
    )
    if not is_constant:
        words = "{n:value is|values are} suppressed altogether"
    return tr(words, n=n_lost)


def later_words(n_later: int, n_records: int, is_coarser: bool, of_people: bool) -> str:
    """Say how many records, or people, a later round than the first releases."""
    how = tr("less precisely") if is_coarser else tr("with other groups")
    return tr(
        "{n} of {all} ({share}) {are} released {how}",
        n=n_later,
        all=count_words(n_records, of_people),
        share=share_text(n_later / n_records),
        are=tr("is") if n_later == 1 else tr("are"),
        how=how,
    )


def cells_words(n_cells: int, n_touched: int, n_records: int, of_people: bool) -> str:
    """Say how many single cells are suppressed, and of how many records, or people."""
    return tr(
        "{n:cell|cells} suppressed in {touched} ({share})",
        n=n_cells,
        touched=count_words(n_touched, of_people),
        share=share_text(n_touched / n_records) if n_records else "",
    )


def suppressed_words(n_suppressed: int, n_records: int, of_people: bool) -> str:
    """Say how many records, or people, are suppressed."""
    share = share_text(n_suppressed / n_records) if n_records else ""
    words: Text
    if of_people and n_suppressed:
        words = "{n:person|people} ({share}) suppressed with all rows"
        return tr(words, n=n_suppressed, share=share)
    if of_people:
        return tr("nobody suppressed")
    if n_suppressed:
        return tr(
            "{n:record|records} ({share}) suppressed", n=n_suppressed, share=share
        )
    return tr("no record suppressed")


def is_coarser_later(policy: Policy) -> bool:
    """Whether no later round releases any attribute more precisely than the first."""
    return are_coarser([each.levels for each in policy.rounds])


def are_coarser(rounds: Sequence[Mapping[str, int]]) -> bool:
    """Whether no later round has a lower level of any attribute than the first."""
    first, *later = rounds
    return all(
        level >= first.get(name, 0) for each in later for name, level in each.items()
    )


def suppressed_because(policy: Policy) -> tuple[str, ...]:
    """Say for which reasons a policy suppresses records or cells.

    Returns
    -------
    tuple of str
        Whole sentences, each about some records; none if no record can be
        suppressed.
    """
    reasons = reasons_to_suppress(
        [(each.suppress_below, each.conditions) for each in policy.rounds]
    )
    if policy.cells is None:
        return reasons
    return (*reasons, reason_for_cells(policy.cells.known, policy.cells.k))


def reason_for_cells(known: int, k: int) -> str:
    """Say why single cells are suppressed, and how they are to be read."""
    return tr(
        "Cells are suppressed so that by any {known:quasi-identifier|"
        "quasi-identifiers} every record looks like at least {k:other|others}. A "
        "suppressed cell (*) counts as a value of its own, which everybody sees: who "
        "knows the original values, or takes it for any value, finds no fewer records.",
        known=known,
        k=k - 1,
    )


def reasons_to_suppress(
    rounds: Sequence[tuple[int, Sequence[PrivacyModel]]],
) -> tuple[str, ...]:
    """Say for which reasons records are suppressed, as `suppressed_because`."""
    if len(rounds) > 1:
        reasons = [reason for each in rounds for reason in reasons_to_suppress([each])]
        return (
            tr(
                "Records that one round suppresses are passed on to the next; those "
                "that the last round suppresses are not released."
            ),
            *dict.fromkeys(reasons),
        )
    suppress_below, conditions = rounds[0]
    reasons = []
    if suppress_below > 1:
        reasons.append(
            tr(
                "Records are suppressed whose quasi-identifiers, as released, are "
                "shared by fewer than {suppress_below} records.",
                suppress_below=suppress_below,
            )
        )
    words: Text = "Records are suppressed so that this holds ({title}): {words}"
    if reasons:
        words = "Records are also suppressed so that this holds ({title}): {words}"
    reasons += [
        tr(words, title=tr(model.title), words=model.words()) for model in conditions
    ]
    return tuple(reasons)
