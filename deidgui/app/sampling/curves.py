"""Risk over the sampling fraction, of the data and of policies, and what meets it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from deidgui.app.classes import Classes
from deidgui.app.policies.candidate import cells_of, short_words
from deidgui.app.policies.decisions import weights_of
from deidgui.app.policies.figures import guiding_figures
from deidgui.app.policies.source import source_of
from deidgui.app.project import Chosen, Project
from deidgui.engine.arrays import FloatArray
from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.policy.policy import Policy
from deidgui.engine.policy.released import released_classes
from deidgui.engine.sampling.curve import (
    FEWEST_FOR_ANALYSIS,
    DetectableEffects,
    SizeCounts,
    average_risk,
    detectable_effects,
    highest_survives,
    largest_sample,
    sample_size,
    simulate,
    suppressed_share,
)
from deidgui.errors import ConfigError
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor
from deidgui.text import Text, per_cent, tr

FRACTIONS = tuple(round(0.05 * step, 2) for step in range(20, 0, -1))
"""Sampling fractions of a curve."""

REPLICATES = 1000

PERCENTILES = (2.5, 97.5)


@dataclass(frozen=True, repr=False, eq=False)
class SampledPolicy:
    """One policy, or the data as they are, before a sample is drawn.

    Parameters
    ----------
    chosen : Chosen or None
        None for the data as they are.
    words : str
        What is released.
    classes : SizeCounts
        Equivalence classes of the whole file under the policy, none suppressed.
    least : int
        Classes with fewer people of the sample are suppressed.
    is_bound : bool
        Whether the policy suppresses by other conditions too, so that risks can only
        be lower than stated.
    loss : float or None
        Of the whole file, by the measure that guides the search.
    """

    chosen: Chosen | None
    words: str = field(repr=False)
    classes: SizeCounts
    least: int = 1
    is_bound: bool = False
    loss: float | None = None

    def average(self, fraction: float) -> float:
        """Average risk of a sample, in closed form, in [0, 1]."""
        n = sample_size(self.classes.n_people, fraction)
        return average_risk(self.classes, n, self.least)

    def survives(self, fraction: float) -> float | None:
        """Chance that the highest risk of the data is that of the sample too.

        Returns
        -------
        float in [0, 1] or None
            None where a policy suppresses small classes of the sample.
        """
        if self.least > 1:
            return None
        n = sample_size(self.classes.n_people, fraction)
        return highest_survives(self.classes, n)

    @property
    def highest(self) -> float:
        """Highest risk in the whole file, in [0, 1]; 0 if nothing is released."""
        sizes = self.classes.sizes[self.classes.sizes >= self.least]
        return 1 / int(sizes[0]) if len(sizes) else 0.0


def data_as_they_are(table: ClassTable) -> SampledPolicy:
    """Return the data without any policy."""
    return SampledPolicy(None, tr("the data as they are"), SizeCounts.of(table.counts))


def sampled_policy(project: Project, classes: Classes, chosen: Chosen) -> SampledPolicy:
    """Return a policy on the whole file, of which samples can be judged.

    Raises
    ------
    ConfigError
        Codes ``sampling_of_rounds`` for local recoding, whose groups another sample
        would change, and those of `policy_of`.
    """
    policy = source_of(chosen).policy_of(chosen, project, classes)
    if not policy.is_by_value:
        raise ConfigError("sampling_of_rounds")
    table = classes.class_table
    figures = guiding_figures(
        policy, table, project.quality.measure, weights_of(project)
    )
    return SampledPolicy(
        chosen,
        short_words(cells_of(policy)),
        _sizes(table, policy),
        max(1, policy.suppress_below),
        bool(policy.conditions),
        figures.loss,
    )


def _sizes(table: ClassTable, policy: Policy) -> SizeCounts:
    return SizeCounts.of(released_classes(table, policy).counts)


@dataclass(frozen=True, repr=False, eq=False)
class Curve:
    """Risk of samples of one policy, by sampling fraction.

    All arrays have shape (n_fractions,), of float64 in [0, 1].

    Parameters
    ----------
    average : ndarray
        In closed form.
    low, high : ndarray
        Percentiles of the average risk of samples that were drawn.
    mean : ndarray
        Mean average risk of these samples, which checks the closed form.
    maximum : ndarray
        Highest risk of a sample, mean of these samples.
    """

    of: SampledPolicy
    fractions: tuple[float, ...]
    average: FloatArray
    low: FloatArray
    high: FloatArray
    mean: FloatArray
    maximum: FloatArray


@dataclass(frozen=True)
class Meeting:
    """The largest sample of a policy whose average risk meets a threshold.

    Parameters
    ----------
    n_sampled : int
        0 if none does.
    fraction : float in [0, 1]
    suppressed : float in [0, 1]
        Share of the sample that the policy is expected to suppress.
    effects : DetectableEffects or None
        What a study of the sample can show; None of fewer than 4 people.
    """

    n_sampled: int
    fraction: float
    average: float
    suppressed: float
    effects: DetectableEffects | None

    @property
    def is_small(self) -> bool:
        """Whether it is smaller than most analyses need."""
        return self.n_sampled < FEWEST_FOR_ANALYSIS


@dataclass(frozen=True, repr=False, eq=False)
class SamplePlan:
    """What samples of the data and of some policies would risk.

    Parameters
    ----------
    curves : tuple of Curve
        The data as they are first.
    by_person : bool
        Whether people are sampled, each with one or more rows.
    n_replicates : int
        Samples drawn for each curve.
    """

    curves: tuple[Curve, ...]
    by_person: bool
    n_replicates: int
    seed: int

    @property
    def n_people(self) -> int:
        """People of the file, or records where each is a person."""
        return self.curves[0].of.classes.n_people

    @cached_property
    def _met(self) -> dict[tuple[int, float], Meeting]:
        return {}

    def meeting(self, place: int, threshold: float) -> Meeting:
        """Return the largest sample of one curve that meets a threshold.

        Parameters
        ----------
        threshold : float in (0, 1]
            Of the average risk.

        Raises
        ------
        ConfigError
            Code ``sampling_threshold``.
        """
        key = (place, threshold)
        if key not in self._met:
            self._met[key] = meeting(self.curves[place].of, threshold)
        return self._met[key]


def meeting(policy: SampledPolicy, threshold: float) -> Meeting:
    """Return the largest sample of a policy whose average risk meets a threshold.

    Raises
    ------
    ConfigError
        Code ``sampling_threshold``.
    """
    if not 0 < threshold <= 1:
        raise ConfigError("sampling_threshold", threshold=threshold)
    n = largest_sample(policy.classes, threshold, policy.least)
    return Meeting(
        n,
        n / policy.classes.n_people,
        average_risk(policy.classes, n, policy.least),
        suppressed_share(policy.classes, n, policy.least),
        detectable_effects(n) if n >= 4 else None,
    )


def plan_samples(
    project: Project,
    classes: Classes,
    policies: Sequence[Chosen] = (),
    *,
    fractions: Sequence[float] = FRACTIONS,
    n_replicates: int = REPLICATES,
    seed: int | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> SamplePlan:
    """Compute the curves of the data and of policies.

    Parameters
    ----------
    classes : Classes
        Of the whole file.
    policies : sequence of Chosen
        Those that cannot be judged are left out.
    seed : int, optional
        That of the project's search by default.

    Raises
    ------
    ConfigError
        Code ``sampling_fraction``.
    """
    seed = project.search.seed if seed is None else seed
    found = [data_as_they_are(classes.class_table)]
    for each in policies:
        monitor.report(0.0, "samples")
        try:
            found.append(sampled_policy(project, classes, each))
        except ConfigError:
            # Chosen for values or people of earlier decisions, or of several rounds.
            continue
    curves = tuple(
        curve_of(
            each,
            fractions,
            n_replicates,
            seed,
            monitor=SubMonitor(monitor, at / len(found), (at + 1) / len(found)),
        )
        for at, each in enumerate(found)
    )
    by_person = classes.class_table.units is not None
    return SamplePlan(curves, by_person, n_replicates, seed)


def curve_of(
    policy: SampledPolicy,
    fractions: Sequence[float] = FRACTIONS,
    n_replicates: int = REPLICATES,
    seed: int = 0,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> Curve:
    """Compute one curve.

    Raises
    ------
    ConfigError
        Code ``sampling_fraction``.
    """
    sizes = [sample_size(policy.classes.n_people, each) for each in fractions]
    drawn = simulate(
        policy.classes, sizes, n_replicates, seed, least=policy.least, monitor=monitor
    )
    low, high = drawn.percentiles(*PERCENTILES)
    average = [average_risk(policy.classes, n, policy.least) for n in sizes]
    return Curve(
        policy,
        tuple(fractions),
        np.array(average),
        low,
        high,
        drawn.average.mean(axis=0),
        drawn.highest.mean(axis=0),
    )


def finding_words(plan: SamplePlan, place: int, threshold: float) -> str:
    """Say how large a sample of one curve may be for an average risk."""
    met, of = plan.meeting(place, threshold), plan.curves[place].of
    name = of.words if of.chosen is None else tr("policy {place}", place=place)
    facts: dict[str, object] = {"name": name, "limit": per_cent(threshold, 3)}
    if not met.n_sampled:
        return tr(
            "No sample of {name} has an average risk of {limit} or less.", **facts
        )
    facts |= {"n": met.n_sampled, "all": plan.n_people}
    words: Text = (
        "For an average risk of at most {limit}, release at most {share} of {name}: "
        "{n:,} of {all:record|records}."
    )
    if plan.by_person:
        words = (
            "For an average risk of at most {limit}, release at most {share} of "
            "{name}: {n:,} of {all:person|people}."
        )
    return tr(words, share=per_cent(met.fraction, 3), **facts)


def highest_words(curve: Curve, fraction: float, *, by_person: bool) -> str:
    """Say that a sample hardly lowers the highest risk, with this data's figures.

    Parameters
    ----------
    by_person : bool
        As of `SamplePlan`; otherwise records are sampled.
    """
    policy = curve.of
    survives = policy.survives(fraction)
    if survives is None:
        return tr(
            "Classes with fewer than {least} of the sample are suppressed: the highest "
            "risk stays at or below that of the whole file.",
            least=policy.least,
        )
    smallest = int(policy.classes.sizes[0])
    n_classes = int(policy.classes.n_classes[0])
    facts: dict[str, object] = {
        "chance": _chance_text(survives),
        "share": per_cent(fraction, 3),
        "highest": per_cent(1 / smallest, 3),
        "n": n_classes,
        "size": smallest,
    }
    if smallest == 1:
        words: Text = (
            "Sampling hardly lowers the highest risk: {n:record is|records are} "
            "unique, and a sample of {share} has at least one of them with a "
            "probability of {chance}."
        )
        if by_person:
            words = (
                "Sampling hardly lowers the highest risk: {n:person is|people are} "
                "unique, and a sample of {share} has at least one of them with a "
                "probability of {chance}."
            )
        return tr(words, **facts)
    words = (
        "Sampling hardly lowers the highest risk ({highest}): {n:class has|classes "
        "have} only {size:record|records}, and a sample of {share} has at least one of "
        "these with a probability of {chance}."
    )
    if by_person:
        words = (
            "Sampling hardly lowers the highest risk ({highest}): {n:class has|classes "
            "have} only {size:person|people}, and a sample of {share} has at least one "
            "of these with a probability of {chance}."
        )
    return tr(words, **facts)


def _chance_text(chance: float) -> str:
    if 0.9995 <= chance < 1:
        return tr("more than {share}", share=per_cent(0.999))
    return per_cent(chance, 3)
