"""Noise that is the same whenever the same question is asked about the same data."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable, Sequence

import numpy as np

from deidgui.engine.arrays import AnyArray
from deidgui.engine.transform.pseudonyms import PseudonymKey
from deidgui.monitor import NULL_MONITOR, Monitor

_BLOCK = 64
_INNER = bytes(byte ^ 0x36 for byte in range(256))
_OUTER = bytes(byte ^ 0x5C for byte in range(256))
_CHUNK = 20_000


def canonical(terms: Iterable[str]) -> bytes:
    """Write a question so that no other question is written the same way.

    Parameters
    ----------
    terms : iterable of str
        What the count is of, in a fixed order. Blanks around and within a term and
        its Unicode form do not matter.
    """
    parts = []
    for term in terms:
        text = " ".join(unicodedata.normalize("NFC", term).split()).encode()
        parts.append(b"%d:%s" % (len(text), text))
    return b"".join(parts)


def keyed_words(
    key: PseudonymKey,
    questions: Sequence[bytes],
    *,
    monitor: Monitor = NULL_MONITOR,
) -> AnyArray:
    """Words that look random to everybody without the key.

    Parameters
    ----------
    questions : sequence of bytes
        As `canonical` writes them, with what tells the data apart.

    Returns
    -------
    ndarray of uint64, shape (len(questions),)
        The first 64 bits of HMAC-SHA256(key, question).

    References
    ----------
    .. [1] RFC 2104; methods.md D.4.
    """
    # PERF: 2.7 instead of 6 µs for each; hmac looks its hash up again each time.
    secret = key.secret.ljust(_BLOCK, b"\0")
    inner, outer = secret.translate(_INNER), secret.translate(_OUTER)
    sha256 = hashlib.sha256
    found = [np.empty(0, np.uint64)]
    for start in range(0, len(questions), _CHUNK):
        monitor.report(start / len(questions), "noise")
        digests = b"".join(
            [
                sha256(outer + sha256(inner + each).digest()).digest()
                for each in questions[start : start + _CHUNK]
            ]
        )
        found.append(np.frombuffer(digests, ">u8")[::4].astype(np.uint64))
    monitor.report(1.0, "noise")
    return np.concatenate(found)
