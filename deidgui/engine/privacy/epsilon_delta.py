"""(ε, δ)-differential privacy by safe random sampling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from deidgui.engine.parameters import Help, Proposed, Range
from deidgui.engine.privacy.base import PRIVACY_MODELS, ProcessModel
from deidgui.engine.risk.safe_sampling import safe_size, sampling_probability
from deidgui.text import per_cent, tr


@PRIVACY_MODELS.register
@dataclass(frozen=True)
class EpsilonDelta(ProcessModel):
    """(ε, δ)-differential privacy by k-anonymity of a random sample.

    Parameters
    ----------
    epsilon : float in [0.001, 3]
        Most that the logarithm of a probability may change with one person.
    delta : float in [1e-15, 0.5]
        Probability with which it may change by more.

    Notes
    -----
    The model suppresses classes smaller than `k`; that protects only as the last step
    of a process (`ProcessModel`). What must be true of the process besides:

    - Each person was put among the records with a probability of at most
      `most_sampled`, independently of the others.
    - One rule for all, decided without looking at the data, tells what is released
      of a record; a search among several policies looks at them.
    - A class is a set of records that are released alike in every column.
    - Nothing but the records of the large classes is told: not how many others there
      were, nor where they stood.

    Whatever of this shows in the decisions of a project is checked there, and a
    search is refused (`deidgui.app.demands`). What nobody can see in them, the draw of
    the sample and why a level was chosen, is stated among the `assumptions`.

    References
    ----------
    .. [1] N. Li, W. Qardaji, D. Su (2012), *On sampling, anonymization, and
       differential privacy*, ASIACCS, theorem 1; R. Bild, K. Kuhn, F. Prasser (2018),
       *SafePub*, PETS 2018(1); methods.md B.5.
    """

    kind = "epsilon_delta"
    title = "(ε, δ)-differential privacy"
    monotone_generalization = True
    monotone_suppression = True
    sources = ("Li, Qardaji and Su 2012", "Bild, Kuhn and Prasser 2018")
    assumptions = (
        "quasi_identifiers_complete",
        "one_record_per_person",
        "sampled_with_stated_probability",
        "generalization_without_data",
        "only_the_table_is_passed_on",
    )

    epsilon: Annotated[
        float,
        Range(0.001, 3),
        Proposed(1.0),
        Help(
            "Epsilon",
            "How much more likely one person may make a release, as a logarithm; 0 "
            "is not at all.",
        ),
    ]
    delta: Annotated[
        float,
        Range(1e-15, 0.5),
        Proposed(1e-06),
        Help(
            "Delta",
            "With which probability it may be more; below one in the number of people.",
        ),
    ]

    def words(self) -> str:
        """Say in one plain sentence what is true of a release that meets it."""
        return tr(
            "Every released record looks like at least {depth:other|others}, which "
            "is ({epsilon:.4g}, {delta:.4g})-differentially private if each person "
            "was sampled with a probability of at most {most_sampled} and the "
            "levels were decided without looking at the data.",
            depth=self.depth - 1,
            epsilon=self.epsilon,
            delta=self.delta,
            most_sampled=per_cent(self.most_sampled),
        )

    @property
    def most_sampled(self) -> float:
        """Highest probability with which a person may be among the records."""
        return sampling_probability(self.epsilon)

    @property
    def k(self) -> int:
        """Size that every released class must have."""
        return safe_size(self.epsilon, self.delta)

    @property
    def depth(self) -> int:
        """Size that every released class has at least."""
        return self.k
