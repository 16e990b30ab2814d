"""The δ-presence model: limits how surely somebody is known to be in the data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np

from deidgui.engine.arrays import BoolArray, IntArray
from deidgui.engine.parameters import PER_CENT, Help, Options, Proposed, Range
from deidgui.engine.privacy.base import PRIVACY_MODELS, ClassModel
from deidgui.engine.privacy.rounding import TOLERANCE
from deidgui.errors import ConfigError
from deidgui.text import tr

if TYPE_CHECKING:
    from deidgui.engine.data.class_table import EquivalenceClasses


@PRIVACY_MODELS.register
@dataclass(frozen=True)
class DeltaPresence(ClassModel):
    """For everybody in the population, Pr(among the records) is within bounds.

    It is (records of the class) / (people of the class), for people of classes
    without a record 0.

    Parameters
    ----------
    dmin : float in [0, dmax]
    dmax : float in [0, 1]
    absent : {"counted", "ignored"}
        Whether people whom no record looks like count. If so and `dmin` is above
        0, a node with such people is no solution: suppressing does not help.

    Raises
    ------
    ConfigError
        Code ``parameter_range`` if `dmin` is above `dmax`.

    Notes
    -----
    Suppressing a class is taken to end what is told about its people, as in
    methods.md B.5. ARX does not look at classes without a record as soon as some
    other model asks for a size; that is "ignored" here, and never silent.

    References
    ----------
    .. [1] M. E. Nergiz, M. Atzori, C. Clifton (2007), *Hiding the presence of
       individuals from shared databases*, SIGMOD, definition 1; methods.md B.5.
    """

    kind = "delta_presence"
    title = "δ-presence"
    # People without a record may join a class: its share falls below `dmin`.
    monotone_generalization = False
    monotone_suppression = False
    needs_population = True
    needs_counted_population = True
    sources = ("Nergiz, Atzori and Clifton 2007",)
    assumptions = ("quasi_identifiers_complete", "population_is_right")

    dmin: Annotated[
        float,
        Range(0, 1),
        PER_CENT,
        Help(
            "Lowest probability",
            "How likely it must be at least that a person is in the data.",
        ),
    ] = 0.0
    dmax: Annotated[
        float,
        Range(0, 1),
        Proposed(0.5),
        PER_CENT,
        Help(
            "Highest probability",
            "Maximum probability that a person is in the data.",
        ),
    ] = 1.0
    absent: Annotated[
        str,
        Options(("counted", "ignored")),
        Help(
            "People who are not in the data",
            "Whether the lowest probability holds for people, too, who look like "
            "nobody in the data.",
        ),
    ] = "counted"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.dmin > self.dmax:
            raise ConfigError(
                "parameter_range",
                model=self.kind,
                parameter="dmin",
                allowed=str(Range(0, self.dmax)),
            )

    def words(self) -> str:
        """Say in one plain sentence what is true of a release that meets it."""
        who = (
            "anybody" if self.absent == "counted" else tr("anybody a record looks like")
        )
        return tr(
            "For {who} in the population, the probability to be among "
            "the records is between {dmin:.4g} and {dmax:.4g}.",
            who=who,
            dmin=self.dmin,
            dmax=self.dmax,
        )

    def holds(self, classes: EquivalenceClasses) -> BoolArray:
        """Which classes are within the bounds (see `PrivacyModel.holds`)."""
        share = classes.counts / classes.population.sizes
        return np.asarray(
            (share >= self.dmin - TOLERANCE) & (share <= self.dmax + TOLERANCE)
        )

    def is_possible(self, classes: EquivalenceClasses) -> bool:
        """Whether everybody's class has a record, if that is asked for."""
        if self.dmin <= TOLERANCE or self.absent == "ignored":
            return True
        return classes.population.n_empty == 0

    def most_released(self, classes: EquivalenceClasses) -> IntArray:
        """Most records of each class (see `PrivacyModel.most_released`).

        A class of f records and F people above `dmax` consists, at a less general
        node, of suppressed and released ones; if w records are suppressed there, at
        least w people are, so f - w <= dmax (F - w), and w >= (f - dmax F) /
        (1 - dmax). Without suppressed records one part of it is above `dmax`, too.

        Of one below `dmin` the people who look like none of its records in every
        attribute may be anywhere; all others stay with a record. So the combinations c
        of what is released sum to f_c - dmin F_c >= 0: `kernels.least_below`, for
        which those with the lowest shares are suppressed first. If everybody without a
        record counts, the node is no solution or one part of the class is below
        `dmin`, too, with a record of its own (mediant).
        """
        from deidgui.engine.privacy.kernels import least_below

        counts, population = classes.counts, classes.population.sizes
        dmax, dmin = self.dmax + TOLERANCE, self.dmin - TOLERANCE
        gone = np.zeros(len(counts))
        if dmax < 1:
            gone = np.maximum(
                gone, np.ceil((counts - dmax * population) / (1 - dmax) - 1e-9)
            )
        if dmin > 0:
            table = classes.class_table
            least = least_below(
                classes.of_combination,
                len(counts),
                table.counts,
                table.people_alike(),
                table.rarest_first,
                dmin,
            )
            gone = np.maximum(gone, least)
            if self.absent == "counted":
                gone = np.maximum(gone, counts < dmin * population)
        return counts - np.minimum(gone, counts).astype(np.int64)
