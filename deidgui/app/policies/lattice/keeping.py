"""Says what was kept of the quasi-identifiers, and what that cost."""

from __future__ import annotations

from deidgui.app.charts.formats import number_text, share_text
from deidgui.app.policies.lattice.policies import LatticePolicies
from deidgui.text import tr


def kept_words(found: LatticePolicies) -> str:
    """Say which quasi-identifiers had to be removed as a whole; empty if none."""
    if found.optimum is None:
        return ""
    removed = found.removed_at(found.optimum)
    if not removed:
        return ""
    return tr(
        "No policy that keeps something of every quasi-identifier meets the "
        "thresholds. Removed as a whole: {names}.",
        names=", ".join(removed),
    )


def cost_words(found: LatticePolicies) -> str:
    """Say what importance and keeping something cost; empty if nothing or unknown."""
    known = found.preference_cost
    if known is None or not known[0] > known[1] * (1 + 1e-9):
        return ""
    text = share_text if found.guiding.unit == "share" else number_text
    return tr(
        "Importance and keeping something of every column cost this: counted with "
        "equal weights the policy loses {loss}, and the best policy without them "
        "{least}.",
        loss=text(known[0]),
        least=text(known[1]),
    )
