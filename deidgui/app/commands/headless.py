"""The commands of the command line as functions: paths in, JSON values out."""

from __future__ import annotations

import contextlib
import itertools
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deidgui.app import ops
from deidgui.app.classes import Classes, build_classes
from deidgui.app.commands.describe import (
    describe_attacks,
    describe_inspection,
    describe_population,
    describe_verification,
)
from deidgui.app.determination.validity import enter_measured
from deidgui.app.entered import today
from deidgui.app.loaded import Loaded, read_from
from deidgui.app.needed import (
    check_attackable,
    check_candidates,
    check_release,
    looks_for_models,
    problems_of,
)
from deidgui.app.open_decisions import confirm_command, open_decisions
from deidgui.app.policies.decisions import weights_of
from deidgui.app.policies.source import ALTERNATIVES, LATTICE, main_kind
from deidgui.app.policies.source import source as policy_source
from deidgui.app.population.files import read_population
from deidgui.app.preparation.preparing import prepared
from deidgui.app.project import Project
from deidgui.app.reading.files import load_hierarchy_files
from deidgui.app.reading.linking import (
    FurtherEvents,
    events_name,
    find_keys,
    link_files,
    people_among,
    propose_linked,
    read_project_input,
)
from deidgui.app.reading.reading import (
    certain_columns,
    propose_project,
    read_input,
    renew_project,
)
from deidgui.app.reading.rereading import with_country
from deidgui.app.storage.named_inputs import (
    EARLIER,
    POPULATION,
    check_given,
    found_below,
    relocated,
)
from deidgui.app.storage.project_io import load_project, project_schema, save_project
from deidgui.engine.data.table import Table
from deidgui.engine.preparation.base import Secrets
from deidgui.errors import (
    ConfigError,
    DeidError,
    InputError,
    VerificationError,
    raise_all,
)
from deidgui.lazy import LazyModule
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor

if TYPE_CHECKING:
    from deidgui.app import needed_files
    from deidgui.app.attacks import running as attacking
    from deidgui.app.counts import fuzzing
    from deidgui.app.dossier import drift as drifting
    from deidgui.app.dossier import intruder, intruder_words
    from deidgui.app.measuring import comparing
    from deidgui.app.measuring import others as other_tables
    from deidgui.app.policies.lattice import policies as lattice_policies
    from deidgui.app.policies.lattice import searching
    from deidgui.app.policies.policy_set import SourceResult
    from deidgui.app.release import (
        folder as release_folder,
    )
    from deidgui.app.release import (
        overruling,
        releasing,
        reporting,
        signing,
        verifying,
    )
    from deidgui.engine.evidence import signature
else:
    # PERF: each command imports what it needs itself: a search no report, no release.
    drifting = LazyModule("deidgui.app.dossier.drift")
    intruder = LazyModule("deidgui.app.dossier.intruder")
    intruder_words = LazyModule("deidgui.app.dossier.intruder_words")
    needed_files = LazyModule("deidgui.app.needed_files")
    attacking = LazyModule("deidgui.app.attacks.running")
    fuzzing = LazyModule("deidgui.app.counts.fuzzing")
    comparing = LazyModule("deidgui.app.measuring.comparing")
    other_tables = LazyModule("deidgui.app.measuring.others")
    searching = LazyModule("deidgui.app.policies.lattice.searching")
    lattice_policies = LazyModule("deidgui.app.policies.lattice.policies")
    release_folder = LazyModule("deidgui.app.release.folder")
    overruling = LazyModule("deidgui.app.release.overruling")
    releasing = LazyModule("deidgui.app.release.releasing")
    reporting = LazyModule("deidgui.app.release.reporting")
    signing = LazyModule("deidgui.app.release.signing")
    verifying = LazyModule("deidgui.app.release.verifying")
    signature = LazyModule("deidgui.engine.evidence.signature")

Confirm = Callable[[str], bool]
"""Asks a person a yes-or-no question about a file, named by its name."""


def inspect(
    file: Path,
    project: Path | None = None,
    key: str | None = None,
    *,
    others: Sequence[Path] = (),
    dialect: Mapping[str, Any] | None = None,
    country: str | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> dict[str, Any]:
    """Read a file and return what was found out about it.

    Parameters
    ----------
    project : Path, optional
        Where the proposals are written as a project.
    key : str, optional
        Column that says to whom a row belongs: decided in the project. Of several
        files the column that links them, or ``COLUMN=COLUMN``.
    others : sequence of Path
        Further files: one holds the people, one row each, the others their events.
    dialect : mapping, optional
        Fields of a dialect that a person has decided; the others are found.
    country : str, optional
        Two letters; found otherwise.

    Returns
    -------
    dict
        JSON values; see `describe_inspection`. Its ``project`` is the project that
        was written, with what is ``open`` in it (see `open_decisions`).

    Raises
    ------
    InputError, ResourceError
    ConfigError
        Codes ``project_exists``: decisions are never overwritten by proposals;
        ``attribute_unknown`` for the key, and those of `_inspect_all`.
    """
    if project is not None and project.exists():
        raise ConfigError("project_exists", file=project.name)
    if others:
        files = (file, *others)
        loaded, proposal = _inspect_all(files, key, dialect, country, monitor)
    else:
        loaded = read_input(file, dialect=dialect, country=country, monitor=monitor)
        proposal = propose_project(loaded)
        if key is not None:
            proposal = ops.set_protection(key)(proposal)
    if country is not None:
        proposal = with_country(proposal, country)
    if project is not None:
        places = read_from(proposal, loaded)
        save_project(relocated(proposal, project.parent, places), project)
    found = {
        **describe_inspection(loaded),
        "key": proposal.key,
        "project": None,
        "open": [],
        "certain": "",
    }
    if project is not None:
        written = load_project(project)
        problems = problems_of(written)
        name = written.inputs[0].name
        is_found = name in found_below(written, project.parent)
        away = {} if is_found else {name: file}
        found["project"] = str(project)
        found["open"] = open_decisions(problems, project, away)
        found["certain"] = confirm_command(problems, project, away)
    return found


def _inspect_all(
    files: Sequence[Path],
    key: str | None,
    dialect: Mapping[str, Any] | None,
    country: str | None,
    monitor: Monitor,
) -> tuple[Loaded, Project]:
    """Read some files, find out which one holds the people, and link them.

    Raises
    ------
    ConfigError
        Code ``link_key_missing`` with columns that could be the key, if none is given.
    InputError
        As `people_among` and `link_files`.
    """
    read, share = [], 0.9 / len(files)
    for place, file in enumerate(files):
        step = SubMonitor(monitor, share * place, share * (place + 1))
        read.append(read_input(file, dialect=dialect, country=country, monitor=step))
    if key is None:
        one, pairs = read[0], itertools.permutations(read, 2)
        proposed = itertools.chain.from_iterable(find_keys(*each) for each in pairs)
        names = dict.fromkeys(
            e.column if e.column == e.people_column else f"{e.people_column}={e.column}"
            for e in proposed
        )
        known = tuple(names) or tuple(one.table.column_names)
        raise ConfigError(
            "link_key_missing", file=files[0].name, other=files[1].name, known=known
        )
    (people, theirs), ((events, column), *rest) = people_among(read, key)
    further: list[FurtherEvents] = []
    for loaded, own in rest:
        name = events_name(loaded, [each.name for each in further])
        further.append(FurtherEvents(loaded, own, name))
    step = SubMonitor(monitor, 0.9, 1.0)
    linked = link_files(events, people, column, theirs, further, monitor=step)
    return linked, propose_linked(events, linked, column, theirs)


def search(
    project_file: Path,
    inputs: Mapping[str, Path],
    *,
    surveys: bool = False,
    confirm: Confirm | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> dict[str, Any]:
    """Search policies for a project and return the best ones.

    With a baseline also alternatives to it are discovered, or only these while no
    privacy model is decided. Where it is decided what an adversary knows of events,
    policies are searched by that.

    Parameters
    ----------
    inputs : mapping of str to Path
        Files by input name, as the user gave them.
    surveys : bool
        Whether policies are looked at that need not be known to prove the best one.
    confirm : callable, optional
        Asked when the file is not the one of the project; without it such a file
        is refused.

    Returns
    -------
    dict
        Method, nodes, what is proven, optimum and candidates with every measure,
        what thresholds cost, and alternatives, as JSON values.

    Raises
    ------
    InputError, ConfigError, ResourceError
    InfeasibleError
        Code ``no_policy_meets`` and those of each source.
    """
    project = load_project(project_file)
    check_candidates(project)
    has_models = looks_for_models(project)
    has_baseline = project.discover.baseline is not None
    step = SubMonitor(monitor, 0.0, 0.3)
    project, opened = open_project(project, project_file, inputs, confirm, step)
    step = SubMonitor(monitor, 0.3, 0.4)
    classes = build_classes(
        project, opened.loaded.table, opened.files, opened.population, monitor=step
    )
    half = 0.7 if has_baseline and has_models else 1.0 if has_models else 0.4
    step = SubMonitor(monitor, 0.4, half)
    searched = _searched(project, classes, surveys, step) if has_models else {}
    alternatives = None
    if has_baseline:
        step = SubMonitor(monitor, half, 1.0)
        source = policy_source(ALTERNATIVES)
        found = source.run(project, classes, monitor=step)
        # A threshold that is set is a condition, wherever a policy comes from.
        found = found.guided_by(
            project.quality.measure, weights_of(project), project.privacy.models
        )
        alternatives = source.describe(found)
    return {
        "records": classes.class_table.n_records,
        "unit": "people" if classes.class_table.units is not None else "records",
        "combinations": classes.class_table.n_classes,
        "attributes": list(classes.class_table.attributes),
        "population": describe_population(classes.population),
        **searched,
        "alternatives": alternatives,
    }


def find_policies(
    project: Project,
    opened: OpenedInputs,
    *,
    surveys: bool = False,
    monitor: Monitor = NULL_MONITOR,
) -> SourceResult:
    """Search the policies of a project that has been opened.

    Raises
    ------
    ConfigError, InputError, ResourceError
        As `search`.
    """
    source = policy_source(main_kind(project))
    raise_all(source.problems(project))
    classes = build_classes(
        project, opened.loaded.table, opened.files, opened.population
    )
    found: SourceResult = source.run(project, classes, monitor=monitor)
    if surveys:
        found = source.survey(project, classes, found, monitor=monitor)
    return found


def _searched(
    project: Project, classes: Classes, surveys: bool, monitor: Monitor
) -> dict[str, Any]:
    """Search policies and describe the best of them."""
    source = policy_source(main_kind(project))
    step = SubMonitor(monitor, 0.0, 0.4 if surveys else 0.7)
    found = source.run(project, classes, monitor=step)
    if surveys:
        step = SubMonitor(monitor, 0.4, 0.7)
        found = source.survey(project, classes, found, monitor=step)
    if found.optimum is None:
        raise found.nothing_meets()
    if isinstance(found, lattice_policies.LatticePolicies):
        step = SubMonitor(monitor, 0.7, 0.8)
        found = searching.with_cost(project, found, monitor=step)
    described = source.describe(found, monitor=SubMonitor(monitor, 0.8, 1.0))
    return described if source.kind == LATTICE else {source.kind: described}


def attack(
    project_file: Path,
    inputs: Mapping[str, Path],
    *,
    runs: int | None = None,
    seed: int | None = None,
    order_by: str | None = None,
    confirm: Confirm | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> dict[str, Any]:
    """Simulate attacks on what a project would release.

    Parameters
    ----------
    runs : int, in [1, 1,000,000], optional
        Attacks that are drawn for each figure; as the project says, if not given.
    seed : int, in [0, 2**53), optional
        Decides what is drawn; as the project says, if not given.
    order_by : str, optional
        Column that tells in which order the rows of a person were.
    confirm : callable, optional
        As for `search`.

    Returns
    -------
    dict
        The attacks, whom they look for, and those that cannot be made, as JSON values.

    Raises
    ------
    InputError, ConfigError, ResourceError
        Also codes ``attack_runs``, ``attack_seed`` and ``order_unknown``.
    InfeasibleError
        Code ``no_policy_meets``.
    """
    project = load_project(project_file)
    if runs is not None and not 1 <= runs <= 1_000_000:
        raise ConfigError("attack_runs", runs=runs)
    if seed is not None and not 0 <= seed < 2**53:
        raise ConfigError("attack_seed", seed=seed)
    wanted = {"runs": runs, "seed": seed, "order_by": order_by}
    chosen = {name: value for name, value in wanted.items() if value is not None}
    project = ops.set_attacks(**chosen)(project)
    check_attackable(project)
    step = SubMonitor(monitor, 0.0, 0.3)
    project, opened = open_project(project, project_file, inputs, confirm, step)
    if order_by is not None and order_by not in opened.loaded.table.column_names:
        raise ConfigError("order_unknown", attribute=order_by)
    prepared = releasing.prepare(
        project,
        opened.loaded,
        opened.files,
        opened.population,
        monitor=SubMonitor(monitor, 0.3, 0.5),
    )
    found = attacking.run_attacks(
        prepared.project,
        prepared.classes,
        prepared.measured.chosen_policy,
        attacking.AsRead(opened.loaded, opened.files),
        monitor=SubMonitor(monitor, 0.5, 1.0),
    )
    return describe_attacks(found, prepared.measured.words)


def work_list(
    project_file: Path,
    file: Path,
    inputs: Mapping[str, Path],
    *,
    contains_values: bool = False,
    confirm: Confirm | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> dict[str, Any]:
    """Write the riskiest classes of a release, for a test by a motivated intruder.

    Parameters
    ----------
    contains_values : bool
        Whether somebody knows that the file contains values of the released table.

    Returns
    -------
    dict
        ``file``, ``classes`` in it, ``of`` all, and ``words``, what must become of it.

    Raises
    ------
    InputError, ConfigError, ResourceError
        Also code ``worklist_values``, and those of `check_place` and `check_release`.
    InfeasibleError
        Code ``no_policy_meets``.
    """
    if not contains_values:
        raise ConfigError("worklist_values")
    project = load_project(project_file)
    needed = needed_files.needed_files(project, project_file, inputs.values())
    needed_files.check_place(file, needed, replaces=False)
    check_release(project)
    step = SubMonitor(monitor, 0.0, 0.4)
    project, opened = open_project(project, project_file, inputs, confirm, step)
    step = SubMonitor(monitor, 0.4, 1.0)
    parts = (opened.loaded, opened.files, opened.population)
    prepared = releasing.prepare(project, *parts, monitor=step)
    found = comparing.riskiest_classes(
        prepared.classes, prepared.measured.chosen_policy
    )
    intruder.write_work_list(file, found.table, project.name, needed)
    return {
        "file": str(file),
        "classes": found.table.n_rows,
        "of": found.n_classes,
        "words": intruder_words.values_words(),
    }


def drift(
    project_file: Path,
    inputs: Mapping[str, Path],
    *,
    enters: bool = False,
    confirm: Confirm | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> dict[str, Any]:
    """Measure what has changed since the earlier release that a project names.

    Parameters
    ----------
    enters : bool
        Whether triggers that are met are entered in the project: nothing is released
        then until somebody decides anew.

    Returns
    -------
    dict
        ``drift`` (see `document.Drift`; null without an earlier release),
        ``undecided``, the triggers after which nobody has decided anew, and
        ``entered``, how many of them were entered.

    Raises
    ------
    InputError, ConfigError, ResourceError
        Also code ``earlier_missing``.
    InfeasibleError
        Code ``no_policy_meets``.
    """
    stored = load_project(project_file)
    earlier = drifting.read_earlier(stored, project_file.parent, inputs.get(EARLIER))
    if earlier is None:
        return {"drift": None, "undecided": [], "entered": 0}
    step = SubMonitor(monitor, 0.0, 0.4)
    project, opened = open_project(stored, project_file, inputs, confirm, step)
    step = SubMonitor(monitor, 0.4, 1.0)
    parts = (opened.loaded, opened.files, opened.population)
    found = releasing.drift_of(
        releasing.prepare(project, *parts, monitor=step), opened.loaded, earlier
    )
    left = drifting.undecided(stored, found)
    if enters and left:
        save_project(enter_measured(left)(stored), project_file)
    return {
        "drift": None if found is None else found.model_dump(mode="json"),
        "undecided": [each.model_dump() for each in left],
        "entered": len(left) if enters else 0,
    }


def run(
    project_file: Path,
    folder: Path,
    inputs: Mapping[str, Path],
    *,
    words: RunWords | None = None,
    confirm: Confirm | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> dict[str, Any]:
    """Run a project to a verified release.

    Parameters
    ----------
    folder : Path
        Of the release.
    words : RunWords, optional
        What a person decides for this run alone; the project file stays as it is.
    confirm : callable, optional
        As for `search`.

    Returns
    -------
    dict
        The release folder, the policy in words, and the evidence as JSON values.

    Raises
    ------
    InputError, ConfigError, ResourceError, VerificationError
    ConfigError
        As `check_release`, and code ``question_open`` for each question about the
        released table that nobody has answered.
    InfeasibleError
        Code ``no_policy_meets`` and those of `check_measured`.
    """
    words = words or RunWords()
    release_folder.clear_leftovers()
    project = load_project(project_file)
    if project.counts is not None:
        return fuzzing.run_counts(project, project_file, folder, monitor=monitor)
    if not words.confirms:
        check_release(project)
    if words.overrule and not words.because.strip():
        raise ConfigError("reason_missing")
    earlier = drifting.read_earlier(project, project_file.parent, inputs.get(EARLIER))
    step = SubMonitor(monitor, 0.0, 0.3)
    project, opened = open_project(project, project_file, inputs, confirm, step)
    if words.confirms:
        project = ops.take_over_roles(
            certain_columns(project, releasing.findings_of(opened.loaded))
        )(project)
        check_release(project)
    for name in words.overrule:
        conditions = overruling.conditions_called(project, name)
        project = overruling.with_overruling(
            project, conditions, words.because, words.by, today().isoformat()
        )
    step = SubMonitor(monitor, 0.3, 0.4)
    compared = other_tables.open_others(
        project, project_file.parent, inputs, monitor=step
    )
    step = SubMonitor(monitor, 0.4, 1.0)
    place = Path(os.path.abspath(folder))  # noqa: PTH100 - links are not followed
    with _entering_measured(project_file):
        released = releasing.release(
            project,
            opened.loaded,
            place,
            opened.files,
            opened.population,
            compared=compared,
            others=needed_files.needed_files(project, project_file, inputs.values()),
            earlier=earlier,
            monitor=step,
        )
    return {
        "release": str(folder),
        "policy": released.measured.words,
        "evidence": released.written.evidence.model_dump(mode="json"),
    }


@contextlib.contextmanager
def _entering_measured(project_file: Path) -> Iterator[None]:
    """Enter what stops a release in the project, as the window does.

    PRIVACY: otherwise who then gives up the comparison would leave no trace.
    """
    try:
        yield
    except drifting.DriftError as stopped:
        # A project that cannot be written stays as it is; nothing is released.
        with contextlib.suppress(DeidError):
            op = enter_measured(stopped.triggers)
            save_project(op(load_project(project_file)), project_file)
        raise


@dataclass(frozen=True)
class RunWords:
    """What a person decides on the command line for one run.

    Parameters
    ----------
    confirms : bool
        Whether roles that were proposed as certain are taken over.
    overrule : tuple of str
        Privacy models, ``KIND`` or ``KIND:COLUMN``, or ``suppression_limit``.
    because, by : str
        Why they are overruled, and who does it.
    """

    confirms: bool = False
    overrule: tuple[str, ...] = ()
    because: str = ""
    by: str = ""


DAMAGED = frozenset(
    (
        "evidence_field",
        "not_a_signature",
        "not_evidence",
        "path_leaves_release",
        "release_file_missing",
        "release_file_too_large",
        "release_malformed",
        "release_not_json",
    )
)
"""What is wrong with a release that cannot even be measured."""


def verify(
    folder: Path,
    key: Path | None = None,
    against: Sequence[Path] = (),
    *,
    monitor: Monitor = NULL_MONITOR,
) -> dict[str, Any]:
    """Read a release back and measure it again.

    Parameters
    ----------
    key : Path, optional
        File of the public key with which the release must be signed.
    against : sequence of Path
        Other releases and registers that it was compared with.

    Returns
    -------
    dict
        ``ok`` and the checks as JSON values.

    Raises
    ------
    InputError
        If the folder is no release, or the file no key.
    VerificationError
        If it is one, and so damaged that it cannot be measured (`DAMAGED`).
    """
    public = signing.read_public(key) if key is not None else None
    try:
        found = verifying.verify(folder, key=public, against=against, monitor=monitor)
    except (InputError, ConfigError) as error:
        if error.code in DAMAGED:
            raise VerificationError(error.code, **error.params) from None
        raise
    return describe_verification(folder, found)


def sign(
    folder: Path, key: Path | None = None, *, monitor: Monitor = NULL_MONITOR
) -> dict[str, Any]:
    """Verify a release and sign its evidence with the key of the site.

    Parameters
    ----------
    key : Path, optional
        File of the secret key; `site_key` by default.

    Raises
    ------
    DeidError
        As `sign_release`.
    """
    made = signing.sign_release(folder, key or signing.site_key(), monitor=monitor)
    return {
        "release": str(folder),
        "signed": made.signed,
        "public_key": made.public_key,
        "fingerprint": signature.fingerprint(made.public_key),
    }


def report(
    folder: Path,
    out: Path,
    *,
    regime: str | None = None,
    edition: str | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> dict[str, Any]:
    """Verify a release and write its report once more.

    Raises
    ------
    DeidError
        As `write_report`.
    """
    reporting.write_report(folder, out, regime=regime, edition=edition, monitor=monitor)
    return {"release": str(folder), "report": str(out), "edition": edition}


def new_key(file: Path | None = None) -> dict[str, Any]:
    """Make a key of the site, and the public key beside it.

    Raises
    ------
    ConfigError, ResourceError
        As `make_key`.
    """
    path = file or signing.site_key()
    made = signing.make_key(path)
    return {
        "key": str(path),
        "public_file": str(signing.public_file(path)),
        "public_key": made.public,
        "fingerprint": signature.fingerprint(made.public),
    }


def schema() -> dict[str, Any]:
    """JSON Schema of project files."""
    return project_schema()


@dataclass(frozen=True, repr=False)
class OpenedInputs:
    """What the files of a project hold, read.

    Parameters
    ----------
    loaded : Loaded
        Prepared as the project says.
    files : mapping of str to bytes
        Hierarchy CSVs, and lists of steps, by relative path.
    secrets : Secrets
        Keys of the steps that draw.
    """

    loaded: Loaded
    files: Mapping[str, bytes]
    population: Table | None
    secrets: Secrets


def open_project(
    project: Project,
    project_file: Path,
    inputs: Mapping[str, Path],
    confirm: Confirm | None,
    monitor: Monitor,
    *,
    takes_columns: bool = False,
    new_files: Mapping[str, bytes] | None = None,
) -> tuple[Project, OpenedInputs]:
    """Read the input, the population and the hierarchy files of a project; prepare.

    Parameters
    ----------
    takes_columns : bool
        Whether other columns are taken over with what is proposed for them, since a
        person has changed how the file is read.
    new_files : mapping of str to bytes, optional
        Files that decisions name and that are not written yet, by relative path.

    Returns
    -------
    tuple of (Project, OpenedInputs)
        The project with the facts of the files.

    Raises
    ------
    InputError, ResourceError
        Also code ``columns_changed`` if the file has other columns.
    """
    if not project.inputs:
        raise InputError("no_input")
    check_given(project, inputs)
    first, folder = project.inputs[0], project_file.parent
    files = {**load_hierarchy_files(project, folder), **(new_files or {})}
    paths = {**found_below(project, folder), **inputs}
    for each in project.inputs:
        if each.name not in paths:
            raise InputError("input_not_found", file=each.file, name=each.name)
    step = SubMonitor(monitor, 0.0, 0.5)
    loaded = read_project_input(
        project, paths[first.name], paths, inspects=takes_columns, monitor=step
    )
    now = {first.name: loaded.sha256}
    if loaded.people is not None:
        now |= {name: each.sha256 for name, each in loaded.people.files.items()}
    for each in project.inputs:
        path, changed = paths[each.name], each.sha256 not in ("", now[each.name])
        if changed and each.name not in inputs and not (confirm and confirm(path.name)):
            raise InputError("input_changed", file=path.name, name=each.name)
    step = SubMonitor(monitor, 0.5, 0.8)
    project, population = _open_population(project, folder, inputs, confirm, step)
    renew = renew_project if takes_columns else _renewed
    project, secrets = renew(project, loaded), Secrets()
    step = SubMonitor(monitor, 0.8, 1.0)
    loaded = prepared(project, loaded, files, secrets, monitor=step)
    return project, OpenedInputs(loaded, files, population, secrets)


def _open_population(
    project: Project,
    folder: Path,
    inputs: Mapping[str, Path],
    confirm: Confirm | None,
    monitor: Monitor,
) -> tuple[Project, Table | None]:
    """Read the population's file, if the project names one."""
    file, name = project.privacy.population.file, POPULATION
    if file is None:
        return project, None
    path = inputs.get(name) or found_below(project, folder).get(name)
    if path is None:
        raise InputError("input_not_found", file=file.file, name=name)
    loaded = read_population(path, known=file, monitor=monitor)
    changed = bool(file.sha256) and file.sha256 != loaded.file.sha256
    if changed and name not in inputs and not (confirm and confirm(path.name)):
        raise InputError("input_changed", file=path.name, name=name)
    population = project.privacy.population.but(file=loaded.file)
    privacy = project.privacy.but(population=population)
    return project.but(privacy=privacy), loaded.table


def _renewed(project: Project, loaded: Loaded) -> Project:
    """Take over the facts of the file that was read; refuse other columns."""
    there = set(loaded.table.column_names)
    decided = {attribute.name for attribute in project.attributes}
    missing = [a.name for a in project.attributes if a.include and a.name not in there]
    added = there - decided
    # PRIVACY: a new column has no role that a person has seen; it is refused, not
    # released and not silently dropped.
    if missing or added:
        raise InputError(
            "columns_changed",
            file=loaded.table.name,
            missing=len(missing),
            added=len(added),
        )
    return renew_project(project, loaded)
