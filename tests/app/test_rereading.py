"""How a file is read is decided by a person: header, country, cells."""

from __future__ import annotations

import random

import pytest

from deidgui.app.needed import problems_of
from deidgui.app.reading.linking import read_project_input
from deidgui.app.reading.reading import (
    propose_project,
    read_input,
    renew_project,
)
from deidgui.app.reading.rereading import (
    country_of,
    dialect_parts,
    follow_country,
    with_country,
    with_dialect,
)
from deidgui.app.storage.project_io import load_project, save_project
from deidgui.errors import ConfigError

POSTCODE = {"kind": "masking", "step": 2, "levels": 2}


def write(path, lines):
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def words(tmp_path):
    """A file whose first record differs from the others by nothing but its words."""
    chance = random.Random(1)
    rows = (
        f"{chance.choice(['rot', 'blau'])};{chance.choice('xyz')}" for _ in range(60)
    )
    return write(tmp_path / "words.csv", ["eins;zwei", *rows])


@pytest.fixture
def german(tmp_path):
    """Postal codes of Germany most of which are ZIP codes, too."""
    codes = ("10115", "10119", "10707", "12043", "13156", "04103", "06108", "22041")
    rows = (f"{20 + n % 60},{codes[n % 8]},{'mf'[n % 2]}" for n in range(80))
    return write(tmp_path / "codes.csv", ["age,zip code,sex", *rows])


def codes_of(project):
    return {each.code for each in problems_of(project)}


def test_a_first_record_in_doubt_stops_the_release_until_somebody_answers(words):
    loaded = read_input(words)
    project = propose_project(loaded)
    assert project.inputs[0].header_in_doubt
    assert "header_undecided" in codes_of(project)
    for is_header in (True, False):
        said = with_dialect(project, header=is_header)
        again = read_project_input(said, words)
        renewed = renew_project(said, again)
        assert "header_undecided" not in codes_of(renewed)
        assert renewed.inputs[0].header_confirmed
        assert again.table.n_rows == 60 + (not is_header)
    first = {a.name for a in renewed.attributes}
    assert first == {"column 1", "column 2"}


def test_another_delimiter_answers_nothing(words):
    project = propose_project(read_input(words))
    said = with_dialect(project, delimiter=",")
    renewed = renew_project(said, read_project_input(said, words))
    assert renewed.inputs[0].header_in_doubt
    assert not renewed.inputs[0].header_confirmed


def test_the_answer_stays_with_the_project(words, tmp_path):
    project = with_dialect(propose_project(read_input(words)), header=True)
    save_project(project, tmp_path / "p.deid.json")
    kept = load_project(tmp_path / "p.deid.json")
    assert "header_undecided" not in codes_of(
        renew_project(kept, read_project_input(kept, words))
    )
    # Next month's file has the columns that were decided; one without a header not.
    july = write(tmp_path / "july.csv", ["eins;zwei", *["rot;x", "blau;y"] * 30])
    assert (
        not renew_project(kept, read_project_input(kept, july))
        .inputs[0]
        .header_in_doubt
    )
    august = write(tmp_path / "august.csv", ["grau;w", *["rot;x", "blau;y"] * 30])
    assert (
        renew_project(kept, read_project_input(kept, august)).inputs[0].header_in_doubt
    )


def test_a_header_that_is_certain_is_not_asked(german):
    assert not propose_project(read_input(german)).inputs[0].header_in_doubt


def test_rules_of_the_united_states_follow_the_country(german):
    project = propose_project(read_input(german))
    assert project.attribute("zip code").topic == "zip"
    assert project.attribute("zip code").hierarchy.rule["kind"] == "zip"
    said = with_country(project, "DE")
    loaded = read_project_input(said, german)
    followed = follow_country(renew_project(said, loaded), loaded)
    assert followed.inputs[0].country == "DE"
    code = followed.attribute("zip code")
    assert code.topic == "postcode"
    assert code.hierarchy.rule["kind"] == "masking"
    # Everything else is as it was, and back again all of it.
    back = with_country(followed, "US")
    loaded = read_project_input(back, german)
    again = follow_country(renew_project(back, loaded), loaded)
    assert again.attributes == project.attributes


def test_a_country_takes_back_no_decision(german):
    project = propose_project(read_input(german))
    rule = {"kind": "masking", "step": 1, "levels": 1}
    decided = project.attribute("zip code").but(
        role="insensitive",
        confirmed=True,
        weight=0.9,
        hierarchy=project.attribute("age").hierarchy.but(rule=rule),
    )
    others = [e for e in project.attributes if e.name != "zip code"]
    project = project.but(attributes=(*others, decided))
    said = with_country(project, "DE")
    loaded = read_project_input(said, german)
    found = follow_country(renew_project(said, loaded), loaded).attribute("zip code")
    assert found == decided.but(topic="postcode")


def test_words_of_the_command_line():
    assert dialect_parts(["delimiter=semicolon", "skip_ragged=yes", "quote=none"]) == {
        "delimiter": ";",
        "skip_ragged": True,
        "quote": "",
    }
    assert dialect_parts(["delimiter=~", "skip_lines=2", "encoding=cp1252"]) == {
        "delimiter": "~",
        "skip_lines": 2,
        "encoding": "cp1252",
    }
    assert country_of("de") == "DE"
    assert country_of("found") is None


@pytest.mark.parametrize(
    "wrong",
    ["separator=;", "header=maybe", "skip_lines=x", "encoding=klingon", "quote=`"],
)
def test_a_wrong_word_names_those_that_are_right(wrong):
    with pytest.raises(ConfigError):
        dialect_parts([wrong])


@pytest.mark.parametrize("wrong", ["Germany", "D", "1A", ""])
def test_a_country_has_two_letters(wrong):
    with pytest.raises(ConfigError):
        country_of(wrong)
