"""Sentences about tables of people, and how values of the data are found in them."""

from __future__ import annotations

from deidgui.app.text.base import Sentence

_TABLES: dict[str, Sentence] = {
    "people_table_unknown": Sentence(
        "No table of people called “{table}” comes with the program.",
        "Choose one of: us_2000, us_2010, us_2014, states_2000_modelled, states_2020 "
        "to states_2024, zip5_2010, zip5_2020, zip3_2010, zip3_2020.",
    ),
    "people_attribute_unknown": Sentence(
        "The table of people “{table}” does not know “{attribute}”.",
        "Choose a table that has it.",
    ),
    "people_value_unknown": Sentence(
        "Values asked for that are not among those of “{attribute}” in the table of "
        "people “{table}”: {n_values}.",
        "Write them as the table does: states by their full name, as Tennessee.",
    ),
    "people_count_negative": Sentence(
        "“{table}”, row {row}: the number of people is negative ({n_rows:row|rows} "
        "in all).",
        "Correct the file: a count is 0 or more.",
    ),
    "people_count_fractional": Sentence(
        "“{table}”, row {row}: the number of people is no whole number "
        "({n_rows:row|rows} in all).",
        "Use counts of people, not weights or estimates with decimals.",
    ),
    "people_count_large": Sentence(
        "“{table}”, row {row}: the number of people is larger than {limit} "
        "({n_rows:row|rows} in all).",
        "Correct the file, or choose another column.",
    ),
    "people_cell_twice": Sentence(
        "“{table}”, row {row}: the same combination already stands in row "
        "{first_row} ({n_rows:row|rows} in all).",
        "Add the counts up, or say that each row is one person.",
    ),
    "people_nobody": Sentence(
        "Nobody is left in the table of people “{table}”.",
        "Choose a larger part of it, or another table.",
    ),
    "people_ages_differ": Sentence(
        "Ages or bands of age of “{table}” that cross a limit that is asked for: "
        "{n_values}.",
        "Choose limits at which bands begin, or a table with single years.",
    ),
    "people_nothing_in_common": Sentence(
        "“{totals}” and “{shares}” cannot be combined: they need an attribute in "
        "common, and the second must know one that the first does not.",
        "Choose tables that share one, for example the state.",
    ),
    "people_without_shares": Sentence(
        "People of “{totals}” without a counterpart in “{shares}”: {population_size}.",
        "Choose the same states in both, or tables of the same area.",
    ),
    "people_many_cells": Sentence(
        "The tables combined would have {n_cells:combination|combinations}; "
        "{limit} are the most.",
        "Choose fewer states or three digits of the ZIP code, or leave a column aside "
        "that these tables do not know, such as a date.",
    ),
}

_MAPPING: dict[str, Sentence] = {
    "people_lack_attribute": Sentence(
        "The population “{table}” does not know “{attribute}”.",
        "Choose a population that does; or confirm either that “{attribute}” has "
        "nothing to do with the other attributes, so that the shares in your data hold "
        "for everybody, or that it is left aside, which makes groups of people look "
        "larger and the risk lower than it is.",
    ),
    "people_column_twice": Sentence(
        "“{attribute}” and another attribute are both looked up in “{column}” of the "
        "population “{table}”.",
        "Look up only one of them there.",
    ),
    "people_unconfirmed": Sentence(
        "What the values of “{attribute}” mean in the population “{table}” is only "
        "proposed.",
        "Look at the proposal on the page Risk and thresholds and confirm it, or "
        "correct it.",
        "On the command line: “deidgui decide --match”.",
    ),
    "people_no_partner": Sentence(
        "Values of “{attribute}” that are not in the population “{table}”: {n_values} "
        "({n_records:record|records}).",
        "Say what they stand for; or accept that these records are taken to be all "
        "people of their kind, which states the risk no lower than it is.",
    ),
    "people_share_lost": Sentence(
        "Nobody of the population “{table}” has values that occur in the data.",
        "Choose another population, or say what the values stand for.",
    ),
}

_FILES: dict[str, Sentence] = {
    "people_mapping_too_large": Sentence(
        "The file with what was confirmed about “{attribute}” is larger than {limit} "
        "bytes or rows.",
        "Look at the proposal and confirm it again.",
    ),
    "people_mapping_unreadable": Sentence(
        "The file with what was confirmed about “{attribute}” cannot be read: row "
        "{row} must contain one value, or two separated by a semicolon, and appear "
        "once.",
        "Correct the file, or look at the proposal and confirm it again.",
    ),
    "people_mapping_partner": Sentence(
        "What was confirmed about “{attribute}” names {n_values:value|values} that "
        "“{column}” of the population does not have.",
        "Look at the proposal for this population and confirm it.",
    ),
    "people_mapping_incomplete": Sentence(
        "Values of “{attribute}” that were not there when a person confirmed what the "
        "values stand for: {n_values} ({n_records:record|records}).",
        "Look at the proposal and confirm it again.",
    ),
}

_REASONS: dict[str, Sentence] = {
    "people_modelled": Sentence(
        "“{table}” is MODELLED, not counted: its cells are estimates that add up to "
        "known totals."
    ),
    "people_independent": Sentence(
        "“{totals}” and “{shares}” are combined: among people who are alike in "
        "{common}, {own} is assumed to have nothing to do with {others}. Nobody "
        "counted this."
    ),
    "people_single_ages": Sentence(
        "The people of each band of age of “{table}” are shared among single ages as "
        "in “{profile}”. This is an estimate."
    ),
    "people_split": Sentence(
        "People whose value in the population stands for several values of "
        "“{attribute}”: {population_size}. They are shared among these evenly. This is "
        "an estimate."
    ),
    "people_assumed_independent": Sentence(
        "The population does not know “{attribute}”: its shares in the data are "
        "assumed to hold for everybody, whatever the other attributes. This is an "
        "estimate."
    ),
    "people_left_aside": Sentence(
        "The population does not know “{attribute}”, and it is left aside: groups of "
        "people look larger and the risk lower than it is."
    ),
    "people_outside": Sentence(
        "{population_size:person has a value|people have values} of “{attribute}” "
        "that no record has; they are not counted, which states the risk no lower "
        "than it is."
    ),
    "people_raised": Sentence(
        "In {n_cells:combination|combinations} the data have more records than the "
        "population has people ({n_records:record|records}); as many people as "
        "records are taken there."
    ),
    "people_value_same": Sentence("Written in the same way."),
    "people_value_word": Sentence("Another word for the same."),
    "people_value_code": Sentence("A code that can mean something else elsewhere."),
    "people_value_several": Sentence(
        "Stands for {n_values:value|values} of the population."
    ),
    "people_value_part": Sentence(
        "Only a part of a value of the population, which is shared evenly among the "
        "values that belong to it."
    ),
    "people_value_above_top": Sentence(
        "Above the last age that the population tells apart: joined to it, and its "
        "people shared evenly among the ages that belong to it."
    ),
    "people_value_by_hand": Sentence("Set by hand."),
    "people_value_missing": Sentence(
        "No value: the population knows everybody's, so these records are a group of "
        "their own."
    ),
    "people_value_none": Sentence("Nothing in the population is known to mean this."),
    "people_sex_numbers": Sentence(
        "The numbers are read as 1 = male, 2 = female (ISO 5218); some files do it the "
        "other way round."
    ),
    "people_race_codes": Sentence(
        "The codes of race differ from file to file; only those that mean the same in "
        "most are proposed."
    ),
    "people_state_numbers": Sentence("The numbers are read as {numbers} numbers."),
    "people_age_top": Sentence(
        "The highest age has {n_records:record|records}, many more than the age "
        "before it ({n_before}): it is read as that age and all above."
    ),
    "people_age_touching": Sentence(
        "Bands share their ends; the upper end is taken not to belong to a band."
    ),
    "people_zip_small": Sentence(
        "“000” is read as all areas of 20,000 people or fewer by the census of 2020."
    ),
    "people_race_other": Sentence(
        "The data have no value for two or more races: “Other” is read as these "
        "people too."
    ),
    "people_hispanic_apart": Sentence(
        "The data keep Hispanic people apart from the races; the population does not "
        "know who is Hispanic. Its races are larger than those of the data."
    ),
    "people_ages_above_top": Sentence(
        "Ages of the data above the last age that the population tells apart: "
        "{n_values} ({n_records:record|records}). They are joined to it, and its "
        "people shared evenly among its ages. Better choose a table with ages to 100."
    ),
    "people_values_finer": Sentence(
        "Values of the data that are parts of values of the population: {n_values} "
        "({n_records:record|records}). Those are shared evenly among their parts."
    ),
    "people_by_values_alone": Sentence(
        "Only the values speak for this match, the name of the column does not. "
        "Columns about something else can have the same values."
    ),
    "people_by_name_alone": Sentence(
        "Only the name of the column speaks for this match: most values are not found "
        "in the population."
    ),
    "people_spelt_twice": Sentence(
        "Several values of the data mean the same; its people are shared evenly among "
        "them. Better write them in one way."
    ),
}

SENTENCES: dict[str, Sentence] = _TABLES | _MAPPING | _FILES | _REASONS
