"""How do alternatives stand beside the policies of a search?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from deidgui.app.charts.formats import number_text, share_text
from deidgui.app.jobs import Job
from deidgui.app.measuring.kept import (
    KeptAlternative,
    Links,
    kept_alternatives,
    links_of,
)
from deidgui.app.measuring.measuring import QualityFigure
from deidgui.app.policies.acceptance import BASELINES, Accepted
from deidgui.app.policies.lattice.policies import LatticePolicies
from deidgui.app.project import Chosen, Project
from deidgui.app.session import Kind
from deidgui.monitor import Monitor, SubMonitor
from deidgui.qt.models.figures import Figure
from deidgui.text import tr

if TYPE_CHECKING:
    from deidgui.app.workspace import Workspace

KEPT = "kept alternatives"
"""Lane in which they are measured: the newest wins."""

UNKNOWN = float("inf")
"""Stands for a figure that is not known: never the least."""


def alternatives_of(project: Project) -> tuple[Chosen, ...]:
    """Return the alternative that is chosen, and those that are kept."""
    kept = tuple(each for each in project.kept if each.bits)
    chosen = project.chosen
    if chosen is None or not chosen.bits or any(map(chosen.is_same, kept)):
        return kept
    return (chosen, *kept)


class Beside(NamedTuple):
    """What stands side by side, beyond what the search knows.

    Parameters
    ----------
    links : Links or None
        Of the policies of the search, in their order; None if nothing asks for them.
    chosen : Chosen or None
        What is to be released, whether or not it is kept.
    kept : tuple of Chosen
        Alternatives that are kept, whether or not they are measured.
    n_lost : int
        Kept alternatives that do not fit the decisions of now.
    """

    alternatives: tuple[KeptAlternative, ...] = ()
    links: Links | None = None
    chosen: Chosen | None = None
    kept: tuple[Chosen, ...] = ()
    n_lost: int = 0


class KeptAlternatives:
    """Figures of what stands side by side, measured anew when decisions change.

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
        self._found = Beside()
        self._of: object = None

    def update(self, found: LatticePolicies, nodes: Sequence[int]) -> Beside:
        """Return what is known, and measure what is not (lane `KEPT`)."""
        session = self._workspace.session
        project, classes = session.project, session.current(Kind.CLASSES)
        kept = tuple(each for each in project.kept if each.bits)
        chosen, joined = project.chosen, alternatives_of(project)
        asks = bool(joined) or project.discover.baseline not in (None, "models")
        at = (found, *nodes) if asks else ()
        decided = (project.quality, project.discover, project.privacy.models)
        # Classes and searches are equal only to themselves; holding them keeps it so.
        wanted = (joined, chosen, classes, at, *decided)
        if wanted == self._of:
            return self._found
        known = Beside(chosen=chosen, kept=kept)
        self._of, self._found = wanted, known
        if classes is None or not (asks and (nodes or joined)):
            return known
        policies = [found.policy(node) for node in nodes]

        def work(monitor: Monitor) -> Beside:
            step = SubMonitor(monitor, 0.0, 0.6)
            shown = kept_alternatives(project, classes, joined, monitor=step)
            step = SubMonitor(monitor, 0.6, 1.0)
            links = links_of(project, classes, policies, monitor=step)
            fitting = [each.chosen for each in shown]
            n_lost = sum(each not in fitting for each in kept)
            return known._replace(alternatives=shown, links=links, n_lost=n_lost)

        def done(beside: Beside) -> None:
            # What was decided since may ask for nothing, and so start no other job.
            if wanted == self._of:
                self._found = beside
                self._changed()

        self._workspace.runner.start(KEPT, work, Job(done, self._failed))
        return known


def alternative_figures(kept: KeptAlternative) -> tuple[Figure, ...]:
    """Figures as of `deidgui.qt.models.figures.figures`, and the expected links."""
    records = tr("records ({share})", share=share_text(0.0))
    return (
        Figure(
            tr("Suppressed"),
            "0",
            records,
            tr("An alternative suppresses no record."),
            0.0,
        ),
        _loss(kept.quality),
        Figure(
            tr("Average risk"),
            share_text(kept.average_risk),
            "",
            tr("How likely a known person's record is found, on average."),
            kept.average_risk,
        ),
        Figure(
            tr("Highest risk"),
            share_text(kept.highest_risk),
            "",
            tr("For the record that is easiest to find."),
            kept.highest_risk,
        ),
        _links(kept.accepted),
    )


def node_links(links: Links | None, place: int) -> Figure:
    """The expected links of a policy of the search (see `KeptAlternatives.update`)."""
    if links is None:
        why = tr("Not known before a rule is decided on the page Alternatives.")
        return Figure(tr("Expected correct links"), "–", "", why, UNKNOWN)
    why = tr("Records expected to be linked to the right person, among {who}.")
    return Figure(
        _label(links.gamma, links.is_modelled),
        f"{links.risks[place]:,.2f}",
        _beside(links.baseline, links.limit),
        why.format(who=links.population),
        links.risks[place],
    )


def _label(gamma: float, is_modelled: bool) -> str:
    label = tr("Expected correct links") if gamma == 1 else tr("Sum of 1 / g^γ")
    return tr("{figure}, MODELLED", figure=label) if is_modelled else label


def _beside(baseline: str, limit: float | None) -> str:
    if limit is None:
        return ""
    return tr("({baseline}: {risk})", baseline=baseline, risk=f"{limit:,.2f}")


def _loss(quality: QualityFigure) -> Figure:
    is_share, loss = quality.measure.unit == "share", quality.value
    if loss is None:
        why = tr("Not defined for groups that are no level of a hierarchy.")
        return Figure(tr("Loss"), "–", "", why, UNKNOWN)
    text = share_text(loss) if is_share else number_text(loss)
    unit = "" if is_share else tr(quality.measure.unit)
    return Figure(tr("Loss"), text, unit, quality.measure.words(), loss)


def _links(accepted: Accepted) -> Figure:
    label = _label(accepted.acceptance.gamma, accepted.is_modelled)
    risk, limit = accepted.risk, accepted.baseline_risk
    if risk is None or limit is None:
        return Figure(label, "–", "", accepted.words, UNKNOWN)
    words = _beside(BASELINES[accepted.acceptance.baseline or "typed"], limit)
    return Figure(label, f"{risk:,.2f}", words, accepted.words, risk)
