"""Published optima of Adult through the real command (methods.md O-B6)."""

from __future__ import annotations

import json

import pytest

from tests.cli.adult import ATTRIBUTES, make_adult


@pytest.fixture(scope="module")
def adult(tmp_path_factory):
    """Adult with nine quasi-identifiers."""
    return make_adult(tmp_path_factory.mktemp("adult"))


def ask(case, measure, limit, k=5):
    case.change(
        privacy={
            "models": [{"kind": "k_anonymity", "k": k}],
            "suppression_limit": limit,
        },
        quality={"measure": measure},
    )


MEAN = {"kind": "loss", "aggregate": "arithmetic_mean"}
ENTROPY = {"kind": "non_uniform_entropy"}
DISCERNIBILITY = {"kind": "discernibility"}

# Measure, limit, number of solutions, optimum, its levels, suppressed records.
OPTIMA = [
    (MEAN, 0, 87, 0.635544, (0, 4, 1, 1, 3, 2, 2, 1, 0), 0),
    (MEAN, 0.04, 4452, 0.292816, (0, 3, 0, 1, 1, 1, 1, 2, 0), 1178),
    (MEAN, 1, 12960, 0.227700, (0, 3, 0, 0, 2, 1, 1, 1, 0), 2553),
    (ENTROPY, 0, 87, 407289.53889, (1, 2, 1, 1, 3, 2, 2, 1, 1), 0),
    (ENTROPY, 0.04, 4452, 264971.58256, (1, 0, 1, 1, 3, 2, 2, 0, 1), 906),
    (ENTROPY, 1, 12960, 249855.10868, (0, 0, 1, 1, 3, 2, 2, 0, 0), 3659),
    (DISCERNIBILITY, 0.04, 4452, 7220555, (0, 0, 1, 2, 3, 2, 2, 1, 1), 105),
]


@pytest.mark.parametrize(
    ("measure", "limit", "solutions", "loss", "levels", "suppressed"), OPTIMA
)
def test_optimum(cli, adult, measure, limit, solutions, loss, levels, suppressed):
    ask(adult, measure, limit)
    found = cli("search", adult.project, "--json").json
    assert found["complete"] is True
    assert found["nodes"] == 12960
    # A proof looks at few; a survey changes nothing of it.
    assert found["checked"] < 12960 / 4
    assert found["solutions"] is None
    assert found["compared_solutions"] <= found["compared"] <= 100
    assert found["prices"] is None
    best = found["optimum"]
    if measure != ENTROPY:
        whole = cli("search", adult.project, "--survey", "--json").json
        assert whole["solutions"] == solutions
        assert whole["checked"] == found["checked"]
        assert whole["compared"] + whole["skipped"] == 12960
        assert (whole["skipped"] > 0) == (limit < 1)
        assert bool(whole["skipped_because"]) == (limit < 1)
        assert whole["optimum"] == best
        assert whole["prices"]["all_policies_compared"]
    assert best["levels"] == dict(zip(ATTRIBUTES, levels, strict=True))
    assert best["suppressed_records"] == suppressed
    # Printed to six digits at least.
    assert best["loss"] == pytest.approx(loss, rel=2e-6)


def test_release_is_the_optimum_and_the_same_each_time(cli, adult, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1795000000")
    ask(adult, MEAN, 0.04)
    contents = []
    for name in ("first", "second"):
        out = adult.folder / name
        assert cli("run", adult.project, "--out", out).code == 0
        files = [path for path in out.rglob("*") if path.is_file()]
        contents.append({p.relative_to(out): p.read_bytes() for p in files})
    assert contents[0] == contents[1]
    evidence = json.loads((adult.folder / "first" / "evidence.json").read_text("utf-8"))
    levels = (0, 3, 0, 1, 1, 1, 1, 2, 0)
    assert evidence["policy"]["levels"] == dict(zip(ATTRIBUTES, levels, strict=True))
    assert evidence["suppressed_records"] == 1178
    assert evidence["quality"]["loss"]["value"] == pytest.approx(0.292816, rel=2e-6)
    assert evidence["risk"]["prosecutor"]["highest"] <= 0.2
    # Another seed is another order of the same rows.
    adult.change(export={"withheld": "stars", "shuffle_seed": 2})
    other = adult.folder / "other"
    assert cli("run", adult.project, "--out", other).code == 0
    table = (adult.folder / "first" / "adult_released.csv").read_bytes()
    again = (other / "adult_released.csv").read_bytes()
    assert again != table
    assert sorted(again.splitlines()) == sorted(table.splitlines())
