"""Adult among the people of Tennessee, MODELLED, that come with the program."""

from __future__ import annotations

import csv
from collections import Counter

import pytest

from deidgui.app.classes import build_classes
from deidgui.app.commands import headless
from deidgui.app.commands.summary import of_run
from deidgui.app.policies.alternatives.checking import with_elements
from deidgui.app.policies.alternatives.policies import order
from deidgui.app.policies.alternatives.searching import discover
from deidgui.app.policies.alternatives.space import proposed_elements
from deidgui.app.project import Discover, Export
from deidgui.app.reading.files import save_hierarchy_files
from deidgui.app.reading.reading import read_input, renew_project
from deidgui.app.storage.project_io import save_project
from tests.app.population_case import FLAT, confirmed, project_of
from tests.engine.discover.tennessee import records

RULES = {
    "sex": FLAT,
    "race": FLAT,
    "age": {"kind": "intervals", "width": 5, "factors": [2]},
}
POPULATION = {
    "kind": "built_in",
    "tables": ("states_2000_modelled",),
    "states": ("Tennessee",),
}


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    """Folder, the project, what was found, and what the run says."""
    folder = tmp_path_factory.mktemp("adult")
    with (folder / "data.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(list(RULES))
        writer.writerows(records())
    loaded = read_input(folder / "data.csv")
    files: dict[str, bytes] = {}
    project = project_of(RULES, POPULATION, export=Export(shuffle_seed=1))
    project = confirmed(renew_project(project, loaded), loaded.table, files)
    decided = with_elements(Discover(iterations=2), proposed_elements(project))
    project = project.but(discover=decided)
    classes = build_classes(project, loaded.table, files)
    found = discover(project, classes)
    best = int(order(found, ()).numbers[0])
    project = project.but(chosen=found.choice(best))
    save_hierarchy_files(project, files, folder)
    save_project(project, folder / "p.deid.json")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOURCE_DATE_EPOCH", "1795000000")
        runs = [
            headless.run(folder / "p.deid.json", folder / name, {})
            for name in ("one", "two")
        ]
    return folder, project, found.alternatives[best], runs[0]


def test_the_release_is_no_riskier_than_safe_harbor(released):
    _, _, alternative, run = released
    known = run["evidence"]["safe_harbor"]
    assert known["policy_risk"] == pytest.approx(alternative.risk, rel=1e-12)
    assert known["difference"] <= 0
    assert known["basis"] == "modelled"
    assert "MODELLED" in known["population"]
    assert "(modelled)" in known["words"]
    assert run["evidence"]["suppressed_records"] == 0
    assert "accepted" in of_run(run)


def test_the_table_is_the_mapping_of_the_bits(released):
    folder, project, _, run = released
    with (folder / "one" / "data_released.csv").open(newline="") as file:
        rows = Counter(tuple(row) for row in list(csv.reader(file))[1:])
    assert rows.total() == len(records())
    assert sum(run["evidence"]["policy"]["bits"][name] != "" for name in RULES) == 3
    assert run["evidence"]["policy"]["bits"] == project.chosen.bits
    # Sizes of the classes are those of equal runs of the values.
    assert len(rows) == run["evidence"]["risk"]["classes"]


def test_the_same_bytes_twice_and_verified(released):
    folder = released[0]
    one, two = (
        {
            path.relative_to(folder / name).as_posix(): path.read_bytes()
            for path in (folder / name).rglob("*")
            if path.is_file()
        }
        for name in ("one", "two")
    )
    assert one == two
    verified = headless.verify(folder / "one")
    assert verified["ok"]
    assert "risk of the baseline" in verified["not_measured_because"]
    assert "risk of the policy" in verified["not_measured_because"]
    assert b"MODELLED" in one["report.html"]
