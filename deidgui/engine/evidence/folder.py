"""Reads the files of a release folder without trusting them."""

from __future__ import annotations

import csv
import hashlib
import json
import os
import stat
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar

import pydantic

from deidgui.engine import strict_json
from deidgui.engine.evidence.counts_document import CountsEvidence
from deidgui.engine.evidence.document import FORMAT, REPORTS, VERSION, Evidence
from deidgui.errors import ConfigError, InputError, raise_all

__all__ = [
    "EVIDENCE",
    "POLICY",
    "REPORTS",
    "SIGNATURE",
    "ReleaseFolder",
    "is_of_counts",
    "read_counts_evidence",
    "read_evidence",
    "read_json",
    "read_table",
]

EVIDENCE = "evidence.json"
POLICY = "policy.json"
SIGNATURE = "signature.json"
"""Of the evidence, by whoever answers for it; not every release has one."""

MAX_JSON_BYTES = 64_000_000
"""Larger evidence or policies are refused unread."""

MAX_MAPPING_BYTES = 256_000_000
MAX_CELL = 16_000_000
_BLOCK = 1 << 20
_MOST_TRIES = 100
LINES_BYTES = 8 << 20
"""Of a block of whole lines."""
_ROWS = 10_000


class ReleaseFolder:
    """The files of one release; no path leads out of it.

    Parameters
    ----------
    staged : mapping of str to Path
        Where files are read that do not stand in the folder yet, by their name.

    Raises
    ------
    InputError
        Code ``not_a_release`` if there is no folder with evidence.
    """

    def __init__(self, path: Path, staged: Mapping[str, Path] | None = None) -> None:
        self.path = path
        self._staged = dict(staged or {})
        if path.is_symlink() or not path.is_dir() or not self.holds(EVIDENCE):
            raise InputError("not_a_release", folder=path.resolve().name)

    def file(self, relative: str) -> Path:
        """Path of a file that the evidence names.

        Raises
        ------
        InputError
            Code ``path_leaves_release`` for anything but a plain relative path.
        """
        pure = PurePosixPath(relative)
        parts = relative.split("/")
        bad = {"", ".", ".."} & set(parts) or any(c in relative for c in '\\:\0"<>|?*')
        if pure.is_absolute() or bad:
            raise InputError("path_leaves_release", folder=self.path.name)
        return self._staged.get(relative) or self.path.joinpath(*parts)

    def holds(self, relative: str) -> bool:
        """Whether there is a regular file, reached without symbolic links."""
        path = self.file(relative)
        if relative in self._staged:
            return True
        steps = [path, *list(path.parents)[: len(PurePosixPath(relative).parts) - 1]]
        try:
            if any(stat.S_ISLNK(step.lstat().st_mode) for step in steps):
                return False
            return stat.S_ISREG(path.lstat().st_mode)
        except OSError:
            return False

    def listing(self) -> set[str]:
        """Relative paths of all files, links and empty folders, links unfollowed."""
        found: set[str] = set(self._staged)
        filled = {str(PurePosixPath(each).parent) for each in self._staged}
        for folder, folders, files in os.walk(self.path, followlinks=False):
            below = Path(folder).relative_to(self.path)
            links = [name for name in folders if (Path(folder) / name).is_symlink()]
            found.update((below / name).as_posix() for name in [*files, *links])
            if (
                not (files or folders)
                and below.parts
                and below.as_posix() not in filled
            ):
                found.add(below.as_posix())
        return found

    def size(self, relative: str) -> int:
        """Bytes of a file."""
        return self.file(relative).stat().st_size

    def read(self, relative: str, limit: int) -> bytes:
        """Content of a small file.

        Raises
        ------
        InputError
            Codes ``release_file_missing``, ``release_file_too_large`` or
            ``cannot_read``.
        """
        if not self.holds(relative):
            raise InputError("release_file_missing", file=relative)
        try:
            with self.file(relative).open("rb") as file:
                content = file.read(limit + 1)
        except OSError as error:
            raise InputError(
                "cannot_read", file=relative, reason=error.strerror or ""
            ) from None
        if len(content) > limit:
            raise InputError("release_file_too_large", file=relative, limit=limit)
        return content

    def digest(self, relative: str, report: Callable[[int], None]) -> str:
        """SHA-256 of a file; `report` is told the bytes of every block read."""
        digest = hashlib.sha256()
        with self.file(relative).open("rb") as file:
            while block := file.read(_BLOCK):
                digest.update(block)
                report(len(block))
        return digest.hexdigest()


def read_json(folder: ReleaseFolder, relative: str) -> dict[str, Any]:
    """Object in a JSON file.

    Raises
    ------
    InputError
        Code ``release_not_json``, or those of `ReleaseFolder.read`.
    """
    content = folder.read(relative, MAX_JSON_BYTES)
    try:
        found = strict_json.loads(content.decode())
    except ValueError:
        raise InputError("release_not_json", file=relative) from None
    if not isinstance(found, dict):
        raise InputError("release_not_json", file=relative)
    return found


def read_evidence(folder: ReleaseFolder) -> Evidence:
    """Evidence of a release.

    Raises
    ------
    InputError
        Code ``not_evidence``, or those of `read_json`.
    ConfigError
        Code ``evidence_newer``, or ``evidence_field`` with the field's place, all
        problems together.
    """
    return _validated(Evidence, _fields(folder))


def read_counts_evidence(folder: ReleaseFolder) -> CountsEvidence:
    """Evidence of a release of tables of counts (errors as of `read_evidence`)."""
    return _validated(CountsEvidence, _fields(folder))


def is_of_counts(folder: ReleaseFolder) -> bool:
    """Whether a release is one of tables of counts (errors as of `read_evidence`)."""
    return _fields(folder).get("kind") == "counts"


def _fields(folder: ReleaseFolder) -> dict[str, Any]:
    fields = read_json(folder, EVIDENCE)
    version = fields.get("version")
    if fields.get("format") != FORMAT or type(version) is not int or version < 1:
        raise InputError("not_evidence", file=EVIDENCE)
    if version > VERSION:
        raise ConfigError("evidence_newer", found=version, supported=int(VERSION))
    return fields


E = TypeVar("E", Evidence, CountsEvidence)


def _validated(model: type[E], fields: dict[str, Any]) -> E:
    try:
        content = json.dumps(fields, ensure_ascii=False)
        return model.model_validate_json(content, strict=True)
    except pydantic.ValidationError as error:
        problems = [
            ConfigError(
                "evidence_field",
                field=".".join(str(step) for step in problem["loc"]),
                problem=problem["type"],
            )
            for problem in error.errors(include_url=False, include_input=False)[:50]
        ]
        raise_all(problems)
        raise AssertionError("a validation error names a problem") from None


def read_blocks(folder: ReleaseFolder, relative: str) -> Iterator[bytes]:
    """Yield a CSV file in blocks that end with a line break outside quotes.

    Yields
    ------
    bytes
        Empty where no such line break is found; the last one may end without any.

    Raises
    ------
    InputError
        Code ``cannot_read``.
    """
    rest = b""
    try:
        with folder.file(relative).open("rb") as file:
            while chunk := file.read(LINES_BYTES):
                data = rest + chunk
                end, n_tries = data.rfind(b"\n"), 0
                while end >= 0 and data.count(b'"', 0, end) % 2:
                    n_tries += 1
                    end = data.rfind(b"\n", 0, end) if n_tries < _MOST_TRIES else -1
                yield data[: end + 1]
                rest = data[end + 1 :]
    except OSError as error:
        raise InputError(
            "cannot_read", file=relative, reason=error.strerror or ""
        ) from None
    if rest:
        yield rest


def read_table(
    folder: ReleaseFolder, relative: str
) -> Iterator[tuple[list[str], list[list[str]]]]:
    """Header with successive rows of a CSV file, strictly read.

    Yields
    ------
    header : list of str
    rows : list of list of str
        At most 10,000, all as long as the header; at first none.

    Raises
    ------
    InputError
        Code ``release_malformed`` with the line, or ``cannot_read``.
    """
    before = csv.field_size_limit(MAX_CELL)
    line = 0
    try:
        with folder.file(relative).open(encoding="utf-8", newline="") as file:
            reader = csv.reader(file, strict=True)
            header = next(reader, [])
            yield header, []
            while rows := list(islice(reader, _ROWS)):
                line = reader.line_num
                if set(map(len, rows)) != {len(header)}:
                    raise InputError("release_malformed", file=relative, line=line)
                yield header, rows
    except (csv.Error, UnicodeDecodeError):
        raise InputError("release_malformed", file=relative, line=line) from None
    except OSError as error:
        raise InputError(
            "cannot_read", file=relative, reason=error.strerror or ""
        ) from None
    finally:
        csv.field_size_limit(before)
