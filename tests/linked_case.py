"""Two linked tables made up for tests: admissions with diagnoses, and conditions.

Shaped like those of MIMIC (a patient, admissions, several diagnoses each) and of
Synthea (conditions with a start): no data of theirs.
"""

import csv
import random
from pathlib import Path

ILLNESSES = ["I10", "E11.9", "J44.1", "N18.3", "F32.0", "C50.9", "Z51.1"]
WARDS = ["medicine", "surgery", "intensive care"]


def write_rows(path: Path, rows: list[dict[str, str]]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def people_rows(n: int = 240, seed: int = 7) -> list[dict[str, str]]:
    draw = random.Random(seed)
    return [
        {
            "subject_id": f"{10_000 + 37 * number}",
            "sex": draw.choice("FM"),
            "birth_year": str(draw.choice([1948, 1955, 1962, 1970])),
            "region": draw.choice(["north", "south"]),
        }
        for number in range(n)
    ]


def event_rows(
    people: list[dict[str, str]], without: int = 0, seed: int = 11
) -> list[dict[str, str]]:
    """Diagnoses of admissions; the last `without` people have none."""
    draw = random.Random(seed)
    rows = []
    having = people[: len(people) - without]
    for person in having:
        for _ in range(draw.choice([1, 1, 2, 3])):
            year, ward = str(draw.choice([2019, 2020])), draw.choice(WARDS)
            for _ in range(draw.choice([1, 1, 2])):
                rows.append(
                    {
                        "subject_id": person["subject_id"],
                        "admission_year": year,
                        "ward": ward,
                        "diagnosis": draw.choice(ILLNESSES),
                    }
                )
    draw.shuffle(rows)
    return rows


def condition_tables(n: int = 120, seed: int = 5):
    """People with an Id and conditions of a PATIENT, as Synthea names them."""
    draw = random.Random(seed)
    people = [
        {
            "Id": f"{draw.getrandbits(64):016x}",
            "BIRTHDATE": f"{draw.randint(1940, 2000)}-{draw.randint(1, 12):02d}-10",
            "GENDER": draw.choice("FM"),
            "DESCRIPTION": draw.choice(["moved", "stays"]),
        }
        for _ in range(n)
    ]
    conditions = [
        {
            "START": f"{draw.randint(2005, 2020)}-{draw.randint(1, 12):02d}-05",
            "PATIENT": person["Id"],
            "CODE": draw.choice(["44054006", "38341003", "195662009"]),
            "DESCRIPTION": draw.choice(["Diabetes", "Hypertension", "Pharyngitis"]),
        }
        for person in people
        for _ in range(draw.choice([0, 1, 2, 5]))
    ]
    return people, conditions


def joined_rows(people, events, key="subject_id"):
    """Each event with its person, by plain dictionaries."""
    of = {person[key]: person for person in people}
    return [{**of[event[key]], **event} for event in events]


def three_kinds(n: int = 150, seed: int = 3) -> dict[str, list[dict[str, str]]]:
    """People with claims, drugs and laboratory values; some have none of a kind.

    Each table names its columns without regard to the others: all have a ``date``.
    """
    draw = random.Random(seed)
    people = [
        {
            "person": f"{70_000 + 13 * number}",
            "sex": draw.choice("FM"),
            "decade": draw.choice(["1940s", "1950s", "1960s"]),
            "status": draw.choice(["insured", "left"]),
        }
        for number in range(n)
    ]
    claims, drugs, labs = [], [], []
    for each in people:
        own = {"person": each["person"]}
        for _ in range(draw.choice([0, 1, 1, 2, 3])):
            code, place = draw.choice(ILLNESSES[:3]), draw.choice(WARDS[:2])
            claims.append({**own, "date": _day(draw), "code": code, "place": place})
        for _ in range(draw.choice([0, 1, 2, 4])):
            days = draw.choice(["30", "90"])
            code = draw.choice(["A10", "C09"])
            drugs.append({**own, "date": _day(draw), "code": code, "days": days})
        for _ in range(draw.choice([0, 0, 1, 2])):
            status = draw.choice(["high", "normal"])
            labs.append(
                {"patient": each["person"], "date": _day(draw), "status": status}
            )
    for rows in (claims, drugs, labs):
        draw.shuffle(rows)
    return {"claims": claims, "people": people, "drugs": drugs, "labs": labs}


def _day(draw: random.Random) -> str:
    month, day = draw.randint(1, 12), draw.randint(1, 28)
    return f"{draw.choice([2019, 2020])}-{month:02d}-{day:02d}"
