"""Sentences about the search by Optimal Lattice Anonymization."""

from __future__ import annotations

from deidgui.app.text.base import Sentence

SENTENCES: dict[str, Sentence] = {
    "model_not_monotone": Sentence(
        "With “{model}” a more general policy does not always meet the thresholds "
        "where a less general one does, so this way to search could miss the best "
        "policy.",
        "Choose to examine every policy, or allow no records to be suppressed.",
    ),
}
