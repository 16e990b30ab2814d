"""How each kind of case is checked; a check returns what differs, or nothing."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from deidgui.engine.arrays import BoolArray
from deidgui.engine.data.class_table import EquivalenceClasses, classes_at
from deidgui.engine.data.hierarchy import SUPPRESSED
from deidgui.engine.detect.subsets import subsets_of_columns
from deidgui.engine.privacy import PrivacyModel
from deidgui.engine.privacy.suppression import is_possible, released
from deidgui.engine.quality import Loss, QualityMeasure, TableFacts, scaled_weights
from deidgui.engine.risk.class_sizes import measure_risk
from deidgui.engine.search.question import limit_in_records
from deidgui.engine.search.whole_lattice import SearchResult, search_lattice
from tests.peer.differences import ListedError, SumOverRecords
from tests.peer.grassberger import given_up
from tests.peer.mappings import (
    Context,
    UnsupportedError,
    keys_of_model,
    measure_of,
    models_of,
    words,
)
from tests.peer.one_by_one import holds_for, is_one_by_one, suppressed_one_by_one
from tests.peer.risks import population_uniqueness
from tests.peer.tables import Data, table_of

TOLERANCE = 1e-6
"""Relative; the peer rounds values per attribute to ten decimals."""

TIES = 1e-3
"""Relative loss that suppressing other classes of one size may add."""

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


@dataclass(frozen=True)
class Asked:
    """A case with its table, models and limit."""

    case: Case
    data: Data

    @cached_property
    def class_table(self) -> Any:
        """Class table of the case, or of its research sample."""
        return self.data.class_table(self.case)

    @property
    def is_private(self) -> bool:
        """Whether it is differential privacy: one policy, any number suppressed."""
        types = [each["type"] for each in self.case["models"]]
        return "EDDifferentialPrivacy" in types

    @property
    def levels(self) -> dict[str, int] | None:
        """The only levels allowed, where a scheme fixes them before the data."""
        if not self.is_private:
            return None
        named = self.case["expected"]["transformation"]
        return dict(zip(self.case["qis"], named, strict=True))

    @cached_property
    def models(self) -> list[PrivacyModel]:
        """Privacy models."""
        return models_of(self.case, self.class_table.n_records)

    @property
    def fraction(self) -> float:
        """Share of the records that may be suppressed."""
        return 1.0 if self.is_private else self.case["suppressionLimit"]

    @property
    def limit(self) -> int:
        """Most records that may be suppressed."""
        return limit_in_records(self.fraction, self.class_table.n_records)

    @cached_property
    def facts(self) -> TableFacts:
        """What quality measures need to know."""
        return TableFacts(self.class_table)

    def at(self, levels: Sequence[int]) -> tuple[EquivalenceClasses, BoolArray]:
        """Classes of a node, and which of them are suppressed."""
        classes = classes_at(self.class_table, levels)
        return classes, ~released(self.models, classes)

    def is_solution(self, classes: EquivalenceClasses, suppressed: BoolArray) -> bool:
        """Whether a node may be released."""
        n_suppressed = classes.counts[suppressed].sum()
        return bool(n_suppressed <= self.limit and is_possible(self.models, classes))

    def score(
        self,
        measure: QualityMeasure,
        classes: EquivalenceClasses,
        suppressed: BoolArray,
    ) -> list[float]:
        """What one node loses."""
        weights = scaled_weights(self.class_table.attributes, weights_of(self.case))
        values = measure.exact_values(self.facts, classes, suppressed)[None, :]
        return list(measure.scores(values, weights)[0].tolist())

    def search(self, measure: QualityMeasure) -> SearchResult:
        """Search the lattice."""
        weights = weights_of(self.case)
        return search_lattice(
            self.class_table,
            self.models,
            self.fraction,
            measure,
            weights or None,
            minimum=self.levels,
            maximum=self.levels,
        )


def in_file_order(case: Case, data: Data, levels: Sequence[int]) -> tuple[int, ...]:
    """Levels of a case in the order of the class table's attributes."""
    by_name = dict(zip(case["qis"], levels, strict=True))
    return tuple(by_name[name] for name in data.class_table(case).attributes)


def check_optimum(case: Case, data: Data) -> str:
    """Loss and suppressed records of the peer's node; then, that no node is better."""
    asked, expected = Asked(case, data), case["expected"]
    measure = measure_of(case)
    if expected["solution"] and is_one_by_one(case):
        return check_one_by_one(asked, measure)
    if expected["solution"] and (problem := check_named_node(asked, measure)):
        return problem
    if isinstance(measure, SumOverRecords):
        return ""  # See `differences`: the peer's measure is another one.
    result = asked.search(measure)
    if result.optimum is None or not expected["solution"]:
        found = result.optimum is not None
        return "" if found == expected["solution"] else f"solution {found}"
    score = result.scores[result.optimum].tolist()
    if case.get("practicalMonotonicity") and score < as_list(expected["loss"]):
        return ""  # The peer assumed what is not true and missed a better node.
    if not agrees(score, expected["loss"]):
        levels = result.lattice.levels_of(result.optimum)
        return f"loss {score} at {levels} instead of {expected['loss']}"
    return ""


def check_one_by_one(asked: Asked, measure: QualityMeasure) -> str:
    """The peer's figures follow from its rule, and the optimum is no worse.

    Of equally large classes the peer suppresses others (see `differences`): its node
    is checked with its own order, the optimum for being a solution by its rule.
    """
    case, data, expected = asked.case, asked.data, asked.case["expected"]
    classes = classes_at(
        asked.class_table, in_file_order(case, data, expected["transformation"])
    )
    suppressed = suppressed_one_by_one(case, data, classes, measure)
    score = asked.score(measure, classes, suppressed)
    n_shown = shown_as_suppressed(classes, suppressed)
    if not agrees(score, expected["loss"]):
        return f"its node loses {score} instead of {expected['loss']}"
    if n_shown != expected.get("suppressed_records", n_shown):
        return f"{n_shown} suppressed instead of {expected['suppressed_records']}"
    result = asked.search(measure)
    if result.optimum is None:
        return "no solution"
    classes, suppressed = asked.at(result.lattice.levels_of(result.optimum))
    if not asked.is_solution(classes, suppressed):
        return "the optimum suppresses too many records"
    if not all(
        holds_for(case, each)(classes.counts[~suppressed]) for each in case["models"]
    ):
        return "the optimum does not meet the models"
    score = asked.score(measure, classes, suppressed)
    if any(
        ours > theirs * (1 + TIES)
        for ours, theirs in zip(score, as_list(expected["loss"]), strict=True)
    ):
        return f"loss {score} instead of {expected['loss']}"
    return ""


def as_list(loss: float | list[float]) -> list[float]:
    """Scores of the peer as a vector."""
    return loss if isinstance(loss, list) else [loss]


def check_named_node(asked: Asked, measure: QualityMeasure) -> str:
    """The peer's optimum is a solution here too, with the same figures."""
    case, data, expected = asked.case, asked.data, asked.case["expected"]
    classes, suppressed = asked.at(
        in_file_order(case, data, expected["transformation"])
    )
    if not asked.is_solution(classes, suppressed):
        n_suppressed = classes.counts[suppressed].sum()
        return f"its node is no solution: {n_suppressed} of {asked.limit} suppressed"
    score = asked.score(measure, classes, suppressed)
    if not agrees(score, expected["loss"]):
        check_given_up(asked, classes, measure)
        return f"its node loses {score} instead of {expected['loss']}"
    if "suppressed_records" not in expected:
        return ""
    n_shown = shown_as_suppressed(classes, suppressed)
    if asked.limit > 0:  # Otherwise rows outside are shown as the others are.
        n_shown += data.subject(case).n_outside
    if n_shown != expected["suppressed_records"]:
        check_given_up(asked, classes, measure)
        return f"{n_shown} suppressed instead of {expected['suppressed_records']}"
    return ""


def check_given_up(
    asked: Asked, classes: EquivalenceClasses, measure: QualityMeasure
) -> None:
    """See whether the peer gave up classes that are diverse by Grassberger's G.

    Its records are those that its order gives up. Its loss is that of the classes in
    the order of its search, which is not known: it is between the losses where the
    classes are given up that fail in every order, and those that fail in one.

    Raises
    ------
    ListedError
        If that explains the number of records and the loss.
    """
    expected = asked.case["expected"]
    for spec in asked.case["models"]:
        if str(spec.get("estimator")).lower() != "grassberger":
            continue
        never, ours, ever = given_up(spec, asked.case, asked.data, classes)
        n_ours = int(classes.counts[ours].sum())
        if n_ours != expected.get("suppressed_records"):
            continue
        least, most = (asked.score(measure, classes, each) for each in (never, ever))
        losses = zip(least, as_list(expected["loss"]), most, strict=True)
        if all(low <= of <= high for low, of, high in losses):
            raise ListedError(
                "Grassberger's G: sums are given up before values that occur "
                f"once make them smaller; that gives its {n_ours} records, and a loss "
                f"from {least} to {most}"
            )


def shown_as_suppressed(classes: EquivalenceClasses, suppressed: BoolArray) -> int:
    """Records suppressed, and those of a class that is "*" in every attribute."""
    is_blank = np.ones(classes.n_classes, dtype=np.bool_)
    hierarchies = classes.class_table.hierarchies
    for column, hierarchy in enumerate(hierarchies):
        labels = np.array(hierarchy.levels[classes.levels[column]].labels)
        is_blank &= labels[classes.groups[:, column]] == SUPPRESSED
    return int(classes.counts[suppressed | is_blank].sum())


def check_node_loss(case: Case, data: Data) -> str:
    """Loss of single nodes.

    In the state "suppressed" violating classes are suppressed whatever the limit;
    in the state "unsuppressed" only if the node is a solution.
    """
    asked, measure = Asked(case, data), measure_of(case)
    for node in case["nodes"]:
        levels = in_file_order(case, data, node["transformation"])
        classes, violating = asked.at(levels)
        for state in node["state"]:
            if state not in STATES:
                raise UnsupportedError(f"state {state}")
            suppressed = violating
            if state == "unsuppressed" and not asked.is_solution(classes, violating):
                suppressed = np.zeros_like(violating)
            score = asked.score(measure, classes, suppressed)
            if not agrees(score, node["loss"]):
                return f"{node['transformation']} {state}: {score}, not {node['loss']}"
    return ""


def check_output(case: Case, data: Data) -> str:
    """The released table, row by row."""
    asked = Asked(case, data)
    result = asked.search(measure_of(case))
    has_solution = case["expected"].get("solution", True)
    if result.optimum is None or not has_solution:
        found = result.optimum is not None
        return "" if found == has_solution else f"solution {found}"
    expected = case["expected"]["output"]
    levels = result.levels(result.optimum)
    classes, suppressed = asked.at(tuple(levels.values()))
    hierarchies = {each.attribute: each for each in asked.class_table.hierarchies}
    leaves_of = asked.class_table.leaves.tolist()
    index = {tuple(row): at for at, row in enumerate(leaves_of)}
    table = table_of("inline", data.rows(case))
    for row in range(table.n_rows):
        texts = {column.name: column.text(row) for column in table.columns}
        leaves = {name: each.index[texts[name]] for name, each in hierarchies.items()}
        # A row outside of the sample is shown with its generalized values.
        combination = index.get(tuple(leaves.values()))
        is_suppressed = combination is not None and bool(
            suppressed[classes.of_combination[combination]]
        )
        for name, leaf in leaves.items():
            label = hierarchies[name].label(levels[name], leaf)
            texts[name] = SUPPRESSED if is_suppressed else label
        for name in case.get("identifying", ()):
            texts[name] = SUPPRESSED
        if list(texts.values()) != expected[row + 1]:
            return f"row {row + 1} differs"
    return ""


def check_risk(case: Case, data: Data) -> str:
    """Risk before and after the case's search, by class sizes."""
    for name, value in case["expected"].items():
        if name == "model":
            continue  # Which estimator was taken: its value decides.
        side = "input" if case["when"].startswith("input") else "output"
        for stated in ("input", "output"):
            if name.lower().endswith(stated):
                side, name = stated, name[: -len(stated)]
        found = risk_figure(name, sizes_of(case, data, side), case)
        if not agrees([found], value):
            return f"{name} {found} instead of {value}"
    return ""


def risk_figure(name: str, sizes: Any, case: Case) -> float:
    """One figure of a table, from its class sizes."""
    figures = measure_risk(sizes, threshold=case.get("threshold"))
    n_records = figures.n_records
    simple: dict[str, float | None] = {
        "averageRisk": figures.prosecutor.average,
        "averageClassSize": n_records / figures.n_classes,
        "highestRisk": figures.prosecutor.highest,
        "lowestRisk": figures.prosecutor.lowest,
        "numberOfClasses": float(figures.n_classes),
        "recordsAtRisk": figures.prosecutor.at_risk,
        "sampleUniqueness": figures.uniques / n_records,
        "sampleUniques": float(figures.uniques),
    }
    if simple.get(name) is not None:
        return float(simple[name] or 0.0)
    if name.startswith("populationUnique"):
        context = Context(n_records, case.get("population") or case, ())
        estimator = case["expected"].get("model", "Dankar").lower()
        fraction = context.sampling_fraction(case)
        return population_uniqueness(sizes, fraction, estimator)
    raise UnsupportedError(f"figure {name}")


def sizes_of(case: Case, data: Data, side: str) -> Any:
    """Class sizes of the input, or of the optimum under the loss's rank."""
    asked = Asked(case, data)
    if side == "input":
        return asked.class_table.counts
    measure = measure_of(case) if case.get("metric") else Loss("rank")
    result = asked.search(measure)
    classes, suppressed = asked.at(result.lattice.levels_of(result.optimum))
    return classes.counts[~suppressed]


def check_attributes(case: Case, data: Data) -> str:
    """Distinction and separation of sets of quasi-identifiers."""
    table = table_of("peer", data.rows(case))
    columns = [table.column(name) for name in case["qis"]]
    found = subsets_of_columns(columns)
    places = {frozenset(found.names(at)): at for at in range(len(found.members))}
    for names, stated in sets_of_attributes(case["expected"]):
        at = places[frozenset(names)]
        values = {"distinction": found.distinction, "separation": found.separation}
        for figure, value in stated.items():
            if figure in values and not agrees([values[figure][at]], value):
                return f"{sorted(names)}: {figure} {values[figure][at]}, not {value}"
    return ""


def sets_of_attributes(expected: Any) -> list[tuple[list[str], Mapping[str, float]]]:
    """Sets of attributes with their figures, listed or keyed by the set."""
    if isinstance(expected, Mapping) and len(expected) == 1:
        (only,) = expected.values()
        if isinstance(only, list):
            return sets_of_attributes(only)
    if isinstance(expected, Mapping):
        return [(split_names(names), each) for names, each in expected.items()]
    keys = ("attributes", "identifier", "qis", "set")
    return [
        (split_names(next(each[key] for key in keys if key in each)), each)
        for each in expected
    ]


def split_names(names: str | Sequence[str]) -> list[str]:
    """Names of a set of attributes, from a list or from text like "[a, b]"."""
    if not isinstance(names, str):
        return list(names)
    return [name.strip() for name in names.strip("[]").replace("+", ",").split(",")]


CHECKS: Mapping[str, Callable[[Case, Data], str]] = {
    "optimum": check_optimum,
    "node-loss": check_node_loss,
    "inline-output": check_output,
    "risk": check_risk,
    "risk-attributes": check_attributes,
}


STATES = ("suppressed", "unsuppressed")

KEYS = words(
    "id note kind when expected nodes dataset data qis sensitive identifying "
    "hierarchies inlineHierarchies weights metric models suppressionLimit "
    "practicalMonotonicity threshold population samplingFraction populationSize region"
)
"""Keys that a case may have; another one would go unnoticed."""

PART_KEYS: Mapping[str, frozenset[str]] = {
    "metric": words("class name monotonic gsFactor aggregate"),
    "nodes": words("transformation loss state"),
    "population": words("samplingFraction populationSize region"),
}
"""The same of its parts."""

EXPECTED_KEYS: Mapping[str, frozenset[str]] = {
    # The statistics say how the peer searched, not what it found.
    "optimum": words("solution loss transformation suppressed_records statistics"),
    "inline-output": words("solution output"),
    "node-loss": frozenset(),
}
"""The same of what is expected; other kinds ask for figures, each known by its name."""


def check(case: Case, data: Data) -> str:
    """Check one case; return what is wrong with it, or an empty text.

    Raises
    ------
    ListedError
        If the peer is known to be wrong; the text says in what.
    """
    if case.get("kind") not in CHECKS:
        return f"kind {case.get('kind')} is not supported"
    if unknown := unread_keys(case):
        return f"keys that nothing reads: {', '.join(sorted(unknown))}"
    try:
        return CHECKS[case["kind"]](case, data)
    except UnsupportedError as unsupported:
        return f"{unsupported} is not supported"


def unread_keys(case: Case) -> set[str]:
    """Keys of a case and its parts that no check looks at: "part.key"."""
    found = set(case) - KEYS
    parts: list[tuple[str, Any, frozenset[str] | None]] = [
        (part, each, keys)
        for part, keys in PART_KEYS.items()
        for each in parts_of(case.get(part))
    ]
    parts += [
        ("models", each, keys_of_model(each["type"]))
        for each in parts_of(case.get("models"))
    ]
    expected = case.get("expected", {})
    parts += [("expected", expected, EXPECTED_KEYS.get(case["kind"]))]
    for part, given, keys in parts:
        if keys is not None:
            found |= {f"{part}.{key}" for key in set(given) - keys}
    return found


def parts_of(given: Any) -> Sequence[Mapping[str, Any]]:
    """A part of a case, or its parts, or none."""
    if given is None:
        return ()
    return [given] if isinstance(given, Mapping) else given
