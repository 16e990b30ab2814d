"""The k-map model: at least k people of the population for every equivalence class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np

from deidgui.engine.arrays import BoolArray
from deidgui.engine.parameters import Help, Proposed, Range, Unit
from deidgui.engine.privacy.base import LARGEST_K, PRIVACY_MODELS, ClassModel
from deidgui.text import tr

if TYPE_CHECKING:
    from deidgui.engine.data.class_table import EquivalenceClasses


@PRIVACY_MODELS.register
@dataclass(frozen=True)
class KMap(ClassModel):
    """Every released class has at least k people in a counted population.

    Parameters
    ----------
    k : int, in [2, 100000]

    Notes
    -----
    A class of the population only grows when values are generalized, so no class
    that meets the model fails after being merged with any other.

    References
    ----------
    .. [1] L. Sweeney (2001), *Computational disclosure control*, PhD thesis, MIT,
       k-map; methods.md B.5.
    """

    kind = "k_map"
    title = "k-map"
    monotone_generalization = True
    monotone_suppression = True
    needs_population = True
    needs_counted_population = True
    sources = ("Sweeney 2001",)
    assumptions = (
        "quasi_identifiers_complete",
        "one_record_per_person",
        "population_is_right",
    )

    k: Annotated[
        int,
        Range(2, LARGEST_K),
        Proposed(5),
        Unit("people"),
        Help(
            "Smallest group of people",
            "How many people of the population must share the values at least.",
        ),
    ]

    def words(self) -> str:
        """Say in one plain sentence what is true of a release that meets it."""
        return tr(
            "Every released record looks like at least {k:person|people} of the "
            "population.",
            k=self.k,
        )

    def holds(self, classes: EquivalenceClasses) -> BoolArray:
        """Which classes have enough people (see `PrivacyModel.holds`)."""
        return np.asarray(classes.population.sizes >= self.k, dtype=np.bool_)
