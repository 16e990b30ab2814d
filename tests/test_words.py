"""Names, texts and help pages have no word that is no longer used."""

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def tool():
    spec = importlib.util.spec_from_file_location("words", ROOT / "packaging/words.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_no_name_has_a_word_that_is_no_longer_used(tool):
    assert {"withhold", "told", "mend"} <= tool.unused_words()
    assert tool.problems() == []


@pytest.mark.parametrize(
    "code",
    [
        "def mend(): ...",
        "WITHHELD_NEW = 1",
        "class ToldAll: ...",
        "def f(wish): ...",
    ],
)
def test_a_name_with_such_a_word_is_found(tool, tmp_path, code):
    page = tmp_path / tool.GLOSSARY
    page.parent.mkdir(parents=True)
    page.write_text((ROOT / tool.GLOSSARY).read_text("utf-8"), "utf-8")
    (tmp_path / "deidgui").mkdir()
    (tmp_path / "deidgui/page.py").write_text(code, "utf-8")
    assert len(tool.problems(tmp_path)) == 1


@pytest.mark.parametrize(
    ("file", "is_found"), [("engine/population/x.py", True), ("engine/x.py", False)]
)
def test_people_are_persons_of_the_file(tool, tmp_path, file, is_found):
    page = tmp_path / tool.GLOSSARY
    page.parent.mkdir(parents=True)
    page.write_text((ROOT / tool.GLOSSARY).read_text("utf-8"), "utf-8")
    (tmp_path / "deidgui" / file).parent.mkdir(parents=True)
    (tmp_path / "deidgui" / file).write_text("n_people = 1", "utf-8")
    assert bool(tool.problems(tmp_path)) == is_found


def test_no_comment_has_a_word_that_is_no_longer_used(tool):
    assert tool.comment_problems() == []


@pytest.mark.parametrize(
    ("code", "n_found"),
    [
        ('"""Records that stand for nobody."""', 1),
        ("n = 1  # the price of it", 1),
        ('def f():\n    """Mends it, as `mend`."""', 1),
        ('n = "mend"', 0),
    ],
)
def test_a_comment_with_such_a_word_is_found(tool, tmp_path, code, n_found):
    (tmp_path / "deidgui").mkdir()
    (tmp_path / "deidgui/page.py").write_text(code, "utf-8")
    assert len(tool.comment_problems(tmp_path)) == n_found


def test_no_text_has_a_word_that_is_no_longer_used(tool):
    assert tool.text_problems() == []


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("resources/help/one.md", "A record is withheld.\n"),
        ("resources/help/two.md", "The records stand for nobody.\n"),
        ("resources/locale/deidgui.pot", 'msgid "Mend the threshold."\nmsgstr ""\n'),
    ],
)
def test_a_text_with_such_a_word_is_found(tool, tmp_path, place, text):
    template = tmp_path / tool.TEMPLATE
    template.parent.mkdir(parents=True)
    template.write_text("", "utf-8")
    page = tmp_path / place
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(text, "utf-8")
    assert len(tool.text_problems(tmp_path)) == 1
