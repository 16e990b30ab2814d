"""How well are roles proposed for extracts, by language?

    python -m tests.engine.detect.extracts.measure [PART] [names]

PART is tuning, held_back, public or all.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterable

from deidgui.engine.data.missing import missing_candidates
from deidgui.engine.data.value_types import guess_type
from deidgui.engine.detect.columns import detect_columns
from deidgui.engine.detect.roles import Finding
from tests.engine.detect.extracts.make import (
    Extract,
    extracts,
    held_back,
    public,
    tuning,
)

LETTERS = {
    "direct_identifier": "D", "quasi_identifier": "Q", "sensitive": "S",
    "insensitive": "I",
}  # fmt: skip


def findings_of(extract: Extract) -> dict[str, Finding]:
    """Findings as reading a file gives them."""
    table = extract.table()
    columns = []
    for column in table.columns:
        certain = [each.token for each in missing_candidates(column) if each.certain]
        columns.append(column.with_missing(["", *certain]))
    table = table.with_columns(columns)
    types = {column.name: guess_type(column).kind for column in columns}
    return {each.column: each for each in detect_columns(table, types)}


def letter(finding: Finding) -> str:
    """D, Q, S or I; ? where nothing is proposed."""
    if finding.role is None:
        return "?"
    return LETTERS[finding.role.value]


def count(chosen: Iterable[Extract]) -> dict[str, Counter[str]]:
    """Figures by group of languages."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for extract in chosen:
        figures, findings = found[extract.group], findings_of(extract)
        for name, roles, _kind in extract.columns:
            got = letter(findings[name])
            identifying = roles[0] in "DQ"
            figures["columns"] += 1
            figures["exact"] += got == roles[0]
            figures["acceptable"] += got in roles
            figures["undecided"] += got == "?"
            figures["identifying"] += identifying
            figures["harmless"] += identifying and got == "I" and "I" not in roles
            figures["direct"] += roles == "D"
            figures["direct_missed"] += roles == "D" and got != "D"
            figures["sensitive"] += roles[0] == "S"
            figures["sensitive_harmless"] += (
                roles[0] == "S" and got == "I" and "I" not in roles
            )
            band = findings[name].band
            if band is not None:
                figures[f"{band.value}"] += 1
                figures[f"{band.value}_right"] += got in roles
    return dict(found)


def rows(figures: dict[str, Counter[str]]) -> list[str]:
    """A line for each language, and one for all."""
    total = sum(figures.values(), Counter())
    english = figures.get("english", Counter())
    others = total - english
    lines = []
    for name, c in (*sorted(figures.items()), ("not English", others), ("ALL", total)):
        if not c["columns"]:
            continue
        share = {
            k: 100 * c[k] / max(c[of], 1)
            for k, of in (
                ("exact", "columns"), ("acceptable", "columns"),
                ("undecided", "columns"), ("harmless", "identifying"),
                ("direct_missed", "direct"), ("sensitive_harmless", "sensitive"),
                ("certain_right", "certain"), ("probable_right", "probable"),
                ("possible_right", "possible"),
            )
        }  # fmt: skip
        lines.append(
            f"{name:12} {c['columns']:4} columns  exact {share['exact']:5.1f} %  "
            f"acceptable {share['acceptable']:5.1f} %  undecided "
            f"{share['undecided']:4.1f} %  identifying as harmless "
            f"{c['harmless']:3}/{c['identifying']:3} = {share['harmless']:4.1f} %  "
            f"direct missed {share['direct_missed']:4.1f} %  sensitive as harmless "
            f"{share['sensitive_harmless']:4.1f} %  right when certain "
            f"{share['certain_right']:3.0f} probable {share['probable_right']:3.0f} "
            f"possible {share['possible_right']:3.0f}"
        )
    return lines


def wrong(chosen: Iterable[Extract]) -> list[str]:
    """Every column whose proposal is not acceptable."""
    lines = []
    for extract in chosen:
        findings = findings_of(extract)
        for name, roles, kind in extract.columns:
            f = findings[name]
            if (got := letter(f)) not in roles:
                lines.append(
                    f"{extract.name:14} {name:34} {kind:10} {roles:3} -> {got} "
                    f"{f.band.value if f.band else '-':8} {f.topic} {f.reasons[0].code}"
                )
    return lines


PARTS = {"tuning": tuning, "held_back": held_back, "all": extracts, "public": public}

if __name__ == "__main__":
    part = sys.argv[1] if len(sys.argv) > 1 else "tuning"
    print("\n".join(rows(count(PARTS[part]()))))
    if "names" in sys.argv and part == "tuning":
        print("\n".join(wrong(tuning())))
