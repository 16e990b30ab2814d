"""Where rows belong to people, no text calls a person a record."""

from __future__ import annotations

import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QTableView,
)

from deidgui.app import ops
from deidgui.app.policies.alternatives.checking import with_elements
from deidgui.app.policies.alternatives.space import proposed_elements
from deidgui.app.policies.runner import ALTERNATIVES
from deidgui.app.session import Kind
from deidgui.engine.parameters import parameters_of
from deidgui.engine.privacy import (
    PRIVACY_MODELS,
    AverageProsecutorRisk,
    DistinctLDiversity,
    HighestProsecutorRisk,
    KAnonymity,
)
from deidgui.qt.pages import STEPS
from deidgui.qt.pages.risk.page import RiskPage
from deidgui.qt.widgets import Collapsible, InTurns, Segmented
from deidgui.text import tr
from tests.events_case import write_events

ROLES = {
    "hadm_id": "direct_identifier",
    "sex": "quasi_identifier",
    "birth_year": "quasi_identifier",
    "region": "quasi_identifier",
    "admission_year": "insensitive",
    "ward": "sensitive",
    "diagnosis": "sensitive",
}

ALLOWED = {
    "Record: what is counted": "the glossary, under the pointer: it says what it is",
    "Suppress: release nothing of a record": "the glossary",
    "Suppressed record: a record of which": "the glossary",
    "Policy: which label is released for every value, and which records": (
        "the glossary"
    ),
    "Suppression limit: the largest share of records": "the glossary",
    "k-anonymity: every released record shares": "the glossary",
    "At risk: a record whose": "the glossary",
    "Equivalence class: the records that": "the glossary",
    "a record number": "a number in a hospital",
    "edical record": "a number in a hospital",
    "first 266 records have": "the lines of a file before anybody says whose they are",
    "Leave out records of the wrong length": "the lines of a file",
    "The first record": "the first line of a file",
    "Every released record looks like at least": (
        "a privacy model in the words of the evidence, which are the same for both: "
        "the glossary says that a record is a person there"
    ),
}
"""Part of a text that may say “record” -> why."""

MODELS = (
    KAnonymity(3),
    HighestProsecutorRisk(0.5),
    AverageProsecutorRisk(0.4),
    DistinctLDiversity("ward", 2),
)

N_ROWS = 8


def decide(driver, folder):
    """Decide all about the stays of some patients."""
    driver.open_data(write_events(folder / "stays.csv", 120))
    names = [name for name, role in ROLES.items() if role == "quasi_identifier"]
    decisions = [
        *(ops.set_role(name, role) for name, role in ROLES.items()),
        ops.set_protection("subject_id"),
        ops.confirm_roles(),
        ops.take_over("researcher"),
        ops.change_threshold(set_by="test"),
        *(ops.set_hierarchy(name, {"kind": "flat"}) for name in names),
        ops.change_privacy(models=MODELS, suppression_limit=0.2),
    ]
    for each in decisions:
        driver.session.apply(each, "decide")
    driver.wait_idle()


def like_safe_harbor(project):
    """Look for alternatives to the rule."""
    discover = with_elements(project.discover, proposed_elements(project))
    return project.but(discover=discover.but(iterations=20))


def texts_of(widget):
    """What a widget says: on itself, under the pointer, and to screen readers."""
    yield widget.toolTip()
    yield widget.accessibleName()
    if isinstance(widget, (QLabel, QAbstractButton)):
        yield widget.text()
    if isinstance(widget, QAbstractSpinBox):
        yield widget.text()
    if isinstance(widget, QLineEdit):
        yield widget.placeholderText()
    if isinstance(widget, QComboBox):
        yield from (widget.itemText(place) for place in range(widget.count()))
    if isinstance(widget, QTableView) and widget.model() is not None:
        model, roles = widget.model(), Qt.ItemDataRole
        for place in range(model.columnCount()):
            for role in (roles.DisplayRole, roles.ToolTipRole):
                yield model.headerData(place, Qt.Orientation.Horizontal, role)
                for row in range(min(N_ROWS, model.rowCount())):
                    yield model.index(row, place).data(role)


def said(page):
    """All texts that are shown of a page."""
    for widget in page.findChildren(object):
        if hasattr(widget, "isVisibleTo") and widget.isVisibleTo(page):
            yield from (text for text in texts_of(widget) if isinstance(text, str))


def views(driver, page):
    """Show each part of a page, and each of its views."""
    for part in page.summaries if isinstance(page, RiskPage) else [""]:
        if part:
            page.show_part_of(part)
        for each in page.findChildren(Collapsible):
            each.set_open(True)
        driver.wait_idle()
        yield part
        for bar in page.findChildren(Segmented):
            for place, key in enumerate(bar._keys):
                if bar.isVisibleTo(page) and bar.offers(key):
                    bar._on_clicked(place)
                    driver.wait_idle()
                    turns = page.findChildren(InTurns)
                    driver.wait(lambda turns=turns: not any(e.is_busy for e in turns))
                    yield key


def without_allowed(text):
    """A text without the parts that may say it."""
    for part in ALLOWED:
        text = text.replace(part, "")
    return text


def measure(driver, page):
    """Ask for what a page shows on request only."""
    if page.key == "attributes":
        page.together.start()
    if page.key == "utility":
        page.attacks.run_wanted.emit()
    driver.wait_idle()


def calls_somebody_a_record(text):
    """Whether a text says it other than where it may."""
    return re.search(r"\brecords?\b", without_allowed(text), re.IGNORECASE)


def called_records(driver, keys):
    """Texts of some pages that say it, with where they stand."""
    found = {}
    for key in keys:
        page = driver.page(key)
        driver.wait_idle()
        measure(driver, page)
        for view in views(driver, page):
            for text in said(page):
                if calls_somebody_a_record(text):
                    found.setdefault(text, f"{key} {view}")
    return "\n".join(f"{key}: {text}" for text, key in found.items())


def rows_of_alternatives(page):
    """Rows of the list that are alternatives to the baseline."""
    policies = page.results.views.policies
    is_one = page.policies.rows_in(ALTERNATIVES) >= 0
    rows = range(policies.rowCount())
    return [row for row in rows if is_one[policies.number_at(row)]]


def test_no_person_is_called_a_record(driver, tmp_path):
    decide(driver, tmp_path)
    driver.session.apply(like_safe_harbor, "baseline")
    driver.session.apply(ops.change_search(local_recoding=True), "local recoding")
    driver.find_alternatives()
    driver.search()
    page = driver.page("policies")
    for row in rows_of_alternatives(page)[:2]:
        page.results.views.table.selectRow(row)
        driver.click(page.results.panel.keep_button)
    page.show_tab("compare")
    driver.wait_idle()
    labels = [line.label for line in page.results.compare.lines]
    assert "With a joined value (people)" in labels
    page.show_tab("trade_offs")
    driver.wait(lambda: page.results.trade_offs.by_size.table.rowCount() > 0)
    for card in (page.results.trade_offs.by_limit, page.results.trade_offs.by_size):
        assert "people" in card.table.horizontalHeaderItem(0).text()
        assert card.chart.view.chart.x_axis.label.text().endswith("people")
    assert not called_records(driver, [step.key for step in STEPS])


def test_an_alternative_is_accepted_in_words_of_people(driver, tmp_path):
    decide(driver, tmp_path)
    driver.session.apply(like_safe_harbor, "baseline")
    page = driver.find_alternatives()
    chosen = page.policies.candidate(0).chosen
    driver.session.apply(ops.choose_policy(chosen), "choose an alternative")
    driver.wait_idle()
    accepted = driver.session.result(Kind.MEASUREMENT).accepted
    assert "people, looked up among" in accepted.words
    assert not called_records(driver, ("utility", "export"))


@pytest.mark.parametrize("model", list(PRIVACY_MODELS))
def test_no_help_of_a_model_calls_a_person_a_record(model):
    """It is the same for both: rows, and people with all their rows."""
    for each in parameters_of(model):
        said = f"{tr(each.label)} {tr(each.sentence)}"
        assert not calls_somebody_a_record(said), each.name
