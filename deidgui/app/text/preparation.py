"""Sentences about the steps that prepare a table."""

from __future__ import annotations

from deidgui.app.text.base import Sentence

SENTENCES: dict[str, Sentence] = {
    "step_column_missing": Sentence(
        "A step of the preparation needs the column “{attribute}”, which is not in the "
        "table.",
        "Choose another column for the step, or remove the step.",
    ),
    "step_no_missing_text": Sentence(
        "No text means “no value” in “{attribute}”: a step cannot remove its values.",
        "Add a text for missing values of the column, for example an empty one.",
    ),
    "step_needs_key": Sentence(
        "The step “{step}” works on the rows of people, and no column says to whom a "
        "row belongs.",
        "Say first who is protected: choose the column that numbers the people.",
    ),
    "step_removes_all": Sentence(
        "The step “{step}” would remove every row.",
        "Change the step, or remove it.",
    ),
    "step_no_columns": Sentence(
        "The step “{step}” names no column.", "Name at least one."
    ),
    "step_of_one_table": Sentence(
        "The step “{step}” works on the events of one table, and its columns are not "
        "all from the same table of events.",
        "Choose columns of one table, and add a step for each other table.",
    ),
    "step_dates_need_format": Sentence(
        "The dates in “{attribute}” have no format.",
        "Say how they are written, as YYYY-MM-DD.",
    ),
    "step_no_numbers": Sentence(
        "No value of “{attribute}” is a number, so it cannot be top-coded.",
        "Choose a column of numbers, or correct the decimal mark.",
    ),
    "step_no_dates": Sentence(
        "No value of “{attribute}” is a date in the format of the step.",
        "Choose a column of dates, or correct the format.",
    ),
    "step_format_without_day": Sentence(
        "Dates as {format} have no day, so they cannot be shifted by days.",
        "Use a column with full dates, or days since the first event.",
    ),
    "step_shift_too_small": Sentence(
        "A range of {days} days is less than a week, so weekdays cannot stay.",
        "Use at least 7 days, or let weekdays change.",
    ),
    "step_list_missing": Sentence(
        "The list “{file}” of a step is not beside the project.",
        "Copy it there, or choose the list again.",
    ),
    "step_list_malformed": Sentence(
        "Row {row} of “{file}” is not as the step needs it.",
        "A code list has rows code,prefix,reason or code,exact,reason; a table of "
        "groups has rows code,group with each code once.",
    ),
    "step_no_code_known": Sentence(
        "The grouping knows no code of “{attribute}”.",
        "Choose the grouping for the codes of this column.",
    ),
    "step_table_goes_with_grouping": Sentence(
        "A table goes with the grouping “table”, and only with it.",
        "Choose a table, or another grouping.",
    ),
    "step_too_many": Sentence(
        "A preparation has at most {limit} steps.", "Remove some of them."
    ),
    "step_list_too_large": Sentence(
        "The list of the step “{attribute}” is larger than {limit} MB.",
        "Use a list with fewer rows.",
    ),
}
