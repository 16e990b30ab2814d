"""Sentences about releases: writing them, reading them back, measuring them."""

from deidgui.app.text.base import Sentence
from deidgui.text import Text

SENTENCES: dict[str, Sentence] = {
    "treatment_unknown_column": Sentence(
        "A treatment is set for “{attribute}”, which is no column of the file.",
        "Check the columns on the page Attributes.",
    ),
    "treatment_of_quasi_identifier": Sentence(
        "“{attribute}” is a quasi-identifier and has a second treatment.",
        "Set one role for it on the page Attributes.",
    ),
    "folder_in_use": Sentence(
        "The folder “{folder}” holds something other than a release of this project. "
        "{n:file|files} would be lost: {names}.",
        "Choose a new or empty folder; nothing in it was touched.",
    ),
    "folder_no_folder": Sentence(
        "“{folder}” is a file or a link, and not a folder.",
        "Choose a new or empty folder; nothing was touched.",
    ),
    "folder_damaged": Sentence(
        "The release in the folder “{folder}” is not as it was written: a file was "
        "changed, added or removed. {n:file|files} would be lost: {names}.",
        "Choose a new or empty folder; nothing in it was touched.",
    ),
    "folder_other_project": Sentence(
        "The folder “{folder}” holds the release of another project. {n:file|files} "
        "would be lost: {names}.",
        "Choose a new or empty folder; nothing in it was touched.",
    ),
    "folder_input": Sentence(
        "The folder “{folder}” holds what the release is made from or compared with. "
        "{n:file|files} would be lost: {names}.",
        "Choose a new or empty folder; nothing in it was touched.",
    ),
    "key_inside_release": Sentence(
        "The key file “{file}” would lie inside the release.",
        "Choose another folder for it: whoever has the key can undo the pseudonyms.",
    ),
    "report_inside_release": Sentence(
        "The report “{file}” would lie inside the release.",
        "Choose another folder for it: the folder of the release stays as it was "
        "verified.",
    ),
    "report_of_counts": Sentence(
        "“{folder}” is a release of tables of counts: its report has no front sheets.",
        command="Leave out --regime.",
    ),
    "report_not_written": Sentence(
        "“{folder}” is not what its evidence says ({failed}); no report was written.",
        "Get the release again.",
        "“deidgui verify” names what does not hold.",
    ),
    "key_file_exists": Sentence(
        "There is already a file “{file}”.",
        "Choose another name for the key file; an older key is never overwritten.",
    ),
    "input_changed_since_read": Sentence(
        "“{file}” has changed since it was read.",
        "Read it again, check the policy, then export.",
    ),
    "key_beside_project": Sentence(
        "The key “{file}” would lie beside a project.",
        "Choose a folder of its own for it: projects are handed on, keys never.",
    ),
    "key_readable": Sentence(
        "Others than you may read the key “{file}”.",
        "Make a new key, or take the permissions of others away (chmod 600).",
    ),
    "not_a_key": Sentence(
        "“{file}” is no key of the kind that is needed here.",
        "A release is signed with the key file itself and verified with the one "
        "beside it that ends in .pub.",
        "“deidgui key” makes both.",
    ),
    "not_a_signature": Sentence(
        "“{file}” of the release is no signature.",
        "The file was changed or damaged; ask for the release again.",
    ),
    "release_not_signed": Sentence(
        "The release in “{folder}” is not what its evidence says ({failed}); it was "
        "not signed.",
        "Export it again, then sign.",
    ),
    "release_not_verified": Sentence(
        "What was written to “{folder}” does not measure as it should ({failed}); it "
        "was removed.",
        "Try again; if it happens twice, keep the project and report it.",
    ),
    "acceptance_baseline_gone": Sentence(
        "The chosen policy was accepted because it is no riskier than another policy, "
        "and which one that was is not known any more.",
        "Choose the baseline again on the page Policies, and then a policy.",
    ),
    "acceptance_baseline_changed": Sentence(
        "When the policy was chosen, the risk of {baseline} was {stated}; on this data "
        "and population it is {found} now, so that the comparison does not hold.",
        "Find alternatives again and choose one of them on the page Policies.",
        "On the command line: “deidgui search PROJECT --json” lists what to put under "
        "chosen.",
    ),
    "acceptance_risk_higher": Sentence(
        "The risk of the chosen policy is {risk} on this data and population, and at "
        "most {threshold} is acceptable.",
        "Find alternatives again and choose one of them on the page Policies.",
        "On the command line: “deidgui search PROJECT --json” lists what to put under "
        "chosen.",
    ),
    "thresholds_unmet": Sentence(
        "The policy does not meet {n_unmet} of {n_models:privacy model|privacy "
        "models}: {models}.",
        "Choose another policy on the page Policies, or state on the page Preview and "
        "export why this release is justified all the same.",
    ),
    "context_exceeded": Sentence(
        "The policy does not meet {n_unmet} of {n_models:privacy model|privacy "
        "models}: {models}. No search was asked for what the context of the release "
        "allows.",
        "Set these thresholds on the page Risk and thresholds, part Context, and "
        "search again; or state on the page Preview and export why this release is "
        "justified all the same.",
        "On the command line: “deidgui decide PROJECT --take-allowed”.",
    ),
    "acceptance_lacks_population": Sentence(
        "The policy was accepted because it is no riskier than Safe Harbor, and "
        "nothing is known about the people of the region: by itself such a "
        "comparison does not justify a release.",
        "Add a table of the population on the page Risk and thresholds, or set "
        "privacy models that the policy meets.",
    ),
    "question_open": Sentence(
        "{words}",
        "State the reason on the page Preview and export, or change the column on the "
        "page Attributes.",
    ),
    "question_people": Sentence(
        "Each row counts as one person, and “{column}” looks like the number of a "
        "person: it has {n_values:value|different values}, and one of them stands in "
        "{most:row|rows}. If people have several rows, their risk is higher than every "
        "figure here, and the limits are not kept.",
    ),
    "question_direct": Sentence(
        "“{column}” would be released as it is, and it was found to be a direct "
        "identifier ({kind}).",
    ),
    "question_quasi": Sentence(
        "“{column}” would be released as it is, and it was found to be something that "
        "others know about a person ({kind}).",
    ),
    "question_text": Sentence(
        "“{column}” would be released as it is, and {n_texts} of {n_all:different "
        "text|different texts} contain {kind}.",
    ),
    "question_unique": Sentence(
        "“{column}” would be released as it is, and {n_unique} of "
        "{n_records:record|records} have a value that no other record has: whoever "
        "holds another copy of these values can link the two.",
    ),
    "question_unique_person": Sentence(
        "“{column}” would be released as it is, and {n_unique} of "
        "{n_records:person|people} have a value that nobody else has: whoever holds "
        "another copy of these values can link the two.",
    ),
    "question_alone": Sentence(
        "{n_alone} of {n_released:released record|released records} ({share}) are "
        "alone on the {n_quasi:quasi-identifier|quasi-identifiers} together with "
        "{n_columns:column|columns} released unchanged. The thresholds count "
        "quasi-identifiers only: whoever holds another copy of these values can tell "
        "which record is whose. Released unchanged: {columns}.",
    ),
    "question_alone_people": Sentence(
        "{n_alone} of {n_released:released person|released people} ({share}) are alone "
        "on the {n_quasi:quasi-identifier|quasi-identifiers} together with "
        "{n_columns:column|columns} released unchanged. The thresholds count "
        "quasi-identifiers only: whoever holds another copy of these values can tell "
        "which rows are whose. Released unchanged: {columns}.",
    ),
    "question_rows": Sentence(
        "Rows of a person stay together by “{column}”: {n_records} of "
        "{n_released:released person|released people} are in a group of fewer than "
        "{least} whose rows show the same values equally often. Whoever knows all rows "
        "of a person can find these.",
        "Remove the column if nobody need know which rows belong together.",
    ),
    "question_spelling": Sentence(
        "Without capitals, blanks, punctuation and zeros in front the "
        "{n_values:value|values} by which rows belong to people are {n_alike}. If they "
        "are spellings of the same numbers, one person counts as several people, and "
        "the risk is understated.",
        "Correct the spelling in the source.",
    ),
    "question_spelling_of_values": Sentence(
        "Without capitals and blanks the {n_values:value|values} of “{column}” are "
        "{n_alike}. Spellings of the same value count as different values: records "
        "that look alike may have only one.",
        "Correct the spelling in the source.",
    ),
    "question_disclosed": Sentence(
        "No privacy model protects “{column}”: {n_records} of {n_released:released "
        "record|released records} are in {n_classes:class|classes} with one value "
        "of it. Whoever knows the class of a person learns the value. Classes in which "
        "everybody lacks a value are not counted.",
    ),
    "question_disclosed_people": Sentence(
        "No privacy model protects “{column}”: {n_records} of {n_released:released "
        "person|released people} are in {n_classes:class|classes} with one value of "
        "it. Whoever knows the class of a person learns the value. Classes in which "
        "everybody lacks a value are not counted.",
    ),
    "model_twice": Sentence(
        "“{model}” is asked for beside another one of its kind for the same column, "
        "and only one of them can hold.",
        "Name the one that you mean.",
    ),
    "model_not_set": Sentence(
        "The project has no privacy model called “{name}”.",
        "Its models are: {known}.",
    ),
    "joined_suppresses": Sentence(
        "The chosen policy joins neighbouring values, and the project asks for small "
        "groups to be suppressed besides: such a policy suppresses nothing.",
        "Choose a policy on the page Policies again.",
    ),
    "other_not_verified": Sentence(
        "The release in “{folder}” is not what its evidence says: a file was changed, "
        "added or removed. Nothing was compared.",
        "Get the release as it was written.",
        "On the command line: “deidgui verify FOLDER” says what was changed.",
    ),
    "other_of_counts": Sentence(
        "“{folder}” is a release of tables of counts, which have no records to match.",
        "Choose a release of records, or a register.",
    ),
    "other_changed": Sentence(
        "“{file}” is not the table that was chosen as “{name}”: it was changed since, "
        "or is another one.",
        "Choose it again on the page Risk and utility.",
        "On the command line: “deidgui decide --compare”.",
    ),
    "other_no_column": Sentence(
        "“{name}” has none of the quasi-identifiers of this project, so that nothing "
        "can be matched. Its columns: {known}.",
        "Say which of its columns holds which quasi-identifier.",
        "On the command line: “deidgui decide PROJECT --compare "
        "register=FILE,age=AGE_YEARS”.",
    ),
    "other_packed": Sentence(
        "“{file}” is packed: who checks the release could not read it.",
        "Unpack it, and choose the file itself.",
    ),
    "hold_out_input": Sentence(
        "“{file}” is an input of this project: its people are released.",
        "Choose a file of people who are not released, from the same source.",
    ),
    "other_unreadable": Sentence(
        "“{file}” cannot be read as the evidence says: it is packed, or no text of "
        "this kind.",
        "Unpack it, and give the file itself.",
    ),
    "compare_form": Sentence(
        "“{value}” does not say what to compare with.",
        command="Write release=FOLDER, register=FILE or hold_out=FILE, with "
        "“,coverage=SHARE”, “,name=NAME” or “,QUASI-IDENTIFIER=COLUMN” behind it, or "
        "none=NAME.",
    ),
    "compare_name": Sentence(
        "“{name}” is the name of another file of this project.",
        "Choose another name, or take the other comparison back first.",
        "On the command line a name is given with “,name=NAME”.",
    ),
    "compare_many": Sentence(
        "A release is compared with at most {n} other tables.",
        "Take one back first.",
    ),
    "not_a_release": Sentence(
        "“{folder}” is no release: it has no evidence.json.",
        "Choose the folder that the export wrote.",
    ),
    "not_evidence": Sentence(
        "“{file}” is not the evidence of a release.",
        "Choose the folder that the export wrote.",
    ),
    "evidence_newer": Sentence(
        "The release was written by a newer version of the program (format {found}; "
        "this one reads up to {supported}).",
        "Verify it with the newer version.",
    ),
    "evidence_field": Sentence(
        "The evidence cannot be used: the field {field} is wrong ({problem}).",
        "The file was changed or damaged; ask for the release again.",
    ),
    "release_not_json": Sentence(
        "“{file}” of the release is no readable JSON.",
        "The file was changed or damaged; ask for the release again.",
    ),
    "release_malformed": Sentence(
        "“{file}” of the release is damaged near line {line}.",
        "The file was changed or damaged; ask for the release again.",
    ),
    "release_file_missing": Sentence(
        "“{file}” is missing from the release.",
        "Ask for the whole folder again.",
    ),
    "release_file_too_large": Sentence(
        "“{file}” of the release is larger than such a file can be ({limit} bytes).",
        "Do not trust this folder; ask for the release again.",
    ),
    "path_leaves_release": Sentence(
        "The evidence in “{folder}” names a file outside the release.",
        "Do not trust this folder; ask for the release again.",
    ),
}

PUBLISHED: Text = (
    "The public edition is the report alone. evidence.json beside it has every name "
    "and text that was typed, policy.json (if there is one) the levels: they belong "
    "to the confidential edition. Publish the report, not the folder."
)
"""Said wherever a public edition is written."""

ROWS_KNOWN: dict[str, Text] = {
    "one": "one row of the person",
    "two": "two rows that show different things",
    "all": "everything that the rows show",
    "all_and_number": "everything that they show, and how many of them show it",
}
"""What an adversary knows of the rows of a person."""

UNMEASURED: dict[str, Text] = {
    "counts_many": "so many counts hang together that this would take too long",
    "original_values": "this takes the original values or their counts, which a "
    "release does not tell",
    "people_not_released": (
        "the column that says to whom a row belongs is not released, so that nobody "
        "can count people"
    ),
    "missing_matches": "missing values match anything, which takes the original values",
    "population": "this takes the counts of the population, which are not part of the "
    "release",
    "suppressed_values": "this compares with the values of all records of the input; "
    "some are suppressed, and to tell their values would betray them",
    "column_changed": "the sensitive column is not released as it is",
    "value_hierarchy": "this takes the order or hierarchy of the sensitive values, "
    "which is not part of the release",
    "baseline": "this takes the original values, to which the baseline is applied, and "
    "the people of the population",
    "no_level": "some values are released in groups that are no level of their "
    "hierarchy, which is not part of the release",
    "estimator": "this is an estimate for the population that is not made again",
    "sampling": "this rests on a random sample of the records, which no file shows",
    "power": "how much is known of each person rests on the values before they were "
    "generalized",
    "parameters": "its parameters are not those that this version knows",
    "many_sets": "there are too many sets of attributes",
    "other_unreadable": "the other table that was given cannot be read as the evidence "
    "says: unpack it, and give the file itself",
    "other_not_given": "this takes the other release or the register: give it with "
    "--against",
    "many_pairs": "there are too many pairs of rows of one person",
    "kind": "this version does not know how to measure it from the files",
    "other_version": "another version of the program made it; only its number of the "
    "evidence was compared",
    "other_library": "another version of the library for PDF made it",
}
"""Why something cannot be measured from the files alone."""

NOT_CHECKED: dict[str, Text] = {
    "people": "What people wrote and decided: title, notes, recipient, reasons, "
    "questions and answers, roles, importance, the suppression limit, treatment of "
    "keys, which sums of counts readers know, how often counts may be asked again.",
    "input": "What only the input shows: its files, types and missing values, heights "
    "of hierarchies, class sizes and risk before, suppressed records by label, rows of "
    "a person. They must fit each other and the release.",
    "population": "The population, and the risk of a baseline in it.",
    "true_counts": "What only the true counts show: what was masked and omitted, what "
    "can be inferred, and the names of tables.",
    "others": "What only the tables show that the release was matched with: who is in "
    "them and what they are called. Give them with --against to match them again.",
    "attacks": "Simulated attacks: they rest on the data before the release. They must "
    "fit each other and the released classes.",
    "search": "How the policy was found, and rules of hierarchies.",
    "values": "Values that are released as they are, which code stands for whom, and "
    "the names of values in mappings, and their order: of these only the hash is "
    "compared.",
    "labels": "Names of rows and columns, and cells that are no counts: of these only "
    "the hash is compared.",
    "program": "Which programs made the release, and when.",
    "together": "Several statements that were changed together so that they fit each "
    "other, with new reports. A signature shows such a change, and so does the SHA-256 "
    "of the evidence on the signed report.",
}
"""What an evidence says that no released file proves (see `unchecked`)."""

CHECKS: dict[str, Text] = {
    "against": "The release was compared with “{file}”.",
    "alone_by_chance": "A chance fact leaves exactly one record as often as stated.",
    "halves_baseline": "Halves are joined by chance as stated.",
    "halves_splits": "The quasi-identifiers can be split into halves in so many ways.",
    "halves_looked": "As many splits into halves can have been looked at as stated.",
    "halves_most": "No split into halves can be worse than stated.",
    "halves_rate": "Halves of the quasi-identifiers are joined rightly as stated.",
    "halves_split": "The split that is named has all quasi-identifiers, once each.",
    "halves_worst": "No split that is looked at again is worse than the stated one.",
    "held_out_complete": "What is said of people who were not released fits the "
    "released columns.",
    "held_out_released": "As many released people are guessed as are released.",
    "held_out_read": "The file of people who were not released can be read.",
    "held_out_people": "There are as many people who were not released as stated.",
    "held_out_right": "Values of “{attribute}” of released people are guessed as "
    "stated.",
    "held_out_blind": "Values of “{attribute}” are guessed by chance as stated.",
    "held_out_control": "Values of “{attribute}” of people who were not released are "
    "guessed as stated.",
    "held_out_residual": "The residual of “{attribute}” follows from the guesses.",
    "held_out_interval": "The interval of the residual of “{attribute}” follows from "
    "the guesses.",
    "compared_complete": "What is said of the comparison with “{name}” fits the "
    "released columns.",
    "compared_possible": "There are as many rows of “{name}” as are told to have a "
    "wide value, or more.",
    "compared_wide": "As many different rows of “{name}” with a wide value may be "
    "released people as stated.",
    "compared_classes": "The classes by {known} columns that are matched with “{name}” "
    "are those of the release.",
    "compared_records": "As many people are matched with “{name}” as are released.",
    "compared_others": "No more people of “{name}” match than there are.",
    "compared_certain": "The records that match one person of “{name}” are counted.",
    "compared_most": "The expected matches with “{name}” follow from the classes.",
    "compared_member": "Who can be seen to be in the data by “{name}” follows from the "
    "classes.",
    "compared_read": "“{name}” can be read as stated.",
    "compared_people": "“{name}” has as many people as stated.",
    "compared_unknown": "As many people of “{name}” have a value of “{attribute}” that "
    "no released label covers as stated.",
    "compared_labels": "The same label of “{attribute}” means the same in “{name}”.",
    "compared_shown": "Each released label of “{attribute}” is matched with “{name}”.",
    "compared_pairs": "The classes by {known} columns match those of “{name}” as "
    "stated.",
    "counts_shape": "“{file}” has the stated rows and columns.",
    "counts_fit": "The released tables are those that were read, each once.",
    "excel_stated": "Every table from a spreadsheet is released as Excel, too.",
    "excel_agrees": "“{file}” shows the same cells as the CSV, and no formula.",
    "redundancy_stated": "What is left of the noise is stated where there is noise.",
    "counts_once": "The uncertainty of every count is stated once.",
    "counts_as_stated": "“{file}” shows the counts of which the uncertainty is stated.",
    "negative_as_stated": "“{file}” has the stated number of negative counts.",
    "uncertainty_as_stated": "Standard deviations and intervals are those of the "
    "noise.",
    "audit_stated": "What can be inferred of masked counts is stated.",
    "audit_complete": "No more counts were audited than are masked.",
    "inferable_reasoned": "A reason stands where masked counts can be inferred.",
    "left_out_stated": "Sums that do not agree stand where masked counts are in them.",
    "no_small_counts": "No count of a sum that is shown is below the threshold.",
    "sums_agree": "Sums without a masked count agree.",
    "noise_known": "The rule of the noise is known.",
    "noise_spread": "Mean and standard deviation of the noise are those of its rule.",
    "noise_words": "The words for the noise are those of its parameters.",
    "guarantee_as_stated": "The guarantee is that of the parameters.",
    "equations_fit": "The stated sums are of released counts.",
    "same_counts": "Repeated counts have the same noise.",
    "redundancy_counted": "The counts with little noise left are those of the file.",
    "effective_as_stated": "What the sums leave of the noise is as stated.",
    "noise_is_there": "Sums of released counts differ as much as the noise makes them.",
    "preparation_rows": "Each step of the preparation starts with the rows that the "
    "step before it left.",
    "preparation_people": "Each step of the preparation starts with the people whom "
    "the step before it left.",
    "preparation_columns": "The columns that step {step} changed are released under "
    "the names that it states.",
    "preparation_events": "Nobody has more events than step {step} left: {measured}, "
    "at most {stated}.",
    "preparation_periods": "Nobody has more events in a period than step {step} left.",
    "preparation_top": "No number is above the top code of step {step}.",
    "preparation_codes": "No code of the list of step {step} is left.",
    "preparation_one_value": "The columns of step {step} are the same in all rows of "
    "each person.",
    "signature": "The signature is that of this evidence.",
    "signature_key": "The release is signed with the given key.",
    "evidence_form": "The evidence is written as this program writes it.",
    "attacks_fit": "The figures of simulated attacks fit each other and the classes.",
    "attribute_fits": "Place, name, role and treatment of “{attribute}” fit each "
    "other.",
    "policy_form": "The policy is written as this program writes it.",
    "policy_fields": "The policy has the fields of its kind.",
    "policy_attributes": "The policy says the same of every quasi-identifier.",
    "policy_labels": "The policy lists the released labels of “{attribute}”.",
    "labels_in_order": "The labels of “{attribute}” stand in the order of the policy.",
    "files_in_order": "The evidence vouches for policy, mappings and reports, and for "
    "nothing else.",
    "inputs_fit": "The inputs fit the columns.",
    "thresholds_fit": "The thresholds fit the figures.",
    "context_level": "The level of {part} follows from the answers.",
    "context_figure": "The figure {figure} of the context follows from the answers.",
    "context_open": "What is open in the context is counted.",
    "context_limits": "The release is judged by what the context allows.",
    "context_words": "What follows from the context is said in these words.",
    "sensitivity_cases": "The sensitivity table has the cases that apply.",
    "sensitivity_case": "The case {case} of the sensitivity table follows from the "
    "context and the risk.",
    "sensitivity_people": "The risk of people in the case {case} follows from their "
    "risk as stated.",
    "sensitivity_present": "Who can be seen to be in the data in the case {case} "
    "follows from what is stated of it.",
    "sensitivity_unique": "In the case {case} the estimate of unique people fits the "
    "privacy model.",
    "one_more_average": "The average risk if “{attribute}” is known besides.",
    "one_more_highest": "The highest risk if “{attribute}” is known besides.",
    "intruder_counts": "Matches that were right are among the claimed ones.",
    "drift_stated": "The comparison after which somebody decided anew is stated, or "
    "was given up by somebody.",
    "drift_inputs": "The comparison with an earlier release is of these input files.",
    "drift_policy": "The comparison with an earlier release is of this policy.",
    "drift_people": "The comparison with an earlier release counts who is released.",
    "drift_columns": "Every quasi-identifier is compared with the earlier release.",
    "drift_cells": "The present distribution of “{attribute}” is that of the release.",
    "drift_created": "The earlier release was made at this time.",
    "drift_inputs_before": "The earlier release is of these input files.",
    "drift_policy_before": "The earlier release is of this policy.",
    "drift_people_before": "So many were released in the earlier release.",
    "drift_cells_before": "The earlier distribution of “{attribute}” is that of the "
    "earlier release.",
    "drift_index": "The stability index of “{attribute}” follows from the counts.",
    "drift_met": "What has changed since the earlier release is named.",
    "drift_decided": "The determination was decided anew after what has changed.",
    "validity_periods": "A period of validity ends after it begins, and has a reason "
    "if it is longer than 36 months.",
    "validity_order": "Periods of validity are in the order in which they were "
    "decided.",
    "validity_end": "The validity ends with the period or with the agreement, "
    "whichever is earlier.",
    "validity_in_time": "The release was written before the validity ended.",
    "validity_open": "What is open about the validity is listed.",
    "validity_words": "The end of the validity is said in these words.",
    "agreement_in_time": "The release was written while the agreement was in force.",
    "validity_kept": "The dossier is kept for six years after the validity ends.",
    "cells_stated": "What stands in the released cells is stated.",
    "cells_whole": "All kinds of identifiers were looked for in all released columns "
    "but codes and masked ones.",
    "cells_counted": "The cells of “{attribute}” are counted.",
    "cells_longest": "The longest cell of “{attribute}” has the stated length.",
    "cells_words": "The cells of “{attribute}” have at most the stated words.",
    "cells_identifiers": "The cells of “{attribute}” hold the stated identifiers.",
    "dossier_item": "The state of item {item} of the checklist follows from what is "
    "entered.",
    "dossier_stated": "The state of the dossier is stated.",
    "dossier_complete": "Complete items and sections of the dossier are counted.",
    "dossier_columns": "Texts of the dossier are about released columns.",
    "population_fits": "What is known of the population fits the inputs.",
    "before_fits": "The figures of the input fit each other.",
    "classes_complete": "The bands of class sizes are complete.",
    "questions_fit": "The questions are about released columns.",
    "unit_fits": "Who is protected fits the numbers of people.",
    "search_fits": "What is said of the search fits the policy.",
    "distributions_complete": "The labels of every quasi-identifier are counted.",
    "few_is_one": "Small numbers are hidden below the same limit everywhere.",
    "suppressed_of_labels": "The suppressed records of the labels of “{attribute}” fit "
    "their total.",
    "model_words": "The words for the privacy model {model} are those of its "
    "parameters.",
    "overruled_words": "What is overruled is a privacy model of the release.",
    "conditions_complete": "Policy and privacy models ask for the same.",
    "measures_complete": "Every quality measure is stated.",
    "measure_words": "The words for the measure {measure} are those of its parameters.",
    "policy_sentence": "The policy in one sentence says what its parts say.",
    "proven_for": "For which choice among equal classes the search is a proof follows "
    "from the privacy models.",
    "policy_reasons": "The reasons to suppress records follow from the policy.",
    "words": "The words for “{attribute}” fit its treatment.",
    "missing_words": "The words for missing values fit the decision.",
    "assumptions": "The assumptions that follow from models and figures are stated.",
    "warnings": "The warnings that follow from the decisions are stated.",
    "report_digest": "The report states the SHA-256 of this evidence.",
    "report_rendered": "“{file}” is the report of this evidence.",
    "part_stated": "The evidence states “{part}”, as its list of parts says.",
    "parts_in_order": "The list of parts names each part once, in order.",
    "criteria_complete": "Who is singled out is measured wherever it can be.",
    "criteria_of_rows": "Who is singled out is stated of released rows.",
    "alone": "As many people are alone on all quasi-identifiers as stated.",
    "alone_on_all": "As many people are alone on all released columns as stated.",
    "alone_sets": "There are as many sets of {known} quasi-identifiers as stated.",
    "alone_mean": "On a set of {known} quasi-identifiers as many people are alone as "
    "stated, on average.",
    "alone_anywhere": "As many people are alone on any {known} quasi-identifiers as "
    "stated.",
    "alone_worst": "On the worst {known} quasi-identifiers as many people are alone as "
    "stated.",
    "alone_worst_set": "No {known} quasi-identifiers are worse than the stated ones.",
    "apart_columns": "How far each quasi-identifier tells people apart is stated.",
    "apart_alone": "As many people are alone on “{attribute}” as stated.",
    "apart_separation": "“{attribute}” tells as many pairs of people apart as stated.",
    "apart_pair": "With no other quasi-identifier “{attribute}” leaves more people "
    "alone than stated.",
    "guessed": "“{attribute}” is guessed rightly as often as stated.",
    "guessed_baseline": "“{attribute}” is guessed blindly as often as stated.",
    "guessed_by_others": "“{attribute}” is guessed from other people as often as "
    "stated.",
    "guessed_uniform": "As many people as stated share “{attribute}” with all who look "
    "like them.",
    "guessed_missing": "As many people as stated share with all who look like them "
    "that they have no “{attribute}”.",
    "criteria_stated": "It is stated who is singled out by the release.",
    "file_present": "“{file}” is there.",
    "file_bytes": "“{file}” is as large as stated.",
    "file_hash": "The SHA-256 of “{file}” is the one stated.",
    "no_other_files": "The folder holds nothing else.",
    "files_once": "Every file is named once.",
    "files_vouched": "The evidence vouches for policy and reports.",
    "overruled": "Every privacy model that does not hold is overruled by a person, "
    "with the reason ({model}).",
    "overruled_warned": "What is overruled stands first among the warnings.",
    "acceptance_population": "A comparison with Safe Harbor rests on the people of the "
    "region.",
    "acceptance": "The risk that the policy was accepted for is at most that of its "
    "baseline.",
    "policy_risk": "The risk that the policy was accepted for is as stated.",
    "policy_bits": "The joined neighbours of “{attribute}” are those of its mapping.",
    "policy_agrees": "Policy and evidence say the same.",
    "columns": "The columns are those stated, in the same order.",
    "people_column": "The column that says to whom a row belongs is released.",
    "one_table": "There is one released table.",
    "two_tables": "There are two released tables: events and people.",
    "linked_tables": "There is a released table for the people, and one for each table "
    "of their events.",
    "link_has_key": "Two tables have a pseudonym in common, and suppressed people are "
    "left out of both.",
    "link_people_once": "Everybody is in one row of the table of people.",
    "link_orphans": "Every event belongs to somebody in the table of people.",
    "people_rows": "The table of people has as many rows as stated.",
    "people_released": "Everybody who is not suppressed is in the table of people.",
    "people_of_input": "People are as many as the rows of their file.",
    "people_without_events": "People without an event are as many as stated, but for "
    "suppressed ones.",
    "no_direct_identifiers": "No direct identifier is released.",
    "quasi_identifiers": "The quasi-identifiers are known.",
    "mapping_vouched": "The evidence vouches for the mapping of “{attribute}”.",
    "rows": "The number of rows follows from the records and the suppressed ones.",
    "rows_of_file": "The file has as many rows as stated.",
    "records_of_input": "The records are those of the input.",
    "suppressed": "As many records are suppressed as stated.",
    "labels_in_mapping": "Every released label is in its mapping.",
    "masked": "Masked columns hold nothing but stars.",
    "pseudonyms": "Pseudonymised columns hold nothing but codes.",
    "spreadsheet": "No cell would be executed by a spreadsheet.",
    "suppress_rule": "No class is smaller than the policy allows.",
    "classes": "There are as many classes as stated.",
    "records_released": "As many records are released as stated.",
    "smallest_class": "The smallest class is as large as stated.",
    "uniques": "As many records are unique as stated.",
    "class_sizes": "The class sizes are spread as stated.",
    "cumulative_risk": "The cumulative risk is as stated.",
    "prosecutor_highest": "The highest prosecutor risk is as stated.",
    "prosecutor_average": "The average prosecutor risk is as stated.",
    "prosecutor_at_risk": "The share at prosecutor risk is as stated.",
    "prosecutor_records_at_risk": "The number at prosecutor risk is as stated.",
    "journalist_highest": "The highest journalist risk is as stated.",
    "journalist_average": "The average journalist risk is as stated.",
    "journalist_at_risk": "The share at journalist risk is as stated.",
    "journalist_records_at_risk": "The number at journalist risk is as stated.",
    "marketer_average": "The marketer risk is as stated.",
    "model": "The privacy model {model} holds as stated.",
    "distribution": "The labels of “{attribute}” are spread as stated.",
    "people_key": "The column that says to whom a row belongs is released as a code.",
    "suppressed_people": "As many people are suppressed as stated.",
    "known_fits": "Every set of attributes that may be known is measured.",
    "cells": "As many cells are suppressed as stated.",
    "cells_suffice": "No class by any few quasi-identifiers is smaller than stated; a "
    "suppressed cell counts as a value.",
    "cells_model": "Cells are suppressed for a privacy model that is stated.",
    "known_highest": "The highest risk by attributes known is as stated.",
    "known_average": "The average risk by attributes known is as stated.",
    "known_at_risk": "The records at risk by attributes known are as stated.",
    "known_riskiest": "The riskiest set of attributes is no riskier than stated.",
    "known_words": "The sentence about attributes known is as the figures say.",
    "sample_size": "The sample has as many people as stated.",
    "sample_fraction": "The size of the sample follows from its fraction.",
    "sample_of_input": "The sample is part of the input as stated.",
    "sample_average": "The average risk of a member of the file is as stated.",
    "sample_words": "The sentence about the sample is as the figures say.",
    "rows_known_stated": "It is stated what the rows of a person tell.",
    "rows_known_highest": "The highest risk by known rows ({known}) is as stated.",
    "rows_known_average": "The average risk by known rows ({known}) is as stated.",
    "rows_known_at_risk": "The people at risk by known rows ({known}) are as stated.",
    "events_words": "What is said about known events fits its figures.",
    "events_size": "As many people must match as the threshold asks for.",
    "events_columns": "Only the columns of events differ between the rows of a person.",
    "events_people": "The people at risk are of as many people as stated.",
    "events_counted": "The people at risk by known events are as stated.",
    "events_met": "The limit of people at risk holds as stated.",
    "events_estimate": "The people at risk by known events, drawn again, agree with "
    "the estimate that is stated.",
    "quality": "The measure {measure} is as stated.",
    "quality_attributes": "The measure {measure} is stated for every quasi-identifier.",
    "quality_of_attribute": "The {measure} of “{attribute}” is as stated.",
    "mapping_values": "The mapping of “{attribute}” covers its hierarchy.",
    "mapping_released": "Every label in the mapping of “{attribute}” is released.",
    "equations_once": "No sum of counts is stated twice.",
    "inferable_stated": "No more masked counts can be inferred than stated.",
    "mapping_levels": "The mapping of “{attribute}” fits the levels of the policy.",
    "mapping_rounds": "The released rows can come from the rounds of the policy with "
    "these mappings, each releasing as many as stated.",
    "mapping_spreadsheet": "No label of “{attribute}” would be executed.",
}
"""What each check of a verification says when it passes."""
