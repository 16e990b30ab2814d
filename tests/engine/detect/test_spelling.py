"""Values that differ in their spelling only, counted by hand."""

import pytest

from deidgui.engine.data.table import Column
from deidgui.engine.detect.columns import detect_columns
from deidgui.engine.detect.spelling import spelling_of_key, spelling_of_values
from tests.engine.detect.hospital import guessed_types, table_of


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (
            ["MRN-1001", "mrn 1001", "MRN1001", "MRN-1002", "", "MRN-1003"],
            {"n_values": 5, "n_alike": 3},
        ),
        (
            ["0012", "12", " 12", "12.0", "0", "00", "120"],
            {"n_values": 7, "n_alike": 3},
        ),
        (["1001.0", "1002.0", "1003.0", "1003.5"], {}),
        (["a", "b", ""], {}),
    ],
)
def test_keys(texts, expected):
    found = spelling_of_key(Column.from_texts("mrn", texts))
    assert found == expected


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["HIV", "hiv ", "H IV", "flu", "", "Flu"], {"n_values": 5, "n_alike": 2}),
        (["+", "++", "-", "0", "00", "1", "01"], {}),
        (["I10", "I10.0", "I-10"], {}),
    ],
)
def test_values(texts, expected):
    found = spelling_of_values(Column.from_texts("result", texts))
    assert found == expected


def test_a_sensitive_column_in_several_spellings_says_so():
    texts = ["Positive", "positive", "POSITIVE ", "negative"] * 30
    table = table_of({"hiv_result": texts, "sex": ["F", "f", "M", "m"] * 30})
    found = {f.column: f.reasons for f in detect_columns(table, guessed_types(table))}
    (told,) = [r for r in found["hiv_result"] if r.code == "evidence_spelling"]
    assert told.params == {"n_values": 4, "n_alike": 2}
    assert not any(r.code == "evidence_spelling" for r in found["sex"])
