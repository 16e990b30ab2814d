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
        yield _wrapped(words, f"{_share(then)} before, {_share(now)} after")


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


def of_run(result: Mapping[str, Any]) -> str:
    """Return what a run wrote."""
    evidence = result["evidence"]
    lines = [
        _wrapped("policy", result["policy"]),
        _wrapped(
            "withheld",
            f"{evidence['suppressed_records']:,} of {evidence['records']:,} records",
        ),
        *_risk_line(evidence["risk"]["before"], evidence["risk"]),
    ]
    for model in evidence["models"]:
        met = "met" if model["satisfied"] else "NOT MET"
        lines.append(_wrapped("threshold", f"{met}: {model['words']}"))
    lines += [_wrapped("warning", each) for each in evidence["warnings"]]
    lines.append(_wrapped("release", f"{result['release']} (verified)"))
    return "\n".join(lines)


def of_inspection(result: Mapping[str, Any]) -> str:
    """Return what was found out about a file."""
    lines = [
        f"{result['file']}: {result['rows']:,} rows, {len(result['columns'])} columns",
        *(_wrapped("  -", each, 4) for each in result["evidence"]),
        "",
    ]
    width = max((len(each["name"]) for each in result["columns"]), default=0)
    width = min(width, 28)
    for each in result["columns"]:
        band = f" ({each['band']})" if each["band"] else ""
        role = each["role"].replace("_", " ")
        kind = each["type"] + (f" {each['format']}" if each["format"] else "")
        lines.append(f"{each['name']:<{width}}  {role}{band}; {kind}")
        reasons = " ".join(each["reasons"])
        lines.append(_wrapped("", reasons, width + 2))
    return "\n".join(lines)


def of_search(result: Mapping[str, Any]) -> str:
    """Return the best policies of a search."""
    proven = "every one examined" if result["complete"] else "not all examined"
    lines = [
        f"{result['nodes']:,} policies ({proven}); {result['solutions']:,} meet the "
        f"thresholds (at most {result['limit_records']:,} records withheld)",
        "",
    ]
    for place, each in enumerate(result["candidates"][:10], start=1):
        loss = "–" if each["loss"] is None else f"{each['loss']:.6g}"
        lines.append(_wrapped(f"{place:>3}. {loss}", each["words"], 16))
    return "\n".join(lines)


def of_verification(result: Mapping[str, Any]) -> str:
    """Return what was checked, every failed check, and the verdict."""
    failed = [each for each in result["checks"] if not each["ok"]]
    passed = len(result["checks"]) - len(failed)
    lines = [f"{passed} checks passed, {len(failed)} failed."]
    lines += [_wrapped("  FAILED", "NOT SO: " + each["words"], 10) for each in failed]
    if result["not_measured"]:
        names = ", ".join(result["not_measured"])
        lines.append(_wrapped("", f"Not determined by the files alone: {names}.", 0))
    lines.append(
        "The release is what its evidence says."
        if result["ok"]
        else "The release is NOT what its evidence says: do not hand it out."
    )
    return "\n".join(lines)


def of_self_check(report: Mapping[str, Any]) -> str:
    """Return the checks of the installation, one line each."""
    lines = [f"deidgui {report['version']}"]
    for each in report["checks"]:
        mark = "ok" if each["ok"] else f"FAILED ({each['error']})"
        lines.append(f"  {each['check']}: {mark}, {each['seconds']} s")
    return "\n".join(lines)
