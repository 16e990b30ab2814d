"""What is gained if suppressed records are released with other groups instead?"""

from __future__ import annotations

from dataclasses import dataclass

from deidgui.app.project import Chosen, ChosenRound, Project
from deidgui.app.tasks.classes import Classes
from deidgui.app.tasks.searching import (
    allowed_levels,
    check_search,
    weights_of,
)
from deidgui.engine.policy.words import sentence
from deidgui.engine.search.local_recoding import LocalResult, search_local
from deidgui.monitor import NULL_MONITOR, Monitor


@dataclass(frozen=True, repr=False, eq=False)
class FoundRounds:
    """The best policy of several rounds that was found."""

    result: LocalResult

    @property
    def words(self) -> str:
        """The policy in one line."""
        found = self.result.released
        n_records = int(found.counts.sum())
        return sentence(
            self.result.policy, found.n_suppressed, n_records, found.n_later
        )

    @property
    def gain(self) -> float | None:
        """Loss of the best policy of one round minus that of this one.

        None if no policy of one round meets the thresholds; 0 if rounds gain
        nothing.
        """
        single = self.result.single_loss
        return None if single is None else single - self.result.loss

    def choice(self, note: str = "") -> Chosen:
        """Return the policy as it is stored in a project."""
        first, *later = self.result.policy.rounds
        return Chosen(
            kind="local_recoding" if later else "lattice",
            levels=first.levels,
            suppress_below=first.suppress_below,
            later=tuple(
                ChosenRound(levels=each.levels, suppress_below=each.suppress_below)
                for each in later
            ),
            note=note,
        )


def search_rounds(
    project: Project, classes: Classes, *, monitor: Monitor = NULL_MONITOR
) -> FoundRounds | None:
    """Search several rounds under the project's thresholds.

    Returns
    -------
    FoundRounds or None
        None if nothing was found that meets the thresholds.

    Raises
    ------
    DeidError
        As `check_search` and `search_local`.
    """
    check_search(project)
    limit = project.privacy.suppression_limit
    assert limit is not None
    lowest, highest = allowed_levels(project.quasi_identifiers, classes.class_table)
    result = search_local(
        classes.class_table,
        project.privacy.models,
        limit,
        project.quality.measure,
        weights_of(project),
        lowest,
        highest,
        monitor=monitor,
    )
    return None if result is None else FoundRounds(result)
