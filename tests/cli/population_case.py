"""The small table among people that come with the program, and what is found there."""

from __future__ import annotations

from deidgui.app import matching
from deidgui.app.commands import headless
from deidgui.app.matching import propose_matching
from deidgui.app.reading.files import save_hierarchy_files
from deidgui.app.reading.reading import read_input
from deidgui.app.storage.project_io import load_project, save_project

TOPICS = {"age": "age", "sex": "sex", "zip": "zip"}
ELEMENTS = {"age": {"kind": "age"}, "sex": {"kind": "other"}, "zip": {"kind": "zip"}}
DISCOVER = {"baseline": "safe_harbor", "elements": ELEMENTS, "iterations": 20}
TENNESSEE = {
    "kind": "built_in",
    "tables": ["zip5_2020", "states_2020"],
    "states": ["Tennessee"],
}


def among_population(case, **discover) -> list[str]:
    """Put the records among the people of Tennessee, as a person confirms it.

    Returns the names of the files that say what each value stands for.
    """
    for name, topic in TOPICS.items():
        case.change_attribute(name, topic=topic)
    case.change(privacy={"population": TENNESSEE}, discover={**DISCOVER, **discover})
    project, files = load_project(case.project), {}
    table = read_input(case.data).table
    for each in propose_matching(project, table, {}).attributes:
        decided = matching.confirm_match(each)
        files[decided.name] = decided.content
        project = matching.accept_unmatched(each)(decided.op(project))
    save_hierarchy_files(project, files, case.folder)
    save_project(project, case.project)
    return [*files]


def choose(case, number: int = 0) -> None:
    """Search, and choose one of the alternatives that are listed."""
    listed = headless.search(case.project, {})["alternatives"]["listed"]
    case.change(chosen=listed[number]["chosen"])
