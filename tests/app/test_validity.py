"""Until when a determination holds; after it, or a trigger, nothing is released."""

from datetime import date, timedelta

import pytest

from deidgui.app.deciding.validity import (
    validity_result,
    with_period,
    with_trigger,
    with_validity,
)
from deidgui.app.determination import validity
from deidgui.app.determination.determination import context_facts
from deidgui.app.determination.validity import (
    decide_anew,
    end_of,
    enter_trigger,
    proposal,
    validity_facts,
    validity_problem,
)
from deidgui.app.determination.validity_words import TRIGGERS
from deidgui.app.needed import problems_of
from deidgui.app.project import Project, ValidityChoice, ValidPeriod
from deidgui.app.release.writing import write_release
from deidgui.app.report.validity import kept_words, validity_section
from deidgui.engine.determination import is_long, months_later
from deidgui.engine.evidence.entered import Agreement
from deidgui.engine.evidence.verify_validity import check_validity
from deidgui.errors import ConfigError
from tests.app.context_case import agreed, public
from tests.release_case import make_order

TODAY = date(2026, 11, 23)

BY = ("N. N.", "2026-11-23")


def decided(project, begins="2026-11-23", ends="2028-11-23", because=""):
    return decide_anew(begins, ends, because, "A. Analyst", "2026-11-23")(project)


def code_of(project, today=TODAY):
    found = validity_problem(project, today)
    return None if found is None else found.code


@pytest.mark.parametrize(
    ("day", "months", "later"),
    [
        ("2026-11-23", 24, "2028-11-23"),
        ("2026-01-31", 1, "2026-02-28"),
        ("2028-02-29", 12, "2029-02-28"),
        ("2026-12-01", 1, "2027-01-01"),
        ("2026-12-31", 12, "2027-12-31"),
    ],
)
def test_months_later(day, months, later):
    assert months_later(date.fromisoformat(day), months).isoformat() == later


def test_more_than_three_years_is_long():
    assert not is_long(date(2026, 11, 23), date(2029, 11, 23))
    assert is_long(date(2026, 11, 23), date(2029, 11, 24))


def test_nothing_is_decided_unless_somebody_decides():
    project = Project(context=agreed())
    assert validity_facts(project) is None
    assert code_of(project) is None
    assert validity_result(project) is None


def test_what_is_proposed_depends_on_who_may_have_the_data():
    assert proposal(Project(context=agreed()), TODAY).ends == "2028-11-23"
    assert proposal(Project(context=public()), TODAY).ends == "2027-11-23"
    grave = agreed()
    answers = dict(grave.answers)
    for key in ("P1", "P4"):
        answers[key] = answers[key].but(answer="2")
    project = Project(context=grave.but(answers=answers))
    assert proposal(project, TODAY).ends == "2027-11-23"


def test_after_the_end_nothing_is_released_until_somebody_decides_anew():
    project = decided(Project(), ends="2026-11-30")
    assert code_of(project, date(2026, 11, 30)) is None
    assert code_of(project, date(2026, 12, 1)) == "validity_ended"
    project = decided(project, ends="2027-06-30")
    assert code_of(project, date(2026, 12, 1)) is None
    assert [each.ends for each in project.validity.periods] == [
        "2026-11-30",
        "2027-06-30",
    ]


def test_without_a_period_the_agreement_is_no_end_of_a_determination():
    project = Project(context=agreed())
    project = with_validity("contact=privacy office", *BY)(project)
    assert end_of(project).of == "agreement"
    for stated in (validity_facts(project).model_dump(), validity_result(project)):
        assert (stated["ends"], stated["ends_with"], stated["words"]) == (
            None,
            None,
            "",
        )


@pytest.mark.parametrize("day", ["2026-99-99", "2026-02-30", "0000-01-01"])
def test_an_agreement_ends_on_a_day_that_there_is(day):
    with pytest.raises(ValueError, match="ends"):
        Agreement(reference="DUA", ends=day)


def test_not_before_it_begins():
    project = decided(Project(), begins="2027-01-01")
    assert code_of(project) == "validity_not_begun"


def test_the_agreement_may_end_first():
    context = agreed()
    project = decided(Project(context=context))
    ends = context.agreement.but(ends="2027-03-01")
    project = project.but(context=context.but(agreement=ends))
    assert end_of(project) == validity.End("2027-03-01", "agreement")
    assert code_of(project, date(2027, 3, 2)) == "validity_agreement_ended"
    assert "the agreement ends" in validity_facts(project).words
    anybody = project.but(context=project.context.but(release="public"))
    assert end_of(anybody).of == "period"


def test_nothing_is_released_before_the_agreement_begins():
    context = agreed()
    later = context.agreement.but(begins="2026-12-01")
    project = decided(Project(context=context.but(agreement=later)))
    assert code_of(project, date(2026, 11, 30)) == "validity_agreement_not_begun"
    assert code_of(project, date(2026, 12, 1)) is None
    anybody = project.but(context=project.context.but(release="public"))
    assert code_of(anybody, date(2026, 11, 30)) is None
    # One that ends before it begins is never in force.
    turned = later.but(begins="2030-01-01", ends="2029-01-01")
    project = Project(context=context.but(agreement=turned))
    project = decided(project, ends="2039-01-01", because="the law asks for it")
    for year in (2027, 2029, 2031):
        assert code_of(project, date(year, 6, 1)) is not None


@pytest.mark.parametrize(
    ("begins", "ends", "is_public", "found"),
    [
        ("2026-11-21", "2026-11-21", False, [True]),
        ("", "", False, [True]),
        ("2026-11-22", "2027-01-01", False, [False]),
        ("2026-01-01", "2026-11-20", False, [False]),
        ("2030-01-01", "2029-01-01", False, [False]),
        ("2026-11-22", "2027-01-01", True, []),
    ],
)
def test_verify_compares_the_agreement_with_the_day(
    tmp_path, begins, ends, is_public, found
):
    """The release was written on 2026-11-21."""
    evidence = write_release(tmp_path / "out", make_order(tmp_path)).evidence
    agreement = agreed().agreement.but(begins=begins, ends=ends)
    context = agreed(agreement=agreement)
    if is_public:
        context = context.but(release="public")
    facts = context_facts(Project(context=context), 0.02, 0.2)
    checks = check_validity(evidence.model_copy(update={"context": facts}))
    assert [each.ok for each in checks if each.code == "agreement_in_time"] == found


@pytest.mark.parametrize("kind", TRIGGERS)
def test_every_trigger_stops_until_somebody_decides_anew(kind):
    project = decided(Project())
    met = enter_trigger(kind, "A laptop was lost.", "B. Boss", "2026-11-24")(project)
    assert code_of(met) == "validity_trigger"
    assert "validity_trigger" in [each.code for each in problems_of(met)]
    anew = decided(met, ends="2027-01-01")
    assert code_of(anew) is None
    assert anew.validity.period.after[0].because == "A laptop was lost."
    assert anew.validity.periods[0] == project.validity.period


def test_a_trigger_stops_also_where_no_period_was_decided():
    met = with_trigger("match:They said so.", "B. Boss", TODAY)(Project())
    assert code_of(met) == "validity_trigger"


def test_the_release_is_stopped_by_the_date_of_today():
    yesterday = (date.today() - timedelta(days=1)).isoformat()
    project = decided(Project(), begins=yesterday, ends=yesterday)
    assert "validity_ended" in [each.code for each in problems_of(project)]


@pytest.mark.parametrize(
    ("begins", "ends", "because", "by", "code"),
    [
        ("2026-11-23", "2029-11-24", " ", "A", "validity_long"),
        ("2026-11-23", "2026-11-22", "", "A", "validity_order"),
        ("2026-11-23", "", "", "A", "validity_day"),
        ("20261123", "2027-11-23", "", "A", "validity_day"),
        ("2026-02-30", "2027-11-23", "", "A", "validity_day"),
        ("2026-11-23", "2027-11-23", "", " ", "validity_unnamed"),
    ],
)
def test_what_is_no_decision(begins, ends, because, by, code):
    with pytest.raises(ConfigError) as caught:
        decide_anew(begins, ends, because, by, "2026-11-23")
    assert caught.value.code == code


@pytest.mark.parametrize("act", [enter_trigger, with_trigger])
def test_a_text_that_is_too_long_is_refused(act):
    parts = ("law", "x" * 2001) if act is enter_trigger else ("law:" + "x" * 2001,)
    with pytest.raises(ConfigError):
        act(*parts, "A. A.", TODAY if act is with_trigger else "2026-11-23")
    with pytest.raises(ConfigError):
        decide_anew("2026-11-23", "2027-11-23", "x" * 2001, "A", "2026-11-23")
    with pytest.raises(ConfigError):
        decide_anew("9998-01-01", "9999-01-01", "late", "A", "2026-11-23")


def test_a_project_file_cannot_say_what_nobody_may_decide():
    with pytest.raises(ValueError, match="reason"):
        ValidPeriod(begins="2020-01-01", ends="2099-01-01", by="A", on="2020-01-01")
    with pytest.raises(ValueError, match="after it begins"):
        ValidPeriod(begins="2020-01-02", ends="2020-01-01", by="A", on="2020-01-01")


def test_the_command_line_says_the_same():
    project = with_period("proposed", "A. Analyst", TODAY)(Project(context=agreed()))
    assert project.validity.period.ends == "2028-11-23"
    for text in ("in_charge=C. Care", "review_months=6", "conditions=no linking"):
        project = with_validity(text, *BY)(project)
    found = validity_result(project)
    assert [each["name"] for each in found["open"]] == ["contact"]
    project = with_validity("contact=privacy office, 72 hours", "N. N.", "2026-11-23")(
        project
    )
    assert validity_result(project)["open"] == []
    project = with_validity("contact=", *BY)(project)
    assert validity_facts(project).open == ("contact",)
    for wrong in ("review_months=99", "review_months=x", "colour=red"):
        with pytest.raises(ConfigError):
            with_validity(wrong, *BY)(project)
    with pytest.raises(ConfigError):
        with_trigger("rain:It rained.", "A", TODAY)
    with pytest.raises(ConfigError):
        with_trigger("incident:", "A", TODAY)
    longer = with_period("2026-11-23..2031-11-23: by law", "A", TODAY)(project)
    assert longer.validity.period.because == "by law"


def test_the_report_says_what_is_open_and_what_was_superseded():
    project = decided(Project(), ends="2026-11-30", because="first")
    project = enter_trigger("law", "A new law.", "B", "2026-11-25")(project)
    project = decided(project, because="second")

    class Stated:
        validity = validity_facts(project)

    text = str(validity_section(Stated()))
    assert "INCOMPLETE" in text
    for part in ("first", "second", "superseded", "A new law.", "2028-11-23"):
        assert part in text


@pytest.mark.parametrize(
    ("ends", "kept"),
    [
        ("2027-11-23", "2033-11-23"),
        ("2028-02-29", "2034-02-28"),
        ("2090-02-28", "2096-02-28"),
        ("2098-12-31", "2104-12-31"),
    ],
)
def test_the_earliest_deletion_is_six_years_after_the_last_day(ends, kept):
    project = decide_anew("2026-01-01", ends, "by law", "A. A.", "2026-01-02")(
        Project()
    )
    stated = validity_facts(project)
    assert stated.kept_until == kept
    # An agreement that ends before counts: from then on nothing holds.
    bound = project.but(context=agreed(agreement=ENDS_EARLIER))
    assert validity_facts(bound).kept_until == "2032-06-30"


ENDS_EARLIER = Agreement(
    reference="DUA-7", parties="A and B", begins="2026-01-01", ends="2026-06-30"
)


def test_no_earliest_deletion_follows_from_no_end():
    project = Project(validity=ValidityChoice(contact="Office"))
    assert validity_facts(project).kept_until is None
    words = kept_words(validity_facts(project))
    assert words == "not known: nobody has decided how long the determination holds"
    assert kept_words(None) == words
