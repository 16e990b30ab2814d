"""Hold names in the code against the words that are no longer used.

    python packaging/words.py    print every name that has one of them

The words stand at the end of ``resources/help/glossary.md``.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
GLOSSARY = "resources/help/glossary.md"

ENTRY = re.compile(r"^- ([\w, ]+): ", re.MULTILINE)
PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def unused_words(root: Path = ROOT) -> frozenset[str]:
    """Read the words that are no longer used."""
    page = (root / GLOSSARY).read_text("utf-8").partition("## No longer used")[2]
    found = {word for line in ENTRY.findall(page) for word in line.split(", ")}
    return frozenset(word for word in found if " " not in word)


def problems(root: Path = ROOT) -> list[str]:
    """Name every place where a name has a word that is no longer used."""
    words = unused_words(root)
    return [
        f"{path.relative_to(root).as_posix()}:{line}: {name}: see {GLOSSARY}"
        for path in sorted((root / "deidgui").rglob("*.py"))
        for name, line in _names(ast.parse(path.read_text("utf-8")))
        if words & {part.lower() for part in PART.findall(name)}
    ]


def _names(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Names that a file defines: functions, classes, parameters, variables."""
    for node in ast.walk(tree):
        match node:
            case (
                ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name)
            ):
                yield name, node.lineno
            case (
                ast.Name(id=name, ctx=ast.Store())
                | ast.Attribute(attr=name, ctx=ast.Store())
            ):
                yield name, node.lineno


def main() -> int:
    """Print what is found."""
    found = problems()
    print("\n".join(found), end="\n" if found else "")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
