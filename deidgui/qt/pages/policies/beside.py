"""Which policies stand side by side, with the figures they are compared by."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from deidgui.app.charts.plane import Flag
from deidgui.app.jobs import Job, Lane
from deidgui.app.policies.alternatives.comparing import BASELINE, compare
from deidgui.app.policies.alternatives.judging import (
    JudgedAlternative,
    judged_alternatives,
)
from deidgui.app.policies.alternatives.policies import AlternativePolicies, order
from deidgui.app.policies.candidate import Figures, cells_of
from deidgui.app.policies.decisions import weights_of
from deidgui.app.policies.lattice.what_if import MOST_KEPT
from deidgui.app.policies.policy_set import PolicySet
from deidgui.app.policies.runner import ALTERNATIVES
from deidgui.app.project import Chosen, PreferenceChoice, Project
from deidgui.app.session import Kind
from deidgui.monitor import Monitor, SubMonitor
from deidgui.qt.models.figures import Figure, Flags, policy_figures
from deidgui.qt.pages.policies.compare import Line, Side
from deidgui.qt.pages.policies.detail import PreferenceMet
from deidgui.qt.pages.policies.preferences import preference_words
from deidgui.qt.pages.policies.sides import compared_lines, rule_share
from deidgui.qt.pages.policies.words import rule_cells, rule_name
from deidgui.text import tr

if TYPE_CHECKING:
    from deidgui.app.workspace import Workspace


class WantedSides(NamedTuple):
    """What stands side by side.

    Parameters
    ----------
    numbers : tuple of int
        Policies of the set.
    others : tuple of Chosen
        Stored alternatives that are not in the set.
    n_lost : int
        Kept policies that do not fit the decisions of now.
    """

    numbers: tuple[int, ...]
    others: tuple[Chosen, ...]
    n_lost: int


class MeasuredSides(NamedTuple):
    """What was measured for a comparison."""

    figures: tuple[Figures, ...] = ()
    others: tuple[JudgedAlternative, ...] = ()


class ShownSides(NamedTuple):
    """As `CompareView.show_sides` takes it."""

    sides: tuple[Side, ...]
    lines: tuple[Line, ...]
    note: str


class Comparing:
    """Measures what stands side by side anew when decisions change.

    Parameters
    ----------
    changed : callable
        Told when there are other figures.
    failed : callable
        Told what went wrong.
    """

    def __init__(
        self,
        workspace: Workspace,
        changed: Callable[[], None],
        failed: Callable[[BaseException], None],
    ) -> None:
        self._workspace = workspace
        self._changed, self._failed = changed, failed
        self._known = MeasuredSides()
        self._of: object = None

    def of(self, policies: PolicySet, flags: Flags, selected: int | None) -> ShownSides:
        """Return what stands side by side; measures what is not known."""
        project = self._workspace.session.project
        wanted = _wanted(project, policies, flags, selected)
        known = self._measured(project, policies, wanted)
        sides = [
            self._side(policies, number, flags.get(number, ()), figures)
            for number, figures in zip(
                wanted.numbers, known.figures or _listed(policies, wanted), strict=True
            )
        ]
        sides += [_stored_side(project, each) for each in known.others]
        found = policies.part(ALTERNATIVES)
        first: list[Side] = []
        lines: tuple[Line, ...] = ()
        if isinstance(found, AlternativePolicies):
            rule, lines = _against_rule(project, policies, found, wanted, len(sides))
            first = [rule] if rule is not None and sides else []
        lost = tr(
            "{n} kept under earlier thresholds or hierarchies are not shown.",
            n=wanted.n_lost,
        )
        note = lost if wanted.n_lost else ""
        return ShownSides((*first, *sides), lines, note)

    def _side(
        self, policies: PolicySet, number: int, flags: tuple[Flag, ...], known: Figures
    ) -> Side:
        candidate = policies.candidate(number)
        project = self._workspace.session.project
        words = (
            tr("No. {rank:,}", rank=candidate.rank)
            if candidate.rank
            else tr("Fails the thresholds")
        )
        reason = "" if candidate.rank else tr("It does not meet the thresholds.")
        return Side(
            words,
            flags,
            candidate.cells,
            policy_figures(
                known,
                candidate.n_records,
                project.quality.measure,
                weights=weights_of(project),
                of_people=candidate.by_person,
                who=candidate.riskier,
            ),
            candidate.chosen,
            reason,
        )

    def _measured(
        self, project: Project, policies: PolicySet, wanted: WantedSides
    ) -> MeasuredSides:
        """What is known; starts a job for what is not."""
        classes = self._workspace.session.current(Kind.CLASSES)
        decided = (project.quality, project.discover, project.privacy.models)
        # Sets and classes are equal only to themselves; holding them keeps it so.
        of = (policies, wanted, classes, *decided)
        if of == self._of:
            return self._known
        self._of, self._known = of, MeasuredSides()
        if classes is None:
            return self._known

        def work(monitor: Monitor) -> MeasuredSides:
            step = SubMonitor(monitor, 0.0, 0.7)
            figures = [policies.measure(n, step).figures for n in wanted.numbers]
            step = SubMonitor(monitor, 0.7, 1.0)
            others = judged_alternatives(project, classes, wanted.others, monitor=step)
            return MeasuredSides(tuple(figures), others)

        def done(known: MeasuredSides) -> None:
            # What was decided since may ask for nothing, and so start no other job.
            if of == self._of:
                self._known = known
                self._changed()

        self._workspace.runner.start(Lane.COMPARE, work, Job(done, self._failed))
        return self._known


def _wanted(
    project: Project, policies: PolicySet, flags: Flags, selected: int | None
) -> WantedSides:
    """Kept policies; beside a single one the best, chosen or selected ones too."""
    stored = [*project.kept]
    chosen = project.chosen
    is_kept = chosen is not None and any(map(chosen.is_same, project.kept))
    if chosen is not None and chosen.bits and not is_kept:
        stored.insert(0, chosen)
    numbers, others, n_lost = list[int](), list[Chosen](), 0
    for each in stored:
        number = policies.number_of(each)
        if number is not None:
            numbers.append(number)
        elif each.bits:
            others.append(each)
        else:
            n_lost += 1
    if len(numbers) + len(others) == 1:
        beside = {Flag.OPTIMUM, Flag.PICKED, Flag.CHOSEN}
        marked = [number for number, own in flags.items() if beside & set(own)]
        first = [n for n in [*marked, selected] if n is not None and n not in numbers]
        numbers = [*dict.fromkeys(first), *numbers]
    elif not numbers and not others and _is_alternative(policies, selected):
        # The rule that it is measured by stands beside it.
        numbers = [selected] if selected is not None else []
    return WantedSides(tuple(dict.fromkeys(numbers))[:MOST_KEPT], tuple(others), n_lost)


def _is_alternative(policies: PolicySet, number: int | None) -> bool:
    return number is not None and policies.rows_in(ALTERNATIVES)[number] >= 0


def _listed(policies: PolicySet, wanted: WantedSides) -> tuple[Figures, ...]:
    """Figures as the list has them, until every one is measured."""
    return tuple(policies.candidate(number).figures for number in wanted.numbers)


def _stored_side(project: Project, kept: JudgedAlternative) -> Side:
    """A stored alternative that is not among those found."""
    chosen = project.chosen
    flags = (Flag.KEPT,) if kept.chosen in project.kept else ()
    if chosen is not None and kept.chosen.is_same(chosen):
        flags = (Flag.CHOSEN, *flags)
    figures: tuple[Figure, ...] = policy_figures(
        kept.figures,
        kept.accepted.n_records,
        project.quality.measure,
        weights=weights_of(project),
    )
    reason = "" if kept.accepted.is_met else kept.accepted.words
    cells = cells_of(kept.policy)
    return Side(tr("Alternative"), flags, cells, figures, kept.chosen, reason)


def _against_rule(
    project: Project,
    policies: PolicySet,
    found: AlternativePolicies,
    wanted: WantedSides,
    n_sides: int,
) -> tuple[Side | None, tuple[Line, ...]]:
    """What is known of alternatives only: joined values, records that differ."""
    rows = policies.rows_in(ALTERNATIVES)[list(wanted.numbers)].tolist()
    places = [place for place, row in enumerate(rows) if row >= 0]
    has_rule = found.basis.baseline is not None
    if len(places) + has_rule < 2 or not places:
        return None, ()
    every = [BASELINE, *(rows[place] for place in places)]
    every = every if has_rule else every[1:]
    name = rule_name(found.basis.discover.baseline)
    met = preferences_met(project, found, every)
    lines = compared_lines(found, compare(found, every), met, name)
    rule = Side(name, cells=rule_cells(found.basis)) if has_rule else None
    return rule, tuple(
        replace(each, cells=_spread(each.cells, places, n_sides, has_rule=has_rule))
        for each in lines
    )


def _spread(
    cells: Sequence[str], places: Sequence[int], n_sides: int, *, has_rule: bool
) -> tuple[str, ...]:
    """Put cells of alternatives where they stand among all policies."""
    found = [""] * n_sides
    for place, text in zip(places, cells[has_rule:], strict=True):
        found[place] = text
    return (*cells[:has_rule], *found)


def fitting_preferences(
    project: Project, found: AlternativePolicies
) -> tuple[PreferenceChoice, ...]:
    """Preferences on attributes that a result, maybe an earlier one, knows."""
    names = found.basis.attributes
    return tuple(
        each for each in project.discover.preferences if each.attribute in names
    )


def preferences_met(
    project: Project, found: AlternativePolicies, rows: Sequence[int]
) -> list[tuple[str, list[float | None]]]:
    """Each preference in words, and how far some alternatives or the rule keep it."""
    preferred = fitting_preferences(project, found)
    shares = order(found, preferred).shares
    return [
        (
            preference_words(preference, found.basis.domain(preference.attribute)),
            [
                rule_share(found.basis, preference)
                if row == BASELINE
                else shares[at, row]
                for row in rows
            ],
        )
        for at, preference in enumerate(preferred)
    ]


def preferences_of(
    project: Project, found: AlternativePolicies, row: int
) -> tuple[PreferenceMet, ...]:
    """How far one alternative keeps each preference."""
    met = preferences_met(project, found, [row])
    return tuple(PreferenceMet(words, float(shares[0] or 0)) for words, shares in met)
