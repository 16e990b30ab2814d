"""Keyed pseudonyms that nobody can undo without the key."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Iterable
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from types import TracebackType

import numpy as np
import polars as pl

from deidgui.engine.arrays import AnyArray
from deidgui.engine.compiled import njit
from deidgui.engine.data.table import Column
from deidgui.engine.threads import Workers, finish
from deidgui.monitor import NULL_MONITOR, Monitor

KEY_BYTES = 32
"""Length of a key: 256 bits."""

CODE_BYTES = 10
"""Bytes of the code that are kept: 80 bits are 16 base32 letters."""

_ALPHABET = np.frombuffer(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", dtype=np.uint8)
_CHUNK = 16_384


@dataclass(frozen=True, eq=False)
class PseudonymKey:
    """The secret that links the codes of one column to its identifiers.

    Parameters
    ----------
    secret : bytes, 32 of them
        PRIVACY: never written to the release, the project or a log.
    """

    column: str
    secret: bytes = field(repr=False)

    def __post_init__(self) -> None:
        assert len(self.secret) == KEY_BYTES

    @classmethod
    def draw(cls, column: str) -> PseudonymKey:
        """Draw a new key from the operating system."""
        return cls(column, secrets.token_bytes(KEY_BYTES))


def pseudonymise(
    column: Column, *, monitor: Monitor = NULL_MONITOR
) -> tuple[pl.Series, PseudonymKey]:
    """Replace every distinct identifier of a column by a keyed code.

    Returns
    -------
    codes : polars Series of String, length ``column.n_values``
        16 letters and digits for each distinct text; texts that mean "no value"
        stay, since a code would make all of them look like one person.
    key : PseudonymKey
        Drawn for this column and this release alone.

    Notes
    -----
    The code is the beginning of HMAC-SHA256(key, UTF-8 text) in base32. A key
    under which two identifiers get the same code is drawn anew (ten million
    identifiers: one chance in 10^10). Unkeyed hashes are not offered: whoever
    can list the identifiers can undo them.

    References
    ----------
    .. [1] 45 CFR 164.514(c): a re-identification code is not derived from
       information about the individual, and its mechanism is not disclosed.
    """
    return _spelt(column, *_digested(column, monitor))


def keyed_codes(
    texts: pl.Series, key: PseudonymKey, *, monitor: Monitor = NULL_MONITOR
) -> pl.Series:
    """Code of every text under a key.

    Returns
    -------
    polars Series of String, same length
        16 characters each.
    """
    return _base32(_keyed_digests(texts, key, monitor))


def _digested(column: Column, monitor: Monitor) -> tuple[AnyArray, PseudonymKey]:
    """Digest of every distinct text, under a key by which no two have the same."""
    while True:
        key = PseudonymKey.draw(column.name)
        digests = _keyed_digests(column.values, key, monitor)
        if _are_distinct(digests[~column.is_missing]):
            return digests, key


def _spelt(
    column: Column, digests: AnyArray, key: PseudonymKey
) -> tuple[pl.Series, PseudonymKey]:
    """Codes in letters; texts that mean "no value" stay."""
    is_missing = pl.Series(column.is_missing)
    codes = pl.when(is_missing).then(column.values).otherwise(_base32(digests))
    return pl.select(codes).to_series(), key


def _keyed_digests(texts: pl.Series, key: PseudonymKey, monitor: Monitor) -> AnyArray:
    """Bytes that are kept of the digest of every text, as rows."""
    # PERF: in one thread, since the library's digests keep the interpreter.
    digests = np.empty((len(texts), CODE_BYTES), np.uint8)
    for start in range(0, len(texts), _CHUNK):
        monitor.report(start / len(texts), "pseudonyms")
        part = b"".join(
            hmac.digest(key.secret, text.encode(), "sha256")[:CODE_BYTES]
            for text in texts.slice(start, _CHUNK)
        )
        rows = np.frombuffer(part, np.uint8).reshape(-1, CODE_BYTES)
        digests[start : start + len(rows)] = rows
    monitor.report(1.0, "pseudonyms")
    return digests


def _are_distinct(digests: AnyArray) -> bool:
    """Whether no two rows are the same; 8 of their bytes nearly always tell."""
    heads = np.ascontiguousarray(digests[:, :8]).view(np.uint64).ravel()
    heads.sort()
    if not (heads[1:] == heads[:-1]).any():
        return True
    return len(np.unique(digests, axis=0)) == len(digests)


class PseudonymsAhead:
    """Codes of some columns, which a thread makes until they are asked for.

    Parameters
    ----------
    columns : iterable of Column
    """

    def __init__(self, columns: Iterable[Column]) -> None:
        self._workers, self._done = Workers(1), 0.0
        self._works = {each.name: self._begin(each) for each in columns}

    def __enter__(self) -> PseudonymsAhead:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        self._workers.__exit__(kind, error, where)

    def _begin(self, column: Column) -> Future[tuple[AnyArray, PseudonymKey]]:
        return self._workers.submit(partial(_digested, column, self))

    def report(self, fraction: float, _note: str = "") -> None:
        """Take note of what is done; the thread stops here if nobody waits any more."""
        self._workers.pulse()
        self._done = fraction

    def of(
        self, column: Column, *, monitor: Monitor = NULL_MONITOR
    ) -> tuple[pl.Series, PseudonymKey]:
        """Return what `pseudonymise` gives for one of the columns; each only once."""
        ((digests, key),) = finish(
            [self._works.pop(column.name)],
            lambda: monitor.report(self._done, "pseudonyms"),
        )
        assert len(digests) == column.n_values, "column of another table"
        # PERF: the letters of ten million identifiers take three times the digests.
        return _spelt(column, digests, key)


def _base32(rows: AnyArray) -> pl.Series:
    """Base32 text of each row of bytes (RFC 4648, without padding)."""
    parts = [pl.Series([], dtype=pl.String)]
    for start in range(0, len(rows), _CHUNK):
        part = rows[start : start + _CHUNK]
        letters = np.empty((len(part), part.shape[1] * 8 // 5 + 1), np.uint8)
        _spell(part, _ALPHABET, letters)
        joined = letters.tobytes()[:-1].decode("ascii")
        parts.append(pl.Series([joined], dtype=pl.String).str.split("\n").explode())
    return pl.concat(parts)


@njit
def _spell(digests: AnyArray, alphabet: AnyArray, letters: AnyArray) -> None:
    """Write a letter for every five bits, and a line break behind each row."""
    n_letters = letters.shape[1] - 1
    for row in range(len(digests)):
        for place in range(n_letters):
            byte, bit = 5 * place // 8, 5 * place % 8
            two = np.int64(digests[row, byte]) << 8
            if byte + 1 < digests.shape[1]:
                two |= digests[row, byte + 1]
            letters[row, place] = alphabet[(two >> (11 - bit)) & 31]
        letters[row, n_letters] = 10
