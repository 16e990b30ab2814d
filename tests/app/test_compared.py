"""Released people found in another release or a register, by plain code over files."""

from __future__ import annotations

import csv
import hashlib
import json
import re
import shutil
import zipfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidgui.app import ops
from deidgui.app.changes import fingerprint
from deidgui.app.commands.describe import describe_verification
from deidgui.app.commands.summary import _not_compared
from deidgui.app.decides import Decides
from deidgui.app.deciding.compared import with_comparison
from deidgui.app.determination.validity import decide_anew, validity_problem
from deidgui.app.dossier.sensitivity_words import unmeasured_words
from deidgui.app.measuring import compared
from deidgui.app.measuring.corresponding import Correspondence, _grouped
from deidgui.app.measuring.criteria_words import compared_notes
from deidgui.app.measuring.others import open_others
from deidgui.app.project import Comparison, Project
from deidgui.app.reading.reading import propose_project, read_input
from deidgui.app.release.releasing import FinishedRelease, release
from deidgui.app.release.verifying import verify
from deidgui.app.report.contents import report_of
from deidgui.engine.data.encoding import ENCODINGS
from deidgui.engine.data.table import Column
from deidgui.engine.evidence.document import (
    Compared,
    Criteria,
    Dialect,
    Encoding,
    Linked,
    canonical_json,
)
from deidgui.engine.evidence.entered import IntruderTest
from deidgui.engine.evidence.verify_compared import cut_rows
from deidgui.errors import ConfigError, DeidError, InputError
from deidgui.monitor import NULL_MONITOR
from tests.answers import answered
from tests.app.context_case import watched
from tests.app.test_criteria import QUASI, decided_on, rows_of, write_patients

Known = Callable[[str, str], bool]


def made(folder: Path, *compare: str, coarse: bool = False) -> FinishedRelease:
    """Release the patients of a folder, matched with other tables."""
    path = folder / "patients.csv"
    if not path.exists():
        write_patients(path, 900)
    loaded = read_input(path)
    project = decided_on(propose_project(loaded), "left_out" if coarse else "stars")
    if coarse:
        project = ops.change_attribute("birth_year", minimum_level=3)(project)
    where: dict[str, Path] = {}
    for text in compare:
        op, away = with_comparison(
            project, text, "N. N.", "2026-11-23", folder, NULL_MONITOR
        )
        project, where = op(project), where | away
    others = open_others(project, folder, where)
    out = folder / f"out{len(list(folder.glob('out*')))}"
    return release(answered(project, loaded), loaded, out, {}, compared=others)


def register(path: Path, folder: Path) -> Path:
    """All patients and as many others, with other names of columns and marks."""
    with (folder / "patients.csv").open(encoding="utf-8", newline="") as file:
        people = list(csv.DictReader(file))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=";")
        writer.writerow(["NAME", "Region", "YEAR", "sex"])
        for number, each in enumerate(people):
            year = int(each["birth_year"])
            writer.writerow([f"P{number}", each["region"], year, each["sex"]])
            writer.writerow([f"Q{number}", "NSEWX"[number % 5], year - 1, each["sex"]])
    return path


def covers(label: str, year: str) -> bool:
    """Whether a released label of a year of birth holds a year."""
    if found := re.fullmatch(r"(\d+)-(\d+)", label):
        return int(found[1]) <= int(year) <= int(found[2])
    return label in ("*", year)


def holds(name: str, label: str, value: str) -> bool:
    if name == "birth_year" and "-" not in value:
        return covers(label, value)
    return label in ("*", value)


def sizes(
    rows: Sequence[dict[str, str]], names: Sequence[str]
) -> Counter[tuple[str, ...]]:
    return Counter(tuple(row[name] for name in names) for row in rows)


def found_in(done: FinishedRelease, name: str) -> Compared:
    criteria = done.written.evidence.criteria
    assert criteria is not None
    return next(each for each in criteria.compared if each.name == name)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("compared")
    write_patients(found / "patients.csv", 900)
    register(found / "voters.csv", found)
    return found


@pytest.fixture(scope="module")
def earlier(folder: Path) -> FinishedRelease:
    return made(folder, coarse=True)


@pytest.fixture(scope="module")
def done(folder: Path, earlier: FinishedRelease) -> FinishedRelease:
    return made(
        folder,
        f"release={earlier.folder},name=first",
        f"register={folder / 'voters.csv'},birth_year=YEAR,name=voters",
        f"register={folder / 'voters.csv'},birth_year=YEAR,name=half,coverage=0.5",
    )


def test_matches_with_a_register(done: FinishedRelease, folder: Path) -> None:
    ours = rows_of(done.folder, "patients_released.csv")
    with (folder / "voters.csv").open(encoding="utf-8", newline="") as file:
        people = list(csv.DictReader(file, delimiter=";"))
    right = half = certain = 0.0
    shares = []
    for (sex, year, region), n in sizes(ours, QUASI).items():
        alike = sum(
            holds("sex", sex, each["sex"])
            and covers(year, each["YEAR"])
            and holds("region", region, each["Region"])
            for each in people
        )
        right += min(n, alike) / max(n, alike)
        half += n * (1 - 0.5**alike) / alike
        certain += n == alike == 1
        shares += [min(1, n / alike)] * n
    found, part = found_in(done, "voters"), found_in(done, "half")
    (linked,) = found.linked
    assert linked.attributes == QUASI
    assert linked.most == pytest.approx(right)
    assert part.linked[0].most == pytest.approx(half)
    assert linked.certain == certain
    assert (found.records, found.others) == (len(ours), len(people))
    assert found.membership is not None
    assert found.membership.highest == pytest.approx(max(shares))
    assert found.membership.average == pytest.approx(sum(shares) / len(shares))
    unknown = {each.attribute: each.unknown for each in found.shared}
    assert unknown["sex"] == 0
    if "*" not in {row["region"] for row in ours}:
        assert unknown["region"] == sum(each["Region"] == "X" for each in people)


def test_matches_with_an_earlier_release(
    done: FinishedRelease, earlier: FinishedRelease
) -> None:
    ours = rows_of(done.folder, "patients_released.csv")
    theirs = rows_of(earlier.folder, "patients_released.csv")
    labels = {
        name: ({row[name] for row in ours}, {row[name] for row in theirs})
        for name in QUASI
    }

    def overlap(name: str, one: str, other: str) -> bool:
        """Whether two labels have a value in common: years by their ends."""
        if name != "birth_year":
            return "*" in (one, other) or one == other
        ends = [
            (1930, 2005) if t == "*" else tuple(map(int, t.split("-") * 2))[:2]
            for t in (one, other)
        ]
        return max(e[0] for e in ends) <= min(e[1] for e in ends)

    group: dict[tuple[str, int, str], int] = {}
    for name, (own, other) in labels.items():
        for label in own:
            group[name, 0, label] = len(group)
        for label in other:
            group[name, 1, label] = len(group)
        for _ in range(len(own) + len(other)):
            for one in own:
                for two in other:
                    if overlap(name, one, two):
                        low = min(group[name, 0, one], group[name, 1, two])
                        group[name, 0, one] = group[name, 1, two] = low
    a = Counter(tuple(group[n, 0, row[n]] for n in QUASI) for row in ours)
    b = Counter(tuple(group[n, 1, row[n]] for n in QUASI) for row in theirs)
    found = found_in(done, "first")
    by_quasi, by_all = found.linked
    most = sum(min(n, b[k]) / max(n, b[k]) for k, n in a.items())
    assert by_quasi.most == pytest.approx(most)
    assert by_quasi.certain == sum(n == b[k] == 1 for k, n in a.items())
    # Costs are released as they are, and link nearly everybody.
    assert set(by_all.attributes) == {*QUASI, "diagnosis", "cost", "ward"}
    assert by_all.most > 0.9 * min(found.records, found.others)
    assert by_all.certain > 0.9 * min(found.records, found.others)
    assert found.coverage is None
    assert found.membership is None


def test_suppressed_records_make_no_labels_one(
    done: FinishedRelease, folder: Path
) -> None:
    """Their marks stand for all values, and for no person."""
    before = done.written.evidence
    assert before.suppressed_records
    assert before.policy.suppressed == "stars"
    again = made(folder, f"release={done.folder},name=same")
    found = found_in(again, "same")
    rows = rows_of(again.folder, "patients_released.csv")
    # By the same labels both have the same classes, and each gives one right match.
    assert found.linked[0].most == pytest.approx(len(sizes(rows, QUASI)))
    for each in found.shared:
        assert set(each.groups) == {row[each.attribute] for row in rows}
        assert len(set(each.groups.values())) == len(each.groups)


def test_wide_rows_of_a_register_join_no_labels(
    done: FinishedRelease, folder: Path
) -> None:
    """Who has a wide value may be any of several: the figure is a bound."""
    with (folder / "voters.csv").open(encoding="utf-8", newline="") as file:
        head, *people = csv.reader(file, delimiter=";")
    wide = [
        ["W1", "N", "1930-2005", "F"],
        ["W2", "N", "1930-2005", "F"],
        ["W3", "*", "1960", "M"],
        ["W4", "*", "1930-2005", "*"],
        ["W5", "X", "1930-2005", "F"],
    ]
    path = folder / "wide.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter=";").writerows([head, *people, *wide])
    again = made(folder, f"register={path},birth_year=YEAR,name=wide")
    before, found = found_in(done, "voters"), found_in(again, "wide")
    # The labels are as far apart as without these rows.
    assert [each.groups for each in found.shared] == [e.groups for e in before.shared]
    # Two of the rows are alike, and nobody of ours is in a region X.
    ours = rows_of(again.folder, "patients_released.csv")
    is_there = any(
        row["sex"] in ("M", "*") and covers(row["birth_year"], "1960") for row in ours
    )
    assert is_there
    (linked,), (alone,) = found.linked, before.linked
    assert linked.classes == alone.classes
    assert linked.possible == 3
    assert linked.most == pytest.approx(alone.most + 3)
    assert found.others == before.others + 5
    words = " ".join(compared_notes(again.written.evidence.criteria))
    assert "“wide” has 3 kinds of people" in words
    assert verify(again.folder).ok
    checked = verify(again.folder, against=[path])
    assert checked.ok
    assert "compared_wide" in {each.code for each in checked.checks}
    evidence = json.loads((again.folder / "evidence.json").read_bytes())
    (stated,) = evidence["criteria"]["compared"]
    stated["linked"][0]["possible"] -= 1
    stated["linked"][0]["most"] -= 1
    (again.folder / "evidence.json").write_bytes(canonical_json(evidence))
    failed = {e.code for e in verify(again.folder, against=[path]).failed}
    assert "compared_wide" in failed or "file_hash" in failed


@given(st.data())
def test_labels_are_one_where_no_text_tells_them_apart(data: st.DataObject) -> None:
    n_labels = data.draw(st.integers(1, 5))
    cover = st.sets(st.integers(0, n_labels - 1))
    texts = data.draw(st.lists(cover, max_size=5))
    arrays = [np.array(sorted(each), dtype=np.int64) for each in texts]
    found = _grouped(list(arrays), n_labels)
    labels = range(n_labels)
    for one in labels:
        for two in labels:
            told = any((one in each) != (two in each) for each in texts)
            some = any(one in each for each in texts)
            alike = one == two or (some and not told)
            assert (found.of_label[one] == found.of_label[two]) == alike
    for each, group, is_wide in zip(texts, found.of_text, found.is_wide, strict=True):
        groups = {int(found.of_label[label]) for label in each}
        assert is_wide == (len(groups) > 1)
        assert group == (groups.pop() if len(groups) == 1 else -1)


def test_verify_matches_again(
    done: FinishedRelease, earlier: FinishedRelease, folder: Path
) -> None:
    alone = verify(done.folder)
    assert alone.ok
    names = [each for each in alone.unmeasured if each.startswith("compared:")]
    assert names == ["compared:first", "compared:voters", "compared:half"]
    found = verify(done.folder, against=[earlier.folder, folder / "voters.csv"])
    assert found.ok, [each for each in found.checks if not each.ok]
    assert not [each for each in found.unmeasured if each.startswith("compared:")]
    codes = Counter(each.code for each in found.checks)
    assert codes["compared_pairs"] == 4
    needed = "Give them with --against"
    for each, is_needed in ((alone, True), (found, False)):
        said = describe_verification(done.folder, each)["not_checked"]
        assert any(needed in one["because"] for one in said) == is_needed
    assert not verify(done.folder, against=[folder / "patients.csv"]).ok


@pytest.mark.parametrize(
    ("place", "change"),
    [
        ("linked.0.most", lambda v: v / 2),
        ("linked.0.certain", lambda v: v + 1),
        ("linked.0.classes.0.0", lambda v: v + 1),
        ("linked.0.classes.0.2", lambda v: v + 1),
        ("records", lambda v: v + 1),
        ("membership.highest", lambda v: v / 2),
        ("shared.0.attribute", lambda v: "nobody"),
        ("coverage", lambda v: None),
    ],
)
def test_verify_notices_other_figures(
    done: FinishedRelease, place: str, change: Callable[[object], object]
) -> None:
    failed = _with_edit(done.folder, 1, place, change, [])
    assert any(each.startswith("compared_") for each in failed)


@pytest.mark.parametrize(
    "place", ["others", "shared.1.unknown", "linked.0.classes.0.1"]
)
def test_verify_notices_them_with_the_register(
    done: FinishedRelease, folder: Path, place: str
) -> None:
    against = [folder / "voters.csv"]
    failed = _with_edit(done.folder, 1, place, lambda v: int(str(v)) + 1, against)
    assert failed & {"compared_people", "compared_unknown", "compared_pairs"}


def _with_edit(
    folder: Path,
    number: int,
    place: str,
    change: Callable[[object], object],
    against: Sequence[Path],
) -> set[str]:
    path = folder / "evidence.json"
    before = path.read_bytes()
    evidence = json.loads(before)
    at = evidence["criteria"]["compared"][number]
    *steps, last = [int(s) if s.isdigit() else s for s in place.split(".")]
    for step in steps:
        at = at[step]
    at[last] = change(at[last])
    path.write_bytes(canonical_json(evidence))
    try:
        return {each.code for each in verify(folder, against=against).failed}
    finally:
        path.write_bytes(before)


def test_the_evidence_names_no_value_of_the_register(
    done: FinishedRelease, folder: Path
) -> None:
    stated = (done.folder / "evidence.json").read_text(encoding="utf-8")
    shown = found_in(done, "voters").shared
    released = rows_of(done.folder, "patients_released.csv")
    for each in shown:
        assert set(each.groups) == {row[each.attribute] for row in released}
        assert all(re.fullmatch("[0-9a-f]{24}", digest) for digest in each.others)
    assert "P17" not in stated
    # Of two files the digests of the same value differ.
    other = folder / "voters2.csv"
    other.write_bytes((folder / "voters.csv").read_bytes() + b"R;N;1990;F\n")
    again = made(folder, f"register={other},birth_year=YEAR,name=voters")
    pairs = zip(shown, found_in(again, "voters").shared, strict=True)
    assert all(not set(a.others) & set(b.others) for a, b in pairs)


def test_digests_tell_no_rank_and_belong_to_one_release(
    done: FinishedRelease, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    shown = found_in(done, "voters").shared
    for each in shown:
        assert list(each.others) == sorted(each.others)
    path = folder / "voters.csv"
    again = made(folder, f"register={path},birth_year=YEAR,name=voters")
    pairs = zip(shown, found_in(again, "voters").shared, strict=True)
    assert again.written.evidence.created != done.written.evidence.created
    assert all(not set(a.others) & set(b.others) for a, b in pairs)
    assert verify(again.folder, against=[path]).ok


def test_a_packed_register_is_refused_and_ends_no_verification(
    done: FinishedRelease, folder: Path
) -> None:
    packed = folder / "voters.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.write(folder / "voters.csv", "voters.csv")
    with pytest.raises(InputError) as caught:
        made(folder, f"register={packed},birth_year=YEAR")
    assert caught.value.code == "other_packed"
    path = done.folder / "evidence.json"
    before = path.read_bytes()
    evidence = json.loads(before)
    digest = hashlib.sha256(packed.read_bytes()).hexdigest()
    evidence["criteria"]["compared"][1]["sha256"] = digest
    path.write_bytes(canonical_json(evidence))
    try:
        found = verify(done.folder, against=[packed])
    finally:
        path.write_bytes(before)
    assert "compared_read" in {each.code for each in found.failed}
    assert found.reasons["compared:voters"] == "other_unreadable"


@pytest.mark.parametrize(
    "change",
    [
        {"encoding": "a\0b"},
        {"encoding": "undefined"},
        {"skip_lines": 10**30},
        {"delimiter": ""},
        {"quote": "ab"},
    ],
)
def test_the_dialect_of_a_stranger_is_bounded(change: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        Dialect.model_validate(change)


def test_an_encoding_that_nothing_has_is_unreadable(folder: Path) -> None:
    for encoding in ("a\0b", "undefined"):
        cut = Dialect().model_copy(update={"encoding": encoding})
        with pytest.raises(InputError) as caught:
            list(cut_rows(cut, folder / "voters.csv"))
        assert caught.value.code == "other_unreadable"
    assert get_args(Encoding) == tuple(ENCODINGS)


def test_a_public_edition_names_no_table_and_nobody_who_chose_it(
    done: FinishedRelease,
) -> None:
    evidence = done.written.evidence
    assert "“voters”" in str(report_of(evidence, "confidential"))
    assert "Chosen: N. N., 2026-11-23" in str(report_of(evidence, "confidential"))
    text = str(report_of(evidence, "public"))
    assert "“voters”" not in text
    assert "N. N." not in text
    assert "“register 2”" in text
    test = IntruderTest(
        kind="intruder",
        tried_by="Ada Finder",
        tested="the table",
        sources="the web",
        targets=20,
        hours=16,
        claimed=1,
        verified=0,
        by="Bob Signer",
        on="2026-11-23",
    )
    assert evidence.dossier is not None
    dossier = evidence.dossier.model_copy(update={"intruder_tests": (test,)})
    found = evidence.model_copy(update={"dossier": dossier})
    for name in ("Ada Finder", "Bob Signer"):
        assert name in str(report_of(found, "confidential"))
        assert name not in str(report_of(found, "public"))


def test_one_more_column_that_is_not_measured_is_said() -> None:
    assert unmeasured_words(Criteria()) is None
    some = Criteria(not_measured={"one_more:cost": "rows_vary"})
    assert "not measured for “cost”" in str(unmeasured_words(some))
    none = Criteria(not_measured={"one_more": "many_cells"})
    assert "not measured for any column" in str(unmeasured_words(none))


def test_a_release_that_was_changed_is_refused(
    earlier: FinishedRelease, tmp_path: Path
) -> None:
    write_patients(tmp_path / "patients.csv", 900)
    copy = tmp_path / "copy"
    shutil.copytree(earlier.folder, copy)
    with (copy / "patients_released.csv").open("a", encoding="utf-8") as file:
        file.write("more\n")
    with pytest.raises(InputError) as caught:
        made(tmp_path, f"release={copy}")
    assert caught.value.code == "other_not_verified"
    (copy / "evidence.json").unlink()
    with pytest.raises(InputError) as caught:
        made(tmp_path, f"release={copy}")
    assert caught.value.code == "not_a_release"


def test_a_table_that_is_not_there_is_said_to_be_not_compared(
    done: FinishedRelease, folder: Path, tmp_path: Path
) -> None:
    shutil.copy(folder / "patients.csv", tmp_path)
    shutil.copy(folder / "voters.csv", tmp_path)
    loaded = read_input(tmp_path / "patients.csv")
    project = decided_on(propose_project(loaded))
    text = f"register={tmp_path / 'voters.csv'},birth_year=YEAR"
    op, away = with_comparison(project, text, "N. N.", "", tmp_path, NULL_MONITOR)
    project = op(project)
    assert away == {}
    (tmp_path / "voters.csv").unlink()
    others = open_others(project, tmp_path, away)
    again = release(
        answered(project, loaded), loaded, tmp_path / "out", {}, compared=others
    )
    criteria = again.written.evidence.criteria
    assert criteria is not None
    assert criteria.compared == ()
    assert criteria.not_measured["compared:voters"] == "other_missing"
    assert verify(again.folder).ok
    # Another file in its place is no answer to the question.
    path = register(tmp_path / "voters.csv", tmp_path)
    path.write_bytes(path.read_bytes() + b"R;N;1990;F\n")
    with pytest.raises(InputError) as caught:
        open_others(project, tmp_path, {})
    assert caught.value.code == "other_changed"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("nothing", "compare_form"),
        ("register=voters.csv,age=YEAR", "compare_form"),
        ("register=voters.csv,coverage=much", "compare_form"),
        ("register=voters.csv,coverage=2", "compare_form"),
        ("none=nobody", "not_one_of"),
        (f"register=voters.csv,birth_year=YEAR,name={'n' * 81}", "not_one_of"),
        ("register=voters.csv,birth_year=YEAR,name=earlier", "compare_name"),
        ("register=voters.csv,birth_year=YEAR,name=table", "compare_name"),
        ("register=voters.csv,birth_year=YEAR,name=population", "compare_name"),
        ("register=missing.csv", "file_not_found"),
        ("release=voters.csv", "not_a_release"),
        ("register=names.csv", "other_no_column"),
    ],
)
def test_what_cannot_be_compared_is_refused(
    folder: Path, text: str, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    (folder / "names.csv").write_text("name,town\nA,B\nC,D\n", encoding="utf-8")
    project = decided_on(propose_project(read_input(folder / "patients.csv")))
    with pytest.raises(DeidError) as caught:
        with_comparison(project, text, "N. N.", "", folder, NULL_MONITOR)[0](project)
    assert caught.value.code == code


def test_a_comparison_is_a_decision(folder: Path) -> None:
    project = decided_on(propose_project(read_input(folder / "patients.csv")))
    text = f"register={folder / 'voters.csv'},birth_year=YEAR"
    op, _ = with_comparison(project, text, "N. N.", "2026-11-23", folder, NULL_MONITOR)
    other = op(project)
    assert Project.model_validate_json(other.model_dump_json()) == other
    assert fingerprint(project, Decides.CRITERIA) != fingerprint(
        other, Decides.CRITERIA
    )
    before, after = (fingerprint(e, Decides.MEASUREMENT) for e in (project, other))
    assert before == after
    back = ops.compare_no_more("voters", "N. N.")(other)
    assert back.but(validity=project.validity) == project
    with pytest.raises(ConfigError):
        ops.compare_no_more("voters", "N. N.")(back)


@pytest.mark.parametrize("kind", ["release", "register", "hold_out"])
def test_who_gives_a_comparison_up_has_to_decide_anew(kind: str) -> None:
    digest = "5" * 64
    choice = Comparison(
        name="other", kind=kind, file="f", sha256=digest, by="A. A.", on="2026-11-23"
    )
    project = ops.compare_with(choice)(watched(Project()))
    assert validity_problem(project) is None
    left = ops.compare_no_more("other", " N. N. ")(project)
    (met,) = left.validity.triggers
    assert (met.kind, met.by, met.digest) == ("table", "N. N.", digest)
    assert digest in met.because
    problem = validity_problem(left)
    assert problem is not None
    assert problem.code == "validity_trigger"
    decided = decide_anew("2020-01-01", "2098-01-01", "by law", "B.", "2026-11-23")
    held = decided(left)
    assert validity_problem(held) is None
    assert held.validity.periods[-1].after == (met,)
    # Chosen again and given up again, it is decided about again.
    again = ops.compare_no_more("other", "N. N.")(ops.compare_with(choice)(held))
    assert len(again.validity.triggers) == 1


def test_other_people_held_out_give_those_before_up() -> None:
    first, second = (
        Comparison(
            name="held", kind="hold_out", file="f", sha256=digest * 64, by="A. A."
        )
        for digest in "12"
    )
    project = ops.compare_with(first)(Project())
    assert ops.compare_with(first.but(by="B. B."))(project).validity.triggers == ()
    other = ops.compare_with(second)(project)
    assert other.comparisons == (second,)
    assert [each.digest for each in other.validity.triggers] == [first.sha256]


def test_a_text_that_is_released_with_several_codes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # As the top of a hierarchy and what is suppressed: both are written as "*".
    found = Correspondence(np.array([0]), np.array([0, 0]), np.zeros(2, dtype=np.bool_))
    monkeypatch.setattr(compared, "corresponding", lambda *_: found)
    values = SimpleNamespace(to_list=lambda: ["*", "*"])
    released = SimpleNamespace(
        columns=[SimpleNamespace(attribute="zip", values=values)],
        codes=lambda *_: np.array([1, 0, 1]),
    )
    policy = SimpleNamespace(maps=[SimpleNamespace(attribute="zip", labels=("*",))])
    column = Column.from_texts("zip", ["a", "b"])
    other = SimpleNamespace(
        table=SimpleNamespace(column=lambda _header: column),
        rows=np.array([0, 1]),
        identity=SimpleNamespace(
            digest=lambda name, text: hashlib.sha256(text.encode()).hexdigest()
        ),
    )
    stated, (own, there, n_codes, n_alike) = compared.shared_column(
        released,  # type: ignore[arg-type]
        policy,  # type: ignore[arg-type]
        np.arange(3),
        other,  # type: ignore[arg-type]
        SimpleNamespace(name="zip", missing=()),  # type: ignore[arg-type]
        "zip",
    )
    assert stated.groups == {"*": 0}
    assert own.tolist() == [0, 0, 0]
    assert there.tolist() == [0, 0]
    assert n_codes == n_alike == 2


def test_a_comparison_is_named_and_replaces_no_other(
    folder: Path, tmp_path: Path
) -> None:
    project = decided_on(propose_project(read_input(folder / "patients.csv")))
    path = shutil.copy(folder / "voters.csv", tmp_path / "earlier.csv")
    text = f"register={path},birth_year=YEAR"

    def add(project: Project, text: str, by: str = "N. N.") -> Project:
        op, _ = with_comparison(project, text, by, "", folder, NULL_MONITOR)
        return op(project)

    def refused(change: Callable[[], object]) -> str:
        with pytest.raises(ConfigError) as caught:
            change()
        return caught.value.code

    assert refused(lambda: add(project, text, by=" ")) == "validity_unnamed"
    first = add(project, text)
    # The name of a file that ``--input`` knows already is not proposed.
    assert [each.name for each in first.comparisons] == ["earlier 2"]
    assert refused(lambda: add(first, f"{text},name=earlier 2")) == "compare_name"
    assert refused(lambda: add(first, "none=earlier 2", "")) == "validity_unnamed"
    unsigned = first.comparisons[0].but(name="other", by="")
    assert refused(lambda: ops.compare_with(unsigned)(first)) == "validity_unnamed"
    many = first
    for number in range(19):
        named = first.comparisons[0].but(name=f"n{number}")
        many = ops.compare_with(named)(many)
    one_more = first.comparisons[0].but(name="one more")
    assert refused(lambda: ops.compare_with(one_more)(many)) == "compare_many"
    # A place that somebody gives is no place that may be missing.
    with pytest.raises(InputError) as caught:
        open_others(first, folder, {"earlier 2": tmp_path / "nope.csv"})
    assert caught.value.code == "file_not_found"


def test_a_run_says_what_was_not_compared() -> None:
    reasons = {"compared:voters": "other_missing", "guessed": "rows_vary"}
    (line,) = _not_compared({"criteria": {"not_measured": reasons}})
    said = "not compared “voters”: it was not found: choose it again"
    assert " ".join(line.split()) == said
    assert _not_compared({"criteria": None}) == []


def a_register(*classes: tuple[int, int, int], **changes: object) -> Criteria:
    """A register that is matched by one column, with these class sizes."""
    linked = Linked(attributes=("sex",), classes=classes, most=1.0, certain=0)
    fields = {
        "name": "voters",
        "kind": "register",
        "sha256": "0" * 64,
        "records": sum(ours * times for ours, _theirs, times in classes),
        "others": sum(theirs * times for _ours, theirs, times in classes),
        "coverage": 1.0,
        "shared": (),
        "linked": (linked,),
        **changes,
    }
    return Criteria(compared=(Compared.model_validate(fields),))


def notes(found: Criteria, fraction: float | None = None) -> str:
    return " ".join(compared_notes(found, fraction))


def test_a_register_that_lacks_released_people_is_said_to_be_incomplete() -> None:
    # 10 released people and 8 of the register; by class at least 4 are not in it.
    fewer = a_register((3, 1, 2), (2, 3, 2))
    assert "at least 4 of the 10 released people are not in it" in notes(fewer)
    # Enough people, but not of the right kind: nobody of it is in one class.
    elsewhere = a_register((2, 0, 1), (1, 9, 1))
    assert "at least 2 of the 3 released people" in notes(elsewhere)
    # Not fewer than the numbers alone tell, whatever is joined.
    joined = a_register((3, 3, 1), records=5)
    assert "at least 2 of the 5 released people" in notes(joined)
    complete = a_register((3, 3, 1), (1, 9, 1))
    assert "not complete" not in notes(complete)
    # Another release need not have the same people.
    release = a_register((3, 1, 2), kind="release", coverage=None)
    assert "not complete" not in notes(release)


def test_a_register_smaller_than_the_population_of_the_fraction_is_incomplete() -> None:
    found = a_register((2, 10, 5))
    assert "not complete" not in notes(found)
    assert "not complete" not in notes(found, 0.2)
    words = notes(found, 0.1)
    assert "of a population, which then has about 100 people" in words
    assert "“voters” has 50" in words
