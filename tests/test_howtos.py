"""The how-tos work: their code is a file here, and that file does what they say."""

import importlib
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from deidgui import resources
from deidgui.app.charts import phrases
from deidgui.engine.data.table import Column
from deidgui.engine.data.templates import TEMPLATES
from deidgui.engine.detect import evidence, name_reading
from deidgui.engine.detect.columns import finding_of
from deidgui.engine.detect.profile import ColumnProfile
from deidgui.engine.detect.roles import Role
from deidgui.engine.privacy import PRIVACY_MODELS
from deidgui.engine.quality import QUALITY_MEASURES, Loss
from deidgui.engine.search.whole_lattice import search_lattice
from deidgui.qt.pages import STEPS, WizardStep
from tests.contracts.models import random_tables
from tests.shared import ROOT

EXAMPLES = Path(__file__).parent / "examples"
HOWTOS = {
    "add-a-privacy-model": "smallest_cell",
    "add-a-quality-measure": "removed_attributes",
    "add-a-hierarchy-template": "blood_groups",
    "add-a-detector": "blood_group_detector",
    "add-a-chart": "level_chart",
    "add-a-page": "notes_page",
}
IN_WORDS = {"add-a-chart", "add-a-page"}
"""Pages whose last steps are a matter of taste; their first step is tested below."""

BLOCK = re.compile(r"^```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
PLACE = re.compile(r"`([\w/.-]+\.\w+)`")


def example(name):
    """Load a file of examples anew, as a file of the package would be."""
    path = f"tests.examples.{name}"
    sys.modules.pop(path, None)
    return importlib.import_module(path)


@pytest.fixture(autouse=True)
def registries(monkeypatch):
    """What an example registers is forgotten after its test."""
    for registry in (PRIVACY_MODELS, QUALITY_MEASURES, TEMPLATES):
        monkeypatch.setattr(registry, "_kinds", dict(registry._kinds))


@pytest.mark.parametrize("howto", HOWTOS)
def test_code_of_a_howto_is_the_tested_file(howto):
    text = resources.path("help", "howto", f"{howto}.md").read_text("utf-8")
    first = next(block["text"] for block in BLOCK.finditer(text))
    assert first == (EXAMPLES / f"{HOWTOS[howto]}.py").read_text("utf-8")


def test_every_howto_and_every_example_is_tested():
    howtos = {path.stem for path in resources.path("help", "howto").glob("*.md")}
    assert howtos == set(HOWTOS)
    assert {path.stem for path in EXAMPLES.glob("*.py")} == set(HOWTOS.values())


@pytest.mark.parametrize("howto", HOWTOS)
def test_places_that_a_howto_names_exist(howto):
    text = resources.path("help", "howto", f"{howto}.md").read_text("utf-8")
    # Files that are still to be written are set in bold.
    named = set(re.findall(r"(?<!\*)`((?:deidgui|tests|resources)/[\w/.-]+)`", text))
    assert named
    root = EXAMPLES.parents[1]
    assert [place for place in named if not (root / place).exists()] == []


# -- as printed ------------------------------------------------------------------------


def patched(text, diff):
    """Text after a diff, whose lines of before it has exactly once."""
    for hunk in diff.split("@@\n"):
        lines = hunk.splitlines(keepends=True)
        before = "".join(line[1:] for line in lines if line[0] != "+")
        after = "".join(line[1:] for line in lines if line[0] != "-")
        assert text.count(before) == 1, before
        text = text.replace(before, after)
    return text


def follow(page, root):
    """Do what a page prints, one block after the other; returns what it runs."""
    commands = []
    for block in BLOCK.finditer(page):
        if block["kind"] == "sh":
            commands += block["text"].splitlines()
            continue
        path = root / PLACE.findall(page[: block.start()])[-1]
        is_diff = block["kind"] == "diff"
        assert path.exists() == is_diff, path
        text = block["text"]
        text = patched(path.read_text("utf-8"), text) if is_diff else text
        path.write_text(text, "utf-8")
    return commands


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """Program and tests as a newcomer has them; compiled files keep their dates."""
    root = tmp_path_factory.mktemp("newcomer")
    for name in ("deidgui", "resources", "tests"):
        shutil.copytree(ROOT / name, root / name)
    shutil.copy(ROOT / "pyproject.toml", root)
    shutil.copy(ROOT / "README.md", root)
    return root


@pytest.mark.parametrize("howto", sorted(HOWTOS.keys() - IN_WORDS))
def test_a_newcomer_who_does_what_is_printed_is_done(howto, checkout):
    page = resources.path("help", "howto", f"{howto}.md").read_text("utf-8")
    (command,) = follow(page, checkout)
    python, *arguments = shlex.split(command)
    assert python == "python"
    run = subprocess.run(
        [sys.executable, *arguments, "-q", "-p", "no:cacheprovider"],
        cwd=checkout,
        env={**os.environ, "PYTHONPATH": str(checkout)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert HOWTOS[howto].split("_")[0] in command


# -- every part of it ------------------------------------------------------------------


def test_page_that_is_added_is_a_step():
    text = resources.path("help", "howto", "add-a-page.md").read_text("utf-8")
    key, page, keys = re.search(
        r'Step\("(\w+)", "([\w.]+)", "([\w+]+)"\)', text
    ).groups()
    made = WizardStep(key, page, keys)
    assert made.module == "deidgui.qt.pages.notes"
    assert made.page_class == "NotesPage"
    assert keys not in {step.keys for step in STEPS}


def test_privacy_model():
    kind = example("smallest_cell").SmallestCell
    assert PRIVACY_MODELS["smallest_cell"] is kind
    table, _ = next(random_tables(1))
    found = search_lattice(table, [kind(cell=4)], 0.5, Loss())
    assert found.optimum is not None
    assert found.suppress_below[found.optimum] == 4


def test_hierarchy_template():
    rule = example("blood_groups").BloodGroups()
    assert TEMPLATES.from_json(rule.to_json()) == rule
    assert rule.grid(["AB+", "x", "o-", "0+"]) == [
        ("0+", "0", "*"),
        ("o-", "0", "*"),
        ("AB+", "AB", "*"),
        ("x", "not in the list", "*"),
    ]
    assert rule.unread(["AB+", "x"]) == ["x"]


def test_detector(monkeypatch, request):
    added = example("blood_group_detector").DETECTORS
    monkeypatch.setattr(evidence, "DETECTORS", (*evidence.DETECTORS, *added))
    monkeypatch.setattr(name_reading, "DETECTORS", evidence.DETECTORS)
    # What is made once of the cues of all detectors, and kept.
    made_of_all = (evidence._near_index, evidence._near_matches, evidence._name_matches)
    for made in (name_reading.cue_index, *made_of_all):
        made.cache_clear()
        request.addfinalizer(made.cache_clear)
    texts = ["A+", "0-", "AB+", "B-", "A-"] * 40
    found = finding_of(
        ColumnProfile(Column.from_texts("blood group", texts), "category")
    )
    assert found.role is Role.SENSITIVE
    assert found.score > 0.85
    assert {reason.code for reason in found.reasons} == {
        "because_sensitive",
        "evidence_name",
        "evidence_values",
    }
    by_values = finding_of(ColumnProfile(Column.from_texts("c17", texts), "category"))
    assert by_values.role is Role.SENSITIVE


def test_chart(monkeypatch):
    module = example("level_chart")
    for code, sentence in module.PHRASES.items():
        assert code not in phrases.PHRASES
        monkeypatch.setitem(phrases.PHRASES, code, sentence)
    chart = module.levels_used({"age": 2, "sex": 0}, {"age": 4, "sex": 1})
    assert chart.sentence.text() == "1 attribute is released in full."
    assert chart.to_table().rows == (("age", 0.5), ("sex", 0.0))
