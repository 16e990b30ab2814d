"""Which privacy model protects a sensitive column, proposed by its values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from deidgui.app.demands import sensitive_demands
from deidgui.app.project import Attribute, Project
from deidgui.engine.arrays import IntArray
from deidgui.engine.data.table import Column, Table
from deidgui.engine.privacy import (
    DistinctLDiversity,
    EqualTCloseness,
    OrderedTCloseness,
    PrivacyModel,
)
from deidgui.monitor import NULL_MONITOR, Monitor
from deidgui.text import share_text, tr, unit_words

MANY = 10
"""Different values from which a class has few of them by chance alone."""

DOMINANT = 0.5
"""Share of one value above which it is known of most records anyway."""


@dataclass(frozen=True)
class ModelProposal:
    """A privacy model for a sensitive column, which a person accepts or not.

    Parameters
    ----------
    n_values : int, >= 2
        Different values; all missing ones are one.
    has_missing : bool
        Whether they are among them.
    most_common : float in (0, 1]
        Share of the rows that have the most common value.
    of_people : bool
        Whether rows belong to people.
    """

    model: PrivacyModel
    attribute: str
    n_values: int
    most_common: float
    has_missing: bool = False
    of_people: bool = False

    @property
    def reason(self) -> str:
        """Why this model, in a sentence; no value."""
        n, share = self.n_values - self.has_missing, share_text(self.most_common)
        values = tr("{n:different value|different values}", n=n)
        if self.has_missing:
            values = tr("{values} and missing ones", values=values)
        if isinstance(self.model, OrderedTCloseness):
            return tr(
                "{n:different number|different numbers}: a range of them tells nearly "
                "as much as the number, so the order counts.",
                n=n,
            )
        if isinstance(self.model, EqualTCloseness):
            return tr(
                "{values}, one of them in {share} of the rows: the rare ones must "
                "not become much more likely.",
                values=values,
                share=share,
            )
        return tr(
            "{values}, the most common one in {share} of the rows: {unit} that look "
            "alike must not all have the same.",
            values=values,
            share=share,
            unit=unit_words(self.of_people),
        )


def unprotected(project: Project) -> tuple[Attribute, ...]:
    """Return the sensitive columns of the release that no privacy model is about."""
    demands = sensitive_demands(project)
    sensitive = project.with_role("sensitive")
    return tuple(each for each in sensitive if each.name not in demands)


def propose_models(
    project: Project, table: Table, *, monitor: Monitor = NULL_MONITOR
) -> tuple[ModelProposal, ...]:
    """Propose one privacy model for each sensitive column that has none.

    Returns
    -------
    tuple of ModelProposal
        In column order, with the usual parameters. A column with one value has none:
        no model keeps it from being known of everybody.

    Notes
    -----
    Distinct values are the rule. They protect neither a rare value beside a dominant
    one (t-closeness does, where classes can show the distribution of the file: of few
    values) nor numbers that lie close together (ordered t-closeness does). Of people
    with several rows only distinct values have a meaning.

    References
    ----------
    .. [1] N. Li, T. Li, S. Venkatasubramanian (2007), *t-Closeness*, ICDE, section 3
       (skewness and similarity attacks); methods.md B.5.
    """
    asked = unprotected(project)
    found = []
    for place, attribute in enumerate(asked):
        monitor.report(place / len(asked), "models")
        column = table.column(attribute.name)
        counts, has_missing = _counts(column, attribute.missing)
        if len(counts) > 1:
            share = float(counts.max() / counts.sum())
            of_people = project.key is not None
            kind = _kind(attribute, len(counts), share, of_people)
            known = attribute.name, len(counts), share, has_missing, of_people
            found.append(ModelProposal(_model(kind, attribute), *known))
    return tuple(found)


def _counts(column: Column, missing: Sequence[str]) -> tuple[IntArray, bool]:
    """Records per different value, all missing texts being one, and whether any is."""
    is_missing = column.values.is_in(list(missing)).to_numpy() | column.is_missing
    counts, n_missing = column.counts, column.counts[is_missing].sum()
    found = np.append(counts[~is_missing], n_missing)
    return found[found > 0], bool(n_missing)


def _kind(
    attribute: Attribute, n_values: int, most_common: float, of_people: bool
) -> type[PrivacyModel]:
    if of_people:
        return DistinctLDiversity
    if attribute.kind in ("integer", "decimal") and n_values >= MANY:
        return OrderedTCloseness
    is_skewed = n_values < MANY and most_common > DOMINANT
    return EqualTCloseness if is_skewed else DistinctLDiversity


def _model(kind: type[PrivacyModel], attribute: Attribute) -> PrivacyModel:
    return kind.proposed(attribute=attribute.name, order="numeric")
