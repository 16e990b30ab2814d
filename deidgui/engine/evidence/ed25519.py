"""Signatures by Ed25519, in plain Python: a few milliseconds each.

Notes
-----
Not hardened against somebody who measures the time of a signature on the machine
that makes it: who can do so there can read the key.

References
----------
.. [1] S. Josefsson, I. Liusvaara (2017), *Edwards-Curve Digital Signature Algorithm*,
   RFC 8032, section 5.1.
.. [2] H. Hisil et al. (2008), *Twisted Edwards Curves Revisited*: the addition used.
"""

from __future__ import annotations

import hashlib
from typing import TypeAlias

_P = 2**255 - 19
_ORDER = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, -1, _P) % _P
_ROOT = pow(2, (_P - 1) // 4, _P)
"""A square root of -1."""

_Point: TypeAlias = tuple[int, int, int, int]
"""X, Y, Z, T with x = X/Z, y = Y/Z and x y = T/Z."""

_ZERO: _Point = (0, 1, 1, 0)


def public_key(secret: bytes) -> bytes:
    """Public key of a secret one.

    Returns
    -------
    bytes, 32 of them
    """
    scalar, _prefix = _expanded(secret)
    return _packed(_times(scalar, _BASE))


def sign(secret: bytes, message: bytes) -> bytes:
    """Signature of a message.

    Returns
    -------
    bytes, 64 of them
        The same for the same message.
    """
    scalar, prefix = _expanded(secret)
    public = _packed(_times(scalar, _BASE))
    nonce = _number(prefix, message) % _ORDER
    point = _packed(_times(nonce, _BASE))
    proof = (nonce + _number(point, public, message) * scalar) % _ORDER
    return point + proof.to_bytes(32, "little")


def is_signature(public: bytes, message: bytes, signature: bytes) -> bool:
    """Whether a signature of a message was made with the secret of a public key.

    Parameters
    ----------
    public, message, signature : bytes
        Anybody's: nothing is taken for granted.
    """
    if len(public) != 32 or len(signature) != 64:
        return False
    key, point = _unpacked(public), _unpacked(signature[:32])
    proof = int.from_bytes(signature[32:], "little")
    if key is None or point is None or proof >= _ORDER:
        return False
    challenge = _number(signature[:32], public, message) % _ORDER
    expected = _plus(point, _times(challenge, key))
    return _are_equal(_times(proof, _BASE), expected)


def _expanded(secret: bytes) -> tuple[int, bytes]:
    """Scalar and prefix of a secret key (RFC 8032, 5.1.5)."""
    assert len(secret) == 32
    digest = hashlib.sha512(secret).digest()
    scalar = int.from_bytes(digest[:32], "little")
    return (scalar & ((1 << 254) - 8)) | (1 << 254), digest[32:]


def _number(*parts: bytes) -> int:
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little")


def _plus(one: _Point, other: _Point) -> _Point:
    x1, y1, z1, t1 = one
    x2, y2, z2, t2 = other
    a = (y1 - x1) * (y2 - x2) % _P
    b = (y1 + x1) * (y2 + x2) % _P
    c = 2 * t1 * t2 * _D % _P
    d = 2 * z1 * z2 % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P


def _times(scalar: int, point: _Point) -> _Point:
    found = _ZERO
    while scalar:
        if scalar & 1:
            found = _plus(found, point)
        point = _plus(point, point)
        scalar >>= 1
    return found


def _are_equal(one: _Point, other: _Point) -> bool:
    x1, y1, z1, _ = one
    x2, y2, z2, _ = other
    return (x1 * z2 - x2 * z1) % _P == 0 and (y1 * z2 - y2 * z1) % _P == 0


def _packed(point: _Point) -> bytes:
    x, y, z, _ = point
    inverse = pow(z, -1, _P)
    x, y = x * inverse % _P, y * inverse % _P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def _unpacked(text: bytes) -> _Point | None:
    """Point of its packed form; None if there is none (RFC 8032, 5.1.3)."""
    number = int.from_bytes(text, "little")
    y, sign_bit = number & ((1 << 255) - 1), number >> 255
    if y >= _P:
        return None
    square = (y * y - 1) * pow(_D * y * y + 1, -1, _P) % _P
    x = pow(square, (_P + 3) // 8, _P)
    if (x * x - square) % _P:
        x = x * _ROOT % _P
    if (x * x - square) % _P or (x == 0 and sign_bit):
        return None
    if x & 1 != sign_bit:
        x = _P - x
    return x, y, 1, x * y % _P


_base = _unpacked((4 * pow(5, -1, _P) % _P).to_bytes(32, "little"))
assert _base is not None
_BASE: _Point = _base
