"""How a release appears on disk: whole and verified, or not at all."""

from __future__ import annotations

import ctypes
import hashlib
import os
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, TypeVar

import numpy as np

from deidgui.app import report
from deidgui.app.loaded import Loaded, LoadedPeople
from deidgui.app.project import Attribute, InputFile, Project
from deidgui.app.reading.linking import EVENTS, PEOPLE
from deidgui.app.release import replacing
from deidgui.app.release.folder import (
    check_key,
    check_standing,
    kept_keys,
    part_folder,
    put_in_place,
    recover_folder,
    writing,
)
from deidgui.app.release.neutral import NeutralNames
from deidgui.app.release.replacing import Standing
from deidgui.app.release.staging import Staged, staged
from deidgui.app.release.verifying import verify
from deidgui.app.release.wording import MISSING_WORDS, TREATMENT_WORDS
from deidgui.engine.arrays import IntArray
from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.data.table import Column, Table
from deidgui.engine.detect.texts import KINDS, look_into_cells
from deidgui.engine.evidence import document
from deidgui.engine.evidence.counts_document import CountsEvidence
from deidgui.engine.evidence.document import (
    Evidence,
    as_read,
    canonical_json,
    parts_of,
)
from deidgui.engine.evidence.evidence import (
    Applied,
    Decisions,
    ReleaseFigures,
    build_evidence,
    mapping_files,
    policy_document,
    quasi_identifier,
)
from deidgui.engine.evidence.folder import EVIDENCE, POLICY, REPORTS
from deidgui.engine.evidence.mapping import FOLDER, safe_name
from deidgui.engine.evidence.verify import Verification
from deidgui.engine.policy.policy import Policy
from deidgui.engine.preparation import Effect, Step
from deidgui.engine.transform.apply import Treatment, apply_policy
from deidgui.engine.transform.pseudonyms import PseudonymsAhead
from deidgui.engine.transform.released import ReleasedTable, shuffle_order, write_csv
from deidgui.engine.transform.spreadsheet import guard_text
from deidgui.errors import InputError, VerificationError
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor
from deidgui.text import in_english, tr

AnyEvidence = TypeVar("AnyEvidence", Evidence, CountsEvidence)


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
        Prepared, missing texts marked as the project says.
    effects : tuple of Effect
        What each step of the preparation did.
    created : datetime or None
        Stands in evidence and report; None takes `release_time`.
    key_file : Path or None
        Where keys of pseudonyms are kept; None destroys them.
    others : tuple of Path
        Further files that the release is made from.
    n_rows : int or None
        Rows of the file, if the table is a sample of them.
    people : LoadedPeople or None
        The file of people that was linked to the input.
    ahead : PseudonymsAhead or None
        Makes the pseudonyms of the release; None makes them as it is written.
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
    others: tuple[Path, ...] = ()
    n_rows: int | None = None
    people: LoadedPeople | None = None
    effects: tuple[Effect, ...] = ()
    ahead: PseudonymsAhead | None = None

    @property
    def read_files(self) -> dict[Path, str]:
        """SHA-256 of the files that the table was made of."""
        found = {self.input_path: self.input_sha256}
        if self.people is not None:
            files = self.people.files
            found |= {p: files[name].sha256 for name, p in self.people.paths.items()}
        return found

    @cached_property
    def known_by(self) -> replacing.KnownProject:
        """By what an earlier release of the same project is known."""
        hashes = {each.sha256 for each in _population_input(self)}
        return replacing.KnownProject(
            title=self.title,
            columns=tuple(each.name for each in _attributes(self)),
            files=(*self.read_files, *self.others),
            sha256={*self.read_files.values(), *hashes},
        )

    @cached_property
    def applied(self) -> Applied:
        """The policy on the classes, texts written as in the release."""
        safe = self.project.export.spreadsheet_safe
        write = guard_text if safe else str
        return Applied(
            self.class_table,
            self.policy,
            write,
            self.table,
            self.positions,
            any(each.header_confirmed for each in self.project.inputs),
        )

    @property
    def rows_read(self) -> int:
        """Rows of the file, before any step and any sample."""
        if self.effects:
            return self.effects[0].rows_before
        return self.table.n_rows if self.n_rows is None else self.n_rows

    @property
    def positions(self) -> Mapping[str, int]:
        """Place of every column of the input, from 1."""
        return {name: n for n, name in enumerate(self.table.column_names, start=1)}

    @cached_property
    def names(self) -> NeutralNames:
        """What is told of names that do not leave the house."""
        attributes = map(self.project.attribute, self.table.column_names)
        hidden = {e.name for e in attributes if _treatment(e) in _NOT_RELEASED}
        with in_english():
            return NeutralNames(hidden, self.table.column_names)

    @cached_property
    def project_columns(self) -> frozenset[str]:
        """Names of the columns that the project decides about."""
        return frozenset(each.name for each in self.project.attributes)

    @property
    def table_name(self) -> str:
        """Name of the input, from which that of the released table is made."""
        return self.names.file(self.table.name.rsplit("/", 1)[-1], "table")

    @property
    def linked_inputs(self) -> tuple[OtherInput, ...]:
        """Files beside the first one: of linked tables the people, then other events.

        PRIVACY: the project names these inputs after their files; evidence does not.
        """
        if self.people is None:
            return ()
        loaded = [self.people.alone, *(each.alone for each in self.people.further)]
        files = self.people.files.items()
        roles = [PEOPLE, *(f"{EVENTS}{n}" for n in range(2, len(loaded) + 1))]
        return tuple(
            OtherInput(
                name,
                role,
                self.names.file(each.path.name, role),
                self.names.file(each.table.name.rsplit("/", 1)[-1], role),
                each,
                file,
            )
            for (name, file), role, each in zip(files, roles, loaded, strict=True)
        )

    def role_of(self, table: str) -> str:
        """How evidence calls an input of the project."""
        known = {each.name: each.role for each in self.linked_inputs}
        return known.get(table, EVENTS)

    @property
    def title(self) -> str:
        """Name of the project; one that was taken from a telling file is not told."""
        name, file = self.project.name, self.table.name.rsplit("/", 1)[-1]
        is_of_file = file.split(".")[0] == name
        return "" if is_of_file and self.names.is_telling(name) else name

    @property
    def suppressed(self) -> Literal["stars", "left_out"]:
        """Whether suppressed records stay as rows of stars."""
        decided = self.project.export.suppressed
        if self.policy.is_joined or self.project.privacy.events is not None:
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
    outputs: Sequence[document.Output],
    contents: Mapping[str, bytes],
    cells: document.CellsSearched | None = None,
) -> Evidence:
    """Evidence of a release whose tables have just been written.

    Parameters
    ----------
    outputs : sequence of Output
        The released tables.
    contents : mapping of str to bytes
        The other files so far.
    cells : Cells, optional
        What stands in these tables.
    """
    stated = build_evidence(
        order.applied,
        _attributes(order),
        [*_inputs(order), *_population_input(order)],
        outputs,
        file_facts(contents),
        replace(
            order.figures,
            link=link_facts(order),
            cells=cells,
            questions=_questions(order),
        ),
        _decisions(order),
    )
    return stated.model_copy(update={"parts": parts_of(stated)})


@dataclass(frozen=True, repr=False)
class OtherInput:
    """A file beside the first one.

    Parameters
    ----------
    name, role : str
        As the project calls it, and as evidence does.
    file_name, table_name : str
        Of the file, and of the table in it (another one in an archive).
    """

    name: str
    role: str
    file_name: str
    table_name: str
    loaded: Loaded
    file: InputFile


def _questions(order: ReleaseOrder) -> list[document.AnsweredQuestion]:
    """What was asked, by names of columns that may be handed out."""
    column = order.names.column
    return [
        each.model_copy(update={"column": column(each.column)})
        for each in order.figures.questions
    ]


def link_facts(order: ReleaseOrder) -> document.Link | None:
    """Return what is known of the link of several tables."""
    links, people = order.project.links, order.people
    if people is None:
        return None
    return document.Link(
        orphans=sum(each.n_orphans for each in links),
        keyless=sum(each.n_keyless for each in links),
        people_without_events=people.n_without_events,
    )


def _inputs(order: ReleaseOrder) -> list[document.Input]:
    """The file of the table, and those that it is linked to."""
    project, people = order.project, order.people
    known = project.inputs[0] if project.inputs else None
    n_columns = len(order.table.columns)
    n_rows = order.rows_read
    if people is not None:
        n_columns = len(columns_of_table(order, EVENTS))
        n_rows = people.events.table.n_rows
    found = [
        document.Input(
            file=order.names.file(order.input_path.name, "input"),
            member=order.table_name if known and known.member else None,
            bytes=order.input_path.stat().st_size,
            sha256=order.input_sha256,
            rows=n_rows,
            columns=n_columns,
            left_out=known.n_left_out if known else 0,
        )
    ]
    found += [
        document.Input(
            name=each.role,
            file=each.file_name,
            member=each.file.member and each.table_name,
            bytes=each.loaded.path.stat().st_size,
            sha256=each.file.sha256,
            rows=each.loaded.table.n_rows,
            columns=len(columns_of_table(order, each.name)),
            left_out=each.file.n_left_out,
        )
        for each in order.linked_inputs
    ]
    return found


def columns_of_table(order: ReleaseOrder, name: str) -> tuple[str, ...]:
    """Columns that come from one of the linked inputs: the key from both."""
    project = order.project
    return tuple(
        each
        for each in order.table.column_names
        if project.attribute(each).table == name or each == project.key
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
            file=order.names.file(Path(file.file).name, "population"),
            member=file.member and order.names.file(file.member, "population"),
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
        title=order.title,
        notes=project.notes,
        notes_signed=project.notes_signed,
        thresholds=document.Thresholds(
            recipient=privacy.threshold.recipient,
            at_risk=privacy.threshold.at_risk,
            suppression_limit=privacy.suppression_limit,
            set_by=privacy.threshold.set_by,
            set_on=privacy.threshold.set_on,
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
        preparation=[
            _step(order, effect, order.effects[place + 1 :])
            for place, effect in enumerate(order.effects)
        ],
    )


def _step(
    order: ReleaseOrder, effect: Effect, later: Sequence[Effect]
) -> document.PreparationStep:
    """Evidence about one step of the preparation.

    Only columns whose values are released as the step left them can be compared:
    the label of a group or of a level may begin as a listed code does. That people
    have one value shows in labels, too.
    PRIVACY: names of columns that are not released are not told, nor periods of a
    column that is not released as it is.

    Parameters
    ----------
    later : sequence of Effect
        Of the steps after it.
    """
    checked = effect.step.checked(effect)
    names = [n for n in checked.pop("columns", ()) if n in order.project_columns]
    again = {name for each in later for name in each.step.retyped}
    attributes = [order.project.attribute(name) for name in names]
    shown = [e for e in attributes if e.name not in again and _is_kept(order, e)]
    if checked.get("one_value"):
        shown = [each for each in attributes if _treatment(each) not in _NOT_RELEASED]
    if "cuts" in checked and shown != attributes:
        del checked["cuts"]
    return document.PreparationStep(
        kind=effect.step.kind,
        words=effect.words(order.names.column),
        rows_before=effect.rows_before,
        rows_after=effect.rows_after,
        people_before=effect.people_before,
        people_after=effect.people_after,
        cells_changed=effect.cells,
        figures=dict(effect.figures),
        checked=document.CheckedStep(
            table=_table_of_step(order, effect.step),
            columns=tuple(order.applied.write(each.name) for each in shown),
            **checked,
        ),
        key=effect.step.key,
    )


def _table_of_step(order: ReleaseOrder, step: Step) -> str:
    """Released table of the events that a step counts."""
    known = order.project_columns
    read = (order.project.attribute(n) for n in step.columns_read if n in known)
    tables = (each.table for each in read if each.table != PEOPLE)
    return order.role_of(next(tables, EVENTS))


def _is_kept(order: ReleaseOrder, attribute: Attribute) -> bool:
    """Whether the values of a column are released as they are."""
    if attribute.role == "quasi_identifier":
        is_lowest = order.policy.levels.get(attribute.name) == 0
        return attribute.include and is_lowest
    return _treatment(attribute) == "kept"


def _attributes(order: ReleaseOrder) -> list[document.Attribute]:
    return [
        _attribute(order, order.project.attribute(column.name))
        for column in order.table.columns
    ]


def _attribute(order: ReleaseOrder, attribute: Attribute) -> document.Attribute:
    column = order.table.column(attribute.name)
    n_missing, position = column.n_missing, order.positions[attribute.name]
    if attribute.include and attribute.role == "quasi_identifier":
        return quasi_identifier(
            order.applied,
            attribute.name,
            position=position,
            type=attribute.kind,
            confirmed=attribute.confirmed,
            taken_over=attribute.taken_over,
            weight=attribute.weight,
            table=order.role_of(attribute.table),
            missing_as=attribute.missing,
            missing_records=n_missing,
        )
    treatment = _treatment(attribute)
    is_released = treatment not in _NOT_RELEASED
    key: Literal["destroyed", "kept_apart"] | None = None
    if treatment == "pseudonym":
        key = "kept_apart" if order.key_file else "destroyed"
    return document.Attribute(
        name=order.names.column(attribute.name),
        position=position,
        released_as=order.applied.write(attribute.name) if is_released else None,
        role=attribute.role,
        treatment=treatment,
        type=attribute.kind,
        confirmed=attribute.confirmed,
        taken_over=attribute.taken_over,
        words=tr(TREATMENT_WORDS[treatment]),
        missing_as=attribute.missing if is_released else (),
        missing_records=n_missing if is_released else 0,
        key=key,
        table=order.role_of(attribute.table),
    )


_OtherTreatment = Literal["kept", "pseudonym", "mask", "removed", "left_out"]
_NOT_RELEASED = ("removed", "left_out")


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
    folder: Path,
    order: ReleaseOrder,
    *,
    given_up: Standing | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> WrittenRelease:
    """Write, verify and put into place a release.

    Parameters
    ----------
    folder : Path
        Does not exist, is empty, or holds an older release of the same project as
        it was written, which is replaced only when everything else has succeeded.
    given_up : Standing, optional
        What else a person has seen in the folder and given up: exactly that.

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
    standing = check_place(folder, order, given_up)
    _check_input(order, SubMonitor(monitor, 0.0, 0.05))
    with writing(folder), part_folder(folder) as part, staged(part) as files:
        (part / FOLDER).mkdir()
        released = _apply(order, SubMonitor(monitor, 0.05, 0.35))
        give_back_memory()
        step = SubMonitor(monitor, 0.35, 0.6)
        evidence, reports = _write_files(files, order, released, step)
        keys = released.keys
        del released  # PERF: of ten million rows it holds half a gigabyte
        give_back_memory()
        step = SubMonitor(monitor, 0.6, 1.0)
        verification = verify_staged(folder, part, files, reports, step)
        check_key(folder, order.key_file)
        with kept_keys(order.key_file, keys, evidence):
            put_in_place(part, folder, standing)
    return WrittenRelease(folder, evidence, verification)


def give_back_memory() -> None:
    """Give memory that is free back to the system, where its library keeps it (Linux).

    PERF: of a release of ten million rows it keeps half a gigabyte between two steps.
    """
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)


# -- before ----------------------------------------------------------------------------


def check_place(
    folder: Path, order: ReleaseOrder, given_up: Standing | None = None
) -> Standing:
    """See that a release may be written to a folder, and its keys to a file.

    Returns
    -------
    Standing
        What will be replaced.

    Raises
    ------
    ConfigError
        Code ``folder_in_use`` with what would be lost, and those of `check_key`.
    """
    standing = check_standing(folder, order.known_by, given_up)
    check_key(folder, order.key_file)
    return standing


def _check_input(order: ReleaseOrder, monitor: Monitor) -> None:
    n_files = len(order.read_files)
    for place, (path, sha256) in enumerate(order.read_files.items()):
        step = SubMonitor(monitor, place / n_files, (place + 1) / n_files)
        if _digest(path, step) != sha256:
            raise InputError("input_changed_since_read", file=path.name)


def _digest(path: Path, monitor: Monitor) -> str:
    digest = hashlib.sha256()
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
    return digest.hexdigest()


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
        ahead=order.ahead,
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


def pseudonymised(project: Project, table: Table) -> list[Column]:
    """Columns of a table that are released as pseudonyms."""
    how = treatments(project)
    return [each for each in table.columns if how.get(each.name) == "pseudonym"]


def released_name(file: str) -> str:
    """Name of the released table: ``patients.csv.gz`` → ``patients_released.csv``."""
    member = file.rsplit("/", 1)[-1]
    endings = r"(\.(gz|zip|csv|tsv|tab|txt|dat))+$"
    stem = re.sub(endings, "", member, flags=re.IGNORECASE)
    return f"{safe_name(stem)}_released.csv"


def _write_files(
    files: Staged, order: ReleaseOrder, released: ReleasedTable, monitor: Monitor
) -> tuple[Evidence, dict[str, bytes]]:
    """Write all files; return the evidence, which vouches for them, and reports."""
    outputs = []
    tables = _tables(order, released)
    for place, (role, name, table) in enumerate(tables):
        share = 0.9 / len(tables)
        step = SubMonitor(monitor, place * share, (place + 1) * share)
        file = files.create(name)
        written = write_csv(table, file, monitor=step)
        files.finish(file)
        outputs.append(
            document.Output(
                name=role,
                path=name,
                bytes=written.n_bytes,
                sha256=written.sha256,
                rows=written.n_rows,
                columns=table.column_names,
            )
        )
    with in_english():
        policy = canonical_json(_policy(order))
        contents = {POLICY: policy, **mapping_files(order.applied)}
        # A report must be that of the evidence that is written, and of nothing else.
        cells = cells_of(order, [table for _role, _name, table in tables])
        evidence = as_read(evidence_of(order, outputs, contents, cells))
    for path, content in contents.items():
        files.write(path, content)
    return write_reports(files, evidence, report, SubMonitor(monitor, 0.92, 1.0))


def cells_of(
    order: ReleaseOrder, tables: Sequence[ReleasedTable]
) -> document.CellsSearched:
    """Look into all cells that are released, but pseudonyms and masked ones."""
    columns: dict[str, document.CellsOfColumn] = {}
    for table in tables:
        for each in table.columns:
            attribute = order.project.attribute(each.attribute)
            if attribute.role == "direct_identifier":
                continue
            found = look_into_cells(each.values, table.count_texts(each))
            columns[each.attribute] = document.CellsOfColumn(
                attribute=each.attribute,
                cells=table.n_rows,
                longest=found.longest,
                most_words=found.most_words,
                found=dict(found.hits),
            )
    # In the order of the input, as all that is stated of columns.
    known = [each for each in order.table.column_names if each in columns]
    return document.CellsSearched(
        kinds=KINDS, columns=tuple(columns[each] for each in known)
    )


def write_reports(
    files: Staged, evidence: AnyEvidence, made_by: Any, monitor: Monitor
) -> tuple[AnyEvidence, dict[str, bytes]]:
    """Write the reports and the evidence; return it as it vouches for them, and them.

    Parameters
    ----------
    made_by : module
        Has `report_html` and `report_pdf` for this evidence.
    """
    monitor.report(0.0, "report")
    reports: dict[str, bytes] = {REPORTS[0]: made_by.report_html(evidence)}
    monitor.report(0.4, "report")
    reports[REPORTS[1]] = made_by.report_pdf(evidence)
    for path, content in reports.items():
        files.write(path, content)
    # The reports show the evidence as it was before it vouched for them.
    stated = (*evidence.files, *file_facts(reports))
    evidence = evidence.model_copy(update={"files": stated})
    files.write(EVIDENCE, canonical_json(evidence.model_dump(mode="json")))
    monitor.report(1.0, "report")
    return evidence, reports


def _tables(
    order: ReleaseOrder, released: ReleasedTable
) -> list[tuple[str, str, ReleasedTable]]:
    """The released tables, each with its role and file.

    Of linked tables the events, and a row for each of the people whose events they
    are or who have none. PRIVACY: the order of the people is drawn apart, and those of
    several tables of events tell nothing of each other: rows are mixed over all.
    """
    name = released_name(order.table_name)
    if order.people is None:
        return [(EVENTS, name, released)]
    units = order.class_table.units
    assert units is not None, "linked by the key of people"
    assert order.suppressed == "left_out", "decided before release"
    people = np.sort(units.people.first_row)
    people = people[~released.suppressed[people]]
    export = order.project.export
    if export.shuffle:
        people = people[shuffle_order(len(people), export.shuffle_seed)]
    rows = [_events_in(order, released, 0), people]
    rows += [
        _events_in(order, released, at) for at in range(1, len(order.linked_inputs))
    ]
    inputs = [(EVENTS, EVENTS, order.table_name)]
    inputs += [(each.name, each.role, each.table_name) for each in order.linked_inputs]
    found, taken = [], set[str]()
    for (own, role, file), own_rows in zip(inputs, rows, strict=True):
        name = released_name(file)
        if name in taken:
            name = released_name(f"{role}_{file}")
        taken.add(name)
        columns = columns_of_table(order, own)
        found.append((role, name, released.only(columns, own_rows)))
    return found


def _events_in(order: ReleaseOrder, released: ReleasedTable, kind: int) -> IntArray:
    """Released rows of one table of events, in the order of the release."""
    is_of_kind = np.zeros(order.table.n_rows, np.bool_)
    is_of_kind[order.table.rows_of_kind(kind)] = True
    return released.rows[is_of_kind[released.rows]]


def _policy(order: ReleaseOrder) -> dict[str, Any]:
    return policy_document(order.applied, order.suppressed, order.figures.acceptance)


def verify_staged(
    folder: Path,
    part: Path,
    files: Staged,
    reports: Mapping[str, bytes],
    monitor: Monitor,
) -> Verification:
    """Verify a release, then give its files their names.

    Raises
    ------
    VerificationError
        As `refuse_unverified`.
    """
    step = SubMonitor(monitor, 0.0, 0.97)
    verification = verify(part, staged=files.paths, reports=reports, monitor=step)
    refuse_unverified(folder, verification)
    files.give_names()
    # The last chance to stop: what is in place is not called cancelled.
    monitor.report(1.0, "release")
    return verification


def refuse_unverified(folder: Path, verification: Verification) -> None:
    """Stop a release that does not measure as stated.

    Raises
    ------
    VerificationError
        Code ``release_not_verified`` with the checks that failed.
    """
    if not verification.ok:
        codes = tuple(dict.fromkeys(check.code for check in verification.failed))
        raise VerificationError(
            "release_not_verified", folder=folder.name, failed=codes
        )
