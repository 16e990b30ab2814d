"""Scores of detections, from the evidence of name and values."""

from __future__ import annotations

import math

from deidgui.engine.detect.roles import Band

REPORTED = 0.35
"""Scores below this are not reported."""

_Z_95 = 1.959963984540054
_NAME_WEIGHT = 0.8
_SPORADIC_BELOW = 0.3


def wilson_lower_bound(n_hits: int, n_trials: int) -> float:
    """Lower bound of the 95 % Wilson interval of a share.

    Parameters
    ----------
    n_hits : int, 0 <= n_hits <= n_trials
    n_trials : int
        0 gives 0.0.

    Returns
    -------
    float in [0, 1]

    References
    ----------
    .. [1] Wilson (1927), *Probable inference, the law of succession, and
       statistical inference*, JASA 22:209-212.
    """
    if n_trials == 0:
        return 0.0
    share, square = n_hits / n_trials, _Z_95**2 / n_trials
    spread = _Z_95 * math.sqrt(share * (1 - share) / n_trials + square / (4 * n_trials))
    return max(0.0, (share + square / 2 - spread) / (1 + square))


def value_score(confidence: float, n_hits: int, n_trials: int) -> float:
    """Score of value hits (methods G.2).

    Parameters
    ----------
    confidence : float in [0, 1]
        How specific one hit is.

    Returns
    -------
    float in [0, 1]
        Confidence times the Wilson bound; a third of that for sporadic hits.
    """
    bound = wilson_lower_bound(n_hits, n_trials)
    return confidence * (bound if bound >= _SPORADIC_BELOW else bound / 3)


def combined_score(name_score: float, values_score: float) -> float:
    """Score of name and values together (methods G.2).

    Parameters
    ----------
    name_score, values_score : float in [0, 1]

    Returns
    -------
    float in [0, 1]
    """
    return 1 - (1 - _NAME_WEIGHT * name_score) * (1 - values_score)


def band_of(score: float) -> Band | None:
    """Band of a score: certain, probable, possible or None (not reported).

    Parameters
    ----------
    score : float in [0, 1]
    """
    if score >= 0.85:
        return Band.CERTAIN
    if score >= 0.6:
        return Band.PROBABLE
    return Band.POSSIBLE if score >= REPORTED else None
