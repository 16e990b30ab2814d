"""What is still open before a project can be run, each with the command for it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from deidgui.app.text import message_for
from deidgui.errors import DeidError, Param
from deidgui.text import tr

if TYPE_CHECKING:
    # PERF: an error that is explained waits for no engine.
    from deidgui.app.model_proposals import ModelProposal
    from deidgui.app.preparation.nearly import NearlyConstant

ROLES = ("direct_identifier", "quasi_identifier", "sensitive", "insensitive")

_OPTIONS: Mapping[str, tuple[str, ...]] = {
    "role_missing": ("--role", "{attribute}=ROLE"),
    "role_unconfirmed": ("--role", "{attribute}={role}"),
    "format_undecided": ("--format", "{attribute}=FORMAT"),
    "attribute_unknown": ("--role", "COLUMN=ROLE"),
    "no_quasi_identifier": ("--role", "COLUMN=quasi_identifier"),
    "hierarchy_missing": ("--hierarchy", "{attribute}=proposed"),
    "sensitive_hierarchy_missing": ("--hierarchy", "{attribute}=proposed"),
    "no_privacy_model": ("--recipient", "researcher"),
    "no_suppression_limit": ("--limit", "0.05"),
    "no_suppressed_choice": ("--suppressed", "left_out"),
    "sensitive_undecided": ("--model", "KIND:attribute=COLUMN"),
    "attribute_not_sensitive": ("--drop-model", "{kind}:{attribute}"),
    "events_undecided": ("--events", "proposed"),
    "context_events": ("--events", "threshold={number}"),
    "validity_trigger": ("--valid", "FROM..UNTIL", "--answered-by", "WHO"),
    "validity_ended": ("--valid", "FROM..UNTIL", "--answered-by", "WHO"),
    "validity_not_begun": ("--valid", "FROM..UNTIL", "--answered-by", "WHO"),
    "validity_agreement_ended": ("--context", "agreement.ends=DAY"),
    "validity_agreement_not_begun": ("--context", "agreement.begins=DAY"),
    "events_need_longitudinal": ("--events", "none"),
    "no_event_attribute": ("--events", "none"),
    "events_need_people": ("--key", "COLUMN"),
    "population_missing": ("--population", "fraction=SHARE"),
    "population_not_counted": ("--population", "counts=FILE"),
    "acceptance_lacks_population": ("--population", "built_in=TABLE"),
    "people_unconfirmed": ("--match", "{attribute}=HOW"),
    "people_lack_attribute": ("--match", "{attribute}=HOW"),
    "people_no_partner": ("--match", "{attribute}=HOW"),
    "discovery_element_missing": ("--element", "{attribute}=KIND"),
    "quota_unknown_attribute": ("--quota", "{attribute}=0"),
    "preference_unknown_attribute": ("--prefer", "{attribute}=none"),
    "discovery_baseline_missing": ("--baseline", "KIND"),
    "no_policy_meets": ("--limit", "{limit}"),
    "thresholds_unmet": ("--overrule", "{kind}", "--because", '"WHY"'),
    "context_exceeded": ("--overrule", "{kind}", "--because", '"WHY"'),
    "question_open": ("--accept-finding", "{question}", "--because", '"WHY"'),
    "label_open": ("--accept-finding", "{question}", "--because", '"WHY"'),
    "earlier_open": ("--earlier", "{folder}", "--because", '"WHY"'),
    "chosen_outside_limits": ("--choose", "best"),
    "chosen_violates": ("--choose", "best"),
    "chosen_policy_does_not_fit": ("--choose", "best"),
    "joined_suppresses": ("--choose", "best"),
    "level_missing": ("--choose", "best"),
    "level_unknown_attribute": ("--choose", "best"),
    "level_out_of_range": ("--choose", "best"),
    "sample_too_small": ("--accept-small-sample",),
    "sample_empty": ("--sample", "FRACTION"),
    # Who copies commands unread must neither say that the first patient is a header
    # nor that each row is a person.
    "link_orphans": ("--orphans", "left_out"),
    "link_key_hidden": ("--role", "{attribute}=direct_identifier:pseudonym"),
    "link_stars": ("--suppressed", "left_out"),
    "header_undecided": ("--first-record", "WHICH"),
    "protection_undecided": ("--key", "COLUMN"),
}
"""Options of ``deidgui decide`` that fix what an error says, by its code."""

_REASON = '"WHY"'

Inputs = Mapping[str, Path]
"""Files by input name that a person has named on the command line."""

_NONE: Inputs = MappingProxyType({})

_WHERE: Mapping[str, str] = {
    "link_orphans": "links",
    "link_stars": "export",
    "no_privacy_model": "privacy",
    "no_suppression_limit": "privacy",
    "no_suppressed_choice": "export",
    "no_quasi_identifier": "attributes",
    "thresholds_unmet": "privacy",
    "context_exceeded": "privacy",
    "acceptance_lacks_population": "privacy",
    "no_policy_meets": "privacy",
    "no_policy_releases": "privacy",
    "events_undecided": "privacy",
    "no_policy_meets_events": "privacy",
}
"""Part of the project that an error is about, where it names no column."""


def open_decisions(
    problems: Sequence[DeidError], project_file: Path, inputs: Inputs = _NONE
) -> list[dict[str, Any]]:
    """Say of each problem what it is, where, and which command fixes it.

    Parameters
    ----------
    inputs : mapping of str to Path
        Files away from the project, which every command has to name.

    Returns
    -------
    list of dict
        ``what`` is a sentence, ``where`` a column or a part of the project, ``fix`` a
        command line, or a sentence where no command fixes it.
    """
    return [
        {
            "what": message_for(each).what,
            "where": str(each.params.get("attribute") or _WHERE.get(each.code, "")),
            "fix": command_for(each, project_file, inputs)
            or message_for(each).all_fixes,
        }
        for each in problems
    ]


def command_for(problem: DeidError, project_file: Path, inputs: Inputs = _NONE) -> str:
    """Return the command that fixes a problem; empty if there is none."""
    option = _OPTIONS.get(problem.code)
    if option is None:
        return ""
    if problem.code in ("thresholds_unmet", "context_exceeded"):
        kinds = problem.params.get("kinds", ())
        every = kinds if isinstance(kinds, tuple) else ()
        named = (part for each in every for part in ("--overrule", str(each)))
        option = (*named, "--because", _REASON)
    words = {name: _word(value) for name, value in problem.params.items()}
    words.setdefault("attribute", "COLUMN")
    return _command(
        "decide", project_file, [each.format_map(words) for each in option], inputs
    )


def nearly_constant_hints(
    found: Sequence[NearlyConstant], project_file: Path, inputs: Inputs = _NONE
) -> list[dict[str, Any]]:
    """Say which columns may count as events by mistake, and the command for all.

    Returns
    -------
    list of dict
        As of `open_decisions`, with ``people``, whose rows differ, and ``of``,
        everybody.
    """
    names = ";".join(each.attribute for each in found)
    option = ("--prepare", f"one_value:columns={names},rule=RULE")
    fix = _command("decide", project_file, option, inputs)
    return [
        {
            "what": each.words(),
            "where": each.attribute,
            "fix": fix,
            "people": each.n_differing,
            "of": each.n_all,
        }
        for each in found
    ]


def proposal_lines(
    proposals: Sequence[ModelProposal], project_file: Path, inputs: Inputs = _NONE
) -> list[dict[str, Any]]:
    """Say which threshold is proposed for which sensitive column, with its command.

    Returns
    -------
    list of dict
        As of `open_decisions`, with ``why``.
    """
    found = []
    for each in proposals:
        params = each.model.to_json()
        kind = params.pop("kind")
        named = ",".join(f"{name}={value}" for name, value in params.items())
        option = ("--model", f"{kind}:{named}")
        title = tr(each.model.title)
        words = tr("{column}: {model}", column=each.attribute, model=title)
        found.append(
            {
                "what": words,
                "where": each.attribute,
                "why": each.reason,
                "fix": _command("decide", project_file, option, inputs),
            }
        )
    return found


def decide_command(project_file: Path, options: Sequence[str]) -> str:
    """Return the command that decides something of a project."""
    return _command("decide", project_file, options, _NONE)


def mask_command(project_file: Path) -> str:
    """Return the command that masks the small counts of tables."""
    options = (str(project_file), "--apply", "mask")
    return _command("counts", Path("repair"), options, _NONE)


def run_command(project_file: Path, inputs: Inputs = _NONE) -> str:
    """Return the command that releases a project."""
    return _command("run", project_file, ("--out", "FOLDER"), inputs)


def _command(
    name: str, project_file: Path, options: Sequence[str], inputs: Inputs
) -> str:
    named = [part for e in inputs.items() for part in ("--input", f"{e[0]}={e[1]}")]
    words = [name, str(project_file), *options, *named]
    return " ".join(("deidgui", *map(_quoted, words)))


def confirm_command(
    problems: Sequence[DeidError], project_file: Path, inputs: Inputs = _NONE
) -> str:
    """Return the command that takes over the roles that were proposed as certain.

    Empty if no proposed role is open.
    """
    if all(each.code != "role_unconfirmed" for each in problems):
        return ""
    return _command("decide", project_file, ("--confirm-proposals",), inputs)


def _word(value: Param) -> str:
    """A parameter as it stands in a command: of several the first."""
    return str(value[0]) if isinstance(value, tuple) else str(value)


def _quoted(token: str) -> str:
    """Quote a token for the shell; what a person has to type in stays as it is."""
    return token if token == _REASON else shlex.quote(token)
