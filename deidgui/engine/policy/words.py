"""Describes a policy in words."""

from __future__ import annotations

from dataclasses import dataclass

from deidgui.engine.policy.policy import AttributeMap, Joined, Policy

FEW_LABELS = 4
"""Up to so many groups are named one by one."""

FEW_JOINED = 3
"""Up to so many groups of joined neighbours are named one by one."""

NOTHING = "∅"
"""Written where no neighbours are joined (Benitez 2010, table 3)."""


@dataclass(frozen=True)
class Phrase:
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


def phrases(policy: Policy) -> tuple[Phrase, ...]:
    """Say for every quasi-identifier what the policy does to it."""
    return tuple(_phrase(each) for each in policy.maps)


def _phrase(each: AttributeMap) -> Phrase:
    if each.is_removed:
        return Phrase(each.attribute, "removed", "removed")
    if each.level == 0 or (each.level is None and _is_kept(each)):
        return Phrase(each.attribute, "kept", "kept in full")
    return Phrase(each.attribute, "grouped", _group_words(each))


def _group_words(each: AttributeMap) -> str:
    name = each.hierarchy.level_name(each.level) if each.level is not None else None
    if name is not None:
        return name
    if each.joined is not None and each.level is None:
        return _joined_words(each, each.joined)
    if len(each.labels) <= FEW_LABELS:
        return " / ".join(each.labels)
    return f"{len(each.labels):,} groups"


def _is_kept(each: AttributeMap) -> bool:
    """Whether every value is kept that is told at all."""
    joined = each.joined
    if joined is None or joined.level:
        return each.is_kept
    return max(joined.sizes) == 1


def _joined_words(each: AttributeMap, joined: Joined) -> str:
    runs, n_values = joined_labels(each), sum(joined.sizes)
    others = "kept"
    if joined.level:
        name = each.hierarchy.level_name(joined.level)
        others = f"in {name}" if name else f"at level {joined.level}"
    if not runs:
        return others if joined.level else "kept in full"
    if len(runs) <= FEW_JOINED:
        rest = f", all others {others}" if len(joined.sizes) > len(runs) else ""
        return " and ".join(f"{run} together" for run in runs) + rest
    n_joined = sum(size for size in joined.sizes if size > 1)
    groups = f"{len(runs):,} groups of at most {max(joined.sizes):,}"
    if n_joined == n_values:
        return f"all {n_values:,} values joined into {groups}"
    return (
        f"{n_values - n_joined:,} of {n_values:,} values {others}, {n_joined:,} joined "
        f"into {groups}"
    )


def joined_labels(each: AttributeMap) -> tuple[str, ...]:
    """Released texts that stand for several neighbouring values, without braces."""
    if each.joined is None:
        return ()
    return tuple(
        label.removeprefix("{").removesuffix("}")
        for label, size in zip(each.labels, each.joined.sizes, strict=True)
        if size > 1
    )


def joined_text(each: AttributeMap) -> str:
    """Say which values are joined: "∅", or groups in brackets.

    References
    ----------
    .. [1] Benitez, Loukides and Malin (2010), table 3.
    """
    return " ".join(f"[{label}]" for label in joined_labels(each)) or NOTHING


def sentence(
    policy: Policy, n_suppressed: int, n_records: int, n_later: int = 0
) -> str:
    """One line that says all a policy does.

    Parameters
    ----------
    n_suppressed, n_records : int
        Records suppressed, of all records.
    n_later : int
        Records that a later round than the first releases.

    Returns
    -------
    str
        For example "age: bands of 5; sex: kept in full; 212 records (0.7 %)
        suppressed".
    """
    parts = [str(phrase) for phrase in phrases(policy)]
    if n_later:
        how = "less precisely" if is_coarser_later(policy) else "with other groups"
        share = _percent(100 * n_later / n_records)
        are = "is" if n_later == 1 else "are"
        parts.append(
            f"{n_later:,} of {n_records:,} records ({share}) {are} released {how}"
        )
    share = _percent(100 * n_suppressed / n_records) if n_records else ""
    if n_suppressed:
        parts.append(f"{n_suppressed:,} records ({share}) suppressed")
    else:
        parts.append("no record suppressed")
    return "; ".join(parts)


def is_coarser_later(policy: Policy) -> bool:
    """Whether no later round releases any attribute more precisely than the first."""
    first = policy.rounds[0].levels
    return all(
        level >= first.get(name, 0)
        for each in policy.later
        for name, level in each.levels.items()
    )


def _percent(share: float) -> str:
    """Share in percent with one decimal; tiny and nearly whole ones stay honest."""
    if 0 < share < 0.1:
        return "< 0.1 %"
    if 99.9 < share < 100:
        return "> 99.9 %"
    return f"{share:.1f} %"


def suppressed_because(policy: Policy) -> tuple[str, ...]:
    """Say for which reasons a policy suppresses records.

    Returns
    -------
    tuple of str
        Whole sentences, each about some records; none if no record can be
        suppressed.
    """
    if policy.later:
        reasons = [
            reason for each in policy.rounds for reason in suppressed_because(each)
        ]
        return (
            "Records that one round suppresses are passed on to the next; those that "
            "the last round suppresses are not released.",
            *dict.fromkeys(reasons),
        )
    reasons = []
    if policy.suppress_below > 1:
        reasons.append(
            "Records are suppressed whose quasi-identifiers, as released, are shared "
            f"by fewer than {policy.suppress_below:,} records."
        )
    also = "also " if reasons else ""
    reasons += [
        f"Records are {also}suppressed so that this holds ({model.title}): "
        f"{model.words()}"
        for model in policy.conditions
    ]
    return tuple(reasons)
