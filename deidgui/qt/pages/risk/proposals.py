"""How privacy models are offered: their groups, order and explanations."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from deidgui.engine.privacy import PRIVACY_MODELS, PrivacyModel

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
    tr = QCoreApplication.translate
    return {
        "size": tr("models", "Groups of records that look alike"),
        "sensitive": tr("models", "Sensitive values"),
        "population": tr("models", "People of the population"),
        "sample": tr("models", "Unique records and samples"),
    }[group]


def explanation(model: type[PrivacyModel]) -> str:
    """Return one line that says what a model asks for."""
    words = _explanations().get(model.kind)
    return words or model.proposed().words().rstrip(".")


def _explanations() -> dict[str, str]:
    """One line by kind, simple models first."""
    tr = QCoreApplication.translate
    return {
        "k_anonymity": tr("models", "no group is smaller than k records"),
        "highest_prosecutor_risk": tr("models", "nobody in the file is easy to find"),
        "average_prosecutor_risk": tr("models", "records are hard to find on average"),
        "records_at_risk": tr("models", "few records may be easier to find"),
        "distinct_l_diversity": tr("models", "several values in every group"),
        "entropy_l_diversity": tr("models", "values evenly spread in every group"),
        "recursive_cl_diversity": tr("models", "no value is too frequent in a group"),
        "equal_t_closeness": tr("models", "groups are like the whole file"),
        "ordered_t_closeness": tr("models", "the same, for values in an order"),
        "hierarchical_t_closeness": tr("models", "the same, by the values' hierarchy"),
        "delta_disclosure": tr("models", "no value much likelier or less likely"),
        "basic_beta_likeness": tr("models", "no value much likelier in a group"),
        "enhanced_beta_likeness": tr("models", "the same, stricter on frequent values"),
        "k_map": tr("models", "k people of the population look alike"),
        "estimated_k_map": tr("models", "the same, estimated from a share"),
        "delta_presence": tr("models", "nobody can tell who is in the file"),
        "highest_journalist_risk": tr("models", "nobody is easy to find among all"),
        "average_journalist_risk": tr("models", "hard to find among all on average"),
        "marketer_risk": tr("models", "few people would be matched rightly"),
        "sample_uniqueness": tr("models", "few records look like no other"),
        "population_uniqueness": tr("models", "few people are the only one, estimated"),
        "epsilon_delta": tr("models", "a random sample in large groups"),
    }
