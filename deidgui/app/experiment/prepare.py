"""From a file to what is searched: columns, people, counted cells, threshold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from deidgui.app.demo import sample_path
from deidgui.app.experiment.case import Case, example_of
from deidgui.app.experiment.columns import Used, Wanted, find_columns
from deidgui.app.experiment.people import People, PeopleChoice, match_people
from deidgui.app.loaded import Loaded
from deidgui.app.reading.reading import read_input
from deidgui.engine.arrays import BoolArray
from deidgui.engine.data.class_table import build_class_table
from deidgui.engine.data.table import Column, Table
from deidgui.engine.discover.cells import count_cells
from deidgui.engine.discover.risk import RiskMeasure
from deidgui.engine.discover.rules import RiskAtMost
from deidgui.engine.discover.safe_harbor import AGE, Element, safe_harbor
from deidgui.engine.discover.space import Space
from deidgui.engine.population.table import Subject
from deidgui.errors import InputError
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

SAMPLE_AGES_AT = "admission_date"
"""The sample has dates of birth: patients are as old as when they were admitted."""


@dataclass(frozen=True)
class Setup:
    """What a person chose about the data and the people.

    Parameters
    ----------
    gamma : float > 0
    """

    wanted: Wanted = field(default_factory=Wanted)
    people: PeopleChoice = field(default_factory=PeopleChoice)
    gamma: float = 1.0


def case_of_sample(
    setup: Setup | None = None, *, monitor: Monitor = NULL_MONITOR
) -> Case:
    """Prepare the program's own sample (see `case_of_file`).

    Its few ages of more than 100 years are known to be above the last one of the
    tables: that needs nobody's consent.
    """
    setup = setup or Setup()
    wanted = setup.wanted
    if not wanted.columns and wanted.ages_at is None:
        wanted = replace(wanted, ages_at=SAMPLE_AGES_AT)
    people = replace(setup.people, accepts_mapping=True)
    chosen = replace(setup, wanted=wanted, people=people)
    return case_of_file(sample_path(), chosen, monitor=monitor)


def case_of_file(
    path: Path, setup: Setup | None = None, *, monitor: Monitor = NULL_MONITOR
) -> Case:
    """Read a file, find its people, and take the threshold from Safe Harbor.

    Raises
    ------
    DeidError
        As `read_input`, `find_columns`, `match_people` and `RiskMeasure`; and
        InputError ``experiment_nothing_left`` (file, table).
    """
    setup = setup or Setup()
    loaded = read_input(path, monitor=SubMonitor(monitor, 0.0, 0.6))
    used = find_columns(loaded, setup.wanted)
    monitor.report(0.6, "population")
    people = match_people(used, setup.people)
    kept = _kept(used, people)
    if not kept.any():
        where = {"file": loaded.table.name, "table": setup.people.table}
        raise InputError("experiment_nothing_left", **where)
    whole = people
    if not kept.all():
        # What only the left out records have is none of the values to choose from.
        used = tuple(replace(each, column=_rows(each.column, kept)) for each in used)
        people = match_people(used, setup.people)
    monitor.report(0.8, "classes")
    classes = build_class_table(
        Table(loaded.table.name, tuple(each.column for each in used)),
        people.hierarchies,
        population=people.population.register,
        monitor=SubMonitor(monitor, 0.8, 0.95),
    )
    space = Space(people.domains)
    cells = count_cells(space, classes)
    measure = RiskMeasure(cells, setup.gamma, monitor=SubMonitor(monitor, 0.95, 1.0))
    ages = [e.column.name for e in used if e.subject is Subject.AGE]
    baseline = safe_harbor(space, {name: Element(AGE) for name in ages})
    rule = RiskAtMost(measure, baseline.risk(cells, setup.gamma))
    facts = _facts(loaded, people, whole, int((~kept).sum()), setup)
    reference = example_of(baseline, cells, setup.gamma)
    return Case(cells, rule, reference, setup.gamma, facts)


def _kept(used: Sequence[Used], people: People) -> BoolArray:
    """Which rows are used."""
    lost = np.zeros(used[0].column.n_rows, dtype=np.bool_)
    for each, left_out in zip(used, people.left_out, strict=True):
        lost |= left_out[each.column.codes]
    return ~lost


def _rows(column: Column, kept: BoolArray) -> Column:
    """Some rows of a column, and only the texts that stand in them."""
    present, codes = np.unique(column.codes[kept], return_inverse=True)
    missing = column.values.gather(column.missing_codes).to_list()
    values = column.values.gather(present)
    return Column(column.name, codes.astype(np.int32), values).with_missing(missing)


def _facts(
    loaded: Loaded, people: People, whole: People, n_left_out: int, setup: Setup
) -> Mapping[str, Any]:
    return {
        "file": loaded.path.name,
        "sha256": loaded.sha256,
        "rows_of_file": loaded.table.n_rows,
        "left_out_records": n_left_out,
        "accepted_mapping": setup.people.accepts_mapping,
        "top_age": setup.people.top_age,
        "population": people.facts,
        "mapping": list(whole.mappings),
    }
