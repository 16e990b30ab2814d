"""Sentences about the search by Optimal Lattice Anonymization."""

from __future__ import annotations

from deidgui.app.text.base import Sentence

SENTENCES: dict[str, Sentence] = {
    "model_not_monotone": Sentence(
        "With “{model}” a more general policy is not always safe where a less general "
        "one is, so this way to search could miss the best policy.",
        "Choose to examine every policy, or allow no records to be suppressed.",
    ),
}
