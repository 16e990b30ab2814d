"""Assumptions and warnings that follow from what was decided, as sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from deidgui.app.determination.determination import AllowedRisk
from deidgui.app.events_known import PeopleAtRisk, who_knows
from deidgui.app.text import sentence_for
from deidgui.engine.privacy import PrivacyModel
from deidgui.engine.privacy.suppression import Roles
from deidgui.engine.sampling.curve import FEWEST_FOR_ANALYSIS
from deidgui.errors import Param
from deidgui.text import Text, per_cent, share_text, tr

if TYPE_CHECKING:
    # PERF: a search states nothing of evidence.
    from deidgui.app.project import UnitOfProtection
    from deidgui.engine.detect.keys import KeyProposal
    from deidgui.engine.evidence.document import (
        EventsKnown,
        ProtectedUnit,
        RowsKnown,
        Sample,
        ShareAtRisk,
    )

MOST_TAKEN = 3
"""Texts that mean "no value" which are named."""

ASSUMPTIONS: Mapping[str, Text] = {
    "quasi_identifiers_complete": (
        "What an adversary could know about a person is among the quasi-identifiers."
    ),
    "one_record_per_person": "Every person has at most one record in the table.",
    "rows_known_as_a_whole": (
        "Rows belong to people, as one column says. Risk is that of an adversary who "
        "knows everything that the rows of a person show, but not how many rows show "
        "it; the risk with their number is stated beside it."
    ),
    "events_known_in_part": (
        "People at risk are counted for an adversary who knows some values of each "
        "column of a person's events, not which of them belong to the same event, nor "
        "their order or number."
    ),
    "context_as_stated": (
        "What people said about the recipient and the context is true. The "
        "probability of an attempt is a judgement, not a measured frequency."
    ),
    "quality_of_rows": (
        "Data quality is measured on the rows of the release. The search compared "
        "policies by the same measure with each person counted once: where people "
        "have unequal numbers of rows, another policy can be slightly better by rows."
    ),
    "random_sample": (
        "The records are a simple random sample of the population: figures for the "
        "journalist and the marketer are estimates."
    ),
    "population_is_the_data": (
        "Nothing is known about the population: the journalist's risk is taken to be "
        "the prosecutor's."
    ),
    "population_is_right": (
        "The population that is stated is the one in which an adversary would look, "
        "and holds everybody in the data."
    ),
    "population_is_modelled": (
        "The people of the population are MODELLED, not counted: figures for the "
        "journalist and the marketer, and any comparison with a rule by its people, "
        "are estimates. The population that is stated is "
        "the one in which an adversary would look, and holds everybody in the data."
    ),
    "sampled_at_random": (
        "Everybody in the population had the same chance to be among the records."
    ),
    "sampled_with_stated_probability": (
        "Each person of the population was put among the records by chance, "
        "independently of the others, with at most the stated probability. The program "
        "has compared the share that a person stated with it; it has not seen the draw."
    ),
    "generalization_without_data": (
        "The hierarchies and the level of each were decided without looking at the "
        "data. The program has seen that one policy alone was allowed; it cannot see "
        "why that one."
    ),
    "only_the_table_is_passed_on": (
        "Of this folder only the released table is passed on: this evidence, the "
        "report and the mapping state exact facts about the sample."
    ),
    "table_shares_are_known": (
        "How common each sensitive value is in the whole table is no secret: only what "
        "a group of records tells beyond that is limited."
    ),
    "links_by_chance": (
        "Risks are compared for an adversary who knows these quasi-identifiers of "
        "everybody in the population and takes one of those who fit a record, each "
        "with the same chance."
    ),
    "rule_on_quasi_identifiers": (
        "The Safe Harbor rule is applied to the quasi-identifiers alone, as a person "
        "said which of them are ages, ZIP codes, dates or none of these. The "
        "identifiers that it removes besides are taken not to be in other columns."
    ),
    "missing_matches_anything": (
        "A missing value matches every value, for all risk figures."
    ),
}
"""What figures rest on, in sentences."""


def assumption_codes(
    of_risk: Sequence[str],
    models: Sequence[PrivacyModel | PeopleAtRisk | AllowedRisk],
    *,
    of_people: bool,
) -> list[str]:
    """Return the codes of what figures and models rest on.

    Parameters
    ----------
    of_risk : sequence of str
        Of the risk figures (see `measure_risk`).
    """
    codes = list(of_risk)
    for model in models:
        codes += [code for code in model.assumptions if code not in codes]
    if of_people:
        whole = "rows_known_as_a_whole"
        codes = [whole if code == "one_record_per_person" else code for code in codes]
        codes.append("quality_of_rows")
    return codes


def assumption_words(code: str) -> str:
    """Return an assumption as a sentence."""
    return tr(ASSUMPTIONS[code]) if code in ASSUMPTIONS else code.replace("_", " ")


def comparison_codes(by: str, baseline: str | None) -> tuple[str, ...]:
    """Return the codes of what a comparison of risks rests on."""
    if by != "risk":
        return ()
    is_rule = baseline == "safe_harbor"
    return ("links_by_chance", *(["rule_on_quasi_identifiers"] if is_rule else []))


def warnings_of_policy(
    n_taken_over: int,
    models: Sequence[PrivacyModel | PeopleAtRisk | AllowedRisk],
    rounds_have_conditions: bool,
) -> list[str]:
    """Return what a reader must be warned of in roles, models and policy."""
    found: list[str] = []
    if n_taken_over:
        found.append(
            tr(
                "The roles of {n:column|columns} were proposed by the program as "
                "certain and taken over together: nobody confirmed them one by one.",
                n=n_taken_over,
            )
        )
    unvetted = [tr(model.title) for model in models if not model.vetted]
    if unvetted:
        found.append(
            tr(
                "Not yet checked by a second person against their sources: {models}.",
                models=", ".join(unvetted),
            )
        )
    if rounds_have_conditions:
        found.append(
            tr(
                "Local recoding with requirements beyond the size of groups: whoever "
                "knows that a group was large enough for one round, and finds it "
                "released by a later one, learns that it did not meet another "
                "requirement as it was."
            )
        )
    return found


def warnings_of_decisions(
    unit: ProtectedUnit | None,
    set_by: str,
    order: str,
    *,
    is_shift_seeded: bool = False,
) -> list[str]:
    """Return what a reader must be warned of in people, thresholds and order.

    Parameters
    ----------
    order : str
        Of the rows: input, random or seeded.
    is_shift_seeded : bool
        Whether dates moved by a seed.
    """
    found = _warnings_of_rows(unit)
    if not set_by:
        found.append(tr("It is not recorded who set the thresholds."))
    if order == "seeded":
        found.append(
            tr(
                "The order of rows was drawn from a fixed seed: whoever knows it can "
                "restore the original order."
            )
        )
    if order == "input":
        found.append(tr("The rows are in the order of the input."))
    if is_shift_seeded:
        found.append(
            tr(
                "Dates were shifted by a fixed seed: whoever knows it and the "
                "identifier of a person can undo the shift."
            )
        )
    return found


def numbers_of_people(
    unit: UnitOfProtection | None, keys: Sequence[KeyProposal]
) -> list[dict[str, Param]]:
    """Return what ``question_people`` says of each column that it asks about.

    Of none but where each row counts as one person.
    """
    if unit is None or unit.kind != "row":
        return []
    against = (each for each in keys if each.speaks_against_rows)
    return [
        {"column": e.column, "n_values": e.n_values, "most": e.most_rows}
        for e in against
    ]


def taken_as_missing(missing: Iterable[Iterable[str]]) -> tuple[str, ...]:
    """Say which texts mean "no value", and in how many columns.

    Parameters
    ----------
    missing : iterable of iterable of str
        Such texts of each column. Of empty cells nothing is said.
    """
    texts = Counter(each for column in missing for each in column if each.strip())
    shown = texts.most_common(MOST_TAKEN)
    return tuple(
        tr("“{text}” counts as missing in {n:column|columns}.", text=text, n=n)
        for text, n in shown
    )


def doubt_of_rows(unit: UnitOfProtection | None, keys: Sequence[KeyProposal]) -> str:
    """Say what speaks against counting each row as one person; empty if nothing does.

    PRIVACY: where people have several rows, each figure of a row is too low.
    """
    if unit is None:
        return tr(
            "It is not decided who is protected: each row counts as one person here. "
            "If people have several rows, their risk is higher."
        )
    found = numbers_of_people(unit, keys)
    return sentence_for("question_people", found[0]) if found else ""


def doubt_of_number(unit: ProtectedUnit | None, smallest: int) -> str:
    """Say that the number of somebody's rows tells more than was allowed.

    More than a policy's smallest class allows, or than the threshold of people at risk.

    Parameters
    ----------
    smallest : int
        Fewest people that the policy releases alike.

    Returns
    -------
    str
        Empty if it does not, or if rows of a person do not stay together.
    """
    if unit is None or unit.column is None:
        return ""
    for each in unit.rows_known:
        highest = each.highest or 0.0
        is_too_high = highest * smallest > 1 + 1e-9 or bool(each.n_at_risk)
        if each.known == "all_and_number" and is_too_high:
            words = tr(
                "The rows of a person stay together: whoever knows all rows of a "
                "person, and how many show the same, finds the right person with a "
                "probability of up to {share}.",
                share=share_text(highest),
            )
            return f"{words} {_of_how_many(unit, each)}".strip()
    return ""


def _of_how_many(unit: ProtectedUnit, known: RowsKnown) -> str:
    """Say of how many people a risk by known rows is too high; empty if unknown."""
    if known.n_at_risk is None or unit.people is None:
        return ""
    return tr(
        "That is the person who is easiest to find; above the threshold are {n} of "
        "{all:released person|released people}.",
        n=known.n_at_risk,
        all=n_released(unit),
    )


def n_released(unit: ProtectedUnit) -> int:
    """Released people of a table whose rows belong to people."""
    assert unit.people is not None, "each row is a person"
    return unit.people - (unit.suppressed_people or 0)


MOST_ACCEPTED = 8
"""Accepted questions that are listed; of the others it is said how many there are."""


class AskedAndAnswered(Protocol):
    """A question about the released table that a person answered with a reason."""

    @property
    def words(self) -> str:
        """What was found, in one sentence."""


@dataclass(frozen=True)
class AcceptedRisk:
    """What a person has accepted of a table, although all thresholds are met.

    PRIVACY: an accepted risk is still there. Whatever kind a question has, a release
    that rests on a reason is not shown as one that rests on thresholds alone.

    Parameters
    ----------
    questions : tuple of str
        What was found and accepted, a sentence for each question: a reason does not
        answer it, and it stays in view.
    doubt : str
        As of `doubt_of_number`, if nothing was asked about it.
    """

    questions: tuple[str, ...]
    doubt: str = ""

    def __bool__(self) -> bool:
        return bool(self.questions or self.doubt)

    @property
    def words(self) -> str:
        """How many questions a person has answered; empty for none."""
        if not self.questions:
            return ""
        return tr(
            "{n:question was|questions were} accepted with a reason.",
            n=len(self.questions),
        )

    @property
    def lines(self) -> tuple[str, ...]:
        """What was accepted and what stays in doubt, a line each."""
        n_more = len(self.questions) - MOST_ACCEPTED
        more = tr("… and {n} more", n=n_more) if n_more > 0 else ""
        shown = (*self.questions[:MOST_ACCEPTED], more, self.doubt)
        return tuple(filter(None, shown))


def accepted_risk(
    answered: Iterable[AskedAndAnswered],
    unit: ProtectedUnit | None,
    smallest: int | None,
) -> AcceptedRisk:
    """Return what a person has accepted of a table that meets its thresholds.

    Parameters
    ----------
    smallest : int or None
        See `doubt_of_number`; None without a policy.
    """
    questions = tuple(each.words for each in answered)
    doubt = doubt_of_number(unit, smallest) if smallest else ""
    return AcceptedRisk(questions, "" if doubt in questions else doubt)


def _warnings_of_rows(unit: ProtectedUnit | None) -> list[str]:
    """What a reader must know of people with several rows."""
    if unit is None:
        return []
    found = []
    by_number = [e for e in unit.rows_known if e.known == "all_and_number"]
    n_at_risk = by_number[0].n_at_risk if by_number else None
    if n_at_risk:
        found.append(
            tr(
                "{n:person|people} could be recognised above the threshold by somebody "
                "who also knows how many of their rows show the same.",
                n=n_at_risk,
            )
        )
    if unit.suppressed_people is not None and unit.column is None:
        found.append(
            tr(
                "The column that says to whom a row belongs is not released: people "
                "were counted before the release, and cannot be counted in its files."
            )
        )
    return found


def sample_warnings(sample: Sample | None) -> list[str]:
    """Return what a reader must be warned of in a sample."""
    found: list[str] = []
    if sample is None:
        return found
    if sample.sampled < FEWEST_FOR_ANALYSIS:
        found.append(
            tr(
                "The sample has {n_sampled}, fewer than the {floor} that most analyses "
                "need; a person accepted that.",
                n_sampled=sample.sampled,
                floor=FEWEST_FOR_ANALYSIS,
            )
        )
    if sample.draw == "seeded":
        found.append(
            tr(
                "The sample was drawn from a fixed seed: whoever knows it and the "
                "order of the file can find out who is in the sample."
            )
        )
    return found


def share_at_risk_words(share: ShareAtRisk) -> str:
    """Say a share of people at risk: an estimate is called one, with its interval."""
    mean, low, high = (per_cent(e, 3) for e in (share.share, share.low, share.high))
    if share.how in ("exact", "every_way"):
        return mean
    if share.how == "not_more":
        return tr("at most {share} (if all events were known)", share=mean)
    if share.how == "not_less":
        return tr(
            "at least {share} (by what is the same in all rows of a person)", share=mean
        )
    return tr(
        "an estimated {share} ({low} to {high} with 99.9\u202f% confidence)",
        share=mean,
        low=low,
        high=high,
    )


def events_words(facts: EventsKnown, condition: PeopleAtRisk) -> str:
    """Say who knows what of a person's events, and how many are at risk."""
    return tr(
        "For {who}, {share} of the {n:released person|released people} are matched by "
        "fewer than {size}; at most {limit} may be. How many values are known of each "
        "person follows from how alike their own values are. If it followed from the "
        "released values, which are more alike, it would be {more}.",
        who=who_knows(condition.known),
        share=share_at_risk_words(facts.decides),
        n=facts.people,
        size=facts.size,
        limit=per_cent(condition.known.limit),
        more=share_at_risk_words(facts.by_released),
    )


def tie_words(models: Sequence[PrivacyModel]) -> str:
    """Say for which choice among equal classes a proof holds; empty if all are alike.

    Models that judge a release as a whole suppress the smallest equivalence classes
    until they are met. Which of several equally small ones are taken does not change
    the risk, but it changes what is lost.

    Parameters
    ----------
    models : sequence of PrivacyModel
        All that the release must meet.
    """
    titles = [tr(each.title) for each in Roles.of(models).of_release]
    if not titles:
        return ""
    return tr(
        "The proof holds for this rule: of equally small equivalence classes the first "
        "in the order of the values are suppressed ({models}). Suppressing others of "
        "them could lose less.",
        models=", ".join(titles),
    )


def overruled_warning(words: str, because: str) -> str:
    """Say that a condition is not met, and why the table is released all the same."""
    return tr(
        "OVERRULED: a threshold that was set is NOT met. It asks: {words} A person "
        "released the table all the same, for this reason: {because}",
        words=words,
        because=because,
    )
