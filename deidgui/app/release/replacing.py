"""What is lost if a release is written to a folder, and whether that may be."""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

from deidgui.engine.evidence.counts_document import CountsEvidence, CountsOutput
from deidgui.engine.evidence.document import Evidence, File, Output
from deidgui.engine.evidence.folder import (
    EVIDENCE,
    POLICY,
    REPORTS,
    SIGNATURE,
    ReleaseFolder,
    is_of_counts,
    read_counts_evidence,
    read_evidence,
)
from deidgui.errors import ConfigError, DeidError, Param

Why: TypeAlias = Literal[
    "free", "ours", "no_folder", "no_release", "damaged", "other_project", "input"
]
_MOST_NAMES = 8


@dataclass(frozen=True)
class Standing:
    """What is in the place of a release before it is written.

    Parameters
    ----------
    why : str
        free: nothing; ours: an undamaged release of the same project, which may be
        replaced. Otherwise why it may not: no_folder (a file or a link), no_release,
        damaged (a release that is not as it was written), other_project, or input
        (it holds what the release is made from or compared with).
    names : tuple of str
        Of all files in it, relative.
    print : frozenset
        Place, size and time of every file: what was looked at.
    """

    why: Why
    names: tuple[str, ...] = ()
    print: frozenset[tuple[str, int, int, int]] = field(default=frozenset(), repr=False)

    @property
    def may_be_replaced(self) -> bool:
        """Whether nothing is lost but an older release of the same project."""
        return self.why in ("free", "ours")

    @property
    def may_be_given_up(self) -> bool:
        """Whether a person may decide that all of it goes."""
        return self.why not in ("no_folder", "input")

    def problem(self, folder: Path) -> PlaceTakenError:
        """Return the error that names what would be lost.

        Its code is ``folder_in_use``, ``folder_no_folder``, ``folder_damaged``,
        ``folder_other_project`` or ``folder_input``.
        """
        more = ("…",) if len(self.names) > _MOST_NAMES else ()
        code = "folder_in_use" if self.why == "no_release" else f"folder_{self.why}"
        return PlaceTakenError(
            self,
            code,
            folder=folder.name,
            n=len(self.names),
            names=(*self.names[:_MOST_NAMES], *more),
        )


class PlaceTakenError(ConfigError):
    """A release would replace something that is not proven to be an older one.

    Parameters
    ----------
    standing : Standing
        What would be lost.
    """

    def __init__(self, standing: Standing, code: str, **params: Param) -> None:
        super().__init__(code, **params)
        self.standing = standing


@dataclass(frozen=True)
class KnownProject:
    """By what the release of a project is known again.

    Parameters
    ----------
    title : str
        As the evidence states it.
    columns : tuple of str
        Of the input, as the evidence names them; of tables of counts the tables.
    files : tuple of Path
        That the release is made from, and that must never be replaced.
    sha256 : collection of str
        Of these files.
    """

    title: str = ""
    columns: tuple[str, ...] = ()
    files: tuple[Path, ...] = ()
    sha256: Collection[str] = ()

    def is_of(self, evidence: Evidence | CountsEvidence) -> bool:
        """Whether a release was made by the same project, maybe of newer data.

        A column that only one of the two releases does not name may be the same.
        """
        names = evidence.known_names
        pairs = zip(names, self.columns, strict=False)
        return (
            evidence.title == self.title
            and len(names) == len(self.columns)
            and all(
                one == other or f"column {place}" in (one, other)
                for place, (one, other) in enumerate(pairs, start=1)
            )
        )


def standing_of(folder: Path, project: KnownProject) -> Standing:
    """Look at the place of a release: every file of an older one is read.

    Raises
    ------
    OSError
        If it cannot be looked at.
    """
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        return Standing("no_folder")
    if not folder.exists() or not any(folder.iterdir()):
        return Standing("free")
    seen = print_of(folder)
    why, stated = _why(folder, project)
    # First what no release can bring back.
    names = sorted((name in stated, name) for name, *_ in seen)
    return Standing(why, tuple(name for _, name in names), seen)


def print_of(folder: Path) -> frozenset[tuple[str, int, int, int]]:
    """Place, size, time and number of every file and link below a folder."""
    found = set()
    for place, folders, files in os.walk(folder, followlinks=False):
        links = [name for name in folders if (Path(place) / name).is_symlink()]
        for name in [*files, *links]:
            path = Path(place) / name
            facts = path.lstat()
            relative = path.relative_to(folder).as_posix()
            found.add((relative, facts.st_size, facts.st_mtime_ns, facts.st_ino))
    return frozenset(found)


def _why(folder: Path, project: KnownProject) -> tuple[Why, set[str]]:
    """Why a folder may be replaced or not, and the files that its evidence names."""
    real = folder.resolve()
    if any(each.resolve().is_relative_to(real) for each in project.files):
        return "input", set()
    try:
        release = ReleaseFolder(folder)
        is_counts = is_of_counts(release)
        read = read_counts_evidence if is_counts else read_evidence
        evidence: Evidence | CountsEvidence = read(release)
        stated = (*evidence.outputs, *evidence.files)
        required = {*REPORTS} if is_counts else {POLICY, *REPORTS}
        is_whole = _is_as_written(release, stated, required)
    except DeidError:
        return "no_release", set()
    names = {EVIDENCE, *(each.path for each in stated)}
    if any(each.sha256 in project.sha256 for each in stated):
        return "input", names
    if not is_whole:
        return "damaged", names
    return ("ours" if project.is_of(evidence) else "other_project"), names


def _is_as_written(
    folder: ReleaseFolder,
    vouched: Collection[Output | CountsOutput | File],
    required: set[str],
) -> bool:
    """Whether all files of a release are there, unchanged, and nothing else."""
    stated = {each.path: each for each in vouched}
    return (
        required <= stated.keys()
        and folder.listing() - {SIGNATURE} == {*stated, EVIDENCE}
        and all(
            folder.holds(path)
            and folder.size(path) == each.bytes
            and folder.digest(path, lambda _n: None) == each.sha256
            for path, each in stated.items()
        )
    )
