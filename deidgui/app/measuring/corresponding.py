"""Which values of another table belong to which released labels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from deidgui.app.attacks.original import released_codes
from deidgui.engine.arrays import BoolArray, IntArray
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.data.numbers import Scale
from deidgui.engine.data.table import Column
from deidgui.engine.data.templates.numbers import NumberTemplate
from deidgui.engine.policy.policy import AttributeMap
from deidgui.engine.transform.spreadsheet import MARK, guard_text


@dataclass(frozen=True, repr=False, eq=False)
class Correspondence:
    """The finest labels that both tables can be generalized to.

    Parameters
    ----------
    of_label : ndarray of int64, shape (n_labels,), each in [0, n_groups)
        Group of each released label.
    of_text : ndarray of int64, shape (n_texts,), each in [-1, n_groups)
        Group of each text of the other table; -1 where no released label has its
        values, or nobody knows what it means, or it is wide.
    is_wide : ndarray of bool, shape (n_texts,)
        Texts that stand for several groups: whoever has one may be in any of them.
    """

    of_label: IntArray
    of_text: IntArray
    is_wide: BoolArray

    @property
    def n_groups(self) -> int:
        """Number of groups."""
        return int(self.of_label.max(initial=-1)) + 1


def corresponding(released: AttributeMap, column: Column) -> Correspondence:
    """Find out which texts of another table belong to which released labels.

    Parameters
    ----------
    released : AttributeMap
        Of a policy that releases every value by one label.
    column : Column
        Of the other table: values as they are, or labels of the same hierarchy, or
        bands of numbers. Every code occurs.

    Notes
    -----
    A text covers the labels of all values that it stands for. Labels that the same
    texts cover cannot be told apart by the other table, and are one group. A text is
    wide where another text tells its labels apart: a band among years, or one that
    overlaps with it.
    """
    texts = [_unguarded(each) for each in column.texts()]
    hierarchy = released.hierarchy.of_values
    covered = _labels_covered(released, hierarchy)
    scale = _scale_of(hierarchy)
    values = _Values.of(hierarchy, scale) if scale is not None else None
    found: list[IntArray | None] = []
    missing = _label_of_missing(released, hierarchy)
    for text, means_missing in zip(texts, column.is_missing.tolist(), strict=True):
        labels = covered.get(text)
        if labels is None and means_missing:
            labels = missing
        if labels is None and values is not None:
            labels = values.covered(text, released)
        found.append(labels)
    _place_values(found, texts, column, released, hierarchy)
    return _grouped(found, len(released.labels))


def _label_of_missing(released: AttributeMap, hierarchy: Hierarchy) -> IntArray | None:
    """Label of "no value"; None if everybody has one."""
    leaf = hierarchy.missing_leaf
    return None if leaf is None else released.groups[[leaf]].astype(np.int64)


def _unguarded(text: str) -> str:
    """Take away the apostrophe that kept a spreadsheet from executing a text."""
    plain = text.removeprefix(MARK)
    return plain if plain != text and guard_text(plain) == text else text


def _labels_covered(
    released: AttributeMap, hierarchy: Hierarchy
) -> dict[str, IntArray]:
    """Labels that each text of any level stands for; a lower level goes first."""
    n_labels = len(released.labels)
    covered: dict[str, IntArray] = {}
    for step in reversed(hierarchy.levels):
        keys = np.unique(step.groups.astype(np.int64) * n_labels + released.groups)
        starts = np.searchsorted(keys, np.arange(step.n_groups) * n_labels)
        parts = np.split(keys % n_labels, starts[1:])
        covered.update(zip(step.labels, parts, strict=True))
    return covered


def _scale_of(hierarchy: Hierarchy) -> Scale | None:
    rule = hierarchy.rule
    return rule.scale if isinstance(rule, NumberTemplate) else None


@dataclass(frozen=True, repr=False, eq=False)
class _Values:
    """Numbers of leaves, to be found by the bands that another table shows."""

    scale: Scale
    numbers: np.ndarray[tuple[int], np.dtype[np.float64]]

    @classmethod
    def of(cls, hierarchy: Hierarchy, scale: Scale) -> _Values:
        read = [scale.read(text) for text in hierarchy.leaves]
        numbers = [float("nan") if each is None else float(each) for each in read]
        return cls(scale, np.array(numbers))

    def covered(self, text: str, released: AttributeMap) -> IntArray | None:
        """Labels whose values are in a band; None if the text is none."""
        band = self.scale.read_band(text)
        if band is None:
            return None
        inside = (self.numbers >= float(band.low)) & (self.numbers < float(band.high))
        return np.unique(released.groups[inside]).astype(np.int64)


def _place_values(
    found: list[IntArray | None],
    texts: list[str],
    column: Column,
    released: AttributeMap,
    hierarchy: Hierarchy,
) -> None:
    """Find the labels of values that nobody of ours has, by the rule."""
    rule = hierarchy.rule
    places = [place for place, labels in enumerate(found) if labels is None]
    if not places or rule is None or hierarchy.is_edited:
        return
    unread = set(rule.unread([texts[place] for place in places]))
    values = sorted({texts[place] for place in places} - unread)
    if not values:
        return
    codes = np.arange(len(values), dtype=np.int32)
    some = Column(column.name, codes, pl.Series(values, dtype=pl.String))
    released_as = released_codes(some, released).tolist()
    code_of = dict(zip(values, released_as, strict=True))
    for place in places:
        code = code_of.get(texts[place], len(released.labels))
        if code < len(released.labels):
            found[place] = np.array([code], dtype=np.int64)


def _grouped(found: list[IntArray | None], n_labels: int) -> Correspondence:
    """Join the labels that no text tells apart, and number the groups."""
    number: dict[bytes, int] = {}
    covers: list[IntArray] = []
    holding: list[list[int]] = [[] for _ in range(n_labels)]
    for labels in found:
        if labels is None or not len(labels) or labels.tobytes() in number:
            continue
        number[labels.tobytes()] = len(covers)
        for label in labels.tolist():
            holding[label].append(len(covers))
        covers.append(labels)
    groups: dict[tuple[int, ...], int] = {}
    of_label = np.array(
        [
            # A label that no text stands for is by itself.
            groups.setdefault(tuple(each) or (-1 - label,), len(groups))
            for label, each in enumerate(holding)
        ],
        dtype=np.int64,
    )
    of_cover = [np.unique(of_label[labels]) for labels in covers]
    of_text = np.full(len(found), -1, dtype=np.int64)
    is_wide = np.zeros(len(found), dtype=np.bool_)
    for place, labels in enumerate(found):
        if labels is not None and len(labels):
            groups_of = of_cover[number[labels.tobytes()]]
            is_wide[place] = len(groups_of) > 1
            of_text[place] = -1 if is_wide[place] else groups_of[0]
    return Correspondence(of_label, of_text, is_wide)
