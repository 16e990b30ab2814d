"""Decisions on how a file is read: cells, header, country."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from deidgui.app.loaded import Loaded
from deidgui.app.project import Attribute, Project
from deidgui.app.reading.importance import importance_of
from deidgui.app.reading.reading import Inspection, propose_hierarchy
from deidgui.engine.data.dialect import Dialect
from deidgui.errors import ConfigError
from deidgui.text import tr

FIRST_RECORD: Mapping[str, bool] = {"names": True, "data": False}
"""What the first record of a file holds; whether it is a header."""

_DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|", "blank": " "}
_QUOTES = {"double": '"', "single": "'", "none": ""}
_ANSWERS = {"yes": True, "no": False}
_DIALECT: Mapping[str, Mapping[str, Any] | None] = {
    "delimiter": _DELIMITERS,
    "quote": _QUOTES,
    "header": _ANSWERS,
    "skip_blanks": _ANSWERS,
    "skip_ragged": _ANSWERS,
    "skip_lines": None,
    "encoding": None,
}
"""Words of the command line for what a dialect says, by its field."""


def dialect_parts(texts: Sequence[str]) -> dict[str, Any]:
    """Read ``NAME=VALUE`` as parts of a dialect.

    Raises
    ------
    ConfigError
        Codes ``not_one_of`` with what is valid, and those of `Dialect`.
    """
    parts: dict[str, Any] = {}
    for text in texts:
        name, _, value = text.partition("=")
        _one_of(tr("part of a dialect"), name, tuple(_DIALECT))
        words = _DIALECT[name]
        if name == "skip_lines":
            if not (value.isascii() and value.isdigit()):
                raise ConfigError("skip_lines_negative", n_lines=value)
            parts[name] = int(value)
        elif words is None or (name == "delimiter" and len(value) == 1):
            parts[name] = value
        else:
            _one_of(name, value, tuple(words))
            parts[name] = words[value]
    Dialect(**parts)
    return parts


def country_of(text: str) -> str | None:
    """Read two letters of a country; None for ``found``, which lets it be found.

    Raises
    ------
    ConfigError
        Code ``not_one_of``.
    """
    if text == "found":
        return None
    if not (len(text) == 2 and text.isascii() and text.isalpha()):
        known = (tr("two letters, as US or DE"), "found")
        raise ConfigError("not_one_of", what=tr("country"), value=text, known=known)
    return text.upper()


def _one_of(what: str, value: str, known: Sequence[str]) -> None:
    if value not in known:
        raise ConfigError("not_one_of", what=what, value=value, known=tuple(known))


def with_dialect(project: Project, **changes: Any) -> Project:
    """Return the project with its first file read otherwise.

    Who says whether there is a header has answered what the first record is.
    """
    first, *rest = project.inputs
    file = first.but(dialect=first.dialect.but(**changes))
    if "header" in changes:
        file = file.but(header_in_doubt=False, header_confirmed=True)
    return project.but(inputs=(file, *rest))


def with_country(project: Project, country: str | None) -> Project:
    """Return the project with the country that its first file comes from."""
    first, *rest = project.inputs
    return project.but(inputs=(first.but(country=country), *rest))


def follow_country(project: Project, loaded: Loaded) -> Project:
    """Return the project with proposals by the rules of another country.

    Roles that a person has confirmed, and hierarchies that are not those that were
    proposed, stay.

    Parameters
    ----------
    loaded : Loaded
        As read by the rules of the other country.
    """
    inspection: Inspection = loaded.inspection
    proposals = {each.name: each for each in inspection.proposals}

    def followed(attribute: Attribute) -> Attribute:
        proposal = proposals.get(attribute.name)
        if proposal is None:
            return attribute
        changes: dict[str, Any] = {"topic": proposal.topic}
        if not attribute.confirmed:
            changes |= {"role": proposal.role, "treatment": proposal.treatment}
        if attribute.weight == importance_of(attribute.topic):
            changes["weight"] = proposal.weight
        if attribute.but(**changes) == attribute:
            return attribute
        made = attribute.but(**changes)
        is_proposed = attribute.hierarchy is None or (
            attribute.hierarchy == propose_hierarchy(loaded, attribute)
        )
        if made.role != "quasi_identifier" or not is_proposed:
            return made
        hierarchy = propose_hierarchy(loaded, made)
        return made.but(hierarchy=hierarchy, minimum_level=None, maximum_level=None)

    return project.but(attributes=tuple(map(followed, project.attributes)))
