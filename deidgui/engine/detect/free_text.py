"""Finds names, telephone numbers and other identifiers inside longer texts."""

from __future__ import annotations

import re
from itertools import compress

from deidgui.engine.data.texts import Texts
from deidgui.engine.detect.detectors import DETECTORS
from deidgui.engine.detect.profile import PILOT, ColumnProfile, n_words
from deidgui.engine.detect.roles import Reason
from deidgui.engine.detect.wordlists import person_names, word_list
from deidgui.errors import Param
from deidgui.text import Text

_LEAST_TEXTS, _LEAST_WORDS = 20, 3.0
_LEAST_HITS, _LEAST_SHARE = 3, 0.01
_REGIONS = {
    "de": ("DE", "AT", "CH"), "fr": ("FR", "BE"), "es": ("ES", "MX"), "it": ("IT",),
    "pt": ("PT", "BR"), "nl": ("NL", "BE"), "pl": ("PL",), "sv": ("SE",),
    "no": ("NO",), "da": ("DK",), "fi": ("FI",),
}  # fmt: skip
_MANY_DIGITS = r"\d(?:[ ()./-]{0,3}\d){6}"
_TITLED = (
    r"\b(?:Dr|Mr|Mrs|Ms|Prof|Herr|Frau|Hr|Mme|Mlle|Sr|Sra|Dott|Dra|Pan|Pani|Fru)\.?"
    r"\s+\p{Lu}\p{Ll}{2,}"
)
_EMAIL = r"[^@\s]+@[^@\s]+\.[A-Za-z]{2,}"
_KINDS: tuple[Text, ...] = (
    "an e-mail address",
    "a name with a title",
    "a first name and a surname",
    "a telephone number",
)
_TWO_WORDS = re.compile(r"\b([^\W\d_]+),?\s+(?=([^\W\d_]+))")


def in_texts(profile: ColumnProfile) -> dict[str, Param] | None:
    """What texts tell of persons: the kind that most texts have, with their number.

    Returns
    -------
    dict or None
        ``rule``, ``n_hits`` and ``n_values`` of the sampled texts; None if fewer than
        3 texts, or than 1 % of them, tell anything.
    """
    texts = profile.pilot.texts if profile.is_text else None
    if texts is None or len(texts) < _LEAST_TEXTS:
        return None
    if texts.measured(n_words).mean() < _LEAST_WORDS:
        return None
    counts = (
        int(texts.contains(_EMAIL).sum()),
        int(texts.contains(_TITLED).sum()),
        sum(map(_has_name, texts.to_list())),
        _n_telephones(texts, profile.languages),
    )
    n_hits, rule = max(zip(counts, _KINDS, strict=True), key=lambda each: each[0])
    if n_hits < max(_LEAST_HITS, _LEAST_SHARE * len(texts)):
        return None
    return {"rule": rule, "n_hits": n_hits, "n_values": len(texts)}


def _has_name(text: str) -> bool:
    """Whether a listed first name stands before a listed surname, both capitalised."""
    return any(
        first[0].isupper()
        and last[0].isupper()
        and first.lower() in word_list("first_names")
        and last.lower() in person_names()
        for first, last in _TWO_WORDS.findall(text)
    )


def _n_telephones(texts: Texts, languages: frozenset[str]) -> int:
    """Texts with a number that is valid where the file may come from."""
    some = list(compress(texts.to_list(), texts.contains(_MANY_DIGITS)))
    if not some:
        return 0
    import phonenumbers

    regions = ["US", "GB"]
    for language in sorted(languages):
        regions += _REGIONS.get(language, ())
    return sum(
        any(
            phonenumbers.PhoneNumberMatcher(text, region).has_next()
            for region in regions
        )
        for text in some[:PILOT]
    )


def embedded_identifiers(profile: ColumnProfile) -> list[Reason]:
    """Search texts for the patterns of identifiers (methods G.1, last paragraph).

    Parameters
    ----------
    profile : ColumnProfile
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
            n_texts = int(profile.texts.contains(pattern).sum())
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
