"""Sentences of an evidence that follow from a decision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from deidgui.app.determination.determination import AllowedRisk
from deidgui.app.events_known import PeopleAtRisk
from deidgui.app.stated import (
    assumption_codes,
    assumption_words,
    comparison_codes,
    overruled_warning,
    sample_warnings,
    warnings_of_decisions,
    warnings_of_policy,
)
from deidgui.engine.evidence.document import Evidence
from deidgui.engine.privacy import PrivacyModel
from deidgui.text import Text, tr

MISSING_WORDS: Mapping[str, Text] = {
    "own_category": (
        "A missing value counts as a value of its own: a record without it matches "
        "only other records without it."
    ),
    "anything": (
        "A missing value matches every value: an attacker who knows the value cannot "
        "rule the record out."
    ),
}

TREATMENT_WORDS: Mapping[str, Text] = {
    "kept": "as it is",
    "pseudonym": "replaced by a keyed code",
    "mask": "every value replaced by *",
    "removed": "not released",
    "left_out": "not released",
}


def left_out_warning(n: int) -> str:
    """Say how many records of the file were not read, by a person's word."""
    return tr(
        "{n:record of the file was|records of the file were} left out before "
        "anything was counted: the number of cells was wrong, and a person chose "
        "to leave such records out.",
        n=n,
    )


def orphans_warning(n: int) -> str:
    """Say how many events were left out since they belong to nobody."""
    return tr(
        "Left out before anything was counted, as a person chose: {n:event|events} "
        "that no person in the table of people has.",
        n=n,
    )


_OF_POPULATION = {
    "none": "population_is_the_data",
    "sampling_fraction": "random_sample",
    "modelled": "population_is_modelled",
    "counted": "population_is_right",
}


def expected_assumptions(
    evidence: Evidence, models: Sequence[PrivacyModel | PeopleAtRisk | AllowedRisk]
) -> tuple[tuple[str, ...], bool]:
    """Return the assumptions that follow from other fields, and whether these are all.

    What is assumed of a population follows from its table.
    """
    risk, accepted = evidence.risk, evidence.policy.acceptance
    known = str((risk.population or {}).get("basis", risk.population_known))
    codes = ["quasi_identifiers_complete", "one_record_per_person"]
    codes.append(_OF_POPULATION.get(known, "population_is_right"))
    if evidence.missing.matches == "anything":
        codes.append("missing_matches_anything")
    codes = assumption_codes(codes, models, of_people=evidence.unit.kind == "key")
    if accepted is not None:
        codes += comparison_codes(accepted.by, accepted.baseline)
    return tuple(map(assumption_words, codes)), risk.population is None


def expected_warnings(
    evidence: Evidence, models: Sequence[PrivacyModel | PeopleAtRisk | AllowedRisk]
) -> tuple[tuple[str, ...], bool]:
    """Return the warnings that follow from other fields, and whether these are all."""
    policy, unit = evidence.policy, evidence.unit
    n_taken_over = sum(
        each.taken_over and each.treatment != "left_out" for each in evidence.attributes
    )
    link = evidence.link
    n_orphans = link.orphans + link.keyless if link is not None else 0
    has_conditions = any(each.conditions for each in policy.rounds)
    set_by = evidence.thresholds.set_by
    found = (
        *(overruled_warning(e.words, e.because) for e in evidence.overruled),
        *(left_out_warning(e.left_out) for e in evidence.inputs if e.left_out),
        *([orphans_warning(n_orphans)] if n_orphans else []),
        *sample_warnings(evidence.sample),
        *warnings_of_policy(n_taken_over, models, has_conditions),
        *warnings_of_decisions(
            unit if unit.kind == "key" else None,
            set_by,
            evidence.row_order.kind,
            is_shift_seeded=any(e.key == "seeded" for e in evidence.preparation),
        ),
    )
    return found, evidence.risk.population is None and policy.acceptance is None
