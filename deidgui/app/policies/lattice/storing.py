"""How policies of the lattice are rebuilt from what a project stores."""

from __future__ import annotations

from deidgui.app.classes import Classes
from deidgui.app.project import Chosen, ChosenRound, Project
from deidgui.engine.policy.policy import Policy, lattice_policy, local_policy
from deidgui.engine.privacy.suppression import conditions_of
from deidgui.text import tr


def lattice_rounds(chosen: Chosen, project: Project, classes: Classes) -> Policy:
    """Rebuild a stored policy of one or several rounds.

    Raises
    ------
    ConfigError
        As `lattice_policy`, if it does not fit the quasi-identifiers any more.
    """
    rounds: tuple[Chosen | ChosenRound, ...] = (chosen, *chosen.later)
    if chosen.later:
        classes.check_rows_agree(tr("local recoding"))
    conditions = conditions_of(project.privacy.models)
    hierarchies = classes.class_table.hierarchies
    return local_policy(
        [
            lattice_policy(
                hierarchies, each.levels, each.suppress_below, conditions=conditions
            )
            for each in rounds
        ],
        "chosen",
    )
