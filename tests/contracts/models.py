"""Valid and invalid parameters of anything that is declared by parameters."""

import importlib
import pkgutil

import numpy as np

from deidgui.engine.parameters import parameters_of
from tests.engine.search.cases import hierarchy_of, protected, table_of

SHARED = (
    *("all_measures", "base", "distances", "figures", "smallest_populations"),
    *("kernels", "prefixes", "rounding", "share_caps", "suppression"),
)
"""Modules of these packages that declare no kind."""


def valid_values(parameter):
    """Some values that the declaration allows."""
    if parameter.options is not None:
        return list(parameter.options.words)
    if parameter.role:
        return ["s"]
    default = [] if parameter.required else [parameter.default]
    allowed = parameter.range
    numbers = {int: (2, 3, 10), float: (0.05, 0.2, 0.5, 1.0, 2.0)}[parameter.type]
    return default + [n for n in numbers if allowed is None or allowed.contains(n)]


def invalid_values(parameter):
    """Some values that the declaration forbids."""
    wrong_type = ["three", None, [1], True, float("nan")]
    if parameter.role:
        return [3, None]
    if parameter.options is not None:
        return ["no such word", 3]
    bad = [value for value in wrong_type if not (value is None and parameter.optional)]
    bounds = (parameter.range.low, parameter.range.high) if parameter.range else ()
    outside = []
    if bounds and bounds[0] is not None:
        outside.append(parameter.type(bounds[0] - 1))
    if bounds and bounds[1] is not None:
        outside.append(parameter.type(bounds[1] + 1))
    return bad + outside


def some_of(kind, limit=6):
    """A few instances of a registered kind, every valid value at least once."""
    parameters = parameters_of(kind)
    base = {each.name: valid_values(each)[0] for each in parameters if each.required}
    found = [kind.from_params(base)]
    for each in parameters:
        for value in valid_values(each):
            found.append(kind.from_params({**base, each.name: value}))
    return list(dict.fromkeys(found))[: max(limit, 1) * 3]


def modules_of(package):
    """Modules of a package that declare kinds: all but those they stand on."""
    return [
        importlib.import_module(f"{package.__name__}.{info.name}")
        for info in pkgutil.iter_modules(package.__path__)
        if info.name not in SHARED
    ]


def random_tables(n_tables=12, n_rows=30):
    """Small tables of two attributes with three levels, several sizes of class."""
    for seed in range(n_tables):
        rng = np.random.default_rng(seed)
        found = [
            hierarchy_of("x", [[0, 0, 1, 1, 2], [0, 0, 0, 0, 1], [0] * 5]),
            hierarchy_of("y", [[0, 0, 1, 1], [0] * 4]),
        ]
        rows = np.minimum(
            rng.geometric(0.4, (n_rows, 2)) - 1, np.array([4, 3])
        ).tolist()
        yield protected(table_of(found, rows), seed), [tuple(row) for row in rows]


def degenerate_tables():
    """One record, constant, all different, one leaf, one level."""
    plain = hierarchy_of("x", [[0, 0, 1, 1], [0] * 4])
    single = hierarchy_of("y", [[0]])
    flat = hierarchy_of("z", [[0, 1, 2]])
    for each in (
        table_of([plain], [(2,)]),
        table_of([plain], [(1,)] * 50),
        table_of([plain, flat], [(a, b) for a in range(4) for b in range(3)]),
        table_of([single], [(0,)] * 3),
        table_of([single, plain], [(0, 0), (0, 3)]),
    ):
        yield protected(each)
