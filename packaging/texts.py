"""Keep the catalogue of texts: gather them from the code, check how they are used.

    python packaging/texts.py update    write resources/locale/deidgui.pot anew
    python packaging/texts.py check     print what is wrong, one line each

A text is a literal passed to ``tr``, or a literal of what is declared as ``Text``: a
field, a parameter, a constant, a table (``deidgui/text.py``).
"""

from __future__ import annotations

import ast
import re
import string
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parents[1]
TEMPLATE = "resources/locale/deidgui.pot"

SHOWN_BY = frozenset({
    "addAction", "addMenu", "addRow", "addTab", "setAccessibleDescription",
    "setAccessibleName", "setPlaceholderText", "setPrefix", "setStatusTip", "setSuffix",
    "setText", "setTitle", "setToolTip", "setWhatsThis", "setWindowTitle",
    "QAction", "QCheckBox", "QLabel", "QPushButton", "QRadioButton", "Button",
    "Caption", "Label", "Notice",
})  # fmt: skip
"""What puts its argument on the screen: no literal may reach it without ``tr``."""

BY_CODE = frozenset({"PHRASES", "SENTENCES"})
"""Tables whose keys are codes: a sentence whose code nobody uses is of no use."""

SENTENCE = re.compile(r"[^\W\d_]{2,}[,;:.)”]* [(“]?[^\W\d_]{2,}")
"""Two words beside each other: somebody reads this."""

NOT_READ: Mapping[str, str] = {
    "deidgui/engine/detect/detectors/": "how files name columns and values",
    "deidgui/engine/detect/column_names.py": "how files name columns",
    "deidgui/engine/detect/profile.py": "how files write missing values",
    "deidgui/engine/data/missing.py": "how files write missing values",
    "deidgui/engine/population/": "how files write sex and race; names of tables",
    "deidgui/engine/evidence/": "evidence is in English and compared word by word",
    "deidgui/qt/theme.py": "names of fonts",
    "deidgui/qt/charts/key.py": "names of shapes, for the program",
}
"""Start of a path -> why its literals of several words are no texts for people."""

KEYS = frozenset({
    # Values of projects and of the program, never shown as they are.
    "left aside", "by hand", "page title", "epoch ms", "Excel serial",
    "compare columns", "cross table", "riskiest classes", "d MMMM yyyy",
    "HMAC-SHA256, first 80 bits, base32", "line too long",
    # Labels of the release, the same in every language.
    "(no value)", "no value", "not in the list", "any number", "(not released)",
    # What a topic of a column is called in code and evidence.
    "birth date", "body measure", "length of stay", "test result", "free text",
    "count of services", "sampling weight", "other unique number or code",
    # Names of families of models, for error messages of developers.
    "hierarchy template", "noise rule", "preparation step", "privacy model",
    "quality measure",
    # What is quoted and drawn with: a title, fonts.
    "Beyond Safe Harbor: automatic discovery of health information de-identification "
    "policy alternatives (2010)",
    "'Source Sans 3', 'Segoe UI', 'Noto Sans', 'DejaVu Sans', sans-serif",
    # For the log and the report of a crash.
    "caused by", "unexpected error\n%s", "Input should be an object",
    "message of Qt, category %s\n%s", "message of Qt, category %s",
})  # fmt: skip
"""Literals of several words that nobody reads."""

CODE = re.compile(r"^[<.]|^back to |[{;]\s|: transparent|\[.*\]$")
"""Literals of other languages: HTML, SVG, style sheets; keys that are made."""


@dataclass(frozen=True)
class Module:
    """A file of the program, parsed."""

    path: str
    tree: ast.Module

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """Every node of the file."""
        return tuple(ast.walk(self.tree))

    def place(self, node: ast.expr) -> str:
        """Where a node stands, for a complaint."""
        return f"{self.path}:{node.lineno}"


def modules(root: Path = ROOT) -> list[Module]:
    """Parse the program."""
    return [
        Module(path.relative_to(root).as_posix(), ast.parse(path.read_text("utf-8")))
        for path in sorted((root / "deidgui").rglob("*.py"))
    ]


# --- what is declared as a text -----------------------------------------------------


@dataclass
class Declared:
    """Names that are annotated as ``Text``, gathered over the whole program."""

    names: set[str] = field(default_factory=set)
    """Fields, parameters, constants: their values may be passed to ``tr``."""
    callables: dict[str, dict[str, int | None]] = field(default_factory=dict)
    """Parameters of functions and classes that are texts, with their places."""
    of_class: dict[str, set[str]] = field(default_factory=dict)
    """Class variables that are texts, by class."""
    bases: dict[str, list[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, program: list[Module]) -> Declared:
        """Look through a program."""
        found = cls()
        for module in program:
            for node in module.nodes:
                found._add(node)
        found.add_loops(program)
        return found

    def _add(self, node: ast.AST) -> None:
        if isinstance(node, ast.ClassDef):
            self._add_class(node)
        elif isinstance(node, ast.FunctionDef):
            self._add_function(node)
        elif isinstance(node, ast.AnnAssign) and _is_text(node.annotation):
            self.names.add(_last_name(node.target))

    def add_loops(self, program: list[Module]) -> None:
        """Take in what loops over names that are known: each text of a table."""
        for module in program:
            for node in module.nodes:
                if isinstance(node, ast.For | ast.comprehension):
                    table = node.iter
                    if isinstance(table, ast.Call) and isinstance(
                        table.func, ast.Attribute
                    ):
                        table = table.func.value
                    if _last_name(table) in self.names:
                        self.names |= _names(node.target)

    def _add_class(self, node: ast.ClassDef) -> None:
        self.bases[node.name] = [_last_name(base) for base in node.bases]
        fields = [each for each in node.body if isinstance(each, ast.AnnAssign)]
        texts = [each for each in fields if _is_text(each.annotation)]
        for each in node.body:
            if isinstance(each, ast.FunctionDef) and each.name == "__init__":
                self._add_parameters(node.name, _text_parameters(each))
        self.of_class.setdefault(node.name, set()).update(
            _last_name(each.target) for each in texts
        )
        given = [each for each in fields if "ClassVar" not in _names(each.annotation)]
        self._add_parameters(
            node.name,
            {
                _last_name(each.target): place
                for place, each in enumerate(given)
                if each in texts
            },
        )

    def _add_function(self, node: ast.FunctionDef) -> None:
        texts = _text_parameters(node)
        self.names.update(texts)
        if node.name != "__init__":
            self._add_parameters(node.name, texts)

    def _add_parameters(self, name: str, texts: Mapping[str, int | None]) -> None:
        if texts:
            self.callables.setdefault(name, {}).update(texts)

    def class_texts(self, name: str) -> set[str]:
        """Class variables that are texts, those of its bases too."""
        found = set(self.of_class.get(name, ()))
        for base in self.bases.get(name, ()):
            if base != name:
                found |= self.class_texts(base)
        return found


def _text_parameters(function: ast.FunctionDef) -> dict[str, int | None]:
    """Parameters that are texts, with their places in a call."""
    given = [*function.args.posonlyargs, *function.args.args]
    if given and given[0].arg in ("self", "cls"):
        given = given[1:]
    places = {each.arg: place for place, each in enumerate(given)}
    return {
        each.arg: places.get(each.arg)
        for each in [*given, *function.args.kwonlyargs]
        if each.annotation is not None and _is_text(each.annotation)
    }


def _is_text(annotation: ast.expr) -> bool:
    return "Text" in _names(annotation)


def _names(node: ast.expr) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def _last_name(node: ast.expr) -> str:
    """Name by which it is known: ``c`` of ``a.b.c``, of ``a.c[0]``, of ``c.get(x)``."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Subscript(value=value):
            return _last_name(value)
        case ast.Call(func=ast.Attribute(value=value, attr="get")):
            return _last_name(value)
    return ""


# --- what the texts are -------------------------------------------------------------


def texts(program: list[Module]) -> dict[str, list[str]]:
    """Gather the texts of a program with the files in which they stand."""
    declared = Declared.of(program)
    found: dict[str, list[str]] = {}
    for module in program:
        for literal in _text_nodes(module, declared):
            if isinstance(literal, ast.Constant) and literal.value:
                places = found.setdefault(str(literal.value), [])
                if module.path not in places:
                    places.append(module.path)
    return found


def _text_nodes(module: Module, declared: Declared) -> Iterator[ast.expr]:
    """Every expression in a file that is a text: a literal or an f-string."""
    for node in module.nodes:
        for value in _text_values(node, declared):
            yield from _literals(value)


def _text_values(node: ast.AST, declared: Declared) -> Iterator[ast.expr]:
    match node:
        case ast.Call():
            yield from _text_arguments(node, declared)
        case ast.AnnAssign(value=ast.expr() as value) if _is_text(node.annotation):
            yield value
        case ast.FunctionDef():
            yield from _text_defaults(node.args)
            yield from _reassigned(node)
        case ast.ClassDef():
            names = declared.class_texts(node.name)
            places = declared.callables.get(node.name, {}).values()
            for each in node.body:
                if isinstance(each, ast.Assign) and _target(each) in names:
                    yield each.value
                elif isinstance(each, ast.Assign) and isinstance(each.value, ast.Tuple):
                    # Members of an enumeration are given as their parameters.
                    yield from (
                        part
                        for place, part in enumerate(each.value.elts)
                        if place in places
                    )


def _reassigned(function: ast.FunctionDef) -> Iterator[ast.expr]:
    """Further values of variables that are declared as texts in a function."""
    nodes = list(ast.walk(function))
    names = {
        _last_name(each.target)
        for each in nodes
        if isinstance(each, ast.AnnAssign) and _is_text(each.annotation)
    }
    for each in nodes:
        if isinstance(each, ast.Assign) and _target(each) in names:
            yield each.value


def _target(assignment: ast.Assign) -> str:
    return _last_name(assignment.targets[0])


def _text_arguments(call: ast.Call, declared: Declared) -> Iterator[ast.expr]:
    name = _last_name(call.func)
    if name == "tr":
        yield from call.args[:1]
    texts = declared.callables.get(name, {})
    for place, argument in enumerate(call.args):
        if place in texts.values():
            yield argument
    yield from (each.value for each in call.keywords if each.arg in texts)


def _text_defaults(arguments: ast.arguments) -> Iterator[ast.expr]:
    given = [*arguments.posonlyargs, *arguments.args]
    with_default = given[len(given) - len(arguments.defaults) :]
    pairs = zip(
        [*with_default, *arguments.kwonlyargs],
        [*arguments.defaults, *arguments.kw_defaults],
        strict=True,
    )
    for each, default in pairs:
        if each.annotation is not None and _is_text(each.annotation) and default:
            yield default


def _literals(value: ast.expr) -> Iterator[ast.expr]:
    """Literals that an expression is, or is made of as a table is."""
    match value:
        case ast.Constant(value=str()) | ast.JoinedStr():
            yield value
        case ast.IfExp(body=body, orelse=other):
            yield from _literals(body)
            yield from _literals(other)
        case ast.Dict(values=parts) | ast.Tuple(elts=parts) | ast.List(elts=parts):
            for each in parts:
                yield from _literals(each)
        case ast.Subscript(value=table):
            yield from _literals(table)
        case ast.Call(func=ast.Attribute(value=table, attr="get"), args=arguments):
            yield from _literals(table)
            yield from (each for part in arguments[1:] for each in _literals(part))


# --- the template -------------------------------------------------------------------


def template(found: Mapping[str, list[str]]) -> bytes:
    """Write the template of the catalogues; sorted, so that it changes little."""
    never = datetime(2026, 1, 1, tzinfo=UTC)
    catalog = Catalog(project="deidgui", creation_date=never, fuzzy=False)
    for text in sorted(found):
        catalog.add(text, locations=[(path, 0) for path in found[text]])
    content = BytesIO()
    write_po(content, catalog, width=88, include_lineno=False)
    return content.getvalue()


def _stale(root: Path, found: Mapping[str, list[str]]) -> Iterator[str]:
    path = root / TEMPLATE
    with path.open("rb") as stream:
        known = {str(each.id) for each in read_po(stream) if each.id}
    for text in sorted(found.keys() ^ known):
        change = "lacks" if text in found else "still has"
        yield f"{TEMPLATE} {change} “{text}”: run packaging/texts.py update"


# --- how texts are used -------------------------------------------------------------


def problems(root: Path = ROOT) -> list[str]:
    """Say what is wrong with the texts of a checkout, one line each."""
    program = modules(root)
    declared = Declared.of(program)
    return [
        *_stale(root, texts(program)),
        *_unused(program),
        *(each for module in program for each in _misused(module, declared)),
    ]


_NOUNS = (
    "records rows people persons patients values columns attributes quasi-identifiers "
    "groups classes cells combinations policies alternatives roles texts checks "
    "decisions hierarchies labels levels files questions bytes characters bits problems"
)
_COUNTS = "n n_[a-z_]+ all number numbers records rows values columns cells shown found"

COUNTED = re.compile(
    rf"{{({'|'.join(_COUNTS.split())})(:,)?}} ((?!of )[a-z]+ ){{0,2}}?"
    rf"({'|'.join(_NOUNS.split())})\b"
)
"""A count before its noun in the plural alone: “1 records”.

Limits and thresholds have other names: they are never 1.
"""


def _misused(module: Module, declared: Declared) -> Iterator[str]:
    """Complain of a file: calls of ``tr`` and literals that do not reach it."""
    if any(module.path.startswith(start) for start in NOT_READ):
        return
    for literal in _text_nodes(module, declared):
        if isinstance(literal, ast.JoinedStr):
            yield f"{module.place(literal)}: a text is a literal, no f-string"
        elif found := COUNTED.search(_shown(literal)):
            yield f"{module.place(literal)}: “{found[0]}” has no form for one"
    for node in module.nodes:
        if isinstance(node, ast.Call) and _last_name(node.func) == "tr":
            for complaint in _call_problems(node, declared):
                yield f"{module.place(node)}: {complaint}"
    for node, shown in _bypassing(module, declared):
        yield f"{module.place(node)}: “{shown}” is read by people and bypasses tr"


def _call_problems(call: ast.Call, declared: Declared) -> Iterator[str]:
    text, *others = call.args or [ast.Constant(None)]
    if others:
        yield "tr takes one text, its parameters by name"
    literals = list(_literals(text))
    if not literals and _last_name(text) not in declared.names:
        yield f"tr({ast.unparse(text)}): neither a literal nor declared as Text"
    given = {each.arg for each in call.keywords}
    for literal in literals:
        shown = _shown(literal)
        if None not in given and (wrong := given ^ placeholders(shown)):
            yield f"“{shown}” and its call differ in {', '.join(map(str, wrong))}"


def placeholders(text: str) -> set[str]:
    """Names of the parameters of a text."""
    parts = string.Formatter().parse(text)
    return {re.split(r"[.\[]", name)[0] for _, name, _, _ in parts if name}


def _bypassing(module: Module, declared: Declared) -> Iterator[tuple[ast.expr, str]]:
    """Literals that look like texts and are none that the catalogue knows."""
    known = {
        id(part)
        for literal in (*_text_nodes(module, declared), *_for_developers(module))
        for part in ast.walk(literal)
    }
    for node in module.nodes:
        if isinstance(node, ast.Call) and _last_name(node.func) in SHOWN_BY:
            for argument in node.args[:1]:
                shown = _shown(argument)
                if id(argument) not in known and re.search("[A-Z][a-z]", shown):
                    known.update(id(part) for part in ast.walk(argument))
                    yield argument, shown
    for node in module.nodes:
        if isinstance(node, ast.Constant | ast.JoinedStr) and id(node) not in known:
            known.update(id(part) for part in ast.walk(node))
            shown = _shown(node)
            is_read = SENTENCE.search(shown) and not CODE.search(shown)
            if is_read and shown not in KEYS:
                yield node, shown


def _for_developers(module: Module) -> Iterator[ast.expr]:
    """Docstrings and remarks below constants, assertions, sources of a model."""
    for node in module.nodes:
        match node:
            case ast.Expr(value=ast.Constant() as remark):
                yield remark
            case ast.Assert(msg=ast.expr() as reason):
                yield reason
            case ast.Assign(value=publications) if _target(node) == "sources":
                yield publications
            case ast.Raise(exc=ast.Call(func=ast.Name(id=name)) as error) if name in (
                "AssertionError",
                "TypeError",
                "ValueError",
            ):
                yield error


def _shown(node: ast.expr) -> str:
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(_shown(each) or "{}" for each in parts)
    return ""


def _unused(program: list[Module]) -> Iterator[str]:
    """Sentences of tables whose key nobody names."""
    named = {
        id(node): node.value
        for module in program
        for node in module.nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    keys = {
        id(key): f"{module.path}: {ast.unparse(node.target)} holds “{_shown(key)}”"
        for module in program
        for node in module.nodes
        if isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Dict)
        if _last_name(node.target) in BY_CODE
        for key in node.value.keys
        if isinstance(key, ast.Constant) and isinstance(key.value, str)
    }
    used = {text for place, text in named.items() if place not in keys}
    # Keys may be made of parts: f"population_count_{problem}".
    starts = tuple(text for text in used if len(text) > 4 and text.endswith("_"))
    for place, complaint in keys.items():
        key = named[place]
        if key not in used and not key.startswith(starts):
            yield f"{complaint}, and nobody uses it"


def main(arguments: list[str]) -> int:
    """Update the template, or check how texts are used."""
    if arguments == ["update"]:
        path = ROOT / TEMPLATE
        path.parent.mkdir(exist_ok=True)
        found = texts(modules())
        path.write_bytes(template(found))
        print(f"{TEMPLATE}: {len(found)} texts")
        return 0
    if arguments == ["check"]:
        complaints = problems()
        print("\n".join(complaints), end="\n" if complaints else "")
        return int(bool(complaints))
    print(__doc__)
    return 2


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
