"""Proposes a role for every column of a table, with the reasons."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from deidgui.engine.arrays import FloatArray
from deidgui.engine.data.table import Column, Table
from deidgui.engine.data.texts import together
from deidgui.engine.detect.column_names import (
    MISSPELT,
    STOPPED,
    fold,
    is_unnamed,
    tokens_of,
    words_of,
)
from deidgui.engine.detect.countries import (
    UNITED_STATES,
    find_country,
    has_zip_codes,
)
from deidgui.engine.detect.detectors.clinical import ICD9_SHAPE, ICD10_SHAPE
from deidgui.engine.detect.evidence import ColumnEvidence, gather, nine_digit_numbers
from deidgui.engine.detect.free_text import embedded_identifiers, in_texts
from deidgui.engine.detect.languages import languages_of
from deidgui.engine.detect.profile import ColumnProfile, sample_size
from deidgui.engine.detect.roles import (
    Band,
    Finding,
    Identifier,
    Reason,
    Role,
    Topic,
    Treatment,
    protects_more,
)
from deidgui.engine.detect.scoring import REPORTED, band_of
from deidgui.engine.detect.spelling import spelling_of_values
from deidgui.engine.detect.subsets import column_distinction
from deidgui.errors import Param
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor
from deidgui.text import per_cent

_CODE_SHARE = 0.8
_NEARLY_UNIQUE = 0.2
_OLDEST, _OLDEST_EVER = 89, 125
_OVER_89 = (
    r"^[\[(]?(?:> ?89|(?:[>≥]=? ?)?(?:9\d|1[01]\d) ?(?:\+|[-–] ?\d{2,3})?)[\])]?$"
)
_SHORTER_THAN_YEARS = frozenset(
    ("month", "week", "day", "hours", "monat", "monate", "monaten", "wochen", "tage",
     "tagen", "maand", "maanden", "weken", "dagen", "mois", "semaines", "jours")
)  # fmt: skip
_PROBABLE = 0.6
_INSIDE = 0.7

_MANY_UNIQUE, _MANY_SHARE = 100, 0.01
"""With so many records alone on one column, and so large a share, it is no proposal to
release it as it is."""


def detect_columns(
    table: Table,
    type_of: Mapping[str, str],
    *,
    country: str | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> tuple[Finding, ...]:
    """Propose a role for every column, with the reasons (methods G).

    Parameters
    ----------
    type_of : mapping of str to str
        Value type by column: text, integer, decimal, date or category; a column
        that is not named counts as text.
    country : str, optional
        Two letters, where a person knows it; found from the file otherwise.

    Returns
    -------
    tuple of Finding
        One per column, in the order of the table. The same table gives the same
        findings: samples are evenly spaced, not random.

    References
    ----------
    .. [1] 45 CFR 164.514(b)(2), the Safe Harbor identifiers.
    """
    if not table.columns:
        return ()
    limit = sample_size(len(table.columns))
    languages = languages_of(table.column_names)
    part = SubMonitor(monitor, 0.0, 0.95)
    findings = []
    known = together([column.values for column in table.columns])
    for place, (column, texts) in enumerate(zip(table.columns, known, strict=True)):
        part.report(place / len(table.columns), "columns")
        kind = type_of.get(column.name, "text")
        profile = ColumnProfile(column, kind, limit, languages, texts)
        findings.append(finding_of(profile))
    country = country or find_country(table, findings).country
    findings = [_in_country(table, each, country) for each in findings]
    noted = _note_units(table, _note_old_births(table, findings))
    return _follow_twins(table, noted, monitor=SubMonitor(monitor, 0.95, 1.0))


def _in_country(table: Table, finding: Finding, country: str | None) -> Finding:
    """Rules of the United States hold for their codes only."""
    if finding.topic is Topic.ZIP:
        is_zip = country == UNITED_STATES or (
            country is None and has_zip_codes(table.column(finding.column))
        )
        return finding if is_zip else replace(finding, topic=Topic.POSTCODE)
    if finding.topic is Topic.STATE and country not in (None, UNITED_STATES):
        return replace(finding, topic=Topic.REGION)
    return finding


def finding_of(profile: ColumnProfile) -> Finding:
    """Propose a role for one column."""
    ranked = gather(profile) if profile.n_distinct else []
    reported = [each for each in ranked if each.score >= REPORTED]
    reported = reported or nine_digit_numbers(profile, ranked)
    proposal = _proposal(profile, reported)
    distinction, separation = column_distinction(profile.column.counts)
    band = band_of(proposal.score)
    return Finding(
        column=profile.column.name,
        role=proposal.role,
        treatment=proposal.treatment,
        topic=proposal.topic,
        identifier=proposal.identifier,
        score=proposal.score,
        band=band,
        reasons=(
            proposal.reason,
            *_reasons(profile, proposal, reported),
        ),
        alternatives=_alternatives(reported, proposal.identifier),
        n_values=profile.n_distinct,
        distinction=distinction,
        separation=separation,
        country=_country(reported),
    )


def _country(reported: Sequence[ColumnEvidence]) -> str:
    """Country of the rule that most values fit, empty without one."""
    if not reported or reported[0].values.rule is None:
        return ""
    values = reported[0].values
    return values.rule.country if values.rule and values.share >= _CODE_SHARE else ""


def _proposal(
    profile: ColumnProfile, reported: Sequence[ColumnEvidence]
) -> RoleProposal:
    if profile.n_distinct == 0:
        return RoleProposal(Role.INSENSITIVE, Reason("because_empty"), score=1.0)
    best = reported[0] if reported else None
    is_constant = profile.n_distinct == 1 and profile.n_present == profile.n_rows > 1
    if is_constant and (best is None or _may_stay_where_constant(best)):
        return RoleProposal(Role.INSENSITIVE, Reason("because_constant"), score=1.0)
    is_direct = best is not None and best.detector.role is Role.DIRECT_IDENTIFIER
    if not (is_direct and best and not best.contradicted):
        found = in_texts(profile)
        if found is not None:
            return RoleProposal(
                Role.DIRECT_IDENTIFIER,
                Reason("because_told_in_texts", found),
                Topic.FREE_TEXT,
                treatment=Treatment.REMOVE,
                score=_INSIDE,
            )
    if best is None:
        return _proposal_without_detector(profile)
    detector = best.detector
    named: dict[str, Param] = {"kind": detector.title}
    if best.contradicted and detector.role is Role.DIRECT_IDENTIFIER:
        other = _proposal_without_detector(profile)
        if other.role is not None:
            return other
        return replace(other, reason=Reason("because_contradicted", named))
    if detector.role is Role.INSENSITIVE and _singles_many_out(profile):
        reason = Reason(
            "because_nearly_unique",
            {"n_unique": profile.n_unique, "n_records": profile.n_rows},
        )
        return RoleProposal(None, reason, detector.topic)
    return RoleProposal(
        detector.role,
        Reason(detector.why, named),
        _topic(profile, best),
        detector.identifier,
        detector.treatment,
        best.score,
    )


def _may_stay_where_constant(best: ColumnEvidence) -> bool:
    """Whether a column that is the same for everybody may be released as it is.

    A postal code or a date tells nobody apart in the file, but all of them from
    everybody else.
    """
    detector = best.detector
    return detector.role is Role.INSENSITIVE or (
        detector.role is Role.QUASI_IDENTIFIER and detector.identifier is None
    )


def _topic(profile: ColumnProfile, best: ColumnEvidence) -> Topic:
    """Topic of a finding; for diagnoses the code system that the values show.

    Ages of children in months or days are numbers: 90 of them are no 90 years.
    """
    if best.detector.topic is Topic.AGE and _is_shorter_than_years(profile):
        return Topic.NUMBER
    if best.detector.topic is not Topic.DIAGNOSIS or not profile.n_sampled:
        return best.detector.topic
    for topic, shape in ((Topic.ICD10, ICD10_SHAPE), (Topic.ICD9, ICD9_SHAPE)):
        hits = int(profile.texts.contains(shape).sum())
        others = topic is Topic.ICD10 and profile.texts.contains(ICD9_SHAPE).sum()
        if hits >= _CODE_SHARE * profile.n_sampled and hits > others:
            return topic
    return Topic.DIAGNOSIS


def _reasons(
    profile: ColumnProfile, proposal: RoleProposal, reported: Sequence[ColumnEvidence]
) -> list[Reason]:
    is_said = proposal.reason.code == "because_contradicted"
    reasons = _evidence(profile, reported[0], is_said=is_said) if reported else []
    if proposal.topic is Topic.FREE_TEXT or profile.is_free_text:
        reasons += embedded_identifiers(profile)
    if proposal.topic is Topic.AGE and not profile.has_letters:
        n_over = _n_over_89(profile)
        if n_over:
            reasons.append(Reason("evidence_over_89", {"n_records": n_over}))
    if proposal.role is Role.SENSITIVE and (
        spelt := spelling_of_values(profile.column)
    ):
        reasons.append(Reason("evidence_spelling", spelt))
    keeps_values = proposal.role in (None, Role.INSENSITIVE, Role.SENSITIVE)
    if keeps_values and _singles_out(profile):
        reasons.append(
            Reason(
                "evidence_nearly_unique",
                {"n_unique": profile.n_unique, "n_records": profile.n_rows},
            )
        )
    return reasons


def _is_shorter_than_years(profile: ColumnProfile) -> bool:
    """Whether a name says that ages are counted in months or less."""
    return bool(_SHORTER_THAN_YEARS & set(tokens_of(profile.column.name)))


def _n_over_89(profile: ColumnProfile) -> int:
    """Records with an age over 89, below what stands for no age."""
    over = profile.texts.contains(_OVER_89) | (
        (profile.numbers > _OLDEST) & (profile.numbers <= _OLDEST_EVER)
    )
    return int(profile.rows[over].sum())


def _singles_out(profile: ColumnProfile) -> bool:
    """Whether many records have a value that no other record has."""
    return profile.n_unique > _NEARLY_UNIQUE * profile.n_rows


def _singles_many_out(profile: ColumnProfile) -> bool:
    """Whether so many records have a value of their own that a person must decide.

    PRIVACY: proposals are taken over together, often unread. A column on which a
    hundred people and more are alone, as the weights of a survey, is proposed as
    nothing. Of a few hundred records some always have a rare measurement.
    """
    n_unique = profile.n_unique
    is_many = n_unique >= _MANY_UNIQUE and n_unique > _MANY_SHARE * profile.n_rows
    return is_many or _singles_out(profile)


def _evidence(
    profile: ColumnProfile, best: ColumnEvidence, *, is_said: bool
) -> list[Reason]:
    """What speaks for a detector; name and contradiction only if not said before."""
    reasons = []
    kind = best.detector.title
    if best.name.score > STOPPED and not is_said:
        misspelt = best.name.score == MISSPELT
        code = "evidence_name_misspelt" if misspelt else "evidence_name"
        reasons.append(Reason(code, {"kind": kind}))
    if best.values.rule is not None:
        sporadic = best.values.share < 0.3
        code = "evidence_contains" if sporadic else "evidence_values"
        if best.values.rule.of_column:
            code = "evidence_column"
        reasons.append(
            Reason(
                code,
                {
                    "rule": best.values.rule.title,
                    "n_hits": best.values.n_hits,
                    "n_values": profile.n_sampled,
                    "share": _percent(best.values.share_of_rows),
                },
            )
        )
    if best.contradicted and not is_said:
        reasons.append(Reason("evidence_contradiction", {"kind": kind}))
    return reasons


def _percent(share: float) -> str:
    """Share in words; only all is 100 %, only nothing is 0 %."""
    return per_cent(max(math.floor(100 * share), 1 if share > 0 else 0) / 100)


def _alternatives(
    reported: Sequence[ColumnEvidence], chosen: Identifier | None
) -> tuple[tuple[Identifier, float], ...]:
    best: dict[Identifier, float] = {}
    is_sure = bool(reported) and reported[0].score >= _PROBABLE
    for each in reported:
        identifier = each.detector.identifier
        if each.contradicted and is_sure:
            continue
        if identifier is not None and identifier is not chosen:
            best[identifier] = max(each.score, best.get(identifier, 0.0))
    return tuple(sorted(best.items(), key=lambda pair: -pair[1]))


_MANY_DIGITS = 7
_LARGE_TABLE = 1_000
_AGES = 30
_PEAK = 0.15
_SINGLED_OUT = 0.05


@dataclass(frozen=True)
class RoleProposal:
    """A role for a column, with the reason and how sure it is; None is undecided."""

    role: Role | None
    reason: Reason
    topic: Topic | None = None
    identifier: Identifier | None = None
    treatment: Treatment | None = None
    score: float = 0.0


def _proposal_without_detector(profile: ColumnProfile) -> RoleProposal:
    """Propose a role from uniqueness and shape alone.

    Returns
    -------
    RoleProposal
        Undecided if nothing in the values singles persons out.
    """
    if profile.id_like and _is_number_of_something(profile):
        return RoleProposal(
            Role.DIRECT_IDENTIFIER,
            Reason(
                "because_id_like",
                {"n_values": profile.n_distinct, "n_records": profile.n_present},
            ),
            Topic.IDENTIFIER,
            Identifier.OTHER_CODE,
            Treatment.REMOVE,
            score=0.35,
        )
    if is_unnamed(profile.column.name) and _could_be_ages(profile):
        return RoleProposal(
            Role.QUASI_IDENTIFIER, Reason("because_maybe_age"), Topic.AGE, score=0.35
        )
    if profile.is_text and profile.n_unique > _SINGLED_OUT * profile.n_present:
        return RoleProposal(
            Role.QUASI_IDENTIFIER,
            Reason(
                "because_singles_out",
                {"n_unique": profile.n_unique, "n_records": profile.n_present},
            ),
            score=0.35,
        )
    topic = Topic.NUMBER if np.isfinite(profile.numbers).all() else None
    return RoleProposal(None, Reason("because_no_evidence"), topic)


def _is_number_of_something(profile: ColumnProfile) -> bool:
    """Whether a column of nearly unique values is more than a measurement.

    A few hundred measurements may well be different whole numbers of equal
    length: letters, ascending order, many digits or a large table tell them
    from numbers that were given out.
    """
    return (
        not profile.is_whole_numbers
        or profile.n_present >= _LARGE_TABLE
        or profile.length_range[0] >= _MANY_DIGITS
        or profile.is_monotone
    )


def _could_be_ages(profile: ColumnProfile) -> bool:
    """Whether whole numbers spread over the ages of people without one high peak."""
    if not profile.is_whole_numbers or profile.n_distinct < _AGES:
        return False
    low, high = profile.numbers.min(), profile.numbers.max()
    if low < 0 or high > 120 or profile.n_distinct < 0.8 * (high - low + 1):
        return False
    return bool(profile.rows.max() <= _PEAK * profile.rows.sum())


_YEAR = (
    r"(?:^|[^0-9])((?:1[89]|20)[0-9]{2})(?:$|[^0-9])|^((?:1[89]|20)[0-9]{2})[0-9]{4}$"
)
_TELLING_AGE = 90
_EVENTS = (Topic.DATE, Topic.YEAR)
_BIRTHS = "because_birth"


def _note_old_births(table: Table, findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Add to births how many show an age over 89 (methods G.4).

    The age is that at the latest year of any date in the table; years of two
    digits are left out.

    Parameters
    ----------
    findings : sequence of Finding
        One per column, in the order of the table.
    """
    births = [f for f in findings if f.reasons[0].code == _BIRTHS]
    if not births:
        return tuple(findings)
    dated = [f.column for f in findings if f.topic in _EVENTS or f in births]
    latest = max((_latest(table.column(name)) for name in dated), default=0)
    return tuple(
        _noted(table.column(each.column), each, latest) if each in births else each
        for each in findings
    )


def _years(column: Column) -> FloatArray:
    """Year in each distinct text, NaN without one."""
    texts = column.values.str.strip_chars()
    years = texts.str.extract(_YEAR, 1).fill_null(texts.str.extract(_YEAR, 2))
    return years.cast(pl.Float64).fill_null(float("nan")).to_numpy()


def _latest(column: Column) -> int:
    years = _years(column)[column.counts > 0]
    known = years[years == years]
    return int(known.max()) if len(known) else 0


def _noted(column: Column, finding: Finding, latest: int) -> Finding:
    old = _years(column) <= latest - _TELLING_AGE
    n_records = int(column.counts[old].sum())
    if not n_records:
        return finding
    note = Reason(
        "evidence_born_long_ago", {"n_records": n_records, "year": str(latest)}
    )
    return replace(finding, reasons=(*finding.reasons, note))


_MOST_UNITS = 8
_NAMED = ("unit", "einheit", "eenheid", "unidad", "unidade", "unita", "unite")
_UNITS = frozenset(
    ("year", "years", "yr", "yrs", "y", "month", "months", "mon", "mos", "mo", "m",
     "week", "weeks", "wk", "wks", "w", "day", "days", "dy", "d", "hour", "hours",
     "hr", "hrs", "h", "minute", "minutes", "min", "decade", "dec",
     "jahr", "jahre", "monat", "monate", "woche", "wochen", "tag", "tage", "stunden",
     "jaar", "maand", "maanden", "weken", "dag", "dagen",
     "an", "ans", "annee", "annees", "mois", "semaine", "semaines", "jour", "jours",
     "ano", "anos", "mes", "meses", "semana", "semanas", "dia", "dias",
     "anno", "anni", "mese", "mesi", "settimana", "settimane", "giorno", "giorni")
)  # fmt: skip


def _note_units(table: Table, findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Add to ages which column has their units: 5 days and 5 years are both a 5."""
    noted = []
    for each in findings:
        unit = _unit_of_ages(table, each.column) if each.topic is Topic.AGE else None
        if unit is not None:
            reason = Reason("evidence_units", {"other": unit})
            each = replace(each, reasons=(*each.reasons, reason))
        noted.append(each)
    return tuple(noted)


def _unit_of_ages(table: Table, ages: str) -> str | None:
    """Column with the unit of each age, None without one.

    Its name is that of the ages and one more word: a word for a unit, unless all values
    are units. Several occur: ages that have one unit are counted alike.
    """
    for column in table.columns:
        more = _more_than(words_of(ages), words_of(column.name))
        if not more:
            continue
        units = _occurring(column)
        is_named = any(word in more for word in _NAMED)
        if 2 <= len(units) <= _MOST_UNITS and (is_named or _UNITS.issuperset(units)):
            return column.name
    return None


def _more_than(ages: Sequence[str], words: Sequence[str]) -> str:
    """What a name has besides the name of the ages; empty if it does not have that."""
    start, name = "".join(ages), "".join(words)
    if not start:
        return ""
    if name.startswith(start):
        return name.removeprefix(start)
    has_it = set(ages) <= set(words)
    return "".join(word for word in words if word not in ages) if has_it else ""


def _occurring(column: Column) -> list[str]:
    """Values that occur, in small letters without blanks around."""
    occurs = (column.counts > 0) & ~column.is_missing
    if occurs.sum() > _MOST_UNITS:
        return []
    texts = column.values.filter(pl.Series(occurs)).to_list()
    return [fold(text.strip()) for text in texts]


_LEAST, _FEW, _BESIDE = 3, 10_000, 0.1
_SURE = (Band.CERTAIN, Band.PROBABLE)


def _follow_twins(
    table: Table, findings: Sequence[Finding], *, monitor: Monitor = NULL_MONITOR
) -> tuple[Finding, ...]:
    """Give columns the role of a column that they translate, if it protects more.

    A column of codes ("9", "13") that stands one to one for a column of words
    ("HS-grad", "Bachelors") reveals as much as that one.

    Parameters
    ----------
    findings : sequence of Finding
        One per column, in the order of the table.
    """
    groups: dict[bytes, list[int]] = defaultdict(list)
    for place, column in enumerate(table.columns):
        counts = column.counts[column.counts > 0]
        # Where nearly every row has its own value, any two columns do too.
        n_beside = int(counts.sum()) - len(counts)
        if len(counts) >= _LEAST and n_beside > _BESIDE * column.n_rows:
            # PERF: sorting a million counts takes 60 ms, counting them 3 ms.
            is_few = len(counts) <= _FEW
            spread = np.sort(counts) if is_few else np.bincount(counts)
            groups[spread.tobytes()].append(place)
    followed = list(findings)
    alike = [places for places in groups.values() if len(places) > 1]
    for done, places in enumerate(alike):
        for place in places:
            monitor.report(done / len(alike), "twins")
            followed[place] = _with_role_of_twin(table, findings, place, places)
    monitor.report(1.0, "twins")
    return tuple(followed)


def _with_role_of_twin(
    table: Table, findings: Sequence[Finding], place: int, places: Sequence[int]
) -> Finding:
    finding = findings[place]
    for other in places:
        twin = findings[other]
        if twin.role is Role.INSENSITIVE or not protects_more(twin.role, finding.role):
            continue
        if finding.role is not Role.INSENSITIVE and finding.band in _SURE:
            # A birth date that each person has for himself stays one.
            continue
        if says_the_same(table.columns[place], table.columns[other]):
            reason = Reason("because_twin", {"other": twin.column})
            return replace(
                finding,
                role=twin.role,
                treatment=twin.treatment,
                identifier=twin.identifier,
                score=twin.score,
                band=twin.band,
                reasons=(reason, *finding.reasons[1:]),
            )
    return finding


def says_the_same(left: Column, right: Column) -> bool:
    """Whether two columns determine each other, missing values included.

    Parameters
    ----------
    left, right : Column
        Of the same table.
    """
    n_left = int((left.counts > 0).sum())
    if n_left != int((right.counts > 0).sum()):
        return False
    partner = np.full(left.n_values, -1, dtype=np.int32)
    partner[left.codes] = right.codes
    if len(np.unique(partner[partner >= 0])) != n_left:
        return False
    return bool((partner[left.codes] == right.codes).all())
