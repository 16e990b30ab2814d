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
    while True:
        key = PseudonymKey.draw(column.name)
        codes = keyed_codes(column.values, key, monitor=monitor)
        present = codes.filter(pl.Series(~column.is_missing))
        if present.n_unique() == len(present):
            return pl.select(
                pl.when(pl.Series(column.is_missing))
                .then(column.values)
                .otherwise(codes)
            ).to_series(), key


def keyed_codes(
    texts: pl.Series, key: PseudonymKey, *, monitor: Monitor = NULL_MONITOR
) -> pl.Series:
    """Code of every text under a key.

    Returns
    -------
    polars Series of String, same length
        16 characters each.
    """
    # PERF: in one thread, since the library's digests keep the interpreter.
    parts = [pl.Series([], dtype=pl.String)]
    for start in range(0, len(texts), _CHUNK):
        monitor.report(start / len(texts), "pseudonyms")
        digests = b"".join(
            hmac.digest(key.secret, text.encode(), "sha256")[:CODE_BYTES]
            for text in texts.slice(start, _CHUNK)
        )
        rows = np.frombuffer(digests, np.uint8).reshape(-1, CODE_BYTES)
        parts.append(_base32(rows))
    monitor.report(1.0, "pseudonyms")
    return pl.concat(parts)


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

    def _begin(self, column: Column) -> Future[tuple[pl.Series, PseudonymKey]]:
        return self._workers.submit(partial(pseudonymise, column, monitor=self))

    def report(self, fraction: float, _note: str = "") -> None:
        """Take note of what is done; the thread stops here if nobody waits any more."""
        self._workers.pulse()
        self._done = fraction

    def of(
        self, column: Column, *, monitor: Monitor = NULL_MONITOR
    ) -> tuple[pl.Series, PseudonymKey]:
        """Return what `pseudonymise` gives for one of the columns; each only once."""
        (found,) = finish(
            [self._works.pop(column.name)],
            lambda: monitor.report(self._done, "pseudonyms"),
        )
        assert len(found[0]) == column.n_values, "column of another table"
        return found


def _base32(rows: AnyArray) -> pl.Series:
    """Base32 text of each row of bytes (RFC 4648, without padding)."""
    letters = np.empty((len(rows), rows.shape[1] * 8 // 5 + 1), np.uint8)
    _spell(rows, _ALPHABET, letters)
    joined = letters.tobytes()[:-1].decode("ascii")
    texts = pl.Series([joined], dtype=pl.String).str.split("\n").explode()
    return texts if len(rows) else texts.clear()


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
