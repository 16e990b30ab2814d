"""Classes and hierarchies that are used again fit the decisions of now."""

import numpy as np
import pytest

from deidgui.app import ops
from deidgui.app.changes import fingerprint
from deidgui.app.classes import HierarchyCache, build_classes
from deidgui.app.decides import Decides
from deidgui.app.project import Attribute, Chosen, Export, HierarchyChoice, Privacy
from deidgui.app.reading.reading import propose_project, read_input
from deidgui.app.release.releasing import release
from deidgui.engine.data.table import Column
from deidgui.errors import InfeasibleError
from tests.answers import answered


def attribute(**choice):
    return Attribute(
        name="x", role="quasi_identifier", hierarchy=HierarchyChoice(**choice)
    )


def test_other_columns_never_get_the_hierarchy_of_one_that_is_gone():
    # Arrays come and go, so that a later one lies where an earlier one lay.
    cache, flat = HierarchyCache(), attribute(rule={"kind": "flat"})
    for first in range(200):
        others = [np.empty(3, np.int32) for _ in range(first % 7)]
        texts = [str(first + number) for number in range(20)]
        hierarchy = cache.get(flat, Column.from_texts("x", texts), {})
        assert set(hierarchy.leaves) == set(texts)
        del others


def test_the_same_column_gets_the_same_hierarchy():
    cache, flat = HierarchyCache(), attribute(rule={"kind": "flat"})
    column = Column.from_texts("x", ["a", "b"])
    assert cache.get(flat, column, {}) is cache.get(flat, column, {})


def test_another_file_of_the_same_name_is_another_hierarchy():
    cache, by_hand = HierarchyCache(), attribute(csv="x.csv")
    column = Column.from_texts("x", ["a", "b"])
    for label in ("one", "two"):
        files = {"x.csv": f"a;{label};*\nb;{label};*\n".encode()}
        assert cache.get(by_hand, column, files).levels[1].labels == (label,)


def decided(loaded, **of_id):
    """The project of `loaded`, with decisions on its column id."""
    by_name = {
        "id": {
            "role": "direct_identifier",
            "treatment": "pseudonym",
            "hierarchy": None,
            "missing": ("", "unknown"),
            **of_id,
        },
        "age": {
            "role": "quasi_identifier",
            "treatment": None,
            "hierarchy": HierarchyChoice(rule={"kind": "flat"}),
        },
    }
    project = propose_project(loaded)
    return project.but(
        attributes=[each.but(**by_name[each.name]) for each in project.attributes],
        privacy=Privacy(models=({"kind": "k_anonymity", "k": 2},), suppression_limit=0),
        export=Export(suppressed="stars", shuffle=False),
    )


@pytest.mark.parametrize(
    ("before", "after", "n_codes"),
    [
        ({}, {"missing": ("",)}, 30),  # a code for "unknown" too
        ({"missing": ("",)}, {}, 20),
        ({"include": False}, {}, 20),
        ({}, {"treatment": "mask"}, 0),
    ],
)
def test_a_release_follows_decisions_that_leave_the_classes_as_they_are(
    tmp_path, before, after, n_codes
):
    rows = [f"{'unknown' if i % 3 == 0 else i},{20 + i % 3}\n" for i in range(30)]
    (tmp_path / "t.csv").write_text("id,age\n" + "".join(rows))
    loaded = read_input(tmp_path / "t.csv")
    earlier, now = decided(loaded, **before), decided(loaded, **after)
    assert fingerprint(earlier, Decides.CLASSES) == fingerprint(now, Decides.CLASSES)
    classes = build_classes(earlier, loaded.table, {})
    now = answered(now, loaded, classes=classes)
    released = release(now, loaded, tmp_path / "out", {}, classes=classes)
    lines = (released.folder / "t_released.csv").read_text().splitlines()[1:]
    assert sum(len(line.split(",")[0]) == 16 for line in lines) == n_codes


def test_a_chosen_policy_on_a_forbidden_level_is_not_released(tmp_path):
    (tmp_path / "t.csv").write_text("id,age\n" + "1,20\n2,20\n3,30\n4,30\n")
    loaded = read_input(tmp_path / "t.csv")
    project = decided(loaded).but(chosen=Chosen(levels={"age": 0}, suppress_below=2))
    project = answered(project, loaded)
    release(project, loaded, tmp_path / "allowed", {})
    forbidden = ops.change_attribute("age", minimum_level=1)(project)
    with pytest.raises(InfeasibleError) as error:
        release(forbidden, loaded, tmp_path / "out", {})
    assert error.value.code == "chosen_outside_limits"
    assert not (tmp_path / "out").exists()


def test_the_hierarchies_of_classes_are_collected_once(tmp_path):
    (tmp_path / "t.csv").write_text("id,age\n" + "1,20\n2,20\n3,30\n4,30\n")
    loaded = read_input(tmp_path / "t.csv")
    classes = build_classes(decided(loaded), loaded.table, {})
    assert list(classes.hierarchies) == ["age"]
    assert classes.hierarchies is classes.hierarchies
