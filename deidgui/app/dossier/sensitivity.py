"""What risks become if one thing is otherwise than stated: for page and evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from deidgui.app.determination.determination import assessment_of, context_of, is_begun
from deidgui.app.project import Project
from deidgui.engine.determination import DataRisk, PeopleRisk, sensitivity
from deidgui.engine.evidence.document import OneMore, RiskOfPeople, SensitivityCase


def is_measured(project: Project) -> bool:
    """Whether the whole table follows from what is said, once a policy is measured."""
    has_risk = project.kind == "table" and project.privacy.events is None
    return has_risk and assessment_of(project).attempt is not None


def sensitivity_facts(
    project: Project,
    average: float | None,
    highest: float | None,
    one_more: Sequence[OneMore] = (),
    people: Mapping[str, PeopleRisk] | None = None,
) -> tuple[SensitivityCase, ...]:
    """Return the cases; none if nothing was said about the context.

    Parameters
    ----------
    average, highest : float in [0, 1] or None
        Risks of the released records; None if none is released, or if events are
        known in part.
    one_more : sequence of OneMore
        Of the same release (see `deidgui.app.measuring.criteria`).
    people : mapping of str to PeopleRisk, optional
        Of the same release, where the population is known (see `Measured.people`).
    """
    if average is None or highest is None or not is_begun(project.context):
        return ()
    known = [DataRisk(e.attribute, e.average, e.highest) for e in one_more]
    cases = sensitivity(
        context_of(project.context), DataRisk("", average, highest), known, people
    )
    return tuple(
        SensitivityCase(
            kind=each.kind,
            column=each.risk.column,
            average=each.risk.average,
            highest=each.risk.highest,
            attempts=each.attempts,
            overall=each.overall,
            decides=each.decides,
            within=each.within,
            people=each.people and RiskOfPeople(**each.people._asdict()),
        )
        for each in cases
    )
