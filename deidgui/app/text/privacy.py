"""Sentences about what privacy models ask of a project."""

from __future__ import annotations

from deidgui.app.text.base import Sentence

SENTENCES: dict[str, Sentence] = {
    "sensitive_missing": Sentence(
        "“{model}” does not name a sensitive attribute of this table.",
        "Choose the attribute that it shall protect; its role must be “sensitive”.",
    ),
    "sensitive_varies": Sentence(
        "“{attribute}” differs between the rows of a person, and “{model}” needs one "
        "value for each.",
        "Choose ℓ-diversity by different values: it counts everything that a person "
        "has.",
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
    "process_columns": Sentence(
        "“{model}” protects records as a whole, but columns are released that are no "
        "quasi-identifiers ({n_columns}): {columns}.",
        "Make them quasi-identifiers on the page Attributes, or leave them out; remove "
        "direct identifiers instead of replacing them.",
    ),
    "process_levels": Sentence(
        "“{model}” protects only if no level is chosen by looking at the data; still "
        "left to the search: {columns}.",
        "On the page Hierarchies, set the finest and the coarsest level of each to the "
        "same one, decided by what you know about such data and not by these.",
    ),
    "process_sample_unknown": Sentence(
        "“{model}” protects people who were put among the records by chance, each with "
        "a probability of at most {most}; that such a sample was drawn is not stated.",
        "Draw one before you open the file: for each person draw a random number "
        "between 0 and 1, keep the record if it is below {draw}, and tell nobody who "
        "was kept. Then state the sampling fraction under “Population” on the page "
        "Risk and thresholds.",
    ),
    "process_sample_too_large": Sentence(
        "“{model}” protects only if each person was put among the records with a "
        "probability of at most {most}; the stated share is {found}.",
        "Draw a smaller sample before you open the file: for each person draw a random "
        "number between 0 and 1, and keep the record if it is below {draw}. Or choose "
        "a higher epsilon.",
    ),
    "process_limit": Sentence(
        "With “{model}”, that there is a release must tell nothing; with a limit of "
        "{found} there is none if more records would be suppressed.",
        "Set the limit to 100\u202f% on the page Risk and thresholds. How much is "
        "suppressed then depends on the levels.",
    ),
    "process_models": Sentence(
        "Beside “{model}”, records may be suppressed only for the size of their group; "
        "these look at more: {others}.",
        "Remove the thresholds that look at more than the size of a group.",
    ),
    "process_rounds": Sentence(
        "With “{model}”, one rule must hold for all records; local recoding releases "
        "some of them by another, found by looking at the data.",
        "Switch local recoding off on the page Search.",
    ),
    "process_suppressed": Sentence(
        "With “{model}”, nobody may learn how many records were suppressed; rows of * "
        "tell it.",
        "Choose to leave suppressed records out, on the page Preview and export.",
    ),
    "process_order": Sentence(
        "With “{model}”, the rows must stand in an order that nobody can undo.",
        "On the page Preview and export, let the order be random, and fix no seed.",
    ),
    "process_choice": Sentence(
        "“{model}” protects only with the policy that was decided beforehand; another "
        "one is chosen.",
        "Forget the choice on the page Policies.",
    ),
}
