"""The case runner: what is wrong with one case is said of that case alone."""

import json

import pytest

from tests.peer.__main__ import main

TREE = [["1", "a", "*"], ["2", "a", "*"], ["3", "b", "*"], ["4", "b", "*"]]
GOOD = {
    "id": "good",
    "kind": "inline-output",
    "data": [["x", "s"], *([str(i % 4 + 1), str(i % 2)] for i in range(8))],
    "inlineHierarchies": {"x": TREE},
    "qis": ["x"],
    "models": [{"type": "KAnonymity", "k": 4}],
    "suppressionLimit": 0.0,
    "metric": {"class": "MetricMDNMLoss", "aggregate": "GEOMETRIC_MEAN"},
    "expected": {
        "output": [["x", "s"], *(["aabb"[i % 4], str(i % 2)] for i in range(8))]
    },
}
NONE = {**GOOD, "models": [{"type": "KAnonymity", "k": 9}]}


def changed(name, **changes):
    return {**GOOD, "id": name, **changes}


@pytest.fixture
def run(tmp_path, capsys):
    def run(*cases):
        (tmp_path / "peer").mkdir(exist_ok=True)
        path = tmp_path / "peer" / "cases.json"
        path.write_text(json.dumps({"cases": cases}), encoding="utf-8")
        code = main([str(path)])
        return code, capsys.readouterr().out

    return run


def test_a_broken_case_fails_alone(run):
    without_data = {k: v for k, v in GOOD.items() if k != "data"}
    code, out = run(
        changed("kind", kind="no-such"),
        {**without_data, "id": "file", "dataset": "missing.csv"},
        changed("key", supression=0.1),
        changed("column", qis=["y"]),
        GOOD,
    )
    assert code == 1
    assert out.endswith("1 passed, 4 failed\n")
    for name in ("kind", "file", "key", "column"):
        assert f"FAILED {name}: " in out
    assert "keys that nothing reads: supression" in out
    assert "FAILED good" not in out


METRIC, MODEL = GOOD["metric"], GOOD["models"][0]
NODES = {
    **{name: value for name, value in GOOD.items() if name != "expected"},
    "kind": "node-loss",
    "nodes": [{"transformation": [2], "loss": 1.0, "state": ["suppressed"]}],
}
RISK = {**GOOD, "kind": "risk", "when": "input", "expected": {"averageRisk": 0.5}}


@pytest.mark.parametrize(
    ("case", "problem"),
    [
        ({**GOOD, "metric": {**METRIC, "gsfactor": 1}}, "metric.gsfactor"),
        ({**GOOD, "models": [{**MODEL, "kk": 9}]}, "models.kk"),
        ({**GOOD, "models": [{**MODEL, "l": 9}]}, "models.l"),
        ({**GOOD, "expected": {**GOOD["expected"], "los": 0}}, "expected.los"),
        ({**NODES, "nodes": [{**NODES["nodes"][0], "suppresed": 8}]}, "nodes.supp"),
        ({**NODES, "expected": {"suppressed_records": 8}}, "expected.suppressed_"),
        ({**NODES, "nodes": [{**NODES["nodes"][0], "state": ["gone"]}]}, "state gone"),
        ({**RISK, "expected": {"averageRisk": "0.1"}}, "TypeError"),
        ({**RISK, "population": {"smaplingFraction": 0.1}}, "population.smapling"),
        ("no case", "AttributeError"),
    ],
)
def test_what_nothing_reads_fails_its_case_in_every_part(run, case, problem):
    """The same case without it passes: what is wrong is the key, or the state."""
    good = {"risk": RISK, "node-loss": NODES}
    kind = case["kind"] if isinstance(case, dict) else ""
    code, out = run(case, good.get(kind, GOOD))
    assert code == 1
    assert "FAILED " in out
    assert problem in out
    assert out.endswith("1 passed, 1 failed\n")


def test_no_solution_can_be_expected(run):
    none = {**NONE, "id": "none", "expected": {"solution": False}}
    assert run(none) == (0, "1 passed, 0 failed\n")
    code, out = run(changed("some", expected={"solution": False}), NONE)
    assert code == 1
    assert "FAILED some: solution True" in out
    assert "FAILED good: solution False" in out


def test_a_tree_within_a_model_is_used(run):
    """With a tree of its own the values are near to each other, else they are not."""
    spec = {"type": "HierarchicalDistanceTCloseness", "attribute": "s", "t": 0.3}
    near = {**spec, "hierarchy": [["0", "z", "*"], ["1", "z", "*"]]}
    far = {**spec, "hierarchy": [["0", "y", "*"], ["1", "z", "*"]]}
    rows = [["x", "s"], *([x, s] for x, s in zip("1122", "0011", strict=True))]
    found = {
        name: run(
            changed(
                name,
                data=rows,
                inlineHierarchies={"x": [["1", "*"], ["2", "*"]]},
                models=[model],
                expected={"output": rows},
            )
        )[0]
        for name, model in (("near", near), ("far", far))
    }
    assert found == {"near": 0, "far": 1}
