"""Names without separators fall into the words they are made of."""

import pytest

from deidgui.engine.detect import name_reading
from deidgui.engine.detect.name_reading import known_words, spaced_name


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


class Counted(frozenset):
    """Words that count how often they are asked for."""

    asked = 0

    def __contains__(self, word):
        type(self).asked += 1
        return super().__contains__(word)


def test_the_work_grows_with_the_length_of_a_name(monkeypatch):
    """16,000 letters took minutes, in which no signal was heard."""
    words = Counted(known_words())
    monkeypatch.setattr(name_reading, "known_words", lambda: words)
    longest = max(map(len, words))
    for name in ("x" * 16_000, "patientid" * 1_800):
        Counted.asked = 0
        spaced = spaced_name(name)
        assert spaced.replace(" ", "") == name
        assert Counted.asked <= (longest + 2) * len(name)
