"""The help is whole: titles, links, pictures, every model and every message named."""

import re
from pathlib import Path
from urllib.parse import unquote

import pytest
from babel.messages.pofile import read_po

from deidgui import resources
from deidgui.app.determination.recipients import RECIPIENTS
from deidgui.app.text import sentences
from deidgui.cli.main import COMMANDS
from deidgui.engine.data.templates import TEMPLATES
from deidgui.engine.detect.roles import Identifier
from deidgui.engine.preparation import STEPS
from deidgui.engine.privacy import PRIVACY_MODELS
from deidgui.engine.quality import QUALITY_MEASURES

ROOT = Path(__file__).parents[1]
HELP = resources.path("help")
GUIDE = sorted(HELP.glob("*.md"))
PAGES = [
    *sorted(HELP.rglob("*.md")),
    *(ROOT / name for name in ("README.md", "CHANGELOG.md", "ARCHITECTURE.md")),
]
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
SRC = re.compile(r'\bsrc="([^"]+)"')
MOST_PICTURE_BYTES = 1_500_000


def named(page):
    return page.relative_to(ROOT).as_posix()


def text_of(page):
    return page.read_text("utf-8")


def guide_page(name):
    return text_of(HELP / f"{name}.md")


def without_code(text):
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_page_has_one_title(page):
    text = without_code(text_of(page))
    assert text.startswith("# ")
    assert len(re.findall(r"^# ", text, re.MULTILINE)) == 1


def test_titles_are_different():
    titles = [text_of(page).splitlines()[0] for page in PAGES]
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_links_and_pictures_lead_to_files(page):
    text = without_code(text_of(page))
    targets = [*LINK.findall(text), *SRC.findall(text)]
    broken = [
        target
        for target in targets
        if not (page.parent / unquote(target.partition("#")[0])).exists()
    ]
    assert broken == []


def test_contents_lead_to_every_page_of_the_guide():
    linked = set(LINK.findall(guide_page("README")))
    assert {page.name for page in GUIDE} - {"README.md"} <= linked


def test_pictures_are_small_and_used():
    pictures = sorted((HELP / "pictures").glob("*"))
    assert pictures
    assert sum(picture.stat().st_size for picture in pictures) <= MOST_PICTURE_BYTES
    texts = "".join(text_of(page) for page in PAGES)
    assert [p.name for p in pictures if p.name not in texts] == []


@pytest.mark.parametrize(
    ("registry", "page"),
    [
        (PRIVACY_MODELS, "risk-and-thresholds"),
        (QUALITY_MEASURES, "measures"),
        (TEMPLATES, "hierarchies-and-templates"),
        (STEPS, "preparation"),
    ],
    ids=lambda each: getattr(each, "family", each),
)
def test_every_kind_is_explained(registry, page):
    explained = re.findall(r"^- \*\*(.+?)\*\*", guide_page(page), re.MULTILINE)
    assert [kind.title for kind in registry if kind.title not in explained] == []


def test_recipients_are_stated_as_they_are():
    text = " ".join(guide_page("risk-and-thresholds").split())
    for recipient in RECIPIENTS:
        if recipient.kind == "own":
            words = "your own thresholds"
        else:
            limit = f"{100 * recipient.suppression_limit:g} % suppressed"
            words = f"{recipient.words()}, {limit}"
        words = " ".join(words.split())
        assert f"- **{recipient.title}**: {words}" in text


def test_every_command_is_listed():
    commands = re.findall(r"^- `deidgui ([a-z]+)", guide_page("command-line"), re.M)
    assert set(commands) == set(COMMANDS)


def test_guide_has_no_tables():
    """The help panel is too narrow for them and does not draw them."""
    assert [p.name for p in GUIDE if re.search(r"^\|", text_of(p), re.M)] == []


def test_every_shortcut_is_listed():
    from deidgui.qt import actions

    source = Path(actions.__file__).read_text("utf-8")
    keys = set(re.findall(r'"((?:Ctrl|Alt)\+[^"{]+|F\d+)"', source)) - {"Ctrl+="}
    text = guide_page("keyboard")
    assert [key for key in keys if key not in text] == []


def _as_shown(found: re.Match[str]) -> str:
    """A parameter as a heading writes it: of a count the noun stays."""
    _, bar, many = found[0].rstrip("}").rpartition("|")
    return f"… {many}" if bar else "…"


def test_messages_are_those_of_the_program():
    headings = re.findall(r"^### (.+)$", guide_page("troubleshooting"), re.MULTILINE)
    known = {re.sub(r"\{[^}]*\}", _as_shown, s.what) for s in sentences().values()}
    assert len(headings) > 10
    assert [heading for heading in headings if heading not in known] == []


# Works that are cited, in italics as the names in the window are.
WORKS = frozenset(
    {
        "Anonymizing Health Data",
        "A security architecture for query tools used to access large biomedical "
        "databases",
        "Beyond Safe Harbor",
        "De-identification Methods for Open Health Data: The Case of the Heritage "
        "Health Prize Claims Dataset",
        "The Ad-Hoc Uncertainty Principle of Patient Privacy",
        "The Discrete Gaussian for Differential Privacy",
    }
)
QUESTION = "Could somebody who looks for a person know this value?"
ITALIC = re.compile(r"(?<![*\w])\*(?!\*)([A-Z][^*]*?)\*(?![*\w])")


def _bare(words):
    """Words of a text, without the signs that end it and names of parameters."""
    return re.sub(r"\{[^}]*\}", "…", " ".join(words.split())).rstrip("….:?! ").lower()


@pytest.mark.parametrize("page", [*GUIDE, *sorted(HELP.glob("steps/*.md"))], ids=named)
def test_names_in_the_window_are_those_of_the_program(page):
    """The guide writes names of pages, buttons and fields in italics."""
    if page.name == "glossary.md":  # there sources are in italics
        return
    with (ROOT / "resources/locale/deidgui.pot").open("rb") as file:
        known = {_bare(str(message.id)) for message in read_po(file)}
    known |= {_bare(each) for each in (*WORKS, QUESTION)}
    named_here = ITALIC.findall(without_code(text_of(page)))
    assert [each for each in named_here if _bare(each) not in known] == []


def test_number_of_safe_harbor_identifiers():
    assert "eighteen" in guide_page("safe-harbor")
    assert len(Identifier) == 18


def test_architecture_names_files_that_there_are():
    """What stands in code marks and ends in .py, but for names to fill in."""
    text = text_of(ROOT / "ARCHITECTURE.md")
    named_files = re.findall(r"`(?:python )?([\w/]+\.py)`", text)
    known = {path.as_posix() for path in ROOT.rglob("*.py")}
    assert len(named_files) > 40
    missing = [
        name
        for name in named_files
        if not {"NAME", "AREA"} & set(re.split(r"\W", name))
        and not any(path.endswith(f"/{name}") for path in known)
    ]
    assert missing == []
