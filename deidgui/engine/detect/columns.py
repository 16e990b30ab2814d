"""Which role has every column of a table, and why?"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from deidgui.engine.data.table import Table
from deidgui.engine.detect.birth_years import note_old_births
from deidgui.engine.detect.column_names import MISSPELT, STOPPED
from deidgui.engine.detect.detectors.clinical import ICD9_SHAPE, ICD10_SHAPE
from deidgui.engine.detect.evidence import Evidence, gather, nine_digit_numbers
from deidgui.engine.detect.fallback import Proposal, proposal_without_detector
from deidgui.engine.detect.free_text import embedded_identifiers
from deidgui.engine.detect.profile import Profile, sample_size
from deidgui.engine.detect.roles import Finding, Identifier, Reason, Role, Topic
from deidgui.engine.detect.scoring import REPORTED, band_of
from deidgui.engine.detect.subsets import column_distinction
from deidgui.engine.detect.twins import follow_twins
from deidgui.errors import Param
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

_CODE_SHARE = 0.8
_NEARLY_UNIQUE = 0.2
_OLDEST = 89
_PROBABLE = 0.6


def detect_columns(
    table: Table,
    type_of: Mapping[str, str],
    *,
    monitor: Monitor = NULL_MONITOR,
) -> tuple[Finding, ...]:
    """Propose a role for every column, with the reasons (methods G).

    Parameters
    ----------
    type_of : mapping of str to str
        Value type by column: text, integer, decimal, date or category; a column
        that is not named counts as text.

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
    part = SubMonitor(monitor, 0.0, 0.95)
    findings = []
    for place, column in enumerate(table.columns):
        part.report(place / len(table.columns), "columns")
        profile = Profile(column, type_of.get(column.name, "text"), limit)
        findings.append(finding_of(profile))
    noted = note_old_births(table, findings)
    return follow_twins(table, noted, monitor=SubMonitor(monitor, 0.95, 1.0))


def finding_of(profile: Profile) -> Finding:
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
        n_values=int((profile.column.counts > 0).sum()),
        distinction=distinction,
        separation=separation,
    )


def _proposal(profile: Profile, reported: Sequence[Evidence]) -> Proposal:
    if profile.n_distinct == 0:
        return Proposal(Role.INSENSITIVE, Reason("because_empty"))
    best = reported[0] if reported else None
    is_constant = profile.n_distinct == 1 and profile.n_present == profile.n_rows
    if is_constant and (
        best is None or best.detector.role in (Role.QUASI_IDENTIFIER, Role.INSENSITIVE)
    ):
        return Proposal(Role.INSENSITIVE, Reason("because_constant"))
    if best is None:
        return proposal_without_detector(profile)
    detector = best.detector
    named: dict[str, Param] = {"kind": detector.title}
    if best.contradicted and detector.role is Role.DIRECT_IDENTIFIER:
        other = proposal_without_detector(profile)
        if other.role is not Role.INSENSITIVE:
            return other
        return replace(other, reason=Reason("because_contradicted", named))
    return Proposal(
        detector.role,
        Reason(detector.why, named),
        _topic(profile, best),
        detector.identifier,
        detector.treatment,
        best.score,
    )


def _topic(profile: Profile, best: Evidence) -> Topic:
    """Topic of a finding; for diagnoses the code system that the values show."""
    if best.detector.topic is not Topic.DIAGNOSIS or not profile.n_sampled:
        return best.detector.topic
    for topic, shape in ((Topic.ICD10, ICD10_SHAPE), (Topic.ICD9, ICD9_SHAPE)):
        hits = int(profile.sample.str.contains(shape).sum())
        others = topic is Topic.ICD10 and profile.sample.str.contains(ICD9_SHAPE).sum()
        if hits >= _CODE_SHARE * profile.n_sampled and hits > others:
            return topic
    return Topic.DIAGNOSIS


def _reasons(
    profile: Profile, proposal: Proposal, reported: Sequence[Evidence]
) -> list[Reason]:
    reasons = _evidence(profile, reported[0]) if reported else []
    if proposal.topic is Topic.FREE_TEXT or profile.is_free_text:
        reasons += embedded_identifiers(profile)
    if proposal.topic is Topic.AGE and not profile.has_letters:
        n_over = int(profile.rows[profile.numbers > _OLDEST].sum())
        if n_over:
            reasons.append(Reason("evidence_over_89", {"n_records": n_over}))
    keeps_values = proposal.role in (Role.INSENSITIVE, Role.SENSITIVE)
    if keeps_values and profile.n_unique > _NEARLY_UNIQUE * profile.n_rows:
        reasons.append(
            Reason(
                "evidence_nearly_unique",
                {"n_unique": profile.n_unique, "n_records": profile.n_rows},
            )
        )
    return reasons


def _evidence(profile: Profile, best: Evidence) -> list[Reason]:
    reasons = []
    kind = best.detector.title
    if best.name.score > STOPPED:
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
    if best.contradicted:
        reasons.append(Reason("evidence_contradiction", {"kind": kind}))
    return reasons


def _percent(share: float) -> str:
    """Share in words; only all is 100 %, only nothing is 0 %."""
    return f"{max(math.floor(100 * share), 1 if share > 0 else 0)} %"


def _alternatives(
    reported: Sequence[Evidence], chosen: Identifier | None
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
