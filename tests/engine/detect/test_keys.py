"""Keys of persons: by name, by what stays the same, and by repetition."""

import hashlib
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidgui.app.text import fill, sentences
from deidgui.engine.data.table import Column, Table
from deidgui.engine.detect import spelling
from deidgui.engine.detect.columns import detect_columns
from deidgui.engine.detect.keys import propose_keys
from deidgui.engine.detect.name_reading import KeyKind, key_kind
from deidgui.engine.detect.roles import Band
from deidgui.engine.detect.spelling import spelling_of_key
from tests.engine.detect.hospital import guessed_types, table_of

NAMED = {
    KeyKind.PERSON: (
        "patient_id patient_nbr SUBJECT_ID person_id mrn Patientennummer PatID "
        "MemberID DESYNPUF_ID num_patient id_paciente NHSNumber pesel bsn "
        "codice_fiscale pasientnr potilastunnus cprnr id_pacjenta patientid IPP "
        "numero_paciente Versichertennummer participantId pat_no client_code patient"
    ),
    KeyKind.EVENT: (
        "HADM_ID CLM_ID visit_no stay_id encounter_id Fallnummer patientunitstayid "
        "visit_occurrence_id num_sejour id_episodio sample_id person_visit_no "
        "opnamenr episode_key fall_nr"
    ),
    KeyKind.RECORD: "id record_id uuid",
    None: (
        "doctor_id hospital_id age sex no_of_children patient_type_code zip "
        "patient_age diagnosis_code provider_id length_of_stay number_emergency "
        "admission_type_id phone_number num_medications num_procedures "
        "admission_source_id house_number ward_code"
    ),
}


@pytest.mark.parametrize(
    ("name", "kind"),
    [(name, kind) for kind, names in NAMED.items() for name in names.split()],
)
def test_what_a_name_numbers(name, kind):
    assert key_kind(name) is kind


def events(rows_of=lambda rng, n: 1 + rng.geometric(0.15, n), n_people=400, **names):
    """Texts of hospital events: people, stays within people, measurements."""
    rng = np.random.default_rng(3)
    rows = rows_of(rng, n_people)
    who = np.repeat(np.arange(n_people), rows)
    n = len(who)
    numbers = rng.permutation(900_000)[:n_people] + 100_000
    stays = numbers[who] * 10 + rng.integers(0, 3, n)
    born = np.datetime64("1930-01-01") + rng.integers(0, 30_000, n_people)
    sex = rng.choice(["F", "M"], n_people)
    place = rng.choice(["37203", "37212", "37027", "37067"], n_people)
    texts = {
        "patient_id": [str(k) for k in numbers[who]],
        "stay_id": [str(k) for k in stays],
        "birth_date": [str(k) for k in born[who]],
        "sex": [str(k) for k in sex[who]],
        "zip": [str(k) for k in place[who]],
        "hospital_id": [str(k) for k in rng.integers(100, 130, n)],
        "event_date": [
            str(np.datetime64("2020-01-01") + int(k)) for k in rng.integers(0, 900, n)
        ],
        "lab_value": [f"{k:.1f}" for k in rng.gamma(5, 3, n)],
        "points": [str(k) for k in rng.integers(0, 5_000, n)],
    }
    order = rng.permutation(n)
    return {
        names.get(name, name): [each[k] for k in order] for name, each in texts.items()
    }


def keys_of(texts):
    table = table_of(texts)
    return propose_keys(table, detect_columns(table, guessed_types(table)))


def test_a_named_key_whose_birth_and_sex_stay_the_same_is_certain():
    texts = events()
    best, *others = keys_of(texts)
    assert (best.column, best.kind, best.certainty) == (
        "patient_id",
        KeyKind.PERSON,
        Band.CERTAIN,
    )
    assert set(best.constant_columns) == {"birth_date", "sex", "zip"}
    assert best.varying_columns == ()
    counts = np.unique(texts["patient_id"], return_counts=True)[1]
    by_hand = [
        (counts == 1),
        (counts > 1) & (counts <= 5),
        (counts > 5) & (counts <= 20),
    ]
    spread = [int(each.sum()) for each in by_hand]
    assert best.rows_per_value == (*spread, len(counts) - sum(spread))
    assert (best.n_values, best.most_rows) == (len(counts), counts.max())
    assert [each.column for each in others] == ["stay_id"]
    assert others[0].kind is KeyKind.EVENT
    assert not best.each_row_is_one


def test_a_key_without_a_telling_name_is_found_by_its_rows():
    found = keys_of(events(patient_id="kx7", stay_id="v2", hospital_id="h"))
    assert found[0].column == "kx7"
    assert found[0].kind is KeyKind.UNNAMED
    assert found[0].certainty is Band.PROBABLE
    assert {each.column for each in found} == {"kx7", "v2"}


def test_unrelated_columns_are_no_keys():
    found = keys_of(events())
    assert not {each.column for each in found} & {"points", "hospital_id", "lab_value"}


def test_a_key_whose_birth_dates_differ_is_only_possible():
    texts = events()
    texts["birth_date"] = texts["event_date"]
    (best, *_) = keys_of(texts)
    assert (best.column, best.certainty) == ("patient_id", Band.POSSIBLE)
    (varying,) = best.varying_columns
    pairs = set(zip(texts["patient_id"], texts["birth_date"], strict=True))
    n_dates = np.unique([key for key, _ in pairs], return_counts=True)[1]
    assert varying == ("birth_date", int((n_dates > 1).sum()))


def test_one_row_for_each_person():
    best = keys_of(events(rows_of=lambda rng, n: np.ones(n, dtype=int)))[0]
    assert best.column == "patient_id"
    assert best.each_row_is_one
    assert best.rows_per_value == (400, 0, 0, 0)
    assert best.certainty is Band.CERTAIN
    assert best.constant_columns == ()


def test_missing_keys_are_counted():
    texts = events()
    texts["patient_id"][:7] = [""] * 7
    best = keys_of(texts)[0]
    assert best.n_missing == 7
    assert best.constant_columns


def test_a_code_of_the_birth_date_is_no_key():
    texts = events(patient_id="unused", stay_id="unused2")
    del texts["unused"], texts["unused2"]
    days = sorted(set(texts["birth_date"]))
    texts["kx"] = [str(1000 + days.index(day)) for day in texts["birth_date"]]
    assert keys_of(texts) == ()


def test_no_key_in_a_table_of_persons_without_numbers():
    texts = {k: v for k, v in events().items() if not k.endswith("_id")}
    assert keys_of(texts) == ()


def test_a_code_that_repeats_is_offered_where_nothing_can_speak_for_it():
    """Pseudonyms of an export with diagnoses alone: rows are not people."""
    codes = [hashlib.md5(f"{k // 3}".encode()).hexdigest() for k in range(300)]
    texts = {"a": codes, "g": ["I10", "E11.9", "J45", "C50.9"] * 75}
    (key,) = keys_of(texts)
    assert (key.column, key.certainty) == ("a", Band.POSSIBLE)
    # Where sex differs between its rows, it is something else.
    assert keys_of({**texts, "sex": ["F", "M", "F", "M", "M"] * 60}) == ()
    # Nothing repeats: nothing is said.
    single = [hashlib.md5(f"{k}".encode()).hexdigest() for k in range(300)]
    assert keys_of({**texts, "a": single}) == ()


def test_tables_at_the_edge():
    assert propose_keys(Table("empty", ()), ()) == ()
    empty = Table("t", (Column.from_texts("patient_id", ["", "", ""]),))
    assert propose_keys(empty, detect_columns(empty, {})) == ()


SPELT = ("{n:05d}", "{n}", " {n:05d}", "{n:05d}.0", "{n:05d} ", "0{n:05d}")


def test_values_of_a_key_that_differ_in_spelling_only_are_told():
    """Three hundred people, each under one to three spellings of six."""
    chance = random.Random(2)
    spelt = {n: chance.sample(SPELT, 1 + n % 3) for n in range(1, 301)}
    texts = [t.format(n=n) for n, every in spelt.items() for t in every for _ in "ab"]
    sexes = ["FM"[n % 2] for n, every in spelt.items() for _ in every for _ in "ab"]
    (key,) = keys_of({"patient_id": texts, "sex": sexes})
    (told,) = [each for each in key.reasons if each.code == "key_spelling"]
    assert told.params == {"n_values": len(set(texts)), "n_alike": 300}


def test_a_key_in_one_spelling_has_no_such_reason():
    assert not any(
        r.code == "key_spelling" for k in keys_of(events()) for r in k.reasons
    )


@given(st.lists(st.text("01aA -é", max_size=4), unique=True))
def test_codes_that_cannot_be_alike_are_not_compared(texts):
    """The short way says what comparing each text with all others says."""
    key = Column.from_texts("key", texts)
    quick = spelling_of_key(key)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(spelling, "_is_plain", lambda _texts: False)
        assert spelling_of_key(key) == quick


def test_every_reason_is_a_sentence():
    for key in keys_of(events()):
        assert key.reasons
        for reason in key.reasons:
            text = fill(sentences()[reason.code], reason.params)
            assert "‹" not in text.what + text.fix


def test_no_value_of_the_table_is_told():
    texts = events()
    values = {text for each in texts.values() for text in each if len(text) > 4}
    told = repr(keys_of(texts))
    assert not any(text in told for text in values)
