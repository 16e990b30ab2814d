"""Sentences about people with their events, samples and what an adversary knows."""

from __future__ import annotations

from deidgui.app.text.base import Sentence

SENTENCES: dict[str, Sentence] = {
    "sampling_fraction": Sentence(
        "The sampling fraction must be above 0 and at most 1; it is {fraction}.",
        "State which part of the population the table is, for example 0.2 for "
        "20\u202f%.",
    ),
    "sample_size": Sentence(
        "A sample of {n_sampled:person|people} cannot be drawn or judged; there "
        "are {n_people}.",
        "Choose a fraction between 0 and 100\u202f% of the people.",
    ),
    "sampling_threshold": Sentence(
        "A threshold of the average risk must be above 0 and at most 1; it is "
        "{threshold}.",
        "State for example 0.1 for 10\u202f%.",
    ),
    "sampling_replicates": Sentence(
        "At least one sample must be drawn, and at most {most} policies are planned at "
        "once.",
        command="State for example --replicates 1000 --policies 5.",
    ),
    "sample_unknown": Sentence(
        "“{value}” is no sampling fraction.",
        "Give a number above 0 and at most 1.",
        "On the command line: --sample 0.3, or --sample none.",
    ),
    "sample_empty": Sentence(
        "The sample would be empty: there are only {n_people:person|people}.",
        "Choose a larger sampling fraction.",
    ),
    "sample_too_small": Sentence(
        "The sample has {n_sampled:person|people}; below {floor} most analyses have "
        "too few.",
        "Choose a larger sample, or accept the small one on the page Risk and utility.",
        "On the command line: “deidgui decide PROJECT --accept-small-sample”.",
    ),
    "sampling_of_rounds": Sentence(
        "The chosen policy has several rounds of local recoding, or suppresses single "
        "cells: another sample would have other groups, so that its risk cannot be "
        "told in advance.",
        "Choose a policy of one round without suppressed cells to plan samples.",
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
    "known_undecided": Sentence(
        "Nobody has said how many attributes the adversary knows.",
        "State it, for example 3.",
        "On the command line: --known 3.",
    ),
    "blocks_need_model": Sentence(
        "Nobody has said how many quasi-identifiers an adversary knows.",
        "Set the privacy model for adversaries who know few attributes.",
        "On the command line: “deidgui decide PROJECT --model "
        "known_attributes:known=3,k=5”.",
    ),
    "blocks_over_limit": Sentence(
        "Even with all levels raised that help, {n_suppressed:record is|records are} "
        "suppressed; at most {limit} may be.",
        "Allow more general levels or more suppressed records, let the adversary know "
        "fewer attributes, or drop other privacy models: the levels are found for this "
        "one alone.",
    ),
    "blocks_models_fail": Sentence(
        "The policy found block by block does not meet every privacy model. It "
        "fails: {models}",
        "Drop this model, suppress whole records instead of single cells, or search "
        "the lattice (“Optimal under my thresholds”), which goes by all models.",
    ),
    "known_not_there": Sentence(
        "“{attribute}” is no quasi-identifier.",
        "Name quasi-identifiers of this project.",
    ),
    "power_of_nothing": Sentence(
        "Nothing is released, so that nothing can be found.",
        "Choose a policy that releases records.",
    ),
    "power_too_large": Sentence(
        "The adversary may know {n_sets} different sets of attributes; at most {limit} "
        "are measured one by one.",
        "Choose a block size, or let the adversary know fewer attributes.",
    ),
    "known_too_many": Sentence(
        "The adversary may know {n_sets} different sets of attributes; at most {limit} "
        "are looked at for every policy.",
        "Let the adversary know fewer attributes, or have fewer quasi-identifiers.",
    ),
    "percentile": Sentence(
        "A percentile must lie above 0 and at most at 100\u202f%; it is {share}.",
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
    "events_undecided": Sentence(
        "It is not decided what an adversary knows of a person's events.",
        "Decide it on the page Risk and thresholds, or look for policies against an "
        "adversary who knows everything.",
        "In a project file: privacy.events.",
    ),
    "context_events": Sentence(
        "People may be matched with a probability of up to {threshold} by their "
        "events, and the context of the release allows {limit}.",
        "Lower the largest matching probability on the page Risk and thresholds, or "
        "change what is said about the context.",
    ),
    "events_need_people": Sentence(
        "Events belong to people, and no column says to whom a row belongs.",
        "Choose on the page Data the column that says so.",
    ),
    "no_event_attribute": Sentence(
        "Every quasi-identifier is the same in all rows of each person: there are no "
        "events that an adversary could know in part.",
        "Take back what the adversary knows of events; set other thresholds.",
    ),
    "events_need_longitudinal": Sentence(
        "This search takes everything that the rows of a person show to be known, and "
        "it is decided that an adversary knows some of the events only.",
        "Use the longitudinal search, or take that decision back.",
    ),
    "events_model_not_monotone": Sentence(
        "“{model}” can hold for a policy and not for a more general one, so that the "
        "longitudinal search would miss policies.",
        "Choose another model for the sensitive column.",
    ),
    "no_policy_meets_events": Sentence(
        "No policy meets the limit of people at risk: under the most general one that "
        "is allowed {share} of the people are matched by fewer than {size}, and "
        "{limit} may be. {causes}",
        "Allow coarser levels, let the adversary know fewer values, or raise the "
        "threshold or the limit.",
    ),
    "order_missing": Sentence(
        "Attacks by the order of events are not made: no column with dates or numbers "
        "differs between the rows of a person.",
    ),
    "order_not_chosen": Sentence(
        "Attacks by the order of events are not made: no date differs between the rows "
        "of a person.",
        "If one of these columns tells the order, choose it: {columns}.",
        "On the command line: --order-by COLUMN.",
    ),
    "order_unknown": Sentence(
        "There is no column “{attribute}” that could tell the order of events.",
        "Choose a column with dates or numbers that differs between the rows of a "
        "person.",
        "On the command line: --order-by COLUMN.",
    ),
    "order_unreadable": Sentence(
        "Attacks by the order of events are not made: “{attribute}” has no date or "
        "number in {n_records:row|rows}.",
        "Choose another column, or correct its type and format.",
        "On the command line: --order-by COLUMN.",
    ),
    "register_not_given": Sentence(
        "Attacks with a register are not made: the people of the population are not "
        "known.",
        "State a population under Risk and thresholds: a register, counts or a "
        "built-in table.",
    ),
    "register_by_rounds": Sentence(
        "How a sample of the register would be matched is not computed: with local "
        "recoding, equal values are released in different ways.",
    ),
    "attacks_of_cells": Sentence(
        "Attacks on people of whom something is known are not made: single cells are "
        "suppressed, and what an attacker takes them for is not simulated.",
        "Take a policy that suppresses whole records.",
    ),
    "blocks_cells_refused": Sentence(
        "Single cells cannot be suppressed here: {reason}.",
        "Suppress whole records instead.",
        "On the command line: --set blocks.suppress=records.",
    ),
    "blocks_attributes": Sentence(
        "There are {m} quasi-identifiers; at most {most} can be looked at block by "
        "block.",
        "Leave columns out, or give those that nobody can know another role.",
    ),
    "blocks_size": Sentence(
        "Blocks of {size:quasi-identifier|quasi-identifiers} are not possible: {known} "
        "of {m} are known.",
        "Choose a block size from {known} to {m}, or none: then a size is proposed.",
    ),
    "events_by_rounds": Sentence(
        "Attacks on people of whom something is known are not made: with local "
        "recoding, equal values are released in different ways.",
        "Take another policy than local recoding.",
    ),
    "combinations_left_out": Sentence(
        "There are more combinations of columns of the register than {n}: those of "
        "fewer columns are left out. They tell less.",
    ),
    "attack_runs": Sentence(
        "The number of simulated attacks must be between 1 and 1,000,000; it is "
        "{runs}.",
        "Choose for example 10,000.",
        "On the command line: --runs 10000.",
    ),
    "attack_seed": Sentence(
        "The seed must be a whole number from 0 to 9,007,199,254,740,991; it is "
        "{seed}.",
        "Choose for example 1.",
        "On the command line: --seed 1.",
    ),
    "events_without_times": Sentence(
        "The order of the events is not known, so an attack cannot use it.",
        "Say which column tells when each event was.",
    ),
}
