"""What levels, rules and examples are called on the page."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from deidgui.app.project import HierarchyChoice
from deidgui.app.tasks.hierarchies import Opened
from deidgui.engine.data.templates import TEMPLATES
from deidgui.errors import ConfigError

MOST_SIZES = 4
"""Levels whose sizes are told in the list; the coarser of more are left out."""


def source_words(choice: HierarchyChoice | None) -> str:
    """Where a hierarchy comes from, in two or three words."""
    translate = QCoreApplication.translate
    if choice is None or (choice.rule is None and choice.csv is None):
        return translate("hierarchies", "no rule yet")
    if choice.csv is not None:
        return translate("hierarchies", "edited by hand")
    try:
        assert choice.rule is not None
        return TEMPLATES.from_json(choice.rule).title
    except ConfigError:
        return translate("hierarchies", "unknown rule")


def sizes_words(sizes: tuple[int, ...]) -> str:
    """Groups per level: "91 → 19 → 10 → *"."""
    if not sizes:
        return ""
    shown = [f"{size:,}" for size in sizes[:-1]]
    if len(shown) > MOST_SIZES:
        shown = [*shown[:2], "…"]
    top = "*" if sizes[-1] <= 1 else f"{sizes[-1]:,}"
    return " → ".join([*shown, top])


def level_title(opened: Opened, level: int) -> str:
    """Short name of a level: "As it is", "Bands of 5", "Left out", "Level 2"."""
    translate = QCoreApplication.translate
    if level == 0:
        return translate("hierarchies", "As it is")
    if level == opened.outline.height and opened.outline.n_nodes(level) <= 1:
        return translate("hierarchies", "Left out")
    name = opened.level_names[level]
    if name:
        return name[:1].upper() + name[1:]
    return translate("hierarchies", "Level {level}").format(level=level)


def level_sentence(opened: Opened, level: int, smallest: int) -> str:
    """Say what a level means, how large its groups are, and one example."""
    parts = (level_facts(opened, level, smallest), _example(opened, level))
    return " ".join(part for part in parts if part)


def level_facts(opened: Opened, level: int, smallest: int) -> str:
    """Say what a level means without a value of the file."""
    translate = QCoreApplication.translate
    outline = opened.outline
    if level == outline.height and outline.n_nodes(level) <= 1:
        return translate(
            "hierarchies", "Level {level}: nothing is said. Every record shows *."
        ).format(level=level)
    records = outline.n_records[level]
    occurring = records[records > 0]
    words = translate("hierarchies", "Level {level} – {title}: {groups:,} groups.")
    title = level_title(opened, level)
    own = translate("hierarchies", "Level {level}").format(level=level)
    if title == own:
        words = translate("hierarchies", "Level {level}: {groups:,} groups.")
    parts = [words.format(level=level, title=title.lower(), groups=len(records))]
    if len(occurring):
        least, most = int(occurring.min()), int(occurring.max())
        words = translate(
            "hierarchies", "The smallest holds {least:,} records, the largest {most:,}."
        )
        if least == 1:
            words = translate(
                "hierarchies", "The smallest holds 1 record, the largest {most:,}."
            )
        parts.append(words.format(least=least, most=most))
    n_small = outline.n_small(level, smallest)
    if n_small:
        words = translate(
            "hierarchies", "{number:,} have fewer than {least:,} records."
        )
        if n_small == 1:
            words = translate("hierarchies", "1 has fewer than {least:,} records.")
        parts.append(words.format(number=n_small, least=smallest))
    return " ".join(parts)


def short_title(opened: Opened, level: int) -> str:
    """Name of a level for a narrow place that already tells the number."""
    if 0 < level < opened.outline.height and not opened.level_names[level]:
        return QCoreApplication.translate("hierarchies", "Groups")
    return level_title(opened, level).split(",")[0]


def _example(opened: Opened, level: int) -> str:
    """What becomes of the most frequent value that changes on a level."""
    draft = opened.draft
    if level == draft.height:
        return ""
    for row in opened.outline.frequent.tolist() if level else ():
        value, label = draft.columns[0][row], draft.columns[level][row]
        if value not in (label, draft.missing):
            words = QCoreApplication.translate(
                "hierarchies", "For example, “{value}” is released as “{label}”."
            )
            return words.format(value=_short(value), label=_short(label))
    return ""


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"


def empty_words(has_data: bool) -> tuple[str, str, str]:
    """Say why there is no hierarchy yet, what to do, and the words of the button."""
    translate = QCoreApplication.translate
    if not has_data:
        return (
            translate("hierarchies", "No table yet"),
            translate(
                "hierarchies",
                "Open a data file first; hierarchies are then proposed.",
            ),
            translate("hierarchies", "Go to Start"),
        )
    return (
        translate("hierarchies", "No quasi-identifier yet"),
        translate(
            "hierarchies",
            "Only columns that could point to a person need a hierarchy. Mark them as "
            "quasi-identifiers first.",
        ),
        translate("hierarchies", "Go to Attributes"),
    )
