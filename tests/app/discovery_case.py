"""Projects and classes for the discovery of alternatives, without files."""

from __future__ import annotations

from deidgui.app.classes import Classes
from deidgui.app.policies.alternatives.checking import with_elements
from deidgui.app.policies.alternatives.space import proposed_elements
from deidgui.app.project import Attribute, Discover, HierarchyChoice, Project
from deidgui.engine.data.table import Table

TOPICS = {"age": "age", "zip": "zip", "sex": "sex", "race": "race", "date": "date"}


def classes_of(class_table):
    """Classes as the application holds them."""
    none = Table("none", ())
    return Classes(none, class_table, none)


def project_of(class_table, **discover):
    """A project whose baseline is Safe Harbor, unless something else is given."""
    attributes = tuple(
        Attribute(
            name=name,
            role="quasi_identifier",
            confirmed=True,
            hierarchy=HierarchyChoice(rule={"kind": "flat"}),
            topic=TOPICS.get(name),
        )
        for name in class_table.attributes
    )
    project = Project(unit={"kind": "row"}, attributes=attributes)
    decided = with_elements(Discover(), proposed_elements(project))
    return project.but(discover=decided.but(**discover))


def typed(class_table, threshold, **discover):
    """A project whose threshold was typed."""
    return project_of(
        class_table, baseline="typed", typed=threshold, elements={}, **discover
    )


def kept_by_rule(basis):
    """Attributes whose values the baseline keeps as they are."""
    pairs = zip(basis.attributes, basis.baseline.is_kept, strict=True)
    return tuple(name for name, is_kept in pairs if is_kept)
