"""Sentences about the paper's experiment on a file."""

from __future__ import annotations

from deidgui.app.text.base import Sentence

SENTENCES: dict[str, Sentence] = {
    "experiment_iterations": Sentence(
        "The experiment looks for at most {limit} policies; {found} are asked for.",
        "Type a smaller number; the paper has 100.",
    ),
    "experiment_seed": Sentence(
        "The seed must be 0 or a larger whole number; it is {found}.",
        "Type another number, for example 0.",
    ),
    "experiment_weights": Sentence(
        "“{found}” is no way to draw what is joined.",
        "Choose one of: {known}.",
    ),
    "experiment_subject": Sentence(
        "The experiment knows nothing called “{found}”.",
        "Name a column for one of: {known}.",
    ),
    "experiment_column_unknown": Sentence(
        "“{file}” has no column “{column}”.",
        "Use a name as it stands in the first line of the file.",
    ),
    "experiment_column_twice": Sentence(
        "The column “{column}” is named for two things.",
        "Name a column of its own for each.",
    ),
    "experiment_column_missing": Sentence(
        "No column of “{file}” was recognised as {subject}.",
        command="Name it: --column {subject}=NAME.",
    ),
    "experiment_columns_several": Sentence(
        "Several columns of “{file}” look like {subject}: {columns}.",
        command="Name the one to use: --column {subject}=NAME.",
    ),
    "experiment_birth_date": Sentence(
        "“{column}” is a date of birth; ages follow from it for a certain day only.",
        command="Say which: --ages-at COLUMN (for example the day of admission) or "
        "--ages-at YYYY-MM-DD.",
    ),
    "experiment_ages_at": Sentence(
        "“{found}” is neither a column with dates nor a day written as YYYY-MM-DD.",
        "Name a column of dates, or write the day as in 2023-12-31.",
    ),
    "experiment_age_unreadable": Sentence(
        "No age can be worked out for {n_records:record|records} from “{column}” "
        "and “{other}”.",
        "Correct them, or name other columns.",
    ),
    "experiment_population": Sentence(
        "The table of people “{table}” does not tell ages, sexes and races, which the "
        "experiment needs.",
        "Choose one of: {known}.",
    ),
    "experiment_doubt": Sentence(
        "What “{attribute}” means in the table of people “{table}” is in doubt. "
        "{doubt}",
        command="Look at it; then add --accept-mapping, which is written into the "
        "result, or name another column or table.",
    ),
    "experiment_no_partner": Sentence(
        "Values of “{attribute}” without a counterpart in the table of people "
        "“{table}”: {n_values} ({n_records:record|records}).",
        command="Leave these records out with --leave-out-unmatched; or keep them with "
        "--accept-mapping: their groups are then taken to have no more people than "
        "records. Either is written into the result.",
    ),
    "experiment_nothing_left": Sentence(
        "No record of “{file}” has values that the table of people “{table}” knows.",
        "Name other columns or another table.",
    ),
    "experiment_top_age": Sentence(
        "“{found}” is no way to read the highest age.",
        "Choose “exact” or “open”.",
    ),
    "experiment_folder_in_use": Sentence(
        "“{folder}” holds something other than an experiment.",
        "Choose another folder, or empty it.",
    ),
}
