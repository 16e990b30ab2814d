"""Share of quasi-identifiers that the default optimum keeps at least in part.

``python -m tests.benchmarks kept [--only TEXT] [--table]``: every real table of people
beside the checkout and the built-in sample, each taken over as it is proposed: all
roles confirmed, thresholds for researchers, hierarchies as proposed. Columns without a
proposed role are left out. ``now`` is the default; ``before`` has equal weights and
prefers nothing, as the default was. It runs on any version of the program.
"""

import argparse
import gzip
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from deidgui import resources
from deidgui.app import ops
from deidgui.app.classes import Classes, build_classes
from deidgui.app.policies.lattice.searching import search
from deidgui.app.project import Project, Quality
from deidgui.app.reading.reading import propose_project, read_input
from deidgui.engine.data.class_table import classes_at
from tests.shared import ROOT

MOST_ROWS = 60_000
"""Rows of a large file that are read."""

MOST_ROWS_OF_PEOPLE = 10_000
"""As many where rows belong to people: what their rows tell together takes longer."""

MOST_NODES = 3_000
"""Policies that a search looks at before it gives up the proof."""

FILES = {
    "adult": "adult_hierarchies/adult.csv.gz",
    "adult, headless": "uci_adult/adult.data.gz",
    "adult, subset": "adult_hierarchies/adult_subset.csv",
    "nhds 2010": "nhds2010/nhds2010.csv.gz",
    "diabetes": "diabetes130/dataset_diabetes.zip",
    "beneficiaries 2008": "cms_desynpuf_sample1/"
    "DE1_0_2008_Beneficiary_Summary_File_Sample_1.zip",
    "beneficiaries 2009": "cms_desynpuf_sample1/"
    "DE1_0_2009_Beneficiary_Summary_File_Sample_1.zip",
    "beneficiaries 2010": "cms_desynpuf_sample1/"
    "DE1_0_2010_Beneficiary_Summary_File_Sample_1.zip",
    "inpatient claims": "cms_desynpuf_sample1/"
    "DE1_0_2008_to_2010_Inpatient_Claims_Sample_1.zip",
}
"""Tables of people, by what they are."""

BY_PERSON = {
    "diabetes": "patient_nbr",
    "inpatient claims": "DESYNPUF_ID",
}
"""Tables with several rows for some people, with their key: measured once more."""


def tables() -> Iterator[tuple[str, Path, str | None]]:
    """Every table that is there, by name, and the key of its people."""
    yield "sample", resources.sample_path(), None
    data = ROOT.parent / "shared" / "data"
    for name, place in FILES.items():
        if (data / place).exists():
            yield name, data / place, None
            if name in BY_PERSON:
                yield f"{name}, by person", data / place, BY_PERSON[name]


def first_rows(path: Path, folder: Path, most: int = MOST_ROWS) -> Path:
    """Write the first rows of a file: enough for a comparison."""
    with ExitStack() as stack:
        if path.suffix == ".zip":
            archive = stack.enter_context(zipfile.ZipFile(path))
            largest = max(archive.infolist(), key=lambda each: each.file_size)
            source = stack.enter_context(archive.open(largest))
            name = Path(largest.filename).name
        else:
            opened = gzip.open if path.suffix == ".gz" else open
            source = stack.enter_context(opened(path, "rb"))
            name = path.name.removesuffix(".gz")
        target = folder / name
        with target.open("wb") as written:
            written.writelines(islice(source, most + 1))
    return target


def proposed(path: Path, key: str | None) -> tuple[Any, Project]:
    """The project as it is proposed, for researchers."""
    loaded = read_input(path)
    project = propose_project(loaded)
    attributes = tuple(
        each if each.role else each.but(include=False) for each in project.attributes
    )
    project = project.but(attributes=attributes)
    protects = ops.set_protection(key)
    for op in (protects, ops.confirm_roles(), ops.take_over("researcher")):
        project = op(project)
    settings = project.search.but(method="optimum", most_nodes=MOST_NODES)
    return loaded, project.but(search=settings)


def plain(project: Project) -> Project:
    """The project with equal weights and no preference."""
    attributes = tuple(each.but(weight=0.5) for each in project.attributes)
    return project.but(
        attributes=attributes, quality=Quality(measure=project.quality.measure)
    )


def kept(name: str, path: Path, key: str | None) -> dict[str, Any]:
    """What the default optimum of one table keeps, before and now."""
    with tempfile.TemporaryDirectory() as folder:
        most = MOST_ROWS if key is None else MOST_ROWS_OF_PEOPLE
        loaded, project = proposed(first_rows(path, Path(folder), most), key)
        classes = build_classes(project, loaded.table, {})
    weights = {each.name: each.weight for each in project.quasi_identifiers}
    return {
        "table": name,
        "records": classes.class_table.n_records,
        "quasi_identifiers": len(weights),
        "weights": weights,
        "before": kept_by(plain(project), classes),
        "now": kept_by(project, classes),
    }


def kept_by(project: Project, classes: Classes) -> dict[str, Any]:
    """What the optimum under some decisions keeps."""
    start = time.perf_counter()
    found = search(project, classes)
    seconds = round(time.perf_counter() - start, 2)
    if found.optimum is None:
        return {"share": None, "seconds": seconds}
    levels = found.lattice.levels_of(found.optimum)
    grouped = classes_at(classes.class_table, levels).groups
    told = [len(np.unique(grouped[:, place])) for place in range(grouped.shape[1])]
    lost = [n for n, number in zip(found.attributes, told, strict=True) if number < 2]
    by_name = found.levels_of(found.optimum)
    heights = {each.attribute: each.height for each in found.hierarchies}
    return {
        "policies": found.n_nodes,
        "share": round(1 - len(lost) / len(told), 3),
        "removed": lost,
        "levels": {n: f"{by_name[n]} of {heights[n]}" for n in found.attributes},
        "suppressed": int(found.suppressed[found.optimum]),
        "loss": round(float(found.loss[found.optimum]), 4),
        "is_proven": found.complete,
        "seconds": seconds,
    }


def lines(found: list[dict[str, Any]]) -> list[str]:
    """The figures as a table in Markdown."""
    head = "| table | columns | before | now | removed before | removed now | s | s |"
    rows = [
        f"| {each['table']} | {each['quasi_identifiers']} "
        f"| {each['before']['share']} | {each['now']['share']} "
        f"| {', '.join(each['before'].get('removed', ()))} "
        f"| {', '.join(each['now'].get('removed', ()))} "
        f"| {each['before']['seconds']} | {each['now']['seconds']} |"
        for each in found
    ]
    return [head, "|---" * 8 + "|", *rows]


def run(arguments: list[str]) -> list[dict[str, Any]] | list[str]:
    """Return the figures of every table."""
    parser = argparse.ArgumentParser("kept")
    parser.add_argument("--only", default="")
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args(arguments)
    found = []
    for each in tables():
        if options.only in each[0]:
            found.append(kept(*each))
            print(lines(found[-1:])[-1], file=sys.stderr, flush=True)
    return lines(found) if options.table else found
