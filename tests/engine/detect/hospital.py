"""A hospital extract of invented people, to judge proposals on."""

from __future__ import annotations

import datetime
import uuid

import numpy as np

from deidgui.engine.data.table import Column, Table
from deidgui.engine.detect.wordlists import _zip_areas, word_list

N_RECORDS = 600

_STREETS = ("Main St", "Oak Avenue", "Elm Rd", "Maple Lane", "2nd St", "Park Blvd")
_ICD10 = ("E11.9", "I10", "J44.1", "N18.3", "F32.9", "C50.911", "S72.001A", "U07.1",
          "K21.9", "M54.5", "Z23", "O80")  # fmt: skip
_SYLLABLES = ("pain", "stable", "reports", "cough", "since", "seen", "follow", "dose")


def _luhn_digit(digits: str) -> str:
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (2 if place % 2 == 0 else 1)
        total += value - 9 if value > 9 else value
    return str(-total % 10)


def hospital_texts(seed: int = 7, n: int = N_RECORDS) -> dict[str, list[str]]:
    """Texts by column name."""
    rng = np.random.default_rng(seed)

    def pick(words: object, share_missing: float = 0.0) -> list[str]:
        choices = sorted(words) if isinstance(words, frozenset) else list(words)
        drawn = rng.integers(0, len(choices), n)
        return ["" if rng.random() < share_missing else str(choices[i]) for i in drawn]

    def day(low: int, span: int) -> list[datetime.date]:
        start = datetime.date(low, 1, 1)
        return [start + datetime.timedelta(int(k)) for k in rng.integers(0, span, n)]

    def digits(length: int, lead: str = "123456789") -> str:
        rest = "".join(str(d) for d in rng.integers(0, 10, length - 1))
        return lead[rng.integers(0, len(lead))] + rest

    first = [w.title() for w in pick(word_list("first_names"))]
    last = [w.title() for w in pick(word_list("surnames"))]
    zips = sorted(
        f"{prefix}{k:02d}"
        for prefix, bits in _zip_areas().items()
        for k in range(100)
        if bits >> k & 1
    )
    admitted, born = day(2021, 700), day(1925, 34_000)
    npis = ["1" + digits(8) for _ in range(40)]
    return {
        "MRN": [digits(7) for _ in range(n)],
        "PatientName": [f"{b}, {a}" for a, b in zip(first, last, strict=True)],
        "attending": [f"Dr. {w}" for w in last],
        "mother's maiden name": [w.title() for w in pick(word_list("surnames"))],
        "DOB": [d.strftime("%m/%d/%Y") for d in born],
        "Age": [str(min(97, 2022 - d.year)) for d in born],
        "Sex": pick("MF"),
        "Race": pick(("White", "Black", "Asian", "Other")),
        "Ethnic_Group": pick(("Hispanic", "Not Hispanic")),
        "MaritalStatus": pick(("S", "M", "D", "W")),
        "Religion": pick(("Catholic", "None", "Baptist", "Jewish", "Muslim")),
        "Pref_Language": pick(("English", "Spanish", "Hmong")),
        "Education_Level": pick(("1", "2", "3", "4")),
        "Occupation": pick(("Teacher", "Nurse", "Retired", "Farmer", "Plumber")),
        "Street_Address": [f"{k} {s}" for k, s in
                           zip(rng.integers(1, 999, n), pick(_STREETS), strict=True)],
        "City": [w.title() for w in pick(word_list("cities"))],
        "County": [w.title() for w in pick(word_list("counties"))],
        "State": pick(("TN", "MS", "AR", "KY")),
        "ZIP": pick(zips),
        "HomePhone": [f"({digits(3, '23456789')}) {digits(3, '23456789')}-{digits(4)}"
                      for _ in range(n)],
        "Fax": [f"{digits(3, '23456789')}-{digits(3, '23456789')}-{digits(4)}"
                for _ in range(n)],
        "Email": [f"{a.lower()}.{b.lower()}{i}@example.org"
                  for i, (a, b) in enumerate(zip(first, last, strict=True))],
        "SSN": [f"{digits(3, '1234')}-{digits(2)}-{digits(4)}" for _ in range(n)],
        "Medicare_MBI": ["1EG4TE5MK" + digits(2) for _ in range(n)],
        "InsuranceNo": ["W" + digits(8) for _ in range(n)],
        "Account_Number": [digits(9) for _ in range(n)],
        "AttendingNPI": pick([x + _luhn_digit("80840" + x) for x in npis]),
        "device_serial": [f"SN{digits(6)}" for _ in range(n)],
        "portal_url": [f"https://example.org/p/{digits(6)}" for _ in range(n)],
        "last_login_ip": [".".join(str(k) for k in rng.integers(1, 255, 4))
                          for _ in range(n)],
        "photo": [f"scan_{i:05d}.jpg" for i in range(n)],
        "encounter_id": [str(5_000_000 + 3 * i) for i in range(n)],
        "row_uuid": [str(uuid.UUID(int=int(k))) for k in rng.integers(2**60, 2**62, n)],
        "AdmitDate": [d.isoformat() for d in admitted],
        "DischargeDateTime": [f"{d.isoformat()} 14:{k:02d}:00" for d, k in
                              zip(admitted, rng.integers(0, 60, n), strict=True)],
        "LOS": [str(int(k)) for k in rng.geometric(0.2, n)],
        "AdmissionType": pick(("Emergency", "Elective", "Urgent")),
        "ward": pick(("4A", "4B", "ICU", "7C")),
        "PrimaryDx": pick(_ICD10),
        "Procedure1": pick(("0DTJ4ZZ", "02703ZZ", "10E0XZZ")),
        "Payer": pick(("Medicare", "Medicaid", "Commercial", "Self-pay")),
        "DischargeDisposition": pick(("Home", "SNF", "Expired", "Rehab")),
        "HbA1c": [f"{x:.1f}" for x in rng.normal(6.5, 1.2, n)],
        "Creatinine": [f"{x:.2f}" for x in rng.gamma(3, 0.4, n)],
        "TotalCharges": [f"{x:.2f}" for x in rng.gamma(2, 9000, n)],
        "HouseholdIncome": [str(1000 * int(k)) for k in rng.integers(10, 200, n)],
        "SmokingStatus": pick(("Never smoker", "Former smoker", "Current smoker")),
        "survey_weight": [f"{x:.4f}" for x in rng.gamma(2, 50, n)],
        "Progress_Note": [
            "Seen on 03/04/2021, "
            + " ".join(pick(_SYLLABLES)[:9])
            + f", call 615-555-{digits(4)} for Mr. {name}"
            for name in last
        ],
    }  # fmt: skip


def table_of(texts: dict[str, list[str]], name: str = "hospital") -> Table:
    """Table from texts by column."""
    return Table(
        name, tuple(Column.from_texts(key, each) for key, each in texts.items())
    )


def guessed_types(table: Table) -> dict[str, str]:
    """Value types as a plain reader would guess them."""
    return {column.name: _kind(column) for column in table.columns}


def _kind(column: Column) -> str:
    present = column.values.filter(~column.values.is_in(["", "?", " ?"]))
    texts = present.str.strip_chars()
    if len(texts) == 0:
        return "text"
    if texts.str.contains(r"^[+-]?\d+$").all():
        return "integer"
    if texts.str.contains(r"^[+-]?\d*\.?\d+$").all():
        return "decimal"
    few = len(texts) <= 200 and len(texts) < 0.2 * column.n_rows
    return "category" if few else "text"
