"""Sentences about projects, files and decisions."""

from deidgui.app.text.base import Sentence

SENTENCES: dict[str, Sentence] = {
    "several_problems": Sentence("{n_problems:problem was|problems were} found."),
    "cannot_write": Sentence(
        "“{file}” could not be written: {reason}.",
        "Free some space or choose a folder that you may write to; what was there "
        "before is unchanged.",
    ),
    "path_leaves_folder": Sentence(
        "The project names the file “{file}”, which is not below its own folder.",
        "Move the file beside the project and name it by a relative path.",
    ),
    "project_changed_since": Sentence(
        "“{file}” was changed by another window or program since you opened it.",
        "Save under another name, or open it again to see what was changed.",
    ),
    "project_too_large": Sentence(
        "“{file}” is too large for a project (limit: {limit} bytes).",
        "Choose a file that ends in .deid.json.",
    ),
    "project_not_json": Sentence(
        "“{file}” is not a readable project: line {line}, column {column} is no JSON.",
        "Open the last version that worked, or repair that line in a text editor.",
        "From a data file “deidgui inspect FILE --project NAME.deid.json” makes a "
        "project.",
    ),
    "project_double_key": Sentence(
        "“{file}” has the same key twice in one object: it is not clear which value "
        "counts.",
        "Remove one of the two in a text editor, or open the last version that worked.",
    ),
    "project_exists": Sentence(
        "There is already a project “{file}”.",
        "Choose another name; decisions are never overwritten by proposals.",
    ),
    "not_a_project": Sentence(
        "“{file}” is not a project of this program.",
        "Choose a file that ends in .deid.json; data files are opened with New.",
    ),
    "project_newer": Sentence(
        "“{file}” was written by a newer version of the program (format {found}; this "
        "one reads up to {supported}).",
        "Open it with the newer version.",
    ),
    "project_field": Sentence(
        "“{file}”: the field {field} cannot be used ({problem}).",
        "Correct that field; the JSON Schema of projects lists what is allowed.",
    ),
    "counts_compared": Sentence(
        "“{file}” is a project of tables of counts, which are compared with no other "
        "table and no earlier release, but it names one.",
        "Remove “earlier” from “validity” and all “comparisons” in that file; what has "
        "changed since an earlier release is entered as a trigger by a person.",
    ),
    "header_undecided": Sentence(
        "Nobody has said whether the first record of the file holds the column names "
        "or the data of a person.",
        "Answer the question on the page Data.",
        "On the command line: “deidgui decide PROJECT --first-record names” or "
        "“--first-record data”.",
    ),
    "protection_undecided": Sentence(
        "Nobody has decided who is protected: whether each row is one person, or rows "
        "belong to people by a key.",
        "Answer the question on the page Data.",
        "On the command line: “deidgui decide PROJECT --rows-are-people” or “--key "
        "COLUMN”.",
    ),
    "key_missing_values": Sentence(
        "{n_records:row has|rows have} no value in the column “{attribute}”, so "
        "that nobody knows to whom they belong.",
        "Leave these rows out of the file, choose another key, or take each row as "
        "one person.",
    ),
    "rows_vary": Sentence(
        "“{attributes}” differ between the rows of a person, and {method} needs one "
        "value for each.",
        "Look for the optimal policy instead, or give these columns another role.",
    ),
    "population_of_several_rows": Sentence(
        "“{attributes}” differ between the rows of a person, and a table of the "
        "population knows one value of each.",
        "Work without a population, or give these columns another role.",
    ),
    "attribute_unknown": Sentence(
        "There is no column “{attribute}” in the project.",
        "Use one of the column names of the file.",
    ),
    "column_not_there": Sentence(
        "The project has no column “{attribute}”.",
        "Its columns are: {known}.",
    ),
    "value_missing": Sentence(
        "“{attribute}” stands alone: what is decided about this column is missing.",
        command="Write it with an equals sign: {attribute}=VALUE.",
    ),
    "not_one_of": Sentence(
        "“{value}” is no {what}.",
        "Use one of: {known}.",
    ),
    "baseline_without_policy": Sentence(
        "No policy is chosen that alternatives could be compared with.",
        "Choose one on the page Policies.",
        "On the command line: --choose NUMBER.",
    ),
    "share_out_of_range": Sentence(
        "“{value}” is no {what}.",
        "Use a share from 0 to 1, as 0.05 for 5\u202f%.",
    ),
    "levels_malformed": Sentence(
        "“{value}” names no levels of “{attribute}”.",
        "Use one level, as 2, or the lowest and the highest, as 1..3 or 1.. without "
        "a highest.",
    ),
    "levels_not_there": Sentence(
        "“{value}” names no levels of “{attribute}”, whose hierarchy has the levels 0 "
        "to {top}.",
        "Use one level, or the lowest and the highest, from 0 to {top}: as 0..{top}.",
    ),
    "reason_missing": Sentence(
        "A reason is missing.",
        "Add it. It is kept in project, evidence and report.",
        "On the command line: --because “WHY”.",
    ),
    "question_unknown": Sentence(
        "Nothing is asked under the name “{question}”.",
        "What is asked: {known}.",
    ),
    "policy_unreadable": Sentence(
        "“{file}” holds no policy.",
        "Choose a file with a policy of this program.",
        "“deidgui search PROJECT --json” lists policies under chosen.",
    ),
    "level_missing": Sentence(
        "The chosen policy has no level for “{attribute}”.",
        "Choose a policy again: the quasi-identifiers have changed since.",
    ),
    "level_unknown_attribute": Sentence(
        "The chosen policy names “{attribute}”, which is no quasi-identifier.",
        "Choose a policy again: the quasi-identifiers have changed since.",
    ),
    "level_out_of_range": Sentence(
        "The chosen policy uses level {found} of “{attribute}”; its hierarchy ends at "
        "{top}.",
        "Choose a policy again: the hierarchy has changed since.",
    ),
    "no_input": Sentence(
        "The project names no input file.",
        "Open the data file first.",
        "On the command line: --input table=FILE; in a project file: inputs.",
    ),
    "input_unknown": Sentence(
        "The project has no input called “{name}”.",
        "Its inputs are: {known}.",
    ),
    "input_of_counts": Sentence(
        "A project of tables of counts has no input “{name}”: its tables are CSVs "
        "beside it.",
        command="Leave out --input {name}=.",
    ),
    "given_not_found": Sentence(
        "There is no file “{file}”.",
        command="Give the path of the input “{name}” as it is: --input {name}={kind}.",
    ),
    "given_no_folder": Sentence(
        "“{file}” is a file, but the input “{name}” is a release.",
        command="Give the folder of the release: --input {name}=FOLDER.",
    ),
    "given_folder": Sentence(
        "“{file}” is a folder.", command="Give a file in it: --input {name}=FILE."
    ),
    "input_not_found": Sentence(
        "The input file “{file}” is not beside the project.",
        "Say in the window where it is.",
        "On the command line: --input {name}=FILE.",
    ),
    "input_changed": Sentence(
        "“{file}” is not the file the project was made with: its SHA-256 differs.",
        "If the new file is meant, confirm it. Every risk figure is computed anew.",
        "On the command line: --input {name}=FILE.",
    ),
    "columns_changed": Sentence(
        "“{file}” has other columns than the project: {missing} missing, {added} new.",
        "Decide the roles of the new columns and remove the missing ones.",
    ),
    "several_files": Sentence(
        "{n:file was|files were} dropped, and a project begins with one.",
        "Drop one of them. A second file about the same people is added on the page "
        "Data. Several tables of counts are dropped once such a project is begun.",
    ),
    "principle_not_asked": Sentence(
        "“{attribute}” is not asked for {field}: it is neither sensitive nor "
        "insensitive.",
        "Give a reason only for columns that are released and are no "
        "quasi-identifiers.",
    ),
    "role_missing": Sentence(
        "No role is decided for “{attribute}”.",
        "Give it a role on the page Attributes, or leave the column out.",
    ),
    "role_unconfirmed": Sentence(
        "The role of “{attribute}” was proposed by the program, and nobody has "
        "confirmed it.",
        "Confirm or change it on the page Attributes, or leave the column out.",
    ),
    "format_undecided": Sentence(
        "The values of “{attribute}” can be read in two ways: {known}.",
        "Choose the right one on the page Data.",
    ),
    "hierarchy_missing": Sentence(
        "“{attribute}” is a quasi-identifier without a hierarchy.",
        "Choose a template for it on the page Hierarchies.",
    ),
    "hierarchy_file_missing": Sentence(
        "The hierarchy file “{file}” of “{attribute}” is not beside the project.",
        "Put it back, or choose a template on the page Hierarchies.",
    ),
    "no_suppression_limit": Sentence(
        "It is not decided how many {unit} may be suppressed.",
        "Set the suppression limit on the page Risk and thresholds (0\u202f% is "
        "allowed).",
    ),
    "no_suppressed_choice": Sentence(
        "It is not decided what happens to suppressed rows.",
        "Choose on the page Preview and export whether they stay as rows of * or are "
        "left out.",
    ),
    "no_policy_meets": Sentence(
        "No policy meets the thresholds. The nearest one would suppress "
        "{records_needed} {unit} ({share_needed}); {records_allowed} are allowed.",
        "Raise the suppression limit to {limit_needed}, lower the thresholds, or allow "
        "coarser hierarchies.",
    ),
    "no_policy_releases": Sentence(
        "No policy meets the thresholds. The nearest one would suppress "
        "{records_needed} {unit} ({share_needed}); {records_allowed} are allowed. "
        "Nothing would be released.",
        "Lower the thresholds, or allow coarser hierarchies.",
    ),
    "chosen_outside_limits": Sentence(
        "The chosen policy uses a level that the limits do not allow any more.",
        "Choose another policy, or widen the limits in the Hierarchies step.",
    ),
    "chosen_violates": Sentence(
        "The chosen policy does not meet the thresholds: it would suppress "
        "{records_needed} {unit} and {records_allowed} are allowed.",
        "Choose another policy on the page Policies, or take the best one. Or state "
        "on the page Preview and export why so many may be suppressed.",
        "On the command line: --overrule suppression_limit --because WHY.",
    ),
    "validity_ended": Sentence(
        "The determination held until {day}. Nothing is released after that day.",
        "Look at the data, the recipient and the risk again, and decide anew on the "
        "page Risk and thresholds, part Validity, until when it holds.",
    ),
    "validity_agreement_ended": Sentence(
        "The agreement with the recipient ended on {day}. Nothing is released without "
        "one.",
        "Enter the new agreement on the page Risk and thresholds, part Context.",
    ),
    "validity_agreement_not_begun": Sentence(
        "The agreement with the recipient begins on {day}, not yet. Nothing is "
        "released before.",
        "Wait until then, or correct the day on the page Risk and thresholds, part "
        "Context.",
    ),
    "validity_not_begun": Sentence(
        "The determination holds from {day} on, not yet.",
        "Wait until then, or decide anew on the page Risk and thresholds, part "
        "Validity.",
    ),
    "validity_trigger": Sentence(
        "The determination does not hold any more: {trigger} ({day}).",
        "Look at what happened, and decide anew on the page Risk and thresholds, part "
        "Validity, whether and until when it holds.",
    ),
    "validity_unnamed": Sentence(
        "Nobody is named who decides.",
        "Enter a name.",
        "On the command line: --answered-by.",
    ),
    "validity_no_words": Sentence(
        "It is not said what happened.", "Describe it in a few words."
    ),
    "validity_triggers": Sentence(
        "More than {most} triggers cannot be entered before somebody decides anew.",
        "Decide anew on the page Risk and thresholds, part Validity.",
        "On the command line: --valid.",
    ),
    "validity_measured": Sentence(
        "The determination does not hold for this release. Measured against the "
        "earlier release: {what}",
        "Look at what has changed and at the risk; then decide anew on the page Risk "
        "and thresholds, part Validity, whether and until when it holds.",
        "On the command line: deidgui drift PROJECT shows it; then decide --valid.",
    ),
    "earlier_missing": Sentence(
        "The earlier release “{folder}” is not found, or is not the one that was "
        "chosen: nothing can be compared with it.",
        "Choose its folder again on the page Risk and thresholds, part Validity.",
        "On the command line: --input earlier=FOLDER.",
    ),
    "earlier_changed": Sentence(
        "The files of “{folder}” are not those that its evidence vouches for.",
        "Choose a release that was verified.",
        "On the command line: “deidgui verify FOLDER” checks one.",
    ),
    "intruder_incomplete": Sentence(
        "The test cannot be recorded as it is: “{field}” is missing or does not fit.",
        "Enter every field; matches that were right are among the claimed ones, these "
        "among the records looked for.",
    ),
    "worklist_values": Sentence(
        "A work list contains values of the released table.",
        "If those who try may see them, say so.",
        "On the command line: repeat with --contains-values.",
    ),
    "place_needed": Sentence(
        "“{file}” is a file that this project needs, or lies in a release that it is "
        "compared with. It was not replaced.",
        "Choose another name or folder.",
    ),
    "place_in_release": Sentence(
        "“{file}” would lie in the release “{folder}”, whose files must stay as its "
        "evidence says.",
        "Choose a folder outside the release.",
    ),
    "place_taken": Sentence(
        "There is already a file “{file}”. It was not replaced.",
        "Choose another name.",
    ),
    "validity_day": Sentence("“{value}” is not a date.", "Write it as 2026-11-23."),
    "validity_order": Sentence(
        "The determination would end on {ends}, before it begins on {begins}.",
        "Enter a later end.",
    ),
    "validity_long": Sentence(
        "More than {months} months need a reason.",
        "Enter the reason, or an earlier end.",
    ),
    "no_quasi_identifier": Sentence(
        "No column is a quasi-identifier, so there is nothing to generalize.",
        "Mark what others may know about a person on the page Attributes.",
    ),
    "no_records": Sentence(
        "“{file}” has no records.", "Choose a file that has rows below its header."
    ),
    "parameter_type": Sentence(
        "“{parameter}” of {model} must be of the kind {expected}.",
        "Enter another value.",
    ),
    "parameter_range": Sentence(
        "“{parameter}” of {model} must lie in {allowed}.", "Enter another value."
    ),
    "parameter_option": Sentence(
        "“{parameter}” of {model} must be one of: {allowed}.", "Choose one of them."
    ),
    "parameter_unknown": Sentence(
        "{model} has no parameter “{parameter}”.",
        "Remove it. Its parameters are: {known}.",
    ),
    "parameter_missing": Sentence(
        "{model} needs the parameter “{parameter}”.", "Enter a value for it."
    ),
    "unknown_kind": Sentence(
        "There is no {family} called “{name}”.",
        "Choose one of these: {known}.",
    ),
    "usage": Sentence("{problem}", "", "See deidgui --help."),
}
