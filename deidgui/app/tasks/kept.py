"""How do kept alternatives stand beside policies of the lattice?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from deidgui.app.project import Chosen, Project
from deidgui.app.tasks.acceptance import Accepted, judge
from deidgui.app.tasks.classes import Classes
from deidgui.app.tasks.discover.policy import policy_from
from deidgui.app.tasks.measuring import QualityFigure, quality_figures
from deidgui.engine.policy.policy import Policy
from deidgui.engine.policy.released import released_classes
from deidgui.engine.policy.words import Phrase, joined_text, phrases
from deidgui.errors import ConfigError
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor


@dataclass(frozen=True, repr=False, eq=False)
class KeptAlternative:
    """A policy of joined neighbours with the figures that policies are compared by.

    Parameters
    ----------
    chosen : Chosen
    policy : Policy
    accepted : Accepted
    n_records, n_classes, smallest_class : int
    quality : QualityFigure
        By the measure that guides the search.
    """

    chosen: Chosen
    policy: Policy
    accepted: Accepted
    n_records: int
    n_classes: int
    smallest_class: int
    quality: QualityFigure

    @property
    def phrases(self) -> tuple[Phrase, ...]:
        """What it does to each quasi-identifier."""
        return phrases(self.policy)

    @property
    def joined(self) -> tuple[str, ...]:
        """Which values are joined, by attribute, in brackets."""
        return tuple(map(joined_text, self.policy.maps))

    @property
    def average_risk(self) -> float:
        """Average risk of the prosecutor, in (0, 1]."""
        return self.n_classes / self.n_records

    @property
    def highest_risk(self) -> float:
        """Highest risk of the prosecutor, in (0, 1]."""
        return 1 / self.smallest_class


def kept_alternatives(
    project: Project,
    classes: Classes,
    candidates: Sequence[Chosen],
    *,
    monitor: Monitor = NULL_MONITOR,
) -> tuple[KeptAlternative, ...]:
    """Measure some policies of joined neighbours.

    Parameters
    ----------
    project : Project
    classes : Classes
    candidates : sequence of Chosen
        Those of other kinds are left out, and those that do not fit any more.
    monitor : Monitor, optional

    Returns
    -------
    tuple of KeptAlternative
    """
    found = []
    joined = [each for each in candidates if each.bits]
    for place, each in enumerate(joined):
        step = SubMonitor(monitor, place / len(joined), (place + 1) / len(joined))
        try:
            policy = policy_from(each, project, classes)
            accepted = judge(project, each, classes, monitor=step)
        except ConfigError:
            # Chosen for values or people of earlier decisions.
            continue
        released = released_classes(classes.class_table, policy)
        figures = quality_figures(project, classes.class_table, released)
        found.append(
            KeptAlternative(
                each,
                policy,
                accepted,
                classes.class_table.n_records,
                len(released.counts),
                int(released.counts.min()),
                figures[0],
            )
        )
    return tuple(found)
