"""Detectors of dates and ages (identifier 3)."""

from __future__ import annotations

import numpy as np
import polars as pl

from deidgui.engine.arrays import BoolArray
from deidgui.engine.detect.profile import ColumnProfile
from deidgui.engine.detect.roles import Identifier, Role, Topic
from deidgui.engine.detect.rules import (
    ANY_KIND,
    NUMBERS,
    WORDS_OR_CODES,
    Detector,
    ValueRule,
    matches,
    no_hits,
    numbers_between,
    vocabulary,
)

CONSISTENT = 0.95
"""Share of values that one date format must explain (methods G.1)."""

_TIME = r"[T ]\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d+)?\s*(?:[AaPp]\.?[Mm]\.?)?\s*" \
        r"(?:Z|[+-]\d{2}:?\d{2}|[A-Z]{2,4})?$"  # fmt: skip
_FORMATS = (
    (r"^\d{4}-\d{1,2}-\d{1,2}$", "%Y-%m-%d"),
    (r"^\d{1,2}/\d{1,2}/\d{4}$", "%m/%d/%Y"),
    (r"^\d{1,2}/\d{1,2}/\d{4}$", "%d/%m/%Y"),
    (r"^\d{1,2}\.\d{1,2}\.\d{4}$", "%d.%m.%Y"),
    (r"^\d{1,2}-\d{1,2}-\d{4}$", "%m-%d-%Y"),
    (r"^\d{1,2}-\d{1,2}-\d{4}$", "%d-%m-%Y"),
    (r"^\d{4}/\d{1,2}/\d{1,2}$", "%Y/%m/%d"),
    (r"^(?:1[89]|20)\d{6}$", "%Y%m%d"),
    (r"^\d{1,2}[- ][A-Za-z]{3}[- ]\d{4}$", None),
    (r"^\d{1,2}-?[A-Za-z]{3}-?\d{4}$", None),
    (r"^\d{1,2}[- ]?[A-Za-z]{3}[- ]?\d{2}$", None),
    (r"^[A-Za-z]{3,9}\.? \d{1,2},? \d{4}$", None),
    (r"^\d{1,2}\.? [A-Za-z]{3,9}\.? \d{4}$", None),
    (r"^\d{1,2}/\d{1,2}/\d{2}$", "%m/%d/%y"),
    (r"^\d{1,2}/\d{1,2}/\d{2}$", "%d/%m/%y"),
    (r"^\d{1,2}\.\d{1,2}\.\d{2}$", "%d.%m.%y"),
    (r"^(?:0?[1-9]|1[0-2])/(?:1[89]|20)\d{2}$", None),
    (r"^(?:1[89]|20)\d{2}-(?:0[1-9]|1[0-2])$", None),
)
"""Date formats of methods G.4: a shape and, where it says too little, a check."""

_LIKE_A_DATE = r"^(?:\d{1,4}[-/. ]|\d{8}$|\d{1,2}[A-Za-z]{3}\d|[A-Za-z]{3,9}\.? \d)"
"""How every one of these formats begins: spares the others one by one."""

_MONTHS = (
    "jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec|january|february|march|"
    "april|june|july|august|september|october|november|december|januar|februar|märz|"
    "mai|juni|juli|oktober|dezember|janvier|février|mars|avril|juin|juillet|août|"
    "septembre|octobre|novembre|décembre|enero|febrero|marzo|abril|mayo|junio|julio|"
    "agosto|septiembre|octubre|noviembre|diciembre|gennaio|febbraio|aprile|maggio|"
    "giugno|luglio|settembre|ottobre|dicembre|janeiro|fevereiro|março|maio|junho|julho|"
    "setembro|outubro|novembro|dezembro|januari|februari|maart|mei|augustus|styczeń|"
    "luty|marzec|kwiecień|maj|czerwiec|lipiec|sierpień|wrzesień|październik|listopad|"
    "grudzień|augusti|desember|tammikuu|helmikuu|maaliskuu|huhtikuu|toukokuu|kesäkuu|"
    "heinäkuu|elokuu|syyskuu|lokakuu|marraskuu|joulukuu"
)
_WEEKDAYS = (
    "mon|tue|wed|thu|fri|sat|sun|monday|tuesday|wednesday|thursday|friday|saturday|"
    "sunday|weekend|weekday|montag|dienstag|mittwoch|donnerstag|freitag|samstag|"
    "sonntag|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|"
    "miércoles|jueves|viernes|sábado|domingo|lunedì|martedì|mercoledì|giovedì|venerdì|"
    "sabato|domenica|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag|måndag|"
    "tisdag|onsdag|torsdag|fredag|lördag|söndag|mandag|tirsdag|lørdag|søndag|"
    "poniedziałek|wtorek|środa|czwartek|piątek|sobota|niedziela"
)
_BAND = r"^[\[(]?\s*(?:<|>|<=|>=|≥|≤)?\s*\d{1,3}\s*(?:(?:-|–|to|,|;)\s*\d{1,3})?" \
        r"\s*(?:\+|years?|y)?\s*[\])]?$"  # fmt: skip


def date_hits(profile: ColumnProfile) -> BoolArray:
    """Values that are dates in one format that explains 95 % of them."""
    if profile.kind == "date":
        return np.ones(profile.n_sampled, dtype=np.bool_)
    if profile.kind == "decimal" or profile.length_range[1] < 6:
        return no_hits(profile)
    days = profile.texts.changed(_without_time)
    least = CONSISTENT * profile.n_sampled
    if days.contains(_LIKE_A_DATE).sum() < least:
        return no_hits(profile)
    for shape, check in _FORMATS:
        hits = days.contains(shape)
        if hits.sum() < least:
            continue
        if check is not None:
            read = days.series.str.to_date(check, strict=False)
            hits &= read.is_not_null().to_numpy()
        if hits.sum() >= least:
            return hits
    return no_hits(profile)


def _without_time(texts: pl.Series) -> pl.Series:
    return texts.str.replace(_TIME, "").str.strip_chars()


def epoch_hits(profile: ColumnProfile) -> BoolArray:
    """Whole numbers that are seconds, milliseconds or spreadsheet days."""
    numbers = profile.numbers
    ranges = ((3e8, 2.2e9), (3e11, 2.2e12), (7_000, 60_000))
    for low, high in ranges:
        hits = (numbers >= low) & (numbers <= high)
        if len(hits) and hits.mean() >= CONSISTENT:
            return hits
    return no_hits(profile)


DATE = ValueRule("a date", 0.9, date_hits)
CUED_DATE = ValueRule("a date", 0.9, date_hits, needs_cue=True)
EPOCH = ValueRule("a date stored as a number", 0.6, epoch_hits, needs_cue=True)

DETECTORS: tuple[Detector, ...] = (
    Detector(
        Topic.BIRTH_DATE,
        "date of birth",
        Role.QUASI_IDENTIFIER,
        "because_birth",
        Identifier.DATE,
        words="birth",
        names=("dob", "birth", "date of birth", "birth date", "birthday", "bdate",
               "born", "geburtsdatum", "geburtstag", "date naissance"),
        rules=(CUED_DATE, EPOCH),
        kinds=frozenset(("date", "integer", "text", "category")),
        doubtful=frozenset(("integer",)),
    ),
    Detector(
        Topic.YEAR,
        "year of birth",
        Role.QUASI_IDENTIFIER,
        "because_birth",
        Identifier.DATE,
        words="birth_year",
        names=("birth year", "geburtsjahr", "year of birth", "yob", "year born",
               "byear"),
        rules=(ValueRule("a year", 0.9, numbers_between(1880, 2100), needs_cue=True),),
        kinds=frozenset(("integer", "category", "date")),
    ),
    Detector(
        Topic.DATE,
        "date",
        Role.QUASI_IDENTIFIER,
        "because_date",
        Identifier.DATE,
        words="date",
        names=("date", "aufnahmedatum", "entlassungsdatum", "datum", "=admission",
               "=discharge", "=death", "dod", "admission date",
               "discharge date", "death date", "date of death", "=visit",
               "visit date", "=service", "service date", "procedure date",
               "time stamp", "timestamp", "datetime", "date time", "admission time",
               "discharge time", "death time", "visit time", "=time", "day of death",
               "accident date", "onset date", "order time", "chart time", "start date",
               "end date", "stop date", "=start", "=stop", "=dos"),
        rules=(DATE, EPOCH),
        kinds=frozenset(("date", "integer", "text", "category")),
        doubtful=frozenset(("integer",)),
        scan=(
            ("a date", r"\b\d{1,2}[/.-]\d{1,2}[/.-](?:\d{2}|\d{4})\b"),
            ("a date", r"\b(?:19|20)\d{2}-\d{2}-\d{2}\b"),
        ),
    ),
    Detector(
        Topic.MONTH,
        "month, weekday or quarter of an event",
        Role.QUASI_IDENTIFIER,
        "because_date",
        Identifier.DATE,
        words="month",
        names=("month", "geburtsmonat", "aweekend", "amonth", "dqtr",
               "discharge month", "admission month", "birth month",
               "month of birth", "quarter", "week", "weekday", "day of week",
               "admission day", "discharge quarter", "season"),
        rules=(
            ValueRule("the name of a month", 0.9, vocabulary(_MONTHS), by_rows=True),
            ValueRule("the name of a weekday", 0.9, vocabulary(_WEEKDAYS),
                      by_rows=True),
            ValueRule("a number of a month or week", 0.5, numbers_between(0, 53),
                      needs_cue=True),
        ),
        kinds=WORDS_OR_CODES,
    ),
    Detector(
        Topic.YEAR,
        "year of an event",
        Role.QUASI_IDENTIFIER,
        "because_year",
        words="year",
        names=("year", "admission year", "discharge year", "service year",
               "death year", "diagnosis year", "year of death", "fiscal year",
               "calendar year"),
        rules=(ValueRule("a year", 0.6, numbers_between(1880, 2100), needs_cue=True),),
        kinds=frozenset(("integer", "category", "date")),
    ),
    Detector(
        Topic.AGE,
        "age",
        Role.QUASI_IDENTIFIER,
        "because_age",
        Identifier.DATE,
        words="age",
        names=("age", "startage", "ridageyr", "age years", "age group", "age band",
               "age range", "age class",
               "age at admission", "age at diagnosis", "age at first claim",
               "patient age", "age category", "agegrp", "agecat", "alter"),
        rules=(
            ValueRule("a whole number from 0 to 130", 0.8, numbers_between(0, 130),
                      needs_cue=True),
            ValueRule("an age band", 0.8, matches(_BAND), needs_cue=True),
        ),
        kinds=NUMBERS,
    ),
    Detector(
        Topic.NUMBER,
        "time since an event",
        Role.QUASI_IDENTIFIER,
        "because_date",
        names=("days since", "months since", "day since first", "=dsfs",
               "days from admission", "day offset", "days to event"),
        kinds=NUMBERS,
    ),
    Detector(
        Topic.CODE,
        "unit of the age, or newborn",
        Role.QUASI_IDENTIFIER,
        "because_age",
        words="age_unit",
        names=("age unit", "age units", "newborn", "neonate", "infant", "age type",
               "minor", "gestational age"),
        rules=(ValueRule("a unit of age", 0.6,
                         vocabulary("years|months|days|weeks|year|month|day|y|m|d"),
                         needs_cue=True, by_rows=True),),
        kinds=ANY_KIND,
    ),
)  # fmt: skip
