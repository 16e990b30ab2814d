"""Where rows belong to people, no text calls a person a record."""

from __future__ import annotations

import re

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
from deidgui.engine.privacy import (
    AverageProsecutorRisk,
    DistinctLDiversity,
    HighestProsecutorRisk,
    KAnonymity,
)
from deidgui.qt.pages import STEPS
from deidgui.qt.pages.risk.page import RiskPage
from deidgui.qt.widgets import Collapsible, Segmented
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


def test_no_person_is_called_a_record(driver, tmp_path):
    decide(driver, tmp_path)
    driver.session.apply(like_safe_harbor, "baseline")
    driver.find_alternatives()
    driver.search()
    found = {}
    for step in STEPS:
        page = driver.page(step.key)
        driver.wait_idle()
        measure(driver, page)
        for view in views(driver, page):
            for text in said(page):
                if re.search(r"\brecords?\b", without_allowed(text), re.IGNORECASE):
                    found.setdefault(text, f"{step.key} {view}")
    assert not found, "\n".join(f"{key}: {text}" for text, key in found.items())
