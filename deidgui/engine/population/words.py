"""Words and codes for sex, race and Hispanic origin.

Meanings are sets of plain categories, so that "Asian or Pacific Islander" of the data
is both "Asian" and "Pacific Islander" of a table of people.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from deidgui.engine.detect.roles import Reason

Meaning = frozenset[str]

HISPANIC, NOT_HISPANIC = "hispanic", "not hispanic"
OTHER, MULTIPLE = "other", "multiple"
RACES = ("white", "black", "indian", "asian", "pacific", OTHER, MULTIPLE)
"""American Indian and Alaska Native is "indian"; order of the census."""


@dataclass(frozen=True)
class WordReading:
    """Meanings of some texts.

    Parameters
    ----------
    meanings : tuple of frozenset of str or None
        None for what is not known.
    codes : frozenset of int
        Places of texts that are codes, not words: they mean other things elsewhere.
    doubts : tuple of Reason
        Why a person has to look.
    """

    meanings: tuple[Meaning | None, ...]
    codes: frozenset[int] = frozenset()
    doubts: tuple[Reason, ...] = ()


def _words(lists: Mapping[str, str]) -> dict[str, Meaning]:
    """Meaning of each word: categories divided by "|" to words divided by blanks."""
    return {
        word: frozenset(categories.split("|"))
        for categories, words in lists.items()
        for word in words.split()
    }


_MISSING = frozenset(
    _words(
        {
            "": "unknown unk u notstated notspecified unspecified missing refused "
            "declined notreported notrecorded notavailable na nan null unknowninvalid "
            "undetermined notapplicable noinformation askedbutunknown patientrefused"
        }
    )
)

_SEX = _words(
    {
        "male": "m male man men boy males mann maennlich mannlich homme hombre "
        "masculin masculino maschio 248153007",
        "female": "f female w woman women girl females frau weiblich femme mujer "
        "feminin femenino femmina 248152002",
    }
)
_SEX_NUMBERS = _words({"male": "1", "female": "2"})

# Numbers with a dash are those of CDC and HL7 (2106-3); the dash is left out here.
_RACE = _words(
    {
        "white": "white whites caucasian europeanamerican 21063",
        "black": "black africanamerican blackorafricanamerican blackafricanamerican "
        "afroamerican blackoraframerican 20545",
        "indian": "americanindianoralaskanative americanindianalaskanative "
        "americanindianandalaskanative americanindian alaskanative aian "
        "nativeamerican amerindianeskimo amerindian amerindianaleuteskimo "
        "nativecontinental northamericannative 10025",
        "asian": "asian asianamerican 20289",
        "pacific": "nativehawaiianorotherpacificislander nhpi nhopi "
        "nativehawaiianpacificislander nativehawaiianandotherpacificislander "
        "hawaiianorpacificislander nativehawaiianorpacificislander pacificislander "
        "nativehawaiian hawaiian nativeisland 20768",
        "asian|pacific": "asianpacislander asianpacificislander "
        "asianorpacificislander api",
        OTHER: "other others otherrace someotherrace 21311",
        MULTIPLE: "twoormoreraces twoormore multiple multipleraces multiracial "
        "multirace mixed mixedrace biracial morethanonerace",
        HISPANIC: "hispanic latino latina hispaniclatino hispanicorlatino latinx "
        "spanish spanishhispaniclatino 21352",
    }
)
_RACE_LETTERS = _words(
    {
        "white": "w",
        "black": "b",
        "asian": "a",
        "indian": "i n",
        "pacific": "p",
        OTHER: "o",
        HISPANIC: "h",
    }
)
_CENSUS_LETTERS = {
    letter: frozenset([race]) for letter, race in zip("abcdefg", RACES, strict=True)
}
# In most codings 1 and 2; the others differ (CMS, NCHS, states).
_RACE_NUMBERS = _words({"white": "1", "black": "2"})

_ORIGIN = _words(
    {
        HISPANIC: "hispanic latino latina latinx hispanicorlatino hispaniclatino "
        "spanishhispaniclatino spanish hispanicorigin yes y h true 21352",
        NOT_HISPANIC: "nothispanic nonhispanic nothispanicorlatino nonhispaniclatino "
        "nothispaniclatino nonhispanicorlatino nothispanicorigin nonlatino notlatino "
        "no n nh false 21865",
    }
)
_NOT_HISPANIC = re.compile(r"(?:non|not)hispanic(?:orlatino|latino)?|^nh(?=[a-z]{4})")


def normal(text: str) -> str:
    """Text without case, accents, blanks and signs: "Black/African-American"."""
    if text.isascii() and text.isalnum():
        return text.lower()
    plain = unicodedata.normalize("NFKD", text).casefold()
    return re.sub(r"[^a-z0-9]+", "", plain)


def means_nothing(text: str) -> bool:
    """Whether a text says that there is no value."""
    word = normal(text)
    return not word or word in _MISSING


def read_sex(values: Sequence[str]) -> WordReading:
    """Read sexes: words of some languages, M/F, M/W, 1/2.

    Returns
    -------
    WordReading
        1 and 2 are in doubt, 0 is not read: files differ.
    """
    words = [normal(text) for text in values]
    numbers = [place for place, word in enumerate(words) if word in _SEX_NUMBERS]
    if not numbers or "0" in words:
        return WordReading(tuple(_SEX.get(word) for word in words))
    known = _SEX | _SEX_NUMBERS
    return WordReading(
        tuple(known.get(word) for word in words),
        frozenset(numbers),
        (Reason("people_sex_numbers"),),
    )


def read_races(values: Sequence[str]) -> WordReading:
    """Read races: names of OMB and the census, UCI, NCHS, CDC and HL7, some codes.

    Returns
    -------
    WordReading
        Letters and numbers are in doubt. "Other" also is two or more races if no
        other text is that.
    """
    words = [_race_word(text) for text in values]
    letters = _CENSUS_LETTERS if {"c", "d"} & set(words) else _RACE_LETTERS
    codes = _RACE_NUMBERS | letters
    marks = frozenset(place for place, word in enumerate(words) if word in codes)
    meanings = [_RACE.get(word) or codes.get(word) for word in words]
    doubts = [Reason("people_race_codes")] if marks else []
    if frozenset([MULTIPLE]) not in meanings and frozenset([OTHER]) in meanings:
        other, wider = frozenset([OTHER]), frozenset([OTHER, MULTIPLE])
        meanings = [wider if each == other else each for each in meanings]
        doubts.append(Reason("people_race_other"))
    return WordReading(tuple(meanings), marks, tuple(doubts))


def says_not_hispanic(text: str) -> bool:
    """Whether the name of a race leaves Hispanic people out: "White, non-Hispanic"."""
    return _NOT_HISPANIC.search(normal(text)) is not None


def read_population_races(values: Sequence[str]) -> tuple[Meaning | None, ...]:
    """Read the races of a table of people, where "other" is nothing else."""
    return tuple(_RACE.get(_race_word(text)) for text in values)


def read_origins(values: Sequence[str]) -> WordReading:
    """Read Hispanic origin."""
    return WordReading(tuple(_ORIGIN.get(normal(text)) for text in values))


def _race_word(text: str) -> str:
    word = _NOT_HISPANIC.sub("", normal(text))
    return re.sub(r"(?:alone|only)$", "", word)
