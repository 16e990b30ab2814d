"""Makes the tables of people under resources/population from public figures.

Usage: python packaging/make_population_tables.py FOLDER

FOLDER holds ``population`` and ``zcta`` as described in
``resources/population/SOURCES.md``. Only counts are carried over. The output is the
same, byte for byte, for the same input.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "resources" / "population"

Attributes = Sequence[tuple[str, str, Sequence[str] | None]]
"""Name, subject and values; None if the values are stored with the counts."""

SEXES = ("Male", "Female")
RACES = (
    "White",
    "Black or African American",
    "American Indian or Alaska Native",
    "Asian",
    "Native Hawaiian or Other Pacific Islander",
    "Two or more races",
)
RACES_2000 = (*RACES[:5], "Some other race", RACES[5])
ORIGINS = ("Not Hispanic", "Hispanic")
BANDS = (*(f"{low}-{low + 4}" for low in range(0, 85, 5)), "85+")

CENSUS = "U.S. Census Bureau; a work of the US government, public domain."


def single_ages(top: int) -> tuple[str, ...]:
    """Ages in completed years, the last one open."""
    return (*(str(age) for age in range(top)), f"{top}+")


def write(
    name: str, card: dict[str, Any], attributes: Attributes, **arrays: Any
) -> None:
    """Write the counts of a table and its card."""
    OUT.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(OUT / f"{name}.npz", **arrays)
    counts = arrays["counts"]
    card = {
        **card,
        "total": int(counts.sum()),
        "attributes": [
            {"name": n, "subject": subject}
            | ({} if values is None else {"values": list(values)})
            for n, subject, values in attributes
        ],
    }
    text = json.dumps(card, ensure_ascii=False, indent=1)
    (OUT / f"{name}.json").write_text(text + "\n", encoding="utf-8")
    size = (OUT / f"{name}.npz").stat().st_size
    print(f"{size:>9,} bytes  {name}: {card['total']:,} people")


def dense(frame: pl.DataFrame, order: dict[str, Sequence[Any]]) -> Any:
    """Counts of a frame as an array with one axis per column, in the order given."""
    places = [
        frame[column].replace_strict(list(values), range(len(values))).to_numpy()
        for column, values in order.items()
    ]
    counts = np.zeros([len(values) for values in order.values()], dtype=np.int32)
    assert len(frame) == len(frame.unique(list(order)))
    counts[tuple(places)] = frame["people"].to_numpy()
    return counts


def united_states_2000_2010(folder: Path) -> None:
    """Sex, single year of age, race and origin at two censuses."""
    frame = pl.read_csv(folder / "us_est00int_alldata_2000_2010.csv.gz")
    races = ("WA", "BA", "IA", "AA", "NA", "TOM")
    for year in (2000, 2010):
        rows = frame.filter(
            (pl.col("YEAR") == year) & (pl.col("MONTH") == 4) & (pl.col("AGE") < 999)
        ).sort("AGE")
        assert rows["AGE"].to_list() == list(range(86))
        counts = np.array(
            [
                [
                    [rows[f"{origin}{race}_{sex}"] for origin in ("NH", "H")]
                    for race in races
                ]
                for sex in ("MALE", "FEMALE")
            ],
            dtype=np.int32,
        )
        write(
            f"us_{year}",
            {
                "title": f"United States, 1 April {year}",
                "year": year,
                "geography": "United States (50 states and DC)",
                "basis": "counted",
                "source": f"National intercensal estimates 2000-2010 (US-EST00INT), "
                f"census of {year} with its corrections. {CENSUS}",
                "lacks": [
                    "Puerto Rico and the territories",
                    "ages above 85 one by one",
                    "“Some other race”: the bureau has assigned these people to the "
                    "other races (modified race)",
                ],
            },
            [
                ("sex", "sex", SEXES),
                ("age", "age", single_ages(85)),
                ("race", "race", RACES),
                ("origin", "origin", ORIGINS),
            ],
            # sex, race, origin, age -> sex, age, race, origin
            counts=np.moveaxis(counts, 3, 1),
        )


def united_states_2014(folder: Path) -> None:
    """Sex, single year of age to 100, race and origin."""
    frame = pl.read_csv(folder / "us_2014_np2014_d1_single_age_0_100.csv.gz")
    one_race = frame.filter(
        pl.col("origin").is_in([1, 2])
        & pl.col("race").is_between(1, 6)
        & pl.col("sex").is_in([1, 2])
    ).rename({"population": "people"})
    order: dict[str, Sequence[Any]] = {
        "sex": (1, 2),
        "age": range(101),
        "race": range(1, 7),
        "origin": (1, 2),
    }
    write(
        "us_2014",
        {
            "title": "United States, July 2014, ages to 100",
            "year": 2014,
            "geography": "United States (50 states and DC)",
            "basis": "counted",
            "source": "National population projections of 2014 (NP2014_D1), their base "
            f"year: an official estimate from the census of 2010. {CENSUS}",
            "lacks": [
                "Puerto Rico and the territories",
                "“Some other race”: the bureau has assigned these people to the other "
                "races (modified race)",
            ],
        },
        [
            ("sex", "sex", SEXES),
            ("age", "age", single_ages(100)),
            ("race", "race", RACES),
            ("origin", "origin", ORIGINS),
        ],
        counts=dense(one_race, order),
    )


def state_names() -> dict[str, str]:
    """Names of states by FIPS number."""
    rows = pl.read_csv(
        ROOT / "resources" / "codes" / "us_states.csv", schema_overrides=[pl.String] * 6
    )
    return dict(zip(rows["fips"], rows["name"], strict=True))


def states_recent(folder: Path) -> None:
    """States by age in fives, sex, race and origin, in five years."""
    frame = pl.read_csv(
        folder / "states_2020_2024_sex_age5_race_origin.csv.gz",
        schema_overrides={"state_fips": pl.String},
    ).rename({"pop": "people"})
    numbers = sorted(frame["state_fips"].unique())
    names = state_names()
    order: dict[str, Sequence[Any]] = {
        "state_fips": numbers,
        "sex": ("male", "female"),
        "age": range(0, 90, 5),
        "race": (
            "white_only",
            "black_only",
            "american_indian_only",
            "asian_only",
            "nhopi_only",
            "multiracial",
        ),
        "hispanic_origin": ("non_hispanic", "hispanic"),
    }
    for year in range(2020, 2025):
        rows = frame.filter(pl.col("year") == year)
        write(
            f"states_{year}",
            {
                "title": f"States, July {year}, ages in fives",
                "year": year,
                "geography": "50 states and DC",
                "basis": "counted",
                "source": "Population Estimates Program, vintage 2024: official "
                f"estimates from the census of 2020. {CENSUS}",
                "lacks": [
                    "Puerto Rico and the territories",
                    "single years of age, and ages above 85 in any detail",
                    "“Some other race”: the bureau has assigned these people to the "
                    "other races (modified race)",
                ],
            },
            [
                ("state", "state", [names[number] for number in numbers]),
                ("sex", "sex", SEXES),
                ("age", "age", BANDS),
                ("race", "race", RACES),
                ("origin", "origin", ORIGINS),
            ],
            counts=dense(rows, order),
        )


def states_modelled(folder: Path) -> None:
    """States of 2000 by sex, single year of age and race: modelled, not counted."""
    frame = pl.read_csv(
        folder / "states_2000_MODELLED_ipf_sex_age_race.csv.gz",
        schema_overrides={"fips": pl.String},
    ).rename({"population": "people"})
    numbers = sorted(frame["fips"].unique())
    names = state_names()
    order: dict[str, Sequence[Any]] = {
        "fips": numbers,
        "sex": SEXES,
        "age": range(86),
        "race": (
            "White alone",
            "Black alone",
            "AIAN alone",
            "Asian alone",
            "NHPI alone",
            "Some other race alone",
            "Two or more races",
        ),
    }
    write(
        "states_2000_modelled",
        {
            "title": "States, census of 2000, MODELLED, single ages",
            "year": 2000,
            "geography": "50 states and DC",
            "basis": "modelled",
            "source": "Iterative proportional fitting: the national table of sex, "
            "single year of age and race (1 April 2000) fitted to each state's counts "
            "by race, by sex and by eight age groups (Census 2000, SF1). Totals by "
            "state and race are counts; each single cell is an estimate. Figures "
            f"fitted to: {CENSUS}",
            "lacks": [
                "counts of the cells: they are modelled, do not quote them",
                "Hispanic origin",
                "Puerto Rico and the territories",
                "ages above 85 one by one",
            ],
        },
        [
            ("state", "state", [names[number] for number in numbers]),
            ("sex", "sex", SEXES),
            ("age", "age", single_ages(85)),
            ("race", "race", RACES_2000),
        ],
        counts=dense(frame, order),
    )


def zip_codes(folder: Path) -> None:
    """People per ZIP code tabulation area, with the state."""
    text = {"zcta": pl.String}
    old = pl.read_csv(folder / "zcta_2010_population.csv", schema_overrides=text)
    new = pl.read_csv(folder / "zcta_2020_population.csv", schema_overrides=text)
    prefix = pl.col("zcta").str.head(3).alias("prefix")
    # Areas drawn after 2010 lie in the state where most people of their prefix live.
    of_prefix = (
        old.with_columns(prefix)
        .group_by("prefix", "state")
        .agg(pl.col("population").sum())
        .sort("prefix", "population")
        .unique("prefix", keep="last")
        .select("prefix", pl.col("state").alias("usual"))
    )
    new = (
        new.with_columns(prefix)
        .join(old.select("zcta", "state"), on="zcta", how="left")
        .join(of_prefix, on="prefix", how="left")
        .with_columns(pl.coalesce("state", "usual").alias("state"))
    )
    for year, frame, lacks in (
        (
            2010,
            old,
            ["16 areas of Puerto Rico", "5,607 people of the states in no area"],
        ),
        (
            2020,
            new,
            [
                "8,530 people of the states in no area",
                "states as counted: an area drawn after 2010 has the state in which "
                "most people with its first three digits live",
            ],
        ),
    ):
        zips(year, frame, lacks)


def zips(year: int, frame: pl.DataFrame, lacks: Sequence[str]) -> None:
    """Write the ZIP totals of one census."""
    states = pl.read_csv(
        ROOT / "resources" / "codes" / "us_states.csv",
        schema_overrides=[pl.String] * 6,
    ).sort("fips")
    names = dict(zip(states["abbr"], states["name"], strict=True))
    present = [a for a in states["abbr"] if a in set(frame["state"])]
    rows = frame.with_columns(
        pl.col("state").replace_strict(present, range(len(present))).alias("place")
    ).sort("place", "zcta")
    codes = rows["zcta"].to_numpy().astype("S5")
    write(
        f"zip5_{year}",
        {
            "title": f"ZIP codes, census of {year}, everybody",
            "year": year,
            "geography": "50 states, DC and Puerto Rico",
            "basis": "counted",
            "source": f"Census of {year}, ZIP code tabulation areas. {CENSUS}",
            "lacks": [
                "sex, age, race: people are counted by ZIP code only",
                "ZIP codes that are no area: post office boxes, large organisations, "
                "military",
                *lacks,
            ],
        },
        [
            ("state", "state", [names[abbr] for abbr in present]),
            ("zip", "zip5", None),
        ],
        counts=rows["population"].to_numpy().astype(np.int32),
        states=rows["place"].to_numpy().astype(np.uint8),
        codes=codes,
    )


def main() -> None:
    """Make every table."""
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    source = Path(sys.argv[1])
    united_states_2000_2010(source / "population")
    united_states_2014(source / "population")
    states_recent(source / "population")
    states_modelled(source / "population")
    zip_codes(source / "zcta")


if __name__ == "__main__":
    main()
