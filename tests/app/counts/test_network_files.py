"""Tables of several sites: by their labels, from files and releases."""

import numpy as np
import pytest

from deidgui.app.counts.fuzzing import fuzz
from deidgui.app.counts.network import Site, add_sites, read_sites, with_sd
from deidgui.engine.counts.noise.rules import RoundedGaussian
from deidgui.engine.counts.tables.table import CountTable
from deidgui.errors import InputError

HEAD = ("Characteristic", "Cases", "Controls")


def site(name, *rows):
    return Site(CountTable.of(name, (HEAD, *rows)))


def test_counts_are_added_by_their_labels_in_whatever_order():
    one = site("one", ("Female", "5", "40"), ("Male", "3", "20"))
    other = site("other", ("Male", "30", "200"), ("Female", "7", "1"))
    found = add_sites([one, other], 11, RoundedGaussian.proposed())
    sums = dict(zip(found.names, found.network.totals.tolist(), strict=True))
    assert sums == {
        "Female, Cases": 12,
        "Female, Controls": 41,
        "Male, Cases": 33,
        "Male, Controls": 220,
    }
    hidden = dict(zip(found.names, found.network.missing.tolist(), strict=True))
    assert hidden["Female, Cases"] == 12
    assert hidden["Male, Controls"] == 0
    sd = RoundedGaussian.proposed().standard_deviation
    assert found.network.sd == pytest.approx(np.full(4, sd * 2**0.5))
    assert not found.has_noise


def test_what_cannot_be_added_is_left_out_and_counted():
    one = site("one", ("Female", "5", "T"), ("Male", "3", "20"))
    other = site("other", ("Female", "7", "1"), ("Other", "9", "9"))
    found = add_sites([one, other], 11, None)
    assert found.names == ("Female, Cases",)
    assert found.n_masked == 1
    assert found.n_elsewhere == 4


@pytest.mark.parametrize(
    ("sites", "code"),
    [
        ([site("one", ("Female", "5", "1"))], "network_one_site"),
        (
            [site("one", ("Female", "5", "1")), site("two", ("Male", "5", "1"))],
            "network_nothing_common",
        ),
        (
            [site("one", ("A", "5", "T")), site("two", ("A", "T", "1"))],
            "network_all_masked",
        ),
    ],
)
def test_tables_that_cannot_be_added_up_are_refused(sites, code):
    with pytest.raises(InputError) as caught:
        add_sites(sites, 11, None)
    assert caught.value.code == code


def test_the_noise_of_a_released_file_is_read_from_its_evidence(tmp_path):
    table = tmp_path / "hospital.csv"
    table.write_text("Characteristic,Cases\nFemale,120\nMale,80\n", encoding="utf-8")
    rule = RoundedGaussian.proposed(sigma=4.0)
    made = fuzz([table], tmp_path / "release", rule)
    released = tmp_path / "release" / made["tables"][0]["file"]
    plain, noisy = read_sites([table, released])
    assert (plain.sd, plain.is_stated) == (0.0, False)
    assert noisy.is_stated
    assert noisy.sd == pytest.approx(rule.standard_deviation)
    # What a person says of the others does not change what evidence states.
    assert [each.sd for each in with_sd([plain, noisy], 1.0)] == [1.0, noisy.sd]
    # Evidence speaks of exactly the released file.
    released.write_text("Characteristic,Cases\nFemale,1\nMale,2\n", encoding="utf-8")
    (changed,) = read_sites([released])
    assert not changed.is_stated
