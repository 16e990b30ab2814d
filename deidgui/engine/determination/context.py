"""What the context of a release allows: attacks, threshold, risk in the data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from deidgui.engine.determination.attempts import (
    MATRICES,
    acquaintance,
    allowed_risk,
    overall_risk,
)
from deidgui.engine.determination.questions import (
    CONTROLS,
    INVASION,
    MOTIVES,
    ContextQuestion,
    Level,
)
from deidgui.engine.determination.scoring import (
    Answers,
    attempt_level,
    controls_level,
    controls_score,
    invasion_level,
    invasion_score,
    missing,
)
from deidgui.engine.determination.thresholds import CAP, OF_LEVEL

ReleaseModel = Literal["public", "semi_public", "non_public"]
Measure = Literal["average", "highest"]

ATTACKS = ("T1", "T2", "T3", "T4")
"""Deliberate attempt, acquaintance, breach, public demonstration."""


@dataclass(frozen=True)
class Context:
    """What people have said about a release; nothing of it is assumed.

    Parameters
    ----------
    release : str or None
        public: anybody; semi_public: terms are accepted, nobody is checked;
        non_public: under an agreement.
    has_agreement : bool
        Whether the agreement is named by a reference.
    answers : mapping of str to str
        By key of the `ContextQuestion`.
    matrix : str or None
        Name among `MATRICES`.
    prevalence : float in [0, 1] or None
    breach_rate : float in [0, 1] or None
        Yearly, of the recipient's sector.
    threshold : Fraction or None
        Chosen by a person; None takes that of the invasion of privacy.
    excluded : frozenset of str
        Attacks that a person holds to be not relevant, with a reason.
    """

    release: ReleaseModel | None = None
    has_agreement: bool = False
    answers: Answers = field(default_factory=dict)
    matrix: str | None = None
    prevalence: float | None = None
    acquaintances: int | None = None
    breach_rate: float | None = None
    threshold: Fraction | None = None
    excluded: frozenset[str] = frozenset()

    @property
    def effective(self) -> ReleaseModel | None:
        """Release model that counts: without an agreement none is non-public."""
        if self.release != "non_public":
            return self.release
        is_bound = self.has_agreement and self.answers.get("C1") not in _UNBOUND
        return "non_public" if is_bound else "semi_public"


_UNBOUND = ("no", "unknown", "does_not_apply")


@dataclass(frozen=True)
class Allowed:
    """A limit of the risk in the data that follows from a context.

    Parameters
    ----------
    limit : float in (0, 1]
    is_cap : bool
        Whether it is the cap of a strict average.
    """

    measure: Measure
    limit: float
    is_cap: bool = False


@dataclass(frozen=True)
class Assessment:
    """What follows from a context, as far as it is known.

    Parameters
    ----------
    release : str or None
        That counts; see `Context.effective`.
    open : tuple of str
        What must be answered for the figures: keys of questions and fields.
    attempts : dict of str to float or None
        Probability by attack, of the attacks that apply; None while it is not known.
    excluded : frozenset of str
        Attacks among them that a person excluded: their figures are shown, and do not
        decide.
    attempt : float or None
        Pr(attempt), the largest of the attacks that are not excluded; None while one
        is not known, or if none is left.
    is_own : bool
        Whether the threshold is a person's own, not that of the invasion of privacy.
    limit : float or None
        Allowed data risk: min(1, T / Pr).
    """

    release: ReleaseModel | None
    open: tuple[str, ...]
    n_asked: int
    score: float | None
    controls: Level | None
    motives: Level | None
    invasion: Level | None
    invasion_points: int | None
    attempts: dict[str, float | None]
    excluded: frozenset[str]
    threshold: Fraction | None
    is_own: bool
    attempt: float | None
    limit: float | None

    @property
    def loosened(self) -> Fraction | None:
        """Threshold of the invasion of privacy that a person's own one is above."""
        if not self.is_own or self.invasion is None or self.threshold is None:
            return None
        usual = OF_LEVEL[self.invasion]
        return usual if self.threshold > usual else None

    @property
    def measure(self) -> Measure:
        """Which risk in the data counts: the average only under an agreement."""
        return "average" if self.release == "non_public" else "highest"

    @property
    def allowed(self) -> tuple[Allowed, ...]:
        """Limits of the data risk; none while anything is open.

        References
        ----------
        .. [1] Information and Privacy Commissioner of Ontario (2016): strict average
           for releases that are not public; determination.md 2.5.
        """
        if self.limit is None:
            return ()
        if self.measure == "highest":
            return (Allowed("highest", self.limit),)
        cap = Allowed("highest", float(CAP), is_cap=True)
        return (Allowed("average", self.limit), cap)

    def overall(self, average: float, highest: float) -> dict[str, float]:
        """Overall risk by attack, of the attacks that are known, excluded ones too.

        Parameters
        ----------
        average, highest : float in [0, 1]
            Risks in the data.
        """
        data_risk = average if self.measure == "average" else highest
        known = {name: each for name, each in self.attempts.items() if each is not None}
        return overall_risk(known, data_risk)

    def largest_overall(self, average: float, highest: float) -> float | None:
        """Overall risk that decides: of the attacks that are not excluded."""
        found = self.overall(average, highest)
        counted = [each for name, each in found.items() if name not in self.excluded]
        return max(counted, default=None)

    def accepts(self, average: float, highest: float) -> bool | None:
        """Whether the risk in the data is within what is allowed; None: not known."""
        if not self.allowed:
            return None
        found = {"average": average, "highest": highest}
        return all(found[e.measure] <= e.limit + 1e-12 for e in self.allowed)


def assess(context: Context) -> Assessment:
    """Return what follows from a context.

    Notes
    -----
    Public: anybody attempts (T4), Pr = 1, the maximum counts. Semi-public: controls
    low, motives and capacity high whatever is answered, besides T2 and T3; the maximum
    counts. Non-public: T1 by the matrix, T2, T3; the strict average counts. A release
    under an agreement that is not named is semi-public. An attack that is excluded
    does not count for Pr; one must remain.

    References
    ----------
    .. [1] Information and Privacy Commissioner of Ontario (2016), steps 3 to 6;
       K. El Emam, B. Malin (2015); determination.md 2.1 to 2.5.
    """
    release, answers = context.effective, context.answers
    controls, motives = controls_level(answers), attempt_level(answers)
    invasion = invasion_level(answers)
    attempts = _attempts(context, controls, motives)
    threshold = context.threshold
    if threshold is None and invasion is not None:
        threshold = OF_LEVEL[invasion]
    excluded = context.excluded & attempts.keys()
    counted = [each for name, each in attempts.items() if name not in excluded]
    known = [each for each in counted if each is not None]
    attempt = max(known) if known and len(known) == len(counted) else None
    limit = None
    if attempt is not None and threshold is not None:
        limit = allowed_risk(threshold, attempt)
    asked, left = _open(context)
    is_scored = controls is not None
    return Assessment(
        release=release,
        open=left,
        n_asked=asked,
        score=controls_score(answers) if is_scored else None,
        controls=controls,
        motives=motives,
        invasion=invasion,
        invasion_points=None if invasion is None else invasion_score(answers),
        attempts=attempts,
        excluded=excluded,
        threshold=threshold,
        is_own=context.threshold is not None,
        attempt=attempt,
        limit=limit,
    )


def _attempts(
    context: Context, controls: Level | None, motives: Level | None
) -> dict[str, float | None]:
    release = context.effective
    if release is None:
        return {}
    if release == "public":
        return {"T4": 1.0}
    matrix = MATRICES[context.matrix] if context.matrix else None
    deliberate = None
    if matrix is not None and release == "semi_public":
        deliberate = matrix.worst
    elif matrix is not None and controls is not None and motives is not None:
        deliberate = matrix.probability(controls, motives)
    chance = None
    if context.prevalence is not None and context.acquaintances is not None:
        chance = acquaintance(context.prevalence, context.acquaintances)
    return {"T1": deliberate, "T2": chance, "T3": context.breach_rate}


FIELDS: Mapping[str, str] = {
    "matrix": "T1",
    "prevalence": "T2",
    "acquaintances": "T2",
    "breach_rate": "T3",
}
"""Numbers and choices that the probability of an attempt needs, with its attack."""

OF_RELEASE: Mapping[ReleaseModel | None, tuple[str, ...]] = {
    None: (),
    "public": ("T4",),
    "semi_public": ("T1", "T2", "T3"),
    "non_public": ("T1", "T2", "T3"),
}
"""Attacks that apply."""


def not_needed(release: ReleaseModel | None) -> frozenset[str]:
    """Return fields and questions from which nothing follows for a release.

    Anybody gets what is public; where nobody is checked, the worst is assumed of
    controls, motives and capacity.

    Parameters
    ----------
    release : str or None
        As it is stated, not as it counts: for a release under an agreement that is
        not named all is asked.

    Returns
    -------
    frozenset of str
        ``agreement``, names of `FIELDS`, and keys of questions.
    """
    if release is None or release == "non_public":
        return frozenset()
    of_recipient = {"agreement", *(each.key for each in (*CONTROLS, *MOTIVES))}
    if release == "public":
        of_recipient |= FIELDS.keys()
    return frozenset(of_recipient)


def _open(context: Context) -> tuple[int, tuple[str, ...]]:
    """How much is asked for this release, and what of it is not answered."""
    asked: dict[str, bool] = {"release": context.release is not None}
    if context.release is not None:
        values: Mapping[str, object] = vars(context)
        known = {"agreement": context.has_agreement}
        known |= _answered(context.answers, *CONTROLS, *MOTIVES)
        known |= {
            name: values[name] is not None
            for name, attack in FIELDS.items()
            if attack not in context.excluded
        }
        idle = not_needed(context.release)
        asked |= {name: said for name, said in known.items() if name not in idle}
    attacks = OF_RELEASE[context.effective]
    if attacks and context.excluded.issuperset(attacks):
        asked["attacks"] = False
    if context.threshold is None:
        asked |= _answered(context.answers, *INVASION)
    return len(asked), tuple(name for name, is_known in asked.items() if not is_known)


def _answered(answers: Answers, *questions: ContextQuestion) -> dict[str, bool]:
    open_ones = missing(questions, answers)
    return {each.key: each.key not in open_ones for each in questions}
