"""Thresholds that are not met: what stops a release, and what a person overruled."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from deidgui.app.changes import fingerprint
from deidgui.app.decides import Decides
from deidgui.app.determination.determination import AllowedRisk, judged_risks, lacking
from deidgui.app.events_known import PeopleAtRisk, condition_of
from deidgui.app.project import Overruling, Project, signature
from deidgui.app.stated import overruled_warning
from deidgui.engine.evidence import document
from deidgui.engine.privacy import PrivacyModel
from deidgui.errors import ConfigError, DeidError, InfeasibleError
from deidgui.text import Text, per_cent, tr, unit_words


class Verdict(Protocol):
    """Whether a policy meets one privacy model."""

    @property
    def model(self) -> PrivacyModel | PeopleAtRisk | AllowedRisk:
        """The model."""
        ...

    @property
    def satisfied(self) -> bool:
        """Whether it holds."""
        ...


class Judged(Protocol):
    """What a measured policy tells about conditions (see `Measured`)."""

    @property
    def verdicts(self) -> Sequence[Verdict]:
        """One per privacy model of the project, and one for people at risk."""
        ...

    @property
    def exceeds_limit(self) -> bool:
        """Whether more is suppressed than allowed."""
        ...

    @property
    def problems(self) -> Sequence[DeidError]:
        """Why a discovered policy must not be released, besides privacy models."""
        ...

    @property
    def unit(self) -> object | None:
        """What is known of people, where rows belong to people."""
        ...


@dataclass(frozen=True)
class SuppressionLimit:
    """The condition that no more than a share of the records is suppressed.

    Parameters
    ----------
    limit : float in [0, 1]
    of_people : bool
        Whether these records are people, each with one or more rows.
    """

    limit: float
    of_people: bool = False

    kind: ClassVar[str] = "suppression_limit"
    title: ClassVar[Text] = "Suppression limit"

    def words(self) -> str:
        """Say in one plain sentence what is true of a release that meets it."""
        return tr(
            "At most {share} of the {unit} are suppressed.",
            share=per_cent(self.limit, 6),
            unit=unit_words(self.of_people),
        )

    def to_json(self) -> dict[str, Any]:
        """As it is kept in a project, and stated in evidence."""
        return {"kind": self.kind, "limit": self.limit}


Condition = PrivacyModel | PeopleAtRisk | AllowedRisk | SuppressionLimit
"""What a person may overrule."""


@dataclass(frozen=True)
class Overruled:
    """A condition that does not hold, with the reason to release all the same.

    Parameters
    ----------
    given : Overruling or None
        None while nobody has overruled it.
    """

    model: Condition
    given: Overruling | None = None

    @property
    def because(self) -> str:
        """The reason; empty while nobody has overruled it."""
        return "" if self.given is None else self.given.because


def overruling_print(project: Project) -> str:
    """Fingerprint of what an overruling is about: all decisions on the figures."""
    return fingerprint(project, Decides.MEASUREMENT)


def limit_condition(project: Project, *, of_people: bool) -> SuppressionLimit:
    """Return the suppression limit of a project as a condition."""
    return SuppressionLimit(project.privacy.suppression_limit or 0.0, of_people)


def unmet_models(project: Project, measured: Judged) -> tuple[Overruled, ...]:
    """Return the conditions that a policy does not meet.

    Returns
    -------
    tuple of Overruled
        Privacy models in the order of the project, then the suppression limit; each
        with the reason if one was given for exactly these decisions.
    """
    about = overruling_print(project)
    given = [each for each in project.overrulings if each.about == about]

    def reason(model: Condition) -> Overruling | None:
        stored = model.to_json()
        return next((each for each in given if each.model == stored), None)

    unmet: list[Condition] = [
        each.model for each in measured.verdicts if not each.satisfied
    ]
    if measured.exceeds_limit:
        of_people = measured.unit is not None
        unmet.append(limit_condition(project, of_people=of_people))
    return tuple(Overruled(each, reason(each)) for each in unmet)


def is_overruled(project: Project, measured: Judged, kind: str) -> bool:
    """Whether a person has overruled a condition of some kind that is not met."""
    found = overruled(project, measured)
    return any(each.model.kind == kind for each in found)


def overruled(project: Project, measured: Judged) -> tuple[Overruled, ...]:
    """Return the conditions that are not met and that a person has overruled."""
    return tuple(each for each in unmet_models(project, measured) if each.because)


def problems_left(project: Project, measured: Judged) -> tuple[DeidError, ...]:
    """Return why a policy must not be released, besides thresholds.

    A comparison that lacks the people of the region justifies nothing; where a person
    has overruled every threshold that is not met, the release does not rest on it.
    """
    unmet = unmet_models(project, measured)
    rests_on_person = bool(unmet) and all(each.because for each in unmet)
    return tuple(
        each
        for each in measured.problems
        if each.code != "acceptance_lacks_population" or not rests_on_person
    )


def check_thresholds(project: Project, measured: Judged) -> None:
    """See that every privacy model that is set is met, or overruled.

    Raises
    ------
    InfeasibleError
        Code ``thresholds_unmet``; ``context_exceeded`` where the context allows less
        than any privacy model asks for, so that another search is needed.
    """
    open_ones = [e.model for e in unmet_models(project, measured) if not e.because]
    left = [each for each in open_ones if not isinstance(each, SuppressionLimit)]
    if left:
        is_unasked = any(each in lacking(project) for each in left)
        raise InfeasibleError(
            "context_exceeded" if is_unasked else "thresholds_unmet",
            n_unmet=len(left),
            n_models=len(measured.verdicts),
            models=tuple(tr(each.title) for each in left),
            kind=name_of(left[0]),
            kinds=tuple(map(name_of, left)),
        )


def conditions_called(project: Project, name: str) -> tuple[Condition, ...]:
    """Return what may be overruled under a name.

    Parameters
    ----------
    name : str
        ``KIND`` or ``KIND:COLUMN`` of a privacy model, ``events_known``,
        ``context_average``, ``context_highest`` or ``suppression_limit``.

    Raises
    ------
    ConfigError
        Code ``model_not_set`` with those that are.
    """
    if name == SuppressionLimit.kind:
        return (limit_condition(project, of_people=project.key is not None),)
    at_risk = condition_of(project)
    if at_risk is not None and name == PeopleAtRisk.kind:
        return (at_risk,)
    of_context = tuple(e for e in judged_risks(project) if e.kind == name)
    if of_context:
        return of_context
    try:
        return models_called(project, name)
    except ConfigError as error:
        more = [] if at_risk is None else [at_risk.kind]
        more += [each.kind for each in judged_risks(project)]
        known = (*names_of(project), *more, SuppressionLimit.kind)
        raise ConfigError(error.code, name=name, known=known) from None


def models_called(project: Project, name: str) -> tuple[PrivacyModel, ...]:
    """Return the models of a project with a kind, or a kind and a column.

    Parameters
    ----------
    name : str
        ``KIND`` or ``KIND:COLUMN``.

    Raises
    ------
    ConfigError
        Code ``model_not_set`` with those that are.
    """
    kind, _, column = name.partition(":")
    found = tuple(
        each
        for each in project.privacy.models
        if each.kind == kind and column in ("", getattr(each, "attribute", ""))
    )
    if not found:
        raise ConfigError("model_not_set", name=name, known=names_of(project))
    return found


def names_of(project: Project) -> tuple[str, ...]:
    """How the command line names the models of a project."""
    return tuple(dict.fromkeys(map(name_of, project.privacy.models)))


def name_of(model: Condition) -> str:
    """Return the kind of a model, with its sensitive column if it has one."""
    column = getattr(model, "attribute", "")
    return f"{model.kind}:{column}" if column else model.kind


def with_overruling(
    project: Project,
    models: Iterable[Condition],
    because: str,
    by: str = "",
    on: str = "",
) -> Project:
    """Return the project with some conditions overruled under the decisions of now.

    Parameters
    ----------
    by, on : str
        Who says so, and the date; what nobody signs leaves the dossier incomplete.
    """
    about, signed = overruling_print(project), signature(by, on).model_dump()
    new = [
        Overruling(model=each.to_json(), because=because, about=about, **signed)
        for each in models
    ]
    replaced = [each.model for each in new]
    kept = [each for each in project.overrulings if each.model not in replaced]
    return project.but(overrulings=(*kept, *new))


def overruled_facts(project: Project, measured: Judged) -> list[document.Overruled]:
    """Return the models that are not met with the reasons to overrule them."""
    return [
        document.Overruled(
            **each.model.to_json(),
            words=each.model.words(),
            because=each.given.because,
            by=each.given.by,
            on=each.given.on,
        )
        for each in overruled(project, measured)
        if each.given is not None
    ]


def overruled_warnings(project: Project, measured: Judged) -> list[str]:
    """Say first what is not met; a reader must not have to look for it."""
    return [
        overruled_warning(each.model.words(), each.because)
        for each in overruled(project, measured)
    ]
