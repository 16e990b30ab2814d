"""Recognises the encoding of a text and converts it to UTF-8."""

from __future__ import annotations

import codecs
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from deidgui.engine.data.source import Source
from deidgui.errors import ConfigError, InputError, Param
from deidgui.monitor import NULL_MONITOR, Monitor
from deidgui.text import Text, tr

ENCODINGS: dict[str, Text] = {
    "utf-8": "Unicode (UTF-8)",
    "cp1252": "Western European (Windows-1252)",
    "latin-1": "Western European (ISO 8859-1)",
    "iso8859-15": "Western European with € (ISO 8859-15)",
    "utf-16-le": "Unicode (UTF-16, little endian)",
    "utf-16-be": "Unicode (UTF-16, big endian)",
    "utf-32-le": "Unicode (UTF-32, little endian)",
    "utf-32-be": "Unicode (UTF-32, big endian)",
    "cp1250": "Central European (Windows-1250)",
    "iso8859-2": "Central European (ISO 8859-2)",
    "cp1251": "Cyrillic (Windows-1251)",
    "koi8-r": "Cyrillic (KOI8-R)",
    "cp1253": "Greek (Windows-1253)",
    "cp1254": "Turkish (Windows-1254)",
    "cp1255": "Hebrew (Windows-1255)",
    "cp1256": "Arabic (Windows-1256)",
    "cp1257": "Baltic (Windows-1257)",
    "cp437": "DOS, United States (437)",
    "cp850": "DOS, Western European (850)",
    "mac-roman": "Macintosh, Western European",
    "shift_jis": "Japanese (Shift JIS)",
    "euc-kr": "Korean (EUC-KR)",
    "gb18030": "Chinese (GB 18030)",
    "big5": "Chinese, traditional (Big5)",
}
"""Encodings that can be chosen, with their names for people."""

_ALIASES = {
    "utf8": "utf-8",
    "utf-8-sig": "utf-8",
    "ascii": "utf-8",
    "utf-16": "utf-16-le",
    "utf-32": "utf-32-le",
    "windows-1252": "cp1252",
    "latin1": "latin-1",
    "iso-8859-1": "latin-1",
    "iso8859-1": "latin-1",
    "iso-8859-15": "iso8859-15",
    "iso-8859-2": "iso8859-2",
}
# The longer mark first: the one of UTF-32 begins with the one of UTF-16.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_MARK = "\ufeff"
_UNDEFINED_CP1252 = np.array([0x81, 0x8D, 0x8F, 0x90, 0x9D])


@dataclass(frozen=True)
class EncodingEvidence:
    """One reason for a guess; `deidgui.app.text.reading` holds its sentence.

    Parameters
    ----------
    code : str
        Key of the sentence.
    params : tuple of (str, Param)
        Counts, shares and names; never a cell's value.
    """

    code: str
    params: tuple[tuple[str, Param], ...] = ()

    @classmethod
    def of(cls, code: str, **params: Param) -> EncodingEvidence:
        """Build from keyword arguments."""
        return cls(code, tuple(params.items()))


@dataclass(frozen=True)
class EncodingGuess:
    """The encoding proposed for a file.

    Parameters
    ----------
    encoding : str
        A key of `ENCODINGS`.
    alternatives : tuple of str
        Other encodings that can read the file, the likelier first; empty if the
        guess is certain.
    """

    encoding: str
    evidence: EncodingEvidence
    alternatives: tuple[str, ...] = ()


def canonical_encoding(name: str) -> str:
    """Return the key of `ENCODINGS` for a name that a user or project gives.

    Raises
    ------
    ConfigError
        Code ``encoding_unknown``.
    """
    key = name.strip().lower().replace("_", "-")
    key = _ALIASES.get(key, key)
    found = key if key in ENCODINGS else key.replace("-", "_")
    if found not in ENCODINGS:
        known = tuple(ENCODINGS)
        raise ConfigError("encoding_unknown", encoding=name[:40], known=known)
    return found


def guess_encoding(source: Source, *, monitor: Monitor = NULL_MONITOR) -> EncodingGuess:
    """Find the encoding of a file: its mark, else strict rules over all of it.

    A byte order mark decides. Text with NUL bytes in every second place is
    UTF-16. Text that is valid UTF-8 from the first to the last byte is UTF-8.
    Anything else is taken for Windows-1252, or for the code page of DOS if it
    has bytes that Windows-1252 leaves undefined; a person should compare
    `example_lines` then.

    Raises
    ------
    InputError, ResourceError
        As `Source.blocks`.
    """
    for mark, encoding in _MARKS:
        if source.head.startswith(mark):
            shown = tr(ENCODINGS[encoding])
            return EncodingGuess(
                encoding, EncodingEvidence.of("encoding_mark", encoding=shown)
            )
    if wide := _utf16_without_mark(source.head):
        shown = tr(ENCODINGS[wide])
        evidence = EncodingEvidence.of("encoding_nul_pattern", encoding=shown)
        return EncodingGuess(wide, evidence, ("utf-8",))
    histogram, valid = _survey(source, monitor)
    n_high = int(histogram[128:].sum())
    if n_high == 0:
        return EncodingGuess("utf-8", EncodingEvidence.of("encoding_ascii"))
    if valid:
        return EncodingGuess(
            "utf-8", EncodingEvidence.of("encoding_utf8_valid", n_bytes=n_high)
        )
    return _guess_code_page(histogram, n_high)


def _utf16_without_mark(head: bytes) -> str:
    sample = np.frombuffer(head[: 1 << 16], dtype=np.uint8)
    pairs = sample[: len(sample) // 2 * 2].reshape(-1, 2)
    if len(pairs) < 2:
        return ""
    even, odd = (pairs == 0).mean(axis=0)
    if odd > 0.4 and even < 0.05:
        return "utf-16-le"
    return "utf-16-be" if even > 0.4 and odd < 0.05 else ""


def _survey(source: Source, monitor: Monitor) -> tuple[np.ndarray, bool]:
    """Count the bytes above 127, and test strictly for UTF-8."""
    histogram = np.zeros(256, dtype=np.int64)
    decoder, valid, done = codecs.getincrementaldecoder("utf-8")(), True, 0
    for block in source.blocks():
        if not block.isascii():
            data = np.frombuffer(block, dtype=np.uint8)
            histogram += np.bincount(data[data > 127], minlength=256)
        try:
            if valid and not (block.isascii() and decoder.getstate()[0] == b""):
                decoder.decode(block)
        except UnicodeDecodeError:
            valid = False
        done += len(block)
        monitor.report(min(done / source.n_content_bytes, 1.0), "encoding")
    try:
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        valid = False
    return histogram, valid


def _guess_code_page(histogram: np.ndarray, n_high: int) -> EncodingGuess:
    if histogram[_UNDEFINED_CP1252].sum() == 0:
        return EncodingGuess(
            "cp1252",
            EncodingEvidence.of("encoding_not_utf8", n_bytes=n_high),
            ("latin-1", "iso8859-15", "cp850", "cp437", "cp1250", "mac-roman"),
        )
    # DOS writes its letters with accents at 0x80 to 0xA5, Windows from 0xC0 on.
    from_dos = histogram[0x80:0xA6].sum() > histogram[0xC0:].sum()
    encoding = "cp850" if from_dos else "latin-1"
    others = ("cp437", "latin-1", "mac-roman") if from_dos else ("cp850", "mac-roman")
    n_undefined = int(histogram[_UNDEFINED_CP1252].sum())
    evidence = EncodingEvidence.of("encoding_not_cp1252", n_bytes=n_undefined)
    return EncodingGuess(encoding, evidence, others)


def utf8_blocks(source: Source, encoding: str) -> Iterator[bytes]:
    """Content of a file as UTF-8, in blocks that end between two characters.

    Byte order marks at the beginning are left out (some programs write two).

    Parameters
    ----------
    encoding : str
        A key of `ENCODINGS`.

    Yields
    ------
    bytes
        Not longer than some megabytes; may be empty.

    Raises
    ------
    InputError
        Code ``encoding_fails`` with the line (and the position on it) that is
        not in this encoding; or as `Source.blocks`.
    ResourceError
        As `Source.blocks`.
    """
    decoder = codecs.getincrementaldecoder(encoding)()
    first = True
    try:
        for block in source.blocks():
            text = decoder.decode(block)
            if first:
                text = text.lstrip(_MARK)
                first = not text
            yield text.encode()
        yield decoder.decode(b"", final=True).encode()
    except UnicodeDecodeError:
        raise _encoding_fails(source, encoding) from None


def utf8_head(source: Source, encoding: str) -> tuple[str, bool]:
    """First characters of a text, and whether they are all of it.

    Parameters
    ----------
    encoding : str
        A key of `ENCODINGS`; what it cannot read becomes a replacement sign.

    Returns
    -------
    text : str
    whole : bool
    """
    whole = len(source.head) == source.n_content_bytes
    decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
    return decoder.decode(source.head, final=whole).lstrip(_MARK), whole


def _encoding_fails(source: Source, encoding: str) -> InputError:
    """Find the line on which the encoding fails (the slow way, once)."""
    decoder = codecs.getincrementaldecoder(encoding)()
    line, place = 1, 0
    for block in [*source.blocks(), b""]:
        try:
            text, failed = decoder.decode(block, final=block == b""), False
        except UnicodeDecodeError as error:
            text, failed = error.object[: error.start].decode(encoding), True
        breaks = text.replace("\r\n", "\n").replace("\r", "\n")
        line += breaks.count("\n")
        place = len(breaks) - breaks.rfind("\n") - 1 + (0 if "\n" in breaks else place)
        if failed:
            break
    return InputError(
        "encoding_fails",
        file=source.name,
        line=line,
        place=place + 1,
        encoding=tr(ENCODINGS[encoding]),
    )


def example_lines(
    source: Source, encodings: Sequence[str], *, limit: int = 5, width: int = 120
) -> dict[str, list[str]]:
    """Lines with letters beyond ASCII as each encoding reads them, to compare.

    Parameters
    ----------
    encodings : sequence of str
        Keys of `ENCODINGS` in which a line end is the byte 10.
    limit : int
        Most lines.
    width : int
        Longer lines are cut around their first such letter.

    Returns
    -------
    dict of str to list of str
        For the person who owns the data only: these are values.

    Raises
    ------
    InputError, ResourceError
        As `Source.blocks`.
    """
    found: list[bytes] = []
    for block in source.blocks():
        if block.isascii():
            continue
        for line in block.replace(b"\r", b"\n").split(b"\n"):
            if not line.isascii():
                high = next(at for at, byte in enumerate(line) if byte > 127)
                low = max(0, high - width // 2)
                found.append(line[low : low + width])
            if len(found) == limit:
                break
        if len(found) == limit:
            break
    return {
        encoding: [line.decode(encoding, errors="replace") for line in found]
        for encoding in encodings
    }
