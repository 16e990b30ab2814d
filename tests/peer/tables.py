"""How the data of a case becomes a class table."""

import csv
import gzip
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from deidgui.engine.data.class_table import ClassTable, build_class_table
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.data.table import Column, Table
from deidgui.engine.search.profile import Profile, build_profile


class Data:
    """Files of a folder, found by name, each read once.

    Parameters
    ----------
    folder : Path
        Searched with all folders below.
    delimiter : str
    """

    def __init__(self, folder: Path, delimiter: str) -> None:
        self._folder, self._delimiter = folder, delimiter
        self.grid = cache(self._grid)
        self.profile = cache(self._profile)
        self._table = cache(self._read_table)

    def _grid(self, name: str) -> list[list[str]]:
        for each in (name, f"{name}.gz"):
            for path in sorted(self._folder.rglob(each)):
                opened = gzip.open if path.suffix == ".gz" else open
                with opened(path, "rt", encoding="utf-8", newline="") as file:
                    return list(csv.reader(file, delimiter=self._delimiter))
        raise FileNotFoundError(f"{name} is in no folder below {self._folder}")

    def _read_table(self, name: str) -> Table:
        return table_of(name, self.grid(name))

    def class_table(self, case: Mapping[str, Any]) -> ClassTable:
        """Class table of a case's quasi-identifiers."""
        if "data" in case:
            grids = case["inlineHierarchies"]
            table = table_of("inline", case["data"])
            found = [Hierarchy.from_grid(name, grids[name]) for name in case["qis"]]
            return build_class_table(table, found)
        files = case.get("hierarchies", {})
        named = tuple((name, files.get(name)) for name in case["qis"])
        return self.profile(case["dataset"], named).class_table

    def profile_of(self, case: Mapping[str, Any]) -> Profile:
        """Profile of a case's lattice; shared by cases with the same one."""
        if "data" in case:
            return build_profile(self.class_table(case))
        named = tuple((name, case["hierarchies"][name]) for name in case["qis"])
        return self.profile(case["dataset"], named)

    def _profile(
        self, dataset: str, hierarchies: tuple[tuple[str, str], ...]
    ) -> Profile:
        found = [
            Hierarchy.from_grid(name, self.grid(file)) for name, file in hierarchies
        ]
        return build_profile(build_class_table(self._table(dataset), found))


def table_of(name: str, rows: list[list[str]]) -> Table:
    """Table of rows of text, the first one the header."""
    header, *records = rows
    columns = zip(header, zip(*records, strict=True), strict=True)
    return Table(name, tuple(Column.from_texts(each, texts) for each, texts in columns))
