"""How results are printed: one JSON object, or words that cannot steer a terminal."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from typing import Any

from deidgui.app.text import visible


def print_result(result: Any, as_json: bool, in_words: Callable[[Any], str]) -> None:
    """Print a result as one JSON object, or in words."""
    if as_json:
        print_json(result)
    else:
        # PRIVACY: names of columns come from strangers; they must not steer the
        # terminal.
        print(in_words(visible(result)))


def print_json(result: Any, indent: int | None = None) -> None:
    """Print one JSON object in UTF-8, whatever the terminal's encoding is."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    print(json.dumps(result, ensure_ascii=False, allow_nan=False, indent=indent))
