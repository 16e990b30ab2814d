"""The dossier of a written release, once more: for a regime, in an edition."""

from __future__ import annotations

import shutil

import pytest

from deidgui.app.dossier import dossier_facts
from deidgui.app.release.writing import write_release
from deidgui.app.report import report_html
from deidgui.app.report.contents import report_of
from deidgui.engine.evidence.document import digest_of
from tests.app.test_report_dossier import project_of, stated
from tests.release_case import make_order


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("written")
    return write_release(folder / "out", make_order(folder))


@pytest.fixture
def release(written, tmp_path):
    return shutil.copytree(written.folder, tmp_path / "release")


def contents(folder):
    return {each.name: each.read_bytes() for each in folder.rglob("*.*")}


def test_it_is_the_report_of_the_release_and_the_release_stays(
    cli, release, written, tmp_path
):
    before = contents(release)
    out = tmp_path / "dossier.html"
    done = cli("report", release, "--out", out, "--json")
    assert done.code == 0, done.err
    assert done.json["report"] == str(out)
    assert out.read_bytes() == (release / "report.html").read_bytes()
    pdf = tmp_path / "dossier.PDF"
    assert cli("report", release, "--out", pdf).code == 0
    assert pdf.read_bytes() == (release / "report.pdf").read_bytes()
    public = tmp_path / "public.html"
    assert cli("report", release, "--out", public, "--edition", "public").code == 0
    assert "public edition of the report" in public.read_text("utf-8")
    assert digest_of(written.evidence) in public.read_text("utf-8")
    assert contents(release) == before


def test_a_release_that_does_not_verify_has_no_report(cli, release, tmp_path):
    (release / "report.html").write_bytes(b"<p>other")
    out = tmp_path / "dossier.pdf"
    done = cli("report", release, "--out", out)
    assert done.code == 4
    assert "no report was written" in done.err
    assert not out.exists()


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (("--out", "dossier.docx"), ".pdf"),
        (("--out", "a.pdf", "--regime", "mars"), "ontario"),
        (("--out", "a.pdf", "--edition", "secret"), "confidential"),
        (("--out", "release/a.pdf"), "inside the release"),
    ],
)
def test_what_cannot_be_made_is_refused(cli, release, monkeypatch, wrong, says):
    monkeypatch.chdir(release.parent)
    done = cli("report", release, *wrong)
    assert done.code == 2
    assert says in done.err
    assert not list(release.parent.rglob("a.pdf"))


@pytest.mark.parametrize("regime", ["gdpr", "ema"])
def test_the_front_sheet_is_that_of_the_regime(written, regime):
    found = stated(written.evidence, project_of(written.evidence))
    assert found.dossier.regime is None
    report = report_of(found, regime=regime)
    titles = [each.title for each in report.sections]
    assert any(each.startswith("Front sheet: ") for each in titles)
    # The number that is signed is that of the evidence, whatever the edition.
    for edition in ("public", "confidential"):
        html = report_html(found, edition=edition, regime=regime).decode()
        assert html.count(digest_of(found)) == 2
    assert dossier_facts(project_of(written.evidence), suppresses=True).regime is None
