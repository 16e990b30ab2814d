"""The page Risk and utility: figures before and after, tables and charts."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel

from deidgui.app import ops
from deidgui.app.charts.formats import number_text
from deidgui.app.decides import Changes
from deidgui.app.jobs import JobRunner
from deidgui.app.measuring import comparing
from deidgui.app.measuring.criteria import measure_criteria
from deidgui.app.measuring.measuring import measure_project
from deidgui.app.measuring.others import OtherTables
from deidgui.app.policies.runner import LATTICE
from deidgui.app.project import PopulationChoice
from deidgui.app.release.questions import ReleaseQuestion
from deidgui.app.session import Kind
from deidgui.engine.evidence.document import Criteria, ProtectedUnit, RowsKnown
from deidgui.errors import ConfigError
from deidgui.monitor import NULL_MONITOR
from deidgui.qt.pages.base import StepState
from deidgui.qt.pages.utility import page as pages_utility
from deidgui.qt.pages.utility.page import UtilityPage
from deidgui.qt.pages.utility.risk import _Attacker, _AttackerName
from deidgui.qt.widgets import Badge, Button, Label
from deidgui.text import share_text
from tests.app.context_case import agreed
from tests.explored_case import fill, make_case
from tests.qt.fakes import FakeWorkspace, Later
from tests.qt.fakes import fill as fill_table
from tests.qt.geometry import settle


@pytest.fixture(scope="module")
def case():
    return make_case()


@pytest.fixture
def page(qtbot, workspace, settings, case):
    """The page over the figures of 400 patients."""
    fill(workspace.session, case)
    made = UtilityPage(workspace, settings)
    qtbot.addWidget(made)
    made.resize(1000, 660)
    with qtbot.waitExposed(made):
        made.show()
    return made


def words_of(widget):
    """All that is written in a widget."""
    labels = [each.text() for each in widget.findChildren(Label)]
    return " ".join([*labels, *(each.text for each in widget.findChildren(Badge))])


def test_without_figures_the_page_says_what_to_do_first(qtbot, settings):
    page = UtilityPage(FakeWorkspace(), settings)
    qtbot.addWidget(page)
    page.refresh_now()
    assert not page._empty.isHidden()
    assert page.status().state is StepState.NOT_YET
    # The step says it, too: without figures one cannot go on.
    assert page.status().what_is_missing == page._empty._sentence.text()
    with qtbot.waitSignal(page.step_wanted) as wanted:
        page._empty.acted.emit()
    assert wanted.args == ["start"]


def test_the_empty_page_names_what_is_missing_and_leads_there(qtbot, settings):
    """A hierarchy that is missing, not the quasi-identifiers that are set."""
    workspace = FakeWorkspace()
    fill_table(workspace.session)
    page = UtilityPage(workspace, settings)
    qtbot.addWidget(page)
    names = [each.name for each in workspace.session.project.attributes]
    for role, step in (
        ("insensitive", "attributes"),
        ("quasi_identifier", "hierarchies"),
    ):
        for each in names:
            of_this = role if each == "town" else "insensitive"
            workspace.session.apply(ops.set_role(each, of_this), "role")
        page.refresh_now()
        with qtbot.waitSignal(page.step_wanted) as wanted:
            page._empty.acted.emit()
        assert wanted.args == [step]
    assert "town" in words_of(page._empty)
    assert "town" in page.status().what_is_missing


def test_figures_of_both_stand_side_by_side(page, case):
    said = words_of(page.risk)
    assert "33.3" in said  # 1 / 3, of the release
    assert "before: 100" in said.replace("\u202f", " ")
    assert "The release meets all thresholds." in words_of(page.risk.verdict)
    assert page.risk.sizes.view.is_drawn
    assert page.risk.cumulative.view.is_drawn
    assert len(page.risk.sizes.view.chart.series) == 2
    assert page.status().state is StepState.SEEN


def test_the_choice_for_missing_values_stands_beside_the_figures(page, workspace):
    assert "a separate value" in page.risk._missing.text
    session = workspace.session
    session.apply(ops.change_privacy(missing_matches="anything"), "missing")
    assert "matches every value" in page.risk._missing.text


def test_estimates_are_called_estimates(qtbot, settings, case):
    assert "estimate" not in words_of_attackers(qtbot, settings, case, None)
    said = words_of_attackers(qtbot, settings, case, 0.25)
    assert said.count("estimate") >= 2
    assert "8.3" in said  # 0.25 / 3


def words_of_attackers(qtbot, settings, case, fraction):
    workspace = FakeWorkspace()
    kind = "none" if fraction is None else "sampling_fraction"
    population = PopulationChoice(kind=kind, sampling_fraction=fraction)
    project = ops.change_privacy(population=population)(case.project)
    fill(workspace.session, case)
    workspace.session.project = project
    measured = measure_project(project, case.classes, case.found)
    workspace.session.set_result(Kind.MEASUREMENT, measured, project)
    page = UtilityPage(workspace, settings)
    qtbot.addWidget(page)
    page.refresh_now()
    return words_of(page.risk._attackers)


def test_riskiest_classes_of_the_release_and_of_the_input(page, case):
    page.show_tab("classes")
    n_released = page.classes.grid.table_model.rowCount()
    assert n_released == len(case.measured.sizes_after)
    page.classes.which.set_current("before")
    page.classes.which_wanted.emit("before")
    n_before = case.classes.class_table.n_classes
    assert page.classes.grid.table_model.rowCount() == n_before


def test_suppressed_people_and_quality_are_said_with_their_unit(
    qtbot, page, case, workspace
):
    unit = ProtectedUnit(kind="key", people=400)
    measured = replace(case.measured, unit=unit, rows=(90, 900))
    measured = replace(measured, is_quality_of_rows=True)
    workspace.session.set_result(Kind.MEASUREMENT, measured, case.project)
    page.refresh_now()
    said = words_of(page.risk.verdict)
    n, most = measured.n_suppressed, measured.limit_records
    assert n > 0
    assert f"✓ Suppressed: {n} of 400 people" in said
    assert f"the limit is {most} people. Suppressed rows:" in said
    assert "90 of 900 rows (10\u202f%)" in said
    page.show_tab("quality")
    qtbot.waitUntil(lambda: not page.quality._turns.is_busy)
    assert page.quality._counted.isVisible()
    assert measured.quality_words in words_of(page.quality)
    size = figure_of(measured, "average_class_size")
    assert f"{number_text(size)} rows" in words_of(page.quality)


def figure_of(measured, kind):
    return next(e.value for e in measured.quality if e.measure.kind == kind)


def test_every_measure_is_listed_with_its_sentence(qtbot, page, case):
    page.show_tab("quality")
    qtbot.waitUntil(lambda: not page.quality._turns.is_busy)
    said = words_of(page.quality)
    for figure in case.measured.quality:
        assert figure.measure.title in said
        assert figure.measure.words() in said
    size = figure_of(case.measured, "average_class_size")
    assert f"{number_text(size)} records" in said
    # All columns weigh the same here: a total of shares can be 100 %.
    assert "everything lost in every column it would be 100\u202f%" in said
    assert "guides the search" in said
    assert not page.quality._counted.isVisible()
    assert page.quality.by_column.view.is_drawn
    for place in range(page.quality.measure.count()):
        page.quality.measure.setCurrentIndex(place)
        title = page.quality.measure.currentText()
        assert page.quality.by_column.view.chart.title.params["measure"] == title


def test_a_figure_and_its_unit_stand_in_one_line(qtbot, page, case):
    (figure,) = (e for e in case.measured.quality if e.measure.kind == "ambiguity")
    large = replace(figure, value=28_979_299_272.0)
    page.show_tab("quality")
    page.quality.show_measured(replace(case.measured, quality=(large,)), {})
    qtbot.waitUntil(lambda: not page.quality._turns.is_busy)
    settle()
    words = "28,979,299,272 combinations"
    (shown,) = (e for e in page.quality.findChildren(Label) if e.text() == words)
    assert shown.heightForWidth(shown.width()) < 2 * shown.fontMetrics().height()


@pytest.mark.parametrize(("n", "is_whole"), [(3, True), (7, True), (14, False)])
def test_lists_that_nearly_show_all_attributes_show_all(page, n, is_whole):
    page.show_tab("known")
    page.known.show_state([f"column {place}" for place in range(n)], None)
    settle()
    for each in (page.known.always, page.known.together):
        assert (each.view.verticalScrollBar().maximum() == 0) == is_whole
        assert (each.view.height() == 160) == (n != 7)


def test_columns_can_be_chosen(page):
    page.show_tab("distribution")
    chooser = page.distribution.chooser
    names = [chooser.itemText(place) for place in range(chooser.count())]
    assert names == ["age", "sex", "zip", "diagnosis", "note"]
    for place in range(chooser.count()):
        chooser.setCurrentIndex(place)
        frame = page.distribution._stack.currentWidget()
        assert frame.view.is_drawn
        assert names[place] in frame._title.text()


def test_charts_of_few_values_are_low(qtbot, page):
    """Two bars and five columns."""
    page.show_tab("distribution")
    page.distribution.chooser.setCurrentIndex(1)  # sex: F and M
    view = page.distribution._bars.view
    qtbot.waitUntil(lambda: view.is_drawn and view.isVisible())
    qtbot.waitUntil(lambda: view.height() == view.sizeHint().height() < 200)
    # Nothing of it is cut.
    qtbot.waitUntil(lambda: view.plot.geometry().bottom() < view.height())
    page.show_tab("relations")
    view = page.relations._maps[0].view
    qtbot.waitUntil(lambda: view.is_drawn and view.isVisible())
    qtbot.waitUntil(lambda: view.height() < 300)


def test_it_is_said_under_the_charts_which_columns_they_show(page, monkeypatch):
    for tab, pane in (
        ("distribution", page.distribution),
        ("relations", page.relations),
    ):
        page.show_tab(tab)
        assert not pane.choice.isVisible()
    monkeypatch.setattr(comparing, "MOST_COLUMNS", 3)
    page._comparison = None
    for tab, pane in (
        ("distribution", page.distribution),
        ("relations", page.relations),
    ):
        page.show_tab(tab)
        assert pane.choice.isVisible()
        assert "3 of 5 released columns" in pane.choice.words.text()


def test_relations_and_distributions_of_other_columns_can_be_chosen(
    qtbot, page, monkeypatch
):
    monkeypatch.setattr(comparing, "MOST_COLUMNS", 3)
    page._comparison = None
    page.show_tab("relations")
    choice = page.relations.choice
    choice.button.setFocus()
    qtbot.keyClick(choice.button, Qt.Key.Key_Space)
    assert choice.list.checked == ("age", "sex", "zip")
    model = choice.list.model
    for name, is_on in (("note", True), ("sex", False), ("diagnosis", True)):
        state = Qt.CheckState.Checked if is_on else Qt.CheckState.Unchecked
        place = model.index(model.row_of(name), 0)
        model.setData(place, state, Qt.ItemDataRole.CheckStateRole)
    assert not choice.show_them.isEnabled()  # four of three
    assert choice.show_them.text() == "At most 3 columns"
    age = model.index(model.row_of("age"), 0)
    model.setData(age, Qt.CheckState.Unchecked, Qt.ItemDataRole.CheckStateRole)
    choice.show_them.click()
    names = ["zip", "diagnosis", "note"]
    assert list(page._comparison.names) == names
    assert choice.button.hasFocus()
    for chooser, tab in (
        (page.relations.rows, "relations"),
        (page.distribution.chooser, "distribution"),
    ):
        page.show_tab(tab)
        assert [chooser.itemData(n) for n in range(chooser.count())] == names
    assert page.distribution._stack.currentWidget().view.is_drawn


def test_the_chart_of_losses_says_what_its_figures_count(page):
    page.show_tab("quality")
    assert page.quality.measure.currentText() == "Loss"
    assert "what is suppressed counts as removed" in page.quality._meaning.text()


def test_charts_of_other_columns_are_not_seen_under_the_name_of_these(page, workspace):
    page.show_tab("distribution")
    runner = Later()
    workspace.runner = JobRunner(lambda closure: closure(), runner)
    page.distribution.chooser.setCurrentIndex(2)
    frame = page.distribution._stack.currentWidget()
    assert frame.view.chart is None
    assert frame._title.text() == ""
    runner.run()
    frame = page.distribution._stack.currentWidget()
    assert "zip" in frame._title.text()
    page.show_tab("relations")
    runner.run()
    page.relations.columns.setCurrentIndex(3)
    assert page.relations._maps[2].view.chart is None
    runner.run()
    assert page.relations._maps[2].view.chart.title.text() == "age by diagnosis"


def test_relations_before_and_after(qtbot, page):
    page.show_tab("relations")
    maps = page.relations._maps
    qtbot.waitUntil(lambda: all(frame.view.is_drawn for frame in maps))
    page.relations.columns.setCurrentIndex(3)
    title = page.relations._maps[2].view.chart.title.text()
    assert title == "age by diagnosis"


def test_stale_figures_are_shown_as_such(page, workspace):
    change = ops.change_privacy(models=({"kind": "k_anonymity", "k": 9},))
    workspace.session.apply(change, "thresholds")
    assert not page._banner.isHidden()
    assert page.status().state is StepState.STALE
    for tab in ("classes", "quality", "distribution", "relations", "risk"):
        page.show_tab(tab)
    workspace.session.undo()
    assert page._banner.isHidden()


def test_the_input_alone_is_shown_before_a_search(qtbot, settings, case):
    workspace = FakeWorkspace()
    fill(workspace.session, case)
    workspace.session._results.pop(LATTICE)
    measured = measure_project(case.project, case.classes, None)
    workspace.session.set_result(Kind.MEASUREMENT, measured, case.project)
    page = UtilityPage(workspace, settings)
    qtbot.addWidget(page)
    page.refresh_now()
    assert page.status().state is StepState.READY
    assert len(page.risk.sizes.view.chart.series) == 1
    page.show_tab("relations")
    assert not page._no_release.isHidden()
    page.show_tab("classes")
    assert page._no_release.isHidden()
    assert page.classes.which.isHidden()
    n_before = case.classes.class_table.n_classes
    assert page.classes.grid.table_model.rowCount() == n_before


def test_what_a_release_is_compared_with_is_chosen_and_taken_back(
    page, workspace, case, monkeypatch, tmp_path
):
    """A register of all patients and some others, by the columns of the case."""
    names = [each.name for each in workspace.session.project.quasi_identifiers]
    table = case.classes.source
    rows = [[table.column(n).text(r) for n in names] for r in range(table.n_rows)]
    file = tmp_path / "voters.csv"
    lines = [",".join(row) for row in (names, *rows, *rows[:100])]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    tables, is_away = OtherTables(), ["voters"]

    def compare_with(path, kind, by):
        choice = tables.choose(workspace.session.project, path, kind, NULL_MONITOR)
        op = ops.compare_with(choice.but(by=by, on="2026-11-23"))
        workspace.session.apply(op, "compare")

    def read_others():
        if is_away:
            return lambda _monitor: dict.fromkeys(is_away)
        return tables.reader(workspace.session.project, None)

    monkeypatch.setattr(workspace, "compare_with", compare_with, raising=False)
    monkeypatch.setattr(workspace, "read_others", read_others, raising=False)
    monkeypatch.setattr(pages_utility, "ask_open", lambda *_: file)
    page.show_tab("criteria")
    pane = page.criteria
    assert "Not compared with another release" in words_of(pane)
    assert "of the quasi-identifiers into two halves" in words_of(pane)
    assert pane.linked.isHidden()
    unnamed: list[ConfigError] = []
    with monkeypatch.context() as shown:
        shown.setattr(page, "show_error", unnamed.append)
        pane.compare_register.click()
    assert [each.code for each in unnamed] == ["validity_unnamed"]
    assert workspace.session.project.comparisons == ()
    pane.by.setText("N. N.")
    pane.compare_register.click()
    page.refresh(Changes.EVERYTHING)
    assert workspace.session.current(Kind.CRITERIA).compared == ()
    shown = words_of(pane)
    assert "what somebody has chosen could not be compared" in shown
    assert "nobody has chosen" not in shown
    is_away.clear()
    workspace.input_located("voters")
    (found,) = workspace.session.current(Kind.CRITERIA).compared
    assert (found.name, found.by, found.others) == ("voters", "N. N.", len(lines) - 1)
    assert not pane.linked.isHidden()
    assert pane.linked.item(0, 0).text() == "voters"
    assert pane.linked.item(0, 5).text() == str(found.linked[0].certain)
    assert "“voters” is a register of 500 people" in words_of(pane)
    (button,) = (b for b in pane.findChildren(Button) if "Do not compare" in b.text())
    button.click()
    page.refresh(Changes.EVERYTHING)
    assert workspace.session.project.comparisons == ()
    assert "Not compared with another release" in words_of(pane)


def test_nothing_of_a_stale_release_is_green_or_said_of_the_decisions_of_now(
    page, workspace
):
    risk, session = page.risk, workspace.session
    page.show_tab("risk")
    assert risk.verdict.property("tone") == "success"
    assert risk._population.isVisible()
    choice = PopulationChoice(kind="sampling_fraction", sampling_fraction=0.01)
    session.apply(ops.change_privacy(population=choice), "state a share")
    page.refresh(Changes.PRIVACY)
    assert risk.verdict.property("tone") == "warning"
    assert words_of(risk.verdict).startswith("Out of date:")
    # Figures of nobody's share, beside a sentence about one in a hundred.
    assert not risk._population.isVisible()
    assert not risk._sensitivity_card.isVisible()
    session.undo()
    page.refresh(Changes.PRIVACY)
    assert risk.verdict.property("tone") == "success"
    assert risk._population.isVisible()


def test_nothing_is_green_before_somebody_said_who_is_protected(page, workspace):
    risk, session = page.risk, workspace.session
    assert risk.verdict.property("tone") == "success"
    session.apply(lambda project: project.but(unit=None), "nobody said so")
    page.refresh(Changes.EVERYTHING)
    assert risk.verdict.property("tone") == "warning"
    assert "It is not decided who is protected" in words_of(risk.verdict)
    status = page.status()
    assert (status.state, status.caption) == (StepState.ATTENTION, "counted in rows")


def test_figures_that_nobody_has_looked_at_are_not_ticked(
    qtbot, workspace, settings, case
):
    fill(workspace.session, case)
    made = UtilityPage(workspace, settings)
    qtbot.addWidget(made)
    assert made.status().state is StepState.PROPOSED
    with qtbot.waitExposed(made):
        made.show()
    assert made.status().state is StepState.SEEN
    made.hide()
    assert made.status().state is StepState.SEEN
    # Other decisions give other figures.
    session = workspace.session
    session.apply(ops.change_privacy(missing_matches="anything"), "missing")
    session.set_result(Kind.MEASUREMENT, case.measured, session.project)
    assert made.status().caption == "being checked"
    session.set_result(Kind.QUESTIONS, (), session.project)
    assert made.status().state is StepState.PROPOSED


def test_nothing_is_green_where_most_are_alone_on_all_that_is_released(
    page, workspace, case
):
    """A tile says over which columns nobody is unlike the others."""
    risk, session = page.risk, workspace.session
    params = {
        **{"n_alone": 96, "n_released": 100, "share": "96 %"},
        **{"n_quasi": 3, "n_columns": 1, "columns": ("cost",)},
    }
    question = ReleaseQuestion("cost", "alone", "question_alone", params, "")
    session.set_result(Kind.QUESTIONS, (question,), session.project)
    page.refresh(Changes.RESULT)
    assert risk.verdict.property("tone") == "warning"
    # What is warned of stands before what holds.
    assert risk.verdict.accessibleName().startswith(question.words)
    title = risk.verdict.findChild(Label).text()
    assert title.startswith("96 of 100")
    assert title.endswith("released unchanged.")
    assert "The release meets all thresholds." in words_of(risk.verdict)
    assert page.status().state is StepState.ATTENTION
    assert "combination of quasi-identifiers occurs once" in words_of(risk)
    session.set_result(Kind.QUESTIONS, (), session.project)
    page.refresh(Changes.RESULT)
    assert risk.verdict.property("tone") == "success"
    # Until it is looked at again, nobody knows.
    session.apply(ops.change_privacy(missing_matches="anything"), "missing")
    session.set_result(Kind.MEASUREMENT, case.measured, session.project)
    page.refresh(Changes.RESULT)
    assert risk.verdict.property("tone") == "warning"
    assert "The table to be released is being checked" in words_of(risk.verdict)
    assert page.status().caption == "being checked"


@pytest.mark.parametrize("highest", [1.0, 1 / 3, 0.1])
def test_nothing_is_green_where_the_number_of_rows_tells_who_it_is(
    page, workspace, case, highest
):
    """Groups of 3 are released: who knows the number of rows may find one of fewer."""
    assert case.measured.policy.smallest_class == 3
    known = RowsKnown(known="all_and_number", highest=highest, average=0.05)
    unit = ProtectedUnit(kind="key", column="patient", people=400, rows_known=(known,))
    project = workspace.session.project
    page.risk.show_measured(replace(case.measured, unit=unit), project)
    is_doubted = highest > 1 / 3
    tone = page.risk.verdict.property("tone")
    assert tone == ("warning" if is_doubted else "success")
    said = words_of(page.risk.verdict).replace("\u202f", " ")
    assert ("a probability of up to 100 %" in said) == is_doubted
    # Rows that cannot be brought together tell no number.
    apart = unit.model_copy(update={"column": None, "suppressed_people": 1})
    page.risk.show_measured(replace(case.measured, unit=apart), project)
    assert page.risk.verdict.property("tone") == "success"


def test_of_how_many_people_the_rows_tell_too_much_is_said(page, workspace, case):
    """The highest risk is that of one person: those above the threshold are counted."""
    one = RowsKnown(known="one", highest=0.2, average=0.05, n_at_risk=0)
    number = RowsKnown(known="all_and_number", highest=1.0, average=0.1, n_at_risk=9)
    unit = ProtectedUnit(
        kind="key",
        column="patient",
        people=400,
        suppressed_people=10,
        rows_known=(one, number),
    )
    project = workspace.session.project
    page.risk.show_measured(replace(case.measured, unit=unit), project)
    said = words_of(page.risk.verdict)
    assert "easiest to find; above the threshold are 9 of 390 released people" in said
    labels = page.risk._rows_card.findChildren(QLabel)
    tones = {e.text(): e.property("tone") for e in labels if e.isVisibleTo(page.risk)}
    assert tones["100\u202f%"] == tones["9 of 390 people"] == "danger"
    assert tones["20\u202f%"] == tones["0 of 390 people"] != "danger"
    # Above no verdict: somebody would have to bring the rows together.
    assert "not held against the thresholds" not in words_of(page.risk._rows_card)
    apart = unit.model_copy(update={"column": None})
    page.risk.show_measured(replace(case.measured, unit=apart), project)
    assert "above the threshold" not in words_of(page.risk.verdict)
    assert "not held against the thresholds" in words_of(page.risk._rows_card)
    # In a narrow window the words take lines; the page does not scroll sideways.
    assert page.risk._rows_card.minimumSizeHint().width() < 600


def test_who_is_singled_out_is_measured_and_goes_stale(page, workspace, case):
    assert page.criteria.alone.rowCount() == 0
    page.show_tab("criteria")
    found = workspace.session.current(Kind.CRITERIA)
    assert found == measure_criteria(
        workspace.session.project,
        case.classes.with_columns_of(workspace.session.project),
        case.measured.chosen_policy,
    )
    table = page.criteria.alone
    shown = [table.item(row, 0).text() for row in range(table.rowCount())]
    assert shown[0] == "1 quasi-identifier"
    assert shown[-1] == "All that is released"
    alone, before, chance = (
        table.item(table.rowCount() - n, 1).text() for n in (4, 3, 2)
    )
    first = case.measured.before
    assert alone == "0\u202f%"
    assert before == share_text(first.uniques / first.n_records)
    assert chance == share_text(found.by_chance)
    assert page.criteria.guessed.item(0, 0).text() == "diagnosis"
    assert page.criteria.stale.isHidden()
    workspace.session.apply(ops.set_included("diagnosis", False), "leave it out")
    page.refresh(Changes.EVERYTHING)
    # Other columns are released: it is measured again, and nothing else is.
    assert workspace.session.current(Kind.CRITERIA).guessed == ()
    workspace.session.apply(ops.change_privacy(missing_matches="anything"), "other")
    page.refresh(Changes.EVERYTHING)
    # One banner says so of all figures of the page.
    assert not page._banner.isHidden()
    assert page.criteria.stale.isHidden()


@pytest.mark.parametrize("width", [380, 900])
def test_all_words_on_who_is_singled_out_are_read(page, qtbot, width):
    page.show_tab("criteria")
    pane = page.criteria
    pane.setParent(None)
    qtbot.addWidget(pane)
    pane.resize(width, 2000)
    pane.show()
    table = pane.alone
    rows = ["All quasi-identifiers, before the release", "nobody is alone on any"]
    table.show_texts([("1 quasi-identifier", "0.3\u202f%", rows[1], "12\u202f%")] * 4)
    table.show_texts([(rows[0], "0.3\u202f%", rows[1], "12\u202f%")] * 6)
    QApplication.processEvents()
    qtbot.waitUntil(lambda: table.verticalScrollBar().maximum() == 0)
    assert table.horizontalScrollBar().maximum() == 0
    for place, text in ((0, rows[0]), (2, rows[1])):
        lines = table.rowHeight(0) // table.fontMetrics().height()
        needed = table.fontMetrics().horizontalAdvance(text)
        assert needed <= lines * table.columnWidth(place)


def test_no_empty_column_is_shown_of_who_is_singled_out(page, workspace):
    page.show_tab("criteria")
    found, table = workspace.session.current(Kind.CRITERIA), page.criteria.alone
    assert found.sets
    assert not any(table.isColumnHidden(place) for place in range(4))
    page.criteria.show_criteria(Criteria(alone_on_all=1.0))
    assert [table.isColumnHidden(place) for place in range(4)] == [False] * 2 + [
        True
    ] * 2


def test_who_is_singled_out_says_what_to_do_where_nothing_was_measured(page, workspace):
    session = workspace.session
    session.apply(ops.change_privacy(missing_matches="anything"), "other")
    page.show_tab("criteria")
    page.refresh(Changes.EVERYTHING)
    assert session.result(Kind.CRITERIA) is None
    assert page.criteria.nothing.isVisible()
    assert "before the decisions changed" in page.criteria.nothing.accessibleName()
    session.undo()
    page.refresh(Changes.EVERYTHING)
    assert session.current(Kind.CRITERIA) is not None
    assert not page.criteria.nothing.isVisible()
    assert page.criteria.alone.isVisible()


def test_the_policy_takes_one_line_until_somebody_opens_it(page, qtbot):
    words = page.policy_words
    text = "; ".join(f"column {n}: level {n}" for n in range(14))
    words.set_text(text)
    QApplication.processEvents()
    assert words.height() < 2 * words.toggle.sizeHint().height()
    assert words.line._shown() != text
    qtbot.mouseClick(words.toggle, Qt.MouseButton.LeftButton)
    assert words.whole.isVisible()
    assert not words.line.isVisible()
    assert words.whole.text() == text
    qtbot.mouseClick(words.toggle, Qt.MouseButton.LeftButton)
    assert words.line.isVisible()


def test_other_cases_stand_on_the_page_once_the_context_is_said(page, workspace, case):
    table = page.risk.sensitivity
    assert page.risk._sensitivity_card.isHidden()
    session = workspace.session
    session.apply(lambda p: p.but(context=agreed()), "say the context")
    page.refresh(Changes.EVERYTHING)
    assert page.risk._sensitivity_card.isHidden(), "the figures are of before"
    measured = measure_project(session.project, case.classes, case.found)
    session.set_result(Kind.MEASUREMENT, measured, session.project)
    page.refresh(Changes.EVERYTHING)
    assert not page.risk._sensitivity_card.isHidden()

    def cases():
        return [table.item(row, 0).text() for row in range(table.rowCount())]

    assert cases()[0] == "As stated"
    assert "Controls one level worse" in cases()
    assert not any("is known besides" in each for each in cases())
    heads = [table.horizontalHeaderItem(n).text() for n in range(table.columnCount())]
    assert heads[3:6] == ["T1", "T2", "T3"]
    page.show_tab("criteria")
    page.show_tab("risk")
    page.refresh(Changes.EVERYTHING)
    assert "“note” is known besides" in cases()


def test_a_work_list_is_written_where_a_person_asks_for_it(page, tmp_path):
    page.show_tab("classes")
    assert not page.classes.save_list.isHidden()
    path = tmp_path / "list.csv"
    said = []
    page.reported.connect(said.append)
    page.export_list(path)
    assert "CONTAINS VALUES" in path.read_text(encoding="utf-8-sig")
    assert "list.csv" in said[0].text
    page.classes.which.set_current("before")


def test_a_work_list_does_not_replace_the_patients(
    page, workspace, tmp_path, monkeypatch
):
    page.show_tab("classes")
    patients = tmp_path / "patients.csv"
    patients.write_text("name\nA\n", encoding="utf-8")
    monkeypatch.setattr(workspace, "needed_files", lambda: (patients,))
    shown = []
    monkeypatch.setattr(page, "show_error", shown.append)
    page.export_list(patients)
    assert [each.code for each in shown] == ["place_needed"]
    assert patients.read_text(encoding="utf-8") == "name\nA\n"


def test_the_sentence_on_an_attacker_gives_way_where_it_is_narrow(qtbot):
    one = _AttackerName()
    qtbot.addWidget(one)
    words = "Somebody who knows that the person is in the file. " * 3
    one.show_attacker(_Attacker("Known person", words, "", (0, 0, 0), (0, 0, 0)))
    sentence = one.fontMetrics().horizontalAdvance(words)
    assert one.minimumSizeHint().width() < sentence / 3
