"""How the program is built: size, import depth, satellites and names that stand twice.

    python packaging/structure.py

Prints figures for people who simplify the program. ``packaging/check.py`` holds the
length of the chain, and that a module that one sibling alone imports has a reason.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from graphlib import TopologicalSorter
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "deidgui"

CHAIN_LIMIT = 20
"""Most modules of a chain of imports, the packages and type imports included."""


REASONS = {
    "a part of the window or of a page": r"\.qt\.(\w+|pages\.\w+\.\w+|charts\.\w+) <- ",
    "the commands of one subject": r"\.cli\.\w+ <- main$",
    "a check of the verification": r"\.evidence\.(verify_\w+|agreement) <- ",
    "compiled functions": r"\.(\w+_)?kernels <- |\.walk <- ",
    "a part of the report": r"\.app\.report\.\w+ <- contents$",
    "decisions of one subject": r"\.app\.deciding\.\w+ <- deciding$",
}
"""Why a module may stand alone though a single sibling imports it, by its name."""

UNNAMED = "by its subject"

OTHER_REASONS = {
    "app.experiment.page": "what is written, apart from what is computed",
    "app.experiment.population": "a subject that is long by itself",
    "app.measuring.corresponding": "labels of two tables; nothing of how they compare",
    "app.measuring.held_out": "a subject that is long by itself",
    "app.policies.alternatives.searching": "the search, apart from the contract",
    "app.release.neutral": "a rule of privacy that is read by itself",
    "engine.counts.noise.discrete_gaussian": "a distribution of the literature",
    "engine.counts.repair.pairs": "a problem of optimisation with its own proof",
    "engine.detect.free_text": "patterns in texts; columns are judged elsewhere",
}
"""Why any other module does, although its name does not say so."""


def main() -> int:
    """Print the figures of this checkout."""
    imports = _imports()
    files = sorted((ROOT / PACKAGE).rglob("*.py"))
    n_lines = sum(len(path.read_text("utf-8").splitlines()) for path in files)
    print(f"{len(files)} modules, {n_lines} lines")
    chain = longest_chain(imports)
    _show(f"longest chain of imports: {len(chain)}", chain)
    found = satellites(imports)
    for why, names in by_reason(found).items():
        _show(f"imported by one sibling alone, {why}: {len(names)}", names)
    twice = class_names(files)
    _show(f"class names that stand twice: {len(twice)}", twice)
    return 0


def problems() -> list[str]:
    """Write what is wrong: too long a chain of imports, modules without a reason."""
    imports = _imports()
    return [*_chain_problems(imports), *_satellite_problems(imports)]


def _chain_problems(imports: Mapping[str, set[str]]) -> list[str]:
    chain = longest_chain(imports)
    if len(chain) <= CHAIN_LIMIT:
        return []
    title = f"{len(chain)} modules import one another in a row, limit {CHAIN_LIMIT}:"
    return [title, *(f"  {each}" for each in chain)]


def _satellite_problems(imports: Mapping[str, set[str]]) -> list[str]:
    unnamed = by_reason(satellites(imports))[UNNAMED]
    alone = {each.split(" ")[0].removeprefix(f"{PACKAGE}.") for each in unnamed}
    return [
        *(
            f"{each}: one sibling alone imports it: put it there, or name it so that "
            "it says why it stands alone"
            for each in sorted(alone - OTHER_REASONS.keys())
        ),
        *(
            f"{each}: needs no reason any more: packaging/structure.py"
            for each in sorted(OTHER_REASONS.keys() - alone)
        ),
    ]


def _imports() -> dict[str, set[str]]:
    """Map each module of this checkout to those that it imports."""
    sys.path.insert(0, str(ROOT))
    try:
        graph = grimp.build_graph(PACKAGE, cache_dir=None)
    finally:
        sys.path.remove(str(ROOT))
    return {
        module: graph.find_modules_directly_imported_by(module)
        for module in graph.modules
    }


def _show(title: str, lines: Iterable[str]) -> None:
    print(f"\n{title}")
    for line in lines:
        print(f"  {line}")


def longest_chain(imports: Mapping[str, set[str]]) -> list[str]:
    """Find the longest chain of modules in which each imports the next one.

    Parameters
    ----------
    imports : mapping of str to set of str
        What each module imports. Modules that import each other in a circle, as a
        package and its modules may, count as one.

    Returns
    -------
    list of str
        From the importing end; a circle is written with its modules joined by "+".
    """
    circle_of = _circles(imports)
    below: dict[tuple[str, ...], set[tuple[str, ...]]] = defaultdict(set)
    for module, imported in imports.items():
        own = circle_of[module]
        below[own] |= {circle_of[each] for each in imported} - {own}
    best: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    for circle in TopologicalSorter(below).static_order():
        rest = max((best[each] for each in sorted(below[circle])), key=len, default=[])
        best[circle] = [circle, *rest]
    longest = max((best[each] for each in sorted(best)), key=len, default=[])
    return [" + ".join(circle) for circle in longest]


def _circles(imports: Mapping[str, set[str]]) -> dict[str, tuple[str, ...]]:
    """Map each module to all that reach it and are reached by it (itself included)."""
    reached = {module: _reached(imports, module) for module in imports}
    return {
        module: tuple(
            sorted(each for each in reached[module] if module in reached[each])
        )
        for module in imports
    }


def _reached(imports: Mapping[str, set[str]], start: str) -> set[str]:
    found, left = {start}, [start]
    while left:
        fresh = imports[left.pop()] - found
        found |= fresh
        left.extend(fresh)
    return found


def satellites(imports: Mapping[str, set[str]]) -> list[str]:
    """Name modules that a single module imports, and that one from the same folder.

    Modules of a registry, which their package itself imports, are none.
    """
    importers: dict[str, set[str]] = defaultdict(set)
    for module, imported in imports.items():
        for each in imported:
            importers[each].add(module)
    found = []
    for module in sorted(imports):
        users = sorted(importers[module])
        if len(users) == 1 and users[0].rpartition(".")[0] == module.rpartition(".")[0]:
            found.append(f"{module} <- {users[0].rpartition('.')[2]}")
    return found


def by_reason(found: Iterable[str]) -> dict[str, list[str]]:
    """Sort satellites by what their names tell; those without a reason come last."""
    sorted_: dict[str, list[str]] = {why: [] for why in (*REASONS, UNNAMED)}
    for each in found:
        whys = (why for why, names in REASONS.items() if re.search(names, each))
        sorted_[next(whys, UNNAMED)].append(each)
    return sorted_


def class_names(files: Iterable[Path]) -> list[str]:
    """Name public classes that more than one file defines, with the files."""
    places: dict[str, list[str]] = defaultdict(list)
    for path in files:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(path.relative_to(ROOT / PACKAGE).as_posix())
    return [
        f"{name}: {', '.join(found)}"
        for name, found in sorted(places.items())
        if len(found) > 1
    ]


if __name__ == "__main__":
    raise SystemExit(main())
