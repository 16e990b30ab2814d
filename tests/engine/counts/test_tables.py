"""What the cells of a table are, how they are called, and what is refused."""

from __future__ import annotations

import csv
import gzip

import pytest

from deidgui.engine.counts.tables import table as module
from deidgui.engine.counts.tables.cells import CellType
from deidgui.engine.counts.tables.reading import (
    cell_problems,
    from_csv,
    name_of,
    needs_threshold,
    pasted_grid,
    refuse_problems,
    to_csv,
)
from deidgui.engine.counts.tables.table import CellStatement, CountTable
from deidgui.errors import InputError, ProblemsError
from tests.engine.counts.seed import TABLE_1, TABLE_2, pasted
from tests.shared import shared


def test_the_tables_of_the_paper():
    table = pasted(TABLE_1)
    assert table.layout.labels == (0, 1, 2)
    assert table.layout.n_header_rows == 1
    assert table.row_name(3) == "Sample1: 3: Some inclusion/exclusion criteria"
    assert table.column_name(4) == "Excluded Patient Counts"
    table = pasted(TABLE_2)
    assert table.row_name(4) == "By Age Group: 25-35"
    assert table.row_name(8) == "By Sex: Ambiguous"
    masked = [(row, column) for row, column, c in table.counts() if c.is_masked]
    assert masked == [(4, 1), (5, 2), (8, 1), (10, 2)]
    assert needs_threshold(table)


def test_merged_cells_of_a_spreadsheet_are_filled():
    text = (
        "Admissions 2019\n\n\tSite A\t\tSite B\t\nGroup\tMen\tWomen\tMen\tWomen\n"
        "Age\t1\t2\t3\t4\n"
    )
    table = pasted(text)
    assert table.layout.n_header_rows == 4
    assert table.column_paths[1:] == (
        ("Site A", "Men"),
        ("Site A", "Women"),
        ("Site B", "Men"),
        ("Site B", "Women"),
    )
    rows = pasted("Group\tValue\tN\nAge\t0-17\t5\n\t18+\t6\nSex\tF\t7\n\tM\t4\n")
    assert list(rows.row_paths[1:]) == [
        ("Age", "0-17"),
        ("Age", "18+"),
        ("Sex", "F"),
        ("Sex", "M"),
    ]


def test_years_above_are_names_of_columns():
    table = pasted("\t2019\t2020\nAsthma\t12\t13\nCOPD\t14\t15\n")
    assert table.layout.n_header_rows == 1
    assert table.column_name(2) == "2020"
    assert len(list(table.counts())) == 4


@pytest.mark.parametrize("dash", ["-", "\u2013", " - "])
def test_ranges_are_labels_however_many_there_are(dash):
    table = pasted(
        "Age\tN\n"
        + "".join(f"{low}{dash}{low + 9}\t{low + 7}\n" for low in range(0, 90, 10))
    )
    assert table.layout.labels == (0,)
    assert table.row_name(1) == f"0{dash}9"
    negative = pasted("a\tN\nx\t-3\ny\t5\n")
    assert negative.layout.labels == (0,)


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("County\tPlace\tN\nA\t0207\t12\nA\t1103\t30\n", (0, 1)),
        ("Tract\tN\n207\t12\n208\t30\n", (0,)),
        ("state\tcounty\ttract\tpop2000\n47\t161\t1103\t5\n47\t1\t9\t6\n", (0, 1, 2)),
        ("ZIP code\tF\tM\n37201\t10\t20\n37203\t7\t9\n", (0,)),
        ("Sex\tZIP3\tN\nF\t372\t20\nM\t373\t9\n", (0, 1)),
        ("county_fips\tN\n47157\t20\n47037\t9\n", (0,)),
        ("Patient ID\tVisits\n1001\t3\n1002\t4\n", (0,)),
        ("Year\tN\n2019\t20\n2020\t9\n", (0,)),
        ("month\tyear\tage\tpop\n4\t2000\t0\t9\n4\t2000\t1\t8\n", (0, 1, 2)),
    ],
)
def test_codes_are_labels(text, labels):
    assert pasted(text).layout.labels == labels


@pytest.mark.parametrize(
    ("text", "n_counts"),
    [
        # Counts of codes, of people with a code, in a year; all of them as wide as one
        # another and all different.
        ("Region\tZIP codes\tN\nA\t12\t33\nB\t15\t34\n", 4),
        ("Group\tWith code\tWithout code\nA\t120\t331\nB\t150\t344\n", 4),
        ("Group\tMonth\tYear\nA\t12\t33\nB\t10\t34\n", 4),
        ("Site\tCounty\tState\nA\t12\t33\nB\t10\t34\n", 4),
        ("Year 1\tYear 2\n101\t103\n105\t108\n", 4),
        ("Year\tN\n120\t20\n2020\t9\n", 4),
        ("Group\tN\tZIP\nA\t12\t30\nB\t10\t34\n", 4),
        # Padded everywhere: somebody writes counts so.
        ("Group\tN\nA\t012\nB\t003\n", 2),
        ("Group\tN\nA\t0\nB\t10\n", 2),
        ("Group\tTract\nA\t1,200\nB\t3,400\n", 2),
    ],
)
def test_counts_are_no_codes(text, n_counts):
    assert len(list(pasted(text).counts())) == n_counts


def test_a_row_of_codes_names_columns():
    table = pasted("Tract\t0207\t0311\nF\t12\t13\nM\t14\t15\n")
    assert table.layout.n_header_rows == 1
    assert table.column_name(1) == "0207"
    assert len(list(table.counts())) == 4
    # A first row of counts beside a code is no row of names.
    table = pasted("Shelby\t0207\t1234\nKnox\t0311\t1250\n")
    assert [cell.count for *_at, cell in table.counts()][-1] == 1250
    table = pasted("County\tTract\tN\nA\t0207\t1234\nB\t1103\t1250\n")
    assert [cell.count for *_at, cell in table.counts()] == [1234, 1250]
    table = pasted("Group\tA\tB\nF\t12\t13\nICD\t0207\t0311\nM\t14\t15\n")
    assert [table.cells[2][at].kind for at in (1, 2)] == [CellType.LABEL] * 2
    assert len(list(table.counts())) == 4


@pytest.mark.parametrize(
    ("parts", "labels"),
    [
        (("population", "tn_2000_sf1_tracts.csv.gz"), ("state", "county", "tract")),
        (("zcta", "zcta_2020_over18_race_origin.csv.gz"), ("ZCTA5",)),
        (("zcta", "zip3_2010_population.csv"), ("zip3",)),
        (
            ("population", "us_2000_april1_single_age_sex_race_origin.csv"),
            ("age", "sex", "race", "origin"),
        ),
    ],
)
def test_codes_of_published_tables_are_labels_and_their_counts_are_counts(
    parts, labels
):
    path = shared("data", *parts)
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt") as file:
        grid = [row for row, _n in zip(csv.reader(file), range(200), strict=False)]
    layout = CountTable.of("t", grid).layout
    assert tuple(grid[0][at] for at in layout.labels) == labels
    figures = [kind for kind in layout.kinds if kind is not CellType.LABEL]
    # Nothing else became a label.
    assert len(figures) == len(grid[0]) - len(labels)


def test_numbers_without_any_label_are_counts():
    table = pasted("1\t2\n3\t4\n")
    assert len(list(table.counts())) >= 2
    assert table.row_name(0)


def test_percentages_and_means_are_no_counts():
    table = pasted(
        "Characteristic\tN\t%\tMean age\n"
        "Overall\t200\t100.0\t45.2\nF\t90\t45.0\t44.1\nM\t110\t55.0\t46.0\n"
        "Age, mean (SD)\t45.2 (12.1)\t\t\n"
    )
    assert table.layout.kinds[1:] == (
        CellType.COUNT,
        CellType.PERCENTAGE,
        CellType.MEAN,
    )
    assert table.cells[4][1].kind is CellType.MEAN
    assert {row for row, _column, _cell in table.counts()} == {1, 2, 3}


def test_a_person_says_what_cells_are():
    table = pasted("Name\tA\tB\nx\t1\tnone\ny\t3\t4\n")
    assert [each.code for each in cell_problems([table])] == ["count_is_text"]
    said = table.but(CellStatement(1, 2, CellType.LEFT_OUT))
    assert cell_problems([said]) == []
    assert len(list(said.counts())) == 3
    assert len(list(table.but(CellStatement(None, 2, CellType.LABEL)).counts())) == 2


def test_problems_name_the_place_and_never_the_value():
    table = pasted("Name\tA\nx\tsecret\ny\t-7\nz\t3.25\nw\t9\n", "mine")
    problems = cell_problems([table])
    assert [each.code for each in problems] == [
        "count_is_text",
        "count_negative",
        "count_fraction",
    ]
    # What stands at the beginning of a row may be a person.
    assert problems[0].params == {"table": "mine", "line": 2, "column": "A"}
    assert all("secret" not in repr(each) for each in (*problems, table))
    with pytest.raises(ProblemsError):
        refuse_problems([table], 11)
    negative = cell_problems([table], allow_negative=True)
    assert [each.code for each in negative] == ["count_is_text", "count_fraction"]


def test_a_threshold_is_asked_for():
    with pytest.raises(InputError, match="counts_threshold_wanted"):
        refuse_problems([pasted(TABLE_2)], None)
    refuse_problems([pasted(TABLE_2)], 11)
    refuse_problems([pasted("a\tn\nx\t<11\ny\t20\n")], None)


def test_csv_and_pasted_text_give_the_same_table():
    quoted = pasted_grid('Group,N\n"Overall, all",1\nF,"1,234"\n', "csv")
    assert quoted.grid == (("Group", "N"), ("Overall, all", "1"), ("F", "1,234"))
    semicolons = pasted_grid("Gruppe;N\nF;1.234\nM;2.345\n", "csv")
    assert semicolons.grid[1] == ("F", "1.234")
    grid = pasted(TABLE_2).grid
    assert CountTable.of("x", from_csv(to_csv(grid), "x")).grid == grid


def test_hostile_texts_are_refused_or_read(monkeypatch):
    with pytest.raises(InputError, match="counts_empty"):
        pasted(" \t \n\t\n")
    with pytest.raises(InputError, match="counts_cell_too_long"):
        pasted_grid("a\t" + "b" * 3000, "x")
    monkeypatch.setattr(module, "MAX_CELLS", 10)
    with pytest.raises(InputError, match="counts_too_large"):
        pasted("a\tb\tc\n" * 5)
    assert pasted_grid("a\tb\0\n\ud800\t2\n", "x").grid


def test_tables_have_names_of_their_own():
    assert name_of("site1.csv", []) == "site1"
    assert name_of("site1.csv.gz", ["site1"]) == "site1 (2)"
