"""``deidgui counts network`` and ``deidgui counts advise``."""

import json

import pytest


def test_negative_counts_are_added_up(cli, tmp_path):
    for number, few in enumerate((-2, 7)):
        text = f"Group,N\nOverall,60\nF,55\nM,{few}\n"
        (tmp_path / f"site{number}.csv").write_text(text, "utf-8")
    files = [tmp_path / f"site{number}.csv" for number in range(2)]
    result = json.loads(cli("counts", "network", *files, "--json").out)
    totals = {each["name"]: each["total"] for each in result["counts"]}
    assert totals == {"Overall, N": 120, "F, N": 110, "M, N": 5}


def test_sites_are_added_up_with_their_uncertainty(cli, tmp_path):
    true, released = [], []
    for number in range(4):
        text = f"Group,N\nOverall,{60 + number}\nF,{55 + number}\nM,5\n"
        path = tmp_path / f"site{number}.csv"
        path.write_text(text, "utf-8")
        out = tmp_path / f"release{number}"
        assert cli("counts", "fuzz", path, "--out", out).code == 0
        true.append(path)
        released.append(out / f"site{number}_released.csv")
    result = json.loads(cli("counts", "network", *released, "--json").out)
    by_name = {each["name"]: each for each in result["counts"]}
    assert set(by_name) == {"Overall, N", "F, N", "M, N"}
    assert by_name["M, N"]["sd"] == pytest.approx(2 * 2.51661, abs=1e-4)
    assert abs(by_name["Overall, N"]["total"] - 246) < 40
    assert all(
        each["sd"] == pytest.approx(2.51661, abs=1e-5) for each in result["sites"]
    )
    exact = json.loads(cli("counts", "network", *true, "--json").out)
    found = {each["name"]: each for each in exact["counts"]}["M, N"]
    assert (found["total"], found["shown"], found["sd"]) == (20, 0, 0)
    assert (found["masked_sites"], found["missing"]) == (4, 20)
    words = cli("counts", "network", *true).out
    assert "M, N: 20 ± 0.0; under a threshold 0, 4 sites masked" in words


def test_sites_without_a_common_count_are_refused(cli, tmp_path):
    for name in ("one", "two"):
        (tmp_path / f"{name}.csv").write_text(f"Group,N\n{name},30\n", "utf-8")
    done = cli("counts", "network", tmp_path / "one.csv", tmp_path / "two.csv")
    assert done.code == 2
    assert "same labels" in done.err


def test_advice_gives_the_published_repeats(cli):
    options = ("--repeats", "10", "--per-site", "1", "--sites", "6", "--runs", "2000")
    found = json.loads(cli("counts", "advise", *options, "--json").out)
    assert found["repeats"]["mean"] == pytest.approx(24, abs=1)
    assert found["repeats"]["median"] == 17
    assert found["by_sigma"]["1.33"] == pytest.approx(12.3, abs=0.7)
    assert found["sigma_for_repeats"] == 1.33
    assert found["crossover"] == pytest.approx(6.25)
    words = " ".join(cli("counts", "advise", *options).out.split())
    assert "A threshold is preferable" in words
    assert "from 7 sites on" in words
    assert "2,000 simulated attacks" in words
    assert "σ = 1.33 takes more repeats" in words
    assert cli("counts", "advise", "--sites", "0").code == 2
    assert cli("counts", "advise", "--sigma", "-1").code == 2
