"""The part of the page Risk and utility about samples."""

import pytest
from PySide6.QtCore import Qt

from deidgui.app.charts.base import SeriesRole
from deidgui.app.jobs import Job, Lane
from deidgui.app.project import SampleChoice
from deidgui.errors import Cancelled
from deidgui.qt.pages.utility.page import UtilityPage
from tests.explored_case import fill, make_case


@pytest.fixture(scope="module")
def case():
    return make_case()


@pytest.fixture
def page(qtbot, workspace, settings, case):
    """The page over 400 patients, with its view of samples."""
    fill(workspace.session, case)
    made = UtilityPage(workspace, settings)
    qtbot.addWidget(made)
    made.resize(1100, 900)
    with qtbot.waitExposed(made):
        made.show()
    made.show_tab("samples")
    return made


def compute(qtbot, page, n_policies=3):
    page.samples.n_policies.setValue(n_policies)
    qtbot.mouseClick(page.samples.start, Qt.MouseButton.LeftButton)


def test_nothing_is_shown_before_somebody_asks(page):
    assert page.samples.isVisible()
    assert not page.samples.chart.isVisible()
    assert not page.samples.progress.isVisible()
    assert "No sample is drawn" in page.samples.state.text()


def test_curves_of_the_data_and_of_policies_stand_in_one_chart(qtbot, page):
    compute(qtbot, page)
    pane = page.samples
    assert pane.chart.view.is_drawn
    series = pane.chart.view.chart.series
    assert len(series) == 8
    for average, highest, curve in zip(
        series[::2], series[1::2], pane.plan.curves, strict=True
    ):
        assert average.band is not None
        assert highest.role is SeriesRole.HIGHEST
        # Fractions fall in a plan, and rise in a chart.
        assert highest.values.tolist() == curve.maximum[::-1].tolist()
        assert all(highest.values >= average.values - 1e-9)
    assert not pane.nothing_else.isVisible()
    assert pane.table.rowCount() == 4
    assert "data as they are" in pane.table.item(0, 0).text()
    header = pane.chart.view.chart.to_table().header
    assert sum("97.5\u202f%" in each for each in header) == 4
    assert not pane.progress.isVisible()


def test_the_plan_follows_the_threshold(qtbot, page):
    compute(qtbot, page)
    pane = page.samples
    pane.threshold.setValue(5)
    strict = pane.plan.meeting(0, 0.05)
    assert pane.table.item(0, 2).text().startswith(f"{100 * strict.fraction:.0f}"[:1])
    pane.threshold.setValue(100)
    assert pane.table.item(0, 3).text() == "400"


def test_the_largest_sample_is_said_and_proposed(qtbot, page):
    compute(qtbot, page, n_policies=0)
    pane = page.samples
    assert "No policy has been found yet" in pane.nothing_else.text()
    pane.threshold.setValue(5)
    met = pane.plan.meeting(0, 0.05)
    assert f"{met.n_sampled} of 400 records" in pane.finding.text()
    assert pane.fraction.value() <= 100 * met.fraction + 1e-9
    assert pane.fraction.value() > 100 * met.fraction - 0.011


def test_a_row_gives_policy_and_fraction_and_undo_takes_them_back(
    qtbot, page, workspace
):
    compute(qtbot, page)
    pane, session = page.samples, workspace.session
    pane.threshold.setValue(5)
    pane.table.selectRow(1)
    met = pane.plan.meeting(1, 0.05)
    assert pane.fraction.value() <= 100 * met.fraction + 1e-9
    assert "highest" in pane.highest.text()
    before = session.project
    qtbot.mouseClick(pane.use, Qt.MouseButton.LeftButton)
    decided = session.project
    assert decided.sample.fraction == pytest.approx(pane.fraction.value() / 100)
    assert decided.chosen.is_same(pane.plan.curves[1].of.chosen)
    assert session.undo_label == "release a sample"
    session.undo()
    assert session.project == before


def test_curves_of_earlier_decisions_are_marked(qtbot, page, workspace):
    compute(qtbot, page)
    assert not page.samples.stale.isVisible()
    session = workspace.session
    # A sample that is decided does not change the curves of everybody.
    session.apply(lambda p: p.but(sample=SampleChoice(fraction=0.5)), "sample")
    assert not page.samples.stale.isVisible()
    session.apply(
        lambda p: p.but(
            attributes=tuple(
                e.but(role="insensitive") if e.role == "quasi_identifier" else e
                for e in p.attributes[:3]
            )
            + p.attributes[3:]
        ),
        "roles",
    )
    assert page.samples.stale.isVisible()


def test_a_small_sample_is_accepted_by_a_person(qtbot, page, workspace):
    pane = page.samples
    choice = SampleChoice(fraction=0.5)
    pane.show_state(choice, (200, 400, False))
    assert pane.few.isVisible()
    assert "200 of 400 records" in pane.state.text()
    with qtbot.waitSignal(pane.sample_wanted) as wanted:
        pane.few.acted.emit()
    assert wanted.args == [None, choice.but(accepts_few=True)]
    assert workspace.session.project.sample.accepts_few


def test_everybody_can_be_released_again(qtbot, page, workspace):
    session = workspace.session
    session.apply(lambda p: p.but(sample=SampleChoice(fraction=0.5)), "sample")
    assert page.samples.everybody.isVisible()
    qtbot.mouseClick(page.samples.everybody, Qt.MouseButton.LeftButton)
    assert session.project.sample is None


def test_a_job_can_be_stopped(page, workspace, monkeypatch):
    started = []

    def start(lane, work, job):
        started.append((lane, job))

    monkeypatch.setattr(workspace.runner, "start", start)
    monkeypatch.setattr(workspace.runner, "running", lambda _lane: started[0][1])
    page.samples.plan_wanted.emit(2)
    ((lane, job),) = started
    assert (lane, isinstance(job, Job)) == (Lane.SAMPLES, True)
    assert page.samples.progress.isVisible()
    job.on_progress(0.4, "")
    page.samples.progress.cancel_clicked.emit()
    assert job.cancel_requested
    with pytest.raises(Cancelled):
        job.checkpoint()
    job.on_cancelled()
    assert not page.samples.progress.isVisible()
    assert page.samples.start.isEnabled()


def test_no_sample_of_everybody_is_released_where_everybody_is(page):
    pane = page.samples
    for per_cent, is_offered in ((100, False), (50, True), (100, False)):
        pane.fraction.setValue(per_cent)
        assert pane.use.isEnabled() is is_offered
    pane.show_state(SampleChoice(fraction=0.5), None)
    pane.fraction.setValue(100)
    assert pane.use.isEnabled()
