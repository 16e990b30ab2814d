"""The fields of ``evidence.json``."""

from __future__ import annotations

import hashlib
import json
from typing import Annotated, Any, Literal, Self

from pydantic import ConfigDict, Field, model_validator

from deidgui.engine.evidence.entered import (
    Agreement,
    AttackRelevance,
    Entered,
    Entry,
    IntruderTest,
    Part,
    Period,
    Principles,
)

FORMAT: Literal["deidgui-evidence"] = "deidgui-evidence"
VERSION: Literal[1] = 1
REPORTS = ("report.html", "report.pdf")
"""Made from the evidence, which vouches for them."""


Count = Annotated[int, Field(ge=0)]
Share = Annotated[float, Field(ge=0, le=1)]
Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class OpenPart(Part):
    """Base of parts that also hold the parameters of a model or of a measure."""

    model_config = ConfigDict(extra="allow")


class Input(Part):
    """A file that was read.

    Attributes
    ----------
    name : str
        Role of the file: "table", of linked tables "people" and, of further events,
        "table2" and so on, or "population" with the people it comes from.
    file : str
        File name without folder.
    columns : int
        Of the population only those that are used.
    left_out : int
        Records of the wrong length that were not read, by a person's word.
    """

    name: str = "table"
    file: str
    member: str | None = None
    bytes: Count
    sha256: Sha256
    rows: Count
    columns: Count
    left_out: Count = 0


TableName = Annotated[str, Field(pattern=r"^(table([2-9]|1[0-9]|20)?|people)$")]
"""Role of a released table: table, and of linked tables people, table2, ..."""


class Output(Part):
    """A released table; `path` is relative to the release, with slashes.

    Attributes
    ----------
    name : str
        table, or people: of linked tables, one row each; further events are called
        table2 and so on.
    """

    name: TableName = "table"
    path: str = Field(min_length=1, max_length=1000)
    bytes: Count
    sha256: Sha256
    rows: Count
    columns: tuple[str, ...]


class File(Part):
    """Another file of the release that the evidence vouches for."""

    path: str = Field(min_length=1, max_length=1000)
    bytes: Count
    sha256: Sha256


class Link(Part):
    """How the released tables of events belong to that of people.

    All have the pseudonym of `Unit.column`.

    Attributes
    ----------
    orphans, keyless : int
        Events of all inputs that are left out: nobody has their key; they have none.
    people_without_events : int
        Of the input: without any.
    """

    orphans: Count
    keyless: Count
    people_without_events: Count


class Attribute(Part):
    """What happened to one column of the input.

    Attributes
    ----------
    name : str
        Of a column that is not released only its place: "column 3".
    position : int or None
        Place among the columns of the input, from 1.
    released_as : str or None
        Header in the released table; None if the column is not released.
    role : str or None
        None only for columns that are left out.
    treatment : str
        generalized, kept, pseudonym, mask, removed or left_out (not included).
    confirmed : bool
        Whether a person set or confirmed the role.
    taken_over : bool
        Whether it was confirmed with all certain proposals at once.
    weight : float in [0, 1] or None
    words : str
        What is released, in words: "bands of 5".
    level, height, leaves : int or None
        Of quasi-identifiers: level of the hierarchy, its top level, its values.
    mapping : str or None
        File with the released labels.
    lost : int
        Of a quasi-identifier that is kept in full: values that only suppressed records
        have.
    is_constant : bool
        Whether all released records have the same value for that reason.
    missing_as : tuple of str
        Texts that mean "no value".
    key : str or None
        Of pseudonyms: "destroyed" or "kept_apart".
    table : str
        The input and the output of the column: table, or people.
    """

    name: str
    position: int | None = Field(None, ge=1)
    released_as: str | None = None
    role: (
        Literal["direct_identifier", "quasi_identifier", "sensitive", "insensitive"]
        | None
    )
    treatment: Literal[
        "generalized", "kept", "pseudonym", "mask", "removed", "left_out"
    ]
    type: str = "text"
    confirmed: bool = False
    taken_over: bool = False
    weight: Share | None = None
    words: str = ""
    level: Count | None = None
    height: Count | None = None
    leaves: Count | None = None
    mapping: str | None = None
    lost: Count = 0
    is_constant: bool = False
    missing_as: tuple[str, ...] = ()
    missing_records: Count = 0
    key: Literal["destroyed", "kept_apart"] | None = None
    table: TableName = "table"


class Condition(OpenPart):
    """A privacy model for which records are suppressed besides, with its parameters."""

    kind: str


class RoundFacts(Part):
    """One round of a policy of several.

    Attributes
    ----------
    levels : dict of str to int
        Level by quasi-identifier.
    suppress_below : int
        Smaller classes go on to the next round.
    records : int
        That the round releases.
    """

    levels: dict[str, Count]
    suppress_below: int = Field(ge=1, alias="withhold_below")
    conditions: tuple[Condition, ...] = ()
    records: Count


class Acceptance(Part):
    """Why a discovered policy is acceptable, and was when it was released.

    Attributes
    ----------
    by : str
        risk: it is no higher than a threshold; models: the privacy models hold.
    baseline : str or None
        Where the threshold comes from: safe_harbor, policy, typed.
    threshold : float or None
        Sum of 1 / g^gamma over the records that are compared: at most so high.
    margin : float
        Share of the threshold by which it is undercut.
    """

    by: Literal["risk", "models"]
    baseline: Literal["safe_harbor", "policy", "typed"] | None = None
    threshold: float | None = Field(None, gt=0)
    margin: float = Field(0.0, ge=0, le=1)
    gamma: float = Field(1.0, gt=0, le=10)
    words: str = ""


class PerRecord(Part):
    """How the risk is spread over the records, beside the baseline.

    Attributes
    ----------
    highest, baseline_highest : float
        1 / g^gamma of the record that is easiest to link, under each.
    n_riskier, n_safer : int
        Records with a higher, and with a lower risk than under the baseline.
    added_sum, added_most : float
        By how much the riskier ones are riskier: together, and one of them at most.
    """

    highest: float = Field(ge=0)
    baseline_highest: float = Field(ge=0)
    n_riskier: Count
    n_safer: Count
    added_sum: float = Field(0.0, ge=0)
    added_most: float = Field(0.0, ge=0)


class SafeHarbor(OpenPart):
    """How risky the release is beside Safe Harbor, or another baseline.

    Attributes
    ----------
    baseline : str or None
        safe_harbor, policy or typed; None if nothing was compared.
    baseline_risk, policy_risk, difference, raw_risk : float or None
        Sum of 1 / g^gamma over the records that are compared under the baseline and
        under the policy, the latter minus the former, and the same for the input.
        With gamma 1 the number of records expected to be linked to the right person.
    margin : float
        Share of the baseline's risk by which that of the policy is lower.
    records : int or None
        All records, compared or not.
    records_left_out, records_possible : int
        Those that are not compared, since nobody in the population has their values;
        those with missing values that are compared among all people they could be.
    cautious_policy_risk, cautious_baseline_risk : float or None
        Sum over all records; g is at least the number of records released alike.
    populations_drawn, populations_holding : int, int or None
        Populations that were drawn around the known one, and those among which the
        policy stays at or below the baseline.
    population, basis : str
        Among whose people, in words, and whether these are counted or modelled.
    rule : dict of str to str
        What the baseline does to each quasi-identifier.
    words : str
        The comparison in one sentence.
    scope : str
        What the sentence is about and what it is not.
    """

    baseline: Literal["safe_harbor", "policy", "typed"] | None = None
    gamma: float | None = Field(None, gt=0)
    baseline_risk: float | None = Field(None, ge=0)
    policy_risk: float | None = Field(None, ge=0)
    difference: float | None = None
    raw_risk: float | None = Field(None, ge=0)
    margin: float = Field(0.0, ge=0, le=1)
    records: Count | None = None
    records_left_out: Count = 0
    records_possible: Count = 0
    cautious_policy_risk: float | None = Field(None, ge=0)
    cautious_baseline_risk: float | None = Field(None, ge=0)
    populations_drawn: Count = 0
    populations_holding: Count | None = None
    population: str = ""
    basis: Literal["counted", "modelled", ""] = ""
    rule: dict[str, str] = {}
    per_record: PerRecord | None = None
    words: str = ""
    scope: str = ""


class CellFacts(Part):
    """Single cells that are suppressed, of records that are released.

    Such a cell is ``*``, as whole suppressed records are. A missing value is written as
    its mapping file says, and never counts as one of these.

    Attributes
    ----------
    known, k : int
        By any so many quasi-identifiers, every record looks like k - 1 others; a
        suppressed cell counts as a value of its own.
    block_size : int
        Of the blocks, as which the sets of quasi-identifiers were looked at.
    records : int
        Released records of which some cells are suppressed.
    by_attribute : dict of str to int
        Suppressed cells, of attributes that have any.
    """

    known: Count
    k: Count
    block_size: Count
    records: Count
    by_attribute: dict[str, Count]


class PolicyFacts(Part):
    """The policy; `levels` by attribute for lattice nodes.

    Attributes
    ----------
    bits : dict of str to str
        Of joined neighbours: by quasi-identifier a "1" wherever two neighbouring
        values stay apart and a "0" where they are joined.
    values_at : dict of str to int or None
        Level of the hierarchy whose groups are these values; None if the values stand
        in another order than that of the hierarchy.
    joined : dict of str to str
        Released groups of several values, in brackets; "∅" for none.
    acceptance : Acceptance or None
        Of joined neighbours.
    conditions : tuple of Condition
        Suppressed are classes smaller than `suppress_below` and what these models
        ask for besides.
    suppressed_because : tuple of str
        The same in sentences.
    rounds : tuple of RoundFacts
        Of local recoding: each is applied to the records that all before it
        suppress.
    cells : CellFacts or None
        If single cells are suppressed.
    """

    kind: str
    levels: dict[str, Count] = {}
    suppress_below: int = Field(ge=1, alias="withhold_below")
    conditions: tuple[Condition, ...] = ()
    rounds: tuple[RoundFacts, ...] = ()
    cells: CellFacts | None = None
    bits: dict[str, Annotated[str, Field(pattern="^[01]*$")]] = {}
    values_at: dict[str, Count | None] = {}
    joined: dict[str, str] = {}
    acceptance: Acceptance | None = None
    suppressed_because: tuple[str, ...] = Field((), alias="withheld_because")
    suppressed: Literal["stars", "left_out"] = Field(alias="withheld")
    sentence: str = ""
    origin: str = ""


class Model(OpenPart):
    """A privacy model with its parameters, and whether the release satisfies it.

    Attributes
    ----------
    words : str
        The requirement in one sentence.
    """

    kind: str
    satisfied: bool
    words: str = ""


class Overruled(Entered, OpenPart):
    """A condition that the release does not satisfy, overruled by a person.

    A privacy model, or the suppression limit.

    Attributes
    ----------
    kind : str
        With the parameters as in `Model`.
    words : str
        The requirement in one sentence.
    because : str
        In the person's own words.
    """

    kind: str
    words: str = ""
    because: str = Field(min_length=1)


class AnsweredQuestion(Entered):
    """Something about a released column that a person had to answer.

    Attributes
    ----------
    kind : str
        people, identifier, text, unique, alone, disclosed, rows, spelling or earlier.
    words : str
        What was found, in one sentence.
    because : str
        Why the column is released all the same, in the person's own words.
    """

    column: str
    kind: str
    words: str
    because: str = Field(min_length=1)


class Attacker(Part):
    """Matching probabilities for one attacker; None where not defined or known.

    Attributes
    ----------
    highest, average : float in [0, 1] or None
    at_risk : float in [0, 1] or None
        Share of records whose probability is higher than the threshold.
    """

    highest: Share | None = None
    average: Share | None = None
    at_risk: Share | None = None
    records_at_risk: Count | None = None


class RiskFigures(Part):
    """Risk of one table, suppressed records excluded.

    Attributes
    ----------
    smallest_class : int or None
        None if no record is released.
    uniques : int
        Records in classes of size one.
    population : dict or None
        Estimates for the population: model, uniques, expected matches, ...
    """

    prosecutor: Attacker
    journalist: Attacker
    marketer: Attacker
    records: Count
    classes: Count
    smallest_class: int | None = Field(None, ge=1)
    uniques: Count = 0
    population: dict[str, Any] | None = None


class Risk(RiskFigures):
    """Risk of the release, and of the input before anything was done.

    Attributes
    ----------
    threshold : float in (0, 1] or None
        Records with a higher probability count as at risk.
    population_known : str
        What is known about the population: none, sampling_fraction, table.
    sampling_fraction : float in (0, 1] or None
    population_files : dict of str to str
        SHA-256 of the files of the tables of people that come with the program, by
        name; a file of the user's is among the inputs.
    """

    threshold: float | None = Field(None, gt=0, le=1)
    population_known: str = "none"
    sampling_fraction: float | None = Field(None, gt=0, le=1)
    population_files: dict[str, Sha256] = {}
    before: RiskFigures


class Measure(OpenPart):
    """One quality measure of the release.

    Attributes
    ----------
    words : str
        Name and definition in one sentence.
    """

    value: float | None
    words: str = ""
    by_attribute: dict[str, float] = {}


class RowsKnown(Part):
    """Risk of an adversary who knows some of a person's rows.

    Attributes
    ----------
    known : str
        one, two: so many rows that show different things; all: everything that the
        rows show; all_and_number: also how many rows show each of it.
    highest, average : float in [0, 1] or None
        Over the released people; None where it would take too long to compute.
    n_at_risk : int or None
        People whose risk is above the threshold; None without one.
    """

    known: Literal["one", "two", "all", "all_and_number"]
    highest: Share | None
    average: Share | None
    n_at_risk: Count | None = None


class ShareAtRisk(Part):
    """Share of the released people whom too few match: a count or an estimate.

    Attributes
    ----------
    share, low, high : float in [0, 1]
        An estimate lies between `low` and `high` with 99.9 % confidence.
    how : str
        exact: all events of everybody are known; every_way: the mean over all that may
        be known; estimated: from random draws of what is known; not_more: the share if
        all events were known; not_less: the share by the columns alone that are the
        same in all rows of a person.
    draws : int
        Of an estimate.
    """

    share: Share
    low: Share
    high: Share
    how: Literal["exact", "every_way", "estimated", "not_more", "not_less"]
    draws: Count = 0


class EventsKnown(Part):
    """People at risk, for an adversary who knows some of their events.

    What is known of them is a condition among the models, ``events_known``.

    Attributes
    ----------
    people : int
        Released people.
    size : int
        Whom fewer people match is at risk.
    decides : ShareAtRisk
        How much is known of each person follows from the values before they were
        generalized.
    by_released : ShareAtRisk
        It follows from the released values, which are less diverse: as much or more
        is known.
    words : str
        Who knows what, and what was found, in sentences.
    """

    people: Count
    size: int = Field(ge=1)
    decides: ShareAtRisk
    by_released: ShareAtRisk
    words: str = ""


class ProtectedUnit(Part):
    """Who is protected: of whom classes, risk and the suppression limit are counted.

    Attributes
    ----------
    kind : str
        row: each row is one person. key: rows belong to people, by a column.
    column : str or None
        Header in the released table of the column that says to whom a row belongs;
        None if it is not released: then nobody can count people in the release.
    people, suppressed_people : int or None
        Of a key.
    varying : tuple of str
        Quasi-identifiers that differ between the rows of a person: people are alike
        if their rows show the same combinations.
    rows_known : tuple of RowsKnown
        What the rows of a person tell together.
    events : EventsKnown or None
        People at risk, where an adversary knows some of their events.
    """

    kind: Literal["row", "key"]
    column: str | None = None
    people: Count | None = None
    suppressed_people: Count | None = None
    varying: tuple[str, ...] = ()
    rows_known: tuple[RowsKnown, ...] = ()
    events: EventsKnown | None = None


class SearchRecord(Part):
    """How the policy was found.

    Attributes
    ----------
    nodes, checked : int or None
        Policies that exist, and that were looked at.
    complete : bool
        Whether the best one is known to be the best.
    keep_something : bool or None
        Whether of two policies the one that removes fewer quasi-identifiers as a
        whole was better, whatever it lost; None where nobody searched so.
    chosen : bool
        Whether a person chose the policy. Then nothing was searched for the release:
        the other fields tell what a search of the same decisions knew as the policy
        was chosen, or `method` is "not_searched".
    removed : tuple of str
        Quasi-identifiers that are removed all the same: no policy that keeps
        something of each was found to meet the thresholds, or a person chose so.
    preference : str
        What importance and keeping something cost, where that is known.
    is_optimum : bool
        Whether the released policy is the one that is proven to be the best.
    rounds : int
        Of local recoding; 1 without it.
    mode, weights, iterations, budget, completes, quotas, demanded
        Of alternatives: settings of the search that found this one, as it was chosen.
    alternatives, evaluated, came_to_its_end
        Of alternatives: how many there were to choose from, how many policies were
        looked at, and whether the search came to its end.
    proven_for : str
        For which choice among equally small classes a policy is proven to be the best;
        empty where nothing is proven, or where there is no such choice.
    """

    method: str
    seed: int | None = None
    nodes: Count | None = None
    checked: Count | None = None
    complete: bool
    chosen: bool = False
    keep_something: bool | None = None
    removed: tuple[str, ...] = ()
    preference: str = ""
    proven_for: str = ""
    is_optimum: bool = False
    rounds: int = Field(1, ge=1)
    mode: Literal["interval", "subtree"] | None = None
    weights: Literal["both", "size", "use", "none"] | None = None
    iterations: Count | None = None
    budget: Count | None = None
    completes: bool | None = None
    quotas: dict[str, Share] = {}
    demanded: tuple[str, ...] = ()
    alternatives: Count | None = None
    evaluated: Count | None = None
    came_to_its_end: bool | None = None


class SimulatedAttack(Part):
    """One attack on the release, simulated or computed before it was written.

    Attributes
    ----------
    kind : str
        known_person, register or register_columns.
    variant : str
        What is known besides: all_known, inexact, same_event, ordered; how the release
        came from the register: sample_of_register, this_release; or the columns.
    power : int or None
        Values of each attribute, or columns, that are known at most; None for all.
    columns : tuple of str
        Quasi-identifiers that the register tells.
    runs : int or None
        None where nothing was drawn.
    success, low, high : float in [0, 1] or None
        Share of the runs that found the person, and the interval of 95 % around it.
    expected : float in [0, 1] or None
        Exact probability, where it was computed.
    """

    kind: Literal["known_person", "register", "register_columns"]
    variant: str
    power: int | None = Field(None, ge=0)
    columns: tuple[str, ...] = ()
    runs: int | None = Field(None, ge=1)
    success: Share | None = None
    low: Share | None = None
    high: Share | None = None
    expected: Share | None = None

    @model_validator(mode="after")
    def _complete(self) -> Self:
        drawn = (self.runs, self.success, self.low, self.high)
        if len({each is None for each in drawn}) > 1:
            raise ValueError("runs go with their share and its interval")
        if self.runs is None and self.expected is None:
            raise ValueError("an attack has a figure")
        return self


class Attacks(Part):
    """Attacks on exactly what is released, simulated before it was written.

    Attributes
    ----------
    seed : int
        Decides what was drawn.
    threshold : float in (0, 1] or None
        Of the risk that was decided, beside which shares are shown.
    fraction : float in (0, 1]
        Chance that somebody whom the attacker looks for is in the data.
    known_of_events : tuple of str
        Quasi-identifiers of which an attacker knows some rows only.
    people : int or None
        Whom the attacks looked for: everybody in the data that was read.
    assumptions : tuple of str
        Steps of the preparation before which the attacker knows the people, and
        ``sample`` if only some were drawn.
    """

    seed: int = Field(ge=0)
    threshold: float | None = Field(None, gt=0, le=1)
    fraction: float = Field(gt=0, le=1)
    known_of_events: tuple[str, ...] = ()
    people: int | None = Field(None, ge=1)
    assumptions: tuple[str, ...] = ()
    simulated: tuple[SimulatedAttack, ...]


class Thresholds(Part):
    """What was decided, by whom, and why."""

    recipient: str | None = None
    at_risk: float | None = Field(None, gt=0, le=1)
    suppression_limit: Share | None = None
    set_by: str = ""
    set_on: str = ""
    justification: str = ""


class StatedAnswer(Entered):
    """A person's answer to a question about the context; nobody has checked it.

    Attributes
    ----------
    question : str
        In full, so that an answer can be read without the program.
    answer : str
        yes, partly, no, unknown or does_not_apply; 0, 1 or 2 of invasion of privacy.
    proof : str
        What shows it.
    """

    question: str
    answer: Literal["yes", "partly", "no", "unknown", "does_not_apply", "0", "1", "2"]
    proof: str = ""


class DossierItem(Part):
    """How one item of the checklist of a determination stands.

    Attributes
    ----------
    number : int
        1 to 46.
    missing : tuple of str
        What is not entered of it.
    by_person : bool
        Whether a person said that it does not apply; else the release tells it.
    unsigned : tuple of str
        Of what is missing: what is said, and nobody has signed with name and day.
    """

    number: int = Field(ge=1, le=46)
    state: Literal["complete", "missing", "does_not_apply"]
    missing: tuple[str, ...] = ()
    by_person: bool = False
    unsigned: tuple[str, ...] = ()


class Dossier(Part):
    """What persons entered for the dossier, and which of its items are complete.

    Attributes
    ----------
    regime : str or None
        Whose front sheet the report of the release has.
    edition : str
        Of that report: public leaves out seeds and the rules in detail.
    entries : dict of str to Entry
        By name of what an item needs.
    columns : dict of str to dict of str to Entry
        By released column, then by name of what is asked about it.
    not_applying : dict of str to Entry
        By number of an item, why it does not apply.
    intruder_tests : tuple of IntruderTest
    items : tuple of DossierItem
        All 46, in their order.
    complete, asked : int
        Items that are complete, of those that apply.
    sections : dict of str to bool
        Whether each of D1 to D14 is complete.
    lacking : tuple of int
        Missing items of D2, D3, D5, D6 and D11: with one of them nobody determines
        anything.
    """

    regime: Literal["hipaa", "ema", "gdpr", "ontario", "australia"] | None = None
    edition: Literal["public", "confidential"] = "confidential"
    entries: dict[str, Entry] = {}
    columns: dict[str, dict[str, Entry]] = {}
    not_applying: dict[Annotated[str, Field(pattern=r"^[1-9]\d?$")], Entry] = {}
    intruder_tests: tuple[IntruderTest, ...] = ()
    items: tuple[DossierItem, ...] = Field(min_length=46, max_length=46)
    complete: Count
    asked: Count
    sections: dict[str, bool]
    lacking: tuple[int, ...] = ()


class Context(Part):
    """What people said about the recipient, and what follows from it.

    Attributes
    ----------
    release : str or None
        public, semi_public or non_public, as it was said.
    counts_as : str or None
        The same, unless there is no agreement.
    answers : dict of str to StatedAnswer
        By key of the question: C1 to C20, M0 to M3, K1 to K3, P1 to P8.
    attacks : dict of str to AttackRelevance
        By attack, T1 to T4; without one it is relevant.
    prevalence_of, breach_source, breach_year : str, str, int or None
        Where the numbers come from.
    own_threshold, own_threshold_because : str or None, str
        Set by a person, as a fraction or a decimal.
    signed : dict of str to Entered
        Who entered a field, and when, by the name that it has in the project.
    asked : int
        What is asked of this release.
    open : tuple of str
        Of it what nobody has said.
    score : float in [0, 100] or None
        Of the controls.
    controls, motives, invasion : str or None
        low, medium or high; None while a question is open.
    points : int or None
        Of invasion of privacy.
    attempts : dict of str to float or None
        Probability by attack: T1 deliberate, T2 acquaintance, T3 breach, T4 public.
    attempt : float or None
        The largest of the attacks that are not excluded.
    threshold : float or None
        Largest overall risk.
    measure : str
        Whether the average risk in the data counts, or the highest.
    limit : float or None
        Largest risk in the data: threshold / attempt, at most 1.
    overall : dict of str to float
        Overall risk of the release by attack: probability times risk in the data.
    words : str
        What follows, in one sentence; empty while it is open.
    """

    release: Literal["public", "semi_public", "non_public"] | None = None
    counts_as: Literal["public", "semi_public", "non_public"] | None = None
    recipient: str = ""
    purpose: str = ""
    agreement: Agreement = Agreement()
    answers: dict[
        Annotated[str, Field(pattern=r"^(C([1-9]|1\d|20)|M[0-3]|K[1-3]|P[1-8])$")],
        StatedAnswer,
    ] = {}
    attacks: dict[Annotated[str, Field(pattern=r"^T[1-4]$")], AttackRelevance] = {}
    matrix: str | None = None
    prevalence: Share | None = None
    prevalence_of: str = ""
    acquaintances: int | None = Field(None, ge=1, le=100_000)
    breach_rate: Share | None = None
    breach_source: str = ""
    breach_year: int | None = None
    own_threshold: str | None = Field(
        None, pattern=r"^(1/[1-9]\d{0,5}|0?\.\d{1,9}|1(\.0{1,9})?)$"
    )
    own_threshold_because: str = ""
    signed: dict[str, Entered] = {}
    asked: Count
    open: tuple[str, ...] = ()
    score: float | None = Field(None, ge=0, le=100)
    controls: Literal["low", "medium", "high"] | None = None
    motives: Literal["low", "medium", "high"] | None = None
    invasion: Literal["low", "medium", "high"] | None = None
    points: Count | None = None
    attempts: dict[str, Share | None] = {}
    attempt: Share | None = None
    threshold: Share | None = None
    measure: Literal["average", "highest"] = "highest"
    limit: Share | None = None
    overall: dict[str, Share] = {}
    words: str = ""

    @model_validator(mode="after")
    def _answers_fit(self) -> Self:
        for key, each in self.answers.items():
            if (key[0] == "P") != each.answer.isdigit():
                raise ValueError("no question has this answer")
        return self


class RiskOfPeople(Part):
    """Risk of people of the population, where their number is another one.

    Attributes
    ----------
    highest, average : float in [0, 1] or None
        Of somebody who is known to be in the population (journalist).
    matched : float in [0, 1] or None
        Share of the records that are matched rightly with the population (marketer).
    least_present, most_present : float in [0, 1] or None
        Probability that who fits a released class is in the data; if people are known
        by their values.
    unique : tuple of (float in [0, 1] or None)
        Estimated share of people who look like nobody else, by each privacy model that
        limits it, in their order; None where the estimate does not fit.
    """

    highest: Share | None
    average: Share | None
    matched: Share | None
    least_present: Share | None = Field(None, exclude_if=lambda found: found is None)
    most_present: Share | None = Field(None, exclude_if=lambda found: found is None)
    unique: tuple[Share | None, ...] = Field((), exclude_if=lambda found: not found)


class SensitivityCase(Part):
    """What becomes of risk in the data and overall risk if one thing is otherwise.

    Attributes
    ----------
    kind : str
        as_stated; column: one more is known; acquaintances: more of them; breach: twice
        as often; controls: one level worse; smaller_population, larger_population: by
        a fifth; together: attacks count together, as if independent.
    column : str
        That is known besides; of the kind column.
    average, highest : float in [0, 1]
        Risks in the data.
    attempts, overall : dict of str to float
        By attack, T1 to T4, as far as it is known.
    decides : float or None
        Overall risk that decides: of the attacks that are not excluded.
    within : bool or None
        Whether it is at most the threshold, and no record above the cap of a strict
        average; None while something is open.
    people : RiskOfPeople or None
        As stated and of the other populations, if the population is known.
    """

    kind: Literal[
        "as_stated",
        "column",
        "acquaintances",
        "breach",
        "controls",
        "smaller_population",
        "larger_population",
        "together",
    ]
    column: str = ""
    average: Share
    highest: Share
    attempts: dict[str, Share] = {}
    overall: dict[str, Share] = {}
    decides: Share | None = None
    within: bool | None = None
    people: RiskOfPeople | None = Field(None, exclude_if=lambda found: found is None)


class Validity(Part):
    """How long the determination holds, on what conditions, and who watches over it.

    Attributes
    ----------
    periods : tuple of Period
        The last one counts; it supersedes the others.
    ends : str or None
        Last day: of the last period, or of the agreement if that ends earlier.
    ends_with : str or None
        period or agreement; None if nobody has decided.
    conditions, in_charge, contact : str
    review_months : int or None
        After how many months it is looked at again.
    open : tuple of str
        What nobody has said: periods, conditions, in_charge, review_months, contact.
    signed : dict of str to Entered
        Who entered one of these texts, and when.
    words : str
        Until when, in one sentence.
    kept_until : str or None
        Before this day the dossier is not deleted; None while no end is decided.
    """

    periods: tuple[Period, ...] = ()
    ends: str | None = Field(None, pattern=r"^\d{4}-\d{2}-\d{2}$")
    ends_with: Literal["period", "agreement"] | None = None
    conditions: str = ""
    in_charge: str = ""
    review_months: int | None = Field(None, ge=1, le=36)
    contact: str = ""
    signed: dict[str, Entered] = {}
    open: tuple[str, ...] = ()
    words: str = ""
    kept_until: str | None = Field(None, pattern=r"^\d{4}-\d{2}-\d{2}$")


class ColumnDrift(Part):
    """How a quasi-identifier is distributed, and was in an earlier release.

    Attributes
    ----------
    comparable : bool
        Whether it has the same level in both, and at most a tenth of the records have
        labels that are not told apart.
    cells : dict of str to (int, int)
        Records before and now, by released label, at least 5 of each.
    rest : (int, int)
        Of all labels that are not told apart; of another level (0, 0).
    stability : float or None
        Population stability index: Σ (q - p)·ln(q / p) over the cells.
    """

    attribute: str
    comparable: bool = True
    cells: dict[str, tuple[Count, Count]] = {}
    rest: tuple[Count, Count] = (0, 0)
    stability: float | None = Field(None, ge=0)


class Drift(Part):
    """What has changed since an earlier release of the same project.

    Attributes
    ----------
    earlier, created : str, str or None
        SHA-256 and time of its evidence.
    inputs_before, inputs : tuple of str
        SHA-256 of the files that were read.
    policy_before, policy : str
        SHA-256 of columns, roles, treatment, levels, bits and conditions.
    people_before, people : int
        Who is released: people, or records where each is one.
    columns : tuple of ColumnDrift
        By quasi-identifier.
    met : tuple of str
        Triggers that are met: extract, policy, people (by more than a tenth), drift (an
        index above 0.25, or a column that cannot be compared). The determination was
        decided anew after each.
    by, on : str
        Who chose the earlier release, and when; empty in older evidence.
    """

    earlier: Sha256
    created: str | None = None
    inputs_before: tuple[Sha256, ...]
    inputs: tuple[Sha256, ...]
    policy_before: Sha256
    policy: Sha256
    people_before: Count
    people: Count
    columns: tuple[ColumnDrift, ...] = ()
    met: tuple[Literal["extract", "policy", "people", "drift"], ...] = ()
    by: str = ""
    on: str = ""


class SizeBin(Part):
    """Classes of `smallest` to `largest` records (None: and more)."""

    smallest: int = Field(ge=1)
    largest: int | None = Field(None, ge=1)
    classes: Count
    records: Count


class RiskStep(Part):
    """Share of records whose prosecutor risk is at most `limit`.

    Of the input None where it would tell the sizes of small classes.
    """

    limit: float = Field(gt=0, le=1)
    before: Share | None
    after: Share


class ClassSizes(Part):
    """Class size distribution before and after, and the cumulative risk."""

    before: tuple[SizeBin, ...]
    after: tuple[SizeBin, ...]
    cumulative: tuple[RiskStep, ...]

    @model_validator(mode="after")
    def _side_by_side(self) -> Self:
        if len(self.before) != len(self.after):
            raise ValueError("sizes before and after go together")
        return self


class LabelCount(Part):
    """Records with one released label.

    Attributes
    ----------
    suppressed : int or None
        None where the number is small: it would point at somebody.
    """

    label: str
    released: Count
    suppressed: Count | None = Field(None, alias="withheld")


class Distribution(Part):
    """Records by released label of one quasi-identifier.

    Attributes
    ----------
    labels : tuple of LabelCount
        In the order of the hierarchy; rare ones are summed up in `others`.
    others : LabelCount or None
        All labels that are not listed; its label is their number.
    fewer_than : int
        Suppressed numbers below this one are not given.
    """

    labels: tuple[LabelCount, ...]
    others: LabelCount | None = None
    fewer_than: int = Field(ge=2)

    @model_validator(mode="after")
    def _others_are_counted(self) -> Self:
        number = "0" if self.others is None else self.others.label
        if not (number.isascii() and number.isdigit()):
            raise ValueError("the label of the others is their number")
        return self


class RowOrder(Part):
    """How rows are ordered: input, random, or random from a seed kept apart."""

    kind: Literal["input", "random", "seeded"]


class Missing(Part):
    """How missing values are treated."""

    matches: Literal["own_category", "anything"] = "own_category"
    words: str = ""


class Sample(Part):
    """That the release is a simple random sample of the people of the input.

    Attributes
    ----------
    people, sampled : int
        People of the input and of the sample, or records where each is a person.
    rows : int
        Rows of the input; those of the sample are the evidence's records.
    fraction : float in (0, 1]
    draw : str
        random: by the operating system; seeded: with a number that is not told.
    average : float in [0, 1]
        Average risk of a member of the input who is not known to be in the sample:
        equivalence classes that are released, by the people of the input.
    words : str
    """

    people: Count
    sampled: Count
    rows: Count
    fraction: float = Field(gt=0, le=1)
    draw: Literal["random", "seeded"]
    average: float = Field(ge=0, le=1)
    words: str


class AttributesKnown(Part):
    """The risk of an adversary who knows any few of the quasi-identifiers.

    Attributes
    ----------
    known : int
        Units that are known, besides those always known.
    units : tuple of tuples of str
        Quasi-identifiers; those that are known together are one unit.
    always : tuple of str
        Known in any case.
    blocks : tuple of tuples of int
        Places of the units of each block, if blocks were measured that hold every set.
    n_sets : int
        Sets or blocks that were measured.
    size_at_risk : int
        Records in smaller classes are at risk.
    highest, average, share_at_risk : float in [0, 1]
        Each of the set or block where it is highest.
    riskiest : tuple of str
        Attributes of the riskiest set or block.
    """

    known: int = Field(ge=1)
    units: tuple[tuple[str, ...], ...] = Field(min_length=1)
    always: tuple[str, ...] = ()
    blocks: tuple[tuple[int, ...], ...] = ()
    n_sets: Count
    size_at_risk: int = Field(ge=1)
    highest: float = Field(ge=0, le=1)
    average: float = Field(ge=0, le=1)
    share_at_risk: float = Field(ge=0, le=1)
    riskiest: tuple[str, ...]
    words: str


class Distinguishability(Part):
    """How far one column tells people apart.

    Attributes
    ----------
    attribute : str
    alone : float in [0, 1]
        Share of the people with a value that nobody else has; a missing value is one.
    separation : float in [0, 1]
        Share of all pairs of people whose values differ.
    pair_with, pair_alone : str or None, float in [0, 1] or None
        With which quasi-identifier besides most people are alone, and which share;
        None where there is no other or pairs are too many.
    """

    attribute: str
    alone: Share
    separation: Share
    pair_with: str | None = None
    pair_alone: Share | None = None


class ColumnPrinciples(Principles):
    """What a person said of a released column; nobody has checked it.

    Attributes
    ----------
    open : tuple of str
        What nobody has said.
    input : Distinguishability or None
        How far the column of the input tells people apart; of the release see
        `Criteria.columns`.
    """

    attribute: str
    role: Literal["quasi_identifier", "sensitive", "insensitive"]
    open: tuple[str, ...] = ()
    input: Distinguishability | None = None


class CellsOfColumn(Part):
    """What the released cells of a column are like, whatever stands in them.

    Attributes
    ----------
    cells : int
        Rows of its table, empty cells included.
    longest : int
        Characters of the longest cell.
    most_words : int
        Of one cell, with blanks between.
    found : dict of str to int
        Cells that hold an identifier, by its kind.
    """

    attribute: str
    cells: Count
    longest: Count
    most_words: Count
    found: dict[str, Annotated[int, Field(ge=1)]] = {}


class CellsSearched(Part):
    """What was looked for inside the cells of the released tables.

    Attributes
    ----------
    kinds : tuple of str
        All kinds of identifiers that were looked for.
    columns : tuple of CellsOfColumn
        All released columns but pseudonyms and masked ones.
    """

    kinds: tuple[str, ...]
    columns: tuple[CellsOfColumn, ...]


class AloneOnSets(Part):
    """Who is alone on every set of so many quasi-identifiers.

    Attributes
    ----------
    size, sets : int
        Columns of each set, and how many sets there are.
    mean, worst_share : float in [0, 1]
        Share of the released people who are alone: the mean over the sets, and on
        the worst of them.
    anywhere : float in [0, 1]
        Share of the people who are alone on at least one of the sets.
    worst : tuple of str
        Attributes of the worst set.
    """

    size: int = Field(ge=1)
    sets: int = Field(ge=1)
    mean: Share
    anywhere: Share
    worst: tuple[str, ...]
    worst_share: Share


class Guessed(Part):
    """How often a sensitive value is guessed rightly from the quasi-identifiers.

    Attributes
    ----------
    attribute : str
    rate : float in [0, 1]
        By the commonest value of the class.
    baseline : float in [0, 1]
        By the commonest value of the release.
    without_own : float in [0, 1]
        By the commonest value of the others of the class.
    uniform : float in [0, 1]
        Share of the people in classes that have one value only.
    missing : float in [0, uniform] or None
        Share of those in classes where all values are missing; None in evidence of
        earlier versions.
    """

    attribute: str
    rate: Share
    baseline: Share
    without_own: Share
    uniform: Share
    missing: Share | None = None


class OneMore(Part):
    """Risk in the data if one more released column is known than quasi-identifiers.

    Attributes
    ----------
    attribute : str
    average, highest : float in (0, 1]
        Of the released people, in classes that agree on this column, too.
    """

    attribute: str
    average: Share
    highest: Share


class Membership(Part):
    """Probability that somebody who fits a released class is in the data.

    Attributes
    ----------
    highest, average : float, >= 0
        Over the released people; above 1 only where people are modelled.
    """

    highest: float = Field(ge=0)
    average: float = Field(ge=0)


Encoding = Literal[
    "utf-8",
    "cp1252",
    "latin-1",
    "iso8859-15",
    "utf-16-le",
    "utf-16-be",
    "utf-32-le",
    "utf-32-be",
    "cp1250",
    "iso8859-2",
    "cp1251",
    "koi8-r",
    "cp1253",
    "cp1254",
    "cp1255",
    "cp1256",
    "cp1257",
    "cp437",
    "cp850",
    "mac-roman",
    "shift_jis",
    "euc-kr",
    "gb18030",
    "big5",
]
"""Those that the program reads."""

MOST_SKIPPED = 10_000
"""Lines before the header of a compared file."""


class Dialect(Part):
    """How the text of a compared file is cut into cells."""

    delimiter: str = Field(",", min_length=1, max_length=1)
    quote: str = Field('"', max_length=1)
    skip_blanks: bool = False
    encoding: Encoding = "utf-8"
    skip_lines: int = Field(0, ge=0, le=MOST_SKIPPED)


class SharedColumn(Part):
    """Which values of a compared table belong to which released labels.

    Attributes
    ----------
    attribute, column : str
        Quasi-identifier, and the header in the compared table.
    groups : dict of str to int
        Group of each released label; labels of one group cannot be told apart by
        what the other table shows.
    others : dict of str to int
        Group of each value of the compared table, by its keyed digest, which is
        another one in each release; in the order of the digests. Who does not have
        that table learns how many of its values belong to each group, not which.
    wide : tuple of str
        Digests of values that stand for several groups which other values tell apart:
        whoever has one may be in any of them.
    unknown : int
        Its people with a value that belongs to no released label.
    """

    attribute: str
    column: str
    groups: dict[str, Count]
    others: dict[str, Count]
    wide: tuple[str, ...] = Field((), exclude_if=lambda found: not found)
    unknown: Count


class Linked(Part):
    """How many records are matched rightly by some columns.

    Attributes
    ----------
    attributes : tuple of str
        Columns that both tables show.
    classes : tuple of (int, int, int)
        Released records and people of the compared table that look alike, and in how
        many classes: each pair of sizes once.
    possible : int
        Different rows with a wide value that may be a released person; each gives one
        right match at most, and is in no class.
    most : float, >= 0
        Right matches that are expected, at most.
    certain : int
        Classes of one record in each of the tables.
    """

    attributes: tuple[str, ...]
    classes: tuple[tuple[Count, Count, Count], ...]
    possible: Count = Field(0, exclude_if=lambda found: not found)
    most: float = Field(ge=0)
    certain: Count


class Compared(Part):
    """Another release, or a register, matched with what is released.

    Attributes
    ----------
    kind : str
        release or register.
    sha256 : str
        Of its evidence, or of the file.
    records, others : int
        Released people, and people of the compared table.
    coverage : float in (0, 1] or None
        Of a register: share of its people whom somebody who matches has.
    shared : tuple of SharedColumn
        By quasi-identifier.
    kept : dict of str to str
        Header in the compared release of each column that both release as it is.
    linked : tuple of Linked
        By the quasi-identifiers, and by all columns that both show if there are more.
    membership : Membership or None
        Of a register.
    by, on : str
        Who chose it, and when.
    """

    name: str
    kind: Literal["release", "register"]
    sha256: Sha256
    dialect: Dialect | None = None
    records: Count
    others: Count
    coverage: Share | None = None
    shared: tuple[SharedColumn, ...]
    kept: dict[str, str] = {}
    linked: tuple[Linked, ...]
    membership: Membership | None = None
    by: str = ""
    on: str = ""


class Halves(Part):
    """How well one half of the quasi-identifiers finds the other half of a person.

    Attributes
    ----------
    first, second : tuple of str
        The split whose halves are put together rightly most often, of those that
        were looked at.
    looked, splits : int
        Splits into halves as large as each other, or nearly: looked at, and all. Of
        more than may be looked at some that are spread evenly over all, and further
        ones that exchange columns from the worst of these on.
    settled : bool
        Whether all splits that exchange one column of each half were looked at.
    rate : float in [0, 1]
        Share of the released people whose halves are put together rightly by who
        picks one of those that look alike on each.
    most : float in [0, 1]
        Share that no split can exceed: classes by people.
    baseline : float in [0, 1]
        The same for who picks anybody.
    """

    first: tuple[str, ...]
    second: tuple[str, ...]
    looked: int = Field(ge=1)
    splits: int = Field(ge=1)
    settled: bool
    rate: Share
    most: Share
    baseline: Share


class HeldOutGuess(Part):
    """How much better released people are guessed than people who were not released.

    Attributes
    ----------
    right, control : float, >= 0
        Expected right guesses of released people, and of the others.
    blind : float, >= 0
        Of released people by the commonest value of all.
    residual, low, high : float in [0, 1]
        What the release tells beyond what is true of people like them, and the
        interval of 95 % around it.
    """

    attribute: str
    right: float = Field(ge=0)
    control: float = Field(ge=0)
    blind: float = Field(ge=0)
    residual: Share
    low: Share
    high: Share


class HeldOut(Part):
    """Guesses about people who were not released.

    Attributes
    ----------
    sha256 : str or None
        Of their file; None if they are those who are not in the released sample.
    released, people : int
        Released people, and those who were not.
    key : str or None
        Header in the file that says to whom a row belongs.
    shared : tuple of SharedColumn
        Of the file.
    columns : dict of str to str
        Header there of each sensitive column.
    """

    name: str = ""
    sha256: Sha256 | None = None
    dialect: Dialect | None = None
    released: Count
    people: Count
    key: str | None = None
    shared: tuple[SharedColumn, ...] = ()
    columns: dict[str, str]
    guessed: tuple[HeldOutGuess, ...]
    by: str = ""
    on: str = ""


def _is_empty(found: object) -> bool:
    return not found


class Criteria(Part):
    """Who is singled out by what is released, and what can be guessed of them.

    Attributes
    ----------
    alone : float in [0, 1] or None
        Share of the released people who are alone on all quasi-identifiers; a missing
        value is a value of its own.
    by_chance : float in [0, 1] or None
        How often who knows all quasi-identifiers, and one thing more that is true of
        each with the probability 1 / (people who look alike), is left with exactly one
        record: mean over the released people.
    alone_on_all : float in [0, 1] or None
        Share of those with a row that nobody else has, on all released columns but
        pseudonyms.
    columns : tuple of Distinguishability
        How far each quasi-identifier tells people apart as it is released.
    sets : tuple of AloneOnSets
        By number of columns.
    guessed : tuple of Guessed
        By sensitive attribute.
    halves : Halves or None
        Who is found again where the quasi-identifiers are known in two parts.
    one_more : tuple of OneMore
        By column that is released as it is and no quasi-identifier.
    membership : Membership or None
        Where people of the population are known.
    compared : tuple of Compared
        Other releases and registers that a person chose.
    held_out : HeldOut or None
        If people are known who were not released.
    not_measured : dict of str to str
        What is missing here ("all", "alone", "sets", "sets_2", "guessed",
        "guessed:COLUMN", "halves", "one_more", "one_more:COLUMN",
        "membership", "compared:NAME", "held_out"), and the code of the reason.
    """

    alone: Share | None = None
    by_chance: Share | None = None
    alone_on_all: Share | None = None
    columns: tuple[Distinguishability, ...] = ()
    sets: tuple[AloneOnSets, ...] = ()
    guessed: tuple[Guessed, ...] = ()
    halves: Halves | None = None
    one_more: tuple[OneMore, ...] = ()
    membership: Membership | None = None
    compared: tuple[Compared, ...] = Field((), exclude_if=lambda found: not found)
    held_out: HeldOut | None = Field(None, exclude_if=_is_empty)
    not_measured: dict[str, str] = {}

    @property
    def gaps(self) -> tuple[str, ...]:
        """What was not measured of one more column: "one_more", "one_more:COLUMN"."""
        return tuple(e for e in self.not_measured if e.startswith("one_more"))


class CheckedStep(Part):
    """What a step of the preparation left, as the released files can show it.

    Attributes
    ----------
    columns : tuple of str
        Headers in the released table that are compared.
    table : str
        Released table of events whose rows are counted.
    most_events : int or None
        Rows of a person there, at most.
    cuts : dict of str to int
        Rows of a person with a value of the column, at most, by value.
    top : float or None
        Largest number of the columns.
    decimal_mark : str
        Of the numbers.
    codes : tuple of str
        Codes that no row has; with * at the end all that begin with it.
    one_value : bool
        Whether all rows of a person show the same in each of the columns.
    """

    columns: tuple[str, ...] = ()
    table: TableName = Field("table", exclude_if=lambda name: name == "table")
    most_events: Count | None = None
    cuts: dict[str, Count] = {}
    top: float | None = None
    decimal_mark: Literal[".", ","] = "."
    codes: tuple[str, ...] = ()
    one_value: bool = False


class PreparationStep(Part):
    """A step that changed the table before policies were searched.

    Attributes
    ----------
    words : tuple of str
        What it did, in sentences.
    people_before, people_after : int or None
        None if each row is a person.
    cells_changed : int
        Cells with another value, in rows that stayed.
    figures : dict of str to float
        What else it did, in numbers.
    key : str or None
        What became of the secret with which it drew: destroyed, or made from a seed
        that the sender keeps. None if it drew nothing.
    """

    kind: str
    words: tuple[str, ...]
    rows_before: Count
    rows_after: Count
    people_before: Count | None = None
    people_after: Count | None = None
    cells_changed: Count = 0
    figures: dict[str, float] = {}
    checked: CheckedStep = CheckedStep()
    key: Literal["destroyed", "seeded"] | None = None


class Evidence(Part):
    """Everything a release says about itself; the report shows nothing else.

    Attributes
    ----------
    parts : tuple of str
        Which of the fields that need not be stated are; see `parts_of`.
    notes, notes_signed : str, Entered
        What the sender adds, by whom, and when.
    records : int
        Rows of the input. Of linked tables these are events; who has none is counted
        among the people alone.
    link : Link or None
        Of linked tables.
    context : Context or None
        If anything was said about it.
    sensitivity : tuple of SensitivityCase
        What risks become if one thing is otherwise than stated.
    principles : tuple of ColumnPrinciples
        Of each released column that outsiders may know, if anything was said of one.
    cells : Cells or None
        How long the released cells are, and which identifiers stand in them; None in
        evidence of earlier versions.
    validity : Validity or None
        Until when the determination holds, if anything was said about it.
    drift : Drift or None
        What has changed since the earlier release that the project names.
    dossier : Dossier or None
        None in evidence of earlier versions, which no longer verifies.
    """

    format: Literal["deidgui-evidence"] = FORMAT
    version: Literal[1] = VERSION
    deidgui: str
    created: str | None = None
    parts: tuple[str, ...] = ()
    title: str = ""
    notes: str = ""
    notes_signed: Entered = Entered()
    inputs: tuple[Input, ...] = Field(min_length=1)
    preparation: tuple[PreparationStep, ...] = ()
    outputs: tuple[Output, ...] = Field(min_length=1)
    files: tuple[File, ...] = ()
    attributes: tuple[Attribute, ...] = Field(min_length=1)
    policy: PolicyFacts
    records: Count
    suppressed_records: Count
    unit: ProtectedUnit = ProtectedUnit(kind="row")
    sample: Sample | None = None
    link: Link | None = None
    attributes_known: AttributesKnown | None = None
    criteria: Criteria | None = None
    models: tuple[Model, ...] = ()
    overruled: tuple[Overruled, ...] = ()
    questions: tuple[AnsweredQuestion, ...] = ()
    risk: Risk
    quality: dict[str, Measure] = {}
    search: SearchRecord
    thresholds: Thresholds = Thresholds()
    context: Context | None = None
    sensitivity: tuple[SensitivityCase, ...] = ()
    principles: tuple[ColumnPrinciples, ...] = ()
    cells: CellsSearched | None = None
    validity: Validity | None = None
    drift: Drift | None = None
    dossier: Dossier | None = None
    missing: Missing = Missing()
    row_order: RowOrder
    spreadsheet_safe: bool = True
    class_sizes: ClassSizes
    distributions: dict[str, Distribution] = {}
    safe_harbor: SafeHarbor | None = None
    attacks: Attacks | None = None
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    software: dict[str, str] = {}

    @model_validator(mode="after")
    def _counts_agree(self) -> Self:
        if self.suppressed_records > self.records:
            raise ValueError("more records are suppressed than there are")
        return self

    @property
    def known_names(self) -> tuple[str, ...]:
        """By what the release of the same project is known again: its columns."""
        return tuple(each.name for each in self.attributes)

    @property
    def exceeds_limit(self) -> bool:
        """Whether more is suppressed than the limit allows: people or records.

        A record counts if anything of it is suppressed.
        """
        limit, unit = self.thresholds.suppression_limit, self.unit
        if limit is None:
            return False
        n_all, n_gone = unit.people, unit.suppressed_people
        if n_all is None or n_gone is None:
            n_all, n_gone = self.records, self.suppressed_records
        if self.policy.cells is not None:
            n_gone += self.policy.cells.records
        return n_gone > limit * n_all + 1e-9


def parts_of(evidence: Part) -> tuple[str, ...]:
    """Fields that say something although they need not, so that none can vanish.

    Not ``files``, of which the reports, made later, are some: others ask for them.
    """
    return tuple(
        name
        for name, field in type(evidence).model_fields.items()
        if not field.is_required()
        and name not in ("parts", "files")
        and getattr(evidence, name) != field.get_default(call_default_factory=True)
    )


def as_read(evidence: Evidence) -> Evidence:
    """Return an evidence as whoever reads its file has it."""
    content = canonical_json(evidence.model_dump(mode="json"))
    return Evidence.model_validate_json(content, strict=True)


def digest_of(evidence: Part) -> str:
    """SHA-256 of all that an evidence says, as its report states it.

    Of the canonical JSON without the entries of the two reports: the report cannot
    hold its own hash.
    """
    fields = evidence.model_dump(mode="json")
    fields["files"] = [e for e in fields["files"] if e["path"] not in REPORTS]
    return hashlib.sha256(canonical_json(fields)).hexdigest()


def evidence_schema() -> dict[str, Any]:
    """JSON Schema of ``evidence.json``."""
    return schema_of(Evidence)


def schema_of(part: type[Part]) -> dict[str, Any]:
    """JSON Schema of what is written of a part."""
    schema = part.model_json_schema(mode="serialization")
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    return schema


def canonical_json(content: Any) -> bytes:
    """UTF-8 JSON with two blanks of indentation, keys as given, final newline.

    Parameters
    ----------
    content : JSON-able
        Without NaN or infinity.
    """
    text = json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False)
    return f"{text}\n".encode()
