"""What is read from strangers: one function for each kind of file."""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import json
import shutil
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random

from deidgui.app.commands import headless
from deidgui.app.deciding.asked import AskedDecisions
from deidgui.app.deciding.deciding import decide
from deidgui.app.population.files import read_population
from deidgui.app.release.writing import write_release
from deidgui.app.report import report_html
from deidgui.app.storage.project_io import load_project
from deidgui.engine.data.hierarchy_io import read_draft, read_hierarchy
from deidgui.engine.data.hierarchy_problems import problems
from deidgui.engine.evidence.folder import ReleaseFolder, read_evidence
from deidgui.engine.population.mapping_io import read_mapping
from tests.cli.case import Case
from tests.cli.case import rows as patients
from tests.fuzz.mutate import mutated_bytes, mutated_json, mutated_rows
from tests.release_case import make_order

SECRET = "Zq7v"
"""Every cell of a base file that nobody may be told begins so."""

_METHODS = (
    zipfile.ZIP_STORED,
    zipfile.ZIP_DEFLATED,
    zipfile.ZIP_BZIP2,
    zipfile.ZIP_LZMA,
)


def table_rows() -> list[list[str]]:
    """Thirty patients whose names and notes are secret."""
    header = ["name", "age", "sex", "admitted", "note"]
    return [
        header,
        *(
            [
                f"{SECRET}{n:02d}",
                str(20 + n % 7 * 10),
                "FM"[n % 2],
                f"2020-{n % 12 + 1:02d}-{n % 28 + 1:02d}",
                f"{SECRET} note, {n % 3}",
            ]
            for n in range(30)
        ),
    ]


def _plain(rows: list[list[str]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


class Bench:
    """Base files, made once, and a folder for each case.

    Parameters
    ----------
    folder : Path
        Where everything is made.
    """

    def __init__(self, folder: Path) -> None:
        self._base = folder / "base"
        self._base.mkdir()
        work = self._base / "case"
        work.mkdir()
        self.case = Case.write(work, _secret_patients())
        self._name_hierarchy()
        self.release = self._base / "release"
        order_folder = self._base / "order"
        order_folder.mkdir()
        write_release(self.release, make_order(order_folder))
        headless.search(self.case.project, {})  # kernels are compiled when first used
        text = _plain(table_rows())
        self.tables = _tables(text, self._base)

    def _name_hierarchy(self) -> None:
        """A hierarchy and a population that are files beside the project."""
        (self.case.folder / "sex.csv").write_text("F;*\nM;*\n", encoding="utf-8")
        self.case.change_attribute("sex", hierarchy={"csv": "sex.csv"})
        self.case.change_attribute("mrn", missing=["", f"{SECRET}missing"])


def _secret_patients() -> list[dict[str, str]]:
    return [{**row, "name": f"{SECRET}{row['name']}"} for row in patients(60)]


def _tables(text: str, folder: Path) -> dict[str, bytes]:
    """Base tables as they come: encodings, delimiters, archives."""
    made = {
        "plain": text.encode(),
        "semicolon": text.replace(",", ";").encode(),
        "utf-16": text.encode("utf-16"),
        "latin": text.replace("note", "nötë").encode("latin-1"),
        "windows": text.replace("\n", "\r\n").encode(),
        "gzip": gzip.compress(text.encode(), mtime=0),
    }
    for method in _METHODS:
        path = folder / "t.zip"
        with zipfile.ZipFile(path, "w", method) as archive:
            archive.writestr(zipfile.ZipInfo("d/t.csv"), text.encode(), method)
        made[f"zip {method}"] = path.read_bytes()
    return made


def fuzz_csv(bench: Bench, folder: Path, chance: Random) -> None:
    """Inspect a table that is damaged or made to hurt."""
    if chance.random() < 0.4:
        content = mutated_rows(table_rows(), chance)
    else:
        content = mutated_bytes(chance.choice([*bench.tables.values()]), chance)
    path = folder / chance.choice(
        ("t.csv", "t.csv", "t.zip", "t.csv.gz", "t\u202e.csv")
    )
    path.write_bytes(content)
    project = folder / "t.deid.json" if chance.random() < 0.2 else None
    headless.inspect(path, project)
    if project is not None:
        load_project(project)


def fuzz_project(bench: Bench, folder: Path, chance: Random) -> None:
    """Load a project, and go on with it as far as it goes."""
    case = _copied(bench, folder)
    base = bench.case.project.read_bytes()
    change = mutated_bytes if chance.random() < 0.2 else mutated_json
    case.project.write_bytes(change(base, chance))
    load_project(case.project)
    match chance.randrange(6):
        case 0:
            headless.search(case.project, {})
        case 1:
            headless.run(case.project, case.out, {})
        case 2:
            decide(case.project, AskedDecisions(confirms=True), {})
        case _:
            pass


def fuzz_hierarchy(bench: Bench, folder: Path, chance: Random) -> None:
    """Read a hierarchy for use and for the editor, and search with it."""
    grid = [[str(age), f"{age // 10 * 10}-", "*"] for age in range(20, 80)]
    grid[5][0] = f"{SECRET}5"
    if chance.random() < 0.5:
        content = mutated_rows(grid, chance, chance.choice(";,\t|"))
    else:
        content = mutated_bytes(_plain(grid).encode(), chance)
    if chance.random() < 0.05:
        case = _copied(bench, folder)
        (case.folder / "age.csv").write_bytes(content)
        case.change_attribute("age", hierarchy={"csv": "age.csv"})
        headless.search(case.project, {})
        return
    draft = read_draft(content, "age")
    for each in problems(draft):
        assert SECRET not in repr(each)
    read_hierarchy(content, "age")


def fuzz_population(bench: Bench, folder: Path, chance: Random) -> None:
    """Read counts of people, mappings of values, and search with them."""
    if chance.random() < 0.4:
        pairs = [[f"{SECRET}{n}", str(n)] for n in range(20)] + [["x"]]
        text = ";".join
        plain = "\n".join(map(text, pairs)).encode()
        whole = mutated_rows(pairs, chance, ";")
        read_mapping(chance.choice((mutated_bytes(plain, chance), whole)), "age")
        return
    counts = [["age", "sex", "people"]]
    counts += [[str(age), sex, str(100 + age)] for age in range(20, 80) for sex in "FM"]
    if chance.random() < 0.7:
        content = mutated_rows(counts, chance)
    else:
        content = mutated_bytes(_plain(counts).encode(), chance)
    case = _copied(bench, folder)
    path = case.folder / "people.csv"
    path.write_bytes(content)
    loaded = read_population(path)
    if chance.random() < 0.3:
        return
    fields = case.fields
    fields["attributes"] = [
        each | ({} if each["name"] != "zip" else {"role": "insensitive"})
        for each in fields["attributes"]
    ]
    fields["privacy"]["population"] = {
        "kind": chance.choice(("counts", "counts", "register")),
        "file": loaded.file.model_dump(mode="json"),
        "count_column": "people",
        "adds_rows": chance.random() < 0.5,
    }
    case.save(fields)
    headless.search(case.project, {})


def fuzz_evidence(bench: Bench, folder: Path, chance: Random) -> None:
    """Verify a release of which one or two files were changed."""
    out = folder / "release"
    shutil.copytree(bench.release, out)
    files = sorted(path for path in out.rglob("*") if path.is_file())
    weighty = [path for path in files if path.suffix == ".json"]
    for _ in range(chance.choice((1, 1, 2))):
        path = chance.choice(weighty if chance.random() < 0.7 else files)
        is_json = path.suffix == ".json" and chance.random() < 0.85
        before = path.read_bytes()
        try:
            made = (mutated_json if is_json else mutated_bytes)(before, chance)
        except (ValueError, RecursionError):  # it is changed for the second time
            made = mutated_bytes(before, chance)
        path.write_bytes(made)
    if chance.random() < 0.7:
        _state_files(out)
    found = headless.verify(out)
    json.dumps(found, allow_nan=False)
    if chance.random() < 0.3:
        report_html(read_evidence(ReleaseFolder(out)))


def _state_files(out: Path) -> None:
    """State sizes and hashes as they are now, so that verifying looks further."""
    path = out / "evidence.json"
    try:
        evidence = json.loads(path.read_bytes())
        for each in [*evidence["outputs"], *evidence["files"]]:
            content = (out / each["path"]).read_bytes()
            each["sha256"] = hashlib.sha256(content).hexdigest()
            each["bytes"] = len(content)
        path.write_bytes(json.dumps(evidence).encode())
    except (ValueError, LookupError, TypeError, OSError, RecursionError):
        return


def _copied(bench: Bench, folder: Path) -> Case:
    for path in bench.case.folder.iterdir():
        shutil.copyfile(path, folder / path.name)
    return Case(folder)


TARGETS: Mapping[str, Callable[[Bench, Path, Random], None]] = {
    "csv": fuzz_csv,
    "project": fuzz_project,
    "hierarchy": fuzz_hierarchy,
    "population": fuzz_population,
    "evidence": fuzz_evidence,
}
"""What is fuzzed, by name."""
