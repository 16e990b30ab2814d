"""Check digits: oracle O-G3, and that one wrong digit is noticed."""

import pytest

from deidgui.engine.detect import checks
from deidgui.engine.detect.detectors.numbers import _is_ssn


@pytest.mark.parametrize(
    ("check", "text"),
    [
        (checks.is_iban, "GB82 WEST 1234 5698 7654 32"),
        (checks.is_npi, "1234567893"),
        (checks.is_payment_card, "4111 1111 1111 1111"),
        (checks.is_vin, "1M8GDM9AXKP042788"),
        (checks.is_dea, "AB1234563"),
        (checks.is_nhs, "943 476 5919"),
        (checks.is_canadian_sin, "123 456 782"),
        (checks.is_imei, "490154203237518"),
        (checks.is_loinc, "4548-4"),
        (checks.is_routing_number, "111000025"),
    ],
)
def test_valid_numbers_and_their_misprints(check, text):
    assert check(text)
    last = next(place for place in reversed(range(len(text))) if text[place].isdigit())
    for digit in set("0123456789") - {text[last]}:
        assert not check(text[:last] + digit + text[last + 1 :])


@pytest.mark.parametrize(
    ("text", "valid"),
    [
        ("000-12-3456", False),
        ("666-12-3456", False),
        ("900-12-3456", False),
        ("123-00-4567", False),
        ("123-45-0000", False),
        ("123-45-6789", True),
    ],
)
def test_social_security_numbers(text, valid):
    assert _is_ssn(text) is valid


def test_issuer_prefix_is_demanded():
    # 9 doubled is 18, counted as 9; 9 + 1 = 10: a Luhn number without an issuer.
    assert checks.is_luhn("9000000000000001")
    assert not checks.is_payment_card("9000000000000001")


@pytest.mark.parametrize(
    ("text", "valid"),
    [("10.0.0.1", True), ("1.2.3", False), ("256.1.1.1", False), ("fe80::1", True)],
)
def test_ip_addresses(text, valid):
    assert checks.is_ip_address(text) is valid


@pytest.mark.parametrize(
    ("text", "valid"),
    [
        ("+49 30 901820", True),
        ("+1 615 555 0100", True),
        ("+49 1", False),
        ("+", False),
    ],
)
def test_international_telephone_numbers(text, valid):
    assert checks.is_international_telephone(text) is valid
