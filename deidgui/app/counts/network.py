"""The same counts of several sites, added up, against what a threshold loses."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from deidgui.app.counts.tables import marks_of, read_tables, table_file_name
from deidgui.app.project import Counts, SiteChoice
from deidgui.engine.counts.noise.network import Network, add_up
from deidgui.engine.counts.noise.rules import NoiseRule
from deidgui.engine.counts.tables.cells import MARKS, Mark
from deidgui.engine.counts.tables.reading import from_csv, to_csv
from deidgui.engine.counts.tables.table import CountTable
from deidgui.engine.evidence.counts_document import CountsOutput
from deidgui.engine.evidence.document import File
from deidgui.engine.evidence.folder import (
    ReleaseFolder,
    is_of_counts,
    read_counts_evidence,
)
from deidgui.errors import DeidError, InputError
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

Labels = tuple[tuple[str, ...], tuple[str, ...]]
"""What a count is of: the labels of its row and of its column."""

EVIDENCE = "evidence.json"


@dataclass(frozen=True, repr=False)
class Site:
    """The table of one site.

    Parameters
    ----------
    sd : float
        Standard deviation of the noise that its counts have; 0 for true counts.
    is_stated : bool
        Whether the evidence of the release that it lies in states it.
    sha256 : str
        As of `SiteChoice`.
    """

    table: CountTable
    sd: float = 0.0
    is_stated: bool = False
    sha256: str = ""

    @property
    def name(self) -> str:
        """Name of the site: that of its table."""
        return self.table.name

    @cached_property
    def counts(self) -> dict[Labels, int | None]:
        """Every count by its labels; None where it is masked.

        A count whose labels stand twice cannot be told apart and is left out. One with
        noise may be negative: without it, sums would be too high.
        """
        table, found, twice = self.table, {}, set()
        for row, column, cell in table.each_cell():
            if not cell.is_count and not cell.is_negative:
                continue
            heading = table.headings[row]
            above = () if heading is None else table.row_paths[heading]
            labels = (*above, *table.row_paths[row]), table.column_paths[column]
            if labels in found:
                twice.add(labels)
            found[labels] = cell.count
        return {labels: n for labels, n in found.items() if labels not in twice}


def read_sites(
    paths: Sequence[Path],
    taken: Sequence[str] = (),
    marks: Mapping[str, Mark] = MARKS,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> tuple[Site, ...]:
    """Read the tables of sites, and what the releases that they lie in say of noise.

    Raises
    ------
    InputError, ResourceError
        As `read_tables`.
    """
    found: list[Site] = []
    for number, path in enumerate(paths):
        step = SubMonitor(monitor, number / len(paths), (number + 1) / len(paths))
        names = [*taken, *(each.name for each in found)]
        for each in read_tables([path], names, marks, monitor=step):
            sd = _stated(path, each.sha256)
            digest = "" if sd is None else each.sha256
            found.append(Site(each.table, sd or 0.0, sd is not None, digest))
    return tuple(found)


def site_choice(site: Site) -> tuple[SiteChoice, bytes]:
    """Return what a project says of a site, and the cells that it keeps."""
    file = table_file_name(site.name, secrets.token_hex(4))
    sd = site.sd if site.is_stated else None
    choice = SiteChoice(name=site.name, file=file, sd=sd, sha256=site.sha256)
    return choice, to_csv(site.table.grid)


def sites_of(counts: Counts, files: Mapping[str, bytes]) -> tuple[Site, ...]:
    """Return the sites of a project.

    Parameters
    ----------
    files : mapping of str to bytes
        What is kept beside the project, by relative path.

    Raises
    ------
    InputError
        Code ``counts_table_missing``, or as `CountTable.of`.
    """
    marks, found = marks_of(counts), []
    for each in counts.sites:
        if each.file not in files:
            raise InputError("counts_table_missing", table=each.name, file=each.file)
        grid = from_csv(files[each.file], each.name)
        table = CountTable.of(each.name, grid, marks=marks)
        sd, is_stated = each.sd or 0.0, each.sd is not None
        found.append(Site(table, sd, is_stated, each.sha256))
    return tuple(found)


def _stated(path: Path, sha256: str) -> float | None:
    """Standard deviation that the evidence beside a file states of this very file."""
    if not (path.parent / EVIDENCE).is_file():
        return None
    try:
        folder = ReleaseFolder(path.parent)
        if not is_of_counts(folder):
            return None
        evidence = read_counts_evidence(folder)
    except (DeidError, OSError):
        return None
    names = {name for e in evidence.outputs for name in (e.path, e.excel)}
    vouched: list[CountsOutput | File] = [*evidence.outputs, *evidence.files]
    is_ours = any(e.sha256 == sha256 and e.path in names for e in vouched)
    noise = evidence.noise
    return noise.standard_deviation if is_ours and noise is not None else None


@dataclass(frozen=True, eq=False, repr=False)
class AddedUp:
    """Counts of several sites, added up.

    Parameters
    ----------
    names : tuple of str
        Of the counts.
    has_noise : bool
        Whether counts have noise already: what a threshold hides is an estimate then.
    n_elsewhere, n_masked : int
        Counts that were left out: not in all tables, and masked in one.
    """

    sites: tuple[Site, ...]
    threshold: int
    names: tuple[str, ...]
    network: Network
    has_noise: bool
    n_elsewhere: int
    n_masked: int


def add_sites(sites: Sequence[Site], threshold: int, rule: NoiseRule | None) -> AddedUp:
    """Add up the counts that all sites have.

    Parameters
    ----------
    threshold : int
        That would mask counts from 1 to below it.
    rule : NoiseRule or None
        Whose noise each true count would have.

    Raises
    ------
    InputError
        Codes ``network_one_site`` and ``network_nothing_common``.
    """
    if len(sites) < 2:
        raise InputError("network_one_site")
    every = dict.fromkeys(labels for site in sites for labels in site.counts)
    common = [each for each in every if all(each in site.counts for site in sites)]
    if not common:
        raise InputError("network_nothing_common", n=len(sites))
    shown = [e for e in common if all(site.counts[e] is not None for site in sites)]
    if not shown:
        raise InputError("network_all_masked")
    added = 0.0 if rule is None else rule.standard_deviation
    counts = np.array([[site.counts[e] for e in shown] for site in sites], np.int64)
    sd = [site.sd or added for site in sites]
    return AddedUp(
        tuple(sites),
        threshold,
        tuple(_name(each) for each in shown),
        add_up(counts, sd, threshold),
        any(site.sd for site in sites),
        len(every) - len(common),
        len(common) - len(shown),
    )


def _name(labels: Labels) -> str:
    row, column = labels
    return ", ".join(each for each in (*row, *column) if each)


def with_sd(sites: Sequence[Site], sd: float) -> tuple[Site, ...]:
    """Say how much noise the counts have of which no evidence states it."""
    return tuple(e if e.is_stated else replace(e, sd=sd) for e in sites)
