"""What the program asks about tables of counts before they are released.

PRIVACY: a table of counts tells of groups. One in which a column numbers or names
people is a table of people, and neither masked counts nor noise protect them.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from deidgui.app.project import Project
from deidgui.app.release.questions import (
    ReleaseQuestion,
    answer_to,
    answered_facts,
)
from deidgui.engine.counts.tables.cells import reads_as_number
from deidgui.engine.counts.tables.table import CountTable, letters
from deidgui.engine.data.table import Column
from deidgui.engine.detect.columns import finding_of
from deidgui.engine.detect.profile import ColumnProfile
from deidgui.engine.detect.roles import Band, Finding, Identifier, Role, Topic
from deidgui.engine.evidence.document import AnsweredQuestion
from deidgui.errors import ConfigError, Param, raise_all
from deidgui.text import tr

_OF_PATIENTS = (
    Identifier.MEDICAL_RECORD,
    Identifier.HEALTH_PLAN,
    Identifier.SOCIAL_SECURITY,
)
"""Identifiers that nothing but people have: the header is enough."""

_PEOPLE = re.compile(
    r"\b(patients|members|subjects|participants|enrollees|insured|residents|persons|"
    r"people|individuals|clients|patienten|pacientes|pazienti)\b"
)
_NUMBERED = re.compile(
    r"\b(ids?|identifiers?|numbers?|no|nr|num|nummer|codes?|keys?|mrns?|ssns?|records?|"
    r"accounts?)\b"
)
_NUMBER_OF = re.compile(r"\b(number|no|n|count)\W+of\b")


def questions_of_tables(tables: Sequence[CountTable]) -> tuple[ReleaseQuestion, ...]:
    """Ask about columns and headers that were found to tell who single people are.

    Returns
    -------
    tuple of ReleaseQuestion
        Of the kind ``identifier``; a column is called by its table and letter, a row
        of headers by its number: the text at the top may be that of a person.
    """
    return tuple(each for table in tables for each in _about(table))


def answered_about(
    project: Project, tables: Sequence[CountTable]
) -> tuple[AnsweredQuestion, ...]:
    """What a person answered to every question about the tables.

    Raises
    ------
    ConfigError, ProblemsError
        Code ``label_open`` of each question that nobody has answered.
    """
    asked = questions_of_tables(tables)
    raise_all([label_open(each) for each in _open(project, asked)])
    return tuple(answered_facts(project, asked))


def open_questions(
    project: Project, tables: Sequence[CountTable]
) -> tuple[ReleaseQuestion, ...]:
    """Questions that nobody has answered."""
    return tuple(_open(project, questions_of_tables(tables)))


def _open(
    project: Project, asked: Sequence[ReleaseQuestion]
) -> Iterator[ReleaseQuestion]:
    return (each for each in asked if answer_to(project, each) is None)


def label_open(question: ReleaseQuestion) -> ConfigError:
    """Return a question as what keeps tables from being released."""
    return ConfigError("label_open", question=question.name, words=question.words)


class _Line(NamedTuple):
    """A column, or a row of headers, by its letter or number."""

    name: str
    words: str
    heading: str
    value_type: str
    texts: list[str]
    are_counts: bool = False


def _about(table: CountTable) -> Iterator[ReleaseQuestion]:
    for each in (*_columns(table), *_headers(table)):
        column = Column.from_texts(each.heading, each.texts)
        finding = finding_of(ColumnProfile(column, each.value_type))
        if _tells_who(finding, each):
            yield _question(table, each, finding)


def _columns(table: CountTable) -> Iterator[_Line]:
    """Columns by what stands in them: a layout may take names for counts."""
    for place in range(table.shape[1]):
        letter = letters(place)
        texts = [row[place] for row in table.grid[table.layout.n_header_rows :]]
        filled = (text for text in texts if text.strip())
        is_number = all(reads_as_number(text, table.marks) for text in filled)
        value_type = "integer" if is_number else "text"
        words = tr("Column {letter}", letter=letter)
        # Of numbers alone nothing says which column calls the others.
        are_counts = bool(table.layout.labels) and place not in table.layout.labels
        heading = table.column_name(place)
        yield _Line(letter, words, heading, value_type, texts, are_counts)


def _headers(table: CountTable) -> Iterator[_Line]:
    """Rows of headers: a table may have a column for each person."""
    labels = table.layout.labels
    for place in range(table.layout.n_header_rows):
        named = enumerate(table.grid[place])
        texts = [text for at, text in named if at not in labels and text.strip()]
        # What stands at the left of such a row is called as a column without a name.
        heading = tr("column {column}", column=1)
        words = tr("Row {number}", number=place + 1)
        yield _Line(str(place + 1), words, heading, "text", texts)


def _tells_who(finding: Finding, line: _Line) -> bool:
    """Whether cells are those of people; ages, places and days are those of groups.

    A header alone does not tell: "Phone calls" are counted, and programs have numbers.
    Nor does "patients" above counts, which says who is counted.
    """
    if finding.topic is Topic.BIRTH_DATE:
        return finding.band is Band.CERTAIN
    if finding.role is not Role.DIRECT_IDENTIFIER:
        return False
    if any(each.code == "evidence_values" for each in finding.reasons):
        return True
    is_sure = finding.band in (Band.CERTAIN, Band.PROBABLE)
    is_named = is_sure and finding.identifier in _OF_PATIENTS
    return is_named and not (line.are_counts and _counts_people(line.heading))


def _counts_people(heading: str) -> bool:
    """Whether a header says that people are counted, as "number of patients"."""
    words = _NUMBER_OF.sub(" ", heading.lower().replace("_", " "))
    return bool(_PEOPLE.search(words)) and not _NUMBERED.search(words)


def _question(table: CountTable, line: _Line, finding: Finding) -> ReleaseQuestion:
    identifier = finding.identifier
    if finding.topic is Topic.BIRTH_DATE:
        identifier = None
    params: dict[str, Param] = {
        "table": table.name,
        "line": line.words,
        "kind": tr("date of birth") if identifier is None else tr(identifier.title),
        "n_cells": len(line.texts),
    }
    column = f"{table.name}:{line.name}"
    # Nothing of the cells: a digest of few of them tells which they are.
    kind = None if identifier is None else identifier.number
    about = json.dumps([column, kind, len(line.texts)])
    digest = hashlib.sha256(about.encode()).hexdigest()
    return ReleaseQuestion(column, "identifier", "question_label", params, digest)
