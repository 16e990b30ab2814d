"""The presets of recipients are fractions, and say where a number is stricter."""

import pytest

from deidgui.app.determination.context_words import RELEASES
from deidgui.app.determination.determination import other_recipient_words
from deidgui.app.determination.recipients import (
    BY_KIND,
    meaning,
)
from deidgui.app.ops import (
    change_context,
    change_privacy,
    change_threshold,
    take_over,
)
from deidgui.app.project import Project
from deidgui.engine.privacy import (
    DistinctLDiversity,
    HighestProsecutorRisk,
    KAnonymity,
)


@pytest.mark.parametrize(
    ("kind", "group", "words"),
    [
        ("public", 11, "highest risk 9\u202f% (1 in 11)"),
        (
            "researcher",
            5,
            "highest risk 20\u202f% (1 in 5), average risk 10\u202f% (1 in 10)",
        ),
        ("internal", 3, "highest risk 33\u202f% (1 in 3)"),
    ],
)
def test_presets_ask_for_the_groups_that_they_are_named_after(kind, group, words):
    assert BY_KIND[kind].words() == words
    models = take_over(kind)(Project()).privacy.models
    assert models[0].depth == group


def test_a_typed_decimal_is_said_to_be_stricter():
    assert "Groups of 12" in meaning(HighestProsecutorRisk(0.09))
    assert "Groups of 4" in meaning(HighestProsecutorRisk(0.33))
    assert (
        meaning(HighestProsecutorRisk(1 / 11)) == HighestProsecutorRisk(1 / 11).words()
    )


def signed(project):
    return change_threshold(set_by="A. Meyer", set_on="2026-11-28")(project)


def test_another_recipient_takes_away_only_what_recipients_propose():
    """Thresholds of sensitive values, and stricter ones of a person, stay."""
    own = (DistinctLDiversity("diagnosis", 3), KAnonymity(20))
    project = take_over("researcher")(Project())
    project = change_privacy(models=(*project.privacy.models, *own))(project)
    models = take_over("public")(project).privacy.models
    assert models == (*BY_KIND["public"].models(), *own)


def test_a_reason_in_own_words_stays_and_nobody_signs_other_thresholds():
    project = signed(take_over("researcher")(Project()))
    for reason in (None, "The committee asked for it."):
        if reason is not None:
            project = change_threshold(justification=reason)(project)
        threshold = take_over("public")(project).privacy.threshold
        assert threshold.justification == (reason or BY_KIND["public"].source)
        assert not threshold.is_signed
        assert (threshold.set_by, threshold.set_on) == ("", "")
    # The same recipient again changes nothing, and "own" leaves all as it is.
    for kind in ("researcher", "own"):
        again = take_over(kind)(project).privacy
        assert again.models == project.privacy.models
        assert again.threshold.set_by == "A. Meyer"


def test_who_signs_before_a_recipient_is_chosen_has_signed():
    project = take_over("public")(signed(Project()))
    assert project.privacy.threshold.is_signed


def test_thresholds_for_others_than_the_context_are_told():
    """Only a non-public release has recipients who signed something."""
    fits = {
        ("public", "public"),
        ("public", "semi_public"),
        ("researcher", "non_public"),
        ("internal", "non_public"),
    }
    for kind in BY_KIND:
        for release in (None, *RELEASES):
            project = change_context(release=release)(take_over(kind)(Project()))
            is_told = bool(other_recipient_words(project))
            is_asked = release is not None and kind != "own"
            assert is_told == (is_asked and (kind, release) not in fits)
