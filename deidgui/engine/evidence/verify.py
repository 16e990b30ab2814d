"""Verifies a release from its files alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from deidgui.engine.evidence.agreement import (
    attributes_of,
    check_agreement,
    check_policy_labels,
    check_suppressed,
)
from deidgui.engine.evidence.checks import (
    Check,
    CountedRelease,
    check_acceptance,
    check_bits,
    check_classes,
    check_distributions,
    check_models,
    check_overruled,
    check_quality,
    check_risk,
    check_rows,
    check_sample,
    check_unit,
    people_sizes,
    released_sizes,
)
from deidgui.engine.evidence.counts_document import CountsEvidence, CountsOutput
from deidgui.engine.evidence.document import (
    Attribute,
    Evidence,
    File,
    Output,
    canonical_json,
    parts_of,
)
from deidgui.engine.evidence.folder import (
    EVIDENCE,
    MAX_JSON_BYTES,
    POLICY,
    REPORTS,
    SIGNATURE,
    ReleaseFolder,
    read_evidence,
    read_json,
    read_table,
)
from deidgui.engine.evidence.rows_seen import RowsSeen
from deidgui.engine.evidence.signature import Signature
from deidgui.engine.evidence.tally import STAR, Tally
from deidgui.engine.evidence.verify_cells import check_looked_into, looked_into
from deidgui.engine.evidence.verify_compared import check_compared, identified
from deidgui.engine.evidence.verify_context import check_context
from deidgui.engine.evidence.verify_criteria import check_criteria
from deidgui.engine.evidence.verify_dossier import check_dossier
from deidgui.engine.evidence.verify_drift import check_drift, check_earlier
from deidgui.engine.evidence.verify_frames import OddFormError, read_frames
from deidgui.engine.evidence.verify_held_out import check_held_out
from deidgui.engine.evidence.verify_known import check_cells, check_known
from deidgui.engine.evidence.verify_link import (
    LinkedRows,
    check_link,
    check_tables,
    tally_linked,
)
from deidgui.engine.evidence.verify_mapping import check_mappings, read_mapping
from deidgui.engine.evidence.verify_preparation import check_preparation
from deidgui.engine.evidence.verify_sensitivity import check_sensitivity
from deidgui.engine.evidence.verify_validity import check_validity
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor


@dataclass(frozen=True)
class Verification:
    """Outcome of reading a release back.

    Parameters
    ----------
    ok : bool
        Whether every check passed.
    evidence : Evidence or CountsEvidence
        What was read.
    signature : Signature or None
        Of whom; its checks are among `checks`.
    reasons : mapping of str to str
        Figures and models that the files alone do not determine, each with the
        code of the reason.
    """

    ok: bool
    checks: tuple[Check, ...]
    evidence: Evidence | CountsEvidence = field(repr=False)
    reasons: Mapping[str, str] = field(default_factory=dict)
    signature: Signature | None = None

    @property
    def unmeasured(self) -> tuple[str, ...]:
        """Figures and models that the files alone do not determine."""
        return tuple(self.reasons)

    @property
    def failed(self) -> tuple[Check, ...]:
        """Checks that did not pass."""
        return tuple(check for check in self.checks if not check.ok)

    def to_json(self) -> dict[str, Any]:
        """JSON-able form for the command line."""
        checks = [{"code": c.code, "ok": c.ok, **c.params} for c in self.checks]
        reasons = dict(self.reasons)
        return {"ok": self.ok, "checks": checks, "not_measured": reasons}

    def with_checks(
        self,
        checks: Sequence[Check],
        reasons: Mapping[str, str],
        signature: Signature | None = None,
    ) -> Verification:
        """Add further checks, and further figures that nothing determines."""
        both = (*self.checks, *checks)
        reasons = {**self.reasons, **reasons}
        ok = all(check.ok for check in both)
        return Verification(ok, both, self.evidence, reasons, signature)


def verify_release(
    path: Path,
    *,
    staged: Mapping[str, Path] | None = None,
    against: Sequence[Path] = (),
    monitor: Monitor = NULL_MONITOR,
) -> Verification:
    """Read a release back and measure it again.

    Parameters
    ----------
    path : Path
        Folder of the release.
    staged : mapping of str to Path, optional
        See `ReleaseFolder`.
    against : sequence of Path
        Other releases and registers that it was compared with: see `check_compared`.

    Raises
    ------
    InputError
        Codes ``not_a_release``, ``not_evidence``, ``release_not_json``,
        ``path_leaves_release``, ``release_file_missing``,
        ``release_file_too_large``, ``release_malformed`` or ``cannot_read``: the
        folder cannot be measured at all.
    ConfigError
        Codes ``evidence_newer`` or ``evidence_field``.

    Notes
    -----
    Shares no code with reading, searching, applying or measuring: rows are read
    by polars, written again and compared with the file, or by the csv module, and
    classes are counted by their labels.
    """
    folder = ReleaseFolder(path, staged)
    evidence = read_evidence(folder)
    at_hand = {e.sha256: (path, e) for path, e in identified(against)}
    step = SubMonitor(monitor, 0.0, 0.1)
    checks = list(check_files(folder, evidence, step, {POLICY, *REPORTS}))
    unmeasured: dict[str, str] = {}
    if all(check.ok for check in checks):
        step = SubMonitor(monitor, 0.1, 1.0)
        checks.extend(_check_content(folder, evidence, unmeasured, step))
        if all(check.ok for check in checks):
            checks.extend(check_compared(folder, evidence, at_hand, unmeasured))
            checks.extend(check_held_out(folder, evidence, at_hand, unmeasured))
    # Of no file of the release but its evidence: said whatever else is wrong with it.
    checks.extend(check_earlier(evidence, at_hand))
    checks.extend(check_form(folder, evidence))
    monitor.report(1.0, "verify")
    ok = all(check.ok for check in checks)
    return Verification(ok, tuple(checks), evidence, unmeasured)


def check_form(
    folder: ReleaseFolder, evidence: Evidence | CountsEvidence
) -> Iterator[Check]:
    """Look whether the evidence has all its parts, and is written as it must be."""
    stated, found = evidence.parts, parts_of(evidence)
    for name in dict.fromkeys((*stated, *found)):
        yield Check("part_stated", name in stated and name in found, {"part": name})
    yield Check("parts_in_order", stated == found)
    written = canonical_json(evidence.model_dump(mode="json"))
    is_canonical = folder.read(EVIDENCE, MAX_JSON_BYTES) == written
    yield Check("evidence_form", is_canonical)


# -- files -----------------------------------------------------------------------------


def check_files(
    folder: ReleaseFolder,
    evidence: Evidence | CountsEvidence,
    monitor: Monitor,
    required: Set[str],
) -> Iterator[Check]:
    """Presence, size and hash of every file that the evidence vouches for.

    Parameters
    ----------
    required : set of str
        Files that every release of the kind has.

    Yields
    ------
    Check
    """
    vouched: list[File | Output | CountsOutput] = [*evidence.outputs, *evidence.files]
    n_bytes = sum(each.bytes for each in vouched) or 1
    done = 0

    def report(block: int) -> None:
        nonlocal done
        done += block
        monitor.report(min(1.0, done / n_bytes), "hash")

    for each in vouched:
        if not folder.holds(each.path):
            yield Check("file_present", ok=False, params={"file": each.path})
            continue
        size = folder.size(each.path)
        same_size = size == each.bytes
        figures = {"file": each.path, "stated": each.bytes, "measured": size}
        yield Check("file_bytes", same_size, figures)
        if same_size:
            matches = folder.digest(each.path, report) == each.sha256
            yield Check("file_hash", matches, {"file": each.path})
    paths = [each.path for each in vouched]
    strangers = folder.listing() - {*paths, EVIDENCE, SIGNATURE}
    yield Check("no_other_files", not strangers, {"n_files": len(strangers)})
    yield Check("files_once", len({*paths, EVIDENCE}) == len(paths) + 1)
    yield Check("files_vouched", required <= set(paths))


# -- content ---------------------------------------------------------------------------


def _check_content(
    folder: ReleaseFolder,
    evidence: Evidence,
    unmeasured: dict[str, str],
    monitor: Monitor,
) -> Iterator[Check]:
    policy = read_json(folder, POLICY)
    yield _check_policy(policy, evidence)
    content = folder.read(POLICY, MAX_JSON_BYTES)
    yield Check("policy_form", content == canonical_json(policy))
    yield from check_agreement(evidence, policy)
    yield from check_overruled(evidence)
    yield from check_context(evidence)
    yield from check_sensitivity(evidence)
    yield from check_validity(evidence)
    yield from check_dossier(evidence)
    release = None
    structure = list(_check_structure(folder, evidence))
    yield from structure
    if all(check.ok for check in structure):
        step = SubMonitor(monitor, 0.0, 0.8)
        release, link = _measure(folder, evidence, step)
        yield from check_link(evidence, link)
        yield from check_rows(release)
        yield from check_preparation(folder, evidence)
        yield from check_unit(release, unmeasured)
        yield from check_sample(release, unmeasured)
        yield from check_known(release, unmeasured)
        yield from check_cells(release, unmeasured)
        step = SubMonitor(monitor, 0.8, 1.0)
        yield from check_criteria(release, unmeasured, monitor=step)
        if release.counts_who_is_protected:
            yield from check_classes(release)
            yield from check_risk(release, unmeasured)
            yield from check_models(release, unmeasured)
        yield from check_distributions(release)
        yield from check_looked_into(release, folder)
        yield from check_drift(evidence)
        yield from check_suppressed(release)
        yield from check_policy_labels(release, policy)
        yield from check_quality(release, unmeasured)
        yield from check_acceptance(release, unmeasured)
        yield from check_bits(release)
        yield from check_mappings(release)


def _check_policy(policy: Mapping[str, Any], evidence: Evidence) -> Check:
    stated = evidence.policy
    conditions = [each.model_dump() for each in stated.conditions]
    models = [
        {"kind": each.kind, **(each.model_extra or {})} for each in evidence.models
    ]
    agrees = (
        policy.get("kind") == stated.kind
        and policy.get("levels") == stated.levels
        and policy.get("withhold_below") == stated.suppress_below
        and policy.get("conditions", []) == conditions
        and policy.get("withheld_because", []) == list(stated.suppressed_because)
        and all(each in models for each in conditions)
        and policy.get("withheld") == stated.suppressed
        and policy.get("sentence") == stated.sentence
        and stated.levels
        == {a.name: a.level for a in evidence.attributes if a.level is not None}
    )
    return Check(
        "policy_agrees",
        agrees
        and _rounds_agree(policy, evidence)
        and _cells_agree(policy, evidence)
        and _joins_agree(policy, evidence),
    )


def _cells_agree(policy: Mapping[str, Any], evidence: Evidence) -> bool:
    """Whether single cells are suppressed as the policy says."""
    stated = evidence.policy.cells
    expected = stated.model_dump(mode="json") if stated is not None else None
    names = {each.name for each in _quasi_identifiers(evidence)}
    return (
        policy.get("cells") == expected
        and (evidence.policy.kind == "blocks") == (stated is not None)
        and (stated is None or stated.by_attribute.keys() <= names)
        and (stated is None or not (evidence.policy.rounds or evidence.policy.bits))
    )


def _joins_agree(policy: Mapping[str, Any], evidence: Evidence) -> bool:
    """Whether neighbours are joined, and accepted, as the policy says."""
    stated = evidence.policy
    accepted = stated.acceptance
    expected = accepted.model_dump(mode="json") if accepted is not None else None
    known = attributes_of(policy)
    names = (
        {each.name for each in _quasi_identifiers(evidence)} if stated.bits else set()
    )
    by_risk = accepted is not None and accepted.by == "risk"
    return (
        (stated.kind in ("interval", "subtree")) == bool(stated.bits)
        and policy.get("acceptance") == expected
        and (accepted is None or bool(stated.bits))
        and stated.bits.keys() == stated.values_at.keys() == stated.joined.keys()
        and stated.bits.keys() == names
        and _of_attributes(known, "bits") == stated.bits
        and _of_attributes(known, "values_at") == stated.values_at
        and _of_attributes(known, "joined") == stated.joined
        and (not stated.bits or evidence.suppressed_records == 0)
        and (
            accepted is None
            or by_risk
            or bool(evidence.overruled)
            or all(each.satisfied for each in evidence.models)
        )
    )


def _of_attributes(known: list[dict[str, Any]], field: str) -> dict[str, Any]:
    """A field of every attribute of a policy that has it, by name."""
    return {str(each.get("name")): each[field] for each in known if field in each}


def _rounds_agree(policy: Mapping[str, Any], evidence: Evidence) -> bool:
    """Whether rounds are those of the policy and release what is released."""
    stated = evidence.policy.rounds
    if policy.get("rounds", []) != [each.model_dump(mode="json") for each in stated]:
        return False
    if not stated:
        return evidence.policy.kind != "local_recoding"
    n_released = evidence.records - evidence.suppressed_records
    heights = {each.name: each.height or 0 for each in _quasi_identifiers(evidence)}
    return (
        sum(each.records for each in stated) == n_released
        and evidence.policy.suppress_below
        == min(each.suppress_below for each in stated)
        and all(each.levels.keys() == heights.keys() for each in stated)
        and all(
            level <= heights[name]
            for each in stated
            for name, level in each.levels.items()
        )
    )


def _quasi_identifiers(evidence: Evidence) -> list[Attribute]:
    return [
        each
        for each in evidence.attributes
        if each.role == "quasi_identifier" and each.released_as is not None
    ]


def _check_structure(folder: ReleaseFolder, evidence: Evidence) -> Iterator[Check]:
    """Columns of the released tables, and the mapping of every quasi-identifier."""
    yield from check_tables(folder, evidence)
    column = evidence.unit.column
    headers = [each.columns for each in evidence.outputs]
    is_there = all(column in each for each in headers)
    yield Check("people_column", column is None or is_there)
    identifiers = [
        each
        for each in evidence.attributes
        if each.role == "direct_identifier"
        and each.released_as is not None
        and each.treatment not in ("pseudonym", "mask")
    ]
    yield Check("no_direct_identifiers", not identifiers)
    quasi_identifiers = _quasi_identifiers(evidence)
    yield Check("quasi_identifiers", bool(quasi_identifiers))
    vouched = {each.path for each in evidence.files}
    for each in quasi_identifiers:
        is_mapped = each.mapping in vouched and each.treatment == "generalized"
        yield Check("mapping_vouched", is_mapped, {"attribute": each.name})


def _measure(
    folder: ReleaseFolder, evidence: Evidence, monitor: Monitor
) -> tuple[CountedRelease, LinkedRows | None]:
    """Read every row once; also how two tables belong together."""
    attributes = _quasi_identifiers(evidence)
    mapped = {
        each.name: read_mapping(folder, each.mapping or "") for each in attributes
    }
    headers = {each.name: each.released_as or "" for each in attributes}
    by_treatment: dict[str, list[Attribute]] = {}
    for each in evidence.attributes:
        if each.released_as is not None:
            by_treatment.setdefault(each.treatment, []).append(each)
    sensitive = _sensitive(evidence)
    released = [e.released_as for e in evidence.attributes if e.released_as]
    count = partial(
        Tally,
        header=released,
        quasi_identifiers=list(headers.values()),
        mapped={headers[name]: labels for name, labels in mapped.items()},
        masked=frozenset(e.released_as or "" for e in by_treatment.get("mask", [])),
        pseudonyms={
            e.released_as or "": _no_value(e) for e in by_treatment.get("pseudonym", [])
        },
        sensitive=[each.released_as or "" for each in sensitive],
        people=evidence.unit.column,
        counts_events=evidence.unit.events is not None,
    )
    coded = by_treatment.get("pseudonym", [])

    def make() -> Tally:
        rows, cells = _rows_seen(evidence, released, coded), None
        if evidence.link is None:
            cells = looked_into(evidence, evidence.outputs[0])
        return count(seen=rows, cells=cells)

    link = None
    if evidence.link is not None:
        tally = make()
        link = tally_linked(folder, evidence, tally, monitor)
    else:
        tally = _tallied(folder, evidence, make, monitor)
    n_suppressed = _suppressed_rows(evidence, tally)
    row_sizes = sizes = released_sizes(tally, n_suppressed)
    values_in = tally.values
    if evidence.unit.column is not None:
        sizes = people_sizes(tally)
        values_in = tally.people_values
    values = {
        each.name: values_in(each.released_as or "", _missing_texts(each))
        for each in sensitive
    }
    counted = CountedRelease(evidence, tally, mapped, headers, sizes, row_sizes, values)
    return counted, link


def _tallied(
    folder: ReleaseFolder,
    evidence: Evidence,
    make: Callable[[], Tally],
    monitor: Monitor,
) -> Tally:
    """Count the rows of one table: in frames, or strictly one by one.

    What is not of the form that a release has is read by the csv module, which says
    where it is malformed; so are rows that belong to people.
    """
    output, tally = evidence.outputs[0], make()

    def report() -> None:
        monitor.report(min(1.0, tally.n_rows / max(output.rows, 1)), "verify")

    if tally.people is None and len(tally.header) > 1:
        try:
            for frame in read_frames(folder, output.path, tally.header):
                tally.add_frame(frame)
                report()
            tally.end_frames()
        except OddFormError:
            tally = make()
        else:
            return tally
    for _header, rows in read_table(folder, output.path):
        tally.add(rows)
        report()
    return tally


def _rows_seen(
    evidence: Evidence, header: Sequence[str], pseudonyms: Sequence[Attribute]
) -> RowsSeen | None:
    """Whole rows, if it is stated who is alone on them; nobody knows pseudonyms."""
    stated = evidence.criteria
    if stated is None:
        return None
    coded = {each.released_as for each in pseudonyms}
    places = [place for place, name in enumerate(header) if name not in coded]
    guessed = {each.attribute for each in stated.guessed}
    values = {
        each.released_as: (header.index(each.released_as), _missing_texts(each))
        for each in evidence.attributes
        if each.name in guessed and each.released_as is not None
    }
    further = {each.attribute for each in stated.one_more}
    texts = {
        each.released_as: header.index(each.released_as)
        for each in evidence.attributes
        if each.name in further and each.released_as is not None
    }
    column = evidence.unit.column
    owner = None if column is None else header.index(column)
    return RowsSeen(places, values, texts, owner)


def _sensitive(evidence: Evidence) -> list[Attribute]:
    """Columns that a privacy model names and that are released as they are."""
    named = [(model.model_extra or {}).get("attribute") for model in evidence.models]
    return [
        each
        for each in evidence.attributes
        if each.name in named
        and each.treatment == "kept"
        and each.released_as is not None
    ]


def _missing_texts(attribute: Attribute) -> frozenset[str]:
    """Texts that mean "no value", also as they are written for spreadsheets."""
    texts = attribute.missing_as
    return frozenset([*texts, *(f"'{text}" for text in texts)])


def _no_value(attribute: Attribute) -> frozenset[str]:
    return _missing_texts(attribute) | {STAR}


def _suppressed_rows(evidence: Evidence, tally: Tally) -> int:
    """Rows of stars that stand for suppressed records.

    Where the policy removes every quasi-identifier, or suppresses single cells, a
    released record may look like a suppressed one; then at most the stated number is
    taken for suppressed.
    """
    if evidence.policy.suppressed == "left_out":
        return 0
    if evidence.policy.cells is not None:
        return min(tally.n_starred, evidence.suppressed_records)
    could_be_released = all(
        STAR in tally.mapped[name].values for name in tally.quasi_identifiers
    )
    if could_be_released:
        return min(tally.n_starred, evidence.suppressed_records)
    return tally.n_starred
