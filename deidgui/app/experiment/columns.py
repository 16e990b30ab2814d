"""Which columns of a file hold sex, race and age, and how do ages follow from dates?"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

import numpy as np
import polars as pl

from deidgui.app.experiment.options import ExperimentOptions
from deidgui.app.loaded import Loaded
from deidgui.app.reading.reading import Inspection
from deidgui.engine.arrays import IntArray
from deidgui.engine.data.dates import parse
from deidgui.engine.data.table import Column
from deidgui.engine.detect.roles import Topic
from deidgui.engine.population.ages import read_ages
from deidgui.engine.population.proposing import SUBJECT_OF_TOPIC, guess_subject
from deidgui.engine.population.reading import share_read
from deidgui.engine.population.table import Subject
from deidgui.errors import DeidError, InputError, raise_all
from deidgui.text import tr

SUBJECTS = (Subject.SEX, Subject.RACE, Subject.AGE)
"""The quasi-identifiers of the paper."""

NAMED = (*SUBJECTS, Subject.ORIGIN)
"""What a column can be named for; origin is used only if it is."""

MOST_VALUES = 1_000
"""Columns with more distinct texts hold neither of them, unless they are named."""

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_NO_DATE = "YYYY-MM-DD"


@dataclass(frozen=True, repr=False)
class Used:
    """A column that the experiment uses.

    Parameters
    ----------
    column : Column
        Called like the subject; missing values marked.
    source : str
        What it was made of, for the result: the column's own name as a rule.
    """

    subject: Subject
    column: Column
    source: str

    def __repr__(self) -> str:
        return f"<Used {self.source!r} for {self.subject}>"


def find_columns(loaded: Loaded, options: ExperimentOptions) -> tuple[Used, ...]:
    """Find the columns with sex, race and age, and origin if it is named.

    Returns
    -------
    tuple of Used
        In the order of `NAMED`.

    Raises
    ------
    InputError
        All problems together: ``experiment_subject``, ``experiment_column_unknown``,
        ``experiment_column_twice``, ``experiment_column_missing``,
        ``experiment_columns_several``; or those of `_age_column`.
    """
    raise_all(list(_problems(loaded, options)))
    chosen: dict[Subject, str] = {}
    problems: list[DeidError] = []
    for subject in NAMED:
        name = options.columns.get(subject)
        if name is None and subject in SUBJECTS:
            try:
                name = _only_one(loaded, subject, set(options.columns.values()))
            except InputError as problem:
                problems.append(problem)
        if name is not None:
            chosen[subject] = name
    raise_all(problems)
    return tuple(
        _age_column(loaded, name, options)
        if subject is Subject.AGE
        else Used(subject, _named(subject, _column(loaded, name)), name)
        for subject, name in chosen.items()
    )


def _named(subject: Subject, column: Column) -> Column:
    return replace(column, name=str(subject))


def _problems(loaded: Loaded, options: ExperimentOptions) -> list[DeidError]:
    """What is wrong with the names that a person gave."""
    found: list[DeidError] = []
    known = tuple(str(subject) for subject in NAMED)
    for subject, name in options.columns.items():
        if subject not in known:
            found.append(InputError("experiment_subject", found=subject, known=known))
        if list(options.columns.values()).count(name) > 1:
            found.append(InputError("experiment_column_twice", column=name))
    names = list(dict.fromkeys(options.columns.values()))
    names += [options.age_unit] if options.age_unit else []
    found += [
        InputError("experiment_column_unknown", column=name, file=loaded.table.name)
        for name in names
        if name not in loaded.table.column_names
    ]
    return found


def _column(loaded: Loaded, name: str) -> Column:
    inspection: Inspection = loaded.inspection
    return loaded.table.column(name).with_missing(inspection.missing[name])


def _only_one(loaded: Loaded, subject: Subject, taken: set[str]) -> str:
    """The one column that speaks of a subject."""
    inspection: Inspection = loaded.inspection
    columns = [
        _column(loaded, name)
        for name in loaded.table.column_names
        if name not in taken and loaded.table.column(name).n_values <= MOST_VALUES
    ]
    topics = {column.name: inspection.findings[column.name].topic for column in columns}
    by_topic = [
        column.name
        for column in columns
        if _subject_of(topics[column.name]) is subject
        and share_read(subject, column.present()) >= 0.5
    ]
    by_guess = [
        column.name
        for column in columns
        if guess_subject(column.name, column.present()) is subject
    ]
    found = by_topic or by_guess
    if not found and subject is Subject.AGE:
        found = [
            name
            for name, finding in inspection.findings.items()
            if finding.topic is Topic.BIRTH_DATE and name not in taken
        ]
    where = {"file": loaded.table.name, "subject": str(subject)}
    if not found:
        raise InputError("experiment_column_missing", **where)
    if len(found) > 1:
        raise InputError("experiment_columns_several", **where, columns=tuple(found))
    return found[0]


def _subject_of(topic: Topic | None) -> Subject | None:
    return None if topic is None else SUBJECT_OF_TOPIC.get(topic)


# -- ages ------------------------------------------------------------------------------


def _age_column(loaded: Loaded, name: str, options: ExperimentOptions) -> Used:
    """Ages as they stand, or in years from their unit or from a date of birth.

    Raises
    ------
    InputError
        Codes ``experiment_birth_date``, ``experiment_ages_at`` or
        ``experiment_age_unreadable``.
    """
    inspection: Inspection = loaded.inspection
    column = _column(loaded, name)
    is_birth = inspection.findings[name].topic is Topic.BIRTH_DATE
    if is_birth and options.ages_at is None:
        raise InputError("experiment_birth_date", column=name)
    if options.ages_at is not None:
        return _ages_from_births(loaded, column, options.ages_at)
    if options.age_unit is not None:
        unit = _column(loaded, options.age_unit)
        ages, units = column.texts(), unit.texts()
        pairs, of_row = _pairs(column, unit)
        texts = [f"{ages[age]} {units[each]}" for age, each in pairs]
        spans = read_ages(texts).spans
        years = [None if span is None else span.low for span in spans]
        lacks = [bool(column.is_missing[age] or unit.is_missing[u]) for age, u in pairs]
        made = _of_years(years, lacks, of_row, (name, unit.name))
        return Used(
            Subject.AGE,
            made,
            tr("{name}, in units of {unit}", name=name, unit=unit.name),
        )
    return Used(Subject.AGE, _named(Subject.AGE, column), name)


def _ages_from_births(loaded: Loaded, birth: Column, at: str) -> Used:
    """Completed years on a day, or on the days of another column."""
    inspection: Inspection = loaded.inspection
    if at in loaded.table.column_names:
        other = _column(loaded, at)
        last = parse(other.values, inspection.types[at].format or _NO_DATE)
        days = last.astype("M8[D]").tolist()
        if not any(days):
            raise InputError("experiment_ages_at", found=at)
    else:
        other = Column("", np.zeros(birth.n_rows, np.int32), pl.Series([at]))
        days = [_day(at)]
    form = inspection.types[birth.name].format or _NO_DATE
    births = parse(birth.values, form).astype("M8[D]").tolist()
    pairs, of_row = _pairs(birth, other)
    years = [_completed(births[born], days[day]) for born, day in pairs]
    lacks = [bool(birth.is_missing[born] or other.is_missing[d]) for born, d in pairs]
    made = _of_years(years, lacks, of_row, (birth.name, at))
    return Used(
        Subject.AGE, made, tr("{name}, completed years at {at}", name=birth.name, at=at)
    )


def _day(text: str) -> date:
    if _DAY.fullmatch(text):
        with contextlib.suppress(ValueError):
            return date.fromisoformat(text)
    raise InputError("experiment_ages_at", found=text)


def _completed(born: date | None, at: date | None) -> int | None:
    """Completed years; None if there is no date, or the person was not born yet."""
    if born is None or at is None or at < born:
        return None
    return at.year - born.year - ((at.month, at.day) < (born.month, born.day))


def _pairs(left: Column, right: Column) -> tuple[list[tuple[int, int]], IntArray]:
    """Distinct pairs of codes, and the pair of each row."""
    keys = left.codes.astype(np.int64) * right.n_values + right.codes
    distinct, of_row = np.unique(keys, return_inverse=True)
    split = np.divmod(distinct, right.n_values)
    return list(zip(*(each.tolist() for each in split), strict=True)), of_row


def _of_years(
    years: Sequence[int | None],
    lacks: Sequence[bool],
    of_row: IntArray,
    sources: tuple[str, str],
) -> Column:
    """Column of ages in years; refused where a value is no age."""
    unreadable = np.array(
        [year is None and not lack for year, lack in zip(years, lacks, strict=True)]
    )
    if unreadable.any():
        raise InputError(
            "experiment_age_unreadable",
            column=sources[0],
            other=sources[1],
            n_records=int(unreadable[of_row].sum()),
        )
    texts = ["" if year is None else str(year) for year in years]
    values = sorted(set(texts))
    place = {text: number for number, text in enumerate(values)}
    codes = np.array([place[text] for text in texts], np.int32)[of_row]
    column = Column("", codes, pl.Series(values, dtype=pl.String)).with_missing([""])
    return _named(Subject.AGE, column)
