"""Joined categories in a project: the tables then, and what is known of them."""

from __future__ import annotations

import random

import pytest

from deidgui.app.counts import ops
from deidgui.app.counts.auditing import audit_decided
from deidgui.app.counts.coarser import coarser_choice, coarser_tables, joined_name
from deidgui.app.counts.repairing import small_shown
from deidgui.app.counts.tables import (
    bounds_of,
    pasted_tables,
    tables_of,
)
from deidgui.engine.counts.tables.structure import Form

RNG = random.Random(3)


def project_of(*texts):
    """A project of tables below 11, and what is kept beside it."""
    opened = []
    for text in texts:
        opened += pasted_tables(text, [each.table.name for each in opened])
    project = ops.add_tables(opened)(ops.new_project())
    choices = project.counts.tables
    files = {c.file: o.content for c, o in zip(choices, opened, strict=True)}
    project = ops.set_mask_zero(False)(ops.set_threshold(11)(project))
    tables = tables_of(project, files)
    hides = small_shown(tables, bounds_of(project.counts))
    return ops.use_repair(tables, hides)(project), files


def audited(project, files):
    tables, counts = tables_of(project, files), project.counts
    return audit_decided(counts, tables)


def joined(project, files):
    """What joining finds, the project with it, and what is kept beside that."""
    found = coarser_tables(audited(project, files))
    choice = coarser_choice(found, project.counts)
    op = ops.use_coarser(choice.tables, choice.relations, mask_zero=False)
    then = op(project)
    return found, then, {**files, **choice.files}


def cross_table(n_rows=4, n_columns=3, name="c"):
    counts = [
        [RNG.choice((0, 3, 14, 40)) for _ in range(n_columns)] for _ in range(n_rows)
    ]
    lines = ["Age\t" + "\t".join(f"{name}{at}" for at in range(n_columns)) + "\tTotal"]
    for at, row in enumerate(counts):
        label = f"{10 * at}-{10 * at + 9}"
        lines.append("\t".join([label, *map(str, row), str(sum(row))]))
    below = [sum(each) for each in zip(*counts, strict=True)]
    lines.append("\t".join(["Total", *map(str, below), str(sum(below))]))
    return "\n".join(lines) + "\n"


def true_total(project, files):
    """Sum of all true counts in the body of the first table."""
    table = tables_of(project, files)[0]
    plain = table.plain or table
    *body, _total = plain.cells[1:]
    return sum(cell.count for row in body for cell in row[1:-1])


@pytest.mark.parametrize("number", range(6))
def test_the_tables_then_are_audited_as_joining_was_judged(number):
    first = cross_table()
    # The second one shows some of the same counts once more.
    texts = (first, cross_table(name="d")) if number % 2 else (first, first)
    project, files = project_of(*texts[: 1 + number % 3])
    before = true_total(project, files)
    found, then, kept = joined(project, files)
    assert not found.found.was_stopped
    again = audited(then, kept)
    assert len(again.found.too_narrow) <= found.n_unprotected
    assert not again.found.conflicts
    # Nobody is lost: joined counts are sums.
    assert true_total(then, kept) == before
    # The old tables are still there for undo.
    assert audited(project, files).cells == found.audited.cells


def test_a_sum_whose_parts_another_table_shows_is_known():
    first = "Age\tN\nTotal\t100\n0-9\t50\n10-19\t3\n20-29\t47\n"
    project, files = project_of(first, first)
    found, then, kept = joined(project, files)
    tables = {each.lines.table for each in found.joined}
    again = audited(then, kept)
    if tables == {0, 1}:
        assert not len(again.found.too_narrow)
    else:
        forms = [each.form for each in again.structure.relations]
        assert Form.SUM in forms
    assert len(again.found.too_narrow) <= found.n_unprotected


def test_percentages_of_joined_categories_are_left_out():
    text = "Sex\tN\t%\nTotal\t100\t100\nF\t50\t50.0\nX\t3\t3.0\nM\t47\t47.0\n"
    project, files = project_of(text)
    found, then, kept = joined(project, files)
    (table,) = tables_of(then, kept)
    (each,) = found.joined
    row = next(r for r in table.grid if r[0] == each.name)
    assert row[2] == ""
    assert "or" in each.name


def test_a_category_that_nobody_can_tell_is_not_joined():
    text = "Age\tN\nTotal\t100\n0-9\t60\n10-19\tT\n20-29\tT\n30-39\t31\n"
    project, files = project_of(text)
    found = coarser_tables(audited(project, files))
    assert found.n_unknown == 2
    assert found.joined == ()


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["18-24", "25-35"], "18-35"),
        (["36-50", "50+"], "36+"),
        (["0-9 years", "10-19 years"], "0-19 years"),
        (["Male", "Female"], "Male or Female"),
        (["A", "B", "C"], "A, B or C"),
    ],
)
def test_names_of_joined_categories(names, expected):
    assert joined_name(names) == expected
