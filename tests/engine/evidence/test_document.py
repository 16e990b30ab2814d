"""The published JSON Schema is that of the evidence that is written."""

import json

from deidgui import resources
from deidgui.engine.evidence.document import canonical_json, evidence_schema


def test_published_schema_is_current():
    """Regenerate with ``canonical_json(evidence_schema())`` after a change."""
    published = resources.path("schema", "evidence.schema.json").read_bytes()
    assert published == canonical_json(evidence_schema())


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
