"""The signature of an evidence: who answers for it, visible to everybody."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Annotated, Literal

import pydantic
from pydantic import Field

from deidgui.engine.evidence.checks import Check
from deidgui.engine.evidence.document import Sha256, canonical_json
from deidgui.engine.evidence.ed25519 import is_signature, sign
from deidgui.engine.evidence.entered import Part
from deidgui.engine.evidence.folder import (
    EVIDENCE,
    MAX_JSON_BYTES,
    SIGNATURE,
    ReleaseFolder,
)
from deidgui.errors import InputError

MAX_BYTES = 10_000
Key = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class Signature(Part):
    """Content of ``signature.json``.

    Attributes
    ----------
    evidence_sha256 : str
        Of the bytes of ``evidence.json``, which vouches for all other files.
    public_key : str
        Whose it is must be known from elsewhere.
    signed : str
        ISO 8601 time, as the signer's machine had it.
    signature : str
        Of all other fields, as canonical JSON.
    """

    format: Literal["deidgui-signature"] = "deidgui-signature"
    version: Literal[1] = 1
    algorithm: Literal["Ed25519"] = "Ed25519"
    evidence_sha256: Sha256
    public_key: Key
    signed: str = Field(max_length=40)
    signature: str = Field("", pattern="^([0-9a-f]{128})?$")

    @property
    def message(self) -> bytes:
        """What is signed."""
        return canonical_json(self.model_dump(mode="json", exclude={"signature"}))

    @property
    def is_valid(self) -> bool:
        """Whether the secret of the public key has signed this."""
        return is_signature(
            bytes.fromhex(self.public_key), self.message, bytes.fromhex(self.signature)
        )


def signature_of(evidence: bytes, secret: bytes, public: bytes, time: str) -> Signature:
    """Sign the bytes of ``evidence.json``."""
    unsigned = Signature(
        evidence_sha256=hashlib.sha256(evidence).hexdigest(),
        public_key=public.hex(),
        signed=time,
    )
    signature = sign(secret, unsigned.message).hex()
    return unsigned.model_copy(update={"signature": signature})


def read_signature(folder: ReleaseFolder) -> Signature | None:
    """Return the signature of a release, None if it has none.

    Raises
    ------
    InputError
        Code ``not_a_signature``.
    """
    if not folder.holds(SIGNATURE):
        return None
    try:
        content = folder.read(SIGNATURE, MAX_BYTES)
        found = Signature.model_validate_json(content, strict=True)
    except (pydantic.ValidationError, InputError):
        raise InputError("not_a_signature", file=SIGNATURE) from None
    if canonical_json(found.model_dump(mode="json")) != content:
        raise InputError("not_a_signature", file=SIGNATURE)
    return found


def check_signature(
    folder: ReleaseFolder, signature: Signature | None, key: str | None
) -> Iterator[Check]:
    """Compare a signature with the evidence, and with a key if one is given.

    Parameters
    ----------
    key : str or None
        Public key that must have signed.
    """
    if signature is not None:
        evidence = folder.read(EVIDENCE, MAX_JSON_BYTES)
        is_of = signature.evidence_sha256 == hashlib.sha256(evidence).hexdigest()
        yield Check("signature", is_of and signature.is_valid)
    if key is not None:
        fits = signature is not None and signature.public_key == key
        yield Check("signature_key", fits)


def fingerprint(public: str) -> str:
    """Return what people compare of a public key: 32 characters in groups of four."""
    digest = hashlib.sha256(bytes.fromhex(public)).hexdigest()[:32]
    return " ".join(digest[at : at + 4] for at in range(0, 32, 4))
