"""How do kept alternatives stand beside the policies of a search?"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from deidgui.app.charts.formats import number_text, share_text
from deidgui.app.jobs import Job
from deidgui.app.session import Kind
from deidgui.app.tasks.acceptance import BASELINES, Accepted
from deidgui.app.tasks.kept import KeptAlternative, kept_alternatives
from deidgui.app.tasks.measuring import QualityFigure
from deidgui.monitor import Monitor
from deidgui.qt.models.figures import Figure

if TYPE_CHECKING:
    from deidgui.app.workspace import Workspace

KEPT = "kept alternatives"
"""Lane in which they are measured: the newest wins."""

UNKNOWN = float("inf")
"""Stands for a figure that is not known: never the least."""


class KeptAlternatives:
    """Figures of the kept alternatives, measured anew when decisions change.

    Parameters
    ----------
    workspace : Workspace
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
        self._found: tuple[KeptAlternative, ...] = ()
        self._of: object = None

    def update(self) -> tuple[KeptAlternative, ...]:
        """Return what is known, and measure what is not (lane `KEPT`)."""
        session = self._workspace.session
        project, classes = session.project, session.current(Kind.CLASSES)
        joined = tuple(each for each in project.kept if each.bits)
        wanted = (joined, id(classes), project.quality, project.discover)
        if wanted != self._of:
            self._of, self._found = wanted, ()
            if joined and classes is not None:

                def work(monitor: Monitor) -> tuple[KeptAlternative, ...]:
                    return kept_alternatives(project, classes, joined, monitor=monitor)

                job = Job(self._on_found, self._failed)
                self._workspace.runner.start(KEPT, work, job)
        return self._found

    def _on_found(self, found: tuple[KeptAlternative, ...]) -> None:
        self._found = found
        self._changed()


def alternative_figures(kept: KeptAlternative) -> tuple[Figure, ...]:
    """Figures as of `deidgui.qt.models.figures.figures`, and the expected links."""
    records = _tr("records ({share})").format(share=share_text(0.0))
    return (
        Figure(
            _tr("Withheld"),
            "0",
            records,
            _tr("An alternative withholds no record."),
            0.0,
        ),
        _loss(kept.quality),
        Figure(
            _tr("Average risk"),
            share_text(kept.average_risk),
            "",
            _tr("How likely a known person's record is found, on average."),
            kept.average_risk,
        ),
        Figure(
            _tr("Highest risk"),
            share_text(kept.highest_risk),
            "",
            _tr("For the record that is easiest to find."),
            kept.highest_risk,
        ),
        _links(kept.accepted),
    )


def unknown_links() -> Figure:
    """The expected links of a policy of a search, which are not compared here."""
    why = _tr("Compared on the page Alternatives only.")
    return Figure(_tr("Expected correct links"), "–", "", why, UNKNOWN)


def _loss(quality: QualityFigure) -> Figure:
    is_share, loss = quality.unit == "share", quality.value
    if loss is None:
        why = _tr("Not defined for groups that are no level of a hierarchy.")
        return Figure(_tr("Loss"), "–", "", why, UNKNOWN)
    text = share_text(loss) if is_share else number_text(loss)
    unit = "" if is_share else quality.unit
    return Figure(_tr("Loss"), text, unit, quality.words, loss)


def _links(accepted: Accepted) -> Figure:
    label, risk, limit = (
        _tr("Expected correct links"),
        accepted.risk,
        accepted.baseline_risk,
    )
    if risk is None or limit is None:
        return Figure(label, "–", "", accepted.words, UNKNOWN)
    name = BASELINES[accepted.acceptance.baseline or "typed"]
    words = _tr("({baseline}: {risk})").format(baseline=name, risk=f"{limit:,.2f}")
    return Figure(label, f"{risk:,.2f}", words, accepted.words, risk)


def _tr(text: str) -> str:
    return QCoreApplication.translate("explore", text)
