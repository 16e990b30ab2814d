"""Proposes which values of a population the values of the data stand for.

Nothing is matched silently: every value says why, what is in doubt has to be confirmed
by a person, and what has no partner is named.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from deidgui.engine.arrays import Int32Array, IntArray
from deidgui.engine.detect.roles import Reason, Topic
from deidgui.engine.population.combining import with_race_and_origin
from deidgui.engine.population.mapping import UNIT, AttributeMapping, DataValues
from deidgui.engine.population.reading import (
    Atoms,
    UnitReading,
    knows_hispanic,
    read_both,
    share_read,
)
from deidgui.engine.population.table import (
    PopulationAttribute,
    PopulationTable,
    Subject,
)
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

SUBJECT_OF_TOPIC: Mapping[Topic, Subject] = {
    Topic.AGE: Subject.AGE,
    Topic.SEX: Subject.SEX,
    Topic.RACE: Subject.RACE,
    Topic.ETHNICITY: Subject.ORIGIN,
    Topic.STATE: Subject.STATE,
    Topic.ZIP: Subject.ZIP5,
}
"""What a column that was classified speaks of."""

_NAMES: Mapping[Subject, re.Pattern[str]] = {
    Subject.SEX: re.compile(
        r"\b(sex|gender|geschlecht|sexe|sexo|genre|genero|sesso|geslacht|plec)\b"
    ),
    Subject.AGE: re.compile(r"\b(ages?|alter|edad|idade|eta|leeftijd|alder|wiek)\b"),
    Subject.RACE: re.compile(r"\b(race|raza|raca|razza)\b"),
    Subject.ORIGIN: re.compile(r"\b(ethnic(ity)?|hispanic|origin|latino|etnia)\b"),
    Subject.STATE: re.compile(r"\bstates?\b"),
    Subject.ZIP5: re.compile(r"\b(zip\d?|zipcode|postal|zcta\d?)\b"),
}
_VALUES_AT_ONCE = 2000
"""Values looked at between two reports."""

_SAME, _WORD = Reason("people_value_same"), Reason("people_value_word")
"""Of most values; one object for all of them."""

_BY_WORDS = (Subject.SEX, Subject.RACE, Subject.ORIGIN, Subject.STATE)
"""Subjects that their values show without the name of the column."""

_ANSWERS = frozenset(
    ("yes", "no", "y", "n", "true", "false", "t", "f", "unknown", "missing", "ja",
     "nein", "oui", "non", "si", "sí", "sim", "não", "nee", "tak", "nie", "nej", "nei")
)  # fmt: skip


@dataclass(frozen=True)
class MatchProposal:
    """How the attributes of the data are found in a population.

    Parameters
    ----------
    table : PopulationTable
        The one to use: race and origin are joined where the data do so.
    mappings : mapping of str to AttributeMapping
        By attribute of the data.
    lacking : tuple of str
        Attributes of the data that the population does not know.
    """

    table: PopulationTable
    mappings: Mapping[str, AttributeMapping]
    lacking: tuple[str, ...]


def propose(
    data: Sequence[DataValues],
    table: PopulationTable,
    subjects: Mapping[str, Subject] | None = None,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> MatchProposal:
    """Propose how the attributes of the data are found in a population.

    Parameters
    ----------
    data : sequence of DataValues
        The quasi-identifiers.
    subjects : mapping of str to Subject, optional
        What attributes of the data speak of where that is known; others are guessed
        by their names and values.
    """
    subjects = {
        each.attribute: (subjects or {}).get(each.attribute)
        or guess_subject(each.attribute, each.texts)
        for each in data
    }
    asks_for_both = any(
        subjects[each.attribute] is Subject.RACE and knows_hispanic(each.texts)
        for each in data
    )
    has_both = table.of_subject(Subject.RACE) and table.of_subject(Subject.ORIGIN)
    if asks_for_both and has_both and Subject.ORIGIN not in subjects.values():
        table = with_race_and_origin(table)
    mappings: dict[str, AttributeMapping] = {}
    for number, each in enumerate(data):
        step = SubMonitor(monitor, number / len(data), (number + 1) / len(data))
        target = _target(table, each.attribute, subjects[each.attribute])
        taken = {mapping.target.name for mapping in mappings.values()}
        if target is not None and target.name not in taken:
            mapping = propose_mapping(each, target, monitor=step)
            if len(mapping.own):
                mappings[each.attribute] = _doubted(mapping)
    lacking = tuple(e.attribute for e in data if e.attribute not in mappings)
    return MatchProposal(table, mappings, lacking)


LEAST_FOUND = 0.5
"""Share of the records with a value that must have a partner for values to speak."""


def _doubted(mapping: AttributeMapping) -> AttributeMapping:
    """Doubt an attribute that only its name or only its values speak for."""
    data, target = mapping.data, mapping.target
    found = np.bincount(mapping.own, minlength=len(data.texts)) > 0
    present = np.array([not data.lacks(at) for at in range(len(data.texts))], np.bool_)
    n_found = int(data.n_records[found & present].sum())
    doubts = []
    if n_found < LEAST_FOUND * data.n_records[present].sum():
        doubts.append(Reason("people_by_name_alone"))
    elif not names_say(data.attribute, target):
        doubts.append(Reason("people_by_values_alone"))
    return replace(mapping, doubts=(*mapping.doubts, *doubts))


def names_say(name: str, target: PopulationAttribute) -> bool:
    """Whether the name of an attribute of the data speaks of one of the population."""
    subjects = {
        Subject.RACE_AND_ORIGIN: (Subject.RACE, Subject.ORIGIN),
        Subject.ZIP3: (Subject.ZIP5,),
    }.get(target.subject, (target.subject,))
    words = _words_of(name)
    rules = [_NAMES[each] for each in subjects if each in _NAMES]
    is_alike = words == _words_of(target.name)
    return is_alike or any(rule.search(words) for rule in rules)


def _words_of(name: str) -> str:
    """Words of a name, in small letters with blanks between."""
    words = re.sub(r"([a-z])([A-Z])", r"\1 \2", name)
    return re.sub(r"[^A-Za-z0-9]+", " ", words).strip().casefold()


def guess_subject(name: str, texts: Sequence[str]) -> Subject:
    """Guess what an attribute speaks of by its name and values.

    Returns
    -------
    Subject
        OTHER if nothing fits. Numbers alone tell nothing: then the name decides.
    """
    words = _words_of(name)
    named = [s for s, rule in _NAMES.items() if rule.search(words)]
    readable = [s for s in named if share_read(s, texts) >= 0.5]
    if readable:
        return max(readable, key=lambda subject: share_read(subject, texts))
    if any(text.strip().isdigit() for text in texts):
        return Subject.OTHER
    # "Yes" and "no" answer any question: only the name can say which.
    informative = [text for text in texts if text.strip().casefold() not in _ANSWERS]
    if len(informative) < 2:
        return Subject.OTHER
    shown = [s for s in _BY_WORDS if share_read(s, informative, words_only=True) >= 0.8]
    return shown[0] if shown else Subject.OTHER


def _target(
    table: PopulationTable, name: str, subject: Subject | None
) -> PopulationAttribute | None:
    """Attribute of the population that speaks of a subject, or is called alike."""
    choices = {
        Subject.RACE: (Subject.RACE_AND_ORIGIN, Subject.RACE),
        Subject.ZIP5: (Subject.ZIP5, Subject.ZIP3),
        Subject.ZIP3: (Subject.ZIP5, Subject.ZIP3),
    }
    if subject is not None and subject is not Subject.OTHER:
        for each in choices.get(subject, (subject,)):
            found = table.of_subject(each)
            if found is not None:
                return found
    alike = [a for a in table.attributes if a.name.casefold() == name.casefold()]
    return alike[0] if alike else None


def propose_mapping(
    data: DataValues,
    target: PopulationAttribute,
    *,
    monitor: Monitor = NULL_MONITOR,
) -> AttributeMapping:
    """Propose what the values of an attribute stand for in one of a population.

    Notes
    -----
    Both sides are read as sets of smallest units: years of age, ZIP codes, states,
    races. A value of the population belongs to the values of the data that share its
    units; if there are several, or if some of its units occur nowhere in the data, it
    is shared evenly by units, which is an estimate. An age that is open has the units
    up to the highest age of both sides.
    """
    monitor.report(0.0, "population")
    own, others = read_both(target.subject, data.texts, data.n_records, target.values)
    monitor.report(0.3, "population")
    atoms = tuple(
        frozenset() if data.lacks(place) else each
        for place, each in enumerate(own.atoms)
    )
    own = replace(own, atoms=atoms)
    pairs, outside = _pairs(own.atoms, others.atoms, SubMonitor(monitor, 0.3, 0.7))
    confidences, reasons = [], []
    for place in _reported(range(len(data.texts)), SubMonitor(monitor, 0.7, 1.0)):
        confidence, reason = _grade(place, data, target, own, others, pairs)
        confidences.append(confidence)
        reasons.append(reason)
    # A person's own file may write codes where the data have words.
    theirs = [each for each in others.doubts if each not in own.doubts]
    doubts = (*own.doubts, *theirs, *_shared_doubts(data, target, pairs, reasons))
    return AttributeMapping(
        data,
        target,
        pairs.own,
        pairs.other,
        pairs.weights,
        outside,
        tuple(confidences),
        tuple(reasons),
        doubts,
    )


@dataclass(frozen=True)
class _Pairs:
    """Pairs of values that share units, by the population's value."""

    own: Int32Array
    other: Int32Array
    weights: IntArray
    n_own: int

    def partners(self, place: int) -> list[int]:
        """Values of the population that share units with a value of the data."""
        others, starts = self._by_own
        found: list[int] = others[starts[place] : starts[place + 1]].tolist()
        return found

    @property
    def is_shared(self) -> bool:
        """Whether several values of the data share one of the population."""
        return len(self.other) > len(np.unique(self.other))

    @cached_property
    def _by_own(self) -> tuple[Int32Array, IntArray]:
        """Values of the population by value of the data, and where each begins."""
        order = np.argsort(self.own, kind="stable")
        starts = np.searchsorted(self.own[order], np.arange(self.n_own + 1))
        return self.other[order], starts


def _pairs(
    own: Sequence[Atoms], others: Sequence[Atoms], monitor: Monitor
) -> tuple[_Pairs, IntArray]:
    """Pairs with common units, and the weight of units nobody in the data has."""
    # A hundred thousand small containers would keep the garbage collector, and so the
    # window, busy: most units have one owner, who is no list.
    owner: dict[Hashable, int] = {}
    others_too: dict[Hashable, list[int]] = {}
    for place, atoms in enumerate(own):
        for atom in atoms:
            if owner.setdefault(atom, place) != place:
                others_too.setdefault(atom, []).append(place)
    places, numbers, weights = [], [], []
    outside = np.zeros(len(others), dtype=np.int64)
    for number in _reported(range(len(others)), monitor):
        weight: dict[int, int] = defaultdict(int)
        for atom in others[number]:
            first = owner.get(atom)
            if first is None:
                outside[number] += UNIT
                continue
            more = others_too.get(atom, ())
            for place in (first, *more):
                weight[place] += max(UNIT // (1 + len(more)), 1)
        for place in sorted(weight):
            places.append(place)
            numbers.append(number)
            weights.append(weight[place])
    pairs = _Pairs(
        np.array(places, dtype=np.int32),
        np.array(numbers, dtype=np.int32),
        np.array(weights, dtype=np.int64),
        len(own),
    )
    return pairs, outside


def _reported(places: range, monitor: Monitor) -> Iterator[int]:
    """Places, told to the monitor every few milliseconds of work with them."""
    for place in places:
        if place % _VALUES_AT_ONCE == 0:
            monitor.report(place / len(places), "population")
        yield place


def _grade(
    place: int,
    data: DataValues,
    target: PopulationAttribute,
    own: UnitReading,
    others: UnitReading,
    pairs: _Pairs,
) -> tuple[float, Reason]:
    """How sure the partners of a value are, and why."""
    if data.lacks(place):
        return 1.0, Reason("people_value_missing")
    partners = pairs.partners(place)
    if not partners:
        return 0.0, Reason("people_value_none")
    atoms = own.atoms[place]
    if place in own.codes:
        return 0.5, Reason("people_value_code")
    larger = [p for p in partners if not others.atoms[p] <= atoms]
    if set(larger) & others.open_ends:
        return 0.5, Reason("people_value_above_top")
    if larger:
        return 0.6, Reason("people_value_part")
    if len(partners) > 1:
        return 0.95, Reason("people_value_several", {"n_values": len(partners)})
    same = data.texts[place].strip() == target.values[partners[0]]
    return (1.0, _SAME) if same else (0.95, _WORD)


def _shared_doubts(
    data: DataValues,
    target: PopulationAttribute,
    pairs: _Pairs,
    reasons: Sequence[Reason],
) -> list[Reason]:
    """Doubts about values of the population that several of the data stand for."""
    codes = [reason.code for reason in reasons]
    doubts = []
    for code, doubt in (
        ("people_value_above_top", "people_ages_above_top"),
        ("people_value_part", "people_values_finer"),
    ):
        places = [place for place, each in enumerate(codes) if each == code]
        if places:
            records = int(data.n_records[places].sum())
            params = {"n_values": len(places), "n_records": records}
            doubts.append(Reason(doubt, dict(params)))
    is_measured = target.subject in (Subject.AGE, Subject.ZIP5, Subject.ZIP3)
    if not is_measured and pairs.is_shared:
        doubts.append(Reason("people_spelt_twice"))
    return doubts


def absent_texts(mapping: AttributeMapping) -> tuple[str, ...]:
    """Values that only the population has, written as the data write theirs.

    Leaves for them let a hierarchy hold everybody: without one for age 89, people of 89
    are in no group, although "85-89" is one.

    Returns
    -------
    tuple of str
        Single ages and ZIP codes of five digits, in order; empty where the data have
        bands, prefixes or words, as nobody can tell how they would write them.
    """
    data, target = mapping.data, mapping.target
    present = [text for place, text in enumerate(data.texts) if not data.lacks(place)]
    width = {Subject.AGE: (1, 2, 3), Subject.ZIP5: (5,)}.get(target.subject, ())
    if not all(
        text.isascii() and text.isdigit() and len(text) in width for text in present
    ):
        return ()
    own, others = read_both(
        target.subject, data.texts, data.n_records, mapping.target.values
    )
    known = frozenset().union(*others.atoms)
    units = known - frozenset().union(*_meant(mapping, own, others))
    if target.subject is Subject.AGE:
        return tuple(map(str, sorted(age for age in units if isinstance(age, int))))
    return tuple(sorted(str(code) for code in units))


def _meant(
    mapping: AttributeMapping, own: UnitReading, others: UnitReading
) -> list[Atoms]:
    """What each value of the data stands for as mapped: less if a person said so.

    The highest age reads like all above, as many files mean it; a person may know
    that it is one age.
    """
    partners: dict[int, Atoms] = {}
    for place, other in zip(mapping.own.tolist(), mapping.other.tolist(), strict=True):
        known = partners.get(place)
        atoms = others.atoms[other]
        partners[place] = atoms if known is None else known | atoms
    meant = []
    for place, atoms in enumerate(own.atoms):
        partner = partners.get(place, atoms)
        meant.append(atoms if atoms <= partner else (atoms & partner) or atoms)
    return meant
