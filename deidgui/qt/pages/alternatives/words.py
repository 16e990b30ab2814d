"""How the rule, the people and the policies of a discovery are told in words."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QCoreApplication

from deidgui.app.charts.formats import count_text, share_text
from deidgui.app.project import Chosen, Project
from deidgui.app.tasks.acceptance import Accepted, population_words
from deidgui.app.tasks.classes import Classes
from deidgui.app.tasks.discover_comparing import rule_in_words
from deidgui.app.tasks.discover_ground import Ground
from deidgui.app.tasks.discovering import Discovered
from deidgui.qt.models.alternatives import expected_text

FEW_LABELS = 2
"""So many released values of the rule are named."""

FEW_VALUES = 4
"""So many values that the rule joins are named."""


def _tr(text: str) -> str:
    return QCoreApplication.translate("alternatives", text)


def rule_name(baseline: str | None) -> str:
    """Name of a baseline as it stands in sentences and headings."""
    return {
        "safe_harbor": _tr("Safe Harbor"),
        "policy": _tr("the compared policy"),
        "typed": _tr("your limit"),
        "models": _tr("your privacy models"),
    }.get(baseline or "", _tr("the baseline"))


def effect_words(ground: Ground, attribute: str) -> tuple[str, bool]:
    """Say what the rule does to an attribute, and whether that is anything."""
    joined = ground.released_as(attribute)
    if not joined:
        return _tr("keeps every value"), False
    if len(joined) > FEW_LABELS:
        n_values = sum(len(values) for values in joined.values())
        words = _tr("releases {n:,} values as {groups:,}: {label} …")
        label = next(iter(joined))
        return words.format(n=n_values, groups=len(joined), label=label), True
    texts = []
    for label, values in joined.items():
        shown = ", ".join(values[:FEW_VALUES])
        if len(values) > FEW_VALUES:
            shown = f"{shown} … {values[-1]}"
        texts.append(_tr("writes {label} for {shown}").format(label=label, shown=shown))
    return "; ".join(texts), True


def rule_row(ground: Ground) -> tuple[str, ...]:
    """Return what the rule joins by attribute, in the form of the paper's table 3."""
    return () if ground.baseline is None else rule_in_words(ground.baseline)


def threshold_words(ground: Ground) -> str:
    """Say in one sentence what risk is allowed and where it comes from."""
    limit, baseline = ground.threshold, ground.discover.baseline
    if baseline is None:
        words = _tr(
            "As they are, {raw} of the {n} records are expected to be linked to the "
            "right person. How many would the rule allow?"
        )
        raw = expected_text(ground.raw_risk)
        return words.format(raw=raw, n=count_text(ground.n_records))
    if limit is None:
        return _tr(
            "A policy is acceptable if your privacy models hold without a record "
            "withheld."
        )
    text, n = expected_text(limit), count_text(ground.n_records)
    if baseline == "safe_harbor":
        words = _tr(
            "Under Safe Harbor, {limit} of the {n} records are expected to be linked "
            "to the right person. An alternative may not exceed that."
        )
    elif baseline == "policy":
        words = _tr(
            "Under the compared policy, {limit} of the {n} records are expected to be "
            "linked to the right person. An alternative may not exceed that."
        )
    else:
        words = _tr(
            "You accept that {limit} of the {n} records are linked to the right "
            "person, as an expected number."
        )
    return words.format(limit=text, n=n)


def people_words(
    project: Project, classes: Classes | None
) -> tuple[str, str, tuple[str, ...], bool]:
    """Say whose people these are, what it means, what it rests on, whether known.

    Returns
    -------
    tuple of (str, str, tuple of str, bool)
    """
    population = project.privacy.population
    if population.kind == "none":
        return (
            _tr("No population: the records of this file are all people there are."),
            _tr(
                "A record then counts as one of its group in the file only. That "
                "overstates the risk wherever others outside of the file share the "
                "same values, and Safe Harbor may change nothing at all. With a table "
                "of people, such as a state, the risk is that of a stranger who looks "
                "people up."
            ),
            (),
            False,
        )
    if population.kind == "sampling_fraction":
        share = share_text(population.sampling_fraction or 0)
        words = _tr("The records are a random sample of {share} of the people.")
        meaning = _tr("Each group is taken to have that many more people: an estimate.")
        return words.format(share=share), meaning, (), True
    people = getattr(classes, "people", None)
    if people is None:
        return _tr("A population is chosen."), "", (), True
    seen = people.coverage
    words = _tr("{name}: {n} people ({basis}).").format(
        name=people.name,
        n=count_text(seen.n_people),
        basis=_tr("modelled, not counted") if people.is_modelled else _tr("counted"),
    )
    meaning = _tr(
        "A record counts 1 divided by the people who share its released values."
    )
    if seen.n_cells_raised:
        raised = _tr(
            "{cells} combinations ({records} records) have fewer people than records: "
            "as many people as records are taken there."
        )
        meaning = f"{meaning} " + raised.format(
            cells=count_text(seen.n_cells_raised),
            records=count_text(seen.n_records_raised),
        )
    return words, meaning, tuple(people.sentences()), True


def found_words(discovered: Discovered) -> str:
    """Say what a search found, in one sentence."""
    counts, n = discovered.counts, len(discovered)
    if discovered.method == "frontier":
        words = _tr(
            "{n} acceptable policies that no other one found beats, of {evaluated} "
            "evaluated, in {seconds:.1f} s."
        )
    else:
        words = _tr(
            "{n} policies, none of them more specific than another; {evaluated} "
            "evaluated in {seconds:.1f} s."
        )
    text = words.format(
        n=count_text(n),
        evaluated=count_text(counts.evaluated),
        seconds=discovered.seconds,
    )
    if not discovered.is_complete:
        text = _tr("{text} The search was stopped before its end.").format(text=text)
    return text


def acceptance_words(classes: Classes, discovered: Discovered, number: int) -> str:
    """Say why a policy is acceptable, with its figures, as the evidence says it."""
    ground = discovered.ground
    population, is_modelled = population_words(classes)
    return Accepted(
        discovered.acceptance,
        ground.n_records,
        population,
        is_modelled,
        discovered.alternatives[number].risk,
        ground.threshold,
    ).words


def policy_words(chosen: Chosen, place: int, names: Mapping[str, int]) -> str:
    """Name a policy that was chosen or kept, for a list of baselines.

    Parameters
    ----------
    chosen : Chosen
    place : int
        Place in the list, from 0 on.
    names : mapping of str to int
        Values of each quasi-identifier; empty if they are not known.
    """
    if chosen.note:
        return chosen.note
    if chosen.bits:
        parts = [
            f"{name} {1 + bits.count('1')}/{names.get(name, 1 + len(bits))}"
            for name, bits in chosen.bits.items()
        ]
        words = _tr("Policy {n}: values told apart: {parts}")
    else:
        parts = [f"{name} {level}" for name, level in chosen.levels.items()]
        words = _tr("Policy {n}: levels {parts}")
    return words.format(n=place + 1, parts=", ".join(parts))
