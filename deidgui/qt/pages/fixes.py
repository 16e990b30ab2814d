"""Where is a decision fixed that keeps others from being used?"""

from __future__ import annotations

from deidgui.text import tr

PLACE_OF = {
    "header_undecided": "data",
    "protection_undecided": "data",
    "role_missing": "attributes",
    "role_unconfirmed": "attributes",
    "format_undecided": "data",
    "no_quasi_identifier": "attributes",
    "hierarchy_missing": "hierarchies",
    "sensitive_undecided": "attributes",
    "attribute_not_sensitive": "attributes",
    "sensitive_missing": "attributes",
    "sensitive_hierarchy_missing": "hierarchies",
    "population_missing": "risk/population",
    "population_not_counted": "risk/population",
    "acceptance_lacks_population": "risk/population",
    "no_privacy_model": "risk",
    "blocks_need_model": "risk",
    "no_suppression_limit": "risk/limit",
    "no_suppressed_choice": "export/suppressed",
    "validity_trigger": "risk/validity",
    "validity_ended": "risk/validity",
    "validity_agreement_ended": "risk/context",
    "validity_agreement_not_begun": "risk/context",
    "validity_not_begun": "risk/validity",
    "context_events": "risk",
    "process_columns": "attributes",
    "process_levels": "hierarchies",
    "process_sample_unknown": "risk/population",
    "process_sample_too_large": "risk/population",
    "process_limit": "risk/limit",
    "process_rounds": "policies/plan",
    "process_suppressed": "export",
    "process_order": "export",
    "process_choice": "policies",
}
"""Step by code of an error, with a part of its page behind a slash where there is
one (see `deidgui.qt.pages.base.Page.show_place`)."""


def go_words(place: str) -> str:
    """Return what a button says that leads to a place of `PLACE_OF`."""
    return {
        "data": tr("Go to Data"),
        "attributes": tr("Go to Attributes"),
        "hierarchies": tr("Go to Hierarchies"),
        "risk": tr("Go to Risk and thresholds"),
        "risk/population": tr("Go to the population"),
        "risk/limit": tr("Go to the limit"),
        "risk/validity": tr("Go to the validity"),
        "risk/context": tr("Go to the context"),
        "policies/plan": tr("Go to Policies"),
        "policies": tr("Go to Policies"),
        "export/suppressed": tr("Go to the choice"),
        "export/thresholds": tr("Go to the thresholds"),
        "export/questions": tr("Go to the questions"),
        "export": tr("Go to Preview and export"),
    }[place]
