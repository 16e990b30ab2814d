"""Every kind of column, by its name alone and by its values alone."""

import numpy as np
import pytest

from deidgui.engine.data.table import Column
from deidgui.engine.detect.columns import finding_of
from deidgui.engine.detect.detectors import DETECTORS
from deidgui.engine.detect.evidence import gather
from deidgui.engine.detect.profile import ColumnProfile, sample_size
from deidgui.engine.detect.roles import Band, Identifier, Role, Topic, Treatment


def finding(name, texts, kind="text"):
    return finding_of(ColumnProfile(Column.from_texts(name, texts), kind))


def digits(rng, length, lead="123456789"):
    rest = "".join(str(d) for d in rng.integers(0, 10, length - 1))
    return str(rng.choice(list(lead))) + rest


OPAQUE = [f"Q{i:03x} zz{i % 7}" for i in range(200)]
"""Texts that no value rule knows."""


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("patient name", 1), ("last_name", 1), ("next of kin", 1), ("Initials", 1),
        ("street address", 2), ("city", 2), ("county", 2), ("ZIP", 2),
        ("census tract", 2), ("precinct", 2),
        ("phone", 4), ("cell_no", 4), ("mobile", 4),
        ("fax", 5), ("telefax", 5),
        ("e-mail", 6), ("emailAddress", 6),
        ("SSN", 7), ("social security", 7), ("taxpayer", 7),
        ("MRN", 8), ("medical record", 8), ("pat_id", 8), ("hospital no", 8),
        ("member id", 9), ("subscriber", 9), ("policy no", 9), ("HICN", 9),
        ("account", 10), ("iban", 10), ("billing no", 10),
        ("licence", 11), ("NPI", 11), ("cert no", 11),
        ("VIN", 12), ("license plate", 12),
        ("device id", 13), ("serial_number", 13), ("IMEI", 13),
        ("URL", 14), ("homepage", 14),
        ("ip", 15), ("ipv4", 15),
        ("fingerprint", 16), ("DNA", 16), ("biometric", 16),
        ("photo", 17), ("portrait", 17),
        ("uuid", 18), ("study id", 18), ("token", 18),
    ],
)  # fmt: skip
def test_names_alone(name, number):
    found = finding(name, OPAQUE)
    assert found.identifier is not None
    assert found.identifier.number == number
    assert found.band in (Band.PROBABLE, Band.CERTAIN)


@pytest.mark.parametrize("name", ["pc4", "PC_4", "pc6", "postcode"])
def test_dutch_postal_codes_are_no_procedures(name):
    """NHDS names procedures "pc01": their codes are not all of four digits."""
    letters = " AB" if name.startswith("post") else "CD" if name == "pc6" else ""
    codes = [f"{k}{letters}" for k in range(1011, 1100)]
    found = finding(name, codes, "text" if letters else "integer")
    assert (found.role, found.topic) == (Role.QUASI_IDENTIFIER, Topic.ZIP)
    procedures = ["9904", "0331", "51--", "8872", "4516", "741-", "0--1"] * 20
    assert finding("pc07", procedures, "category").role is Role.SENSITIVE


@pytest.mark.parametrize("name", ["reason", "hand"])
def test_words_of_their_own_are_no_typing_errors(name):
    assert finding(name, ["a", "b", "c"] * 40, "category").role is None


@pytest.mark.parametrize("name", ["STRATUM", "_STSTR", "PSU", "SDMVPSU"])
def test_strata_and_clusters_are_areas_and_no_weights(name):
    found = finding(name, [str(k % 15) for k in range(300)], "integer")
    assert found.role is Role.QUASI_IDENTIFIER


def _iban(i):
    """A German IBAN: remainder 98 - (account, DE as 1314, 00) mod 97."""
    account = f"37040044{5_320_130_00 + i:010d}"
    return f"DE{98 - int(account + '131400') % 97:02d}{account}"


def _area(rng):
    return digits(rng, 3, "23456")


def _values(kind, rng):
    npis = ("1234567893", "1245319599", "1679576722")
    first, end = ("Anna", "Maria", "John"), "abcdefgh"
    made = {
        "full name": lambda i: f"{first[i % 3]} Zq{end[i % 8]}x",
        "last, first": lambda i: f"Zq{end[i % 8]}x, {first[i % 3]}",
        "street": lambda i: f"{i + 1} Elm {('St', 'Ave', 'Rd', 'Blvd')[i % 4]}",
        "phone": lambda i: f"({_area(rng)}) {_area(rng)}-{digits(rng, 4)}",
        "e.164": lambda i: f"+49 30 9018{i:02d}{i % 10}",
        "email": lambda i: f"x{i}@example.org",
        "ssn": lambda i: f"{digits(rng, 3, '1234')}-{digits(rng, 2)}-{digits(rng, 4)}",
        "mbi": lambda i: f"1EG4-TE5-MK{10 + i % 90}",
        "hicn": lambda i: digits(rng, 9) + "A",
        "iban": lambda i: _iban(i),
        "npi": lambda i: npis[i % 3],
        "dea": lambda i: "AB1234563",
        "vin": lambda i: "1M8GDM9AXKP042788",
        "udi": lambda i: f"(01)0088438{digits(rng, 7)}(17)261231",
        "mac": lambda i: f"00:1A:2B:3C:4D:{i:02X}",
        "url": lambda i: f"https://example.org/{i}",
        "ip": lambda i: f"10.{i}.3.{i % 7}",
        "image": lambda i: f"scans/face{i}.JPG",
        "uuid": lambda i: f"0e3f2a{i:02x}-89ab-4cde-8f01-23456789abcd",
        "hash": lambda i: f"{int(rng.integers(2**62)):032x}",
        "base64": lambda i: "QUJD" * 60 + "AB" + "==",
    }
    return [made[kind](i) for i in range(120)]


@pytest.mark.parametrize(
    ("kind", "number"),
    [
        ("full name", 1), ("last, first", 1), ("street", 2), ("phone", 4),
        ("e.164", 4), ("email", 6), ("ssn", 7), ("mbi", 9), ("hicn", 9), ("iban", 10),
        ("udi", 13), ("mac", 13), ("url", 14), ("ip", 15), ("image", 17), ("uuid", 18),
        ("hash", 18),
    ],
)  # fmt: skip
def test_values_alone(kind, number):
    found = finding("zzz", _values(kind, np.random.default_rng(3)))
    assert found.role is Role.DIRECT_IDENTIFIER
    assert found.treatment is Treatment.REMOVE
    assert found.identifier.number == number


@pytest.mark.parametrize(
    ("kind", "name"),
    [("npi", "npi"), ("dea", "dea"), ("vin", "vin"), ("base64", "iris")],
)
def test_rules_of_few_values_add_to_the_name(kind, name):
    texts = _values(kind, np.random.default_rng(3))
    (best, *_) = gather(ColumnProfile(Column.from_texts(name, texts), "text"))
    assert best.values.rule is not None
    assert best.values.share == 1


def test_fax_is_told_from_telephone_by_its_name_only():
    texts = _values("phone", np.random.default_rng(5))
    assert finding("zzz", texts).identifier is Identifier.TELEPHONE
    fax = finding("fax", texts)
    assert fax.identifier is Identifier.FAX
    assert Identifier.TELEPHONE in dict(fax.alternatives)


@pytest.mark.parametrize(
    "shape",
    ["2021-03-{d:02d}", "03/{d:02d}/2021", "{d:02d}.03.2021", "{d:02d}/03/2021",
     "202103{d:02d}", "{d:02d}-Mar-2021", "Mar {d}, 2021", "{m:02d}/2021",
     "2021-{m:02d}",
     "2021-03-{d:02d}T10:11:12Z", "2021-03-{d:02d} 10:11:12.5+01:00", "{d}.3.21",
     "3/{d}/21", "{d:02d}MAR2021", "2021/03/{d:02d}", "3/{d}/2021 1:05 PM"],
)  # fmt: skip
def test_dates_are_found_by_value(shape):
    texts = [shape.format(d=1 + i % 28, m=1 + i % 12) for i in range(90)]
    found = finding("zzz", texts)
    assert found.topic is Topic.DATE
    assert found.identifier is Identifier.DATE
    assert found.role is Role.QUASI_IDENTIFIER


@pytest.mark.parametrize(
    "texts",
    [
        [str(1000 + i) for i in range(90)],
        [f"{i}.{i % 10}" for i in range(90)],
        ["Sat", "Sun", "Mon"] * 30,
        [f"{i:05d}" for i in range(501, 591)],
        [f"2021-{13 + i % 80:02d}-01" for i in range(90)],
        [f"{i % 28 + 1:02d}/{i % 28 + 1:02d}" for i in range(90)],
    ],
)
def test_other_things_are_no_dates(texts):
    assert finding("zzz", texts).topic is not Topic.DATE


def test_mixed_formats_are_no_date():
    texts = [f"2021-03-{d:02d}" for d in range(1, 29)] + [
        f"03/{d:02d}/2021" for d in range(1, 29)
    ]
    assert finding("zzz", texts).topic is not Topic.DATE


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("visit date", [str(44_000 + i) for i in range(90)]),
        ("timestamp", [str(1_600_000_000 + 86_400 * i) for i in range(90)]),
        ("date", [str(1_600_000_000_000 + 86_400_000 * i) for i in range(90)]),
    ],
)
def test_dates_stored_as_numbers_need_a_name(name, texts):
    assert finding(name, texts, "integer").topic is Topic.DATE
    assert finding("zzz", texts, "integer").topic is not Topic.DATE


def test_a_name_that_its_values_contradict_is_halved():
    dates = [f"2021-03-{1 + i % 28:02d}" for i in range(90)]
    by_title = {
        each.detector.title: each
        for each in gather(ColumnProfile(Column.from_texts("age", dates), "date"))
    }
    assert by_title["age"].contradicted
    assert by_title["age"].score == pytest.approx(0.8 / 2)
    assert finding("age", dates, "date").topic is Topic.DATE


def test_ages_need_a_name():
    texts = [str(i % 95) for i in range(400)]
    found = finding("age", texts, "integer")
    assert found.topic is Topic.AGE
    over = next(r for r in found.reasons if r.code == "evidence_over_89")
    assert over.params["n_records"] == sum(int(text) > 89 for text in texts)
    assert finding("lymphocytes", texts, "integer").topic is not Topic.AGE


def test_age_bands():
    texts = ["[70-80)", "[60-70)", "[50-60)", "90+"] * 20
    assert finding("age", texts, "category").score > 0.85


@pytest.mark.parametrize(
    ("texts", "is_zip"),
    [
        ([f"372{i:02d}" for i in range(1, 22)], True),  # Nashville: nearly all exist
        ([f"000{i:02d}" for i in range(1, 90)], False),  # no prefix of the census
        ([str(11_111 + 911 * i) for i in range(90)], False),  # two in three exist not
    ],
)
def test_five_digits_are_zip_codes_only_if_they_exist(texts, is_zip):
    found = finding("zzz", texts, "text")
    assert (found.topic is Topic.ZIP) is is_zip


def test_zip_prefixes_below_nine_in_ten_are_none_even_with_a_name():
    good, bad = ["37201", "37203", "37204", "37205", "37206"], ["00001", "09011"]
    (best, *_) = gather(ColumnProfile(Column.from_texts("zip", good + bad), "text"))
    assert best.values.rule.title == "a postal code"  # of some other country


def test_nine_digits_are_decided_by_the_name():
    rng = np.random.default_rng(11)
    texts = [digits(rng, 9, "12345678") for _ in range(300)]
    assert finding("ssn", texts, "integer").identifier is Identifier.SOCIAL_SECURITY
    assert finding("mrn", texts, "integer").identifier is Identifier.MEDICAL_RECORD
    unnamed = finding("zzz", texts, "integer")
    assert unnamed.role is Role.DIRECT_IDENTIFIER
    listed = {unnamed.identifier, *dict(unnamed.alternatives)}
    assert {Identifier.SOCIAL_SECURITY, Identifier.MEDICAL_RECORD} <= listed


def test_places_written_out():
    cities = [f"Qxtown {chr(65 + k)}, {('TN', 'KY')[k % 2]}" for k in range(26)]
    counties = [f"Qx{chr(97 + k)} County" for k in range(26)]
    assert finding("zzz", cities).topic is Topic.CITY
    assert finding("zzz", counties).topic is Topic.COUNTY
    names = ["Tennessee", "Kentucky", "New York", "Unknown"] * 9
    assert finding("zzz", names, "category").topic is Topic.STATE


def test_states_are_no_identifiers():
    found = finding("zzz", ["TN", "KY", "MS", "AR"] * 20, "category")
    assert found.topic is Topic.STATE
    assert found.identifier is None
    assert found.role is Role.QUASI_IDENTIFIER


@pytest.mark.parametrize(
    ("texts", "topic"),
    [
        (["E11.9", "I10", "J44.1", "F32.9", "U07.1", "C50.911"] * 10, Topic.ICD10),
        (["250.00", "V27.0", "401.9", "E885.9", "486", "V30.01"] * 10, Topic.ICD9),
        (["4019", "V270", "25000", "486-", "V3001", "E8859"] * 10, Topic.ICD9),
    ],
)
def test_clinical_codes(texts, topic):
    found = finding("primary dx", texts)
    assert found.topic is topic
    assert found.role is Role.SENSITIVE
    assert Identifier.OTHER_CODE not in dict(found.alternatives)


def test_clinical_codes_suppress_other_codes():
    texts = [f"{letter}{i:02d}.{i % 10}" for letter in "ABCEFGIJ" for i in range(90)]
    found = finding("dx code", texts)
    assert found.topic is Topic.ICD10
    assert Identifier.OTHER_CODE not in dict(found.alternatives)


@pytest.mark.parametrize(
    ("texts", "kind", "id_like"),
    [
        ([str(i) for i in range(1, 200)], "integer", True),  # ascending
        ([str(100_000 + 7919 * i % 900_000) for i in range(200)], "integer", True),
        ([str(i) for i in range(1, 20)], "integer", False),  # fewer than 30
        ([f"{i / 7:.3f}" for i in range(200)], "decimal", False),
        ([str(i % 150) for i in range(200)], "integer", False),  # repeats
        (
            [f"2021-01-01 10:{i // 60:02d}:{i % 60:02d}" for i in range(200)],
            "date",
            False,
        ),
        ([str(7 ** (i % 12) + i) for i in range(200)], "integer", False),  # lengths
    ],
)
def test_rule_k(texts, kind, id_like):
    assert ColumnProfile(Column.from_texts("zzz", texts), kind).id_like is id_like


@pytest.mark.parametrize(
    ("texts", "monotone"),
    [
        ([str(k) for k in range(9, 500)], True),
        ([str(k) for k in range(500, 9, -1)], True),
        ([str(k) for k in range(9, 500)] + ["499"], False),
        ([str(k) for k in range(9, 500)] + ["3"], False),
        (["5", "", "6", "7"], True),
        (["a", "b"], False),
        (["7"], False),
    ],
)
def test_numbers_that_rise_or_fall(texts, monotone):
    assert (
        ColumnProfile(Column.from_texts("zzz", texts), "integer").is_monotone
        is monotone
    )


def test_digits_with_a_stray_word_are_not_monotone():
    texts = [str(k) for k in range(100_000, 130_000)]
    profile = ColumnProfile(Column.from_texts("zzz", [*texts, "zz"]), "integer", 20)
    profile.__dict__["is_whole_numbers"] = True  # as if the sample had missed it
    assert not profile.is_monotone


def test_unique_numbers_of_a_small_file_are_no_identifier_by_themselves():
    rng = np.random.default_rng(2)
    texts = [str(k) for k in rng.permutation(np.arange(100, 999))[:200]]
    assert finding("platelets", texts, "integer").role is Role.SENSITIVE
    unknown = finding("zzz", texts, "integer")
    assert unknown.role is None
    assert "evidence_nearly_unique" in {reason.code for reason in unknown.reasons}
    assert finding("notes_id", texts, "integer").role is Role.DIRECT_IDENTIFIER


def test_numbers_given_out_are_found_without_a_name():
    for texts in ([f"A{i:06d}" for i in range(50)], [str(i) for i in range(50)]):
        found = finding("zzz", texts)
        assert found.role is Role.DIRECT_IDENTIFIER
        assert found.identifier is Identifier.OTHER_CODE
        assert found.reasons[0].code == "because_id_like"


def test_words_that_single_out_are_proposed_as_quasi_identifier():
    found = finding("zzz", [f"qxy{chr(97 + i % 26)}{chr(97 + i // 26)}" * (1 + i % 9)
                            for i in range(300)])  # fmt: skip
    assert found.role is Role.QUASI_IDENTIFIER
    assert found.reasons[0].code == "because_singles_out"


def test_free_text_is_searched():
    words = "the patient was seen again and felt well after a short walk today"
    texts = [
        f"{words} {i}; call 615-555-0{i:03d} or x{i}@example.org, MRN: 55{i:04d}, "
        f"seen 03/04/2021 by Dr. Zqx at 12 Elm Street, SSN 123-45-{6000 + i}"
        for i in range(120)
    ]
    found = finding("zzz", texts)
    assert found.topic is Topic.FREE_TEXT
    assert found.role is Role.DIRECT_IDENTIFIER
    inside = {
        reason.params["number"]
        for reason in found.reasons
        if reason.code == "evidence_text_contains"
    }
    assert {1, 2, 3, 4, 6, 7, 8} <= inside


def test_repeated_long_labels_are_no_free_text():
    labels = [
        "Acute myocardial infarction of other anterior wall, initial episode of care",
        "Coronary atherosclerosis of native coronary artery without mention of angina",
    ] * 100
    assert finding("diagnosis description", labels).topic is Topic.DIAGNOSIS


def test_a_sample_is_enough_and_always_the_same():
    texts = [f"person{i}@example.org" for i in range(30_000)]
    column = Column.from_texts("zzz", texts)
    profile = ColumnProfile(column, "text", 20_000)
    assert profile.n_sampled == 20_000
    assert profile.sample.equals(ColumnProfile(column, "text", 20_000).sample)
    assert finding_of(profile).identifier is Identifier.EMAIL


def test_sample_sizes():
    assert sample_size(1) == sample_size(200) == 20_000
    assert sample_size(1_000) == 4_000
    assert sample_size(16_384) == 2_000


def test_blanks_around_values_do_not_matter():
    assert finding("zzz", [" Male", " Female "] * 40, "category").topic is Topic.SEX


@pytest.mark.parametrize("detector", DETECTORS, ids=lambda each: each.title)
def test_declarations(detector):
    """A direct identifier has a treatment and only it; cues and texts are usable."""
    assert (detector.treatment is not None) is (detector.role is Role.DIRECT_IDENTIFIER)
    assert detector.names or detector.rules
    assert all(cue.tokens for cue in detector.cues)
    assert all(0 < rule.confidence <= 1 for rule in detector.rules)


def test_all_eighteen_identifiers_have_a_detector():
    covered = {d.identifier for d in DETECTORS if d.identifier}
    assert covered == set(Identifier)
    assert [identifier.number for identifier in Identifier] == list(range(1, 19))


def test_numbers_too_large_for_the_computer_are_numbers():
    """They were infinite, and whether they are whole gave a warning."""
    column = Column.from_texts("x", ["1" * 400, "3.5", "4", "5"])
    assert ColumnProfile(column, "decimal").has_fractions
