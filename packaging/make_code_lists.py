"""Makes the compact tables under resources/codes from public code lists.

Usage: python packaging/make_code_lists.py FOLDER

FOLDER holds ``code_lists`` and ``zcta`` as described in
``resources/codes/SOURCES.md``. The output is the same, byte for byte, for the
same input.
"""

from __future__ import annotations

import csv
import gzip
import io
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

OUT = Path(__file__).resolve().parents[1] / "resources" / "codes"

Row = Sequence[str]

# Census divisions do not cover the territories; CMS numbers them nevertheless.
TERRITORIES = (
    ("60", "64", "AS", "American Samoa"),
    ("66", "65", "GU", "Guam"),
    ("69", "97", "MP", "Northern Mariana Islands"),
    ("72", "40", "PR", "Puerto Rico"),
    ("78", "48", "VI", "Virgin Islands"),
)
SPELLING = {
    "(hiv)": "(HIV)",
    "healthhazards": "health hazards",
    "`": "'",
    " [259. and 260.]": "",
    "transmitteddisease": "transmitted disease",
    "Mental Illness": "Mental illness",
}


def read(path: Path) -> Iterator[dict[str, str]]:
    """Rows of a CSV file, gzipped or not."""
    data = path.read_bytes()
    if path.suffix == ".gz":
        data = gzip.decompress(data)
    yield from csv.DictReader(io.StringIO(data.decode("utf-8-sig")))


def write(name: str, header: Row, rows: Iterable[Row]) -> None:
    """Write a CSV file under resources/codes, gzipped if its name says so."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    data = text.getvalue().encode()
    if name.endswith(".gz"):
        # No time stamp: the same input gives the same bytes.
        data = gzip.compress(data, compresslevel=9, mtime=0)
    path = OUT / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    print(f"{len(data):>9,} bytes  {name}")


def tidy(name: str) -> str:
    """Spell a heading: one space between words, known misprints fixed."""
    name = re.sub(r"\s+", " ", name).strip()
    for wrong, right in SPELLING.items():
        name = name.replace(wrong, right)
    return name


def sentence_case(name: str) -> str:
    """Turn "Diseases Of The Ear" into "Diseases of the ear"."""
    return tidy(name[:1] + name[1:].lower())


def span(categories: Sequence[str]) -> str:
    """Write a run of categories as A00-A09 or, if it is one, A00."""
    first, last = categories[0], categories[-1]
    return first if first == last else f"{first}-{last}"


def icd9(lists: Path) -> None:
    """ICD-9-CM: chapters, blocks, categories, and all codes with CCS groups."""
    chapters: dict[str, list[str]] = {}
    blocks: dict[tuple[str, str], list[str]] = {}
    codes: dict[str, str] = {}
    for row in read(lists / "icd9" / "icd9cm_hierarchy.csv.gz"):
        category = row["three_digit"]
        for members in (
            chapters.setdefault(row["chapter"], []),
            blocks.setdefault((row["chapter"], row["sub_chapter"]), []),
        ):
            if category not in members:
                members.append(category)
    for row in read(lists / "icd9" / "icd9dx2015.csv.gz"):
        codes[row["dgns_cd"]] = ""
    for row in read(lists / "ccs" / "ccs_single_dx_icd9_2015.csv.gz"):
        if row["icd9cm"]:
            codes[row["icd9cm"]] = row["ccs"]
    number = {chapter: str(n) for n, chapter in enumerate(chapters, start=1)}
    write(
        "icd9cm/chapters.csv",
        ("chapter", "span", "name"),
        ((number[c], span(m), sentence_case(c)) for c, m in chapters.items()),
    )
    write(
        "icd9cm/blocks.csv",
        ("span", "chapter", "name"),
        ((span(m), number[c], sentence_case(b)) for (c, b), m in blocks.items()),
    )
    write(
        "icd9cm/categories.csv.gz",
        ("category", "block"),
        ((category, span(m)) for m in blocks.values() for category in m),
    )
    write("icd9cm/codes.csv.gz", ("code", "ccs"), sorted(codes.items()))


def icd10(lists: Path) -> None:
    """ICD-10-CM: the same, headings of 2026, codes of 2019 and 2024."""
    chapter_rows = list(read(lists / "icd10" / "icd10cm_2026_chapters.csv"))
    category_rows = list(read(lists / "icd10" / "icd10cm_2026_categories.csv"))
    used = {row["block"] for row in category_rows}
    write(
        "icd10cm/chapters.csv",
        ("chapter", "span", "name"),
        (
            (
                row["chapter"],
                f"{row['first']}-{row['last']}",
                tidy(
                    re.sub(r"\s*\([A-Z0-9]{3}-[A-Z0-9]{3}\)$", "", row["description"])
                ),
            )
            for row in chapter_rows
        ),
    )
    # Blocks that only join other blocks (V00-X58) hold no category themselves.
    write(
        "icd10cm/blocks.csv",
        ("span", "chapter", "name"),
        (
            (row["block"], row["chapter"], tidy(row["description"]))
            for row in read(lists / "icd10" / "icd10cm_2026_blocks.csv")
            if row["block"] in used
        ),
    )
    write(
        "icd10cm/categories.csv.gz",
        ("category", "block"),
        ((row["category"], row["block"]) for row in category_rows),
    )
    codes = {
        row["code"]: "" for row in read(lists / "icd10" / "icd10cm_codes_2024.csv.gz")
    }
    for row in read(lists / "ccs" / "ccs_dx_icd10cm_2019.csv.gz"):
        codes[row["icd10cm"]] = row["ccs"]
    write("icd10cm/codes.csv.gz", ("code", "ccs"), sorted(codes.items()))


def ccs(lists: Path) -> None:
    """CCS groups of diagnoses and the chapters (level 1) they belong to."""
    groups: dict[int, tuple[str, str]] = {}
    chapters: dict[int, str] = {}
    for row in read(lists / "ccs" / "ccs_dx_icd10cm_2019.csv.gz"):
        groups[int(row["ccs"])] = (row["lvl1"], tidy(row["ccs_desc"]))
        chapters[int(row["lvl1"])] = tidy(row["lvl1_label"])
    write(
        "ccs/groups.csv",
        ("group", "chapter", "name"),
        ((str(number), *groups[number]) for number in sorted(groups)),
    )
    write(
        "ccs/chapters.csv",
        ("chapter", "name"),
        ((str(number), chapters[number]) for number in sorted(chapters)),
    )


CHARLSON = (
    ("ami", 1, "Myocardial infarction"),
    ("chf", 1, "Congestive heart failure"),
    ("pvd", 1, "Peripheral vascular disease"),
    ("cevd", 1, "Cerebrovascular disease"),
    ("dementia", 1, "Dementia"),
    ("copd", 1, "Chronic pulmonary disease"),
    ("rheumd", 1, "Rheumatic disease"),
    ("pud", 1, "Peptic ulcer disease"),
    ("mld", 1, "Mild liver disease"),
    ("diab", 1, "Diabetes without chronic complication"),
    ("diabwc", 2, "Diabetes with chronic complication"),
    ("hp", 2, "Hemiplegia or paraplegia"),
    ("rend", 2, "Renal disease"),
    ("canc", 2, "Any malignancy, lymphoma and leukemia"),
    ("msld", 3, "Moderate or severe liver disease"),
    ("metacanc", 6, "Metastatic solid tumor"),
    ("aids", 6, "AIDS or HIV"),
)
"""Conditions with their weights of 1987, in the order of the publications."""


def charlson(lists: Path) -> None:
    """Conditions of the Charlson index: beginnings of codes by Quan et al. (2005)."""
    write(
        "charlson/conditions.csv",
        ("condition", "weight", "name"),
        [(key, str(weight), name) for key, weight, name in CHARLSON],
    )
    order = [key for key, _weight, _name in CHARLSON]
    systems = {"charlson_icd9_quan": "icd9cm", "charlson_icd10_quan": "icd10cm"}
    # A code of two conditions is one of the first.
    found: dict[tuple[str, str], str] = {}
    rows = read(lists / "comorbidity" / "charlson_elixhauser_prefixes.csv")
    for row in sorted(
        (each for each in rows if each["mapping"] in systems),
        key=lambda each: order.index(each["condition"]),
    ):
        key = systems[row["mapping"]], row["code_prefix"]
        found.setdefault(key, row["condition"])
    write(
        "charlson/prefixes.csv",
        ("system", "prefix", "condition"),
        sorted((*key, condition) for key, condition in found.items()),
    )


def zip3(zcta: Path) -> None:
    """ZIP prefixes with their population of 2010 and 2020, and the list of 2000."""
    by_year = {
        year: {
            row["zip3"]: row["population"]
            for row in read(zcta / f"zip3_{year}_population.csv")
        }
        for year in ("2010", "2020")
    }
    restricted = {
        row["zip3"]
        for row in read(zcta / "zip3_le20000_lists.csv")
        if row["census"] == "2000"
    }
    prefixes = sorted({*by_year["2010"], *by_year["2020"], *restricted})
    write(
        "zip3.csv",
        ("zip3", "population_2020", "population_2010", "restricted_2000"),
        (
            (
                prefix,
                by_year["2020"].get(prefix, ""),
                by_year["2010"].get(prefix, ""),
                "1" if prefix in restricted else "",
            )
            for prefix in prefixes
        ),
    )


def states(lists: Path) -> None:
    """States with their numbers, divisions and regions; territories apart."""
    columns = ("fips", "ssa", "abbr", "name", "division", "region")
    rows = [
        tuple(row[name] for name in columns)
        for row in read(lists / "geo" / "us_states_divisions_regions.csv")
    ]
    # By region and division, so that the members of a group are neighbours.
    rows.sort(key=lambda row: (row[5], row[4], row[3]))
    rows += [(*row, "US territories", "US territories") for row in TERRITORIES]
    write("us_states.csv", columns, rows)


def main() -> None:
    """Make every table."""
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    source = Path(sys.argv[1])
    icd9(source / "code_lists")
    icd10(source / "code_lists")
    ccs(source / "code_lists")
    charlson(source / "code_lists")
    zip3(source / "zcta")
    states(source / "code_lists")


if __name__ == "__main__":
    main()
