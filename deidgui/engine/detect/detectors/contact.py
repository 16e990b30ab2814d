"""Detectors of telephone, fax, e-mail and internet addresses (4 to 6, 14, 15)."""

from __future__ import annotations

from deidgui.engine.detect.checks import is_international_telephone, is_ip_address
from deidgui.engine.detect.roles import Identifier, Topic
from deidgui.engine.detect.rules import (
    WORDS,
    WORDS_OR_CODES,
    Detector,
    ValueRule,
    direct,
    matches,
)

_AREA = r"[2-9]\d{2}"
_FORMATTED = (
    rf"^(?:\+?1[-. ]*)?(?:\({_AREA}\)[-. ]*|{_AREA}[-. ]){_AREA}[-. ]\d{{4}}"
    r"(?:\s*(?:x|ext\.?)\s*\d+)?$"
)
_BARE = rf"^\+?1?{_AREA}{_AREA}\d{{4}}$"

_TELEPHONE = (
    ValueRule("a telephone number", 0.8, matches(_FORMATTED, lengths=(10, 30))),
    ValueRule("ten digits that can be a telephone number", 0.4,
              matches(_BARE, lengths=(10, 12))),
    ValueRule("an international telephone number", 0.8,
              matches(r"^\+[\d ()./-]{8,20}$", is_international_telephone, (9, 22))),
    ValueRule("a national telephone number", 0.6,
              matches(r"^0\d{1,5}[ /-][\d /-]{4,12}$", lengths=(7, 20)),
              needs_cue=True),
)  # fmt: skip
_EMAIL = r"[^@\s]+@[^@\s]+\.[A-Za-z]{2,}"

DETECTORS: tuple[Detector, ...] = (
    direct(
        Topic.CONTACT,
        "telephone number",
        Identifier.TELEPHONE,
        words="telephone",
        names=("phone", "telefon", "telephone", "phone number", "telephone number",
               "mobile",
               "cell", "cell phone", "home phone", "work phone", "contact number",
               "contact phone", "pager", "=call", "handy"),
        rules=_TELEPHONE,
        kinds=WORDS_OR_CODES,
        scan=(
            (
                "a telephone number",
                rf"(?:\({_AREA}\)\s?|\b{_AREA}[-. ]){_AREA}[-. ]\d{{4}}\b",
            ),
        ),
    ),
    direct(
        Topic.CONTACT,
        "fax number",
        Identifier.FAX,
        words="fax",
        names=("fax", "fax number", "telefax", "facsimile"),
        rules=tuple(
            ValueRule(rule.title, rule.confidence, rule.test, needs_cue=True)
            for rule in _TELEPHONE
        ),
        kinds=WORDS_OR_CODES,
    ),
    direct(
        Topic.CONTACT,
        "e-mail address",
        Identifier.EMAIL,
        words="email",
        names=("email", "e mail", "mail", "email address", "mail address"),
        rules=(ValueRule("an e-mail address", 0.98, matches(rf"^{_EMAIL}$",
                                                            lengths=(6, 320))),),
        kinds=WORDS,
        scan=(("an e-mail address", rf"\b{_EMAIL}\b"),),
    ),
    direct(
        Topic.CONTACT,
        "web address",
        Identifier.URL,
        names=("url", "web", "web address", "homepage", "website", "web site",
               "=link", "=site", "hyperlink"),
        rules=(ValueRule("a web address", 0.95, matches(
            r"^(?i:(?:https?|ftp)://[\w.-]+|www\.[\w-]+\.)", lengths=(7, 4000))),),
        kinds=WORDS,
        scan=(("a web address", r"(?i)\b(?:https?://|www\.)[\w.-]+"),),
    ),
    direct(
        Topic.CONTACT,
        "IP address",
        Identifier.IP_ADDRESS,
        names=("ip", "ip address", "ipv 4", "ipv 6", "ipv", "host", "hostname"),
        rules=(ValueRule("an IP address", 0.9, matches(
            r"^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f.]{0,15}){2,8})$",
            is_ip_address, (3, 45))),),
        kinds=WORDS,
        scan=(("an IP address", r"\b\d{1,3}(?:\.\d{1,3}){3}\b"),),
    ),
)  # fmt: skip
