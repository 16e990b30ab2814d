"""Both searches run on the same records and people: what did they find and cost?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from deidgui.engine.discover.bit_policy import BitPolicy
from deidgui.engine.discover.bps import UNWEIGHTED, WEIGHTED, Weights
from deidgui.engine.discover.cells import Cells
from deidgui.engine.discover.clusters import clustered
from deidgui.engine.discover.completion import complete
from deidgui.engine.discover.experiment import Experiment, run_experiment
from deidgui.engine.discover.rules import Rule
from deidgui.engine.discover.safe_harbor import Baseline
from deidgui.engine.discover.wording import generalizations, in_words
from deidgui.errors import ConfigError
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

WEIGHTS: Mapping[str, Weights] = {
    "both": WEIGHTED,
    "size": Weights(by_use=False),
    "use": Weights(by_size=False),
    "none": UNWEIGHTED,
}
"""How BPS draws what it joins, by the name that is written into results."""


@dataclass(frozen=True, eq=False)
class Example:
    """A line of the table of policies.

    Parameters
    ----------
    kind : {"safe_harbor", "policy", "one_join", "found"}
        The rule, or another policy that the threshold was taken from; the least
        risky policy that joins one pair of neighbours of an attribute; or what BPS
        found, made as specific as the threshold allows.
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
class Case:
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


MOST_ITERATIONS = 10_000
"""What is non-dominated among more policies would take minutes to tell."""


@dataclass(frozen=True)
class Choice:
    """How both searches run.

    Parameters
    ----------
    n_iterations : int in [1, 10,000]
    seed : int, >= 0
    weights : {"both", "size", "use", "none"}
        Of BPS.

    Raises
    ------
    ConfigError
        Codes ``discovery_iterations`` (found), ``experiment_iterations`` (found,
        limit), ``experiment_seed`` (found) or ``experiment_weights`` (found, known).
    """

    n_iterations: int = 100
    seed: int = 0
    weights: str = "both"

    def __post_init__(self) -> None:
        if self.n_iterations < 1:
            raise ConfigError("discovery_iterations", found=self.n_iterations)
        if self.n_iterations > MOST_ITERATIONS:
            raise ConfigError(
                "experiment_iterations", found=self.n_iterations, limit=MOST_ITERATIONS
            )
        if self.seed < 0:
            raise ConfigError("experiment_seed", found=self.seed)
        if self.weights not in WEIGHTS:
            known = tuple(WEIGHTS)
            raise ConfigError("experiment_weights", found=self.weights, known=known)


@dataclass(frozen=True, eq=False, repr=False)
class Outcome:
    """What an experiment found.

    Parameters
    ----------
    examples : tuple of Example
        The rule first.
    raw_risk, least_risk : float
        Of the most specific and of the most general policy.
    """

    case: Case
    choice: Choice
    experiment: Experiment
    examples: tuple[Example, ...]
    raw_risk: float
    least_risk: float

    def __repr__(self) -> str:
        return f"<Outcome of {self.choice}>"

    @property
    def every_policy_acceptable(self) -> bool:
        """Whether nothing needs to be generalized, so that nothing is searched."""
        return self.experiment.bps.every_policy_acceptable


def run_case(
    case: Case, choice: Choice | None = None, *, monitor: Monitor = NULL_MONITOR
) -> Outcome:
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
    choice = choice or Choice()
    rule, weights = case.rule, WEIGHTS[choice.weights]
    # Compiled code is loaded now, so that no iteration pays for it.
    run_experiment(rule, 1, weights=weights, monitor=SubMonitor(monitor, 0.0, 0.05))
    experiment = run_experiment(
        rule,
        choice.n_iterations,
        seed=choice.seed,
        weights=weights,
        monitor=SubMonitor(monitor, 0.05, 0.85),
    )
    for number, each in enumerate((experiment.bps, experiment.directed)):
        # Kept by both: what they found is looked at in the window's own thread.
        monitor.report(0.85 + 0.02 * number, "policies")
        assert len(each.n_non_dominated) >= len(each.distinct)
    examples = tuple(_examples(case, experiment, SubMonitor(monitor, 0.9, 1.0)))
    walk, space = rule.walk(), rule.space
    raw = walk.judge(space.bits_of(space.bottom())).risk
    walk.restart()
    least = walk.judge(space.bits_of(space.top())).risk
    return Outcome(case, choice, experiment, examples, raw, least)


def _examples(
    case: Case, experiment: Experiment, monitor: Monitor
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


def _single_joins(case: Case, monitor: Monitor) -> Iterator[Example]:
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
    return Example(kind, generalizations(policy), in_words(policy), risk, n_alike)
