"""How likely somebody tries to re-identify people, and what the data may allow."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from deidgui.engine.determination.questions import LEVELS, Level
from deidgui.errors import ConfigError
from deidgui.text import Text


@dataclass(frozen=True)
class AttemptMatrix:
    """Probabilities of a deliberate attempt, by controls and by motives and capacity.

    Parameters
    ----------
    name : str
        With its version, as it stands in projects and evidence.
    rows : mapping
        By level of the controls; values in [0, 1] for motives and capacity that are
        low, medium and high.
    is_checked : bool
        Whether the table was compared with the publication that it is said to be of.
    """

    name: str
    title: Text
    source: Text
    rows: Mapping[Level, tuple[float, float, float]]
    is_checked: bool

    def probability(self, controls: Level, motives: Level) -> float:
        """Probability of a deliberate attempt (T1)."""
        return self.rows[controls][LEVELS.index(motives)]

    @property
    def worst(self) -> float:
        """Probability where controls are low, and motives and capacity high."""
        return self.probability("low", "high")


_IPC_2016: Text = (
    "Information and Privacy Commissioner of Ontario, De-identification Guidelines for "
    "Structured Data (2016), after El Emam, Guide (2013). Judgements of experts, not "
    "measured frequencies."
)
_REA: Text = (
    "Risk Evaluation Assistant of the Berlin Institute of Health (2026), which calls "
    "it the new method of Ontario. NOT compared with Ontario's guidelines of 2025."
)
_TITLE_2016: Text = "Ontario 2016"
_TITLE_REA: Text = "Risk Evaluation Assistant 2026 (not checked against its source)"

MATRICES: Mapping[str, AttemptMatrix] = {
    each.name: each
    for each in (
        AttemptMatrix(
            "ipc-2016",
            _TITLE_2016,
            _IPC_2016,
            {
                "high": (0.05, 0.1, 0.2),
                "medium": (0.2, 0.3, 0.4),
                "low": (0.4, 0.5, 0.6),
            },
            is_checked=True,
        ),
        AttemptMatrix(
            "rea-2026",
            _TITLE_REA,
            _REA,
            {
                "high": (0.1, 0.3, 0.6),
                "medium": (0.3, 0.6, 0.8),
                "low": (0.6, 0.8, 1.0),
            },
            is_checked=False,
        ),
    )
}


def acquaintance(prevalence: float, people: int, staff: int = 1) -> float:
    """Probability that somebody knows a person of the data by chance (T2).

    Parameters
    ----------
    prevalence : float in [0, 1]
        Share of the population that acquaintances come from with the condition that
        puts somebody into the data.
    people : int, >= 1
        Whom one person knows well enough: 150 to 190 in the literature.
    staff : int, >= 1
        People who see records singly. With more than one this is a figure to be shown
        beside that of one, never instead.

    Returns
    -------
    float in [0, 1]
        1 - (1 - p)^(m·s).

    Raises
    ------
    ConfigError
        Code ``share_out_of_range``.

    References
    ----------
    .. [1] K. El Emam, B. Malin (2015), appendix B of *Sharing Clinical Trial Data*,
       as restated by the Commissioner of Ontario (2016); determination.md 2.1 (4).
    """
    if not 0 <= prevalence <= 1:
        raise ConfigError("share_out_of_range", what="prevalence", value=prevalence)
    if prevalence == 1:
        return 1.0
    return -math.expm1(people * staff * math.log1p(-prevalence))


def any_attempt(attempts: Iterable[float]) -> float:
    """Probability of any attempt if they were independent: a sensitivity figure.

    The probability that decides is the largest one, as in the sources.
    """
    return 1 - math.prod(1 - each for each in attempts)


def allowed_risk(threshold: Fraction | float, attempt: float) -> float:
    """Data risk that a context allows.

    Parameters
    ----------
    threshold : Fraction or float, in (0, 1]
        Largest overall risk.
    attempt : float in [0, 1]
        Pr(attempt).

    Returns
    -------
    float in (0, 1]
        min(1, T / Pr); 1 if nobody attempts.

    References
    ----------
    .. [1] Berlin Institute of Health (2026), *Risk Evaluation Assistant*;
       determination.md 2.1 (8).
    """
    if attempt <= threshold:
        return 1.0
    return float(threshold) / attempt if attempt < 1 else float(threshold)


def overall_risk(attempts: Mapping[str, float], data_risk: float) -> dict[str, float]:
    """Risk by attack: Pr(attempt) times the risk in the data; the largest decides.

    References
    ----------
    .. [1] determination.md 2.1 (1) and (2).
    """
    return {name: attempt * data_risk for name, attempt in attempts.items()}
