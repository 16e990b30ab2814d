"""Where a dossier answers norms: every item that is named exists and is asked for."""

from __future__ import annotations

import pytest

from deidgui.engine.determination import (
    BASES,
    CROSSWALK,
    FRONT_SHEETS,
    ITEMS,
    NORMS,
    norms_for,
)

OF_NORM = {
    "hipaa": {"hipaa"},
    "ccpa": {"ccpa"},
    "ema": {"ema"},
    "wp216": {"gdpr"},
    "ico": {"gdpr"},
    "ipc": {"ontario"},
    "five_safes": {"australia", "gdpr"},
    "ddf": {"australia"},
    "iso": {"iso"},
}
"""Columns of determination.md 1.2 that name a norm."""


@pytest.mark.parametrize("each", CROSSWALK, ids=lambda e: f"{e.norm}: {e.asks}")
def test_each_question_is_answered_by_items_that_its_norm_asks_for(each):
    assert each.norm in NORMS
    assert each.basis in BASES
    asked = [ITEMS[number - 1] for number in each.items]
    assert [item.number for item in asked] == list(each.items)
    # ISO/IEC 27559 is known by its contents alone, of which the outline was made.
    if each.norm in ("iso", "wp216", "ico", "ddf", "five_safes"):
        return
    for item in asked:
        assert not item.regimes or OF_NORM[each.norm] & set(item.regimes)


@pytest.mark.parametrize("regime", [None, *FRONT_SHEETS])
def test_all_norms_are_kept_whatever_the_regime(regime):
    norms = norms_for(regime)
    assert sorted(norms) == sorted(NORMS)
    if regime is not None:
        items = {each.norm: each for each in CROSSWALK}
        assert items[norms[0]].items
        assert regime in OF_NORM[norms[0]]


def test_what_nobody_read_is_marked():
    """The common form was not read (K in determination.md 1.2)."""
    assert {each.basis for each in CROSSWALK if each.norm == "ema"} == {"unchecked"}
    assert {each.basis for each in CROSSWALK if each.norm == "iso"} == {"contents"}
