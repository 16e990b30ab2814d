"""Detectors of biometrics and photographs (identifiers 16 and 17)."""

from __future__ import annotations

from deidgui.engine.detect.roles import Identifier, Topic
from deidgui.engine.detect.rules import WORDS, Detector, ValueRule, direct, matches

DETECTORS: tuple[Detector, ...] = (
    direct(
        Topic.IDENTIFIER,
        "biometric identifier",
        Identifier.BIOMETRIC,
        names=("fingerprint", "finger print", "voice", "voice print", "retina",
               "iris", "iris scan", "dna", "genome", "biometric", "face id"),
        rules=(
            ValueRule("more than 200 characters of coded data", 0.5, matches(
                r"^[A-Za-z0-9+/]{200,}={0,2}$", lengths=(201, 10**9))),
        ),
        kinds=WORDS,
        scan=(
            ("more than 200 characters of coded data", r"[A-Za-z0-9+/]{201}"),
            ("a sequence of bases", r"\b[ACGTN]{20}"),
        ),
    ),
    direct(
        Topic.IDENTIFIER,
        "photograph",
        Identifier.PHOTO,
        names=("photo", "photograph", "image", "picture", "portrait", "dicom",
               "image path", "image file", "mugshot"),
        rules=(
            ValueRule("an image file", 0.85, matches(
                r"(?i)^data:image/|\.(?:jpe?g|png|tiff?|dcm|bmp|gif|heic)$")),
        ),
        kinds=WORDS,
        scan=(
            (
                "an image file",
                r"(?i)\bdata:image/|\w\.(?:jpe?g|png|tiff?|dcm|bmp|gif|heic)\b",
            ),
        ),
    ),
)  # fmt: skip
