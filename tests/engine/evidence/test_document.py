"""The published JSON Schema is that of the evidence that is written."""

import json

import pytest
from pydantic import ValidationError

from deidgui import resources
from deidgui.engine.evidence.counts_document import counts_evidence_schema
from deidgui.engine.evidence.document import Evidence, canonical_json, evidence_schema

FILE = {"bytes": 9, "sha256": "0" * 64}
RISK = {"prosecutor": {}, "journalist": {}, "marketer": {}}
DISTRIBUTION = {"labels": [], "fewer_than": 2}
SIZES = {"smallest": 1, "largest": 1, "classes": 4, "records": 4}
OTHERS = {"label": "0\ufeff", "released": 4}
LEAST = {
    "deidgui": "1.0",
    "inputs": [{**FILE, "file": "in.csv", "rows": 4, "columns": 1}],
    "outputs": [{**FILE, "path": "out.csv", "rows": 4, "columns": ["age"]}],
    "attributes": [
        {"name": "age", "role": "quasi_identifier", "treatment": "generalized"}
    ],
    "policy": {"kind": "lattice", "withhold_below": 5, "withheld": "stars"},
    "records": 4,
    "suppressed_records": 0,
    "risk": {
        **RISK,
        "records": 4,
        "classes": 1,
        "before": {**RISK, "records": 4, "classes": 4},
    },
    "search": {"method": "profile", "complete": True},
    "row_order": {"kind": "input"},
    "class_sizes": {"before": [], "after": [], "cumulative": []},
}


SCHEMAS = {
    "evidence.schema.json": evidence_schema,
    "counts-evidence.schema.json": counts_evidence_schema,
}


@pytest.mark.parametrize("name", SCHEMAS)
def test_published_schema_is_current(name):
    """Regenerate with ``canonical_json(SCHEMAS[name]())`` after a change."""
    published = resources.path("schema", name).read_bytes()
    assert published == canonical_json(SCHEMAS[name]())


def test_schema_requires_the_fields_of_the_contract():
    schema = json.loads(canonical_json(evidence_schema()))
    assert {
        *("deidgui", "inputs", "outputs", "attributes", "policy", "models", "risk"),
        *("suppressed_records", "quality", "search", "assumptions", "warnings"),
    } <= set(schema["properties"])
    assert schema["additionalProperties"] is False


def test_equal_content_gives_equal_bytes():
    assert (
        canonical_json({"b": 1, "a": "ä"}) == '{\n  "b": 1,\n  "a": "ä"\n}\n'.encode()
    )


@pytest.mark.parametrize("n_suppressed", [0, 1, 4])
def test_any_number_of_the_records_may_be_suppressed(n_suppressed):
    evidence = Evidence(**{**LEAST, "suppressed_records": n_suppressed})
    assert evidence.suppressed_records == n_suppressed


@pytest.mark.parametrize("n_suppressed", [-1, 5])
def test_no_more_records_are_suppressed_than_there_are(n_suppressed):
    with pytest.raises(ValidationError):
        Evidence(**{**LEAST, "suppressed_records": n_suppressed})


def test_a_fully_suppressed_release_has_no_smallest_class():
    none = {**LEAST["risk"], "records": 0, "classes": 0}
    assert Evidence(**{**LEAST, "risk": none}).risk.smallest_class is None
    with pytest.raises(ValidationError):
        Evidence(**{**LEAST, "risk": {**none, "smallest_class": 0}})


@pytest.mark.parametrize(
    ("part", "change"),
    [
        (None, {"unknown": 1}),
        (None, {"inputs": []}),
        (None, {"outputs": []}),
        (None, {"attributes": []}),
        ("risk", {"threshold": 0.0}),
        ("risk", {"threshold": 1.1}),
        ("risk", {"prosecutor": {"highest": 1.1}}),
        ("risk", {"prosecutor": {"average": float("nan")}}),
        ("policy", {"withhold_below": 0}),
        ("policy", {"bits": {"age": "012"}}),
        ("class_sizes", {"before": [SIZES]}),
        (None, {"distributions": {"age": {**DISTRIBUTION, "others": OTHERS}}}),
    ],
)
def test_what_no_release_can_be_is_refused(part, change):
    changed = change if part is None else {part: {**LEAST[part], **change}}
    with pytest.raises(ValidationError):
        Evidence(**{**LEAST, **changed})


def test_evidence_cannot_be_changed():
    evidence = Evidence(**LEAST)
    with pytest.raises(ValidationError):
        evidence.suppressed_records = 1
    with pytest.raises(ValidationError):
        evidence.search.complete = False
