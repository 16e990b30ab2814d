"""Names and telephone numbers inside texts."""

import numpy as np
import pytest

from deidgui.engine.data.table import Column
from deidgui.engine.detect.columns import finding_of
from deidgui.engine.detect.profile import ColumnProfile
from deidgui.engine.detect.roles import Band, Role, Treatment

WORDS = ("pain", "stable", "left", "since", "week", "drug", "changed", "no", "fever")


def texts(insert, n=200, share=0.1):
    rng = np.random.default_rng(1)
    found = []
    for k in range(n):
        words = [WORDS[i] for i in rng.integers(0, len(WORDS), 4 + k % 3)] + [str(k)]
        if insert and k < share * n:
            words.insert(2, insert(k))
        found.append(" ".join(words))
    return found


def finding(name, values, languages=frozenset()):
    column = Column.from_texts(name, values)
    return finding_of(ColumnProfile(column, "text", languages=languages))


@pytest.mark.parametrize(
    ("insert", "languages"),
    [
        (lambda k: f"Dr. Zq{'abcdefgh'[k % 8]}n", ""),
        (lambda k: f"Frau Zq{'abcdefgh'[k % 8]}n", "de"),
        (lambda k: "Maria Garcia", ""),
        (lambda k: f"call (615) 3{10 + k % 80}-{1000 + k}", ""),
        (lambda k: f"Tel 030 9018{1000 + k}", "de"),
        (lambda k: f"x{k}@example.org", ""),
    ],
)
@pytest.mark.parametrize("name", ["zzz", "complaint"])
def test_identifiers_in_texts_make_the_column_one(insert, languages, name):
    found = finding(name, texts(insert), frozenset(languages.split()))
    assert found.role is Role.DIRECT_IDENTIFIER
    assert found.treatment is Treatment.REMOVE
    assert found.band in (Band.PROBABLE, Band.CERTAIN)
    assert found.reasons[0].code in ("because_told_in_texts", "because_free_text")


def test_texts_without_persons_stay_what_their_name_says():
    assert finding("complaint", texts(None)).role is Role.SENSITIVE


def test_a_single_name_is_no_evidence():
    found = finding("complaint", texts(lambda k: "Maria Garcia", share=0.005))
    assert found.role is Role.SENSITIVE


def test_diseases_that_are_called_after_people():
    names = ["Parkinson disease", "Crohn disease of colon", "Hodgkin lymphoma nos",
             "Alzheimer disease early", "Graves disease treated"]  # fmt: skip
    values = [f"{names[k % 5]} stage {k}" for k in range(100)]
    assert finding("diagnosis", values).role is Role.SENSITIVE
