"""How a release appears on disk: whole and verified, or not at all."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deidgui.app.project import Project
from deidgui.app.release.facts import (
    ReleaseOrder,
    evidence_of,
    file_facts,
    release_time,
)
from deidgui.app.release.folder import (
    check_place,
    kept_keys,
    part_folder,
    put_in_place,
    recover_folder,
    sync,
    write_synced,
    writing,
)
from deidgui.app.report import report_html, report_pdf
from deidgui.engine.evidence.document import Evidence, canonical_json
from deidgui.engine.evidence.evidence import mapping_files, policy_document
from deidgui.engine.evidence.folder import EVIDENCE, POLICY, REPORTS
from deidgui.engine.evidence.mapping import FOLDER, safe_name
from deidgui.engine.evidence.verify import Verification, verify_release
from deidgui.engine.transform.apply import Treatment, apply_policy
from deidgui.engine.transform.released import ReleasedTable, shuffle_order, write_csv
from deidgui.errors import InputError, VerificationError
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor
from deidgui.text import in_english

__all__ = [
    "ReleaseOrder",
    "WrittenRelease",
    "recover_folder",
    "release_time",
    "released_name",
    "treatments",
    "write_release",
]


@dataclass(frozen=True)
class WrittenRelease:
    """A release that is in place.

    Parameters
    ----------
    verification : Verification
        Of the very files that were moved into place.
    """

    folder: Path
    evidence: Evidence = field(repr=False)
    verification: Verification = field(repr=False)


def write_release(
    folder: Path, order: ReleaseOrder, *, monitor: Monitor = NULL_MONITOR
) -> WrittenRelease:
    """Write, verify and put into place a release.

    Parameters
    ----------
    folder : Path
        Does not exist, is empty, or holds an older release, which is replaced
        only when everything else has succeeded.

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
    recover_folder(folder)
    check_place(folder, order.key_file)
    _check_input(order, SubMonitor(monitor, 0.0, 0.05))
    with part_folder(folder) as part, writing(folder):
        (part / FOLDER).mkdir()
        released = _apply(order, SubMonitor(monitor, 0.05, 0.35))
        step = SubMonitor(monitor, 0.35, 0.6)
        evidence = _write_files(part, order, released, step)
        verification = verify_release(part, monitor=SubMonitor(monitor, 0.6, 0.99))
        _refuse_unverified(folder, verification)
        # The last chance to stop: what is in place is not called cancelled.
        monitor.report(1.0, "release")
        # What somebody has put there meanwhile must not go with an older release.
        check_place(folder, order.key_file)
        with kept_keys(order.key_file, released.keys, evidence):
            put_in_place(part, folder)
    return WrittenRelease(folder, evidence, verification)


# -- before ----------------------------------------------------------------------------


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
        suppressed=order.suppressed,
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
    member = file.rsplit("/", 1)[-1]
    endings = r"(\.(gz|zip|csv|tsv|tab|txt|dat))+$"
    stem = re.sub(endings, "", member, flags=re.IGNORECASE)
    return f"{safe_name(stem)}_released.csv"


def _write_files(
    part: Path, order: ReleaseOrder, released: ReleasedTable, monitor: Monitor
) -> Evidence:
    """Write all files of a release; the evidence states what was written."""
    name = released_name(order.table.name)
    with (part / name).open("wb") as file:
        written = write_csv(released, file, monitor=SubMonitor(monitor, 0.0, 0.9))
        sync(file)
    with in_english():
        policy = canonical_json(_policy(order))
        contents = {POLICY: policy, **mapping_files(order.applied)}
        evidence = evidence_of(order, released, name, written, contents)
    for path, content in contents.items():
        write_synced(part / path, content)
    monitor.report(0.92, "report")
    reports = {REPORTS[0]: report_html(evidence)}
    monitor.report(0.95, "report")
    reports[REPORTS[1]] = report_pdf(evidence)
    for path, content in reports.items():
        write_synced(part / path, content)
    # The reports show the evidence as it was before it vouched for them.
    evidence = evidence.model_copy(
        update={"files": (*evidence.files, *file_facts(reports))}
    )
    write_synced(part / EVIDENCE, canonical_json(evidence.model_dump(mode="json")))
    monitor.report(1.0, "report")
    return evidence


def _policy(order: ReleaseOrder) -> dict[str, Any]:
    return policy_document(order.applied, order.suppressed, order.figures.acceptance)


def _refuse_unverified(folder: Path, verification: Verification) -> None:
    if not verification.ok:
        codes = tuple(dict.fromkeys(check.code for check in verification.failed))
        raise VerificationError(
            "release_not_verified", folder=folder.name, failed=codes
        )
