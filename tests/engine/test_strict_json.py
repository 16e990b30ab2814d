"""JSON of strangers: what has no one meaning is refused."""

import json

import pytest

from deidgui.engine import strict_json


@pytest.mark.parametrize(
    "text",
    [
        *("NaN", "-Infinity", "1e999", "-1e999", "9" * 5_000, '{"a": 1, "a": 1}'),
        *('[{"b": {"a": 1, "a": 2}}]', '"\\ud800"', '{"\\uDC00": 1}', '["\\ud800x"]'),
        *(
            "[" * 100_000 + "]" * 100_000,
            "[" * 101 + "]" * 101,
            '{"a":' * 900 + "}" * 900,
        ),
        *("", "[1,]", "{'a': 1}"),
    ],
)
def test_what_has_no_one_meaning_is_refused(text):
    with pytest.raises(ValueError, match=r".*"):
        strict_json.loads(text)


@pytest.mark.parametrize(
    "value",
    [
        None,
        [1, -2.5, 1e300, True, ""],
        {"a": {"a": "\U0001f3e5"}, "b": "\\ud"},
        10**400,
    ],
)
def test_everything_else_is_read(value):
    assert strict_json.loads(json.dumps(value)) == value


def test_what_is_nested_a_hundred_times_is_read():
    assert strict_json.loads("[" * 100 + "]" * 100)
