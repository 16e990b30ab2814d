"""Sentences about privacy models that protect a sensitive attribute."""

from __future__ import annotations

from deidgui.app.messages.base import Sentence

SENTENCES: dict[str, Sentence] = {
    "sensitive_missing": Sentence(
        "“{model}” does not name a sensitive attribute of this table.",
        "Choose the attribute that it shall protect; its role must be “sensitive”.",
    ),
    "sensitive_hierarchy_missing": Sentence(
        "“{attribute}” has no hierarchy that tells which of its values are alike.",
        "Build a hierarchy for it, or choose a model that takes all values as "
        "equally different.",
    ),
    "order_not_numeric": Sentence(
        "“{attribute}” cannot be put in the order of numbers: {n_values} of its "
        "different values are no numbers.",
        "Choose another order, or let those values mean “no value”.",
    ),
}
