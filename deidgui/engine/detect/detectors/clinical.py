"""Detectors of diagnoses, procedures, drugs and test results."""

from __future__ import annotations

import numpy as np

from deidgui.engine.arrays import BoolArray
from deidgui.engine.detect.checks import is_loinc
from deidgui.engine.detect.profile import ColumnProfile
from deidgui.engine.detect.roles import Role, Topic
from deidgui.engine.detect.rules import (
    ANY_KIND,
    NUMBERS,
    WORDS_OR_CODES,
    Detector,
    ValueRule,
    matches,
    no_hits,
    vocabulary,
)

ICD10_SHAPE = r"^(?:[A-TV-Z]\d|U0)[0-9A-Z](?:\.?[0-9A-Z]{1,4})?$"
ICD9_SHAPE = r"^(?:V\d{2}|E\d{3}|\d{3})(?:\.?\d{1,2})?-?$"
_ICD9_LETTER = r"^(?:V\d{2}|E\d{3})"
_ICD9_OTHER_LETTER = r"^[A-DF-UW-Z]"


def icd9_hits(profile: ColumnProfile) -> BoolArray:
    """Codes shaped as ICD-9-CM, if some are V or E codes (digits say too little)."""
    if profile.length_range[0] > 7:
        return no_hits(profile)
    hits = profile.texts.contains(ICD9_SHAPE)
    letters = profile.texts.contains(_ICD9_LETTER).sum()
    others = profile.texts.contains(_ICD9_OTHER_LETTER).sum()
    if letters < max(1, 0.002 * profile.n_sampled) or others > letters:
        return no_hits(profile)
    return hits


def icd10_hits(profile: ColumnProfile) -> BoolArray:
    """Codes shaped as ICD-10, unless they can be ICD-9 or numbers of records."""
    if profile.length_range[0] > 8:
        return no_hits(profile)
    hits = profile.texts.contains(ICD10_SHAPE)
    if not hits.any():
        return hits
    codes = profile.some(np.flatnonzero(hits))
    has_dots = any("." in code for code in codes)
    if profile.id_like and not has_dots:
        return no_hits(profile)
    has_variety = len({code[0] for code in codes}) >= 3
    return hits if has_variety or not icd9_hits(profile).any() else no_hits(profile)


_DIAGNOSIS_NAMES = (
    "diagnosis", "diagnosis code", "diagnosis name", "primary diagnosis",
    "secondary diagnosis", "admission diagnosis", "icd", "icd code", "icd 9", "icd 10",
    "disease", "condition", "primary condition group", "comorbidity", "comorbidities",
    "morbidity", "problem", "chief complaint", "complaint", "cause of death",
    "charlson", "charlson index", "elixhauser", "illness", "symptom", "tumor",
    "tumour", "cancer", "histology", "stage", "ra oa", "reason code", "e code", "pain",
    "pregnancies", "pathology diagnosis",
    "reason description", "reason for visit", "visit reason",
    "pregnancy", "pregnant", "disability", "hiv", "hiv status", "std", "allergy",
    "allergies", "injury", "diabetes", "diagnosis description", "diagnose",
    "hauptdiagnose", "nebendiagnose", "severity of illness", "esrd",
    "admission diagnosis code", "dgns",
)  # fmt: skip
_DIAGNOSIS_STEMS = (
    "alzh", "hipert", "chf", "copd", "chrnkidn", "cncr", "cancer", "depress", "diabet",
    "ischmcht", "ischem", "osteop", "strk", "stroke", "asthma", "hepat", "hypert",
    "arthrit", "dement", "anemi", "obes", "schizo", "tuberc", "carcinom", "leukem",
    "lymphom", "infarct", "pneumon", "sepsis", "cardiomy", "fibrill", "epilep",
)  # fmt: skip
_DRUG_STEMS = (
    "metformin", "repaglinid", "nateglinid", "chlorpropamid", "glimepirid",
    "acetohexamid", "glipizid", "glyburid", "tolbutamid", "pioglitazon",
    "rosiglitazon", "acarbos", "miglitol", "troglitazon", "tolazamid", "insulin",
    "sitagliptin", "warfarin", "heparin", "aspirin",
    "atorvastatin", "simvastatin", "statin", "lisinopril", "metoprolol", "amlodipin",
    "furosemid", "prednis", "morphin", "fentanyl", "oxycodon", "hydrocodon",
    "methadon", "naloxon", "penicillin", "amoxicillin", "vancomycin", "cef",
    "levothyrox", "omeprazol", "gabapentin", "sertralin", "fluoxetin", "citalopram",
    "lithium", "clozapin", "digoxin", "amiodaron", "epinephrin", "dopamin", "propofol",
)  # fmt: skip

DETECTORS: tuple[Detector, ...] = (
    Detector(
        Topic.DIAGNOSIS,
        "diagnosis",
        Role.SENSITIVE,
        "because_diagnosis",
        words="diagnosis",
        names=_DIAGNOSIS_NAMES,
        stems=_DIAGNOSIS_STEMS,
        rules=(
            ValueRule("an ICD-9 code", 0.8, icd9_hits),
            ValueRule("an ICD-10 code", 0.8, icd10_hits),
        ),
        kinds=ANY_KIND,
    ),
    Detector(
        Topic.CODE,
        "diagnosis group",
        Role.SENSITIVE,
        "because_diagnosis",
        words="diagnosis_group",
        names=("drg", "drg code", "ms drg", "apr drg", "mdc", "ccs", "ccs code",
               "diagnosis group", "diagnosis related group", "primary condition group",
               "hcc", "case mix group", "case mix index"),
        kinds=ANY_KIND,
    ),
    Detector(
        Topic.PROCEDURE,
        "procedure",
        Role.SENSITIVE,
        "because_sensitive",
        words="procedure",
        names=("procedure", "=i pr", "opertn", "procedure code", "icd procedure",
               "icd procedure code",
               "procedure name", "=pc", "cpt",
               "cpt code", "hcpcs", "hcpcs code", "operation", "surgery",
               "surgical procedure", "treatment", "therapy", "ops", "ops code",
               "intervention", "procedure group", "anesthesia", "ventilation",
               "dialysis", "transplant", "radiology", "imaging", "revenue code"),
        rules=(
            ValueRule("a procedure code", 0.7, matches(
                r"^(?:\d{5}|\d{4}[A-Z]|[A-V]\d{4}|[0-9A-HJ-NP-Z]{7}|\d{2}\.?\d{1,2})$"),
                needs_cue=True),
        ),
        kinds=ANY_KIND,
    ),
    Detector(
        Topic.DRUG,
        "drug",
        Role.SENSITIVE,
        "because_sensitive",
        words="drug",
        names=("drug", "drug name", "drug code", "medication", "medication name",
               "medication code", "medicine", "ndc", "ndc code", "prescription",
               "rxnorm", "atc", "atc code", "dose", "dosage", "ingredient",
               "prod name", "route", "pharmaceutical", "vaccine", "immunization",
               "antibiotic", "chemotherapy"),
        stems=_DRUG_STEMS,
        rules=(
            ValueRule("a national drug code", 0.7,
                      matches(r"^\d{4,5}-\d{3,4}-\d{1,2}$", lengths=(10, 13))),
            ValueRule("an ATC code", 0.8,
                      matches(r"^[A-DGHJL-NPRSV]\d{2}[A-Z]{2}\d{2}$", lengths=(7, 7))),
        ),
        kinds=ANY_KIND,
    ),
    Detector(
        Topic.LAB,
        "test result",
        Role.SENSITIVE,
        "because_sensitive",
        words="lab",
        names=("lab", "temp", "blood sugar", "skin thickness", "lab value",
               "lab result", "lab name", "lab code", "test",
               "test result", "test name", "test code", "loinc", "loinc code",
               "result", "=value", "=valuenum", "result value", "measurement",
               "hba 1c", "hemoglobin", "haemoglobin", "glucose",
               "glu", "serum", "max glu serum", "cholesterol", "hdl", "ldl",
               "triglycerides", "creatinine", "egfr", "bun", "sodium", "potassium",
               "chloride", "bicarbonate", "calcium", "albumin", "bilirubin", "alt",
               "ast", "wbc", "rbc", "white blood", "blood cells", "platelet",
               "platelets", "hematocrit", "inr", "troponin",
               "crp", "lactate", "tsh", "psa", "blood pressure", "systolic",
               "diastolic", "sbp", "dbp", "heart rate", "pulse", "temperature",
               "spo", "oxygen saturation", "respiratory rate", "pain score",
               "blood group", "blood type", "gene", "genotype", "mutation", "allele",
               "snp", "viral load", "cd 4 count", "culture", "biopsy", "pathology",
               "score", "apgar", "gcs", "vital sign", "ecg", "ekg", "ejection fraction",
               "a1cresult", "a1c"),
        rules=(
            ValueRule("a LOINC code", 0.7,
                      matches(r"^\d{1,5}-\d$", is_loinc, (3, 7)), least_share=0.9),
            ValueRule("a verdict on a test", 0.7, vocabulary(
                "normal|abnormal|norm|positive|negative|high|low|reactive|"
                "non reactive|nonreactive|detected|not detected|pos|neg|borderline|"
                "critical|>200|>300|>7|>8|indeterminate|trace"),
                by_rows=True, least_share=0.5),
        ),
        kinds=ANY_KIND,
    ),
    Detector(
        Topic.DISPOSITION,
        "outcome or discharge disposition",
        Role.SENSITIVE,
        "because_sensitive",
        words="disposition",
        names=("discharge disposition", "disposition", "discharge status",
               "discharge location", "discharged to", "discharge destination",
               "discharge type", "outcome", "mortality", "died", "death", "dead",
               "deceased", "vital status", "survival", "survival month",
               "survival day", "survival time", "patient status", "entlassungsgrund",
               "disdest", "dismeth", "alive", "expired",
               "hospital expire flag", "expire flag", "readmitted", "readmission",
               "readmit",
               "complication", "complications", "relapse", "recurrence", "death flag",
               "in hospital death", "palliative", "hospice", "icu"),
        rules=(ValueRule("an outcome of a stay", 0.7, vocabulary(
            "home|expired|died|dead|alive|hospice|snf|rehab|long term|short term|"
            "alive nos|home health care|skilled nursing facility|left against medical "
            "advice|deceased|discharged|not stated|home with service"),
            by_rows=True, least_share=0.8),),
        kinds=WORDS_OR_CODES,
    ),
    Detector(
        Topic.SPECIALTY,
        "medical specialty",
        Role.SENSITIVE,
        "because_specialty",
        words="specialty",
        names=("specialty", "mainspef", "tretspef", "medical specialty", "speciality",
               "provider specialty",
               "physician specialty", "clinical service", "fachabteilung",
               "hospital service"),
        rules=(ValueRule("a medical specialty", 0.8, vocabulary(
            "cardiology|internal medicine|internalmedicine|surgery|psychiatry|"
            "pediatrics|obstetrics|gynecology|neurology|oncology|orthopedics|urology|"
            "nephrology|dermatology|emergency trauma|family generalpractice|radiology|"
            "anesthesiology|pathology|ophthalmology|general practice|pulmonology|"
            "gastroenterology|hematology|endocrinology|rheumatology|"
            "infectious diseases|obstetrics and gynecology|surgery general"),
            by_rows=True, least_share=0.5),),
        kinds=WORDS_OR_CODES,
    ),
    Detector(
        Topic.LIFESTYLE,
        "way of life",
        Role.SENSITIVE,
        "because_sensitive",
        words="lifestyle",
        names=("smoker", "alcoholism", "smoking", "smoking status", "tobacco",
               "alcohol",
               "alcohol use", "drug use", "substance abuse", "sexual orientation",
               "sexual", "homeless", "homelessness", "criminal", "arrest", "abuse",
               "domestic violence", "political", "cigarettes", "drinks",
               "contraception", "abortion"),
        rules=(ValueRule("a word about smoking", 0.8, vocabulary(
            "smoker|never smoker|former smoker|current smoker|non smoker|nonsmoker|"
            "ex smoker|current every day smoker|never smoked"), by_rows=True),),
        kinds=ANY_KIND,
    ),
    Detector(
        Topic.COUNT,
        "count of services",
        Role.INSENSITIVE,
        "because_count",
        names=("number procedure", "number diagnosis", "number of diagnoses",
               "number lab procedure", "number medication",
               "number outpatient", "number emergency", "number inpatient",
               "number of procedures", "number of visits", "number visit",
               "visit count", "claim count", "drug count", "lab count",
               "number of claims", "number of prescriptions", "number of medications",
               "number of admissions", "procedure count", "medication count",
               "encounter count", "number of tests"),
        kinds=NUMBERS,
    ),
)  # fmt: skip
