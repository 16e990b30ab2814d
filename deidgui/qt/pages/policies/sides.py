"""Which rows does a comparison of alternatives have, and what do they say?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from deidgui.app.charts.formats import count_text
from deidgui.app.policies.alternatives.basis import Basis
from deidgui.app.policies.alternatives.comparing import SideBySide
from deidgui.app.policies.alternatives.policies import AlternativePolicies
from deidgui.app.policies.alternatives.space import preference_values
from deidgui.app.project import PreferenceChoice
from deidgui.engine.discover.sensitivity import N_POPULATIONS
from deidgui.qt.models.figures import expected_text
from deidgui.qt.pages.policies.compare import Line
from deidgui.qt.pages.policies.words import unit_of
from deidgui.text import count_words, share_text, tr


def compared_lines(
    discovered: AlternativePolicies,
    beside: SideBySide,
    preferences: Sequence[tuple[str, Sequence[float | None]]],
    first: str,
) -> tuple[Line, ...]:
    """Everything that is said about some policies side by side.

    Parameters
    ----------
    beside : SideBySide
        The first one is what the others are compared with.
    preferences : sequence of (str, sequence of float or None)
        Each preference in words, with how far each policy meets it.
    first : str
        Name of the first one.
    """
    lines = [
        Line(
            name,
            tuple(side.joined[place] for side in beside.sides),
            tr("Values in one bracket are released as one; ∅ keeps all of them."),
            is_code=True,
        )
        for place, name in enumerate(beside.attributes)
    ]
    lines += _figure_lines(discovered, beside)
    for words, met in preferences:
        cells = tuple("" if share is None else share_text(share) for share in met)
        lines.append(Line(words, cells, tr("Share of these values that is kept.")))
    return (*lines, *_difference_lines(discovered.basis, beside, first))


def rule_share(basis: Basis, preference: PreferenceChoice) -> float | None:
    """Share of the values of a preference that the rule releases as they are.

    None if there is no rule to look at.
    """
    if basis.baseline is None:
        return None
    domain = basis.domain(preference.attribute)
    wanted = preference_values(domain, preference) or domain.values
    groups = basis.baseline.groups[basis.attributes.index(preference.attribute)]
    kept = 0
    for value in wanted:
        own = domain.of_leaf == domain.index[value]
        alike = np.isin(groups, groups[own])
        kept += bool((alike == own).all())
    return kept / len(wanted)


def _figure_lines(discovered: AlternativePolicies, beside: SideBySide) -> list[Line]:
    basis, sides = discovered.basis, beside.sides
    limit, unit = basis.threshold, unit_of(basis)
    found = [
        Line(
            tr("Expected correct links"),
            tuple(expected_text(side.risk) for side in sides),
            tr("How many {unit} are linked to the right person.", unit=unit),
            starts_part=True,
        )
    ]
    if limit is not None:
        shares = [min(side.risk / limit, 1.0) for side in sides]
        words = tr("100\u202f% is as risky as the baseline.")
        texts = tuple(share_text(share) for share in shares)
        found.append(Line(tr("Of the baseline's risk"), texts, words))
    if basis.coverage.n_records_without_population:
        texts = tuple(expected_text(side.cautious) for side in sides)
        words = tr(
            "Over all {unit}; each group without enough people in the population is "
            "counted as its own.",
            unit=unit,
        )
        name = tr("Over all {unit}, with caution", unit=unit)
        found.append(Line(name, texts, words))
    found += _riskier_lines(discovered, beside)
    found += [
        Line(
            tr("Information lost"),
            tuple(share_text(side.loss / basis.highest_loss) for side in sides),
            tr("0\u202f% keeps every value, 100\u202f% joins all values."),
        ),
        Line(
            tr("Values joined"),
            tuple(count_text(sum(side.n_values)) for side in sides),
            tr("Values that are released together with others."),
        ),
        Line(
            tr("With a joined value ({unit})", unit=unit),
            tuple(count_text(side.n_records_joined) for side in sides),
            tr("All other {unit} are released exactly as they are.", unit=unit),
        ),
    ]
    if any(side.n_suppressed for side in sides):
        texts = tuple(count_text(side.n_suppressed) for side in sides)
        words = tr("How many {unit} nothing is released of.", unit=unit)
        found.append(Line(tr("Suppressed ({unit})", unit=unit), texts, words))
    return found


def _riskier_lines(
    discovered: AlternativePolicies, beside: SideBySide
) -> Iterator[Line]:
    """Who is easier to find than under the baseline, and how robust that is."""
    known, unit = [side.riskier for side in beside.sides], unit_of(discovered.basis)
    if not any(known):
        return
    yield Line(
        tr("Riskier than under the baseline"),
        tuple("" if each is None else count_text(each.n_records) for each in known),
        tr(
            "How many {unit} have a higher risk in the population than under the "
            "baseline.",
            unit=unit,
        ),
    )
    yield Line(
        tr("… by at most, in percentage points"),
        tuple("" if each is None else f"+{100 * each.most:.3g}" for each in known),
    )
    yield Line(
        tr("… together, in correct links"),
        tuple("" if each is None else f"+{each.total:.3g}" for each in known),
    )
    yield Line(
        tr("… who they are"),
        tuple("" if each is None else each.who or "–" for each in known),
        tr(
            "Values that these {unit} have, where not all values occur among them.",
            unit=unit,
        ),
    )
    numbers = [side.number for side in beside.sides]
    holding = [
        None if n < 0 else discovered.alternatives[n].figures.n_holding for n in numbers
    ]
    if any(each is not None for each in holding):
        yield Line(
            tr("Holds if people are counted otherwise"),
            tuple(
                "" if n is None else tr("{n} of {all}", n=n, all=N_POPULATIONS)
                for n in holding
            ),
            tr(
                "Populations drawn around the known one, in which it is no riskier "
                "than the baseline."
            ),
        )


def _difference_lines(basis: Basis, beside: SideBySide, first: str) -> list[Line]:
    """How each policy differs from the first one."""
    unit, by_person = unit_of(basis), basis.class_table.units is not None
    places = range(1, len(beside.sides))
    others = [beside.pairs[0, place] for place in places]
    found = [
        Line(
            tr("Released otherwise than by {first} ({unit})", first=first, unit=unit),
            ("", *(count_text(each.n_records) for each in others)),
            tr(
                "How many {unit} have at least one value that is released differently.",
                unit=unit,
            ),
            starts_part=True,
        ),
        Line(
            tr("… of these more exact"),
            ("", *(count_text(each.n_finer_right) for each in others)),
            tr("How many {unit} stand for fewer combinations of values.", unit=unit),
        ),
        Line(
            tr("… of these less exact"),
            ("", *(count_text(each.n_finer_left) for each in others)),
            tr("How many {unit} stand for more combinations of values.", unit=unit),
        ),
    ]
    for place, name in enumerate(beside.attributes):
        texts = [
            tr(
                "{values:value|values}, {records}",
                values=count_text(each.n_values[place]),
                records=count_words(each.n_records_by_attribute[place], by_person),
            )
            if each.n_values[place]
            else tr("nothing")
            for each in others
        ]
        words = tr("{name} differs from {first} in", name=name, first=first)
        found.append(Line(words, ("", *texts)))
    return found
