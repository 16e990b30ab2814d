"""Sentences about the population that the records come from."""

from __future__ import annotations

from deidgui.app.text.base import Sentence

SENTENCES: dict[str, Sentence] = {
    "population_missing": Sentence(
        "“{model}” needs to know about the population, and nothing is stated.",
        "State the population the records come from, or remove this threshold.",
    ),
    "no_population_to_match": Sentence(
        "No people are stated in which the columns could be looked up.",
        "State a population first: a file, or a built-in table.",
    ),
    "population_knows_all": Sentence(
        "The population knows every quasi-identifier.",
        "Leave this decision out.",
    ),
    "population_unsettled": Sentence(
        "The values of the file are not matched with the population yet.",
        "Match them on the page Risk and thresholds, under “Population”.",
    ),
    "population_not_counted": Sentence(
        "“{model}” needs everybody of the population counted; what is stated is a "
        "share of it, or people who are modelled or not told apart by every attribute.",
        "Give a population whose people are counted by all quasi-identifiers, or "
        "choose a threshold that works with estimates.",
    ),
    "population_lacks_records": Sentence(
        "Groups with fewer people than records in the population: {n_classes} "
        "({n_records:record|records}).",
        "Give a population that holds everybody in the data, with the same values "
        "in the same columns.",
    ),
    "population_fraction": Sentence(
        "The records can be a share between 0 and 1 of the population; {found} is "
        "stated.",
        "State how many records there are for each person of the population.",
    ),
    "population_empty": Sentence(
        "The population has nobody in it.",
        "Give a file with the people the records come from.",
    ),
    "people_age_unit": Sentence(
        "Every age is read as years. The column {column} may say that some are months "
        "or days: if so, make them years in the file first, or leave those records out."
    ),
}
