"""Changes files as strangers and accidents do; the same chance, the same change."""

from __future__ import annotations

import json
from random import Random
from typing import Any

ODD_TEXTS = (
    *(
        "",
        " ",
        "\0",
        "\r",
        "\n",
        "\t",
        '"',
        '""',
        "'",
        ";",
        ",",
        "|",
        "\x1a",
        "\x1b[2J",
    ),
    *(
        "=1+1",
        " =1",
        "\ufeff=1",
        "＝1",
        "\u202e",
        "\u2066",
        "\u200b",
        "\ufeff",
        "\ud800",
    ),
    *(
        "٣٤",
        "１２",
        "²",
        "½",
        "٣٠-٣٩",
        "٢٠٢٠-٠١-٠١",
        "०१२३४",
        "1e999",
        "-1e-999",
        "NaN",
    ),
    *("inf", "9" * 400, "0" * 50, "0x10", "1_000", "1,2,3", "../../x.csv", "/etc/x"),
    *("C:\\x", "CON", "a" * 5_000, "\u0301", "İ", "ß", "𝟙", "null", "true", "*", "{n}"),
    *("{0}", "%s", "<b>&", "${x}", "--", "[1, 2)", "]", "((((", "a\tb", "a\r\nb", "🏥"),
)
"""Texts at which programs stumble: no numbers that look like numbers, and so on."""

ODD_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2, 10**6, 10**19, -(10**400), 1e308, -0.0, 0.5),
    *(float("nan"), float("inf"), -float("inf"), [], {}, [[]], [None], {"": None}),
    *ODD_TEXTS,
)

_BYTES = (
    *(b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\x80", b"\xc3", b"\xed\xa0\x80", b"\xf5"),
    *(b"\n" * 50, b"\r\n", b"\r", b'"', b"'", b"," * 200, b";" * 200, b"\t", b"\x1a"),
    *(b"PK\x03\x04", b"\x1f\x8b\x08", b"BZh9", b"%PDF-", b"sep=;\n", b"[" * 3000),
    *(
        b"{" * 50,
        b"a" * 20_000,
        b"9" * 5_000,
        b"-",
        b"e",
        b"E+",
        b"\\u0000",
        b"\\ud800",
    ),
)


def mutated_bytes(content: bytes, chance: Random) -> bytes:
    """Content with one to four places changed, cut, doubled or put elsewhere."""
    made = bytearray(content)
    for _ in range(chance.choice((1, 1, 2, 4))):
        at = chance.randrange(len(made) + 1)
        to = min(len(made), at + chance.choice((1, 2, 7, 40, 400)))
        match chance.randrange(9):
            case 0:
                made[at:at] = chance.choice(_BYTES)
            case 1:
                made[at:to] = chance.choice(_BYTES)
            case 2:
                del made[at:to]
            case 3:
                del made[at:]
            case 4:
                made[at:at] = made[at:to] * chance.choice((1, 2, 30))
            case 5 if made:
                made[at % len(made)] ^= 1 << chance.randrange(8)
            case 6:
                part = made[at:to]
                del made[at:to]
                other = chance.randrange(len(made) + 1)
                made[other:other] = part
            case 7:
                odd = chance.choice(ODD_TEXTS).encode("utf-8", "surrogatepass")
                made[at:to] = odd
            case _:
                made[at:to] = chance.randbytes(to - at)
    return bytes(made)


def mutated_rows(rows: list[list[str]], chance: Random, delimiter: str = ",") -> bytes:
    """CSV text of rows of which some cells, rows and columns have changed."""
    made = [list(row) for row in rows]
    for _ in range(chance.choice((1, 1, 2, 5))):
        row = chance.choice(made)
        match chance.randrange(8) if chance.random() < 0.4 else chance.choice((0, 6)):
            case 0 | 1 | 2 if row:
                row[chance.randrange(len(row))] = chance.choice(ODD_TEXTS)
            case 3 if row:
                del row[chance.randrange(len(row))]
            case 4:
                row.insert(chance.randrange(len(row) + 1), chance.choice(ODD_TEXTS))
            case 5:
                made.insert(chance.randrange(len(made) + 1), list(row))
            case 6:
                place = chance.randrange(max(map(len, made)) or 1)
                few = chance.sample(ODD_TEXTS, chance.choice((1, 3, 20)))
                for each in made[chance.randrange(2) :]:
                    each[place : place + 1] = [chance.choice(few)]
            case _:
                width = len(row)
                row[:] = [chance.choice(ODD_TEXTS)] * chance.choice((0, 1, width, 300))
    text = "\n".join(
        delimiter.join(_cell(each, chance) for each in row) for row in made
    )
    return f"{text}\n".encode("utf-8", "surrogatepass")


def _cell(text: str, chance: Random) -> str:
    if any(mark in text for mark in "\",;|'\t\r\n") and chance.random() < 0.98:
        return '"' + text.replace('"', '""') + '"'
    return text


def mutated_json(content: bytes, chance: Random) -> bytes:
    """JSON text with one to three values, keys or parts changed."""
    value = json.loads(content)
    changes = chance.choice((range(10), (4, 8, 9, 9, 9)))  # all of them, or mild ones
    for _ in range(chance.choice((1, 1, 2, 3))):
        holder, key = _place(value, chance)
        match chance.choice(changes):
            case 0 | 1 | 2 | 3:
                holder[key] = chance.choice(ODD_VALUES)
            case 4:
                del holder[key]
            case 5:
                holder[key] = _nested(holder[key], chance.choice((1, 30, 150)))
            case 6 if isinstance(holder, dict):
                holder[chance.choice(ODD_TEXTS)] = holder.pop(key)
            case 7:
                holder[key] = [holder[key]] * chance.choice((0, 2, 1000))
            case 8:
                other, place = _place(value, chance)
                holder[key] = json.loads(json.dumps(other[place]))
            case _:
                holder[key] = _near(holder[key], chance)
        if not value:
            break
    text = json.dumps(value, ensure_ascii=chance.random() < 0.5)
    if chance.random() < 0.1:
        text = _with_doubled_key(text, chance)
    made = text.encode("utf-8", "surrogatepass")
    return mutated_bytes(made, chance) if chance.random() < 0.1 else made


def _place(value: Any, chance: Random) -> tuple[Any, Any]:
    """Some place inside a JSON value: its holder, and its key there."""
    holder, key = value, chance.choice(list(_keys(value)))
    while (
        isinstance(holder[key], dict | list) and holder[key] and chance.random() < 0.8
    ):
        holder = holder[key]
        key = chance.choice(list(_keys(holder)))
    return holder, key


def _keys(value: Any) -> Any:
    return value if isinstance(value, dict) else range(len(value))


def _nested(value: Any, depth: int) -> Any:
    for _ in range(depth):
        value = [value]
    return value


def _near(value: Any, chance: Random) -> Any:
    """A value of the same type that is not far."""
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, int | float):
        return chance.choice((value + 1, value - 1, -value, value * 1000, value // 3))
    if isinstance(value, str):
        at = chance.randrange(len(value) + 1)
        return value[:at] + chance.choice(ODD_TEXTS) + value[at:]
    return value


def _with_doubled_key(text: str, chance: Random) -> str:
    at = text.find('": ', chance.randrange(len(text)))
    start = text.rfind('"', 0, at)
    if at < 0 or start < 0:
        return text
    key = text[start : at + 3]
    return (
        f"{text[:start]}{key}{json.dumps(chance.choice(('', 0, None)))}, {text[start:]}"
    )
