"""A project holds its privacy models and its quality measure as they are declared."""

import json
import subprocess
import sys

import pytest

from deidgui.app.demands import check_models, check_readable
from deidgui.app.policies.lattice.searching import check_search
from deidgui.app.project import Privacy, Project, Quality
from deidgui.app.storage.project_io import dump_project, parse_project, project_schema
from deidgui.app.text import message_for
from deidgui.engine.data.class_table import classes_at
from deidgui.engine.privacy import PRIVACY_MODELS, KAnonymity
from deidgui.engine.quality import QUALITY_MEASURES, Loss, Precision
from deidgui.errors import ConfigError, ProblemsError
from tests.contracts.models import invalid_values, random_tables, some_of

DECLARED = [*PRIVACY_MODELS, *QUALITY_MEASURES]
declared = pytest.mark.parametrize("cls", DECLARED, ids=lambda each: each.kind)

UNREADABLE = (
    ({"kind": "no_such"}, "unknown_kind", "k_anonymity"),
    ({}, "unknown_kind", "k_anonymity"),
    ({"kind": "k_anonymity", "q": 3}, "parameter_unknown", "k"),
    ({"kind": "k_anonymity"}, "parameter_missing", None),
    ({"kind": "k_anonymity", "k": 1}, "parameter_range", None),
    ({"kind": "k_anonymity", "k": "5"}, "parameter_type", None),
)
unreadable = pytest.mark.parametrize(("stored", "code", "known"), UNREADABLE)


def opened(**fields):
    """A project as it comes from a file with these fields."""
    content = json.loads(dump_project(Project()))
    for place, value in fields.items():
        part, _, field = place.partition("_")
        content[part][field] = value
    return parse_project(json.dumps(content).encode(), "p")


def test_models_are_held_as_they_are_declared():
    stored = [{"kind": "k_anonymity", "k": 5}]
    project = opened(privacy_models=stored, quality_measure={"kind": "precision"})
    assert project.privacy.models == (KAnonymity(5),)
    assert project.quality.measure == Precision()
    assert json.loads(dump_project(project))["privacy"]["models"] == stored
    assert Privacy(models=(KAnonymity(5),)) == project.privacy


def test_a_measure_without_its_options_has_their_defaults():
    assert opened(quality_measure={"kind": "loss"}).quality == Quality(measure=Loss())


@declared
def test_every_kind_survives_the_file(cls):
    for model in some_of(cls):
        privacy = cls in PRIVACY_MODELS
        field = "privacy_models" if privacy else "quality_measure"
        project = opened(**{field: [model.to_json()] if privacy else model.to_json()})
        held = project.privacy.models[0] if privacy else project.quality.measure
        assert held == model
        assert parse_project(dump_project(project), "p") == project


@unreadable
def test_what_cannot_be_read_stays_and_is_told_with_the_valid_names(
    stored, code, known
):
    project = opened(privacy_models=[stored, {"kind": "k_anonymity", "k": 5}])
    broken, fine = project.privacy.models
    assert fine == KAnonymity(5)
    assert broken.problem.code == code
    assert broken.to_json() == stored
    assert parse_project(dump_project(project), "p") == project
    (problem,) = check_models(project)
    assert problem.code == code
    message = str(message_for(problem))
    assert "‹" not in message
    if known:
        assert known in problem.params["known"]
        assert known in message
    with pytest.raises(ProblemsError) as caught:
        check_search(project)
    assert problem in caught.value.problems
    with pytest.raises(ConfigError):
        check_readable(project)


def test_a_measure_that_cannot_be_read_stays_and_is_told():
    stored = {"kind": "no_such", "x": [1]}
    project = opened(quality_measure=stored)
    assert json.loads(dump_project(project))["quality"]["measure"] == stored
    with pytest.raises(ConfigError) as caught:
        check_readable(project)
    assert "loss" in caught.value.params["known"]
    with pytest.raises(ProblemsError) as caught:
        check_search(project)
    assert "unknown_kind" in [each.code for each in caught.value.problems]


@unreadable
def test_nothing_is_released_under_what_cannot_be_read(stored, code, known):
    (broken,) = Privacy(models=(stored,)).models
    table, _ = next(random_tables(1))
    classes = classes_at(table, (0, 0))
    assert not broken.holds(classes).any()
    assert not broken.is_possible(classes)
    with pytest.raises(ConfigError) as caught:
        broken.check(table)
    assert caught.value.code == code


@pytest.mark.parametrize("wrong", [3, "k_anonymity", ["kind"]])
def test_what_is_no_object_is_no_model(wrong):
    with pytest.raises(ConfigError) as caught:
        opened(privacy_models=[wrong])
    (problem,) = getattr(caught.value, "problems", [caught.value])
    assert problem.params["field"] == "privacy.models.0"


# -- the JSON Schema -------------------------------------------------------------------


def alternatives(part, field):
    found = project_schema()["$defs"][part]["properties"][field]
    return {each["properties"]["kind"]["const"]: each for each in found["oneOf"]}


def schemas():
    models = project_schema()["$defs"]["Privacy"]["properties"]["models"]["items"]
    found = {each["properties"]["kind"]["const"]: each for each in models["oneOf"]}
    return found | alternatives("Quality", "measure")


TYPES = {"integer": int, "number": (int, float), "boolean": bool, "string": str}


def fits(schema, value):
    """Whether a JSON value is one of a schema; as far as these schemas go."""
    if "anyOf" in schema:
        return any(fits(each, value) for each in schema["anyOf"])
    if "enum" in schema:
        return value in schema["enum"]
    if schema["type"] == "null":
        return value is None
    if isinstance(value, bool) != (schema["type"] == "boolean"):
        return False
    if not isinstance(value, TYPES[schema["type"]]) or value != value:
        return False
    return (
        value >= schema.get("minimum", value)
        and value <= schema.get("maximum", value)
        and ("exclusiveMinimum" not in schema or value > schema["exclusiveMinimum"])
        and ("exclusiveMaximum" not in schema or value < schema["exclusiveMaximum"])
    )


def test_the_schema_names_every_model_and_measure():
    assert schemas().keys() == {each.kind for each in DECLARED}
    default = project_schema()["$defs"]["Quality"]["properties"]["measure"]["default"]
    assert default == Loss().to_json()


@declared
def test_the_schema_allows_what_the_declaration_allows(cls):
    schema = schemas()[cls.kind]
    assert schema["title"] == cls.title
    assert schema["description"].endswith(".")
    for model in some_of(cls):
        stored = model.to_json()
        assert schema["properties"].keys() == stored.keys()
        assert set(schema["required"]) <= stored.keys()
        for name in stored.keys() - {"kind"}:
            assert fits(schema["properties"][name], stored[name])


@declared
def test_the_schema_forbids_what_the_declaration_forbids(cls):
    from deidgui.engine.parameters import parameters_of

    schema = schemas()[cls.kind]
    for parameter in parameters_of(cls):
        allowed = schema["properties"][parameter.name]
        assert allowed["title"] == parameter.label
        assert allowed["description"] == parameter.sentence
        assert (parameter.name in schema["required"]) is parameter.required
        if not parameter.required:
            assert allowed["default"] == parameter.default
        for value in invalid_values(parameter):
            assert not fits(allowed, value)


# -- quickly ---------------------------------------------------------------------------


def test_a_project_is_known_without_compiling_anything():
    """The window waits for it: numba, polars and scipy take seconds."""
    code = (
        "import sys, deidgui.app.project, deidgui.app.changes;"
        "print([m for m in ('numba', 'polars', 'scipy') if m in sys.modules])"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == "[]"
