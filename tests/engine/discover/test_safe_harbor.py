"""Safe Harbor over given domains, as a policy and as a threshold."""

import numpy as np
import pytest

from deidgui.engine.data.class_table import ClassTable
from deidgui.engine.data.hierarchy import Hierarchy
from deidgui.engine.data.population import Register
from deidgui.engine.data.templates.zip_codes import ZipCodes
from deidgui.engine.discover.cells import count_cells
from deidgui.engine.discover.domain import Domain
from deidgui.engine.discover.risk import RiskMeasure, risk_of_groups
from deidgui.engine.discover.safe_harbor import Element, safe_harbor
from deidgui.engine.discover.space import Space
from deidgui.errors import ConfigError
from tests.engine.discover.cases import flat, paper_measure, paper_table


def baseline_of(name, values, element, census="2020"):
    space = Space((Domain.of(flat(name, values)),))
    return safe_harbor(space, {name: element}, census=census)


@pytest.mark.parametrize(
    ("values", "labels"),
    [
        (("88", "89", "90", "104"), ("88", "89", "90+", "90+")),
        (("80-84", "85+"), ("80-84", "90+")),
        (("85-89", "90-94", "95+"), ("85-89", "90+", "90+")),
        (("88", "unknown"), ("88", "unknown")),
    ],
)
def test_ages(values, labels):
    """Ages of 90 and more in one run, 89 kept (methods.md G.4)."""
    assert baseline_of("age", values, Element("age")).labels == (labels,)


def test_ages_as_bits():
    found = baseline_of("age", range(120), Element("age"))
    assert found.bits.tolist() == [True] * 90 + [False] * 29
    assert not found.is_identity
    young = baseline_of("age", range(80), Element("age"))
    assert young.is_identity


@pytest.mark.parametrize(
    ("text", "by_census"),
    [
        ("03601", {"2000": "000", "2010": "000", "2020": "000"}),
        ("06301", {"2000": "000", "2010": "063", "2020": "063"}),
        ("79001", {"2000": "000", "2020": "790"}),
        ("36901", {"2000": "369", "2010": "000", "2020": "000"}),
        ("20500", {"2010": "000", "2020": "000"}),
        ("3601", {"2020": "000"}),
        ("90210-1234", {"2020": "902"}),
        ("09012", {"2020": "000"}),
    ],
)
def test_zip_codes(text, by_census):
    """methods.md O-G1."""
    for census, label in by_census.items():
        found = baseline_of("zip", (text, "37201"), Element("zip"), census)
        assert found.labels[0][0] == label, census


def test_zip_codes_without_their_leading_zeros():
    """501 is 00501 beside whole codes; by itself it is three digits of Iowa."""
    whole = baseline_of("zip", ("501", "2139", "37201"), Element("zip"))
    assert whole.labels == (("000", "021", "372"),)
    short = baseline_of("zip", ("501", "372", "5"), Element("zip"))
    assert short.labels == (("501", "372", "000"),)
    longer = baseline_of("zip", ("90210-1234", "372011234"), Element("zip"))
    assert longer.labels == (("902", "372"),)


def test_small_zip_areas_that_are_no_neighbours():
    """036 and 059 become one value though 040 lies between them."""
    zips = ("03601", "04001", "05901", "37201", "37202")
    plain = baseline_of("zip", zips, Element("zip"))
    assert plain.labels == (("000", "040", "000", "372", "372"),)
    assert plain.bits is None
    known = Hierarchy.from_grid("zip", ZipCodes().grid(zips))
    space = Space((Domain.of(known),))
    sorted_ = safe_harbor(space, {"zip": Element("zip")})
    assert sorted_.bits is not None
    short = Space((Domain.at_level(known, 1),))
    recoded = safe_harbor(short, {"zip": Element("zip")})
    assert recoded.is_identity
    # The same risk, whatever the order: 3 + 1 groups of records.
    table = ClassTable(
        (known,), np.arange(5, dtype=np.int32)[:, None], np.array([1, 1, 1, 1, 2])
    )
    for known_space, rule in ((space, sorted_), (short, recoded)):
        assert rule.risk(count_cells(known_space, table)) == 3
    measure = RiskMeasure(count_cells(space, table))
    assert measure.risk(sorted_.bits) == 3


def test_dates():
    found = baseline_of(
        "born",
        ("1929-05-02", "1930-12-31", "1931-05-02", "1931-07", "no date"),
        Element("date", "YYYY-MM-DD", oldest_year=1930),
    )
    assert found.labels == (("≤1930", "≤1930", "1931", "1931", "*"),)
    seen = baseline_of("seen", ("3/5/2019", "12/5/2019"), Element("date", "M/D/YYYY"))
    assert seen.labels == (("2019", "2019"),)


@pytest.mark.parametrize(
    "values",
    [
        [str(month) for month in range(1, 13)],
        ["Jan", "Feb", "Mar"],
        ["02.05.1931", "03.05.1931", "12.11.1944"],
        ["5/31", "6/31"],
    ],
)
def test_nothing_of_a_date_without_a_year_is_kept(values):
    """A month alone is an element of a date; what cannot be read is no year either."""
    found = baseline_of("seen", values, Element("date", "YYYY-MM-DD"))
    assert set(found.labels[0]) == {"*"}
    assert not found.is_identity


def test_values_that_are_missing_stay():
    grid = [("89", "*"), ("90", "*"), ("91", "*"), ("", "*")]
    known = Hierarchy.from_grid("age", grid, missing="")
    space = Space((Domain.of(known),))
    assert safe_harbor(space, {"age": Element("age")}).labels == (
        ("89", "90+", "90+", ""),
    )


def test_decisions_that_make_no_sense_are_refused():
    space = Space((Domain.of(flat("age", range(3))),))
    for act, code in (
        (lambda: Element("zipcode"), "discovery_element"),
        (lambda: safe_harbor(space, {}, census="1990"), "discovery_census"),
        (
            lambda: safe_harbor(space, {"zip": Element("zip")}),
            "discovery_element_attribute",
        ),
    ):
        with pytest.raises(ConfigError) as caught:
            act()
        assert caught.value.code == code


@pytest.mark.parametrize("gamma", [1.0, 0.5])
def test_risk_of_groups_equals_risk_of_bits(gamma):
    measure = paper_measure(gamma)
    space = measure.space
    rng = np.random.default_rng(3)
    for _ in range(20):
        bits = rng.random(space.n_bits) < 0.5
        assert risk_of_groups(measure.cells, space.groups(bits), gamma) == (
            pytest.approx(measure.risk(bits), rel=1e-12)
        )


def test_risk_of_groups_that_are_no_neighbours():
    """Ages 50 and 54 together: counted by hand from O-A1."""
    table = paper_table()
    measure = paper_measure()
    groups = (np.array([0, 1], np.int32), np.array([0, 1, 2, 3, 0], np.int32))
    # M50 and M54 of 11 people, M53 of 2, F52 of 6, two F54 of 13.
    expected = 2 / 11 + 1 / 2 + 1 / 6 + 2 / 13
    assert risk_of_groups(measure.cells, groups) == pytest.approx(expected)
    assert isinstance(table.population, Register)
