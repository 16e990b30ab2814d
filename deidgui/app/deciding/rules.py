"""Decisions of the command line on baselines, populations and settings."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

import pydantic

from deidgui.app import matching, ops
from deidgui.app.events_known import (
    PROPOSED_SIGNIFICANCE,
    proposed_events,
    with_threshold,
)
from deidgui.app.policies.alternatives.space import proposed_elements
from deidgui.app.project import (
    BlocksChoice,
    Chosen,
    Discover,
    ElementChoice,
    EventsKnown,
    Export,
    PreferenceChoice,
    Privacy,
    Project,
    Search,
)
from deidgui.app.storage.files import cannot_read, check_there
from deidgui.engine.data.dates import formats_of
from deidgui.engine.data.table import Table
from deidgui.engine.evidence.entered import Part
from deidgui.engine.parameters import Declared, Parameter, Registry, parameters_of
from deidgui.errors import ConfigError
from deidgui.text import tr

Read = tuple[Table, Table | None]

_BASELINES = ("none", "safe_harbor", "models", "typed=NUMBER", "policy")

_ELEMENTS = (
    "proposed",
    "age",
    "zip",
    "date",
    "date:FORMAT",
    "date:FORMAT:YEAR",
    "other",
)

_MATCHES = ("proposed", "accept_unmatched", "independent", "left_aside", "FILE.csv")
"""Besides the columns or attributes of the population."""

_ANSWERS = {"yes": True, "no": False}

_SETTINGS: Mapping[str, type[Part]] = {
    "discover.margin": Discover,
    "discover.gamma": Discover,
    "discover.census": Discover,
    "discover.mode": Discover,
    "discover.method": Discover,
    "discover.weights": Discover,
    "discover.iterations": Discover,
    "discover.budget": Discover,
    "discover.completes": Discover,
    "discover.seed": Discover,
    "search.method": Search,
    "search.most_nodes": Search,
    "search.seed": Search,
    "search.local_recoding": Search,
    "blocks.size": BlocksChoice,
    "blocks.suppress": BlocksChoice,
    "privacy.missing_matches": Privacy,
    "export.spreadsheet_safe": Export,
}
"""Settings that have no option of their own, with the part that they belong to."""


def settings() -> tuple[str, ...]:
    """Names of all settings that `with_setting` changes."""
    return tuple(_SETTINGS)


def with_setting(text: str) -> ops.Op:
    """Change one setting, as ``search.method=optimum``.

    Raises
    ------
    ConfigError
        Code ``not_one_of`` with what is valid.
    """
    name, _, value = text.partition("=")
    _one_of(tr("setting"), name, settings())
    part, _, field = name.partition(".")
    kind = _SETTINGS[name].model_fields[field].annotation
    if kind is bool:
        _one_of(name, value, tuple(_ANSWERS))
    given: Any = _ANSWERS[value] if kind is bool else value

    def op(project: Project) -> Project:
        known: Part = getattr(project, part)
        try:
            changed = known.but(**{field: given})
        except pydantic.ValidationError:
            words = get_args(kind)
            valid = tuple(e for e in words if isinstance(e, str))
            valid = valid or _bounds(type(known), field)
            raise ConfigError(
                "not_one_of", what=name, value=value, known=valid
            ) from None
        return project.but(**{part: changed})

    return op


def _bounds(part: type[Part], field: str) -> tuple[str, ...]:
    """Numbers that a field takes, in words."""
    found = " ".join(map(str, part.model_fields[field].metadata))
    limits = dict(re.findall(r"\b(gt|ge|lt|le)=([\d.]+)", found))
    signs = {"gt": ">", "ge": "≥", "lt": "<", "le": "≤"}
    words = " ".join(
        f"{signs[each]} {limits[each]}" for each in signs if each in limits
    )
    return (tr("a number {limits}", limits=words).strip(),)


# -- what an adversary knows of a person's events --------------------------------------


def with_events(text: str) -> ops.Op:
    """Decide what is known of events, as ``proposed,power=10`` or ``none``.

    What is not named stays as it was decided; ``proposed`` first takes over what is
    usual. With another threshold goes the limit that is usual for it, unless one is
    named.

    Raises
    ------
    ConfigError
        Codes ``not_one_of`` with what is valid, and ``events_undecided``.
    """
    if text == "none":
        return ops.set_events(None)
    first, *others = text.split(",")
    is_proposed = first == "proposed"
    parts = others if is_proposed else [first, *others]
    given = {name: value for name, _, value in (e.partition("=") for e in parts)}
    known = tuple(EventsKnown.model_fields)
    for name in given:
        valid = ("proposed", "none", *(f"{each}=VALUE" for each in known))
        if name not in known:
            raise ConfigError("not_one_of", what="events", value=name, known=valid)

    def op(project: Project) -> Project:
        before = project.privacy.events
        if is_proposed:
            before = proposed_events(project)
        if before is None:
            raise ConfigError("events_undecided")
        return ops.set_events(_changed_events(before, given))(project)

    return op


def _changed_events(before: EventsKnown, given: Mapping[str, str]) -> EventsKnown:
    """Change some fields of a decision, each as it was typed."""
    changes: dict[str, Any] = dict(given)
    if "rule" in given and "significance" not in given:
        changes["significance"] = (
            PROPOSED_SIGNIFICANCE if given["rule"] == "poisson" else None
        )
    found = before
    try:
        if "threshold" in given:
            found = with_threshold(found, float(given["threshold"]))
        return EventsKnown.model_validate({**found.model_dump(), **changes})
    except ValueError as error:
        name = _wrong_field(error, given)
        words = get_args(EventsKnown.model_fields[name].annotation)
        valid = tuple(e for e in words if isinstance(e, str)) or _bounds(
            EventsKnown, name
        )
        raise ConfigError(
            "not_one_of", what=f"events {name}", value=given.get(name, ""), known=valid
        ) from None


def _wrong_field(error: ValueError, given: Mapping[str, str]) -> str:
    """Name the field that cannot be what was typed."""
    if isinstance(error, pydantic.ValidationError):
        for each in error.errors():
            if each["loc"]:
                return str(each["loc"][0])
        return "significance"
    return "threshold" if "threshold" in given else next(iter(given))


# -- what an alternative may be no riskier than ----------------------------------------


def with_baseline(text: str) -> ops.Op:
    """Say what an alternative may be no riskier than.

    Raises
    ------
    ConfigError
        Codes ``not_one_of`` with what is valid, and ``baseline_without_policy``.
    """
    kind, _, value = text.partition("=")
    typed: float | None = None
    if kind == "typed":
        try:
            typed = float(value)
        except ValueError:
            typed = -1.0
    is_wrong = typed is not None and not typed > 0
    if is_wrong or kind not in ("none", "safe_harbor", "models", "typed", "policy"):
        raise ConfigError(
            "not_one_of", what=tr("baseline"), value=text, known=_BASELINES
        )

    def op(project: Project) -> Project:
        policy: Chosen | None = project.chosen if kind == "policy" else None
        if kind == "policy" and policy is None:
            raise ConfigError("baseline_without_policy")
        baseline = None if kind == "none" else kind
        discover = project.discover.but(baseline=baseline, typed=typed, policy=policy)
        return project.but(discover=discover)

    return op


def with_element(name: str, value: str) -> ops.Op:
    """Say what a quasi-identifier is for the Safe Harbor rule.

    Raises
    ------
    ConfigError
        Codes ``not_one_of`` and ``date_format_unknown``.
    """
    kind, _, rest = value.partition(":")
    shape, _, year = rest.partition(":")
    known = ("proposed", "age", "zip", "date", "other")
    is_year = not year or (year.isascii() and year.isdigit() and len(year) == 4)
    if kind not in known or (rest and kind != "date") or not is_year:
        raise ConfigError(
            "not_one_of", what=tr("element"), value=value, known=_ELEMENTS
        )

    def op(project: Project) -> Project:
        proposals = proposed_elements(project)
        if name not in proposals:
            quasi = tuple(proposals)
            raise ConfigError(
                "not_one_of", what=tr("quasi-identifier"), value=name, known=quasi
            )
        if shape:
            formats_of(shape)
        proposed = element = proposals[name]
        if kind != "proposed":
            is_date = kind == "date"
            element = ElementChoice.model_validate(
                {
                    "kind": kind,
                    "date_format": shape or None,
                    "oldest_year": int(year) if year else None,
                }
            )
            if is_date and not rest and proposed.kind == "date":
                element = proposed
        elements = {**project.discover.elements, name: element}
        return project.but(discover=project.discover.but(elements=elements))

    return op


# -- what a search for alternatives follows --------------------------------------------


def with_quota(name: str, value: str) -> ops.Op:
    """Say how many of the searches join values of a quasi-identifier alone.

    Parameters
    ----------
    value : str
        A share of the searches in [0, 1]; 0 takes the quota back.

    Raises
    ------
    ConfigError
        Codes ``share_out_of_range``, ``quotas_too_many`` and ``not_one_of``.
    """
    share = share_of(tr("quota"), value)

    def op(project: Project) -> Project:
        others = {**project.discover.quotas}
        others.pop(name, None)
        if share:
            quasi = tuple(each.name for each in project.quasi_identifiers)
            _one_of(tr("quasi-identifier"), name, quasi)
        left = 1 - sum(others.values())
        if share > left + 1e-9:
            raise ConfigError("quotas_too_many", attribute=name, left=max(0.0, left))
        quotas = {**others, name: share} if share else others
        return project.but(discover=project.discover.but(quotas=quotas))

    return op


_PREFERENCES = ("all", "LOW..HIGH", "all:must", "LOW..HIGH:WEIGHT", "none")

_VALUES_FORM = re.compile(
    r"(?:all|(-?[\d.]+)?\.\.(-?[\d.]+)?)(?::(must|[\d.]+))?", re.ASCII
)


def with_preference(name: str, value: str) -> ops.Op:
    """Say which values of a quasi-identifier are rather kept as they are.

    Parameters
    ----------
    value : str
        ``all``, or numbers ``LOW..HIGH`` of which one may be missing; with ``:must``
        policies that do not keep them are left out, with ``:WEIGHT`` it counts so
        much. ``none`` takes back all preferences about the column.

    Raises
    ------
    ConfigError
        Code ``not_one_of`` with what is valid.
    """
    refused = ConfigError(
        "not_one_of", what=tr("preference"), value=value, known=_PREFERENCES
    )
    wanted: tuple[PreferenceChoice, ...] = ()
    if value != "none":
        try:
            wanted = (_preference(name, value),)
        except (pydantic.ValidationError, ValueError):
            raise refused from None

    def op(project: Project) -> Project:
        known = project.discover.preferences
        if wanted:
            quasi = tuple(each.name for each in project.quasi_identifiers)
            _one_of(tr("quasi-identifier"), name, quasi)
            values = _values_of(wanted[0])
            kept = tuple(each for each in known if _values_of(each) != values)
        else:
            kept = tuple(each for each in known if each.attribute != name)
        discover = project.discover.but(preferences=(*kept, *wanted))
        return project.but(discover=discover)

    return op


def _preference(name: str, value: str) -> PreferenceChoice:
    """Read a preference; ValueError if it is none."""
    said = _VALUES_FORM.fullmatch(value)
    if said is None or value.startswith("..:") or value == "..":
        raise ValueError(value)
    low, high, how = said.groups()
    bounds = {"low": low, "high": high}
    numbers = {key: float(text) for key, text in bounds.items() if text is not None}
    if len(numbers) == 2 and numbers["low"] > numbers["high"]:
        raise ValueError(value)
    is_demanded = how == "must"
    weight = float(how) if how and not is_demanded else 1.0
    return PreferenceChoice(
        attribute=name, **numbers, weight=weight, is_demanded=is_demanded
    )


def _values_of(preference: PreferenceChoice) -> tuple[Any, ...]:
    """Which values a preference is about: the same ones are preferred once."""
    low, high = preference.low, preference.high
    return preference.attribute, low, high, preference.places


def share_of(what: str, text: str) -> float:
    """Read a share that somebody typed.

    Raises
    ------
    ConfigError
        Code ``share_out_of_range``.
    """
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        raise ConfigError("share_out_of_range", what=what, value=text)
    return number


# -- where the population knows a quasi-identifier -------------------------------------


def with_match(
    project: Project, read: Read, files: Mapping[str, bytes], name: str, value: str
) -> tuple[ops.Op, dict[str, bytes]]:
    """Say how a quasi-identifier is found in the population.

    Parameters
    ----------
    read : tuple of (Table, Table or None)
        The table as read, and the file of the population.
    files : mapping of str to bytes
        CSVs of hierarchies and mappings by relative path.
    value : str
        A column or attribute of the population; proposed: the values stand for what is
        proposed; a CSV that says for what they stand; accept_unmatched: some stand for
        nobody; independent, left_aside: the population does not know it.

    Returns
    -------
    tuple of (Op, dict of str to bytes)
        The decision, and the files that it names.

    Raises
    ------
    ConfigError
        Codes ``not_one_of`` with what is valid, and ``population_missing``.
    InputError
        Of a CSV that cannot be read.
    """
    if value in ("independent", "left_aside"):
        lacking: matching.LackingChoice = "independent"
        if value == "left_aside":
            lacking = "left aside"
        return matching.set_lacking(name, lacking), {}
    found = matching.propose_matching(project, read[0], files, read[1])
    known = {each.attribute: each for each in found.attributes}
    _one_of(tr("quasi-identifier"), name, tuple(known))
    match = known[name]
    if value in match.targets:
        return matching.set_target(name, value), {}
    if match.mapping is None:
        valid = (*match.targets, "independent", "left_aside")
        raise ConfigError("not_one_of", what=tr("match"), value=value, known=valid)
    if value == "accept_unmatched":
        return matching.accept_unmatched(match), {}
    if value == "proposed":
        confirmation = matching.confirm_match(match)
        return confirmation.op, {confirmation.name: confirmation.content}
    path = Path(value)
    check_there(path, ".csv")
    if not path.is_file():
        valid = (*match.targets, *_MATCHES)
        raise ConfigError("not_one_of", what=tr("match"), value=value, known=valid)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise cannot_read(path, error) from None
    made = matching.confirm_file(match, content)
    return made.op, {made.name: made.content}


def with_unknown_columns(
    project: Project, read: Read, files: Mapping[str, bytes], value: str
) -> ops.Op:
    """Decide on all quasi-identifiers that the population does not know, at once.

    Parameters
    ----------
    read : tuple of (Table, Table or None)
        The table as read, and the file of the population.
    value : str
        independent or left_aside; for columns about which nobody has decided.

    Raises
    ------
    ConfigError
        Codes ``not_one_of`` with what is valid, ``no_population_to_match`` and
        ``population_knows_all``.
    """
    _one_of(tr("choice for columns not in the population"), value, tuple(_LACKING))
    found = matching.propose_matching(project, read[0], files, read[1])
    if not found.attributes:
        raise ConfigError("no_population_to_match")
    unknown = [each for each in found.attributes if each.is_unknown]
    if not unknown:
        raise ConfigError("population_knows_all")
    names = [each.attribute for each in unknown if not each.is_settled]
    return matching.set_all_lacking(names, _LACKING[value])


_LACKING: Mapping[str, matching.LackingChoice] = {
    "independent": "independent",
    "left_aside": "left aside",
}


def _one_of(what: str, value: str, known: Sequence[str]) -> None:
    if value not in known:
        raise ConfigError("not_one_of", what=what, value=value, known=tuple(known))


# -- models of a registry --------------------------------------------------------------


def declared(registry: Registry[Any], text: str) -> Any:
    """Build a model of a registry from ``KIND:PARAM=VALUE,PARAM=VALUE``.

    Raises
    ------
    ConfigError
        If kind or parameter is unknown, missing or out of range; names what is valid.
    """
    kind = text.partition(":")[0]
    cls: type[Declared] = registry[kind]
    return registry.from_json({"kind": kind, **typed_params(cls, text)})


def typed_params(cls: type[Declared], text: str) -> dict[str, Any]:
    """Parameters as they were typed after the kind."""
    kind, _, rest = text.partition(":")
    known = {each.name: each for each in parameters_of(cls)}
    names = "|".join(map(re.escape, known)) or "$^"
    parts = re.split(rf",(?=(?:{names})=)", rest) if rest else []
    params: dict[str, Any] = {}
    for part in parts:
        name, equals, value = part.partition("=")
        if not equals or name not in known:
            valid = tuple(known) or ("none",)
            what = tr("parameter of {kind}", kind=kind)
            raise ConfigError("not_one_of", what=what, value=name, known=valid)
        params[name] = _value(known[name], value)
    return params


def _value(parameter: Parameter, text: str) -> Any:
    """Read a value as its parameter needs it."""
    if parameter.type is str:
        return text
    if parameter.type is tuple:
        if parameter.element is str:
            return text.split(";")
        return [_json(each) for each in text.split(";")]
    return _json(text)


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
