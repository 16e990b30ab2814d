"""Where does the edit of a privacy model start, and how is it offered?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from deidgui.engine.parameters import Parameter, Range, parameters_of
from deidgui.engine.privacy import PRIVACY_MODELS, PrivacyModel
from deidgui.errors import ConfigError
from deidgui.text import tr

GROUPS = ("size", "sensitive", "population", "sample")
"""Kinds of models as the menu offers them."""

START: Mapping[str, Mapping[str, Any]] = {
    "k_anonymity": {"k": 5},
    "highest_prosecutor_risk": {"threshold": 0.2},
    "average_prosecutor_risk": {"threshold": 0.1},
    "records_at_risk": {"threshold": 0.2, "share": 0.05},
    "distinct_l_diversity": {"l": 2},
    "entropy_l_diversity": {"l": 2.0},
    "recursive_cl_diversity": {"l": 2, "c": 3.0},
    "equal_t_closeness": {"t": 0.3},
    "ordered_t_closeness": {"t": 0.2},
    "hierarchical_t_closeness": {"t": 0.3},
    "delta_disclosure": {"delta": 1.0},
    "basic_beta_likeness": {"beta": 1.0},
    "enhanced_beta_likeness": {"beta": 1.0},
    "k_map": {"k": 5},
    "estimated_k_map": {"k": 5, "sampling_fraction": 0.1, "significance": 0.1},
    "delta_presence": {"dmin": 0.0, "dmax": 0.5},
    "highest_journalist_risk": {"threshold": 0.2},
    "average_journalist_risk": {"threshold": 0.1},
    "marketer_risk": {"threshold": 0.1},
    "sample_uniqueness": {"threshold": 0.01},
    "population_uniqueness": {"threshold": 0.01, "sampling_fraction": 0.1},
    "epsilon_delta": {"epsilon": 1.0, "delta": 1e-6},
}
"""Values in common use. The user sees and edits them; none is a recommendation."""

USUAL = (0.1, 0.2, 0.5, 0.05, 0.01, 1, 2, 5, 3, 10)
"""Tried in turn for a number that nothing is known about but its range."""


def first_proposal(
    model: type[PrivacyModel],
    sensitive: Sequence[str] = (),
    sampling_fraction: float | None = None,
) -> PrivacyModel:
    """Return a model with parameters to start from; the user sees and edits them.

    Parameters
    ----------
    model : type
    sensitive : sequence of str
        Sensitive attributes of the table; the only one is taken, among several
        a person chooses.
    sampling_fraction : float in (0, 1], optional
        As the project states it.
    """
    known = dict(START.get(model.kind, {}))
    if sampling_fraction is not None:
        known["sampling_fraction"] = sampling_fraction
    declared = parameters_of(model)
    params = {each.name: _least(each) for each in declared if each.required}
    for each in declared:
        if each.role:
            params[each.name] = sensitive[0] if len(sensitive) == 1 else ""
        elif each.name in known and _allows(each, known[each.name]):
            params[each.name] = known[each.name]
    try:
        return model.from_params(params)
    except ConfigError:
        # A kind with a rule of its own between parameters: its bounds are tried.
        return model.from_params(_bounds(declared, params))


def _allows(parameter: Parameter, value: Any) -> bool:
    is_whole = parameter.type is int
    if parameter.type not in (int, float) or (is_whole and not isinstance(value, int)):
        return False
    return parameter.range is None or parameter.range.contains(value)


def _least(parameter: Parameter) -> Any:
    """Return some value that the declaration allows."""
    if parameter.options is not None:
        return parameter.options.words[0]
    if parameter.type is bool:
        return False
    if parameter.type is tuple:
        return ()
    if parameter.type not in (int, float):
        return ""
    number = next((n for n in _candidates(parameter.range) if _allows(parameter, n)), 1)
    return number if parameter.type is int else float(number)


def _candidates(allowed: Range | None) -> Iterable[float]:
    yield from USUAL
    low = allowed.low if allowed and allowed.low is not None else 0
    high = allowed.high if allowed and allowed.high is not None else low + 1
    yield from (low, high, int(low) + 1, (low + high) / 2)


def _bounds(declared: Iterable[Parameter], params: Mapping[str, Any]) -> dict[str, Any]:
    """Take the upper bound of every required number that has one."""
    found = dict(params)
    for each in declared:
        high = each.range.high if each.range else None
        if each.required and high is not None and _allows(each, each.type(high)):
            found[each.name] = each.type(high)
    return found


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
    order = list(START)
    found = [each for each in PRIVACY_MODELS if group_of(each) == group]
    known = {kind: place for place, kind in enumerate(order)}
    return sorted(found, key=lambda each: known.get(each.kind, len(order)))


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
    words = {
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
    if model.kind in words:
        return words[model.kind]
    return first_proposal(model).words().rstrip(".")
