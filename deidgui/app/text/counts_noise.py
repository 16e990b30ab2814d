"""Sentences about counts with noise."""

from deidgui.app.text.base import Sentence

SENTENCES: dict[str, Sentence] = {
    "noise_needs_lockout": Sentence(
        "Fresh noise does not protect against somebody who asks again and averages.",
        "State how often the same question is answered and within how many days, or "
        "take keyed noise.",
    ),
    "noise_undecided": Sentence(
        "Nobody has decided which noise the counts get, or that they are released "
        "masked.",
        "Decide it on the page Noise.",
        "On the command line: “deidgui counts fuzz”.",
    ),
    "label_open": Sentence(
        "{words}",
        "Take these cells out of the table, or state why it is released all the same "
        "on the page Preview and export. A table with a row for each patient belongs "
        "to the first kind of release.",
        "On the command line: “deidgui decide PROJECT --accept-finding {question} "
        "--because WHY”; “deidgui counts inspect … --project PROJECT” makes a project "
        "of tables.",
    ),
    "question_label": Sentence(
        "{line} of “{table}” was found to tell who single people are ({kind}; "
        "{n_cells:cell|cells}). Masked counts and noise protect groups, not people who "
        "are named.",
    ),
    "earlier_open": Sentence(
        "{words} The earlier release lies in “{folder}”.",
        "State why the tables are released all the same, on the page Preview and "
        "export.",
        "On the command line: “deidgui decide PROJECT --earlier {folder} --because "
        "WHY”; “deidgui counts inspect … --project PROJECT” makes a project of tables.",
    ),
    "question_earlier_noise": Sentence(
        "Tables of the same name or file were released with noise on {created} UTC "
        "(evidence {digest}). Whoever has both releases can average them, and comes "
        "closer to the true counts.",
    ),
    "question_earlier_masked": Sentence(
        "Tables of the same name or file were released masked on {created} UTC "
        "(evidence {digest}), and these differ. What one release masks, the other may "
        "show or tell.",
    ),
    "question_earlier_mixed": Sentence(
        "Of tables of the same name or file that were released on {created} UTC "
        "(evidence {digest}) and these, one release is masked and the other has noise. "
        "Whoever has both has noisy counts of what is masked, and true counts of what "
        "is not.",
    ),
    "counts_not_earlier": Sentence(
        "“{folder}” is no release of these tables of counts.",
        "Name the folder of an earlier release of them.",
    ),
    "counts_none": Sentence(
        "“{table}” has no count.",
        "Say on the page Tables which cells are counts, or remove the table.",
    ),
    "counts_inferable": Sentence(
        "{n:masked count|masked counts} can be inferred exactly or nearly.",
        "Repair the tables, add noise, or state why they are released all the same.",
    ),
    "counts_inconsistent": Sentence(
        "{n:masked count is|masked counts are} in sums that do not agree: what can be "
        "inferred of them is not known.",
        "Fix the sums, say which counts are no sums, or state why the tables are "
        "released all the same.",
    ),
    "repair_does_nothing": Sentence(
        "This repair changes nothing: it protects no count, or none needs it.",
        "Choose another one.",
        "“deidgui counts repair” without --apply compares them.",
    ),
    "repair_needs_project": Sentence(
        "A repair is put into a project, and “{file}” is a table.",
        command="Make a project first: deidgui counts inspect FILE... "
        "--project PROJECT.",
    ),
    "counts_small_shown": Sentence(
        "“{table}” shows {n:count|counts} below the threshold.",
        "Mask them, or add noise.",
    ),
    "counts_zeros_unsaid": Sentence(
        "Zeros are shown, and nobody has said whether they are masked too.",
        "Say on the step Tables whether zeros are shown or masked.",
        "On the command line: “deidgui decide PROJECT --set counts.mask_zero=no”, or "
        "“yes”.",
    ),
    "network_one_site": Sentence(
        "One table is not a network.", "Add the tables of two sites or more."
    ),
    "network_nothing_common": Sentence(
        "The tables of {n:site|sites} have no count in common: rows and columns are "
        "called differently.",
        "Give the same labels to the same counts, or remove the table that differs.",
    ),
    "network_all_masked": Sentence(
        "Each count that the sites have in common is masked at one of them.",
        "Add tables with true counts or with noise.",
    ),
    "advice_number": Sentence(
        "A count, or a number of sites, repeats or attacks is not positive.",
        "Give numbers above zero.",
    ),
}
