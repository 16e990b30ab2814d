"""Sentences about people with their events, samples and what an adversary knows."""

from __future__ import annotations

from deidgui.app.text.base import Sentence

SENTENCES: dict[str, Sentence] = {
    "sampling_fraction": Sentence(
        "The sampling fraction must be above 0 and at most 1; it is {fraction}.",
        "State which part of the population the table is, for example 0.2 for 20 %.",
    ),
    "sample_size": Sentence(
        "A sample of {n_sampled:person|people} cannot be drawn or judged; there "
        "are {n_people}.",
        "Choose a fraction between 0 and 100 % of the people.",
    ),
    "design_sizes": Sentence(
        "There is no covering design of {v} attributes in blocks of {k} for {t} known "
        "ones.",
        "At most {most} attributes are possible; a block has at least as many as are "
        "known, and no more than there are.",
    ),
    "design_too_large": Sentence(
        "The adversary may know {n_sets} different sets of attributes; a design is "
        "checked for at most {limit}.",
        "Let the adversary know fewer attributes, or leave some attributes out.",
    ),
    "known_attributes": Sentence(
        "An adversary cannot know {n_known} of {n_attributes:attribute|attributes}.",
        "Choose a number from those that are always known to all that there are.",
    ),
    "percentile": Sentence(
        "A percentile must lie above 0 and at most at 100 %; it is {share}.",
        "State for example 0.95 for the 95th percentile.",
    ),
    "nobody_there": Sentence(
        "There is nobody whose risk could be measured.",
        "Check which people were removed before.",
    ),
    "register_empty": Sentence(
        "The register has {n_classes:class|classes} of {n_people:person|people}; "
        "there must be at least one, and no more classes than people.",
        "Choose a register with at least one person.",
    ),
    "events_without_times": Sentence(
        "The order of the events is not known, so an attack cannot use it.",
        "Say which column tells when each event was.",
    ),
}
