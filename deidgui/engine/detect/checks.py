"""Check digits of identification numbers.

The number libraries are imported when they are first needed: they are large.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable

_SEPARATORS = re.compile(r"[\s./-]")
_VIN_VALUES = dict(
    zip("ABCDEFGHJKLMNPRSTUVWXYZ", "12345678123457923456789", strict=True)
)
_VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)


def compact(text: str) -> str:
    """Text without blanks, dots, slashes and hyphens, upper case."""
    return _SEPARATORS.sub("", text).upper()


def is_luhn(digits: str) -> bool:
    """Whether the last digit is the Luhn check digit of the others."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (1 + place % 2)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def is_iban(text: str) -> bool:
    """Whether an IBAN has the right country format and remainder 1 mod 97."""
    from stdnum import iban

    return bool(iban.is_valid(text))


def is_payment_card(text: str) -> bool:
    """Whether 13 to 19 digits have an issuer prefix and a Luhn digit."""
    digits = compact(text)
    return (
        digits.isdigit()
        and 13 <= len(digits) <= 19
        and (digits[0] in "45" or digits[:2] in ("22", "23", "24", "25", "26", "27",
             "30", "34", "35", "36", "37", "38", "62", "65") or digits[:4] == "6011")
        and is_luhn(digits)
    )  # fmt: skip


def is_routing_number(text: str) -> bool:
    """Whether nine digits are an ABA routing number (weights 3, 7, 1)."""
    from stdnum.us import rtn

    return bool(rtn.is_valid(text))


def is_nhs(text: str) -> bool:
    """Whether ten digits have the check digit of the British NHS."""
    from stdnum.gb import nhs

    return bool(nhs.is_valid(text))


def is_canadian_sin(text: str) -> bool:
    """Whether nine digits have the check digit of a Canadian insurance number."""
    from stdnum.ca import sin

    return bool(sin.is_valid(text))


def standard(module: str) -> Callable[[str], bool]:
    """Check of a national number, by its module in `stdnum` (``"pl.pesel"``)."""

    def check(text: str) -> bool:
        from importlib import import_module

        return bool(import_module(f"stdnum.{module}").is_valid(text))

    return check


def is_kvnr(text: str) -> bool:
    """Whether a letter and nine digits are a German health insurance number.

    The letter counts as the two digits of its place in the alphabet; digits are
    weighted 1, 2, 1, 2 … and their cross sums added.
    """
    digits = f"{ord(text[0]) - 64:02d}{text[1:9]}"
    total = 0
    for place, digit in enumerate(digits):
        value = int(digit) * (1 + place % 2)
        total += value - 9 if value > 9 else value
    return total % 10 == int(text[9])


def is_npi(text: str) -> bool:
    """Whether ten digits are a National Provider Identifier (Luhn on 80840…)."""
    digits = compact(text)
    return len(digits) == 10 and digits[0] in "12" and is_luhn("80840" + digits)


def is_dea(text: str) -> bool:
    """Whether two letters and seven digits are a DEA registration number."""
    code = compact(text)
    if len(code) != 9 or not code[2:].isdigit():
        return False
    d = [int(digit) for digit in code[2:]]
    return (d[0] + d[2] + d[4] + 2 * (d[1] + d[3] + d[5])) % 10 == d[6]


def is_vin(text: str) -> bool:
    """Whether 17 characters are a vehicle identification number (mod 11)."""
    code = text.upper()
    if len(code) != 17 or any(letter in "IOQ" for letter in code):
        return False
    values = (int(_VIN_VALUES.get(letter, letter)) for letter in code)
    rest = sum(v * w for v, w in zip(values, _VIN_WEIGHTS, strict=True)) % 11
    return code[8] == ("X" if rest == 10 else str(rest))


def is_imei(text: str) -> bool:
    """Whether 15 digits are a mobile device number (Luhn)."""
    digits = compact(text)
    return len(digits) == 15 and digits.isdigit() and is_luhn(digits)


def is_loinc(text: str) -> bool:
    """Whether a code such as 4548-4 has the LOINC check digit (Luhn)."""
    return is_luhn(text.replace("-", ""))


def is_ip_address(text: str) -> bool:
    """Whether a text is an IPv4 address of four octets or an IPv6 address."""
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def is_international_telephone(text: str) -> bool:
    """Whether a number with ``+`` is possible in its country's plan."""
    import phonenumbers

    try:
        return bool(phonenumbers.is_valid_number(phonenumbers.parse(text, None)))
    except phonenumbers.NumberParseException:
        return False
