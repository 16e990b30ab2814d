"""Make the built-in sample: a synthetic hospital's patients and their encounters.

    python resources/samples/make_samples.py

Nobody in it exists. Who is drawn follows public figures, which `SOURCES.md` explains.
"""

from __future__ import annotations

import csv
import gzip
import io
from collections.abc import Sequence
from pathlib import Path

from chance import Chance, Weighted, by_rank, record_numbers
from residents import Person, group_of, grouped, patients_like, read, tilt
from stays import Hospital, Patient, Stay, age_on

HERE = Path(__file__).resolve().parent

SEED = 20_230_101
N_PATIENTS = 20_000
ADULT = 18

# Our own assumptions, for want of public figures at hand.
MISSING_PHONE, MISSING_MARITAL_STATUS = 0.04, 0.03
# From which age on -> share without an e-mail address.
MISSING_EMAIL = ((80, 0.7), (65, 0.4), (18, 0.15), (0, 0.6))
APARTMENT_SHARE = 0.18
AREA_CODES = ("423", "615", "629", "731", "865", "901", "931")
OUTPATIENT_PLACES = Weighted([("Office", 0.6), ("Outpatient hospital", 0.4)])
N_PROVIDERS = 25  # in each specialty

PATIENT_COLUMNS = (
    "patient_id", "last_name", "first_name", "phone", "email", "address", "city", "zip",
    "birth_date", "sex", "race", "ethnicity", "marital_status", "insurance_no",
    "admission_date", "discharge_date", "length_of_stay", "diagnosis",
    "discharge_disposition",
)  # fmt: skip
ENCOUNTER_COLUMNS = (
    "encounter_id", "patient_id", "admission_date", "discharge_date", "length_of_stay",
    "days_since_first", "encounter_type", "place_of_service", "specialty",
    "provider_id", "procedure_group", "diagnosis",
)  # fmt: skip

# Column of figures/zips.csv for each race of somebody who is not Hispanic.
ZIP_COLUMNS = {
    "White": "white",
    "Black or African American": "black",
    "American Indian or Alaska Native": "native",
    "Asian": "asian_pacific",
    "Native Hawaiian or Other Pacific Islander": "asian_pacific",
    "Two or more races": "other",
}

# First letters of a diagnosis -> specialty, and part of the body for a surgeon.
SPECIALTIES = {
    "A": ("Infectious diseases", "other"),
    "B": ("Infectious diseases", "other"),
    "C": ("Oncology", "other"),
    "D": ("Hematology", "other"),
    "E": ("Endocrinology", "other"),
    "F": ("Psychiatry", "other"),
    "G": ("Neurology", "nervous system"),
    "H": ("Ophthalmology", "eye"),
    "I": ("Cardiology", "heart and vessels"),
    "J": ("Pulmonology", "respiratory system"),
    "K": ("Gastroenterology", "digestive system"),
    "L": ("Dermatology", "skin"),
    "M": ("Orthopedics", "bones and joints"),
    "N": ("Urology", "urinary system"),
    "O": ("Obstetrics", "delivery"),
    "P": ("Neonatology", "other"),
    "Q": ("Pediatrics", "other"),
    "S": ("Orthopedics", "bones and joints"),
    "T": ("General surgery", "other"),
    "Z38": ("Neonatology", "other"),
}
OTHER_SPECIALTY = ("Internal medicine", "other")
PROCEDURES = {
    "Inpatient": Weighted(
        [
            ("Evaluation and management", 0.30),
            ("Surgery", 0.25),
            ("Radiology", 0.15),
            ("Pathology and laboratory", 0.15),
            ("Medicine", 0.10),
            ("Anesthesia", 0.05),
        ]
    ),
    "Emergency": Weighted(
        [
            ("Evaluation and management", 0.60),
            ("Radiology", 0.20),
            ("Pathology and laboratory", 0.15),
            ("Surgery", 0.05),
        ]
    ),
    "Outpatient": Weighted(
        [
            ("Evaluation and management", 0.55),
            ("Pathology and laboratory", 0.20),
            ("Radiology", 0.12),
            ("Medicine", 0.10),
            ("Surgery", 0.03),
        ]
    ),
}


def main() -> None:
    """Write the two files of the sample."""
    for name, content in sample().items():
        (HERE / name).write_bytes(compressed(content))


def sample() -> dict[str, str]:
    """Make the sample: the text of each file by its name (without compression)."""
    chance = Chance(SEED)
    patients = _patients(chance)
    identities = Identities(chance, N_PATIENTS)
    patient_rows = [identities.row(*numbered) for numbered in enumerate(patients)]
    encounter_rows = _encounter_rows(chance, patients, identities.patient_ids)
    return {
        "synthetic_patients.csv.gz": _csv(PATIENT_COLUMNS, sorted(patient_rows)),
        "synthetic_encounters.csv.gz": _csv(ENCOUNTER_COLUMNS, encounter_rows),
    }


def compressed(content: str) -> bytes:
    """Compress without a time or a name in the header."""
    return gzip.compress(content.encode(), compresslevel=9, mtime=0)


def _csv(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue()


def _patients(chance: Chance) -> list[Patient]:
    hospital = Hospital(chance)
    people = Weighted(patients_like(tilt()).items())
    return [hospital.patient(people.draw(chance)) for _ in range(N_PATIENTS)]


# --- patients ---------------------------------------------------------------------


class Identities:
    """Invents everything by which a patient would be known."""

    def __init__(self, chance: Chance, n: int) -> None:
        self._chance = chance
        self.patient_ids = record_numbers("MRN", n, chance)
        self._insurance_nos = record_numbers("SYN", n, chance)
        names = _names()
        self._last_names = by_rank(names["last"])
        self._first_names = {
            "Female": by_rank(names["female"]),
            "Male": by_rank(names["male"]),
        }
        self._streets, self._street_types = names["street"], names["street_type"]
        zips = read("zips")
        self._cities = {row["zip"]: row["city"] for row in zips}
        self._zips = {
            column: Weighted((row["zip"], float(row[column])) for row in zips)
            for column in {*ZIP_COLUMNS.values(), "hispanic"}
        }
        self._marital_status = grouped(
            read("marital_status"), ("age_group", "sex"), "value", "thousands"
        )

    def row(self, at: int, patient: Patient) -> tuple[object, ...]:
        """Write the line of one patient in the order of `PATIENT_COLUMNS`."""
        chance, person, stay = self._chance, patient.person, patient.index
        last = self._last_names.draw(chance)
        first = self._first_names[person.sex].draw(chance)
        zip_code = self._zips[_zip_column(person)].draw(chance)
        return (
            self.patient_ids[at],
            last,
            first,
            self._phone(),
            self._email(first, last, person.age),
            self._address(),
            self._cities[zip_code],
            zip_code,
            patient.born,
            person.sex,
            person.race,
            person.ethnicity,
            self._marital(person),
            self._insurance_nos[at],
            stay.admitted,
            stay.discharged,
            stay.days,
            stay.diagnosis,
            patient.disposition,
        )

    def _phone(self) -> str:
        """Draw a number from 555-0100 to 555-0199, which are kept for fiction."""
        if self._chance.share() < MISSING_PHONE:
            return ""
        return f"({self._chance.of(AREA_CODES)}) 555-01{self._chance.below(100):02}"

    def _email(self, first: str, last: str, age: int) -> str:
        """Draw an address at example.org, which is kept for examples (RFC 2606)."""
        missing = next(share for start, share in MISSING_EMAIL if age >= start)
        if self._chance.share() < missing:
            return ""
        number = self._chance.below(1000)
        return f"{first}.{last}{number}@example.org".lower()

    def _address(self) -> str:
        chance = self._chance
        house = 1 + chance.below(9899)
        street = f"{chance.of(self._streets)} {chance.of(self._street_types)}"
        if chance.share() < APARTMENT_SHARE:
            return f"{house} {street} Apt {1 + chance.below(60)}"
        return f"{house} {street}"

    def _marital(self, person: Person) -> str:
        if self._chance.share() < MISSING_MARITAL_STATUS:
            return ""
        if person.age < ADULT:
            return "Never married"
        return self._marital_status[group_of(person.age), person.sex].draw(self._chance)


def _names() -> dict[str, list[str]]:
    """Read the lists of names and streets."""
    lines = (HERE / "names.txt").read_text(encoding="utf-8").splitlines()
    told = (line.partition(": ") for line in lines if not line.startswith("#"))
    return {kind: names.split() for kind, _, names in told}


def _zip_column(person: Person) -> str:
    if person.ethnicity == "Hispanic or Latino":
        return "hispanic"
    return ZIP_COLUMNS[person.race]


# --- encounters -------------------------------------------------------------------


def _encounter_rows(
    chance: Chance, patients: Sequence[Patient], patient_ids: Sequence[str]
) -> list[tuple[object, ...]]:
    """Write the lines of all encounters, each patient's together and in order."""
    told = [
        (patient_id, patient, stay)
        for patient_id, patient in zip(patient_ids, patients, strict=True)
        for stay in (*patient.others, patient.index)
    ]
    told.sort(key=lambda one: (one[0], one[2].admitted))
    first: dict[str, Stay] = {}
    for patient_id, _, stay in told:
        first.setdefault(patient_id, stay)
    return [
        (
            encounter_id,
            patient_id,
            stay.admitted,
            stay.discharged,
            stay.days,
            (stay.admitted - first[patient_id].admitted).days,
            stay.kind,
            *_service(chance, stay, age_on(stay.admitted, patient.born)),
            stay.diagnosis,
        )
        for encounter_id, (patient_id, patient, stay) in zip(
            record_numbers("E", len(told), chance), told, strict=True
        )
    ]


def _service(chance: Chance, stay: Stay, age: int) -> tuple[str, str, str, str]:
    """Draw place, specialty, provider and kind of procedure that suit a stay."""
    place = {
        "Inpatient": "Inpatient hospital",
        "Emergency": "Emergency room",
    }.get(stay.kind) or OUTPATIENT_PLACES.draw(chance)
    specialty, part = SPECIALTIES.get(
        stay.diagnosis[:3], SPECIALTIES.get(stay.diagnosis[0], OTHER_SPECIALTY)
    )
    if stay.kind == "Emergency":
        specialty = "Emergency medicine"
    elif age < ADULT and specialty not in ("Neonatology", "Obstetrics", "Psychiatry"):
        specialty = "Pediatrics"
    procedure = PROCEDURES[stay.kind].draw(chance)
    if procedure == "Surgery":
        procedure = f"Surgery: {part}"
    # Some providers see far more patients than others.
    provider = int(N_PROVIDERS * chance.share() ** 2)
    return place, specialty, f"{_initials(specialty)}{provider + 1:03}", procedure


def _initials(specialty: str) -> str:
    return specialty[:3].upper()


if __name__ == "__main__":
    main()
