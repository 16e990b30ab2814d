"""Names a file, and its values, so that only who has the file can tell which."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass, field
from pathlib import Path

from deidgui.errors import InputError

_BLOCK = 1 << 20
_LENGTH = 24


@dataclass(frozen=True)
class Identity:
    """Which file it is.

    Parameters
    ----------
    sha256 : str
        Of its bytes; stated in the evidence.
    key : bytes
        A further hash of its bytes: a secret of those who have the file, with which
        its values can be found again that the evidence does not name.
    """

    sha256: str
    key: bytes = field(repr=False)

    def digest(self, attribute: str, text: str) -> str:
        """What stands for a value of the file: 24 hexadecimal digits."""
        # PRIVACY: a digest without a key is undone by trying all ages.
        content = f"{attribute}\0{text}".encode()
        return hmac.new(self.key, content, hashlib.sha256).hexdigest()[:_LENGTH]


def in_release(digest: str, created: str | None, sha256: str) -> str:
    """What stands for a value of a file in one release: 24 hexadecimal digits.

    Parameters
    ----------
    digest : str
        See `Identity.digest`.
    created : str or None
        When the release was made.
    sha256 : str
        Of its first input.
    """
    # PRIVACY: of two releases the digests of a value do not match.
    content = f"{created or ''}\0{sha256}\0{digest}".encode()
    return hashlib.sha256(content).hexdigest()[:_LENGTH]


def identity_of(path: Path) -> Identity:
    """Read a file once and say which one it is.

    Raises
    ------
    InputError
        Codes ``file_not_found`` and ``cannot_read``.
    """
    stated, secret = hashlib.sha256(), hashlib.blake2b(b"labels", digest_size=32)
    try:
        with path.open("rb") as file:
            while block := file.read(_BLOCK):
                stated.update(block)
                secret.update(block)
    except FileNotFoundError:
        raise InputError("file_not_found", file=path.name) from None
    except OSError as error:
        raise InputError(
            "cannot_read", file=path.name, reason=error.strerror or ""
        ) from None
    return Identity(stated.hexdigest(), secret.digest())
