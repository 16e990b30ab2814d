"""What charts say: codes with parameters, and the sentence of each code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from deidgui.app.charts.formats import number_text
from deidgui.text import Text, share_text, tr


@dataclass(frozen=True)
class Phrase:
    """A text of a chart, to be worded in the language of the window.

    Parameters
    ----------
    code : str
        Key of `PHRASES`.
    params : mapping of str to int, float or str
        Whole numbers are counts; floats whose name ends in ``share`` are shown in
        per cent. They may hold labels of the data, so a repr leaves them out.
    """

    code: str
    params: Mapping[str, int | float | str] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        assert self.code in PHRASES, self.code

    def text(self) -> str:
        """Sentence with its parameters filled in."""
        shown = {name: _shown(name, value) for name, value in self.params.items()}
        return tr(PHRASES[self.code], **shown)


def plain(text: str) -> Phrase:
    """Phrase that is a name of the data or of the user, the same in any language."""
    return Phrase("plain", {"text": text})


def _shown(name: str, value: float | str) -> object:
    if isinstance(value, str | int):
        return value
    return share_text(value) if name.endswith("share") else number_text(value)


PHRASES: Mapping[str, Text] = {
    "plain": "{text}",
    "before": "Before",
    "release": "Release",
    "other": "{n:other value|other values}",
    "records": "Records",
    "rows": "Rows",
    "no_records": "Nothing is left in the release.",
    "nothing_yet": "There is nothing to show yet.",
    # Class sizes
    "class_sizes": "Records by the size of their class",
    "class_size": "Records that share all quasi-identifiers",
    "class_minimum": "k = {k}",
    "class_sizes_input": (
        "{n_alone} of {n_records:record|records} ({alone_share}) are alone: nobody "
        "else in the file shares their values."
    ),
    "class_sizes_both": (
        "Alone with their values: {before_share} of the records before, "
        "{after_share} in the release, where every record shares its values with at "
        "least {n_others:other|others}."
    ),
    "class_sizes_alone": (
        "Alone with their values: {before_share} of the records before, "
        "{after_share} ({n_alone:record|records}) in the release."
    ),
    "people": "People",
    "no_records_of_people": "Nobody is left in the release.",
    "class_sizes_of_people": "People by the size of their class",
    "class_size_of_people": "People who share all quasi-identifiers",
    "class_sizes_input_of_people": (
        "{n_alone} of {n_records:person|people} ({alone_share}) are alone: nobody else "
        "in the file shares their values."
    ),
    "class_sizes_both_of_people": (
        "Alone with their values: {before_share} of the people before, {after_share} "
        "in the release, where everybody shares their values with at least "
        "{n_others:other|others}."
    ),
    "class_sizes_alone_of_people": (
        "Alone with their values: {before_share} of the people before, {after_share} "
        "({n_alone:person|people}) in the release."
    ),
    # Beside a baseline
    "beside_baseline": "Risk beside {baseline}",
    "expected_links": "Expected correct links",
    "risk_sum": "Sum of 1/g^γ",
    "table_of_people": "Table",
    "beside_lower": (
        "Of all links that somebody makes, {risk} are expected to be right in the "
        "release and {baseline_risk} under {baseline}; the people are {basis}."
    ),
    "beside_sum": (
        "The release has a risk of {risk}, {baseline} one of {baseline_risk}; the "
        "people are {basis}."
    ),
    # Cumulative risk
    "cumulative_risk": "Records up to a risk",
    "risk_limit": "Risk of re-identification",
    "share_up_to": "Share of records with at most this risk",
    "threshold": "threshold {threshold_share}",
    "risk_above": (
        "Above the threshold of {threshold_share}: {before_share} of the records "
        "before, {after_share} in the release."
    ),
    "risk_above_input": (
        "Above the threshold of {threshold_share}: {n_above:record|records} "
        "({above_share})."
    ),
    "risk_highest": (
        "The highest risk of a record is {before_share} before and {after_share} in "
        "the release."
    ),
    "risk_highest_input": "The highest risk of a record is {highest_share}.",
    "cumulative_risk_of_people": "People up to a risk",
    "share_up_to_of_people": "Share of people with at most this risk",
    "risk_above_of_people": (
        "Above the threshold of {threshold_share}: {before_share} of the people "
        "before, {after_share} in the release."
    ),
    "risk_above_input_of_people": (
        "Above the threshold of {threshold_share}: {n_above:person|people} "
        "({above_share})."
    ),
    "risk_highest_of_people": (
        "The highest risk of a person is {before_share} before and {after_share} in "
        "the release."
    ),
    "risk_highest_input_of_people": (
        "The highest risk of a person is {highest_share}."
    ),
    # Distributions of a column
    "distribution": "{column}: before and in the release",
    "distribution_input": "{column}",
    "distribution_moved": (
        "{moved_share} of the rows would have to change their value for the "
        "release to show the original distribution."
    ),
    "distribution_equal": "The release shows the original distribution.",
    "distribution_shape": (
        "{n_values:distinct value|distinct values}; the most frequent one covers "
        "{top_share} of the rows."
    ),
    "distribution_range": (
        "{n_values:distinct number|distinct numbers} between {low} and {high}; half "
        "of the rows with a number are at or below {median}."
    ),
    "release_spread": "Release, groups spread evenly",
    # Risk–utility plane
    "plane": "Risk and loss of every policy",
    "loss": "Loss",
    "risk": "Highest risk",
    "people_at_risk": "People at risk, counted, estimated or bounded",
    "average_risk": "Average risk",
    "plane_chosen": (
        "{some}; the chosen one has a loss of {loss} at a risk of {risk_share}."
    ),
    "plane_optimum": (
        "{some}; the best has a loss of {loss} at a risk of {risk_share}."
    ),
    "plane_less": (
        "{some} {n_less:policy that meets them loses|policies that meet them lose} "
        "less."
    ),
    "plane_some": "{some}.",
    "plane_all_meet": (
        "{n_points:policy shown meets|policies shown meet} the thresholds"
    ),
    "plane_some_meet": (
        "{n_feasible} of {n_points:policy|policies} shown meet the thresholds"
    ),
    "plane_none": "None of {n_points:policy|policies} shown meets the thresholds.",
    "lattice_none": "None of {n_nodes:policy|policies} meets the thresholds.",
    "optimum": "best",
    "chosen": "chosen",
    "kept": "kept",
    "minimal": "least general",
    "picked": "OLA's choice",
    "policy": "Policy",
    "meets_models": "Meets the thresholds",
    "meets_not": "Does not meet them",
    "meets_not_drawn": "Does not meet them; drawn whatever the filter",
    "meets_not_known": "Does not meet them, or not measured; drawn whatever the filter",
    "left_out": "Left out by the filter",
    "one_step_more": "One step more than the selected policy",
    "one_step_less": "One step less",
    "frontier": "Best trade-offs: none is better in both",
    "no_policy": "No policy compared meets the thresholds",
    # Search progress
    "progress": "Search",
    "nodes_checked": "Policies examined",
    "best_loss": "Loss of the best so far",
    "progress_best": (
        "After {n_nodes:policy|policies} the best so far has a loss of {loss}."
    ),
    "progress_none": (
        "After {n_nodes:policy|policies} none that meets the thresholds was found yet."
    ),
    "gap": "How much better the best policy can be",
    "gap_share": "At most better by",
    "gap_now": "The best possible policy is at most {gap_share} better.",
    "gap_unknown": "How much better another one can be is not known.",
    "gap_none": "No policy that meets the thresholds was found yet.",
    "gap_proven": "No policy is better.",
    # What-if curves
    "by_limit": "What suppression buys",
    "limit": "Suppression limit, share of the records",
    "limit_of_people": "Suppression limit, share of the people",
    "limit_unchanged": "{limit} (nothing changes above {from_share})",
    "by_limit_none": (
        "With a suppression limit of {limit_share} no policy meets the thresholds."
    ),
    "by_limit_makes": (
        "With a suppression limit of {limit_share} no policy meets the "
        "thresholds; {to_share} would be enough."
    ),
    "by_limit_bound": (
        "With a suppression limit of {limit_share} the best policy has a "
        "loss of at least {loss}."
    ),
    "by_limit_now": (
        "With a suppression limit of {limit_share} the best policy has a "
        "loss of {loss}; more would bring little."
    ),
    "by_limit_gain": (
        "Allowing {to_share} instead of {limit_share} lowers the loss from {loss} to "
        "{to_loss}."
    ),
    "by_limit_halves": (
        "Allowing {to_share} instead of {limit_share} halves the loss, from {loss} to "
        "{to_loss}."
    ),
    "by_k": "What a larger group size costs",
    "k": "Group size k, in records",
    "k_of_people": "Group size k, in people",
    "by_k_none": "With k = {k} no policy meets the thresholds.",
    "by_k_bound": "With k = {k} the best policy has a loss of at least {loss}.",
    "by_k_now": "With k = {k} the best policy has a loss of {loss}.",
    "by_k_cost": (
        "Groups of {to} instead of {k} raise the loss from {loss} to {to_loss}."
    ),
    "by_k_free": "Groups of {to} instead of {k} cost nothing.",
    "by_k_removes": (
        "Groups of {to} instead of {k} lower the loss from {loss} to {to_loss}, but "
        "remove more."
    ),
    "by_k_ends": "Groups of {to} instead of {k}: no policy meets the thresholds.",
    "now_limit": "now {limit_share}",
    "now_k": "now k = {k}",
    "at_least": "At least (not settled)",
    # Loss by column
    "column": "Column",
    "by_column": "{measure} by column",
    "by_column_same_share": "The same for all columns: {most_share}.",
    "by_column_same_number": "The same for all columns: {highest}.",
    "by_column_share": (
        "Most is lost of {most} ({most_share}), least of {least} ({least_share})."
    ),
    "by_column_number": (
        "Most is lost of {most} ({highest}), least of {least} ({lowest})."
    ),
    # Cross tables and associations
    "cross_table": "{rows} by {columns}",
    "cross_sentence": (
        "{n_filled:combination of values occurs|combinations of values occur}; "
        "strength of the association {strength} (0 none, 1 complete)."
    ),
    "cross_compared": (
        "Strength of the association: {before} before, {after} in the release "
        "(0 none, 1 complete)."
    ),
    "associations": "How strongly columns go together",
    "associations_sentence": (
        "Strongest: {first} and {second} with {strength} (0 none, 1 complete)."
    ),
    "associations_changed": (
        "Changed most by the release: {first} and {second}, from {before} to {after} "
        "(0 none, 1 complete)."
    ),
    "association": "Association",
    "one_value": "{name} (one value)",
    # Lattice
    "lattice": "All policies, by how much they generalize",
    "lattice_sentence": (
        "{n_feasible} of {n_nodes:policy|policies} meet the thresholds. Detail "
        "decreases upwards."
    ),
    "lattice_of_some": (
        "{n_feasible} of {n_nodes:measured policy|measured policies} meet the "
        "thresholds ({n_others} not measured). Detail decreases upwards."
    ),
    "level_sum": "Steps of generalization",
    "level_of": "Level of {column}",
    # The experiment
    "bps": "BPS",
    "directed_search": "Directed search",
    "iterations": "Iterations",
    "milliseconds": "Milliseconds",
    "all_milliseconds": "Milliseconds so far",
    "all_evaluations": "Policies looked at so far",
    "non_dominated": "Non-dominated policies",
    "log_trend": "Logarithmic trend of BPS",
    "experiment_time": "Time of all iterations",
    "experiment_time_sentence": (
        "{n:iteration takes|iterations take} {bps} ms with BPS and {directed} ms with "
        "directed search: {ratio} times as long."
    ),
    "experiment_each": "Time of each iteration",
    "experiment_each_sentence": (
        "An iteration takes {bps} ms with BPS and {directed} ms with directed search, "
        "on average."
    ),
    "experiment_trend": "Does BPS become faster?",
    "experiment_trend_sentence": (
        "A logarithmic trend explains {fit_share} of how the time of an iteration "
        "varies: remembering earlier policies helps hardly, or not at all, if this is "
        "little."
    ),
    "experiment_found": "Policies that no other one betters",
    "experiment_found_sentence": (
        "Of the first {n:policy|policies} found, {bps} of BPS and {directed} of "
        "directed search are non-dominated: no other one found keeps more values apart."
    ),
    "experiment_looked": "Policies looked at",
    "experiment_looked_sentence": (
        "For {n:policy|policies} BPS looks at {bps} and directed search at {directed}: "
        "{ratio} times as many."
    ),
    # Samples
    "samples": "Risk by the size of the sample",
    "samples_data": "The data as they are",
    "samples_fraction": "Sampling fraction",
    "samples_risk": "Risk",
    "samples_highest": "{of}, highest",
    "highest": "highest risk (dotted)",
    "samples_threshold": "limit of the average",
    "samples_now": "chosen",
    "samples_sentence": (
        "Without sampling the average risk is {whole_share}, with a sample of "
        "{half_share} it is {at_half_share}. 95\u202f% of the samples lie in the bands."
    ),
    # Alternatives to a rule
    "alternatives": "Risk and loss of the alternatives",
    "loss_of_most": "Loss (share of removing everything)",
    "links": "Expected correct links",
    "links_gamma": "Sum of 1 / g^γ over the records",
    "allowed_risk": "allowed: {threshold}",
    "rule_safe_harbor": "Safe Harbor",
    "rule_policy": "policy to compare with",
    "alternatives_none": "No alternative has been found yet.",
    "alternatives_some": (
        "{n_alternatives:alternative is|alternatives are} acceptable under the rule."
    ),
    "alternatives_better": (
        "{n_alternatives:alternative is|alternatives are} no riskier than the rule; "
        "{n_better} of them also lose no more information than it does."
    ),
    # Simulated attacks
    "attacks": "Successful attacks",
    "attack": "Known to the attacker",
    "attack_success": "Share of attacks that find the right person",
    "interval": "Interval of 95\u202f%",
    "interval_words": "95\u202f% interval: {low} to {high}",
    "interval_low": "95\u202f% interval from",
    "interval_high": "to",
    "attacks_threshold": "threshold {threshold_share}",
    "attacks_none": "No attack has been simulated yet.",
    "attacks_most": "The most successful attack finds {most_share} of the people.",
    "attacks_below": (
        "No attack finds more people than the threshold of {threshold_share}; the "
        "most successful one finds {most_share}."
    ),
    "attacks_above": (
        "{n_above:attack finds|attacks find} more people than the threshold of "
        "{threshold_share}; the most successful one finds {most_share}."
    ),
    # Counts with noise
    "noise_spread": "What noise adds to a count",
    "noise_value": "Added to the count",
    "noise_chance": "Chance",
    "noise_spread_says": (
        "With a chance of 95\u202f% a count is off by at most {reach}; the standard "
        "deviation is {sd}."
    ),
    "repeats": "Averaging attack",
    "repeats_axis": "Repeats of the same question",
    "repeats_allowed": "allowed",
    "attacks_simulated": "Simulated",
    "attacks_exact": "Computed exactly",
    "attacks_share": "Share of attackers",
    "attacks_say": (
        "In {runs} simulated attacks {mean} repeats are needed on average (standard "
        "error {error}); computed exactly, {exact}. Half of the attackers need at most "
        "{median}."
    ),
    "attacks_allowed": (
        "In {runs} simulated attacks {mean} repeats are needed on average (standard "
        "error {error}); computed exactly, {exact}. After the {allowed:repeat|repeats} "
        "that are allowed, {known_share} have the count."
    ),
    "sites_here": "your network",
    "sigma_chart": "Repeats by the noise",
    "sigma_axis": "Standard deviation of the noise (σ)",
    "repeats_mean": "Average repeats",
    "repeats_wanted": "wanted",
    "sigma_says": "The more noise, the more repeats an averaging attack takes.",
    "sigma_enough": "For {wanted} repeats on average, σ = {sigma} is enough.",
    "sigma_none": "No σ shown here makes an attacker need {wanted} repeats.",
    "threshold_or_noise": "Threshold or noise",
    "network_sites": "Sites",
    "network_sum": "Sum over the sites",
    "network_noise": "Noise of the sum",
    "network_always": (
        "With an average count of {average} for each site, the sum is never smaller "
        "than its noise (σ = {sigma}): noise is better."
    ),
    "network_from": (
        "With an average count of {average} for each site and σ = {sigma}, noise is "
        "better from {sites:site|sites} on; with fewer a threshold is."
    ),
    "lost": "What a threshold hides",
    "lost_size": "Largest count of the site",
    "lost_share": "Share that is hidden",
    "lost_says": (
        "A threshold of {threshold} hides {lost_share} of all counts of "
        "{n:site|sites}. A site of the smaller half loses {small_share} on average, "
        "one of the larger half {large_share}."
    ),
}
