"""Processor seconds of the proven optimum, over those of the peer, run by run.

``python -m tests.benchmarks optimum [--only TEXT] [--cold | --whole]``: warm times are
the least of several searches in one process, cold ones those of the first search of a
fresh process, after it read a file as the program does (compiled code is in the cache
of an earlier process). Runs of the peer on data that is not beside the checkout are
left out.

``--whole [--times N]`` is the command ``deidgui search`` from its start to its end, the
median of some, and of it the part that the peer's figure has: that is its search alone
in a fresh process, without start, reading the files and writing, but with loading its
code. Ours is from building hierarchies and counting classes to the proof.
Bytecode of modules is kept, as after any installation.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from deidgui.engine.data.class_table import ClassTable, build_class_table
from deidgui.engine.data.csv_io import read_csv
from deidgui.engine.data.dialect import Dialect
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.data.table import Column, Table
from deidgui.engine.privacy import (
    DistinctLDiversity,
    EntropyLDiversity,
    EqualTCloseness,
    HierarchicalTCloseness,
    KAnonymity,
    PrivacyModel,
    RecursiveCLDiversity,
)
from deidgui.engine.quality import (
    Ambiguity,
    AverageClassSize,
    Discernibility,
    Height,
    KLDivergence,
    Loss,
    MonotoneDiscernibility,
    MonotoneEntropy,
    MonotonePrecision,
    NonUniformEntropy,
    NormalizedEntropy,
    Precision,
)
from deidgui.engine.search.branch_and_bound import find_optimum
from tests.cli.adult import make_adult
from tests.engine.search.adult import adult_hierarchy, adult_table
from tests.shared import shared
from tests.sources import bytes_source

MEASURES = {
    "loss": Loss("geometric_mean"),
    "entropy": NonUniformEntropy(),
    "discernibility": Discernibility(),
    "aecs": AverageClassSize(),
    "height": Height(),
    "precision": Precision(),
    "ambiguity": Ambiguity(),
    "precision-monotone": MonotonePrecision(),
    "entropy-monotone": MonotoneEntropy(),
    "discernibility-monotone": MonotoneDiscernibility(),
    "nentropy": NormalizedEntropy(),
    "kl": KLDivergence(),
}

SENSITIVE = "occupation"

REDRAWN = 0.3
"""Probability that a value of the mixed tables is drawn from its column anew."""


def model_of(words: str) -> PrivacyModel:
    """Privacy model of a part of a run's name."""
    named: dict[str, PrivacyModel] = {
        "distinct3": DistinctLDiversity(SENSITIVE, 3),
        "entropy3": EntropyLDiversity(SENSITIVE, 3.0),
        "recursive4,3": RecursiveCLDiversity(SENSITIVE, 4.0, 3),
        "tequal0.2": EqualTCloseness(SENSITIVE, 0.2),
        "thier0.2": HierarchicalTCloseness(SENSITIVE, 0.2),
    }
    if words in named:
        return named[words]
    return KAnonymity(int(words.removeprefix("k").removeprefix("=")))


@cache
def class_table(name: str) -> tuple[ClassTable, float]:
    """Class table of a dataset of the peer's runs, and the seconds to count it."""
    table = rows_of(name)
    names = list(table.column_names)
    sensitive = {}
    if name == "adult-occ":
        names.remove(SENSITIVE)
        sensitive = {SENSITIVE: adult_hierarchy(SENSITIVE)}
    hierarchies = [adult_hierarchy(each) for each in names]
    start = time.process_time()
    counted = build_class_table(table, hierarchies, sensitive)
    return counted, time.process_time() - start


def rows_of(name: str) -> Table:
    """Adult itself, or as many rows drawn from it."""
    table = adult_table()
    if name in ("adult", "adult-occ"):
        return table
    n_rows = int(name.removeprefix("adult").removeprefix("mix").removesuffix("k"))
    rng = np.random.default_rng(2026)
    drawn = rng.integers(0, table.n_rows, n_rows * 1000)
    columns = []
    for column in table.columns:
        codes = column.codes[drawn]
        if "mix" in name:
            other = column.codes[rng.integers(0, table.n_rows, len(drawn))]
            codes = np.where(rng.random(len(drawn)) < REDRAWN, other, codes)
        columns.append(Column(column.name, codes, column.values, column.missing_codes))
    return table.with_columns(columns)


def read_something() -> None:
    """Read a small file, as happens in any process that searches."""
    source = bytes_source("cold.csv", b"a,b\n1,2\n3,4\n")
    table = read_csv(source, Dialect(delimiter=",", encoding="utf-8")).table
    build_class_table(table, [Hierarchy.from_grid("a", [("1", "*"), ("3", "*")])])


def runs(only: str) -> list[dict[str, Any]]:
    """Runs of the peer that can be repeated here."""
    stored = json.loads(shared("peer", "arx_results.json").read_text("utf-8"))
    return [
        each
        for each in stored["runs"]
        if each["id"].startswith("adult")
        and each["algorithm"] == "optimal"
        and len(each["id"].split("/")) == 4
        and only in each["id"]
    ]


def repeated(each: dict[str, Any]) -> dict[str, Any]:
    """One run of the peer here, warm."""
    name, models, _, measure = each["id"].split("/")
    table, seconds = class_table(name)
    asked = (
        table,
        [model_of(words) for words in models.split("+")],
        each["suppression_limit"],
        MEASURES[measure],
    )
    n_times = 5 if name in ("adult", "adult-occ") else 2
    times = []
    for _ in range(n_times):
        start = time.process_time()
        found = find_optimum(*asked)
        times.append(time.process_time() - start)
    theirs = each["cpu_s_warm"] or each["cpu_s_cold"]
    return {
        "ours_s": round(min(times), 4),
        "first_s": round(times[0], 4),
        "peer_s": theirs,
        "ratio": round(min(times) / theirs, 2),
        "looked_at": found.n_looked_at,
        "peer_looked_at": each["checked"],
        "loss": found.loss,
        "peer_loss": each["loss"],
        "levels": found.levels,
        "counting_s": round(seconds, 3),
    }


def cold(each: dict[str, Any]) -> dict[str, float]:
    """Processor seconds of the first search of a fresh process."""
    code = (
        "import time;"
        "from tests.benchmarks import optimum as o;"
        "o.read_something();"
        f"each = o.runs({each['id']!r})[0];"
        "name, models, _, measure = each['id'].split('/');"
        "table, _ = o.class_table(name);"
        "models = [o.model_of(words) for words in models.split('+')];"
        "limit, measure = each['suppression_limit'], o.MEASURES[measure];"
        "start = time.process_time();"
        "o.find_optimum(table, models, limit, measure);"
        "print(time.process_time() - start)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    ours, theirs = float(done.stdout), each["cpu_s_cold"]
    ratio = round(ours / theirs, 2)
    return {"ours_s": round(ours, 4), "peer_s": theirs, "ratio": ratio}


COMMAND = """
import sys, time
from deidgui.__main__ import main
from deidgui.app.commands import headless
from deidgui.app.policies.lattice import source

spent = 0.0

def timed(work):
    def call(*arguments, **options):
        global spent
        start = time.process_time()
        found = work(*arguments, **options)
        spent += time.process_time() - start
        return found
    return call

headless.build_classes = timed(headless.build_classes)
source.find_best = timed(source.find_best)
try:
    main()
finally:
    print(spent, file=sys.stderr)
"""
"""A command that tells what counting the classes and the search took of it."""


@cache
def environment() -> dict[str, str]:
    """As that of a user: bytecode is kept, once it was made."""
    kept = {"PYTHONPYCACHEPREFIX": tempfile.mkdtemp(prefix="deidgui-bytecode-")}
    removed = ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED")
    return {k: v for k, v in os.environ.items() if k not in removed} | kept


def whole(each: dict[str, Any], n_times: int) -> dict[str, float]:
    """Processor seconds of the whole command, and of its search."""
    name, models, _, measure = each["id"].split("/")
    sensitive = (SENSITIVE,) if name == "adult-occ" else ()
    with tempfile.TemporaryDirectory() as folder:
        case = make_adult(Path(folder), sensitive)
        case.change(
            privacy={
                "models": [model_of(words).to_json() for words in models.split("+")],
                "suppression_limit": each["suppression_limit"],
            },
            quality={"measure": MEASURES[measure].to_json()},
        )
        command = [sys.executable, "-c", COMMAND, "search", str(case.project)]
        command_s(command)  # Bytecode and compiled code are made.
        found = [command_s(command) for _ in range(n_times)]
    ours, search = (median(times) for times in zip(*found, strict=True))
    theirs = each["cpu_s_cold"]
    return {
        "ours_s": round(ours, 3),
        "search_s": round(search, 3),
        "peer_s": theirs,
        "ratio": round(ours / theirs, 2),
        "search_ratio": round(search / theirs, 2),
    }


def command_s(command: list[str]) -> tuple[float, float]:
    """Processor seconds of a command, and those that it tells itself."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        command, capture_output=True, check=True, text=True, env=environment()
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return used, float(done.stderr.split()[-1])


def run(arguments: list[str]) -> dict[str, Any]:
    """Repeat the peer's runs."""
    parser = argparse.ArgumentParser(prog="optimum")
    parser.add_argument("--only", default="", help="part of a run's name")
    parser.add_argument("--cold", action="store_true", help="a fresh process each")
    parser.add_argument("--whole", action="store_true", help="the whole command")
    parser.add_argument("--times", type=int, default=1, help="of the whole command")
    options = parser.parse_args(arguments)
    found: dict[str, Any] = {}
    for each in runs(options.only):
        if options.whole and each["id"].split("/")[0] not in ("adult", "adult-occ"):
            continue
        if options.whole or options.cold:
            row = whole(each, options.times) if options.whole else cold(each)
        else:
            row = repeated(each)
        found[each["id"]] = row
        print(f"{each['id']:45} {row}", file=sys.stderr)
    return {**summary(found), "by_run": found}


def summary(found: dict[str, Any]) -> dict[str, Any]:
    """How many ratios are how high, by table, measure and limit."""
    by_limit: dict[str, list[float]] = {}
    for name, row in found.items():
        table, _, limit, measure = name.split("/")
        by_limit.setdefault(f"{table} {measure} {limit}", []).append(row["ratio"])
    differing = [
        name
        for name, row in found.items()
        if "loss" in row
        and name.split("/")[0] in ("adult", "adult-occ")
        and not np.isclose(row["loss"], row["peer_loss"], rtol=1e-6)
    ]
    ratios = sorted(row["ratio"] for row in found.values())
    return {
        "runs": len(found),
        "at_most_half": sum(ratio <= 0.5 for ratio in ratios),
        "slower": sum(ratio > 1 for ratio in ratios),
        "search_slower": sum(row.get("search_ratio", 0) > 1 for row in found.values()),
        "median_ratio": ratios[len(ratios) // 2] if ratios else None,
        "highest_ratio": ratios[-1] if ratios else None,
        "other_loss": differing,
        "lowest_and_highest": {
            name: [min(each), max(each)] for name, each in sorted(by_limit.items())
        },
        "over_half": {n: r["ratio"] for n, r in found.items() if r["ratio"] > 0.5},
    }
