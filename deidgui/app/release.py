"""How a release appears on disk: whole and verified, or not at all."""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import BinaryIO, Literal

from deidgui.app.files import cannot_write
from deidgui.app.project import Attribute, Project
from deidgui.app.report import report_html, report_pdf
from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.data.csv_write import WriteReport
from deidgui.engine.data.table import Table
from deidgui.engine.evidence import document
from deidgui.engine.evidence.canonical import canonical_json
from deidgui.engine.evidence.document import Evidence
from deidgui.engine.evidence.evidence import (
    Applied,
    Decisions,
    Figures,
    build_evidence,
    mapping_files,
    policy_document,
    quasi_identifier,
)
from deidgui.engine.evidence.folder import EVIDENCE, POLICY, REPORTS, ReleaseFolder
from deidgui.engine.evidence.mapping import FOLDER, safe_name
from deidgui.engine.evidence.verify import Verification, verify_release
from deidgui.engine.policy.policy import Policy
from deidgui.engine.transform.apply import Treatment, apply_policy
from deidgui.engine.transform.order import shuffle_order
from deidgui.engine.transform.pseudonyms import PseudonymKey
from deidgui.engine.transform.released import ReleasedTable
from deidgui.engine.transform.spreadsheet import guard_text
from deidgui.engine.transform.writing import write_csv
from deidgui.errors import ConfigError, InputError, VerificationError
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

_STALE_S = 86_400
"""Leftovers of a crash are removed after a day."""

MISSING_WORDS = {
    "own_category": (
        "A missing value counts as a value of its own: a record without it matches "
        "only other records without it."
    ),
    "anything": (
        "A missing value matches every value: an attacker who knows the value cannot "
        "rule the record out."
    ),
}


@dataclass(frozen=True, eq=False, repr=False)
class ReleaseOrder:
    """Everything a release is made from.

    Parameters
    ----------
    project : Project
        With all decisions made (see `tasks.check_release`).
    input_path : Path
        The file that was read.
    input_sha256 : str
        Of its bytes when it was read.
    table : Table
        Missing texts marked as the project says.
    class_table : ClassTable
    policy : Policy
    figures : Figures
    created : datetime or None
        Stands in evidence and report; None takes `release_time`.
    key_file : Path or None
        Where keys of pseudonyms are kept; None destroys them.
    """

    project: Project
    input_path: Path
    input_sha256: str
    table: Table
    class_table: ClassTable
    policy: Policy
    figures: Figures
    created: datetime | None = None
    key_file: Path | None = None

    @cached_property
    def applied(self) -> Applied:
        """The policy on the classes, texts written as in the release."""
        safe = self.project.export.spreadsheet_safe
        return Applied(self.class_table, self.policy, guard_text if safe else str)

    @property
    def withheld(self) -> Literal["stars", "left_out"]:
        """Whether withheld records stay as rows of stars."""
        assert self.project.export.withheld is not None, "decided before release"
        return self.project.export.withheld


@dataclass(frozen=True)
class WrittenRelease:
    """A release that is in place.

    Parameters
    ----------
    folder : Path
    evidence : Evidence
    verification : Verification
        Of the very files that were moved into place.
    """

    folder: Path
    evidence: Evidence = field(repr=False)
    verification: Verification = field(repr=False)


def release_time() -> datetime:
    """Time that a release states: ``SOURCE_DATE_EPOCH`` if set, else now (UTC)."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    if epoch.isascii() and epoch.isdigit():
        return datetime.fromtimestamp(int(epoch), UTC)
    return datetime.now(UTC).replace(microsecond=0)


def write_release(
    folder: Path, order: ReleaseOrder, *, monitor: Monitor = NULL_MONITOR
) -> WrittenRelease:
    """Write, verify and put into place a release.

    Parameters
    ----------
    folder : Path
        Does not exist, is empty, or holds an older release, which is replaced
        only when everything else has succeeded.
    order : ReleaseOrder
    monitor : Monitor, optional

    Returns
    -------
    WrittenRelease

    Raises
    ------
    InputError
        Code ``input_changed_since_read`` or ``cannot_read`` for the input file.
    ConfigError
        Codes ``folder_in_use``, ``key_inside_release`` or those of
        `apply_policy`.
    ResourceError
        Code ``cannot_write``.
    VerificationError
        Code ``release_not_verified``: what was written does not measure as
        stated. Nothing is left behind in all these cases.
    """
    recover_release(folder)
    _check_place(folder, order.key_file)
    _check_input(order, SubMonitor(monitor, 0.0, 0.05))
    with _part_folder(folder) as part, _writing(folder):
        released = _apply(order, SubMonitor(monitor, 0.05, 0.35))
        step = SubMonitor(monitor, 0.35, 0.6)
        evidence = _write_files(part, order, released, step)
        verification = verify_release(part, monitor=SubMonitor(monitor, 0.6, 0.99))
        _refuse_unverified(folder, verification)
        with _key_file(order.key_file, released.keys, evidence):
            _put_in_place(part, folder)
    monitor.report(1.0, "release")
    return WrittenRelease(folder, evidence, verification)


# -- before ----------------------------------------------------------------------------


def _check_place(folder: Path, key_file: Path | None) -> None:
    if folder.is_symlink() or (folder.exists() and not _may_replace(folder)):
        raise ConfigError("folder_in_use", folder=folder.name)
    if key_file is not None:
        inside = key_file.resolve().is_relative_to(folder.resolve())
        if inside or key_file.exists():
            code = "key_inside_release" if inside else "key_file_exists"
            raise ConfigError(code, file=key_file.name)


def _may_replace(folder: Path) -> bool:
    """Whether a folder is empty, or one of our releases and nothing else."""
    if not folder.is_dir():
        return False
    if not any(folder.iterdir()):
        return True
    try:
        content = json.loads((folder / EVIDENCE).read_bytes())
        listed = [*content["outputs"], *content.get("files", [])]
        ours = {str(each["path"]) for each in listed} | {EVIDENCE, POLICY, *REPORTS}
        is_release = content["format"] == document.FORMAT
        found = ReleaseFolder(folder).listing()
    except (OSError, ValueError, KeyError, TypeError, RecursionError, InputError):
        return False
    return is_release and found <= ours


def _check_input(order: ReleaseOrder, monitor: Monitor) -> None:
    digest = hashlib.sha256()
    path = order.input_path
    try:
        size, done = max(path.stat().st_size, 1), 0
        with path.open("rb") as file:
            while block := file.read(1 << 22):
                digest.update(block)
                done += len(block)
                monitor.report(min(1.0, done / size), "hash")
    except OSError as error:
        raise InputError(
            "cannot_read", file=path.name, reason=error.strerror or ""
        ) from None
    if digest.hexdigest() != order.input_sha256:
        raise InputError("input_changed_since_read", file=path.name)


# -- content ---------------------------------------------------------------------------


def _apply(order: ReleaseOrder, monitor: Monitor) -> ReleasedTable:
    export = order.project.export
    shuffled = None
    if export.shuffle:
        monitor.report(0.0, "shuffle")
        shuffled = shuffle_order(order.table.n_rows, export.shuffle_seed)
    return apply_policy(
        order.table,
        order.class_table,
        order.policy,
        treatments(order.project),
        withheld=order.withheld,
        order=shuffled,
        spreadsheet_safe=export.spreadsheet_safe,
        monitor=SubMonitor(monitor, 0.1, 1.0),
    )


def treatments(project: Project) -> dict[str, Treatment]:
    """What happens to the included columns that are no quasi-identifiers."""
    found: dict[str, Treatment] = {
        attribute.name: "keep"
        for attribute in project.with_role("sensitive", "insensitive")
    }
    for attribute in project.with_role("direct_identifier"):
        found[attribute.name] = attribute.treatment or "remove"
    return found


def released_name(file: str) -> str:
    """Name of the released table: ``patients.csv.gz`` → ``patients_released.csv``."""
    stem = re.sub(r"(\.(gz|zip|csv|tsv|tab|txt|dat))+$", "", file, flags=re.IGNORECASE)
    return f"{safe_name(stem)}_released.csv"


def _write_files(
    part: Path, order: ReleaseOrder, released: ReleasedTable, monitor: Monitor
) -> Evidence:
    """Write all files of a release; the evidence states what was written."""
    name = released_name(order.table.name)
    with (part / name).open("wb") as file:
        written = write_csv(released, file, monitor=SubMonitor(monitor, 0.0, 0.9))
        _sync(file)
    policy = canonical_json(policy_document(order.applied, order.withheld))
    contents = {POLICY: policy, **mapping_files(order.applied)}
    for path, content in contents.items():
        _write(part / path, content)
    evidence = _evidence(order, released, name, written, contents)
    monitor.report(0.92, "report")
    reports = {REPORTS[0]: report_html(evidence)}
    monitor.report(0.95, "report")
    reports[REPORTS[1]] = report_pdf(evidence)
    for path, content in reports.items():
        _write(part / path, content)
    # The reports show the evidence as it was before it vouched for them.
    evidence = evidence.model_copy(
        update={"files": (*evidence.files, *_facts(reports))}
    )
    _write(part / EVIDENCE, canonical_json(evidence.model_dump(mode="json")))
    monitor.report(1.0, "report")
    return evidence


def _facts(contents: dict[str, bytes]) -> list[document.File]:
    return [
        document.File(
            path=path, bytes=len(content), sha256=hashlib.sha256(content).hexdigest()
        )
        for path, content in contents.items()
    ]


def _evidence(
    order: ReleaseOrder,
    released: ReleasedTable,
    name: str,
    written: WriteReport,
    contents: dict[str, bytes],
) -> Evidence:
    output = document.Output(
        path=name,
        bytes=written.n_bytes,
        sha256=written.sha256,
        rows=written.n_rows,
        columns=released.column_names,
    )
    return build_evidence(
        order.applied,
        _attributes(order),
        [_input(order)],
        [output],
        _facts(contents),
        order.figures,
        _decisions(order),
    )


def _input(order: ReleaseOrder) -> document.Input:
    known = order.project.inputs[0] if order.project.inputs else None
    return document.Input(
        file=order.input_path.name,
        member=known.member if known else None,
        bytes=order.input_path.stat().st_size,
        sha256=order.input_sha256,
        rows=order.table.n_rows,
        columns=len(order.table.columns),
    )


def _decisions(order: ReleaseOrder) -> Decisions:
    project = order.project
    privacy, export = project.privacy, project.export
    if not export.shuffle:
        row_order: Literal["input", "random", "seeded"] = "input"
    else:
        row_order = "random" if export.shuffle_seed is None else "seeded"
    return Decisions(
        title=project.name,
        notes=project.notes,
        thresholds=document.Thresholds(
            recipient=privacy.threshold.recipient,
            at_risk=privacy.threshold.at_risk,
            suppression_limit=privacy.suppression_limit,
            set_by=privacy.threshold.set_by,
            justification=privacy.threshold.justification,
        ),
        missing=document.Missing(
            matches=privacy.missing_matches,
            words=MISSING_WORDS[privacy.missing_matches],
        ),
        withheld=order.withheld,
        row_order=row_order,
        spreadsheet_safe=export.spreadsheet_safe,
        created=(order.created or release_time()).isoformat(),
    )


def _attributes(order: ReleaseOrder) -> list[document.Attribute]:
    return [
        _attribute(order, order.project.attribute(column.name))
        for column in order.table.columns
    ]


def _attribute(order: ReleaseOrder, attribute: Attribute) -> document.Attribute:
    column = order.table.column(attribute.name)
    n_missing = column.n_missing
    if attribute.include and attribute.role == "quasi_identifier":
        return quasi_identifier(
            order.applied,
            attribute.name,
            type=attribute.kind,
            confirmed=attribute.confirmed,
            weight=attribute.weight,
            missing_as=attribute.missing,
            missing_records=n_missing,
        )
    treatment = _treatment(attribute)
    is_released = treatment not in ("removed", "left_out")
    key: Literal["destroyed", "kept_apart"] | None = None
    if treatment == "pseudonym":
        key = "kept_apart" if order.key_file else "destroyed"
    return document.Attribute(
        name=attribute.name,
        released_as=order.applied.write(attribute.name) if is_released else None,
        role=attribute.role,
        treatment=treatment,
        type=attribute.kind,
        confirmed=attribute.confirmed,
        words=_TREATMENT_WORDS[treatment],
        missing_as=attribute.missing,
        missing_records=n_missing,
        key=key,
    )


_OtherTreatment = Literal["kept", "pseudonym", "mask", "removed", "left_out"]
_TREATMENT_WORDS: dict[_OtherTreatment, str] = {
    "kept": "as it is",
    "pseudonym": "replaced by a keyed code",
    "mask": "every value replaced by *",
    "removed": "not released",
    "left_out": "not released",
}


def _treatment(attribute: Attribute) -> _OtherTreatment:
    if not attribute.include or attribute.role is None:
        return "left_out"
    if attribute.role != "direct_identifier":
        return "kept"
    if attribute.treatment is None or attribute.treatment == "remove":
        return "removed"
    return attribute.treatment


# -- disk ------------------------------------------------------------------------------


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    """Turn what the disk refuses into an error with a name."""
    try:
        yield
    except OSError as error:
        raise cannot_write(folder, error) from None


@contextmanager
def _part_folder(folder: Path) -> Iterator[Path]:
    """Folder beside the release; gone afterwards unless it was moved away."""
    part = folder.with_name(f".{folder.name}.part-{secrets.token_hex(4)}")
    try:
        part.parent.mkdir(parents=True, exist_ok=True)
        part.mkdir()
        (part / FOLDER).mkdir()
    except OSError as error:
        shutil.rmtree(part, ignore_errors=True)
        raise cannot_write(folder, error) from None
    try:
        yield part
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _write(path: Path, content: bytes) -> None:
    with path.open("wb") as file:
        file.write(content)
        _sync(file)


def _sync(file: BinaryIO) -> None:
    file.flush()
    os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    """Make the names in a folder survive a power cut (Windows: not possible)."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _refuse_unverified(folder: Path, verification: Verification) -> None:
    if not verification.ok:
        codes = tuple(dict.fromkeys(check.code for check in verification.failed))
        raise VerificationError(
            "release_not_verified", folder=folder.name, failed=codes
        )


def _put_in_place(part: Path, folder: Path) -> None:
    """Move a finished release to its place; an older one is back on failure."""
    _sync_folder(part / FOLDER)
    _sync_folder(part)
    aside = folder.with_name(f".{folder.name}.old-{secrets.token_hex(4)}")
    had_older = folder.exists()
    if had_older:
        folder.rename(aside)
    try:
        part.rename(folder)
        _sync_folder(folder.parent)
    except BaseException:
        if had_older:
            if folder.exists():
                folder.rename(part)
            aside.rename(folder)
        raise
    if had_older:
        shutil.rmtree(aside, ignore_errors=True)


def recover_release(folder: Path) -> None:
    """Put back an older release that a power cut left aside; remove old leftovers.

    Raises
    ------
    ResourceError
        Code ``cannot_write``.
    """
    if not folder.parent.is_dir():
        return
    ours = re.compile(rf"\.{re.escape(folder.name)}\.(old|part)-[0-9a-f]{{8}}")
    with _writing(folder):
        left = [each for each in folder.parent.iterdir() if ours.fullmatch(each.name)]
        asides = sorted(each for each in left if ".old-" in each.name[-13:])
        if asides and not folder.exists():
            asides[-1].rename(folder)
            left.remove(asides[-1])
        for each in left:
            if time.time() - each.stat().st_mtime > _STALE_S:
                shutil.rmtree(each, ignore_errors=True)


@contextmanager
def _key_file(
    path: Path | None, keys: tuple[PseudonymKey, ...], evidence: Evidence
) -> Iterator[None]:
    """Keep the keys for their owner alone; gone if the release fails after all."""
    if path is None or not keys:
        yield
        return
    content = canonical_json(
        {
            "format": "deidgui-pseudonym-keys",
            "version": 1,
            "method": "HMAC-SHA256, first 80 bits, base32",
            "release": {"sha256": evidence.outputs[0].sha256},
            "keys": {key.column: key.secret.hex() for key in keys},
        }
    )
    try:
        # PRIVACY: readable for nobody else from the moment it exists.
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise cannot_write(path, error) from None
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            _sync(file)
        yield
    except BaseException:
        path.unlink(missing_ok=True)
        raise
