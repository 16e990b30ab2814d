"""Sentences about the discovery of policies that are no riskier than a rule."""

from __future__ import annotations

from deidgui.app.text.base import Sentence

SENTENCES: dict[str, Sentence] = {
    "domain_order": Sentence(
        "The order given for “{attribute}” does not fit: {n_unknown} of its values do "
        "not exist, {n_repeated} stand in it twice.",
        "Name each value once, or go back to the order of the hierarchy.",
    ),
    "discovery_mode": Sentence(
        "“{found}” is no way to join values.",
        "Choose “interval” (any neighbours) or “subtree” (whole groups of the "
        "hierarchy).",
    ),
    "discovery_nothing_to_join": Sentence(
        "No quasi-identifier has two different values, so there is nothing to choose.",
        "Mark the columns that could identify a person as quasi-identifiers.",
    ),
    "subtree_order": Sentence(
        "The values of “{attribute}” are in another order than in its hierarchy, so "
        "its groups cannot be used.",
        "Go back to the order of the hierarchy, or let any neighbours be joined.",
    ),
    "preference_unknown_attribute": Sentence(
        "There is a preference about “{attribute}”, which is not among the "
        "quasi-identifiers.",
        "Remove the preference, or make the column a quasi-identifier.",
    ),
    "quota_unknown_attribute": Sentence(
        "There is a quota for “{attribute}”, which is not among the quasi-identifiers.",
        "Remove the quota, or make the column a quasi-identifier.",
    ),
    "quotas_too_many": Sentence(
        "The quotas would be more than all searches: at most {left} is left for "
        "“{attribute}”.",
        "Give a smaller share, or take another quota back first.",
    ),
    "people_attribute_missing": Sentence(
        "The population does not say anything about “{attribute}”.",
        "Add a table that counts people by it, or leave the attribute out.",
    ),
    "people_attribute_twice": Sentence(
        "Several tables of the population count people by “{attribute}”.",
        "Keep one of them: each attribute may stand in one table only.",
    ),
    "value_outside_domain": Sentence(
        "{n_records:record has a value|records have values} of “{attribute}” "
        "outside the values to choose from.",
        "Add these values to the domain.",
    ),
    "population_negative": Sentence(
        "The population has negative numbers of people in {n_cells:cell|cells}.",
        "Correct the file of the population.",
    ),
    "discovery_gamma": Sentence(
        "The exponent γ must be a number above 0; it is {found}.",
        "Set it to 1, unless you have reasons for another one.",
    ),
    "discovery_domain_too_large": Sentence(
        "The values of the {n_attributes:quasi-identifier|quasi-identifiers} have "
        "more combinations than can be counted.",
        "Leave some quasi-identifiers out, or recode some to fewer values first.",
    ),
    "discovery_population_too_large": Sentence(
        "The tables of the population have more than {limit} cells together.",
        "Recode an attribute with many values first, or leave one out.",
    ),
    "discovery_threshold": Sentence(
        "The highest acceptable risk must be a number above 0; it is {found}.",
        "Take it from a rule such as Safe Harbor, or type another number.",
    ),
    "discovery_iterations": Sentence(
        "The number of policies to look for must be at least 1; it is {found}.",
        "Type a larger number.",
    ),
    "discovery_w1_scale": Sentence(
        "“{found}” is no scale for the weights of the attributes.",
        "Choose “max” or “sum”.",
    ),
    "no_acceptable_policy": Sentence(
        "No policy is acceptable: even the most general one has a risk of {least}, "
        "and {threshold} is allowed.",
        "Allow a higher risk, or insist on fewer values.",
    ),
    "no_policy_meets_models": Sentence(
        "No policy meets these privacy models without suppressing records: not even "
        "the most general one does.",
        "Ask for less protection, or insist on fewer values.",
    ),
    "discovery_model_not_monotone": Sentence(
        "“{model}” can hold for a policy and not for a more general one, so that this "
        "search would miss policies.",
        "Use the search of all policies for it, or choose another model.",
    ),
    "discovery_too_many_policies": Sentence(
        "The number of policies is 2 to the power of {n_bits}: too many to look at "
        "each (the limit is 2 to the power of {limit}).",
        "Use the bisecting search.",
    ),
    "discovery_budget": Sentence(
        "The number of policies to evaluate must be at least 2; it is {found}.",
        "Type a larger number.",
    ),
    "discovery_element": Sentence(
        "“{found}” is nothing that the Safe Harbor rule knows.",
        "Choose “age”, “zip”, “date” or “other”.",
    ),
    "discovery_element_attribute": Sentence(
        "It is said what “{attribute}” is for the Safe Harbor rule, but it is not "
        "among the quasi-identifiers.",
        "Make it a quasi-identifier, or leave it out.",
    ),
    "discovery_census": Sentence(
        "There is no list of small ZIP areas by the census of {found}.",
        "Choose 2000, 2010 or 2020.",
    ),
    "preference_weight": Sentence(
        "The weight of the preference about “{attribute}” must be a number above 0; it "
        "is {found}.",
        "Give it a weight of 1, or more if it matters more than others.",
    ),
    "preference_unknown_value": Sentence(
        "The preference about “{attribute}” names {n_unknown:value that "
        "does|values that do} not occur.",
        "Choose among the values shown.",
    ),
    "discovery_baseline_missing": Sentence(
        "It is not decided yet what an alternative may be no riskier than.",
        "Take the Safe Harbor rule, another policy, a number or the privacy models.",
    ),
    "discovery_element_missing": Sentence(
        "It is not said what “{attribute}” is for the Safe Harbor rule.",
        "Choose age, ZIP code, date, or something that the rule keeps, on the page "
        "Policies.",
        "In a project file: discover.elements (kind age, zip, date or other).",
    ),
    "discovery_baseline_rounds": Sentence(
        "A policy of several rounds, or with suppressed cells, cannot be what others "
        "are measured by.",
        "Choose a policy that releases all records in one way.",
    ),
    "chosen_policy_does_not_fit": Sentence(
        "The chosen policy was found for other values: the data, a hierarchy or the "
        "population has changed since.",
        "Find alternatives again and choose one of them on the page Policies.",
        "On the command line: “deidgui search PROJECT --json” lists what to put under "
        "chosen.",
    ),
    "preference_not_numbers": Sentence(
        "The preference about “{attribute}” names a range, but its values are not "
        "numbers in order.",
        "Choose the values themselves.",
    ),
    "preference_without_value": Sentence(
        "No value of “{attribute}” is in the range that is preferred for.",
        "Choose a wider range, or remove the preference.",
    ),
    "preferences_too_risky": Sentence(
        "No policy can keep all required values: the lowest possible risk is {least}, "
        "the limit is {threshold}.",
        "Require fewer values, or use preferences only to order the policies.",
    ),
    "discovery_threshold_low": Sentence(
        "No policy is acceptable: even the one that joins everything has a risk of "
        "{least}, and {threshold} is allowed.",
        "Allow a higher risk, or leave a quasi-identifier out of the release.",
    ),
    "discovery_preferences_too_risky": Sentence(
        "No policy can keep all required values: the lowest possible risk is {least}, "
        "the limit is {threshold}.",
        "Require fewer values.",
    ),
    "discovery_model_of_process": Sentence(
        "{model} holds for one policy that was decided without looking at the data; a "
        "search for alternatives looks at them.",
        "Choose another baseline, or remove this model in the Risk step.",
    ),
    "discovery_elements_doubtful": Sentence(
        "{n_attributes:column looks like an age, a ZIP code or a date but "
        "is|columns look like ages, ZIP codes or dates but are} classified as "
        "something else, so Safe Harbor's true risk may be lower than shown.",
        "Check the classification of each column. A release states this doubt.",
    ),
    "discovery_levels_raised": Sentence(
        "The limits of the hierarchies forbid the finest values of "
        "{n_attributes:attribute|attributes}: alternatives join groups of the "
        "lowest level that is allowed.",
        "Widen the limits in the Hierarchies step if finer values may be released.",
    ),
    "discovery_rule_changes_nothing": Sentence(
        "The rule changes nothing in this file: the data as they are already keep it.",
        "If the highest age stands for one age only and not for all above, say so "
        "where the values are matched with the population; or choose another rule.",
    ),
    "discovery_threshold_high": Sentence(
        "Every policy is acceptable: even the most specific one has a risk of {raw}, "
        "and {threshold} is allowed.",
        "Release the values as they are, or allow less risk.",
    ),
    "discovery_baseline_suppresses": Sentence(
        "The policy to compare with suppresses {n_records:record|records}; they "
        "count as not linked. Alternatives suppress none."
    ),
    "discovery_population_none": Sentence(
        "No population is given: the records of this file are taken for all people "
        "there are, and each group counts only its records.",
        "Choose a population to see the risk among people outside of the file.",
    ),
    "discovery_population_scaled": Sentence(
        "The people are estimated: each group is taken to be {share} of the people "
        "with its values."
    ),
    "discovery_population_short": Sentence(
        "For {n_cells:combination|combinations} of values "
        "({n_records:record|records}) the population has fewer people than there "
        "are records."
    ),
    "discovery_records_left_out": Sentence(
        "{n_left_out} of {n_records:record|records} have values that nobody in the "
        "population has. They are left out of the comparison: of the baseline's "
        "risk and of that of each policy.",
        "Missing values can be counted among all people that they could be: let them "
        "match anything, on the page Risk.",
    ),
    "discovery_records_possible": Sentence(
        "{n_possible} of {n_records:record|records} have missing values that "
        "nobody in the population has. They are counted among all people that they "
        "could be, as you decided on the page Risk."
    ),
    "discovery_both_sums": Sentence(
        "The baseline's risk is {counted} over the records that are compared, and "
        "{cautious} over all records, if each group without enough people is "
        "counted as its own population. The first one is the limit."
    ),
    "no_record_has_people": Sentence(
        "Nobody in the population has the values of any of the "
        "{n_records:record|records}.",
        "Match the values to the population again, or choose another population.",
    ),
    "compare_count": Sentence(
        "{found:policy|policies} cannot be put side by side.",
        "Choose {fewest} to {most} of them.",
    ),
    "compare_no_rule": Sentence(
        "There is no rule to compare with: the risk that is allowed was typed, or the "
        "privacy models decide.",
        "Compare alternatives with each other.",
    ),
}
