"""What an evidence says that released files cannot prove or disprove."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from deidgui.engine.evidence.counts_document import UNCERTAINTY, CountsEvidence
from deidgui.engine.evidence.document import Evidence

Place: TypeAlias = tuple[str | int, ...]
"""Keys and numbers that lead to a value of the JSON."""

UNCHECKED: Mapping[str, tuple[str, ...]] = {
    "people": (
        *("title", "notes", "notes_signed.**"),
        *("thresholds.recipient", "thresholds.justification"),
        *("thresholds.set_by", "quality.*.gs_factor"),
        *("thresholds.suppression_limit", "questions.**"),
        *("overruled.*.because", "overruled.*.by", "overruled.*.on"),
        *("attributes.*.role", "attributes.*.confirmed", "attributes.*.weight"),
        *("attributes.*.key", "policy.withheld", "spreadsheet_safe"),
        *("sample.draw", "preparation.*.key", "context.recipient", "context.purpose"),
        *("context.agreement.**", "context.answers.**", "context.prevalence_of"),
        *("context.attacks.**", "principles.*.replicability"),
        *("principles.*.availability", "principles.*.knowable_by"),
        *("principles.*.sources", "principles.*.because", "principles.*.by"),
        *("principles.*.on", "principles.*.is_proposal"),
        *("context.breach_source", "context.own_threshold_because"),
        *("context.breach_year", "validity.periods.**", "validity.conditions"),
        *("context.signed.**", "validity.signed.**", "thresholds.set_on"),
        *("validity.in_charge", "validity.review_months", "validity.contact"),
        *("dossier.entries.**", "dossier.columns.**"),
        *("dossier.intruder_tests.**",),
        *("dossier.not_applying.**", "dossier.regime", "dossier.edition"),
        *("criteria.compared", "criteria.held_out", "drift"),
        *("criteria.compared.*.name", "criteria.compared.*.by"),
        "criteria.not_measured.held_out",
        *("criteria.compared.*.on", "criteria.held_out.name"),
        *("criteria.held_out.by", "criteria.held_out.on", "drift.by", "drift.on"),
    ),
    "input": (
        *("inputs.*.file", "inputs.*.member", "inputs.*.bytes", "inputs.*.sha256"),
        *("inputs.*.left_out", "link.**"),
        *("attributes.*.type", "attributes.*.missing_as.**", "attributes.*.table"),
        *("attributes.*.missing_records", "attributes.*.height"),
        *("risk.before.**", "class_sizes.before.**", "class_sizes.cumulative.*.before"),
        *("distributions.*.labels.*.withheld", "distributions.*.others.withheld"),
        *("unit.varying.**", "unit.rows_known.**", "sample.people", "sample.rows"),
        *("unit.events.decides.**", "unit.events.*.draws"),
        *("preparation.*.kind", "preparation.*.words.**"),
        *("preparation.*.people_before", "preparation.*.people_after"),
        *("preparation.*.cells_changed", "preparation.*.figures.**"),
        *("preparation.*.rows_before", "preparation.*.rows_after"),
        *("preparation.*.checked.**", "principles.*.input.**"),
    ),
    "population": (
        *("inputs.*.rows", "inputs.*.columns", "risk.population.**"),
        *("risk.population_known", "risk.journalist.**", "risk.marketer.**"),
        *("risk.population_files.**", "safe_harbor.**", "policy.acceptance.**"),
        *("criteria.membership.**", "sensitivity.*.people.**"),
        "sensitivity.*.people.unique.**",
    ),
    "attacks": ("attacks.**",),
    "others": (
        *("criteria.compared.*.sha256", "criteria.compared.*.others"),
        *("criteria.compared.*.dialect.**", "criteria.compared.*.kept.**"),
        *("criteria.compared.*.shared.*.column", "criteria.held_out.sha256"),
        *("criteria.compared.*.shared.*.others.**", "criteria.held_out.key"),
        *("criteria.compared.*.shared.*.unknown", "criteria.held_out.people"),
        "criteria.compared.*.shared.*.wide.**",
        *("criteria.held_out.dialect.**", "criteria.held_out.shared.**"),
        *("criteria.held_out.columns.**", "criteria.held_out.guessed.*.control"),
        *("drift.earlier", "drift.created", "drift.inputs_before.**"),
        *("drift.policy_before", "drift.people_before", "drift.columns.*.cells.*.0"),
        *("drift.columns.*.comparable", "drift.columns.*.rest.0"),
    ),
    "search": ("search.**", "policy.origin", "policy.rounds.**"),
    "program": ("deidgui", "created", "software.**"),
}
"""Fields by the reason why nothing checks them: ``*`` is any name or number, ``**``
all that follows. They may still have to fit other fields (`agreement`)."""


UNCHECKED_OF_COUNTS: Mapping[str, tuple[str, ...]] = {
    "people": (
        *("title", "notes", "notes_signed.**", "noise.threshold", "noise.key"),
        *("noise.refresh", "noise.lockout_repeats", "noise.lockout_days"),
        *("equations", "equations.*.cells", "validity.periods.**"),
        *("validity.conditions", "validity.in_charge", "validity.review_months"),
        *("validity.contact", "validity.signed.**", "questions.**"),
    ),
    "true_counts": (
        *("inputs.**", "outputs.*.masked", "outputs.*.omitted"),
        *("equations.*.words", "audit.**"),
    ),
    "program": ("deidgui", "created", "software.**"),
}
"""The same for tables of counts."""

_OF_POPULATION = (
    *("risk.population_known", "risk.journalist.**", "risk.marketer.**"),
    "sensitivity.*.people.**",
)


def unchecked(evidence: Evidence | CountsEvidence) -> dict[str, tuple[str, ...]]:
    """Return the fields of an evidence that nothing checks, by reason."""
    fields = evidence.model_dump(mode="json")
    ends = list(leaves(fields))
    places = {each[:n] for each in ends for n in range(1, len(each) + 1)}
    if isinstance(evidence, CountsEvidence):
        return {**_of_counts(evidence), "together": ()}
    is_known = evidence.risk.population_known not in ("none", "sampling_fraction")
    has_file = any(each.name == "population" for each in evidence.inputs)
    found = {}
    for reason, patterns in UNCHECKED.items():
        there = tuple(
            each
            for each in patterns
            if any(is_at(place, each) for place in places)
            and (is_known or each not in _OF_POPULATION)
            and (has_file or each not in ("inputs.*.rows", "inputs.*.columns"))
        )
        if there:
            found[reason] = there
    if evidence.policy.rounds:
        # Whether a label that one round shows and another does not is among them.
        found["input"] += ("distributions.*.others",)
    mappings = tuple(each.mapping for each in evidence.attributes if each.mapping)
    found["values"] = (*(each.path for each in evidence.outputs), *mappings)
    # No list of places: any of them, changed with all that it must fit.
    found["together"] = ()
    return found


def _of_counts(evidence: CountsEvidence) -> dict[str, tuple[str, ...]]:
    """Of masked tables nothing but people tells which sums readers know."""
    found = dict(UNCHECKED_OF_COUNTS)
    if evidence.noise is None:
        found["people"] += ("equations.**",)
        found["true_counts"] += ("outputs.*.counts",)
    found["labels"] = tuple(each.path for each in evidence.outputs)
    if evidence.noise is not None:
        found["labels"] += (UNCERTAINTY,)
    return found


def is_at(place: Place, pattern: str) -> bool:
    """Whether a pattern of `UNCHECKED` means a place."""
    steps = pattern.split(".")
    if steps[-1] == "**":
        steps = steps[:-1]
        place = place[: len(steps)]
    return len(place) == len(steps) and all(
        step in ("*", str(at)) for step, at in zip(steps, place, strict=True)
    )


def leaves(value: Any, place: Place = ()) -> Iterator[Place]:
    """Places of all values of a JSON that are no object and no list, or are empty."""
    inside: Sequence[tuple[str | int, Any]] = ()
    if isinstance(value, Mapping):
        inside = list(value.items())
    elif isinstance(value, list | tuple):
        inside = list(enumerate(value))
    if not inside:
        yield place
    for key, each in inside:
        yield from leaves(each, (*place, key))
