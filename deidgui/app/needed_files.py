"""The files that a project needs: no export of values may replace one of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from deidgui.app.project import Project
from deidgui.app.reading.files import named_files
from deidgui.app.storage.named_inputs import found_below
from deidgui.engine.evidence.folder import EVIDENCE
from deidgui.errors import ConfigError


def needed_files(
    project: Project, project_file: Path | None, given: Iterable[Path] = ()
) -> tuple[Path, ...]:
    """Return the project, its inputs, and all that it is compared with.

    Parameters
    ----------
    project_file : Path or None
        None while it has not been saved.
    given : iterable of Path
        Where files are, as far as a person has said.
    """
    folder = project_file.parent if project_file is not None else None
    found = [*given, project_file, *found_below(project, folder).values()]
    if folder is not None:
        found += [folder / name for _, name, _ in named_files(project)]
    return tuple(each for each in found if each is not None)


def check_place(path: Path, needed: Iterable[Path], *, replaces: bool) -> None:
    """Refuse to write a file where it would damage something.

    Parameters
    ----------
    path : Path
        Where it is to be written.
    needed : iterable of Path
        See `needed_files`; of a folder also all that lies below it.
    replaces : bool
        Whether a person has agreed that an ordinary file is replaced.

    Raises
    ------
    ConfigError
        Codes ``place_needed``, ``place_in_release`` and ``place_taken``.
    """
    places = tuple(_places(path))
    for each in needed:
        if _is_same(path, each) or each.resolve() in places:
            raise ConfigError("place_needed", file=path.name)
    for folder in places:
        if (folder / EVIDENCE).exists():
            raise ConfigError("place_in_release", file=path.name, folder=folder.name)
    if path.exists() and not replaces:
        raise ConfigError("place_taken", file=path.name)


def _places(path: Path) -> Iterator[Path]:
    """Return a path and all folders above it, links followed and not followed."""
    for each in {path.absolute(), path.resolve()}:
        yield each
        yield from each.parents


def _is_same(path: Path, other: Path) -> bool:
    try:
        return path.samefile(other)
    except OSError:
        return False
