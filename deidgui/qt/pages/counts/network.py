"""The Network page: results of several sites added up, by noise and by threshold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from deidgui.app.charts.formats import count_text
from deidgui.app.charts.noise import lost_chart
from deidgui.app.counts import ops
from deidgui.app.counts.network import (
    AddedUp,
    Site,
    add_sites,
    read_sites,
    with_sd,
)
from deidgui.app.counts.tables import marks_of
from deidgui.app.decides import Changes
from deidgui.app.jobs import Lane
from deidgui.engine.counts.noise.distribution import USUAL_SIGMA, rounded_variance
from deidgui.engine.counts.noise.network import Network
from deidgui.engine.counts.noise.rules import NoiseRule, RoundedGaussian
from deidgui.engine.counts.noise.uncertainty import NORMAL_95
from deidgui.errors import DeidError
from deidgui.monitor import Monitor
from deidgui.qt.charts.frame import ChartFrame
from deidgui.qt.charts.lines import LineView
from deidgui.qt.file_dialogs import ask_open_many
from deidgui.qt.messages import words_for
from deidgui.qt.pages.base import Page, PageStatus, StepState
from deidgui.qt.pages.counts.working import PageWork
from deidgui.qt.settings import Settings
from deidgui.qt.widgets import (
    Button,
    Callout,
    Caption,
    Card,
    DecimalBox,
    EmptyState,
    Label,
    ProgressCard,
    Segmented,
    SpinBox,
    TextTable,
    column,
    holder,
    row,
    show_if,
)
from deidgui.text import Text, share_text, tr

if TYPE_CHECKING:
    from deidgui.app.workspace import Workspace

HEADS: tuple[Text, ...] = (
    "Count",
    "Sum, 95\u202f% within",
    "Noise (sd)",
    "Sum with threshold",
    "Too low by",
    "Sites masked",
    "Loses less",
)
SITE_HEADS: tuple[Text, ...] = ("Site", "Largest count", "Noise (sd)", "Hidden")

MOST_ROWS = 500
"""Counts that are listed."""


class NetworkPage(Page):
    """Adds up what several sites found; what is released does not depend on it."""

    key = "network"
    parts = Changes.COUNTS

    def __init__(
        self, workspace: Workspace, settings: Settings, parent: QWidget | None = None
    ) -> None:
        super().__init__(workspace, settings, parent)
        self.set_header(
            tr("Network of sites"),
            tr("The same table from several sites, added up with its uncertainty."),
        )
        self.from_project = Button(
            tr("Take the tables of this project"), clicked=self.take_tables
        )
        self.add_header_action(self.from_project)
        self.add_header_action(
            Button(tr("Add files of sites…"), glyph="file-plus", clicked=self._choose)
        )
        self._empty = EmptyState(
            "place",
            tr("No sites yet"),
            tr(
                "Add the file of each site: the same table, with true counts or with "
                "noise. The evidence beside a released file tells its noise."
            ),
            tr("Add files of sites…"),
        )
        self._empty.acted.connect(self._choose)
        self.progress = ProgressCard(tr("Reading the files"), can_pause=False)
        self._work = PageWork(self, Lane.NETWORK, self.progress)
        self.problem = Callout(status="danger")
        self._checked: tuple[tuple[Site, ...], DeidError | None] | None = None
        self.threshold = SpinBox(2, 1000, 11, name=tr("Threshold"))
        self.kind = Segmented(
            [("true", tr("True counts")), ("noisy", tr("With noise"))],
            name=tr("What the counts of the files are"),
        )
        self.sigma = DecimalBox(0.1, 1000, USUAL_SIGMA, 0.01, name=tr("Noise of files"))
        self.clear_sites = Button(
            tr("Remove all sites"), "quiet", "trash", self._clear, small=True
        )
        self.clear_site = Button(
            tr("Remove this site"), "quiet", "trash", self._clear_one, small=True
        )
        self.summary = Label("", "section", wrap=True)
        self.note = Caption()
        self.table = TextTable(
            tr("Counts of the network"),
            [tr(each) for each in HEADS],
            numbers=range(1, 6),
        )
        self.chart = ChartFrame(LineView())
        self.chart.setMinimumHeight(300)
        self.site_table = TextTable(
            tr("Sites"), [tr(each) for each in SITE_HEADS], numbers=(1, 2, 3)
        )
        self._build()
        self.threshold.valueChanged.connect(self._show)
        self.sigma.valueChanged.connect(self._on_sigma)
        self.site_table.itemSelectionChanged.connect(self._on_site_chosen)
        self.kind.chosen.connect(self._on_kind_chosen)

    def _build(self) -> None:
        bar = holder(
            row(
                Label(tr("Threshold"), "body", "muted"),
                self.threshold,
                16,
                Label(tr("Files hold"), "body", "muted"),
                self.kind,
                self.sigma,
                None,
                self.clear_sites,
            )
        )
        self._found = Card()
        for each in (self.summary, self.table, self.note):
            self._found.add(each)
        self._lost = Card(tr("What a threshold loses, by site"))
        self._lost.add(self.chart)
        by_site = Card(tr("Sites"))
        by_site.add(self.site_table)
        by_site.add(holder(row(self.clear_site, None)))
        parts = (bar, self.problem, self._found, self._lost, by_site)
        self._filled = holder(column(*parts, spacing=16))
        for widget in (self.progress, self._empty, self._filled):
            self.body.addWidget(widget)
        self.body.addStretch(1)

    # -- showing -------------------------------------------------------------------

    @property
    def sites(self) -> tuple[Site, ...]:
        """Sites of the project."""
        try:
            return self.workspace.counts.sites
        except DeidError as error:
            self.show_error(error)
            return ()

    @property
    def _rule(self) -> NoiseRule:
        """The decided noise, or the usual one as an example."""
        counts = self.session.project.counts
        decided = None if counts is None else counts.noise
        return decided or RoundedGaussian.proposed()

    def refresh(self, changes: Changes) -> None:
        """Show the sites by what is decided on threshold and noise."""
        counts = self.session.project.counts
        if counts is not None and counts.threshold is not None:
            self.threshold.set_value(counts.threshold)
        show_if(self.from_project, bool(counts and len(counts.tables) > 1))
        sigma = None if counts is None else counts.sites_sigma
        self.kind.set_current("true" if sigma is None else "noisy")
        if sigma is not None:
            self.sigma.set_value(sigma)
        self._show()

    def _show(self) -> None:
        sites = self.sites
        show_if(self._empty, not sites)
        show_if(self._filled, bool(sites))
        is_noisy = self.kind.current == "noisy"
        show_if(self.sigma, is_noisy)
        if not sites:
            return
        sd = rounded_variance(self.sigma.value()) ** 0.5 if is_noisy else 0.0
        sites = with_sd(sites, sd)
        error = self._failure()
        show_if(self.problem, error is not None)
        show_if(self._found, error is None)
        show_if(self._lost, error is None)
        if error is None:
            self._show_found(add_sites(sites, self.threshold.value(), self._rule))
            return
        words = words_for(error)
        self.problem.show_words(words.what, "danger", words.fix)
        # One of them may have to be removed.
        self._show_sites(sites, None)

    def _failure(self) -> DeidError | None:
        """What keeps the sites from being added up, if anything does.

        PERF: asked with every status; it depends on the tables alone.
        """
        try:
            sites = self.workspace.counts.sites
        except DeidError as error:
            return error
        if self._checked is None or self._checked[0] is not sites:
            self._checked = sites, None
            try:
                add_sites(sites, self.threshold.value(), self._rule)
            except DeidError as error:
                self._checked = sites, error
        return self._checked[1]

    def _show_found(self, found: AddedUp) -> None:
        network, places = found.network, range(min(len(found.names), MOST_ROWS))
        about = "≈ " if found.has_noise else ""
        better = [tr("noise"), tr("threshold")]
        self.table.show_texts(
            [
                (
                    found.names[at],
                    tr(
                        "{sum} ± {reach}",
                        sum=count_text(int(network.totals[at])),
                        reach=f"{NORMAL_95 * network.sd[at]:.1f}",
                    ),
                    f"{network.sd[at]:.1f}",
                    count_text(int(network.shown[at])),
                    about + count_text(int(network.missing[at])),
                    f"{network.masked[at]}",
                    better[0 if network.noise_is_better[at] else 1],
                )
                for at in places
            ]
        )
        self.table.keep_visible(min(len(places), 10))
        n_better = int(network.noise_is_better.sum())
        self.summary.setText(
            tr(
                "Noise loses less than a threshold of {threshold} in {n} of "
                "{all:sum|sums} over {sites:site|sites}",
                threshold=found.threshold,
                n=n_better,
                all=len(found.names),
                sites=len(found.sites),
            )
        )
        self.note.setText(" ".join(self._notes(found)))
        self.chart.set_chart(lost_chart(network, found.threshold))
        self._show_sites(found.sites, network)

    def _show_sites(self, sites: Sequence[Site], network: Network | None) -> None:
        """List the sites, with what a threshold hides where they can be added up."""
        self.site_table.show_texts(
            [
                (
                    site.name,
                    tr("unknown")
                    if network is None
                    else count_text(int(network.sizes[at])),
                    f"{site.sd:.2f}" if site.sd else tr("none"),
                    tr("unknown")
                    if network is None
                    else share_text(float(network.lost[at])),
                )
                for at, site in enumerate(sites)
            ]
        )
        self.site_table.keep_visible(min(len(sites), 8))
        self._on_site_chosen()

    def _notes(self, found: AddedUp) -> list[str]:
        rule = self._rule
        notes = [
            tr(
                "Noise loses less where the standard deviation of the sum is smaller "
                "than what the threshold hides."
            )
        ]
        if not all(site.sd for site in found.sites):
            words = tr(
                "True counts are shown with the uncertainty that noise with σ = "
                "{sigma} at each site would give the sums.",
                sigma=f"{rule.sigma:g}",
            )
            notes.append(words)
        if found.has_noise:
            notes.append(
                tr(
                    "Counts have noise, so what a threshold masks is an estimate (≈): "
                    "a small count may look large and the other way round."
                )
            )
        if found.n_masked:
            notes.append(
                tr(
                    "{n:count is|counts are} masked at a site and left out.",
                    n=found.n_masked,
                )
            )
        if found.n_elsewhere:
            notes.append(
                tr(
                    "{n:count is|counts are} not in all tables and left out.",
                    n=found.n_elsewhere,
                )
            )
        if len(found.names) > MOST_ROWS:
            notes.append(tr("The first {n} are listed.", n=MOST_ROWS))
        return notes

    def status(self) -> PageStatus:
        """Nothing is missing, but sites that cannot be added up need attention."""
        counts = self.session.project.counts
        n = 0 if counts is None else len(counts.sites)
        if not n:
            return PageStatus(StepState.READY, tr("optional"))
        is_wrong = self._failure() is not None
        state = StepState.ATTENTION if is_wrong else StepState.DONE
        return PageStatus(state, tr("{n:site|sites}", n=n))

    # -- sites ---------------------------------------------------------------------

    def take_tables(self) -> None:
        """Take each table of the project as that of one site."""
        try:
            tables = self.workspace.counts.tables
        except DeidError as error:
            self.show_error(error)
            return
        taken = {each.name for each in self.workspace.counts.decided.sites}
        sites = [Site(each) for each in tables if each.name not in taken]
        self._change(partial(self.workspace.counts.add_sites, sites))

    def _choose(self) -> None:
        chosen = ask_open_many(
            self,
            "sites",
            tr("Choose the files of the sites"),
            tr(
                "Tables (*.csv *.tsv *.txt *.dat *.psv *.zip *.gz *.xlsx *.xlsm "
                "*.xls *.ods);;All files (*)"
            ),
        )
        if chosen:
            self.add_files(chosen)

    def add_files(self, paths: list[Path]) -> None:
        """Read the files of sites and add them (lane `NETWORK`)."""
        counts = self.session.project.counts
        assert counts is not None
        marks, taken = marks_of(counts), [each.name for each in counts.sites]

        def work(monitor: Monitor) -> tuple[Site, ...]:
            return read_sites(paths, taken, marks, monitor=monitor)

        self._work.start(work, self._on_read)

    def _on_read(self, found: tuple[Site, ...]) -> None:
        self._change(partial(self.workspace.counts.add_sites, found))

    def _clear(self) -> None:
        names = [each.name for each in self.workspace.counts.decided.sites]
        self._change(partial(self.workspace.counts.remove_sites, names))

    def _clear_one(self) -> None:
        place, sites = self.site_table.currentRow(), self.workspace.counts.decided.sites
        if 0 <= place < len(sites):
            names = [sites[place].name]
            self._change(partial(self.workspace.counts.remove_sites, names))

    def _on_site_chosen(self) -> None:
        self.clear_site.setEnabled(bool(self.site_table.selectedItems()))

    def _change(self, change: Callable[[], None]) -> None:
        change()
        self._show()
        self.status_changed.emit()

    def _on_kind_chosen(self) -> None:
        self._on_sigma()

    def _on_sigma(self) -> None:
        is_noisy = self.kind.current == "noisy"
        op = ops.set_sites_sigma(self.sigma.value() if is_noisy else None)
        self.apply(op, tr("say which noise the sites have"))
        self._show()
