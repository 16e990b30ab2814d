"""What the program asks about the table that is about to be written."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import get_args

import numpy as np

from deidgui.app import ops
from deidgui.app.classes import Classes
from deidgui.app.demands import sensitive_demands
from deidgui.app.measuring.alone import alone_on_all
from deidgui.app.project import Answer, Attribute, Project, QuestionKind, signature
from deidgui.app.reading.columns import NEARLY_UNIQUE
from deidgui.app.stated import numbers_of_people
from deidgui.app.text import sentence_for
from deidgui.engine.data.people_table import count_values_of_people
from deidgui.engine.data.table import Column, Table
from deidgui.engine.detect.columns import finding_of
from deidgui.engine.detect.keys import KeyProposal
from deidgui.engine.detect.profile import ColumnProfile
from deidgui.engine.detect.roles import Band, Finding, Role, Topic
from deidgui.engine.detect.spelling import spelling_of_key, spelling_of_values
from deidgui.engine.detect.texts import identifiers_inside
from deidgui.engine.evidence.document import AnsweredQuestion
from deidgui.engine.policy.policy import Policy
from deidgui.engine.policy.released import released_classes, shown_by_rows
from deidgui.engine.risk.homogeneity import fully_disclosed, whole_classes_disclosed
from deidgui.engine.risk.rows_known import risk_of_rows
from deidgui.engine.transform.apply import apply_policy, released_class_of
from deidgui.errors import ConfigError, DeidError, Param
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor
from deidgui.text import share_text, tr

KINDS: tuple[QuestionKind, ...] = get_args(QuestionKind)

MOSTLY_ALONE = 0.5
"""Share of released records that are alone on all columns together, beyond which it is
asked why, unless they are alone on the quasi-identifiers already: the classes then do
not describe what most of them face. Below it the figure is stated only; one finely
measured value beside small classes tells many apart."""

_SURE = (Band.CERTAIN, Band.PROBABLE)


@dataclass(frozen=True)
class ReleaseQuestion:
    """Something about a released column that a person must answer with a reason.

    Parameters
    ----------
    code : str
        Its sentence is in `deidgui.app.text.release`.
    params : mapping
        Counts and kinds of identifiers; never a cell's value.
    about : str
        Fingerprint of the question, the decisions on the column and the file.
    """

    column: str
    kind: QuestionKind
    code: str
    params: Mapping[str, Param] = field(hash=False)
    about: str

    @property
    def name(self) -> str:
        """How the command line names it."""
        return f"{self.column}:{self.kind}"

    @property
    def words(self) -> str:
        """What was found, in a sentence."""
        return sentence_for(self.code, self.params)

    def as_problem(self) -> DeidError:
        """Return the question as what keeps a release from being written."""
        params = {"kind": self.kind, "question": self.name, "words": self.words}
        return ConfigError("question_open", attribute=self.column, **params)


def questions_of(
    project: Project,
    classes: Classes,
    policy: Policy,
    findings: Mapping[str, Finding],
    sha256: str,
    *,
    keys: Sequence[KeyProposal] = (),
    monitor: Monitor = NULL_MONITOR,
) -> tuple[ReleaseQuestion, ...]:
    """Judge the table that a policy would release.

    Parameters
    ----------
    classes : Classes
        Of the same decisions; with the table.
    findings : mapping of str to Finding
        By column, as the file was read; columns without one are judged anew.
    sha256 : str
        Of the file.
    keys : sequence of KeyProposal, optional
        Columns that may say which rows belong to the same person.

    Returns
    -------
    tuple of ReleaseQuestion
        In the order of the columns.
    """
    classes = classes.with_columns_of(project)
    table = classes.table
    found: list[ReleaseQuestion] = []
    asked = _found(project, classes, policy, findings, monitor)
    for column, code, kind, params in (*_about_unit(project, keys), *asked):
        about = _digest(project.attribute(column), code, params, sha256)
        found.append(ReleaseQuestion(column, kind, code, params, about))
    places = {name: place for place, name in enumerate(table.column_names)}
    # What is left out of the table comes first: the number of a person may be.
    return tuple(sorted(found, key=lambda each: places.get(each.column, -1)))


def answer_to(project: Project, question: ReleaseQuestion) -> Answer | None:
    """Return the answer that a person gave to a question, if it is about this one."""
    return given_answer(project.answers, question)


def given_answer(answers: Sequence[Answer], question: ReleaseQuestion) -> Answer | None:
    """Return the one of some answers that is about a question."""
    for each in answers:
        if (each.column, each.kind) == (question.column, question.kind):
            return each if each.about == question.about else None
    return None


def is_stale(project: Project, question: ReleaseQuestion) -> bool:
    """Whether a question was answered when column or finding were others."""
    given = any(
        (each.column, each.kind) == (question.column, question.kind)
        for each in project.answers
    )
    return given and answer_to(project, question) is None


def answers_for(
    questions: Sequence[ReleaseQuestion],
    names: Sequence[str],
    because: str,
    by: str,
    on: str,
) -> ops.Op:
    """Answer questions that are named ``COLUMN:KIND``.

    Parameters
    ----------
    by, on : str
        Who answers, and the date; what nobody signs leaves the dossier incomplete.

    Raises
    ------
    ConfigError
        Code ``question_unknown`` with those that are asked.
    """
    asked = {each.name: each for each in questions}
    for name in names:
        if name not in asked:
            known = tuple(asked) or ("none",)
            raise ConfigError("question_unknown", question=name, known=known)

    def op(project: Project) -> Project:
        for name in names:
            question = asked[name]
            answer = Answer(
                column=question.column,
                kind=question.kind,
                because=because,
                about=question.about,
                **signature(by, on).model_dump(),
            )
            project = ops.answer(answer)(project)
        return project

    return op


def answered_facts(
    project: Project, questions: Sequence[ReleaseQuestion]
) -> list[AnsweredQuestion]:
    """Return what was asked about the released table, with a person's answers."""
    found = []
    for each in questions:
        answer = answer_to(project, each)
        assert answer is not None, "what nobody has answered stops the release"
        found.append(answered_fact(each, answer))
    return found


def answered_fact(question: ReleaseQuestion, answer: Answer) -> AnsweredQuestion:
    """Return a question with a person's answer, as a release states it."""
    return AnsweredQuestion(
        column=question.column,
        kind=question.kind,
        words=question.words,
        because=answer.because,
        by=answer.by,
        on=answer.on,
    )


_Row = tuple[str, str, QuestionKind, dict[str, Param]]


def _found(
    project: Project,
    classes: Classes,
    policy: Policy,
    findings: Mapping[str, Finding],
    monitor: Monitor,
) -> Iterator[_Row]:
    kept = project.with_role("sensitive", "insensitive")
    whole = [each for each in project.quasi_identifiers if _is_whole(each.name, policy)]
    asked: set[str] = set()
    for place, each in enumerate((*kept, *whole)):
        monitor.report(0.4 * place / (len(kept) + len(whole)), "questions")
        finding = findings.get(each.name) or _finding(each, classes.table)
        for found in _about_column(each, classes.table, finding):
            asked.add(each.name)
            yield found
    step = SubMonitor(monitor, 0.4, 0.7)
    yield from _about_all(project, classes, policy, asked, step)
    step = SubMonitor(monitor, 0.7, 1.0)
    yield from _about_classes(project, classes, policy, step)
    yield from _about_rows(project, classes, policy)
    yield from _about_spelling(project, classes.table)


def _about_unit(project: Project, keys: Sequence[KeyProposal]) -> Iterator[_Row]:
    """Columns that number people who have several rows, where rows are protected.

    PRIVACY: every class is then smaller than it seems when it is counted in people.
    """
    known = {each.name for each in project.attributes}
    for about in numbers_of_people(project.unit, keys):
        if (column := str(about["column"])) in known:
            yield column, "question_people", "people", about


def _finding(attribute: Attribute, table: Table) -> Finding:
    return finding_of(ColumnProfile(table.column(attribute.name), attribute.kind))


def _is_whole(name: str, policy: Policy) -> bool:
    """Whether some record shows a quasi-identifier as it is."""
    place = policy.attributes.index(name)
    maps = [each.maps[place] for each in policy.rounds]
    return any(len(np.unique(m.groups)) == len(m.groups) > 1 for m in maps)


def _about_column(
    attribute: Attribute, table: Table, finding: Finding
) -> Iterator[_Row]:
    """What a column by itself tells; one question of the gravest kind, and texts."""
    name, column = attribute.name, table.column(attribute.name)
    is_kept = attribute.role != "quasi_identifier"
    kind = tr(finding.identifier.title) if finding.identifier else ""
    kind = kind or (finding.topic.value if finding.topic else name)
    about: dict[str, Param] = {"column": name, "kind": kind}
    texts = identifiers_inside(column, attribute.kind) if is_kept else ()
    # What stands in free text is one question, that it is free text no other.
    is_same = bool(texts) and finding.topic is Topic.FREE_TEXT
    is_sure, asked = finding.band in _SURE, False
    if is_sure and finding.role is Role.DIRECT_IDENTIFIER and not is_same:
        asked = True
        yield name, "question_direct", "identifier", about
    elif is_sure and is_kept and finding.role is Role.QUASI_IDENTIFIER:
        asked = True
        yield name, "question_quasi", "identifier", about
    if not is_kept:
        return
    for inside in texts[:1]:
        asked = True
        params: dict[str, Param] = {
            "column": name,
            "kind": tr(inside.title),
            "n_texts": inside.n_texts,
            "n_all": inside.n_looked_at,
        }
        yield name, "question_text", "text", params
    n_unique, n_all = _with_own_value(column)
    if not asked and n_unique > NEARLY_UNIQUE * n_all:
        code = "question_unique" if column.people is None else "question_unique_person"
        shares: dict[str, Param] = {"n_unique": n_unique, "n_records": n_all}
        yield name, code, "unique", {"column": name, **shares}


def _with_own_value(column: Column) -> tuple[int, int]:
    """Records with a value that no other one has, and all; people, where rows have.

    PRIVACY: a value that stands in many rows of one person singles that person out.
    """
    is_own = (column.holders == 1) & ~column.is_missing
    if column.people is None:
        return int(is_own.sum()), column.n_rows
    alone = np.unique(column.people[is_own[column.codes]])
    return len(alone), len(np.unique(column.people))


def _about_all(
    project: Project,
    classes: Classes,
    policy: Policy,
    asked: Collection[str],
    monitor: Monitor,
) -> Iterator[_Row]:
    """Records that are alone on all columns together, although no column asks.

    PRIVACY: classes are of quasi-identifiers. Diagnoses that each stand in many records
    are together as good as a number of the person to whoever has a copy of them.
    Columns that are asked about by themselves are left aside; sensitive ones that a
    privacy model protects are not: it keeps the values of a class different, which
    tells its people apart.
    """
    kept = [
        each.name
        for each in project.with_role("sensitive", "insensitive")
        if each.name not in asked
    ]
    # Of people and their events in two tables this is not measured.
    if not kept or project.links:
        return
    released = apply_policy(
        classes.table,
        classes.class_table,
        policy,
        dict.fromkeys(kept, "keep"),
        spreadsheet_safe=project.export.spreadsheet_safe,
        monitor=monitor,
    )
    units = classes.class_table.units
    n_alone, n_released = alone_on_all(
        released,
        np.flatnonzero(~released.suppressed),
        units.people if units is not None else None,
    )
    # Who is alone on the quasi-identifiers is what the thresholds speak of.
    sizes = released_classes(classes.class_table, policy).kept_counts
    if n_alone - int((sizes == 1).sum()) <= MOSTLY_ALONE * n_released:
        return
    params: dict[str, Param] = {
        # The one that tells most apart, as the question must be about some column.
        "column": max(kept, key=lambda name: classes.table.column(name).n_values),
        "n_alone": n_alone,
        "n_released": n_released,
        "share": share_text(n_alone / n_released),
        "n_quasi": len(policy.released),
        "n_columns": len(kept),
        "columns": tuple(kept),
    }
    code = "question_alone" if units is None else "question_alone_people"
    yield str(params["column"]), code, "alone", params


def _about_classes(
    project: Project, classes: Classes, policy: Policy, monitor: Monitor
) -> Iterator[_Row]:
    """Sensitive columns that no privacy model protects."""
    protected = sensitive_demands(project)
    names = [
        each.name
        for each in project.with_role("sensitive")
        if each.name not in protected
    ]
    if not names:
        return
    table = classes.table
    class_table, units = classes.class_table, classes.class_table.units
    released = released_classes(class_table, policy)
    class_of = released_class_of(table, class_table, policy, released, monitor=monitor)
    is_kept, n_classes = ~released.suppressed, len(released.counts)
    for name in names:
        column = table.column(name)
        if units is None:
            found = fully_disclosed(column, class_of, is_kept)
        else:
            of_person = released.of_combination[units.combination]
            values = count_values_of_people(column, units.people, of_person, n_classes)
            found = whole_classes_disclosed(values, released.counts, is_kept)
        if found.n_records:
            yield (
                name,
                "question_disclosed" if units is None else "question_disclosed_people",
                "disclosed",
                {
                    "column": name,
                    "n_records": found.n_records,
                    "n_classes": found.n_classes,
                    "n_released": found.n_released,
                },
            )


def _about_rows(project: Project, classes: Classes, policy: Policy) -> Iterator[_Row]:
    """People who stand out by how many rows they have, where rows stay together."""
    units, key = classes.class_table.units, project.key
    if units is None or key is None or key not in classes.table.column_names:
        return
    if not project.releases_key:
        return
    smallest = policy.smallest_class
    released = released_classes(classes.class_table, policy)
    shown = shown_by_rows(classes.table, classes.class_table, policy, released)
    by_number = risk_of_rows(*shown, 1 / smallest)[-1:]
    for each in by_number:
        if each.n_at_risk:
            n_released = shown[0].n_owners
            params: dict[str, Param] = {
                "column": key,
                "n_records": each.n_at_risk,
                "n_released": n_released,
                "least": smallest,
            }
            yield key, "question_rows", "rows", params


def _about_spelling(project: Project, table: Table) -> Iterator[_Row]:
    """Whether one person or one value may stand under several spellings.

    PRIVACY: classes seem larger, or their sensitive values more different, than they
    are.
    """
    key = project.key if project.key in table.column_names else None
    if key and (found := spelling_of_key(table.column(key))):
        yield key, "question_spelling", "spelling", found
    for each in project.with_role("sensitive"):
        if each.name != key and (found := spelling_of_values(table.column(each.name))):
            about = {"column": each.name, **found}
            yield each.name, "question_spelling_of_values", "spelling", about


def _digest(
    attribute: Attribute, code: str, params: Mapping[str, Param], sha256: str
) -> str:
    """Fingerprint of a question: another file, role or finding asks anew."""
    decided = attribute.model_dump(
        include={"name", "role", "treatment", "kind", "missing"}
    )
    text = json.dumps([decided, code, dict(params), sha256], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()
