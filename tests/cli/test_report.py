"""The dossier of a written release, once more: for a regime, in an edition."""

from __future__ import annotations

import json
import shutil

import pytest

from deidgui.app.commands.summary import of_run
from deidgui.app.dossier.dossier import dossier_facts
from deidgui.app.ops import change_dossier
from deidgui.app.reading.files import save_hierarchy_files
from deidgui.app.release.verifying import verify
from deidgui.app.release.writing import write_release
from deidgui.app.report import report_html
from deidgui.app.report.contents import report_of
from deidgui.app.storage.project_io import save_project
from deidgui.engine.evidence.document import digest_of
from deidgui.engine.evidence.entered import Entered
from tests.app.context_case import watched
from tests.app.counts.test_counts_project import project_of as counts_of
from tests.app.dossier_case import whole
from tests.app.test_public_edition import SHOWN_OF_PROJECT, Marked
from tests.app.test_report_dossier import project_of, stated
from tests.engine.counts.seed import TABLE_2
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
    done = cli("report", release, "--out", public, "--edition", "public")
    assert done.code == 0
    assert "Publish the report, not the folder." in " ".join(done.out.split())
    kept = cli("report", release, "--out", tmp_path / "a.html")
    assert "Publish" not in kept.out
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
        assert html.count(digest_of(found)) == 4
    assert dossier_facts(project_of(written.evidence), suppresses=True).regime is None


def test_tables_of_counts_have_a_public_edition(cli, tmp_path):
    """Every text that a person can type is marked; the list of what is shown holds."""
    signed = Entered(by="N. N.", on="2026-11-23")
    made, files = counts_of(
        TABLE_2,
        threshold=11,
        release="masked",
        inferable_because="Published before.",
        inferable_signed=signed,
    )
    project = watched(made).but(dossier=whole(made).dossier)
    validity = whole(made).validity
    marked = Marked()
    project = marked(project.but(validity=validity, name="Counts"))
    path = tmp_path / "counts.deid.json"
    save_hierarchy_files(project, files, tmp_path)
    save_project(project, path)
    done = cli("run", path, "--out", tmp_path / "out")
    assert done.code == 0, done.err
    texts = {}
    for edition in ("public", "confidential"):
        out = tmp_path / f"{edition}.html"
        done = cli("report", tmp_path / "out", "--out", out, "--edition", edition)
        assert done.code == 0, done.err
        texts[edition] = out.read_text("utf-8")
    public = marked.shown_in(texts["public"])
    assert public == {"name", "counts.tables.*.name", *OF_VALIDITY}
    assert public <= set(SHOWN_OF_PROJECT)
    assert marked.shown_in(texts["confidential"]) >= public | {
        *("notes", "notes_signed.by", "counts.inferable_because"),
        *("counts.inferable_signed.by", "validity.conditions"),
        *("validity.periods.*.because", "validity.periods.*.by"),
    }
    assert "in the confidential edition only" in texts["public"]
    # Which edition it is stands first; how long something holds is no determination.
    assert texts["public"].index(">Edition<") < texts["public"].index(
        "What is released"
    )
    said = json.loads((tmp_path / "out" / "evidence.json").read_text("utf-8"))
    n_cells = sum(each["masked"] for each in said["outputs"])
    kinds = ("exact", "tight", "narrowed", "protected")
    n_small = sum(said["audit"][each] for each in kinds)
    n_small += len(said["audit"]["inconsistent"])
    for text in texts.values():
        # Cells that are masked and not audited are explained.
        assert (f"{n_cells} cells are masked in all" in text) == (n_cells > n_small)
        assert "Not a determination" in text
        assert "There is no determination yet. When there is one: The" in text
        assert "to the recipient and for the purpose" not in text
    assert "belongs to the confidential edition" in texts["public"]
    # One digest, whatever the edition.
    for text in texts.values():
        assert text.count(digest_of(verified(tmp_path / "out"))) == 2


OF_VALIDITY = ("validity.in_charge", "validity.contact")


def verified(folder):
    found = verify(folder)
    assert found.ok
    return found.evidence


@pytest.mark.parametrize("edition", ["public", "confidential"])
def test_a_run_says_what_of_a_public_edition_not_to_publish(written, edition):
    project = change_dossier(edition=edition)(project_of(written.evidence))
    evidence = stated(written.evidence, project).model_dump(mode="json")
    result = {"evidence": evidence, "policy": "-", "release": "out"}
    words = " ".join(of_run(result).split())
    assert ("Publish the report, not the folder." in words) == (edition == "public")
