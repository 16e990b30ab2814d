"""Tables of counts from spreadsheets, and back into one."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from deidgui.app.counts.fuzzing import fuzz
from deidgui.app.counts.network import read_sites
from deidgui.app.counts.opening import opened
from deidgui.app.counts.tables import read_tables, split_sheet
from deidgui.app.release.verifying import verify
from deidgui.engine.counts.noise.rules import RoundedGaussian
from deidgui.engine.excel.reading import Limits, read_sheets, text_of
from deidgui.engine.excel.writing import to_xlsx
from deidgui.errors import ConfigError, InputError
from deidgui.monitor import NULL_MONITOR
from tests.app.counts.test_releasing import changed
from tests.engine.counts.seed import TABLE_1, TABLE_2, pasted
from tests.engine.counts.test_fuzzing import TRUE
from tests.engine.excel.test_excel import workbook

RULE = RoundedGaussian(2.5, 11, "noise", "keyed")
LIMITS = Limits(1_000, 100, 10_000)


def rows_of(text):
    """Cells of a text; numbers as a spreadsheet holds them."""
    for line in text.splitlines():
        bare = [each.replace(",", "") for each in line.split("\t")]
        yield [float(n) if n.isdigit() else t for n, t in zip(bare, line.split("\t"))]  # noqa: B905


def two_sheets(book):
    for name, text in (("Sample 1", TABLE_1), ("Both", TABLE_2)):
        page = book.add_worksheet(name)
        for at, row in enumerate(rows_of(text)):
            page.write_row(at, 0, row)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "paper.xlsx"
    path.write_bytes(workbook(two_sheets))
    return path


def test_every_sheet_is_the_table_that_is_pasted(file):
    first, second = read_tables([file])
    assert [first.table.name, second.table.name] == ["paper Sample 1", "paper Both"]
    assert (first.source, first.sheet) == ("paper.xlsx", "Sample 1")
    for read, text in ((first, TABLE_1), (second, TABLE_2)):
        same = pasted(text)
        assert read.table.layout == same.layout
        assert [c.count for _r, _c, c in read.table.counts()] == [
            c.count for _r, _c, c in same.counts()
        ]
    assert read.choice().sheet == "Both"


def test_a_sheet_is_chosen_by_name(file, tmp_path):
    (only,) = read_tables([Path(f"{file}:Both")])
    assert only.table.name == "paper Both"
    with pytest.raises(InputError, match="sheets_unknown"):
        read_tables([Path(f"{file}:None")])
    plain = tmp_path / "t.csv"
    plain.write_text("Group,N\nA,5\n")
    with pytest.raises(InputError, match="sheets_none"):
        read_tables([Path(f"{plain}:Both")])
    with pytest.raises(InputError, match="file_not_found"):
        read_tables([tmp_path / "no.xlsx:Both"])
    odd = tmp_path / "a:b.csv"
    odd.write_text("Group,N\nA,5\n")
    assert split_sheet(odd) == (odd, "")


def test_what_is_wrong_is_said_by_sheet_line_and_column(tmp_path):
    def fill(book):
        page = book.add_worksheet("Long")
        page.write_row(0, 0, ["Group", "N"])
        page.write_row(1, 0, ["secret" * 500, 5])

    path = tmp_path / "t.xlsx"
    path.write_bytes(workbook(fill))
    with pytest.raises(InputError) as caught:
        read_tables([path])
    assert caught.value.code == "counts_cell_too_long"
    assert caught.value.params["file"] == "t.xlsx:Long"
    assert (caught.value.params["line"], caught.value.params["column"]) == (2, 1)
    assert "secret" not in repr(caught.value)
    path.write_bytes(workbook(lambda book: book.add_worksheet()))
    with pytest.raises(InputError, match="counts_empty"):
        read_tables([path])


def labelled(book):
    page = book.add_worksheet("Site: A".replace(":", ""))
    for at, row in enumerate(rows_of(TRUE)):
        page.write_row(at + 1, 1, row)
    page.write_string(0, 1, "=HYPERLINK(1)")


@pytest.fixture
def made(tmp_path):
    path = tmp_path / "site.xlsx"
    path.write_bytes(workbook(labelled))
    found = fuzz([path], tmp_path / "out", RULE)
    assert found["verified"]
    return tmp_path / "out"


def test_the_release_has_the_same_cells_as_excel(made):
    assert sorted(each.name for each in made.glob("site*")) == [
        "site_released.csv",
        "site_released.xlsx",
    ]
    content = (made / "site_released.xlsx").read_bytes()
    (sheet,) = read_sheets(content, "t", LIMITS)
    assert sheet.name == "Site A"
    with (made / "site_released.csv").open(newline="", encoding="utf-8") as file:
        grid = list(csv.reader(file))
    texts = [list(map(text_of, row)) for row in sheet.rows]
    # In the layout it came in: the first column and row are those of the sheet.
    assert not any(row[0] for row in texts)
    assert texts[0][1] == "=HYPERLINK(1)"
    assert grid[0][1] == "'=HYPERLINK(1)"
    assert texts[1:] == [[each.removeprefix("'") for each in row] for row in grid[1:]]
    evidence = json.loads((made / "evidence.json").read_text("utf-8"))
    assert evidence["inputs"] == [
        {"name": "site", "file": "site.xlsx", "sheet": "Site A"}
    ]
    assert evidence["outputs"][0]["excel"] == "site_released.xlsx"
    assert verify(made).ok


def grid_of(folder):
    content = (folder / "site_released.xlsx").read_bytes()
    (sheet,) = read_sheets(content, "t", LIMITS)
    return [list(map(text_of, row)) for row in sheet.rows]


def write(folder, grid):
    (folder / "site_released.xlsx").write_bytes(to_xlsx(grid, "Site A"))


def other_count(folder, _stated):
    grid = grid_of(folder)
    grid[-1][2] = "123456"
    write(folder, grid)


def one_more_row(folder, _stated):
    write(folder, [*grid_of(folder), ["", "more"]])


def one_row_less(folder, _stated):
    write(folder, grid_of(folder)[:-1])


def with_formula(folder, _stated):
    grid = grid_of(folder)

    def fill(book):
        page = book.add_worksheet("Site A")
        for at, row in enumerate(grid):
            for place, text in enumerate(row):
                page.write_string(at, place, text)
        page.write_formula(0, 1, "=1+1", None, grid[0][1])

    (folder / "site_released.xlsx").write_bytes(workbook(fill))


def hidden_sheet(folder, _stated):
    grid = grid_of(folder)

    def fill(book):
        for name in ("Site A", "True counts"):
            page = book.add_worksheet(name)
            for at, row in enumerate(grid):
                page.write_row(at, 0, row)
        page.hide()

    (folder / "site_released.xlsx").write_bytes(workbook(fill))


def nonsense(folder, _stated):
    (folder / "site_released.xlsx").write_bytes(b"PK nonsense")


@pytest.mark.parametrize(
    "change",
    [other_count, one_more_row, one_row_less, with_formula, hidden_sheet, nonsense],
)
def test_verify_compares_both_files(made, tmp_path, change):
    assert "excel_agrees" in changed(made, tmp_path, change)


def test_an_excel_file_that_is_not_stated_is_noticed(made, tmp_path):
    def unstated(_folder, stated):
        stated["outputs"][0]["excel"] = ""

    assert "excel_stated" in changed(made, tmp_path, unstated)


def test_noise_is_stated_of_the_excel_file_too(made):
    csv_site, excel = read_sites(
        [made / "site_released.csv", made / "site_released.xlsx"]
    )
    assert csv_site.is_stated
    assert excel.is_stated
    assert excel.sd == csv_site.sd > 0


def test_a_table_that_was_no_spreadsheet_has_no_excel(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("Group,N\nA,50\nB,60\n")
    fuzz([path], tmp_path / "out", RULE)
    assert not list((tmp_path / "out").glob("*.xlsx"))


def test_the_file_that_was_read_is_not_replaced(file, tmp_path):
    (tmp_path / "in").mkdir()
    moved = file.rename(tmp_path / "in" / file.name)
    with pytest.raises(ConfigError):
        fuzz([Path(f"{moved}:Both")], tmp_path / "in", RULE, marks={})
    assert moved.exists()


def test_commands_open_sheets(file):
    counts, tables = opened([file], {}, NULL_MONITOR)
    assert len(tables) == 2
    assert [each.sheet for each in counts.tables] == ["Sample 1", "Both"]
