"""The presets of recipients are fractions, and say where a number is stricter."""

import pytest

from deidgui.app.determination.recipients import BY_KIND, meaning
from deidgui.app.ops import take_over
from deidgui.app.project import Project
from deidgui.engine.privacy import HighestProsecutorRisk


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
