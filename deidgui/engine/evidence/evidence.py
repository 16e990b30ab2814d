"""How the facts about a release become its evidence, policy and mapping files."""

from __future__ import annotations

import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
import polars
import pydantic

from deidgui import __version__
from deidgui.engine.arrays import BoolArray, IntArray
from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.data.hierarchy import SUPPRESSED
from deidgui.engine.evidence.distributions import class_sizes, distribution
from deidgui.engine.evidence.document import (
    Attribute,
    Condition,
    Distribution,
    Evidence,
    File,
    Input,
    Measure,
    Missing,
    Model,
    Output,
    PolicyFacts,
    Risk,
    RowOrder,
    Search,
    Thresholds,
)
from deidgui.engine.evidence.mapping import mapping_csv, mapping_paths
from deidgui.engine.policy.policy import Policy
from deidgui.engine.policy.released import ReleasedClasses, released_classes
from deidgui.engine.policy.words import phrases, sentence, withheld_because

POLICY_FORMAT = "deidgui-policy"
FEW = 5
"""At least so many records make a number that may be told about withheld ones."""


@dataclass(frozen=True)
class Figures:
    """What other parts measured, as JSON-able mappings (see `document`).

    Parameters
    ----------
    models : sequence of mapping
        Each with kind, parameters, ``satisfied`` and optionally ``words``.
    risk : mapping
        Fields of `document.Risk`.
    quality : mapping of str to mapping
        By measure; fields of `document.Measure`.
    search : mapping
        Fields of `document.Search`.
    safe_harbor : mapping, optional
    assumptions, warnings : sequence of str
        Plain sentences.
    """

    models: Sequence[Mapping[str, Any]]
    risk: Mapping[str, Any]
    quality: Mapping[str, Mapping[str, Any]]
    search: Mapping[str, Any]
    safe_harbor: Mapping[str, Any] | None = None
    assumptions: Sequence[str] = ()
    warnings: Sequence[str] = ()


@dataclass(frozen=True)
class Decisions:
    """What somebody decided, for the record.

    Parameters
    ----------
    title, notes : str
    thresholds : Thresholds
    missing : Missing
    withheld : str
        "stars" or "left_out".
    row_order : str
        "input", "random" or "seeded". PRIVACY: never the seed itself, with which
        anybody could restore the original order.
    spreadsheet_safe : bool
    created : str or None
        ISO 8601 time, given so that bytes can be reproduced.
    """

    title: str = ""
    notes: str = ""
    thresholds: Thresholds = field(default_factory=Thresholds)
    missing: Missing = field(default_factory=Missing)
    withheld: Literal["stars", "left_out"] = "stars"
    row_order: Literal["input", "random", "seeded"] = "random"
    spreadsheet_safe: bool = True
    created: str | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Applied:
    """A policy on the classes of a table, and what follows for each attribute.

    Parameters
    ----------
    class_table : ClassTable
    policy : Policy
    write : callable
        How a text is written in the release (made harmless for spreadsheets).
    """

    class_table: ClassTable
    policy: Policy
    write: Callable[[str], str] = field(default=str)

    @cached_property
    def classes(self) -> ReleasedClasses:
        """Classes of records after the policy."""
        return released_classes(self.class_table, self.policy)

    @property
    def few(self) -> int:
        """Numbers of withheld records below this one are not told."""
        return max(FEW, self.policy.withhold_below)

    @cached_property
    def paths(self) -> dict[str, str]:
        """Path of the mapping file by attribute."""
        return mapping_paths(self.policy.attributes)

    def leaf_records(self, place: int) -> IntArray:
        """Records per value of an attribute: ndarray of int64, (n_leaves,)."""
        n_leaves = self.class_table.hierarchies[place].n_leaves
        leaves = self.class_table.leaves[:, place]
        weights = self.class_table.counts
        return np.bincount(leaves, weights, n_leaves).astype(np.int64)

    def label_records(self, place: int, withheld: bool) -> IntArray:
        """Released or withheld records per label of an attribute."""
        chosen = self.classes.withheld == withheld
        return np.bincount(
            self.classes.labels[chosen, place],
            self.classes.counts[chosen],
            len(self.policy.maps[place].labels),
        ).astype(np.int64)

    def is_released(self, place: int) -> BoolArray:
        """Which labels of an attribute some released record has."""
        return self.label_records(place, withheld=False) > 0

    @cached_property
    def told(self) -> Policy:
        """The policy with only those labels that may be named in words."""
        # PRIVACY: a label that only withheld records have tells what they are like.
        maps = tuple(
            replace(each, labels=self._released_labels(place) or (SUPPRESSED,))
            for place, each in enumerate(self.policy.maps)
        )
        return replace(self.policy, maps=maps)

    def _released_labels(self, place: int) -> tuple[str, ...]:
        labels = self.policy.maps[place].labels
        return tuple(labels[at] for at in np.flatnonzero(self.is_released(place)))


def mapping_files(applied: Applied) -> dict[str, bytes]:
    """Content of every mapping file, by its path in the release."""
    return {
        applied.paths[each.attribute]: mapping_csv(
            each,
            applied.leaf_records(place),
            applied.is_released(place),
            applied.few,
            applied.write,
        )
        for place, each in enumerate(applied.policy.maps)
    }


def policy_document(applied: Applied, withheld: str) -> dict[str, Any]:
    """Content of ``policy.json``: what was done, for a person and a program.

    Parameters
    ----------
    applied : Applied
    withheld : str
        "stars" or "left_out".

    Returns
    -------
    dict
        PRIVACY: names only labels that some released record has.
    """
    policy = applied.policy
    words = {phrase.attribute: phrase for phrase in phrases(applied.told)}
    attributes = [
        {
            "name": each.attribute,
            "effect": words[each.attribute].effect,
            "words": words[each.attribute].text,
            "level": each.level,
            "height": each.hierarchy.height,
            "values": each.hierarchy.n_leaves,
            "rule": each.hierarchy.rule.to_json() if each.hierarchy.rule else None,
            "labels": [
                applied.write(each.labels[label])
                for label in np.flatnonzero(applied.is_released(place))
            ],
            "mapping": applied.paths[each.attribute],
        }
        for place, each in enumerate(policy.maps)
    ]
    return {
        "format": POLICY_FORMAT,
        "version": 1,
        "kind": policy.kind,
        "levels": policy.levels,
        "withhold_below": policy.withhold_below,
        "conditions": [each.to_json() for each in policy.conditions],
        "withheld_because": list(withheld_because(policy)),
        "withheld": withheld,
        "sentence": _sentence(applied),
        "attributes": attributes,
    }


def _sentence(applied: Applied) -> str:
    n_withheld, n = applied.classes.n_withheld, applied.class_table.n_records
    return sentence(applied.told, n_withheld, n)


def distributions(applied: Applied) -> dict[str, Distribution]:
    """Records by released label of every quasi-identifier."""
    return {
        each.attribute: distribution(
            [applied.write(label) for label in each.labels],
            applied.label_records(place, withheld=False),
            applied.label_records(place, withheld=True),
            applied.few,
        )
        for place, each in enumerate(applied.policy.maps)
    }


def build_evidence(
    applied: Applied,
    attributes: Sequence[Attribute],
    inputs: Sequence[Input],
    outputs: Sequence[Output],
    files: Sequence[File],
    figures: Figures,
    decisions: Decisions,
) -> Evidence:
    """Put everything that is known about a release into one document.

    Parameters
    ----------
    applied : Applied
    attributes : sequence of Attribute
        One per column of the input; see `quasi_identifier`.
    inputs, outputs, files : sequences
        Facts about the bytes that were read and written.
    figures : Figures
    decisions : Decisions

    Returns
    -------
    Evidence
    """
    policy, classes = applied.policy, applied.classes
    return Evidence(
        deidgui=__version__,
        created=decisions.created,
        title=decisions.title,
        notes=decisions.notes,
        inputs=tuple(inputs),
        outputs=tuple(outputs),
        files=tuple(files),
        attributes=tuple(attributes),
        policy=PolicyFacts(
            kind=policy.kind,
            levels=policy.levels,
            withhold_below=policy.withhold_below,
            conditions=tuple(
                Condition.model_validate(each.to_json()) for each in policy.conditions
            ),
            withheld_because=withheld_because(policy),
            withheld=decisions.withheld,
            sentence=_sentence(applied),
            origin=policy.origin,
        ),
        records=applied.class_table.n_records,
        suppressed_records=classes.n_withheld,
        models=tuple(Model.model_validate(each) for each in figures.models),
        risk=Risk.model_validate(figures.risk),
        quality={
            name: Measure.model_validate(each) for name, each in figures.quality.items()
        },
        search=Search.model_validate(figures.search),
        thresholds=decisions.thresholds,
        missing=decisions.missing,
        row_order=RowOrder(kind=decisions.row_order),
        spreadsheet_safe=decisions.spreadsheet_safe,
        class_sizes=class_sizes(applied.class_table.counts, classes.kept_counts),
        distributions=distributions(applied),
        safe_harbor=dict(figures.safe_harbor) if figures.safe_harbor else None,
        assumptions=tuple(figures.assumptions),
        warnings=tuple(figures.warnings),
        software=software(),
    )


def quasi_identifier(applied: Applied, attribute: str, **facts: Any) -> Attribute:
    """Evidence about one quasi-identifier; `facts` are the other fields."""
    place = applied.policy.attributes.index(attribute)
    each = applied.policy.maps[place]
    return Attribute(
        name=attribute,
        released_as=applied.write(attribute),
        role="quasi_identifier",
        treatment="generalized",
        words=phrases(applied.told)[place].text,
        level=each.level,
        height=each.hierarchy.height,
        leaves=each.hierarchy.n_leaves,
        mapping=applied.paths[attribute],
        **facts,
    )


def software() -> dict[str, str]:
    """Versions of what computed the release."""
    return {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "polars": polars.__version__,
        "pydantic": pydantic.VERSION,
    }
