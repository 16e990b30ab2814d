"""What people enter by name and day, as project and evidence hold it."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

LONGEST_TEXT = 2000
"""Letters of what a person says."""

LONGEST_NAME = 200
"""Letters of who says it."""


def _of_calendar(text: str) -> str:
    """Refuse a day that there is not; days are compared as texts."""
    if text:
        date.fromisoformat(text)
    return text


Date = Annotated[
    str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$"), AfterValidator(_of_calendar)
]
"""A date as 2026-11-23."""

Day = Annotated[
    str, Field(pattern=r"^(\d{4}-\d{2}-\d{2})?$"), AfterValidator(_of_calendar)
]
"""A date as 2026-11-23; empty while nobody has said it."""

Said = Annotated[str, Field(max_length=LONGEST_TEXT)]
"""In a person's own words; empty while nobody has said it."""

Name = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]
"""Who decided or did something."""


class Part(BaseModel):
    """Base of all parts of project and evidence: frozen, no unknown fields, no NaN."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        allow_inf_nan=False,
        validate_by_name=True,
        serialize_by_alias=True,
    )

    def but(self, **changes: Any) -> Self:
        """Return the same part with some fields changed, validated again."""
        fields = {name: getattr(self, name) for name in type(self).model_fields}
        return type(self)(**{**fields, **changes})


class Whole(Part):
    """A part of which every field decides whatever the part decides."""


class Entered(Whole):
    """Something that a person has entered.

    Attributes
    ----------
    by, on : str
        Who entered it, and when.
    """

    by: Said = ""
    on: Day = ""

    @property
    def is_signed(self) -> bool:
        """Whether somebody stands for it: with a name and a day."""
        return bool(self.by.strip() and self.on)


Degree = Literal["low", "medium", "high"]


class Principles(Entered):
    """What a person says of a column that outsiders may know.

    Nothing of it is assumed: what is proposed counts when a person accepts it.

    Attributes
    ----------
    replicability : str or None
        How far a value stays the same each time that it is recorded.
    availability : str or None
        How easily somebody gets the value together with a name.
    knowable_by : str or None
        Widest circle of those who can know it of a person.
    sources : str
        Where the value stands with a name.
    because : str
        Why a column that is released is no quasi-identifier.
    is_proposal : bool
        Whether a proposal was accepted as it is.
    """

    replicability: Degree | None = None
    availability: Degree | None = None
    knowable_by: Literal["nobody", "recipient", "acquaintances", "anybody"] | None = (
        None
    )
    sources: Said = ""
    because: Said = ""
    is_proposal: bool = False


class Entry(Entered):
    """A text that a person has entered for the dossier of a release."""

    text: Said = ""

    @property
    def counts(self) -> bool:
        """Whether something is said, and by whom and when."""
        return bool(self.text.strip()) and self.is_signed


class Agreement(Whole):
    """The agreement with the recipient; its clauses are answers to questions.

    Attributes
    ----------
    reference : str
        By which it is found; without one there is none.
    begins, ends : str
        Dates.
    """

    reference: Said = ""
    parties: Said = ""
    begins: Day = ""
    ends: Day = ""


class AttackRelevance(Entered):
    """Whether a kind of attack is relevant for a release, as a person holds.

    Attributes
    ----------
    because : str
        An attack is excluded only with a reason that somebody has signed.
    """

    relevant: bool
    because: Said = ""

    @property
    def is_excluded(self) -> bool:
        """Whether it does not count for the probability of an attempt."""
        return not self.relevant and bool(self.because.strip()) and self.is_signed


TriggerKind = Literal[
    "incident",
    "match",
    "recipient",
    "source",
    "release",
    "law",
    "error",
    "drift",
    "extract",
    "policy",
    "people",
    "comparison",
    "table",
]
"""Why a determination does not hold any more, before its end."""


class TriggerMet(Whole):
    """Something has happened after which a determination does not hold.

    Attributes
    ----------
    kind : str
        incident; match: somebody says that they recognised a person; recipient: it, its
        staff, place or controls changed; source: a new register, tool or attack;
        release: another one about the same people; law; error: in this program; drift:
        the data are not what they were; extract, policy, people: another file, policy
        or number of people than in an earlier release; comparison: with an earlier
        release, somebody has given it up; table: with another release, a register or
        people held out, somebody has given that up.
    because : str
        What happened, in a person's own words.
    by, on : str
        Who entered it, and when.
    digest : str
        By what a trigger that the program measured is known again; empty of others.
    """

    digest: str = Field("", pattern="^([0-9a-f]{64})?$")
    kind: TriggerKind
    because: Said = Field(min_length=1)
    by: Name
    on: Date


class Period(Whole):
    """From when until when somebody has decided that a determination holds.

    Attributes
    ----------
    begins, ends : str
        The first and the last day.
    because : str
        Why; needed for more than 36 months.
    by, on : str
        Who decided it, and when.
    after : tuple of TriggerMet
        That had been met before, and in view of which it was decided.
    """

    begins: Date
    ends: Date
    because: Said = ""
    by: Name
    on: Date
    after: tuple[TriggerMet, ...] = ()


IntruderKind = Literal["intruder", "insider", "rogue", "hacker"]
"""intruder: competent, with public sources, knowing nobody; insider: knows people;
rogue: somebody of the recipient; hacker: breaks in."""


class IntruderTest(Whole):
    """What somebody tried in order to find people in a release, and what came of it.

    Attributes
    ----------
    tried_by : str
        Who tried, and what they can do.
    tested : str
        Which table they were given, and of when.
    sources : str
        What they used.
    targets : int
        Records whom they looked for.
    claimed, verified : int
        Records of which they named a person, and of which the name was right.
    by, on : str
        Who entered it, and when.
    """

    kind: IntruderKind
    tried_by: Said = Field(min_length=1)
    tested: Said = Field(min_length=1)
    sources: Said = Field(min_length=1)
    targets: int = Field(ge=1, le=1_000_000)
    hours: float = Field(gt=0, le=100_000)
    claimed: int = Field(ge=0)
    verified: int = Field(ge=0)
    by: Name
    on: Date

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if not self.verified <= self.claimed <= self.targets:
            raise ValueError("verified are among the claimed, these among the targets")
        return self
