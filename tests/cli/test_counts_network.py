"""A network of forty sites made from real discharges, by commands alone."""

from __future__ import annotations

import csv
import gzip
import json
from collections import Counter, defaultdict

import pytest

from deidgui.app.storage.project_io import load_project
from tests.shared import shared

N_SITES, THRESHOLD = 40, 11


@pytest.fixture(scope="module")
def discharges():
    """Discharges of 2010 with age and sex; sites are kinds of hospital of a region."""
    found = defaultdict(list)
    path = shared("data", "nhds2010", "nhds2010.csv.gz")
    with gzip.open(path, "rt", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            half = int(row["dc_month"] or 0) > 6
            site = row["region"], row["n_beds"], row["hospital_ownership"], half
            found[site].append((f"chapter {row['dx01'][:1]}", row["sex"]))
    large = (each for each in found.values() if len(each) >= 150)
    sites = sorted(large, key=len, reverse=True)
    return sites[:: len(sites) // N_SITES][:N_SITES]


def test_forty_sites_of_nhds_are_added_up_and_kept(cli, tmp_path, discharges):
    files, true, hidden = [], Counter(), Counter()
    for number, rows in enumerate(discharges):
        patients = tmp_path / f"patients{number}.csv"
        with patients.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([("diagnosis", "sex"), *rows])
        table = tmp_path / f"site{number}.csv"
        made = ("--rows", "diagnosis", "--columns", "sex", "--out", table)
        assert cli("counts", "make", patients, *made).code == 0
        files.append(table)
        own = Counter(rows)
        true.update(own)
        hidden.update({key: n for key, n in own.items() if n < THRESHOLD})
    project = tmp_path / "network.deid.json"
    assert cli("counts", "inspect", files[0], "--project", project).code == 0
    done = cli("counts", "network", *files, "--project", project, "--json")
    assert done.code == 0, done.err
    result = json.loads(done.out)
    assert len(result["sites"]) == N_SITES
    sums = {each["name"]: each for each in result["counts"]}
    compared = [key for key in true if ", ".join(key) in sums]
    assert len(compared) >= 20
    for key in compared:
        found = sums[", ".join(key)]
        assert (found["total"], found["missing"]) == (true[key], hidden[key])
    small, large = _lost_by_size(result["sites"])
    assert small > 2 * large

    # The project keeps the sites: their cells beside it, and no hash of true counts.
    kept = load_project(project).counts.sites
    assert len(kept) == N_SITES
    assert not any(each.sha256 for each in kept)
    assert all((tmp_path / each.file).is_file() for each in kept)
    for each in files:
        each.unlink()
    again = cli("counts", "network", "--project", project, "--json")
    assert json.loads(again.out) == result


def _lost_by_size(sites):
    """Share that is hidden on average, of the smaller and the larger half."""
    lost = [each["hidden"] for each in sorted(sites, key=lambda site: site["size"])]
    half = len(lost) // 2
    return sum(lost[:half]) / half, sum(lost[half:]) / (len(lost) - half)


def test_released_sites_keep_their_digest_and_their_noise(cli, tmp_path):
    files = []
    for number in range(3):
        table = tmp_path / f"site{number}.csv"
        table.write_text(f"Group,N\nA,{20 + 100 * number}\nB,{3 * number}\n", "utf-8")
        out = tmp_path / f"out{number}"
        assert cli("counts", "fuzz", table, "--out", out).code == 0
        files.append(out / f"site{number}_released.csv")
    project = tmp_path / "p.deid.json"
    assert cli("counts", "inspect", files[0], "--project", project).code == 0
    first = cli("counts", "network", *files[:2], "--project", project, "--json")
    assert len(json.loads(first.out)["sites"]) == 2
    done = cli("counts", "network", files[2], "--project", project, "--json")
    sites = json.loads(done.out)["sites"]
    assert len(sites) == 3
    assert all(each["sd"] == pytest.approx(2.5166, abs=1e-3) for each in sites)
    kept = load_project(project).counts.sites
    assert len({each.sha256 for each in kept} - {""}) == 3
