"""Class sizes in a sample that decide on the population's (methods.md O-E3)."""

import pytest

from deidgui.engine.risk import deciding_size


@pytest.mark.parametrize(
    ("fraction", "expected"),
    [(0.05, (4, 4, 5)), (0.1, (5, 6, 7)), (0.2, (8, 9, 10)), (0.5, (15, 16, 19))],
)
def test_deciding_sizes_of_the_literature(fraction, expected):
    found = tuple(deciding_size(20, fraction, level) for level in (0.1, 0.05, 0.01))
    assert found == expected


def test_small_and_certain_cases():
    assert deciding_size(5, 0.1, 0.1) == 3
    assert deciding_size(1, 0.5, 0.01) == 1
    # Never more than the population class itself.
    assert deciding_size(3, 1.0, 1e-9) == 3
