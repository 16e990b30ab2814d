"""How privacy models are offered: their groups, order and explanations."""

from __future__ import annotations

from deidgui.engine.privacy import PRIVACY_MODELS, PrivacyModel
from deidgui.text import tr

GROUPS = ("size", "sensitive", "population", "sample")
"""Kinds of models as the menu offers them."""


def group_of(model: type[PrivacyModel]) -> str:
    """Return the group of a model in the menu: one of `GROUPS`."""
    by_kind = {
        "estimated_k_map": "population",
        "marketer_risk": "population",
        "population_uniqueness": "sample",
        "sample_uniqueness": "sample",
        "epsilon_delta": "sample",
    }
    if model.kind in by_kind:
        return by_kind[model.kind]
    if model.needs_sensitive:
        return "sensitive"
    return "population" if model.needs_population else "size"


def models_of(group: str) -> list[type[PrivacyModel]]:
    """Return the models of a group, simple ones first."""
    known = {kind: place for place, kind in enumerate(_explanations())}
    found = [each for each in PRIVACY_MODELS if group_of(each) == group]
    return sorted(found, key=lambda each: known.get(each.kind, len(known)))


def group_words(group: str) -> str:
    """Return the heading of a group in the menu."""
    return {
        "size": tr("Class sizes"),
        "sensitive": tr("Sensitive values"),
        "population": tr("Population"),
        "sample": tr("Uniqueness and samples"),
    }[group]


def explanation(model: type[PrivacyModel]) -> str:
    """Return one line that says what a model asks for."""
    words = _explanations().get(model.kind)
    return words or model.proposed().words().rstrip(".")


def _explanations() -> dict[str, str]:
    """One line by kind, simple models first."""
    return {
        "k_anonymity": tr("at least k records in every class"),
        "highest_prosecutor_risk": tr("maximum risk of a record"),
        "average_prosecutor_risk": tr("mean risk of the records"),
        "records_at_risk": tr("maximum risk, for most records"),
        "distinct_l_diversity": tr("several different values in every class"),
        "entropy_l_diversity": tr("values evenly distributed in every class"),
        "recursive_cl_diversity": tr("no value too frequent in a class"),
        "equal_t_closeness": tr("distribution in a class close to the file's"),
        "ordered_t_closeness": tr("the same, for ordered values"),
        "hierarchical_t_closeness": tr("the same, by the values' hierarchy"),
        "delta_disclosure": tr("no value much more or less likely in a class"),
        "basic_beta_likeness": tr("no value much more likely in a class"),
        "enhanced_beta_likeness": tr("the same, stricter for frequent values"),
        "k_map": tr("at least k matches in the population"),
        "estimated_k_map": tr("the same, estimated from a sampling fraction"),
        "delta_presence": tr("membership in the file stays uncertain"),
        "highest_journalist_risk": tr("maximum risk in the population"),
        "average_journalist_risk": tr("mean risk in the population"),
        "marketer_risk": tr("share of records matched correctly"),
        "sample_uniqueness": tr("few records are unique in the file"),
        "population_uniqueness": tr("few are unique in the population, estimated"),
        "epsilon_delta": tr("a random sample in large classes"),
    }
