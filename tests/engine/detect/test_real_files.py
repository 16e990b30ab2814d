"""Proposals for real files, held against roles that a person judged."""

import pytest

from deidgui.engine.data.dialect import guess_dialect
from deidgui.engine.data.missing import missing_candidates
from deidgui.engine.data.source import open_source
from deidgui.engine.data.value_types import guess_type
from deidgui.engine.detect.columns import detect_columns
from deidgui.engine.detect.roles import Role
from tests.shared import shared
from tests.sources import read_table

DIRECT, QUASI = Role.DIRECT_IDENTIFIER, Role.QUASI_IDENTIFIER
SENSITIVE, INSENSITIVE = Role.SENSITIVE, Role.INSENSITIVE


def findings_of(*parts, member=None):
    source = open_source(shared("data", *parts), member=member)
    table = read_table(source, guess_dialect(source).dialect)
    columns = []
    for column in table.columns:
        certain = [each.token for each in missing_candidates(column) if each.certain]
        columns.append(column.with_missing(["", *certain]))
    table = table.with_columns(columns)
    types = {column.name: guess_type(column).kind for column in columns}
    return {finding.column: finding for finding in detect_columns(table, types)}


def roles_of(text):
    """Names by role, as lines ``role: name name``."""
    roles = {}
    for line in text.strip().splitlines():
        role, names = line.split(":", 1)
        roles.update(dict.fromkeys(names.split(), Role(role.strip())))
    return roles


def check(findings, judged, wrong, units=None):
    """Every column has the judged role, or the wrong one that is known.

    `units` are the columns of the units of ages, by the column of ages.
    """
    noted = {
        name: reason.params["other"]
        for name, finding in findings.items()
        for reason in finding.reasons
        if reason.code == "evidence_units"
    }
    assert noted == (units or {})
    assert set(findings) == set(judged)
    proposed = {name: finding.role for name, finding in findings.items()}
    assert proposed == judged | wrong
    assert all(judged[name] is not role for name, role in wrong.items())


NHDS = """
direct_identifier: id
quasi_identifier: newborn age_unit age sex race marital_status dc_month care_days
quasi_identifier: dc_same_day region n_beds hospital_ownership adm_type adm_origin
sensitive: dc_status dx01 dx02 dx03 dx04 dx05 dx06 dx07 dx08 dx09 dx10 dx11 dx12 dx13
sensitive: dx14 dx15 pc01 pc02 pc03 pc04 pc05 pc06 pc07 pc08 payor_primary
sensitive: payor_secondary DRG dx_adm
insensitive: weighting
"""
"""Discharge survey. Age with its unit and the flag of newborns belong together; the
days of care and the month are known to acquaintances; beds and ownership narrow down
the hospital; the weight comes from the survey."""


def test_nhds_2010():
    findings = findings_of("nhds2010", "nhds2010.csv.gz")
    check(findings, roles_of(NHDS), {}, {"age": "age_unit"})
    assert findings["dx01"].topic == "icd9"
    assert findings["age"].topic == "age"
    assert findings["dc_month"].topic == "month"
    assert findings["id"].identifier.number == 18


DIABETES = """
direct_identifier: encounter_id patient_nbr
quasi_identifier: race gender age weight admission_type_id admission_source_id
quasi_identifier: time_in_hospital
sensitive: discharge_disposition_id payer_code medical_specialty diag_1 diag_2 diag_3
sensitive: max_glu_serum A1Cresult metformin repaglinide nateglinide chlorpropamide
sensitive: glimepiride acetohexamide glipizide glyburide tolbutamide pioglitazone
sensitive: rosiglitazone acarbose miglitol troglitazone tolazamide insulin
sensitive: glyburide-metformin glipizide-metformin glimepiride-pioglitazone
sensitive: metformin-rosiglitazone metformin-pioglitazone change diabetesMed readmitted
insensitive: num_lab_procedures num_procedures num_medications number_outpatient
insensitive: number_emergency number_inpatient number_diagnoses examide citoglipton
"""
"""Encounters. The patient number repeats (no rule K) and is known by its name; codes
that end in ``_id`` are none; examide and citoglipton are constant."""


def test_diabetes_130():
    findings = findings_of(
        "diabetes130", "dataset_diabetes.zip",
        member="dataset_diabetes/diabetic_data.csv",
    )  # fmt: skip
    # "change" is the change of a medication: neither name nor values say so.
    check(findings, roles_of(DIABETES), {"change": None})
    assert findings["change"].band is None
    assert findings["diag_1"].topic == "icd9"
    assert findings["patient_nbr"].identifier.number == 8


def test_adult_with_header():
    findings = findings_of("adult_hierarchies", "adult.csv.gz")
    judged = """
    quasi_identifier: sex age race marital-status education native-country workclass
    quasi_identifier: occupation
    sensitive: salary-class
    """
    check(findings, roles_of(judged), {})
    assert {f.topic for f in findings.values()} >= {"sex", "age", "race", "income"}


ADULT_WITHOUT_HEADER = {
    1: (QUASI, "age"),
    2: (QUASI, "occupation"),  # class of worker
    3: (INSENSITIVE, None),  # sampling weight
    4: (QUASI, "education"),
    5: (QUASI, None),  # education as a number: says the same as column 4
    6: (QUASI, "marital"),
    7: (QUASI, "occupation"),
    8: (QUASI, "relationship"),
    9: (QUASI, "race"),
    10: (QUASI, "sex"),
    11: (SENSITIVE, None),  # capital gain
    12: (SENSITIVE, None),  # capital loss
    13: (QUASI, None),  # working hours per week, known to colleagues
    14: (QUASI, "country"),
    15: (SENSITIVE, "income"),
}


def test_adult_without_header():
    """Values alone: three columns of plain numbers cannot be told."""
    findings = findings_of("uci_adult", "adult.data.gz")
    judged = {f"column {k}": role for k, (role, _) in ADULT_WITHOUT_HEADER.items()}
    wrong = dict.fromkeys(("column 3", "column 11", "column 12", "column 13"))
    check(findings, judged, wrong)
    assert all(findings[name].band is None for name in wrong)
    for place, (_, topic) in ADULT_WITHOUT_HEADER.items():
        if topic:
            assert findings[f"column {place}"].topic == topic
    warned = {reason.code for reason in findings["column 3"].reasons}
    assert "evidence_nearly_unique" in warned


BENEFICIARY = """
direct_identifier: DESYNPUF_ID
quasi_identifier: BENE_BIRTH_DT BENE_DEATH_DT BENE_SEX_IDENT_CD BENE_RACE_CD
quasi_identifier: SP_STATE_CODE BENE_COUNTY_CD
sensitive: BENE_ESRD_IND BENE_HI_CVRAGE_TOT_MONS BENE_SMI_CVRAGE_TOT_MONS
sensitive: BENE_HMO_CVRAGE_TOT_MONS PLAN_CVRG_MOS_NUM SP_ALZHDMTA SP_CHF SP_CHRNKIDN
sensitive: SP_CNCR SP_COPD SP_DEPRESSN SP_DIABETES SP_ISCHMCHT SP_OSTEOPRS SP_RA_OA
sensitive: SP_STRKETIA MEDREIMB_IP BENRES_IP PPPYMT_IP MEDREIMB_OP BENRES_OP PPPYMT_OP
sensitive: MEDREIMB_CAR BENRES_CAR PPPYMT_CAR
"""
"""Insured persons. Eleven flags are illnesses; the amounts are payments."""


def test_medicare_beneficiaries():
    findings = findings_of(
        "cms_desynpuf_sample1", "DE1_0_2008_Beneficiary_Summary_File_Sample_1.zip"
    )
    check(findings, roles_of(BENEFICIARY), {})
    assert findings["BENE_BIRTH_DT"].topic == "birth date"
    assert findings["SP_STATE_CODE"].topic == "state"
    assert findings["BENE_BIRTH_DT"].identifier.number == 3


CLAIMS = """
direct_identifier: DESYNPUF_ID CLM_ID AT_PHYSN_NPI OP_PHYSN_NPI OT_PHYSN_NPI
quasi_identifier: CLM_FROM_DT CLM_THRU_DT CLM_ADMSN_DT NCH_BENE_DSCHRG_DT PRVDR_NUM
quasi_identifier: CLM_UTLZTN_DAY_CNT
sensitive: CLM_PMT_AMT NCH_PRMRY_PYR_CLM_PD_AMT CLM_PASS_THRU_PER_DIEM_AMT
sensitive: NCH_BENE_IP_DDCTBL_AMT NCH_BENE_PTA_COINSRNC_LBLTY_AM CLM_DRG_CD
sensitive: NCH_BENE_BLOOD_DDCTBL_LBLTY_AM ADMTNG_ICD9_DGNS_CD
insensitive: SEGMENT
"""
"""Inpatient claims. The procedure columns are empty (HCPCS), so insensitive."""


def test_medicare_inpatient_claims():
    findings = findings_of(
        "cms_desynpuf_sample1", "DE1_0_2008_to_2010_Inpatient_Claims_Sample_1.zip"
    )
    judged = roles_of(CLAIMS)
    judged |= {f"ICD9_DGNS_CD_{k}": SENSITIVE for k in range(1, 11)}
    judged |= {f"ICD9_PRCDR_CD_{k}": SENSITIVE for k in range(1, 7)}
    judged |= {f"HCPCS_CD_{k}": INSENSITIVE for k in range(1, 46)}
    check(findings, judged, {})
    assert findings["ICD9_DGNS_CD_1"].topic == "icd9"
    assert findings["ICD9_PRCDR_CD_1"].topic == "procedure"


@pytest.mark.parametrize(
    "parts",
    [
        ("code_lists", "geo", "zip_to_county_state.csv.gz"),
        ("zcta", "zcta_2020_population.csv"),
    ],
)
def test_real_zip_codes_are_recognised(parts):
    findings = findings_of(*parts)
    (first, *_) = findings.values()
    assert first.topic == "zip"
    assert first.band is not None
