"""Hold names, texts and help pages against the words that are no longer used.

    python packaging/words.py    print every place that has one of them

The words stand at the end of ``resources/help/glossary.md``.
"""

from __future__ import annotations

import ast
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

from babel.messages.pofile import read_po

ROOT = Path(__file__).resolve().parents[1]
GLOSSARY = "resources/help/glossary.md"
TEMPLATE = "resources/locale/deidgui.pot"

ENTRY = re.compile(r"^- ([\w, ]+): ", re.MULTILINE)
IN_TEXTS = re.compile(
    r"\b(withh(old|eld)\w*|mend(s|ed|ing)?|wish(es|ed)?|prices?|ground|coarsen\w*"
    r"|stands? for nobody)\b",
    re.IGNORECASE,
)
"""Words that texts and help pages do not use; the others have plain meanings too."""

ALLOWED_IN_TEXTS = frozenset({("resources/help/project-files.md", "wishes")})
"""Page and word: a key of project files keeps its name."""

OF_POPULATION = (
    "deidgui/app/matching.py",
    "deidgui/app/policies",
    "deidgui/app/population",
    "deidgui/engine/data/population.py",
    "deidgui/engine/discover",
    "deidgui/engine/population",
    "deidgui/engine/privacy",
    "deidgui/engine/risk",
    "deidgui/qt/pages/policies",
    "deidgui/qt/pages/risk",
)
"""Where a name that counts the population says so: people are persons of the file."""

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
        if (words | _of_population(path.relative_to(root)))
        & {part.lower() for part in PART.findall(name)}
    ]


def _of_population(path: Path) -> frozenset[str]:
    """Words that names of this file do not use because of its subject."""
    is_of_it = path.as_posix().startswith(OF_POPULATION)
    return frozenset({"people"}) if is_of_it else frozenset()


def text_problems(root: Path = ROOT) -> list[str]:
    """Name every text and line of help that has a word that is no longer used."""
    return [
        f"{path}: “{match[0]}” in “{text.strip()}”: see {GLOSSARY}"
        for path, text in (*_catalogue(root), *_help(root))
        for match in IN_TEXTS.finditer(text)
        if (path, match[0].lower()) not in ALLOWED_IN_TEXTS
    ]


def comment_problems(root: Path = ROOT) -> list[str]:
    """Name every docstring and comment that has a word that texts do not use."""
    return [
        f"{path.relative_to(root).as_posix()}:{line}: “{match[0]}”: see {GLOSSARY}"
        for path in sorted((root / "deidgui").rglob("*.py"))
        for words, line in _comments(path)
        for match in IN_TEXTS.finditer(words)
    ]


def _comments(path: Path) -> Iterator[tuple[str, int]]:
    """Docstrings and comments of a file, without what they quote as code."""
    with path.open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            begins_line = token.line.lstrip().startswith(('"""', 'r"""'))
            is_docstring = token.type == tokenize.STRING and begins_line
            if token.type == tokenize.COMMENT or is_docstring:
                yield re.sub(r"`[^`]*`", "", token.string), token.start[0]


def _catalogue(root: Path) -> Iterator[tuple[str, str]]:
    """Texts of the program: `packaging/texts.py` sees to it that none is missing."""
    with (root / TEMPLATE).open("rb") as file:
        for message in read_po(file):
            yield TEMPLATE, str(message.id)


def _help(root: Path) -> Iterator[tuple[str, str]]:
    """Lines of the help pages, without the list of words itself."""
    for path in sorted((root / "resources/help").rglob("*.md")):
        page = path.read_text("utf-8").partition("## No longer used")[0]
        for line in page.splitlines():
            yield path.relative_to(root).as_posix(), line


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
    found = [*problems(), *comment_problems(), *text_problems()]
    print("\n".join(found), end="\n" if found else "")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
