"""What the program must not claim stands in none of its texts.

The texts are those of the catalogue (window, command line, messages, report), the
report of a release, all pages and templates that ship with the program, README,
list of changes and the map. A person makes a determination, the program supports it.
"""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from deidgui.app.release.writing import write_release
from deidgui.app.report import report_html
from tests.app.test_report_dossier import project_of, stated
from tests.release_case import make_order

ROOT = Path(__file__).resolve().parents[1]

CLAIMS = {
    "a verdict of law": r"(hipaa|gdpr|phipa|ccpa)[- ](compliant|anonym\w+|conform)",
    "compliance": r"\b(is|are|be|fully) compliant\b|complies with (hipaa|(the )?gdpr)",
    "certified, approved": r"\b(is|are|was) (certified|approved)\b",
    "safe": r"\bsafe\b(?![\s-]+(harbou?r|sampling))",
    "a legal limit": r"legal (limit|threshold)|(limit|threshold) (set|required) by law",
    "very small as a number": r"“?very small”? (is|means) (at most )?[\d<]",
    "zero risk": r"\b(zero|no) risk\b|risk[- ]free|without any risk",
    "for ever": r"irreversibl|for ever\b|\bforever\b|permanently anonym",
    "cannot be identified": r"(cannot|can not|can never) be (re-)?identified",
    "impossible": r"impossible to (re-)?identify|re-identification is impossible",
    "nobody singled out": r"(no ?one|nobody) can be singled out",
    "k prevents all": r"k-anonymity (prevents|rules out) (singling|infer|link)",
    "l prevents all": r"(diversity|closeness) (prevents|rules out) (all|any) inference",
    "a measured attempt": r"(measured|observed) (probability|frequency) of an attempt",
    "anonymous codes": r"(pseudonym|encrypt)\w* (is|are|data are) anonym",
    "outside the law": r"(outside|not subject to|exempt from) (the )?gdpr",
    "endorsed": r"(endorse|accept|recommend)\w* (this program|deidgui)|endorsed by",
    "norms nobody read": r"(meets|follows|by|of) (isb 1523|ipc 2025)",
    "kept utility": r"utility is (kept|preserved|guaranteed)",
    "no harm": r"no harm (is|can)|does no harm",
    "safe harbor by risk": (
        r"(meets|satisfies|fulfils) safe harbou?r|safe harbou?r is (met|satisfied)"
    ),
    "the chance of one patient": (
        r"(chance|probability) that a (given|certain) \w+ is (re-)?identified"
    ),
    "a test that was not done": (
        r"(passed|withstood) (a|the) (motivated )?intruder test|no match (means|proves)"
    ),
    "texts judged": r"free texts? (was|is|were|are) (checked|judged|harmless)",
    "an agreement that was checked": (
        r"(agreement|training|enclave|controls?) (was|were|is|are) (verified|checked)"
    ),
    "expiry": r"bec(o|a)mes? identifiable",
}
"""By what is claimed. A sentence that denies one of them is in `DENIALS`."""

DENIALS = (
    "None of these is a limit set by law",
    "not a limit set by law",
    "No figure here is a limit set by law",
    "not certify that the release meets Safe Harbor",
    "not the chance that a given person is re-identified",
    "not the chance that a certain patient is identified",
    "data that are released do not become identifiable",
)
"""Sentences that say the contrary."""

ALLOWED = frozenset(
    {
        ("safe", "Safe for spreadsheets"),
        (
            "certified, approved",
            "An end date, after which destruction is certified.",
        ),
    }
)
"""Texts that have the words and mean something else."""


def texts():
    with (ROOT / "resources" / "locale" / "deidgui.pot").open("rb") as file:
        for each in read_po(file):
            if isinstance(each.id, str) and each.id:
                yield "catalogue", " ".join(each.id.split())
    resources = ROOT / "resources"
    pages = [*resources.rglob("*.md"), *resources.rglob("*.j2")]
    for page in [*pages, *(ROOT / f"{n}.md" for n in WRITTEN)]:
        yield str(page.relative_to(ROOT)), " ".join(page.read_text("utf-8").split())


WRITTEN = ("README", "CHANGELOG", "ARCHITECTURE")


def without_denials(text):
    for each in DENIALS:
        text = text.replace(each, "")
    # Names of keys, files and switches are no words.
    return re.sub(r"`[^`]*`|\*Safe for spreadsheets\*", "", text)


@pytest.mark.parametrize("claim", list(CLAIMS))
def test_no_text_claims(claim):
    pattern = re.compile(CLAIMS[claim], re.IGNORECASE)
    found = [
        (name, each.group(), text[max(0, each.start() - 60) : each.end() + 30])
        for name, text in texts()
        for each in pattern.finditer(without_denials(text))
        if (claim, text) not in ALLOWED
    ]
    assert found == []


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """The report of a release whose dossier is complete, without its markup."""
    folder = tmp_path_factory.mktemp("claims")
    evidence = write_release(folder / "out", make_order(folder)).evidence
    html = report_html(stated(evidence, project_of(evidence))).decode()
    body = html.partition("<body>")[2]
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", body)).split())


@pytest.mark.parametrize("claim", list(CLAIMS))
def test_no_report_claims(report, claim):
    assert "I determine that the risk is very small" in report
    found = re.findall(CLAIMS[claim], without_denials(report), re.IGNORECASE)
    allowed = [text for name, text in ALLOWED if name == claim]
    assert len(found) == sum(report.count(text) for text in allowed)


EXAMPLES = {
    "a verdict of law": "This file is HIPAA-compliant.",
    "compliance": "The release complies with HIPAA.",
    "certified, approved": "The method is approved.",
    "safe": "The release is safe.",
    "a legal limit": "0.09 is the legal limit.",
    "very small as a number": "“Very small” means at most 0.05.",
    "zero risk": "There is no risk left.",
    "for ever": "It is anonymous for ever.",
    "cannot be identified": "People cannot be re-identified.",
    "impossible": "It is impossible to identify anybody.",
    "nobody singled out": "No one can be singled out.",
    "k prevents all": "k-anonymity prevents singling out.",
    "l prevents all": "l-diversity prevents all inference.",
    "a measured attempt": "The measured probability of an attempt is 5 %.",
    "anonymous codes": "Pseudonyms are anonymous.",
    "outside the law": "The file is outside the GDPR.",
    "endorsed": "CNIL endorses this program.",
    "norms nobody read": "The release meets ISB 1523.",
    "kept utility": "Utility is preserved.",
    "no harm": "The release does no harm.",
    "safe harbor by risk": "The release meets Safe Harbor.",
    "the chance of one patient": "The chance that a certain patient is identified.",
    "a test that was not done": "It withstood a motivated intruder test.",
    "texts judged": "The free text was judged.",
    "an agreement that was checked": "The agreement was checked.",
    "expiry": "After that day the data becomes identifiable.",
}


@pytest.mark.parametrize("claim", list(CLAIMS))
def test_each_claim_would_be_found(claim):
    assert re.search(CLAIMS[claim], EXAMPLES[claim], re.IGNORECASE)


def test_an_average_is_never_stated_without_the_highest_risk():
    """In the report of a release both stand in the same table."""
    page = (ROOT / "resources" / "help" / "risk-and-thresholds.md").read_text("utf-8")
    assert "The average alone does not protect anybody in particular" in page
