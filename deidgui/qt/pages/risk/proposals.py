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
        "size": tr("Groups of records that look alike"),
        "sensitive": tr("Sensitive values"),
        "population": tr("People of the population"),
        "sample": tr("Unique records and samples"),
    }[group]


def explanation(model: type[PrivacyModel]) -> str:
    """Return one line that says what a model asks for."""
    words = _explanations().get(model.kind)
    return words or model.proposed().words().rstrip(".")


def _explanations() -> dict[str, str]:
    """One line by kind, simple models first."""
    return {
        "k_anonymity": tr("no group is smaller than k records"),
        "highest_prosecutor_risk": tr("nobody in the file is easy to find"),
        "average_prosecutor_risk": tr("records are hard to find on average"),
        "records_at_risk": tr("few records may be easier to find"),
        "distinct_l_diversity": tr("several values in every group"),
        "entropy_l_diversity": tr("values evenly spread in every group"),
        "recursive_cl_diversity": tr("no value is too frequent in a group"),
        "equal_t_closeness": tr("groups are like the whole file"),
        "ordered_t_closeness": tr("the same, for values in an order"),
        "hierarchical_t_closeness": tr("the same, by the values' hierarchy"),
        "delta_disclosure": tr("no value much likelier or less likely"),
        "basic_beta_likeness": tr("no value much likelier in a group"),
        "enhanced_beta_likeness": tr("the same, stricter on frequent values"),
        "k_map": tr("k people of the population look alike"),
        "estimated_k_map": tr("the same, estimated from a share"),
        "delta_presence": tr("nobody can tell who is in the file"),
        "highest_journalist_risk": tr("nobody is easy to find among all"),
        "average_journalist_risk": tr("hard to find among all on average"),
        "marketer_risk": tr("few people would be matched rightly"),
        "sample_uniqueness": tr("few records look like no other"),
        "population_uniqueness": tr("few people are the only one, estimated"),
        "epsilon_delta": tr("a random sample in large groups"),
    }
