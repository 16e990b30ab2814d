"""Makes tables of invented people as clinics, registries and insurers export them.

``LANGUAGE.txt`` names the columns of each extract as such systems name them, with the
role that a person gives them; `places.txt` and `words.txt` hold what people write in
them. All values are drawn at random.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np

from deidgui.engine.data.table import Column, Table
from tests.engine.detect.extracts import values

HERE = Path(__file__).parent
LANGUAGES = (
    "english", "german", "french", "spanish", "italian", "portuguese", "dutch",
    "polish", "nordic",
)  # fmt: skip
N_ROWS = 600
ROWS_PER_PERSON = 6


@dataclass(frozen=True)
class Extract:
    """One file: its columns with their judged roles and kinds of values.

    Parameters
    ----------
    columns : tuple of (str, str, str)
        Name, acceptable roles (D, Q, S, I; the first is the best), kind.
    """

    name: str
    language: str
    place: str
    has_events: bool
    columns: tuple[tuple[str, str, str], ...]
    group: str

    def table(self) -> Table:
        """Its table: the same on every run."""
        seed = zlib.crc32(self.name.encode())
        rng = np.random.default_rng(seed)
        n_people = N_ROWS // ROWS_PER_PERSON if self.has_events else N_ROWS
        who = np.sort(rng.integers(0, n_people, N_ROWS)) if self.has_events else None
        columns = []
        for name, _roles, kind in self.columns:
            of_person = kind in values.OF_PERSON and who is not None
            drawn = values.draw(kind, self, rng, n_people if of_person else N_ROWS, who)
            texts = [drawn[k] for k in who] if of_person else drawn
            columns.append(Column.from_texts(name, texts))
        return Table(self.name, tuple(columns))


@cache
def extracts() -> tuple[Extract, ...]:
    """Every extract."""
    return tuple(
        extract for language in LANGUAGES for extract in _read(f"{language}.txt")
    )


@cache
def public() -> tuple[Extract, ...]:
    """Tables of public programs and registries, found after the words were written.

    The language is that of the place; Czech, which no word list has, stands with
    English.
    """
    names = dict(zip(("en", "de", "fr", "es", "it", "pt", "nl", "pl"), LANGUAGES,
                     strict=False))  # fmt: skip
    return tuple(
        replace(each, group=names.get(each.language, "nordic"))
        for each in _read("public.txt")
    )


def tuning() -> tuple[Extract, ...]:
    """Every second file of each language, by a checksum of its name."""
    return tuple(each for each in extracts() if each not in held_back())


@cache
def held_back() -> frozenset[Extract]:
    """The other files: words and rules are never changed because of them."""
    found = []
    for language in {each.group for each in extracts()}:
        files = [each for each in extracts() if each.group == language]
        files.sort(key=lambda each: zlib.crc32(each.name.encode()))
        found += files[1::2]
    return frozenset(found)


def _read(file: str) -> list[Extract]:
    found = []
    for part in (HERE / file).read_text("utf-8").split("== ")[1:]:
        head, _, body = part.partition("\n")
        name, place, *flags = head.split()
        declared = re.split(r"[;\n]", body)
        columns = [_column(each.strip()) for each in declared if each.strip()]
        found.append(
            Extract(
                name, place[:2], place, "events" in flags, tuple(columns), file[:-4]
            )
        )
    return found


def _column(text: str) -> tuple[str, str, str]:
    head, name = text.split(": ", 1)
    roles, kind = head.split()
    return name.strip(), roles, kind
