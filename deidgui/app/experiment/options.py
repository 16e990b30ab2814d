"""What a person decides about the experiment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from deidgui.engine.discover.bps import UNWEIGHTED, WEIGHTED, Weights
from deidgui.errors import ConfigError

WEIGHTS: Mapping[str, Weights] = {
    "both": WEIGHTED,
    "size": Weights(by_use=False),
    "use": Weights(by_size=False),
    "none": UNWEIGHTED,
}
"""How BPS draws what it joins, by the name that is written into results."""

MOST_ITERATIONS = 10_000
"""What is non-dominated among more policies would take minutes to tell."""

DEFAULT_TABLE, DEFAULT_STATE = "states_2000_modelled", "Tennessee"
"""The people of the paper; their cells are modelled from margins of that census."""


@dataclass(frozen=True)
class ExperimentOptions:
    """How both searches run, on which columns, among which people.

    Parameters
    ----------
    iterations : int in [1, 10,000]
        Policies that each method looks for.
    seed : int, >= 0
    weights : {"both", "size", "use", "none"}
        Of BPS.
    gamma : float > 0
        How strongly the size of a group protects.
    table : str
        Name of a built-in table of the population.
    state : str
        For tables of states.
    columns : mapping of str to str
        Column by subject: "sex", "race", "age" or "origin".
    age_unit : str or None
        Column with the unit of the ages: years, months, days.
    ages_at : str or None
        Where a date of birth stands for the age: the column with the day at which
        the age counts, or that day as YYYY-MM-DD.
    top_age : {"exact", "open"}
        What the highest age is if it seems to stand for all above.
    accepts_mapping : bool
        Whether doubts and values without a counterpart were looked at.
    leaves_out : bool
        Whether records with such values, and with missing ones, are left out.

    Raises
    ------
    ConfigError
        Codes ``discovery_iterations`` (found), ``experiment_iterations`` (found,
        limit), ``experiment_seed`` (found), ``experiment_weights`` (found, known) or
        ``experiment_top_age`` (found).
    """

    iterations: int = 100
    seed: int = 0
    weights: str = "both"
    gamma: float = 1.0
    table: str = DEFAULT_TABLE
    state: str = DEFAULT_STATE
    columns: Mapping[str, str] = field(default_factory=dict)
    age_unit: str | None = None
    ages_at: str | None = None
    top_age: str = "exact"
    accepts_mapping: bool = False
    leaves_out: bool = False

    def __post_init__(self) -> None:
        if self.iterations < 1:
            raise ConfigError("discovery_iterations", found=self.iterations)
        if self.iterations > MOST_ITERATIONS:
            raise ConfigError(
                "experiment_iterations", found=self.iterations, limit=MOST_ITERATIONS
            )
        if self.seed < 0:
            raise ConfigError("experiment_seed", found=self.seed)
        if self.weights not in WEIGHTS:
            known = tuple(WEIGHTS)
            raise ConfigError("experiment_weights", found=self.weights, known=known)
        if self.top_age not in ("exact", "open"):
            raise ConfigError("experiment_top_age", found=self.top_age)
