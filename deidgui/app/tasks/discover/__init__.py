"""Which policies are no riskier than a rule, and which of them is wanted?"""

from deidgui.app.tasks.discover.check import (
    check_discovery,
    ground_key,
    ground_problems,
    with_elements,
)
from deidgui.app.tasks.discover.comparing import BASELINE, Side, SideBySide, compare
from deidgui.app.tasks.discover.found import (
    Alternative,
    Counts,
    Discovered,
    Ordered,
    order,
)
from deidgui.app.tasks.discover.ground import Ground, lay_ground
from deidgui.app.tasks.discover.policy import bit_policy_from, policy_from
from deidgui.app.tasks.discover.run import discover
from deidgui.app.tasks.discover.space import (
    labels_in_order,
    preference_values,
    proposed_elements,
)

__all__ = [
    "BASELINE",
    "Alternative",
    "Counts",
    "Discovered",
    "Ground",
    "Ordered",
    "Side",
    "SideBySide",
    "bit_policy_from",
    "check_discovery",
    "compare",
    "discover",
    "ground_key",
    "ground_problems",
    "labels_in_order",
    "lay_ground",
    "order",
    "policy_from",
    "preference_values",
    "proposed_elements",
    "with_elements",
]
