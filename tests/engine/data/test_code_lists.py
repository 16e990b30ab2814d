"""Do the shipped code lists say what their sources say?"""

import csv
import gzip
import io

import pytest

from deidgui import resources
from deidgui.engine.data.code_lists import (
    ccs_groups,
    classification,
    us_states,
    zip3_areas,
)
from tests.shared import shared

# HHS OCR guidance of 2012, Census 2000: 17 prefixes (methods.md G.3).
LIST_2000 = [
    "036",
    "059",
    "063",
    "102",
    "203",
    "556",
    "692",
    "790",
    "821",
    "823",
    "830",
    "831",
    "878",
    "879",
    "884",
    "890",
    "893",
]
LIST_2010 = [
    "036",
    "059",
    "102",
    "203",
    "205",
    "369",
    "556",
    "692",
    "821",
    "823",
    "878",
    "879",
    "884",
    "893",
]
LIST_2020 = [
    "036",
    "059",
    "102",
    "202",
    "203",
    "204",
    "205",
    "369",
    "556",
    "692",
    "753",
    "772",
    "821",
    "823",
    "878",
    "879",
    "884",
    "893",
]


def rows(*parts):
    data = shared("data", *parts).read_bytes()
    if parts[-1].endswith(".gz"):
        data = gzip.decompress(data)
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"))))


@pytest.mark.parametrize(
    ("census", "restricted"),
    [("2000", LIST_2000), ("2010", LIST_2010), ("2020", LIST_2020)],
)
def test_small_areas_are_the_published_ones(census, restricted):
    kept = zip3_areas().kept(census)
    known = set(zip3_areas().population["2020"]) | set(LIST_2000)
    assert kept.isdisjoint(restricted)
    # 202, 204, 753, 772: without people in 2010, hence on no published list then.
    without_population = {"202", "204", "205", "753", "772"}
    assert known - kept - without_population <= set(restricted) | without_population
    assert kept.isdisjoint(["005", "090", "098", "000", "999999"])


def test_smallest_kept_areas_of_2020():
    # methods.md G.3: 576 (20 310), 999 (21 178), 831 (22 228).
    population = zip3_areas().population["2020"]
    smallest = sorted(zip3_areas().kept("2020"), key=population.__getitem__)[:3]
    assert [(prefix, population[prefix]) for prefix in smallest] == [
        ("576", 20_310),
        ("999", 21_178),
        ("831", 22_228),
    ]
    assert len(population) == 894
    assert sum(population.values()) == 334_726_586


@pytest.mark.parametrize(
    ("system", "chapters", "categories"), [("icd9cm", 19, 1234), ("icd10cm", 22, 1918)]
)
def test_headings_hang_together(system, chapters, categories):
    codes = classification(system)
    assert len(codes.chapters) == chapters
    assert len(codes.block_of) == categories
    assert set(codes.block_of.values()) == set(codes.blocks)
    assert {block.chapter for block in codes.blocks.values()} == set(codes.chapters)
    for category, block in codes.block_of.items():
        first, last = block.split("-")[0], block.split("-")[-1]
        # A-letters follow the digits: I1A lies between I10 and I1A, C7A is its own.
        assert first <= category <= last or category[:2] <= last[:2]
        assert codes.category(category) == category


def test_every_code_has_a_category():
    modern = classification("icd10cm")
    assert all(modern.category(code) for code in modern.ccs_of)
    old = classification("icd9cm")
    homeless = [code for code in old.ccs_of if not old.category(code)]
    # 043 and 044 were HIV codes until 1994: CCS still knows them, the list of 2015
    # does not.
    assert {code[:3] for code in homeless} == {"043", "044"}


def test_categories_agree_with_the_source_of_2015():
    codes = classification("icd9cm")
    for row in rows("code_lists", "icd9", "icd9cm_hierarchy.csv.gz"):
        category = codes.category(codes.normal(row["code"]))
        assert category == row["three_digit"]
        block = codes.blocks[codes.block_of[category]]
        name = row["sub_chapter"].lower().replace("healthhazards", "health hazards")
        assert block.name.lower() == " ".join(name.split())


def test_ccs_agrees_with_its_two_tables():
    groups = ccs_groups()
    assert len({group.chapter for group in groups.values()}) == 18
    by_code = classification("icd9cm").ccs_of
    for row in rows("code_lists", "ccs", "ccs_multi_dx_icd9_2015.csv.gz"):
        assert groups[by_code[row["icd9cm"]]].chapter == row["lvl1"]
    by_code = classification("icd10cm").ccs_of
    for row in rows("code_lists", "ccs", "ccs_dx_icd10cm_2019.csv.gz"):
        group = groups[by_code[row["icd10cm"]]]
        assert (group.group, group.chapter) == (row["ccs"], row["lvl1"])


def test_complete_codes_are_known_in_any_spelling():
    codes = classification("icd10cm")
    known = [
        codes.normal(text) in codes.ccs_of for text in ("e11.9", "A000", "E11", "")
    ]
    assert known == [True, True, False, False]


def test_states_and_territories():
    states = us_states().states
    assert len(states) == 51 + 5
    assert len({state.fips for state in states}) == len(states)
    assert len({state.ssa for state in states}) == len(states)
    assert len({state.division for state in states[:51]}) == 9
    assert us_states().by_word["dc"].region == "South"


def test_the_lists_are_small_and_their_sources_named():
    folder = resources.path("codes")
    files = [path for path in folder.rglob("*.csv*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 3_000_000
    sources = (folder / "SOURCES.md").read_text(encoding="utf-8")
    assert all(path.name in sources for path in files)
