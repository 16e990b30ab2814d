"""Structure that is proposed from labels, indentation and sums."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from deidgui.engine.counts.tables.proposing import proposed_structure
from deidgui.engine.counts.tables.structure import Bounds, Fit, Form, fit_of, words_of
from tests.engine.counts.seed import TABLE_1, TABLE_2, pasted


def structure(*texts: str, threshold: int | None = 11) -> tuple[list[str], list[str]]:
    """Relations and disagreements in words."""
    tables = [pasted(text, f"t{at}") for at, text in enumerate(texts)]
    bounds = Bounds(threshold)
    found = proposed_structure(tables, bounds)
    for each in found.relations:
        assert fit_of(each, tables, bounds) is not Fit.CONTRADICTED
    words = [words_of(each, tables) for each in found.relations]
    return words, [words_of(each, tables) for each in found.disagreeing]


def test_attrition_of_the_paper():
    words, wrong = structure(TABLE_1)
    assert len(words) == 2
    assert wrong == []
    step = "Sample1: 3: Some inclusion/exclusion criteria"
    assert words[1] == f"remaining + excluded = remaining before [{step}]"


def test_characteristics_of_the_paper():
    words, wrong = structure(TABLE_2)
    assert words == [
        "18-24 + 25-35 + 36-50 + 50+ = Overall (N) [By Age Group, Sample1]",
        "18-24 + 25-35 + 36-50 + 50+ = Overall (N) [By Age Group, Sample2]",
        "Ambiguous + Male + Female + Other/Missing = Overall (N) [By Sex, Sample1]",
        "Ambiguous + Male + Female + Other/Missing = Overall (N) [By Sex, Sample2]",
    ]
    assert wrong == []


def test_groups_without_headings_are_found_by_their_labels_or_sums():
    by_label = "\tA\nN\t20\nAge 0-17\t5\nAge 18+\t15\nSex F\t9\nSex M\t11\n"
    words, _ = structure(by_label)
    assert words == ["Age 0-17 + Age 18+ = N [A]", "Sex F + Sex M = N [A]"]
    by_sum = "\tA\nOverall\t30\nyoung\t12\nold\t18\nfemale\t14\nmale\t16\n"
    words, _ = structure(by_sum)
    assert words == ["young + old = Overall [A]", "female + male = Overall [A]"]


def test_indented_rows_are_parts_of_the_row_above():
    text = (
        "Diagnosis\tN\nCirculatory\t30\n  Hypertension\t18\n  Other\tT\n"
        "Respiratory\t20\n  Asthma\t12\n  COPD\t8\nTotal\t50\n"
    )
    words, wrong = structure(text)
    assert "Asthma + COPD = Respiratory [N]" in words
    assert "Circulatory + Respiratory = Total [N]" in words
    # 30 - 18 leaves 12, which no T below 11 can be.
    assert wrong == ["Hypertension + Other = Circulatory [N]"]


def test_cross_tables_add_up_both_ways():
    text = "\tMen\tWomen\tTotal\nA\tT\t8\t15\nB\tT\tT\t12\nTotal\t9\t18\t27\n"
    words, wrong = structure(text)
    assert set(words) == {
        "A + B = Total [Men]",
        "A + B = Total [Women]",
        "A + B = Total [Total]",
        "Men + Women = Total [A]",
        "Men + Women = Total [B]",
        "Men + Women = Total [Total]",
    }
    assert wrong == []


def test_sums_that_do_not_agree_are_named_and_not_proposed():
    words, wrong = structure("\tS\nOverall\t100\nBy Sex:\nF\t40\nM\t50\n")
    assert wrong == ["F + M = Overall [By Sex, S]"]
    assert words == ["F, M: each at most Overall [By Sex, S]"]


def test_categories_that_do_not_exclude_one_another_give_no_sum():
    words, wrong = structure(
        "\tS\nOverall\t100\nConditions (select all that apply):\nA\t60\nB\t50\n"
    )
    assert len(words) == 1
    assert words[0].startswith("A, B: each at most Overall [")
    assert wrong == []


def test_sub_populations_are_at_most_what_they_are_of():
    words, _ = structure("\tS\nOverall\t100\nAdmitted\t60\nof which died\tT\n")
    assert "of which died: each at most Admitted [S]" in words


def test_excluded_before_the_step_is_found_by_the_sums():
    text = "Step\tRemaining\tExcluded\nall\t100\t40\nadults\t60\t50\nconsent\t10\t\n"
    words, wrong = structure(text)
    assert len(words) == 2
    assert wrong == []


def test_the_same_count_in_several_tables():
    one = "\tS\nOverall (N)\t100\nF\tT\nM\t95\n"
    two = "\tS\nOverall (N)\t100\nF\t5\nM\t95\n"
    words, _ = structure(one, two)
    assert any("in “t0” = F (S) in “t1”" in each for each in words)
    other_site = "\tS\nOverall (N)\t300\nF\t50\nM\t250\n"
    words, _ = structure(one, other_site)
    assert not any(" in “t0” = " in each for each in words)


def test_a_count_shown_in_many_tables_is_tied_once_to_the_first():
    tables = ["\tS\nOverall (N)\t100\nF\t5\nM\t95\n"] * 4
    words, _ = structure(*tables)
    ties = [each for each in words if " in “t0” = " in each]
    assert len(ties) == 3 * 3
    assert not any(" in “t1” = " in each for each in words)


def test_percentages_of_a_total_are_ratios():
    words, _ = structure("\tS\nOverall\t120\nF\tT (5.8%)\nM\t113 (94.2%)\n")
    assert "F / Overall = S [S]" in words


def test_masked_counts_without_a_threshold_may_be_any():
    words, wrong = structure("\tS\nOverall\t100\nF\tT\nM\t40\n", threshold=None)
    assert words == ["F + M = Overall [S]"]
    assert wrong == []
    _words, wrong = structure("\tS\nOverall\t100\nF\tT\nM\t40\n", threshold=11)
    assert wrong == ["F + M = Overall [S]"]


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_true_cross_tables_are_fully_explained(data):
    """Every margin of a masked table with totals is proposed, none is called wrong."""
    n_rows, n_columns = data.draw(st.integers(2, 5)), data.draw(st.integers(2, 5))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    inner = rng.integers(0, 40, (n_rows, n_columns))
    full = np.zeros((n_rows + 1, n_columns + 1), int)
    full[:-1, :-1] = inner
    full[-1] = full.sum(0)
    full[:, -1] = full.sum(1)
    names = [f"c{at}" for at in range(n_columns)] + ["Total"]
    lines = ["\t".join(["", *names])]
    for at, row in enumerate(full):
        cells = ["T" if 0 < each < 11 else str(each) for each in row]
        lines.append("\t".join([f"r{at}" if at < n_rows else "Total", *cells]))
    table = pasted("\n".join(lines))
    found = proposed_structure([table], Bounds(11))
    sums = [each for each in found.relations if each.form is Form.SUM]
    assert found.disagreeing == ()
    assert len(sums) == (n_rows + 1) + (n_columns + 1)
