"""How roles, types, findings and treatments are called, and what they mean."""

from __future__ import annotations

from collections.abc import Mapping

from deidgui.app.project import Attribute
from deidgui.app.text import fill, sentences
from deidgui.engine.data.dates import formats_of
from deidgui.engine.data.encoding import EncodingEvidence
from deidgui.engine.detect.roles import Band, Finding, Reason
from deidgui.errors import ConfigError
from deidgui.text import Text, tr

ROLES = ("direct_identifier", "quasi_identifier", "sensitive", "insensitive")
"""In the order of the keys 1 to 4."""

KINDS = ("text", "category", "integer", "decimal", "date")

TREATMENTS = ("remove", "pseudonym", "mask")

BAND_GLYPH = {
    Band.CERTAIN: "check-circle",
    Band.PROBABLE: "target",
    Band.POSSIBLE: "help",
    None: "minus",
}
"""A form of its own for each band, so that colour is not all that tells."""

BAND_COLOUR = {
    Band.CERTAIN: "success",
    Band.PROBABLE: "info",
    Band.POSSIBLE: "warning",
    None: "subtle",
}

_WORDS: Mapping[str, Text] = {
    "direct_identifier": "Direct identifier",
    "quasi_identifier": "Quasi-identifier",
    "sensitive": "Sensitive",
    "insensitive": "Insensitive",
    "text": "Text",
    "category": "Category",
    "integer": "Whole number",
    "decimal": "Decimal",
    "date": "Date",
    "remove": "Remove",
    "pseudonym": "Pseudonym",
    "mask": "Mask",
    "certain": "Certain",
    "probable": "Probable",
    "possible": "Possible",
    "no_evidence": "No evidence",
}

_TOPICS: Mapping[str, Text] = {
    "zip": "ZIP code",
    "postcode": "postal code",
    "icd9": "ICD-9 code",
    "icd10": "ICD-10 code",
    "code": "coded value",
    "marital": "marital status",
    "facility": "place of care",
    "disposition": "discharge status",
    "admission": "kind of admission",
    "lifestyle": "way of life",
    "other unique number or code": "unique number or code",
}
"""Topics whose words are not the ones for people."""

_MEANINGS: Mapping[str, Text] = {
    "direct_identifier": (
        "Points to one person without any other column: a name, a record number. It "
        "is never released as it is."
    ),
    "quasi_identifier": (
        "Known to outsiders and identifying in combination: age, sex, place, dates. "
        "It is generalized until nobody stands out."
    ),
    "sensitive": (
        "Must not become known about a person: a diagnosis, a result. It is released "
        "as it is, for rows that nobody can single out."
    ),
    "insensitive": ("Neither known to outsiders nor harmful. It is released as it is."),
    "remove": "The column is not in the release. The safest treatment.",
    "pseudonym": (
        "A code takes the place of each value, the same for the same value, so that "
        "rows stay linked. It is made with a secret key that is in neither the "
        "project nor the release."
    ),
    "mask": "The column stays, with * in place of every value.",
}


def words(key: str) -> str:
    """Name of a role, type, treatment or band."""
    return tr(_WORDS[key])


def meaning(key: str) -> str:
    """What a role or treatment means, in one or two sentences."""
    return tr(_MEANINGS[key])


def removed_words(attribute: Attribute) -> str:
    """Say why a column is no part of the release; empty if its treatment keeps it."""
    if not attribute.is_removed:
        return ""
    return tr(
        "Nothing of it is released: the treatment of this direct identifier is "
        "“Remove”."
    )


def state_words(attribute: Attribute) -> str:
    """Say in a word that a column is not released; empty if it is."""
    if not attribute.include:
        return tr("left out")
    return tr("removed") if attribute.is_removed else ""


def type_words(attribute: Attribute) -> str:
    """Type of an attribute with its format: "Date, D.M.YYYY"."""
    name = words(attribute.kind)
    if attribute.kind == "date" and attribute.format:
        return f"{name}, {date_format_words(attribute.format)}"
    if attribute.kind == "decimal" and attribute.format in (",", "1.234,5"):
        return f"{name}, {number_format_words(attribute.format)}"
    return name


def table_words(attribute: Attribute) -> str:
    """Say from which of several files a column is; empty for the first one."""
    if attribute.table == "people":
        return tr("people")
    return "" if attribute.table == "table" else attribute.table


def date_format_words(name: str) -> str:
    """Date format for people; of a format with short years without its pivot."""
    try:
        return ", ".join(form.name for form, _ in formats_of(name))
    except ConfigError:
        return name


def number_format_words(name: str) -> str:
    """Number format for people, by an example."""
    return {".": "1234.5", ",": "1234,5"}.get(name, name)


def band_words(band: Band | None) -> str:
    """How sure a finding is."""
    return words(band.value if band else "no_evidence")


def finding_words(finding: Finding | None) -> str:
    """What was found in a few words: "ZIP code", "Medical record number"."""
    if finding is None or finding.band is None or finding.role is None:
        return ""
    topic = finding.topic.value if finding.topic else ""
    if finding.identifier is not None and topic in ("", "identifier", "contact"):
        topic = tr(finding.identifier.title)
    text = topic_words(topic) if topic else words(finding.role)
    return text[:1].upper() + text[1:]


def topic_words(topic: str) -> str:
    """What is recognised in a column, within a sentence: "ZIP code", "age"."""
    return tr(_TOPICS.get(topic, topic))


def reason_words(reason: Reason) -> str:
    """Sentence of a reason for a role."""
    return _sentence(reason.code, reason.params)


def evidence_words(evidence: EncodingEvidence) -> str:
    """Sentence of evidence for a dialect, an encoding or a type."""
    return _sentence(evidence.code, dict(evidence.params))


def _sentence(code: str, params: Mapping[str, object]) -> str:
    sentence = sentences().get(code)
    if sentence is None:
        return code.replace("_", " ").capitalize() + "."
    return str(fill(sentence, params))
