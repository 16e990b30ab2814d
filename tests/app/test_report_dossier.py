"""The report as the dossier of a determination: parts, editions, and the sentence."""

from __future__ import annotations

import re
from typing import get_args

import pytest

from deidgui.app import ops
from deidgui.app.determination.determination import context_facts
from deidgui.app.determination.validity import validity_facts
from deidgui.app.dossier.dossier import dossier_facts
from deidgui.app.project import Attribute, Project, Regime
from deidgui.app.release.writing import write_release
from deidgui.app.report import pdf, report_html, report_pdf
from deidgui.app.report.blocks import (
    PART,
    Bullets,
    KeyFigure,
    KeyFigures,
    Paragraph,
    Report,
    ReportTable,
    Section,
    SignatureLines,
    Terms,
)
from deidgui.app.report.charts import chance_text
from deidgui.app.report.claims import NOT_CLAIMED
from deidgui.app.report.contents import report_of
from deidgui.engine.determination import (
    CROSSWALK,
    ITEMS,
    NORMS,
    TITLES,
    TYPED,
    threshold_text,
)
from deidgui.engine.evidence.document import (
    Criteria,
    Membership,
    RowsKnown,
    digest_of,
)
from deidgui.engine.evidence.entered import AttackRelevance
from deidgui.engine.evidence.verify_dossier import check_dossier
from deidgui.text import share_text
from tests.app.context_case import agreed, public
from tests.app.dossier_case import entry, whole
from tests.release_case import make_order

SENTENCE = "I determine that the risk is very small"


def project_of(evidence):
    """Decisions about the columns of an evidence, with a whole dossier."""
    attributes = tuple(
        Attribute(
            name=each.name,
            role=each.role,
            confirmed=True,
            include=each.treatment != "left_out",
        )
        for each in evidence.attributes
    )
    return whole(Project(attributes=attributes, context=agreed()))


def stated(evidence, project):
    return evidence.model_copy(
        update={
            "dossier": dossier_facts(project, suppresses=True),
            "context": context_facts(project, 0.02, 0.2),
            "validity": validity_facts(project),
        }
    )


@pytest.fixture(scope="module")
def evidence(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dossier")
    return write_release(folder / "out", make_order(folder)).evidence


def said(evidence, **more):
    return str(report_of(evidence, **more))


def test_parts_stand_in_the_order_of_the_outline(evidence):
    report = report_of(stated(evidence, project_of(evidence)))
    numbers = [each.number for each in report.sections]
    parts = [int(n[1:].split(".")[0]) for n in numbers if n.startswith("D")]
    assert parts == sorted(parts)
    assert set(parts) == set(range(1, 15))
    assert numbers[-2:] == ["A", "B"]
    assert len(set(numbers)) == len(numbers)


def test_an_expert_signs_only_what_is_complete(evidence):
    project = project_of(evidence)
    whole_one = stated(evidence, project)
    assert whole_one.dossier.lacking == ()
    assert SENTENCE in said(whole_one)
    assert "Not a determination" not in said(whole_one)
    assert f"{whole_one.dossier.asked} of {whole_one.dossier.asked}" in said(whole_one)
    # What was released before there was a dossier is no determination either.
    assert SENTENCE not in said(evidence.model_copy(update={"dossier": None}))


@pytest.mark.parametrize("name", TYPED)
def test_o_h22_what_is_missing_is_named_instead_of_the_sentence(evidence, name):
    found = stated(evidence, ops.enter(name, None)(project_of(evidence)))
    decisive = {"D2", "D3", "D5", "D6", "D11"}
    items = [e for e in ITEMS if name in e.needs and decisive & set(e.sections)]
    text = said(found)
    assert (SENTENCE in text) == (not items)
    for each in items:
        assert f"{each.number}. {TITLES[each.number]}" in text
    # Nothing of the release has a code, so that there is no key to keep.
    assert ("INCOMPLETE. Missing: " in text) == (
        name not in ("key_custodian", "sensitivity")
    )


def unsigned_text(project, name):
    """Return a project in which nobody has signed a text of its dossier."""
    entries = dict(project.dossier.entries)
    entries[name] = entries[name].but(by="", on="")
    return project.but(dossier=project.dossier.but(entries=entries))


def test_what_only_lacks_a_signature_is_not_called_missing(evidence):
    project = unsigned_text(project_of(evidence), "legal_basis")
    project = ops.enter("sources", None)(project)
    signed = dict(project.context.signed)
    del signed["agreement.parties"]
    project = project.but(context=project.context.but(signed=signed))
    found = stated(evidence, project)
    states = {each.number: each for each in found.dossier.items}
    assert states[5].unsigned == states[5].missing == ("legal_basis",)
    assert states[8].unsigned == states[8].missing == ("agreement",)
    assert (states[16].missing, states[16].unsigned) == (("sources",), ())
    # It is as little complete as what is missing.
    assert {5, 8} <= set(found.dossier.lacking)
    assert SENTENCE not in said(found)
    report = report_of(found)
    rows = [row for e in report.sections[-2:] for b in e.blocks for row in _rows(b)]
    told = {row[0]: row[3] for row in rows if row[0].isdecimal()}
    words = {"5": "NOT SIGNED", "8": "NOT SIGNED", "16": "MISSING", "10": "complete"}
    assert {number: told[number] for number in words} == words
    (part,) = (e for e in report.sections if e.number == "D2")
    (caution,) = (b for b in part.blocks if getattr(b, "style", "") == "caution")
    assert caution.text.startswith("NOT SIGNED. Entered, but nobody stands for it")
    assert "Legal basis" in caution.text
    assert "Agreement: reference, parties" in caution.text


def _rows(block):
    return getattr(block, "rows", ())


def test_what_lacks_a_signature_is_worked_out_again(evidence):
    """From the evidence alone, by other code."""
    project = unsigned_text(project_of(evidence), "legal_basis")
    project = ops.enter("sources", None)(project)
    found = stated(evidence, project)
    assert not {5, 16} & _failed(found)
    for number, unsigned in ((5, ()), (16, ("sources",))):
        items = [
            e.model_copy(update={"unsigned": unsigned}) if e.number == number else e
            for e in found.dossier.items
        ]
        wrong = found.dossier.model_copy(update={"items": tuple(items)})
        assert number in _failed(found.model_copy(update={"dossier": wrong}))


def _failed(evidence):
    checks = [e for e in check_dossier(evidence) if e.code == "dossier_item"]
    return {each.params["item"] for each in checks if not each.ok}


def test_a_public_release_does_not_call_open_what_nobody_is_asked(evidence):
    project = project_of(evidence).but(context=public())
    found = stated(evidence, project)
    sections = {e.number: e for e in report_of(found).sections}
    named = {e.title: e for e in sections.values()}
    who = dict(named["Recipient and purpose"].blocks[0].rows)
    assert who["Recipient"] == "anybody"
    assert "Agreement" not in who
    terms = _terms_of(named["Context"])
    assert not {"Controls", "Prevalence", "Breach rate"} & terms.keys()
    # What the threshold rests on stands where the checklist says: items 20 and 21.
    assert not {"Invasion of privacy", "Largest overall risk"} & terms.keys()
    assert {"Invasion of privacy", "Largest overall risk"} <= _terms_of(
        named["Thresholds and requirements"]
    ).keys()


def _terms_of(section):
    return dict(row for b in section.blocks for row in _rows(b) if len(row) == 2)


def test_a_limit_is_shown_with_the_numbers_that_it_is_made_of(evidence):
    found = stated(evidence, project_of(evidence))
    context = found.context.model_copy(
        update={"threshold": 0.075, "attempt": 0.27, "limit": 0.075 / 0.27}
    )
    sections = report_of(found.model_copy(update={"context": context})).sections
    named = {each.title: each for each in sections}
    terms = _terms_of(named["Thresholds and requirements"])
    text = terms["Allowed risk in the data"].replace("\u202f", " ")
    assert text.startswith("7.5 % ÷ 27 % (overall risk ÷ probability of an attempt)")
    assert "= 27.78 %" in text


def test_an_overall_risk_is_written_as_its_limit_is(evidence):
    """“9.1 %, not above the limit of 9 %” was said of one in eleven."""
    found = stated(evidence, project_of(evidence))
    context = found.context.model_copy(
        update={"threshold": 1 / 11, "attempt": 1.0, "overall": {"T4": 1 / 11}}
    )
    text = said(found.model_copy(update={"context": context}))
    limit = threshold_text(1 / 11)
    assert limit == "9\u202f% (1 in 11)"
    words = f"this is {limit}, not above the limit of {limit}"
    # The text of a report is written as Python writes it.
    assert words.replace("\u202f", "\\u202f") in text


def test_what_is_determined_stands_on_the_first_page_and_before_the_signatures(
    evidence,
):
    found = stated(evidence, project_of(evidence))
    report = report_of(found)
    parts = {each.number: each for each in report.sections}
    table = found.outputs[0]
    for section in (parts["D1"], parts["D14.1"]):
        terms = _terms_of(section)
        assert table.sha256 in terms["Released table"]
        assert table.path in terms["Released table"]
        assert terms["SHA-256 of the evidence"] == digest_of(found)
    decides = _terms_of(parts["D14.1"])
    assert {"Recipient and setting", "Reference population", "Valid"} <= decides.keys()


def test_columns_that_were_not_included_are_not_denied(evidence):
    """“0 columns are left out” was said of a file with 36 more."""
    found = stated(evidence, project_of(evidence))
    kept = [e for e in found.attributes if e.released_as is not None]
    text = said(found.model_copy(update={"attributes": tuple(kept)}))
    assert "0 columns" not in text
    assert "0 included" not in text
    assert "No included column is left out. What was not included is not" in text


def test_who_entered_a_text_and_when_stands_with_it(evidence):
    project = ops.enter("legal_basis", entry("Act 12, section 3."))(
        project_of(evidence)
    )
    text = said(stated(evidence, project))
    assert "Act 12, section 3. (N. N., privacy office, 2026-11-23)" in text


def test_the_public_edition_leaves_rules_out(evidence):
    project = ops.enter("rule", entry("A RULE IN DETAIL"), "age")(project_of(evidence))
    found = stated(evidence, project)
    open_one = said(found, edition="public")
    assert "A RULE IN DETAIL" in said(found)
    assert "A RULE IN DETAIL" not in open_one
    titles = {e.title for e in report_of(found, edition="public").sections}
    assert "How the policy was found" not in titles
    assert not re.search(r"[Ss]eed[^.]{0,25}\d", open_one)
    assert "How the policy was found" in {e.title for e in report_of(found).sections}
    # Both say the same of the risk.
    for report in (open_one, said(found)):
        assert "Risk of re-identification" in report


def test_the_public_words_are_a_page_of_their_own(evidence):
    found = stated(evidence, project_of(evidence))
    for edition in ("public", "confidential"):
        plain, page = (e for e in report_of(found, edition).sections if e.own_page)
        assert plain.number == "D1.1"
        assert page.number == "D12"
        *paragraphs, entered = page.blocks
        texts = [each.text for each in paragraphs]
        assert any("at best 1 time in" in each for each in texts)
        assert any("an expert, who signs" in each for each in texts)
        # Sex is kept in full.
        assert any("2 columns are less detailed" in each for each in texts)
        # Half a page: a page has about 550 words.
        assert sum(len(each.split()) for each in texts) < 275
        assert "Text about published." in str(entered)
    less = stated(evidence, ops.enter("source", None)(project_of(evidence)))
    _plain, page = (e for e in report_of(less).sections if e.own_page)
    assert "documents for it are not complete" in str(page)
    pages = report_pdf(found).count(b"/Type /Page\n")
    assert pages > 8


def test_what_is_not_claimed_stands_in_every_edition(evidence):
    """determination.md 5 lists eighteen claims."""
    found = stated(evidence, project_of(evidence))
    for edition in ("public", "confidential"):
        sections = report_of(found, edition).sections
        (section,) = (e for e in sections if e.title == "What is not claimed")
        assert section.number.startswith("D13")
        assert section.blocks[-1].items == NOT_CLAIMED
    assert len(set(NOT_CLAIMED)) == 18


@pytest.mark.parametrize("regime", [None, *get_args(Regime)])
def test_the_crosswalk_begins_with_the_norms_of_the_regime(evidence, regime):
    project = ops.change_dossier(regime=regime)(project_of(evidence))
    project = ops.enter("dpia", None)(project)
    found = stated(evidence, project)
    *_, section = report_of(found).sections
    note, *tables = section.blocks
    assert "NOT CHECKED" in note.text
    first = {
        "hipaa": "HIPAA",
        "ema": "EMA",
        "gdpr": "GDPR",
        "ontario": "Ontario",
        "australia": "Five Safes",
        None: "HIPAA",
    }
    assert tables[0].header[0].startswith(first[regime])
    assert {each.header[0] for each in tables} == set(NORMS.values())
    rows = [row for each in tables for row in each.rows]
    assert len(rows) == len(CROSSWALK)
    told = {row[0]: row[1:] for row in rows}
    assert told["Tests and decisions documented"][:2] == ("D2 (46)", "MISSING")
    assert told["No singling out"][:2] == ("D8 (30)", "complete")
    assert told["Deviations"] == ("no part of this dossier", "–", "NOT CHECKED")


@pytest.mark.parametrize("regime", ["hipaa", "ema", "gdpr", "ontario", "australia"])
def test_the_front_sheet_has_every_item_once(evidence, regime):
    project = ops.change_dossier(regime=regime)(project_of(evidence))
    sections = report_of(stated(evidence, project)).sections
    numbers = [each.number for each in sections]
    # Whoever opens the dossier has it before the first part that explains anything.
    assert numbers.index("F") == numbers.index("D2") - 1
    assert sections[numbers.index("F")].own_page
    sheets = [each for each in sections if each.number in ("F", "A")]
    rows = [row for sheet in sheets for row in sheet.blocks[-1].rows]
    assert sorted(int(row[0]) for row in rows) == list(range(1, 47))
    asked = {e.number for e in ITEMS if not e.regimes or regime in e.regimes}
    assert {int(row[0]) for row in sheets[0].blocks[-1].rows} == asked


def test_o_h20_membership_stands_beside_that_of_anybody(evidence):
    """10 released of 54 people; a class of 2 among 4, and of 4 among 40."""
    people = evidence.records - evidence.suppressed_records
    of_classes = Membership(highest=0.5, average=0.1)
    criteria = Criteria(alone_on_all=0.0, membership=of_classes)
    risk = evidence.risk.model_copy(update={"population": {"people": people * 5.4}})
    known = {"criteria": criteria, "risk": risk}
    text = said(evidence.model_copy(update=known))
    assert (
        "50\\u202f% at most, 10\\u202f% on average. Without the classes it is "
        "18.5\\u202f% for anybody. Gain: 38.6\\u202f% at most, 0\\u202f% on average."
    ) in text
    # By the sampling fraction; nobody knows it without either.
    sampled = evidence.risk.model_copy(update={"sampling_fraction": 0.25})
    share = share_text(0.25 * people / evidence.records)
    text = said(evidence.model_copy(update={**known, "risk": sampled}))
    assert (
        f"Without the classes it is {share}".encode("unicode_escape").decode() in text
    )
    text = said(evidence.model_copy(update={"criteria": criteria}))
    assert "Without the classes" not in text


def test_plain_words_have_no_symbols(evidence):
    found = stated(evidence, project_of(evidence))
    (section,) = (e for e in report_of(found).sections if e.title == "In plain words")
    (lines,) = section.blocks
    assert len(lines.items) == 8
    for line in lines.items:
        assert not re.search(r"[<>=·×∑≤≥]|D\d|T[1-4]|\bnan\b|None", line)
    # Answers of 6 points are medium: 0.075 (O-H11).
    assert "the limit of 7.5\u202f%" in lines.items[4]


def test_what_the_context_says_is_compared_with_its_limit(evidence):
    found = stated(evidence, project_of(evidence))
    above = found.context.model_copy(update={"overall": {"T3": 0.9}})
    text = said(found.model_copy(update={"context": above}))
    assert "ABOVE the limit" in text


@pytest.mark.parametrize(
    ("own", "is_looser"), [("1/11", True), ("0.075", False), ("1/20", False)]
)
def test_a_threshold_looser_than_that_of_the_level_is_said_so(evidence, own, is_looser):
    """Answers of 6 points are medium: 0.075; one in eleven is above it."""
    stated_context = agreed(threshold=own, threshold_because="as agreed")
    project = project_of(evidence).but(context=stated_context)
    report = report_of(stated(evidence, project))
    for title in ("In plain words", "Limits of the overall risk", "Signatures"):
        sections = [each for each in report.sections if each.title == title]
        if title.startswith("Limits"):
            sections = [e for e in report.sections if "Largest overall risk" in str(e)]
        assert sections
        assert any("LOOSER than" in str(each) for each in sections) == is_looser
    words = "of 9\u202f% (1 in 11) is a person’s own and LOOSER than the 7.5\u202f%"
    said_so = [
        block.text
        for section in report.sections
        for block in section.blocks
        if isinstance(block, Paragraph) and words in block.text
    ]
    # In D6, and where it is signed.
    assert len(said_so) == (2 if is_looser else 0)


def test_an_own_threshold_without_a_level_is_compared_with_none(evidence):
    answers = {k: e for k, e in agreed().answers.items() if not k.startswith("P")}
    left = agreed(threshold="1/11", threshold_because="so").but(answers=answers)
    found = stated(evidence, project_of(evidence).but(context=left))
    assert "questions on the invasion of privacy are open" in said(found)
    assert "LOOSER" not in said(found)


def test_an_excluded_attack_decides_nothing(evidence):
    """T3, the largest, is excluded: 13.94 % x 0.02 counts, not 0.9 of it."""
    project = project_of(evidence)
    out = AttackRelevance(relevant=False, because="no copies", by="N.", on="2026-11-23")
    found = stated(evidence, ops.judge_attack("T3", out)(project))
    context = found.context.model_copy(
        update={"overall": {**found.context.overall, "T3": 0.9}}
    )
    text = said(found.model_copy(update={"context": context}))
    assert "ABOVE" not in text


def test_who_signs_reads_what_stands_against_it(evidence):
    found = stated(evidence, project_of(evidence))
    above = found.context.model_copy(update={"overall": {"T2": 0.9}})
    *_, signatures, _, _ = report_of(
        found.model_copy(update={"context": above})
    ).sections
    assert "ABOVE its threshold" in str(signatures)


def test_a_public_edition_names_no_keeper_and_no_answer(evidence):
    text = said(stated(evidence, project_of(evidence)), edition="public")
    assert "Text about key_custodian." not in text
    assert "Text about archive." not in text
    assert "A signed agreement binds the recipient" not in text


def test_who_knows_rows_of_a_person_finds_more(evidence):
    rows = (
        RowsKnown(known="one", highest=0.25, average=0.1, n_at_risk=2),
        RowsKnown(known="all_and_number", highest=1.0, average=0.2, n_at_risk=7),
    )
    found = stated(evidence, project_of(evidence))
    people = {"kind": "key", "people": 90, "suppressed_people": 10}
    unit = found.unit.model_copy(update={"rows_known": rows, **people})
    text = said(found.model_copy(update={"unit": unit}))
    assert "finds the right person at best 1 time in" in text
    assert (
        "how many of them show it) is right at best 1 time in 1, on average over"
        in text
    )
    assert "all released people 1 time in 5. For 7 of 80 released people the" in text
    limit = repr(chance_text(found.risk.threshold))[1:-1]
    assert f"above {limit}." in text


def test_a_year_is_no_count(evidence):
    assert "(a survey, 2012)" in said(stated(evidence, project_of(evidence)))


def test_html_and_pdf_have_the_numbers_of_the_parts(evidence):
    found = stated(evidence, project_of(evidence))
    html = report_html(found).decode()
    for number in ("D1", "D7", "D14", "A"):
        assert f'<span class="number">{number}' in html
    assert report_pdf(found).startswith(b"%PDF")
    kinds = {type(b) for e in report_of(found).sections for b in e.blocks}
    assert {Paragraph, Terms} <= kinds


def test_parts_are_links_in_html(evidence):
    found = stated(evidence, project_of(evidence))
    html = report_html(found).decode()
    targets = set(re.findall(r'<section id="([^"]+)"', html))
    linked = re.findall(r'<a href="#([^"]+)">([^<]+)</a>', html)
    assert {part for part, _ in linked} >= {f"D{n}" for n in range(1, 15)}
    assert all(part == text and part in targets for part, text in linked)
    # Only where a table says in which part something stands.
    n_named = sum(
        len(PART.findall(row[block.parts]))
        for section in report_of(found).sections
        for block in section.blocks
        if isinstance(block, ReportTable) and block.parts is not None
        for row in block.rows
    )
    assert len(linked) == n_named > len(ITEMS)


def test_checklist_and_crosswalk_say_the_pages_of_parts(evidence, monkeypatch):
    """The page of each heading as reportlab counts it; what is written beside rows."""
    found = stated(evidence, project_of(evidence))
    began, written = {}, []
    draw, string = pdf.Flowing.draw, pdf.NumberedCanvas.drawString

    def drawn(self):
        if self.style.name == "heading":
            number = self.getPlainText().split()[0]
            began.setdefault(number, self.canv.getPageNumber())
        draw(self)

    def seen(self, x, y, words, *more, **options):
        if re.fullmatch(r"\d[\d, ]*", words) and self._fontsize == 8.2:
            written.append(words)
        string(self, x, y, words, *more, **options)

    monkeypatch.setattr(pdf.Flowing, "draw", drawn)
    monkeypatch.setattr(pdf.NumberedCanvas, "drawString", seen)
    content = report_pdf(found)
    assert max(began.values()) <= content.count(b"/Type /Page\n")
    assert len(set(began.values())) > 5
    expected = [
        ", ".join(
            dict.fromkeys(str(began[part]) for part in PART.findall(row[block.parts]))
        )
        for section in report_of(found).sections
        for block in section.blocks
        if isinstance(block, ReportTable) and block.parts is not None
        for row in block.rows
    ]
    # More pages than have room stand in several lines.
    assert " ".join(written).split() == " ".join(expected).split()


def test_a_page_on_which_two_parts_begin_is_written_once(monkeypatch):
    written, string = [], pdf.NumberedCanvas.drawString

    def seen(self, x, y, words, *more, **options):
        written.append(words)
        string(self, x, y, words, *more, **options)

    monkeypatch.setattr(pdf.NumberedCanvas, "drawString", seen)
    parts = ReportTable(("Part",), (("D6, D7, D8",),), (1.0,), parts=0)
    sections = [
        Section("Threshold", (Paragraph("One."),), "D6"),
        Section("Risk", (Paragraph("Two."),), "D7"),
        Section("List", (parts,), "A"),
        Section("Apart", (Paragraph("Three."),), "D8", own_page=True),
    ]
    figures = KeyFigures((KeyFigure("1", "figure"),))
    report = Report("Title", "", "", "", figures, sections, "Footer")
    pdf.pages_of(report, "0" * 64)
    assert [each for each in written if each != "Footer"] == ["1,", "2"]


class Opened:
    """What a viewer reads of a PDF: bookmarks, links, and the pages they lead to."""

    def __init__(self, content):
        found = re.findall(rb"\n(\d+) 0 obj\n(.*?)endobj", content, re.DOTALL)
        self._objects = {int(n): body for n, body in found}
        (kids,) = re.findall(rb"/Kids \[ ([^]]+) \]", content)
        order = re.findall(rb"(\d+) 0 R", kids)
        self._pages = {int(n): at for at, n in enumerate(order, start=1)}
        self.links = [
            self._page(body)
            for body in self._objects.values()
            if b"/Subtype /Link" in body
        ]

    def _page(self, body):
        return self._pages[int(re.search(rb"/Dest \[ (\d+) 0 R", body)[1])]

    def _next(self, body, name):
        found = re.search(rb"/%s (\d+) 0 R" % name, body)
        return found and int(found[1])

    def bookmarks(self, body=None, level=0):
        """Title, level and page of each bookmark."""
        if body is None:
            (body,) = (e for e in self._objects.values() if b"/Type /Outlines" in e)
        number = self._next(body, b"First")
        while number:
            body = self._objects[number]
            title = re.search(rb"/Title \((.*?)\)\s*>>", body, re.DOTALL)[1].decode()
            yield title, level, self._page(body)
            if b"/First" in body:
                yield from self.bookmarks(body, level + 1)
            number = self._next(body, b"Next")


def test_pages_of_a_pdf_are_links_and_sections_are_bookmarks(evidence, monkeypatch):
    """Where each heading is drawn, reportlab tells; where links lead, the file."""
    found = stated(evidence, project_of(evidence))
    began, draw = {}, pdf.Flowing.draw

    def drawn(self):
        if self.style.name == "heading":
            number = self.getPlainText().split()[0]
            began.setdefault(number, self.canv.getPageNumber())
        draw(self)

    monkeypatch.setattr(pdf.Flowing, "draw", drawn)
    opened = Opened(report_pdf(found))
    sections = report_of(found).sections
    assert list(opened.bookmarks()) == [
        (f"{e.number}  {e.title}", int("." in e.number), began[e.number])
        for e in sections
    ]
    named = [
        PART.findall(row[block.parts])
        for section in sections
        for block in section.blocks
        if isinstance(block, ReportTable) and block.parts is not None
        for row in block.rows
    ]
    # Two parts of a row that begin on the same page are one link.
    pages = [dict.fromkeys(began[part] for part in parts) for parts in named]
    assert sum(map(len, pages)) > len(ITEMS)
    assert opened.links == [page for each in pages for page in each]


LONG = "Long words of a person about recipient and purpose. " * 38


@pytest.mark.parametrize("text", [LONG, "x" * 1900, "<b>&" * 480, "ب" * 1900])
def test_plain_words_are_one_page_whatever_people_typed(evidence, monkeypatch, text):
    assert len(text) <= 2000
    project = project_of(evidence)
    context = project.context.but(
        recipient=text,
        purpose=text,
        agreement=project.context.agreement.but(reference=text),
    )
    validity = project.validity.but(in_charge=text, contact=text)
    found = stated(evidence, project.but(context=context, validity=validity))
    named = [f"{'a_long_name_of_a_column_' * 3}{n}" for n in range(60)]
    (age,) = (each for each in found.attributes if each.name == "age")
    found = found.model_copy(
        update={
            "attributes": tuple(age.model_copy(update={"name": n}) for n in named),
            "policy": found.policy.model_copy(update={"sentence": text}),
        }
    )
    began = pages_of_headings(monkeypatch, found)
    assert began["D2"] == began["D1.1"] + 1


def test_plain_words_have_the_whole_of_a_usual_policy(evidence):
    columns = [f"column_{n}: most common value kept" for n in range(10)]
    words = f"{'; '.join(columns)}; 996 records (5 %) suppressed"
    policy = evidence.policy.model_copy(update={"sentence": f"{words}."})
    text = said(evidence.model_copy(update={"policy": policy}))
    assert f"could identify somebody: {words}.'" in text


def pages_of_headings(monkeypatch, found):
    """Draw a report; on which page each heading stands."""
    began, draw = {}, pdf.Flowing.draw

    def drawn(self):
        if self.style.name == "heading":
            number = self.getPlainText().split()[0]
            began.setdefault(number, self.canv.getPageNumber())
        draw(self)

    monkeypatch.setattr(pdf.Flowing, "draw", drawn)
    report_pdf(found)
    return began


def test_signatures_stay_on_one_page_wherever_they_begin(monkeypatch):
    pages, made = [], pdf._signature

    def marked(block, styles):
        table = made(block, styles)
        draw = table.draw

        def noted():
            pages.append(table.canv.getPageNumber())
            draw()

        table.draw = noted
        return table

    monkeypatch.setattr(pdf, "_signature", marked)
    signs = SignatureLines(("Name", "Function", "Date", "Signature"))
    signed = Section("Signatures", (Paragraph("a"), signs, Paragraph("b"), signs))
    for n_lines in range(5, 40):
        pages.clear()
        filled = Section("Before", (Bullets(("line",) * n_lines),))
        parts = (filled, signed)
        report = Report(
            "t",
            "s",
            "made",
            "lead",
            KeyFigures((KeyFigure("n", "1", "all"),)),
            parts,
            "footer",
        )
        pdf.pages_of(report, "0" * 64)
        assert len(set(pages)) == 1, n_lines
