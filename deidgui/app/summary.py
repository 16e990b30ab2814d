"""What a command did, on one screen of plain text."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping
from typing import Any

WIDTH = 88

ROLE_WORDS = {
    "direct_identifier": "direct identifiers (removed)",
    "quasi_identifier": "quasi-identifiers",
    "sensitive": "sensitive",
    "insensitive": "insensitive",
}

ROLE_TITLES = {
    "direct_identifier": "Direct identifiers",
    "quasi_identifier": "Quasi-identifiers",
    "sensitive": "Sensitive",
    "insensitive": "Insensitive",
}

SHOWN_CANDIDATES = 10
"""Candidates of a search that are shown in words."""


def _wrapped(label: str, text: str, indent: int = 14) -> str:
    return textwrap.fill(
        text,
        WIDTH,
        initial_indent=f"{label:<{indent}}",
        subsequent_indent=" " * indent,
        break_on_hyphens=False,
    )


def _share(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.3g} %"


def _risk_line(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterable[str]:
    for key, words in (("highest", "highest risk"), ("average", "average risk")):
        then, now = before["prosecutor"][key], after["prosecutor"][key]
        figures = f"{_share(then)} before, {_share(now)} after"
        yield _wrapped(words, f"{figures}, of a person known to be in the data")


def of_demo(result: Mapping[str, Any]) -> str:
    """Return the one-screen summary of the demo."""
    lines = [
        f"deidgui demo: {result['records']:,} synthetic patients, "
        f"{result['columns']} columns",
        "",
    ]
    for role, words in ROLE_WORDS.items():
        if names := result["roles"][role]:
            lines.append(_wrapped(f"  {words}:", " " + ", ".join(names), 4))
    if result["left_out"]:
        lines.append(_wrapped("  left out:", " " + ", ".join(result["left_out"]), 4))
    lines.append("")
    lines += [_wrapped("threshold", words) for words in result["thresholds"]]
    lines.append(
        _wrapped(
            "search",
            f"{result['nodes']:,} policies examined, {result['solutions']:,} meet the "
            "thresholds, the best is proven best",
        )
    )
    lines.append(_wrapped("policy", result["policy"]))
    lines += _risk_line(result["risk_before"], result["risk_after"])
    verdict = "verified" if result["verified"] else "NOT VERIFIED"
    lines += [
        _wrapped(
            "release", f"{result['release']} ({verdict}: {result['checks']} checks)"
        ),
        _wrapped("project", result["project"]),
        _wrapped("time", f"{result['seconds']} s"),
    ]
    return "\n".join(lines)


def _people_lines(risk: Mapping[str, Any]) -> Iterable[str]:
    """Whose people an attacker looks among, and how likely records are found there."""
    population = risk["population"]
    if population is None:
        return
    yield _wrapped("population", population["words"])
    before, after = risk["before"], risk
    for who, figure in (("journalist", "highest"), ("marketer", "average")):
        then, now = before[who][figure], after[who][figure]
        words = f"{figure} risk {_share(then)} before, {_share(now)} after"
        yield _wrapped(who, f"{words} ({population['basis']})")


def of_run(result: Mapping[str, Any]) -> str:
    """Return what a run wrote."""
    evidence = result["evidence"]
    lines = [
        _wrapped("policy", result["policy"]),
        _wrapped(
            "suppressed",
            f"{evidence['suppressed_records']:,} of {evidence['records']:,} records",
        ),
        *_risk_line(evidence["risk"]["before"], evidence["risk"]),
        *_people_lines(evidence["risk"]),
    ]
    accepted = evidence["policy"]["acceptance"]
    if accepted:
        lines.append(_wrapped("accepted", accepted["words"]))
        compared = evidence["safe_harbor"]
        if compared and compared["scope"]:
            lines.append(_wrapped("", compared["scope"]))
    goes_by_risk = accepted is not None and accepted["by"] == "risk"
    for model in evidence["models"]:
        unmet = "not met (no condition)" if goes_by_risk else "NOT MET"
        met = "met" if model["satisfied"] else unmet
        lines.append(_wrapped("threshold", f"{met}: {model['words']}"))
    lines += [_wrapped("warning", each) for each in evidence["warnings"]]
    lines.append(_wrapped("release", f"{result['release']} (verified)"))
    return "\n".join(lines)


def of_inspection(result: Mapping[str, Any]) -> str:
    """Return what was found out about a file, the most delicate columns first."""
    file = result["file"]
    if result["member"]:
        file = f"{file}/{result['member']}"
    columns = result["columns"]
    lines = [
        f"{file}: {result['rows']:,} rows, {len(columns)} columns",
        *(_wrapped("  -", each, 4) for each in result["evidence"]),
    ]
    for role, title in ROLE_TITLES.items():
        chosen = [each for each in columns if each["role"] == role]
        if chosen:
            lines += ["", f"{title} ({len(chosen)})"]
            lines += [_column_lines(group) for group in _alike(chosen)]
    project = result["project"]
    where = (
        f"The proposals are written to {project}: confirm or change them there or in "
        "the window."
        if project
        else "These are proposals: --project NAME.deid.json writes them to a project, "
        "in which they can be confirmed or changed."
    )
    lines += ["", _wrapped("", where, 0)]
    return "\n".join(lines)


def _alike(columns: Iterable[Mapping[str, Any]]) -> list[list[Mapping[str, Any]]]:
    """Gather columns about which the same is to be said (dx01, dx02, ...)."""
    groups: dict[tuple[Any, ...], list[Mapping[str, Any]]] = {}
    for each in columns:
        told = each["reasons"][0] if each["reasons"] else ""
        doubts = tuple(_doubts(each))
        key = (told, each["band"], each["type"], each["format"], doubts)
        groups.setdefault(key, []).append(each)
    return list(groups.values())


def _column_lines(group: list[Mapping[str, Any]]) -> str:
    """Describe columns of which the same is to be said in one paragraph."""
    first, *others = group
    up_to = "up to " if others else ""
    facts = [first["type"] + (f" {first['format']}" if first["format"] else "")]
    most = max(each["values"] for each in group)
    facts.append("one value" if most == 1 else f"{up_to}{most:,} different values")
    if missing := max(each["missing"] for each in group):
        facts.append(f"{up_to}{missing:,} missing")
    if first["band"]:
        facts.append(first["band"])
    told = [
        *_doubts(first),
        *(
            reason
            for reason in first["reasons"]
            if all(reason in each["reasons"] for each in others)
        ),
    ]
    names = ", ".join(each["name"] for each in group)
    head = _wrapped("", f"{names}: {'; '.join(facts)}", 4)
    return "\n".join(["  " + head.lstrip(), _wrapped("", " ".join(told), 6)])


def _doubts(column: Mapping[str, Any]) -> Iterable[str]:
    """What a person must decide or look at before the type can be relied on."""
    if column["ambiguous"]:
        yield column["type_evidence"]
    if column["failing_rows"]:
        yield (
            f"Not of this type: {column['failing_values']:,} different values in "
            f"{column['failing_rows']:,} records."
        )


def of_search(result: Mapping[str, Any]) -> str:
    """Return the best policies of a search, and alternatives to a rule."""
    alternatives, people = result["alternatives"], result["population"]
    lines = []
    if people is not None:
        lines = [_wrapped("population", people["words"])]
        lines += [_wrapped("warning", each) for each in people["warnings"]]
    if "candidates" in result:
        lines += ["", *_candidates(result)] if lines else _candidates(result)
    if alternatives is not None:
        lines += ["", ""] if lines else []
        for line in _alternatives(alternatives):
            text = line.lstrip()
            before = " " * (len(line) - len(text))
            lines.append(
                textwrap.fill(
                    text, WIDTH, initial_indent=before, subsequent_indent=before + "  "
                )
            )
    return "\n".join(lines)


def _candidates(result: Mapping[str, Any]) -> list[str]:
    """Lines about the best policies of the lattice."""
    candidates = result["candidates"][:SHOWN_CANDIDATES]
    lines = [
        _wrapped(
            "",
            f"{result['nodes']:,} policies for {result['records']:,} records. "
            f"{_proof(result)} Of {result['compared']:,} policies that were compared "
            f"{result['solutions']:,} meet the thresholds with at most "
            f"{result['limit_records']:,} records suppressed.",
            0,
        )
    ]
    for place, each in enumerate(candidates, start=1):
        loss = "unknown" if each["loss"] is None else f"{each['loss']:.6g}"
        risk = _share(each["average_prosecutor_risk"])
        lines += [
            "",
            f"{place:>3}. {result['measure_title']} {loss}, average risk {risk}",
            _wrapped("", each["words"], 5),
            _wrapped("", _measures(each["measures"]), 5),
        ]
    left = len(result["candidates"]) - len(candidates)
    if left:
        lines += ["", f"     … and {left} more with --json."]
    return lines


METHODS = {
    "profile": "Every policy was examined",
    "optimum": "The search looked at {checked:,} of them",
    "ola": "OLA examined {checked:,} and found {n_minimal:,} least general ones",
}


def _proof(result: Mapping[str, Any]) -> str:
    """Say how policies were searched and how good the best one is."""
    n_minimal = len(result["minimal"])
    words = METHODS[result["method"]]
    how = words.format(checked=result["checked"], n_minimal=n_minimal)
    gap = result["gap"]
    if result["complete"]:
        return f"{how}: the first is proven best."
    if result["method"] == "ola":
        return f"{how}; the best of them need not be the best of all."
    if gap is None:
        return f"{how}; a better one may exist."
    return f"{how}; the best possible one is at most {_share(gap)} better."


def _measures(measures: Iterable[Mapping[str, Any]]) -> str:
    """Losses under the measures that do not guide, on one line."""
    told = [f"{each['kind'].replace('_', ' ')} {each['loss']:.4g}" for each in measures]
    return f"({'; '.join(told[1:])})"


BASELINES: Mapping[str, str] = {
    "safe_harbor": "the Safe Harbor rule",
    "policy": "the policy of the project",
    "typed": "the risk that was typed",
    "models": "the privacy models",
}
"""What alternatives are measured by, in words."""

NOTHING = "∅"
"""Stands in a description where a rule joins nothing."""


def _alternatives(result: Mapping[str, Any], shown: int = 10) -> list[str]:
    """Say what `deidgui.app.describe_alternatives` returns, in lines.

    Parameters
    ----------
    shown : int, optional
        Alternatives at most.
    """
    lines = [*_allowed(result), *(f"  note: {each}" for each in result["remarks"])]
    lines += [f"  warning: {each}" for each in result["warnings"]]
    lines += ["", _alternatives_counted(result)]
    for place, kind in enumerate(result["clusters"], start=1):
        lines += [
            f"  {place}. {kind['alternatives']:,}: {kind['words']}",
            f"     for example {kind['example_words']}",
        ]
    for place, each in enumerate(result["listed"][:shown], start=1):
        lines += [
            "",
            f"{place:>3}. {_alternative_figures(each, bool(result['wishes']))}",
        ]
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


def _alternatives_counted(result: Mapping[str, Any]) -> str:
    end = "" if result["complete"] else ", stopped before the end"
    better = result["better_in_both"]
    both = "" if better is None else f"; {better:,} of them also lose no more"
    return (
        f"{result['alternatives']:,} alternatives by {result['method']} (seed "
        f"{result['seed']}, {result['evaluated']:,} policies evaluated{end}){both}. "
        f"Kinds: {len(result['clusters'])}"
    )


def _alternative_figures(each: Mapping[str, Any], has_preferences: bool) -> str:
    share = each["share_of_threshold"]
    allowed = "" if share is None else f" ({100 * share:.1f} % of what is allowed)"
    preferences = (
        f", preferences met {100 * each['score']:.0f} %" if has_preferences else ""
    )
    return (
        f"risk {each['risk']:.4g}{allowed}, loss {100 * each['loss_share']:.2g} %, "
        f"{each['values_joined']:,} values joined{preferences}"
    )


def of_verification(result: Mapping[str, Any]) -> str:
    """Return what was checked, every failed check, and the verdict."""
    failed = [each for each in result["checks"] if not each["ok"]]
    passed = len(result["checks"]) - len(failed)
    what = " These should hold and do not:" if failed else ""
    lines = [f"{passed} checks passed, {len(failed)} failed.{what}"]
    lines += [_wrapped("  -", each["words"], 4) for each in failed]
    if result["not_measured"]:
        lines.append("Not determined by the files alone:")
        lines += _unmeasured(result["not_measured_because"])
    lines.append(
        "The release is what its evidence says."
        if result["ok"]
        else "The release is NOT what its evidence says: do not hand it out."
    )
    return "\n".join(lines)


def _unmeasured(because: Mapping[str, str]) -> list[str]:
    """One line for each reason, with all that it stands for."""
    figures: dict[str, list[str]] = {}
    for figure, reason in because.items():
        figures.setdefault(reason, []).append(figure.replace("_", " "))
    return [
        _wrapped("  -", f"{', '.join(names)}: {reason}.", 4)
        for reason, names in figures.items()
    ]


def of_self_check(report: Mapping[str, Any]) -> str:
    """Return the checks of the installation, one line each."""
    lines = [f"deidgui {report['version']}"]
    for each in report["checks"]:
        mark = "ok" if each["ok"] else f"FAILED ({each['error']})"
        lines.append(f"  {each['check']}: {mark}, {each['seconds']} s")
    return "\n".join(lines)
