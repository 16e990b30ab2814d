"""Codes are keyed, fixed in length, one to one, and say nothing without the key."""

import base64
import hashlib
import hmac
import threading

import numpy as np
import polars as pl
import pytest

from deidgui.engine.data.table import Column
from deidgui.engine.transform import pseudonyms
from deidgui.engine.transform.pseudonyms import (
    PseudonymKey,
    PseudonymsAhead,
    keyed_codes,
    pseudonymise,
)
from deidgui.errors import Cancelled


def test_codes_are_hmac_sha256_in_base32():
    key = PseudonymKey("id", bytes(range(32)))
    texts = pl.Series(["", "A1", "ä", "x" * 1000])
    expected = [
        base64.b32encode(hmac.new(key.secret, t.encode(), hashlib.sha256).digest()[:10])
        for t in texts
    ]
    assert keyed_codes(texts, key).to_list() == [code.decode() for code in expected]


def test_code_known_from_rfc_4231():
    """RFC 4231, test case 1 needs a key of 20 bytes; its digest is checked there.

    Here: base32 of the first 80 bits of that digest, b0344c61d8db38535ca8.
    """
    digest = bytes.fromhex("b0344c61d8db38535ca8")
    made = pseudonyms._base32(np.frombuffer(digest, np.uint8).reshape(1, 10))
    assert made.to_list() == [base64.b32encode(digest).decode()]


def test_each_release_and_column_has_a_key_of_its_own():
    column = Column.from_texts("id", ["a", "b", "a"])
    codes, key = pseudonymise(column)
    again, other = pseudonymise(column)
    assert key.secret != other.secret
    assert set(codes).isdisjoint(again)
    assert all(len(code) == 16 for code in codes)
    assert codes.n_unique() == 2


def test_missing_identifiers_stay_missing():
    column = Column.from_texts("id", ["", "a", "NA"], missing=("", "NA"))
    codes, _key = pseudonymise(column)
    found = dict(zip(column.texts(), codes, strict=True))
    assert (found[""], found["NA"]) == ("", "NA")
    assert len(found["a"]) == 16


def test_a_collision_draws_another_key(monkeypatch):
    column = Column.from_texts("id", ["a", "b"])
    real, calls = pseudonyms._keyed_digests, []

    def colliding(texts, key, monitor):
        calls.append(key)
        if len(calls) == 1:
            return np.full((len(texts), 10), 7, np.uint8)
        return real(texts, key, monitor)

    monkeypatch.setattr(pseudonyms, "_keyed_digests", colliding)
    codes, key = pseudonymise(column)
    assert len(calls) == 2
    assert key is calls[1]
    assert codes.n_unique() == 2


def test_digests_are_distinct_by_all_their_bytes():
    digests = np.zeros((3, 10), np.uint8)
    digests[:, 9] = [1, 2, 3]
    assert pseudonyms._are_distinct(digests)
    digests[2, 9] = 1
    assert not pseudonyms._are_distinct(digests)
    assert pseudonyms._are_distinct(digests[:1])
    assert pseudonyms._are_distinct(digests[:0])


def test_many_codes_across_chunks(monkeypatch):
    monkeypatch.setattr(pseudonyms, "_CHUNK", 7)
    key = PseudonymKey.draw("id")
    texts = pl.Series([str(n) for n in range(50)])
    one_by_one = [keyed_codes(texts[n : n + 1], key)[0] for n in range(50)]
    assert keyed_codes(texts, key).to_list() == one_by_one
    assert keyed_codes(texts[:0], key).to_list() == []


def test_codes_made_ahead_are_those_of_the_same_key():
    one = Column.from_texts("id", ["a", "", "b", "a"])
    two = Column.from_texts("case", [str(n) for n in range(100)])
    with PseudonymsAhead([one, two]) as ahead:
        for column in (two, one):
            codes, key = ahead.of(column)
            assert key.column == column.name
            present = [text for text in column.texts() if text]
            expected = keyed_codes(pl.Series(present), key).to_list()
            assert [code for code in codes if code] == expected


def test_nobody_goes_on_with_codes_that_nobody_waits_for(monkeypatch):
    begun, ended = threading.Event(), []

    def endless(_texts, _key, monitor):
        begun.set()
        try:
            while True:
                monitor.report(0.5, "pseudonyms")
        finally:
            ended.append(True)

    monkeypatch.setattr(pseudonyms, "_keyed_digests", endless)
    column = Column.from_texts("id", ["a", "b"])
    ahead = PseudonymsAhead([column])
    assert begun.wait(10)
    with pytest.raises(Cancelled), ahead:
        ahead.of(column, monitor=Stopper())
    assert ended
    assert not [each for each in threading.enumerate() if each.name.startswith("block")]


class Stopper:
    def report(self, _fraction: float, _note: str = "") -> None:
        raise Cancelled
