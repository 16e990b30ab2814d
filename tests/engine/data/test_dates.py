"""Dates in every format of methods.md G.4, against the standard library."""

import datetime

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.engine.data import dates
from deidgui.engine.data.dates import FORMATS, format_of, parse, with_pivot
from deidgui.errors import Cancelled, ConfigError

STRFTIME = {
    "YYYY-MM-DD": "%Y-%m-%d",
    "YYYY/MM/DD": "%Y/%m/%d",
    "M/D/YYYY": "%m/%d/%Y",
    "D/M/YYYY": "%d/%m/%Y",
    "D.M.YYYY": "%d.%m.%Y",
    "M-D-YYYY": "%m-%d-%Y",
    "D-M-YYYY": "%d-%m-%Y",
    "DD-MON-YYYY": "%d-%b-%Y",
    "Mon D, YYYY": "%B %d, %Y",
    "YYYYMMDD": "%Y%m%d",
    "YYYYMMDDhhmmss": "%Y%m%d%H%M%S",
    "MM/YYYY": "%m/%Y",
    "YYYY-MM": "%Y-%m",
    "M/D/YY": "%m/%d/%y",
    "D/M/YY": "%d/%m/%y",
    "D.M.YY": "%d.%m.%y",
    "DD-MON-YY": "%d-%b-%y",
}
MOMENTS = st.datetimes(datetime.datetime(1927, 1, 1), datetime.datetime(2026, 12, 31))


def text_of(moment: datetime.datetime, name: str) -> str:
    return f"{moment.year:04d}".join(
        moment.strftime(part) for part in STRFTIME[name].split("%Y")
    )


def test_every_written_format_is_tested_and_shows_an_example():
    assert set(STRFTIME) == {name for name, form in FORMATS.items() if not form.unit}
    for name, form in FORMATS.items():
        moment = parse([form.example], name)[0]
        assert str(moment)[:7] == "2019-03"


@settings(deadline=None, max_examples=30)
@given(st.lists(MOMENTS, min_size=1, max_size=5), st.sampled_from(sorted(STRFTIME)))
def test_what_the_standard_library_writes_is_read(moments, name):
    texts = [text_of(moment, name) for moment in moments]
    expected = []
    for moment in moments:
        keep_time = "hh" in name
        kept = moment.replace(microsecond=0)
        if not keep_time:
            kept = kept.replace(hour=0, minute=0, second=0)
        expected.append(kept if "D" in name else kept.replace(day=1))
    stored = f"{name} pivot 26" if FORMATS[name].short_year else name
    found = parse(texts, stored)
    assert found.dtype == "datetime64[s]"
    assert found.tolist() == expected


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("2020-02-29", "YYYY-MM-DD", "2020-02-29"),
        ("1900-02-28", "YYYY-MM-DD", "1900-02-28"),
        (" 2020-2-9 ", "YYYY-MM-DD", "2020-02-09"),
        ("2020-01-01 23:59:59.999", "YYYY-MM-DD", "2020-01-01T23:59:59"),
        ("2020-01-01T23:30:00-05:00", "YYYY-MM-DD", "2020-01-01T23:30"),
        ("2020-01-01T10:30Z", "YYYY-MM-DD", "2020-01-01T10:30"),
        ("2020-01-01 10:30 UTC", "YYYY-MM-DD", "2020-01-01T10:30"),
        ("2020-01-01 10:30:00+01", "YYYY-MM-DD", "2020-01-01T10:30"),
        ("1/2/2020 12:05 AM", "M/D/YYYY", "2020-01-02T00:05"),
        ("1/2/2020 12:05 p.m.", "M/D/YYYY", "2020-01-02T12:05"),
        ("1/2/2020 1:05:09pm", "D/M/YYYY", "2020-02-01T13:05:09"),
        ("05JAN2010", "DD-MON-YYYY", "2010-01-05"),
        ("05JAN2010:10:30:00", "DD-MON-YYYY", "2010-01-05T10:30"),
        ("5 September 1999", "DD-MON-YYYY", "1999-09-05"),
        ("Sept. 5, 1999", "Mon D, YYYY", "1999-09-05"),
        ("may 5 1999", "Mon D, YYYY", "1999-05-05"),
        ("201903051430", "YYYYMMDDhhmmss", "2019-03-05T14:30"),
        ("20190305143000.12-0500", "YYYYMMDDhhmmss", "2019-03-05T14:30"),
        ("1/2/26", "M/D/YY pivot 26", "2026-01-02"),
        ("1/2/27", "M/D/YY pivot 26", "1927-01-02"),
        ("1/2/00", "M/D/YY pivot 00", "2000-01-02"),
        ("0", "epoch s", "1970-01-01"),
        ("-1", "epoch s", "1969-12-31T23:59:59"),
        ("1551744000", "epoch s", "2019-03-05"),
        ("1551744000999", "epoch ms", "2019-03-05"),
        ("-1", "epoch ms", "1969-12-31T23:59:59"),
        ("43529", "Excel serial", "2019-03-05"),
        ("43529.75", "Excel serial", "2019-03-05T18:00"),
        ("61", "Excel serial", "1900-03-01"),
    ],
)
def test_moments(text, name, expected):
    assert parse([text], name)[0] == np.datetime64(expected, "s")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("2019-02-29", "YYYY-MM-DD"),
        ("1900-02-29", "YYYY-MM-DD"),
        ("2020-13-01", "YYYY-MM-DD"),
        ("2020-00-01", "YYYY-MM-DD"),
        ("2020-01-00", "YYYY-MM-DD"),
        ("2020-04-31", "YYYY-MM-DD"),
        ("0000-01-01", "YYYY-MM-DD"),
        ("2020-01-01 24:00", "YYYY-MM-DD"),
        ("2020-01-01 10:60", "YYYY-MM-DD"),
        ("2020-01-01 13:00 PM", "YYYY-MM-DD"),
        ("2020-01-01x", "YYYY-MM-DD"),
        ("٢٠٢٠-٠١-٠١", "YYYY-MM-DD"),
        ("13/1/2020", "M/D/YYYY"),
        ("1/13/2020", "D/M/YYYY"),
        ("1/1/20", "D/M/YYYY"),
        ("1/1/2020", "D/M/YY"),
        ("5-JUX-2010", "DD-MON-YYYY"),
        ("2019035", "YYYYMMDD"),
        ("0", "Excel serial"),
        ("3000000", "Excel serial"),
        ("12.5", "epoch s"),
        ("", "YYYY-MM-DD"),
    ],
)
def test_no_moments(text, name):
    assert np.isnat(parse([text], name)[0])


def test_pivot_is_this_year_and_part_of_the_name():
    this_year = datetime.date.today().year % 100
    assert with_pivot("M/D/YY") == f"M/D/YY pivot {this_year:02d}"
    assert with_pivot("M/D/YYYY") == "M/D/YYYY"
    assert format_of("D.M.YY pivot 40") == (FORMATS["D.M.YY"], 40)
    assert format_of("D.M.YY")[1] == this_year


@pytest.mark.parametrize("name", ["", "YYYY", "M/D/YY pivot 2026", "%Y-%m-%d"])
def test_unknown_formats(name):
    with pytest.raises(ConfigError):
        parse(["2020"], name)


def test_many_dates_in_batches_that_can_be_stopped(monkeypatch):
    days = np.datetime64("1900-01-01") + np.arange(1000)
    texts = pl.Series(days.astype(str).tolist())
    monkeypatch.setattr(dates, "_BATCH", 64)
    assert (parse(texts, "YYYY-MM-DD") == days).all()

    class Stopper:
        def report(self, fraction, note=""):
            raise Cancelled

    with pytest.raises(Cancelled):
        parse(texts, "YYYY-MM-DD", monitor=Stopper())
    assert len(parse([], "YYYY-MM-DD")) == 0
