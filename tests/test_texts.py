"""Every text passes one function, and its catalogue is complete and used."""

import ast
import importlib.util
import re
import sys
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from deidgui import resources, text
from deidgui.app.charts.phrases import Phrase
from deidgui.app.release.writing import write_release
from deidgui.app.report import contents
from deidgui.app.report.blocks import ReportChart, ReportTable, SignatureLines
from deidgui.app.report.contents import _titled
from deidgui.app.text import message_for
from deidgui.errors import InputError
from deidgui.text import escaped, fill, in_english, tr
from tests.release_case import make_order

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def tool():
    """The program that keeps the catalogue."""
    spec = importlib.util.spec_from_file_location("texts", ROOT / "packaging/texts.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["texts"] = module
    spec.loader.exec_module(module)
    return module


def test_texts_of_the_program_are_in_order(tool):
    assert tool.problems(ROOT) == []


SIGN_BY_HAND = re.compile(
    r"\{\w*(:[^}]*)?\}[ \u202f]?%(?![\w(])|\d(?:%|[^\S\u202f]%)(?!\w)"
)
"""A figure whose sign is written beside it, and a sign without the narrow space."""


def _texts_of(tree):
    """Texts and f-strings of a module; a part that is computed stands as {}.

    Those that stand alone are read in the code only.
    """
    alone = {id(each.value) for each in ast.walk(tree) if isinstance(each, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(
                str(part.value) if isinstance(part, ast.Constant) else "{}"
                for part in node.values
            )
        elif (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in alone
        ):
            yield node.value


@pytest.mark.parametrize(
    "text", ["{} %", "{share}%", "{share:.1f}\u202f%", "20 %", "20%", "0.5\u00a0%"]
)
def test_a_sign_by_hand_is_found(text):
    assert SIGN_BY_HAND.search(text)


@pytest.mark.parametrize("text", ["20\u202f%", "{share}", "%(name)s", "5 people"])
def test_other_texts_are_no_sign_by_hand(text):
    assert not SIGN_BY_HAND.search(text)


def test_figures_in_per_cent_are_written_by_two_functions_of_one_module():
    """`per_cent` for what is decided, `share_text` for what is measured.

    A number that is part of a sentence has the same narrow space before its sign,
    in the window, in reports and on the command line.
    """
    own = [
        ROOT / "deidgui/text.py",
        ROOT / "deidgui/app/charts/formats.py",
        ROOT / "deidgui/qt/widgets/numbers.py",
    ]
    by_hand = [
        f"{path.relative_to(ROOT)}: {text[:60]}"
        for path in sorted((ROOT / "deidgui").rglob("*.py"))
        if path not in own
        for text in _texts_of(ast.parse(path.read_text(encoding="utf-8")))
        if SIGN_BY_HAND.search(text)
    ]
    assert by_hand == []


@pytest.fixture
def program(tool, tmp_path):
    """Write a program of one file and return what is wrong with it."""

    def problems(code, template=None):
        (tmp_path / "deidgui").mkdir(exist_ok=True)
        (tmp_path / "deidgui/page.py").write_text(code, encoding="utf-8")
        path = tmp_path / tool.TEMPLATE
        path.parent.mkdir(parents=True, exist_ok=True)
        found = tool.texts(tool.modules(tmp_path)) if template is None else template
        path.write_bytes(tool.template(found))
        return tool.problems(tmp_path)

    return problems


@pytest.mark.parametrize(
    ("code", "complaint"),
    [
        ('label.setToolTip("Opens")', "bypasses tr"),
        ('words = f"{n} records left"', "bypasses tr"),
        ('tr("{n:record|records}")', "differ in n"),
        ('tr("All records", n=3)', "differ in n"),
        ("tr(words)", "neither a literal nor declared"),
        ('tr("{n} of them".format(n=3))', "neither a literal nor declared"),
        ('tr(f"{n} of them")', "no f-string"),
        ('tr("Of {n}", 3)', "parameters by name"),
        ('tr("{n_records} records", n_records=n)', "has no form for one"),
        ('tr("All {n:,} distinct values.", n=n)', "has no form for one"),
        ('SENTENCES: dict[str, Text] = {"gone": "It is gone."}', "nobody uses it"),
    ],
)
def test_a_text_that_is_out_of_order_is_found(program, code, complaint):
    found = program(code)
    assert any(complaint in each for each in found), found


@pytest.mark.parametrize("template", [{}, {"Old": ["a.py"], "New": ["a.py"]}])
def test_an_old_template_is_found(program, template):
    assert any("texts.py update" in each for each in program('tr("New")', template))


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ('tr("One" if single else "Many")', {"One", "Many"}),
        (
            'NAMES: Mapping[str, Text] = {"a": "First", "b": "Second"}',
            {"First", "Second"},
        ),
        ('class A:\n  what: Text\n  key: str\nA("Said", "key")', {"Said"}),
        ('class A:\n  title: Text\nclass B(A):\n  title = "Named"', {"Named"}),
        (
            'def show(key, words: Text = "Shown"): ...\nshow("a", "Given")',
            {"Shown", "Given"},
        ),
        ('def f():\n  words: Text = "One"\n  words = "Two"', {"One", "Two"}),
        (
            'class E(Enum):\n  A = (1, "Age")\n'
            "  def __init__(self, n, title: Text): ...",
            {"Age"},
        ),
        ('x = "none of ours"', set()),
    ],
)
def test_texts_are_gathered(tool, program, tmp_path, code, expected):
    program(code)
    assert set(tool.texts(tool.modules(tmp_path))) == expected


# --- another language ------------------------------------------------------------


@pytest.fixture
def speak(tmp_path, monkeypatch):
    """Make a catalogue of some texts and use it."""

    def use(texts, forms=2, plural="(n != 1)"):
        catalog = Catalog(locale="eo")
        forms_of_it = f"nplurals={forms}; plural={plural};"
        catalog.mime_headers = [
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Plural-Forms", forms_of_it),
        ]
        for english, translated in texts.items():
            catalog.add(english, translated)
        folder = tmp_path / "locale/eo/LC_MESSAGES"
        folder.mkdir(parents=True)
        with (folder / "deidgui.mo").open("wb") as stream:
            write_mo(stream, catalog)
        text.use_language(tmp_path / "locale", "eo")

    shown = text._Shown.language
    yield use
    text._Shown.language = shown


@pytest.fixture
def pseudo(speak):
    """Every text of the program between marks: a text without them bypassed tr."""
    with (resources.path("locale") / "deidgui.pot").open("rb") as stream:
        texts = [each.id for each in read_po(stream) if each.id]
    speak({each: f"⟦{each}⟧" for each in texts})


def test_messages_and_charts_speak_another_language(pseudo):
    message = message_for(InputError("file_not_found", file="a.csv"))
    assert message.what.startswith("⟦")
    assert "a.csv" in message.what
    assert message.fix.startswith("⟦")
    assert Phrase("plane_none", {"n_points": 3}).text() == (
        "⟦None of 3 policies shown meets the thresholds.⟧"
    )


def test_what_is_kept_is_written_in_english(pseudo):
    assert tr("Records") == "⟦Records⟧"
    with in_english():
        assert tr("Records") == "Records"
    assert tr("Records") == "⟦Records⟧"


@pytest.mark.parametrize(
    ("forms", "plural", "template", "expected"),
    [
        (1, "0", "{n:kazo}", ["0 kazo", "1 kazo", "2 kazo", "5 kazo"]),
        (2, "(n > 1)", "{n:cas|cas-s}", ["0 cas", "1 cas", "2 cas-s", "5 cas-s"]),
        (
            3,
            "(n==1 ? 0 : n>=2 && n<=4 ? 1 : 2)",
            "{n:pad|pady|padu}",
            ["0 padu", "1 pad", "2 pady", "5 padu"],
        ),
        (
            6,
            "(n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : "
            "n%100>=11 ? 4 : 5)",
            "{n:a|b|c|d|e|f}",
            ["0 a", "1 b", "2 c", "5 d"],
        ),
    ],
)
def test_a_language_has_as_many_plural_forms_as_it_has(
    speak, forms, plural, template, expected
):
    speak({"{n:case|cases}": template}, forms, plural)
    assert [tr("{n:case|cases}", n=n) for n in (0, 1, 2, 5)] == expected


def test_counts_have_separators_and_years_none():
    assert fill("{n:record|records} of {year:d}", {"n": 12345, "year": 2020}) == (
        "12,345 records of 2020"
    )
    assert fill("{missing} stays", {"other": 1}) == "‹missing› stays"


# --- a report ----------------------------------------------------------------------


def _of(block):
    """Texts of a block that are its own, not those of the evidence."""
    match block:
        case ReportTable(header=header, caption=caption):
            return [*header, caption]
        case ReportChart(caption=caption, drawing=drawing):
            return [caption, drawing.title]
        case SignatureLines(fields=fields):
            return list(fields)
    return []


def test_a_report_speaks_another_language_and_its_evidence_english(pseudo, tmp_path):
    with in_english():  # as the figures of a release are measured
        order = make_order(tmp_path)
    evidence = write_release(tmp_path / "out", order).evidence
    assert "⟦" not in evidence.model_dump_json()
    report = contents.report_of(evidence)
    own = [report.title, report.lead, *(each.title for each in report.sections)]
    own += [each.name for each in report.figures.figures]
    own += [text for s in report.sections for block in s.blocks for text in _of(block)]
    # Names of measures are those of the evidence.
    stated = {"SHA-256", *(title for _, title, *_ in _titled(evidence))}
    assert [
        each for each in own if each and "⟦" not in each and each not in stated
    ] == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain é ＝ 年", "plain é ＝ 年"),
        ("two\nlines\tand a tab", "two\nlines\tand a tab"),
        ("l\u202etfel", r"l\u202etfel"),
        ("\u2066a\u2069", r"\u2066a\u2069"),
        ("a\x1b[2Jb\r\x00", r"a\x1b[2Jb\r\x00"),
        ("\ud800", r"\ud800"),
        ("\U000e0041", r"\U000e0041"),
    ],
)
def test_what_steers_is_shown_as_its_number(text, shown):
    assert escaped(text) == shown
    assert tr("“{name}” is missing.", name=text) == f"“{shown}” is missing."
