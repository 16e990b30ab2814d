"""Opens plain files, gzip files and members of zip archives."""

from __future__ import annotations

import errno
import gzip
import hashlib
import io
import lzma
import os
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Protocol

from deidgui.errors import DeidError, InputError, ResourceError
from deidgui.monitor import NULL_MONITOR, Monitor
from deidgui.text import Text, tr

BLOCK_BYTES = 4 << 20
"""Bytes read at once: some milliseconds of work."""

HEAD_BYTES = 1 << 20
"""Bytes of the content that are kept for guessing and for a preview."""

MAX_CONTENT_BYTES = 64 << 30
"""Content larger than this is refused."""

FREE_CONTENT_BYTES = 256 << 20
"""Compressed content up to this size is read however well it is compressed."""

MAX_RATIO = 250
"""Beyond that size, content more than this many times its file is refused."""

MAX_UNPACKED_BYTES = 4 << 30
"""Compressed content larger than this is refused; unpacked by its owner it is read."""

MEMORY_PER_BYTE = 4
"""Reading compressed content takes at most so many times that limit of memory."""

MAX_DICTIONARY_BYTES = 256 << 20
"""An archive whose LZMA asks for more memory than this is refused."""

_PIECE_BYTES = 4096  # what zipfile unpacks at once at least

# First bytes of files that are often mistaken for text.
_SIGNATURES: tuple[tuple[bytes, Text], ...] = (
    (b"\xd0\xcf\x11\xe0", "Excel or Office file"),
    (b"%PDF-", "PDF file"),
    (b"\x89PNG\r\n\x1a\n", "picture"),
    (b"\xff\xd8\xff", "picture"),
    (b"GIF8", "picture"),
    (b"PAR1\x15", "Parquet file"),
    (b"$FL2@(#)", "SPSS file"),
    (b"<stata_dta>", "Stata file"),
    (b"7z\xbc\xaf\x27\x1c", "7-Zip archive"),
    (b"Rar!\x1a\x07", "RAR archive"),
    (b"\xfd7zXZ\x00", "xz archive"),
    (b"\x28\xb5\x2f\xfd", "Zstandard archive"),
    *((b"BZh%d1AY&SY" % level, "bzip2 archive") for level in range(1, 10)),
    (b"\x1f\x8b", "gzip archive inside the archive"),
    (b"PK\x03\x04", "zip archive inside the archive"),
    (b"SQLite format 3\x00", "SQLite database"),
    (b"<!DOCTYPE", "web page"),
    (b"<html", "web page"),
)


# What the modules that unpack raise for bytes that nobody packed.
_DAMAGED = (
    *(EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile, zipfile.BadZipFile),
    *(struct.error, LookupError, ValueError, OverflowError, RuntimeError),
)


class _Readable(Protocol):
    def read(self, size: int = -1, /) -> bytes: ...


@dataclass(frozen=True)
class _Version:
    """What the file system says about a file; another one after a change."""

    device: int
    inode: int
    n_bytes: int
    modified_ns: int

    @classmethod
    def of(cls, file: IO[bytes]) -> _Version:
        found = os.fstat(file.fileno())
        return cls(found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)


@dataclass(frozen=True, repr=False, eq=False)
class Source:
    """A file whose bytes were seen once, and can be read again unchanged.

    Parameters
    ----------
    name : str
        File name without folder; ``archive.zip/member`` for a member of a zip.
    path : Path or None
        None for content in memory.
    member : str or None
        Member of a zip archive.
    sha256 : str
        Of the file's bytes as they are on disk, 64 hexadecimal digits.
    n_bytes : int
        Size of the file on disk.
    n_content_bytes : int
        Size of what it holds, decompressed.
    head : bytes
        The first bytes of the content, at most `HEAD_BYTES`.
    is_packed : bool
        Whether the content is unpacked from gzip or zip.
    """

    name: str
    path: Path | None
    member: str | None
    sha256: str
    n_bytes: int
    n_content_bytes: int
    head: bytes
    content: bytes | None = field(default=None)
    version: _Version | None = field(default=None)
    is_packed: bool = False

    @property
    def memory_limit(self) -> int | None:
        """Bytes that reading may take; None where the file itself is the bound."""
        return MEMORY_PER_BYTE * MAX_UNPACKED_BYTES if self.is_packed else None

    def __repr__(self) -> str:
        return f"<Source {self.name!r}: {self.n_content_bytes} bytes>"

    def blocks(self) -> Iterator[bytes]:
        """Read the content again, block by block.

        Yields
        ------
        bytes
            At most `BLOCK_BYTES`, not empty.

        Raises
        ------
        InputError
            Code ``file_changed`` if the file is not the one that was opened;
            ``file_not_found`` or ``archive_damaged``.
        ResourceError
            Code ``no_permission`` or ``cannot_read``.
        """
        if self.content is not None:
            for at in range(0, len(self.content), BLOCK_BYTES):
                yield self.content[at : at + BLOCK_BYTES]
            return
        assert self.path is not None
        with _opened(self.path, self.name) as file:
            self._check_unchanged(_Version.of(file))
            digest = hashlib.sha256()
            stream, seen = _content(file, self.member, digest)
            while block := stream.read(BLOCK_BYTES):
                self._check_unchanged(_Version.of(file))
                yield block
            self._check_unchanged(_Version.of(file))
            if seen and digest.hexdigest() != self.sha256:
                raise InputError("file_changed", file=self.name)

    def _check_unchanged(self, found: _Version) -> None:
        if found != self.version:
            raise InputError("file_changed", file=self.name)


def open_source(
    path: Path | str, *, member: str | None = None, monitor: Monitor = NULL_MONITOR
) -> Source:
    """See a file through once: its hash, its sizes, and that it can be read.

    Gzip and zip are recognised by their first bytes, not by the file's name.

    Parameters
    ----------
    path : Path or str
        A file; ``archive.zip/member`` names a member of a zip.
    member : str, optional
        Member of a zip with several; its whole name, or the last part of it if
        only one member ends so.

    Raises
    ------
    InputError
        Codes ``file_not_found``, ``is_directory``, ``not_a_file``,
        ``file_empty``, ``not_text``, ``archive_damaged``, ``archive_locked``,
        ``archive_empty``, ``archive_members`` (several; `members` names them),
        ``archive_member_unknown``, ``not_an_archive``, ``content_too_large``,
        ``content_unpacked_too_large``, ``content_too_dense`` (a zip bomb) or
        ``file_changed``.
    ResourceError
        Code ``no_permission`` or ``cannot_read``.
    """
    path, member = _split_member(Path(path), member)
    with _opened(path, path.name) as file:
        version = _Version.of(file)
        if version.n_bytes == 0:
            raise InputError("file_empty", file=path.name)
        member = _choose_member(file, path.name, member)
        name = path.name if member is None else f"{path.name}/{member}"
        digest = hashlib.sha256()
        stream, seen = _content(file, member, digest)
        head, n_content = _read_through(stream, file, name, version.n_bytes, monitor)
        if not seen:
            digest = _digest_of(file, monitor)
        if _Version.of(file) != version:
            raise InputError("file_changed", file=name)
    _refuse_other_formats(head, name)
    return Source(
        name=name,
        path=path,
        member=member,
        sha256=digest.hexdigest(),
        n_bytes=version.n_bytes,
        n_content_bytes=n_content,
        head=head,
        version=version,
        is_packed=not isinstance(stream, _Hashing),
    )


def spreadsheet_content(path: Path, limit: int) -> bytes | None:
    """Content of an Excel, OpenDocument or Office file; None for any other file.

    Parameters
    ----------
    limit : int
        Bytes; larger files are refused.

    Raises
    ------
    InputError
        Code ``sheets_too_long`` or ``file_changed``, or as `list_members`.
    ResourceError
        As `list_members`.
    """
    if not path.is_file():
        return None
    with _opened(path, path.name) as file:
        version = _Version.of(file)
        is_old = file.read(4) == b"\xd0\xcf\x11\xe0"
        if not is_old and not (_kind(file) == "zip" and _is_office(_members(file))):
            return None
        if version.n_bytes > limit:
            raise InputError("sheets_too_long", file=path.name, limit=limit >> 20)
        file.seek(0)
        content = file.read(limit + 1)
        if _Version.of(file) != version or len(content) != version.n_bytes:
            raise InputError("file_changed", file=path.name)
    return content


def _is_office(members: tuple[str, ...]) -> bool:
    return "[Content_Types].xml" in members or "mimetype" in members


def list_members(path: Path) -> tuple[str, ...]:
    """Names of the files in a zip archive, in its order; () if it is none.

    Raises
    ------
    InputError
        Code ``file_not_found``, ``is_directory``, ``not_a_file`` or
        ``archive_damaged``.
    ResourceError
        Code ``no_permission`` or ``cannot_read``.
    """
    with _opened(path, path.name) as file:
        return _members(file) if _kind(file) == "zip" else ()


def _split_member(path: Path, member: str | None) -> tuple[Path, str | None]:
    """Take ``archive.zip/member`` apart where the path itself is no file."""
    if member is None and not path.exists():
        for parent in path.parents:
            if parent.is_file():
                return parent, path.relative_to(parent).as_posix()
    return path, member


@contextmanager
def _opened(path: Path, name: str) -> Iterator[IO[bytes]]:
    """Open a regular file; whatever the system or an archive says gets a code."""
    try:
        kind = path.stat().st_mode
        if stat.S_ISDIR(kind):
            raise InputError("is_directory", file=name)
        if not stat.S_ISREG(kind):
            raise InputError("not_a_file", file=name)
        with path.open("rb") as file:
            yield file
    except DeidError:
        raise
    except NotImplementedError:
        raise InputError("archive_method", file=name) from None
    except _DAMAGED:
        raise InputError("archive_damaged", file=name) from None
    except (FileNotFoundError, NotADirectoryError):
        raise InputError("file_not_found", file=name) from None
    except PermissionError:
        raise ResourceError("no_permission", file=name) from None
    except OSError as error:
        # bz2 has no error of its own; an archive may point before its beginning.
        if error.errno in (None, errno.EINVAL):
            raise InputError("archive_damaged", file=name) from None
        reason = error.strerror or tr("unknown reason")
        raise ResourceError("cannot_read", file=name, reason=reason) from None


class _Hashing:
    """Passes a file's bytes on and hashes them."""

    def __init__(self, file: IO[bytes], digest: Any) -> None:
        self._file, self._digest = file, digest

    def read(self, size: int = -1, /) -> bytes:
        block = self._file.read(size)
        self._digest.update(block)
        return block


def _kind(file: IO[bytes]) -> str:
    file.seek(0)
    first = file.read(4)
    file.seek(0)
    if first[:2] == b"\x1f\x8b":
        return "gzip"
    return "zip" if first in (b"PK\x03\x04", b"PK\x05\x06") else "plain"


def _content(
    file: IO[bytes], member: str | None, digest: Any
) -> tuple[_Readable, bool]:
    """Stream of the content, and whether `digest` sees every byte of the file."""
    if member is not None:
        return _Member(file, member), False
    hashing = _Hashing(file, digest)
    if _kind(file) == "gzip":
        return gzip.GzipFile(fileobj=_as_file(hashing), mode="rb"), True
    return hashing, True


class _Member:
    """A member of a zip, unpacked in pieces whatever its method."""

    def __init__(self, file: IO[bytes], member: str) -> None:
        archive = zipfile.ZipFile(file)
        entry = archive.getinfo(member)
        self._stream = archive.open(entry)
        # zipfile unpacks all that it reads at once: of 4 MB of bzip2 80 GB, or more.
        self._is_whole = entry.compress_type in (
            zipfile.ZIP_STORED,
            zipfile.ZIP_DEFLATED,
        )
        if entry.compress_type == zipfile.ZIP_LZMA:
            _check_dictionary(file, entry)

    def read(self, size: int = -1, /) -> bytes:
        if self._is_whole:
            return self._stream.read(size)
        pieces, n_bytes = list[bytes](), 0
        while n_bytes < size and (piece := self._stream.read(_PIECE_BYTES)):
            pieces.append(piece)
            n_bytes += len(piece)
        return b"".join(pieces)


def _check_dictionary(file: IO[bytes], entry: zipfile.ZipInfo) -> None:
    """Refuse LZMA that asks for gigabytes before it gives a byte."""
    place = file.tell()
    file.seek(entry.header_offset + 26)
    n_name, n_extra = struct.unpack("<HH", file.read(4))
    file.seek(n_name + n_extra + 5, io.SEEK_CUR)  # version, size and lc/lp/pb
    (n_bytes,) = struct.unpack("<L", file.read(4))
    file.seek(place)
    if n_bytes > MAX_DICTIONARY_BYTES:
        raise zipfile.BadZipFile


def _as_file(readable: _Hashing) -> IO[bytes]:
    """GzipFile only reads from it, forwards."""
    return readable  # type: ignore[return-value]


def _read_through(
    stream: _Readable, file: IO[bytes], name: str, n_bytes: int, monitor: Monitor
) -> tuple[bytes, int]:
    """First bytes and size of the content; bounded."""
    head, n_content = io.BytesIO(), 0
    dense_limit = max(FREE_CONTENT_BYTES, MAX_RATIO * n_bytes)
    is_packed = not isinstance(stream, _Hashing)
    while block := stream.read(BLOCK_BYTES):
        head.write(block[: HEAD_BYTES - head.tell()])
        n_content += len(block)
        if file.tell() > n_bytes:  # it grows while it is read
            raise InputError("file_changed", file=name)
        if n_content > MAX_CONTENT_BYTES:
            limit = MAX_CONTENT_BYTES >> 30
            raise InputError("content_too_large", file=name, limit=limit)
        if is_packed and n_content > MAX_UNPACKED_BYTES:
            limit = MAX_UNPACKED_BYTES >> 30
            raise InputError("content_unpacked_too_large", file=name, limit=limit)
        if n_content > dense_limit:
            raise InputError("content_too_dense", file=name, limit=MAX_RATIO)
        monitor.report(min(file.tell() / n_bytes, 1.0), "opening")
    if n_content == 0:
        raise InputError("file_empty", file=name)
    return head.getvalue(), n_content


def _digest_of(file: IO[bytes], monitor: Monitor) -> Any:
    digest = hashlib.sha256()
    file.seek(0)
    while block := file.read(BLOCK_BYTES):
        digest.update(block)
        monitor.report(1.0, "opening")
    return digest


def _refuse_other_formats(head: bytes, name: str) -> None:
    for signature, kind in _SIGNATURES:
        if head.startswith(signature):
            raise InputError("not_text", file=name, kind=kind)


def _members(file: IO[bytes]) -> tuple[str, ...]:
    with zipfile.ZipFile(file) as archive:
        return tuple(
            entry.filename
            for entry in archive.infolist()
            if not entry.is_dir()
            and not entry.filename.startswith("__MACOSX/")
            and not entry.filename.endswith(".DS_Store")
        )


def _choose_member(file: IO[bytes], name: str, wanted: str | None) -> str | None:
    """Member of a zip to read; None for a file that is no zip."""
    if _kind(file) != "zip":
        if wanted is not None:
            raise InputError("not_an_archive", file=name, member=wanted)
        return None
    members = _members(file)
    if _is_office(members):
        raise InputError("not_text", file=name, kind=tr("Excel or Office file"))
    if not members:
        raise InputError("archive_empty", file=name)
    if wanted is None:
        if len(members) > 1:
            raise InputError("archive_members", file=name, members=members[:20])
        chosen = members[0]
    else:
        chosen = _matching_member(members, name, wanted)
    with zipfile.ZipFile(file) as archive:
        if archive.getinfo(chosen).flag_bits & 1:
            raise InputError("archive_locked", file=name, member=chosen)
    return chosen


def _matching_member(members: tuple[str, ...], name: str, wanted: str) -> str:
    if wanted in members:
        return wanted
    endings = [each for each in members if each.rsplit("/", 1)[-1] == wanted]
    if len(endings) != 1:
        known = members[:20]
        raise InputError(
            "archive_member_unknown", file=name, member=wanted, members=known
        )
    return endings[0]
