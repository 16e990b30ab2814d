"""Sentences about counts with noise."""

from deidgui.app.text.base import Sentence

SENTENCES: dict[str, Sentence] = {
    "noise_needs_lockout": Sentence(
        "Fresh noise does not protect against somebody who asks again and averages.",
        "State how often the same question is answered and within how many days, or "
        "take keyed noise.",
    ),
    "noise_undecided": Sentence(
        "Nobody has decided which noise the counts get.",
        "State the standard deviation: “--sigma 2.5”.",
    ),
}
