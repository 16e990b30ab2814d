"""Proposes which column says whose row it is: the key of a person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace

import numpy as np

from deidgui.engine.arrays import BoolArray, IntArray
from deidgui.engine.data.table import Column, Table
from deidgui.engine.detect.name_reading import KeyKind, key_kind
from deidgui.engine.detect.profile import ColumnProfile
from deidgui.engine.detect.roles import Band, Finding, Identifier, Reason, Role, Topic
from deidgui.engine.detect.spelling import spelling_of_key
from deidgui.monitor import NULL_MONITOR, Monitor

BINS = (1, 5, 20)
"""Most rows of a value in each bin of `KeyProposal.rows_per_value` but the last."""

_CHANCE = 1e-6
_ERRORS = 0.01
_MOST_COMPARED = 8
_LEAST_VALUES = 3
_HEAD = 20_000
_REPEATS = 1.05

_TRAITS = (
    Topic.BIRTH_DATE,
    Topic.YEAR,
    Topic.SEX,
    Topic.NAME,
    Topic.RACE,
    Topic.ETHNICITY,
    Topic.ZIP,
    Topic.CITY,
    Topic.COUNTY,
    Topic.STATE,
)
"""What stays the same in all rows of a person, the surest first."""

_SURE_TRAITS = frozenset((Topic.BIRTH_DATE, Topic.YEAR, Topic.SEX, Topic.NAME))
_NO_KEYS = frozenset(Topic) - {
    Topic.IDENTIFIER,
    Topic.NUMBER,
    Topic.CODE,
    Topic.COUNT,
    Topic.HOUSEKEEPING,
    Topic.FACILITY,
    Topic.CONTACT,
}
_PERSONAL = frozenset((Identifier.SOCIAL_SECURITY, Identifier.HEALTH_PLAN))


@dataclass(frozen=True)
class KeyProposal:
    """A column that may say which rows belong to the same person.

    Parameters
    ----------
    kind : KeyKind
        What the column's name says that it numbers; ``EVENT`` is a stay, visit or
        sample, of which a person may have several.
    n_values : int
        Different values, missing ones left out.
    n_missing : int
        Rows without a value.
    rows_per_value : tuple of int, length 4
        How many values have 1 row, 2 to 5, 6 to 20, and more rows.
    most_rows : int
        Rows of the value that has most.
    constant_columns : tuple of str
        Birth, sex, names and places that are the same in all rows of each value.
        Empty if no value has two rows.
    varying_columns : tuple of (str, int)
        The others of these, and in how many values they vary.
    certainty : Band
        How sure it is that a value stands for one person.
    """

    column: str
    kind: KeyKind
    n_values: int
    n_missing: int
    rows_per_value: tuple[int, int, int, int]
    most_rows: int
    constant_columns: tuple[str, ...]
    varying_columns: tuple[tuple[str, int], ...]
    certainty: Band
    reasons: tuple[Reason, ...]

    @property
    def each_row_is_one(self) -> bool:
        """Whether every row has a value of its own."""
        return self.n_missing == 0 and self.most_rows == 1

    @property
    def speaks_against_rows(self) -> bool:
        """Whether people may have several rows, by its name or by what they tell."""
        is_sure = self.certainty in (Band.CERTAIN, Band.PROBABLE)
        return self.most_rows > 1 and (is_sure or self.kind is KeyKind.PERSON)

    def varies_in(self, columns: Set[str]) -> bool:
        """Whether one of some columns varies in more than 1 % of the repeated values.

        Fewer are taken for errors of recording.
        """
        n_repeated = sum(self.rows_per_value[1:])
        return any(
            n > _ERRORS * n_repeated
            for name, n in self.varying_columns
            if name in columns
        )


def propose_keys(
    table: Table, findings: Sequence[Finding], *, monitor: Monitor = NULL_MONITOR
) -> tuple[KeyProposal, ...]:
    """Propose the columns by which rows may belong to people.

    Parameters
    ----------
    findings : sequence of Finding
        One per column, in the order of the table.

    Returns
    -------
    tuple of KeyProposal
        The likeliest first; empty if no column looks like a key. Only counts are
        told, never a value.

    Notes
    -----
    A column is a candidate by its name, or because birth, sex or name are the same
    in all rows of each of its values although that would hardly happen by chance:
    if two rows agree in a column with probability p, and r rows stand beside
    another row of the same value, all agree by chance with p^r < 1e-6.
    """
    topics = {finding.column: _trait(finding) for finding in findings}
    traits = [table.column(name) for name, topic in topics.items() if topic]
    traits.sort(key=lambda column: _TRAITS.index(topics[column.name] or Topic.STATE))
    sure = {c.name for c in traits if topics[c.name] in _SURE_TRAITS}
    found = []
    for place, finding in enumerate(findings):
        monitor.report(place / len(findings), "keys")
        column = table.columns[place]
        kind = _kind(finding)
        if topics[column.name] or not _can_be_key(column, finding, kind):
            continue
        others = [each for each in traits if each is not column][:_MOST_COMPARED]
        key = _Key(column, kind, is_code=finding.role is Role.DIRECT_IDENTIFIER)
        named = kind in (KeyKind.PERSON, KeyKind.EVENT)
        if not named and not key.is_plausible(others, sure):
            continue
        proposal = key.proposal(others, sure, _is_personal(finding))
        # Several persons in one stay or sample: it is something else.
        if kind is not KeyKind.EVENT or not proposal.varies_in(sure):
            found.append(proposal)
    monitor.report(1.0, "keys")
    return tuple(sorted(found, key=_rank))


def _trait(finding: Finding) -> Topic | None:
    """The trait of a person that a column holds, None if it holds none."""
    if finding.topic not in _TRAITS or finding.band is None:
        return None
    if finding.topic is Topic.YEAR and finding.reasons[0].code != "because_birth":
        return None
    return finding.topic


def _kind(finding: Finding) -> KeyKind:
    named = key_kind(finding.column)
    if named in (None, KeyKind.RECORD) and _is_personal(finding):
        return KeyKind.PERSON
    return named or KeyKind.UNNAMED


def _is_personal(finding: Finding) -> bool:
    return finding.identifier in _PERSONAL and finding.band in (
        Band.CERTAIN,
        Band.PROBABLE,
    )


def _can_be_key(column: Column, finding: Finding, kind: KeyKind) -> bool:
    """Whether values are built like numbers, and are neither few nor measurements."""
    named = kind in (KeyKind.PERSON, KeyKind.EVENT)
    if finding.topic in _NO_KEYS and not (named and finding.topic is not Topic.DATE):
        return False
    n_present = column.n_rows - column.n_missing
    n_values = _n_values(column)
    if n_values < _LEAST_VALUES or 2 * n_present < column.n_rows:
        return False
    profile = ColumnProfile(column, "text", _HEAD // 10)
    return not (profile.is_free_text or profile.has_fractions)


def _n_values(column: Column) -> int:
    counts = column.counts.copy()
    counts[column.missing_codes] = 0
    return int((counts > 0).sum())


class _Key:
    """A candidate with what its rows tell."""

    def __init__(self, column: Column, kind: KeyKind, *, is_code: bool) -> None:
        self.column, self.kind, self.is_code = column, kind, is_code
        counts = column.counts.copy()
        counts[column.missing_codes] = 0
        self.counts: IntArray = counts[counts > 0]
        self.n_beside = int(self.counts.sum()) - len(self.counts)

    def is_plausible(self, traits: Sequence[Column], sure: set[str]) -> bool:
        """Whether a column that no name makes a key is one by its rows."""
        if self.kind is KeyKind.RECORD and self.n_beside == 0:
            return True
        if self.counts.sum() < _REPEATS * len(self.counts):
            return False
        if self.is_code and not sure:
            # Without birth, sex and name nothing speaks against a code that repeats.
            return True
        constant = [
            each
            for each in traits
            if each.name in sure
            and _n_varying(self.column, each, _HEAD) == 0
            and _n_varying(self.column, each) == 0
        ]
        # A column that a trait determines too only says the trait in other words.
        return self._is_no_chance(constant) and not any(
            _n_varying(each, self.column) == 0 for each in constant
        )

    def _is_no_chance(self, constant: Sequence[Column]) -> bool:
        """Whether rows would hardly agree so often by chance."""
        agreements = [_agreement(each) for each in constant]
        least = min(agreements, default=1.0)
        return least**self.n_beside < _CHANCE

    def proposal(
        self, traits: Sequence[Column], sure: set[str], is_personal: bool
    ) -> KeyProposal:
        """Compare the rows of each value, and weigh what they tell."""
        column, counts = self.column, self.counts
        varying: dict[str, int] = {}
        if self.n_beside:
            varying = {each.name: _n_varying(column, each) for each in traits}
        constant = tuple(name for name, n in varying.items() if n == 0)
        n_tolerated = _ERRORS * int((counts > 1).sum())
        steady = [t for t in traits if 0 <= varying.get(t.name, -1) <= n_tolerated]
        proven = self._is_no_chance(steady)
        bins = np.searchsorted(BINS, counts, side="left")
        spread = np.bincount(bins, minlength=len(BINS) + 1)
        most = int(counts.max())
        differing = tuple((name, n) for name, n in varying.items() if n)
        proposal = KeyProposal(
            column=column.name,
            kind=self.kind,
            n_values=len(counts),
            n_missing=column.n_missing,
            rows_per_value=(
                int(spread[0]), int(spread[1]), int(spread[2]), int(spread[3])
            ),
            most_rows=most,
            constant_columns=constant,
            varying_columns=differing,
            certainty=Band.POSSIBLE,
            reasons=_reasons(self, is_personal, constant, differing),
        )  # fmt: skip
        certainty = _certainty(proposal, proven, proposal.varies_in(sure))
        return replace(proposal, certainty=certainty)


def _certainty(proposal: KeyProposal, proven: bool, refuted: bool) -> Band:
    if proposal.kind is KeyKind.EVENT or refuted:
        return Band.POSSIBLE
    if proposal.kind is KeyKind.PERSON:
        is_sure = proven or proposal.most_rows == 1
        return Band.CERTAIN if is_sure else Band.PROBABLE
    return Band.PROBABLE if proven else Band.POSSIBLE


def _reasons(
    key: _Key,
    is_personal: bool,
    constant: Sequence[str],
    varying: Sequence[tuple[str, int]],
) -> tuple[Reason, ...]:
    reasons = []
    named: Mapping[KeyKind, str] = {
        KeyKind.PERSON: "key_named_person",
        KeyKind.EVENT: "key_named_event",
        KeyKind.RECORD: "key_named_record",
    }
    if key.kind in named:
        code = "key_personal_number" if is_personal else named[key.kind]
        reasons.append(Reason(code))
    n_values, n_rows = len(key.counts), int(key.counts.sum())
    if key.n_beside == 0:
        reasons.append(Reason("key_unique", {"n_values": n_values}))
    else:
        counted = {"n_values": n_values, "n_records": n_rows}
        reasons.append(
            Reason("key_repeats", {**counted, "most": int(key.counts.max())})
        )
    if constant:
        reasons.append(Reason("key_constant", {"columns": tuple(constant)}))
    reasons += [
        Reason("key_varies", {"column": name, "n_varying": n}) for name, n in varying
    ]
    if spelt := spelling_of_key(key.column):
        reasons.append(Reason("key_spelling", spelt))
    return tuple(reasons)


def _n_varying(key: Column, trait: Column, limit: int | None = None) -> int:
    """In how many values of `key` a trait has more than one value."""
    # PERF: two passes over codes, 15 ms per million rows; a head refutes most.
    keys, traits = key.codes[:limit], trait.codes[:limit]
    present = _present(key)[keys] & _present(trait)[traits]
    if not present.all():
        keys, traits = keys[present], traits[present]
    partner = np.zeros(key.n_values, dtype=np.int32)
    partner[keys] = traits
    differs = partner[keys] != traits
    varying = np.zeros(key.n_values, dtype=np.bool_)
    varying[keys[differs]] = True
    return int(varying.sum())


def _present(column: Column) -> BoolArray:
    return np.logical_not(column.is_missing)


def _agreement(column: Column) -> float:
    """Probability that two rows have the same value."""
    counts = column.counts.astype(np.float64)
    counts[column.missing_codes] = 0.0
    total = counts.sum()
    return float(((counts / total) ** 2).sum()) if total else 1.0


_ORDER = (Band.CERTAIN, Band.PROBABLE, Band.POSSIBLE)
_KINDS = (KeyKind.PERSON, KeyKind.UNNAMED, KeyKind.RECORD, KeyKind.EVENT)


def _rank(key: KeyProposal) -> tuple[int, int, int, int]:
    """Order: certainty, kind, fewer contradictions, fewer values."""
    return (
        _ORDER.index(key.certainty),
        _KINDS.index(key.kind),
        len(key.varying_columns),
        key.n_values,
    )
