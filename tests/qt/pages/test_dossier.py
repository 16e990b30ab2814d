"""The dossier on the page Preview and export: entered by persons, part by part."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel

from deidgui.app import ops
from deidgui.app.determination.validity import enter_trigger
from deidgui.app.dossier.dossier import completeness_of
from deidgui.app.project import Attribute, Project
from deidgui.app.release.writing import write_release
from deidgui.app.session import State
from deidgui.engine.determination import SECTIONS
from deidgui.engine.evidence.entered import Entry
from deidgui.qt.pages.export.dossier import FIELDS_IN_TURN, DossierView
from deidgui.qt.pages.export.page import ExportPage
from deidgui.qt.widgets import Block
from tests.app.context_case import agreed, public
from tests.app.test_report_dossier import project_of, stated
from tests.qt.fakes import fill
from tests.release_case import make_order


@pytest.fixture
def page(qtbot, workspace, settings):
    fill(workspace.session)
    made = ExportPage(workspace, settings)
    qtbot.addWidget(made)
    made.resize(1100, 700)
    with qtbot.waitExposed(made):
        made.show()
    made.view.set_current("dossier")
    made.refresh(made.parts)
    return made


def dossier(page):
    return page.session.project.dossier


def show(view, part):
    view.parts.selectRow(list(SECTIONS).index(part))
    return view._forms[part]


def texts_of(widget):
    return " ".join(each.text() for each in widget.findChildren(QLabel))


def write(row, text):
    row.field.setText(text)
    row.field.editingFinished.emit()


def test_nothing_is_chosen_or_entered_by_itself(page):
    view = page.dossier
    assert view.isVisible()
    assert not page.options.isVisible()
    assert view.regime.current == view.edition.current == ""
    for part in SECTIONS:
        form = show(view, part)
        assert all(not row.field.text() for row in form.fields.values())
        assert view._stack.currentWidget() is form
    assert dossier(page) == type(dossier(page))()
    assert view.parts.item(1, 1).text() != "✓"


def test_names_of_parts_begin_in_one_line(page):
    metrics = page.dossier.parts.fontMetrics()
    names = [page.dossier.parts.item(at, 0).text() for at in range(len(SECTIONS))]
    starts = {
        metrics.horizontalAdvance(text.removesuffix(title))
        for text, title in zip(names, SECTIONS.values(), strict=True)
    }
    assert max(starts) - min(starts) <= 1


def test_the_page_is_no_higher_than_its_parts_at_its_width(page):
    """Of what wraps, not what it would be high where it is narrowest."""
    page.resize(1100, 400)
    QApplication.processEvents()
    content = page._sheet
    assert content.height() == content.layout().heightForWidth(content.width())


def test_a_text_that_waits_for_a_name_is_entered_from_another_part(page):
    view = page.dossier
    form = show(view, "D2")
    view.by.clear()
    write(form.fields["legal_basis", ""], "Act 12")
    write(form.waivers[8], "nothing is signed")
    show(view, "D1")
    view.by.setText("A. Analyst")
    view.by.editingFinished.emit()
    assert dossier(page).entries["legal_basis"].by == "A. Analyst"
    assert dossier(page).not_applying[8].text == "nothing is signed"
    # A field is left when another part is shown: what stands in it is entered.
    show(view, "D2")
    field = form.fields["legal_basis", ""]
    field.field.setText("Act 13")
    show(view, "D1")
    field.field.editingFinished.emit()
    assert dossier(page).entries["legal_basis"].text == "Act 13"


def test_a_text_is_entered_with_name_and_day_and_undone(page):
    view = page.dossier
    form = show(view, "D2")
    view.by.clear()
    write(form.fields["legal_basis", ""], "Act 12")
    page.refresh(page.parts)
    assert "legal_basis" not in dossier(page).entries
    assert form.fields["legal_basis", ""].field.text() == "Act 12"
    view.by.setText("A. Analyst")
    view.by.editingFinished.emit()
    assert dossier(page).entries["legal_basis"].text == "Act 12"
    page.session.undo()
    write(form.fields["legal_basis", ""], "Act 12, section 3")
    entry = dossier(page).entries["legal_basis"]
    assert (entry.text, entry.by) == ("Act 12, section 3", "A. Analyst")
    assert entry.counts
    page.session.undo()
    page.refresh(page.parts)
    assert "legal_basis" not in dossier(page).entries
    assert form.fields["legal_basis", ""].field.text() == ""


def test_nothing_is_said_of_a_release_that_is_stopped_by_other_things(page):
    state = page.dossier.state
    said = "\n".join(each.text() for each in state.findChildren(QLabel))
    # Whether questions of the other view stop it is not looked at here.
    assert page._what_is_missing()
    assert "Missing items do not stop the release" in said
    assert "can be written" not in said
    met = enter_trigger("incident", "A laptop was lost.", "N. N.", "2026-11-23")
    page.session.apply(met, "enter a trigger")
    page.refresh(page.parts)
    said = "\n".join(each.text() for each in state.findChildren(QLabel))
    assert "do not stop" not in said
    assert "does not hold any more" in said


def test_columns_are_asked_one_by_one(page):
    view = page.dossier
    view.by.setText("A. Analyst")
    form = show(view, "D9")
    names = [about for name, about in form.fields if name == "rule"]
    quasi = [each.name for each in page.session.project.quasi_identifiers]
    assert names == quasi
    write(form.fields["rule", quasi[0]], "years are enough")
    assert dossier(page).columns[quasi[0]]["rule"].text == "years are enough"


def test_one_text_for_all_columns_leaves_what_was_said(page):
    view = page.dossier
    view.by.setText("A. Analyst")
    form = show(view, "D2")
    first, *others = (about for name, about in form.fields if name == "needed")
    write(form.fields["needed", first], "by itself")
    write(form.of_all["needed"], "for the study")
    texts = {n: each["needed"].text for n, each in dossier(page).columns.items()}
    assert texts == {first: "by itself", **dict.fromkeys(others, "for the study")}
    assert form.of_all["needed"].field.text() == ""
    page.session.undo()
    assert set(dossier(page).columns) == {first}


def test_missing_items_are_counted_once_wherever_they_count(page):
    """The column of the parts adds up to what is said above it."""
    view = page.dossier
    found = completeness_of(page.session.project, suppresses=None)
    texts = [view.parts.item(row, 1).text() for row in range(view.parts.rowCount())]
    counted = [int(each.split()[0]) for each in texts if each[0].isdigit()]
    assert sum(counted) == len(found.missing)
    assert f"{len(found.missing)} missing." in texts_of(view.state)
    # Item 1 counts in D13, too, and is entered in D1.
    assert sum(len(found.missing_in(name)) for name in SECTIONS) > sum(counted)
    before = {each: found.missing_first_in(each) for each in SECTIONS}
    assert {e.item.number for each in before.values() for e in each} == {
        e.item.number for e in found.missing
    }


def test_a_part_whose_item_is_entered_elsewhere_names_the_place(page):
    view, place = page.dossier, list(SECTIONS).index("D10")
    view.by.setText("A. Analyst")
    write(show(view, "D10").fields["utility_verdict", ""], "The purpose is met.")
    # Item 35 counts here, too.
    assert view.parts.item(place, 1).text() == "in D9"


def test_an_item_does_not_apply_for_a_reason(page):
    view = page.dossier
    view.by.setText("A. Analyst")
    form = show(view, "D2")
    before = int(view.parts.item(1, 1).text())
    write(form.waivers[9], "No data of California.")
    assert dossier(page).not_applying[9].by == "A. Analyst"
    assert int(view.parts.item(1, 1).text()) == before - 1
    assert form._heads[9].text().startswith("–")


def test_what_is_said_elsewhere_is_named_with_its_place(page):
    form = show(page.dossier, "D2")
    assert "context of the release" in form._elsewhere["purpose"].text()
    assert ("purpose", "") not in form.fields


def test_front_sheet_and_edition_are_chosen_by_a_person(page):
    view = page.dossier
    view.regime.set_current("hipaa")
    view.regime.activated.emit(1)
    view.edition.set_current("public")
    view.edition.activated.emit(1)
    assert (dossier(page).regime, dossier(page).edition) == ("hipaa", "public")
    page.view.set_current("release")
    page.refresh(page.parts)
    assert not view.isVisible()


def test_an_intruder_test_is_recorded_in_d8_and_taken_back(page):
    view = page.dossier
    view.by.setText("A. Analyst")
    form = show(view, "D8").intruder
    assert form.tests.isHidden()
    texts = {"tried_by": "A tester", "tested": "the table", "sources": "newspapers"}
    numbers = {"targets": "20", "hours": "8", "claimed": "1"}
    for name, text in {**texts, **numbers}.items():
        form.fields[name].setText(text)
    form.record.click()
    assert not form.problem.isHidden()
    assert not dossier(page).intruder_tests
    form.fields["verified"].setText("0")
    form.record.click()
    page.refresh(page.parts)
    assert form.problem.isHidden()
    assert [each.targets for each in dossier(page).intruder_tests] == [20]
    assert form.tests.rowCount() == 1
    assert form.fields["targets"].text() == ""
    assert not form.remove.isEnabled()
    form.tests.selectRow(0)
    form.remove.click()
    page.refresh(page.parts)
    assert dossier(page).intruder_tests == ()


def test_what_only_a_release_tells_is_not_called_complete(page):
    page.session.apply(ops.change_context(**dict(agreed())), "say")
    page.refresh(page.parts)
    form = show(page.dossier, "D7")
    assert form._heads[26].text().endswith(": not known before a release")
    assert "1 not known before a release" in page.dossier.state._text.text()


def test_the_dossier_signs_all_that_is_open(page, qtbot):
    page.session.apply(ops.enter("legal_basis", Entry(text="Act 12")), "type")
    page.refresh(page.parts)
    view = page.dossier
    form = show(view, "D2")
    assert form.fields["legal_basis", ""].signed.text() == "nobody has signed it"
    assert "signed: texts of the dossier. " in view.signing.words.text()
    view.by.setText("A. Analyst")
    qtbot.mouseClick(view.signing.sign, Qt.MouseButton.LeftButton)
    assert dossier(page).entries["legal_basis"].by == "A. Analyst"
    assert view.signing.sign.isHidden()


def test_what_only_lacks_a_signature_is_called_so(page):
    """As a project of before has it: a text that nobody has signed."""
    said = {"published": Entry(text="On the web.", by="", on="")}
    page.session.apply(ops.change_dossier(entries=said), "open", None)
    page.refresh(page.parts)
    view = page.dossier
    form = show(view, "D2")
    # A word, not a circle that looks as if it could be chosen.
    assert all("○" not in head.text() for head in form._heads.values())
    assert any(head.text().endswith(": open") for head in form._heads.values())
    assert "determination”: D2, D3" in view.state._detail.text()
    form = show(view, "D12")
    assert form._heads[39].text().endswith("Transparency: entered, not signed")
    assert view.parts.item(list(SECTIONS).index("D12"), 1).text() == "1 not signed"
    assert view.parts.item(list(SECTIONS).index("D10"), 1).text() != "1 not signed"


@pytest.mark.parametrize("edition", ["public", "confidential"])
def test_who_releases_a_public_edition_reads_what_not_to_publish(
    page, tmp_path, edition
):
    evidence = write_release(tmp_path / "out", make_order(tmp_path)).evidence
    project = ops.change_dossier(edition=edition)(project_of(evidence))
    written = SimpleNamespace(
        evidence=stated(evidence, project), verification=SimpleNamespace(checks=())
    )
    made = SimpleNamespace(
        folder=tmp_path / "out",
        written=written,
        measured=SimpleNamespace(policy=None),
    )
    page.released.show_released(made, State.CURRENT)
    shown = not page.released._published.isHidden()
    assert shown == (edition == "public")


def test_what_a_release_does_not_ask_is_not_ticked(page):
    """Nobody has said a word about controls of a public release."""
    for context, mark in ((public(), "–"), (agreed(), "✓")):
        page.session.apply(ops.change_context(**vars(context)), "say")
        page.refresh(page.parts)
        form = show(page.dossier, "D5")
        shown = {name: each.text()[0] for name, each in form._elsewhere.items()}
        assert shown["controls"] == shown["prevalence"] == mark, shown


def wide(n_columns):
    """A project of so many columns that are released."""
    names = (f"item_{place:03}" for place in range(n_columns))
    columns = (Attribute(name=each, role="insensitive") for each in names)
    project = Project(attributes=tuple(columns))
    of_last = Entry(text="scale", by="Dr Adler", on="2026-01-02")
    return ops.enter("needed", of_last, f"item_{n_columns - 1:03}")(project)


@pytest.fixture
def view(qtbot):
    made = DossierView()
    qtbot.addWidget(made)
    made.resize(1100, 700)
    with qtbot.waitExposed(made):
        made.show()
    return made


def fields_of_columns(form):
    return [each for each in form.fields if each[1]]


def test_the_fields_of_many_columns_are_made_in_turns_while_their_part_is_seen(
    qtbot, view
):
    n_columns = 5 * FIELDS_IN_TURN
    view.show_project(wide(n_columns), suppresses=None)
    form = show(view, "D2")
    assert len(fields_of_columns(form)) <= 2 * FIELDS_IN_TURN
    show(view, "D3")
    n_made = len(fields_of_columns(form))
    for _turn in range(20):
        qtbot.wait(1)
    # Nobody sees them: they would be styled all at once.
    assert len(fields_of_columns(form)) <= n_made + FIELDS_IN_TURN < n_columns
    show(view, "D2")
    qtbot.waitUntil(lambda: len(fields_of_columns(form)) == n_columns)
    assert [about for _, about in fields_of_columns(form)] == [
        f"item_{place:03}" for place in range(n_columns)
    ]
    # What is known of a column stands in its field however late that is made.
    last = form.fields["needed", f"item_{n_columns - 1:03}"]
    assert last.field.text() == "scale"
    assert "Dr Adler" in last.signed.text()
    assert last.isVisible()


def test_another_number_of_columns_gives_up_the_fields_in_blocks(qtbot, view):
    view.show_project(wide(2 * FIELDS_IN_TURN), suppresses=None)
    form, gone = show(view, "D2"), []
    qtbot.waitUntil(lambda: len(fields_of_columns(form)) == 2 * FIELDS_IN_TURN)
    for block in form.findChildren(Block):
        block.destroyed.connect(lambda: gone.append("block"))
    form.destroyed.connect(lambda: gone.append("form"))
    view.show_project(wide(3), suppresses=None)
    assert form.isHidden()
    assert len(fields_of_columns(view._forms["D2"])) == 3
    qtbot.waitUntil(lambda: "form" in gone)
    assert gone == ["block", "block", "form"]


@pytest.mark.parametrize("wide", [720, 1100])
def test_a_name_has_room_beside_the_choices_or_below_them(page, qtbot, wide):
    view = page.dossier
    view.signing.sign.show()  # as where something is not signed
    page.resize(wide, 700)
    qtbot.waitUntil(lambda: view.by.width() >= 160)
    assert view.edition.width() >= view.edition.minimumSizeHint().width()
