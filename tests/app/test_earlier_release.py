"""Whose earlier release is read, and what a stranger's may say."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from deidgui.app.commands.describe import describe_verification
from deidgui.app.determination.validity import (
    enter_measured,
    enter_trigger,
    validity_problem,
)
from deidgui.app.dossier import drift
from deidgui.app.dossier.drift_words import trigger_words
from deidgui.app.project import MOST_TRIGGERS, EarlierRelease, Project, ValidityChoice
from deidgui.app.release.releasing import FinishedRelease
from deidgui.app.release.verifying import verify
from deidgui.engine.evidence.document import (
    ColumnDrift,
    Distribution,
    Drift,
    Evidence,
    LabelCount,
    ProtectedUnit,
)
from deidgui.engine.evidence.entered import TriggerMet
from deidgui.engine.evidence.unchecked import unchecked
from deidgui.engine.evidence.verify import verify_release
from deidgui.engine.evidence.verify_compared import identified
from deidgui.engine.evidence.verify_drift import check_drift, check_earlier
from deidgui.errors import ConfigError, InputError
from tests.app.compared_case import compared_release

CONTENT = b"{}"


def project(file: str) -> Project:
    digest = hashlib.sha256(CONTENT).hexdigest()
    chosen = EarlierRelease(file=file, sha256=digest, by="A. A.", on="2026-11-23")
    return Project(validity=ValidityChoice(earlier=chosen))


def evidence(released: int = 10, known: bool = True) -> Evidence:
    label = LabelCount.model_construct(label="F", released=released)
    return Evidence.model_construct(
        distributions={
            "sex": Distribution.model_construct(labels=(label,), others=None)
        },
        attributes=((SimpleNamespace(name="sex"),) if known else ()),
        unit=ProtectedUnit.model_construct(people=None, suppressed_people=None),
        records=10,
        suppressed_records=0,
    )


def read(monkeypatch, root: Path, file: str, found: Evidence):
    monkeypatch.setattr(drift, "read_evidence", lambda _: found)
    return drift.read_earlier(project(file), root)


def folder(path: Path) -> Path:
    path.mkdir(parents=True)
    (path / "evidence.json").write_bytes(CONTENT)
    return path


def test_a_project_names_no_folder_elsewhere(monkeypatch, tmp_path):
    root = folder(tmp_path / "work")
    folder(root / "first")
    stranger = folder(tmp_path / "other")
    assert read(monkeypatch, root, "first", evidence()) is not None
    for file in ("../other", str(stranger)):
        with pytest.raises(ConfigError) as caught:
            read(monkeypatch, root, file, evidence())
        assert caught.value.code == "earlier_missing"


@pytest.mark.parametrize("found", [evidence(known=False), evidence(released=10**400)])
def test_an_evidence_that_contradicts_itself_is_refused(monkeypatch, tmp_path, found):
    folder(tmp_path / "first")
    with pytest.raises(ConfigError) as caught:
        read(monkeypatch, tmp_path, "first", found)
    assert caught.value.code == "earlier_changed"


# -- what verify says of it ------------------------------------------------------------


@pytest.fixture(scope="module")
def compared(tmp_path_factory) -> tuple[FinishedRelease, list[Path]]:
    return compared_release(tmp_path_factory.mktemp("compared"))


def failing(found: Evidence, others: list[Path]) -> list[tuple[str, str]]:
    at_hand = {each.sha256: (path, each) for path, each in identified(others)}
    return [
        (each.code, str(each.params.get("attribute", "")))
        for each in check_earlier(found, at_hand)
        if not each.ok
    ]


def test_every_count_of_the_earlier_release_is_looked_up_there(compared):
    """One more of one label, one of another kind, or a label that it has not."""
    done, others = compared
    found, n_tried = done.written.evidence, 0
    assert found.drift is not None
    assert failing(found, others) == []
    for place, column in enumerate(found.drift.columns):
        edits = [{"rest": (column.rest[0] + 1, column.rest[1])}]
        for label, (before, now) in column.cells.items():
            edits.append({"cells": {**column.cells, label: (before + 1, now)}})
            edits.append({"cells": {**column.cells, f"{label} or so": (9, 9)}})
        for edit in edits:
            columns = list(found.drift.columns)
            columns[place] = column.model_copy(update=edit)
            changed = found.drift.model_copy(update={"columns": tuple(columns)})
            forged = found.model_copy(update={"drift": changed})
            expected = [("drift_cells_before", column.attribute)]
            assert failing(forged, others) == expected, edit
            n_tried += 1
    assert n_tried > 5


@pytest.mark.parametrize("also", ["figure", "table"])
def test_it_is_looked_at_whatever_else_is_wrong(compared, tmp_path, also):
    done, others = compared
    copy = shutil.copytree(done.folder, tmp_path / "copy")
    stated = json.loads((copy / "evidence.json").read_bytes())
    stated["drift"]["people_before"] += 1
    if also == "figure":
        stated["records"] += 1
    else:
        table = copy / stated["outputs"][0]["path"]
        table.write_bytes(table.read_bytes() + b"x\n")
    (copy / "evidence.json").write_text(json.dumps(stated), "utf-8")
    codes = {e.code for e in verify_release(copy, against=others).checks if not e.ok}
    assert "drift_people_before" in codes
    assert len(codes - {"evidence_form"}) > 1


@pytest.mark.parametrize(
    ("name", "code"), [("voters.csv", "file_not_found"), ("", "not_a_release")]
)
def test_a_mistyped_table_to_verify_against_is_named(compared, tmp_path, name, code):
    done, _ = compared
    with pytest.raises(InputError) as caught:
        verify_release(done.folder, against=[tmp_path / name])
    assert caught.value.code == code
    assert (tmp_path / name).name in caught.value.params.values()


def test_a_comparison_that_is_left_out_is_noticed_or_listed(compared):
    done, _ = compared
    found = done.written.evidence
    silent = found.model_copy(update={"drift": None})
    assert [(e.code, e.ok) for e in check_drift(silent)] == [("drift_stated", False)]
    *before, period = found.validity.periods
    assert not any(trigger.digest for e in before for trigger in e.after)
    given_up = TriggerMet(
        kind="comparison", because="x", by="N.", on="2026-11-23", digest="0" * 64
    )
    table = given_up.model_copy(update={"kind": "table"})
    for after, codes in (
        ((*period.after, given_up), [("drift_stated", True)]),
        ((given_up, *period.after), [("drift_stated", False)]),
        # Another table that was given up says nothing of that comparison.
        ((*period.after, table), [("drift_stated", False)]),
        ((table,), []),
        ((), []),
    ):
        periods = (*before, period.model_copy(update={"after": after}))
        validity = found.validity.model_copy(update={"periods": periods})
        stated = silent.model_copy(update={"validity": validity})
        assert [(each.code, each.ok) for each in check_drift(stated)] == codes
    assert "drift" in unchecked(found)["people"]


# -- bounds ----------------------------------------------------------------------------


def drift_of(n: int, *, comparable: bool) -> Drift:
    one = {"stability": 0.5} if comparable else {"comparable": False}
    columns = [ColumnDrift(attribute=f"c{k:02d}", **one) for k in range(n)]
    return Drift.model_construct(columns=tuple(columns))


@pytest.mark.parametrize("comparable", [True, False])
@pytest.mark.parametrize(("n", "rest"), [(10, ""), (11, "and 1 more"), (250, "240")])
def test_a_reason_names_ten_columns_at_most(n, rest, comparable):
    words = trigger_words(drift_of(n, comparable=comparable), "drift")
    assert sum(f"c{k:02d} " in words for k in range(n)) == 10
    assert rest in words
    assert ("more" in words) is bool(rest)


def test_a_reason_of_columns_with_long_names_can_be_entered():
    columns = [ColumnDrift(attribute="x" * 500, stability=0.5) for _ in range(30)]
    columns += [ColumnDrift(attribute="y" * 500, comparable=False) for _ in range(30)]
    found = Drift.model_construct(columns=tuple(columns))
    words = trigger_words(found, "drift")
    met = TriggerMet(kind="drift", because=words, by="deidgui", on="2026-11-23")
    assert met.because == words


def test_no_more_than_a_hundred_triggers_are_met_at_a_time():
    def met(number: int) -> TriggerMet:
        digest = f"{number:064d}"
        who = {"by": "deidgui", "on": "2026-11-23"}
        return TriggerMet(kind="extract", because="x", digest=digest, **who)

    project = Project()
    for number in range(MOST_TRIGGERS):
        project = enter_measured([met(number)])(project)
    assert len(project.validity.triggers) == 100
    # What is known already is entered once, and does not count.
    assert enter_measured([met(7)])(project) == project
    for op in (
        enter_measured([met(MOST_TRIGGERS)]),
        enter_trigger("law", "A new law.", "N. N.", "2026-11-23"),
    ):
        with pytest.raises(ConfigError) as caught:
            op(project)
        assert caught.value.code == "validity_triggers"
        assert caught.value.params["most"] == 100


def test_verify_tells_no_digest_of_a_value_and_evidence_tells_no_order(compared):
    """Neither the order of values of the other tables nor who has which."""
    done, others = compared
    found = describe_verification(done.folder, verify(done.folder, against=others))
    assert found["ok"]
    said = json.dumps(found)
    stated = json.loads((done.folder / "evidence.json").read_bytes())
    digests = list(digests_of(stated))
    assert len(digests) > 5
    assert not [each for each in digests if each in said]


def digests_of(stated: object) -> Iterator[str]:
    """Return all that stands for a value of another table, each part in order."""
    if isinstance(stated, dict):
        keys = [key for key in stated if re.fullmatch("[0-9a-f]{24}", key)]
        assert keys == sorted(keys)
        yield from keys
        for each in stated.values():
            yield from digests_of(each)
    elif isinstance(stated, list):
        for each in stated:
            yield from digests_of(each)


# -- another one in its place ----------------------------------------------------------


def test_a_release_takes_the_place_of_the_one_that_it_was_compared_with(
    compared, tmp_path
):
    """Any other gives that comparison up, and somebody has to decide anew."""
    done, others = compared
    first, nothing = drift.open_earlier(others[0], "N. N.", tmp_path)
    second, follows = drift.open_earlier(done.folder, "N. N.", tmp_path)
    assert nothing == ""
    assert follows == first.sha256 != second.sha256
    project = drift.compare_with(first, "N. N.")(Project())
    assert drift.compare_with(first, "B. B.", nothing)(project) == project
    after = drift.compare_with(second, "N. N.", follows)(project)
    assert after.validity.earlier == second
    assert after.validity.triggers == ()
    for back in (first, None):
        left = drift.compare_with(back, "N. N.", nothing)(after)
        (met,) = left.validity.triggers
        assert (met.kind, met.by, met.digest) == ("comparison", "N. N.", second.sha256)
        assert validity_problem(left).code == "validity_trigger"
