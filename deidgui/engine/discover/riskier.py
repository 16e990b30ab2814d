"""Who becomes easier to find under one policy than under another?"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from deidgui.engine.arrays import BoolArray, FloatArray, Int32Array
from deidgui.engine.discover.cells import Cells
from deidgui.engine.discover.domain import Domain
from deidgui.engine.discover.wording import NO_VALUE
from deidgui.text import tr

SAME = 1e-9
"""Relative: risks that differ by less are the same figure."""

FEW_RUNS = 3
"""So many runs of values are named one by one."""


@dataclass(frozen=True)
class Riskier:
    """The records that are easier to find.

    Parameters
    ----------
    most, total : float
        By how much the risk of one of them is higher at most, and of all together.
    who : str
        Which values they have; "" if there are none.
    """

    n_records: int
    most: float
    total: float
    # PRIVACY: values of the user's table; never in logs or traces.
    who: str = field(repr=False)


def riskier_records(cells: Cells, own: FloatArray, other: FloatArray) -> Riskier:
    """Compare the risk of each record under two policies.

    Parameters
    ----------
    cells : Cells
        Of all records, by the leaves of their hierarchies.
    own, other : ndarray of float64, shape (n_cells,), each in [0, 1]
        Risk of a record of each combination under the policy that is asked about and
        under the one it is compared with.
    """
    is_riskier = (own > other) & ~np.isclose(own, other, rtol=SAME, atol=0.0)
    records, added = cells.records[is_riskier], (own - other)[is_riskier]
    return Riskier(
        int(records.sum()),
        float(added.max(initial=0.0)),
        float((added * records).sum()),
        who(cells, is_riskier),
    )


def who(cells: Cells, chosen: BoolArray) -> str:
    """Say which values the records of some combinations have.

    Parameters
    ----------
    chosen : ndarray of bool, shape (n_cells,)

    Returns
    -------
    str
        By attribute the values that they have, where these are not all that the
        records have: "age 85 to 87, 90; race Asian, Other".
    """
    if not chosen.any():
        return ""
    texts = []
    for place, domain in enumerate(cells.space.domains):
        values = cells.values[:, place]
        every, own = np.unique(values), np.unique(values[chosen])
        if len(own) < len(every):
            texts.append(f"{domain.attribute} {_values_words(domain, own, every)}")
    return "; ".join(texts) or tr("records with any values")


def _values_words(domain: Domain, own: Int32Array, every: Int32Array) -> str:
    """Name some values of those that the records have."""
    if domain.spans is None:
        if len(own) <= 2 * FEW_RUNS:
            return ", ".join(_name(domain, value) for value in own.tolist())
        return tr("{n} of {all:value|values}", n=len(own), all=len(every))
    places = np.searchsorted(every, own)
    cuts = np.flatnonzero(np.diff(places) > 1) + 1
    runs = [(run[0], run[-1]) for run in np.split(own, cuts)]
    if len(runs) <= FEW_RUNS:
        return ", ".join(_run_words(domain, *run) for run in runs)
    return tr(
        "{n} of {all:value|values} from {first} to {last}",
        n=len(own),
        all=len(every),
        first=_name(domain, int(own[0])),
        last=_name(domain, int(own[-1])),
    )


def _run_words(domain: Domain, first: int, last: int) -> str:
    if first == last:
        return _name(domain, first)
    names = _name(domain, first), _name(domain, last)
    return tr("{first} to {last}", first=names[0], last=names[1])


def _name(domain: Domain, value: int) -> str:
    text = domain.values[value]
    return text if text.strip() else tr(NO_VALUE)
