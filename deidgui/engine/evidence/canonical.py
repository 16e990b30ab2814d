"""How JSON is written so that equal content gives equal bytes."""

from __future__ import annotations

import json
from typing import Any


def canonical_json(content: Any) -> bytes:
    """UTF-8 JSON with two blanks of indentation, keys as given, final newline.

    Parameters
    ----------
    content : JSON-able
        Without NaN or infinity.
    """
    text = json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False)
    return f"{text}\n".encode()
