"""The commands about tables of counts: paths in, JSON values out."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from deidgui.app.counts.auditing import (
    MOST_EXPLAINED,
    AuditedTables,
    audit_decided,
    describe_audit,
    left_out_words,
)
from deidgui.app.counts.coarser import (
    coarser_tables,
    coarser_words,
    describe_coarser,
    joining,
)
from deidgui.app.counts.desk import CountsDesk, with_said
from deidgui.app.counts.opening import opened
from deidgui.app.counts.repairing import (
    describe_repairs,
    hiding,
    masking,
    raising,
    repair_tables,
    repairs_words,
    small_shown,
    unmasked_lines,
)
from deidgui.app.counts.tables import (
    bounds_of,
    check_zeros,
    relations_of,
)
from deidgui.app.project import Counts
from deidgui.app.stated_counts import structure_words
from deidgui.app.storage.project_io import SUFFIX
from deidgui.engine.counts.audit.inference import Outcome
from deidgui.errors import ConfigError, InputError
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor
from deidgui.text import tr

WIDTH = 88

WAYS = ("mask", "complements", "threshold", "coarser")
"""What can be put into a project: small counts masked, and the repairs."""


def audit(
    files: Sequence[Path],
    *,
    threshold: int | None = None,
    mask_zero: bool | None = None,
    width: int | None = None,
    marks: Mapping[str, str] | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> dict[str, Any]:
    """Audit tables of counts; see `describe_audit`.

    Parameters
    ----------
    files : sequence of Path
        Tables, one each; or one project.
    threshold, mask_zero, width : optional
        As of `Counts`; instead of what a project says.
    marks : mapping of str to str, optional
        Further texts that stand for a ``masked`` count or a ``complement``.

    Raises
    ------
    InputError, ResourceError, ConfigError
        As `opened` and `audit_decided`; ``counts_threshold_small``.
    """
    said = {"threshold": threshold, "mask_zero": mask_zero, "width": width}
    counts, found = _audited(files, said, marks or {}, SubMonitor(monitor, 0.0, 0.8))
    return describe_audit(
        found,
        confirmed=counts.relations_confirmed,
        explained=MOST_EXPLAINED,
        monitor=SubMonitor(monitor, 0.8, 1.0),
    )


def repair(
    files: Sequence[Path],
    *,
    threshold: int | None = None,
    mask_zero: bool | None = None,
    width: int | None = None,
    marks: Mapping[str, str] | None = None,
    any_count: bool = False,
    apply: str | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> dict[str, Any]:
    """Find what protects the masked counts of tables; see `describe_repairs`.

    Also coarser categories: see `describe_coarser`. With `apply` the project is
    written, and ``applied`` and ``left`` say what was used and how many masked counts
    are not protected then.

    Parameters
    ----------
    files : sequence of Path
        As of `audit`, as everything else but `any_count`.
    any_count : bool
        As of `Counts`; without it, what a project says.
    apply : str, optional
        One of `WAYS`, to be put into the project, with what else is said here.

    Raises
    ------
    InputError, ResourceError, ConfigError
        As `audit`; ``repair_needs_project``, ``repair_does_nothing``, ``not_one_of``
        and ``counts_zeros_unsaid``.
    """
    said = {"threshold": threshold, "mask_zero": mask_zero, "width": width}
    if any_count:
        said["any_count"] = True
    if apply is not None:
        _see_applicable(files, apply)
    if apply == "mask":
        return _mask(files[0], said, marks or {}, monitor)
    _counts, found = _audited(files, said, marks or {}, SubMonitor(monitor, 0.0, 0.3))
    repairs = repair_tables(found, monitor=SubMonitor(monitor, 0.3, 0.6))
    joined = coarser_tables(found, monitor=SubMonitor(monitor, 0.6, 0.9))
    result = {**describe_repairs(repairs), "coarser": describe_coarser(joined)}
    if apply is None:
        return result
    desk = CountsDesk(files[0])
    desk.said(said, marks or {})
    if apply == "coarser":
        desk.use(joining(joined, desk.counts))
    else:
        desk.use(hiding(repairs) if apply == "complements" else raising(repairs))
    left = desk.audited(SubMonitor(monitor, 0.9, 1.0))
    desk.save()
    return {**result, "applied": apply, "left": _n_left(left)}


def _mask(
    file: Path, said: Mapping[str, Any], marks: Mapping[str, str], monitor: Monitor
) -> dict[str, Any]:
    desk = CountsDesk(file)
    desk.said(said, marks)
    if desk.counts.threshold is None:
        raise InputError("counts_threshold_wanted", table=desk.tables[0].name)
    check_zeros(desk.counts, desk.tables)
    relations = relations_of(desk.counts, desk.tables).relations
    n_small = len(small_shown(desk.tables, bounds_of(desk.counts)))
    desk.use(masking(desk.tables, relations, bounds_of(desk.counts)))
    left = desk.audited(monitor)
    desk.save()
    return {"applied": "mask", "masked": n_small, "left": _n_left(left)}


def _n_left(audited: AuditedTables) -> int:
    """How many masked counts are not known to be protected."""
    weak = (Outcome.EXACT, Outcome.TIGHT, Outcome.INCONSISTENT)
    return sum(map(audited.number, weak))


def _see_applicable(files: Sequence[Path], apply: str) -> None:
    if apply not in WAYS:
        raise ConfigError("not_one_of", what="--apply", value=apply, known=WAYS)
    for each in files:
        if not each.name.endswith(SUFFIX):
            raise ConfigError("repair_needs_project", file=each.name)


def repair_words(result: Mapping[str, Any]) -> str:
    """Return repairs on a screen of plain text."""
    lines = []
    if "to_protect" in result:
        lines.append(repairs_words(result))
        if result["to_protect"]:
            lines += ["", *coarser_words(result["coarser"])]
    if "masked" in result:
        lines.append(tr("{n:count is|counts are} masked now.", n=result["masked"]))
    if "applied" in result:
        words = tr(
            "Applied to the project: {way}. Not protected: {n:masked count|masked "
            "counts}.",
            way=result["applied"],
            n=result["left"],
        )
        lines += [words] if "masked" in result else ["", words]
    return "\n".join(lines)


def _audited(
    files: Sequence[Path],
    said: Mapping[str, Any],
    marks: Mapping[str, str],
    monitor: Monitor,
) -> tuple[Counts, AuditedTables]:
    """Audit tables by what was said, instead of what a project says."""
    counts, tables = opened(files, marks, SubMonitor(monitor, 0.0, 0.1))
    counts, step = with_said(counts, said), SubMonitor(monitor, 0.1, 1.0)
    return counts, audit_decided(counts, tables, monitor=step)


_MARKS = {
    "exact": "!!",
    "tight": "! ",
    "inconsistent": "? ",
    "narrowed": "~ ",
    "protected": "ok",
}


def audit_words(result: Mapping[str, Any]) -> str:
    """Return an audit on a screen of plain text."""
    return "\n".join(_lines(result))


def _lines(result: Mapping[str, Any]) -> Iterator[str]:
    outcomes = result["outcomes"]
    n = sum(outcomes.values())
    if n:
        yield tr(
            "{n:masked count|masked counts}: {exact} can be inferred exactly, {tight} "
            "too narrow, {inconsistent} in sums that do not agree, {narrowed} narrowed "
            "but wide enough, {protected} protected",
            n=n,
            exact=outcomes["exact"],
            tight=outcomes["tight"],
            inconsistent=outcomes["inconsistent"],
            narrowed=outcomes["narrowed"],
            protected=outcomes["protected"],
        )
    else:
        yield tr("No count is masked.")
    if n and not result["structure_confirmed"]:
        yield structure_words(len(result["structure"]))[0]
    small, threshold = result["small_shown"], result["threshold"]
    if small or (not n and threshold is None):
        yield from unmasked_lines(small, threshold)
    for each in result["cells"]:
        yield ""
        yield _of_cell(each)
        for why in (*map(left_out_words, each["left_out"]), *each["why"]):
            yield _wrapped(why, "     ")
    for title, texts in (
        (tr("Structure that was used"), result["structure"]),
        (tr("Sums that do not agree; they were not used"), result["disagreeing"]),
        (
            tr("Contradictions; these relations were not used"),
            [" | ".join(each) for each in result["conflicts"]],
        ),
        (tr("Assumptions"), result["assumptions"]),
    ):
        if texts:
            yield ""
            yield title
        for text in texts[:50]:
            yield _wrapped(text, "  ")
        if len(texts) > 50:
            yield tr("  … and {n} more", n=len(texts) - 50)


def _of_cell(cell: Mapping[str, Any]) -> str:
    low, high = cell["low"], cell["high"]
    if low == high:
        found = tr("T = {count}", count=low)
    elif high is None:
        found = tr("T is {low} or more", low=low)
    else:
        found = tr("T is {low} to {high}", low=low, high=high)
    return tr(
        "{mark} {found}: {row}, {column} (table “{table}”, line {line:d}) – {outcome}",
        mark=_MARKS[cell["class"]],
        found=found,
        row=cell["row"],
        column=cell["column"],
        table=cell["table"],
        line=cell["line"],
        outcome=_outcome_words(cell),
    )


def _outcome_words(cell: Mapping[str, Any]) -> str:
    words = {
        "exact": tr("exact"),
        "tight": tr("too narrow"),
        "narrowed": tr("narrowed"),
        "inconsistent": tr("in sums that do not agree"),
        "protected": tr("protected"),
    }[cell["class"]]
    return words if cell["proven"] else tr("{words}, not proven", words=words)


def _wrapped(text: str, indent: str) -> str:
    return textwrap.fill(
        text,
        WIDTH,
        initial_indent=indent,
        subsequent_indent=f"{indent}  ",
        break_on_hyphens=False,
        break_long_words=False,
    )
