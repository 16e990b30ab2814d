"""Tables of counts with noise: order of operations, layout, keyed noise."""

import re

import numpy as np
import pytest

from deidgui.engine.counts.noise.fuzzing import fuzz
from deidgui.engine.counts.noise.rules import (
    DiscreteGaussian,
    RoundedGaussian,
    SasCompatible,
)
from deidgui.engine.counts.tables.cells import CellType
from deidgui.engine.counts.tables.proposing import proposed_structure
from deidgui.engine.counts.tables.structure import Form
from deidgui.engine.counts.tables.table import At, CellStatement, CountTable
from deidgui.engine.transform.pseudonyms import PseudonymKey
from deidgui.errors import DeidError
from tests.engine.counts.seed import pasted

KEY = PseudonymKey("noise", bytes(32))
KEYED = RoundedGaussian(2.5, 11, "noise", "keyed")
FRESH = RoundedGaussian(2.5, 11, "noise", "fresh", "", 7, 30)
KEPT = RoundedGaussian(2.5, 11, "kept", "keyed")
EXACT = DiscreteGaussian(2.5, 11, 2, 1e-6)
SAS = SasCompatible(2.5, 11)

TRUE = """\
Patient Counts by Characteristics\tSample1\tSample2
Overall (N)\t100\t100,000
By Age Group:
18-24\t99\t50,000
25-35\t1\t49,000
36-50\t0\t1
50+\t0\t999
By Sex:
Ambiguous\t1\t0
Male\t50\t99,999
Female\t49\t1
Other/Missing\t0\t0
"""


def fuzzed(*tables, rule=KEYED, key=KEY):
    return fuzz(tables, proposed_structure(tables).relations, rule, key)


def texts(found, table=0):
    return found.tables[table].grid


def test_every_count_gets_noise_and_nothing_else_changes():
    table = pasted(TRUE)
    found = fuzzed(table)
    assert len(found.places) == 18
    assert not found.masked
    for row, cells in enumerate(table.grid):
        for column, text in enumerate(cells):
            if At(0, row, column) not in found.places:
                assert texts(found)[row][column] == text
    assert found.counts.tolist() != [
        table.cells[at.row][at.column].count for at in found.places
    ]


def test_counts_are_written_as_their_table_writes_them():
    found = fuzzed(pasted(TRUE))
    for at, count in zip(found.places, found.counts.tolist(), strict=True):
        assert texts(found)[at.row][at.column] == f"{count:,}"


def test_negative_counts_are_kept():
    table = pasted("Site\tN\n" + "".join(f"Site {n}\t0\n" for n in range(200)))
    found = fuzzed(table)
    assert (found.counts < 0).any()
    assert any(row[1].startswith("-") for row in texts(found))
    assert found.counts.mean() == pytest.approx(0, abs=0.6)


def test_the_same_question_gets_the_same_noise():
    one, other = fuzzed(pasted(TRUE)), fuzzed(pasted(TRUE))
    assert texts(one) == texts(other)
    for rule, key in [
        (KEYED, PseudonymKey.draw("noise")),
        (RoundedGaussian(2.5, 11, "noise", "keyed", "2024-Q2"), KEY),
    ]:
        assert texts(fuzzed(pasted(TRUE), rule=rule, key=key)) != texts(one)


def test_another_line_does_not_change_the_noise_of_the_others():
    longer = TRUE.replace("50+\t", "Not known\t0\t0\n50+\t")
    one, other = fuzzed(pasted(TRUE)), fuzzed(pasted(longer))
    by_name = [
        {
            (f.tables[0].row_name(at.row), at.column): count
            for at, count in zip(f.places, f.counts.tolist(), strict=True)
        }
        for f in (one, other)
    ]
    assert by_name[0].items() <= by_name[1].items()


def test_a_changed_count_gets_other_noise():
    """Or the difference of two releases would be the exact change."""
    changes = []
    for n in range(60, 100):
        table = pasted(f"Site\tN\nA\t{n}\nB\t1000\n")
        changes.append(int(fuzzed(table).counts[0]) - n)
    assert len(set(changes)) > 5


def test_fresh_noise_differs_each_time():
    assert texts(fuzzed(pasted(TRUE), rule=FRESH)) != texts(
        fuzzed(pasted(TRUE), rule=FRESH)
    )


def test_zeros_stay_where_a_person_says_so():
    found = fuzzed(pasted(TRUE), rule=KEPT)
    shown = dict(zip(found.places, found.counts.tolist(), strict=True))
    assert len(found.true_zeros) == 5
    assert all(shown[at] == 0 for at in found.true_zeros)
    assert not fuzzed(pasted(TRUE)).true_zeros
    # What is stated about uncertainty does not tell them.
    assert len(set(found.effective.round(6))) < 6


def test_masked_counts_stay_masked():
    found = fuzzed(pasted(TRUE.replace("\t49,000", "\tT")))
    assert len(found.masked) == 1
    at = found.masked[0]
    assert texts(found)[at.row][at.column] == "T"
    assert at not in found.places


def test_the_sas_mode_masks_low_counts():
    found = fuzzed(pasted(TRUE), rule=SAS)
    assert len(found.masked) == 4
    assert all(texts(found)[at.row][at.column] == "T" for at in found.masked)
    assert (found.counts % 5 == 0).all()
    assert len(found.true_zeros) == 5


SHARES = """\
Group\tN\t%
Total\t200\t100.0%
Common\t150\t75.0%
Rare\t5\t2.5%
Other\t45\t22.5%
"""


def test_percentages_of_low_counts_are_omitted_and_others_computed_again():
    table = pasted(SHARES)
    found = fuzzed(table)
    n = dict(zip(found.places, found.counts.tolist(), strict=True))
    assert [at.row for at in found.omitted] == [3]
    assert texts(found)[3][2] == "T"
    whole = n[At(0, 1, 1)]
    for row in (1, 2, 4):
        share = 100 * n[At(0, row, 1)] / whole
        assert texts(found)[row][2] == f"{share:.1f}%"


def test_percentages_of_unknown_totals_are_omitted():
    table = pasted(SHARES)
    found = fuzz([table], (), KEYED, KEY)
    assert [at.row for at in found.omitted] == [1, 2, 3, 4]
    assert all(texts(found)[row][2] == "T" for row in (1, 2, 3, 4))


def test_percentages_beside_counts():
    table = pasted(
        "Group\tN (%)\nTotal\t1,200\nCommon\t1,150 (95.8%)\nRare\t50 (4.2%)\n"
    )
    found = fuzzed(table)
    n = dict(zip(found.places, found.counts.tolist(), strict=True))
    share = 100 * n[At(0, 2, 1)] / n[At(0, 1, 1)]
    if not found.omitted:
        assert texts(found)[2][1] == f"{n[At(0, 2, 1)]:,} ({share:.1f}%)"
    else:
        assert texts(found)[2][1] == f"{n[At(0, 2, 1)]:,} (T)"


def test_means_of_low_counts_are_omitted():
    table = pasted("Group\tN\tMean age\nA\t200\t54.3\nB\t5\t61.0\n")
    assert table.cells[1][2].kind is CellType.MEAN
    assert [row[2] for row in texts(fuzzed(table))] == ["Mean age", "54.3", "T"]
    found = fuzzed(table, rule=EXACT)
    assert [row[2] for row in texts(found)] == ["Mean age", "T", "T"]


def test_with_a_guarantee_only_counts_with_noise_decide_what_is_omitted():
    decided = set()
    for _ in range(40):
        found = fuzzed(
            pasted(
                SHARES.replace(
                    "5\t2.5%\nOther\t45\t22.5%", "11\t5.5%\nOther\t39\t19.5%"
                )
            ),
            rule=EXACT,
        )
        n = dict(zip(found.places, found.counts.tolist(), strict=True))
        is_low = n[At(0, 3, 1)] < 11
        assert (At(0, 3, 2) in found.omitted) == is_low
        decided.add(is_low)
    assert decided == {True, False}


def test_what_is_left_of_the_noise_is_stated():
    found = fuzzed(pasted(TRUE))
    sd = dict(zip(found.places, found.effective.tolist(), strict=True))
    # Overall is a total of two groups of four: 1/σ² + 2/(4σ²) is known of it.
    nominal = KEYED.standard_deviation
    assert found.sd == pytest.approx(nominal)
    assert sd[At(0, 1, 1)] == pytest.approx(nominal / np.sqrt(1.5))
    assert (found.effective < nominal).all()


def test_the_same_count_in_two_tables():
    tables = (
        pasted("Group\tN\nOverall\t500\nA\t300\nB\t200\n", "one"),
        pasted("Sex\tN\nOverall\t500\nMale\t260\nFemale\t240\n", "two"),
    )
    relations = proposed_structure(tables).relations
    assert any(each.form is Form.SAME for each in relations)
    keyed = fuzz(tables, relations, KEYED, KEY)
    n = dict(zip(keyed.places, keyed.counts.tolist(), strict=True))
    assert n[At(0, 1, 1)] == n[At(1, 1, 1)]
    fresh = fuzz(tables, relations, FRESH)
    # Keyed: one measurement of the total and two groups of two that add up to it.
    nominal = KEYED.standard_deviation
    assert keyed.effective[0] == pytest.approx(nominal / np.sqrt(1 + 2 / 2))
    assert keyed.effective[3] == pytest.approx(keyed.effective[0])
    assert fresh.effective[0] == pytest.approx(nominal / np.sqrt(2 + 2 / 2))


def test_what_a_person_leaves_out_is_not_released():
    table = pasted("Group\tN\tCost\nA\t200\t54\nB\t50\t61\n")
    table = table.but(CellStatement(None, 2, CellType.LEFT_OUT))
    assert [row[2] for row in texts(fuzzed(table))] == ["", "", ""]


def test_cells_that_are_no_counts_are_named():
    with pytest.raises(DeidError) as caught:
        fuzzed(pasted("Group\tN\nA\t200\nB\tmany\nC\t12\n"))
    assert caught.value.code == "count_is_text"


def test_neither_errors_nor_text_forms_tell_a_count():
    found = fuzzed(pasted(TRUE))
    # Addresses in memory hold any digits.
    assert "999" not in re.sub(r"0x[0-9a-f]+", "", repr(found))
    assert isinstance(found.tables[0], CountTable)
