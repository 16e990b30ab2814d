"""Differential privacy is refused wherever a decision breaks its proof."""

import csv
import math
import random
from collections import Counter

import pytest

from deidgui.app.commands import headless
from deidgui.app.demands import check_models, decided_level, model_problem
from deidgui.app.needed import check_release
from deidgui.app.policies.lattice.searching import check_search
from deidgui.app.project import (
    Attribute,
    Chosen,
    ChosenRound,
    Export,
    InputFile,
    PopulationChoice,
    Privacy,
    Project,
    Search,
)
from deidgui.app.storage.project_io import save_project
from deidgui.app.text import message_for, text_of
from deidgui.engine.privacy import PRIVACY_MODELS, EpsilonDelta, ProcessModel, SizeModel
from deidgui.errors import ConfigError, InfeasibleError
from tests.contracts.models import some_of

MODEL = EpsilonDelta(epsilon=1.0, delta=1e-3)
BETA = 1 - math.exp(-1)
FLAT = {"rule": {"kind": "flat"}}
BANDS = {"rule": {"kind": "masking"}}


def sampled(fraction=0.5):
    return PopulationChoice(kind="sampling_fraction", sampling_fraction=fraction)


def quasi(name, hierarchy, low, high):
    return Attribute(
        name=name,
        role="quasi_identifier",
        confirmed=True,
        hierarchy=hierarchy,
        minimum_level=low,
        maximum_level=high,
    )


def project(*more, limit=1.0, population=None, others=(), **changes):
    """Decisions with which the guarantee holds, and what a test adds to them."""
    models = (MODEL.to_json(), *(each.to_json() for each in others))
    return Project(
        unit={"kind": "row"},
        inputs=(InputFile(file="data.csv"),),
        attributes=(
            quasi("sex", FLAT, None, 0),
            quasi("age", BANDS, 1, 1),
            Attribute(
                name="name",
                role="direct_identifier",
                treatment="remove",
                confirmed=True,
            ),
            Attribute(name="note", role="insensitive", include=False),
            *more,
        ),
        privacy=Privacy(
            models=models,
            suppression_limit=limit,
            population=population or sampled(),
        ),
        export=Export(suppressed="left_out"),
    ).but(**changes)


def refusals(decided):
    """Codes of what keeps a search from being started; each has its sentence."""
    problems = check_models(decided)
    for problem in problems:
        message = message_for(problem)
        assert message.fix
        assert "‹" not in str(message)
        assert MODEL.title in message.what
    if problems:
        first = model_problem(MODEL, decided)
        assert first.code == problems[0].code
        with pytest.raises(ConfigError):
            check_search(decided)
    return [problem.code for problem in problems]


def test_what_the_guarantee_needs_is_accepted():
    decided = project()
    assert refusals(decided) == []
    check_release(decided)
    assert model_problem(MODEL, decided) is None


def test_levels_that_a_search_would_choose_are_named():
    open_levels = project(
        quasi("zip", BANDS, None, None),
        quasi("race", FLAT, 0, 1),
        quasi("state", BANDS, 1, None),
        quasi("city", BANDS, 2, 2),
    )
    (problem,) = check_models(open_levels)
    assert problem.code == "process_levels"
    assert problem.params["columns"] == ("zip", "race", "state")
    assert refusals(open_levels) == ["process_levels"]


def test_no_lowest_level_is_level_zero():
    assert decided_level(quasi("a", FLAT, None, 0)) == 0
    assert decided_level(quasi("a", FLAT, 0, 0)) == 0
    assert decided_level(quasi("a", FLAT, 2, 2)) == 2
    # Only the hierarchy knows its highest level, and it may grow with the data.
    assert decided_level(quasi("a", FLAT, 1, None)) is None


@pytest.mark.parametrize(
    "population",
    [
        PopulationChoice(),
        PopulationChoice(
            kind="register", file=InputFile(name="population", file="people.csv")
        ),
    ],
)
def test_a_sample_that_nobody_stated_is_refused(population):
    decided = project(population=population)
    assert refusals(decided) == ["process_sample_unknown"]
    message = message_for(check_models(decided)[0])
    # 1 - 1/e = 0.63212055...; rounded down, so that it may be typed.
    assert "63.212\u202f%" in message.what
    assert "below 0.63212 " in message.fix.replace(",", " ")
    assert "sampling fraction under “Population”" in message.fix


def test_a_sample_may_be_as_large_as_the_guarantee_allows():
    assert refusals(project(population=sampled(BETA))) == []
    assert refusals(project(population=sampled(0.63212))) == []
    decided = project(population=sampled(0.6322))
    assert refusals(decided) == ["process_sample_too_large"]
    message = message_for(check_models(decided)[0])
    assert "63.212\u202f%" in message.what
    assert "63.22\u202f%" in message.what


@pytest.mark.parametrize("epsilon", [0.001, 0.03, math.log(2), 1.5, 3.0])
def test_the_share_that_is_told_can_be_stated(epsilon):
    """What a person types as the field shows it is never refused."""
    model = EpsilonDelta(epsilon, 1e-3)
    decided = project(population=PopulationChoice())
    privacy = decided.privacy.but(models=(model.to_json(),))
    (problem,) = check_models(decided.but(privacy=privacy))
    told = float(problem.params["most"].removesuffix("\u202f%"))
    assert told / 100 <= 1 - math.exp(-epsilon)
    privacy = privacy.but(population=sampled(told / 100))
    assert check_models(decided.but(privacy=privacy)) == []


@pytest.mark.parametrize(
    ("attribute", "is_fine"),
    [
        (Attribute(name="x", role="sensitive"), False),
        (Attribute(name="x", role="insensitive"), False),
        (Attribute(name="x", role="direct_identifier", treatment="mask"), False),
        (Attribute(name="x", role="direct_identifier", treatment="pseudonym"), False),
        (Attribute(name="x", role="direct_identifier"), True),
        (Attribute(name="x", role="sensitive", include=False), True),
    ],
)
def test_every_released_column_must_make_the_class(attribute, is_fine):
    decided = project(attribute)
    assert refusals(decided) == ([] if is_fine else ["process_columns"])
    if not is_fine:
        (problem,) = check_models(decided)
        assert problem.params["columns"] == ("x",)
        assert problem.params["n_columns"] == 1


def test_a_limit_that_can_end_without_a_release_is_refused():
    for limit in (0.0, 0.05, 0.999):
        decided = project(limit=limit)
        assert refusals(decided) == ["process_limit"]
    assert f"{99.9:g}\u202f%" in message_for(check_models(decided)[0]).what
    # One that is not decided yet is told elsewhere.
    assert refusals(project(limit=None)) == []


@pytest.mark.parametrize("kind", list(PRIVACY_MODELS), ids=lambda kind: kind.kind)
def test_only_models_by_class_size_stand_beside_it(kind):
    model = some_of(kind)[0]
    decided = project(others=(model,))
    problems = check_models(decided)
    told = [problem for problem in problems if problem.code == "process_models"]
    assert len(told) == (not issubclass(kind, SizeModel))
    if told:
        assert told[0].params["others"] == (model.title,)


def test_local_recoding_and_other_choices_are_refused():
    assert refusals(project(search=Search(local_recoding=True))) == ["process_rounds"]
    decided = {"sex": 0, "age": 1}
    k = MODEL.depth
    assert refusals(project(chosen=Chosen(levels=decided, suppress_below=k))) == []
    for other in (
        Chosen(levels=decided, suppress_below=k + 1),
        Chosen(levels={"sex": 0, "age": 0}, suppress_below=k),
        Chosen(
            kind="local_recoding",
            levels=decided,
            suppress_below=k,
            later=(ChosenRound(levels=decided, suppress_below=k),),
        ),
    ):
        assert refusals(project(chosen=other)) == ["process_choice"]


def test_suppressed_records_leave_no_trace():
    stars = project(export=Export(suppressed="stars"))
    assert refusals(stars) == ["process_suppressed"]
    for order in ({"shuffle": False}, {"shuffle_seed": 3}):
        decided = project(export=Export(suppressed="left_out", **order))
        assert refusals(decided) == ["process_order"]


def test_all_problems_are_told_together():
    decided = project(
        Attribute(name="x", role="sensitive"),
        limit=0.05,
        population=PopulationChoice(),
        search=Search(local_recoding=True),
        export=Export(suppressed="stars", shuffle=False),
    )
    assert refusals(decided) == [
        *("process_columns", "process_sample_unknown", "process_limit"),
        *("process_rounds", "process_suppressed", "process_order"),
    ]
    with pytest.raises(ConfigError) as refused:
        check_search(decided)
    assert text_of(refused.value).count(MODEL.title) >= 6


def test_other_models_ask_nothing_of_the_process():
    for kind in PRIVACY_MODELS:
        assert issubclass(kind, ProcessModel) == (kind is EpsilonDelta)
    decided = project(limit=0.05, search=Search(local_recoding=True))
    privacy = decided.privacy.but(models=({"kind": "k_anonymity", "k": 5},))
    assert check_models(decided.but(privacy=privacy)) == []


# -- end to end ------------------------------------------------------------------------


def write(folder, decided, n_records, n_ages=4):
    """Write a sample of people and the decisions on it."""
    rng = random.Random(5)
    rows = [
        (rng.choice("fm"), str(rng.randrange(20, 20 + 10 * n_ages)), f"P{n}", "n")
        for n in range(n_records)
    ]
    # One group of two is suppressed without a trace.
    rows += [("x", "95", "P", "n"), ("x", "97", "P", "n")]
    with (folder / "data.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("sex", "age", "name", "note"), *rows])
    save_project(decided, folder / "data.deid")
    return rows


def test_from_a_sample_to_a_verified_release(tmp_path):
    rows = write(tmp_path, project(), 2_000)
    done = headless.run(tmp_path / "data.deid", tmp_path / "out", {})
    assert headless.verify(tmp_path / "out")["ok"]
    with (tmp_path / "out" / "data_released.csv").open(newline="") as file:
        header, *released = csv.reader(file)
    assert header == ["sex", "age"]
    # By hand: ages lose their last digit, and nothing else decides.
    expected = Counter((sex, age[0]) for sex, age, *_rest in rows)
    large = {group: n for group, n in expected.items() if n >= MODEL.depth}
    assert Counter((sex, age[0]) for sex, age in released) == large
    assert min(large.values()) >= MODEL.depth > 2
    assert len(large) == 8
    evidence = done["evidence"]
    assert evidence["suppressed_records"] == 2
    assert evidence["search"]["nodes"] == 1
    said = " ".join(evidence["assumptions"])
    assert "it has not seen the draw" in said
    assert "only the released table is passed on" in said
    (model,) = evidence["models"]
    assert model["satisfied"]
    assert "63.21\u202f%" in model["words"]


def test_a_release_of_nobody_is_a_release_too(tmp_path):
    """Whether there is one must not depend on the data."""
    write(tmp_path, project(), 20)
    headless.run(tmp_path / "data.deid", tmp_path / "out", {})
    text = (tmp_path / "out" / "data_released.csv").read_text().splitlines()
    assert text == ["sex,age"]
    assert headless.verify(tmp_path / "out")["ok"]


def test_the_command_line_refuses_before_it_reads(tmp_path):
    save_project(project(limit=0.05), tmp_path / "data.deid")
    with pytest.raises(ConfigError) as refused:
        headless.run(tmp_path / "data.deid", tmp_path / "out", {})
    assert refused.value.code == "process_limit"
    assert not isinstance(refused.value, InfeasibleError)
    assert not (tmp_path / "out").exists()
