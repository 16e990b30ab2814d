"""Files of strangers: names that steer, cells that are formulas, links, archives."""

from __future__ import annotations

import csv
import io
import json
import random
import re
import zipfile

import pytest

from deidgui.cli.main import main
from tests.answers import answer_file
from tests.cli.case import FLAT, Case, csv_of, rows

HOSTILE = [
    *("=cmd|calc!A0", "+x", "-y", "@sum(1)", "\tTab", "a\x1b[2Jb", "multi\nline"),
    *('quo"te', "comma,name", "l\u202etfel", "\r", "../../etc/passwd", "CON", " "),
    *('=HYPERLINK("http://x")', "＝full", "a" * 300, "e\u0301", "é"),
]
"""Names that spreadsheets execute, terminals obey, disks and paths misunderstand."""

CELLS = [
    *("=1+1", "+1+1", "-1+1", "@sum(A1)", "\t=1", "\r=1", "=a\nb", "a\n=b", '"=1'),
    *("x;=1", '=HYPERLINK("http://x")', "＝1", "\x1b[31mred", "safe", "-5", "+", "-"),
]

FORMULA = re.compile(r"(^|[;\t\r\n])[=+\-@＝＋－＠]|^[\t\r\n]")
NUMBER = re.compile(r"[+\-]?[0-9]+([.,][0-9]+)*%?|[+\-]+")


@pytest.fixture
def hostile(tmp_path):
    """A table with hostile names and cells, and its project."""
    chance = random.Random(3)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow([*HOSTILE, "age", "born", "day", "code"])
    for _ in range(120):
        cells = [chance.choice(CELLS) for _ in HOSTILE]
        writer.writerow([*cells, chance.randrange(9), "1980-01-02", "2020-05-06", "7"])
    made = Case(tmp_path)
    made.data.write_text(text.getvalue(), encoding="utf-8", newline="")
    assert main(["inspect", str(made.data), "--project", str(made.project)]) == 0
    fields = made.fields
    for at, each in enumerate(fields["attributes"]):
        role = "insensitive" if at % 3 else "quasi_identifier"
        each |= {"role": role, "hierarchy": None if at % 3 else FLAT}
    fields["privacy"] = {
        "models": [{"kind": "k_anonymity", "k": 2}],
        "suppression_limit": 0.99,
    }
    fields["export"] = {"withheld": "stars"}
    made.save(fields)
    answer_file(made.project)
    return made


def assert_harmless(text):
    """No cell is a formula for a spreadsheet, whatever it splits cells at."""
    assert not FORMULA.search(text) or NUMBER.fullmatch(text), text


def test_a_release_of_formulas_is_harmless(cli, hostile):
    done = cli("run", hostile.project, "--out", hostile.out)
    assert done.code == 0, done.err
    for path in (*hostile.out.glob("*.csv"), *(hostile.out / "mapping").glob("*.csv")):
        with path.open(newline="", encoding="utf-8") as file:
            for row in csv.reader(file):
                for cell in row:
                    assert_harmless(cell)
    # The values are still there, behind an apostrophe.
    released = (hostile.out / "patients_released.csv").read_text("utf-8")
    assert "'=1+1" in released
    assert "safe" in released
    assert cli("verify", hostile.out).code == 0


def test_every_file_of_a_release_lies_in_its_folder(cli, hostile):
    before = set(hostile.folder.rglob("*"))
    assert cli("run", hostile.project, "--out", hostile.out).code == 0
    new = set(hostile.folder.rglob("*")) - before
    assert all(path == hostile.out or hostile.out in path.parents for path in new)
    names = [path.name for path in (hostile.out / "mapping").iterdir()]
    assert len(names) == len(hostile.fields["attributes"][::3])
    assert len({name.lower() for name in names}) == len(names)
    for name in names:
        assert re.fullmatch(r"[^\x00-\x1f/\\:*?\"<>|]{1,100}\.csv", name), name
        assert name.split(".")[0].upper() not in ("CON", "NUL", "AUX", "PRN")


@pytest.mark.parametrize("command", ["inspect", "search", "run"])
def test_names_steer_no_terminal(cli, hostile, command):
    given = {
        "inspect": ["inspect", hostile.data],
        "search": ["search", hostile.project],
        "run": ["run", hostile.project, "--out", hostile.out],
    }[command]
    done = cli(*given)
    shown = (done.out + done.err).replace("\n", "")
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", shown)


def test_names_steer_no_terminal_in_errors(cli, hostile):
    fields = hostile.fields
    for each in fields["attributes"]:
        each |= {"role": "quasi_identifier", "hierarchy": None}
    hostile.save(fields)
    done = cli("search", hostile.project)
    assert done.code == 2
    # One line for each problem, whatever the names hold.
    said = [line for line in done.err.splitlines() if not line.startswith("    ")]
    assert len(said) == len(HOSTILE) + 4
    assert not re.search(r"[\x00-\x09\x0b-\x1f\u202a-\u202e]", done.err)


def test_json_carries_names_as_they_are(cli, hostile):
    found = cli("search", hostile.project, "--json").json
    assert found["attributes"][0] == "=cmd|calc!A0"
    assert "a\x1b[2Jb" in [each["name"] for each in hostile.fields["attributes"]]


def test_the_report_executes_no_name(cli, tmp_path):
    name = "<script>alert(1)</script>"
    records = [{**row, name: "<img src=x onerror=alert(2)>"} for row in rows()]
    case = Case.write(tmp_path, records)
    fields = case.fields
    fields["attributes"].append(
        {"name": name, "role": "quasi_identifier", "confirmed": True}
    )
    fields["attributes"][-1]["hierarchy"] = FLAT
    fields["notes"] = "</style><script>alert(3)</script>"
    fields["name"] = "<b onclick=alert(4)>"
    fields["privacy"]["threshold"] = {
        "justification": "<iframe src=x>",
        "set_by": "<a>",
    }
    case.save(fields)
    assert cli("run", case.project, "--out", case.out).code == 0
    html = (case.out / "report.html").read_text("utf-8")
    for tag in ("<script>alert", "<img src=x", "<b onclick", "<iframe src=x"):
        assert tag not in html
    assert not re.search(r"""(src|href)\s*=\s*["']?https?:""", html)


def test_an_input_that_is_a_link_is_read_and_kept(cli, tmp_path):
    """A link beside the project that leads elsewhere must be named by the user."""
    folder = tmp_path / "work"
    folder.mkdir()
    case = Case.write(folder)
    elsewhere = tmp_path / "elsewhere.csv"
    case.data.rename(elsewhere)
    case.data.symlink_to(elsewhere)
    before = elsewhere.read_bytes()
    refused = cli("run", case.project, "--out", case.out)
    assert refused.code == 2
    assert "--input table=FILE" in refused.err
    named = ["--input", f"table={case.data}"]
    assert cli("run", case.project, "--out", case.out, *named).code == 0
    assert elsewhere.read_bytes() == before


def test_a_release_folder_that_is_a_link_is_refused(cli, tmp_path):
    folder = tmp_path / "work"
    folder.mkdir()
    case = Case.write(folder)
    target = tmp_path / "target"
    target.mkdir()
    case.out.symlink_to(target)
    done = cli("run", case.project, "--out", case.out)
    assert done.code == 2
    assert list(target.iterdir()) == []
    assert case.out.is_symlink()


def test_a_link_in_a_release_is_not_followed(cli, tmp_path):
    case = Case.write(tmp_path)
    cli("run", case.project, "--out", case.out)
    table = case.out / "patients_released.csv"
    table.rename(tmp_path / "moved.csv")
    table.symlink_to(tmp_path / "moved.csv")
    assert cli("verify", case.out).code in (2, 4)


@pytest.mark.parametrize("member", ["../../evil.csv", "/etc/evil.csv", "a\\evil.csv"])
def test_members_of_archives_are_never_unpacked(cli, tmp_path, member):
    case = Case.write(tmp_path)
    path = tmp_path / "evil.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(member, csv_of(rows()))
    made = tmp_path / "evil.deid.json"
    done = cli("inspect", path, "--project", made)
    assert done.code == 0, done.err
    case.change(inputs=json.loads(made.read_text("utf-8"))["inputs"])
    done = cli("run", case.project, "--out", case.out)
    assert done.code == 0, done.err
    (table,) = case.out.glob("*.csv")
    assert table.name in ("evil_released.csv", "a_evil_released.csv")
    assert not list(tmp_path.parent.glob("evil*"))


def test_a_zip_bomb_is_refused(cli, tmp_path, monkeypatch):
    # The same rule as for gigabytes, at a size that a test can afford.
    monkeypatch.setattr("deidgui.engine.data.source.FREE_CONTENT_BYTES", 1 << 20)
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.csv", b"a,b\n" + b"0,0\n" * (4 << 20))
    done = cli("inspect", path)
    assert done.code == 2
    assert "bomb.zip" in done.err


def test_a_hierarchy_of_formulas_is_harmless(cli, tmp_path):
    case = Case.write(tmp_path)
    (tmp_path / "h.csv").write_text("F;=cmd|x;*\nM;@sum(1);*\n", encoding="utf-8")
    case.change_attribute("sex", hierarchy={"csv": "h.csv"}, minimum_level=1)
    assert cli("run", case.project, "--out", case.out).code == 0
    for path in case.out.rglob("*.csv"):
        with path.open(newline="", encoding="utf-8") as file:
            for row in csv.reader(file):
                for cell in row:
                    assert_harmless(cell)
