"""Files of a release that is not verified yet."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

_OPEN_FILES = Path("/proc/self/fd")


class Staged:
    """Files that get their names only when all of them are verified.

    PRIVACY: where the system can (Linux), a file without a name is gone with the
    process that writes it, however that ends. Elsewhere the files lie in a folder
    that only its owner may read, and `folder.recover_folder` removes them.

    Parameters
    ----------
    part : Path
        Folder of the files; exists.
    """

    def __init__(self, part: Path) -> None:
        self._part = part
        self._files: dict[str, BinaryIO] = {}
        self._without_name: dict[str, int] = {}

    @property
    def paths(self) -> Mapping[str, Path]:
        """Where the files without a name can be read, by their name to be."""
        return {
            name: _OPEN_FILES / str(number)
            for name, number in self._without_name.items()
        }

    def write(self, name: str, content: bytes) -> None:
        """Write a whole file and wait until it is on the disk."""
        file = self.create(name)
        file.write(content)
        self.finish(file)

    def create(self, name: str) -> BinaryIO:
        """Open a new file for writing; `name` is relative, with slashes."""
        number = self._nameless()
        if number is None:
            file: BinaryIO = (self._part / name).open("xb")
        else:
            file = os.fdopen(number, "wb")
            self._without_name[name] = number
        self._files[name] = file
        return file

    def finish(self, file: BinaryIO) -> None:
        """Wait until what was written to a file is on the disk."""
        file.flush()
        os.fsync(file.fileno())

    def _nameless(self) -> int | None:
        """Open a file without a name; None where the system cannot name it later."""
        flag = getattr(os, "O_TMPFILE", None)
        if flag is None or not _OPEN_FILES.is_dir():
            return None
        try:
            return os.open(self._part, flag | os.O_RDWR, 0o666)
        except OSError:
            return None  # file systems without such files; a full disk says so later

    def give_names(self) -> None:
        """Put every file into the folder under its name."""
        if not self._without_name:
            return
        # linkat(2) follows the link of an open file only if given a folder.
        folder = os.open(self._part, os.O_RDONLY)
        try:
            for name, number in self._without_name.items():
                source = str(_OPEN_FILES / str(number))
                os.link(source, self._part / name, src_dir_fd=folder)
        finally:
            os.close(folder)
        self._without_name = {}

    def close(self) -> None:
        """Let go of all files; those without a name are gone."""
        for file in self._files.values():
            try:
                file.close()
            except OSError:
                # What could not be written on closing was never called finished.
                continue
        self._files, self._without_name = {}, {}


@contextmanager
def staged(part: Path) -> Iterator[Staged]:
    """Files of a folder that is being written."""
    files = Staged(part)
    try:
        yield files
    finally:
        files.close()
