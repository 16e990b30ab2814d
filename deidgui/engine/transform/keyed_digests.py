"""HMAC-SHA256 of many short texts, without the interpreter.

`hmac` takes 1.5 µs for a text and holds the interpreter; these compiled kernels take
half of it and let threads work side by side. Every block of texts is compared with
`hmac` at one of them, and tests compare texts of all lengths.

References
----------
.. [1] FIPS 180-4, *Secure Hash Standard*; FIPS 198-1, *The Keyed-Hash Message
   Authentication Code*.
"""

from __future__ import annotations

import hmac
from math import isqrt
from typing import TypeAlias

import numpy as np
from numba import njit
from numpy.typing import NDArray

from deidgui.engine.arrays import IntArray

Bytes: TypeAlias = NDArray[np.uint8]
Words: TypeAlias = NDArray[np.uint32]

DIGEST_BYTES = 32
_BLOCK, _ROUNDS = 64, 64


def digests(heap: bytes, tails: IntArray, secret: bytes) -> Bytes:
    """HMAC-SHA256 of texts.

    Parameters
    ----------
    heap : bytes
        The texts one after another.
    tails : ndarray of int64, shape (n_texts + 1,)
        Where each starts.
    secret : bytes
        At most 64.

    Returns
    -------
    ndarray of uint8, shape (n_texts, DIGEST_BYTES)
    """
    assert len(secret) <= _BLOCK
    key = np.zeros(_BLOCK, np.uint8)
    key[: len(secret)] = np.frombuffer(secret, np.uint8)
    found = np.empty((len(tails) - 1, DIGEST_BYTES), np.uint8)
    _digest_all(np.frombuffer(heap, np.uint8), tails, key, _FIRST, _CONSTANTS, found)
    if len(found):
        expected = hmac.digest(secret, heap[tails[0] : tails[1]], "sha256")
        assert found[0].tobytes() == expected
    return found


def _primes(n: int) -> list[int]:
    found: list[int] = []
    number = 2
    while len(found) < n:
        if all(number % each for each in found):
            found.append(number)
        number += 1
    return found


def _cube_root(number: int) -> int:
    """Whole part of a cube root."""
    low, high = 0, 1 << (number.bit_length() // 3 + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**3 <= number else (low, middle)
    return low


# First 32 bits behind the point of roots of the first primes.
_FIRST = np.array([isqrt(p << 64) % 2**32 for p in _primes(8)], np.uint32)
_CONSTANTS = np.array(
    [_cube_root(p << 96) % 2**32 for p in _primes(_ROUNDS)], np.uint32
)


@njit(cache=True, nogil=True, inline="always")
def _turned(word: np.uint32, n: int) -> np.uint32:
    return np.uint32((word >> np.uint32(n)) | (word << np.uint32(32 - n)))


@njit(cache=True, nogil=True)
def _take_block(state: Words, block: Bytes, constants: Words, words: Words) -> None:
    """Change the state by one block of 64 bytes."""
    for t in range(16):
        words[t] = (
            (np.uint32(block[4 * t]) << np.uint32(24))
            | (np.uint32(block[4 * t + 1]) << np.uint32(16))
            | (np.uint32(block[4 * t + 2]) << np.uint32(8))
            | np.uint32(block[4 * t + 3])
        )
    for t in range(16, _ROUNDS):
        near, far = words[t - 2], words[t - 15]
        one = _turned(near, 17) ^ _turned(near, 19) ^ (near >> np.uint32(10))
        other = _turned(far, 7) ^ _turned(far, 18) ^ (far >> np.uint32(3))
        words[t] = np.uint32(one + words[t - 7] + other + words[t - 16])
    a, b, c, d = state[0], state[1], state[2], state[3]
    e, f, g, h = state[4], state[5], state[6], state[7]
    for t in range(_ROUNDS):
        one = _turned(e, 6) ^ _turned(e, 11) ^ _turned(e, 25)
        chosen = (e & f) ^ (~e & g)
        more = np.uint32(h + one + chosen + constants[t] + words[t])
        other = _turned(a, 2) ^ _turned(a, 13) ^ _turned(a, 22)
        most = (a & b) ^ (a & c) ^ (b & c)
        h, g, f, e = g, f, e, np.uint32(d + more)
        d, c, b, a = c, b, a, np.uint32(more + np.uint32(other + most))
    state[0] += a
    state[1] += b
    state[2] += c
    state[3] += d
    state[4] += e
    state[5] += f
    state[6] += g
    state[7] += h


@njit(cache=True, nogil=True)
def _take_last(
    state: Words, text: Bytes, constants: Words, words: Words, block: Bytes
) -> None:
    """Take a text behind a first block, and the end of the message."""
    n_bits = 8 * (len(text) + _BLOCK)
    whole = len(text) // _BLOCK * _BLOCK
    for at in range(0, whole, _BLOCK):
        _take_block(state, text[at : at + _BLOCK], constants, words)
    rest = len(text) - whole
    for place in range(rest):
        block[place] = text[whole + place]
    block[rest] = 0x80
    block[rest + 1 :] = 0
    if rest >= _BLOCK - 8:
        _take_block(state, block, constants, words)
        block[:] = 0
    for place in range(8):
        block[_BLOCK - 1 - place] = (n_bits >> (8 * place)) & 0xFF
    _take_block(state, block, constants, words)


@njit(cache=True, nogil=True)
def _write(state: Words, digest: Bytes) -> None:
    for place in range(DIGEST_BYTES):
        digest[place] = (state[place // 4] >> np.uint32(24 - 8 * (place % 4))) & 0xFF


@njit(cache=True, nogil=True)
def _digest_all(
    heap: Bytes, tails: IntArray, key: Bytes, first: Words, constants: Words, out: Bytes
) -> None:
    """HMAC of each text; the state behind the key is worked out once."""
    words = np.empty(_ROUNDS, np.uint32)
    block = np.empty(_BLOCK, np.uint8)
    inner, outer, state = first.copy(), first.copy(), first.copy()
    block[:] = key ^ np.uint8(0x36)
    _take_block(inner, block, constants, words)
    block[:] = key ^ np.uint8(0x5C)
    _take_block(outer, block, constants, words)
    digest = np.empty(DIGEST_BYTES, np.uint8)
    for number in range(len(tails) - 1):
        state[:] = inner
        text = heap[tails[number] : tails[number + 1]]
        _take_last(state, text, constants, words, block)
        _write(state, digest)
        state[:] = outer
        _take_last(state, digest, constants, words, block)
        _write(state, out[number])
