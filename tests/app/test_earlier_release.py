"""Whose earlier release is read, and what a stranger's may say."""

from __future__ import annotations

import hashlib
from pathlib import Path
from types import SimpleNamespace

import pytest

from deidgui.app import drift
from deidgui.app.project import EarlierRelease, Project, ValidityChoice
from deidgui.engine.evidence.document import Distribution, Evidence, LabelCount, Unit
from deidgui.errors import ConfigError

CONTENT = b"{}"


def project(file: str) -> Project:
    digest = hashlib.sha256(CONTENT).hexdigest()
    chosen = EarlierRelease(file=file, sha256=digest, by="A. A.", on="2026-11-23")
    return Project(validity=ValidityChoice(earlier=chosen))


def evidence(released: int = 10, known: bool = True) -> Evidence:
    label = LabelCount.model_construct(label="F", released=released)
    return Evidence.model_construct(
        distributions={
            "sex": Distribution.model_construct(labels=(label,), others=None)
        },
        attributes=((SimpleNamespace(name="sex"),) if known else ()),
        unit=Unit.model_construct(people=None, suppressed_people=None),
        records=10,
        suppressed_records=0,
    )


def read(monkeypatch, root: Path, file: str, found: Evidence):
    monkeypatch.setattr(drift, "read_evidence", lambda _: found)
    return drift.read_earlier(project(file), root)


def folder(path: Path) -> Path:
    path.mkdir(parents=True)
    (path / "evidence.json").write_bytes(CONTENT)
    return path


def test_a_project_names_no_folder_elsewhere(monkeypatch, tmp_path):
    root = folder(tmp_path / "work")
    folder(root / "first")
    stranger = folder(tmp_path / "other")
    assert read(monkeypatch, root, "first", evidence()) is not None
    for file in ("../other", str(stranger)):
        with pytest.raises(ConfigError) as caught:
            read(monkeypatch, root, file, evidence())
        assert caught.value.code == "earlier_missing"


@pytest.mark.parametrize("found", [evidence(known=False), evidence(released=10**400)])
def test_an_evidence_that_contradicts_itself_is_refused(monkeypatch, tmp_path, found):
    folder(tmp_path / "first")
    with pytest.raises(ConfigError) as caught:
        read(monkeypatch, tmp_path, "first", found)
    assert caught.value.code == "earlier_changed"
