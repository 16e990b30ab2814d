"""How well do columns, alone and together, tell the records apart?"""

from __future__ import annotations

from deidgui.engine.arrays import IntArray


def column_distinction(counts: IntArray) -> tuple[float, float]:
    """Distinction and separation of a column, from the records per value.

    Parameters
    ----------
    counts : ndarray of int64, shape (n_values,), each >= 0

    Returns
    -------
    distinction : float in [0, 1]
        Number of different values over number of records.
    separation : float in [0, 1]
        Share of pairs of records that differ; 0 for fewer than two records.

    References
    ----------
    .. [1] Motwani, Xu (2007), *Efficient algorithms for masking and finding
       quasi-identifiers*, definitions 1 and 2.
    """
    n_records = int(counts.sum())
    if n_records == 0:
        return 0.0, 0.0
    distinction = int((counts > 0).sum()) / n_records
    if n_records < 2:
        return distinction, 0.0
    alike = float((counts.astype(float) * (counts - 1)).sum())
    return distinction, 1 - alike / (n_records * (n_records - 1))
