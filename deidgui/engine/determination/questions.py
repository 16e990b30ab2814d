"""The questions about the context of a release, and what can be answered.

The wording, the weights and the cuts are this program's own; the topics are those of
the questionnaires in the references.

References
----------
.. [1] Information and Privacy Commissioner of Ontario (2016), *De-identification
   Guidelines for Structured Data*, steps 5 and 6 (topics).
.. [2] Berlin Institute of Health (2026), *Risk Evaluation Assistant* (topics).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from deidgui.text import Text

Level = Literal["low", "medium", "high"]
LEVELS: tuple[Level, ...] = ("low", "medium", "high")

Part = Literal["controls", "motives", "capacity", "invasion"]
"""What a question is about: one questionnaire, of which motives are two parts."""


@dataclass(frozen=True)
class ContextQuestion:
    """One question of a questionnaire.

    Parameters
    ----------
    key : str
        As it stands in projects and evidence: C1 to C20, M0 to M3, K1 to K3, P1 to P8.
    answers : tuple of str
        What can be answered, the most favourable first.
    weight : int
        Of a control; 0 for other questions.
    is_essential : bool
        Whether controls are never rated high without it.
    scale : tuple of str
        What the answers "0", "1" and "2" mean; empty for other questions.
    """

    key: str
    part: Part
    text: Text
    answers: tuple[str, ...]
    weight: int = 0
    is_essential: bool = False
    scale: tuple[Text, ...] = ()


OF_CONTROLS = ("yes", "partly", "no", "unknown", "does_not_apply")
OF_MOTIVES = ("no", "yes", "unknown")
OF_INVASION = ("0", "1", "2")

ANSWER_WORDS: dict[str, Text] = {
    "yes": "Yes",
    "partly": "Partly",
    "no": "No",
    "unknown": "Unknown",
    "does_not_apply": "Does not apply",
    "0": "Low",
    "1": "Medium",
    "2": "High",
}


def _control(
    key: str, weight: int, text: Text, *, is_essential: bool = False
) -> ContextQuestion:
    return ContextQuestion(key, "controls", text, OF_CONTROLS, weight, is_essential)


def _motive(key: str, part: Part, text: Text) -> ContextQuestion:
    return ContextQuestion(key, part, text, OF_MOTIVES)


def _invasion(key: str, text: Text, scale: tuple[Text, Text, Text]) -> ContextQuestion:
    return ContextQuestion(key, "invasion", text, OF_INVASION, scale=scale)


_AGREEMENT: Text = "A signed agreement binds the recipient before access."
_BAN: Text = "It bans re-identifying, contacting and linking to other data on people."
_ONWARD: Text = (
    "It bans passing the data on without written consent; whoever receives them then "
    "is bound alike."
)
_ENFORCED: Text = "It can be enforced where the recipient works, with consequences."
_AUDIT: Text = "The owner may audit the recipient, also unannounced."
_CERTIFICATE: Text = "An independent security audit or certificate of the last 2 years."
_NAMED: Text = "Only named people who need the data have access; the list is kept."
_TRAINED: Text = "Each has signed confidentiality and was trained within a year."
_WRITTEN: Text = "A written privacy and security policy, and a person in charge."
_ENCRYPTED: Text = "Encrypted in transit, at rest and on portable media."
_LOGIN: Text = "Strong login; accounts are closed when somebody leaves."
_LOGGED: Text = "Access is logged by person, time and action, and reviewed."
_MALWARE: Text = "Protection against malware, updates, a separated network."
_ROOMS: Text = "Locked rooms."
_ENCLAVE: Text = "Work in a controlled environment: no download, outputs checked."
_INCIDENTS: Text = "An incident plan; the owner is told within 72 hours."
_ASSESSED: Text = "A threat and risk assessment of the site."
_END: Text = "An end date, after which destruction is certified."
_EARLIER: Text = "Earlier releases to this recipient passed without an incident."
_LINKING: Text = "Linking is prevented technically, or approved case by case."

CONTROLS: tuple[ContextQuestion, ...] = (
    _control("C1", 3, _AGREEMENT, is_essential=True),
    _control("C2", 3, _BAN, is_essential=True),
    _control("C3", 3, _ONWARD, is_essential=True),
    _control("C4", 2, _ENFORCED),
    _control("C5", 2, _AUDIT),
    _control("C6", 2, _CERTIFICATE),
    _control("C7", 3, _NAMED, is_essential=True),
    _control("C8", 2, _TRAINED),
    _control("C9", 2, _WRITTEN),
    _control("C10", 3, _ENCRYPTED, is_essential=True),
    _control("C11", 2, _LOGIN),
    _control("C12", 2, _LOGGED),
    _control("C13", 2, _MALWARE),
    _control("C14", 1, _ROOMS),
    _control("C15", 2, _ENCLAVE),
    _control("C16", 3, _INCIDENTS, is_essential=True),
    _control("C17", 2, _ASSESSED),
    _control("C18", 2, _END),
    _control("C19", 1, _EARLIER),
    _control("C20", 1, _LINKING),
)

_INCIDENT: Text = "The recipient has had an incident of this kind before."
_MONEY: Text = "Somebody there could gain money, or commit a crime, with an identity."
_CURIOUS: Text = (
    "Somebody there has another reason: curiosity, a dispute, journalism, stalking."
)
_HARM: Text = "Somebody there wants to harm or embarrass the owner of the data."
_SKILL: Text = "The recipient has the skill to re-identify people."
_MEANS: Text = "The recipient has the money and time for it."
_OTHER_DATA: Text = "The recipient holds other data on the same people."

MOTIVES: tuple[ContextQuestion, ...] = (
    _motive("M0", "motives", _INCIDENT),
    _motive("M1", "motives", _MONEY),
    _motive("M2", "motives", _CURIOUS),
    _motive("M3", "motives", _HARM),
    _motive("K1", "capacity", _SKILL),
    _motive("K2", "capacity", _MEANS),
    _motive("K3", "capacity", _OTHER_DATA),
)

_SENSITIVE: Text = "How sensitive are the data?"
_DETAIL: Text = "How detailed are they; do they tell events over time?"
_PEOPLE: Text = "How many people are in the data?"
_INJURY: Text = "How much harm to body, money or standing could follow?"
_VULNERABLE: Text = "Are the people vulnerable, stigmatised, or children?"
_SECRECY: Text = "Was secrecy promised to them?"
_CONSENT: Text = "Did they consent to this use?"
_ABROAD: Text = "Does another country's law apply, or do the data go abroad?"
_DEGREES: tuple[Text, Text, Text] = ("little", "somewhat", "very")
_COUNTS: tuple[Text, Text, Text] = ("under 1,000", "under 100,000", "more")
_CONSENTS: tuple[Text, Text, Text] = (
    "consent",
    "only told",
    "not even told",
)
_EXTENTS: tuple[Text, Text, Text] = ("no", "some or partly", "yes")

INVASION: tuple[ContextQuestion, ...] = (
    _invasion("P1", _SENSITIVE, _DEGREES),
    _invasion("P2", _DETAIL, _DEGREES),
    _invasion("P3", _PEOPLE, _COUNTS),
    _invasion("P4", _INJURY, _DEGREES),
    _invasion("P5", _VULNERABLE, _EXTENTS),
    _invasion("P6", _SECRECY, _EXTENTS),
    _invasion("P7", _CONSENT, _CONSENTS),
    _invasion("P8", _ABROAD, _EXTENTS),
)

QUESTIONS: tuple[ContextQuestion, ...] = (*CONTROLS, *MOTIVES, *INVASION)
BY_KEY: dict[str, ContextQuestion] = {each.key: each for each in QUESTIONS}
