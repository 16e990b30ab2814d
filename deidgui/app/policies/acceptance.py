"""Why a policy with joined values may be released, and what that is worth now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from deidgui.app.changes import domain_fingerprint
from deidgui.app.charts.formats import risk_texts
from deidgui.app.project import Acceptance, Chosen, Project
from deidgui.errors import DeidError
from deidgui.text import Text, count_words, share_text, tr, unit_words

BASELINES: Mapping[str, Text] = {
    "safe_harbor": "Safe Harbor",
    "policy": "the policy it is compared with",
    "typed": "the threshold that was set",
}
"""What a risk is compared with, in words."""


UNCOUNTED = ("none", "sampling_fraction")
"""Kinds of a population that say nothing about who lives in the region."""


@dataclass(frozen=True)
class PerRecord:
    """How the risk is spread over the records, beside the baseline.

    Parameters
    ----------
    highest, baseline_highest : float
        1 / g^γ of the record that is easiest to link, under policy and baseline.
    n_riskier, n_safer : int
        Records with a higher, and with a lower risk than under the baseline.
    added_sum, added_most : float
        By how much the riskier ones are riskier: together, and one of them at most.
    """

    highest: float
    baseline_highest: float
    n_riskier: int
    n_safer: int
    added_sum: float = 0.0
    added_most: float = 0.0


@dataclass(frozen=True, repr=False)
class Accepted:
    """What the acceptance of a discovered policy is worth now.

    Parameters
    ----------
    acceptance : Acceptance
        As the policy was chosen.
    population : str
        Among whom records are looked up, in words.
    about : {"records", "unnamed", "named"}
        Whether nothing is known beyond the records; and whether `population` is the
        name of one.
    is_modelled : bool
        Whether their numbers are estimates, and no counts.
    risk : float or None
        Sum of 1 / g^γ over the records that are compared under the policy; None if it
        goes by models.
    baseline_risk : float or None
        The same under the baseline, as of now.
    raw_risk : float or None
        The same for the data as they are.
    per_record : PerRecord or None
        None without a baseline that releases every record.
    rule : tuple of (str, str)
        Quasi-identifiers with what the baseline does to each, in words.
    changes_nothing : bool
        Whether the baseline leaves the data as they are, so that the comparison asks
        for nothing.
    doubtful : tuple of str
        Quasi-identifiers of which Safe Harbor was told less than what they look like.
    problems : tuple of DeidError
        Why the policy must not be released, all at once.
    n_left_out : int
        Records that are not compared: nobody in the population could be their person.
    n_possible : int
        Records whose missing values may be anything: they are compared among all
        people that they could be.
    cautious : tuple of float or None
        Sum over all records under the policy and under the baseline; g is at least
        the number of records released alike. None where it is not known.
    n_holding : int or None
        In how many of `N_POPULATIONS` populations drawn around the known one the
        policy stays at or below the baseline, both measured again.
    lacks_population : bool
        Whether it was compared with Safe Harbor without a population of the region.
        By itself such a comparison is no reason for a release.
    by_person : bool
        Whether these records are people, each with one or more rows.
    """

    acceptance: Acceptance
    n_records: int
    population: str = ""
    is_modelled: bool = False
    about: Literal["records", "unnamed", "named"] = "named"
    risk: float | None = None
    baseline_risk: float | None = None
    raw_risk: float | None = None
    per_record: PerRecord | None = None
    rule: tuple[tuple[str, str], ...] = ()
    changes_nothing: bool = False
    doubtful: tuple[str, ...] = ()
    problems: tuple[DeidError, ...] = ()
    n_left_out: int = 0
    n_possible: int = 0
    cautious: tuple[float | None, float | None] = (None, None)
    n_holding: int | None = None
    lacks_population: bool = False
    by_person: bool = False

    @property
    def n_compared(self) -> int:
        """Records that the two sums are about."""
        return self.n_records - self.n_left_out

    @property
    def is_met(self) -> bool:
        """Whether nothing speaks against the release."""
        return not self.problems

    @property
    def difference(self) -> float | None:
        """Risk of the policy minus that of the baseline: 0 or less if acceptable."""
        if self.risk is None or self.baseline_risk is None:
            return None
        return self.risk - self.baseline_risk

    @property
    def is_about_population(self) -> bool:
        """Whether anything is known about the population, beyond the records."""
        return self.about != "records"

    @property
    def basis(self) -> str:
        """Whether the people are counted or modelled."""
        return "modelled" if self.is_modelled else "counted"

    @property
    def words(self) -> str:
        """What was shown, in one sentence for a person who reads the release."""
        if self.acceptance.by == "models":
            return tr(
                "This policy was accepted because every privacy model that was decided "
                "holds and nothing is suppressed."
            )
        baseline = tr(BASELINES[self.acceptance.baseline or "typed"])
        if self.risk is None or self.baseline_risk is None:
            return tr(
                "Whether the risk is no greater than that of {baseline} is unknown.",
                baseline=baseline,
            )
        verb = tr("is") if self.is_met else tr("is NOT shown to be")
        own, limit = risk_texts(self.risk, self.baseline_risk)
        own = f"{own} {self.unit}"
        margin = self.acceptance.margin
        if self.acceptance.baseline == "typed":
            compared = tr(
                "no greater than the threshold that was set: {own} under the policy, "
                "of {limit} that are allowed",
                own=own,
                limit=limit,
            )
        elif margin:
            compared = tr(
                "at least {margin} below that of {baseline} on this data set: {own} "
                "under the policy against {limit} under {baseline}",
                margin=share_text(margin),
                baseline=baseline,
                own=own,
                limit=limit,
            )
        else:
            compared = tr(
                "no greater than that of {baseline} on this data set: {own} under the "
                "policy against {limit} under {baseline}",
                baseline=baseline,
                own=own,
                limit=limit,
            )
        words = tr(
            "The risk of this release {verb} {compared}, of {n}, looked up among "
            "{whose}.",
            verb=verb,
            compared=compared,
            n=count_words(self.n_compared, self.by_person),
            whose=self.whose,
        )
        return " ".join([words, *self._records_not_known])

    @property
    def _records_not_known(self) -> Iterator[str]:
        """Which records are not compared or compared otherwise, and the other sum."""
        if self.n_left_out:
            yield tr(
                "Left out of both figures: {who}, as nobody in the population has "
                "their values.",
                who=count_words(self.n_left_out, self.by_person),
            )
        if self.n_possible:
            yield tr(
                "Looked up among all people that they could be: {who}, as values are "
                "missing.",
                who=count_words(self.n_possible, self.by_person),
            )
        own, baseline = self.cautious
        if (self.n_left_out or self.n_possible) and own is not None:
            texts = risk_texts(*(each for each in (own, baseline) if each is not None))
            yield tr(
                "Over all {n}, with each group without enough people counted as its "
                "own population, the sum is {texts}.",
                n=count_words(self.n_records, self.by_person),
                texts=tr("{own} against {limit}", own=texts[0], limit=texts[1])
                if len(texts) > 1
                else texts[0],
            )

    @property
    def whose(self) -> str:
        """Whose people the risk is about, and whether they are counted."""
        if not self.is_about_population:
            return self.population
        if self.about == "unnamed":
            return f"{self.population} ({self.basis})"
        return tr(
            "the people of {population} ({basis})",
            population=self.population,
            basis=self.basis,
        )

    @property
    def scope(self) -> str:
        """What the comparison is about and what it is not, in sentences."""
        if self.acceptance.by == "models":
            return ""
        unit = unit_words(self.by_person)
        about = (
            tr(
                "the number of right links that somebody who knows these "
                "quasi-identifiers of every one of these people is expected to make"
            )
            if self.acceptance.gamma == 1
            else tr(
                "a sum over all {unit} that weighs how many people look like each",
                unit=unit,
            )
        )
        return tr(
            "It compares {about}, on these {unit} and this population alone. Single "
            "{unit} may be riskier than under the baseline; other columns, other "
            "people and somebody who knows who is in the data are not in it. It is "
            "evidence for a determination by an expert, and no determination by "
            "itself.",
            about=about,
            unit=unit,
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """What whoever reads the comparison must be warned of, as sentences."""
        found = []
        if self.changes_nothing:
            baseline = tr(BASELINES[self.acceptance.baseline or "typed"])
            found.append(
                tr(
                    "On these quasi-identifiers {baseline} changes nothing: to be no "
                    "riskier than that asks for nothing.",
                    baseline=baseline,
                )
            )
        if self.doubtful:
            found.append(
                tr(
                    "For {columns} a person decided that Safe Harbor takes less away "
                    "than these columns look like (ages, ZIP codes, dates): if that is "
                    "wrong, its risk is lower than stated here.",
                    columns=", ".join(self.doubtful),
                )
            )
        if self.acceptance.by == "risk" and not self.is_about_population:
            found.append(
                tr(
                    "Nothing is known about the population: both risks that are "
                    "compared are those of an attacker who knows who is in the data."
                )
            )
        return tuple(found)

    @property
    def unit(self) -> str:
        """What a risk is counted in."""
        if self.acceptance.gamma == 1:
            return tr("expected correct links")
        return tr(
            "(sum of 1 / g^{gamma:g} over the {unit})",
            gamma=self.acceptance.gamma,
            unit=unit_words(self.by_person),
        )


def lacks_population(project: Project, chosen: Chosen) -> bool:
    """Whether a policy was compared with Safe Harbor, and no people are counted.

    A share of the population makes both risks smaller alike: it says nothing about
    who lives in the region.
    """
    acceptance, kind = chosen.acceptance, project.privacy.population.kind
    if acceptance is None or acceptance.baseline != "safe_harbor":
        return False
    return kind in UNCOUNTED


def has_alternative(project: Project) -> bool:
    """Whether the policy that a person chose joins neighbouring values."""
    return project.chosen is not None and bool(project.chosen.bits)


def fits(project: Project) -> bool:
    """Whether the chosen policy is of the values and people that are decided now.

    Only asked of a project that has one that joins neighbouring values.
    """
    chosen = project.chosen
    return chosen is not None and chosen.domains == domain_fingerprint(project)
