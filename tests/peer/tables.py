"""How the data of a case becomes a class table."""

import csv
import gzip
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from deidgui.engine.data.class_table import ClassTable, build_class_table
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.data.population import Register
from deidgui.engine.data.table import Column, Table

Case = Mapping[str, Any]
Grid = list[list[str]]


@dataclass(frozen=True)
class Subject:
    """What the models of a case are about.

    Parameters
    ----------
    class_table : ClassTable
        Of the research sample, if there is one: then the whole table is its
        population.
    n_outside : int
        Rows that are not in the sample; the peer shows them as suppressed.
    """

    class_table: ClassTable
    n_outside: int


class Data:
    """Files of a folder, found by name, each read once.

    Parameters
    ----------
    folder : Path
        Searched with all folders below.
    """

    def __init__(self, folder: Path, delimiter: str) -> None:
        self._folder, self._delimiter = folder, delimiter
        self.grid = cache(self._grid)
        self._subjects: dict[Any, Subject] = {}

    def _grid(self, name: str) -> Grid:
        for each in (name, f"{name}.gz"):
            for path in sorted(self._folder.rglob(each)):
                opened = gzip.open if path.suffix == ".gz" else open
                with opened(path, "rt", encoding="utf-8", newline="") as file:
                    return list(csv.reader(file, delimiter=self._delimiter))
        raise FileNotFoundError(f"{name} is in no folder below {self._folder}")

    def rows(self, case: Case) -> Grid:
        """Rows of text of a case's data, the first one the header."""
        return case["data"] if "data" in case else self.grid(case["dataset"])

    def class_table(self, case: Case) -> ClassTable:
        """Class table of a case; of its sample if there is one."""
        return self.subject(case).class_table

    def subject(self, case: Case) -> Subject:
        """Class table of a case, and what is outside of its sample."""
        models = case.get("models", ())
        sensitive = self._sensitive(case, models)
        sample = [self._sample_key(model) for model in models]
        if "data" in case:
            return self._build(case, sensitive)
        hierarchies = sorted(case.get("hierarchies", {}).items())
        key = (case["dataset"], tuple(case["qis"]), tuple(hierarchies))
        # Which tree it is: cases may give an attribute different ones.
        has_tree = [
            (model.get("attribute"), model.get("hierarchyFile"))
            for model in models
            if model.get("attribute")
        ]
        if any(model.get("hierarchy") for model in models):
            return self._build(case, sensitive)
        has_tree += [(name, str(tree is not None)) for name, tree in sensitive.items()]
        key = (*key, tuple(has_tree), tuple(filter(None, sample)))
        if key not in self._subjects:
            self._subjects[key] = self._build(case, sensitive)
        return self._subjects[key]

    def _sample_key(self, model: Mapping[str, Any]) -> Any:
        if "DifferentialPrivacy" in model["type"]:
            return model["epsilon"]
        rows = model.get("subsetRows")
        return model.get("subsetFile") or (tuple(rows) if rows is not None else None)

    def _sensitive(self, case: Case, models: Any) -> dict[str, Hierarchy | None]:
        """Sensitive attributes of the models, with a hierarchy if one is given."""
        found: dict[str, Hierarchy | None] = {}
        for model in models:
            if name := model.get("attribute"):
                found.setdefault(name, None)
                if model.get("hierarchy"):
                    found[name] = Hierarchy.from_grid(name, model["hierarchy"])
                elif model.get("hierarchyFile"):
                    grid = self.grid(model["hierarchyFile"])
                    found[name] = Hierarchy.from_grid(name, grid)
                elif "HierarchicalDistance" in model["type"]:
                    found[name] = self._hierarchy(case, name)
        return found

    def _hierarchy(self, case: Case, name: str) -> Hierarchy:
        """Hierarchy of an attribute; without one, its values as they are."""
        grids = case.get("inlineHierarchies", {})
        if name in grids:
            return Hierarchy.from_grid(name, grids[name])
        if name in case.get("hierarchies", {}):
            return Hierarchy.from_grid(name, self.grid(case["hierarchies"][name]))
        rows = self.rows(case)
        place = rows[0].index(name)
        return Hierarchy.from_grid(
            name, [[x] for x in {row[place] for row in rows[1:]}]
        )

    def _build(self, case: Case, sensitive: Mapping[str, Hierarchy | None]) -> Subject:
        rows = self.rows(case)
        hierarchies = [self._hierarchy(case, name) for name in case["qis"]]
        whole = build_class_table(table_of("peer", rows), hierarchies, sensitive)
        sample = self._sample(case, rows)
        if sample is None:
            return Subject(whole, 0)
        register = Register(whole.leaves, whole.counts)
        chosen = [rows[0], *(rows[1 + number] for number in sample)]
        table = table_of("sample", chosen)
        found = build_class_table(table, hierarchies, sensitive, register)
        return Subject(found, len(rows) - len(chosen))

    def _sample(self, case: Case, rows: Grid) -> list[int] | None:
        """Numbers of the rows in the research sample of a case, if it has one."""
        for model in case.get("models", ()):
            if model.get("subsetRows") is not None:
                return sorted(model["subsetRows"])
            if model.get("subsetFile"):
                return matching_rows(rows[1:], self.grid(model["subsetFile"])[1:])
            if "DifferentialPrivacy" in model["type"]:
                return drawn_rows(len(rows) - 1, -math.expm1(-model["epsilon"]))
        return None


def matching_rows(rows: Iterable[list[str]], wanted: Iterable[list[str]]) -> list[int]:
    """Numbers of rows that are equal to the wanted ones, each row used once."""
    places = defaultdict(list)
    for number, row in enumerate(rows):
        places[tuple(row)].append(number)
    taken: Counter[tuple[str, ...]] = Counter()
    found = []
    for row in map(tuple, wanted):
        found.append(places[row][taken[row]])
        taken[row] += 1
    return sorted(found)


def drawn_rows(n_rows: int, probability: float) -> list[int]:
    """Rows of the peer's tests of differential privacy, drawn with a fixed seed.

    The generator is the linear congruential one of java.util.Random; a number in
    [0, 1) is made of 26 and 27 bits.
    """
    multiplier, mask = 0x5DEECE66D, 2**48 - 1
    state = (0xDEADBEEF - 2**32) & mask ^ multiplier
    found = []
    for row in range(n_rows):
        parts = []
        for bits in (26, 27):
            state = (state * multiplier + 11) & mask
            parts.append(state >> (48 - bits))
        if ((parts[0] << 27) + parts[1]) / 2**53 < probability:
            found.append(row)
    return found


def table_of(name: str, rows: Grid) -> Table:
    """Table of rows of text, the first one the header."""
    header, *records = rows
    columns = zip(header, zip(*records, strict=True), strict=True)
    return Table(name, tuple(Column.from_texts(each, texts) for each, texts in columns))
