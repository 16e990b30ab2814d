"""Detectors of numbers that stand for a person or a thing (7 to 13, 18)."""

from __future__ import annotations

from deidgui.engine.detect import checks
from deidgui.engine.detect.profile import ColumnProfile
from deidgui.engine.detect.roles import Identifier, Topic
from deidgui.engine.detect.rules import (
    PERSONS,
    WORDS_OR_CODES,
    Detector,
    ValueRule,
    direct,
    matches,
    whole_column,
)

_FEW = 3


def _is_ssn(text: str) -> bool:
    digits = checks.compact(text)
    return (
        digits[:3] not in ("000", "666")
        and digits[0] != "9"
        and digits[3:5] != "00"
        and digits[5:] != "0000"
    )


def _id_like(profile: ColumnProfile) -> bool:
    return profile.id_like


_MBI_LETTER = "[AC-HJKMNP-RT-Y]"
_MBI = (
    rf"^[1-9]{_MBI_LETTER}[AC-HJKMNP-RT-Y0-9]\d-?{_MBI_LETTER}"
    rf"[AC-HJKMNP-RT-Y0-9]\d-?{_MBI_LETTER}{{2}}\d{{2}}$"
)
_NATIONAL = (
    ("DE", "a German tax number", "de.idnr", r"^\d{11}$"),
    ("AT", "an Austrian insurance number", "at.vnr", r"^\d{4} ?\d{6}$"),
    ("CH", "a Swiss insurance number", "ch.ssn", r"^756\.?\d{4}\.?\d{4}\.?\d{2}$"),
    (
        "FR",
        "a French registration number",
        "fr.nir",
        r"^[12][ ]?\d{2}[ ]?\d{2}[ ]?\d[0-9AB][ \d]{8,12}$",
    ),
    ("ES", "a Spanish identity number", "es.dni", r"^\d{8}-?[A-Z]$"),
    ("ES", "a Spanish number of a foreigner", "es.nie", r"^[XYZ]-?\d{7}-?[A-Z]$"),
    (
        "IT",
        "an Italian tax code",
        "it.codicefiscale",
        r"^[A-Z]{6}\d{2}[A-Z]\d{2}[A-Z]\d{3}[A-Z]$",
    ),
    ("PT", "a Portuguese tax number", "pt.nif", r"^[1-9]\d{8}$"),
    ("BR", "a Brazilian tax number", "br.cpf", r"^\d{11}$|^\d{3}\.\d{3}\.\d{3}-\d{2}$"),
    ("NL", "a Dutch citizen number", "nl.bsn", r"^\d{8,9}$"),
    (
        "BE",
        "a Belgian national number",
        "be.nn",
        r"^\d{11}$|^\d{2}\.\d{2}\.\d{2}-\d{3}\.\d{2}$",
    ),
    ("PL", "a Polish PESEL number", "pl.pesel", r"^\d{11}$"),
    (
        "SE",
        "a Swedish personal number",
        "se.personnummer",
        r"^(?:\d{2})?\d{6}[-+]?\d{4}$",
    ),
    ("NO", "a Norwegian birth number", "no.fodselsnummer", r"^\d{6} ?\d{5}$"),
    ("DK", "a Danish CPR number", "dk.cpr", r"^[0-3]\d[01]\d{3}-\d{4}$"),
    (
        "FI",
        "a Finnish identity code",
        "fi.hetu",
        r"^[0-3]\d[01]\d{3}[-+A-FU-Y]\d{3}[0-9A-Y]$",
    ),
    ("IE", "an Irish PPS number", "ie.pps", r"^\d{7}[A-W][A-IW]?$"),
    ("CL", "a Chilean RUT", "cl.rut", r"^\d{1,2}\.?\d{3}\.?\d{3}-[0-9Kk]$"),
    ("MX", "a Mexican CURP", "mx.curp", r"^[A-Z]{4}\d{6}[HMX][A-Z]{5}[0-9A-Z]\d$"),
    ("TR", "a Turkish identity number", "tr.tckimlik", r"^[1-9]\d{10}$"),
    ("RO", "a Romanian CNP", "ro.cnp", r"^[1-9]\d{12}$"),
    ("HR", "a Croatian OIB", "hr.oib", r"^\d{11}$"),
)
"""Country, words, module of `stdnum` with the check, and shape."""


def _national_rules() -> tuple[ValueRule, ...]:
    return tuple(
        ValueRule(title, 0.85, matches(shape, checks.standard(module), (7, 21)),
                  least_share=_WEAK, country=country)
        for country, title, module, shape in _NATIONAL
    )  # fmt: skip


_WEAK = 0.9
"""Check digits that one random number in ten has must hold nearly always."""

_RULE_K = ValueRule("numbers that were given out, one per row", 0.3,
                    whole_column(_id_like),
                    of_column=True)  # fmt: skip
DETECTORS: tuple[Detector, ...] = (
    direct(
        Topic.IDENTIFIER,
        "social security number",
        Identifier.SOCIAL_SECURITY,
        words="national_id",
        names=("ssn", "social security", "social security number", "soc sec", "tin",
               "taxpayer", "tax id", "national id", "national insurance number",
               "nhs number", "newnhsno", "nhsno", "personal number", "sin number",
               "insee", "nino",
               "versichertennummer"),
        rules=(
            ValueRule("a social security number", 0.9,
                      matches(r"^\d{3}-\d{2}-\d{4}$|^\d{3} \d{2} \d{4}$", _is_ssn,
                              (11, 11)), country="US"),
            ValueRule("nine digits that can be a social security number", 0.35,
                      matches(r"^\d{9}$", _is_ssn, (9, 9))),
            ValueRule("a number with the check digit of the British NHS", 0.8,
                      matches(r"^\d{3}[ -]?\d{3}[ -]?\d{4}$", checks.is_nhs, (10, 12)),
                      least_share=_WEAK, country="GB"),
            ValueRule("a number with the check digit of a Canadian insurance number",
                      0.8, matches(r"^\d{3}[ -]\d{3}[ -]\d{3}$", checks.is_canadian_sin,
                                   (11, 11)), least_share=_WEAK, country="CA"),
            ValueRule("a German health insurance number", 0.9,
                      matches(r"^[A-Z]\d{9}$", checks.is_kvnr, (10, 10)),
                      least_share=_WEAK, country="DE"),
            *_national_rules(),
        ),
        kinds=WORDS_OR_CODES,
        least_distinct=_FEW,
        scan=(("a social security number", r"\b\d{3}-\d{2}-\d{4}\b"),),
    ),
    direct(
        Topic.IDENTIFIER,
        "medical record, patient or encounter number",
        Identifier.MEDICAL_RECORD,
        words="record_number",
        names=("mrn", "lopatid", "epikey", "hesid", "patient stay id", "unit stay id",
               "mr number", "medical record", "medical record number",
               "=chart", "chart number", "chart id", "patient id", "patient number",
               "patient code", "patient key", "hospital number", "=encounter",
               "encounter id", "encounter number", "accession", "accession number",
               "visit id", "visit number", "visit occurrence id", "admission id",
               "admission number", "stay id", "hadm id", "icustay id", "subject id",
               "person id", "case number", "case id", "episode id", "claim id",
               "claim number", "specimen id", "sample id", "order id", "csn",
               "pid", "patid", "patientid", "empi", "record number", "fallnummer",
               "patientennummer", "person source value"),
        rules=(_RULE_K,),
        kinds=WORDS_OR_CODES,
        least_distinct=_FEW,
        scan=(
            (
                "a medical record number",
                r"(?i)\b(?:mrn|medical record(?: number| no\.?)?|chart)[\s:#]+\w*"
                r"\d{4,}",
            ),
        ),
    ),
    direct(
        Topic.IDENTIFIER,
        "health plan beneficiary number",
        Identifier.HEALTH_PLAN,
        words="health_plan",
        names=("member id", "member number", "=beneficiary", "beneficiary id",
               "beneficiary number", "subscriber", "subscriber id",
               "subscriber number", "policy", "policy number", "insurance id",
               "insurance number", "medicaid id", "medicaid number", "medicare id",
               "medicare number", "=medicare", "=medicaid", "hicn", "hic", "mbi",
               "plan id", "group number", "health card", "health insurance number"),
        rules=(
            ValueRule("a Medicare beneficiary identifier", 0.9,
                      matches(_MBI, lengths=(11, 13))),
            ValueRule("a health insurance claim number", 0.9,
                      matches(r"^\d{9}[A-Z]\d?$", lengths=(10, 11))),
            ValueRule("numbers that were given out, one per row", 0.3,
                      whole_column(_id_like), needs_cue=True, of_column=True),
        ),
        kinds=WORDS_OR_CODES,
        least_distinct=_FEW,
    ),
    direct(
        Topic.IDENTIFIER,
        "account number",
        Identifier.ACCOUNT,
        words="account",
        names=("account", "account number", "account id", "iban", "bic",
               "credit card", "card number", "billing number", "bank account",
               "invoice number", "guarantor number", "routing number", "har"),
        rules=(
            ValueRule("an IBAN", 0.95,
                      matches(r"^[A-Z]{2}\d{2}[ A-Z0-9]{10,38}$", checks.is_iban,
                              (14, 42))),
            ValueRule("a payment card number", 0.8,
                      matches(r"^\d(?:[ -]?\d){12,18}$", checks.is_payment_card,
                              (13, 23)), least_share=0.5),
            ValueRule("a bank routing number", 0.5,
                      matches(r"^\d{9}$", checks.is_routing_number, (9, 9)),
                      least_share=_WEAK),
        ),
        kinds=WORDS_OR_CODES,
        least_distinct=_FEW,
        scan=(("an IBAN", r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}\b"),),
    ),
    direct(
        Topic.IDENTIFIER,
        "certificate or license number",
        Identifier.LICENSE,
        words="license",
        names=("license", "licence", "license number", "certificate",
               "certificate number", "cert number", "npi", "dea", "dea number",
               "driver", "driver license", "driving licence", "passport",
               "passport number", "death certificate", "birth certificate"),
        rules=(
            ValueRule("a national provider identifier", 0.8,
                      matches(r"^[12]\d{9}$", checks.is_npi, (10, 10)),
                      least_share=0.5),
            ValueRule("a DEA number", 0.9,
                      matches(r"^[A-Za-z]{2}\d{7}$", checks.is_dea, (9, 9)),
                      least_share=0.5),
        ),
        kinds=WORDS_OR_CODES,
        least_distinct=2,
    ),
    direct(
        Topic.IDENTIFIER,
        "vehicle number or license plate",
        Identifier.VEHICLE,
        words="vehicle",
        names=("vin", "vehicle", "vehicle id", "vehicle number", "license plate",
               "plate", "plate number", "registration", "registration number",
               "kennzeichen"),
        rules=(
            ValueRule("a vehicle identification number", 0.95,
                      matches(r"^[A-HJ-NPR-Za-hj-npr-z0-9]{17}$", checks.is_vin,
                              (17, 17)), least_share=0.5),
        ),
        kinds=WORDS_OR_CODES,
        least_distinct=2,
    ),
    direct(
        Topic.IDENTIFIER,
        "device identifier or serial number",
        Identifier.DEVICE,
        words="device",
        names=("device", "device id", "device number", "serial", "serial number",
               "udi", "imei", "implant", "implant id", "lot", "lot number",
               "mac address", "pacemaker id"),
        rules=(
            ValueRule("a unique device identifier", 0.85,
                      matches(r"^\(01\)\d{14}", lengths=(18, 200))),
            ValueRule("a mobile device number", 0.85,
                      matches(r"^\d{15}$", checks.is_imei, (15, 15)),
                      least_share=0.5),
            ValueRule("a network card address", 0.85,
                      matches(r"^(?:[0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}$",
                              lengths=(17, 17))),
        ),
        kinds=WORDS_OR_CODES,
        least_distinct=2,
    ),
    direct(
        Topic.IDENTIFIER,
        "other unique number or code",
        Identifier.OTHER_CODE,
        names=("id", "uuid", "guid", "code", "key", "token", "hash", "study id",
               "participant id", "pseudonym", "barcode", "row id", "record id",
               "sequence number", "username", "user name", "user id", "login",
               "unique id", "=number", "=index", "=rownum", "=seqn"),
        rules=(
            ValueRule("a UUID", 0.8, matches(
                r"^\{?[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}\}?$",
                lengths=(36, 38))),
            ValueRule("a hash of at least 32 hexadecimal digits", 0.6,
                      matches(r"^(?:0x)?[0-9A-Fa-f]{32,}$", lengths=(32, 200))),
            _RULE_K,
        ),
        kinds=WORDS_OR_CODES,
        least_distinct=PERSONS,
    ),
)  # fmt: skip
