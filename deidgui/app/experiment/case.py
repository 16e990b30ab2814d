"""The experiment on a file: what is searched for, and what both searches found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from deidgui import resources
from deidgui.app.experiment.columns import Used, find_columns
from deidgui.app.experiment.options import WEIGHTS, ExperimentOptions
from deidgui.app.experiment.population import MatchedPopulation, match_population
from deidgui.app.loaded import Loaded
from deidgui.app.reading.reading import read_input
from deidgui.engine.arrays import BoolArray
from deidgui.engine.data.class_table import build_class_table
from deidgui.engine.data.table import Column, Table
from deidgui.engine.discover.bit_policy import BitPolicy
from deidgui.engine.discover.cells import Cells, count_cells
from deidgui.engine.discover.clusters import clustered
from deidgui.engine.discover.completion import complete
from deidgui.engine.discover.experiment import Experiment, run_experiment
from deidgui.engine.discover.risk import RiskMeasure
from deidgui.engine.discover.rules import RiskAtMost, Rule
from deidgui.engine.discover.safe_harbor import AGE, Baseline, Element, safe_harbor
from deidgui.engine.discover.space import Space
from deidgui.engine.discover.wording import as_policy, generalizations
from deidgui.engine.policy.words import in_words
from deidgui.engine.population.table import Subject
from deidgui.errors import InputError
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

SAMPLE_AGES_AT = "admission_date"
"""The sample has dates of birth: patients are as old as when they were admitted."""


def case_of_sample(
    options: ExperimentOptions | None = None, *, monitor: Monitor = NULL_MONITOR
) -> ExperimentCase:
    """Prepare the program's own sample (see `case_of_file`).

    Its few ages of more than 100 years are known to be above the last one of the
    tables: that needs nobody's consent.
    """
    options = options or ExperimentOptions()
    if not options.columns and options.ages_at is None:
        options = replace(options, ages_at=SAMPLE_AGES_AT)
    options = replace(options, accepts_mapping=True)
    return case_of_file(resources.sample_path(), options, monitor=monitor)


def case_of_file(
    path: Path,
    options: ExperimentOptions | None = None,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> ExperimentCase:
    """Read a file, find its people, and take the threshold from Safe Harbor.

    Raises
    ------
    DeidError
        As `read_input`, `find_columns`, `match_population` and `RiskMeasure`; and
        InputError ``experiment_nothing_left`` (file, table).
    """
    options = options or ExperimentOptions()
    loaded = read_input(path, monitor=SubMonitor(monitor, 0.0, 0.6))
    used = find_columns(loaded, options)
    monitor.report(0.6, "population")
    population = match_population(used, options)
    kept = _kept(used, population)
    if not kept.any():
        where = {"file": loaded.table.name, "table": options.table}
        raise InputError("experiment_nothing_left", **where)
    whole = population
    if not kept.all():
        # What only the left out records have is none of the values to choose from.
        used = tuple(replace(each, column=_rows(each.column, kept)) for each in used)
        population = match_population(used, options)
    monitor.report(0.8, "classes")
    classes = build_class_table(
        Table(loaded.table.name, tuple(each.column for each in used)),
        population.hierarchies,
        population=population.population.register,
        monitor=SubMonitor(monitor, 0.8, 0.95),
    )
    space = Space(population.domains)
    cells = count_cells(space, classes)
    measure = RiskMeasure(cells, options.gamma, monitor=SubMonitor(monitor, 0.95, 1.0))
    ages = [e.column.name for e in used if e.subject is Subject.AGE]
    baseline = safe_harbor(space, {name: Element(AGE) for name in ages})
    rule = RiskAtMost(measure, baseline.risk(cells, options.gamma))
    facts = _facts(loaded, population, whole, int((~kept).sum()), options)
    reference = example_of(baseline, cells, options.gamma)
    return ExperimentCase(cells, rule, reference, options.gamma, facts)


def _kept(used: Sequence[Used], population: MatchedPopulation) -> BoolArray:
    """Which rows are used."""
    lost = np.zeros(used[0].column.n_rows, dtype=np.bool_)
    for each, left_out in zip(used, population.left_out, strict=True):
        lost |= left_out[each.column.codes]
    return ~lost


def _rows(column: Column, kept: BoolArray) -> Column:
    """Some rows of a column, and only the texts that stand in them."""
    present, codes = np.unique(column.codes[kept], return_inverse=True)
    missing = column.values.gather(column.missing_codes).to_list()
    values = column.values.gather(present)
    return Column(column.name, codes.astype(np.int32), values).with_missing(missing)


def _facts(
    loaded: Loaded,
    population: MatchedPopulation,
    whole: MatchedPopulation,
    n_left_out: int,
    options: ExperimentOptions,
) -> Mapping[str, Any]:
    return {
        "file": loaded.path.name,
        "sha256": loaded.sha256,
        "rows_of_file": loaded.table.n_rows,
        "left_out_records": n_left_out,
        "accepted_mapping": options.accepts_mapping,
        "top_age": options.top_age,
        "population": population.facts,
        "mapping": list(whole.mappings),
    }


@dataclass(frozen=True, eq=False)
class Example:
    """A line of the table of policies.

    Parameters
    ----------
    kind : {"safe_harbor", "one_join", "found"}
        The rule that the threshold was taken from; the least risky policy that
        joins one pair of neighbours of an attribute; or what BPS found, made as
        specific as the threshold allows.
    generalizations : tuple of str
        By attribute, as the paper writes them: "∅", "[52-53] [90-119]".
    risk : float
        Sum of 1 / g^γ over the records; NaN where the rule does not go by it.
    n_alike : int
        Policies found that do the same kind of thing; 0 if it was not found.
    """

    kind: str
    generalizations: tuple[str, ...]
    words: str
    risk: float
    n_alike: int = 0


@dataclass(frozen=True, eq=False, repr=False)
class ExperimentCase:
    """What policies are searched for.

    Parameters
    ----------
    cells : Cells
        Records and people, counted.
    rule : Rule
        Which policies are acceptable; of the space of `cells`.
    reference : Example or None
        What the threshold of the rule was taken from, as a line of the table.
    gamma : float > 0
        How strongly the size of a group protects.
    facts : mapping of str to JSON values
        What it all rests on: file, columns, population, mapping.
    """

    cells: Cells
    rule: Rule
    reference: Example | None = None
    gamma: float = 1.0
    facts: Mapping[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Case {self.cells!r}>"


@dataclass(frozen=True, eq=False, repr=False)
class ExperimentResult:
    """What an experiment found.

    Parameters
    ----------
    examples : tuple of Example
        The rule first.
    raw_risk, least_risk : float
        Of the most specific and of the most general policy.
    """

    case: ExperimentCase
    options: ExperimentOptions
    experiment: Experiment
    examples: tuple[Example, ...]
    raw_risk: float
    least_risk: float

    def __repr__(self) -> str:
        return f"<Outcome of {self.options}>"

    @property
    def every_policy_acceptable(self) -> bool:
        """Whether nothing needs to be generalized, so that nothing is searched."""
        return self.experiment.bps.every_policy_acceptable


def run_case(
    case: ExperimentCase,
    options: ExperimentOptions | None = None,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> ExperimentResult:
    """Search with both methods, and choose examples of what they found.

    Returns
    -------
    Outcome
        The same for the same seed, apart from the seconds.

    Raises
    ------
    InfeasibleError
        Codes ``no_acceptable_policy`` (threshold, least) or
        ``no_policy_meets_models``.
    """
    options = options or ExperimentOptions()
    rule, weights = case.rule, WEIGHTS[options.weights]
    # Compiled code is loaded now, so that no iteration pays for it.
    run_experiment(rule, 1, weights=weights, monitor=SubMonitor(monitor, 0.0, 0.05))
    experiment = run_experiment(
        rule,
        options.iterations,
        seed=options.seed,
        weights=weights,
        monitor=SubMonitor(monitor, 0.05, 0.85),
    )
    examples = tuple(_examples(case, experiment, SubMonitor(monitor, 0.9, 1.0)))
    walk, space = rule.walk(), rule.space
    raw = walk.judge(space.bits_of(space.bottom())).risk
    walk.restart()
    least = walk.judge(space.bits_of(space.top())).risk
    return ExperimentResult(case, options, experiment, examples, raw, least)


def _examples(
    case: ExperimentCase, experiment: Experiment, monitor: Monitor
) -> Iterator[Example]:
    if case.reference is not None:
        yield case.reference
    if experiment.bps.every_policy_acceptable:
        return
    yield from _single_joins(case, monitor)
    found = [each.policy for each in experiment.bps.non_dominated]
    clusters = clustered(found)
    nearest = [found[cluster.example] for cluster in clusters]
    completed = complete(case.rule, nearest, monitor=SubMonitor(monitor, 0.5, 1.0))
    for cluster, each in zip(clusters, completed.found, strict=True):
        yield _example("found", each.policy, each.risk, len(cluster.members))


def example_of(baseline: Baseline, cells: Cells, gamma: float) -> Example:
    """Return Safe Harbor as a line of the table.

    Parameters
    ----------
    cells : Cells
        Of the same space, in interval mode.
    gamma : float > 0
    """
    risk, bits = baseline.risk(cells, gamma), baseline.bits
    # Ages from 90 on are neighbours, and all else is kept.
    assert bits is not None
    return _example("safe_harbor", BitPolicy(baseline.space, bits), risk)


def _single_joins(case: ExperimentCase, monitor: Monitor) -> Iterator[Example]:
    """By attribute, the least risky acceptable policy that joins one thing only."""
    space, walk = case.rule.space, case.rule.walk()
    bottom = BitPolicy(space, space.bottom())
    best: dict[int, tuple[float, BitPolicy]] = {}
    places = space.splits.can_join(bottom.splits).tolist()
    for number, place in enumerate(places):
        monitor.report(0.5 * number / len(places), "policies")
        splits = bottom.splits.copy()
        splits[place] = False
        policy = BitPolicy(space, splits)
        walk.restart()
        verdict = walk.judge(policy.bits)
        attribute = int(space.attribute_of_split[place])
        known = best.get(attribute)
        if verdict.accepted and (known is None or verdict.risk < known[0]):
            best[attribute] = verdict.risk, policy
    for _, (risk, policy) in sorted(best.items()):
        yield _example("one_join", policy, risk)


def _example(kind: str, policy: BitPolicy, risk: float, n_alike: int = 0) -> Example:
    words = in_words(as_policy(policy))
    return Example(kind, generalizations(policy), words, risk, n_alike)
