"""``deidgui counts repair``: what protects the tables of the paper."""

from __future__ import annotations

import csv
import json

import pytest

from tests.cli.test_counts import files  # noqa: F401 - a fixture


@pytest.fixture
def repaired(cli, files):  # noqa: F811
    done = cli("counts", "repair", files[1], "--threshold", "11", "--json")
    assert done.code == 0
    return json.loads(done.out)


def test_table_2_takes_one_complement_for_each_group(repaired):
    found = repaired["complements"]
    assert repaired["to_protect"] == 4
    assert (found["figures"], found["counted"]) == (4, 99 + 49 + 999 + 99_999)
    assert found["gap"] < 1e-3
    assert found["unprotected"] == []
    assert [each["line"] for each in found["cells"]] == [4, 7, 10, 11]


def test_table_2_takes_a_threshold_of_100_000(repaired):
    assert repaired["threshold"]["value"] == 100_000


def test_the_words_say_both(cli, files):  # noqa: F811
    done = cli("counts", "repair", *files, "--threshold", "11")
    assert done.code == 0
    assert "5 masked counts are exact or too narrow." in done.out
    assert "with a mark of their own, never T." in done.out
    # At 100,000 Table 1 would mask 100 but show the 100,000 that tell it.
    assert "Higher threshold: 100,001 is the smallest that protects" in done.out


def test_tables_that_are_protected_need_nothing(cli, tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("Age,N\nOverall,200\n18-24,190\n25-35,T\n36-50,T\n", "utf-8")
    done = cli("counts", "repair", path, "--threshold", "11")
    assert "No masked count can be inferred exactly or nearly" in done.out
    assert "(1 relation)" in done.out


def test_small_counts_that_are_shown_are_told(cli, tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("Age,N\nOverall,200\n18-24,190\n25-35,6\n36-50,4\n", "utf-8")
    for command in ("audit", "repair"):
        done = cli("counts", command, path, "--threshold", "11")
        assert "2 counts below the threshold are shown, not masked" in done.out
        assert "--apply mask" in done.out
        assert "protected" not in done.out
        done = cli("counts", command, path)
        assert "No count is masked and no threshold is stated." in done.out
        assert "protected" not in done.out


def test_hidden_counts_leave_the_tables_protected(cli, files, repaired):  # noqa: F811
    """Hide what is named in the file itself, and audit it again."""
    lines = files[1].read_text("utf-8").splitlines()
    rows = list(csv.reader(lines))
    for each in repaired["complements"]["cells"]:
        rows[each["line"] - 1][each["position"] - 1] = "C"
    with files[1].open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)
    done = cli("counts", "audit", files[1], "--threshold", "11", "--json")
    found = json.loads(done.out)
    assert not found["conflicts"]
    assert {each["class"] for each in found["cells"]} <= {"narrowed", "protected"}
