"""What is known about how good the best policy of a search is, in words."""

from __future__ import annotations

from typing import NamedTuple

from deidgui.app.policies.lattice.keeping import (
    cost_words,
    kept_words,
    skipped_words,
)
from deidgui.app.policies.lattice.policies import LatticePolicies
from deidgui.app.stated import tie_words
from deidgui.qt.models.figures import loss_text
from deidgui.qt.widgets.cards import Status
from deidgui.text import Text, share_text, tr


class ProofRemark(NamedTuple):
    """A remark about a search.

    Parameters
    ----------
    status : str
        As of `Callout`.
    """

    text: str
    detail: str
    status: Status


def proof_of(found: LatticePolicies) -> ProofRemark:
    """Say what is proven about the best policy of a search that has one.

    Parameters
    ----------
    found : LatticePolicies
        With an optimum.
    """
    assert found.optimum is not None
    if found.minimal:
        proof = _of_minimal(found)
    elif found.complete:
        proof = _of_proven(found)
    else:
        proof = _of_unproven(found)
    ties = tie_words(found.models) if proof.status == "success" else ""
    parts = (kept_words(found), proof.detail, ties, cost_words(found))
    return proof._replace(detail=" ".join(part for part in parts if part))


def gap_words(gap: float | None) -> str:
    """Say by how much the best policy so far can still be bettered."""
    if gap is None or gap >= 1:
        return tr("How much better another one can be is not known.")
    if gap == 0:
        return tr("No policy is better.")
    return tr("The best possible policy is at most {gap} better.", gap=share_text(gap))


def shown_words(found: LatticePolicies) -> str:
    """Say which part of the lattice was looked at closely; empty if all of it."""
    skipped = skipped_words(found)
    if found.is_whole:
        return skipped
    if skipped:
        return f"{_compared_words(found)} {skipped}"
    return _compared_words(found)


def _compared_words(found: LatticePolicies) -> str:
    """Say how many policies can be compared."""
    if not found.profile.is_settled or found.lattice.n_nodes == found.n_nodes:
        return tr(
            "{shown:,} of {all:policy|policies} have been looked at and can be "
            "compared.",
            shown=found.profile.n_checked,
            all=found.n_nodes,
        )
    return tr(
        "{shown:,} of {all:policy|policies} can be compared: those around the best "
        "one.",
        shown=found.lattice.n_nodes,
        all=found.n_nodes,
    )


def _of_proven(found: LatticePolicies) -> ProofRemark:
    if found.optimality is None:
        detail = tr("All policies were examined: {all:,}.", all=found.n_nodes)
    else:
        detail = tr(
            "To prove it, {looked:,} of {all:policy|policies} had to be examined; "
            "the others cannot be better.",
            looked=found.optimality.n_looked_at,
            all=found.n_nodes,
        )
    text = tr("Proven: no policy is better.")
    assert found.optimum is not None
    if found.keeping and not found.removed_at(found.optimum):
        text = tr(
            "Proven: no policy that keeps something of every quasi-identifier is "
            "better."
        )
    elif found.keeping:
        text = tr(
            "Proven: no policy that removes fewer quasi-identifiers, weighed by "
            "importance, meets the thresholds, and none that removes these is better."
        )
    return ProofRemark(text, f"{detail} {shown_words(found)}".strip(), "success")


def _of_unproven(found: LatticePolicies) -> ProofRemark:
    words: Text = "The search ended after {looked:,} of {all:policy|policies}."
    looked = (
        found.n_checked if found.optimality is None else found.optimality.n_looked_at
    )
    text = tr(words, looked=looked, all=found.n_nodes)
    detail = tr("What follows is the best so far.")
    parts = (detail, gap_words(found.gap), shown_words(found))
    return ProofRemark(text, " ".join(part for part in parts if part), "warning")


def _of_minimal(found: LatticePolicies) -> ProofRemark:
    """Say whether OLA's choice is the best under the measure."""
    words: Text = (
        "OLA found {n:least general policy|least general policies} after examining "
        "{looked:,} of {all:,}."
    )
    looked = 0 if found.optimality is None else found.optimality.n_looked_at
    text = tr(words, n=len(found.minimal), looked=looked, all=found.n_nodes)
    best = int(found.ranked[0])
    is_exact = bool(found.result.exact[best])
    assert found.optimum is not None
    if found.complete:
        detail = tr("The best of them is the best of all policies by this measure.")
        return ProofRemark(text, f"{detail} {shown_words(found)}".strip(), "success")
    if is_exact and found.loss[best] < found.loss[found.optimum]:
        detail = tr(
            "Its choice is not the best by this measure: with suppressed records "
            "counted another policy loses {less} instead of {loss}.",
            less=loss_text(found, best),
            loss=loss_text(found, found.optimum),
        )
    elif is_exact and found.lattice.n_nodes == found.n_nodes:
        detail = tr("Its choice is the best of all policies by this measure.")
        return ProofRemark(text, detail, "success")
    else:
        detail = tr(
            "Its choice need not be the best by this measure: a more general policy "
            "that suppresses fewer records may lose less.",
        )
    return ProofRemark(text, f"{detail} {shown_words(found)}".strip(), "info")
