"""How are a policy's figures stated to whoever reads the release?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from deidgui.app.measuring.measuring import Measured
from deidgui.app.policies.acceptance import Accepted
from deidgui.app.policies.lattice.policies import LatticePolicies
from deidgui.app.project import PreferenceChoice, Project
from deidgui.engine.evidence.document import Model
from deidgui.engine.evidence.evidence import ReleaseFigures
from deidgui.engine.risk import AttackerRisk, RiskFigures
from deidgui.text import Text, tr

ASSUMPTIONS: Mapping[str, Text] = {
    "quasi_identifiers_complete": (
        "What an adversary could know about a person is among the quasi-identifiers."
    ),
    "one_record_per_person": "Every person has at most one record in the table.",
    "random_sample": (
        "The records are a simple random sample of the population: figures for the "
        "journalist and the marketer are estimates."
    ),
    "population_is_the_data": (
        "Nothing is known about the population: the journalist's risk is taken to be "
        "the prosecutor's."
    ),
    "population_is_right": (
        "The population that is stated is the one in which an adversary would look, "
        "and holds everybody in the data."
    ),
    "population_is_modelled": (
        "The people of the population are MODELLED, not counted: figures for the "
        "journalist and the marketer, and any comparison with a rule by its people, "
        "are estimates. The population that is stated is "
        "the one in which an adversary would look, and holds everybody in the data."
    ),
    "sampled_at_random": (
        "Everybody in the population had the same chance to be among the records."
    ),
    "sampled_with_stated_probability": (
        "Each person of the population was put among the records by chance, "
        "independently of the others, with at most the stated probability. The program "
        "has compared the share that a person stated with it; it has not seen the draw."
    ),
    "generalization_without_data": (
        "The hierarchies and the level of each were decided without looking at the "
        "data. The program has seen that one policy alone was allowed; it cannot see "
        "why that one."
    ),
    "only_the_table_is_passed_on": (
        "Of this folder only the released table is passed on: this evidence, the "
        "report and the mapping state exact facts about the sample."
    ),
    "table_shares_are_known": (
        "How common each sensitive value is in the whole table is no secret: only what "
        "a group of records tells beyond that is limited."
    ),
    "links_by_chance": (
        "Risks are compared for an adversary who knows these quasi-identifiers of "
        "everybody in the population and takes one of those who fit a record, each "
        "with the same chance."
    ),
    "rule_on_quasi_identifiers": (
        "The Safe Harbor rule is applied to the quasi-identifiers alone, as a person "
        "said which of them are ages, ZIP codes, dates or none of these. The "
        "identifiers that it removes besides are taken not to be in other columns."
    ),
    "missing_matches_anything": (
        "A missing value matches every value, for all risk figures."
    ),
}
"""What figures rest on, in sentences."""


def risk_json(figures: RiskFigures | None) -> dict[str, Any]:
    """Return risk figures as JSON values, as evidence states them."""
    if figures is None:
        none = _attacker_json(None)
        attackers = {"prosecutor": none, "journalist": none, "marketer": none}
        return {**attackers, "records": 0, "classes": 0}
    return {
        "prosecutor": _attacker_json(figures.prosecutor),
        "journalist": _attacker_json(figures.journalist),
        "marketer": {**_attacker_json(None), "average": figures.marketer},
        "records": figures.n_records,
        "classes": figures.n_classes,
        "smallest_class": figures.smallest_class,
        "uniques": figures.uniques,
    }


def _attacker_json(figures: AttackerRisk | None) -> dict[str, Any]:
    names = ("highest", "average", "at_risk", "records_at_risk")
    return {name: getattr(figures, name, None) for name in names}


def figures_for_evidence(
    project: Project, measured: Measured, found: LatticePolicies | None
) -> ReleaseFigures:
    """Return the figures as the evidence states them.

    Parameters
    ----------
    found : LatticePolicies or None
        None only for a discovered policy, which need not have been searched.
    """
    population = project.privacy.population
    is_estimated = measured.before.population == "estimated"
    risk = {
        **risk_json(measured.after),
        "before": risk_json(measured.before),
        "threshold": project.privacy.threshold.at_risk,
        "population_known": population_known(project, measured.before),
        "sampling_fraction": population.sampling_fraction if is_estimated else None,
        "population": measured.people.to_json() if measured.people else None,
        "population_files": dict(measured.people.files) if measured.people else {},
    }
    return ReleaseFigures(
        models=[
            Model(
                **verdict.model.to_json(),
                satisfied=verdict.satisfied,
                words=verdict.model.words(),
            )
            for verdict in measured.verdicts
        ],
        risk=risk,
        quality={
            figure.measure.kind: {
                **figure.measure.params,
                "value": figure.value,
                "words": f"{tr(figure.measure.title)}: {figure.measure.words()}",
                "by_attribute": dict(figure.by_attribute),
            }
            for figure in measured.quality
        },
        search=search_facts(project, measured, found),
        safe_harbor=safe_harbor_facts(measured.accepted),
        acceptance=acceptance_facts(measured.accepted),
        assumptions=assumptions(project, measured),
        warnings=warnings(project, measured),
    )


def search_facts(
    project: Project, measured: Measured, found: LatticePolicies | None
) -> dict[str, Any]:
    """Say how the policy was found (see `document.Search`)."""
    if measured.accepted is not None:
        return _discovery_facts(project)
    assert found is not None, "a policy of the lattice was searched"
    return {
        "method": project.search.method,
        "seed": project.search.seed,
        "nodes": found.n_nodes,
        "checked": found.n_checked,
        "complete": found.complete,
        # A stopped search does not know whether a better policy exists.
        "is_optimum": measured.is_optimum and found.complete,
        "rounds": len(measured.chosen_policy.rounds),
    }


def _discovery_facts(project: Project) -> dict[str, Any]:
    """How the chosen alternative was discovered, as was noted when it was chosen.

    Settings of now may be others: they are not stated.
    """
    chosen = project.chosen
    assert chosen is not None, "an alternative is chosen by a person"
    # Nobody knows of a best one among policies that keep different things.
    facts = {"complete": False, "is_optimum": False, "mode": chosen.kind}
    known = chosen.found_by
    if known is None:
        return {"method": "discovery", **facts}
    settings = known.model_dump(exclude={"method", "seed", "preferences", "complete"})
    return {
        **facts,
        "method": f"discovery_{known.method}",
        "seed": known.seed,
        "checked": known.evaluated,
        **{name: value for name, value in settings.items() if value is not None},
        "came_to_its_end": known.complete,
        "demanded": [_preference_words(each) for each in known.preferences],
    }


def _preference_words(preference: PreferenceChoice) -> str:
    """What was demanded, without a value of the data."""
    name = preference.attribute
    if preference.places:
        return tr(
            "{name}: {n:value|values} as they are", name=name, n=len(preference.places)
        )
    if preference.low is None and preference.high is None:
        return tr("{name} as it is", name=name)
    if preference.high is None:
        return tr("{name} from {low:g} as it is", name=name, low=preference.low)
    if preference.low is None:
        return tr("{name} to {high:g} as it is", name=name, high=preference.high)
    return tr(
        "{name} from {low:g} to {high:g} as it is",
        name=name,
        low=preference.low,
        high=preference.high,
    )


def acceptance_facts(accepted: Accepted | None) -> dict[str, Any] | None:
    """Why a discovered policy is acceptable (see `document.Acceptance`).

    Returns
    -------
    dict or None
        JSON values; None if the policy was not discovered.
    """
    if accepted is None:
        return None
    return {**accepted.acceptance.model_dump(), "words": accepted.words}


def safe_harbor_facts(accepted: Accepted | None) -> dict[str, Any] | None:
    """How a discovered policy stands to its baseline (see `document.SafeHarbor`).

    Returns
    -------
    dict or None
        JSON values; None if no risks were compared.
    """
    if accepted is None or accepted.risk is None:
        return None
    acceptance = accepted.acceptance
    return {
        "baseline": acceptance.baseline,
        "gamma": acceptance.gamma,
        "baseline_risk": accepted.baseline_risk,
        "policy_risk": accepted.risk,
        "difference": accepted.difference,
        "raw_risk": accepted.raw_risk,
        "records": accepted.n_records,
        "population": accepted.population,
        "basis": accepted.basis,
        "rule": dict(accepted.rule),
        "words": accepted.words,
        "scope": accepted.scope,
        "per_record": asdict(accepted.per_record) if accepted.per_record else None,
    }


def population_known(project: Project, figures: RiskFigures) -> str:
    """Return what the journalist's and marketer's figures are about.

    A table of the population that was decided on but not counted yet must not make
    figures of the data look like counts.
    """
    known = {"none": "none", "estimated": "sampling_fraction"}
    return known.get(figures.population, project.privacy.population.kind)


def assumptions(project: Project, measured: Measured) -> list[str]:
    """Return what the figures rest on, as sentences: all about the population too."""
    codes = list(measured.before.assumptions)
    for model in project.privacy.models:
        codes += [code for code in model.assumptions if code not in codes]
    codes += _comparison_assumptions(measured.accepted)
    about_people = measured.people.sentences() if measured.people else ()
    return [*(_assumption(code) for code in codes), *about_people]


def _assumption(code: str) -> str:
    return tr(ASSUMPTIONS[code]) if code in ASSUMPTIONS else code.replace("_", " ")


def _comparison_assumptions(accepted: Accepted | None) -> tuple[str, ...]:
    if accepted is None or accepted.acceptance.by != "risk":
        return ()
    is_rule = accepted.acceptance.baseline == "safe_harbor"
    return ("links_by_chance", *(["rule_on_quasi_identifiers"] if is_rule else []))


def warnings(project: Project, measured: Measured) -> list[str]:
    """Return what a reader of the evidence must be warned of, as sentences."""
    found: list[str] = []
    open_roles = [a.name for a in project.attributes if a.include and not a.confirmed]
    if open_roles:
        found.append(
            tr(
                "The roles of {n:column|columns} were proposed by the program and not "
                "confirmed by a person.",
                n=len(open_roles),
            )
        )
    unvetted = [tr(v.model.title) for v in measured.verdicts if not v.model.vetted]
    if unvetted:
        found.append(
            tr(
                "Not yet checked by a second person against their sources: {models}.",
                models=", ".join(unvetted),
            )
        )
    policy = measured.policy
    if policy is not None and policy.later and policy.conditions:
        found.append(
            tr(
                "Local recoding with requirements beyond the size of groups: whoever "
                "knows that a group was large enough for one round, and finds it "
                "released by a later one, learns that it did not meet another "
                "requirement as it was."
            )
        )
    unmet = [tr(v.model.title) for v in measured.verdicts if not v.satisfied]
    if measured.is_accepted_by_risk and unmet:
        found.append(
            tr(
                "The policy was accepted by comparing its risk with a baseline. These "
                "privacy models are reported and do not hold: {models}.",
                models=", ".join(unmet),
            )
        )
    if measured.accepted is not None:
        found += measured.accepted.warnings
    if measured.people is not None:
        found += measured.people.warnings()
    if not project.privacy.threshold.set_by:
        found.append(tr("It is not recorded who set the thresholds."))
    if project.export.shuffle and project.export.shuffle_seed is not None:
        found.append(
            tr(
                "The order of rows was drawn from a fixed seed: whoever knows it can "
                "restore the original order."
            )
        )
    if not project.export.shuffle:
        found.append(tr("The rows are in the order of the input."))
    return found
