"""Says by what policies are sorted, and why one that loses less is not the first."""

from __future__ import annotations

import numpy as np

from deidgui.app.policies.lattice.keeping import kept_first_words
from deidgui.app.policies.policy_set import PolicySet
from deidgui.engine.arrays import FloatArray, IntArray
from deidgui.text import tr


def sorted_words(policies: PolicySet, numbers: IntArray) -> str:
    """Say how `PolicySet.order` sorts some policies.

    Parameters
    ----------
    numbers : ndarray of int64, shape (n_shown,)
        Those that are shown.
    """
    columns, order = policies.columns, policies.order()
    shown = order[np.isin(order, numbers)]
    meeting = shown[columns.meets[shown]]
    words = _rule_words(policies, meeting)
    if len(meeting) == len(shown):
        return words
    last = tr("Those marked “–” do not meet their thresholds and come last.")
    return f"{words} {last}".strip()


def _rule_words(policies: PolicySet, meeting: IntArray) -> str:
    if not len(meeting):
        return ""
    rule, columns = policies.sorted_by, policies.columns
    if rule == "kinds":
        return tr(
            "The best policy of each kind comes first, by loss; then the second best "
            "of each."
        )
    by = columns.events_loss if rule == "events_loss" else columns.loss
    loss = by[meeting]
    words = tr("Sorted by loss, lowest first.")
    if (loss[1:] < loss[:-1] * (1 - 1e-9)).any():
        words = kept_first_words(_n_less(loss))
    if rule == "events_loss":
        which = tr(
            "The loss that counts is “Loss, events”; by “Loss”, {n:policy loses|"
            "policies lose} less than the first one.",
            n=_n_less(columns.loss[meeting]),
        )
        return f"{words} {which}"
    return words


def _n_less(loss: FloatArray) -> int:
    """Policies that lose less than the first one."""
    return int(np.count_nonzero(loss < loss[0] * (1 - 1e-9)))
