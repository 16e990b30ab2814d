"""Risk of an adversary who knows some attributes: plain counting of every set."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations

import pytest

from deidgui.cli.main import main
from tests.cli.case import Case, rows

COLUMNS = ("age", "sex", "zip")


@pytest.fixture
def case(tmp_path):
    return Case.write(tmp_path)


def call(capsys, *arguments, code=0):
    capsys.readouterr()
    assert main([str(each) for each in arguments]) == code
    return capsys.readouterr()


def found(capsys, case, *options):
    return json.loads(call(capsys, "risk", case.project, *options, "--json").out)


def by_hand(names, least=2):
    """Highest and average risk and share at risk, counted from the texts."""
    sizes = Counter(tuple(each[name] for name in names) for each in rows())
    at_risk = sum(size for size in sizes.values() if size < least)
    return 1 / min(sizes.values()), len(sizes) / 300, at_risk / 300


@pytest.mark.parametrize("known", [1, 2, 3])
def test_every_set_is_measured(capsys, case, known):
    told = found(capsys, case, "--known", known)
    every = {names: by_hand(names) for names in combinations(COLUMNS, known)}
    assert told["sets"] == len(every)
    assert told["exact"]
    for at, name in enumerate(("highest", "average", "share_at_risk")):
        assert told[name] == pytest.approx(max(each[at] for each in every.values()))
    for each in told["riskiest"]:
        expected = every[tuple(each["attributes"])]
        stated = each["highest"], each["average"], each["share_at_risk"]
        assert stated == pytest.approx(expected)


def test_blocks_are_no_lower_and_say_what_is_sure(capsys, case):
    exact = found(capsys, case, "--known=1")
    blocks = found(capsys, case, "--known=1", "--block=2")
    assert not blocks["exact"]
    assert blocks["sets"] == 2
    for name in ("highest", "average", "share_at_risk"):
        assert blocks["at_least"][name] <= exact[name] <= blocks[name]


def test_attributes_always_known(capsys, case):
    told = found(capsys, case, "--known=1", "--always=sex")
    assert told["sets"] == 2
    for each in told["riskiest"]:
        assert each["attributes"][0] == "sex"
        assert each["average"] == pytest.approx(by_hand(each["attributes"])[1])


def test_groups_count_as_one(capsys, case):
    told = found(capsys, case, "--known=1", "--together=sex,zip")
    assert sorted(map(tuple, told["attributes"])) == [("age",), ("sex", "zip")]
    assert told["average"] == pytest.approx(
        max(by_hand(("age",))[1], by_hand(("sex", "zip"))[1])
    )


def test_of_the_chosen_policy(capsys, case):
    before = found(capsys, case, "--known=2")
    call(capsys, "decide", case.project, "--choose=1")
    after = found(capsys, case, "--known=2")
    assert (before["of"], after["of"]) == ("data", "policy")
    assert after["highest"] <= 1 / 3 < before["highest"]


def test_choices_of_blocks(capsys, case):
    choices = found(capsys, case, "--known=2")["choices"]
    assert [(each["size"], each["sets"]) for each in choices] == [(2, 3), (3, 1)]
    assert [each["usual"] for each in choices] == [True, False]


@pytest.mark.parametrize(
    "options",
    [
        ("--known=4",),
        ("--known=0",),
        ("--known=65",),
        ("--known=2", "--block=1"),
        ("--known=2", "--block=4"),
        ("--known=2", "--always=diagnosis"),
        ("--known=1", "--always=sex", "--together=sex,zip"),
        ("--known=1", "--together=sex"),
        (),
    ],
    ids=" ".join,
)
def test_bad_input_is_refused(capsys, case, options):
    said = call(capsys, "risk", case.project, *options, code=2).err
    assert said
    assert "failed in a way" not in said
    # Sentences of the program, and none of the library that checks the numbers.
    assert "Input should" not in said
    assert "Value error" not in said


def test_words(capsys, case):
    said = " ".join(call(capsys, "risk", case.project, "--known=2").out.split())
    assert "any 2 of 3 attributes" in said
    assert "proposed" in said


# -- in a release ----------------------------------------------------------------------


@pytest.mark.parametrize("block", ["", ",block=2"])
def test_evidence_states_it_and_verify_counts_again(capsys, case, block):
    call(
        capsys,
        *("decide", case.project, f"--attributes-known=1{block}"),
        *("--choose=1", "--role=diagnosis=insensitive"),
    )
    call(capsys, "run", case.project, "--out", case.out)
    file = case.out / "evidence.json"
    evidence = json.loads(file.read_bytes())
    stated = evidence["attributes_known"]
    assert (stated["known"], stated["n_sets"]) == ((1, 2) if block else (1, 3))
    told = found(capsys, case)
    for name in ("highest", "average", "share_at_risk"):
        assert stated[name] == told[name]
    assert stated["words"] in (case.out / "report.html").read_text("utf-8")
    checks = json.loads(call(capsys, "verify", case.out, "--json").out)["checks"]
    codes = {each["code"] for each in checks}
    assert {"known_fits", "known_highest", "known_words"} <= codes
    for field, value, failing in (
        ("average", stated["average"] / 2, "known_average"),
        ("n_sets", 7, "known_fits"),
        ("words", "x", "known_words"),
    ):
        changed = {**evidence, "attributes_known": {**stated, field: value}}
        file.write_text(json.dumps(changed), "utf-8")
        said = call(capsys, "verify", case.out, "--json", code=4).out
        failed = {e["code"] for e in json.loads(said)["checks"] if not e["ok"]}
        assert failing in failed


def test_what_is_known_can_be_decided_and_taken_back(capsys, case):
    given = "--attributes-known=1,always=sex,together=age+zip"
    call(capsys, "decide", case.project, given)
    assert found(capsys, case)["always"] == ["sex"]
    call(capsys, "decide", case.project, "--attributes-known=none")
    assert call(capsys, "risk", case.project, code=2).err
    for wrong in ("4", "x", "1,always=name", "1,frob=2", "2,block=1"):
        call(capsys, "decide", case.project, f"--attributes-known={wrong}", code=2)
