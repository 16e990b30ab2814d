"""Opening files: plain, compressed, archived, damaged, hostile."""

import bz2
import gzip
import hashlib
import lzma
import os
import zipfile
from pathlib import Path

import pytest

from deidgui.app.text import fill
from deidgui.app.text.reading import SENTENCES
from deidgui.engine.data import source as source_module
from deidgui.engine.data.source import (
    HEAD_BYTES,
    list_members,
    open_source,
)
from deidgui.errors import Cancelled, DeidError, ResourceError

CONTENT = b"a,b\n" + b"1,2\n" * 2_000_000


def refusal(path, **kwargs) -> DeidError:
    with pytest.raises(DeidError) as caught:
        open_source(path, **kwargs)
    shown = str(fill(SENTENCES[caught.value.code], caught.value.params))
    assert "‹" not in shown
    return caught.value


def make_zip(path: Path, **members: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "/"), content)
    return path


def content_of(source) -> bytes:
    return b"".join(source.blocks())


@pytest.mark.parametrize("kind", ["plain", "gzip", "two gzip members", "zip"])
def test_content_sizes_and_hash_of_the_file_on_disk(tmp_path, kind):
    path = tmp_path / "t.csv"  # the name says nothing about the kind
    if kind == "plain":
        path.write_bytes(CONTENT)
    elif kind == "zip":
        make_zip(path, t=CONTENT)
    else:
        half = len(CONTENT) // 2 if kind.startswith("two") else len(CONTENT)
        parts = [part for part in (CONTENT[:half], CONTENT[half:]) if part]
        path.write_bytes(b"".join(gzip.compress(part, 1, mtime=0) for part in parts))
    source = open_source(path)
    assert source.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert source.n_bytes == path.stat().st_size
    assert source.n_content_bytes == len(CONTENT)
    assert source.head == CONTENT[:HEAD_BYTES]
    assert content_of(source) == CONTENT
    assert source.name == ("t.csv/t" if kind == "zip" else "t.csv")
    assert "t.csv" in repr(source)
    assert "1,2" not in repr(source)


def test_members_of_a_zip(tmp_path):
    path = make_zip(tmp_path / "t.zip", d__x=b"a\n1\n", d__y=b"b\n2\n", e__y=b"c\n3\n")
    error = refusal(path)
    assert (error.code, error.params["members"]) == (
        "archive_members",
        ("d/x", "d/y", "e/y"),
    )
    assert content_of(open_source(path, member="d/y")) == b"b\n2\n"
    assert content_of(open_source(path / "e" / "y")) == b"c\n3\n"
    assert content_of(open_source(path, member="x")) == b"a\n1\n"
    assert refusal(path, member="y").code == "archive_member_unknown"
    assert refusal(path / "z").code == "archive_member_unknown"
    assert list_members(path) == ("d/x", "d/y", "e/y")


def test_what_mac_and_folders_add_to_a_zip_does_not_count(tmp_path):
    path = tmp_path / "t.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.mkdir("d")
        archive.writestr("d/t.csv", "a\n1\n")
        archive.writestr("__MACOSX/d/._t.csv", "x")
        archive.writestr("d/.DS_Store", "x")
    assert content_of(open_source(path)) == b"a\n1\n"


def test_paths_that_are_no_file(tmp_path):
    assert refusal(tmp_path / "no.csv").code == "file_not_found"
    assert refusal(tmp_path).code == "is_directory"
    plain = tmp_path / "t.csv"
    plain.write_bytes(b"a\n")
    assert refusal(plain / "x").code == "not_an_archive"
    assert refusal(plain, member="x").code == "not_an_archive"
    assert list_members(plain) == ()
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "fifo")
        assert refusal(tmp_path / "fifo").code == "not_a_file"


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (PermissionError(13, "Permission denied"), "no_permission"),
        (OSError(5, "Input/output error"), "cannot_read"),
    ],
)
def test_what_the_system_refuses(tmp_path, monkeypatch, error, code):
    path = tmp_path / "t.csv"
    path.write_bytes(b"a\n")

    def fail(*_args, **_kwargs):
        raise error

    monkeypatch.setattr(Path, "open", fail)
    with pytest.raises(ResourceError) as caught:
        open_source(path)
    assert caught.value.code == code


@pytest.mark.parametrize("content", [b"", gzip.compress(b"", mtime=0)])
def test_empty(tmp_path, content):
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    assert refusal(path).code == "file_empty"


def test_empty_archives(tmp_path):
    assert refusal(make_zip(tmp_path / "none.zip")).code == "archive_empty"
    assert refusal(make_zip(tmp_path / "one.zip", t=b"")).code == "file_empty"


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "Excel"),
        (b"%PDF-1.7\n", "PDF"),
        (b"PAR1\x15\x04", "Parquet"),
        (gzip.compress(gzip.compress(b"a\n", mtime=0), mtime=0), "gzip"),
        (bz2.compress(b"a\n"), "bzip2"),
        (lzma.compress(b"a\n"), "xz"),
        (b"<html>", "web page"),
        (b"\x89PNG\r\n\x1a\n", "picture"),
    ],
)
def test_files_that_are_no_text(tmp_path, content, kind):
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    error = refusal(path)
    assert error.code == "not_text"
    assert kind in str(error.params["kind"])


def test_excel_workbook(tmp_path):
    path = tmp_path / "t.xlsx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("[Content_Types].xml", "<x/>")
        archive.writestr("xl/workbook.xml", "<x/>")
    assert refusal(path).code == "not_text"


def test_damaged_archives(tmp_path):
    packed = gzip.compress(os.urandom(100_000), mtime=0)
    for name, content in (
        ("cut.gz", packed[:-2000]),
        ("flipped.gz", packed[:500] + b"\0\0\0\0" + packed[504:]),
        ("garbage.gz", packed + b"garbage"),
        ("cut.zip", make_zip(tmp_path / "a", t=b"x" * 99).read_bytes()[:-9]),
        ("crc.zip", make_zip(tmp_path / "b", t=b"x" * 99).read_bytes()),
    ):
        path = tmp_path / name
        if name == "crc.zip":
            content = content.replace(content[14:18], b"\1\2\3\4")
        path.write_bytes(content)
        assert refusal(path).code == "archive_damaged", name


@pytest.mark.parametrize("method", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_damage_inside_every_method_of_packing(tmp_path, method):
    """LZMA and bzip2 have errors of their own; they were a traceback."""
    content = os.urandom(3_000) * 3
    path = tmp_path / "t.zip"
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr("t.csv", content)
    assert content_of(open_source(path)) == content
    raw = path.read_bytes()
    for at in range(30, 200, 7):
        damaged = bytearray(raw)
        damaged[at] ^= 0xFF
        path.write_bytes(damaged)
        assert refusal(path).code in ("archive_damaged", "not_text"), at


def test_lzma_that_asks_for_gigabytes(tmp_path):
    path = tmp_path / "t.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("t.csv", b"a,b\n1,2\n")
    raw = bytearray(path.read_bytes())
    at = 30 + len("t.csv") + 5
    raw[at : at + 4] = (0xFFFFFFFF).to_bytes(4, "little")
    path.write_bytes(raw)
    assert refusal(path).code == "archive_damaged"


@pytest.mark.parametrize("method", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_members_are_unpacked_in_pieces(tmp_path, monkeypatch, method):
    """Of four megabytes read at once zipfile made gigabytes."""
    path = tmp_path / "t.zip"
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr("t.csv", os.urandom(100_000) + b"0" * 9_000_000)
    asked = []
    plain = zipfile.ZipExtFile._read2

    def read(self, n):
        asked.append(n)
        return plain(self, n)

    monkeypatch.setattr(zipfile.ZipExtFile, "_read2", read)
    source = open_source(path)
    assert max(asked) <= 4096
    assert source.n_content_bytes == 9_100_000
    assert [len(block) for block in source.blocks()][:-1] == [
        source_module.BLOCK_BYTES
    ] * 2


def test_unpacked_content_has_a_limit_and_plain_content_another(tmp_path, monkeypatch):
    monkeypatch.setattr(source_module, "MAX_UNPACKED_BYTES", 4_000_000)
    path = tmp_path / "t.gz"
    path.write_bytes(gzip.compress(CONTENT, 1, mtime=0))
    error = refusal(path)
    assert error.code == "content_unpacked_too_large"
    path.write_bytes(CONTENT)
    assert open_source(path).memory_limit is None
    path.write_bytes(gzip.compress(CONTENT[:3_000_000], 1, mtime=0))
    assert open_source(path).memory_limit == 16_000_000


def test_archive_with_a_password(tmp_path):
    path = make_zip(tmp_path / "t.zip", t=b"a\n1\n")
    raw = bytearray(path.read_bytes())
    raw[6] |= 1  # general purpose flag of the local header
    raw[raw.index(b"PK\x01\x02") + 8] |= 1  # and of the central directory
    path.write_bytes(raw)
    assert refusal(path).code == "archive_locked"


def test_bombs(tmp_path, monkeypatch):
    zeros = make_zip(tmp_path / "t.zip", t=b"0" * 30_000_000)
    monkeypatch.setattr(source_module, "FREE_CONTENT_BYTES", 1_000_000)
    error = refusal(zeros)
    assert error.code == "content_too_dense"
    path = tmp_path / "t.gz"
    path.write_bytes(gzip.compress(b"0" * 30_000_000, mtime=0))
    assert refusal(path).code == "content_too_dense"
    monkeypatch.setattr(source_module, "MAX_CONTENT_BYTES", 1_000_000)
    plain = tmp_path / "t.csv"
    plain.write_bytes(CONTENT)
    assert refusal(plain).code == "content_too_large"


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_changes_after_opening(tmp_path, pack):
    path = tmp_path / "t.csv"
    path.write_bytes(pack(b"a\n1\n"))
    source = open_source(path)
    before = path.stat()
    path.write_bytes(pack(b"a\n2\n"))
    # Even with the old size and time the hash gives it away.
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    with pytest.raises(DeidError) as caught:
        content_of(source)
    assert caught.value.code == "file_changed"
    path.unlink()
    with pytest.raises(DeidError) as caught:
        content_of(source)
    assert caught.value.code == "file_not_found"


def test_changes_while_opening(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(CONTENT)

    class Meddler:
        def report(self, fraction, note=""):
            with path.open("ab") as file:
                file.write(b"3,4\n")

    assert refusal(path, monitor=Meddler()).code == "file_changed"


def test_opening_can_be_stopped_and_tells_progress(tmp_path, monkeypatch):
    monkeypatch.setattr(source_module, "BLOCK_BYTES", 1 << 20)
    path = tmp_path / "t.csv"
    path.write_bytes(CONTENT)
    seen = []

    class Stopper:
        def report(self, fraction, note=""):
            seen.append(fraction)
            if len(seen) == 3:
                raise Cancelled

    with pytest.raises(Cancelled):
        open_source(path, monitor=Stopper())
    assert seen == sorted(seen)
    assert 0 < seen[0] < seen[-1] < 1
