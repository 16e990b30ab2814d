"""Every single edit of a release is noticed, or stands in the list of what is not.

Edits are made by a generator over all values of evidence and policy, over mapping
files, reports and table, in three ways: nothing else is changed; the reports are made
again and every hash is put right; and the copy of the value in the other file is
changed too. ``DEIDGUI_ALL_EDITS=1`` tries all of them, else some hundreds of each; ``-o
junit_family=xunit1 --junitxml=FILE`` writes how many.
"""

from __future__ import annotations

import collections
import copy
import hashlib
import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from deidgui.app import report
from deidgui.app.classes import Classes
from deidgui.app.reading.linking import propose_linked
from deidgui.app.reading.reading import propose_project, read_input
from deidgui.app.release.releasing import release
from deidgui.app.release.verifying import verify
from deidgui.app.release.writing import write_release
from deidgui.engine.data.class_table import build_class_table
from deidgui.engine.evidence.document import canonical_json, digest_of
from deidgui.engine.evidence.unchecked import is_at, unchecked
from deidgui.engine.privacy import DistinctLDiversity, KAnonymity
from deidgui.errors import DeidError
from tests.answers import answered
from tests.app.compared_case import compared_release
from tests.app.context_case import agreed, watched
from tests.app.dossier_case import whole
from tests.app.edits import (
    ALL,
    Edit,
    edits_of,
    reseal,
    some_edits,
    table_edits,
    write_evidence,
)
from tests.app.policies.longitudinal_case import KNOWN, make_events_case
from tests.app.test_criteria import decided_on, write_patients
from tests.app.test_joined_release import general_bits, released, tiny, with_bits
from tests.app.test_local_recoding import diverse_project, make_release
from tests.app.test_people_release import decided
from tests.app.test_several_event_files import decided as decided_on_events
from tests.app.test_several_event_files import linked, written_files
from tests.events_case import write_events
from tests.linked_case import three_kinds
from tests.release_case import hierarchies, make_order, make_table

COPIES = {
    "kind": "kind",
    "levels": "levels",
    "withhold_below": "withhold_below",
    "conditions": "conditions",
    "rounds": "rounds",
    "acceptance": "acceptance",
    "withheld_because": "withheld_because",
    "withheld": "withheld",
    "sentence": "sentence",
}
"""Fields of ``policy.json`` that stand in the evidence, under ``policy``."""


def lattice(folder: Path) -> Path:
    """One node of the lattice, with a model by values, and suppressed rows of *."""
    table = make_table(160)
    order = make_order(
        folder, table=table, conditions=[DistinctLDiversity("diagnosis", 3)]
    )
    return write_release(folder / "out", order).folder


def joined(folder: Path) -> Path:
    """Joined neighbours, no riskier than Safe Harbor among counted people."""
    project, classes = tiny("register")
    project = with_bits(project, classes, general_bits(classes, project))
    project = project.but(context=agreed())
    return released(folder, project, classes).folder


def people(folder: Path) -> Path:
    """Rows that belong to people."""
    path = write_events(folder / "events.csv")
    project, loaded = decided(path, KAnonymity(k=5))
    project = watched(project.but(context=agreed()))
    project = whole(project)
    return release(answered(project, loaded), loaded, folder / "out", {}).folder


def patients(folder: Path) -> Path:
    """Records with all that is said of columns, and the criteria counted of them."""
    loaded = read_input(write_patients(folder / "patients.csv", 200))
    project = decided_on(propose_project(loaded))
    project = whole(project.but(context=agreed()))
    done = release(answered(project, loaded), loaded, folder / "out", {})
    evidence = done.written.evidence
    assert evidence.principles
    assert not any(each.open for each in evidence.principles)
    assert evidence.criteria is not None
    assert evidence.criteria.sets
    assert evidence.criteria.guessed
    return done.folder


def local(folder: Path) -> Path:
    """Several rounds, each with its own labels."""
    table = make_table(160)
    classes = build_class_table(table, hierarchies(table), {"diagnosis": None})
    classes = Classes(table, classes, table)
    return make_release(diverse_project(), classes, folder).folder


def several(folder: Path) -> Path:
    """Patients with three files of events."""
    tables = three_kinds()
    read, loaded = linked(written_files(folder, tables))
    project = propose_linked(read["claims"], loaded, "person", "person")
    project = decided_on_events(project)
    return release(answered(project, loaded), loaded, folder / "out", {}).folder


def known_events(folder: Path) -> Path:
    """Patients of whom some events may be known."""
    known = KNOWN.but(limit=0.3)
    project, _classes, loaded = make_events_case(folder, known, 120)
    return release(answered(project, loaded), loaded, folder / "out", {}).folder


CASES: dict[str, Callable[[Path], Path]] = {
    "lattice": lattice,
    "joined": joined,
    "people": people,
    "patients": patients,
}

FURTHER = {"local": local, "several": several, "known_events": known_events}


@pytest.fixture(scope="module", autouse=True)
def short_reports() -> Iterator[None]:
    """Reports that hold nothing but the number of the evidence: real ones are slow."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("report_html", "report_pdf"):
            patch.setattr(report, name, lambda e: f"<p>{digest_of(e)}".encode())
        yield


@pytest.fixture(scope="module", params=list(CASES))
def written(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A release of each kind."""
    folder = CASES[request.param](tmp_path_factory.mktemp(request.param))
    assert verify(folder).ok
    return folder


class Forged:
    """A copy of a release, put right again before every edit."""

    def __init__(self, written: Path, folder: Path) -> None:
        self.folder = Path(shutil.copytree(written, folder / "copy"))
        self._whole = {
            path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()
        }
        self.evidence = json.loads((self.folder / "evidence.json").read_bytes())
        self.policy = json.loads((self.folder / "policy.json").read_bytes())

    def reset(self) -> None:
        for path, content in self._whole.items():
            path.write_bytes(content)

    def is_noticed(self, against: Sequence[Path] = ()) -> bool:
        """Whether the release is refused, or found not to be what it says."""
        try:
            return not verify(self.folder, against=against).ok
        except DeidError:
            return True

    def write_policy(self, policy: Any) -> None:
        (self.folder / "policy.json").write_bytes(canonical_json(policy))


@pytest.fixture
def forged(written: Path, tmp_path: Path) -> Forged:
    return Forged(written, tmp_path)


def listed(forged: Forged) -> Callable[[Edit], bool]:
    """Return whether `deidgui verify` says that nothing checks the place of an edit.

    Figures that the files do not determine are told one by one, with the reason.
    """
    found = verify(forged.folder)
    patterns = [e for some in unchecked(found.evidence).values() for e in some]
    return lambda edit: (
        any(is_at(edit.place, pattern) for pattern in patterns)
        or (edit.place[0] == "quality" and edit.place[1] in found.unmeasured)
    )


Record = Callable[[str, object], None]
"""How a test states figures: ``--junitxml`` writes them."""


def record(record_property: Record, n_tried: int, n_unnoticed: int) -> None:
    """State how many edits were tried, and how many only the list tells of."""
    record_property("edits tried", n_tried)
    record_property("of them unnoticed and listed", n_unnoticed)


def told(unnoticed: list[Edit]) -> list[str]:
    """Return what was not noticed, with places instead of numbers of a list."""
    kinds = collections.Counter(
        f"{'.'.join('*' if isinstance(s, int) else s for s in e.place)}: {e.kind}"
        for e in unnoticed
    )
    return [f"{place} x{n}" for place, n in kinds.items()]


@pytest.mark.timeout(3600)
def test_every_edit_of_the_evidence_alone_is_noticed(
    forged: Forged, record_property: Record
) -> None:
    """Without exception: the report states the number of the whole evidence."""
    unnoticed = []
    edits = some_edits(forged.evidence)
    for edit in edits:
        forged.reset()
        write_evidence(forged.folder, edit.of(forged.evidence))
        if not forged.is_noticed():
            unnoticed.append(edit)
    record(record_property, len(edits), len(unnoticed))
    assert told(unnoticed) == []


@pytest.mark.timeout(3600)
def test_every_edit_with_reports_made_again_is_noticed_or_listed(
    forged: Forged, record_property: Record
) -> None:
    unnoticed = []
    edits = some_edits(forged.evidence)
    for edit in edits:
        forged.reset()
        now = reseal(forged.folder, edit.of(forged.evidence))
        if now != forged.evidence and not forged.is_noticed():
            unnoticed.append(edit)
    record(record_property, len(edits), len(unnoticed))
    forged.reset()
    is_listed = listed(forged)
    assert told([e for e in unnoticed if not is_listed(e)]) == []


@pytest.mark.timeout(3600)
def test_every_edit_of_evidence_and_policy_alike_is_noticed_or_listed(
    forged: Forged, record_property: Record
) -> None:
    unnoticed = []
    found = some_edits(forged.evidence["policy"])
    edits = [each for each in found if each.place and each.place[0] in COPIES]
    for edit in edits:
        forged.reset()
        fields = {**forged.evidence, "policy": edit.of(forged.evidence["policy"])}
        policy = {**forged.policy}
        name = str(edit.place[0])
        if name in fields["policy"]:
            policy[name] = fields["policy"][name]
        else:
            policy.pop(name, None)
        forged.write_policy(policy)
        if reseal(forged.folder, fields) != forged.evidence and not forged.is_noticed():
            unnoticed.append(Edit(("policy", *edit.place), edit.kind, edit.make))
    record(record_property, len(edits), len(unnoticed))
    forged.reset()
    is_listed = listed(forged)
    assert told([e for e in unnoticed if not is_listed(e)]) == []


@pytest.mark.timeout(600)
def test_a_part_that_is_gone_is_named(forged: Forged) -> None:
    """By the list of parts; the two that every release has, also if that is cut."""
    for name in forged.evidence["parts"]:
        for is_listed in (True, False) if name in ("criteria", "dossier") else (True,):
            forged.reset()
            fields = copy.deepcopy(forged.evidence)
            del fields[name]
            if not is_listed:
                fields["parts"].remove(name)
            assert reseal(forged.folder, fields) != forged.evidence
            failed = verify(forged.folder).failed
            if is_listed:
                told = [e.params["part"] for e in failed if e.code == "part_stated"]
                assert told == [name]
            else:
                assert f"{name}_stated" in {each.code for each in failed}


POLICY_ONLY = ("attributes.*.rule.**", "attributes.*.value_names.**")
"""Of ``policy.json``: not stated elsewhere, and said to be unchecked."""


@pytest.mark.timeout(3600)
def test_every_edit_of_the_policy_is_noticed_or_listed(
    forged: Forged, record_property: Record
) -> None:
    unnoticed, alone = [], []
    edits = some_edits(forged.policy)
    for edit in edits:
        forged.reset()
        forged.write_policy(edit.of(forged.policy))
        if not forged.is_noticed():
            alone.append(edit)
        reseal(forged.folder, copy.deepcopy(forged.evidence))
        if not forged.is_noticed():
            unnoticed.append(edit)
    record(record_property, len(edits), len(unnoticed))
    assert told(alone) == []
    listed = [e for e in unnoticed if any(is_at(e.place, p) for p in POLICY_ONLY)]
    assert told([e for e in unnoticed if e not in listed]) == []


def reseal_only(forged: Forged, path: str, content: bytes) -> None:
    """Write a file and put its hash right, as its only edit."""
    (forged.folder / path).write_bytes(content)
    fields = json.loads((forged.folder / "evidence.json").read_bytes())
    for each in fields["files"]:
        if each["path"] == path:
            each["bytes"] = len(content)
            each["sha256"] = hashlib.sha256(content).hexdigest()
    write_evidence(forged.folder, fields)


@pytest.mark.timeout(3600)
def test_every_edit_of_table_mappings_and_reports_is_noticed(
    forged: Forged, record_property: Record
) -> None:
    evidence = forged.evidence
    table = evidence["outputs"][0]["path"]
    mappings = [e["path"] for e in evidence["files"] if e["path"].endswith(".csv")]
    unnoticed: set[tuple[str, str]] = set()
    n_tried = 0
    for path in (table, *mappings):
        forged.reset()
        for kind, content in table_edits((forged.folder / path).read_bytes()):
            n_tried += 1
            forged.reset()
            (forged.folder / path).write_bytes(content)
            assert forged.is_noticed(), (path, kind)
            reseal(forged.folder, copy.deepcopy(evidence))
            if not forged.is_noticed():
                unnoticed.add((Path(path).name, kind))
    # Values that nobody but the hash knows: the list says so.
    kept = {
        f"cell of {each['released_as']}{how}"
        for each in evidence["attributes"]
        if each["treatment"] in ("kept", "pseudonym")
        for how in ("", " with a value of another row")
    }
    allowed = {(Path(table).name, kind) for kind in kept}
    for path in mappings:
        for how in ("", " with a value of another row"):
            allowed.add((Path(path).name, f"cell of value{how}"))
    record(record_property, n_tried, len(unnoticed))
    assert unnoticed <= allowed
    for path in ("report.html", "report.pdf"):
        forged.reset()
        whole = (forged.folder / path).read_bytes()
        for content in (whole + b" ", whole[:-1], whole.replace(b"p", b"q"), b""):
            forged.reset()
            (forged.folder / path).write_bytes(content)
            assert forged.is_noticed()
            reseal_only(forged, path, content)
            assert forged.is_noticed()


# -- other kinds of release ------------------------------------------------------------


SHORTEST = ("changed 0", "doubled", "swapped")
"""Edits that the test command tries."""


def one_of_each_shape(content: Any) -> list[Edit]:
    """Edits of every field and list; of alike members of a list the first's."""
    found: dict[tuple[object, ...], Edit] = {}
    for each in edits_of(content):
        shape = ("*" if isinstance(step, int) else step for step in each.place)
        is_part = len(each.place) == 1 and each.kind in ("deleted", "emptied")
        if ALL or each.kind in SHORTEST or is_part:
            found.setdefault((*shape, each.kind), each)
    whole = canonical_json(content)
    return [e for e in found.values() if canonical_json(e.of(content)) != whole]


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("kind", FURTHER)
def test_every_list_and_field_of_other_kinds_is_noticed_or_listed(
    kind: str, tmp_path: Path, record_property: Record
) -> None:
    """Fields changed, lists doubled, emptied and swapped; in the policy as well."""
    forged = Forged(FURTHER[kind](tmp_path), tmp_path)
    assert not forged.is_noticed()
    is_listed = listed(forged)
    edits, unnoticed = one_of_each_shape(forged.evidence), []
    for edit in edits:
        forged.reset()
        fields = edit.of(forged.evidence)
        name = str(edit.place[1]) if len(edit.place) > 1 else ""
        if edit.place[0] == "policy" and name in COPIES:
            policy = {**forged.policy}
            policy.pop(name, None)
            if name in fields["policy"]:
                policy[name] = fields["policy"][name]
            forged.write_policy(policy)
        if reseal(forged.folder, fields) != forged.evidence and not forged.is_noticed():
            unnoticed.append(edit)
    record(record_property, len(edits), len(unnoticed))
    assert told([e for e in unnoticed if not is_listed(e)]) == []


# -- other tables, and what was before -------------------------------------------------

PARTS = (
    *("criteria.compared", "criteria.held_out", "dossier.intruder_tests"),
    *("drift", "sensitivity", "validity"),
)
"""Of the evidence: what only this release has, all of it."""

KINDS = ("changed 0", "emptied", "doubled", "swapped")
"""Edits that the test command tries."""

CHOSEN = (
    "compared",
    "held_out",
    "name",
    "by",
    "on",
    "quote",
    "skip_blanks",
    "skip_lines",
    "encoding",
)
"""What the other tables cannot tell: who chose which, and how an odd file is cut."""


def of_each_kind(evidence: Any) -> list[Edit]:
    """Edits of every field of these parts; of alike members of a list the first's.

    ``DEIDGUI_ALL_EDITS=1`` tries all kinds of edits of each, else some.
    """
    found: dict[tuple[object, ...], Edit] = {}
    for each in edits_of(evidence):
        is_part = ".".join(map(str, each.place)) in PARTS
        is_wanted = ALL or each.kind in KINDS or (is_part and each.kind == "deleted")
        if is_wanted and any(is_at(each.place, f"{part}.**") for part in PARTS):
            found.setdefault((*_shape(each), each.kind), each)
    whole = canonical_json(evidence)
    return [e for e in found.values() if canonical_json(e.of(evidence)) != whole]


def _shape(edit: Edit) -> Iterator[str | int]:
    """Place without labels, digests, and numbers of members that are alike."""
    before: str | int = ""
    for number, step in enumerate(edit.place):
        is_last = number == len(edit.place) - 1 and isinstance(before, int)
        told_apart = before in ("compared", "linked", "held_out", "drift") or is_last
        is_member = isinstance(step, int) or before in ("groups", "others", "cells")
        yield step if told_apart or not is_member else "*"
        before = step


@pytest.mark.timeout(3600)
def test_every_edit_of_what_other_tables_tell_is_noticed_or_listed(
    tmp_path: Path, record_property: Record
) -> None:
    """What is listed because others have the table is noticed once it is given."""
    done, others = compared_release(tmp_path)
    assert verify(done.folder, against=others).ok
    forged = Forged(done.folder, tmp_path)
    edits = of_each_kind(forged.evidence)
    is_listed = listed(forged)
    unlisted, unnoticed, n_listed = [], [], 0
    for edit in edits:
        forged.reset()
        now = reseal(forged.folder, edit.of(forged.evidence))
        if now == forged.evidence or forged.is_noticed():
            continue
        n_listed += 1
        if not is_listed(edit):
            unlisted.append(edit)
        # Of another SHA-256, `verify` says that this table was not given.
        tells = edit.place[0] == "criteria" and edit.place[-1] not in {
            *CHOSEN,
            "sha256",
        }
        if tells and not forged.is_noticed(others):
            unnoticed.append(edit)
    record(record_property, len(edits), n_listed)
    assert told(unlisted) == []
    assert told(unnoticed) == []
