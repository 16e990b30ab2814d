"""Roles of columns, and the findings of detection."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, StrEnum

from deidgui.errors import Param
from deidgui.text import Text


class Role(StrEnum):
    """What a column means for the privacy of the persons in the table."""

    DIRECT_IDENTIFIER = "direct_identifier"
    QUASI_IDENTIFIER = "quasi_identifier"
    SENSITIVE = "sensitive"
    INSENSITIVE = "insensitive"


_PROTECTION = (None, Role.INSENSITIVE, Role.SENSITIVE, Role.DIRECT_IDENTIFIER)


def protects_more(role: Role | None, other: Role | None) -> bool:
    """Whether a role protects more than another.

    Quasi-identifiers and sensitive attributes are protected in different ways,
    none more than the other.
    """
    same = {Role.QUASI_IDENTIFIER: Role.SENSITIVE}
    ranks = [
        _PROTECTION.index(same.get(each, each) if each else None)
        for each in (role, other)
    ]
    return ranks[0] > ranks[1]


class Treatment(StrEnum):
    """What happens to a direct identifier in the release."""

    REMOVE = "remove"
    PSEUDONYM = "pseudonym"
    MASK = "mask"


class Band(StrEnum):
    """How sure a finding is: from 0.85, from 0.60, from 0.35."""

    CERTAIN = "certain"
    PROBABLE = "probable"
    POSSIBLE = "possible"


class Identifier(Enum):
    """The 18 identifiers of HIPAA Safe Harbor, 45 CFR 164.514(b)(2)(i).

    Attributes
    ----------
    number : int in [1, 18]
        Position in the regulation's list (A to R).
    """

    NAME = (1, "name")
    GEOGRAPHY = (2, "place smaller than a state")
    DATE = (3, "date, or age over 89")
    TELEPHONE = (4, "telephone number")
    FAX = (5, "fax number")
    EMAIL = (6, "e-mail address")
    SOCIAL_SECURITY = (7, "social security number")
    MEDICAL_RECORD = (8, "medical record number")
    HEALTH_PLAN = (9, "health plan beneficiary number")
    ACCOUNT = (10, "account number")
    LICENSE = (11, "certificate or license number")
    VEHICLE = (12, "vehicle identifier or license plate")
    DEVICE = (13, "device identifier or serial number")
    URL = (14, "web address")
    IP_ADDRESS = (15, "IP address")
    BIOMETRIC = (16, "biometric identifier")
    PHOTO = (17, "full-face photograph")
    OTHER_CODE = (18, "other unique number or code")

    def __init__(self, number: int, title: Text) -> None:
        self.number = number
        self.title = title


class Topic(StrEnum):
    """What a column is about; the first ones have hierarchy templates."""

    AGE = "age"
    ZIP = "zip"
    POSTCODE = "postcode"
    DATE = "date"
    BIRTH_DATE = "birth date"
    YEAR = "year"
    STATE = "state"
    ICD9 = "icd9"
    ICD10 = "icd10"
    SEX = "sex"
    RACE = "race"
    NUMBER = "number"
    CODE = "code"

    MONTH = "month"
    COUNTY = "county"
    CITY = "city"
    REGION = "region"
    COUNTRY = "country"
    STREET = "street"
    COORDINATES = "coordinates"
    ETHNICITY = "ethnicity"
    MARITAL = "marital"
    RELATIONSHIP = "relationship"
    OCCUPATION = "occupation"
    EDUCATION = "education"
    LANGUAGE = "language"
    RELIGION = "religion"
    BODY = "body measure"
    LENGTH_OF_STAY = "length of stay"
    ADMISSION = "admission"
    FACILITY = "facility"
    INCOME = "income"
    MONEY = "money"
    PAYOR = "payor"
    DIAGNOSIS = "diagnosis"
    PROCEDURE = "procedure"
    DRUG = "drug"
    LAB = "test result"
    DISPOSITION = "disposition"
    SPECIALTY = "specialty"
    LIFESTYLE = "lifestyle"
    COUNT = "count of services"
    SAMPLING_WEIGHT = "sampling weight"
    HOUSEKEEPING = "housekeeping"
    FREE_TEXT = "free text"
    NAME = "name"
    CONTACT = "contact"
    IDENTIFIER = "identifier"


@dataclass(frozen=True)
class Reason:
    """One piece of evidence, as a code with parameters.

    Parameters
    ----------
    code : str
        Its sentence is in `deidgui.app.text.detection`.
    params : dict
        Counts, shares, names of rules and columns; never a cell's value.
    """

    code: str
    params: dict[str, Param] = field(default_factory=dict)


@dataclass(frozen=True)
class Finding:
    """The proposal for one column.

    Parameters
    ----------
    role : Role or None
        None without evidence: undecided, a person must say what the column is.
    treatment : Treatment or None
        Of a direct identifier.
    identifier : Identifier or None
        The Safe Harbor identifier it is or may be.
    score : float in [0, 1]
    band : Band or None
        How sure the role is; None below 0.35 and where it is undecided.
    reasons : tuple of Reason
        The first says why the role was chosen, the others on what evidence.
    alternatives : tuple of (Identifier, float)
        Other identifiers with a score of at least 0.35, best first.
    n_values : int
        Distinct values, missing ones left out.
    distinction, separation : float in [0, 1]
        How identifying the column is alone (methods F.1, Motwani).
    country : str
        Two letters of the country whose way of writing the values show, or empty.
    """

    column: str
    role: Role | None
    treatment: Treatment | None
    topic: Topic | None
    identifier: Identifier | None
    score: float
    band: Band | None
    reasons: tuple[Reason, ...]
    alternatives: tuple[tuple[Identifier, float], ...]
    n_values: int
    distinction: float
    separation: float
    country: str = ""
