"""Splits column names into words, and reads misspelt and abbreviated ones."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import NamedTuple

WHOLE_NAME, CONTAINED, MISSPELT, HINT, STOPPED = 1.0, 0.9, 0.75, 0.5, 0.2
"""Scores of a cue: equal to the name, inside it, nearly equal, inside a word of it,
overruled."""

_UPPER, _LOWER = "[A-ZÀ-ÖØ-Þ]", "[a-zß-öø-ÿ]"
_TOKEN = re.compile(
    rf"{_UPPER}+(?={_UPPER}{_LOWER})|{_UPPER}?{_LOWER}+|{_UPPER}+|[^\W\d_]+"
)
_NUMBER = re.compile(r"\d+")
_APOSTROPHE_S = re.compile(r"['’]s\b")
_UNNAMED = re.compile(
    "^(column|col|field|feature|attribute|attr|variable|var|unnamed|[cfvx])?[\\s_:.#-]*\\d*$",
    re.IGNORECASE,
)

_SPELLED_OUT = {
    "nbr": "number", "num": "number", "nr": "number", "no": "number", "nmbr": "number",
    "pat": "patient", "pt": "patient", "pnt": "patient", "ptnt": "patient",
    "bene": "beneficiary", "mbr": "member", "dt": "date", "dte": "date",
    "dat": "date", "cd": "code", "cde": "code", "codes": "code", "yr": "year",
    "years": "year", "mo": "month", "mos": "month", "mons": "month",
    "months": "month", "mnth": "month", "days": "day", "hrs": "hours", "hr": "hour",
    "adm": "admission", "admit": "admission", "admsn": "admission",
    "admtng": "admission", "admitting": "admission", "admitted": "admission",
    "dc": "discharge", "disch": "discharge", "dschrg": "discharge",
    "dischg": "discharge", "discharged": "discharge", "birthdate": "birth date",
    "dx": "diagnosis", "diag": "diagnosis", "dgns": "diagnosis",
    "diagnoses": "diagnosis", "diags": "diagnosis", "px": "procedure",
    "proc": "procedure", "prcdr": "procedure", "procedures": "procedure",
    "med": "medication", "meds": "medication", "medications": "medication",
    "rx": "prescription", "drugs": "drug", "labs": "lab", "tel": "telephone",
    "addr": "address", "acct": "account", "hosp": "hospital", "dept": "department",
    "prvdr": "provider", "prov": "provider", "physn": "physician", "clm": "claim",
    "enc": "encounter", "pmt": "payment", "pymt": "payment", "amt": "amount",
    "chrg": "charge", "charges": "charge", "costs": "cost", "cnt": "count",
    "cvrg": "coverage", "cvrage": "coverage", "ins": "insurance", "st": "state",
    "cty": "city", "ctry": "country", "geographic": "geo", "educ": "education",
    "occ": "occupation", "occup": "occupation", "lang": "language",
    "notes": "note", "comments": "comment", "remarks": "remark", "ident": "id",
    "identifier": "id", "identification": "id", "beds": "bed", "wt": "weight",
    "wgt": "weight", "ht": "height", "srvc": "service", "svc": "service",
    "utlztn": "utilization", "wk": "week", "fname": "first name",
    "lname": "last name", "mname": "middle name", "firstname": "first name",
    "lastname": "last name", "fullname": "full name", "desc": "description",
    "nm": "name", "src": "source",
    "dispo": "disposition",
    "dscr": "description", "pri": "primary", "sec": "secondary",
}  # fmt: skip
"""Abbreviations of health files; both names and cues are spelled out with them."""

_THINGS = ("diagnosis", "procedure", "drug", "lab", "medication", "test", "allergy")
STOP_CUES = (
    *(f"{thing} {word}" for thing in _THINGS for word in ("name", "code")),
    "device type",
    "state of",
    "page",
    "dosage",
    "language",
)
"""Names that lower the cues inside them (methods G.2)."""

ORDINARY = frozenset(
    ("rate", "same", "game", "fame", "base", "case", "late", "gate", "page", "wage",
     "stage", "phase", "state", "grade", "value", "status", "level", "score", "type",
     "total", "result", "flag", "mean", "days", "data", "dates", "ratio", "note",
     "change", "usage", "image", "stages", "storage", "percentage", "average",
     "message", "triage", "coverage", "marriage", "village", "passage", "language",
     "dosage", "damage", "voltage", "manage", "linkage", "lineage", "essex",
     "sussex", "reason", "hand")
)  # fmt: skip
"""Words that are one letter away from a cue and mean something else."""


_LETTERS = str.maketrans(
    {"ß": "ss", "ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "þ": "th", "ı": "i"}
)


def fold(text: str) -> str:
    """Text in lower case without accents: ``"Größe"`` gives ``"grosse"``."""
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKD", text.lower().translate(_LETTERS))
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


def tokens_of(name: str) -> tuple[str, ...]:
    """Words of a column name, folded, digits dropped, abbreviations spelled out.

    Parameters
    ----------
    name : str
        ``"dischargeDt_2"`` gives ``("discharge", "date")``.
    """
    return tuple(
        part for word in words_of(name) for part in _SPELLED_OUT.get(word, word).split()
    )


@lru_cache(maxsize=1 << 15)
def words_of(name: str) -> tuple[str, ...]:
    """Words of a column name as they stand, folded, digits dropped."""
    return tuple(fold(word) for word in _TOKEN.findall(_APOSTROPHE_S.sub("", name)))


def abbreviations() -> frozenset[str]:
    """Return the short forms that are spelled out."""
    return frozenset(_SPELLED_OUT)


def without_number(name: str) -> str:
    """Return a name with 0 for every number: it is read as the name itself is.

    PERF: columns of wide tables differ in their numbers only.
    """
    return _NUMBER.sub("0", name)


def is_unnamed(name: str) -> bool:
    """Whether a name is only a place: "column 3", "V12", "" (no header line)."""
    return _UNNAMED.match(name.strip()) is not None


def differs_at_most(left: str, right: str, limit: int) -> bool:
    """Whether the Levenshtein distance of two words is at most `limit`.

    Parameters
    ----------
    limit : int, >= 0
    """
    if abs(len(left) - len(right)) > limit:
        return False
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, start=1):
        diagonal, row[0] = row[0], i
        for j, b in enumerate(right, start=1):
            step = min(row[j] + 1, row[j - 1] + 1, diagonal + (a != b))
            diagonal, row[j] = row[j], step
        if min(row) > limit:
            return False
    return row[-1] <= limit


@dataclass(frozen=True)
class Cue:
    """Words that a column name may be or contain.

    Parameters
    ----------
    words : str
        As people write them: "date of birth".
    whole : bool
        Whether the cue must be the whole name: short words that are also the
        beginning of other names ("patient", "admission").
    language : str
        Two letters; empty for those of the detectors.
    only_there : bool
        Whether the cue counts only in files of its language: "by" is a town in
        Danish.
    """

    words: str
    whole: bool = False
    language: str = ""
    only_there: bool = False

    @cached_property
    def tokens(self) -> frozenset[str]:
        """Words of the cue, spelled out."""
        return frozenset(tokens_of(self.words))

    @cached_property
    def joined(self) -> str:
        """The cue without spaces, as in "dateofbirth"."""
        return "".join(words_of(self.words))

    @cached_property
    def spelled_out(self) -> str:
        """The cue spelled out, without spaces."""
        return "".join(tokens_of(self.words))

    def score(self, name: ColumnName) -> float:
        """Score of this cue for a name: 1, 0.9 or 0 (misspelling aside)."""
        if self.joined == name.joined or self.spelled_out == name.spelled_out:
            return WHOLE_NAME
        if self.whole:
            return 0.0
        inside = self.tokens <= name.token_set or self.joined in name.raw_tokens
        return CONTAINED if inside else 0.0

    def is_misspelt(self, name: ColumnName) -> bool:
        """Whether the name is this cue with one or two typing errors."""
        length = len(self.joined)
        if length < 4 or len(name.joined) < 4 or name.joined in ORDINARY:
            return False
        # PERF: one error leaves the first or the last letter; skips 9 of 10 cues.
        if self.joined[0] != name.joined[0] and self.joined[-1] != name.joined[-1]:
            return False
        return differs_at_most(self.joined, name.joined, 1 if length < 8 else 2)


@cache
def cues(*texts: str) -> tuple[Cue, ...]:
    """Cues from words; a leading ``=`` means "only as the whole name"."""
    return tuple(Cue(text.removeprefix("="), text.startswith("=")) for text in texts)


@dataclass(frozen=True)
class ColumnName:
    """A column name as its words."""

    text: str

    @cached_property
    def raw_tokens(self) -> frozenset[str]:
        """Words as they stand, folded."""
        return frozenset(words_of(self.text))

    @cached_property
    def token_set(self) -> frozenset[str]:
        """Words as they stand and spelled out."""
        return self.raw_tokens | frozenset(tokens_of(self.text))

    @cached_property
    def joined(self) -> str:
        """All letters, folded."""
        return "".join(words_of(self.text))

    @cached_property
    def spelled_out(self) -> str:
        """All words spelled out, without spaces."""
        return "".join(tokens_of(self.text))

    @cached_property
    def stopped(self) -> frozenset[str]:
        """Words that a stop-cue overrules."""
        return frozenset(
            token
            for cue in cues(*STOP_CUES)
            if cue.tokens <= self.token_set
            for token in cue.tokens
        )


@dataclass(frozen=True)
class CueMatch:
    """The cue of a detector that fits a name best.

    Parameters
    ----------
    score : float in [0, 1]
    """

    score: float = 0.0
    cue: Cue | None = None


class CueIndex:
    """Finds the cues that fit a name without trying all of them.

    Parameters
    ----------
    known : sequence of sequences of Cue
        The cues of each detector.
    """

    def __init__(self, known: Sequence[Iterable[Cue]]) -> None:
        self.n_detectors = len(known)
        self._by_whole: dict[str, list[tuple[int, Cue]]] = defaultdict(list)
        self._by_token: dict[str, list[tuple[int, Cue]]] = defaultdict(list)
        for place, of_detector in enumerate(known):
            for cue in of_detector:
                for whole in {cue.joined, cue.spelled_out}:
                    self._by_whole[whole].append((place, cue))
                if not cue.whole and cue.tokens:
                    longest = max(cue.tokens, key=lambda token: (len(token), token))
                    self._by_token[longest].append((place, cue))

    def all_cues(self) -> Iterator[Cue]:
        """Every cue."""
        for found in self._by_whole.values():
            for _, cue in found:
                yield cue

    def candidates(self, name: ColumnName) -> Iterator[tuple[int, Cue]]:
        """Detectors and cues that may fit a name."""
        for whole in {name.joined, name.spelled_out, *name.raw_tokens}:
            yield from self._by_whole.get(whole, ())
        for token in name.token_set:
            yield from self._by_token.get(token, ())

    def best(self, name: ColumnName, languages: Set[str]) -> list[CueMatch]:
        """Return the best exact match of each detector, longest cue first.

        Parameters
        ----------
        languages : set of str
            Those of the file.
        """
        found: list[list[Cue]] = [[] for _ in range(self.n_detectors)]
        for place, cue in self.candidates(name):
            if not cue.only_there or cue.language in languages:
                found[place].append(cue)
        return [best_match(name, cues) if cues else CueMatch() for cues in found]


def best_match(name: ColumnName, known: Iterable[Cue]) -> CueMatch:
    """Return the best exact match of a name among cues, longest cue first."""
    scored = [(cue.score(name), len(cue.tokens), cue) for cue in known]
    score, _, cue = max(
        scored, key=lambda each: each[:2], default=(0.0, 0, Cue("", whole=True))
    )
    return CueMatch(score, cue) if score > 0 else CueMatch()


class NearIndex:
    """Finds the cues that a name is like, without trying all of them.

    Parameters
    ----------
    whole : sequence of sequences of Cue
        Of each detector: cues that the name may be with typing errors.
    short : sequence of sequences of Cue
        Of each detector: cues with which a word of the name may begin or end.
    """

    def __init__(
        self, whole: Sequence[Iterable[Cue]], short: Sequence[Iterable[Cue]]
    ) -> None:
        self.n_detectors = len(whole)
        self._by_end: dict[tuple[int, int, str], list[_Placed]] = defaultdict(list)
        self._short: dict[str, list[_Placed]] = defaultdict(list)
        for placed in _placed(whole):
            for end in (0, -1):
                letter = placed.cue.joined[end : end + 1 or None]
                self._by_end[len(placed.cue.joined), end, letter].append(placed)
        for placed in _placed(short):
            self._short[placed.cue.joined].append(placed)

    def matches(self, name: ColumnName) -> tuple[CueMatch, ...]:
        """Return the match of each detector: with typing errors, else a hint."""
        found = {place: CueMatch(HINT, cue) for place, cue in self._hints(name)}
        found |= {place: CueMatch(MISSPELT, cue) for place, cue in self._misspelt(name)}
        return tuple(found.get(at, CueMatch()) for at in range(self.n_detectors))

    def _misspelt(self, name: ColumnName) -> Iterator[tuple[int, Cue]]:
        # PERF: one error leaves the first or the last letter, two errors leave the
        # length within two: a few of thousands of cues are compared.
        length = len(name.joined)
        near = {
            placed
            for n_letters in range(length - 2, length + 3)
            for end in (0, -1)
            for placed in self._by_end.get(
                (n_letters, end, name.joined[end : end + 1 or None]), ()
            )
        }
        for _, place, cue in sorted(near, key=lambda each: each[:2], reverse=True):
            if cue.is_misspelt(name):
                yield place, cue  # of a detector's cues the first one comes last

    def _hints(self, name: ColumnName) -> Iterator[tuple[int, Cue]]:
        for token in sorted(name.raw_tokens - ORDINARY, reverse=True):
            near = {
                placed
                for rest in range(1, AFFIX + 1)
                for part in (token[rest:], token[:-rest])
                for placed in self._short.get(part, ())
            }
            for _, place, cue in sorted(near, key=lambda each: each[:2], reverse=True):
                yield place, cue


AFFIX = 3
"""Most letters of a word beside the cue with which it begins or ends: ``iage``."""


class _Placed(NamedTuple):
    """A cue, its place among those of its detector, and the detector's place."""

    order: int
    place: int
    cue: Cue


def _placed(known: Sequence[Iterable[Cue]]) -> Iterator[_Placed]:
    for place, of_detector in enumerate(known):
        for order, cue in enumerate(of_detector):
            yield _Placed(order, place, cue)
