"""What the context of a release allows: conditions, and the models that meet them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from deidgui.app.determination.context_words import RELEASES, result_words
from deidgui.app.determination.recipients import BY_KIND
from deidgui.app.project import ContextChoice, EventsKnown, Project
from deidgui.engine.determination import (
    ATTACKS,
    BY_KEY,
    Assessment,
    Context,
    assess,
    threshold_of,
    threshold_text,
)
from deidgui.engine.evidence.entered import Entered
from deidgui.engine.privacy import (
    AverageProsecutorRisk,
    HighestProsecutorRisk,
    PrivacyModel,
)
from deidgui.errors import ConfigError
from deidgui.lazy import LazyModule
from deidgui.text import Text, per_cent, tr

if TYPE_CHECKING:
    from deidgui.engine.evidence import document
else:
    # PERF: who asks what is open waits for no model of the evidence.
    document = LazyModule("deidgui.engine.evidence.document")

_AVERAGE: Text = "Average risk that the context allows"
_HIGHEST: Text = "Highest risk that the context allows"
_TITLES: Mapping[str, Text] = {"average": _AVERAGE, "highest": _HIGHEST}
_ROUNDING = 1e-12


@dataclass(frozen=True)
class AllowedRisk:
    """The risk in the data is at most what the context allows.

    Parameters
    ----------
    measure : str
        Whether the average counts, or the highest of all records.
    limit : float in (0, 1]
    is_cap : bool
        Whether it is the cap of a strict average, not the limit of the context.
    """

    measure: Literal["average", "highest"]
    limit: float
    is_cap: bool = False

    assumptions: ClassVar[tuple[str, ...]] = (
        "quasi_identifiers_complete",
        "one_record_per_person",
        "context_as_stated",
    )
    vetted: ClassVar[bool] = False

    @property
    def kind(self) -> str:
        """How it is called in projects, evidence and on the command line."""
        return f"context_{self.measure}"

    @property
    def title(self) -> Text:
        """Its name for people."""
        return _TITLES[self.measure]

    @property
    def model(self) -> PrivacyModel:
        """The privacy model that asks for the same."""
        if self.measure == "average":
            return AverageProsecutorRisk(self.limit)
        return HighestProsecutorRisk(self.limit)

    def holds(self, average: float, highest: float) -> bool:
        """Whether risks in the data are within it."""
        found = average if self.measure == "average" else highest
        return found <= self.limit + _ROUNDING

    def words(self) -> str:
        """Say in one plain sentence what is true of a release that meets it."""
        limit = threshold_text(self.limit)
        if self.measure == "average":
            return tr(
                "The average risk in the data is at most {limit}, which the context "
                "of the release allows.",
                limit=limit,
            )
        if self.is_cap:
            return tr(
                "No record has a risk above {limit}, whatever the average is.",
                limit=limit,
            )
        return tr(
            "No record has a risk above {limit}, which the context of the release "
            "allows.",
            limit=limit,
        )

    def to_json(self) -> dict[str, Any]:
        """As it is stated in evidence."""
        return {"kind": self.kind, "limit": self.limit, "is_cap": self.is_cap}


def read_allowed(stored: Mapping[str, Any]) -> AllowedRisk | None:
    """Return a condition from what `AllowedRisk.to_json` made; None if it is not."""
    measure = str(stored.get("kind", "")).removeprefix("context_")
    limit, is_cap = stored.get("limit"), stored.get("is_cap")
    if measure not in _TITLES or not isinstance(limit, float):
        return None
    found = AllowedRisk(
        "average" if measure == "average" else "highest", limit, bool(is_cap)
    )
    return found if found.to_json() == dict(stored) else None


def is_begun(choice: ContextChoice) -> bool:
    """Whether anything is said about the context."""
    return choice != ContextChoice()


def typed_fields(choice: ContextChoice) -> dict[str, Any]:
    """Return what is typed or chosen of a context, by name; answers have their own."""
    rest = {"agreement", "answers", "attacks", "signed"}
    own = {name: value for name, value in choice if name not in rest}
    return own | {f"agreement.{name}": value for name, value in choice.agreement}


def unsigned(choice: ContextChoice) -> tuple[str, ...]:
    """Return fields, questions and attacks of which nobody says: I have entered it.

    Figures follow from them, so that a release is stopped by what was entered; the
    items of the dossier that need them are not complete, and nobody determines.
    """
    texts = tuple(
        name
        for name, value in typed_fields(choice).items()
        if value not in (None, "") and not choice.signed.get(name, Entered()).is_signed
    )
    entered = {**choice.answers, **choice.attacks}
    return (*texts, *(key for key, each in entered.items() if not each.is_signed))


def context_of(choice: ContextChoice) -> Context:
    """Return what counts of a context.

    A question that does not apply without a reason, a breach rate without its source
    and year, a threshold of one's own without a reason, and an attack that is excluded
    without a reason that somebody has signed, are not said.
    """
    answers = {
        key: each.answer
        for key, each in choice.answers.items()
        if each.answer != "does_not_apply" or each.proof.strip()
    }
    has_source = bool(choice.breach_source.strip()) and choice.breach_year is not None
    threshold = None
    if choice.threshold is not None and choice.threshold_because.strip():
        threshold = threshold_of(choice.threshold)
    return Context(
        release=choice.release,
        has_agreement=bool(choice.agreement.reference.strip()),
        answers=answers,
        matrix=choice.matrix,
        prevalence=choice.prevalence,
        acquaintances=choice.acquaintances,
        breach_rate=choice.breach_rate if has_source else None,
        threshold=threshold,
        excluded=frozenset(
            name for name, each in choice.attacks.items() if each.is_excluded
        ),
    )


def assessment_of(project: Project) -> Assessment:
    """Return what follows from what is said about the context."""
    return assess(context_of(project.context))


@dataclass(frozen=True)
class ContextProgress:
    """How much of the context is said.

    Parameters
    ----------
    open : tuple of str
        Names of fields and keys of questions, in the order of the page.
    """

    open: tuple[str, ...]
    n_asked: int

    @property
    def n_said(self) -> int:
        """What is said of all that is asked."""
        return self.n_asked - len(self.open)


def progress_of(project: Project) -> ContextProgress:
    """Count what is said and what is open, recipient and purpose included."""
    choice, found = project.context, assessment_of(project)
    texts = {"recipient": choice.recipient, "purpose": choice.purpose}
    if choice.release == "public":
        # Anybody is the recipient.
        del texts["recipient"]
    left = tuple(name for name, text in texts.items() if not text.strip())
    return ContextProgress((*left, *found.open), found.n_asked + len(texts))


def allowed_risks(project: Project) -> tuple[AllowedRisk, ...]:
    """Return the limits of the risk in the data; none while the context is open."""
    if project.kind != "table" or not is_begun(project.context):
        return ()
    return tuple(
        AllowedRisk(each.measure, each.limit, each.is_cap)
        for each in assessment_of(project).allowed
    )


def judged_risks(project: Project) -> tuple[AllowedRisk, ...]:
    """Return the limits that class sizes are judged by.

    Where events are known in part, risk is no matter of class sizes: see
    `events_problem`.
    """
    return () if project.privacy.events is not None else allowed_risks(project)


def events_problem(project: Project) -> ConfigError | None:
    """Say that people with known events may be matched with a higher probability.

    The largest matching probability is then the risk in the data, whatever measure
    the context asks for: the stricter reading.
    """
    events = project.privacy.events
    limits = [each.limit for each in allowed_risks(project)]
    if events is None or not limits or events.threshold <= min(limits) + _ROUNDING:
        return None
    return ConfigError(
        "context_events",
        threshold=per_cent(events.threshold),
        limit=threshold_text(min(limits)),
        number=f"{min(limits):.9g}",
    )


def is_asked(project: Project, risk: AllowedRisk) -> bool:
    """Whether a privacy model of the project asks for the same, or for more."""
    wanted = risk.model
    return any(
        type(each) is type(wanted)
        and each.problem is None
        and getattr(each, "threshold", 1.0) <= risk.limit + _ROUNDING
        for each in project.privacy.models
    )


def allowed_words(model: PrivacyModel, allowed: Iterable[AllowedRisk]) -> str:
    """Say what the context allows of the risk that a model limits; empty if nothing.

    Parameters
    ----------
    allowed : iterable of AllowedRisk
        Of the project; see `allowed_risks`.
    """
    wanted = next((e for e in allowed if type(e.model) is type(model)), None)
    asked = getattr(model, "threshold", None)
    if wanted is None or asked is None:
        return ""
    limit = threshold_text(wanted.limit)
    if asked > wanted.limit + _ROUNDING:
        return tr(
            "Looser than the context of the release, which allows {limit}: a release "
            "above that is stopped.",
            limit=limit,
        )
    if asked < wanted.limit - _ROUNDING:
        return tr(
            "Stricter than the context of the release, which allows {limit}.",
            limit=limit,
        )
    if wanted.is_cap:
        return tr(
            "Why: where the average decides, no record may be above {limit}.",
            limit=limit,
        )
    return tr("Why: the context of the release allows {limit}.", limit=limit)


def lacking(project: Project) -> tuple[AllowedRisk, ...]:
    """Return what the context asks for and no privacy model does yet."""
    return tuple(e for e in judged_risks(project) if not is_asked(project, e))


def with_allowed(project: Project) -> Project:
    """Return the project with privacy models for what the context allows.

    Stricter models stay; looser ones of the same kind are replaced. Where events are
    known in part, the largest matching probability is lowered.
    """
    privacy = project.privacy
    limits = [each.limit for each in allowed_risks(project)]
    if privacy.events is not None:
        if events_problem(project) is None:
            return project
        events: EventsKnown = privacy.events.but(threshold=min(limits))
        return project.but(privacy=privacy.but(events=events))
    new = [each.model for each in lacking(project)]
    kinds = {each.kind for each in new}
    kept = [each for each in privacy.models if each.kind not in kinds]
    return project.but(privacy=privacy.asking((*new, *kept)))


# -- evidence --------------------------------------------------------------------------


def context_facts(
    project: Project, average: float | None, highest: float | None
) -> document.Context | None:
    """Return what the evidence states of the context; None if nothing was said.

    Parameters
    ----------
    average, highest : float in [0, 1] or None
        Risks of the released records; None if none is released.
    """
    choice = project.context
    if not is_begun(choice):
        return None
    found, progress = assessment_of(project), progress_of(project)
    overall = {}
    if average is not None and highest is not None and found.release is not None:
        overall = found.overall(average, highest)
    return document.Context(
        release=choice.release,
        counts_as=found.release,
        recipient=choice.recipient,
        purpose=choice.purpose,
        agreement=choice.agreement,
        answers={
            key: document.StatedAnswer(
                question=tr(BY_KEY[key].text), **choice.answers[key].model_dump()
            )
            for key in BY_KEY
            if key in choice.answers
        },
        attacks={
            name: choice.attacks[name] for name in ATTACKS if name in choice.attacks
        },
        matrix=choice.matrix,
        prevalence=choice.prevalence,
        prevalence_of=choice.prevalence_of,
        acquaintances=choice.acquaintances,
        breach_rate=choice.breach_rate,
        breach_source=choice.breach_source,
        breach_year=choice.breach_year,
        own_threshold=choice.threshold,
        own_threshold_because=choice.threshold_because,
        signed={name: choice.signed[name] for name in sorted(choice.signed)},
        asked=progress.n_asked,
        open=progress.open,
        score=found.score,
        controls=found.controls,
        motives=found.motives,
        invasion=found.invasion,
        points=found.invasion_points,
        attempts=found.attempts,
        attempt=found.attempt,
        threshold=None if found.threshold is None else float(found.threshold),
        measure=found.measure,
        limit=found.limit,
        overall=overall,
        words=result_words(found),
    )


def other_recipient_words(project: Project) -> str:
    """Say that the thresholds are for others than the context; empty if they fit."""
    recipient = project.privacy.threshold.recipient
    release = project.context.release
    if release is None or recipient in (None, "own"):
        return ""
    if (recipient == "public") == (release != "non_public"):
        return ""
    return tr(
        "Recipient and context differ: the thresholds are for “{recipient}”, and the "
        "context says “{release}”.",
        recipient=tr(BY_KIND[recipient].title),
        release=tr(RELEASES[release]),
    )
