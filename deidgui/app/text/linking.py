"""Sentences about a table of people and the events that belong to them."""

from deidgui.app.text.base import Sentence

SENTENCES: dict[str, Sentence] = {
    "people_without_key": Sentence(
        "“{file}” has {n_rows:row|rows} without a value of “{attribute}”, so nobody "
        "knows whose events are theirs: line {lines}.",
        "Correct the file, or choose another key.",
    ),
    "people_twice": Sentence(
        "“{file}” must have one row for each person, but in {n_rows:row|rows} "
        "“{attribute}” is not unique ({n_people:key|keys} more than once): line "
        "{lines}.",
        "Remove the duplicates from the file, or choose another key.",
    ),
    "no_event_linked": Sentence(
        "No value of “{attribute}” in “{file}” is in “{other}” of “{other_file}”.",
        "Choose another key. The texts must be equal, leading zeros included.",
    ),
    "link_column_missing": Sentence(
        "“{file}” has no column “{column}” to link it by.",
        "Its columns are: {known}.",
        "If the two files name the key differently, write both: --key COLUMN=COLUMN.",
    ),
    "link_key_missing": Sentence(
        "It is not said by which column “{file}” and “{other}” are linked.",
        "Name it. Candidates: {known}.",
        "On the command line: --key COLUMN, or --key PEOPLE=EVENTS if the names "
        "differ.",
    ),
    "no_link": Sentence(
        "The project has no table of people.",
        "Add the second file on the page Data.",
        "On the command line: deidgui inspect PEOPLE.csv EVENTS.csv --key COLUMN "
        "--project NEW.",
    ),
    "link_file_twice": Sentence(
        "“{file}” has the same content as another of the files that are linked.",
        "Name each file once.",
    ),
    "no_further_events": Sentence(
        "The project has no further table of events.",
        "Only a table that was added to the first one can be removed by itself.",
    ),
    "link_decides_unit": Sentence(
        "The tables are linked by “{attribute}”, so its people are protected.",
        "Remove the table of people on the page Data first.",
    ),
    "link_orphans": Sentence(
        "Events belong to nobody in the table of people: {n_orphans} with a key that "
        "no person has, {n_keyless} without a key.",
        "Decide on the page Data that they are left out, or correct the files.",
    ),
    "link_key_hidden": Sentence(
        "The released tables are linked by “{attribute}”, which is not released as a "
        "pseudonym.",
        "Make it a direct identifier with a keyed pseudonym.",
    ),
    "link_stars": Sentence(
        "Suppressed people of two linked tables cannot stay as rows of *: these would "
        "belong to nobody.",
        "Leave suppressed records out.",
    ),
    "people_without_events": Sentence(
        "{n_people:person has|people have} no event. This is not possible with "
        "{method}.",
        "Use the lattice without it, or leave these people out of the file.",
    ),
}
