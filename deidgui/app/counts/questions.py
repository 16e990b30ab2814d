"""What the program asks about tables of counts before they are released.

PRIVACY: a table of counts tells of groups. One in which a column numbers or names
people is a table of people, and neither masked counts nor noise protect them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence

from deidgui.app.project import Project
from deidgui.app.release.questions import (
    ReleaseQuestion,
    answer_to,
    answered_facts,
)
from deidgui.engine.counts.tables.cells import CellType
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


def questions_of_tables(tables: Sequence[CountTable]) -> tuple[ReleaseQuestion, ...]:
    """Ask about columns that were found to tell who single people are.

    Returns
    -------
    tuple of ReleaseQuestion
        Of the kind ``identifier``; a column is called by its table and letter, since
        the text at its top may be that of a person.
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


def _about(table: CountTable) -> Iterator[ReleaseQuestion]:
    first = table.layout.n_header_rows
    for place, kind in enumerate(table.layout.kinds):
        texts = [row[place] for row in table.grid[first:]]
        column = Column.from_texts(table.column_name(place), texts)
        value_type = "integer" if kind is CellType.COUNT else "text"
        finding = finding_of(ColumnProfile(column, value_type))
        if _tells_who(finding):
            yield _question(table, place, finding)


def _tells_who(finding: Finding) -> bool:
    """Whether a column is one of people; ages, places and days are those of groups.

    A header alone does not tell: "Phone calls" are counted, and programs have numbers.
    """
    if finding.topic is Topic.BIRTH_DATE:
        return finding.band is Band.CERTAIN
    if finding.role is not Role.DIRECT_IDENTIFIER:
        return False
    is_by_values = any(each.code == "evidence_values" for each in finding.reasons)
    is_sure = finding.band in (Band.CERTAIN, Band.PROBABLE)
    return is_by_values or (is_sure and finding.identifier in _OF_PATIENTS)


def _question(table: CountTable, place: int, finding: Finding) -> ReleaseQuestion:
    column = f"{table.name}:{letters(place)}"
    identifier = finding.identifier
    found = tr(identifier.title) if identifier else tr("date of birth")
    params: dict[str, Param] = {
        "table": table.name,
        "letter": letters(place),
        "kind": tr("date of birth") if finding.topic is Topic.BIRTH_DATE else found,
        "n_rows": table.shape[0] - table.layout.n_header_rows,
    }
    # Nothing of the cells: a digest of few of them tells which they are.
    about = json.dumps([column, params], sort_keys=True)
    digest = hashlib.sha256(about.encode()).hexdigest()
    return ReleaseQuestion(column, "identifier", "question_label", params, digest)
