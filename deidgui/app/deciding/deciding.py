"""Decisions that the command line sets in a project, checked as in the window."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pydantic

from deidgui.app import ops
from deidgui.app.changes import preparation_basis
from deidgui.app.classes import hierarchy_of
from deidgui.app.commands import headless
from deidgui.app.deciding.asked import (
    AskedDecisions,
    known_column,
    one_of,
    role_of,
    split_column,
)
from deidgui.app.deciding.compared import with_comparison
from deidgui.app.deciding.context import (
    context_result,
    principle_result,
    with_attack,
    with_context,
    with_context_answer,
    with_principle,
)
from deidgui.app.deciding.counts import (
    COUNTS_SETTINGS,
    CountsDecisions,
    decide_counts,
)
from deidgui.app.deciding.dossier import dossier_result, with_dossier
from deidgui.app.deciding.rules import (
    declared,
    share_of,
    typed_params,
    with_baseline,
    with_element,
    with_events,
    with_match,
    with_preference,
    with_quota,
    with_setting,
    with_unknown_columns,
)
from deidgui.app.deciding.validity import (
    validity_ops,
    validity_result,
)
from deidgui.app.demands import attribute_of
from deidgui.app.determination.principles import acceptable
from deidgui.app.determination.recipients import BY_KIND
from deidgui.app.dossier.drift import compare_with, open_earlier
from deidgui.app.dossier.signing import sign_open, unsigned_parts
from deidgui.app.entered import check_named, today
from deidgui.app.hierarchies.areas import read_areas
from deidgui.app.hierarchies.deciding import (
    columns_in_need,
    propose_hierarchies,
    role_change,
)
from deidgui.app.hierarchies.deciding import decide as decided_columns
from deidgui.app.hierarchies.editing import headings_words, merged_words
from deidgui.app.loaded import Loaded, read_from
from deidgui.app.model_proposals import ModelProposal, propose_models
from deidgui.app.needed import problems_of
from deidgui.app.open_decisions import (
    confirm_command,
    nearly_constant_hints,
    open_decisions,
    proposal_lines,
    run_command,
)
from deidgui.app.policies.lattice.policies import LatticePolicies
from deidgui.app.policies.source import BLOCKS, main_kind
from deidgui.app.policies.source import source as policy_source
from deidgui.app.population.files import propose_population, read_population
from deidgui.app.power import risk as power
from deidgui.app.preparation.nearly import NearlyConstant, nearly_constant_columns
from deidgui.app.preparation.preparing import (
    decide_steps,
    prepared,
    proposed_params,
)
from deidgui.app.project import (
    Attribute,
    AttributesKnown,
    Chosen,
    HierarchyChoice,
    PopulationChoice,
    Project,
    SampleChoice,
)
from deidgui.app.reading.files import (
    hierarchy_file_name,
    list_file_name,
    load_hierarchy_files,
    read_limited,
)
from deidgui.app.reading.importance import WEIGHTS
from deidgui.app.reading.linking import leave_out_orphans
from deidgui.app.reading.reading import certain_columns, propose_hierarchy
from deidgui.app.reading.rereading import (
    FIRST_RECORD,
    country_of,
    dialect_parts,
    follow_country,
    with_country,
    with_dialect,
)
from deidgui.app.release.overruling import (
    Condition,
    conditions_called,
    models_called,
    with_overruling,
)
from deidgui.app.release.questions import answers_for
from deidgui.app.release.releasing import (
    Prepared,
    findings_of,
    prepare,
)
from deidgui.app.storage.files import cannot_read, check_there, write_whole
from deidgui.app.storage.named_inputs import EARLIER, POPULATION, not_found, relocated
from deidgui.app.storage.project_io import load_project, save_project
from deidgui.engine.data import dates
from deidgui.engine.data.hierarchy_io import (
    hierarchy_csv,
    read_draft,
    read_hierarchy,
    without_headings,
)
from deidgui.engine.data.table import Column
from deidgui.engine.data.templates import TEMPLATES, Postcodes
from deidgui.engine.data.templates.postcodes import ENOUGH_PEOPLE
from deidgui.engine.data.value_types import NUMBER_FORMATS
from deidgui.engine.population.built_in import NAMES
from deidgui.engine.preparation import STEPS, Effect, Step
from deidgui.engine.privacy import PRIVACY_MODELS, PrivacyModel
from deidgui.engine.quality import QUALITY_MEASURES
from deidgui.errors import ConfigError, DeidError, InputError
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor
from deidgui.text import tr

MOST_STEPS = 50
"""More steps are no preparation; see `Project.preparation`."""


def decide(
    project_file: Path,
    decisions: AskedDecisions,
    inputs: Mapping[str, Path],
    *,
    confirm: headless.Confirm | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> dict[str, Any]:
    """Set decisions in a project and say what is still open.

    The data are read only where a decision rests on them. Nothing is written unless
    all decisions can be made.

    Returns
    -------
    dict
        ``project``, ``open`` (see `open_decisions`), ``certain``, the command that
        takes over the roles that were proposed as certain, ``next``, the command that
        releases the project once nothing is open, ``preparation``, ``hints`` and
        ``proposals``, what each step does, what may be a mistake, and the thresholds
        proposed for sensitive columns, if the data were read, ``notes``, and
        ``context`` (see `context_result`), ``principles`` (see `principle_result`),
        ``validity`` (see `validity_result`), ``dossier`` (see `dossier_result`) and
        ``unsigned`` (see `unsigned_parts`).

    Raises
    ------
    ConfigError, InputError, ResourceError
        Each names what is valid instead.
    """
    project = load_project(project_file)
    if project.counts is not None:
        return decide_counts(project_file, project, _of_counts(decisions))
    desk = _Desk(project_file, project, inputs, confirm, monitor)
    for step in _STEPS:
        step(desk, decisions)
    nearly = _nearly_constant(desk, decisions)
    desk.save()
    inputs = {**inputs, **desk.away}
    problems = (
        *not_found(desk.project, project_file.parent, inputs),
        *problems_of(desk.project),
    )
    return {
        "project": str(project_file),
        "open": open_decisions(problems, project_file, inputs),
        "certain": ""
        if decisions.confirms
        else confirm_command(problems, project_file, inputs),
        "next": "" if problems else run_command(project_file, inputs),
        "preparation": [each.to_json() for each in desk.effects],
        "hints": nearly_constant_hints(nearly, project_file, inputs),
        "proposals": proposal_lines(_model_proposals(desk), project_file, inputs),
        "notes": [*desk.notes, *notes_on(desk.project)],
        "context": context_result(desk.project),
        "principles": principle_result(desk.project),
        "validity": validity_result(desk.project),
        "dossier": dossier_result(desk.project),
        "unsigned": unsigned_parts(desk.project),
    }


def _model_proposals(desk: _Desk) -> tuple[ModelProposal, ...]:
    """Thresholds for sensitive columns without one, where the data are at hand."""
    if not desk.is_read:
        return ()
    try:
        return propose_models(desk.project, desk.loaded.table)
    except DeidError:
        # As of hints: what is wrong with the data is said where they are needed.
        return ()


def _of_counts(decisions: AskedDecisions) -> CountsDecisions:
    """Return what is decided of tables of counts.

    Raises
    ------
    InputError
        Code ``usage`` if anything else is asked for.
    """
    if decisions.compare:
        problem = tr(
            "--compare is for tables of records: a release of tables of counts is "
            "compared with no other table."
        )
        raise InputError("usage", problem=problem)
    names = [each.name for each in fields(CountsDecisions)]
    found = CountsDecisions(**{name: getattr(decisions, name) for name in names})
    nothing = AskedDecisions()
    rest = replace(decisions, **{name: getattr(nothing, name) for name in names})
    if rest != nothing:
        problem = tr(
            "Of tables of counts --name, --notes, --set, --validity, --valid, "
            "--trigger, --accept-finding and --earlier with --because, and --sign-open "
            "are decided; the settings are {settings}.",
            settings=", ".join(COUNTS_SETTINGS),
        )
        raise InputError("usage", problem=problem)
    return found


def _nearly_constant(desk: _Desk, given: AskedDecisions) -> tuple[NearlyConstant, ...]:
    """Columns that may count as events by mistake, where the data are at hand."""
    if not desk.is_read and given.events in (None, "none"):
        return ()
    try:
        return nearly_constant_columns(desk.project, desk.loaded.table)
    except DeidError:
        # It is a hint: what is wrong with the data is said where they are needed.
        return ()


def notes_on(project: Project) -> list[str]:
    """Say what a person should know who goes on without the window."""
    if project.sample is None or project.sample.seed is not None:
        return []
    return [
        tr(
            "Every call draws another sample: figures and questions of one call may "
            "not fit the table that the next one releases. Decide --sample-seed NUMBER "
            "to draw the same sample each time, and keep the number from recipients: "
            "who knows it can find out who is in the sample."
        )
    ]


class _Desk:
    """The project that is being decided, with its data once they are needed."""

    def __init__(
        self,
        project_file: Path,
        project: Project,
        inputs: Mapping[str, Path],
        confirm: headless.Confirm | None,
        monitor: Monitor,
    ) -> None:
        self.file = project_file
        self.project = project
        self._inputs = inputs
        self._confirm = confirm
        self._monitor = monitor
        self._opened: headless.OpenedInputs | None = None
        self._basis: object = None
        self.new_files: dict[str, bytes] = {}
        self.notes: list[str] = []
        self.away: dict[str, Path] = {}

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns of the project."""
        return tuple(each.name for each in self.project.attributes)

    def compare_with(self, folder: str, by: str) -> None:
        """Choose the earlier release, or none; its evidence is read at once."""
        chosen, follows = None, ""
        if folder != "none":
            root, step = self.file.parent, SubMonitor(self._monitor, 0.0, 0.1)
            chosen, follows = open_earlier(Path(folder), by, root, monitor=step)
            if not (root / chosen.file).is_dir():
                self.away[EARLIER] = Path(folder)
        self.apply(compare_with(chosen, by, follows))

    @property
    def opened(self) -> headless.OpenedInputs:
        """The data of the project, read when they are first asked for."""
        return self.read()

    @property
    def is_read(self) -> bool:
        """Whether the data have been read."""
        return self._opened is not None

    def read(self, *, takes_columns: bool = False) -> headless.OpenedInputs:
        """Read the data of the project, once; it then knows the facts of its file."""
        if self._opened is None:
            step = SubMonitor(self._monitor, 0.0, 0.5)
            self.project, self._opened = headless.open_project(
                self.project,
                self.file,
                self._inputs,
                self._confirm,
                step,
                takes_columns=takes_columns,
                new_files=self.new_files,
            )
        elif self._basis != preparation_basis(self.project):
            self._take(self._prepared(self._opened))
        self._basis = preparation_basis(self.project)
        return self._opened

    def _prepared(self, opened: headless.OpenedInputs) -> Loaded:
        """Prepare the table as is decided now: whose rows they are may have changed."""
        files = {**opened.files, **self.new_files}
        return prepared(self.project, opened.loaded, files, opened.secrets)

    def _take(self, loaded: Loaded) -> None:
        assert self._opened is not None, "it was read"
        self._opened = replace(self._opened, loaded=loaded)

    def change_steps(self, steps: Sequence[Step]) -> None:
        """Prepare the table by other steps."""
        opened = self.read()
        files = {**opened.files, **self.new_files}
        decided = decide_steps(
            self.project, steps, opened.loaded, files, opened.secrets
        )
        self._take(decided.loaded)
        self.apply(decided.op)
        self._basis = preparation_basis(self.project)

    @property
    def effects(self) -> tuple[Effect, ...]:
        """What the steps did; empty if nothing was read."""
        return self.read().loaded.effects if self._opened is not None else ()

    def read_again(self) -> None:
        """Forget what was read, since decisions name other files now."""
        self._opened = None

    @property
    def loaded(self) -> Loaded:
        """The table of the project."""
        return self.opened.loaded

    def apply(self, op: ops.Op) -> None:
        """Make one decision."""
        self.project = op(self.project)

    def change_columns(self, wanted: Mapping[str, Mapping[str, Any]]) -> None:
        """Change columns; a hierarchy that one needs is proposed from its values."""
        in_need = columns_in_need(self.project, wanted)
        proposals = propose_hierarchies(self.loaded, in_need, self.project)
        # Reading renews the facts about the file, but no decision.
        self.apply(decided_columns(wanted, proposals, self.project))

    def overrule(
        self, models: Sequence[Condition], because: str, by: str, on: str
    ) -> None:
        """Overrule conditions for the decisions and the file of now."""
        self.read()
        self.project = with_overruling(self.project, models, because, by, on)

    def prepared(self) -> Prepared:
        """Search, measure and judge the table as a run would."""
        opened = self.opened
        files = {**opened.files, **self.new_files}
        step = SubMonitor(self._monitor, 0.5, 1.0)
        return prepare(
            self.project, opened.loaded, files, opened.population, monitor=step
        )

    def save(self) -> None:
        """Write the project, and hierarchy files that it names anew, beside it."""
        if self._opened is not None:
            loaded = self._opened.loaded
            places = read_from(self.project, loaded)
            self.project = relocated(self.project, self.file.parent, places)
        for name, content in self.new_files.items():
            path = self.file.parent / name
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, content)
        save_project(self.project, self.file)

    def column(self, text: str) -> tuple[str, str]:
        """Split ``COLUMN=VALUE`` (see `split_column`)."""
        return split_column(text, self.columns)

    def known(self, name: str) -> str:
        """Return a column's name if there is one (see `known_column`)."""
        return known_column(name, self.columns)


# -- how the file is read --------------------------------------------------------------


def _reading(desk: _Desk, given: AskedDecisions) -> None:
    """Read the file otherwise: first, since other columns may come of it."""
    parts = dialect_parts(given.dialect)
    if given.first_record is not None:
        what = tr("answer to what the first record is")
        one_of(what, given.first_record, tuple(FIRST_RECORD))
        parts["header"] = FIRST_RECORD[given.first_record]
    if not parts and given.country is None:
        return
    if not desk.project.inputs:
        raise InputError("no_input")
    if parts:
        desk.apply(lambda project: with_dialect(project, **parts))
    if given.country is not None:
        country = country_of(given.country)
        desk.apply(lambda project: with_country(project, country))
    opened = desk.read(takes_columns=True)
    if given.country is not None:
        desk.apply(lambda project: follow_country(project, opened.loaded))


# -- who receives it, texts ------------------------------------------------------------


def _texts(desk: _Desk, given: AskedDecisions) -> None:
    if given.name is not None:
        desk.apply(ops.set_name(given.name))
    if given.notes is not None:
        desk.apply(ops.set_notes(given.notes, given.answered_by, today().isoformat()))
    if given.recipient is not None:
        one_of("recipient", given.recipient, tuple(BY_KIND))
        desk.apply(ops.take_over(BY_KIND[given.recipient].kind))
    changes = {"set_by": given.set_by, "justification": given.justification}
    changes = {name: each for name, each in changes.items() if each is not None}
    if changes:
        desk.apply(ops.change_threshold(set_on=today().isoformat(), **changes))


# -- columns ---------------------------------------------------------------------------


def _columns(desk: _Desk, given: AskedDecisions) -> None:
    wanted: dict[str, dict[str, Any]] = {}
    for each in given.roles:
        name, value = desk.column(each)
        role, treatment = role_of(value)
        wanted[name] = role_change(role, treatment)
        if not desk.project.attribute(name).include and name not in given.keep:
            # PRIVACY: what was left out comes back by a decision of its own.
            desk.notes.append(
                tr("“{name}” is still left out; --keep brings it back.", name=name)
            )
    wanted |= {desk.known(name): {"include": False} for name in given.leave_out}
    for name in given.keep:
        wanted[desk.known(name)] = {**wanted.get(name, {}), "include": True}
    for each in given.formats:
        name, value = desk.column(each)
        wanted[name] = {**wanted.get(name, {}), **_read_as(value)}
    for name, texts in _missing_texts(desk, given).items():
        wanted[name] = {**wanted.get(name, {}), "missing": tuple(texts)}
    if wanted:
        desk.change_columns(wanted)
    if given.confirms:
        # The findings come with the data, and these with the facts of the file.
        findings = findings_of(desk.loaded)
        certain = certain_columns(desk.project, findings)
        desk.apply(ops.take_over_roles(certain))


def _missing_texts(desk: _Desk, given: AskedDecisions) -> dict[str, list[str]]:
    """Texts that mean no value, of the columns that something is said about."""
    found: dict[str, list[str]] = {}
    for is_missing, asked in ((True, given.missing), (False, given.not_missing)):
        for each in asked:
            name, text = desk.column(each)
            if name not in found:
                found[name] = [*desk.project.attribute(name).missing]
            texts = found[name]
            if not is_missing:
                known = tuple(f"{name}={each}" for each in texts)
                one_of(tr("missing value"), each, known)
                texts.remove(text)
            elif text not in texts:
                texts.append(text)
    return found


def _read_as(value: str) -> dict[str, Any]:
    """Fields of an attribute whose values are written in a format."""
    is_number = value in NUMBER_FORMATS
    if not is_number:
        value = dates.fixed(value)
    kind = "decimal" if is_number else "date"
    return {"kind": kind, "format": value, "open_formats": ()}


def _people(desk: _Desk, given: AskedDecisions) -> None:
    """Set whom the release protects."""
    if given.orphans is not None:
        what = tr("answer to what becomes of events without a person")
        one_of(what, given.orphans, ("left_out", "open"))
        # The numbers are those of the files as they are now.
        desk.read()
        desk.apply(leave_out_orphans(given.orphans == "left_out"))
    if given.key is None and not given.rows_are_people:
        return
    if given.key is not None and given.rows_are_people:
        raise InputError(
            "usage", problem=tr("Give --key or --rows-are-people, not both.")
        )
    key = None if given.key is None else desk.known(given.key)
    desk.apply(ops.set_protection(key))


# -- preparation -----------------------------------------------------------------------


def _preparation(desk: _Desk, given: AskedDecisions) -> None:
    """Change the steps: before hierarchies, which are made for what they leave."""
    if not given.prepare and not given.unprepare:
        return
    steps = list(desk.project.preparation)
    for number in given.unprepare:
        if not 1 <= number <= len(steps):
            known = tuple(map(str, range(1, len(steps) + 1))) or (tr("none"),)
            raise ConfigError(
                "not_one_of", what=tr("step"), value=str(number), known=known
            )
    steps = [e for n, e in enumerate(steps, 1) if n not in given.unprepare]
    steps += [_step(desk, each) for each in given.prepare]
    if len(steps) > MOST_STEPS:
        raise ConfigError("step_too_many", limit=MOST_STEPS)
    if any(each.needs_key for each in steps) and desk.project.key is None:
        needing = next(each for each in steps if each.needs_key)
        raise ConfigError("step_needs_key", step=needing.title)
    desk.change_steps(steps)


def _step(desk: _Desk, text: str) -> Step:
    """Read a step; what it needs and nobody typed is proposed as in the window."""
    cls = STEPS[text.partition(":")[0]]
    loaded = desk.loaded
    typed = typed_params(cls, text)
    proposed = proposed_params(cls, desk.project, loaded, typed)
    step: Step = STEPS.from_json({"kind": cls.kind, **proposed, **typed})
    return _with_lists(desk, step)


def _with_lists(desk: _Desk, step: Step) -> Step:
    """Take the lists that a step names over into the folder of the project."""
    renamed = {}
    for name in step.files:
        if name in desk.opened.files or name in desk.new_files:
            continue
        path = Path(name)
        try:
            content = read_limited(path)
        except OSError as error:
            reason = error.strerror or ""
            raise InputError("cannot_read", file=path.name, reason=reason) from None
        kept = list_file_name(path.stem, content)
        desk.new_files[kept] = content
        renamed[name] = kept
    if not renamed:
        return step
    stored = {k: renamed.get(str(v), v) for k, v in step.to_json().items()}
    return STEPS.from_json(stored)


# -- hierarchies -----------------------------------------------------------------------


SURVEY = "survey:"
"""Before the number of a policy in the list of a search with a survey."""

_LONG = 12
"""What is typed with as many digits is no level and no policy's number."""


def _hierarchies(desk: _Desk, given: AskedDecisions) -> None:
    for each in given.hierarchies:
        name, value = desk.column(each)
        desk.apply(ops.change_attribute(name, **_hierarchy(desk, name, value)))
    for each in given.levels:
        name, value = desk.column(each)
        low, dots, high = value.partition("..")
        is_plain = value.isascii() and len(value) < _LONG and low.isdigit()
        if not (is_plain and (not dots or high.isdigit() or not high)):
            raise ConfigError("levels_malformed", attribute=name, value=value)
        top = (int(high) if high else None) if dots else int(low)
        height = _height(desk, desk.project.attribute(name))
        if not int(low) <= (height if top is None else top) <= height:
            raise ConfigError(
                "levels_not_there", attribute=name, value=value, top=height
            )
        limits = {"minimum_level": int(low), "maximum_level": top}
        desk.apply(ops.change_attribute(name, **limits))
    for each in given.weights:
        name, value = desk.column(each)
        weight = WEIGHTS[value] if value in WEIGHTS else share_of("weight", value)
        desk.apply(ops.set_weight(name, weight))
    if given.weights:
        desk.apply(ops.confirm_importance())


def _height(desk: _Desk, attribute: Attribute) -> int:
    """Highest level of a hierarchy; the file of the table is not needed for it.

    Raises
    ------
    ConfigError, InputError
        If there is no hierarchy, or its file cannot be read.
    """
    choice = attribute.hierarchy
    if choice is None or (choice.rule is None and choice.csv is None):
        raise ConfigError("hierarchy_missing", attribute=attribute.name)
    if choice.csv is None:
        assert choice.rule is not None
        return len(TEMPLATES.from_json(choice.rule).level_names) - 1
    files = load_hierarchy_files(desk.project, desk.file.parent) | desk.new_files
    if choice.csv not in files:
        raise InputError(
            "hierarchy_file_missing", attribute=attribute.name, file=choice.csv
        )
    return read_hierarchy(files[choice.csv], attribute.name).height


def _hierarchy(desk: _Desk, name: str, value: str) -> dict[str, Any]:
    """Fields of an attribute for a hierarchy as it was typed."""
    limits = {"minimum_level": None, "maximum_level": None}
    if value == "proposed":
        attribute = desk.project.attribute(name)
        return {**limits, "hierarchy": propose_hierarchy(desk.loaded, attribute)}
    if value.startswith("postcodes:people="):
        rule = _areas(value).to_json()
        return {**limits, "hierarchy": HierarchyChoice(rule=rule)}
    kinds = {each.kind for each in TEMPLATES}
    if value.partition(":")[0] in kinds:
        rule = declared(TEMPLATES, value).to_json()
        return {**limits, "hierarchy": HierarchyChoice(rule=rule)}
    path = Path(value)
    check_there(path, ".csv", ".ahs")
    if not path.is_file():
        known = ("proposed", "FILE.csv", *sorted(kinds))
        raise ConfigError("not_one_of", what="hierarchy", value=value, known=known)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise cannot_read(path, error) from None
    whole = read_draft(content, name)
    read = without_headings(whole, _column(desk, name))
    if read is not whole:
        read_hierarchy(content, name)  # refuses what is short or torn, by its rows
        content = hierarchy_csv(read)
        move = tr("If it is a value, move it to another row of the file.")
        desk.notes.append(f"{headings_words(name)} {move}")
    if read.n_merged:
        desk.notes.append(merged_words(name, read.n_merged))
    csv = hierarchy_file_name(name, content)
    desk.new_files[csv] = content
    choice = HierarchyChoice(csv=csv)
    _see_that_it_fits(desk, name, choice)
    return {**limits, "hierarchy": choice}


def _column(desk: _Desk, name: str) -> Column:
    attribute = desk.project.attribute(name)
    return desk.loaded.table.column(name).with_missing(attribute.missing)


def _see_that_it_fits(desk: _Desk, name: str, choice: HierarchyChoice) -> None:
    """Refuse a file that is no hierarchy of the column, and say what it has besides."""
    attribute, column = desk.project.attribute(name), _column(desk, name)
    made = hierarchy_of(attribute.but(hierarchy=choice), column, desk.new_files)
    present = set(column.present())
    n_more = len(made.leaves) - sum(leaf in present for leaf in made.leaves)
    n_more -= made.missing_leaf is not None
    if n_more:
        words = tr(
            "The file of “{name}” has {n:value|values} that the column does not have. "
            "If one of them is a heading, remove its row from the file.",
            name=name,
            n=n_more,
        )
        desk.notes.append(words)


def _areas(value: str) -> Postcodes:
    """Read ``postcodes:people=FILE,enough=NUMBER,length=NUMBER``."""
    parts = dict(e.partition("=")[::2] for e in value.partition(":")[2].split(","))
    known = ("people", "enough", "length")
    for name, given in parts.items():
        one_of(tr("parameter of {kind}", kind="postcodes"), name, known)
        if name != "people" and not (given.isascii() and given.isdigit()):
            wanted = (tr("a whole number"),)
            raise ConfigError("not_one_of", what=name, value=given, known=wanted)
    numbers = {name: int(each) for name, each in parts.items() if name != "people"}
    enough = numbers.get("enough", ENOUGH_PEOPLE)
    path, length = Path(parts["people"]), numbers.get("length")
    return read_areas(path, enough=enough, length=length)


# -- thresholds ------------------------------------------------------------------------


def _models(desk: _Desk, given: AskedDecisions) -> None:
    for each in given.drop_models:
        gone = models_called(desk.project, each)
        models = desk.project.privacy.models
        kept = tuple(model for model in models if model not in gone)
        desk.apply(ops.change_privacy(models=kept))
    named = [e for e in given.models if e != "proposed"]
    subjects = [_subject(declared(PRIVACY_MODELS, each)) for each in named]
    for place, subject in enumerate(subjects):
        if subject in subjects[:place]:
            raise ConfigError("model_twice", model=named[place])
    for each in given.models:
        if each == "proposed":
            for proposal in propose_models(desk.project, desk.loaded.table):
                desk.apply(_with_model(proposal.model))
            continue
        model = declared(PRIVACY_MODELS, each)
        if model.needs_sensitive:
            desk.known(attribute_of(model))
        desk.apply(_with_model(model))


def _thresholds(desk: _Desk, given: AskedDecisions) -> None:
    _models(desk, given)
    if given.limit is not None:
        if not 0 <= given.limit <= 1:
            raise ConfigError("share_out_of_range", what="limit", value=given.limit)
        desk.apply(ops.change_privacy(suppression_limit=given.limit))
    if given.measure is not None:
        measure = declared(QUALITY_MEASURES, given.measure)
        desk.apply(ops.set_quality_measure(measure))
    if given.keep_something is not None:
        desk.apply(ops.set_keep_something(given.keep_something))
    if given.population is not None:
        choice = _population(desk, given.population)
        desk.apply(ops.change_privacy(population=choice))
    if given.events is not None:
        desk.apply(with_events(given.events))


def _subject(model: PrivacyModel) -> tuple[str, str]:
    """What there is one model for: its kind, and the column that it protects."""
    return model.kind, str(getattr(model, "attribute", ""))


def _with_model(model: PrivacyModel) -> ops.Op:
    """Add a model, in place of one of the same kind for the same column."""

    def op(project: Project) -> Project:
        models = project.privacy.models
        others = tuple(e for e in models if _subject(e) != _subject(model))
        return ops.change_privacy(models=(*others, model))(project)

    return op


_POPULATIONS = (
    "none",
    "fraction=SHARE",
    "register=FILE",
    "counts=FILE",
    "built_in=TABLE[,state=NAME]",
)


def _population(desk: _Desk, text: str) -> PopulationChoice:
    """Build the choice of a population as it was typed."""
    kind, _, value = text.partition("=")
    if kind == "none":
        return PopulationChoice()
    if kind == "fraction":
        share = share_of("fraction", value)
        if not share:
            raise ConfigError("sampling_fraction", fraction=value)
        return PopulationChoice(kind="sampling_fraction", sampling_fraction=share)
    if kind in ("register", "counts"):
        population = read_population(Path(value))
        choice = propose_population(desk.project, population, kind)
        path = population.path.resolve()
        folder = desk.file.parent.resolve()
        if path.is_relative_to(folder) and choice.file is not None:
            named = path.relative_to(folder).as_posix()
            return choice.but(file=choice.file.but(file=named))
        desk.away[POPULATION] = Path(value)
        return choice
    if kind == "built_in":
        tables, *places = value.split(",state=")
        for each in tables.split("+"):
            one_of(tr("table of the population"), each, NAMES)
        states = tuple(places)
        return PopulationChoice(
            kind="built_in", tables=tuple(tables.split("+")), states=states
        )
    raise ConfigError("not_one_of", what="population", value=text, known=_POPULATIONS)


def _context(desk: _Desk, given: AskedDecisions) -> None:
    day = today().isoformat()
    for each in given.context:
        desk.apply(with_context(each, given.answered_by, day))
    for each in given.context_answers:
        desk.apply(with_context_answer(each, given.answered_by, day))
    for each in given.attacks:
        desk.apply(with_attack(each, given.answered_by, day))
    if given.takes_allowed:
        desk.apply(ops.take_allowed())
    for each in given.dossier:
        desk.apply(with_dossier(each, given.answered_by))


def _principles(desk: _Desk, given: AskedDecisions) -> None:
    day = today().isoformat()
    for each in given.principles:
        name, value = desk.column(each)
        desk.apply(with_principle(name, value, given.answered_by, day))
    if given.accepts_principles:
        check_named(given.answered_by)
        names = acceptable(desk.project)
        desk.apply(ops.accept_principles(names, given.answered_by, day))


def _comparisons(desk: _Desk, given: AskedDecisions) -> None:
    day, folder = today().isoformat(), desk.file.parent
    for each in given.compare:
        op, away = with_comparison(
            desk.project, each, given.answered_by, day, folder, NULL_MONITOR
        )
        desk.apply(op)
        desk.away |= away


def _validity(desk: _Desk, given: AskedDecisions) -> None:
    if given.earlier is not None:
        desk.compare_with(given.earlier, given.answered_by)
    said = (given.validity, given.triggers, given.valid)
    for op in validity_ops(*said, given.answered_by):
        desk.apply(op)


# -- matches, baseline, settings -------------------------------------------------------


def _rules(desk: _Desk, given: AskedDecisions) -> None:
    if given.matches or given.unknown_columns is not None:
        # The population may have been chosen on the same line.
        desk.read_again()
    for each in given.matches:
        name, value = desk.column(each)
        files = {**desk.opened.files, **desk.new_files}
        read = desk.loaded.table, desk.opened.population
        op, made = with_match(desk.project, read, files, name, value)
        desk.new_files |= made
        desk.apply(op)
    if given.unknown_columns is not None:
        # After the columns that are named one by one.
        files = {**desk.opened.files, **desk.new_files}
        read = desk.loaded.table, desk.opened.population
        how = given.unknown_columns
        desk.apply(with_unknown_columns(desk.project, read, files, how))
    if given.baseline is not None:
        desk.apply(with_baseline(given.baseline))
    for each in given.elements:
        name, value = desk.column(each)
        desk.apply(with_element(name, value))
    for each in given.quotas:
        desk.apply(with_quota(*desk.column(each)))
    for each in given.preferences:
        desk.apply(with_preference(*desk.column(each)))
    for each in given.settings:
        desk.apply(with_setting(each))


# -- policy, export, answers -----------------------------------------------------------


def _policy(desk: _Desk, given: AskedDecisions) -> None:
    if given.choose is None:
        return
    if given.choose == "best":
        desk.apply(ops.forget_choice())
        return
    desk.apply(ops.choose_policy(_chosen(desk, given.choose)))


def _chosen(desk: _Desk, text: str) -> Chosen:
    """Return a policy by its number in the list of a search, or from a file."""
    surveys = text.startswith(SURVEY)
    text = text.removeprefix(SURVEY)
    if text.isascii() and text.isdigit() and len(text) < _LONG:
        opened = desk.read()
        found = headless.find_policies(desk.project, opened, surveys=surveys)
        kind = main_kind(desk.project)
        described = policy_source(kind).describe(found)["candidates"]
        if not 1 <= int(text) <= len(described):
            known = tuple(map(str, range(1, len(described) + 1)))
            raise ConfigError("not_one_of", what="policy", value=text, known=known)
        node = described[int(text) - 1]
        if isinstance(found, LatticePolicies):
            row = found.node_of(node["levels"])
            assert row is not None
            return found.choice(row)
        if kind == BLOCKS:
            return found.choice(0)
        return Chosen(kind="longitudinal", levels=node["levels"])
    path = Path(text)
    check_there(path, ".json")
    try:
        content = path.read_text(encoding="utf-8")
        return Chosen.model_validate_json(content)
    except (OSError, UnicodeDecodeError):
        known = ("best", "NUMBER", f"{SURVEY}NUMBER", "FILE.json")
        raise ConfigError(
            "not_one_of", what="policy", value=text, known=known
        ) from None
    except pydantic.ValidationError:
        raise InputError("policy_unreadable", file=path.name) from None


def _attributes_known(desk: _Desk, given: AskedDecisions) -> None:
    if given.attributes_known is None:
        return
    found = None
    if given.attributes_known != "none":
        found = _known_choice(given.attributes_known)
        names = [each.name for each in desk.project.quasi_identifiers]
        power.units_of(names, found)
    desk.apply(ops.change_privacy(attributes_known=found))


def _known_choice(text: str) -> AttributesKnown:
    """Read ``3,always=sex+age,together=zip+county,block=5``."""
    number, *others = text.split(",")
    groups: list[list[str]] = []
    always: list[str] = []
    block = "0"
    for each in others:
        name, _, value = each.partition("=")
        if name == "together":
            groups.append(value.split("+"))
        elif name == "always":
            always = value.split("+")
        elif name == "block":
            block = value
        else:
            number = ""
    if not all(each.isascii() and each.isdigit() for each in (number, block)):
        problem = tr(
            "--attributes-known {text}: expected P,always=A+B,together=C+D,block=K.",
            text=text,
        )
        raise InputError("usage", problem=problem)
    return power.known_of(int(number), always, groups, int(block) or None)


def _sample(desk: _Desk, given: AskedDecisions) -> None:
    if given.sample is not None:
        desk.apply(ops.set_sample(_sample_choice(given)))
        return
    decided = desk.project.sample
    if given.sample_seed is None and not given.accept_small_sample:
        return
    if decided is None:
        raise InputError("usage", problem=tr("No sample is decided: use --sample."))
    if given.sample_seed is not None:
        decided = decided.but(seed=given.sample_seed)
    if given.accept_small_sample:
        decided = decided.but(accepts_few=True)
    desk.apply(ops.set_sample(decided))


def _sample_choice(given: AskedDecisions) -> SampleChoice | None:
    text = given.sample or ""
    if text == "none":
        return None
    try:
        fraction = float(text)
    except ValueError:
        fraction = math.nan
    if not 0 < fraction <= 1:
        raise ConfigError("sample_unknown", value=text)
    return SampleChoice(
        fraction=fraction, seed=given.sample_seed, accepts_few=given.accept_small_sample
    )


def _export(desk: _Desk, given: AskedDecisions) -> None:
    if given.suppressed is not None:
        choices = ("stars", "left_out")
        chosen = one_of(tr("choice for suppressed records"), given.suppressed, choices)
        desk.apply(ops.change_export(suppressed=chosen))
    if given.order is not None:
        if given.order.isascii() and given.order.isdigit():
            seed = int(given.order)
            desk.apply(ops.change_export(shuffle=True, shuffle_seed=seed))
            return
        order = one_of(tr("order of rows"), given.order, ("random", "input", "NUMBER"))
        desk.apply(ops.change_export(shuffle=order == "random", shuffle_seed=None))


def _reasons(desk: _Desk, given: AskedDecisions) -> None:
    """Answer questions and overrule models; both rest on the measured policy."""
    if not given.accept and not given.overrule:
        return
    if not given.because.strip():
        raise ConfigError("reason_missing")
    reason = (given.because, given.answered_by, today().isoformat())
    if given.accept:
        desk.apply(answers_for(desk.prepared().questions, given.accept, *reason))
    for each in given.overrule:
        desk.overrule(conditions_called(desk.project, each), *reason)


def _signing(desk: _Desk, given: AskedDecisions) -> None:
    """Stand for what nobody has signed: last, since this call may enter more."""
    if given.signs_open:
        desk.apply(sign_open(given.answered_by, today().isoformat()))


_STEPS: tuple[Callable[[_Desk, AskedDecisions], None], ...] = (
    _reading,
    _texts,
    _columns,
    _people,
    _preparation,
    _hierarchies,
    _thresholds,
    _context,
    _principles,
    _validity,
    _rules,
    _policy,
    _sample,
    _attributes_known,
    _comparisons,
    _export,
    _reasons,
    _signing,
)
"""In an order in which none takes back what an earlier one decided."""
