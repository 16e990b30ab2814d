"""What a sentence for an error code is made of."""

from __future__ import annotations

from dataclasses import dataclass

from deidgui.text import Text


@dataclass(frozen=True)
class Sentence:
    """Texts for one error code; ``{name}`` stands for an error's parameter.

    Parameters
    ----------
    what : Text
        One sentence: what is wrong and where.
    fix : Text
        One sentence: how to fix it, where the window is used.
    command : Text
        What somebody types on the command line for that, or a key of a project.
    """

    what: Text
    fix: Text = ""
    command: Text = ""
