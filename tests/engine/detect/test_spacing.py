"""Names without separators fall into the words they are made of."""

import pytest

from deidgui.engine.detect.spacing import known_words, spaced_name


@pytest.mark.parametrize(
    ("name", "spaced"),
    [
        ("hospitaldischargestatus", "hospital discharge status"),
        ("patientunitstayid", "patient unit stay id"),
        ("UNITADMITSOURCE", "unit admit source"),
        ("x_hospitaladmitsource", "x_hospital admit source"),
        ("dateofbirth", "dateofbirth"),  # "of" is too short to be split off
        ("discharge", "discharge"),
        ("percentage", "percentage"),  # no "age" in it
        ("management", "management"),
        ("message", "message"),
        ("sexratio", "sexratio"),
        ("hospitalxyz", "hospitalxyz"),
    ],
)
def test_spaced_names(name, spaced):
    assert spaced_name(name) == spaced


def test_known_words_are_words():
    assert all(len(word) >= 3 and word == word.lower() for word in known_words())
    assert {"discharge", "dischg", "hospital"} <= known_words()
