"""The country of a file, and rules that hold in the United States only."""

import numpy as np
import pytest
from stdnum.at import vnr
from stdnum.nl import bsn
from stdnum.no import fodselsnummer
from stdnum.pl import pesel

from deidgui.engine.data.hierarchy_propose import propose_template
from deidgui.engine.data.table import Column
from deidgui.engine.detect import checks
from deidgui.engine.detect.columns import detect_columns, finding_of
from deidgui.engine.detect.countries import find_country
from deidgui.engine.detect.profile import ColumnProfile
from deidgui.engine.detect.roles import Band, Role
from tests.engine.detect.extracts.make import extracts
from tests.engine.detect.extracts.measure import findings_of
from tests.engine.detect.hospital import guessed_types, hospital_texts, table_of

RNG = np.random.default_rng(4)


def numbers(length, n=4_000):
    return ["".join(str(d) for d in RNG.integers(0, 10, length)) for _ in range(n)]


def with_check(module, length):
    """Numbers whose check digits are right, found by drawing."""
    return [text for text in numbers(length) if module.is_valid(text)][:40]


def pesels():
    bodies = [f"{y:02d}0{m}1{d}{k:04d}" for y, m, d, k in
              RNG.integers([20, 1, 0, 0], [99, 10, 10, 9999], (40, 4))]  # fmt: skip
    return [body + pesel.calc_check_digit(body) for body in bodies]


@pytest.mark.parametrize(
    ("country", "texts"),
    [("PL", pesels()), ("NL", with_check(bsn, 9)),
     ("GB", [t for t in numbers(10) if checks.is_nhs(t)][:40])],
)  # fmt: skip
def test_national_numbers_are_known_by_their_check_digits(country, texts):
    column = Column.from_texts("zzz", texts * 3)
    found = finding_of(ColumnProfile(column, "text"))
    assert found.role is Role.DIRECT_IDENTIFIER
    assert found.identifier.number == 7
    assert found.country == country


def test_random_numbers_are_no_national_numbers():
    column = Column.from_texts("zzz", numbers(11, 300) * 2)
    found = finding_of(ColumnProfile(column, "text"))
    assert found.country == ""


@pytest.mark.parametrize("text", ["A123456780", "Z999999990"])
def test_check_digit_of_german_insurance_numbers(text):
    """The letter as two digits, weights 1 and 2, cross sums (§ 290 SGB V)."""
    digits = [int(d) for d in f"{ord(text[0]) - 64:02d}{text[1:9]}"]
    weighted = [d * w for d, w in zip(digits, [1, 2] * 5, strict=True)]
    right = sum(sum(map(int, str(w))) for w in weighted) % 10
    for last in range(10):
        assert checks.is_kvnr(f"{text[:9]}{last}") is (last == right)


def test_the_hospital_extract_is_of_the_united_states():
    table = table_of(hospital_texts())
    findings = detect_columns(table, guessed_types(table))
    found = find_country(table, findings)
    assert found.country == "US"
    assert found.certainty in (Band.PROBABLE, Band.CERTAIN)
    assert {f.topic for f in findings if f.column == "ZIP"} == {"zip"}


EXPECTED = {
    "de_praxis": "DE", "fr_dpi": "FR", "es_clinica": "ES", "it_anagrafe": "IT",
    "nl_huisarts": "NL", "pl_poz": "PL", "se_journal": "SE", "no_pas": "NO",
    "fi_potilas": "FI", "uk_gp": "GB", "dk_journal": "DK",
}  # fmt: skip


@pytest.mark.parametrize("name", EXPECTED)
def test_the_country_of_an_extract(name):
    extract = next(each for each in extracts() if each.name == name)
    findings = findings_of(extract)
    found = find_country(extract.table(), list(findings.values()))
    assert found.country == EXPECTED[name]
    assert found.reasons
    assert not any(f.topic == "zip" for f in findings.values())


def test_german_postal_codes_are_no_zip_codes():
    codes = [f"{k:05d}" for k in range(1067, 99000, 61)]
    table = table_of({"PLZ": codes, "Geschlecht": ["m"] * len(codes)})
    findings = detect_columns(table, guessed_types(table))
    assert findings[0].topic == "postcode"
    rule = propose_template(table.columns[0], "text", None, "postcode")
    levels = [set(level) for level in zip(*rule.grid(codes), strict=True)]
    assert {(label[:3].isdigit(), label[3:]) for label in levels[1]} == {(True, "**")}
    assert len(levels[0]) > len(levels[1]) > len(levels[2]) > len(levels[3]) == 1


def test_german_postal_codes_that_are_zip_codes_too_are_german():
    """01067 to 01099 and 10115 to 10119 are in Dresden and Berlin, and in the US."""
    codes = [f"{k:05d}" for k in (*range(1067, 1100), *range(10115, 10120))] * 3
    table = table_of({"Alter": ["44", "45", "46"] * 38, "PLZ": codes})
    findings = detect_columns(table, guessed_types(table))
    assert find_country(table, findings).country == "DE"
    assert findings[1].topic == "postcode"


def test_a_person_can_say_the_country():
    table = table_of({"postcode": [f"{k}" for k in range(10_000, 99_000, 371)]})
    types = guessed_types(table)
    assert detect_columns(table, types)[0].topic == "postcode"
    assert detect_columns(table, types, country="US")[0].topic == "zip"


def test_modules_of_national_numbers_exist():
    assert checks.standard("at.vnr")("1237010180") is vnr.is_valid("1237010180")
    assert fodselsnummer.is_valid("15108695088")
    assert checks.standard("no.fodselsnummer")("15108695088")
