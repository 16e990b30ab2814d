"""Pages on noise of counts: rule, advice, averaging, network, release."""

import pytest
from PySide6.QtCore import Qt

from deidgui.app.counts import ops
from deidgui.app.counts.work import CountsWork
from deidgui.app.release.verifying import verify
from deidgui.engine.counts.noise.rules import DiscreteGaussian, RoundedGaussian
from deidgui.qt.pages.base import StepState
from deidgui.qt.pages.counts.network import NetworkPage
from deidgui.qt.pages.counts.noise import NoisePage
from deidgui.qt.pages.counts.release import CountsReleasePage

TABLE = """\
Patients\tSample1\tSample2
Overall (N)\t1,000\t250
Female\t600\t130
Male\t390\t117
Other\t10\t3
"""


@pytest.fixture
def counts(workspace):
    """The workspace with a project of one pasted table."""
    session = workspace.session
    session.start(ops.new_project())
    if not isinstance(getattr(workspace, "counts", None), CountsWork):
        workspace.counts = CountsWork(session, workspace._start)
        ask = workspace.counts.update_questions
        session.project_changed.connect(lambda *_what: ask())
    workspace.counts.paste(TABLE)
    return workspace


@pytest.fixture
def shown(qtbot, counts, settings):
    """Shows a page."""

    def show(cls):
        made = cls(counts, settings)
        qtbot.addWidget(made)
        made.resize(1100, 900)
        with qtbot.waitExposed(made):
            made.show()
        return made

    return show


def click(qtbot, button):
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def decided(workspace):
    return workspace.session.project.counts.noise


# -- the rule --------------------------------------------------------------------------


def test_the_decided_threshold_is_the_one_that_is_proposed(shown, counts):
    page = shown(NoisePage)
    assert page.rule.shown.threshold == 11
    counts.session.apply(ops.set_threshold(5), "threshold")
    page.refresh(page.parts)
    assert page.rule.shown.threshold == 5
    # What somebody has typed is left alone.
    form = page.rule.form(page.rule.kinds.current)
    form.set_params({"threshold": 7})
    counts.session.apply(ops.set_threshold(6), "threshold")
    page.refresh(page.parts)
    assert page.rule.shown.threshold == 7


def test_nothing_is_decided_until_a_person_decides(qtbot, shown, counts):
    page = shown(NoisePage)
    pane = page.rule
    assert decided(counts) is None
    assert pane.state.isVisible()
    assert "within ±5 of the true count" in pane.meaning.text()
    assert page.status().caption == "not decided"
    # Looking at other values decides nothing.
    pane.form("rounded_gaussian").field("sigma").control.setValue(4.0)
    assert decided(counts) is None
    assert "±8" in pane.meaning.text()
    click(qtbot, pane.state._button)
    assert decided(counts) == RoundedGaussian.proposed(sigma=4.0)
    assert not pane.state.isVisible()
    assert page.status().state is StepState.DONE
    counts.session.undo()
    assert decided(counts) is None
    assert pane.state.isVisible()


def test_a_decided_rule_is_edited_and_undone_step_by_step(shown, counts):
    rule = RoundedGaussian.proposed()
    counts.session.apply(ops.set_noise(rule), "decide")
    page = shown(NoisePage)
    form = page.rule.form("rounded_gaussian")
    form.field("sigma").control.setValue(1.33)
    assert decided(counts).sigma == 1.33
    # Fresh noise without a lockout is no rule: nothing changes until it is stated.
    form.field("repeats").control.set_current("fresh")
    form.field("repeats").edited.emit()
    assert decided(counts).is_keyed
    assert "red" in page.rule.meaning.text()
    form.set_params({"lockout_repeats": 7, "lockout_days": 30})
    form.field("lockout_days").edited.emit()
    assert decided(counts).lockout_words()
    counts.session.undo()
    assert decided(counts).is_keyed
    counts.session.undo()
    assert decided(counts) == rule
    assert form.field("sigma").value() == 2.5


def test_the_discrete_rule_states_its_guarantee(shown, counts):
    page = shown(NoisePage)
    pane = page.rule
    pane.kinds.setCurrentIndex(pane.kinds.findData("discrete_gaussian"))
    pane.kinds.activated.emit(pane.kinds.currentIndex())
    assert pane.form("discrete_gaussian").isVisible()
    assert not pane.form("rounded_gaussian").isVisible()
    assert "ρ = 0.08" in pane.words.text()
    assert decided(counts) is None


# -- advice ----------------------------------------------------------------------------


def test_advice_follows_the_numbers_of_the_user(shown, counts):
    page = shown(NoisePage)
    page.show_place("advice")
    pane = page.advice
    assert pane.isVisible()
    assert not page.rule.isVisible()
    pane.average.setValue(1)
    pane.sites.setValue(6)
    assert "A threshold is preferable" in pane.verdict.text()
    pane.sites.setValue(7)
    assert "Noise is preferable" in pane.verdict.text()
    assert pane.chart.view.is_drawn
    assert decided(counts) is None


def test_advice_on_repeats_becomes_the_rule(qtbot, shown, counts):
    page = shown(NoisePage)
    page.show_place("advice")
    pane = page.advice
    pane.allowed.setValue(10)
    pane.margin.setValue(0)
    assert "σ = 1.33 is enough" in pane.answer.text()
    assert pane.table.rowCount() == 11
    click(qtbot, pane.use)
    rule = decided(counts)
    assert (rule.sigma, rule.is_keyed) == (1.33, False)
    assert (rule.lockout_repeats, rule.lockout_days) == (10, 30)
    assert page.rule.isVisible()
    assert counts.session.undo_label == "decide on the noise"
    page.show_place("advice")
    pane.allowed.setValue(5000)
    assert not pane.use.isEnabled()
    assert "None of these" in pane.answer.text()


# -- averaging -------------------------------------------------------------------------


def test_attacks_are_simulated_beside_what_is_expected(qtbot, shown, counts):
    page = shown(NoisePage)
    page.show_place("averaging")
    pane = page.averaging
    assert pane.keyed.isVisible()
    # The key is destroyed unless somebody chooses a file: nothing is promised.
    assert pane.keyed.property("tone") == "info"
    assert "destroyed after each release" in pane.keyed._detail.text()
    assert not pane.chart.isVisible()
    click(qtbot, pane.start)
    assert pane.found.simulated.runs == 10_000
    assert "expected: 23.93" in pane.result.text()
    assert len(pane.chart.view.chart.series) == 2
    assert not pane.stale.isVisible()
    assert not pane.progress.isVisible()
    counts.session.apply(ops.set_noise(RoundedGaussian.proposed(sigma=1.0)), "decide")
    assert pane.stale.isVisible()


# -- network ---------------------------------------------------------------------------


def test_sites_are_added_up(qtbot, shown, counts, tmp_path):
    paths = []
    for number in range(6):
        path = tmp_path / f"site{number}.csv"
        path.write_text(
            f"Patients,Cases\nFemale,{3 + number}\nMale,{100 * (number + 1)}\n",
            encoding="utf-8",
        )
        paths.append(path)
    page = shown(NetworkPage)
    assert not page.table.isVisible()
    page.add_files(paths)
    assert page.status().caption == "6 sites"
    assert page.table.isVisible()
    rows = [
        [page.table.item(row, column).text() for column in range(7)]
        for row in range(page.table.rowCount())
    ]
    assert rows[0] == ["Female, Cases", "33 ± 12.1", "6.2", "0", "33", "6", "noise"]
    assert rows[1][1:4] == ["2,100 ± 12.1", "6.2", "2,100"]
    assert rows[1][4:] == ["0", "0", "threshold"]
    assert page.site_table.rowCount() == 6
    assert page.chart.view.is_drawn
    page.kind.set_current("noisy")
    page.kind.chosen.emit("noisy")
    assert page.table.item(0, 4).text().startswith("≈")
    assert "estimate" in page.note.text()
    page.threshold.setValue(2)
    assert page.table.item(0, 6).text() == "threshold"
    page.site_table.selectRow(0)
    click(qtbot, page.clear_site)
    assert page.status().caption == "5 sites"
    counts.session.undo()
    assert page.status().caption == "6 sites"
    click(qtbot, page.clear_sites)
    assert not page.table.isVisible()


def test_tables_that_do_not_fit_are_told(shown, tmp_path, counts):
    path = tmp_path / "one.csv"
    path.write_text("Patients,Cases\nFemale,3\n", encoding="utf-8")
    page = shown(NetworkPage)
    page.add_files([path])
    assert page.problem.isVisible()
    assert not page.table.isVisible()
    assert page.status().state is StepState.ATTENTION


def test_the_site_that_differs_can_be_removed(qtbot, shown, tmp_path, counts):
    paths = []
    for name, label in (("a", "Female"), ("b", "Female"), ("other", "Age")):
        paths.append(tmp_path / f"{name}.csv")
        paths[-1].write_text(f"Patients,Cases\n{label},30\n", encoding="utf-8")
    page = shown(NetworkPage)
    page.add_files(paths)
    assert page.problem.isVisible()
    assert page.status().state is StepState.ATTENTION
    assert page.status().caption == "3 sites"
    assert not page.chart.isVisible()
    assert page.site_table.isVisible()
    assert page.site_table.item(2, 0).text() == "other"
    page.site_table.selectRow(2)
    click(qtbot, page.clear_site)
    assert not page.problem.isVisible()
    assert page.table.isVisible()
    assert page.chart.isVisible()
    assert page.status().state is StepState.DONE


# -- release ---------------------------------------------------------------------------


def test_what_is_looked_at_is_what_is_released(qtbot, shown, counts, tmp_path):
    page = shown(CountsReleasePage)
    assert page.empty.isVisible()
    assert not page.draw.isEnabled()
    assert page.status().state is StepState.NOT_YET
    counts.session.apply(ops.set_noise(RoundedGaussian.proposed()), "decide")
    assert not page.empty.isVisible()
    click(qtbot, page.draw)
    grid = page.grid.grid_model
    text = grid.data(grid.index(1, 1))
    assert text.endswith("± 4.9")
    # A total and three parts: all four are known better than from one count alone.
    assert page.weak.rowCount() in (0, 8)
    page.export_to(tmp_path)
    assert page.done.isVisible()
    (folder,) = tmp_path.glob("*release")
    (table,) = (e for e in folder.glob("**/*.csv") if "uncertainty" not in e.name)
    released = table.read_text(encoding="utf-8").splitlines()[1]
    assert text.split(" ±")[0].replace(",", "") in released.replace(",", "")
    assert verify(folder).ok
    assert page.status().state is StepState.DONE


def test_a_second_draw_is_released_only_with_a_reason(
    qtbot, shown, counts, tmp_path, monkeypatch
):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    counts.session.apply(ops.set_noise(RoundedGaussian.proposed()), "decide")
    page = shown(CountsReleasePage)
    click(qtbot, page.draw)
    page.export_to(tmp_path)
    assert page.status().state is StepState.DONE
    # The same draw once more tells nothing new.
    page.export_to(tmp_path)
    assert len(list(tmp_path.glob("*release*"))) == 2
    click(qtbot, page.draw)
    other = tmp_path / "elsewhere"
    other.mkdir()
    page.export_to(other)
    assert not list(other.iterdir())
    # Two copies of one release are one question.
    assert "1 question" in page.missing()
    assert page.questions.isVisible()
    assert not page.write.isEnabled()
    (key,) = page.questions.fields
    page.questions.fields[key].setText("The first was never passed on.")
    click(qtbot, page.questions.buttons[key])
    assert not page.missing()
    click(qtbot, page.draw)
    page.export_to(other)
    assert page.status().state is StepState.DONE
    # What was accepted is not shown as if nothing had been.
    assert page.done.property("tone") == "warning"
    shown_words = page.done._detail.text()
    assert "1 question was accepted with a reason." in shown_words
    assert shown_words.count("can average them") == 1
    (folder,) = other.iterdir()
    assert "The first was never passed on." in (folder / "report.html").read_text()
    # Other noise is another question.
    counts.session.apply(ops.set_noise(RoundedGaussian.proposed(sigma=5.0)), "change")
    assert not page.missing()
    click(qtbot, page.draw)
    page.export_to(other)
    assert "2 questions" in page.missing()


def test_noise_is_drawn_again_only_after_it_was_drawn(qtbot, shown, counts):
    counts.session.apply(ops.set_threshold(2), "threshold")
    counts.session.apply(ops.set_mask_zero(False), "zeros")
    counts.session.apply(ops.set_release("masked"), "masked")
    counts.session.apply(ops.set_noise(RoundedGaussian.proposed()), "decide")
    page = shown(CountsReleasePage)
    counts.counts.update_audit()
    assert page.draw.text() == "Prepare the tables"
    click(qtbot, page.draw)
    assert page.draw.text() == "Prepare again"
    counts.session.apply(ops.set_release("noise"), "noise")
    assert page.draw.text() == "Draw the noise"
    click(qtbot, page.draw)
    assert page.draw.text() == "Draw the noise again"


def test_noise_of_earlier_decisions_is_not_released(qtbot, shown, counts, tmp_path):
    counts.session.apply(ops.set_noise(DiscreteGaussian.proposed()), "decide")
    page = shown(CountsReleasePage)
    assert page.status().what_is_missing == "Draw the noise before you export."
    click(qtbot, page.draw)
    assert page.status().what_is_missing == ""
    assert page.write.isEnabled()
    counts.session.apply(ops.set_noise(DiscreteGaussian.proposed(sigma=4.0)), "change")
    assert page.stale.isVisible()
    assert not page.write.isEnabled()
    assert page.status().state is StepState.STALE
    page.export_to(tmp_path)
    assert not list(tmp_path.iterdir())
    counts.session.undo()
    assert page.write.isEnabled()


def test_the_key_is_kept_where_a_person_says(qtbot, shown, counts, tmp_path):
    counts.session.apply(ops.set_noise(RoundedGaussian.proposed()), "decide")
    page = shown(CountsReleasePage)
    assert "destroyed" in page.key_words.text()
    key = tmp_path / "noise.key"
    page.keep_key(key)
    click(qtbot, page.draw)
    first = dict(page.drawn.by_place)
    page.export_to(tmp_path)
    assert key.exists()
    click(qtbot, page.draw)
    assert page.drawn.by_place == first
    page.keep_key(None)
    assert page.stale.isVisible()
    click(qtbot, page.draw)
    assert page.drawn.by_place != first
