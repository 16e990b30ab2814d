"""What does a person decide about how records are found? Decisions as operations."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from deidgui.app.matching.proposing import AttributeMatch
from deidgui.app.project import MatchChoice, PopulationChoice, Project
from deidgui.app.reading.files import safe_name
from deidgui.engine.population.mapping import AttributeMapping
from deidgui.engine.population.mapping_io import mapping_csv

Op = Callable[[Project], Project]

LackingChoice = Literal["refused", "independent", "left aside"]


def choose_tables(
    names: Sequence[str],
    states: Sequence[str] = (),
    youngest: int | None = None,
    oldest: int | None = None,
) -> Op:
    """Take the people of built-in tables; decisions on their values are kept.

    Parameters
    ----------
    names : sequence of str
        Names of cards; none states that nothing is known.
    """

    def op(project: Project) -> Project:
        known = project.privacy.population
        choice = PopulationChoice()
        if names:
            choice = PopulationChoice(
                kind="built_in",
                tables=tuple(names),
                states=tuple(states),
                youngest=youngest,
                oldest=oldest,
                matches=known.matches if known.kind == "built_in" else {},
            )
        return project.but(privacy=project.privacy.but(population=choice))

    return op


@dataclass(frozen=True, repr=False)
class Confirmation:
    """A person's decision on values, to be kept as a file beside the project.

    First `Session.add_hierarchy_file(name, content)`, then `Session.apply(op, ...)`.

    Parameters
    ----------
    name : str
        Relative path that tells the content.
    """

    op: Op
    name: str
    content: bytes


def confirm_match(match: AttributeMatch) -> Confirmation:
    """Confirm what the values of an attribute stand for, as shown.

    Parameters
    ----------
    match : AttributeMatch
        With a mapping.
    """
    assert match.mapping is not None, "nothing to confirm"
    return _confirmation(match, match.mapping)


def set_partners(
    match: AttributeMatch, partners: Mapping[str, Sequence[str]]
) -> Confirmation:
    """Say by hand what some values stand for, and confirm the rest as shown.

    Parameters
    ----------
    match : AttributeMatch
        With a mapping.
    partners : mapping of str to sequence of str
        Values of the population by value of the data; none for nothing.

    Raises
    ------
    InputError
        Code ``people_value_unknown``.
    """
    mapping = match.mapping
    assert mapping is not None, "nothing to correct"
    return _confirmation(match, mapping.with_partners(partners))


def _confirmation(match: AttributeMatch, mapping: AttributeMapping) -> Confirmation:
    content = mapping_csv(mapping)
    name = mapping_file_name(match.attribute, content)
    op = _change_match(match.attribute, target=mapping.target.name, csv=name)
    return Confirmation(op, name, content)


def mapping_file_name(attribute: str, content: bytes) -> str:
    """Relative path of a confirmed mapping; tells its content.

    Returns
    -------
    str
        ``mappings/NAME-HASH.csv`` with only letters, digits, - and _ in NAME.
    """
    digest = hashlib.sha256(attribute.encode() + b"\0" + content).hexdigest()[:16]
    return f"mappings/{safe_name(attribute)}-{digest}.csv"


def set_target(attribute: str, target: str | None) -> Op:
    """Say which attribute of the population an attribute is; None if it knows none.

    What was decided about values is given up; of a file, the column is chosen.
    """

    def op(project: Project) -> Project:
        choice = project.privacy.population
        columns = dict(choice.columns)
        if choice.file is not None and target is not None:
            columns[attribute] = target
        matches = {**choice.matches, attribute: MatchChoice(target=target)}
        return _with_population(project, choice.but(columns=columns, matches=matches))

    return op


def set_lacking(attribute: str, choice: LackingChoice) -> Op:
    """Say what is done about an attribute that the population lacks."""
    return _change_match(attribute, target=None, csv=None, lacking=choice)


def accept_unmatched(match: AttributeMatch, accepts: bool = True) -> Op:
    """Accept that values of an attribute stand for nobody."""
    assert match.mapping is not None, "the population lacks it"
    target = match.mapping.target.name
    return _change_match(match.attribute, target=target, accepts_unmatched=accepts)


def forget_match(attribute: str) -> Op:
    """Give up what was decided about an attribute: the proposal stands again."""

    def op(project: Project) -> Project:
        choice = project.privacy.population
        matches = {n: each for n, each in choice.matches.items() if n != attribute}
        return _with_population(project, choice.but(matches=matches))

    return op


def set_adds_rows(adds: bool) -> Op:
    """Say whether rows of counts with the same combination are added up."""

    def op(project: Project) -> Project:
        choice = project.privacy.population
        return _with_population(project, choice.but(adds_rows=adds))

    return op


def _change_match(attribute: str, target: str | None, **changes: object) -> Op:
    """Change a decision; one about another target is given up."""

    def op(project: Project) -> Project:
        choice = project.privacy.population
        known = choice.matches.get(attribute)
        if known is None or known.target != target:
            known = MatchChoice(target=target)
        matches = {**choice.matches, attribute: known.but(**changes)}
        return _with_population(project, choice.but(matches=matches))

    return op


def _with_population(project: Project, choice: PopulationChoice) -> Project:
    return project.but(privacy=project.privacy.but(population=choice))
