"""What column names say."""

import functools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidgui.engine.detect.column_names import (
    ORDINARY,
    ColumnName,
    NearIndex,
    best_match,
    cues,
    differs_at_most,
    is_unnamed,
    tokens_of,
)
from deidgui.engine.detect.detectors import DETECTORS
from deidgui.engine.detect.evidence import name_matches


@pytest.mark.parametrize(
    ("name", "tokens"),
    [
        ("patient_email", ("patient", "email")),
        ("dischargeDt_2", ("discharge", "date")),
        ("BENE_BIRTH_DT", ("beneficiary", "birth", "date")),
        ("dx01", ("diagnosis",)),
        ("Mother's maiden-name", ("mother", "maiden", "name")),
        ("MRNumber", ("mr", "number")),
        ("Straße/Größe", ("strasse", "grosse")),
        ("", ()),
    ],
)
def test_tokens(name, tokens):
    assert tokens_of(name) == tokens


@pytest.mark.parametrize(
    ("name", "score"),
    [
        ("email", 1.0),
        ("E-Mail", 1.0),
        ("EMAIL_2", 1.0),
        ("patient_email", 0.9),
        ("workEmail", 0.9),
        ("snail", 0.0),
    ],
)
def test_scores_of_a_cue(name, score):
    assert best_match(ColumnName(name), cues("email", "e mail")).score == score


def test_misspelt_names():
    known = NearIndex([cues("telephone", "email", "ip", "age", "tel")], [()])

    def score(name):
        (match,) = known.matches(ColumnName(name))
        return match.score

    assert score("telehone") == 0.75  # one letter
    assert score("telefone") == 0.75  # two letters
    assert score("emall") == 0.75
    assert score("telfn") == 0
    # Cues of fewer than four letters are never guessed at (methods G.2).
    for near in ("page", "ape", "up", "tea", ""):
        assert score(near) == 0


def _compared_with_all(name, whole, short):
    """What `NearIndex` finds, by trying every cue of every detector."""
    for of_detector, affixes in zip(whole, short, strict=True):
        near = [cue for cue in of_detector if cue.is_misspelt(name)]
        hints = [
            cue
            for token in sorted(name.raw_tokens - ORDINARY)
            for cue in affixes
            if 0 < len(token) - len(cue.joined) <= 3
            and (token.startswith(cue.joined) or token.endswith(cue.joined))
        ]
        if near:
            yield 0.75, near[0]
        else:
            yield (0.5, hints[0]) if hints else (0.0, None)


LETTERS = st.text("abcdeé_ ", max_size=9)


@given(st.lists(st.lists(LETTERS, max_size=5), min_size=1, max_size=3), LETTERS)
def test_the_index_finds_what_comparing_all_cues_finds(known, text):
    whole = [cues(*of_detector) for of_detector in known]
    short = [tuple(c for c in each if 1 <= len(c.joined) < 5) for each in whole]
    name = ColumnName(text)
    found = [(m.score, m.cue) for m in NearIndex(whole, short).matches(name)]
    assert found == list(_compared_with_all(name, whole, short))


def _levenshtein(left, right):
    @functools.cache
    def distance(i, j):
        if i == 0 or j == 0:
            return i + j
        return min(
            distance(i - 1, j) + 1,
            distance(i, j - 1) + 1,
            distance(i - 1, j - 1) + (left[i - 1] != right[j - 1]),
        )

    return distance(len(left), len(right))


@given(st.text("abc", max_size=8), st.text("abc", max_size=8), st.integers(0, 3))
def test_distance_is_levenshtein(left, right, limit):
    assert differs_at_most(left, right, limit) is (_levenshtein(left, right) <= limit)


@pytest.mark.parametrize(
    "name", ["drug name", "lab_code", "DiagnosisCode", "procedure name", "device type",
             "state of health", "page", "dosage", "language"],
)  # fmt: skip
def test_stop_cues_leave_no_identifier(name):
    matches = name_matches(ColumnName(name))
    for detector, match in zip(DETECTORS, matches, strict=True):
        assert detector.identifier is None or match.score <= 0.2, detector.title


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("email address", "e-mail address"),
        ("ip_address", "IP address"),
        ("zip code", "ZIP code"),
        ("license plate", "vehicle number or license plate"),
        ("patient id", "medical record, patient or encounter number"),
        ("hospital_name", "place of care"),
        ("admission date", "date"),
        ("admission type", "kind or source of the admission"),
        ("age_unit", "unit of the age, or newborn"),
        ("date of birth", "date of birth"),
    ],
)
def test_the_longer_cue_wins(name, title):
    matches = name_matches(ColumnName(name))
    strong = {d.title for d, m in zip(DETECTORS, matches, strict=True) if m.score > 0.2}
    assert strong == {title}


@pytest.mark.parametrize(
    ("name", "unnamed"),
    [("column 3", True), ("V12", True), ("", True), ("7", True), ("field_2", True),
     ("age", False), ("column age", False), ("valid", False)],
)  # fmt: skip
def test_names_that_are_only_places(name, unnamed):
    assert is_unnamed(name) is unnamed
