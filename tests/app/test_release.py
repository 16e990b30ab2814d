"""A release appears whole and verified, or not at all; the old one stays."""

from __future__ import annotations

import base64
import ctypes
import dataclasses
import errno
import hashlib
import hmac
import json
import os
import pathlib
import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from deidgui.app import report
from deidgui.app.release import folder as folders
from deidgui.app.release import verifying
from deidgui.app.release import writing as module
from deidgui.app.release.folder import at_work, clear_leftovers, recover_folder
from deidgui.app.release.replacing import standing_of
from deidgui.app.release.verifying import verify
from deidgui.app.release.writing import release_time, write_release
from deidgui.app.text import message_for
from deidgui.app.text.release import CHECKS, SENTENCES
from deidgui.engine import evidence as of_evidence
from deidgui.engine.data.table import Column
from deidgui.engine.evidence.document import digest_of
from deidgui.engine.evidence.verify import verify_release
from deidgui.errors import (
    Cancelled,
    ConfigError,
    DeidError,
    InputError,
    ResourceError,
    VerificationError,
)
from tests.release_case import make_order, make_table, with_project


@pytest.fixture
def fast(monkeypatch):
    """Reports take long and are tested elsewhere."""
    for name in ("report_html", "report_pdf"):
        monkeypatch.setattr(report, name, lambda each: digest_of(each).encode())


@pytest.fixture(scope="session")
def older(tmp_path_factory):
    """A release of the same project."""
    folder = tmp_path_factory.mktemp("older")
    return write_release(
        folder / "out", make_order(folder, table=make_table(40))
    ).folder


@pytest.fixture
def old(tmp_path, older):
    """An older release at the place of the new one."""
    return Path(shutil.copytree(older, tmp_path / "place" / "out"))


def contents(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.fixture
def assert_old_intact(old, older):
    """See that the older release stands as it was, and nothing beside it."""

    def check(folder=old):
        assert contents(folder) == contents(older)
        assert [path.name for path in folder.parent.iterdir()] == ["out"]

    return check


# -- what is written -------------------------------------------------------------------


def test_release_has_all_files_and_verifies(tmp_path):
    made = write_release(tmp_path / "deep" / "out", make_order(tmp_path))
    assert made.verification.failed == ()
    assert made.verification.ok
    assert set(contents(made.folder)) == {
        *("patients_released.csv", "policy.json", "evidence.json"),
        *("mapping/age.csv", "mapping/sex.csv", "mapping/zip.csv"),
        *("report.html", "report.pdf"),
    }
    assert verify_release(made.folder).ok


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("patients.csv", "patients_released.csv"),
        ("patients.CSV.gz", "patients_released.csv"),
        ("a.b.txt", "a.b_released.csv"),
        (".csv", "attribute_released.csv"),
    ],
)
def test_released_name(file, name):
    assert module.released_name(file) == name


def test_hashes_are_of_the_bytes_on_disk(tmp_path, fast):
    made = write_release(tmp_path / "out", make_order(tmp_path))
    evidence = json.loads((made.folder / "evidence.json").read_bytes())
    for each in [*evidence["outputs"], *evidence["files"]]:
        content = (made.folder / each["path"]).read_bytes()
        assert each["bytes"] == len(content)
        assert each["sha256"] == hashlib.sha256(content).hexdigest()
    source = (tmp_path / "patients.csv").read_bytes()
    assert evidence["inputs"][0]["sha256"] == hashlib.sha256(source).hexdigest()


def test_evidence_has_the_fields_of_the_contract(tmp_path, fast):
    made = write_release(tmp_path / "out", make_order(tmp_path))
    evidence = json.loads((made.folder / "evidence.json").read_bytes())
    assert {
        *("deidgui", "inputs", "outputs", "attributes", "policy", "models", "risk"),
        *("suppressed_records", "quality", "search", "assumptions", "warnings"),
    } <= set(evidence)
    assert set(evidence["outputs"][0]) >= {"path", "bytes", "sha256", "rows"}
    assert evidence["policy"]["kind"] == "lattice"
    assert evidence["policy"]["levels"] == {"age": 1, "sex": 0, "zip": 1}
    assert all("satisfied" in model for model in evidence["models"])
    for attacker in ("prosecutor", "journalist", "marketer"):
        assert {"highest", "average", "at_risk"} <= set(evidence["risk"][attacker])
        assert attacker in evidence["risk"]["before"]
    search = evidence["search"]
    assert {"method", "seed", "nodes", "checked", "complete"} <= set(search)


def test_same_project_and_seed_give_the_same_bytes(tmp_path):
    orders = [make_order(tmp_path) for _ in range(2)]
    made = [
        write_release(tmp_path / name, order)
        for name, order in zip(("one", "two"), orders, strict=True)
    ]
    first, second = (contents(each.folder) for each in made)
    assert set(first) == set(second)
    # Pseudonyms have a key of their own in every release.
    differ = {name for name in first if first[name] != second[name]}
    assert differ == {
        *("patients_released.csv", "evidence.json", "report.html", "report.pdf"),
    }


def test_same_bytes_without_pseudonyms(tmp_path):
    found = []
    for name in ("one", "two"):
        order = make_order(tmp_path)
        attributes = tuple(
            a.but(treatment="mask") if a.name == "mrn" else a
            for a in order.project.attributes
        )
        project = order.project.but(attributes=attributes)
        made = with_project(order, project)
        found.append(contents(write_release(tmp_path / name, made).folder))
    assert found[0] == found[1]


def test_seed_is_not_told(tmp_path, fast):
    made = write_release(tmp_path / "out", make_order(tmp_path, shuffle_seed=987654321))
    for content in contents(made.folder).values():
        assert b"987654321" not in content


def told_by(folder):
    """Everything a release says in words, the PDF's text included."""
    found = [
        content.decode()
        for name, content in contents(folder).items()
        if not name.endswith(".pdf")
    ]
    if shutil.which("pdftotext"):
        command = ["pdftotext", str(folder / "report.pdf"), "-"]
        found.append(
            subprocess.run(command, capture_output=True, check=True).stdout.decode()
        )
    # Hashes, coordinates and fractions are digits that say nothing about anybody.
    return re.sub('[0-9a-f]{64}|="[-0-9., ]*"|[.]\\d{6,}', "", "\n".join(found))


def test_nothing_of_removed_columns_or_rare_values_is_told(tmp_path):
    """One person is 107 and has a ZIP code of their own; names are removed."""
    table = make_table()
    changed = {"age": "107", "zip": "99950", "diagnosis": "Z-rare"}
    columns = []
    for column in table.columns:
        texts = [column.text(row) for row in range(table.n_rows)]
        texts[5] = changed.get(column.name, texts[5])
        columns.append(Column.from_texts(column.name, texts))
    order = make_order(tmp_path, table=table.with_columns(columns))
    made = write_release(tmp_path / "out", order)
    told = told_by(made.folder)
    for secret in ("107", "100–109", "99950", "999**", "Z-rare", "M00"):
        assert secret not in told, secret
    # The word itself stands in the title of a guide that thresholds are from.
    assert not re.search(r"Person\s+\d", told)


def test_time_follows_source_date_epoch(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert release_time().isoformat() == "1970-01-02T00:00:00+00:00"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "soon")
    assert abs(release_time().timestamp() - time.time()) < 60


# -- where it may be written -----------------------------------------------------------


def test_older_release_is_replaced(tmp_path, old, fast):
    made = write_release(old, make_order(tmp_path))
    assert "old.csv" not in contents(made.folder)
    assert verify_release(made.folder).ok
    assert [path.name for path in old.parent.iterdir()] == ["out"]


def test_empty_folder_is_used(tmp_path, fast):
    (tmp_path / "out").mkdir()
    assert write_release(tmp_path / "out", make_order(tmp_path)).verification.ok


def test_folder_with_anything_else_is_refused(tmp_path, old, fast):
    (old / "thesis.docx").write_bytes(b"years of work")
    with pytest.raises(ConfigError) as caught:
        write_release(old, make_order(tmp_path))
    assert caught.value.code == "folder_damaged"
    assert "thesis.docx" in message_for(caught.value).what
    assert (old / "thesis.docx").exists()
    (old / "thesis.docx").rename(old / "mapping" / "thesis.docx")
    with pytest.raises(ConfigError):
        write_release(old, make_order(tmp_path))
    (tmp_path / "file").write_bytes(b"x")
    (tmp_path / "link").symlink_to(tmp_path)
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "evidence.json").write_bytes(b'{"outputs": 3}')
    codes = {"odd": "folder_in_use", "file": "folder_no_folder"}
    for name in ("file", "link", "odd"):
        with pytest.raises(ConfigError) as caught:
            write_release(tmp_path / name, make_order(tmp_path))
        assert caught.value.code == codes.get(name, "folder_no_folder")


def refused(folder, order, code):
    """See that a folder stays as it is, and that the error names what is in it."""
    before = contents(folder)
    with pytest.raises(ConfigError) as caught:
        write_release(folder, order)
    assert caught.value.code == code
    assert caught.value.params["n"] == len(before)
    assert set(caught.value.params["names"]) - {"…"} <= set(before)
    message = message_for(caught.value)
    assert "would be lost" in message.what
    assert "‹" not in str(message)
    assert contents(folder) == before


def test_folder_that_says_it_is_a_release_is_not_believed(tmp_path, fast):
    """Such a folder was replaced, with the work in it, although it proved nothing."""
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "thesis.csv").write_bytes(b"years of work")
    stated = {"format": "deidgui-evidence", "outputs": [{"path": "thesis.csv"}]}
    (folder / "evidence.json").write_text(json.dumps(stated))
    refused(folder, make_order(tmp_path), "folder_in_use")


def test_release_that_was_edited_is_not_replaced(tmp_path, old, fast):
    with (old / "mapping" / "age.csv").open("ab") as file:
        file.write(b"notes of somebody\n")
    refused(old, make_order(tmp_path), "folder_damaged")


def test_release_of_another_project_is_not_replaced(tmp_path, old, fast):
    order = make_order(tmp_path)
    other = dataclasses.replace(order, project=order.project.but(name="Another one"))
    refused(old, other, "folder_other_project")


def test_same_project_is_known_again_after_a_change_of_roles(tmp_path, old, fast):
    """A column that is no longer released has no name in the new evidence."""
    order = make_order(tmp_path)
    attributes = tuple(
        each.but(include=False) if each.name == "note" else each
        for each in order.project.attributes
    )
    project = order.project.but(attributes=attributes)
    write_release(old, with_project(order, project))
    assert verify_release(old).ok


def test_folder_with_the_input_is_never_replaced(tmp_path, old, fast):
    order = make_order(old)
    refused(old, order, "folder_input")
    standing = standing_of(old, order.known_by)
    assert not standing.may_be_given_up
    with pytest.raises(ConfigError):
        write_release(old, order, given_up=standing)
    # A release whose table is the input: its hash tells.
    order.input_path.unlink()
    table = old / "patients_released.csv"
    digest = hashlib.sha256(table.read_bytes()).hexdigest()
    source = shutil.copy(table, tmp_path / "same.csv")
    same = dataclasses.replace(order, input_path=Path(source), input_sha256=digest)
    refused(old, same, "folder_input")


def test_what_a_person_gave_up_is_replaced_and_nothing_else(tmp_path, fast):
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "draft.txt").write_bytes(b"draft")
    order = make_order(tmp_path)
    seen = standing_of(folder, order.known_by)
    assert seen.names == ("draft.txt",)
    (folder / "later.txt").write_bytes(b"later")
    with pytest.raises(ConfigError):
        write_release(folder, order, given_up=seen)
    assert len(contents(folder)) == 2
    seen = standing_of(folder, order.known_by)
    write_release(folder, order, given_up=seen)
    assert verify_release(folder).ok
    assert not (folder / "draft.txt").exists()


@pytest.mark.parametrize("swaps", [True, False])
def test_what_is_put_into_an_older_release_meanwhile_is_kept(
    tmp_path, old, fast, monkeypatch, swaps
):
    if not swaps:
        monkeypatch.setattr(folders, "exchange", lambda _one, _other: False)

    class Intruder:
        def report(self, fraction, note=""):
            if fraction > 0.9:
                (old / "mine.txt").write_text("kept")

    before = contents(old)
    with pytest.raises(ConfigError, match="folder_in_use"):
        write_release(old, make_order(tmp_path), monitor=Intruder())
    assert contents(old) == {**before, "mine.txt": b"kept"}
    assert [each.name for each in old.parent.iterdir()] == ["out"]


def test_changed_input_is_refused(tmp_path, old, assert_old_intact, fast):
    order = make_order(tmp_path)
    order.input_path.write_bytes(b"another file")
    with pytest.raises(InputError) as caught:
        write_release(old, order)
    assert caught.value.code == "input_changed_since_read"
    order.input_path.unlink()
    with pytest.raises(InputError) as caught:
        write_release(old, order)
    assert caught.value.code == "cannot_read"
    assert_old_intact(old)


# -- failures --------------------------------------------------------------------------


class FailsAt:
    """Calls through, until the nth call finds the disk full."""

    def __init__(self, real, nth, number=errno.ENOSPC):
        self.real, self.left, self.number = real, nth, number

    def __call__(self, *args, **kwargs):
        self.left -= 1
        if self.left == 0:
            raise OSError(self.number, os.strerror(self.number))
        return self.real(*args, **kwargs)

    def __get__(self, instance, owner):
        return lambda *args, **kwargs: self(instance, *args, **kwargs)


@pytest.mark.parametrize("nth", range(1, 13))
def test_disk_full_at_any_sync(
    tmp_path, old, assert_old_intact, fast, monkeypatch, nth
):
    order = make_order(tmp_path)
    fails = FailsAt(os.fsync, nth)
    monkeypatch.setattr(os, "fsync", lambda fd: fails(fd))
    if nth <= 11:
        with pytest.raises(ResourceError) as caught:
            write_release(old, order)
        assert caught.value.code == "cannot_write"
        assert caught.value.params["reason"] == os.strerror(errno.ENOSPC)
        assert_old_intact(old)
    else:  # there are eleven: eight files and three folders
        write_release(old, order)


def test_disk_full_at_the_last_sync_of_a_first_release(tmp_path, fast, monkeypatch):
    order = make_order(tmp_path)
    fails = FailsAt(os.fsync, 11)
    monkeypatch.setattr(os, "fsync", lambda fd: fails(fd))
    with pytest.raises(ResourceError):
        write_release(tmp_path / "place" / "out", order)
    assert list((tmp_path / "place").iterdir()) == []


@pytest.mark.parametrize(
    ("name", "nth"), [("mkdir", 1), ("mkdir", 3), ("rename", 1), ("rename", 2)]
)
def test_folder_operations_fail(
    tmp_path, old, assert_old_intact, fast, monkeypatch, name, nth
):
    order = make_order(tmp_path)
    # Where no system call lets two folders change places.
    monkeypatch.setattr(folders, "exchange", lambda _one, _other: False)
    with monkeypatch.context() as patch:
        fails = FailsAt(getattr(pathlib.Path, name), nth, errno.EACCES)
        patch.setattr(pathlib.Path, name, fails)
        with pytest.raises(ResourceError):
            write_release(old, order)
    assert_old_intact(old)


def test_write_fails_in_the_middle(tmp_path, old, assert_old_intact, fast, monkeypatch):
    def full(released, file, *, monitor):
        file.write(b"half of it")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(module, "write_csv", full)
    with pytest.raises(ResourceError):
        write_release(old, make_order(tmp_path))
    assert_old_intact(old)


def test_what_does_not_verify_is_not_released(
    tmp_path, old, assert_old_intact, fast, monkeypatch
):
    def lying(part, *, staged, reports, monitor):
        path = staged.get("patients_released.csv", part / "patients_released.csv")
        path.write_bytes(path.read_bytes().replace(b"I10", b"I11", 1))
        return verify(part, staged=staged, reports=reports, monitor=monitor)

    monkeypatch.setattr(module, "verify", lying)
    with pytest.raises(VerificationError) as caught:
        write_release(old, make_order(tmp_path))
    assert caught.value.params["failed"] == ("file_hash",)
    assert_old_intact(old)


def test_wrong_figures_are_not_released(tmp_path, old, assert_old_intact, fast):
    order = make_order(tmp_path)
    order.figures.risk["prosecutor"]["highest"] = 0.01
    with pytest.raises(VerificationError) as caught:
        write_release(old, order)
    assert "prosecutor_highest" in caught.value.params["failed"]
    assert_old_intact(old)


def test_bugs_leave_nothing_behind(tmp_path, old, assert_old_intact, monkeypatch):
    monkeypatch.setattr(report, "report_html", lambda _evidence: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write_release(old, make_order(tmp_path))
    assert_old_intact(old)


class StopsAt:
    def __init__(self, nth):
        self.left, self.told = nth, []

    def report(self, fraction, note=""):
        self.told.append(fraction)
        self.left -= 1
        if self.left == 0:
            raise Cancelled


def test_cancel_at_any_point(tmp_path, old, assert_old_intact, fast):
    counter = StopsAt(0)
    write_release(tmp_path / "free", make_order(tmp_path), monitor=counter)
    assert counter.told == sorted(counter.told)
    assert counter.told[-1] == 1.0
    # The last report comes when everything is in place.
    for nth in range(1, len(counter.told)):
        with pytest.raises(Cancelled):
            write_release(old, make_order(tmp_path), monitor=StopsAt(nth))
        assert_old_intact(old)


def test_place_that_cannot_be(tmp_path, fast):
    (tmp_path / "file").write_bytes(b"x")
    with pytest.raises(ResourceError):
        write_release(tmp_path / "file" / "out", make_order(tmp_path))


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere"
)
def test_folder_without_permission(tmp_path, fast):
    place = tmp_path / "place"
    place.mkdir(mode=0o500)
    with pytest.raises(ResourceError):
        write_release(place / "out", make_order(tmp_path))


def test_really_full_disk(tmp_path, fast):
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "none", str(disk)]
    if (
        shutil.which("mount") is None
        or subprocess.run(mount, capture_output=True, check=False).returncode
    ):
        pytest.skip("may not mount a small disk here")
    try:
        with pytest.raises(ResourceError) as caught:
            write_release(disk / "out", make_order(tmp_path, table=make_table(9000)))
        assert caught.value.params["reason"] == os.strerror(errno.ENOSPC)
        assert list(disk.iterdir()) == []
    finally:
        subprocess.run(["umount", str(disk)], check=True)


# -- power cut -------------------------------------------------------------------------


def test_release_left_aside_by_a_power_cut_comes_back(tmp_path, old, assert_old_intact):
    old.rename(old.with_name(".out.old-0123abcd"))
    recover_folder(old)
    assert_old_intact(old)


def test_leftovers_go_with_their_process_and_nothing_else(tmp_path, old):
    names = (".out.part-0123abcd", ".out.old-0123abce", ".out.part-mine", "other")
    for name in names:
        (old.parent / name).mkdir()
    with at_work(old.parent / names[0]):
        recover_folder(old)
        left = {path.name for path in old.parent.iterdir()}
        assert left == {"out", *names} - {names[1]} | {f"{names[0]}.lock"}
    recover_folder(old)
    left = {path.name for path in old.parent.iterdir()}
    assert left == {"out", ".out.part-mine", "other"}


def test_next_start_removes_what_another_place_has_left(tmp_path, monkeypatch):
    monkeypatch.setenv("DEIDGUI_HOME", str(tmp_path / "home"))
    part = tmp_path / "place" / ".out.part-0123abcd"
    part.mkdir(parents=True)
    stranger = tmp_path / "place" / "thesis"
    stranger.mkdir()
    with at_work(part):
        clear_leftovers()
        assert part.exists()
        (note,) = (tmp_path / "home" / "unfinished").iterdir()
        kept = note.read_bytes()
    # As if the process had been killed.
    note.write_bytes(kept)
    (note.parent / "hostile").write_bytes(str(stranger).encode())
    (note.parent / "odd").write_bytes(b"\xff\x00")
    clear_leftovers()
    assert not part.exists()
    assert stranger.exists()
    assert not note.exists()


# -- keys ------------------------------------------------------------------------------


def test_key_file_is_for_its_owner_and_links_codes_to_identifiers(tmp_path, fast):
    key_file = tmp_path / "key.json"
    order = make_order(tmp_path, key_file=key_file, shuffle=False, below=1)
    made = write_release(tmp_path / "out", order)
    kept = json.loads(key_file.read_bytes())
    if os.name == "posix":
        assert key_file.stat().st_mode & 0o777 == 0o600
    secret = bytes.fromhex(kept["keys"]["mrn"])
    rows = (made.folder / "patients_released.csv").read_text("utf-8").splitlines()
    digest = hmac.digest(secret, order.table.column("mrn").text(0).encode(), "sha256")
    assert rows[1].split(",")[0] == base64.b32encode(digest[:10]).decode()
    assert kept["release"]["sha256"] == made.evidence.outputs[0].sha256
    for content in contents(made.folder).values():
        assert secret.hex().encode() not in content
    assert made.evidence.attributes[0].key == "kept_apart"


def test_key_is_destroyed_by_default(tmp_path, fast):
    made = write_release(tmp_path / "out", make_order(tmp_path))
    assert made.evidence.attributes[0].key == "destroyed"
    assert {path.name for path in tmp_path.iterdir()} == {"out", "patients.csv"}


def test_key_file_inside_or_existing_is_refused(tmp_path, fast):
    inside = make_order(tmp_path, key_file=tmp_path / "out" / "key.json")
    with pytest.raises(ConfigError) as caught:
        write_release(tmp_path / "out", inside)
    assert caught.value.code == "key_inside_release"
    (tmp_path / "key.json").write_bytes(b"older key")
    existing = make_order(tmp_path, key_file=tmp_path / "key.json")
    with pytest.raises(ConfigError) as caught:
        write_release(tmp_path / "out", existing)
    assert caught.value.code == "key_file_exists"
    assert (tmp_path / "key.json").read_bytes() == b"older key"


def test_key_file_goes_when_the_release_fails(tmp_path, old, fast, monkeypatch):
    order = make_order(tmp_path, key_file=tmp_path / "key.json")
    monkeypatch.setattr(folders, "exchange", FailsAt(folders.exchange, 1))
    with pytest.raises(ResourceError):
        write_release(old, order)
    assert not (tmp_path / "key.json").exists()


# -- words -----------------------------------------------------------------------------


def _codes_of_checks() -> set[str]:
    """Codes of the checks that stand as such in the sources."""
    engine = Path(of_evidence.__file__).parent
    sources = [*engine.glob("*.py"), Path(verifying.__file__)]
    calls = re.compile(r'\b(?:Check|compare)\(\s*"([a-z_0-9]+)"')
    return {code for each in sources for code in calls.findall(each.read_text("utf-8"))}


def test_every_code_and_check_has_a_sentence(tmp_path, fast):
    made = write_release(tmp_path / "out", make_order(tmp_path))
    assert {check.code for check in made.verification.checks} <= set(CHECKS)
    assert _codes_of_checks() <= set(CHECKS)
    for check in made.verification.checks:
        CHECKS[check.code].format_map(check.params)
    assert {"folder_in_use", "release_not_verified"} <= set(SENTENCES)


def test_errors_tell_no_cell(tmp_path, old, fast, monkeypatch):
    order = make_order(tmp_path)
    order.figures.risk["prosecutor"]["highest"] = 0.01
    with pytest.raises(DeidError) as caught:
        write_release(old, order)
    assert "Person" not in repr(caught.value)


def test_what_appears_in_the_folder_during_the_export_is_not_removed(tmp_path):
    place = tmp_path / "release"

    class Intruder:
        def report(self, fraction, note=""):
            if fraction > 0.5 and not place.exists():
                place.mkdir()
                (place / "mine.txt").write_text("kept")

    with pytest.raises(ConfigError, match="folder_in_use"):
        write_release(place, make_order(tmp_path), monitor=Intruder())
    assert [each.name for each in place.iterdir()] == ["mine.txt"]


def resident_bytes():
    """Memory of this process as the system counts it."""
    pages = Path("/proc/self/statm").read_text().split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(
    not hasattr(ctypes.CDLL(None) if os.name == "posix" else None, "malloc_trim"),
    reason="the system's library takes care of free memory itself",
)
def test_memory_that_is_free_is_given_back():
    n_bytes = 100_000
    blocks = [b"x" * n_bytes + bytes([each % 256]) for each in range(1000)]
    for block in blocks:
        assert len(block) == n_bytes + 1
    # What stands at the end keeps all before it from going back by itself.
    del block, blocks[:-1]
    before = resident_bytes()
    module.give_back_memory()
    assert before - resident_bytes() > 500 * n_bytes
    assert len(blocks) == 1
