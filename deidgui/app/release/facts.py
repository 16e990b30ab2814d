"""What is known about a release before and after it is written."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Literal

from deidgui.app.project import Attribute, Project
from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.data.csv_write import WriteReport
from deidgui.engine.data.table import Table
from deidgui.engine.evidence import document
from deidgui.engine.evidence.document import Evidence
from deidgui.engine.evidence.evidence import (
    Applied,
    Decisions,
    ReleaseFigures,
    build_evidence,
    quasi_identifier,
)
from deidgui.engine.policy.policy import Policy
from deidgui.engine.transform.released import ReleasedTable
from deidgui.engine.transform.spreadsheet import guard_text
from deidgui.text import Text, tr

MISSING_WORDS: Mapping[str, Text] = {
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
        With all decisions made (see `check_release`).
    input_path : Path
        The file that was read.
    input_sha256 : str
        Of its bytes when it was read.
    table : Table
        Missing texts marked as the project says.
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
    figures: ReleaseFigures
    created: datetime | None = None
    key_file: Path | None = None

    @cached_property
    def applied(self) -> Applied:
        """The policy on the classes, texts written as in the release."""
        safe = self.project.export.spreadsheet_safe
        return Applied(self.class_table, self.policy, guard_text if safe else str)

    @property
    def suppressed(self) -> Literal["stars", "left_out"]:
        """Whether suppressed records stay as rows of stars."""
        decided = self.project.export.suppressed
        if self.policy.is_joined:
            # Nothing is suppressed: either would do, and nobody need choose.
            return decided or "stars"
        assert decided is not None, "decided before release"
        return decided


def release_time() -> datetime:
    """Time that a release states: ``SOURCE_DATE_EPOCH`` if set, else now (UTC)."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    if epoch.isascii() and epoch.isdigit():
        return datetime.fromtimestamp(int(epoch), UTC)
    return datetime.now(UTC).replace(microsecond=0)


def evidence_of(
    order: ReleaseOrder,
    released: ReleasedTable,
    name: str,
    written: WriteReport,
    contents: Mapping[str, bytes],
) -> Evidence:
    """Evidence of a release whose table has just been written.

    Parameters
    ----------
    name : str
        File of the released table.
    written : WriteReport
        What was written to it.
    contents : mapping of str to bytes
        The other files so far.
    """
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
        [_input(order), *_population_input(order)],
        [output],
        file_facts(contents),
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


def _population_input(order: ReleaseOrder) -> list[document.Input]:
    """File of the population, if there is one, with the columns that were used."""
    project = order.project
    population = project.privacy.population
    file = population.file
    if file is None:
        return []
    used = {population.column_of(each.name) for each in project.quasi_identifiers}
    return [
        document.Input(
            name="population",
            file=Path(file.file).name,
            member=file.member,
            bytes=file.n_bytes,
            sha256=file.sha256,
            rows=file.n_rows,
            columns=len(used | {population.count_column} - {None}),
        )
    ]


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
            words=tr(MISSING_WORDS[privacy.missing_matches]),
        ),
        suppressed=order.suppressed,
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
        words=tr(_TREATMENT_WORDS[treatment]),
        missing_as=attribute.missing,
        missing_records=n_missing,
        key=key,
    )


_OtherTreatment = Literal["kept", "pseudonym", "mask", "removed", "left_out"]
_TREATMENT_WORDS: dict[_OtherTreatment, Text] = {
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


def file_facts(contents: Mapping[str, bytes]) -> list[document.File]:
    """Path, size and hash of files that were written."""
    return [
        document.File(
            path=path, bytes=len(content), sha256=hashlib.sha256(content).hexdigest()
        )
        for path, content in contents.items()
    ]
