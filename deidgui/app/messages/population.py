"""Sentences about the population that the records come from."""

from __future__ import annotations

from deidgui.app.messages.base import Sentence

SENTENCES: dict[str, Sentence] = {
    "population_missing": Sentence(
        "“{model}” needs to know about the population, and nothing is stated.",
        "State the population the records come from, or remove this threshold.",
    ),
    "population_unsettled": Sentence(
        "The population is not settled yet, so that nothing can be counted.",
        "Say on the page Risk and thresholds, under “Where do these people come "
        "from?”, what your values are in it.",
    ),
    "population_not_counted": Sentence(
        "“{model}” needs the people of the population counted; only the share of it "
        "that the records are is stated.",
        "Give a file of the population, or choose a threshold that works with a share.",
    ),
    "population_lacks_records": Sentence(
        "{n_records} records in {n_classes} groups have fewer people than records in "
        "the population.",
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
}
