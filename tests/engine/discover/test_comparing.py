"""Differences of two policies, counted by hand on the paper's example."""

import pytest

from deidgui.engine.discover.bit_policy import BitPolicy
from tests.engine.discover.cases import compare, paper_measure


def policies(*texts):
    measure = paper_measure()
    return measure, [BitPolicy.parse(measure.space, text) for text in texts]


def test_one_policy_more_specific():
    """Ages 53 and 54 joined: of M53, M54, F54, F54 only."""
    measure, (left, right) = policies("11111", "11110")
    found = compare(measure, left, right)
    assert found.n_values == (0, 2)
    assert found.n_records_by_attribute == (0, 4)
    assert (found.n_records, found.n_finer_left, found.n_finer_right) == (4, 4, 0)
    assert found.risks == pytest.approx((3.76667, 1.43333), abs=1e-5)


def test_policies_that_are_not_comparable():
    """Sexes joined and ages kept, or sexes kept and 53 and 54 joined."""
    measure, (left, right) = policies("01111", "11110")
    found = compare(measure, left, right)
    assert found.n_values == (2, 2)
    assert found.n_records_by_attribute == (6, 4)
    # M50 and F52 stand for one combination on the right; the others for two in both.
    assert (found.n_records, found.n_finer_left, found.n_finer_right) == (6, 0, 2)


def test_a_policy_and_itself():
    measure, (left, right) = policies("10010", "10010")
    found = compare(measure, left, right)
    assert (found.n_values, found.n_records) == ((0, 0), 0)
