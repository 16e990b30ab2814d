"""Tables of counts in a project: decisions in it, cells beside it."""

from __future__ import annotations

import hashlib
import zlib

import pytest

from deidgui.app.counts import ops, work
from deidgui.app.counts.tables import (
    bounds_of,
    pasted_tables,
    read_tables,
    relation_choice,
    relations_of,
    tables_of,
)
from deidgui.app.counts.work import CountsWork
from deidgui.app.project import Counts, Project
from deidgui.app.reading.files import load_hierarchy_files, save_hierarchy_files
from deidgui.app.session import Session
from deidgui.app.storage.project_io import dump_project, load_project, save_project
from deidgui.engine.counts.tables.cells import CellType
from deidgui.engine.counts.tables.table import CellStatement
from deidgui.errors import InputError
from deidgui.monitor import NULL_MONITOR
from tests.engine.counts.seed import TABLE_1, TABLE_2


def project_of(*texts: str, **fields: object) -> tuple[Project, dict[str, bytes]]:
    """A project of pasted tables, and what is kept beside it."""
    opened = []
    for text in texts:
        opened += pasted_tables(text, [each.table.name for each in opened])
    choices = tuple(each.choice() for each in opened)
    files = {c.file: each.content for c, each in zip(choices, opened, strict=True)}
    return Project(kind="counts", counts=Counts(tables=choices, **fields)), files


def test_a_project_of_counts_is_saved_and_opened_again(tmp_path):
    project, files = project_of(TABLE_1, TABLE_2, threshold=11)
    path = tmp_path / "p.deid.json"
    save_hierarchy_files(project, files, tmp_path)
    save_project(project, path)
    again = load_project(path)
    assert again == project
    tables = tables_of(again, load_hierarchy_files(again, tmp_path))
    before = tables_of(project, files)
    assert [each.grid for each in tables] == [each.grid for each in before]
    assert [each.layout for each in tables] == [each.layout for each in before]
    assert [each.name for each in tables] == ["Table", "Table (2)"]


def test_the_project_holds_no_count(tmp_path):
    project, _files = project_of("\tS\nOverall\t98765\nF\t43210\nM\t55555\n")
    project = project.but(
        counts=project.counts.but(
            relations=tuple(
                relation_choice(each, tables_of(project, _files))
                for each in relations_of(
                    project.counts, tables_of(project, _files)
                ).relations
            )
        )
    )
    content = dump_project(project)
    assert not any(each in content for each in (b"98765", b"43210", b"55555"))


def test_decided_relations_replace_the_proposals():
    project, files = project_of(TABLE_1, TABLE_2, threshold=11)
    tables = tables_of(project, files)
    proposed = relations_of(project.counts, tables)
    choices = tuple(relation_choice(each, tables) for each in proposed.relations)
    decided = project.counts.but(relations=choices)
    assert relations_of(decided, tables).relations == proposed.relations
    fewer = project.counts.but(relations=choices[:1])
    assert relations_of(fewer, tables).relations == proposed.relations[:1]
    assert bounds_of(decided).threshold == 11


def test_what_a_person_says_of_cells_is_kept():
    project, files = project_of(TABLE_2)
    said = tables_of(project, files)[0].but(CellStatement(4, 1, CellType.LEFT_OUT))
    opened = pasted_tables(TABLE_2)[0]
    choice = type(opened)(said, opened.source).choice()
    again = tables_of(
        Project(kind="counts", counts=Counts(tables=(choice,))),
        {choice.file: opened.content},
    )
    assert again[0].cells[4][1].kind is CellType.LEFT_OUT


def test_missing_cells_are_told(tmp_path):
    project, _files = project_of(TABLE_1)
    with pytest.raises(InputError, match="counts_table_missing"):
        tables_of(project, {})


@pytest.mark.parametrize(
    "fields",
    [
        {"kind": "counts"},
        {"counts": Counts()},
        {"kind": "counts", "counts": Counts(), "links": ()}
        | {"inputs": ({"file": "x"},)},
    ],
)
def test_a_project_is_of_one_kind(fields):
    with pytest.raises(ValueError, match=r"kind|table"):
        Project(**fields)


def test_files_of_the_same_name_become_tables_of_different_names(tmp_path):
    for site in ("a", "b"):
        (tmp_path / site).mkdir()
        (tmp_path / site / "t.csv").write_text("x,n\nA,12\nB,13\n")
    found = read_tables([tmp_path / "a" / "t.csv", tmp_path / "b" / "t.csv"])
    assert [each.table.name for each in found] == ["t", "t (2)"]
    assert found[0].source == "t.csv"
    files = [each.choice().file for each in found]
    assert len(set(files)) == 2
    assert files == [each.choice().file for each in found]


def digests(content: bytes) -> set[str]:
    """First digits of every digest that this Python can make of a content."""
    found = {f"{zlib.crc32(content):08x}", f"{zlib.adler32(content):08x}"}
    for name in hashlib.algorithms_guaranteed:
        made = hashlib.new(name, content)
        found.add(made.hexdigest(8) if name.startswith("shake") else made.hexdigest())
    return {each[:8] for each in found}


def test_no_file_of_a_project_holds_a_digest_of_a_table(tmp_path):
    """Of a table with few small counts, a digest tells them by trying."""
    source = tmp_path / "site.csv"
    source.write_bytes(b"Group,N\r\nOverall,100\r\nF,3\r\nM,97\r\n")
    opened = (*read_tables([source]), *pasted_tables("Group\tN\nF\t3\nM\t97\n"))
    choices = tuple(each.choice() for each in opened)
    project = Project(kind="counts", counts=Counts(tables=choices))
    files = {c.file: each.content for c, each in zip(choices, opened, strict=True)}
    folder = tmp_path / "kept"
    folder.mkdir()
    save_hierarchy_files(project, files, folder)
    save_project(project, folder / "p.deid.json")
    kept = [each for each in folder.rglob("*") if each.is_file()]
    assert len(kept) == 3
    shown = "".join(f"{e.name}\n{e.read_text('utf-8')}" for e in kept).lower()
    contents = [source.read_bytes(), *(each.content for each in opened)]
    texts = ["\n".join("\t".join(row) for row in each.table.grid) for each in opened]
    contents += [each.encode() for each in texts]
    assert not [e for content in contents for e in digests(content) if e in shown]
    again = [
        pasted_tables("Group\tN\nF\t3\nM\t97\n")[0].choice().file for _ in range(3)
    ]
    assert len(set(again)) == 3


def test_the_structure_of_many_counts_is_found_with_the_audit(monkeypatch):
    monkeypatch.setattr(work, "FEW", 10)
    waiting = []
    session = Session()
    session.start(ops.new_project())
    counts = CountsWork(session, lambda _lane, *job: waiting.append(job))
    counts.paste(TABLE_2)
    session.apply(ops.set_threshold(11), "threshold")
    counts.update_audit()
    assert not counts.is_structure_known
    assert counts.structure.relations == ()
    (first,) = counts.tables
    run, done = waiting.pop()
    done(run(NULL_MONITOR))
    assert counts.is_structure_known
    assert len(counts.structure.relations) == 4
    session.apply(ops.confirm_cells(first.name), "confirm")
    assert counts.is_structure_known
    # What is decided needs no search, and proposals are still known.
    kept = counts.structure.relations[:1]
    session.apply(ops.set_relations(kept, counts.tables), "less")
    assert counts.structure.relations == kept
    assert len(counts.proposed().relations) == 4
    # A table that nobody changed is not read again.
    counts.paste(TABLE_1)
    assert counts.tables[0] is first
