"""Detectors of places (identifier 2, and the states that may stay)."""

from __future__ import annotations

import numpy as np

from deidgui.engine.arrays import BoolArray
from deidgui.engine.detect.profile import ColumnProfile
from deidgui.engine.detect.roles import Identifier, Role, Topic
from deidgui.engine.detect.rules import (
    WORDS,
    WORDS_OR_CODES,
    Detector,
    ValueRule,
    direct,
    listed,
    matches,
    no_hits,
    vocabulary,
)
from deidgui.engine.detect.wordlists import (
    has_zip_prefix,
    is_known_zip,
    state_codes,
    state_names,
    state_numbers,
    word_list,
)

_ZIP = r"^\d{5}(?:-?\d{4})?$"
_PREFIX_SHARE, _KNOWN_SHARE = 0.9, 0.7
_STREET_KIND = (
    r"(?:st|street|ave|avenue|rd|road|blvd|boulevard|ln|lane|dr|drive|ct|court|hwy|"
    r"highway|pkwy|parkway|pl|place|ter|terrace|cir|circle|way|sq|square|trl|trail)"
)
_STREET = rf"(?i)^\d+[a-z]?\s+\w+.*\b{_STREET_KIND}\b"
_EUROPEAN_STREET = (
    r"(?i)^\p{L}[\p{L} .-]*(?:straße|strasse|str\.|weg|platz|gasse|allee|laan|straat)"
    r"\s+\d+\s?[a-z]?$"
)
_ROMANCE_STREET = (
    r"(?i)^(?:\d+\s?(?:bis|ter)?,?\s+(?:rue|avenue|av\.?|boulevard|bd|chemin|impasse|"
    r"place|allée|quai|route)\s+\S.*|(?:via|viale|corso|piazza|vicolo|largo|calle|c/|"
    r"avda\.?|avenida|av\.|plaza|paseo|rua|r\.|travessa|praceta|praça|estrada)\s+\S.*"
    r"\s*\d+.*)$"
)
_NORTHERN_STREET = (
    r"(?i)^(?:\p{L}[\p{L} .-]*(?:gatan|vägen|väg|gata|veien|vei|gate|vej|vejen|gade|"
    r"allé|katu|tie|polku|plein|gracht|kade|singel)|(?:ul|al|os|pl)\.\s+\S.*)"
    r"\s+\d+\s?[a-z]?(?:\s?[/-]\s?\d+)?$"
)
_POST_BOX = r"(?i)^p\.?\s*o\.?\s*box\s+\d+"


def zip_hits(profile: ColumnProfile) -> BoolArray:
    """Five-digit codes, if 90 % of them start as a ZIP of the census table does.

    Without a name cue many of them must also be ZIP codes that exist: nine in
    ten of all five-digit numbers have a prefix that is in use.
    """
    fits = profile.texts.contains(_ZIP)
    places = np.flatnonzero(fits)
    if len(places) == 0:
        return no_hits(profile)
    prefixes = np.array([has_zip_prefix(text) for text in profile.some(places)])
    if prefixes.mean() < _PREFIX_SHARE:
        return no_hits(profile)
    fits[places] = prefixes
    return fits


def known_zip_hits(profile: ColumnProfile) -> BoolArray:
    """As `zip_hits`, if most of the codes are areas of the 2020 Census."""
    fits = zip_hits(profile)
    texts = profile.some(np.flatnonzero(fits))
    if not texts or np.mean([is_known_zip(text) for text in texts]) < _KNOWN_SHARE:
        return no_hits(profile)
    return fits


DETECTORS: tuple[Detector, ...] = (
    direct(
        Topic.STREET,
        "street address",
        Identifier.GEOGRAPHY,
        words="street",
        names=(
            "address", "strasse", "adresse", "homeadd", "address line", "street",
            "street address", "home address",
            "mailing address", "=residence", "apartment", "house number", "po box",
        ),
        rules=(
            ValueRule("a street and house number", 0.9,
                      matches(_STREET, lengths=(6, 120))),
            ValueRule("a street and house number", 0.9,
                      matches(_EUROPEAN_STREET, lengths=(6, 120))),
            ValueRule("a street and house number", 0.9,
                      matches(_ROMANCE_STREET, lengths=(6, 120))),
            ValueRule("a street and house number", 0.9,
                      matches(_NORTHERN_STREET, lengths=(6, 120))),
            ValueRule("a post office box", 0.9, matches(_POST_BOX, lengths=(7, 60))),
        ),
        kinds=WORDS,
        scan=(
            (
                "a street address",
                rf"\b\d{{1,5}}\s+\p{{Lu}}\w+(?:\s+\p{{Lu}}\w+)?\s+(?i:{_STREET_KIND})\b",
            ),
        ),
    ),
    direct(
        Topic.STREET,
        "house number",
        Identifier.GEOGRAPHY,
        words="house_number",
        names=("house number", "flat number"),
        kinds=WORDS_OR_CODES,
    ),
    Detector(
        Topic.ZIP,
        "ZIP code",
        Role.QUASI_IDENTIFIER,
        "because_place",
        Identifier.GEOGRAPHY,
        words="zip",
        names=(
            "zip", "zip code", "zip 5", "zip 4", "zip 3", "postal", "postal code",
            "post code", "zcta",
        ),
        rules=(
            ValueRule("a ZIP code", 0.7, zip_hits, needs_cue=True),
            ValueRule("a ZIP code of the census table", 0.7, known_zip_hits),
            ValueRule("three digits of a ZIP code", 0.5,
                      matches(r"^\d{3}(?:\*\*|xx|XX|00)?$"), needs_cue=True),
            ValueRule("a postal code", 0.5,
                      matches(r"^(?:[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?"
                              r"\d[A-Z]\d|\d{4,6}|[A-Z]-?\d{4,5})$"), needs_cue=True),
            # "pc" names procedures too, whose codes are seldom all of this form.
            ValueRule("a postal code of four digits", 0.8,
                      matches(r"(?i)^[1-9]\d{3}(?: ?[A-Z]{2})?$"), needs_cue=True,
                      least_share=0.98),
        ),
        kinds=WORDS_OR_CODES,
    ),
    Detector(
        Topic.CITY,
        "town or city",
        Role.QUASI_IDENTIFIER,
        "because_place",
        Identifier.GEOGRAPHY,
        words="city",
        names=(
            "city", "town", "wohnort", "municipality", "village", "place of birth",
            "birth place", "birth city", "city of residence", "precinct", "parish",
            "neighborhood", "neighbourhood", "borough", "suburb",
        ),
        rules=(
            ValueRule("a large city", 0.6, listed(lambda: word_list("cities"))),
            ValueRule("a city and its state", 0.8,
                      matches(r"^\p{Lu}[\p{L} .'-]+,\s*[A-Z]{2}$",
                              lambda text: text[-2:].lower() in state_codes())),
        ),
        kinds=WORDS_OR_CODES,
    ),
    Detector(
        Topic.COUNTY,
        "county",
        Role.QUASI_IDENTIFIER,
        "because_place",
        Identifier.GEOGRAPHY,
        words="county",
        names=("county", "county code", "county name", "county fips", "fips",
               "fips code", "=parish", "district", "census tract", "tract",
               "block group", "census block", "geo id", "geoid", "=geo"),
        rules=(
            ValueRule("a county", 0.8, matches(r"(?i)^\p{L}[\p{L} .'-]+ "
                                               r"(?:county|parish|borough)\b")),
            ValueRule("a populous county", 0.6,
                      listed(lambda: word_list("counties")), needs_cue=True),
            ValueRule("a five-digit county code", 0.5,
                      matches(r"^\d{5}$", lambda text: text[:2] in state_numbers()),
                      needs_cue=True),
            ValueRule("a three-digit county code", 0.5, matches(r"^\d{3}$"),
                      needs_cue=True),
        ),
        kinds=WORDS_OR_CODES,
    ),
    direct(
        Topic.COORDINATES,
        "map coordinate",
        Identifier.GEOGRAPHY,
        names=("lat", "lon", "lng", "long", "latitude", "longitude", "coordinates",
               "geo location", "geocode", "gps"),
        rules=(
            ValueRule("a degree with three decimals", 0.8,
                      matches(r"^-?\d{1,3}\.\d{3,}$",
                              lambda text: abs(float(text)) <= 180),
                      needs_cue=True),
            ValueRule("a pair of coordinates", 0.8,
                      matches(r"^\(?-?\d{1,2}\.\d{3,}[,; ]\s*-?\d{1,3}\.\d{3,}\)?$")),
        ),
        kinds=frozenset(("decimal", "text")),
    ),
    Detector(
        Topic.STATE,
        "state",
        Role.QUASI_IDENTIFIER,
        "because_place_state",
        words="state",
        names=("state", "state code", "state name", "home state", "residence state",
               "province", "=bundesland", "statecode"),
        rules=(
            ValueRule("a state's name", 0.9, listed(state_names), by_rows=True),
            ValueRule("a state's two letters", 0.8,
                      matches(r"^[A-Z]{2}$", lambda text: text.lower()
                              in state_codes()), by_rows=True, least_share=0.9),
        ),
        kinds=WORDS_OR_CODES,
    ),
    Detector(
        Topic.REGION,
        "region",
        Role.QUASI_IDENTIFIER,
        "because_place_state",
        words="region",
        names=("region", "residence type", "pl nchs", "census region",
               "census division", "division", "rural",
               "urban", "urban rural", "metro", "rucc", "ruca", "catchment area",
               "service area"),
        rules=(
            ValueRule("a census region or division", 0.8, vocabulary(
                "northeast|midwest|south|west|north east|north central|new england|"
                "middle atlantic|mid atlantic|south atlantic|east north central|"
                "west north central|east south central|west south central|mountain|"
                "pacific|north|east|central|urban|rural|suburban"), by_rows=True),
        ),
        kinds=WORDS_OR_CODES,
    ),
    # Strata and clusters are drawn from areas: they are no weights.
    Detector(
        Topic.REGION,
        "stratum or cluster of a survey",
        Role.QUASI_IDENTIFIER,
        "because_place_state",
        names=("stratum", "strata", "ststr", "psu", "primary sampling unit",
               "sdmvpsu", "sdmvstra"),
        kinds=WORDS_OR_CODES,
    ),
    Detector(
        Topic.COUNTRY,
        "country",
        Role.QUASI_IDENTIFIER,
        "because_known",
        words="country",
        names=("country", "native country", "country of birth", "birth country",
               "nationality", "citizenship", "citizen", "country of origin",
               "origin country", "immigrant", "immigration", "place of origin"),
        rules=(
            ValueRule("a country", 0.9, listed(lambda: word_list("countries")),
                      by_rows=True),
        ),
        kinds=WORDS_OR_CODES,
    ),
)  # fmt: skip
