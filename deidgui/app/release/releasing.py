"""From decisions and data to a verified release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from deidgui.app.attacks.results import AttackResults, attack_facts
from deidgui.app.attacks.running import AsRead, run_attacks
from deidgui.app.classes import Classes, build_classes
from deidgui.app.determination.determination import context_facts
from deidgui.app.determination.validity import validity_facts
from deidgui.app.dossier.dossier import OfRelease, dossier_facts
from deidgui.app.dossier.drift import check_drift, drift_between, read_earlier
from deidgui.app.dossier.sensitivity import sensitivity_facts
from deidgui.app.drawn import Draw, check_sample, sample_words
from deidgui.app.loaded import Loaded
from deidgui.app.measuring.criteria import measure_criteria
from deidgui.app.measuring.measuring import (
    Measured,
    figures_for_evidence,
    measure_project,
)
from deidgui.app.measuring.others import Others
from deidgui.app.measuring.principles import distinguish_columns, principle_facts
from deidgui.app.needed import check_release
from deidgui.app.policies.decisions import allowed_levels
from deidgui.app.policies.lattice.policies import LatticePolicies
from deidgui.app.policies.lattice.searching import search_rounds, with_cost
from deidgui.app.policies.policy_set import SourceResult
from deidgui.app.policies.source import main_kind
from deidgui.app.policies.source import source as policy_source
from deidgui.app.power.risk import (
    known_facts,
    measure_power,
    power_table,
    size_at_risk,
)
from deidgui.app.project import Project
from deidgui.app.release.overruling import (
    SuppressionLimit,
    check_thresholds,
    is_overruled,
    overruled_facts,
    overruled_warnings,
    problems_left,
)
from deidgui.app.release.questions import (
    ReleaseQuestion,
    answer_to,
    answered_facts,
    questions_of,
)
from deidgui.app.release.replacing import Standing
from deidgui.app.release.wording import left_out_warning, orphans_warning
from deidgui.app.release.writing import (
    ReleaseOrder,
    WrittenRelease,
    evidence_of,
    pseudonymised,
    write_release,
)
from deidgui.app.stated import sample_warnings
from deidgui.engine.data.table import Table
from deidgui.engine.detect.roles import Finding
from deidgui.engine.evidence import document
from deidgui.engine.evidence.evidence import ReleaseFigures
from deidgui.engine.transform.pseudonyms import PseudonymsAhead
from deidgui.errors import (
    InfeasibleError,
    raise_all,
)
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor
from deidgui.text import in_english, unit_words


@dataclass(frozen=True, repr=False)
class FinishedRelease:
    """A release that is in place, and what it rests on.

    Parameters
    ----------
    found : SourceResult or None
        The search, with what importance costs; None if a person chose the policy.
    """

    written: WrittenRelease = field(repr=False)
    measured: Measured = field(repr=False)
    found: SourceResult | None = field(repr=False)

    @property
    def folder(self) -> Path:
        """Where the release is."""
        return self.written.folder


def check_answers(project: Project, questions: Sequence[ReleaseQuestion]) -> None:
    """See that a person has answered every question about the released table.

    Raises
    ------
    ConfigError
        Code ``question_open``, all questions together.
    """
    unanswered = [each for each in questions if answer_to(project, each) is None]
    raise_all([each.as_problem() for each in unanswered])


@dataclass(frozen=True, eq=False, repr=False)
class Prepared:
    """Everything that a release is judged by before it is written.

    Parameters
    ----------
    project : Project
        With the policy chosen where the search chose it.
    questions : tuple of ReleaseQuestion
        About the released table, answered or not.
    """

    project: Project
    classes: Classes
    found: SourceResult | None
    measured: Measured
    questions: tuple[ReleaseQuestion, ...]


def release(
    project: Project,
    loaded: Loaded,
    folder: Path,
    files: Mapping[str, bytes],
    population: Table | None = None,
    *,
    classes: Classes | None = None,
    found: SourceResult | None = None,
    attacks: AttackResults | None = None,
    key_file: Path | None = None,
    compared: Others | None = None,
    others: tuple[Path, ...] = (),
    earlier: document.Evidence | None = None,
    given_up: Standing | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> FinishedRelease:
    """Search if no policy is chosen, apply the policy, write and verify the release.

    Parameters
    ----------
    folder : Path
        Of the release; see `write_release`.
    files : mapping of str to bytes
        Hierarchy CSVs by relative path.
    population : Table, optional
        The population's file, if the project names one.
    classes, found, attacks : Classes, SourceResult, AttackResults, optional
        Known already for exactly these decisions; found by the `main_kind`.
    key_file : Path, optional
        Where keys of pseudonyms are kept; None destroys them.
    compared : Others, optional
        Tables that a person chose to match the release with, as far as they are there.
    others : tuple of Path
        Further files that the release is made from: never replaced.
    earlier : Evidence, optional
        Of the release that the project names (see `read_earlier`).
    given_up : Standing, optional
        See `write_release`.

    Raises
    ------
    InfeasibleError
        As `check_measured`.
    ConfigError
        Code ``earlier_missing``, or ``validity_measured`` if the release differs from
        the earlier one and nobody has decided anew.
    DeidError
        As `check_release`, `check_answers`, `check_sample`, `build_classes`,
        `search` and `write_release`.
    """
    check_release(project)
    if project.validity.earlier is not None and earlier is None:
        read_earlier(project, None)
    prepared = prepare(
        project,
        loaded,
        files,
        population,
        classes=classes,
        found=found,
        monitor=SubMonitor(monitor, 0.0, 0.35),
    )
    project, measured = prepared.project, prepared.measured
    check_measured(project, prepared.classes, measured)
    check_answers(project, prepared.questions)
    draw = prepared.classes.draw
    check_sample(draw)
    drift = drift_of(prepared, loaded, earlier)
    check_drift(project, drift)
    prepared = _with_cost(prepared, SubMonitor(monitor, 0.35, 0.38))
    coded = pseudonymised(project, prepared.classes.table)
    # PERF: digests of ten million identifiers take as long as measuring and writing.
    with PseudonymsAhead(coded) as ahead:
        step = SubMonitor(monitor, 0.38, 0.4)
        with in_english():
            figures = _figures_of(prepared, compared or {}, loaded.table, monitor=step)
            step = SubMonitor(monitor, 0.4, 0.45)
            stated = _attacks(prepared, attacks, AsRead(loaded, files), step)
            figures = replace(figures, attacks=stated, drift=drift)
        # None of them is written over.
        others = (*others, *(e.path for e in (compared or {}).values() if e))
        order = replace(
            _order(prepared, loaded, figures),
            key_file=key_file,
            others=others,
            ahead=ahead,
        )
        step = SubMonitor(monitor, 0.45, 1.0)
        written = write_release(folder, order, given_up=given_up, monitor=step)
    return FinishedRelease(written, measured, prepared.found)


def _with_cost(prepared: Prepared, monitor: Monitor) -> Prepared:
    """Find out what was given up for what is preferred: the evidence states it."""
    found = prepared.found
    if not isinstance(found, LatticePolicies):
        return prepared
    found = with_cost(prepared.project, found, monitor=monitor)
    return replace(prepared, found=found)


def _order(prepared: Prepared, loaded: Loaded, figures: ReleaseFigures) -> ReleaseOrder:
    """What a release is made from, but for the files beside it."""
    draw = prepared.classes.draw
    return ReleaseOrder(
        project=prepared.project,
        input_path=loaded.path,
        input_sha256=loaded.sha256,
        table=prepared.classes.table,
        class_table=prepared.classes.class_table,
        policy=prepared.measured.chosen_policy,
        figures=figures,
        n_rows=draw.n_rows if draw is not None else None,
        people=loaded.people,
        effects=loaded.effects,
    )


def drift_of(
    prepared: Prepared, loaded: Loaded, earlier: document.Evidence | None
) -> document.Drift | None:
    """Compare what would be released with an earlier release, before it is written."""
    chosen = prepared.project.validity.earlier
    if chosen is None or earlier is None:
        return None
    with in_english():
        figures = figures_for_evidence(
            prepared.project, prepared.classes, prepared.measured, prepared.found
        )
        order = _order(prepared, loaded, figures)
        # Files are not compared: of the table that is not written a name is enough.
        table = document.Output(path="-", bytes=0, sha256="0" * 64, rows=0, columns=())
        found = drift_between(chosen.sha256, earlier, evidence_of(order, [table], {}))
        return found.model_copy(update={"by": chosen.by, "on": chosen.on})


def _figures_of(
    prepared: Prepared, compared: Others, everybody: Table, *, monitor: Monitor
) -> ReleaseFigures:
    """Return all that the evidence states besides what is in the files."""
    project, measured = prepared.project, prepared.measured
    sample = sample_facts(project, prepared.classes.draw, measured)
    figures = figures_for_evidence(project, prepared.classes, measured, prepared.found)
    step = SubMonitor(monitor, 0.0, 0.5)
    criteria = measure_criteria(
        project,
        prepared.classes,
        measured.chosen_policy,
        compared,
        everybody,
        monitor=step,
    )
    prosecutor = measured.data_risk
    overruled = overruled_facts(project, measured)
    questions = answered_facts(project, prepared.questions)
    has_gaps = criteria is not None and bool(criteria.gaps)
    return replace(
        figures,
        criteria=criteria,
        overruled=overruled,
        questions=questions,
        sample=sample,
        context=context_facts(project, *prosecutor),
        sensitivity=sensitivity_facts(
            project,
            *prosecutor,
            () if criteria is None else criteria.one_more,
            measured.people,
        ),
        principles=_principles(prepared),
        validity=validity_facts(project),
        dossier=dossier_facts(
            project,
            suppresses=_suppresses(measured),
            of_release=OfRelease(has_gaps, questions, overruled),
        ),
        attributes_known=_attributes_known(
            prepared, monitor=SubMonitor(monitor, 0.5, 1.0)
        ),
        warnings=[
            *overruled_warnings(project, measured),
            *left_out_warnings(project),
            *sample_warnings(sample),
            *figures.warnings,
        ],
    )


def _principles(prepared: Prepared) -> tuple[document.ColumnPrinciples, ...]:
    """State what outsiders may know of each column, if anything was said."""
    project, classes = prepared.project, prepared.classes
    if not principle_facts(project, {}):
        return ()
    units = classes.class_table.units
    people = units.people if units is not None else None
    return principle_facts(project, distinguish_columns(project, classes.table, people))


def _suppresses(measured: Measured) -> bool:
    """Whether anything is suppressed: records, or single cells."""
    return measured.n_suppressed > 0 or measured.chosen_policy.cells is not None


def _attacks(
    prepared: Prepared, known: AttackResults | None, as_read: AsRead, monitor: Monitor
) -> document.Attacks | None:
    """State the attacks on exactly what is released, made now if they must be."""
    policy = prepared.measured.chosen_policy
    # PRIVACY: attacks on another policy say nothing about this release.
    if known is not None and known.is_of(policy, prepared.classes.draw):
        return attack_facts(known)
    if not prepared.project.attacks.in_release:
        return None
    found = run_attacks(
        prepared.project, prepared.classes, policy, as_read, monitor=monitor
    )
    return attack_facts(found)


def prepare(
    project: Project,
    loaded: Loaded,
    files: Mapping[str, bytes],
    population: Table | None = None,
    *,
    classes: Classes | None = None,
    found: SourceResult | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> Prepared:
    """Search if no policy is chosen, measure it and judge the table it releases.

    Parameters
    ----------
    files : mapping of str to bytes
        Hierarchy CSVs by relative path.
    population : Table, optional
        The population's file, if the project names one.
    classes, found : Classes, SourceResult, optional
        Known already for exactly these decisions; found by the `main_kind`.

    Raises
    ------
    InfeasibleError
        Code ``no_policy_meets``.
    DeidError
        As `build_classes` and `search`.
    """
    if classes is None:
        step = SubMonitor(monitor, 0.0, 0.25)
        classes = build_classes(project, loaded.table, files, population, monitor=step)
    classes = classes.with_columns_of(project)
    if project.chosen is not None:
        # What a person chose is measured and judged by itself; a search that happens
        # to be known must not make another evidence of it than a run without one.
        found = None
    elif found is None or not found.is_answered:
        step = SubMonitor(monitor, 0.25, 0.6)
        found = policy_source(main_kind(project)).run(project, classes, monitor=step)
        # Only here: who has seen the best policy of a search releases that one.
        if project.search.local_recoding and isinstance(found, LatticePolicies):
            step = SubMonitor(monitor, 0.6, 0.7)
            rounds = search_rounds(project, classes, monitor=step)
            project = project.but(chosen=rounds.choice() if rounds else None)
    # Evidence reads the same in whatever language the program is used.
    with in_english():
        step = SubMonitor(monitor, 0.7, 0.85)
        measured = measure_project(project, classes, found, monitor=step)
        if measured.policy is None:
            assert found is not None, "searched before"
            raise found.nothing_meets()
        questions = questions_of(
            project,
            classes,
            measured.policy,
            findings_of(loaded),
            loaded.fingerprint,
            keys=loaded.keys,
            monitor=SubMonitor(monitor, 0.85, 1.0),
        )
    return Prepared(project, classes, found, measured, questions)


def findings_of(loaded: Loaded) -> Mapping[str, Finding]:
    """Return what was found out about the columns as the file was read."""
    if loaded.inspection is None:
        return {}
    findings: Mapping[str, Finding] = loaded.inspection.findings
    return findings


def check_measured(
    project: Project,
    classes: Classes,
    measured: Measured,
) -> None:
    """See that a policy may be released, all but the questions about its table.

    Raises
    ------
    InfeasibleError
        Codes ``chosen_outside_limits``, ``chosen_violates``, ``thresholds_unmet``;
        of a discovered policy also ``acceptance_lacks_population`` and those of
        `judge`.
    """
    if measured.accepted is not None:
        raise_all(list(measured.accepted.problems))
    else:
        _check_levels(project, classes, measured)
        _check_limit(project, measured)
    check_thresholds(project, measured)
    raise_all(list(problems_left(project, measured)))


def _check_levels(project: Project, classes: Classes, measured: Measured) -> None:
    """Refuse a policy of forbidden levels."""
    # PRIVACY: a level may be forbidden because it tells too much; a policy that was
    # chosen before it was forbidden is not released.
    table = classes.class_table
    lowest, highest = allowed_levels(project.quasi_identifiers, table)
    for each in measured.chosen_policy.rounds:
        for name, level in each.levels.items():
            if not lowest.get(name, 0) <= level <= highest.get(name, level):
                raise InfeasibleError("chosen_outside_limits")


def _check_limit(project: Project, measured: Measured) -> None:
    """Refuse a policy that suppresses too much."""
    if measured.exceeds_limit and not is_overruled(
        project, measured, SuppressionLimit.kind
    ):
        raise InfeasibleError(
            "chosen_violates",
            unit=unit_words(measured.unit is not None),
            records_needed=measured.n_touched,
            records_allowed=measured.limit_records,
        )


def _attributes_known(
    prepared: Prepared, *, monitor: Monitor
) -> document.AttributesKnown | None:
    """Measure what an adversary learns who knows some attributes, if that is asked."""
    privacy = prepared.project.privacy
    known = privacy.attributes_known
    if known is None:
        return None
    policy = prepared.measured.chosen_policy
    table = power_table(prepared.classes, policy, known)
    least = size_at_risk(privacy.threshold.at_risk)
    return known_facts(measure_power(table, known, least, monitor=monitor))


def sample_facts(
    project: Project, draw: Draw | None, measured: Measured
) -> document.Sample | None:
    """Return what the evidence states about the sample; None of everybody."""
    if draw is None:
        return None
    sizes = (draw.n_sampled, draw.n_people, measured.unit is not None)
    return document.Sample(
        people=draw.n_people,
        sampled=draw.n_sampled,
        # Who has no event is a person of linked tables, and no row.
        rows=draw.n_rows - draw.n_without_events,
        fraction=draw.choice.fraction,
        draw="random" if draw.choice.seed is None else "seeded",
        average=len(measured.sizes_after) / draw.n_people,
        words=sample_words(draw.choice, sizes),
    )


def left_out_warnings(project: Project) -> list[str]:
    """Say how many records of the files were not used, by a person's word."""
    n_orphans = sum(each.n_left_out for each in project.links)
    return [
        *(left_out_warning(e.n_left_out) for e in project.inputs if e.n_left_out),
        *([orphans_warning(n_orphans)] if n_orphans else []),
    ]
