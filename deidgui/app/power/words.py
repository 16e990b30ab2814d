"""Sentences about an adversary who knows some attributes."""

from __future__ import annotations

from collections.abc import Sequence

from deidgui.engine.evidence import document
from deidgui.text import tr


def known_words(
    p: int, n_units: int, always: Sequence[str], n_sets: int, block_size: int | None
) -> str:
    """Say who the adversary is, and how many sets or blocks were measured."""
    who = tr("An adversary knows any {p} of {m:attribute|attributes}", p=p, m=n_units)
    if always:
        who = tr("{who}, and always {names}", who=who, names=", ".join(always))
    if block_size is None:
        how = tr("all {n:set was|sets were} measured.", n=n_sets)
    else:
        how = tr(
            "{n:block|blocks} of {size} that hold every set were measured instead: the "
            "risk is no higher than that of a block.",
            n=n_sets,
            size=block_size,
        )
    return f"{who}: {how}"


def expected_words(stated: document.AttributesKnown) -> str:
    """Return the sentence that follows from the other figures of an evidence."""
    size = len(stated.blocks[0]) if stated.blocks else None
    facts = (stated.known, len(stated.units), stated.always, stated.n_sets)
    return known_words(*facts, size)
