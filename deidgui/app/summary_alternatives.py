"""What was discovered, in lines for a person at a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from deidgui.text import Text, tr

BASELINES: Mapping[str, Text] = {
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
    lines = [
        *_allowed(result),
        *(f"  {tr('note')}: {each}" for each in result["remarks"]),
    ]
    lines += [f"  {tr('warning')}: {each}" for each in result["warnings"]]
    lines += ["", _counted(result)]
    for place, kind in enumerate(result["clusters"], start=1):
        lines += [
            f"  {place}. {kind['alternatives']:,}: {kind['words']}",
            "     " + tr("for example {words}", words=kind["example_words"]),
        ]
    for place, each in enumerate(result["listed"][:shown], start=1):
        lines += ["", f"{place:>3}. {_figures(each, bool(result['wishes']))}"]
        lines += [f"     {each['words']}"]
    left = result["alternatives"] - min(shown, len(result["listed"]))
    if left > 0:
        lines += ["", "     " + tr("… and {n} more with --json.", n=left)]
    return lines


def _allowed(result: Mapping[str, Any]) -> list[str]:
    name = tr(BASELINES[result["baseline"]])
    people = result["population"]
    who = tr("the records themselves")
    if people["people"] is not None:
        titles = ", ".join(people["titles"]) or tr("the population")
        basis = f" ({people['basis']})" if people["basis"] else ""
        who = tr(
            "{people:person|people} of {titles}{basis}",
            people=people["people"],
            titles=titles,
            basis=basis,
        )
    risk = tr("risk of the data as they are {risk:.4g}", risk=result["raw_risk"])
    if result["threshold"] is None:
        return [
            tr(
                "Alternatives under {name}: {risk}, among {who}.",
                name=name,
                risk=risk,
                who=who,
            )
        ]
    lines = [
        tr(
            "Alternatives no riskier than {name}: {threshold:.4g} expected correct "
            "links of {records:record|records} are allowed ({risk}), among {who}.",
            name=name,
            threshold=result["threshold"],
            records=result["records"],
            risk=risk,
            who=who,
        )
    ]
    if result["rule"] is not None:
        joined = result["rule"]["joined"]
        parts = [f"{name} {text}" for name, text in joined.items() if text != NOTHING]
        kept = [name for name, text in joined.items() if text == NOTHING]
        names = ", ".join(parts) or tr("nothing")
        lines.append("  " + tr("the rule joins: {names}", names=names))
        if kept:
            names = ", ".join(kept)
            lines.append("  " + tr("the rule keeps in full: {names}", names=names))
    return lines


def _counted(result: Mapping[str, Any]) -> str:
    end = "" if result["complete"] else tr(", stopped before the end")
    better = result["better_in_both"]
    both = (
        ""
        if better is None
        else tr("; {better} of them also lose no more", better=better)
    )
    return tr(
        "{alternatives:alternative|alternatives} by {method} (seed {seed:d}, "
        "{evaluated:policy|policies} evaluated{end}){both}. Kinds: {n}",
        alternatives=result["alternatives"],
        method=result["method"],
        seed=result["seed"],
        evaluated=result["evaluated"],
        end=end,
        both=both,
        n=len(result["clusters"]),
    )


def _figures(each: Mapping[str, Any], has_preferences: bool) -> str:
    share = each["share_of_threshold"]
    allowed = (
        ""
        if share is None
        else tr(" ({share:.1f} % of what is allowed)", share=100 * share)
    )
    preferences = (
        tr(", preferences met {score:.0f} %", score=100 * each["score"])
        if has_preferences
        else ""
    )
    return tr(
        "risk {risk:.4g}{allowed}, loss {loss:.2g} %, {n:value|values} joined"
        "{preferences}",
        risk=each["risk"],
        allowed=allowed,
        loss=100 * each["loss_share"],
        n=each["values_joined"],
        preferences=preferences,
    )
