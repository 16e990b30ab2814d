"""Reports show the evidence and nothing else, the same bytes every time."""

from __future__ import annotations

import html.parser
import json
import re
import shutil
import subprocess
from dataclasses import replace
from typing import get_args

import pytest

from deidgui.app.project import Search
from deidgui.app.release.writing import write_release
from deidgui.app.report import contents, pdf, report_html, report_pdf
from deidgui.app.report.blocks import ReportChart, ReportTable
from deidgui.app.report.charts import (
    MOST_BARS,
    chance_text,
    distribution_chart,
    risk_chart,
    short,
)
from deidgui.app.report.contents import date_text, report_of
from deidgui.app.report.drawing import AFTER, Drawing, Lettering, Path, Rectangle, svg
from deidgui.app.report.html import page_of
from deidgui.app.report.pdf import Fonts
from deidgui.app.stated import tie_words
from deidgui.engine.evidence.document import (
    Compared,
    Criteria,
    Distribution,
    Evidence,
    LabelCount,
    SensitivityCase,
)
from deidgui.engine.privacy.average_prosecutor_risk import AverageProsecutorRisk
from deidgui.text import share_text
from tests.release_case import make_order

VOID = {"meta", "col"}


@pytest.fixture(scope="module")
def evidence(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    return write_release(folder / "out", make_order(folder)).evidence


class Checker(html.parser.HTMLParser):
    """Sees that tags are closed and collects what the page would load or show."""

    def __init__(self):
        super().__init__()
        self.open, self.seen, self.text = [], set(), []

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        self.seen.update(name for name, _ in attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.seen.add(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] != "style":
            self.text.append(data)


def parsed(content):
    checker = Checker()
    checker.feed(content.decode())
    assert checker.open == []
    return checker


def test_html_is_well_formed_and_loads_nothing(evidence):
    page = parsed(report_html(evidence))
    assert not page.seen & {"script", "link", "img", "iframe", "src", "onload"}
    assert set(re.findall(rb"href=.(.)", report_html(evidence))) <= {b"#"}
    assert b"url(" not in report_html(evidence)
    assert b"@import" not in report_html(evidence)


def test_no_block_is_left_out_silently(evidence):
    class Riddle:
        """A block that no page knows."""

    report = report_of(evidence)
    first, *others = report.sections
    other = replace(report, sections=(replace(first, blocks=(Riddle(),)), *others))
    with pytest.raises(AssertionError, match="no way to show a Riddle"):
        page_of(other)


def test_html_says_every_figure(evidence):
    text = " ".join(parsed(report_html(evidence)).text)
    for words in (
        "Asthma registry extract",
        "380 of 400 records are released to researchers under an agreement",
        "Privacy board, 3 November 2026",
        "Data use agreement 2026-17",
        "Every released record looks like at least 4 others.",
        "21 November 2026, 09:00 UTC",
        evidence.outputs[0].sha256,
        evidence.inputs[0].sha256,
        "What this report does not show",
        "164.514(b)(2)",
        "Signature",
        "shared by fewer than 5 records.",
        "Suppressed: 20 of 400 records (5",
        "The search was complete",
    ):
        assert words in text, words


def hostile(evidence, text='<script>alert("x")</script>&\n\t<b>'):
    """Names as a stranger might choose them."""
    fields = evidence.model_dump()
    fields["title"] = fields["notes"] = text
    fields["attributes"][0]["name"] = text
    fields["distributions"] = {
        text: {"labels": [{"label": text, "released": 3}], "fewer_than": 5}
    }
    fields["thresholds"]["justification"] = text
    fields["models"] = [{"kind": text, "satisfied": False, text: text}]
    fields["warnings"] = [text]
    return Evidence.model_validate(fields)


def test_texts_are_escaped(evidence):
    page = parsed(report_html(hostile(evidence)))
    assert not page.seen & {"script", "b"}
    assert "not all" in "".join(page.text)
    assert report_pdf(hostile(evidence)).startswith(b"%PDF")


def test_names_and_labels_steer_no_reader(evidence, tmp_path):
    """A mark turned what stood behind it; a control character is no part of HTML."""
    odd = hostile(evidence, "l\u202etfel \u2066a\x1b[2J\x07")
    page = report_html(odd).decode()
    assert not re.search(
        r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", page
    )
    assert r"l\u202etfel \u2066a\x1b[2J\x07" in page
    assert Fonts().known("l\u202etfel") == r"l\u202etfel"
    text = pdf_text(report_pdf(odd), tmp_path)
    assert not re.search(r"[\x00-\x08\x0e-\x1f\u202a-\u202e\u2066-\u2069]", text)


def test_same_evidence_gives_the_same_bytes(evidence):
    assert report_html(evidence) == report_html(evidence)
    assert report_pdf(evidence) == report_pdf(evidence)


def pdf_text(content, tmp_path):
    if shutil.which("pdftotext") is None:
        pytest.skip("needs pdftotext")
    (tmp_path / "r.pdf").write_bytes(content)
    command = ["pdftotext", "-layout", str(tmp_path / "r.pdf"), "-"]
    return subprocess.run(command, capture_output=True, check=True).stdout.decode()


def test_pdf_says_the_same_and_numbers_its_pages(evidence, tmp_path):
    text = pdf_text(report_pdf(evidence), tmp_path)
    pages = text.split("\f")[:-1]
    for number, page in enumerate(pages, start=1):
        assert re.search(rf"{number} ?/ ?{len(pages)}\b", page)
    flat = re.sub(r"\s+", " ", text)
    for section in report_of(evidence).sections:
        assert section.title in flat
    assert "380 of 400 records are released" in flat
    assert evidence.outputs[0].sha256 in flat
    assert "lacks some of the characters" not in flat


def test_fonts_are_inside(evidence):
    content = report_pdf(evidence)
    assert content.count(b"/FontFile2") == 2
    assert b"/Helvetica" not in content or b"BaseFont /Helvetica" in content


def test_characters_that_the_font_lacks_are_told(evidence, tmp_path):
    odd = evidence.model_copy(update={"title": "Řešení 中文"})
    text = pdf_text(report_pdf(odd), tmp_path)
    assert "Rešení" in text
    assert "lacks some of the characters" in re.sub(r"\s+", " ", text)


@pytest.mark.parametrize("text", ["word " * 3_000, "line\n" * 900, "x" * 15_000])
def test_texts_that_are_longer_than_a_page(evidence, text):
    """Terms, cautions and cells of tables go on on the next page."""
    fields = evidence.model_dump(mode="json")
    fields["notes"] = fields["title"] = text
    for name in ("recipient", "set_by", "justification"):
        fields["thresholds"][name] = text
    fields["warnings"] = [f"OVERRULED: {text}", text]
    fields["attributes"][2]["words"] = text
    long = Evidence.model_validate_json(json.dumps(fields))
    assert report_pdf(long).startswith(b"%PDF")


def test_for_what_a_proof_holds_stands_in_the_report(evidence):
    words = tie_words([AverageProsecutorRisk(0.5)])
    search = evidence.search.model_copy(update={"proven_for": words})
    said = "".join(parsed(report_html(evidence)).text)
    assert "equally small equivalence classes" not in said
    proven = evidence.model_copy(update={"search": search})
    assert words in "".join(parsed(report_html(proven)).text)


@pytest.mark.parametrize(
    "method", [*get_args(Search.model_fields["method"].annotation), "lola"]
)
def test_how_it_was_searched_stands_in_words(evidence, method):
    search = evidence.search.model_copy(update={"method": method})
    (section,) = (
        each
        for each in report_of(evidence.model_copy(update={"search": search})).sections
        if each.title == "How the policy was found"
    )
    (name, words), *_ = section.blocks[0].rows
    assert name == "Method"
    assert words != method
    assert len(words.split()) > 3


def combined(compared, not_measured):
    """Criteria of a release that was compared with these tables."""
    found = (Compared.model_construct(name=each) for each in compared)
    return Criteria.model_construct(
        compared=tuple(found), not_measured=dict.fromkeys(not_measured, "other_missing")
    )


@pytest.mark.parametrize("found", [None, combined((), ("membership",))])
def test_nothing_is_said_of_combinations_that_nobody_measured(evidence, found):
    section = contents.limit_section(evidence.model_copy(update={"criteria": found}))
    assert "the same people is not measured." in str(section)
    assert "Could not be compared" not in str(section)


def test_it_is_said_with_what_the_release_was_compared_and_with_what_not(evidence):
    found = combined(("first", "voters"), ("membership", "compared:births"))
    said = str(contents.limit_section(evidence.model_copy(update={"criteria": found})))
    assert "was measured for “first”, “voters” only" in said
    assert "for no other release or register" in said
    assert "Could not be compared: “births”." in said
    assert "is not measured" not in said


def test_no_word_of_a_head_is_cut_in_print(evidence, monkeypatch):
    laid = []

    class Seen(pdf.LongTable):
        def __init__(self, data, **more):
            laid.append((data[0], more.get("colWidths")))
            super().__init__(data, **more)

    monkeypatch.setattr(pdf, "LongTable", Seen)
    overall = dict.fromkeys(("T1", "T2", "T3", "T4"), 0.01)
    case = SensitivityCase(
        kind="as_stated", average=0.1, highest=0.2, overall=overall, decides=0.01
    )
    found = evidence.model_copy(update={"sensitivity": (case,)})
    assert report_pdf(found).startswith(b"%PDF")
    (heads,) = ((row, widths) for row, widths in laid if len(row) == 9)
    assert sum(heads[1]) == pytest.approx(pdf.WIDTH)
    gaps = [13] * 8 + [0]
    for cell, width, gap in zip(*heads, gaps, strict=True):
        assert cell.minWidth() <= width - gap, cell.text


def test_degenerate_evidence(evidence):
    """No models, no quality, nothing released, nothing decided."""
    fields = evidence.model_dump()
    nothing = dict.fromkeys(("highest", "average", "at_risk", "records_at_risk"))
    fields.update(
        models=[],
        quality={},
        distributions={},
        assumptions=[],
        warnings=[],
        title="",
        created="yesterday",
        records=0,
        suppressed_records=0,
        thresholds={},
    )
    fields["risk"].update(
        prosecutor=nothing,
        journalist=nothing,
        marketer=nothing,
        records=0,
        classes=0,
        smallest_class=None,
        threshold=None,
    )
    empty = Evidence.model_validate(fields)
    text = "".join(parsed(report_html(empty)).text)
    assert "no date stated" in text
    assert "No privacy model was required." in text
    assert report_pdf(empty).startswith(b"%PDF")


def test_how_a_total_of_columns_is_made_and_how_high_it_can_be_stands_there(evidence):
    weights = iter((1.0, 0.25))
    attributes = tuple(
        each.model_copy(update={"weight": next(weights, 0.25)})
        if each.name in evidence.quality["loss"].by_attribute
        else each
        for each in evidence.attributes
    )
    page = report_html(evidence.model_copy(update={"attributes": attributes}))
    n = len(evidence.quality["loss"].by_attribute)
    most = share_text((2 * 1.25 ** (n - 1)) ** (1 / n) - 1)
    words = " ".join(parsed(page).text)
    assert "geometric mean of 1 + weight × loss over the columns, minus 1" in words
    assert f"it would be {most}." in words


def test_tables_are_complete(evidence):
    report = report_of(evidence)
    for section in report.sections:
        for block in section.blocks:
            if isinstance(block, ReportTable):
                assert sum(block.widths) == pytest.approx(1)
            if isinstance(block, ReportChart):
                assert block.caption
                assert block.drawing.title


def test_reports_are_those_of_the_written_evidence(tmp_path):
    """The evidence vouches for the reports, which do not show themselves."""
    made = write_release(tmp_path / "out", make_order(tmp_path))
    assert report_html(made.evidence) == (made.folder / "report.html").read_bytes()
    assert report_pdf(made.evidence) == (made.folder / "report.pdf").read_bytes()


# -- charts ----------------------------------------------------------------------------


def inside(drawing):
    """Whether every shape lies on the canvas."""
    for shape in drawing.shapes:
        match shape:
            case Rectangle():
                xs = (shape.x, shape.x + shape.width)
                ys = (shape.y, shape.y + shape.height)
            case Path():
                xs = tuple(x for x, _ in shape.points)
                ys = tuple(y for _, y in shape.points)
            case Lettering():
                xs, ys = (shape.x,), (shape.y,)
        if min(xs) < 0 or max(xs) > drawing.width:
            return False
        if min(ys) < 0 or max(ys) > drawing.height:
            return False
    return True


def test_charts_stay_on_their_canvas(evidence):
    for section in report_of(evidence).sections:
        for block in section.blocks:
            if isinstance(block, ReportChart):
                assert inside(block.drawing)


def test_bars_are_as_long_as_their_records():
    counts = [("a", 40, 10), ("b", 25, 0), ("c", 0, 25)]
    labels = tuple(LabelCount(label=n, released=r, suppressed=w) for n, r, w in counts)
    drawing = distribution_chart("x", Distribution(labels=labels, fewer_than=5))
    bars = [s for s in drawing.shapes if isinstance(s, Rectangle)][2:]
    unit = bars[0].width / 50
    assert [round(bar.width / unit, 6) for bar in bars] == [50, 40, 25, 25, 25]
    texts = [s.text for s in drawing.shapes if isinstance(s, Lettering)]
    assert texts[2:] == ["a", "40 of 50", "b", "25", "c", "0 of 25"]


def test_many_labels_are_summed_up():
    labels = tuple(
        LabelCount(label=f"v{n}", released=100 - n, suppressed=0) for n in range(35)
    )
    others = LabelCount(label="65", released=500, suppressed=0)
    made = Distribution(labels=labels, others=others, fewer_than=5)
    drawing = distribution_chart("x", made)
    texts = [s.text for s in drawing.shapes if isinstance(s, Lettering)][2:]
    assert texts[-2] == f"{35 - MOST_BARS + 1 + 65} more"
    assert len(texts) == 2 * MOST_BARS
    assert inside(drawing)


def test_threshold_is_drawn_only_if_there_is_one(evidence):
    with_line = risk_chart(evidence.class_sizes, 0.2)
    without = risk_chart(evidence.class_sizes, None)
    assert "threshold 20\u202f%" in [
        s.text for s in with_line.shapes if isinstance(s, Lettering)
    ]
    assert len(with_line.shapes) == len(without.shapes) + 2


def test_svg_is_escaped():
    shapes = (Lettering(1, 1, "<&>"), Rectangle(0, 0, 1, 1, AFTER))
    made = svg(Drawing(10, 10, shapes, 'say "hi" & <go>'))
    assert "&lt;&amp;&gt;" in made
    assert "<go>" not in made


@pytest.mark.parametrize(
    ("risk", "text"),
    [
        (1.0, "100\u202f%"),
        (0.2, "20\u202f% (1 in 5)"),
        (0.09, "9\u202f% (1 in 11.1)"),
        (0.0, "0\u202f%"),
        (0.665, "66.5\u202f% (1 in 1.5)"),
    ],
)
def test_chances(risk, text):
    assert chance_text(risk) == text


def test_large_values_are_readable():
    assert contents._measure_text(4.906759112982891e21) == "4.9 × 10^21"
    assert contents._measure_text(22600042.0) == "22,600,042"
    assert contents._measure_text(None) == "–"


def test_labels_and_dates():
    assert short("") == "(empty)"
    assert short("a\n b") == "a b"
    assert len(short("x" * 99)) == 32
    assert date_text("2026-02-03T04:05:06+00:00") == "3 February 2026, 04:05 UTC"
    assert date_text("2026-02-03T04:05:06") == "3 February 2026, 04:05"
    assert date_text(None) == "no date stated"
