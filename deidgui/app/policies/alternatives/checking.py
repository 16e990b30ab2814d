"""Which decisions does a discovery need, and on which does it rest?"""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from deidgui.app.changes import fingerprint
from deidgui.app.decides import Decides
from deidgui.app.demands import check_models, undecided_columns
from deidgui.app.project import Discover, ElementChoice, Project
from deidgui.engine.privacy import ProcessModel
from deidgui.errors import ConfigError, DeidError, raise_all
from deidgui.text import tr


def check_discovery(project: Project) -> None:
    """See that every decision that a discovery needs has been made.

    Raises
    ------
    ConfigError
        Codes ``role_missing``, ``no_quasi_identifier``, ``hierarchy_missing``,
        ``discovery_baseline_missing``, ``discovery_element_missing`` (attribute),
        ``discovery_baseline_rounds``, ``no_privacy_model``,
        ``discovery_model_of_process`` (model),
        ``preference_unknown_attribute`` (attribute) and those of the models, all
        problems together.
    """
    raise_all(discovery_problems(project))


def discovery_problems(project: Project) -> list[DeidError]:
    """Return the decisions that a discovery needs and that have not been made."""
    problems = basis_problems(project)
    if project.discover.baseline is None:
        problems.append(ConfigError("discovery_baseline_missing"))
    return problems


def basis_problems(project: Project) -> list[DeidError]:
    """What is missing before values and people can be counted under a rule."""
    problems = undecided_columns(project)
    quasi, discover = project.quasi_identifiers, project.discover
    if discover.baseline == "safe_harbor":
        problems += [
            ConfigError("discovery_element_missing", attribute=each.name)
            for each in quasi
            if each.name not in discover.elements
        ]
    if discover.policy is not None and not discover.policy.is_by_value:
        problems.append(ConfigError("discovery_baseline_rounds"))
    if discover.baseline == "models":
        if not project.privacy.models:
            problems.append(ConfigError("no_privacy_model"))
        problems += check_models(project)
        # A search among several policies looks at the data; such a promise is about
        # one rule that was decided before.
        problems += [
            ConfigError("discovery_model_of_process", model=tr(model.title))
            for model in project.privacy.models
            if isinstance(model, ProcessModel)
        ]
    elif discover.policy is not None:
        # They decide which records the policy suppresses.
        found = [each.problem for each in project.privacy.models]
        problems += [each for each in found if each is not None]
    names = {each.name for each in quasi}
    problems += [
        ConfigError("quota_unknown_attribute", attribute=name)
        for name in discover.quotas
        if name not in names
    ]
    problems += [
        ConfigError("preference_unknown_attribute", attribute=name)
        for name in dict.fromkeys(each.attribute for each in discover.preferences)
        if name not in names
    ]
    return problems


def basis_key(project: Project) -> Hashable:
    """Return what a basis rests on: equal for projects with the same basis."""
    discover, models = project.discover, project.privacy.models
    demands = tuple(each for each in discover.preferences if each.is_demanded)
    same = Discover()
    basis = discover.but(
        preferences=demands,
        method=same.method,
        weights=same.weights,
        iterations=same.iterations,
        budget=same.budget,
        completes=same.completes,
        quotas=same.quotas,
        seed=same.seed,
    )
    asks_models = discover.baseline == "models" or discover.policy is not None
    limits = tuple(each.minimum_level for each in project.quasi_identifiers)
    models = models if asks_models else ()
    decided = basis.model_dump_json(), models, project.privacy.missing_matches
    return fingerprint(project, Decides.CLASSES), *decided, limits


def with_elements(
    discover: Discover, proposed: Mapping[str, ElementChoice]
) -> Discover:
    """Take the Safe Harbor rule as baseline; what was decided on columns stays."""
    elements = {**proposed, **discover.elements}
    return discover.but(
        baseline="safe_harbor", elements=elements, policy=None, typed=None
    )
