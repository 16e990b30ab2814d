"""What levels, rules and examples are called on the page."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, takewhile

from deidgui.app.hierarchies.editing import InEditor
from deidgui.app.project import HierarchyChoice
from deidgui.engine.data.templates import TEMPLATES
from deidgui.errors import ConfigError
from deidgui.text import tr

MOST_SIZES = 4
"""Levels whose sizes are told in the list; the coarser of more are left out."""


def source_words(choice: HierarchyChoice | None) -> str:
    """Where a hierarchy comes from, in two or three words."""
    if choice is None or (choice.rule is None and choice.csv is None):
        return tr("no rule yet")
    if choice.csv is not None:
        return tr("edited by hand")
    try:
        assert choice.rule is not None
        return tr(TEMPLATES.from_json(choice.rule).title)
    except ConfigError:
        return tr("unknown rule")


def sizes_words(sizes: tuple[int, ...]) -> str:
    """Groups of values per level that joins something: "91 → 19 → 10 → *"."""
    sizes = tuple(size for size, _ in groupby(sizes))
    if not sizes:
        return ""
    shown = [f"{size:,}" for size in sizes[:-1]]
    if len(shown) > MOST_SIZES:
        shown = [*shown[:2], "…"]
    top = "*" if sizes[-1] <= 1 else f"{sizes[-1]:,}"
    return " → ".join([*shown, top])


def level_title(opened: InEditor, level: int) -> str:
    """Short name of a level: "As it is", "Bands of 5", "Removed", "Level 2"."""
    if level == 0:
        return tr("As it is")
    if level == opened.outline.height and opened.outline.n_nodes(level) <= 1:
        return tr("Removed")
    name = opened.level_names[level]
    if name:
        return name[:1].upper() + name[1:]
    return tr("Level {level}", level=level)


def level_sentence(opened: InEditor, level: int, smallest: int) -> str:
    """Say what a level means, how large its groups are, and one example."""
    alike = ""
    if not opened.outline.makes_difference(level):
        alike = tr(
            "In this file it joins nothing: its groups are those of level {below}.",
            below=level - 1,
        )
    parts = (level_facts(opened, level, smallest), alike, _example(opened, level))
    return " ".join(part for part in parts if part)


def level_facts(opened: InEditor, level: int, smallest: int) -> str:
    """Say what a level means without a value of the file."""
    outline = opened.outline
    if level == outline.height and outline.n_nodes(level) <= 1:
        return tr("Level {level}: removed (*).", level=level)
    occurring = outline.group_records(level)
    title = level_title(opened, level)
    head = tr("Level {level}", level=level)
    if title != head:
        head = tr("Level {level} – {title}", level=level, title=title.lower())
    n_groups = outline.n_groups(level)
    parts = [tr("{level}: {n:group|groups}.", level=head, n=n_groups)]
    if level < outline.n_apart:
        n_missing = int(outline.n_records[level].sum() - occurring.sum())
        words = tr("Missing values are one more, of {n:row|rows}.", n=n_missing)
        parts.append(words)
    if len(occurring):
        least, most = int(occurring.min()), int(occurring.max())
        words = tr(
            "The smallest has {least:row|rows}, the largest {most}.",
            least=least,
            most=most,
        )
        parts.append(words)
    n_small = outline.n_small(level, smallest)
    if n_small:
        words = tr(
            "{number:group has|groups have} fewer than {least} rows.",
            number=n_small,
            least=smallest,
        )
        parts.append(words)
    return " ".join(parts)


def short_title(opened: InEditor, level: int) -> str:
    """Name of a level for a narrow place that already tells the number."""
    if 0 < level < opened.outline.height and not opened.level_names[level]:
        return tr("Groups")
    return level_title(opened, level).split(",")[0]


def shortest_titles(titles: Sequence[str]) -> list[str]:
    """Names of levels by what differs: "…of 5", "…of 10" for bands of 5 and of 10."""
    found = []
    for title in titles:
        words = title.split()
        alike = [each.split() for each in titles if each.split()[0] == words[0]]
        columns = zip(*alike, strict=False)
        n_common = len([*takewhile(lambda column: len(set(column)) == 1, columns)])
        # The last common word stays, so that a number does not stand alone.
        is_shorter = len(alike) > 1 and n_common > 1
        rest = " ".join(words[n_common - 1 :])
        found.append(f"…{rest}" if is_shorter else title)
    return found


def _example(opened: InEditor, level: int) -> str:
    """What becomes of the most frequent value that changes on a level."""
    draft = opened.draft
    if level == draft.height:
        return ""
    for row in opened.outline.frequent.tolist() if level else ():
        value, label = draft.columns[0][row], draft.columns[level][row]
        if value not in (label, draft.missing):
            return tr(
                "For example, “{value}” is released as “{label}”.",
                value=_short(value),
                label=_short(label),
            )
    return ""


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"


def empty_words(has_data: bool) -> tuple[str, str, str]:
    """Say why there is no hierarchy yet, what to do, and the words of the button."""
    if not has_data:
        return (
            tr("No table yet"),
            tr(
                "Open a data file. Hierarchies are then proposed.",
            ),
            tr("Go to Start"),
        )
    return (
        tr("No quasi-identifier yet"),
        tr(
            "Only quasi-identifiers need a hierarchy. Give this role to the "
            "columns that could identify a person.",
        ),
        tr("Go to Attributes"),
    )
