# ruff: noqa: E501
"""Invented values of every kind, as people write them in each country."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from stdnum import iban as stdnum_iban
from stdnum.be import nn as be_nn
from stdnum.br import cpf
from stdnum.ch import ssn as ahv
from stdnum.cl import rut
from stdnum.es import dni
from stdnum.fi import hetu
from stdnum.fr import nir
from stdnum.gb import nhs
from stdnum.it import codicefiscale
from stdnum.nl import bsn
from stdnum.no import fodselsnummer
from stdnum.pl import pesel
from stdnum.pt import nif

HERE = Path(__file__).parent
EPOCH = np.datetime64("1970-01-01")


@cache
def _words() -> dict[tuple[str, str], list[list[str]]]:
    found = {}
    for line in (HERE / "words.txt").read_text("utf-8").splitlines():
        if line.startswith("#"):
            continue
        head, _, choices = line.partition(": ")
        kind, language = head.split()
        found[kind, language] = [
            [w.strip() for w in (each.split(";") if ";" in each else each.split())]
            for each in choices.split("|")
        ]
    return found


@cache
def _places() -> dict[str, list[list[str]]]:
    found = {}
    for line in (HERE / "places.txt").read_text("utf-8").splitlines():
        if line.startswith("#"):
            continue
        place, *parts = (part.strip() for part in line.split("|"))
        found[place] = [
            [w.strip() for w in (part.split(";") if ";" in part else part.split())]
            for part in parts
        ]
    return found


class _Draw:
    """Draws values for one column."""

    def __init__(self, extract: Any, rng: np.random.Generator, n: int) -> None:
        self.extract, self.rng, self.n = extract, rng, n
        place = extract.place
        known = _places()
        self.place = known.get(place) or known.get(extract.language) or known["en-us"]

    def words(self, kind: str) -> list[str]:
        known = _words()
        sets = known.get((kind, self.extract.language)) or known[kind, "en"]
        # The same notation in every column of a kind within a file.
        pick = sum(map(ord, self.extract.name + kind)) % len(sets)
        return self.pick(sets[pick], skew=True)

    def pick(self, choices: list[str], skew: bool = False) -> list[str]:
        p = None
        if skew and len(choices) > 1:
            p = 1.0 / np.arange(1, len(choices) + 1)
            p /= p.sum()
        return [choices[k] for k in self.rng.choice(len(choices), self.n, p=p)]

    def ints(self, low: int, high: int) -> list[int]:
        return [int(k) for k in self.rng.integers(low, high, self.n)]

    def digits(self, length: int) -> list[str]:
        low = 10 ** (length - 1)
        return [str(k) for k in self.ints(low, 10 * low)]

    def first(self) -> list[str]:
        return self.pick(self.place[0])

    def last(self) -> list[str]:
        """Half from a list, half made of syllables that no list has."""
        ends = ("sen", "mann", "ova", "ini", "aud", "ez", "stra", "ski", "well", "by")
        starts = ("Bre", "Kol", "Van", "Tor", "Mar", "Sel", "Dro", "Hal", "Gri", "Ves")
        mids = ("ka", "le", "no", "ti", "ru", "da", "be", "")
        made = [
            s + m + e
            for s, m, e in zip(
                self.pick(list(starts)), self.pick(list(mids)), self.pick(list(ends)),
                strict=True,
            )
        ]  # fmt: skip
        listed = self.pick(self.place[1])
        return [
            a if k else b for a, b, k in zip(listed, made, self.ints(0, 2), strict=True)
        ]

    def days(self, low: str, high: str) -> list[np.datetime64]:
        span = int((np.datetime64(high) - np.datetime64(low)).astype(int))
        return [np.datetime64(low) + k for k in self.ints(0, span)]

    def date(self, low: str = "2018-01-01", high: str = "2023-12-31") -> list[str]:
        pattern = {
            "en-us": "{m:02d}/{d:02d}/{y}", "en-gb": "{d:02d}/{m:02d}/{y}",
            "de": "{d:02d}.{m:02d}.{y}", "fr": "{d:02d}/{m:02d}/{y}",
            "es": "{d:02d}/{m:02d}/{y}", "it": "{d:02d}/{m:02d}/{y}",
            "pt": "{d:02d}/{m:02d}/{y}", "nl": "{d:02d}-{m:02d}-{y}",
            "pl": "{y}-{m:02d}-{d:02d}", "da": "{d:02d}-{m:02d}-{y}",
            "no": "{d:02d}.{m:02d}.{y}", "fi": "{d}.{m}.{y}",
        }.get(self.extract.place, "{y}-{m:02d}-{d:02d}")  # fmt: skip
        return [_formatted(pattern, day) for day in self.days(low, high)]

    def number(self, values: Any) -> list[str]:
        comma = not self.extract.language.startswith("en")
        texts = [f"{v:.1f}" for v in values]
        return [t.replace(".", ",") for t in texts] if comma else texts


def _formatted(pattern: str, day: np.datetime64) -> str:
    y, m, d = str(day).split("-")
    return pattern.format(y=y, m=int(m), d=int(d))


def _joined(*parts: list[str], sep: str = " ") -> list[str]:
    return [sep.join(each) for each in zip(*parts, strict=True)]


def _codes(letters: str, length: int) -> Callable[[_Draw], list[str]]:
    def make(d: _Draw) -> list[str]:
        return [letters + k for k in d.digits(length)]

    return make


def _small(most: int) -> Callable[[_Draw], list[str]]:
    def make(d: _Draw) -> list[str]:
        p = 1.0 / np.arange(1, most + 1)
        return [str(k + 1) for k in d.rng.choice(most, d.n, p=p / p.sum())]

    return make


def _phone(d: _Draw) -> list[str]:
    patterns = {
        "en-us": "(615) 555-####|615-555-####", "en-gb": "07700 900###|01632 960###",
        "de": "0151 ########|0228/######|+49 30 #######", "fr": "06 ## ## ## ##|01########",
        "es": "6########|91# ### ###", "it": "3## #######|06 #######",
        "pt": "9########|21# ### ###", "nl": "06-########|020-#######",
        "pl": "6## ### ###|22 ### ## ##", "sv": "070-### ## ##|08-### ## ##",
        "no": "9## ## ###|22 ## ## ##", "da": "2# ## ## ##|33######",
        "fi": "040 #######|09 ######",
    }  # fmt: skip
    key = d.extract.place if d.extract.place in patterns else d.extract.language
    pattern = patterns.get(key, patterns["en-us"]).split("|")
    pattern = pattern[sum(map(ord, d.extract.name)) % len(pattern)]
    return [
        "".join(str(d.rng.integers(0, 10)) if c == "#" else c for c in pattern)
        for _ in range(d.n)
    ]


def _postcode(d: _Draw) -> list[str]:
    place, language = d.extract.place, d.extract.language
    if place == "en-gb":
        areas = d.pick(["LS1", "HG2", "SN1", "TR1", "LL57", "BN3"])
        return [f"{a} {k}{x}" for a, k, x in zip(
            areas, d.ints(1, 9), d.pick(["AB", "QT", "EJ", "XD", "PW"]), strict=True)]  # fmt: skip
    if place == "en-ca":
        return _postcode_ca(d)
    formats = {
        "de": lambda k: f"{k:05d}", "fr": lambda k: f"{k:05d}", "es": lambda k: f"{k % 52000:05d}",
        "it": lambda k: f"{k:05d}", "fi": lambda k: f"{k:05d}", "pl": lambda k: f"{k // 1000:02d}-{k % 1000:03d}",
        "sv": lambda k: f"{k // 100:03d} {k % 100:02d}", "pt": lambda k: f"{1000 + k % 8000}-{k % 1000:03d}",
        "nl": lambda k: f"{1000 + k % 8999} AB",
    }  # fmt: skip
    base = d.ints(1000, 98000)
    if d.extract.name.startswith(("ch_", "at_", "be_")):
        return [str(1000 + k % 8000) for k in base]
    if language == "en":
        return d.pick(["37203", "37212", "37027", "37067", "38103", "37902", "30303"])
    towns = d.pick([str(k) for k in base[:40]])
    return [formats.get(language, formats["de"])(int(k)) for k in towns]


def _postcode_ca(d: _Draw) -> list[str]:
    return [f"H{a}{b} {c}{e}{f}" for a, b, c, e, f in zip(
        d.ints(1, 9), d.pick(list("ABCEGHK")), d.ints(1, 9), d.pick(list("ABCEGHK")),
        d.ints(1, 9), strict=True)]  # fmt: skip


def _street(d: _Draw) -> list[str]:
    numbers = [str(k) for k in d.ints(1, 250)]
    streets = d.pick(d.place[3])
    if d.extract.language in ("en", "fr"):
        return _joined(numbers, streets)
    sep = ", " if d.extract.language in ("es", "it", "pt") else " "
    return _joined(streets, numbers, sep=sep)


def _sexcode(d: _Draw) -> list[str]:
    return d.pick(["1", "2"] if len(d.extract.name) % 2 else ["1", "2", "9"])


def _sex(d: _Draw) -> list[str]:
    return d.words("sex")


def _repeated(
    make: Callable[[_Draw], list[str]], most: int
) -> Callable[[_Draw], list[str]]:
    """Few of many: staff, facilities."""

    def drawn(d: _Draw) -> list[str]:
        some = list(dict.fromkeys(make(d)))[:most]
        return d.pick(some)

    return drawn


def _unique(length: int, prefix: str = "") -> Callable[[_Draw], list[str]]:
    def make(d: _Draw) -> list[str]:
        low = 10 ** (length - 1)
        chosen = (
            d.rng.choice(9 * low, d.n, replace=False)
            if length < 8
            else d.rng.integers(0, 9 * low, d.n)
        )
        return [f"{prefix}{low + int(k)}" for k in chosen]

    return make


def _checked(length: int, check: Callable[[str], str]) -> Callable[[_Draw], list[str]]:
    def make(d: _Draw) -> list[str]:
        found = []
        while len(found) < d.n:
            body = str(d.rng.integers(10 ** (length - 1), 10**length))
            digit = check(body)
            if digit.isalnum():
                found.append(body + digit)
        return found

    return make


def _valid(
    pattern: Callable[[_Draw], str], module: Any
) -> Callable[[_Draw], list[str]]:
    """Draw until the check digits are right."""

    def make(d: _Draw) -> list[str]:
        found: list[str] = []
        for _ in range(200_000):
            text = pattern(d)
            if module.is_valid(text):
                found.append(text)
            if len(found) == min(d.n, 250):
                break
        return d.pick(found) if found else d.digits(10)

    return make


def _ymd(d: _Draw) -> str:
    return str(np.datetime64("1930-01-01") + int(d.rng.integers(0, 25_000)))


def _ddmmyy(d: _Draw) -> str:
    y, m, day = _ymd(d).split("-")
    return day + m + y[2:]


def _num(d: _Draw, length: int) -> str:
    return "".join(str(k) for k in d.rng.integers(0, 10, length))


def _pesel(d: _Draw) -> str:
    y, m, day = _ymd(d).split("-")
    body = y[2:] + f"{int(m) + (20 if y >= '2000' else 0):02d}" + day + _num(d, 4)
    return body + pesel.calc_check_digit(body)


def _cf(d: _Draw) -> str:
    letters = "BCDFGLMNPRSTV"
    name = "".join(letters[k] for k in d.rng.integers(0, len(letters), 6))
    body = f"{name}{d.rng.integers(30, 99)}{'ABCDEHLMPRST'[d.rng.integers(12)]}{d.rng.integers(1, 29):02d}H501"
    return body + codicefiscale.calc_check_digit(body)


def _nir(d: _Draw) -> str:
    body = f"{d.rng.integers(1, 3)}{d.rng.integers(30, 99)}{d.rng.integers(1, 13):02d}{d.rng.integers(10, 95)}{d.rng.integers(1, 400):03d}{d.rng.integers(1, 400):03d}"
    return body + nir.calc_check_digits(body)


def _fnr(d: _Draw) -> str:
    while True:
        body = _ddmmyy(d) + f"{d.rng.integers(0, 500):03d}"
        one = fodselsnummer.calc_check_digit1(body)
        two = fodselsnummer.calc_check_digit2(body + one)
        if one.isdigit() and two.isdigit():
            return body + one + two


def _hetu(d: _Draw) -> str:
    body, serial = _ddmmyy(d), f"{d.rng.integers(2, 899):03d}"
    return f"{body}-{serial}{hetu._calc_checksum(body + serial)}"


def _pnr(d: _Draw) -> str:
    from stdnum import luhn

    body = _ymd(d).replace("-", "")[2:] + _num(d, 3)
    return f"{body[:6]}-{body[6:]}{luhn.calc_check_digit(body)}"


def _each(make: Callable[[_Draw], str]) -> Callable[[_Draw], list[str]]:
    return lambda d: [make(d) for _ in range(d.n)]


def _national(d: _Draw) -> list[str]:
    if d.extract.place == "en-gb":
        return KINDS["nhs"](d)
    return [f"{a}-{b:02d}-{c}" for a, b, c in zip(
        d.ints(100, 665), d.ints(10, 99), d.ints(1000, 9999), strict=True)]  # fmt: skip


def _note(d: _Draw) -> list[str]:
    bits = ("patient seen", "pain since days", "called", "stable now", "wife present",
            "discussed plan", "no fever", "will return", "medication changed")  # fmt: skip
    return [
        ". ".join(bits[k] for k in d.rng.integers(0, len(bits), d.rng.integers(5, 11)))
        + f" {last} {d.rng.integers(1, 999)}"
        for last in d.last()
    ]


def _phone_note(d: _Draw) -> list[str]:
    numbers, names = _phone(d), d.last()
    return [
        f"called Dr. {name} at {number}" if k else ""
        for name, number, k in zip(names, numbers, d.ints(0, 4), strict=True)
    ]


def _icd10(d: _Draw) -> list[str]:
    codes = ["I10", "E11.9", "J44.1", "N18.3", "F32.9", "C50.9", "S72.0", "K21.9",
             "M54.5", "O80", "Z51.1", "I50.1", "A09", "G40.2", "H25.1", "L40.0"]  # fmt: skip
    return d.pick(codes, skew=True)


def _age(d: _Draw) -> list[str]:
    return [str(min(99, max(0, int(k)))) for k in d.rng.normal(52, 22, d.n)]


KINDS: dict[str, Callable[[_Draw], list[str]]] = {
    "first": _Draw.first,
    "last": _Draw.last,
    "full_name": lambda d: _joined(d.first(), d.last()),
    "full_rev": lambda d: _joined(d.last(), d.first(), sep=", "),
    "full_caret": lambda d: [t.upper() for t in _joined(d.last(), d.first(), sep="^")],
    "initial": lambda d: d.pick(list("ABCDEFGHJKLMNPRSTW")),
    "initial2": lambda d: _joined(d.pick(list("ABCDEFGHJKL")), d.pick(list("MNPRSTW")), sep=""),
    "initials": lambda d: [f"{a}.{b}." for a, b in zip(d.pick(list("ABCDEFGH")), d.pick(list("JKLMNPRS")), strict=True)],
    "tussen": lambda d: d.pick(["", "", "van", "de", "van der", "ten"]),
    "title": lambda d: d.words("title"),
    "phone": _phone,
    "email": lambda d: [f"{a}.{b}{k}@example.org".lower() for a, b, k in zip(d.first(), d.last(), d.ints(1, 99), strict=True)],
    "street": _street,
    "housenr": lambda d: [str(k) for k in d.ints(1, 200)],
    "city": lambda d: d.pick(d.place[2]),
    "bairro": lambda d: d.pick(["Centro", "Jardim América", "Boa Vista", "Vila Nova"]),
    "region": lambda d: d.pick(d.place[4]),
    "occup": lambda d: d.pick(d.place[5]),
    "employer": lambda d: [f"{name} {end}" for name, end in zip(d.last(), d.pick(["Ltd", "GmbH", "Inc", "& Co", "SA"]), strict=True)],
    "postcode": _postcode, "postcode_ca": _postcode_ca,
    "postcode_nl": _postcode, "postcode_pl": _postcode, "postcode_se": _postcode, "postcode_pt": _postcode,
    "postcode4": lambda d: d.pick([f"{k:04d}" for k in range(1000, 9900, 211)]),
    "cep": lambda d: d.pick([f"{k:08d}" for k in range(1310100, 88000000, 1734567)]),
    "cityzip": lambda d: d.pick(["TN\\Nashville\\37203\\", "TN\\Franklin\\37067\\", "KY\\Bowling Green\\42101\\"]),
    "county": lambda d: d.pick(["Davidson", "Williamson", "Shelby", "Knox", "Rutherford"]),
    "countycode": lambda d: d.pick(["037", "187", "157", "093", "149"]),
    "tract": lambda d: [f"{k:06d}" for k in d.ints(10100, 19900)],
    "lsoa": lambda d: [f"E0{k}" for k in d.ints(1000000, 1000400)],
    "gemeinde": lambda d: d.pick([f"{k:08d}" for k in range(5111000, 9999999, 123456)]),
    "ibge": lambda d: d.pick([str(k) for k in range(310620, 355030, 1234)]),
    "codigo5": lambda d: d.pick([f"{k:05d}" for k in range(1001, 52001, 1777)]),
    "istat": lambda d: d.pick([f"{k:06d}" for k in range(1001, 110001, 3777)]),
    "knr": lambda d: d.pick([f"{k:04d}" for k in (301, 1103, 4601, 5001, 1804, 3005, 5401)]),
    "kom_dk": lambda d: d.pick(["101", "147", "461", "751", "851", "561"]),
    "kommun": lambda d: d.pick(["0180", "1480", "1280", "0380", "2480"]),
    "kunta": lambda d: d.pick(["091", "564", "837", "297", "179"]),
    "lan": lambda d: d.pick(["01", "12", "14", "24", "25", "03"]),
    "gmina": lambda d: d.pick(["1465011", "0264011", "3064011", "1261011"]),
    "gemeente": lambda d: d.pick(d.place[2]),
    "dep": lambda d: d.pick(["75", "13", "69", "2A", "33", "59", "35"]),
    "ccaa": lambda d: d.pick([f"{k:02d}" for k in range(1, 18)]),
    "reg2": lambda d: d.pick(["010", "030", "080", "120", "150"]),
    "usl": lambda d: d.pick(["101", "202", "205", "321", "108"]),
    "prov": lambda d: d.pick(["MI", "TO", "PN", "SI", "BA", "CN"]),
    "canton": lambda d: d.pick(["ZH", "BE", "VD", "AG", "TI", "GE"]),
    "provca": lambda d: d.pick(["ON", "QC", "BC", "AB", "NS"]),
    "statecode": lambda d: d.pick([str(k) for k in (47, 21, 13, 1, 28, 37, 48)]),
    "country": lambda d: d.words("country"),
    "sex": _sex, "sexword": _sex, "sexcode": _sexcode, "sexbr": lambda d: d.pick(["1", "3"]) if "aih" in d.extract.name else d.pick(["M", "F", "I"]),
    "race": lambda d: d.words("race"), "ethnic": lambda d: d.words("ethnic"),
    "eth": lambda d: d.pick(["White British", "Indian", "Pakistani", "Black Caribbean", "Mixed", "Maori"]),
    "eth1": lambda d: d.pick(list("ABCDGHJKLMNZ")),
    "racecode": lambda d: d.pick(["1", "2", "3", "4", "9"], skew=True),
    "marital": lambda d: d.words("marital"), "marstatcode": lambda d: d.pick(list("123456")),
    "religion": lambda d: d.words("religion"), "edu": lambda d: d.words("edu"),
    "lang": lambda d: d.words("lang"), "rel": lambda d: d.words("relationship"),
    "birth": lambda d: d.date("1930-01-01", "2015-12-31"),
    "birth8": lambda d: [s.replace("-", "") for s in map(str, d.days("1930-01-01", "2015-12-31"))],
    "yearmonth": lambda d: [str(s)[:7].replace("-", "") for s in d.days("1930-01-01", "2015-12-31")],
    "date": _Draw.date,
    "datetime": lambda d: [f"{a} {h:02d}:{m:02d}" for a, h, m in zip(d.date(), d.ints(0, 24), d.ints(0, 60), strict=True)],
    "datetime12": lambda d: [f"{str(a).replace('-', '')}{h:02d}{m:02d}" for a, h, m in zip(d.days("2018-01-01", "2020-01-01"), d.ints(0, 24), d.ints(0, 60), strict=True)],
    "time": lambda d: [f"{h:02d}:{m:02d}" for h, m in zip(d.ints(0, 24), d.ints(0, 60), strict=True)],
    "time6": lambda d: [f"{h:02d}{m:02d}{s:02d}" for h, m, s in zip(d.ints(0, 24), d.ints(0, 60), d.ints(0, 60), strict=True)],
    "hour": lambda d: [str(k) for k in d.ints(0, 24)],
    "year": lambda d: [str(k) for k in d.ints(1935, 2005)],
    "month": lambda d: [str(k) for k in d.ints(1, 13)],
    "day": lambda d: [str(k) for k in d.ints(1, 32)],
    "weekday": lambda d: d.words("weekday"),
    "age": _age, "edad": _age, "ageY": lambda d: [f"{int(k):03d}Y" for k in _age(d)],
    "gest": lambda d: ["" if k else str(v) for k, v in zip(d.ints(0, 5), d.ints(26, 43), strict=True)],
    "mrn": _unique(7), "event": _unique(8), "code8": _unique(8), "code9": _repeated(_unique(9), 40),
    "code9u": _unique(9), "code10": _unique(10), "code12": _unique(12), "code13": _unique(13), "code17": _unique(17), "code20": _unique(17, "803"),
    "group": _repeated(_unique(6), 60), "mbr": _unique(9, "W"), "uid": lambda d: [f"1.2.840.113619.2.{k}.{j}" for k, j in zip(d.digits(6), d.digits(9), strict=True)],
    "uuid": lambda d: [str(uuid.UUID(bytes=d.rng.bytes(16))) for _ in range(d.n)],
    "lopnr": lambda d: [str(k) for k in d.rng.permutation(np.arange(1, d.n + 1))],
    "nhs": _valid(lambda d: "4" + _num(d, 9), nhs),
    "national": _national,
    "nhi": lambda d: [f"Z{a}{b}{k}" for a, b, k in zip(d.pick(list("ABCDEFGH")), d.pick(list("JKLMNPQR")), d.digits(4), strict=True)],
    "kvnr": lambda d: [f"{a}{k}" for a, k in zip(d.pick(list("ABCDEFGHKMNPSTX")), d.digits(9), strict=True)],
    "ahv": _valid(lambda d: "756" + _num(d, 10), ahv),
    "nir": _each(_nir), "dni": lambda d: [k + dni.calc_check_digit(k) for k in d.digits(8)], "dni8": _unique(8),
    "curp": _each(lambda d: f"GO{'XABE'[d.rng.integers(4)]}M{_ymd(d).replace('-', '')[2:]}{'HM'[d.rng.integers(2)]}DFRRL0{d.rng.integers(10)}"),
    "rut": lambda d: [f"{k}-{rut.calc_check_digit(k)}" for k in d.digits(8)],
    "cf": _each(_cf), "cpf": lambda d: [k + cpf._calc_check_digits(k) for k in d.digits(9)],
    "cns": _unique(15), "nif": lambda d: _checked(8, nif.calc_check_digit)(d), "sns": _unique(9),
    "bsn": _valid(lambda d: _num(d, 9), bsn), "national_be": _valid(lambda d: _ymd(d).replace("-", "")[2:] + _num(d, 5), be_nn),
    "pesel": _each(_pesel), "pnr_se": _each(_pnr), "fnr": _each(_fnr),
    "cpr": _each(lambda d: f"{_ddmmyy(d)}-{_num(d, 4)}"), "hetu": _each(_hetu),
    "ramq": _each(lambda d: f"TREM{_ymd(d).replace('-', '')[2:]}{_num(d, 2)}"),
    "iban": _each(lambda d: (lambda b: "DE" + stdnum_iban.calc_check_digits("DE00" + b) + b)(_num(d, 18))),
    "npi": _repeated(_unique(10), 60), "taxid": _repeated(lambda d: [f"{a}-{b}" for a, b in zip(d.digits(2), d.digits(7), strict=True)], 40),
    "vin": _each(lambda d: "1HG" + "".join("ABCDEFGHJKLMNPRSTUVWXYZ0123456789"[k] for k in d.rng.integers(0, 33, 14))),
    "plate": lambda d: [f"{a}{b}{k} {c}" for a, b, k, c in zip(d.pick(list("ABCDEF")), d.pick(list("GHKLM")), d.digits(2), d.pick(["XYZ", "KLM", "PQR"]), strict=True)],
    "lat": lambda d: [f"{k:.5f}" for k in d.rng.uniform(35, 37, d.n)], "lon": lambda d: [f"{k:.5f}" for k in d.rng.uniform(-90, -82, d.n)],
    "doctor": _repeated(lambda d: [f"Dr. {x}" if len(d.extract.name) % 2 else x for x in d.last()], 25),
    "doctorcode": _repeated(_codes("C", 7), 40), "staff": _repeated(_unique(5), 30),
    "hospital": lambda d: d.pick(["St. Mary Hospital", "County General", "University Clinic"]),
    "facility": _repeated(_codes("H", 4), 8), "ward": lambda d: d.words("ward"), "wardcode": _repeated(_codes("", 4), 12),
    "bed": lambda d: [f"{a}/{b}" for a, b in zip(d.ints(1, 40), d.ints(1, 4), strict=True)],
    "insurer": lambda d: d.words("insurer"), "payer": lambda d: d.words("insurer"),
    "icd": _icd10, "icddk": lambda d: ["D" + c.replace(".", "") for c in _icd10(d)],
    "icd9": lambda d: d.pick(["25000", "4019", "V3000", "486", "41401", "42731"]), "icd9p": lambda d: d.pick(["9390", "8154", "3722", "4523"]),
    "icdo": lambda d: d.pick(["C50.4", "C61.9", "C34.1", "C18.7", "8500/3"]), "opcs": lambda d: d.pick(["W38.1", "H22.9", "K45.3", "X40.3"]),
    "ops": lambda d: d.pick(["5-820.00", "8-930", "1-632.0", "9-401.22"]), "chop": lambda d: d.pick(["81.51", "45.23", "88.72"]), "mel": lambda d: d.pick(["NE010", "ZN360", "QZ010"]),
    "cie": lambda d: d.pick(["0SR9019", "4A023N7", "B2111ZZ"]), "grd": _small(9), "drg": lambda d: d.pick(["127", "014", "209", "391"]),
    "ghm": lambda d: d.pick(["05M092", "08C471", "14Z14A", "28Z04Z"]), "cbv": lambda d: d.pick(["333139", "190205", "080021"]), "kva": lambda d: d.pick(["NFB30", "JKA20", "DR029", "AA1AE"]),
    "sigtap": lambda d: d.pick(["0301060010", "0411010034", "0303140151"]), "cbo": lambda d: d.pick(["622020", "715210", "512105", "999992"]),
    "cpt": lambda d: d.pick(["99213", "99285", "36415", "71046"]), "ndc": lambda d: d.pick(["00093-7214-01", "68180-0980-03"]), "atc": lambda d: d.pick(["C07AB07", "A10BA02", "N02BE01"]),
    "loinc": lambda d: d.pick(["2951-2", "2823-3", "718-7", "2345-7"]), "testname": lambda d: d.words("test"),
    "lab": lambda d: d.number(d.rng.gamma(8, 2, d.n)), "dec": lambda d: d.number(d.rng.gamma(4, 1.5, d.n)), "bp": lambda d: [f"{a}/{b}" for a, b in zip(d.ints(90, 180), d.ints(50, 110), strict=True)],
    "unit": lambda d: d.pick(["mmol/L", "g/dL", "U/L", "%"]), "itemcode": lambda d: d.pick(["220045", "220210", "223761", "50912"]),
    "money": lambda d: d.number(d.rng.lognormal(7, 1, d.n)), "weight": lambda d: [f"{k:.4f}" for k in d.rng.lognormal(6, 0.6, d.n)],
    "body": lambda d: [str(k) for k in d.ints(48, 190)], "los": lambda d: [str(int(k)) for k in d.rng.geometric(0.2, d.n)],
    "smallint": _small(14), "smallcode": _small(6), "decile": _small(10), "flag": lambda d: d.pick([["0", "1"], ["J", "N"], ["1", "2"], ["S", "N"]][sum(map(ord, d.extract.name)) % 4] if d.extract.language != "en" else ["0", "1"]),
    "dispo": lambda d: d.words("dispo"), "dispocode": _small(5), "smoking": lambda d: d.pick(["never", "former", "current"]),
    "diagtext": lambda d: d.words("diag"), "drug": lambda d: d.words("drug"), "allergy": lambda d: d.pick(["", "Penicillin", "Latex", "Pollen"]),
    "vacc": lambda d: d.pick(["MMR", "DTaP", "Influenza", "HPV"]), "note": _note, "phone_note": _phone_note, "modality": lambda d: d.pick(["CT", "MR", "US", "DX"]), "bodypart": lambda d: d.pick(["CHEST", "HEAD", "ABDOMEN"]),
    "code2": lambda d: d.pick([f"{k:02d}" for k in range(1, 17)]), "code3": lambda d: d.pick([f"{k:03d}" for k in range(11, 990, 37)]), "code4": lambda d: d.pick([str(k) for k in range(1001, 9000, 311)]),
    "code5": lambda d: d.pick([f"A8{k:04d}"[1:] for k in range(1001, 3000, 97)]), "code7": lambda d: d.pick([str(k) for k in range(2077485, 2099999, 777)]),
}  # fmt: skip
"""How a column of each kind is drawn."""

OF_PERSON = frozenset((
    "mrn", "birth", "birth8", "sex", "sexword", "sexcode", "race", "racecode", "eth", "eth1",
    "first", "last", "full_name", "full_rev", "full_caret", "postcode", "postcode_nl", "lopnr",
    "national", "national_be", "code17", "mbr", "cpr", "hetu", "year", "dep", "kommun", "kunta",
    "kom_dk", "lan", "religion", "marital", "country", "knr", "city", "gemeente", "yearmonth",
))  # fmt: skip
"""Kinds that stay the same in all rows of a person."""

MISSING = 0.06


def draw(
    kind: str, extract: Any, rng: np.random.Generator, n: int, who: Any
) -> list[str]:
    """Texts of one column, a few of them missing."""
    texts = KINDS[kind](_Draw(extract, rng, n))
    if kind in ("mrn", "event", "flag") or rng.random() < 0.5:
        return texts
    return ["" if rng.random() < MISSING else text for text in texts]
