"""How each kind of case is checked; a check returns what differs, or nothing."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from deidgui.engine.data.classes import classes_at
from deidgui.engine.data.hierarchy import SUPPRESSED
from deidgui.engine.privacy import PrivacyModel
from deidgui.engine.quality import Domain, Loss, QualityMeasure, scaled_weights
from deidgui.engine.risk import measure_risk
from deidgui.engine.search.question import limit_in_records
from deidgui.engine.search.search import SearchResult, what_if
from tests.peer.mappings import UnsupportedError, measure_of, models_of
from tests.peer.tables import Data, table_of

TOLERANCE = 1e-6
"""Relative; the peer rounds values per attribute to ten decimals."""

Case = Mapping[str, Any]


def agrees(found: Sequence[float], expected: float | Sequence[float]) -> bool:
    """Whether scores are those of the peer: a number, or a vector for "rank"."""
    wanted = expected if isinstance(expected, list) else [expected]
    return len(found) == len(wanted) and all(
        math.isclose(a, b, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
        for a, b in zip(found, wanted, strict=True)
    )


def weights_of(case: Case) -> dict[str, float]:
    """Attribute weights of a case's quasi-identifiers."""
    return {
        name: weight
        for name, weight in case.get("weights", {}).items()
        if name in case["qis"]
    }


def solve(case: Case, data: Data, measure: QualityMeasure) -> SearchResult:
    """Search the lattice of a case."""
    models, profile = models_of(case), data.profile_of(case)
    limit = case["suppressionLimit"]
    return what_if(profile, models, limit, measure, weights_of(case))


def check_optimum(case: Case, data: Data) -> str:
    """Least loss; the records withheld if the node is the same."""
    result = solve(case, data, measure_of(case))
    expected = case["expected"]
    if result.optimum is None or not expected["solution"]:
        found = result.optimum is not None
        return "" if found == expected["solution"] else f"solution {found}"
    score = result.scores[result.optimum].tolist()
    if case.get("practicalMonotonicity") and score < [expected["loss"]]:
        return ""  # The peer assumed what is not true and missed a better node.
    if not agrees(score, expected["loss"]):
        return f"loss {score} instead of {expected['loss']}"
    levels = result.lattice.levels_of(result.optimum)
    n_withheld = int(result.withheld[result.optimum])
    if list(levels) != expected["transformation"]:
        node = result.lattice.node(expected["transformation"])
        n_withheld = int(result.withheld[node])
    if n_withheld != expected["suppressed_records"]:
        return f"{n_withheld} withheld instead of {expected['suppressed_records']}"
    return ""


def check_node_loss(case: Case, data: Data) -> str:
    """Loss of single nodes.

    In the state "suppressed" violating classes are withheld whatever the limit;
    in the state "unsuppressed" only if the node is a solution.
    """
    models, measure = models_of(case), measure_of(case)
    class_table = data.class_table(case)
    limit = limit_in_records(case["suppressionLimit"], class_table.n_records)
    domain = Domain(class_table)
    weights = scaled_weights(class_table.attributes, weights_of(case))
    for node in case["nodes"]:
        classes = classes_at(class_table, node["transformation"])
        for state in node["state"]:
            withheld = violating(models, classes)
            if state == "unsuppressed" and classes.counts[withheld].sum() > limit:
                withheld = np.zeros_like(withheld)
            values = measure.exact_values(domain, classes, withheld)
            score = measure.scores(values[None, :], weights)[0].tolist()
            if not agrees(score, node["loss"]):
                return f"{node['transformation']} {state}: {score}, not {node['loss']}"
    return ""


def violating(models: Sequence[PrivacyModel], classes: Any) -> Any:
    """Classes that at least one model does not allow."""
    return ~np.logical_and.reduce([model.holds(classes) for model in models])


def check_output(case: Case, data: Data) -> str:
    """The released table, row by row."""
    result = solve(case, data, measure_of(case))
    expected = case["expected"]["output"]
    if result.optimum is None:
        return "no solution"
    levels = result.levels(result.optimum)
    class_table = data.class_table(case)
    classes = classes_at(class_table, tuple(levels.values()))
    below = result.withhold_below[result.optimum]
    table = table_of("inline", case["data"])
    hierarchies = {each.attribute: each for each in class_table.hierarchies}
    index = {tuple(row): at for at, row in enumerate(class_table.leaves.tolist())}
    for row in range(table.n_rows):
        texts = {column.name: column.text(row) for column in table.columns}
        leaves = {name: each.index[texts[name]] for name, each in hierarchies.items()}
        place = classes.of_combination[index[tuple(leaves.values())]]
        is_withheld = classes.counts[place] < below
        for name, leaf in leaves.items():
            label = hierarchies[name].label(levels[name], leaf)
            texts[name] = SUPPRESSED if is_withheld else label
        for name in case.get("identifying", ()):
            texts[name] = SUPPRESSED
        if list(texts.values()) != expected[row + 1]:
            return f"row {row + 1} differs"
    return ""


def check_risk(case: Case, data: Data) -> str:
    """Prosecutor risk before and after the case's search, by class sizes."""
    figures = {"input": None, "output": None}
    for name, value in case["expected"].items():
        if name.startswith("averageRisk"):
            side = "input" if case["when"] == "input" else "output"
            figure = "average"
        elif name.startswith("highestRisk"):
            side = name.removeprefix("highestRisk").lower()
            figure = "highest"
        else:
            raise UnsupportedError(f"figure {name}")
        if figures[side] is None:
            figures[side] = measure_risk(sizes_of(case, data, side)).prosecutor
        found = getattr(figures[side], figure)
        if not agrees([found], value):
            return f"{name} {found} instead of {value}"
    return ""


def sizes_of(case: Case, data: Data, side: str) -> Any:
    """Class sizes of the input, or of the optimum under the loss's rank."""
    class_table = data.class_table(case)
    if side == "input":
        return class_table.counts
    result = solve(case, data, Loss("rank"))
    levels = result.lattice.levels_of(result.optimum)
    counts = classes_at(class_table, levels).counts
    return counts[counts >= result.withhold_below[result.optimum]]


CHECKS: Mapping[str, Callable[[Case, Data], str]] = {
    "optimum": check_optimum,
    "node-loss": check_node_loss,
    "inline-output": check_output,
    "risk": check_risk,
}


def check(case: Case, data: Data) -> str:
    """Check one case; return what is wrong with it, or an empty text."""
    if case["kind"] not in CHECKS:
        return f"kind {case['kind']} is not supported"
    try:
        return CHECKS[case["kind"]](case, data)
    except UnsupportedError as unknown:
        return f"{unknown} is not supported"
