"""The page that shows what a release protects and what it costs."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QWidget

from deidgui.app import ops
from deidgui.app.activity import Activity
from deidgui.app.attacks.known import first_date, order_columns
from deidgui.app.attacks.results import AttackResults
from deidgui.app.changes import fingerprint
from deidgui.app.decides import Changes, Decides
from deidgui.app.demands import undecided_columns
from deidgui.app.dossier.intruder import write_work_list
from deidgui.app.dossier.intruder_words import values_words
from deidgui.app.dossier.sensitivity import sensitivity_facts
from deidgui.app.dossier.sensitivity_words import unmeasured_words
from deidgui.app.entered import check_named
from deidgui.app.jobs import Job, Lane
from deidgui.app.measuring import comparing
from deidgui.app.measuring.comparing import ColumnComparison
from deidgui.app.measuring.criteria import measure_criteria
from deidgui.app.measuring.measuring import Measured
from deidgui.app.policies.acceptance import fits, has_alternative
from deidgui.app.policies.decisions import weights_of
from deidgui.app.power import risk as power
from deidgui.app.project import AttributesKnown, Chosen, Project, SampleChoice
from deidgui.app.sampling import curves
from deidgui.app.sampling.curves import SamplePlan
from deidgui.app.session import Kind, State
from deidgui.app.stated import doubt_of_number, doubt_of_rows
from deidgui.app.text import message_for
from deidgui.engine.evidence.document import Criteria
from deidgui.errors import DeidError
from deidgui.monitor import Monitor, SubMonitor
from deidgui.qt.file_dialogs import ask_folder, ask_open, ask_save
from deidgui.qt.pages.base import NOT_YET, Page, PageStatus, StepState, at_once
from deidgui.qt.pages.utility.attacks import AttacksPane
from deidgui.qt.pages.utility.columns import DistributionPane, RelationPane
from deidgui.qt.pages.utility.criteria import CriteriaPane
from deidgui.qt.pages.utility.known import KnownPane
from deidgui.qt.pages.utility.quality import QualityPane
from deidgui.qt.pages.utility.risk import ClassesPane, RiskPane
from deidgui.qt.pages.utility.samples import SamplesPane
from deidgui.qt.settings import Settings
from deidgui.qt.widgets import (
    Callout,
    EmptyState,
    FoldedText,
    Notice,
    Segmented,
    StatusLine,
    column,
    holder,
    row,
    show_if,
)
from deidgui.text import Text, share_text, tr

if TYPE_CHECKING:
    from deidgui.app.workspace import Workspace

COMPARE, DISTRIBUTION, CROSS, RISKIEST = (
    "compare columns",
    "distribution",
    "cross table",
    "riskiest classes",
)
"""Lanes of this page: one job each, the newest wins."""

NEEDS_RELEASE = ("criteria", "attacks", "quality", "distribution", "relations")
NEEDS_COMPARISON = ("distribution", "relations")


def _of_everybody(project: Project) -> str:
    """Fingerprint of the decisions that curves of samples rest on."""
    return fingerprint(project.but(sample=None), Decides.CLASSES)


class UtilityPage(Page):
    """Risk, records at risk, usefulness, columns and their relations."""

    key = "utility"
    parts = (
        Changes.RESULT
        | Changes.CHOICE
        | Changes.PRIVACY
        | Changes.QUALITY
        | Changes.ROLES
        | Changes.HIERARCHY
        | Changes.DATA
        | Changes.DISCOVER
    )

    first = (
        RiskPane,
        ClassesPane,
        CriteriaPane,
        AttacksPane,
        QualityPane,
        DistributionPane,
        RelationPane,
        KnownPane,
        SamplesPane,
    )

    def __init__(
        self,
        workspace: Workspace,
        settings: Settings,
        parent: QWidget | None = None,
        made: Sequence[QWidget] = (),
    ) -> None:
        super().__init__(workspace, settings, parent, made)
        self.set_header(
            tr("Risk and utility"),
            tr("The data before and after de-identification."),
        )
        self._measured: Measured | None = None
        self._comparison: ColumnComparison | None = None
        self._compared: tuple[str, ...] = ()
        self._banner = Callout()
        self._banner.acted.connect(self._on_banner_acted)
        self._empty = EmptyState("utility", "")
        self._empty.acted.connect(self._on_empty_acted)
        self.policy_words = FoldedText()
        self._busy = StatusLine()
        self.tabs = Segmented(
            [
                ("risk", tr("Risk"), "risk"),
                ("classes", tr("At risk"), "people"),
                ("criteria", tr("Singling out"), "person"),
                ("attacks", tr("Simulated attacks"), "target"),
                ("quality", tr("Usefulness"), "utility"),
                ("distribution", tr("Columns"), "chart"),
                ("relations", tr("Relations"), "link"),
                ("known", tr("Attributes known"), "eye"),
                ("samples", tr("Sample"), "filter"),
            ],
            name=tr("View"),
            wraps=True,
        )
        self.risk = self.part(RiskPane)
        self.classes = self.part(ClassesPane)
        self.criteria = self.part(CriteriaPane)
        self.criteria.by.follow(self.session)
        self._criteria_of: Measured | None = None
        self._hears_located = False
        self._criteria_wanted: tuple[Measured, str] | None = None
        self.attacks = self.part(AttacksPane)
        self.quality = self.part(QualityPane)
        self.distribution = self.part(DistributionPane)
        self.relations = self.part(RelationPane)
        self.known = self.part(KnownPane)
        self._known_for = self._known_wanted = self._known_of = ""
        self._known_began = 0.0
        self._known_found: power.PowerRisk | None = None
        self.samples = self.part(SamplesPane)
        self._planned_for = ""
        self._plan_began = 0.0
        self._build()
        self._connect()

    def _build(self) -> None:
        self._panes = {
            "risk": self.risk,
            "classes": self.classes,
            "criteria": self.criteria,
            "attacks": self.attacks,
            "quality": self.quality,
            "distribution": self.distribution,
            "relations": self.relations,
            "known": self.known,
            "samples": self.samples,
        }
        self._content = QWidget()
        content = column(
            holder(row(self.tabs, None)), self.policy_words, self._busy, spacing=12
        )
        self._content.setLayout(content)
        self._no_release = EmptyState(
            "search",
            tr("No release to compare yet"),
            tr("Find a policy to compare its release with the data."),
            tr("Go to Policies"),
        )
        self._no_release.acted.connect(self._on_search_wanted)
        for pane in (*self._panes.values(), self._no_release):
            self.place_later(pane, partial(content.addWidget, stretch=1))
        self.body.addWidget(self._banner)
        self.body.addWidget(self._empty, 1)
        self.body.addWidget(self._content, 1)
        show_if(self._busy, False)

    def _connect(self) -> None:
        self.tabs.chosen.connect(self.show_tab)
        self.classes.which_wanted.connect(self._on_which_wanted)
        self.classes.list_wanted.connect(self._on_list_wanted)
        self.criteria.release_wanted.connect(self._on_release_wanted)
        self.criteria.register_wanted.connect(self._on_register_wanted)
        self.criteria.hold_out_wanted.connect(self._on_hold_out_wanted)
        self.criteria.removal_wanted.connect(self._on_removal_wanted)
        self.attacks.run_wanted.connect(self._on_attack_wanted)
        self.attacks.stop_wanted.connect(self._on_attack_stop_wanted)
        self.attacks.order_wanted.connect(self._on_order_wanted)
        self.attacks.in_release_wanted.connect(self._on_in_release_wanted)
        self.attacks.drawn_wanted.connect(self._on_drawn_wanted)
        self.distribution.column_wanted.connect(self._on_column_wanted)
        self.relations.pair_wanted.connect(self._on_pair_wanted)
        for pane in (self.distribution, self.relations):
            pane.choice.chosen.connect(self._on_columns_chosen)
        self.known.estimate_wanted.connect(self._estimate_known)
        self.known.measure_wanted.connect(self._measure_known)
        self.known.stop_wanted.connect(self._stop_known)
        self.known.decided.connect(self._decide_known)
        self.samples.plan_wanted.connect(self._plan_samples)
        self.samples.stop_wanted.connect(self._stop_samples)
        self.samples.sample_wanted.connect(self._decide_sample)
        self.workspace.activity.connect(self._on_activity)

    # -- showing -------------------------------------------------------------------

    def refresh(self, changes: Changes) -> None:
        """Show the figures as they are now, stale ones marked."""
        at_once(self.refresh_in_pieces(changes))

    def refresh_in_pieces(self, _changes: Changes) -> Iterator[None]:
        """Refresh, and yield before the view that is shown."""
        measured: Measured | None = self.session.result(Kind.MEASUREMENT)
        show_if(self._content, measured is not None)
        show_if(self._empty, measured is None)
        self._show_banner()
        if measured is None:
            self._empty.show_words(*self._empty_words())
            self._measured = self._comparison = None
            return
        if measured is not self._measured:
            self._measured, self._comparison = measured, None
        self._show_measured(measured)
        yield
        yield from self._show_in_pieces(self.tabs.current)

    def _empty_words(self) -> tuple[str, str, str]:
        """Say that there are no figures, what is missing, and where to go."""
        if self.session.loaded is None:
            title, words = tr("No data file is open"), tr("Open a data file first.")
            return title, words, tr("Go to Start")
        if any(map(self.workspace.is_running, (Lane.CLASSES, Lane.MEASURE))):
            return tr("Measuring"), tr("The figures appear in a moment."), ""
        missing = self._missing()
        words = (
            message_for(missing[0]).what if missing else tr("Check the hierarchies.")
        )
        is_of_columns = self._step_of_empty() == "attributes"
        go = tr("Go to Attributes") if is_of_columns else tr("Go to Hierarchies")
        return tr("Nothing is measured yet"), words, go

    def _missing(self) -> list[DeidError]:
        """Return what must be decided before records are counted."""
        found = undecided_columns(self.session.project)
        return [each for each in found if each.code != "role_missing"]

    def _step_of_empty(self) -> str:
        """Step where what is missing for figures is decided."""
        if self.session.loaded is None:
            return "start"
        has_quasi = bool(self.session.project.quasi_identifiers)
        return "hierarchies" if has_quasi else "attributes"

    def _show_banner(self) -> None:
        is_stale = self.session.state(Kind.MEASUREMENT) is State.STALE
        is_discovered = has_alternative(self.session.project)
        self._banner.show_words(
            tr("These figures are based on earlier decisions."),
            "warning",
            self._fixing_words()
            if is_discovered
            else tr("Search again to bring them up to date."),
            tr("Go to Alternatives") if is_discovered else tr("Go to Policies"),
        )
        # That the data file has changed is said above every page.
        show_if(self._banner, is_stale and not self.session.is_outdated)

    def _show_measured(self, measured: Measured) -> None:
        words = ""
        if measured.policy is not None:
            kind = tr("Best policy") if measured.is_optimum else tr("Chosen")
            if measured.accepted is not None:
                kind = tr("Chosen alternative")
            words = f"{kind}: {measured.words}"
        self.policy_words.set_text(words)
        show_if(self.policy_words, bool(words))
        self._show_samples(measured)
        self._show_known()

    def _doubt(self) -> str:
        """What speaks against counting each row as one person."""
        loaded = self.session.loaded
        return doubt_of_rows(self.session.project.unit, loaded.keys if loaded else ())

    def _alone(self) -> str:
        """Who is alone on all that is released, where that is asked about.

        PRIVACY: a reason that a person gave does not make it less, and what has not
        been looked at yet is not taken for harmless.
        """
        asked = self.session.current(Kind.QUESTIONS)
        if asked is None:
            return tr("The table to be released is being checked.")
        return "\n".join(each.words for each in asked if each.kind == "alone")

    def _show_sensitivity(self, measured: Measured) -> None:
        """Show other cases, with one more column once that is measured."""
        found: Criteria | None = self.session.current(Kind.CRITERIA)
        is_known = found is not None and self._criteria_of is measured
        if not self._is_current():
            # Of the context of now and a release of earlier decisions nothing is said.
            self.risk.show_sensitivity((), has_columns=False)
            return
        cases = sensitivity_facts(
            self.session.project,
            *measured.data_risk,
            found.one_more if found is not None and is_known else (),
            measured.people,
        )
        gaps = unmeasured_words(found) if is_known else None
        self.risk.show_sensitivity(cases, has_columns=is_known, gaps=gaps)

    def show_tab(self, key: str) -> None:
        """Show one of the views and compute what it needs."""
        at_once(self._show_in_pieces(key))

    def _show_in_pieces(self, key: str) -> Iterator[None]:
        self.tabs.set_current(key)
        measured = self._measured
        has_release = measured is not None and measured.policy is not None
        lacks = key in NEEDS_RELEASE and not has_release
        show_if(self._no_release, lacks)
        for name, pane in self._panes.items():
            show_if(pane, name == key and not lacks)
        if measured is None or lacks:
            return
        if key == "risk":
            yield from self.risk.show_in_pieces(
                measured,
                self.session.project,
                is_stale=self.session.is_outdated or not self._is_current(),
                doubt=self._doubt(),
                alone=self._alone(),
            )
            yield
            self._show_sensitivity(measured)
        elif key == "quality" and self.quality.measured is not measured:
            self.quality.show_measured(measured, weights_of(self.session.project))
        elif key == "classes":
            self._find_classes()
        elif key == "criteria":
            self._show_criteria()
        elif key == "attacks":
            yield from self._show_attacks()
        elif key in NEEDS_COMPARISON:
            self._compare()

    def _say(self, words: str) -> None:
        self._busy.set_idle(words)
        show_if(self._busy, bool(words))

    # -- jobs ----------------------------------------------------------------------

    def _start(self, lane: str, work: Any, done: Any, words: str = "") -> None:
        self._say(words)
        self.workspace.runner.start(lane, work, Job(done, self._on_failed))

    def _on_failed(self, error: BaseException) -> None:
        self._say("")
        if isinstance(error, DeidError):
            self.show_error(error)
        else:
            raise error

    def _is_current(self) -> bool:
        return self.session.state(Kind.MEASUREMENT) is State.CURRENT

    def _find_classes(self) -> None:
        """List the riskiest classes (lane `RISKIEST`)."""
        classes = self.session.current(Kind.CLASSES)
        measured = self._measured
        if classes is None or measured is None or not self._is_current():
            return
        policy = measured.policy
        show_if(self.classes.which, policy is not None)
        show_if(self.classes.save_list, policy is not None)
        wanted = policy if self.classes.which.current == "release" else None
        self.classes.show_classes(None)

        def work(_monitor: Monitor) -> comparing.RiskiestClasses:
            return comparing.riskiest_classes(classes, wanted)

        self._start(RISKIEST, work, self.classes.show_classes)

    def _on_which_wanted(self) -> None:
        self._find_classes()

    def _on_list_wanted(self) -> None:
        path = ask_save(
            self,
            "worklist",
            tr("Export a work list: it CONTAINS VALUES of the released table"),
            "work-list.csv",
            tr("Tables (*.csv)"),
        )
        if path is not None:
            self.export_list(path)

    def export_list(self, path: Path) -> None:
        """Write the riskiest classes of the release for those who try."""
        classes, measured = self.session.current(Kind.CLASSES), self._measured
        if classes is None or measured is None or not self._is_current():
            return
        policy, title = measured.chosen_policy, self.session.project.name
        needed = self.workspace.needed_files()

        def work(_monitor: Monitor) -> None:
            found = comparing.riskiest_classes(classes, policy)
            # The file dialog has asked whether an ordinary file is replaced.
            write_work_list(path, found.table, title, needed, replaces=True)

        def done(_nothing: None) -> None:
            words = tr("The work list was written to {file}.", file=path.name)
            self.reported.emit(Notice(words, "success", values_words()))

        self._start(RISKIEST, work, done)

    def _show_criteria(self) -> None:
        """Show who is singled out; measure it if it is not known (lane `CRITERIA`)."""
        session, measured = self.session, self._measured
        if not self._hears_located:
            self._hears_located = True
            self.workspace.input_located.connect(self._on_input_located)
        found: Criteria | None = session.result(Kind.CRITERIA)
        is_current = session.state(Kind.CRITERIA) is State.CURRENT
        is_current &= self._criteria_of is measured
        names = [each.name for each in session.project.comparisons]
        # Where all figures of the page are stale, its banner says so already.
        is_stale = self._is_current() and not is_current
        fraction = session.project.fraction
        figures = (measured.before, measured.after) if measured is not None else ()
        before, now = [
            each.uniques / each.n_records if each and each.n_records else None
            for each in figures
        ] or (None, None)
        self.criteria.show_criteria(
            found, names, is_stale=is_stale, fraction=fraction, before=before, now=now
        )
        show_if(self.criteria.nothing, found is None and not self._is_current())
        classes, project = session.current(Kind.CLASSES), session.project
        if is_current or classes is None or measured is None or not self._is_current():
            return
        wanted = (measured, fingerprint(project, Decides.CRITERIA))
        if wanted == self._criteria_wanted:
            return
        self._criteria_wanted = wanted
        policy = measured.chosen_policy
        everybody = session.loaded.table if session.loaded is not None else None
        read_others = self.workspace.read_others() if project.comparisons else None

        def work(monitor: Monitor) -> Criteria | None:
            included = classes.with_columns_of(project)
            others = None
            if read_others is not None:
                others = read_others(SubMonitor(monitor, 0.0, 0.4))
                monitor = SubMonitor(monitor, 0.4, 1.0)
            return measure_criteria(
                project, included, policy, others, everybody, monitor=monitor
            )

        def done(criteria: Criteria | None) -> None:
            self._say("")
            self._criteria_of = measured
            session.set_result(Kind.CRITERIA, criteria, project)

        words = tr("Measuring who is alone, and what can be guessed …")
        self._start(Lane.CRITERIA, work, done, words)

    def _on_release_wanted(self, by: str) -> None:
        if not self._is_named(by):
            return
        title = tr("Folder of another release about the same people")
        folder = ask_folder(self, "compared", title)
        if folder is not None:
            self.workspace.compare_with(folder, "release", by)

    def _on_register_wanted(self, by: str) -> None:
        if not self._is_named(by):
            return
        title = tr("File with a row for each person of a register")
        file = ask_open(self, "register", title)
        if file is not None:
            self.workspace.compare_with(file, "register", by)

    def _on_hold_out_wanted(self, by: str) -> None:
        if not self._is_named(by):
            return
        title = tr("File of people who were not released, with the same columns")
        file = ask_open(self, "hold-out", title)
        if file is not None:
            self.workspace.compare_with(file, "hold_out", by)

    def _is_named(self, by: str) -> bool:
        """Whether somebody stands for a comparison; say so if not."""
        try:
            check_named(by)
        except DeidError as error:
            self.show_error(error)
            return False
        return True

    def _on_input_located(self, _name: str) -> None:
        """Measure again with a table that was not found before."""
        self._criteria_of = self._criteria_wanted = None
        self.refresh(Changes.RESULT)

    def _on_removal_wanted(self, name: str, by: str) -> None:
        self.apply(ops.compare_no_more(name, by), tr("compare no more"))

    def _show_attacks(self) -> Iterator[None]:
        """Show the attacks that were made, current or not."""
        classes = self.session.current(Kind.CLASSES)
        project = self.session.project
        self.attacks.show_choice(project.attacks)
        if classes is not None:

            def work(_monitor: Monitor) -> tuple[tuple[str, ...], bool]:
                able = order_columns(project, classes)
                return able, first_date(project, able) is not None

            self._start(Lane.ATTACK_ORDERS, work, self._on_orders)
        found: AttackResults | None = self.session.result(Kind.ATTACKS)
        policy = self._measured.policy if self._measured is not None else None
        is_current = self.session.state(Kind.ATTACKS) is State.CURRENT
        draw = classes.draw if classes is not None else None
        if found is not None and (policy is None or not found.is_of(policy, draw)):
            is_current = False
        yield from self.attacks.show_in_pieces(found, is_stale=not is_current)

    def _on_orders(self, found: tuple[tuple[str, ...], bool]) -> None:
        able, is_dated = found
        self.attacks.show_orders(able, is_dated=is_dated)

    def _on_attack_wanted(self) -> None:
        if self._is_current():
            self.workspace.attack()
        else:
            self._on_search_wanted()

    def _on_attack_stop_wanted(self) -> None:
        self.workspace.cancel(Lane.ATTACKS)

    def _on_order_wanted(self, name: str) -> None:
        label = tr("choose the order of rows")
        self.session.apply(ops.set_attacks(order_by=name or None), label)

    def _on_drawn_wanted(self, changes: dict[str, int]) -> None:
        label = tr("change how attacks are drawn")
        self.session.apply(ops.set_attacks(**changes), label)

    def _on_in_release_wanted(self, is_on: bool) -> None:
        label = tr("run attacks before every release")
        self.session.apply(ops.set_attacks(in_release=is_on), label)

    def _compare(self) -> None:
        """Compare all columns once for a policy (lane `COMPARE`)."""
        if self._comparison is not None:
            self._show_comparison()
            return
        classes = self.session.current(Kind.CLASSES)
        measured, project = self._measured, self.session.project
        if classes is None or measured is None or not self._is_current():
            return
        policy, names = measured.chosen_policy, self._compared
        self.relations.show_comparison(None)
        self.relations.show_cross_tables(None)
        self.distribution.show_chart(None)

        def work(monitor: Monitor) -> ColumnComparison:
            return comparing.compare(project, classes, policy, names, monitor=monitor)

        words = tr("Comparing the columns of the data and of the release")
        self._start(COMPARE, work, partial(self._on_compared, measured), words)

    def _on_compared(self, measured: Measured, comparison: ColumnComparison) -> None:
        self._say("")
        if measured is self._measured:
            self._comparison = comparison
            self._show_comparison()

    def _show_comparison(self) -> None:
        comparison = self._comparison
        if comparison is None:
            return
        if self.tabs.current == "distribution":
            self.distribution.show_columns(comparison)
            self._on_column_wanted(self.distribution.chooser.current)
        elif self.tabs.current == "relations":
            self.relations.show_comparison(comparison)
            pane = self.relations
            self._on_pair_wanted(pane.rows.current, pane.columns.current)

    def _on_columns_chosen(self, names: tuple[str, ...]) -> None:
        self._compared, self._comparison = names, None
        self._compare()

    def _on_column_wanted(self, name: str) -> None:
        comparison = self._comparison
        if comparison is None or name not in comparison.names:
            return
        # The values of another column are never seen under the name of this one.
        self.distribution.show_chart(None)

        def work(_monitor: Monitor) -> Any:
            return comparison.distribution(name)

        self._start(DISTRIBUTION, work, self.distribution.show_chart)

    def _on_pair_wanted(self, rows: str, columns: str) -> None:
        comparison = self._comparison
        if comparison is None or not {rows, columns} <= set(comparison.names):
            return
        self.relations.show_cross_tables(None)

        def work(_monitor: Monitor) -> Any:
            return comparison.cross_tables(rows, columns)

        self._start(CROSS, work, self.relations.show_cross_tables)

    # -- samples -------------------------------------------------------------------

    def _show_samples(self, measured: Measured) -> None:
        """Show the decided sample, and whether the curves are of earlier decisions."""
        project = self.session.project
        classes = self.session.current(Kind.CLASSES)
        sizes = None
        if classes is not None and classes.draw is not None:
            draw = classes.draw
            sizes = (draw.n_sampled, draw.n_people, measured.unit is not None)
        self.samples.show_state(project.sample, sizes)
        is_stale = self._planned_for != _of_everybody(project)
        self.samples.show_plan(self.samples.plan, is_stale=is_stale)

    def _plan_samples(self, n_policies: int) -> None:
        """Compute the curves of the data and of some policies (lane `SAMPLES`)."""
        project = self.session.project
        known = None
        if project.sample is None:
            known = self.session.current(Kind.CLASSES)
        build = self.workspace.whole_classes() if known is None else lambda _m: known
        if build is None:
            return
        wanted = self._policies_to_plan(n_policies)
        project = project.but(sample=None)

        def work(monitor: Monitor) -> SamplePlan:
            classes = build(SubMonitor(monitor, 0.0, 0.1))
            step = SubMonitor(monitor, 0.1, 1.0)
            return curves.plan_samples(project, classes, wanted, monitor=step)

        self._plan_began = time.monotonic()
        self.samples.set_progress(0.0)
        job = Job(
            partial(self._on_planned, _of_everybody(project)),
            self._on_plan_failed,
            partial(self.samples.set_progress, None),
            self._on_plan_progress,
        )
        self.workspace.runner.start(Lane.SAMPLES, work, job)

    def _policies_to_plan(self, n_policies: int) -> list[Chosen]:
        """The chosen policy, those that are kept, and the best that were found."""
        project, found = self.session.project, self.workspace.policies.policies
        wanted = [each for each in (project.chosen, *project.kept) if each is not None]
        for number in found.order()[: n_policies + len(wanted)].tolist():
            chosen = found.candidate(number).chosen
            if not any(map(chosen.is_same, wanted)):
                wanted.append(chosen)
        return wanted[:n_policies]

    def _on_plan_progress(self, fraction: float, _note: str) -> None:
        elapsed_s = time.monotonic() - self._plan_began
        self.samples.set_progress(fraction, elapsed_s)

    def _on_planned(self, planned_for: str, plan: SamplePlan) -> None:
        self._planned_for = planned_for
        self.samples.set_progress(None)
        is_stale = planned_for != _of_everybody(self.session.project)
        self.samples.show_plan(plan, is_stale=is_stale)

    def _on_plan_failed(self, error: BaseException) -> None:
        self.samples.set_progress(None)
        self._on_failed(error)

    def _stop_samples(self) -> None:
        if job := self.workspace.runner.running(Lane.SAMPLES):
            job.cancel()

    def _decide_sample(
        self, chosen: Chosen | None, sample: SampleChoice | None
    ) -> None:
        def op(project: Project) -> Project:
            project = ops.set_sample(sample)(project)
            return project if chosen is None else ops.choose_policy(chosen)(project)

        label = tr("release a sample") if sample else tr("release everybody")
        if self.apply(op, label):
            self.refresh(Changes.PRIVACY)

    # -- attributes known ----------------------------------------------------------

    def _show_known(self) -> None:
        """Show the quasi-identifiers, and whether what was measured is current."""
        project = self.session.project
        names = [each.name for each in project.quasi_identifiers]
        self.known.show_state(names, project.privacy.attributes_known)
        if self._known_found is not None:
            is_stale = self._known_for != self.session.fingerprint(Kind.MEASUREMENT)
            of = self._known_of
            self.known.show_found(self._known_found, of, is_stale=is_stale)

    def _run_known(
        self,
        known: AttributesKnown,
        work: Callable[[power.PowerTable, Monitor], Any],
        done: Callable[[Any], None],
    ) -> None:
        """Run work on the released records, or those of the data (lane `KNOWN`)."""
        classes, measured = self.session.current(Kind.CLASSES), self._measured
        if classes is None or measured is None or not self._is_current():
            return
        policy = measured.policy

        def run(monitor: Monitor) -> Any:
            return work(power.power_table(classes, policy, known), monitor)

        self._known_began = time.monotonic()
        self.known.set_progress(0.0)
        job = Job(
            partial(self._on_known, done),
            self._on_known_failed,
            partial(self.known.set_progress, None),
            self._on_known_progress,
        )
        self.workspace.runner.start(Lane.KNOWN, run, job)

    def _estimate_known(self, known: AttributesKnown) -> None:
        at_risk = self.session.project.privacy.threshold.at_risk
        least = power.size_at_risk(at_risk)

        def work(table: power.PowerTable, monitor: Monitor) -> Any:
            return power.block_choices(table, known, least, monitor=monitor)

        self._run_known(known, work, self.known.show_choices)

    def _measure_known(self, known: AttributesKnown) -> None:
        at_risk = self.session.project.privacy.threshold.at_risk
        self._known_wanted = self.session.fingerprint(Kind.MEASUREMENT)
        has_policy = self._measured is not None and self._measured.policy is not None
        self._known_of = tr("Data as they are, without a policy.")
        if has_policy:
            self._known_of = tr("Release of the current policy.")

        def work(table: power.PowerTable, monitor: Monitor) -> power.PowerRisk:
            least = power.size_at_risk(at_risk)
            return power.measure_power(table, known, least, monitor=monitor)

        self._run_known(known, work, self._on_known_found)

    def _on_known_found(self, found: power.PowerRisk) -> None:
        self._known_found, self._known_for = found, self._known_wanted
        self._show_known()

    def _on_known(self, done: Callable[[Any], None], found: Any) -> None:
        self.known.set_progress(None)
        done(found)

    def _on_known_progress(self, fraction: float, _note: str) -> None:
        self.known.set_progress(fraction, time.monotonic() - self._known_began)

    def _on_known_failed(self, error: BaseException) -> None:
        self.known.set_progress(None)
        self._on_failed(error)

    def _stop_known(self) -> None:
        if job := self.workspace.runner.running(Lane.KNOWN):
            job.cancel()

    def _decide_known(self, known: AttributesKnown | None) -> None:
        words = tr("state attributes known") if known else tr("leave attributes out")
        if self.apply(ops.change_privacy(attributes_known=known), words):
            self.refresh(Changes.PRIVACY)

    # -- status --------------------------------------------------------------------

    def _on_activity(self, activity: Activity) -> None:
        if activity.lane == Lane.ATTACKS:
            self.attacks.show_progress(activity)
        if (
            activity.lane in (Lane.CLASSES, Lane.MEASURE)
            and self._measured is None
            and self.isVisible()
        ):
            self.refresh(Changes.RESULT)

    def _fixing_words(self) -> str:
        if fits(self.session.project):
            return tr("They are being brought up to date.")
        return tr(
            "The chosen alternative was found for another population or "
            "other values. Find alternatives again and choose one."
        )

    def _on_banner_acted(self) -> None:
        self.step_wanted.emit("policies")

    def _on_search_wanted(self) -> None:
        self.step_wanted.emit("policies")

    def _on_empty_acted(self) -> None:
        self.step_wanted.emit(self._step_of_empty())

    # -- for the window ------------------------------------------------------------

    def status(self) -> PageStatus:
        """Say whether there are figures, and whether they are current."""
        state = self.session.state(Kind.MEASUREMENT)
        measured = self.session.result(Kind.MEASUREMENT)
        if measured is None:
            _title, words, _go = self._empty_words()
            return PageStatus(NOT_YET.state, "", words)
        if state is State.STALE:
            return PageStatus(StepState.STALE, tr("out of date"))
        if self.session.project.unit is None:
            words = tr("Answer on the page Data who is protected.")
            return PageStatus(StepState.ATTENTION, tr("counted in rows"), words)
        if measured.policy is None:
            return PageStatus(StepState.READY, tr("input measured"))
        if not measured.meets_thresholds:
            words = tr("The policy does not meet all thresholds.")
            return PageStatus(StepState.ATTENTION, tr("thresholds not met"), words)
        if self.session.current(Kind.QUESTIONS) is None:
            return PageStatus(StepState.READY, tr("being checked"))
        number = doubt_of_number(measured.unit, measured.policy.smallest_class)
        if self._doubt() or self._alone() or number:
            # A reason does not answer it: the verdict is a warning, too.
            return PageStatus(StepState.ATTENTION, tr("measured, with a doubt"))
        fingerprint = self.session.fingerprint(Kind.MEASUREMENT)
        return self.once_seen(tr("measured"), fingerprint)

    def help_words(self) -> str:
        """Say what the release protects, in one sentence."""
        measured = self.session.current(Kind.MEASUREMENT)
        if measured is None:
            return ""
        before = share_text(measured.before.prosecutor.highest)
        if measured.after is None:
            words: Text = "The highest risk of the original data is {before}."
            return tr(words, before=before)
        words = "The highest risk is {before} before and {after} afterwards."
        after = share_text(measured.after.prosecutor.highest)
        return tr(words, before=before, after=after)
