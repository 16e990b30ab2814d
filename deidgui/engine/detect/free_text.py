"""Which identifiers stand inside long texts?"""

from __future__ import annotations

from deidgui.engine.detect.detectors import DETECTORS
from deidgui.engine.detect.profile import Profile
from deidgui.engine.detect.roles import Reason


def embedded_identifiers(profile: Profile) -> list[Reason]:
    """Search texts for the patterns of identifiers (methods G.1, last paragraph).

    Parameters
    ----------
    profile : Profile
        Of a column with long texts.

    Returns
    -------
    list of Reason
        One per kind of identifier found, with the number of texts.
    """
    found: dict[str, tuple[int, int]] = {}
    for detector in DETECTORS:
        number = detector.identifier.number if detector.identifier else 0
        for title, pattern in detector.scan:
            n_texts = int(profile.sample.str.contains(pattern).sum())
            if n_texts > found.get(title, (0, 0))[0]:
                found[title] = n_texts, number
    return [
        Reason(
            "evidence_text_contains",
            {
                "rule": title,
                "n_hits": n_texts,
                "n_values": profile.n_sampled,
                "number": number,
            },
        )
        for title, (n_texts, number) in found.items()
    ]
