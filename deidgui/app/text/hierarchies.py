"""Sentences about hierarchies, their rules, their files and their editor."""

from __future__ import annotations

from deidgui.app.text.base import Sentence

SENTENCES: dict[str, Sentence] = {
    # Rules
    "template_value": Sentence(
        "The rule cannot read any of the {n_values:value|values} of “{attribute}”.",
        "Choose a rule that suits the values, or correct the type or date format.",
    ),
    "template_keep": Sentence(
        "Each level must keep fewer values than the one before, and at least one.",
        "Write numbers that fall, such as 4, 1.",
    ),
    "template_levels": Sentence(
        "The rule has more than {limit} levels.", "Remove some of the factors."
    ),
    "template_mask": Sentence(
        "The mask must be exactly one visible character.", "Type one, such as *."
    ),
    "band_not_whole": Sentence(
        "Bands of whole numbers need a whole number for “{parameter}”.",
        "Type a number without fraction, or switch “Whole numbers” off.",
    ),
    "band_order": Sentence(
        "The bottom code must be lower than the top code.", "Change one of the two."
    ),
    "cut_points_number": Sentence(
        "A bound of level {level} is not a number.",
        "Type numbers separated by blanks, and | between levels.",
    ),
    "cut_points_order": Sentence(
        "The bounds of level {level} do not ascend, or there are none or too many.",
        "Type them from the lowest to the highest, each once.",
    ),
    "cut_points_nested": Sentence(
        "Level {level} has a bound that the level before it has not.",
        "Use only bounds of the level before, so that bands join to larger ones.",
    ),
    # Hierarchies
    "hierarchy_empty": Sentence(
        "The hierarchy of “{attribute}” has no rows.",
        "Choose another file, or build the hierarchy from a rule.",
    ),
    "hierarchy_flat": Sentence(
        "The hierarchy of “{attribute}” has values but no level above them.",
        "Add at least one level.",
    ),
    "areas_unreadable": Sentence(
        "“{file}” is no table of people by postal code.",
        "Use a text table with two columns: postal codes, and whole numbers of people.",
    ),
    "hierarchy_ragged": Sentence(
        "Row {row} of the hierarchy of “{attribute}” has {found:label|labels} "
        "instead of {expected}.",
        "Give every row one label per level, or open the file in the editor.",
    ),
    "hierarchy_duplicate_leaf": Sentence(
        "Row {row} of the hierarchy of “{attribute}” repeats a value.",
        "Remove the row, or open the file in the editor and let it be repaired.",
    ),
    "hierarchy_not_nested": Sentence(
        "In row {row} of the hierarchy of “{attribute}”, a group of level {level} "
        "belongs to another group of the next level than before.",
        "Put the whole group under one group, or let the editor repair it.",
    ),
    "hierarchy_gap": Sentence(
        "Values of “{attribute}” that are not in its hierarchy: {n_values} "
        "({n_records:record|records}).",
        "Open the hierarchy and let the values be added, or choose a rule that covers "
        "them.",
    ),
    # Files
    "hierarchy_file": Sentence(
        "The file “{file}” with the hierarchy of “{attribute}” cannot be opened.",
        "Check that it exists and that you may read it.",
    ),
    "hierarchy_too_large": Sentence(
        "The file with the hierarchy of “{attribute}” is larger than {limit} MB.",
        "A hierarchy has one row per value; check that this is the right file.",
    ),
    "hierarchy_encoding": Sentence(
        "The file with the hierarchy of “{attribute}” is not a text file.",
        "Save it as CSV in UTF-8.",
    ),
    "hierarchy_java": Sentence(
        "The file with the hierarchy of “{attribute}” is a specification that ARX "
        "saved as Java objects (.ahs). Such a file can run code and is not read.",
        "Open the hierarchy in ARX, export it as a CSV file, and import that file.",
    ),
    "hierarchy_syntax": Sentence(
        "Row {row} of the hierarchy of “{attribute}” cannot be read: quotation marks "
        "do not match, or the row is far too long.",
        "Correct the row in a text editor.",
    ),
    "hierarchy_too_many_rows": Sentence(
        "The hierarchy of “{attribute}” has more than {limit} rows.",
        "Leave out values that do not occur, or use a rule instead.",
    ),
    "hierarchy_too_many_levels": Sentence(
        "Row {row} of the hierarchy of “{attribute}” has more than {limit} levels.",
        "Check the delimiter, or leave out levels.",
    ),
    "hierarchy_cell_too_long": Sentence(
        "Row {row} of the hierarchy of “{attribute}” has a label of more than {limit} "
        "characters.",
        "Shorten it; check that quotation marks match.",
    ),
    "hierarchy_not_written": Sentence(
        "The hierarchy could not be written to “{file}”.",
        "Check that the folder exists, that you may write there and that the disk is "
        "not full.",
    ),
    # Editor: what cannot be done
    "level_range": Sentence(
        "This cannot be done on level {level} of “{attribute}”.",
        "Choose a level between {low} and {high}.",
    ),
    "group_unknown": Sentence(
        "There is no such group on level {level} of “{attribute}”.",
        "Choose one that exists.",
    ),
    "group_name_empty": Sentence("A group of “{attribute}” needs a name.", "Type one."),
    "group_exists": Sentence(
        "Level {level} of “{attribute}” already has a group of that name.",
        "Choose another name, or merge the two groups.",
    ),
    # Editor: what is wrong with the draft; fix says what the one click does
    "draft_top": Sentence(
        "The most general level of “{attribute}” is not * in {n_rows:row|rows}.",
        "Write * there, or add a level of * on top.",
    ),
    "draft_empty_label": Sentence(
        "Empty labels on level {level} of “{attribute}”: {n_rows}.",
        "Use the label of the level below.",
    ),
    "draft_duplicate_leaf": Sentence(
        "Rows of “{attribute}” that repeat a value: {n_rows}, the first is row {row}.",
        "Keep the first row of each value.",
    ),
    "draft_not_nested": Sentence(
        "A group of level {level} of “{attribute}” (row {row}) lies in "
        "{n_parents:group|groups} of the next level.",
        "Put all of its {n_rows:row|rows} where most of them are.",
    ),
    "draft_no_missing_leaf": Sentence(
        "{n_records:record has|records have} no value for “{attribute}”, and the "
        "hierarchy has no place for it.",
        "Add a row for “no value”.",
    ),
    "draft_gap": Sentence(
        "Values of “{attribute}” that are not in the hierarchy: {n_values} "
        "({n_records:record|records}).",
        "Add them where the rule places them, or in a group “other”.",
    ),
}
