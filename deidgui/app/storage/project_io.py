"""Projects on disk: read with every problem named, written whole, migrated."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pydantic

from deidgui.app.project import FORMAT, VERSION, Project
from deidgui.app.storage.files import cannot_read, write_whole
from deidgui.engine import strict_json
from deidgui.errors import ConfigError, InputError, raise_all

SUFFIX = ".deid.json"
"""Ending of project files."""

MAX_BYTES = 20_000_000
"""A larger file is no project."""

MIGRATIONS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}
"""For each old version the step to the next one."""


def dump_project(project: Project) -> bytes:
    """UTF-8 JSON of a project: two blanks of indentation, final newline."""
    fields = project.model_dump(mode="json")
    text = json.dumps(fields, indent=2, ensure_ascii=False, allow_nan=False)
    return f"{text}\n".encode()


def save_project(project: Project, path: Path) -> None:
    """Write a project file, whole or not at all.

    Raises
    ------
    ResourceError
        Code ``cannot_write``.
    """
    write_whole(path, dump_project(project))


def load_project(path: Path) -> Project:
    """Read a project file.

    Raises
    ------
    InputError
        Codes ``file_not_found``, ``is_directory``, ``cannot_read``,
        ``project_too_large``, ``project_not_json`` (with line and column),
        ``project_double_key``, ``not_a_project``.
    ConfigError
        Codes ``project_newer``, ``counts_compared`` or ``project_field`` (with the
        field's place), all problems together.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise InputError("project_too_large", file=path.name, limit=MAX_BYTES)
        content = path.read_bytes()
    except OSError as error:
        raise cannot_read(path, error) from None
    return parse_project(content, path.name)


def parse_project(content: bytes, file: str) -> Project:
    """Read a project from the bytes of its file (errors as in `load_project`)."""
    try:
        fields = strict_json.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise InputError("project_not_json", file=file, line=1, column=1) from None
    except json.JSONDecodeError as error:
        raise InputError(
            "project_not_json", file=file, line=error.lineno, column=error.colno
        ) from None
    except strict_json.DoubleKeyError:
        raise InputError("project_double_key", file=file) from None
    except ValueError:  # too deep; no number, or one of too many digits
        raise InputError("not_a_project", file=file) from None
    if not isinstance(fields, dict) or fields.get("format") != FORMAT:
        raise InputError("not_a_project", file=file)
    return _validated(_migrated(fields, file), file)


def _migrated(fields: dict[str, Any], file: str) -> dict[str, Any]:
    version = fields.get("version")
    if type(version) is not int or version < 1:
        raise InputError("not_a_project", file=file)
    if version > VERSION:
        raise ConfigError(
            "project_newer", file=file, found=version, supported=int(VERSION)
        )
    while version < VERSION:
        fields = MIGRATIONS[version](fields)
        version = int(fields["version"])
    return fields


def _validated(fields: dict[str, Any], file: str) -> Project:
    try:
        # An infinite number or half a character would fail wherever the project is
        # compared or saved.
        json.dumps(fields, ensure_ascii=False, allow_nan=False).encode()
        return Project.model_validate(fields)
    except pydantic.ValidationError as error:
        problems = [
            ConfigError("counts_compared", file=file)
            if problem["type"] == "counts_compared"
            else ConfigError(
                "project_field",
                file=file,
                field=".".join(str(step) for step in problem["loc"]),
                problem=problem["type"],
            )
            for problem in error.errors(include_url=False, include_input=False)
        ]
        raise_all(problems)
        raise AssertionError("a validation error names a problem") from None
    except ValueError:
        raise InputError("not_a_project", file=file) from None


def project_schema() -> dict[str, Any]:
    """JSON Schema of a project file."""
    schema = Project.model_json_schema()
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    return schema
