"""Sentences about a file of the population, and what models need of columns."""

from __future__ import annotations

from deidgui.app.text.base import Sentence

SENTENCES: dict[str, Sentence] = {
    "population_not_read": Sentence(
        "The population's file “{file}” was not found.",
        "Choose it on the page Risk and thresholds.",
        "On the command line: --input population=FILE.",
    ),
    "population_changed": Sentence(
        "“{file}” is not the population's file that the project was made with: its "
        "SHA-256 differs.",
        "If the new file is meant, choose it on the page Risk and thresholds.",
    ),
    "population_attribute_missing": Sentence(
        "The population's file “{file}” has no column “{column}”, which should hold "
        "“{attribute}”.",
        "Say on the page Risk and thresholds which of its columns holds it, or that "
        "the population has no such column; or choose another file.",
    ),
    "population_column_twice": Sentence(
        "The column “{column}” of the population's file is meant to hold "
        "“{attribute}” and something else too.",
        "Choose another column for one of them on the page Risk and thresholds.",
    ),
    "population_count_undecided": Sentence(
        "It is not decided which column of “{file}” holds the number of people.",
        "Choose the column on the page Risk and thresholds.",
    ),
    "population_count_empty": Sentence(
        "“{file}”, line {line}: the number of people in “{column}” is empty "
        "({n_rows:row|rows} in all).",
        "Write 0 where nobody lives, and a number everywhere else.",
    ),
    "population_count_negative": Sentence(
        "“{file}”, line {line}: the number of people in “{column}” is negative "
        "({n_rows:row|rows} in all).",
        "Correct the file: a count is 0 or more.",
    ),
    "population_count_fractional": Sentence(
        "“{file}”, line {line}: the number of people in “{column}” is no whole "
        "number ({n_rows:row|rows} in all).",
        "Use counts of people, not weights or estimates with decimals.",
    ),
    "population_count_large": Sentence(
        "“{file}”, line {line}: the number of people in “{column}” is larger than "
        "{limit} ({n_rows:row|rows} in all).",
        "Correct the file, or choose another column.",
    ),
    "population_count_no_number": Sentence(
        "“{file}”, line {line}: “{column}” holds no number of people "
        "({n_rows:row|rows} in all).",
        "Write plain digits without thousands separators, or choose another column.",
    ),
    "population_cell_twice": Sentence(
        "“{file}”: line {line} has the same combination of quasi-identifiers as "
        "line {first_line} ({n_rows:such row|such rows} in all).",
        "Add such rows up so that each combination stands on one line, or decide that "
        "they are added up: right for counties, wrong for several years.",
    ),
    "population_file_empty": Sentence(
        "The population's file “{file}” counts no people.",
        "Choose the column with the number of people, or another file.",
    ),
    "people_table_twice": Sentence(
        "The same table of people is chosen twice.",
        "Choose each table once.",
    ),
    "people_mapping_missing": Sentence(
        "What was confirmed about the values of “{attribute}” was kept in “{file}”, "
        "which is not beside the project.",
        "Put the file back, or confirm the proposal again on the page Risk and "
        "thresholds.",
    ),
    "people_rows_added": Sentence(
        "Rows of the population's file with the same combination as an earlier one: "
        "{n_rows}. Their people are added up, as a person decided."
    ),
    "sensitive_undecided": Sentence(
        "{model} does not say yet which sensitive attribute it protects.",
        "Choose one; columns are marked as sensitive on the page Attributes.",
    ),
    "attribute_not_sensitive": Sentence(
        "{model} protects “{attribute}”, which is no sensitive attribute of the "
        "release.",
        "Remove the model, choose another attribute, or mark it as sensitive on the "
        "page Attributes.",
    ),
}
