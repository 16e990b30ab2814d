"""Says what was kept of the quasi-identifiers, what that cost, and what was skipped."""

from __future__ import annotations

from deidgui.app.charts.formats import number_text
from deidgui.app.policies.lattice.policies import LatticePolicies
from deidgui.text import share_text, tr, unit_words


def kept_words(found: LatticePolicies) -> str:
    """Say which quasi-identifiers had to be removed as a whole; empty if none."""
    if found.optimum is None:
        return ""
    removed = found.removed_at(found.optimum)
    if not removed:
        return ""
    words = tr(
        "No policy that keeps something of every quasi-identifier meets the "
        "thresholds. Removed as a whole: {names}.",
        names=", ".join(removed),
    )
    most = max(found.weights.values())
    important = [name for name in removed if found.weights[name] == most]
    if min(found.weights.values()) == most or not important:
        return words
    more = tr(
        "Of the highest importance among them: {names}.", names=", ".join(important)
    )
    return f"{words} {more}"


def order_words(found: LatticePolicies) -> str:
    """Say why policies that lose less than the best one come after it; or nothing."""
    best = found.optimum
    if best is None or not found.keeping:
        return ""
    is_less = found.feasible & (found.loss < found.loss[best] * (1 - 1e-9))
    return kept_first_words(int(is_less.sum())) if is_less.any() else ""


def kept_first_words(n_less: int) -> str:
    """Say what decides before the loss, and of how many this is the reason.

    Parameters
    ----------
    n_less : int
        Policies that lose less than the best one and come after it.
    """
    words = tr(
        "The columns that a policy removes as a whole decide first, weighed by "
        "importance; then its loss."
    )
    if not n_less:
        return words
    why = tr(
        "Below the best one {n:policy loses|policies lose} less, by removing a column "
        "that the best one keeps.",
        n=n_less,
    )
    return f"{words} {why}"


def skipped_words(found: LatticePolicies) -> str:
    """Say which policies a survey did not measure, and why; empty if none."""
    reach = found.profile.reach
    if not found.n_skipped or reach is None:
        return ""
    return tr(
        "{n:policy was|policies were} skipped and not measured: with groups of "
        "{size} or more, more than {share} of the {unit} would be suppressed.",
        n=found.n_skipped,
        size=reach.size,
        share=share_text(reach.records / found.n_records),
        unit=unit_words(found.by_person),
    )


def cost_words(found: LatticePolicies, *, says_nothing: bool = True) -> str:
    """Say what importance and keeping something cost; empty if that is not known.

    Parameters
    ----------
    says_nothing : bool
        Whether nothing is said if they cost nothing.
    """
    known = found.preference_cost
    if known is None:
        return ""
    if not known.loss > known.least * (1 + 1e-9):
        if says_nothing:
            return ""
        if not known.is_proven:
            return tr(
                "Without importance no policy was found that loses less, counted with "
                "equal weights; the search for one was stopped."
            )
        return tr(
            "Importance and keeping something of every column cost nothing: counted "
            "with equal weights, no policy loses less."
        )
    text = share_text if found.guiding.unit == "share" else number_text
    loss, least = text(known.loss), text(known.least)
    if known.is_proven:
        return tr(
            "Importance and keeping something of every column cost this: counted with "
            "equal weights the policy loses {loss}, and the best policy without them "
            "{least}.",
            loss=loss,
            least=least,
        )
    return tr(
        "Importance and keeping something of every column cost at least this: counted "
        "with equal weights the policy loses {loss}, and a policy without them "
        "{least}.",
        loss=loss,
        least=least,
    )
