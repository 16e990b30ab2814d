"""The glossary is read, and terms are found as whole words."""

import re

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
