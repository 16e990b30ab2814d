"""Which encounters a patient has: when, how long, for what."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import date, timedelta

from chance import Chance, Weighted
from residents import Person, group_of, grouped, read

# The index stay of each patient begins in 2023; encounters are told for three years.
INDEX_FIRST, INDEX_DAYS = date(2023, 1, 1), 365
FIRST_DAY, LAST_DAY = date(2022, 1, 1), date(2024, 12, 31)
CHILDBEARING_AGES = range(15, 50)
LONGEST_STAY_DAYS = 180

# Our own assumptions, for want of public figures at hand.
KINDS = (("Outpatient", 0.60), ("Emergency", 0.25), ("Inpatient", 0.15))
CHRONIC_SHARE = 0.35
# From which age on -> mean number of encounters beside the index stay.
MEAN_FURTHER_ENCOUNTERS = ((65, 3.2), (45, 2.5), (15, 1.7), (0, 1.2))
MOST_FURTHER_ENCOUNTERS = 40


@dataclass(frozen=True)
class Stay:
    """One encounter of a patient."""

    admitted: date
    days: int
    kind: str
    diagnosis: str

    @property
    def discharged(self) -> date:
        """Day of discharge."""
        return self.admitted + timedelta(days=self.days)


@dataclass(frozen=True)
class Patient:
    """One person with an index stay and the encounters around it."""

    person: Person
    born: date
    index: Stay
    disposition: str
    others: tuple[Stay, ...]


class Hospital:
    """Draws stays as the hospital survey found them by age and sex."""

    def __init__(self, chance: Chance) -> None:
        self.chance = chance
        keys = ("age_group", "sex")
        self._principal = grouped(
            read("principal_diagnoses"), keys, "diagnosis", "thousands"
        )
        self._secondary = grouped(
            read("secondary_diagnoses"), keys, "diagnosis", "thousands"
        )
        self._dispositions = grouped(read("dispositions"), keys, "value", "thousands")
        self._newborn = {sex: _newborn_share(sex) for sex in ("Female", "Male")}
        self._log_days = {
            row["diagnosis"]: (float(row["log_days_mean"]), float(row["log_days_sd"]))
            for row in read("lengths_of_stay")
        }
        self._kinds = Weighted(KINDS)

    def patient(self, person: Person) -> Patient:
        """Draw the stays of one patient."""
        chance = self.chance
        admitted = INDEX_FIRST + timedelta(days=chance.below(INDEX_DAYS))
        is_newborn = person.age == 0 and chance.share() < self._newborn[person.sex]
        born = admitted if is_newborn else self._birth(admitted, person.age)
        group = "newborn" if is_newborn else group_of(person.age)
        index = self._inpatient(admitted, group, person)
        disposition = self._dispositions[group, person.sex].draw(chance)
        first = index.discharged if is_newborn else max(FIRST_DAY, born)
        last = index.admitted if disposition == "Died" else LAST_DAY
        others = self._others(person, born, index, first, last)
        return Patient(person, born, index, disposition, others)

    def _birth(self, admitted: date, age: int) -> date:
        """Draw a birth date for somebody who is `age` years old on that day."""
        if age >= 100:  # The census counts 100 and more as one.
            age += int(-2 * math.log(1 - self.chance.share()))
        # The 29th of February has no anniversary in most years.
        day = min(admitted.day, 28)
        birthday = date(admitted.year - age, admitted.month, day)
        # Not born on the day of admission: that is what newborns are.
        return birthday - timedelta(days=1 + self.chance.below(336))

    def _inpatient(self, admitted: date, group: str, person: Person) -> Stay:
        """Draw diagnosis and length of a stay overnight."""
        choice = self._principal[group, person.sex]
        diagnosis = choice.draw(self.chance)
        while diagnosis.startswith("O") and person.age not in CHILDBEARING_AGES:
            diagnosis = choice.draw(self.chance)
        mean, deviation = self._log_days[diagnosis]
        days = round(math.exp(mean + deviation * self.chance.normal()))
        return Stay(
            admitted, min(max(days, 1), LONGEST_STAY_DAYS), "Inpatient", diagnosis
        )

    def _others(
        self, person: Person, born: date, index: Stay, first: date, last: date
    ) -> tuple[Stay, ...]:
        """Draw the encounters between two days that do not overlap one another."""
        span = max((last - first).days, 0)
        n_days = self._further(person.age) if span else 0
        stays: list[Stay] = []
        chronic = ""
        for day in sorted(self.chance.below(span) for _ in range(n_days)):
            admitted = first + timedelta(days=day)
            stay = self._other(person, age_on(admitted, born), admitted, chronic)
            if stay.kind != "Inpatient":
                chronic = stay.diagnosis
            taken = [index, *stays[-1:]]
            if stay.discharged < last and not any(_overlap(stay, one) for one in taken):
                stays.append(stay)
        return tuple(stays)

    def _further(self, age: int) -> int:
        """Draw how many encounters a patient has beside the index stay.

        Geometric around a mean that is itself exponential: few patients have many.
        """
        mean = next(mean for start, mean in MEAN_FURTHER_ENCOUNTERS if age >= start)
        own = mean * -math.log(1 - self.chance.share())
        drawn = -math.log(1 - self.chance.share()) / math.log1p(1 / max(own, 1e-9))
        return min(int(drawn), MOST_FURTHER_ENCOUNTERS)

    def _other(self, person: Person, age: int, admitted: date, chronic: str) -> Stay:
        """Draw one further encounter: often for what the last one was for."""
        kind, group = self._kinds.draw(self.chance), group_of(age)
        if kind == "Inpatient":
            stay = self._inpatient(admitted, group, person)
            # A second delivery within three years is possible, but not at any time.
            if not stay.diagnosis.startswith("O"):
                return stay
            kind = "Outpatient"
        if chronic and self.chance.share() < CHRONIC_SHARE:
            return Stay(admitted, 0, kind, chronic)
        diagnosis = self._secondary[group, person.sex].draw(self.chance)
        return Stay(admitted, 0, kind, diagnosis)


def age_on(day: date, born: date) -> int:
    """Count the completed years of life on a day."""
    return day.year - born.year - ((day.month, day.day) < (born.month, born.day))


def _newborn_share(sex: str) -> float:
    """Share of births among the hospital stays in the first year of life."""
    found = {
        row["age_group"]: int(row["discharges"])
        for row in read("discharge_rates")
        if row["sex"] == sex
    }
    return found["newborn"] / (found["newborn"] + found["0"])


def _overlap(one: Stay, other: Stay) -> bool:
    return one.admitted <= other.discharged and other.admitted <= one.discharged
