"""The charts of a report, drawn from the evidence."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from deidgui.app.charts.formats import count_text, number_text, risk_texts
from deidgui.app.report.drawing import (
    AFTER,
    BEFORE,
    BEFORE_FILL,
    GRID,
    INK,
    LIMIT,
    QUIET,
    Anchor,
    Drawing,
    Lettering,
    Path,
    Rectangle,
    Shape,
)
from deidgui.engine.evidence.document import (
    ClassSizes,
    Distribution,
    LabelCount,
    SizeBin,
)
from deidgui.text import per_cent, share_text, tr

WIDTH = 480.0
_LEFT, _RIGHT, _TOP = 34.0, 8.0, 26.0
_ROW = 13.0
_LONGEST_LABEL = 32
MOST_BARS = 20
_LEAST_RISK = 0.001
"""Smaller risks are stated, but not drawn: records hardly ever have them."""


def class_size_chart(sizes: ClassSizes) -> Drawing:
    """Share of records by class size, input and release side by side."""
    height = 172.0
    bottom = height - 32
    shapes: list[Shape] = [*_legend(), *_share_axis(bottom)]
    before, after = _shares(sizes.before), _shares(sizes.after)
    step = (WIDTH - _LEFT - _RIGHT) / max(len(before), 1)
    bar = step * 0.34
    for place, each in enumerate(sizes.before):
        left = _LEFT + place * step + step / 2 - bar
        shapes.extend(_column(left, bottom, bar, before[place], BEFORE_FILL, BEFORE))
        shapes.extend(_column(left + bar, bottom, bar, after[place], AFTER, AFTER))
        shapes.append(
            Lettering(left + bar, bottom + 12, _range_text(each), "middle", 7.5, QUIET)
        )
    middle = (_LEFT + WIDTH - _RIGHT) / 2
    shapes.append(
        Lettering(middle, height - 6, tr("records in the same class"), "middle")
    )
    return Drawing(WIDTH, height, tuple(shapes), tr("Share of records by class size"))


def _shares(bins: Sequence[SizeBin]) -> list[float]:
    total = sum(each.records for each in bins)
    return [each.records / total if total else 0.0 for each in bins]


def _range_text(each: SizeBin) -> str:
    if each.largest is None:
        return f"{each.smallest}+"
    if each.largest == each.smallest:
        return str(each.smallest)
    return f"{each.smallest}–{each.largest}"


def _column(
    left: float, bottom: float, width: float, share: float, fill: str, stroke: str
) -> Iterator[Shape]:
    tall = share * (bottom - _TOP)
    if share > 0:
        yield Rectangle(
            left, bottom - max(tall, 0.8), width, max(tall, 0.8), fill, stroke
        )


def _share_axis(bottom: float) -> Iterator[Shape]:
    """Lines at 0, 25, ..., 100 per cent."""
    for quarter in range(5):
        y = bottom - quarter / 4 * (bottom - _TOP)
        color = QUIET if quarter == 0 else GRID
        yield Path(((_LEFT, y), (WIDTH - _RIGHT, y)), color, 0.7)
        yield Lettering(_LEFT - 5, y + 3, per_cent(quarter / 4), "end", 7.5)


def _legend() -> Iterator[Shape]:
    yield Rectangle(_LEFT, 5, 9, 9, BEFORE_FILL, BEFORE)
    yield Lettering(_LEFT + 14, 12.5, "input", color=INK)
    yield Rectangle(_LEFT + 60, 5, 9, 9, AFTER, AFTER)
    yield Lettering(_LEFT + 74, 12.5, "release", color=INK)


# -- cumulative risk -------------------------------------------------------------------


def risk_chart(sizes: ClassSizes, threshold: float | None) -> Drawing:
    """Share of records whose risk is at most x, input and release."""
    height = 182.0
    bottom = height - 34
    steps = [step for step in sizes.cumulative if step.limit >= _LEAST_RISK]
    least = min(step.limit for step in steps)

    def x_of(risk: float) -> float:
        share = math.log(risk / least) / math.log(1 / least)
        return _LEFT + share * (WIDTH - _LEFT - _RIGHT)

    def y_of(share: float) -> float:
        return bottom - share * (bottom - _TOP)

    shapes: list[Shape] = [*_line_legend(), *_share_axis(bottom)]
    for risk in (0.001, 0.01, 0.05, 0.1, 0.2, 0.5, 1.0):
        anchor: Anchor = "end" if risk == 1 else "middle"
        at = x_of(risk) + (4 if risk == 1 else 0)
        shapes.append(Lettering(at, bottom + 12, per_cent(risk), anchor, 7.5))
    if threshold is not None and threshold >= least:
        x = x_of(threshold)
        shapes.append(Path(((x, _TOP - 4), (x, bottom)), LIMIT, 1.0, (1.5, 2)))
        text = tr("threshold {share}", share=per_cent(threshold))
        anchor = "end" if threshold > 0.2 else "start"
        at = x - 4 if threshold > 0.2 else x + 4
        shapes.append(Lettering(at, _TOP - 4, text, anchor, 7.5, LIMIT))
    before = [(x_of(s.limit), y_of(s.before)) for s in steps if s.before is not None]
    after = [(x_of(s.limit), y_of(s.after)) for s in steps]
    shapes.append(Path(_stairs(before), BEFORE, 1.4, (5, 2.5)))
    shapes.append(Path(_stairs(after), AFTER, 2.0))
    middle = (_LEFT + WIDTH - _RIGHT) / 2
    words = tr("probability that a match is right (logarithmic)")
    shapes.append(Lettering(middle, height - 6, words, "middle"))
    title = tr("Share of records with at most a given risk")
    return Drawing(WIDTH, height, tuple(shapes), title)


def _stairs(points: Sequence[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    """Steps: the share jumps at a limit and stays until the next one."""
    found = [points[0]]
    for (_, y), (x_next, y_next) in pairwise(points):
        found += [(x_next, y), (x_next, y_next)]
    return tuple(found)


def _line_legend() -> Iterator[Shape]:
    yield Path(((_LEFT, 9.5), (_LEFT + 18, 9.5)), BEFORE, 1.4, (5, 2.5))
    yield Lettering(_LEFT + 23, 12.5, "input", color=INK)
    yield Path(((_LEFT + 60, 9.5), (_LEFT + 78, 9.5)), AFTER, 2.0)
    yield Lettering(_LEFT + 83, 12.5, "release", color=INK)


# -- comparison ------------------------------------------------------------------------


def comparison_chart(risks: Sequence[tuple[str, float]]) -> Drawing:
    """Risk of the input, of a baseline and of the release, one bar each.

    Parameters
    ----------
    risks : sequence of (str, float)
        Name and risk; the release last, the baseline before it.
    """
    left, row = 130.0, 22.0
    most = max((risk for _, risk in risks), default=0.0) or 1.0
    room = WIDTH - left - 80
    height = 10 + row * len(risks)
    shapes: list[Shape] = []
    texts = risk_texts(*(risk for _, risk in risks))
    for place, (name, risk) in enumerate(risks):
        y, width = 6 + place * row, max(risk / most * room, 0.8)
        is_release = place == len(risks) - 1
        fill, stroke = (AFTER, AFTER) if is_release else (BEFORE_FILL, BEFORE)
        shapes.append(Lettering(left - 6, y + 11, short(name), "end", 8.5, INK))
        shapes.append(Rectangle(left, y + 2, width, row - 8, fill, stroke))
        shapes.append(Lettering(left + width + 5, y + 11, texts[place], size=8))
    if len(risks) > 1:
        x = left + max(risks[-2][1] / most * room, 0.8)
        shapes.append(Path(((x, 2), (x, height - 2)), LIMIT, 1.0, (1.5, 2)))
    return Drawing(WIDTH, height, tuple(shapes), tr("Risk beside the baseline"))


# -- distributions ---------------------------------------------------------------------


def distribution_chart(attribute: str, distribution: Distribution) -> Drawing:
    """Records by released label: input as outline, release as bar."""
    rows = _rows(distribution)
    left = min(165.0, 10 + 4.6 * max((len(name) for name, *_ in rows), default=0))
    most = max((all_ for _, _, all_, _ in rows), default=0) or 1
    room = WIDTH - left - 92
    shapes: list[Shape] = [*_legend()]
    for place, (name, released, total, is_known) in enumerate(rows):
        y = _TOP + place * _ROW
        shapes.append(Lettering(left - 6, y + 8.5, name, "end", 8, INK))
        if total:
            width = max(total / most * room, 0.8)
            shapes.append(Rectangle(left, y + 1, width, _ROW - 3, BEFORE_FILL, BEFORE))
        if released:
            width = max(released / most * room, 0.8)
            shapes.append(Rectangle(left, y + 3, width, _ROW - 7, AFTER))
        text = _change_text(released, total, is_known)
        shapes.append(
            Lettering(left + total / most * room + 5, y + 8.5, text, size=7.5)
        )
    height = _TOP + len(rows) * _ROW + 4
    return Drawing(
        WIDTH, height, tuple(shapes), tr("Records by {attribute}", attribute=attribute)
    )


def _rows(distribution: Distribution) -> list[tuple[str, int, int, bool]]:
    """Name, released records, records of the input, whether these are told."""
    listed = list(distribution.labels)
    rest = [] if distribution.others is None else [distribution.others]
    n_more = int(rest[0].label) if rest else 0
    if len(listed) > MOST_BARS:
        keep = sorted(listed, key=lambda each: -each.released)[: MOST_BARS - 1]
        chosen = {id(each) for each in keep}
        rest += [each for each in listed if id(each) not in chosen]
        n_more += len(listed) - len(keep)
        listed = [each for each in listed if id(each) in chosen]
    rows = [_row(short(each.label), [each]) for each in listed]
    if any(each.released or each.suppressed for each in rest):
        name = tr("{n} more", n=n_more) if n_more else tr("not released")
        rows.append(_row(name, rest))
    return rows


def _row(name: str, counts: Sequence[LabelCount]) -> tuple[str, int, int, bool]:
    released = sum(each.released for each in counts)
    suppressed = sum(each.suppressed or 0 for each in counts)
    is_known = all(each.suppressed is not None for each in counts)
    return name, released, released + suppressed, is_known


def _change_text(released: int, total: int, is_known: bool) -> str:
    if not is_known or released == total:
        return count_text(released)
    return tr("{n} of {all}", n=released, all=total)


def short(text: str) -> str:
    """Label that fits beside a bar; blank ones are named."""
    if not text.strip():
        return tr("(empty)")
    flat = " ".join(text.split())
    if len(flat) > _LONGEST_LABEL:
        return f"{flat[: _LONGEST_LABEL - 1]}…"
    return flat


def chance_text(risk: float) -> str:
    """Probability in per cent and as one in so many."""
    if risk <= 0 or risk >= 1:
        return share_text(risk)
    share, number = share_text(risk), number_text(1 / risk)
    return tr("{share} (1 in {number})", share=share, number=number)
