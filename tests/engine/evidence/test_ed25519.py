"""Signatures against the vectors of RFC 8032, OpenSSL, and changes of every bit."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidgui.engine.evidence.ed25519 import _ORDER, is_signature, public_key, sign

VECTORS = [
    # RFC 8032, section 7.1: tests 1, 2 and 3.
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33b"
        "acc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e1599"
        "6e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f2"
        "90ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
]


OPENSSL = "openssl pkeyutl -sign -rawin"


@pytest.mark.parametrize("vector", VECTORS)
def test_vectors_of_the_standard(vector):
    secret, public, message, signature = map(bytes.fromhex, vector)
    assert public_key(secret) == public
    assert sign(secret, message) == signature
    assert is_signature(public, message, signature)


def test_every_changed_bit_is_noticed():
    secret, public, message, signature = map(bytes.fromhex, VECTORS[2])
    del secret
    for place in range(0, 8 * 64, 7):
        changed = bytearray(signature)
        changed[place // 8] ^= 1 << place % 8
        assert not is_signature(public, message, bytes(changed))
    for place in range(0, 8 * 32, 11):
        other = bytearray(public)
        other[place // 8] ^= 1 << place % 8
        assert not is_signature(bytes(other), message, signature)
    assert not is_signature(public, message + b"\0", signature)


def test_a_proof_beyond_the_order_is_no_second_signature():
    _secret, public, message, signature = map(bytes.fromhex, VECTORS[1])
    proof = int.from_bytes(signature[32:], "little") + _ORDER
    second = signature[:32] + proof.to_bytes(32, "little")
    assert not is_signature(public, message, second)


@given(st.binary(max_size=80), st.binary(max_size=20), st.binary(max_size=80))
def test_anything_else_is_refused(public, message, signature):
    assert not is_signature(public, message, signature)


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl")
@pytest.mark.parametrize("number", range(3))
def test_another_program_agrees(tmp_path, number):
    """OpenSSL verifies what is signed here, and makes the same signature."""
    secret = bytes([number]) * 32
    message = b"evidence" * (number + 1)
    der = bytes.fromhex("302e020100300506032b657004220420") + secret
    (tmp_path / "key").write_bytes(der)
    (tmp_path / "message").write_bytes(message)
    made = subprocess.run(
        f"{OPENSSL} -keyform DER -inkey key -in message".split(),
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    if made.returncode:
        pytest.skip("an openssl without Ed25519")
    assert made.stdout == sign(secret, message)
