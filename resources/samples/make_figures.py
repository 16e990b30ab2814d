"""Compact the public figures on which the synthetic sample rests.

    python resources/samples/make_figures.py FOLDER

`FOLDER` holds the public files that `SOURCES.md` names, under the names given there.
Writes the tables in ``figures/``, which are part of the repository, so that the sample
itself can be made again without those files.
"""

import csv
import sys
from collections.abc import Iterable
from pathlib import Path

import polars as pl

FIGURES = Path(__file__).resolve().parent / "figures"
STATE_FIPS, STATE = "47", "TN"

# Lower ends of the age groups in which hospital figures are given; newborns apart.
AGE_GROUPS = (0, 1, 5, 15, 25, 35, 45, 55, 65, 75, 85)

# A code is kept if so many discharges of the survey have it: below, its own length of
# stay and its shares by age are noise.
FEWEST_PRINCIPAL, FEWEST_SECONDARY, FEWEST_IN_CELL = 120, 900, 10

# So many in one age group and sex are enough by themselves: children's diagnoses.
ENOUGH_IN_CELL = 60

# An ICD-9-CM code that the official map translates to more codes than this is left out.
MOST_CHOICES = 6

RACES = {
    "white_only": "White",
    "black_only": "Black or African American",
    "american_indian_only": "American Indian or Alaska Native",
    "asian_only": "Asian",
    "nhopi_only": "Native Hawaiian or Other Pacific Islander",
    "multiracial": "Two or more races",
}
ORIGINS = {
    "hispanic": "Hispanic or Latino",
    "non_hispanic": "Not Hispanic or Latino",
}
MARITAL_STATUS = {
    "single": "Never married",
    "married": "Married",
    "separated": "Separated",
    "divorced": "Divorced",
    "widowed": "Widowed",
}
# Survey's status at discharge -> wording of the sample.
DISPOSITIONS = {
    "home": "Home",
    "short_term": "Other hospital",
    "long_term": "Nursing or rehabilitation facility",
    "AMA": "Left against medical advice",
    "dead": "Died",
}


def main(folder: Path) -> None:
    """Write every table."""
    FIGURES.mkdir(exist_ok=True)
    _write("population", _population(folder))
    _write("single_ages", _single_ages(folder))
    _write("zips", _zips(folder))
    stays = _stays(folder)
    _write("discharge_rates", _discharge_rates(stays, folder))
    _write("marital_status", _shares(stays, "marital_status", MARITAL_STATUS))
    _write("dispositions", _shares(stays, "dc_status", DISPOSITIONS))
    principal = _diagnoses(_principal(stays), ["dx01"], FEWEST_PRINCIPAL, folder)
    others = [f"dx{number:02}" for number in range(2, 16)]
    secondary = _diagnoses(stays, others, FEWEST_SECONDARY, folder).filter(
        # A reason to come again is no external cause, status, germ or newborn matter.
        ~pl.col("diagnosis").str.contains("^([VWXYZ]|B9[567]|R65|O|P)"),
        pl.col("age_group") != "newborn",
    )
    _write("lengths_of_stay", _lengths_of_stay(principal))
    _write("principal_diagnoses", _by_person(principal, "diagnosis"))
    _write("secondary_diagnoses", _by_person(secondary, "diagnosis"))


def _population(folder: Path) -> pl.DataFrame:
    """Residents of the state in 2020 by five-year age, sex, race and origin."""
    return (
        pl.read_csv(
            folder / "states_2020_2024_sex_age5_race_origin.csv.gz",
            schema_overrides={"state_fips": pl.String},
        )
        .filter(pl.col("state_fips") == STATE_FIPS, pl.col("year") == 2020)
        .select(
            pl.col("age").alias("age_from"),
            pl.col("sex").str.to_titlecase(),
            pl.col("race").replace_strict(RACES),
            pl.col("hispanic_origin").replace_strict(ORIGINS).alias("ethnicity"),
            pl.col("pop").alias("population"),
        )
        .sort("age_from", "sex", "race", "ethnicity")
    )


def _single_ages(folder: Path) -> pl.DataFrame:
    """Residents of the United States in 2014 by single year of age (100 = 100+)."""
    # Code 0 stands for "all" in each of these columns.
    everybody = pl.all_horizontal(pl.col("origin", "race") == 0) & (pl.col("sex") != 0)
    return (
        pl.read_csv(folder / "us_2014_np2014_d1_single_age_0_100.csv.gz")
        .filter(everybody)
        .with_columns(pl.col("sex").replace_strict({1: "Male", 2: "Female"}))
        .pivot(on="sex", index="age", values="population")
        .select("age", "Female", "Male")
        .sort("age")
    )


def _zips(folder: Path) -> pl.DataFrame:
    """Adults of each ZIP code tabulation area of the state by race and origin."""
    places = pl.read_csv(folder / "zip_to_county_state.csv.gz", infer_schema=False)
    adults = pl.read_csv(
        folder / "zcta_2020_over18_race_origin.csv.gz",
        schema_overrides={"ZCTA5": pl.String},
    )
    return (
        adults.join(places, left_on="ZCTA5", right_on="zipcode")
        .filter(pl.col("state") == STATE, pl.col("Total_Pop") > 0)
        .select(
            pl.col("ZCTA5").alias("zip"),
            pl.col("major_city").alias("city"),
            pl.col("NH_White_alone").alias("white"),
            pl.col("NH_Black_alone").alias("black"),
            pl.col("NH_AIAN_alone").alias("native"),
            pl.col("NH_API_alone").alias("asian_pacific"),
            (pl.col("NH_Other_alone") + pl.col("NH_Mult_Total")).alias("other"),
            pl.col("Hispanic_Total").alias("hispanic"),
        )
        .sort("zip")
    )


# --- hospital stays ---------------------------------------------------------------


def _stays(folder: Path) -> pl.DataFrame:
    """Stays of the survey with sex and age group as the sample words them."""
    stays = pl.read_csv(folder / "nhds2010.csv.gz", infer_schema=False)
    years = pl.when(pl.col("age_unit") == "years").then(pl.col("age").cast(pl.Int64))
    group = _group_label(years.otherwise(0))
    newborn = pl.when(pl.col("newborn") == "TRUE").then(pl.lit("newborn"))
    return stays.with_columns(
        pl.col("^dx[0-9]+$").str.strip_suffix("-"),
        pl.col("sex").str.to_titlecase(),
        newborn.otherwise(group).alias("age_group"),
        pl.col("weighting").cast(pl.Int64).alias("discharges"),
        pl.col("care_days").cast(pl.Int64),
    )


def _group_label(age: pl.Expr) -> pl.Expr:
    """Lower end of the age group, as text."""
    lower = pl.lit(AGE_GROUPS[0])
    for start in AGE_GROUPS[1:]:
        lower = pl.when(age >= start).then(start).otherwise(lower)
    return lower.cast(pl.String)


def _discharge_rates(stays: pl.DataFrame, folder: Path) -> pl.DataFrame:
    """Discharges and residents of the United States in 2010 by age group and sex."""
    residents = (
        pl.read_csv(folder / "us_est00int_alldata_2000_2010.csv.gz")
        .filter(pl.col("MONTH") == 7, pl.col("YEAR") == 2010, pl.col("AGE") != 999)
        .with_columns(_group_label(pl.col("AGE")).alias("age_group"))
        .group_by("age_group")
        .agg(Male=pl.col("TOT_MALE").sum(), Female=pl.col("TOT_FEMALE").sum())
        .unpivot(index="age_group", variable_name="sex", value_name="population")
    )
    return (
        stays.group_by("age_group", "sex")
        .agg(pl.col("discharges").sum())
        # Newborns are residents aged 0, too.
        .join(
            pl.concat(
                [
                    residents,
                    residents.filter(pl.col("age_group") == "0").with_columns(
                        age_group=pl.lit("newborn")
                    ),
                ]
            ),
            on=["age_group", "sex"],
        )
        .select("age_group", "sex", "discharges", "population")
        .sort(_group_order(), "sex")
    )


def _shares(stays: pl.DataFrame, column: str, words: dict[str, str]) -> pl.DataFrame:
    """Discharges by age group, sex and one other column, unknown ones left out."""
    known = stays.filter(pl.col(column).is_in(list(words))).with_columns(
        pl.col(column).replace_strict(words).alias("value")
    )
    return _by_person(known, "value")


def _by_person(stays: pl.DataFrame, column: str) -> pl.DataFrame:
    """Thousands of discharges by age group, sex and one other column; none is 0."""
    return (
        stays.group_by("age_group", "sex", column)
        .agg((pl.col("discharges").sum() / 1000).round(1).alias("thousands"))
        .filter(pl.col("thousands") > 0)
        .sort(_group_order(), "sex", column)
    )


def _group_order() -> pl.Expr:
    """Sort key that puts newborns first and ages in numeric order."""
    return pl.col("age_group").replace("newborn", "-1").cast(pl.Int64)


def _diagnoses(
    stays: pl.DataFrame, columns: list[str], fewest: int, folder: Path
) -> pl.DataFrame:
    """Stays with each diagnosis in `columns`, as an ICD-10-CM code that is frequent."""
    in_cell = pl.len().over("age_group", "sex", "diagnosis")
    return (
        stays.unpivot(
            on=columns,
            index=["age_group", "sex", "discharges", "care_days"],
            value_name="icd9cm",
        )
        .join(_conversion(folder), on="icd9cm")
        .filter(_is_plausible())
        .filter(
            ((pl.len().over("diagnosis") >= fewest) & (in_cell >= FEWEST_IN_CELL))
            | (in_cell >= ENOUGH_IN_CELL)
        )
    )


def _principal(stays: pl.DataFrame) -> pl.DataFrame:
    """Put the reason of the stay first, where the survey has a delivery's outcome."""
    outcome = pl.col("dx01").str.starts_with("V27")
    return stays.with_columns(dx01=pl.when(outcome).then("dx02").otherwise("dx01"))


def _conversion(folder: Path) -> pl.DataFrame:
    """Give each ICD-9-CM code one ICD-10-CM code of those that the official map offers.

    The map gives up to hundreds of more specific codes; what they specify is unknown,
    so the least specific is taken. Codes with many choices say too little and drop out.
    """
    valid = pl.read_csv(folder / "icd10cm_codes_2024.csv.gz", infer_schema=False)
    offered = pl.read_csv(
        folder / "gem_icd9_to_icd10cm.csv.gz", infer_schema=False
    ).filter(pl.len().over("icd9cm") <= MOST_CHOICES)
    # The map is of 2018; codes that were split since then go on in longer ones.
    stem = pl.col("icd10cm").str.replace(r"X*[A-Z]?$", "")
    split = offered.join(valid, left_on="icd10cm", right_on="code", how="anti")
    longer = (
        split.with_columns(stem=stem, category=pl.col("icd10cm").str.head(3))
        .join(valid.with_columns(category=pl.col("code").str.head(3)), on="category")
        .filter(pl.col("code").str.starts_with(pl.col("stem")))
    )
    kept = offered.join(valid, left_on="icd10cm", right_on="code")
    choices = pl.concat(
        [
            kept.select("icd9cm", "description", code="icd10cm"),
            longer.select("icd9cm", "description", "code"),
        ]
    )
    is_specific = ~pl.col("description").str.contains("unspecified|not specified")
    dotted = pl.col("code").str.replace(r"^(...)(.+)$", "$1.$2")
    return (
        choices.sort("icd9cm", is_specific, ~pl.col("code").str.ends_with("9"), "code")
        .unique("icd9cm", keep="first", maintain_order=True)
        .select("icd9cm", dotted.alias("diagnosis"))
    )


def _is_plausible() -> pl.Expr:
    """Drop the survey's few slips: diagnoses that a sex or an age cannot have."""
    code, group = pl.col("diagnosis"), pl.col("age_group")
    female_only = code.str.contains(r"^(O|N[789]|C5[1-8]|D2[567]|Z3A)")
    male_only = code.str.contains(r"^(N4|C6[0-3])")
    # The map's only valid choice for "other condition in childbirth" and its like.
    mistranslated = code.str.contains(r"^(O25|O98|O09|B97|J91)")
    perinatal = code.str.contains(r"^(P|Z38)")
    childbearing = group.is_in(["15", "25", "35", "45"])
    return (
        ~mistranslated
        & (~female_only | (pl.col("sex") == "Female"))
        & (~male_only | (pl.col("sex") == "Male"))
        & (~code.str.starts_with("O") | childbearing)
        & (~perinatal | group.is_in(["newborn", "0"]))
        & (~code.str.starts_with("Z38") | (group == "newborn"))
    )


def _lengths_of_stay(stays: pl.DataFrame) -> pl.DataFrame:
    """Weighted mean and standard deviation of the logarithm of the days of care."""
    log, weight = pl.col("care_days").log(), pl.col("discharges")
    mean = (log * weight).sum() / weight.sum()
    square = (log * log * weight).sum() / weight.sum()
    return (
        stays.group_by("diagnosis")
        .agg(
            mean.round(3).alias("log_days_mean"),
            (square - mean * mean).clip(0).sqrt().round(3).alias("log_days_sd"),
        )
        .sort("diagnosis")
    )


# --- writing ----------------------------------------------------------------------


def _write(name: str, table: pl.DataFrame) -> None:
    with (FIGURES / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        rows: Iterable[tuple[object, ...]] = table.iter_rows()
        writer.writerow(table.columns)
        writer.writerows(rows)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
