"""The glossary is read, and terms are found as whole words."""

import re

from deidgui import resources
from deidgui.app.attacks.words import columns_words
from deidgui.app.dossier.sensitivity_words import sensitivity_words
from deidgui.app.glossary import explained, terms
from deidgui.engine.detect.roles import Role


def test_every_term_has_a_definition_of_one_sentence():
    assert len(terms()) > 40
    for term in terms().values():
        assert term.definition.endswith(".")
        assert re.match(r"[a-z]", term.definition), term


def test_every_role_is_explained():
    for role in Role:
        assert {role.value.replace("_", " "), role.value.replace("_", "-")} & set(
            terms()
        )


def test_terms_are_whole_words_each_once():
    text = "Suppression limit and equivalence classes: each Equivalence class"
    lines = explained(text).splitlines()
    names = [line.partition(":")[0] for line in lines]
    assert names == ["Suppression limit", "Equivalence class"]
    assert explained("Quasi-identifiers, quasi-identifier").count("\n") == 0
    assert explained("recording levelled") == ""


def test_terms_are_those_that_one_pattern_of_all_forms_finds():
    """The pattern is slow, and says in one line what a term in a text is."""
    forms = {}
    for name, term in terms().items():
        forms.update({name + end: term for end in ("", "s", "es", "d", "ed")})
        if name.endswith("y"):
            forms[name[:-1] + "ies"] = term
    words = "|".join(map(re.escape, sorted(forms, key=len, reverse=True)))
    pattern = re.compile(rf"(?<![\w-])(?:{words})(?![\w-])", re.IGNORECASE)
    n_named = 0
    for page in resources.path("help").rglob("*.md"):
        for line in page.read_text(encoding="utf-8").splitlines():
            found = (forms[each[0].lower()] for each in pattern.finditer(line))
            named = dict.fromkeys(found)
            n_named += len(named)
            assert explained(line) == "\n".join(map(str, named)), line
    assert n_named > 1000


def test_what_stands_in_the_tables_of_attacks_and_of_sensitivity_is_said_plainly():
    """By a sentence beside the table, or by the glossary under the pointer."""
    for name in ("Prosecutor", "Journalist", "Marketer", "k-map", "δ-presence"):
        assert explained(name).startswith(name)
    said = " ".join(sensitivity_words())
    for head in ("Average", "highest", "T1", "T2", "T3", "T4", "Decides", "Within"):
        assert head in said
    heads = ("Known", "Values known", "Successful", "Interval", "Exact")
    assert [each.partition(":")[0] for each in columns_words()] == list(heads)
