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
    mend : str
        One sentence: how to mend it.
    """

    what: str
    mend: str = ""
