"""``deidgui counts fuzz`` and ``deidgui run`` of a project of tables of counts."""

from __future__ import annotations

import csv
import json

import pytest

from deidgui.app.reading.files import save_hierarchy_files
from deidgui.app.storage.project_io import save_project
from deidgui.engine.counts.noise.rules import RoundedGaussian
from tests.app.counts.test_counts_project import project_of
from tests.engine.counts.seed import TABLE_2
from tests.engine.counts.test_fuzzing import TRUE


@pytest.fixture
def file(tmp_path):
    """Table 2 of the paper with its true counts."""
    path = tmp_path / "table2.csv"
    with path.open("w", newline="", encoding="utf-8") as opened:
        csv.writer(opened).writerows(line.split("\t") for line in TRUE.splitlines())
    return path


def rows_of(path):
    with path.open(newline="", encoding="utf-8") as opened:
        return list(csv.reader(opened))


def test_tables_get_noise_and_the_release_is_verified(cli, file, tmp_path):
    out = tmp_path / "release"
    done = cli("counts", "fuzz", file, "--out", out, "--json")
    assert done.code == 0
    result = json.loads(done.out)
    assert result["verified"]
    assert result["tables"][0]["counts"] == 18
    assert result["evidence"]["inputs"] == [
        {"name": "table2", "file": "table2.csv", "sheet": ""}
    ]
    noise = result["evidence"]["noise"]
    assert (noise["sigma"], noise["threshold"]) == (2.5, 11)
    assert noise["standard_deviation"] == pytest.approx(2.51661, abs=1e-5)
    before, after = rows_of(file), rows_of(out / "table2_released.csv")
    assert [row[0] for row in after] == [row[0] for row in before]
    assert after != before
    assert cli("verify", out).code == 0


def test_what_was_done_is_told_in_words(cli, file, tmp_path):
    done = cli("counts", "fuzz", file, "--out", tmp_path / "out", "--sigma", "1.33")
    assert "standard deviation 1.33" in " ".join(done.out.split())
    assert "±2.67" in done.out
    assert "The key of the noise was destroyed" in " ".join(done.out.split())


def test_a_key_makes_the_noise_repeat(cli, file, tmp_path):
    key = tmp_path / "noise.key"
    for name in ("one", "two"):
        done = cli("counts", "fuzz", file, "--out", tmp_path / name, "--key", key)
        assert done.code == 0
    both = [tmp_path / name / "table2_released.csv" for name in ("one", "two")]
    assert rows_of(both[0]) == rows_of(both[1])


def test_every_rule_has_its_options(cli, file, tmp_path):
    for number, options in enumerate(
        (
            ["--rule", "discrete", "--per-person", "3"],
            ["--rule", "sas"],
            ["--fresh", "7/30"],
            ["--zeros", "kept", "--zeros-file", tmp_path / "zeros.json"],
        )
    ):
        out = tmp_path / str(number) / "out"
        done = cli("counts", "fuzz", file, "--out", out, *options)
        assert done.code == 0, done.err
        assert cli("verify", out).code == 0
    assert (tmp_path / "zeros.json").exists()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--rule", "discrete"], "--per-person"),
        (["--rule", "other"], "gaussian, discrete or sas"),
        (["--fresh", "often"], "REPEATS/DAYS"),
        (["--sigma", "0"], "sigma"),
        (["--zeros", "some"], "zeros"),
    ],
)
def test_a_wrong_option_is_named(cli, file, tmp_path, options, words):
    done = cli("counts", "fuzz", file, "--out", tmp_path / "out", *options)
    assert done.code == 2
    assert words in done.err
    assert not (tmp_path / "out").exists()


def test_cells_that_are_no_counts_are_named(cli, tmp_path):
    path = tmp_path / "bad.csv"
    path.write_text("Group,N\nA,200\nB,many\nC,1.5\nD,7\nE,8\n", "utf-8")
    done = cli("counts", "fuzz", path, "--out", tmp_path / "out")
    assert done.code == 2
    assert "line 3" in done.err
    assert "line 4" in done.err
    assert "many" not in done.err


# -- of a project ----------------------------------------------------------------------


@pytest.fixture
def project(tmp_path):
    """A project of one table, and its file."""
    made, files = project_of(TRUE)
    path = tmp_path / "counts.deid.json"
    save_hierarchy_files(made, files, tmp_path)
    save_project(made, path)
    return made, path


def test_a_project_without_a_decision_is_not_released(cli, project, tmp_path):
    done = cli("run", project[1], "--out", tmp_path / "out")
    assert done.code == 2
    assert "decided which noise" in done.err
    assert not (tmp_path / "out").exists()


def test_a_project_is_released_as_it_says(cli, project, tmp_path):
    made, path = project
    rule = RoundedGaussian(2.0, 11, "noise", "keyed")
    save_project(made.but(counts=made.counts.but(noise=rule)), path)
    done = cli("run", path, "--out", tmp_path / "out")
    assert done.code == 0, done.err
    evidence = json.loads((tmp_path / "out" / "evidence.json").read_text("utf-8"))
    assert evidence["kind"] == "counts"
    assert evidence["noise"]["sigma"] == 2.0
    assert cli("verify", tmp_path / "out").code == 0


def masked_project(tmp_path, text, **fields):
    made, files = project_of(text, threshold=11, release="masked", **fields)
    path = tmp_path / "masked.deid.json"
    save_hierarchy_files(made, files, tmp_path)
    save_project(made, path)
    return path


def test_masked_tables_that_give_counts_away_are_not_released(cli, tmp_path):
    path = masked_project(tmp_path, TABLE_2)
    done = cli("run", path, "--out", tmp_path / "out")
    assert done.code == 2
    assert "4 masked counts can be inferred" in done.err
    reasoned = masked_project(tmp_path, TABLE_2, inferable_because="Published before.")
    assert cli("run", reasoned, "--out", tmp_path / "out").code == 0
    report = (tmp_path / "out" / "report.html").read_text("utf-8")
    assert "Published before." in report
    assert cli("verify", tmp_path / "out").code == 0


def test_masked_tables_that_are_wide_enough_are_released(cli, tmp_path):
    """Oracle O-D2: two masked counts beside 90 of 100 are 1 to 9 each."""
    path = masked_project(tmp_path, "Group\tN\nTotal\t100\nA\t90\nB\tT\nC\tT\n")
    assert cli("run", path, "--out", tmp_path / "out").code == 0
    evidence = json.loads((tmp_path / "out" / "evidence.json").read_text("utf-8"))
    assert evidence["noise"] is None
    assert evidence["audit"]["narrowed"] == 2
    assert cli("verify", tmp_path / "out").code == 0


def test_zeros_among_true_counts_are_released_only_by_a_decision(cli, tmp_path):
    """Whether zeros are masked too decides what is released; nobody has said it."""
    text = "Group\tN\nTotal\t100\nA\t100\nB\t0\n"
    path = masked_project(tmp_path, text)
    done = cli("run", path, "--out", tmp_path / "out")
    assert done.code == 2
    assert "counts.mask_zero" in done.err
    assert not (tmp_path / "out").exists()
    assert "counts.mask_zero" in cli("decide", path).out
    done = cli("counts", "repair", path, "--apply", "mask")
    assert done.code == 2
    assert "counts.mask_zero" in done.err
    assert cli("decide", path, "--set", "counts.mask_zero=no").code == 0
    assert cli("run", path, "--out", tmp_path / "out").code == 0


def test_small_counts_that_are_shown_are_not_released(cli, tmp_path):
    path = masked_project(tmp_path, "Group\tN\nTotal\t100\nA\t95\nB\t5\n")
    done = cli("run", path, "--out", tmp_path / "out")
    assert done.code == 2
    assert "1 count below the threshold" in done.err
