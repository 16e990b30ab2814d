"""Texts of many columns looked at together, against each column alone."""

from __future__ import annotations

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from deidgui.engine.data.table import Column
from deidgui.engine.data.texts import FEW, Texts, together
from deidgui.engine.detect import profile
from deidgui.engine.detect.profile import ColumnProfile

_TEXTS = st.text(alphabet="aB1 .é\n", max_size=4)
_COLUMNS = st.lists(st.lists(_TEXTS, unique=True, max_size=8), max_size=6)
_PATTERN = r"^[a-z]+\d?$"


def _upper(texts: pl.Series) -> pl.Series:
    return texts.str.to_uppercase()


def _n_letters(texts: pl.Series) -> np.ndarray:
    return texts.str.len_chars().to_numpy()


@given(_COLUMNS)
def test_texts_looked_at_together_are_as_each_column_alone(columns):
    series = [pl.Series(column, dtype=pl.String) for column in columns]
    for column, texts in zip(series, together(series), strict=True):
        assert len(texts) == len(column)
        assert texts.to_list() == texts.series.to_list() == column.to_list()
        assert texts.contains(_PATTERN).tolist() == (
            column.str.contains(_PATTERN).to_list()
        )
        assert texts.is_in(frozenset(("a", ""))).tolist() == (
            column.is_in(["a", ""]).to_list()
        )
        assert texts.measured(_n_letters).tolist() == [len(each) for each in column]
        assert texts.changed(_upper).to_list() == [each.upper() for each in column]


@given(_COLUMNS, st.randoms(use_true_random=False))
def test_some_of_the_texts_of_a_column_are_those_at_their_places(columns, random):
    series = [pl.Series(column, dtype=pl.String) for column in columns]
    for column, texts in zip(series, together(series), strict=True):
        places = [at for at in range(len(column)) if random.random() < 0.6]
        some = texts.at(np.array(places, dtype=np.int64))
        expected = [column[place] for place in places]
        assert some.to_list() == some.series.to_list() == expected
        assert some.changed(_upper).to_list() == [each.upper() for each in expected]
        assert some.measured(_n_letters).tolist() == [len(each) for each in expected]
        half = np.arange(0, len(places), 2)
        assert some.at(half).to_list() == expected[::2]


def test_small_columns_are_looked_at_in_one_call_and_large_ones_alone():
    sizes = []

    def measure(texts: pl.Series) -> np.ndarray:
        sizes.append(len(texts))
        return np.zeros(len(texts))

    large = pl.Series([str(number) for number in range(FEW + 1)])
    series = [pl.Series(["a", "b"])] * 500 + [large] + [pl.Series(["c"])] * 500
    for texts in together(series):
        assert len(texts.measured(measure)) == len(texts)
        texts.measured(measure)
    assert sizes == [1000, FEW + 1, 500]


def test_hits_may_be_changed_by_the_one_who_asked():
    first, second = together([pl.Series(["a"]), pl.Series(["b"])])
    first.contains("a")[0] = False
    assert first.contains("a").tolist() == [True]
    assert second.contains("a").tolist() == [False]
    assert Texts.alone(pl.Series(["a"])).contains("a").tolist() == [True]


def test_of_a_column_with_many_texts_only_the_sample_is_looked_at(monkeypatch):
    sizes = []

    def measure(texts: pl.Series) -> np.ndarray:
        sizes.append(len(texts))
        return texts.str.len_chars().to_numpy()

    def strip(texts: pl.Series) -> pl.Series:
        sizes.append(len(texts))
        return texts.str.strip_chars()

    monkeypatch.setattr(profile, "_stripped", strip)
    texts = pl.Series([f" {number}" for number in range(5_000)])
    column = Column("number", np.arange(5_000, dtype=np.int32), texts)
    (known,) = together([texts])
    looked = ColumnProfile(column, "text", 700, known=known)
    assert looked.texts.to_list()[:2] == ["0", "7"]
    assert looked.texts.measured(measure).tolist()[-1] == len("4999")
    assert sizes == [700, 700]
