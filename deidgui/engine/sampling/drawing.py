"""Draws people by chance."""

from __future__ import annotations

import numpy as np

from deidgui.engine.arrays import BoolArray
from deidgui.engine.transform.released import shuffle_order
from deidgui.errors import ConfigError


def draw_people(n_people: int, n_sampled: int, seed: int | None) -> BoolArray:
    """Draw a simple random sample without replacement.

    Parameters
    ----------
    n_sampled : int, in [0, n_people]
    seed : int or None
        None draws from the operating system and cannot be repeated.

    Returns
    -------
    ndarray of bool, shape (n_people,)
        Who is in the sample.

    Raises
    ------
    ConfigError
        Code ``sample_size``.
    """
    if not 0 <= n_sampled <= n_people:
        raise ConfigError("sample_size", n_sampled=n_sampled, n_people=n_people)
    drawn = np.zeros(n_people, np.bool_)
    # PRIVACY: the first of a random order; who could repeat it would know who is in.
    drawn[shuffle_order(n_people, seed)[:n_sampled]] = True
    return drawn
