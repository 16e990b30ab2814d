"""Names of the countries whose columns and numbers are known."""

from __future__ import annotations

from collections.abc import Mapping

from deidgui.text import Text, tr

OTHER = "ZZ"
"""Letters that no country has: one whose rules are not known."""

NAMES: Mapping[str, Text] = {
    "AR": "Argentina",
    "AU": "Australia",
    "AT": "Austria",
    "BE": "Belgium",
    "BR": "Brazil",
    "BG": "Bulgaria",
    "CA": "Canada",
    "CL": "Chile",
    "CN": "China",
    "HR": "Croatia",
    "CZ": "Czechia",
    "DK": "Denmark",
    "EE": "Estonia",
    "FI": "Finland",
    "FR": "France",
    "DE": "Germany",
    "GR": "Greece",
    "IS": "Iceland",
    "IN": "India",
    "IE": "Ireland",
    "IT": "Italy",
    "LV": "Latvia",
    "LT": "Lithuania",
    "MX": "Mexico",
    "NL": "Netherlands",
    "NZ": "New Zealand",
    "NO": "Norway",
    "PL": "Poland",
    "PT": "Portugal",
    "RO": "Romania",
    "SK": "Slovakia",
    "SI": "Slovenia",
    "ZA": "South Africa",
    "ES": "Spain",
    "SE": "Sweden",
    "CH": "Switzerland",
    "TR": "Turkey",
    "GB": "United Kingdom",
    "US": "United States",
    OTHER: "another country",
}
"""By two letters."""


def country_name(code: str) -> str:
    """Name of a country; its letters if it has none here."""
    name = NAMES.get(code)
    return tr(name) if name else code
