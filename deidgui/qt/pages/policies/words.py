"""How the rule, the people and the policies of a discovery are told in words."""

from __future__ import annotations

from collections.abc import Mapping

from deidgui.app.charts.formats import count_text
from deidgui.app.classes import Classes
from deidgui.app.policies.alternatives.basis import Basis, rule_in_words
from deidgui.app.policies.alternatives.policies import AlternativePolicies
from deidgui.app.policies.candidate import Cell
from deidgui.app.project import Chosen, Project
from deidgui.engine.data.hierarchy import SUPPRESSED
from deidgui.engine.discover.clusters import Cluster, DomainPart
from deidgui.qt.models.figures import Figure, expected_text
from deidgui.text import share_text, tr, unit_words

FEW_LABELS = 2
"""So many released values of the rule are named."""

NOTEWORTHY = 0.15
"""A part of an attribute with so much of what is joined is named."""

FEW_VALUES = 4
"""So many values that the rule joins are named."""


def rule_name(baseline: str | None) -> str:
    """Name of a baseline as it stands in sentences and headings."""
    return {
        "safe_harbor": tr("Safe Harbor"),
        "policy": tr("the compared policy"),
        "typed": tr("your limit"),
        "models": tr("your privacy models"),
    }.get(baseline or "", tr("the baseline"))


def effect_words(basis: Basis, attribute: str) -> tuple[str, bool]:
    """Say what the rule does to an attribute, and whether that is anything."""
    joined = basis.released_as(attribute)
    if not joined:
        return tr("keeps every value"), False
    if len(joined) > FEW_LABELS:
        n_values = sum(len(values) for values in joined.values())
        words = tr(
            "releases {n:value|values} as {groups:,}: {label} …",
            n=n_values,
            groups=len(joined),
            label=next(iter(joined)),
        )
        return words, True
    texts = []
    for label, values in joined.items():
        shown = ", ".join(values[:FEW_VALUES])
        if len(values) > FEW_VALUES:
            shown = f"{shown} … {values[-1]}"
        texts.append(tr("writes {label} for {shown}", label=label, shown=shown))
    return "; ".join(texts), True


def rule_row(basis: Basis) -> tuple[str, ...]:
    """Return what the rule joins by attribute, in the form of the paper's table 3."""
    return rule_in_words(basis)


def rule_cells(basis: Basis) -> tuple[Cell, ...]:
    """Return what the rule does to each attribute, as of a policy."""
    rule = basis.baseline
    assert rule is not None
    parts = zip(
        basis.attributes, rule.groups, rule.is_kept, rule_row(basis), strict=True
    )
    return tuple(
        Cell(name, "kept", tr("kept in full"), None, 0)
        if is_kept
        else Cell(name, "removed", tr("removed"), None, 0)
        if text == f"[{SUPPRESSED}]"
        else Cell(name, "joined", text, None, 0, tuple(groups.tolist()))
        for name, groups, is_kept, text in parts
    )


def unit_of(basis: Basis) -> str:
    """What is compared with the population: records or people."""
    return unit_words(basis.class_table.units is not None)


def threshold_words(basis: Basis) -> str:
    """Say in one sentence what risk is allowed and where it comes from."""
    limit, baseline = basis.threshold, basis.discover.baseline
    if baseline is None:
        return tr(
            "As they are, {raw} of the {n} {unit} are expected to be linked to the "
            "right person. How many would the rule allow?",
            raw=expected_text(basis.raw_risk),
            n=count_text(basis.n_compared),
            unit=unit_of(basis),
        )
    if limit is None:
        return tr(
            "A policy is acceptable if your privacy models hold without suppression."
        )
    text, n = expected_text(limit), count_text(basis.n_compared)
    if baseline == "typed":
        return tr(
            "You accept that {limit} of the {n} {unit} are linked to the right "
            "person, as an expected number.",
            limit=text,
            n=n,
            unit=unit_of(basis),
        )
    words = tr(
        "Under {whose}, {limit} of the {n} {unit} are expected to be linked to the "
        "right person.",
        whose=rule_name(baseline),
        limit=text,
        n=n,
        unit=unit_of(basis),
    )
    allowed = tr("An alternative may not exceed that.")
    if basis.margin:
        allowed = tr(
            "An alternative must be at least {margin} below that: {allowed} at most.",
            margin=share_text(basis.margin),
            allowed=expected_text(basis.limit or 0.0),
        )
    return f"{words} {allowed}"


def _other_sum(basis: Basis) -> str:
    """Say the baseline's risk over all records where some have nobody there."""
    rule = basis.baseline
    if rule is None or not basis.coverage.n_records_without_population:
        return ""
    return tr(
        "Over all {n} {unit} it is {cautious}, if each group without enough people "
        "counts as its own; that is no limit.",
        n=count_text(basis.class_table.n_records),
        unit=unit_of(basis),
        cautious=expected_text(rule.sums.cautious),
    )


def population_words(
    project: Project, classes: Classes | None
) -> tuple[str, str, tuple[str, ...], bool]:
    """Say whose people these are, what it means, what it rests on, whether known."""
    population = project.privacy.population
    if population.kind == "none":
        return (
            tr("No population: the people of this file are all people there are."),
            tr(
                "Everybody then counts as one of their group in the file only. That "
                "overstates the risk wherever others outside of the file share the "
                "same values, and Safe Harbor may change nothing at all. With a table "
                "of people, such as a state, the risk is that of a stranger who looks "
                "people up."
            ),
            (),
            False,
        )
    if population.kind == "sampling_fraction":
        share = share_text(project.fraction or 0)
        words = tr("The file is a random sample of {share} of the people.", share=share)
        meaning = tr("Each group is taken to have that many more people: an estimate.")
        return words, meaning, (), True
    known = getattr(classes, "population", None)
    if known is None:
        return tr("A population is chosen."), "", (), True
    seen = known.coverage
    words = tr(
        "{name}: {n:person|people} ({basis}).",
        name=known.name,
        n=count_text(seen.population_size),
        basis=tr("modelled, not counted") if known.is_modelled else tr("counted"),
    )
    meaning = tr("Each counts 1 divided by the people who share the released values.")
    if seen.n_cells_raised:
        raised = tr(
            "Combinations with fewer people than records: {cells} "
            "({records:record|records}); as many people as records are taken there.",
            cells=count_text(seen.n_cells_raised),
            records=count_text(seen.n_records_raised),
        )
        meaning = f"{meaning} " + raised
    return words, meaning, tuple(known.sentences()), True


def found_words(discovered: AlternativePolicies) -> str:
    """Say what a search found, in one sentence."""
    counts, n = discovered.counts, len(discovered)
    if discovered.method == "frontier":
        words = tr(
            "{n:acceptable policy|acceptable policies} that no other one found "
            "beats, of {evaluated} evaluated, in {seconds:.1f} s.",
            n=count_text(n),
            evaluated=count_text(counts.evaluated),
            seconds=discovered.seconds,
        )
    else:
        words = tr(
            "{n:policy|policies}, none more specific than another; {evaluated} "
            "evaluated in {seconds:.1f} s.",
            n=count_text(n),
            evaluated=count_text(counts.evaluated),
            seconds=discovered.seconds,
        )
        if discovered.every_policy_acceptable:
            words = tr("Every policy is acceptable: this one keeps all values.")
    text = words
    if not discovered.is_complete:
        words = tr(
            "{n:policy|policies} found until the search was stopped.", n=count_text(n)
        )
        text = words
    return text


def policy_words(chosen: Chosen, place: int, names: Mapping[str, int]) -> str:
    """Name a policy that was chosen or kept, for a list of baselines.

    Parameters
    ----------
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
        words = tr(
            "Policy {n}: values told apart: {parts}",
            n=place + 1,
            parts=", ".join(parts),
        )
    else:
        parts = [f"{name} {level}" for name, level in chosen.levels.items()]
        words = tr("Policy {n}: levels {parts}", n=place + 1, parts=", ".join(parts))
    return words


def cluster_words(cluster: Cluster) -> str:
    """Say what the policies of a kind have in common, in one or two sentences."""
    names = list(dict.fromkeys(part.attribute for part in cluster.parts))
    texts, kept = [], []
    for name in names:
        own = [
            (part, share)
            for part, share in zip(cluster.parts, cluster.shares, strict=True)
            if part.attribute == name
        ]
        if any(share for _part, share in own):
            texts.append(_joined_words(name, own))
        else:
            kept.append(name)
    if kept:
        texts.append(tr("{names} exact", names=", ".join(kept)))
    return "; ".join(texts)


def _joined_words(name: str, own: list[tuple[DomainPart, float]]) -> str:
    """Say how much of an attribute is joined, and in which part most of it."""
    sizes = [part.end - part.start for part, _share in own]
    joined = [size * share for size, (_, share) in zip(sizes, own, strict=True)]
    share = sum(joined) / sum(sizes)
    if share == 1:
        return tr("{name} removed", name=name)
    degree = (
        tr("a few values of {name} joined", name=name)
        if share < 1 / 3
        else tr("many values of {name} joined", name=name)
        if share < 2 / 3
        else tr("most values of {name} joined", name=name)
    )
    strong = [each >= NOTEWORTHY * sum(joined) for each in joined]
    if all(strong):
        return degree
    ranges: list[tuple[str, str]] = []
    for place, (part, _share) in enumerate(own):
        if strong[place] and place and strong[place - 1]:
            ranges[-1] = ranges[-1][0], part.last
        elif strong[place]:
            ranges.append((part.first, part.last))
    (low, high), *others = ranges
    text = tr("{degree}, from {low} to {high}", degree=degree, low=low, high=high)
    for low, high in others:
        text += tr(" and from {low} to {high}", low=low, high=high)
    return text


def power_text(exponent: int) -> str:
    """Write a power of two: 2¹⁰⁵."""
    return "2" + f"{exponent}".translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))


def risk_sentence(found: AlternativePolicies, row: int) -> str:
    """Say what the risk of an alternative is, against what is allowed."""
    basis, risk = found.basis, found.alternatives[row].risk
    if basis.limit is None:
        return tr(
            "All privacy models hold without suppression; {risk} correct links are "
            "expected in {n:,} {unit}.",
            risk=expected_text(risk),
            n=basis.n_compared,
            unit=unit_of(basis),
        )
    words = tr(
        "{risk} correct links expected in {n:,} {unit}; {limit} are allowed.",
        risk=expected_text(risk),
        n=basis.n_compared,
        unit=unit_of(basis),
        limit=expected_text(basis.limit or 0.0),
    )
    cautious = found.alternatives[row].figures.cautious_risk
    if cautious is None or not basis.coverage.n_records_without_population:
        return words
    over_all = tr(
        "Over all {n:,} {unit} {cautious}, if each group without enough people counts "
        "as its own.",
        n=basis.class_table.n_records,
        unit=unit_of(basis),
        cautious=expected_text(cautious),
    )
    return f"{words} {over_all}"


def alternative_figures(found: AlternativePolicies, row: int) -> tuple[Figure, ...]:
    """Figures that only alternatives have."""
    each, basis = found.alternatives[row], found.basis
    n_values = sum(domain.n_in_file for domain in basis.space.domains)
    figures = [
        Figure(
            tr("On average for each"),
            share_text(basis.per_record(each.risk)),
            "",
            tr("Average probability of a correct link."),
            each.risk,
        ),
        Figure(
            tr("Values joined"),
            count_text(each.n_joined),
            tr("of {n:,} in the file", n=n_values),
            tr(
                "Values of the file that are released together with others; a missing "
                "value counts as one."
            ),
            each.n_joined,
        ),
        Figure(
            tr("Information lost"),
            share_text(each.loss_share),
            "",
            tr("0\u202f% keeps every value, 100\u202f% joins all values."),
            each.loss_share,
        ),
    ]
    if basis.threshold is not None:
        share = min(float(found.risk_share[row]), 1.0)
        words = tr("100\u202f% is as risky as the baseline.")
        label = tr("Of the baseline's risk")
        figures.insert(0, Figure(label, share_text(share), "", words, share))
    return tuple(figures)


def help_text(basis: Basis) -> str:
    """Say what is allowed."""
    return " ".join(filter(None, (threshold_words(basis), _other_sum(basis))))
