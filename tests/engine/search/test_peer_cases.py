"""The cases of another program that rest on class sizes alone."""

import json

import pytest

from tests.peer.kinds import check
from tests.peer.mappings import MODELS
from tests.peer.tables import Data
from tests.shared import shared


@pytest.fixture(scope="module")
def cases():
    stored = json.loads(shared("peer", "arx_cases.json").read_text(encoding="utf-8"))
    return stored["cases"], Data(shared("data"), stored["delimiter"])


def test_every_case_of_known_models_passes(cases):
    every, data = cases
    known = [
        case
        for case in every
        if all(model["type"] in MODELS for model in case.get("models", [{"type": ""}]))
    ]
    assert len(known) >= 29
    assert {case["id"]: check(case, data) for case in known} == {
        case["id"]: "" for case in known
    }


def test_an_unknown_model_fails_with_its_name(cases):
    every, data = cases
    unknown = {**every[0], "models": [{"type": "NoSuchModel"}]}
    assert check(unknown, data) == "model NoSuchModel is not supported"
    assert check({**every[0], "kind": "other"}, data) == "kind other is not supported"
