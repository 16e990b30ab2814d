"""How the figures and marks of a candidate are written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from deidgui.app.charts.base import Axis, Unit
from deidgui.app.charts.formats import count_text, number_text, share_text
from deidgui.app.charts.phrases import Phrase, plain
from deidgui.app.charts.plane import Flag
from deidgui.app.policies.lattice.policies import LatticePolicies
from deidgui.app.policies.lattice.what_if import Candidates
from deidgui.engine.quality import QualityMeasure
from deidgui.qt.widgets.chips import ChipTone
from deidgui.text import tr

Flags = Mapping[int, tuple[Flag, ...]]
"""Marks by node."""

FLAG_SIGNS = {
    Flag.OPTIMUM: "★",
    Flag.CHOSEN: "◆",
    Flag.KEPT: "▲",
    Flag.MINIMAL: "■",
    Flag.PICKED: "★",
}
"""The shapes that charts draw, as letters."""

FLAG_TONES: Mapping[Flag, ChipTone] = {
    Flag.OPTIMUM: "success",
    Flag.CHOSEN: "accent",
    Flag.KEPT: "info",
    Flag.MINIMAL: "plain",
    Flag.PICKED: "success",
}

EFFECT_GLYPHS = {"kept": "check", "grouped": "category", "removed": "eye-off"}
EFFECT_TONES = {"kept": "success", "grouped": "muted", "removed": "warning"}
"""What happens to a column: a glyph and a colour that say the same."""


class Figure(NamedTuple):
    """One figure of a candidate in words."""

    label: str
    text: str
    unit: str
    explanation: str
    value: float


def flag_words(flag: Flag) -> str:
    """Name of a mark: best, chosen, kept."""
    return Phrase(flag.value).text()


def is_share(found: LatticePolicies) -> bool:
    """Whether the loss is a share, to be written in per cent."""
    return found.guiding.unit == "share"


def loss_axis(found: LatticePolicies) -> Axis:
    """What the loss of a search is, for charts."""
    return measure_axis(found.guiding)


def measure_axis(measure: QualityMeasure) -> Axis:
    """What the loss under a measure is, for charts."""
    if measure.unit == "share":
        return Axis(Phrase("loss"), Unit.SHARE)
    return Axis(plain(f"{tr(measure.title)} ({tr(measure.unit)})"))


def loss_text(found: LatticePolicies, node: int) -> str:
    """Loss of a candidate as people write it; a lower bound is marked as such."""
    loss = float(found.loss[node])
    text = share_text(loss) if is_share(found) else number_text(loss)
    is_bound = loss == loss and not found.result.exact[node]
    return f"≥ {text}" if is_bound else text


def measure_text(measure: QualityMeasure, loss: float) -> str:
    """Loss under any measure as people write it, with its unit."""
    if measure.unit == "share":
        return share_text(loss)
    return f"{number_text(loss)} {measure.unit}"


def figures(candidates: Candidates, node: int) -> tuple[Figure, ...]:
    """Suppressed records, loss, average and highest risk of a candidate."""
    found = candidates.found
    suppressed = int(found.suppressed[node])
    share = share_text(suppressed / max(found.n_records, 1))
    average = float(found.average_risk[node])
    highest = float(candidates.highest_risk[node])
    n_others = round(1 / highest) - 1 if highest else 0
    others = tr("Every released record shares its values with ")
    if n_others:
        others += tr("at least {n:,} others.", n=n_others)
    else:
        others = tr("Somebody can be singled out.")
    return (
        Figure(
            tr("Suppressed"),
            count_text(suppressed),
            tr("records ({share})", share=share),
            tr("Nothing of them is released."),
            suppressed,
        ),
        Figure(
            tr("Loss"),
            loss_text(found, node),
            "" if is_share(found) else found.guiding.unit,
            tr("0 % keeps every value, 100 % keeps nothing.")
            if is_share(found)
            else tr("{title}: less is better.", title=found.guiding.title),
            float(found.loss[node]),
        ),
        Figure(
            tr("Average risk"),
            share_text(average),
            "",
            tr("How likely a known person's record is found, on average."),
            average,
        ),
        Figure(
            tr("Highest risk"),
            share_text(highest),
            "",
            others if highest else tr("Nothing is released."),
            highest,
        ),
    )
