"""``deidgui counts audit``: contract, the tables of the paper, and refusals."""

from __future__ import annotations

import csv
import json

import pytest

from deidgui.app.reading.files import save_hierarchy_files
from deidgui.app.storage.project_io import save_project
from tests.app.counts.test_counts_project import project_of
from tests.engine.counts.seed import TABLE_1, TABLE_2


@pytest.fixture
def files(tmp_path):
    """Tables 1 and 2 of the paper as CSV files."""
    found = []
    for name, text in (("table1", TABLE_1), ("table2", TABLE_2)):
        path = tmp_path / f"{name}.csv"
        with path.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(line.split("\t") for line in text.splitlines())
        found.append(path)
    return found


def test_every_masked_count_of_the_paper_is_found_exactly(cli, files):
    """Oracle O-D1."""
    done = cli("counts", "audit", *files, "--threshold", "11", "--json")
    assert done.code == 0
    cells = json.loads(done.out)["cells"]
    assert [each["low"] for each in cells] == [2, 1, 1, 1, 1]
    assert all(each["low"] == each["high"] for each in cells)
    assert {each["class"] for each in cells} == {"exact"}
    assert [(each["table"], each["line"]) for each in cells] == [
        ("table1", 4),
        ("table2", 5),
        ("table2", 6),
        ("table2", 9),
        ("table2", 11),
    ]
    assert cells[1]["row"] == "By Age Group: 25-35"
    assert cells[1]["column"] == "Sample1"


def test_the_derivation_is_told_in_words(cli, files):
    done = cli("counts", "audit", files[0], "--threshold", "11")
    assert "100 remained before, 98 were excluded, so T = 2" in done.out


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        # O-D2: two masked counts beside 90 of 100, and beside 80 of 100.
        (["90", "T", "T", "0"], [(1, 9, "narrowed"), (1, 9, "narrowed")]),
        (["80", "T", "T", "0"], [(10, 10, "exact"), (10, 10, "exact")]),
    ],
)
def test_groups_with_two_masked_counts(cli, tmp_path, rows, found):
    path = tmp_path / "t.csv"
    body = "".join(f"c{at},{each}\n" for at, each in enumerate(rows))
    path.write_text(f"Characteristic,N\nOverall,100\nGroup:,\n{body}", "utf-8")
    done = cli("counts", "audit", path, "--threshold", "11", "--json")
    cells = json.loads(done.out)["cells"]
    assert [(e["low"], e["high"], e["class"]) for e in cells] == found


def test_a_cross_table_with_margins(cli, tmp_path):
    """Oracle O-D3."""
    path = tmp_path / "t.csv"
    path.write_text(",P,Q,Total\nA,T,T,15\nB,T,T,12\nTotal,T,18,27\n", "utf-8")
    done = cli("counts", "audit", path, "--threshold", "11", "--json")
    cells = json.loads(done.out)["cells"]
    intervals = [(each["low"], each["high"]) for each in cells]
    assert intervals == [(5, 7), (8, 10), (2, 4), (8, 10), (9, 9)]


def test_counts_of_left_out_sums_say_so_at_the_count(cli, tmp_path):
    """Without the sums they would look protected."""
    path = tmp_path / "t.csv"
    path.write_text("Group,N\nOverall,100\nF,60\nM,50\nX,T\nY,T\n", "utf-8")
    done = cli("counts", "audit", path, "--threshold", "11", "--json")
    found = json.loads(done.out)
    assert [each["class"] for each in found["cells"]] == ["inconsistent"] * 2
    assert not any(each["proven"] for each in found["cells"])
    assert found["cells"][0]["left_out"] == ["F + M + X + Y = Overall [N]"]
    assert found["outcomes"]["protected"] == 0
    words = cli("counts", "audit", path, "--threshold", "11").out
    assert "in sums that do not agree, not proven" in words
    assert words.count("Left out, since it does not agree with the rest") == 2


def test_a_count_beside_a_contradiction_is_not_proven(cli, tmp_path):
    """Two steps contradict each other: what follows from the rest says so."""
    path = tmp_path / "t.csv"
    path.write_text("Step,Remaining,Excluded\na,100,\nb,T,98\nc,T,30\n", "utf-8")
    done = cli("counts", "audit", path, "--threshold", "11", "--json")
    first, second = json.loads(done.out)["cells"]
    assert (first["low"], first["high"], first["class"]) == (2, 2, "exact")
    assert (first["proven"], second["class"]) == (False, "inconsistent")
    assert first["left_out"] == second["left_out"] != []


def test_a_longer_chain(cli, tmp_path):
    """Oracle O-D4: 2 remained, and of these some were excluded."""
    path = tmp_path / "t.csv"
    path.write_text(
        "Step,Remaining,Excluded\na,100,\nb,T,98\nc,T,T\n", encoding="utf-8"
    )
    done = cli("counts", "audit", path, "--threshold", "11", "--json")
    cells = json.loads(done.out)["cells"]
    assert [(each["low"], each["high"]) for each in cells] == [(2, 2), (1, 1), (1, 1)]


def test_a_threshold_is_asked_for_and_never_assumed(cli, files):
    done = cli("counts", "audit", files[1])
    assert done.code == 2
    assert "--threshold" in done.err
    assert "table2" in done.err
    assert done.out == ""


def test_tables_of_others_that_state_their_threshold_need_none(cli, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("Group,N\nOverall,40\nF,<11\nM,34\n", "utf-8")
    done = cli("counts", "audit", path, "--json")
    (cell,) = json.loads(done.out)["cells"]
    assert (cell["low"], cell["high"], cell["class"]) == (6, 6, "exact")


def test_marks_of_others_and_masked_zeros(cli, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("Group,N\nOverall,40\nF,s\nM,s\nX,35\n", "utf-8")
    refused = cli("counts", "audit", path, "--threshold", "6")
    assert refused.code == 2
    assert "--mark" in refused.err or "mark" in refused.err
    arguments = ("--threshold", "6", "--mark", "s=masked", "--json")
    found = json.loads(cli("counts", "audit", path, *arguments).out)["cells"]
    assert [(each["low"], each["high"]) for each in found] == [(1, 4), (1, 4)]
    found = json.loads(cli("counts", "audit", path, *arguments, "--mask-zero").out)
    assert [(e["low"], e["high"]) for e in found["cells"]] == [(0, 5), (0, 5)]


def test_problems_name_places_and_never_values(cli, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("Group,N\nOverall,secret\nF,-12345\nM,3.75\n", "utf-8")
    done = cli("counts", "audit", path, "--threshold", "11")
    assert done.code == 2
    assert "line 3" in done.err
    assert "3.75" not in done.err
    assert "12345" not in done.err


def test_sums_that_do_not_agree_are_named(cli, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("Group,N\nOverall,100\nBy Sex:,\nF,40\nM,50\n", "utf-8")
    done = cli("counts", "audit", path)
    assert done.code == 0
    assert "Sums that do not agree" in done.out
    assert "F + M = Overall" in done.out


def test_a_project_is_audited_with_its_own_decisions(cli, tmp_path):
    project, beside = project_of(TABLE_2, threshold=11)
    path = tmp_path / "p.deid.json"
    save_project(project, path)
    save_hierarchy_files(project, beside, tmp_path)
    found = json.loads(cli("counts", "audit", path, "--json").out)
    assert found["outcomes"]["exact"] == 4
    assert cli("counts", "audit", path, path).code == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ("missing.csv", "--threshold", "11"),
        ("--threshold", "11"),
        ("t.csv", "--threshold", "1"),
        ("t.csv", "--mark", "x"),
    ],
)
def test_bad_usage_is_refused(cli, tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("Group,N\nF,T\n")
    done = cli("counts", "audit", *arguments)
    assert done.code == 2
    assert done.err


def test_a_table_is_made_from_patients_and_audited(cli, tmp_path):
    path, out = tmp_path / "p.csv", tmp_path / "t.csv"
    body = "".join(f"{at},{'F' if at % 3 else 'M'}\n" for at in range(30))
    path.write_text(f"id,sex\n{body}", "utf-8")
    done = cli("counts", "make", path, "--describe", "sex", "--out", out)
    assert done.code == 0
    assert "true counts" in done.out
    assert out.read_text("utf-8").splitlines()[1:] == [
        "Overall (N),30",
        "sex:,",
        "F,20",
        "M,10",
    ]
    assert cli("counts", "audit", out).code == 0
    again = cli("counts", "make", path, "--describe", "sex", "--out", out)
    assert again.code == 2
    assert cli("counts", "make", path, "--out", tmp_path / "x.csv").code == 2
