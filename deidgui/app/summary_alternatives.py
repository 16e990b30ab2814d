"""What was discovered, in lines for a person at a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

BASELINES: Mapping[str, str] = {
    "safe_harbor": "the Safe Harbor rule",
    "policy": "the policy of the project",
    "typed": "the risk that was typed",
    "models": "the privacy models",
}
"""What alternatives are measured by, in words."""

NOTHING = "∅"
"""Stands in a description where a rule joins nothing."""


def of_alternatives(result: Mapping[str, Any], shown: int = 10) -> list[str]:
    """Say what `deidgui.app.describe_alternatives` returns, in lines.

    Parameters
    ----------
    shown : int, optional
        Alternatives at most.
    """
    lines = [*_allowed(result), *(f"  note: {each}" for each in result["remarks"])]
    lines += [f"  warning: {each}" for each in result["warnings"]]
    lines += ["", _counted(result)]
    for place, kind in enumerate(result["clusters"], start=1):
        lines += [
            f"  {place}. {kind['alternatives']:,}: {kind['words']}",
            f"     for example {kind['example_words']}",
        ]
    for place, each in enumerate(result["listed"][:shown], start=1):
        lines += ["", f"{place:>3}. {_figures(each, bool(result['wishes']))}"]
        lines += [f"     {each['words']}"]
    left = result["alternatives"] - min(shown, len(result["listed"]))
    if left > 0:
        lines += ["", f"     … and {left:,} more with --json."]
    return lines


def _allowed(result: Mapping[str, Any]) -> list[str]:
    name = BASELINES[result["baseline"]]
    people = result["population"]
    who = "the records themselves"
    if people["people"] is not None:
        titles = ", ".join(people["titles"]) or "the population"
        basis = f" ({people['basis']})" if people["basis"] else ""
        who = f"{people['people']:,} people of {titles}{basis}"
    risk = f"risk of the data as they are {result['raw_risk']:.4g}"
    if result["threshold"] is None:
        return [f"Alternatives under {name}: {risk}, among {who}."]
    lines = [
        f"Alternatives no riskier than {name}: {result['threshold']:.4g} expected "
        f"correct links of {result['records']:,} records are allowed ({risk}), among "
        f"{who}."
    ]
    if result["rule"] is not None:
        joined = result["rule"]["joined"]
        told = [f"{name} {text}" for name, text in joined.items() if text != NOTHING]
        kept = [name for name, text in joined.items() if text == NOTHING]
        lines.append(f"  the rule joins: {', '.join(told) or 'nothing'}")
        if kept:
            lines.append(f"  the rule keeps in full: {', '.join(kept)}")
    return lines


def _counted(result: Mapping[str, Any]) -> str:
    end = "" if result["complete"] else ", stopped before the end"
    better = result["better_in_both"]
    both = "" if better is None else f"; {better:,} of them also lose no more"
    return (
        f"{result['alternatives']:,} alternatives by {result['method']} (seed "
        f"{result['seed']}, {result['evaluated']:,} policies evaluated{end}){both}. "
        f"Kinds: {len(result['clusters'])}"
    )


def _figures(each: Mapping[str, Any], has_preferences: bool) -> str:
    share = each["share_of_threshold"]
    allowed = "" if share is None else f" ({100 * share:.1f} % of what is allowed)"
    preferences = (
        f", preferences met {100 * each['score']:.0f} %" if has_preferences else ""
    )
    return (
        f"risk {each['risk']:.4g}{allowed}, loss {100 * each['loss_share']:.2g} %, "
        f"{each['values_joined']:,} values joined{preferences}"
    )
