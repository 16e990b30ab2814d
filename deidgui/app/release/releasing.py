"""From decisions and data to a verified release."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from deidgui.app.classes import Classes, build_classes
from deidgui.app.loaded import Loaded
from deidgui.app.measuring.measuring import (
    Measured,
    figures_for_evidence,
    measure_project,
)
from deidgui.app.policies.acceptance import Accepted, has_alternative
from deidgui.app.policies.lattice.policies import LatticePolicies, infeasible
from deidgui.app.policies.lattice.searching import check_search, search, search_rounds
from deidgui.app.project import Project
from deidgui.app.release.writing import ReleaseOrder, WrittenRelease, write_release
from deidgui.engine.data.table import Table
from deidgui.errors import (
    ConfigError,
    DeidError,
    InfeasibleError,
    raise_all,
)
from deidgui.monitor import NULL_MONITOR, Monitor, SubMonitor
from deidgui.text import in_english


@dataclass(frozen=True, repr=False)
class FinishedRelease:
    """A release that is in place, and what it rests on."""

    written: WrittenRelease = field(repr=False)
    measured: Measured = field(repr=False)

    @property
    def folder(self) -> Path:
        """Where the release is."""
        return self.written.folder


def check_release(project: Project) -> None:
    """See that every decision that a release needs has been made.

    Raises
    ------
    ConfigError
        As `check_search`, and code ``no_suppressed_choice``, all problems together.
        A discovered policy suppresses nothing: it needs neither of the choices about
        suppressed records, nor privacy models if it was accepted by its risk. Code
        ``joined_suppresses`` if it is stored with records to suppress.
    """
    problems: list[DeidError] = []
    try:
        check_search(project)
    except ConfigError as problem:
        problems += getattr(problem, "problems", (problem,))
    if project.export.suppressed is None:
        problems.append(ConfigError("no_suppressed_choice"))
    chosen = project.chosen
    if chosen is not None and chosen.acceptance is not None:
        not_needed = {"no_suppression_limit", "no_suppressed_choice"}
        if chosen.acceptance.by == "risk":
            not_needed.add("no_privacy_model")
        problems = [each for each in problems if each.code not in not_needed]
        if chosen.suppress_below > 1:
            problems.append(ConfigError("joined_suppresses"))
    raise_all(problems)


def release(
    project: Project,
    loaded: Loaded,
    folder: Path,
    files: Mapping[str, bytes],
    population: Table | None = None,
    *,
    classes: Classes | None = None,
    found: LatticePolicies | None = None,
    key_file: Path | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> FinishedRelease:
    """Search if need be, apply the policy, write and verify the release.

    Parameters
    ----------
    folder : Path
        Of the release; see `write_release`.
    files : mapping of str to bytes
        Hierarchy CSVs by relative path.
    population : Table, optional
        The population's file, if the project names one.
    classes, found : Classes, LatticePolicies, optional
        Known already for exactly these decisions.
    key_file : Path, optional
        Where keys of pseudonyms are kept; None destroys them.

    Raises
    ------
    InfeasibleError
        Codes ``no_policy_meets``, ``chosen_outside_limits`` or ``chosen_violates``;
        of a discovered policy those of `judge` and ``joined_violates_models``.
    DeidError
        As `check_release`, `build_classes`, `search` and `write_release`.
    """
    check_release(project)
    if classes is None:
        step = SubMonitor(monitor, 0.0, 0.1)
        classes = build_classes(project, loaded.table, files, population, monitor=step)
    classes = classes.with_columns_of(project)
    # A discovered policy need not stand beside those of the lattice.
    if found is None and not has_alternative(project):
        found = search(project, classes, monitor=SubMonitor(monitor, 0.1, 0.3))
        # Only here: who has seen the best policy of a search releases that one.
        if project.search.local_recoding and project.chosen is None:
            step = SubMonitor(monitor, 0.3, 0.4)
            rounds = search_rounds(project, classes, monitor=step)
            project = project.but(chosen=rounds.choice() if rounds else None)
    # Evidence reads the same in whatever language the program is used.
    with in_english():
        step = SubMonitor(monitor, 0.3, 0.4)
        measured = measure_project(project, classes, found, monitor=step)
    if measured.accepted is not None:
        _check_accepted(measured, measured.accepted)
    else:
        assert found is not None, "searched above"
        _check_policy(measured, found)
    with in_english():
        figures = figures_for_evidence(project, measured, found)
    order = ReleaseOrder(
        project=project,
        input_path=loaded.path,
        input_sha256=loaded.sha256,
        table=classes.table,
        class_table=classes.class_table,
        policy=measured.chosen_policy,
        figures=figures,
        key_file=key_file,
    )
    written = write_release(folder, order, monitor=SubMonitor(monitor, 0.4, 1.0))
    return FinishedRelease(written, measured)


def _check_policy(measured: Measured, found: LatticePolicies) -> None:
    """Refuse a release without a policy, or with one beyond the thresholds."""
    if measured.policy is None:
        raise infeasible(found)
    # PRIVACY: a level may be forbidden because it tells too much; a policy that was
    # chosen before it was forbidden is not released.
    if any(found.node_of(each.levels) is None for each in measured.policy.rounds):
        raise InfeasibleError("chosen_outside_limits")
    if not measured.meets_thresholds:
        raise InfeasibleError(
            "chosen_violates",
            records_needed=measured.n_suppressed,
            records_allowed=found.result.limit_records,
        )


def _check_accepted(measured: Measured, accepted: Accepted) -> None:
    """Refuse a discovered policy that is not acceptable any more."""
    raise_all(list(accepted.problems))
    n_unmet = sum(not verdict.satisfied for verdict in measured.verdicts)
    if n_unmet and not measured.is_accepted_by_risk:
        n_models = len(measured.verdicts)
        raise InfeasibleError(
            "joined_violates_models", n_unmet=n_unmet, n_models=n_models
        )
