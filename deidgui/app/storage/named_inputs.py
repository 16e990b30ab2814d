"""What a project reads from other places: what it is called, and where it is."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from deidgui import resources
from deidgui.app.project import Project
from deidgui.app.storage.files import below
from deidgui.errors import DeidError, InputError, raise_all

POPULATION = "population"
EARLIER = "earlier"
"""How the population's file and the earlier release are called in ``--input``."""

SAMPLES = "samples"
"""Folder of the built-in samples, below the shipped resources."""


@dataclass(frozen=True)
class NamedInput:
    """A file or a release that a project names and does not keep beside itself.

    Parameters
    ----------
    name : str
        In ``--input NAME=FILE``.
    file : str
        Path as the project stores it.
    sha256 : str
        Of the file, or of the evidence of a release; empty if it was never read.
    is_folder : bool
        Whether it is a release.
    is_data : bool
        Whether it is one of the tables that are released.
    """

    name: str
    file: str
    sha256: str
    is_folder: bool = False
    is_data: bool = False

    def find(self, folder: Path | None) -> Path | None:
        """Return where it is below the project's folder, or among the samples.

        PRIVACY: a stranger's project cannot name a place elsewhere on the machine;
        such a place must be named by the user (``--input``, or in the window).
        """
        roots = [] if folder is None else [(folder, self.file)]
        if self.is_data:
            roots.append((resources.path(SAMPLES), Path(self.file).name))
        for root, file in roots:
            with contextlib.suppress(InputError):
                path = below(root, file)
                if path.is_dir() if self.is_folder else path.is_file():
                    return path
        return None


def named_inputs(project: Project) -> tuple[NamedInput, ...]:
    """Return everything that a project reads from other places."""
    return tuple(_named(project))


def _named(project: Project) -> Iterator[NamedInput]:
    for each in project.inputs:
        yield NamedInput(each.name, each.file, each.sha256, is_data=True)
    people, earlier = project.privacy.population.file, project.validity.earlier
    if people is not None:
        yield NamedInput(POPULATION, people.file, people.sha256)
    for other in project.comparisons:
        is_folder = other.kind == "release"
        yield NamedInput(other.name, other.file, other.sha256, is_folder)
    if earlier is not None:
        yield NamedInput(EARLIER, earlier.file, earlier.sha256, is_folder=True)


def found_below(project: Project, folder: Path | None) -> dict[str, Path]:
    """Return where inputs are, by name, as far as the project tells (see `find`)."""
    found = {each.name: each.find(folder) for each in named_inputs(project)}
    return {name: path for name, path in found.items() if path is not None}


def not_found(
    project: Project, folder: Path | None, given: Mapping[str, Path]
) -> list[DeidError]:
    """Return what a release needs and is not there: tables, population, release before.

    Without a table that it is compared with a release is made, and says so. Codes
    ``input_not_found``.
    """
    there = found_below(project, folder).keys() | given.keys()
    return [
        InputError("input_not_found", file=each.file, name=each.name)
        for each in named_inputs(project)
        if each.name not in there
        and (each.is_data or each.name in (POPULATION, EARLIER))
    ]


def relocated(project: Project, folder: Path, places: Mapping[str, Path]) -> Project:
    """Return the project as it names its inputs from another folder.

    What lies below the folder is named by its relative path, any other by its name
    alone.

    Parameters
    ----------
    places : mapping of str to Path
        Where inputs are, by name; others keep the path that is stored.
    """
    root = folder.resolve()
    files = {name: _seen_from(path.resolve(), root) for name, path in places.items()}
    inputs = tuple(e.but(file=files.get(e.name, e.file)) for e in project.inputs)
    compared = tuple(e.but(file=files.get(e.name, e.file)) for e in project.comparisons)
    found = project.but(inputs=inputs, comparisons=compared)
    population, validity = project.privacy.population, project.validity
    if population.file is not None and POPULATION in files:
        file = population.file.but(file=files[POPULATION])
        privacy = project.privacy.but(population=population.but(file=file))
        found = found.but(privacy=privacy)
    if validity.earlier is not None and EARLIER in files:
        earlier = validity.earlier.but(file=files[EARLIER])
        found = found.but(validity=validity.but(earlier=earlier))
    return found


def _seen_from(path: Path, root: Path) -> str:
    is_below = path.is_relative_to(root)
    return path.relative_to(root).as_posix() if is_below else path.name


def check_given(project: Project, given: Mapping[str, Path]) -> None:
    """See that a person names inputs that the project has, and files that there are.

    Raises
    ------
    InputError
        Codes ``input_of_counts``, ``input_unknown``, ``given_not_found``,
        ``given_no_folder`` and ``given_folder``, all problems together.
    """
    raise_all(list(_problems(project, given)))


def _problems(project: Project, given: Mapping[str, Path]) -> Iterator[DeidError]:
    known = {each.name: each for each in named_inputs(project)}
    for name, path in given.items():
        if project.counts is not None:
            yield InputError("input_of_counts", name=name)
        elif name not in known:
            yield InputError("input_unknown", name=name, known=tuple(known) or ("–",))
        elif not path.exists() and not any(e.is_file() for e in path.parents):
            kind = "FOLDER" if known[name].is_folder else "FILE"
            yield InputError("given_not_found", file=path.name, name=name, kind=kind)
        elif known[name].is_folder and not path.is_dir():
            yield InputError("given_no_folder", file=path.name, name=name)
        elif path.is_dir() and not known[name].is_folder:
            yield InputError("given_folder", file=path.name, name=name)
