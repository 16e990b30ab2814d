"""Sentences about roles: why a column has the one that is proposed."""

from deidgui.app.text.base import Sentence

SENTENCES: dict[str, Sentence] = {
    "because_names_person": Sentence(
        "It is a direct identifier ({kind}): it points to one person without any "
        "other column.",
        "Leave it out, or replace it by a pseudonym if rows must stay linked.",
    ),
    "because_free_text": Sentence(
        "It holds free text, in which names, dates and numbers may stand.",
        "Leave it out; nobody can rule out every identifier in free text.",
    ),
    "because_told_in_texts": Sentence(
        "Its texts point to persons: {n_hits} of {n_values:text|texts} looked at "
        "contain {rule}.",
        "Leave it out; nobody can rule out every identifier in free text.",
    ),
    "because_place": Sentence(
        "It is a place smaller than a state ({kind}), which many people know.",
        "It is made coarser; Safe Harbor keeps at most three digits of a ZIP code.",
    ),
    "because_place_state": Sentence(
        "It says where somebody lives or was treated ({kind}), which many people know; "
        "places as large as a state are no Safe Harbor identifiers.",
    ),
    "because_known": Sentence(
        "It is known to neighbours, colleagues or public registers ({kind}).",
    ),
    "because_birth": Sentence(
        "It is a {kind}: known to many, in public registers, and one of the most "
        "telling columns together with sex and ZIP code.",
        "It is made coarser; Safe Harbor keeps the year, and puts everybody over 89 "
        "into one group.",
    ),
    "because_date": Sentence(
        "People who know the patient know when it happened ({kind}).",
        "It is made coarser; Safe Harbor keeps the year only.",
    ),
    "because_year": Sentence(
        "People who know the patient know it ({kind}).",
    ),
    "because_age": Sentence(
        "It is an age or belongs to one ({kind}), which many people know.",
        "It is made coarser; Safe Harbor puts ages over 89 into one group.",
    ),
    "because_length_of_stay": Sentence(
        "Family, neighbours and colleagues know how long somebody was in hospital.",
    ),
    "because_stay": Sentence(
        "It describes how the stay began ({kind}), which people close to the patient "
        "know.",
    ),
    "because_facility": Sentence(
        "It describes the place of care: people know where somebody was treated, and "
        "it shows the region.",
    ),
    "because_diagnosis": Sentence(
        "It is a {kind}: harmful if it becomes known about somebody.",
        "Rare diagnoses also give a person away: make the column a quasi-identifier "
        "if an attacker may know diagnoses.",
    ),
    "because_sensitive": Sentence(
        "It is something people keep to themselves ({kind}), and outsiders seldom "
        "know it.",
    ),
    "because_specialty": Sentence(
        "A medical specialty shows what kind of illness somebody has.",
    ),
    "because_payor": Sentence(
        "The kind of insurance shows income, age group and disability.",
    ),
    "because_money": Sentence(
        "It is an amount of money: private, and exact amounts can be compared with "
        "bills.",
    ),
    "because_count": Sentence(
        "It counts services: outsiders do not know it and it does little harm.",
    ),
    "because_sampling_weight": Sentence(
        "It is a weight from a survey's design, not something about the person.",
    ),
    "because_housekeeping": Sentence(
        "It serves record keeping and says nothing about the person.",
    ),
    "because_id_like": Sentence(
        "Nearly every row has a value of its own ({n_values} in "
        "{n_records:row|rows}), built like a number that was given out.",
        "If it is a measurement, change the role.",
    ),
    "because_contradicted": Sentence(
        "Its name is one used for: {kind}; but its values are not what one expects of "
        "it.",
        "Only you know whether outsiders can know it: its role is yours to choose.",
    ),
    "because_maybe_age": Sentence(
        "The column has no name; its whole numbers spread as ages do.",
        "Look at it: if these are no ages, change the role.",
    ),
    "because_singles_out": Sentence(
        "Its words single people out: a value that no other row has stands in "
        "{n_unique} of {n_records:row|rows}.",
        "Look at it: if outsiders cannot know these words, change the role.",
    ),
    "because_twin": Sentence(
        "It says the same as the column “{other}” in other words, so it has the same "
        "role.",
    ),
    "because_constant": Sentence(
        "Every row has the same value: it tells nobody apart.",
    ),
    "because_empty": Sentence("No row has a value."),
    "because_no_evidence": Sentence(
        "Neither its name nor its values say what it is.",
        "Only you know whether outsiders can know it: its role is yours to choose.",
    ),
    "because_nearly_unique": Sentence(
        "Its name is harmless, but a value that no other row has stands in "
        "{n_unique} of {n_records:row|rows}.",
        "Whoever holds another copy of it can link the two: its role is yours to "
        "choose.",
    ),
    "key_named_person": Sentence("Its name is one used for a person's number."),
    "key_named_event": Sentence(
        "Its name is one used for the number of a stay, visit or sample; a person may "
        "have several.",
    ),
    "key_named_record": Sentence("Its name is one used for a number or code."),
    "key_personal_number": Sentence(
        "It is a number that is given to one person (insurance or national number).",
    ),
    "key_unique": Sentence(
        "Each of its {n_values:value|values} stands in one row only."
    ),
    "key_repeats": Sentence(
        "{n_values:value stands|values stand} in {n_records:row|rows}, one "
        "of them in {most}.",
    ),
    "key_constant": Sentence(
        "All rows of a value agree in: {columns}.",
    ),
    "key_varies": Sentence(
        "For {n_varying:value|values} of it, the rows differ in “{column}”.",
    ),
    "key_spelling": Sentence(
        "Without capitals, blanks, punctuation and zeros in front its "
        "{n_values:value|values} are {n_alike}: if they are spellings of the same "
        "numbers, one person counts as several people, and the risk is understated.",
        "Correct the spelling in the source first.",
    ),
    "country_language": Sentence("The columns are named in its language."),
    "country_numbers": Sentence(
        "The numbers of “{column}” have the check digits of this country.",
    ),
    "country_postcodes": Sentence("“{column}” holds postal codes of this country."),
    "country_states": Sentence("“{column}” holds states of this country."),
    "country_telephones": Sentence(
        "The telephone numbers of “{column}” have its prefix."
    ),
    "country_money": Sentence("The amounts of “{column}” are in its currency."),
    "evidence_name": Sentence("Its name is one used for: {kind}."),
    "evidence_name_misspelt": Sentence(
        "Its name is nearly one used for: {kind} (perhaps a typing error).",
    ),
    "evidence_values": Sentence(
        "{n_hits} of {n_values:different value|different values} look like {rule} "
        "({share} of the rows).",
    ),
    "evidence_column": Sentence("The column as a whole looks like {rule}."),
    "evidence_contains": Sentence(
        "{n_hits} of {n_values:different value|different values} look like {rule} "
        "({share} of the rows); most do not.",
    ),
    "evidence_contradiction": Sentence(
        "But its values are not what one expects of: {kind}.",
    ),
    "evidence_over_89": Sentence(
        "{n_records:row has|rows have} an age over 89, a Safe Harbor identifier.",
    ),
    "evidence_spelling": Sentence(
        "Without capitals and blanks its {n_values:value|values} are {n_alike}: "
        "spellings of the same value would count as different values.",
        "Correct the spelling in the source first.",
    ),
    "evidence_born_long_ago": Sentence(
        "{n_records:row has|rows have} a year of birth that shows an age "
        "over 89 in {year}, the latest year in the table: a Safe Harbor identifier.",
    ),
    "evidence_units": Sentence(
        "“{other}” says in which unit each value is counted. The hierarchy sees the "
        "numbers alone: 5 days and 5 years are both 5 and fall into the same group.",
        "Count all in one unit in the source, such as years with 0 for infants, and "
        "leave “{other}” out. Or make “{other}” a quasi-identifier with level 0 as its "
        "coarsest level in Hierarchies: rows of different units are then never "
        "alike.",
    ),
    "evidence_text_contains": Sentence(
        "{n_hits} of {n_values:text|texts} contain {rule} (Safe Harbor identifier "
        "{number}).",
    ),
    "evidence_nearly_unique": Sentence(
        "Take care: {n_unique} of {n_records:row|rows} have a value that no "
        "other row has; whoever holds another copy of it can link the two.",
        "Round it, group it or leave it out if somebody else may hold it.",
    ),
}
