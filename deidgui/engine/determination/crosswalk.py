"""Where a dossier answers what each norm asks for, and how far the norm was read.

Which item answers what is a proposal of this program. Numbers of chapters that nobody
has read are not stated.

References
----------
.. [1] determination.md 1.1 to 1.3, 3.1 and its list of sources.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from deidgui.text import Text

Basis = Literal["read", "quoted", "contents", "unchecked"]

BASES: Mapping[str, Text] = {
    "read": "source read",
    "quoted": "read at second hand",
    "contents": "contents read",
    "unchecked": "NOT CHECKED",
}
"""How far it is known what a norm asks for."""

NORMS: Mapping[str, Text] = {
    "hipaa": "HIPAA, 45 CFR 164.514(b)(1) and guidance of 2012",
    "ccpa": "California, Civil Code 1798.148",
    "ema": "EMA Policy 0070 and Health Canada: common report form, in its order",
    "wp216": "GDPR Recital 26 and Opinion 05/2014 (WP216)",
    "ico": "United Kingdom: anonymisation guidance of the ICO",
    "ipc": "Ontario: guidelines of the Commissioner, 2016",
    "five_safes": "Five Safes",
    "ddf": "De-Identification Decision-Making Framework, three groups of parts",
    "iso": "ISO/IEC 27559:2022, order of its parts",
}

_FIRST: Mapping[str, tuple[str, ...]] = {
    "hipaa": ("hipaa", "ccpa"),
    "ema": ("ema",),
    "gdpr": ("wp216", "ico"),
    "ontario": ("ipc",),
    "australia": ("five_safes", "ddf"),
}
"""By regime of a front sheet: its norms."""


def norms_for(regime: str | None) -> tuple[str, ...]:
    """All norms, those of a regime first."""
    return tuple(dict.fromkeys((*_FIRST.get(regime or "", ()), *NORMS)))


@dataclass(frozen=True)
class Asked:
    """Something that a norm asks for.

    Parameters
    ----------
    norm : str
        Name among `NORMS`.
    items : tuple of int
        Of the checklist, that answer it; none: the dossier has no part for it.
    basis : str
        How far it is known that the norm asks for it.
    """

    norm: str
    asks: Text
    items: tuple[int, ...]
    basis: Basis


CROSSWALK: tuple[Asked, ...] = (
    Asked("hipaa", "Person with knowledge and experience", (3,), "read"),
    Asked("hipaa", "Very small risk for the recipient", (6, 21, 23), "read"),
    Asked("hipaa", "Other reasonably available information", (16,), "read"),
    Asked("hipaa", "Methods and results documented", (24, 27), "read"),
    Asked("hipaa", "Replicability, availability, distinguishability", (12,), "read"),
    Asked("hipaa", "Several solutions of one file", (33,), "read"),
    Asked("hipaa", "Certificates of limited time", (36,), "quoted"),
    Asked("hipaa", "Codes, 45 CFR 164.514(c)", (29,), "unchecked"),
    Asked("hipaa", "Documents kept, 45 CFR 164.530(j)", (45,), "unchecked"),
    Asked("ccpa", "Clauses, and words in the privacy policy", (9,), "read"),
    Asked("ema", "Methodology", (27,), "unchecked"),
    Asked(
        "ema",
        "Identifiers, direct and quasi, with reasons",
        (11, 12, 13),
        "unchecked",
    ),
    Asked("ema", "Adversaries and plausible attacks", (17,), "unchecked"),
    Asked(
        "ema",
        "Risk model, reference population, threshold",
        (21, 22),
        "unchecked",
    ),
    Asked("ema", "Methods by variable", (27,), "unchecked"),
    Asked("ema", "Residual risk, or the three criteria", (23, 30), "unchecked"),
    Asked("ema", "Data utility", (34,), "unchecked"),
    Asked("ema", "Deviations", (), "unchecked"),
    Asked("ema", "Conclusion", (44,), "unchecked"),
    Asked("wp216", "No singling out", (30,), "quoted"),
    Asked("wp216", "No linkability", (30, 33), "quoted"),
    Asked("wp216", "No inference", (30,), "quoted"),
    Asked("wp216", "Thorough evaluation where one fails", (23,), "quoted"),
    Asked("wp216", "Means reasonably likely to be used", (16, 18), "quoted"),
    Asked("wp216", "Regular review", (36, 37), "quoted"),
    Asked("ico", "Identification risk sufficiently remote", (21, 23), "quoted"),
    Asked("ico", "Motivated intruder", (32,), "quoted"),
    Asked("ico", "Hackers and rogue staff", (17, 32), "quoted"),
    Asked("ico", "Tests and decisions documented", (46,), "quoted"),
    Asked("ipc", "Release model", (7,), "read"),
    Asked("ipc", "Agreement where it is not public", (8,), "read"),
    Asked("ipc", "Attacks, controls, motives and capacity", (17, 18, 19), "read"),
    Asked("ipc", "Invasion of privacy and threshold", (20, 21), "read"),
    Asked("ipc", "Risk in the data", (23,), "read"),
    Asked("ipc", "Staged attack where the risk is high", (32,), "read"),
    Asked("ipc", "Identity, attribute and membership (2025)", (31,), "quoted"),
    Asked("five_safes", "Projects", (40,), "quoted"),
    Asked("five_safes", "People", (40,), "quoted"),
    Asked("five_safes", "Settings", (18, 40), "quoted"),
    Asked("five_safes", "Data", (23,), "quoted"),
    Asked("five_safes", "Outputs", (40,), "quoted"),
    Asked("ddf", "Data situation", (4, 5, 6, 7, 10), "quoted"),
    Asked("ddf", "Risk analysis and control", (17, 23, 27, 41), "quoted"),
    Asked("ddf", "Impact management", (37, 38, 39), "quoted"),
    Asked("iso", "Context assessment", (17, 18), "contents"),
    Asked("iso", "Data assessment", (10, 11, 12, 13), "contents"),
    Asked("iso", "Identifiability", (20, 21, 23), "contents"),
    Asked("iso", "Governance", (37, 38, 39), "contents"),
)
"""In the order in which each norm asks."""
