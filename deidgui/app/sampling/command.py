"""The commands about samples and covering designs: JSON values and words."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from deidgui.app.classes import build_classes
from deidgui.app.commands.headless import Confirm, find_policies, open_project
from deidgui.app.commands.summary import WIDTH
from deidgui.app.demands import undecided_columns
from deidgui.app.power import coverings
from deidgui.app.project import Chosen, Project
from deidgui.app.sampling.curves import (
    REPLICATES,
    Curve,
    highest_words,
    meeting,
    plan_samples,
    sampled_policy,
)
from deidgui.app.storage.project_io import load_project
from deidgui.engine.privacy.average_prosecutor_risk import AverageProsecutorRisk
from deidgui.engine.sampling.curve import FEWEST_FOR_ANALYSIS
from deidgui.errors import ConfigError, raise_all
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor
from deidgui.text import Text, per_cent, share_text, tr

MOST_POLICIES = 50
"""Policies whose samples are planned at once."""


def sample(
    project_file: Path,
    inputs: Mapping[str, Path],
    *,
    threshold: float | None = None,
    n_policies: int = 0,
    n_replicates: int = REPLICATES,
    confirm: Confirm | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> dict[str, Any]:
    """Compute the risk of samples by their size.

    Parameters
    ----------
    threshold : float in (0, 1], optional
        Of the average risk; that of the project's model of the average risk if there
        is one.
    n_policies : int
        So many of the best policies of a search are planned besides.
    n_replicates : int
        Samples drawn for each fraction.

    Returns
    -------
    dict
        ``unit``, ``n``, ``curve``, ``threshold``, ``largest_fraction``, ``floor``; and
        ``of`` (``data``, or ``policy`` if one is chosen), ``words``, ``highest``,
        ``largest_n``, ``policies``.

    Raises
    ------
    DeidError
        As `build_classes`; codes ``sampling_threshold`` and ``sampling_replicates``.
    """
    if threshold is not None and not 0 < threshold <= 1:
        raise ConfigError("sampling_threshold", threshold=threshold)
    if n_replicates < 1 or not 0 <= n_policies <= MOST_POLICIES:
        raise ConfigError("sampling_replicates", most=MOST_POLICIES)
    step = SubMonitor(monitor, 0.0, 0.3)
    project = load_project(project_file)
    project, opened = open_project(project, project_file, inputs, confirm, step)
    raise_all(undecided_columns(project))
    classes = build_classes(
        project,
        opened.loaded.table,
        opened.files,
        opened.population,
        monitor=SubMonitor(monitor, 0.3, 0.4),
    )
    wanted: list[Chosen] = []
    if project.chosen is not None:
        sampled_policy(project, classes, project.chosen)
        wanted.append(project.chosen)
    if n_policies:
        step = SubMonitor(monitor, 0.4, 0.7)
        found = find_policies(project, opened, monitor=step)
        rows = found.best_first[:n_policies].tolist()
        wanted += [found.choice(row) for row in rows]
    plan = plan_samples(
        project,
        classes,
        wanted,
        n_replicates=n_replicates,
        monitor=SubMonitor(monitor, 0.7 if n_policies else 0.4, 1.0),
    )
    threshold = threshold or average_threshold(project)
    first = 1 if project.chosen is not None else 0
    described = _described(plan.curves[first], threshold, plan.by_person)
    return {
        "unit": "people" if plan.by_person else "records",
        "n": plan.n_people,
        "curve": _points(plan.curves[first]),
        "threshold": threshold,
        "largest_fraction": described["largest_fraction"],
        "floor": FEWEST_FOR_ANALYSIS,
        "of": "policy" if first else "data",
        **described,
        "replicates": n_replicates,
        "seed": plan.seed,
        "policies": [
            {**_described(each, threshold, plan.by_person), "curve": _points(each)}
            for each in plan.curves[first + 1 :]
        ],
    }


def average_threshold(project: Project) -> float | None:
    """Threshold of the average risk that a project decides; None if there is none."""
    for model in project.privacy.models:
        if isinstance(model, AverageProsecutorRisk):
            return model.threshold
    return None


def _points(curve: Curve) -> list[dict[str, float]]:
    columns = (curve.average, curve.low, curve.high, curve.maximum)
    names = ("average", "average_low", "average_high", "maximum")
    return [
        {
            "fraction": fraction,
            **{
                name: float(column[at])
                for name, column in zip(names, columns, strict=True)
            },
        }
        for at, fraction in enumerate(curve.fractions)
    ]


def _described(
    curve: Curve, threshold: float | None, by_person: bool
) -> dict[str, Any]:
    """What is said of one curve, besides its points."""
    met = meeting(curve.of, threshold) if threshold is not None else None
    fraction = met.fraction if met and met.n_sampled else 0.1
    return {
        "words": curve.of.words,
        "loss": curve.of.loss,
        "largest_fraction": met.fraction if met else None,
        "largest_n": met.n_sampled if met else None,
        "average": met.average if met else None,
        "suppressed": met.suppressed if met else None,
        "difference": met.effects.difference if met and met.effects else None,
        "correlation": met.effects.correlation if met and met.effects else None,
        "is_small": met.is_small if met else None,
        "is_bound": curve.of.is_bound,
        "highest": highest_words(curve, fraction, by_person=by_person),
    }


def in_words(found: Mapping[str, Any]) -> str:
    """Return the result of `sample` as text for a terminal."""
    n, unit = found["n"], found["unit"]
    head: Text = "Samples of {n:record|records}: {words}"
    if unit == "people":
        head = "Samples of {n:person|people}: {words}"
    lines = [tr(head, n=n, words=found["words"]), ""]
    row = "{:>9}{:>10}{:>22}{:>10}".format
    lines.append(
        row(tr("fraction"), tr("average"), tr("95\u202f% of samples"), tr("highest"))
    )
    for each in found["curve"]:
        span = f"{share_text(each['average_low'])} – {share_text(each['average_high'])}"
        cells = share_text(each["average"]), span, share_text(each["maximum"])
        lines.append(row(share_text(each["fraction"]), *cells))
    lines.append("")
    lines += _wrapped(
        tr(
            "Average: probability that a member of the file, not known to be in the "
            "sample, is found; simple random samples. Stratified samples are outside "
            "these formulas."
        )
    )
    lines += _wrapped(found["highest"])
    if found["threshold"] is not None:
        lines += _meeting_lines(found, found["threshold"], unit)
        for each in found["policies"]:
            lines += ["", *_wrapped(each["words"])]
            lines += _meeting_lines(each, found["threshold"], unit)
    return "\n".join(lines)


def _meeting_lines(found: Mapping[str, Any], threshold: float, unit: str) -> list[str]:
    limit = per_cent(threshold)
    if not found["largest_n"]:
        words: Text = "No sample has an average risk of at most {limit}."
        return _wrapped(tr(words, limit=limit))
    words = (
        "Largest sample with an average risk of at most {limit}: {share} ({n:record|"
        "records})."
    )
    if unit == "people":
        words = (
            "Largest sample with an average risk of at most {limit}: {share} ({n:"
            "person|people})."
        )
    share = per_cent(found["largest_fraction"], 3)
    lines = _wrapped(tr(words, limit=limit, share=share, n=found["largest_n"]))
    if found["suppressed"]:
        share = share_text(found["suppressed"])
        lines += _wrapped(
            tr("Of it {share} is expected to be suppressed.", share=share)
        )
    if found["difference"] is not None:
        lines += _wrapped(effects_words(found["difference"], found["correlation"]))
    if found["is_small"]:
        lines += _wrapped(small_words(found["largest_n"]))
    return lines


def effects_words(difference: float, correlation: float) -> str:
    """Say which effects a sample can show."""
    return tr(
        "With a power of 90\u202f% at a level of 5\u202f% it shows differences of two "
        "equal groups from {difference} standard deviations on, and correlations from "
        "{correlation} on.",
        difference=f"{difference:.3g}",
        correlation=f"{correlation:.3g}",
    )


def small_words(n_sampled: int) -> str:
    """Say that a sample is small."""
    return tr(
        "{n} is fewer than {floor}: too few for most analyses.",
        n=n_sampled,
        floor=FEWEST_FOR_ANALYSIS,
    )


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, break_on_hyphens=False)


def cover(v: int, k: int, t: int, *, monitor: Monitor = NULL_MONITOR) -> dict[str, Any]:
    """Return a covering design; see `coverings.cover`."""
    return coverings.cover(v, k, t, monitor=monitor)


def cover_in_words(found: Mapping[str, Any]) -> str:
    """Return a covering design as text for a terminal: a line for each block."""
    head = tr(
        "{size:block|blocks} of {k} of {v} points hold every {t} of them; no design "
        "has fewer than {bound}.",
        **{name: found[name] for name in ("size", "k", "v", "t", "bound")},
    )
    blocks = [" ".join(map(str, block)) for block in found["blocks"]]
    return "\n".join([*_wrapped(head), *blocks])
