"""Projects whose population comes with the program or from a file, for tests."""

from deidgui.app import matching
from deidgui.app.matching import propose_matching
from deidgui.app.project import (
    Attribute,
    HierarchyChoice,
    InputFile,
    PopulationChoice,
    Privacy,
    Project,
)
from deidgui.app.text import message_for
from deidgui.engine.data.class_table import classes_at
from deidgui.engine.data.table import Column, Table

FLAT = {"kind": "flat"}
DECADES = {"kind": "intervals", "width": 10, "factors": []}


def table_of(**columns):
    return Table(
        "data.csv",
        tuple(Column.from_texts(name, list(texts)) for name, texts in columns.items()),
    )


def project_of(rules, population, **fields):
    """A project whose quasi-identifiers have these rules, topics being their names."""
    topics = {"sex", "age", "race", "zip", "state", "ethnicity"}
    return Project(
        unit={"kind": "row"},
        inputs=(InputFile(file="data.csv"),),
        attributes=tuple(
            Attribute(
                name=name,
                role="quasi_identifier",
                confirmed=True,
                hierarchy=HierarchyChoice(rule=rule),
                topic=name if name in topics else None,
                missing=("", "?"),
            )
            for name, rule in rules.items()
        ),
        privacy=Privacy(population=PopulationChoice(**population)),
        **fields,
    )


def confirmed(project, table, files, population=None):
    """Confirm everything that is proposed, as a person may."""
    found = propose_matching(project, table, files, population)
    for each in found.attributes:
        if each.mapping is not None and not each.mapping.is_ready:
            decided = matching.confirm_match(each)
            files[decided.name] = decided.content
            project = decided.op(project)
    return project


def codes_of(problems):
    for problem in problems:
        assert "‹" not in str(message_for(problem)), problem
    return [problem.code for problem in problems]


def population_at(class_table, levels=None):
    """People by released values, from the class table."""
    levels = levels or (0,) * len(class_table.attributes)
    classes = classes_at(class_table, levels)
    steps = [
        h.levels[level]
        for h, level in zip(class_table.hierarchies, levels, strict=True)
    ]
    return {
        tuple(step.labels[g] for step, g in zip(steps, row, strict=True)): float(n)
        for row, n in zip(classes.groups, classes.population.sizes, strict=True)
    }


def choose_tables(names, states=()):
    """Take the population of built-in tables; decisions on their values are kept."""

    def op(project):
        known = project.privacy.population
        choice = PopulationChoice()
        if names:
            matches = known.matches if known.kind == "built_in" else {}
            choice = PopulationChoice(
                kind="built_in", tables=names, states=states, matches=matches
            )
        return project.but(privacy=project.privacy.but(population=choice))

    return op
