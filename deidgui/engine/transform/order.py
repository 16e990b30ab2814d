"""In which order the records are released."""

from __future__ import annotations

import os

import numpy as np

from deidgui.engine.arrays import IntArray


def shuffle_order(n_records: int, seed: int | None = None) -> IntArray:
    """Draw a random order of the records.

    Parameters
    ----------
    n_records : int, >= 0
    seed : int or None
        None draws from the operating system and cannot be repeated; a number
        gives the same order again, also to whoever learns it.

    Returns
    -------
    ndarray of int64, shape (n_records,)
        A permutation of 0..n_records-1.

    Notes
    -----
    Without a seed every record gets a random 64-bit key and the keys are sorted.
    Two of ten million keys are equal with a probability below 3e-6, and then
    only the order of these two records follows the input.
    """
    if seed is not None:
        return np.random.Generator(np.random.PCG64(seed)).permutation(n_records)
    # PRIVACY: a predictable order would link released to original records.
    keys = np.frombuffer(os.urandom(8 * n_records), dtype=np.uint64)
    return np.argsort(keys, kind="stable").astype(np.int64, copy=False)
