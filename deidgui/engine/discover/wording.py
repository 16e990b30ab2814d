"""Released labels of a policy of bits, and its line of the paper's table."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from deidgui.engine.arrays import BoolArray, Int32Array
from deidgui.engine.data.hierarchy import SUPPRESSED
from deidgui.engine.discover.bit_policy import BitPolicy
from deidgui.engine.discover.domain import Domain
from deidgui.engine.policy.policy import AttributeMap, Joined, Policy
from deidgui.engine.policy.words import NOTHING

NO_VALUE = "no value"
"""Written for a blank text among others."""

MANY = 6
"""Longer lists of words are written from the first to the last."""


def as_policy(policy: BitPolicy, origin: str = "") -> Policy:
    """Return the policy that the rest of the program applies, measures and exports.

    Parameters
    ----------
    origin : str, optional
        What found it.

    Returns
    -------
    Policy
        Of kind "interval" or "subtree"; it suppresses no record.
    """
    starts = policy.space.first_bit.tolist()
    maps = tuple(
        _map(domain, groups, policy.text[start:end])
        for domain, groups, (start, end) in zip(
            policy.space.domains,
            policy.groups,
            itertools.pairwise(starts),
            strict=True,
        )
    )
    return Policy(policy.space.mode, maps, 1, origin)


def _map(domain: Domain, groups: Int32Array, bits: str) -> AttributeMap:
    """Released label of each leaf; leaves that no record has are suppressed."""
    labels, sizes = run_labels(domain, groups), np.bincount(groups).tolist()
    in_file = np.bincount(groups[domain.is_in_file], minlength=len(sizes)).tolist()
    if (domain.of_leaf < 0).any() and len(labels) > 1:
        labels, sizes, in_file = (*labels, SUPPRESSED), [*sizes, 0], [*in_file, 0]
    of_leaf = np.append(groups, len(labels) - 1)[domain.of_leaf].astype(np.int32)
    for level, step in enumerate(domain.hierarchy.levels):
        # The domain may stand in another order than the groups of the level.
        label = np.empty(step.n_groups, dtype=np.int64)
        label[step.groups] = of_leaf
        is_same = step.n_groups == len(labels) == len(set(label.tolist()))
        if is_same and np.array_equal(label[step.groups], of_leaf):
            of_label = tuple(sizes[at] for at in label.tolist())
            of_file = tuple(in_file[at] for at in label.tolist())
            joined = Joined(domain.values, bits, domain.level, of_label, of_file)
            return AttributeMap(
                domain.hierarchy, step.labels, step.groups, level, joined
            )
    known = tuple(sizes), tuple(in_file)
    joined = Joined(domain.values, bits, domain.level, *known)
    return AttributeMap(domain.hierarchy, labels, of_leaf, joined=joined)


def run_labels(domain: Domain, groups: Int32Array) -> tuple[str, ...]:
    """Released text of each run of values: no two are equal.

    Parameters
    ----------
    groups : ndarray of int32, shape (n_values,)
        Run of each value, from 0 on.

    Returns
    -------
    tuple of str
        "52" for a single value, "52-53" for numbers, the label of a node of the
        hierarchy or "{Asian, Other}" for words, "*" for all values.
    """
    ends = np.flatnonzero(np.diff(groups, append=-1)) + 1
    starts = np.concatenate([[0], ends[:-1]])
    runs = list(zip(starts.tolist(), ends.tolist(), strict=True))
    labels = [_run_label(domain, start, end) for start, end in runs]
    if len(set(labels)) < len(labels):
        # Two nodes of a hierarchy can have one name.
        labels = [_listed(domain.values[start:end]) for start, end in runs]
    single = [end - start == 1 for start, end in runs]
    taken = {label for label, alone in zip(labels, single, strict=True) if alone}
    for place, (start, end) in enumerate(runs):
        # A value of the file can be written as a list is.
        while not single[place] and labels[place] in taken:
            labels[place] += f" ({end - start} values)"
        taken.add(labels[place])
    return tuple(labels)


def _run_label(domain: Domain, start: int, end: int) -> str:
    if end - start == domain.n_values:
        return SUPPRESSED
    if end - start == 1:
        return domain.values[start]
    return (
        _numbers(domain, start, end)
        or _node(domain, start, end)
        or _listed(domain.values[start:end])
    )


def _numbers(domain: Domain, start: int, end: int) -> str:
    """First and last number of a run, "" if the values are words."""
    if domain.spans is None:
        return ""
    spans = [span for span in domain.spans[start:end] if span is not None]
    low, high = spans[0][0], spans[-1][1]
    label = f"{low}-{high}" if high else f"{low}+"
    missing = domain.missing_value
    if missing is not None and start <= missing < end:
        label = _listed([label if low != high else low, domain.values[missing]])
    return label


def _node(domain: Domain, start: int, end: int) -> str:
    """Label of the node of the hierarchy that a run is, "" if it is none."""
    if domain.level is None:
        return ""
    leaves = np.flatnonzero((domain.of_leaf >= start) & (domain.of_leaf < end))
    for step in domain.hierarchy.levels[domain.level + 1 :]:
        members = np.flatnonzero(step.groups == step.groups[leaves[0]])
        if len(members) > len(leaves):
            return ""
        if np.array_equal(members, leaves):
            return step.labels[int(step.groups[leaves[0]])]
    return ""


def _listed(values: Sequence[str]) -> str:
    if len(values) > 1:
        values = [value if value.strip() else NO_VALUE for value in values]
    if len(values) > MANY:
        return f"{{{values[0]} … {values[-1]}}}"
    return f"{{{', '.join(values)}}}" if len(values) > 1 else values[0]


def generalizations(policy: BitPolicy) -> tuple[str, ...]:
    """Say for each attribute which values are joined, as table 3 of the paper does.

    Returns
    -------
    tuple of str
        "∅" or groups in brackets: "[Asian, Other]", "[52-53] [90-119]". All values
        that are not named are kept.
    """
    return tuple(
        " ".join(f"[{text}]" for text in joined_runs(domain, groups)) or NOTHING
        for domain, groups in zip(policy.space.domains, policy.groups, strict=True)
    )


def is_joined(domain: Domain, groups: Int32Array) -> BoolArray:
    """Which values that records have are released with others: bool, (n_values,)."""
    return np.asarray((np.bincount(groups)[groups] > 1) & domain.is_in_file)


def joined_runs(domain: Domain, groups: Int32Array) -> tuple[str, ...]:
    """Words for each run of several values: "52-53", "Asian, Other".

    Runs of values that no record has are left out.
    """
    ends = np.flatnonzero(np.diff(groups, append=-1)) + 1
    starts = np.concatenate([[0], ends[:-1]])
    found = []
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        if end - start > 1 and domain.is_in_file[start:end].any():
            text = _numbers(domain, start, end) or _listed(domain.values[start:end])
            found.append(text.removeprefix("{").removesuffix("}"))
    return tuple(found)
