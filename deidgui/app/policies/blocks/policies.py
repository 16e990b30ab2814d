"""The policy that de-identification by blocks has found, and the steps to it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from deidgui.app.decides import Decides
from deidgui.app.policies.candidate import CandidateState
from deidgui.app.policies.figures import holds, measure_policy
from deidgui.app.policies.listed import Listed, MeasuredLater
from deidgui.engine.arrays import IntArray
from deidgui.engine.covering.blocks import BlockStep
from deidgui.engine.privacy import KnownAttributes, PrivacyModel
from deidgui.errors import InfeasibleError
from deidgui.monitor import Monitor


@dataclass(frozen=True, repr=False, eq=False)
class BlockPolicies(MeasuredLater):
    """The policy found by blocks; while the search runs, what it has come to.

    Parameters
    ----------
    steps : tuple of BlockStep
        In the order in which they were done.
    asked : KnownAttributes
        What must hold, the strictest of all such models together.
    sets : ndarray of int64, shape (n_blocks, block size)
        The blocks.
    limit : int
        Most records of which anything may be suppressed.
    models : tuple of PrivacyModel
        All conditions of the project.
    """

    decided_by: ClassVar[Decides] = Decides.BLOCKS
    is_listed: ClassVar[bool] = True

    steps: tuple[BlockStep, ...] = ()
    asked: KnownAttributes | None = None
    sets: IntArray | None = None
    limit: int = 0
    models: tuple[PrivacyModel, ...] = ()

    @property
    def of_model(self) -> KnownAttributes:
        """What must hold by few attributes."""
        assert self.asked is not None
        return self.asked

    @property
    def blocks(self) -> IntArray:
        """The blocks: int64, (n_blocks, block size)."""
        assert self.sets is not None
        return self.sets

    def nothing_meets(self) -> InfeasibleError:
        """Return the error that says what the policy fails.

        Codes ``blocks_over_limit``, ``blocks_models_fail``.
        """
        (listed,) = self.policies
        n_suppressed = listed.figures.n_suppressed or 0
        if n_suppressed > self.limit:
            return InfeasibleError(
                "blocks_over_limit", n_suppressed=n_suppressed, limit=self.limit
            )
        failing = [
            model.words()
            for model in self.models
            if not holds(listed.policy, self.class_table, [model])
        ]
        return InfeasibleError("blocks_models_fail", models=" ".join(failing))

    def measured(self, row: int, monitor: Monitor) -> Listed:
        """Measure a policy, and see whether all that is asked for holds."""
        del monitor
        each, table = self.policies[row], self.class_table
        figures = measure_policy(each.policy, table, self.guiding, self.weights).figures
        is_met = (figures.n_suppressed or 0) <= self.limit
        is_met = is_met and holds(each.policy, table, self.models)
        state = CandidateState.MEETS if is_met else CandidateState.FAILS
        return replace(each, figures=figures, state=state)
