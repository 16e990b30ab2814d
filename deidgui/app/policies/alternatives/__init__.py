"""Which policies are no riskier than a rule, and which of them is wanted?"""

from deidgui.app.policies.alternatives.basis import Basis, compute_basis
from deidgui.app.policies.alternatives.checking import (
    basis_key,
    basis_problems,
    check_discovery,
    with_elements,
)
from deidgui.app.policies.alternatives.comparing import (
    BASELINE,
    Side,
    SideBySide,
    compare,
)
from deidgui.app.policies.alternatives.policies import (
    Alternative,
    AlternativePolicies,
    Counts,
    Ordered,
    order,
)
from deidgui.app.policies.alternatives.searching import discover
from deidgui.app.policies.alternatives.space import (
    labels_in_order,
    preference_values,
    proposed_elements,
)
from deidgui.app.policies.alternatives.storing import bit_policy_from, policy_from

__all__ = [
    "BASELINE",
    "Alternative",
    "AlternativePolicies",
    "Basis",
    "Counts",
    "Ordered",
    "Side",
    "SideBySide",
    "basis_key",
    "basis_problems",
    "bit_policy_from",
    "check_discovery",
    "compare",
    "compute_basis",
    "discover",
    "labels_in_order",
    "order",
    "policy_from",
    "preference_values",
    "proposed_elements",
    "with_elements",
]
