"""A policy in words: what happens to each attribute, and to how many records."""

from __future__ import annotations

from dataclasses import dataclass

from deidgui.engine.policy.policy import AttributeMap, Policy


@dataclass(frozen=True)
class Phrase:
    """What a policy does to one attribute.

    Parameters
    ----------
    attribute : str
    effect : str
        "kept", "grouped" or "removed".
    text : str
        Words that follow the attribute's name: "in 5-year bands, 90+ together".
    """

    attribute: str
    effect: str
    text: str

    def __str__(self) -> str:
        return f"{self.attribute} {self.text}"


def phrases(policy: Policy) -> tuple[Phrase, ...]:
    """Say for every quasi-identifier what the policy does to it."""
    return tuple(_phrase(each) for each in policy.maps)


def _phrase(each: AttributeMap) -> Phrase:
    if each.is_removed:
        return Phrase(each.attribute, "removed", "removed")
    if each.level == 0 or (each.level is None and each.is_kept):
        return Phrase(each.attribute, "kept", "kept in full")
    rule = each.hierarchy.rule
    text = rule.phrase(each.level) if rule is not None and each.level else ""
    if not text:
        text = f"in {len(each.labels):,} groups"
        if len(each.labels) <= 4:
            text = f"as {' / '.join(each.labels)}"
    return Phrase(each.attribute, "grouped", text)


def sentence(policy: Policy, n_withheld: int, n_records: int) -> str:
    """One line that says all a policy does.

    Parameters
    ----------
    policy : Policy
    n_withheld, n_records : int
        Records withheld, of all records.

    Returns
    -------
    str
        For example "age in 5-year bands; sex kept in full; 212 records (0.7 %)
        withheld".
    """
    parts = [str(phrase) for phrase in phrases(policy)]
    share = 100 * n_withheld / n_records if n_records else 0.0
    if n_withheld:
        parts.append(f"{n_withheld:,} records ({_percent(share)}) withheld")
    else:
        parts.append("no record withheld")
    return "; ".join(parts)


def _percent(share: float) -> str:
    """Share in percent with one decimal; tiny and nearly whole ones stay honest."""
    if 0 < share < 0.1:
        return "< 0.1 %"
    if 99.9 < share < 100:
        return "> 99.9 %"
    return f"{share:.1f} %"
