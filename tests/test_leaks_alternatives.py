"""No value leaves the table while alternatives are found, chosen and released.

A policy that joins neighbours says which: its words name values of quasi-identifiers on
purpose, as the release does. Everything else stays silent about them, too.
"""

from __future__ import annotations

import csv

import pytest

from deidgui.app.commands import headless
from deidgui.cli.main import main
from deidgui.errors import Cancelled, DeidError
from tests.cli.case import FLAT, csv_of, rows
from tests.cli.population_case import TENNESSEE, among_population, choose
from tests.test_leaks import (
    KEPT,
    NUMBER,
    WORD,
    bug_at,
    case,
    ears,
    holds,
    is_bug,
    named,
    patients,
)

__all__ = ["case", "ears"]


def identified():
    """Patients; the identifiers of two are sentinels, and one diagnosis is kept."""
    records = rows()
    records[17] |= {"mrn": NUMBER, "name": WORD, "diagnosis": KEPT}
    records[18] |= {"mrn": WORD, "name": NUMBER}
    return records


@pytest.fixture
def chosen(case, ears):
    """A project with a policy that is no riskier than the rule among Tennesseans."""
    case.data.write_text(csv_of(identified()), encoding="utf-8")
    among_population(case)
    choose(case)
    return case


@pytest.fixture
def doubtful(case, ears):
    """The same with sentinels in every column, whose mappings hold them."""
    case.data.write_text(csv_of(patients()), encoding="utf-8")
    names = among_population(case)
    ears.allowed |= {case.folder / name for name in names}
    return case


# -- what works ------------------------------------------------------------------------


def test_an_alternative_is_released_and_tells_no_identifier(chosen, ears, capsys):
    out = str(chosen.out)
    for options in ([], ["--json"]):
        assert main(["search", str(chosen.project), *options]) == 0
        assert main(["run", str(chosen.project), "--out", f"{out}{len(options)}"]) == 0
        assert main(["verify", f"{out}{len(options)}", *options]) == 0
    assert KEPT not in "".join(capsys.readouterr())
    ears.check()
    table = chosen.folder / "release0" / "patients_released.csv"
    assert KEPT in table.read_text("utf-8")
    for path in chosen.folder.rglob("*"):
        is_table = path.name == "patients_released.csv" or path == chosen.data
        if path.is_file() and not is_table:
            assert KEPT.encode() not in path.read_bytes(), path


def experiment_data(case, ears, *, hidden):
    """A table with the experiment's columns; sentinels in all, or in others only."""
    path = case.folder / "experiment.csv"
    races = ["White", "Black", "Asian-Pac-Islander"]
    table = [
        {**row, "race": races[number % 3]} for number, row in enumerate(identified())
    ]
    if not hidden:
        for name in ("age", "sex", "race"):
            table[17][name], table[18][name] = WORD, NUMBER
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, table[0])
        writer.writeheader()
        writer.writerows(table)
    ears.allowed.add(path)
    return ["experiment", "bps", "--iterations", "3", "--data", str(path)]


def test_the_experiment_tells_no_identifier(case, ears):
    command = experiment_data(case, ears, hidden=True)
    options = ["--accept-mapping", "--out", str(case.folder / "found")]
    assert main([*command, *options]) == 0
    assert main([*command, "--accept-mapping", "--json"]) == 0
    assert (case.folder / "found").is_dir()
    ears.check()


def test_a_refused_experiment_tells_no_value(case, ears):
    command = experiment_data(case, ears, hidden=False)
    for options in ([], ["--json"], ["--state", "Alaska"]):
        assert main([*command, *options]) in (2, 3)
    # Without the records that nobody is like, nothing of them is said.
    assert main([*command, "--accept-mapping", "--leave-out-unmatched"]) == 0
    ears.check()


# -- ways to fail ----------------------------------------------------------------------


def unconfirmed(case, _patch):
    case.change(privacy={"population": TENNESSEE})


def mapping_of_others(case, _patch):
    for path in (case.folder / "mappings").iterdir():
        path.write_text(f"value,stands_for\n{WORD},{NUMBER}\n{WORD},x\n")


def mapping_not_text(case, _patch):
    for path in (case.folder / "mappings").iterdir():
        path.write_bytes(f"{WORD},{NUMBER}\xff\0\n".encode("latin-1"))


def mapping_lost(case, _patch):
    for path in (case.folder / "mappings").iterdir():
        path.unlink()


def nobody_accepted(case, _patch):
    fields = case.fields
    for each in fields["privacy"]["population"]["matches"].values():
        each["accepts_unmatched"] = False
    case.save(fields)


def too_low(case, _patch):
    case.change(discover={"baseline": "typed", "typed": 0.01})


def another_hierarchy(case, _patch):
    choose(case)
    case.change_attribute("age", hierarchy=FLAT)


def another_table(case, _patch):
    choose(case)
    records = patients()
    records[18]["age"] = f"{NUMBER}1"
    case.data.write_text(csv_of(records), encoding="utf-8")


FAILING = [
    *(unconfirmed, mapping_of_others, mapping_not_text, mapping_lost),
    *(nobody_accepted, too_low, another_hierarchy, another_table),
    bug_at("deidgui.app.population.mapping.propose"),
    bug_at("deidgui.app.population.mapping.population_over_leaves"),
    bug_at("deidgui.engine.population.proposing.read_both"),
]


@pytest.mark.parametrize("provoke", FAILING, ids=named)
def test_no_failing_command_tells_a_value(doubtful, ears, monkeypatch, provoke):
    provoke(doubtful, monkeypatch)
    ears.check()
    for command, *options in (["run", "--out", str(doubtful.out)], ["search"]):
        code = main([command, str(doubtful.project), *options])
        assert code in (2, 3, 4) or command == "search"
        if code:
            ears.check()
    assert not doubtful.out.exists()


@pytest.mark.parametrize(
    "provoke", [each for each in FAILING if not is_bug(each)], ids=named
)
def test_no_exception_holds_a_value(doubtful, ears, monkeypatch, provoke):
    provoke(doubtful, monkeypatch)
    with pytest.raises(DeidError) as caught:
        headless.run(doubtful.project, doubtful.out, {})
    ears.errors.append(caught.value)
    ears.check()


def test_no_cancelled_search_tells_a_value(doubtful, ears):
    class Stop:
        def __init__(self, left):
            self.left = left

        def report(self, _fraction, note=""):
            assert not holds(note)
            self.left -= 1
            if self.left < 0:
                raise Cancelled

    n_stops = 0
    for left in (0, 5, 20, 40, 60):
        try:
            headless.search(doubtful.project, {}, monitor=Stop(left))
        except Cancelled as error:
            n_stops += 1
            ears.errors.append(error)
    assert n_stops > 2
    ears.check()
