"""The how-tos work: their code is a file here, and that file does what they say."""

import importlib
import inspect
import re
import sys
from pathlib import Path

import pytest

from deidgui import resources
from deidgui.app.charts import phrases
from deidgui.engine.data.table import Column
from deidgui.engine.data.templates import TEMPLATES
from deidgui.engine.detect import evidence
from deidgui.engine.detect.columns import finding_of
from deidgui.engine.detect.profile import Profile
from deidgui.engine.detect.roles import Role
from deidgui.engine.privacy import PRIVACY_MODELS
from deidgui.engine.quality import QUALITY_MEASURES, Loss
from deidgui.engine.search.search import search_lattice
from tests.contracts import test_privacy_models, test_quality_measures
from tests.contracts.models import random_tables, some_of

EXAMPLES = Path(__file__).parent / "examples"
HOWTOS = {
    "add-a-privacy-model": "smallest_cell",
    "add-a-quality-measure": "removed_attributes",
    "add-a-hierarchy-template": "blood_groups",
    "add-a-detector": "blood_group_detector",
    "add-a-chart": "level_chart",
    "add-a-page": "notes_page",
}
CODE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


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


def keep_contract(contract, **arguments):
    """Run every test of a contract that asks for nothing but the arguments."""
    n_run = 0
    for name, test in vars(contract).items():
        wanted = set(inspect.signature(test).parameters) if callable(test) else ()
        if name.startswith("test_") and wanted and wanted <= arguments.keys():
            try:
                test(**{key: arguments[key] for key in wanted})
            except pytest.skip.Exception:
                continue
            n_run += 1
    return n_run


@pytest.mark.parametrize("howto", HOWTOS)
def test_code_of_a_howto_is_the_tested_file(howto):
    text = resources.path("help", "howto", f"{howto}.md").read_text("utf-8")
    blocks = CODE.findall(text)
    code = (EXAMPLES / f"{HOWTOS[howto]}.py").read_text("utf-8")
    assert blocks == [code]


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


def test_privacy_model():
    kind = example("smallest_cell").SmallestCell
    assert PRIVACY_MODELS["smallest_cell"] is kind
    for model in some_of(kind):
        assert keep_contract(test_privacy_models, kind=kind, model=model) >= 8
    table, _ = next(random_tables(1))
    found = search_lattice(table, [kind(cell=4)], 0.5, Loss())
    assert found.optimum is not None
    assert found.suppress_below[found.optimum] == 4


def test_quality_measure():
    kind = example("removed_attributes").RemovedAttributes
    for measure in some_of(kind):
        assert keep_contract(test_quality_measures, kind=kind, measure=measure) >= 8


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


def test_detector(monkeypatch):
    added = example("blood_group_detector").DETECTORS
    monkeypatch.setattr(evidence, "DETECTORS", (*evidence.DETECTORS, *added))
    texts = ["A+", "0-", "AB+", "B-", "A-"] * 40
    found = finding_of(Profile(Column.from_texts("blood group", texts), "category"))
    assert found.role is Role.SENSITIVE
    assert found.score > 0.85
    assert {reason.code for reason in found.reasons} == {
        "because_sensitive",
        "evidence_name",
        "evidence_values",
    }
    by_values = finding_of(Profile(Column.from_texts("c17", texts), "category"))
    assert by_values.role is Role.SENSITIVE


def test_chart(monkeypatch):
    module = example("level_chart")
    for code, sentence in module.PHRASES.items():
        assert code not in phrases.PHRASES
        monkeypatch.setitem(phrases.PHRASES, code, sentence)
    chart = module.levels_used({"age": 2, "sex": 0}, {"age": 4, "sex": 1})
    assert chart.sentence.text() == "1 attribute is released in full."
    assert chart.to_table().rows == (("age", 0.5), ("sex", 0.0))
