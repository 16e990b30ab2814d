"""Types guessed from values, cells that fail them, and texts that mean nothing."""

from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.app.text import fill
from deidgui.app.text.reading import SENTENCES
from deidgui.engine.data import dates, value_types
from deidgui.engine.data.dialect import Dialect, guess_dialect
from deidgui.engine.data.missing import missing_candidates
from deidgui.engine.data.source import open_source
from deidgui.engine.data.table import Column, LineIndex
from deidgui.engine.data.value_types import (
    NUMBER_FORMATS,
    ValueType,
    failing_cells,
    fitting,
    guess_type,
    numbers,
)
from deidgui.errors import ConfigError
from tests.shared import shared
from tests.sources import bytes_source, read_table


def column(*texts, name="x", times=1) -> Column:
    return Column.from_texts(name, list(texts) * times)


def guess(*texts, name="x", times=1):
    found = guess_type(column(*texts, name=name, times=times))
    shown = str(fill(SENTENCES[found.evidence.code], dict(found.evidence.params)))
    assert "‹" not in shown
    return found


ISO = [f"2019-03-{day:02d}" for day in range(1, 29)]


@pytest.mark.parametrize(
    ("texts", "kind", "form"),
    [
        (["1", "22", "-3", "+4"], "integer", ""),
        (["1", "22", "", "?", "NA", "5"], "integer", ""),
        (["2008", "2009", "2010"], "integer", ""),
        (["1.5", "2", "-.25", "1e-3"], "decimal", "."),
        (["1,5", "2", "3,25"], "decimal", ","),
        (["1,234.50", "12", "1,234,567.8"], "decimal", "1,234.5"),
        (["1.234,50", "12", "1.234.567,8"], "decimal", "1.234,5"),
        (["0.250", "0.500"], "decimal", "."),
        (["01234", "99999", "10001"], "text", ""),
        (["90210", "37232", "10001"], "text", ""),
        (["90210", "37232-1234", "10001"], "text", ""),
        (["007", "12", "130"], "text", ""),
        (["250.83", "038", "V27", "401"], "text", ""),
        (["401", "250.1", *(f"{n}" for n in range(10, 90)), "V27"], "text", ""),
        (["a", "b", "c"], "text", ""),
        ([], "text", ""),
        (["", ""], "text", ""),
        (ISO, "date", "YYYY-MM-DD"),
        ([f"{day} 10:3{day[-1]}" for day in ISO], "date", "YYYY-MM-DD"),
        (["20190305", "20200229", "19991231"], "date", "YYYYMMDD"),
        (["20190305", "99991231", "20200101"], "date", "YYYYMMDD"),
        (["2019-03-05", "9999-12-31", "0001-01-01"], "date", "YYYY-MM-DD"),
        (["20190335", "20201329", "19991231"], "integer", ""),
        (["20190305143000", "20200229000000"], "date", "YYYYMMDDhhmmss"),
        (["05-MAR-2019", "7-Apr-2020"], "date", "DD-MON-YYYY"),
        (["Mar 5, 2019", "April 7, 2020"], "date", "Mon D, YYYY"),
        (["03/2019", "12/2020"], "date", "MM/YYYY"),
        (["2019-03", "2020-12"], "date", "YYYY-MM"),
        (["1/13/2019", "2/3/2019"], "date", "M/D/YYYY"),
        (["13/1/2019", "2/3/2019"], "date", "D/M/YYYY"),
        (["3.1.2019", "2.3.2019"], "date", "D.M.YYYY"),
        (["1551744000", "1551744060"], "integer", ""),
        (["43529", "43530"], "text", ""),
        (["M", "F", "M", "F"], "category", ""),
    ],
)
def test_types(texts, kind, form):
    found = guess(*texts)
    assert (found.kind, found.format) == (kind, form)
    assert not found.ambiguous


@pytest.mark.parametrize(
    ("texts", "name", "form"),
    [
        (["1551744000", "1451744060"], "created_ts", "epoch s"),
        (["1551744000000", "1451744060000"], "EventTime", "epoch ms"),
        (["43529", "43530"], "admission date", "Excel serial"),
    ],
)
def test_plain_numbers_are_dates_only_where_the_name_says_so(texts, name, form):
    found = guess(*texts, name=name)
    assert (found.kind, found.format) == ("date", form)
    assert ValueType("integer") in found.alternatives
    assert guess(*texts, name="amount").kind != "date"


@pytest.mark.parametrize(
    ("texts", "candidates"),
    [
        (["1/2/2019", "3/12/2019"], ("M/D/YYYY", "D/M/YYYY")),
        (["1-2-2019", "3-12-2019"], ("M-D-YYYY", "D-M-YYYY")),
        (["1,234", "12,500"], (",", "1,234.5")),
        (["1.234", "12.500"], (".", "1.234,5")),
    ],
)
def test_what_the_values_do_not_decide_is_asked(texts, candidates):
    found = guess(*texts)
    assert found.ambiguous
    assert found.candidates == candidates
    assert found.format == candidates[0]
    for form in candidates:
        assert fitting(column(*texts), ValueType(found.kind, form)).all()


def test_two_digit_years_carry_their_pivot():
    found = guess("1/2/19", "3/13/99")
    assert found.kind == "date"
    assert found.format.startswith("M/D/YY pivot ")
    pair = guess("1/2/19", "3/12/99")
    assert [each.split(" pivot ")[0] for each in pair.candidates] == [
        "M/D/YY",
        "D/M/YY",
    ]


def test_one_value_after_the_twelfth_decides_but_slips_are_listed():
    texts = [f"{month}/{day}/2019" for month in range(1, 13) for day in range(1, 29)]
    found = guess(*texts, "31/12/2019")
    assert (found.format, found.n_failing_values, found.n_failing_rows) == (
        "M/D/YYYY",
        1,
        1,
    )
    assert not found.ambiguous


def test_failing_cells_are_listed_by_line_and_row():
    text = 'id,age\n1,40\n2,"4O"\n\n3,\n4,x\n5,"7\n"\n6,50\n'
    table = read_table(bytes_source("t", text.encode()), Dialect())
    age = table.column("age")
    cells = failing_cells(age, ValueType("integer"), table.lines)
    assert cells == [(3, 1), (6, 3), (7, 4)]
    assert failing_cells(age, ValueType("integer"), table.lines, limit=1) == [(3, 1)]
    assert failing_cells(age, ValueType("text"), table.lines) == []


def test_few_slips_do_not_hide_a_type():
    texts = [str(number) for number in range(100)]
    found = guess(*texts, "abc", "12?")
    assert (found.kind, found.n_failing_values) == ("integer", 2)
    assert guess(*texts, *("abcdefghij"[:n] for n in range(1, 9))).kind == "text"


def test_a_leading_zero_is_found_among_many_values(monkeypatch):
    monkeypatch.setattr(value_types, "_SAMPLE", 50)
    texts = [str(number) for number in range(500, 13_000, 7)]
    assert guess(*texts, "123456").kind == "integer"
    found = guess(*texts, "1000000", "00700")
    assert (found.kind, found.evidence.code) == ("text", "type_leading_zeros")


def test_a_sample_is_held_against_all_values(monkeypatch):
    texts = [str(number) for number in range(1000, 2000)]
    monkeypatch.setattr(value_types, "_SAMPLE", 10)
    strange = [f"x{number}" for number in range(200)]
    assert guess(*texts, *strange).kind == "text"


@settings(deadline=None, max_examples=100)
@given(st.lists(st.floats(-1e6, 1e6).map(lambda x: round(x, 3)), min_size=1))
def test_numbers_in_every_format(values):
    marks = str.maketrans(",.", ".,")
    written = {
        ".": [repr(value) for value in values],
        ",": [repr(value).replace(".", ",") for value in values],
        "1,234.5": [f"{value:,.3f}" for value in values],
        "1.234,5": [f"{value:,.3f}".translate(marks) for value in values],
    }
    assert set(written) == set(NUMBER_FORMATS)
    for form, texts in written.items():
        made = column(*texts)
        found = numbers(made, form)[made.codes]
        assert np.abs(found - values).max() <= 5e-4
        assert fitting(made, ValueType("decimal", form)).all()


@pytest.mark.parametrize("text", ["", "abc", "nan", "inf", "1.2.3", "1 2", "0x1", "٣"])
def test_no_numbers(text):
    for form in NUMBER_FORMATS:
        assert np.isnan(numbers(column(text, "5"), form)[column(text, "5").codes][0])


def test_missing_texts_are_no_numbers():
    made = column("1", "999", "2").with_missing(["999"])
    assert np.isnan(numbers(made)[made.texts().index("999")])


@pytest.mark.parametrize(
    ("kind", "form"),
    [("colour", ""), ("decimal", ""), ("decimal", "x"), ("date", ""), ("date", "%Y")],
)
def test_unknown_types(kind, form):
    with pytest.raises(ConfigError) as caught:
        ValueType(kind, form)
    assert caught.value.code in SENTENCES
    with pytest.raises(ConfigError):
        numbers(column("1"), "x")


# --- missing values -----------------------------------------------------------


def candidates(*texts):
    return {each.token: each.certain for each in missing_candidates(column(*texts))}


def test_unmistakable_words_and_suggestions():
    found = candidates("", "NA", "N/A", "?", ".", "null", " ", "Unknown", "-", "a", "b")
    assert found == {
        **dict.fromkeys(("", "NA", "N/A", "?", ".", "null", " "), True),
        "Unknown": False,
        "-": False,
    }
    listed = missing_candidates(column("?", "?", "not_stated", "a"))
    assert [(each.token, each.n_rows) for each in listed] == [
        ("?", 2),
        ("not_stated", 1),
    ]
    assert [each.token for each in listed if each.certain] == ["?"]


def test_na_may_be_namibia():
    assert candidates("NA", "DE", "US", "FR") == {"NA": False}
    assert candidates("NA", "DE", "high") == {"NA": True}
    assert candidates("NA", "DE") == {"NA": True}
    assert candidates("NA", "?", "NA ", "DE", "US") == {
        "?": True,
        "NA ": True,
        "NA": False,
    }
    listed = missing_candidates(column("NA", "DE", "US", "FR"))
    assert [(each.token, each.certain) for each in listed] == [("NA", False)]


@pytest.mark.parametrize(
    ("texts", "codes"),
    [
        (["1", "2", "3", "-9"], {"-9"}),
        (["20", "45", "70", "999", "99"], {"999"}),
        (["1", "2", "3", "99", "9"], {"99"}),
        (["-20", "-9", "5", "8"], set()),
        (["97", "98", "99", "100"], set()),
        (["a", "b", "c", "999"], set()),
        (["1.5", "2.5", "3.5", "-9"], {"-9"}),
        # Half as large again as the largest other number is not far enough.
        (["20", "45", "66", "99"], set()),
        (["20", "45", "65", "99"], {"99"}),
        (["0", "1", "2", "-9", "-1"], {"-9", "-1"}),
        (["-1.5", "1", "2", "-9"], set()),
        (["-100", "-120", "-150", "-99"], set()),
        # Three numbers at least, the codes among them, and nine of ten texts.
        (["1", "2", "-9"], {"-9"}),
        ([*"12345678", "99", "word"], {"99"}),
        ([*"1234567", "99", "word"], set()),
        (["99", "99.0", "999"], set()),
        # Two nines or eights are a code, two sevens an age.
        (["1", "2", "3", "88"], {"88"}),
        (["1", "2", "3", "77"], set()),
        (["1", "2", "3", "777"], {"777"}),
        (["-9", "-9.0", "-99"], set()),
        # Below zero where nothing else is, a code needs no numbers beside it.
        (["1", "-9"], {"-9"}),
        ([*"1234567", "-9", "word"], {"-9"}),
        (["low", "high", "-9"], {"-9"}),
        (["low", "-3.5", "-9"], set()),
        # Among numbers below zero, only far below all of them.
        (["-20", "5", "8", "-999"], {"-999"}),
        (["-70", "5", "8", "-99"], set()),
        (["-2.5", "1", "2", "-9"], set()),
        # Decimal commas, and thousands.
        (["36,5", "37,1", "38,0", "-9,0", "999"], {"-9,0", "999"}),
        (["1,234", "2,500", "1,999", "999"], set()),
        (["1", "2", "3", "-9.0"], {"-9.0"}),
    ],
)
def test_codes_that_stand_apart_are_suggested_only(texts, codes):
    assert candidates(*texts) == dict.fromkeys(codes, False)


@pytest.mark.parametrize(
    ("texts", "found"),
    [
        (["2020-01-02", "2021-05-06", "9999-12-31"], {"9999-12-31"}),
        (["02.01.2020", "06.05.2021", "31.12.9999"], {"31.12.9999"}),
        (["1/2/2020", "5/6/2021", "12/31/2999"], {"12/31/2999"}),
        (["2020-01-02", "9999-12-31T00:00:00"], {"9999-12-31T00:00:00"}),
        (["20200102", "20210506", "99991231"], {"99991231"}),
        (["2020-01-02", "0000-00-00", "0001-01-01"], {"0000-00-00", "0001-01-01"}),
        (["2020-01-02", "2021-01-02", "2022-01-02", "1900-01-01"], {"1900-01-01"}),
        (["2020-01-02", "2021-01-02", "2022-01-02", "1970-01-01"], {"1970-01-01"}),
        (["02.01.2020", "02.01.2021", "02.01.2022", "01.01.1900"], {"01.01.1900"}),
        # Days of birth near it, or before it, or no days at all.
        (["1903-01-02", "1950-01-02", "1999-01-02", "1900-01-01"], set()),
        (["1950-01-02", "1980-01-02", "1999-01-02", "1970-01-01"], set()),
        (["a", "b", "2020-01-02", "1900-01-01"], set()),
        (["9999", "999-12-31", "2020-12-31"], set()),
    ],
)
def test_days_that_mean_no_day_are_suggested_only(texts, found):
    assert candidates(*texts) == dict.fromkeys(found, False)


@pytest.mark.parametrize(
    "word",
    [
        *("k.A.", "k. A.", "Keine Angabe", "UNBEKANNT", "nicht erhoben", "..."),
        *("inconnu", "non renseigné", "no consta", "onbekend", "sconosciuto"),
        *("Not Provided", "Don't know", "NS/NC", "\u2014"),
    ],
)
def test_words_of_several_languages_are_suggested(word):
    assert candidates("a", "b", word) == {word: False}


def test_three_numbers_are_enough_for_one_to_stand_apart():
    assert "99" in candidates("1", "2", "99")
    assert "99" not in candidates("2", "99")


def test_day_zero_stands_more_than_five_years_before_the_others():
    def first(year):
        return [f"{year + n}-02-03" for n in range(3)]

    assert "1900-01-01" not in candidates("1900-01-01", *first(1905))
    assert "1900-01-01" in candidates("1900-01-01", *first(1906))


def test_other_missing_texts_do_not_count_against_the_numbers():
    found = candidates("1", "2", "3", "-9", "unknown", "?")
    assert found == {"?": True, "-9": False, "unknown": False}
    unused = pl.Series(["1", "2", "3", "-9", "word", "high", "low"])
    made = Column("x", np.arange(4, dtype=np.int32), unused)
    assert [each.token for each in missing_candidates(made)] == ["-9"]


def test_the_search_for_missing_texts_reports_to_its_end():
    told = []
    monitor = SimpleNamespace(report=lambda fraction, note: told.append(fraction))
    missing_candidates(column("1", "2"), monitor=monitor)
    assert told == sorted(told)
    assert (len(told) > 3, told[-1]) == (True, 1.0)


def test_tokens_may_be_padded():
    assert candidates("unknown   ", "NA  ", "a") == {"unknown   ": False, "NA  ": True}
    assert candidates("\tNA", "NA\u00a0", "a") == {"\tNA": True, "NA\u00a0": True}


def test_tokens_without_rows_are_not_listed():
    made = Column("x", np.zeros(2, np.int32), pl.Series(["?", "NA"]))
    assert [each.token for each in missing_candidates(made)] == ["?"]


# --- real files ---------------------------------------------------------------


def types_of(*parts, member=None):
    source = open_source(shared("data", *parts), member=member)
    table = read_table(source, guess_dialect(source).dialect)
    found = {}
    for each in table.columns:
        known = each.with_missing(
            [found.token for found in missing_candidates(each) if found.certain]
        )
        found[each.name] = guess_type(known)
    return found


def test_types_of_adult():
    found = types_of("uci_adult", "adult.data.gz")
    # adult.names: continuous are age, fnlwgt, education-num, capital-gain,
    # capital-loss and hours-per-week.
    continuous = {f"column {place}" for place in (1, 3, 5, 11, 12, 13)}
    kinds = {name: guess.kind for name, guess in found.items()}
    assert {name for name, kind in kinds.items() if kind == "integer"} == continuous
    assert {kinds[name] for name in kinds.keys() - continuous} == {"category"}


def test_diagnosis_codes_are_no_numbers():
    found = types_of("diabetes130", "dataset_diabetes.zip", member="diabetic_data.csv")
    assert {found[f"diag_{place}"].kind for place in (1, 2, 3)} == {"category"}
    assert found["time_in_hospital"].kind == "integer"
    claims = types_of(
        "cms_desynpuf_sample1", "DE1_0_2008_Beneficiary_Summary_File_Sample_1.zip"
    )
    assert claims["BENE_BIRTH_DT"].format == "YYYYMMDD"
    assert claims["BENE_BIRTH_DT"].n_failing_rows == 0
    assert claims["MEDREIMB_IP"].kind == "decimal"
    assert claims["SP_STATE_CODE"].evidence.code == "type_leading_zeros"


def test_evidence_has_no_values():
    column_ = Column("x", np.zeros(3, np.int32), pl.Series(["Sentinel-4711"]))
    assert "Sentinel" not in repr(guess_type(column_))
    assert LineIndex().line(0) == 1


def _days(n, start="2015-01-01", step=3):
    return [np.datetime64(start) + step * k for k in range(n)]


def _written(day, pattern):
    y, m, d = (int(part) for part in str(day).split("-"))
    return pattern.format(y=y, m=m, d=d)


ISO, GERMAN = "{y}-{m:02d}-{d:02d}", "{d}.{m}.{y}"
BRITISH, AMERICAN = "{d:02d}/{m:02d}/{y}", "{m:02d}/{d:02d}/{y}"


def test_dates_in_two_formats_are_both_read_and_counted():
    """As an oracle each row is written by hand in one of two formats."""
    days = _days(300)
    patterns = [ISO if k % 3 == 0 else GERMAN for k in range(300)]
    texts = [_written(day, p) for day, p in zip(days, patterns, strict=True)]
    found = guess_type(Column.from_texts("seen", texts))
    assert (found.kind, found.format) == ("date", "D.M.YYYY | YYYY-MM-DD")
    assert found.evidence.code == "type_dates_two"
    told = dict(found.evidence.params)
    assert (told["n_first"], told["n_second"], told["n_both"]) == (200, 100, 0)
    assert (found.n_failing_values, found.candidates) == (0, ())
    read = dates.parse(texts, found.format)
    assert [str(each)[:10] for each in read] == [str(day) for day in days]


def test_dates_that_fit_two_formats_are_asked():
    days = _days(400)
    patterns = [BRITISH if k % 2 else AMERICAN for k in range(400)]
    texts = [_written(day, p) for day, p in zip(days, patterns, strict=True)]
    found = guess_type(Column.from_texts("seen", texts))
    assert found.ambiguous
    assert found.evidence.code == "type_dates_two_ambiguous"
    told = dict(found.evidence.params)
    parts = [str(day).split("-") for day in days]
    n_both = sum(int(d) <= 12 and int(d) != int(m) for _, m, d in parts)
    assert told["n_both"] == n_both
    # The order of the formats is the answer; both read every value.
    assert {frozenset(each.split(" | ")) for each in found.candidates} == {
        frozenset(("M/D/YYYY", "D/M/YYYY"))
    }
    for each in found.candidates:
        first = each.split(" | ")[0]
        read = dates.parse(texts, each)
        assert not np.isnat(read).any()
        alone = dates.parse(texts, first)
        assert (read[~np.isnat(alone)] == alone[~np.isnat(alone)]).all()


def test_a_slip_is_no_second_format():
    texts = [_written(day, GERMAN) for day in _days(200)]
    found = guess_type(Column.from_texts("seen", [*texts, "2019-03-05"]))
    assert found.format == "D.M.YYYY"
    assert found.n_failing_rows == 1


def test_numbers_with_dots_are_no_dates_in_two_formats():
    texts = [f"{k % 7}.{k}" for k in range(300)]
    assert guess_type(Column.from_texts("version", texts)).kind == "decimal"


def test_several_formats_are_checked_by_name():
    assert ValueType("date", "D.M.YYYY | YYYY-MM-DD").format
    with pytest.raises(ConfigError):
        ValueType("date", "D.M.YYYY | nonsense")


@pytest.mark.parametrize(
    ("texts", "form", "failing"),
    [
        (["3", "44", "45+", "45"], "integer", []),
        (["3", "46", "45+"], "integer", ["45+"]),
        (["3", "44+", "45+"], "integer", ["44+", "45+"]),
        (["3", "x", "45+", ""], "integer", ["x"]),
        (["3", "x+"], "integer", ["x+"]),
        (["2.5", "2.6+"], "decimal", []),
    ],
)
def test_one_top_code_is_a_number(texts, form, failing):
    made = column(*texts)
    fits = fitting(made, ValueType(form, "." if form == "decimal" else ""))
    assert [t for t, ok in zip(made.texts(), fits, strict=True) if not ok] == failing
