"""Reads JSON of strangers: what has no one meaning is refused."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from typing import Any, NoReturn

MAX_DEPTH = 100
"""Objects and lists inside each other; what is deeper cannot be written again."""


class DoubleKeyError(ValueError):
    """An object has a key twice; which value counts is not clear."""


def loads(text: str) -> Any:
    """Read a JSON text.

    Raises
    ------
    json.JSONDecodeError
        With line and column, if it is no JSON.
    DoubleKeyError
        If an object has a key twice: the value that a person reads might not be the
        one that counts.
    ValueError
        If a number is infinite, none, or of more than 4,300 digits; if a text has
        half a character; if it is nested too deeply.
    """
    try:
        found = json.loads(
            text,
            object_pairs_hook=_object,
            parse_float=_number,
            parse_constant=_refuse,
        )
    except RecursionError:
        raise ValueError from None
    _check_depth(found)
    if "\\ud" in text.lower():
        # Half a character would fail wherever it is written or compared.
        json.dumps(found, ensure_ascii=False).encode()
    return found


def _check_depth(found: Any) -> None:
    level, depth = [found], 0
    while level:
        depth += 1
        if depth > MAX_DEPTH:
            raise ValueError
        level = [
            child
            for holder in level
            for child in _children(holder)
            if isinstance(child, dict | list)
        ]


def _children(holder: Any) -> Iterable[Any]:
    if isinstance(holder, dict):
        return holder.values()
    return holder if isinstance(holder, list) else ()


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise DoubleKeyError
    return found


def _number(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError
    return number


def _refuse(_constant: str) -> NoReturn:
    raise ValueError
