"""What a sentence for an error code is made of."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Sentence:
    """Texts for one error code; ``{name}`` stands for an error's parameter.

    Parameters
    ----------
    what : str
        One sentence: what is wrong and where.
    fix : str
        One sentence: how to fix it.
    """

    what: str
    fix: str = ""
