"""What a front end can ask for: commands on the session, run as jobs."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from deidgui.app import ops
from deidgui.app.activity import Activity, ReportedJob
from deidgui.app.changes import preparation_basis
from deidgui.app.decides import Changes
from deidgui.app.determination.validity import enter_measured
from deidgui.app.entered import check_named, today
from deidgui.app.events import Event
from deidgui.app.jobs import JobRunner, Lane
from deidgui.app.loaded import Loaded, LoadedPeople, read_from
from deidgui.app.policies.runner import PolicyRunner
from deidgui.app.population.reader import PopulationReader
from deidgui.app.project import (
    Attribute,
    Comparison,
    DialectChoice,
    EarlierRelease,
    HierarchyChoice,
    InputFile,
    Project,
)
from deidgui.app.recovery import Recovery
from deidgui.app.session import TABLE, Kind, Session, State
from deidgui.app.storage.known_files import KnownFiles, stamp_of
from deidgui.app.storage.named_inputs import (
    EARLIER,
    POPULATION,
    NamedInput,
    found_below,
    named_inputs,
    relocated,
)
from deidgui.app.storage.project_io import load_project, save_project
from deidgui.engine.preparation import Step
from deidgui.engine.preparation.base import Secrets
from deidgui.errors import ConfigError, DeidError
from deidgui.lazy import LazyModule
from deidgui.monitor import Monitor, SubMonitor
from deidgui.text import in_english, tr

if TYPE_CHECKING:
    from deidgui.app import classes as counting
    from deidgui.app import needed
    from deidgui.app import needed_files as needing
    from deidgui.app.attacks import running as attacking
    from deidgui.app.attacks.results import AttackResults
    from deidgui.app.commands import describe
    from deidgui.app.counts import ops as counts_ops
    from deidgui.app.counts import work as counts_work
    from deidgui.app.dossier import drift as drifting
    from deidgui.app.hierarchies import deciding
    from deidgui.app.measuring import measuring
    from deidgui.app.measuring import others as other_tables
    from deidgui.app.policies.lattice.policies import LatticePolicies
    from deidgui.app.preparation import preparing
    from deidgui.app.reading import files, linking, reading, rereading
    from deidgui.app.release import questions, releasing, replacing, signing, verifying
else:
    # PERF: numba, the report and the rest take a second that the window need not
    # wait for; `deidgui.qt.application` imports them in a thread.
    attacking = LazyModule("deidgui.app.attacks.running")
    counts_ops = LazyModule("deidgui.app.counts.ops")
    counts_work = LazyModule("deidgui.app.counts.work")
    counting = LazyModule("deidgui.app.classes")
    deciding = LazyModule("deidgui.app.hierarchies.deciding")
    describe = LazyModule("deidgui.app.commands.describe")
    drifting = LazyModule("deidgui.app.dossier.drift")
    needed = LazyModule("deidgui.app.needed")
    needing = LazyModule("deidgui.app.needed_files")
    files = LazyModule("deidgui.app.reading.files")
    linking = LazyModule("deidgui.app.reading.linking")
    preparing = LazyModule("deidgui.app.preparation.preparing")
    reading = LazyModule("deidgui.app.reading.reading")
    rereading = LazyModule("deidgui.app.reading.rereading")
    measuring = LazyModule("deidgui.app.measuring.measuring")
    other_tables = LazyModule("deidgui.app.measuring.others")
    questions = LazyModule("deidgui.app.release.questions")
    releasing = LazyModule("deidgui.app.release.releasing")
    replacing = LazyModule("deidgui.app.release.replacing")
    signing = LazyModule("deidgui.app.release.signing")
    verifying = LazyModule("deidgui.app.release.verifying")

CLASS_PARTS = Changes.DATA | Changes.ROLES | Changes.HIERARCHY | Changes.PRIVACY
"""Parts of a project that may decide the classes of records."""

_Released: TypeAlias = (
    "releasing.FinishedRelease | replacing.PlaceTakenError | drifting.DriftError"
)

_Linked = tuple[str, tuple[tuple[str, str, str], ...]]
_HowToRead = (
    tuple[tuple[str | None, DialectChoice, str | None, _Linked | None], Any] | None
)
"""Member of an archive, dialect, country, and what links a table of people; and what
decides the prepared table."""


class Workspace:
    """The session with its jobs: the one object that pages are given.

    Parameters
    ----------
    post : callable
        Runs a closure on the owner's thread (see `JobRunner`).
    recovery : Recovery, optional
        Where decisions are kept against a crash.
    known : KnownFiles, optional
        What this machine knows of projects and their files.

    Attributes
    ----------
    post : callable
        Runs a closure on the owner's thread, in a turn of its own.
    compiling : Event of ()
        A function is compiled, which is done once: work that waits for it stands.
    data_changed : Event of (path)
        The opened project's file is not the one it was made with; nothing runs
        until `accept_changed_data`.
    input_wanted : Event of (input name, file name)
        What the opened project names is not where it should be; see `locate_input`.
    input_located : Event of (input name)
        A person has said where another table is: it has been read.
    people_read : Event of (offer)
        A second file was read that may be linked to the first; see `link_people`.
    release_signed : Event of (folder, public key)
    release_verified : Event of (folder, outcome)
        What `deidgui verify --json` says.
    place_taken : Event of (folder, error)
        A release would replace something that is not proven to be an older one;
        nothing was written.
    opening, opening_member : Path or None, str or None
        The data file that was asked for last, whether or not it could be read, and
        its member of an archive.
    is_replacing : bool
        What was read last in lane READ, or is being read, is to take the place of the
        present file and project.
    """

    def __init__(
        self,
        post: Callable[[Callable[[], None]], None],
        recovery: Recovery | None = None,
        executor: Executor | None = None,
        known: KnownFiles | None = None,
    ) -> None:
        self.session = Session()
        self.runner = JobRunner(post, executor)
        self.problem: Event[BaseException, str] = Event()
        self.activity: Event[Activity] = Event()
        self.compiling: Event[[]] = Event()
        self.data_changed: Event[Path] = Event()
        self.input_wanted: Event[str, str] = Event()
        self.input_located: Event[str] = Event()
        self.release_written: Event[releasing.FinishedRelease] = Event()
        self.release_signed: Event[Path, str] = Event()
        self.release_verified: Event[Path, Mapping[str, Any]] = Event()
        self.place_taken: Event[Path, replacing.PlaceTakenError] = Event()
        self.post = post
        self._recovery, self._known = recovery, known
        self._project_stamp = ""
        self._file_stamps: list[tuple[Path, int, int]] = []
        self._stamped: object = None
        self.opening: Path | None = None
        self.opening_member: str | None = None
        self.is_replacing = False
        self._pending: Loaded | None = None
        self._paths: dict[str, Path] = {}
        self._places: dict[str, Path] = {}
        self._wanted_input: str | None = None
        self.people_read: Event[linking.LinkOffer] = Event()
        self._taken: tuple[Loaded | None, _HowToRead] = (None, None)
        self._projects_left = 0
        self._secrets = Secrets()
        self._lost: Loaded | None = None
        self.population = PopulationReader(
            self.session,
            lambda work, done: self._start(Lane.POPULATION, work, done),
            self.input_wanted,
        )
        self._measured_with: LatticePolicies | None = None
        self._asked_about: measuring.Measured | None = None
        self._numbers = itertools.count()
        self.session.project_changed.connect(self._on_project_changed)
        self.policies = PolicyRunner(
            self.session, self._start, self._class_builder, post, self.runner.running
        )
        self.runner.began.connect(self._on_job_began)
        self.runner.ended.connect(self.policies.let_go)
        self.policies.finished.connect(self._on_policies_found)

    @cached_property
    def hierarchy_cache(self) -> counting.HierarchyCache:
        """Hierarchies and people of the last decisions, for all jobs."""
        return counting.HierarchyCache()

    # -- tables of counts ----------------------------------------------------------

    @cached_property
    def counts(self) -> counts_work.CountsWork:
        """Tables of counts, in a project of their kind."""
        return counts_work.CountsWork(self.session, self._start)

    def begin_counts(self) -> None:
        """Begin a new project of tables of counts."""
        self._leave_project()
        self.session.start(counts_ops.new_project())

    # -- data ----------------------------------------------------------------------

    def open_data(
        self, path: Path, member: str | None = None, **dialect: object
    ) -> None:
        """Begin a new project from a data file: read, detect, propose (lane READ).

        Parameters
        ----------
        **dialect : object
            Fields of a dialect that a person has decided; the others are found.
        """
        self.opening, self.opening_member = path, member
        self._start(
            Lane.READ,
            lambda monitor: reading.read_input(
                path, member=member, dialect=dialect, monitor=monitor
            ),
            self._on_new_data,
            replaces=True,
        )

    def _on_new_data(self, loaded: Loaded) -> None:
        project = reading.propose_project(loaded)
        self._leave_project()
        self._taken = loaded, _how_to_read(project)
        self.session.start(project, loaded=loaded)

    def _leave_project(self) -> None:
        """Forget what belongs to the project that is left.

        No job of it may write its result into the next one; only a release that
        is being written comes to its end.
        """
        self._pending = self._lost = None
        self._taken, self._wanted_input = (None, None), None
        self._paths, self._places = {}, {}
        self.population.forget()
        self.hierarchy_cache.population.forget()
        self.__dict__.pop("others", None)
        self.policies.forget()
        self._secrets = Secrets()
        self._hold(None, "")
        self._projects_left += 1
        self.runner.cancel_all(but=Lane.EXPORT)

    def read_again(self, dialect: DialectChoice) -> None:
        """Read the current file with another dialect; decisions are kept by name."""
        project = self.session.project
        if self.session.loaded is None:
            return
        changes = dialect.model_dump()
        if dialect.header == project.inputs[0].dialect.header:
            # Who chose another delimiter has not said what the first record is.
            del changes["header"]
        self._read_otherwise(
            lambda project: rereading.with_dialect(project, **changes),
            tr("change how to read"),
        )

    def say_header(self, is_header: bool) -> None:
        """Say whether the first record of the file holds the names of the columns."""

        def op(project: Project) -> Project:
            return rereading.with_dialect(project, header=is_header)

        label = tr("say what the first record is")
        if self.session.project.inputs[0].dialect.header == is_header:
            self.session.apply(op, label)
        else:
            self._read_otherwise(op, label)

    def set_country(self, country: str | None) -> None:
        """Read the current file by the rules of a country; None lets it be found.

        What nobody has decided is proposed anew.
        """
        self._read_otherwise(
            lambda project: rereading.with_country(project, country),
            tr("change the country"),
            follow=True,
        )

    def _read_otherwise(
        self, op: Callable[[Project], Project], label: str, *, follow: bool = False
    ) -> None:
        """Read the current file as a decision says; it is made once it was read."""
        loaded, snapshot = self.session.loaded, op(self.session.project)
        if loaded is None:
            return
        path, others = loaded.path, dict(self._paths)

        def work(monitor: Monitor) -> tuple[Loaded, tuple[Attribute, ...]]:
            step = SubMonitor(monitor, 0.0, 0.8)
            again = linking.read_project_input(snapshot, path, others, monitor=step)
            project = reading.renew_project(snapshot, again)
            if follow:
                project = rereading.follow_country(project, again)
            step = SubMonitor(monitor, 0.8, 1.0)
            return self._prepared(project, again, step), project.attributes

        def done(read: tuple[Loaded, tuple[Attribute, ...]]) -> None:
            again, proposed = read
            renewed = self._renewed(again, op)
            if follow and self.session.project.attributes == snapshot.attributes:
                renewed = renewed.but(attributes=proposed)
            self.session.apply(lambda _project: renewed, label, also=TABLE)

        self._start(Lane.READ, work, done)

    def _renewed(
        self, loaded: Loaded, op: Callable[[Project], Project] = lambda each: each
    ) -> Project:
        """Take a table over, and return the project for it.

        First the table: results are computed from it as soon as decisions change.
        """
        renewed = reading.renew_project(op(self.session.project), loaded)
        self.session.loaded = loaded
        self._taken = loaded, _how_to_read(renewed)
        return renewed

    def _read_as_decided(self, loaded: Loaded) -> None:
        """Read or prepare the table again after such a decision was undone or redone.

        So it is too where another decision, as that on people, decides what steps do.
        """
        project = self.session.project
        how = _how_to_read(project)
        known = self._taken[1]
        is_same_file = bool(how and known and how[0] == known[0])
        # Nothing may be computed from the table as it was read otherwise.
        self.session.set_loaded(None)
        others = dict(self._paths)
        path = self._path_of(project.inputs[0], loaded)
        # Where that fails, the next decision tries again.
        self._lost = loaded

        def work(monitor: Monitor) -> Loaded:
            if is_same_file:
                return self._prepared(project, loaded, monitor)
            return self._read(project, path, others, monitor)

        def done(again: Loaded) -> None:
            self._lost = None
            self._taken = again, how
            self.session.set_loaded(again)
            # The decision may have been changed once more meanwhile.
            self._on_project_changed(Changes.DATA, None)

        self._start(Lane.READ, work, done)

    def _find_again(self, lost: Loaded, is_as_decided: bool) -> None:
        """Take the table back after it could not be read or prepared as decided."""
        if is_as_decided:
            self._lost = None
            self.session.set_loaded(lost)
        else:
            self._read_as_decided(lost)

    def _read(
        self,
        project: Project,
        path: Path,
        others: Mapping[str, Path],
        monitor: Monitor,
    ) -> Loaded:
        """Read a project's inputs and prepare the table (in a worker thread)."""
        step = SubMonitor(monitor, 0.0, 0.8)
        loaded = linking.read_project_input(project, path, others, monitor=step)
        return self._prepared(project, loaded, SubMonitor(monitor, 0.8, 1.0))

    def _prepared(self, project: Project, loaded: Loaded, monitor: Monitor) -> Loaded:
        """Prepare a table as a project says (in a worker thread)."""
        files = dict(self.session.hierarchy_files)
        return preparing.prepared(
            project, loaded, files, self._secrets, monitor=monitor
        )

    # -- preparation ---------------------------------------------------------------

    def change_steps(
        self,
        steps: Sequence[Step],
        label: str,
        lists: Mapping[str, bytes] | None = None,
    ) -> None:
        """Prepare the table by other steps; the decision follows (lane PREPARATION).

        Without a table it is made at once.

        Parameters
        ----------
        lists : mapping of str to bytes, optional
            Lists that steps name anew, by relative path.
        """
        session = self.session
        for name, content in (lists or {}).items():
            session.add_hierarchy_file(name, content)
        loaded, snapshot = session.loaded, session.project
        if loaded is None:
            session.apply(lambda now: now.but(preparation=tuple(steps)), label)
            return
        files = dict(session.hierarchy_files)

        def done(decided: preparing.DecidedSteps) -> None:
            if session.loaded is not loaded:
                return
            # First the table: results are computed from it as soon as decisions change.
            session.loaded = decided.loaded
            self._taken = decided.loaded, _how_to_read(decided.op(snapshot))
            session.apply(decided.op, label, also=TABLE)

        self._start(
            Lane.PREPARATION,
            lambda monitor: preparing.decide_steps(
                snapshot, steps, loaded, files, self._secrets, monitor=monitor
            ),
            done,
        )

    def _path_of(self, file: InputFile, loaded: Loaded) -> Path:
        """Where a file is that is read, or was linked to the one that is."""
        self._places[loaded.sha256] = loaded.path
        if loaded.people is not None:
            for name, place in loaded.people.paths.items():
                self._places[loaded.people.files[name].sha256] = place
        return self._places.get(file.sha256, loaded.path)

    # -- population ----------------------------------------------------------------

    def open_population(self, path: Path, kind: str, member: str | None = None) -> None:
        """Decide on a file about the population (lane POPULATION).

        Parameters
        ----------
        kind : str
            "register" or "counts".
        member : str, optional
            Of a zip archive.
        """
        self.population.open(path, kind, member)

    def needed_files(self) -> tuple[Path, ...]:
        """Return the files that the project needs, wherever they are."""
        project, places = self.session.project, self._input_places()
        return needing.needed_files(project, self.session.path, places.values())

    def _input_places(self) -> dict[str, Path]:
        """Where everything is that the project names, by name, as far as is known."""
        session = self.session
        project, path = session.project, session.path
        places = found_below(project, None if path is None else path.parent)
        places |= self._paths | read_from(project, session.loaded)
        if self.population.path is not None:
            places[POPULATION] = self.population.path
        if self.earlier_folder is not None:
            places[EARLIER] = self.earlier_folder
        names = {each.name for each in named_inputs(project)}
        if project.comparisons:
            places |= self.others.places(project)
        return {name: place for name, place in places.items() if name in names}

    @property
    def earlier_folder(self) -> Path | None:
        """Where the earlier release is, if a person has said so."""
        chosen = self.session.project.validity.earlier
        return None if chosen is None else self._places.get(chosen.sha256)

    # -- other releases and registers ----------------------------------------------

    @cached_property
    def others(self) -> other_tables.OtherTables:
        """Tables that the release is matched with."""
        return other_tables.OtherTables()

    def read_others(self) -> other_tables.Reader:
        """Return what reads the tables that the project is matched with."""
        path = self.session.path
        folder = None if path is None else path.parent
        return self.others.reader(self.session.project, folder)

    def compare_with(self, path: Path, kind: other_tables.Kind, by: str) -> None:
        """Decide to match the release with another table (lane OTHERS).

        Parameters
        ----------
        path : Path
            Folder of a release, or file of a register.
        by : str
            Who decides it.

        Raises
        ------
        ConfigError
            Code ``validity_unnamed``.
        """
        check_named(by)
        snapshot = self.session.project

        def done(choice: Comparison) -> None:
            said = choice.but(by=by, on=today().isoformat())
            label = tr("compare with “{name}”", name=choice.name)
            try:
                self.session.apply(ops.compare_with(said), label)
            except DeidError as error:
                self.problem(error, Lane.OTHERS)

        self._start(
            Lane.OTHERS,
            lambda monitor: self.others.choose(snapshot, path, kind, monitor),
            done,
        )

    # -- people and their events ---------------------------------------------------

    def open_people(self, path: Path, member: str | None = None) -> None:
        """Read a file that may be linked to the first, or to its people (lane READ).

        Ends with `people_read`; nothing is decided yet.
        """
        loaded = self.session.loaded
        if loaded is None:
            return
        first = loaded.people.alone if loaded.people is not None else loaded

        def work(monitor: Monitor) -> linking.LinkOffer:
            step = SubMonitor(monitor, 0.0, 0.9)
            other = reading.read_input(path, member=member, monitor=step)
            return linking.link_offer(first, other)

        self._start(Lane.READ, work, self.people_read)

    def link_people(self, other: Loaded, column: str, other_column: str) -> None:
        """Link a second file by a key; decided once it could be done (lane READ).

        Parameters
        ----------
        other : Loaded
            The second file, of `people_read`; further events of linked people.
        column, other_column : str
            Of the file that is open and of the other one. Whichever has a different
            key in each row holds the people.
        """
        loaded = self.session.loaded
        if loaded is None:
            return
        if loaded.people is not None:
            self._add_events(loaded.people, other, other_column)
            return
        first = loaded.unprepared()

        def work(monitor: Monitor) -> tuple[Loaded, str, str]:
            # If the keys do not tell, the second file has the people.
            pair = (other, other_column), (first, column)
            events, people = linking.events_first(*pair)
            linked = linking.link_files(
                events[0], people[0], events[1], people[1], monitor=monitor
            )
            return linked, events[1], people[1]

        def done(found: tuple[Loaded, str, str]) -> None:
            linked, key, people_key = found
            op = linking.with_link(linked, key, people_key)
            self._take_linked(linked, op, tr("add a table of people"))

        self._start(Lane.READ, work, done)

    def _take_linked(
        self, linked: Loaded, op: Callable[[Project], Project], label: str
    ) -> None:
        """Take over files that were linked, and the decision that links them."""
        assert linked.people is not None
        self._paths |= linked.people.paths
        renewed = op(self.session.project)
        # First the table: results are computed from it as soon as decisions change.
        self.session.loaded = linked
        # It is as it was read: steps that there are prepare it next.
        self._taken = linked, _how_to_read(renewed.but(preparation=()))
        self.session.apply(lambda _project: renewed, label, also=TABLE)

    def _add_events(self, people: LoadedPeople, other: Loaded, column: str) -> None:
        """Link a further file of events to people who are linked already."""
        names = [each.name for each in self.session.project.inputs]
        further = [
            linking.FurtherEvents(each.alone, each.key, each.name)
            for each in people.further
        ]
        name = linking.events_name(other, names)
        further.append(linking.FurtherEvents(other, column, name))
        first = people.tables[0]
        missing = {first.key: self.session.project.attribute(first.key).missing}

        def work(monitor: Monitor) -> Loaded:
            return linking.link_files(
                first.alone,
                people.alone,
                first.key,
                people.key,
                further,
                missing=missing,
                monitor=monitor,
            )

        def done(linked: Loaded) -> None:
            op = linking.with_events(linked)
            self._take_linked(linked, op, tr("add a table of events"))

        self._start(Lane.READ, work, done)

    def unlink_people(self) -> None:
        """Go on with the first table of events alone."""
        self.session.apply(linking.without_link, tr("remove the table of people"))

    def unlink_events(self) -> None:
        """Go on without the table of events that was added last."""
        self.session.apply(linking.without_last_events, tr("remove a table of events"))

    # -- columns -------------------------------------------------------------------

    def set_roles(
        self,
        names: Sequence[str],
        role: str,
        label: str = "",
        initiator: object | None = None,
    ) -> None:
        """Set the role of some columns; see `change_columns`."""
        change = deciding.role_change(role)
        self.change_columns(
            dict.fromkeys(names, change), label or tr("set role"), initiator
        )

    def change_columns(
        self,
        wanted: Mapping[str, Mapping[str, Any]],
        label: str,
        initiator: object | None = None,
    ) -> None:
        """Make one decision on some columns; hierarchies they need are proposed.

        With many different values the proposals are made in a worker thread and
        the decision follows them.

        Parameters
        ----------
        wanted : mapping of str to mapping
            Fields of `Attribute` by column.
        label : str
            Names the decision in the Edit menu.

        Raises
        ------
        ConfigError
            Code ``attribute_unknown``; nothing has changed then.
        """
        session = self.session
        snapshot, loaded = session.project, session.loaded
        in_need = deciding.columns_in_need(snapshot, wanted)

        def done(proposals: dict[str, HierarchyChoice | None]) -> None:
            op = deciding.decide(wanted, proposals, snapshot)
            session.apply(op, label, initiator)

        if loaded is None or not in_need:
            done({})
        elif deciding.is_quick(loaded, in_need):
            done(deciding.propose_hierarchies(loaded, in_need, snapshot))
        else:
            # A lane of its own: no decision may cancel another one.
            self._start(
                f"propose {next(self._numbers)}",
                lambda monitor: deciding.propose_hierarchies(
                    loaded, in_need, snapshot, monitor=monitor
                ),
                done,
            )

    # -- projects ------------------------------------------------------------------

    def open_project(self, path: Path) -> None:
        """Open a project file, then read its input (lane READ).

        Raises
        ------
        DeidError
            If the project cannot be opened; the current one stays.
        """
        project = load_project(path)
        stamp = stamp_of(path)
        hierarchy_files = files.load_hierarchy_files(project, path.parent)
        self._leave_project()
        self._hold(path, stamp)
        self.session.start(project, path, hierarchy_files=hierarchy_files)
        self._read_project_input(path.parent)

    def close_project(self) -> None:
        """Go on without a project; what runs for it stops."""
        self._leave_project()
        self.session.start(Project())

    def recover(self) -> bool:
        """Open what a crash left behind; False if there is nothing."""
        kept = self._recovery.take() if self._recovery else None
        if kept is None:
            return False
        self._leave_project()
        self.population.remember(kept.project, kept.population)
        self._hold(kept.path, stamp_of(kept.path))
        self.session.start(kept.project, kept.path, hierarchy_files=kept.files)
        self.session.forget_saved()
        folder = kept.path.parent if kept.path else None
        places = {"table": kept.data, **kept.linked}
        self._read_project_input(folder, {n: p for n, p in places.items() if p})
        return True

    def _read_project_input(
        self, folder: Path | None, known: Mapping[str, Path] | None = None
    ) -> None:
        project = self.session.project
        places = {**found_below(project, folder), **(known or {})}
        for each in named_inputs(project):
            path = places.get(each.name) or self._known_place(each.name)
            if path is not None and path.exists():
                self._remember_place(each, path)
        self._ask_for_others()
        self._read_inputs()

    @property
    def missing_inputs(self) -> tuple[NamedInput, ...]:
        """What the project names and is not found, but for the population.

        That is asked for once it is needed.
        """
        places = {POPULATION: None, **self._input_places()}
        inputs = named_inputs(self.session.project)
        return tuple(each for each in inputs if each.name not in places)

    def _ask_for_others(self) -> None:
        """Ask for compared tables that are not found, again after each that is."""
        for each in self.missing_inputs:
            if not each.is_data:
                self.input_wanted(each.name, each.file)

    def _remember_place(self, each: NamedInput, path: Path) -> None:
        project = self.session.project
        if each.is_data:
            self._paths[each.name] = path
        elif each.name == POPULATION:
            self.population.remember(project, path)
        elif each.name == EARLIER:
            self._places[each.sha256] = path
        else:
            choice = next(e for e in project.comparisons if e.name == each.name)
            self.others.remember(choice, path)

    def locate_input(self, path: Path, name: str = "") -> None:
        """Read what the opened project names from `path`.

        Parameters
        ----------
        name : str
            Of the input; the one that is wanted, by default.
        """
        project = self.session.project
        name = name or self._wanted_input or project.inputs[0].name
        each = next((e for e in named_inputs(project) if e.name == name), None)
        if each is None:
            return
        if each.is_data:
            self._paths[name] = path
            self._read_inputs()
        elif name == POPULATION:
            self.population.remember(project, path)
            self.population.read(self._on_population_located)
        else:
            self._locate_other(each, path)

    def _on_population_located(self) -> None:
        self._remember_places()
        self.update_classes()

    def _locate_other(self, each: NamedInput, path: Path) -> None:
        """Look whether this is the table that is compared (lane OTHERS)."""
        project, projects_left = self.session.project, self._projects_left

        def work(monitor: Monitor) -> None:
            if each.name == EARLIER:
                drifting.read_earlier(project, None, path)
                return
            choice = next(e for e in project.comparisons if e.name == each.name)
            self.others.locate(choice, path, monitor)

        def done(_nothing: None) -> None:
            if self._projects_left == projects_left:
                self._remember_place(each, path)
                self._remember_places()
                self.input_located(each.name)
                self._ask_for_others()

        self._start(Lane.OTHERS, work, done)

    def _read_inputs(self) -> None:
        """Read all inputs of the project, or ask for the first that is not found."""
        project, paths = self.session.project, dict(self._paths)
        if not project.inputs:
            return
        self._wanted_input = None
        for file in project.inputs:
            if file.name not in paths:
                self._wanted_input = file.name
                self.input_wanted(file.name, file.file)
                return
        first = paths[project.inputs[0].name]
        self._start(
            Lane.READ,
            lambda monitor: self._read(project, first, paths, monitor),
            self._on_project_data,
        )

    def _is_another_file(self, loaded: Loaded) -> bool:
        """Whether what was read is not what the project was made with."""
        known = [each.sha256 for each in self.session.project.inputs]
        now = [loaded.sha256]
        if loaded.people is not None:
            now += [each.sha256 for each in loaded.people.files.values()]
        return any(k not in ("", n) for k, n in zip(known, now, strict=False))

    def _on_project_data(self, loaded: Loaded) -> None:
        if self._is_another_file(loaded):
            self._pending = loaded
            self.data_changed(loaded.path)
            return
        self._take(loaded)

    def accept_changed_data(self) -> None:
        """Go on with a file that differs from the one the project was made with."""
        if self._pending is not None:
            loaded, self._pending = self._pending, None
            # Undo would bring back a project that says it is about the other file.
            self.session.forget_history()
            self._take(loaded)

    def _take(self, loaded: Loaded) -> None:
        renewed = self._renewed(loaded)
        self.session.amend(lambda _project: renewed, also=TABLE)
        self._remember_places()

    def save(self, path: Path | None = None, *, replace: bool = False) -> None:
        """Save the project, and its hierarchy files beside it.

        Parameters
        ----------
        replace : bool
            Whether a person has said that what another window or program wrote there
            since may go.

        Raises
        ------
        ConfigError
            Code ``project_changed_since``.
        ResourceError
            Code ``cannot_write``; an earlier file is intact.
        """
        target = path or self.session.path
        assert target is not None, "the first save names a file"
        if not replace and target == self.session.path and self.is_changed_on_disk():
            raise ConfigError("project_changed_since", file=target.name)
        places = self._input_places()
        project = relocated(self.session.project_to_keep, target.parent, places)
        self.session.amend(lambda _project: project)
        files.save_hierarchy_files(project, self.session.hierarchy_files, target.parent)
        save_project(project, target)
        self._hold(target, stamp_of(target))
        for each in named_inputs(project):
            if each.name in places:
                # Of what lay below the folder that the project was in before, too.
                self._remember_place(each, places[each.name])
        self.session.mark_saved(target)
        self._remember_places()
        if self._recovery:
            self._recovery.forget()

    def autosave(self) -> None:
        """Keep the decisions against a crash, if there are unsaved ones."""
        if self._known and self.session.path is not None:
            self._known.hold(self.session.path)
        if self._recovery:
            self._recovery.follow(self.session, self._input_places())

    # -- files that others change --------------------------------------------------

    def is_changed_on_disk(self) -> bool:
        """Whether somebody else has written the project since it was read or saved."""
        now = stamp_of(self.session.path)
        return bool(now and self._project_stamp and now != self._project_stamp)

    def open_elsewhere(self) -> str | None:
        """Computer on which another window of this user has the same project open."""
        return self._known.open_elsewhere() if self._known else None

    def is_data_changed(self) -> bool:
        """Whether a data file was written since it was read."""
        if self.session.loaded is None:
            # Perhaps it is only being prepared once more.
            return self.session.is_outdated
        return any(_stat_of(e[0]) not in (e, None) for e in self._file_stamps)

    def _stamp_files(self) -> None:
        """Remember how the files stand that were read; prepared again is not read."""
        loaded = self.session.loaded
        inspection = loaded.inspection if loaded is not None else None
        is_prepared_again = loaded is None and self._lost is not None
        if inspection is not self._stamped and not is_prepared_again:
            self._stamped = inspection
            stamps = map(_stat_of, loaded.paths if loaded is not None else ())
            self._file_stamps = [each for each in stamps if each is not None]
            self.session.is_outdated = False

    def look_at_data(self) -> bool:
        """Look whether the data are still those on disk, and let the session say so."""
        self.session.set_outdated(self.is_data_changed())
        return self.session.is_outdated

    def reload_data(self) -> None:
        """Read the data file as it is now; decisions are kept by name (lane READ)."""
        project, loaded = self.session.project, self.session.loaded
        if loaded is None:
            return
        path, others = loaded.path, dict(self._paths)

        def done(again: Loaded) -> None:
            if not self._is_another_file(again):
                self._take(again)
                return
            self._pending = again
            self.accept_changed_data()

        self._start(
            Lane.READ, lambda monitor: self._read(project, path, others, monitor), done
        )

    def _hold(self, path: Path | None, stamp: str) -> None:
        self._project_stamp = stamp
        if self._known:
            self._known.hold(path)

    def _known_place(self, name: str) -> Path | None:
        return self._known.find(self.session.path, name) if self._known else None

    def _remember_places(self) -> None:
        if self._known is not None and self.session.path is not None:
            self._known.remember(self.session.path, self._input_places())

    # -- classes and figures -------------------------------------------------------

    def _on_project_changed(self, changes: Changes, _initiator: object | None) -> None:
        session = self.session
        if session.project.kind == "counts":
            self.counts.update_audit()
            self.counts.update_questions()
            return
        self._stamp_files()
        loaded, read_as = self._taken
        is_as_decided = _how_to_read(session.project) == read_as
        lost = self._lost
        if lost is not None and session.loaded is None:
            if not self.is_running(Lane.READ):
                self._find_again(lost, is_as_decided)
        elif loaded is not None and loaded is session.loaded and not is_as_decided:
            self._read_as_decided(loaded)
        elif changes & CLASS_PARTS and session.state(Kind.CLASSES) is not State.CURRENT:
            self.update_classes()
        else:
            self.update_measurement()
            self.update_questions()

    def update_classes(self) -> None:
        """Count the classes of records anew if decisions changed (lane CLASSES)."""
        session = self.session
        if session.loaded is None or session.state(Kind.CLASSES) is State.CURRENT:
            return
        snapshot = session.project
        if not snapshot.quasi_identifiers:
            return
        if self.population.is_lacking:
            self.population.read(self.update_classes)
            return
        build = self._class_builder(snapshot)
        assert build is not None

        def done(classes: counting.Classes) -> None:
            session.set_result(Kind.CLASSES, classes, snapshot)
            self.update_measurement()

        self._start(Lane.CLASSES, build, done)

    def _class_builder(
        self, snapshot: Project
    ) -> Callable[[Monitor], counting.Classes] | None:
        """Return what builds the classes of a project; None without a table."""
        session, cache = self.session, self.hierarchy_cache
        if session.loaded is None:
            return None
        table, population = session.loaded.table, self.population.table
        files = dict(session.hierarchy_files)
        return lambda monitor: counting.build_classes(
            snapshot, table, files, population, cache=cache, monitor=monitor
        )

    def whole_classes(self) -> Callable[[Monitor], counting.Classes] | None:
        """Return what counts the classes of everybody, whatever sample is decided."""
        return self._class_builder(self.session.project.but(sample=None))

    def _on_policies_found(self, kind: str) -> None:
        if kind == self.policies.main_kind:
            self.update_measurement()

    def update_measurement(self, *, after_search: bool = False) -> None:
        """Measure the chosen or best policy, else the data alone (lane MEASURE).

        Figures of a policy that was found under earlier decisions are kept, stale,
        until there is a policy again.
        """
        session = self.session
        classes = session.current(Kind.CLASSES)
        found = session.current(self.policies.main_kind)
        is_current = session.state(Kind.MEASUREMENT) is State.CURRENT
        knows_search = found is None or found.is_same_answer(self._measured_with)
        if classes is None or (is_current and knows_search and not after_search):
            return
        snapshot = session.project
        known = session.result(Kind.MEASUREMENT)
        has_policy = found is not None or snapshot.chosen is not None
        if not has_policy and known is not None and known.policy is not None:
            return

        def done(measurement: measuring.Measured) -> None:
            self._measured_with = found
            session.set_result(Kind.MEASUREMENT, measurement, snapshot)
            self.update_questions()

        self._start(
            Lane.MEASURE,
            lambda monitor: measuring.measure_project(
                snapshot, classes, found, monitor=monitor
            ),
            done,
        )

    def update_questions(self) -> None:
        """Judge the table that the policy would release (lane QUESTIONS)."""
        session = self.session
        classes, loaded = session.current(Kind.CLASSES), session.loaded
        measured = session.current(Kind.MEASUREMENT)
        if classes is None or loaded is None or measured is None:
            return
        policy = measured.policy
        is_asked = session.state(Kind.QUESTIONS) is State.CURRENT
        if policy is None or (is_asked and measured is self._asked_about):
            return
        snapshot = session.project

        def ask(monitor: Monitor) -> tuple[questions.ReleaseQuestion, ...]:
            # What is asked is the same in every language; its sentences are not.
            with in_english():
                return questions.questions_of(
                    snapshot,
                    classes,
                    policy,
                    releasing.findings_of(loaded),
                    loaded.fingerprint,
                    keys=loaded.keys,
                    monitor=monitor,
                )

        def done(asked: tuple[questions.ReleaseQuestion, ...]) -> None:
            self._asked_about = measured
            session.set_result(Kind.QUESTIONS, asked, snapshot)

        self._start(Lane.QUESTIONS, ask, done)

    def attack(self) -> None:
        """Simulate attacks on what the current policy releases (lane ATTACKS)."""
        session = self.session
        classes = session.current(Kind.CLASSES)
        measured = session.current(Kind.MEASUREMENT)
        if classes is None or measured is None or measured.policy is None:
            return
        snapshot, policy, loaded = session.project, measured.policy, session.loaded
        if loaded is None:
            return
        as_read = attacking.AsRead(loaded, dict(session.hierarchy_files))

        def work(monitor: Monitor) -> AttackResults:
            return attacking.run_attacks(
                snapshot, classes, policy, as_read, monitor=monitor
            )

        self._start(
            Lane.ATTACKS,
            work,
            lambda found: session.set_result(Kind.ATTACKS, found, snapshot),
        )

    # -- release -------------------------------------------------------------------

    def export(self, folder: Path, given_up: replacing.Standing | None = None) -> None:
        """Write, verify and measure a release in `folder` (lane EXPORT).

        Parameters
        ----------
        given_up : Standing, optional
            What a person has seen there and given up.

        Raises
        ------
        ConfigError
            If a decision is missing, all problems together.
        """
        session = self.session
        snapshot = session.project
        needed.check_release(snapshot)
        root = session.path.parent if session.path else None
        earlier_folder, loaded = self.earlier_folder, session.loaded
        classes = session.current(Kind.CLASSES)
        found = session.current(self.policies.main_kind)
        attacks = session.current(Kind.ATTACKS)
        if loaded is None:
            return
        files, population = dict(session.hierarchy_files), self.population.table
        projects_left = self._projects_left
        others = self.needed_files()
        read_others = self.read_others() if snapshot.comparisons else None

        def work(monitor: Monitor) -> _Released:
            earlier = drifting.read_earlier(snapshot, root, earlier_folder)
            try:
                compared = None
                if read_others is not None:
                    compared = read_others(SubMonitor(monitor, 0.0, 0.2))
                    monitor = SubMonitor(monitor, 0.2, 1.0)
                return releasing.release(
                    snapshot,
                    loaded,
                    folder,
                    files,
                    population,
                    classes=classes,
                    found=found,
                    attacks=attacks,
                    compared=compared,
                    others=others,
                    earlier=earlier,
                    given_up=given_up,
                    monitor=monitor,
                )
            except (replacing.PlaceTakenError, drifting.DriftError) as stopped:
                return stopped

        def done(released: _Released) -> None:
            if isinstance(released, replacing.PlaceTakenError):
                self.place_taken(folder, released)
                return
            is_same = self._projects_left == projects_left
            if isinstance(released, drifting.DriftError):
                is_same &= session.project.validity == snapshot.validity
                is_same &= session.loaded is loaded
                self._stop_by(released, is_same=is_same)
                return
            if is_same:
                self.policies.keep_cost(found, released.found, snapshot)
                session.set_result(Kind.RELEASE, released, snapshot)
                day = today().isoformat()
                session.note_released(released.folder.name, day, snapshot)
            self.release_written(released)

        self._start(Lane.EXPORT, work, done)

    def _stop_by(self, changed: drifting.DriftError, *, is_same: bool) -> None:
        """Enter what was measured: nothing is released until somebody decides anew.

        Parameters
        ----------
        is_same : bool
            Whether project, validity and data are still those to be released.
        """
        op = enter_measured(changed.triggers)
        if is_same:
            label = tr("enter what has changed since the earlier release")
            self.session.apply(op, label)
        self.problem(changed, Lane.EXPORT)

    def choose_earlier(self, folder: Path | None, by: str) -> None:
        """Choose the release that the next one is compared with (lane VERIFY)."""
        label = tr("choose the earlier release")
        if folder is None:
            self.session.apply(drifting.compare_with(None, by), label)
            return
        root = self.session.path.parent if self.session.path else None
        projects_left = self._projects_left

        def work(monitor: Monitor) -> tuple[EarlierRelease, str]:
            return drifting.open_earlier(folder, by, root, monitor=monitor)

        def done(found: tuple[EarlierRelease, str]) -> None:
            chosen, follows = found
            if self._projects_left != projects_left:
                return
            self._places[chosen.sha256] = folder
            self.session.apply(drifting.compare_with(chosen, by, follows), label)

        self._start(Lane.VERIFY, work, done)

    def verify(self, folder: Path) -> None:
        """Read a release back and measure it again (lane VERIFY).

        Ends with `release_verified`.
        """
        self._start(
            Lane.VERIFY,
            lambda monitor: describe.describe_verification(
                folder, verifying.verify(folder, monitor=monitor)
            ),
            lambda outcome: self.release_verified(folder, outcome),
        )

    def sign(self, folder: Path, key: Path) -> None:
        """Verify a release again and sign its evidence (lane EXPORT).

        Ends with `release_signed`.
        """
        self._start(
            Lane.EXPORT,
            lambda monitor: signing.sign_release(folder, key, monitor=monitor),
            lambda made: self.release_signed(folder, made.public_key),
        )

    # -- jobs ----------------------------------------------------------------------

    def cancel(self, lane: str) -> None:
        """Ask the job in `lane` to stop."""
        if job := self.runner.running(lane):
            job.cancel()

    def pause(self, lane: str) -> None:
        """Let the job in `lane` wait, or go on if it waits."""
        if job := self.runner.running(lane):
            (job.resume if job.is_paused else job.pause)()

    def _on_job_began(self, lane: str) -> None:
        """Let a survey wait while something else runs."""
        if lane != Lane.SURVEY:
            self.policies.hold(lane)

    def is_running(self, lane: str) -> bool:
        """Whether a job runs in `lane`."""
        return self.runner.running(lane) is not None

    def close(self, *, keep: bool = False) -> None:
        """Stop everything.

        Parameters
        ----------
        keep : bool
            Whether the recovery file stays, for an exit that nobody was asked about.
        """
        self.runner.close()
        if self._known:
            self._known.release()
        if self._recovery and not keep:
            self._recovery.close()

    def _start(
        self,
        lane: str,
        work: Callable[[Monitor], Any],
        done: Callable[[Any], None],
        cancelled: Callable[[], None] | None = None,
        *,
        replaces: bool = False,
    ) -> None:
        if lane == Lane.READ:
            self.is_replacing = replaces
        reported = ReportedJob(
            self.runner, lane, self.activity, self.problem, done, cancelled
        )
        self.activity(Activity(lane, 0.0))
        self.runner.start(lane, work, reported.job)


def _stat_of(path: Path) -> tuple[Path, int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return path, found.st_mtime_ns, found.st_size


def _how_to_read(project: Project) -> _HowToRead:
    """Return what a project says about how its file is read."""
    if not project.inputs:
        return None
    first = project.inputs[0]
    keys = tuple((e.table, e.column, e.people_column) for e in project.links)
    linked = (first.sha256, keys) if keys else None
    file = first.member, first.dialect, first.country, linked
    return file, preparation_basis(project)
