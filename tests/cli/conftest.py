"""Fixtures for the command line: a small table with a finished project."""

from __future__ import annotations

import json
from dataclasses import dataclass

import pytest

from deidgui.cli.main import main
from tests.cli.case import Case


@dataclass(frozen=True)
class Outcome:
    """What one call left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self):
        """The one JSON object on stdout."""
        assert self.err == ""
        assert self.out.endswith("\n")
        return json.loads(self.out)


@pytest.fixture
def cli(capsys):
    """Calls the command line within this process."""

    def call(*arguments):
        capsys.readouterr()
        code = main([str(each) for each in arguments])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return Outcome(code, captured.out, captured.err)

    return call


@pytest.fixture
def case(tmp_path):
    """A folder with a table and its project, every decision made."""
    folder = tmp_path / "work"
    folder.mkdir()
    return Case.write(folder)
