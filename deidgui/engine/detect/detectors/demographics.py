"""Detectors of what neighbours and colleagues know about a person."""

from __future__ import annotations

from deidgui.engine.detect.roles import Role, Topic
from deidgui.engine.detect.rules import (
    NUMBERS,
    WORDS_OR_CODES,
    Detector,
    ValueRule,
    vocabulary,
)


def _known(
    topic: Topic,
    key: str,
    title: str,
    names: tuple[str, ...],
    words: str = "",
    **declared: object,
) -> Detector:
    """Declare a quasi-identifier with a closed vocabulary."""
    rules = (
        ValueRule(f"a word for {title}", 0.9, vocabulary(words), by_rows=True),
    ) if words else ()  # fmt: skip
    fields: dict[str, object] = {"kinds": WORDS_OR_CODES, "rules": rules, **declared}
    return Detector(
        topic, title, Role.QUASI_IDENTIFIER, "because_known", words=key, names=names,
        **fields,  # type: ignore[arg-type]
    )  # fmt: skip


DETECTORS: tuple[Detector, ...] = (
    _known(
        Topic.SEX,
        "sex",
        "sex or gender",
        ("sex", "gender", "riagendr", "patient sex", "sex code", "gender identity",
         "male",
         "female", "is male", "is female", "geschlecht"),
        "male|female|m|f|w|d|man|woman|boy|girl|unknown|unknown invalid|other|"
        "transgender|nonbinary|non binary|intersex|divers|weiblich|mannlich|männlich|"
        "homme|femme|masculin|féminin|feminin|h|v|k|n|hombre|mujer|varón|varon|masculino|"
        "femenino|feminino|maschio|femmina|vrouw|kobieta|mężczyzna|mezczyzna|kvinna|"
        "mann|kvinne|mand|kvinde|mies|nainen|garçon|fille",
        kinds=WORDS_OR_CODES,
    ),
    _known(
        Topic.RACE,
        "race",
        "race",
        ("race", "ridreth", "race code", "race ethnicity", "skin color", "skin colour"),
        "white|black|asian|caucasian|african american|africanamerican|hispanic|"
        "american indian|amer indian|native american|native hawaiian|pacific islander|"
        "other|unknown|not stated|multiracial|two or more races|multiple|"
        "asian pac islander|amer indian eskimo|black or african american|"
        "american indian or alaska native|asian or pacific islander|"
        "native hawaiian or other pacific islander|white non hispanic|mixed|"
        "black non hispanic|asian pacific islander|hawaiian|alaska native|"
        "american indian alaskan native|latino|indian|chinese|multiple race|declined",
    ),
    _known(
        Topic.ETHNICITY,
        "ethnicity",
        "ethnicity",
        ("ethnicity", "ethnos", "ethnic", "ethnic group", "hispanic", "latino",
         "origin",
         "hispanic origin", "ancestry", "ethnic origin", "tribe"),
        "hispanic|non hispanic|not hispanic|hispanic or latino|latino|"
        "not hispanic or latino|non hispanic or latino|nonhispanic",
    ),
    _known(
        Topic.MARITAL,
        "marital",
        "marital status",
        ("marital", "dmdmartl", "marital status", "married", "civil status",
         "family status",
         "marstat",
         "familienstand", "maritalstatus"),
        "married|single|divorced|widowed|separated|never married|not stated|unmarried|"
        "married civ spouse|married spouse absent|married af spouse|domestic partner|"
        "life partner|partnered|cohabiting|widow|widower|legally separated|"
        "registered partnership|ledig|verheiratet|geschieden|verwitwet|unknown|"
        "marié|mariée|"
        "marié e|célibataire|divorcé|divorcée|divorcé e|veuf|veuve|veuf ve|pacsé|"
        "pacsé e|casado|casada|soltero|soltera|divorciado|divorciada|viudo|viuda|"
        "separado|pareja de hecho|coniugato|coniugata|coniugato a|celibe|nubile|"
        "celibe nubile|divorziato|divorziato a|vedovo|vedova|vedovo a|separato a|"
        "solteiro|solteira|viúvo|viúva|união de facto|gehuwd|ongehuwd|gescheiden|"
        "weduwe|weduwnaar|samenwonend|żonaty|zamężna|zamężna żonaty|kawaler|panna|"
        "panna kawaler|rozwiedziony|rozwiedziona|wdowa|wdowiec|wdowa wdowiec|"
        "gift|ogift|"
        "ugift|skild|skilt|fraskilt|enke|enkemand|enkemann|änka|änkling|sambo|samboer|"
        "samlevende|naimisissa|naimaton|eronnut|leski|avoliitossa",
    ),
    _known(
        Topic.RELATIONSHIP,
        "relationship",
        "family and household",
        ("relationship", "household", "household size", "family size", "siblings",
         "number of children", "children", "dependents", "parity", "twin",
         "birth order", "living situation", "lives alone", "live alone",
         "persons in household", "multiple birth"),
        "husband|wife|own child|not in family|other relative|unmarried|son|daughter|"
        "spouse|child|self|parent|sibling|grandchild|partner|dependent|subscriber|"
        "mother|father|brother|sister|head of household",
        kinds=NUMBERS,
    ),
    _known(
        Topic.LANGUAGE,
        "language",
        "language",
        ("language", "preferred language", "primary language", "mother tongue",
         "spoken language", "interpreter", "interpreter needed", "sprache"),
        "english|spanish|chinese|mandarin|cantonese|vietnamese|tagalog|korean|russian|"
        "arabic|french|german|portuguese|haitian creole|creole|hindi|urdu|polish|"
        "italian|japanese|somali|persian|farsi|american sign language|asl|bengali|"
        "gujarati|punjabi|hmong|khmer|armenian|amharic|swahili|turkish|greek|hebrew|"
        "nepali|burmese|ukrainian|romanian|other",
    ),
    _known(
        Topic.RELIGION,
        "religion",
        "religion",
        ("religion", "religious", "faith", "denomination", "religious affiliation",
         "konfession", "church"),
        "catholic|roman catholic|protestant|christian|jewish|muslim|islam|hindu|"
        "buddhist|none|baptist|methodist|lutheran|presbyterian|episcopalian|"
        "pentecostal|mormon|orthodox|jehovah s witness|jehovahs witness|agnostic|"
        "atheist|unitarian|quaker|sikh|other|unobtainable|not specified|protestant "
        "quaker|greek orthodox|christian scientist|7th day adventist|evangelical",
    ),
    _known(
        Topic.EDUCATION,
        "education",
        "education",
        ("education", "dmdeduc", "education level", "highest grade", "degree",
         "schooling",
         "school", "education num", "educational attainment", "years of education",
         "highest degree", "student", "literacy"),
        "hs grad|some college|bachelors|masters|doctorate|prof school|assoc acdm|"
        "assoc voc|preschool|1st 4th|5th 6th|7th 8th|9th|10th|11th|12th|high school|"
        "high school graduate|less than high school|college|college graduate|phd|"
        "bachelor|master|associate degree|bachelor s degree|master s degree|"
        "doctoral degree|elementary|middle school|secondary|tertiary|primary|ged|"
        "graduate|postgraduate|university|vocational|graduate school|no schooling",
        kinds=NUMBERS,
    ),
    _known(
        Topic.OCCUPATION,
        "occupation",
        "occupation",
        ("occupation", "work type", "profession", "work class", "workclass", "job",
         "job title",
         "employment", "employment status", "industry", "work status", "employed",
         "occupation code", "military", "veteran", "beruf", "naics", "union member"),
        "prof specialty|craft repair|exec managerial|adm clerical|sales|other service|"
        "machine op inspct|transport moving|handlers cleaners|farming fishing|"
        "tech support|protective serv|priv house serv|armed forces|private|"
        "self emp not inc|self emp inc|local gov|state gov|federal gov|without pay|"
        "never worked|employed|unemployed|retired|student|self employed|disabled|"
        "full time|part time|homemaker|housewife|teacher|nurse|engineer|farmer|"
        "driver|lawyer|physician|manager|clerk|electrician|carpenter|mechanic|cook|"
        "cashier|accountant|secretary|plumber|laborer|firefighter|police officer|"
        "active duty|on active military duty|not employed|unknown",
    ),
    _known(
        Topic.BODY,
        "body",
        "visible body measure",
        ("height", "bmxht", "bmxwt", "bmxbmi", "=weight", "body weight", "body height",
         "weight kg", "height cm",
         "weight lb", "bmi", "body mass index", "eye color", "hair color",
         "birth weight", "stature", "weight pounds", "admission weight",
         "discharge weight"),
        kinds=NUMBERS,
    ),
)  # fmt: skip
