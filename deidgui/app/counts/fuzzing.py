"""Releases tables of counts with noise, by a command or as a project says."""

from __future__ import annotations

import hashlib
import os
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from deidgui.app.counts.auditing import audit_decided
from deidgui.app.counts.earlier import question_about
from deidgui.app.counts.opening import opened_project
from deidgui.app.counts.questions import answered_about
from deidgui.app.counts.releasing import (
    CountsOrder,
    WrittenCounts,
    digests_of,
    prepare_counts,
    write_counts,
)
from deidgui.app.counts.tables import (
    check_zeros,
    relations_of,
    split_sheet,
    tables_of,
)
from deidgui.app.determination.validity import validity_facts, validity_problem
from deidgui.app.project import Counts, Project
from deidgui.app.reading.files import load_hierarchy_files
from deidgui.app.release.folder import clear_leftovers
from deidgui.app.release.questions import ReleaseQuestion
from deidgui.engine.counts.audit.inference import Outcome
from deidgui.engine.counts.noise.rules import NoiseRule
from deidgui.engine.counts.tables.reading import refuse_problems, to_csv
from deidgui.engine.counts.tables.structure import words_of
from deidgui.engine.counts.tables.table import CountTable
from deidgui.engine.evidence.counts_document import AuditFacts, CountsInput, LeftOut
from deidgui.engine.evidence.document import AnsweredQuestion
from deidgui.errors import ConfigError, InputError, raise_all
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor
from deidgui.text import tr

WIDTH = 88


@dataclass(frozen=True)
class KeptApart:
    """What is kept apart from a release, and what it is called.

    Parameters
    ----------
    key_file, zeros_file : Path or None
        As of `CountsOrder`.
    """

    key_file: Path | None = None
    zeros_file: Path | None = None
    title: str = ""


NOTHING = KeptApart()


def fuzz(
    files: Sequence[Path],
    folder: Path,
    rule: NoiseRule,
    *,
    kept: KeptApart = NOTHING,
    marks: Mapping[str, str] | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> dict[str, Any]:
    """Release tables with noise; see `describe_counts`.

    Parameters
    ----------
    files : sequence of Path
        Tables with true counts, one each; or one project.
    folder : Path
        Of the release.
    marks : mapping of str to str, optional
        Further texts that stand instead of a count, with their kind.

    Raises
    ------
    InputError, ConfigError, ResourceError, VerificationError
        As `opened_project`, `answered_about`, `prepare_counts` and `write_counts`.
    """
    clear_leftovers()
    step = SubMonitor(monitor, 0.0, 0.1)
    project, tables = opened_project(files, marks or {}, step)
    assert project.counts is not None, "just opened"
    answered = answered_about(project, tables)
    read = [split_sheet(each)[0] for each in files]
    order = order_of(project.counts, tables, rule, files=read, kept=kept)
    order = replace(order, questions=answered, answers=project.answers)
    return describe_counts(folder, _released(folder, order, monitor))


def run_counts(
    project: Project,
    path: Path,
    folder: Path,
    *,
    kept: KeptApart = NOTHING,
    monitor: Monitor = NULL_MONITOR,
) -> dict[str, Any]:
    """Release the tables of a project as it says.

    Parameters
    ----------
    path : Path
        Of the project.
    folder : Path
        Of the release.

    Raises
    ------
    ConfigError
        Codes ``noise_undecided`` and ``label_open``, or as `fuzz`.
    """
    check_decided(project)
    counts = project.counts
    assert counts is not None, "just checked"
    tables = tables_of(project, load_hierarchy_files(project, path.parent))
    answered = answered_about(project, tables)
    audit = None
    if counts.release == "masked":
        audit = audited_facts(counts, tables, monitor=SubMonitor(monitor, 0.0, 0.1))
    beside = [path.parent / each.file for each in counts.tables]
    kept = replace(kept, title=kept.title or project.name)
    order = order_of(
        counts,
        tables,
        None if audit is not None else counts.noise,
        files=[path, *beside],
        kept=kept,
    )
    order = with_said(order, project, audit, answered)
    return describe_counts(folder, _released(folder, order, monitor))


def check_decided(project: Project) -> None:
    """See that everything is decided that a release of tables of counts needs.

    Raises
    ------
    ConfigError
        Code ``noise_undecided``, and those of `validity_problem`.
    """
    # PRIVACY: what was determined holds for a time, of counts, too.
    if (ended := validity_problem(project)) is not None:
        raise ended
    counts = project.counts
    if counts is None or (counts.release != "masked" and counts.noise is None):
        raise ConfigError("noise_undecided")


def audited_facts(
    counts: Counts, tables: Sequence[CountTable], *, monitor: Monitor = NULL_MONITOR
) -> AuditFacts:
    """Audit masked tables for their release.

    Raises
    ------
    ConfigError
        Codes ``counts_inferable`` if a masked count can be inferred exactly or nearly,
        or ``counts_inconsistent`` if sums do not agree so that it is not known of some,
        and nobody has stated a reason; ``counts_small_shown`` if a small count is
        shown; those of `check_zeros`.
    InputError, ProblemsError
        As `audit_decided`.
    """
    threshold = counts.threshold
    if threshold is None:
        raise InputError("counts_threshold_wanted", table=tables[0].name)
    check_zeros(counts, tables)
    least = 0 if counts.mask_zero else 1
    for table in tables:
        shown = (cell.count for _r, _c, cell in table.counts())
        n_small = sum(each is not None and least <= each < threshold for each in shown)
        if n_small:
            raise ConfigError("counts_small_shown", table=table.name, n=n_small)
    found = audit_decided(counts, tables, monitor=monitor)
    numbers = {each: found.number(each) for each in Outcome}
    n_weak = numbers[Outcome.EXACT] + numbers[Outcome.TIGHT]
    unknown = [e.at for e in found.cells if e.outcome is Outcome.INCONSISTENT]
    if not counts.inferable_because.strip():
        if n_weak:
            raise ConfigError("counts_inferable", n=n_weak)
        if unknown:
            raise ConfigError("counts_inconsistent", n=len(unknown))
    reasoned = counts if n_weak or unknown else Counts()
    return AuditFacts(
        exact=numbers[Outcome.EXACT],
        tight=numbers[Outcome.TIGHT],
        narrowed=numbers[Outcome.NARROWED],
        protected=numbers[Outcome.PROTECTED],
        threshold=threshold,
        width=counts.width,
        inconsistent=tuple(map(tuple, unknown)),
        left_out=tuple(
            LeftOut(words=words_of(each, tables), cells=tuple(map(tuple, each.cells)))
            for each in found.left_out
        ),
        because=reasoned.inferable_because,
        signed=reasoned.inferable_signed,
        any_count=counts.any_count,
        relations=len(found.structure.relations),
        confirmed=counts.relations_confirmed,
    )


def order_of(
    counts: Counts,
    tables: Sequence[CountTable],
    rule: NoiseRule | None,
    *,
    files: Sequence[Path] = (),
    kept: KeptApart = NOTHING,
) -> CountsOrder:
    """Return all that a release is made from.

    Raises
    ------
    InputError, ProblemsError
        Code ``counts_none`` of a table without counts, or as `refuse_problems`.
    """
    refuse_problems(tables, counts.threshold or 0)
    bare = [each for each in tables if next(each.counts(), None) is None]
    raise_all([InputError("counts_none", table=each.name) for each in bare])
    choices = {each.name: each for each in counts.tables}
    read = [(each.name, choices.get(each.name)) for each in tables]
    return CountsOrder(
        tables=tuple(tables),
        relations=relations_of(counts, tables).relations,
        rule=rule,
        inputs=tuple(
            CountsInput(name=name)
            if each is None
            else CountsInput(name=name, file=each.source, sheet=each.sheet)
            for name, each in read
        ),
        title=kept.title,
        files=tuple(files),
        sha256=tuple(hashlib.sha256(to_csv(each.grid)).hexdigest() for each in tables),
        key_file=kept.key_file,
        zeros_file=kept.zeros_file,
    )


def question_beside(
    counts: Counts, tables: Sequence[CountTable], folder: Path
) -> ReleaseQuestion:
    """What is asked about an earlier release of tables before the next one.

    Raises
    ------
    ConfigError
        Code ``noise_undecided``, or as `question_about`.
    InputError, ProblemsError
        As `order_of` and `question_about`.
    """
    if counts.released_as is None:
        raise ConfigError("noise_undecided")
    rule = counts.noise if counts.released_as == "noise" else None
    order = order_of(counts, tables, rule)
    return question_about(folder, order.inputs, rule, digests_of(order.tables))


def with_said(
    order: CountsOrder,
    project: Project,
    audit: AuditFacts | None,
    answered: tuple[AnsweredQuestion, ...],
) -> CountsOrder:
    """Return an order with what the project says of its release, and what was found."""
    return replace(
        order,
        notes=project.notes,
        notes_signed=project.notes_signed,
        audit=audit,
        validity=validity_facts(project),
        questions=answered,
        answers=project.answers,
    )


def _released(folder: Path, order: CountsOrder, monitor: Monitor) -> WrittenCounts:
    prepared = prepare_counts(order, monitor=SubMonitor(monitor, 0.1, 0.5))
    place = Path(os.path.abspath(folder))  # noqa: PTH100 - links are not followed
    return write_counts(place, prepared, monitor=SubMonitor(monitor, 0.5, 1.0))


def describe_counts(folder: Path, made: WrittenCounts) -> dict[str, Any]:
    """Return a release of tables of counts as JSON values."""
    evidence = made.evidence
    return {
        "release": str(folder),
        "tables": [
            {
                "name": each.name,
                "file": each.path,
                "excel": each.excel,
                "counts": each.counts,
                "masked": each.masked,
                "omitted": each.omitted,
                "negative": each.negative,
            }
            for each in evidence.outputs
        ],
        "verified": made.verification.ok,
        "evidence": evidence.model_dump(mode="json"),
    }


def counts_words(result: Mapping[str, Any]) -> str:
    """Return what was released, for a screen of plain text."""
    return "\n".join(
        textwrap.fill(line, WIDTH, subsequent_indent="  ", break_on_hyphens=False)
        for line in _lines(result)
    )


def _lines(result: Mapping[str, Any]) -> Iterator[str]:
    evidence = result["evidence"]
    for each in result["tables"]:
        yield tr(
            "{file}: {counts:count|counts}, {masked} masked, {omitted:percentage or "
            "mean|percentages and means} omitted, {negative} negative",
            file=", ".join(filter(None, (each["file"], each["excel"]))),
            counts=each["counts"],
            masked=each["masked"],
            omitted=each["omitted"],
            negative=each["negative"],
        )
    noise = evidence["noise"]
    if noise is not None:
        yield from noise["words"]
        yield tr(
            "Uncertainty of each count: standard deviation {sd}, 95\u202f% "
            "within ±{reach}.",
            sd=f"{noise['standard_deviation']:.3g}",
            reach=f"{1.96 * noise['standard_deviation']:.3g}",
        )
    for each in evidence["warnings"]:
        yield tr("Warning: {words}", words=each)
    yield tr("Release: {release} (verified)", release=result["release"])
