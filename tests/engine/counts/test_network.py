"""Counts of several sites, added up."""

import csv
import gzip
from collections import Counter

import numpy as np
import pytest

from deidgui.engine.counts.noise.distribution import fresh_words, rounded_gaussian
from deidgui.engine.counts.noise.network import add_up
from tests.shared import shared

THRESHOLD = 11


def test_a_small_network_by_hand():
    counts = np.array([[3, 100, 0], [10, 11, 5], [0, 40, -2]])
    found = add_up(counts, [2.5, 2.5, 0.0], THRESHOLD)
    assert found.totals.tolist() == [13, 151, 3]
    assert found.shown.tolist() == [0, 151, 0]
    assert found.masked.tolist() == [2, 0, 2]
    assert found.missing.tolist() == [13, 0, 3]
    assert found.sd == pytest.approx(np.full(3, 2.5 * np.sqrt(2)))
    assert found.noise_is_better.tolist() == [True, False, False]
    assert found.sizes.tolist() == [100, 11, 40]
    assert found.lost == pytest.approx([3 / 103, 15 / 26, 0.0])


def nhds_counts(n_sites):
    """Discharges of 2010 by first diagnosis and sex; sites are kinds of hospital."""
    found, sizes, asked = Counter(), Counter(), Counter()
    path = shared("data", "nhds2010", "nhds2010.csv.gz")
    with gzip.open(path, "rt", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            half = int(row["dc_month"] or 0) > 6
            site = row["region"], row["n_beds"], row["hospital_ownership"], half
            question = row["dx01"][:3], row["sex"]
            found[site, question] += 1
            sizes[site] += 1
            asked[question] += 1
    sites = [each for each, _ in sizes.most_common()]
    sites = sites[:: len(sites) // n_sites][:n_sites]
    questions = [each for each, _ in asked.most_common(200)]
    return np.array([[found[site, each] for each in questions] for site in sites])


def test_a_network_of_forty_sites_loses_its_small_sites_to_a_threshold():
    true = nhds_counts(40)
    assert true.shape == (40, 200)
    found = add_up(true, [0.0] * 40, THRESHOLD)
    assert (found.totals == true.sum(axis=0)).all()
    order = np.argsort(found.sizes)
    assert found.lost[order[:20]].mean() > 1.5 * found.lost[order[20:]].mean()
    sd = rounded_gaussian(2.5).variance ** 0.5
    noise = rounded_gaussian(2.5).from_words(fresh_words(true.size))
    noisy = add_up(true + noise.reshape(true.shape), [sd] * 40, THRESHOLD)
    assert noisy.sd == pytest.approx(np.full(200, sd * np.sqrt(40)))
    away = (noisy.totals - found.totals) / noisy.sd
    assert np.abs(away).max() < 6
    # Most totals lose more to the threshold than noise makes uncertain.
    assert np.mean(found.missing > noisy.sd) > 0.5
