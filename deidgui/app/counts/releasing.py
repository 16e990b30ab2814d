"""From tables of counts to a verified release, written whole or not at all."""

from __future__ import annotations

import csv
import hashlib
import io
import os
import stat
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
import pydantic
from pydantic import BaseModel, ConfigDict, Field

from deidgui import __version__
from deidgui.app.counts.earlier import answered_earlier
from deidgui.app.project import Answer
from deidgui.app.release.folder import (
    check_key,
    check_standing,
    kept_secret,
    part_folder,
    put_in_place,
    recover_folder,
    writing,
)
from deidgui.app.release.replacing import KnownProject as KnownBy
from deidgui.app.release.replacing import Standing
from deidgui.app.release.staging import Staged, staged
from deidgui.app.release.writing import (
    file_facts,
    release_time,
    verify_staged,
    write_reports,
)
from deidgui.app.report import counts as report
from deidgui.app.stated_counts import assumptions_of, warnings_of
from deidgui.app.storage.files import cannot_read
from deidgui.engine.counts.noise.fuzzing import Fuzzed, fuzz
from deidgui.engine.counts.noise.redundancy import ENOUGH
from deidgui.engine.counts.noise.rules import NoiseRule
from deidgui.engine.counts.noise.uncertainty import Uncertain
from deidgui.engine.counts.tables.structure import Form, Relation, words_of
from deidgui.engine.counts.tables.table import At, CountTable
from deidgui.engine.evidence.counts_document import (
    PLACES,
    UNCERTAINTY,
    UNCERTAINTY_HEADER,
    AuditFacts,
    CountsEvidence,
    CountsInput,
    CountsOutput,
    Equation,
    NoiseFacts,
    Redundancy,
)
from deidgui.engine.evidence.document import (
    AnsweredQuestion,
    Validity,
    canonical_json,
    parts_of,
)
from deidgui.engine.evidence.entered import Entered
from deidgui.engine.evidence.evidence import software
from deidgui.engine.evidence.folder import EVIDENCE, REPORTS
from deidgui.engine.evidence.mapping import safe_name
from deidgui.engine.evidence.verify import Verification
from deidgui.engine.excel.writing import to_xlsx
from deidgui.engine.transform.pseudonyms import PseudonymKey
from deidgui.engine.transform.spreadsheet import guard_text
from deidgui.errors import ConfigError, InputError
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor
from deidgui.text import in_english

_EQUATIONS: Mapping[Form, str] = {
    Form.SUM: "sum",
    Form.ATTRITION: "sum",
    Form.SAME: "same",
}


@dataclass(frozen=True, eq=False, repr=False)
class CountsOrder:
    """Everything that a release of tables of counts is made from.

    Parameters
    ----------
    tables : tuple of CountTable
        With true counts where noise is added; else masked as they are released.
    relations : tuple of Relation
        How the counts hang together.
    rule : NoiseRule or None
        None releases masked counts without noise.
    inputs : tuple of CountsInput
        One for each table.
    files : tuple of Path
        That the tables were read from; never replaced.
    sha256 : tuple of str
        Of the cells of the tables. PRIVACY: never written anywhere.
    audit : AuditFacts or None
        Of the counts that are masked in the release.
    key_file : Path or None
        Where the key of the noise is kept; a key that is there is used again, so that
        the same question has the same noise. None destroys it.
    zeros_file : Path or None
        Where the table of true zeros is kept, if zeros stay zero; None keeps none.
    validity : Validity or None
        What was said of how long the release may be made.
    questions : tuple of AnsweredQuestion
        What a person answered about columns that tell who people are.
    answers : tuple of Answer
        All that a person answered, of which those about earlier releases count.
    created : datetime or None
        None takes `release_time`.
    """

    tables: tuple[CountTable, ...]
    relations: tuple[Relation, ...]
    rule: NoiseRule | None
    inputs: tuple[CountsInput, ...]
    title: str = ""
    notes: str = ""
    notes_signed: Entered = field(default_factory=Entered)
    files: tuple[Path, ...] = ()
    sha256: tuple[str, ...] = ()
    audit: AuditFacts | None = None
    key_file: Path | None = None
    zeros_file: Path | None = None
    validity: Validity | None = None
    questions: tuple[AnsweredQuestion, ...] = ()
    answers: tuple[Answer, ...] = ()
    created: datetime | None = None

    @property
    def known_by(self) -> KnownBy:
        """By what an earlier release of the same project is known."""
        return KnownBy(
            title=self.title,
            columns=tuple(each.name for each in self.inputs),
            files=self.files,
            sha256=self.sha256,
        )


@dataclass(frozen=True, eq=False, repr=False)
class PreparedCounts:
    """Tables as they will be released.

    PRIVACY: noise is drawn once. What is looked at before the release is what is
    released; several draws would be several answers to the same question.

    Parameters
    ----------
    fuzzed : Fuzzed or None
        None without noise.
    key : PseudonymKey or None
        Of noise that repeats.
    """

    order: CountsOrder
    tables: tuple[CountTable, ...]
    fuzzed: Fuzzed | None = None
    key: PseudonymKey | None = None


@dataclass(frozen=True)
class WrittenCounts:
    """A release of tables of counts that is in place."""

    folder: Path
    evidence: CountsEvidence = field(repr=False)
    verification: Verification = field(repr=False)


def prepare_counts(
    order: CountsOrder, *, monitor: Monitor = NULL_MONITOR
) -> PreparedCounts:
    """Draw the noise of a release.

    Raises
    ------
    InputError, ProblemsError
        As `fuzz`, and as `key_for`.
    ConfigError
        As `key_for`.
    """
    if order.rule is None:
        return PreparedCounts(order, order.tables)
    key = key_for(order.key_file) if order.rule.is_keyed else None
    found = fuzz(order.tables, order.relations, order.rule, key, monitor=monitor)
    return PreparedCounts(order, found.tables, found, key)


def write_counts(
    folder: Path,
    prepared: PreparedCounts,
    *,
    given_up: Standing | None = None,
    places: Collection[Path] = (),
    monitor: Monitor = NULL_MONITOR,
) -> WrittenCounts:
    """Write, verify and put into place a release of tables of counts.

    Parameters
    ----------
    folder : Path
        As of `write_release`.
    given_up : Standing, optional
        As of `write_release`.
    places : collection of Path
        Folders in which earlier releases may lie, besides those of this one and of the
        files that it is made from.

    Raises
    ------
    ConfigError
        As of `check_place` and `check_place_of_key`; `EarlierOpenError`.
    ResourceError
        Code ``cannot_write``.
    VerificationError
        Code ``release_not_verified``. Nothing is left behind in all these cases.
    """
    recover_folder(folder)
    standing = check_place(folder, prepared.order, given_up)
    prepared = _beside_earlier(folder, prepared, places)
    with writing(folder), part_folder(folder) as part, staged(part) as files:
        step = SubMonitor(monitor, 0.0, 0.5)
        evidence, reports = _write_files(files, prepared, step)
        step = SubMonitor(monitor, 0.5, 1.0)
        verification = verify_staged(folder, part, files, reports, step)
        check_place_of_key(folder, prepared.order.key_file)
        with ExitStack() as secrets:
            secrets.enter_context(kept_key(prepared.order.key_file, prepared.key))
            secrets.enter_context(_kept_zeros(prepared, evidence))
            put_in_place(part, folder, standing)
    return WrittenCounts(folder, evidence, verification)


def _beside_earlier(
    folder: Path, prepared: PreparedCounts, places: Collection[Path]
) -> PreparedCounts:
    """State what a person answered about earlier releases of the same tables."""
    order = prepared.order
    beside = (folder.parent, *(each.parent for each in order.files), *places)
    sha256 = digests_of(prepared.tables)
    asked = (order.answers, order.inputs, order.rule, sha256, beside)
    questions = (*order.questions, *answered_earlier(*asked))
    return replace(prepared, order=replace(order, questions=questions))


def digests_of(tables: Sequence[CountTable]) -> tuple[str, ...]:
    """SHA-256 of every table as it is released."""
    return tuple(hashlib.sha256(_csv(_guarded(each))).hexdigest() for each in tables)


def check_place(
    folder: Path, order: CountsOrder, given_up: Standing | None = None
) -> Standing:
    """See that a release may be written to a folder, and its secrets to files.

    Raises
    ------
    ConfigError
        Codes of `Standing.problem`, ``key_inside_release`` and ``key_file_exists``.
    """
    standing = check_standing(folder, order.known_by, given_up)
    check_place_of_key(folder, order.key_file)
    check_key(folder, order.zeros_file)
    return standing


# -- content ---------------------------------------------------------------------------


def _write_files(
    files: Staged, prepared: PreparedCounts, monitor: Monitor
) -> tuple[CountsEvidence, dict[str, bytes]]:
    """Write all files; return the evidence, which vouches for them, and reports."""
    names = released_names(prepared.tables)
    tables = {
        name: _csv(_guarded(table))
        for name, table in zip(names, prepared.tables, strict=True)
    }
    contents = {
        excel_name(name): to_xlsx(table.grid, given.sheet)
        for name, table, given in zip(
            names, prepared.tables, prepared.order.inputs, strict=True
        )
        if given.sheet
    }
    if prepared.fuzzed is not None:
        contents[UNCERTAINTY] = _csv(_uncertainties(prepared.fuzzed))
    monitor.report(0.2, "tables")
    with in_english():
        evidence = _evidence(prepared, tables, contents)
    for path, content in {**tables, **contents}.items():
        files.write(path, content)
    return write_reports(files, evidence, report, SubMonitor(monitor, 0.4, 1.0))


def released_names(tables: Sequence[CountTable]) -> list[str]:
    """File name of every released table; no two are the same on any file system."""
    taken, found = {UNCERTAINTY, EVIDENCE, *REPORTS}, []
    for table in tables:
        stem, number = f"{safe_name(table.name)}_released", 1
        name = f"{stem}.csv"
        while name.casefold() in taken:
            number += 1
            name = f"{stem}_{number}.csv"
        taken.add(name.casefold())
        found.append(name)
    return found


def excel_name(name: str) -> str:
    """Name of the Excel file of a table, by that of its CSV."""
    return f"{name.removesuffix('.csv')}.xlsx"


def _guarded(table: CountTable) -> Iterator[list[str]]:
    """Rows of a table; labels that a spreadsheet would execute are made harmless."""
    return (list(map(guard_text, row)) for row in table.grid)


def _csv(rows: Iterator[list[str]]) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


def _uncertainties(found: Fuzzed) -> Iterator[list[str]]:
    yield list(UNCERTAINTY_HEADER)
    left = found.effective.tolist()
    for at, count, effective in zip(
        found.places, found.counts.tolist(), left, strict=True
    ):
        table = found.tables[at.table]
        low, high = Uncertain(count, found.sd).interval
        numbers = (found.sd, low, high, effective)
        yield [
            *(str(each + 1) for each in at),
            guard_text(table.row_name(at.row)),
            guard_text(table.column_name(at.column)),
            str(count),
            *(f"{each:.{PLACES}f}" for each in numbers),
        ]


def _evidence(
    prepared: PreparedCounts,
    tables: Mapping[str, bytes],
    contents: Mapping[str, bytes],
) -> CountsEvidence:
    order, found = prepared.order, prepared.fuzzed
    noise = left = None
    if order.rule is not None and found is not None:
        noise = noise_facts(order.rule, is_kept=order.key_file is not None)
        left = _redundancy(found)
    bare = CountsEvidence(
        deidgui=__version__,
        created=(order.created or release_time()).isoformat(),
        title=order.title,
        notes=order.notes,
        notes_signed=order.notes_signed,
        inputs=order.inputs,
        validity=order.validity,
        questions=order.questions,
        outputs=tuple(_outputs(prepared, tables)),
        files=tuple(file_facts(contents)),
        noise=noise,
        redundancy=left,
        equations=tuple(_equations(prepared)),
        audit=order.audit,
        software=software(),
    )
    stated = bare.model_copy(
        update={"assumptions": assumptions_of(bare), "warnings": warnings_of(bare)}
    )
    stated = stated.model_copy(update={"parts": parts_of(stated)})
    # A report must be that of the evidence that is written, and of nothing else.
    content = canonical_json(stated.model_dump(mode="json"))
    return CountsEvidence.model_validate_json(content, strict=True)


def noise_facts(rule: NoiseRule, *, is_kept: bool = False) -> NoiseFacts:
    """Return what an evidence states about noise.

    Parameters
    ----------
    is_kept : bool
        Whether the key of noise that repeats is kept.
    """
    rho, epsilon = rule.guarantee or (None, None)
    params = {k: v for k, v in rule.params.items() if k not in ("sigma", "threshold")}
    key = ("kept_apart" if is_kept else "destroyed") if rule.is_keyed else None
    values, chances = rule.chances()
    mean = float(np.round(values @ chances, 9)) + 0.0
    return NoiseFacts.model_validate(
        {
            "kind": rule.kind,
            "words": rule.words(),
            "sigma": rule.sigma,
            "threshold": rule.threshold,
            "standard_deviation": rule.standard_deviation,
            "mean": mean,
            "key": key,
            "rho": rho,
            "epsilon": epsilon,
            **params,
        }
    )


def _redundancy(found: Fuzzed) -> Redundancy:
    is_weak = found.effective < ENOUGH * found.sd - 1e-9
    least = float(found.effective.min()) if len(found.effective) else found.sd
    return Redundancy(
        weakened=int(np.count_nonzero(is_weak)), least=round(least, PLACES)
    )


def _outputs(
    prepared: PreparedCounts, tables: Mapping[str, bytes]
) -> Iterator[CountsOutput]:
    found = prepared.fuzzed
    facts = file_facts(tables)
    for place, (table, fact) in enumerate(zip(prepared.tables, facts, strict=True)):
        rows, columns = table.shape
        has_sheet = bool(prepared.order.inputs[place].sheet)
        if found is None:
            shown = [cell for _r, _c, cell in table.counts() if cell.count is not None]
            n_hidden = sum(cell.count is None for _r, _c, cell in table.counts())
            n_counts, n_omitted, n_below = len(shown), 0, 0
        else:
            n_counts = _number(found.places, place)
            n_hidden = _number(found.masked, place)
            n_omitted = _number(found.omitted, place)
            own = np.array([at.table == place for at in found.places], np.bool_)
            n_below = int(np.count_nonzero(found.counts[own] < 0))
        yield CountsOutput(
            name=table.name,
            path=fact.path,
            bytes=fact.bytes,
            sha256=fact.sha256,
            rows=rows,
            columns=columns,
            counts=n_counts,
            masked=n_hidden,
            omitted=n_omitted,
            negative=n_below,
            excel=excel_name(fact.path) if has_sheet else "",
        )


def _number(places: Sequence[At], table: int) -> int:
    return sum(at.table == table for at in places)


def _equations(prepared: PreparedCounts) -> Iterator[Equation]:
    """Sums and repeated counts; with noise only those without a masked count."""
    found, audit = prepared.fuzzed, prepared.order.audit
    released = None if found is None else set(found.places)
    left_out = {each.cells for each in audit.left_out} if audit else set()
    for relation in prepared.order.relations:
        form = _EQUATIONS.get(relation.form)
        if form is None or tuple(map(tuple, relation.cells)) in left_out:
            continue
        if released is not None and not released.issuperset(relation.cells):
            continue
        yield Equation.model_validate(
            {
                "form": form,
                "words": words_of(relation, prepared.tables),
                "cells": tuple(tuple(at) for at in relation.cells),
            }
        )


# -- what is kept apart ----------------------------------------------------------------


def _kept_zeros(prepared: PreparedCounts, evidence: CountsEvidence) -> ExitStack:
    """Keep the table of true zeros for its owner alone, if that is wanted."""
    stack = ExitStack()
    file, found = prepared.order.zeros_file, prepared.fuzzed
    if file is None or found is None:
        return stack
    content = canonical_json(
        {
            "format": "deidgui-true-zeros",
            "version": 1,
            "release": {"sha256": [each.sha256 for each in evidence.outputs]},
            "zeros": [
                {
                    "table": found.tables[at.table].name,
                    "line": at.row + 1,
                    "column": at.column + 1,
                }
                for at in found.true_zeros
            ],
        }
    )
    stack.enter_context(kept_secret(file, content))
    return stack


NAME = "noise"
"""What a key of noise is called among keys."""

_MAX_BYTES = 10_000


class NoiseKeyFile(BaseModel):
    """What a file with a key of noise holds."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal["deidgui-noise-key"] = "deidgui-noise-key"
    version: Literal[1] = 1
    method: Literal["HMAC-SHA256"] = "HMAC-SHA256"
    secret: Annotated[str, Field(pattern="^[0-9a-f]{64}$")] = Field(repr=False)


def key_for(file: Path | None) -> PseudonymKey:
    """Return the key in a file, or a new one if there is no such file.

    Raises
    ------
    InputError
        Codes ``not_a_key`` or ``cannot_read``.
    ConfigError
        Code ``key_readable`` if others than its owner may read it.
    """
    if file is None or not file.exists():
        return PseudonymKey.draw(NAME)
    try:
        with file.open("rb") as opened:
            content = opened.read(_MAX_BYTES)
        mode = stat.S_IMODE(file.stat().st_mode)
    except OSError as error:
        raise cannot_read(file, error) from None
    try:
        found = NoiseKeyFile.model_validate_json(content, strict=True)
    except pydantic.ValidationError:
        raise InputError("not_a_key", file=file.name) from None
    if os.name == "posix" and mode & 0o077:
        raise ConfigError("key_readable", file=file.name)
    return PseudonymKey(NAME, bytes.fromhex(found.secret))


def check_place_of_key(folder: Path, file: Path | None) -> None:
    """See that a key does not lie in the release; a key that is there is used again.

    Raises
    ------
    ConfigError
        Code ``key_inside_release``.
    """
    if file is not None and file.exists():
        if file.resolve().is_relative_to(folder.resolve()):
            raise ConfigError("key_inside_release", file=file.name)
        return
    check_key(folder, file)


@contextmanager
def kept_key(file: Path | None, key: PseudonymKey | None) -> Iterator[None]:
    """Keep a new key; gone if the release fails after all."""
    if file is None or key is None or file.exists():
        yield
        return
    content = NoiseKeyFile(secret=key.secret.hex()).model_dump()
    with kept_secret(file, canonical_json(content)):
        yield
