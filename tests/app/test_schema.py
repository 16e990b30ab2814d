"""The published schema of projects is the one the program validates with."""

import json

from deidgui import resources
from deidgui.app.storage.project_io import project_schema


def test_the_published_schema_is_current():
    published = resources.path("schema", "project.schema.json")
    assert json.loads(published.read_text(encoding="utf-8")) == project_schema()
