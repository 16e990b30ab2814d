"""Sentences about tables of counts."""

from deidgui.app.text.base import Sentence

_READING: dict[str, Sentence] = {
    "counts_too_long": Sentence(
        "“{file}” is longer than {limit} MB, too long for a table of counts.",
        "Choose an aggregate table. A table with a row for each patient belongs to "
        "the first kind of release.",
    ),
    "counts_too_large": Sentence(
        "“{table}” has more than {rows:row|rows}, {columns:column|columns} or "
        "{cells:cell|cells}.",
        "Split it into smaller tables.",
    ),
    "counts_empty": Sentence(
        "“{table}” holds no cell.", "Choose a table with labels and counts."
    ),
    "counts_cell_too_long": Sentence(
        "“{file}”, line {line}, column {column}: the cell has more than {limit} "
        "characters.",
        "Shorten it, or choose a table of counts.",
    ),
    "sheets_unpacked_too_large": Sentence(
        "“{file}” unpacks to more than {limit} MB, too much for tables of counts.",
        "Save the sheets with tables of counts as a file of their own.",
    ),
    "sheets_locked": Sentence(
        "“{file}” is protected with a password.",
        "Save it without the password, or paste the table.",
    ),
    "sheets_damaged": Sentence(
        "“{file}” cannot be read as a spreadsheet.",
        "Save it again as Excel workbook (xlsx), or paste the table.",
    ),
    "sheets_refused": Sentence(
        "Reading “{file}” takes more memory or time than tables of counts need.",
        "A cell far away from the table may be the cause: copy the tables to a new "
        "workbook, or paste them.",
    ),
    "sheets_unknown": Sentence("“{file}” has no sheet “{sheet}”.", "It has: {names}."),
    "sheets_none": Sentence(
        "“{file}” is no spreadsheet, so it has no sheet “{sheet}”.",
        "Name the file without a sheet.",
    ),
    "sheet_too_large": Sentence(
        "“{file}” reaches beyond {rows:row|rows}, {columns:column|columns} or "
        "{cells:cell|cells}.",
        "Delete what stands outside the table, or paste the table.",
    ),
    "counts_cut": Sentence(
        "“{file}”, line {line}: the line cannot be cut into cells.",
        "Close quotes that are open, or export the table again as CSV.",
    ),
    "counts_layout_other": Sentence(
        "What was decided about “{table}” is of a table with other columns.",
        "Add the table again, and decide what its cells are.",
    ),
}

_CELLS: dict[str, Sentence] = {
    "count_is_text": Sentence(
        "“{table}”, line {line}: column “{column}” should be a count and "
        "holds a text that is no number.",
        "Correct it, say that it is no count, or say which mark stands for a masked "
        "count.",
    ),
    "count_negative": Sentence(
        "“{table}”, line {line}: the count in column “{column}” is negative.",
        "Correct it. Only counts with noise may be negative.",
    ),
    "count_fraction": Sentence(
        "“{table}”, line {line}: the count in column “{column}” has a fraction.",
        "Correct it, or say that it is a mean or a percentage.",
    ),
    "count_above_all": Sentence(
        "“{table}”, line {line}: the count in column “{column}” is more than "
        "all people.",
        "Correct it, or say that it is no count.",
    ),
    "count_too_large": Sentence(
        "The counts of the tables are too large to be added up.",
        "Correct them, or leave out what is no count of people.",
    ),
    "number_is_text": Sentence(
        "“{table}”, line {line}: column “{column}” should be a percentage "
        "or a mean and is no number.",
        "Correct it, or say what it is.",
    ),
    "counts_threshold_wanted": Sentence(
        "“{table}” has masked counts, and nobody has said below which threshold counts "
        "are masked.",
        "State the threshold: with 11, “T” stands for 1 to 10.",
        "On the command line: --threshold 11.",
    ),
    "counts_threshold_small": Sentence(
        "A threshold of {threshold} masks nothing.", "Give 2 or more."
    ),
    "counts_without_counts": Sentence(
        "“{table}” has no count.", "Say which of its cells are counts."
    ),
}

_PROJECTS: dict[str, Sentence] = {
    "counts_table_missing": Sentence(
        "The cells of “{table}” are missing: there is no file “{file}” below the "
        "folder of the project.",
        "Put it there again, or remove the table and add it anew.",
    ),
    "counts_table_too_large": Sentence(
        "The cells of “{attribute}” take more than {limit} MB.",
        "Choose an aggregate table.",
    ),
    "counts_many_values": Sentence(
        "“{column}” has more than {limit} different values.",
        "Choose a column with fewer values, or generalize it first.",
    ),
    "counts_make_what": Sentence(
        "Nobody has said what to count.",
        command="Give --rows and --columns for a cross table, --describe for groups, "
        "or --keep for the steps of an attrition table; one of the three.",
    ),
    "counts_exists": Sentence(
        "There is already a file “{file}”.", "Choose another name."
    ),
    "counts_project_alone": Sentence(
        "“{file}” is a project, which names its own tables.",
        "Give the project alone, or tables alone.",
    ),
    "counts_project_other": Sentence(
        "“{file}” is no project of tables of counts.",
        "Give tables, or a project whose kind is “counts”.",
    ),
}

SENTENCES: dict[str, Sentence] = {**_READING, **_CELLS, **_PROJECTS}
