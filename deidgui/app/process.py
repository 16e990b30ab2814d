"""Does anything but chance and one rule decide what is released?"""

from __future__ import annotations

import math
from collections.abc import Iterator

from deidgui.app.project import Attribute, Project
from deidgui.engine.privacy import ProcessModel, SizeModel
from deidgui.errors import ConfigError
from deidgui.text import tr

TOLERANCE = 1e-12
"""Keeps a half at or below 1 - exp(-ln 2) whatever the rounding."""


def process_problems(model: ProcessModel, project: Project) -> list[ConfigError]:
    """Return why a model that is a promise about the process does not hold for one.

    Returns
    -------
    list of ConfigError
        Codes ``process_columns``, ``process_levels``, ``process_sample_unknown``,
        ``process_sample_too_large``, ``process_limit``, ``process_models``,
        ``process_rounds``, ``process_choice``, ``process_suppressed`` and
        ``process_order``. What is not decided yet is no problem here.

    Notes
    -----
    The proof counts records that are released alike in every column, under a rule
    that is the same for all data. Suppressed records must leave no trace: with one
    class below k the number of suppressed records tells for certain that one of its
    people was sampled. For the same reason the rows may not stand in their order.

    References
    ----------
    .. [1] N. Li, W. Qardaji, D. Su (2012), *On sampling, anonymization, and
       differential privacy*, ASIACCS, theorem 1; methods.md B.5.
    """
    checks = (_columns, _levels, _sample, _limit, _rounds, _suppressed, _order, _models)
    found = [problem for check in checks for problem in check(model, project)]
    return found or list(_choice(model, project))


def decided_level(attribute: Attribute) -> int | None:
    """Return the one level that a quasi-identifier may have; None if several."""
    lowest = attribute.minimum_level or 0
    return lowest if lowest == attribute.maximum_level else None


def _columns(model: ProcessModel, project: Project) -> Iterator[ConfigError]:
    """Every released column must be part of what makes a class."""
    kept = project.with_role("sensitive", "insensitive")
    changed = [
        each
        for each in project.with_role("direct_identifier")
        if each.treatment not in (None, "remove")
    ]
    names = {each.name for each in (*kept, *changed)}
    if names:
        yield ConfigError(
            "process_columns",
            model=tr(model.title),
            n_columns=len(names),
            columns=tuple(a.name for a in project.attributes if a.name in names),
        )


def _levels(model: ProcessModel, project: Project) -> Iterator[ConfigError]:
    """Nothing may be left for a search to find out from the data."""
    quasi = project.quasi_identifiers
    names = tuple(each.name for each in quasi if decided_level(each) is None)
    if names:
        yield ConfigError(
            "process_levels", model=tr(model.title), n_columns=len(names), columns=names
        )


def _sample(model: ProcessModel, project: Project) -> Iterator[ConfigError]:
    """Each person must have had a good chance not to be among the records."""
    fraction, most = project.privacy.population.sampling_fraction, model.most_sampled
    stated = {
        "model": tr(model.title),
        "most": _percent(most),
        "draw": f"{math.floor(most * 1e6) / 1e6:.6g}",
    }
    if fraction is None:
        yield ConfigError("process_sample_unknown", **stated)
    elif fraction > most + TOLERANCE:
        found = f"{100 * fraction:.6g} %"
        yield ConfigError("process_sample_too_large", found=found, **stated)


def _percent(share: float) -> str:
    """Write a share as a percentage that is not more, as finely as it is typed."""
    return f"{math.floor(share * 1e6) / 1e4:.6g} %"


def _limit(model: ProcessModel, project: Project) -> Iterator[ConfigError]:
    """Whether there is a release must not tell how many records are suppressed."""
    limit = project.privacy.suppression_limit
    if limit is not None and limit < 1:
        found = f"{100 * limit:.6g} %"
        yield ConfigError("process_limit", model=tr(model.title), found=found)


def _models(model: ProcessModel, project: Project) -> Iterator[ConfigError]:
    """Beside it, records are suppressed for nothing but the size of their class."""
    others = dict.fromkeys(
        tr(each.title)
        for each in project.privacy.models
        if not isinstance(each, SizeModel) and each.problem is None
    )
    if others:
        yield ConfigError("process_models", model=tr(model.title), others=tuple(others))


def _rounds(model: ProcessModel, project: Project) -> Iterator[ConfigError]:
    """What is suppressed may not be searched again."""
    if project.search.local_recoding:
        yield ConfigError("process_rounds", model=tr(model.title))


def _suppressed(model: ProcessModel, project: Project) -> Iterator[ConfigError]:
    """How many records are suppressed must not be told."""
    if project.export.suppressed == "stars":
        yield ConfigError("process_suppressed", model=tr(model.title))


def _order(model: ProcessModel, project: Project) -> Iterator[ConfigError]:
    """Where the suppressed records stood must not be told."""
    export = project.export
    if not export.shuffle or export.shuffle_seed is not None:
        yield ConfigError("process_order", model=tr(model.title))


def _choice(model: ProcessModel, project: Project) -> Iterator[ConfigError]:
    """A policy that was chosen must be the one that was decided."""
    chosen = project.chosen
    if chosen is None:
        return
    decided = {each.name: decided_level(each) for each in project.quasi_identifiers}
    depth = max(each.depth for each in project.privacy.models)
    is_decided = chosen.kind == "lattice" and chosen.suppress_below == depth
    if not is_decided or chosen.levels != decided:
        yield ConfigError("process_choice", model=tr(model.title))
