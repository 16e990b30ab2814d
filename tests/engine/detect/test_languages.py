"""Column names in the languages of clinics and registries."""

import pytest

from deidgui.engine.data.table import Column, Table
from deidgui.engine.detect.columns import detect_columns, finding_of
from deidgui.engine.detect.languages import languages_of
from deidgui.engine.detect.profile import ColumnProfile
from deidgui.engine.detect.roles import Band, Role

DIRECT, QUASI, SENSITIVE = (
    Role.DIRECT_IDENTIFIER,
    Role.QUASI_IDENTIFIER,
    Role.SENSITIVE,
)
OPAQUE = [f"Q{i:03x} zz{i % 7}" for i in range(200)]
CODES = [str(1 + i % 4) for i in range(200)]

NAMES = {
    "de": ("Nachname Vornamen Straße Telefonnummer Krankenversichertennummer",
           "Geburtsdatum Geschlecht PLZ Wohnort Staatsangehörigkeit Familienstand",
           "Hauptdiagnose Krankenkasse Entlassungsgrund"),
    "fr": ("nom_naissance prenom adresse telephone numero_secu",
           "date_naissance sexe code_postal commune nationalite profession",
           "diagnostic_principal mutuelle mode_sortie"),
    "es": ("nombre primer_apellido domicilio movil dni",
           "fecha_nacimiento sexo codigo_postal municipio estado_civil",
           "diagnostico aseguradora motivo_alta"),
    "it": ("cognome indirizzo cellulare codice_fiscale medico_curante",
           "data_nascita sesso comune_residenza cittadinanza titolo_studio",
           "diagnosi farmaco esito"),
    "pt": ("apelido morada telemovel nome_mae num_utente",
           "data_nascimento sexo codigo_postal freguesia estado_civil",
           "diagnostico medicamento evolucao"),
    "nl": ("achternaam voorletters adres telefoonnummer burgerservicenummer",
           "geboortedatum geslacht woonplaats nationaliteit beroep",
           "hoofddiagnose zorgverzekeraar medicatie"),
    "pl": ("nazwisko imię ulica nr_telefonu pesel",
           "data_urodzenia płeć kod_pocztowy miejscowość wykształcenie",
           "rozpoznanie leki tryb_wypisu"),
    "sv": ("Efternamn Förnamn Gatuadress Mobiltelefon Personnummer",
           "Födelsedatum Kön Postnummer Kommun Civilstånd Yrke",
           "Huvuddiagnos Läkemedel"),
    "no": ("Etternavn Gateadresse Mobilnummer Fødselsnummer Pårørende",
           "Fødselsdato Kjønn Poststed Statsborgerskap Sivilstand",
           "Hoveddiagnose Legemidler"),
    "da": ("Efternavn Vejnavn Telefonnr CPR-nummer Pårørende",
           "Fødselsdato Køn Postnummer Bopælskommune Civilstand",
           "Aktionsdiagnose Medicin"),
    "fi": ("Sukunimi Katuosoite Puhelinnumero Henkilötunnus Lähiomainen",
           "Syntymäaika Sukupuoli Postinumero Kotikunta Ammatti",
           "Päädiagnoosi Lääkitys"),
}  # fmt: skip
"""By language: direct identifiers, quasi-identifiers, sensitive attributes."""


def role_of(name, texts, kind, languages=frozenset()):
    column = Column.from_texts(name, texts)
    return finding_of(ColumnProfile(column, kind, languages=languages)).role


@pytest.mark.parametrize("language", NAMES)
def test_names_alone(language):
    """Values that tell nothing: the name says it, also when all else is English."""
    for role, names in zip((DIRECT, QUASI, SENSITIVE), NAMES[language], strict=True):
        texts = OPAQUE if role is DIRECT else CODES
        kind = "text" if role is DIRECT else "category"
        for name in names.split():
            assert role_of(name, texts, kind) is role, name


@pytest.mark.parametrize("language", NAMES)
def test_the_language_of_a_file_is_found(language):
    names = " ".join(NAMES[language]).split()
    assert language in languages_of(names)


def test_the_language_of_an_english_file():
    assert languages_of(["patient name", "date of birth", "ward", "notes"]) == {"en"}
    assert languages_of(["x1", "v2"]) == frozenset()


@pytest.mark.parametrize(
    ("plain", "spelled"),
    [("Groesse", "Größe"), ("STRASSE", "Straße"), ("Foedselsdato", "Fødselsdato"),
     ("vaegt", "Vægt"), ("Sahkoposti", "Sähköposti"), ("plec", "Płeć")],
)  # fmt: skip
def test_accents_may_be_left_out(plain, spelled):
    found = {role_of(name, OPAQUE, "text") for name in (plain, spelled)}
    assert len(found) == 1
    assert None not in found


def test_short_words_count_only_in_their_language():
    """ "by" is a town in Danish, "kon" the sex in Swedish."""
    assert role_of("by", CODES, "category") is None
    assert role_of("by", CODES, "category", frozenset({"da"})) is QUASI
    texts = {"lopnr": OPAQUE, "kommun": CODES, "kon": CODES, "huvuddiagnos": CODES}
    table = Table("t", tuple(Column.from_texts(n, t) for n, t in texts.items()))
    findings = {f.column: f for f in detect_columns(table, {"kommun": "category"})}
    assert findings["kon"].topic == "sex"


def test_glued_names_are_taken_apart():
    assert role_of("geburtsdatumpatient", OPAQUE, "text") is QUASI
    assert role_of("codicefiscalepaziente", OPAQUE, "text") is DIRECT


def test_values_outrank_names_that_look_alike():
    """Ages 0 to 99 called "iage" are no wages with a typing error."""
    ages = [str(i % 100) for i in range(1_000)]
    column = Column.from_texts("iage", ages)
    found = finding_of(ColumnProfile(column, "integer"))
    assert (found.role, found.topic) == (QUASI, "age")
    column = Column.from_texts("xrage", ages)
    assert finding_of(ColumnProfile(column, "integer")).topic == "age"


@pytest.mark.parametrize("name", ["telehpone", "surmane", "diagnossis", "incme"])
def test_likeness_of_names_is_never_sure(name):
    column = Column.from_texts(name, OPAQUE)
    found = finding_of(ColumnProfile(column, "text"))
    assert found.band is not Band.CERTAIN
    assert found.band is not Band.PROBABLE


@pytest.mark.parametrize(
    ("name", "high"),
    [("isex", 2), ("death_mo", 12), ("death_da", 31), ("istatenum", 56)],
)
def test_coded_sex_state_and_day_of_death_are_not_harmless(name, high):
    texts = [str(1 + i % high) for i in range(600)]
    assert role_of(name, texts, "integer") is QUASI


@pytest.mark.parametrize(
    ("values", "topic"),
    [
        (
            "Müller Schmidt Nowak Rossi Dubois García Silva Jansen Nielsen Hansen "
            "Andersson Korhonen Ferrari Lefebvre Kowalski Fernández Visser Lehtinen",
            "name",
        ),
        ("kobieta mężczyzna", "sex"),
        ("hombre mujer", "sex"),
        ("ledig verheiratet geschieden verwitwet", "marital"),
        ("gift ugift skilt enke", "marital"),
        ("janvier février mars avril mai juin", "month"),
    ],
)
def test_words_of_other_languages_without_a_name(values, topic):
    column = Column.from_texts("zzz", values.split() * 50)
    found = finding_of(ColumnProfile(column, "category"))
    assert found.topic == topic


@pytest.mark.parametrize(
    "pattern",
    ["Lindenweg {k}", "{k} rue de la Paix", "Via Roma {k}", "Calle Mayor, {k}",
     "ul. Leśna {k}", "Storgatan {k}", "Kirkeveien {k}", "Nørregade {k}",
     "Koulukatu {k}", "Rua das Flores, {k}", "Molenstraat {k}"],
)  # fmt: skip
def test_streets_without_a_name(pattern):
    column = Column.from_texts("zzz", [pattern.format(k=k) for k in range(1, 60)])
    found = finding_of(ColumnProfile(column, "text"))
    assert (found.role, found.topic) == (DIRECT, "street")
