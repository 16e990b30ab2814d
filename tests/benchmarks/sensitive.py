"""How long do the models of a sensitive attribute take for each of its counts?

An entry is a sensitive value in a class. Nanoseconds of processor time per entry:
of judging all classes of a node, of bounding less general nodes, of merging counts.
Option: a number of combinations for the large table, 1,000,000 by default.
"""

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from deidgui.engine.data.class_table import (
    ClassTable,
    build_class_table,
    classes_at,
    count_values,
)
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.data.table import Column
from deidgui.engine.privacy import (
    BasicBetaLikeness,
    DeltaDisclosure,
    DistinctLDiversity,
    EnhancedBetaLikeness,
    EntropyLDiversity,
    EqualTCloseness,
    HierarchicalTCloseness,
    OrderedTCloseness,
    RecursiveCLDiversity,
)
from tests.engine.search.adult import adult_hierarchy, adult_table


def models(attribute: str) -> dict[str, Any]:
    """One of each, with thresholds that people use."""
    return {
        "distinct, l = 3": DistinctLDiversity(attribute, 3),
        "entropy, l = 3": EntropyLDiversity(attribute, 3.0),
        "grassberger, l = 3": EntropyLDiversity(attribute, 3.0, "grassberger"),
        "recursive, c = 4, l = 3": RecursiveCLDiversity(attribute, 4.0, 3),
        "equal, t = 0.2": EqualTCloseness(attribute, 0.2),
        "ordered, t = 0.2": OrderedTCloseness(attribute, 0.2),
        "ordered by hierarchy": OrderedTCloseness(attribute, 0.2, "hierarchy"),
        "hierarchical, t = 0.2": HierarchicalTCloseness(attribute, 0.2),
        "delta = 1": DeltaDisclosure(attribute, 1.0),
        "basic beta = 1": BasicBetaLikeness(attribute, 1.0),
        "enhanced beta = 1": EnhancedBetaLikeness(attribute, 1.0),
    }


def adult() -> ClassTable:
    """Adult with occupation as the sensitive attribute."""
    table = adult_table()
    names = [name for name in table.column_names if name != "occupation"]
    return build_class_table(
        table,
        [adult_hierarchy(name) for name in names],
        {"occupation": adult_hierarchy("occupation")},
    )


def large(n_combinations: int, n_values: int = 60) -> tuple[ClassTable, float]:
    """Combinations of 1 to 8 records, values skewed; and the seconds to count them."""
    rng = np.random.default_rng(0)
    counts = rng.integers(1, 9, n_combinations)
    of_record = np.repeat(np.arange(n_combinations), counts)
    codes = np.minimum(rng.geometric(0.08, len(of_record)) - 1, n_values - 1)
    texts = [f"value {code:02d}" for code in range(n_values)]
    tree = Hierarchy.from_grid(
        "s",
        [(text, f"a{at // 3}", f"b{at // 15}", "*") for at, text in enumerate(texts)],
    )
    named = Column.from_texts("s", texts)
    column = Column("s", codes.astype(np.int32), named.values)
    found = count_values(column, of_record, n_combinations, tree)
    spent = best(lambda: count_values(column, of_record, n_combinations, tree), 3)
    grid = [(str(at), str(at // 10), str(at // 1000)) for at in range(n_combinations)]
    leaves = np.arange(n_combinations, dtype=np.int32)[:, None]
    hierarchy = Hierarchy.from_grid("q", grid)
    return ClassTable((hierarchy,), leaves, counts, {"s": found}), spent


def run(arguments: list[str]) -> dict[str, Any]:
    """Measure the bottom node of Adult and a large table at two nodes."""
    n_combinations = int(arguments[0]) if arguments else 1_000_000
    small = adult()
    big, spent = large(n_combinations)
    n_records = big.n_records
    return {
        "adult, bottom": measured(small, (0,) * 8, "occupation"),
        "large, bottom": measured(big, (0,), "s"),
        "large, tens": measured(big, (1,), "s"),
        "counting": {
            "records": n_records,
            "ns_per_record": nanoseconds(spent, n_records),
        },
    }


def measured(
    table: ClassTable, levels: tuple[int, ...], attribute: str
) -> dict[str, Any]:
    """Nanoseconds per entry at one node."""
    classes = classes_at(table, levels)
    found = classes.distribution(attribute)
    whole = table.sensitive[attribute]
    merged = best(lambda: whole.merged(classes.of_combination, classes.n_classes))
    n_entries = len(found.codes)
    return {
        "classes": classes.n_classes,
        "entries": n_entries,
        "merge_per_source_entry": nanoseconds(merged, len(whole.codes)),
        "models": {
            name: {
                "holds": nanoseconds(best(lambda m=model: m.holds(classes)), n_entries),
                "least_suppressed": nanoseconds(
                    best(lambda m=model: m.least_suppressed(classes)), n_entries
                ),
                "bound_of_suppressed": [
                    model.least_suppressed(classes),
                    int(classes.counts[~model.holds(classes)].sum()),
                ],
            }
            for name, model in models(attribute).items()
        },
    }


def nanoseconds(seconds: float, number: int) -> float:
    return round(seconds / number * 1e9, 2)


def best(work: Callable[[], object], n_times: int = 5) -> float:
    """Least processor seconds of several runs, after one that may compile."""
    work()
    found = []
    for _ in range(n_times):
        started = time.process_time()
        work()
        found.append(time.process_time() - started)
    return min(found)
