"""Everything the user decided, and nothing of the patients' data."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from datetime import date
from functools import cached_property
from typing import Annotated, Any, Literal, Self

from pydantic import (
    Field,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from deidgui.app.decides import Changes, Decides, Only
from deidgui.engine.counts.noise.rules import NOISE_RULES, NoiseRule
from deidgui.engine.determination import (
    BY_KEY,
    MATRICES,
    MAY_NOT_APPLY,
    OF_COLUMNS,
    TYPED,
    is_long,
    threshold_of,
)
from deidgui.engine.evidence.entered import (
    LONGEST_TEXT,
    Agreement,
    AttackRelevance,
    Date,
    Day,
    Entered,
    Entry,
    IntruderTest,
    Name,
    Part,
    Period,
    Principles,
    Said,
    TriggerMet,
    Whole,
)
from deidgui.engine.preparation import STEPS, Step
from deidgui.engine.privacy import (
    PRIVACY_MODELS,
    HighestProsecutorRisk,
    KnownAttributes,
    PrivacyModel,
)
from deidgui.engine.quality import QUALITY_MEASURES, Loss, QualityMeasure

FORMAT: Literal["deidgui-project"] = "deidgui-project"
VERSION: Literal[1] = 1

MANY_SETS = 500
"""Sets of few attributes, more of which are too many to look at for each policy."""


class DialectChoice(Whole):
    """How the text of an input file is cut into cells."""

    delimiter: str = Field(",", min_length=1, max_length=1)
    quote: Literal['"', "'", ""] = '"'
    skip_blanks: bool = False
    header: bool = True
    encoding: str = "utf-8"
    skip_lines: int = Field(0, ge=0)
    skip_ragged: bool = False


EVENTS_NAME = r"^[a-z][a-z0-9_]{0,39}$"
"""Of an input of the project that holds events."""


class InputFile(Part):
    """One file the project reads.

    Attributes
    ----------
    name : str
        Role of the file: "table", "people", "population", or the name of a further
        table of events (see `LinkChoice`).
    file : str
        Path as the user chose it, relative to the project where possible.
    member : str or None
        Member of a zip archive.
    sha256 : str
        Of the file's bytes when it was last read.
    country : str or None
        Two letters, if a person has said where the file comes from; None lets the
        program find it.
    header_in_doubt : bool
        Whether a person must still say if the first record holds the column names.
    header_confirmed : bool
        Whether a person has said what the first record holds.
    n_left_out : int
        Records of the wrong length that were left out by a person's word.
    """

    name: Annotated[str, Decides.NOTHING] = "table"
    file: Annotated[str, Decides.NOTHING]
    member: Annotated[str | None, Decides.VALUES] = None
    sha256: Annotated[str, Decides.VALUES] = ""
    n_bytes: Annotated[int, Decides.VALUES] = Field(0, ge=0)
    n_rows: Annotated[int, Decides.VALUES] = Field(0, ge=0)
    dialect: Annotated[DialectChoice, Decides.VALUES] = DialectChoice()
    country: Annotated[str | None, Decides.QUESTIONS] = Field(
        None, pattern="^[A-Z]{2}$"
    )
    header_in_doubt: Annotated[bool, Decides.RELEASE] = False
    header_confirmed: Annotated[bool, Decides.RELEASE] = False
    n_left_out: Annotated[int, Decides.RELEASE] = Field(0, ge=0)


MOST_LINKS = 20
"""Tables of events in one project."""


class LinkChoice(Part):
    """How a table of events is linked to a table of people, one row each.

    Attributes
    ----------
    table, people : str
        Names of the two inputs. That of a further table of events is added to the
        names of its columns that another table has, too.
    column : str
        Key in the table of events; the linked table calls it as the first one does.
    people_column : str
        Key in the table of people.
    orphans : str or None
        What happens to events that belong to nobody in the table of people: left_out;
        None while nobody has decided, and nothing is released then.
    n_orphans, n_keyless : int
        Events whose key no person has, and those without a key.
    n_without_events : int
        People without an event in this table; they are kept.
    """

    table: Annotated[str, Decides.VALUES] = Field("table", pattern=EVENTS_NAME)
    people: Annotated[Literal["people"], Decides.VALUES] = "people"
    column: Annotated[str, Decides.VALUES] = Field(min_length=1)
    people_column: Annotated[str, Decides.VALUES] = Field(min_length=1)
    orphans: Annotated[Literal["left_out"] | None, Decides.RELEASE] = None
    n_orphans: Annotated[int, Decides.RELEASE] = Field(0, ge=0)
    n_keyless: Annotated[int, Decides.RELEASE] = Field(0, ge=0)
    n_without_events: Annotated[int, Decides.RELEASE] = Field(0, ge=0)

    @property
    def n_left_out(self) -> int:
        """Events that belong to nobody in the table of people."""
        return self.n_orphans + self.n_keyless


class UnitOfProtection(Whole):
    """Who is protected: of whom every class, risk, limit and sample is counted.

    Attributes
    ----------
    kind : str
        row: each row is one person. key: rows belong to people, by a column that
        says to whom.
    column : str or None
        Goes with a key.
    """

    kind: Literal["row", "key"]
    column: str | None = Field(None, min_length=1)

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if (self.kind == "key") != (self.column is not None):
            raise ValueError("a column goes with a key")
        return self


class HierarchyChoice(Whole):
    """Where the hierarchy of an attribute comes from: a rule, a CSV, or both.

    With both, the CSV holds what was edited by hand and the rule covers values
    that the CSV does not know.
    """

    rule: dict[str, Any] | None = None
    csv: str | None = None


def signature(by: str, on: str) -> Entered:
    """Return who enters something, and when; nobody without a name."""
    return Entered(by=by, on=on) if by.strip() else Entered()


def signatures(
    known: Mapping[str, Entered], names: Iterable[str], by: str, on: str
) -> dict[str, Entered]:
    """Return signatures after some fields were changed.

    A change that nobody signs takes the signature of the one before away.
    """
    meant = set(names)
    found = {name: each for name, each in known.items() if name not in meant}
    if by.strip():
        found |= dict.fromkeys(sorted(meant), Entered(by=by, on=on))
    return found


ROLES_WITH_REASON = ("sensitive", "insensitive")
"""Of columns that are released and of which a person says why they are no
quasi-identifiers."""


class Attribute(Part):
    """What was decided about one column.

    Attributes
    ----------
    role : str or None
        None only while a proposal has not been taken over.
    confirmed : bool
        Whether a person has set or confirmed the role.
    taken_over : bool
        Whether it was confirmed with all certain proposals at once, not looked at
        by itself.
    treatment : str or None
        Of a direct identifier: remove, pseudonym or mask.
    kind, format : str
        Value type and its date format or decimal mark.
    open_formats : tuple of str
        Formats between which the values do not decide and nobody has decided yet; the
        first one is `format`.
    missing : tuple of str
        Texts that mean "no value".
    weight : float in [0, 1]
        Importance for analysis; 0 leaves the attribute out of the quality.
    minimum_level, maximum_level : int or None
        Levels of the hierarchy the search may use.
    table : str
        Name of the input that the column comes from, and of the released table that
        it goes to. The key of linked tables is in both; it says "people".
    principles : Principles or None
        What outsiders may know of it.
    """

    name: Annotated[
        str, Decides.VALUES, Changes.DATA | Changes.ROLES | Changes.HIERARCHY
    ]
    include: Annotated[
        bool, Only(Decides.VALUES, "attributes"), Decides.QUESTIONS, Changes.ROLES
    ] = True
    role: Annotated[
        Literal["direct_identifier", "quasi_identifier", "sensitive", "insensitive"]
        | None,
        Only(Decides.VALUES, "attributes"),
        Decides.QUESTIONS,
        Changes.ROLES,
    ] = None
    confirmed: Annotated[bool, Decides.RELEASE, Changes.ROLES] = False
    taken_over: Annotated[bool, Decides.RELEASE, Changes.ROLES] = False
    treatment: Annotated[
        Literal["remove", "pseudonym", "mask"] | None,
        Decides.QUESTIONS,
        Only(Decides.MEASUREMENT, "code_of_key"),
        Changes.ROLES,
    ] = None
    kind: Annotated[
        Literal["text", "integer", "decimal", "date", "category"],
        Decides.VALUES,
        Changes.DATA,
    ] = "text"
    format: Annotated[str | None, Decides.VALUES, Changes.DATA] = None
    open_formats: Annotated[tuple[str, ...], Decides.RELEASE, Changes.DATA] = ()
    topic: Annotated[
        str | None, Only(Decides.VALUES, "topics"), Decides.RELEASE, Changes.NOTHING
    ] = None
    missing: Annotated[tuple[str, ...], Decides.VALUES, Changes.DATA] = ("",)
    hierarchy: Annotated[HierarchyChoice | None, Decides.VALUES, Changes.HIERARCHY] = (
        None
    )
    weight: Annotated[float, Decides.SEARCH, Changes.HIERARCHY] = Field(0.5, ge=0, le=1)
    minimum_level: Annotated[
        int | None, Decides.SEARCH | Decides.DISCOVERY, Changes.HIERARCHY
    ] = Field(None, ge=0)
    maximum_level: Annotated[int | None, Decides.SEARCH, Changes.HIERARCHY] = Field(
        None, ge=0
    )
    table: Annotated[str, Decides.RELEASE, Changes.DATA] = Field(
        "table", pattern=EVENTS_NAME
    )
    principles: Annotated[Principles | None, Decides.RELEASE, Changes.ROLES] = None

    @field_validator("principles")
    @classmethod
    def _without_reason_unless_asked(
        cls, said: Principles | None, info: ValidationInfo
    ) -> Principles | None:
        """Drop a reason with the role that it was given for; it is asked anew."""
        role = info.data.get("role")
        if said is None or not said.because or role in ROLES_WITH_REASON:
            return said
        rest = said.but(because="")
        is_empty = rest.but(by="", on="", is_proposal=False) == Principles()
        return None if is_empty else rest

    @property
    def is_removed(self) -> bool:
        """Whether its treatment keeps every value of it out of the release."""
        return self.role == "direct_identifier" and self.treatment in (None, "remove")


class Threshold(Part):
    """Who receives the release and why the thresholds are what they are.

    Attributes
    ----------
    recipient : str or None
        public, researcher, internal or own; None until somebody decided.
    justification, set_by : str
        Free text for the report.
    set_on : str
        Day on which one of both was entered last.
    at_risk : float in (0, 1] or None
        Records with a higher matching probability than this count as at risk.
    """

    recipient: Annotated[
        Literal["public", "researcher", "internal", "own"] | None, Decides.MEASUREMENT
    ] = None
    justification: Annotated[str, Decides.RELEASE] = ""
    set_by: Annotated[str, Decides.RELEASE] = ""
    set_on: Annotated[Day, Decides.RELEASE] = ""
    at_risk: Annotated[float | None, Decides.MEASUREMENT] = Field(None, gt=0, le=1)

    @property
    def is_signed(self) -> bool:
        """Whether somebody stands for the reason: with a name and a day."""
        return bool(self.set_by.strip() and self.set_on)


class MatchChoice(Whole):
    """Where a population knows a quasi-identifier.

    Attributes
    ----------
    target : str or None
        Attribute of the population; None if it does not know this one.
    lacking : str
        What is then done: refused until a person decides; independent: everybody is
        shared as the records are, an estimate; left aside: it tells nobody apart.
    csv : str or None
        What each value stands for, as a person has confirmed it: a file beside the
        project, since it holds values. Without one the proposal is used, and refused
        where it is in doubt.
    accepts_unmatched : bool
        Whether a person accepts that some values have no match.
    """

    target: str | None = None
    lacking: Literal["refused", "independent", "left aside"] = "refused"
    csv: str | None = None
    accepts_unmatched: bool = False


class PopulationChoice(Part):
    """What is known about the population the records come from.

    Attributes
    ----------
    kind : str
        none; sampling_fraction: the records are a random sample; register: a file
        with a row per person; counts: a file with a row per combination of
        quasi-identifiers and the number of people; built_in: tables that come with
        the program.
    sampling_fraction : float in (0, 1] or None
    file : InputFile or None
        Of a register or of counts, named "population".
    columns : dict of str to str
        Column of that file by quasi-identifier, where the names differ.
    count_column : str or None
        Column with the number of people; None until somebody decided.
    adds_rows : bool
        Whether rows of counts with the same combination are added up.
    tables : tuple of str
        Built-in tables; each further one is joined as if its attributes were
        independent of those the others lack: an assumption that is stated.
    states : tuple of str
        States whose people are meant; all if empty.
    youngest, oldest : int or None
        Ages of the people that are meant.
    matches : dict of str to MatchChoice
        By quasi-identifier, what a person decided; see `MatchChoice`.
    """

    kind: Annotated[
        Literal["none", "sampling_fraction", "register", "counts", "built_in"],
        Decides.VALUES,
    ] = "none"
    sampling_fraction: Annotated[float | None, Decides.VALUES] = Field(None, gt=0, le=1)
    file: Annotated[
        InputFile | None, Decides.VALUES, Only(Decides.MEASUREMENT, "population")
    ] = None
    columns: Annotated[
        dict[str, str],
        Only(Decides.VALUES, "columns"),
        Only(Decides.MEASUREMENT, "population"),
    ] = {}
    count_column: Annotated[str | None, Decides.VALUES] = None
    adds_rows: Annotated[bool, Decides.VALUES] = False
    tables: Annotated[tuple[str, ...], Decides.VALUES] = Field((), max_length=4)
    states: Annotated[tuple[str, ...], Decides.VALUES] = ()
    youngest: Annotated[int | None, Decides.VALUES] = Field(None, ge=0, le=150)
    oldest: Annotated[int | None, Decides.VALUES] = Field(None, ge=0, le=150)
    matches: Annotated[
        dict[str, MatchChoice],
        Only(Decides.VALUES, "matches"),
        Only(Decides.MEASUREMENT, "population"),
    ] = {}

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if (self.kind == "sampling_fraction") != (self.sampling_fraction is not None):
            raise ValueError("sampling_fraction goes with its kind")
        if (self.kind in ("register", "counts")) != (self.file is not None):
            raise ValueError("a file goes with a register and with counts")
        if self.count_column is not None and self.kind != "counts":
            raise ValueError("a count column goes with counts")
        if (self.kind == "built_in") != bool(self.tables):
            raise ValueError("tables go with built-in ones")
        return self

    def column_of(self, attribute: str) -> str:
        """Column of the file that holds a quasi-identifier."""
        return self.columns.get(attribute, attribute)


class EventsKnown(Whole):
    """What an adversary knows of a person's events, and how many may be at risk.

    Events are the rows of a person; goes with rows that belong to people by a key.
    Nothing of it is assumed: whoever decides it decides all of it.

    Attributes
    ----------
    power : int
        Values of each column of a person's events that the adversary knows at most.
    diversity : str
        What lowers the power of each person: the Shannon entropy of their values, the
        chance that two of them differ (simpson), or nothing.
    threshold : float in (0, 1]
        Largest matching probability; a person with a higher one is at risk.
    limit : float in [0, 1]
        Largest share of the people who may be at risk.
    rule : str
        How many people of the data must match: large_sample, the sampling fraction by
        the threshold; poisson, as many as make a smaller class of the population
        unlikely.
    significance : float in (0, 1) or None
        How unlikely; goes with the rule poisson.
    """

    power: int = Field(ge=1, le=1000)
    diversity: Literal["entropy", "simpson", "none"]
    threshold: float = Field(gt=0, le=1)
    limit: float = Field(ge=0, le=1)
    rule: Literal["large_sample", "poisson"]
    significance: float | None = Field(None, gt=0, lt=1)

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if (self.rule == "poisson") != (self.significance is not None):
            raise ValueError("a significance goes with the rule poisson")
        return self


class AttributesKnown(Whole):
    """That an adversary knows any few of the quasi-identifiers of a person.

    A figure of the policy, no condition.

    Attributes
    ----------
    known : int
        So many of the attributes, groups counting as one, besides those always known.
    always : tuple of str
        Quasi-identifiers that are known in any case, such as sex and age.
    groups : tuple of tuples of str
        Quasi-identifiers that are known together, since one tells the other.
    block_size : int or None
        Blocks of so many are measured that hold every set; None measures every set.
    """

    known: int = Field(ge=1, le=64)
    always: tuple[str, ...] = Field((), max_length=64)
    groups: tuple[tuple[str, ...], ...] = Field((), max_length=32)
    block_size: int | None = Field(None, ge=1, le=64)

    @model_validator(mode="after")
    def _complete(self) -> Self:
        names = [*self.always, *(name for group in self.groups for name in group)]
        if len(set(names)) < len(names):
            raise ValueError("an attribute is named twice")
        if any(len(group) < 2 for group in self.groups):
            raise ValueError("a group has two attributes or more")
        if self.block_size is not None and self.block_size < self.known:
            raise ValueError("a block has as many attributes as are known, or more")
        return self


class Privacy(Part):
    """Thresholds that a release must meet.

    Attributes
    ----------
    models : tuple of PrivacyModel
        One that cannot be read stays as it is stored and says so (`problem`).
    events : EventsKnown or None
        The threshold of people whose events are known in part; None if an adversary
        is taken to know everything that the rows of a person show.
    attributes_known : AttributesKnown or None
        What the evidence states besides: the risk if only some quasi-identifiers are
        known.
    suppression_limit : float in [0, 1] or None
        Share of records that may be suppressed; None until somebody decided.
    missing_matches : str
        Whether a missing value is its own category or matches anything, for
        risk figures and for comparisons with a baseline among the population.
    """

    threshold: Annotated[Threshold, Decides.MEASUREMENT] = Threshold()
    models: Annotated[
        tuple[Annotated[PrivacyModel, PRIVACY_MODELS], ...],
        Decides.SEARCH,
        Only(Decides.CLASSES, "sensitive"),
        Only(Decides.DISCOVERY, "models"),
    ] = ()
    events: Annotated[EventsKnown | None, Decides.SEARCH] = None
    attributes_known: Annotated[AttributesKnown | None, Decides.RELEASE] = None
    population: Annotated[PopulationChoice, Decides.VALUES] = PopulationChoice()
    suppression_limit: Annotated[float | None, Decides.SEARCH] = Field(None, ge=0, le=1)
    missing_matches: Annotated[
        Literal["own_category", "anything"],
        Decides.MEASUREMENT | Decides.DISCOVERY,
    ] = "own_category"

    def asking(self, models: Iterable[PrivacyModel]) -> Privacy:
        """Return it with other models.

        Who counts as at risk follows the highest risk that they allow, so that no
        figure is held against another threshold than the release is; it stays as it
        was if they name none.
        """
        models = tuple(models)
        allowed = [
            each.threshold
            for each in models
            if isinstance(each, HighestProsecutorRisk) and each.problem is None
        ]
        highest = min(allowed, default=self.threshold.at_risk)
        return self.but(models=models, threshold=self.threshold.but(at_risk=highest))


class ContextAnswer(Entered):
    """A person's answer to one question about the context of a release.

    Attributes
    ----------
    answer : str
        One of `deidgui.engine.determination.Question.answers`.
    proof : str
        What shows it; the reason, where a question does not apply.
    """

    answer: str
    proof: Said = ""


class ContextChoice(Whole):
    """Who receives the release, for what, and what is known of them.

    Nothing of it is assumed: what nobody has said is open, and counted.

    Attributes
    ----------
    release : str or None
        public: anybody. semi_public: who accepts terms, nobody is checked.
        non_public: named recipients under an agreement.
    recipient, purpose : str
    answers : dict of str to ContextAnswer
        By key of the question.
    attacks : dict of str to AttackRelevance
        By attack, T1 to T4; one about which nobody has said anything is relevant.
    matrix : str or None
        Probabilities of a deliberate attempt: a name with its version.
    prevalence : float in [0, 1] or None
        Share of the people whom acquaintances come from that could be in the data.
    prevalence_of : str
        Who these people are, and where the share comes from.
    acquaintances : int or None
        Whom one person knows well enough.
    breach_rate : float in [0, 1] or None
        Yearly, of the recipient's sector.
    breach_source, breach_year : str, int or None
        Where the rate comes from, and of which year it is.
    threshold : str or None
        Largest overall risk, as "1/11" or "0.05"; None takes that of the invasion of
        privacy.
    threshold_because : str
        Goes with a threshold of one's own.
    signed : dict of str to Entered
        Who has entered a field, and when, by its name; those of the agreement as
        agreement.reference.
    """

    release: Literal["public", "semi_public", "non_public"] | None = None
    recipient: Said = ""
    purpose: Said = ""
    agreement: Agreement = Agreement()
    answers: dict[str, ContextAnswer] = {}
    attacks: dict[Annotated[str, Field(pattern=r"^T[1-4]$")], AttackRelevance] = {}
    matrix: str | None = None
    prevalence: float | None = Field(None, ge=0, le=1)
    prevalence_of: Said = ""
    acquaintances: int | None = Field(None, ge=1, le=100_000)
    breach_rate: float | None = Field(None, ge=0, le=1)
    breach_source: Said = ""
    breach_year: int | None = Field(None, ge=1990, le=2200)
    threshold: str | None = None
    threshold_because: Said = ""
    signed: dict[str, Entered] = {}

    @model_validator(mode="after")
    def _known(self) -> Self:
        for key, each in self.answers.items():
            if key not in BY_KEY or each.answer not in BY_KEY[key].answers:
                raise ValueError("no question has this answer")
        if self.matrix is not None and self.matrix not in MATRICES:
            raise ValueError("no matrix has this name")
        if self.threshold is not None:
            threshold_of(self.threshold)
        return self


MOST_TRIGGERS = 100
"""Triggers that may be met at a time."""


class ValidPeriod(Period):
    """A period with an end, and with a reason if it is long."""

    @model_validator(mode="after")
    def _has_an_end(self) -> Self:
        begins, ends = map(date.fromisoformat, (self.begins, self.ends))
        if ends < begins:
            raise ValueError("a period ends after it begins")
        if is_long(begins, ends) and not self.because.strip():
            raise ValueError("a long period has a reason")
        return self


class EarlierRelease(Whole):
    """The release that was determined before, which the next one is compared with.

    Attributes
    ----------
    file : str
        Its folder, relative to the project where possible, else its name alone.
    sha256 : str
        Of its evidence.
    by, on : str
        Who chose it, and when.
    """

    file: str = Field(min_length=1, max_length=1000)
    sha256: str = Field(pattern="^[0-9a-f]{64}$")
    by: Name
    on: Date


class ValidityChoice(Whole):
    """How long the determination holds, on what conditions, and who watches over it.

    Attributes
    ----------
    periods : tuple of ValidPeriod
        The last one counts; it supersedes the others.
    triggers : tuple of TriggerMet
        Since the last period was decided: nothing is released until somebody decides
        anew.
    conditions : str
        On which it holds.
    in_charge : str
        Who watches over it.
    review_months : int or None
        After how many months it is looked at again.
    contact : str
        Whom to call after an incident, and within which time.
    signed : dict of str to Entered
        Who has entered a text, and when, by the name of its field.
    earlier : EarlierRelease or None
        Without one nothing is compared.
    """

    earlier: EarlierRelease | None = None
    periods: tuple[ValidPeriod, ...] = Field((), max_length=100)
    triggers: tuple[TriggerMet, ...] = Field((), max_length=MOST_TRIGGERS)
    conditions: Said = ""
    in_charge: Said = ""
    review_months: int | None = Field(None, ge=1, le=36)
    contact: Said = ""
    signed: dict[str, Entered] = {}

    @property
    def period(self) -> ValidPeriod | None:
        """The one that counts; None while nobody has decided."""
        return self.periods[-1] if self.periods else None


class ReleaseNote(Whole):
    """That a project was released last, and of which decisions; no figure of it.

    Attributes
    ----------
    name : str
        Of its folder; where that is, the project does not say.
    on : str
        Day in UTC on which it was written and verified.
    decisions : str
        `deidgui.app.changes.fingerprint` of all that decided it.
    """

    # PRIVACY: a project of somebody else leads to no other folder.
    name: str = Field(max_length=1000, pattern=r"^[^/\\:]*[^/\\:.][^/\\:]*$")
    on: Date
    decisions: str = Field(pattern="^[0-9a-f]{64}$")


Regime = Literal["hipaa", "ema", "gdpr", "ontario", "australia"]
"""For whom a dossier is sorted: see `deidgui.engine.determination.FRONT_SHEETS`."""

Edition = Literal["public", "confidential"]
"""public leaves out seeds and the rules in detail."""


class Dossier(Whole):
    """What persons enter for the dossier of a release; nothing of it is assumed.

    What is said of recipient, purpose and agreement stands in the context.

    Attributes
    ----------
    regime : str or None
        Whose front sheet it has.
    edition : str or None
        Of the report in the release folder; None is confidential.
    entries : dict of str to Entry
        By name among `deidgui.engine.determination.TYPED`.
    columns : dict of str to dict of str to Entry
        By column, then by name among `deidgui.engine.determination.OF_COLUMNS`.
    not_applying : dict of int to Entry
        By number of an item of the checklist that does not apply, the reason.
    intruder_tests : tuple of IntruderTest
        In the order in which they were recorded.
    """

    regime: Regime | None = None
    edition: Edition | None = None
    entries: dict[str, Entry] = {}
    columns: dict[str, dict[str, Entry]] = {}
    not_applying: dict[int, Entry] = {}
    intruder_tests: tuple[IntruderTest, ...] = Field((), max_length=50)

    @model_validator(mode="after")
    def _known(self) -> Self:
        if not self.entries.keys() <= set(TYPED):
            raise ValueError("no entry of a dossier has this name")
        if any(not each.keys() <= set(OF_COLUMNS) for each in self.columns.values()):
            raise ValueError("nothing of this name is entered for a column")
        if not self.not_applying.keys() <= MAY_NOT_APPLY:
            raise ValueError("an item of the checklist always applies")
        return self


class Quality(Whole):
    """What matters for analysis: the measure that guides the search.

    Attributes
    ----------
    keep_something : bool
        Whether of two policies the one that removes fewer quasi-identifiers as a
        whole, weighed by their importance, is better whatever it loses. It does not
        hold for attributes with the importance 0, and for those whose highest level
        somebody set. New projects say so; a file that does not say it means the
        optimum of its measure alone.
    """

    measure: Annotated[QualityMeasure, QUALITY_MEASURES] = Field(
        Loss(), json_schema_extra={"default": Loss().to_json()}
    )
    keep_something: bool = False


class Search(Whole):
    """How policies are searched.

    Attributes
    ----------
    method : str
        "profile" proves the best policy and then looks at every policy; "optimum"
        proves the best one and then looks at those around it; "ola" takes the best of
        the least general policies. A lattice that is too large for a profile is
        searched for its optimum. Where a proof does not come soon, and in a small
        lattice, "profile" looks at every policy at once.
    most_nodes : int
        After so many policies "optimum" gives up the proof.
    local_recoding : bool
        Whether a run without a window searches what a policy suppresses again, and
        releases it with other groups, if no policy was chosen by a person.
    """

    method: Literal["profile", "optimum", "ola"] = "profile"
    most_nodes: int = Field(100_000, ge=1)
    seed: int = Field(0, ge=0)
    local_recoding: bool = False


class BlocksChoice(Whole):
    """How de-identification by blocks goes on (see the model `known_attributes`).

    Attributes
    ----------
    size : int or None
        Quasi-identifiers of a block; None takes the smallest size with few blocks.
    suppress : str
        Whether whole records are suppressed, or single cells of them.
    """

    size: int | None = Field(None, ge=1, le=64)
    suppress: Literal["records", "cells"] = "records"


class ChosenCells(Whole):
    """That single cells are suppressed under the levels of a policy.

    Which ones follows from the levels and these numbers.

    Attributes
    ----------
    known, k : int
        By any so many quasi-identifiers every record looks like k - 1 others.
    size : int
        Quasi-identifiers of a block.
    """

    known: int = Field(ge=1, le=64)
    k: int = Field(ge=2)
    size: int = Field(ge=1, le=64)


class ChosenRound(Whole):
    """A further round of local recoding; fields as of `Chosen`."""

    levels: dict[str, int]
    suppress_below: int = Field(1, ge=1, alias="withhold_below")


class Acceptance(Whole):
    """Why a policy that was discovered is acceptable; checked again at the release.

    Attributes
    ----------
    by : str
        "risk": it may be no higher than a threshold; "models": the privacy models of
        the project hold without a record suppressed.
    baseline : str or None
        Where the threshold of the risk comes from: see `Discover.baseline`.
    threshold : float or None
        Sum of 1 / g^γ over the records that have people: at most so high.
    margin : float in [0, 0.9]
        Share of the threshold by which it is undercut.
    """

    by: Literal["risk", "models"]
    baseline: Literal["safe_harbor", "policy", "typed"] | None = None
    threshold: float | None = Field(None, gt=0)
    margin: float = Field(0.0, ge=0, le=0.9)
    gamma: float = Field(1.0, gt=0, le=10)

    @model_validator(mode="after")
    def _complete(self) -> Self:
        for each in (self.baseline, self.threshold):
            if (self.by == "risk") != (each is not None):
                raise ValueError("a baseline and a threshold go with risk")
        return self


class PreferenceChoice(Whole):
    """Values that shall be released as they are; no text of a value is kept.

    Attributes
    ----------
    low, high : float or None
        Of numbers: those between, both included; all if neither is given.
    places : tuple of int
        Of words: places in the order of the values; all if empty.
    weight : float in (0, 10]
        How much it matters beside other preferences.
    is_demanded : bool
        Whether policies that do not fulfil it are left out of the search.
    """

    attribute: str
    low: float | None = None
    high: float | None = None
    places: tuple[int, ...] = ()
    weight: float = Field(1.0, gt=0, le=10)
    is_demanded: bool = False


class FoundBy(Whole):
    """How a policy was discovered; fields as of `Discover`, as they stood then.

    Attributes
    ----------
    iterations : int or None
        None for methods that go by a budget, or look at every policy.
    budget : int or None
        Of the frontier's search.
    weights : str or None
        Of bisecting.
    alternatives : int
        Policies that there were to choose from.
    evaluated : int
        Different policies whose risk was asked for.
    complete : bool
        Whether the search came to its end.
    quotas : dict of str to float
        By quasi-identifier, share of the searches that joined values of it alone.
    preferences : tuple of PreferenceChoice
        Those that were demanded: policies that do not fulfil them were left out.
    """

    method: Literal["bps", "directed", "exhaustive", "frontier"]
    seed: int = Field(0, ge=0)
    weights: Literal["both", "size", "use", "none"] | None = None
    iterations: int | None = Field(None, ge=1, le=100_000)
    budget: int | None = Field(None, ge=2, le=1_000_000)
    completes: bool = False
    alternatives: int = Field(1, ge=1)
    evaluated: int = Field(0, ge=0)
    complete: bool = True
    quotas: dict[str, Annotated[float, Field(ge=0, le=1)]] = {}
    preferences: tuple[PreferenceChoice, ...] = Field((), max_length=50, alias="wishes")


class SearchedBy(Whole):
    """What a search knew of a policy of the lattice as it was chosen.

    Attributes
    ----------
    decided : str
        Fingerprint of the decisions that were searched under: under others nothing
        of this is said of the policy.
    method : str
        As of `Search`: how its best policy was found.
    seed : int
    nodes, checked : int
        Policies that there were, and that were looked at until the best was known.
    complete : bool
        Whether the best policy was proven to be the best.
    is_optimum : bool
        Whether this one is that policy.
    """

    decided: str
    method: Literal["profile", "optimum", "ola"]
    seed: int = Field(ge=0)
    nodes: int = Field(ge=0)
    checked: int = Field(ge=0)
    complete: bool
    is_optimum: bool


class Chosen(Whole):
    """A policy that somebody chose.

    Attributes
    ----------
    kind : str
        "lattice" for a full-domain generalization, "longitudinal" for one that
        suppresses nobody, "local_recoding" for several rounds, "blocks" for one with
        suppressed cells, "interval" and
        "subtree" for joined neighbours.
    levels : dict of str to int
        Level by quasi-identifier; of the first round. Of joined neighbours the level
        of the hierarchy whose groups are the values.
    suppress_below : int
        Classes with fewer records are suppressed.
    later : tuple of ChosenRound
        Each is applied to the records that all rounds before it suppress.
    cells : ChosenCells or None
        Goes with the kind "blocks".
    bits : dict of str to str
        Of joined neighbours: by quasi-identifier a "1" wherever two neighbouring
        values stay apart and a "0" where they are joined.
    domains : str
        Fingerprint of the decisions that the values of `bits` rest on.
    acceptance : Acceptance or None
        Goes with `bits`.
    found_by : FoundBy or None
        How it was discovered, where that is known; may go with `bits`.
    searched : SearchedBy or None
        What its search knew of it, where that is known; may go with "lattice".
    """

    kind: Literal[
        "lattice", "longitudinal", "local_recoding", "blocks", "interval", "subtree"
    ] = "lattice"
    levels: dict[str, int]
    suppress_below: int = Field(1, ge=1, alias="withhold_below")
    later: tuple[ChosenRound, ...] = Field((), max_length=20)
    cells: ChosenCells | None = None
    bits: dict[str, str] = {}
    domains: str = ""
    acceptance: Acceptance | None = None
    found_by: FoundBy | None = None
    searched: SearchedBy | None = None
    note: str = ""

    @field_validator("bits")
    @classmethod
    def _are_bits(cls, bits: dict[str, str]) -> dict[str, str]:
        if any(set(each) - set("01") for each in bits.values()):
            raise ValueError("bits are 0 or 1")
        return bits

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if (self.kind == "blocks") != (self.cells is not None):
            raise ValueError("suppressed cells go with blocks")
        if self.cells is not None and self.suppress_below > 1:
            raise ValueError("with suppressed cells no record is suppressed")
        if (self.kind == "local_recoding") != bool(self.later):
            raise ValueError("further rounds go with local recoding")
        joins = self.kind in ("interval", "subtree")
        if any(joins != bool(x) for x in (self.bits, self.domains, self.acceptance)):
            raise ValueError("bits and an acceptance go with joined neighbours")
        if self.found_by is not None and not joins:
            raise ValueError("what was discovered joins neighbours")
        if self.searched is not None and self.kind != "lattice":
            raise ValueError("what a search knew is of a policy of the lattice")
        if self.kind == "longitudinal" and self.suppress_below > 1:
            raise ValueError("a longitudinal policy suppresses nobody")
        return self

    @property
    def is_by_value(self) -> bool:
        """Whether the label of a value depends on nothing else of its record."""
        return not self.later and self.cells is None

    def is_same(self, other: Chosen) -> bool:
        """Whether another one is the same policy, however and wherever it was found."""
        bare: dict[str, Any] = {"found_by": None, "searched": None, "note": ""}
        return self.but(**bare) == other.but(**bare)


class ElementChoice(Whole):
    """What a quasi-identifier is for the Safe Harbor rule.

    Attributes
    ----------
    kind : str
        An age, a ZIP code, a date, or something that the rule keeps.
    date_format : str or None
        As of `Attribute.format`; goes with a date.
    oldest_year : int or None
        Years of birth up to this one belong to people older than 89.
    """

    kind: Literal["age", "zip", "date", "other"]
    date_format: str | None = None
    oldest_year: int | None = Field(None, ge=1800, le=2200)


class Discover(Part):
    """How alternatives to a rule are discovered.

    Attributes
    ----------
    baseline : str or None
        What an alternative may be no riskier than: the Safe Harbor rule, a policy, a
        typed threshold; or the privacy models, which then must hold; None until
        somebody decided.
    policy : Chosen or None
        Goes with the baseline "policy".
    typed : float or None
        Sum of 1 / g^γ over the records; goes with the baseline "typed".
    margin : float in [0, 0.9]
        Share by which the risk of an alternative must undercut that of the rule or of
        the policy: nobody knows the numbers of people better than that.
    gamma : float in (0, 10]
    census : str
        Whose list of restricted ZIP code areas the rule follows.
    elements : dict of str to ElementChoice
        By quasi-identifier; the rule needs one for each.
    mode : str
        "interval" joins any neighbours, "subtree" only groups of the hierarchy.
    levels : dict of str to int
        Level of the hierarchy whose groups are the values; 0 where none is given.
    method : str
        bps (bisecting), directed, exhaustive (few values only), frontier.
    weights : str
        Of bisecting: how the values to join are drawn.
    iterations : int
        Of bisecting and directed search.
    budget : int
        Policies that the frontier's search looks at.
    completes : bool
        Whether each policy found is made as specific as its risk allows.
    quotas : dict of str to float
        By quasi-identifier, share of the iterations that join values of this one
        alone; if empty, half of them are shared evenly by what can be joined.
    """

    baseline: Annotated[
        Literal["safe_harbor", "policy", "typed", "models"] | None, Decides.DISCOVERY
    ] = None
    policy: Annotated[
        Chosen | None, Decides.DISCOVERY, Only(Decides.MEASUREMENT, "acceptance")
    ] = None
    typed: Annotated[float | None, Decides.DISCOVERY] = Field(None, gt=0)
    margin: Annotated[float, Decides.DISCOVERY] = Field(0.05, ge=0, le=0.9)
    gamma: Annotated[float, Decides.DISCOVERY] = Field(1.0, gt=0, le=10)
    census: Annotated[
        Literal["2000", "2010", "2020"],
        Decides.DISCOVERY,
        Only(Decides.MEASUREMENT, "acceptance"),
    ] = "2020"
    elements: Annotated[
        dict[str, ElementChoice],
        Decides.DISCOVERY,
        Only(Decides.MEASUREMENT, "acceptance"),
    ] = {}
    mode: Annotated[Literal["interval", "subtree"], Decides.DISCOVERY] = "interval"
    levels: Annotated[dict[str, int], Decides.DISCOVERY] = {}
    method: Annotated[
        Literal["bps", "directed", "exhaustive", "frontier"], Decides.DISCOVERY
    ] = "bps"
    weights: Annotated[Literal["both", "size", "use", "none"], Decides.DISCOVERY] = (
        "both"
    )
    iterations: Annotated[int, Decides.DISCOVERY] = Field(100, ge=1, le=100_000)
    budget: Annotated[int, Decides.DISCOVERY] = Field(20_000, ge=2, le=1_000_000)
    completes: Annotated[bool, Decides.DISCOVERY] = True
    quotas: Annotated[
        dict[str, Annotated[float, Field(ge=0, le=1)]], Decides.DISCOVERY
    ] = {}
    seed: Annotated[int, Decides.DISCOVERY] = Field(0, ge=0)
    preferences: Annotated[
        tuple[PreferenceChoice, ...], Only(Decides.DISCOVERY, "preferences")
    ] = Field((), max_length=50, alias="wishes")

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if (self.baseline == "policy") != (self.policy is not None):
            raise ValueError("a policy goes with its baseline")
        if (self.baseline == "typed") != (self.typed is not None):
            raise ValueError("a typed threshold goes with its baseline")
        if sum(self.quotas.values()) > 1 + 1e-9:
            raise ValueError("quotas are more than all iterations")
        return self


QuestionKind = Literal[
    "people",
    "identifier",
    "text",
    "unique",
    "alone",
    "disclosed",
    "rows",
    "spelling",
    "earlier",
]
"""people: rows count as people although a column numbers people who have several;
identifier: released as it is although found to be one; text: identifiers inside
texts; unique: values that single records have; alone: records that no other one equals
on several columns together; disclosed: a sensitive value follows from the class; rows:
people are recognised by how many rows they have; spelling: values of the key of people
or of a sensitive column differ in their spelling only; earlier: the same tables of
counts were released before."""


class Answer(Entered):
    """Why a person releases a column about which the program asked.

    Attributes
    ----------
    column, kind : str
        Of the question.
    because : str
        In the person's own words; stands in evidence and report, with who and when.
    about : str
        Fingerprint of the question. An answer to another one, since the column or
        what was found in it has changed, does not count.
    """

    column: str
    kind: QuestionKind
    because: str = Field(min_length=1, max_length=2000)
    about: str


class Overruling(Entered):
    """A privacy model that a person overrules.

    Attributes
    ----------
    model : dict
        With its parameters.
    because : str
        In the person's own words; stands in evidence and report, with who and when.
    about : str
        Fingerprint of the decisions that the figures rest on: it counts for these.
    """

    model: dict[str, Any]
    because: str = Field(min_length=1, max_length=2000)
    about: str


class SampleChoice(Whole):
    """That only a random sample of the people is released.

    Attributes
    ----------
    fraction : float in (0, 1]
        So many of the people, rounded down.
    seed : int or None
        None draws from the operating system; a number makes the sample the same each
        time, and lets whoever knows it find out who is in it.
    accepts_few : bool
        Whether a person accepts fewer than are enough for most analyses.
    """

    fraction: float = Field(gt=0, le=1)
    seed: int | None = Field(None, ge=0)
    accepts_few: bool = False


MOST_RUNS = 1_000_000
"""Attacks that are drawn for each figure, at most."""

LAST_SEED = 2**53 - 1
"""Larger numbers are not the same in all readers of JSON."""


class AttackChoice(Part):
    """How simulated attacks on the release are made.

    Attributes
    ----------
    runs : int
        Attacks that are drawn for each figure.
    seed : int
        Decides what is drawn.
    order_by : str or None
        Column that tells in which order the rows of a person were; None takes the
        first date that differs between them.
    in_release : bool
        Whether they are made before each release if they are not up to date.
    """

    runs: Annotated[int, Decides.ATTACKS] = Field(10_000, ge=1, le=MOST_RUNS)
    seed: Annotated[int, Decides.ATTACKS] = Field(0, ge=0, le=LAST_SEED)
    order_by: Annotated[str | None, Decides.ATTACKS] = Field(None, min_length=1)
    in_release: Annotated[bool, Decides.RELEASE] = False


LONGEST_COMPARED = 80
"""Letters of the name of a comparison."""


class Comparison(Part):
    """Something that the release is matched with, by a person's word.

    Attributes
    ----------
    name : str
        What it is called in the report, and among the inputs of a run.
    kind : str
        release: the folder of another release about the same people; register: a file
        with a row for each person of a population; hold_out: a file of people like the
        released ones who were not released, with the same columns.
    file : str
        Path as the user chose it, relative to the project where possible.
    sha256 : str
        Of the file, or of the evidence of the release.
    columns : dict of str to str
        Column there by quasi-identifier, where the names differ.
    coverage : float in (0, 1]
        Of a register: share of its people whom somebody who matches has.
    by, on : str
        Who chose it, and when.
    """

    name: Annotated[str, Decides.CRITERIA] = Field(
        min_length=1, max_length=LONGEST_COMPARED
    )
    kind: Annotated[Literal["release", "register", "hold_out"], Decides.CRITERIA]
    file: Annotated[str, Decides.NOTHING]
    sha256: Annotated[str, Decides.CRITERIA] = Field(pattern="^[0-9a-f]{64}$")
    member: Annotated[str | None, Decides.CRITERIA] = None
    dialect: Annotated[DialectChoice, Decides.CRITERIA] = DialectChoice()
    columns: Annotated[dict[str, str], Decides.CRITERIA] = {}
    coverage: Annotated[float, Decides.CRITERIA] = Field(1.0, gt=0, le=1)
    by: Annotated[str, Decides.CRITERIA] = Field("", max_length=LONGEST_TEXT)
    on: Annotated[Day, Decides.CRITERIA] = ""


MOST_COMPARED = 20
"""Releases and registers that one release is matched with."""


class Export(Whole):
    """How the release is written.

    Attributes
    ----------
    suppressed : str or None
        Whether suppressed records stay as rows of ``*`` or are left out; None
        until somebody decided.
    shuffle : bool
        Whether the order of rows is random.
    shuffle_seed : int or None
        None draws the order from the operating system; a number makes the bytes
        reproducible, and lets whoever knows it restore the order.
    spreadsheet_safe : bool
        Whether texts that a spreadsheet would execute are made harmless.
    """

    suppressed: Literal["stars", "left_out"] | None = Field(None, alias="withheld")
    shuffle: bool = True
    shuffle_seed: int | None = Field(None, ge=0)
    spreadsheet_safe: bool = True


CellKind = Literal["empty", "label", "count", "percentage", "mean", "left_out"]
"""What a cell of a table of counts is."""

Place = tuple[str, Annotated[int, Field(ge=0)], Annotated[int, Field(ge=0)]]
"""Name of a table of counts, row and column, counted from 0."""


class CellsSaid(Whole):
    """What a person says that cells of a table of counts are.

    Attributes
    ----------
    row, column : int or None
        Counted from 0; None stands for all.
    """

    row: int | None = Field(None, ge=0)
    column: int | None = Field(None, ge=0)
    kind: CellKind


Hiding = Literal["masked", "complement", "share"]
"""What is hidden of a cell of a table of counts, and as what."""


class CellHidden(Whole):
    """A cell of a table of counts that a person hides.

    Attributes
    ----------
    row, column : int
        Counted from 0.
    mark : str
        masked: with the mark of small counts, and of what tells them. complement: with
        the mark of counts that are hidden to protect others. share: the percentage
        beside the count alone.
    """

    row: int = Field(ge=0)
    column: int = Field(ge=0)
    mark: Hiding


class CountTableChoice(Part):
    """One table of counts: where its cells are kept, and what they are.

    Attributes
    ----------
    name : str
    file : str
        CSV with its cells, below the folder of the project: they may be true counts,
        which the project does not hold, nor a hash of them.
    source : str
        Name of the file that it was read from; empty if it was typed or pasted.
    sheet : str
        Sheet of that file, a spreadsheet: released as Excel, too. Empty for any other.
    n_header_rows : int
        First rows, with titles and the names of columns.
    labels : tuple of int
        Columns that name the rows.
    kinds : tuple of str
        What the cells of each column are.
    said : tuple of CellsSaid
        A later one counts more.
    hidden : tuple of CellHidden
        What is hidden in addition to what the file hides.
    confirmed : bool
        Whether a person has looked at what its cells are.
    """

    name: Annotated[str, Decides.COUNTS] = Field(min_length=1, max_length=200)
    file: Annotated[str, Decides.COUNTS] = Field(min_length=1, max_length=300)
    source: Annotated[str, Decides.RELEASE] = ""
    sheet: Annotated[str, Decides.RELEASE] = ""
    n_header_rows: Annotated[int, Decides.COUNTS] = Field(0, ge=0)
    labels: Annotated[tuple[Annotated[int, Field(ge=0)], ...], Decides.COUNTS] = ()
    kinds: Annotated[tuple[CellKind, ...], Decides.COUNTS] = Field(min_length=1)
    said: Annotated[tuple[CellsSaid, ...], Decides.COUNTS] = ()
    hidden: Annotated[tuple[CellHidden, ...], Decides.COUNTS] = ()
    confirmed: Annotated[bool, Decides.NOTHING] = False

    @model_validator(mode="after")
    def _complete(self) -> Self:
        columns = [*self.labels, *(each.column or 0 for each in self.said)]
        columns += [each.column for each in self.hidden]
        if any(column >= len(self.kinds) for column in columns):
            raise ValueError("a column is outside the table")
        return self


class RelationChoice(Whole):
    """How some counts hang together.

    Attributes
    ----------
    form : str
        sum: the parts exclude one another and make up the whole. attrition: what
        remained before is what remains and what was excluded. same: one count shown
        several times. at_most: no part is more than the whole. ratio: `shown` is the
        part divided by the whole, times `scale`.
    """

    form: Literal["sum", "attrition", "same", "at_most", "ratio"]
    whole: Place
    parts: tuple[Place, ...] = Field(min_length=1)
    shown: Place | None = None
    scale: Literal[1, 100] = 1

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if (self.form == "ratio") != (self.shown is not None):
            raise ValueError("a cell that shows it goes with a ratio")
        return self


class SiteChoice(Whole):
    """The table of one site of a network, which is looked at beside the others.

    Attributes
    ----------
    name : str
    file : str
        CSV with its cells, as of `CountTableChoice`.
    sd : float or None
        Standard deviation of its noise that the evidence beside it states; None
        without such evidence.
    sha256 : str
        Of the file that this evidence vouches for; else empty: a hash of true counts
        would tell which ones they are.
    """

    name: str = Field(min_length=1, max_length=200)
    file: str = Field(min_length=1, max_length=300)
    sd: float | None = Field(None, ge=0, le=1e9, allow_inf_nan=False)
    sha256: str = Field("", pattern="^([0-9a-f]{64})?$")


class Counts(Part):
    """Tables of counts, what is masked in them, and how they hang together.

    Attributes
    ----------
    marks : dict of str to str
        Texts that stand instead of a count. A masked count is small; one that is
        hidden as a complement may be any.
    threshold : int or None
        Counts below it are masked; None while nobody has stated it.
    mask_zero : bool or None
        Whether zeros are masked too; None while nobody has said so.
    any_count : bool
        Whether readers are taken to think that a complement may hold any count. If
        not, they know that it is not below the threshold.
    width : int
        High minus low that what can be inferred of a masked count must have at least.
    relations : tuple of RelationChoice or None
        None takes what is proposed.
    relations_confirmed : bool
        Whether a person has looked at them.
    release : str or None
        noise: true counts with noise. masked: tables as they stand, with small counts
        masked; None while nobody has decided, unless a rule for noise says it.
    noise : NoiseRule or None
        By which counts get noise; None while nobody has decided.
    inferable_because, inferable_signed : str, Entered
        Why a person releases masked counts that can be inferred, who says so, and when;
        stands in evidence.
    sites : tuple of SiteChoice
        Tables of other sites that are added up; they decide nothing.
    sites_sigma : float or None
        σ of the noise that those of them have of which no evidence states it; None
        for true counts.
    """

    tables: Annotated[tuple[CountTableChoice, ...], Decides.COUNTS] = Field(
        (), max_length=1000
    )
    marks: Annotated[dict[str, Literal["masked", "complement"]], Decides.COUNTS] = {
        "T": "masked",
        "C": "complement",
    }
    threshold: Annotated[int | None, Decides.COUNTS] = Field(
        None, ge=2, le=1_000_000_000
    )
    mask_zero: Annotated[bool | None, Decides.COUNTS] = None
    any_count: Annotated[bool, Decides.COUNTS] = False
    width: Annotated[int, Decides.COUNTS] = Field(3, ge=1, le=1_000_000_000)
    relations: Annotated[tuple[RelationChoice, ...] | None, Decides.COUNTS] = None
    relations_confirmed: Annotated[bool, Decides.NOTHING] = False
    release: Annotated[Literal["noise", "masked"] | None, Decides.RELEASE] = None
    noise: Annotated[Annotated[NoiseRule, NOISE_RULES] | None, Decides.RELEASE] = None
    inferable_because: Annotated[str, Decides.RELEASE] = Field("", max_length=2000)
    inferable_signed: Annotated[Entered, Decides.RELEASE] = Entered()
    sites: Annotated[tuple[SiteChoice, ...], Decides.NOTHING] = Field(
        (), max_length=1000
    )
    sites_sigma: Annotated[float | None, Decides.NOTHING] = Field(
        None, gt=0, le=1e6, allow_inf_nan=False
    )

    @property
    def released_as(self) -> Literal["noise", "masked"] | None:
        """What a person decided to release; a rule for noise says it, too."""
        return self.release or (None if self.noise is None else "noise")

    @model_validator(mode="after")
    def _complete(self) -> Self:
        names = [each.name for each in self.tables]
        if len(set(names)) < len(names):
            raise ValueError("two tables have one name")
        for each in self.relations or ():
            shown = () if each.shown is None else (each.shown,)
            if any(p[0] not in names for p in (each.whole, *each.parts, *shown)):
                raise ValueError("a relation is of a table that there is not")
        return self


class Project(Part):
    """Every decision of one release; frozen, readable in a diff.

    Attributes
    ----------
    kind : str
        table: people, one row each or several. counts: tables of counts.
    unit : UnitOfProtection or None
        None until somebody decided.
    links : tuple of LinkChoice
        Of tables of events to the table of people, that of the first input first; none
        if there is one table. The unit of protection is then the key.
    preparation : tuple of Step
        What is done to the table as it was read, in this order, before anything else
        sees it. One that cannot be read stays as it is stored and says so.
    importance_said : bool
        Whether a person has said what the analysis needs most; until then the weights
        are proposals.
    sample : SampleChoice or None
        None releases everybody. Policies are searched for, measured and judged on the
        sample.
    context : ContextChoice
        What is said of recipient and release, and what follows from it for the risk
        in the data.
    validity : ValidityChoice
        How long the determination holds; after its end nothing is released.
    dossier : Dossier
        What persons enter for the document that an expert signs.
    comparisons : tuple of Comparison
        Other releases and registers that the release is matched with.
    notes, notes_signed : str, Entered
        For evidence and report, who wrote them, and when.
    seen : dict of str to tuple of str
        By step, which content that the program worked out somebody has looked at in
        the window: columns with a hierarchy, fingerprints of results. Decides nothing.
    released : ReleaseNote or None
        The last release that was written in the window. Decides nothing.
    counts : Counts or None
        Goes with the kind counts, which needs nothing else but name, export and notes.
    """

    format: Annotated[Literal["deidgui-project"], Decides.NOTHING, Changes.NOTHING] = (
        FORMAT
    )
    version: Annotated[Literal[1], Decides.NOTHING, Changes.NOTHING] = VERSION
    name: Annotated[str, Decides.RELEASE, Changes.NOTES] = "Untitled"
    kind: Annotated[Literal["table", "counts"], Decides.NOTHING, Changes.EVERYTHING] = (
        "table"
    )
    unit: Annotated[
        UnitOfProtection | None,
        Only(Decides.CLASSES, "key"),
        Decides.RELEASE,
        Changes.DATA,
    ] = None
    inputs: Annotated[tuple[InputFile, ...], Decides.VALUES, Changes.DATA] = ()
    links: Annotated[tuple[LinkChoice, ...], Decides.VALUES, Changes.DATA] = Field(
        (), max_length=MOST_LINKS
    )
    preparation: Annotated[
        tuple[Annotated[Step, STEPS], ...],
        Only(Decides.VALUES, "preparation"),
        Changes.DATA,
    ] = Field((), max_length=50)
    attributes: Annotated[
        tuple[Attribute, ...], Only(Decides.VALUES, "attributes"), Changes.NOTHING
    ] = ()
    privacy: Annotated[Privacy, Decides.VALUES, Changes.PRIVACY] = Privacy()
    context: Annotated[
        ContextChoice,
        Decides.RELEASE,
        Only(Decides.MEASUREMENT, "context"),
        Changes.PRIVACY,
    ] = ContextChoice()
    validity: Annotated[ValidityChoice, Decides.RELEASE, Changes.PRIVACY] = (
        ValidityChoice()
    )
    dossier: Annotated[Dossier, Decides.RELEASE, Changes.EXPORT] = Dossier()
    quality: Annotated[Quality, Decides.SEARCH, Changes.QUALITY] = Quality()
    importance_said: Annotated[bool, Decides.NOTHING, Changes.QUALITY] = False
    sample: Annotated[SampleChoice | None, Decides.CLASSES, Changes.PRIVACY] = None
    search: Annotated[Search, Decides.SEARCH, Changes.SEARCH] = Search()
    blocks: Annotated[
        BlocksChoice,
        Decides.BLOCKS,
        Only(Decides.MEASUREMENT, "blocks"),
        Changes.SEARCH,
    ] = BlocksChoice()
    discover: Annotated[Discover, Decides.DISCOVERY, Changes.DISCOVER] = Discover()
    chosen: Annotated[Chosen | None, Decides.MEASUREMENT, Changes.CHOICE] = None
    kept: Annotated[tuple[Chosen, ...], Decides.NOTHING, Changes.CHOICE] = ()
    attacks: Annotated[AttackChoice, Decides.ATTACKS, Changes.CHOICE] = AttackChoice()
    comparisons: Annotated[tuple[Comparison, ...], Decides.CRITERIA, Changes.CHOICE] = (
        Field((), max_length=MOST_COMPARED)
    )
    answers: Annotated[tuple[Answer, ...], Decides.RELEASE, Changes.EXPORT] = ()
    overrulings: Annotated[tuple[Overruling, ...], Decides.RELEASE, Changes.EXPORT] = ()
    export: Annotated[Export, Decides.RELEASE, Changes.EXPORT] = Export()
    notes: Annotated[str, Decides.RELEASE, Changes.NOTES] = ""
    notes_signed: Annotated[Entered, Decides.RELEASE, Changes.NOTES] = Entered()
    seen: Annotated[dict[str, tuple[str, ...]], Decides.NOTHING, Changes.NOTHING] = {}
    released: Annotated[ReleaseNote | None, Decides.NOTHING, Changes.NOTHING] = None
    counts: Annotated[Counts | None, Decides.COUNTS, Changes.COUNTS] = None

    @model_validator(mode="after")
    def _of_its_kind(self) -> Self:
        if (self.kind == "counts") != (self.counts is not None):
            raise ValueError("counts go with their kind")
        if self.kind == "counts" and (self.inputs or self.attributes):
            raise ValueError("a project of counts has no table of people")
        is_compared = self.comparisons or self.validity.earlier is not None
        if self.kind == "counts" and is_compared:
            raise PydanticCustomError("counts_compared", "counts_compared")
        return self

    @model_validator(mode="after")
    def _linked(self) -> Self:
        if len({each.name for each in self.inputs}) < len(self.inputs):
            raise ValueError("two inputs have one name")
        has_people = self.input_called("people") is not None
        if has_people != bool(self.links):
            raise ValueError("a link goes with a table of people")
        if self.links and self.key != self.links[0].column:
            raise ValueError("who is protected is said by the key of the link")
        tables = {each.table for each in self.links} | {"table"}
        known = {"people", *tables} if self.links else tables
        if any(each.table not in known for each in self.attributes):
            raise ValueError("columns of people go with a table of people")
        if self.links and self.links[0].table != "table":
            raise ValueError("the first link is that of the first table")
        if len(tables) < len(self.links) or tables & {"people", "population"}:
            raise ValueError("two tables have one name")
        if any(self.input_called(name) is None for name in tables - {"table"}):
            raise ValueError("a link goes with a table of events")
        if len({each.people_column for each in self.links}) > 1:
            raise ValueError("all events are linked to one key of the people")
        return self

    @field_validator("comparisons")
    @classmethod
    def _called_differently(
        cls, comparisons: tuple[Comparison, ...]
    ) -> tuple[Comparison, ...]:
        if len({each.name for each in comparisons}) < len(comparisons):
            raise ValueError("two comparisons have one name")
        if sum(each.kind == "hold_out" for each in comparisons) > 1:
            raise ValueError("there are two files of people who were not released")
        return comparisons

    @field_validator("attributes")
    @classmethod
    def _unique(cls, attributes: tuple[Attribute, ...]) -> tuple[Attribute, ...]:
        names = [attribute.name for attribute in attributes]
        if len(set(names)) < len(names):
            raise ValueError("attribute names are not unique")
        return attributes

    @property
    def link(self) -> LinkChoice | None:
        """How the first table is linked to a table of people; None if it is not."""
        return self.links[0] if self.links else None

    @property
    def has_data(self) -> bool:
        """Whether it is about any data yet."""
        counts = self.counts
        return bool(self.inputs or (counts and (counts.tables or counts.sites)))

    def input_called(self, name: str) -> InputFile | None:
        """Return the input with a role; None if there is none."""
        return next((each for each in self.inputs if each.name == name), None)

    def attribute(self, name: str) -> Attribute:
        """Return the attribute called `name` (KeyError if there is none)."""
        for attribute in self.attributes:
            if attribute.name == name:
                return attribute
        raise KeyError(name)

    def with_role(self, *roles: str) -> tuple[Attribute, ...]:
        """Included attributes that have one of `roles`, in column order."""
        return tuple(
            attribute
            for attribute in self.attributes
            if attribute.include and attribute.role in roles
        )

    @property
    def key(self) -> str | None:
        """Column that says to whom a row belongs; None if each row is a person."""
        return self.unit.column if self.unit else None

    @property
    def releases_key(self) -> bool:
        """Whether codes in the release tell which rows are of the same person."""
        found = (each for each in self.attributes if each.name == self.key)
        return any(each.include and each.treatment == "pseudonym" for each in found)

    @property
    def fraction(self) -> float | None:
        """Share of the population whom the classes are counted from; None if unknown.

        A drawn sample has at most its share of the people of the file: taken as such,
        no class of the population is estimated too large.
        """
        stated = self.privacy.population.sampling_fraction
        if stated is None or self.sample is None:
            return stated
        return stated * self.sample.fraction

    @cached_property
    def quasi_identifiers(self) -> tuple[Attribute, ...]:
        """Included quasi-identifiers in column order."""
        return self.with_role("quasi_identifier")

    @property
    def is_by_blocks(self) -> bool:
        """Whether a policy is looked for block by block, if nobody chooses one.

        With single cells to suppress, which no other search does; and where so many
        sets of attributes are asked about, and nothing else, that a search of the
        lattice would take hours to look at each of them for each policy.
        """
        models, m = self.privacy.models, len(self.quasi_identifiers)
        by_few = [each for each in models if isinstance(each, KnownAttributes)]
        if not by_few or self.blocks.suppress == "cells":
            return bool(by_few)
        known = min(m, max(each.known for each in by_few))
        return len(by_few) == len(models) and math.comb(m, known) > MANY_SETS


def names_of_files(project: Project) -> set[str]:
    """Return the names that a file of the project has, or may have, in ``--input``."""
    names = {each.name for each in project.inputs}
    names |= {each.name for each in project.comparisons}
    return names | {"table", "people", "population", "earlier"}
