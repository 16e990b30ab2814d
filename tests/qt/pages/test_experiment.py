"""The card of the experiment: run, look, stop, save, and what is refused."""

import json

import pytest

from deidgui.app.experiment.case import Case
from deidgui.app.jobs import JobRunner
from deidgui.engine.discover.rules import RiskAtMost
from deidgui.errors import InputError
from deidgui.qt.pages.alternatives.experiment import LANE, ExperimentCard
from tests.engine.discover.cases import paper_measure
from tests.qt.fakes import InlineExecutor


def case_at(threshold):
    measure = paper_measure()
    return Case(measure.cells, RiskAtMost(measure, threshold))


@pytest.fixture
def card(qtbot, tmp_path):
    runner = JobRunner(lambda closure: closure(), InlineExecutor())
    made = ExperimentCard(runner, lambda _parent: str(tmp_path))
    qtbot.addWidget(made)
    made.show()
    return made


def test_nothing_can_be_run_before_the_page_says_what(card):
    card.set_case(None, "First find the people.")
    assert not card.run_button.isEnabled()
    assert card.why_not.text() == "First find the people."
    assert not card.results.isVisible()
    card.run()
    assert card.outcome is None


def test_run_shows_figures_of_both_methods(card):
    card.set_case(lambda _monitor: case_at(1.3))
    card.iterations.setValue(20)
    card.seed.setValue(7)
    card.weights.set_current("none")
    card.run_button.click()
    assert card.outcome.choice.n_iterations == 20
    assert card.outcome.choice.seed == 7
    assert card.outcome.choice.weights == "none"
    assert card.results.isVisible()
    assert not card.progress.isVisible()
    assert card.run_button.isEnabled()
    for frame in card.charts:
        assert len(frame.view.chart.series) == 2
        assert len(frame.view.chart.positions) == 20


def test_nothing_to_search_is_said(card):
    card.set_case(lambda _monitor: case_at(4.0))
    card.run()
    assert card.note.isVisible()
    assert card.note.text().startswith("Every policy is acceptable")
    assert not any(frame.isVisible() for frame in card.charts)


def test_what_cannot_be_done_is_told_beside_the_button(card):
    card.set_case(lambda _monitor: case_at(0.01))
    card.run()
    assert card.problem.isVisible()
    assert card.outcome is None

    def fails(_monitor):
        raise InputError("no_quasi_identifier")

    card.set_case(fails)
    card.run()
    assert card.problem.isVisible()
    card.set_case(lambda _monitor: case_at(1.3))
    card.run()
    assert not card.problem.isVisible()


def test_stop_keeps_what_was_found_before(qtbot, tmp_path):
    closures = []
    runner = JobRunner(closures.append)
    card = ExperimentCard(runner, lambda _parent: "")
    qtbot.addWidget(card)
    card.set_case(lambda _monitor: case_at(1.3))
    card.iterations.setValue(10_000)
    card.run()
    assert runner.running(LANE) is not None
    assert not card.run_button.isEnabled()
    card.cancel()

    def ended():
        while closures:
            closures.pop(0)()
        return runner.running(LANE) is None

    qtbot.waitUntil(ended, timeout=20_000)
    assert card.outcome is None
    assert card.run_button.isEnabled()
    runner.close()


def test_save_to_a_folder_of_its_own(card, tmp_path, qtbot):
    card.set_case(lambda _monitor: case_at(1.3))
    card.run()
    told = []
    card.told.connect(told.append)
    card.save_button.click()
    card.save_button.click()
    assert {each.name for each in tmp_path.iterdir()} >= {"experiment", "experiment-2"}
    stored = json.loads(
        (tmp_path / "experiment" / "experiment.json").read_text("utf-8")
    )
    assert stored["rows"] == 6
    assert [each.status for each in told] == ["success"] * 2
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "file").write_text("keep")
    card.save_to(tmp_path / "mine")
    assert told[-1].status == "danger"
