"""Matches the name and the values of a column with every detector."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from deidgui.engine.arrays import BoolArray
from deidgui.engine.detect.column_names import (
    CONTAINED,
    HINT,
    MISSPELT,
    STOPPED,
    WHOLE_NAME,
    ColumnName,
    CueMatch,
    NearIndex,
    cues,
    without_number,
    words_of,
)
from deidgui.engine.detect.detectors import DETECTORS
from deidgui.engine.detect.name_reading import KeyKind, cue_index, key_kind, spaced_name
from deidgui.engine.detect.profile import PILOT, ColumnProfile
from deidgui.engine.detect.roles import Identifier, Topic
from deidgui.engine.detect.rules import PERSONS, WORDS, Detector, ValueRule, no_hits
from deidgui.engine.detect.scoring import REPORTED, combined_score, value_score

_CONTRADICTED = 0.5
_HINTED = 0.9
_ROWS_PER_PERSON = 50
_HITS_ENOUGH = 0.3
_CLINICAL = frozenset((Topic.DIAGNOSIS, Topic.PROCEDURE, Topic.DRUG, Topic.LAB))
_CLINICAL_SURE = 0.6
_NINE_DIGITS = (
    Identifier.SOCIAL_SECURITY,
    Identifier.GEOGRAPHY,
    Identifier.MEDICAL_RECORD,
    Identifier.OTHER_CODE,
)


@dataclass(frozen=True)
class RuleMatch:
    """The value rule of a detector that scores best.

    Parameters
    ----------
    score : float in [0, 1]
    n_hits : int
        Distinct sampled values that are hits.
    share : float in [0, 1]
        Share of distinct values (or of rows) that are hits.
    share_of_rows : float in [0, 1]
        Share of the rows of the sampled values.
    """

    score: float = 0.0
    rule: ValueRule | None = None
    n_hits: int = 0
    share: float = 0.0
    share_of_rows: float = 0.0


@dataclass(frozen=True)
class ColumnEvidence:
    """What speaks for one detector on one column.

    Parameters
    ----------
    score : float in [0, 1]
        Combined score of methods G.2.
    contradicted : bool
        Whether the values are of another kind than the name says.
    """

    detector: Detector
    name: CueMatch
    values: RuleMatch
    score: float
    contradicted: bool = False

    @property
    def specificity(self) -> tuple[float, int]:
        """Order among findings: score, then number of words of the cue."""
        n_words = len(self.name.cue.tokens) if self.name.cue else 0
        return round(self.score, 6), n_words


def gather(profile: ColumnProfile) -> list[ColumnEvidence]:
    """Evidence of every detector that has any, best first.

    Returns
    -------
    list of ColumnEvidence
        Also those below the score that is reported.
    """
    name = ColumnName(spaced_name(profile.column.name))
    names = name_matches(name, profile.languages)
    found = [
        _weigh(profile, detector, match)
        for detector, match in zip(DETECTORS, names, strict=True)
        if match.score or (detector.has_own_rules and profile.kind in detector.kinds)
    ]
    found = _disambiguated(profile, [each for each in found if each.score > 0])
    return sorted(found, key=lambda each: each.specificity, reverse=True)


def name_matches(
    name: ColumnName, languages: frozenset[str] = frozenset()
) -> Sequence[CueMatch]:
    """Name score of every detector, in the order of `DETECTORS`.

    Parameters
    ----------
    languages : frozenset of str
        Those of the file, for words that are ambiguous elsewhere.

    Notes
    -----
    A cue inside a longer cue that fits too says nothing ("name" in "drug name"),
    and neither does one inside a stop-cue.
    """
    return _name_matches(without_number(name.text), languages)


@lru_cache(maxsize=4096)
def _name_matches(text: str, languages: frozenset[str]) -> Sequence[CueMatch]:
    name = ColumnName(text)
    matched = [
        match if match.cue else _stem_match(name, detector)
        for match, detector in zip(
            cue_index().best(name, languages), DETECTORS, strict=True
        )
    ]
    if not any(match.score for match in matched):
        return _distant_matches(name)
    matched = _of_own_language(matched, languages)
    found = [match.cue.tokens for match in matched if match.cue]
    overruled = []
    for detector, match in zip(DETECTORS, matched, strict=True):
        tokens = match.cue.tokens if match.cue else frozenset()
        inside = any(tokens < other for other in found)
        can_stop = detector.identifier is not None or detector.topic is Topic.STATE
        stopped = can_stop and tokens <= name.stopped
        if tokens and match.score < WHOLE_NAME and (inside or stopped):
            match = CueMatch(STOPPED, match.cue)
        overruled.append(match)
    return overruled


def nine_digit_numbers(
    profile: ColumnProfile, found: list[ColumnEvidence]
) -> list[ColumnEvidence]:
    """What unnamed numbers of nine digits can be: all of it is listed (methods G.2).

    Parameters
    ----------
    found : list of ColumnEvidence
        As `gather` gives it, without any that is reported.

    Returns
    -------
    list of ColumnEvidence
        Best first; empty unless nearly all values are different nine digits.
    """
    if not profile.id_like or profile.length_range != (9, 9):
        return []
    return [
        each
        for each in found
        if each.detector.identifier in _NINE_DIGITS and each.values.share > _HITS_ENOUGH
    ]


def _distant_matches(name: ColumnName) -> list[CueMatch]:
    """Numbers of persons in other words, typing errors, and beginnings or ends."""
    if key_kind(name.text) in (KeyKind.PERSON, KeyKind.EVENT):
        return [
            CueMatch(CONTAINED) if each.words == "record_number" else CueMatch()
            for each in DETECTORS
        ]
    # Of hints only those count whose values fit (`_weigh`).
    return list(_near_matches(words_of(name.text)))


@lru_cache(maxsize=4096)
def _near_matches(words: tuple[str, ...]) -> tuple[CueMatch, ...]:
    """PERF: columns of wide tables differ in their numbers only."""
    return _near_index().matches(ColumnName(" ".join(words)))


@lru_cache(maxsize=1)
def _near_index() -> NearIndex:
    return NearIndex(
        [cues(*detector.names) for detector in DETECTORS],
        [detector.short_cues for detector in DETECTORS],
    )


def _of_own_language(
    matched: list[CueMatch], languages: frozenset[str]
) -> list[CueMatch]:
    """In files of another language its words overrule English abbreviations."""
    own = any(m.cue and m.cue.language in languages for m in matched)
    if not languages or "en" in languages or not own:
        return matched
    best = max(
        m.score for m in matched if m.cue is not None and m.cue.language in languages
    )
    return [
        CueMatch(STOPPED, m.cue)
        if m.cue is not None and m.cue.language == "" and STOPPED < m.score <= best
        else m
        for m in matched
    ]


def _stem_match(name: ColumnName, detector: Detector) -> CueMatch:
    has_stem = bool(detector.stems) and any(
        token.startswith(stem) or (len(stem) >= 6 and token.endswith(stem))
        for token in name.raw_tokens
        for stem in detector.stems
    )
    return CueMatch(CONTAINED) if has_stem else CueMatch()


def _weigh(
    profile: ColumnProfile, detector: Detector, name: CueMatch
) -> ColumnEvidence:
    has_cue = name.score > STOPPED
    suits = profile.kind in detector.kinds
    values = _best_rule(profile, detector, has_cue) if suits else RuleMatch()
    if name.score == HINT and values.share < _HINTED:
        name, has_cue = CueMatch(), False
        values = RuleMatch() if values.rule and values.rule.needs_cue else values
    # Likeness of names gives no certainty: values that fit do.
    is_like = name.score == MISSPELT and values.share < _HITS_ENOUGH
    score = combined_score(HINT if is_like else name.score, values.score)
    contradicted = has_cue and not _fits(profile, detector, values, suits)
    if contradicted:
        score *= _CONTRADICTED
    return ColumnEvidence(detector, name, values, score, contradicted)


def _best_rule(profile: ColumnProfile, detector: Detector, has_cue: bool) -> RuleMatch:
    best = RuleMatch()
    for rule in detector.rules:
        if rule.needs_cue and not has_cue:
            continue
        hits = _hits(profile, rule, has_cue)
        n_hits = int(np.count_nonzero(hits))
        if n_hits == 0:
            continue
        if rule.by_rows:
            counted = int(profile.rows[hits].sum())
            trials = int(profile.rows[profile.informative].sum())
        else:
            counted, trials = n_hits, profile.n_sampled
        if counted < rule.least_share * trials:
            continue
        score = value_score(rule.confidence, counted, trials)
        if score > best.score:
            best = RuleMatch(
                score, rule, n_hits, counted / trials, profile.share_of_rows(hits)
            )
    return best


def _hits(profile: ColumnProfile, rule: ValueRule, has_cue: bool) -> BoolArray:
    worth_a_pilot = not (has_cue or rule.of_column) and profile.n_sampled > 2 * PILOT
    if worth_a_pilot:
        share = rule.test(profile.pilot).mean()
        # Weak check digits fit one number in ten: too few for the whole column.
        if share == 0 or share < rule.least_share / 2:
            return no_hits(profile)
    hits = rule.test(profile)
    return hits & profile.informative if rule.by_rows else hits


def _fits(
    profile: ColumnProfile, detector: Detector, values: RuleMatch, suits: bool
) -> bool:
    """Whether the values can be what the name says (methods G.2)."""
    if not suits:
        return False
    if values.share >= _HITS_ENOUGH:
        return True
    if profile.kind in detector.doubtful:
        return False
    if detector.least_distinct and not _is_many(profile, detector.least_distinct):
        return False
    return detector.kinds != WORDS or profile.has_letters


def _is_many(profile: ColumnProfile, least: int) -> bool:
    """Whether there are enough values for each to belong to one person or thing."""
    if profile.n_distinct < min(least, profile.n_present / 2):
        return False
    if least < PERSONS:
        # Numbers of persons and stays repeat as often as there are rows for them.
        return profile.n_distinct >= PERSONS or profile.is_numbered
    return profile.n_present <= _ROWS_PER_PERSON * profile.n_distinct


def _disambiguated(
    profile: ColumnProfile, found: list[ColumnEvidence]
) -> list[ColumnEvidence]:
    """Clinical codes are no "other unique code" (methods G.2).

    A name alone does not make a clinical code of numbers that differ from record
    to record: ``drug_exposure_id`` counts exposures.
    """
    clinical = any(
        each.detector.topic in _CLINICAL
        and each.score >= _CLINICAL_SURE
        and (each.values.rule is not None or not profile.id_like)
        for each in found
    )
    if not clinical:
        return found
    return [
        replace(each, score=min(each.score, REPORTED / 2))
        if each.detector.identifier is Identifier.OTHER_CODE
        else each
        for each in found
    ]
