"""Sentences about privacy models, quality measures and the search."""

from __future__ import annotations

from deidgui.app.text.base import Sentence

SENTENCES: dict[str, Sentence] = {
    "no_privacy_model": Sentence(
        "No threshold for the risk is set.",
        "Set at least one on the page Risk and thresholds, or say on the page "
        "Policies what a policy may be no riskier than.",
        "In a project file: privacy.models or discover.baseline.",
    ),
    "suppression_limit": Sentence(
        "The share of records that may be suppressed must lie between 0 and 1; it "
        "is {found}.",
        "Set it to 0\u202f% to suppress none, or to 100\u202f% for no limit.",
    ),
    "weights_all_zero": Sentence(
        "Every attribute has the weight 0, so no policy is better than another.",
        "Give at least one attribute a higher weight.",
    ),
    "level_limits": Sentence(
        "“{attribute}” may be released at levels {low} to {high}, but its hierarchy "
        "has the levels 0 to {top}.",
        "Correct the lowest or the highest level allowed.",
    ),
    "lattice_too_large": Sentence(
        "There are {n_nodes:possible policy|possible policies}; a complete search "
        "can hold {limit}.",
        "Limit the levels of some attributes, or leave some attributes out.",
    ),
    "k_not_in_profile": Sentence(
        "Groups smaller than {k} records were not looked at in the last search.",
        "Search again with this threshold.",
    ),
    "conditions_not_in_profile": Sentence(
        "The last search did not look at these privacy models.",
        "Search again with them.",
    ),
    "too_many_missing_patterns": Sentence(
        "Missing values lie in {found:different set|different sets} of attributes; "
        "up to {limit} can be let match anything.",
        "Let missing values be a category of their own.",
    ),
    "no_classes": Sentence(
        "There is no released record whose risk could be measured.",
        "Allow fewer records to be suppressed, or choose another policy.",
    ),
}
