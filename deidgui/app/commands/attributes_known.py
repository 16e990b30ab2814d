"""The command about an adversary who knows some attributes: JSON values and words."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from deidgui.app.classes import build_classes
from deidgui.app.commands.headless import Confirm, open_project
from deidgui.app.commands.summary import WIDTH
from deidgui.app.demands import undecided_columns
from deidgui.app.policies.source import source_of
from deidgui.app.power.risk import (
    BlockChoice,
    PowerRisk,
    block_choices,
    described_choice,
    measure_power,
    power_table,
    power_words,
    size_at_risk,
)
from deidgui.app.project import AttributesKnown
from deidgui.app.storage.project_io import load_project
from deidgui.errors import ConfigError, raise_all
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor
from deidgui.text import per_cent, tr

SHOWN = 10
"""Riskiest sets that are named."""


def risk(
    project_file: Path,
    inputs: Mapping[str, Path],
    known: AttributesKnown | None = None,
    *,
    confirm: Confirm | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> dict[str, Any]:
    """Measure what an adversary learns who knows any few attributes.

    Of the chosen policy, or of the data while none is chosen.

    Parameters
    ----------
    known : AttributesKnown, optional
        That of the project by default.

    Raises
    ------
    DeidError
        As `build_classes`, `power_table` and `measure_power`; code ``known_undecided``.
    """
    project = load_project(project_file)
    known = known or project.privacy.attributes_known
    if known is None:
        raise ConfigError("known_undecided")
    step = SubMonitor(monitor, 0.0, 0.2)
    project, opened = open_project(project, project_file, inputs, confirm, step)
    raise_all(undecided_columns(project))
    classes = build_classes(
        project,
        opened.loaded.table,
        opened.files,
        opened.population,
        monitor=SubMonitor(monitor, 0.2, 0.3),
    )
    policy = None
    if project.chosen is not None:
        policy = source_of(project.chosen).policy_of(project.chosen, project, classes)
    table = power_table(classes, policy, known)
    least = size_at_risk(project.privacy.threshold.at_risk)
    step = SubMonitor(monitor, 0.3, 0.4)
    choices = block_choices(table, known, least, monitor=step)
    step = SubMonitor(monitor, 0.4, 1.0)
    found = measure_power(table, known, least, monitor=step)
    by_person = classes.class_table.units is not None
    return {
        "of": "data" if policy is None else "policy",
        "unit": "people" if by_person else "records",
        **described(found, choices),
    }


def described(found: PowerRisk, choices: Sequence[BlockChoice] = ()) -> dict[str, Any]:
    """Return a measurement as JSON values."""
    risks, lower = found.risks, found.at_least
    return {
        "n": risks.n_records,
        "known": found.known.known,
        "attributes": [list(unit) for unit in found.units.names],
        "always": list(found.units.always),
        "block_size": int(found.members.shape[1]),
        "sets": len(found.members),
        "exact": found.is_exact,
        "highest": found.highest,
        "average": found.average,
        "share_at_risk": found.share_at_risk,
        "at_risk_below": found.size_at_risk,
        "at_least": None
        if lower is None
        else {
            "highest": float(lower.highest.max()),
            "average": float(lower.average.max()),
            "share_at_risk": float(lower.share_at_risk.max()),
        },
        "riskiest": [
            {
                "attributes": list(found.names(at)),
                "highest": float(risks.highest[at]),
                "average": float(risks.average[at]),
                "share_at_risk": float(risks.share_at_risk[at]),
            }
            for at in found.order[:SHOWN].tolist()
        ],
        "choices": list(map(described_choice, choices)),
        "words": power_words(found),
    }


def in_words(found: Mapping[str, Any]) -> str:
    """Return the result of `risk` as text for a terminal."""
    lines = _wrapped(found["words"])
    lines.append("")
    rows: list[tuple[str, ...]] = [
        (tr("set"), tr("highest"), tr("average"), tr("at risk"))
    ]
    rows.append((tr("any"), *_figures(found)))
    if found["at_least"] is not None:
        rows.append((tr("at least"), *_figures(found["at_least"])))
    rows += [(", ".join(e["attributes"]), *_figures(e)) for e in found["riskiest"]]
    for name, *figures in rows:
        lines.append("".join(f"{each:>10}" for each in figures) + f"  {name}")
    lines += _wrapped(
        tr("At risk: in classes of fewer than {n}.", n=found["at_risk_below"])
    )
    heads = tr("size"), tr("sets"), tr("seconds"), tr("too high by")
    lines += ["", tr("Sizes of blocks; times are estimates:")]
    lines.append("".join(f"{each:>14}" for each in heads))
    for each in found["choices"]:
        cells = f"{each['size']}", f"{each['sets']:,}", f"{each['seconds']:.3g}"
        line = "".join(f"{x:>14}" for x in (*cells, each["over_estimate_words"]))
        lines.append(line + (f"  {tr('proposed')}" if each["usual"] else ""))
    return "\n".join(lines)


def _figures(found: Mapping[str, float]) -> tuple[str, ...]:
    names = ("highest", "average", "share_at_risk")
    return tuple(per_cent(found[name], 3) for name in names)


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, break_on_hyphens=False)
