"""What a spreadsheet would execute gets an apostrophe; numbers do not."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidgui.engine.evidence.tally import is_executed
from deidgui.engine.transform.spreadsheet import guard_text, guard_texts


@pytest.mark.parametrize(
    ("text", "harmless"),
    [
        ("=1+1", "'=1+1"),
        ("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("+49 30 1234", "'+49 30 1234"),
        ("-2+3", "'-2+3"),
        ("-a", "'-a"),
        ("-x", "'-x"),
        ("＝1+1", "'＝1+1"),
        ("\t=1", "'\t'=1"),
        ("\r=1", "'\r'=1"),
        ("＝1", "'＝1"),
        ("a;=1", "a;'=1"),
        ("two\n=1", "two\n'=1"),
        (" =1+1", "' =1+1"),
        ("   @x", "'   @x"),
        ("\u00a0=1", "'\u00a0=1"),
        ("\ufeff=1", "'\ufeff=1"),
        ("\u200b\u200e+x", "'\u200b\u200e+x"),
        ("\u3000＝1", "'\u3000＝1"),
        ("\x1b=1", "'\x1b=1"),
        (" \t =1", " \t' =1"),
        ("a; =1", "a;' =1"),
        ("﹦1", "'﹦1"),
        ("﹫x", "'﹫x"),
        (" -x", "' -x"),
    ],
)
def test_formulas(text, harmless):
    assert guard_text(text) == harmless


@pytest.mark.parametrize(
    "text",
    [
        "",
        "-5",
        "+1.5",
        "+5.5e-3",
        "5-9",
        "a=1",
        "-1,234.5",
        "-1e-9",
        "5 %",
        "-5%",
        "-",
        "--",
        "a=b",
        "90+",
        "1-2",
        "a-b",
        "[0, 5)",
        "*",
        "don't",
        " -5",
        "\u00a0+1.5",
        "  -",
        " a=1",
    ],
)
def test_harmless_texts_stay(text):
    assert guard_text(text) == text


@given(
    st.lists(
        st.text("=+-@a1;\t\r\n, '＝.%e \u00a0\u200b\ufeff﹫", max_size=6), max_size=20
    )
)
def test_dictionary_form_equals_single_form_and_verifies(texts):
    made = guard_texts(pl.Series(texts, dtype=pl.String)).to_list()
    assert made == [guard_text(text) for text in texts]
    assert not any(map(is_executed, made))


@pytest.mark.parametrize(
    "blank", [" ", "\u00a0", "\u2028", "\u200b", "\x0b", ";", "\t"]
)
def test_the_work_grows_with_the_length_of_a_text(blank):
    """A run of blanks is passed over once: this would take hours otherwise."""
    text = blank * 200_000
    assert guard_text(f"{text}=") != f"{text}="
    assert guard_text(f"a{text}") == f"a{text}"
    assert is_executed(f"{text}=")
    assert not is_executed(f"a{text}")
