"""Where the files that a project names are, and how they are kept beside it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from deidgui.app.project import Project
from deidgui.app.storage.files import below, write_whole
from deidgui.engine.detect.first_row import is_personal
from deidgui.engine.population.mapping_io import MAX_BYTES as MAX_MAPPING_BYTES
from deidgui.errors import InputError

MAX_HIERARCHY_BYTES = 64 * 1024 * 1024
"""A larger file is no hierarchy."""


def load_hierarchy_files(project: Project, folder: Path) -> dict[str, bytes]:
    """Read the CSVs of hierarchies, mappings and steps that a project names.

    Only files below its folder are read.

    Returns
    -------
    dict of str to bytes
        By the relative path that the project uses; files that are absent are
        left out, and are told when the hierarchy is built.

    Raises
    ------
    InputError
        Code ``path_leaves_folder``, ``hierarchy_too_large``,
        ``people_mapping_too_large``, ``step_list_too_large`` or ``cannot_read``.
    """
    found: dict[str, bytes] = {}
    for attribute, name, limit in named_files(project):
        path = below(folder, name)
        try:
            if not path.is_file():
                continue
            if path.stat().st_size > limit.n_bytes:
                raise InputError(limit.code, attribute=attribute, limit=limit.shown)
            found[name] = path.read_bytes()
        except OSError as error:
            raise InputError(
                "cannot_read", file=name, reason=error.strerror or ""
            ) from None
    return found


def save_hierarchy_files(
    project: Project, files: Mapping[str, bytes], folder: Path
) -> None:
    """Write the CSVs of hierarchies, mappings and steps that a project names.

    They come to lie below its folder.

    Raises
    ------
    InputError
        Code ``path_leaves_folder``.
    ResourceError
        Code ``cannot_write``.
    """
    for _attribute, name, _limit in named_files(project):
        if name not in files:
            continue
        path = below(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, files[name])


def hierarchy_file_name(attribute: str, content: bytes) -> str:
    """Relative path for a hand-made hierarchy; tells its content.

    Returns
    -------
    str
        ``hierarchies/NAME-HASH.csv`` with only letters, digits, - and _ in NAME.
    """
    digest = hashlib.sha256(attribute.encode() + b"\0" + content).hexdigest()[:8]
    return f"hierarchies/{safe_name(attribute)}-{digest}.csv"


def list_file_name(name: str, content: bytes) -> str:
    """Relative path for a list that a step needs; tells its content.

    Returns
    -------
    str
        ``lists/NAME-HASH.csv``.
    """
    digest = hashlib.sha256(content).hexdigest()[:8]
    return f"lists/{safe_name(name)}-{digest}.csv"


def read_limited(path: Path) -> bytes:
    """Read a list of a person's own.

    Raises
    ------
    InputError
        Code ``step_list_too_large``.
    OSError
        If it cannot be read.
    """
    if path.stat().st_size > MAX_LIST_BYTES:
        limit = MAX_LIST_BYTES // 2**20
        raise InputError("step_list_too_large", attribute=path.name, limit=limit)
    return path.read_bytes()


def safe_name(attribute: str) -> str:
    """Name of an attribute with only letters, digits, - and _, for a file.

    PRIVACY: one that could be a person's is not told.
    """
    if is_personal(attribute):
        return "attribute"
    safe = "".join(c if c.isalnum() or c in "-_" else "_" for c in attribute)[:40]
    return safe or "attribute"


class _Limit(NamedTuple):
    """How large a file may be, and what is said of a larger one."""

    n_bytes: int
    code: str
    shown: int


_OF_HIERARCHY = _Limit(
    MAX_HIERARCHY_BYTES, "hierarchy_too_large", MAX_HIERARCHY_BYTES // 2**20
)
MAX_LIST_BYTES = 16 * 1024 * 1024
"""A larger file is no list of codes."""

_OF_STEP = _Limit(MAX_LIST_BYTES, "step_list_too_large", MAX_LIST_BYTES // 2**20)
MAX_TABLE_BYTES = 32 * 1024 * 1024
"""A larger file is no table of counts."""

_OF_COUNTS = _Limit(MAX_TABLE_BYTES, "counts_table_too_large", MAX_TABLE_BYTES // 2**20)
_OF_MAPPING = _Limit(MAX_MAPPING_BYTES, "people_mapping_too_large", MAX_MAPPING_BYTES)


def named_files(project: Project) -> Iterator[tuple[str, str, _Limit]]:
    """Attribute and relative path of every CSV that a project names."""
    matches = project.privacy.population.matches
    for attribute in project.attributes:
        if attribute.hierarchy is not None and attribute.hierarchy.csv is not None:
            yield attribute.name, attribute.hierarchy.csv, _OF_HIERARCHY
        match = matches.get(attribute.name)
        if match is not None and match.csv is not None:
            yield attribute.name, match.csv, _OF_MAPPING
    for step in project.preparation:
        for name in step.files:
            yield str(step.title), name, _OF_STEP
    for table in project.counts.tables if project.counts else ():
        yield table.name, table.file, _OF_COUNTS
    for site in project.counts.sites if project.counts else ():
        yield site.name, site.file, _OF_COUNTS
