"""Shares of the searches for alternatives that join one column alone."""

from deidgui.qt.pages.policies.page import PoliciesPage
from deidgui.qt.pages.policies.quotas import QuotaFields
from tests.explored_case import fill, make_case
from tests.qt.fakes import FakeWorkspace


def test_shares_never_add_up_to_more_than_all_searches(qtbot):
    fields = QuotaFields()
    qtbot.addWidget(fields)
    told = []
    fields.decided.connect(told.append)
    fields.show_quotas({"age": 0.7}, ("age", "sex"))
    assert told == []
    assert fields.fields["age"].value() == 70
    assert fields.fields["sex"].maximum() == 30
    assert "30 %" in fields.rest.text()
    qtbot.keyClicks(fields.fields["sex"].lineEdit(), "9")
    fields.fields["sex"].setValue(90)
    assert told[-1] == {"age": 0.7, "sex": 0.3}
    fields.show_quotas(told[-1], ("age", "sex"))
    assert "Every search" in fields.rest.text()
    fields.fields["age"].setValue(0)
    assert told[-1] == {"sex": 0.3}


def test_a_quota_is_a_decision_that_can_be_undone(qtbot, settings):
    """In the window, with the columns of the file; said in the summary."""
    workspace = FakeWorkspace()
    fill(workspace.session, make_case())
    page = PoliciesPage(workspace, settings)
    qtbot.addWidget(page)
    page.resize(1280, 720)
    with qtbot.waitExposed(page):
        page.show()
    page.look.options["alternatives"].click()
    method = page.look.alternatives.search.method
    fields = method.quotas.fields
    assert list(fields) == ["age", "sex", "zip"]
    assert all(each.accessibleName() for each in fields.values())
    fields["age"].setValue(40)
    assert page.session.project.discover.quotas == {"age": 0.4}
    assert "age 40" in method.summary.text()
    assert fields["zip"].maximum() == 60
    page.session.undo()
    assert page.session.project.discover.quotas == {}
    assert fields["age"].value() == 0
    method.options["frontier"].button.click()
    assert method.quotas.isHidden()


def test_the_quota_of_a_column_that_cannot_be_joined_can_only_go(qtbot):
    fields = QuotaFields()
    qtbot.addWidget(fields)
    told = []
    fields.decided.connect(told.append)
    fields.show_quotas({"ward": 0.2}, ("age",))
    assert "ward" in fields.rest.text()
    assert fields.fields["ward"].maximum() == 20
    fields.fields["ward"].setValue(0)
    assert told == [{}]
