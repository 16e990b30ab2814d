"""The checklist of a determination: 46 items, their sections, and what each needs.

The wording of the items is this program's own. Which regime asks for which item was
gathered from publications, some of them read at second hand only (`REGIMES_CHECKED`).

References
----------
.. [1] determination.md 1.2 (checklist) and 3.1 (outline, after ISO/IEC 27559:2022).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from deidgui.text import Text

REGIMES_CHECKED = "2026-11-22"
"""When what the regimes ask for was looked up."""

SECTIONS: Mapping[str, Text] = {
    "D1": "Cover, scope and summary",
    "D2": "Purpose, recipient and agreement",
    "D3": "Data and variables",
    "D4": "Sources and population",
    "D5": "Attacks and context",
    "D6": "Threshold",
    "D7": "Risk",
    "D8": "Singling out, linkability, inference, membership",
    "D9": "Methods",
    "D10": "Utility",
    "D11": "Validity, monitoring and incidents",
    "D12": "Public words",
    "D13": "Assumptions, limits, files and verification",
    "D14": "Determination and signatures",
}

DECISIVE = ("D2", "D3", "D5", "D6", "D11")
"""Sections without which nobody can determine anything (oracle O-H22)."""

FRONT_SHEETS: Mapping[str, Text] = {
    "hipaa": "HIPAA expert determination",
    "ema": "EMA and Health Canada",
    "gdpr": "GDPR and United Kingdom",
    "ontario": "Ontario",
    "australia": "Australia",
}
"""Regimes that a dossier can be sorted for."""

TITLES: Mapping[int, Text] = {
    1: "Title, version, date, and hash of what is determined",
    2: "Owner of the data, and who did the work",
    3: "The expert",
    4: "Purpose, and why each column is needed",
    5: "Legal basis of de-identifying",
    6: "Anticipated recipient",
    7: "Release model",
    8: "Data use agreement",
    9: "Clauses that California asks for",
    10: "Description of the data",
    11: "Direct identifiers and their treatment",
    12: "Replicability, availability and distinguishability of each column",
    13: "Quasi-identifiers, and why other columns are none",
    14: "Sensitive columns, and groups open to stigma",
    15: "Free text, images, genomes",
    16: "Outside sources that were considered",
    17: "Attack scenarios, and why one is excluded",
    18: "Controls, motives and capacity of the recipient",
    19: "Prevalence, acquaintances, breach rate",
    20: "Invasion of privacy",
    21: "Threshold, and why",
    22: "Reference population",
    23: "Risk before and after",
    24: "Measured again by second code before the release appears",
    25: "Uncertainty of estimated figures",
    26: "Sensitivity analysis",
    27: "Methods and rules by column, with reasons",
    28: "Public and confidential edition",
    29: "Codes for re-identification",
    30: "Singling out, linkability, inference",
    31: "Identity, attribute and membership disclosure",
    32: "Motivated intruder test",
    33: "Earlier and parallel releases",
    34: "Utility for the purpose",
    35: "Suppression where generalization does not suffice",
    36: "Time limit",
    37: "Review triggers, monitoring, person in charge",
    38: "Plan for incidents and claimed re-identification",
    39: "Transparency",
    40: "Five Safes",
    41: "Ten parts of the De-Identification Decision-Making Framework",
    42: "Small groups and rare diseases",
    43: "Assumptions and limits",
    44: "Conclusion and signatures",
    45: "Retention of the dossier",
    46: "Data protection impact assessment",
}

NEEDS: Mapping[str, Text] = {
    "title": "Title of the project",
    "case_number": "Case number or version",
    "owner": "Owner of the data: organisation, function, contact",
    "team": "Who did the work, and in which function",
    "expert": "Name and organisation of the expert",
    "expert_training": "Training, years of experience, earlier determinations",
    "expert_independence": "Independence of the expert from owner and recipient",
    "purpose": "Purpose",
    "needed": "Why each released column is needed",
    "legal_basis": "Legal basis, and notice or ethics reference",
    "recipient": "Recipient by name",
    "recipient_access": "Place, people with access, other data of the recipient",
    "release": "How the data are released",
    "agreement": "Agreement: reference, parties, begin and end",
    "clauses": "Clauses of the agreement (questions C1 to C5)",
    "california": "Whether the clauses are in the agreement; place of the policy",
    "source": "Source of the data, and where they were collected",
    "period": "Period of the data",
    "frame": "Who is in the data: census or sample, and how it was drawn",
    "roles": "Roles of all columns, confirmed by a person",
    "findings_signed": "Who released columns in spite of a finding, and when",
    "principles": "Replicability and availability of each quasi-identifier",
    "no_quasi_identifier": "Why each other released column is no quasi-identifier",
    "harm": "Harm that a disclosed value could do, and groups open to stigma",
    "free_text": "Free text, images and genomes: absent, or treated elsewhere",
    "sources": "Sources that were considered, with date, cost and access",
    "attacks": "Probability of each attack",
    "controls": "Controls, motives and capacity (questions C, M and K)",
    "prevalence": "Prevalence with its source, and acquaintances",
    "breach_rate": "Breach rate with source and year",
    "invasion": "Invasion of privacy (questions P1 to P8)",
    "threshold": "Threshold of the overall risk",
    "threshold_because": "Reason and precedent of the threshold",
    "overruled_signed": "Who overruled a threshold, and when",
    "population_because": "Why this population: the same place and time?",
    "measured": "A policy that was measured",
    "sensitivity": "Sensitivity table, measured once the context is answered; or "
    "figures that a person worked out",
    "rule": "Reason for the rule of each quasi-identifier",
    "key_custodian": "Who keeps the key of the codes, and where",
    "criteria_verdict": "What singling out, linkability and inference mean here",
    "disclosure_verdict": "Verdict on identity, attribute and membership disclosure",
    "intruder": "Motivated intruder test, recorded; or who tried, hours, sources, "
    "matches claimed and confirmed",
    "other_releases": "Other releases about the same people",
    "utility_verdict": "Verdict of an analyst: is the purpose met?",
    "suppression_because": "Why suppression, and not more generalization",
    "valid_until": "End date with its reason, and conditions",
    "monitoring": "How often it is reviewed, and by whom",
    "incident": "Contact, deadline and withdrawal if somebody claims a match",
    "published": "Where the public words are published, and who was consulted",
    "safe_projects": "Five Safes, projects: is this use appropriate?",
    "safe_people": "Five Safes, people: who may use the data appropriately?",
    "safe_settings": "Five Safes, settings: where and how are the data used?",
    "safe_outputs": "Five Safes, outputs: how are results checked?",
    "ten_parts": "Where each of the ten parts of the framework is answered",
    "small_groups": "How small groups and rare diseases are treated, and why",
    "notes_signed": "Who wrote the notes, and when",
    "conclusion": "Conclusion of the expert",
    "owner_signs": "Who signs for the owner",
    "second_reader": "Second reader, who has checked thresholds against sources",
    "archive": "Where the dossier is kept, and for how long",
    "deletion": "End date, from which the earliest deletion follows",
    "dpia": "Reference of the impact assessment",
}
"""What items need, by name: typed for the dossier, or said elsewhere."""

OF_COLUMNS = ("needed", "rule")
"""Typed for each column that is concerned."""

ELSEWHERE: Mapping[str, Text] = {
    "title": "project",
    "purpose": "context of the release",
    "recipient": "context of the release",
    "release": "context of the release",
    "agreement": "context of the release",
    "clauses": "context of the release",
    "attacks": "context of the release",
    "controls": "context of the release",
    "prevalence": "context of the release",
    "breach_rate": "context of the release",
    "invasion": "context of the release",
    "threshold": "context of the release",
    "threshold_because": "justification of the thresholds, or of one of your own",
    "findings_signed": "step Preview and export",
    "overruled_signed": "step Preview and export",
    "notes_signed": "step Preview and export",
    "roles": "step Attributes",
    "measured": "step Policies",
    "principles": "step Attributes, Known outside",
    "no_quasi_identifier": "step Attributes, Known outside",
    "valid_until": "validity of the determination",
    "monitoring": "validity of the determination",
    "deletion": "validity of the determination",
    "incident": "validity of the determination",
}
"""Not typed for the dossier: where it is said."""

TYPED: tuple[str, ...] = tuple(
    name for name in NEEDS if name not in ELSEWHERE and name not in OF_COLUMNS
)
"""Typed for the dossier, one text each."""


@dataclass(frozen=True)
class Item:
    """One item of the checklist.

    Parameters
    ----------
    number : int
        1 to 46.
    sections : tuple of str
        Of the dossier, that where it is entered first.
    regimes : tuple of str
        Who asks for it; empty: all. Also ``ccpa``, ``iso`` and ``tbs``.
    needs : tuple of str
        Names among `NEEDS`; none where the program states it by itself.
    may_not_apply : bool
        Whether a person may say, with a reason, that it does not apply.
    """

    number: int
    sections: tuple[str, ...]
    regimes: tuple[str, ...]
    needs: tuple[str, ...]
    may_not_apply: bool

    @property
    def title(self) -> Text:
        """What it is about."""
        return TITLES[self.number]


_TABLE: tuple[tuple[int, str, str, str], ...] = (
    (1, "D1,D13", "", "title,case_number"),
    (2, "D1", "", "owner,team"),
    (3, "D1,D14", "hipaa", "expert,expert_training,expert_independence"),
    (4, "D2", "ema,gdpr,ontario,australia", "purpose,needed"),
    (5, "D2", "gdpr,ontario,australia", "legal_basis"),
    (6, "D2", "", "recipient,recipient_access"),
    (7, "D2", "", "release"),
    (8, "D2", "hipaa,ontario,ccpa", "agreement,clauses"),
    (9, "D2", "ccpa", "california"),
    (10, "D3", "", "source,period,frame"),
    (11, "D3", "", "roles,findings_signed"),
    (12, "D3", "hipaa,ema", "principles"),
    (13, "D3", "", "no_quasi_identifier"),
    (14, "D3,D8", "gdpr,ontario", "harm"),
    (15, "D3", "", "free_text"),
    (16, "D4", "hipaa,gdpr,ema", "sources"),
    (17, "D5", "ema,ontario,iso", "attacks"),
    (18, "D5", "ontario,iso", "controls"),
    (19, "D5", "ema,ontario", "prevalence,breach_rate"),
    (20, "D6", "ontario,iso", "invasion"),
    (21, "D6", "", "threshold,threshold_because,overruled_signed"),
    (22, "D4", "ema,hipaa", "population_because"),
    (23, "D7", "", "measured"),
    (24, "D7,D13", "", "measured"),
    (25, "D7", "hipaa", "measured"),
    (26, "D7", "ema,hipaa", "sensitivity"),
    (27, "D9", "", "rule"),
    (28, "D9", "", ""),
    (29, "D9", "hipaa", "key_custodian"),
    (30, "D8", "ema,gdpr", "criteria_verdict"),
    (31, "D8", "ontario", "disclosure_verdict"),
    (32, "D8", "gdpr,ontario", "intruder"),
    (33, "D8", "hipaa,gdpr,ontario", "other_releases"),
    (34, "D10", "ema,gdpr", "utility_verdict"),
    (35, "D9,D10", "ema", "suppression_because"),
    (36, "D11", "hipaa,gdpr", "valid_until"),
    (37, "D11", "gdpr,ontario,iso,australia", "monitoring"),
    (38, "D11", "gdpr,ontario,iso,australia", "incident"),
    (39, "D12", "gdpr,ontario,iso,australia", "published"),
    (
        40,
        "D2,D5",
        "australia,gdpr",
        "safe_projects,safe_people,safe_settings,safe_outputs",
    ),
    (41, "D13", "australia", "ten_parts"),
    (42, "D7", "ema,ontario", "small_groups"),
    (43, "D13", "", "notes_signed"),
    (44, "D14", "", "expert,conclusion,owner_signs,second_reader"),
    (45, "D14", "hipaa", "archive,deletion"),
    (46, "D2", "gdpr", "dpia"),
)

MAY_NOT_APPLY = frozenset(
    {3, 5, 8, 9, 14, 16, 26, 29, 31, 32, 33, 35, 39, 40, 41, 42, 45, 46}
)
"""Items that a person may call not applicable, with a reason."""

ITEMS: tuple[Item, ...] = tuple(
    Item(
        number,
        tuple(sections.split(",")),
        tuple(filter(None, regimes.split(","))),
        tuple(filter(None, needs.split(","))),
        number in MAY_NOT_APPLY,
    )
    for number, sections, regimes, needs in _TABLE
)
